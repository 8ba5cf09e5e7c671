package linear

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// exchange finds the plane whose largest residual is least, and returns the dual numbers, whose sizes sum to 1. Of k + 1 rows with signs
// some numbers x >= 0 fulfil sum x_i sign_i a_i = 0 and sum x_i = 1; the plane from which all of them are equally far on the sides of
// their signs is the best one for them. The row that is farthest from it enters, and the one whose number comes to zero first leaves.
func (s *sheet) exchange(ctx context.Context, op string) ([]float64, error) {
	order := s.byResidual()
	slices.Reverse(order)
	basis := s.choose(order)
	if len(basis) < s.k {
		return nil, fmt.Errorf("%s: the columns are dependent to rounding; leave columns out", op)
	}
	if s.n == s.k {
		return s.through(basis)
	}
	for _, i := range order {
		if !slices.Contains(basis, i) {
			basis = append(basis, i)
			break
		}
	}
	m := s.k + 1
	signs, err := s.signs(basis)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	idle, before := 0, -1.0
	for turn := 0; ; turn++ {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", op, err)
		}
		A, b := mat.NewDense(m, m, nil), mat.NewVecDense(m, nil) // a row of A is a column of the basis
		for k, i := range basis {
			for j, v := range s.rowOf(i) {
				A.Set(k, j, signs[k]*v)
			}
			A.Set(k, s.k, 1)
			b.SetVec(k, signs[k]*s.b[i])
		}
		var inverse mat.Dense
		if !invert(&inverse, A) || turn > 50*(s.n+100) {
			return nil, fmt.Errorf("%s: no end after %d exchanges; standardise the columns", op, turn)
		}
		var theta mat.VecDense
		theta.MulVec(&inverse, b)
		copy(s.theta, theta.RawVector().Data)
		level := theta.AtVec(s.k)
		if idle++; level > before*(1+1e-14) {
			idle = 0
		}
		before = level
		enters, far := -1, level+1e-14*(1+math.Abs(level))
		for i, v := range s.residuals() {
			if math.Abs(v) > far && !slices.Contains(basis, i) {
				if enters = i; idle > 2*m {
					break // the first one: there are no circles (Bland 1977)
				}
				far = math.Abs(v)
			}
		}
		x := make([]float64, m)
		for k := range x {
			x[k] = max(0, inverse.At(s.k, k))
		}
		if enters < 0 {
			dual := make([]float64, s.n)
			for k, i := range basis {
				dual[i] += signs[k] * x[k]
			}
			return dual, nil
		}
		sign := math.Copysign(1, s.b[enters]-dot(s.rowOf(enters), s.theta))
		leaves, step := -1, math.Inf(1)
		for k := range m {
			d := inverse.At(s.k, k)
			for j, v := range s.rowOf(enters) {
				d += sign * v * inverse.At(j, k)
			}
			if d <= 1e-11 {
				continue
			}
			if t := x[k] / d; t < step-1e-15 || t <= step+1e-15 && (leaves < 0 || basis[k] < basis[leaves]) {
				leaves, step = k, min(step, t)
			}
		}
		if leaves < 0 {
			return nil, fmt.Errorf("%s: the linear program has no bound; standardise the columns", op)
		}
		basis[leaves], signs[leaves] = enters, sign
	}
}

// signs returns the signs of numbers whose products with the rows of a basis sum to zero, and those with the targets to no less.
func (s *sheet) signs(basis []int) ([]float64, error) {
	x, err := s.combine(basis[:s.k], s.rowOf(basis[s.k]), true)
	if err != nil {
		return nil, err
	}
	signs, level := make([]float64, s.k+1), s.b[basis[s.k]]
	for k := range s.k {
		signs[k] = -math.Copysign(1, x[k])
		level -= x[k] * s.b[basis[k]]
	}
	if signs[s.k] = 1; level < 0 {
		for k := range signs {
			signs[k] = -signs[k]
		}
	}
	return signs, nil
}

// through puts the plane through as many rows as there are coefficients; the floor is zero.
func (s *sheet) through(basis []int) ([]float64, error) {
	x, err := s.combine(basis, pick(s.b, basis), false)
	copy(s.theta, x)
	return make([]float64, s.n), err
}

// combine solves for the numbers whose products with the rows of a basis, as columns or as rows, are the target.
func (s *sheet) combine(basis []int, target []float64, columns bool) ([]float64, error) {
	A := mat.NewDense(s.k, s.k, nil)
	for k, i := range basis {
		if columns {
			A.SetCol(k, s.rowOf(i))
		} else {
			A.SetRow(k, s.rowOf(i))
		}
	}
	var inverse mat.Dense
	if !invert(&inverse, A) {
		return nil, errors.New("the rows chosen are dependent; standardise the columns")
	}
	var x mat.VecDense
	x.MulVec(&inverse, mat.NewVecDense(s.k, slices.Clone(target)))
	return x.RawVector().Data, nil
}
