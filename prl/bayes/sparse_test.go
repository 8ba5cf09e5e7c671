package bayes

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/sparse"
)

// Rows without their zeros are counted and scored like the dense rows, whatever is present, smoothed or impossible.
func TestCountsOfSparseRows(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 4))
	X, y, w := mat.NewDense(300, 50, nil), make([]int, 300), make([]float64, 300)
	for i := range y {
		y[i], w[i] = i%3, float64(i%5)
		for range 4 {
			X.Set(i, random.IntN(17)*(1+y[i])%50, float64(1+random.IntN(3)))
		}
	}
	S := sparse.Of(X)
	type fit func(context.Context, mat.Matrix, []int, CountOptions) (*CountNB, error)
	for name, c := range map[string]struct {
		fit fit
		o   CountOptions
	}{
		"multinomial":          {FitMultinomialNB, CountOptions{}},
		"multinomial, weights": {FitMultinomialNB, CountOptions{Weights: w, Pooled: true}},
		"multinomial, bare":    {FitMultinomialNB, CountOptions{Smoothing: estimator.None}},
		"complement":           {FitComplementNB, CountOptions{}},
		"bernoulli":            {FitBernoulliNB, CountOptions{Weights: w}},
		"bernoulli, above":     {FitBernoulliNB, CountOptions{Above: 1.5}},
		"bernoulli, below":     {FitBernoulliNB, CountOptions{Above: -1}},
		"bernoulli, bare":      {FitBernoulliNB, CountOptions{Smoothing: estimator.None}},
	} {
		want := must(c.fit(t.Context(), X, y, c.o))
		m := must(c.fit(t.Context(), S, y, c.o))
		for class := range 3 {
			for j, v := range m.LogProb(class) {
				if v != want.LogProb(class)[j] {
					t.Fatalf("%s: log p(%d|%d) is %v, not %v", name, j, class, v, want.LogProb(class)[j])
				}
			}
		}
		a, b := must(want.Decision(X)), must(m.Decision(S))
		for i := range 300 {
			for class := range 3 {
				if u, v := a.At(i, class), b.At(i, class); u != v && !(math.Abs(u-v) <= 1e-12*math.Abs(u)) {
					t.Fatalf("%s: row %d scores %v, not %v", name, i, v, u)
				}
			}
		}
	}
	X.Set(7, 3, -1)
	for _, f := range []fit{FitMultinomialNB, FitComplementNB} {
		if _, err := f(t.Context(), sparse.Of(X), y, CountOptions{}); err == nil || !strings.Contains(err.Error(), "X[7][3]") {
			t.Error(err)
		}
	}
	X.Set(7, 3, math.NaN())
	if _, err := FitBernoulliNB(t.Context(), sparse.Of(X), y, CountOptions{}); err == nil || !strings.Contains(err.Error(), "X[7, 3]") {
		t.Error(err)
	}
}

// Rows without their zeros are predicted like the dense rows, on both sides of the borders between blocks.
func TestPredictionsOfSparseRows(t *testing.T) {
	random := rand.New(rand.NewPCG(12, 4))
	X, y := mat.NewDense(2500, 12, nil), make([]int, 2500)
	for i := range y {
		y[i] = i % 3
		for j := range 12 {
			if random.IntN(3) == 0 {
				X.Set(i, j, random.NormFloat64()+float64(y[i]))
			}
		}
	}
	for name, m := range map[string]*Classifier{
		"LDA": must(FitLDA(t.Context(), X, y, Options{})), "QDA": must(FitQDA(t.Context(), X, y, Options{})),
	} {
		if !slices.Equal(must(m.Predict(sparse.Of(X))), must(m.Predict(X))) {
			t.Errorf("%s: the classes differ", name)
		}
		if !mat.EqualApprox(must(m.Proba(sparse.Of(X))), must(m.Proba(X)), 1e-14) {
			t.Errorf("%s: the posteriors differ", name)
		}
	}
}
