package assess_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/prlab/prlab/prl/assess"
)

// TestFriedman holds figures of scipy 1.17: friedmanchisquare, f.sf and, for the critical differences of ten sets, studentized_range.ppf
// with infinite degrees of freedom.
func TestFriedman(t *testing.T) {
	f, err := assess.Friedman([][]float64{
		{.9, .8, .7}, {.6, .65, .5}, {.7, .7, .6}, {.8, .82, .75}, {.9, .85, .85}, {.55, .5, .52},
	})
	if err != nil {
		t.Fatal(err)
	}
	for j, want := range []float64{1.4166666666666667, 1.8333333333333333, 2.75} {
		close(t, "rank", f.Ranks[j], want, 1e-12)
	}
	close(t, "chi-square", f.ChiSquare, 6.090909090909086, 1e-12)
	close(t, "its p-value", f.ChiSquareP, 0.04757468221649284, 1e-12)
	close(t, "F", f.F, 5.153846153846146, 1e-12)
	close(t, "its p-value", f.FP, 0.028953237124169598, 1e-12)
	for k, want := range map[int][3]float64{
		2:  {0.8145487463019752, 0.6197950323045613, 0.5201483878755574},
		3:  {1.3029542782908978, 1.048134766009648, 0.9178132110238891},
		5:  {2.3014105211007854, 1.9288277551893116, 1.7391402753515341},
		10: {4.9371020955938265, 4.283647813349612, 3.9535481789879805},
	} {
		scores := make([][]float64, 10)
		for i := range scores {
			scores[i] = make([]float64, k)
		}
		f, err := assess.Friedman(scores)
		if err != nil || f.ChiSquareP != 1 || f.FP != 1 {
			t.Errorf("equal scores: %v, %v", f, err)
		}
		for i, alpha := range []float64{0.01, 0.05, 0.1} {
			cd, err := f.CriticalDifference(alpha)
			if err != nil {
				t.Fatal(err)
			}
			close(t, "critical difference", cd, want[i], 1e-9)
		}
	}
	agree, _ := assess.Friedman([][]float64{{1, 2}, {3, 4}, {0, 1}})
	if !math.IsInf(agree.F, 1) || agree.FP != 0 {
		t.Errorf("all sets agree: %v", agree)
	}
	for _, bad := range [][][]float64{nil, {{1, 2}}, {{1}, {2}}, {{1, 2}, {1}}, {{1, 2}, {1, math.NaN()}}} {
		if _, err := assess.Friedman(bad); err == nil {
			t.Errorf("%v was taken", bad)
		}
	}
}

// TestAdjusted compares Holm with its closed test, which rejects what every Bonferroni test of a set of hypotheses with it rejects, and
// Benjamini and Hochberg with the step-up rule.
func TestAdjusted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOfN(rapid.Float64Range(0, 1), 1, 7).Draw(t, "p")
		if rapid.Bool().Draw(t, "tie") {
			p = append(p, p[0])
		}
		holm, err := assess.Holm(p)
		if err != nil {
			t.Fatal(err)
		}
		bh, _ := assess.BenjaminiHochberg(p)
		m := len(p)
		for i := range p {
			closed, least := 0.0, 1.0
			for mask := range 1 << m {
				if mask>>i&1 == 0 {
					continue
				}
				size, low := 0.0, 1.0
				for j := range p {
					if mask>>j&1 == 1 {
						size, low = size+1, min(low, p[j])
					}
				}
				closed = max(closed, min(1, size*low))
			}
			for _, v := range p { // the cut at v rejects i if p[i] <= v
				count := 0.0
				for _, w := range p {
					if w <= v {
						count++
					}
				}
				if p[i] <= v {
					least = min(least, v*float64(m)/count)
				}
			}
			if math.Abs(holm[i]-closed) > 1e-12 || math.Abs(bh[i]-least) > 1e-12 {
				t.Fatalf("%v: %v, %v", p, holm, bh)
			}
		}
	})
	if _, err := assess.Holm([]float64{0.1, math.NaN()}); err == nil {
		t.Error("NaN is no p-value")
	}
	if _, err := assess.BenjaminiHochberg(nil); err == nil {
		t.Error("no p-values")
	}
}

