//go:build !purego

package tile

import "unsafe"

func (r *Recursion) forward(x []float64, b Table, sums []float64, low float64) (done int) {
	pairs := (r.K + 1) / 2
	switch {
	case !fast || r.K == 0:
		return r.plainForward(x, b, sums, low)
	case wide:
		return forwardWide(len(sums), pairs, r.Width, &x[0], &r.matrix[0], unsafe.SliceData(b.Rows), unsafe.SliceData(b.Index), &sums[0], low)
	}
	return forward4(len(sums), pairs, r.Width, &x[0], &r.matrix[0], unsafe.SliceData(b.Rows), unsafe.SliceData(b.Index), &sums[0], low)
}

func (r *Recursion) backward(x, w []float64, b Table, scales, sums []float64, low float64) (done int) {
	pairs := (r.K + 1) / 2
	switch {
	case !fast || r.K == 0:
		return r.plainBackward(x, w, b, scales, sums, low)
	case wide:
		return backwardWide(
			len(sums),
			pairs,
			r.Width,
			&x[0],
			&r.matrix[0],
			unsafe.SliceData(b.Rows),
			unsafe.SliceData(b.Index),
			&sums[0],
			&w[0],
			low,
			unsafe.SliceData(scales),
		)
	}
	return backward4(
		len(sums),
		pairs,
		r.Width,
		&x[0],
		&r.matrix[0],
		unsafe.SliceData(b.Rows),
		unsafe.SliceData(b.Index),
		&sums[0],
		&w[0],
		low,
		unsafe.SliceData(scales),
	)
}

func (r *Recursion) smooth(x, w []float64, b Table, scales, beta []float64) {
	pairs := (r.K + 1) / 2
	switch {
	case !fast || r.K == 0:
		r.plainSmooth(x, w, b, scales, beta)
	case wide:
		smoothWide(
			len(scales),
			pairs,
			r.Width,
			&x[0],
			&r.matrix[0],
			unsafe.SliceData(b.Rows),
			unsafe.SliceData(b.Index),
			&scales[0],
			&beta[0],
			&w[0],
		)
	default:
		smooth4(
			len(scales),
			pairs,
			r.Width,
			&x[0],
			&r.matrix[0],
			unsafe.SliceData(b.Rows),
			unsafe.SliceData(b.Index),
			&scales[0],
			&beta[0],
			&w[0],
		)
	}
}

// forward4 is plainForward for steps > 0 and 2 pairs >= K > 0. A nil index stands for rows in order.
//
//go:noescape
func forward4(steps, pairs, width int, x, a, rows *float64, index *int, sums *float64, low float64) (done int)

// forwardWide is forward4 with registers of eight numbers.
//
//go:noescape
func forwardWide(steps, pairs, width int, x, a, rows *float64, index *int, sums *float64, low float64) (done int)

// backward4 is plainBackward for steps > 0 and 2 pairs >= K > 0. Nil scales divide by nothing.
//
//go:noescape
func backward4(steps, pairs, width int, x, a, rows *float64, index *int, sums, w *float64, low float64, scales *float64) (done int)

// backwardWide is backward4 with registers of eight numbers.
//
//go:noescape
func backwardWide(steps, pairs, width int, x, a, rows *float64, index *int, sums, w *float64, low float64, scales *float64) (done int)

// smooth4 is plainSmooth for steps > 0 and 2 pairs >= K > 0.
//
//go:noescape
func smooth4(steps, pairs, width int, x, a, rows *float64, index *int, scales, beta, w *float64)

// smoothWide is smooth4 with registers of eight numbers.
//
//go:noescape
func smoothWide(steps, pairs, width int, x, a, rows *float64, index *int, scales, beta, w *float64)
