package reference

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/kernel"
	"github.com/prlab/prlab/prl/svm"
)

func TestSVM(t *testing.T) { run(t, "svm") }

// machine fits a support vector machine, and checks that its duality gap proves it optimal.
func machine(c *check, X mat.Matrix, y []int, change func(*svm.Options)) *svm.Model {
	o := svm.Options{}
	o.Tol = 1e-10
	if change != nil {
		change(&o)
	}
	m, err := svm.Fit(c.Context(), X, y, o)
	if err != nil {
		c.Fatal(err)
	}
	if g := m.Certificate().Gap; g < -1e-9 || g > 1e-6 {
		c.Errorf("duality gap %g", g)
	}
	return m
}

// figures compares what the table has of dual objective, b, multipliers, support and hyperplane.
func figures(c *check, m *svm.Model) {
	q := m.Certificate()
	sum := 0.0
	for _, a := range m.Alpha() {
		sum += a
	}
	for name, got := range map[string]any{
		"dual_objective": q.Dual, "dual": q.Dual, "b": m.Bias(), "alpha": m.Alpha(), "sum_alpha": sum,
		"norm2": m.Norm2(), "w_norm_sq": m.Norm2(), "margin": m.Margin(), "support": q.Support, "bounded": q.Bounded,
	} {
		if _, ok := c.Expected[name]; ok {
			c.near(name, got)
		}
	}
	if _, ok := c.Expected["w"]; ok {
		c.near("w", must(m.Weights())[0])
	}
}

func hard(o *svm.Options) { o.Slack = svm.HardMargin }

var (
	and       = matrix([]float64{0, 0}, []float64{0, 1}, []float64{1, 0}, []float64{1, 1})
	andLabels = []int{0, 0, 0, 1}
)

var svmCases = runners{
	"svm-heart-lin": func(c *check) {
		if X, y, ok := heartScale(c); ok {
			figures(c, machine(c, X, y, nil))
		}
	},
	"svm-heart-rbf-c10": func(c *check) {
		if X, y, ok := heartScale(c); ok {
			figures(c, machine(c, X, y, func(o *svm.Options) { o.C, o.Kernel = 10, kernel.RBF{Gamma: 0.5} }))
		}
	},
	"linear-heart-l1loss": func(c *check) {
		if X, y, ok := heartScale(c); ok {
			objective, w := linear(c, X, y)
			c.near("primal_objective", objective)
			c.near("w", w)
		}
	},
	"linear-heart-logistic": func(c *check) {
		if X, y, ok := heartScale(c); ok {
			penalisedHeart(c, X, y)
		}
	},
	"svm-xor-poly2": func(c *check) {
		m := machine(c, mat.NewDense(4, 2, []float64{-1, -1, -1, 1, 1, -1, 1, 1}), []int{0, 1, 1, 0}, func(o *svm.Options) {
			o.Slack, o.Kernel = svm.HardMargin, kernel.Poly{Degree: 2, Gamma: 1, Coef0: 1}
		})
		figures(c, m)
		c.near("decision_at_2_3", m.Value(2, 3))
	},
	"svm-soft-two-points": func(c *check) {
		m := machine(c, column(-1, 1), []int{0, 1}, func(o *svm.Options) { o.C = 0.1 })
		figures(c, m)
		if b, ends := m.Bias(), c.numbers("b_interval"); b < ends[0] || b > ends[1] {
			c.Errorf("b = %v, want in %v", b, ends)
		}
	},
	"svm-binS-rbf": func(c *check) {
		X, y := labelled(c, "bin_S.csv", 200)
		figures(c, machine(c, X, y, func(o *svm.Options) { o.Kernel = kernel.RBF{Gamma: 0.25} }))
	},
	"svm-bins40-rbf": func(c *check) {
		X, y := labelled(c, "bin_S.csv", 40)
		m := machine(c, X, y, func(o *svm.Options) { o.C, o.Kernel = 2, kernel.RBF{Gamma: 0.25} })
		figures(c, m)
		c.near("decision_first5", mat.Col(nil, 0, must(m.Decision(X.Slice(0, 5, 0, 4)))))
	},
	"svm-iris-linear": func(c *check) {
		X, y := set(c, datasets.Iris().Classes("versicolor", "virginica"))
		m := machine(c, X, y, nil)
		figures(c, m)
		c.near("training_errors", len(wrong(must(m.Predict(X)), y)))
	},
	"svm-iris-hard": func(c *check) {
		X, y := set(c, datasets.Iris().Classes("setosa", "versicolor"))
		figures(c, machine(c, X, y, hard))
	},
	"svm-quadratic-slack": func(c *check) {
		figures(c, machine(c, and, andLabels, func(o *svm.Options) { o.Slack, o.C = svm.QuadraticSlack, 2 }))
	},
	"svm-and-hard": func(c *check) {
		figures(c, machine(c, and, andLabels, hard))
		figures(c, machine(c, and, andLabels, func(o *svm.Options) { o.C = 4 }))
	},
	"svm-six-points": func(c *check) {
		figures(c, machine(c, mat.NewDense(6, 2, []float64{2, 2, 4, 4, 4, 0, 0, 0, 2, 0, 0, 2}), []int{1, 1, 1, 0, 0, 0}, hard))
	},
	"svm-libsvm-toy": func(c *check) {
		figures(c, machine(c, mat.NewDense(6, 2, []float64{-2, -1, -1, -1, -1, -2, 1, 1, 1, 2, 2, 1}), []int{0, 0, 0, 1, 1, 1}, nil))
	},
	"svm-nu-svc": func(c *check) {
		X, y, _, weights := rounded(c)
		for name, w := range weights {
			m := machine(c, X, y, func(o *svm.Options) { o.Kernel, o.Nu, o.Weights, o.Tol = square, 0.6, w, 1e-12 })
			c.near(name+".f_first5", mat.Col(nil, 0, must(m.Decision(X.Slice(0, 5, 0, 4)))))
			c.near(name+".b", m.Bias())
		}
	},
	"svm-epsilon-svr": func(c *check) { regression(c, svm.RegressionOptions{C: 0.5, Epsilon: 0.25, Tol: 1e-12}) },
	"svm-nu-svr":      func(c *check) { regression(c, svm.RegressionOptions{C: 0.5, Nu: 0.4, Tol: 1e-12}) },
	"svm-one-class": func(c *check) {
		X, _, _, weights := rounded(c)
		for name, w := range weights {
			m := must(svm.FitOneClass(c.Context(), X, svm.OneClassOptions{Kernel: square, Nu: 0.2, Weights: w, Tol: 1e-12}))
			c.near(name+".f_first5", mat.Col(nil, 0, must(m.Decision(X.Slice(0, 5, 0, 4)))))
			c.near(name+".b", m.Bias())
		}
	},
	"linear-bins-penalised-bias": func(c *check) {
		X, y := labelled(c, "bin_S.csv", 200)
		objective, w := linear(c, X, y)
		c.near("objective", objective)
		c.near("w", w)
	},
}

