//go:build !amd64 || purego

package tile

func (r *Recursion) forward(x []float64, b Table, sums []float64, low float64) (done int) {
	return r.plainForward(x, b, sums, low)
}

func (r *Recursion) backward(x, w []float64, b Table, scales, sums []float64, low float64) (done int) {
	return r.plainBackward(x, w, b, scales, sums, low)
}

func (r *Recursion) smooth(x, w []float64, b Table, scales, beta []float64) {
	r.plainSmooth(x, w, b, scales, beta)
}
