package svm

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// TwoPoints returns the hard-margin machine for one point of each class in closed form: both multipliers are alpha = 2/|p - q|^2, so that
// w = 2 (p - q)/|p - q|^2, b = (|q|^2 - |p|^2)/|p - q|^2, and the margin is half their distance. Points that coincide give +Inf and NaN,
// points of unequal lengths NaN and no w.
func TwoPoints(positive, negative []float64) (alpha float64, w []float64, b float64) {
	if len(positive) != len(negative) {
		return math.NaN(), nil, math.NaN()
	}
	d := floats.Distance(positive, negative, 2)
	alpha = 2 / (d * d)
	w = make([]float64, len(positive))
	for j := range w {
		w[j] = alpha * (positive[j] - negative[j])
	}
	return alpha, w, (floats.Dot(negative, negative) - floats.Dot(positive, positive)) / (d * d)
}
