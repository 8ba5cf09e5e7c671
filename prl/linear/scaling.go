package linear

import (
	"fmt"

	"github.com/prlab/prlab/prl/fault"
)

// A Scaling says what is minimised, and so what lambda means. RSS is the weighted sum of squared residuals, n the sum of the weights, and P
// the penalty: |w|_1 of the lasso, |w|^2 of ridge.
type Scaling int

const (
	Usual    Scaling = iota // Sum for ridge, HalfMean for the lasso and its relatives
	HalfMean                // RSS / 2n + lambda P: scikit-learn's Lasso, glmnet
	Sum                     // RSS + lambda P: most textbooks, scikit-learn's Ridge
	HalfSum                 // RSS / 2 + lambda P: LARS, Tibshirani (1996)
	Mean                    // RSS / n + lambda P
	Cost                    // lambda RSS + P / 2: lambda is the C of structural risk, P / 2 + C RSS
)

// scalings are the names, the formulas, and the factors of RSS where P has the factor lambda.
var scalings = []struct{ name, formula string }{
	{"usual", "of each method"},
	{"half mean", "RSS / 2n + lambda P"},
	{"sum", "RSS + lambda P"},
	{"half sum", "RSS / 2 + lambda P"},
	{"mean", "RSS / n + lambda P"},
	{"cost", "P / 2 + lambda RSS"},
}

// String returns the name.
func (s Scaling) String() string {
	if s.check("") != nil {
		return fmt.Sprintf("Scaling(%d)", int(s))
	}
	return scalings[s].name
}

// Formula returns what is minimised.
func (s Scaling) Formula() string {
	if s.check("") != nil {
		return ""
	}
	return scalings[s].formula
}

func (s Scaling) check(op string) error {
	if s < 0 || int(s) >= len(scalings) {
		return fault.Argument(op, "Scaling", int(s), "one of the scalings of the package", "0 is that of the method")
	}
	return nil
}

// To returns the lambda that means in another scaling, for n rows, what lambda means in s; neither is Usual.
func (s Scaling) To(other Scaling, lambda, n float64) (float64, error) {
	const op = "linear.Scaling.To"
	if err := s.check(op); err != nil {
		return 0, err
	}
	if err := other.check(op); err != nil {
		return 0, err
	}
	if s == Usual || other == Usual {
		return 0, fault.Argument(op, "Scaling", Usual, "one that is named", "it depends on the method")
	}
	if !(n > 0) {
		return 0, fault.Argument(op, "n", n, "a number of rows", "")
	}
	return other.from(s.sum(lambda, n), n), nil
}

// sum returns the lambda of Sum.
func (s Scaling) sum(lambda, n float64) float64 {
	switch s {
	case HalfMean:
		return 2 * n * lambda
	case HalfSum:
		return 2 * lambda
	case Mean:
		return n * lambda
	case Cost:
		return 1 / (2 * lambda)
	}
	return lambda
}

// from returns the lambda of s for that of Sum.
func (s Scaling) from(lambda, n float64) float64 {
	switch s {
	case HalfMean:
		return lambda / (2 * n)
	case HalfSum:
		return lambda / 2
	case Mean:
		return lambda / n
	case Cost:
		return 1 / (2 * lambda)
	}
	return lambda
}
