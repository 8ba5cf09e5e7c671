package mixture

import (
	"context"
	"math"

	"github.com/prlab/prlab/prl/internal/fused"
	"github.com/prlab/prlab/prl/internal/tile"
	"github.com/prlab/prlab/prl/sparse"
)

// thinPoints are rows without their zeros.
type thinPoints struct {
	x       *sparse.CSR
	n, d    int
	squares []float64 // |x_i|^2
}

func newThinPoints(x *sparse.CSR) *thinPoints {
	p := &thinPoints{x: x}
	p.n, p.d = x.Dims()
	p.squares = make([]float64, p.n)
	for i := range p.squares {
		p.squares[i] = x.Square(i)
	}
	return p
}

func (p *thinPoints) size() (n, d int) { return p.n, p.d }

func (p *thinPoints) row(dst []float64, i int) {
	clear(dst)
	p.x.AddTo(dst, i, 1)
}

// cost is about how many nanoseconds it takes to compare a row to k centres.
func (p *thinPoints) cost(k int) float64 { return compare(k, 2*(1+p.x.NonZeros()/p.n)) }

func (p *thinPoints) squared(i int, c []float64) float64 { return p.apart(i, c, norm2(c)) }

func (p *thinPoints) squaredTo(c []float64) func(i int) float64 {
	norm := norm2(c)
	return func(i int) float64 { return p.apart(i, c, norm) }
}

// apart returns |x_i - c|^2 for a centre of the squared length norm: the sum over the columns that the row stores, and what these leave
// of the norm. Where the row stores an eighth of the columns or more, the others are summed up.
func (p *thinPoints) apart(i int, c []float64, norm float64) float64 {
	at, values := p.x.RawRow(i)
	values = values[:len(at)]
	sum := 0.0
	if 8*len(at) >= p.d {
		next := 0
		for q, j := range at {
			sum += norm2(c[next:j])
			u := values[q] - c[j]
			sum += u * u
			next = int(j) + 1
		}
		return sum + norm2(c[next:])
	}
	for q, j := range at {
		v := c[j]
		u := values[q] - v
		sum += u * u
		norm -= v * v
	}
	return sum + max(0, norm)
}

func norm2(c []float64) float64 {
	sum := 0.0
	for _, v := range c {
		sum += v * v
	}
	return sum
}

func (p *thinPoints) norms(centres []float64) []float64 {
	norms := make([]float64, len(centres)/p.d)
	for c := range norms {
		norms[c] = norm2(centres[c*p.d : (c+1)*p.d])
	}
	return norms
}

func (p *thinPoints) meanVariance(w []float64) float64 {
	total, mean, mass := totalWeight(w, p.n), make([]float64, p.d), make([]float64, p.d)
	for i := range p.n {
		at, values := p.x.RawRow(i)
		for q, j := range at {
			mean[j] += weight(w, i) * values[q]
			mass[j] += weight(w, i)
		}
	}
	sum := 0.0
	for j := range mean {
		mean[j] /= total
		sum += max(0, total-mass[j]) * mean[j] * mean[j]
	}
	for i := range p.n {
		at, values := p.x.RawRow(i)
		for q, j := range at {
			u := values[q] - mean[j]
			sum += weight(w, i) * u * u
		}
	}
	return sum / total / float64(p.d)
}

func (p *thinPoints) sums(k int, labels []int, w []float64) (rows, mass []float64) {
	rows, mass = make([]float64, k*p.d), make([]float64, k)
	for i, c := range labels {
		u := weight(w, i)
		p.x.AddTo(rows[c*p.d:(c+1)*p.d], i, u)
		mass[c] += u
	}
	return rows, mass
}

func (p *thinPoints) inertia(centres []float64, labels []int, w []float64) float64 {
	norms, parts := p.norms(centres), make([]float64, (p.n+block-1)/block)
	blocks(p.n, p.cost(1), func(b, lo, hi int) {
		for i := lo; i < hi; i++ {
			c := labels[i]
			parts[b] += weight(w, i) * p.apart(i, centres[c*p.d:(c+1)*p.d], norms[c])
		}
	})
	sum := 0.0
	for _, v := range parts {
		sum += v
	}
	return sum
}

func (p *thinPoints) search(centres []float64) searcher {
	s := &thinSearch{thinPoints: p, searches: make([]search, workers(p.n, p.cost(len(centres)/p.d)))}
	s.move(centres)
	return s
}

// A thinSearch finds the nearest centres by |x|^2 - 2 <x, mu> + |mu|^2.
type thinSearch struct {
	*thinPoints
	centres, norms []float64
	most           float64   // the largest norm
	packed         []float64 // number j of centre 16 b + r at 16 (b d + j) + r
	searches       []search  // one a goroutine
}

func (s *thinSearch) workers() int { return len(s.searches) }

