package svm

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/kernel"
)

// Hulls is what the search for the closest points of the two convex hulls found. Two finite sets are separable by a hyperplane exactly when
// their hulls do not meet; without bias, when the hull of the points y_i phi(x_i) does not hold the origin.
type Hulls struct {
	Separable bool
	// of the points found so far: an upper bound on the distance of the hulls, which is twice the hard margin (once without bias)
	Distance float64
	// convex weights of the points, summing to one in each class (over both without bias); w = sum_i Weights_i y_i phi(x_i)
	Weights []float64
}

// Separable reports whether a hyperplane separates the two classes y in {0, 1} in the feature space of k, through the origin when noBias is
// set. A positive answer is proved by the separating direction; a negative one means that the hulls come closer than 1e-6 of the largest
// feature vector, which in floating-point numbers is a common point.
//
// perceptron.Separate answers in the space of the features without a tolerance.
//
// Method: pair exchanges towards the nearest points (Mitchell, Dem'yanov and Malozemov 1974) with the working sets of SMO.
func Separable(ctx context.Context, X mat.Matrix, y []int, k kernel.Kernel, noBias bool) (Hulls, error) {
	const fn = "svm.Separable"
	o := Options{}.filled()
	o.Kernel, o.NoBias, o.Slack = k, noBias, HardMargin
	classes, err := estimator.CheckLabelled(fn, X, y)
	if err != nil {
		return Hulls{}, err
	}
	n, _ := X.Dims()
	if classes != 2 {
		return Hulls{}, fault.Argument(fn, "y", fmt.Sprintf("of %d classes", classes), "of two classes", "ask for each pair")
	}
	if err := o.check(fn); err != nil {
		return Hulls{}, err
	}
	if _, ok := k.(kernel.Precomputed); ok {
		if err := checkGram(fn, estimator.Dense(X)); err != nil {
			return Hulls{}, err
		}
	}
	rows, sign := make([]int, n), make([]int, n)
	for i, c := range y {
		rows[i], sign[i] = i, 2*c-1
	}
	p, _, err := newProblem(estimator.Dense(X), rows, sign, 0, 1, &o, &workspace{})
	if err != nil {
		return Hulls{}, fault.In(fn, err)
	}
	return p.hulls(ctx)
}

// hulls minimises |z|^2 for z = sum_i u_i y_i phi(x_i) and stops as soon as z itself separates or |z| has vanished. h holds y_i <z,
// phi(x_i)>.
func (p *problem) hulls(ctx context.Context) (Hulls, error) {
	n := len(p.y)
	rows := newCache[float64](n, p.bytes/8, nil)
	row := func(i int) []float64 {
		return rows.get(i, n, func(dst []float64, from, to int) { p.rows.Fill(dst, i, from, to) })
	}
	diag, scale := make([]float64, n), 0.0
	for i := range n {
		diag[i] = p.rows.Diag(i)
		scale = math.Max(scale, diag[i])
	}
	// Start: one point of each class (one in all without bias).
	u, h := make([]float64, n), make([]float64, n)
	started := map[bool]bool{}
	for i, y := range p.y {
		if group := y > 0 && p.bias; !started[group] {
			started[group] = true
			u[i] = 1
			for t, k := range row(i) {
				h[t] += y * p.y[t] * k
			}
		}
	}
	if scale == 0 {
		return Hulls{Weights: u}, nil
	}
	for iteration := 0; iteration < p.maxIter; iteration++ {
		if iteration%patience(n) == 0 {
			if err := ctx.Err(); err != nil {
				return Hulls{}, fmt.Errorf("svm.Separable: stopped after %d steps: %w", iteration, err)
			}
		}
		// In each group the point of the smallest h gains weight; the least h over the groups bounds what w = z can do.
		least := map[bool]int{}
		for i, y := range p.y {
			group := y > 0 && p.bias
			if j, ok := least[group]; !ok || h[i] < h[j] {
				least[group] = i
			}
		}
		norm2, bound := 0.0, 0.0
		for i := range u {
			norm2 += u[i] * h[i]
		}
		for _, j := range least {
			bound += h[j]
		}
		distance := math.Sqrt(math.Max(0, norm2))
		if bound > 1e-13*scale {
			return Hulls{true, distance, u}, nil
		}
		if norm2 <= 1e-12*scale {
			return Hulls{false, distance, u}, nil
		}
		// Of all points with weight, the partner with the largest gain.
		gain, from, to := 0.0, -1, -1
		for _, group := range []bool{false, true} {
			i, ok := least[group]
			if !ok {
				continue
			}
			ki := row(i)
			for j, w := range u {
				if w == 0 || (p.y[j] > 0 && p.bias) != group {
					continue
				}
				a := math.Max(diag[i]+diag[j]-2*p.y[i]*p.y[j]*ki[j], tau*scale)
				b := h[j] - h[i]
				if d := math.Min(b/a, w); d*(b-d*a/2) > gain {
					gain, from, to = d*(b-d*a/2), j, i
				}
			}
		}
		if from < 0 { // the nearest points, though not near enough to zero to be sure
			return Hulls{bound > 0, distance, u}, nil
		}
		kt, kf := row(to), row(from)
		a := math.Max(diag[to]+diag[from]-2*p.y[to]*p.y[from]*kt[from], tau*scale)
		d := math.Min((h[from]-h[to])/a, u[from])
		u[to] += d
		if d == u[from] {
			u[from] = 0
		} else {
			u[from] -= d
		}
		for t, y := range p.y {
			h[t] += d * y * (p.y[to]*kt[t] - p.y[from]*kf[t])
		}
	}
	return Hulls{}, fault.Argument("svm.Separable", "MaxIter", p.maxIter,
		"enough steps to decide whether a hyperplane separates the classes", "raise it, or allow slack")
}
