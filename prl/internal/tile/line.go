package tile

import "github.com/prlab/prlab/prl/internal/fused"

// Dot returns the product of x and y, of which each has as many numbers, whole strips. It has sixteen chains of fused multiply-add, number
// r in chain r % 16, which are added in pairs eight, four, two and one apart.
func Dot(x, y []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	return dot(x, y[:len(x)])
}

// AddScaled adds x times by to y, by fused multiply-add. Both have as many numbers, whole strips.
func AddScaled(y []float64, by float64, x []float64) {
	if len(x) > 0 {
		addScaled(y[:len(x)], by, x)
	}
}

// plainDot is what Dot computes.
func plainDot(x, y []float64) float64 {
	var s [2 * Wide]float64
	for r := 0; r < len(x); r += Wide {
		part, u, v := (*[Wide]float64)(s[r%(2*Wide):]), (*[Wide]float64)(x[r:]), (*[Wide]float64)(y[r:])
		for q := range part {
			part[q] = fused.FMA(u[q], v[q], part[q])
		}
	}
	for apart := Wide; apart > 0; apart /= 2 {
		for q := range apart {
			s[q] += s[q+apart]
		}
	}
	return s[0]
}

// plainAddScaled is what AddScaled computes.
func plainAddScaled(y []float64, by float64, x []float64) {
	for r, v := range x {
		y[r] = fused.FMA(v, by, y[r])
	}
}
