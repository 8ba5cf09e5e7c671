package kdtree

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// drawn returns rows of which many have equal numbers.
func drawn(r *rand.Rand, n, d int) *mat.Dense {
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, float64(r.IntN(12))+float64(j%2)*r.NormFloat64())
		}
	}
	return x
}

// Every node divides its rows at its cut, and every row stands once in the order with its numbers.
func TestTree(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for _, n := range []int{1, LeafRows, LeafRows + 1, 100, 777} {
		x := drawn(r, n, 3)
		tree := New(t.Context(), x)
		var check func(node, from, to int)
		check = func(node, from, to int) {
			if to-from <= LeafRows {
				return
			}
			middle, k := from+(to-from)/2, tree.Nodes[node]
			for p := from; p < to; p++ {
				v := tree.Leaves[3*p+k.Axis]
				if p < middle && v > k.Cut || p >= middle && v < k.Cut {
					t.Errorf("%d rows, node %d: %v on the wrong side of %v", n, node, v, k.Cut)
				}
			}
			check(2*node+1, from, middle)
			check(2*node+2, middle, to)
		}
		check(0, 0, n)
		for p, row := range tree.Order {
			if !slices.Equal(tree.Leaves[3*p:3*p+3], x.RawRowView(row)) {
				t.Errorf("%d rows: place %d has other numbers than row %d", n, p, row)
			}
		}
		if slices.Sort(tree.Order); tree.Order[0] != 0 || tree.Order[n-1] != n-1 || len(slices.Compact(tree.Order)) != n {
			t.Errorf("%d rows: the order is none of them", n)
		}
	}
}

// Within finds the rows that comparing all of them finds, also at the very edge of the radius, and stops when it is told to.
func TestWithin(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 2))
	for _, n := range []int{1, 40, 500} {
		x := drawn(r, n, 2)
		tree := New(t.Context(), x)
		for i := range n {
			at, radius := x.RawRowView(i), float64(r.IntN(4))
			var got, want []int
			tree.Within(at, radius, radius*radius, func(row int, square float64) bool {
				if s := squared(x.RawRowView(row), at); s != square {
					t.Errorf("row %d: the square is %v, want %v", row, square, s)
				}
				got = append(got, row)
				return true
			})
			for row := range n {
				if math.Sqrt(squared(x.RawRowView(row), at)) <= radius {
					want = append(want, row)
				}
			}
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("%d rows, radius %v about row %d: %v, want %v", n, radius, i, got, want)
			}
		}
		calls := 0
		tree.Within(x.RawRowView(0), 100, 10_000, func(int, float64) bool { calls++; return calls < 3 })
		if calls != min(3, n) {
			t.Errorf("%d rows: %d calls after the third one said no", n, calls)
		}
	}
}

// A tree stops to grow when the context ends.
func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if tree := New(ctx, drawn(rand.New(rand.NewPCG(3, 3)), 1000, 2)); len(tree.Nodes) > 0 {
		t.Errorf("%d nodes", len(tree.Nodes))
	}
}
