// Package benchtest holds what the benchmarks of the families share: made-up data and the loop that is timed.
package benchtest

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Classes draws n rows of d standard normal numbers about the means of k classes, which are standard normal too, and returns X (n x d) with
// the class of each row, 0 ... k-1 by turns. The same call gives the same numbers.
func Classes(n, d, k int) (X *mat.Dense, y []int) {
	r := rand.New(rand.NewPCG(1, 1))
	means := make([]float64, k*d)
	X, y = mat.NewDense(n, d, nil), make([]int, n)
	for i := range means {
		means[i] = r.NormFloat64()
	}
	for i := range y {
		y[i] = i % k
		for j := range d {
			X.Set(i, j, means[y[i]*d+j]+r.NormFloat64())
		}
	}
	return X, y
}

// Loop times f and what it allocates; an error ends the benchmark.
func Loop(b *testing.B, f func() error) {
	b.Helper()
	b.ReportAllocs()
	for b.Loop() {
		if err := f(); err != nil {
			b.Fatal(err)
		}
	}
}
