package linear

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func BenchmarkLeastSquares(b *testing.B) {
	draw := rand.New(rand.NewPCG(1, 2))
	X, y := mat.NewDense(100000, 50, nil), make([]float64, 100000)
	for i := range y {
		row := X.RawRowView(i)
		for j := range row {
			row[j] = draw.NormFloat64()
			y[i] += row[j] * float64(j%5)
		}
		y[i] += draw.NormFloat64()
	}
	for b.Loop() {
		if _, err := LeastSquares(b.Context(), X, y, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
