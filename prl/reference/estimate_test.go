package reference

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/prlab/prlab/prl/estimate"
)

func TestEstimation(t *testing.T) { run(t, "estimation") }

// inline reads the data of a case that stand in the table.
func inline[T any](c *check) T {
	c.Helper()
	var d struct{ Inline T }
	if err := json.Unmarshal(c.Data, &d); err != nil {
		c.Fatal(err)
	}
	return d.Inline
}

var estimationCases = runners{
	"mle-newcomb": func(c *check) {
		xs := inline[[]float64](c)
		gaussian, laplace, cauchy := must(estimate.FitNormal(xs)), must(estimate.FitLaplace(xs)), must(estimate.FitCauchy(xs))
		c.near("gaussian", []float64{gaussian.Mean, gaussian.SD, estimate.LogLikelihood(gaussian, xs)})
		c.near("laplace", []float64{laplace.Location, laplace.Scale, estimate.LogLikelihood(laplace, xs)})
		c.near("cauchy", []float64{cauchy.Location, cauchy.Scale, estimate.LogLikelihood(cauchy, xs)})
	},
	"mle-counts": func(c *check) {
		d := inline[struct{ Deaths, MN []int }](c)
		var kicks, genes []float64
		for k, n := range d.Deaths {
			kicks = append(kicks, slices.Repeat([]float64{float64(k)}, n)...)
		}
		poisson := must(estimate.FitPoisson(kicks))
		c.near("rate", poisson.Rate)
		c.near("poisson_log_likelihood", estimate.LogLikelihood(poisson, kicks))
		for k, n := range d.MN { // k genes N of two
			genes = append(genes, slices.Repeat([]float64{0}, (2-k)*n)...)
			genes = append(genes, slices.Repeat([]float64{1}, k*n)...)
		}
		p := must(estimate.FitBernoulli(genes))
		c.near("frequency", p.P)
		c.near("standard_error", must(estimate.StandardErrors(p, len(genes)))[0])
		f, q, people := make([]float64, 3), []float64{(1 - p.P) * (1 - p.P), 2 * p.P * (1 - p.P), p.P * p.P}, float64(len(genes)/2)
		for k, n := range d.MN {
			f[k] = float64(n) / people
		}
		c.near("deviance", 2*people*must(estimate.KL(f, q)))
	},
	"kl-pairs": func(c *check) {
		a, b := estimate.Normal{SD: 1}, estimate.Normal{Mean: 1, SD: 2}
		c.near("forward", a.KL(b))
		c.near("reverse", b.KL(a))
		c.near("bits_lost", must(estimate.KL([]float64{0.5, 0.25, 0.25}, []float64{1. / 3, 1. / 3, 1. / 3}))/math.Ln2)
	},
}
