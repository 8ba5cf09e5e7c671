package bench

import (
	"context"

	"github.com/prlab/prlab/prl/estimator"
	regress "github.com/prlab/prlab/prl/linear"
	"github.com/prlab/prlab/prl/neural"
	"github.com/prlab/prlab/prl/optim"
)

// The labels of two classes, 0 and 1, are the targets of the linear fits.
var linearTasks = []Task{
	{
		Name: "least squares fit", Data: "lin", Peers: []string{""}, Blas: true, Gauges: []Gauge{{"training mse", Equal, same}},
		Settings: "with an intercept", make: func(in *input) (*job, error) {
			var m *regress.Fit
			return &job{n: in.n(), d: in.d(), run: func() (err error) {
				m, err = regress.LeastSquares(context.Background(), in.X, in.t, regress.Options{})
				return err
			}, quality: func() (map[string]float64, error) { return only("training mse", m.RSS()/float64(in.n())), nil }}, nil
		},
	},
	{
		Name: "ridge fit", Data: "lin", Peers: []string{"cholesky", "svd"}, Blas: true, Gauges: []Gauge{{"training mse", Equal, same}},
		Settings: "penalty 1, with an intercept", make: func(in *input) (*job, error) {
			var m *regress.RidgeFit
			return &job{n: in.n(), d: in.d(), run: func() (err error) {
				m, err = regress.Ridge(context.Background(), in.X, in.t, regress.RidgeOptions{Lambda: 1})
				return err
			}, quality: func() (map[string]float64, error) { return only("training mse", m.RSS()/float64(in.n())), nil }}, nil
		},
	},
	{
		Name: "lasso path", Data: "wide", Rows: [3]int{200, 500, 500}, Peers: []string{""},
		Gauges:   []Gauge{{"sum of objectives", Lower, same}},
		Settings: "100 penalties to a hundredth of the largest (peer: tolerance 1e-6)", make: func(in *input) (*job, error) {
			var p *regress.LassoPaths
			return &job{n: in.n(), d: in.d(), run: func() (err error) {
				p, err = regress.LassoPath(context.Background(), in.X, in.t, nil, regress.LassoOptions{})
				return err
			}, quality: func() (map[string]float64, error) {
				sum := 0.0
				for i := range p.Len() {
					sum += p.At(i).Objective() / float64(in.n())
				}
				return only("sum of objectives", sum), nil
			}}, nil
		},
	},
	{
		Name: "mlp fit", Data: "cls", Rows: [3]int{200, 5000, 10000}, Peers: []string{""}, Blas: true,
		Gauges:   []Gauge{{"test accuracy", Higher, Chance}},
		Settings: "100 hidden units, relu, Adam 0.001, batches of 100, 10 rounds", make: func(in *input) (*job, error) {
			var m *neural.Classifier
			return &job{n: in.n(), d: in.d(), run: func() (err error) {
				m, err = neural.Fit(context.Background(), in.X, in.y, neural.Options{
					Hidden: []int{100}, Method: optim.Adam{Step: 0.001}, Batch: 100, Rounds: 10, Unscaled: true, Tol: estimator.None, Patience: 100,
				})
				return err
			}, quality: func() (map[string]float64, error) {
				got, err := m.Predict(in.Xt)
				return only("test accuracy", estimator.Accuracy(got, in.yt)), err
			}}, nil
		},
	},
}
