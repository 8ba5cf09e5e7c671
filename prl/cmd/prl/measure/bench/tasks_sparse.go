package bench

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/bayes"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/mixture"
	"github.com/prlab/prlab/prl/sparse"
	"github.com/prlab/prlab/prl/svm"
)

// bins is how many columns of a sparse row come of one column.
const bins = 64

// binned returns rows that store one number of bins columns for each x: |x| + 1/2 in the column floor(8 x) + 32 of them, cut off at both
// ends.
func binned(X *mat.Dense) (*sparse.CSR, error) {
	n, d := X.Dims()
	start, at, values := make([]int, 1, n+1), make([]int32, 0, n*d), make([]float64, 0, n*d)
	for i := range n {
		for j, v := range X.RawRowView(i) {
			at = append(at, int32(bins*j)+int32(math.Min(bins-1, math.Max(0, math.Floor(8*v)+bins/2))))
			values = append(values, math.Abs(v)+0.5)
		}
		start = append(start, len(at))
	}
	return sparse.NewCSR(bins*d, start, at, values)
}

// sparseJob makes a task of the binned training rows and, where there are any, test rows.
func sparseJob(make func(in *input, X, Xt *sparse.CSR) (*job, error)) func(*input) (*job, error) {
	return func(in *input) (*job, error) {
		X, err := binned(in.X)
		if err != nil {
			return nil, err
		}
		var Xt *sparse.CSR
		if in.Xt != nil {
			if Xt, err = binned(in.Xt); err != nil {
				return nil, err
			}
		}
		j, err := make(in, X, Xt)
		if err == nil {
			j.d *= bins
		}
		return j, err
	}
}

var sparseTasks = []Task{
	{
		Name: "svm linear fit of sparse rows", Data: "lin", Rows: [3]int{200, 5000, 20000}, Peers: []string{""},
		Rivals: []string{"liblinear"}, Gauges: []Gauge{{"primal objective", Lower, same}},
		Settings: "64 columns of each, linear slack, C 1, tolerance 1e-3 (peer: LinearSVC on scipy's CSR)",
		make: sparseJob(func(in *input, X, _ *sparse.CSR) (*job, error) {
			return linearJob(in, X, svm.LinearSlack, func(w []float64, b float64) float64 {
				return primal(X.Dense(), in.y, w, b, 1, 1)
			})
		}),
	},
	{
		Name: "multinomial nb fit of sparse rows", Data: "cls", Peers: []string{""}, Gauges: testLogLoss,
		Settings: "64 columns of each, smoothing 1 (peer: on scipy's CSR)",
		make: sparseJob(func(in *input, X, Xt *sparse.CSR) (*job, error) {
			var model *bayes.CountNB
			return &job{n: in.n(), d: in.d(), run: func() (err error) {
				model, err = bayes.FitMultinomialNB(context.Background(), X, in.y, bayes.CountOptions{})
				return err
			}, quality: func() (map[string]float64, error) {
				p, err := model.LogProba(Xt)
				if err != nil {
					return nil, err
				}
				sum := 0.0
				for i, c := range in.yt {
					sum -= p.At(i, c)
				}
				return only("test log loss", sum/float64(len(in.yt))), nil
			}}, nil
		}),
	},
	{
		Name: "multinomial nb predict of sparse rows", Data: "cls", Peers: []string{""}, Gauges: testAccuracy,
		Settings: "classes of the test rows (peer: on scipy's CSR)",
		make: sparseJob(func(in *input, X, Xt *sparse.CSR) (*job, error) {
			model, err := bayes.FitMultinomialNB(context.Background(), X, in.y, bayes.CountOptions{})
			if err != nil {
				return nil, err
			}
			var got []int
			return &job{n: in.m(), d: in.d(), run: func() (err error) {
				got, err = model.Predict(Xt)
				return err
			}, quality: func() (map[string]float64, error) { return only("test accuracy", estimator.Accuracy(got, in.yt)), nil }}, nil
		}),
	},
	{
		Name: "kmeans fit of sparse rows", Data: "mix", Rows: [3]int{200, 5000, 20000}, Peers: []string{"lloyd", "elkan"},
		Gauges:   []Gauge{{"inertia", Lower, same}},
		Settings: "64 columns of each, given start, until nothing changes (peer: on scipy's CSR)",
		make: sparseJob(func(in *input, X, _ *sparse.CSR) (*job, error) {
			o := mixture.KMeansOptions{K: in.groups(6, 12, 35)}
			for i := range o.K {
				o.Centres = append(o.Centres, mat.Row(nil, i, X))
			}
			var model *mixture.KMeans
			return &job{n: in.n(), d: in.d(), run: func() (err error) {
				model, err = mixture.FitKMeans(context.Background(), X, o)
				return err
			}, quality: func() (map[string]float64, error) { return only("inertia", model.Inertia()), nil }}, nil
		}),
	},
}
