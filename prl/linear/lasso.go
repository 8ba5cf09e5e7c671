package linear

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/tile"
)

// LassoOptions are the settings of Lasso, LassoPath, LARS and GroupLasso. The penalty is P = L1 |w|_1 + (1 - L1)/2 |w|^2, with L1 = 1 the
// lasso and with less an elastic net (Zou and Hastie 2005).
type LassoOptions struct {
	Rows
	// Lambda is the factor of the penalty; the functions of whole paths do not read it.
	Lambda float64
	// Scaling says what lambda means; RSS / 2n + lambda P unless set.
	Scaling Scaling
	// L1 is the share of |w|_1 in the penalty, above 0; 0 stands for 1. glmnet's elastic net is this one with y and lambda divided by the
	// standard deviation of y (over n).
	L1 float64
	// Standardize penalises the coefficients of the columns divided by their standard deviations (over n, not n - 1), as glmnet does.
	Standardize bool
	// Tol ends the fit when the objective is certainly within Tol times that of w = 0 of its least value; 0 stands for 1e-10.
	Tol float64
	// MaxIter is the limit on sweeps over the columns for one lambda; 0 stands for 100,000.
	MaxIter int
}

func (o *LassoOptions) fill(op string) error {
	estimator.Or(&o.L1, 1)
	estimator.Or(&o.Tol, 1e-10)
	estimator.Or(&o.MaxIter, 100000)
	if o.Scaling == Usual {
		o.Scaling = HalfMean
	}
	if !(o.L1 > 0 && o.L1 <= 1) {
		return fault.Argument(op, "L1", o.L1, "a share above 0 and up to 1", "without |w|_1 it is ridge regression")
	}
	if !(o.Tol >= 0 && o.Tol < 1) {
		return fault.Argument(op, "Tol", o.Tol, "a number from 0 to 1", "0 stands for 1e-10")
	}
	if o.MaxIter < 1 {
		return fault.Argument(op, "MaxIter", o.MaxIter, "at least 1", "0 stands for 100,000")
	}
	return o.Scaling.check(op)
}

func (o *LassoOptions) admit(op string, lambda float64) error {
	if !(lambda >= 0) || math.IsInf(lambda, 0) || lambda == 0 && o.Scaling == Cost {
		return fault.Argument(op, "Lambda", lambda, "a finite number of at least 0", "0 is least squares")
	}
	return nil
}

// A LassoFit is a fit under a penalty with corners. It is immutable and safe for concurrent use.
type LassoFit struct {
	Model
	l lassoState
}

type lassoState struct {
	Lambda, RSS, Objective, Gap float64
	Sweeps                      int
}

// Lambda returns the factor of the penalty in the scaling of the options.
func (m *LassoFit) Lambda() float64 { return m.l.Lambda }

// RSS returns the weighted sum of squared residuals.
func (m *LassoFit) RSS() float64 { return m.l.RSS }

// Objective returns what was minimised, RSS / 2 + lambda P in the unit of lambda of the scaling HalfSum.
func (m *LassoFit) Objective() float64 { return m.l.Objective }

// Gap returns how far, at most, Objective is above its least value: its distance from the value of a dual feasible point. It is NaN at
// lambda 0, which has no such point; the search ends there when the products of the columns with the residual have vanished.
func (m *LassoFit) Gap() float64 { return m.l.Gap }

// Sweeps returns the number of sweeps over coordinates for this lambda.
func (m *LassoFit) Sweeps() int { return m.l.Sweeps }

// Nonzero returns the places of the coefficients that are not zero.
func (m *LassoFit) Nonzero() (places []int) {
	for j, v := range m.s.Coefficients {
		if v != 0 {
			places = append(places, j)
		}
	}
	return places
}

// A LassoPaths is a fit for each of many lambdas.
type LassoPaths struct{ fits []*LassoFit }

// Len returns the number of lambdas.
func (p *LassoPaths) Len() int { return len(p.fits) }

// At returns the fit of the i-th lambda, of which the first is the largest.
func (p *LassoPaths) At(i int) *LassoFit { return p.fits[i] }

