package estimate

import (
	"fmt"
	"math"

	"github.com/prlab/prlab/prl/fault"
)

// KL returns the Kullback-Leibler divergence of f from p in nats,
//
//	sum f_i log(f_i / p_i),
//
// what one loses on average per observation by taking p for f. A term with f_i = 0 is 0; one with f_i > 0 = p_i is +Inf. It is 0 only for
// f = p and not symmetric. Errors: different lengths, none, numbers that are negative or not finite, or that do not sum to 1 within 1e-9.
//
// Source: S. Kullback and R. A. Leibler (1951), On information and sufficiency.
func KL(f, p []float64) (float64, error) {
	const name = "estimate.KL"
	if len(f) == 0 || len(f) != len(p) {
		return 0, fault.Argument(name, "the lengths", fmt.Sprintf("%d and %d", len(f), len(p)), "equal numbers above 0", "")
	}
	for side, q := range [][]float64{f, p} {
		sum := 0.0
		for i, v := range q {
			if !(v >= 0) || math.IsInf(v, 0) {
				return 0, fault.Argument(name, fmt.Sprintf("%c[%d]", "fp"[side], i), v, "a finite number of at least 0", "")
			}
			sum += v
		}
		if math.Abs(sum-1) > 1e-9 {
			return 0, fault.Argument(name, fmt.Sprintf("the sum of %c", "fp"[side]), sum, "1", "divide by the sum")
		}
	}
	sum := 0.0
	for i, v := range f {
		if v > 0 {
			sum += v * math.Log(v/p[i])
		}
	}
	return max(0, sum), nil
}

// CodeLength returns the expected number of bits in which the best code for p spells an outcome of f, -sum f_i log2 p_i: the entropy of f
// and, on top, the divergence of f from p in bits. Errors: those of KL.
//
// Source: C. E. Shannon (1948), A mathematical theory of communication.
func CodeLength(f, p []float64) (float64, error) {
	if _, err := KL(f, p); err != nil {
		return 0, err
	}
	bits := 0.0
	for i, v := range f {
		bits -= power(v, math.Log2(p[i]))
	}
	return bits, nil
}
