package density

import (
	"cmp"
	"container/heap"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/share"
)

// Search says how the rows nearest to a place are found. All ways find the same.
type Search string

const (
	Auto     Search = ""         // a k-d tree up to 5 columns, products beyond
	KDTree   Search = "k-d tree" // cuts across the widest column
	BallTree Search = "balls"    // nested balls: distances alone count, so it bears more columns where rows lie near a surface
	Products Search = "products" // all rows, screened by |a|^2 + |b|^2 - 2 a^T b
)

func (s Search) check(function string) error {
	switch s {
	case Auto, KDTree, BallTree, Products:
		return nil
	}
	return fault.Argument(function, "Search", fmt.Sprintf("%q", s), `"", "k-d tree", "balls" or "products"`, "")
}

var infinite = math.Inf(1)

// widest is the number of columns up to which a k-d tree is searched. Beyond, nearly every leaf would be visited, and all rows are
// screened.
const widest = 5

// leafRows is the number of rows at which the tree stops to divide.
const leafRows = 16

// points are rows with weights that can be asked for those nearest to a place.
type points struct {
	x      *mat.Dense
	weight []float64 // nil: ones
	order  []int     // rows in the order of the leaves of the tree; nil without a tree
	split  []split   // inner nodes in the order of a heap: the children of i are 2i+1 and 2i+2
	balls  []ball    // of all nodes, in the same order; nil without a tree of balls
	screen *screen   // for many columns, else nil
}

// A split is an inner node: rows order[from:middle] have x[axis] <= at, rows order[middle:to] have x[axis] >= at.
type split struct {
	axis int
	at   float64
}

// newPoints stops when the context ends, and what it returns is then of no use.
func newPoints(ctx context.Context, x *mat.Dense, weight []float64, how Search) *points {
	p := &points{x: x, weight: weight}
	n, d := x.Dims()
	if n <= 4*leafRows {
		return p
	}
	if how == Products || how == Auto && d > widest {
		p.screen = newScreen(x)
		return p
	}
	p.order = make([]int, n)
	for i := range p.order {
		p.order[i] = i
	}
	p.grow(ctx, 0, 0, n)
	if how == BallTree {
		p.enclose(ctx, 0, 0, n)
	}
	return p
}

// grow divides the rows order[from:to] at the median of the column of the largest range.
func (p *points) grow(ctx context.Context, node, from, to int) {
	if to-from <= leafRows || ctx.Err() != nil {
		return
	}
	rows := p.order[from:to]
	axis, width := 0, -1.0
	_, d := p.x.Dims()
	for j := range d {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, r := range rows {
			v := p.x.At(r, j)
			lo, hi = min(lo, v), max(hi, v)
		}
		if hi-lo > width {
			axis, width = j, hi-lo
		}
	}
	slices.SortFunc(rows, func(a, b int) int {
		switch va, vb := p.x.At(a, axis), p.x.At(b, axis); {
		case va < vb:
			return -1
		case va > vb:
			return 1
		}
		return a - b
	})
	for len(p.split) <= node {
		p.split = append(p.split, split{})
	}
	middle := from + (to-from)/2
	p.split[node] = split{axis, p.x.At(p.order[middle], axis)}
	p.grow(ctx, 2*node+1, from, middle)
	p.grow(ctx, 2*node+2, middle, to)
}

// A neighbour is a row and its squared distance.
type neighbour struct {
	row     int
	squared float64
}

// farthest is a heap of neighbours, the farthest on top, for container/heap.
type farthest []neighbour

func (h farthest) Len() int           { return len(h) }
func (h farthest) Less(i, j int) bool { return h[i].squared > h[j].squared }
func (h farthest) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *farthest) Push(v any)        { *h = append(*h, v.(neighbour)) }
func (h *farthest) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// A search looks for the rows nearest to a place.
type search struct {
	*points
	at    []float64
	but   int     // a row that does not count, or -1
	k     float64 // the weight that the neighbours have together at the least
	found farthest
	sum   float64 // the weight of found
	near  []neighbour
	wide  bool // near holds all rows that were within reach when they were looked at
}

func (s *search) mass(row int) float64 {
	if s.weight == nil {
		return 1
	}
	return s.weight[row]
}

