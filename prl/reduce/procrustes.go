package reduce

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// An Alignment is a shift, a turn or mirror image, and a scale that lay one map on another: y becomes Scale * R'(y - From) + To.
type Alignment struct {
	R        *mat.Dense // k x k, orthogonal
	Scale    float64    // 1 unless asked for
	From, To []float64  // the means of the two maps
	Image    *mat.Dense // n x k, the aligned map
	Loss     float64    // sum ||x - image||² / sum ||x - mean||²
}

// Procrustes lays the map Y on the map X, both n x k, as near as shift and turn and mirror image allow, and with scaled a change of scale:
// sum_i ||x_i - image_i||² is least. With the singular values Y'X = U S V' of the centred maps R is UV', and the scale tr S / tr Y'Y.
//
// Source: P. H. Schönemann (1966), Psychometrika 31, 1-10.
func Procrustes(X, Y mat.Matrix, scaled bool) (*Alignment, error) {
	const name = "reduce.Procrustes"
	if err := estimator.CheckX(name, X); err != nil {
		return nil, err
	}
	n, k := X.Dims()
	if r, c := Y.Dims(); r != n || c != k {
		return nil, fault.Argument(name, "Y", fmt.Sprintf("%d x %d", r, c), fmt.Sprintf("%d x %d like X", n, k), "")
	}
	if err := estimator.CheckX(name, Y); err != nil {
		return nil, err
	}
	x, to := centre(X)
	y, from := centre(Y)
	var xx, yy float64
	for i := range n {
		xx, yy = xx+dot(x.RawRowView(i), x.RawRowView(i)), yy+dot(y.RawRowView(i), y.RawRowView(i))
	}
	if xx == 0 || yy == 0 {
		return nil, fault.Argument(name, "X or Y", "one point", "two different points at least", "")
	}
	var P, U, V mat.Dense
	P.Mul(y.T(), x)
	var svd mat.SVD // full, so that U and V are orthogonal also for maps on a line
	if !svd.Factorize(&P, mat.SVDFull) {
		return nil, fault.Argument(name, "X and Y", "such that the singular value decomposition of Y'X fails", "numbers of usual size", "")
	}
	svd.UTo(&U)
	svd.VTo(&V)
	a := &Alignment{R: mat.NewDense(k, k, nil), Scale: 1, From: from, To: to, Image: mat.NewDense(n, k, nil)}
	a.R.Mul(&U, V.T())
	if scaled {
		a.Scale = floats.Sum(svd.Values(nil)) / yy
	}
	a.Image.Mul(y, a.R)
	for i := range n {
		row := a.Image.RawRowView(i)
		for j := range row {
			row[j] *= a.Scale
			v := row[j] - x.At(i, j)
			a.Loss += v * v / xx
			row[j] += to[j]
		}
	}
	return a, nil
}

// centre returns a copy of a matrix with columns of mean 0, and their means.
func centre(X mat.Matrix) (*mat.Dense, []float64) {
	x := mat.DenseCopyOf(X)
	n, k := x.Dims()
	means := make([]float64, k)
	for j := range k {
		means[j] = total(mat.Col(nil, j, x)) / float64(n)
		for i := range n {
			x.Set(i, j, x.At(i, j)-means[j])
		}
	}
	return x, means
}
