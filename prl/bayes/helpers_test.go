package bayes

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
)

func iris(t testing.TB) (*mat.Dense, []int) {
	t.Helper()
	s := datasets.Iris()
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return s.X, s.Y
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s: got %.15g, want %.15g, |difference| %.2g > %.2g", what, got, want, math.Abs(got-want), tol)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
