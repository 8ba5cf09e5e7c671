// Package gauss is the arithmetic of normal distributions N(mu, Sigma) in d dimensions, written once for all families: the Cholesky factor
// of a covariance and what it is good for (whitening, distances, densities, draws), shrinkage, and sums of exponentials.
package gauss

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/prlab/prlab/prl/internal/tile"
)

// Log2Pi is log(2 pi): -(d Log2Pi + LogDet + |L^-1 (x - mu)|^2) / 2 is the log density.
const Log2Pi = 1.83787706640934548356065947281

// A Factor is a covariance made ready for use: L with L L^T = Sigma, by its inverse. The covariance of independent features is kept as d
// numbers and costs O(d). Several goroutines may use a Factor at the same time.
type Factor struct {
	d      int
	logDet float64
	scale  []float64 // diagonal: one over the standard deviations

	white   []float64     // full: the rows of L^-1 up to the diagonal, row i at i(i+1)/2
	columns *tile.Columns // full: column j is row j of L^-1
}

// A SingularError says why a covariance has no inverse.
type SingularError struct {
	Column   int     // where it was noticed, or -1
	Variance float64 // of the column when that is the reason, else NaN
}

func (e *SingularError) Error() string {
	if !math.IsNaN(e.Variance) {
		return fmt.Sprintf("singular (variance %g in column %d)", e.Variance, e.Column)
	}
	if e.Column >= 0 {
		return fmt.Sprintf("singular (column %d depends on those before it)", e.Column)
	}
	return "singular"
}

// dependent is how small the standard deviation of a column may be, given those before it and in units of its own, before the covariance
// counts as singular: a squared multiple correlation above 1 - 1e-14.
const dependent = 1e-7

// NewFactor factors the covariance whose upper triangle stands in cov, d x d, row by row. Columns of different units do not look singular:
// the matrix of correlations is factored, and the standard deviations are put back. The error is a *SingularError.
func NewFactor(cov []float64, d int) (*Factor, error) {
	variances, full := make([]float64, d), false
	for i := range d {
		variances[i] = cov[i*d+i]
		for _, v := range cov[i*d+i+1 : (i+1)*d] {
			full = full || v != 0
		}
	}
	f, err := NewDiagonal(variances)
	if err != nil || !full {
		return f, err
	}
	r := make([]float64, d*d) // the lower triangle of the correlations, then the inverse of their factor
	for i := range d {
		for j := i; j < d; j++ {
			r[j*d+i] = cov[i*d+j] * f.scale[i] * f.scale[j]
		}
		r[i*d+i] = 1
	}
	pivots := make([]float64, d)
	if !invert(r, pivots) {
		return nil, &SingularError{Dependent(d, func(i, j int) float64 { return cov[j*d+i] * f.scale[i] * f.scale[j] }), math.NaN()}
	}
	for i, pivot := range pivots {
		if !(pivot > dependent) {
			return nil, &SingularError{i, math.NaN()}
		}
		f.logDet += 2 * math.Log(pivot)
	}
	f.white = make([]float64, 0, d*(d+1)/2)
	for i := range d {
		row := r[i*d : (i+1)*d]
		clear(row[i+1:])
		for j := range row[:i+1] {
			row[j] *= f.scale[j]
		}
		f.white = append(f.white, row[:i+1]...)
	}
	f.columns, f.scale = tile.Transpose(r, d, d), nil
	return f, nil
}

// broad is the number of columns from which tiles of products, on all processors, take less time than LAPACK's loops.
const broad = 97

