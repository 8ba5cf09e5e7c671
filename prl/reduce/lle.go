package reduce

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/eigen"
	"github.com/prlab/prlab/prl/internal/tile"
)

// LLEOptions are the settings of FitLLE. The zero value is the default.
type LLEOptions struct {
	Components int     // q, the dimension of the map; 0 stands for 2
	Neighbours int     // K, the neighbours of which each row is made up; 0 stands for 12
	Regularise float64 // rho: rho tr(C) to the diagonal of each row's C; 0 stands for 0.001, estimator.None for 0
	Hessian    bool    // ask for maps that are linear in each neighbourhood, instead of maps that keep the weights
}

// filled returns o with defaults in the place of zeros.
func (o LLEOptions) filled() LLEOptions {
	o.Components, o.Neighbours = cmp.Or(o.Components, 2), cmp.Or(o.Neighbours, 12)
	estimator.Or(&o.Regularise, 1e-3)
	return o
}

// An LLE is a map made by locally linear embedding.
type LLE struct {
	Y          *mat.Dense  // n x q, the map: mean 0, Y'Y/n = I
	Values     []float64   // the q + 2 smallest eigenvalues of M, rising: 0 first, then the q of the map, then the one left out
	Neighbours [][]int     // the K nearest rows of each row, nearest first
	Weights    [][]float64 // what they weigh, with sum 1 in each row; nil for Hessian
	Rows       *mat.Dense  // n x d, the rows of the fit
	Regularise float64
}

// FitLLE maps the rows of X (n x d) into q dimensions so that each row stays the same weighted mean of its neighbours. With C_jk = (x -
// x_j)'(x - x_k) of the K nearest rows of x, the weights of least error and sum 1 are C^-1 1 / (1'C^-1 1), where rho tr(C) to the
// diagonal of C. With W the n x n weights, the map of least sum_i ||y_i - sum_j w_ij y_j||² = tr(Y'MY), M = (I - W)'(I - W), with mean 0
// and covariance I is that of the eigenvectors 2 ... q+1 of M, smallest eigenvalue first.
//
// Hessian takes M = sum_i H_i'H_i, where H_i estimates the second derivatives of a function over the tangent plane of the neighbours of row
// i: what it leaves at zero is linear along the sheet. It needs more than q(q+3)/2 neighbours, and knows no weights.
//
// M has few entries that are not zero, and its smallest eigenvalues are found by a Krylov method on its inverse, through a Cholesky factor
// of rows and columns in an order that keeps it narrow.
//
// It fails when the neighbours leave the rows in several pieces: M then has several eigenvalues 0, and the map is arbitrary.
//
// Source: S. T. Roweis & L. K. Saul (2000), Science 290, 2323-2326; D. L. Donoho & C. Grimes (2003), Hessian eigenmaps, PNAS 100,
// 5591-5596.
func FitLLE(ctx context.Context, X mat.Matrix, o LLEOptions) (*LLE, error) {
	return fitLLE(ctx, X, o.filled())
}

