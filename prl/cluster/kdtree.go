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
	d      int
	order  []int     // rows in the order of the leaves
	leaves []float64 // their numbers in this order, so that a leaf is one piece of memory
	axis   []int     // of the inner nodes in the order of a heap
	cut    []float64
}

// newTree stops when the context ends, and what it returns is then of no use.
func newTree(ctx context.Context, x *mat.Dense) *kdTree {
	n, d := x.Dims()
	t := &kdTree{d: d, order: make([]int, n), leaves: make([]float64, 0, n*d)}
	for i := range t.order {
		t.order[i] = i
	}
	t.grow(ctx, x, 0, 0, n)
	for _, r := range t.order {
		t.leaves = append(t.leaves, x.RawRowView(r)...)
	}
	return t
}

// grow divides order[from:to] at the median of the widest column.
func (t *kdTree) grow(ctx context.Context, x *mat.Dense, node, from, to int) {
	if to-from <= leafRows || ctx.Err() != nil {
		return
	}
	rows, data := t.order[from:to], x.RawMatrix()
	axis, width := 0, -1.0
	for j := range t.d {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, r := range rows {
			v := data.Data[r*data.Stride+j]
			lo, hi = min(lo, v), max(hi, v)
		}
		if hi-lo > width {
			axis, width = j, hi-lo
		}
	}
	slices.SortFunc(rows, func(a, b int) int {
		switch va, vb := data.Data[a*data.Stride+axis], data.Data[b*data.Stride+axis]; {
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
	t.axis[node], t.cut[node] = axis, x.At(t.order[middle], axis)
	t.grow(ctx, x, 2*node+1, from, middle)
	t.grow(ctx, x, 2*node+2, middle, to)
}

// within calls visit with every row of a squared distance of at most the limit, which is the radius squared, until visit returns false.
func (t *kdTree) within(at []float64, radius, limit float64, visit func(row int, square float64) bool) {
	t.search(0, 0, len(t.order), at, radius, limit, visit)
}

func (t *kdTree) search(node, from, to int, at []float64, radius, limit float64, visit func(int, float64) bool) bool {
	if to-from <= leafRows {
		for p := from; p < to; p++ {
			if s := squared(t.leaves[p*t.d:(p+1)*t.d], at); s <= limit && !visit(t.order[p], s) {
				return false
			}
		}
		return true
	}
	middle, gap := from+(to-from)/2, at[t.axis[node]]-t.cut[node]
	if gap < 0 { // the nearer half first
		return t.search(2*node+1, from, middle, at, radius, limit, visit) &&
			(-gap > radius || t.search(2*node+2, middle, to, at, radius, limit, visit))
	}
	return t.search(2*node+2, middle, to, at, radius, limit, visit) &&
		(gap > radius || t.search(2*node+1, from, middle, at, radius, limit, visit))
}
