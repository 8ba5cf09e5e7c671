package datasets

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// singleRows is the number of rows that are kept in one piece of memory.
const singleRows = 1024

// Single reads all rows once and keeps their numbers in memory in single precision, 4 bytes each: half of what a Set takes, so that 60,000
// pictures of 28 x 28 are 188 MB and not 376. The rows that it returns are read from there, as often as the rounds of k-means or EM want,
// and each batch is widened to float64, in which all arithmetic stays: a fit has to the last bit the result that it has on the rounded
// numbers. What learns from batches is in prl/sufficient.
//
// A number is rounded to 24 bits, an error of at most 6e-8 of its size, which pixels, counts below 16.7 million and most measurements do
// not feel; take the mean out of columns such as years or coordinates first. A gap stays NaN. The limit is that on the number of Values, 64
// million where it is 0.
//
// Errors: those of reading and of ctx; more numbers than the limit; a number above 3.4e38; sparse rows, which [SparseLIBSVM] keeps in less.
func (r *Rows) Single(ctx context.Context, limit Limits) (*Rows, error) {
	most := limit.Values
	if most <= 0 {
		most = least.Values
	}
	kept := &single{}
	for b, err := range r.Batches(ctx, singleRows) {
		if err != nil {
			return nil, err
		}
		if err := kept.add(r.Name, b, most); err != nil {
			return nil, err
		}
	}
	s := *r
	s.Identity, s.from, s.Read = r.Identity+", in single precision", Position{}, kept.read
	return &s, nil
}

// single holds rows, d numbers each.
type single struct {
	n, d   int
	parts  [][]float32 // of singleRows rows, the last of fewer
	y      []int
	target []float64
}

// add appends a batch, or reports why it cannot be kept.
func (s *single) add(name string, b *Batch, most int) error {
	x, dense := b.X.(*mat.Dense)
	if !dense {
		return &ReadError{
			File: name, What: "Single keeps every number of a row, and these rows are sparse",
			Remedy: "keep them without their zeros, with datasets.SparseLIBSVM",
		}
	}
	n, d := x.Dims()
	if s.d = d; s.n+n > most/d {
		return &ReadError{
			File: name, What: fmt.Sprintf("more than %d rows of %d numbers, but at most %d numbers are kept", s.n, d, most),
			Remedy: "allow more, with datasets.Limits{Values: ...}, or learn from the batches as they are read",
		}
	}
	for i := range n {
		if s.n%singleRows == 0 {
			s.parts = append(s.parts, make([]float32, 0, min(singleRows, most/d-s.n)*d))
		}
		last := &s.parts[len(s.parts)-1]
		for j, v := range x.RawRowView(i) {
			w := float32(v)
			if math.IsInf(float64(w), 0) {
				return &ReadError{
					File: name, What: fmt.Sprintf("row %d has %v in column %d, beyond the 3.4e38 of single precision", s.n+1, v, j+1),
					Remedy: "choose another unit, or learn from the batches as they are read",
				}
			}
			*last = append(*last, w)
		}
		s.n++
	}
	s.y, s.target = append(s.y, b.Y...), append(s.target, b.Target...)
	return nil
}

// read is the Read of the rows.
func (s *single) read(ctx context.Context, from Position, size int, use func(*Batch) bool) error {
	wide := make([]float64, 0, min(size, s.n)*s.d)
	for lo := from.Rows; lo < s.n; lo += size {
		if err := ctx.Err(); err != nil {
			return err
		}
		hi := min(lo+size, s.n)
		wide = wide[:0]
		for i := lo; i < hi; i++ {
			at := i % singleRows * s.d
			for _, v := range s.parts[i/singleRows][at : at+s.d] {
				wide = append(wide, float64(v))
			}
		}
		b := &Batch{X: mat.NewDense(hi-lo, s.d, wide), Next: Position{Rows: hi}}
		if s.y != nil {
			b.Y = s.y[lo:hi:hi]
		}
		if s.target != nil {
			b.Target = s.target[lo:hi:hi]
		}
		if !use(b) {
			return nil
		}
	}
	return nil
}
