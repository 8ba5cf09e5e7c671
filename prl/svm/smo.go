package svm

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/tile"
	"github.com/prlab/prlab/prl/kernel"
)

// tau, times the largest K_ii where that is below one, replaces a curvature K_ii + K_jj - 2 K_ij that is not positive: equal points, or a
// function that is no kernel.
const tau = 1e-12

// A problem is a dual in signed variables, for two classes beta_i = alpha_i y_i:
//
//	maximise  sum_i y_i beta_i - tube sum_i |beta_i| - 1/2 sum_ij beta_i beta_j (K_ij + ridge_i delta_ij)
//	subject to lower_i <= beta_i <= upper_i and, with bias, sum_i beta_i = what it is at the start;
//	with balances also sum_i |beta_i| = what it is at the start, where each box lies on one side of zero.
//
// The signs disappear from the inner loops, and a step on a pair is "beta_i up by d, beta_j down by d". The slope of the objective in
// beta_i differs from the gradient e_i of its smooth part by a number that depends on beta_i only: -tube above zero, +tube below, and at
// zero -tube upwards and +tube downwards. A step ends at zero at the latest.
type problem struct {
	fn           string // for errors
	work         *workspace
	rows         *kernel.Rows
	y            []float64
	lower, upper []float64
	ridge        []float64 // nil for none
	bias         bool
	tube         float64 // half the width of the zone of regression in which errors cost nothing
	balances     bool    // two balances: of the variables above zero, and of those below
	floor        float64 // with balances: tol is a share of the margin, or of floor where that is larger; 0 means that tol is absolute
	scale        float64 // of the bounds, where Nu changed it
	relative     bool    // tol is a share of the size of the gradient at the start
	// multipliers to start from and their gradient, in the given order of points; nil starts at zero, and a nil gradient is computed
	start, gradient []float64

	tol     float64
	maxIter int
	bytes   int
	shrink  bool
	step    func(*solution, int, int, float64) // after each step, in the given order of points
	report  func(iteration int, dual float64)
}

// A solution holds, point by point, the signed dual variables and e_i = y_i - sum_j beta_j (K_ij + ridge_i delta_ij), the gradient.
type solution struct {
	beta, e    []float64
	hi, lo     float64 // max e over the points that may go up, min e over those that may go down: the KKT violation is hi - lo
	dual       float64
	iterations int
	values     int          // kernel values computed
	room       [2][]float64 // vectors that the solver does not need any more
}

// An IterationError says that a fit had not converged after the allowed number of steps, and hands over the model reached: its certificates
// say how far from the optimum each machine is at most. With more than two classes the other machines were trained all the same; the
// numbers are those of the worst.
type IterationError struct {
	Func       string // "svm.Fit", say
	Iterations int
	Unit       string  // "steps" of SMO, "sweeps" over the rows
	Violation  float64 // of the KKT conditions by the worst pair
	Tol        float64
	Remedy     string

	Model     *Model       // what Fit has reached; nil after other fits, and after LeaveOneOutErrors
	Linear    *LinearModel // what FitLinear has reached
	Regressor *Regressor   // what FitRegression has reached
	OneClass  *OneClass    // what FitOneClass has reached
}

// Error names the numbers and the ways out.
func (e *IterationError) Error() string {
	return fmt.Sprintf(
		"%s: no convergence after %d %s: the KKT conditions are violated by %.3g, the tolerance is %.3g; %s",
		e.Func,
		e.Iterations,
		e.Unit,
		e.Violation,
		e.Tol,
		e.Remedy,
	)
}

// exhausted is the error of a problem that MaxIter steps did not solve. Without bounds the multipliers of points that can hardly be
// separated grow large, which takes many steps.
func (p *problem) exhausted(iterations int, violation float64) error {
	remedy := "standardise the columns, lower C, or raise MaxIter or Tol"
	switch {
	case p.floor > 0: // classes with Nu have no C to lower
		remedy = "raise Nu, for the reduced convex hulls of the classes nearly meet, or raise MaxIter or Tol"
	case p.ridge == nil && math.IsInf(p.upper[0]-p.lower[0], 1):
		remedy = "standardise the columns, allow slack (C = 1000, say), or raise MaxIter or Tol"
	}
	return &IterationError{Func: p.fn, Iterations: iterations, Unit: "steps", Violation: violation, Tol: p.tol, Remedy: remedy}
}

// worse returns the IterationError of the two of which the violation is larger; either may be nil.
func worse(a, b *IterationError) *IterationError {
	if a == nil || b != nil && b.Violation > a.Violation {
		return b
	}
	return a
}

