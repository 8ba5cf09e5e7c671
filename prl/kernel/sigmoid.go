package kernel

import (
	"fmt"
	"math"

	"github.com/prlab/prlab/prl/fault"
)

// Sigmoid is K(a, b) = tanh(gamma <a, b> + c). It is symmetric but in general not positive semi-definite, so that a machine trained with it
// need not be a global optimum; it is here because the field has always used it.
type Sigmoid struct {
	Gamma float64
	Coef0 float64
}

// Eval returns tanh(gamma <a, b> + c).
func (k Sigmoid) Eval(a, b []float64) float64 { return math.Tanh(k.Gamma*dot(a, b) + k.Coef0) }

// String returns "sigmoid(gamma=0.1, c=-1)".
func (k Sigmoid) String() string {
	return fmt.Sprintf("sigmoid(gamma=%s, c=%s)", number(k.Gamma), number(k.Coef0))
}

func (k Sigmoid) check(function string) error {
	if math.IsNaN(k.Coef0) || math.IsInf(k.Coef0, 0) {
		return fault.Argument(function, "sigmoid constant", k.Coef0, "a finite number", "")
	}
	return checkGamma(function, "sigmoid", k.Gamma)
}
