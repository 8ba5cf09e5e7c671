package selection

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

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

// classifying are the scores of classifiers, the default first.
var classifying = []score{
	{"accuracy", false, 0, 1, confused(assess.Confusion.Accuracy)},
	{"balanced accuracy", false, 0, 1, confused(assess.Confusion.BalancedAccuracy)},
	{"macro F1", false, 0, 1, confused(assess.Confusion.MacroF1)},
	{"Matthews", false, -1, 1, confused(assess.Confusion.Matthews)},
	{"AUC", false, 0, 1, area},
	{"log loss", true, 0, math.Inf(1), probable(assess.LogLoss)},
	{"Brier", true, 0, 2, probable(assess.Brier)},
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

func confused(f func(assess.Confusion) float64) func(any, datasets.Set) (float64, error) {
	return func(model any, set datasets.Set) (float64, error) {
		m := model.(estimator.Classifier)
		predicted, err := m.Predict(set.X)
		if err != nil {
			return 0, err
		}
		c, err := assess.NewConfusion(set.Y, predicted, nil, max(m.Classes(), set.K()))
		if err != nil {
			return 0, err
		}
		return f(c), nil
	}
}

func probable(f func([]int, mat.Matrix, []float64) (float64, error)) func(any, datasets.Set) (float64, error) {
	return func(model any, set datasets.Set) (float64, error) {
		p, err := proba(model, set.X)
		if err != nil {
			return 0, err
		}
		return f(set.Y, p, nil)
	}
}

func proba(model any, X mat.Matrix) (*mat.Dense, error) {
	m, ok := model.(estimator.ProbabilisticClassifier)
	if !ok {
		return nil, fmt.Errorf("a %T has no probabilities; score it by \"accuracy\" or \"AUC\"", model)
	}
	return m.Proba(X)
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

// area is the area below the ROC; of more than two classes the mean over each against the rest.
func area(model any, set datasets.Set) (float64, error) {
	d, err := plan.Scores(model, set.X)
	if err != nil {
		return 0, err
	}
	classes := model.(estimator.Classifier).Classes()
	sum, curves := 0.0, 0
	for k := range classes {
		if classes == 2 && k == 0 {
			continue
		}
		truth, values := plan.Against(d, set.Y, k, classes)
		r, err := assess.NewROC(truth, values, nil)
		if err != nil {
			return 0, fmt.Errorf("the area of class %d on a test part: %w", k, err)
		}
		sum += r.AUC()
		curves++
	}
	return sum / float64(curves), nil
}
