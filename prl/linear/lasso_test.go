package linear

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// golden is the example of the notes: no intercept, RSS + lambda |w|_1.
func golden() (*mat.Dense, []float64, LassoOptions) {
	return mat.NewDense(3, 2, []float64{1, 0, 0, 1, 1, 1}), []float64{1, 2, 2}, LassoOptions{Rows: Rows{NoIntercept: true}, Scaling: Sum}
}

func TestLassoByHand(t *testing.T) {
	X, y, o := golden()
	want := [][]float64{
		{.5, 1.5}, {1. / 3, 4. / 3}, {1. / 6, 7. / 6}, {0, 1}, {0, .75}, {0, .5}, {0, .25}, {0, 0},
	}
	for i, w := range want {
		o.Lambda = float64(i + 1)
		m, err := Lasso(t.Context(), X, y, o)
		if err != nil {
			t.Fatal(err)
		}
		near(t, fmt.Sprint("lambda ", o.Lambda), m.Coefficients(), w, 1e-12)
	}
	knots, err := LARS(t.Context(), X, y, o)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		lambda float64
		w      []float64
		enters int
	}{{8, []float64{0, 0}, 1}, {4, []float64{0, 1}, 0}, {0, []float64{2. / 3, 5. / 3}, -1}} {
		near(t, "knot", append([]float64{knots[i].Lambda}, knots[i].Coefficients...), append([]float64{want.lambda}, want.w...), 1e-13)
		if knots[i].Enters != want.enters || len(knots) != 3 {
			t.Error(knots)
		}
	}
}

// problem draws rows whose columns are correlated, of different sizes, one of them constant.
func problem(draw *rand.Rand, n, d int) (*mat.Dense, []float64) {
	X, y := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		common := draw.NormFloat64()
		for j := range d {
			X.Set(i, j, (draw.NormFloat64()+common)*math.Pow(2, float64(j%4))+float64(j))
			if j%3 == 0 {
				y[i] += X.At(i, j) / float64(j+1)
			}
		}
		if d > 5 {
			X.Set(i, 5, 3)
		}
		y[i] += 2 * draw.NormFloat64()
	}
	return X, y
}

// optimal reports conditions of optimality that do not hold, of 1/2 RSS + one |w|_1 + two/2 |w|^2.
func optimal(t *testing.T, what string, X *mat.Dense, y, w []float64, m *Model, one, two, tol float64) {
	t.Helper()
	r, err := m.Residuals(X, y)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for i := range r {
		if w != nil {
			r[i] *= w[i]
		}
		sum += r[i]
	}
	if math.Abs(sum) > tol {
		t.Errorf("%s: residuals sum to %g", what, sum)
	}
	for j, b := range m.Coefficients() {
		g := -two * b
		for i, v := range r {
			g += v * X.At(i, j)
		}
		switch {
		case b == 0 && math.Abs(g) > one+tol:
			t.Errorf("%s: column %d is zero, its product %g is above %g", what, j, g, one)
		case b != 0 && math.Abs(g-math.Copysign(one, b)) > tol:
			t.Errorf("%s: column %d has %g, its product is %g and not %g", what, j, b, g, one)
		}
	}
}

func TestLassoIsOptimal(t *testing.T) {
	draw := rand.New(rand.NewPCG(5, 5))
	for _, shape := range [][2]int{{50, 8}, {12, 30}, {80, 20}} {
		n, d := shape[0], shape[1]
		X, y := problem(draw, n, d)
		w, total := make([]float64, n), 0.0
		for i := range w {
			w[i] = float64(1 + i%3)
			total += w[i]
		}
		for _, share := range []float64{1, 0.4} {
			p, err := LassoPath(t.Context(), X, y, nil, LassoOptions{Rows: Rows{Weights: w}, L1: share, Tol: 1e-14})
			if err != nil {
				t.Fatal(err)
			}
			if len(p.At(0).Nonzero()) > 0 || len(p.At(1).Nonzero()) == 0 {
				t.Error("the path does not begin where the first coefficient leaves zero")
			}
			for i := range p.Len() {
				m := p.At(i)
				l := m.Lambda() * total
				optimal(t, fmt.Sprintf("%d x %d, L1 %g, lambda %d", n, d, share, i), X, y, w, &m.Model, l*share, l*(1-share), 1e-4)
				if m.Gap() > 1e-13*p.At(0).Objective() {
					t.Errorf("gap %g of %g", m.Gap(), m.Objective())
				}
			}
		}
	}
}

