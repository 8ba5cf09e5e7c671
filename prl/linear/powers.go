package linear

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// between minimises the norm for a p between 1 and infinity in stages, each from the one before, and returns the dual numbers, whose norm
// is 1: those along which the norm of the residuals rises, less their part along the columns.
func (s *sheet) between(ctx context.Context, op string, p float64) ([]float64, error) {
	flat, err := s.factor(ctx, func(int) float64 { return 1 })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	rest := slices.Clone(s.b)
	rest = append(rest, make([]float64, len(flat.v)/s.k-s.n)...)
	s.theta = flat.down(rest)
	flat.solve(s.theta)
	var dual []float64
	for stage := 2.0; ; {
		if stage < p {
			stage = min(p, 2*stage)
		} else {
			stage = max(p, 1+(stage-1)/2)
		}
		best := math.Inf(1)
		for turn := 0; turn < 200; turn++ {
			if err := ctx.Err(); err != nil {
				return nil, fmt.Errorf("%s: %w", op, err)
			}
			r := s.residuals()
			value := norm(r, stage)
			if stage > 2 || turn == 0 {
				dual = s.dual(flat, r, stage)
			}
			gap := value - dot(dual, s.b)
			if !(gap > 1e-14*value) || gap >= best*(1-1e-3) && turn > 20 {
				break
			}
			best = min(best, gap)
			if stage > 2 {
				err = s.newton(ctx, r, stage)
			} else {
				err = s.dualNewton(ctx, dual, stage/(stage-1))
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", op, err)
			}
		}
		if stage == p {
			return dual, nil
		}
	}
}

// factor returns the factorisation of the rows times the roots of weights.
func (s *sheet) factor(ctx context.Context, root func(i int) float64) (*factor, error) {
	size := blockRows
	x := make([]float64, (s.n+size-1)/size*size*s.k)
	for i := range s.n {
		by := root(i)
		for j, v := range s.rowOf(i) {
			x[(i/size*s.k+j)*size+i%size] = v * by
		}
	}
	return factorise(ctx, x, size, s.k)
}

// dual returns the numbers of the certificate.
func (s *sheet) dual(flat *factor, r []float64, p float64) []float64 {
	top := norm(r, math.Inf(1))
	out := make([]float64, len(flat.v)/s.k)
	if top == 0 {
		return out[:s.n]
	}
	for i, v := range r {
		out[i] = math.Copysign(math.Pow(math.Abs(v)/top, p-1), v)
	}
	before := norm(out, p/(p-1))
	flat.down(out)
	flat.up(make([]float64, s.k), out)
	out = out[:s.n]
	by := norm(out, p/(p-1))
	if by < 1e-8*before { // nothing but rounding is left
		clear(out)
		return out
	}
	for i := range out {
		out[i] /= by
	}
	return out
}

// newton takes the step that weighted least squares propose, to the least value along its line.
func (s *sheet) newton(ctx context.Context, r []float64, p float64) error {
	top := norm(r, math.Inf(1))
	least := 1e-10
	if p > 2 {
		least = math.Pow(1e-14, 1/(p-2))
	}
	root := func(i int) float64 { return math.Pow(max(math.Abs(r[i])/top, least), p/2-1) }
	f, err := s.factor(ctx, root)
	if err != nil {
		return err
	}
	z := make([]float64, len(f.v)/s.k)
	for i, v := range r {
		z[i] = v * root(i)
	}
	step := f.down(z)
	f.solve(step)
	turn := make([]float64, s.n)
	for i := range turn {
		turn[i] = dot(s.rowOf(i), step)
	}
	addTo(s.theta, descend(func(t float64) (sum float64) { // the slope of minus the sum of powers
		for i, v := range r {
			at := (v - t*turn[i]) / top
			sum += math.Copysign(math.Pow(math.Abs(at), p-1), at) * turn[i]
		}
		return sum
	}), step)
	return nil
}

// descend returns the t > 0 at which a falling slope comes to zero.
func descend(slope func(t float64) float64) float64 {
	lo, hi := 0.0, 1.0
	for slope(hi) > 0 && hi < 1e6 {
		lo, hi = hi, 2*hi
	}
	for range 60 {
		if mid := (lo + hi) / 2; slope(mid) > 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// dualNewton takes Newton's step, to the least value along its line, of sum |u_i|^q / q - u b subject to A^T u = 0, whose multipliers are
// theta: for p < 2 the curvature of this is bounded and that of the residuals is not. The dual numbers are u divided by their norm.
func (s *sheet) dualNewton(ctx context.Context, dual []float64, q float64) error {
	value := dot(dual, s.b)
	if !(value > 0) {
		return nil
	}
	u, top := make([]float64, s.n), 0.0
	by := math.Pow(value, 1/(q-1)) // the best multiple of numbers of norm 1
	for i, v := range dual {
		u[i] = v * by
		top = max(top, math.Abs(u[i]))
	}
	least := top * math.Pow(1e-14, 1/(q-2))
	root := func(i int) float64 { return math.Pow(max(math.Abs(u[i]), least), 1-q/2) * math.Pow(least, q/2-1) }
	f, err := s.factor(ctx, root)
	if err != nil {
		return err
	}
	z := make([]float64, len(f.v)/s.k)
	pull := func(v float64) float64 { return math.Copysign(math.Pow(math.Abs(v), q-1), v) }
	for i, v := range u {
		z[i] = (s.b[i] - pull(v)) * root(i)
	}
	s.theta = f.down(z)
	f.up(make([]float64, s.k), z)
	f.solve(s.theta)
	step := z[:s.n]
	for i := range step {
		step[i] *= root(i) * math.Pow(least, 2-q) / (q - 1)
	}
	t := descend(func(t float64) (sum float64) {
		for i, v := range u {
			sum += step[i] * (s.b[i] - pull(v+t*step[i]))
		}
		return sum
	})
	addTo(u, t, step)
	size := norm(u, q)
	for i, v := range u {
		dual[i] = v / size
	}
	return nil
}
