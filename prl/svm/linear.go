package svm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/tile"
	"github.com/prlab/prlab/prl/sparse"
)

// LinearOptions says what FitLinear minimises, and how. A field that is zero stands for its default.
type LinearOptions struct {
	Slack        Slack     // LinearSlack (default) or QuadraticSlack
	C            float64   // price of slack, > 0; default 1
	ClassWeights []float64 // one factor on C for each class, > 0; nil means all 1
	Weights      []float64 // one factor on C for each row, >= 0; nil means all 1
	Balanced     bool      // the classes weigh alike: ClassWeights n / (K n_c), by weight; times those given
	NoBias       bool      // hyperplanes through the origin

	Tol       float64 // stop when the projected gradients of the dual, and 0, spread by no more than this; default 1e-3
	MaxSweeps int     // limit on passes over the rows; default 100,000
	Seed      uint64  // of the order of the rows; default 1
}

// filled returns o with defaults in the place of zeros.
func (o LinearOptions) filled() LinearOptions {
	o.C, o.Tol = cmp.Or(o.C, 1), cmp.Or(o.Tol, 1e-3)
	o.MaxSweeps, o.Seed = cmp.Or(o.MaxSweeps, 100_000), cmp.Or(o.Seed, 1)
	return o
}

// A LinearModel holds one hyperplane for two classes, or one for each of K > 2 classes against the rest. It is immutable.
type LinearModel struct {
	estimator.Names
	linearState
}

type linearState struct {
	D, K         int
	W            [][]float64
	B            []float64
	Certificates []Certificate
	Names        estimator.Names // in storage only: LinearModel.Names holds them
}

// FitLinear trains linear machines on many rows without kernel rows: dual coordinate descent keeps w and costs O(d) a step. The bias is the
// weight of a constant feature 1 and is penalised like the others, so that the dual has no equality constraint:
//
//	minimise 1/2 |w|^2 + b^2/2 + sum_i C_i max(0, 1 - y_i f(x_i))        (quadratic slack: C_i/2 times the square).
//
// With K > 2 classes, machine c separates class c (+1) from the rest. For two classes the machine separates class 1 from class 0.
//
// Of a *sparse.CSR only the stored numbers are looked at: a step costs so many, and no dense copy is made. Where many of its rows are equal
// and of one class, as one-hot rows often are, they are one row of their common price.
//
// When MaxSweeps were not enough the error is an *IterationError, which holds the model reached. Columns of very different sizes, or far
// from zero, take many sweeps: standardise them first.
//
// Source: C.-J. Hsieh, K.-W. Chang, C.-J. Lin, S. Keerthi and S. Sundararajan (2008), A dual coordinate descent method for large-scale
// linear SVM, algorithm 3. Of many more rows than columns, with linear slack, Newton's method on ever less rounded hinges follows the
// first eight sweeps, and a sweep or two prove its result. Otherwise, where sweeps have taken about a third as long as an interior-point
// method would, that takes over, of 10 to 20 steps whatever C is; its cost grows with the cube of the columns or of the rows, whichever
// are fewer. Where sweeps creep on, it is taken again. Where it is too much, conjugate gradients on the rows between their bounds help from
// the 60th sweep on. All steps count as sweeps.
func FitLinear(ctx context.Context, X mat.Matrix, y []int, o LinearOptions) (*LinearModel, error) {
	const fn = "svm.FitLinear"
	o = o.filled()
	classes, err := estimator.CheckLabelled(fn, X, y)
	if err != nil {
		return nil, err
	}
	n, d := X.Dims()
	if o.Slack != LinearSlack && o.Slack != QuadraticSlack {
		return nil, fault.Argument(fn, "Slack", o.Slack, "LinearSlack or QuadraticSlack", "svm.Fit knows the hard margin")
	}
	if err := estimator.CheckPositive(fn, "C", o.C, 1); err != nil {
		return nil, err
	}
	if err := estimator.CheckPositive(fn, "Tol", o.Tol, 1e-3); err != nil {
		return nil, err
	}
	if err := estimator.CheckCount(fn, "MaxSweeps", o.MaxSweeps, 1, math.MaxInt); err != nil {
		return nil, err
	}
	if err := estimator.CheckWeights(fn, o.Weights, n); err != nil {
		return nil, err
	}
	if err := estimator.CheckClassWeights(fn, y, o.Weights, classes); err != nil {
		return nil, err
	}
	prices := Options{C: o.C, ClassWeights: o.ClassWeights, Weights: o.Weights, Balanced: o.Balanced}
	if err := prices.weighClasses(fn, y, classes); err != nil {
		return nil, err
	}
	price := make([]float64, n)
	for i, v := range y {
		price[i] = prices.price(i, v)
	}
	rows, y, price := alike(linearRowsOf(X), y, price)
	o.Tol *= float64(len(y)) / float64(n) // what a common row is off by counts as often
	rows.widen(!o.NoBias)
	m := &LinearModel{linearState: linearState{D: d, K: classes}}
	var exhausted *IterationError
	for c := range classes {
		if classes == 2 && c == 0 {
			continue
		}
		p := descent{linearRows: rows, y: make([]float64, len(y)), price: price, o: &o}
		for i, v := range y {
			p.y[i] = -1
			if v == c {
				p.y[i] = 1
			}
		}
		err := p.run(ctx)
		var late *IterationError
		if err != nil && !errors.As(err, &late) {
			return nil, err
		}
		exhausted = worse(exhausted, late)
		m.W, m.B = append(m.W, p.w), append(m.B, p.b)
		m.linearState.Certificates = append(m.linearState.Certificates, p.certificate())
	}
	if exhausted != nil {
		exhausted.Linear = m
		return nil, exhausted
	}
	return m, nil
}

