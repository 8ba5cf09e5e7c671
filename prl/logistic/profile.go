package logistic

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// An Interval is a confidence interval of log-odds.
type Interval struct{ Estimate, From, To float64 }

// Probabilities returns the interval as probabilities.
func (i Interval) Probabilities() Interval {
	return Interval{Sigmoid(i.Estimate), Sigmoid(i.From), Sigmoid(i.To)}
}

// Wald returns, for two classes, the interval mu +- q s of the log-odds of class 1 at x, where q is the quantile of the normal distribution
// and s^2 = x^T Covariance x. It is symmetric, as the hill of the likelihood need not be.
//
// Errors: a point of another length or with a number that is not finite; another number of classes than two; a level outside of 0 ... 1.
func (m *Model) Wald(level float64, x ...float64) (Interval, error) {
	const name = "logistic.Model.Wald"
	if err := checkPlace(name, level, x, m.s.D); err != nil {
		return Interval{}, err
	}
	if m.s.Classes != 2 || m.uncertainty() == nil {
		return Interval{}, fault.Argument(name, "the model", fmt.Sprintf("of %d classes", m.s.Classes), "of two classes with a covariance", "")
	}
	mu, variance := m.logOdds(x)
	reach := math.Sqrt2 * math.Erfinv(level) * math.Sqrt(variance)
	return Interval{mu, mu - reach, mu + reach}, nil
}

func checkPlace(name string, level float64, x []float64, d int) error {
	if d == 0 {
		return estimator.Unfitted(name)
	}
	if !(level > 0 && level < 1) {
		return fault.Argument(name, "level", level, "a number between 0 and 1", "0.95 is common")
	}
	if err := estimator.CheckPoint(name, x, d); err != nil {
		return err
	}
	return nil
}

// Profile returns, for two classes, the profile likelihood interval of the log-odds of class 1 at x: all c for which the best coefficients
// with log-odds c at x lose at most half the quantile of the chi-squared distribution with one degree of freedom in log-likelihood,
//
//	2 (max L - max {L : theta x = c}) <= q.
//
// Where x is (0, ..., 1, ..., 0) and there is no intercept it is that of a coefficient. Source: D. Venzon and S. Moolgavkar, A method for
// computing profile-likelihood-based confidence intervals, Applied Statistics 37 (1988).
//
// Errors: those of Fit; a penalty; another number of classes than two; a point of another length; a level outside of 0 ... 1.
func Profile(ctx context.Context, X mat.Matrix, y []int, level float64, x []float64, o Options) (Interval, error) {
	const name = "logistic.Profile"
	var none Interval
	p, err := newProblem(ctx, name, X, y, o)
	if err != nil {
		return none, err
	}
	if err := checkPlace(name, level, x, p.d); err != nil {
		return none, err
	}
	if p.q != 1 || o.L2 > 0 {
		got := fmt.Sprintf("of %d classes with L2 = %g", p.q+1, o.L2)
		return none, fault.Argument(name, "the fit", got, "of two classes without a penalty", "")
	}
	m, err := Fit(ctx, X, y, o)
	if err != nil {
		return none, err
	}
	a := make([]float64, p.p) // the contrast for the columns inside
	first := p.p - p.d
	for j, v := range x {
		a[first+j] = (v - p.centre[j]) / p.scale[j]
	}
	if p.intercept {
		a[0] = 1
	}
	pivot := 0
	for j, v := range a {
		if math.Abs(v) > math.Abs(a[pivot]) {
			pivot = j
		}
	}
	if a[pivot] == 0 {
		return none, fault.Argument(name, "x", fault.Short(x), "a point at which the log-odds depend on the coefficients", "")
	}
	// theta_pivot = (c - sum of the others a_j theta_j) / a_pivot leaves p-1 free coefficients and an offset.
	rest := *p
	rest.x = append([]float64(nil), p.x...)
	unit := make([]float64, p.n) // the offset for c = 1
	for i := range p.n {
		row := rest.x[i*p.width : i*p.width+p.p]
		unit[i] = row[pivot] / a[pivot]
		floats.AddScaled(row, -unit[i], a)
		row[pivot] = row[p.p-1] // the last column moves into the gap
		row[p.p-1] = 0
	}
	rest.p--
	rest.ridge = make([]float64, rest.p)
	rest.offset = make([]float64, p.n)
	start := make([]float64, rest.p)
	o.Progress = nil
	constrained := func(c float64) (float64, error) {
		for i, v := range unit {
			rest.offset[i] = c * v
		}
		if rest.p == 0 {
			return rest.part(nil, 0, p.n, false, nil).value * p.unit, nil
		}
		s, err := rest.ascend(ctx, name, o, start, nil)
		if err != nil {
			return 0, err
		}
		copy(start, s.theta)
		return s.value * p.unit, nil
	}
	mu, variance := m.logOdds(x)
	drop := math.Pow(math.Erfinv(level), 2) // half the quantile
	find := func(sign float64) (float64, error) {
		clear(start)
		lo, hi := 0.0, math.Sqrt(2*drop*variance)
		for range 60 {
			v, err := constrained(mu + sign*hi)
			if err != nil {
				return 0, err
			}
			if m.s.LogLikelihood-v >= drop {
				break
			}
			lo, hi = hi, 2*hi
		}
		for hi-lo > 1e-13*(math.Abs(mu)+hi) {
			middle := lo + (hi-lo)/2
			if middle == lo || middle == hi {
				break
			}
			v, err := constrained(mu + sign*middle)
			if err != nil {
				return 0, err
			}
			if m.s.LogLikelihood-v >= drop {
				hi = middle
			} else {
				lo = middle
			}
		}
		return mu + sign*hi, nil
	}
	out := Interval{Estimate: mu}
	if out.From, err = find(-1); err != nil {
		return none, err
	}
	if out.To, err = find(1); err != nil {
		return none, err
	}
	return out, nil
}
