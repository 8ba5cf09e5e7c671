package svm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/kernel"
	"github.com/prlab/prlab/prl/plan"
)

// OneClassOptions are the settings of FitOneClass. A field that is zero stands for its default.
type OneClassOptions struct {
	Kernel kernel.Kernel // nil, the default, is kernel.RBF with gamma = 1/(d v), v the variance of all numbers of X
	Nu     float64       // share of the weight of the rows that may lie outside, above 0 and at most 1; default 0.1

	Weights []float64 // one weight for each row, >= 0; nil means all 1; a row of weight 0 is left out

	Tol        float64 // stop when the worst pair violates the KKT conditions by no more than this times the size of f; default 1e-6
	MaxIter    int     // limit on SMO steps; default 10,000,000
	CacheBytes int     // limit on stored kernel rows and their lists; default 200 MB; two rows are always stored; float32 beyond 1000 points
	NoShrink   bool    // keep all points in play; shrinking changes the speed only

	Progress estimator.ProgressFunc // called now and then, and at the end, with the dual objective
}

// filled returns o with defaults in the place of zeros.
func (o OneClassOptions) filled() OneClassOptions {
	o.Nu, o.Tol = cmp.Or(o.Nu, 0.1), cmp.Or(o.Tol, 1e-6)
	o.MaxIter, o.CacheBytes = cmp.Or(o.MaxIter, 10_000_000), cmp.Or(o.CacheBytes, 200<<20)
	return o
}

func (o *OneClassOptions) check(fn string) error {
	if o.Kernel != nil {
		if err := kernel.Check(fn, o.Kernel); err != nil {
			return err
		}
	}
	if !(o.Nu > 0 && o.Nu <= 1) {
		return fault.Argument(fn, "Nu", o.Nu, "a share above 0 and at most 1", "the default is 0.1")
	}
	return checkSolver(fn, o.Tol, o.MaxIter, o.CacheBytes)
}

// A OneClass knows the region in which the rows of its fit lie. It is immutable and safe for concurrent use.
type OneClass struct {
	expansion
	nu float64
}

// The classes of OneClass.
const (
	Novel  = plan.Novel  // outside
	Inside = plan.Inside // where the rows of the fit lie
)

// FitOneClass separates the rows of X (n x d) from the origin of feature space by the hyperplane that is farthest from it, but for a share
// nu that may lie outside:
//
//	minimise  1/2 |w|^2 - rho nu sum_i w_i + sum_i w_i max(0, rho - <w, phi(x_i)>)
//
// with w_i the weight of row i. The decision function is f(x) = <w, phi(x)> - rho, at least zero inside; b is -rho. No more than nu of the
// weight lies outside, and no less belongs to support vectors. The scale is that of LIBSVM and scikit-learn: the multipliers sum to
// nu sum w_i, and dividing f by that gives the scale of the paper. With kernel.Precomputed, X is the n x n Gram matrix.
//
// Errors: an *fault.ArgumentError for arguments that cannot be used; an *IterationError, which holds the model reached, when MaxIter was
// too small; and the wrapped error of ctx.
//
// Source: B. Schölkopf, J. Platt, J. Shawe-Taylor, A. Smola and R. Williamson (2001), Estimating the support of a high-dimensional
// distribution, Neural Computation 13.
func FitOneClass(ctx context.Context, X mat.Matrix, o OneClassOptions) (*OneClass, error) {
	const fn = "svm.FitOneClass"
	o = o.filled()
	dense, err := checkRows(fn, X, o.Kernel, o.Weights)
	if err != nil {
		return nil, err
	}
	if err := o.check(fn); err != nil {
		return nil, err
	}
	n, _ := dense.Dims()
	rows, weights := present(n, o.Weights, 1)
	if o.Kernel == nil {
		if o.Kernel, err = scaled(fn, dense, rows, weights); err != nil {
			return nil, err
		}
	}
	work := &workspace{}
	work.reset(len(rows))
	p := &problem{
		fn: fn, work: work, bias: true, relative: true, tol: o.Tol, maxIter: o.MaxIter, bytes: o.CacheBytes, shrink: !o.NoShrink,
		report: reporter(o.Progress, o.MaxIter), y: work.vector(), lower: work.vector(), upper: weights, start: make([]float64, len(rows)),
	}
	mass := 0.0
	for _, w := range weights {
		mass += o.Nu * w
	}
	left := mass
	for i, w := range weights {
		p.start[i] = min(w, left)
		left -= p.start[i]
	}
	if p.rows, err = kernel.NewRows(o.Kernel, dense, rows, nil); err != nil {
		return nil, fault.In(fn, err)
	}
	if err := vanishing(o.Kernel, dense, rows, p.rows); err != nil {
		return nil, fault.In(fn, err)
	}
	if size := mass * mass * p.largest(); !(size < 1e300) {
		return nil, fault.Argument(fn, "Weights", fmt.Sprintf("such that |w|^2 may reach %.3g", size), "such that it is a number",
			"divide the weights by a number, or standardise the columns")
	}
	s, err := p.solve(ctx)
	var late *IterationError
	if err != nil && !errors.As(err, &late) {
		return nil, fault.In(fn, err)
	}
	e, err := expand(dense, rows, s.beta, o.Kernel, p.certifyOne(s, mass))
	if err != nil {
		return nil, fault.In(fn, err)
	}
	m := &OneClass{expansion: e, nu: o.Nu}
	if late != nil {
		late.OneClass = m
		return nil, late
	}
	return m, nil
}

