package estimate

import (
	"fmt"
	"math"

	"github.com/prlab/prlab/prl/fault"
)

// A Normal is the Gaussian law with the density exp(-(x-Mean)^2 / (2 SD^2)) / (SD sqrt(2 pi)).
type Normal struct{ Mean, SD float64 }

// FitNormal returns the maximum likelihood estimate: the mean of the observations and the root of their mean squared deviation. The divisor
// is n, so the variance is too small by the factor (n-1)/n on average. Errors: no observations, or such that are not finite; observations
// that are all equal, for which the likelihood grows without bound as SD falls to 0.
func FitNormal(xs []float64) (Normal, error) {
	const name = "estimate.FitNormal"
	m := mean(xs)
	variance := squared(xs, m) / float64(len(xs))
	if !(variance > 0) || math.IsInf(variance, 0) {
		if err := observations(name, xs, 1, nil, "a finite number"); err != nil {
			return Normal{}, err
		}
		return Normal{}, fault.Argument(name, "the variance", variance, "a finite number above 0", "equal observations have no maximum")
	}
	return Normal{m, math.Sqrt(variance)}, nil
}

// LogDensity returns the logarithm of the density at x.
func (p Normal) LogDensity(x float64) float64 {
	z := (x - p.Mean) / p.SD
	return -z*z/2 - math.Log(p.SD) - math.Log(2*math.Pi)/2
}

// Score returns (x-Mean)/SD^2 and ((x-Mean)^2/SD^2 - 1)/SD.
func (p Normal) Score(x float64) []float64 {
	z := (x - p.Mean) / p.SD
	return []float64{z / p.SD, (z*z - 1) / p.SD}
}

// Information returns 1/SD^2 and 2/SD^2.
func (p Normal) Information() []float64 { return []float64{1 / (p.SD * p.SD), 2 / (p.SD * p.SD)} }

// KL returns the Kullback-Leibler divergence of p from q in nats,
//
//	log(q.SD/p.SD) + (p.SD^2 + (p.Mean-q.Mean)^2) / (2 q.SD^2) - 1/2.
func (p Normal) KL(q Normal) float64 {
	ratio, shift := p.SD/q.SD, (p.Mean-q.Mean)/q.SD
	return -math.Log(ratio) + (ratio*ratio-1)/2 + shift*shift/2
}

// String returns "Normal(mean 26.2, SD 10.7)".
func (p Normal) String() string { return fmt.Sprintf("Normal(mean %.4g, SD %.4g)", p.Mean, p.SD) }
