package bayes

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/estimator/estimatortest"
)

// TestContract runs the shared suite on every classifier of the family.
func TestContract(t *testing.T) {
	for name, fit := range map[string]func(context.Context, mat.Matrix, []int, Options) (*Classifier, error){
		"LDA": FitLDA, "QDA": FitQDA, "NearestMean": FitNearestMean, "GaussianNB": FitGaussianNB,
	} {
		t.Run(name, func(t *testing.T) {
			estimatortest.Classifier(t, estimatortest.ClassifierCase{
				Fit: func(X mat.Matrix, y []int, weights []float64) (estimator.Classifier, error) {
					o := DefaultOptions()
					o.Weights = weights
					m, err := fit(context.Background(), X, y, o)
					if err != nil {
						return nil, err
					}
					return m, nil
				},
				Zero:     func() estimator.Classifier { return new(Classifier) },
				Weighted: true,
			})
		})
	}
}
