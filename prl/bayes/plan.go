package bayes

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// A Plan is a Gaussian classifier described step by step: PlanQDA().Shrinkage(0.1).Fit(iris).
type Plan struct {
	plan.Classifier[*Classifier, Options]
}

// PlanLDA begins a plan of linear discriminant analysis (see FitLDA).
func PlanLDA() Plan { return begin("LDA", FitLDA) }

// PlanQDA begins a plan of quadratic discriminant analysis (see FitQDA).
func PlanQDA() Plan { return begin("QDA", FitQDA) }

// PlanNearestMean begins a plan of the minimum-distance classifier (see FitNearestMean).
func PlanNearestMean() Plan { return begin("NearestMean", FitNearestMean) }

// PlanGaussianNB begins a plan of Gaussian naive Bayes (see FitGaussianNB).
func PlanGaussianNB() Plan { return begin("GaussianNB", FitGaussianNB) }

func begin(name string, fit func(context.Context, mat.Matrix, []int, Options) (*Classifier, error)) Plan {
	return Plan{plan.NewClassifier(plan.Spec[*Classifier, Options]{
		Name: name, Options: DefaultOptions(), Needs: plan.Classes,
		Check: func(step string, o Options) error {
			if o.Priors != nil {
				if err := estimator.CheckProbabilities(step, "Priors", o.Priors); err != nil {
					return err
				}
			}
			if err := checkBalanced(step, o.Balanced, o.Priors); err != nil {
				return err
			}
			return o.checkCovariance(step)
		},
		Fit: func(ctx context.Context, set datasets.Set, o Options) (*Classifier, error) {
			return fit(ctx, set.X, set.Y, o)
		},
	})}
}

// Priors sets the class probabilities in place of the proportions of the classes.
func (p Plan) Priors(priors ...float64) Plan {
	priors = slices.Clone(priors)
	return plan.With(p, "Priors", func(o *Options) { o.Priors = priors }, fault.Args(priors)...)
}

// Balanced gives all classes the same prior, whatever their sizes.
func (p Plan) Balanced() Plan {
	return plan.With(p, "Balanced", func(o *Options) { o.Balanced = true })
}

// Shrinkage replaces each covariance S by (1-s) S + s tr(S)/d I, 0 <= s <= 1.
func (p Plan) Shrinkage(s float64) Plan {
	return plan.With(p, "Shrinkage", func(o *Options) { o.Shrinkage = s }, s)
}

// AutoShrinkage shrinks the covariance of each class to its diagonal by the share of Ledoit and Wolf, in the place of a share that is
// given.
func (p Plan) AutoShrinkage() Plan {
	return plan.With(p, "AutoShrinkage", func(o *Options) { o.ShrinkageAuto = true })
}

// Pooling replaces the covariance S_k of each class by (1-a) S_k + a S with the pooled covariance S, 0 <= a <= 1: it leads from QDA to LDA.
func (p Plan) Pooling(a float64) Plan {
	return plan.With(p, "Pooling", func(o *Options) { o.Pooling = a }, a)
}

// MaximumLikelihood divides scatter matrices by n instead of by the degrees of freedom.
func (p Plan) MaximumLikelihood() Plan {
	return plan.With(p, "MaximumLikelihood", func(o *Options) { o.Denominator = MaximumLikelihood })
}

// SampleWeights sets a weight for each row, which counts as so many rows.
func (p Plan) SampleWeights(w []float64) Plan {
	w = slices.Clone(w)
	return plan.With(p, "SampleWeights", func(o *Options) { o.Weights = w }, w)
}

// Fit names the data, which need classes.
func (p Plan) Fit(set datasets.Set) Plan { return plan.Fit(p, set) }

// Keep keeps the classifier on disk for later cells and sessions.
func (p Plan) Keep() Plan { return plan.Keep(p) }
