package estimator

import (
	"math"
	"testing"
)

// ScaleWeights keeps usual weights as they are, and the ratios of others to the bit.
func TestScaleWeights(t *testing.T) {
	usual := []float64{1, 0, 2.5, 1e-90}
	if got := ScaleWeights(usual); &got[0] != &usual[0] {
		t.Error("usual weights were copied")
	}
	if ScaleWeights(nil) != nil {
		t.Error("nil")
	}
	for _, c := range []float64{1e-300, 1e-150, 1e150, 5e307} {
		w := []float64{c, 3 * c, 0, 2.5 * c}
		got := ScaleWeights(w)
		if w[0] != c {
			t.Fatal("the weights of the caller were changed")
		}
		for i, v := range got {
			if v/got[0] != w[i]/w[0] || v != 0 && !(v > 0.1 && v < 1.01) {
				t.Errorf("%g: %v", c, got)
			}
		}
	}
	if got := ScaleWeights([]float64{1e-300, math.MaxFloat64}); got[0] != 0 && got[0] > 1e-300 || got[1] != 1 && got[1] < 0.5 {
		t.Error(got)
	}
}
