package kernel

import "math"

// Brownian is K(a, b) = prod_i min(a_i, b_i) on points with non-negative coordinates: in one dimension the covariance of Brownian motion,
// whose Mercer series on [0, 1] is sum_j 8/((2j-1)^2 pi^2) sin((2j-1) pi s/2) sin((2j-1) pi t/2).
type Brownian struct{}

// Eval returns prod_i min(a_i, b_i).
func (Brownian) Eval(a, b []float64) float64 {
	if len(a) != len(b) {
		return math.NaN()
	}
	product := 1.0
	for i, v := range a {
		product *= math.Min(v, b[i])
	}
	return product
}

// String returns "Brownian".
func (Brownian) String() string { return "Brownian" }

// BrownianSeries returns the first terms of the Mercer series of min(s, t) on [0, 1].
func BrownianSeries(s, t float64, terms int) float64 {
	sum := 0.0
	for j := 1; j <= terms; j++ {
		w := float64(2*j-1) * math.Pi / 2
		sum += 2 / (w * w) * math.Sin(w*s) * math.Sin(w*t)
	}
	return sum
}
