package linear

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Figures of R 4.2.2: summary, confint, predict, AIC, BIC, logLik, cooks.distance, rstudent, hatvalues and dffits of
// lm(stack.loss ~ ., stackloss), and of the same with weights i mod 3 + 1/2.
func TestStackLossInference(t *testing.T) {
	X, y := split(stackRows, 3)
	m, err := LeastSquares(t.Context(), X, y, Options{})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "coefficients", m.Theta(), []float64{-39.919674420, 0.715640200, 1.295286124, -0.152122519}, 1e-9)
	near(t, "standard errors", m.StandardErrors(), []float64{11.895996851, 0.134858185, 0.368024265, 0.156294043}, 1e-9)
	ts, ps := m.T()
	near(t, "t", ts, []float64{-3.35572, 5.30661, 3.51957, -0.97331}, 2e-6)
	near(t, "p", ps, []float64{0.0037503, 5.799e-05, 0.0026301, 0.3440461}, 1e-7)
	f, p := m.F()
	near(t, "F and others", []float64{f, p * 1e9, m.Sigma(), m.R2(), m.AdjustedR2(), m.AIC(), m.BIC(), m.LogLikelihood()},
		[]float64{59.9022259, 3.01632724, 3.24336392, 0.913576904, 0.89832577, 114.575591005, 119.798203193, -52.2877955024}, 1e-8)
	intervals, err := m.Intervals(0.95)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]float64{
		{-65.018033889469, -14.82131495078},
		{0.431114300224, 1.00016610075},
		{0.518822796496, 2.07174945228},
		{-0.481874126317, 0.17762908802},
	} {
		near(t, "interval", []float64{intervals[i].From, intervals[i].To}, want, 1e-11)
	}
	height, target, err := m.Bands(mat.NewDense(1, 3, []float64{60, 20, 85}), 0.9)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "bands", []float64{height[0].Estimate, height[0].From, height[0].To, target[0].From, target[0].To},
		[]float64{15.9940459691, 14.5754439765, 17.4126479617, 10.1762628289, 21.8118291094}, 1e-11)
	in, err := m.Influence(X, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "Cook", in.Cook[:4], []float64{1.53710372368e-01, 5.96830916089e-02, 1.26414084449e-01, 1.30542041799e-01}, 1e-11)
	near(t, "studentised", in.Studentised[:4], []float64{1.2094746739175, -0.7051385660137, 1.6179041089533, 2.0517974810996}, 1e-12)
	near(t, "leverage", in.Leverage[:4], []float64{0.3015554689363, 0.3178409584427, 0.1746150054188, 0.1285052430812}, 1e-12)
	near(t, "dffits", in.DFFits[19:], []float64{0.13083298384985, -2.10029635289969}, 1e-12)

	w := make([]float64, 21)
	for i := range w {
		w[i] = float64((i+1)%3) + 0.5
	}
	if m, err = LeastSquares(t.Context(), X, y, Options{Rows: Rows{Weights: w}}); err != nil {
		t.Fatal(err)
	}
	near(t, "weighted coefficients", m.Theta(), []float64{-40.581480488259, 0.752144308118, 1.126508782740, -0.127892884290}, 1e-11)
	near(t, "weighted errors", m.StandardErrors(), []float64{8.589102426101, 0.121274242853, 0.331836521509, 0.112187357299}, 1e-11)
	near(t, "weighted sigma", []float64{m.Sigma(), m.LogLikelihood()}, []float64{3.24593124336, -50.1042814309}, 1e-11)
	if in, err = m.Influence(X, y, w); err != nil {
		t.Fatal(err)
	}
	near(t, "weighted Cook", in.Cook[:3], []float64{0.2363719206747, 0.3828544647387, 0.0160580724802}, 1e-11)
	near(t, "weighted standardised", in.Standardised[:3], []float64{1.514161361869, -1.216732730303, 1.014531726398}, 1e-11)
}

