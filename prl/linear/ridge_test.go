package linear

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// R's data set longley (in the public domain): prices on six others.
var longleyPrices = [][]float64{
	{83, 234.289, 235.6, 159, 107.608, 1947, 60.323},
	{88.5, 259.426, 232.5, 145.6, 108.632, 1948, 61.122},
	{88.2, 258.054, 368.2, 161.6, 109.773, 1949, 60.171},
	{89.5, 284.599, 335.1, 165, 110.929, 1950, 61.187},
	{96.2, 328.975, 209.9, 309.9, 112.075, 1951, 63.221},
	{98.1, 346.999, 193.2, 359.4, 113.27, 1952, 63.639},
	{99, 365.385, 187, 354.7, 115.094, 1953, 64.989},
	{100, 363.112, 357.8, 335, 116.219, 1954, 63.761},
	{101.2, 397.469, 290.4, 304.8, 117.388, 1955, 66.019},
	{104.6, 419.18, 282.2, 285.7, 118.734, 1956, 67.857},
	{108.4, 442.769, 293.6, 279.8, 120.445, 1957, 68.169},
	{110.8, 444.546, 468.1, 263.7, 121.95, 1958, 66.513},
	{112.6, 482.704, 381.3, 255.2, 123.366, 1959, 68.655},
	{114.2, 502.601, 393.1, 251.4, 125.368, 1960, 69.564},
	{115.7, 518.173, 480.6, 257.2, 127.852, 1961, 69.331},
	{116.9, 554.894, 400.7, 282.7, 130.081, 1962, 70.551},
}

// split returns the rows without their column c, and that column.
func split(rows [][]float64, c int) (*mat.Dense, []float64) {
	X, y := mat.NewDense(len(rows), len(rows[0])-1, nil), make([]float64, len(rows))
	for i, row := range rows {
		k := 0
		for j, v := range row {
			if j == c {
				y[i] = v
				continue
			}
			X.Set(i, k, v)
			k++
		}
	}
	return X, y
}

func near(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d numbers, want %d", what, len(got), len(want))
		return
	}
	for i, w := range want {
		if !(math.Abs(got[i]-w) <= tol*(1+math.Abs(w))) {
			t.Errorf("%s[%d] = %.15g, want %.15g", what, i, got[i], w)
		}
	}
}

// Figures of lm.ridge (R 4.2.2, MASS 7.3-58.2), of which the first three also stand in its documentation.
func TestRidgeLongley(t *testing.T) {
	X, y := split(longleyPrices, 0)
	var lambdas []float64
	for i := range 101 {
		lambdas = append(lambdas, float64(i)/1000)
	}
	p, err := RidgePath(t.Context(), X, y, lambdas, RidgeOptions{Standardize: true})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "HKB", []float64{p.HoerlKennardBaldwin}, []float64{0.0068369817126224}, 1e-9)
	near(t, "LW", []float64{p.LawlessWang}, []float64{0.05267246505142}, 1e-9)
	if p.At(p.Best()).Lambda() != 0.006 {
		t.Error("least GCV at", p.At(p.Best()).Lambda())
	}
	m := p.At(10)
	near(t, "coefficients", append([]float64{m.Intercept()}, m.Coefficients()...), []float64{
		-904.52578005801, 0.15152188902529, 0.016171296434645, 0.0064913458238792, -1.1590755052312, 0.55193666533898, -0.031397509824883,
	}, 1e-10)
}

// Ridge is least squares with added rows sqrt(lambda) I and targets 0; the penalised equations hold, with weights and in every scaling.
func TestRidgeIsAddedRows(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 1))
	for _, shape := range [][2]int{{20, 3}, {5, 9}, {12, 12}} {
		n, d := shape[0], shape[1]
		X, y := mat.NewDense(n, d, nil), make([]float64, n)
		w := make([]float64, n)
		for i := range n {
			for j := range d {
				X.Set(i, j, draw.NormFloat64()*float64(1+j))
			}
			y[i], w[i] = draw.NormFloat64(), float64(i%3)
		}
		const lambda = 0.7
		m, err := Ridge(t.Context(), X, y, RidgeOptions{Rows: Rows{Weights: w}, Lambda: lambda})
		if err != nil {
			t.Fatal(err)
		}
		r, err := m.Residuals(X, y)
		if err != nil {
			t.Fatal(err)
		}
		sum, rss := 0.0, 0.0
		for i, v := range r {
			sum += w[i] * v
			rss += w[i] * v * v
		}
		near(t, "sum of residuals", []float64{sum}, []float64{0}, 1e-12)
		near(t, "RSS", []float64{m.RSS()}, []float64{rss}, 1e-11)
		for j, b := range m.Coefficients() {
			s := -lambda * b
			for i, v := range r {
				s += w[i] * v * X.At(i, j)
			}
			near(t, "equation", []float64{s}, []float64{0}, 1e-11)
		}
		total := 0.0
		for _, v := range w {
			total += v
		}
		for s := HalfMean; s <= Cost; s++ {
			other, err := Sum.To(s, lambda, total)
			if err != nil {
				t.Fatal(err)
			}
			back, _ := s.To(Sum, other, total)
			near(t, "there and back", []float64{back}, []float64{lambda}, 1e-14)
			k, err := Ridge(t.Context(), X, y, RidgeOptions{Rows: Rows{Weights: w}, Lambda: other, Scaling: s})
			if err != nil {
				t.Fatal(err)
			}
			near(t, s.String(), k.Coefficients(), m.Coefficients(), 1e-13)
		}
	}
}

