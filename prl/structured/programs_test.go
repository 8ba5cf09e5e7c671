package structured

import (
	"testing"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/kernel"
)

// The least objectives that other programs reach on the same data: python-crfsuite 0.9.12 (L-BFGS, c2 = 1, all states and transitions),
// scikit-learn 1.9.1 (LinearSVC, hinge loss, on differences, and by Crammer and Singer, tol 1e-9), and SciPy 1.17.1 (SLSQP on the primal).
func TestOtherPrograms(t *testing.T) {
	var words, tags [][]string
	q := datasets.Sentences(100, 6, 1)
	for i := range 100 {
		words, tags = append(words, q.Words(i)), append(tags, q.Tags(i))
	}
	crf := must(FitTagger(t.Context(), words, tags, TaggerOptions{C: 0.5, Tol: 1e-7, Features: []Feature{{}, {Kind: Suffix, Length: 2}}}))
	near(t, "CRFsuite's loss", 2*crf.Certificate().Upper, 88.214671, 2e-6)

	wine := datasets.Wine().Standardize()
	rank := must(FitRank(t.Context(), wine.X, toFloats(wine.Y), RankOptions{C: 0.01, Tol: 1e-9}))
	near(t, "scikit-learn's objective on differences", rank.Certificate().Primal, 2.3423249556, 1e-8)

	iris := datasets.Iris()
	multi := must(FitMulticlass(t.Context(), iris.X, iris.Y, MulticlassOptions{Tol: 1e-6}))
	c := multi.Certificate()
	near(t, "scikit-learn's objective by Crammer and Singer, and the bound", c.Lower, 20.01822996, 1e-6)
	near(t, "and what is reached", c.Upper, 20.01822996, 2e-4)

	moons := datasets.Moons(80, 0.1, 3)
	lap := must(FitLaplacian(t.Context(), moons.Rows(seq(0, 6)...).X, moons.Y[:6], LaplacianOptions{
		Kernel: kernel.RBF{Gamma: 2}, Neighbours: 5, Ambient: 0.01, Intrinsic: 50, Unlabelled: moons.Rows(seq(6, 80)...).X, Tol: 1e-10,
	}))
	near(t, "SciPy's primal", lap.Certificate().Primal, 0.12024868113, 1e-9)
}
