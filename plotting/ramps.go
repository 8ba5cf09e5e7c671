package plotting

import (
	"math"

	"github.com/prlab/prlab/plotting/internal/scene"
)

// span returns the ends of a ramp for the values that are finite; for a diverging ramp its middle is 0.
func span(values []float64, diverging bool) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if scene.Drawable(v) {
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

func rampPaint(v, lo, hi float64, diverging bool, o float64) scene.Paint {
	if !scene.Drawable(v) {
		return scene.Paint{Token: scene.TokenMuted, Opacity: 0.3}
	}
	t := math.Round(1000*min(max((v-lo)/(hi-lo), 0), 1)) / 1000
	if diverging {
		return scene.Paint{Token: scene.TokenDiverging, Value: t, Opacity: o}
	}
	return scene.Paint{Token: scene.TokenSequential, Value: t, Opacity: o}
}