func (s *thinSearch) move(centres []float64) {
	s.centres, s.norms, s.most = centres, s.thinPoints.norms(centres), 0
	k := len(s.norms)
	if s.packed == nil {
		s.packed = make([]float64, (k+tile.Thin-1)/tile.Thin*tile.Thin*s.d)
	}
	for c, v := range s.norms {
		s.most = max(s.most, v)
		to := s.packed[c/tile.Thin*tile.Thin*s.d+c%tile.Thin:]
		for j, v := range centres[c*s.d : (c+1)*s.d] {
			to[j*tile.Thin] = v
		}
	}
}

func (s *thinSearch) halfway() []float64 {
	return halfway(tile.NewCentres(s.centres, len(s.norms), s.d), s.centres, len(s.norms))
}

// margin bounds the rounding error of the squared distance of a row to any centre.
func (s *thinSearch) margin(i int) float64 {
	at, _ := s.x.RawRow(i)
	return 2.3e-16 * float64(len(at)+8) * (s.squares[i] + s.most)
}

func (s *thinSearch) bounds(i int, first, second float64) (upper, lower float64) {
	margin := s.margin(i)
	return math.Sqrt(max(0, first) + margin), math.Sqrt(max(0, second-margin))
}

func (s *thinSearch) reach(i, c int) float64 { return math.Sqrt(max(0, s.own(i, c)) + s.margin(i)) }

// own is rounded as in find.
func (s *thinSearch) own(i, c int) float64 {
	at, values := s.x.RawRow(i)
	values = values[:len(at)]
	centre, product := s.centres[c*s.d:(c+1)*s.d], 0.0
	for q, j := range at {
		product = fused.FMA(values[q], centre[j], product)
	}
	return float64(s.norms[c]-2*product) + s.squares[i]
}

func (s *thinSearch) from(g, lo, count int) *search {
	for r := range count {
		s.find(g, r, lo+r)
	}
	return &s.searches[g]
}

func (s *thinSearch) gather(g int, rows []int) *search {
	for r, i := range rows {
		s.find(g, r, i)
	}
	return &s.searches[g]
}

// find compares row i to all centres and puts the result at place r.
func (s *thinSearch) find(g, r, i int) {
	at, values := s.x.RawRow(i)
	first, second, nearest := math.Inf(1), math.Inf(1), 0
	var products [tile.Thin]float64
	for begin := 0; begin < len(s.norms); begin += tile.Thin {
		tile.ThinProduct(&products, at, values, s.packed[begin*s.d:(begin+tile.Thin)*s.d])
		for c, norm := range s.norms[begin:min(begin+tile.Thin, len(s.norms))] {
			switch v := float64(norm-2*products[c]) + s.squares[i]; {
			case v < first:
				first, second, nearest = v, first, begin+c
			case v < second:
				second = v
			}
		}
	}
	to := &s.searches[g]
	to.at[r], to.first[r], to.second[r] = nearest, first, second
}

// noticed returns a squared distance, and 0 for one that rounding errors alone can make.
func noticed(square, x, c float64) float64 {
	if square < 1e-15*(x+c) {
		return 0
	}
	return square
}

func (p *thinPoints) objectives(ctx context.Context, s *seeds, candidates, sums []float64) {
	tries := len(sums)
	turned, norms := make([]float64, len(candidates)), p.norms(candidates)
	for t := range tries {
		for j, v := range candidates[t*p.d : (t+1)*p.d] {
			turned[j*tries+t] = v
		}
	}
	parts := make([]float64, (p.n+block-1)/block*tries)
	blocks(p.n, p.cost(tries), func(b, lo, hi int) {
		sum, products := parts[b*tries:(b+1)*tries], make([]float64, tries)
		if ctx.Err() != nil {
			return
		}
		for i := lo; i < hi; i++ {
			clear(products)
			at, values := p.x.RawRow(i)
			for q, j := range at {
				v := values[q]
				for t, c := range turned[int(j)*tries : (int(j)+1)*tries] {
					products[t] += v * c
				}
			}
			u := weight(s.w, i)
			for t, product := range products {
				sum[t] += u * min(s.distance[i], noticed(p.squares[i]-2*product+norms[t], p.squares[i], norms[t]))
			}
		}
	})
	for t := range sums {
		sums[t] = 0
		for b := t; b < len(parts); b += tries {
			sums[t] += parts[b]
		}
	}
}

func (p *thinPoints) approach(s *seeds, c []float64, _ int) {
	norm := norm2(c)
	blocks(p.n, p.cost(1), func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			if v := noticed(p.squares[i]-2*p.x.Dot(i, c)+norm, p.squares[i], norm); v < s.distance[i] {
				s.distance[i], s.mass[i] = v, weight(s.w, i)*v
			}
		}
	})
}
