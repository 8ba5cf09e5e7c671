package svm

import (
	"context"
	"slices"
	"testing"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/kernel"
)

// Balanced is ClassWeights of W / (K W_c), times those given, in all fits of the package; leaving one out keeps the prices of all rows.
func TestBalancedMachines(t *testing.T) {
	X, y := rings(40).X, make([]int, 40)
	weights := make([]float64, 40)
	for i := range y {
		weights[i] = float64(1 + i%3)
		if i%4 == 0 {
			y[i] = 1
		}
	}
	factors := estimator.Balanced(y, weights, []float64{1, 2}, 2)
	if slices.Equal(factors, []float64{1, 2}) {
		t.Fatal("the classes weigh alike")
	}
	with := Options{Kernel: kernel.RBF{Gamma: 1}, Weights: weights, ClassWeights: []float64{1, 2}, Balanced: true}
	without := with
	without.ClassWeights, without.Balanced = factors, false
	var bytes [2][]byte
	for i, o := range []Options{with, without} {
		m, err := Fit(context.Background(), X, y, o)
		if err != nil {
			t.Fatal(err)
		}
		if bytes[i], err = m.MarshalBinary(); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(bytes[0], bytes[1]) {
		t.Error("Fit differs")
	}
	a, err1 := LeaveOneOutErrors(context.Background(), X, y, with, false)
	b, err2 := LeaveOneOutErrors(context.Background(), X, y, without, false)
	if err1 != nil || err2 != nil || !slices.Equal(a.Wrong, b.Wrong) || !slices.Equal(a.Score, b.Score) {
		t.Error("LeaveOneOutErrors differs", err1, err2)
	}
	l, err1 := FitLinear(context.Background(), X, y, LinearOptions{Weights: weights, ClassWeights: []float64{1, 2}, Balanced: true})
	m, err2 := FitLinear(context.Background(), X, y, LinearOptions{Weights: weights, ClassWeights: factors})
	if err1 != nil || err2 != nil || !slices.Equal(l.W[0], m.W[0]) || l.B[0] != m.B[0] {
		t.Error("FitLinear differs", err1, err2)
	}
	set := rings(40)
	p, q := PlanSVM().RBF(1).Balanced().Fit(set), PlanSVM().RBF(1).Fit(set)
	if !slices.Equal(p.Alpha(), q.Alpha()) {
		t.Error("classes of one size are weighed")
	}
}
