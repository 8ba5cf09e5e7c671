package kernel

import (
	"fmt"
	"math"
	"strings"

	"github.com/prlab/prlab/prl/fault"
)

// SumOf is K_1 + K_2 + ...: the features of all terms side by side.
type SumOf struct{ Terms []Kernel }

// Sum returns the kernel K_1 + K_2 + ...
func Sum(terms ...Kernel) SumOf { return SumOf{terms} }

// Eval returns the sum of the terms.
func (k SumOf) Eval(a, b []float64) float64 {
	sum := 0.0
	for _, t := range k.Terms {
		sum += t.Eval(a, b)
	}
	return sum
}

// String joins the terms with " + ".
func (k SumOf) String() string { return join(k.Terms, " + ") }

func (k SumOf) check(function string) error { return checkAll(function, "sum of kernels", k.Terms) }

// ProductOf is K_1 K_2 ...: all products of a feature of each factor.
type ProductOf struct{ Factors []Kernel }

// Product returns the kernel K_1 K_2 ...
func Product(factors ...Kernel) ProductOf { return ProductOf{factors} }

// Eval returns the product of the factors.
func (k ProductOf) Eval(a, b []float64) float64 {
	product := 1.0
	for _, t := range k.Factors {
		product *= t.Eval(a, b)
	}
	return product
}

// String joins the factors with " * ".
func (k ProductOf) String() string { return join(k.Factors, " * ") }

func (k ProductOf) check(function string) error {
	return checkAll(function, "product of kernels", k.Factors)
}

// Scaled is c K with Factor c >= 0.
type Scaled struct {
	Factor float64
	Of     Kernel
}

// Scale returns the kernel c K, c >= 0.
func Scale(c float64, k Kernel) Scaled { return Scaled{c, k} }

// Eval returns c K(a, b).
func (k Scaled) Eval(a, b []float64) float64 { return k.Factor * k.Of.Eval(a, b) }

// String returns "2 RBF(gamma=1)".
func (k Scaled) String() string { return number(k.Factor) + " " + bracket(k.Of) }

func (k Scaled) check(function string) error {
	if !(k.Factor >= 0) || math.IsInf(k.Factor, 0) {
		return fault.Argument(function, "kernel factor", k.Factor, "a finite number of at least 0", "a negative multiple of a kernel is none")
	}
	return Check(function, k.Of)
}

// Normalized is K(a, b) / sqrt(K(a, a) K(b, b)): the inner product of feature vectors brought to length one, between -1 and 1.
// Where K(a, a) or K(b, b) is not positive it is 0.
type Normalized struct{ Of Kernel }

// Normalize returns the cosine kernel of k.
func Normalize(k Kernel) Normalized { return Normalized{k} }

// Eval returns K(a, b) / sqrt(K(a, a) K(b, b)).
func (k Normalized) Eval(a, b []float64) float64 {
	n := k.Of.Eval(a, a) * k.Of.Eval(b, b)
	if !(n > 0) {
		return 0
	}
	return k.Of.Eval(a, b) / math.Sqrt(n)
}

// String returns "normalised linear".
func (k Normalized) String() string { return "normalised " + bracket(k.Of) }

func (k Normalized) check(function string) error { return Check(function, k.Of) }

// PolynomialOf is c_0 + c_1 K + c_2 K^2 + ... with Coefficients c_j >= 0.
type PolynomialOf struct {
	Coefficients []float64
	Of           Kernel
}

// Polynomial returns the kernel c_0 + c_1 K + c_2 K^2 + ..., c_j >= 0.
func Polynomial(k Kernel, coefficients ...float64) PolynomialOf { return PolynomialOf{coefficients, k} }

// Eval evaluates the polynomial by Horner's rule.
func (k PolynomialOf) Eval(a, b []float64) float64 {
	v, sum := k.Of.Eval(a, b), 0.0
	for j := len(k.Coefficients) - 1; j >= 0; j-- {
		sum = sum*v + k.Coefficients[j]
	}
	return sum
}

// String returns "polynomial [1 0 2] of linear".
func (k PolynomialOf) String() string {
	return fmt.Sprintf("polynomial %v of %s", k.Coefficients, bracket(k.Of))
}

func (k PolynomialOf) check(function string) error {
	if len(k.Coefficients) == 0 {
		return fault.Argument(function, "polynomial of a kernel", "without coefficients", "a polynomial with at least one coefficient", "")
	}
	for j, c := range k.Coefficients {
		if !(c >= 0) || math.IsInf(c, 0) {
			return fault.Argument(
				function,
				fmt.Sprintf("coefficient %d of the polynomial", j),
				c,
				"a finite number of at least 0",
				"only non-negative coefficients surely give a kernel",
			)
		}
	}
	return Check(function, k.Of)
}

// ExponentialOf is exp(K), the limit of polynomials of K with positive coefficients.
type ExponentialOf struct{ Of Kernel }

// Exp returns the kernel exp(K).
func Exp(k Kernel) ExponentialOf { return ExponentialOf{k} }

// Eval returns exp(K(a, b)).
func (k ExponentialOf) Eval(a, b []float64) float64 { return math.Exp(k.Of.Eval(a, b)) }

// String returns "exp(linear)".
func (k ExponentialOf) String() string { return "exp(" + name(k.Of) + ")" }

func (k ExponentialOf) check(function string) error { return Check(function, k.Of) }

// Difference returns K_1 - K_2, which is symmetric but in general no kernel: it is here to be caught by PSD.
func Difference(k1, k2 Kernel) Kernel {
	return Func(name(k1)+" - "+bracket(k2), func(a, b []float64) float64 { return k1.Eval(a, b) - k2.Eval(a, b) })
}

// Conformal returns f(a) K(a, b) f(b): each feature vector stretched by f.
func Conformal(f func(x []float64) float64, k Kernel) Kernel {
	return Func("f "+bracket(k)+" f", func(a, b []float64) float64 { return f(a) * k.Eval(a, b) * f(b) })
}

func checkAll(function, argument string, ks []Kernel) error {
	if len(ks) == 0 {
		return fault.Argument(function, argument, "empty", "made of at least one kernel", "")
	}
	for _, k := range ks {
		if _, ok := k.(Precomputed); ok {
			return fault.Argument(function, argument, "with a precomputed part", "made of kernels of points", "combine the Gram matrices instead")
		}
		if err := Check(function, k); err != nil {
			return err
		}
	}
	return nil
}

func join(ks []Kernel, operator string) string {
	parts := make([]string, len(ks))
	for i, k := range ks {
		parts[i] = bracket(k)
	}
	return strings.Join(parts, operator)
}

func name(k Kernel) string {
	if k == nil {
		return "nil"
	}
	return k.String()
}

func bracket(k Kernel) string {
	switch k.(type) {
	case SumOf, ProductOf, Scaled, PolynomialOf:
		return "(" + name(k) + ")"
	}
	return name(k)
}
