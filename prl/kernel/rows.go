package kernel

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/share"
	"github.com/prlab/prlab/prl/internal/tile"
)

// span is the number of points a row is computed for at a time: their values stay in the first-level cache, and the result does not depend
// on how the spans are shared among goroutines.
const span = 256

// Rows computes rows of a Gram matrix on demand, which is what a solver needs that cannot hold the whole matrix. It keeps a copy of the
// points, since Swap reorders them. Linear, Poly, RBF, Laplacian and Sigmoid run fast, other kernels through Eval.
//
// Fill, FillSingle and Row may run concurrently with each other, but not with Swap.
type Rows struct {
	kernel  Kernel
	n, d    int
	columns *tile.Columns // the points, for the kernels of products and distances
	x       []float64     // n x d, for other kernels
	order   []int         // which row of the given matrix is at each place, for Precomputed
	gram    *mat.Dense
}

// NewRows copies the rows of X named by index (nil for all), less origin (nil for the points as they are). With Precomputed, X is the whole
// Gram matrix, and there is no origin.
func NewRows(k Kernel, X mat.Matrix, index []int, origin []float64) (*Rows, error) {
	r := &Rows{}
	if err := r.reset("kernel.NewRows", k, X, index, origin); err != nil {
		return nil, err
	}
	return r, nil
}

// Reset makes r what NewRows returns, in the memory that it has. After an error r is not to be used.
func (r *Rows) Reset(k Kernel, X mat.Matrix, index []int, origin []float64) error {
	return r.reset("kernel.Rows.Reset", k, X, index, origin)
}

func (r *Rows) reset(fn string, k Kernel, X mat.Matrix, index []int, origin []float64) error {
	if err := Check(fn, k); err != nil {
		return err
	}
	if err := estimator.CheckX(fn, X); err != nil {
		return err
	}
	n, d := X.Dims()
	if index == nil {
		index = make([]int, n)
		for i := range index {
			index[i] = i
		}
	}
	for _, i := range index {
		if i < 0 || i >= n {
			return fault.Argument(fn, "index", i, fmt.Sprintf("a row 0 ... %d", n-1), "")
		}
	}
	old := *r
	*r = Rows{kernel: k, n: len(index), d: d}
	dense := estimator.Dense(X)
	if _, ok := k.(Precomputed); ok {
		if origin != nil {
			return fault.Argument(fn, "origin", "given", "nil for a precomputed kernel, whose points are not known", "")
		}
		if n != d {
			return fault.Argument(
				fn,
				"X",
				fmt.Sprintf("%d x %d", n, d),
				"a square Gram matrix for a precomputed kernel",
				"pass K(x_i, x_j) for all pairs of training points",
			)
		}
		r.order, r.gram = append(old.order[:0], index...), dense
		return nil
	}
	if origin != nil && len(origin) != d {
		return fault.Argument(fn, "origin", fmt.Sprintf("%d numbers", len(origin)), fmt.Sprintf("%d, one for each column of X", d), "")
	}
	about := make([]float64, len(origin))
	point := func(t int) []float64 {
		x := dense.RawRowView(index[t])
		for j, o := range origin {
			about[j] = x[j] - o
		}
		if origin != nil {
			return about
		}
		return x
	}
	switch k.(type) {
	case Linear, Poly, Sigmoid, RBF, Laplacian:
		r.columns = tile.Gather(old.columns, r.n, d, point)
		return nil
	}
	r.x = slices.Grow(old.x[:0], len(index)*d)[:len(index)*d]
	for t := range index {
		copy(r.x[t*d:], point(t))
	}
	return nil
}

// Point writes the point at place i into dst, which needs the length d. With Precomputed there are no points, and dst stays as it is.
func (r *Rows) Point(dst []float64, i int) {
	switch {
	case r.columns != nil:
		r.columns.Column(dst, i)
	case r.x != nil:
		copy(dst, r.x[i*r.d:(i+1)*r.d])
	}
}

