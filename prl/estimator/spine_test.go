package estimator_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/internal/share"
	"github.com/prlab/prlab/prl/sparse"
)

var rows = mat.NewDense(5, 2, []float64{1, 0, 0, 2, 3, 0, 0, 4, 5, 0})

func TestRowsOfWeightZeroAreLeftOut(t *testing.T) {
	w := []float64{2, 0, 1, 0.5, 0}
	for name, X := range map[string]mat.Matrix{"dense": rows, "sparse": sparse.Of(rows), "other": rows.T().T()} {
		r, err := estimator.NewRows(t.Context(), "x.Fit", X, w)
		if err != nil {
			t.Fatal(err)
		}
		want := mat.NewDense(3, 2, []float64{1, 0, 3, 0, 0, 4})
		if r.N != 3 || r.D != 2 || !mat.Equal(r.Dense(), want) || !slices.Equal(r.W, []float64{2, 1, 0.5}) ||
			!slices.Equal(r.Kept, []int{0, 2, 3}) {
			t.Errorf("%s: %v", name, r)
		}
		if _, still := r.X.(*sparse.CSR); still != (name == "sparse") {
			t.Errorf("%s: the rows are a %T", name, r.X)
		}
	}
	r, err := estimator.NewRows(t.Context(), "x.Fit", rows, nil)
	if err != nil || r.W != nil || r.Kept != nil || r.Dense() != rows || r.Weight(3) != 1 {
		t.Errorf("without weights: %v, %v", r, err)
	}
	if r, err = estimator.NewRows(t.Context(), "x.Fit", rows, []float64{1, 0, 1, 1, 1}); err != nil || r.W != nil || r.N != 4 {
		t.Errorf("of ones and a zero there are weights: %v, %v", r, err)
	}
}

func TestWeightsAreScaledAndMultiplied(t *testing.T) {
	y := []int{0, 1, 0, 0, 1}
	l, err := estimator.NewLabelled(t.Context(), "x.Fit", rows, y, estimator.Weighting{
		Weights: []float64{3e200, 1e200, 2e200, 0, 1e200}, ClassWeights: []float64{1, 5},
	})
	if err != nil {
		t.Fatal(err)
	}
	if l.N != 4 || l.K != 2 || !slices.Equal(l.Y, []int{0, 1, 0, 1}) || l.Weight(1) != 5*l.Weight(0)/3 || l.Weight(0) > 1e100 {
		t.Errorf("%v", l)
	}
	l, err = estimator.NewLabelled(t.Context(), "x.Fit", rows, y, estimator.Weighting{Balanced: true})
	if err != nil || math.Abs(3*l.Weight(0)-2*l.Weight(1)) > 1e-15 {
		t.Errorf("balanced: %v, %v", l, err)
	}
	r, err := estimator.NewRows(t.Context(), "x.Fit", rows, []float64{1e300, 2e300, 3e300, 4e300, 5e300})
	if err != nil || r.Factor*r.W[2] != 3e300 || r.W[4] > 10 {
		t.Errorf("the factor of extreme weights: %v, %v", r, err)
	}
	target := []float64{1, 2, 3, 4, 5}
	g, err := estimator.NewTargeted(t.Context(), "x.Fit", rows, target, []float64{0, 1, 1, 1, 2})
	if err != nil || !slices.Equal(g.Y, []float64{2, 3, 4, 5}) || g.Weight(3) != 2 {
		t.Errorf("targets: %v, %v", g, err)
	}
}