// solve stores rows in double precision while a whole matrix of them takes at most 4 MB, and in single precision beyond, as LIBSVM does.
// With an *IterationError it returns the solution reached as well.
func (p *problem) solve(ctx context.Context) (*solution, error) {
	if n := len(p.y); 8*n*n <= 4<<20 {
		return newSolver(p, 8, &p.work.double).run(ctx)
	}
	return newSolver(p, 4, &p.work.single).run(ctx)
}

// astray is the error for a gradient that is not finite, which hides every partner from the search: kernel values that are not finite, or a
// dual without a maximum.
func (s *solver[F]) astray(row []F) error {
	finite := true
	for _, k := range row {
		finite = finite && k-k == 0
	}
	for _, k := range s.diag {
		finite = finite && k-k == 0
	}
	if !finite {
		return fault.Argument(s.fn, "kernel matrix", "not finite", "made of finite numbers",
			"standardise the columns, or lower the degree of the kernel")
	}
	return s.indefinite()
}

// indefinite is the error for a dual without a maximum.
func (s *solver[F]) indefinite() error {
	return fault.Argument(s.fn, "kernel matrix", "not positive semi-definite, so that the dual objective grows without bound",
		"that of a kernel",
		"take linear slack, which bounds the multipliers, or another kernel; kernel.PSD tells")
}

// A solver keeps the points that are still in play at places 0 ... active-1; perm tells which point is at a place.
type solver[F float32 | float64] struct {
	*problem
	n, active    int
	perm         []int
	beta, e      []float64
	lower, upper []float64
	up, down     []float64    // the slope up (down) less e, -Inf (+Inf) where beta may not go, which hides the point from the search
	below        [2][]float64 // up and down of the variables below zero, when there are balances: up and down then hide these
	diag, ridge  []float64
	tau          float64
	cache        *cache[F]
	dual         float64
	most         float64 // the dual reaches no more with a positive semi-definite matrix; infinite without a ridge
}

// newSolver starts at beta = 0, or where the problem says. It takes the bounds of the problem as its own until the end of the run, and
// leaves its cache at old for the next.
func newSolver[F float32 | float64](p *problem, size int, old **cache[F]) *solver[F] {
	n := len(p.y)
	vector := func(from []float64) []float64 {
		v := p.work.vector()
		copy(v, from)
		return v
	}
	*old = newCache(n, (p.bytes-cacheOverhead*n)/size, *old)
	s := &solver[F]{
		problem: p, n: n, active: n, perm: p.work.perm, beta: vector(nil), e: vector(p.y), lower: p.lower, upper: p.upper,
		up: vector(nil), down: vector(nil), diag: vector(nil), ridge: vector(p.ridge), cache: *old,
	}
	for i := range n {
		s.perm[i] = i
		s.diag[i] = p.rows.Diag(i) + s.ridge[i]
	}
	if p.balances {
		for side := range s.below {
			s.below[side] = make([]float64, n)
		}
	}
	if p.start != nil {
		copy(s.beta, p.start)
	}
	if p.gradient != nil {
		for i, b := range p.start {
			s.e[i] = p.gradient[i]
			s.dual += b*(p.y[i]+p.gradient[i])/2 - p.tube*math.Abs(b)
		}
	}
	for i := range n {
		s.mask(i)
	}
	s.tau = smallest(s.diag)
	// Without K, which only takes away, the dual is sum_i y_i beta_i - ridge_i beta_i^2/2, at most half of this. The other half is for
	// rounding.
	if s.most = math.Inf(1); p.ridge != nil {
		s.most = 0
		for i, y := range p.y {
			s.most += y * y / p.ridge[i]
		}
	}
	return s
}

// smallest returns the least curvature that counts as positive, given all K_ii.
func smallest(diag []float64) float64 {
	if scale := slices.Max(diag); scale > 0 && scale < 1 {
		return max(tau*scale, math.SmallestNonzeroFloat64)
	}
	return tau
}

// mask notes which way beta_i may go.
func (s *solver[F]) mask(i int) {
	up, down := 0-s.tube, s.tube // 0 less 0 is +0
	switch {
	case s.beta[i] > 0:
		down = up
	case s.beta[i] < 0:
		up = s.tube
	}
	if s.beta[i] >= s.upper[i] {
		up = math.Inf(-1)
	}
	if s.beta[i] <= s.lower[i] {
		down = math.Inf(1)
	}
	if s.balances {
		if s.upper[i] <= 0 {
			s.below[0][i], s.below[1][i] = up, down
			up, down = math.Inf(-1), math.Inf(1)
		} else {
			s.below[0][i], s.below[1][i] = math.Inf(-1), math.Inf(1)
		}
	}
	s.up[i], s.down[i] = up, down
}

