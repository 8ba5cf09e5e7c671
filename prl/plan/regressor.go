package plan

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
)

// A Regressor is a plan whose model predicts a number for each row.
type Regressor[M estimator.Regressor, O any] struct{ regressor }

// A Regressing plan is a plan of any regression, so that several can stand in one list.
type Regressing interface {
	Trainable
	Predict(set datasets.Set) []float64
	R2(test ...datasets.Set) float64
	RMSE(test ...datasets.Set) float64
	Curve() *plotting.Figure
	Residuals(test ...datasets.Set) *plotting.Figure
	Permutation(test ...datasets.Set) *plotting.Figure
	Partial(feature string) *plotting.Figure
	Show()
}

// NewRegressor begins a plan of a regression.
func NewRegressor[M estimator.Regressor, O any](spec Spec[M, O]) Regressor[M, O] {
	return Regressor[M, O]{regressor{begin(spec)}}
}

// Fitted returns the model, or the error of the first wrong step or of the fit.
func (p Regressor[M, O]) Fitted() (M, error) { return fitted[M](p.base()) }

// Model returns the model; without one it ends the cell with a message.
func (p Regressor[M, O]) Model() M { return cell.Must(p.Fitted()) }

func (p Regressor[M, O]) settings() O { return settings[O](p.base()) }

// A regressor is a plan of any regression.
type regressor struct{ root }

func (p regressor) any() typed[estimator.Regressor] { return typed[estimator.Regressor]{p.base()} }

func (p regressor) on(set datasets.Set) Trainable { return Fit(p, set) }

// Predict returns the answer for each row of a set: its predicted target.
func (p regressor) Predict(set datasets.Set) []float64 {
	return Value(p.any(), "Predict", func(m estimator.Regressor) ([]float64, error) { return on(m, "Predict", set, m.Predict) }, set)
}

// squares returns the sums of squares about the prediction and about the mean of the target, and the number of rows.
func (p regressor) squares(step string, test []datasets.Set) (residual, total float64, n int) {
	type sums struct {
		residual, total float64
		n               int
	}
	s := Value(p.any(), step, func(m estimator.Regressor) (s sums, err error) {
		set, err := tested(m, p.base().set, step, Target, test)
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

// R2 returns the share of the variance of the target that the prediction explains: 1 - sum (y - f(x))^2 / sum (y - mean)^2, of a test set,
// or of the data of the fit when none is given. It is negative for a prediction worse than the mean, and NaN when the target is constant.
func (p regressor) R2(test ...datasets.Set) float64 {
	residual, total, _ := p.squares("R2", test)
	if total == 0 {
		return math.NaN()
	}
	return 1 - residual/total
}

// RMSE returns the root of the mean squared error, in the unit of the target: of a test set, or of the data of the fit when none is given.
func (p regressor) RMSE(test ...datasets.Set) float64 {
	residual, _, n := p.squares("RMSE", test)
	return math.Sqrt(residual / float64(n))
}

// Curve draws what was fitted, over the data of one feature: the prediction.
func (p regressor) Curve() *plotting.Figure {
	return Figure(p.any(), "Curve", func(m estimator.Regressor) (*plotting.Figure, error) {
		set := p.base().set
		x, err := Line(set, "Curve")
		if err != nil {
			return nil, err
		}
		const places = 1000
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

// Residuals draws what the prediction leaves of the target, over the prediction: of a test set, or of the data of the fit when none is
// given.
func (p regressor) Residuals(test ...datasets.Set) *plotting.Figure {
	return Figure(p.any(), "Residuals", func(m estimator.Regressor) (*plotting.Figure, error) {
		set, err := tested(m, p.base().set, "Residuals", Target, test)
		if err != nil {
			return nil, err
		}
		predicted, err := m.Predict(set.X)
		if err != nil {
			return nil, err
		}
		left := make([]float64, len(predicted))
		for i, v := range set.Target {
			left[i] = v - predicted[i]
		}
		return plotting.New(plotting.Points(predicted, left).Opacity(0.6), plotting.HRule(0)).
			X("predicted " + set.TargetName).Y("residual").Title(title(m, set)), nil
	}, sets(test)...)
}

// Show shows the picture or table that says most: the curve over one feature, and the errors otherwise.
func (p regressor) Show() {
	if _, err := p.base().fitted(); err == nil && p.base().set.D() == 1 {
		p.Curve().Show()
		return
	}
	Table(p.any(), "Show", func(estimator.Regressor) (cell.Table, error) {
		return cell.NewTable("rows", "R²", "root mean squared error").Row(p.base().set.N(), p.R2(), p.RMSE()).Title(p.String()), nil
	}).Show()
}
