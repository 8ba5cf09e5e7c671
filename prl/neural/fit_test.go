package neural_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/neural"
	"github.com/prlab/prlab/prl/optim"
)

var (
	six      = mat.NewDense(6, 2, []float64{0.5, -1.2, 1.5, 0.3, -0.7, 0.8, 0.1, 0.4, -1.1, -0.6, 0.9, 1.7})
	classes  = []int{0, 1, 2, 0, 1, 2}
	targets  = []float64{0.3, -1, 0.7, 2, 0.1, -0.4}
	firstOf  = []float64{0.5, -0.3, 0.8, 0.2, 0.7, -0.4, -0.1, 0.2, -0.3}
	threeOut = slices.Concat(firstOf, []float64{0.6, -0.5, 0.1, 0.3, 0.2, -0.7, -0.4, 0.9, 0.5, -0.05, 0.1, -0.2})
	oneOut   = slices.Concat(firstOf, []float64{0.6, 0.3, -0.4, -0.05})
)

// TestScikitLearn follows scikit-learn 1.9.1 for five steps on six rows from the same start: its partial_fit with batches of all rows, the
// sum of alpha |W|^2 / 2n as the penalty, epsilon = 1e-20 for Adam. Its intercepts are minus our thresholds.
func TestScikitLearn(t *testing.T) {
	five := neural.Options{Hidden: []int{3}, Batch: 6, Rounds: 5, Unscaled: true}
	o := five
	o.Activation, o.Method, o.L2, o.Start = neural.Tanh, optim.Momentum{Step: 0.2, Mu: 0.9}, 0.3, threeOut
	m, err := neural.Fit(t.Context(), six, classes, o)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "softmax, momentum and penalty", m.Net().Theta, []float64{
		0.6231538186926595, -0.1594816071763336, 0.48170036715067843, -0.0026098358713536954, 0.13594751792484555, -0.24140275231476652,
		-0.22405301323964466, 0.10181026034953822, -0.3433263835785963, 0.5326372445099565, -0.4755933404914659, 0.11728290116150923,
		-0.12244450076542372, -0.022865437100673527, -0.029016867313902822, -0.019907741990154548, 0.8426433741246632, 0.048898393765491335,
		-0.08232028217463531, -0.02231477573961684, -0.04536494208574791,
	}, 1e-14)
	near(t, "losses", m.Losses(), []float64{
		1.5410447330528578, 1.4741704797586428, 1.3671010253747538, 1.2540328489975698, 1.1644132445763296,
	}, 1e-13)
	o = five
	o.Method, o.Start = optim.Adam{Step: 0.05, Epsilon: 1e-20}, oneOut
	two := []int{0, 1, 1, 0, 1, 1}
	m, err = neural.Fit(t.Context(), six, two, o)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "one logistic unit, Adam", m.Net().Theta, []float64{
		0.7498293611057887, -0.5443991718280466, 0.5882553891504567, 0.4234866160118231, 0.9469133091101529, -0.636330147925975,
		0.08532293915653308, 0.024499425181574025, -0.5275587542225425, 0.8483875162088599, 0.547543327682345, -0.3776816853021609,
		-0.2861148290608112,
	}, 1e-13)
	o = five
	o.Activation, o.Method, o.Start = neural.Logistic, optim.Nesterov{Step: 0.2, Mu: 0.5}, oneOut
	r, err := neural.FitRegression(t.Context(), six, targets, o)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "regression, Nesterov", r.Net().Theta, []float64{
		0.41571225235029957, -0.35072503958520646, 0.8552493442714563, 0.17076661708252966, 0.6832689459589891, -0.3761333899202602,
		-0.11813618569275962, 0.1958750871297929, -0.2840555361632105, 0.526873053591687, 0.3243198402180905, -0.4833343842026112,
		-0.08273103090514569,
	}, 1e-14)
}

// drawn is a set of n rows of d features with classes that a linear rule finds in part, from a seed.
func drawn(n, d, k int, seed uint64) (*mat.Dense, []int, []float64) {
	draws := rand.New(rand.NewPCG(seed, 3))
	X, y, z := mat.NewDense(n, d, nil), make([]int, n), make([]float64, n)
	for i := range n {
		y[i] = i % k
		for j := range d {
			X.Set(i, j, draws.NormFloat64()+float64(y[i]*(j+1)%3))
		}
		z[i] = math.Sin(X.At(i, 0)) + 0.1*draws.NormFloat64()
	}
	return X, y, z
}