// ceiling returns how far beta_i may go up before its slope changes.
func (s *solver[F]) ceiling(i int) float64 {
	if s.tube > 0 && s.beta[i] < 0 {
		return min(s.upper[i], 0)
	}
	return s.upper[i]
}

// bottom returns how far beta_i may go down before its slope changes.
func (s *solver[F]) bottom(i int) float64 {
	if s.tube > 0 && s.beta[i] > 0 {
		return max(s.lower[i], 0)
	}
	return s.lower[i]
}

// row returns K_it + ridge_i delta_it for the places t < need.
func (s *solver[F]) row(i, need int) []F {
	if (need > small || need*s.rows.Dim() > atHand) && s.rows.Grouped() && s.cache.peek(s.perm[i]) == nil && s.cache.limit >= 8*group*s.n {
		s.ahead(i, need)
	}
	return s.cache.get(s.perm[i], need, func(dst []F, from, to int) { s.fill(dst, i, from, to) })
}

// group is how many rows are computed together, so that the points are read from memory once for all of them, and atHand is how many
// numbers of few points are so near to the processor that it does not matter.
const group, atHand = 8, 1 << 17

// ahead computes row i, and with it those of the points that violate the conditions most, of both kinds, which will soon be asked for.
func (s *solver[F]) ahead(i, need int) {
	var most, least [group / 2]int // places by falling and by rising e
	var high, low [group / 2]float64
	for r := range most {
		most[r], least[r], high[r], low[r] = -1, -1, math.Inf(-1), math.Inf(1)
	}
	const last = group/2 - 1
	e := s.e[:need]
	for t, v := range e {
		if u := v + s.up[t]; u > high[last] && t != i && s.cache.peek(s.perm[t]) == nil {
			r := last
			for ; r > 0 && u > high[r-1]; r-- {
				most[r], high[r] = most[r-1], high[r-1]
			}
			most[r], high[r] = t, u
		}
		if u := v + s.down[t]; u < low[last] && t != i && s.cache.peek(s.perm[t]) == nil {
			r := last
			for ; r > 0 && u < low[r-1]; r-- {
				least[r], low[r] = least[r-1], low[r-1]
			}
			least[r], low[r] = t, u
		}
	}
	places := make([]int, 0, group)
	for r := range most {
		for _, t := range []int{most[r], least[r]} {
			if t >= 0 && len(places) < group-1 && !slices.Contains(places, t) {
				places = append(places, t)
			}
		}
	}
	places = append(places, i) // last, to be the most recent
	rows := make([][]F, len(places))
	for r, t := range places {
		rows[r] = s.cache.get(s.perm[t], need, func([]F, int, int) {})
	}
	kernel.FillGroup(s.rows, rows, places, 0)
	for r, t := range places {
		rows[r][t] += F(s.ridge[t])
	}
}

func (s *solver[F]) fill(dst []F, i, from, to int) {
	switch dst := any(dst).(type) {
	case []float32:
		s.rows.FillSingle(dst, i, from, to)
	case []float64:
		s.rows.Fill(dst, i, from, to)
	}
	if i >= from && i < to {
		dst[i-from] += F(s.ridge[i])
	}
}

// patience is the number of steps between two looks at the context, a power of two: each step may compute a row of n kernel values.
func patience(n int) int {
	steps := 256
	for steps > 1 && steps*n > 1<<20 {
		steps /= 2
	}
	return steps
}

// look is called every patience(n) steps: it ends with the context, reports the dual objective, and refuses a dual without a maximum.
func (s *solver[F]) look(ctx context.Context, iteration int) error {
	if err := ctx.Err(); err != nil {
		return s.stopped(iteration, err)
	}
	if s.report != nil && iteration > 0 && iteration%1024 == 0 {
		s.report(iteration, s.dual)
	}
	if s.dual > s.most {
		return s.indefinite()
	}
	return nil
}

