package svm

import (
	"context"
	"math"

	"github.com/prlab/prlab/prl/internal/tile"
)

// An interior minimises the dual of a linear machine,
//
//	1/2 |w|^2 + sum_k ridge_k alpha_k^2/2 - alpha_k,  w = sum_k alpha_k y_k x_k,  0 <= alpha_k <= upper_k,
//
// by a primal-dual interior-point method. Its steps are few whatever C and the columns are, and each solves one system whose unknowns are
// the weights or, where these are fewer, the rows: with the gradient s - t of a point, s and t the multipliers of its bounds,
//
//	theta = ridge + s/alpha + t/(upper - alpha),  (Q + diag(theta)) step = right,  Q = Z Z^T,
//	step = (right - Z change)/theta,  (I + Z^T diag(1/theta) Z) change = Z^T (right/theta),
//
// where row k of Z is y_k x_k. Source: M. C. Ferris and T. S. Munson (2002), Interior-point methods for massive support vector machines,
// SIAM Journal on Optimization 13, 783-804, with the predictor and corrector of S. Mehrotra (1992), On the implementation of a primal-dual
// interior point method, ibid. 2, 575-601.
type interior struct {
	*descent
	compact
	bounded                           bool // whether upper is finite
	alpha, upper, ridge, curvature, y []float64
	gradient                          []float64
	s, t                              []float64 // multipliers of alpha >= 0 and of alpha <= upper
	perAlpha, perSlack, perTheta      []float64 // 1/alpha, 1/(upper - alpha), 1/theta
	right, step, reached              []float64 // Z change
	stepS, stepT                      []float64
	w, change                         []float64 // of width numbers
	room                              []float64 // of side numbers

	byRows bool      // the system has an unknown for each row
	side   int       // its number of unknowns, padded
	system []float64 // side x side, then its factor
	gram   []float64 // Q, where byRows
	scaled []float64 // a panel of rows, each times the root of its weight
}

// interiorMost is the limit on the steps, of which 10 to 20 are usual.
const interiorMost = 60

// interiorLargest is the limit on the unknowns of its system, which then takes 128 MB.
const interiorLargest = 4096

// interiorSweeps is after how many sweeps an interior-point method is taken: about a third of those that take as long as it does. So it
// never costs much where sweeps alone would do, nor do sweeps where they creep.
func (p *descent) interiorSweeps(rows int) float64 {
	if min(rows, p.d+1) > interiorLargest {
		return math.Inf(1)
	}
	n, d, length := float64(rows), float64(p.d+1), float64(p.length())
	sweep, step := n*(25+0.4*length), n*(50+0.6*length) // nanoseconds
	if p.thin != nil {
		sweep, step = n*(25+2*length), n*(60+5*length)
	}
	step += 0.01 * math.Pow(math.Min(n, d), 3)
	switch {
	case n < d:
	case p.thin != nil:
		step += 0.3 * n * length * length
	default:
		step += 0.02 * n * d * d
	}
	return 5 * step / sweep
}

// interior goes on from alpha and leaves it and w where few sweeps are left to do.
func (p *descent) interior(ctx context.Context, index []int, curvature, ridge, upper, w []float64) error {
	m := len(index)
	q := &interior{descent: p, compact: p.compact(index, len(w)), bounded: p.o.Slack == LinearSlack}
	q.byRows = m < p.d+1
	q.side = q.width
	if q.byRows {
		q.side = tile.Padded(m)
	}
	room := make([]float64, 16*m+2*q.width+q.side)
	take := func(n int) []float64 {
		part := room[:n:n]
		room = room[n:]
		return part
	}
	q.alpha, q.upper, q.ridge, q.curvature, q.y = take(m), take(m), take(m), take(m), take(m)
	q.gradient, q.s, q.t, q.perAlpha, q.perSlack, q.perTheta = take(m), take(m), take(m), take(m), take(m), take(m)
	q.right, q.step, q.reached, q.stepS, q.stepT = take(m), take(m), take(m), take(m), take(m)
	q.w, q.change, q.room = take(q.width), take(q.width), take(q.side)
	for k, i := range q.order {
		q.alpha[k], q.upper[k], q.ridge[k], q.curvature[k], q.y[k] = p.alpha[i], upper[i], ridge[i], curvature[i], p.y[i]
	}
	before := q.dual(w)
	if q.byRows {
		q.gramOfRows()
	}
	q.system = make([]float64, q.side*q.side)
	if err := q.run(ctx); err != nil {
		return err
	}
	// What ends nearer to a bound than to the inside is there.
	for k := range q.alpha {
		switch {
		case q.alpha[k]*q.curvature[k] < q.s[k]:
			q.alpha[k] = 0
		case q.bounded && (q.upper[k]-q.alpha[k])*q.curvature[k] < q.t[k]:
			q.alpha[k] = q.upper[k]
		}
	}
	q.spread(q.w, q.alpha)
	if q.dual(q.w) < before {
		for k, i := range q.order {
			p.alpha[i] = q.alpha[k]
		}
		copy(w, q.w)
	}
	return nil
}