// linear fits the linear machine with a penalised bias and returns 1/2 |w|^2 + b^2/2 + sum max(0, 1 - y f) and (w, b), read off the
// decision values at the origin and the unit vectors.
func linear(c *check, X *mat.Dense, y []int) (objective float64, w []float64) {
	o := svm.LinearOptions{}
	o.Tol, o.MaxSweeps = 1e-9, 5_000_000 // coordinate descent converges linearly, and slowly where rows are nearly dependent
	m, err := svm.FitLinear(c.Context(), X, y, o)
	if err != nil {
		c.Fatal(err)
	}
	_, d := X.Dims()
	probe := mat.NewDense(d+1, d, nil)
	for j := range d {
		probe.Set(j, j, 1)
	}
	f := mat.Col(nil, 0, must(m.Decision(probe)))
	b := f[d]
	for j := range d {
		w = append(w, f[j]-b)
	}
	w = append(w, b)
	for _, v := range w {
		objective += v * v / 2
	}
	for i, v := range mat.Col(nil, 0, must(m.Decision(X))) {
		objective += math.Max(0, 1-v*float64(2*y[i]-1))
	}
	return objective, w
}

var square = kernel.Poly{Degree: 2, Gamma: 1, Coef0: 1}

// rounded returns the first 60 rows of bin_S and a target, in quarters, and the weights of the rows by name.
func rounded(c *check) (X *mat.Dense, y []int, target []float64, weights map[string][]float64) {
	X, y = labelled(c, "bin_S.csv", 60)
	quarter := func(v float64) float64 { return math.RoundToEven(v*4) / 4 }
	X.Apply(func(_, _ int, v float64) float64 { return quarter(v) }, X)
	w := make([]float64, len(y))
	for i := range y {
		w[i] = float64(1 + i%3)
		target = append(target, quarter(2*X.At(i, 0)-X.At(i, 1)*X.At(i, 1)+X.At(i, 2)))
	}
	return X, y, target, map[string][]float64{"plain": nil, "weighted": w}
}

func regression(c *check, o svm.RegressionOptions) {
	X, _, target, weights := rounded(c)
	for name, w := range weights {
		o.Weights = w
		m := must(svm.FitRegression(c.Context(), X, target, o))
		c.near(name+".f_first5", must(m.Predict(X.Slice(0, 5, 0, 4))))
		c.near(name+".b", m.Bias())
	}
}