// The example of the notes: rows (1,0), (0,1), (1,1) with targets 1, 2, 2, lambda 1, no intercept: (0.625, 1.125).
func TestRidgeByHand(t *testing.T) {
	X := mat.NewDense(3, 2, []float64{1, 0, 0, 1, 1, 1})
	m, err := Ridge(t.Context(), X, []float64{1, 2, 2}, RidgeOptions{Rows: Rows{NoIntercept: true}, Lambda: 1})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "w", m.Coefficients(), []float64{0.625, 1.125}, 1e-14)
	near(t, "df", []float64{m.DF()}, []float64{1.25}, 1e-14) // 3/4 + 1/2
}

// The products of the columns and the reflections give the same fits, where the first rows are far from the others too and where least
// squares leave next to nothing; columns that are nearly one leave the products out.
func TestRidgeTwoWays(t *testing.T) {
	const n = 3000
	X, y := drawn(n, 6)
	weights, exact := make([]float64, n), make([]float64, n)
	for i := range weights {
		weights[i] = 0.5 + float64(i%7)
		X.Set(i, 2, 1e5+X.At(i, 2))
		X.Set(i, 3, X.At(i, 3)+30*float64(i/firstRows))
		exact[i] = 2*X.At(i, 0) - X.At(i, 3) + 1e-6*y[i]
	}
	for k, target := range [][]float64{y, exact} {
		tol := []float64{1e-11, 1e-9}[k] // residuals of a millionth of the targets have six digits less
		for _, o := range []RidgeOptions{{}, {Standardize: true}, {Rows: Rows{Weights: weights}}, {Rows: Rows{NoIntercept: true}}} {
			p, err := checked(t.Context(), "test", X, target, o.Rows, blockRows)
			if err != nil {
				t.Fatal(err)
			}
			one, err := p.fromProducts(t.Context(), o.Standardize)
			if err != nil || one == nil != o.NoIntercept { // far from zero the third column hides the others
				t.Fatalf("%+v: %v, %v", o, one, err)
			}
			if one == nil {
				continue
			}
			a := p.shrunk(3, 3, one)
			p.scale = nil
			p.centre()
			two, err := p.fromReflections(t.Context(), o.Standardize)
			if err != nil {
				t.Fatal(err)
			}
			b := p.shrunk(3, 3, two)
			near(t, "coefficients", a.Coefficients(), b.Coefficients(), 1e-9)
			near(t, "intercept", []float64{a.Intercept()}, []float64{b.Intercept()}, 1e-9)
			near(t, "RSS, DF", []float64{a.RSS() / b.RSS(), a.DF()}, []float64{1, b.DF()}, tol)
			near(t, "what least squares leaves", []float64{one.left / two.left}, []float64{1}, tol)
		}
	}
}

// The unit of the columns and that of the target do not matter, from the smallest numbers to the largest.
func TestRidgeUnits(t *testing.T) {
	X, y := drawn(30, 3)
	for _, lambda := range []float64{0, 7} {
		want, err := Ridge(t.Context(), X, y, RidgeOptions{Lambda: lambda})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range []int{-1000, -535, -525, -515, 505, 515, 525, 1000} {
			if lambda > 0 && max(e, -e) > 510 {
				continue // lambda would be no number
			}
			Z, z := mat.NewDense(30, 3, nil), make([]float64, 30)
			Z.Apply(func(i, j int, _ float64) float64 { return math.Ldexp(X.At(i, j), e) }, Z)
			for i, v := range y {
				z[i] = math.Ldexp(v, min(e, 508))
			}
			got, err := Ridge(t.Context(), Z, y, RidgeOptions{Lambda: math.Ldexp(lambda, 2*e)})
			if err != nil {
				t.Fatal(err)
			}
			for j, v := range got.Coefficients() {
				near(t, "coefficients", []float64{math.Ldexp(v, e)}, []float64{want.Coefficients()[j]}, 1e-13)
			}
			near(t, "RSS, DF", []float64{got.RSS(), got.DF()}, []float64{want.RSS(), want.DF()}, 1e-13)
			if got, err = Ridge(t.Context(), X, z, RidgeOptions{Lambda: lambda}); err != nil {
				t.Fatal(err)
			}
			if v := math.Ldexp(want.RSS(), 2*min(e, 508)); !(math.Abs(got.RSS()-v) <= 1e-13*v) {
				t.Errorf("a target times 2^%d: RSS %g, want %g", e, got.RSS(), v)
			}
		}
	}
}

