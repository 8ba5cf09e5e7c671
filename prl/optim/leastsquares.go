package optim

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// Residuals are m functions of d variables whose squares should be small in sum. A Jacobian (m x d) that is nil is replaced by central
// differences whose steps are relative to each variable, since parameters of a model differ in size.
type Residuals struct {
	Value    func(x []float64) []float64
	Jacobian func(x []float64) *mat.Dense
}

func (r Residuals) jacobian(x []float64) *mat.Dense {
	if r.Jacobian != nil {
		return r.Jacobian(x)
	}
	scale, ones := make([]float64, len(x)), make([]float64, len(x))
	for i, v := range x {
		scale[i], ones[i] = 1, v
		if v != 0 {
			scale[i], ones[i] = math.Abs(v), v/math.Abs(v)
		}
	}
	J := Jacobian(func(u []float64) []float64 { return r.Value(floats.MulTo(make([]float64, len(u)), u, scale)) }, ones, 0)
	J.Apply(func(_, j int, v float64) float64 { return v / scale[j] }, J)
	return J
}

// LeastSquares minimises f(x) = |r(x)|^2 / 2 by the method of Levenberg and Marquardt: the move d solves (J'J + mu D^2) d = -J'r, by
// the QR decomposition of J over sqrt(mu) D. D holds the largest norm so far of each column of J, and mu falls
// after good moves and rises after bad ones. With mu near 0 this is Gauss-Newton. It stops when each column of J has a cosine of at most
// Tol with r, when moves are below 10^-14 of x, or below 10^-9 with a change
// of f that is rounding (Flat), or at MaxIter.
//
// Errors: a start with residuals that are not finite, fewer residuals than variables, settings out of range, a context that ends.
// Sources: J. More (1978), Lecture Notes in Mathematics 630; H. Nielsen (1999), IMM-REP-1999-05, for mu.
func LeastSquares(ctx context.Context, r Residuals, start []float64, o Options) (*Result, error) {
	const op = "optim.LeastSquares"
	if r.Value == nil {
		return nil, fault.Argument(op, "Value", nil, "residuals to be made small", "")
	}
	f := Problem{Value: func(x []float64) float64 { return halfSquare(r.Value(x)) }}
	if err := fault.First(checkPlace(op, f, start), o.check(op)); err != nil {
		return nil, err
	}
	x, d := slices.Clone(start), len(start)
	res := r.Value(x)
	if len(res) < d {
		return nil, fault.Argument(op, "residuals", fmt.Sprintf("%d", len(res)), fmt.Sprintf("at least %d, as many as variables", d), "")
	}
	out := &Result{Values: 1, Reason: Limit}
	mu, grow, scale := 1e-3, 2.0, make([]float64, d)
	J := r.jacobian(x)
	for fresh := true; out.Iterations < cmp.Or(o.MaxIter, 10000); out.Iterations++ {
		if err := ctx.Err(); err != nil {
			return nil, fault.In(op, err)
		}
		if fresh {
			if o.Path {
				out.Path = append(out.Path, slices.Clone(x))
			}
			out.Gradients++
			if cosine(J, res, scale) <= cmp.Or(o.Tol, 1e-8) {
				out.Reason = Stationary
				break
			}
		}
		move := damped(J, res, scale, mu)
		next := floats.AddTo(make([]float64, d), x, move)
		try := r.Value(next)
		out.Values++
		fell := halfSquare(res) - halfSquare(try)
		noise := 1e-15 * halfSquare(res)
		fresh = fell >= -noise && finite(try) // NaN is no fall
		if fresh {
			Jd := mat.NewVecDense(len(res), nil)
			Jd.MulVec(J, mat.NewVecDense(d, move))
			promised := -floats.Dot(res, Jd.RawVector().Data) - halfSquare(Jd.RawVector().Data)
			mu *= max(1.0/3, 1-math.Pow(2*ratio(fell, promised)-1, 3))
			grow = 2
			x, res = next, try
			J = r.jacobian(x)
		} else {
			mu, grow = mu*grow, 2*grow
		}
		size := floats.Norm(move, 2) / floats.Norm(x, 2)
		if size <= 1e-14 || size <= 1e-9 && math.Abs(fell) <= noise || mu > 1e100 {
			out.Reason = Flat
			break
		}
	}
	g := mat.NewVecDense(d, nil)
	g.MulVec(J.T(), mat.NewVecDense(len(res), res))
	out.X, out.Value, out.Gradient = x, halfSquare(res), g.RawVector().Data
	return out, nil
}

func halfSquare(r []float64) float64 { return floats.Dot(r, r) / 2 }

// cosine returns the largest |J_j.r| / |J_j||r| over the columns, and raises scale to their norms.
func cosine(J *mat.Dense, r, scale []float64) (largest float64) {
	size := floats.Norm(r, 2)
	for j := range scale {
		col := mat.Col(nil, j, J)
		norm := floats.Norm(col, 2)
		scale[j] = max(scale[j], norm)
		largest = max(largest, math.Abs(ratio(floats.Dot(col, r), norm*size)))
	}
	return largest
}

// damped returns the least squares solution of J d = -r, sqrt(mu) D d = 0.
func damped(J *mat.Dense, r, scale []float64, mu float64) []float64 {
	m, d := J.Dims()
	A, b := mat.NewDense(m+d, d, nil), mat.NewVecDense(m+d, nil)
	A.Slice(0, m, 0, d).(*mat.Dense).Copy(J)
	for i, v := range r {
		b.SetVec(i, -v)
	}
	for j, s := range scale {
		A.Set(m+j, j, math.Sqrt(mu)*cmp.Or(s, 1))
	}
	var qr mat.QR
	var x mat.VecDense
	qr.Factorize(A)
	if qr.SolveVecTo(&x, false, b) != nil && x.Len() == 0 {
		return make([]float64, d)
	}
	return x.RawVector().Data
}
