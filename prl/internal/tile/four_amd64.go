//go:build !purego

package tile

func fourRows(n int, a []float64, stride int, x, y []float64, by *[4]float64, sums *[4 * Wide]float64) {
	if !fast {
		plainFour(n, a, stride, x, y, by, sums)
		return
	}
	_, _, _ = a[3*stride+n-1], x[n-1], y[n-1]
	four8(n, &a[0], stride, &x[0], &y[0], by, sums)
}

// four8 is plainFour for n > 0, with sums that were zero.
//
//go:noescape
func four8(n int, a *float64, stride int, x, y *float64, by *[4]float64, sums *[4 * Wide]float64)
