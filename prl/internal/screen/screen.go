// Package screen bounds squared distances from many places to many rows by products of whole blocks, which take half the time of
// differences and less. With rows a and places b about the mean of the rows,
//
//	|a - b|^2 = |a|^2 + |b|^2 - 2 a^T b
//
// errs by no more than a small share, slack, of |a|^2 + |b|^2, which bounds every squared distance, however it is summed up, from both
// sides.
package screen

import (
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/internal/tile"
)

// Block is the number of rows in a block. Rows of products that are a power of two apart would displace each other in the cache.
const Block = 504

// Rows are packed for products with places.
type Rows struct {
	Blocks []*tile.Columns // of rows less the mean, each with -half as its last number
	mean   []float64
	half   []float64 // (1 - slack)/2 |a|^2 of each row
	slack  float64
}

// New packs the rows of x, whose numbers stand without gaps.
func New(x *mat.Dense) *Rows {
	n, d := x.Dims()
	// Each of the three sums, and that of the differences, errs by less than d roundings of its terms, and the mean adds a few.
	s := &Rows{mean: make([]float64, d), half: make([]float64, n), slack: float64(4*d+32) * 0x1p-52}
	data := x.RawMatrix().Data
	tile.SumDifferences(s.mean, data, x.RawRowView(0), n)
	for j, v := range s.mean {
		s.mean[j] = x.At(0, j) + v/float64(n)
	}
	centred := make([]float64, min(Block, n)*(d+1))
	for from := 0; from < n; from += Block {
		count := min(Block, n-from)
		tile.Subtract(centred, d+1, data[from*d:], s.mean, count)
		for i := range count {
			row := centred[i*(d+1) : (i+1)*(d+1)]
			s.half[from+i] = (1 - s.slack) / 2 * square(row[:d])
			row[d] = -s.half[from+i]
		}
		s.Blocks = append(s.Blocks, tile.Transpose(centred, count, d+1))
	}
	return s
}

// Width is the length of a place made ready, one more than that of a row.
func (s *Rows) Width() int { return len(s.mean) + 1 }

// Place makes a place ready for products with the blocks, Width numbers in to, and returns (1 - slack) |b|^2. A product p with a row tells
// the lower bound Lower(p, squared) of the squared distance.
func (s *Rows) Place(to, at []float64) (squared float64) {
	d := len(s.mean)
	tile.Subtract(to, d, at, s.mean, 1)
	to[d] = 1
	return (1 - s.slack) * square(to[:d])
}

// Lower returns the lower bound of a squared distance.
func Lower(product, squared float64) float64 { return squared - 2*product }

// Upper returns the upper bound of the squared distance from a row of which low is the lower one.
func (s *Rows) Upper(low, squared float64, row int) float64 {
	return low + 2*s.slack/(1-s.slack)*(squared+2*s.half[row]) // they lie 2 slack (|a|^2 + |b|^2) apart
}

// square returns the squared length of x, from four sums of which none waits for another.
func square(x []float64) float64 {
	var a, b, c, d float64
	for ; len(x) >= 4; x = x[4:] {
		a += x[0] * x[0]
		b += x[1] * x[1]
		c += x[2] * x[2]
		d += x[3] * x[3]
	}
	for _, v := range x {
		a += v * v
	}
	return a + b + (c + d)
}
