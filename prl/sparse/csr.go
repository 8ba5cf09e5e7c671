// Package sparse holds matrices most of whose numbers are zero, as counts of words are: memory and time go by the numbers that are not.
//
// A CSR is a mat.Matrix, so every method takes it, and a method that does not know it makes it dense. These work on it as it is:
//
//	svm.FitLinear                                linear support vector machines
//	bayes.FitMultinomialNB, BernoulliNB, ...     naive Bayes on counts
//	mixture.FitKMeans                            k-means
//	sufficient.Classes, Moments, Counts, ...     LDA, QDA and others by sufficient statistics
//	CSR.Gram, kernel.Gram                        the inner products of its rows
//
// A stored number takes 12 bytes, so that rows of which two thirds or more are zero take less memory than dense ones. datasets.SparseLIBSVM
// reads such rows, datasets.Texts and prepare.OneHotEncoder make them of words, and prepare.TFIDF weighs these.
package sparse

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/tile"
)

// A CSR is a matrix in compressed sparse rows: for each row the columns of its stored numbers, increasing, and these numbers. It is
// immutable and safe for concurrent use.
type CSR struct {
	rows, columns int
	start         []int // row i is start[i] ... start[i+1]-1 of
	at            []int32
	values        []float64
}

// NewCSR returns the matrix of the given rows: row i has the numbers values[start[i]:start[i+1]] in the columns at[start[i]:start[i+1]],
// which increase, and zeros elsewhere. The slices are kept and must not be changed.
//
// Errors: no rows or columns, parts that do not fit together, columns that do not increase or are out of range. Numbers that are not finite
// are left to the methods, which name them.
func NewCSR(columns int, start []int, at []int32, values []float64) (*CSR, error) {
	const function = "sparse.NewCSR"
	if columns < 1 || len(start) < 2 {
		return nil, fault.Argument(function, "the size", fmt.Sprintf("%d x %d", max(len(start)-1, 0), columns),
			"at least one row and one column", "")
	}
	if columns > math.MaxInt32 {
		return nil, fault.Argument(function, "columns", columns, fmt.Sprintf("at most %d", math.MaxInt32), "")
	}
	if start[0] != 0 || start[len(start)-1] != len(at) || len(at) != len(values) || !slices.IsSorted(start) {
		return nil, fault.Argument(function, "start", fmt.Sprintf("of %d rows with %d columns and %d values", len(start)-1, len(at), len(values)),
			"increasing from 0 to the number of columns and values", "")
	}
	for i := range len(start) - 1 {
		before := int32(-1)
		for _, j := range at[start[i]:start[i+1]] {
			if j <= before || int(j) >= columns {
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
	dense, ok := X.(*mat.Dense)
	number := X.At
	var row []float64
	if ok {
		number = func(_, j int) float64 { return row[j] }
	}
	s := &CSR{rows: n, columns: d, start: make([]int, 1, n+1)}
	for i := range n {
		if ok {
			row = dense.RawRowView(i)
		}
		for j := range d {
			if v := number(i, j); v != 0 {
				s.at, s.values = append(s.at, int32(j)), append(s.values, v)
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
	if p, found := slices.BinarySearch(at, int32(j)); found {
		return values[p]
	}
	return 0
}

// T returns the transpose, a view.
func (s *CSR) T() mat.Matrix { return mat.Transpose{Matrix: s} }

// NonZeros returns how many numbers are stored.
func (s *CSR) NonZeros() int { return len(s.values) }

// RawRow returns the columns of the stored numbers of row i, increasing, and these numbers. Both are parts of the matrix.
func (s *CSR) RawRow(i int) (at []int32, values []float64) {
	from, to := s.start[i], s.start[i+1]
	return s.at[from:to:to], s.values[from:to:to]
}

// Row yields the stored numbers of row i with their columns.
func (s *CSR) Row(i int) iter.Seq2[int, float64] {
	return func(yield func(int, float64) bool) {
		at, values := s.RawRow(i)
		for p, j := range at {
			if !yield(int(j), values[p]) {
				return
			}
		}
	}
}

// Dot returns the inner product of row i with w, a number for each column.
func (s *CSR) Dot(i int, w []float64) float64 {
	at, values := s.RawRow(i)
	values = values[:len(at)]
	var a, b, c, d float64
	p := 0
	for ; p+3 < len(at); p += 4 { // four sums, none of which waits for another
		a += values[p] * w[at[p]]
		b += values[p+1] * w[at[p+1]]
		c += values[p+2] * w[at[p+2]]
		d += values[p+3] * w[at[p+3]]
	}
	for ; p < len(at); p++ {
		a += values[p] * w[at[p]]
	}
	return (a + b) + (c + d)
}

// AddTo adds f times row i to w, a number for each column.
func (s *CSR) AddTo(w []float64, i int, f float64) {
	at, values := s.RawRow(i)
	values = values[:len(at)]
	for p, j := range at {
		w[j] += f * values[p]
	}
}

// Square returns the squared length of row i.
func (s *CSR) Square(i int) float64 {
	_, values := s.RawRow(i)
	sum := 0.0
	for _, v := range values {
		sum += v * v
	}
	return sum
}

// Select returns a matrix of the named rows, in this order; a row may be named more than once. It panics on a row out of range, and when
// none is named.
func (s *CSR) Select(rows ...int) *CSR {
	if len(rows) == 0 {
		panic(mat.ErrZeroLength)
	}
	count := 0
	for _, i := range rows {
		if i < 0 || i >= s.rows {
			panic(mat.ErrRowAccess)
		}
		count += s.start[i+1] - s.start[i]
	}
	out := &CSR{len(rows), s.columns, make([]int, 1, len(rows)+1), make([]int32, 0, count), make([]float64, 0, count)}
	for _, i := range rows {
		at, values := s.RawRow(i)
		out.at, out.values = append(out.at, at...), append(out.values, values...)
		out.start = append(out.start, len(out.at))
	}
	return out
}

// Map returns a matrix with f(i, j, v) in the place of each stored number v, of row i and column j. Zeros that are not stored stay.
func (s *CSR) Map(f func(i, j int, v float64) float64) *CSR {
	out := *s
	out.values = make([]float64, 0, len(s.values))
	for i := range s.rows {
		at, values := s.RawRow(i)
		for p, j := range at {
			out.values = append(out.values, f(i, int(j), values[p]))
		}
	}
	return &out
}

// Values returns the stored numbers, row after row. They are part of the matrix.
func (s *CSR) Values() []float64 { return s.values[:len(s.values):len(s.values)] }

// Dense returns a dense copy.
func (s *CSR) Dense() *mat.Dense {
	out := mat.NewDense(s.rows, s.columns, nil)
	for i := range s.rows {
		row := out.RawRowView(i)
		at, values := s.RawRow(i)
		for p, j := range at {
			row[j] = values[p]
		}
	}
	return out
}

// Finite reports whether no number is NaN or infinite, and the first place where one is.
func (s *CSR) Finite() (row, column int, finite bool) {
	if tile.Finite(s.values) {
		return 0, 0, true
	}
	for i := range s.rows {
		at, values := s.RawRow(i)
		for p, v := range values {
			if v-v != 0 {
				return i, int(at[p]), false
			}
		}
	}
	return 0, 0, true
}

// Gram returns the inner products x_i^T x_j of the rows (n x n).
func (s *CSR) Gram() *mat.SymDense {
	g := mat.NewSymDense(s.rows, nil)
	dense := make([]float64, s.columns)
	for i := range s.rows {
		s.AddTo(dense, i, 1)
		for k := i; k < s.rows; k++ {
			g.SetSym(i, k, s.Dot(k, dense))
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
