package svm

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/fuzztest"
	"github.com/prlab/prlab/prl/kernel"
)

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// cloud returns n points about two means, of which the first n/2 belong to class 0.
func cloud(r *rand.Rand, n, d int, apart float64) (*mat.Dense, []int) {
	X, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		if i >= n/2 {
			y[i] = 1
		}
		for j := range d {
			X.Set(i, j, r.NormFloat64()+apart*float64(y[i]))
		}
	}
	return X, y
}

// SMO and the enumeration of active sets share no code and must agree on the optimum, whatever the slack, the kernel, the prices and the
// bias.
func TestSMOAgreesWithEnumeration(t *testing.T) {
	r := random(2)
	kernels := []kernel.Kernel{kernel.Linear{}, kernel.RBF{Gamma: 0.7}, kernel.Poly{Degree: 2, Gamma: 0.5, Coef0: 1}}
	for trial := range 60 {
		n := 4 + r.IntN(4)
		X, y := cloud(r, n, 2, 1)
		o := Options{}
		o.Tol, o.Kernel, o.C, o.NoBias = 1e-12, kernels[trial%3], math.Exp(r.NormFloat64()), trial%5 == 0
		o.Slack = Slack(trial / 3 % 2)
		o.Weights = make([]float64, n)
		for i := range o.Weights {
			o.Weights[i] = 0.5 + r.Float64()
		}
		m, err := Fit(t.Context(), X, y, o)
		if err != nil {
			t.Fatal(err)
		}
		K, err := kernel.Gram(o.Kernel, X)
		if err != nil {
			t.Fatal(err)
		}
		sign, C := make([]int, n), make([]float64, n)
		for i, c := range y {
			sign[i], C[i] = 2*c-1, o.C*o.Weights[i]
			if o.Slack == QuadraticSlack {
				K.SetSym(i, i, K.At(i, i)+1/C[i])
			}
		}
		if o.Slack == QuadraticSlack {
			C = nil
		}
		alpha, b, err := EnumerateDual(K, sign, C, !o.NoBias)
		if err != nil {
			t.Fatalf("trial %d: %v", trial, err)
		}
		q, err := DualObjective(K, y, alpha)
		if err != nil {
			t.Fatal(err)
		}
		c := m.Certificate()
		near(t, "dual objective", c.Dual, q, 1e-9)
		near(t, "b", m.Bias(), b, 1e-7)
		near(t, "gap", c.Gap, 0, 1e-9*math.Max(1, c.Primal))
		for i, a := range m.Alpha() {
			near(t, "alpha", a, alpha[i], 1e-6)
		}
	}
}

func TestCertificate(t *testing.T) {
	r := random(3)
	for _, slack := range []Slack{LinearSlack, QuadraticSlack, HardMargin} {
		for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.RBF{Gamma: 0.5}, kernel.Poly{Degree: 3, Gamma: 0.5, Coef0: 1}} {
			apart := 1.0
			if slack == HardMargin {
				apart = 5
			}
			X, y := cloud(r, 60, 2, apart)
			for _, tol := range []float64{1e-3, 1e-6, 1e-9} {
				m := fit(t, X, y, func(o *Options) { o.Slack, o.Kernel, o.Tol = slack, k, tol })
				c := m.Certificate()
				if c.Pair > tol || c.Violation > tol {
					t.Errorf("%v, %v: violation %g, pair %g, tolerance %g", slack, k, c.Violation, c.Pair, tol)
				}
				if c.Gap < -1e-9 || c.Gap > 100*tol*math.Max(1, c.Primal) {
					t.Errorf("%v, %v: gap %g at tolerance %g", slack, k, c.Gap, tol)
				}
				if c.Balance > 1e-9 {
					t.Errorf("%v, %v: sum alpha y = %g", slack, k, c.Balance)
				}
				if slack == HardMargin {
					sum := 0.0
					for _, a := range m.Alpha() {
						sum += a
					}
					near(t, "gamma sqrt(sum alpha)", m.Margin()*math.Sqrt(sum), 1, 100*tol)
				}
				if slack == QuadraticSlack { // xi = alpha/C
					for i, xi := range m.Pairs()[0].Slacks() {
						near(t, "xi - alpha/C", xi, m.Pairs()[0].Alpha[i], 2*tol)
					}
				}
			}
		}
	}
}

