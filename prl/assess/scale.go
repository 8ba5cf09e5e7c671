package assess

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// exponent returns e such that numbers divided by 2^e can be squared and summed without overflow and without loss: 0 for numbers of
// ordinary size.
func exponent(largest float64) int {
	if largest == 0 || largest >= 1e-100 && largest <= 1e100 {
		return 0
	}
	_, e := math.Frexp(largest)
	return e
}

// scaled returns a copy of X, divided by a power of two where squares of its numbers would overflow or vanish.
func scaled(X mat.Matrix) *mat.Dense {
	x, largest := mat.DenseCopyOf(X), 0.0
	data := x.RawMatrix().Data
	for _, v := range data {
		largest = max(largest, math.Abs(v))
	}
	if e := exponent(largest); e != 0 {
		for i, v := range data {
			data[i] = math.Ldexp(v, -e)
		}
	}
	return x
}
