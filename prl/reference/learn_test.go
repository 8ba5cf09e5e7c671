package reference

import (
	"fmt"
	"math"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/combin"

	"github.com/prlab/prlab/prl/assess"
	"github.com/prlab/prlab/prl/learn"
)

func TestLearningTheory(t *testing.T) { run(t, "learning-theory") }
func TestEvaluation(t *testing.T)     { run(t, "evaluation") }

var vcBounds = []func(learn.Growth, int, float64) (float64, error){
	learn.VapnikBound,
	learn.RademacherBound,
	learn.ParrondoBound,
	learn.DevroyeBound,
}

func bounds(g learn.Growth, n int, delta float64) (out []float64) {
	for _, b := range vcBounds {
		out = append(out, must(b(g, n, delta)))
	}
	return out
}

var learnCases = runners{
	"hoeffding-lfd": func(c *check) {
		var n []int
		for _, m := range []float64{1, 10, 100} {
			n = append(n, must(learn.FiniteOf(m).UniformSampleSize(0.05, 0.03)))
		}
		c.near("N", n)
	},
	"vc-bounds-lfd-compare": func(c *check) {
		c.near("N10000", bounds(learn.PolynomialGrowth(50), 10000, 0.05))
		c.near("N5", bounds(learn.PolynomialGrowth(50), 5, 0.05))
		c.near("N5_true_growth", bounds(learn.SauerGrowth(50), 5, 0.05))
	},
	"vc-bounds-50-digits": func(c *check) {
		c.near("bounds", bounds(learn.SauerGrowth(10), 5000, 0.01))
		c.near("log_sauer", []float64{learn.SauerGrowth(10)(5000), learn.SauerGrowth(10)(10000)})
	},
	"growth-functions": func(c *check) {
		var vc []int
		for _, s := range []struct {
			name string
			of   func(int) (*learn.Space, error)
		}{{"rays", learn.Rays}, {"intervals", learn.Intervals}, {"two_sided_rays", learn.TwoSidedRays}, {"convex", learn.AllFunctions}} {
			var sizes []int
			for m := 1; m <= 6; m++ {
				sizes = append(sizes, must(s.of(m)).Size())
			}
			c.near(s.name, sizes)
			if s.name != "convex" {
				d, _ := must(s.of(6)).VCDimension()
				vc = append(vc, d)
			}
		}
		c.near("vc", vc)
	},
	"rademacher-exact": func(c *check) {
		c.near("constants", must(must(learn.NewSpace([][]bool{{false, false, false}, {true, true, true}})).Rademacher()))
		c.near("thresholds", must(must(learn.TwoSidedRays(3)).Rademacher()))
		c.near("massart_bound_2", must(learn.Massart(2, 3)))
	},
	"rademacher-intervals": func(c *check) {
		for name, of := range map[string]func(int) (*learn.Space, error){"rays": learn.Rays, "intervals": learn.Intervals} {
			var out []float64
			for m := 1; m <= 8; m++ {
				out = append(out, must(must(of(m)).Rademacher()))
			}
			c.near(name, out)
		}
	},
	"vc-halfplanes": func(c *check) {
		var counts []int
		for _, p := range [][][2]float64{{{0, 0}, {1, 0}, {0, 1}}, {{0, 0}, {1, 0}, {0, 1}, {1, 1}}, {{0, 0}, {1, 0}, {2, 0}}} {
			counts = append(counts, must(learn.HalfPlanes(p)).Size())
		}
		c.near("counts", counts)
	},
	"cover-counts": func(c *check) {
		var points [][2]float64
		var counts []int
		for m := 1; m <= 12; m++ {
			points = append(points, [2]float64{float64(m), float64(m * m)})
			counts = append(counts, must(learn.HalfPlanes(points)).Size())
		}
		c.near("count", counts)
	},
	"tails-50-digits": func(c *check) {
		c.near("log_upper_200_of_2000", must(learn.LogUpperTail(200, 2000, 0.01)))
		c.near("log_lower_3_of_2000", must(learn.LogLowerTail(3, 2000, 0.01)))
		lo, hi, err := learn.ClopperPearson(3, 50, 0.99)
		if err != nil {
			c.Fatal(err)
		}
		c.near("clopper_pearson_3_50_99", []float64{lo, hi})
		c.near("deviation_528", must(learn.DeviationTail(528, 0.5, 0.1, false)))
	},
	"clopper-pearson-corners": func(c *check) {
		var limits [][]float64
		for _, r := range c.rows("limits") {
			lo, hi, err := learn.ClopperPearson(int(r[0]), int(r[1]), r[2])
			if err != nil {
				c.Fatal(err)
			}
			limits = append(limits, []float64{r[0], r[1], r[2], lo, hi})
		}
		c.near("limits", limits)
	},
	"chernoff-exact": func(c *check) {
		c.near("chernoff", must(learn.Chernoff(100, 0.3, 0.15)))
		c.near("hoeffding_one_sided", must(learn.Hoeffding{}.Bound(100, 0.15))/2)
		m, b, err := learn.HoeffdingMGF(0.1, 2)
		if err != nil {
			c.Fatal(err)
		}
		c.near("mgf", m)
		c.near("mgf_bound", b)
	},
	"pac-lecture-numbers": func(c *check) {
		binder := must(learn.NewDomain(
			learn.Attribute{
				Name:   "correct",
				Values: []string{"complete", "partial", "guess"},
			},
			learn.Attribute{Name: "color", Values: []string{"yes", "no"}},
			learn.Attribute{
				Name:   "original",
				Values: []string{"yes", "no"},
			},
			learn.Attribute{Name: "presentation", Values: []string{"clear", "unclear"}},
			learn.Attribute{Name: "binder", Values: []string{"yes", "no"}},
		))
		space := must(binder.Conjunctions())
		c.near("instances", binder.Size())
		c.near("functions", binder.Functions())
		c.near("conjunctions", space.Size())
		c.near("conjunctions", space.Distinct().Size())
		p, covered := must(binder.Pattern("complete", "?", "yes", "?", "?")), 0
		for x := range binder.Size() {
			if binder.Covers(p, x) {
				covered++
			}
		}
		c.near("covered", covered)

		class := learn.Psychic{Students: 173, Miss: 0.5}
		c.near("psychic", []float64{must(learn.Psychic{Students: 1, Miss: 0.5}.One(4)), must(class.Some(4)), must(class.None(4))})
		c.near("bits", must(class.Bits(0.05)))
		c.near("bits_11_12", []float64{must(class.Some(11)), must(class.Some(12))})

		c.near("survival", must(learn.Survival(20, 0.1)))
		power, exponential, err := learn.FiniteOf(325).ConsistentBound(88, 0.1)
		if err != nil {
			c.Fatal(err)
		}
		c.near("consistent_88", []float64{power, exponential})
		c.near(
			"consistent_threshold",
			[]float64{must(learn.FiniteOf(325).ConsistentThreshold(0.1, 0.05)), must(learn.FiniteOf(960).ConsistentThreshold(0.1, 0.05))},
		)
		c.near(
			"consistent_sample_size",
			[]int{must(learn.FiniteOf(325).ConsistentSampleSize(0.1, 0.05)), must(learn.FiniteOf(960).ConsistentSampleSize(0.1, 0.05))},
		)

		h := must(learn.ConjunctionsOf(3, 10))
		c.near("conjunctions_of_3_in_10", math.Round(h.Size()))
		c.near("uniform_threshold", must(h.UniformThreshold(0.1, 0.05)))
		c.near("uniform_sample_size", must(h.UniformSampleSize(0.1, 0.05)))
		c.near("uniform_bound_528_527", []float64{must(h.UniformBound(528, 0.1)), must(h.UniformBound(527, 0.1))})
		c.near("deviation_528", must(h.Deviation(528, 0.05)))
		c.near("tail_528", must(learn.DeviationTail(528, 0.5, 0.1, false)))
		c.near("hoeffding_528", must(learn.Hoeffding{}.Bound(528, 0.1)))
		c.near("independent_400_528", []float64{must(h.IndependentDeviation(400, 0.5, 0.1)), must(h.IndependentDeviation(528, 0.5, 0.1))})
		c.near("ten_errors_in_500", must(learn.LowerTail(10, 500, 0.1)))
	},
}