// So with the shortest solution of least squares.
func TestMinimumNormUnits(t *testing.T) {
	for _, e := range []int{-1000, -530, 530, 1000} {
		one := math.Ldexp(1, e)
		X := mat.NewDense(4, 2, []float64{one, one, 2 * one, 2 * one, 3 * one, 3 * one, 5 * one, 5 * one})
		m, err := LeastSquares(t.Context(), X, []float64{3, 5, 7, 11}, Options{MinimumNorm: true})
		if err != nil {
			t.Fatal(err)
		}
		b := m.Coefficients()
		near(t, "coefficients", []float64{m.Intercept(), b[0] * one, b[1] * one}, []float64{1, 1, 1}, 1e-14)
	}
}

// A weight counts rows, from the smallest numbers to the largest.
func TestWeightUnits(t *testing.T) {
	X, y := drawn(30, 3)
	weights, scaled := make([]float64, 30), make([]float64, 30)
	for i := range weights {
		weights[i] = 1 + float64(i%3)
	}
	ridge, err := Ridge(t.Context(), X, y, RidgeOptions{Rows: Rows{Weights: weights}, Lambda: 7})
	if err != nil {
		t.Fatal(err)
	}
	squares, err := LeastSquares(t.Context(), X, y, Options{Rows: Rows{Weights: weights}})
	if err != nil {
		t.Fatal(err)
	}
	penalised := func(weights []float64, lambda float64) (lasso, group *LassoFit) {
		o := LassoOptions{Rows: Rows{Weights: weights}, Lambda: lambda, Scaling: Sum}
		lasso, err := Lasso(t.Context(), X, y, o)
		if err != nil {
			t.Fatal(err)
		}
		if group, err = GroupLasso(t.Context(), X, y, []int{0, 0, 1}, o); err != nil {
			t.Fatal(err)
		}
		return lasso, group
	}
	lasso, group := penalised(weights, 20)
	for _, e := range []int{-1000, -600, -400, 400, 600, 1000} {
		for i, w := range weights {
			scaled[i] = math.Ldexp(w, e)
		}
		l, g := penalised(scaled, math.Ldexp(20, e))
		near(t, "lasso", l.Coefficients(), lasso.Coefficients(), 1e-13)
		near(t, "groups", g.Coefficients(), group.Coefficients(), 1e-13)
		r, err := Ridge(t.Context(), X, y, RidgeOptions{Rows: Rows{Weights: scaled}, Lambda: math.Ldexp(7, e)})
		if err != nil {
			t.Fatal(err)
		}
		near(t, "coefficients", r.Coefficients(), ridge.Coefficients(), 1e-13)
		near(t, "RSS, DF", []float64{math.Ldexp(r.RSS(), -e), r.DF()}, []float64{ridge.RSS(), ridge.DF()}, 1e-13)
		s, err := LeastSquares(t.Context(), X, y, Options{Rows: Rows{Weights: scaled}})
		if err != nil {
			t.Fatal(err)
		}
		near(t, "least squares", s.Coefficients(), squares.Coefficients(), 1e-13)
		near(t, "RSS, errors", append(s.StandardErrors(), math.Ldexp(s.RSS(), -e)), append(squares.StandardErrors(), squares.RSS()), 1e-13)
		near(t, "form", []float64{s.t.Skew, s.t.Kurtosis, s.t.Durbin}, []float64{squares.t.Skew, squares.t.Kurtosis, squares.t.Durbin}, 1e-13)
	}
	scaled[0], scaled[1] = math.MaxFloat64, math.MaxFloat64
	if _, err := Ridge(t.Context(), X, y, RidgeOptions{Rows: Rows{Weights: scaled}}); err == nil {
		t.Error("weights with an infinite sum")
	}
}