// linearRows are rows of d numbers, all of them or, in thin, those that are not zero.
type linearRows struct {
	d    int
	X    []float64
	thin *sparse.CSR
	wide []float64 // rows of X as long as whole strips, where widen made them
}

func linearRowsOf(X mat.Matrix) linearRows {
	_, d := X.Dims()
	if thin, ok := X.(*sparse.CSR); ok {
		return linearRows{d: d, thin: thin}
	}
	return linearRows{d: d, X: estimator.Dense(X).RawMatrix().Data}
}

// widen makes rows as long as whole strips: their numbers, the feature 1 of the bias, zeros.
func (r *linearRows) widen(bias bool) {
	if r.thin != nil {
		return
	}
	n, width := len(r.X)/r.d, tile.Padded(r.d+1)
	r.wide = make([]float64, n*width)
	for i := range n {
		copy(r.wide[i*width:], r.X[i*r.d:(i+1)*r.d])
		if bias {
			r.wide[i*width+r.d] = 1
		}
	}
}

// dot returns b + <w, x_i>, summed in the order of the columns where the row is dense.
func (r *linearRows) dot(i int, w []float64, b float64) float64 {
	if r.thin != nil {
		return b + r.thin.Dot(i, w)
	}
	for j, v := range r.X[i*r.d : (i+1)*r.d] {
		b += v * w[j]
	}
	return b
}

// product returns <w, x_i>, summed in any order, and add adds f x_i to w.
func (r *linearRows) product(i int, w []float64) float64 {
	if r.thin != nil {
		return r.thin.Dot(i, w)
	}
	return floats.Dot(w, r.X[i*r.d:(i+1)*r.d])
}

func (r *linearRows) add(w []float64, i int, f float64) {
	if r.thin != nil {
		r.thin.AddTo(w, i, f)
		return
	}
	floats.AddScaled(w, f, r.X[i*r.d:(i+1)*r.d])
}

// square returns a + |x_i|^2.
func (r *linearRows) square(i int, a float64) float64 {
	if r.thin != nil {
		return a + r.thin.Square(i)
	}
	for _, v := range r.X[i*r.d : (i+1)*r.d] {
		a += v * v
	}
	return a
}

// length is about how many numbers a row has.
func (r *linearRows) length() int {
	if r.thin != nil {
		n, _ := r.thin.Dims()
		return 1 + r.thin.NonZeros()/n
	}
	return r.d
}

// descent is one two-class problem.
type descent struct {
	linearRows
	y, price []float64
	o        *LinearOptions
	alpha    []float64
	w        []float64
	b        float64
	sweeps   int
	spread   float64

	curvature, ridge, upper []float64 // of the dual in each alpha, what quadratic slack adds to it, and the bound
	long                    []float64 // w and b, as long as whole strips
	index                   []int     // of the rows whose alphas are sought
	active                  int       // how many of them, from the first on, a sweep visits
	above, below            float64   // how far the gradients pointed out in the last sweep
	random                  *rand.Rand
	patience                int // rows until the next look at the context
}