// TestStep compares one gradient step over 600 rows, more than go through the net at a time, with the sum of Backward over the rows, with
// weights and a penalty.
func TestStep(t *testing.T) {
	const rate = 0.01
	X, y, z := drawn(600, 3, 3, 5)
	weights := make([]float64, 600)
	total := 0.0
	for i := range weights {
		weights[i] = float64(i%4) / 2
		total += weights[i]
	}
	for hidden := neural.ReLU; hidden < neural.Softmax; hidden++ {
		for what, net := range map[string]func(o neural.Options) (before, after *neural.Net, loss neural.Loss, targets func(i int) []float64){
			"three classes": func(o neural.Options) (*neural.Net, *neural.Net, neural.Loss, func(int) []float64) {
				m, err := neural.Fit(t.Context(), X, y, o)
				if err != nil {
					t.Fatal(err)
				}
				n, _ := neural.New(hidden, neural.Softmax, 3, 5, 4, 3)
				return n, m.Net(), neural.CrossEntropy, func(i int) []float64 { v := make([]float64, 3); v[y[i]] = 1; return v }
			},
			"two classes": func(o neural.Options) (*neural.Net, *neural.Net, neural.Loss, func(int) []float64) {
				two := slices.Clone(y)
				for i, c := range two {
					two[i] = min(c, 1)
				}
				m, err := neural.Fit(t.Context(), X, two, o)
				if err != nil {
					t.Fatal(err)
				}
				n, _ := neural.New(hidden, neural.Logistic, 3, 5, 4, 1)
				return n, m.Net(), neural.CrossEntropy, func(i int) []float64 { return []float64{float64(two[i])} }
			},
			"targets": func(o neural.Options) (*neural.Net, *neural.Net, neural.Loss, func(int) []float64) {
				m, err := neural.FitRegression(t.Context(), X, z, o)
				if err != nil {
					t.Fatal(err)
				}
				n, _ := neural.New(hidden, neural.Linear, 3, 5, 4, 1)
				return n, m.Net(), neural.Squared, func(i int) []float64 { return []float64{z[i]} }
			},
		} {
			outputs := map[string]int{"three classes": 3, "two classes": 1, "targets": 1}[what]
			start := make([]float64, neural.Parameters(3, 5, 4, outputs))
			draws := rand.New(rand.NewPCG(7, 7))
			for i := range start {
				start[i] = draws.NormFloat64()
			}
			before, after, loss, target := net(neural.Options{
				Hidden: []int{5, 4}, Activation: hidden, Method: optim.Descent{Step: rate}, Batch: 600, Rounds: 1, L2: 20, Unscaled: true, Start: start,
				Weights: weights,
			})
			copy(before.Theta, start)
			want := slices.Clone(start)
			for i := range 600 {
				p, err := before.Forward(X.RawRowView(i))
				if err != nil {
					t.Fatal(err)
				}
				g, err := before.Backward(p, loss, target(i))
				if err != nil {
					t.Fatal(err)
				}
				floats.AddScaled(want, -rate*weights[i]/total, g)
			}
			at := 0
			for l := 1; l <= before.Layers(); l++ {
				w, thresholds := before.Layer(l)
				floats.AddScaled(want[at:at+len(w)], -rate*20/total, w)
				at += len(w) + len(thresholds)
			}
			near(t, what+", "+hidden.String(), after.Theta, want, 1e-12)
		}
	}
}

// TestUnits changes the units and the origin of features and targets, which must change nothing but the units of the prediction.
func TestUnits(t *testing.T) {
	X, _, z := drawn(80, 2, 2, 9)
	moved, other := mat.DenseCopyOf(X), slices.Clone(z)
	moved.Apply(func(_, j int, v float64) float64 { return 1000*v*float64(1+j) - 40 }, X)
	for i, v := range z {
		other[i] = 5e6*v + 1e7
	}
	a, err := neural.FitRegression(t.Context(), X, z, neural.Options{Rounds: 30})
	if err != nil {
		t.Fatal(err)
	}
	b, err := neural.FitRegression(t.Context(), moved, other, neural.Options{Rounds: 30})
	if err != nil {
		t.Fatal(err)
	}
	p, _ := a.Predict(X)
	q, _ := b.Predict(moved)
	for i := range p {
		if math.Abs(5e6*p[i]+1e7-q[i]) > 1 {
			t.Fatalf("row %d: %g and %g", i, 5e6*p[i]+1e7, q[i])
		}
	}
	start := b.Net().Theta // a start in the caller's units is the end of a fit of no step that matters
	c, err := neural.FitRegression(t.Context(), moved, other, neural.Options{
		Start: start, Rounds: 1, Method: optim.Descent{Step: 1e-300},
	})
	if err != nil {
		t.Fatal(err)
	}
	r, _ := c.Predict(moved)
	near(t, "predictions from the start", r, q, 1e-3)
}

