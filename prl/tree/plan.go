package tree

import (
	"context"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/plan"
)

// settings are what the steps of a plan set.
type settings struct {
	Options
	// Alpha is the price of a leaf.
	Alpha float64
}

func (o settings) check(step string) error {
	if step == "Prune" {
		return checkAlpha(step, o.Alpha)
	}
	o.MaxFeatures = All // checked by the fit, which knows the number of features
	return o.Options.Check(step, 1)
}

// On returns the options of a fit to a set, whose features may hold words and gaps.
func (o Options) On(set datasets.Set) Options {
	o.Gaps = true
	for j, words := range set.Words {
		if words != nil {
			if o.Words == nil {
				o.Words = make([]int, set.D())
			}
			o.Words[j] = len(words)
		}
	}
	return o
}

// A Plan is a classification tree described step by step: PlanTree().Entropy().Depth(3).Fit(iris).
//
//plan:step Criterion Gini() = Gini // splits by the Gini index, the default
//plan:step Criterion Entropy() = Entropy
//plan:step Criterion Misclassification() = Error // splits by the weighted error of the majority label
//plan:step MaxDepth Depth
//plan:step MinLeaf MinLeaf
//plan:step MinSplit MinSplit
//plan:step MinGain MinGain(gain) // sets the least decrease of the tree's impurity by a split
//plan:step MaxFeatures MaxFeatures(n)
//plan:step Seed Seed
//plan:step ClassWeights ClassWeights
//plan:step Balanced Balanced
//plan:step Weights SampleWeights
//plan:step Alpha Prune // keeps the subtree that minimises R(T) + alpha |leaves|, with R the tree's own impurity
//plan:fit a set with classes, whose features may hold words and gaps
type Plan struct {
	plan.Classifier[*Classifier, settings]
}

// PlanTree begins a plan with the settings of Options{}: Gini index, grown until the leaves are pure.
func PlanTree() Plan {
	return Plan{plan.NewClassifier(plan.Spec[*Classifier, settings]{
		Name: "Tree", Options: settings{Options: Options{}.filled()}, Needs: plan.Classes, Raw: true,
		Check: func(step string, o settings) error { return o.check(step) },
		CheckData: func(step string, set datasets.Set, o settings) error {
			return estimator.CheckFactors(step, o.ClassWeights, set.K())
		},
		Fit: func(ctx context.Context, set datasets.Set, o settings) (*Classifier, error) {
			t, err := Fit(ctx, set.X, set.Y, o.On(set))
			if err != nil {
				return nil, err
			}
			if t.special.Names = set.Words; o.Alpha == 0 {
				return t, nil
			}
			return t.Prune(o.Alpha, o.Criterion)
		},
	})}
}

// A RegressionPlan is a regression tree described step by step: PlanRegressionTree().Depth(3).Fit(set).
//
//plan:step MaxDepth Depth
//plan:step MinLeaf MinLeaf
//plan:step MinSplit MinSplit
//plan:step Weights SampleWeights
//plan:step Alpha Prune // keeps the subtree that minimises R(T) + alpha |leaves|, with R the mean squared error
//plan:fit a set with a target, whose features may hold words and gaps
type RegressionPlan struct {
	plan.Regressor[*Regressor, settings]
}

// PlanRegressionTree begins a plan of a regression tree, which splits by the squared error.
func PlanRegressionTree() RegressionPlan {
	return RegressionPlan{plan.NewRegressor(plan.Spec[*Regressor, settings]{
		Name: "RegressionTree", Options: settings{Options: Options{}.filled()}, Needs: plan.Target, Raw: true,
		Check: func(step string, o settings) error { return o.check(step) },
		Fit: func(ctx context.Context, set datasets.Set, o settings) (*Regressor, error) {
			t, err := FitRegression(ctx, set.X, set.Target, o.On(set))
			if err != nil {
				return nil, err
			}
			if t.special.Names = set.Words; o.Alpha == 0 {
				return t, nil
			}
			return t.Prune(o.Alpha)
		},
	})}
}