// dual is what is minimised, with the w of alpha.
func (q *interior) dual(w []float64) float64 {
	sum := tile.Dot(w, w) / 2
	for k, a := range q.alpha {
		sum += a * (q.ridge[k]*a/2 - 1)
	}
	return sum
}

// spread sets v to sum_k f_k y_k x_k.
func (q *interior) spread(v, f []float64) {
	clear(v)
	k := 0
	for ; q.sparse == nil && k+4 <= len(f); k += 4 {
		by := [4]float64{f[k] * q.y[k], f[k+1] * q.y[k+1], f[k+2] * q.y[k+2], f[k+3] * q.y[k+3]}
		tile.AddRows(q.X[k*q.width:], q.width, v, &by)
	}
	for ; k < len(f); k++ {
		q.compact.add(v, k, f[k]*q.y[k])
	}
}

// reachAll sets each z_k to y_k <v, x_k>.
func (q *interior) reachAll(z, v []float64) {
	q.products(z, v)
	for k, y := range q.y {
		z[k] *= y
	}
}

// gramOfRows makes Q.
func (q *interior) gramOfRows() {
	m, side := len(q.order), q.side
	q.gram = make([]float64, side*side)
	if q.sparse != nil {
		g, bias := q.sparse.Gram(), 1.0
		if q.o.NoBias {
			bias = 0
		}
		for k := range m {
			for l := k; l < m; l++ {
				q.gram[k*side+l] = g.At(k, l) + bias
			}
		}
	} else {
		X := tile.Dense(q.X, m, q.width, q.width)
		tile.Dense(q.gram, m, m, side).AddUpper(1, X, X.T())
	}
	for k := range m {
		for l := k; l < m; l++ {
			q.gram[k*side+l] *= q.y[k] * q.y[l]
		}
	}
}

// prepare factors the system and reports whether it is positive definite, as it is but for rounding.
func (q *interior) prepare() bool {
	if q.byRows {
		copy(q.system, q.gram)
		for k := range q.side {
			if k < len(q.perTheta) {
				q.system[k*q.side+k] += 1 / q.perTheta[k]
			} else {
				q.system[k*q.side+k] = 1
			}
		}
		return tile.Cholesky(q.system, q.side, 0)
	}
	clear(q.system)
	if q.sparse == nil {
		q.weighted(q.perTheta)
	} else {
		for k, v := range q.perTheta {
			q.addOuter(q.system, k, v)
		}
	}
	for j := range q.side {
		q.system[j*q.side+j]++
	}
	return tile.Cholesky(q.system, q.side, 0)
}

// weighted adds sum_k h_k x_k x_k^T to the upper triangle of the system.
func (q *interior) weighted(h []float64) {
	if q.scaled == nil {
		q.scaled = make([]float64, scaledRows*q.width)
	}
	for lo := 0; lo < len(h); lo += scaledRows {
		n := min(scaledRows, len(h)-lo)
		part, rows := q.scaled[:n*q.width], q.X[lo*q.width:(lo+n)*q.width]
		for r := range n {
			root, row := math.Sqrt(h[lo+r]), rows[r*q.width:(r+1)*q.width]
			to := part[r*q.width:][:len(row)]
			for j, v := range row {
				to[j] = root * v
			}
		}
		if q.width <= narrow {
			tile.AddGram(q.system, part, n, q.width)
			continue
		}
		P := tile.Dense(part, n, q.width, q.width)
		tile.Dense(q.system, q.width, q.width, q.width).AddUpper(1, P.T(), P)
	}
}

// scaledRows is how many rows weighted takes at a time, and narrow up to how many columns of them share a cache with the system.
const scaledRows, narrow = 256, 96

// solve sets step, change and what the change reaches for what stands in right.
func (q *interior) solve() {
	if q.byRows {
		clear(q.room[copy(q.room, q.right):])
		tile.Solve(q.system, q.room)
		copy(q.step, q.room)
		q.spread(q.change, q.step)
		q.reachAll(q.reached, q.change)
		return
	}
	for k, r := range q.right {
		q.step[k] = r * q.perTheta[k]
	}
	q.spread(q.change, q.step)
	tile.Solve(q.system, q.change)
	q.reachAll(q.reached, q.change)
	for k, r := range q.right {
		q.step[k] = (r - q.reached[k]) * q.perTheta[k]
	}
}

