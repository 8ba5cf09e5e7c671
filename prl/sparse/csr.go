// Package sparse holds matrices most of whose numbers are zero, as counts of words are: memory and time go by the numbers that are not.
//
// A CSR is a mat.Matrix, so every method takes it, and a method that does not know it makes it dense. These work on it as it is:
// sufficient.Counts (naive Bayes), and Gram, the inner products of its rows.
package sparse

import (
	"fmt"
	"iter"
	"slices"
	"sort"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// A CSR is a matrix in compressed sparse rows: for each row the columns of its stored numbers, increasing, and these numbers. It is
// immutable and safe for concurrent use.
type CSR struct {
	rows, columns int
	start         []int // row i is start[i] ... start[i+1]-1 of
	at            []int
	values        []float64
}

// NewCSR returns the matrix of the given rows: row i has the numbers values[start[i]:start[i+1]] in the columns at[start[i]:start[i+1]],
// which increase, and zeros elsewhere. The slices are kept and must not be changed.
//
// Errors: no rows or columns, parts that do not fit together, columns that do not increase or are out of range.
func NewCSR(columns int, start, at []int, values []float64) (*CSR, error) {
	const function = "sparse.NewCSR"
	if columns < 1 || len(start) < 2 {
		return nil, fault.Argument(function, "the size", fmt.Sprintf("%d x %d", len(start)-1, columns), "at least one row and one column", "")
	}
	if start[0] != 0 || start[len(start)-1] != len(at) || len(at) != len(values) || !slices.IsSorted(start) {
		return nil, fault.Argument(function, "start", fmt.Sprintf("of %d rows with %d columns and %d values", len(start)-1, len(at), len(values)),
			"increasing from 0 to the number of columns and values", "")
	}
	for i := range len(start) - 1 {
		before := -1
		for _, j := range at[start[i]:start[i+1]] {
			if j <= before || j >= columns {
				return nil, fault.Argument(function, fmt.Sprintf("a column of row %d", i), j,
					fmt.Sprintf("from %d to %d, in increasing order", before+1, columns-1), "")
			}
			before = j
		}
	}
	return &CSR{len(start) - 1, columns, start, at, values}, nil
}

// Of returns the rows of X without their zeros.
func Of(X mat.Matrix) *CSR {
	if s, ok := X.(*CSR); ok {
		return s
	}
	n, d := X.Dims()
	s := &CSR{rows: n, columns: d, start: make([]int, 1, n+1)}
	for i := range n {
		for j := range d {
			if v := X.At(i, j); v != 0 {
				s.at, s.values = append(s.at, j), append(s.values, v)
			}
		}
		s.start = append(s.start, len(s.at))
	}
	return s
}

// Dims returns the numbers of rows and columns.
func (s *CSR) Dims() (rows, columns int) { return s.rows, s.columns }

// At returns the number in row i and column j. It panics out of range, as a mat.Dense does.
func (s *CSR) At(i, j int) float64 {
	if i < 0 || i >= s.rows {
		panic(mat.ErrRowAccess)
	}
	if j < 0 || j >= s.columns {
		panic(mat.ErrColAccess)
	}
	at, values := s.RawRow(i)
	if p := sort.SearchInts(at, j); p < len(at) && at[p] == j {
		return values[p]
	}
	return 0
}

// T returns the transpose, a view.
func (s *CSR) T() mat.Matrix { return mat.Transpose{Matrix: s} }

// NonZeros returns how many numbers are stored.
func (s *CSR) NonZeros() int { return len(s.values) }

// RawRow returns the columns of the stored numbers of row i, increasing, and these numbers. Both are parts of the matrix.
func (s *CSR) RawRow(i int) (at []int, values []float64) {
	from, to := s.start[i], s.start[i+1]
	return s.at[from:to:to], s.values[from:to:to]
}

// Row yields the stored numbers of row i with their columns.
func (s *CSR) Row(i int) iter.Seq2[int, float64] {
	return func(yield func(int, float64) bool) {
		at, values := s.RawRow(i)
		for p, j := range at {
			if !yield(j, values[p]) {
				return
			}
		}
	}
}

// Dense returns a dense copy.
func (s *CSR) Dense() *mat.Dense {
	out := mat.NewDense(s.rows, s.columns, nil)
	for i := range s.rows {
		row := out.RawRowView(i)
		for j, v := range s.Row(i) {
			row[j] = v
		}
	}
	return out
}

// Finite tells whether no number is NaN or infinite, and the first place where one is.
func (s *CSR) Finite() (row, column int, finite bool) {
	for i := range s.rows {
		for j, v := range s.Row(i) {
			if v-v != 0 {
				return i, j, false
			}
		}
	}
	return 0, 0, true
}

// Gram returns the inner products x_i^T x_j of the rows (n x n), each a sum in the order of the columns.
func (s *CSR) Gram() *mat.SymDense {
	g := mat.NewSymDense(s.rows, nil)
	dense := make([]float64, s.columns)
	for i := range s.rows {
		for j, v := range s.Row(i) {
			dense[j] = v
		}
		for k := i; k < s.rows; k++ {
			sum := 0.0
			at, values := s.RawRow(k)
			for p, j := range at {
				sum += dense[j] * values[p]
			}
			g.SetSym(i, k, sum)
		}
		at, _ := s.RawRow(i)
		for _, j := range at {
			dense[j] = 0
		}
	}
	return g
}

// String returns a line such as "270 x 13 with 3378 numbers, 96.2 % of all".
func (s *CSR) String() string {
	share := 100 * float64(len(s.values)) / float64(s.rows) / float64(s.columns)
	return fmt.Sprintf("%d x %d with %d numbers, %.3g %% of all", s.rows, s.columns, len(s.values), share)
}
