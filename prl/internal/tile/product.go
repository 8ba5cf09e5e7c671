package tile

import (
	"math"

	"github.com/prlab/prlab/prl/internal/fused"
)

const tall = 8 // rows of a tile

// A kind names what a tile adds up. A function value in its place would move the operands to the heap.
type kind int

const (
	products  kind = iota // fma(a, b, c)
	squares               // fma(a - b, a - b, c)
	absolutes             // c + |a - b|
)

// addTile adds to the first rows <= 8 and cols <= 16 entries of c, whose rows are cr apart, the sum over k steps: number r of row i of a is
// a[i ai + r ar], number r of column j of b is b[r br + j], or b[right + r br + j-8] from column 8 on. Fresh replaces c instead. All eight
// rows of a and eight columns of each part of b are to be readable.
func addTile(what kind, k int, a []float64, ai, ar int, b []float64, br, right int, c []float64, cr, rows, cols int, fresh bool) {
	if !fast || k == 0 {
		plainTile(what, k, a, ai, ar, b, br, right, c, cr, rows, cols, fresh)
		return
	}
	fastTile(what, k, a, ai, ar, b, br, right, c, cr, rows, cols, fresh)
}

// plainTile is what addTile computes.
func plainTile(what kind, k int, a []float64, ai, ar int, b []float64, br, right int, c []float64, cr, rows, cols int, fresh bool) {
	for i := range rows {
		for j := 0; j < cols; j += Wide {
			part, row := b[j/Wide*right:], c[i*cr+j:i*cr+min(j+Wide, cols)]
			if len(row) <= Wide/2 {
				plainFew(what, k, a[i*ai:], ar, part, br, row, fresh)
				continue
			}
			var s [Wide]float64
			if !fresh {
				copy(s[:], row)
			}
			if what == products {
				// Sums that are variables of their own, and no array, stay in registers.
				s0, s1, s2, s3, s4, s5, s6, s7 := s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]
				for r := range k {
					v, u := a[i*ai+r*ar], (*[Wide]float64)(part[r*br:])
					s0, s1, s2, s3 = fused.FMA(v, u[0], s0), fused.FMA(v, u[1], s1), fused.FMA(v, u[2], s2), fused.FMA(v, u[3], s3)
					s4, s5, s6, s7 = fused.FMA(v, u[4], s4), fused.FMA(v, u[5], s5), fused.FMA(v, u[6], s6), fused.FMA(v, u[7], s7)
				}
				s = [Wide]float64{s0, s1, s2, s3, s4, s5, s6, s7}
			} else {
				for r := range k {
					v := a[i*ai+r*ar]
					for q, w := range part[r*br : r*br+Wide] {
						s[q] = fused.FMA(v-w, v-w, s[q])
					}
				}
			}
			copy(row, s[:])
		}
	}
}

// plainFew is one row of plainTile, of fewer columns than fill a strip: the same sums without those of the padding.
func plainFew(what kind, k int, a []float64, ar int, b []float64, br int, row []float64, fresh bool) {
	for q, s := range row {
		if fresh {
			s = 0
		}
		if what == products {
			for r := range k {
				s = fused.FMA(a[r*ar], b[r*br+q], s)
			}
		} else {
			for r := range k {
				d := a[r*ar] - b[r*br+q]
				s = fused.FMA(d, d, s)
			}
		}
		row[q] = s
	}
}

// plainRow sets c to the sums of one row and the 32 columns in four strips: of a[r] and b[s strip + 8 r + j] over r for c[8 s + j].
func plainRow(what kind, k int, a, b []float64, strip int, c []float64) {
	for s := range 4 {
		if s > 0 && strip == 0 { // one strip, read four times
			copy(c[s*Wide:(s+1)*Wide], c)
			continue
		}
		sums := (*[Wide]float64)(c[s*Wide:])
		*sums = [Wide]float64{}
		for r, u := range a[:k] {
			row := (*[Wide]float64)(b[s*strip+r*Wide:])
			switch what {
			case products:
				for j, v := range row {
					sums[j] = fused.FMA(u, v, sums[j])
				}
			case squares:
				for j, v := range row {
					sums[j] = fused.FMA(u-v, u-v, sums[j])
				}
			default:
				for j, v := range row {
					sums[j] += math.Abs(u - v)
				}
			}
		}
	}
}

// plainTurn writes number r of each of m rows, i, to to[r step + i]. Rows of x have n numbers and are stride apart.
func plainTurn(n, m int, x []float64, stride int, to []float64, step int) {
	for i := range m {
		for r, v := range x[i*stride : i*stride+n] {
			to[r*step+i] = v
		}
	}
}
