package kernel

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/eigen"
)

// Definiteness is what the spectrum of a Gram matrix says about its kernel.
type Definiteness struct {
	Min, Max     float64 // the smallest and the largest eigenvalue
	Rank         int     // eigenvalues above Tolerance
	Tolerance    float64 // below which a negative eigenvalue counts as a rounding error
	SemiDefinite bool    // Min >= -Tolerance
}

// PSD reports whether a symmetric matrix is positive semi-definite, as every Gram matrix of a kernel is (Mercer). Eigenvalues down to -tol
// times the largest absolute eigenvalue pass as rounding errors; tol = 1e-12 suits matrices of moderate size.
// One matrix that fails proves that a function is no kernel; matrices that pass prove nothing about other points.
func PSD(K mat.Symmetric, tol float64) (Definiteness, error) {
	if !(tol >= 0) || math.IsInf(tol, 0) {
		return Definiteness{}, fault.Argument("kernel.PSD", "tol", tol, "a finite number of at least 0", "1e-12 is usual")
	}
	values, err := Spectrum(K)
	if err != nil {
		return Definiteness{}, err
	}
	n := len(values)
	d := Definiteness{Min: values[n-1], Max: values[0]}
	d.Tolerance = tol * math.Max(math.Abs(d.Min), math.Abs(d.Max))
	for _, v := range values {
		if v > d.Tolerance {
			d.Rank++
		}
	}
	d.SemiDefinite = d.Min >= -d.Tolerance
	return d, nil
}

// Spectrum returns the eigenvalues of a symmetric matrix, largest first.
func Spectrum(K mat.Symmetric) ([]float64, error) {
	const fn = "kernel.Spectrum"
	if K == nil || K.SymmetricDim() == 0 {
		return nil, fault.Argument(fn, "K", "empty", "a Gram matrix of at least one point", "")
	}
	if err := estimator.CheckX(fn, K); err != nil {
		return nil, err
	}
	n := K.SymmetricDim()
	values, _, err := eigen.Symmetric(context.Background(), mat.DenseCopyOf(K).RawMatrix().Data, n, 0)
	if err != nil {
		return nil, fault.Argument(fn, "K", "a matrix whose eigenvalues do not converge", "a matrix of moderate numbers", "scale the data")
	}
	return values, nil
}