// The rounded rows of large problems, shrinking and a cache of two rows change the speed, not the result.
func TestShrinkingAndCache(t *testing.T) {
	X, y := cloud(random(4), 600, 3, 0.7)
	settings := func(o *Options) { o.Kernel, o.Tol, o.C = kernel.RBF{Gamma: 0.4}, 1e-8, 3 }
	want := fit(t, X, y, func(o *Options) { settings(o); o.NoShrink = true })
	for name, change := range map[string]func(*Options){
		"shrinking":      func(o *Options) {},
		"two rows":       func(o *Options) { o.CacheBytes = 1 },
		"30 rows":        func(o *Options) { o.CacheBytes = 30 * 600 * 8 },
		"wide tolerance": func(o *Options) { o.Tol = 1e-7 },
	} {
		m := fit(t, X, y, func(o *Options) { settings(o); change(o) })
		near(t, name+": dual", m.Certificate().Dual, want.Certificate().Dual, 1e-8)
		near(t, name+": b", m.Bias(), want.Bias(), 1e-6)
	}
	p, _, err := newProblem(
		X,
		want.Pairs()[0].Rows,
		want.Pairs()[0].Labels,
		0,
		1,
		&Options{Kernel: kernel.RBF{Gamma: 0.4}, C: 3, Tol: 1e-6, MaxIter: 1e6, CacheBytes: 1 << 20},
		&workspace{},
	)
	if err != nil {
		t.Fatal(err)
	}
	p.shrink = true
	s, err := newSolver(p, 4, new(*cache[float32])).run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	near(t, "float32 rows: dual", p.dualOf(s), want.Certificate().Dual, 1e-4)
}

func TestPrecomputedIsDirect(t *testing.T) {
	X, y := cloud(random(5), 50, 2, 1)
	Z, _ := cloud(random(6), 20, 2, 1)
	k := kernel.RBF{Gamma: 0.5}
	direct := fit(t, X, y, func(o *Options) { o.Kernel = k })
	K, err := kernel.Gram(k, X)
	if err != nil {
		t.Fatal(err)
	}
	pre := fit(t, K, y, func(o *Options) { o.Kernel = kernel.Precomputed{} })
	C, err := kernel.Cross(k, Z, X)
	if err != nil {
		t.Fatal(err)
	}
	f, err := direct.Decision(Z)
	if err != nil {
		t.Fatal(err)
	}
	g, err := pre.Decision(C)
	if err != nil {
		t.Fatal(err)
	}
	if !mat.EqualApprox(f, g, 1e-8) {
		t.Error("decision values differ")
	}
}

// The polynomial kernel and a linear machine on its explicit features are one machine.
func TestKernelIsFeatures(t *testing.T) {
	X, y := cloud(random(7), 40, 2, 1.5)
	k := kernel.Poly{Degree: 2, Gamma: 1, Coef0: 1}
	phi, err := kernel.Features(k, 2)
	if err != nil {
		t.Fatal(err)
	}
	P, err := phi.Transform(X)
	if err != nil {
		t.Fatal(err)
	}
	a := fit(t, X, y, func(o *Options) { o.Kernel = k })
	b := fit(t, P, y, nil)
	near(t, "dual", a.Certificate().Dual, b.Certificate().Dual, 1e-8)
	for _, x := range [][]float64{{0, 0}, {1, -2}, {2, 0.5}} {
		near(t, "f", a.Value(x...), b.Value(phi.At(x)...), 1e-6)
	}
}

func TestDuplicatesAreWeights(t *testing.T) {
	X, y := cloud(random(8), 30, 2, 1)
	n := 30
	w := make([]float64, n)
	var rows []float64
	var labels []int
	for i := range n {
		w[i] = float64(i % 3)
		for range i % 3 {
			rows, labels = append(rows, X.RawRowView(i)...), append(labels, y[i])
		}
	}
	for _, slack := range []Slack{LinearSlack, QuadraticSlack} {
		a := fit(t, X, y, func(o *Options) { o.Weights, o.Slack = w, slack })
		b := fit(t, mat.NewDense(len(labels), 2, rows), labels, func(o *Options) { o.Slack = slack })
		near(t, "dual", a.Certificate().Dual, b.Certificate().Dual, 1e-8)
		near(t, "b", a.Bias(), b.Bias(), 1e-6)
	}
	a := fit(t, X, y, func(o *Options) { o.ClassWeights = []float64{1, 3} })
	for i := range w {
		w[i] = []float64{1, 3}[y[i]]
	}
	b := fit(t, X, y, func(o *Options) { o.Weights = w })
	near(t, "class weights as row weights", a.Certificate().Dual, b.Certificate().Dual, 1e-9)
}

