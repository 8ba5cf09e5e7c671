package optim

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/prlab/prlab/prl/fault"
)

// A Search chooses how far to go along a ray. The searches of this package are all there are.
type Search interface {
	fmt.Stringer
	check(op string) error
	along(p *point, d []float64, t float64) (next *point, step float64) // nil if there is no lower place; t is tried first
}

// Armijo halves the step until f(x + t d) <= f(x) + C t g.d: the fall is at least the share C of what the slope promises.
// On a quadratic it accepts if and only if t <= 2 (1 - C) t*, where t* is the best step. C is in (0, 1), 0 means 1e-4; Shrink is in
// (0, 1), 0 means 1/2. Near a minimum, where the fall is below rounding, one part in 10^15 of f is forgiven. Source: L. Armijo (1966).
type Armijo struct{ C, Shrink float64 }

func (s Armijo) String() string { return fmt.Sprintf("Armijo %g", cmp.Or(s.C, 1e-4)) }
func (s Armijo) check(op string) error {
	return fault.First(share(op, "C", s.C), share(op, "Shrink", s.Shrink))
}

func (s Armijo) along(p *point, d []float64, t float64) (*point, float64) {
	slope := floats.Dot(p.gradient(), d)
	for range 200 {
		if q := p.moved(t, d); q.value() <= p.value()+cmp.Or(s.C, 1e-4)*t*slope+slack(p) {
			return q, t
		}
		t *= cmp.Or(s.Shrink, 0.5)
	}
	return nil, 0
}

// slack is what rounding may add to a value.
func slack(p *point) float64 { return 1e-15 * math.Abs(p.value()) }

// Exact goes to the minimum of the parabola through value, slope and curvature, t* = -g.d / d.Hd. On a quadratic this is the best
// step; on other functions, and where the curvature is not positive, the step is halved until the value falls.
type Exact struct{}

func (Exact) String() string     { return "exact" }
func (Exact) check(string) error { return nil }
func (Exact) along(p *point, d []float64, t float64) (*point, float64) {
	H, curved := p.hessian(), 0.0
	for i, a := range d {
		for j, b := range d {
			curved += a * b * H.At(i, j)
		}
	}
	if best := -floats.Dot(p.gradient(), d) / curved; curved > 0 && best > 0 {
		t = best
	}
	return Armijo{}.along(p, d, t)
}

// Wolfe finds a step with f(x + t d) <= f(x) + C1 t g.d and |g(x + t d).d| <= C2 |g.d|, by bracketing and cubic interpolation;
// while it brackets, each step is 1.1 to 4 times as far beyond the last.
// 0 < C1 < C2 < 1; 0 means 1e-4 and 0.9. Source: J. Nocedal & S. Wright (2006), algorithms 3.5 and 3.6.
type Wolfe struct{ C1, C2 float64 }

func (s Wolfe) String() string {
	return fmt.Sprintf("Wolfe %g, %g", cmp.Or(s.C1, 1e-4), cmp.Or(s.C2, 0.9))
}

func (s Wolfe) check(op string) error {
	c1, c2 := cmp.Or(s.C1, 1e-4), cmp.Or(s.C2, 0.9)
	if !(c1 > 0 && c1 < c2 && c2 < 1) {
		return fault.Argument(op, "C1, C2", []float64{c1, c2}, "0 < C1 < C2 < 1", "")
	}
	return nil
}

// A ray is one place on a ray: how far, how high, how steep.
type ray struct {
	t, f, slope float64
	p           *point
}

func (s Wolfe) along(p *point, d []float64, t float64) (*point, float64) {
	c1, c2 := cmp.Or(s.C1, 1e-4), cmp.Or(s.C2, 0.9)
	at := func(t float64) ray {
		q := p.moved(t, d)
		r := ray{t: t, f: q.value(), p: q, slope: math.Inf(1)}
		if r.f <= math.MaxFloat64 {
			r.slope = floats.Dot(q.gradient(), d)
		}
		return r
	}
	begin := ray{t: 0, f: p.value(), slope: floats.Dot(p.gradient(), d), p: p}
	low := func(r ray) bool { return r.f <= begin.f+c1*r.t*begin.slope+slack(p) }
	last, lo, hi, found := begin, begin, begin, false
	for i := range 60 {
		r := at(t)
		switch {
		case !low(r) || i > 0 && r.f >= last.f:
			lo, hi, found = last, r, true
		case math.Abs(r.slope) <= -c2*begin.slope:
			return r.p, t
		case r.slope >= 0:
			lo, hi, found = r, last, true
		}
		if found {
			break
		}
		last, t = r, farther(last, r)
	}
	if !found {
		return last.p, last.t // it falls as far as one can see
	}
	for range 60 {
		t = cubic(lo, hi)
		r := at(t)
		switch {
		case !low(r) || r.f > lo.f:
			hi = r
		case math.Abs(r.slope) <= -c2*begin.slope:
			return r.p, t
		default:
			if r.slope*(hi.t-lo.t) >= 0 {
				hi = lo
			}
			lo = r
		}
		if math.Abs(hi.t-lo.t) <= 1e-14*max(hi.t, lo.t) {
			break
		}
	}
	if lo.t > 0 && lo.f < begin.f {
		return lo.p, lo.t // lower, though not with the slope that was asked for
	}
	return nil, 0
}

// farther returns the minimum of the cubic through two places beyond the second, from 1.1 to 4 times as far as they are apart.
func farther(a, b ray) float64 {
	width := b.t - a.t
	t := b.t + 4*width
	d1 := a.slope + b.slope - 3*(b.f-a.f)/width
	if root := d1*d1 - a.slope*b.slope; root >= 0 {
		d2 := math.Sqrt(root)
		if v := b.t - width*(b.slope+d2-d1)/(b.slope-a.slope+2*d2); v > b.t {
			t = min(t, max(v, b.t+1.1*width))
		}
	}
	return t
}

// cubic returns the minimum of the cubic through two places of a ray, or their middle where it is too close to one of them.
func cubic(a, b ray) float64 {
	width := b.t - a.t
	t := a.t + width/2
	if b.f <= math.MaxFloat64 && a.f <= math.MaxFloat64 {
		d1 := a.slope + b.slope - 3*(b.f-a.f)/width
		if root := d1*d1 - a.slope*b.slope; root >= 0 {
			d2 := math.Copysign(math.Sqrt(root), width)
			t = b.t - width*(b.slope+d2-d1)/(b.slope-a.slope+2*d2)
		}
	}
	if edge := math.Abs(width) / 10; !(t >= min(a.t, b.t)+edge && t <= max(a.t, b.t)-edge) {
		return a.t + width/2
	}
	return t
}
