package tree_test

import (
	"strings"
	"testing"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/tree"
)

// Every figure of a plan can be drawn, and the table holds every node.
func TestFigures(t *testing.T) {
	iris := datasets.Iris()
	two := iris.Features("petal length", "petal width")
	train, test := two.Split(0.5, 1)
	plan := tree.New().Entropy().MinLeaf(3).Fit(two)
	line := iris.Features("petal length").WithTarget("petal width", iris.Column("petal width"))
	reg := tree.NewRegression().MinLeaf(20).FitTarget(line)
	for name, fig := range map[string]*plotting.Figure{
		"Graph": plan.Graph(), "Regions": plan.Regions(), "Depths": plan.Depths(), "Gains": plan.Gains(), "Importances": plan.Importances(), "Pruning": plan.Pruning(),
		"Curves": tree.New().Fit(train).Curves(test), "Pruned": tree.New().Prune(0.01).Fit(iris).Graph(), "Graph of regression": reg.Graph(), "Curve": reg.Curve(),
	} {
		svg, err := fig.SVG()
		if err != nil || len(svg) < 1000 {
			t.Errorf("%s: %d bytes, %v", name, len(svg), err)
		}
	}
	if m := plan.Model(); plan.Table().Len() != len(m.Nodes()) {
		t.Error("the table lacks nodes")
	}
	if a := tree.New().Fit(iris).Accuracy(iris); a != 1 {
		t.Errorf("a full tree on its training rows: %v", a)
	}
}

// A wrong step is reported by the figure, with the step named.
func TestPlanErrors(t *testing.T) {
	iris := datasets.Iris()
	for want, fig := range map[string]*plotting.Figure{
		"Depth: MaxDepth is 0":          tree.New().Depth(0).Fit(iris).Graph(),
		"MinLeaf: MinLeaf is -1":        tree.New().MinLeaf(-1).Fit(iris).Graph(),
		"Prune: alpha is -1":            tree.New().Prune(-1).Fit(iris).Graph(),
		".Features(a, b)":               tree.New().Fit(iris).Regions(),
		"MaxFeatures is 9":              tree.New().Features(9).Fit(iris).Graph(),
		"without classes":               tree.New().Fit(datasets.New("plain", iris.X, nil)).Graph(),
		"FitTarget: the data set iris ": tree.NewRegression().FitTarget(iris).Graph(),
	} {
		if err := fig.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}