// Coordinates far from the origin lose no digits: the points are taken about their mean.
func TestFarFromOrigin(t *testing.T) {
	X, y := cloud(random(9), 40, 2, 1)
	far := mat.NewDense(40, 2, nil)
	far.Apply(func(_, _ int, v float64) float64 { return v + 1e6 }, X)
	for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.RBF{Gamma: 0.5}} {
		a := fit(t, X, y, func(o *Options) { o.Kernel, o.Tol = k, 1e-7 })
		b := fit(t, far, y, func(o *Options) { o.Kernel, o.Tol = k, 1e-7 })
		near(t, k.String(), b.Certificate().Dual, a.Certificate().Dual, 1e-6)
		near(t, "f", b.Value(1e6+0.5, 1e6+0.5), a.Value(0.5, 0.5), 1e-5)
	}
}

func TestTrace(t *testing.T) {
	X, y := cloud(random(10), 40, 2, 1)
	for _, slack := range []Slack{LinearSlack, QuadraticSlack} {
		for _, noBias := range []bool{false, true} {
			var trace Trace
			m := fit(t, X, y, func(o *Options) { o.Slack, o.NoBias, o.Trace = slack, noBias, trace.Add })
			dual := 0.0
			for _, s := range trace.Steps {
				if s.Dual < dual-1e-12 {
					t.Fatalf("%v: dual falls from %g to %g", slack, dual, s.Dual)
				}
				dual = s.Dual
				if s.Primal < m.Certificate().Dual-1e-9 {
					t.Fatalf("%v: primal %g is below the optimum", slack, s.Primal)
				}
			}
			last := trace.Steps[len(trace.Steps)-1]
			near(t, "last gap", last.Primal-last.Dual, 0, 1e-7)
			if m.Certificate().Iterations != len(trace.Steps) {
				t.Errorf("%d steps traced of %d", len(trace.Steps), m.Certificate().Iterations)
			}
		}
	}
	X, y = cloud(random(10), 40, 2, 6)
	var trace Trace
	fit(t, X, y, func(o *Options) { o.Slack, o.Trace = HardMargin, trace.Add })
	last := trace.Steps[len(trace.Steps)-1]
	near(t, "last gap of the hard margin", last.Primal-last.Dual, 0, 1e-7)
}

func TestProbabilities(t *testing.T) {
	r := random(11)
	n := 120
	X, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		y[i] = i % 3
		X.SetRow(i, []float64{r.NormFloat64() + 2*float64(y[i]%2), r.NormFloat64() + 2*float64(y[i]/2)})
	}
	m := fit(t, X, y, func(o *Options) { o.Probability, o.Kernel = true, kernel.RBF{Gamma: 0.5} })
	P, err := m.Proba(X)
	if err != nil {
		t.Fatal(err)
	}
	right := 0
	for i := range n {
		sum, best := 0.0, 0
		for c := range 3 {
			sum += P.At(i, c)
			if P.At(i, c) > P.At(i, best) {
				best = c
			}
		}
		near(t, "sum of probabilities", sum, 1, 1e-12)
		if best == y[i] {
			right++
		}
	}
	if right < 85 {
		t.Errorf("the most probable class is right for %d of %d rows", right, n)
	}
	// Consistent pairwise probabilities r_ij = p_i/(p_i + p_j) give p back.
	p := []float64{0.5, 0.3, 0.2}
	pair := make([][]float64, 3)
	for i := range pair {
		pair[i] = make([]float64, 3)
		for j := range pair {
			if i != j {
				pair[i][j] = p[i] / (p[i] + p[j])
			}
		}
	}
	for c, v := range Couple(pair) {
		near(t, "coupled", v, p[c], 1e-8)
	}
}

