package perceptron

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/kernel"
)

var background = context.Background()

// cards makes a data set of rows whose last number is the side, +1 or -1.
func cards(rows ...[]float64) (*mat.Dense, []int) {
	d := len(rows[0]) - 1
	X, y := mat.NewDense(len(rows), d, nil), make([]int, len(rows))
	for i, r := range rows {
		X.SetRow(i, r[:d])
		if r[d] > 0 {
			y[i] = 1
		}
	}
	return X, y
}

// cloud draws n points of d normal coordinates, divided by a random hyperplane; a share noise of the labels is drawn at random.
func cloud(r *rand.Rand, n, d int, noise float64) (*mat.Dense, []int) {
	X, y, w := mat.NewDense(n, d, nil), make([]int, n), make([]float64, d+1)
	for j := range w {
		w[j] = r.NormFloat64()
	}
	for i := range n {
		for j := range d {
			X.Set(i, j, r.NormFloat64())
		}
		if w[d]+floats.Dot(w[:d], X.RawRowView(i)) > 0 {
			y[i] = 1
		}
		if r.Float64() < noise {
			y[i] = r.IntN(2)
		}
	}
	if !slices.Contains(y, 0) || !slices.Contains(y, 1) {
		return cloud(r, n, d, noise)
	}
	return X, y
}

// A slow run is the algorithm written out: all weights after all visits.
type slow struct {
	thetas   [][]float64 // after each visit
	mistakes []int
	start    []float64
}

func score(theta, x []float64) (s float64) {
	s = theta[0]
	for j, v := range x {
		s += theta[j+1] * v
	}
	return s
}

func slowly(X *mat.Dense, y []int, passes int, bias float64) (s slow) {
	n, d := X.Dims()
	theta := make([]float64, d+1)
	s.start = slices.Clone(theta)
	for range passes {
		clean := true
		for i := range n {
			sign := float64(2*y[i] - 1)
			if x := X.RawRowView(i); sign*score(theta, x) <= 0 {
				theta = slices.Clone(theta)
				theta[0] += sign * bias
				for j, v := range x {
					theta[j+1] += sign * v
				}
				s.mistakes = append(s.mistakes, i)
				clean = false
			}
			s.thetas = append(s.thetas, theta)
		}
		if clean {
			break
		}
	}
	return s
}

func (s slow) errors(theta []float64, X *mat.Dense, y []int) (errors int) {
	for i, c := range y {
		if float64(2*c-1)*score(theta, X.RawRowView(i)) <= 0 {
			errors++
		}
	}
	return errors
}

