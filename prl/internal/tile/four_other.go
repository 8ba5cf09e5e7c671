//go:build !amd64 || purego

package tile

func fourRows(n int, a []float64, stride int, x, y []float64, by *[4]float64, sums *[4 * Wide]float64) {
	plainFour(n, a, stride, x, y, by, sums)
}
