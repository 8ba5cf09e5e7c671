package kernel

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Distance returns |phi(a) - phi(b)|, from |phi(a) - phi(b)|^2 = K(a, a) - 2 K(a, b) + K(b, b), and NaN for points of unequal lengths. For
// the kernels Linear, Poly, RBF and Laplacian, their sums and multiples it computes this difference from a - b, so that points that nearly
// coincide keep all digits; for others a squared distance below 1e-16 K(a, a) is lost.
func Distance(k Kernel, a, b []float64) float64 { return math.Sqrt(squaredDistance(k, a, b)) }

func squaredDistance(k Kernel, a, b []float64) float64 {
	if len(a) != len(b) {
		return math.NaN()
	}
	switch k := k.(type) {
	case Linear:
		sum := 0.0
		for i, v := range a {
			sum += (v - b[i]) * (v - b[i])
		}
		return sum
	case RBF:
		return -2 * math.Expm1(-k.Gamma*squaredDistance(Linear{}, a, b))
	case Laplacian:
		sum := 0.0
		for i, v := range a {
			sum += math.Abs(v - b[i])
		}
		return -2 * math.Expm1(-k.Gamma*sum)
	case Poly:
		return k.squaredDistance(a, b)
	case Scaled:
		return k.Factor * squaredDistance(k.Of, a, b)
	case SumOf:
		sum := 0.0
		for _, t := range k.Terms {
			sum += squaredDistance(t, a, b)
		}
		return sum
	}
	return math.Max(0, k.Eval(a, a)-2*k.Eval(a, b)+k.Eval(b, b))
}

// squaredDistance expands f(u) - 2 f(w) + f(v), with f(t) = (gamma t + c)^p, u = <a, a>, v = <b, b> and w = <a, b>, in divided differences:
//
//	(u + v - 2w) f[u, w] + (v - w)(v - u) f[u, v, w],
//
// where u + v - 2w = |a - b|^2, v - w = <b, b - a> and v - u = <b - a, b + a> come from a - b without cancellation.
func (k Poly) squaredDistance(a, b []float64) float64 {
	gap, vw, vu := 0.0, 0.0, 0.0
	for i, v := range a {
		d := b[i] - v
		gap += d * d
		vw += b[i] * d
		vu += d * (b[i] + v)
	}
	u, v, w := k.Gamma*dot(a, a)+k.Coef0, k.Gamma*dot(b, b)+k.Coef0, k.Gamma*dot(a, b)+k.Coef0
	// Divided differences of t^p are the complete homogeneous polynomials: h_j(u, w) = sum of u^i w^(j-i), h_j(u, v, w) = h_j(u, w) + v
	// h_(j-1)(u, v, w).
	two, three, power := 1.0, 0.0, 1.0
	for j := 1; j < k.Degree; j++ {
		three = two + v*three
		power *= u
		two = power + w*two
	}
	return math.Max(0, k.Gamma*gap*two+k.Gamma*vw*k.Gamma*vu*three)
}

// Distances returns the n x n matrix of distances in feature space of the points whose Gram matrix is K. From kernel values alone a squared
// distance below 1e-16 K_ii is lost; Distance keeps it where the points are known.
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