// invert replaces the lower triangle of a symmetric matrix R = L L^T by L^-1, writes the diagonal of L to pivots, and reports whether R is
// positive definite.
func invert(r, pivots []float64) bool {
	d := len(pivots)
	if d < broad {
		lower, ok := lapack64.Potrf(blas64.Symmetric{N: d, Stride: d, Data: r, Uplo: blas.Lower})
		for i := range pivots {
			pivots[i] = r[i*d+i]
		}
		return ok && lapack64.Trtri(lower)
	}
	side := tile.Padded(d)
	u := make([]float64, side*side)
	for i := range side {
		u[i*side+i] = 1
	}
	for i := range d {
		for j := range i {
			u[j*side+i] = r[i*d+j]
		}
	}
	if !tile.Cholesky(u, side, 0) {
		return false
	}
	w := tile.InvertUpper(u, side)
	for i := range pivots {
		pivots[i] = u[i*side+i]
		for j := range i + 1 {
			r[i*d+j] = w[j*side+i]
		}
	}
	return true
}

// Dependent returns the first column that depends on those before it, given the correlation of columns i > j, or -1 if none does: also
// where they are no correlations.
func Dependent(d int, correlation func(i, j int) float64) int {
	l := make([]float64, d*d)
	for i := range d {
		row, left := l[i*d:(i+1)*d], 1.0
		for j := range i {
			v := correlation(i, j)
			for k, u := range l[j*d : j*d+j] {
				v -= u * row[k]
			}
			row[j] = v / l[j*d+j]
			left -= row[j] * row[j]
		}
		switch {
		case !(left > -1e-10): // not a matter of rounding
			return -1
		case left <= dependent*dependent:
			return i
		}
		row[i] = math.Sqrt(left)
	}
	return -1
}

// NewDiagonal returns the factor of a diagonal covariance. The error is a *SingularError.
func NewDiagonal(variances []float64) (*Factor, error) {
	f := &Factor{d: len(variances), scale: make([]float64, len(variances))}
	for j, v := range variances {
		if !(v > 0) || math.IsInf(v, 0) || math.IsInf(1/v, 0) {
			return nil, &SingularError{j, v}
		}
		f.scale[j] = 1 / math.Sqrt(v)
		f.logDet += math.Log(v)
	}
	return f, nil
}

// Shrink replaces the covariance S, d x d or d variances, by (1-s) S + s tr(S)/d I.
func Shrink(cov []float64, d int, s float64) {
	step := 1 // from one variance to the next
	if len(cov) > d {
		step = d + 1
	}
	trace := 0.0
	for j := 0; j < len(cov); j += step {
		trace += cov[j]
	}
	for j := range cov {
		cov[j] *= 1 - s
	}
	for j := 0; j < len(cov); j += step {
		cov[j] += s * trace / float64(d)
	}
}

// Dim returns d.
func (f *Factor) Dim() int { return f.d }

// LogDet returns log det Sigma.
func (f *Factor) LogDet() float64 { return f.logDet }

// Diagonal reports whether the features are independent.
func (f *Factor) Diagonal() bool { return f.scale != nil }

// SD returns the standard deviation of a one-dimensional distribution.
func (f *Factor) SD() float64 { return 1 / f.scale[0] }

// Distance2 returns |L^-1 (x - mean)|^2, the squared Mahalanobis distance.
func (f *Factor) Distance2(x, mean []float64) float64 {
	sum := 0.0
	if f.scale != nil {
		for j, s := range f.scale {
			z := (x[j] - mean[j]) * s
			sum += z * z
		}
		return sum
	}
	for i, from := 0, 0; i < f.d; i, from = i+1, from+i+1 {
		z := 0.0
		for j, w := range f.white[from : from+i+1] {
			z += w * (x[j] - mean[j])
		}
		sum += z * z
	}
	return sum
}

// Whiten sets z to L^-1 x; z may be x.
func (f *Factor) Whiten(z, x []float64) {
	if f.scale != nil {
		for j, s := range f.scale {
			z[j] = s * x[j]
		}
		return
	}
	for i := f.d - 1; i >= 0; i-- {
		from, sum := i*(i+1)/2, 0.0
		for j, w := range f.white[from : from+i+1] {
			sum += w * x[j]
		}
		z[i] = sum
	}
}

