package boost

import (
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/tree"
)

// Balanced and ClassWeights are the sample weights that they stand for, in the fit and in what a plan shows of it.
func TestBalancedBoosting(t *testing.T) {
	iris := datasets.Iris()
	var rows []int
	for i := range 120 {
		rows = append(rows, i)
	}
	set := iris.Rows(rows...)
	w := make([]float64, 120)
	for i := range w {
		w[i] = float64(1 + i%2)
	}
	factors := estimator.Balanced(set.Y, w, []float64{1, 2, 1}, 3)
	weights := estimator.RowWeights(set.Y, w, factors, false, 3)
	p := PlanAdaBoost().Rounds(5).SampleWeights(w).ClassWeights(1, 2, 1).Balanced().Fit(set)
	q := PlanAdaBoost().Rounds(5).SampleWeights(weights).Fit(set)
	for i, v := range q.Model().Alphas() {
		near(t, "alpha", p.Model().Alphas()[i], v, 1e-12)
	}
	for i, v := range q.Trace().Error {
		near(t, "error", p.Trace().Error[i], v, 1e-12)
	}
	a := tree.PlanTree().Depth(2).SampleWeights(w).ClassWeights(1, 2, 1).Balanced().Fit(set)
	b := tree.PlanTree().Depth(2).SampleWeights(weights).Fit(set)
	if !slices.Equal(a.Predict(set), b.Predict(set)) || a.Model().Rules() != b.Model().Rules() {
		t.Error("the trees differ")
	}
	for want, err := range map[string]error{
		"ClassWeights: ClassWeights is 2 numbers":   PlanAdaBoost().Fit(set).ClassWeights(1, 2).Err(),
		"Fit: ClassWeights[1] is -2":                tree.PlanTree().ClassWeights(1, -2, 1).Fit(set).Err(),
		"boost.Fit: ClassWeights is 1 numbers":      second(Fit(ctx, set.X, set.Y, Options{ClassWeights: []float64{1}})),
		"tree.Fit: ClassWeights[0] is 0":            second(tree.Fit(ctx, set.X, set.Y, tree.Options{ClassWeights: []float64{0, 1, 1}})),
		"tree.FitRegression: ClassWeights is set, ": second(tree.FitRegression(ctx, set.X, w, tree.Options{Balanced: true})),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
