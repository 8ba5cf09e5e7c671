package ensemble

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// on returns the options of a fit to a set, whose features may hold words and gaps.
func (o Options) on(set datasets.Set) Options {
	t := o.trees().On(set)
	o.Gaps, o.Words = t.Gaps, t.Words
	return o
}

// A Plan is a classification forest described step by step: PlanForest().Trees(500).MaxFeatures(2).Fit(set).
//
//plan:step Trees Trees(n)
//plan:step MaxFeatures MaxFeatures(n)
//plan:step MaxFeatures Bagging() = tree.All
//plan:step Extra Extra() = true
//plan:step MaxDepth Depth
//plan:step MinLeaf MinLeaf
//plan:step Criterion Entropy() = tree.Entropy
//plan:step Draw Draw(rows)
//plan:step Seed Seed
//plan:step ClassWeights ClassWeights
//plan:step Balanced Balanced
//plan:step Weights SampleWeights
//plan:fit a set with classes, whose features may hold words and gaps
type Plan struct {
	plan.Classifier[*Forest, Options]
}

// PlanForest begins a forest of 100 trees, each node with the root of d features.
func PlanForest() Plan {
	return Plan{plan.NewClassifier(plan.Spec[*Forest, Options]{
		Name: "Forest", Options: Options{}.filled(), Needs: plan.Classes, Raw: true,
		Check: func(step string, o Options) error { return o.check(step) },
		CheckData: func(step string, set datasets.Set, o Options) error {
			return estimator.CheckFactors(step, o.ClassWeights, set.K())
		},
		Fit: func(ctx context.Context, set datasets.Set, o Options) (*Forest, error) {
			f, err := Fit(ctx, set.X, set.Y, o.on(set))
			if err == nil {
				f.s.Words = set.Words
			}
			return f, err
		},
	})}
}

// OOBError returns the error on the rows that a tree has not seen: the share of the rows that those trees put into a wrong class.
func (p Plan) OOBError() float64 {
	return plan.Value(p, "OOBError", func(f *Forest) (float64, error) { return f.s.Error, f.s.seenAll("OOBError") })
}

// Importances draws the share of each feature in the decrease of impurity.
func (p Plan) Importances() *plotting.Figure {
	return plan.Figure(p, "Importances", func(f *Forest) (*plotting.Figure, error) {
		return plan.Importance(plan.Data(p).FeatureNames, f.Importances(), "share of the impurity decrease"), nil
	})
}

// Permutation draws by how much the error rises when a feature is shuffled: on the rows that a tree has not seen, or on those of a test
// set.
func (p Plan) Permutation(test ...datasets.Set) *plotting.Figure {
	if len(test) > 0 {
		return p.Classifier.Permutation(test...)
	}
	return plan.Figure(p, "Permutation", func(f *Forest) (*plotting.Figure, error) {
		set := plan.Data(p)
		rise, err := f.OOBPermutation(context.Background(), set.X, set.Y, Shuffles{})
		if err != nil {
			return nil, fault.In("Permutation", err)
		}
		return plan.Importance(set.FeatureNames, rise, "rise of the error"), nil
	})
}

// Table lists parameters and diagnostics: the size of the trees, the error on rows that a tree has not seen, the importance of the
// features.
func (p Plan) Table() cell.Table {
	return plan.Table(p, "Table", func(f *Forest) (cell.Table, error) { return table(&f.committee, &f.Names, f.String()), nil })
}

// Show shows the picture or table that says most: the importance of the features, and for data of two features the regions.
func (p Plan) Show() {
	if set := plan.Data(p); p.Err() == nil && set.D() == 2 && set.CheckNumbers("Show") == nil {
		p.Regions().Show()
		return
	}
	p.Importances().Show()
}

// A RegressionPlan is a regression forest described step by step: PlanRegressionForest().Trees(500).MinLeaf(5).Fit(set).
//
//plan:step Trees Trees(n)
//plan:step MaxFeatures MaxFeatures(n)
//plan:step MaxFeatures Bagging() = tree.All
//plan:step Extra Extra() = true
//plan:step MaxDepth Depth
//plan:step MinLeaf MinLeaf
//plan:step Draw Draw(rows)
//plan:step Seed Seed
//plan:step Weights SampleWeights
//plan:fit a set with a target, whose features may hold words and gaps
type RegressionPlan struct {
	plan.Regressor[*Regressor, Options]
}

