package tree

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func BenchmarkFit(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	x, y := mat.NewDense(10000, 20, nil), make([]int, 10000)
	for i := range y {
		row := x.RawRowView(i)
		for j := range row {
			row[j] = r.NormFloat64()
		}
		if row[0]*row[1]+0.5*row[2]*row[2]-0.5+0.5*row[3]+0.3*r.NormFloat64() > 0 {
			y[i] = 1
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Fit(ctx, x, y, DefaultOptions()); err != nil {
			b.Fatal(err)
		}
	}
}
