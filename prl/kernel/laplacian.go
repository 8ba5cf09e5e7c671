package kernel

import "math"

// Laplacian is K(a, b) = exp(-gamma |a - b|_1) with the sum of absolute differences in the exponent, Gamma > 0.
type Laplacian struct {
	Gamma float64
}

// Eval returns exp(-gamma |a - b|_1).
func (k Laplacian) Eval(a, b []float64) float64 {
	if len(a) != len(b) {
		return math.NaN()
	}
	sum := 0.0
	for i, v := range a {
		sum += math.Abs(v - b[i])
	}
	return math.Exp(-k.Gamma * sum)
}

// String returns "Laplacian(gamma=0.5)".
func (k Laplacian) String() string { return "Laplacian(gamma=" + number(k.Gamma) + ")" }

func (k Laplacian) check(function string) error { return checkGamma(function, "Laplacian", k.Gamma) }
