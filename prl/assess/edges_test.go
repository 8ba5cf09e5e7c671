package assess_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/assess"
)

// TestWilcoxonTies holds the p-values of tied differences against all choices of signs, and against those that scipy 1.17 gives for its
// exact method (scipy#13689).
func TestWilcoxonTies(t *testing.T) {
	for _, c := range []struct {
		d []float64
		p float64
	}{
		{[]float64{1, 1, 1, 1, 1}, 0.0625},
		{[]float64{2, 2, 2, 2}, 0.125},
		{[]float64{1, 1, 2, 3, 4}, 0.0625},
		{[]float64{1, 1}, 0.5},
		{[]float64{0.1, 0.1, 0.1, 0.1, 0.1, 0.2}, 0.03125},
		{[]float64{0.8 - 0.7, 0.7 - 0.6, 0.6 - 0.5, 0.5 - 0.4, 0.4 - 0.3, 0.3 - 0.2}, 0.03125},
	} {
		if p, err := assess.Wilcoxon(c.d); err != nil || p != c.p {
			t.Errorf("Wilcoxon(%v) = %v, %v, not %v", c.d, p, err, c.p)
		}
	}
	random := rand.New(rand.NewPCG(13689, 1))
	for n := 1; n <= 12; n++ {
		d := make([]float64, n)
		for i := range d {
			d[i] = float64(1+random.IntN(4)) * float64(1-2*random.IntN(2))
		}
		p, err := assess.Wilcoxon(d)
		if want := signs(d); err != nil || math.Abs(p-want) > 1e-15 {
			t.Errorf("Wilcoxon(%v) = %v, %v, not %v", d, p, err, want)
		}
	}
}

// signs returns the share of choices of signs whose rank sum is as far from its mean as that of d.
func signs(d []float64) float64 {
	n := len(d)
	ranks := make([]float64, n)
	for i, v := range d {
		for _, w := range d {
			switch a, b := math.Abs(v), math.Abs(w); {
			case b < a:
				ranks[i]++
			case a == b:
				ranks[i] += 0.5
			}
		}
		ranks[i] += 0.5
	}
	apart := func(positive func(i int) bool) float64 {
		sum := 0.0
		for i, r := range ranks {
			if positive(i) {
				sum += r
			}
		}
		return math.Abs(sum - float64(n*(n+1))/4)
	}
	seen, far := apart(func(i int) bool { return d[i] > 0 }), 0
	for choice := range uint(1) << n {
		if apart(func(i int) bool { return choice>>i&1 == 1 }) >= seen {
			far++
		}
	}
	return float64(far) / float64(int(1)<<n)
}

// TestPermutationRounding says that scores that differ by rounding alone are ties: each order of these classes is as good as the true one.
func TestPermutationRounding(t *testing.T) {
	p, err := assess.Permutation([]int{0, 1, 2}, 50, 1, func(y []int) (float64, error) {
		parts := []float64{0.1, 0.2, 0.3}
		return parts[y[0]] + parts[y[1]] + parts[y[2]], nil
	})
	if err != nil || p != 1 {
		t.Errorf("p = %v, %v, not 1", p, err)
	}
}

// TestAbsentClass says that a test part in which all rows are right scores 1, whatever classes it lacks.
func TestAbsentClass(t *testing.T) {
	c, err := assess.NewConfusion([]int{0, 0, 0}, []int{0, 0, 0}, nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]float64{
		"macro F1": c.MacroF1(), "macro precision": c.MacroPrecision(), "macro recall": c.MacroRecall(),
		"Matthews": c.Matthews(), "balanced accuracy": c.BalancedAccuracy(),
	} {
		if v != 1 {
			t.Errorf("%s of a perfect part is %v", name, v)
		}
	}
	wrong, err := assess.NewConfusion([]int{0, 0, 0}, []int{1, 1, 1}, nil, 2)
	if err != nil || wrong.MacroF1() != 0 || wrong.Matthews() != -1 {
		t.Errorf("all wrong: macro F1 %v, Matthews %v, %v", wrong.MacroF1(), wrong.Matthews(), err)
	}
	mixed, err := assess.NewConfusion([]int{0, 0, 0, 0}, []int{0, 0, 1, 1}, nil, 3)
	if err != nil || math.Abs(mixed.MacroF1()-1.0/3) > 1e-15 || mixed.Matthews() != 0 { // f1_score(average="macro") of scikit-learn
		t.Errorf("half right: macro F1 %v, Matthews %v, %v", mixed.MacroF1(), mixed.Matthews(), err)
	}
}

