package reduce

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/eigen"
	"github.com/prlab/prlab/prl/internal/gauss"
)

// maxCondition is the condition number of S_W, after its columns are brought to unit length, from which it counts as singular: beyond it
// fewer than three of the sixteen digits of a solution are right.
const maxCondition = 1e13

// Eigen returns the eigenvalues of a symmetric d x d matrix in falling order and its orthonormal eigenvectors, column j for value j. The
// entry of largest magnitude in each column is positive, which fixes the sign. It fails on a matrix with a NaN or an infinity.
func Eigen(A mat.Symmetric) (values []float64, vectors *mat.Dense, err error) {
	const name = "reduce.Eigen"
	if err := estimator.CheckX(name, A); err != nil {
		return nil, nil, err
	}
	own := mat.NewSymDense(A.SymmetricDim(), nil)
	own.CopySym(A)
	return spectrum(context.Background(), name, own, own.SymmetricDim())
}

// largestAlone reports whether the k largest eigenpairs of a symmetric n x n matrix are found sooner alone than with all others.
func largestAlone(n, k int) bool { return n >= 300 && k <= n/20 }

// spectrum returns all eigenvalues of S in falling order and the eigenvectors of the first k as columns, with signs as of Eigen.
func spectrum(ctx context.Context, name string, S *mat.SymDense, k int) (values []float64, vectors *mat.Dense, err error) {
	values, rows, err := eigen.Symmetric(ctx, S.RawSymmetric().Data, S.SymmetricDim(), k)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return values, columns(rows, k), nil
}

// columns returns the matrix whose columns are k rows of numbers, with signs as of Eigen.
func columns(rows []float64, k int) *mat.Dense {
	vectors := mat.DenseCopyOf(mat.NewDense(k, len(rows)/k, rows).T())
	fixSigns(vectors)
	return vectors
}

// GeneralisedEigen solves A w = lambda B w for symmetric A and positive definite B, both d x d. With the Cholesky factor B = L L^T it
// becomes the ordinary problem (L^-1 A L^-T) v = lambda v, w = L^-T v: whitening. The values fall; the columns of vectors satisfy W^T B W =
// I. It fails when B is singular.
func GeneralisedEigen(A, B mat.Symmetric) (values []float64, vectors *mat.Dense, err error) {
	const name = "reduce.GeneralisedEigen"
	d := B.SymmetricDim()
	if A.SymmetricDim() != d {
		return nil, nil, fault.Argument(
			name,
			"A",
			fmt.Sprintf("%d x %d", A.SymmetricDim(), A.SymmetricDim()),
			fmt.Sprintf("%d x %d like B", d, d),
			"",
		)
	}
	f, err := factorise(name, "B", B, 0, "", false)
	if err != nil {
		return nil, nil, err
	}
	m := mat.NewDense(d, d, nil)
	for j := range d {
		col := make([]float64, d)
		for i := range d {
			col[i] = A.At(i, j)
		}
		f.whiten(col)
		m.SetCol(j, col)
	}
	sym := mat.NewSymDense(d, nil)
	for i := range d {
		row := slices.Clone(m.RawRowView(i))
		f.whiten(row)
		m.SetRow(i, row)
	}
	for i := range d {
		for j := i; j < d; j++ {
			sym.SetSym(i, j, (m.At(i, j)+m.At(j, i))/2)
		}
	}
	values, v, err := spectrum(context.Background(), name, sym, d)
	if err != nil {
		return nil, nil, err
	}
	vectors = f.unwhiten(v)
	fixSigns(vectors)
	return values, vectors, nil
}

// A factor is S = D L L^T D with D diagonal and L L^T of unit diagonal, so that the units of the features play no part in whether S counts
// as singular.
type factor struct {
	scale []float64
	l     blas64.Triangular
}

