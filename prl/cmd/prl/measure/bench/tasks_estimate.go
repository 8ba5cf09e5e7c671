package bench

import "github.com/prlab/prlab/prl/estimate"

// likelihoodTask fits a family to the first column of the mixture data.
func likelihoodTask(name, settings string, fit func(xs []float64) (estimate.Law, error)) Task {
	return Task{
		Name: name, Data: "mix", Rows: [3]int{200, 10000, 50000}, Peers: []string{""}, Gauges: []Gauge{{"log-likelihood", Higher, same}},
		Settings: settings, make: func(in *input) (*job, error) {
			xs := make([]float64, in.n())
			for i := range xs {
				xs[i] = in.X.At(i, 0)
			}
			var law estimate.Law
			return &job{n: len(xs), d: 1, run: func() (err error) {
				law, err = fit(xs)
				return err
			}, quality: func() (map[string]float64, error) {
				return only("log-likelihood", estimate.LogLikelihood(law, xs)), nil
			}}, nil
		},
	}
}

var estimateTasks = []Task{
	likelihoodTask("normal fit", "mean and standard deviation (peer: scipy.stats.norm.fit)",
		func(xs []float64) (estimate.Law, error) { return estimate.FitNormal(xs) }),
	likelihoodTask("laplace fit", "median and mean distance (peer: scipy.stats.laplace.fit)",
		func(xs []float64) (estimate.Law, error) { return estimate.FitLaplace(xs) }),
	likelihoodTask("cauchy fit", "location and scale (peer: scipy.stats.cauchy.fit)",
		func(xs []float64) (estimate.Law, error) { return estimate.FitCauchy(xs) }),
}
