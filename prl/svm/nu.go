package svm

import (
	"context"
	"fmt"
	"math"

	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/tile"
)

// meets is the distance of two reduced hulls, as a share of the largest feature vector, below which they count as meeting.
const meets = 1e-6

// largestNu returns the largest share for which the rows of two classes of these weights have a machine: each class holds half of it.
func largestNu(positive, negative float64) float64 {
	return 2 * min(positive, negative) / (positive + negative)
}

// masses returns the weights of the rows of both signs.
func (o *Options) masses(rows, y []int, negative, positive int) (plus, minus float64) {
	unit := *o
	unit.C = 1
	for i, r := range rows {
		if y[i] > 0 {
			plus += unit.price(r, positive)
		} else {
			minus += unit.price(r, negative)
		}
	}
	return plus, minus
}

// feasible returns options with a share that the rows of a fold allow.
func (o *Options) feasible(rows, y []int, negative, positive int) *Options {
	if o.Nu == 0 {
		return o
	}
	fold := *o
	fold.Nu = min(o.Nu, largestNu(o.masses(rows, y, negative, positive)))
	return &fold
}

// share makes the problem that of nu: the shortest w = sum_i beta_i phi(x_i) with sum |beta_i| = nu sum w_i, one half in each class, and
// |beta_i| <= w_i. It starts at the first rows of each class.
func (p *problem) share(o *Options, negative, positive int) error {
	plus, minus := 0.0, 0.0
	for i := range p.y {
		plus, minus = plus+p.upper[i], minus-p.lower[i]
	}
	half := o.Nu * (plus + minus) / 2
	if most := largestNu(plus, minus); o.Nu > most*(1+1e-12) {
		return fault.Argument(
			p.fn,
			"Nu",
			o.Nu,
			fmt.Sprintf("at most %.6g, twice the weight of the smaller one of classes %d and %d by that of both", math.Floor(most*1e6)/1e6, negative,
				positive),
			"lower Nu, or let the classes weigh alike (Balanced), which allows all up to 1",
		)
	}
	// Only the ratios of the weights matter. A power of two brings them to about one, without an error of rounding.
	p.scale = math.Ldexp(1, -math.Ilogb((plus+minus)/float64(len(p.y))))
	half *= p.scale
	p.balances = true
	p.start = make([]float64, len(p.y))
	left := [2]float64{half, half}
	for i := range p.start {
		p.y[i] = 0
		p.upper[i] *= p.scale
		p.lower[i] *= p.scale
		if p.upper[i] > 0 {
			p.start[i] = min(p.upper[i], left[0])
			left[0] -= p.start[i]
		} else {
			p.start[i] = -min(-p.lower[i], left[1])
			left[1] += p.start[i]
		}
	}
	p.floor = meets * half * p.largest()
	return nil
}

// largest returns max K_ii.
func (p *problem) largest() float64 {
	most := 0.0
	for i := range p.rows.Len() {
		most = max(most, p.rows.Diag(i))
	}
	return most
}

// levels returns, for both signs, the value of the gradient at which the slope of the objective vanishes: its mean over the free variables;
// without one the middle of the interval that the others leave, or its only end.
func (p *problem) levels(s *solution) (above, below float64) {
	var level [2]float64
	for side := range level {
		sum, free, hi, lo := 0.0, 0, math.Inf(-1), math.Inf(1)
		for i, b := range s.beta {
			if (p.upper[i] > 0) != (side == 0) {
				continue
			}
			up, down := b < p.upper[i], b > p.lower[i]
			if up && down {
				sum, free = sum+s.e[i], free+1
			}
			if up {
				hi = max(hi, s.e[i])
			}
			if down {
				lo = min(lo, s.e[i])
			}
		}
		if level[side] = middle(hi, lo); free > 0 {
			level[side] = sum / float64(free)
		}
	}
	return level[0], level[1]
}

// middle returns the middle of an interval of which one end may be infinite, and then the other.
func middle(hi, lo float64) float64 {
	switch {
	case math.IsInf(hi, 0):
		return lo
	case math.IsInf(lo, 0):
		return hi
	}
	return (hi + lo) / 2
}

// canonical divides a solution of the problem of nu by its margin rho, y_i f(x_i) = rho at the free support vectors. What comes out is the
// solution, and the problem, of linear slack at the price 1/rho, with y the signs (Chang and Lin 2001, theorem 5). Without a margin the
// reduced hulls of the classes meet, and ok is false; a fit that was ended early has one all the same.
func (p *problem) canonical(s *solution, y []int, converged bool) (price float64, ok bool) {
	above, below := p.levels(s)
	rho := (below - above) / 2
	if !(rho > p.floor) {
		if converged {
			return 0, false
		}
		rho = p.floor
	}
	s.hi, s.lo, s.dual = math.Inf(-1), math.Inf(1), 0
	for i := range s.beta {
		p.y[i] = float64(y[i])
		s.beta[i] /= rho
		p.upper[i] /= rho
		p.lower[i] /= rho
		s.e[i] = p.y[i] + s.e[i]/rho
		s.dual += math.Abs(s.beta[i]) - s.beta[i]*(p.y[i]-s.e[i])/2
		if s.beta[i] < p.upper[i] {
			s.hi = max(s.hi, s.e[i])
		}
		if s.beta[i] > p.lower[i] {
			s.lo = min(s.lo, s.e[i])
		}
	}
	return p.scale / rho, true
}

