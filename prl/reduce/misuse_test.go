package reduce

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// What does not exist has no numbers, and does not panic.
func TestNoSuchAxis(t *testing.T) {
	p, err := FitPCA(t.Context(), mat.NewDense(4, 2, []float64{1, 2, 3, 5, 5, 6, 8, 8}), PCAOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range []int{-1, 2, 9} {
		if p.Axis(j) != nil {
			t.Errorf("axis %d is %v", j, p.Axis(j))
		}
	}
	if len(p.Axis(1)) != 2 || new(PCA).Axis(0) != nil {
		t.Error(p.Axis(1), new(PCA).Axis(0))
	}
	unit := mat.NewSymDense(2, []float64{1, 0, 0, 1})
	for _, w := range [][]float64{nil, {1}, {1, 2, 3}} {
		if j := Rayleigh(unit, unit, w); !math.IsNaN(j) {
			t.Errorf("the quotient at %v is %v", w, j)
		}
	}
}
