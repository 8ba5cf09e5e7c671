package mixture

import (
	"context"
	"math"

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
	points points
	search searcher
	labels []int
}

func (a *plainAssigner) result() []int { return a.labels }

func (a *plainAssigner) assign(ctx context.Context, centres []float64) bool {
	if a.search == nil {
		a.search = a.points.search(centres)
	} else {
		a.search.move(centres)
	}
	n, _ := a.points.size()
	moved := make([]bool, (n+block-1)/block)
	shared(n, a.search.workers(), func(g, b, lo, hi int) {
		if ctx.Err() != nil {
			return
		}
		for i := lo; i < hi; i += batch {
			m := min(batch, hi-i)
			s := a.search.from(g, i, m)
			for r := range m {
				present := a.labels[i+r]
				if c := s.nearest(r, i+r, present, a.search); c != present {
					a.labels[i+r] = c
					moved[b] = true
				}
			}
		}
	})
	return some(moved)
}

// A search holds the nearest centres of a batch of rows: the nearest one, its squared distance, and the least squared distance to another.
type search struct {
	at            [batch]int
	first, second [batch]float64
}

// nearest returns the centre nearest to row i, at place r of the batch. Of equally near centres the present one (-1 when there is none)
// comes first, then the order counts.
func (s *search) nearest(r, i, present int, of searcher) int {
	if c := s.at[r]; present < 0 || present == c || of.own(i, present) != s.first[r] {
		return c
	}
	return present
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
	points  points
	n, d, k int
	labels  []int
	upper   []float64
	lower   []float64
	last    []float64 // centres of the round before; nil at first
	search  searcher
	open    []openRows // one a goroutine: its rows whose bounds cross
	moved   []bool
}

// openRows are numbers of rows, up to a batch.
type openRows struct {
	count int
	at    [batch]int
}

func newHamerly(p points, k int) *hamerly {
	n, d := p.size()
	return &hamerly{
		points: p,
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
	k := a.k
	if a.search == nil {
		a.search = a.points.search(centres)
		a.open = make([]openRows, a.search.workers())
	} else {
		a.search.move(centres)
	}
	half := a.search.halfway()
	drift, most, second, leader := a.move(centres)
	begin := a.labels[0] < 0
	clear(a.moved)
	shared(a.n, len(a.open), func(g, b, lo, hi int) {
		if ctx.Err() != nil {
			return
		}
		o := &a.open[g]
		for i := lo; i < hi; i++ {
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
					u = a.search.reach(i, c)
					a.upper[i] = u
					if u < need {
						continue
					}
				}
			}
			o.at[o.count] = i
			if o.count++; o.count == batch {
				a.settle(g, b)
			}
		}
		a.settle(g, b)
	})
	return some(a.moved)
}

// settle assigns the open rows of goroutine g, which are of block b, again.
func (a *hamerly) settle(g, b int) {
	o := &a.open[g]
	s := a.search.gather(g, o.at[:o.count])
	for r, i := range o.at[:o.count] {
		c := s.nearest(r, i, a.labels[i], a.search)
		a.upper[i], a.lower[i] = a.search.bounds(i, s.first[r], s.second[r])
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
