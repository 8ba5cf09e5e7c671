package estimator

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestBalanced(t *testing.T) {
	y := []int{0, 0, 0, 1, 2, 2}
	for _, c := range []struct{ weights, given, want []float64 }{
		{nil, nil, []float64{6. / 9, 6. / 3, 6. / 6}},
		{nil, []float64{3, 1, 2}, []float64{2, 2, 2}},
		{[]float64{1, 1, 0, 4, 1, 1}, nil, []float64{8. / 6, 8. / 12, 8. / 6}},
		{[]float64{1e300, 1e300, 0, 4e300, 1e300, 1e300}, nil, []float64{8. / 6, 8. / 12, 8. / 6}},
		{[]float64{1, 1, 1, 0, 1, 1}, nil, []float64{5. / 6, 1, 5. / 4}}, // class 1 has no rows
	} {
		got := Balanced(y, c.weights, c.given, 3)
		for k, v := range c.want {
			if math.Abs(got[k]-v) > 1e-15 {
				t.Errorf("weights %v, factors %v: %v, want %v", c.weights, c.given, got, c.want)
			}
		}
	}
	weights := []float64{1, 2, 3, 4, 5, 6}
	if got := RowWeights(y, weights, nil, false, 3); &got[0] != &weights[0] {
		t.Error("weights without factors are copied")
	}
	if got := RowWeights(y, nil, []float64{1, 2, 3}, false, 3); !slices.Equal(got, []float64{1, 1, 1, 2, 3, 3}) {
		t.Error(got)
	}
	if got := RowWeights(y, weights, []float64{1, 2, 3}, false, 3); !slices.Equal(got, []float64{1, 2, 3, 8, 15, 18}) {
		t.Error(got)
	}
	sums := make([]float64, 3)
	for i, w := range RowWeights(y, weights, nil, true, 3) {
		sums[y[i]] += w
	}
	for c, s := range sums {
		if math.Abs(s-7) > 1e-14 {
			t.Errorf("class %d weighs %v of 21", c, s)
		}
	}
	for want, factors := range map[string][]float64{
		"": nil, "ClassWeights is 1 numbers": {1}, "ClassWeights[1] is -1": {1, -1, 1}, "ClassWeights[2] is +Inf": {1, 1, math.Inf(1)},
	} {
		err := CheckFactors("f", factors, 3)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", factors, err)
		}
	}
}
