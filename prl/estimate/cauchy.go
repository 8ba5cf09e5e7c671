package estimate

import (
	"fmt"
	"math"
	"slices"

	"github.com/prlab/prlab/prl/fault"
)

// A Cauchy law has the density Scale / (pi (Scale^2 + (x-Location)^2)). It has neither mean nor variance.
type Cauchy struct{ Location, Scale float64 }

// FitCauchy returns the maximum likelihood estimate of location and scale together, of which there is one: each step weighs an observation
// at the distance z = (x-Location)/Scale by 1/(1+z^2) and takes the weighted mean and the weighted mean square about it, which never makes
// the likelihood smaller. With the scale fixed there may be several maxima; see Peaks. Errors: fewer than 3 observations, or such that are
// not finite; a value that half of the observations or more share, for which there is no maximum.
//
// Sources: J. B. Copas (1975), On the unimodality of the likelihood for the Cauchy distribution; J. T. Kent, D. E. Tyler and Y. Vardi
// (1994), A curious likelihood identity for the multivariate t-distribution.
func FitCauchy(xs []float64) (Cauchy, error) {
	const name = "estimate.FitCauchy"
	if err := observations(name, xs, 3, nil, "a finite number"); err != nil {
		return Cauchy{}, err
	}
	s, n := slices.Clone(xs), len(xs)
	slices.Sort(s)
	for i := 0; i+(n+1)/2-1 < n; i++ {
		if s[i] == s[i+(n+1)/2-1] {
			return Cauchy{}, fault.Argument(name, "the value shared by half of xs", s[i], "no value shared by so many", "there is no maximum")
		}
	}
	p := Cauchy{s[(n-1)/2]/2 + s[n/2]/2, (s[(3*n-1)/4] - s[n/4]) / 2}
	if !(p.Scale > 0) {
		p.Scale = (s[n-1] - s[0]) / float64(n)
	}
	const limit = 100_000
	for range limit {
		weights, shift := 0.0, 0.0
		for _, x := range s {
			z := (x - p.Location) / p.Scale
			w := 1 / (1 + z*z)
			weights, shift = weights+w, shift+w*z
		}
		shift /= weights
		square := 0.0
		for _, x := range s {
			z := (x - p.Location) / p.Scale
			square += (z - shift) * (z - shift) / (1 + z*z)
		}
		factor := math.Sqrt(square / weights)
		p = Cauchy{p.Location + shift*p.Scale, p.Scale * factor}
		if math.Abs(shift)+math.Abs(factor-1) < 1e-14*math.Sqrt(float64(n))+4e-15 {
			return p, nil
		}
	}
	return Cauchy{}, fault.In(name, fmt.Errorf("no convergence after %d steps", limit))
}

// LogDensity returns the logarithm of the density at x.
func (p Cauchy) LogDensity(x float64) float64 {
	z := (x - p.Location) / p.Scale
	return -math.Log1p(z*z) - math.Log(math.Pi*p.Scale)
}

// Score returns 2z / (Scale (1+z^2)) and (z^2-1) / (Scale (1+z^2)) with z = (x-Location)/Scale.
func (p Cauchy) Score(x float64) []float64 {
	z := (x - p.Location) / p.Scale
	return []float64{2 * z / (p.Scale * (1 + z*z)), (z*z - 1) / (p.Scale * (1 + z*z))}
}

// Information returns 1/(2 Scale^2) twice.
func (p Cauchy) Information() []float64 {
	return []float64{1 / (2 * p.Scale * p.Scale), 1 / (2 * p.Scale * p.Scale)}
}

// String returns "Cauchy(location 27.3, scale 2.94)".
func (p Cauchy) String() string {
	return fmt.Sprintf("Cauchy(location %.4g, scale %.4g)", p.Location, p.Scale)
}
