package svm

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/kernel"
)

func says(t *testing.T, err error, words string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), words) {
		t.Errorf("error %v, want one that says %q", err, words)
	}
}

// The kernel values between two sets of points, passed in place of the Gram matrix, are refused; rounding errors of a product are not.
func TestAsymmetricGramIsRefused(t *testing.T) {
	o := with(func(o *Options) { o.Kernel = kernel.Precomputed{} })
	_, err := Fit(t.Context(), mat.NewDense(2, 2, []float64{1, 2, 3, 1}), []int{0, 1}, o)
	says(t, err, "K[1, 0] is 3 where K[0, 1] is 2")
	_, err = Separable(t.Context(), mat.NewDense(2, 2, []float64{1, 2, 3, 1}), []int{0, 1}, kernel.Precomputed{}, false)
	says(t, err, "svm.Separable: K[1, 0]")
	if _, err = Fit(t.Context(), mat.NewDense(2, 2, []float64{1e6, 1, 1 + 1e-9, 1e6}), []int{0, 1}, o); err != nil {
		t.Error(err)
	}
}

// With quadratic slack an indefinite matrix has an unbounded dual; its numbers are finite.
func TestIndefiniteGramIsNamed(t *testing.T) {
	K := mat.NewDense(4, 4, []float64{0, 0, 5, 1, 0, 0, 1, 5, 5, 1, 0, 0, 1, 5, 0, 0})
	for _, noBias := range []bool{false, true} {
		_, err := Fit(t.Context(), K, []int{0, 0, 1, 1}, with(func(o *Options) {
			o.Kernel, o.Slack, o.C, o.NoBias, o.MaxIter = kernel.Precomputed{}, QuadraticSlack, 1e6, noBias, 1000
		}))
		says(t, err, "not positive semi-definite")
	}
	// This dual grows by a tenth with each step: it passes what a kernel's can reach long before a number overflows.
	slowly := mat.NewDense(2, 2, []float64{1, 1.1, 1.1, 1})
	_, err := Fit(t.Context(), slowly, []int{0, 1}, with(func(o *Options) {
		o.Kernel, o.Slack, o.C, o.NoBias, o.MaxIter = kernel.Precomputed{}, QuadraticSlack, 1e6, true, 300
	}))
	says(t, err, "not positive semi-definite")
	_, err = Fit(t.Context(), mat.NewDense(3, 1, []float64{1e200, -1e200, 2e200}), []int{0, 1, 1}, Options{})
	says(t, err, "not finite")
}

// A hard margin on classes that are further apart than rounding errors, yet not by 1e-6 of the data's size, is refused with a true
// sentence.
func TestHardMarginSaysHowCloseIsTooClose(t *testing.T) {
	const n = 40
	X, y := mat.NewDense(2*n, 2, nil), make([]int, 2*n)
	sin, cos := math.Sincos(0.3)
	for i := range 2 * n { // two rows of points, 2e-9 apart
		along, across := float64(i/2)/n-0.5, 1e-9*float64(2*(i%2)-1)
		y[i] = i % 2
		X.SetRow(i, []float64{cos*along - sin*across, sin*along + cos*across})
	}
	_, err := Fit(t.Context(), X, y, with(hard))
	says(t, err, "a hyperplane does not separate classes 0 and 1 by more than 1e-6 of the largest feature vector")
}

// The hard margin of data of any size whose squares float64 can hold is that of the same data of size one; below, the fit says so.
func TestHardMarginAtEveryScale(t *testing.T) {
	X, y := cloud(random(3), 40, 2, 6)
	want := fit(t, X, y, hard)
	for _, scale := range []float64{1e-150, 1e-100, 1e-12, 1e-6, 1e6, 1e100, 1e150} {
		var Z mat.Dense
		Z.Scale(scale, X)
		m := fit(t, &Z, y, hard)
		near(t, "margin", m.Margin()/scale, want.Margin(), 1e-6*want.Margin())
		near(t, "b", m.Bias(), want.Bias(), 1e-6)
	}
	var tiny mat.Dense
	tiny.Scale(1e-200, X)
	for _, slack := range []Slack{HardMargin, LinearSlack} {
		_, err := Fit(t.Context(), &tiny, y, with(func(o *Options) { o.Slack = slack }))
		says(t, err, "whose squares vanish")
	}
	var huge mat.Dense
	huge.Scale(1e200, X)
	_, err := FitLinear(t.Context(), &huge, y, LinearOptions{})
	says(t, err, "whose square is not finite")
}

