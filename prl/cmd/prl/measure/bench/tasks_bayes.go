package bench

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/bayes"
	"github.com/prlab/prlab/prl/estimator"
)

type fitBayes func(context.Context, mat.Matrix, []int, bayes.Options) (*bayes.Classifier, error)

func gaussianFit(fit fitBayes, denominator bayes.Denominator, flops func(*input) float64) func(*input) (*job, error) {
	return func(in *input) (*job, error) {
		o := bayes.Options{}
		o.Denominator = denominator
		var model *bayes.Classifier
		j := &job{n: in.n(), d: in.d(), run: func() (err error) {
			model, err = fit(context.Background(), in.X, in.y, o)
			return err
		}, quality: func() (map[string]float64, error) {
			p, err := model.Proba(in.Xt)
			if err != nil {
				return nil, err
			}
			return only("test log loss", logLoss(p, in.yt)), nil
		}}
		if flops != nil {
			j.flops = flops(in)
		}
		return j, nil
	}
}

func gaussianPredict(fit fitBayes, denominator bayes.Denominator, flops func(*input) float64) func(*input) (*job, error) {
	return func(in *input) (*job, error) {
		o := bayes.Options{}
		o.Denominator = denominator
		model, err := fit(context.Background(), in.X, in.y, o)
		if err != nil {
			return nil, err
		}
		var got []int
		j := &job{n: in.m(), d: in.d(), run: func() (err error) {
			got, err = model.Predict(in.Xt)
			return err
		}, quality: func() (map[string]float64, error) { return only("test accuracy", estimator.Accuracy(got, in.yt)), nil }}
		if flops != nil {
			j.flops = flops(in)
		}
		return j, nil
	}
}

func nearestFit(in *input) (*job, error) {
	var model *bayes.Classifier
	return &job{n: in.n(), d: in.d(), run: func() (err error) {
		model, err = bayes.FitNearestMean(context.Background(), in.X, in.y, bayes.Options{})
		return err
	}, quality: func() (map[string]float64, error) {
		got, err := model.Predict(in.Xt)
		if err != nil {
			return nil, err
		}
		return only("test accuracy", estimator.Accuracy(got, in.yt)), nil
	}}, nil
}

const nominals = 6

// oneHot is an input whose rows have, for each of its columns, one for each value of nominal, of which one holds 1 and the others 0.
func oneHot(in *input) *input {
	wide := func(X *mat.Dense) *mat.Dense {
		n, d := X.Dims()
		out := mat.NewDense(n, nominals*d, nil)
		for i, row := range nominal(X) {
			for j, v := range row {
				out.Set(i, nominals*j+v, 1)
			}
		}
		return out
	}
	own := *in
	own.X, own.Xt = wide(in.X), wide(in.Xt)
	return &own
}

// ofOneHot makes a task of one-hot rows.
func ofOneHot(make func(*input) (*job, error)) func(*input) (*job, error) {
	return func(in *input) (*job, error) { return make(oneHot(in)) }
}

// nominal turns features into values 0 ... 5: floor(x) + 3, cut off at both ends.
func nominal(X *mat.Dense) [][]int {
	n, d := X.Dims()
	rows := make([][]int, n)
	for i := range rows {
		rows[i] = make([]int, d)
		for j, v := range X.RawRowView(i) {
			rows[i][j] = int(math.Min(nominals-1, math.Max(0, math.Floor(v)+3)))
		}
	}
	return rows
}

func nominalFit(in *input) (*job, error) {
	rows, test := nominal(in.X), nominal(in.Xt)
	var model *bayes.Nominal
	return &job{n: in.n(), d: in.d(), run: func() (err error) {
		model, err = bayes.FitNominal(rows, in.y, 1)
		return err
	}, quality: func() (map[string]float64, error) {
		sum := 0.0
		for i, row := range test {
			p, err := model.Posterior(row...)
			if err != nil {
				return nil, err
			}
			sum -= math.Log(p[in.yt[i]])
		}
		return only("test log loss", sum/float64(len(test))), nil
	}}, nil
}

func nominalPredict(in *input) (*job, error) {
	test := nominal(in.Xt)
	model, err := bayes.FitNominal(nominal(in.X), in.y, 1)
	if err != nil {
		return nil, err
	}
	var got []int
	return &job{n: in.m(), d: in.d(), run: func() (err error) {
		got, err = model.Predict(test)
		return err
	}, quality: func() (map[string]float64, error) { return only("test accuracy", estimator.Accuracy(got, in.yt)), nil }}, nil
}

var (
	testLogLoss  = []Gauge{{"test log loss", Lower, same}}
	testAccuracy = []Gauge{{"test accuracy", Higher, same}}
)

var bayesTasks = []Task{
	{
		Name: "lda fit", Data: "cls", Peers: []string{"lsqr", "eigen"}, Blas: true, Dense: true, Gauges: testLogLoss,
		Settings: "pooled covariance, maximum likelihood", make: gaussianFit(bayes.FitLDA, bayes.MaximumLikelihood, scatterFlops),
	},
	{
		Name: "lda predict", Data: "cls", Peers: []string{"lsqr"}, Blas: true, Dense: true, Gauges: testAccuracy,
		Settings: "classes of the test rows", make: gaussianPredict(bayes.FitLDA, bayes.MaximumLikelihood, func(in *input) float64 {
			return 2 * float64(in.m()) * float64(in.d()*in.classN)
		}),
	},
	{
		Name: "qda fit", Data: "cls", Peers: []string{"eigen", "svd"}, Blas: true, Dense: true, Gauges: testLogLoss,
		Settings: "a covariance a class, maximum likelihood", make: gaussianFit(bayes.FitQDA, bayes.MaximumLikelihood, scatterFlops),
	},
	{
		Name: "qda predict", Data: "cls", Peers: []string{"svd"}, Blas: true, Dense: true, Gauges: testAccuracy,
		Settings: "classes of the test rows", make: gaussianPredict(bayes.FitQDA, bayes.MaximumLikelihood, func(in *input) float64 {
			return float64(in.m()) * float64(in.classN) * float64(in.d()*in.d())
		}),
	},
	{
		Name: "gaussian nb fit", Data: "cls", Peers: []string{""}, Gauges: testLogLoss,
		Settings: "maximum likelihood, no smoothing", make: gaussianFit(bayes.FitGaussianNB, bayes.MaximumLikelihood, nil),
	},
	{
		Name: "gaussian nb predict", Data: "cls", Peers: []string{""}, Blas: true, Gauges: testAccuracy,
		Settings: "classes of the test rows", make: gaussianPredict(bayes.FitGaussianNB, bayes.MaximumLikelihood, nil),
	},
	{Name: "nearest mean fit", Data: "cls", Peers: []string{""}, Gauges: testAccuracy, Settings: "Euclidean", make: nearestFit},
	{
		Name: "nearest mean predict", Data: "cls", Peers: []string{""}, Blas: true, Gauges: testAccuracy,
		Settings: "classes of the test rows", make: gaussianPredict(bayes.FitNearestMean, bayes.Unbiased, nil),
	},
	{
		Name: "nominal nb fit", Data: "cls", Peers: []string{""}, Gauges: testLogLoss,
		Settings: "6 values a feature, alpha 1", make: nominalFit,
	},
	{
		Name: "nominal nb predict", Data: "cls", Peers: []string{""}, Gauges: testAccuracy,
		Settings: "6 values a feature, alpha 1", make: nominalPredict,
	},
}

// scatterFlops is the cost of half a scatter matrix.
func scatterFlops(in *input) float64 { return float64(in.n()) * float64(in.d()*in.d()) }
