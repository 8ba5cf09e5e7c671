//go:build !amd64 || purego

package tile

func thinProduct(sums *[Thin]float64, at []int32, values, table []float64) {
	plainThin(sums, at, values, table)
}
