package learn

import (
	"context"
	"errors"
	"fmt"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// A Plan asks the finite-space questions of PAC learning step by step: PlanPAC().Epsilon(0.1).Delta(0.05).Hypotheses(960).SampleSize(). Its
// model is the size of the hypothesis space. Without Agnostic the target is in the space and the learner consistent.
//
//plan:step epsilon Epsilon // the tolerated true error (0 < epsilon < 1; default 0.1), or with Agnostic the tolerated deviation
//plan:step delta Delta(delta float64) // sets the tolerated probability of failure (0 < delta < 1; default 0.05)
//plan:step examples Examples(n int) // sets the number n of training examples, for Bound and Deviation
//plan:step agnostic Agnostic // drops the assumption that the target is in the space: training errors are allowed, and the question is
//plan:text how far training and true error lie apart (Hoeffding and the union bound)
//plan:without Fit Keep
type Plan struct {
	plan.Plan[Finite, settings]
}

// settings are what the steps of a plan set.
type settings struct {
	space          Finite
	sized          bool
	epsilon, delta float64
	examples       int
	agnostic       bool
}

func (o settings) check(step string) error {
	err := firstOf(checkEpsilon(step, o.epsilon), checkDelta(step, o.delta))
	if err == nil && o.sized {
		err = o.space.check(step)
	}
	if err == nil && step == "Examples" {
		err = checkExamples(step, o.examples)
	}
	return err
}

// PlanPAC begins a plan with epsilon = 0.1 and delta = 0.05.
func PlanPAC() Plan {
	return Plan{plan.New(plan.Spec[Finite, settings]{
		Name: "PAC", Options: settings{epsilon: 0.1, delta: 0.05}, Needs: plan.Nothing,
		Check: func(step string, o settings) error { return o.check(step) },
		Fit: func(_ context.Context, _ datasets.Set, o settings) (Finite, error) {
			if !o.sized {
				const lack = "the size of the hypothesis space is not set; set it with .Hypotheses(960) or .ConjunctionsOf(3, 10)"
				return Finite{}, errors.New(lack)
			}
			return o.space, nil
		},
	})}
}

// Hypotheses sets |H|, at least 1.
func (p Plan) Hypotheses(size float64) Plan { return p.of("Hypotheses", FiniteOf(size), nil, size) }

// Conjunctions sets the 3^n conjunctions of literals over n Boolean variables.
func (p Plan) Conjunctions(n int) Plan {
	h, err := Conjunctions(n, false)
	return p.of("Conjunctions", h, err, n)
}

// ConjunctionsOf sets the C(n, k) 2^k conjunctions of k literals over n Boolean variables.
func (p Plan) ConjunctionsOf(k, n int) Plan {
	h, err := ConjunctionsOf(k, n)
	return p.of("ConjunctionsOf", h, err, k, n)
}

// In sets the space to one that is held in full.
func (p Plan) In(s *Space) Plan {
	if s == nil {
		return plan.Broken(p, "In", fault.Argument("", "space", "nil", "a hypothesis space", ""), s)
	}
	return p.of("In", s.Finite(), nil, s)
}

func (p Plan) of(step string, h Finite, err error, args ...any) Plan {
	if err != nil {
		return plan.Broken(p, step, err, args...)
	}
	return plan.With(p, step, func(o *settings) { o.space, o.sized = h, true }, args...)
}

// SampleSize returns the smallest number of examples at which the bound is at most delta: |H| exp(-epsilon n) <= delta, or with Agnostic
// 2|H| exp(-2 n epsilon^2) <= delta.
func (p Plan) SampleSize() int {
	return plan.Value(p, "SampleSize", func(h Finite) (int, error) { return plan.Options(p).size(h) })
}

func (o settings) size(h Finite) (int, error) {
	if o.agnostic {
		return h.UniformSampleSize(o.epsilon, o.delta)
	}
	return h.ConsistentSampleSize(o.epsilon, o.delta)
}

// after ends the chain with a number that follows from n examples, which Examples has to have set.
func (p Plan) after(step string, f func(o settings, h Finite, n int) (float64, error)) float64 {
	return plan.Value(p, step, func(h Finite) (float64, error) {
		o := plan.Options(p)
		if o.examples == 0 {
			return 0, errors.New("the number of examples is not set; set it with .Examples(528)")
		}
		return f(o, h, o.examples)
	})
}

// Bound returns the bound on the probability of failure with n examples (see Examples): |H| exp(-epsilon n), or with Agnostic
// 2|H| exp(-2 n epsilon^2). It is not cut at 1.
func (p Plan) Bound() float64 { return p.after("Bound", settings.bound) }

func (o settings) bound(h Finite, n int) (float64, error) {
	if o.agnostic {
		return h.UniformBound(n, o.epsilon)
	}
	_, b, err := h.ConsistentBound(n, o.epsilon)
	return b, err
}

// Deviation returns the error that n examples guarantee with probability 1 - delta: (log|H| - log delta)/n for a consistent learner, and
// with Agnostic sqrt((log(2|H|) - log delta)/(2n)).
func (p Plan) Deviation() float64 { return p.after("Deviation", settings.deviation) }

func (o settings) deviation(h Finite, n int) (float64, error) {
	if o.agnostic {
		return h.Deviation(n, o.delta)
	}
	return h.ConsistentError(n, o.delta)
}

// Table lists parameters and diagnostics: the settings and what follows from them.
func (p Plan) Table() cell.Table {
	return plan.Table(p, "Table", func(h Finite) (t cell.Table, err error) {
		o := plan.Options(p)
		n, err := o.size(h)
		if err != nil {
			return t, err
		}
		formula := "|H| exp(−εn) ≤ δ"
		if o.agnostic {
			formula = "2|H| exp(−2nε²) ≤ δ"
		}
		t = cell.NewTable("quantity", "value").Title("Enough examples: "+formula).
			Row("error ε", o.epsilon).Row("failure probability δ", o.delta).Row("hypotheses |H|", h.Size()).Row("log |H|", h.LogSize).
			Row("examples that suffice", n)
		shown := n
		if o.examples > 0 {
			shown = o.examples
		}
		b, err := o.bound(h, shown)
		if err != nil {
			return t, err
		}
		d, err := o.deviation(h, shown)
		if err != nil {
			return t, err
		}
		t = t.Row(fmt.Sprintf("bound at n = %d", shown), b).Row(fmt.Sprintf("guaranteed error at n = %d", shown), d)
		if shown > 1 && shown == n {
			if b, err := o.bound(h, n-1); err == nil {
				t = t.Row(fmt.Sprintf("bound at n = %d", n-1), b)
			}
		}
		return t, nil
	})
}

// Show shows the picture or table that says most: the table.
func (p Plan) Show() { p.Table().Show() }
