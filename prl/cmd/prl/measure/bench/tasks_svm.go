package bench

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/kernel"
	"github.com/prlab/prlab/prl/sparse"
	"github.com/prlab/prlab/prl/svm"
)

// peerTol is LIBSVM's stopping tolerance.
const peerTol = 1e-3

func svmOptions(k kernel.Kernel, c float64) svm.Options {
	o := svm.Options{}
	o.Kernel, o.C, o.Tol = k, c, peerTol
	return o
}

// svmFit times a fit; its quality is the dual objective, summed over the pairs of classes.
func svmFit(k func(d int) kernel.Kernel, c float64) func(*input) (*job, error) {
	return func(in *input) (*job, error) {
		o := svmOptions(k(in.d()), c)
		var model *svm.Model
		return &job{n: in.n(), d: in.d(), run: func() (err error) {
			model, err = svm.Fit(context.Background(), in.X, in.y, o)
			return err
		}, quality: func() (map[string]float64, error) {
			dual := 0.0
			for _, m := range model.Pairs() {
				dual += m.Certificate.Dual
			}
			return only("dual objective", dual), nil
		}}, nil
	}
}

func svmPredict(k func(d int) kernel.Kernel, c float64) func(*input) (*job, error) {
	return func(in *input) (*job, error) {
		model, err := svm.Fit(context.Background(), in.X, in.y, svmOptions(k(in.d()), c))
		if err != nil {
			return nil, err
		}
		var got []int
		return &job{n: in.m(), d: in.d(), run: func() (err error) {
			got, err = model.Predict(in.Xt)
			return err
		}, quality: func() (map[string]float64, error) { return only("test accuracy", estimator.Accuracy(got, in.yt)), nil }}, nil
	}
}

// primal is 1/2 |w|^2 + b^2/2 + c sum_i max(0, 1 - y_i f(x_i))^p.
func primal(X *mat.Dense, y []int, w []float64, b, c, p float64) float64 {
	sum := b * b / 2
	for _, v := range w {
		sum += v * v / 2
	}
	for i, class := range y {
		f := b
		for j, v := range X.RawRowView(i) {
			f += v * w[j]
		}
		if class == 0 {
			f = -f
		}
		sum += c * math.Pow(math.Max(0, 1-f), p)
	}
	return sum
}

func linearFit(slack svm.Slack) func(*input) (*job, error) {
	return func(in *input) (*job, error) {
		p := 1.0
		if slack == svm.QuadraticSlack {
			p = 2
		}
		return linearJob(in, in.X, slack, func(w []float64, b float64) float64 { return primal(in.X, in.y, w, b, 1, p) })
	}
}

// linearJob fits the rows X of in; objective rates the result.
func linearJob(in *input, X mat.Matrix, slack svm.Slack, objective func(w []float64, b float64) float64) (*job, error) {
	o := svm.LinearOptions{}
	o.Slack, o.C, o.Tol = slack, 1, peerTol
	if slack == svm.QuadraticSlack {
		o.C = 2 // the cost is C/2 xi^2 here and C xi^2 at the peer
	}
	var model *svm.LinearModel
	return &job{n: in.n(), d: in.d(), run: func() (err error) {
		model, err = svm.FitLinear(context.Background(), X, in.y, o)
		return err
	}, quality: func() (map[string]float64, error) {
		return only("primal objective", objective(model.W[0], model.B[0])), nil
	}}, nil
}

func linearKernel(int) kernel.Kernel { return kernel.Linear{} }

// The dual objective of two runs that stop at a violation of 1e-3 differs by more than rounding.
var dualObjective = []Gauge{{"dual objective", Higher, same}}

