package reference

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/bayes"
	"github.com/prlab/prlab/prl/boost"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/kernel"
	"github.com/prlab/prlab/prl/svm"
	"github.com/prlab/prlab/prl/tree"
)

func TestClassWeights(t *testing.T) { run(t, "class-weights") }

var weightCases = runners{
	"balanced-classes": func(c *check) {
		all, labels := set(c, datasets.Iris())
		var rows, pairs []float64
		var y, two []int
		for i, k := range labels {
			if i < 50 || i >= 50 && i < 70 || i >= 100 && i < 110 {
				rows, y = append(rows, all.RawRowView(i)...), append(y, k)
				if k > 0 {
					pairs, two = append(pairs, all.RawRowView(i)...), append(two, k-1)
				}
			}
		}
		X, shown := mat.NewDense(80, 4, rows), mat.NewDense(5, 4, nil)
		for to, from := range []int{0, 50, 68, 70, 76} {
			shown.SetRow(to, X.RawRowView(from))
		}
		c.near("factors", estimator.Balanced(y, nil, nil, 3))
		m := must(svm.Fit(c.Context(), mat.NewDense(30, 4, pairs), two, svm.Options{Kernel: kernel.RBF{Gamma: 0.5}, Balanced: true, Tol: 1e-12}))
		c.near("svc_bias", m.Bias())
		c.near("svc_decision", mat.Col(nil, 0, must(m.PairDecision(shown))))
		t := must(tree.Fit(c.Context(), X, y, tree.Options{MaxDepth: 1, Balanced: true}))
		c.near("tree_proba", lines(must(t.Proba(shown))))
		c.near("tree_impurity", t.Impurity())
		b := must(boost.Fit(c.Context(), X, y, boost.Options{Rounds: 8, Learner: boost.Trees(tree.Options{MaxDepth: 1}), Balanced: true}))
		var eps []float64
		for _, r := range b.Rounds() {
			eps = append(eps, r.Error)
		}
		c.near("boost_error", eps)
		nb := must(bayes.FitGaussianNB(c.Context(), X, y, bayes.Options{Denominator: bayes.MaximumLikelihood, Balanced: true}))
		c.near("bayes_proba", lines(must(nb.Proba(shown))))
	},
}

// lines returns the rows of a matrix.
func lines(m *mat.Dense) [][]float64 {
	n, _ := m.Dims()
	out := make([][]float64, n)
	for i := range out {
		out[i] = m.RawRowView(i)
	}
	return out
}
