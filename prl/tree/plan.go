package tree

import (
	"context"
	"slices"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// settings are what the steps of a plan set.
type settings struct {
	Options
	Alpha float64 // the price of a leaf, for Prune
}

func (o settings) check(step string) error {
	if step == "Prune" {
		return checkAlpha(step, o.Alpha)
	}
	o.MaxFeatures = All // checked by the fit, which knows the number of features
	return o.Options.check(step, 1)
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
type Plan struct {
	plan.Classifier[*Classifier, settings]
}

// PlanTree begins a plan with the settings of DefaultOptions: Gini index, grown until the leaves are pure.
func PlanTree() Plan {
	return Plan{plan.NewClassifier(plan.Spec[*Classifier, settings]{
		Name: "Tree", Options: settings{Options: DefaultOptions()}, Needs: plan.Classes, Raw: true,
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

// Gini splits by the Gini index, the default.
func (p Plan) Gini() Plan {
	return plan.With(p, "Gini", func(o *settings) { o.Criterion = Gini })
}

// Entropy splits by the information gain.
func (p Plan) Entropy() Plan {
	return plan.With(p, "Entropy", func(o *settings) { o.Criterion = Entropy })
}

// Misclassification splits by the weighted error of the majority label.
func (p Plan) Misclassification() Plan {
	return plan.With(p, "Misclassification", func(o *settings) { o.Criterion = Error })
}

// Depth limits the length of a path from the root.
func (p Plan) Depth(n int) Plan {
	return plan.With(p, "Depth", func(o *settings) { o.MaxDepth = n }, n)
}

// MinLeaf sets the least number of rows in a leaf.
func (p Plan) MinLeaf(n int) Plan {
	return plan.With(p, "MinLeaf", func(o *settings) { o.MinLeaf = n }, n)
}

// MinSplit sets the least number of rows in a node that is split.
func (p Plan) MinSplit(n int) Plan {
	return plan.With(p, "MinSplit", func(o *settings) { o.MinSplit = n }, n)
}

// MinGain sets the least decrease of the tree's impurity by a split.
func (p Plan) MinGain(g float64) Plan {
	return plan.With(p, "MinGain", func(o *settings) { o.MinGain = g }, g)
}

// MaxFeatures draws n features at random for each node.
func (p Plan) MaxFeatures(n int) Plan {
	return plan.With(p, "MaxFeatures", func(o *settings) { o.MaxFeatures = n }, n)
}

// Seed sets the seed of the draw of features.
func (p Plan) Seed(seed uint64) Plan {
	return plan.With(p, "Seed", func(o *settings) { o.Seed = seed }, seed)
}

// ClassWeights multiplies the weights of the rows by a factor for each class.
func (p Plan) ClassWeights(w ...float64) Plan {
	w = slices.Clone(w)
	return plan.With(p, "ClassWeights", func(o *settings) { o.ClassWeights = w }, fault.Args(w)...)
}

// Balanced makes the classes weigh alike, whatever their sizes.
func (p Plan) Balanced() Plan {
	return plan.With(p, "Balanced", func(o *settings) { o.Balanced = true })
}

// SampleWeights sets a weight for each row.
func (p Plan) SampleWeights(w []float64) Plan {
	w = slices.Clone(w)
	return plan.With(p, "SampleWeights", func(o *settings) { o.Weights = w }, w)
}

// Prune cuts the grown tree back by cost complexity: the subtree that minimises R(T) + alpha |leaves|, with R the tree's own impurity.
func (p Plan) Prune(alpha float64) Plan {
	return plan.With(p, "Prune", func(o *settings) { o.Alpha = alpha }, alpha)
}

// Fit names the data, which need classes. Features may hold words and gaps.
func (p Plan) Fit(set datasets.Set) Plan { return plan.Fit(p, set) }

// Keep keeps the tree on disk for later cells and sessions.
func (p Plan) Keep() Plan { return plan.Keep(p) }

// A RegressionPlan is a regression tree described step by step: PlanRegressionTree().Depth(3).Fit(set).
type RegressionPlan struct {
	plan.Regressor[*Regressor, settings]
}

// PlanRegressionTree begins a plan of a regression tree, which splits by the squared error.
func PlanRegressionTree() RegressionPlan {
	return RegressionPlan{plan.NewRegressor(plan.Spec[*Regressor, settings]{
		Name: "RegressionTree", Options: settings{Options: DefaultOptions()}, Needs: plan.Target, Raw: true,
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

// Depth limits the length of a path from the root.
func (p RegressionPlan) Depth(n int) RegressionPlan {
	return plan.With(p, "Depth", func(o *settings) { o.MaxDepth = n }, n)
}

// MinLeaf sets the least number of rows in a leaf.
func (p RegressionPlan) MinLeaf(n int) RegressionPlan {
	return plan.With(p, "MinLeaf", func(o *settings) { o.MinLeaf = n }, n)
}

// MinSplit sets the least number of rows in a node that is split.
func (p RegressionPlan) MinSplit(n int) RegressionPlan {
	return plan.With(p, "MinSplit", func(o *settings) { o.MinSplit = n }, n)
}

// SampleWeights sets a weight for each row.
func (p RegressionPlan) SampleWeights(w []float64) RegressionPlan {
	w = slices.Clone(w)
	return plan.With(p, "SampleWeights", func(o *settings) { o.Weights = w }, w)
}

// Prune cuts the grown tree back by cost complexity: the subtree that minimises R(T) + alpha |leaves|, with R the mean squared error.
func (p RegressionPlan) Prune(alpha float64) RegressionPlan {
	return plan.With(p, "Prune", func(o *settings) { o.Alpha = alpha }, alpha)
}

// Fit names the data, which need a target. Features may hold words and gaps.
func (p RegressionPlan) Fit(set datasets.Set) RegressionPlan { return plan.Fit(p, set) }

// Keep keeps the tree on disk for later cells and sessions.
func (p RegressionPlan) Keep() RegressionPlan { return plan.Keep(p) }
