package density

import (
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/internal/tile"
)

const (
	screenPlaces = 64  // places that meet the rows together
	screenRows   = 504 // rows in a block: rows of products that are a power of two apart would displace each other in the cache
)

// A screen finds the few rows that may be among the nearest, by products of whole blocks of rows: with rows and places about the mean,
//
//	|a - b|^2 = |a|^2 + |b|^2 - 2 a^T b
//
// errs by no more than slack (|a|^2 + |b|^2), which bounds every squared distance from both sides. A row whose lower bound exceeds the
// upper bounds of enough others is none of the neighbours. Those that are left after all blocks, hardly more than are wanted, are measured
// by differences, unless it is their order alone that counts and the bounds tell it.
type screen struct {
	mean   []float64
	blocks []*tile.Columns // of rows less the mean, each with -half as its last number
	half   []float64       // (1 - slack)/2 |a|^2 of each row
	slack  float64
}

func newScreen(x *mat.Dense) *screen {
	n, d := x.Dims()
	// Each of the three sums, and that of the differences, errs by less than d roundings of its terms, and the mean adds a few.
	s := &screen{mean: make([]float64, d), half: make([]float64, n), slack: float64(4*d+32) * 0x1p-52}
	data := x.RawMatrix().Data
	tile.SumDifferences(s.mean, data, x.RawRowView(0), n)
	for j, v := range s.mean {
		s.mean[j] = x.At(0, j) + v/float64(n)
	}
	centred := make([]float64, min(screenRows, n)*(d+1))
	for from := 0; from < n; from += screenRows {
		count := min(screenRows, n-from)
		tile.Subtract(centred, d+1, data[from*d:], s.mean, count)
		for i := range count {
			row := centred[i*(d+1) : (i+1)*(d+1)]
			s.half[from+i] = (1 - s.slack) / 2 * square(row[:d])
			row[d] = -s.half[from+i]
		}
		s.blocks = append(s.blocks, tile.Transpose(centred, count, d+1))
	}
	return s
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

// A desk is room for places that a screen works on together.
type desk struct {
	*screen
	places   []float64 // less the mean, each with 1 as its last number
	squares  []float64 // (1 - slack) |b|^2
	products []float64
}

func (s *screen) desk(places int) *desk {
	return &desk{s, make([]float64, places*(len(s.mean)+1)), make([]float64, places), make([]float64, places*s.blocks[0].Width())}
}

// find puts the neighbours of the places of the searches, for which there is room, into near of each, by distance and number.
func (w *desk) find(searches []*search) {
	d, m := len(w.mean), len(searches)
	for r, of := range searches {
		of.begin()
		place := w.places[r*(d+1) : (r+1)*(d+1)]
		tile.Subtract(place, d, of.at, w.mean, 1)
		place[d] = 1
		w.squares[r] = (1 - w.slack) * square(place[:d])
	}
	for b, block := range w.blocks {
		block.Product(w.products, w.places, m)
		for r, of := range searches {
			of.sift(w.products[r*block.Width():][:block.Len()], w.squares[r], b*screenRows)
		}
	}
	for r, of := range searches {
		of.settle(w.squares[r])
	}
}

// sift takes the rows from first on into account, of which product has a^T b - half; squared is (1 - slack) |b|^2. Until settle, near has
// lower bounds of squared distances and found upper ones.
func (s *search) sift(product []float64, squared float64, first int) {
	least := (squared - s.reach()) / 2 // where the lower bound, squared - 2 product, is the reach
	for from := 0; from < len(product); from += 8 {
		some := product[from:min(from+8, len(product))]
		if len(some) == 8 && some[0] < least && some[1] < least && some[2] < least && some[3] < least &&
			some[4] < least && some[5] < least && some[6] < least && some[7] < least {
			continue
		}
		for i, v := range some {
			row := first + from + i
			if v < least || row == s.but {
				continue
			}
			low := neighbour{row, squared - 2*v}
			s.near = append(s.near, low)
			s.hold(neighbour{row, s.upper(low, squared)})
			least = (squared - s.reach()) / 2
		}
	}
}

// upper returns the upper bound of a squared distance of which low has the lower one: they lie 2 slack (|a|^2 + |b|^2) apart.
func (s *search) upper(low neighbour, squared float64) float64 {
	return low.squared + 2*s.screen.slack/(1-s.screen.slack)*(squared+2*s.screen.half[low.row])
}

// settle keeps the neighbours of the rows that sift has left. It finds their distances unless ranks are wanted and the bounds do not
// overlap, for there are no ties then.
func (s *search) settle(squared float64) {
	s.end()
	apart := s.ranks
	for i := 1; i < len(s.near) && apart; i++ {
		apart = s.near[i].squared > s.upper(s.near[i-1], squared)
	}
	if apart {
		return
	}
	rest := s.near
	for ; len(rest) >= 4; rest = rest[4:] {
		four := s.distances(s.x.RawRowView(rest[0].row), s.x.RawRowView(rest[1].row), s.x.RawRowView(rest[2].row), s.x.RawRowView(rest[3].row))
		for i, v := range four {
			rest[i].squared = v
		}
	}
	for i := range rest {
		rest[i].squared = s.distance(s.x.RawRowView(rest[i].row), infinite)
	}
	s.found, s.sum = s.found[:0], 0
	for _, v := range s.near {
		s.hold(v)
	}
	s.end()
}

// distances returns what distance does, of four rows: the sums, of which each waits for its last term, go on side by side.
func (s *search) distances(a, b, c, d []float64) [4]float64 {
	n := len(s.at)
	a, b, c, d = a[:n], b[:n], c[:n], d[:n]
	var sa, sb, sc, sd float64
	for j, v := range s.at {
		sa += (a[j] - v) * (a[j] - v)
		sb += (b[j] - v) * (b[j] - v)
		sc += (c[j] - v) * (c[j] - v)
		sd += (d[j] - v) * (d[j] - v)
	}
	return [4]float64{sa, sb, sc, sd}
}