// TestLargeWeights compares scores under weights whose sum overflows with those under the same weights in another unit.
func TestLargeWeights(t *testing.T) {
	small, large := []float64{1, 1, 0.5, 1}, []float64{1e308, 1e308, 0.5e308, 1e308}
	truth, p := []int{0, 1, 1, 0}, mat.NewDense(4, 2, []float64{0.5, 0.5, 0.25, 0.75, 0.5, 0.5, 0.75, 0.25})
	for name, f := range map[string]func(w []float64) (float64, error){
		"log loss": func(w []float64) (float64, error) { return assess.LogLoss(truth, p, w) },
		"Brier":    func(w []float64) (float64, error) { return assess.Brier(truth, p, w) },
		"R2": func(w []float64) (float64, error) {
			r, err := assess.NewRegression([]float64{1, 2, 3, 5}, []float64{1, 2.5, 3, 4}, w)
			return r.R2, err
		},
	} {
		a, err := f(small)
		b, err2 := f(large)
		if err != nil || err2 != nil || !(math.Abs(a-b) <= 1e-14) {
			t.Errorf("%s: %v and %v, %v, %v", name, a, b, err, err2)
		}
	}
	for name, w := range map[string][]float64{"overflow": large, "zero": {0, 0, 0, 0}} {
		if c, err := assess.NewConfusion(truth, []int{0, 1, 0, 1}, w, 2); err == nil {
			t.Errorf("%s: a confusion of accuracy %v, nil error", name, c.Accuracy())
		}
		if _, err := assess.NewCalibration(truth, []float64{0.5, 0.75, 0.5, 0.25}, w, 2); err == nil {
			t.Errorf("%s: a calibration, nil error", name)
		}
	}
}

// TestLargeNumbers compares figures without a unit at 1e200 and at 1e-200 with those of numbers of ordinary size.
func TestLargeNumbers(t *testing.T) {
	x, labels := []float64{0, 1, 3, 8, 9, 13}, []int{0, 0, 0, 1, 1, 1}
	figures := func(e int) (out []float64) {
		y := make([]float64, len(x))
		for i, v := range x {
			y[i] = math.Ldexp(v, e)
		}
		X := mat.NewDense(len(y), 1, y)
		s, err := assess.Silhouette(t.Context(), X, labels)
		if err != nil {
			t.Fatal(err)
		}
		ch, err := assess.CalinskiHarabasz(X, labels)
		if err != nil {
			t.Fatal(err)
		}
		db, err := assess.DaviesBouldin(X, labels)
		if err != nil {
			t.Fatal(err)
		}
		f := make([]float64, len(y))
		for i, v := range y {
			f[len(y)-1-i] = v / 2
		}
		r, err := assess.NewRegression(y, f, nil)
		if err != nil {
			t.Fatal(err)
		}
		return append(s, ch, db, r.R2, math.Ldexp(r.MAE, -e))
	}
	want := figures(0)
	for _, e := range []int{660, -660} {
		for i, v := range figures(e) {
			if !(math.Abs(v-want[i]) <= 1e-12*math.Abs(want[i])) {
				t.Errorf("figure %d at 2^%d is %v, not %v", i, e, v, want[i])
			}
		}
	}
}

// TestConstantTarget says that equal numbers, whose mean is not one of them by rounding, are constant.
func TestConstantTarget(t *testing.T) {
	target := []float64{0.1, 0.1, 0.1, 0.1, 0.1, 0.1}
	for _, f := range [][]float64{{0.1, 0.1, 0.1, 0.1, 0.1, 0.1}, {1, 2, 3, 4, 5, 6}} {
		if r, err := assess.NewRegression(target, f, nil); err != nil || !math.IsNaN(r.R2) {
			t.Errorf("R2 of a constant target is %v, %v", r.R2, err)
		}
	}
}

// TestExtremeQuestions asks for confidences and counts at the end of their range, and with scores that are no numbers.
func TestExtremeQuestions(t *testing.T) {
	const all = 1 - 1e-16
	for name, f := range map[string]func(k, n int, confidence float64) (assess.Interval, error){"Wald": assess.Wald, "Wilson": assess.Wilson} {
		i, err := f(3, 10, all)
		wide, _ := f(3, 10, 1-1e-7)
		if err != nil || !(i.Lo <= wide.Lo && i.Hi >= wide.Hi) || math.IsInf(i.Hi, 0) {
			t.Errorf("%s at %v: %v, %v", name, all, i, err)
		}
	}
	if m, err := assess.McNemar(5, math.MaxInt); err != nil || m.Exact != 0 || !(m.ChiSquare > 1e18) {
		t.Errorf("very many discordant rows: %+v, %v", m, err)
	}
	for calls := range 2 { // NaN at the first score, and at a later one
		n := 0
		_, err := assess.Permutation([]int{0, 1, 1}, 10, 1, func([]int) (float64, error) {
			n++
			if n > calls {
				return math.NaN(), nil
			}
			return 1, nil
		})
		if err == nil {
			t.Errorf("a score that is no number was taken after %d calls", calls)
		}
	}
}

// TestLargePartitions compares long lists of labels, and ends with its context.
func TestLargePartitions(t *testing.T) {
	const n = 1_000_000
	a, b := make([]int, n), make([]int, n)
	for i := range n {
		a[i], b[i] = i%6, i/6%6
	}
	p, err := assess.NewPartition(a, b)
	if err != nil {
		t.Fatal(err)
	}
	// Of independent labels the measure is 0 on average; these agree less than chance ones, by half of 25 degrees of freedom of n.
	if v := p.AdjustedMutualInformation() * math.Log(6); math.Abs(v+25.0/2/n) > 1e-7 {
		t.Errorf("parts that know nothing of one another: %g", v)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := assess.Silhouette(ended, mat.NewDense(3, 1, []float64{1, 2, 3}), []int{0, 0, 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
}
