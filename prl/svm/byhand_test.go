package svm

import (
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/estimator/estimatortest"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/kernel"
)

// The values of this file are worked out by hand.

// 2y = 4 and 3x + y = 5 need a pivot from below; equal rows have no solution.
func TestEliminate(t *testing.T) {
	A := [][]float64{{0, 2, 4}, {3, 1, 5}}
	if !eliminate(A) || A[0][2] != 1 || A[1][2] != 2 {
		t.Errorf("solution %v", A)
	}
	B := [][]float64{{2, 0, 0, 2}, {0, 0, 4, 12}, {0, 8, 0, 16}}
	if !eliminate(B) || B[0][3] != 1 || B[1][3] != 2 || B[2][3] != 3 {
		t.Errorf("solution %v", B)
	}
	for _, singular := range [][][]float64{{{1, 2, 3}, {1, 2, 4}}, {{0, 1}}, {{1, 0, 1}, {5, 0, 2}}} {
		if eliminate(singular) {
			t.Errorf("%v has no solution", singular)
		}
	}
}

// A model that was not fitted, or whose kernel knows no points, has no support vectors to show.
func TestNoSupportVectors(t *testing.T) {
	if m := new(Model).SupportVectors(); m != nil {
		t.Errorf("support vectors %v", m)
	}
	m := fit(t, mat.NewDense(2, 2, []float64{1, -1, -1, 1}), []int{0, 1}, func(o *Options) { o.Kernel = kernel.Precomputed{} })
	if v := m.SupportVectors(); v != nil || len(m.SupportRows()) != 2 {
		t.Errorf("support vectors %v of rows %v", v, m.SupportRows())
	}
}

// The dual variables 2 at a point of class 1 and 1/2 at one of class 0 are 3/2 out of balance, and a machine without a bias need not be in
// balance.
func TestBalanceOfACertificate(t *testing.T) {
	for noBias, want := range map[bool]float64{false: 1.5, true: 0} {
		for _, sign := range []int{1, -1} {
			o := Options{}
			o.Kernel, o.NoBias, o.C = kernel.Linear{}, noBias, 4
			p, _, err := newProblem(mat.NewDense(2, 1, []float64{1, -1}), []int{0, 1}, []int{sign, -sign}, 0, 1, &o, &workspace{})
			if err != nil {
				t.Fatal(err)
			}
			y := float64(sign)
			// w = 5/2 y
			s := &solution{
				beta: []float64{2 * y, -y / 2},
				e:    []float64{y - 2.5*y, -y + 2.5*y},
				room: [2][]float64{make([]float64, 2), make([]float64, 2)},
			}
			c := p.certify(s, LinearSlack, true).Certificate
			near(t, "balance", c.Balance, want, 0)
			near(t, "dual", c.Dual, 2.5-2.5*2.5/2, 1e-15)
		}
	}
}

// One point decides through the origin: 1 of class 1 with alpha = w, while -3 of class 0 is far enough out to have none, and 5 of class 0
// would be wrong by much but has weight 0. With slack, w = alpha = min(1, C), or C/(1 + C) for squares.
func TestLinearCertificateByHand(t *testing.T) {
	X, y := mat.NewDense(3, 1, []float64{1, -3, 5}), []int{1, 0, 0}
	for _, c := range []struct {
		slack            Slack
		C, w, value      float64
		support, bounded int
	}{
		{LinearSlack, 2, 1, 0.5, 1, 0},
		{LinearSlack, 0.5, 0.5, 0.375, 1, 1}, // 1/8 + 1/2 * 1/2 = 1/2 - 1/8
		{QuadraticSlack, 1, 0.5, 0.25, 1, 0}, // 1/8 + 1/2 * 1/4 = 1/2 - 1/8 - 1/8
		{QuadraticSlack, 3, 0.75, 0.375, 1, 0},
	} {
		o := LinearOptions{}
		o.Slack, o.C, o.NoBias, o.Weights, o.Tol = c.slack, c.C, true, []float64{1, 1, 0}, 1e-12
		m, err := FitLinear(t.Context(), X, y, o)
		if err != nil {
			t.Fatal(err)
		}
		got := m.Certificates()[0]
		near(t, "w", m.W[0][0], c.w, 1e-15)
		near(t, "primal", got.Primal, c.value, 1e-15)
		near(t, "dual", got.Dual, c.value, 1e-15)
		near(t, "gap", got.Gap, 0, 1e-15)
		near(t, "violation", got.Violation, 0, 1e-15)
		if got.Support != c.support || got.Bounded != c.bounded {
			t.Errorf("%v, C = %g: %d support vectors, %d at the bound", c.slack, c.C, got.Support, got.Bounded)
		}
	}
}

// The products of 3, 1 and -1 lie between 3 * -1 and 3 * 3, whichever comes first; without a bias the largest square counts. Of the kernel
// -(x x') the least value is the square.
func TestRadiusOfLeaveOneOut(t *testing.T) {
	for _, x := range [][]float64{{3, 1, -1}, {1, 3, -1}, {-1, 1, 3}} {
		X, y := mat.NewDense(3, 1, x), make([]int, 3)
		for i, v := range x {
			if v > 0 {
				y[i] = 1
			}
		}
		for noBias, want := range map[bool]float64{false: 12, true: 9} {
			o := Options{}
			o.Kernel, o.NoBias = kernel.Linear{}, noBias
			r, err := LeaveOneOutErrors(t.Context(), X, y, o, false)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "R^2", r.R2, want, 1e-15)
			near(t, "R^2 |w|^2", r.RadiusW, want*r.FullModel.Norm2(), 1e-12)
		}
		lo, hi, diagonal, _, err := kernelValues(t.Context(), kernel.Func("negative", func(a, b []float64) float64 { return -a[0] * b[0] }), X)
		if lo != -9 || hi != 3 || diagonal != -1 || err != nil {
			t.Errorf("%v: from %v to %v, diagonal to %v, %v", x, lo, hi, diagonal, err)
		}
	}
}

// Stored data whose kernel is none are refused in the name of the model, although everything else fits.
func TestDecodedKernelIsChecked(t *testing.T) {
	X, y := cloud(random(42), 20, 2, 1)
	m := fit(t, X, y, func(o *Options) { o.Kernel, o.Tol = kernel.RBF{Gamma: 1}, 1e-4 })
	for want, k := range map[string]kernel.Kernel{
		"RBF gamma is -1":     kernel.RBF{Gamma: -1},
		"Kernel is nil":       nil,
		"kernel factor is -2": kernel.Scale(-2, kernel.Linear{}),
		"":                    kernel.RBF{Gamma: 2},
	} {
		s := m.state
		s.Kernel, s.SV = k, m.points()
		data, err := estimator.Encode("svm.Model", modelVersion, &s)
		if err != nil {
			t.Fatal(err)
		}
		err = new(Model).UnmarshalBinary(data)
		if want == "" {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		estimatortest.Refused(t, map[string]error{want: err})
		if a := new(fault.ArgumentError); errors.As(err, &a) && a.Func != "svm.Model" {
			t.Errorf("the error names %s", a.Func)
		}
	}
}