func TestLeaveOneOut(t *testing.T) {
	six := mat.NewDense(6, 2, []float64{2, 2, 4, 4, 4, 0, 0, 0, 2, 0, 0, 2})
	r, err := LeaveOneOutErrors(t.Context(), six, []int{1, 1, 1, 0, 0, 0}, with(func(o *Options) { o.Slack = HardMargin }), false)
	if err != nil {
		t.Fatal(err)
	}
	if r.Errors != 2 { // course notes LN 11: 2/6 <= 4/6
		t.Errorf("%d leave-one-out errors, want 2", r.Errors)
	}
	X := mat.NewDense(6, 2, []float64{3, 1, 2, 3, 1, 2, -2, -1, -1, -3, -3, -2})
	r, err = LeaveOneOutErrors(t.Context(), X, []int{1, 1, 1, 0, 0, 0}, with(func(o *Options) { o.Slack, o.NoBias = HardMargin, true }), false)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "R^2/gamma^2", r.RadiusW, 26.0/9, 1e-8) // course notes LN 11-10
	if r.Errors != 0 || r.Suspects != 2 {
		t.Errorf("errors %d, suspects %d, want 0 and 2", r.Errors, r.Suspects)
	}
	C, y := cloud(random(12), 30, 2, 1)
	C.Apply(func(_, _ int, v float64) float64 { return v + 6 }, C)
	for _, noBias := range []bool{false, true} {
		o := with(func(o *Options) { o.Kernel, o.NoBias = kernel.RBF{Gamma: 0.5}, noBias })
		full, err := LeaveOneOutErrors(t.Context(), C, y, o, false)
		if err != nil {
			t.Fatal(err)
		}
		pruned, err := LeaveOneOutErrors(t.Context(), C, y, o, true)
		if err != nil {
			t.Fatal(err)
		}
		if pruned.Errors != full.Errors || pruned.Fits > full.Fits || full.Errors > full.Suspects || full.Errors > full.Support {
			t.Errorf(
				"full %d errors in %d fits, pruned %d in %d, %d suspects, %d support vectors",
				full.Errors,
				full.Fits,
				pruned.Errors,
				pruned.Fits,
				full.Suspects,
				full.Support,
			)
		}
	}
}

func with(change func(*Options)) Options {
	o := Options{}
	o.Tol = 1e-9
	change(&o)
	return o
}

func TestSmallestBall(t *testing.T) {
	// A square and its middle: radius^2 2; an acute triangle: the circumscribed circle 4 (a b c/(4 area))^2.
	K, err := kernel.Gram(kernel.Linear{}, mat.NewDense(5, 2, []float64{1, 1, -1, 1, -1, -1, 1, -1, 0, 0}))
	if err != nil {
		t.Fatal(err)
	}
	b, err := SmallestBall(t.Context(), K, 1e-10)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "R^2 of the square", b.R2, 2, 1e-9)
	K, _ = kernel.Gram(kernel.Linear{}, mat.NewDense(3, 2, []float64{0, 0, 2, 0, 1, 2}))
	b, err = SmallestBall(t.Context(), K, 1e-12)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "R^2 of the triangle", b.R2, math.Pow(2*math.Sqrt(5)*math.Sqrt(5)/(4*2), 2), 1e-9)
}

func TestSeparable(t *testing.T) {
	xor := mat.NewDense(4, 2, []float64{-1, -1, -1, 1, 1, -1, 1, 1})
	y := []int{0, 1, 1, 0}
	for _, c := range []struct {
		k    kernel.Kernel
		want bool
	}{{kernel.Linear{}, false}, {kernel.Poly{Degree: 2, Gamma: 1, Coef0: 1}, true}, {kernel.RBF{Gamma: 1}, true}} {
		h, err := Separable(t.Context(), xor, y, c.k, false)
		if err != nil || h.Separable != c.want {
			t.Errorf("%v separates XOR: %v, %v", c.k, h.Separable, err)
		}
	}
	r := random(13)
	for range 40 { // against the optimum of a soft margin at a high price
		X, y := cloud(r, 12, 2, 1.6)
		h, err := Separable(t.Context(), X, y, kernel.Linear{}, false)
		if err != nil {
			t.Fatal(err)
		}
		soft := fit(t, X, y, func(o *Options) { o.C, o.Tol = 1e5, 1e-5 })
		least := math.Inf(1)
		for _, m := range soft.Pairs()[0].Margins {
			least = math.Min(least, m)
		}
		if h.Separable != (least > 0) {
			t.Errorf("separable: %v, but the smallest margin at C = 1e5 is %g", h.Separable, least)
		}
	}
}

