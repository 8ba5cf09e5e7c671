package cluster

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/internal/kdtree"
	"github.com/prlab/prlab/prl/internal/screen"
	"github.com/prlab/prlab/prl/internal/share"
	"github.com/prlab/prlab/prl/internal/tile"
)

const (
	// widest is the number of columns up to which a k-d tree is searched. Beyond, nearly every leaf would be visited, and all rows are
	// compared.
	widest = 6

	spaceRows = 64 // places that meet the rows together
)

// A space is rows that can be asked for those within a radius of a place.
type space struct {
	x      *mat.Dense
	radius float64
	limit  float64      // the largest number whose root is at most the radius
	tree   *kdtree.Tree // for few columns, else nil
	rows   *screen.Rows
}

// newSpace stops when the context ends, and what it returns is then of no use.
func newSpace(ctx context.Context, x *mat.Dense, radius float64) *space {
	s := &space{x: x, radius: radius, limit: radius * radius}
	for math.Sqrt(s.limit) > radius {
		s.limit = math.Nextafter(s.limit, 0)
	}
	for next := math.Nextafter(s.limit, math.Inf(1)); math.Sqrt(next) <= radius; next = math.Nextafter(next, math.Inf(1)) {
		s.limit = next
	}
	if _, d := x.Dims(); d <= widest {
		s.tree = kdtree.New(ctx, x)
		return s
	}
	s.rows = screen.New(x)
	return s
}

// batches calls work with ranges of m places on all processors where that gains time; a range meets so many rows.
func (s *space) batches(ctx context.Context, m int, rows float64, work func(worker, from, to int, room *spaceRoom)) error {
	_, d := s.x.Dims()
	cost := 100 * float64(d) * math.Log2(rows+2)
	if s.tree == nil {
		cost = tile.RowCost(1, d) * rows
	}
	count := (m + spaceRows - 1) / spaceRows
	workers := s.workers(m, cost)
	rooms := make([]spaceRoom, workers)
	share.Turns(workers, count, func(worker, b int) {
		if ctx.Err() == nil {
			work(worker, b*spaceRows, min((b+1)*spaceRows, m), &rooms[worker])
		}
	})
	return ctx.Err()
}

func (s *space) workers(m int, cost float64) int {
	return share.Workers((m+spaceRows-1)/spaceRows, float64(m)*cost)
}

// spaceRoom is what a worker works on.
type spaceRoom struct {
	places, squares, products []float64
	rows                      []int     // within the radius of a place
	near                      []float64 // their squared distances
}

// meet finds the rows within the radius of places, block by block from that of row first on: visit gets a place and the rows with their
// squared distances, which are lower bounds unless they are to be exact. Between blocks, drop may take places away.
func (s *space) meet(places []int, at func(i int) []float64, first int, exact bool, room *spaceRoom,
	visit func(place int, rows []int, near []float64), drop func(places []int) []int,
) {
	width := s.rows.Width()
	if room.places == nil {
		room.places, room.squares = make([]float64, spaceRows*width), make([]float64, spaceRows)
		room.products = make([]float64, spaceRows*s.rows.Blocks[0].Width())
	}
	packed := -1
	for b := first / screen.Block; b < len(s.rows.Blocks) && len(places) > 0; b++ {
		if packed != len(places) {
			for p, i := range places {
				room.squares[p] = s.rows.Place(room.places[p*width:(p+1)*width], at(i))
			}
			packed = len(places)
		}
		block := s.rows.Blocks[b]
		block.Product(room.products, room.places, len(places))
		for p, i := range places {
			s.sift(room, room.products[p*block.Width():][:block.Len()], room.squares[p], b*screen.Block, at(i), exact)
			visit(i, room.rows, room.near)
		}
		if drop != nil {
			places = drop(places)
		}
	}
}

// sift puts the rows from first on that lie within the radius of a place into the room. Differences decide where the bounds do not.
func (s *space) sift(room *spaceRoom, product []float64, square float64, first int, at []float64, exact bool) {
	room.rows, room.near = room.rows[:0], room.near[:0]
	least := (square - s.limit) / 2 // the product of a row whose lower bound is the limit
	for from := 0; from < len(product); from += 8 {
		some := product[from:min(from+8, len(product))]
		if len(some) == 8 && some[0] < least && some[1] < least && some[2] < least && some[3] < least &&
			some[4] < least && some[5] < least && some[6] < least && some[7] < least {
			continue
		}
		for i, v := range some {
			if v < least {
				continue
			}
			row, low := first+from+i, screen.Lower(v, square)
			if exact || !(s.rows.Upper(low, square, row) <= s.limit) {
				if low = squared(s.x.RawRowView(row), at); low > s.limit {
					continue
				}
			}
			room.rows, room.near = append(room.rows, row), append(room.near, low)
		}
	}
}

