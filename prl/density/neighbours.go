package density

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/kdtree"
	"github.com/prlab/prlab/prl/internal/screen"
	"github.com/prlab/prlab/prl/internal/share"
)

// Search says how the rows nearest to a place are found. All ways find the same.
type Search string

const (
	Auto     Search = ""         // a k-d tree up to 6 columns once places enough have been asked for, products beyond
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
const widest = 6

// points are rows with weights that can be asked for those nearest to a place.
type points struct {
	x      *mat.Dense
	weight []float64    // nil: ones
	screen *screen.Rows // for many columns, else nil
	tree   *tree        // grown by the fit, else nil
	late   *late        // a tree that is grown when it pays, else nil
}

// A tree may have balls: of all nodes, in the order of a heap.
type tree struct {
	*kdtree.Tree
	balls []ball
}

// late grows a tree when looking at all rows for each place has taken about as long as growing takes: a few places never need it.
type late struct {
	asked atomic.Int64 // places so far
	grow  func() *tree // once
}

// treePlaces is the number of places, for each level of a tree, for which to look at all rows takes as long as to grow the tree.
const treePlaces = 2

// newPoints stops when the context ends, and what it returns is then of no use.
func newPoints(ctx context.Context, x *mat.Dense, weight []float64, how Search) *points {
	p := &points{x: x, weight: weight}
	n, d := x.Dims()
	if n <= 4*kdtree.LeafRows {
		return p
	}
	if how == Products || how == Auto && d > widest {
		p.screen = screen.New(x)
		return p
	}
	if how == Auto {
		p.late = &late{grow: sync.OnceValue(func() *tree { return newTree(context.Background(), x, false) })}
		return p
	}
	p.tree = newTree(ctx, x, how == BallTree)
	return p
}

// after returns the tree, or nil where none pays, when some more places are asked for.
func (p *points) after(places int) *tree {
	if p.late == nil {
		return p.tree
	}
	n, _ := p.x.Dims()
	if p.late.asked.Add(int64(places)) < int64(treePlaces*bits.Len(uint(n))) {
		return nil
	}
	return p.late.grow()
}

// newTree stops when the context ends, and what it returns is then of no use.
func newTree(ctx context.Context, x *mat.Dense, balls bool) *tree {
	t := &tree{Tree: kdtree.New(ctx, x)}
	if balls {
		n, _ := x.Dims()
		t.enclose(ctx, x, 0, 0, n)
	}
	return t
}

// A neighbour is a row and its squared distance.
type neighbour struct {
	row     int
	squared float64
}

// farthest is a heap of neighbours, the farthest on top.
type farthest []neighbour

func (h *farthest) push(v neighbour) {
	all := append(*h, v)
	*h = all
	i := len(all) - 1
	for i > 0 && all[(i-1)/2].squared < v.squared {
		all[i] = all[(i-1)/2]
		i = (i - 1) / 2
	}
	all[i] = v
}

// pop takes off the farthest.
func (h *farthest) pop() neighbour {
	all := *h
	top, last := all[0], all[len(all)-1]
	*h = all[:len(all)-1]
	if len(*h) > 0 {
		h.replace(last)
	}
	return top
}

// replace puts v in the place of the farthest.
func (h *farthest) replace(v neighbour) {
	all := *h
	i := 0
	for {
		c := 2*i + 1
		if c >= len(all) {
			break
		}
		if c+1 < len(all) && all[c+1].squared > all[c].squared {
			c++
		}
		if all[c].squared <= v.squared {
			break
		}
		all[i] = all[c]
		i = c
	}
	all[i] = v
}

// A search looks for the rows nearest to a place.
type search struct {
	*points
	tree   *tree // or nil: all rows are looked at
	at     []float64
	but    int     // a row that does not count, or -1
	k      float64 // the weight that the neighbours have together at the least
	found  farthest
	sum    float64     // the weight of found
	near   []neighbour // all rows that were within reach when they were looked at
	ranks  bool        // distances may be lower bounds of them, with which no other distance is in between
	away   []float64   // how far the place is from the node that a walk has come to, in each column
	masses []float64   // room for the weight of each class in rows that are equally far away
}

// search returns a search for rows of weight k together, in a tree if there is one.
func (p *points) search(k float64, at []float64, t *tree) *search {
	n, _ := p.x.Dims()
	room := int(min(k, float64(n)))
	return &search{
		points: p, tree: t, k: k, at: at, but: -1,
		found: make(farthest, 0, room+1), near: make([]neighbour, 0, 2*room+kdtree.LeafRows),
	}
}

func (s *search) mass(row int) float64 {
	if s.weight == nil {
		return 1
	}
	return s.weight[row]
}

// distance returns the squared distance of the place from x, or +Inf when it exceeds most.
func (s *search) distance(x []float64, most float64) float64 {
	at, sum := s.at[:len(x)], 0.0
	for j, v := range x {
		sum += (v - at[j]) * (v - at[j])
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

// look takes a row, with the numbers x, into account.
func (s *search) look(row int, x []float64) {
	if row == s.but {
		return
	}
	reach := s.reach()
	squared := s.distance(x, reach)
	if squared > reach || math.IsInf(squared, 1) {
		return
	}
	s.near = append(s.near, neighbour{row, squared})
	s.hold(neighbour{row, squared})
}

// hold puts a row among those found unless they weigh enough without it, and leaves out the farthest that are no longer needed.
func (s *search) hold(v neighbour) {
	if s.sum >= s.k && len(s.found) > 0 && v.squared >= s.found[0].squared {
		return
	}
	if sum := s.sum + s.mass(v.row); len(s.found) > 0 && sum-s.mass(s.found[0].row) >= s.k {
		s.sum = sum - s.mass(s.found[0].row)
		s.found.replace(v)
	} else {
		s.sum = sum
		s.found.push(v)
	}
	for len(s.found) > 1 && s.sum-s.mass(s.found[0].row) >= s.k {
		s.sum -= s.mass(s.found.pop().row)
	}
}

// walk looks at every row of a node that may lie within reach, the nearer half first. Gap is the squared distance of the place from the
// box of the node, of which away has the columns.
func (s *search) walk(node, from, to int, gap float64) {
	if to-from <= kdtree.LeafRows {
		s.leaf(from, to)
		return
	}
	n := s.tree.Nodes[node]
	middle := from + (to-from)/2
	side := s.at[n.Axis] - n.Cut
	if side > 0 {
		s.walk(2*node+2, middle, to, gap)
	} else {
		s.walk(2*node+1, from, middle, gap)
	}
	before := s.away[n.Axis]
	beyond := gap - before*before + side*side
	// Each of the two squares, and the sum of a row, may err by as many roundings as there are columns and levels.
	if beyond-(gap+side*side)*float64(len(s.at)+64)*0x1p-52 > s.reach() {
		return
	}
	s.away[n.Axis] = side
	if side > 0 {
		s.walk(2*node+1, from, middle, beyond)
	} else {
		s.walk(2*node+2, middle, to, beyond)
	}
	s.away[n.Axis] = before
}

// leaf looks at the rows order[from:to].
func (s *search) leaf(from, to int) {
	d := len(s.at)
	for i, r := range s.tree.Order[from:to] {
		s.look(r, s.tree.Leaves[(from+i)*d:(from+i+1)*d])
	}
}

// begin forgets what was found.
func (s *search) begin() { s.found, s.sum, s.near = s.found[:0], 0, s.near[:0] }

// keep drops what near has beyond reach.
func (s *search) keep() {
	radius := s.reach()
	s.near = slices.DeleteFunc(s.near, func(v neighbour) bool { return v.squared > radius })
}

// end keeps of near the rows of the smallest distances that weigh k together, by distance and number, and behind them all rows as far away
// as the last of them, in any order: these may be nearly all rows, where few places are told apart.
func (s *search) end() {
	s.keep()
	last := 0.0
	for _, v := range s.near {
		last = max(last, v.squared)
	}
	inner := 0
	for i, v := range s.near {
		if v.squared < last {
			s.near[i], s.near[inner] = s.near[inner], v
			inner++
		}
	}
	sort(s.near[:inner])
}

// nearest returns the rows of the smallest distances that weigh k together, by distance and number, and behind them all rows as far away as
// the last of them, in any order. They are good until the search is used again.
func (s *search) nearest() []neighbour {
	if s.screen != nil {
		newDesk(s.screen, 1).find([]*search{s})
		return s.near
	}
	s.begin()
	switch n, d := s.x.Dims(); {
	case s.tree == nil:
		for r := range n {
			s.look(r, s.x.RawRowView(r))
		}
	case s.tree.balls != nil:
		s.walkBalls(0, 0, n)
	default:
		if len(s.away) != d {
			s.away = make([]float64, d)
		}
		s.walk(0, 0, n, 0)
	}
	s.end()
	return s.near
}

// before reports whether a neighbour is nearer than another, or as near with a lower number.
func (v neighbour) before(w neighbour) bool {
	return v.squared < w.squared || v.squared == w.squared && v.row < w.row
}

// sort orders neighbours by distance and number.
func sort(near []neighbour) {
	slices.SortFunc(near, func(a, b neighbour) int {
		switch {
		case a.before(b):
			return -1
		case b.before(a):
			return 1
		}
		return 0
	})
}

// ask calls use with the neighbours, of weight k, of the places at(i), i = 0 ... n-1, on all processors where that gains time; itself says
// that row i of the fit does not count for place i, and ranks that their order and ties are enough, without how far they are.
func (p *points) ask(k float64, n int, at func(i int) []float64, itself, ranks bool, use func(s *search, near []neighbour, i int)) {
	rows, d := p.x.Dims()
	cost, group := float64(rows*d), 1
	tree := p.after(n)
	switch {
	case tree != nil:
		cost = 30 * float64(d) * math.Log2(float64(rows)+1)
	case p.screen != nil:
		cost, group = 0.05*cost, min(screenPlaces, n)
	}
	groups := (n + group - 1) / group
	share.Ranges(share.Workers(groups, float64(n)*cost), groups, func(_, from, to int) {
		searches := make([]*search, group)
		for r := range searches {
			searches[r] = p.search(k, nil, tree)
			searches[r].ranks = ranks
		}
		var room *desk
		if p.screen != nil {
			room = newDesk(p.screen, group)
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
				room.find(some)
				for r, s := range some {
					use(s, s.near, lo+r)
				}
				continue
			}
			use(some[0], some[0].nearest(), lo)
		}
	})
}
