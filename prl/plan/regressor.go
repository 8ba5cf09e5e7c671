package plan

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Regressor is a plan whose model predicts a number for each row.
type Regressor[M estimator.Regressor, O any] struct{ Plan[M, O] }

// A Regressing plan is a plan of any regression, so that several can stand in one list.
type Regressing interface {
	Trainable
	Predict(set datasets.Set) []float64
	R2(test ...datasets.Set) float64
	RMSE(test ...datasets.Set) float64
	Curve() *plotting.Figure
	Show()
}

func (p Regressor[M, O]) on(set datasets.Set) Trainable { return Fit(p, set) }

// NewRegressor begins a plan of a regression.
func NewRegressor[M estimator.Regressor, O any](spec Spec[M, O]) Regressor[M, O] {
	return Regressor[M, O]{New(spec)}
}

// Predict returns the predicted target of each row of a set.
func (p Regressor[M, O]) Predict(set datasets.Set) []float64 {
	return Value(p, "Predict", func(m M) ([]float64, error) { return on(m, "Predict", set, m.Predict) }, set)
}

// squares returns the sums of squares about the prediction and about the mean of the target, and the number of rows.
func (p Regressor[M, O]) squares(step string, test []datasets.Set) (residual, total float64, n int) {
	type sums struct {
		residual, total float64
		n               int
	}
	s := Value(p, step, func(m M) (s sums, err error) {
		set, err := p.tested(step, Target, test)
		if err != nil {
			return s, err
		}
		predicted, err := m.Predict(set.X)
		if err != nil {
			return s, err
		}
		mean := 0.0
		for i, v := range set.Target {
			mean += (v - mean) / float64(i+1)
		}
		for i, v := range set.Target {
			s.residual += (v - predicted[i]) * (v - predicted[i])
			s.total += (v - mean) * (v - mean)
		}
		s.n = len(predicted)
		return s, nil
	}, sets(test)...)
	return s.residual, s.total, s.n
}

// R2 returns the share of the variance of the target that the prediction explains, 1 - sum (y - f(x))^2 / sum (y - mean)^2, of a test set,
// or of the data of the fit when none is given. It is negative for a prediction worse than the mean, and NaN when the target is constant.
func (p Regressor[M, O]) R2(test ...datasets.Set) float64 {
	residual, total, _ := p.squares("R2", test)
	if total == 0 {
		return math.NaN()
	}
	return 1 - residual/total
}

// RMSE returns the root of the mean squared error, in the unit of the target, of a test set, or of the data of the fit when none is given.
func (p Regressor[M, O]) RMSE(test ...datasets.Set) float64 {
	residual, _, n := p.squares("RMSE", test)
	return math.Sqrt(residual / float64(n))
}

// Curve draws the prediction over the data of one feature.
func (p Regressor[M, O]) Curve() *plotting.Figure {
	return Figure(p, "Curve", func(m M) (*plotting.Figure, error) {
		set := p.data()
		if set.D() != 1 {
			return nil, fault.Argument(
				"Curve",
				"the data set",
				fmt.Sprintf("of %d features", set.D()),
				"a set of 1 feature",
				"choose one with .Features(a)",
			)
		}
		const places = 1000
		x := mat.Col(nil, 0, set.X)
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, v := range x {
			lo, hi = min(lo, v), max(hi, v)
		}
		at := mat.NewDense(places, 1, nil)
		for i := range places {
			at.Set(i, 0, lo+(hi-lo)*float64(i)/(places-1))
		}
		y, err := m.Predict(at)
		if err != nil {
			return nil, err
		}
		return plotting.New(plotting.Points(x, set.Target).Opacity(0.6), plotting.Line(mat.Col(nil, 0, at), y).Accent()).
			X(set.FeatureNames[0]).Y(set.TargetName).Title(title(m, set)), nil
	})
}

// Show shows the curve over one feature, and the errors otherwise.
func (p Regressor[M, O]) Show() {
	if p.Err() == nil && p.data().D() == 1 {
		p.Curve().Show()
		return
	}
	Table(p, "Show", func(M) (cell.Table, error) {
		return cell.NewTable("rows", "R²", "root mean squared error").Row(p.data().N(), p.R2(), p.RMSE()).Title(p.String()), nil
	}).Show()
}