// TestSpiegelhalter holds a figure of numpy, and the size of the test among probabilities that are right.
func TestSpiegelhalter(t *testing.T) {
	z, p, err := assess.Spiegelhalter([]int{0, 1, 1, 0, 1, 0, 0, 1}, []float64{.1, .8, .6, .3, .9, .4, .2, .35})
	if err != nil {
		t.Fatal(err)
	}
	close(t, "z", z, -0.880110532884747, 1e-12)
	close(t, "p", p, 0.3787994337132692, 1e-12)
	r, rejected, bold := rand.New(rand.NewPCG(19, 86)), 0.0, 0.0
	const times = 2000
	for range times {
		truth, right, far := make([]int, 200), make([]float64, 200), make([]float64, 200)
		for i := range truth {
			right[i] = r.Float64()
			far[i] = min(1, max(0, 1.4*(right[i]-0.5)+0.5)) // too sure
			if far[i] == 0 || far[i] == 1 {
				far[i] = 0.001 + 0.998*far[i]
			}
			if r.Float64() < right[i] {
				truth[i] = 1
			}
		}
		if _, p, _ := assess.Spiegelhalter(truth, right); p <= 0.05 {
			rejected++
		}
		if _, p, _ := assess.Spiegelhalter(truth, far); p <= 0.05 {
			bold++
		}
	}
	close(t, "size", rejected/times, 0.05, 4*math.Sqrt(0.05*0.95/times))
	if bold/times < 0.9 {
		t.Errorf("probabilities that are too sure are found in %v of the tests", bold/times)
	}
	if z, p, _ := assess.Spiegelhalter([]int{1}, []float64{0}); !math.IsInf(z, 1) || p != 0 {
		t.Errorf("the impossible: %v, %v", z, p)
	}
	if z, p, _ := assess.Spiegelhalter([]int{1, 0}, []float64{1, 0.5}); z != 0 || p != 1 {
		t.Errorf("no spread: %v, %v", z, p)
	}
	if _, _, err := assess.Spiegelhalter([]int{2}, []float64{0.5}); err == nil {
		t.Error("class 2")
	}
}

// TestParts checks that the parts add up: for squares always, for two classes by Domingos's formula.
func TestParts(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1992))
	fits, truth := make([][]float64, 30), []float64{1, -2, 0.5}
	predicted, class := make([][]int, 31), []int{0, 1, 1, 0}
	for j := range fits {
		fits[j] = []float64{r.NormFloat64(), r.NormFloat64() - 2, 3 * r.NormFloat64()}
	}
	for j := range predicted {
		predicted[j] = []int{r.IntN(2), r.IntN(2), r.IntN(2), 0}
	}
	d, err := assess.SquaredParts(fits, truth)
	if err != nil {
		t.Fatal(err)
	}
	close(t, "sum", d.Bias+d.Variance, d.Loss, 1e-12)
	z, err := assess.ZeroOneParts(predicted, class)
	if err != nil {
		t.Fatal(err)
	}
	loss, bias, variance := 0.0, 0.0, 0.0
	for i, c := range class {
		ones := 0.0
		for _, p := range predicted {
			ones += float64(p[i]) / 31
		}
		main, v := 0, ones
		if ones > 0.5 {
			main, v = 1, 1-ones
		}
		variance += v / 4
		if main != c {
			bias, loss = bias+0.25, loss+(1-v)/4
		} else {
			loss += v / 4
		}
	}
	close(t, "bias", z.Bias, bias, 1e-12)
	close(t, "variance", z.Variance, variance, 1e-12)
	close(t, "loss", z.Loss, loss, 1e-12)
	if _, err := assess.SquaredParts(fits, truth[:2]); err == nil {
		t.Error("fits of another length")
	}
	if _, err := assess.ZeroOneParts(nil, class); err == nil {
		t.Error("no predictions")
	}
}

// TestWald holds the interval of 9 errors in 40 and its ends at 0.
func TestWald(t *testing.T) {
	i, err := assess.Wald(9, 40, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	close(t, "lo", i.Lo*40, 9-1.959963984540054*math.Sqrt(6.975), 1e-12)
	close(t, "hi", i.Hi*40, 9+1.959963984540054*math.Sqrt(6.975), 1e-12)
	if i, _ := assess.Wald(0, 40, 0.95); i.Lo != 0 || i.Hi != 0 {
		t.Errorf("no errors: %v", i)
	}
	if _, err := assess.Wald(41, 40, 0.95); err == nil {
		t.Error("41 of 40")
	}
}