func (r *Rows) point(i int) []float64 {
	if r.columns != nil {
		p := make([]float64, r.d)
		r.columns.Column(p, i)
		return p
	}
	return r.x[i*r.d : (i+1)*r.d : (i+1)*r.d]
}

// Len returns the number of points.
func (r *Rows) Len() int { return r.n }

// Dim returns the number of coordinates of a point; with Precomputed, of points.
func (r *Rows) Dim() int { return r.d }

// Diag returns K(x_i, x_i).
func (r *Rows) Diag(i int) float64 {
	switch r.kernel.(type) {
	case RBF, Laplacian:
		return 1
	case Precomputed:
		return r.gram.At(r.order[i], r.order[i])
	}
	if r.columns == nil {
		return r.kernel.Eval(r.point(i), r.point(i))
	}
	one := [1]float64{r.columns.Square(i)}
	r.finish(one[:], one[:])
	return one[0]
}

// Swap exchanges the places of points i and j.
func (r *Rows) Swap(i, j int) {
	if r.order != nil {
		r.order[i], r.order[j] = r.order[j], r.order[i]
		return
	}
	if r.columns != nil {
		r.columns.Swap(i, j)
		return
	}
	a, b := r.point(i), r.point(j)
	for k := range a {
		a[k], b[k] = b[k], a[k]
	}
}

// Fill writes K(x_i, x_t) for from <= t < to into dst[t-from], with several goroutines when there is enough to do.
func (r *Rows) Fill(dst []float64, i, from, to int) { fill(r, dst, i, from, to) }

// FillSingle is Fill in single precision; the values are computed in double precision.
func (r *Rows) FillSingle(dst []float32, i, from, to int) { fill(r, dst, i, from, to) }

func fill[F float32 | float64](r *Rows, dst []F, i, from, to int) {
	if r.order != nil {
		row := r.gram.RawRowView(r.order[i])
		for t := from; t < to; t++ {
			dst[t-from] = F(row[r.order[t]])
		}
		return
	}
	var few [128]float64 // most points fit, and then a row leaves no garbage
	v := few[:]
	if r.columns == nil {
		v = r.point(i)
	} else {
		if r.d > len(few) {
			v = make([]float64, r.d)
		}
		v = v[:r.d]
		r.columns.Column(v, i)
	}
	first, last := from/span, (to+span-1)/span
	workers := share.Workers(last-first, tile.RowCost(to-from, r.d))
	if workers < 2 {
		fillSpans(r, dst, v, from, from, to)
		return
	}
	own := slices.Clone(v) // what goroutines share is garbage afterwards
	share.Ranges(workers, last-first, func(_, a, b int) {
		fillSpans(r, dst, own, from, max(from, (first+a)*span), min(to, (first+b)*span))
	})
}

// Grouped says that the kernel is one of those whose rows are found together faster than one by one.
func (r *Rows) Grouped() bool {
	switch r.kernel.(type) {
	case Linear, Poly, Sigmoid, RBF:
		return true
	}
	return false
}

// groupRooms keep the points of one group for those of the next.
var groupRooms = sync.Pool{New: func() any { return new([]float64) }}

// FillGroup is Fill for several points together: dst[g] gets the values of place[g] with the places from, from+1, ..., as many for all. The
// kernel is one with Grouped; the points are read once for the group.
func FillGroup[F float32 | float64](r *Rows, dst [][]F, place []int, from int) {
	room := groupRooms.Get().(*[]float64)
	defer groupRooms.Put(room)
	*room = slices.Grow((*room)[:0], len(place)*r.d)
	points := (*room)[:len(place)*r.d]
	for g, i := range place {
		r.columns.Column(points[g*r.d:(g+1)*r.d], i)
	}
	to := from + len(dst[0])
	first, last := from/span, (to+span-1)/span
	share.Ranges(share.Workers(last-first, tile.RowCost((to-from)*len(place), r.d)/4), last-first, func(_, a, b int) {
		buffer := make([]float64, len(place)*span)
		for lo := max(from, (first+a)*span); lo < min(to, (first+b)*span); lo = (lo/span + 1) * span {
			begin, end := lo/tile.Wide*tile.Wide, min(to, (lo/span+1)*span)
			part := r.columns.Part(begin, end)
			width := part.Width()
			if _, ok := r.kernel.(RBF); ok {
				part.Distances(buffer, points, len(place))
			} else {
				part.Product(buffer, points, len(place))
			}
			for g := range place {
				values := buffer[g*width+lo-begin : g*width+end-begin]
				r.finish(values, values)
				out := dst[g][lo-from : end-from]
				for t, v := range values {
					out[t] = F(v)
				}
			}
		}
	})
}