func rows(r *Run) (out []int) {
	for _, u := range r.Updates {
		out = append(out, u.Row)
	}
	return out
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// near fails unless a and b are equal up to a relative tolerance.
func near(t *testing.T, what string, a, b []float64, tol float64) {
	t.Helper()
	if len(a) != len(b) {
		t.Fatalf("%s: %v, want %v", what, a, b)
	}
	for i := range a {
		if !(math.Abs(a[i]-b[i]) <= tol*(1+math.Abs(b[i]))) {
			t.Fatalf("%s: %v, want %v", what, a, b)
		}
	}
}

// Every form, primal and dual, against the algorithm written out on random data, half of them without a separating hyperplane.
func TestFormsAreTheirDefinitions(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 1))
	for trial := range 60 {
		n, d := 5+r.IntN(25), 1+r.IntN(4)
		X, y := cloud(r, n, d, float64(trial%2)*0.3)
		o := Options{MaxIter: 12, NoIntercept: trial%3 == 0}
		bias := 1.0
		if o.NoIntercept {
			bias = 0
		}
		want := slowly(X, y, 12, bias)
		run := must(Trace(background, X, y, o))
		if !slices.Equal(rows(run), want.mistakes) {
			t.Fatalf("mistakes %v, want %v", rows(run), want.mistakes)
		}
		near(t, "the last update", run.Updates[len(run.Updates)-1].Theta, want.thetas[len(want.thetas)-1], 1e-12)
		mean, pocket, fewest := make([]float64, d+1), want.start, want.errors(want.start, X, y)
		for _, theta := range want.thetas {
			floats.AddScaled(mean, 1/float64(len(want.thetas)), theta)
			if e := want.errors(theta, X, y); e < fewest {
				pocket, fewest = theta, e
			}
		}
		for form, theta := range map[Form][]float64{Last: want.thetas[len(want.thetas)-1], Averaged: mean, Pocket: pocket} {
			o.Form, o.Kernel = form, nil
			near(t, form.String(), must(Fit(background, X, y, o)).Theta()[0], theta, 1e-9)
			o.Kernel = kernel.Linear{}
			twin := must(Fit(background, X, y, o))
			for i := range n {
				x := X.RawRowView(i)
				near(t, form.String()+" by a kernel", []float64{twin.Value(x...)}, []float64{score(theta, x)}, 1e-9)
			}
		}
		for _, k := range []kernel.Kernel{nil, kernel.Linear{}} {
			o.Form, o.Kernel = Voted, k
			m := must(Fit(background, X, y, o))
			for range 5 {
				x, votes := make([]float64, d), 0.0
				for j := range x {
					x[j] = r.NormFloat64()
				}
				for _, theta := range want.thetas {
					if s := score(theta, x); s != 0 {
						votes += math.Copysign(1, s) / float64(len(want.thetas))
					}
				}
				near(t, "voted", []float64{m.Value(x...)}, []float64{votes}, 1e-12)
			}
		}
	}
}

// The examples of textbooks, by hand.
func TestTextbooks(t *testing.T) {
	and := [][]float64{{0, 0, -1}, {1, 0, -1}, {0, 1, -1}, {1, 1, 1}}
	for _, c := range []struct {
		name  string
		cards [][]float64
		o     Options
		count int
		theta []float64
	}{
		{"1 and 2 on a line", [][]float64{{1, 1}, {2, -1}}, Options{}, 13, []float64{3, -2}},
		{"AND", and, Options{}, 18, []float64{-4, 2, 3}},
		{"three points", [][]float64{{1, 1, 1}, {1, -3, -1}, {3, 0, -1}}, Options{}, 0, []float64{1, -1, 2}},
		{"order 1 2 3", [][]float64{{2, 1, 1}, {-1, 2, 1}, {1, -3, -1}}, Options{NoIntercept: true}, 2, []float64{0, 1, 3}},
		{
			"order 3 1 2",
			[][]float64{{2, 1, 1}, {-1, 2, 1}, {1, -3, -1}},
			Options{NoIntercept: true, Order: []int{2, 0, 1}},
			1,
			[]float64{0, -1, 3},
		},
		{"start 0", [][]float64{{2, 1, 1}, {1, 2, 1}, {-1, -1, -1}, {-2, 1, -1}}, Options{}, 1, []float64{1, 2, 1}},
		{
			"start (1, 3, -3)",
			[][]float64{{2, 1, 1}, {1, 2, 1}, {-1, -1, -1}, {-2, 1, -1}},
			Options{Start: []float64{1, 3, -3}},
			1,
			[]float64{2, 4, -1},
		},
		{"another start", [][]float64{{1, 1}, {-1, -1}}, Options{Start: []float64{-1000, 0}}, 0, nil},
		{"far along", [][]float64{{1, 0, 1}, {-1, 0, -1}}, Options{Start: []float64{0, -100, 0}}, 102, nil},
		{"far across", [][]float64{{1, 0, 1}, {-1, 0, -1}}, Options{Start: []float64{-1000, 0, 0}}, 501, nil},
	} {
		X, y := cards(c.cards...)
		m := must(Fit(background, X, y, c.o))
		if c.count > 0 && m.Mistakes() != c.count {
			t.Errorf("%s: %d mistakes, want %d", c.name, m.Mistakes(), c.count)
		}
		if c.theta != nil {
			near(t, c.name, m.Theta()[0], c.theta, 0)
		}
		if !m.Clean() {
			t.Errorf("%s: not clean", c.name)
		}
	}
	X, y := cards(and...)
	run := must(Trace(background, X, y, Options{MaxIter: 1, OncePerPass: true}))
	near(t, "a batch", run.Updates[len(run.Updates)-1].Theta, []float64{-2, 0, 0}, 0)
}

