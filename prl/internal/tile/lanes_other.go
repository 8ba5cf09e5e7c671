//go:build !amd64 || purego

package tile

func nearest(d int, x, centres, first, second []float64, at []int) {
	plainNearest(d, x, centres, first, second, at)
}

func subtract(m, d int, x, mean, dst []float64, stride int) {
	plainSubtract(m, d, x, mean, dst, stride)
}

func sumDifferences(m, d int, x, pilot, sum []float64) { plainSumDifferences(m, d, x, pilot, sum) }

func sumMoments(m, d int, x, pilot []float64, w float64, sum, squares []float64) {
	plainSumMoments(m, d, x, pilot, w, sum, squares)
}
