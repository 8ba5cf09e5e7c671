package assess_test

import (
	"math"
	"math/rand/v2"
	"testing"

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
