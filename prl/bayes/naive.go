package bayes

import (
	"context"

	"gonum.org/v1/gonum/mat"
)

// FitGaussianNB fits Gaussian naive Bayes: within a class the features are independent normals, that is, QDA with diagonal covariances. X
// is n x d, y holds classes 0 ... K-1. It fails with an *fault.ArgumentError when a feature is constant within a class and Shrinkage is 0.
func FitGaussianNB(ctx context.Context, X mat.Matrix, y []int, o Options) (*Classifier, error) {
	return separate("bayes.FitGaussianNB", "GaussianNB", ctx, X, y, o, true)
}
