// Package kdtree divides rows of numbers into leaves of rows that lie near each other, for searches of neighbours.
package kdtree

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/internal/quickselect"
)

// LeafRows is the number of rows at which a tree stops to divide.
const LeafRows = 16

// A Tree holds rows of which the next ones are near. The rows of a node are Order[from:to], those of the root all. A node of more than
// LeafRows rows divides them at from + (to-from)/2.
type Tree struct {
	Order  []int     // rows in the order of the leaves
	Leaves []float64 // their numbers in this order, so that a leaf is one piece of memory
	Nodes  []Node    // inner nodes in the order of a heap: the children of i are 2i+1 and 2i+2
	d      int
}

// A Node has rows with x[Axis] <= Cut in its first half, and rows with x[Axis] >= Cut in its second.
type Node struct {
	Axis int
	Cut  float64
}

// New divides rows at the median of the column of the largest range. It stops when the context ends, and what it returns is then of no use.
// Source: J. L. Bentley (1975), Multidimensional binary search trees used for associative searching.
func New(ctx context.Context, x *mat.Dense) *Tree {
	n, d := x.Dims()
	t := &Tree{Order: make([]int, n), d: d}
	for i := range t.Order {
		t.Order[i] = i
	}
	t.grow(ctx, x, make([]float64, n), 0, 0, n)
	t.Leaves = make([]float64, 0, n*d)
	for _, r := range t.Order {
		t.Leaves = append(t.Leaves, x.RawRowView(r)...)
	}
	return t
}

// grow divides the rows Order[from:to]. Keys is room for a number of each row.
func (t *Tree) grow(ctx context.Context, x *mat.Dense, keys []float64, node, from, to int) {
	if to-from <= LeafRows || ctx.Err() != nil {
		return
	}
	rows, data := t.Order[from:to], x.RawMatrix()
	axis, width := 0, -1.0
	for j := range data.Cols {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, r := range rows {
			v := data.Data[r*data.Stride+j]
			lo, hi = min(lo, v), max(hi, v)
		}
		if hi-lo > width {
			axis, width = j, hi-lo
		}
	}
	for len(t.Nodes) <= node {
		t.Nodes = append(t.Nodes, Node{})
	}
	keys = keys[:len(rows)]
	for i, r := range rows {
		keys[i] = data.Data[r*data.Stride+axis]
	}
	middle := (to - from) / 2
	quickselect.Nth(keys, rows, middle)
	t.Nodes[node] = Node{axis, keys[middle]}
	t.grow(ctx, x, keys, 2*node+1, from, from+middle)
	t.grow(ctx, x, keys, 2*node+2, from+middle, to)
}

// Within calls visit with every row whose squared distance from a place is at most limit, which is radius squared, until visit returns
// false.
func (t *Tree) Within(at []float64, radius, limit float64, visit func(row int, square float64) bool) {
	t.search(0, 0, len(t.Order), at, radius, limit, visit)
}

func (t *Tree) search(node, from, to int, at []float64, radius, limit float64, visit func(int, float64) bool) bool {
	if to-from <= LeafRows {
		for p := from; p < to; p++ {
			if s := squared(t.Leaves[p*t.d:(p+1)*t.d], at); s <= limit && !visit(t.Order[p], s) {
				return false
			}
		}
		return true
	}
	n, middle := t.Nodes[node], from+(to-from)/2
	gap := at[n.Axis] - n.Cut
	if gap < 0 { // the nearer half first
		return t.search(2*node+1, from, middle, at, radius, limit, visit) &&
			(-gap > radius || t.search(2*node+2, middle, to, at, radius, limit, visit))
	}
	return t.search(2*node+2, middle, to, at, radius, limit, visit) &&
		(gap > radius || t.search(2*node+1, from, middle, at, radius, limit, visit))
}

func squared(a, b []float64) (sum float64) {
	for k, v := range a {
		sum += (v - b[k]) * (v - b[k])
	}
	return sum
}
