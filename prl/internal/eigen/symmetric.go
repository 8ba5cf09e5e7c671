package eigen

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/prlab/prlab/prl/internal/fused"
	"github.com/prlab/prlab/prl/internal/tile"
)

const (
	narrow = 32      // columns that are reduced together
	broad  = 64      // reflections that are applied together
	flops  = 1 << 30 // of a product between two looks at the context
)

// Symmetric returns the eigenvalues of a symmetric n x n matrix in falling order, and the eigenvectors of the first k of them as the rows
// of vectors (k x n). It reads the entries on and above the diagonal of a, row by row, which must be finite.
func Symmetric(ctx context.Context, a []float64, n, k int) (values, vectors []float64, err error) {
	if shortcuts && n <= small {
		return few(a, n, k)
	}
	m, scale := newMatrix(a, n)
	off, tau, err := m.tridiagonal(ctx)
	if err != nil {
		return nil, nil, err
	}
	values = make([]float64, n)
	for i := range n {
		values[i] = m.at(i, i)
	}
	// Divide and conquer compares its numbers with those of unit vectors.
	largest := 0.0
	for _, list := range [][]float64{values, off} {
		for _, v := range list {
			largest = max(largest, math.Abs(v))
		}
	}
	_, size := math.Frexp(largest)
	scale += size
	unscale(values, -size)
	unscale(off, -size)
	if k == 0 {
		// Not Dsterf, which panics on a part of tiny numbers.
		if !(lapackgonum.Implementation{}).Dsteqr(lapack.EVCompNone, n, values, off, nil, n, nil) {
			return nil, nil, diverged(n)
		}
		slices.Reverse(values)
		unscale(values, scale)
		return values, nil, nil
	}
	c := newConquest(ctx, values, off, m.stride, k)
	if err := c.solve(0, n); err != nil {
		return nil, nil, err
	}
	values = make([]float64, n)
	for i, at := range c.order {
		values[n-1-i] = c.d[at]
	}
	unscale(values, scale)
	top := c.spare[:k*m.stride]
	for i := range k {
		copy(top[i*m.stride:], c.q[c.order[n-1-i]*m.stride:][:m.stride])
	}
	if err := m.reflect(ctx, top, k, tau); err != nil {
		return nil, nil, err
	}
	vectors = c.q[:k*n]
	for i := range k {
		copy(vectors[i*n:(i+1)*n], top[i*m.stride:])
	}
	return values, vectors, nil
}

// few is Symmetric for a matrix so small that the steps cost more than they save.
func few(a []float64, n, k int) (values, vectors []float64, err error) {
	values = make([]float64, n)
	room := make([]float64, n*n+max(1, 3*n-1))
	copied, work := room[:n*n], room[n*n:]
	copy(copied, a)
	if !lapack64.Syev(lapack.EVCompute, blas64.Symmetric{N: n, Stride: n, Data: copied, Uplo: blas.Upper}, values, work, len(work)) {
		return nil, nil, diverged(n)
	}
	slices.Reverse(values)
	vectors = make([]float64, k*n)
	for q := range k {
		for i := range n {
			vectors[q*n+i] = copied[i*n+n-1-q]
		}
	}
	return values, vectors, nil
}

func diverged(n int) error {
	return fmt.Errorf("the eigenvalues of a %d x %d matrix did not converge", n, n)
}

// unscale multiplies values by 2^e.
func unscale(values []float64, e int) {
	if e == 0 {
		return
	}
	for i, v := range values {
		values[i] = math.Ldexp(v, e)
	}
}

// A matrix holds the upper triangle of a symmetric matrix in rows of whole strips, and as many rows, filled up with zeros.
type matrix struct {
	n, stride int
	a         []float64
}

// newMatrix copies the upper triangle of a, divided by 2^scale so that squares of its numbers neither overflow nor vanish.
func newMatrix(a []float64, n int) (m *matrix, scale int) {
	m = &matrix{n: n, stride: tile.Padded(n)}
	m.a = make([]float64, m.stride*m.stride)
	largest := 0.0
	for i := range n {
		for _, v := range a[i*n+i : (i+1)*n] {
			largest = max(largest, math.Abs(v))
		}
	}
	if largest != 0 && (largest < 1e-100 || largest > 1e100) {
		_, scale = math.Frexp(largest)
	}
	for i := range n {
		to := m.a[i*m.stride:]
		for j := i; j < n; j++ {
			to[j] = a[i*n+j]
			if scale != 0 {
				to[j] = math.Ldexp(to[j], -scale)
			}
		}
	}
	return m, scale
}

func (m *matrix) at(i, j int) float64 { return m.a[i*m.stride+j] }

// part returns the rows i ... i+rows-1 and columns j ... j+cols-1 of numbers whose rows have the stride of m.
func (m *matrix) part(numbers []float64, i, j, rows, cols int) tile.Matrix {
	return tile.Dense(numbers, m.n, m.stride, m.stride).Part(i, j, rows, cols)
}

