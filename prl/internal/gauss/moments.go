package gauss

import (
	"math"

	"github.com/prlab/prlab/prl/internal/tile"
)

// Moments sum, over rows x of weight u, the squares u (x - c)(x - c)^T about a centre c, and when asked for also the shifts u (x - c) and
// the weight u, so that one pass about an old mean gives the new mean and covariance without cancellation. All are sums of outer products
// of sqrt(u) (x - c, 1) with itself, made by tiles.
type Moments struct {
	d, width int
	shifts   bool
	sums     []float64 // width x width, of which the upper triangle counts
	rows     []float64 // up to Batch of them, not summed yet
	filled   int
}

// NewMoments returns sums of zero for rows of d numbers.
func NewMoments(d int, shifts bool) *Moments {
	width := tile.Padded(d)
	if shifts {
		width = tile.Padded(d + 1)
	}
	return &Moments{d: d, width: width, shifts: shifts, sums: make([]float64, width*width), rows: make([]float64, Batch*width)}
}

// Clear sets the sums to zero.
func (s *Moments) Clear() {
	clear(s.sums)
	s.filled = 0
}

// few is the number of columns up to which the products of a row are added one by one: the tiles are wider.
const few = 5

// Add adds the row x of weight u about the centre.
func (s *Moments) Add(u float64, x, centre []float64) {
	root := math.Sqrt(u)
	row := s.rows[s.filled*s.width : (s.filled+1)*s.width]
	for j, v := range x {
		row[j] = root * (v - centre[j])
	}
	columns := s.d
	if s.shifts {
		row[s.d] = root
		columns++
	}
	if columns <= few {
		for a, v := range row[:columns] {
			sum := s.sums[a*s.width : a*s.width+columns]
			for b := a; b < columns; b++ {
				sum[b] += float64(v * row[b])
			}
		}
		return
	}
	if s.filled++; s.filled == Batch {
		s.Sum()
	}
}

// Sum brings the sums up to date with the rows added.
func (s *Moments) Sum() {
	tile.AddGram(s.sums, s.rows, s.filled, s.width)
	s.filled = 0
}

// Square returns sum u (x_a - c_a)(x_b - c_b) for a <= b. Call Sum before.
func (s *Moments) Square(a, b int) float64 { return s.sums[a*s.width+b] }

// Shift returns sum u (x_a - c_a). Call Sum before.
func (s *Moments) Shift(a int) float64 { return s.sums[a*s.width+s.d] }

// Weight returns sum u. Call Sum before.
func (s *Moments) Weight() float64 { return s.sums[s.d*s.width+s.d] }
