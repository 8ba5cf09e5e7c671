package svm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/kernel"
)

// RegressionOptions says what FitRegression minimises, and how. A field that is zero stands for its default.
type RegressionOptions struct {
	Kernel kernel.Kernel // default kernel.Linear{}
	C      float64       // price of errors beyond the tube, > 0; default 1

	// half the width of the tube in which errors cost nothing, in the unit of the target, >= 0; default 0.1; estimator.None stands for 0
	Epsilon float64
	// share of the weight of the rows that may lie outside the tube, above 0 and at most 1: a bound from above on the share of rows outside
	// and from below on that of support vectors. It takes the place of Epsilon, which the fit then finds; 0, the default, leaves it to Epsilon
	Nu float64

	Weights []float64 // one factor on C for each row, >= 0; nil means all 1; a row of weight 0 is left out

	// stop when the worst pair violates the KKT conditions by no more than this, in standard deviations of the target; default 1e-6
	Tol     float64
	MaxIter int // limit on SMO steps; 0, the default, means 10,000,000 with Nu, else 1,000,000 or 200 n, which is more
	// limit on stored kernel rows and their lists; default 200 MB; two rows are always stored; float32 beyond 1000 points (500 with Nu)
	CacheBytes int
	NoShrink   bool // keep all points in play; shrinking changes the speed only

	Progress estimator.ProgressFunc // called now and then, and at the end, with the dual objective
}

// filled returns o with defaults in the place of zeros.
func (o RegressionOptions) filled() RegressionOptions {
	if o.Kernel == nil {
		o.Kernel = kernel.Linear{}
	}
	estimator.Or(&o.Epsilon, 0.1)
	o.C, o.Tol, o.CacheBytes = cmp.Or(o.C, 1), cmp.Or(o.Tol, 1e-6), cmp.Or(o.CacheBytes, 200<<20)
	return o
}

func (o *RegressionOptions) check(fn string) error {
	if err := kernel.Check(fn, o.Kernel); err != nil {
		return err
	}
	if err := estimator.CheckPositive(fn, "C", o.C, 1); err != nil {
		return err
	}
	if !(o.Epsilon >= 0) || math.IsInf(o.Epsilon, 0) {
		return fault.Argument(fn, "Epsilon", o.Epsilon, "a finite number, at least 0", "the default is 0.1")
	}
	if !(o.Nu >= 0 && o.Nu <= 1) {
		return fault.Argument(fn, "Nu", o.Nu, "a share above 0 and at most 1", "0 leaves it to Epsilon")
	}
	return checkSolver(fn, o.Tol, cmp.Or(o.MaxIter, 1), o.CacheBytes)
}

// A Regressor is a fitted support vector regression. It is immutable and safe for concurrent use.
type Regressor struct {
	expansion
	settings regressorSettings
}

// regressorSettings is what a Regressor remembers of its options; Epsilon is the one found where Nu is set.
type regressorSettings struct{ C, Epsilon, Nu float64 }

// FitRegression fits f(x) = <w, phi(x)> + b to targets t of the rows of X (n x d), of which errors within a tube of half width epsilon cost
// nothing:
//
//	epsilon  1/2 |w|^2 + sum_i C_i max(0, |t_i - f(x_i)| - epsilon)
//	nu       1/2 |w|^2 + sum_i C_i (nu epsilon + max(0, |t_i - f(x_i)| - epsilon)), over epsilon >= 0 too
//
// by the dual over beta_i = alpha_i - alpha_i* in [-C_i, C_i] with sum beta_i = 0. With kernel.Precomputed, X is the n x n Gram matrix. The
// result is exact up to RegressionOptions.Tol: see Certificate, where a free support vector has |t - f| = epsilon, a bounded one at least
// that, and the other rows at most that.
//
// Errors: an *fault.ArgumentError for arguments that cannot be used; an *IterationError, which holds the model reached, when MaxIter was
// too small; and the wrapped error of ctx.
//
// Sources: V. Vapnik (1995), The Nature of Statistical Learning Theory; B. Schölkopf, A. Smola, R. Williamson and P. Bartlett (2000), New
// support vector algorithms, Neural Computation 12; C.-C. Chang and C.-J. Lin (2002), Training nu-support vector regression.
func FitRegression(ctx context.Context, X mat.Matrix, target []float64, o RegressionOptions) (*Regressor, error) {
	const fn = "svm.FitRegression"
	o = o.filled()
	dense, err := checkRows(fn, X, o.Kernel, o.Weights)
	if err != nil {
		return nil, err
	}
	n, _ := dense.Dims()
	if err := checkTarget(fn, target, n); err != nil {
		return nil, err
	}
	if err := o.check(fn); err != nil {
		return nil, err
	}
	rows, prices := present(n, o.Weights, o.C)
	y, mean, spread := about(target, rows, prices)
	limit := o.MaxIter
	if o.MaxIter = cmp.Or(limit, max(1_000_000, 200*n)); o.Nu > 0 {
		o.MaxIter = cmp.Or(limit, 10_000_000)
	}
	p, origin, err := tubeProblem(fn, dense, rows, y, prices, &o)
	if err != nil {
		return nil, fault.In(fn, err)
	}
	p.tol = o.Tol * spread
	if mass := floats.Sum(prices) * o.Nu; mass*p.largest() > 1e6*spread*float64(len(rows)) {
		// The tube is closed where that takes multipliers of a smaller sum. Otherwise they are large, and the start far away.
		if m, err := closed(ctx, dense, target, o, limit); err != nil || floats.Norm(m.Coefficients(), 1) <= mass {
			return m, err
		}
	}
	s, err := p.solve(ctx)
	var late *IterationError
	if err != nil && !errors.As(err, &late) {
		return nil, fault.In(fn, err)
	}
	var epsilon, b float64
	if o.Nu > 0 {
		above, below := p.levels(s)
		if epsilon, b = (above-below)/2, (above+below)/2; err == nil && epsilon <= p.tol {
			return closed(ctx, dense, target, o, limit)
		}
		p.fold(s)
	} else {
		epsilon, b = o.Epsilon, p.tubeBias(s)
	}
	out := p.certifyTube(s, epsilon, b)
	out.B = b + mean - along(origin, s.beta, dense, rows)
	e, err := expand(dense, rows, s.beta, o.Kernel, out)
	if err != nil {
		return nil, fault.In(fn, err)
	}
	m := &Regressor{expansion: e, settings: regressorSettings{C: o.C, Epsilon: epsilon, Nu: o.Nu}}
	if late != nil {
		late.Regressor = m
		return nil, late
	}
	return m, nil
}

