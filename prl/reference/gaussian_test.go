package reference

import (
	"context"
	"errors"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/bayes"
	"github.com/prlab/prlab/prl/estimate"
	"github.com/prlab/prlab/prl/reduce"
)

func TestGaussian(t *testing.T) { run(t, "gaussian") }

var gaussianCases = runners{
	"lda-iris-coef": func(c *check) {
		X, y := set(c, datasets.Iris())
		m := must(bayes.FitLDA(c.Context(), X, y, bayes.Options{}))
		V, s, share, err := m.Coordinates(150)
		if err != nil {
			c.Fatal(err)
		}
		c.nearColumns("scaling", V)
		c.near("svd", s)
		c.near("proportion_of_trace", share)
		c.near("training_errors", len(wrong(must(m.Predict(X)), y)))
		discriminants(c, X, y)
	},
	"qda-iris": func(c *check) {
		X, y := set(c, datasets.Iris())
		m := must(bayes.FitQDA(c.Context(), X, y, bayes.Options{}))
		var logDet []float64
		for k := range 3 {
			logDet = append(logDet, m.Gaussian(k).LogDet())
		}
		c.near("log_det_sigma", logDet)
		proba := must(m.Proba(X))
		c.near("posterior_71_84_134", [][]float64{mat.Row(nil, 70, proba), mat.Row(nil, 83, proba), mat.Row(nil, 133, proba)})
		c.near("resub_errors_rows", wrong(must(m.Predict(X)), y))
		c.near("loo_errors_rows", leaveOneOut(c, X, y, bayes.FitQDA))
	},
	"pima-lda-qda": func(c *check) {
		var trainX, testX *mat.Dense
		var trainY, testY []int
		if !c.debian("r-cran-mass", func() (err error) {
			if trainX, trainY, err = pima("Pima.tr"); err == nil {
				testX, testY, err = pima("Pima.te")
			}
			return err
		}) {
			return
		}
		for name, fit := range map[string]fitter{"lda": bayes.FitLDA, "qda": bayes.FitQDA} {
			p := must(must(fit(c.Context(), trainX, trainY, bayes.Options{})).Predict(testX))
			c.near(name, confusion(testY, p, 2))
			c.near(name+"_error", float64(len(wrong(p, testY)))/float64(len(testY)))
		}
	},
	"nb-wikipedia-sex": func(c *check) {
		X := mat.NewDense(
			8,
			3,
			[]float64{6, 180, 12, 5.92, 190, 11, 5.58, 170, 12, 5.92, 165, 10, 5, 100, 6, 5.5, 150, 8, 5.42, 130, 7, 5.75, 150, 9},
		)
		m := must(bayes.FitGaussianNB(c.Context(), X, []int{0, 0, 0, 0, 1, 1, 1, 1}, bayes.Options{}))
		for k, name := range []string{"var_male", "var_female"} {
			cov := m.Gaussian(k).Cov()
			c.near(name, []float64{cov.At(0, 0), cov.At(1, 1), cov.At(2, 2)})
		}
		joint := m.Law().Joint(6, 130, 8)
		c.near("posterior_numerator_male", joint[0])
		c.near("posterior_numerator_female", joint[1])
	},
	"nb-play-tennis":         func(c *check) { nominal(c, 0) },
	"nb-play-tennis-laplace": func(c *check) { nominal(c, 1) },
	"ledoit-wolf-wine": func(c *check) {
		X, y := set(c, datasets.Wine())
		cov, share, err := estimate.LedoitWolf(X.Slice(0, 20, 0, 13))
		if err != nil {
			c.Fatal(err)
		}
		c.near("share", share)
		c.near("cov_first_row", mat.Row(nil, 0, cov))
		c.near("trace", mat.Trace(cov))
		fourth, labels := mat.NewDense((len(y)+3)/4, 13, nil), make([]int, (len(y)+3)/4)
		for i := range labels {
			fourth.SetRow(i, X.RawRowView(4*i))
			labels[i] = y[4*i]
		}
		o := bayes.Options{ShrinkageAuto: true, Denominator: bayes.MaximumLikelihood}
		lda := must(bayes.FitLDA(c.Context(), fourth, labels, o))
		c.near("lda_pooled_row", mat.Row(nil, 0, lda.Pooled()))
		c.near("lda_proba", must(lda.Proba(X.Slice(1, 4, 0, 13))))
		c.near("qda_log_proba", must(must(bayes.FitQDA(c.Context(), fourth, labels, o)).LogProba(X.Slice(60, 63, 0, 13))))
	},
	"log-proba-iris": func(c *check) {
		X, y := set(c, datasets.Iris())
		at := mat.NewDense(2, 4, []float64{6, 3, 4.8, 1.6, 60, 3, 4.8, 16})
		c.near("gaussian", must(must(bayes.FitGaussianNB(c.Context(), X, y, bayes.Options{Denominator: bayes.MaximumLikelihood})).LogProba(at)))
		X.Scale(10, X)
		at.Scale(1000, at)
		c.near("multinomial", must(must(bayes.FitMultinomialNB(c.Context(), X, y, bayes.CountOptions{})).LogProba(at)))
	},
	"nb-iris": func(c *check) {
		X, y := set(c, datasets.Iris())
		c.near("right", 150-len(wrong(must(must(bayes.FitGaussianNB(c.Context(), X, y, bayes.Options{})).Predict(X)), y)))
	},
	"gauss-dhs-boundary": func(c *check) {
		g0 := must(bayes.NewGaussian([]float64{3, 6}, symmetric([]float64{0.5, 0}, []float64{0, 2})))
		g1 := must(bayes.NewGaussian([]float64{3, -2}, symmetric([]float64{2, 0}, []float64{0, 2})))
		A, b, k, err := bayes.Discriminant(g0, g1, 0.5, 0.5)
		if err != nil {
			c.Fatal(err)
		}
		if a := A.At(1, 1); math.Abs(a) > 1e-12 {
			c.Errorf("A22 = %v, want 0: the boundary is a parabola", a)
		}
		c.near("c", []float64{-k / b[1], -b[0] / b[1], -A.At(0, 0) / b[1]})
		c.near("k_half", must(bayes.ChernoffExponent(g0, g1, 0.5)))
		bound := must(bayes.BhattacharyyaBound(g0, g1, 0.5, 0.5))
		c.near("bhattacharyya_bound", bound)
		if least, beta, err := bayes.ChernoffBound(g0, g1, 0.5, 0.5); err != nil || least > bound || beta < 0.1 || beta > 0.9 {
			c.Error("Chernoff", least, beta, err)
		}
	},
	"bayes-1d-unequal-var": func(c *check) {
		m := must(bayes.NewLaw([]float64{0.5, 0.5}, must(bayes.Normal(0, 1)), must(bayes.Normal(0, 2))))
		r := must(m.Rule(bayes.ZeroOne(2)))
		if !slices.Equal(r.Actions, []int{1, 0, 1}) {
			c.Fatal(r)
		}
		c.near("boundary", r.Cuts[1])
		c.near("boundary", -r.Cuts[0])
		c.near("bayes_error", must(m.BayesError()))
		c.near("bayes_error", must(m.QuadratureRisk(bayes.ZeroOne(2), nil)))
	},
	"bayes-equal-variances": func(c *check) {
		for name, p := range map[string]float64{"equal_priors": 0.5, "prior_7_to_3": 0.7} {
			m := must(bayes.NewLaw([]float64{p, 1 - p}, must(bayes.Normal(0, 1)), must(bayes.Normal(2, 1))))
			r := must(m.Rule(bayes.ZeroOne(2)))
			c.near(name+".threshold", r.Cuts[0])
			c.near(name+".error", must(m.BayesError()))
			c.near(name+".error", must(m.QuadratureRisk(bayes.ZeroOne(2), r.Action)))
		}
	},
	"bayes-three-classes": func(c *check) {
		m := must(bayes.NewLaw([]float64{0.5, 0.3, 0.2}, must(bayes.Normal(0, 1)), must(bayes.Normal(1.5, 0.5)), must(bayes.Normal(4, 2))))
		for name, loss := range map[string]bayes.LossTable{
			"zero_one":   bayes.ZeroOne(3),
			"asymmetric": must(bayes.NewLoss([]float64{0, 5, 2}, []float64{1, 0, 3}, []float64{4, 1, 0})), "reject_fifth": bayes.Reject(3, 0.2),
		} {
			r := must(m.Rule(loss))
			c.near(name+".cuts", r.Cuts)
			c.near(name+".risk", must(m.BayesRisk(loss)))
			c.near(name+".risk", must(m.RiskOf(loss, r)))
			c.near(name+".risk", must(m.QuadratureRisk(loss, nil)))
		}
	},
	"chernoff-line": func(c *check) {
		g0, g1 := must(bayes.Normal(0, 1)), must(bayes.Normal(2, 3))
		bound, beta, err := bayes.ChernoffBound(g0, g1, 0.6, 0.4)
		if err != nil {
			c.Fatal(err)
		}
		c.near("bound", bound)
		c.near("beta", beta)
		c.near("bhattacharyya", must(bayes.BhattacharyyaBound(g0, g1, 0.6, 0.4)))
	},
	"gaussian-hilbert": func(c *check) {
		g := must(bayes.NewGaussian(make([]float64, 6), hilbert(6)))
		one := []float64{1, 1, 1, 1, 1, 1}
		c.near("log_det", g.LogDet())
		c.near("mahalanobis2", g.Mahalanobis2(one...))
		c.near("log_density", g.LogDensity(one...))
	},
	"posterior-tail": func(c *check) {
		m := must(bayes.NewLaw([]float64{0.2, 0.3, 0.5}, must(bayes.Normal(0, 1)), must(bayes.Normal(1, 1)), must(bayes.Normal(-1, 2))))
		for name, x := range map[string]float64{"left": -60, "right": 45} {
			c.near(name+".log_joint", m.LogJoint(x))
			var densities []float64
			for k := range 3 {
				densities = append(densities, m.Class(k).LogDensity(x))
			}
			_, evidence, err := bayes.PosteriorLog(m.Priors(), densities)
			if err != nil {
				c.Fatal(err)
			}
			c.near(name+".log_evidence", evidence)
		}
	},
	"lda-wine": func(c *check) {
		X, y := set(c, datasets.Wine())
		m := must(bayes.FitLDA(c.Context(), X, y, bayes.Options{}))
		_, s, share, err := m.Coordinates(178)
		if err != nil {
			c.Fatal(err)
		}
		c.near("svd", s)
		c.near("proportion_of_trace", share)
		c.near("training_errors", len(wrong(must(m.Predict(X)), y)))
		c.near("loo_errors_rows", leaveOneOut(c, X, y, bayes.FitLDA))
		discriminants(c, X, y)
	},
	"qda-wine": func(c *check) {
		X, y := set(c, datasets.Wine())
		c.near("training_errors", len(wrong(must(must(bayes.FitQDA(c.Context(), X, y, bayes.Options{})).Predict(X)), y)))
		c.near("loo_errors_rows", leaveOneOut(c, X, y, bayes.FitQDA))
	},
	"lda-breast-cancer": func(c *check) {
		X, y := set(c, datasets.BreastCancer())
		c.near("resubstitution", confusion(y, must(must(bayes.FitLDA(c.Context(), X, y, bayes.Options{})).Predict(X)), 2))
		left := append([]int(nil), y...)
		for _, row := range leaveOneOut(c, X, y, bayes.FitLDA) {
			left[row-1] = 1 - y[row-1]
		}
		c.near("leave_one_out", confusion(y, left, 2))
	},
}