// begin moves alpha inside its bounds, by little, and sets the gradient and multipliers.
func (q *interior) begin() {
	const inset = 0.01
	m := float64(len(q.alpha))
	mean, size := 0.0, 0.0 // of alpha and of the gradient
	for _, a := range q.alpha {
		mean += a / m
	}
	for k, a := range q.alpha {
		if q.bounded {
			q.alpha[k] = min(max(a, inset*q.upper[k]), (1-inset)*q.upper[k])
		} else {
			q.alpha[k] = max(a, inset*mean, 1e-8/q.curvature[k])
		}
	}
	q.spread(q.w, q.alpha)
	q.reachAll(q.reached, q.w)
	for k, a := range q.alpha {
		q.gradient[k] = q.reached[k] + q.ridge[k]*a - 1
		size += math.Abs(q.gradient[k]) / m
	}
	for k, g := range q.gradient {
		if q.bounded {
			q.s[k], q.t[k] = max(g, 0)+size, max(-g, 0)+size
		} else {
			q.s[k] = max(g, size)
		}
	}
}

// run takes the steps.
func (q *interior) run(ctx context.Context) error {
	q.begin()
	goal := max(q.o.Tol/10, 1e-10)
	pairs := float64(len(q.alpha))
	if q.bounded {
		pairs *= 2
	}
	for range interiorMost {
		if err := ctx.Err(); err != nil {
			return q.stopped(err)
		}
		products, worst := 0.0, 0.0
		for k, a := range q.alpha {
			g, s, t := q.gradient[k], q.s[k], q.t[k]
			q.perAlpha[k] = 1 / a
			products += a * s
			worst = larger(worst, smaller(s, a*q.curvature[k]))
			worst = larger(worst, math.Abs(g-s+t))
			theta := q.ridge[k] + s*q.perAlpha[k]
			if q.bounded {
				v := q.upper[k] - a
				q.perSlack[k] = 1 / v
				products += v * t
				worst = larger(worst, smaller(t, v*q.curvature[k]))
				theta += t * q.perSlack[k]
			}
			q.perTheta[k], q.right[k] = 1/theta, -g
		}
		if worst <= goal || q.sweeps >= q.o.MaxSweeps {
			return nil
		}
		q.sweeps++
		if !q.prepare() {
			return nil
		}
		// The predictor goes for products of zero: with it a ds + s d = -a s and, for the upper bounds, v dt - t d = -v t.
		q.solve()
		most, bent := 1.0, 0.0
		for k, d := range q.step {
			u := d * q.perAlpha[k] // d/a, and ds/s = -1 - d/a
			most = larger(larger(most, -u), 1+u)
			bent -= q.s[k] * d * (1 + u)
			if q.bounded {
				u := d * q.perSlack[k]
				most = larger(larger(most, u), 1-u)
				bent += q.t[k] * d * (1 - u)
			}
		}
		length := 1 / most
		centre := max(0, 1-length+length*length*bent/products)
		centre *= centre * centre * products / pairs
		// The corrector goes for products of centre, less what the predictor bends.
		for k, d := range q.step {
			s, per := q.s[k], q.perAlpha[k]
			f := (centre + s*d*(1+d*per)) * per
			q.stepS[k] = f - s
			q.right[k] += f
			if q.bounded {
				t, per := q.t[k], q.perSlack[k]
				f := (centre - t*d*(1-d*per)) * per
				q.stepT[k] = f - t
				q.right[k] -= f
			}
		}
		q.solve()
		most = 0
		for k, d := range q.step {
			s, u := q.s[k], d*q.perAlpha[k]
			q.stepS[k] -= s * u
			most = larger(larger(most, -u), -q.stepS[k]/s)
			if q.bounded {
				t, u := q.t[k], d*q.perSlack[k]
				q.stepT[k] += t * u
				most = larger(larger(most, u), -q.stepT[k]/t)
			}
		}
		length = min(1, 0.995/most)
		if !(length > 1e-6) {
			return nil
		}
		for k, d := range q.step {
			q.alpha[k] = min(q.alpha[k]+length*d, q.upper[k]*(1-0x1p-52)) // below the bound after rounding, too
			q.gradient[k] += length * (q.reached[k] + q.ridge[k]*d)
			q.s[k] += length * q.stepS[k]
			q.t[k] += length * q.stepT[k]
		}
	}
	return nil
}

// larger and smaller are max and min but for what is no number, and quicker.
func larger(a, b float64) float64 {
	if b > a {
		return b
	}
	return a
}

func smaller(a, b float64) float64 {
	if b < a {
		return b
	}
	return a
}
