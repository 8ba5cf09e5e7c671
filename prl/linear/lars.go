package linear

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/tile"
)

// A Knot is a corner of the lasso's path: between two knots every coefficient is a linear function of lambda.
type Knot struct {
	Lambda       float64 // in the scaling of the options
	Coefficients []float64
	Intercept    float64
	Enters       int // the column that begins to count below this knot, -1 where none does
	Leaves       int // the column whose coefficient has come back to zero here, -1 where none has
}

// LARS returns every knot of the lasso's path, from the lambda at which all coefficients become zero down to 0. Below a knot the
// coefficients of the columns in use move along G^-1 s, where G holds the products of these columns and s their signs, so that all their
// products with the residual stay equal in size, until another column's catches up or a coefficient comes to zero. A column that depends
// on those in use stays out.
//
// Sources: Osborne, Presnell and Turlach (2000); Efron, Hastie, Johnstone and Tibshirani (2004), section 3.
//
// Errors: unusable data, targets, weights or options; an L1 below 1, of which the path is not piecewise linear.
func LARS(ctx context.Context, X mat.Matrix, y []float64, o LassoOptions) ([]Knot, error) {
	const op = "linear.LARS"
	if err := o.fill(op); err != nil {
		return nil, err
	}
	if o.L1 != 1 {
		return nil, fault.Argument(op, "L1", o.L1, "1", "the path of an elastic net has no knots; use LassoPath")
	}
	p, err := newDesign(ctx, op, X, y, o.Rows, 0)
	if err != nil {
		return nil, err
	}
	p.rescale(o.Standardize, 1)
	s := &homotopy{descent: newDescent(p, o), out: make([]bool, p.d)}
	s.lambda, s.b = s.top, make([]float64, p.d)
	tiny := s.top * 1e-13
	var knots []Knot
	joins, leaves := s.first(), -1
	for s.lambda > tiny && len(knots) < 50*(p.d+10) {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", op, err)
		}
		if joins >= 0 {
			s.active = append(s.active, joins)
		}
		along := s.direction()
		if along == nil { // the column that has joined depends on the others
			s.active = s.active[:len(s.active)-1]
			s.out[joins] = true
			joins = -1
			if along = s.direction(); along == nil {
				break
			}
		}
		knots = append(knots, s.knot(joins, leaves))
		joins, leaves = s.step(along, leaves, tiny)
	}
	s.lambda = 0
	return append(knots, s.knot(-1, leaves)), nil
}

// A homotopy follows the path; of the descent it uses the columns, their products grad with the residual and the coefficients b.
type homotopy struct {
	*descent
	lambda float64
	out    []bool // depends on columns that were in use
}

func (s *homotopy) first() int {
	best := -1
	for j, v := range s.grad {
		if math.Abs(v) == s.top && v != 0 && best < 0 {
			best = j
		}
	}
	return best
}

// direction returns how the coefficients in use move while lambda falls by one, nil where their columns are dependent.
func (s *homotopy) direction() []float64 {
	m := len(s.active)
	side := tile.Padded(m)
	a, w := make([]float64, side*side), make([]float64, side)
	for i := range side {
		if a[i*side+i] = 1; i >= m {
			continue
		}
		for j := i; j < m; j++ {
			a[i*side+j] = tile.Dot(s.column(s.active[i]), s.column(s.active[j]))
		}
		w[i] = math.Copysign(1, s.grad[s.active[i]])
	}
	if m == 0 || !tile.Cholesky(a, side, 1e-12) {
		return nil
	}
	tile.Solve(a, w)
	return w[:m]
}

// step goes to the next knot, and returns the columns that join and leave there.
func (s *homotopy) step(along []float64, left int, tiny float64) (joins, leaves int) {
	u := make([]float64, s.size)
	used := make([]bool, s.d)
	for i, j := range s.active {
		tile.AddScaled(u, along[i], s.column(j))
		used[j] = true
	}
	far := s.lambda
	joins, leaves = -1, -1
	for i, j := range s.active {
		if t := -s.b[j] / along[i]; t > 0 && t < far {
			far, leaves = t, j
		}
	}
	turn := make([]float64, s.d)
	for j := range s.d {
		if turn[j] = tile.Dot(s.column(j), u); used[j] || s.out[j] {
			continue
		}
		for _, sign := range []float64{1, -1} {
			gap, by := s.lambda-sign*s.grad[j], 1-sign*turn[j]
			if by <= 1e-12 || j == left && gap <= tiny*1e3 {
				continue
			}
			if t := max(0, gap/by); t < far {
				far, joins, leaves = t, j, -1
			}
		}
	}
	for i, j := range s.active {
		s.b[j] += far * along[i]
	}
	for j := range s.d {
		s.grad[j] -= far * turn[j]
	}
	s.lambda -= far
	if leaves >= 0 {
		s.b[leaves] = 0
		s.active = slices.DeleteFunc(s.active, func(j int) bool { return j == leaves })
	}
	return joins, leaves
}

func (s *homotopy) knot(enters, leaves int) Knot {
	coefficients, intercept := s.outside(s.b)
	if !s.intercept {
		intercept = 0
	}
	return Knot{s.o.Scaling.from(2*s.lambda*s.yScale, s.weight), coefficients, intercept, enters, leaves}
}
