package bayes

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// A CountPlan is naive Bayes on counts described step by step: PlanMultinomialNB().Smoothing(0.1).Fit(words).
//
//plan:step Pooled Pooled // spreads the added counts like the features of all classes together, not evenly
//plan:step Above Above(t float64) // sets the number that a feature of BernoulliNB must exceed to be present; 0 unless set
//plan:step Balanced Balanced
//plan:step Priors Priors // in place of their shares in the data
//plan:step Weights SampleWeights
//plan:step Smoothing Smoothing(a float64) =! orNone(a) // 1 unless set, 0 for maximum likelihood
type CountPlan struct {
	plan.Classifier[*CountNB, CountOptions]
}

// PlanMultinomialNB begins a plan of a bag of words a class (see FitMultinomialNB).
func PlanMultinomialNB() CountPlan { return beginCounts(multinomialNB, FitMultinomialNB) }

// PlanBernoulliNB begins a plan of a coin for each feature and class (see FitBernoulliNB).
func PlanBernoulliNB() CountPlan { return beginCounts(bernoulliNB, FitBernoulliNB) }

// PlanComplementNB begins a plan of the bags of the other classes (see FitComplementNB).
func PlanComplementNB() CountPlan { return beginCounts(complementNB, FitComplementNB) }

func beginCounts(name string, fit func(context.Context, mat.Matrix, []int, CountOptions) (*CountNB, error)) CountPlan {
	return CountPlan{plan.NewClassifier(plan.Spec[*CountNB, CountOptions]{
		Name: name, Needs: plan.Classes,
		Check: func(step string, o CountOptions) error {
			if err := checkBalanced(step, o.Balanced, o.Priors); err != nil {
				return err
			}
			if err := checkKind(step, name, o); err != nil {
				return err
			}
			return o.check(step)
		},
		Fit: func(ctx context.Context, set datasets.Set, o CountOptions) (*CountNB, error) {
			return fit(ctx, set.X, set.Y, o)
		},
	})}
}

// orNone writes the 0 of a chain as the options do, where 0 stands for the default.
func orNone(smoothing float64) (float64, error) {
	switch {
	case smoothing < 0:
		return 0, fault.Argument("Smoothing", "a", smoothing, "a finite number of at least 0", "1 is Laplace's choice")
	case smoothing == 0:
		return estimator.None, nil
	}
	return smoothing, nil
}

// Table lists parameters and diagnostics: for each class its prior and the feature that tells most for it against the mean of the other
// classes, with its weight.
func (p CountPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *CountNB) (cell.Table, error) {
		t := cell.NewTable("class", "prior", "most telling feature", "its weight in nats").Title(m.String())
		for c := range m.Classes() {
			mean := make([]float64, m.Dim())
			for b := range m.Classes() {
				if b != c {
					for j, w := range m.Weights(c, b) {
						mean[j] += w / float64(m.Classes()-1)
					}
				}
			}
			best := estimator.Argmax(mean)
			t = t.Row(m.ClassName(c), m.priors[c], m.FeatureName(best), mean[best])
		}
		return t, nil
	})
}

// A TreePlan is a Bayes classifier of nominal features described step by step: PlanTreeNB().Smoothing(0.5).Fit(votes).
//
//plan:step Categories Categories(n int) // says that each feature has at least so many values, though the data of the fit may hold fewer
//plan:step Balanced Balanced
//plan:step Priors Priors // in place of their shares in the data
//plan:step Weights SampleWeights
//plan:fit a set with classes, of whole numbers from 0
//plan:step Smoothing Smoothing(a float64) =! orNone(a) // 1 unless set, 0 for maximum likelihood
type TreePlan struct {
	plan.Classifier[*TreeNB, TreeOptions]
}

// PlanTreeNB begins a plan in which features depend on each other along the best tree (see FitTreeNB).
func PlanTreeNB() TreePlan { return beginTree("TreeNB", BestTree) }

// PlanChainNB begins a plan in which each feature depends on the one before it (see FitTreeNB).
func PlanChainNB() TreePlan { return beginTree("ChainNB", InOrder) }

// PlanCategoricalNB begins naive Bayes of features with finitely many values (see FitTreeNB).
func PlanCategoricalNB() TreePlan { return beginTree("CategoricalNB", Independent) }

func beginTree(name string, dependence Dependence) TreePlan {
	return TreePlan{plan.NewClassifier(plan.Spec[*TreeNB, TreeOptions]{
		Name: name, Options: TreeOptions{Dependence: dependence}, Needs: plan.Classes,
		Check: func(step string, o TreeOptions) error {
			if err := checkBalanced(step, o.Balanced, o.Priors); err != nil {
				return err
			}
			return o.check(step)
		},
		Fit: func(ctx context.Context, set datasets.Set, o TreeOptions) (*TreeNB, error) {
			return FitTreeNB(ctx, set.X, set.Y, o)
		},
	})}
}

// Table lists parameters and diagnostics: the features, how many values each has, and the feature on which it depends.
func (p TreePlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *TreeNB) (cell.Table, error) {
		t := cell.NewTable("feature", "values", "depends on").Title(m.String())
		for j, parent := range m.parent {
			on := "the class"
			if parent >= 0 {
				on = "the class and " + m.FeatureName(parent)
			}
			t = t.Row(m.FeatureName(j), m.values[j], on)
		}
		return t, nil
	})
}
