package linear

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/prlab/prlab/prl/internal/tile"
)

// blockRows is the number of rows that are reduced together: with fifty columns they stay in the second-level cache.
const blockRows = 256

// A factor is the factorisation A = Q R of rows by Householder's reflections. The blocks of rows are taken one after the other: reflection
// k of a block acts on row k of R and on the rows of the block, and leaves zeros in column k of the block (Golub and Van Loan, section 5.2;
// Demmel, Grigori, Hoemmen and Langou 2012).
type factor struct {
	d, size int
	v       []float64 // below their leading one the vectors of the reflections, in the place of the blocks
	tau     []float64 // of each block d factors
	r       []float64 // d x d, row by row
}

// someColumns are reduced between two looks at the context. The columns behind them feel their reflections all at once, as products.
const someColumns = 16

// fewColumns are reduced one by one, since products would take as long.
const fewColumns = 32

// factorise replaces blocks of size rows and d columns, column by column, by their reflections.
func factorise(ctx context.Context, x []float64, size, d int) (*factor, error) {
	f := &factor{d: d, size: size, v: x, tau: make([]float64, len(x)/size), r: make([]float64, d*d)}
	used := make([]bool, d) // rows of R that are not zero
	room := make([]float64, 2*someColumns*d)
	for b := 0; b < len(x); b += size * d {
		block, tau, left := x[b:b+size*d], f.tau[b/size:b/size+d], size
		for k, end := 0, 0; k < d; k = end {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if end = k + someColumns; end > d-fewColumns {
				end = d
			}
			left = f.reflect(block, tau, used, k, end, left)
			f.behind(block, tau, k, end, room)
			if left == 0 {
				break // all of the block is in R, but for rounding errors
			}
		}
	}
	return f, nil
}

// reflect finds the reflections of the columns from k up to end of a block, and applies them to these columns. A block can fill as many
// empty rows of R as it has rows: left is how many it can still fill, and the number after these columns is returned. At 0 it ends.
func (f *factor) reflect(block, tau []float64, used []bool, k, end, left int) int {
	for ; k < end && left > 0; k++ {
		v, row := block[k*f.size:(k+1)*f.size], f.r[k*f.d:(k+1)*f.d]
		square := tile.Dot(v, v)
		if square == 0 {
			continue
		}
		to := -math.Copysign(math.Sqrt(row[k]*row[k]+square), row[k])
		lead := row[k] - to
		by := 1 / lead
		tau[k] = -lead / to
		for i := range v {
			v[i] *= by
		}
		row[k] = to
		for j := k + 1; j < end; j++ {
			u := block[j*f.size : (j+1)*f.size]
			s := tau[k] * (row[j] + tile.Dot(v, u))
			row[j] -= s
			tile.AddScaled(u, -s, v)
		}
		if !used[k] {
			used[k] = true
			left--
		}
	}
	return left
}

// behind applies the reflections of the columns from k up to end to the columns behind them: with V, the vectors below their ones in rows,
// their product takes V^T T^T (R + V A) away from A, and T^T (R + V A) from the rows of R. T is upper triangular (Schreiber and Van Loan
// 1989).
func (f *factor) behind(block, tau []float64, k, end int, room []float64) {
	n, rest := end-k, f.d-end
	if rest == 0 {
		return
	}
	all := tile.Dense(block, f.d, f.size, f.size)
	v, a := all.Part(k, 0, n, f.size), all.Part(end, 0, rest, f.size)
	var gram, t [someColumns * someColumns]float64
	tile.Dense(gram[:], n, n, n).SetProduct(v, v.T())
	for j := range n {
		t[j*n+j] = tau[k+j]
		for i := range j {
			for l := i; l < j; l++ {
				t[i*n+j] -= tau[k+j] * t[i*n+l] * gram[l*n+j]
			}
		}
	}
	along, turned := tile.Dense(room, n, rest, rest), tile.Dense(room[someColumns*f.d:], n, rest, rest)
	for i := range n {
		copy(along.Data[i*rest:(i+1)*rest], f.r[(k+i)*f.d+end:(k+i+1)*f.d])
	}
	along.AddProduct(1, v, a.T())
	turned.SetProduct(tile.Dense(t[:], n, n, n).T(), along)
	for i := range n {
		floats.Sub(f.r[(k+i)*f.d+end:(k+i+1)*f.d], turned.Data[i*rest:(i+1)*rest])
	}
	a.AddProduct(-1, turned.T(), v)
}

