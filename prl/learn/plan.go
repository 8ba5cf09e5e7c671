package learn

import (
	"fmt"
	"math"

	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/fault"
)

// A Plan asks the finite-space questions of PAC learning in a cell: learn.New().Epsilon(0.1).Delta(0.05).Hypotheses(960).SampleSize(). It is
// immutable; every step returns a new plan. Without Agnostic the target is in the space and the learner consistent.
type Plan struct {
	fault.Chain
	space          Finite
	sized          bool
	epsilon, delta float64
	examples       int
	agnostic       bool
}

// New begins a plan with epsilon = 0.1 and delta = 0.05.
func New() Plan { return Plan{Chain: fault.Start("PAC"), epsilon: 0.1, delta: 0.05} }

// Epsilon sets the tolerated true error (0 < epsilon < 1; default 0.1), or with Agnostic the tolerated deviation.
func (p Plan) Epsilon(epsilon float64) Plan {
	p.Chain = p.Step("Epsilon", epsilon).Break(checkEpsilon("learn.PAC", epsilon))
	p.epsilon = epsilon
	return p
}

// Delta sets the tolerated probability of failure (0 < delta < 1; default 0.05).
func (p Plan) Delta(delta float64) Plan {
	p.Chain = p.Step("Delta", delta).Break(checkDelta("learn.PAC", delta))
	p.delta = delta
	return p
}

// Hypotheses sets |H|, at least 1.
func (p Plan) Hypotheses(size float64) Plan {
	p.Chain = p.Step("Hypotheses", size)
	return p.of(FiniteOf(size), FiniteOf(size).check("learn.PAC"))
}

// LogHypotheses sets the natural logarithm of |H|, for spaces too large to count.
func (p Plan) LogHypotheses(logSize float64) Plan {
	p.Chain = p.Step("LogHypotheses", logSize)
	return p.of(Finite{logSize}, Finite{logSize}.check("learn.PAC"))
}

// Conjunctions sets the 3^n conjunctions of literals over n Boolean variables.
func (p Plan) Conjunctions(n int) Plan {
	p.Chain = p.Step("Conjunctions", n)
	return p.of(Conjunctions(n, false))
}

// ConjunctionsOf sets the C(n, k) 2^k conjunctions of k literals over n Boolean variables.
func (p Plan) ConjunctionsOf(k, n int) Plan {
	p.Chain = p.Step("ConjunctionsOf", k, n)
	return p.of(ConjunctionsOf(k, n))
}

// In sets the space to one that is held in full.
func (p Plan) In(s *Space) Plan {
	p.Chain = p.Step("In", s)
	if s == nil {
		return p.of(Finite{}, fault.Argument("learn.PAC", "space", "nil", "a hypothesis space", ""))
	}
	return p.of(s.Finite(), nil)
}

func (p Plan) of(h Finite, err error) Plan {
	p.Chain = p.Break(err)
	p.space, p.sized = h, true
	return p
}

// Examples sets the number n of training examples, for Bound, ErrorBound and Deviation.
func (p Plan) Examples(n int) Plan {
	p.Chain = p.Step("Examples", n).Break(checkExamples("learn.PAC", n))
	p.examples = n
	return p
}

// Agnostic drops the assumption that the target is in the space: training errors are allowed, and the question is how far training and true error
// lie apart (Hoeffding and the union bound).
func (p Plan) Agnostic() Plan {
	p.Chain = p.Step("Agnostic")
	p.agnostic = true
	return p
}

// ready returns p with an error when a setting that the end needs is missing.
func (p Plan) ready(end string, examples bool) Plan {
	if p.Err() != nil {
		return p
	}
	p.Chain = p.Step(end)
	switch {
	case !p.sized:
		p.Chain = p.Break(fmt.Errorf("the size of the hypothesis space is not set; set it with .Hypotheses(960) or .ConjunctionsOf(3, 10)"))
	case examples && p.examples == 0:
		p.Chain = p.Break(fmt.Errorf("the number of examples is not set; set it with .Examples(528)"))
	}
	return p
}

// value ends a chain with a number.
func value[T any](p Plan, f func() (T, error)) T {
	if p.Err() == nil {
		v, err := f()
		if err == nil {
			return v
		}
		p.Chain = p.Break(err)
	}
	cell.Fail(p.Err())
	var zero T
	return zero
}

// SampleSize returns the smallest number of examples at which the bound is at most delta: |H| exp(-epsilon n) <= delta, or with Agnostic
// 2|H| exp(-2 n epsilon^2) <= delta.
func (p Plan) SampleSize() int {
	return value(p.ready("SampleSize", false), func() (int, error) { return p.size(p.space) })
}

func (p Plan) size(h Finite) (int, error) {
	if p.agnostic {
		return h.UniformSampleSize(p.epsilon, p.delta)
	}
	return h.ConsistentSampleSize(p.epsilon, p.delta)
}

