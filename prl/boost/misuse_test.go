package boost

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/tree"
)

// A learner of one's own that returns nothing is an error of the round, not a panic.
func TestLearnerWithoutHypothesis(t *testing.T) {
	X, y := mat.NewDense(4, 1, []float64{1, 2, 3, 4}), []int{0, 1, 0, 1}
	for name, h := range map[string]Hypothesis{"nil": nil, "a nil pointer": (*tree.Classifier)(nil)} {
		o := Options{}
		o.Learner = Weighted("empty", func(context.Context, *mat.Dense, []int, []float64) (Hypothesis, error) { return h, nil })
		_, err := Fit(t.Context(), X, y, o)
		if err == nil || !strings.Contains(err.Error(), "round 1: the learner returns no weak classifier") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := Votes(X, []Hypothesis{tree.Stump{}, h}); err == nil || !strings.Contains(err.Error(), "pool[1] is nil") {
			t.Errorf("%s: %v", name, err)
		}
	}
	o := Options{}
	o.Learner = unprepared{}
	if _, err := Fit(t.Context(), X, y, o); err == nil || !strings.Contains(err.Error(), "Prepare returns nil") {
		t.Error(err)
	}
	if got := Draw(nil, 5, rand.New(rand.NewPCG(1, 1))); got != nil {
		t.Error(got)
	}
}

type unprepared struct{}

func (unprepared) Prepare(*mat.Dense, []int) (Fit1, error) { return nil, nil }
func (unprepared) String() string                          { return "unprepared" }

// Sample weights are a distribution up to scale, whatever the scale; errors are shares of it, never above one; and a point of a wrong
// length has no class.
func TestScaleOfWeights(t *testing.T) {
	X, y := mat.NewDense(30, 1, nil), make([]int, 30)
	base := make([]float64, 30)
	for i := range 30 {
		X.Set(i, 0, float64(i))
		y[i] = i / 3 % 2
		base[i] = float64(1 + i%3)
	}
	fit := func(c float64) (*Model, []float64, *Trace) {
		o := Options{}
		for _, v := range base {
			o.Weights = append(o.Weights, c*v)
		}
		m, err := Fit(t.Context(), X, y, o)
		if err != nil {
			t.Fatal(err)
		}
		staged, err := m.Staged(X, y, o.Weights)
		if err != nil {
			t.Fatal(err)
		}
		tr, err := m.Trace(X, y, o.Weights)
		if err != nil {
			t.Fatal(err)
		}
		return m, staged, tr
	}
	want, _, _ := fit(1)
	for _, c := range []float64{1, 1e-300, 1e-150, 1e150, 5e307} {
		m, staged, tr := fit(c)
		if m.Len() != want.Len() {
			t.Fatalf("weights times %g: %d rounds, want %d", c, m.Len(), want.Len())
		}
		for i, r := range m.Rounds() {
			if math.Abs(r.Alpha-want.Rounds()[i].Alpha) > 1e-9 {
				t.Errorf("weights times %g: alpha %v, want %v", c, r.Alpha, want.Rounds()[i].Alpha)
			}
		}
		for i, e := range staged {
			if !(e >= 0 && e <= 1) || e != tr.Error[i] {
				t.Errorf("weights times %g: error %v after %d rounds", c, e, i)
			}
		}
		for _, x := range [][]float64{nil, {1, 2}, {math.NaN()}} {
			if k := m.Class(x...); k != -1 {
				t.Errorf("the class of %v is %d", x, k)
			}
		}
		if !math.IsNaN(m.Score([]float64{1, 2})) {
			t.Error("a score of a point of a wrong length")
		}
	}
	// Ten thousand equal weights add up to a little more than one.
	n := 10_000
	many, labels := mat.NewDense(n, 1, nil), make([]int, n)
	for i := range n {
		many.Set(i, 0, float64(i))
		labels[i] = i % 2
	}
	weights := make([]float64, n)
	for i := range weights {
		weights[i] = 0.1 + 1e-3*float64(i%7)
	}
	e, err := want.Staged(many, labels, weights)
	if err != nil || e[0] > 1 {
		t.Error(e[0], err)
	}
}
