package linear

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/internal/tile"
)

// NonNegative minimises sum_i w_i (y_i - b - x_i w)^2 over w >= 0 and a free intercept b. Of the columns that would help most, one at a
// time joins those in use; where least squares on these makes one negative, the way there ends at zero, and the column leaves.
//
// Source: Lawson and Hanson (1974), chapter 23.
//
// Errors: unusable data, targets or weights.
func NonNegative(ctx context.Context, X mat.Matrix, y []float64, o Rows) (*Model, error) {
	const op = "linear.NonNegative"
	p, err := newDesign(ctx, op, X, y, o, blockRows)
	if err != nil {
		return nil, err
	}
	f, err := factorise(ctx, p.x, p.size, p.d)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	c := f.down(p.y)
	b, used, vain := make([]float64, p.d), []int(nil), make([]bool, p.d)
	lengths := columnLengths(f)
	level := 1e-13 * (length(c) + length(p.y))
	for turn := 0; ; turn++ {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", op, err)
		}
		if turn > 10*(p.d+10) {
			return nil, fmt.Errorf("%s: no end after %d steps; standardise the columns", op, turn)
		}
		rest := make([]float64, p.d)
		copy(rest, c)
		for i := range rest {
			for j := i; j < p.d; j++ {
				rest[i] -= f.r[i*p.d+j] * b[j]
			}
		}
		best, gain := -1, 0.0
		for j := range b {
			v := 0.0
			for i := range j + 1 {
				v += f.r[i*p.d+j] * rest[i]
			}
			if b[j] == 0 && !vain[j] && v > level*lengths[j] && v/lengths[j] > gain {
				best, gain = j, v/lengths[j]
			}
		}
		if best < 0 {
			break
		}
		used = append(used, best)
		for {
			z, err := f.on(ctx, used, c)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", op, err)
			}
			if z == nil || z[len(z)-1] <= 0 && used[len(used)-1] == best && b[best] == 0 {
				used, vain[best] = used[:len(used)-1], true // what it promised was rounding
				break
			}
			far := 1.0
			for i, j := range used {
				if z[i] <= 0 {
					far = min(far, b[j]/(b[j]-z[i]))
				}
			}
			var kept []int
			for i, j := range used {
				b[j] += far * (z[i] - b[j])
				if far < 1 && z[i] <= 0 && b[j] <= 1e-14*(-z[i]) {
					b[j] = 0
					continue
				}
				kept = append(kept, j)
			}
			if used = kept; far == 1 {
				clear(vain)
				break
			}
		}
	}
	coefficients, intercept := p.outside(b)
	m := newModel("non-negative least squares", coefficients, intercept, p.intercept)
	return &m, nil
}

// on solves least squares on some of the columns, nil where they are dependent.
func (f *factor) on(ctx context.Context, columns []int, c []float64) ([]float64, error) {
	size, k := tile.Padded(f.d), len(columns)
	x, z := make([]float64, size*k), make([]float64, size)
	raw := make([]float64, k)
	for a, j := range columns {
		for i := range j + 1 {
			x[a*size+i] = f.r[i*f.d+j]
		}
		raw[a] = length(x[a*size : (a+1)*size])
	}
	copy(z, c)
	g, err := factorise(ctx, x, size, k)
	if err != nil {
		return nil, err
	}
	if _, dropped, err := independent(ctx, g.r, k, raw, 1e-12); err != nil || len(dropped) > 0 {
		return nil, err
	}
	out := g.down(z)
	g.solve(out)
	return out, nil
}
