package svm

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/kernel"
)

// binS makes the first rows of the generated data set bin_S of the reference figures: s <- 6364136223846793005 s + 1442695040888963407 from
// s = 31; u = (s >> 11)/2^53; x and e are sums of twelve u less 6; y = 1 if x0 x1 + x2^2/2 - 1/2 + x3/2 + 0.3 e > 0; six decimals are kept.
func binS(rows int) (*mat.Dense, []int) {
	s := uint64(31)
	normal := func() float64 {
		sum := 0.0
		for range 12 {
			s = s*6364136223846793005 + 1442695040888963407
			sum += float64(s>>11) / (1 << 53)
		}
		return sum - 6
	}
	X, y := mat.NewDense(rows, 4, nil), make([]int, rows)
	for i := range rows {
		x := X.RawRowView(i)
		for j := range x {
			x[j] = normal()
		}
		e := normal()
		if x[0]*x[1]+0.5*x[2]*x[2]-0.5+0.5*x[3]+0.3*e > 0 {
			y[i] = 1
		}
		for j, v := range x {
			x[j] = math.Round(v*1e6) / 1e6
		}
	}
	return X, y
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %.12g, want %.12g within %g", what, got, want, tol)
	}
}

func fit(t testing.TB, X mat.Matrix, y []int, change func(*Options)) *Model {
	t.Helper()
	o := DefaultOptions()
	o.Tol = 1e-9
	if change != nil {
		change(&o)
	}
	m, err := Fit(t.Context(), X, y, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func hard(o *Options) { o.Slack = HardMargin }

// Each reference names where its figures come from. Cases on the heart_scale data are not here, since those data may not be copied.
func TestReferences(t *testing.T) {
	binX, binY := binS(200)
	and := mat.NewDense(4, 2, []float64{0, 0, 0, 1, 1, 0, 1, 1})
	six := mat.NewDense(6, 2, []float64{2, 2, 4, 4, 4, 0, 0, 0, 2, 0, 0, 2})
	for _, c := range []struct {
		name, source string
		X            *mat.Dense
		y            []int
		change       func(*Options)
		dual, b      float64 // b NaN: not compared
		tolDual      float64
		tolB         float64
		alpha, w     []float64
		support      int
		bounded      int
	}{
		{"xor-poly2", "Haykin, Neural Networks, XOR example: alpha = 1/8, J = 1/4, |w|^2 = 1/2; exact",
			mat.NewDense(4, 2, []float64{-1, -1, -1, 1, 1, -1, 1, 1}), []int{0, 1, 1, 0},
			func(o *Options) { o.Slack = HardMargin; o.Kernel = kernel.Poly{Degree: 2, Gamma: 1, Coef0: 1} },
			0.25, 0, 1e-6, 1e-6, []float64{0.125, 0.125, 0.125, 0.125}, nil, 4, 0},
		{"soft-two-points", "closed form: KKT, any b with slack >= 0 for both points",
			mat.NewDense(2, 1, []float64{-1, 1}), []int{0, 1}, func(o *Options) { o.C = 0.1 },
			0.18, math.NaN(), 1e-7, 0, []float64{0.1, 0.1}, []float64{0.2}, 2, 2},
		{"binS-rbf", "cvxopt 1.3.0, scikit-learn SVC tol=1e-9: |difference| of the objective 8.4e-12, of b 2.7e-9",
			binX, binY, func(o *Options) { o.Kernel = kernel.RBF{Gamma: 0.25} },
			80.606903369279, 0.61529531717369, 1e-8, 1e-7, nil, nil, 115, 89},
		{"and", "course notes CS 5.3: w = (2, 2), b = -3, alpha = (0, 2, 2, 4), exact",
			and, []int{0, 0, 0, 1}, hard, 4, -3, 1e-8, 1e-8, []float64{0, 2, 2, 4}, []float64{2, 2}, 3, 0},
		{"six-points", "course notes FA 1.10: w = (1, 1), b = -3, |w|^2 = 2, exact; alpha is not unique",
			six, []int{1, 1, 1, 0, 0, 0}, hard, 1, -3, 1e-8, 1e-8, nil, []float64{1, 1}, -1, 0},
		{"and, C = 16/4", "course notes EC 7: the hard margin is reached at C = max alpha = 4",
			and, []int{0, 0, 0, 1}, func(o *Options) { o.C = 4 }, 4, -3, 1e-8, 1e-8, nil, []float64{2, 2}, 3, -1},
		{"libsvm-params", "scikit-learn test_libsvm_parameters: dual_coef -/+0.25, support 1 and 3, intercept 0",
			mat.NewDense(6, 2, []float64{-2, -1, -1, -1, -1, -2, 1, 1, 1, 2, 2, 1}), []int{0, 0, 0, 1, 1, 1}, nil,
			0.25, 0, 1e-9, 1e-9, []float64{0, 0.25, 0, 0.25, 0, 0}, []float64{0.5, 0.5}, 2, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := fit(t, c.X, c.y, c.change)
			q := m.Certificate()
			near(t, "dual objective ("+c.source+")", q.Dual, c.dual, c.tolDual)
			if !math.IsNaN(c.b) {
				near(t, "b", m.Bias(), c.b, c.tolB)
			} else if b := m.Bias(); b < -0.8 || b > 0.8 {
				t.Errorf("b = %g, want in [-0.8, 0.8]", b)
			}
			for i, a := range c.alpha {
				near(t, "alpha", m.Alpha()[i], a, 1e-7)
			}
			if c.w != nil {
				w, err := m.Weights()
				if err != nil {
					t.Fatal(err)
				}
				for j, v := range c.w {
					near(t, "w", w[0][j], v, 1e-7)
				}
			}
			if c.support >= 0 && q.Support != c.support {
				t.Errorf("%d support vectors, want %d", q.Support, c.support)
			}
			if c.bounded >= 0 && q.Bounded != c.bounded {
				t.Errorf("%d bounded support vectors, want %d", q.Bounded, c.bounded)
			}
			if q.Gap < -1e-9 || q.Gap > 1e-6 {
				t.Errorf("gap %g", q.Gap)
			}
		})
	}
}

// The sum of the multipliers of binS-rbf has its own figure in the source.
func TestReferenceSumOfAlpha(t *testing.T) {
	X, y := binS(200)
	m := fit(t, X, y, func(o *Options) { o.Kernel = kernel.RBF{Gamma: 0.25} })
	sum := 0.0
	for _, a := range m.Alpha() {
		sum += a
	}
	near(t, "sum of alpha", sum, 103.09837579201, 1e-6)
}