func numbers(from, to int) []int {
	out := make([]int, to-from)
	for i := range out {
		out[i] = from + i
	}
	return out
}

// crowded tells for each row whether at least so many rows, itself among them, lie within the radius.
func (s *space) crowded(ctx context.Context, least int) ([]bool, error) {
	n, _ := s.x.Dims()
	out := make([]bool, n)
	err := s.batches(ctx, n, float64(n), func(_, from, to int, room *spaceRoom) {
		if s.tree != nil {
			for i := from; i < to; i++ {
				count := 0
				s.tree.Within(s.x.RawRowView(i), s.radius, s.limit, func(int, float64) bool { count++; return count < least })
				out[i] = count >= least
			}
			return
		}
		var counts [spaceRows]int
		s.meet(numbers(from, to), s.x.RawRowView, 0, false, room, func(i int, rows []int, _ []float64) {
			counts[i-from] += len(rows)
			out[i] = counts[i-from] >= least
		}, func(places []int) []int {
			left := places[:0]
			for _, i := range places {
				if !out[i] {
					left = append(left, i)
				}
			}
			return left
		})
	})
	return out, err
}

// joined gives each row the number, from 0 in the order of their first row, of the set of rows that hang together by steps of at most the
// radius, and returns how many there are.
func (s *space) joined(ctx context.Context) (number []int, count int, err error) {
	n, _ := s.x.Dims()
	sets := make([]forest, s.workers(n, math.Inf(1))+1)
	sets[0] = newForest(n)
	err = s.batches(ctx, n, float64(n)/2, func(worker, from, to int, room *spaceRoom) {
		if sets[worker] == nil {
			sets[worker] = newForest(n)
		}
		set := sets[worker]
		if s.tree != nil {
			for i := from; i < to; i++ {
				s.tree.Within(s.x.RawRowView(i), s.radius, s.limit, func(j int, _ float64) bool {
					if j < i {
						set.join(i, j)
					}
					return true
				})
			}
			return
		}
		s.meet(numbers(from, to), s.x.RawRowView, from, false, room, func(i int, rows []int, _ []float64) {
			for _, j := range rows {
				set.join(i, j)
			}
		}, nil)
	})
	if err != nil {
		return nil, 0, err
	}
	all := sets[0]
	for _, set := range sets[1:] {
		for i := range set {
			all.join(i, set.root(i))
		}
	}
	number = make([]int, n)
	for i := range n { // a root is the first row of its set
		r := all.root(i)
		if r == i {
			number[i] = count
			count++
		}
		number[i] = number[r]
	}
	return number, count, nil
}

// nearest returns the row nearest to each of m places, of equally near ones the first, or -1 where none is within the radius.
func (s *space) nearest(ctx context.Context, m int, at func(i int) []float64) ([]int, error) {
	n, _ := s.x.Dims()
	out := make([]int, m)
	err := s.batches(ctx, m, float64(n), func(_, from, to int, room *spaceRoom) {
		if s.tree != nil {
			for i := from; i < to; i++ {
				best, least := -1, math.Inf(1)
				s.tree.Within(at(i), s.radius, s.limit, func(row int, square float64) bool {
					if square < least || square == least && row < best {
						best, least = row, square
					}
					return true
				})
				out[i] = best
			}
			return
		}
		var least [spaceRows]float64
		for i := from; i < to; i++ {
			out[i], least[i-from] = -1, math.Inf(1)
		}
		s.meet(numbers(from, to), at, 0, true, room, func(i int, rows []int, near []float64) {
			for j, v := range near {
				if v < least[i-from] {
					out[i], least[i-from] = rows[j], v
				}
			}
		}, nil)
	})
	return out, err
}

// A forest holds sets of numbers: that of i is the set of forest[i], and a root, the least of its set, is its own.
type forest []int

func newForest(n int) forest { return numbers(0, n) }

func (f forest) root(i int) int {
	for f[i] != i {
		f[i] = f[f[i]]
		i = f[i]
	}
	return i
}

func (f forest) join(i, j int) {
	a, b := f.root(i), f.root(j)
	f[max(a, b)] = min(a, b)
}
