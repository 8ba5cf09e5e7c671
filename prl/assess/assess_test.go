package assess_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/prlab/prlab/prl/assess"
)

func ExampleNewConfusion() {
	c, _ := assess.NewConfusion([]int{0, 0, 1, 1, 1}, []int{0, 1, 1, 1, 0}, nil, 2)
	fmt.Println(c.Counts, c.Accuracy(), c.Recall(1))
	// Output: [[1 1] [1 2]] 0.6 0.6666666666666666
}

func ExampleROC_AUC() {
	r, _ := assess.NewROC([]int{0, 0, 1, 1}, []float64{0.1, 0.4, 0.35, 0.8}, nil)
	fmt.Println(r.FPR, r.TPR, r.AUC())
	// Output: [0 0 0.5 0.5 1] [0 0.5 0.5 1 1] 0.75
}

// The figures are those of scikit-learn 1.9.1 for y = [2 0 2 2 0 1], p = [0 0 2 2 0 2]:
//
//	from sklearn.metrics import *
//	matthews_corrcoef(y, p), balanced_accuracy_score(y, p), f1_score(y, p, average=None), precision_score(y, p, average=None)
func TestConfusionAgainstScikitLearn(t *testing.T) {
	c, err := assess.NewConfusion([]int{2, 0, 2, 2, 0, 1}, []int{0, 0, 2, 2, 0, 2}, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []struct {
		name      string
		got, want float64
	}{
		{"matthews", c.Matthews(), 0.45226701686664544},
		{"balanced accuracy", c.BalancedAccuracy(), 0.5555555555555555},
		{"f1 of 0", c.F1(0), 0.8},
		{"f1 of 1", c.F1(1), 0},
		{"f1 of 2", c.F1(2), 0.6666666666666666},
		{"precision of 0", c.Precision(0), 0.6666666666666666},
		{"accuracy", c.Accuracy(), 0.6666666666666666},
	} {
		if math.Abs(v.got-v.want) > 1e-15 {
			t.Errorf("%s: %v, want %v", v.name, v.got, v.want)
		}
	}
	if !math.IsNaN((assess.Confusion{Counts: [][]float64{{1, 0}, {0, 0}}}).Recall(1)) {
		t.Error("the recall of a class without rows is a number")
	}
}

// The area equals the share of pairs in the right order, ties counted half, and no rising map of the scores changes the curve.
func TestAUCIsMannWhitney(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 40).Draw(t, "n")
		truth, scores, weights := make([]int, n), make([]float64, n), make([]float64, n)
		for i := range n {
			truth[i] = rapid.IntRange(0, 1).Draw(t, "class")
			scores[i] = float64(rapid.IntRange(-5, 5).Draw(t, "score"))
			weights[i] = float64(rapid.IntRange(1, 3).Draw(t, "weight"))
		}
		truth[0], truth[1] = 0, 1
		r, err := assess.NewROC(truth, scores, weights)
		if err != nil {
			t.Fatal(err)
		}
		right, pairs := 0.0, 0.0
		for i := range n {
			for j := range n {
				if truth[i] == 1 && truth[j] == 0 {
					w := weights[i] * weights[j]
					pairs += w
					switch {
					case scores[i] > scores[j]:
						right += w
					case scores[i] == scores[j]:
						right += w / 2
					}
				}
			}
		}
		if got := r.AUC(); math.Abs(got-right/pairs) > 1e-12 {
			t.Fatalf("AUC %v, share of pairs %v", got, right/pairs)
		}
		mapped := make([]float64, n)
		for i, v := range scores {
			mapped[i] = math.Exp(v)
		}
		if m, _ := assess.NewROC(truth, mapped, weights); m.AUC() != r.AUC() {
			t.Fatal("a rising map of the scores changed the area")
		}
	})
}

func TestErrors(t *testing.T) {
	for name, f := range map[string]func() error{
		"lengths":    func() error { _, err := assess.NewConfusion([]int{0, 1}, []int{0}, nil, 0); return err },
		"empty":      func() error { _, err := assess.NewConfusion(nil, nil, nil, 0); return err },
		"class":      func() error { _, err := assess.NewConfusion([]int{0, 2}, []int{0, 1}, nil, 2); return err },
		"negative":   func() error { _, err := assess.NewConfusion([]int{0, -1}, []int{0, 1}, nil, 0); return err },
		"huge class": func() error { _, err := assess.NewConfusion([]int{1 << 40}, []int{0}, nil, 0); return err },
		"weights":    func() error { _, err := assess.NewConfusion([]int{0}, []int{0}, []float64{-1}, 0); return err },
		"score":      func() error { _, err := assess.NewROC([]int{0, 1}, []float64{0, math.NaN()}, nil); return err },
		"one class":  func() error { _, err := assess.NewROC([]int{1, 1}, []float64{0, 1}, nil); return err },
		"three":      func() error { _, err := assess.NewROC([]int{0, 2}, []float64{0, 1}, nil); return err },
		"areas":      func() error { _, err := assess.AreaOfClasses([]int{0, 1}, mat.NewDense(2, 2, nil), nil, 4); return err },
		"area class": func() error { _, err := assess.AreaOfClasses([]int{0, 2}, mat.NewDense(2, 2, nil), nil, 0); return err },
		"area rows":  func() error { _, err := assess.AreaOfClasses([]int{0}, mat.NewDense(2, 2, nil), nil, 0); return err },
		"no class 2": func() error { _, err := assess.AreaOfClasses([]int{0, 1}, mat.NewDense(2, 3, nil), nil, 3); return err },
		"bin weight": func() error { _, err := assess.NewCalibration([]int{0}, []float64{0.5}, []float64{-1}, 2); return err },
		"score weight": func() error {
			_, err := assess.NewROC([]int{0, 1}, []float64{0, 1}, []float64{1, math.Inf(1)})
			return err
		},
	} {
		if f() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
