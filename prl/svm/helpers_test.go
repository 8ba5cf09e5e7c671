package svm

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
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
