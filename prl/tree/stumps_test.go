package tree

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// With more than two classes the stump found is as good as the best of all tests with all pairs of classes, on values and weights that
// repeat and vanish, and the rows of weight zero change nothing.
func TestStumpsOfManyClasses(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 3))
		n, d, k := 8+r.IntN(20), 1+r.IntN(3), 3+r.IntN(3)
		x, y, w := mat.NewDense(n, d, nil), make([]int, n), make([]float64, n)
		for i := range n {
			y[i], w[i] = i%k, float64(r.IntN(4))
			for j := range d {
				x.Set(i, j, float64(r.IntN(6)+y[i]*r.IntN(2)))
			}
		}
		w[0] = 1
		var rows, labels []float64
		var weights []float64
		for i, v := range w {
			if v > 0 {
				rows, labels, weights = append(rows, x.RawRowView(i)...), append(labels, float64(y[i])), append(weights, v)
			}
		}
		best := 1.0
		for j := range d {
			for cut := range 13 {
				for a := range k {
					for b := range k {
						e, err := Stump{j, float64(cut) - 0.5, a, b}.Error(x, y, w)
						if err != nil {
							t.Fatal(err)
						}
						best = min(best, e)
					}
				}
			}
		}
		s, e, err := FitStump(ctx, x, y, w)
		if err != nil {
			t.Fatal(err)
		}
		again, err := s.Error(x, y, w)
		if err != nil || math.Abs(e-best) > 1e-12 || math.Abs(again-e) > 1e-12 {
			t.Errorf("seed %d: %v errs on %v, by its own account %v, the best on %v (%v)", seed, s, again, e, best, err)
		}
		if math.IsInf(s.Threshold, 1) != (s.Left == s.Right) {
			t.Errorf("seed %d: %v", seed, s)
		}
		// Without the rows of weight zero the classes may have gaps: number them again.
		order := slices.Compact(slices.Sorted(slices.Values(labels)))
		if len(order) < 3 {
			continue
		}
		part := make([]int, len(labels))
		for i, c := range labels {
			part[i] = slices.Index(order, c)
		}
		other, e2, err := FitStump(ctx, mat.NewDense(len(part), d, rows), part, weights)
		if err != nil || math.Abs(e2-e) > 1e-12 || other.Feature != s.Feature || other.Threshold != s.Threshold {
			t.Errorf("seed %d: %v errs on %v, without the rows of weight zero %v on %v (%v)", seed, s, e, other, e2, err)
		}
	}
}

// Of equal cuts the first feature wins and the lowest threshold, of equal classes the first; a constant stump wins unless another is
// better; and row numbers of 16 and 32 bits agree.
func TestTiesOfManyClasses(t *testing.T) {
	x := mat.NewDense(6, 2, []float64{1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3})
	y := []int{0, 0, 1, 1, 2, 2}
	for _, c := range []struct {
		w    []float64
		want Stump
		loss float64
	}{
		{nil, Stump{0, 1.5, 0, 1}, 1. / 3},
		{[]float64{1, 1, 1, 0, 2, 2}, Stump{0, 1.5, 0, 2}, 1. / 7},
		{[]float64{1, 1, 0, 0, 2, 2}, Stump{0, 2, 0, 2}, 0},
		{[]float64{0, 0, 0, 0, 2, 2}, Stump{0, math.Inf(1), 2, 2}, 0},
	} {
		s, loss, err := FitStump(ctx, x, y, c.w)
		if err != nil || s != c.want || math.Abs(loss-c.loss) > 1e-15 {
			t.Errorf("weights %v: %v errs on %v (%v), want %v", c.w, s, loss, err, c.want)
		}
	}
	flat := mat.NewDense(6, 1, []float64{1, 1, 1, 1, 1, 1})
	if s, loss, err := FitStump(ctx, flat, y, nil); err != nil || s.Left != 0 || s.Right != 0 || math.Abs(loss-2./3) > 1e-15 {
		t.Error(s, loss, err)
	}
	big, labels, w := random(700, 3, 4, 5)
	narrowFinder, err1 := finderOf[uint16](ctx, big, labels, 4)
	wideFinder, err2 := finderOf[int32](ctx, big, labels, 4)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	a, lossA := narrowFinder.best(w)
	b, lossB := wideFinder.best(w)
	if a != b || lossA != lossB {
		t.Errorf("%v with 16 bits, %v with 32", a, b)
	}
}

// Grow takes classes without rows, which Fit refuses, and is Fit where all are there.
func TestGrow(t *testing.T) {
	x, y, w := random(40, 2, 3, 1)
	a, err := Grow(ctx, x, y, 3, Options{Weights: w})
	if err != nil {
		t.Fatal(err)
	}
	b, err := Fit(ctx, x, y, Options{Weights: w})
	if err != nil {
		t.Fatal(err)
	}
	if a.Rules() != b.Rules() {
		t.Error("Grow and Fit differ")
	}
	for i, c := range y {
		if c == 1 {
			w[i] = 0
		}
	}
	if c, err := Grow(ctx, x, y, 3, Options{Weights: w}); err != nil || c.Classes() != 3 {
		t.Error(c, err)
	}
	two := make([]int, len(y))
	for i := range y {
		two[i], y[i] = i%2, 4*(i%2)
	}
	c, err := Grow(ctx, x, y, 6, Options{})
	if err != nil || c.Classes() != 6 {
		t.Fatal(c, err)
	}
	d, err := Fit(ctx, x, two, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range y {
		if row := x.RawRowView(i); c.Class(row...) != 4*d.Class(row...) {
			t.Errorf("row %d: class %d of 6, %d of two", i, c.Class(row...), d.Class(row...))
		}
	}
}
