package estimate

import (
	"fmt"
	"math"

	"github.com/prlab/prlab/prl/fault"
)

// A NormalMean is the normal belief in the mean of a normal distribution whose variance, Noise, is known.
type NormalMean struct{ Mean, Variance, Noise float64 }

// NewNormalMean returns the belief N(mean, variance) in the mean of observations with variance noise. Errors: a mean that is not finite,
// variances that are not finite and above zero.
func NewNormalMean(mean, variance, noise float64) (NormalMean, error) {
	const name = "estimate.NewNormalMean"
	if math.IsNaN(mean) || math.IsInf(mean, 0) {
		return NormalMean{}, fault.Argument(name, "mean", mean, "a finite number", "")
	}
	for _, p := range []struct {
		name string
		v    float64
	}{{"variance", variance}, {"noise", noise}} {
		if !(p.v > 0) || math.IsInf(p.v, 0) {
			return NormalMean{}, fault.Argument(name, p.name, p.v, "a finite number above 0", "")
		}
	}
	return NormalMean{mean, variance, noise}, nil
}

// See returns the belief after observations x, independent given the mean: precisions add, and the new mean is weighted by them,
//
//	1/Variance' = 1/Variance + n/Noise,   Mean' = Variance' (Mean/Variance + sum x / Noise).
//
// Errors: observations that are not finite.
func (p NormalMean) See(x ...float64) (NormalMean, error) {
	shift := 0.0
	for i, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return p, fault.Argument("estimate.NormalMean.See", fmt.Sprintf("x[%d]", i), v, "a finite number", "")
		}
		shift += v - p.Mean
	}
	precision := 1/p.Variance + float64(len(x))/p.Noise
	return NormalMean{p.Mean + shift/p.Noise/precision, 1 / precision, p.Noise}, nil
}

// Density returns the density of the belief at a mean.
func (p NormalMean) Density(mean float64) float64 { return normal(mean, p.Mean, p.Variance) }

// Predictive returns the density of the next observation at x, N(Mean, Variance + Noise).
func (p NormalMean) Predictive(x float64) float64 { return normal(x, p.Mean, p.Variance+p.Noise) }

// String returns "N(1.5, 0.25)".
func (p NormalMean) String() string { return fmt.Sprintf("N(%g, %g)", p.Mean, p.Variance) }

func normal(x, mean, variance float64) float64 {
	return math.Exp(-(x-mean)*(x-mean)/(2*variance)) / math.Sqrt(2*math.Pi*variance)
}