func TestErrors(t *testing.T) {
	X, y := cloud(random(14), 20, 2, 0.5)
	one := make([]int, 20)
	nan := mat.DenseCopyOf(X)
	nan.Set(3, 1, math.NaN())
	for _, c := range []struct {
		name   string
		X      mat.Matrix
		y      []int
		change func(*Options)
		want   string
	}{
		{"C", X, y, func(o *Options) { o.C = -1 }, "svm.Fit: C is -1, but needs to be a positive number; the default is 1"},
		{"gamma", X, y, func(o *Options) { o.Kernel = kernel.RBF{Gamma: -1} }, "svm.Fit: RBF gamma is -1, but needs to be a positive number; " +
			"1/d for standardised data with d columns is a fair start"},
		{"one class", X, one, nil, "svm.Fit: y is all of one class"},
		{"NaN", nan, y, nil, "svm.Fit: X[3, 1] is NaN"},
		{"labels", X, y[:5], nil, "svm.Fit: y is 5 labels"},
		{"tolerance", X, y, func(o *Options) { o.Tol = -1 }, "svm.Fit: Tol is -1"},
		{"class weights", X, y, func(o *Options) { o.ClassWeights = []float64{1} }, "svm.Fit: ClassWeights is 1 numbers"},
		{"precomputed", X, y, func(o *Options) { o.Kernel = kernel.Precomputed{} }, "svm.Fit: X is 20 x 2, but needs to be a square Gram matrix"},
		{"not separable", X, y, hard, "svm.Fit: Slack is a hard margin, but needs to be soft, since with the linear kernel a hyperplane does " +
			"not separate classes 0 and 1 by more than 1e-6 of the largest feature vector; allow slack (C = 1, say), or take a richer kernel"},
	} {
		o := Options{}
		if c.change != nil {
			c.change(&o)
		}
		_, err := Fit(t.Context(), c.X, c.y, o)
		var argument *fault.ArgumentError
		if !errors.As(err, &argument) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	o := Options{}
	o.MaxIter = 3
	var few *IterationError
	if _, err := Fit(t.Context(), X, y, o); !errors.As(err, &few) {
		t.Errorf("after 3 steps: %v", err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Fit(stopped, X, y, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	m := fit(t, X, y, nil)
	if _, err := m.Proba(X); err == nil {
		t.Error("Proba without Probability")
	}
	if _, err := fit(t, X, y, func(o *Options) { o.Kernel = kernel.RBF{Gamma: 1} }).Weights(); err == nil {
		t.Error("w of an RBF machine")
	}
}

// The course notes' six hyperplanes (LN 10-08, data rebuilt): the optimum is w = (2/3, -2/3, 0, 1/3, 1/3, -1/3, -1/3), |w|^2 = 4/3.
func TestSevenDimensions(t *testing.T) {
	X := mat.NewDense(4, 7, []float64{1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1})
	m := fit(t, X, []int{1, 1, 0, 0}, hard)
	w, err := m.Weights()
	if err != nil {
		t.Fatal(err)
	}
	for j, v := range []float64{2. / 3, -2. / 3, 0, 1. / 3, 1. / 3, -1. / 3, -1. / 3} {
		near(t, "w", w[0][j], v, 1e-8)
	}
	near(t, "|w|^2", m.Norm2(), 4./3, 1e-8)
}

// The optimum of the dual by its definition, on rows that repeat, contradict each other and lie on lines, for all slacks, prices and
// weights: 0 <= alpha <= C w, sum alpha y = 0, y f >= 1 at alpha = 0, y f = 1 in between, y f <= 1 at alpha = C w, and no gap to the
// primal.
func TestOptimality(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 20).Draw(t, "n")
		X, y := fuzztest.Matrix(t, n, 2, 3), fuzztest.Labels(t, n, 2)
		o := Options{}
		o.Tol = 1e-8
		o.Slack = rapid.SampledFrom([]Slack{LinearSlack, QuadraticSlack}).Draw(t, "slack")
		o.C = math.Pow(2, float64(rapid.IntRange(-4, 5).Draw(t, "log C")))
		o.NoBias = rapid.Bool().Draw(t, "no bias")
		o.Kernel = rapid.SampledFrom([]kernel.Kernel{
			kernel.Linear{},
			kernel.RBF{Gamma: 0.5},
			kernel.Poly{Degree: 2, Gamma: 0.5, Coef0: 1},
			kernel.Sum(kernel.Linear{}, kernel.RBF{Gamma: 1}),
		}).
			Draw(t, "kernel")
		for range n {
			o.Weights = append(o.Weights, float64(rapid.IntRange(1, 3).Draw(t, "weight")))
		}
		m, err := Fit(t.Context(), X, y, o)
		if err != nil {
			t.Fatal(err)
		}
		alpha, K := m.Alpha(), make([][]float64, n)
		balance, dual, norm2, slack := 0.0, 0.0, 0.0, 0.0
		sign := func(i int) float64 { return float64(2*y[i] - 1) }
		for i := range n {
			K[i] = make([]float64, n)
			for j := range n {
				K[i][j] = o.Kernel.Eval(X.RawRowView(i), X.RawRowView(j))
				norm2 += alpha[i] * alpha[j] * sign(i) * sign(j) * K[i][j]
			}
			balance += alpha[i] * sign(i)
			dual += alpha[i]
		}
		dual -= norm2 / 2
		for i := range n {
			C := o.C * o.Weights[i]
			f := m.Bias()
			for j := range n {
				f += alpha[j] * sign(j) * K[i][j]
			}
			margin, upper := sign(i)*f, C
			xi := max(0, 1-margin)
			slack += C * xi
			if o.Slack == QuadraticSlack { // alpha/C is the slack
				slack += C*xi*xi/2 - C*xi
				dual -= alpha[i] * alpha[i] / C / 2
				margin += alpha[i] / C
				upper = math.Inf(1)
			}
			const tol = 1e-6
			if alpha[i] < 0 || alpha[i] > upper*(1+1e-12) || alpha[i] == 0 && margin < 1-tol ||
				alpha[i] > 0 && alpha[i] < upper && math.Abs(margin-1) > tol ||
				alpha[i] == upper && margin > 1+tol {
				t.Fatalf("row %d: alpha %v of at most %v, y f = %v", i, alpha[i], upper, margin)
			}
		}
		if !o.NoBias && math.Abs(balance) > 1e-9*(1+o.C) {
			t.Fatalf("sum alpha y = %v", balance)
		}
		if gap := norm2/2 + slack - dual; math.Abs(gap) > 1e-5*(1+math.Abs(dual)) {
			t.Fatalf("primal %v, dual %v, gap %v", norm2/2+slack, dual, gap)
		}
	})
}

// A free support vector of the full machine does not make the lemma true by itself: no row may be wrong and not suspect, and pruning may
// change nothing, on small sets where few points are free.
func TestLeaveOneOutSuspectsEveryError(t *testing.T) {
	r := random(22)
	low := 0 // errors whose score is below 1 though a support vector is free
	for range 400 {
		n := 4 + r.IntN(4)
		X, y := mat.NewDense(n, 1, nil), make([]int, n)
		for i := range n {
			y[i] = i % 2
			X.Set(i, 0, float64(r.IntN(9)-4)/2+r.NormFloat64()/100)
		}
		o := with(func(o *Options) { o.C = math.Pow(10, -2+2*r.Float64()) })
		full, err := LeaveOneOutErrors(t.Context(), X, y, o, false)
		if err != nil {
			t.Fatal(err)
		}
		pruned, err := LeaveOneOutErrors(t.Context(), X, y, o, true)
		if err != nil || pruned.Errors != full.Errors {
			t.Fatal(full.Errors, "errors,", pruned.Errors, "with pruning", err)
		}
		for i, wrong := range full.Wrong {
			if wrong && !full.Suspect[i] {
				t.Errorf("row %d is wrong, and its score %v makes it no suspect: %v, %v", i, full.Score[i], mat.Formatted(X), y)
			}
			if wrong && full.Determined && full.Score[i] < 1 {
				low++
			}
		}
	}
	if low < 10 {
		t.Errorf("only %d errors below the score of the lemma", low)
	}
}