var svmTasks = []Task{
	{
		Name: "svm rbf fit", Data: "bin", Peers: []string{""}, Rivals: []string{"intelex"}, Gauges: dualObjective,
		Settings: "C 10, gamma 1/d, tolerance 1e-3, cache 200 MB", make: svmFit(rbf, 10),
	},
	{
		Name: "svm rbf predict", Data: "bin", Peers: []string{""}, Rivals: []string{"intelex"}, Gauges: testAccuracy,
		Settings: "classes of the test rows", make: svmPredict(rbf, 10),
	},
	{
		Name: "svm poly fit", Data: "bin", Peers: []string{""}, Rivals: []string{"intelex"}, Gauges: dualObjective,
		Settings: "C 1, degree 3, gamma 1/d, c 1, tolerance 1e-3", make: svmFit(poly, 1),
	},
	{
		Name: "svm linear smo fit", Data: "lin", Rows: [3]int{200, 2000, 5000}, Peers: []string{""},
		Rivals: []string{"intelex"}, Gauges: dualObjective,
		Settings: "C 1, tolerance 1e-3", make: svmFit(linearKernel, 1),
	},
	{
		Name: "svm pairs fit", Data: "cls", Rows: [3]int{200, 2000, 5000}, Peers: []string{""},
		Rivals: []string{"intelex"}, Gauges: dualObjective,
		Settings: "one against one, RBF, C 1, gamma 1/d, tolerance 1e-3", make: svmFit(rbf, 1),
	},
	{
		Name: "svm pairs predict", Data: "cls", Rows: [3]int{200, 2000, 5000}, Peers: []string{""},
		Rivals: []string{"intelex"}, Gauges: testAccuracy,
		Settings: "classes of the test rows", make: svmPredict(rbf, 1),
	},
	{
		Name: "svm linear dcd fit", Data: "lin", Peers: []string{""},
		Rivals: []string{"liblinear"}, Gauges: []Gauge{{"primal objective", Lower, same}},
		Settings: "linear slack, C 1, tolerance 1e-3 (peer: LinearSVC)", make: linearFit(svm.LinearSlack),
	},
	{
		Name: "svm linear dcd2 fit", Data: "lin", Peers: []string{""},
		Rivals: []string{"liblinear"}, Gauges: []Gauge{{"primal objective", Lower, same}},
		Settings: "quadratic slack, C 2 as C/2, tolerance 1e-3 (peer: LinearSVC)", make: linearFit(svm.QuadraticSlack),
	},
	{
		Name: "svm linear dcd fit of one-hot rows", Data: "lin", Rows: [3]int{200, 5000, 20000}, Peers: []string{"dense", "sparse"},
		Rivals: []string{"liblinear"}, Gauges: []Gauge{{"primal objective", Lower, same}},
		Settings: "six columns of each, linear slack, C 1, tolerance 1e-3 (peer: LinearSVC)", make: ofOneHot(func(in *input) (*job, error) {
			return linearJob(in, sparse.Of(in.X), svm.LinearSlack, func(w []float64, b float64) float64 {
				return primal(in.X, in.y, w, b, 1, 1)
			})
		}),
	},
	{
		Name: "svm rbf fit of one-hot rows", Data: "bin", Rows: [3]int{200, 2000, 5000}, Peers: []string{"dense", "sparse"},
		Rivals: []string{"intelex"}, Gauges: dualObjective,
		Settings: "six columns of each, C 1, gamma 1/d, tolerance 1e-3, cache 200 MB", make: ofOneHot(svmFit(rbf, 1)),
	},
	{
		Name: "svm leave one out", Data: "bin", Rows: [3]int{100, 200, 400}, Peers: []string{""}, Gauges: []Gauge{{"errors", Equal, same}},
		Settings: "RBF, C 1, gamma 1/d; n fits", make: func(in *input) (*job, error) {
			var report *svm.LeaveOneOut
			return &job{n: in.n(), d: in.d(), run: func() (err error) {
				report, err = svm.LeaveOneOutErrors(context.Background(), in.X, in.y, svmOptions(rbf(in.d()), 1), false)
				return err
			}, quality: func() (map[string]float64, error) { return only("errors", float64(report.Errors)), nil }}, nil
		},
	},
	{
		Name: "platt fit", Data: "lin", Peers: []string{""}, Gauges: []Gauge{{"cross-entropy", Lower, same}},
		Settings: "sigmoid on scores x0 + x1", make: func(in *input) (*job, error) {
			f, y := make([]float64, in.n()), make([]int, in.n())
			for i := range f {
				f[i], y[i] = in.X.At(i, 0)+in.X.At(i, 1), 2*in.y[i]-1
			}
			var a, b float64
			return &job{n: in.n(), d: 1, run: func() error {
				a, b = svm.Platt(f, y)
				return nil
			}, quality: func() (map[string]float64, error) { return only("cross-entropy", plattLoss(f, y, a, b)), nil }}, nil
		},
	},
}

// plattLoss is the cross-entropy of P(+1 | f) = 1/(1 + exp(a f + b)) against Platt's targets.
func plattLoss(f []float64, y []int, a, b float64) float64 {
	plus := 0.0
	for _, c := range y {
		if c > 0 {
			plus++
		}
	}
	minus := float64(len(y)) - plus
	sum := 0.0
	for i, c := range y {
		t := 1 / (minus + 2)
		if c > 0 {
			t = (plus + 1) / (plus + 2)
		}
		z := a*f[i] + b
		sum += t*z + math.Max(0, -z) + math.Log1p(math.Exp(-math.Abs(z)))
	}
	return sum
}
