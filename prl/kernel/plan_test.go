package kernel

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
)

func TestPlan(t *testing.T) {
	set := datasets.New("cloud", points(9, 20, 2), []int{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1}, "a", "b")
	plan := PlanKernel(RBF{Gamma: 0.5}).Fit(set)
	if d := plan.PSD(); !d.SemiDefinite {
		t.Errorf("smallest eigenvalue %g", d.Min)
	}
	near(t, "sum of the centred matrix", mat.Sum(plan.Centre().Gram()), 0, 1e-9)
	for _, fig := range []*plotting.Figure{plan.Heat(), plan.Centre().Heat(), plan.Spectrum(), plan.Similarity(0, 0)} {
		if svg, err := fig.SVG(); err != nil || len(svg) < 1000 {
			t.Errorf("%d bytes, %v", len(svg), err)
		}
	}
	for _, c := range []struct {
		plan Plan
		want string
	}{
		{PlanKernel(RBF{Gamma: -1}).Fit(set), "RBF gamma is -1"},
		{PlanKernel(nil), "Kernel is nil"},
		{PlanKernel(Linear{}), "append .Fit(set)"},
	} {
		if _, err := c.plan.Fitted(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
		if c.plan.Heat().Err() == nil || c.plan.Spectrum().Err() == nil || c.plan.Similarity(0, 0).Err() == nil {
			t.Error("a figure hides the error")
		}
	}
	if table := plan.Table(); table.Len() != 1 || table.Err() != nil {
		t.Error(table.Err())
	}
	if plan.Similarity(0).Err() == nil {
		t.Error("an anchor of one coordinate")
	}
}

// Of many points a heat shows means of blocks, so that the picture stays small enough for a notebook.
func TestHeatOfManyPoints(t *testing.T) {
	z := make([][]float64, 101)
	for i := range z {
		z[i] = make([]float64, 101)
		for j := range z[i] {
			z[i][j] = float64(i / 3)
		}
	}
	blocks := means(z, 3)
	if len(blocks) != 34 || len(blocks[33]) != 34 || blocks[7][33] != 7 || blocks[33][33] != 33 {
		t.Errorf("%d blocks, %v and %v", len(blocks), blocks[7][33], blocks[33][33])
	}
	svg, err := PlanKernel(RBF{1}).Fit(datasets.Rings(120, 0.1, 1)).Heat().SVG()
	if err != nil {
		t.Fatal(err)
	}
	if len(svg) > 200<<10 || !strings.Contains(string(svg), "points, in blocks of 3") {
		t.Errorf("%d bytes", len(svg))
	}
}
