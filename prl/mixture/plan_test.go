package mixture

import (
	"strings"
	"testing"

	"github.com/prlab/prlab/datasets"
)

func TestPlans(t *testing.T) {
	X, _ := read(t, "faithful.csv")
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

// The pictures of a mixture keep to the budgets of a notebook: 40 KB, and 120 KB with frames.
func TestFigureSizes(t *testing.T) {
	X, _ := read(t, "faithful.csv")
	p := PlanGMM(3).Tied().Fit(datasets.New("faithful", X, nil).Named("eruptions", "waiting"))
	svg, err := p.Clusters().SVG()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(svg), "<svg") {
		t.Errorf("the still is %.40q", svg)
	}
}
