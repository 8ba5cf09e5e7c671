package plan_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// A counter is a small family: its model is the number of rows and a shift.
type options struct {
	Shift float64
	Bad   bool
}

type counter struct{ plan.Plan[int, options] }

var fits int

func newCounter() counter {
	return counter{plan.New(plan.Spec[int, options]{
		Name: "Counter", Needs: plan.Rows, Options: options{Shift: 1},
		Check: func(step string, o options) error {
			if o.Shift < 0 {
				return fault.Argument(step, "shift", o.Shift, "at least 0", "")
			}
			return nil
		},
		CheckData: func(step string, set datasets.Set, o options) error {
			if int(o.Shift) > set.N() {
				return fault.Argument(step, "shift", o.Shift, "at most the number of rows", "")
			}
			return nil
		},
		Fit: func(_ context.Context, set datasets.Set, o options) (int, error) {
			fits++
			if o.Bad {
				return 0, errors.New("it cannot be fitted")
			}
			return set.N() + int(o.Shift), nil
		},
	})}
}

func (p counter) Shift(v float64) counter {
	return plan.With(p, "Shift", func(o *options) { o.Shift = v }, v)
}

func (p counter) Bad() counter                   { return plan.With(p, "Bad", func(o *options) { o.Bad = true }) }
func (p counter) Fit(set datasets.Set) counter   { return plan.Fit(p, set) }
func (p counter) Keep() counter                  { return plan.Keep(p) }
func (p counter) Spoil(err error, n int) counter { return plan.Broken(p, "Spoil", err, n) }
func (p counter) Twice() (int, error) {
	return plan.Once(p, "twice", func() (int, error) { fits++; return 2 * p.Model(), nil })
}

func (p counter) Fails(err error) (string, error) {
	return plan.Try(p, "Fails", func(int) (string, error) { return "", err }, 3)
}

func TestPlan(t *testing.T) {
	iris := datasets.Iris()
	fits = 0
	p := newCounter().Shift(2).Fit(iris)
	if fits != 0 {
		t.Error("a plan was fitted before anybody asked")
	}
	p.Model()
	if p.Model() != 152 || fits != 1 {
		t.Errorf("model %d after %d fits, want 152 after one", p.Model(), fits)
	}
	if q := p.Shift(3); q.Model() != 153 || p.Model() != 152 || fits != 2 {
		t.Errorf("settings after the data: %d, and the first plan %d, after %d fits", q.Model(), p.Model(), fits)
	}
	if got := p.String(); got != "Counter().Shift(2).Fit(iris)" {
		t.Error(got)
	}
	for range 2 {
		if v, err := p.Twice(); v != 304 || err != nil || fits != 3 {
			t.Errorf("once: %d, %v after %d computations", v, err, fits)
		}
	}
}

// Every error names the step that caused it, and the first one counts.
func TestErrors(t *testing.T) {
	iris := datasets.Iris()
	broken := iris.Features("nose")
	for _, c := range []struct {
		plan counter
		step string
		text string
	}{
		{newCounter(), "Counter()", "Counter: the chain is without data; append .Fit(set)"},
		{newCounter().Shift(-1).Shift(1).Fit(iris), "Shift(-1)", "Shift: shift is -1, but needs to be at least 0"},
		{newCounter().Shift(200).Fit(iris), "Fit(iris)", "Fit: shift is 200, but needs to be at most the number of rows"},
		{newCounter().Fit(iris).Shift(200), "Shift(200)", "Shift: shift is 200, but needs to be at most the number of rows"},
		{newCounter().Bad().Fit(iris), "Fit(iris)", "Fit: it cannot be fitted"},
		{newCounter().Fit(broken), `Features("nose")`, broken.Err().Error()},
		{newCounter().Spoil(errors.New("no"), 7).Fit(iris), "Spoil(7)", "Spoil: no"},
		{counter{}, "()", "the plan was not begun; begin it with its constructor, such as prl.Tree()"},
		{counter{}.Fit(iris), "()", "the plan was not begun; begin it with its constructor, such as prl.Tree()"},
	} {
		var step *fault.StepError
		if err := c.plan.Err(); !errors.As(err, &step) || err.Error() != c.text || step.Step != c.step {
			t.Errorf("%v\ngot  %v at %+v\nwant %s at %s", c.plan, err, step, c.text, c.step)
		}
		if v, err := c.plan.Fails(nil); v != "" || err == nil || err.Error() != c.text {
			t.Errorf("an end of %v: %v", c.plan, err)
		}
	}
	_, err := newCounter().Fit(iris).Fails(errors.New("too late"))
	if err == nil || err.Error() != "Fails: too late" {
		t.Error(err)
	}
}

// A kept plan is fitted once for all plans of the same settings and data, and again for others.
func TestKeep(t *testing.T) {
	t.Setenv("PRL_CACHE", t.TempDir())
	iris := datasets.Iris()
	fits = 0
	for range 3 {
		if m := newCounter().Fit(iris).Keep().Model(); m != 151 {
			t.Error(m)
		}
	}
	if fits != 1 {
		t.Errorf("%d fits of a kept plan", fits)
	}
	if m := newCounter().Keep().Shift(5).Fit(iris).Model(); m != 155 || fits != 2 {
		t.Errorf("%d after %d fits", m, fits)
	}
	if m := newCounter().Keep().Fit(iris.Classes("setosa")).Model(); m != 51 || fits != 3 {
		t.Errorf("%d after %d fits", m, fits)
	}
}

// Plans of equal settings and data have one fingerprint, whether or not they have been fitted.
func TestFingerprint(t *testing.T) {
	iris := datasets.Iris()
	a, b := newCounter().Fit(iris), newCounter().Fit(datasets.Iris())
	a.Model()
	if cell.NewKey("", a) != cell.NewKey("", b) {
		t.Error("a fit changed the fingerprint")
	}
	others := []any{newCounter(), newCounter().Fit(iris).Shift(2), newCounter().Fit(iris.Classes("setosa"))}
	for i, other := range others {
		if cell.NewKey("", a) == cell.NewKey("", other) ||
			slices.ContainsFunc(others[:i], func(o any) bool { return cell.NewKey("", o) == cell.NewKey("", other) }) {
			t.Errorf("plan %d has the fingerprint of another", i)
		}
	}
}
