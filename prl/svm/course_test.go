package svm

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Figures of the course notes, by the ids of the catalogue.
func TestCourseFigures(t *testing.T) {
	and, andTrue := mat.NewDense(4, 2, []float64{0, 0, 0, 1, 1, 0, 1, 1}), []int{0, 0, 0, 1}
	for _, c := range [][2]float64{{1, 0.125}, {4, 0.5}, {8, 1}, {16, 2}, {17, 2}, {100, 2}} { // EC-7-11: the price of one slack is C/n
		m := fit(t, and, andTrue, func(o *Options) { o.C = c[0] / 4 })
		w, err := m.Weights()
		if err != nil {
			t.Fatal(err)
		}
		near(t, "EC-7-11 w1", w[0][0], c[1], 1e-8)
		near(t, "EC-7-11 w2", w[0][1], c[1], 1e-8)
	}

	// CS-5.3-07: all margins are 1, yet one multiplier vanishes.
	m := fit(t, mat.NewDense(3, 2, []float64{1, 0, 1, 1, -1, 0}), []int{1, 1, 0}, hard)
	for i, a := range []float64{0.5, 0, 0.5} {
		near(t, "CS-5.3-07 alpha", m.Alpha()[i], a, 1e-8)
		near(t, "CS-5.3-07 margin", m.Pairs()[0].Margins[i], 1, 1e-8)
	}

	// CS-5.3-14: points 2, 3 (+) and -1, -4 (-) on a line.
	m = fit(t, mat.NewDense(4, 1, []float64{2, 3, -1, -4}), []int{1, 1, 0, 0}, hard)
	near(t, "CS-5.3-14 b", m.Bias(), -1./3, 1e-9)
	near(t, "CS-5.3-13 Q", m.Certificate().Dual, 2./9, 1e-9)

	// LN-11-07: with R = max |x| in place of the range of the kernel the lemma would deny an error that happens.
	r, err := LeaveOneOutErrors(t.Context(), mat.NewDense(3, 2, []float64{2, 4, -2, 4, 1, -4}), []int{1, 0, 0}, with(hard), false)
	if err != nil {
		t.Fatal(err)
	}
	alpha := r.FullModel.Alpha()
	for i, a := range []float64{0.142578, 0.119141, 0.0234375} {
		near(t, "LN-11-07 alpha", alpha[i], a, 1e-6)
	}
	near(t, "LN-11-07 score with R^2 = 20", 2*20*alpha[2], 0.9375, 1e-6)
	if !r.Wrong[2] || !r.Suspect[2] {
		t.Errorf("LN-11-07: wrong %v, suspect %v, want both", r.Wrong[2], r.Suspect[2])
	}

	// LN-12-02: equality in #errors <= #SV; the two positive points are written as one of each class, x and -x.
	r, err = LeaveOneOutErrors(
		t.Context(),
		mat.NewDense(2, 2, []float64{1, -0.1, 0.1, -1}),
		[]int{1, 0},
		with(func(o *Options) { o.Slack, o.NoBias = HardMargin, true }),
		false,
	)
	if err != nil {
		t.Fatal(err)
	}
	if r.Errors != 2 || r.Support != 2 {
		t.Errorf("LN-12-02: %d errors, %d support vectors, want 2 and 2", r.Errors, r.Support)
	}
	near(t, "two points", func() float64 { a, _, _ := TwoPoints([]float64{1, 2}, []float64{3, 5}); return a }(), 2./13, 1e-15)
	if a, _, b := TwoPoints([]float64{1}, []float64{1}); !math.IsInf(a, 1) || !math.IsNaN(b) {
		t.Errorf("points that coincide: %g, %g", a, b)
	}
}
