package reference

import (
	"strconv"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/boost"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/tree"
)

func TestBoosting(t *testing.T) { run(t, "boosting") }

func tenPoints() (*mat.Dense, []int) {
	return column(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), []int{1, 1, 1, 0, 0, 0, 1, 1, 1, 0}
}

func adaboost(c *check, X *mat.Dense, y []int, rounds int, weights []float64) (*boost.Model, *boost.Trace) {
	o := boost.Options{}
	o.Rounds, o.Weights = rounds, weights
	m, err := boost.Fit(c.Context(), X, y, o)
	if err != nil {
		c.Fatal(err)
	}
	return m, must(m.Trace(X, y, weights))
}

// compareRounds compares the rounds that the table lists under a name.
func compareRounds(c *check, name string, m *boost.Model, tr *boost.Trace, n float64) {
	for i := range c.want(name).([]any) {
		r, at := m.Rounds()[i], name+"."+strconv.Itoa(i)
		s := r.Hypothesis.(tree.Stump)
		for figure, got := range map[string]any{
			"threshold": s.Threshold, "left_sign": 2*s.Left - 1, "feature": s.Feature, "error": r.Error, "error_exact": r.Error, "alpha": r.Alpha,
			"Z":             r.Z,
			"weights_after": tr.Weights[i+1], "train_errors": tr.Error[i+1] * n, "mean_exp_loss": tr.Loss[i+1],
		} {
			if _, ok := c.want(at).(map[string]any)[figure]; ok {
				if figure == "error_exact" {
					c.nearRow(at+"."+figure, []float64{r.Error}, []float64{c.number(at + "." + figure)})
					continue
				}
				c.near(at+"."+figure, got)
			}
		}
	}
}

// compareSamme compares boosted trees of a depth on three classes.
func compareSamme(c *check, data datasets.Set, depth int) {
	X, y := set(c, data)
	m := must(boost.Fit(c.Context(), X, y, boost.Options{
		Rounds:  len(c.numbers("error")),
		Learner: boost.Trees(tree.Options{MaxDepth: depth}),
	}))
	F := must(m.Decision(X))
	var shown [][]float64
	for _, i := range []int{0, 50, 70, 77, 100, 106, 133} {
		shown = append(shown, F.RawRowView(i))
	}
	c.near("F", shown)
	compareTerms(c, m, X, y)
}

// compareTerms compares the errors and coefficients of the rounds, and how many rows are wrong after each.
func compareTerms(c *check, m *boost.Model, X *mat.Dense, y []int) {
	var eps []float64
	var count []int
	for t, r := range m.Rounds() {
		eps = append(eps, r.Error)
		count = append(count, len(wrong(y, must(must(m.First(t+1)).Predict(X)))))
	}
	c.near("error", eps)
	c.near("alpha", m.Alphas())
	c.near("training_errors", count)
}

