package svm

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/kernel"
)

// targets returns a target for each row, of three humps.
func targets(X *mat.Dense, noise func() float64) []float64 {
	n, _ := X.Dims()
	t := make([]float64, n)
	for i := range t {
		t[i] = 5 + 2*X.At(i, 0) + math.Sin(3*X.At(i, 1)) + 0.3*noise()
	}
	return t
}

// The share of margin errors is at most nu, that of support vectors at least; by weight. And the price that a fit finds gives the same
// machine.
func TestNuOfTwoClasses(t *testing.T) {
	r := random(11)
	for trial := range 12 {
		X, y := cloud(r, 40, 3, 1.5)
		var weights []float64
		if trial%2 == 1 {
			for range y {
				weights = append(weights, 0.5+r.Float64())
			}
		}
		o := Options{Kernel: kernel.RBF{Gamma: 0.4}, Nu: 0.1 + 0.7*r.Float64(), Tol: 1e-11, Weights: weights, NoShrink: trial%3 == 0}
		m, err := Fit(t.Context(), X, y, o)
		if err != nil {
			t.Fatal(err)
		}
		a := m.Pairs()[0]
		errorsOf, supports, all, sum := 0.0, 0.0, 0.0, 0.0
		for i, row := range a.Rows {
			w := 1.0
			if weights != nil {
				w = weights[row]
			}
			all += w
			sum += a.Alpha[i]
			near(t, "C of the row", a.Upper[i], m.Price()*w, 1e-12*a.Upper[i])
			if a.Margins[i] < 1-1e-8 {
				errorsOf += w
			}
			if a.Alpha[i] > 0 {
				supports += w
			}
		}
		near(t, "sum of alpha", sum, o.Nu*all*m.Price(), 1e-9*sum)
		if errorsOf > o.Nu*all*(1+1e-9) || supports < o.Nu*all*(1-1e-9) {
			t.Errorf("nu = %g: margin errors %g, support vectors %g", o.Nu, errorsOf/all, supports/all)
		}
		c := m.Certificate()
		near(t, "gap", c.RelativeGap(), 0, 1e-8)
		near(t, "violation", c.Violation, 0, 1e-8)
		o.Nu, o.C = 0, m.Price()
		same, err := Fit(t.Context(), X, y, o)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "b at the price found", same.Bias(), m.Bias(), 1e-7)
		near(t, "dual at the price found", same.Certificate().Dual, c.Dual, 1e-8*c.Dual)
	}
}