// Lasso minimises RSS / 2n + lambda P by coordinate descent. A column enters the search when the strong rule (Tibshirani and others 2012)
// or the optimality conditions call for it; a column whose part in the residual cannot have grown enough, by Cauchy's inequality, is not
// looked at. Where the signs settle, the equations of the columns in use are solved. The duality gap ends the search.
//
// Sources: Tibshirani (1996); Friedman, Hastie and Tibshirani (2010).
//
// Errors: unusable data, targets, weights or options; sweeps that do not suffice.
func Lasso(ctx context.Context, X mat.Matrix, y []float64, o LassoOptions) (*LassoFit, error) {
	p, err := lassoPath(ctx, "linear.Lasso", X, y, []float64{o.Lambda}, o)
	if err != nil {
		return nil, err
	}
	return p.At(0), nil
}

// LassoPath is Lasso for many lambdas, from the largest to the smallest, each from the one before. Without lambdas it takes a hundred from
// the one at which all coefficients become zero to a ten-thousandth of it, or a hundredth when there are fewer rows than columns.
func LassoPath(ctx context.Context, X mat.Matrix, y, lambdas []float64, o LassoOptions) (*LassoPaths, error) {
	return lassoPath(ctx, "linear.LassoPath", X, y, lambdas, o)
}

func lassoPath(ctx context.Context, op string, X mat.Matrix, y, lambdas []float64, o LassoOptions) (*LassoPaths, error) {
	if err := o.fill(op); err != nil {
		return nil, err
	}
	p, err := newDesign(ctx, op, X, y, o.Rows, 0)
	if err != nil {
		return nil, err
	}
	p.rescale(o.Standardize, 1)
	s := newDescent(p, o)
	if lambdas == nil {
		least := 1e-4
		if p.n < p.d {
			least = 1e-2
		}
		for i := range 100 {
			lambdas = append(lambdas, o.Scaling.from(2*s.top*(1+1e-14)/o.L1*p.yScale*math.Pow(least, float64(i)/99), p.weight))
		}
	}
	lambdas = slices.Clone(lambdas)
	half := func(lambda float64) float64 { return o.Scaling.sum(lambda, p.weight) / 2 }
	slices.SortFunc(lambdas, func(a, b float64) int {
		switch {
		case half(a) > half(b):
			return -1
		case half(a) < half(b):
			return 1
		}
		return 0
	})
	out := &LassoPaths{}
	for i, lambda := range lambdas {
		if err := o.admit(op, lambda); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", op, err)
		}
		next := 0.0
		if i+1 < len(lambdas) {
			next = half(lambdas[i+1])
		}
		at := half(lambda)
		met, err := s.solve(ctx, at*o.L1/p.yScale, next*o.L1/p.yScale, at*(1-o.L1))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", op, err)
		}
		if !met {
			s.move()
			return nil, &IterationError[*LassoFit]{op, o.MaxIter, s.fit(lambda)}
		}
		out.fits = append(out.fits, s.fit(lambda))
	}
	return out, nil
}

// A descent minimises 1/2 |y - X b|^2 + one |b|_1 + two/2 |b|^2 for one after the other pair of one and two.
type descent struct {
	*design
	o        LassoOptions
	norm     []float64 // lengths of the columns
	b        []float64
	r        []float64 // the residual that grad and drift go by
	grad     []float64 // the product of each column with the residual, as it was when the drift was since
	since    []float64
	drift    float64 // how far the residual has moved, all moves added
	top      float64 // the largest product of a column with y
	one, two float64

	work   []int // the columns in the search
	in     []bool
	gram   []float64 // products of these columns, rows of stride numbers
	stride int
	q      []float64 // their products with the residual
	target []float64 // and with y
	w      []float64 // their coefficients
	active []int     // places in work

	sweeps int
	gap    float64
}

func newDescent(p *design, o LassoOptions) *descent {
	s := &descent{
		design: p, o: o, norm: make([]float64, p.d), b: make([]float64, p.d), grad: make([]float64, p.d), since: make([]float64, p.d),
		in: make([]bool, p.d), r: slices.Clone(p.y),
	}
	for j := range p.d {
		s.norm[j] = math.Sqrt(tile.Dot(s.column(j), s.column(j)))
		s.grad[j] = tile.Dot(s.column(j), s.r)
		s.top = max(s.top, math.Abs(s.grad[j]))
	}
	return s
}

