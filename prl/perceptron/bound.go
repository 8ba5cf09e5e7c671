package perceptron

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/kernel"
	"github.com/prlab/prlab/prl/svm"
)

// A Bound is Novikoff's theorem about a run, with both of its sides. Lengths and products are those of the vectors (1, x), of x alone with
// NoIntercept, and of the feature vectors with a kernel.
type Bound struct {
	R, Gamma float64   // the largest length of a row, and the largest least margin of a unit vector u; 0 where no u has a positive one
	Most     float64   // R^2/Gamma^2, which no order of the rows exceeds; +Inf where Gamma is 0
	Mistakes int       // of this run
	U        []float64 // u = (b, w), not with a kernel; nil where Gamma is 0
	// After k mistakes, k = 0 ... Mistakes: <theta, u>, at least k Gamma, nil where Gamma is 0; and |theta|, at most sqrt(k) R.
	Along, Length []float64
}

// MistakeBound follows the run of Fit on two classes between the sides of Novikoff's theorem: every mistake adds at least Gamma to
// <theta, u>, and at most R^2 to |theta|^2, so that
//
//	k Gamma <= <theta, u> <= |theta| <= sqrt(k) R,   k <= R^2/Gamma^2.
//
// Gamma is the best one, by a support vector machine of hard margin through the origin. Memory: n x n numbers.
//
// Source: A. Novikoff (1962), On convergence proofs for perceptrons.
//
// Errors: unusable data, labels or options; a Start or OncePerPass, of which the theorem does not hold; the error of ctx.
func MistakeBound(ctx context.Context, X mat.Matrix, y []int, o Options) (*Bound, error) {
	const op = "perceptron.MistakeBound"
	if o.Start != nil || o.OncePerPass {
		return nil, fault.Argument(op, "Start or OncePerPass", "set", "left out: the theorem is about single mistakes from zero", "")
	}
	l, err := labelled(ctx, op, X, y, o)
	if err != nil {
		return nil, err
	}
	run, err := Trace(ctx, X, y, o)
	if err != nil {
		return nil, fault.In(op, err)
	}
	k := o.Kernel
	if k == nil {
		k = kernel.Linear{}
	}
	gram, err := kernel.Gram(k, l.Dense())
	if err != nil {
		return nil, fault.In(op, err)
	}
	b := &Bound{Most: math.Inf(1), Mistakes: len(run.Updates), Length: []float64{0}}
	for i := range l.N {
		for j := i; j < l.N && !o.NoIntercept; j++ {
			gram.SetSym(i, j, gram.At(i, j)+1)
		}
		b.R = max(b.R, math.Sqrt(gram.At(i, i)))
	}
	square := 0.0
	for _, u := range run.Updates {
		square += 2*u.Score + gram.At(u.Row, u.Row)
		b.Length = append(b.Length, math.Sqrt(max(0, square)))
	}
	return b, b.margin(ctx, gram, l.Dense(), l.Y, run, &o)
}

// margin finds Gamma and u, and what they bound.
func (b *Bound) margin(ctx context.Context, gram *mat.SymDense, x *mat.Dense, y []int, run *Run, o *Options) error {
	hulls, err := svm.Separable(ctx, gram, y, kernel.Precomputed{}, true)
	if err != nil || !hulls.Separable {
		return err
	}
	m, err := svm.Fit(ctx, gram, y, svm.Options{Kernel: kernel.Precomputed{}, Slack: svm.HardMargin, NoBias: true, Tol: 1e-10})
	if err != nil {
		return fmt.Errorf("perceptron.MistakeBound: %w", err)
	}
	sign, alpha := signs(y, 1), m.Alpha()
	b.Gamma = m.Margin()
	b.Along = []float64{0}
	margins := make([]float64, len(y)) // y_i <u, phi_i>
	for i := range margins {
		for j, a := range alpha {
			margins[i] += b.Gamma * sign[i] * a * sign[j] * gram.At(i, j)
		}
	}
	b.Gamma = floats.Min(margins) // that of u, which may differ from the best one by rounding
	b.Most = b.R / b.Gamma * (b.R / b.Gamma)
	for k, u := range run.Updates {
		b.Along = append(b.Along, b.Along[k]+margins[u.Row])
	}
	if o.Kernel != nil {
		return nil
	}
	_, d := x.Dims()
	p := &plain{x: x, theta: make([]float64, d+1), noIntercept: o.NoIntercept}
	for j, a := range alpha {
		p.add(j, a*sign[j])
	}
	floats.Scale(1/floats.Norm(p.theta, 2), p.theta)
	b.U = p.theta
	return nil
}
