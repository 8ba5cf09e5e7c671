//go:build !purego

package tile

func dot(x, y []float64) float64 {
	if !fast {
		return plainDot(x, y)
	}
	return dot8(len(x), &x[0], &y[0])
}

func addScaled(y []float64, by float64, x []float64) {
	if !fast {
		plainAddScaled(y, by, x)
		return
	}
	addScaled8(len(x), by, &x[0], &y[0])
}

// dot8 is plainDot of n numbers, n > 0.
//
//go:noescape
func dot8(n int, x, y *float64) float64

// addScaled8 is plainAddScaled of n numbers, n > 0.
//
//go:noescape
func addScaled8(n int, by float64, x, y *float64)
