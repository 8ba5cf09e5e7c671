package reference

import (
	"context"
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/logistic"
)

// mtcars: weight in 1000 lb and whether the gearbox is manual of 32 cars, Motor Trend 1974; Henderson & Velleman 1981.
var carWeights = []float64{
	2.62, 2.875, 2.32, 3.215, 3.44, 3.46, 3.57, 3.19, 3.15, 3.44, 3.44, 4.07, 3.73, 3.78, 5.25, 5.424, 5.345, 2.2, 1.615,
	1.835, 2.465, 3.52, 3.435, 3.84, 3.845, 1.935, 2.14, 1.513, 3.17, 2.77, 3.57, 2.78,
}

var manual = []int{1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1}

// Spector & Mazzeo 1980: grade point average, test score, method of teaching, and whether the grade improved, of 32 students.
var (
	gpa = []float64{
		2.66, 2.89, 3.28, 2.92, 4, 2.86, 2.76, 2.87, 3.03, 3.92, 2.63, 3.32, 3.57, 3.26, 3.53, 2.74, 2.75, 2.83, 3.12, 3.16,
		2.06, 3.62, 2.89, 3.51, 3.54, 2.83, 3.39, 2.67, 3.65, 4, 3.1, 2.39,
	}
	tuce = []float64{
		20, 22, 24, 12, 21, 17, 17, 21, 25, 29, 20, 23, 23, 25, 26, 19, 25, 19, 23, 25, 22, 28, 14, 26, 24, 27, 17, 24, 21, 23,
		21, 19,
	}
	improved = []int{0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 1, 0, 1}
)

// students returns the data of Spector & Mazzeo; the last 14 were taught by the new method.
func students() *mat.Dense {
	X := mat.NewDense(32, 3, nil)
	for i := range 32 {
		psi := 0.0
		if i >= 18 {
			psi = 1
		}
		X.SetRow(i, []float64{gpa[i], tuce[i], psi})
	}
	return X
}

func TestLogistic(t *testing.T) { run(t, "logistic") }

func logit(c *check, X mat.Matrix, y []int, o logistic.Options) *logistic.Model {
	return must(logistic.Fit(c.Context(), X, y, o))
}

var logisticCases = runners{
	"logit-mtcars": func(c *check) {
		m := logit(c, mat.NewDense(32, 1, carWeights), manual, logistic.Options{})
		c.near("coef", m.Theta())
		c.near("se", m.StandardErrors())
		c.near("deviance", m.Deviance())
		c.near("null_deviance", m.NullDeviance())
		c.near("loglik", m.LogLikelihood())
	},
	"logit-spector": func(c *check) {
		m := logit(c, students(), improved, logistic.Options{})
		c.near("coef", m.Theta())
		c.near("se", m.StandardErrors())
		c.near("loglik", m.LogLikelihood())
	},
	"logit-weights": func(c *check) {
		weights := make([]float64, 32)
		for i := range weights {
			weights[i] = float64(1 + i%3)
		}
		m := logit(c, students(), improved, logistic.Options{Weights: weights})
		c.near("coef", m.Theta())
		c.near("se", m.StandardErrors())
		c.near("deviance", m.Deviance())
	},
	"logit-challenger": func(c *check) {
		X, y := set(c, datasets.Challenger())
		m := logit(c, X, y, logistic.Options{})
		c.near("coef", m.Theta())
		c.near("se", m.StandardErrors())
		c.near("deviance", m.Deviance())
		c.near("null_deviance", m.NullDeviance())
		ends := must(logistic.Profile(c.Context(), X, y, 0.95, []float64{31}, logistic.Options{}))
		c.near("profile_31", []float64{ends.From, ends.To})
		ends = must(m.Wald(0.95, 31))
		c.near("wald_31", []float64{ends.From, ends.To})
	},
	"logit-l2-linS": func(c *check) {
		X, y := labelled(c, "lin_S.csv", 200)
		m := logit(c, X, y, logistic.Options{L2: 1})
		c.near("objective", -m.LogLikelihood()+squared(m.Coefficients(1))/2)
		c.near("coef", m.Theta())
	},
	"logit-separable": func(c *check) {
		X, y := column(-1, 1), []int{0, 1}
		m := logit(c, X, y, logistic.Options{L2: 1, NoIntercept: true})
		c.near("w", m.Coefficients(1)[0])
		c.want("unpenalised")
		_, err := logistic.Fit(c.Context(), X, y, logistic.Options{})
		if apart := (*logistic.SeparableError)(nil); !errors.As(err, &apart) || apart.Verdict.Case != logistic.Apart {
			c.Errorf("without a penalty: %v", err)
		}
	},
	"softmax-penguins": func(c *check) {
		X, y := set(c, datasets.Penguins().Features("flipper length", "body mass"))
		m := logit(c, X, y, logistic.Options{})
		c.near("theta", m.Theta())
		c.near("se", m.StandardErrors())
		c.near("loglik", m.LogLikelihood())
		c.near("null_loglik", -m.NullDeviance()/2)
	},
	"softmax-iris-l2": func(c *check) {
		X, y := set(c, datasets.Iris())
		m := logit(c, X, y, logistic.Options{L2: 1})
		intercepts, coefficients := make([]float64, 3), make([][]float64, 3) // less the mean over the classes
		mean, means := 0.0, make([]float64, 4)
		for k := range 3 {
			mean += m.Intercept(k) / 3
			for j, v := range m.Coefficients(k) {
				means[j] += v / 3
			}
		}
		for k := range 3 {
			intercepts[k], coefficients[k] = m.Intercept(k)-mean, m.Coefficients(k)
			for j := range means {
				coefficients[k][j] -= means[j]
			}
		}
		c.near("intercept", intercepts)
		c.near("coef", coefficients)
		c.near("loglik", m.LogLikelihood())
	},
}

// penalisedHeart appends the constant feature that LIBLINEAR penalises.
func penalisedHeart(c *check, X *mat.Dense, y []int) {
	n, d := X.Dims()
	wide := mat.NewDense(n, d+1, nil)
	for i := range n {
		wide.SetRow(i, append(mat.Row(nil, i, X), 1))
	}
	m := must(logistic.Fit(context.Background(), wide, y, logistic.Options{L2: 1, NoIntercept: true}))
	w := m.Coefficients(1)
	c.near("primal_objective", -m.LogLikelihood()+squared(w)/2)
	c.near("w", w)
}

func squared(w []float64) (sum float64) {
	for _, v := range w {
		sum += v * v
	}
	return sum
}
