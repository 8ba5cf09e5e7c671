package optim

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// searched makes a mover of a direction and a search. A direction that does not fall is replaced by -g, and so is one on which nothing
// lower is found; the method then begins afresh.
func searched(s Search, direction func(p *point) (d []float64, t float64), forget func()) mover {
	return func(p *point) (*point, Reason) {
		d, t := direction(p)
		g := p.gradient()
		if floats.Dot(g, d) < 0 && finite(d) {
			if next, _ := s.along(p, d, t); next != nil {
				return next, Going
			}
		}
		forget()
		d, _ = L2.Downhill(g)
		if next, _ := s.along(p, d, min(1, floats.Norm(g, 2))); next != nil {
			return next, Going
		}
		return nil, NoDescent
	}
}

func checkSearch(op string, s Search) error {
	if s == nil {
		return nil
	}
	return s.check(op)
}

// Steepest moves along the direction of a norm in which the value falls fastest. Its length is the dual norm of g before the search.
// Norm is L2 by default, Search Armijo.
type Steepest struct {
	Norm   Norm
	Search Search
}

func (m Steepest) String() string        { return "steepest " + cmp.Or(m.Norm.name, "L2") }
func (m Steepest) check(op string) error { return checkSearch(op, m.Search) }
func (m Steepest) start(int) mover {
	return searched(search(m.Search, Armijo{}), func(p *point) ([]float64, float64) {
		d, dual := m.Norm.Downhill(p.gradient())
		floats.Scale(dual, d)
		return d, 1
	}, func() {})
}

func search(s, otherwise Search) Search {
	if s == nil {
		return otherwise
	}
	return s
}

// Conjugate moves along d <- beta d - g with beta = max(0, g.(g - g')/g'.g') (Polak and Ribiere), g' being the gradient before.
// On a quadratic with an Exact search it ends after d moves. Search is Wolfe{C2: 0.1} by default.
type Conjugate struct{ Search Search }

func (m Conjugate) String() string        { return "conjugate gradients" }
func (m Conjugate) check(op string) error { return checkSearch(op, m.Search) }
func (m Conjugate) start(n int) mover {
	var d, before []float64
	last := 0.0 // slope of the move before
	return searched(search(m.Search, Wolfe{C2: 0.1}), func(p *point) ([]float64, float64) {
		g := p.gradient()
		t := min(1, 1/floats.Norm(g, 2))
		if d == nil {
			d = make([]float64, n)
		} else {
			beta := (floats.Dot(g, g) - floats.Dot(g, before)) / floats.Dot(before, before)
			floats.Scale(max(0, beta), d)
		}
		floats.Sub(d, g)
		slope := floats.Dot(g, d)
		if last < 0 && slope < 0 {
			t = min(10*max(t, 1), last/slope)
		}
		before, last = slices.Clone(g), slope
		return slices.Clone(d), t
	}, func() { d, last = nil, 0 })
}

// Newton moves to the minimum of the parabola that touches with slope and curvature: d = -H^-1 g. Pure takes this move whatever it leads
// to, also to a maximum. Otherwise a search shortens it, and where H is not positive definite a multiple of the identity is added until it
// is. Search is Armijo by default.
type Newton struct {
	Pure   bool
	Search Search
}

func (m Newton) String() string {
	if m.Pure {
		return "pure Newton"
	}
	return "Newton"
}

func (m Newton) check(op string) error {
	if m.Pure && m.Search != nil {
		return fault.Argument(op, "Search", m.Search, "none for pure Newton", "leave out Pure or Search")
	}
	return checkSearch(op, m.Search)
}

func (m Newton) start(n int) mover {
	if m.Pure {
		return func(p *point) (*point, Reason) {
			d := mat.NewVecDense(n, nil)
			_ = d.SolveVec(p.hessian(), mat.NewVecDense(n, p.gradient())) // a singular H shows as moves that are not finite
			return p.moved(-1, d.RawVector().Data), Going
		}
	}
	return searched(search(m.Search, Armijo{}), func(p *point) ([]float64, float64) {
		H, d, added := p.hessian(), mat.NewVecDense(n, nil), 0.0
		scale := max(mat.Norm(H, math.Inf(1)), 1e-300)
		for range 100 {
			var c mat.Cholesky
			if c.Factorize(H) && c.Cond() < 1e15 {
				_ = c.SolveVecTo(d, mat.NewVecDense(n, p.gradient()))
				break
			}
			more := max(added, 1e-10*scale)
			added += more
			for i := range n {
				H.SetSym(i, i, H.At(i, i)+more)
			}
		}
		d.ScaleVec(-1, d)
		return d.RawVector().Data, 1
	}, func() {})
}

