package perceptron

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// dense makes a matrix of rows.
func dense(rows [][]float64) *mat.Dense {
	X := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		X.SetRow(i, row)
	}
	return X
}

// proved separates rows and multiplies the proof out: the sides of every row, or both sums of the common point.
func proved(t *testing.T, rows [][]float64, y []int) *Separation {
	t.Helper()
	s, err := Separate(context.Background(), dense(rows), y)
	if err != nil {
		t.Fatalf("%v %v: %v", rows, y, err)
	}
	size := 0.0
	for _, row := range rows {
		size = max(size, floats.Norm(row, math.Inf(1)))
	}
	var total [2]float64
	sums := [2][]float64{make([]float64, len(rows[0])), make([]float64, len(rows[0]))}
	for i, w := range s.Weights {
		if w < 0 {
			t.Fatalf("weight %g of row %d", w, i)
		}
		total[y[i]] += w
		floats.AddScaled(sums[y[i]], w, rows[i])
	}
	for c := range total {
		if math.Abs(total[c]-1) > 1e-14 || floats.Distance(sums[c], s.Nearest[c], math.Inf(1)) > 1e-14*size {
			t.Fatalf("class %d: weights sum to %g and make %v, not %v", c, total[c], sums[c], s.Nearest[c])
		}
	}
	if !s.Separable {
		if s.W != nil || s.B != 0 || s.Margin != 0 || floats.Distance(sums[0], sums[1], math.Inf(1)) > 1e-13*size {
			t.Fatalf("no common point: %v against %v, %+v", sums[0], sums[1], s)
		}
		return s
	}
	least := math.Inf(1)
	for i, row := range rows {
		least = min(least, float64(2*y[i]-1)*exactScore(s.W, s.B, row))
	}
	if !(least > 0) || math.Abs(floats.Norm(s.W, 2)-1) > 1e-14 || math.Abs(least-s.Margin) > 1e-14*size {
		t.Fatalf("%v, %v, %+v: least margin %g", rows, y, s, least)
	}
	return s
}

// widest is the largest margin in the plane by brute force, from the finitely many directions that it can have: along a difference of
// rows of both classes, or across a difference of two rows. It is at most 0 where no line separates.
func widest(rows [][]float64, y []int) float64 {
	best := math.Inf(-1)
	for i, p := range rows {
		for j, q := range rows {
			dx, dy := p[0]-q[0], p[1]-q[1]
			if i == j || dx == 0 && dy == 0 {
				continue
			}
			for _, w := range [][]float64{{dx, dy}, {-dy, dx}} {
				low, high := math.Inf(1), math.Inf(-1)
				for k, row := range rows {
					if g := floats.Dot(w, row); y[k] == 1 {
						low = min(low, g)
					} else {
						high = max(high, g)
					}
				}
				best = max(best, (low-high)/2/math.Hypot(dx, dy))
			}
		}
	}
	return best
}

func TestSeparateBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 19))
	var apart, meet, touch int
	for range 4000 {
		n, side := 2+r.IntN(9), 2+r.IntN(6)
		rows, y := make([][]float64, n), make([]int, n)
		for i := range rows {
			rows[i] = []float64{float64(r.IntN(side)), float64(r.IntN(side))}
			y[i] = r.IntN(2)
		}
		y[0], y[1] = 0, 1
		want := widest(rows, y)
		s := proved(t, rows, y)
		if s.Separable != (want > 0) {
			t.Fatalf("%v %v: separable %v, brute force %g", rows, y, s.Separable, want)
		}
		switch {
		case s.Separable:
			apart++
			if math.Abs(s.Margin-want) > 1e-13 || math.Abs(s.Bound()-want) > 1e-13 {
				t.Fatalf("%v %v: margin %.17g, bound %.17g, brute force %.17g", rows, y, s.Margin, s.Bound(), want)
			}
		case want == 0:
			touch++
		default:
			meet++
		}
	}
	if apart < 500 || meet < 500 || touch < 100 {
		t.Fatalf("%d apart, %d meet, %d touch: not enough of each", apart, meet, touch)
	}
}

