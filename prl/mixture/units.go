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
		largest = max(largest, largestOf(list))
	}
	if largest == 0 || largest >= 1e-100 && largest <= 1e100 {
		return 0
	}
	_, e := math.Frexp(largest)
	return e
}

// largestOf returns the largest absolute value of numbers without NaN, 0 of none. The bits of positive numbers have the order of the
// numbers, and integers are compared faster.
func largestOf(x []float64) float64 {
	const sign = 1 << 63
	var m [4]uint64
	i := 0
	for ; i+3 < len(x); i += 4 {
		m[0] = max(m[0], math.Float64bits(x[i])&^sign)
		m[1] = max(m[1], math.Float64bits(x[i+1])&^sign)
		m[2] = max(m[2], math.Float64bits(x[i+2])&^sign)
		m[3] = max(m[3], math.Float64bits(x[i+3])&^sign)
	}
	for ; i < len(x); i++ {
		m[0] = max(m[0], math.Float64bits(x[i])&^sign)
	}
	return math.Float64frombits(max(m[0], m[1], m[2], m[3]))
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
