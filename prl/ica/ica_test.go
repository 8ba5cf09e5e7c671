package ica_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/ica"
)

// voices draws n moments of k sources of variance 1: uniform, Laplace, a coin with some noise, and again.
func voices(r *rand.Rand, n, k int) *mat.Dense {
	S := mat.NewDense(n, k, nil)
	S.Apply(func(_, j int, _ float64) float64 {
		switch j % 3 {
		case 0:
			return math.Sqrt(12) * (r.Float64() - 0.5)
		case 1:
			return math.Copysign(r.ExpFloat64(), r.Float64()-0.5) / math.Sqrt2
		}
		return (math.Copysign(1, r.Float64()-0.5) + 0.3*r.NormFloat64()) / math.Sqrt(1.09)
	}, S)
	return S
}

func gaussians(r *rand.Rand, n, k int) *mat.Dense {
	X := mat.NewDense(n, k, nil)
	X.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, X)
	return X
}

func mixed(S, A *mat.Dense) *mat.Dense {
	var X mat.Dense
	X.Mul(S, A.T())
	X.Apply(func(_, j int, v float64) float64 { return v + float64(3*j) }, &X)
	return &X
}

func fit(t testing.TB, X mat.Matrix, o ica.Options) *ica.Model {
	t.Helper()
	m, err := ica.Fit(context.Background(), X, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func near(t testing.TB, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s is %v, want %v within %v", what, got, want, tol)
	}
}

// Every method finds the sources of a random mixture, and says what a model promises: variance 1, W A = I, a round trip.
func TestSources(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, o := range []ica.Options{
		{},
		{Contrast: ica.Exp},
		{Contrast: ica.Cube},
		{Method: ica.Deflation},
		{Method: ica.Deflation, Contrast: ica.Exp},
		{Method: ica.Deflation, Contrast: ica.Cube},
		{Method: ica.Infomax},
		{Restarts: 3},
	} {
		for _, k := range []int{2, 3, 5} {
			S, A := voices(r, 4000, k), gaussians(r, k, k)
			X := mixed(S, A)
			m := fit(t, X, o)
			if !m.Converged() {
				t.Errorf("%v: %v", o, m)
			}
			got, err := m.Transform(X)
			if err != nil {
				t.Fatal(err)
			}
			match, err := ica.Match(got, S)
			if err != nil {
				t.Fatal(err)
			}
			for j, c := range match.Correlation {
				if c < 0.99 {
					t.Errorf("%s, %v: source %d of %d correlates %v only", o.Method, o.Contrast, j, k, c)
				}
			}
			if d, err := ica.Amari(m.Unmixing(), A); err != nil || d > 0.1 {
				t.Errorf("%s, %v, k = %d: Amari distance %v, %v", o.Method, o.Contrast, k, d, err)
			}
			var one mat.Dense
			one.Mul(m.Unmixing(), m.Mixing())
			for i := range k {
				for j := range k {
					want := 0.0
					if i == j {
						want = 1
					}
					near(t, "W A", one.At(i, j), want, 1e-9)
				}
				col := mat.Col(nil, i, got)
				near(t, "variance", variance(col), 1, 1e-9)
				near(t, "kurtosis", m.Kurtosis()[i], ica.Kurtosis(col), 1e-8)
			}
			back, err := m.Inverse(got)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 50 {
				for j := range k {
					near(t, "the way back", back.At(i, j), X.At(i, j), 1e-9*(1+math.Abs(X.At(i, j))))
				}
			}
		}
	}
}

func variance(y []float64) float64 {
	m, s := 0.0, 0.0
	for _, v := range y {
		m += v / float64(len(y))
	}
	for _, v := range y {
		s += (v - m) * (v - m) / float64(len(y))
	}
	return s
}

// One step from a start, written out as in the textbook, is the step of a fit that may make one.
func TestStepByHand(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	X := mixed(voices(r, 1500, 3), gaussians(r, 3, 3))
	start := gaussians(r, 3, 3)
	for _, c := range []ica.Contrast{ica.LogCosh, ica.Exp, ica.Cube} {
		m := fit(t, X, ica.Options{Contrast: c, Method: ica.Deflation, Start: start, MaxIter: 1})
		z := whitened(m, X)
		w := orthogonal(start)
		var rows []([]float64)
		for i := range 3 {
			row := mat.Row(nil, i, w)
			against(row, rows)
			next, slope := make([]float64, 3), 0.0
			for n := range 1500 {
				g, gg := c.Slopes(inner(row, z.RawRowView(n)))
				for j, v := range z.RawRowView(n) {
					next[j] += v * g / 1500
				}
				slope += gg / 1500
			}
			for j := range next {
				next[j] -= slope * row[j]
			}
			against(next, rows)
			rows = append(rows, next)
		}
		R := m.Rotation()
		for i := range 3 {
			best := 0.0
			for _, row := range rows {
				best = max(best, math.Abs(inner(row, mat.Row(nil, i, R))))
			}
			near(t, c.String(), best, 1, 1e-12)
		}
	}
}

func whitened(m *ica.Model, X *mat.Dense) *mat.Dense {
	c := mat.DenseCopyOf(X)
	c.Apply(func(_, j int, v float64) float64 { return v - m.Mean()[j] }, c)
	var z mat.Dense
	z.Mul(c, m.Whitening().T())
	return &z
}

// orthogonal is (W W^T)^-1/2 W by the iteration W <- 3/2 W - 1/2 W W^T W.
func orthogonal(W *mat.Dense) *mat.Dense {
	w := mat.DenseCopyOf(W)
	w.Scale(1/mat.Norm(w, 2), w)
	for range 200 {
		var cube mat.Dense
		cube.Product(w, w.T(), w)
		cube.Scale(0.5, &cube)
		w.Scale(1.5, w)
		w.Sub(w, &cube)
	}
	return w
}

func against(w []float64, rows [][]float64) {
	for range 2 {
		for _, r := range rows {
			a := inner(w, r)
			for j := range w {
				w[j] -= a * r[j]
			}
		}
	}
	l := math.Sqrt(inner(w, w))
	for j := range w {
		w[j] /= l
	}
}

func inner(a, b []float64) float64 {
	s := 0.0
	for i := range a {
		s += a[i] * b[i]
	}
	return s
}

// Where infomax stops, the equations of the likelihood hold: E[tanh(y_i) y_j] = 0 up to the sign and E[y_i y_j] for i != j.
func TestInfomaxStationary(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	X := mixed(voices(r, 3000, 3), gaussians(r, 3, 3))
	m := fit(t, X, ica.Options{Method: ica.Infomax})
	near(t, "converged", map[bool]float64{true: 1}[m.Converged()], 1, 0)
	y, err := m.Transform(X)
	if err != nil {
		t.Fatal(err)
	}
	signs := 0
	for i, k := range m.Kurtosis() {
		sign := math.Copysign(1, k)
		if sign < 0 {
			signs++
		}
		// The scale c of the likelihood's own y is not 1: it solves 1 = sign E[tanh(cy) cy] + c^2.
		scale := func(col []float64, sign float64) float64 {
			lo, hi := 0.01, 3.0
			for range 200 {
				c := (lo + hi) / 2
				s := c * c
				for _, v := range col {
					s += sign * math.Tanh(c*v) * c * v / 3000
				}
				if s < 1 {
					lo = c
				} else {
					hi = c
				}
			}
			return lo
		}
		a := mat.Col(nil, i, y)
		ca := scale(a, sign)
		for j := range 3 {
			if j == i {
				continue
			}
			b := mat.Col(nil, j, y)
			s := 0.0
			for n := range a {
				s += (sign*math.Tanh(ca*a[n]) + ca*a[n]) * b[n] / 3000
			}
			near(t, "the equation of a pair", s, 0, 1e-7)
		}
	}
	if signs != 2 {
		t.Errorf("%d flat sources, want 2: the uniform and the coin", signs)
	}
}

// Samples of Gaussians are reported, samples of voices are not.
func TestGaussiansAreReported(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, c := range []ica.Contrast{ica.LogCosh, ica.Exp, ica.Cube} {
		said, wrong := 0, 0
		for range 60 {
			m := fit(t, gaussians(r, 1000, 3), ica.Options{Contrast: c, MaxIter: 50})
			if len(m.Gaussian()) == 3 {
				said++
			}
			m = fit(t, voices(r, 1000, 3), ica.Options{Contrast: c, MaxIter: 50})
			wrong += len(m.Gaussian())
		}
		if said < 54 || wrong > 0 {
			t.Errorf("%s: %d of 60 Gaussian samples were reported, and %d voices", c, said, wrong)
		}
	}
}

func TestErrors(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	X := voices(r, 50, 3)
	twice := mat.DenseCopyOf(X)
	for i := range 50 {
		twice.Set(i, 2, twice.At(i, 0)+twice.At(i, 1))
	}
	flat := mat.DenseCopyOf(gaussians(r, 3, 3))
	flat.SetRow(2, flat.RawRowView(0))
	for what, f := range map[string]func() error{
		"two dimensions": func() error { _, err := ica.Fit(context.Background(), twice, ica.Options{}); return err },
		"few rows":       func() error { _, err := ica.Fit(context.Background(), X.Slice(0, 3, 0, 3), ica.Options{}); return err },
		"singular start": func() error { _, err := ica.Fit(context.Background(), X, ica.Options{Start: flat}); return err },
		"small start": func() error {
			_, err := ica.Fit(context.Background(), X, ica.Options{Start: gaussians(r, 2, 2)})
			return err
		},
		"many components":  func() error { _, err := ica.Fit(context.Background(), X, ica.Options{Components: 4}); return err },
		"constant":         func() error { _, err := ica.Entropy(make([]float64, 20)); return err },
		"NaN":              func() error { _, err := ica.CumulantNegentropy([]float64{1, math.NaN()}); return err },
		"wide plane":       func() error { _, err := ica.PlaneOf(X); return err },
		"unlike":           func() error { _, err := ica.Match(X, twice.Slice(0, 40, 0, 3)); return err },
		"unknown contrast": func() error { _, err := ica.Gap(7, []float64{1, 2, 3}); return err },
	} {
		if f() == nil {
			t.Errorf("%s: no error", what)
		}
	}
	m := fit(t, twice, ica.Options{Components: 2})
	back, err := m.Inverse(must(m.Transform(twice)))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "two components make all three columns", back.At(7, 2), twice.At(7, 2), 1e-10)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// The fast paths beside the definitions: the quartic form, the contrasts, the assignment by all orders.
func TestPlane(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	Z := mixed(voices(r, 400, 2), gaussians(r, 2, 2))
	p := must(ica.PlaneOf(Z))
	for _, deg := range []float64{-20, 0, 33, 90, 151} {
		s, c := math.Sincos(deg * math.Pi / 180)
		y := make([]float64, 400)
		for i := range y {
			y[i] = c*Z.At(i, 0) + s*Z.At(i, 1)
		}
		near(t, "kurtosis", p.Kurtosis(deg), ica.Kurtosis(y), 1e-9*(1+math.Abs(ica.Kurtosis(y))))
	}
}

func TestContrasts(t *testing.T) {
	for _, c := range []ica.Contrast{ica.LogCosh, ica.Exp, ica.Cube} {
		for _, y := range []float64{-2.5, -0.3, 0, 0.7, 3} {
			const h = 1e-5
			first, second := c.Slopes(y)
			near(t, "g", (c.G(y+h)-c.G(y-h))/(2*h), first, 1e-8)
			up, _ := c.Slopes(y + h)
			down, _ := c.Slopes(y - h)
			near(t, "g'", (up-down)/(2*h), second, 1e-8)
		}
	}
	near(t, "log cosh of a large number", ica.LogCosh.G(1000), 1000-math.Ln2, 1e-12)
}

func TestMatch(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range 40 {
		S, T := gaussians(r, 30, 4), gaussians(r, 30, 4)
		m := must(ica.Match(S, T))
		got := 0.0
		for _, c := range m.Correlation {
			got += c
		}
		best := 0.0
		permutations(4, func(p []int) {
			sum := 0.0
			for j, i := range p {
				sum += math.Abs(correlation(mat.Col(nil, i, S), mat.Col(nil, j, T)))
			}
			best = max(best, sum)
		})
		near(t, "the sum of correlations", got, best, 1e-12)
	}
	S := voices(r, 200, 3)
	turned := mat.NewDense(200, 3, nil)
	for i := range 200 {
		turned.SetRow(i, []float64{-2 * S.At(i, 1), S.At(i, 2) / 3, 5 - S.At(i, 0)})
	}
	m := must(ica.Match(turned, S))
	if !slices.Equal(m.Order, []int{2, 0, 1}) {
		t.Errorf("order %v", m.Order)
	}
	near(t, "scale", m.Scale[1], -0.5, 1e-12)
	back := must(m.Apply(turned))
	near(t, "a source", back.At(5, 2)-back.At(9, 2), S.At(5, 2)-S.At(9, 2), 1e-12)
}

func correlation(a, b []float64) float64 {
	ma, mb := 0.0, 0.0
	for i := range a {
		ma, mb = ma+a[i]/float64(len(a)), mb+b[i]/float64(len(b))
	}
	s := 0.0
	for i := range a {
		s += (a[i] - ma) * (b[i] - mb) / float64(len(a))
	}
	return s / math.Sqrt(variance(a)*variance(b))
}

func permutations(n int, f func([]int)) {
	p := make([]int, n)
	var grow func(i int, used uint)
	grow = func(i int, used uint) {
		if i == n {
			f(p)
			return
		}
		for v := range n {
			if used>>v&1 == 0 {
				p[i] = v
				grow(i+1, used|1<<v)
			}
		}
	}
	grow(0, 0)
}

// The Amari distance is 0 up to order, sign and scale, at most 1, and 1 where every entry is as large as the others.
func TestAmari(t *testing.T) {
	A := mat.NewDense(3, 3, []float64{0, -2, 0, 0, 0, 5, 0.1, 0, 0})
	I := mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1})
	near(t, "a permutation", must(ica.Amari(I, A)), 0, 0)
	ones := mat.NewDense(3, 3, []float64{1, 1, 1, 1, -1, 1, 1, 1, 1})
	near(t, "all alike", must(ica.Amari(I, ones)), 1, 1e-15)
	// By hand for (1 1; 0 1): one row and one column hold a second entry as large as the first, of 2 k (k-1) = 4.
	near(t, "by hand", must(ica.Amari(mat.NewDense(2, 2, []float64{1, 0, 0, 1}), mat.NewDense(2, 2, []float64{1, 1, 0, 1}))), 0.5, 1e-15)
}