// tridiagonal replaces the matrix A by H_n ... H_1 A H_1 ... H_n with reflections H_i = I - tau_i v_i v_i^T, where v_i is zero up to entry
// i. The diagonal of the result stands in the diagonal, off has the n-1 numbers beside it, and v_i stands in row i to the right of the
// diagonal. Source: LAPACK's SYTRD and LATRD.
//
// Within a panel of columns the rows are not changed at once: with the V and W of the panel, A - V W^T - W V^T is what A has become.
func (m *matrix) tridiagonal(ctx context.Context) (off, tau []float64, err error) {
	n, p := m.n, m.stride
	off, tau = make([]float64, max(n-1, 0)), make([]float64, max(n-1, 0))
	deep := min(narrow, (n+2)/4*4)    // columns are taken four at a time
	room := make([]float64, 3*deep*p) // V, W and V again: the first two beside the last two give both products in one
	v, w := room[:deep*p], room[deep*p:2*deep*p]
	for start := 0; start < n-1; start += narrow {
		clear(room)
		width := min(narrow, n-1-start)
		for q := range width {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			j := start + q
			row := m.a[j*p : (j+1)*p]
			left := j / tile.Wide * tile.Wide
			for g := 0; g < q; g += 4 {
				var byV, byW [4]float64
				for r := range 4 {
					byV[r], byW[r] = -v[(g+r)*p+j], -w[(g+r)*p+j]
				}
				tile.AddRows(w[g*p+left:], p, row[left:], &byV)
				tile.AddRows(v[g*p+left:], p, row[left:], &byW)
			}
			vq, wq := v[q*p:(q+1)*p], w[q*p:(q+1)*p]
			off[j], tau[j] = reflector(vq[j+1:n], row[j+1:n])
			copy(row[j+1:n], vq[j+1:n])
			if tau[j] == 0 {
				continue
			}
			tile.SymmetricProduct(wq, vq, m.a, j+1, n, p)
			clear(wq[:j+1])
			left = (j + 1) / tile.Wide * tile.Wide
			for g := 0; g < q; g += 4 {
				var none [4]float64
				to := wq[left:]
				ofV := tile.FourRows(v[g*p+left:], p, vq[left:], to, &none)
				ofW := tile.FourRows(w[g*p+left:], p, vq[left:], to, &none)
				for r := range 4 {
					if g+r >= q { // the columns before this one alone
						ofV[r], ofW[r] = 0, 0
					}
					ofV[r], ofW[r] = -ofV[r], -ofW[r]
				}
				tile.AddRows(w[g*p+left:], p, to, &ofV)
				tile.AddRows(v[g*p+left:], p, to, &ofW)
			}
			clear(wq[:j+1])
			sum := 0.0
			for i := j + 1; i < n; i++ {
				wq[i] *= tau[j]
				sum = fused.FMA(wq[i], vq[i], sum)
			}
			sum *= -tau[j] / 2
			for i := j + 1; i < n; i++ {
				wq[i] = fused.FMA(sum, vq[i], wq[i])
			}
		}
		next := start + width
		copy(room[2*deep*p:], v)
		vw, wv := m.part(room, 0, next, 2*deep, n-next), m.part(room[deep*p:], 0, next, 2*deep, n-next)
		m.part(m.a, next, next, n-next, n-next).AddUpper(-1, vw.T(), wv)
	}
	return off, tau, nil
}

// reflector sets v, whose first number becomes 1, so that (I - tau v v^T) x has beta and then zeros. Source: LAPACK's LARFG.
func reflector(v, x []float64) (beta, tau float64) {
	v[0] = 1
	rest := 0.0
	for _, u := range x[1:] {
		rest = fused.FMA(u, u, rest)
	}
	if rest == 0 {
		return x[0], 0
	}
	beta = -math.Copysign(math.Sqrt(fused.FMA(x[0], x[0], rest)), x[0])
	by := 1 / (x[0] - beta)
	for i, u := range x[1:] {
		v[i+1] = u * by
	}
	return beta, (beta - x[0]) / beta
}

// reflect replaces each of the k rows r of rows by H_1 ... H_n r. A block of reflections is I - V^T T V with the v_i in the rows of V and a
// triangular T. Source: Schreiber, Van Loan, A storage-efficient WY representation for products of Householder transformations, SIAM J.
// Sci. Stat. Comput. 10, 1989.
func (m *matrix) reflect(ctx context.Context, rows []float64, k int, tau []float64) error {
	if len(tau) == 0 {
		return nil
	}
	n, p, most := m.n, m.stride, min(broad, len(tau))
	v, tv := make([]float64, most*p), make([]float64, most*p)
	gram, t := make([]float64, most*most), make([]float64, most*most)
	y := make([]float64, k*most)
	for start := (len(tau) - 1) / broad * broad; start >= 0; start -= broad {
		width := min(most, len(tau)-start)
		clear(v)
		for q := range width {
			j := start + q
			copy(v[q*p+j+1:q*p+n], m.a[j*p+j+1:])
		}
		vs := m.part(v, 0, start, width, n-start)
		tile.Dense(gram, width, width, most).SetProduct(vs, vs.T())
		clear(t)
		for i := range width { // column i of T is -tau_i T V_1..i-1 v_i
			by := tau[start+i]
			t[i*most+i] = by
			for r := range i {
				s := 0.0
				for c := r; c < i; c++ {
					s = fused.FMA(t[r*most+c], gram[c*most+i], s)
				}
				t[r*most+i] = -by * s
			}
		}
		m.part(tv, 0, start, width, n-start).SetProduct(tile.Dense(t, width, width, most).T(), vs)
		of, to := tile.Dense(y, k, width, most), m.part(rows, 0, start, k, n-start)
		if err := inParts(ctx, k, 2*width*(n-start), func(from, count int) {
			of.Part(from, 0, count, width).SetProduct(to.Part(from, 0, count, n-start), vs.T())
			to.Part(from, 0, count, n-start).AddProduct(-1, of.Part(from, 0, count, width), m.part(tv, 0, start, width, n-start))
		}); err != nil {
			return err
		}
	}
	return nil
}

// inParts calls work for ranges of rows that make up 0 ... rows-1, each of which takes so few multiplications that the end of the context
// is noticed soon.
func inParts(ctx context.Context, rows, perRow int, work func(from, count int)) error {
	step := max(64, flops/max(perRow, 1))
	for from := 0; from < rows; from += step {
		if err := ctx.Err(); err != nil {
			return err
		}
		work(from, min(step, rows-from))
	}
	return nil
}