// scaled returns the Gaussian kernel with gamma = 1/(d v), v the variance of all numbers of the rows; 1 where they are all the same.
func scaled(fn string, X *mat.Dense, rows []int, weights []float64) (kernel.Kernel, error) {
	_, d := X.Dims()
	total, mean, squares := 0.0, 0.0, 0.0
	for k, r := range rows {
		for _, v := range X.RawRowView(r) {
			total += weights[k]
			before := v - mean
			mean += before * (weights[k] / total)
			squares += weights[k] * before * (v - mean)
		}
	}
	if squares-squares != 0 {
		return nil, fault.Argument(fn, "X", "of numbers whose squares are none", "of numbers below 1e150", "standardise the columns")
	}
	gamma := total / (float64(d) * squares)
	if squares == 0 || math.IsInf(gamma, 0) {
		gamma = 1
	}
	k := kernel.RBF{Gamma: gamma}
	return k, kernel.Check(fn, k)
}

// certifyOne returns the certificate and b. Of all rho within the tolerance it takes the one for which free support vectors, which lie on
// the boundary, are inside.
func (p *problem) certifyOne(s *solution, mass float64) (out pair) {
	rho, free, largest := math.Inf(1), 0, 0.0
	for i, beta := range s.beta {
		g := p.y[i] - s.e[i]
		largest = max(largest, math.Abs(g))
		out.Norm2 += beta * g
		if beta > 0 && beta < p.upper[i] {
			rho = min(rho, g)
			free++
		}
	}
	if free == 0 {
		rho = -middle(s.hi, s.lo)
	}
	rho -= 1e-13 * largest // sums in another order
	out.Norm2, out.B = max(0, out.Norm2), -rho
	c := &out.Certificate
	cost, sum := 0.0, 0.0
	for i, beta := range s.beta {
		f := p.y[i] - s.e[i] - rho
		cost += p.upper[i] * max(0, -f)
		sum += beta
		switch {
		case beta == 0:
			c.Violation = max(c.Violation, -f)
		case beta >= p.upper[i]:
			c.Violation = max(c.Violation, f)
			c.Bounded++
		default:
			c.Violation = max(c.Violation, math.Abs(f))
		}
		if beta > 0 {
			c.Support++
		}
	}
	c.Primal, c.Dual = out.Norm2/2-rho*mass+cost, -out.Norm2/2
	c.Gap, c.Pair, c.Balance = c.Primal-c.Dual, s.hi-s.lo, math.Abs(sum-mass)
	c.Iterations, c.Values = s.iterations, s.values
	return out
}

// Nu returns the share that may lie outside.
func (m *OneClass) Nu() float64 { return m.nu }

// Classes returns 2.
func (m *OneClass) Classes() int { return 2 }

// Decision returns the n x 1 values f(x), at least zero inside.
func (m *OneClass) Decision(X mat.Matrix) (*mat.Dense, error) {
	f, err := m.values("svm.OneClass.Decision", X)
	if err != nil {
		return nil, err
	}
	return mat.NewDense(len(f), 1, f), nil
}

// Predict returns Inside or Novel for each row of X (n x d); with a precomputed kernel a row holds the kernel values with the training
// points.
func (m *OneClass) Predict(X mat.Matrix) ([]int, error) {
	f, err := m.values("svm.OneClass.Predict", X)
	if err != nil {
		return nil, err
	}
	out := make([]int, len(f))
	for i, v := range f {
		if v >= 0 {
			out[i] = Inside
		}
	}
	return out, nil
}

// Class returns Inside or Novel for one point, -1 when x has the wrong length or a NaN.
func (m *OneClass) Class(x ...float64) int {
	switch f := m.Value(x...); {
	case f >= 0:
		return Inside
	case f < 0:
		return Novel
	}
	return -1
}

// String returns "one-class svm: RBF(gamma=0.5), nu = 0.1, 12 of 100 rows are support vectors".
func (m *OneClass) String() string {
	f := m.fitted()
	return fmt.Sprintf("one-class svm: %v, nu = %g, %d of %d rows are support vectors", f.state.Kernel, m.nu, len(f.Rows), f.N)
}

// oneClassState is what MarshalBinary stores.
type oneClassState struct {
	Function expansionState
	Nu       float64
}

// MarshalBinary stores the model. A kernel made by kernel.Func cannot be stored.
func (m *OneClass) MarshalBinary() ([]byte, error) {
	return estimator.Encode("svm.OneClass", 1, &oneClassState{m.store(), m.nu})
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (m *OneClass) UnmarshalBinary(data []byte) error {
	var s oneClassState
	if err := estimator.Decode(data, "svm.OneClass", 1, &s); err != nil {
		return err
	}
	e, err := s.Function.restore("svm.OneClass")
	if err != nil {
		return err
	}
	*m = OneClass{e, s.Nu}
	return nil
}
