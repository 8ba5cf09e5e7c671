package reference

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/kernel"
	"github.com/prlab/prlab/prl/perceptron"
)

func TestPerceptron(t *testing.T) { run(t, "perceptron") }

// learned fits a perceptron and returns (b, w) with its run.
func learned(c *check, X mat.Matrix, y []int, o perceptron.Options) ([]float64, *perceptron.Model, *perceptron.Run) {
	m := must(perceptron.Fit(c.Context(), X, y, o))
	return m.Theta()[0], m, must(perceptron.Trace(c.Context(), X, y, o))
}

// rowsFrom1 returns the row of each update, counted from 1.
func rowsFrom1(r *perceptron.Run) (rows []int) {
	for _, u := range r.Updates {
		rows = append(rows, u.Row+1)
	}
	return rows
}

// firstWrong is the rule that always takes the first row that is wrong.
func firstWrong(X *mat.Dense, y []float64) (rows []int, theta []float64) {
	n, d := X.Dims()
	theta = make([]float64, d+1)
	for i := 0; i < n; i++ {
		s := theta[0]
		for j := range d {
			s += theta[j+1] * X.At(i, j)
		}
		if y[i]*s > 0 {
			continue
		}
		theta[0] += y[i]
		for j := range d {
			theta[j+1] += y[i] * X.At(i, j)
		}
		rows = append(rows, i+1)
		i = -1
	}
	return rows, theta
}

var perceptronCases = runners{
	"perceptron-lihang": func(c *check) {
		X, y := matrix([]float64{3, 3}, []float64{4, 3}, []float64{1, 1}), []int{1, 1, 0}
		theta, m, run := learned(c, X, y, perceptron.Options{})
		c.near("b_updates", rowsFrom1(run))
		c.near("b_w", theta[1:])
		c.near("b_b", theta[0])
		c.near("b_passes", m.Passes())
		c.near("dual_alpha", run.Alpha)
		kernelled := must(perceptron.Trace(c.Context(), X, y, perceptron.Options{Kernel: kernel.Linear{}}))
		c.near("dual_alpha", kernelled.Alpha)
		rows, first := firstWrong(X, []float64{1, 1, -1})
		c.near("a_updates", rows)
		c.near("a_w", first[1:])
		c.near("a_b", first[0])
	},
	"perceptron-iris-novikoff": func(c *check) {
		X, y := set(c, datasets.Iris().Classes("setosa", "versicolor"))
		theta, m, _ := learned(c, X, y, perceptron.Options{})
		c.near("mistakes", m.Mistakes())
		c.near("passes", m.Passes())
		c.near("w", theta[1:])
		c.near("b", theta[0])
		b := must(perceptron.MistakeBound(c.Context(), X, y, perceptron.Options{}))
		c.near("R", b.R)
		c.near("gamma", b.Gamma)
		c.near("novikoff_bound", b.Most)
	},
	"perceptron-20-epochs": func(c *check) {
		X, y := labelled(c, "lin_S.csv", 200)
		theta, m, _ := learned(c, X, y, perceptron.Options{MaxIter: 20})
		c.near("w", theta[1:])
		c.near("b", theta[0])
		c.near("updates", m.Mistakes())
		errors := len(wrong(must(m.Predict(X)), y))
		c.near("train_errors", errors)
	},
}
