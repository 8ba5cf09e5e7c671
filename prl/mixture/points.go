package mixture

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/internal/fused"
	"github.com/prlab/prlab/prl/internal/tile"
	"github.com/prlab/prlab/prl/sparse"
)

// points are the rows of k-means: dense ones, or thin ones without their zeros.
type points interface {
	size() (n, d int)
	row(dst []float64, i int) // copies row i
	squared(i int, c []float64) float64
	squaredTo(c []float64) func(i int) float64 // the same for many rows
	meanVariance(w []float64) float64
	sums(k int, labels []int, w []float64) (rows, mass []float64) // of the clusters: weighted sums and weights
	inertia(centres []float64, labels []int, w []float64) float64
	search(centres []float64) searcher
	objectives(ctx context.Context, s *seeds, candidates, sums []float64)
	approach(s *seeds, c []float64, candidate int)
}

// A searcher compares rows to centres.
type searcher interface {
	workers() int
	move(centres []float64)                                     // takes other centres
	halfway() []float64                                         // half the distance from each centre to the nearest other one
	reach(i, c int) float64                                     // not less than the distance of row i to centre c
	from(g, lo, count int) *search                              // rows lo ... lo+count-1, count <= batch, on goroutine g
	gather(g int, rows []int) *search                           // up to a batch of rows
	own(i, c int) float64                                       // the squared distance as a search computes it
	bounds(i int, first, second float64) (upper, lower float64) // of the distances themselves
}

// pointsOf returns the rows of X and the exponent e of 2 by which they and the start are to be divided; the rows are.
func pointsOf(X mat.Matrix, start []float64) (points, int) {
	var e int
	if thin, ok := X.(*sparse.CSR); ok {
		e = exponent(thin.Values(), start)
	} else {
		dense := estimator.Dense(X)
		n, d := dense.Dims()
		e, X = exponent(dense.RawMatrix().Data[:n*d], start), dense
	}
	return pointsAt(X, e), e
}

// pointsAt returns the rows of X divided by 2^e.
func pointsAt(X mat.Matrix, e int) points {
	n, d := X.Dims()
	if thin, ok := X.(*sparse.CSR); ok {
		if e != 0 {
			thin = thin.Map(func(_, _ int, v float64) float64 { return math.Ldexp(v, -e) })
		}
		return newThinPoints(thin)
	}
	return &densePoints{x: scaled(estimator.Dense(X).RawMatrix().Data[:n*d], e), n: n, d: d}
}

type densePoints struct {
	x     []float64
	n, d  int
	parts []sums // room
}

func (p *densePoints) size() (n, d int)                   { return p.n, p.d }
func (p *densePoints) at(i int) []float64                 { return p.x[i*p.d : (i+1)*p.d] }
func (p *densePoints) row(dst []float64, i int)           { copy(dst, p.at(i)) }
func (p *densePoints) squared(i int, c []float64) float64 { return squared(p.at(i), c) }
func (p *densePoints) squaredTo(c []float64) func(i int) float64 {
	return func(i int) float64 { return squared(p.at(i), c) }
}
func (p *densePoints) meanVariance(w []float64) float64 { return meanVariance(p.x, p.n, p.d, w) }

func (p *densePoints) sums(k int, labels []int, w []float64) (rows, mass []float64) {
	if p.parts == nil {
		p.parts = make([]sums, (p.n+block-1)/block)
	}
	zeros := make([]float64, p.d)
	blocks(p.n, compare(1, p.d), func(b, lo, hi int) {
		if p.parts[b].rows == nil {
			p.parts[b] = sums{make([]float64, k*p.d), make([]float64, k)}
		}
		p.parts[b].add(p.x, p.d, labels, w, lo, hi, zeros)
	})
	rows, mass = append([]float64(nil), p.parts[0].rows...), append([]float64(nil), p.parts[0].mass...)
	for _, part := range p.parts[1:] {
		for i, v := range part.rows {
			rows[i] += v
		}
		for i, v := range part.mass {
			mass[i] += v
		}
	}
	return rows, mass
}

// inertia is added up block by block, in one order on every machine.
func (p *densePoints) inertia(centres []float64, labels []int, w []float64) float64 {
	parts := make([]float64, (p.n+block-1)/block)
	blocks(p.n, compare(1, p.d), func(b, lo, hi int) {
		for i := lo; i < hi; i++ {
			c := labels[i]
			parts[b] += weight(w, i) * squared(p.at(i), centres[c*p.d:(c+1)*p.d])
		}
	})
	s := 0.0
	for _, v := range parts {
		s += v
	}
	return s
}

func (p *densePoints) search(centres []float64) searcher {
	s := &denseSearch{densePoints: p}
	s.move(centres)
	s.searches = make([]search, workers(p.n, compare(len(centres)/p.d, p.d)))
	s.room, s.rows = make([][]float64, len(s.searches)), make([][]float64, len(s.searches))
	for g := range s.room {
		s.room[g] = make([]float64, s.packed.Room())
	}
	return s
}

type denseSearch struct {
	*densePoints
	centres    []float64
	packed     *tile.Centres
	searches   []search // one a goroutine
	room, rows [][]float64
}

func (s *denseSearch) workers() int { return len(s.searches) }

func (s *denseSearch) move(centres []float64) {
	s.centres, s.packed = centres, tile.NewCentres(centres, len(centres)/s.d, s.d)
}

func (s *denseSearch) halfway() []float64 { return halfway(s.packed, s.centres, len(s.centres)/s.d) }

func (s *denseSearch) reach(i, c int) float64 {
	return math.Sqrt(squared(s.at(i), s.centres[c*s.d:(c+1)*s.d]))
}

func (s *denseSearch) from(g, lo, count int) *search { return s.find(g, s.x[lo*s.d:], count) }

func (s *denseSearch) gather(g int, rows []int) *search {
	if s.rows[g] == nil {
		s.rows[g] = make([]float64, batch*s.d)
	}
	for r, i := range rows {
		copy(s.rows[g][r*s.d:], s.at(i))
	}
	return s.find(g, s.rows[g], len(rows))
}

// find looks for the nearest centres of the first m <= batch rows of x.
func (s *denseSearch) find(g int, x []float64, m int) *search {
	to := &s.searches[g]
	s.packed.Nearest(to.at[:m], to.first[:m], to.second[:m], x, m, s.room[g])
	return to
}

// own is summed up in the order in which Nearest does it, so that equal distances are equal.
func (s *denseSearch) own(i, c int) float64 {
	own, x := 0.0, s.at(i)
	for j, v := range s.centres[c*s.d : (c+1)*s.d] {
		u := x[j] - v
		own = fused.FMA(u, u, own)
	}
	return own
}

func (s *denseSearch) bounds(_ int, first, second float64) (upper, lower float64) {
	return math.Sqrt(first), math.Sqrt(second)
}
