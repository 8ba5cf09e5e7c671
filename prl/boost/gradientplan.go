package boost

import (
	"context"
	"fmt"
	"strconv"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// A GradientPlan is a classifier by gradient boosting described step by step: PlanGradient().Rounds(200).Rate(0.05).Fit(set).
//
//plan:step Loss Minimise(l)
//plan:step Rounds Rounds
//plan:step Rate Rate
//plan:step Depth Depth
//plan:step Leaves Leaves
//plan:step MinLeaf MinLeaf
//plan:step Lambda Lambda = zeroAsNone(lambda) // lambda is added to H in a leaf
//plan:step Gamma Gamma
//plan:step Rows RowShare
//plan:step Columns ColumnShare
//plan:step Held Held
//plan:step Patience Patience
//plan:step Monotone Monotone
//plan:step Bins Bins
//plan:step Seed Seed
//plan:step ClassWeights ClassWeights
//plan:step Balanced Balanced
//plan:step Weights SampleWeights
//plan:fit a set with classes, whose features may hold gaps
type GradientPlan struct {
	plan.Classifier[*GradientClassifier, GradientOptions]
}

// zeroAsNone returns what an option holds for v, where zero stands for the default.
func zeroAsNone(v float64) float64 {
	if v == 0 {
		return estimator.None
	}
	return v
}

// checkWith checks options that steps have set so far.
func (o GradientOptions) checkWith(step string, classes bool) error {
	if err := o.check(step); err != nil {
		return err
	}
	return o.Loss.check(step, classes)
}

// PlanGradient begins a plan with the settings of DefaultGradientOptions: 100 rounds of trees of at most 31 leaves, with rate 0.1.
func PlanGradient() GradientPlan {
	return GradientPlan{plan.NewClassifier(plan.Spec[*GradientClassifier, GradientOptions]{
		Name: "GradientBoosting", Options: DefaultGradientOptions(), Needs: plan.Classes, Raw: true,
		Check: func(step string, o GradientOptions) error { return o.checkWith(step, true) },
		CheckData: func(step string, set datasets.Set, o GradientOptions) error {
			return estimator.CheckFactors(step, o.ClassWeights, set.K())
		},
		Fit: func(ctx context.Context, set datasets.Set, o GradientOptions) (*GradientClassifier, error) {
			if err := onlyNumbers(set); err != nil {
				return nil, err
			}
			o.Gaps = true
			return FitGradient(ctx, set.X, set.Y, o)
		},
	})}
}

// onlyNumbers reports a set with features of words.
func onlyNumbers(set datasets.Set) error {
	for j, words := range set.Words {
		if words != nil {
			return fault.Argument("Fit", "feature "+strconv.Quote(set.FeatureNames[j]), fmt.Sprintf("%d words", len(words)),
				"numbers, of which some may be missing", "make columns of the words with prl.OneHot(), or leave the feature out")
		}
	}
	return nil
}

// Curves draws errors on the data of the fit and on others: the mean loss after each round.
func (p GradientPlan) Curves(test ...datasets.Set) *plotting.Figure {
	return plan.Figure(p, "Curves", func(m *GradientClassifier) (*plotting.Figure, error) {
		return curves(plan.Data(p), test, func(s datasets.Set) ([]float64, error) {
			if err := s.CheckClasses("Curves"); err != nil {
				return nil, err
			}
			return m.Losses(context.Background(), s.X, s.Y, nil)
		}, m.s.Held)
	}, fault.Args(test)...)
}

// Importances draws the share of each feature in the decrease of impurity: in the gains of the tests.
func (p GradientPlan) Importances() *plotting.Figure {
	return plan.Figure(p, "Importances", func(m *GradientClassifier) (*plotting.Figure, error) {
		return plan.Importance(plan.Data(p).FeatureNames, m.Importances(), "share of the gains"), nil
	})
}

// Table lists parameters and diagnostics: the share of each feature in the gains.
func (p GradientPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *GradientClassifier) (cell.Table, error) {
		return gains(&m.Names, m.Importances(), m.String(), m.Stop()), nil
	})
}

// Show shows the picture or table that says most: the regions of data of two features, otherwise the importance of the features.
func (p GradientPlan) Show() {
	if set := plan.Data(p); p.Err() == nil && set.D() == 2 && set.CheckNumbers("Show") == nil {
		p.Regions().Show()
		return
	}
	p.Importances().Show()
}

