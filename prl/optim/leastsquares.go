package optim

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// Residuals are m functions of d variables whose squares should be small in sum. A Jacobian (m x d) that is nil is replaced by central
// differences whose steps are relative to each variable, since parameters of a model differ in size.
type Residuals struct {
	Value    func(x []float64) []float64
	Jacobian func(x []float64) *mat.Dense
}

func (r Residuals) jacobian(x []float64) *mat.Dense {
	if r.Jacobian != nil {
		return r.Jacobian(x)
	}
	scale, ones := make([]float64, len(x)), make([]float64, len(x))
	for i, v := range x {
		scale[i], ones[i] = 1, v
		if v != 0 {
			scale[i], ones[i] = math.Abs(v), v/math.Abs(v)
		}
	}
	J := Jacobian(func(u []float64) []float64 { return r.Value(floats.MulTo(make([]float64, len(u)), u, scale)) }, ones, 0)
	J.Apply(func(_, j int, v float64) float64 { return v / scale[j] }, J)
	return J
}

// LeastSquares minimises f(x) = |r(x)|^2 / 2 by the method of Levenberg and Marquardt in a region of trust: the move d makes |r + J d|
// least of all with |D d| <= radius, and so solves (J'J + mu D^2) d = -J'r for a mu >= 0. With mu = 0 this is Gauss-Newton. D holds the
// largest norm so far of each column of J. The first radius is |D x|, or 1 at x = 0; it doubles after moves that keep what J promises, and
// shrinks after others. It stops when each column of J has a cosine of at most Tol with r, here 1e-10 by default, when moves are below
// 10^-14 of x, or below 10^-9 with a change of f that is rounding (Flat), or at MaxIter.
//
// Errors: a start with residuals that are not finite, fewer residuals than variables, settings out of range, a context that ends.
// Source: J. More (1978), Lecture Notes in Mathematics 630.
func LeastSquares(ctx context.Context, r Residuals, start []float64, o Options) (*Result, error) {
	const op = "optim.LeastSquares"
	if r.Value == nil {
		return nil, fault.Argument(op, "Value", nil, "residuals to be made small", "")
	}
	f := Problem{Value: func(x []float64) float64 { return halfSquare(r.Value(x)) }}
	if err := fault.First(checkPlace(op, f, start), o.check(op)); err != nil {
		return nil, err
	}
	x, d := slices.Clone(start), len(start)
	res := r.Value(x)
	if len(res) < d {
		return nil, fault.Argument(op, "residuals", fmt.Sprintf("%d", len(res)), fmt.Sprintf("at least %d, as many as variables", d), "")
	}
	out := &Result{Values: 1, Reason: Limit}
	var radius, mu float64
	var m *linearised
	scale := make([]float64, d)
	for fresh := true; out.Iterations < cmp.Or(o.MaxIter, 10000); out.Iterations++ {
		if err := ctx.Err(); err != nil {
			return nil, fault.In(op, err)
		}
		if fresh {
			if o.Path {
				out.Path = append(out.Path, slices.Clone(x))
			}
			out.Gradients++
			J := r.jacobian(x)
			if cosine(J, res, scale) <= cmp.Or(o.Tol, 1e-10) {
				out.Reason = Stationary
				break
			}
			m = linearise(J, res, scale)
		}
		if out.Iterations == 0 {
			radius = cmp.Or(floats.Norm(floats.MulTo(make([]float64, d), m.scale, x), 2), 1)
		}
		move, length, slope, promised := m.within(radius, &mu)
		if out.Iterations == 0 {
			radius = min(radius, length)
		}
		next := floats.AddTo(make([]float64, d), x, move)
		try := r.Value(next)
		out.Values++
		fell, noise := halfSquare(res)-halfSquare(try), 1e-14*halfSquare(res)
		if !finite(try) {
			fell = math.Inf(-1)
		}
		kept := ratio(fell, promised)
		if promised <= noise && fell >= -noise {
			kept = 1 // rounding is all that one sees
		}
		switch {
		case kept <= 0.25:
			by := 0.5
			if fell < 0 { // the minimum of the parabola through both values and the slope
				by = max(0.1, 0.5*slope/(slope-fell))
			}
			radius, mu = by*min(radius, 10*length), mu/by
		case kept >= 0.75 || mu == 0:
			radius, mu = 2*length, mu/2
		}
		if fresh = kept >= 1e-4; fresh {
			x, res = next, try
		}
		size := floats.Norm(move, 2) / floats.Norm(x, 2)
		if size <= 1e-14 || size <= 1e-11 && math.Abs(fell) <= noise {
			out.Reason = Flat
			break
		}
	}
	g := mat.NewVecDense(d, nil)
	g.MulVec(r.jacobian(x).T(), mat.NewVecDense(len(res), res))
	out.X, out.Value, out.Gradient = x, halfSquare(res), g.RawVector().Data
	return out, nil
}