func fitLLE(ctx context.Context, X mat.Matrix, o LLEOptions) (*LLE, error) {
	const name = "reduce.FitLLE"
	if err := checkLLE(name, o); err != nil {
		return nil, err
	}
	if err := estimator.CheckX(name, X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	if err := checkFewer(name, n, o.Components, o.Neighbours); err != nil {
		return nil, err
	}
	if err := estimator.CheckMemory(name, "M", n, 2*n, "take fewer rows"); err != nil {
		return nil, err
	}
	q := o.Components
	m := &LLE{Rows: mat.DenseCopyOf(X), Regularise: o.Regularise}
	m.Neighbours, _ = nearest(m.Rows, m.Rows, o.Neighbours, true)
	if err := checkConnected(name, m.Neighbours, o.Neighbours); err != nil {
		return nil, err
	}
	patches, room := make([]patch, n), m.room()
	for i, list := range m.Neighbours {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if o.Hessian {
			H, err := m.bend(ctx, name, list, q, room)
			if err != nil {
				return nil, err
			}
			patches[i] = squared(list, H...)
			continue
		}
		w, err := m.weights(name, m.Rows.RawRowView(i), list, room)
		if err != nil {
			return nil, err
		}
		m.Weights = append(m.Weights, w)
		// Row i of I - W has 1 at i and -w at the neighbours; M is the sum of the outer products of these rows.
		patches[i] = squared(append([]int{i}, list...), append([]float64{-1}, w...))
	}
	U, err := m.bottom(ctx, name, newSparse(n, patches), q)
	if err != nil {
		return nil, err
	}
	m.Y = mat.NewDense(n, q, nil)
	for j := range q {
		column := U[j*n : (j+1)*n]
		mean := total(column) / float64(n)
		for i, v := range column {
			m.Y.Set(i, j, math.Sqrt(float64(n))*(v-mean))
		}
	}
	fixSigns(m.Y)
	return m, nil
}

func checkLLE(name string, o LLEOptions) error {
	if err := checkNeighbours(name, o.Components, o.Neighbours); err != nil {
		return err
	}
	if !(o.Regularise >= 0) || math.IsInf(o.Regularise, 1) {
		return fault.Argument(name, "Regularise", o.Regularise, "0 or more", "")
	}
	if need := o.Components * (o.Components + 3) / 2; o.Hessian && o.Neighbours <= need {
		return fault.Argument(name, "Neighbours", o.Neighbours, fmt.Sprintf("more than %d for second derivatives in %d dimensions", need,
			o.Components), "")
	}
	return nil
}

// squared returns the sum of the outer products of vectors with themselves.
func squared(at []int, vectors ...[]float64) patch {
	p := patch{at, make([]float64, len(at)*len(at))}
	for _, v := range vectors {
		for a, u := range v {
			for b, w := range v {
				p.entries[a*len(at)+b] += u * w
			}
		}
	}
	return p
}

// bottom notes the least eigenvalues of M and returns the eigenvectors of the q after the first, in rows. A constant is the first
// eigenvector. At right angles to it the others are those of the largest eigenvalues of the inverse of M, which is made definite by a
// shift of the size of its rounding errors.
func (m *LLE) bottom(ctx context.Context, name string, M *sparse, q int) ([]float64, error) {
	n, largest := M.n, 0.0
	for i := range n {
		for j := M.start[i]; j < M.start[i+1]; j++ {
			if M.columns[j] == i {
				largest = max(largest, M.values[j])
			}
		}
	}
	var f *skyline
	for shift := 1e-13 * largest; f == nil; shift *= 10 {
		if !(shift > 0 && shift < largest) {
			return nil, fault.Argument(name, "X", "neighbourhoods whose M has no factor", "rows of moderate size", "scale the data")
		}
		var err error
		if f, err = factoriseSparse(ctx, M, shift); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	const together = 8
	z := make([]float64, n*together)
	inverse := eigen.OfFunction(n, func(ctx context.Context, y, x []float64, stride int) error {
		for r := range together {
			mean := total(x[r*stride:r*stride+n]) / float64(n)
			for p, i := range f.order {
				z[p*together+r] = x[r*stride+i] - mean
			}
		}
		f.solve(z, together)
		clear(y)
		for r := range together {
			to := y[r*stride : r*stride+n]
			for p, i := range f.order {
				to[i] = z[p*together+r]
			}
			mean := total(to) / float64(n)
			for i := range to {
				to[i] -= mean
			}
		}
		return ctx.Err()
	})
	pairs, err := eigen.Largest(ctx, inverse, q+1, 1e-12)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	constant := make([]float64, n)
	for i := range constant {
		constant[i] = 1 / math.Sqrt(float64(n))
	}
	m.Values = []float64{M.form(constant)}
	for j := range q + 1 {
		m.Values = append(m.Values, M.form(pairs.Vectors[j*n:(j+1)*n]))
	}
	return pairs.Vectors, nil
}

// room is memory for the rows of a neighbourhood.
func (m *LLE) room() []float64 { return make([]float64, len(m.Neighbours[0])*tile.Padded(m.Dim())) }

// about returns the inner products of the listed rows less a point.
func (m *LLE) about(point []float64, list []int, room []float64) *mat.SymDense {
	k, width := len(list), tile.Padded(len(point))
	C := mat.NewSymDense(k, nil)
	for a, row := range list {
		off := room[a*width : (a+1)*width]
		for j, v := range m.Rows.RawRowView(row) {
			off[j] = v - point[j]
		}
		for b := range a + 1 {
			C.SetSym(a, b, tile.Dot(off, room[b*width:(b+1)*width]))
		}
	}
	return C
}

// weights returns the weights of least error with sum 1 of which x is made up of the listed rows.
func (m *LLE) weights(name string, x []float64, list []int, room []float64) ([]float64, error) {
	k := len(list)
	C, trace := m.about(x, list, room), 0.0
	for a := range k {
		trace += C.At(a, a)
	}
	if trace == 0 {
		// All neighbours are x itself.
		trace = 1
	}
	for a := range k {
		C.SetSym(a, a, C.At(a, a)+m.Regularise*trace)
	}
	// Scaled to a unit diagonal, C has no eigenvalue below rho / (1 + rho): its diagonal is at most (1 + rho) times the trace.
	const remedy = "neighbours that are linear combinations of others need a larger one, such as 0.001"
	f, err := factorise(name, "Regularise", C, m.Regularise/(1+m.Regularise), remedy, false)
	if err != nil {
		return nil, err
	}
	ones := make([]float64, k)
	for a := range ones {
		ones[a] = 1
	}
	w := f.solve(ones)
	sum := total(w)
	for a := range w {
		w[a] /= sum
	}
	return w, nil
}

// bend returns H of one neighbourhood, row by row: with the coordinates of the neighbours in their tangent plane, H is what is left of
// their products of degree two once constants and linear functions are taken out, orthonormal.
func (m *LLE) bend(ctx context.Context, name string, list []int, q int, room []float64) ([][]float64, error) {
	k, d := len(list), m.Dim()
	mean := make([]float64, d)
	for _, row := range list {
		for j, v := range m.Rows.RawRowView(row) {
			mean[j] += v / float64(k)
		}
	}
	_, U, err := spectrum(ctx, name, m.about(mean, list, room), q)
	if err != nil {
		return nil, err
	}
	basis := [][]float64{make([]float64, k)}
	for a := range k {
		basis[0][a] = 1
	}
	for j := range q {
		basis = append(basis, mat.Col(nil, j, U))
	}
	for i := range q {
		for j := i; j < q; j++ {
			product := make([]float64, k)
			for a := range k {
				product[a] = U.At(a, i) * U.At(a, j)
			}
			basis = append(basis, product)
		}
	}
	for b, v := range basis {
		// Twice, since once leaves what rounding makes.
		for range 2 {
			for _, u := range basis[:b] {
				c := dot(u, v)
				for a := range v {
					v[a] -= c * u[a]
				}
			}
		}
		length := math.Sqrt(dot(v, v))
		if length < 1e-10 {
			return nil, fault.Argument(name, "X", "a neighbourhood that lies on a curve of degree two or less",
				"rows that spread over the sheet", "take more neighbours")
		}
		for a := range v {
			v[a] /= length
		}
	}
	return basis[1+q:], nil
}

// Errors returns the mean squared errors of rebuilding the rows, and the points of the map, from their neighbours by the weights:
// epsilon(W)/n and phi(Y)/n. The second is the sum of the eigenvalues of the map. Of Hessian maps the first is NaN.
func (m *LLE) Errors() (rows, points float64) {
	if m.Y == nil {
		return math.NaN(), math.NaN()
	}
	_, q := m.Y.Dims()
	points = total(m.Values[1 : 1+q])
	if m.Weights == nil {
		return math.NaN(), points
	}
	for i, list := range m.Neighbours {
		miss := append([]float64(nil), m.Rows.RawRowView(i)...)
		for a, row := range list {
			for j, v := range m.Rows.RawRowView(row) {
				miss[j] -= m.Weights[i][a] * v
			}
		}
		rows += dot(miss, miss) / float64(len(m.Neighbours))
	}
	return rows, points
}

// Dim returns the number of features of the rows.
func (m *LLE) Dim() int {
	_, d := dims(m.Rows)
	return d
}

// Transform places new rows: the weights of which a new row is made up of its K nearest rows are applied to their places. A row of the fit
// keeps its place. Hessian maps know no weights, and new rows get those of the settings all the same.
func (m *LLE) Transform(X mat.Matrix) (*mat.Dense, error) {
	const name = "reduce.LLE.Transform"
	if err := estimator.CheckWidth(name, X, m.Dim()); err != nil {
		return nil, err
	}
	p, _ := X.Dims()
	_, q := m.Y.Dims()
	x, out := estimator.Dense(X), mat.NewDense(p, q, nil)
	lists, far := nearest(m.Rows, mat.DenseCopyOf(x), len(m.Neighbours[0]), false)
	room := m.room()
	for i, list := range lists {
		if far[i][0] == 0 {
			out.SetRow(i, m.Y.RawRowView(list[0]))
			continue
		}
		w, err := m.weights(name, x.RawRowView(i), list, room)
		if err != nil {
			return nil, err
		}
		for a, row := range list {
			for j, v := range m.Y.RawRowView(row) {
				out.Set(i, j, out.At(i, j)+w[a]*v)
			}
		}
	}
	return out, nil
}

// String returns one line.
func (m *LLE) String() string {
	if m.Y == nil {
		return "LLE, not fitted"
	}
	n, q := m.Y.Dims()
	kind := "LLE"
	if m.Weights == nil {
		kind = "Hessian LLE"
	}
	return fmt.Sprintf("%s: %d rows in %d dimensions from %d neighbours", kind, n, q, len(m.Neighbours[0]))
}
