package density

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/internal/kdtree"
)

// A ball holds all rows of a node of the tree.
type ball struct {
	centre []float64
	radius float64
}

// enclose makes the balls of a node and of all below it: about the mean of the rows, as far as the farthest. It stops when the context
// ends.
func (t *tree) enclose(ctx context.Context, x *mat.Dense, node, from, to int) {
	if ctx.Err() != nil {
		return
	}
	for len(t.balls) <= node {
		t.balls = append(t.balls, ball{})
	}
	_, d := x.Dims()
	centre := make([]float64, d)
	for _, r := range t.Order[from:to] {
		for j, v := range x.RawRowView(r) {
			centre[j] += v / float64(to-from)
		}
	}
	radius := 0.0
	s := search{at: centre}
	for _, r := range t.Order[from:to] {
		radius = max(radius, math.Sqrt(s.distance(x.RawRowView(r), infinite)))
	}
	t.balls[node] = ball{centre, radius}
	if to-from > kdtree.LeafRows {
		middle := from + (to-from)/2
		t.enclose(ctx, x, 2*node+1, from, middle)
		t.enclose(ctx, x, 2*node+2, middle, to)
	}
}

// gap returns a distance that no row of a node is nearer than: that of its ball, less what rounding can do.
func (s *search) gap(node int) float64 {
	b := s.tree.balls[node]
	away := math.Sqrt(s.distance(b.centre, infinite))
	return max(0, away-b.radius-float64(len(s.at)+8)*0x1p-50*(away+b.radius))
}

// walkBalls is walk by balls: a node whose ball lies beyond reach holds no row that counts.
func (s *search) walkBalls(node, from, to int) {
	if to-from <= kdtree.LeafRows {
		s.leaf(from, to)
		return
	}
	middle := from + (to-from)/2
	left, right := s.gap(2*node+1), s.gap(2*node+2)
	if left <= right {
		if left*left <= s.reach() {
			s.walkBalls(2*node+1, from, middle)
		}
		if right*right <= s.reach() {
			s.walkBalls(2*node+2, middle, to)
		}
		return
	}
	if right*right <= s.reach() {
		s.walkBalls(2*node+2, middle, to)
	}
	if left*left <= s.reach() {
		s.walkBalls(2*node+1, from, middle)
	}
}
