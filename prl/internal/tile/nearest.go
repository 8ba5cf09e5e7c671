package tile

import (
	"math"

	"github.com/prlab/prlab/prl/internal/fused"
)

const (
	lanes = 16 // rows that are worked on side by side
	four  = 4  // centres in a group
)

// Centres are n points of d numbers, kept in groups of four, to which rows are compared. The last group is filled up with centres at
// infinity.
type Centres struct {
	n, d   int
	packed []float64 // group g, number r of its centre c at 4 (g d + r) + c
}

// NewCentres packs n > 0 points of d numbers that stand in rows.
func NewCentres(rows []float64, n, d int) *Centres {
	c := &Centres{n: n, d: d, packed: make([]float64, (n+four-1)/four*four*d)}
	for j := range len(c.packed) / d {
		to := c.packed[j/four*four*d+j%four:]
		for r := range d {
			to[r*four] = math.Inf(1)
			if j < n {
				to[r*four] = rows[j*d+r]
			}
		}
	}
	return c
}

// Room returns how many numbers Nearest needs to work on.
func (c *Centres) Room() int { return lanes * c.d }

// Nearest finds for each of the m rows of x the centre of least squared Euclidean distance, the first of equal ones, and puts its number
// into at, the distance into first, and the least distance to another centre, which is infinite when there is none, into second. A row that
// is not finite has an infinite distance to centre 0. room has Room numbers.
func (c *Centres) Nearest(at []int, first, second, x []float64, m int, room []float64) {
	room = room[:c.Room()]
	i := 0
	for ; i+lanes <= m; i += lanes {
		turn(c.d, x[i*c.d:], room)
		nearest(c.d, room, c.packed, first[i:i+lanes], second[i:i+lanes], at[i:i+lanes])
	}
	if rest := m - i; rest > 0 {
		var a, b [lanes]float64
		var place [lanes]int
		plainTurn(c.d, rest, x[i*c.d:], c.d, room, lanes)
		nearest(c.d, room, c.packed, a[:], b[:], place[:])
		copy(at[i:m], place[:])
		copy(first[i:m], a[:])
		copy(second[i:m], b[:])
	}
}

// plainNearest compares the 16 rows of x, number r of row i at x[16 r + i], to the centres.
func plainNearest(d int, x, centres, first, second []float64, at []int) {
	for i := range lanes {
		first[i], second[i], at[i] = math.Inf(1), math.Inf(1), 0
		for j := range len(centres) / d {
			s := 0.0
			for r := range d {
				v := x[r*lanes+i] - centres[j/four*four*d+r*four+j%four]
				s = fused.FMA(v, v, s)
			}
			switch {
			case s < first[i]:
				first[i], second[i], at[i] = s, first[i], j
			case s < second[i]:
				second[i] = s
			}
		}
	}
}

// turn writes number r of each of 16 rows of d numbers, i, to to[16 r + i].
func turn(d int, x, to []float64) {
	for i := 0; i < lanes; i += 4 {
		turnFour(d, x[i*d:], d, to[i:], lanes)
	}
}
