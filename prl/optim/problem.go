package optim

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// A Problem is a function of d variables to be made small. Value is needed; NaN and +Inf say that a place is forbidden. A Gradient
// or Hessian that is nil is replaced by central differences. The functions must not change x, and they return new slices.
type Problem struct {
	Value    func(x []float64) float64
	Gradient func(x []float64) []float64
	Hessian  func(x []float64) *mat.SymDense
}

// Quadratic returns f(x) = sum_i h_i (x_i - c_i)^2 / 2, with curvatures h along the axes and the minimum c.
// h and c have equal lengths; at a place with another number of coordinates the value is NaN.
func Quadratic(h, c []float64) Problem {
	h, c = slices.Clone(h), slices.Clone(c)
	return Problem{
		Value: func(x []float64) (f float64) {
			if len(x) != len(h) || len(h) != len(c) {
				return math.NaN()
			}
			for i, v := range x {
				f += h[i] * (v - c[i]) * (v - c[i]) / 2
			}
			return f
		},
		Gradient: func(x []float64) []float64 {
			g := make([]float64, len(x))
			for i, v := range x {
				g[i] = h[i] * (v - c[i])
			}
			return g
		},
		Hessian: func(x []float64) *mat.SymDense {
			H := mat.NewSymDense(len(x), nil)
			for i := range x {
				H.SetSym(i, i, h[i])
			}
			return H
		},
	}
}

// Differences returns the gradient of f at x by central differences with the step h > 0 relative to max(1, |x_i|):
// (f(x + h e_i) - f(x - h e_i)) / 2h. Its error is of the order h^2 until rounding, eps/h, takes over. h = 0 means 6e-6.
func Differences(f func(x []float64) float64, x []float64, h float64) []float64 {
	if h <= 0 {
		h = math.Cbrt(2.2e-16)
	}
	g, y := make([]float64, len(x)), slices.Clone(x)
	for i, v := range x {
		step := h * max(1, math.Abs(v))
		y[i] = v + step
		up, above := f(y), y[i]
		y[i] = v - step
		g[i] = (up - f(y)) / (above - y[i])
		y[i] = v
	}
	return g
}

// Jacobian returns the m x d derivatives of r at x by central differences with the relative step h; h = 0 means 6e-6.
// Where the gradient of a function is given as r, it is the Hessian, symmetric up to rounding if the second derivatives are continuous.
func Jacobian(r func(x []float64) []float64, x []float64, h float64) *mat.Dense {
	if h <= 0 {
		h = math.Cbrt(2.2e-16)
	}
	var J *mat.Dense
	y := slices.Clone(x)
	for j, v := range x {
		step := h * max(1, math.Abs(v))
		y[j] = v + step
		up, above := r(y), y[j]
		y[j] = v - step
		down := r(y)
		if J == nil {
			J = mat.NewDense(len(up), len(x), nil)
		}
		for i := range up {
			J.Set(i, j, (up[i]-down[i])/(above-y[j]))
		}
		y[j] = v
	}
	return J
}

// A point is a place with what has been computed there.
type point struct {
	x     []float64
	run   *run
	f     float64
	known bool
	g     []float64
}

// A run counts what a method asks of its problem.
type run struct {
	Problem
	values, gradients, hessians int
}

func (r *run) at(x []float64) *point { return &point{x: x, run: r} }

// moved returns the point x + t d.
func (p *point) moved(t float64, d []float64) *point {
	x := slices.Clone(p.x)
	floats.AddScaled(x, t, d)
	return p.run.at(x)
}

func (p *point) value() float64 {
	if !p.known {
		p.run.values++
		p.f, p.known = p.run.Value(p.x), true
		if math.IsNaN(p.f) {
			p.f = math.Inf(1)
		}
	}
	return p.f
}

func (p *point) gradient() []float64 {
	if p.g == nil {
		p.run.gradients++
		p.g = p.run.gradientAt(p.x)
	}
	return p.g
}

func (r *run) gradientAt(x []float64) []float64 {
	if r.Gradient != nil {
		return r.Gradient(x)
	}
	return Differences(r.Value, x, 0)
}

// hessian returns the symmetric part of the second derivatives.
func (p *point) hessian() *mat.SymDense {
	p.run.hessians++
	if p.run.Hessian != nil {
		return p.run.Hessian(p.x)
	}
	h := 0.0
	if p.run.Gradient == nil {
		h = 1e-4 // differences of differences: rounding counts twice
	}
	J := Jacobian(func(x []float64) []float64 {
		if p.run.Gradient == nil {
			return Differences(p.run.Value, x, h)
		}
		return p.run.Gradient(x)
	}, p.x, h)
	H := mat.NewSymDense(len(p.x), nil)
	for i := range p.x {
		for j := i; j < len(p.x); j++ {
			H.SetSym(i, j, (J.At(i, j)+J.At(j, i))/2)
		}
	}
	return H
}

// finite reports whether all numbers are finite.
func finite(v []float64) bool {
	for _, a := range v {
		if math.IsNaN(a) || math.IsInf(a, 0) {
			return false
		}
	}
	return true
}

// checkPlace finds a start at which a problem cannot be begun.
func checkPlace(op string, p Problem, x []float64) error {
	if p.Value == nil {
		return fault.Argument(op, "Value", nil, "a function to be made small", "")
	}
	if len(x) == 0 || !finite(x) {
		return fault.Argument(op, "start", x, "one or more finite numbers", "")
	}
	if f := p.Value(x); math.IsNaN(f) || math.IsInf(f, 0) {
		return fault.Argument(op, "value at the start", f, "a finite number", "begin where the function is defined")
	}
	if p.Gradient != nil {
		if g := p.Gradient(x); len(g) != len(x) {
			return fault.Argument(op, "gradient at the start", fmt.Sprintf("%d numbers", len(g)), fmt.Sprintf("%d", len(x)), "")
		}
	}
	if p.Hessian != nil {
		if H := p.Hessian(x); H == nil || H.SymmetricDim() != len(x) {
			return fault.Argument(op, "Hessian at the start", "of another size", fmt.Sprintf("%d x %d numbers", len(x), len(x)), "")
		}
	}
	return nil
}
