package mixture

import (
	"context"
	"math"

	"github.com/prlab/prlab/prl/internal/fused"
	"github.com/prlab/prlab/prl/internal/tile"
)

// An assigner sends each row to its nearest centre and remembers the assignment from round to round.
type assigner interface {
	assign(ctx context.Context, centres []float64) (changed bool) // early when the context ends
	result() []int
}

// batch is the number of rows that are compared to all centres at a time.
const batch = 32

// plainAssigner computes all distances.
type plainAssigner struct {
	x      []float64
	n, d   int
	labels []int
}

func (a *plainAssigner) result() []int { return a.labels }

func (a *plainAssigner) assign(ctx context.Context, centres []float64) bool {
	points := tile.NewCentres(centres, len(centres)/a.d, a.d)
	searches := newSearches(a.n, len(centres)/a.d, a.d, points)
	moved := make([]bool, (a.n+block-1)/block)
	shared(a.n, len(searches), func(g, b, lo, hi int) {
		if ctx.Err() != nil {
			return
		}
		s := searches[g]
		for i := lo; i < hi; i += batch {
			m := min(batch, hi-i)
			s.find(points, a.x[i*a.d:], m)
			for r := range m {
				present := a.labels[i+r]
				if c, _, _ := s.nearest(r, a.x[(i+r)*a.d:(i+r+1)*a.d], centres, present); c != present {
					a.labels[i+r] = c
					moved[b] = true
				}
			}
		}
	})
	return some(moved)
}

// A search holds the nearest centres of a batch of rows.
type search struct {
	at            [batch]int
	first, second [batch]float64
	room          []float64
}

// newSearches returns a search among k centres for each goroutine that n rows are shared among.
func newSearches(n, k, d int, centres *tile.Centres) []*search {
	out := make([]*search, workers(n, compare(k, d)))
	for g := range out {
		out[g] = &search{room: make([]float64, centres.Room())}
	}
	return out
}

// find looks for the nearest centres of the first m <= batch rows of x.
func (s *search) find(centres *tile.Centres, x []float64, m int) {
	centres.Nearest(s.at[:m], s.first[:m], s.second[:m], x, m, s.room)
}

// nearest returns the centre nearest to row r of the batch, x, its squared distance, and the least squared distance to another one. Of
// equally near centres the present one (-1 when there is none) comes first, then the order counts.
func (s *search) nearest(r int, x, centres []float64, present int) (c int, first, second float64) {
	c = s.at[r]
	if present >= 0 && present != c {
		// Summed up in the order in which Nearest does it, so that equal distances are equal.
		own := 0.0
		for j, v := range centres[present*len(x) : (present+1)*len(x)] {
			u := x[j] - v
			own = fused.FMA(u, u, own)
		}
		if own == s.first[r] {
			c = present
		}
	}
	return c, s.first[r], s.second[r]
}

func some(flags []bool) bool {
	for _, f := range flags {
		if f {
			return true
		}
	}
	return false
}

// hamerly keeps an upper bound on each row's distance to its own centre and a lower bound on the distance to the nearest other one, both
// moved along with the centres by the triangle inequality, and computes distances only for rows whose bounds cross (G. Hamerly 2010,
// "Making k-means even faster").
type hamerly struct {
	x        []float64
	n, d, k  int
	labels   []int
	upper    []float64
	lower    []float64
	last     []float64 // centres of the round before; nil at first
	searches []*search // one a goroutine, and its rows whose bounds cross
	open     []openRows
	moved    []bool
}

// openRows are numbers of rows and the rows themselves, up to a batch.
type openRows struct {
	count int
	at    [batch]int
	rows  []float64
}

func newHamerly(x []float64, n, d, k int) *hamerly {
	return &hamerly{
		x:      x,
		n:      n,
		d:      d,
		k:      k,
		labels: unassigned(n),
		upper:  make([]float64, n),
		lower:  make([]float64, n),
		moved:  make([]bool, (n+block-1)/block),
	}
}

func (a *hamerly) result() []int { return a.labels }

// slack widens bounds by more than rounding can have narrowed them.
const slack = 1e-12

func (a *hamerly) assign(ctx context.Context, centres []float64) bool {
	d, k := a.d, a.k
	points := tile.NewCentres(centres, k, d)
	if a.searches == nil {
		a.searches = newSearches(a.n, k, d, points)
		a.open = make([]openRows, len(a.searches))
		for g := range a.open {
			a.open[g].rows = make([]float64, batch*d)
		}
	}
	half := halfway(points, centres, k)
	drift, most, second, leader := a.move(centres)
	begin := a.labels[0] < 0
	clear(a.moved)
	shared(a.n, len(a.open), func(g, b, lo, hi int) {
		if ctx.Err() != nil {
			return
		}
		o := &a.open[g]
		for i := lo; i < hi; i++ {
			row := a.x[i*d : (i+1)*d]
			if !begin {
				c := a.labels[i]
				u, l := a.upper[i]+drift[c], a.lower[i]
				if c == leader {
					l -= second
				} else {
					l -= most
				}
				a.upper[i], a.lower[i] = u, l
				need := half[c]
				if l > need {
					need = l
				}
				need -= slack * (u + need)
				if u < need {
					continue
				}
				if k > tile.Wide { // otherwise all distances cost hardly more than this one
					u = math.Sqrt(squared(row, centres[c*d:(c+1)*d]))
					a.upper[i] = u
					if u < need {
						continue
					}
				}
			}
			copy(o.rows[o.count*d:], row)
			o.at[o.count] = i
			if o.count++; o.count == batch {
				a.settle(g, b, points, centres)
			}
		}
		a.settle(g, b, points, centres)
	})
	return some(a.moved)
}

// settle assigns the open rows of goroutine g, which are of block b, anew.
func (a *hamerly) settle(g, b int, points *tile.Centres, centres []float64) {
	o, s := &a.open[g], a.searches[g]
	s.find(points, o.rows, o.count)
	for r, i := range o.at[:o.count] {
		c, first, other := s.nearest(r, o.rows[r*a.d:(r+1)*a.d], centres, a.labels[i])
		a.upper[i], a.lower[i] = math.Sqrt(first), math.Sqrt(other)
		if c != a.labels[i] {
			a.labels[i] = c
			a.moved[b] = true
		}
	}
	o.count = 0
}

// move returns how far each centre has moved since the round before, the two longest ways and whose the longest is.
func (a *hamerly) move(centres []float64) (drift []float64, most, second float64, leader int) {
	d := a.d
	drift = make([]float64, a.k)
	if a.last != nil {
		for j := range drift {
			v := math.Sqrt(squared(centres[j*d:(j+1)*d], a.last[j*d:(j+1)*d]))
			drift[j] = v
			if v > most {
				most, second, leader = v, most, j
			} else if v > second {
				second = v
			}
		}
	}
	a.last = append(a.last[:0], centres...)
	return drift, most, second, leader
}

// halfway returns half the distance from each centre to the nearest other one: a row that is nearer than that to its centre is nearest to
// it.
func halfway(points *tile.Centres, centres []float64, k int) []float64 {
	at, own, half := make([]int, k), make([]float64, k), make([]float64, k)
	points.Nearest(at, own, half, centres, k, make([]float64, points.Room()))
	for j, s := range half {
		half[j] = 0.5 * math.Sqrt(s)
	}
	return half
}
