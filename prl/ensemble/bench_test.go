package ensemble

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// BenchmarkForest grows 100 trees on 10,000 rows of 20 features, four of which tell the class.
func BenchmarkForest(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 0))
	const n, d = 10_000, 20
	X, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		s := rng.NormFloat64()
		for j := range d {
			v := rng.NormFloat64()
			X.Set(i, j, v)
			if j < 4 {
				s += v
			}
		}
		if s > 0 {
			y[i] = 1
		}
	}
	for b.Loop() {
		if _, err := Fit(b.Context(), X, y, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
