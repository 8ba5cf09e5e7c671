package markov

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/mixture"
	"github.com/prlab/prlab/prl/plan"
)

// Every figure of a plan can be drawn, and its numbers are those of the model.
func TestGaussianPlan(t *testing.T) {
	truth := gaussian(t, blobs(rand.New(rand.NewPCG(2, 9)), mixture.Diagonal, 3, 1, 2))
	set := datasets.New("walk", points(t, truth, 150, 1), nil).Named("a", "b")
	p := PlanGaussianHMM(3).States("x", "y", "z").Diagonal().Lengths(100, 50).Seed(4).Restarts(2).Tol(1e-4).MaxIter(60).Regularise(0).Fit(set)
	for name, fig := range map[string]interface{ SVG() ([]byte, error) }{
		"segmentation": p.Segmentation(), "posteriors": p.StatePosteriors(), "iterations": p.Iterations(), "graph": p.Graph(),
	} {
		if svg, err := fig.SVG(); err != nil || len(svg) < 1000 {
			t.Errorf("%s: %d bytes, %v", name, len(svg), err)
		}
	}
	m, l := p.Model(), p.Trace()
	near(t, "log-likelihood", p.LogLikelihood(), last(l.LogLik), 1e-8)
	first, rest := set.Rows(upTo(0, 100)...), set.Rows(upTo(100, 150)...)
	near(t, "log-likelihood of both sequences", p.LogLikelihood(first, rest), p.LogLikelihood(), 1e-8)
	if got := slices.Concat(p.Predict(first), p.Predict(rest)); !slices.Equal(got, p.Labels()) {
		t.Errorf("labels %v, want %v", p.Labels(), got)
	}
	if n := p.Sizes(); n[0]+n[1]+n[2] != 150 {
		t.Error(n)
	}
	s := p.Sample(20, 3)
	if s.N() != 20 || !slices.Equal(s.ClassNames, []string{"x", "y", "z"}) || !slices.Equal(s.FeatureNames, []string{"a", "b"}) {
		t.Error(s)
	}
	if text := p.Table().String(); p.Table().Len() != 3 || !strings.Contains(text, "to z") || !strings.Contains(text, "sd b") {
		t.Error(text)
	}
	numbers := GaussianParameters{
		States: m.States(), Start: m.Start(), Transitions: m.Transitions(), Means: m.Means(), Covariances: m.Covariances(), Kind: m.Kind(),
	}
	again := PlanGaussianHMM(3).From(numbers).Lengths(100, 50).MaxIter(0).Fit(set)
	near(t, "log-likelihood of the same numbers", again.LogLikelihood(), p.LogLikelihood(), 0)
}

func upTo(from, to int) []int {
	var out []int
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}

// The table of a mixture holds the moments of each state as a whole.
func TestOverallMoments(t *testing.T) {
	m := gaussian(t, GaussianParameters{
		Start: []float64{1}, Transitions: [][]float64{{1}}, Weights: [][]float64{{0.25, 0.75}},
		Means: [][]float64{{0}, {4}}, Covariances: [][][]float64{{{1}}, {{5}}},
	})
	mean, sd := m.overall(0)
	near(t, "mean", mean[0], 3, 1e-15)
	near(t, "variance", sd[0]*sd[0], 0.25*(1+9)+0.75*(5+1), 1e-14)
}

// The steps of a plan set what their names say.
func TestGaussianPlanSettings(t *testing.T) {
	for _, c := range []struct {
		p    GaussianHMMPlan
		want string
	}{
		{PlanGaussianHMM(2), "full 1 0 3 1"},
		{PlanGaussianHMM(2).Tied().Mixture(4), "tied 4 0 3 1"},
		{PlanGaussianHMM(2).Tied().Full().LeftRight(2), "full 1 2 3 1"},
		{PlanGaussianHMM(2).Spherical().Restarts(7).Seed(9), "spherical 1 0 7 9"},
	} {
		o := plan.Options(c.p)
		if got := fmt.Sprint(string(o.Covariance), " ", o.Components, o.LeftRight, o.Restarts, o.Seed); got != c.want {
			t.Errorf("%s: %s, want %s", c.p, got, c.want)
		}
	}
}

func TestGaussianPlanErrors(t *testing.T) {
	set := datasets.Faithful()
	one := GaussianParameters{Start: []float64{1}, Transitions: [][]float64{{1}}, Means: [][]float64{{0}}, Covariances: [][][]float64{{{1}}}}
	for _, c := range []struct {
		err  error
		want string
	}{
		{PlanGaussianHMM(0).Fit(set).Err(), "k is 0"},
		{PlanGaussianHMM(300).Fit(set).Err(), "at least 300 rows, one for each state"},
		{PlanGaussianHMM(2).Mixture(0).Fit(set).Err(), "Mixture: Components is 0"},
		{PlanGaussianHMM(2).LeftRight(0).Fit(set).Err(), "LeftRight: jump is 0"},
		{PlanGaussianHMM(2).Lengths(200, 100).Fit(set).Err(), "lengths[1] is 100"},
		{PlanGaussianHMM(2).Lengths(200, 70).Fit(set).Err(), "lengths is 270 in all, but needs to be 272, the number of rows"},
		{PlanGaussianHMM(2).From(one).Fit(set).Err(), "the start is of 1 states, but needs to be of 2 states"},
		{PlanGaussianHMM(1).From(one).Fit(set).Err(), "of 2 features, but needs to be a set of 1 features"},
		{PlanGaussianHMM(1).From(GaussianParameters{}).Fit(set).Err(), "Start is empty"},
		{PlanGaussianHMM(2).States("a").Fit(set).Err(), "States is 1 names"},
		{PlanGaussianHMM(2).Tol(-1).Fit(set).Err(), "Tol is -1"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("error %v, want %q", c.err, c.want)
		}
	}
}

// A kept model is that of the plan.
func TestKeepGaussian(t *testing.T) {
	t.Setenv("PRL_CACHE", t.TempDir())
	make := func() GaussianHMMPlan {
		return PlanGaussianHMM(2).Mixture(2).Spherical().Fit(datasets.Faithful()).Keep()
	}
	if one, two := make(), make(); one.Table().String() != two.Table().String() || one.Model() == two.Model() {
		t.Errorf("kept:\n%v\nread:\n%v", one.Table(), two.Table())
	}
}
