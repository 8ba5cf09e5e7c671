package svm

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Ball is the smallest ball around points in feature space: centre sum_i Weights_i phi(x_i), squared radius R2.
type Ball struct {
	R2      float64
	Weights []float64 // convex weights of the points on the surface
	Gap     float64   // R2 is too small by at most this
}

// SmallestBall encloses the points whose Gram matrix is K, by maximising sum_i u_i K_ii - sum_ij u_i u_j K_ij over convex weights u (its
// value is R^2). Pairs of weights are exchanged until no point is outside by more than tol times R^2. With it R^2/gamma^2 bounds the errors
// of the hard margin independently of where the origin lies.
//
// Source: D. Tax and R. Duin (2004), Support vector data description; O. Chapelle et al. (2002), Choosing multiple parameters for SVMs,
// 3.2.
func SmallestBall(ctx context.Context, K mat.Symmetric, tol float64) (Ball, error) {
	const fn = "svm.SmallestBall"
	if K == nil || K.SymmetricDim() == 0 {
		return Ball{}, fault.Argument(fn, "K", "empty", "a Gram matrix of at least one point", "")
	}
	if err := estimator.CheckX(fn, K); err != nil {
		return Ball{}, err
	}
	if err := estimator.CheckPositive(fn, "tol", tol, 1e-9); err != nil {
		return Ball{}, err
	}
	n := K.SymmetricDim()
	u, g := make([]float64, n), make([]float64, n) // g_i = K_ii - 2 <centre, phi(x_i)>, so that |phi(x_i) - centre|^2 = g_i + |centre|^2
	diag := make([]float64, n)
	for i := range n {
		diag[i] = K.At(i, i)
	}
	least := smallest(diag)
	u[0] = 1
	for i := range n {
		g[i] = K.At(i, i) - 2*K.At(0, i)
	}
	for iteration := 0; iteration < 1_000_000; iteration++ {
		if iteration%patience(n) == 0 {
			if err := ctx.Err(); err != nil {
				return Ball{}, fmt.Errorf("%s: stopped after %d steps: %w", fn, iteration, err)
			}
		}
		far, r2 := 0, 0.0
		for i := range n {
			if g[i] > g[far] {
				far = i
			}
			r2 += u[i] * (K.At(i, i) + g[i]) / 2
		}
		mean := 0.0
		for i := range n {
			mean += u[i] * g[i]
		}
		if gap := g[far] - mean; gap <= tol*math.Max(r2, 1e-300) {
			return Ball{math.Max(0, r2), u, gap}, nil
		}
		gain, from := 0.0, -1
		for j, w := range u {
			if w == 0 || j == far {
				continue
			}
			a := math.Max(K.At(far, far)+K.At(j, j)-2*K.At(far, j), least)
			b := (g[far] - g[j]) / 2
			if d := math.Min(b/a, w); d*(b-d*a/2) > gain {
				gain, from = d*(b-d*a/2), j
			}
		}
		if from < 0 {
			return Ball{math.Max(0, r2), u, g[far] - mean}, nil
		}
		a := math.Max(K.At(far, far)+K.At(from, from)-2*K.At(far, from), least)
		d := math.Min((g[far]-g[from])/(2*a), u[from])
		u[far] += d
		if d == u[from] {
			u[from] = 0
		} else {
			u[from] -= d
		}
		for i := range n {
			g[i] -= 2 * d * (K.At(far, i) - K.At(from, i))
		}
	}
	return Ball{}, fault.Argument(fn, "tol", tol, "larger: rounding errors keep the weights from settling", "1e-9 is usual")
}