// A GradientRegressionPlan is a regression by gradient boosting described step by step: PlanGradientRegression().Rounds(200).Fit(set).
//
//plan:step Loss Minimise(l)
//plan:step Rounds Rounds
//plan:step Rate Rate
//plan:step Depth Depth
//plan:step Leaves Leaves
//plan:step MinLeaf MinLeaf
//plan:step Lambda Lambda = zeroAsNone(lambda) // lambda is added to H in a leaf
//plan:step Gamma Gamma
//plan:step Rows RowShare
//plan:step Columns ColumnShare
//plan:step Held Held
//plan:step Patience Patience
//plan:step Monotone Monotone
//plan:step Bins Bins
//plan:step Seed Seed
//plan:step Weights SampleWeights
//plan:fit a set with a target, whose features may hold gaps
type GradientRegressionPlan struct {
	plan.Regressor[*GradientRegressor, GradientOptions]
}

// PlanGradientRegression begins a plan of a regression, with the settings of DefaultGradientOptions.
func PlanGradientRegression() GradientRegressionPlan {
	return GradientRegressionPlan{plan.NewRegressor(plan.Spec[*GradientRegressor, GradientOptions]{
		Name: "RegressionBoosting", Options: DefaultGradientOptions(), Needs: plan.Target, Raw: true,
		Check: func(step string, o GradientOptions) error { return o.checkWith(step, false) },
		Fit: func(ctx context.Context, set datasets.Set, o GradientOptions) (*GradientRegressor, error) {
			if err := onlyNumbers(set); err != nil {
				return nil, err
			}
			o.Gaps = true
			return FitGradientRegression(ctx, set.X, set.Target, o)
		},
	})}
}

// Curves draws errors on the data of the fit and on others: the mean loss after each round.
func (p GradientRegressionPlan) Curves(test ...datasets.Set) *plotting.Figure {
	return plan.Figure(p, "Curves", func(m *GradientRegressor) (*plotting.Figure, error) {
		return curves(plan.Data(p), test, func(s datasets.Set) ([]float64, error) {
			if err := s.Check("Curves"); err != nil {
				return nil, err
			}
			return m.Losses(context.Background(), s.X, s.Target, nil)
		}, m.s.Held)
	}, fault.Args(test)...)
}

// Importances draws the share of each feature in the decrease of impurity: in the gains of the tests.
func (p GradientRegressionPlan) Importances() *plotting.Figure {
	return plan.Figure(p, "Importances", func(m *GradientRegressor) (*plotting.Figure, error) {
		return plan.Importance(plan.Data(p).FeatureNames, m.Importances(), "share of the gains"), nil
	})
}

// Table lists parameters and diagnostics: the share of each feature in the gains.
func (p GradientRegressionPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *GradientRegressor) (cell.Table, error) {
		return gains(&m.Names, m.Importances(), m.String(), m.Stop()), nil
	})
}

// Show shows the picture or table that says most: the curve over data of one feature, otherwise the importance of the features.
func (p GradientRegressionPlan) Show() {
	if set := plan.Data(p); p.Err() == nil && set.D() == 1 && set.CheckNumbers("Show") == nil {
		p.Curve().Show()
		return
	}
	p.Importances().Show()
}

// curves draws the mean loss after each round on the data of the fit, on the rows held out, and on test sets.
func curves(fit datasets.Set, test []datasets.Set, losses func(datasets.Set) ([]float64, error), held []float64) (*plotting.Figure, error) {
	fig := plotting.New().X("rounds").Y("mean loss").Title("Loss after each round")
	line := func(v []float64, name string) {
		rounds := make([]float64, len(v))
		for i := range v {
			rounds[i] = float64(i)
		}
		fig = fig.Add(plotting.Line(rounds, v).Name(name))
	}
	for i, s := range append([]datasets.Set{fit}, test...) {
		v, err := losses(s)
		if err != nil {
			return nil, fault.In("Curves", err)
		}
		switch i {
		case 0:
			line(v, "data of the fit")
		case 1:
			line(v, "test set")
		default:
			line(v, "test set "+strconv.Itoa(i))
		}
	}
	if held != nil {
		line(held, "rows held out")
	}
	return fig, nil
}

func gains(names *estimator.Names, v []float64, title string, stop Stop) cell.Table {
	t := cell.NewTable("feature", "share of the gains").Title(title + " (" + stop.String() + ")")
	for j, share := range v {
		t = t.Row(names.FeatureName(j), share)
	}
	return t
}