// closed fits the regression of nu whose tube is closed: there one variable for each row is enough, where two would be large and cancel.
func closed(ctx context.Context, X *mat.Dense, target []float64, o RegressionOptions, limit int) (*Regressor, error) {
	nu := o.Nu
	o.Epsilon, o.Nu, o.MaxIter = estimator.None, 0, limit
	m, err := FitRegression(ctx, X, target, o)
	if err == nil {
		m.settings.Nu = nu
	}
	return m, err
}

func checkTarget(fn string, target []float64, n int) error {
	if len(target) != n {
		return fault.Argument(fn, "target", fmt.Sprintf("%d numbers", len(target)), fmt.Sprintf("one number for each of the %d rows of X", n), "")
	}
	for i, v := range target {
		if v-v != 0 {
			return fault.Argument(fn, fmt.Sprintf("target[%d]", i), v, "a finite number", "drop the row")
		}
		if math.Abs(v) > 1e150 {
			return fault.Argument(fn, fmt.Sprintf("target[%d]", i), v, "at most 1e150, for squares of errors to be numbers",
				"divide the targets by a number")
		}
	}
	return nil
}

// about returns the targets of rows about their weighted mean, and their standard deviation; a constant target has the spread one.
func about(target []float64, rows []int, weights []float64) (y []float64, mean, spread float64) {
	total, largest := 0.0, 0.0
	for k, r := range rows {
		total += weights[k]
		mean += (target[r] - mean) * (weights[k] / total)
		largest = max(largest, math.Abs(target[r]))
	}
	y = make([]float64, len(rows))
	for k, r := range rows {
		y[k] = target[r] - mean
		spread += weights[k] / total * y[k] * y[k]
	}
	if spread = math.Sqrt(spread); !(spread > 1e-14*largest) {
		spread = 1
	}
	return y, mean, spread
}

// tubeProblem sets up the dual of a regression: one variable for each row where epsilon is given, with the tube; for nu two, the
// first n at or above zero and the others at or below, which start at a sum of half nu times the prices and cancel.
func tubeProblem(fn string, X *mat.Dense, rows []int, y, prices []float64, o *RegressionOptions) (p *problem, origin []float64, err error) {
	n := len(rows)
	index := rows
	if o.Nu > 0 {
		index = append(append([]int(nil), rows...), rows...)
	}
	work := &workspace{}
	work.reset(len(index))
	p = &problem{
		fn: fn, work: work, bias: true, maxIter: o.MaxIter, bytes: o.CacheBytes, shrink: !o.NoShrink,
		report: reporter(o.Progress, o.MaxIter), y: work.vector(), lower: work.vector(), upper: work.vector(),
	}
	copy(p.y, y)
	if o.Nu > 0 {
		p.balances = true
		copy(p.y[n:], y)
		p.start, p.gradient = make([]float64, 2*n), p.y
		left := 0.0
		for _, c := range prices {
			left += o.Nu * c / 2
		}
		for i, c := range prices {
			p.upper[i], p.lower[n+i] = c, -c
			p.start[i] = min(c, left)
			p.start[n+i] = -p.start[i]
			left -= p.start[i]
		}
	} else {
		p.tube = o.Epsilon
		for i, c := range prices {
			p.upper[i], p.lower[i] = c, -c
		}
	}
	origin = centre(o.Kernel, X, rows)
	if p.rows, err = kernel.NewRows(o.Kernel, X, index, origin); err != nil {
		return nil, nil, err
	}
	return p, origin, vanishing(o.Kernel, X, rows, p.rows)
}

