package bayes

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/internal/gauss"
)

// FitQDA fits quadratic discriminant analysis: every class has a mean and a full covariance of its own, so that the boundaries are quadrics
// (Hastie, Tibshirani and Friedman, section 4.3). X is n x d, y holds classes 0 ... K-1.
//
// It fails with an *fault.ArgumentError on unusable data or options and on a class whose covariance is singular, as it is whenever the
// class has at most d rows and Shrinkage and Pooling are 0.
func FitQDA(ctx context.Context, X mat.Matrix, y []int, o Options) (*Classifier, error) {
	return separate("bayes.FitQDA", "QDA", ctx, X, y, o, false)
}

// separate fits Gaussian classes with a covariance each, a full or a diagonal one.
func separate(f, kind string, ctx context.Context, X mat.Matrix, y []int, o Options, diagonal bool) (*Classifier, error) {
	m, err := newMoments(f, ctx, X, y, o, diagonal)
	if err != nil {
		return nil, err
	}
	return m.separate(f, kind, o)
}

func (m *moments) separate(f, kind string, o Options) (*Classifier, error) {
	m.settle()
	priors := m.priors(o)
	c := &Classifier{kind: kind, priors: priors, logs: logs(priors)}
	var mixed [][]float64
	var err error
	if o.Pooling > 0 {
		if mixed, err = m.mix(f, o); err != nil {
			return nil, err
		}
	}
	for k := range m.k {
		what := fmt.Sprintf("the covariance of class %d", k)
		var S []float64
		if mixed != nil {
			S = mixed[k]
			gauss.Shrink(S, m.d, o.Shrinkage)
		} else if S, err = m.covariance(f, what, m.scatter[k], m.count[k], 1, o); err != nil {
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