// XOR goes round in a cycle of four visits.
func TestXORCycles(t *testing.T) {
	X, y := cards([]float64{0, 0, -1}, []float64{0, 1, 1}, []float64{1, 0, 1}, []float64{1, 1, -1})
	m := must(Fit(background, X, y, Options{MaxIter: 200}))
	if m.Clean() || m.Passes() != 200 {
		t.Errorf("%v", m)
	}
	run := must(Trace(background, X, y, Options{MaxIter: 200}))
	for _, u := range run.Updates {
		if floats.Dot(u.Theta, u.Theta) > 3 {
			t.Fatalf("theta = %v", u.Theta)
		}
	}
	if b := must(MistakeBound(background, X, y, Options{MaxIter: 200})); !math.IsInf(b.Most, 1) || b.Gamma != 0 || b.Along != nil {
		t.Errorf("%+v", b)
	}
	b := must(MistakeBound(background, X, y, Options{Kernel: kernel.Poly{Degree: 2, Gamma: 1, Coef0: 1}}))
	if float64(b.Mistakes) > b.Most || b.Gamma <= 0 {
		t.Errorf("with products of coordinates: %+v", b)
	}
}

// Both sides of the bound at every mistake of random runs, and the unit vectors, which reach it.
func TestMistakeBound(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 2))
	for trial := range 40 {
		X, y := cloud(r, 4+r.IntN(20), 1+r.IntN(4), 0)
		o := Options{NoIntercept: trial%2 == 1, Shuffle: trial%3 == 0, Seed: uint64(trial), MaxIter: 1 << 14}
		if o.NoIntercept {
			for i := range y { // a line through the origin divides them
				y[i] = 0
				if floats.Sum(X.RawRowView(i)) > 0 {
					y[i] = 1
				}
			}
			X.Set(0, 0, math.Abs(X.At(0, 0))+10)
			X.Set(1, 0, -math.Abs(X.At(1, 0))-10)
			y[0], y[1] = 1, 0
		}
		b := must(MistakeBound(background, X, y, o))
		run := must(Trace(background, X, y, o))
		for k := range b.Length {
			theta := make([]float64, len(b.U))
			if k > 0 {
				theta = run.Updates[k-1].Theta
			}
			near(t, "along", []float64{b.Along[k], b.Length[k]}, []float64{floats.Dot(theta, b.U), floats.Norm(theta, 2)}, 1e-6)
			if b.Along[k] < float64(k)*b.Gamma*(1-1e-9) || b.Length[k] > math.Sqrt(float64(k))*b.R*(1+1e-9) {
				t.Fatalf("after %d mistakes %g along u and length %g; gamma %g, R %g", k, b.Along[k], b.Length[k], b.Gamma, b.R)
			}
		}
		if float64(b.Mistakes) > b.Most || !run.Clean {
			t.Errorf("%d mistakes, at most %g", b.Mistakes, b.Most)
		}
	}
	for _, d := range []int{2, 5, 20} {
		X, y := mat.NewDense(2*d, d, nil), make([]int, 2*d)
		for i := range 2 * d {
			X.Set(i, i%d, float64(2*(i/d)-1))
			y[i] = i / d
		}
		b := must(MistakeBound(background, X, y, Options{NoIntercept: true}))
		if b.Mistakes != d || math.Abs(b.Most-float64(d)) > 1e-6 {
			t.Errorf("%d unit vectors and their opposites: %d mistakes, at most %g", d, b.Mistakes, b.Most)
		}
	}
}