// begin measures the rows, and finds the alphas that need no search.
func (p *descent) begin() error {
	n := len(p.y)
	p.alpha, p.long = make([]float64, n), make([]float64, tile.Padded(p.d+1))
	p.curvature, p.ridge, p.upper = make([]float64, n), make([]float64, n), make([]float64, n)
	for i, c := range p.price {
		if c == 0 {
			continue
		}
		p.upper[i] = c
		if p.o.Slack == QuadraticSlack {
			p.ridge[i], p.upper[i] = 1/c, math.Inf(1)
		}
		p.curvature[i] = p.square(i, p.ridge[i])
		if !p.o.NoBias {
			p.curvature[i]++
		}
		if math.IsInf(p.curvature[i], 1) {
			return fault.Argument("svm.FitLinear", fmt.Sprintf("row %d of X", i), "of a length whose square is not finite",
				"of moderate numbers", "standardise the columns")
		}
		if p.curvature[i] == 0 { // w does not see a row of zeros: the dual grows with its alpha up to the bound
			p.alpha[i] = p.upper[i]
			continue
		}
		p.index = append(p.index, i)
	}
	p.random = rand.New(rand.NewPCG(p.o.Seed, 0x646364))
	p.all()
	return nil
}

// all lets the next sweep visit all rows.
func (p *descent) all() { p.active, p.above, p.below = len(p.index), math.Inf(1), math.Inf(-1) }

// run sweeps over the rows until the projected gradients are alike, and calls for help where sweeps would take long.
func (p *descent) run(ctx context.Context) error {
	if err := p.begin(); err != nil {
		return err
	}
	w := p.long
	defer func() { p.w, p.b = w[:p.d:p.d], w[p.d] }()
	if len(p.index) == 0 {
		return nil
	}
	late := p.interiorSweeps(len(p.index)) // visits of each row, on average, until an interior-point method is quicker
	early, visited := p.roundable(len(p.index)), 0
	for {
		if p.sweeps >= p.o.MaxSweeps {
			return &IterationError{
				Func: "svm.FitLinear", Iterations: p.sweeps, Unit: "sweeps", Violation: p.spread, Tol: p.o.Tol,
				Remedy: "standardise the columns, lower C, or raise MaxSweeps or Tol",
			}
		}
		p.sweeps++
		visited += p.active + len(p.index)/16 // a sweep over few rows takes some time, too
		most, least, err := p.sweep(ctx)
		if err != nil {
			return err
		}
		p.spread = most - least
		if p.spread <= p.o.Tol {
			if p.active == len(p.index) {
				return nil
			}
			p.all()
			continue
		}
		if early && visited > roundedVisits*len(p.index) {
			early, late = false, 0
			done, err := p.rounded(ctx, p.index, p.upper, w)
			if err != nil {
				return err
			}
			if done {
				late = math.Inf(1)
				p.all()
				continue
			}
		}
		if float64(visited) > late*float64(len(p.index)) {
			late = 4 * float64(visited) / float64(len(p.index)) // rounding may have ended it early
			if err := p.interior(ctx, p.index, p.curvature, p.ridge, p.upper, w); err != nil {
				return err
			}
			p.all()
			continue
		}
		if p.sweeps > patient && p.sweeps%often == 0 {
			p.w, p.b = w[:p.d:p.d], w[p.d]
			if err := p.climb(ctx, p.index[:p.active], p.ridge, p.upper); err != nil {
				return err
			}
			w[p.d] = p.b
		}
		p.above, p.below = most, least
		if p.above <= 0 {
			p.above = math.Inf(1)
		}
		if p.below >= 0 {
			p.below = math.Inf(-1)
		}
	}
}

