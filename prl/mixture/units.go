package mixture

import (
	"math"
	"slices"

	"github.com/prlab/prlab/prl/estimator"
)

// exponent returns e such that numbers divided by 2^e can be squared and summed without overflow and without loss: 0 for numbers of
// ordinary size.
func exponent(lists ...[]float64) int {
	largest := 0.0
	for _, list := range lists {
		for _, v := range list {
			largest = max(largest, math.Abs(v))
		}
	}
	if largest == 0 || largest >= 1e-100 && largest <= 1e100 {
		return 0
	}
	_, e := math.Frexp(largest)
	return e
}

// scaled returns x divided by 2^e, which is exact; x itself for e = 0.
func scaled(x []float64, e int) []float64 {
	if e == 0 {
		return x
	}
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = math.Ldexp(v, -e)
	}
	return out
}

// scaleWeights returns weights that can be summed, and what a sum of them is to be multiplied with.
func scaleWeights(w []float64) (scaled []float64, unit float64) {
	scaled = estimator.ScaleWeights(w)
	if len(w) == 0 || &scaled[0] == &w[0] {
		return w, 1
	}
	return scaled, slices.Max(w) / slices.Max(scaled)
}
