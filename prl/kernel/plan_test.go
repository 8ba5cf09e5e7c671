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
	plan := Of(RBF{Gamma: 0.5}).On(set)
	if d := plan.PSD(); !d.SemiDefinite {
		t.Errorf("smallest eigenvalue %g", d.Min)
	}
	near(t, "sum of the centred matrix", mat.Sum(plan.Centre().Gram()), 0, 1e-9)
	for _, fig := range []*plotting.Figure{plan.Heat(), plan.Centre().Heat(), plan.DistanceHeat(), plan.Spectrum(), plan.Similarity(0, 0)} {
		if fig.Err() != nil {
			t.Error(fig.Err())
		}
	}
	for _, c := range []struct {
		plan Plan
		want string
	}{{Of(RBF{Gamma: -1}).On(set), "RBF gamma is -1"}, {Of(nil), "Kernel is nil"}, {Of(Linear{}), "append .On(set)"}} {
		if _, err := c.plan.Result(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
		if c.plan.Heat().Err() == nil || c.plan.Spectrum().Err() == nil || c.plan.Similarity(0, 0).Err() == nil {
			t.Error("a figure hides the error")
		}
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
	svg, err := Of(RBF{1}).On(datasets.Rings(120, 0.1, 1)).Heat().SVG()
	if err != nil {
		t.Fatal(err)
	}
	if len(svg) > 200<<10 || !strings.Contains(string(svg), "points, in blocks of 3") {
		t.Errorf("%d bytes", len(svg))
	}
}
