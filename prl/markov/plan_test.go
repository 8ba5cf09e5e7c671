package markov

import (
	"fmt"
	"strings"
	"testing"
)

// Every figure of a plan can be drawn, and every table has its rows.
func TestPlans(t *testing.T) {
	h := PlanOf(Tagging())
	d := h.Viterbi("I", "bank", "at", "CFCU")
	if got := fmt.Sprint(d.Path()); got != "[PRP V PREP N]" {
		t.Errorf("path %s", got)
	}
	walk := h.Sample(30, 1)
	learned := h.Fit([][]string{walk.Symbols})
	l := learned.Trace()
	if n := len(l.LogLik); n < 2 || l.LogLik[n-1] <= l.LogLik[0] {
		t.Errorf("log-likelihoods %v", l.LogLik)
	}
	if a, b := learned.LogLikelihood(walk.Symbols...), l.LogLik[len(l.LogLik)-1]; !(a-b < 1e-9 && b-a < 1e-9) {
		t.Errorf("the model has log-likelihood %g, its trace %g", a, b)
	}
	chain := PlanChain("sun", "rain").Transitions([]float64{.9, .1}, []float64{.5, .5})
	for name, fig := range map[string]interface{ SVG() ([]byte, error) }{
		"trellis": d.Trellis(), "graph": h.Graph(), "heat": h.Heat(), "posterior": h.StatePosteriors("I", "bank"),
		"underflow": h.Underflow(walk.Symbols...),
		"chain":     chain.Graph("sun", "rain"), "convergence": chain.Convergence(10),
	} {
		if svg, err := fig.SVG(); err != nil || len(svg) < 1000 {
			t.Errorf("%s: %d bytes, %v", name, len(svg), err)
		}
	}
	for name, n := range map[string]int{
		"best": d.Best(5).Len(), "delta": d.Table().Len(), "model": h.Table().Len(),
		"chain": chain.Table().Len() + 3,
	} {
		if n != 5 {
			t.Errorf("the table of %s has %d rows", name, n)
		}
	}
	if got := d.String(); !strings.HasSuffix(got, `.Viterbi("I", "bank", "at", "CFCU")`) {
		t.Error(got)
	}
}

// Fit counts transitions; a start that is set stays, before and after it.
func TestChainFit(t *testing.T) {
	sequences := [][]string{{"a", "b", "a"}, {"a", "a"}}
	p := PlanChain("a", "b").Smoothing(0).Fit(sequences)
	if got := fmt.Sprint(p.Model().Start(), p.Model().Transitions()); got != "[1 0] [[0.5 0.5] [1 0]]" {
		t.Error(got)
	}
	for _, q := range []ChainPlan{p.Start(.25, .75), PlanChain("a", "b").Start(.25, .75).Smoothing(0).Fit(sequences)} {
		if got := fmt.Sprint(q.Model().Start(), q.Model().Transitions()); got != "[0.25 0.75] [[0.5 0.5] [1 0]]" {
			t.Error(q, got)
		}
	}
}

// A wrong step is reported where the chain ends, with the step named.
func TestPlanErrors(t *testing.T) {
	h := PlanOf(Tagging())
	d := h.Viterbi("I", "bank", "at", "CFCU")
	for _, c := range []struct {
		err  error
		want string
	}{
		{h.Viterbi("I", "banc").Err(), `Viterbi: obs[1] is "banc"`},
		{h.StatePosteriors().Err(), "obs is empty"},
		{h.Viterbi("I", "banc").Trellis().Err(), `Viterbi: obs[1] is "banc"`},
		{PlanHMM().Err(), "HMM: states is empty"},
		{PlanHMM("a", "b").Start(.5, .6).Err(), "Start: "},
		{PlanHMM("a", "b").Start(.5, .6).Viterbi("x1").Table().Err(), "Start: "},
		{PlanHMM("a", "b").Emissions([]float64{1}).Err(), "Emissions: "},
		{second(PlanHMM("a", "b").Fitted()), "without transitions"},
		{PlanOf(Parameters{}).Err(), "HMMOf: Start is empty"},
		{h.Fit([][]string{{"banc"}}).Graph().Err(), `Fit: sequences[0] is "banc"`},
		{d.Best(0).Err(), "Best: "},
		{second(PlanChain("a").Fitted()), "without transitions"},
		{PlanChain("a", "b").Fit([][]string{{"a", "c"}}).Err(), `"c"`},
		{PlanChain("a", "b").Smoothing(-1).Err(), "Smoothing: "},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("error %v, want %q", c.err, c.want)
		}
	}
}

// A kept chain is that of the plan.
func TestKeep(t *testing.T) {
	t.Setenv("PRL_CACHE", t.TempDir())
	make := func() ChainPlan { return PlanChain("a", "b").Fit([][]string{{"a", "b", "b", "a"}}).Keep() }
	if one, two := make(), make(); one.Table().String() != two.Table().String() || one.Model() == two.Model() {
		t.Errorf("kept:\n%v\nread:\n%v", one.Table(), two.Table())
	}
}