var evaluationCases = runners{
	"roc-asah-delong": func(c *check) {
		var poor []int
		var scores map[string][]float64
		if !c.debian("r-cran-proc", func() (err error) { poor, scores, err = asah(); return err }) {
			return
		}
		for name, x := range scores {
			i := must(assess.AUC(poor, x, 0.95))
			c.near(name+".auc", i.Estimate)
			c.near(name+".se", (i.Hi-i.Estimate)/1.959963984540054)
			c.near(name+".ci95", []float64{i.Lo, i.Hi})
		}
	},
	"mcnemar-approval": func(c *check) {
		t := must(assess.McNemar(150, 86))
		c.near("chi2_uncorrected", t.ChiSquare)
		c.near("p_uncorrected", t.ChiSquareP)
		c.near("chi2_corrected", t.Corrected)
		c.near("p_corrected", t.CorrectedP)
		c.near("exact_p", t.Exact)
		c.near("mid_p", t.MidP)
	},
	"bootstrap-mouse": func(c *check) {
		var means, errors, ideal, distinct []float64
		for _, x := range [][]float64{{94, 197, 16, 38, 99, 141, 23}, {52, 104, 146, 10, 51, 30, 40, 27, 46}} {
			n := float64(len(x))
			j := must(assess.NewJackknife(len(x), func(rows []int) float64 {
				sum := 0.0
				for _, i := range rows {
					sum += x[i]
				}
				return sum / float64(len(rows))
			}))
			means, errors = append(means, j.Estimate), append(errors, math.Sqrt(j.Variance()))
			ideal = append(ideal, math.Sqrt((n-1)/n*j.Variance()))
			distinct = append(distinct, float64(combin.Binomial(2*len(x)-1, len(x))))
		}
		c.near("mean", means)
		c.near("se", errors)
		c.near("ideal_bootstrap_se", ideal)
		c.near("difference", means[0]-means[1])
		c.near("se_difference", math.Hypot(errors[0], errors[1]))
		c.near("distinct_resamples", distinct)
	},
	"jackknife-variance-bias": func(c *check) {
		x := []float64{1, 2, 4, 7}
		j := must(assess.NewJackknife(4, func(rows []int) float64 {
			sum, squares, n := 0.0, 0.0, float64(len(rows))
			for _, i := range rows {
				sum, squares = sum+x[i], squares+x[i]*x[i]
			}
			return squares/n - sum*sum/n/n
		}))
		c.near("plugin", j.Estimate)
		c.near("jackknife_bias", j.Bias())
		c.near("corrected", j.Corrected())
	},
	"multiple-testing": func(c *check) {
		p := []float64{0.01, 0.02, 0.03, 0.04, 0.05}
		c.near("holm", must(assess.Holm(p)))
		c.near("bh", must(assess.BenjaminiHochberg(p)))
		var bonferroni []float64
		for _, v := range p {
			bonferroni = append(bonferroni, must(learn.UnionBound(slices.Repeat([]float64{v}, len(p))...)))
		}
		c.near("bonf", bonferroni)
	},
	"wilson-9-40": func(c *check) {
		i := must(assess.Wilson(9, 40, 0.95))
		c.near("wilson", []float64{i.Lo, i.Hi})
	},
	"roc-sklearn-doc": func(c *check) {
		r := must(assess.NewROC([]int{0, 0, 1, 1}, []float64{0.1, 0.4, 0.35, 0.8}, nil))
		c.near("auc", r.AUC())
		c.near("average_precision", r.AveragePrecision())
		var points [][]float64
		for i := range r.FPR {
			points = append(points, []float64{r.FPR[i], r.TPR[i]})
		}
		c.near("roc_points", points)
	},
	"confusion-metrics": func(c *check) {
		m := assess.Confusion{Counts: [][]float64{{50, 10}, {5, 35}}}
		for name, v := range map[string]float64{
			"accuracy": m.Accuracy(), "precision": m.Precision(1), "recall": m.Recall(1), "specificity": m.Specificity(1), "f1": m.F1(1),
			"mcc": m.Matthews(), "kappa": m.Kappa(), "balanced_accuracy": m.BalancedAccuracy(),
		} {
			c.near(name, v)
		}
	},
	"clopper-pearson-9-40": func(c *check) {
		lo, hi, err := learn.ClopperPearson(9, 40, 0.95)
		if err != nil {
			c.Fatal(err)
		}
		c.near("clopper_pearson", []float64{lo, hi})
	},
	"clopper-pearson-edges": func(c *check) {
		for name, k := range map[string]int{"k0": 0, "kn": 20} {
			lo, hi, err := learn.ClopperPearson(k, 20, 0.95)
			if err != nil {
				c.Fatal(err)
			}
			c.near(name, []float64{lo, hi})
		}
		_, hi, err := learn.ClopperPearson(0, 100, 0.9) // 5 % above
		if err != nil {
			c.Fatal(err)
		}
		c.near("one_sided_upper_0_of_100", hi)
	},
	"binomial-tail": func(c *check) {
		var tail, hoeffding []float64
		for _, k := range []int{60, 55, 75} {
			tail = append(tail, must(learn.UpperTail(k, 100, 0.5)))
			hoeffding = append(hoeffding, must(learn.Hoeffding{}.Bound(100, float64(k)/100-0.5))/2)
		}
		c.near("tail", tail)
		c.near("hoeffding", hoeffding)
		c.near("two_sided_60", must(learn.DeviationTail(100, 0.5, 0.1, false)))
	},
}

// asah reads the patients of R's pROC: whether the outcome was poor, and three measurements.
func asah() (poor []int, scores map[string][]float64, err error) {
	const columns, form = `c("outcome", "s100b", "ndka", "wfns")`, `row.names = FALSE, quote = FALSE`
	out, err := exec.Command("Rscript", "-e", `data(aSAH, package = "pROC"); write.csv(aSAH[, `+columns+`], `+form+`)`).Output()
	if err != nil {
		return nil, nil, err
	}
	scores = map[string][]float64{}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	for _, line := range lines[1:] {
		fields := strings.Split(line, ",")
		poor = append(poor, slices.Index([]string{"Good", "Poor"}, fields[0]))
		for j, name := range strings.Split(lines[0], ",")[1:] {
			v, err := strconv.ParseFloat(fields[j+1], 64)
			if err != nil {
				return nil, nil, err
			}
			scores[name] = append(scores[name], v)
		}
	}
	if len(poor) != 113 {
		return nil, nil, fmt.Errorf("aSAH has %d patients, not 113", len(poor))
	}
	return poor, scores, nil
}