// first leaves the first k columns of A.
func (f *factor) first(k int) {
	blocks := len(f.tau) / f.d
	for b := range blocks {
		copy(f.v[b*k*f.size:], f.v[b*f.d*f.size:][:k*f.size])
		copy(f.tau[b*k:], f.tau[b*f.d:][:k])
	}
	for i := range k {
		copy(f.r[i*k:], f.r[i*f.d:][:k])
	}
	f.v, f.tau, f.r, f.d = f.v[:blocks*k*f.size], f.tau[:blocks*k], f.r[:k*k], k
}

// down replaces z by Q^T z: the d numbers along the columns of Q are returned, the rest stays in z.
func (f *factor) down(z []float64) []float64 {
	c := make([]float64, f.d)
	for b := range len(z) / f.size {
		u := z[b*f.size : (b+1)*f.size]
		for k := range f.d {
			v := f.v[(b*f.d+k)*f.size:][:f.size]
			s := f.tau[b*f.d+k] * (c[k] + tile.Dot(v, u))
			c[k] -= s
			tile.AddScaled(u, -s, v)
		}
	}
	return c
}

// up replaces the rest z and c by Q (c, z), which is in z.
func (f *factor) up(c, z []float64) {
	for b := len(z)/f.size - 1; b >= 0; b-- {
		u := z[b*f.size : (b+1)*f.size]
		for k := f.d - 1; k >= 0; k-- {
			v := f.v[(b*f.d+k)*f.size:][:f.size]
			s := f.tau[b*f.d+k] * (c[k] + tile.Dot(v, u))
			c[k] -= s
			tile.AddScaled(u, -s, v)
		}
	}
}

// solve replaces c by R^-1 c.
func (f *factor) solve(c []float64) {
	for k := f.d - 1; k >= 0; k-- {
		row := f.r[k*f.d : (k+1)*f.d]
		for j := k + 1; j < f.d; j++ {
			c[k] -= row[j] * c[j]
		}
		c[k] /= row[k]
	}
}

// solveT replaces c by R^-T c.
func (f *factor) solveT(c []float64) {
	for k := range f.d {
		row := f.r[k*f.d : (k+1)*f.d]
		c[k] /= row[k]
		for j := k + 1; j < f.d; j++ {
			c[j] -= row[j] * c[k]
		}
	}
}

// independent returns the columns of R that are kept, and those that depend on kept ones before them: of which at most a share tol of
// the length of the raw column is left when their part along these is taken away.
func independent(ctx context.Context, r []float64, d int, raw []float64, tol float64) (kept, dropped []int, err error) {
	for len(kept) < d { // these are along the first axes, so that of the next column only what is on the diagonal is left
		j := len(kept)
		if !(math.Abs(r[j*d+j]) > tol*raw[j]) {
			break
		}
		kept = append(kept, j)
	}
	if len(kept) == d {
		return kept, nil, nil
	}
	first := len(kept)
	rest := d - first // of a column when its part along the first axes is taken away
	var basis []float64
	column := make([]float64, rest)
	for j := first; j < d; j++ {
		if j%someColumns == 0 {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
		}
		clear(column)
		for i := first; i <= j; i++ {
			column[i-first] = r[i*d+j]
		}
		for range 2 {
			for b := 0; b < len(basis); b += rest {
				s := 0.0
				for i, v := range basis[b : b+rest] {
					s += v * column[i]
				}
				for i, v := range basis[b : b+rest] {
					column[i] -= s * v
				}
			}
		}
		norm := length(column)
		if !(norm > tol*raw[j]) {
			dropped = append(dropped, j)
			continue
		}
		for _, v := range column {
			basis = append(basis, v/norm)
		}
		kept = append(kept, j)
	}
	return kept, dropped, nil
}

// length returns the Euclidean length.
func length(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v * v
	}
	return math.Sqrt(s)
}