// fold adds up the two variables of each row, and makes the problem one with a variable for each.
func (p *problem) fold(s *solution) {
	n := len(s.beta) / 2
	for i := range n {
		s.beta[i] += s.beta[n+i]
		p.lower[i] = -p.upper[i]
	}
	s.beta, s.e, p.y, p.lower, p.upper = s.beta[:n], s.e[:n], p.y[:n], p.lower[:n], p.upper[:n]
}

// tubeBias returns b: by the KKT conditions e_i - epsilon at free support vectors above zero and e_i + epsilon below, hence their mean;
// without one, the middle of the interval that the others leave.
func (p *problem) tubeBias(s *solution) float64 {
	sum, free := 0.0, 0
	for i, b := range s.beta {
		if b != 0 && b > p.lower[i] && b < p.upper[i] {
			sum += s.e[i] - math.Copysign(p.tube, b)
			free++
		}
	}
	if free > 0 {
		return sum / float64(free)
	}
	return middle(s.hi, s.lo)
}

// certifyTube makes the certificate of a regression about the mean of its target; the residual t - f is e - b.
func (p *problem) certifyTube(s *solution, epsilon, b float64) (out pair) {
	c := &out.Certificate
	cost, linear, balance := 0.0, 0.0, 0.0
	hi, lo := math.Inf(-1), math.Inf(1)
	for i, beta := range s.beta {
		out.Norm2 += beta * (p.y[i] - s.e[i])
		linear += beta*p.y[i] - epsilon*math.Abs(beta)
		balance += beta
		residual := s.e[i] - b
		cost += p.upper[i] * max(0, math.Abs(residual)-epsilon)
		sign := 1.0
		if beta < 0 {
			sign = -1
		}
		outside := sign*residual - epsilon
		switch {
		case beta == 0:
			c.Violation = max(c.Violation, math.Abs(residual)-epsilon)
		case math.Abs(beta) >= p.upper[i]:
			c.Violation = max(c.Violation, -outside)
			c.Bounded++
		default:
			c.Violation = max(c.Violation, math.Abs(outside))
		}
		if beta != 0 {
			c.Support++
		}
		if beta < p.upper[i] { // the slopes up and down
			if beta >= 0 {
				hi = max(hi, s.e[i]-epsilon)
			} else {
				hi = max(hi, s.e[i]+epsilon)
			}
		}
		if beta > p.lower[i] {
			if beta > 0 {
				lo = min(lo, s.e[i]-epsilon)
			} else {
				lo = min(lo, s.e[i]+epsilon)
			}
		}
	}
	out.Norm2 = max(0, out.Norm2)
	c.Primal, c.Dual = out.Norm2/2+cost, linear-out.Norm2/2
	c.Gap, c.Pair, c.Balance = c.Primal-c.Dual, hi-lo, math.Abs(balance)
	c.Iterations, c.Values = s.iterations, s.values
	return out
}

// Epsilon returns half the width of the tube: that of the options, or what a fit with Nu found, for which a fit with Epsilon gives the same
// function.
func (m *Regressor) Epsilon() float64 { return m.settings.Epsilon }

// Predict returns f(x) for each row of X (n x d); with a precomputed kernel a row holds the kernel values with the training points.
func (m *Regressor) Predict(X mat.Matrix) ([]float64, error) {
	return m.values("svm.Regressor.Predict", X)
}

// String returns "svm regression: RBF(gamma=0.5), C = 10, epsilon = 0.1, 12 of 100 rows are support vectors".
func (m *Regressor) String() string {
	share := ""
	if m.settings.Nu > 0 {
		share = fmt.Sprintf("nu = %g, ", m.settings.Nu)
	}
	f := m.fitted()
	return fmt.Sprintf("svm regression: %v, C = %g, %sepsilon = %.4g, %d of %d rows are support vectors",
		f.state.Kernel, m.settings.C, share, m.settings.Epsilon, len(f.Rows), f.N)
}

// regressorState is what MarshalBinary stores.
type regressorState struct {
	Function expansionState
	Settings regressorSettings
}

// MarshalBinary stores the model. A kernel made by kernel.Func cannot be stored.
func (m *Regressor) MarshalBinary() ([]byte, error) {
	return estimator.Encode("svm.Regressor", 1, &regressorState{m.store(), m.settings})
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (m *Regressor) UnmarshalBinary(data []byte) error {
	var s regressorState
	if err := estimator.Decode(data, "svm.Regressor", 1, &s); err != nil {
		return err
	}
	e, err := s.Function.restore("svm.Regressor")
	if err != nil {
		return err
	}
	*m = Regressor{e, s.Settings}
	return nil
}