// discriminants compares the same figures by the other road, the discriminants of S_B against S_W.
func discriminants(c *check, X *mat.Dense, y []int) {
	m := must(reduce.FitMDA(c.Context(), X, y, reduce.MDAOptions{}))
	if _, ok := c.Expected["scaling"]; ok {
		c.nearColumns("scaling", m.Axes())
	}
	c.near("svd", m.Singular())
	c.near("proportion_of_trace", m.Ratios())
	c.near("training_errors", len(wrong(must(m.Predict(X)), y)))
}

type fitter = func(ctx context.Context, X mat.Matrix, y []int, o bayes.Options) (*bayes.Classifier, error)

// leaveOneOut returns the numbers, from 1, of the rows that the model fitted on all others gets wrong. Weight 0 leaves a row out; the
// priors stay the proportions of all rows, as in R's lda(CV = TRUE).
func leaveOneOut(c *check, X *mat.Dense, y []int, fit fitter) []int {
	out := []int{}
	o := bayes.Options{}
	o.Weights = make([]float64, len(y))
	for i := range o.Weights {
		o.Weights[i] = 1
	}
	for i := range y {
		o.Weights[i] = 0
		if must(fit(c.Context(), X, y, o)).Class(X.RawRowView(i)...) != y[i] {
			out = append(out, i+1)
		}
		o.Weights[i] = 1
	}
	return out
}