// Threshold returns the sample size before it is rounded up.
func (p Plan) Threshold() float64 {
	return value(p.ready("Threshold", false), func() (float64, error) {
		if p.agnostic {
			return p.space.UniformThreshold(p.epsilon, p.delta)
		}
		return p.space.ConsistentThreshold(p.epsilon, p.delta)
	})
}

// Bound returns the bound on the probability of failure with n examples (see Examples): |H| exp(-epsilon n), or with Agnostic
// 2|H| exp(-2 n epsilon^2). It is not cut at 1.
func (p Plan) Bound() float64 {
	return value(p.ready("Bound", true), func() (float64, error) { return p.bound(p.examples) })
}

func (p Plan) bound(n int) (float64, error) {
	if p.agnostic {
		return p.space.UniformBound(n, p.epsilon)
	}
	_, b, err := p.space.ConsistentBound(n, p.epsilon)
	return b, err
}

// PowerBound returns |H| (1-epsilon)^n, the sharper bound of the consistent case.
func (p Plan) PowerBound() float64 {
	return value(p.ready("PowerBound", true), func() (float64, error) {
		if p.agnostic {
			return 0, fmt.Errorf("the bound |H| (1-epsilon)^n holds for consistent learners; leave .Agnostic() out")
		}
		b, _, err := p.space.ConsistentBound(p.examples, p.epsilon)
		return b, err
	})
}

// Deviation returns the error that n examples guarantee with probability 1 - delta: (log|H| - log delta)/n for a consistent learner, and with
// Agnostic sqrt((log(2|H|) - log delta)/(2n)).
func (p Plan) Deviation() float64 {
	return value(p.ready("Deviation", true), func() (float64, error) { return p.deviation(p.space, p.examples) })
}

func (p Plan) deviation(h Finite, n int) (float64, error) {
	if p.agnostic {
		return h.Deviation(n, p.delta)
	}
	return h.ConsistentError(n, p.delta)
}

// ErrorBound returns training error + Deviation, which the true error does not exceed with probability 1 - delta.
func (p Plan) ErrorBound(trainingError float64) float64 {
	return value(p.ready("ErrorBound", true), func() (float64, error) {
		if err := checkProbability("learn.PAC", "the training error", trainingError); err != nil {
			return 0, err
		}
		if !p.agnostic && trainingError > 0 {
			return 0, fmt.Errorf("a training error of %v, but a consistent learner has none; say .Agnostic()", trainingError)
		}
		d, err := p.deviation(p.space, p.examples)
		return trainingError + d, err
	})
}

// Finite returns the size of the hypothesis space.
func (p Plan) Finite() Finite {
	return value(p.ready("Finite", false), func() (Finite, error) { return p.space, nil })
}

// Table returns the settings and what follows from them.
func (p Plan) Table() cell.Table {
	q := p.ready("Table", false)
	if q.Err() != nil {
		return cell.BrokenTable(q.Err())
	}
	n, err := p.size(p.space)
	if err != nil {
		return cell.BrokenTable(q.Break(err).Err())
	}
	formula := "|H| exp(−εn) ≤ δ"
	if p.agnostic {
		formula = "2|H| exp(−2nε²) ≤ δ"
	}
	t := cell.NewTable("quantity", "value").Title("Enough examples: "+formula).
		Row("error ε", p.epsilon).Row("failure probability δ", p.delta).Row("hypotheses |H|", p.space.Size()).Row("log |H|", p.space.LogSize).
		Row("examples that suffice", n)
	shown := n
	if p.examples > 0 {
		shown = p.examples
	}
	b, err := p.bound(shown)
	if err != nil {
		return cell.BrokenTable(q.Break(err).Err())
	}
	d, err := p.deviation(p.space, shown)
	if err != nil {
		return cell.BrokenTable(q.Break(err).Err())
	}
	t = t.Row(fmt.Sprintf("bound at n = %d", shown), b).Row(fmt.Sprintf("guaranteed error at n = %d", shown), d)
	if shown > 1 && shown == n {
		if b, err := p.bound(n - 1); err == nil {
			t = t.Row(fmt.Sprintf("bound at n = %d", n-1), b)
		}
	}
	return t
}

// Show displays the table.
func (p Plan) Show() { p.Table().Show() }

// horizon is the largest n worth drawing: a little beyond what suffices.
func (p Plan) horizon() (int, error) {
	n, err := p.size(p.space)
	if err != nil {
		return 0, err
	}
	if n > 1<<40 {
		return 0, fmt.Errorf("%d examples suffice, which is too many to draw; enlarge epsilon", n)
	}
	return max(int(math.Ceil(1.4*float64(max(n, p.examples)))), 10), nil
}
