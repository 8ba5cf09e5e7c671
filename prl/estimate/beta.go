package estimate

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"

	"github.com/prlab/prlab/prl/fault"
)

// A Beta is the belief in a probability theta with the density
//
//	theta^(A-1) (1-theta)^(B-1) / B(A, B).
//
// A and B act like successes and failures seen before; A = B = 1 is flat.
type Beta struct{ A, B float64 }

// NewBeta returns the belief with the given parameters. Errors: numbers that are not finite and above zero.
func NewBeta(a, b float64) (Beta, error) {
	for _, p := range []struct {
		name string
		v    float64
	}{{"a", a}, {"b", b}} {
		if !(p.v > 0) || math.IsInf(p.v, 0) {
			return Beta{}, fault.Argument("estimate.NewBeta", p.name, p.v, "a finite number above 0", "1 and 1 are flat")
		}
	}
	return Beta{a, b}, nil
}

// See returns the belief after so many successes and failures, independent given theta: Beta(A + successes, B + failures). Errors: negative
// counts.
func (p Beta) See(successes, failures int) (Beta, error) {
	if successes < 0 || failures < 0 {
		return p, fault.Argument("estimate.Beta.See", "the counts", fmt.Sprintf("%d and %d", successes, failures), "numbers of at least 0", "")
	}
	return Beta{p.A + float64(successes), p.B + float64(failures)}, nil
}

// Mean returns A/(A+B), which is also the probability that the next trial succeeds.
func (p Beta) Mean() float64 { return p.A / (p.A + p.B) }

// Variance returns A B / ((A+B)^2 (A+B+1)).
func (p Beta) Variance() float64 {
	s := p.A + p.B
	return p.A / s * p.B / s / (s + 1)
}

// LogDensity returns the logarithm of the density at theta; -Inf outside of [0, 1].
func (p Beta) LogDensity(theta float64) float64 {
	if !(theta >= 0 && theta <= 1) {
		return math.Inf(-1)
	}
	return power(p.A-1, math.Log(theta)) + power(p.B-1, math.Log1p(-theta)) - logBeta(p.A, p.B)
}

// Density returns the density at theta.
func (p Beta) Density(theta float64) float64 { return math.Exp(p.LogDensity(theta)) }

// power is n log x, where nothing to the power of zero is one.
func power(n, log float64) float64 {
	if n == 0 {
		return 0
	}
	return n * log
}

// CDF returns P(theta <= x).
func (p Beta) CDF(x float64) float64 { return mathext.RegIncBeta(p.A, p.B, max(0, min(1, x))) }

// Quantile returns the theta below which the belief has the probability q.
func (p Beta) Quantile(q float64) float64 { return mathext.InvRegIncBeta(p.A, p.B, max(0, min(1, q))) }

// LogEvidence returns the logarithm of the probability of one sequence with so many successes and failures, whatever its order:
// B(A + successes, B + failures) / B(A, B).
func (p Beta) LogEvidence(successes, failures int) float64 {
	return logBeta(p.A+float64(successes), p.B+float64(failures)) - logBeta(p.A, p.B)
}

// String returns "Beta(2, 9)".
func (p Beta) String() string { return fmt.Sprintf("Beta(%g, %g)", p.A, p.B) }

func logBeta(a, b float64) float64 { return mathext.Lbeta(a, b) }
