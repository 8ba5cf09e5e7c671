package estimate

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// LedoitWolf returns the covariance (1-s) S + s tr(S)/d I of the rows of X (n x d) with the share s of least expected squared error, and s.
// S divides by n. The share is
//
//	s = min(b, D) / D,  D = |S - m I|^2,  b = 1/n^2 sum_i |x_i x_i^T - S|^2,  m = tr(S)/d
//
// of the centred rows, with squared Frobenius norms. It needs neither a law of the rows nor cross-validation, and with more columns than
// rows the covariance has an inverse all the same. s is 0 for one column, and for rows that do not vary.
//
// Errors: X empty or not finite, or with numbers whose fourth powers are none.
//
// Source: O. Ledoit and M. Wolf (2004), A well-conditioned estimator for large-dimensional covariance matrices, Journal of Multivariate
// Analysis 88.
func LedoitWolf(X mat.Matrix) (cov *mat.SymDense, s float64, err error) {
	if err := estimator.CheckX("estimate.LedoitWolf", X); err != nil {
		return nil, 0, err
	}
	n, d := X.Dims()
	x, mean := mat.DenseCopyOf(X), make([]float64, d)
	for j := range d {
		for i := range n {
			mean[j] += x.At(i, j) / float64(n)
		}
		for i := range n {
			x.Set(i, j, x.At(i, j)-mean[j])
		}
	}
	cov = mat.NewSymDense(d, nil)
	cov.SymOuterK(1/float64(n), x.T())
	quartic := 0.0
	for i := range n {
		square := 0.0
		for _, v := range x.RawRowView(i) {
			square += v * v
		}
		quartic += square * square
	}
	s = Shrinkage(cov, quartic, float64(n))
	if s-s != 0 {
		return nil, 0, fault.Argument("estimate.LedoitWolf", "X", "of numbers whose fourth powers are none", "of a size between 1e-75 and 1e75",
			"multiply X by a number")
	}
	m := mat.Trace(cov) / float64(d)
	cov.ScaleSym(1-s, cov)
	for j := range d {
		cov.SetSym(j, j, cov.At(j, j)+s*m)
	}
	return cov, s, nil
}

// Shrinkage returns the share s of LedoitWolf for a covariance S (d x d, divided by the weight n) and the sum of the fourth powers of the
// lengths of the centred rows, by weight.
func Shrinkage(S mat.Symmetric, quartic, n float64) float64 {
	d := S.SymmetricDim()
	m, squares := mat.Trace(S)/float64(d), 0.0
	for i := range d {
		for j := range d {
			squares += S.At(i, j) * S.At(i, j)
		}
	}
	spread := squares - float64(d)*m*m
	b := (quartic/n - squares) / n
	if d == 1 || b <= 0 || !(spread > 0) && squares-squares == 0 {
		return 0
	}
	return math.Min(b, spread) / spread
}
