//go:build !amd64 || purego

package tile

const fast, wide = false, false

func mul(k int, a []float64, ai, ar int, b []float64, br int, c []float64, cr int) {
	plainMul(k, a, ai, ar, b, br, c, cr)
}

func distances(k int, a []float64, ai, ar int, b []float64, br int, c []float64, cr int) {
	plainDistances(k, a, ai, ar, b, br, c, cr)
}

func mulWide(int, []float64, int, int, []float64, int, int, []float64, int) {}

func distancesWide(int, []float64, int, int, []float64, int, int, []float64, int) {}

func mulRow(k int, a, b []float64, strip int, c []float64) { plainMulRow(k, a, b, strip, c) }

func distancesRow(k int, a, b []float64, strip int, c []float64) {
	plainDistancesRow(k, a, b, strip, c)
}

func absoluteRow(k int, a, b []float64, strip int, c []float64) {
	plainAbsoluteRow(k, a, b, strip, c)
}

func minPlus(cost []float64, b []float64, br int, best []float64, arg []int64) {
	plainMinPlus(cost, b, br, best, arg)
}

func exp16(int, *float64) {}

func finite16(int, *float64) bool { return false }
