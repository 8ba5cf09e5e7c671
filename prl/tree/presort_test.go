package tree

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
)

// Row numbers of 16 and of 32 bits make the same trees and stumps, on trees of several pages too.
func TestWidthOfRowNumbers(t *testing.T) {
	x, y, w := random(600, 3, 2, 1)
	for _, weights := range [][]float64{nil, w} {
		o := Options{}.filled()
		o.Weights = weights
		l, err := estimator.NewLabelled(ctx, "", x, y, o.weighting())
		if err != nil {
			t.Fatal(err)
		}
		short, err1 := growClasses[uint16](ctx, "", l, o)
		long, err2 := growClasses[int32](ctx, "", l, o)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if len(short) < 3 || !reflect.DeepEqual(short.flat(), long.flat()) {
			t.Errorf("weights %v: %d nodes with 16 bits, %d with 32, or as many that differ", weights != nil, short.len(), long.len())
		}
		target, err := estimator.NewTargeted(ctx, "", x, mat.Col(nil, 2, x), weights)
		if err != nil {
			t.Fatal(err)
		}
		short, err1 = growSquares[uint16](ctx, "", target, o)
		long, err2 = growSquares[int32](ctx, "", target, o)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if !reflect.DeepEqual(short.flat(), long.flat()) {
			t.Errorf("weights %v: the regression trees differ", weights != nil)
		}
		narrowFinder, err1 := newFinder[uint16](t.Context(), x, y)
		wideFinder, err2 := newFinder[int32](t.Context(), x, y)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		a, lossA := narrowFinder.best(weights)
		b, lossB := wideFinder.best(weights)
		if a != b || lossA != lossB {
			t.Errorf("weights %v: the stump %v with 16 bits, %v with 32", weights != nil, a, b)
		}
	}
}

// The number of the last row has 16 bits for as many rows as are narrow, and 17 bits for one more.
func TestMostNarrowRows(t *testing.T) {
	for _, n := range []int{narrow, narrow + 1} {
		x, y, target := mat.NewDense(n, 1, nil), make([]int, n), make([]float64, n)
		for i := range n {
			x.Set(i, 0, float64(i))
		}
		y[n-1], target[n-1] = 1, 1
		want := float64(n) - 1.5
		c, err := Fit(ctx, x, y, Options{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := FitRegression(ctx, x, target, Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := FitStump(ctx, x, y, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := []float64{c.list.at(0).Threshold, r.list.at(0).Threshold, s.Threshold}; !slices.Equal(got, []float64{want, want, want}) {
			t.Errorf("n = %d: thresholds %v, want %g", n, got, want)
		}
	}
}

// Pages hold what a list holds, whether it is cut into them or appended node by node.
func TestPages(t *testing.T) {
	for _, n := range []int{0, 1, page - 1, page, page + 1, 3 * page} {
		var list []Node
		var appended pages
		for i := range n {
			list = append(list, Node{Rows: i})
			appended = appended.append(Node{Rows: i})
		}
		for _, p := range []pages{appended, paged(list)} {
			if p.len() != n || !reflect.DeepEqual(p.flat(), list) {
				t.Fatalf("%d nodes become %d", n, p.len())
			}
			for i, v := range p.all() {
				if v.Rows != i || p.at(i).Rows != i {
					t.Fatalf("node %d is %d and %d", i, v.Rows, p.at(i).Rows)
				}
			}
		}
	}
}

// A column of two values is cut in one place, with the cost and the bits that the cut has in the search over all places.
func TestOnlyCut(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for range 2000 {
		n := 2 + r.IntN(40)
		values, rows, y := make([]float64, n), make([]uint16, n), make([]uint16, n)
		ones := 1 + r.IntN(n-1)
		value := make([]float64, 2)
		for i := range rows {
			rows[i], y[i] = uint16(i), uint16(r.IntN(2))
			if i >= n-ones {
				values[i] = 1
			}
			value[y[i]]++
		}
		column := feature{values, 1}
		if got := onlyCut(rows, column); got != n-ones {
			t.Fatalf("%d of %d rows have the lower value, not %d", n-ones, n, got)
		}
		least, margin := 1+r.IntN(3), 1e-9
		if 2*least > n {
			continue
		}
		fast, slow := &classes[uint16]{k: 2, y: y, criterion: Gini}, &classes[uint16]{k: 2, y: y, criterion: Gini, w: make([]float64, n)}
		for i := range slow.w {
			slow.w[i] = 1
		}
		node := Node{Value: value}
		got, want := fast.scanPair(rows, column, node, least, margin), slow.scanPair(rows, column, node, least, margin)
		if got.at != want.at || got.at >= 0 && math.Float64bits(got.cost) != math.Float64bits(want.cost) {
			t.Fatalf("%d ones of %d: the cut is %+v, among others %+v", ones, n, got, want)
		}
	}
	for _, values := range [][]float64{{1, 1}, {0, 1, 2}, {0, 0, 1, 2}, {0, 0, 1, 2, 2}, {0, 1, 2, 2, 2}, {0, math.NaN()}} {
		rows := make([]uint16, len(values))
		for i := range rows {
			rows[i] = uint16(i)
		}
		if got := onlyCut(rows, feature{values, 1}); got != 0 {
			t.Errorf("%v has the one cut %d", values, got)
		}
	}
}