// Row writes K(z, x_t) for all points t into dst, which needs length Len. With Precomputed, z holds these values for the matrix given to
// NewRows.
func (r *Rows) Row(dst, z []float64) {
	if r.order != nil {
		for t, i := range r.order {
			dst[t] = z[i]
		}
		return
	}
	for lo := 0; lo < r.n; lo += span {
		r.values(dst[lo:min(lo+span, r.n)], z, lo)
	}
}

// fillSpans fills places lo ... hi-1, span by span, with spans beginning at multiples of their length. dst[0] belongs to place base.
func fillSpans[F float32 | float64](r *Rows, dst []F, v []float64, base, lo, hi int) {
	var buffer [span]float64
	for lo < hi {
		end := min(hi, (lo/span+1)*span)
		b := buffer[:end-lo]
		r.values(b, v, lo)
		out := dst[lo-base : end-base]
		for t, k := range b {
			out[t] = F(k)
		}
		lo = end
	}
}

// values writes K(v, x_t) for t = from ... from+len(dst)-1.
func (r *Rows) values(dst, v []float64, from int) {
	switch r.kernel.(type) {
	case Linear, Poly, Sigmoid:
		r.columns.RowProduct(dst, v, from)
	case RBF:
		r.columns.RowDistances(dst, v, from)
	case Laplacian:
		r.columns.RowAbsolute(dst, v, from)
	default:
		own := slices.Clone(v) // an interface might keep it: without the copy the rows of the fast kernels would leave garbage too
		for t := range dst {
			dst[t] = r.kernel.Eval(own, r.point(from+t))
		}
		return
	}
	r.finish(dst, dst)
}

// finish writes to dst the kernel values of inner products or distances, which may stand in dst.
func (r *Rows) finish(dst, values []float64) {
	values = values[:len(dst)]
	switch k := r.kernel.(type) {
	case Poly:
		switch k.Degree {
		case 2:
			for t, s := range values {
				s = k.Gamma*s + k.Coef0
				dst[t] = s * s
			}
		case 3:
			for t, s := range values {
				s = k.Gamma*s + k.Coef0
				dst[t] = s * s * s
			}
		default:
			for t, s := range values {
				dst[t] = power(k.Gamma*s+k.Coef0, k.Degree)
			}
		}
	case Sigmoid:
		for t, s := range values {
			dst[t] = math.Tanh(k.Gamma*s + k.Coef0)
		}
	case RBF:
		exponential(dst, values, k.Gamma)
	case Laplacian:
		exponential(dst, values, k.Gamma)
	default:
		copy(dst, values)
	}
}

func exponential(dst, values []float64, gamma float64) {
	floats.ScaleTo(dst, -gamma, values)
	tile.Exp(dst)
}

// Block writes the m x Len matrix K(z_i, x_t) into dst, row by row, for the m rows of z, each as Row takes it. It is Row for many points,
// faster because several rows meet the points together.
func (r *Rows) Block(dst, z []float64, m int) {
	switch r.kernel.(type) {
	case Linear, Poly, Sigmoid:
		r.columns.Project(dst, z, m)
	case RBF:
		r.columns.Apart(dst, z, m)
	default:
		d := len(z) / m
		for i := range m {
			r.Row(dst[i*r.n:(i+1)*r.n], z[i*d:(i+1)*d])
		}
		return
	}
	r.finish(dst[:m*r.n], dst)
}
