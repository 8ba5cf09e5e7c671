package tile

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Products and sums of lines have the bits of their plain forms, and the products those of sixteen chains.
func TestLines(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for _, n := range []int{0, 8, 16, 24, 32, 40, 136, 1000} {
		x, y := numbers(r, n), numbers(r, n)
		same(t, fmt.Sprintf("product of %d numbers", n), []float64{Dot(x, y)}, []float64{plainDot(x, y)})
		got, want := append([]float64(nil), y...), append([]float64(nil), y...)
		AddScaled(got, 0.3, x)
		plainAddScaled(want, 0.3, x)
		same(t, fmt.Sprintf("sum of %d numbers", n), got, want)
	}
	if got := Dot([]float64{1, 2, 3, 4, 5, 6, 7, 8}, []float64{8, 7, 6, 5, 4, 3, 2, 1}); got != 120 {
		t.Errorf("the product is %v", got)
	}
	// Chain 0 holds 1e16, chain 8 a 1 that chain 9 does not lose.
	x, ones := make([]float64, 24), make([]float64, 24)
	for i := range ones {
		ones[i] = 1
	}
	x[0], x[1], x[9], x[16] = 1e16, 1, 1, -1e16
	if got := Dot(x, ones); got != 2 {
		t.Errorf("numbers 0 and 16 do not share a chain: %v", got)
	}
}
