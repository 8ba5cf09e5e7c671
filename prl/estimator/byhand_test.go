package estimator_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

func TestLabels(t *testing.T) {
	for _, c := range []struct {
		y    []int
		n, k int
		want string
	}{
		{[]int{0, 1}, 2, 2, ""},
		{[]int{2, 1, 0}, 3, 3, ""},
		{[]int{0, 1}, 3, 0, "y is 2 labels"},
		{nil, 0, 0, "all of one class"},
		{[]int{0, -1}, 2, 0, "y[1] is -1"},
		{[]int{0, 2}, 2, 0, "y[1] is 2"},
		{[]int{0, 0}, 2, 0, "all of one class"},
		{[]int{1, 1, 1}, 3, 0, "without class 0"},
		{[]int{0, 2, 0}, 3, 0, "without class 1"},
	} {
		k, err := estimator.CheckLabels("f", c.y, c.n)
		var a *fault.ArgumentError
		if k != c.k || (err == nil) != (c.want == "") || err != nil && (!errors.As(err, &a) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v of %d: %d, %v", c.y, c.n, k, err)
		}
	}
}

// Rows are looked at from lo to hi-1, whether they lie one behind the other or apart.
func TestRowsAndShapes(t *testing.T) {
	whole := mat.NewDense(5, 3, nil)
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for row := range 5 {
			whole.Zero()
			whole.Set(row, 2, bad)
			for name, X := range map[string]*mat.Dense{"together": whole, "apart": whole.Slice(0, 5, 1, 3).(*mat.Dense)} {
				for lo := range 5 {
					for hi := lo; hi <= 5; hi++ {
						if err := estimator.CheckRows("f", X, lo, hi); (err != nil) != (lo <= row && row < hi) {
							t.Errorf("%s, %v in row %d of %d ... %d: %v", name, bad, row, lo, hi, err)
						}
					}
				}
				if estimator.CheckX("f", X) == nil || estimator.CheckWidth("f", X, X.RawMatrix().Cols) == nil ||
					estimator.CheckShape("f", X, X.RawMatrix().Cols) != nil {
					t.Errorf("%s: a look at the numbers", name)
				}
			}
		}
	}
	for want, err := range map[string]error{
		"X is 5 x 3":           estimator.CheckShape("f", whole, 2),
		"X is nil":             estimator.CheckShape("f", nil, 2),
		"X is 0 x 0":           estimator.CheckWidth("f", &mat.SymDense{}, 2),
		"the model is":         estimator.CheckShape("f", whole, 0),
		"v is +Inf":            estimator.CheckPositive("f", "v", math.Inf(1), 1),
		"v is 0":               estimator.CheckPositive("f", "v", 0, 1),
		"Weights[0] is -1":     estimator.CheckWeights("f", []float64{-1, 2}, 2),
		"Weights[1] is NaN":    estimator.CheckWeights("f", []float64{1, math.NaN()}, 2),
		"p[1] is 1.5":          estimator.CheckProbabilities("f", "p", []float64{math.Copysign(0, -1), 1.5}),
		"p[0] is NaN":          estimator.CheckProbabilities("f", "p", []float64{math.NaN()}),
		"which sums to 0":      estimator.CheckProbabilities("f", "p", nil),
		"a whole number from ": estimator.CheckCount("f", "k", 0, 1, 3),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if err := errors.Join(estimator.CheckProbabilities("f", "p", []float64{1, 0}),
		estimator.CheckProbabilities("f", "p", []float64{0.5, 0.5 + 5e-10}), estimator.CheckCount("f", "k", 1, 1, 1)); err != nil {
		t.Error(err)
	}
	if estimator.CheckProbabilities("f", "p", []float64{0.5, 0.5 + 2e-9}) == nil {
		t.Error("a sum of 1 + 2e-9")
	}
}

// Fits is count = rows * columns in whole numbers without overflow.
func TestFits(t *testing.T) {
	for rows := -1; rows <= 4; rows++ {
		for columns := -1; columns <= 4; columns++ {
			for count := -1; count <= 17; count++ {
				if got, want := estimator.Fits(count, rows, columns), rows > 0 && columns > 0 && rows*columns == count; got != want {
					t.Errorf("%d numbers in %d x %d: %v", count, rows, columns, got)
				}
			}
		}
	}
	if estimator.Fits(0, 1<<32, 1<<32) || estimator.Fits(1<<33, 1<<32+1<<62, 4) {
		t.Error("a product that overflows")
	}
}
