package optim

import (
	"math"
	"math/cmplx"

	"github.com/prlab/prlab/prl/fault"
)

// Factors returns what is left of an error in a direction of curvature h after gradient steps: the product of all 1 - s h.
// It is a polynomial in h with value 1 at h = 0 and a zero at 1/s for each step s.
func Factors(steps []float64, h float64) float64 {
	left := 1.0
	for _, s := range steps {
		left *= 1 - s*h
	}
	return left
}

// Chebyshev returns the k steps for which the largest |Factors| over all curvatures in [least, most] is smallest:
// the reciprocals of the zeros (most + least)/2 + (most - least)/2 cos((2j - 1) pi / 2k). That worst factor is ChebyshevFactor.
//
// Each step alone may be far beyond 2/most; they are ordered so that the numbers in between stay small: the step of a small curvature
// is taken when those of large ones have been taken before. Source: L. Richardson (1910); V. Lebedev & S. Finogenov (1971) for the order.
//
// Errors: k < 1, and limits other than 0 < least <= most.
func Chebyshev(least, most float64, k int) ([]float64, error) {
	if k < 1 {
		return nil, fault.Argument("optim.Chebyshev", "k", k, "a number of steps >= 1", "")
	}
	if !(least > 0 && least <= most && most <= math.MaxFloat64) {
		return nil, fault.Argument("optim.Chebyshev", "least, most", []float64{least, most}, "curvatures 0 < least <= most", "")
	}
	order := lebedev(k)
	steps := make([]float64, k)
	for i, j := range order {
		zero := (most+least)/2 + (most-least)/2*math.Cos(float64(2*j-1)*math.Pi/float64(2*k))
		steps[i] = 1 / zero
	}
	return steps, nil
}

// lebedev returns 1 ... k so that small and large zeros alternate: (1), then from n to 2n by i -> i, 2n + 1 - i.
// Numbers beyond k are left out.
func lebedev(k int) []int {
	order := []int{1}
	for len(order) < k {
		n := 2*len(order) + 1
		var next []int
		for _, i := range order {
			next = append(next, i, n-i)
		}
		order = next
	}
	kept := order[:0]
	for _, i := range order {
		if i <= k {
			kept = append(kept, i)
		}
	}
	return kept
}

// ChebyshevFactor returns 1 / T_k((kappa + 1)/(kappa - 1)), the worst factor of k Chebyshev steps for curvatures of the ratio kappa >= 1.
func ChebyshevFactor(kappa float64, k int) float64 {
	if kappa <= 1 {
		return 0
	}
	return 1 / math.Cosh(float64(k)*math.Acosh((kappa+1)/(kappa-1)))
}

// MomentumRadius returns the larger modulus of the roots of r^2 - (1 + mu - eh) r + mu = 0, by which momentum shrinks an error per move in
// the end; eh is the step times the curvature. It is below 1 if and only if |mu| < 1 and 0 < eh < 2 (1 + mu).
func MomentumRadius(mu, eh float64) float64 { return radius(1+mu-eh, mu) }

// NesterovRadius returns the larger modulus of the roots of r^2 - (1 + mu)(1 - eh) r + mu (1 - eh) = 0, the same for Nesterov's momentum.
func NesterovRadius(mu, eh float64) float64 { return radius((1+mu)*(1-eh), mu*(1-eh)) }

// radius is the larger modulus of the roots of r^2 - b r + c.
func radius(b, c float64) float64 {
	root := cmplx.Sqrt(complex(b*b-4*c, 0))
	return max(cmplx.Abs(complex(b, 0)+root), cmplx.Abs(complex(b, 0)-root)) / 2
}

// BestMomentum returns the step and the factor of momentum with the least radius over all curvatures in [least, most], 0 < least <= most:
// step 4/(sqrt(most) + sqrt(least))^2, and the root of mu (sqrt(kappa) - 1)/(sqrt(kappa) + 1). The radius is this root.
func BestMomentum(least, most float64) Momentum {
	a, b := math.Sqrt(least), math.Sqrt(most)
	rho := (b - a) / (b + a)
	return Momentum{Step: 4 / ((a + b) * (a + b)), Mu: rho * rho}
}