// Between two knots the lasso is the mean of them; at knots columns enter and leave as they say.
func TestKnots(t *testing.T) {
	draw := rand.New(rand.NewPCG(8, 1))
	left := 0
	for _, shape := range [][2]int{{40, 8}, {15, 25}, {30, 12}} {
		X, y := problem(draw, shape[0], shape[1])
		o := LassoOptions{Standardize: true, Tol: 1e-15}
		knots, err := LARS(t.Context(), X, y, o)
		if err != nil {
			t.Fatal(err)
		}
		for i := range knots[1:] {
			a, b := knots[i], knots[i+1]
			if a.Lambda < b.Lambda {
				t.Errorf("knot %d at %g, the next at %g", i, a.Lambda, b.Lambda)
			}
			if b.Leaves >= 0 {
				left++
			}
			o.Lambda = 0.3*a.Lambda + 0.7*b.Lambda
			m, err := Lasso(t.Context(), X, y, o)
			if err != nil {
				t.Fatal(err)
			}
			want := make([]float64, len(a.Coefficients))
			for j := range want {
				want[j] = 0.3*a.Coefficients[j] + 0.7*b.Coefficients[j]
			}
			near(t, fmt.Sprint(shape, " after knot ", i), m.Coefficients(), want, 1e-6)
		}
	}
	if left == 0 {
		t.Error("no column has left on the way")
	}
}

// By brute force: of all patterns of signs one fulfils the conditions, and it is the lasso's.
func TestLassoByPatterns(t *testing.T) {
	draw := rand.New(rand.NewPCG(2, 9))
	for range 30 {
		X, y := mat.NewDense(6, 3, nil), make([]float64, 6)
		for i := range y {
			y[i] = draw.NormFloat64()
			for j := range 3 {
				X.Set(i, j, draw.NormFloat64())
			}
		}
		lambda := 2 * draw.Float64()
		m, err := Lasso(t.Context(), X, y, LassoOptions{Rows: Rows{NoIntercept: true}, Lambda: lambda, Scaling: HalfSum})
		if err != nil {
			t.Fatal(err)
		}
		best := math.Inf(1)
		for pattern := range 27 {
			signs := []float64{float64(pattern%3) - 1, float64(pattern/3%3) - 1, float64(pattern/9) - 1}
			var in []int
			for j, s := range signs {
				if s != 0 {
					in = append(in, j)
				}
			}
			w := make([]float64, 3)
			if k := len(in); k > 0 {
				A, b := mat.NewDense(k, k, nil), mat.NewVecDense(k, nil)
				for a, i := range in {
					for c, j := range in {
						A.Set(a, c, mat.Dot(X.ColView(i), X.ColView(j)))
					}
					b.SetVec(a, mat.Dot(X.ColView(i), mat.NewVecDense(6, y))-lambda*signs[i])
				}
				var v mat.VecDense
				if v.SolveVec(A, b) != nil {
					continue
				}
				fits := true
				for a, i := range in {
					w[i] = v.AtVec(a)
					fits = fits && w[i]*signs[i] > 0
				}
				if !fits {
					continue
				}
			}
			value := 0.0
			for i := range y {
				r := y[i] - X.At(i, 0)*w[0] - X.At(i, 1)*w[1] - X.At(i, 2)*w[2]
				value += r * r / 2
			}
			for _, v := range w {
				value += lambda * math.Abs(v)
			}
			best = min(best, value)
		}
		near(t, "objective", []float64{m.Objective()}, []float64{best}, 1e-10)
	}
}

func TestGroupLasso(t *testing.T) {
	draw := rand.New(rand.NewPCG(4, 4))
	X, y := problem(draw, 60, 9)
	groups := []int{0, 0, 1, 1, 1, 2, 3, 3, 0}
	empty := 0
	for _, lambda := range []float64{0.01, 0.3, 1, 3, 1e6} {
		m, err := GroupLasso(t.Context(), X, y, groups, LassoOptions{Lambda: lambda, Tol: 1e-15})
		if err != nil {
			t.Fatal(err)
		}
		r, _ := m.Residuals(X, y)
		w := m.Coefficients()
		for g := range 4 {
			var products, own []float64
			for j, of := range groups {
				if of == g {
					s := 0.0
					for i, v := range r {
						s += v * X.At(i, j) / 60
					}
					products, own = append(products, s), append(own, w[j])
				}
			}
			level := lambda * math.Sqrt(float64(len(own)))
			if norm := length(own); norm == 0 {
				empty++
				if length(products) > level*(1+1e-6) {
					t.Errorf("lambda %g: group %d is zero, its products %g are above %g", lambda, g, length(products), level)
				}
			} else {
				for i := range own {
					near(t, fmt.Sprint("lambda ", lambda, " group ", g), products[i:i+1], []float64{level * own[i] / norm}, 1e-5)
				}
			}
		}
	}
	if empty < 6 {
		t.Error("hardly a group is zero")
	}
	// Groups of one column are the lasso.
	m, err := GroupLasso(t.Context(), X, y, []int{0, 1, 2, 3, 4, 5, 6, 7, 8}, LassoOptions{Lambda: 0.5, Tol: 1e-15})
	if err != nil {
		t.Fatal(err)
	}
	l, err := Lasso(t.Context(), X, y, LassoOptions{Lambda: 0.5, Tol: 1e-15})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "groups of one", m.Coefficients(), l.Coefficients(), 1e-6)
	near(t, "objective", []float64{m.Objective()}, []float64{l.Objective()}, 1e-12)
}
