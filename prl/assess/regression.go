package assess

import (
	"fmt"
	"math"

	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/gauss"
)

// A Regression holds what n predictions of a number are judged by, in the unit of the target and its square.
type Regression struct {
	MSE float64 // mean squared error, mean (y - f)^2
	MAE float64 // mean absolute error, mean |y - f|
	R2  float64 // 1 - sum (y - f)^2 / sum (y - mean of y)^2; NaN for a target that is constant up to rounding
}

// NewRegression judges n predictions of the targets. Weights may be nil. Errors: lengths that differ, no rows, numbers that are not finite.
func NewRegression(target, predicted, weights []float64) (Regression, error) {
	const name = "assess.NewRegression"
	n := len(target)
	if len(predicted) != n {
		return Regression{}, fault.Argument(name, "predicted", fmt.Sprintf("%d numbers", len(predicted)),
			fmt.Sprintf("one prediction for each of the %d targets", n), "")
	}
	largest := 0.0
	for i := range target {
		largest = max(largest, math.Abs(target[i]), math.Abs(predicted[i]))
		if d := target[i] - predicted[i]; math.IsNaN(d) || math.IsInf(d, 0) {
			return Regression{}, fault.Argument(
				name,
				fmt.Sprintf("row %d", i),
				fmt.Sprintf("target %v, prediction %v", target[i], predicted[i]),
				"finite numbers",
				"",
			)
		}
	}
	e := exponent(largest)
	unit := func(v float64) float64 { return math.Ldexp(v, -e) }
	var r Regression
	var mean, spread float64
	var err error
	for _, m := range []struct {
		to *float64
		f  func(i int) float64
	}{
		{&r.MSE, func(i int) float64 { d := unit(target[i] - predicted[i]); return d * d }},
		{&r.MAE, func(i int) float64 { return math.Abs(unit(target[i] - predicted[i])) }},
		{&mean, func(i int) float64 { return unit(target[i]) }},
		{&spread, func(i int) float64 { d := unit(target[i]) - mean; return d * d }},
	} {
		if *m.to, err = weighted(name, n, weights, m.f); err != nil {
			return Regression{}, err
		}
	}
	r.R2 = math.NaN()
	if !gauss.Constant(mean, spread) {
		r.R2 = 1 - r.MSE/spread
	}
	r.MSE, r.MAE = math.Ldexp(r.MSE, 2*e), math.Ldexp(r.MAE, e)
	return r, nil
}

// RMSE returns the root of the mean squared error, in the unit of the target.
func (r Regression) RMSE() float64 { return math.Sqrt(r.MSE) }
