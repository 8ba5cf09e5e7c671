package learn

import (
	"math"

	"github.com/prlab/prlab/prl/fault"
)

// Hoeffding bounds how far the mean of n independent numbers in [0, 1] strays from its expectation:
//
//	P(|mean - p| >= epsilon) <= 2 exp(-2 n epsilon^2)
//
// Source: W. Hoeffding (1963), Journal of the American Statistical Association 58, 13-30, theorem 1.
type Hoeffding struct{}

// Bound returns 2 exp(-2 n epsilon^2), not cut at 1.
func (Hoeffding) Bound(n int, epsilon float64) (float64, error) {
	return FiniteOf(1).UniformBound(n, epsilon)
}

// SampleSize returns the smallest n with 2 exp(-2 n epsilon^2) <= delta.
func (Hoeffding) SampleSize(epsilon, delta float64) (int, error) {
	return FiniteOf(1).UniformSampleSize(epsilon, delta)
}

// Deviation returns epsilon = sqrt(log(2/delta) / (2n)).
func (Hoeffding) Deviation(n int, delta float64) (float64, error) {
	return FiniteOf(1).Deviation(n, delta)
}

// HoeffdingMGF returns both sides of Hoeffding's lemma for a Bernoulli(p) number x: E exp(s(x - p)) and exp(s^2/8).
func HoeffdingMGF(p, s float64) (moment, bound float64, err error) {
	if err := checkProbability("learn.HoeffdingMGF", "p", p); err != nil {
		return 0, 0, err
	}
	if s-s != 0 {
		return 0, 0, fault.Argument("learn.HoeffdingMGF", "s", s, "a finite number", "")
	}
	return p*math.Exp(s*(1-p)) + (1-p)*math.Exp(-s*p), math.Exp(s * s / 8), nil
}

// Chernoff returns exp(-n KL(p + epsilon || p)), the sharpest bound of exponential form for P(mean >= p + epsilon); it is never above
// exp(-2 n epsilon^2), and 0 when p + epsilon > 1.
func Chernoff(n int, p, epsilon float64) (float64, error) {
	const who = "learn.Chernoff"
	if err := checkBinomial(who, n, p); err != nil {
		return 0, err
	}
	if !(epsilon >= 0) {
		return 0, fault.Argument(who, "epsilon", epsilon, "a deviation of 0 or more", "")
	}
	return math.Exp(-float64(n) * binaryKL(p+epsilon, p)), nil
}

// binaryKL returns the Kullback-Leibler divergence of Bernoulli(q) from Bernoulli(p), in nats.
func binaryKL(q, p float64) float64 {
	if q > 1 {
		return math.Inf(1)
	}
	kl := 0.0
	if q > 0 {
		kl += q * math.Log(q/p)
	}
	if q < 1 {
		kl += (1 - q) * math.Log((1-q)/(1-p))
	}
	return kl
}