// Entropies of large samples are those of their densities.
func TestEntropy(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	S, n := voices(r, 40000, 2), gaussians(r, 40000, 1)
	for _, c := range []struct {
		what    string
		y       []float64
		h, j, c float64
	}{
		{"uniform", mat.Col(nil, 0, S), 1.242453325, 0.176485208, 1.44 / 48},
		{"Laplace", mat.Col(nil, 1, S), 1.346573590, 0.072364943, 9. / 48},
		{"Gaussian", mat.Col(nil, 0, n), 1.418938533, 0, 0},
	} {
		near(t, "entropy of "+c.what, must(ica.Entropy(c.y)), c.h, 0.02)
		near(t, "negentropy of "+c.what, must(ica.Negentropy(c.y)), c.j, 0.02)
		near(t, "cumulants of "+c.what, must(ica.CumulantNegentropy(c.y)), c.c, 0.03)
	}
	y := mat.Col(nil, 1, S)
	five := slices.Clone(y)
	for i := range five {
		five[i] = 5*five[i] - 3
	}
	near(t, "entropy of 5y", must(ica.Entropy(five)), must(ica.Entropy(y))+math.Log(5), 1e-9)
	near(t, "negentropy of 5y", must(ica.Negentropy(five)), must(ica.Negentropy(y)), 1e-9)
	near(t, "gap of the Laplace density", must(ica.Gap(ica.LogCosh, y)), 0.338237-0.374567, 0.004)
}

// SciPy 1.17.1: stats.differential_entropy([sin(i*i) + i/7 for i in range(1, 41)], method="ebrahimi").
func TestEntropyBesideSciPy(t *testing.T) {
	y := make([]float64, 40)
	for i := range y {
		v := float64(i + 1)
		y[i] = math.Sin(v*v) + v/7
	}
	near(t, "entropy", must(ica.Entropy(y)), 1.8866767057394498, 1e-10)
}
