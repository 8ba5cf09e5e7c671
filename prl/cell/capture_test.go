package cell

import (
	"errors"
	"strings"
	"testing"
)

// What a function shows is recorded in order, all its checks in one place, and nothing reaches the kernel.
func TestCapture(t *testing.T) {
	k := startKernel(t)
	ended := false
	r := Capture(func() {
		Display(Bundle{HTML: "<p>1</p>", Text: "1"})
		Check("A-1", "one").Equal(1, 1)
		inner := Capture(func() { Check("A-2", "two").Equal(2, 2) })
		if len(inner.Shown) != 1 || strings.Contains(inner.HTML(), "A-1") {
			t.Errorf("the inner function shows %q", inner.HTML())
		}
		Display(Bundle{HTML: "<p>2</p>"})
		Check("A-3", "three").Equal(3, 4)
		Check("A-4", "four").Equal(4, 4)
		Fail(errors.New("no more"))
		ended = true
	})
	if ended || !r.Failed || len(r.Shown) != 4 || len(k.shown) != 0 {
		t.Fatalf("failed %v, went on %v, %d outputs, %d at the kernel", r.Failed, ended, len(r.Shown), len(k.shown))
	}
	if got, want := r.Text(), "1\n✗ A-3 three: 3 is not 4\n✓ A-1 one: 1\n✓ A-4 four: 4\n✗ no more"; got != want {
		t.Errorf("text\n%s\nwant\n%s", got, want)
	}
	if h := r.Shown[1].HTML; !strings.Contains(h, `data-prl-proofs="3" open=""`) || !strings.Contains(h, "<b>does not hold:</b> three") {
		t.Errorf("checks %s", h)
	}
	Check("A-5", "five").Equal(5, 5)
	if len(k.shown) != 1 || strings.Contains(k.shown[0].HTML, "A-1") {
		t.Errorf("afterwards the kernel has %+v", k.shown)
	}
}

// A panic is the caller's, unless a check has failed before.
func TestCapturePanics(t *testing.T) {
	r := Capture(func() {
		Check("", "there is a second").Equal(1, 2)
		panic("index out of range")
	})
	if !r.Failed || len(r.Shown) != 1 {
		t.Errorf("after a failed check: %+v", r)
	}
	defer func() {
		if got := recover(); got != "a mistake" {
			t.Errorf("the caller meets %v", got)
		}
		if recording.Load() != nil {
			t.Error("the recording goes on")
		}
	}()
	Capture(func() { panic("a mistake") })
}

// A recording is shown later as it is, and ends the cell when it is one of a failure.
func TestRecordingIsShown(t *testing.T) {
	k := startKernel(t)
	status, _ := watch(t, func() { Capture(func() { Check("A-1", "one").Equal(1, 1) }).Show() })
	if len(k.shown) != 1 || status != -1 {
		t.Errorf("%d outputs, status %d", len(k.shown), status)
	}
	status, _ = watch(t, func() { Capture(func() { Fail(errors.New("no more")) }).Show() })
	if len(k.shown) != 2 || status != 1 {
		t.Errorf("%d outputs, status %d", len(k.shown), status)
	}
}