// BFGS keeps an estimate of the inverse Hessian, which each move makes agree with the last change of the gradient:
// B <- (I - s y'/y's) B (I - y s'/y's) + s s'/y's for the move s and the change y. It takes d^2 numbers. Search is Wolfe by default.
// Source: J. Nocedal & S. Wright (2006), algorithm 6.1.
type BFGS struct{ Search Search }

func (m BFGS) String() string        { return "BFGS" }
func (m BFGS) check(op string) error { return checkSearch(op, m.Search) }
func (m BFGS) start(n int) mover {
	var B *mat.SymDense
	var last *point
	by := mat.NewVecDense(n, nil)
	return searched(search(m.Search, Wolfe{}), func(p *point) ([]float64, float64) {
		g, d := p.gradient(), mat.NewVecDense(n, nil)
		if last != nil {
			s, y := difference(p.x, last.x), difference(g, last.gradient())
			if sy := mat.Dot(s, y); sy > 1e-10*mat.Norm(s, 2)*mat.Norm(y, 2) {
				if B == nil {
					B = mat.NewSymDense(n, nil)
					for i := range n {
						B.SetSym(i, i, sy/mat.Dot(y, y))
					}
				}
				by.MulVec(B, y)
				B.RankTwo(B, -1/sy, s, by)
				B.SymRankOne(B, (1+mat.Dot(y, by)/sy)/sy, s)
			}
		}
		last = p
		if B == nil {
			d.ScaleVec(-1, mat.NewVecDense(n, g))
			return d.RawVector().Data, min(1, 1/floats.Norm(g, 2))
		}
		d.MulVec(B, mat.NewVecDense(n, g))
		d.ScaleVec(-1, d)
		return d.RawVector().Data, 1
	}, func() { B, last = nil, nil })
}

func difference(a, b []float64) *mat.VecDense {
	return mat.NewVecDense(len(a), floats.SubTo(make([]float64, len(a)), a, b))
}

// LBFGS is BFGS from the last Memory moves alone, for many variables. Memory is > 0, 0 means 10; Search is Wolfe by default.
// Source: J. Nocedal & S. Wright (2006), algorithm 7.4.
type LBFGS struct {
	Memory int
	Search Search
}

func (m LBFGS) String() string { return "L-BFGS" }
func (m LBFGS) check(op string) error {
	if m.Memory < 0 {
		return fault.Argument(op, "Memory", m.Memory, "a number of moves > 0", "leave it out for 10")
	}
	return checkSearch(op, m.Search)
}

func (m LBFGS) start(n int) mover {
	type pair struct {
		s, y *mat.VecDense
		rho  float64
	}
	var pairs []pair
	var last *point
	return searched(search(m.Search, Wolfe{}), func(p *point) ([]float64, float64) {
		g := p.gradient()
		if last != nil {
			s, y := difference(p.x, last.x), difference(g, last.gradient())
			if sy := mat.Dot(s, y); sy > 1e-10*mat.Norm(s, 2)*mat.Norm(y, 2) {
				pairs = append(pairs, pair{s, y, 1 / sy})
				pairs = pairs[max(0, len(pairs)-cmp.Or(m.Memory, 10)):]
			}
		}
		last = p
		d := mat.NewVecDense(n, slices.Clone(g))
		if len(pairs) == 0 {
			d.ScaleVec(-1, d)
			return d.RawVector().Data, min(1, 1/floats.Norm(g, 2))
		}
		share := make([]float64, len(pairs))
		for i, q := range slices.Backward(pairs) {
			share[i] = q.rho * mat.Dot(q.s, d)
			d.AddScaledVec(d, -share[i], q.y)
		}
		end := pairs[len(pairs)-1]
		d.ScaleVec(1/end.rho/mat.Dot(end.y, end.y), d)
		for i, q := range pairs {
			d.AddScaledVec(d, share[i]-q.rho*mat.Dot(q.y, d), q.s)
		}
		d.ScaleVec(-1, d)
		return d.RawVector().Data, 1
	}, func() { pairs, last = nil, nil })
}
