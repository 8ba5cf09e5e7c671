package linear

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// multiply proves a certificate by multiplication: the sums are zero, the dual norm is within its bound, and the floor is what it says.
func multiply(t *testing.T, what string, m *NormFit, X *mat.Dense, y []float64, o Rows, p, tau float64) {
	t.Helper()
	c := m.Certificate()
	r, err := m.Residuals(X, y)
	if err != nil {
		t.Fatal(err)
	}
	n, d := X.Dims()
	weight := func(i int) float64 {
		if o.Weights == nil {
			return 1
		}
		return o.Weights[i]
	}
	scaled, dual, floor, sum, size := make([]float64, n), make([]float64, n), 0.0, 0.0, 0.0
	for i, s := range c.Dual {
		sum += s
		floor += s * y[i]
		size += math.Abs(s * y[i])
		if weight(i) == 0 {
			if s != 0 {
				t.Error(what, "a row of weight zero has a number")
			}
			continue
		}
		scaled[i] = r[i] * math.Pow(weight(i), 1/p)
		dual[i] = s / math.Pow(weight(i), 1/p)
	}
	tol := 1e-9 * (1 + size)
	if !o.NoIntercept && math.Abs(sum) > 1e-10*float64(n) {
		t.Errorf("%s: the numbers sum to %g", what, sum)
	}
	for j := range d {
		s, big := 0.0, 1.0
		for i, v := range c.Dual {
			s += v * X.At(i, j)
			big = max(big, math.Abs(X.At(i, j)))
		}
		if math.Abs(s) > 1e-9*big*float64(n) {
			t.Errorf("%s: their products with column %d sum to %g", what, j, s)
		}
	}
	value := norm(scaled, p)
	if tau > 0 {
		value = 0
		for i, v := range r {
			value += weight(i) * max(tau*v, (tau-1)*v)
			if dual[i] > tau+1e-12 || dual[i] < tau-1-1e-12 {
				t.Errorf("%s: number %d is %g", what, i, dual[i])
			}
		}
	} else {
		q := p / (p - 1)
		if p == 1 {
			q = math.Inf(1)
		}
		if math.IsInf(p, 1) {
			q = 1
		}
		if got := norm(dual, q); got > 1+1e-9 {
			t.Errorf("%s: the dual norm is %g", what, got)
		}
	}
	if math.Abs(floor-c.Floor) > tol || math.Abs(value-c.Value) > tol || value-floor > 1e-8*(1+value) || floor > value+tol {
		t.Errorf("%s: value %.12g (says %.12g), floor %.12g (says %.12g)", what, value, c.Value, floor, c.Floor)
	}
}

// Boscovich's five arcs of the meridian (Koenker 2005): L1 and Linf by hand with their certificates.
func TestArcs(t *testing.T) {
	X := mat.NewDense(5, 1, []float64{0, .2987, .4648, .5762, .8386})
	y := []float64{51, 337, 279, 374, 722}
	for _, c := range []struct {
		p, value float64
		dual     []float64
	}{
		{1, 328.946, []float64{0.11483, 1, -1, -1, 0.88517}},
		{math.Inf(1), 88.2225, []float64{0, 0.34618, -0.5, 0, 0.15382}},
	} {
		m, err := Lp(t.Context(), X, y, c.p, Rows{})
		if err != nil {
			t.Fatal(err)
		}
		multiply(t, fmt.Sprint("arcs ", c.p), m, X, y, Rows{}, c.p, 0)
		near(t, "value", []float64{m.Certificate().Value}, []float64{c.value}, 1e-6)
		near(t, "dual", m.Certificate().Dual, c.dual, 1e-5)
	}
	for _, p := range []float64{1.01, 1.2, 1.5, 2, 3, 10, 100, 1000} {
		m, err := Lp(t.Context(), X, y, p, Rows{})
		if err != nil {
			t.Fatal(err)
		}
		multiply(t, fmt.Sprint("arcs ", p), m, X, y, Rows{}, p, 0)
	}
}

// stackRows is the oxidation of ammonia: air, water, acid, loss (Brownlee 1965).
var stackRows = [][]float64{
	{80, 27, 89, 42},
	{80, 27, 88, 37},
	{75, 25, 90, 37},
	{62, 24, 87, 28},
	{62, 22, 87, 18},
	{62, 23, 87, 18},
	{62, 24, 93, 19},
	{62, 24, 93, 20},
	{58, 23, 87, 15},
	{58, 18, 80, 14},
	{58, 18, 89, 14},
	{58, 17, 88, 13},
	{58, 18, 82, 11},
	{58, 19, 93, 12},
	{50, 18, 89, 8},
	{50, 18, 86, 7},
	{50, 19, 72, 8},
	{50, 19, 79, 8},
	{50, 20, 80, 9},
	{56, 20, 82, 15},
	{70, 20, 91, 15},
}

// Stack loss (Brownlee 1965), L1: the figures of quantreg's documentation.
func TestStackLoss(t *testing.T) {
	X, y := split(stackRows, 3)
	m, err := Lp(t.Context(), X, y, 1, Rows{})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "L1", append([]float64{m.Intercept()}, m.Coefficients()...), []float64{-39.68985507, .83188406, .57391304, -.06086957}, 1e-8)
	near(t, "sum", []float64{m.Certificate().Value}, []float64{42.0811594}, 1e-8)
	ls, err := LeastSquares(t.Context(), X, y, Options{})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "L2", ls.Theta(), []float64{-39.91967, .71564, 1.29529, -.15212}, 1e-5)
}

// Every norm and quantile on drawn rows, tied and whole numbers among them, with and without weights and intercept; at p = 2 least squares.
func TestNormsAreCertified(t *testing.T) {
	draw := rand.New(rand.NewPCG(7, 7))
	for turn := range 60 {
		n, d := 3+draw.IntN(30), 1+draw.IntN(4)
		X, y := mat.NewDense(n, d, nil), make([]float64, n)
		o := Rows{NoIntercept: turn%3 == 0}
		if turn%4 == 1 {
			o.Weights = make([]float64, n)
		}
		for i := range n {
			y[i] = 3 * draw.NormFloat64()
			for j := range d {
				X.Set(i, j, draw.NormFloat64()*math.Pow(10, float64(j)))
				if turn%2 == 0 {
					X.Set(i, j, float64(draw.IntN(5)))
				}
			}
			if turn%2 == 0 {
				y[i] = math.Round(y[i])
			}
			if o.Weights != nil {
				o.Weights[i] = float64(i%4) / 2
			}
		}
		for _, p := range []float64{1, 1.1, 1.5, 2, 3, 8, 50, math.Inf(1)} {
			what := fmt.Sprintf("turn %d, %d x %d, p %v", turn, n, d, p)
			m, err := Lp(t.Context(), X, y, p, o)
			if err != nil {
				t.Error(what, err)
				continue
			}
			multiply(t, what, m, X, y, o, p, 0)
			if p == 2 {
				ls, err := LeastSquares(t.Context(), X, y, Options{Rows: o})
				if err != nil {
					t.Fatal(err)
				}
				near(t, what, m.Coefficients(), ls.Coefficients(), 1e-7)
			}
		}
		for _, tau := range []float64{0.1, 0.5, 0.9} {
			what := fmt.Sprintf("turn %d, %d x %d, tau %v", turn, n, d, tau)
			m, err := Quantile(t.Context(), X, y, tau, o)
			if err != nil {
				t.Error(what, err)
				continue
			}
			multiply(t, what, m, X, y, o, 1, tau)
		}
	}
}