// PlanRegressionForest begins a regression forest of 100 trees, each node with a third of the features.
func PlanRegressionForest() RegressionPlan {
	return RegressionPlan{plan.NewRegressor(plan.Spec[*Regressor, Options]{
		Name: "RegressionForest", Options: Options{}.filled(), Needs: plan.Target, Raw: true,
		Check: func(step string, o Options) error { return o.check(step) },
		Fit: func(ctx context.Context, set datasets.Set, o Options) (*Regressor, error) {
			f, err := FitRegression(ctx, set.X, set.Target, o.on(set))
			if err == nil {
				f.s.Words = set.Words
			}
			return f, err
		},
	})}
}

// OOBError returns the error on the rows that a tree has not seen: the mean squared error of those trees.
func (p RegressionPlan) OOBError() float64 {
	return plan.Value(p, "OOBError", func(f *Regressor) (float64, error) { return f.s.Error, f.s.seenAll("OOBError") })
}

// Importances draws the share of each feature in the decrease of impurity.
func (p RegressionPlan) Importances() *plotting.Figure {
	return plan.Figure(p, "Importances", func(f *Regressor) (*plotting.Figure, error) {
		return plan.Importance(plan.Data(p).FeatureNames, f.Importances(), "share of the impurity decrease"), nil
	})
}

// Permutation draws by how much the error rises when a feature is shuffled: on the rows that a tree has not seen, or on those of a test
// set.
func (p RegressionPlan) Permutation(test ...datasets.Set) *plotting.Figure {
	if len(test) > 0 {
		return p.Regressor.Permutation(test...)
	}
	return plan.Figure(p, "Permutation", func(f *Regressor) (*plotting.Figure, error) {
		set := plan.Data(p)
		rise, err := f.OOBPermutation(context.Background(), set.X, set.Target, Shuffles{})
		if err != nil {
			return nil, fault.In("Permutation", err)
		}
		return plan.Importance(set.FeatureNames, rise, "rise of the squared error"), nil
	})
}

// Quantiles returns for each row of a set, and each share, the quantile of the target that the rows of the fit have in its leaves: rows x
// shares numbers. MinLeaf(5) or so tells more of the spread than leaves of one row.
func (p RegressionPlan) Quantiles(set datasets.Set, shares ...float64) *mat.Dense {
	return plan.Value(p, "Quantiles", func(f *Regressor) (*mat.Dense, error) {
		set, err := plan.Admitted(f, "Quantiles", set)
		if err != nil {
			return nil, err
		}
		out, err := f.Quantiles(context.Background(), set.X, plan.Data(p).X, plan.Data(p).Target, shares...)
		return out, fault.In("Quantiles", err)
	}, append([]any{set}, fault.Args(shares)...)...)
}

// RowWeights returns the weight of each row of the fit in the prediction for one point. They sum to one.
func (p RegressionPlan) RowWeights(x ...float64) []float64 {
	return plan.Value(p, "RowWeights", func(f *Regressor) ([]float64, error) {
		if err := estimator.CheckPoint("RowWeights", x, f.Dim()); err != nil {
			return nil, err
		}
		w, err := f.RowWeights(context.Background(), mat.NewDense(1, len(x), x), plan.Data(p).X)
		if err != nil {
			return nil, fault.In("RowWeights", err)
		}
		return w.RawRowView(0), nil
	}, fault.Args(x)...)
}

// Table lists parameters and diagnostics: the size of the trees, the error on rows that a tree has not seen, the importance of the
// features.
func (p RegressionPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(f *Regressor) (cell.Table, error) { return table(&f.committee, &f.Names, f.String()), nil })
}

// Show shows the picture or table that says most: the importance of the features, and for data of one feature the curve.
func (p RegressionPlan) Show() {
	if set := plan.Data(p); p.Err() == nil && set.D() == 1 && set.CheckNumbers("Show") == nil {
		p.Curve().Show()
		return
	}
	p.Importances().Show()
}

// seenAll reports a forest whose trees have all seen all rows.
func (s *state[M]) seenAll(step string) error {
	if s.Error == s.Error {
		return nil
	}
	return fault.Argument(step, "the forest", "trees that have seen all rows", "rows that a tree has not seen",
		"draw the rows of each tree with .Draw(n)")
}

func table[M member](c *committee[M], names *estimator.Names, title string) cell.Table {
	t := cell.NewTable("feature", "share of the impurity decrease").Title(fmt.Sprintf("%s, %.4g leaves a tree", title, c.leaves()))
	for j, v := range c.Importances() {
		t = t.Row(names.FeatureName(j), v)
	}
	return t
}
