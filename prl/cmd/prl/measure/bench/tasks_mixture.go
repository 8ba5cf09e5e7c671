package bench

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/mixture"
)

func rowsOf(X *mat.Dense, k int) [][]float64 {
	rows := make([][]float64, k)
	for i := range rows {
		rows[i] = append([]float64(nil), X.RawRowView(i)...)
	}
	return rows
}

func kmeansOptions(in *input) mixture.KMeansOptions {
	o := mixture.KMeansOptions{K: in.groups(6, 12, 35)}
	o.Centres = rowsOf(in.X, o.K)
	return o
}

func gmmOptions(in *input, kind mixture.Covariance) (mixture.GMMOptions, error) {
	k, d := in.groups(4, 8, 16), in.d()
	o := mixture.GMMOptions{K: k}
	p := mixture.GMMParameters{Means: rowsOf(in.X, k), Kind: kind}
	for range k {
		p.Weights = append(p.Weights, 1/float64(k))
		identity := make([][]float64, d)
		for j := range identity {
			identity[j] = make([]float64, d)
			identity[j][j] = 1
		}
		p.Covariances = append(p.Covariances, identity)
	}
	start, err := mixture.NewGMM(p)
	if err != nil {
		return o, err
	}
	o.Covariance, o.Start, o.MaxIter, o.Tol, o.Reg = kind, start, 50, estimator.None, 1e-6
	return o, nil
}

// gmmFlops counts, a row and component and iteration, a triangular product in the E-step and half an outer product in the M-step.
func gmmFlops(in *input, kind mixture.Covariance) float64 {
	if kind != mixture.Full {
		return 0
	}
	return 50 * 2 * float64(in.n()) * float64(in.groups(4, 8, 16)*in.d()*in.d())
}

func gmmFit(kind mixture.Covariance) func(*input) (*job, error) {
	return func(in *input) (*job, error) {
		o, err := gmmOptions(in, kind)
		if err != nil {
			return nil, err
		}
		var model *mixture.GMM
		return &job{n: in.n(), d: in.d(), flops: gmmFlops(in, kind), run: func() (err error) {
			model, err = mixture.FitGMM(context.Background(), in.X, o)
			return err
		}, quality: func() (map[string]float64, error) {
			l, err := model.LogLikelihood(in.X)
			return only("log-likelihood", l), err
		}}, nil
	}
}

func gmmTask(name string, kind mixture.Covariance) Task {
	return Task{
		Name:  "gmm " + name + " fit",
		Data:  "mix",
		Rows:  [3]int{200, 10000, 50000},
		Peers: []string{""},
		Blas:  true,
		Dense: kind == mixture.Full,
		Gauges: []Gauge{
			{"log-likelihood", Higher, same},
		},
		Settings: "50 iterations from given means and unit covariances, 1e-6 added",
		make:     gmmFit(kind),
	}
}

var mixtureTasks = []Task{
	{
		Name: "kmeans fit", Data: "mix", Peers: []string{"lloyd", "elkan"},
		Rivals: []string{"faiss", "intelex"}, Blas: true, Gauges: []Gauge{{"inertia", Lower, same}},
		Settings: "given start, until nothing changes", make: func(in *input) (*job, error) {
			o := kmeansOptions(in)
			var model *mixture.KMeans
			return &job{n: in.n(), d: in.d(), run: func() (err error) {
				model, err = mixture.FitKMeans(context.Background(), in.X, o)
				return err
			}, quality: func() (map[string]float64, error) { return only("inertia", model.Inertia()), nil }}, nil
		},
	},
	{
		Name: "kmeans predict", Data: "mix", Peers: []string{"lloyd"}, Rivals: []string{"faiss", "intelex"}, Blas: true, Dense: true,
		Gauges:   []Gauge{{"inertia", Lower, same}},
		Settings: "clusters of the training rows", make: func(in *input) (*job, error) {
			model, err := mixture.FitKMeans(context.Background(), in.X, kmeansOptions(in))
			if err != nil {
				return nil, err
			}
			centres := model.Centres()
			var got []int
			return &job{n: in.n(), d: in.d(), flops: 2 * float64(in.n()*in.d()*len(centres)), run: func() (err error) {
				got, err = model.Predict(in.X)
				return err
			}, quality: func() (map[string]float64, error) {
				return only("inertia", inertia(in.X, got, centres)), nil
			}}, nil
		},
	},
	{
		Name: "kmeans++ start", Data: "mix", Peers: []string{""}, Blas: true, Gauges: []Gauge{{"mean inertia", Lower, 0.08}},
		Settings: "greedy seeding; quality of the start, mean of 20 seeds, whose standard error is 2 %", make: func(in *input) (*job, error) {
			seed := uint64(0)
			var centres [][]float64
			run := func() (err error) {
				seed++
				centres, err = mixture.PlusPlus(in.X, in.groups(6, 12, 35), nil, seed)
				return err
			}
			return &job{n: in.n(), d: in.d(), run: run, quality: func() (map[string]float64, error) {
				sum := 0.0
				for seed = 0; seed < 20; {
					if err := run(); err != nil {
						return nil, err
					}
					o := mixture.KMeansOptions{K: len(centres)}
					o.Centres, o.MaxIter = centres, 1
					model, err := mixture.FitKMeans(context.Background(), in.X, o)
					if err != nil {
						return nil, err
					}
					labels, err := model.Predict(in.X)
					if err != nil {
						return nil, err
					}
					sum += inertia(in.X, labels, model.Centres()) / 20
				}
				return only("mean inertia", sum), nil
			}}, nil
		},
	},
	gmmTask("full", mixture.Full),
	gmmTask("tied", mixture.Tied),
	gmmTask("diagonal", mixture.Diagonal),
	gmmTask("spherical", mixture.Spherical),
	{
		Name:     "gmm posteriors",
		Data:     "mix",
		Rows:     [3]int{200, 10000, 50000},
		Peers:    []string{""},
		Blas:     true,
		Dense:    true,
		Gauges:   []Gauge{{"sum of largest", Equal, same}},
		Settings: "training rows, full covariances",
		make: func(in *input) (*job, error) {
			o, err := gmmOptions(in, mixture.Full)
			if err != nil {
				return nil, err
			}
			o.MaxIter = 5
			model, err := mixture.FitGMM(context.Background(), in.X, o)
			if err != nil {
				return nil, err
			}
			var p *mat.Dense
			return &job{n: in.n(), d: in.d(), flops: gmmFlops(in, mixture.Full) / 100, run: func() (err error) {
				p, err = model.Proba(in.X)
				return err
			}, quality: func() (map[string]float64, error) { return only("sum of largest", largest(p)), nil }}, nil
		},
	},
}

// inertia is the sum of squared distances to the own centre.
func inertia(X *mat.Dense, labels []int, centres [][]float64) float64 {
	sum := 0.0
	for i, c := range labels {
		for j, v := range X.RawRowView(i) {
			sum += (v - centres[c][j]) * (v - centres[c][j])
		}
	}
	return sum
}

// largest sums the largest entry of each row.
func largest(p *mat.Dense) float64 {
	n, _ := p.Dims()
	sum := 0.0
	for i := range n {
		sum += mat.Max(p.RowView(i))
	}
	return sum
}
