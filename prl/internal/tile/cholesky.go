package tile

import (
	"math"

	"github.com/prlab/prlab/prl/internal/fused"
)

// block is the number of rows that Cholesky factorises together.
const block = 4 * Wide

// Cholesky puts U with A = U^T U in the place of the upper triangle of a symmetric matrix A, side x side with whole strips. What stands
// below the diagonal means nothing. It reports whether A is positive definite: whether what is left of each number on the diagonal is more
// than tiny times that number.
func Cholesky(a []float64, side int, tiny float64) bool {
	least := make([]float64, side)
	for i := range least {
		least[i] = tiny * a[i*side+i]
	}
	for from := 0; from < side; from += block {
		to := min(from+block, side)
		for k := from; k < to; k++ {
			row, left := a[k*side:(k+1)*side], k/Wide*Wide
			for l := from; l < k; l++ {
				above := a[l*side : (l+1)*side]
				AddScaled(row[left:], -above[k], above[left:])
			}
			if !(row[k] > max(least[k], 0)) {
				return false
			}
			scale := 1 / math.Sqrt(row[k])
			for j := k; j < side; j++ {
				row[j] *= scale
			}
		}
		if rest := side - to; rest > 0 {
			U := Dense(a[from*side+to:], to-from, rest, side)
			Dense(a[to*side+to:], rest, rest, side).AddUpper(-1, U.T(), U)
		}
	}
	return true
}

// InvertUpper returns the inverse of an upper triangular matrix U, side x side with whole strips, with zeros below the diagonal. What is
// there in U means nothing. Of a block of columns J it begins with V, the inverse of U's part on the diagonal; above that stands -W U_J V,
// where W is the inverse so far.
func InvertUpper(u []float64, side int) []float64 {
	w, room := make([]float64, side*side), make([]float64, side*block)
	for from := 0; from < side; from += block {
		n := min(block, side-from)
		for j := from; j < from+n; j++ { // column j of V, from the diagonal up
			w[j*side+j] = 1 / u[j*side+j]
			for i := j - 1; i >= from; i-- {
				sum := 0.0
				for k := i + 1; k <= j; k++ {
					sum = fused.FMA(u[i*side+k], w[k*side+j], sum)
				}
				w[i*side+j] = -sum / u[i*side+i]
			}
		}
		if from == 0 {
			continue
		}
		product := Dense(room, from, n, n)
		product.SetProduct(Dense(u[from:], from, n, side), Dense(w[from*side+from:], n, n, side))
		Dense(w[from:], from, n, side).AddProduct(-1, Dense(w, from, from, side), product)
	}
	return w
}

// Pad returns the symmetric n x n matrix A as Cholesky takes it: with ones on the diagonal of the columns that make whole strips.
func Pad(a []float64, n int) []float64 {
	side := Padded(n)
	out := make([]float64, side*side)
	for i := range n {
		copy(out[i*side:], a[i*n:(i+1)*n])
	}
	for i := n; i < side; i++ {
		out[i*side+i] = 1
	}
	return out
}

// Solve replaces b by the solution of A x = b, given U. Numbers of b that are wanting for a whole strip are zeros.
func Solve(u, b []float64) {
	side := Padded(len(b))
	if side > len(b) {
		whole := make([]float64, side)
		copy(whole, b)
		Solve(u, whole)
		copy(b, whole)
		return
	}
	for k := range side {
		row := u[k*side : (k+1)*side]
		b[k] /= row[k]
		j := k + 1
		for ; j%Wide != 0; j++ {
			b[j] -= b[k] * row[j]
		}
		AddScaled(b[j:], -b[k], row[j:])
	}
	for k := side - 1; k >= 0; k-- {
		row := u[k*side : (k+1)*side]
		j, sum := k+1, 0.0
		for ; j%Wide != 0; j++ {
			sum += row[j] * b[j]
		}
		b[k] = (b[k] - sum - Dot(row[j:], b[j:])) / row[k]
	}
}
