//go:build !amd64 || purego

package tile

const fast, wide = false, false

func minPlus(cost []float64, b []float64, br int, best []float64, arg []int64) {
	plainMinPlus(cost, b, br, best, arg)
}

func exponentials(int, *float64) {}

func tanhWide(int, *float64, *float64) {}

func finite16(int, *float64) bool { return false }
