package cluster

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// leafRows is the number of rows at which the tree stops to divide.
const leafRows = 16

// A kdTree finds the rows within a radius.
type kdTree struct {
	x     *mat.Dense
	order []int // rows in the order of the leaves
	axis  []int // of the inner nodes in the order of a heap
	cut   []float64
	value []int // of each row, for the caller
}

// newTree stops when the context ends, and what it returns is then of no use.
func newTree(ctx context.Context, x *mat.Dense) *kdTree {
	n, _ := x.Dims()
	t := &kdTree{x: x, order: make([]int, n)}
	for i := range t.order {
		t.order[i] = i
	}
	t.grow(ctx, 0, 0, n)
	return t
}

// grow divides order[from:to] at the median of the widest column.
func (t *kdTree) grow(ctx context.Context, node, from, to int) {
	if to-from <= leafRows || ctx.Err() != nil {
		return
	}
	rows := t.order[from:to]
	axis, width := 0, -1.0
	_, d := t.x.Dims()
	for j := range d {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, r := range rows {
			v := t.x.At(r, j)
			lo, hi = min(lo, v), max(hi, v)
		}
		if hi-lo > width {
			axis, width = j, hi-lo
		}
	}
	slices.SortFunc(rows, func(a, b int) int {
		switch va, vb := t.x.At(a, axis), t.x.At(b, axis); {
		case va < vb:
			return -1
		case va > vb:
			return 1
		}
		return a - b
	})
	for len(t.axis) <= node {
		t.axis, t.cut = append(t.axis, 0), append(t.cut, 0)
	}
	middle := from + (to-from)/2
	t.axis[node], t.cut[node] = axis, t.x.At(t.order[middle], axis)
	t.grow(ctx, 2*node+1, from, middle)
	t.grow(ctx, 2*node+2, middle, to)
}

// within calls visit with every row of a squared distance of at most radius^2 until visit returns false.
func (t *kdTree) within(at []float64, radius float64, visit func(row int, square float64) bool) {
	t.search(0, 0, len(t.order), at, radius, visit)
}

func (t *kdTree) search(node, from, to int, at []float64, radius float64, visit func(int, float64) bool) bool {
	if to-from <= leafRows {
		for _, r := range t.order[from:to] {
			if s := squared(t.x.RawRowView(r), at); math.Sqrt(s) <= radius && !visit(r, s) {
				return false
			}
		}
		return true
	}
	middle, gap := from+(to-from)/2, at[t.axis[node]]-t.cut[node]
	return (gap > radius || t.search(2*node+1, from, middle, at, radius, visit)) &&
		(-gap > radius || t.search(2*node+2, middle, to, at, radius, visit))
}
