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
	one, two := boost.New().Rounds(3).Fit(ten), boost.New().Rounds(35).Fit(train)
	for name, fig := range map[string]*plotting.Figure{
		"Error": two.Error(test), "Round of one feature": one.Round(2), "Round of two": two.Round(3), "Rounds": one.Rounds(), "Regions": two.Regions(), "Margins": two.Margins(), "Margins at": one.Margins(1, 3),
		"Alphas": two.Alphas(), "Pool": one.Pool(3), "Losses": boost.Losses(), "Resample": boost.New().Resample(3).Rounds(10).Fit(train).Error(test), "Trees": boost.New().Trees(2).Rounds(5).Fit(train).Regions(),
	} {
		svg, err := fig.SVG()
		if err != nil || len(svg) < 1000 {
			t.Errorf("%s: %d bytes, %v", name, len(svg), err)
		}
	}
	if one.Table().Len() != 3 || len(one.Weights(4)) != 10 {
		t.Error("the table or the weights lack entries")
	}
	if a := one.Accuracy(ten); a != 1 {
		t.Errorf("accuracy %v on the ten points after three rounds", a)
	}
}

// A wrong step is reported by the figure, with the step named.
func TestPlanErrors(t *testing.T) {
	iris := datasets.Iris()
	xor := datasets.New("xor", mat.NewDense(4, 2, []float64{0, 0, 0, 1, 1, 0, 1, 1}), []int{0, 1, 1, 0})
	two := boost.New().Rounds(4).Fit(iris.Classes("versicolor", "virginica"))
	for want, fig := range map[string]*plotting.Figure{
		"Rounds: rounds is 0":         boost.New().Rounds(0).Fit(iris).Error(),
		"Trees: depth is 0":           boost.New().Trees(0).Fit(iris).Error(),
		"Fit: y is labels of 3":       boost.New().Fit(iris).Alphas(),
		"1 or 2 features":             two.Round(1),
		"Round: t is 9":               two.Round(9),
		"no better than chance":       boost.New().Fit(xor).Error(),
		"without classes":             boost.New().Fit(datasets.New("plain", iris.X, nil)).Margins(),
		"TargetError is 3":            boost.New().Until(3).Fit(iris.Classes("setosa", "virginica")).Alphas(),
		"choose two with .Features(a": two.Regions(),
	} {
		if err := fig.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}
