package svm

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %.12g, want %.12g within %g", what, got, want, tol)
	}
}

func fit(t testing.TB, X mat.Matrix, y []int, change func(*Options)) *Model {
	t.Helper()
	o := Options{}
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