// sweep visits the active rows in random order and sets each alpha to its optimum given the others. A row at a bound whose gradient points
// further out than any did in the last sweep is left out until the rest has converged. It returns the largest and the least of the
// projected gradients and of 0, which all of them are at the minimum.
func (p *descent) sweep(ctx context.Context) (most, least float64, err error) {
	index, alpha, w, width := p.index, p.alpha, p.long, len(p.long)
	for s := range p.active {
		t := s + p.random.IntN(p.active-s)
		index[s], index[t] = index[t], index[s]
	}
	for s := 0; s < p.active; s++ {
		if p.patience--; p.patience < 0 {
			if err := ctx.Err(); err != nil {
				return 0, 0, p.stopped(err)
			}
			p.patience = 1 + (1<<22)/p.length() // a few milliseconds
		}
		i := index[s]
		var x []float64
		f := 0.0
		if p.thin != nil {
			f = w[p.d] + p.thin.Dot(i, w[:p.d])
		} else {
			x = p.wide[i*width : (i+1)*width]
			f = tile.Dot(x, w)
		}
		g := p.y[i]*f - 1 + p.ridge[i]*alpha[i]
		projected, out := g, false
		switch {
		case alpha[i] == 0:
			projected, out = min(g, 0), g > p.above
		case alpha[i] >= p.upper[i]:
			projected, out = max(g, 0), g < p.below
		}
		if out {
			p.active--
			index[s], index[p.active] = index[p.active], index[s]
			s--
			continue
		}
		most, least = max(most, projected), min(least, projected)
		if math.Abs(projected) > 1e-14 {
			before := alpha[i]
			alpha[i] = min(max(before-g/p.curvature[i], 0), p.upper[i])
			step := (alpha[i] - before) * p.y[i]
			if p.thin == nil {
				tile.AddScaled(w, step, x)
				continue
			}
			p.thin.AddTo(w[:p.d], i, step)
			if !p.o.NoBias {
				w[p.d] += step
			}
		}
	}
	return most, least, nil
}

// After so many sweeps, conjugate gradients help between every so many.
const (
	patient = 60
	often   = 15
	longest = 15 // of their steps, each of which counts as a sweep
)

// climb minimises the dual over the free ones among the given rows, those between their bounds, by conjugate gradients, which need about
// the root of the number of sweeps where columns depend on each other. It then goes from alpha towards the minimum as far as, held within
// the bounds, the dual improves. Source: J. J. More and G. Toraldo (1991), On the solution of large quadratic programming problems with
// bound constraints, SIAM Journal on Optimization 1, 93-113.
func (p *descent) climb(ctx context.Context, rows []int, ridge, upper []float64) error {
	var free []int
	for _, i := range rows {
		if p.alpha[i] > 0 && p.alpha[i] < upper[i] {
			free = append(free, i)
		}
	}
	n := len(free)
	if n == 0 {
		return nil
	}
	room := make([]float64, 4*n+p.d)
	path, rest, way, turn, v := room[:n], room[n:2*n], room[2*n:3*n], room[3*n:4*n], room[4*n:]
	square := 0.0 // |rest|^2
	for k, i := range free {
		rest[k] = 1 - p.y[i]*(p.product(i, p.w)+p.b) - ridge[i]*p.alpha[i]
		way[k] = rest[k]
		square += rest[k] * rest[k]
	}
	enough := 1e-4 * square
	// spread sets v to sum_k f_k y_k x_k and returns its bias.
	spread := func(f []float64) (bias float64) {
		clear(v)
		for k, i := range free {
			if step := f[k] * p.y[i]; step != 0 {
				p.add(v, i, step)
				bias += step
			}
		}
		if p.o.NoBias {
			return 0
		}
		return bias
	}
	for range min(longest, p.o.MaxSweeps-p.sweeps) {
		if err := ctx.Err(); err != nil {
			return p.stopped(err)
		}
		p.sweeps++
		bias := spread(way)
		curved := bias*bias + floats.Dot(v, v)
		for k, i := range free {
			turn[k] = p.y[i]*(p.product(i, v)+bias) + ridge[i]*way[k]
			curved += ridge[i] * way[k] * way[k]
		}
		if !(curved > 1e-14*floats.Dot(way, way)) {
			break
		}
		step, next := square/curved, 0.0
		for k := range free {
			path[k] += step * way[k]
			rest[k] -= step * turn[k]
			next += rest[k] * rest[k]
		}
		for k := range free {
			way[k] = rest[k] + next/square*way[k]
		}
		if square = next; square <= enough {
			break
		}
	}
	for share := 1.0; share > 1e-3; share /= 2 {
		change := 0.0 // of the dual that is minimised
		for k, i := range free {
			a := p.alpha[i]
			turn[k] = min(max(a+share*path[k], 0), upper[i]) - a
			change += turn[k] * (ridge[i]*(a+turn[k]/2) - 1)
		}
		bias := spread(turn)
		change += floats.Dot(p.w, v) + floats.Dot(v, v)/2 + bias*(p.b+bias/2)
		if !(change < 0) {
			continue
		}
		for k, i := range free {
			p.alpha[i] = min(max(p.alpha[i]+share*path[k], 0), upper[i])
		}
		floats.Add(p.w, v)
		p.b += bias
		break
	}
	return nil
}

func (p *descent) stopped(err error) error {
	return fmt.Errorf("svm.FitLinear: stopped after %d sweeps: %w", p.sweeps-1, err)
}

