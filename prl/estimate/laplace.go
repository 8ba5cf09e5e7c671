package estimate

import (
	"fmt"
	"math"

	"github.com/prlab/prlab/prl/fault"
)

// A Laplace law has the density exp(-|x-Location| / Scale) / (2 Scale).
type Laplace struct{ Location, Scale float64 }

// FitLaplace returns the maximum likelihood estimate: the median, for which the sum of the distances is least, and the mean distance from
// it. Of an even number of observations every place between the middle two is as likely; the middle of them is returned. Errors: no
// observations, or such that are not finite; observations that are all equal.
func FitLaplace(xs []float64) (Laplace, error) {
	const name = "estimate.FitLaplace"
	if err := observations(name, xs, 1, nil, "a finite number"); err != nil {
		return Laplace{}, err
	}
	at := median(xs)
	scale := distances(xs, at) / float64(len(xs))
	if !(scale > 0) || math.IsInf(scale, 0) {
		return Laplace{}, fault.Argument(name, "the mean distance from the median", scale, "a finite number above 0",
			"equal observations have no maximum")
	}
	return Laplace{at, scale}, nil
}

// LogDensity returns the logarithm of the density at x.
func (p Laplace) LogDensity(x float64) float64 {
	return -math.Abs(x-p.Location)/p.Scale - math.Log(2*p.Scale)
}

// String returns "Laplace(location 27, scale 4.5)".
func (p Laplace) String() string {
	return fmt.Sprintf("Laplace(location %.4g, scale %.4g)", p.Location, p.Scale)
}
