package sufficient

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// Regression are the joint moments of rows and their numeric targets. The zero value has seen nothing.
type Regression struct{ state state } // of rows with the target behind the features

// Add takes in the rows of X (n x d) with their targets, row i as weights[i] rows; nil weights count each once.
//
// Errors, which leave r as it was: those of Moments.Add; targets that are not finite or not one a row.
func (r *Regression) Add(X mat.Matrix, target, weights []float64) error {
	const function = "sufficient.Regression.Add"
	x, n, err := rowsOf(function, X, weights, max(0, r.state.D-1))
	if err != nil {
		return err
	}
	if len(target) != n {
		return fault.Argument(function, "target", fmt.Sprintf("%d numbers", len(target)), fmt.Sprintf("one for each of the %d rows of X", n), "")
	}
	d := len(x) / n
	joint := make([]float64, 0, n*(d+1))
	for i, v := range target {
		if v-v != 0 {
			return fault.Argument(function, fmt.Sprintf("target[%d]", i), v, "a finite number", "drop the row")
		}
		joint = append(append(joint, x[i*d:(i+1)*d]...), v)
	}
	s := r.state
	if s.D == 0 {
		s = newState(d+1, false)
	}
	if err := s.add(joint, all(n), weights); err != nil {
		return fault.In(function, err)
	}
	r.state = s
	return nil
}

// Merge takes in all that other has seen. It fails on another width.
func (r *Regression) Merge(other *Regression) error {
	if err := sameWidth("sufficient.Regression.Merge", max(0, r.state.D-1), max(0, other.state.D-1)); err != nil {
		return err
	}
	if r.state.D == 0 {
		r.state = other.state.clone()
		return nil
	}
	r.state.merge(&other.state)
	return nil
}

// Dim returns d, 0 before the first rows.
func (r *Regression) Dim() int { return max(0, r.state.D-1) }

// A LinearFit is the line, or plane, b + w^T x through rows with a numeric target.
type LinearFit struct {
	Coefficients []float64 // w, d numbers
	Intercept    float64   // b
	RSS          float64   // the sum of squares that is left, sum of (weight) (y - b - w^T x)^2
	R2           float64   // the share of the sum of squares about the mean that is explained; NaN for a constant target
}

// LeastSquares minimises sum (y - b - w^T x)^2 + ridge w^T w over w and b by the normal equations of the centred columns, each divided by
// its length first. Their solution loses twice the digits that the condition of these columns takes.
//
// Errors: a ridge below zero; columns that are constant or depend on others, with ridge 0; no rows.
func (r *Regression) LeastSquares(ridge float64) (LinearFit, error) {
	const function = "sufficient.Regression.LeastSquares"
	if !(ridge >= 0) || math.IsInf(ridge, 0) {
		return LinearFit{}, fault.Argument(function, "ridge", ridge, "a finite number of at least 0", "0 is least squares")
	}
	s, d := &r.state, r.Dim()
	if s.Weight == 0 {
		return LinearFit{}, fault.Argument(function, "the rows", "none", "more rows than features", "")
	}
	scale := make([]float64, d)
	for j := range scale {
		scale[j] = math.Sqrt(s.square(j, j) + ridge)
		if scale[j] == 0 {
			what := fmt.Sprintf("column %d of X", j)
			return LinearFit{}, fault.Argument(function, what, "constant", "varying", "leave it out, or set ridge above 0")
		}
	}
	A, b := mat.NewSymDense(d, nil), mat.NewVecDense(d, nil)
	for i := range d {
		b.SetVec(i, s.square(i, d)/scale[i])
		for j := i; j < d; j++ {
			v := s.square(i, j) / scale[i] / scale[j]
			if i == j {
				v = 1
			}
			A.SetSym(i, j, v)
		}
	}
	var factor mat.Cholesky
	if !factor.Factorize(A) || factor.Cond() > 1e14 {
		return LinearFit{}, fault.Argument(function, "the columns", "linearly dependent",
			"independent columns in more rows than there are columns", "leave columns out, or set ridge above 0")
	}
	var w mat.VecDense
	if err := factor.SolveVecTo(&w, b); err != nil {
		return LinearFit{}, fmt.Errorf("%s: %w", function, err)
	}
	fit := LinearFit{Coefficients: make([]float64, d), Intercept: s.Mean[d], RSS: s.square(d, d)}
	for i := range d {
		fit.Coefficients[i] = w.AtVec(i) / scale[i]
		fit.Intercept -= fit.Coefficients[i] * s.Mean[i]
	}
	for i, v := range fit.Coefficients {
		fit.RSS -= 2 * v * s.square(i, d)
		for j, u := range fit.Coefficients {
			fit.RSS += v * u * s.square(i, j)
		}
	}
	fit.RSS = max(0, fit.RSS)
	fit.R2 = 1 - fit.RSS/s.square(d, d)
	return fit, nil
}

// String returns a line such as "moments of 442 rows of 10 features and a target".
func (r *Regression) String() string {
	return fmt.Sprintf("moments of %d rows of %d features and a target", r.state.Rows, r.Dim())
}

// MarshalBinary encodes the moments.
func (r *Regression) MarshalBinary() ([]byte, error) {
	return estimator.Encode("sufficient.Regression", 1, r.state)
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (r *Regression) UnmarshalBinary(data []byte) error {
	var s state
	if err := estimator.Decode(data, "sufficient.Regression", 1, &s); err != nil {
		return err
	}
	if s.Diagonal || s.D == 1 || s.damaged() {
		return damage("sufficient.Regression")
	}
	r.state = s
	return nil
}