// The conditions of Karush, Kuhn and Tucker, written out on residuals of predictions: they alone prove the optimum.
func TestRegressionIsOptimal(t *testing.T) {
	r := random(12)
	kernels := []kernel.Kernel{kernel.Linear{}, kernel.RBF{Gamma: 0.4}, kernel.Poly{Degree: 2, Gamma: 0.5, Coef0: 1}}
	for trial := range 18 {
		X, _ := cloud(r, 45, 2, 1)
		target := targets(X, r.NormFloat64)
		o := RegressionOptions{
			Kernel: kernels[trial%3], C: math.Exp(r.NormFloat64()), Epsilon: 0.3 * r.Float64(), Tol: 1e-11,
			NoShrink: trial%4 == 0,
		}
		if trial%2 == 1 {
			o.Nu = 0.1 + 0.6*r.Float64()
		}
		if trial >= 9 {
			for range target {
				o.Weights = append(o.Weights, float64(r.IntN(3)))
			}
		}
		m, err := FitRegression(t.Context(), X, target, o)
		if err != nil {
			t.Fatal(err)
		}
		f, err := m.Predict(X)
		if err != nil {
			t.Fatal(err)
		}
		beta := make([]float64, len(f))
		for k, row := range m.SupportRows() {
			beta[row] = m.Coefficients()[k]
		}
		sum, absolute, all, outside, supports, linear, cost := 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
		for i, b := range beta {
			price := o.C
			if o.Weights != nil {
				price *= o.Weights[i]
			}
			residual := target[i] - f[i]
			const tol = 1e-7
			switch {
			case price == 0 && b == 0:
			case b == 0 && math.Abs(residual) > m.Epsilon()+tol,
				b != 0 && math.Abs(b) < price && math.Abs(residual-math.Copysign(m.Epsilon(), b)) > tol,
				math.Abs(b) >= price && residual*math.Copysign(1, b) < m.Epsilon()-tol,
				math.Abs(b) > price:
				t.Errorf("trial %d, row %d: beta = %g of %g, residual %g, epsilon %g", trial, i, b, price, residual, m.Epsilon())
			}
			sum, absolute, all = sum+b, absolute+math.Abs(b), all+price
			linear += b*target[i] - m.Epsilon()*math.Abs(b)
			cost += price * max(0, math.Abs(residual)-m.Epsilon())
			if math.Abs(residual) > m.Epsilon()+tol {
				outside += price
			}
			if b != 0 {
				supports += price
			}
		}
		near(t, "sum of beta", sum, 0, 1e-9*(1+absolute))
		c := m.Certificate()
		near(t, "dual", c.Dual, linear-m.Norm2()/2, 1e-7*(1+math.Abs(c.Dual)))
		near(t, "primal", c.Primal, m.Norm2()/2+cost, 1e-7*(1+c.Primal))
		near(t, "gap", c.RelativeGap(), 0, 1e-7)
		if o.Nu > 0 {
			near(t, "sum of |beta|", absolute, o.Nu*all, 1e-8*all)
			if outside > o.Nu*all*(1+1e-9) || supports < o.Nu*all*(1-1e-9) {
				t.Errorf("nu = %g: outside %g, support vectors %g", o.Nu, outside/all, supports/all)
			}
		}
	}
}

// Where the targets lie on a line, the tube of nu closes.
func TestTubeCloses(t *testing.T) {
	X, target := mat.NewDense(9, 1, nil), make([]float64, 9)
	for i := range target {
		X.Set(i, 0, float64(i))
		target[i] = 7 - 3*float64(i)
	}
	for _, c := range []float64{10, 1e12} {
		m, err := FitRegression(t.Context(), X, target, RegressionOptions{Nu: 0.5, C: c, Tol: 1e-10})
		if err != nil {
			t.Fatal(err)
		}
		near(t, "epsilon", m.Epsilon(), 0, 0)
		w, err := m.Weights()
		if err != nil {
			t.Fatal(err)
		}
		near(t, "slope", w[0], -3, 1e-8)
		near(t, "f(100)", m.Value(100), -293, 1e-6)
	}
}

// Of the weight of the rows no more than nu lies outside, and no less belongs to support vectors; the conditions prove the optimum.
func TestOneClassIsOptimal(t *testing.T) {
	r := random(13)
	for trial := range 12 {
		X, _ := cloud(r, 50, 2, 2)
		o := OneClassOptions{Nu: 0.05 + 0.5*r.Float64(), Tol: 1e-11, NoShrink: trial%3 == 0}
		if trial%2 == 1 {
			o.Kernel = kernel.Poly{Degree: 2, Gamma: 0.5, Coef0: 1}
		}
		if trial >= 6 {
			for range 50 {
				o.Weights = append(o.Weights, float64(r.IntN(3)))
			}
		}
		m, err := FitOneClass(t.Context(), X, o)
		if err != nil {
			t.Fatal(err)
		}
		F, err := m.Decision(X)
		if err != nil {
			t.Fatal(err)
		}
		classes, err := m.Predict(X)
		if err != nil {
			t.Fatal(err)
		}
		beta := make([]float64, 50)
		for k, row := range m.SupportRows() {
			beta[row] = m.Coefficients()[k]
		}
		sum, all, outside, supports := 0.0, 0.0, 0.0, 0.0
		scale := math.Abs(m.Bias())
		for i, b := range beta {
			w, f := 1.0, F.At(i, 0)
			if o.Weights != nil {
				w = o.Weights[i]
			}
			if w == 0 {
				continue
			}
			tol := 1e-8 * scale
			if b == 0 && f < -tol || b > 0 && b < w && math.Abs(f) > tol || b >= w && f > tol || b < 0 || b > w {
				t.Errorf("trial %d, row %d: alpha = %g of %g, f = %g", trial, i, b, w, f)
			}
			sum, all = sum+b, all+w
			if classes[i] == Novel {
				outside += w
			}
			if b > 0 {
				supports += w
			}
		}
		near(t, "sum of alpha", sum, o.Nu*all, 1e-10*all)
		if outside > o.Nu*all*(1+1e-12) || supports < o.Nu*all*(1-1e-12) {
			t.Errorf("nu = %g: outside %g, support vectors %g", o.Nu, outside/all, supports/all)
		}
		near(t, "gap", m.Certificate().RelativeGap(), 0, 1e-7)
	}
}

