package svm

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Newton's method on rounded hinges ends where sweeps end: of rows that overlap much and little, with prices over six decades, rows of no
// weight, a bias or none, and columns of unequal size. That it has come to an end is seen from the number of sweeps, which tells of both.
func TestLinearRounded(t *testing.T) {
	ended := 0
	for trial := range 36 {
		random := random(uint64(300 + trial))
		n, d := 200+random.IntN(2000), 1+random.IntN(12)
		noise, c := math.Pow(10, 2*random.Float64()-1), math.Pow(10, 6*random.Float64()-3)
		X, y, weights := mat.NewDense(n, d, nil), make([]int, n), make([]float64, n)
		side := make([]float64, d)
		for j := range side {
			side[j] = random.NormFloat64()
		}
		for i := range n {
			f := noise * random.NormFloat64()
			for j := range d {
				v := random.NormFloat64()
				X.Set(i, j, v*(1+float64(j%3))+0.5)
				f += v * side[j]
			}
			if f > 0 {
				y[i] = 1
			}
			weights[i] = float64(random.IntN(4)) / 2
		}
		o := LinearOptions{C: c, Tol: 1e-6, Weights: weights, NoBias: trial%4 == 3}
		m, err := FitLinear(t.Context(), X, y, o)
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("trial %d, %d x %d, C %.3g", trial, n, d, c)
		p := m.Certificates()[0]
		if p.Gap < -1e-9*p.Primal || p.Gap > 1e-6*p.Primal || p.Violation > o.Tol {
			t.Errorf("%s: gap %g of %g, violation %g", name, p.Gap, p.Primal, p.Violation)
		}

		// The method by itself, from zero. It leaves rounding to sweeps, and is asked for no more than it is asked by default.
		o.Tol = 1e-3
		q := descent{linearRows: linearRowsOf(X), y: make([]float64, n), price: make([]float64, n), o: &o}
		q.widen(!o.NoBias)
		o = o.filled()
		q.alpha = make([]float64, n)
		var index []int
		for i, v := range y {
			q.y[i], q.price[i] = float64(2*v-1), c*weights[i]
			if weights[i] > 0 {
				index = append(index, i)
			}
		}
		w := make([]float64, len(q.wide)/n)
		done, err := q.rounded(t.Context(), index, q.price, w)
		if err != nil {
			t.Fatal(err)
		}
		if !done {
			if slices.Max(w) != 0 || slices.Max(q.alpha) != 0 {
				t.Errorf("%s: not at the end, and yet weights have changed", name)
			}
			continue
		}
		ended++
		sum := make([]float64, len(w))
		for i, a := range q.alpha {
			if a < 0 || a > q.price[i] {
				t.Fatalf("%s: alpha %g of at most %g", name, a, q.price[i])
			}
			for j := range sum {
				sum[j] += a * q.y[i] * q.wide[i*len(w)+j]
			}
		}
		size := 1.0
		for j, v := range sum {
			size = max(size, math.Abs(v))
			near(t, name+" w", w[j], v, 1e-9*size)
		}
		for i := range q.alpha {
			if q.price[i] == 0 {
				continue
			}
			g := -1.0
			for j, v := range w {
				g += q.y[i] * v * q.wide[i*len(w)+j]
			}
			if q.alpha[i] > 0 && g > o.Tol || q.alpha[i] < q.price[i] && g < -o.Tol {
				t.Errorf("%s: row %d has alpha %g of %g and the gradient %g", name, i, q.alpha[i], q.price[i], g)
			}
		}
	}
	if ended < 30 {
		t.Errorf("%d of 36 have come to an end", ended)
	}
}
