package kernel

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A FeatureMap is the explicit feature map phi of a Poly kernel: K(a, b) = <phi(a), phi(b)>. Feature j is the monomial
// prod_i x_i^(k_i), with k = Exponents[j], times Factors[j] = sqrt(multinomial coefficient times gamma^|k| c^(p-|k|)).
type FeatureMap struct {
	Exponents [][]int
	Factors   []float64
}

// Features returns the feature map of a polynomial kernel on points of length d: binom(d+p, p) features, or binom(d+p-1, p) of degree
// exactly p when the constant is 0. At most 100000 features are written out.
func Features(k Poly, d int) (FeatureMap, error) {
	const fn = "kernel.Features"
	if err := Check(fn, k); err != nil {
		return FeatureMap{}, err
	}
	if err := estimator.CheckCount(fn, "d", d, 1, math.MaxInt); err != nil {
		return FeatureMap{}, err
	}
	if count := Monomials(d, k.Degree); count > 100000 {
		return FeatureMap{}, fault.Argument(fn, "number of features", count, "at most 100000", "this is what the kernel is for")
	}
	var m FeatureMap
	exponents := make([]int, d)
	var walk func(i, left int)
	walk = func(i, left int) {
		if i == d {
			if left > 0 && k.Coef0 == 0 {
				return
			}
			m.Exponents = append(m.Exponents, append([]int(nil), exponents...))
			f := factorial(k.Degree) / factorial(left) * power(k.Coef0, left) * power(k.Gamma, k.Degree-left)
			for _, e := range exponents {
				f /= factorial(e)
			}
			m.Factors = append(m.Factors, math.Sqrt(f))
			return
		}
		for e := left; e >= 0; e-- {
			exponents[i] = e
			walk(i+1, left-e)
		}
		exponents[i] = 0
	}
	walk(0, k.Degree)
	return m, nil
}

// String returns "feature map of 2 numbers to 6".
func (m FeatureMap) String() string {
	d := 0
	if m.Len() > 0 {
		d = len(m.Exponents[0])
	}
	return fmt.Sprintf("feature map of %d numbers to %d", d, m.Len())
}

// Len returns the number of features.
func (m FeatureMap) Len() int { return len(m.Factors) }

// At returns phi(x), and nil for a point of another length than the map was made for.
func (m FeatureMap) At(x []float64) []float64 {
	if m.Len() == 0 || len(x) != len(m.Exponents[0]) {
		return nil
	}
	phi := make([]float64, len(m.Factors))
	for j, f := range m.Factors {
		for i, e := range m.Exponents[j] {
			f *= power(x[i], e)
		}
		phi[j] = f
	}
	return phi
}

// Transform returns the matrix (n x Len) of the features of the rows of X (n x d).
func (m FeatureMap) Transform(X mat.Matrix) (*mat.Dense, error) {
	const fn = "kernel.FeatureMap.Transform"
	if m.Len() == 0 {
		return nil, estimator.Unfitted(fn)
	}
	if err := estimator.CheckWidth(fn, X, len(m.Exponents[0])); err != nil {
		return nil, err
	}
	dense := estimator.Dense(X)
	n, _ := dense.Dims()
	out := mat.NewDense(n, m.Len(), nil)
	for i := range n {
		phi := m.At(dense.RawRowView(i))
		if sum := floats.Sum(phi); sum-sum != 0 {
			largest := floats.Norm(dense.RawRowView(i), math.Inf(1))
			return nil, fault.Argument(fn, fmt.Sprintf("row %d of X", i), fmt.Sprintf("of numbers as large as %.3g", largest),
				"of numbers whose monomials are finite", "choose another unit")
		}
		out.SetRow(i, phi)
	}
	return out, nil
}

// Names writes the features out, such as "1.414 x1 x2".
func (m FeatureMap) Names() []string {
	names := make([]string, m.Len())
	for j, f := range m.Factors {
		var parts []string
		if math.Abs(f-1) > 1e-15 {
			parts = append(parts, fmt.Sprintf("%.4g", f))
		}
		for i, e := range m.Exponents[j] {
			switch {
			case e == 1:
				parts = append(parts, fmt.Sprintf("x%d", i+1))
			case e > 1:
				parts = append(parts, fmt.Sprintf("x%d^%d", i+1, e))
			}
		}
		if len(parts) == 0 {
			parts = []string{"1"}
		}
		names[j] = strings.Join(parts, " ")
	}
	return names
}

// Monomials returns binom(d+p, p), the number of monomials in d variables of degree at most p, the constant included; math.MaxInt when it
// does not fit.
func Monomials(d, p int) int {
	c := 1.0
	for i := 1; i <= p; i++ {
		c = math.Round(c * float64(d+i) / float64(i))
		if c > 1<<53 {
			return math.MaxInt
		}
	}
	return int(c)
}

func factorial(n int) float64 {
	f := 1.0
	for i := 2; i <= n; i++ {
		f *= float64(i)
	}
	return f
}