func (s *descent) column(j int) []float64 { return s.x[j*s.size : (j+1)*s.size] }

// enter takes a column into the search.
func (s *descent) enter(j int) {
	k := len(s.work)
	if k == s.stride {
		stride := max(64, 2*s.stride)
		gram := make([]float64, stride*stride)
		for i := range k {
			copy(gram[i*stride:], s.gram[i*s.stride:][:k])
		}
		s.gram, s.stride = gram, stride
		for _, list := range []*[]float64{&s.q, &s.target, &s.w} {
			*list = append(make([]float64, 0, stride), *list...)[:stride]
		}
	}
	x := s.column(j)
	for i, c := range append(s.work, j) {
		v := tile.Dot(s.column(c), x)
		s.gram[k*s.stride+i], s.gram[i*s.stride+k] = v, v
	}
	s.q[k], s.target[k], s.w[k] = tile.Dot(x, s.r), tile.Dot(x, s.y), 0
	s.work, s.in[j] = append(s.work, j), true
}

// solve finds the minimum; next is the value of one that will follow. It reports whether the sweeps have sufficed.
func (s *descent) solve(ctx context.Context, one, next, two float64) (met bool, err error) {
	s.one, s.two, s.sweeps = one, two, 0
	for j := range s.d {
		if !s.in[j] && s.mayReach(j, one) && math.Abs(s.grad[j]) >= one {
			s.enter(j)
		}
	}
	for {
		if met, err := s.inner(ctx); !met {
			return false, err
		}
		s.move()
		quiet := true
		strong := one
		if next > 0 {
			strong = max(0, 2*next-one)
		}
		for j := range s.d {
			if s.in[j] || !s.mayReach(j, strong) {
				continue
			}
			if v := math.Abs(s.grad[j]); v > one {
				quiet = false
				s.enter(j)
			}
		}
		if !quiet {
			continue
		}
		if next > 0 {
			for j := range s.d {
				if !s.in[j] && math.Abs(s.grad[j]) >= strong && s.since[j] == s.drift && s.norm[j] > 0 {
					s.enter(j)
				}
			}
		}
		return true, nil
	}
}

// mayReach reports whether the product of a column with the residual can be as large as level, and finds it out if so.
func (s *descent) mayReach(j int, level float64) bool {
	if math.Abs(s.grad[j])+s.norm[j]*(s.drift-s.since[j]) < level {
		return false
	}
	if s.since[j] != s.drift {
		s.grad[j], s.since[j] = tile.Dot(s.column(j), s.r), s.drift
	}
	return true
}

// move brings the residual up to date.
func (s *descent) move() {
	r := slices.Clone(s.y)
	for k, j := range s.work {
		s.b[j] = s.w[k]
		if s.w[k] != 0 {
			tile.AddScaled(r, -s.w[k], s.column(j))
		}
	}
	far := 0.0
	for i, v := range r {
		far += (v - s.r[i]) * (v - s.r[i])
	}
	s.r = r
	s.drift += math.Sqrt(far) * (1 + 1e-12)
}

// inner finds the minimum over the columns in the search; met is false when the sweeps were too few for it.
func (s *descent) inner(ctx context.Context) (met bool, err error) {
	for s.sweeps < s.o.MaxIter {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		changed := s.sweep(upTo(len(s.work)))
		s.activate()
		if s.close() {
			return true, nil
		}
		for turn := 0; turn < 4+len(s.active)/16 && changed > 0; turn++ {
			if changed = s.sweep(s.active); turn%4 == 3 && s.close() {
				break
			}
		}
		s.polish()
	}
	return false, nil
}

// activate lists the places of the coefficients that are not zero.
func (s *descent) activate() {
	s.active = s.active[:0]
	for k := range s.work {
		if s.w[k] != 0 {
			s.active = append(s.active, k)
		}
	}
}

