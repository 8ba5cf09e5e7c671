package tile

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// strip is the number of columns that Cholesky factorises together.
const strip = 64

// Cholesky replaces the lower triangle of a symmetric n x n matrix by L with L L^T = A. It tells whether A is positive definite: whether
// what is left of each number on the diagonal is more than tiny times that number.
func Cholesky(a []float64, n int, tiny float64) bool {
	whole := Dense(a, n, n, n)
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
				if !(v > tiny*tops[i]) {
					return false
				}
				a[i*n+i] = math.Sqrt(v)
			}
		}
	}
	return true
}

// Solve replaces b by the solution of A x = b, given what Cholesky has made of A.
func Solve(factor, b []float64) {
	n := len(b)
	for i := range n {
		b[i] = (b[i] - floats.Dot(factor[i*n:i*n+i], b[:i])) / factor[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		b[i] /= factor[i*n+i]
		floats.AddScaled(b[:i], -b[i], factor[i*n:i*n+i])
	}
}
