package tree

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/prlab/prlab/prl/fuzztest"
)

// A tree asks only for the order of each feature: under increasing maps of the features it keeps its shape, its tests and its leaves.
func TestMonotoneMaps(t *testing.T) {
	maps := []func(v float64) float64{
		func(v float64) float64 { return v },
		func(v float64) float64 { return 4*v - 100 },
		func(v float64) float64 { return v * v * v },
		math.Exp,
		math.Atan,
		func(v float64) float64 { return v + math.Floor(v) },
	}
	rapid.Check(t, func(t *rapid.T) {
		n, d, k := rapid.IntRange(4, 30).Draw(t, "n"), rapid.IntRange(1, 3).Draw(t, "d"), rapid.IntRange(2, 3).Draw(t, "k")
		x, y := fuzztest.Matrix(t, n, d, 3), fuzztest.Labels(t, n, k)
		mapped := mat.DenseCopyOf(x)
		for j := range d {
			f := maps[rapid.IntRange(0, len(maps)-1).Draw(t, "map")]
			for i := range n {
				mapped.Set(i, j, f(x.At(i, j)))
			}
		}
		o := Options{}
		o.Criterion = rapid.SampledFrom([]Criterion{Gini, Entropy}).Draw(t, "criterion")
		o.MinLeaf = rapid.IntRange(1, 3).Draw(t, "least leaf")
		a, err1 := Fit(ctx, x, y, o)
		b, err2 := Fit(ctx, mapped, y, o)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if a.list.len() != b.list.len() {
			t.Fatalf("%d nodes become %d", a.list.len(), b.list.len())
		}
		for i, p := range a.list.all() {
			if q := b.list.at(i); p.Feature != q.Feature || p.Right != q.Right || !slices.Equal(p.Value, q.Value) {
				t.Fatalf("node %d: %+v becomes %+v", i, p, q)
			}
		}
		before, _ := a.Apply(x)
		after, _ := b.Apply(mapped)
		if !slices.Equal(before, after) {
			t.Fatalf("leaves %v become %v", before, after)
		}
	})
}

// Cost-complexity pruning: penalties and risks rise, leaves become fewer, and each tree is nested in the one before: what shares a leaf
// goes on sharing one.
func TestPruningIsNested(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, k := rapid.IntRange(4, 40).Draw(t, "n"), rapid.IntRange(2, 3).Draw(t, "k")
		x, y := fuzztest.Matrix(t, n, 2, 2), fuzztest.Labels(t, n, k)
		full, err := Fit(ctx, x, y, Options{})
		if err != nil {
			t.Fatal(err)
		}
		c := rapid.SampledFrom([]Criterion{Error, Gini, Entropy}).Draw(t, "criterion")
		steps := full.PruningPath(c)
		if last := steps[len(steps)-1]; last.Leaves != 1 {
			t.Fatalf("the path ends with %d leaves", last.Leaves)
		}
		var before []int
		for i, s := range steps {
			if i > 0 && (s.Alpha <= steps[i-1].Alpha || s.Leaves >= steps[i-1].Leaves || s.Risk < steps[i-1].Risk-1e-12) {
				t.Fatalf("step %d: %+v after %+v", i, s, steps[i-1])
			}
			p, err := full.Prune(s.Alpha, c)
			if err != nil {
				t.Fatal(err)
			}
			if p.Leaves() != s.Leaves {
				t.Fatalf("%d leaves at alpha %v, the path says %d", p.Leaves(), s.Alpha, s.Leaves)
			}
			if !valid(p.d, k, p.list.flat()) {
				t.Fatalf("the nodes at alpha %v form no tree", s.Alpha)
			}
			leaf, _ := p.Apply(x)
			if i > 0 {
				into := map[int]int{}
				for r := range leaf {
					if to, seen := into[before[r]]; seen && to != leaf[r] {
						t.Fatalf("leaf %d is torn apart at alpha %v", before[r], s.Alpha)
					}
					into[before[r]] = leaf[r]
				}
			}
			before = leaf
		}
	})
}

// Weight k is k copies of a row, and what a leaf holds is the weight of its rows.
func TestWeightsAreCopies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 20).Draw(t, "n")
		x, y := fuzztest.Matrix(t, n, 2, 2), fuzztest.Labels(t, n, 2)
		var rows []float64
		var labels []int
		o := Options{}
		for i := range n {
			w := rapid.IntRange(1, 3).Draw(t, "weight")
			o.Weights = append(o.Weights, float64(w))
			for range w {
				rows, labels = append(rows, x.RawRowView(i)...), append(labels, y[i])
			}
		}
		weighted, err1 := Fit(ctx, x, y, o)
		o.Weights = nil
		copies, err2 := Fit(ctx, mat.NewDense(len(labels), 2, rows), labels, o)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if weighted.list.len() != copies.list.len() {
			t.Fatalf("%d nodes with weights, %d with copies", weighted.list.len(), copies.list.len())
		}
		for i, a := range weighted.list.all() {
			if b := copies.list.at(i); a.Feature != b.Feature || a.Threshold != b.Threshold || !slices.Equal(a.Value, b.Value) {
				t.Fatalf("node %d: %+v with weights, %+v with copies", i, a, b)
			}
		}
	})
}
