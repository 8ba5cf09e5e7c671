//go:build !amd64 || purego

package tile

func fastTile(kind, int, []float64, int, int, []float64, int, int, []float64, int, int, int, bool) {}

func rowTile(what kind, k int, a, b []float64, strip int, c []float64) {
	plainRow(what, k, a, b, strip, c)
}

func turnFour(n int, x []float64, stride int, to []float64, step int) {
	plainTurn(n, 4, x, stride, to, step)
}
