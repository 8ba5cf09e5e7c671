package bayes

import (
	"fmt"
	"math"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// Nodes and weights of the Gauss-Kronrod pair (G7, K15) on [-1, 1]; source: R. Piessens et al., QUADPACK, 1983, qk15.
var (
	kronrodNodes = [8]float64{
		0.991455371120812639206854697526329,
		0.949107912342758524526189684047851,
		0.864864423359769072789712788640926,
		0.741531185599394439863864773280788,
		0.586087235467691130294144691693513,
		0.405845151377397166906606412076961,
		0.207784955007898467600689403773245,
		0,
	}
	kronrodWeights = [8]float64{
		0.022935322010529224963732008058970,
		0.063092092629978553290700663189204,
		0.104790010322250183839876322541518,
		0.140653259715525918745189590510238,
		0.169004726639267902826583426598550,
		0.190350578064785409913256402421014,
		0.204432940075298892414161999234649,
		0.209482141084727828012999174891714,
	}
	gaussWeights = [4]float64{
		0.129484966168869693270611432679082,
		0.279705391489276667901467771423780,
		0.381830050505118944950369775488975,
		0.417959183673469387755102040816327,
	}
)

// Quadrature returns the integral of f from the first to the last of the increasing points, with an absolute error of about tol, by
// adaptive bisection of Gauss-Kronrod panels. Kinks and jumps of f cost least when they are among the points. It fails when f is not finite
// somewhere or a jump cannot be resolved.
func Quadrature(f func(float64) float64, tol float64, points ...float64) (float64, error) {
	const name = "bayes.Quadrature"
	if err := estimator.CheckPositive(name, "tol", tol, 1e-12); err != nil {
		return 0, err
	}
	if len(points) < 2 {
		return 0, fault.Argument(name, "points", fmt.Sprintf("%d numbers", len(points)), "at least the two ends", "")
	}
	total := points[len(points)-1] - points[0]
	sum := 0.0
	for i := 1; i < len(points); i++ {
		if !(points[i] >= points[i-1]) || math.IsInf(points[i]-points[i-1], 0) {
			return 0, fault.Argument(name, "points", points, "finite numbers in increasing order", "")
		}
		if points[i] == points[i-1] {
			continue
		}
		v, ok := panel(f, points[i-1], points[i], tol*(points[i]-points[i-1])/total, 0)
		if !ok {
			return 0, fault.Argument(
				name,
				"f",
				fmt.Sprintf("not integrable between %g and %g", points[i-1], points[i]),
				"finite with finitely many jumps",
				"",
			)
		}
		sum += v
	}
	return sum, nil
}

// panel integrates from a to b. Gauss and Kronrod can agree by accident on a panel with a kink, so agreement counts only when the two
// halves, integrated by themselves, add up to the whole.
func panel(f func(float64) float64, a, b, tol float64, depth int) (float64, bool) {
	whole, difference, size := kronrod(f, a, b)
	if math.IsNaN(whole) || math.IsInf(whole, 0) {
		return 0, false
	}
	tol = max(tol, 1e-15*size) // rounding sets the floor
	if difference <= tol {
		left, _, _ := kronrod(f, a, (a+b)/2)
		right, _, _ := kronrod(f, (a+b)/2, b)
		if math.Abs(left+right-whole) <= tol {
			return left + right, true
		}
	}
	if depth == 60 {
		return whole, difference <= 1e-14
	}
	left, ok := panel(f, a, (a+b)/2, tol/2, depth+1)
	if !ok {
		return 0, false
	}
	right, ok := panel(f, (a+b)/2, b, tol/2, depth+1)
	return left + right, ok
}

// kronrod returns the 15-point rule, its difference from the 7-point Gauss rule, and the integral of |f|.
func kronrod(f func(float64) float64, a, b float64) (value, difference, size float64) {
	c, h := (a+b)/2, (b-a)/2
	centre := f(c)
	value, size = kronrodWeights[7]*centre, kronrodWeights[7]*math.Abs(centre)
	gauss := gaussWeights[3] * centre
	for i := range 7 {
		left, right := f(c-h*kronrodNodes[i]), f(c+h*kronrodNodes[i])
		value += kronrodWeights[i] * (left + right)
		size += kronrodWeights[i] * (math.Abs(left) + math.Abs(right))
		if i%2 == 1 {
			gauss += gaussWeights[i/2] * (left + right)
		}
	}
	return value * h, math.Abs(value-gauss) * h, size * h
}
