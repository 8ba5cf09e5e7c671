package tile

import "github.com/prlab/prlab/prl/internal/fused"

// FourRows returns the products of four rows of len(x) numbers, stride apart in a, with x, and adds the rows times by to y. The length is a
// whole number of strips. A product has eight chains of fused multiply-add, one for each number of a strip, which are added in pairs four,
// two and one apart; an entry of y is one chain over the rows.
func FourRows(a []float64, stride int, x, y []float64, by *[4]float64) (products [4]float64) {
	if len(x) == 0 {
		return products
	}
	var sums [4 * Wide]float64
	fourRows(len(x), a, stride, x, y, by, &sums)
	for r := range products {
		s := (*[Wide]float64)(sums[r*Wide:])
		products[r] = ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))
	}
	return products
}

// AddRows adds four rows times by to y: what FourRows does without the products.
func AddRows(a []float64, stride int, y []float64, by *[4]float64) {
	if len(y) > 0 {
		var sums [4 * Wide]float64
		fourRows(len(y), a, stride, y, y, by, &sums)
	}
}

// plainFour is fourRows without assembly: the chains of FourRows.
func plainFour(n int, a []float64, stride int, x, y []float64, by *[4]float64, sums *[4 * Wide]float64) {
	for j := 0; j < n; j += Wide {
		to, in := (*[Wide]float64)(y[j:]), (*[Wide]float64)(x[j:])
		for r := range 4 {
			row, sum, v := (*[Wide]float64)(a[r*stride+j:]), (*[Wide]float64)(sums[r*Wide:]), by[r]
			for q, w := range row {
				sum[q] = fused.FMA(w, in[q], sum[q])
				to[q] = fused.FMA(w, v, to[q])
			}
		}
	}
}

// SymmetricProduct sets y to A x for the symmetric matrix A that has rows and columns from ... n-1 of a, of which it reads the entries on
// and above the diagonal. Rows of a are stride apart, a whole number of strips; a has as many rows, and the entries beyond n are zero. So
// are those of x outside from ... n-1. Numbers of y before from mean nothing.
func SymmetricProduct(y, x, a []float64, from, n, stride int) {
	first := from / 4 * 4
	clear(y[first:stride])
	for i := first; i < n; i += 4 {
		right := Padded(i + 4)
		sums := FourRows(a[i*stride+right:], stride, x[right:stride], y[right:stride], (*[4]float64)(x[i:]))
		for r, s := range sums {
			row := a[(i+r)*stride:][:stride]
			s = fused.FMA(row[i+r], x[i+r], s)
			for j := i + r + 1; j < right; j++ {
				s = fused.FMA(row[j], x[j], s)
				y[j] = fused.FMA(row[j], x[i+r], y[j])
			}
			y[i+r] += s
		}
	}
}

// AddTransposed adds u^T x to c: u is m x width, with width a whole number of strips, x is m x n and c is width x n, with n a whole number
// of strips. With a few tens of rows x stays in a cache, and need not be packed.
func AddTransposed(c, u, x []float64, m, width, n int) {
	if m == 0 {
		return
	}
	for j := 0; j < n; j += 2 * Wide {
		for i := 0; i < width; i += tall {
			addTile(products, m, u[i:], 1, width, x[j:], n, Wide, c[i*n+j:], n, tall, min(2*Wide, n-j), false)
		}
	}
}
