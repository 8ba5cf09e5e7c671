package tile

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// FourRows gives bit for bit what plainFour gives, and that what it is defined to give up to rounding.
func TestFourRows(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for _, n := range []int{0, 8, 16, 40, 200} {
		stride := n + 8*r.IntN(3)
		a, x, y := numbers(r, 4*stride+1), numbers(r, n), numbers(r, n)
		by := [4]float64{0.5, -1.25, 3, 1.1}
		got, want := append([]float64(nil), y...), append([]float64(nil), y...)
		sums := FourRows(a, stride, x, got, &by)
		var lanes [4 * Wide]float64
		plainFour(n, a, stride, x, want, &by, &lanes)
		same(t, fmt.Sprintf("y of %d numbers", n), got, want)
		for q, s := range sums {
			exact, plus := 0.0, 0.0
			for l := range Wide {
				plus += lanes[q*Wide+l]
			}
			for j := range n {
				exact += a[q*stride+j] * x[j]
			}
			if math.Abs(s-exact) > 1e-13*float64(n+1) || math.Abs(s-plus) > 1e-14*float64(n+1) {
				t.Errorf("%d numbers, row %d: %v, want %v", n, q, s, exact)
			}
		}
		for j := range n {
			exact := y[j]
			for q, v := range by {
				exact += v * a[q*stride+j]
			}
			if math.Abs(got[j]-exact) > 1e-14*(1+math.Abs(exact)) {
				t.Errorf("%d numbers, y[%d] = %v, want %v", n, j, got[j], exact)
			}
		}
	}
}

func TestSymmetricProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	for _, n := range []int{1, 2, 5, 8, 13, 37, 64} {
		p := Padded(n)
		a := make([]float64, p*p)
		for i := range n {
			for j := range n { // what stands below the diagonal is not read as part of A
				a[i*p+j] = r.NormFloat64()
			}
		}
		for from := range n {
			x, y := make([]float64, p), numbers(r, p)
			for i := from; i < n; i++ {
				x[i] = r.NormFloat64()
			}
			SymmetricProduct(y, x, a, from, n, p)
			for i := from; i < n; i++ {
				want := 0.0
				for j := from; j < n; j++ {
					want += a[min(i, j)*p+max(i, j)] * x[j]
				}
				if math.Abs(y[i]-want) > 1e-13 {
					t.Fatalf("n = %d from %d: entry %d is %v, want %v", n, from, i, y[i], want)
				}
			}
			both := append(make([]float64, p), x...)
			for i := from; i < n; i++ {
				both[i] = r.NormFloat64()
			}
			other, together := make([]float64, p), make([]float64, 2*p)
			SymmetricProduct(other, both[:p], a, from, n, p)
			SymmetricProduct(together, both, a, from, n, p)
			same(t, "two rows, the first", together[from:n], other[from:n])
			same(t, "two rows, the second", together[p+from:p+n], y[from:n])
		}
	}
}