// TestStopping asks for each reason, and for the parameters of the round with the least loss on the rows held out.
func TestStopping(t *testing.T) {
	X, y, _ := drawn(60, 2, 2, 4)
	fit := func(o neural.Options) *neural.Classifier {
		t.Helper()
		m, err := neural.Fit(t.Context(), X, y, o)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	if m := fit(neural.Options{Rounds: 3}); m.Reason() != neural.AllRounds || len(m.Losses()) != 3 {
		t.Errorf("%v after %d rounds", m.Reason(), len(m.Losses()))
	}
	m := fit(neural.Options{Tol: 0.5, Patience: 4, Rounds: 100})
	if m.Reason() != neural.Stalled {
		t.Error(m.Reason())
	}
	losses, best, since := m.Losses(), math.Inf(1), 0
	for i, v := range losses {
		if since++; v < best-0.5 {
			best, since = v, 0
		}
		if since >= 4 != (i == len(losses)-1) {
			t.Errorf("%d rounds without progress after round %d of %d", since, i+1, len(losses))
		}
	}
	o := neural.Options{Held: 0.4, Rounds: 500, Patience: 15, Tol: estimator.None}
	m = fit(o)
	held := m.HeldLosses()
	if m.Reason() != neural.HeldRises || len(held) != len(m.Losses()) || slices.Index(held, slices.Min(held)) != len(held)-16 {
		t.Errorf("%v: least of %d losses at %d", m.Reason(), len(held), slices.Index(held, slices.Min(held)))
	}
	o.Rounds = slices.Index(held, slices.Min(held)) + 1
	near(t, "parameters of the best round", fit(o).Net().Theta, m.Net().Theta, 0)
	m = fit(neural.Options{Hidden: []int{2}, Activation: neural.Tanh, Method: optim.LBFGS{}, L2: 1, Rounds: 5000})
	if m.Reason() != neural.Stationary {
		t.Error(m.Reason())
	}
	if _, err := neural.Fit(t.Context(), X, y, neural.Options{Method: optim.Descent{Step: 1e300}, Activation: neural.Linear}); err == nil {
		t.Error("steps of 1e300 did not end in an error")
	}
}

// TestStarts solves exclusive or from the best of several starts, where one start fails.
func TestStarts(t *testing.T) {
	X, y := mat.NewDense(4, 2, []float64{0, 0, 0, 1, 1, 0, 1, 1}), []int{0, 1, 1, 0}
	o := neural.Options{Hidden: []int{2}, Activation: neural.Tanh, Method: optim.LBFGS{}, Rounds: 1000, L2: 1e-6}
	alone := 0
	least := math.Inf(1)
	for seed := range uint64(12) {
		o.Seed = seed + 1
		m, err := neural.Fit(t.Context(), X, y, o)
		if err != nil {
			t.Fatal(err)
		}
		if p, _ := m.Predict(X); slices.Equal(p, y) {
			alone++
		}
		least = min(least, m.Losses()[0])
	}
	if alone == 0 || alone == 12 {
		t.Errorf("%d of 12 starts solve exclusive or", alone)
	}
	o.Seed, o.Restarts = 1, 20
	m, err := neural.Fit(t.Context(), X, y, o)
	if err != nil {
		t.Fatal(err)
	}
	if p, _ := m.Predict(X); !slices.Equal(p, y) || m.Losses()[0] > 1e-3 {
		t.Errorf("the best of 20 starts, number %d, answers %v with loss %g", m.Start(), p, m.Losses()[0])
	}
}

// TestDigits trains 64-32-10 on a thousand embedded digits in file order.
func TestDigits(t *testing.T) {
	set := datasets.Digits()
	learn, unseen := make([]int, 1000), make([]int, set.N()-1000)
	for i := range learn {
		learn[i] = i
	}
	for i := range unseen {
		unseen[i] = 1000 + i
	}
	known, other := set.Rows(learn...), set.Rows(unseen...)
	m, err := neural.Fit(t.Context(), known.X, known.Y, neural.Options{Hidden: []int{32}, Rounds: 40})
	if err != nil {
		t.Fatal(err)
	}
	score := func(s datasets.Set) float64 {
		p, err := m.Predict(s.X)
		if err != nil {
			t.Fatal(err)
		}
		return estimator.Accuracy(p, s.Y)
	}
	if a, b := score(known), score(other); a < 0.99 || b < 0.9 {
		t.Errorf("%.4f of the digits learnt and %.4f of the unseen ones are right", a, b)
	}
	H, err := m.Hidden(other.X)
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Net().Forward(mat.Row(nil, 5, other.X))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "hidden answers", H.RawRowView(5), p.Y[1], 1e-12)
}

// TestEnds ends a fit with its context.
func TestEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	X, y, _ := drawn(500, 3, 2, 1)
	rounds := 0
	_, err := neural.Fit(ctx, X, y, neural.Options{Rounds: 1000, Tol: estimator.None, Progress: func(p estimator.Progress) {
		if rounds = p.Iteration; rounds == 3 {
			cancel()
		}
	}})
	if err == nil || rounds != 3 {
		t.Errorf("%v after %d rounds", err, rounds)
	}
}
