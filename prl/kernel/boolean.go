package kernel

import "math"

// Boolean is K(a, b) = prod_i (1 + a_i b_i). Its features are all monomials in which no variable occurs twice, so that on {0,1}^d every
// boolean function is linear in its feature space of dimension 2^d.
type Boolean struct{}

// Eval returns prod_i (1 + a_i b_i).
func (Boolean) Eval(a, b []float64) float64 {
	if len(a) != len(b) {
		return math.NaN()
	}
	product := 1.0
	for i, v := range a {
		product *= 1 + v*b[i]
	}
	return product
}

// String returns "boolean".
func (Boolean) String() string { return "boolean" }
