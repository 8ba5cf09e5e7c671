package svm

import (
	"testing"

	"gonum.org/v1/gonum/mat"
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
		o := DefaultLinear()
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
		c := m.Certificates[0]
		near(t, "dual", c.Dual, want.Certificate().Dual, 1e-8)
		near(t, "gap", c.Gap, 0, 1e-7)
	}
}
