package tile

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// ThinProduct gives bit for bit what plainThin gives, and that the products with the columns up to rounding.
func TestThinProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for _, n := range []int{0, 1, 2, 7, 50, 300} {
		table, at := numbers(r, 400*Thin), make([]int32, 0, n)
		for j, left := 0, n; left > 0; j++ {
			if r.IntN(400-j) < left {
				at, left = append(at, int32(j)), left-1
			}
		}
		values := numbers(r, n)
		got, want := [Thin]float64{1, 2, 3}, [Thin]float64{4, 5, 6}
		ThinProduct(&got, at, values, table)
		plainThin(&want, at, values, table)
		same(t, fmt.Sprintf("sums of %d numbers", n), got[:], want[:])
		for c, s := range got {
			exact := 0.0
			for p, j := range at {
				exact += values[p] * table[int(j)*Thin+c]
			}
			if math.Abs(s-exact) > 1e-13*float64(n+1) {
				t.Errorf("%d numbers, column %d: %v, want %v", n, c, s, exact)
			}
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a place beyond the table is read")
		}
	}()
	ThinProduct(new([Thin]float64), []int32{2, 25}, []float64{1, 1}, make([]float64, 25*Thin))
}
