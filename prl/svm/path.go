package svm

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// FitPath fits one machine for each price of slack in prices, in their order, each from the solution of the one before; o.C is not used.
// The optimum does not depend on the start, so that the machines are those of Fit up to Options.Tol: a solution whose multipliers are
// stretched with C, or left as they are where that is better, is close to the next one. That saves steps where there is a bias, most of
// them where nearly all support vectors are bounded and few where most are free; without a bias it saves none. Where no support vector is
// free, the bias may come to lie elsewhere in its interval.
//
// With an *IterationError the path ends: its Model is the machine reached, and its price is the first that was not solved. A hard margin
// has no price and is refused. Source: D. DeCoste and K. Wagstaff, Alpha seeding for support vector machines, KDD 2000.
func FitPath(ctx context.Context, X mat.Matrix, y []int, prices []float64, o Options) ([]*Model, error) {
	const fn = "svm.FitPath"
	if len(prices) == 0 {
		return nil, fault.Argument(fn, "prices", "empty", "at least one price C", "")
	}
	for i, c := range prices {
		if err := estimator.CheckPositive(fn, fmt.Sprintf("prices[%d]", i), c, 1); err != nil {
			return nil, err
		}
	}
	if o.Slack == HardMargin {
		return nil, fault.Argument(fn, "Slack", "a hard margin", "linear or quadratic: a hard margin has no price", "use Fit")
	}
	if err := o.needsPrice(fn); err != nil {
		return nil, err
	}
	work := workspace{path: map[[2]int]*seed{}}
	models := make([]*Model, 0, len(prices))
	for _, c := range prices {
		o.C = c
		m, err := fitIn(ctx, X, y, o, &work)
		var late *IterationError
		var argument *fault.ArgumentError
		switch {
		case err == nil:
		case errors.As(err, &late):
			late.Func = fn
			return nil, late
		case errors.As(err, &argument):
			return nil, fault.In(fn, err)
		default:
			return nil, fmt.Errorf("%s: C = %g: %w", fn, c, err)
		}
		models = append(models, m)
	}
	return models, nil
}

// A seed is the solution of a pair of classes for the last price.
type seed struct {
	beta, e, ridge []float64
	upper, lower   []float64
}

// sow keeps a solution of the problem for the next price.
func (p *problem) sow(s *solution, old *seed) {
	keep := func(to *[]float64, from []float64) { *to = append((*to)[:0], from...) }
	keep(&old.beta, s.beta)
	keep(&old.e, s.e)
	keep(&old.upper, p.upper)
	keep(&old.lower, p.lower)
	keep(&old.ridge, p.ridge)
}

// begin puts the last solution, stretched or as it was, where the problem starts from: multipliers and gradient. At a bound a multiplier
// stays there.
func (p *problem) begin(old *seed) {
	if len(old.beta) != len(p.y) {
		return
	}
	best := 0.0 // the dual objective at zero
	for _, stretched := range []bool{false, true} {
		if beta, e, dual, ok := p.moved(old, stretched); ok && dual > best {
			p.start, p.gradient, best = beta, e, dual
		}
	}
}

// moved returns the last solution for the prices of the problem: its multipliers, their gradient, and the dual objective.
func (p *problem) moved(old *seed, stretched bool) (beta, e []float64, dual float64, ok bool) {
	beta, e = slices.Clone(old.beta), slices.Clone(old.e)
	for i := range beta {
		ratio := 1.0
		switch {
		case stretched && p.ridge != nil:
			ratio = old.ridge[i] / p.ridge[i]
		case stretched:
			ratio = (p.upper[i] - p.lower[i]) / (old.upper[i] - old.lower[i])
		}
		w := p.y[i] - old.e[i] // (K + ridge) beta
		if p.ridge != nil {
			w -= old.ridge[i] * beta[i]
		}
		beta[i] *= ratio
		switch { // exactly at the bound, and not a rounding error beside it
		case stretched && p.ridge == nil && old.beta[i] == old.upper[i]:
			beta[i] = p.upper[i]
		case stretched && p.ridge == nil && old.beta[i] == old.lower[i]:
			beta[i] = p.lower[i]
		case beta[i] > p.upper[i] || beta[i] < p.lower[i]:
			return nil, nil, 0, false
		}
		e[i] = p.y[i] - ratio*w
		if p.ridge != nil {
			e[i] -= p.ridge[i] * beta[i]
		}
		dual += beta[i] * (p.y[i] + e[i]) / 2
	}
	return beta, e, dual, true
}