func (s *solver[F]) run(ctx context.Context) (*solution, error) {
	if s.start != nil && s.gradient == nil {
		if err := s.settle(ctx); err != nil {
			return nil, err
		}
	}
	switch {
	case !s.bias:
		return s.runUnbiased(ctx)
	case s.balances:
		return s.runBalances(ctx)
	}
	period := min(s.n, 1000)
	untilShrink, unshrunk := period, false
	i, hi, lo := widest(s.e, s.up, s.down)
	iteration := 0
	for {
		if untilShrink--; untilShrink <= 0 {
			untilShrink = period
			if s.shrink {
				if !unshrunk && hi-lo <= 10*s.tol && s.active < s.n { // near the end: look at everything once more
					unshrunk = true
					if err := s.unshrink(ctx, iteration); err != nil {
						return nil, err
					}
					i, hi, lo = widest(s.e, s.up, s.down)
				}
				if s.remove(func(t int) bool { return s.idle(t, s.up, s.down, hi, lo) }) {
					i, hi, lo = widest(s.e[:s.active], s.up, s.down)
				}
			}
		}
		if hi-lo <= s.tol {
			if s.active == s.n {
				break
			}
			if err := s.unshrink(ctx, iteration); err != nil {
				return nil, err
			}
			i, hi, lo = widest(s.e, s.up, s.down)
			untilShrink = 1
			if hi-lo <= s.tol {
				break
			}
		}
		if iteration == s.maxIter {
			if s.active < s.n {
				if err := s.unshrink(ctx, iteration); err != nil {
					return nil, err
				}
				_, hi, lo = widest(s.e, s.up, s.down)
			}
			return s.restore(hi, lo, iteration), s.exhausted(iteration, hi-lo)
		}
		if iteration%patience(s.n) == 0 {
			if err := s.look(ctx, iteration); err != nil {
				return nil, err
			}
		}

		ki := s.row(i, s.active)
		j := tile.Partner(s.e[:s.active], s.down, s.diag, ki, s.diag[i], hi, s.tau)
		if j < 0 {
			return nil, s.astray(ki)
		}
		kj := s.row(j, s.active)
		d := s.move(i, j, float64(ki[j]), hi-(s.e[j]+s.down[j]))
		was, with := i, j
		i, hi, lo = tile.Step(s.e[:s.active], s.up, s.down, ki, kj, d) // in the same pass over memory, the first of the next pair
		iteration++
		if s.step != nil {
			s.step(s.solution(hi, lo, iteration), was, with, d)
		}
	}
	if math.IsInf(hi, -1) && !hidden(s.up) || math.IsInf(lo, 1) && !hidden(s.down) { // the gradient is not a number
		return nil, s.astray(s.row(i, s.active))
	}
	if s.report != nil {
		s.report(iteration, s.dual)
	}
	return s.restore(hi, lo, iteration), nil
}

// settle computes the gradient at the start, and the objective there.
func (s *solver[F]) settle(ctx context.Context) error {
	s.active = 0
	if err := s.unshrink(ctx, 0); err != nil {
		return err
	}
	for i, b := range s.beta {
		s.dual += b*(s.y[i]+s.e[i])/2 - s.tube*math.Abs(b)
	}
	if s.relative {
		size := 0.0
		for _, e := range s.e {
			size += math.Abs(e) / float64(s.n)
		}
		s.tol *= size
	}
	return nil
}

// move takes the best step on a pair, beta_i up and beta_j down, and returns its length. kij is the kernel value of the two, and b > 0 the
// slope of the objective along the step.
func (s *solver[F]) move(i, j int, kij, b float64) float64 {
	a := s.diag[i] + s.diag[j] - 2*kij
	if !(a > s.tau) {
		a = s.tau
	}
	d := b / a
	upper, lower := s.ceiling(i), s.bottom(j)
	if room := min(upper-s.beta[i], s.beta[j]-lower); d >= room { // stop at the nearer side of the box, exactly
		d = room
		if upper-s.beta[i] <= s.beta[j]-lower {
			s.beta[j] = max(s.beta[j]-d, lower)
			s.beta[i] = upper
		} else {
			s.beta[i] = min(s.beta[i]+d, upper)
			s.beta[j] = lower
		}
	} else {
		s.beta[i] += d
		s.beta[j] -= d
	}
	s.dual += d * (b - d*a/2)
	s.mask(i)
	s.mask(j)
	return d
}

// hidden reports whether no point may go the way of the mask.
func hidden(mask []float64) bool {
	return !slices.ContainsFunc(mask, func(v float64) bool { return !math.IsInf(v, 0) })
}

// widest finds the point that may go up with the largest e, and the smallest e among those that may go down.
func widest(e, up, down []float64) (first int, hi, lo float64) {
	hi, lo = math.Inf(-1), math.Inf(1)
	for t, v := range e {
		if u := v + up[t]; u > hi {
			hi, first = u, t
		}
		if u := v + down[t]; u < lo {
			lo = u
		}
	}
	return first, hi, lo
}

