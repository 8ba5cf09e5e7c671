package boost

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Coordinate is one step of CoordinateDescent.
type Coordinate struct {
	Member int     // the member of the pool whose coefficient moved
	Step   float64 // by how much
	Slope  float64 // derivative of the loss along it before the step, -(1 - 2 eps) times the loss
	Loss   float64 // exponential loss after the step
}

// CoordinateDescent minimises the exponential loss L(a) = 1/n sum_i exp(-y_i sum_j a_j H_ij) over the coefficients a of a fixed pool of
// weak classifiers, whose votes in {-1, +1} are the columns of H (n x J), by exact line search along the coordinate of steepest descent. It
// is AdaBoost: the weights are exp(-y_i F(x_i)) normalised, the slope along member j is -(1 - 2 eps_j) L, and the best step is 1/2 log((1 -
// eps_j) / eps_j). It ends early when no slope is negative, or before a step without end along a member that makes no error. Of equal
// slopes (within 1e-12) the first member wins. The pool should hold the negative of each member: steps are positive only, and without the
// negatives the descent stops short of the minimum. Source: Mason, Baxter, Bartlett, Frean, Functional gradient techniques for combining
// hypotheses, 2000; Schapire and Freund, Boosting, 2012, section 7.2.
func CoordinateDescent(ctx context.Context, H mat.Matrix, y []int, steps int) ([]Coordinate, []float64, error) {
	const name = "boost.CoordinateDescent"
	h, err := votes(name, H, y)
	if err != nil {
		return nil, nil, err
	}
	if err := estimator.CheckCount(name, "steps", steps, 1, math.MaxInt); err != nil {
		return nil, nil, err
	}
	n, J := h.Dims()
	w, coef := make([]float64, n), make([]float64, J)
	for i := range w {
		w[i] = 1 / float64(n)
	}
	var path []Coordinate
	for range steps {
		if err := ctx.Err(); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		loss := 0.0
		slope := make([]float64, J)
		for i := range n {
			loss += w[i]
			for j, v := range h.RawRowView(i) {
				slope[j] -= w[i] * sign(y[i]) * v
			}
		}
		best := 0
		for j, s := range slope {
			if s < slope[best]-1e-12*loss {
				best = j
			}
		}
		eps := (1 + slope[best]/loss) / 2
		if 0.5-eps <= 1e-10 || eps <= 1e-15 {
			break
		}
		a := Alpha(eps)
		coef[best] += a
		after := 0.0
		for i := range n {
			w[i] *= math.Exp(-a * sign(y[i]) * h.At(i, best))
			after += w[i]
		}
		path = append(path, Coordinate{best, a, slope[best], after})
	}
	return path, coef, nil
}

// Reoptimise minimises the exponential loss over all coefficients at once, for the votes H (n x T, entries -1 and +1) of the weak
// classifiers chosen so far, by damped Newton steps from the given coefficients. AdaBoost freezes earlier coefficients, so its loss is at
// least this one. Where H separates the classes the loss has no minimum; the search then ends after maxIter steps, at a small loss with
// large coefficients. It returns the coefficients and the loss.
func Reoptimise(ctx context.Context, H mat.Matrix, y []int, from []float64, maxIter int) ([]float64, float64, error) {
	const name = "boost.Reoptimise"
	h, err := votes(name, H, y)
	if err != nil {
		return nil, 0, err
	}
	n, T := h.Dims()
	if len(from) != T {
		return nil, 0, fault.Argument(
			name,
			"from",
			fmt.Sprintf("%d numbers", len(from)),
			fmt.Sprintf("%d coefficients, one a column of H", T),
			"",
		)
	}
	for t, v := range from {
		if v-v != 0 { // NaN or an infinity
			return nil, 0, fault.Argument(name, fmt.Sprintf("from[%d]", t), v, "a finite number", "zeros will do")
		}
	}
	if err := estimator.CheckCount(name, "maxIter", maxIter, 1, math.MaxInt); err != nil {
		return nil, 0, err
	}
	loss := func(a []float64) float64 {
		s := 0.0
		for i := range n {
			f := 0.0
			for t, v := range h.RawRowView(i) {
				f += a[t] * v
			}
			s += math.Exp(-sign(y[i]) * f)
		}
		return s / float64(n)
	}
	a := append([]float64(nil), from...)
	now := loss(a)
	for range maxIter {
		if err := ctx.Err(); err != nil {
			return nil, 0, fmt.Errorf("%s: %w", name, err)
		}
		g, hess := mat.NewVecDense(T, nil), mat.NewSymDense(T, nil)
		for i := range n {
			row := h.RawRowView(i)
			f := 0.0
			for t, v := range row {
				f += a[t] * v
			}
			e := math.Exp(-sign(y[i])*f) / float64(n)
			v := mat.NewVecDense(T, row)
			g.AddScaledVec(g, -sign(y[i])*e, v)
			hess.SymRankOne(hess, e, v)
		}
		if mat.Norm(g, 2) < 1e-13 {
			break
		}
		for t := range T { // equal or opposite columns make the Hessian singular
			hess.SetSym(t, t, hess.At(t, t)+1e-12*now)
		}
		var chol mat.Cholesky
		step := mat.NewVecDense(T, nil)
		if !chol.Factorize(hess) || chol.SolveVecTo(step, g) != nil {
			step.CopyVec(g)
		}
		improved := false
		for scale := 1.0; scale > 1e-10; scale /= 2 {
			next := make([]float64, T)
			for t := range next {
				next[t] = a[t] - scale*step.AtVec(t)
			}
			if l := loss(next); l < now {
				a, now, improved = next, l, true
				break
			}
		}
		if !improved {
			break
		}
	}
	return a, now, nil
}

func votes(name string, H mat.Matrix, y []int) (*mat.Dense, error) {
	k, err := estimator.CheckLabelled(name, H, y)
	if err != nil {
		return nil, err
	}
	n, _ := H.Dims()
	if k != 2 {
		return nil, fault.Argument(name, "y", fmt.Sprintf("labels of %d classes", k), "labels of 2 classes", "")
	}
	h := estimator.Dense(H)
	for i := range n {
		for j, v := range h.RawRowView(i) {
			if v != 1 && v != -1 {
				return nil, fault.Argument(name, fmt.Sprintf("H[%d, %d]", i, j), v, "a vote of -1 or 1", "")
			}
		}
	}
	return h, nil
}

// Votes returns the n x J matrix of the votes, -1 or +1, of J weak classifiers on the rows of X (n x d).
func Votes(X mat.Matrix, pool []Hypothesis) (*mat.Dense, error) {
	if err := estimator.CheckX("boost.Votes", X); err != nil {
		return nil, err
	}
	if len(pool) == 0 {
		return nil, fault.Argument("boost.Votes", "pool", "empty", "at least one weak classifier", "")
	}
	for j, h := range pool {
		if missing(h) {
			return nil, fault.Argument("boost.Votes", fmt.Sprintf("pool[%d]", j), "nil", "a weak classifier", "")
		}
	}
	x := estimator.Dense(X)
	n, _ := x.Dims()
	out := mat.NewDense(n, len(pool), nil)
	for i := range n {
		for j, h := range pool {
			out.Set(i, j, sign(h.Class(x.RawRowView(i)...)))
		}
	}
	return out, nil
}
