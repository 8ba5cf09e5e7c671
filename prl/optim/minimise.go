package optim

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// A Reason says why a method stopped.
type Reason int

const (
	Going      Reason = iota // it has not stopped
	Stationary               // the gradient is zero, up to Tol
	Saddle                   // the gradient is zero, but a curvature is negative: no minimum
	Flat                     // moves no longer change the place or the value, up to rounding
	Limit                    // MaxIter moves were made
	NoDescent                // the search along the ray found no lower place
	Diverged                 // the place or its gradient is no longer finite
)

func (r Reason) String() string {
	return [...]string{
		"going on", "the gradient is zero", "a saddle: the gradient is zero, but a curvature is negative",
		"moves no longer change anything", "limit on moves", "no lower place on the ray", "it diverged",
	}[r]
}

// Options are the settings of Minimise and LeastSquares. A field that is zero stands for its default.
type Options struct {
	MaxIter int     // limit on moves, > 0; default 10,000
	Tol     float64 // largest component of a gradient that counts as zero, > 0; default 1e-8
	Path    bool    // keep all places
}

func (o Options) check(op string) error {
	if o.MaxIter < 0 {
		return fault.Argument(op, "MaxIter", o.MaxIter, "a whole number > 0", "leave it out for 10,000")
	}
	return positive(op, "Tol", cmp.Or(o.Tol, 1e-8))
}

// A Result is where a method stopped, and why.
type Result struct {
	X        []float64
	Value    float64
	Gradient []float64
	Reason   Reason

	Iterations, Values, Gradients, Hessians int // moves, and what they asked of the problem

	Path [][]float64 // the start and the place after each move, if it was kept
}

// Converged reports whether the gradient is zero and no negative curvature was found.
func (r *Result) Converged() bool { return r.Reason == Stationary }

// Minimise follows a method from a start until the gradient is zero, moves change nothing, or MaxIter is reached.
// If the problem has a Hessian, a place without slope where a curvature is negative is reported as a saddle.
//
// Errors: a start where the function is not finite, settings out of range, a context that ends.
func Minimise(ctx context.Context, p Problem, m Method, start []float64, o Options) (*Result, error) {
	const op = "optim.Minimise"
	if err := fault.First(checkMethod(op, m), checkPlace(op, p, start), o.check(op)); err != nil {
		return nil, err
	}
	return follow(ctx, op, p, m, start, cmp.Or(o.MaxIter, 10000), cmp.Or(o.Tol, 1e-8), o.Path)
}

// Walk makes n moves from a start, wherever they lead, and returns the n + 1 places. It ends sooner only where a method knows no
// further move or the numbers are no longer finite; the last place is then missing.
//
// Errors: a start where the function is not finite, settings out of range, n < 0, a context that ends.
func Walk(ctx context.Context, p Problem, m Method, start []float64, n int) ([][]float64, error) {
	const op = "optim.Walk"
	if err := fault.First(checkMethod(op, m), checkPlace(op, p, start)); err != nil {
		return nil, err
	}
	if n < 0 {
		return nil, fault.Argument(op, "n", n, "a number of moves >= 0", "")
	}
	r, err := follow(ctx, op, p, m, start, n, -1, true)
	if err != nil {
		return nil, err
	}
	return r.Path, nil
}

func checkMethod(op string, m Method) error {
	if m == nil {
		return fault.Argument(op, "method", nil, "a method, such as Descent{Step: 0.1}", "")
	}
	return m.check(op)
}

// follow stops at stationary places where tol is not negative.
func follow(ctx context.Context, op string, p Problem, m Method, start []float64, n int, tol float64, keep bool) (*Result, error) {
	run := &run{Problem: p}
	at, move := run.at(slices.Clone(start)), m.start(len(start))
	r := &Result{}
	still := 0
	for {
		if err := ctx.Err(); err != nil {
			return nil, fault.In(op, err)
		}
		if keep {
			r.Path = append(r.Path, at.x)
		}
		if tol >= 0 && floats.Norm(at.gradient(), math.Inf(1)) <= tol {
			r.Reason = run.stationary(at)
			break
		}
		if r.Iterations == n {
			r.Reason = Limit
			break
		}
		next, reason := move(at)
		if reason != Going {
			r.Reason = reason
			break
		}
		if !finite(next.x) || !finite(next.gradient()) {
			r.Reason = Diverged
			break
		}
		r.Iterations++
		if floats.Equal(next.x, at.x) {
			still++
		} else {
			still = 0
		}
		at = next
		if tol >= 0 && still == 3 {
			r.Reason = Flat
			break
		}
	}
	r.X, r.Value, r.Gradient = at.x, at.value(), at.gradient()
	r.Values, r.Gradients, r.Hessians = run.values, run.gradients, run.hessians
	return r, nil
}

// stationary tells a saddle from a minimum where the Hessian is known.
func (r *run) stationary(p *point) Reason {
	if r.Hessian == nil {
		return Stationary
	}
	var eig mat.EigenSym
	if H := p.hessian(); eig.Factorize(H, false) {
		if values := eig.Values(nil); values[0] < -1e-10*max(1, math.Abs(values[len(values)-1])) {
			return Saddle
		}
	}
	return Stationary
}
