package bayes

import (
	"context"

	"gonum.org/v1/gonum/mat"
)

// FitNearestMean fits the minimum-distance classifier: a row goes to the class whose mean is nearest in Euclidean distance. That is the
// Bayes rule of Gaussian classes with equal priors and one covariance s^2 I (Duda, Hart and Stork, section 2.6.1); s^2, the mean pooled
// variance, only enters the posteriors. Priors of the options are not used.
func FitNearestMean(ctx context.Context, X mat.Matrix, y []int, o Options) (*Classifier, error) {
	const f = "bayes.FitNearestMean"
	m, err := newMoments(f, ctx, X, y, o, true)
	if err != nil {
		return nil, err
	}
	return m.nearestMean(f, o)
}

func (m *moments) nearestMean(function string, o Options) (*Classifier, error) {
	o.Shrinkage = 1 // tr(S)/d I
	S, err := m.pool(function, o)
	if err != nil {
		return nil, err
	}
	return shared(function, "NearestMean", m, even(m.k), S)
}
