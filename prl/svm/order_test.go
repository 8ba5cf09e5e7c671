package svm_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/kernel"
	"github.com/prlab/prlab/prl/svm"
)

// TestProbaFollowsDecision fits machines to features that tell nothing (sklearn#31222): P never falls as the decision value rises, whatever
// the folds show.
func TestProbaFollowsDecision(t *testing.T) {
	flat := 0
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 31222))
		n, d, k := []int{10, 20, 40}[seed%3], 30, kernel.Kernel(kernel.RBF{Gamma: 1.0 / 30})
		if seed%2 == 1 {
			d, k = 20, kernel.Linear{}
		}
		X, y := mat.NewDense(n, d, nil), make([]int, n)
		for i := range n {
			y[i] = i % 2
			for j := range d {
				X.Set(i, j, random.NormFloat64())
			}
		}
		o := svm.Options{Kernel: k, C: 1, Probability: true}
		m, err := svm.Fit(context.Background(), X, y, o)
		if err != nil {
			t.Fatal(err)
		}
		P, err := m.Proba(X)
		if err != nil {
			t.Fatal(err)
		}
		f, err := m.PairDecision(X)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			for j := range n {
				if f.At(i, 0) > f.At(j, 0) && P.At(i, 1) < P.At(j, 1) {
					t.Fatalf("seed %d: f %v and %v, P %v and %v", seed, f.At(i, 0), f.At(j, 0), P.At(i, 1), P.At(j, 1))
				}
			}
		}
		if said := strings.Contains(m.String(), "shares of the classes"); said != (m.Pairs()[0].PlattA == 0) {
			t.Errorf("seed %d: A = %v, %v", seed, m.Pairs()[0].PlattA, m)
		} else if said {
			flat++
		}
	}
	if flat < 10 {
		t.Errorf("only %d of 60 sets have decisions that tell nothing", flat)
	}
}

// TestPlattBorder compares A and B at A = 0 with the cross-entropy nearby: nothing at A <= 0 is better.
func TestPlattBorder(t *testing.T) {
	f, y := []float64{-2, -1, 0.5, 1, 3}, []int{1, 1, 1, -1, -1}
	A, B := svm.Platt(f, y)
	loss := func(A, B float64) (sum float64) {
		for i, v := range f {
			target := 1.0 / 4
			if y[i] > 0 {
				target = 4.0 / 5
			}
			z := A*v + B
			sum += target*math.Log1p(math.Exp(z)) + (1-target)*math.Log1p(math.Exp(-z))
		}
		return sum
	}
	if A != 0 {
		t.Fatalf("A = %v", A)
	}
	for _, a := range []float64{0, -1e-3, -0.1, -1} {
		for _, b := range []float64{-0.1, -1e-3, 0, 1e-3, 0.1} {
			if loss(a, B+b) < loss(A, B)-1e-15 {
				t.Errorf("loss %v at %v, %v, but %v at %v, %v", loss(a, B+b), a, B+b, loss(A, B), A, B)
			}
		}
	}
}
