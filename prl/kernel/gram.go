package kernel

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
)

// Gram returns the n x n matrix K(x_i, x_j) of the rows of X (n x d).
func Gram(k Kernel, X mat.Matrix) (*mat.SymDense, error) {
	r, err := NewRows(k, X, nil)
	if err != nil {
		return nil, err
	}
	n := r.Len()
	G := mat.NewSymDense(n, nil)
	raw := G.RawSymmetric()
	for i := range n {
		Fill(r, raw.Data[i*raw.Stride+i:i*raw.Stride+n], i, i, n)
		raw.Data[i*raw.Stride+i] = r.Diag(i)
	}
	return G, nil
}

// GramOf returns the matrix k(item_i, item_j) of things that need not be vectors: strings, trees, graphs. It serves a precomputed kernel.
func GramOf[T any](items []T, k func(a, b T) float64) (*mat.SymDense, error) {
	if len(items) == 0 {
		return nil, estimator.Argument("kernel.GramOf", "items", "empty", "at least one thing to compare", "")
	}
	G := mat.NewSymDense(len(items), nil)
	for i, a := range items {
		for j := i; j < len(items); j++ {
			G.SetSym(i, j, k(a, items[j]))
		}
	}
	return G, nil
}

// Cross returns the m x n matrix K(z_i, x_j) between the rows of Z (m x d) and of X (n x d), as a prediction with a precomputed kernel wants.
func Cross(k Kernel, Z, X mat.Matrix) (*mat.Dense, error) {
	const fn = "kernel.Cross"
	if _, ok := k.(Precomputed); ok {
		return nil, estimator.Argument(fn, "Kernel", "precomputed", "a kernel of points", "")
	}
	r, err := NewRows(k, X, nil)
	if err != nil {
		return nil, err
	}
	if err := estimator.CheckX(fn, Z); err != nil {
		return nil, err
	}
	m, d := Z.Dims()
	if d != r.d {
		return nil, estimator.Argument(fn, "Z", fmt.Sprintf("%d x %d", m, d), fmt.Sprintf("m x %d like X", r.d), "")
	}
	C := mat.NewDense(m, r.Len(), nil)
	r.Block(C.RawMatrix().Data, estimator.Dense(Z).RawMatrix().Data, m)
	return C, nil
}
