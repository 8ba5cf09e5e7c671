package eigen

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Eigenvalues that occur several times, or nearly, are found as often as they occur, among others drawn at random. The matrix is diagonal,
// which a method that begins with random vectors has no profit of.
func TestLargestFindsEqualValues(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 2))
	for trial := range 120 {
		d, k := 120+r.IntN(200), 1+r.IntN(10)
		values := make([]float64, d)
		for i := range values {
			switch trial % 3 {
			case 0:
				values[i] = math.Pow(float64(i+1), -0.3-r.Float64())
			case 1:
				values[i] = r.Float64()
			default: // far below the first ones
				values[i] = r.Float64() / float64(1+3*min(i/k, 1))
			}
		}
		slices.Sort(values)
		slices.Reverse(values)
		for range 1 + r.IntN(3) {
			first := r.IntN(k)
			for i := first; i < first+1+r.IntN(4); i++ {
				values[i] = values[first] * (1 - 1e-13*float64(r.IntN(3)))
			}
		}
		s := entries(d, func(i, j int) float64 { return delta(i, j) * values[i] })
		got, err := Largest(context.Background(), OfMatrix(s, d), k, 1e-10)
		if err != nil {
			t.Fatal(err)
		}
		for q, v := range got.Values {
			if math.Abs(v-values[q]) > 1e-10*values[0] {
				t.Errorf("draw %d, d = %d, k = %d: value %d is %.12g, want %.12g", trial, d, k, q, v, values[q])
			}
		}
	}
}
