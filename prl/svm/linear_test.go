package svm

import (
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/sparse"
)

// Coordinate descent and SMO on the same data with a constant feature solve one problem.
func TestLinearAgreesWithSMO(t *testing.T) {
	X, y := cloud(random(20), 60, 3, 1)
	wide := mat.NewDense(60, 4, nil)
	for i := range 60 {
		copy(wide.RawRowView(i), X.RawRowView(i))
		wide.Set(i, 3, 1)
	}
	for _, slack := range []Slack{LinearSlack, QuadraticSlack} {
		o := LinearOptions{}
		o.Slack, o.Tol, o.ClassWeights = slack, 1e-10, []float64{1, 2}
		m, err := FitLinear(t.Context(), X, y, o)
		if err != nil {
			t.Fatal(err)
		}
		want := fit(t, wide, y, func(o *Options) { o.Slack, o.NoBias, o.ClassWeights = slack, true, []float64{1, 2} })
		w, err := want.Weights()
		if err != nil {
			t.Fatal(err)
		}
		for j := range 3 {
			near(t, "w", m.W[0][j], w[0][j], 1e-6)
		}
		near(t, "b", m.B[0], w[0][3], 1e-6)
		c := m.Certificates()[0]
		near(t, "dual", c.Dual, want.Certificate().Dual, 1e-8)
		near(t, "gap", c.Gap, 0, 1e-7)
	}
}

// Two equal rows of different classes pull alike, and no plane is better than none.
func TestLinearContradiction(t *testing.T) {
	X := mat.NewDense(4, 1, []float64{1, 1, 1, 1})
	for _, rows := range []mat.Matrix{X.Slice(0, 2, 0, 1), X, sparse.Of(X)} {
		n, _ := rows.Dims()
		m, err := FitLinear(t.Context(), rows, []int{0, 1, 0, 1}[:n], LinearOptions{C: 100})
		if err != nil {
			t.Fatal(err)
		}
		near(t, "w", m.W[0][0], 0, 1e-12)
		near(t, "dual", m.Certificates()[0].Dual, 100*float64(n), 1e-9)
	}
}

// Far from zero sweeps creep, and the interior-point method comes to the bounds, or ends early and is taken again.
func TestLinearFarFromZero(t *testing.T) {
	for _, c := range []struct {
		slack Slack
		price float64
		d     int
		seed  uint64
	}{{LinearSlack, 1, 10, 0}, {QuadraticSlack, 1e4, 1, 2}} {
		draw := rand.New(rand.NewPCG(c.seed, 6))
		X, y := mat.NewDense(200, c.d, nil), make([]int, 200)
		for i := range y {
			y[i] = i % 2
			for j := range c.d {
				X.Set(i, j, draw.NormFloat64()+float64(y[i])+100)
			}
		}
		m, err := FitLinear(t.Context(), X, y, LinearOptions{Slack: c.slack, C: c.price, Tol: 1e-4, MaxSweeps: 3000})
		if err != nil {
			t.Errorf("%v: %v", c.slack, err)
			continue
		}
		near(t, "gap", m.Certificates()[0].Gap/m.Certificates()[0].Primal, 0, 1e-5)
	}
}

// A fit that was not given enough steps names its function, its unit and ways out that it has.
func TestIterationError(t *testing.T) {
	X, y := cloud(random(21), 60, 3, 0.5)
	few := Options{}
	few.MaxIter = 2
	_, soft := Fit(t.Context(), X, y, few)
	few.NoBias = true
	_, unbiased := Fit(t.Context(), X, y, few)
	apart, sides := cloud(random(22), 60, 3, 8)
	few.NoBias, few.Slack = false, HardMargin
	_, hard := Fit(t.Context(), apart, sides, few)
	sweeps := LinearOptions{}
	sweeps.MaxSweeps, sweeps.Tol = 1, 1e-9
	_, linear := FitLinear(t.Context(), X, y, sweeps)
	for _, c := range []struct {
		err  error
		want []string
	}{
		{soft, []string{"svm.Fit: no convergence after 2 steps", "lower C", "MaxIter"}},
		{unbiased, []string{"svm.Fit: no convergence after 2 steps", "lower C", "MaxIter"}},
		{hard, []string{"svm.Fit: no convergence after 2 steps", "allow slack", "MaxIter"}},
		{linear, []string{"svm.FitLinear: no convergence after 1 sweeps", "lower C", "MaxSweeps"}},
	} {
		for _, want := range c.want {
			if c.err == nil || !strings.Contains(c.err.Error(), want) {
				t.Errorf("error %v does not say %q", c.err, want)
			}
		}
	}
}