// A fit that had too few steps hands over the machine it has reached; its certificate bounds how far from the optimum that is.
func TestIterationErrorHandsOverTheModel(t *testing.T) {
	X, y := cloud(random(5), 300, 2, 0.7)
	for _, noBias := range []bool{false, true} {
		want := fit(t, X, y, func(o *Options) { o.Kernel, o.C, o.NoBias = kernel.RBF{Gamma: 1}, 10, noBias })
		gap := math.Inf(1)
		for _, steps := range []int{20, 200, 700} {
			_, err := Fit(t.Context(), X, y, with(func(o *Options) {
				o.Kernel, o.C, o.MaxIter, o.NoBias, o.Probability = kernel.RBF{Gamma: 1}, 10, steps, noBias, true
			}))
			var late *IterationError
			if !errors.As(err, &late) || late.Model == nil || late.Linear != nil {
				t.Fatalf("%d steps: %v", steps, err)
			}
			c := late.Model.Certificate()
			if best := want.Certificate().Primal; !(c.Dual <= best+1e-6 && best <= c.Primal+1e-6) || c.Iterations != steps || c.Gap > gap {
				t.Errorf("%d steps: the optimum %v is not between the dual and the primal of %v, or the gap grew", steps, best, c)
			}
			gap = c.Gap
			P, err := late.Model.Proba(X)
			if err != nil || P.At(0, 0)-P.At(0, 0) != 0 {
				t.Error(P, err)
			}
			if data, err := late.Model.MarshalBinary(); err != nil || new(Model).UnmarshalBinary(data) != nil {
				t.Error("the model reached cannot be stored", err)
			}
		}
	}
	// Three classes: all machines are there.
	three := append([]int(nil), y...)
	for i := range 60 {
		three[i] = 2
	}
	_, err := Fit(t.Context(), X, three, with(func(o *Options) { o.C, o.MaxIter = 10, 5 }))
	var late *IterationError
	if !errors.As(err, &late) || len(late.Model.Pairs()) != 3 {
		t.Fatal(err)
	}
	// Unscaled and far columns.
	far := mat.NewDense(300, 2, nil)
	far.Apply(func(i, j int, v float64) float64 { return 1e3 + v }, X)
	o := LinearOptions{}
	o.MaxSweeps = 5
	_, err = FitLinear(t.Context(), far, three, o)
	if !errors.As(err, &late) || late.Linear == nil || len(late.Linear.Weights()) != 3 {
		t.Fatal(err)
	}
	for _, c := range late.Linear.Certificates() {
		if !(c.Gap >= 0) || math.IsInf(c.Primal, 0) {
			t.Error(c)
		}
	}
	if _, err := late.Linear.Predict(far); err != nil {
		t.Error(err)
	}
}

// A linear model is open: f(x) = <w, x> + b, and the primal objective is that of its weights.
func TestLinearModelIsOpen(t *testing.T) {
	X, y := cloud(random(6), 80, 3, 1)
	m, err := FitLinear(t.Context(), X, y, LinearOptions{})
	if err != nil {
		t.Fatal(err)
	}
	w, b := m.Weights()[0], m.Bias()[0]
	F, err := m.Decision(X)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 80 {
		near(t, "f", F.At(i, 0), floats.Dot(w, X.RawRowView(i))+b, 1e-12)
	}
	primal, err := HingePrimal(X, y, w, b, 1, LinearSlack)
	if err != nil {
		t.Fatal(err)
	}
	c := m.Certificates()[0]
	near(t, "primal", c.Primal, primal+b*b/2, 1e-9)
	if c.Iterations < 1 || c.Gap < -1e-9 {
		t.Error(c)
	}
	m.Weights()[0][0], m.Bias()[0] = 99, 99
	if m.Weights()[0][0] == 99 || m.Bias()[0] == 99 {
		t.Error("the model can be changed from outside")
	}
}

// Five points at +1 and five at -1 with C = 0.05: no support vector is free, so b may lie anywhere in an interval, and leaving out any row
// moves it to the other side. The lemma would call none of them suspect.
func TestLeaveOneOutWithoutFreeSupportVector(t *testing.T) {
	X, y := mat.NewDense(10, 1, nil), make([]int, 10)
	for i := range 10 {
		y[i] = i % 2
		X.Set(i, 0, float64(2*y[i]-1))
	}
	for _, c := range []struct {
		C          float64
		determined bool
		errors     int
	}{{0.05, false, 10}, {0.3, true, 0}} {
		for _, prune := range []bool{false, true} {
			r, err := LeaveOneOutErrors(t.Context(), X, y, with(func(o *Options) { o.C = c.C }), prune)
			if err != nil {
				t.Fatal(err)
			}
			if r.Errors != c.errors || r.Determined != c.determined || r.Suspects < r.Errors {
				t.Errorf("C = %v, prune %v: %d errors, %d suspects, determined %v", c.C, prune, r.Errors, r.Suspects, r.Determined)
			}
		}
	}
}

// Sure pairs make the equations of the coupling singular. Where one class beats all others it has the whole probability.
func TestCoupleSurePairs(t *testing.T) {
	for _, c := range []struct {
		r    [][]float64
		want []float64
	}{
		{[][]float64{{0, 1, 1}, {0, 0, 1}, {0, 0, 0}}, []float64{1, 0, 0}},
		{[][]float64{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}, []float64{0, 0, 1}},
		{[][]float64{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}, []float64{1.0 / 3, 1.0 / 3, 1.0 / 3}},
		{[][]float64{{0, 1, 0.5}, {0, 0, 0}, {0.5, 1, 0}}, []float64{0.5, 0, 0.5}},
		{[][]float64{{0, 1 - 1e-16, 1}, {1e-16, 0, 1}, {0, 0, 0}}, []float64{1, 0, 0}},
		{[][]float64{{0, 1}, {0, 0}}, []float64{1, 0}},
		{[][]float64{{0}}, []float64{1}},
	} {
		got := Couple(c.r)
		for i, p := range got {
			near(t, "p", p, c.want[i], 1e-8)
		}
	}
	if Couple([][]float64{{0, 1}, {0}}) != nil {
		t.Error("a ragged matrix")
	}
}

func TestUnequalLengths(t *testing.T) {
	if A, B := Platt([]float64{1, 2}, []int{1}); !math.IsNaN(A) || !math.IsNaN(B) {
		t.Error(A, B)
	}
	if alpha, w, b := TwoPoints([]float64{1, 2}, []float64{1}); !math.IsNaN(alpha) || w != nil || !math.IsNaN(b) {
		t.Error(alpha, w, b)
	}
}
