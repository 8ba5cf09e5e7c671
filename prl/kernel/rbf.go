package kernel

import "math"

// RBF is the Gaussian kernel K(a, b) = exp(-gamma |a - b|^2), Gamma > 0. In terms of a width sigma, gamma = 1/(2 sigma^2).
type RBF struct {
	Gamma float64
}

// Width returns the RBF kernel of width sigma: gamma = 1/(2 sigma^2).
func Width(sigma float64) RBF { return RBF{Gamma: 1 / (2 * sigma * sigma)} }

// Eval returns exp(-gamma |a - b|^2).
func (k RBF) Eval(a, b []float64) float64 {
	if len(a) != len(b) {
		return math.NaN()
	}
	sum := 0.0
	for i, v := range a {
		v -= b[i]
		sum += v * v
	}
	return math.Exp(-k.Gamma * sum)
}

// String returns "RBF(gamma=0.5)".
func (k RBF) String() string { return "RBF(gamma=" + number(k.Gamma) + ")" }

func (k RBF) check(function string) error { return checkGamma(function, "RBF", k.Gamma) }
