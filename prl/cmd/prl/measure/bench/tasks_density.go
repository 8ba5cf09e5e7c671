package bench

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/density"
	"github.com/prlab/prlab/prl/estimator"
)

var densityRows = [3]int{200, 2000, 10000}

// firstColumns returns at most k columns of X.
func firstColumns(X *mat.Dense, k int) *mat.Dense {
	n, d := X.Dims()
	return mat.DenseCopyOf(X.Slice(0, n, 0, min(d, k)))
}

var densityTasks = []Task{
	{
		Name: "knn predict", Data: "bin", Rows: densityRows, Peers: []string{"kd_tree", "ball_tree", "brute"},
		Rivals: []string{"faiss", "intelex"}, Blas: true,
		Gauges:   []Gauge{{"test accuracy", Higher, Chance}},
		Settings: "test rows, 5 neighbours (faiss: in single precision)",
		make: func(in *input) (*job, error) {
			model, err := density.FitKNN(context.Background(), in.X, in.y, density.KNNOptions{K: 5})
			if err != nil {
				return nil, err
			}
			var got []int
			return &job{n: in.m(), d: in.d(), run: func() (err error) {
				got, err = model.Predict(in.Xt)
				return err
			}, quality: func() (map[string]float64, error) { return only("test accuracy", estimator.Accuracy(got, in.yt)), nil }}, nil
		},
	},
	{
		Name: "knn fit and predict in 3 columns", Data: "bin", Rows: densityRows, Peers: []string{"kd_tree", "ball_tree", "brute"}, Blas: true,
		Gauges:   []Gauge{{"test accuracy", Higher, Chance}},
		Settings: "test rows, first 3 columns, 5 neighbours, the tree included",
		make: func(in *input) (*job, error) {
			X, Xt := firstColumns(in.X, 3), firstColumns(in.Xt, 3)
			var got []int
			return &job{n: in.m(), d: 3, run: func() error {
				model, err := density.FitKNN(context.Background(), X, in.y, density.KNNOptions{K: 5})
				if err != nil {
					return err
				}
				got, err = model.Predict(Xt)
				return err
			}, quality: func() (map[string]float64, error) { return only("test accuracy", estimator.Accuracy(got, in.yt)), nil }}, nil
		},
	},
	{
		Name: "parzen log densities", Data: "mix", Rows: [3]int{200, 2000, 4000}, Peers: []string{"kd_tree", "ball_tree"},
		Gauges:   []Gauge{{"log-likelihood", Equal, same}},
		Settings: "training rows, Gaussian windows of width 1, exact",
		make: func(in *input) (*job, error) {
			model, err := density.FitParzen(context.Background(), in.X, density.ParzenOptions{Width: 1})
			if err != nil {
				return nil, err
			}
			var got []float64
			return &job{n: in.n(), d: in.d(), run: func() (err error) {
				got, err = model.LogDensities(in.X)
				return err
			}, quality: func() (map[string]float64, error) {
				sum := 0.0
				for _, v := range got {
					sum += math.Max(v, -1e6)
				}
				return only("log-likelihood", sum), nil
			}}, nil
		},
	},
}