// distance returns the squared distance of a row, or +Inf when it exceeds most.
func (s *search) distance(row int, most float64) float64 {
	sum := 0.0
	for j, v := range s.x.RawRowView(row) {
		sum += (v - s.at[j]) * (v - s.at[j])
		if j&15 == 15 && sum > most {
			return math.Inf(1)
		}
	}
	return sum
}

// reach returns the squared distance up to which rows may still count.
func (s *search) reach() float64 {
	if s.sum < s.k || len(s.found) == 0 {
		return math.Inf(1)
	}
	return s.found[0].squared
}

// look takes a row into account.
func (s *search) look(row int) {
	if row == s.but {
		return
	}
	squared := s.distance(row, s.reach())
	if squared > s.reach() || math.IsInf(squared, 1) {
		return
	}
	if s.wide {
		s.near = append(s.near, neighbour{row, squared})
	}
	heap.Push(&s.found, neighbour{row, squared})
	s.sum += s.mass(row)
	for len(s.found) > 1 && s.sum-s.mass(s.found[0].row) >= s.k {
		s.sum -= s.mass(heap.Pop(&s.found).(neighbour).row)
	}
}

// walk calls visit for every row that may lie within reach, the nearer half of each node first.
func (s *search) walk(node, from, to int, reach func() float64, visit func(row int)) {
	if to-from <= leafRows {
		for _, r := range s.order[from:to] {
			visit(r)
		}
		return
	}
	if s.balls != nil {
		s.walkBalls(node, from, to, reach, visit)
		return
	}
	n := s.split[node]
	middle := from + (to-from)/2
	gap := s.at[n.axis] - n.at
	first, second := func() { s.walk(2*node+1, from, middle, reach, visit) }, func() { s.walk(2*node+2, middle, to, reach, visit) }
	if gap > 0 {
		first, second = second, first
	}
	first()
	if gap*gap <= reach() {
		second()
	}
}

// each calls visit for every row that may lie within reach.
func (s *search) each(reach func() float64, visit func(row int)) {
	n, _ := s.x.Dims()
	if s.order == nil {
		for r := range n {
			visit(r)
		}
		return
	}
	s.walk(0, 0, n, reach, visit)
}

// begin forgets what was found.
func (s *search) begin(wide bool) { s.found, s.sum, s.near, s.wide = s.found[:0], 0, s.near[:0], wide }

// nearest returns the rows of the smallest distances that weigh k together, and all rows as far away as the last of them, by distance and
// number.
func (s *search) nearest() []neighbour {
	if s.screen != nil {
		s.screen.find([]*search{s})
		return s.near
	}
	s.begin(false)
	s.each(s.reach, s.look)
	if len(s.found) == 0 {
		return nil
	}
	radius := s.found[0].squared
	s.each(func() float64 { return radius }, func(row int) {
		if row == s.but {
			return
		}
		if squared := s.distance(row, radius); squared <= radius {
			s.near = append(s.near, neighbour{row, squared})
		}
	})
	s.sort()
	return s.near
}

// sort orders what was found by distance and number.
func (s *search) sort() {
	slices.SortFunc(s.near, func(a, b neighbour) int {
		return cmp.Or(cmp.Compare(a.squared, b.squared), cmp.Compare(a.row, b.row))
	})
}

// ask calls use with the neighbours, of weight k, of the places at(i), i = 0 ... n-1, on all processors where that gains time; itself says
// that row i of the fit does not count for place i.
func (p *points) ask(k float64, n int, at func(i int) []float64, itself bool, use func(s *search, near []neighbour, i int)) {
	rows, d := p.x.Dims()
	cost, group := float64(rows*d), 1
	switch {
	case p.order != nil:
		cost = 30 * float64(d) * math.Log2(float64(rows)+1)
	case p.screen != nil:
		cost, group = 0.05*cost, screenPlaces
	}
	groups := (n + group - 1) / group
	share.Ranges(share.Workers(groups, float64(n)*cost), groups, func(_, from, to int) {
		searches := make([]*search, group)
		for r := range searches {
			searches[r] = &search{points: p, k: k, but: -1}
		}
		for g := from; g < to; g++ {
			lo := g * group
			some := searches[:min(group, n-lo)]
			for r, s := range some {
				if s.at = at(lo + r); itself {
					s.but = lo + r
				}
			}
			if p.screen != nil {
				p.screen.find(some)
				for r, s := range some {
					use(s, s.near, lo+r)
				}
				continue
			}
			use(some[0], some[0].nearest(), lo)
		}
	})
}
