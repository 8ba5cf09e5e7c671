package mixture

import (
	"math"

	"github.com/prlab/prlab/prl/internal/tile"
)

// An assigner sends each row to its nearest centre and remembers the assignment from round to round.
type assigner interface {
	assign(centres []float64) (changed bool)
	result() []int
}

// batch is the number of rows whose distances to all centres are computed at a time.
const batch = 32

// plainAssigner computes all distances.
type plainAssigner struct {
	x      []float64
	n, d   int
	labels []int
}

func (a *plainAssigner) result() []int { return a.labels }

func (a *plainAssigner) assign(centres []float64) bool {
	d, k := a.d, len(centres)/a.d
	// The last strip is filled up with the last centre, which loses against itself.
	padded := append(make([]float64, 0, tile.Padded(k)*d), centres...)
	for len(padded) < cap(padded) {
		padded = append(padded, centres[(k-1)*d:]...)
	}
	columns := tile.Transpose(padded, tile.Padded(k), d)
	width := columns.Width()
	moved := make([]bool, (a.n+block-1)/block)
	blocks(a.n, func(b, lo, hi int) {
		all := make([]float64, batch*width)
		for i := lo; i < hi; i += batch {
			m := min(batch, hi-i)
			columns.Distances(all, a.x[i*d:], m)
			for r := range m {
				row := all[r*width : (r+1)*width]
				c, least := tile.ArgMin(row)
				if present := a.labels[i+r]; present < 0 || row[present] > least {
					a.labels[i+r] = c
					moved[b] = true
				}
			}
		}
	})
	return some(moved)
}

// nearest returns the centre of least squared distance, that distance and the second least. Of equal ones the present centre (-1 when there
// is none) comes first, then the order counts.
func nearest(s []float64, present int) (c int, first, second float64) {
	c, first, second = present, math.Inf(1), math.Inf(1)
	if c >= 0 {
		first = s[c]
	}
	for j, v := range s {
		if v >= second {
			continue
		}
		if v < first {
			c, first, second = j, v, first
		} else if j != c {
			second = v
		}
	}
	return max(c, 0), first, second // all squares overflow for a row beyond 1e154
}

func some(flags []bool) bool {
	for _, f := range flags {
		if f {
			return true
		}
	}
	return false
}

// hamerly keeps an upper bound on each row's distance to its own centre and a lower bound on the distance to the nearest other one, both moved along
// with the centres by the triangle inequality, and computes distances only for rows whose bounds cross (G. Hamerly 2010, "Making k-means
// even faster").
type hamerly struct {
	x       []float64
	n, d, k int
	labels  []int
	upper   []float64
	lower   []float64
	last    []float64   // centres of the round before; nil at first
	scratch [][]float64 // room for a batch, one for each block
}

func newHamerly(x []float64, n, d, k int) *hamerly {
	return &hamerly{x: x, n: n, d: d, k: k, labels: unassigned(n), upper: make([]float64, n), lower: make([]float64, n), scratch: make([][]float64, (n+block-1)/block)}
}

func (a *hamerly) result() []int { return a.labels }

// slack widens bounds by more than rounding can have narrowed them.
const slack = 1e-12

func (a *hamerly) assign(centres []float64) bool {
	d, k := a.d, a.k
	columns := tile.Transpose(centres, k, d)
	width := columns.Width()
	half := halfway(columns, centres, k, d)
	drift, most, second, leader := a.move(centres)
	begin := a.labels[0] < 0
	moved := make([]bool, (a.n+block-1)/block)
	blocks(a.n, func(b, lo, hi int) {
		var open [batch]int // rows whose bounds cross
		if a.scratch[b] == nil {
			a.scratch[b] = make([]float64, batch*(d+width))
		}
		rows, all := a.scratch[b][:batch*d], a.scratch[b][batch*d:]
		count := 0
		settle := func() {
			columns.Distances(all, rows, count)
			for r, i := range open[:count] {
				c, first, other := nearest(all[r*width:r*width+k], a.labels[i])
				a.upper[i], a.lower[i] = math.Sqrt(first), math.Sqrt(other)
				if c != a.labels[i] {
					a.labels[i] = c
					moved[b] = true
				}
			}
			count = 0
		}
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
				if width > tile.Wide { // otherwise all distances cost no more than this one
					u = math.Sqrt(squared(row, centres[c*d:(c+1)*d]))
					a.upper[i] = u
					if u < need {
						continue
					}
				}
			}
			copy(rows[count*d:], row)
			open[count] = i
			if count++; count == batch {
				settle()
			}
		}
		settle()
	})
	return some(moved)
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

// halfway returns half the distance from each centre to the nearest other one: a row that is nearer than that to its centre is nearest to it.
func halfway(columns *tile.Columns, centres []float64, k, d int) []float64 {
	width := columns.Width()
	all, half := make([]float64, k*width), make([]float64, k)
	columns.Distances(all, centres, k)
	for j := range half {
		near := math.Inf(1)
		for l, s := range all[j*width : j*width+k] {
			if l != j {
				near = math.Min(near, s)
			}
		}
		half[j] = 0.5 * math.Sqrt(near)
	}
	return half
}
