package kernel

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Distance returns |phi(a) - phi(b)|, from |phi(a) - phi(b)|^2 = K(a, a) - 2 K(a, b) + K(b, b).
func Distance(k Kernel, a, b []float64) float64 {
	return math.Sqrt(math.Max(0, k.Eval(a, a)-2*k.Eval(a, b)+k.Eval(b, b)))
}

// Distances returns the n x n matrix of distances in feature space of the points whose Gram matrix is K.
func Distances(K mat.Symmetric) *mat.SymDense {
	n := K.SymmetricDim()
	D := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i + 1; j < n; j++ {
			D.SetSym(i, j, math.Sqrt(math.Max(0, K.At(i, i)-2*K.At(i, j)+K.At(j, j))))
		}
	}
	return D
}
