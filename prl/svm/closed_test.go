package svm

import "testing"

// 2y = 4 and 3x + y = 5 need a pivot from below; equal rows have no solution.
func TestEliminate(t *testing.T) {
	A := [][]float64{{0, 2, 4}, {3, 1, 5}}
	if !eliminate(A) || A[0][2] != 1 || A[1][2] != 2 {
		t.Errorf("solution %v", A)
	}
	B := [][]float64{{2, 0, 0, 2}, {0, 0, 4, 12}, {0, 8, 0, 16}}
	if !eliminate(B) || B[0][3] != 1 || B[1][3] != 2 || B[2][3] != 3 {
		t.Errorf("solution %v", B)
	}
	for _, singular := range [][][]float64{{{1, 2, 3}, {1, 2, 4}}, {{0, 1}}, {{1, 0, 1}, {5, 0, 2}}} {
		if eliminate(singular) {
			t.Errorf("%v has no solution", singular)
		}
	}
}

// A model that was not fitted, or whose kernel knows no points, has no support vectors to show.
func TestNoSupportVectors(t *testing.T) {
	if m := new(Model).SupportVectors(); m != nil {
		t.Errorf("support vectors %v", m)
	}
}
