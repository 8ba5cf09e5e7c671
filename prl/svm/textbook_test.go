package svm

import (
	"math"
	"testing"

	"github.com/prlab/prlab/prl/kernel"
)

// textbookSMO maximises sum_i a_i - 1/2 sum_ij a_i a_j y_i y_j K_ij with 0 <= a_i <= C and sum_i a_i y_i = 0, two a at a time (Platt 1998),
// of the pair that violates optimality most (Keerthi et al. 2001). It is the algorithm of Fit on one screen, without cache, shrinking and
// vector instructions.
func textbookSMO(K func(i, j int) float64, y []float64, C, tol float64) (a []float64, b float64) {
	n := len(y)
	a = make([]float64, n)
	g := make([]float64, n) // g_i = y_i - sum_j a_j y_j K_ij, the gradient times y_i
	copy(g, y)
	for {
		i, j := -1, -1 // a_i y_i may rise and has the largest g; a_j y_j may fall and has the smallest
		for t := range n {
			if up := y[t] > 0 && a[t] < C || y[t] < 0 && a[t] > 0; up && (i < 0 || g[t] > g[i]) {
				i = t
			}
			if down := y[t] > 0 && a[t] > 0 || y[t] < 0 && a[t] < C; down && (j < 0 || g[t] < g[j]) {
				j = t
			}
		}
		if g[i]-g[j] < tol {
			return a, (g[i] + g[j]) / 2
		}
		step := (g[i] - g[j]) / math.Max(K(i, i)+K(j, j)-2*K(i, j), 1e-12)
		if y[i] > 0 { // how far a_i y_i can rise
			step = math.Min(step, C-a[i])
		} else {
			step = math.Min(step, a[i])
		}
		if y[j] > 0 { // how far a_j y_j can fall
			step = math.Min(step, a[j])
		} else {
			step = math.Min(step, C-a[j])
		}
		a[i] += y[i] * step
		a[j] -= y[j] * step
		for t := range n {
			g[t] -= step * (K(t, i) - K(t, j))
		}
	}
}

// Fit finds the machine that the textbook's loop finds.
func TestFitIsTextbookSMO(t *testing.T) {
	X, labels := cloud(random(7), 80, 2, 1.5)
	y := make([]float64, len(labels))
	for i, c := range labels {
		y[i] = float64(2*c - 1)
	}
	for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.RBF{Gamma: 0.5}, kernel.Poly{Degree: 2, Gamma: 1, Coef0: 1}} {
		for _, C := range []float64{0.1, 1, 10} {
			m := fit(t, X, labels, func(o *Options) { o.Kernel, o.C, o.Tol = k, C, 1e-9 })
			K := func(i, j int) float64 { return k.Eval(X.RawRowView(i), X.RawRowView(j)) }
			a, b := textbookSMO(K, y, C, 1e-9)
			dual := 0.0
			for i, u := range a {
				dual += u
				for j, v := range a {
					dual -= 0.5 * u * v * y[i] * y[j] * K(i, j)
				}
			}
			near(t, "dual", m.Certificate().Dual, dual, 1e-7*(1+dual))
			for i := range 80 {
				f := b
				for j, v := range a {
					f += v * y[j] * K(i, j)
				}
				near(t, "decision value", m.Value(X.RawRowView(i)...), f, 1e-5)
			}
		}
	}
}
