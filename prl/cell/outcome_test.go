package cell

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/fault"
)

func ExampleArgs() {
	priors := []float64{0.7, 0.3}
	fmt.Println(fault.Start("LDA").Step("Priors", fault.Args(priors)...))
	// Output: LDA().Priors(0.7, 0.3)
}

func ExampleEnd() {
	plan := NewOutcome(fault.Start("Tree").Step("Fit", "iris"), func() (int, error) { return 4, nil })
	_, err := End(plan, func(features int) (float64, error) { return 0, fmt.Errorf("%d features, but a plane has 2", features) }, "Area")
	fmt.Println(err)
	// Output: Area: 4 features, but a plane has 2
}

func TestOutcome(t *testing.T) {
	calls := 0
	o := NewOutcome(fault.Start("SVM").Step("Fit", "rings"), func() (int, error) { calls++; return 7, nil })
	copied := o
	for _, o := range []Outcome[int]{o, copied, o} {
		if m, err := o.Fitted(); m != 7 || err != nil || o.Err() != nil || o.Model() != 7 {
			t.Errorf("Fitted = %d, %v", m, err)
		}
	}
	if calls != 1 {
		t.Errorf("computed %d times, want once", calls)
	}

	failing := NewOutcome(fault.Start("SVM").Step("Fit", "rings"), func() (int, error) { return 3, errors.New("one class only") })
	if m, err := failing.Fitted(); m != 0 || err == nil || !strings.Contains(err.Error(), "Fit") || !strings.Contains(err.Error(), "one class only") {
		t.Errorf("Fitted = %d, %v; want no model and an error of the step Fit", m, err)
	}

	broken := NewOutcome(fault.Start("SVM").Step("C", -1).Break(errors.New("C is -1")).Step("Fit", "rings"), func() (int, error) {
		t.Error("computed although a step is wrong")
		return 0, nil
	})
	if err := broken.Err(); err == nil || !strings.Contains(err.Error(), "C is -1") {
		t.Errorf("Err = %v, want that of the first wrong step", err)
	}

	if v, err := End(o, func(m int) (string, error) { return strings.Repeat("x", m), nil }, "Picture"); v != "xxxxxxx" || err != nil {
		t.Errorf("End = %q, %v", v, err)
	}
	refuse := func(int) (string, error) { return "half", errors.New("of 3 features") }
	var wrong *fault.StepError
	if v, err := End(o, refuse, "Picture", 2.5); v != "" || !errors.As(err, &wrong) || wrong.Step != "Picture(2.5)" || !strings.Contains(err.Error(), "of 3 features") {
		t.Errorf("End = %q, %v; want nothing and an error of the step Picture", v, err)
	}
	if _, err := End(failing, refuse, "Picture"); err == nil || !strings.Contains(err.Error(), "one class only") {
		t.Errorf("End = %v, want the error of the computation", err)
	}

	if err := NewOutcome[int](fault.Start("SVM"), nil).Err(); err == nil || !strings.Contains(err.Error(), "append .Fit(set)") {
		t.Errorf("Err without data = %v", err)
	}
}
