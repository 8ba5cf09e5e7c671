package linear

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func BenchmarkLeastSquares(b *testing.B) {
	X, y := drawn(100000, 50)
	for b.Loop() {
		if _, err := LeastSquares(b.Context(), X, y, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// drawn returns rows of normal columns, each with half of one that they share, and targets of some of them.
func drawn(n, d int) (*mat.Dense, []float64) {
	draw := rand.New(rand.NewPCG(1, 2))
	X, y := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range y {
		row, common := X.RawRowView(i), draw.NormFloat64()/2
		for j := range row {
			row[j] = draw.NormFloat64() + common
			if j < 25 {
				y[i] += row[j] * float64(j%5-2)
			}
		}
		y[i] += draw.NormFloat64()
	}
	return X, y
}

func BenchmarkLassoPathTall(b *testing.B) { benchmarkPath(b, 1000, 200) }
func BenchmarkLassoPathWide(b *testing.B) { benchmarkPath(b, 500, 5000) }

func benchmarkPath(b *testing.B, n, d int) {
	X, y := drawn(n, d)
	for b.Loop() {
		if _, err := LassoPath(b.Context(), X, y, nil, LassoOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLeastAbsolute(b *testing.B) {
	X, y := drawn(10000, 5)
	for b.Loop() {
		if _, err := Lp(b.Context(), X, y, 1, Rows{}); err != nil {
			b.Fatal(err)
		}
	}
}
