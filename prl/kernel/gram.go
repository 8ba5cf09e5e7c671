package kernel

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/share"
	"github.com/prlab/prlab/prl/internal/tile"
)

// Gram returns the n x n matrix K(x_i, x_j) of the rows of X (n x d).
func Gram(k Kernel, X mat.Matrix) (*mat.SymDense, error) {
	r, err := NewRows(k, X, nil, nil)
	if err != nil {
		return nil, err
	}
	n := r.Len()
	if err := estimator.CheckMemory("kernel.Gram", "the Gram matrix", n, n, few); err != nil {
		return nil, err
	}
	G := mat.NewSymDense(n, nil)
	raw := G.RawSymmetric()
	switch k.(type) {
	case Linear, Poly, Sigmoid, RBF, Laplacian:
		x := estimator.Dense(X)
		between(k, raw.Data, x, x, true)
		for i := range n {
			raw.Data[i*raw.Stride+i] = r.Diag(i)
		}
		return G, nil
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
	switch k.(type) {
	case Linear, Poly, Sigmoid, RBF, Laplacian:
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

// between writes K(z_i, x_t) for all rows of z and x, or with upper only for t >= i, to dst, row by row. The kernel is one of products or
// distances.
func between(k Kernel, dst []float64, z, x *mat.Dense, upper bool) {
	// So many points of X at a time meet those of Z that what is packed of them is next to nothing beside the result and stays near. With
	// fewer, rows of the result are written in pieces smaller than a page of memory, which takes longer.
	const points, rows = 512, 32
	m, d := z.Dims()
	n, _ := x.Dims()
	r := Rows{kernel: k, d: d}
	scratch := make([][]float64, share.Workers((m+rows-1)/rows, tile.RowCost(m*min(points, n), d)))
	for g := range scratch {
		scratch[g] = make([]float64, rows*tile.Padded(min(points, n)))
	}
	for from := 0; from < n; from += points {
		r.n = min(points, n-from)
		r.columns = tile.Gather(r.columns, r.n, d, func(t int) []float64 { return x.RawRowView(from + t) })
		m := m
		if upper {
			m = from + r.n
		}
		share.Ranges(len(scratch), (m+rows-1)/rows, func(g, begin, end int) {
			for lo := begin * rows; lo < min(m, end*rows); lo += rows {
				count := min(rows, m-lo)
				columns, left := r.columns, 0 // those that the first of the rows meets
				if upper && lo > from {
					left = (lo - from) / tile.Wide * tile.Wide
					columns = columns.Part(left, r.n)
				}
				r.block(columns, scratch[g], z.RawMatrix().Data[lo*d:], count)
				for i := range count {
					first := left
					if upper {
						first = max(0, lo+i-from)
					}
					row := dst[(lo+i)*n+from+first : (lo+i)*n+from+r.n]
					copy(row, scratch[g][i*columns.Width()+first-left:])
					r.finish(row)
				}
			}
		})
	}
}

// block fills dst, whose rows are as long as the columns are wide, with the inner products or distances of m points with the columns.
func (r *Rows) block(columns *tile.Columns, dst, z []float64, m int) {
	switch r.kernel.(type) {
	case Linear, Poly, Sigmoid:
		columns.Product(dst, z, m)
	case RBF:
		columns.Distances(dst, z, m)
	default:
		width := columns.Width()
		for i := range m {
			columns.RowAbsolute(dst[i*width:i*width+columns.Len()], z[i*r.d:(i+1)*r.d], 0)
		}
	}
}
