package kernel

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// Centre returns the Gram matrix of the points moved to mean zero in feature space,
//
//	K~ = (I - 11'/n) K (I - 11'/n),  K~_ij = K_ij - mean of row i - mean of row j + mean of all.
//
// Its rows sum to zero.
func Centre(K mat.Symmetric) *mat.SymDense {
	n := K.SymmetricDim()
	means, all := rowMeans(K)
	C := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			C.SetSym(i, j, K.At(i, j)-means[i]-means[j]+all)
		}
	}
	return C
}

// CentreCross centres the m x n matrix K(z_i, x_j) between new points and training points in the same way: about the mean of the training
// points, whose uncentred Gram matrix is K.
func CentreCross(C mat.Matrix, K mat.Symmetric) (*mat.Dense, error) {
	m, n := C.Dims()
	if n != K.SymmetricDim() {
		return nil, fault.Argument(
			"kernel.CentreCross",
			"C",
			fmt.Sprintf("%d x %d", m, n),
			fmt.Sprintf("m x %d like the Gram matrix", K.SymmetricDim()),
			"",
		)
	}
	means, all := rowMeans(K)
	out := mat.NewDense(m, n, nil)
	for i := range m {
		mean := 0.0
		for j := range n {
			mean += C.At(i, j) / float64(n)
		}
		for j := range n {
			out.Set(i, j, C.At(i, j)-mean-means[j]+all)
		}
	}
	return out, nil
}

func rowMeans(K mat.Symmetric) (means []float64, all float64) {
	n := K.SymmetricDim()
	means = make([]float64, n)
	for i := range n {
		for j := range n {
			means[i] += K.At(i, j)
		}
		means[i] /= float64(n)
		all += means[i] / float64(n)
	}
	return means, all
}
