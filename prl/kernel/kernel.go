package kernel

import (
	"fmt"
	"math"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Kernel is a symmetric function of two points of the same length.
type Kernel interface {
	// Eval returns K(a, b), and NaN for points of unequal lengths. Several goroutines may call it at the same time.
	Eval(a, b []float64) float64
	// String names the kernel with its settings, such as "RBF(gamma=0.5)".
	String() string
}

// A checker is a kernel that can tell that its settings are wrong.
type checker interface {
	check(function string) error
}

// Check returns an *fault.ArgumentError when k is nil or one of its settings cannot be used; function is named as the caller.
// Kernels defined outside this package always pass.
func Check(function string, k Kernel) error {
	if k == nil {
		return fault.Argument(function, "Kernel", "nil", "a kernel such as kernel.RBF{Gamma: 0.5}", "")
	}
	if c, ok := k.(checker); ok {
		return c.check(function)
	}
	return nil
}

func init() { // so that a stored model can hold any of them
	for name, k := range map[string]Kernel{
		"Linear": Linear{}, "Poly": Poly{}, "RBF": RBF{}, "Laplacian": Laplacian{}, "Sigmoid": Sigmoid{}, "Boolean": Boolean{},
		"Brownian":    Brownian{},
		"Precomputed": Precomputed{}, "SumOf": SumOf{}, "ProductOf": ProductOf{}, "Scaled": Scaled{}, "Normalized": Normalized{},
		"PolynomialOf": PolynomialOf{}, "ExponentialOf": ExponentialOf{},
	} {
		estimator.Register("kernel."+name, k)
	}
}

// dot returns <a, b>, and NaN for points of unequal lengths.
func dot(a, b []float64) float64 {
	if len(a) != len(b) {
		return math.NaN()
	}
	sum := 0.0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// power returns x^p for p >= 0 by repeated squaring.
func power(x float64, p int) float64 {
	result := 1.0
	for ; p > 0; p >>= 1 {
		if p&1 == 1 {
			result *= x
		}
		x *= x
	}
	return result
}

func checkGamma(function, name string, gamma float64) error {
	if err := estimator.CheckPositive(function, name+" gamma", gamma, 1); err != nil {
		return fault.Argument(function, name+" gamma", gamma, "a positive number", "1/d for standardised data with d columns is a fair start")
	}
	return nil
}

func number(v float64) string { return fmt.Sprintf("%.6g", v) }