func halfSquare(r []float64) float64 { return floats.Dot(r, r) / 2 }

// cosine returns the largest |J_j.r| / |J_j||r| over the columns, and raises scale to their norms.
func cosine(J *mat.Dense, r, scale []float64) (largest float64) {
	size := floats.Norm(r, 2)
	for j := range scale {
		col := mat.Col(nil, j, J)
		norm := floats.Norm(col, 2)
		scale[j] = max(scale[j], norm)
		largest = max(largest, math.Abs(ratio(floats.Dot(col, r), norm*size)))
	}
	return largest
}

// A linearised problem is r + J d in the singular vectors of J D^-1 = U S V'.
type linearised struct {
	scale   []float64 // D, with 1 for columns that have always been zero
	s, r    []float64 // S, and U'r; r is zero where S is rounding
	v       mat.Dense
	longest float64 // |S U'r|, which bounds mu
}

func linearise(J *mat.Dense, r, scale []float64) *linearised {
	m := &linearised{scale: make([]float64, len(scale))}
	for j, v := range scale {
		m.scale[j] = cmp.Or(v, 1)
	}
	A := mat.DenseCopyOf(J)
	A.Apply(func(_, j int, v float64) float64 { return v / m.scale[j] }, A)
	var svd mat.SVD
	if !svd.Factorize(A, mat.SVDThin) {
		m.s, m.r = make([]float64, len(scale)), make([]float64, len(scale))
		m.v.ReuseAs(len(scale), len(scale))
		return m
	}
	m.s = svd.Values(nil)
	svd.VTo(&m.v)
	var u mat.Dense
	svd.UTo(&u)
	b := mat.NewVecDense(len(m.s), nil)
	b.MulVec(u.T(), mat.NewVecDense(len(r), r))
	m.r = b.RawVector().Data
	for i, s := range m.s {
		if s <= 1e-15*m.s[0] {
			m.r[i] = 0
		}
		m.longest = math.Hypot(m.longest, s*m.r[i])
	}
	return m
}

// length returns |D d| for mu, and its derivative with respect to mu.
func (m *linearised) length(mu float64) (length, slope float64) {
	for i, s := range m.s {
		if m.r[i] != 0 {
			c := s * m.r[i] / (s*s + mu)
			length += c * c
			slope -= c * c / (s*s + mu)
		}
	}
	length = math.Sqrt(length)
	return length, ratio(slope, length)
}

// within returns the move whose length |D d| is within a tenth of the radius, or that of Gauss and Newton if it is not longer. mu is where
// to begin, and then what belongs to the move. The slope -J'r.d is how fast f falls at first, promised how much it falls if J stays.
func (m *linearised) within(radius float64, mu *float64) (move []float64, length, slope, promised float64) {
	length, grow := m.length(0)
	if length <= 1.1*radius {
		*mu = 0
	} else {
		low, high := (radius-length)/grow, m.longest/radius
		if !(*mu > low && *mu < high) {
			*mu = max(1e-3*high, math.Sqrt(low*high))
		}
		for range 20 {
			if length, grow = m.length(*mu); math.Abs(length-radius) <= 0.1*radius {
				break
			}
			if length > radius {
				low = max(low, *mu)
			} else {
				high = *mu
			}
			if *mu += (radius - length) / grow * length / radius; !(*mu > low && *mu < high) {
				*mu = max(1e-3*high, math.Sqrt(low*high))
			}
		}
	}
	c := mat.NewVecDense(len(m.s), nil)
	for i, s := range m.s {
		if m.r[i] != 0 {
			at := -s * m.r[i] / (s*s + *mu)
			c.SetVec(i, at)
			slope -= m.r[i] * s * at
			promised -= (m.r[i] + s*at/2) * s * at
		}
	}
	d := mat.NewVecDense(len(m.s), nil)
	d.MulVec(&m.v, c)
	for j, s := range m.scale {
		d.SetVec(j, d.AtVec(j)/s)
	}
	return d.RawVector().Data, length, slope, promised
}
