package svm

import (
	"fmt"
	"math"
	"math/bits"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// EnumerateDual solves the dual of at most 12 points exactly, as one would by hand: for each choice of the variables at 0, at C and in
// between it solves the linear equations y_i f(x_i) = 1 of those in between, together with sum alpha_i y_i = 0, and takes the choice that
// satisfies all KKT conditions. It shares nothing with SMO and serves to check it.
//
// K is the Gram matrix (K + diag(1/C_i) for quadratic slack), y holds +1 or -1, C the upper bounds (nil for none: hard margin and quadratic
// slack), and bias says whether there is one. Where several alpha are optimal it returns one of them; b is the middle of the interval
// when it is not unique. The error says that no choice fits: a hard margin on data that are not separable.
func EnumerateDual(K mat.Symmetric, y []int, C []float64, bias bool) (alpha []float64, b float64, err error) {
	const fn = "svm.EnumerateDual"
	n := len(y)
	if n < 1 || n > 12 {
		return nil, 0, fault.Argument(fn, "y", fmt.Sprintf("%d labels", n), "1 to 12 labels", "use Fit for more points")
	}
	if K == nil || K.SymmetricDim() != n {
		return nil, 0, fault.Argument(fn, "K", "of another size", fmt.Sprintf("%d x %d like the labels", n, n), "")
	}
	if C != nil && len(C) != n {
		return nil, 0, fault.Argument(fn, "C", fmt.Sprintf("%d bounds", len(C)), fmt.Sprintf("one for each of the %d points, or nil", n), "")
	}
	for i, v := range y {
		if v != 1 && v != -1 {
			return nil, 0, fault.Argument(fn, fmt.Sprintf("y[%d]", i), v, "+1 or -1", "")
		}
		if C != nil {
			if err := estimator.CheckPositive(fn, fmt.Sprintf("C[%d]", i), C[i], 1); err != nil {
				return nil, 0, err
			}
		}
	}
	scale := 1.0
	for i := range n {
		scale = math.Max(scale, K.At(i, i))
	}
	e := enumeration{K: K, y: y, C: C, bias: bias, slack: 1e-9 * scale, alpha: make([]float64, n), free: make([]bool, n)}
	for size := 0; size <= n; size++ { // few free variables first
		for set := range 1 << n {
			if bits.OnesCount(uint(set)) != size {
				continue
			}
			for i := range n {
				e.free[i] = set>>i&1 == 1
			}
			if e.bounds(0) {
				return e.alpha, e.b, nil
			}
		}
	}
	return nil, 0, fault.Argument(fn, "K, y", "without a KKT point", "separable for a hard margin", "give bounds C")
}

type enumeration struct {
	K     mat.Symmetric
	y     []int
	C     []float64
	bias  bool
	slack float64
	free  []bool
	alpha []float64
	b     float64
}

// bounds tries 0 and C for the variables from i on that are not free.
func (e *enumeration) bounds(i int) bool {
	if i == len(e.y) {
		return e.solve()
	}
	e.alpha[i] = 0
	if e.free[i] {
		return e.bounds(i + 1)
	}
	if e.bounds(i + 1) {
		return true
	}
	if e.C == nil {
		return false
	}
	e.alpha[i] = e.C[i]
	if e.bounds(i + 1) {
		return true
	}
	e.alpha[i] = 0
	return false
}

// solve finds the free variables and b for the given bounds and reports whether all conditions hold.
func (e *enumeration) solve() bool {
	var free []int
	for i, f := range e.free {
		if f {
			free = append(free, i)
			e.alpha[i] = 0
		}
	}
	n, m := len(e.y), len(free)
	size := m
	if e.bias {
		size++
	}
	sum := 0.0
	for i, a := range e.alpha {
		sum += a * float64(e.y[i])
	}
	if m == 0 {
		if e.bias && math.Abs(sum) > 1e-12 {
			return false
		}
		return e.check(false)
	}
	// Rows: y_i f(x_i) = 1 written as f(x_i) = y_i; then the balance. Unknowns: beta = alpha y of the free points; then b.
	A := make([][]float64, size)
	for r := range A {
		A[r] = make([]float64, size+1)
	}
	for r, i := range free {
		for c, j := range free {
			A[r][c] = e.K.At(i, j)
		}
		A[r][size] = float64(e.y[i])
		for j := range n {
			A[r][size] -= e.K.At(i, j) * e.alpha[j] * float64(e.y[j])
		}
		if e.bias {
			A[r][m], A[m][r] = 1, 1
		}
	}
	if e.bias {
		A[m][size] = -sum
	}
	if !eliminate(A) {
		return false // dependent: a smaller set of free variables has the same optimum
	}
	for r, i := range free {
		a := A[r][size] * float64(e.y[i])
		if a < -1e-12 || e.C != nil && a > e.C[i]+1e-12 {
			return false
		}
		e.alpha[i] = a
	}
	e.b = 0
	if e.bias {
		e.b = A[m][size]
	}
	return e.check(true)
}

// check tests y f >= 1 at alpha = 0 and y f <= 1 at alpha = C. Without a free variable b is chosen first, in the interval that is left.
func (e *enumeration) check(known bool) bool {
	lo, hi := math.Inf(-1), math.Inf(1)
	if known || !e.bias {
		if !known {
			e.b = 0
		}
		lo, hi = e.b, e.b
	}
	for i, y := range e.y {
		if e.free[i] {
			continue
		}
		need := float64(y) // of f(x_i) = g + b
		for j, a := range e.alpha {
			need -= e.K.At(i, j) * a * float64(e.y[j])
		}
		if (e.alpha[i] == 0) == (y > 0) { // f >= y: a positive at 0, a negative at C
			lo = math.Max(lo, need)
		} else {
			hi = math.Min(hi, need)
		}
	}
	if lo > hi+e.slack {
		return false
	}
	switch {
	case math.IsInf(lo, -1) && math.IsInf(hi, 1):
		e.b = 0
	case math.IsInf(lo, -1):
		e.b = hi
	case math.IsInf(hi, 1):
		e.b = lo
	case !known && e.bias:
		e.b = (lo + hi) / 2
	}
	return true
}

// eliminate brings the augmented matrix to reduced form by Gauss-Jordan steps with row pivoting; false when it is singular.
func eliminate(A [][]float64) bool {
	n := len(A)
	for c := range n {
		pivot, scale := c, 0.0
		for r := c; r < n; r++ {
			if math.Abs(A[r][c]) > math.Abs(A[pivot][c]) {
				pivot = r
			}
		}
		for r := range n {
			scale = math.Max(scale, math.Abs(A[r][c]))
		}
		if math.Abs(A[pivot][c]) <= 1e-11*math.Max(1, scale) {
			return false
		}
		A[c], A[pivot] = A[pivot], A[c]
		for r := range n {
			if r == c {
				continue
			}
			f := A[r][c] / A[c][c]
			for k := c; k <= n; k++ {
				A[r][k] -= f * A[c][k]
			}
		}
	}
	for r := range n {
		A[r][n] /= A[r][r]
	}
	return true
}