// idle reports whether no pair of the present violation would move the point: what keeps it may be a bound, or the tube about it.
func (s *solver[F]) idle(t int, up, down []float64, hi, lo float64) bool {
	return s.e[t]+up[t] < lo && s.e[t]+down[t] > hi
}

// remove takes the idle points out of play.
func (s *solver[F]) remove(idle func(t int) bool) bool {
	count := 0
	for t := range s.active {
		if idle(t) {
			count++
		}
	}
	if count == 0 || count < s.active/10 { // not worth rearranging the cache
		return false
	}
	swaps := s.work.swaps[:0]
	for t := 0; t < s.active; t++ {
		if !idle(t) {
			continue
		}
		s.active--
		for s.active > t && idle(s.active) {
			s.active--
		}
		if s.active > t {
			s.exchange(t, s.active)
			swaps = append(swaps, [2]int{t, s.active})
		}
	}
	s.cache.swap(swaps)
	s.work.swaps = swaps
	return true
}

func (s *solver[F]) exchange(a, b int) {
	for _, v := range [][]float64{s.beta, s.e, s.lower, s.upper, s.up, s.down, s.diag, s.ridge} {
		v[a], v[b] = v[b], v[a]
	}
	if s.balances {
		for _, v := range s.below {
			v[a], v[b] = v[b], v[a]
		}
	}
	s.perm[a], s.perm[b] = s.perm[b], s.perm[a]
	s.rows.Swap(a, b)
}

// unshrink brings all points back, with the gradient of those that were out computed again. Rows that are short stay so: soon most points
// are out again, and few rows are asked for meanwhile. With very many support vectors that takes long; it stops with the wrapped error of
// ctx, and the state is then of no use.
func (s *solver[F]) unshrink(ctx context.Context, iteration int) error {
	if s.active == s.n {
		return nil
	}
	from := s.active
	for t := from; t < s.n; t++ {
		s.e[t] = s.y[s.perm[t]]
	}
	// Tails of rows, some at a time: stored ones, and those computed together.
	most := 1
	if s.rows.Grouped() {
		most = 2 * group
	}
	places, tails := make([]int, 0, most), make([][]F, 0, most)
	absent, room := make([]int, 0, most), make([][]F, most)
	room[0] = s.cache.scratch[:s.n-from]
	every, count := patience(s.n), 0
	take := func() {
		switch {
		case len(absent) == 1:
			s.fill(room[0], absent[0], from, s.n)
		case len(absent) > 1:
			kernel.FillGroup(s.rows, room[:len(absent)], absent, from)
			for r, j := range absent {
				if j >= from {
					room[r][j-from] += F(s.ridge[j])
				}
			}
		}
		s.cache.computed += len(absent) * (s.n - from)
		e := s.e[from:]
		for r, j := range places {
			b := s.beta[j]
			for t, k := range tails[r] {
				e[t] -= b * float64(k)
			}
		}
		places, tails, absent = places[:0], tails[:0], absent[:0]
	}
	for j, b := range s.beta {
		if b == 0 {
			continue
		}
		if count++; count%every == 0 {
			if err := ctx.Err(); err != nil {
				return s.stopped(iteration, err)
			}
		}
		places = append(places, j)
		if row := s.cache.peek(s.perm[j]); len(row) == s.n {
			tails = append(tails, row[from:])
		} else {
			if room[len(absent)] == nil {
				room[len(absent)] = make([]F, s.n-from)
			}
			tails = append(tails, room[len(absent)])
			absent = append(absent, j)
		}
		if len(places) == most {
			take()
		}
	}
	take()
	s.active = s.n
	return nil
}

func (p *problem) stopped(iteration int, err error) error {
	return fmt.Errorf("%s: stopped after %d steps: %w", p.fn, iteration, err)
}

// solution views the present state; it is in the given order only while nothing was shrunk.
func (s *solver[F]) solution(hi, lo float64, iterations int) *solution {
	return &solution{beta: s.beta, e: s.e, hi: hi, lo: lo, dual: s.dual, iterations: iterations, values: s.cache.computed}
}

// restore returns the state, and the bounds to the problem, in the given order of points.
func (s *solver[F]) restore(hi, lo float64, iterations int) *solution {
	for _, v := range [][]float64{s.beta, s.e, s.lower, s.upper} {
		mixed := s.up // not needed any more
		copy(mixed, v)
		for t, p := range s.perm {
			v[p] = mixed[t]
		}
	}
	out := s.solution(hi, lo, iterations)
	out.room = [2][]float64{s.up, s.down}
	return out
}
