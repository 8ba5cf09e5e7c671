package tile

import (
	"math"
	"math/rand/v2"
	"testing"
)

// U^T U is the matrix, and solving with it gives back what was multiplied: of one column, of a strip and one more or less, of several. What
// is not positive definite, or no number, is refused.
func TestCholesky(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 64))
	for _, n := range []int{1, 2, 7, block - 1, block, block + 1, 3*block + 5} {
		root, a := make([]float64, n*n), make([]float64, n*n)
		for i := range root {
			root[i] = r.NormFloat64()
		}
		for i := range n {
			for j := range n {
				for k := range n {
					a[i*n+j] += root[i*n+k] * root[j*n+k]
				}
			}
			a[i*n+i]++
		}
		want, b := make([]float64, n), make([]float64, n)
		for i := range want {
			want[i] = r.NormFloat64()
		}
		for i := range n {
			for j, v := range want {
				b[i] += a[i*n+j] * v
			}
		}
		factor, side := Pad(a, n), Padded(n)
		if !Cholesky(factor, side, 1e-15) {
			t.Fatalf("%d columns are not positive definite", n)
		}
		for i := range n {
			for j := range i + 1 {
				sum := 0.0
				for k := range j + 1 {
					sum += factor[k*side+i] * factor[k*side+j]
				}
				if math.Abs(sum-a[i*n+j]) > 1e-13*float64(n)*(1+math.Abs(a[i*n+j])) {
					t.Fatalf("%d columns: U^T U is %g at %d, %d, not %g", n, sum, i, j, a[i*n+j])
				}
			}
		}
		inverse := InvertUpper(factor, side)
		for i := range side {
			for j := range side {
				sum, want := 0.0, 0.0
				for k := i; k <= j; k++ {
					sum += inverse[i*side+k] * factor[k*side+j]
				}
				if i == j {
					want = 1
				}
				if math.Abs(sum-want) > 1e-10 || i > j && inverse[i*side+j] != 0 {
					t.Fatalf("%d columns: U^-1 U is %g at %d, %d", n, sum, i, j)
				}
			}
		}
		Solve(factor, b)
		for i, v := range want {
			if math.Abs(b[i]-v) > 1e-9 {
				t.Fatalf("%d columns: x_%d is %g, not %g", n, i, b[i], v)
			}
		}
		for _, bad := range []float64{-1, 0, math.NaN()} {
			spoilt := append([]float64(nil), a...)
			spoilt[(n-1)*n+n-1] = bad
			if Cholesky(Pad(spoilt, n), side, 0) {
				t.Errorf("%d columns with %g on the diagonal pass", n, bad)
			}
		}
		if n > 1 { // the last column is a copy of the one before, but for a trifle
			for k := range n {
				a[(n-1)*n+k], a[k*n+n-1] = a[(n-2)*n+k], a[k*n+n-2]
			}
			a[n*n-1] = a[(n-2)*n+n-2] * (1 + 1e-13)
			if Cholesky(Pad(a, n), side, 1e-10) {
				t.Errorf("%d columns of which two are alike pass", n)
			}
		}
	}
}