// factorise returns the factor of S, or an *fault.ArgumentError that names what is wrong with it. As far as the caller knows, no eigenvalue
// of L L^T is below least; where that says enough, its condition is not estimated. If S could have full rank, for S of features of enough
// rows, the error says which column depends on others.
func factorise(name, argument string, S mat.Symmetric, least float64, remedy string, full bool) (*factor, error) {
	d := S.SymmetricDim()
	f := &factor{scale: make([]float64, d)}
	largest := 0.0
	for j := range d {
		largest = max(largest, S.At(j, j))
	}
	for j := range d {
		v := S.At(j, j)
		if !(v > 0) || v < largest*1e-300 {
			return nil, fault.Argument(
				name,
				argument,
				fmt.Sprintf("singular (entry [%d, %d] is %.3g: column %d does not vary)", j, j, v, j),
				"positive definite",
				remedy,
			)
		}
		f.scale[j] = math.Sqrt(v)
	}
	if !f.decompose(S, least) {
		what := "singular (some features are linear combinations of others)"
		if j := gauss.Dependent(d, func(i, j int) float64 { return S.At(i, j) / f.scale[i] / f.scale[j] }); full && j >= 0 {
			what = fmt.Sprintf("singular (column %d depends on those before it)", j)
		}
		return nil, fault.Argument(name, argument, what, "positive definite", remedy)
	}
	return f, nil
}

// decompose sets L and reports whether L L^T is positive definite and its condition is good enough.
func (f *factor) decompose(S mat.Symmetric, least float64) bool {
	d := len(f.scale)
	unit := blas64.Symmetric{N: d, Stride: d, Data: make([]float64, d*d), Uplo: blas.Lower}
	for i := range d {
		unit.Data[i*d+i] = 1
		for j := range i {
			unit.Data[i*d+j] = S.At(j, i) / f.scale[j] / f.scale[i]
		}
	}
	// The norm of L L^T is at most d, that of its inverse at most sqrt(d) / least.
	known := math.Pow(float64(d), 1.5) < maxCondition*least
	norm := 0.0
	if !known {
		norm = lapack64.Lansy(lapack.MaxColumnSum, unit, make([]float64, d))
	}
	var ok bool
	if f.l, ok = lapack64.Potrf(unit); !ok || known {
		return ok
	}
	return lapack64.Pocon(unit, norm, make([]float64, 3*d), make([]int, d))*maxCondition > 1
}

// whiten replaces v by (D L)^-1 v.
func (f *factor) whiten(v []float64) {
	for j := range v {
		v[j] /= f.scale[j]
	}
	// The condition was checked by factorise.
	blas64.Trsv(blas.NoTrans, f.l, blas64.Vector{N: len(v), Data: v, Inc: 1})
}

// unwhiten returns (D L)^-T V.
func (f *factor) unwhiten(V mat.Matrix) *mat.Dense {
	w := mat.DenseCopyOf(V)
	blas64.Trsm(blas.Left, blas.Trans, 1, f.l, w.RawMatrix())
	d, k := w.Dims()
	for i := range d {
		for j := range k {
			w.Set(i, j, w.At(i, j)/f.scale[i])
		}
	}
	return w
}

// solve returns S^-1 v.
func (f *factor) solve(v []float64) []float64 {
	u := slices.Clone(v)
	f.whiten(u)
	blas64.Trsv(blas.Trans, f.l, blas64.Vector{N: len(u), Data: u, Inc: 1})
	for j := range u {
		u[j] /= f.scale[j]
	}
	return u
}

// fixSigns makes the entry of largest magnitude in each column positive; of nearly equal ones the first decides.
func fixSigns(W *mat.Dense) {
	d, k := W.Dims()
	largest := make([]float64, k)
	for i := range d {
		for j, v := range W.RawRowView(i) {
			if math.Abs(v) > math.Abs(largest[j])*(1+1e-9) {
				largest[j] = v
			}
		}
	}
	for i := range d {
		row := W.RawRowView(i)
		for j, v := range largest {
			if v < 0 {
				row[j] = -row[j]
			}
		}
	}
}

// regularise returns S + gamma tr(S)/d I.
func regularise(S *mat.SymDense, gamma float64) *mat.SymDense {
	if gamma == 0 {
		return S
	}
	d := S.SymmetricDim()
	out := mat.NewSymDense(d, nil)
	out.CopySym(S)
	add := gamma * mat.Trace(S) / float64(d)
	for j := range d {
		out.SetSym(j, j, out.At(j, j)+add)
	}
	return out
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i, v := range a {
		s += v * b[i]
	}
	return s
}