// meeting is the error of a share for which the solution is w = 0.
func meeting(o *Options, negative, positive int) error {
	return fault.Argument(
		"svm.Fit",
		"Nu",
		o.Nu,
		fmt.Sprintf("larger: with the %s kernel the reduced convex hulls of classes %d and %d meet, so that there is no margin", o.Kernel,
			negative, positive),
		"raise Nu, or take a richer kernel",
	)
}

// A reach is the widest pair among the variables of one sign.
type reach struct {
	first  int
	hi, lo float64
}

// unit returns by what the violation is measured: the margin of the present solution where the problem asks for that, else 1.
func (p *problem) unit(at *[2]reach) float64 {
	if p.floor == 0 {
		return 1
	}
	if rho := (middle(at[1].hi, at[1].lo) - middle(at[0].hi, at[0].lo)) / 2; rho > p.floor {
		return rho
	}
	return p.floor
}

// runBalances keeps two balances: a pair lies above zero, or below. It is that of the side whose conditions are violated more, with the
// partner of largest gain (Chang and Lin 2011, section 4.1.2 with the working sets of Fan, Chen and Lin 2005 on each side). Where the hulls
// still cannot be told from ones that meet after max(200,000, 200 n) steps, millions more would make no machine of use, and it ends.
func (s *solver[F]) runBalances(ctx context.Context) (*solution, error) {
	masks := [2][2][]float64{{s.up, s.down}, s.below}
	search := func() (at [2]reach) {
		for side, m := range masks {
			at[side].first, at[side].hi, at[side].lo = widest(s.e[:s.active], m[0], m[1])
		}
		return at
	}
	wide := func(at *[2]reach) (side int, violation float64) {
		if at[1].hi-at[1].lo > at[0].hi-at[0].lo {
			side = 1
		}
		return side, (at[side].hi - at[side].lo) / s.unit(at)
	}
	period := min(s.n, 1000)
	untilShrink, unshrunk := period, false
	at := search()
	iteration := 0
	for {
		side, violation := wide(&at)
		if untilShrink--; untilShrink <= 0 {
			untilShrink = period
			if s.shrink {
				if !unshrunk && violation <= 10*s.tol && s.active < s.n {
					unshrunk = true
					if err := s.unshrink(ctx, iteration); err != nil {
						return nil, err
					}
					at = search()
				}
				if s.remove(func(t int) bool {
					return s.idle(t, masks[0][0], masks[0][1], at[0].hi, at[0].lo) && s.idle(t, masks[1][0], masks[1][1], at[1].hi, at[1].lo)
				}) {
					at = search()
				}
				side, violation = wide(&at)
			}
		}
		if !(violation > s.tol) {
			if s.active == s.n {
				break
			}
			if err := s.unshrink(ctx, iteration); err != nil {
				return nil, err
			}
			at = search()
			untilShrink = 1
			if side, violation = wide(&at); !(violation > s.tol) {
				break
			}
		}
		hopeless := iteration == max(200_000, 200*s.n) && s.unit(&at) <= 2*s.floor
		if iteration == s.maxIter || hopeless {
			if err := s.unshrink(ctx, iteration); err != nil {
				return nil, err
			}
			at = search()
			_, violation = wide(&at)
			return s.restore(at[0].hi, at[0].lo, iteration), s.exhausted(iteration, violation)
		}
		if iteration%patience(s.n) == 0 {
			if err := s.look(ctx, iteration); err != nil {
				return nil, err
			}
		}
		i := at[side].first
		ki := s.row(i, s.active)
		down := masks[side][1]
		j := tile.Partner(s.e[:s.active], down, s.diag, ki, s.diag[i], at[side].hi, s.tau)
		if j < 0 {
			return nil, s.astray(ki)
		}
		kj := s.row(j, s.active)
		d := s.move(i, j, float64(ki[j]), at[side].hi-(s.e[j]+down[j]))
		step := d
		for k, m := range masks { // the gradient changes in the first pass
			at[k].first, at[k].hi, at[k].lo = tile.Step(s.e[:s.active], m[0], m[1], ki, kj, step)
			step = 0
		}
		iteration++
	}
	for _, a := range at {
		if math.IsInf(a.hi, -1) && math.IsInf(a.lo, 1) { // of all points of a sign one may always move: the gradient is not a number
			return nil, s.astray(s.row(0, s.active))
		}
	}
	if s.report != nil {
		s.report(iteration, s.dual)
	}
	return s.restore(at[0].hi, at[0].lo, iteration), nil
}
