package kernel

import (
	"fmt"
	"math"

	"github.com/prlab/prlab/prl/fault"
)

// Poly is the polynomial kernel K(a, b) = (gamma <a, b> + c)^p with Degree p >= 1, Gamma > 0 and Coef0 c >= 0.
// Its features are the scaled monomials of degree p (c = 0) or of degree up to p (c > 0); Features gives them.
type Poly struct {
	Degree int
	Gamma  float64
	Coef0  float64
}

// Eval returns (gamma <a, b> + c)^p.
func (k Poly) Eval(a, b []float64) float64 { return power(k.Gamma*dot(a, b)+k.Coef0, k.Degree) }

// String returns "poly(degree=2, gamma=1, c=1)".
func (k Poly) String() string {
	return fmt.Sprintf("poly(degree=%d, gamma=%s, c=%s)", k.Degree, number(k.Gamma), number(k.Coef0))
}

// PolyOf returns the kernel that the word Poly of a plan asks for, with c = 1 and gamma = 1 unless given in this order. More arguments are
// an error in the name of step.
func PolyOf(step string, degree int, cGamma []float64) (k Poly, err error) {
	if len(cGamma) > 2 {
		return k, fault.Argument(step, "number of arguments", 1+len(cGamma), "at most 3", "degree, constant, gamma")
	}
	k = Poly{Degree: degree, Gamma: 1, Coef0: 1}
	for i, to := range []*float64{&k.Coef0, &k.Gamma}[:len(cGamma)] {
		*to = cGamma[i]
	}
	return k, nil
}

func (k Poly) check(function string) error {
	if k.Degree < 1 {
		return fault.Argument(function, "polynomial degree", k.Degree, "a whole number of at least 1", "degree 2 gives quadratic boundaries")
	}
	if !(k.Coef0 >= 0) || math.IsInf(k.Coef0, 0) {
		return fault.Argument(
			function,
			"polynomial constant",
			k.Coef0,
			"a finite number of at least 0",
			"a negative constant gives no kernel; 1 is usual",
		)
	}
	return checkGamma(function, "polynomial", k.Gamma)
}
