package density

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/internal/tile"
)

const (
	screenPlaces = 128 // places that meet the rows together
	screenRows   = 512 // rows in a block
)

// A screen finds the few rows that may be among the nearest, by products of whole blocks of rows: with rows and places about the mean,
//
//	|a - b|^2 = |a|^2 + |b|^2 - 2 a^T b
//
// errs by no more than slack (|a|^2 + |b|^2), so that a row whose distance so found is larger than that beyond the reach of a search is
// none of its neighbours. All others are measured by differences.
type screen struct {
	mean   []float64
	blocks []*tile.Columns // of rows less the mean
	half   [][]float64     // (1 - slack)/2 |a|^2 of each, in rows of whole strips
	slack  float64
}

func newScreen(x *mat.Dense) *screen {
	n, d := x.Dims()
	// Each of the three sums, and that of the differences, errs by less than d roundings of its terms, and the mean adds a few.
	s := &screen{mean: make([]float64, d), slack: float64(4*d+32) * 0x1p-52}
	data := x.RawMatrix().Data
	tile.SumDifferences(s.mean, data, x.RawRowView(0), n)
	for j, v := range s.mean {
		s.mean[j] = x.At(0, j) + v/float64(n)
	}
	centred := make([]float64, screenRows*d)
	for from := 0; from < n; from += screenRows {
		count := min(screenRows, n-from)
		tile.Subtract(centred, d, data[from*d:], s.mean, count)
		half := make([]float64, tile.Padded(count))
		for i := range half {
			if half[i] = math.Inf(1); i >= count { // never near
				continue
			}
			half[i] = (1 - s.slack) / 2 * square(centred[i*d:(i+1)*d])
		}
		s.blocks = append(s.blocks, tile.Transpose(centred[:count*d], count, d))
		s.half = append(s.half, half)
	}
	return s
}

func square(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v * v
	}
	return s
}

// find puts the neighbours of up to screenPlaces places into near of each search, by distance and number.
func (s *screen) find(searches []*search) {
	d, m := len(s.mean), len(searches)
	places, products := make([]float64, m*d), make([]float64, m*screenRows)
	squares := make([]float64, m)
	for r, of := range searches {
		of.begin()
		tile.Subtract(places[r*d:], d, of.at, s.mean, 1)
		squares[r] = (1 - s.slack) * square(places[r*d:(r+1)*d])
	}
	for b, block := range s.blocks {
		half := s.half[b]
		block.Product(products, places, m)
		for r, of := range searches {
			// |a|^2 + |b|^2 - 2 a^T b <= reach, less the slack on the left, where a^T b >= half - beyond.
			beyond := (of.reach() - squares[r]) / 2
			for i, v := range products[r*len(half) : (r+1)*len(half)] {
				if v < half[i]-beyond {
					continue
				}
				if row := b*screenRows + i; i < block.Len() {
					of.look(row, of.x.RawRowView(row))
					beyond = (of.reach() - squares[r]) / 2
				}
			}
		}
	}
	for _, of := range searches {
		of.end()
	}
}