func TestDataOfAFitAreChecked(t *testing.T) {
	y := []int{0, 1, 0, 0, 1}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for want, err := range map[string]error{
		"x.Fit: X is nil":             second(estimator.NewRows(t.Context(), "x.Fit", nil, nil)),
		"x.Fit: Weights is 1 numbers": second(estimator.NewRows(t.Context(), "x.Fit", rows, []float64{1})),
		"x.Fit: y is 1 labels":        second(estimator.NewLabelled(t.Context(), "x.Fit", rows, []int{0}, estimator.Weighting{})),
		"zero for all of class 1": second(estimator.NewLabelled(t.Context(), "x.Fit", rows, y,
			estimator.Weighting{Weights: []float64{1, 0, 1, 1, 0}})),
		"x.Fit: ClassWeights[1] is -1": second(estimator.NewLabelled(t.Context(), "x.Fit", rows, y,
			estimator.Weighting{ClassWeights: []float64{1, -1}})),
		"x.Fit: Weights[1] is +Inf": second(estimator.NewLabelled(t.Context(), "x.Fit", rows, y,
			estimator.Weighting{Weights: []float64{1, 1e99, 1, 1, 1}, ClassWeights: []float64{1, math.MaxFloat64}})),
		"x.Fit: target[2] is NaN":    second(estimator.NewTargeted(t.Context(), "x.Fit", rows, []float64{1, 2, math.NaN(), 4, 5}, nil)),
		"x.Fit: target is 1 numbers": second(estimator.NewTargeted(t.Context(), "x.Fit", rows, []float64{1}, nil)),
		"x.Fit: context canceled":    second(estimator.NewLabelled(gone, "x.Fit", rows, y, estimator.Weighting{})),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
	if _, err := estimator.NewRows(gone, "x.Fit", rows, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func second[T any](_ T, err error) error { return err }

// A sloped classifier has the scores 0 and slope times x_0.
type sloped struct{ slope float64 }

func (s *sloped) scores(z, x []float64) {
	for i := 0; 2*i < len(x); i++ {
		z[2*i], z[2*i+1] = 0, s.slope*x[2*i]
	}
}

func (s *sloped) spine(cost float64) *estimator.Discriminant[*sloped] {
	c := estimator.Classification[*sloped]{Model: s, Kind: "test.Sloped", K: 2, Scores: (*sloped).scores, Cost: cost}
	if s.slope != 0 {
		c.D = 2
	}
	return &estimator.Discriminant[*sloped]{Against0: true, Classification: c}
}

// What the spine makes of scores is what their definition says, row by row and on several goroutines.
func TestDiscriminant(t *testing.T) {
	const n = 1000
	X := mat.NewDense(n, 2, nil)
	for i := range n {
		X.Set(i, 0, float64(i%7)-3)
	}
	m := &sloped{0.5}
	for _, cost := range []float64{0, 1e5} {
		share.Eagerly(func() {
			s := m.spine(cost)
			y, err1 := s.Predict(X)
			P, err2 := s.Proba(X)
			L, err3 := s.LogProba(X)
			D, err4 := s.Decision(X)
			if err := errors.Join(err1, err2, err3, err4); err != nil {
				t.Fatal(err)
			}
			for i := range n {
				f := 0.5 * X.At(i, 0)
				p, class := 1/(1+math.Exp(-f)), 0
				if f > 0 {
					class = 1
				}
				if y[i] != class || s.Class(X.RawRowView(i)...) != class || D.At(i, 0) != f || math.Abs(P.At(i, 1)-p) > 1e-15 ||
					math.Abs(L.At(i, 1)-math.Log(p)) > 1e-15 {
					t.Fatalf("cost %g, row %d: class %d, decision %v, probability %v, its logarithm %v", cost, i, y[i], D.At(i, 0), P.At(i, 1),
						L.At(i, 1))
				}
			}
		})
	}
}

// An error names the method of the model, also of one that is not fitted; a wrong point has no class.
func TestSpineNamesTheModel(t *testing.T) {
	m, zero := &sloped{1}, &sloped{}
	bad := mat.NewDense(300, 2, nil)
	bad.Set(299, 1, math.NaN())
	for want, err := range map[string]error{
		"test.Sloped.Predict: the model is not fitted":  second(zero.spine(0).Predict(rows)),
		"test.Sloped.Proba: the model is not fitted":    second(zero.spine(0).Proba(rows)),
		"test.Sloped.LogProba: the model is not fitted": second(zero.spine(0).LogProba(rows)),
		"test.Sloped.Decision: the model is not fitted": second(zero.spine(0).Decision(rows)),
		"test.Sloped.Predict: X is nil":                 second(m.spine(0).Predict(nil)),
		"test.Sloped.Proba: X is 2 x 5":                 second(m.spine(0).Proba(rows.T())),
		"test.Sloped.Predict: X[299, 1] is NaN":         second(m.spine(0).Predict(bad)),
		"test.Sloped.Decision: X[299, 1] is NaN":        second(m.spine(1e9).Decision(bad)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
	if m.spine(0).Class(1) != -1 || m.spine(0).Class(1, math.NaN()) != -1 || zero.spine(0).Class() != -1 || m.spine(0).Class(1, 0) != 1 {
		t.Error("the class of a point of another length, or with a NaN")
	}
}

// A sum predicts the sum of the features, of which a missing one counts as 10.
type sum struct{ d int }

func (s *sum) values(y, x []float64) {
	for i := range y {
		y[i] = 0
		for _, v := range x[i*s.d : (i+1)*s.d] {
			if v != v {
				v = 10
			}
			y[i] += v
		}
	}
}

func (s *sum) spine(gaps bool, cost float64) *estimator.Regression[*sum] {
	return &estimator.Regression[*sum]{Model: s, Kind: "test.Sum", D: s.d, Values: (*sum).values, Gaps: gaps, Cost: cost}
}

func TestRegression(t *testing.T) {
	X := mat.NewDense(600, 2, nil)
	for i := range 600 {
		X.Set(i, 1, float64(i))
	}
	X.Set(0, 0, math.NaN())
	for _, cost := range []float64{0, 1e5} {
		share.Eagerly(func() {
			y, err := (&sum{2}).spine(true, cost).Predict(X)
			if err != nil || y[0] != 10 || y[599] != 599 {
				t.Error(y, err)
			}
		})
	}
	if _, err := (&sum{2}).spine(false, 0).Predict(X); err == nil || !strings.Contains(err.Error(), "test.Sum.Predict: X[0, 0] is NaN") {
		t.Error(err)
	}
	if _, err := (&sum{}).spine(false, 0).Predict(X); err == nil || !strings.Contains(err.Error(),
		"test.Sum.Predict: the model is not fitted") {
		t.Error(err)
	}
	X.Set(3, 0, math.Inf(1))
	if _, err := (&sum{2}).spine(true, 0).Predict(X); err == nil || !strings.Contains(err.Error(), "or NaN for a gap") {
		t.Error(err)
	}
	s := (&sum{2}).spine(false, 0)
	if s.Value(1, 2) != 3 || !math.IsNaN(s.Value(1)) || !math.IsNaN(s.Value(1, math.NaN())) || (&sum{2}).spine(true,
		0).Value(1, math.NaN()) != 11 {
		t.Error("the value of a point")
	}
}
