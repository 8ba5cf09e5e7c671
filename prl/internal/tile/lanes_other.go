//go:build !amd64 || purego

package tile

func nearest(d int, x, centres, first, second []float64, at []int) {
	plainNearest(d, x, centres, first, second, at)
}

func turn(d int, x, to []float64) { plainTurn(d, lanes, x, to) }

func subtract(m, d int, x, mean, dst []float64, stride int) {
	plainSubtract(m, d, x, mean, dst, stride)
}

func sumDifferences(m, d int, x, pilot, sum []float64) { plainSumDifferences(m, d, x, pilot, sum) }

func productWide(int, int, []float64, []float64, int, []float64, int, int) {}
