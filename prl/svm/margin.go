package svm

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// FunctionalMargins returns y_i (<w, x_i> + b) for the rows of X, with y_i = +1 for class 1 and -1 for class 0.
func FunctionalMargins(X mat.Matrix, y []int, w []float64, b float64) ([]float64, error) {
	const fn = "svm.FunctionalMargins"
	if err := estimator.CheckWidth(fn, X, len(w)); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	if len(y) != n {
		return nil, fault.Argument(fn, "y", fmt.Sprintf("%d labels", len(y)), fmt.Sprintf("one label for each of the %d rows of X", n), "")
	}
	margins := make([]float64, n)
	for i, c := range y {
		if c != 0 && c != 1 {
			return nil, fault.Argument(fn, fmt.Sprintf("y[%d]", i), c, "class 0 or 1", "choose two classes")
		}
		f := b
		for j, v := range w {
			f += v * X.At(i, j)
		}
		margins[i] = float64(2*c-1) * f
	}
	return margins, nil
}

// GeometricMargin returns min_i y_i (<w, x_i> + b)/|w|, the signed distance of the worst point: positive when (w, b) separates.
func GeometricMargin(X mat.Matrix, y []int, w []float64, b float64) (float64, error) {
	margins, err := FunctionalMargins(X, y, w, b)
	if err != nil {
		return 0, err
	}
	norm := floats.Norm(w, 2)
	if norm == 0 {
		return 0, fault.Argument("svm.GeometricMargin", "w", "zero", "the normal of a hyperplane", "")
	}
	return floats.Min(margins) / norm, nil
}

// Canonical scales a separating hyperplane to canonical form, min_i y_i (<w, x_i> + b) = 1: the same hyperplane, of margin 1/|w|.
// It fails when (w, b) does not separate the classes.
func Canonical(X mat.Matrix, y []int, w []float64, b float64) (canonical []float64, bias float64, err error) {
	margins, err := FunctionalMargins(X, y, w, b)
	if err != nil {
		return nil, 0, err
	}
	m := floats.Min(margins)
	if !(m > 0) {
		return nil, 0, fault.Argument(
			"svm.Canonical",
			"the smallest functional margin",
			m,
			"positive",
			"only a separating hyperplane has a canonical form",
		)
	}
	canonical = make([]float64, len(w))
	for j, v := range w {
		canonical[j] = v / m
	}
	return canonical, b / m, nil
}

// HingePrimal returns 1/2 |w|^2 + C sum_i max(0, 1 - y_i f(x_i))^p with p = 1 (linear slack), or C/2 and p = 2 (quadratic slack), at any
// (w, b): the primal objective with the slacks eliminated.
func HingePrimal(X mat.Matrix, y []int, w []float64, b, C float64, slack Slack) (float64, error) {
	margins, err := FunctionalMargins(X, y, w, b)
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for _, m := range margins {
		xi := math.Max(0, 1-m)
		switch slack {
		case LinearSlack:
			sum += C * xi
		case QuadraticSlack:
			sum += C / 2 * xi * xi
		default:
			if xi > 0 {
				sum = math.Inf(1)
			}
		}
	}
	return floats.Dot(w, w)/2 + sum, nil
}

// DualObjective returns Q(alpha) = sum_i alpha_i - 1/2 sum_ij alpha_i alpha_j y_i y_j K_ij with y_i = +1 for class 1 and -1 for class 0.
// It does not ask whether alpha is feasible.
func DualObjective(K mat.Symmetric, y []int, alpha []float64) (float64, error) {
	const fn = "svm.DualObjective"
	n := len(y)
	if K == nil || K.SymmetricDim() != n || len(alpha) != n {
		return 0, fault.Argument(fn, "K, y, alpha", "of different sizes", "an n x n matrix with n labels and n multipliers", "")
	}
	q := 0.0
	for i, a := range alpha {
		q += a
		for j, c := range alpha {
			q -= a * c * float64((2*y[i]-1)*(2*y[j]-1)) * K.At(i, j) / 2
		}
	}
	return q, nil
}
