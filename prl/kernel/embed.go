package kernel

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/eigen"
)

// Witness returns the unit vector v for which v'Kv is least, and that value: the smallest eigenvalue of K with its eigenvector. A negative
// value proves that K is no Gram matrix, since sum_i v_i phi(x_i) would have a negative squared length. The entry of v of largest magnitude
// is positive.
func Witness(K mat.Symmetric) (v []float64, value float64, err error) {
	const fn = "kernel.Witness"
	if K == nil || K.SymmetricDim() == 0 {
		return nil, 0, fault.Argument(fn, "K", "empty", "a matrix of at least one point", "")
	}
	if err := estimator.CheckX(fn, K); err != nil {
		return nil, 0, err
	}
	n := K.SymmetricDim()
	minus := mat.NewSymDense(n, nil)
	minus.ScaleSym(-1, K)
	values, v, err := eigen.Symmetric(context.Background(), minus.RawSymmetric().Data, n, 1)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", fn, err)
	}
	positive(v)
	return v, -values[0], nil
}

// positive turns v so that its entry of largest magnitude is positive.
func positive(v []float64) {
	largest := 0.0
	for _, x := range v {
		if math.Abs(x) > math.Abs(largest)*(1+1e-9) {
			largest = x
		}
	}
	if largest < 0 {
		for i := range v {
			v[i] = -v[i]
		}
	}
}

// Embed returns points whose inner products are K: the n x r matrix Z with Z Z' = K, where r is the rank. Column j is sqrt(lambda_j) times
// the eigenvector of the j-th largest eigenvalue. It is what is left of the converse of Mercer's theorem on n points. Eigenvalues of at
// most tol times the largest, tol = 1e-12 is usual, count as zero; a K with a more negative one is refused, and the error names it.
func Embed(K mat.Symmetric, tol float64) (*mat.Dense, error) {
	const fn = "kernel.Embed"
	d, err := PSD(K, tol)
	if err != nil {
		return nil, fault.In(fn, err)
	}
	if !d.SemiDefinite {
		return nil, fault.Argument(fn, "K", fmt.Sprintf("with an eigenvalue of %.4g", d.Min), "positive semi-definite",
			"no space has points with these inner products; Witness gives a combination of negative squared length")
	}
	n := K.SymmetricDim()
	if d.Rank == 0 {
		return mat.NewDense(n, 1, nil), nil
	}
	values, vectors, err := eigen.Symmetric(context.Background(), mat.DenseCopyOf(K).RawMatrix().Data, n, d.Rank)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fn, err)
	}
	Z := mat.NewDense(n, d.Rank, nil)
	for j := range d.Rank {
		v := vectors[j*n : (j+1)*n]
		positive(v)
		for i, x := range v {
			Z.Set(i, j, math.Sqrt(values[j])*x)
		}
	}
	return Z, nil
}