// Back sets x to L^-T z; x may be z. Sigma^-1 v is Back of Whiten of v.
func (f *Factor) Back(x, z []float64) {
	if f.scale != nil {
		f.Whiten(x, z)
		return
	}
	for j := range f.d {
		sum := 0.0
		for i := j; i < f.d; i++ {
			sum += f.white[i*(i+1)/2+j] * z[i]
		}
		x[j] = sum
	}
}

// Precision returns Sigma^-1, d x d.
func (f *Factor) Precision() []float64 {
	d := f.d
	p := make([]float64, d*d)
	if f.scale != nil {
		for j, s := range f.scale {
			p[j*d+j] = s * s
		}
		return p
	}
	for k, from := 0, 0; k < d; k, from = k+1, from+k+1 { // sum over k of row k of L^-1 with itself
		row := f.white[from : from+k+1]
		for i, u := range row {
			for j, v := range row[:i+1] {
				p[i*d+j] += u * v
			}
		}
	}
	for i := range d {
		for j := range i {
			p[j*d+i] = p[i*d+j]
		}
	}
	return p
}

// Draw sets x to a draw from N(mean, Sigma): x = mean + L z with z standard normal.
func (f *Factor) Draw(x, mean []float64, rng *rand.Rand) {
	for j := range x {
		x[j] = rng.NormFloat64()
	}
	if f.scale != nil {
		for j, s := range f.scale {
			x[j] = mean[j] + x[j]/s
		}
		return
	}
	for i, from := 0, 0; i < f.d; i, from = i+1, from+i+1 { // L^-1 y = z, from above
		row := f.white[from : from+i+1]
		for j, w := range row[:i] {
			x[i] -= w * x[j]
		}
		x[i] /= row[i]
	}
	for j, v := range mean {
		x[j] += v
	}
}

// Batch is the number of rows whose distances are computed together.
const Batch = 64

// Room is memory for the distances of a batch of rows, of one goroutine.
type Room struct{ centred, z []float64 }

// NewRoom returns room for batches of so many rows, at most Batch, and any factors of d dimensions.
func NewRoom(rows, d int) *Room {
	rows = min(rows, Batch)
	return &Room{make([]float64, rows*d), make([]float64, rows*tile.Padded(d))}
}

// Distances sets dst[r step] to the squared Mahalanobis distance of row r of x to mean, for m <= Batch rows. One that float64 cannot hold
// is infinite.
func (f *Factor) Distances(dst []float64, step int, x []float64, m int, mean []float64, room *Room) {
	d := f.d
	if f.scale != nil {
		for r := range m {
			dst[r*step] = finite(f.Distance2(x[r*d:(r+1)*d], mean))
		}
		return
	}
	tile.Subtract(room.centred, d, x[:m*d], mean, m)
	f.columns.Product(room.z, room.centred, m)
	width := f.columns.Width()
	for r := range m {
		row := room.z[r*width : (r+1)*width] // zeros after the first d
		var q0, q1, q2, q3 float64
		for j := 0; j+3 < len(row); j += 4 {
			q0 += row[j] * row[j]
			q1 += row[j+1] * row[j+1]
			q2 += row[j+2] * row[j+2]
			q3 += row[j+3] * row[j+3]
		}
		dst[r*step] = finite((q0 + q1) + (q2 + q3))
	}
}

// finite makes the NaN that comes of infinite coordinates a distance.
func finite(square float64) float64 {
	if square != square {
		return math.Inf(1)
	}
	return square
}

// White returns row i of L^-1 up to the diagonal. The covariance must not be diagonal.
func (f *Factor) White(i int) []float64 { return f.white[i*(i+1)/2 : (i+1)*(i+2)/2] }

// Scale returns one over the standard deviations of a diagonal covariance, nil otherwise. It is not to be changed.
func (f *Factor) Scale() []float64 { return f.scale }
