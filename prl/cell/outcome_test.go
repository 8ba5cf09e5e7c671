package cell

import (
	"errors"
	"strings"
	"testing"
)

func TestOutcome(t *testing.T) {
	calls := 0
	o := NewOutcome(Start("SVM").Step("Fit", "rings"), func() (int, error) { calls++; return 7, nil })
	copied := o
	for _, o := range []Outcome[int]{o, copied, o} {
		if m, err := o.Fitted(); m != 7 || err != nil || o.Err() != nil || o.Model() != 7 {
			t.Errorf("Fitted = %d, %v", m, err)
		}
	}
	if calls != 1 {
		t.Errorf("computed %d times, want once", calls)
	}

	failing := NewOutcome(Start("SVM").Step("Fit", "rings"), func() (int, error) { return 3, errors.New("one class only") })
	if m, err := failing.Fitted(); m != 0 || err == nil || !strings.Contains(err.Error(), "Fit") || !strings.Contains(err.Error(), "one class only") {
		t.Errorf("Fitted = %d, %v; want no model and an error of the step Fit", m, err)
	}

	broken := NewOutcome(Start("SVM").Step("C", -1).Break(errors.New("C is -1")).Step("Fit", "rings"), func() (int, error) {
		t.Error("computed although a step is wrong")
		return 0, nil
	})
	if err := broken.Err(); err == nil || !strings.Contains(err.Error(), "C is -1") {
		t.Errorf("Err = %v, want that of the first wrong step", err)
	}

	if err := NewOutcome[int](Start("SVM"), nil).Err(); err == nil || !strings.Contains(err.Error(), "append .Fit(set)") {
		t.Errorf("Err without data = %v", err)
	}
}
