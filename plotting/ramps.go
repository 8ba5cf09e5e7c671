package plotting

import "math"

// span returns the ends of a ramp for the values that are finite; for a diverging ramp its middle is 0.
func span(values []float64, diverging bool) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if drawable(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if lo > hi {
		lo, hi = 0, 1
	}
	if diverging {
		m := max(math.Abs(lo), math.Abs(hi))
		lo, hi = -m, m
	}
	if lo == hi {
		half := max(math.Abs(lo)*0.1, 1e-290)
		if lo == 0 {
			half = 1
		}
		lo, hi = lo-half, hi+half
	}
	return lo, hi
}

func rampPaint(v, lo, hi float64, diverging bool, o float64) paint {
	if !drawable(v) {
		return paint{Token: tokenMuted, Opacity: 0.3}
	}
	t := math.Round(1000*min(max((v-lo)/(hi-lo), 0), 1)) / 1000
	if diverging {
		return paint{Token: tokenDiverging, Value: t, Opacity: o}
	}
	return paint{Token: tokenSequential, Value: t, Opacity: o}
}
