package fuzztest

import (
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// Matrix draws quarters between -most and most. Unlike normal variates they repeat, tie and lie on lines, which is where methods break, and
// a counterexample shrinks to numbers one can calculate with.
func Matrix(t *rapid.T, rows, columns int, most float64) *mat.Dense {
	values := rapid.SliceOfN(rapid.IntRange(int(-4*most), int(4*most)), rows*columns, rows*columns).Draw(t, "X")
	X := mat.NewDense(rows, columns, nil)
	for i, v := range values {
		X.Set(i/columns, i%columns, float64(v)/4)
	}
	return X
}

// Labels draws n labels of k classes, each of which occurs.
func Labels(t *rapid.T, n, k int) []int {
	y := rapid.SliceOfN(rapid.IntRange(0, k-1), n, n).Draw(t, "y")
	for c := range k {
		y[c] = c
	}
	return y
}

// Distribution draws n probabilities that sum to one, zeros among them.
func Distribution(t *rapid.T, n int) []float64 {
	parts := rapid.SliceOfN(rapid.IntRange(0, 6), n, n).Filter(func(parts []int) bool {
		for _, p := range parts {
			if p > 0 {
				return true
			}
		}
		return false
	}).Draw(t, "p")
	sum := 0
	for _, p := range parts {
		sum += p
	}
	out := make([]float64, n)
	for i, p := range parts {
		out[i] = float64(p) / float64(sum)
	}
	return out
}

// Stochastic draws a table whose rows are distributions.
func Stochastic(t *rapid.T, rows, columns int) [][]float64 {
	out := make([][]float64, rows)
	for i := range out {
		out[i] = Distribution(t, columns)
	}
	return out
}
