package logistic

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/prlab/prlab/prl/internal/tile"
)

// strip is the number of columns that are factorised together.
const strip = 64

// cholesky replaces the lower triangle of a symmetric matrix by its factor; false says that it is not positive definite.
func cholesky(a []float64, n int) bool {
	whole := tile.Dense(a, n, n, n)
	tops := make([]float64, n)
	for i := range tops {
		tops[i] = a[i*n+i]
	}
	for from := 0; from < n; from += strip {
		to := min(from+strip, n)
		// what the columns on the left take away
		whole.Part(from, from, n-from, to-from).AddProduct(-1, whole.Part(from, 0, n-from, from), whole.Part(from, 0, to-from, from).T())
		for i := from; i < n; i++ {
			for j := from; j < min(i+1, to); j++ {
				v := a[i*n+j] - floats.Dot(a[i*n+from:i*n+j], a[j*n+from:j*n+j])
				if j < i {
					a[i*n+j] = v / a[j*n+j]
					continue
				}
				if !(v > 1e-15*tops[i]) {
					return false
				}
				a[i*n+i] = math.Sqrt(v)
			}
		}
	}
	return true
}

// solve replaces b by the solution of a x = b, given the factor of a.
func solve(factor, b []float64) {
	n := len(b)
	for i := range n {
		b[i] = (b[i] - floats.Dot(factor[i*n:i*n+i], b[:i])) / factor[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		b[i] /= factor[i*n+i]
		for j := range i {
			b[j] -= factor[i*n+j] * b[i]
		}
	}
}
