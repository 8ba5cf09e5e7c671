package kernel

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/share"
	"github.com/prlab/prlab/prl/internal/tile"
	"github.com/prlab/prlab/prl/sparse"
)

// Gram returns the n x n matrix K(x_i, x_j) of the rows of X (n x d).
//
// From 64 columns on the squared distances of RBF come from inner products about the mean m of the rows, |a|^2 + |b|^2 - 2 <a, b> with a =
// x_i - m and b = x_j - m, and from the differences where they are below a 64th of |a|^2 + |b|^2; so the relative error of a squared
// distance stays below 64 (d + 8) 2^-52. Other entries are those that NewRows gives. Of a *sparse.CSR the linear kernel looks at the stored
// numbers alone.
func Gram(k Kernel, X mat.Matrix) (*mat.SymDense, error) {
	const fn = "kernel.Gram"
	if err := Check(fn, k); err != nil {
		return nil, err
	}
	if err := estimator.CheckX(fn, X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	if err := estimator.CheckMemory(fn, "the Gram matrix", n, n, few); err != nil {
		return nil, err
	}
	if thin, ok := X.(*sparse.CSR); ok && k == (Linear{}) {
		return thin.Gram(), nil
	}
	G := mat.NewSymDense(n, nil)
	raw := G.RawSymmetric()
	if fast(k) {
		x := estimator.Dense(X)
		between(k, raw.Data, x, x, true)
		return G, nil
	}
	r, err := NewRows(k, X, nil, nil)
	if err != nil {
		return nil, fault.In(fn, err)
	}
	share.Turns(share.Workers(n, tile.RowCost(n*n/2, r.d)), n, func(_, i int) {
		r.Fill(raw.Data[i*raw.Stride+i:i*raw.Stride+n], i, i, n)
		raw.Data[i*raw.Stride+i] = r.Diag(i)
	})
	return G, nil
}

// few is the remedy for a matrix too large for the memory.
const few = "take fewer rows, or compute rows on demand with kernel.NewRows"

// GramOf returns the matrix k(item_i, item_j) of things that need not be vectors: strings, trees, graphs. It serves a precomputed kernel.
func GramOf[T any](items []T, k func(a, b T) float64) (*mat.SymDense, error) {
	if len(items) == 0 {
		return nil, fault.Argument("kernel.GramOf", "items", "empty", "at least one thing to compare", "")
	}
	if err := estimator.CheckMemory("kernel.GramOf", "the Gram matrix", len(items), len(items), "take fewer items"); err != nil {
		return nil, err
	}
	G := mat.NewSymDense(len(items), nil)
	for i, a := range items {
		for j := i; j < len(items); j++ {
			G.SetSym(i, j, k(a, items[j]))
		}
	}
	return G, nil
}

// Cross returns the m x n matrix K(z_i, x_j) between the rows of Z (m x d) and of X (n x d), as a prediction with a precomputed kernel
// wants.
func Cross(k Kernel, Z, X mat.Matrix) (*mat.Dense, error) {
	const fn = "kernel.Cross"
	if _, ok := k.(Precomputed); ok {
		return nil, fault.Argument(fn, "Kernel", "precomputed", "a kernel of points", "")
	}
	if err := Check(fn, k); err != nil {
		return nil, err
	}
	if err := estimator.CheckX(fn, X); err != nil {
		return nil, err
	}
	if err := estimator.CheckX(fn, Z); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	m, dz := Z.Dims()
	if dz != d {
		return nil, fault.Argument(fn, "Z", fmt.Sprintf("%d x %d", m, dz), fmt.Sprintf("m x %d like X", d), "")
	}
	if err := estimator.CheckMemory(fn, "the kernel matrix", m, n, few); err != nil {
		return nil, err
	}
	C := mat.NewDense(m, n, nil)
	x, z := estimator.Dense(X), estimator.Dense(Z)
	if fast(k) {
		between(k, C.RawMatrix().Data, z, x, false)
		return C, nil
	}
	for i := range m {
		row, v := C.RawRowView(i), z.RawRowView(i)
		for t := range row {
			row[t] = k.Eval(v, x.RawRowView(t))
		}
	}
	return C, nil
}
