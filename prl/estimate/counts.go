package estimate

import (
	"fmt"
	"math"

	"github.com/prlab/prlab/prl/fault"
)

// A Bernoulli law gives 1 the probability P and 0 the rest.
type Bernoulli struct{ P float64 }

// FitBernoulli returns the maximum likelihood estimate, the share of ones. Errors: no observations, or others than 0 and 1.
func FitBernoulli(xs []float64) (Bernoulli, error) {
	err := observations("estimate.FitBernoulli", xs, 1, func(x float64) bool { return x == 0 || x == 1 }, "0 or 1")
	if err != nil {
		return Bernoulli{}, err
	}
	return Bernoulli{mean(xs)}, nil
}

// LogDensity returns log P at 1, log(1-P) at 0 and -Inf elsewhere.
func (p Bernoulli) LogDensity(x float64) float64 {
	switch x {
	case 1:
		return math.Log(p.P)
	case 0:
		return math.Log1p(-p.P)
	}
	return math.Inf(-1)
}

// Score returns (x-P) / (P(1-P)).
func (p Bernoulli) Score(x float64) []float64 { return []float64{(x - p.P) / (p.P * (1 - p.P))} }

// Information returns 1 / (P(1-P)).
func (p Bernoulli) Information() []float64 { return []float64{1 / (p.P * (1 - p.P))} }

// String returns "Bernoulli(0.7)".
func (p Bernoulli) String() string { return fmt.Sprintf("Bernoulli(%.4g)", p.P) }

// A Poisson law gives the count x the probability Rate^x exp(-Rate) / x!.
type Poisson struct{ Rate float64 }

// FitPoisson returns the maximum likelihood estimate, the mean count; it is 0, on the border, when all counts are. Errors: no observations,
// or such that are not whole numbers of at least 0.
func FitPoisson(xs []float64) (Poisson, error) {
	whole := func(x float64) bool { return x >= 0 && x == math.Floor(x) }
	if err := observations("estimate.FitPoisson", xs, 1, whole, "a whole number of at least 0"); err != nil {
		return Poisson{}, err
	}
	return Poisson{mean(xs)}, nil
}

// LogDensity returns the logarithm of the probability of x; -Inf where x is no count.
func (p Poisson) LogDensity(x float64) float64 {
	if !(x >= 0) || x != math.Floor(x) {
		return math.Inf(-1)
	}
	factorial, _ := math.Lgamma(x + 1)
	return power(x, math.Log(p.Rate)) - p.Rate - factorial
}

// Score returns x/Rate - 1.
func (p Poisson) Score(x float64) []float64 { return []float64{x/p.Rate - 1} }

// Information returns 1/Rate.
func (p Poisson) Information() []float64 { return []float64{1 / p.Rate} }

// String returns "Poisson(0.61)".
func (p Poisson) String() string { return fmt.Sprintf("Poisson(%.4g)", p.Rate) }

// An Exponential law has the density Rate exp(-Rate x) for x >= 0.
type Exponential struct{ Rate float64 }

// FitExponential returns the maximum likelihood estimate, one over the mean. Errors: no observations, or such that are negative or not
// finite; observations that are all 0.
func FitExponential(xs []float64) (Exponential, error) {
	const name = "estimate.FitExponential"
	if err := observations(name, xs, 1, func(x float64) bool { return x >= 0 }, "a finite number of at least 0"); err != nil {
		return Exponential{}, err
	}
	rate := 1 / mean(xs)
	if math.IsInf(rate, 0) {
		return Exponential{}, fault.Argument(name, "the mean", mean(xs), "a number above 0", "zeros alone have no maximum")
	}
	return Exponential{rate}, nil
}

// LogDensity returns the logarithm of the density at x; -Inf below 0.
func (p Exponential) LogDensity(x float64) float64 {
	if !(x >= 0) {
		return math.Inf(-1)
	}
	return math.Log(p.Rate) - p.Rate*x
}

// Score returns 1/Rate - x.
func (p Exponential) Score(x float64) []float64 { return []float64{1/p.Rate - x} }

// Information returns 1/Rate^2.
func (p Exponential) Information() []float64 { return []float64{1 / (p.Rate * p.Rate)} }

// String returns "Exponential(0.333)".
func (p Exponential) String() string { return fmt.Sprintf("Exponential(%.4g)", p.Rate) }

// A Uniform law has the density 1/Max from 0 to Max. Its support moves with its parameter, so it is not Regular.
type Uniform struct{ Max float64 }

// FitUniform returns the maximum likelihood estimate, the largest observation. The log-likelihood -n log Max falls with a slope that is
// never zero from there on, and is -Inf before. Errors: no observations, or such that are negative or not finite; observations that are all
// 0.
func FitUniform(xs []float64) (Uniform, error) {
	const name = "estimate.FitUniform"
	if err := observations(name, xs, 1, func(x float64) bool { return x >= 0 }, "a finite number of at least 0"); err != nil {
		return Uniform{}, err
	}
	p := Uniform{}
	for _, x := range xs {
		p.Max = max(p.Max, x)
	}
	if p.Max == 0 {
		return p, fault.Argument(name, "the largest of xs", p.Max, "a number above 0", "zeros alone have no maximum")
	}
	return p, nil
}

// LogDensity returns -log Max from 0 to Max, and -Inf elsewhere.
func (p Uniform) LogDensity(x float64) float64 {
	if !(x >= 0 && x <= p.Max) {
		return math.Inf(-1)
	}
	return -math.Log(p.Max)
}

// String returns "Uniform(0 to 60)".
func (p Uniform) String() string { return fmt.Sprintf("Uniform(0 to %.4g)", p.Max) }
