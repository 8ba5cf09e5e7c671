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
	plan := tree.PlanTree().Entropy().MinLeaf(3).Fit(two)
	line := iris.Features("petal length").WithTarget("petal width", iris.Column("petal width"))
	reg := tree.PlanRegressionTree().MinLeaf(20).Fit(line)
	for name, fig := range map[string]*plotting.Figure{
		"Graph": plan.Graph(), "Regions": plan.Regions(), "Gains": plan.Gains(), "Importances": plan.Importances(),
		"Pruning": plan.Pruning(),
		"Curves":  tree.PlanTree().Fit(train).Curves(test), "Pruned": tree.PlanTree().Prune(0.01).Fit(iris).Graph(),
		"Graph of regression": reg.Graph(), "Curve": reg.Curve(), "ROC": plan.ROC(test),
	} {
		svg, err := fig.SVG()
		if err != nil || len(svg) < 1000 {
			t.Errorf("%s: %d bytes, %v", name, len(svg), err)
		}
	}
	if m := plan.Model(); plan.Table().Len() != len(m.Nodes()) {
		t.Error("the table lacks nodes")
	}
	if a := tree.PlanTree().Fit(iris).Accuracy(iris); a != 1 {
		t.Errorf("a full tree on its training rows: %v", a)
	}
	if c := plan.Confusion(test); c.Err() != nil || c.Table().Len() != 3 || c.Accuracy() != plan.Accuracy(test) {
		t.Errorf("confusion on the test rows: %v, %v", c.Err(), c)
	}
	if r2 := reg.R2(); r2 < 0.8 || r2 > 1 || reg.RMSE() > 0.25 {
		t.Errorf("the regression explains %v, errs by %v", r2, reg.RMSE())
	}
}

// A wrong step is reported by the figure, with the step named.
func TestPlanErrors(t *testing.T) {
	iris := datasets.Iris()
	for want, fig := range map[string]*plotting.Figure{
		"Depth: MaxDepth is 0":    tree.PlanTree().Depth(0).Fit(iris).Graph(),
		"MinLeaf: MinLeaf is -1":  tree.PlanTree().MinLeaf(-1).Fit(iris).Graph(),
		"Prune: alpha is -1":      tree.PlanTree().Prune(-1).Fit(iris).Graph(),
		".Features(a, b)":         tree.PlanTree().Fit(iris).Regions(),
		"MaxFeatures is 9":        tree.PlanTree().MaxFeatures(9).Fit(iris).Graph(),
		"without classes":         tree.PlanTree().Fit(datasets.New("plain", iris.X, nil)).Graph(),
		"Fit: the data set iris ": tree.PlanRegressionTree().Fit(iris).Graph(),
	} {
		if err := fig.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}