// certificate computes primal and dual from w and alpha.
func (p *descent) certificate() Certificate {
	norm2 := p.b * p.b
	for _, v := range p.w {
		norm2 += v * v
	}
	c := Certificate{Primal: norm2 / 2, Dual: -norm2 / 2, Pair: p.spread, Iterations: p.sweeps}
	for i, a := range p.alpha {
		if p.price[i] == 0 {
			continue
		}
		f := p.dot(i, p.w, p.b)
		reach, xi := p.y[i]*f, math.Max(0, 1-p.y[i]*f)
		c.Dual += a
		bounded := false
		if p.o.Slack == QuadraticSlack {
			c.Primal += p.price[i] / 2 * xi * xi
			c.Dual -= a * a / (2 * p.price[i])
			reach += a / p.price[i]
		} else {
			c.Primal += p.price[i] * xi
			bounded = a >= p.price[i]
		}
		switch {
		case a == 0:
			c.Violation = math.Max(c.Violation, 1-reach)
			continue
		case bounded:
			c.Bounded++
			c.Violation = math.Max(c.Violation, reach-1)
		default:
			c.Violation = math.Max(c.Violation, math.Abs(1-reach))
		}
		c.Support++
	}
	c.Gap = c.Primal - c.Dual
	return c
}

// Dim returns d.
func (m *LinearModel) Dim() int { return m.D }

// Classes returns K.
func (m *LinearModel) Classes() int { return m.K }

// Weights returns w of each machine: one of length d for two classes, K otherwise.
func (m *LinearModel) Weights() [][]float64 {
	w := make([][]float64, len(m.W))
	for i := range w {
		w[i] = slices.Clone(m.W[i])
	}
	return w
}

// Bias returns b of each machine.
func (m *LinearModel) Bias() []float64 { return slices.Clone(m.B) }

// Certificates returns the proof of optimality of each machine: its primal and dual objectives with 1/2 b^2 in both, and the sweeps it took
// as Iterations.
func (m *LinearModel) Certificates() []Certificate { return slices.Clone(m.linearState.Certificates) }

// String returns "linear svm: 2 classes, 13 features".
func (m *LinearModel) String() string {
	return fmt.Sprintf("linear svm: %d classes, %d features", m.K, m.D)
}

// Decision returns f(x) = <w, x> + b: n x 1 for two classes, positive for class 1, and n x K otherwise.
func (m *LinearModel) Decision(X mat.Matrix) (*mat.Dense, error) {
	if err := estimator.CheckWidth("svm.LinearModel.Decision", X, m.D); err != nil {
		return nil, err
	}
	rows := linearRowsOf(X)
	n, _ := X.Dims()
	F := mat.NewDense(n, len(m.W), nil)
	for i := range n {
		out := F.RawRowView(i)
		for c, w := range m.W {
			out[c] = rows.dot(i, w, m.B[c])
		}
	}
	return F, nil
}

// Predict returns the class of each row: the sign of f for two classes, the largest f otherwise.
func (m *LinearModel) Predict(X mat.Matrix) ([]int, error) {
	F, err := m.Decision(X)
	if err != nil {
		return nil, fault.In("svm.LinearModel.Predict", err)
	}
	n, _ := F.Dims()
	classes := make([]int, n)
	for i := range n {
		row := F.RawRowView(i)
		if m.K == 2 {
			if row[0] > 0 {
				classes[i] = 1
			}
			continue
		}
		classes[i] = estimator.Argmax(row)
	}
	return classes, nil
}

// MarshalBinary stores the model.
func (m *LinearModel) MarshalBinary() ([]byte, error) {
	s := m.linearState
	s.Names = m.Names
	return estimator.Encode("svm.LinearModel", modelVersion, &s)
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (m *LinearModel) UnmarshalBinary(data []byte) error {
	var s linearState
	if err := estimator.Decode(data, "svm.LinearModel", modelVersion, &s); err != nil {
		return err
	}
	machines := s.K
	if s.K == 2 {
		machines = 1
	}
	bad := s.D < 1 || s.K < 2 || len(s.W) != machines || len(s.B) != machines || len(s.Certificates) != machines
	for _, w := range s.W {
		bad = bad || len(w) != s.D
	}
	if bad {
		return fmt.Errorf("svm.LinearModel: decode: the data is damaged; fit the model again")
	}
	m.Names, m.linearState = s.Names, s
	m.linearState.Names = estimator.Names{}
	return nil
}
