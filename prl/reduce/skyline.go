package reduce

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/prlab/prlab/prl/internal/tile"
)

// A patch is a symmetric matrix over a few things, a row and a column for each.
type patch struct {
	at      []int
	entries []float64
}

// A sparse matrix is symmetric n x n; row i holds the entries values[j] in the columns columns[j], start[i] <= j < start[i+1].
type sparse struct {
	n       int
	start   []int
	columns []int
	values  []float64
}

// newSparse returns the sum of patches over n things.
func newSparse(n int, patches []patch) *sparse {
	type place struct{ patch, row int }
	members := make([][]place, n)
	for p, one := range patches {
		for a, i := range one.at {
			members[i] = append(members[i], place{p, a})
		}
	}
	s, room, in := &sparse{n: n, start: make([]int, 1, n+1)}, make([]float64, n), make([]bool, n)
	for _, list := range members {
		first := len(s.columns)
		for _, m := range list {
			one := patches[m.patch]
			row := one.entries[m.row*len(one.at):]
			for b, j := range one.at {
				if !in[j] {
					in[j], room[j] = true, 0
					s.columns = append(s.columns, j)
				}
				room[j] += row[b]
			}
		}
		for _, j := range s.columns[first:] {
			s.values = append(s.values, room[j])
			in[j] = false
		}
		s.start = append(s.start, len(s.columns))
	}
	return s
}

// form returns v'Mv.
func (s *sparse) form(v []float64) float64 {
	total := 0.0
	for i := range s.n {
		part := 0.0
		for j := s.start[i]; j < s.start[i+1]; j++ {
			part += s.values[j] * v[s.columns[j]]
		}
		total += part * v[i]
	}
	return total
}

// narrow returns an order of the things in which entries that are not zero stand near the diagonal: from an end of the graph through its
// neighbours, those of few first, backwards. Source: E. Cuthill & J. McKee (1969), 24th ACM national conference, 157-172; A. George (1971).
func (s *sparse) narrow() []int {
	order, reached := make([]int, 0, s.n), make([]bool, s.n)
	degree := func(i int) int { return s.start[i+1] - s.start[i] }
	walk := func(from int, reached []bool, order []int) []int {
		reached[from] = true
		order = append(order, from)
		for at := len(order) - 1; at < len(order); at++ {
			i, first := order[at], len(order)
			for _, j := range s.columns[s.start[i]:s.start[i+1]] {
				if !reached[j] {
					reached[j] = true
					order = append(order, j)
				}
			}
			slices.SortFunc(order[first:], func(a, b int) int {
				if d := degree(a) - degree(b); d != 0 {
					return d
				}
				return a - b
			})
		}
		return order
	}
	for i := range s.n {
		if reached[i] {
			continue
		}
		end := i
		for range 2 { // the last one reached lies at an end
			far := walk(end, slices.Clone(reached), nil)
			end = far[len(far)-1]
		}
		order = walk(end, reached, order)
	}
	slices.Reverse(order)
	return order
}

// side is the number of rows in a block of a skyline.
const side = 64

// A skyline is the Cholesky factor L of a sparse matrix whose rows and columns were brought into an order. A block of rows holds the
// columns from the first block in which the matrix has an entry: left of it L has none either.
type skyline struct {
	n     int
	order []int
	first []int       // of each block of rows
	rows  [][]float64 // of each block, its width numbers each
}

// factoriseSparse returns the factor of s + shift I, or nil where that is not positive definite.
func factoriseSparse(ctx context.Context, s *sparse, shift float64) (*skyline, error) {
	f := &skyline{n: s.n, order: s.narrow()}
	place := make([]int, s.n)
	for p, i := range f.order {
		place[i] = p
	}
	for from := 0; from < s.n; from += side {
		to, least := min(from+side, s.n), from
		for _, i := range f.order[from:to] {
			for _, j := range s.columns[s.start[i]:s.start[i+1]] {
				least = min(least, place[j])
			}
		}
		left := least / side * side
		width := to - left
		rows := make([]float64, (to-from)*width)
		for p := from; p < to; p++ {
			i := f.order[p]
			for j := s.start[i]; j < s.start[i+1]; j++ {
				if c := place[s.columns[j]]; c <= p {
					rows[(p-from)*width+c-left] = s.values[j]
				}
			}
			rows[(p-from)*width+p-left] += shift
		}
		f.first, f.rows = append(f.first, left/side), append(f.rows, rows)
	}
	for i := range f.rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for j := f.first[i]; j <= i; j++ {
			to := f.block(i, j)
			if left := max(f.first[i], f.first[j]); left < j {
				to.AddProduct(-1, f.blocks(i, left, j), f.blocks(j, left, j).T())
			}
			if j < i {
				blas64.Trsm(blas.Right, blas.Trans, 1, f.triangle(j), blas64.General{Rows: to.Rows, Cols: to.Cols, Stride: to.Down, Data: to.Data})
				continue
			}
			if _, ok := lapack64.Potrf(blas64.Symmetric{Uplo: blas.Lower, N: to.Rows, Stride: to.Down, Data: to.Data}); !ok {
				return nil, nil
			}
		}
	}
	return f, nil
}

func (f *skyline) count(i int) int { return min(side, f.n-i*side) }

// blocks returns the columns of blocks from ... to-1 in the rows of block i.
func (f *skyline) blocks(i, from, to int) tile.Matrix {
	rows := f.count(i)
	width := len(f.rows[i]) / rows
	cols := min(to*side, f.n) - from*side
	return tile.Dense(f.rows[i], rows, width, width).Part(0, (from-f.first[i])*side, rows, cols)
}

func (f *skyline) block(i, j int) tile.Matrix { return f.blocks(i, j, j+1) }

func (f *skyline) triangle(i int) blas64.Triangular {
	b := f.block(i, i)
	return blas64.Triangular{Uplo: blas.Lower, Diag: blas.NonUnit, N: b.Rows, Stride: b.Down, Data: b.Data}
}

// solve replaces z, n rows of k numbers in the order of the factor, by the solutions for its columns.
func (f *skyline) solve(z []float64, k int) {
	part := func(from, to int) tile.Matrix { // rows of blocks
		from, to = from*side, min(to*side, f.n)
		return tile.Dense(z[from*k:], to-from, k, k)
	}
	triangular := func(how blas.Transpose, i int) {
		own := part(i, i+1)
		blas64.Trsm(blas.Left, how, 1, f.triangle(i), blas64.General{Rows: own.Rows, Cols: k, Stride: k, Data: own.Data})
	}
	for i := range f.rows {
		if left := f.first[i]; left < i {
			part(i, i+1).AddProduct(-1, f.blocks(i, left, i), part(left, i))
		}
		triangular(blas.NoTrans, i)
	}
	for i := len(f.rows) - 1; i >= 0; i-- {
		triangular(blas.Trans, i)
		if left := f.first[i]; left < i {
			part(left, i).AddProduct(-1, f.blocks(i, left, i).T(), part(i, i+1))
		}
	}
}