var boostingCases = runners{
	"adaboost-10pt": func(c *check) {
		X, y := tenPoints()
		m, tr := adaboost(c, X, y, 3, nil)
		compareRounds(c, "rounds", m, tr, 10)
		c.near("F", tr.Scores[3])
		product, exponential := m.Bounds()
		c.near("prod_Z", product[3])
		c.near("mean_exp_loss", tr.Loss[3])
		c.near("exponential_bound", exponential)
	},
	"adaboost-ten-points-weighted": func(c *check) {
		X, y := tenPoints()
		m, tr := adaboost(c, X, y, 5, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
		var threshold, eps, alpha []float64
		var left []int
		for _, r := range m.Rounds() {
			s := r.Hypothesis.(tree.Stump)
			threshold, left, eps, alpha = append(threshold, s.Threshold), append(left, 2*s.Left-1), append(eps, r.Error), append(alpha, r.Alpha)
		}
		product, _ := m.Bounds()
		c.near("threshold", threshold)
		c.near("left", left)
		c.near("error", eps)
		c.near("alpha", alpha)
		c.near("product_Z", product[1:])
		c.near("F", tr.Scores[5])
		c.near("weights", tr.Weights[5])
	},
	"adaboost-binS": func(c *check) {
		X, y := labelled(c, "bin_S.csv", 200)
		m, tr := adaboost(c, X, y, 50, nil)
		compareRounds(c, "first5", m, tr, 200)
		c.near("exp_loss_10_50", []float64{tr.Loss[10], tr.Loss[50]})
	},
	"gboost-friedS-stumps": func(c *check) {
		rows := read(c, "fried_S.csv")
		X, z := rows.Slice(0, 200, 0, 10), mat.Col(nil, 10, rows.Slice(0, 200, 0, 11))
		m := must(boost.FitGradientRegression(c.Context(), X, z, boost.GradientOptions{Depth: 1, MinLeaf: 1, Lambda: estimator.None}))
		c.near("init", m.Start())
		var mse []float64
		losses := must(m.Losses(c.Context(), X, z, nil))
		for _, t := range []int{1, 2, 10, 50, 100} {
			mse = append(mse, 2*losses[t])
		}
		c.near("train_mse_after_1_2_10_50_100", mse)
		c.near("pred_rows_201_205", must(m.Predict(rows.Slice(200, 205, 0, 10))))
	},
	"adaboost-breast-cancer": func(c *check) {
		X, y := set(c, datasets.BreastCancer())
		m, tr := adaboost(c, X, y, 30, nil)
		var eps, loss []float64
		var errors []int
		for _, r := range m.Rounds()[:5] {
			eps = append(eps, r.Error)
		}
		for _, i := range []int{1, 5, 10, 30} {
			loss, errors = append(loss, tr.Loss[i]), append(errors, int(tr.Error[i]*float64(len(y))+0.5))
		}
		c.near("error_first5", eps)
		c.near("loss_at_1_5_10_30", loss)
		c.near("training_errors_at_1_5_10_30", errors)
	},
	"samme-iris-stumps": func(c *check) { compareSamme(c, datasets.Iris(), 1) },
	"samme-wine-trees":  func(c *check) { compareSamme(c, datasets.Wine(), 2) },
	"samme-wine-least-error": func(c *check) {
		X, y := set(c, datasets.Wine())
		m, tr := adaboost(c, X, y, 8, nil)
		var feature []int
		var threshold []float64
		var classes [][]int
		for _, r := range m.Rounds() {
			s := r.Hypothesis.(tree.Stump)
			feature, threshold, classes = append(feature, s.Feature), append(threshold, s.Threshold), append(classes, []int{s.Left, s.Right})
		}
		c.near("feature", feature)
		c.near("threshold", threshold)
		c.near("classes", classes)
		c.near("loss", tr.Loss[1:])
		compareTerms(c, m, X, y)
	},
	"exponential-loss-minimum": func(c *check) {
		X, y := tenPoints()
		y[4] = 1
		H := must(boost.Votes(X, []boost.Hypothesis{tree.Stump{Threshold: 2.5, Left: 1}, tree.Stump{Threshold: 5.5, Left: 1}}))
		alpha, loss, err := boost.Reoptimise(c.Context(), H, y, []float64{0, 0}, 1000)
		if err != nil {
			c.Fatal(err)
		}
		c.near("alpha", alpha)
		c.near("loss", loss)
	},
	"realboost-10pt-round1": func(c *check) {
		X, y := tenPoints()
		fit := func(X *mat.Dense) boost.Term {
			return must(boost.FitReal(c.Context(), X, y, boost.RealOptions{Rounds: 1, Bins: 2, Smooth: 0.05})).Terms()[0]
		}
		first, others := fit(X), c.want("Z_other_splits").(map[string]any)
		for _, cut := range []float64{5.5, 8.5} { // one cut alone is left when the values are 0 and 1
			above := mat.NewDense(10, 1, nil)
			above.Apply(func(i, _ int, _ float64) float64 {
				if X.At(i, 0) > cut {
					return 1
				}
				return 0
			}, above)
			term := fit(above)
			c.compareNumber("Z_other_splits", "the overlap", term.Overlap(), others[strconv.FormatFloat(cut, 'f', 1, 64)].(float64))
		}
		c.near("threshold", first.Cuts[0])
		c.near("Z_unsmoothed", first.Overlap())
		c.near("h_left", first.Heights[0])
		c.near("h_right", first.Heights[1])
		c.near("Z_smoothed", first.Loss)
	},
	"logitboost-linear-is-newton": func(c *check) {
		m := must(boost.FitLogit(c.Context(), mat.NewDense(32, 1, carWeights), manual, boost.LogitOptions{Rounds: 30, Linear: true}))
		two := make([]float64, 2)
		for _, t := range m.Terms() {
			floats.AddScaled(two, 2, t.Heights)
		}
		c.near("two_F_coef", two)
	},
	"majority-21": func(c *check) { c.near("error", boost.MajorityError(21, 0.3)) },
}
