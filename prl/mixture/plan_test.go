package mixture

import (
	"strings"
	"testing"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
)

func TestPlans(t *testing.T) {
	X := faithful()
	set := datasets.New("faithful", X, nil).Named("eruptions", "waiting")
	p := PlanGMM(2).Full().Seed(1).Fit(set)
	line := PlanGMM(2).Fit(set.Features("eruptions"))
	k := PlanKMeans(2).Fit(set)
	for name, err := range map[string]error{
		"clusters": p.Clusters().Err(), "density": p.Density().Err(), "regions": p.Regions().Err(), "iterations": p.Iterations().Err(), "convergence": p.Convergence().Err(),
		"decomposition": p.Decomposition().Err(), "BIC": p.BIC(3).Err(), "summary": p.Summary().Err(), "steps": p.Steps().Err(),
		"line": line.Clusters().Err(), "line iterations": line.Iterations().Err(), "line density": line.Density().Err(),
		"k-means": k.Clusters().Err(), "rounds": k.Iterations().Err(), "J": k.Convergence().Err(), "elbow": k.Elbow(4).Err(), "k-means summary": k.Summary().Err(),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{PlanGMM(0).Err(), "k is 0"},
		{PlanGMM(2).Reg(-1).Fit(set).Err(), "Reg is -1"},
		{second(PlanGMM(2).Fitted()), "without data"},
		{PlanGMM(273).Fit(set).Err(), "K is 273"},
		{line.Regions().Err(), "number of features is 1"},
		{PlanKMeans(300).Fit(set).Err(), "k is 300"},
		{second(PlanKMeans(2).Fitted()), "without data"},
		{PlanGMM(2).From(GMMParameters{}).Err(), "Weights is empty"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("error %v, want %q", c.err, c.want)
		}
	}
	if got := p.String(); !strings.HasPrefix(got, "GMM(2).Full().Seed(1).Fit(") {
		t.Errorf("plan reads %s", got)
	}
}

// The picture of a mixture keeps to the budget of a notebook, 40 KB beside the runtime that every page has once.
func TestFigureSize(t *testing.T) {
	X := faithful()
	p := PlanGMM(3).Tied().Fit(datasets.New("faithful", X, nil).Named("eruptions", "waiting"))
	page, err := p.Clusters().HTML()
	if err != nil {
		t.Fatal(err)
	}
	empty, err := plotting.New(plotting.Points([]float64{1}, []float64{1})).HTML()
	if err != nil {
		t.Fatal(err)
	}
	if size := len(page) - len(empty); size > 40<<10 {
		t.Errorf("the picture takes %d bytes", size)
	}
}
