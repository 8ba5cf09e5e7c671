package density

import "github.com/prlab/prlab/prl/internal/screen"

const screenPlaces = 64 // places that meet the rows together

// A desk is room for places that meet all rows together. Of these a place finds the few that may be among its nearest: a row whose lower
// bound exceeds the upper bounds of enough others is none of the neighbours. Those that are left after all blocks, hardly more than are
// wanted, are measured by differences, unless it is their order alone that counts and the bounds tell it.
type desk struct {
	rows     *screen.Rows
	places   []float64
	squares  []float64 // of the places
	products []float64
}

func newDesk(rows *screen.Rows, places int) *desk {
	return &desk{rows, make([]float64, places*rows.Width()), make([]float64, places), make([]float64, places*rows.Blocks[0].Width())}
}

// find puts the neighbours of the places of the searches, for which there is room, into near of each, by distance and number.
func (w *desk) find(searches []*search) {
	m, width := len(searches), w.rows.Width()
	for r, of := range searches {
		of.begin()
		w.squares[r] = w.rows.Place(w.places[r*width:(r+1)*width], of.at)
	}
	for b, block := range w.rows.Blocks {
		block.Product(w.products, w.places, m)
		for r, of := range searches {
			of.sift(w.products[r*block.Width():][:block.Len()], w.squares[r], b*screen.Block)
		}
	}
	for r, of := range searches {
		of.settle(w.squares[r])
	}
}

// sift takes the rows from first on into account, by their products with the place and the square of this. Until settle, near has lower
// bounds of squared distances and found upper ones.
func (s *search) sift(product []float64, squared float64, first int) {
	least := (squared - s.reach()) / 2 // the product of a row whose lower bound is the reach
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
			low := screen.Lower(v, squared)
			s.near = append(s.near, neighbour{row, low})
			s.hold(neighbour{row, s.screen.Upper(low, squared, row)})
			least = (squared - s.reach()) / 2
		}
	}
}

// settle keeps the neighbours of the rows that sift has left. It finds their distances unless ranks are wanted and the bounds do not
// overlap, for there are no ties then.
func (s *search) settle(squared float64) {
	s.end()
	apart := s.ranks
	for i := 1; i < len(s.near) && apart; i++ {
		apart = s.near[i].squared > s.screen.Upper(s.near[i-1].squared, squared, s.near[i-1].row)
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
