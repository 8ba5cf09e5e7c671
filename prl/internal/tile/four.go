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
	for r := 0; r < 4; r += 2 {
		// Sums that are variables of their own, and no array, stay in registers.
		one, other := (*[Wide]float64)(sums[r*Wide:]), (*[Wide]float64)(sums[(r+1)*Wide:])
		u, v, a, b := by[r], by[r+1], a[r*stride:], a[(r+1)*stride:]
		s0, s1, s2, s3, s4, s5, s6, s7 := one[0], one[1], one[2], one[3], one[4], one[5], one[6], one[7]
		t0, t1, t2, t3, t4, t5, t6, t7 := other[0], other[1], other[2], other[3], other[4], other[5], other[6], other[7]
		for j := 0; j < n; j += Wide {
			to, in := (*[Wide]float64)(y[j:]), (*[Wide]float64)(x[j:])
			w, z := (*[Wide]float64)(a[j:]), (*[Wide]float64)(b[j:])
			s0, t0, to[0] = fused.FMA(w[0], in[0], s0), fused.FMA(z[0], in[0], t0), fused.FMA(z[0], v, fused.FMA(w[0], u, to[0]))
			s1, t1, to[1] = fused.FMA(w[1], in[1], s1), fused.FMA(z[1], in[1], t1), fused.FMA(z[1], v, fused.FMA(w[1], u, to[1]))
			s2, t2, to[2] = fused.FMA(w[2], in[2], s2), fused.FMA(z[2], in[2], t2), fused.FMA(z[2], v, fused.FMA(w[2], u, to[2]))
			s3, t3, to[3] = fused.FMA(w[3], in[3], s3), fused.FMA(z[3], in[3], t3), fused.FMA(z[3], v, fused.FMA(w[3], u, to[3]))
			s4, t4, to[4] = fused.FMA(w[4], in[4], s4), fused.FMA(z[4], in[4], t4), fused.FMA(z[4], v, fused.FMA(w[4], u, to[4]))
			s5, t5, to[5] = fused.FMA(w[5], in[5], s5), fused.FMA(z[5], in[5], t5), fused.FMA(z[5], v, fused.FMA(w[5], u, to[5]))
			s6, t6, to[6] = fused.FMA(w[6], in[6], s6), fused.FMA(z[6], in[6], t6), fused.FMA(z[6], v, fused.FMA(w[6], u, to[6]))
			s7, t7, to[7] = fused.FMA(w[7], in[7], s7), fused.FMA(z[7], in[7], t7), fused.FMA(z[7], v, fused.FMA(w[7], u, to[7]))
		}
		*one, *other = [Wide]float64{s0, s1, s2, s3, s4, s5, s6, s7}, [Wide]float64{t0, t1, t2, t3, t4, t5, t6, t7}
	}
}

// SymmetricProduct sets y to A x for the symmetric matrix A that has rows and columns from ... n-1 of a, of which it reads the entries on
// and above the diagonal. Rows of a are stride apart, a whole number of strips; a has as many rows, and the entries beyond n are zero. So
// are those of x outside from ... n-1. Numbers of y before from mean nothing. Where x has several rows, so has y, and a is read once for
// all.
func SymmetricProduct(y, x, a []float64, from, n, stride int) {
	first := from / 4 * 4
	for at := 0; at < len(x); at += stride {
		clear(y[at+first : at+stride])
	}
	for i := first; i < n; i += 4 {
		right := Padded(i + 4)
		for at := 0; at < len(x); at += stride {
			x, y := x[at:at+stride], y[at:at+stride]
			sums := FourRows(a[i*stride+right:], stride, x[right:], y[right:], (*[4]float64)(x[i:]))
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
}
