package selection

import (
	"fmt"
	"math"
	"strings"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/assess"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// A score judges a fitted model on a set. least says that a smaller one is better; no score is outside lo ... hi.
type score struct {
	name   string
	least  bool
	lo, hi float64
	of     func(model any, set datasets.Set) (float64, error)
}

// cost is the name of the score that a table of losses makes.
const cost = "cost"

// classifying are the scores of classifiers, the default first.
var classifying = []score{
	{"accuracy", false, 0, 1, confused(assess.Confusion.Accuracy)},
	{"balanced accuracy", false, 0, 1, confused(assess.Confusion.BalancedAccuracy)},
	{"macro F1", false, 0, 1, confused(assess.Confusion.MacroF1)},
	{"Matthews", false, -1, 1, confused(assess.Confusion.Matthews)},
	{"AUC", false, 0, 1, plan.AUC},
	{"average precision", false, 0, 1, plan.AveragePrecision},
	{"log loss", true, 0, math.Inf(1), plan.LogLoss},
	{"Brier", true, 0, 2, plan.Brier},
	{"calibration error", true, 0, 1, plan.CalibrationError},
	{cost, true, math.Inf(-1), math.Inf(1), nil}, // of a table of losses
}

// regressing are the scores of regressions, the default first.
var regressing = []score{
	{"R2", false, math.Inf(-1), 1, judged(func(r assess.Regression) float64 { return r.R2 })},
	{"RMSE", true, 0, math.Inf(1), judged(assess.Regression.RMSE)},
	{"MAE", true, 0, math.Inf(1), judged(func(r assess.Regression) float64 { return r.MAE })},
}

// scoreOf returns the score of a name, or the default of a kind of model when the name is empty.
func scoreOf(step, name string, from []score) (score, error) {
	names := make([]string, len(from))
	for i, s := range from {
		names[i] = fmt.Sprintf("%q", s.name)
		if s.name == name || name == "" {
			return s, nil
		}
	}
	return score{}, fault.Argument(step, "the score", fmt.Sprintf("%q", name), "one of "+strings.Join(names, ", "), "")
}

// losing returns the score of a table of losses.
func losing(loss [][]float64) func(any, datasets.Set) (float64, error) {
	return predicted(func(truth, predicted []int, _ int) (float64, error) {
		return assess.MeanLoss(truth, predicted, loss, nil)
	})
}

func confused(f func(assess.Confusion) float64) func(any, datasets.Set) (float64, error) {
	return predicted(func(truth, predicted []int, classes int) (float64, error) {
		c, err := assess.NewConfusion(truth, predicted, nil, classes)
		if err != nil {
			return 0, err
		}
		return f(c), nil
	})
}

func predicted(f func(truth, predicted []int, classes int) (float64, error)) func(any, datasets.Set) (float64, error) {
	return func(model any, set datasets.Set) (float64, error) {
		m := model.(estimator.Classifier)
		got, err := m.Predict(set.X)
		if err != nil {
			return 0, err
		}
		return f(set.Y, got, max(m.Classes(), set.K()))
	}
}

func judged(f func(assess.Regression) float64) func(any, datasets.Set) (float64, error) {
	return func(model any, set datasets.Set) (float64, error) {
		predicted, err := model.(estimator.Regressor).Predict(set.X)
		if err != nil {
			return 0, err
		}
		r, err := assess.NewRegression(set.Target, predicted, nil)
		if err != nil {
			return 0, err
		}
		return f(r), nil
	}
}
