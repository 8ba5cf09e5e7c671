package eigen

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prlab/prlab/prl/internal/tile"
)

// level is how small an eigenvalue of a Gram matrix may be against its largest to be taken from it: what lies below is left to the next
// one.
const level = 1e-4

// Singular returns the squares of the singular values of the m x n matrix Y, m <= n, in falling order, and in rows the vectors that belong
// to them: the left ones (m x m) or the right ones (m x n). Y stands in rows, and is not to be used afterwards.
//
// The eigenvectors V of Y Y^T give the rows V Y, which are orthogonal. Those whose eigenvalues are not small against the largest are good
// to nearly all digits; the others, from which the parts along those are taken, are the Y of the next round. So a square is right down to
// 1e-30 of the largest, although that of one Gram matrix is noise below 1e-16.
func Singular(ctx context.Context, y []float64, m, n int, right bool) (squares, vectors []float64, err error) {
	var (
		found  = make([]float64, 0, m*n) // orthonormal rows so far
		left   = make([]float64, 0, m*m)
		basis  = identity(m)
		draw   = rand.New(rand.NewPCG(3, 4))
		floor  float64
		random bool // the rows are random ones that fill the space up
	)
	for len(squares) < m {
		count := len(y) / n
		g, err := gram(ctx, y, count, n)
		if err != nil {
			return nil, nil, err
		}
		values, v, err := Symmetric(ctx, g, count, count)
		if err != nil {
			return nil, nil, err
		}
		if len(squares) == 0 {
			floor = values[0] * float64(m) * 16 * epsilon * epsilon
		}
		if !random && values[0] <= floor {
			if !right {
				squares, left = append(squares, make([]float64, count)...), append(left, basis...)
				break
			}
			random = true
			for i := range y {
				y[i] = draw.NormFloat64()
			}
			if err := without(ctx, y, found, n); err != nil {
				return nil, nil, err
			}
			continue
		}
		turned, err := multiply(ctx, v, y, count, count, n)
		if err != nil {
			return nil, nil, err
		}
		good := 1
		for good < count && values[good] >= level*values[0] {
			good++
		}
		for q := range good {
			row := turned[q*n : (q+1)*n]
			size := inner(row, row)
			by := 1 / math.Sqrt(size)
			for i := range row {
				row[i] *= by
			}
			if random {
				size = 0
			}
			squares = append(squares, size)
		}
		if !right {
			turnedBasis, err := multiply(ctx, v, basis, count, count, m)
			if err != nil {
				return nil, nil, err
			}
			left, basis = append(left, turnedBasis[:good*m]...), turnedBasis[good*m:]
		}
		fresh := turned[:good*n]
		if err := straighten(ctx, fresh, n); err != nil {
			return nil, nil, err
		}
		found = append(found, fresh...)
		y = turned[good*n:]
		if err := without(ctx, y, found, n); err != nil {
			return nil, nil, err
		}
	}
	from, width := found, n
	if !right {
		from, width = left, m
	}
	order := make([]int, m)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(squares[b], squares[a]) })
	sorted := make([]float64, m)
	vectors = make([]float64, m*width)
	for i, at := range order {
		sorted[i] = squares[at]
		copy(vectors[i*width:], from[at*width:(at+1)*width])
	}
	return sorted, vectors, nil
}

func identity(m int) []float64 {
	out := make([]float64, m*m)
	for i := range m {
		out[i*m+i] = 1
	}
	return out
}

// gram returns the inner products of m rows of n numbers on and above the diagonal, m x m.
func gram(ctx context.Context, y []float64, m, n int) ([]float64, error) {
	out := make([]float64, m*m)
	all := tile.Dense(y, m, n, n)
	return out, inParts(ctx, m, n*m/2, func(from, count int) {
		tile.Dense(out[from*m:], count, m, m).Part(0, from, count, m-from).
			SetProduct(all.Part(from, 0, count, n), all.Part(from, 0, m-from, n).T())
	})
}

// multiply returns the product of a (m x k) and b (k x n).
func multiply(ctx context.Context, a, b []float64, m, k, n int) ([]float64, error) {
	out := make([]float64, m*n)
	return out, inParts(ctx, m, k*n, func(from, count int) {
		tile.Dense(out[from*n:], count, n, n).SetProduct(tile.Dense(a[from*k:], count, k, k), tile.Dense(b, k, n, n))
	})
}

// without takes from the rows of y their parts along orthonormal rows, twice.
func without(ctx context.Context, y, along []float64, n int) error {
	m, k := len(y)/n, len(along)/n
	if m == 0 || k == 0 {
		return nil
	}
	of := tile.Dense(along, k, n, n)
	parts := make([]float64, m*k)
	for range 2 {
		if err := inParts(ctx, m, 2*k*n, func(from, count int) {
			rows, part := tile.Dense(y[from*n:], count, n, n), tile.Dense(parts, count, k, k)
			part.SetProduct(rows, of.T())
			rows.AddProduct(-1, part, of)
		}); err != nil {
			return err
		}
	}
	return nil
}

// straighten makes nearly orthonormal rows U orthonormal: with U U^T = I + E they become (I - E/2) U.
func straighten(ctx context.Context, u []float64, n int) error {
	m := len(u) / n
	e, err := gram(ctx, u, m, n)
	if err != nil {
		return err
	}
	for i := range m {
		e[i*m+i]--
		for j := i; j < m; j++ {
			e[i*m+j] /= 2
			e[j*m+i] = e[i*m+j]
		}
	}
	old := slices.Clone(u)
	return inParts(ctx, m, m*n, func(from, count int) {
		tile.Dense(u[from*n:], count, n, n).AddProduct(-1, tile.Dense(e[from*m:], count, m, m), tile.Dense(old, m, n, n))
	})
}
