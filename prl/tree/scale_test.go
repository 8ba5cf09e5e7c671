package tree

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// A weight has no unit: a tree, a stump and the gains of thresholds are the same for all multiples, also where sums or squares of sums of
// the weights leave the range of float64.
func TestWeightsOfAnyScale(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	n := 200
	x, y, target, base := mat.NewDense(n, 3, nil), make([]int, n), make([]float64, n), make([]float64, n)
	for i := range n {
		for j := range 3 {
			x.Set(i, j, r.NormFloat64())
		}
		if x.At(i, 0)*x.At(i, 1)+0.3*r.NormFloat64() > 0 {
			y[i] = 1
		}
		target[i] = x.At(i, 2) + float64(y[i])
		base[i] = float64(1 + r.IntN(3))
	}
	scaled := func(c float64) []float64 {
		w := make([]float64, n)
		for i := range w {
			w[i] = c * base[i]
		}
		return w
	}
	shape := func(w []float64, criterion Criterion) (splits []Node, stump Stump, loss float64) {
		o := Options{}
		o.Criterion, o.Weights = criterion, w
		c, err := Fit(t.Context(), x, y, o)
		if err != nil {
			t.Fatal(err)
		}
		g, err := FitRegression(t.Context(), x, target, o)
		if err != nil {
			t.Fatal(err)
		}
		P, err := c.Proba(x)
		if err != nil || P.At(0, 0)-P.At(0, 0) != 0 {
			t.Fatal(P.At(0, 0), err)
		}
		for _, n := range append(c.Nodes(), g.Nodes()...) {
			if !(n.Weight > 0) || math.IsInf(n.Weight, 1) || !(n.Impurity >= 0) {
				t.Fatalf("node %+v", n)
			}
			n.Weight, n.Impurity, n.Value = 0, 0, nil
			splits = append(splits, n)
		}
		stump, loss, err = FitStump(t.Context(), x, y, w)
		if err != nil {
			t.Fatal(err)
		}
		return splits, stump, loss
	}
	for _, criterion := range []Criterion{Gini, Entropy, Error} {
		nodes, stump, loss := shape(scaled(1), criterion)
		for _, c := range []float64{1e-300, 1e-200, 1e-150, 1e-90, 1e90, 1e150, 1e200, 5e307} {
			n2, s2, l2 := shape(scaled(c), criterion)
			if !reflect.DeepEqual(nodes, n2) || stump != s2 || math.Abs(loss-l2) > 1e-14 {
				t.Errorf("%s, weights times %g: another tree of %d nodes for %d, or another stump %v (%v) for %v (%v)", criterion, c,
					len(n2), len(nodes), s2, l2, stump, loss)
			}
		}
	}
	share, err := Stump{Feature: 0, Left: 1}.Error(x, y, scaled(5e307))
	if want, _ := (Stump{Feature: 0, Left: 1}).Error(x, y, base); err != nil || math.Abs(share-want) > 1e-14 {
		t.Error(share, want, err)
	}
}

// Squared errors of targets that are too large or too close are no numbers; the fit says so.
func TestTargetsBeyondSquares(t *testing.T) {
	X := mat.NewDense(4, 1, []float64{1, 2, 3, 4})
	for _, c := range []float64{1e200, 1e-200} {
		_, err := FitRegression(t.Context(), X, []float64{0, c, 2 * c, 4 * c}, Options{})
		if err == nil || !strings.Contains(err.Error(), "target is spread over") {
			t.Error(c, err)
		}
	}
	m, err := FitRegression(t.Context(), X, []float64{1e200, 1e200, 1e200, 1e200}, Options{})
	if err != nil || m.Leaves() != 1 {
		t.Error(m, err)
	}
}

// Points of a wrong length have no class and no value.
func TestWrongLengths(t *testing.T) {
	X := mat.NewDense(4, 2, []float64{1, 1, 2, 1, 3, 1, 4, 1})
	c, err := Fit(t.Context(), X, []int{0, 0, 1, 1}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := FitRegression(t.Context(), X, []float64{0, 0, 1, 1}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := Stump{Feature: 1, Threshold: 2, Right: 1}
	for _, x := range [][]float64{nil, {1}, {1, 2, 3}, {1, math.NaN()}} {
		if k, v := c.Class(x...), m.Value(x...); k != -1 || !math.IsNaN(v) {
			t.Errorf("%v: class %d, value %v", x, k, v)
		}
	}
	if s.Class() != -1 || s.Class(1) != -1 || s.Class(1, 2) != 0 || (Stump{Feature: -1}).Class(1) != -1 {
		t.Error(s.Class(), s.Class(1), s.Class(1, 2))
	}
}
