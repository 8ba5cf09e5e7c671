//go:build !purego

package tile

func nearest(d int, x, centres, first, second []float64, at []int) {
	groups := len(centres) / (four * d)
	_, _, _, _ = x[d*lanes-1], first[lanes-1], second[lanes-1], at[lanes-1]
	switch {
	case !fast:
		plainNearest(d, x, centres, first, second, at)
	case wide:
		nearest16(d, groups, &x[0], &centres[0], &first[0], &second[0], &at[0])
	default:
		nearest8(d, groups, &x[0], &centres[0], &first[0], &second[0], &at[0])
		nearest8(d, groups, &x[lanes/2], &centres[0], &first[lanes/2], &second[lanes/2], &at[lanes/2])
	}
}

func turn(d int, x, to []float64) {
	if !fast || d < 4 {
		plainTurn(d, lanes, x, to)
		return
	}
	_, _ = x[lanes*d-1], to[lanes*d-1]
	turn16(d, &x[0], &to[0])
}

func subtract(m, d int, x, mean, dst []float64, stride int) {
	if !fast {
		plainSubtract(m, d, x, mean, dst, stride)
		return
	}
	_, _, _ = x[m*d-1], mean[d-1], dst[(m-1)*stride+d-1]
	subtractRows(m, d, &x[0], &mean[0], &dst[0], stride)
}

func sumDifferences(m, d int, x, pilot, sum []float64) {
	if !fast {
		plainSumDifferences(m, d, x, pilot, sum)
		return
	}
	_, _, _ = x[m*d-1], pilot[d-1], sum[d-1]
	sumRows(m, d, &x[0], &pilot[0], &sum[0])
}

// productWide writes the product of the first k numbers of four rows, ar apart, with the first count of the 16 columns of two strips, the second of which
// begins at b[right].
func productWide(ar, k int, a, b []float64, right int, c []float64, cr, count int) {
	_, _, _ = a[4*ar-1], b[right+8*k-1], c[3*cr+count-1]
	product4x16(k, &a[0], ar, &b[0], right, &c[0], cr, 1<<count-1)
}

// nearest16 is plainNearest for d > 0 and groups > 0, with registers of eight numbers.
//
//go:noescape
func nearest16(d, groups int, x, centres, first, second *float64, at *int)

// nearest8 is plainNearest of the first eight rows for d > 0 and groups > 0.
//
//go:noescape
func nearest8(d, groups int, x, centres, first, second *float64, at *int)

// turn16 is plainTurn of sixteen rows for d > 3.
//
//go:noescape
func turn16(d int, x, to *float64)

// subtractRows is plainSubtract for m > 0.
//
//go:noescape
func subtractRows(m, d int, x, mean, dst *float64, stride int)

// sumRows is plainSumDifferences for m > 0.
//
//go:noescape
func sumRows(m, d int, x, pilot, sum *float64)

// product4x16 writes to c, whose rows are cr apart, the product of the first k > 0 numbers of four rows, ar apart, with two strips; of each row only
// the columns whose bits are set in mask.
//
//go:noescape
func product4x16(k int, a *float64, ar int, b *float64, right int, c *float64, cr, mask int)
