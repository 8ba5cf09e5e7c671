package bayes

import (
	"context"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

type withPriors interface {
	Priors() []float64
	Proba(X mat.Matrix) (*mat.Dense, error)
}

// probabilities returns a fit, and what it says of its own rows.
func probabilities[M withPriors, O any](
	fit func(context.Context, mat.Matrix, []int, O) (M, error), X *mat.Dense, y []int, o O,
) func() ([]float64, *mat.Dense) {
	return func() ([]float64, *mat.Dense) {
		m := must(fit(context.Background(), X, y, o))
		return m.Priors(), must(m.Proba(X))
	}
}

// Balanced is equal priors, of every classifier that has priors.
func TestBalancedPriors(t *testing.T) {
	X, y := mat.NewDense(9, 2, []float64{0, 1, 1, 2, 2, 0, 3, 1, 1, 1, 4, 5, 5, 3, 6, 6, 5, 5}), []int{0, 0, 0, 0, 0, 0, 1, 1, 1}
	half := []float64{0.5, 0.5}
	for name, pair := range map[string][2]func() ([]float64, *mat.Dense){
		"LDA": {probabilities(FitLDA, X, y, Options{Balanced: true}), probabilities(FitLDA, X, y, Options{Priors: half})},
		"QDA": {probabilities(FitQDA, X, y, Options{Balanced: true}), probabilities(FitQDA, X, y, Options{Priors: half})},
		"words": {
			probabilities(FitMultinomialNB, X, y, CountOptions{Balanced: true}), probabilities(FitMultinomialNB, X, y, CountOptions{Priors: half}),
		},
		"coins": {
			probabilities(FitBernoulliNB, X, y, CountOptions{Balanced: true}), probabilities(FitBernoulliNB, X, y, CountOptions{Priors: half}),
		},
		"dependence tree": {
			probabilities(FitTreeNB, X, y, TreeOptions{Balanced: true}),
			probabilities(FitTreeNB, X, y, TreeOptions{Priors: half}),
		},
	} {
		priors, p := pair[0]()
		_, q := pair[1]()
		if !slices.Equal(priors, half) || p == nil || !mat.Equal(p, q) {
			t.Errorf("%s: priors %v, probabilities %v and %v", name, priors, p, q)
		}
	}
}