// pima reads one of the data frames of R's MASS: seven measurements and the type, No or Yes.
func pima(name string) (*mat.Dense, []int, error) {
	out, err := exec.Command("Rscript", "-e", "write.csv(MASS::"+name+", row.names = FALSE, quote = FALSE)").Output()
	if err != nil {
		return nil, nil, err
	}
	var x []float64
	var y []int
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n")[1:] {
		fields := strings.Split(line, ",")
		for _, s := range fields[:7] {
			v, err := strconv.ParseFloat(s, 64)
			if err != nil {
				return nil, nil, err
			}
			x = append(x, v)
		}
		y = append(y, slices.Index([]string{"No", "Yes"}, fields[7]))
	}
	if want := map[string]int{"Pima.tr": 200, "Pima.te": 332}[name]; len(y) != want {
		return nil, nil, errors.New(name + " has not " + strconv.Itoa(want) + " rows")
	}
	return mat.NewDense(len(y), 7, x), y, nil
}

func nominal(c *check, smoothing float64) {
	names := [][]string{{"sunny", "overcast", "rain"}, {"hot", "mild", "cool"}, {"high", "normal"}, {"weak", "strong"}, {"no", "yes"}}
	var rows [][]int
	var y []int
	for _, r := range playTennis {
		row := make([]int, 5)
		for j, v := range r {
			row[j] = slices.Index(names[j], v)
		}
		rows, y = append(rows, row[:4]), append(y, row[4])
	}
	m := must(bayes.FitNominal(rows, y, smoothing))
	a := must(m.LogJoint(0, 2, 0, 1))
	c.near("score_yes", math.Exp(a[1]))
	c.near("score_no", math.Exp(a[0]))
	c.near("posterior_yes", must(m.Posterior(0, 2, 0, 1))[1])
}

// heartScale reads Debian's copy of the Statlog heart data as LIBSVM scales them; class 1 is +1.
func heartScale(c *check) (X *mat.Dense, y []int, ok bool) {
	const path = "/usr/share/doc/liblinear-tools/examples/heart_scale"
	var s datasets.Set
	if !c.debian("liblinear-tools", func() error {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		s, err = datasets.ReadLIBSVM(f, "heart")
		return err
	}) {
		return nil, nil, false
	}
	if s.N() != 270 || s.D() != 13 {
		c.Fatalf("%s is %d x %d, want 270 x 13", path, s.N(), s.D())
	}
	return s.X, s.Y, true
}
