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

func sumMoments(m, d int, x, pilot []float64, w float64, sum, squares []float64) {
	if !fast {
		plainSumMoments(m, d, x, pilot, w, sum, squares)
		return
	}
	_, _, _, _ = x[m*d-1], pilot[d-1], sum[d-1], squares[d-1]
	momentRows(m, d, &x[0], &pilot[0], w, &sum[0], &squares[0])
}

// nearest16 is plainNearest for d > 0 and groups > 0, with registers of eight numbers.
//
//go:noescape
func nearest16(d, groups int, x, centres, first, second *float64, at *int)

// nearest8 is plainNearest of the first eight rows for d > 0 and groups > 0.
//
//go:noescape
func nearest8(d, groups int, x, centres, first, second *float64, at *int)

// subtractRows is plainSubtract for m > 0.
//
//go:noescape
func subtractRows(m, d int, x, mean, dst *float64, stride int)

// sumRows is plainSumDifferences for m > 0.
//
//go:noescape
func sumRows(m, d int, x, pilot, sum *float64)

// momentRows is plainSumMoments for m > 0.
//
//go:noescape
func momentRows(m, d int, x, pilot *float64, w float64, sum, squares *float64)