// 200 copies of one card and one other: the batch takes 197 passes where single mistakes are bounded by 100.
func TestBatchBreaksTheBound(t *testing.T) {
	var list [][]float64
	for range 200 {
		list = append(list, []float64{0.1, 0.995, 1})
	}
	list = append(list, []float64{0.1, -0.995, 1}, []float64{-0.1, -0.995, -1})
	X, y := cards(list...)
	m := must(Fit(background, X, y, Options{OncePerPass: true, NoIntercept: true}))
	b := must(MistakeBound(background, X, y, Options{NoIntercept: true}))
	if updates := m.Passes() - 1; updates < 150 || b.Most > 101 || !m.Clean() {
		t.Errorf("%d batches, single mistakes at most %g", updates, b.Most)
	}
	if b.Mistakes > int(b.Most) {
		t.Errorf("%d single mistakes", b.Mistakes)
	}
}

// Passive-aggressive learning and Winnow against their rules written out.
func TestOtherRules(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 3))
	for trial := range 40 {
		X, y := cloud(r, 5+r.IntN(20), 1+r.IntN(5), float64(trial%2)*0.2)
		n, d := X.Dims()
		o := PassiveOptions{C: 0.5, Squared: trial%3 == 0, MaxIter: 4, Tol: 1e-9}
		theta := make([]float64, d+1)
		u, v, top := make([]float64, d+1), make([]float64, d+1), 1.0
		for j := range u {
			u[j], v[j] = 1, 1
		}
		for i := range n {
			top = max(top, floats.Norm(X.RawRowView(i), math.Inf(1)))
		}
		balanced := make([]float64, d+1)
		for range 4 {
			for i := range n {
				x, sign := append([]float64{1}, X.RawRowView(i)...), float64(2*y[i]-1)
				if loss := 1 - sign*floats.Dot(theta, x); loss > 0 {
					tau := min(o.C, loss/floats.Dot(x, x))
					if o.Squared {
						tau = loss / (floats.Dot(x, x) + 1/(2*o.C))
					}
					floats.AddScaled(theta, tau*sign, x)
				}
				if sign*floats.Dot(balanced, x) <= 0 {
					for j := range u {
						u[j] *= math.Pow(1.5, sign*x[j]/top)
						v[j] *= math.Pow(1.5, -sign*x[j]/top)
						balanced[j] = u[j] - v[j]
					}
				}
			}
		}
		near(t, "passive-aggressive", must(FitPassive(background, X, y, o)).Theta()[0], theta, 1e-7)
		got := must(FitWinnow(background, X, y, WinnowOptions{MaxIter: 4})).Theta()[0]
		floats.Scale(1/floats.Norm(got, 2), got)
		floats.Scale(1/floats.Norm(balanced, 2), balanced)
		near(t, "Winnow", got, balanced, 1e-6)
	}
}

// Of 500 features two matter: Winnow makes far fewer mistakes than the perceptron, which adds.
func TestWinnowFindsFew(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 4))
	X, y := mat.NewDense(600, 500, nil), make([]int, 600)
	for i := range y {
		for j := range 500 {
			X.Set(i, j, float64(2*r.IntN(2)-1))
		}
		if X.At(i, 7)+X.At(i, 300) > 0 || X.At(i, 7)+X.At(i, 300) == 0 && X.At(i, 7) > 0 {
			y[i] = 1
		}
	}
	few := must(FitWinnow(background, X, y, WinnowOptions{Factor: 1.2, MaxIter: 1})).Mistakes()
	many := must(Fit(background, X, y, Options{MaxIter: 1})).Mistakes()
	if 2*few > many {
		t.Errorf("Winnow makes %d mistakes, the perceptron %d", few, many)
	}
}

// The result is the same where the rows of a kernel do not fit into memory.
func TestDualMemoryWithoutRoom(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 5))
	X, y := cloud(r, 20, 2, 0.2)
	m := must(newDual(kernel.RBF{Gamma: 1}, X, false))
	m.kept = 3
	full := must(newDual(kernel.RBF{Gamma: 1}, X, false))
	for range 3 {
		for i := range 20 {
			m.add(i, float64(2*y[i]-1))
			full.add(i, float64(2*y[i]-1))
		}
	}
	near(t, "scores", m.scores, full.scores, 0)
}
