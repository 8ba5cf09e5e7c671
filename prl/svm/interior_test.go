package svm

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/sparse"
)

// Rows that sweeps alone take thousands of passes over, for C is large and columns depend on each other, take tens of steps, and what comes
// out is the minimum: dense or sparse, more rows than columns or fewer, either slack, with a bias or without, and with rows of no weight.
func TestLinearInterior(t *testing.T) {
	for _, c := range []struct {
		n, d   int
		slack  Slack
		noBias bool
	}{
		{300, 12, LinearSlack, false},
		{300, 12, QuadraticSlack, false},
		{300, 12, LinearSlack, true},
		{40, 60, LinearSlack, false},
		{40, 60, QuadraticSlack, true},
		{300, 40, QuadraticSlack, false},
		{120, 30, LinearSlack, false},
	} {
		random := random(uint64(31 + c.n + c.d))
		X, y, weights := mat.NewDense(c.n, c.d, nil), make([]int, c.n), make([]float64, c.n)
		for i := range c.n {
			common, side := random.NormFloat64(), 2*random.NormFloat64()
			for j := range c.d {
				if random.IntN(3) > 0 {
					X.Set(i, j, common+0.3*random.NormFloat64())
				}
				if j < 4 {
					side += X.At(i, j) * float64(j%2*2-1)
				}
			}
			if side > 0 {
				y[i] = 1
			}
			weights[i] = float64(random.IntN(4)) / 2
		}
		o := LinearOptions{Slack: c.slack, C: 300, Tol: 1e-5, Weights: weights, NoBias: c.noBias}
		var models []*LinearModel
		for _, rows := range []mat.Matrix{X, sparse.Of(X)} {
			m, err := FitLinear(t.Context(), rows, y, o)
			if err != nil {
				t.Fatal(err)
			}
			models = append(models, m)
			p := m.Certificates()[0]
			if p.Gap < -1e-9*p.Primal || p.Gap > 1e-5*p.Primal || p.Violation > o.Tol {
				t.Errorf("%v: gap %g of %g, violation %g", c, p.Gap, p.Primal, p.Violation)
			}
			if p.Iterations > 400 {
				t.Errorf("%v: %d sweeps and steps", c, p.Iterations)
			}
		}
		for j, w := range models[0].W[0] {
			near(t, fmt.Sprint(c, " w"), models[1].W[0][j], w, 1e-3*math.Max(1, math.Abs(w)))
		}
	}
}
