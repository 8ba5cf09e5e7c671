package optim

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// LMS moves the weights w by Step e x for an example x with target z, where e = z - w.x is the error before. Source: B. Widrow & M.
// Hoff (1960). It returns the error. w is changed in place; w and x have equal lengths.
func LMS(w, x []float64, z, step float64) (e float64) {
	e = z - floats.Dot(w, x)
	floats.AddScaled(w, step*e, x)
	return e
}

// NLMS moves the weights w by lambda e x / |x|^2: with lambda = 1 to the nearest weights that answer this example right. The error
// afterwards is (1 - lambda) e, so lambda lies in (0, 2). An example x = 0 moves nothing. Sources: S. Kaczmarz (1937); J. Nagumo & A.
// Noda (1967). It returns the error before. w is changed in place; w and x have equal lengths.
func NLMS(w, x []float64, z, lambda float64) (e float64) {
	e = z - floats.Dot(w, x)
	if size := floats.Norm(x, 2); size > 0 {
		for i, v := range x { // the square of the size may overflow, or be rounded to 0
			w[i] += lambda * (e / size) * (v / size)
		}
	}
	return e
}

// An RLS keeps the least squares solution of all examples so far, of which the last but k counts Forget^k, plus a ridge. It is not safe
// for concurrent use.
type RLS struct {
	W               []float64     // weights
	P               *mat.SymDense // inverse of the weighted sum of x x', ridge included
	forget, ceiling float64
}

// NewRLS begins recursive least squares for d weights, all 0, with the ridge |w|^2 / p0 and the factor forget in (0, 1].
//
// After n examples the weights minimise sum_k forget^(n-k) (z_k - w.x_k)^2 + forget^n |w|^2 / p0. Source: R. Plackett (1950).
//
// Errors: d < 1, p0 <= 0, forget outside (0, 1].
func NewRLS(d int, forget, p0 float64) (*RLS, error) {
	const op = "optim.NewRLS"
	if d < 1 {
		return nil, fault.Argument(op, "d", d, "a number of weights >= 1", "")
	}
	if !(forget > 0 && forget <= 1) {
		return nil, fault.Argument(op, "forget", forget, "a factor in (0, 1]", "1 forgets nothing")
	}
	if err := positive(op, "p0", p0); err != nil {
		return nil, err
	}
	r := &RLS{W: make([]float64, d), P: mat.NewSymDense(d, nil), forget: forget, ceiling: 1e12 * p0}
	for i := range d {
		r.P.SetSym(i, i, p0)
	}
	return r, nil
}

// Update takes in one example by k = P x / (forget + x'P x), w <- w + k e, P <- (P - k x'P) / forget, and returns the error e before.
//
// Where forget is below 1 and examples do not excite all directions, P grows there without bound (wind-up); where an
// entry would pass 10^12 p0, the example forgets nothing.
//
// Errors: x of another length, numbers that are not finite.
func (r *RLS) Update(x []float64, z float64) (e float64, err error) {
	if len(x) == len(r.W) {
		e = z - floats.Dot(r.W, x)
	}
	return e, r.update("optim.RLS.Update", x, e)
}

// update takes in the innovation e of the regressor c.
func (r *RLS) update(op string, c []float64, e float64) error {
	if len(c) != len(r.W) {
		return fault.Argument(op, "x", fmt.Sprintf("%d numbers", len(c)), fmt.Sprintf("%d", len(r.W)), "")
	}
	if !finite(c) || !finite([]float64{e}) {
		return fault.Argument(op, "example", "NaN or infinity", "finite numbers", "")
	}
	Pc := mat.NewVecDense(len(c), nil)
	Pc.MulVec(r.P, mat.NewVecDense(len(c), c))
	by := r.forget + floats.Dot(c, Pc.RawVector().Data)
	floats.AddScaled(r.W, e/by, Pc.RawVector().Data)
	r.P.SymRankOne(r.P, -1/by, Pc)
	if mat.Max(r.P)/r.forget < r.ceiling {
		r.P.ScaleSym(1/r.forget, r.P)
	}
	return nil
}

// A Kalman is the extended Kalman filter of a state w that stands still, seen through z = h(w, x) + noise. It is incremental Gauss-Newton:
// RLS with the gradient c of h in w in place of x, and with the true error z - h(w, x). Past gradients are not taken again, so
// that one pass differs from Gauss-Newton over all examples unless h is linear. It is not safe for concurrent use.
type Kalman struct{ rls *RLS }

// NewKalman begins at the state w with the variance p0 > 0 of each component, in units of the variance of the noise.
//
// Errors: no state, numbers that are not finite, p0 <= 0.
func NewKalman(w []float64, p0 float64) (*Kalman, error) {
	if len(w) == 0 || !finite(w) {
		return nil, fault.Argument("optim.NewKalman", "w", w, "one or more finite numbers", "")
	}
	r, err := NewRLS(len(w), 1, p0)
	if err != nil {
		return nil, fault.In("optim.NewKalman", err)
	}
	r.W = slices.Clone(w)
	return &Kalman{r}, nil
}

// State returns a copy of the estimate.
func (k *Kalman) State() []float64 { return slices.Clone(k.rls.W) }

// Update takes in a measurement z, where h is expected at the present state and c is the gradient of h there.
//
// Errors: c of another length, numbers that are not finite.
func (k *Kalman) Update(c []float64, h, z float64) error {
	return k.rls.update("optim.Kalman.Update", c, z-h)
}

// MeanSquare returns the next second moments K = E vv' of the errors v of LMS without noise, for a fixed step and independent Gaussian
// inputs of second moments R:
//
//	K - step (RK + KR) + step^2 (2 RKR + R tr(RK))
//
// They converge if and only if step r_max < 1 and the sum of step r_i / 2(1 - step r_i) is below 1, r_i being the eigenvalues of R.
// K and R are d x d. Source: A. Feuer & E. Weinstein (1985).
func MeanSquare(K, R *mat.SymDense, step float64) *mat.SymDense {
	var rk, rkr mat.Dense
	rk.Mul(R, K)
	rkr.Mul(&rk, R)
	d, trace := K.SymmetricDim(), mat.Trace(&rk)
	next := mat.NewSymDense(d, nil)
	for i := range d {
		for j := i; j < d; j++ {
			next.SetSym(i, j, K.At(i, j)-step*(rk.At(i, j)+rk.At(j, i))+step*step*(2*rkr.At(i, j)+R.At(i, j)*trace))
		}
	}
	return next
}

// MeanSquareLimit returns the step below which MeanSquare converges, for the eigenvalues r > 0 of R: where the sum of step r_i / 2(1 - step
// r_i) is 1. For one weight it is 2/3r; in the mean LMS converges up to 2/r_max. It is NaN for no eigenvalues, and where one is not
// positive and finite.
func MeanSquareLimit(r []float64) float64 {
	if len(r) == 0 || slices.ContainsFunc(r, func(v float64) bool { return !(v > 0 && v <= math.MaxFloat64) }) {
		return math.NaN()
	}
	lo, hi := 0.0, 1/slices.Max(r)
	for range 100 {
		step, sum := (lo+hi)/2, 0.0
		for _, v := range r {
			sum += step * v / 2 / (1 - step*v)
		}
		if sum < 1 && !math.IsInf(sum, 0) {
			lo = step
		} else {
			hi = step
		}
	}
	return lo
}
