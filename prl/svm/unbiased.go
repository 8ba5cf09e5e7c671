package svm

import (
	"context"
	"math"
)

// runUnbiased maximises the dual without the equality constraint. One variable can then move alone: the one with the largest gain
// e^2/(2 K_tt), found in the pass that updates the gradient.
func (s *solver[F]) runUnbiased(ctx context.Context) (*solution, error) {
	i, hi, lo := s.sweep(make([]F, s.n), 0)
	iteration := 0
	for max(hi, -lo) > s.tol {
		if iteration == s.maxIter {
			return s.restore(hi, lo, iteration), s.exhausted(iteration, max(hi, -lo))
		}
		if iteration%patience(s.n) == 0 {
			if err := s.look(ctx, iteration); err != nil {
				return nil, err
			}
		}
		a := max(s.diag[i], s.tau)
		b := s.e[i]
		if b-b != 0 {
			return nil, s.astray(s.row(i, s.n))
		}
		before := s.beta[i]
		s.beta[i] = min(max(before+b/a, s.lower[i]), s.upper[i])
		d := s.beta[i] - before
		s.dual += d * (b - d*a/2)
		s.mask(i)
		ki, was := s.row(i, s.n), i
		i, hi, lo = s.sweep(ki, d)
		iteration++
		if s.step != nil {
			s.step(s.solution(hi, lo, iteration), was, -1, d)
		}
	}
	if s.report != nil {
		s.report(iteration, s.dual)
	}
	return s.restore(hi, lo, iteration), nil
}

// sweep changes the gradient by a step d on the variable with kernel row ki and returns the variable with the largest gain, the largest
// e that may go up (or 0) and the smallest that may go down (or 0).
func (s *solver[F]) sweep(ki []F, d float64) (best int, hi, lo float64) {
	gain := -1.0
	for t, v := range s.e {
		v -= d * float64(ki[t])
		s.e[t] = v
		if v > 0 {
			v = max(v+s.up[t], 0)
			hi = math.Max(hi, v)
		} else {
			v = min(v+s.down[t], 0)
			lo = math.Min(lo, v)
		}
		if g := v * v / max(s.diag[t], s.tau); g > gain {
			best, gain = t, g
		}
	}
	return best, hi, lo
}
