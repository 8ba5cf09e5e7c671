package bayes

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// FitGaussianNB fits Gaussian naive Bayes: within a class the features are independent normals, that is, QDA with diagonal covariances. X is
// n x d, y holds classes 0 ... K-1. It fails with an *estimator.ArgumentError when a feature is constant within a class and Shrinkage is 0.
func FitGaussianNB(ctx context.Context, X mat.Matrix, y []int, o Options) (*Classifier, error) {
	const f = "bayes.FitGaussianNB"
	m, err := newMoments(f, ctx, X, y, o, true)
	if err != nil {
		return nil, err
	}
	c := &Classifier{kind: "GaussianNB", priors: m.priors(o)}
	for k := range m.k {
		what := fmt.Sprintf("the covariance of class %d", k)
		S, err := covariance(f, what, m.scatter[k], m.count[k], 1, o)
		if err != nil {
			return nil, err
		}
		g, err := newGaussian(f, what, m.mean[k], S)
		if err != nil {
			return nil, err
		}
		c.class = append(c.class, g)
	}
	return c, nil
}