// Without a row the fit moves as Influence says.
func TestInfluenceByLeavingOut(t *testing.T) {
	X, y := split(stackRows, 3)
	m, err := LeastSquares(t.Context(), X, y, Options{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := m.Influence(X, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	all, _ := m.Predict(X)
	for i := range y {
		w := make([]float64, len(y))
		for j := range w {
			w[j] = 1
		}
		w[i] = 0
		without, err := LeastSquares(t.Context(), X, y, Options{Rows: Rows{Weights: w}})
		if err != nil {
			t.Fatal(err)
		}
		moved, _ := without.Predict(X)
		sum := 0.0
		for j := range all {
			sum += (all[j] - moved[j]) * (all[j] - moved[j])
		}
		sigma := m.Sigma()
		near(t, "Cook", []float64{in.Cook[i]}, []float64{sum / 4 / sigma / sigma}, 1e-10)
		near(t, "DFFits", []float64{in.DFFits[i]}, []float64{(all[i] - moved[i]) / without.Sigma() / math.Sqrt(in.Leverage[i])}, 1e-9)
	}
}

// A weight counts a row as so many rows; the variance alone knows the difference.
func TestWeightsAreRows(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 1))
	X, y := problem(draw, 20, 3)
	w := make([]float64, 20)
	var rows []float64
	var targets []float64
	for i := range w {
		w[i] = float64(i % 3)
		for range i % 3 {
			rows, targets = append(rows, X.RawRowView(i)...), append(targets, y[i])
		}
	}
	a, err := LeastSquares(t.Context(), X, y, Options{Rows: Rows{Weights: w}})
	if err != nil {
		t.Fatal(err)
	}
	b, err := LeastSquares(t.Context(), mat.NewDense(len(targets), 3, rows), targets, Options{})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "coefficients", a.Theta(), b.Theta(), 1e-11)
	near(t, "RSS", []float64{a.RSS()}, []float64{b.RSS()}, 1e-11)
}

// Columns that depend on columns before them are dropped, as R does; the predictions are those of the shortest solution.
func TestDependentColumns(t *testing.T) {
	draw := rand.New(rand.NewPCG(6, 1))
	X := mat.NewDense(15, 5, nil)
	y := make([]float64, 15)
	for i := range y {
		a, b := draw.NormFloat64(), draw.NormFloat64()*1e3
		X.SetRow(i, []float64{a, 0.1, b, 0.1*a - 0.3*b + 7, a * a})
		y[i] = a + draw.NormFloat64()
	}
	m, err := LeastSquares(t.Context(), X, y, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d := m.Dependent(); len(d) != 2 || d[0] != 1 || d[1] != 3 || m.Rank() != 4 || m.DF() != 11 {
		t.Error("dropped", d, "rank", m.Rank(), "df", m.DF())
	}
	if e := m.StandardErrors(); e[2] == e[2] || e[1] != e[1] || m.Coefficients()[3] != 0 {
		t.Error("standard errors", e)
	}
	short, err := LeastSquares(t.Context(), X, y, Options{MinimumNorm: true})
	if err != nil {
		t.Fatal(err)
	}
	p, _ := m.Predict(X)
	q, _ := short.Predict(X)
	near(t, "predictions", q, p, 1e-9)
	near(t, "RSS", []float64{short.RSS()}, []float64{m.RSS()}, 1e-10)
	if length(short.Coefficients()) >= length(m.Coefficients()) || short.StandardErrors() != nil || short.Covariance() != nil {
		t.Error("not the shortest")
	}
	// By another way: the smallest ridge.
	ridge, err := Ridge(t.Context(), X, y, RidgeOptions{Lambda: 1e-9})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "limit of ridge", short.Coefficients(), ridge.Coefficients(), 1e-6)
	wide, err := LeastSquares(t.Context(), mat.NewDense(2, 4, []float64{1, 2, 3, 4, 5, 6, 7, 9}), []float64{1, 2}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if wide.RSS() > 1e-28 || len(wide.Dependent()) != 3 || wide.DF() != 0 {
		t.Error(wide.RSS(), wide.Dependent())
	}
}

// The covariance is that of the inverse of the normal equations.
func TestCovariance(t *testing.T) {
	X, y := split(stackRows, 3)
	m, err := LeastSquares(t.Context(), X, y, Options{})
	if err != nil {
		t.Fatal(err)
	}
	A := mat.NewDense(21, 4, nil)
	for i := range 21 {
		A.SetRow(i, append([]float64{1}, X.RawRowView(i)...))
	}
	var normal, inverse mat.Dense
	normal.Mul(A.T(), A)
	if err := inverse.Inverse(&normal); err != nil {
		t.Fatal(err)
	}
	c := m.Covariance()
	for i := range 4 {
		for j := range 4 {
			near(t, "covariance", []float64{c.At(i, j)}, []float64{inverse.At(i, j) * m.Sigma() * m.Sigma()}, 1e-9)
		}
	}
}
