package prl_test

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl"
	"github.com/prlab/prlab/prl/plan"
)

// Logarithms of probabilities are those of Proba where that holds them, and go on where it rounds to zero.
func TestLogProba(t *testing.T) {
	exact := []string{"LDA", "QDA", "NearestMean", "GaussianNB", "MultinomialNB", "FisherLDA", "MDA", "PNN", "SVM", "AdaBoost"}
	for name, begin := range plans {
		c, ok := begin(two).(plan.Classifying)
		if !ok || name == "TreeNB" || name == "ChainNB" || name == "CategoricalNB" { // which know the values of their fit only
			continue
		}
		model := reflect.ValueOf(c).MethodByName("Model").Call(nil)[0].Interface()
		if _, ok := model.(interface {
			Proba(X mat.Matrix) (*mat.Dense, error)
		}); !ok {
			continue // machines that say which class, and no more, as a perceptron
		}
		P, L := c.Proba(two), c.LogProba(two)
		L.Apply(func(_, _ int, l float64) float64 { return math.Exp(l) }, L)
		if !mat.EqualApprox(P, L, 1e-13) {
			t.Errorf("%s: exp of LogProba is not Proba", name)
		}
		if name == "AdaBoost" || !slices.Contains(exact, name) {
			continue
		}
		far := datasets.New("far", mat.NewDense(2, 2, []float64{40, 2, 1, 90}), []int{0, 0}, two.ClassNames...).Named(two.FeatureNames...)
		L = c.LogProba(far)
		for i := range 2 {
			row := L.RawRowView(i)
			if slices.Max(row) > 0 || math.IsInf(slices.Min(row), 0) || math.IsNaN(row[0]) {
				t.Errorf("%s: far away the logarithms are %v", name, row)
			}
		}
	}
	whole := whole(two)
	for _, c := range []plan.Classifying{
		prl.TreeNB().Fit(whole), prl.ChainNB().Fit(whole),
		prl.Pipeline(prl.Standardize()).Then(prl.LDA()).Fit(two),
	} {
		set := whole
		if _, ok := c.(plan.PipelinePlan); ok {
			set = two
		}
		P, L := c.Proba(set), c.LogProba(set)
		L.Apply(func(_, _ int, l float64) float64 { return math.Exp(l) }, L)
		if !mat.EqualApprox(P, L, 1e-13) {
			t.Errorf("%v: exp of LogProba is not Proba", c)
		}
	}
}
