package bench

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/reduce"
)

// transformer is what PCA, whitening and discriminant analysis have in common.
type transformer interface {
	Transform(X mat.Matrix) (*mat.Dense, error)
}

// fitTransformer times a fit. rate computes the quality from the images of the training rows.
func fitTransformer[T transformer](in *input, fit func() (T, error), rate func(Z *mat.Dense) map[string]float64) *job {
	var model T
	return &job{n: in.n(), d: in.d(), flops: scatterFlops(in), run: func() (err error) {
		model, err = fit()
		return err
	}, quality: func() (map[string]float64, error) {
		Z, err := model.Transform(in.X)
		if err != nil {
			return nil, err
		}
		return rate(Z), nil
	}}
}

// transformRows times the transformation of the training rows.
func transformRows(in *input, model transformer, rate func(Z *mat.Dense) map[string]float64) *job {
	var Z *mat.Dense
	return &job{n: in.n(), d: in.d(), run: func() (err error) {
		Z, err = model.Transform(in.X)
		return err
	}, quality: func() (map[string]float64, error) { return rate(Z), nil }}
}

func fitPCA(in *input) (*reduce.PCA, error) {
	o := reduce.PCAOptions{}
	o.Components = min(10, in.d())
	return reduce.FitPCA(context.Background(), in.X, o)
}

func fitMDA(in *input) (*reduce.MDA, error) {
	return reduce.FitMDA(context.Background(), in.X, in.y, reduce.MDAOptions{})
}

func fitFisher(in *input) (*reduce.Fisher, error) {
	return reduce.FitFisher(context.Background(), in.X, in.y, reduce.FisherOptions{})
}

func fitWhitening(in *input) (*reduce.Whitening, error) {
	return reduce.FitWhitening(context.Background(), in.X, reduce.WhitenOptions{})
}

func squares(Z *mat.Dense) map[string]float64 { return only("sum of squares", sumSquares(Z)) }

func separated(y []int) func(*mat.Dense) map[string]float64 {
	return func(Z *mat.Dense) map[string]float64 { return only("between/within", separation(Z, y)) }
}

var (
	sumOfSquares = []Gauge{{"sum of squares", Equal, same}}
	separations  = []Gauge{{"between/within", Higher, same}}
)

var reduceTasks = []Task{
	{
		Name: "pca fit", Data: "cls", Peers: []string{"covariance_eigh", "full"},
		Rivals: []string{"intelex"}, Blas: true, Dense: true, Gauges: sumOfSquares,
		Settings: "10 components", make: func(in *input) (*job, error) {
			return fitTransformer(in, func() (*reduce.PCA, error) { return fitPCA(in) }, squares), nil
		},
	},
	{
		Name: "pca fit of many columns", Data: "wide", Peers: []string{"covariance_eigh", "full", "arpack"}, Rivals: []string{"intelex"},
		Blas: true, Dense: true,
		Gauges: sumOfSquares, Settings: "10 components", make: func(in *input) (*job, error) {
			return fitTransformer(in, func() (*reduce.PCA, error) { return fitPCA(in) }, squares), nil
		},
	},
	{
		Name: "pca transform", Data: "cls", Peers: []string{"covariance_eigh"}, Blas: true, Dense: true, Gauges: sumOfSquares,
		Settings: "training rows to 10 components", make: func(in *input) (*job, error) {
			model, err := fitPCA(in)
			if err != nil {
				return nil, err
			}
			j := transformRows(in, model, squares)
			j.flops = 2 * float64(in.n()) * float64(in.d()*min(10, in.d()))
			return j, nil
		},
	},
	{
		Name: "ppca fit", Data: "cls", Peers: []string{"covariance_eigh", "full"}, Blas: true, Dense: true,
		Gauges:   []Gauge{{"log-likelihood", Higher, same}},
		Settings: "5 latent variables at most, by maximum likelihood (peer: PCA and its noise variance)",
		make: func(in *input) (*job, error) {
			var m *reduce.PPCA
			return &job{n: in.n(), d: in.d(), flops: scatterFlops(in), run: func() (err error) {
				m, err = reduce.FitPPCA(context.Background(), in.X, reduce.PPCAOptions{Components: min(5, in.d()-1)})
				return err
			}, quality: func() (map[string]float64, error) {
				l, err := m.LogLikelihood(in.X)
				return only("log-likelihood", l), err
			}}, nil
		},
	},
	{
		Name: "ppca densities", Data: "cls", Peers: []string{"covariance_eigh"}, Blas: true, Dense: true,
		Gauges: []Gauge{{"log-likelihood", Higher, same}}, Settings: "training rows, 5 latent variables at most (peer: PCA.score_samples)",
		make: func(in *input) (*job, error) {
			m, err := reduce.FitPPCA(context.Background(), in.X, reduce.PPCAOptions{Components: min(5, in.d()-1)})
			if err != nil {
				return nil, err
			}
			var logs []float64
			return &job{n: in.n(), d: in.d(), flops: 2 * float64(in.n()) * float64(in.d()*min(5, in.d()-1)), run: func() (err error) {
				logs, err = m.LogDensities(in.X)
				return err
			}, quality: func() (map[string]float64, error) { return only("log-likelihood", floats.Sum(logs)), nil }}, nil
		},
	},
	{
		Name: "whitening fit", Data: "cls", Peers: []string{"covariance_eigh", "full"}, Blas: true, Dense: true, Gauges: sumOfSquares,
		Settings: "all components (peer: PCA with whiten)", make: func(in *input) (*job, error) {
			return fitTransformer(in, func() (*reduce.Whitening, error) { return fitWhitening(in) }, squares), nil
		},
	},
	{
		Name: "fisher fit", Data: "lin", Peers: []string{"lsqr", "eigen", "svd"}, Blas: true, Dense: true, Gauges: separations,
		Settings: "direction of two classes", make: func(in *input) (*job, error) {
			return fitTransformer(in, func() (*reduce.Fisher, error) { return fitFisher(in) }, separated(in.y)), nil
		},
	},
	{
		Name: "mda fit", Data: "cls", Peers: []string{"eigen", "svd"}, Blas: true, Dense: true, Gauges: separations,
		Settings: "K-1 discriminants", make: func(in *input) (*job, error) {
			return fitTransformer(in, func() (*reduce.MDA, error) { return fitMDA(in) }, separated(in.y)), nil
		},
	},
	{
		Name: "mda transform", Data: "cls", Peers: []string{"eigen"}, Blas: true, Dense: true, Gauges: separations,
		Settings: "training rows to K-1 discriminants", make: func(in *input) (*job, error) {
			model, err := fitMDA(in)
			if err != nil {
				return nil, err
			}
			j := transformRows(in, model, separated(in.y))
			j.flops = 2 * float64(in.n()) * float64(in.d()*min(in.d(), in.classN-1))
			return j, nil
		},
	},
}