func TestSeparateKnown(t *testing.T) {
	square := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	s := proved(t, square, []int{0, 1, 1, 0})
	if s.Separable || !slices.Equal(s.Weights, []float64{0.5, 0.5, 0.5, 0.5}) || !slices.Equal(s.Nearest[0], []float64{0.5, 0.5}) {
		t.Errorf("XOR: %+v", s)
	}
	s = proved(t, square, []int{0, 0, 0, 1}) // the nearest points are (1, 1) and (1/2, 1/2)
	if !s.Separable || math.Abs(s.Margin-math.Sqrt2/4) > 1e-15 || math.Abs(s.Bound()-math.Sqrt2/4) > 1e-15 {
		t.Errorf("AND: %+v", s)
	}
	s = proved(t, [][]float64{{3, 3}, {4, 3}, {1, 1}}, []int{1, 1, 0})
	if math.Abs(s.Margin-math.Sqrt2) > 1e-15 || math.Abs(s.B+2*math.Sqrt2) > 1e-14 {
		t.Errorf("three cards: %+v", s)
	}
	for name, c := range map[string]struct {
		rows      [][]float64
		y         []int
		separable bool
	}{
		"the same point":        {[][]float64{{2, 5}, {2, 5}}, []int{0, 1}, false},
		"on a line, in between": {[][]float64{{0, 0}, {1, 1}, {2, 2}}, []int{0, 1, 0}, false},
		"on a line, apart":      {[][]float64{{0, 0}, {1, 1}, {2, 2}}, []int{0, 0, 1}, true},
		"a corner on an edge":   {[][]float64{{0, 0}, {2, 0}, {1, 0}, {1, 3}}, []int{0, 0, 1, 1}, false},
		"huge":                  {[][]float64{{-1e308}, {1e308}}, []int{0, 1}, true},
		"tiny":                  {[][]float64{{-5e-324, 0}, {5e-324, 0}}, []int{0, 1}, true},
	} {
		if got := proved(t, c.rows, c.y); got.Separable != c.separable {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestSeparateMoved(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 19))
	for trial := range 60 {
		n, d := 4+r.IntN(30), 1+r.IntN(6)
		rows, y := make([][]float64, n), make([]int, n)
		for i := range rows {
			y[i] = i % 2
			rows[i] = make([]float64, d)
			for j := range rows[i] {
				rows[i][j] = r.NormFloat64()
			}
			rows[i][0] += float64(2*y[i]) * 2 * r.Float64()
		}
		s := proved(t, rows, y)
		moved := make([][]float64, n)
		for i, row := range rows { // turned about, times 8, one column more
			moved[i] = append([]float64{7}, row...)
			floats.Scale(-8, moved[i][1:])
		}
		m := proved(t, moved, y)
		if m.Separable != s.Separable || math.Abs(m.Margin-8*s.Margin) > 1e-11 || s.Bound() < s.Margin-1e-14 || s.Separable &&
			s.Bound() > s.Margin+1e-12 {
			t.Fatalf("trial %d: margin %g and bound %g, moved %g", trial, s.Margin, s.Bound(), m.Margin)
		}
	}
}

func TestSeparateColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 19))
	for _, d := range []int{exactColumns, exactColumns + 1, 64} {
		for _, n := range []int{d, 8 * d} { // few rows are always separable, many never
			rows, y := make([][]float64, n), make([]int, n)
			for i := range rows {
				y[i] = i % 2
				rows[i] = make([]float64, d)
				for j := range rows[i] {
					rows[i][j] = r.NormFloat64()
				}
			}
			if s := proved(t, rows, y); s.Separable != (n == d) || s.Separable && s.Bound() > s.Margin*(1+1e-10) {
				t.Errorf("%d rows of %d columns: %v, margin %g, bound %g", n, d, s.Separable, s.Margin, s.Bound())
			}
		}
	}
}

func TestSeparateErrors(t *testing.T) {
	X := dense([][]float64{{0, 0}, {1, 1}, {2, 2}})
	for name, c := range map[string]struct {
		X mat.Matrix
		y []int
	}{
		"one class":     {X, []int{0, 0, 0}},
		"class 1 alone": {X, []int{1, 1, 1}},
		"three classes": {X, []int{0, 1, 2}},
		"few labels":    {X, []int{0, 1}},
		"NaN":           {dense([][]float64{{math.NaN()}, {1}}), []int{0, 1}},
		"infinite":      {dense([][]float64{{0}, {math.Inf(1)}}), []int{0, 1}},
		"no rows":       {&mat.Dense{}, nil},
		"next float64":  {dense([][]float64{{1}, {math.Nextafter(1, 2)}}), []int{0, 1}}, // no float64 lies between
	} {
		if s, err := Separate(context.Background(), c.X, c.y); err == nil {
			t.Errorf("%s: no error, %+v", name, s)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Separate(ctx, X, []int{0, 1, 0}); err == nil {
		t.Error("cancelled: no error")
	}
}