// sweep minimises over one coordinate after the other, and returns the largest change of the fit.
func (s *descent) sweep(places []int) (changed float64) {
	s.sweeps++
	width := tile.Padded(len(s.work))
	q := s.q[:width]
	for _, k := range places {
		row := s.gram[k*s.stride:][:width]
		g, old := row[k], s.w[k]
		if g == 0 {
			continue
		}
		v := soft(q[k]+g*old, s.one) / (g + s.two)
		if v != old {
			s.w[k] = v
			tile.AddScaled(q, old-v, row)
			changed = max(changed, math.Abs(v-old)*math.Sqrt(g))
		}
	}
	return changed
}

// soft returns the soft threshold, sign(z) max(|z| - t, 0).
func soft(z, t float64) float64 {
	switch {
	case z > t:
		return z - t
	case z < -t:
		return z + t
	}
	return 0
}

// close computes the duality gap over the columns in the search, and reports whether it is small enough. The dual point is the residual,
// shrunk until no column's product with it is above one.
func (s *descent) close() bool {
	yy, ry, rr, l1, l2, largest := square(s.y), 0.0, 0.0, 0.0, 0.0, 0.0
	ry, rr = yy, yy
	for k := range s.work {
		w, q := s.w[k], s.q[k]
		ry -= w * s.target[k]
		rr -= w * (s.target[k] + q)
		l1, l2 = l1+math.Abs(w), l2+w*w
		largest = max(largest, math.Abs(q-s.two*w))
	}
	shrink := 1.0
	if s.one == 0 { // no dual point but zero: the products themselves have to vanish
		s.gap = math.NaN()
		return s.flat()
	}
	if largest > s.one {
		shrink = s.one / largest
	}
	primal := rr/2 + s.one*l1 + s.two/2*l2
	dual := shrink*ry - shrink*shrink/2*(rr+s.two*l2)
	s.gap = max(0, primal-dual)
	return s.gap <= s.o.Tol*yy/2
}

// flat reports whether no column in the search has a product with the residual to speak of.
func (s *descent) flat() bool {
	level := 1e-10 * length(s.y)
	for k, j := range s.work {
		if math.Abs(s.q[k]-s.two*s.w[k]) > level*s.norm[j] {
			return false
		}
	}
	return true
}

// polish solves the equations of the columns in use with their signs, and goes towards the solution as far as the signs allow.
func (s *descent) polish() {
	s.activate()
	m := len(s.active)
	if m == 0 {
		return
	}
	side := tile.Padded(m)
	a, step := make([]float64, side*side), make([]float64, side)
	for i, k := range s.active {
		row := s.gram[k*s.stride:]
		for j, l := range s.active[i:] {
			a[i*side+i+j] = row[l]
		}
		a[i*side+i] += s.two
		step[i] = s.q[k] - s.two*s.w[k] - math.Copysign(s.one, s.w[k])
	}
	for i := m; i < side; i++ {
		a[i*side+i] = 1
	}
	if !tile.Cholesky(a, side, 1e-12) {
		return
	}
	tile.Solve(a, step)
	far, first := 1.0, -1
	for i, k := range s.active {
		if w := s.w[k]; (w+step[i])*w < 0 && -w/step[i] < far {
			far, first = -w/step[i], k
		}
	}
	width := tile.Padded(len(s.work))
	for i, k := range s.active {
		v := s.w[k] + far*step[i]
		if k == first {
			v = 0
		}
		tile.AddScaled(s.q[:width], s.w[k]-v, s.gram[k*s.stride:][:width])
		s.w[k] = v
	}
}

// fit returns the present state.
func (s *descent) fit(lambda float64) *LassoFit {
	coefficients, intercept := s.outside(s.b)
	unit := s.yScale * s.yScale
	rss, l1 := square(s.r), 0.0
	for _, v := range s.b {
		l1 += s.one*math.Abs(v) + s.two/2*v*v
	}
	name := "lasso"
	if s.o.L1 < 1 {
		name = "elastic net"
	}
	return &LassoFit{
		newModel(name, coefficients, intercept, s.intercept),
		lassoState{Lambda: lambda, RSS: rss * unit, Objective: (rss/2 + l1) * unit, Gap: s.gap * unit, Sweeps: s.sweeps},
	}
}
