package bayes

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/plan"
)

// A Plan is a Gaussian classifier described step by step: PlanQDA().Shrinkage(0.1).Fit(iris).
//
//plan:step Priors Priors // in place of their shares in the data
//plan:step Balanced Balanced
//plan:step Shrinkage Shrinkage(s float64) // replaces each covariance S by (1-s) S + s tr(S)/d I, 0 <= s <= 1
//plan:step ShrinkageAuto AutoShrinkage // shrinks the covariance of each class to its diagonal by the share of Ledoit and Wolf, in the
//plan:text place of a share that is given
//plan:step Pooling Pooling(a float64) // replaces the covariance S_k of each class by (1-a) S_k + a S with the pooled covariance S, 0 <=
//plan:text a <= 1: it leads from QDA to LDA
//plan:step Denominator MaximumLikelihood() = MaximumLikelihood // divides scatter matrices by n instead of by the degrees of freedom
//plan:step Weights SampleWeights
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
		Name: name, Options: Options{}, Needs: plan.Classes,
		Check: func(step string, o Options) error {
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
