package boost_test

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/boost"
)

// Every figure of a plan can be drawn, and the table holds every round.
func TestFigures(t *testing.T) {
	ten := datasets.New("ten points", x, y, "-", "+")
	iris := datasets.Iris().Classes("versicolor", "virginica").Features("sepal length", "sepal width")
	train, test := iris.Split(0.6, 1)
	one, two := boost.PlanAdaBoost().Rounds(3).Fit(ten), boost.PlanAdaBoost().Rounds(35).Fit(train)
	three := boost.PlanAdaBoost().Rounds(8).Fit(datasets.Iris().Features("sepal length", "petal length"))
	line := boost.PlanAdaBoost().Rounds(8).Fit(datasets.Iris().Features("petal length"))
	for name, fig := range map[string]*plotting.Figure{
		"Curves": two.Curves(test), "Round of one feature": one.Round(2), "Round of two": two.Round(3), "Iterations": one.Iterations(),
		"Regions": two.Regions(), "ROC": two.ROC(test),
		"Confusion": two.Confusion(test).Heat(),
		"Losses":    boost.Losses(), "Resample": boost.PlanAdaBoost().Resample().Seed(3).Rounds(10).Fit(train).Curves(test),
		"TreeDepth":       boost.PlanAdaBoost().TreeDepth(2).Rounds(5).Fit(train).Regions(),
		"Curves of three": three.Curves(), "Regions of three": three.Regions(),
		"Round of three": three.Round(4), "Round of three, one feature": line.Round(4),
	} {
		svg, err := fig.SVG()
		if err != nil || len(svg) < 1000 {
			t.Errorf("%s: %d bytes, %v", name, len(svg), err)
		}
	}
	if one.Table().Len() != 3 || len(one.Distribution(4)) != 10 {
		t.Error("the table or the weights lack entries")
	}
	if three.Table().Len() != three.Model().Len() {
		t.Error("the table of three classes lacks rounds")
	}
	if a := one.Accuracy(ten); a != 1 {
		t.Errorf("accuracy %v on the ten points after three rounds", a)
	}
}

// A wrong step is reported by the figure, with the step named.
func TestPlanErrors(t *testing.T) {
	iris := datasets.Iris()
	xor := datasets.New("xor", mat.NewDense(4, 2, []float64{0, 0, 0, 1, 1, 0, 1, 1}), []int{0, 1, 1, 0})
	two := boost.PlanAdaBoost().Rounds(4).Fit(iris.Classes("versicolor", "virginica"))
	for want, fig := range map[string]*plotting.Figure{
		"Rounds: Rounds is 0":         boost.PlanAdaBoost().Rounds(0).Fit(iris).Curves(),
		"TreeDepth: depth is 0":       boost.PlanAdaBoost().TreeDepth(0).Fit(iris).Curves(),
		"1 or 2 features":             two.Round(1),
		"Round: t is 9":               two.Round(9),
		"no better than chance":       boost.PlanAdaBoost().Fit(xor).Curves(),
		"without classes":             boost.PlanAdaBoost().Fit(datasets.New("plain", iris.X, nil)).Curves(),
		"Until: TargetError is 3":     boost.PlanAdaBoost().Until(3).Fit(iris.Classes("setosa", "virginica")).Curves(),
		"choose two with .Features(a": two.Regions(),
	} {
		if err := fig.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}
