package linear

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Figures of rlm (R 4.2.2, MASS) for stack loss at acc = 1e-14: Huber, and the bisquare from Huber's coefficients.
func TestRobustStackLoss(t *testing.T) {
	X, y := split(stackRows, 3)
	h, err := Huber(t.Context(), X, y, RobustOptions{})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "Huber", append([]float64{h.Scale(), h.Intercept()}, h.Coefficients()...),
		[]float64{2.44048904599, -41.026485373295, 0.829385770254, 0.926059415549, -0.127846317965}, 1e-8)
	b, err := Tukey(t.Context(), X, y, RobustOptions{})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "Tukey", append([]float64{b.Scale(), b.Intercept()}, b.Coefficients()...),
		[]float64{2.28185331457, -42.285321536491, 0.927558992802, 0.650711198390, -0.112333123036}, 1e-8)
}

// The location of (1, 2, 3, 4, 100) with a loss that bends at 5, 10 and 50: the mean of clipped numbers, by hand 3.75, 5, 15; far out 22.
func TestHuberLocation(t *testing.T) {
	X, y := mat.NewDense(5, 1, []float64{1, 1, 1, 1, 1}), []float64{1, 2, 3, 4, 100}
	for tune, want := range map[float64]float64{5: 3.75, 10: 5, 50: 15, 200: 22} {
		m, err := Huber(t.Context(), X, y, RobustOptions{Rows: Rows{NoIntercept: true}, Tune: tune, Scale: 1})
		if err != nil {
			t.Fatal(err)
		}
		near(t, "location", m.Coefficients(), []float64{want}, 1e-7)
	}
}

// Half of the rows and more in a plane: the plane, whatever the others do.
func TestExactRows(t *testing.T) {
	X, y := mat.NewDense(7, 1, []float64{0, 1, 2, 3, 4, 5, 6}), []float64{1, 3, 5, 7, 9, 0, 90}
	m, err := Tukey(t.Context(), X, y, RobustOptions{})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "line", []float64{m.Intercept(), m.Coefficients()[0]}, []float64{1, 2}, 1e-6)
}

// The direction of least variance, by all angles.
func TestTotalLeastSquares(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 3))
	X, y := mat.NewDense(30, 1, nil), make([]float64, 30)
	for i := range y {
		v := 5 * draw.NormFloat64()
		X.Set(i, 0, v+draw.NormFloat64()+10)
		y[i] = 2*v + draw.NormFloat64()
	}
	m, err := TotalLeastSquares(t.Context(), X, y, Rows{})
	if err != nil {
		t.Fatal(err)
	}
	value := func(slope, shift float64) (s float64) {
		for i, v := range y {
			r := v - shift - slope*X.At(i, 0)
			s += r * r / (1 + slope*slope)
		}
		return s
	}
	slope, shift := m.Coefficients()[0], m.Intercept()
	for _, by := range []float64{-1e-3, 1e-3} {
		if value(slope+by, shift-10*by) < value(slope, shift) || value(slope, shift+by) < value(slope, shift) {
			t.Error("not the least", slope, shift)
		}
	}
	if _, err := TotalLeastSquares(t.Context(), mat.NewDense(4, 1, []float64{1, -1, 0, 0}), []float64{0, 0, 1, -1}, Rows{}); err == nil {
		t.Error("a plane that is not unique")
	}
}

// Of all sets of columns, with least squares on each: the best one without a negative coefficient, also where columns depend on others.
func TestNonNegativeByBruteForce(t *testing.T) {
	draw := rand.New(rand.NewPCG(12, 1))
	for turn := range 60 {
		n, d := 3+draw.IntN(8), 1+draw.IntN(5)
		X, y := mat.NewDense(n, d, nil), make([]float64, n)
		for i := range n {
			y[i] = draw.NormFloat64()
			for j := range d {
				X.Set(i, j, draw.NormFloat64())
			}
			if turn%5 == 0 && d > 2 {
				X.Set(i, 2, 2*X.At(i, 0))
			}
		}
		o := Rows{NoIntercept: turn%2 == 0}
		m, err := NonNegative(t.Context(), X, y, o)
		if err != nil {
			t.Fatal(err)
		}
		rss := func(m *Model) (s float64) {
			r, _ := m.Residuals(X, y)
			for _, v := range r {
				s += v * v
			}
			return s
		}
		best := math.Inf(1)
		for set := range 1 << d {
			Z := mat.DenseCopyOf(X)
			for j := range d {
				if set>>j&1 == 0 {
					for i := range n {
						Z.Set(i, j, 0)
					}
				}
			}
			f, err := LeastSquares(t.Context(), Z, y, Options{Rows: o})
			if err != nil {
				t.Fatal(err)
			}
			fits := true
			for _, v := range f.Coefficients() {
				fits = fits && v >= 0
			}
			if fits {
				best = min(best, f.RSS())
			}
		}
		near(t, "RSS", []float64{rss(m)}, []float64{best}, 1e-10)
		for _, v := range m.Coefficients() {
			if v < 0 {
				t.Error("negative", m.Coefficients())
			}
		}
	}
}