// With the Gaussian kernel the region is the smallest ball in feature space that may leave the same rows out (Tax and Duin 1999): at
// nu = 1 all multipliers are one, and f is a Parzen estimate less a number.
func TestOneClassOfAllRows(t *testing.T) {
	r := random(14)
	X, _ := cloud(r, 20, 2, 1)
	k := kernel.RBF{Gamma: 0.7}
	m, err := FitOneClass(t.Context(), X, OneClassOptions{Kernel: k, Nu: 1})
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		x, z := []float64{r.NormFloat64(), r.NormFloat64()}, []float64{r.NormFloat64(), r.NormFloat64()}
		sum := 0.0
		for i := range 20 {
			sum += k.Eval(X.RawRowView(i), x) - k.Eval(X.RawRowView(i), z)
		}
		near(t, "difference of f", m.Value(x...)-m.Value(z...), sum, 1e-12)
	}
}

func TestNuRefusals(t *testing.T) {
	r := random(15)
	X, _ := cloud(r, 30, 2, 1)
	y := make([]int, 30)
	for i := range 6 {
		y[i] = 1
	}
	for name, c := range map[string]struct {
		o    Options
		says string
	}{
		"infeasible": {Options{Nu: 0.5}, "at most 0.4,"},
		"no margin":  {Options{Nu: 0.05}, "meet"},
		"above one":  {Options{Nu: 1.5}, "at most 1"},
		"hard":       {Options{Nu: 0.3, Slack: HardMargin}, "linear with Nu"},
		"no bias":    {Options{Nu: 0.3, NoBias: true}, "false with Nu"},
		"trace":      {Options{Nu: 0.3, Trace: func(Step) {}}, "nil"},
	} {
		m, err := Fit(t.Context(), X, y, c.o)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, %v", name, m, err)
		}
	}
	if m, err := Fit(t.Context(), X, y, Options{Nu: 0.4, Kernel: kernel.RBF{Gamma: 1}}); err != nil {
		t.Errorf("the largest share: %v, %v", m, err)
	}
	if m, err := Fit(t.Context(), X, y, Options{Nu: 0.9, Kernel: kernel.RBF{Gamma: 1}, Balanced: true}); err != nil {
		t.Errorf("balanced: %v, %v", m, err)
	}
	if _, err := FitPath(t.Context(), X, y, []float64{1}, Options{Nu: 0.3}); err == nil {
		t.Error("a path of prices took Nu")
	}
	if _, err := LeaveOneOutErrors(t.Context(), X, y, Options{Nu: 0.3}, false); err == nil {
		t.Error("leave-one-out took Nu")
	}
	target := targets(X, r.NormFloat64)
	for _, o := range []RegressionOptions{
		{C: -1},
		{Epsilon: -0.5},
		{Nu: 2},
		{Tol: 3},
		{MaxIter: -1},
		{Weights: make([]float64, 30)},
		{Kernel: kernel.RBF{}},
	} {
		if m, err := FitRegression(t.Context(), X, target, o); err == nil {
			t.Errorf("%+v gave %v", o, m)
		}
	}
	var late *IterationError
	if _, err := FitRegression(t.Context(), X, target, RegressionOptions{MaxIter: 2}); !errors.As(err, &late) || late.Regressor == nil ||
		late.Func != "svm.FitRegression" {
		t.Errorf("two steps: %v", err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := FitOneClass(stopped, X, OneClassOptions{}); !errors.Is(err, context.Canceled) ||
		!strings.HasPrefix(err.Error(), "svm.FitOneClass") {
		t.Errorf("stopped: %v", err)
	}
	if m, err := FitRegression(t.Context(), X, target, RegressionOptions{Epsilon: estimator.None}); err != nil || m.Epsilon() != 0 {
		t.Errorf("no tube: %v, %v", m, err)
	}
}

// A model of more than two classes finds a price for each pair, and keeps them in storage; probabilities go with it.
func TestNuOfThreeClasses(t *testing.T) {
	r := random(16)
	X, y := cloud(r, 60, 2, 2)
	for i := range 20 {
		X.Set(i, 0, X.At(i, 0)+5)
		y[i] = 2
	}
	m, err := Fit(t.Context(), X, y, Options{Kernel: kernel.RBF{Gamma: 0.5}, Nu: 0.3, Probability: true})
	if err != nil {
		t.Fatal(err)
	}
	data, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var read Model
	if err := read.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	for i, a := range m.Pairs() {
		upper, most := read.Pairs()[i].Upper, 0.0
		for k, u := range a.Upper {
			near(t, "C", upper[k], u, 0)
			most = max(most, a.Alpha[k]/u)
		}
		near(t, "largest multiplier by its price", most, 1, 0)
	}
	if P, err := read.Proba(X); err != nil || !(mat.Sum(P) > 59.999999 && mat.Sum(P) < 60.000001) {
		t.Errorf("probabilities: %v", err)
	}
}

// A fit with Nu that ends early hands over the machine reached, and does not advise to lower a C that it does not have.
func TestNuAdvice(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	X, y := mat.NewDense(80, 2, nil), make([]int, 80)
	for i := range y {
		y[i] = i % 2
		X.SetRow(i, []float64{random.NormFloat64() + 0.3*float64(y[i]), random.NormFloat64()})
	}
	var late *IterationError
	_, err := Fit(context.Background(), X, y, Options{Kernel: kernel.RBF{Gamma: 0.5}, Nu: 0.4, MaxIter: 20})
	if !errors.As(err, &late) || late.Model == nil || strings.Contains(err.Error(), "lower C") || !strings.Contains(err.Error(), "raise Nu") {
		t.Errorf("error %v", err)
	}
}

// Where the classes cannot be told apart the reduced hulls nearly meet. A fit says so early, and hands over the machine reached.
func TestNuOfClassesThatOverlap(t *testing.T) {
	for _, seed := range []uint64{1, 3, 8, 11} {
		r := rand.New(rand.NewPCG(seed, 2))
		n, d := 60+r.IntN(60), 2+r.IntN(4)
		X, y, ones := mat.NewDense(n, d, nil), make([]int, n), 0
		for i := range n {
			for j := range d {
				X.Set(i, j, r.NormFloat64())
			}
			y[i] = r.IntN(2)
			ones += y[i]
		}
		nu := 0.4 * 2 * float64(min(ones, n-ones)) / float64(n)
		var late *IterationError
		_, err := Fit(t.Context(), X, y, Options{Nu: nu, Kernel: kernel.RBF{Gamma: 1 / float64(d)}})
		if !errors.As(err, &late) || late.Model == nil || late.Iterations > 200_000 || !strings.Contains(err.Error(), "raise Nu") {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}
