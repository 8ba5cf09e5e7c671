package logistic

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/gauss"
	"github.com/prlab/prlab/prl/internal/share"
	"github.com/prlab/prlab/prl/internal/tile"
)

// A problem is the data of a fit: rows of positive weight, columns centred (with an intercept) and divided by their largest distance from
// the centre.
type problem struct {
	n, d, q, p    int // rows, features, classes but the first, coefficients of a class
	width         int // of a row of x: p padded
	x             []float64
	y             []int
	w             []float64 // nil: ones; the largest is 1
	unit          float64   // by which weights were divided
	offset        []float64 // of the log-odds of two classes; nil: zeros
	centre, scale []float64 // of the features
	intercept     bool
	l2            float64
	ridge         []float64 // penalty of each coefficient of a class, in the units of x and w
	kernel        []float64 // n x n, of more features than rows; else nil
}

// standardise fills x with the chosen rows.
func (p *problem) standardise(x *mat.Dense) {
	p.centre, p.scale = make([]float64, p.d), make([]float64, p.d)
	p.width = tile.Padded(p.p)
	p.x = make([]float64, p.n*p.width)
	first := p.p - p.d
	if p.intercept {
		for i := range p.n {
			floats.AddScaled(p.centre, 1/float64(p.n), x.RawRowView(i))
		}
	}
	for i := range p.n {
		row := p.x[i*p.width:]
		for j, v := range x.RawRowView(i) {
			v -= p.centre[j]
			row[first+j] = v
			p.scale[j] = max(p.scale[j], math.Abs(v))
		}
		if p.intercept {
			row[0] = 1
		}
	}
	p.ridge = make([]float64, p.p)
	for j, s := range p.scale {
		if s == 0 || s <= 1e-14*math.Abs(p.centre[j]) { // a constant, up to the rounding of its mean
			p.scale[j], s = 1, 0
		}
		inverse := 0.0
		if s > 0 {
			inverse = 1 / s
		}
		for i := range p.n {
			p.x[i*p.width+first+j] *= inverse
		}
		p.ridge[first+j] = p.l2 / p.unit / p.scale[j] / p.scale[j]
		if math.IsInf(p.ridge[first+j], 0) {
			p.ridge[first+j] = math.MaxFloat64 / 1e10
		}
	}
}

// weight returns the weight of row i.
func (p *problem) weight(i int) float64 {
	if p.w == nil {
		return 1
	}
	return p.w[i]
}

func (p *problem) total() float64 {
	if p.w == nil {
		return float64(p.n)
	}
	return floats.Sum(p.w)
}

func (p *problem) row(i int) []float64 { return p.x[i*p.width : i*p.width+p.p] }

// inside writes coefficients of the features as coefficients of x.
func (p *problem) inside(to, theta []float64) {
	first := p.p - p.d
	for a := range p.q {
		in, out := theta[a*p.p:(a+1)*p.p], to[a*p.p:(a+1)*p.p]
		copy(out, in)
		for j := range p.d {
			out[first+j] = in[first+j] * p.scale[j]
			if p.intercept {
				out[0] += in[first+j] * p.centre[j]
			}
		}
	}
}

// outside is the inverse of inside.
func (p *problem) outside(theta []float64) []float64 {
	out := make([]float64, len(theta))
	first := p.p - p.d
	for a := 0; a < len(theta); a += p.p {
		out[a] = theta[a]
		for j := range p.d {
			w := theta[a+first+j] / p.scale[j]
			out[a+first+j] = w
			if p.intercept {
				out[a] -= w * p.centre[j]
			}
		}
	}
	return out
}

// independent reports columns that are combinations of others, by the factorisation of their Gram matrix with pivots.
func (p *problem) independent(name string) error {
	gram := make([]float64, p.width*p.width)
	tile.AddGram(gram, p.x, p.n, p.width)
	left := make([]float64, p.p)
	for j := range left {
		left[j] = gram[j*p.width+j]
	}
	whole := append([]float64(nil), left...)
	used := make([]bool, p.p)
	factor := make([][]float64, 0, p.p) // rows of the factor, by column of x
	for range p.p {
		best := -1
		for j := range left {
			if !used[j] && (best < 0 || left[j] > left[best]) {
				best = j
			}
		}
		if left[best] <= 1e-12*whole[best] || whole[best] == 0 {
			what := "the intercept"
			if j := best - (p.p - p.d); j >= 0 {
				what = fmt.Sprintf("column %d", j)
			}
			return fault.Argument(name, "X", what+", a combination of the others",
				"columns of which none is constant or a combination of others (and at least as many rows)", "leave it out, or set L2 above 0")
		}
		used[best] = true
		pivot := math.Sqrt(left[best])
		line := make([]float64, p.p)
		for j := range line {
			if used[j] {
				continue
			}
			v := gram[min(j, best)*p.width+max(j, best)]
			for _, f := range factor {
				v -= f[best] * f[j]
			}
			line[j] = v / pivot
			left[j] -= line[j] * line[j]
		}
		line[best] = pivot
		factor = append(factor, line)
	}
	return nil
}

// A state is a place on the hill with the slope and the curvature there.
type state struct {
	theta      []float64
	value      float64 // log-likelihood less the penalty
	gradient   []float64
	hessian    []float64 // minus the second derivatives, q p x q p, full; nil beside a kernel
	shares     []float64 // n (q+1) probabilities, beside a kernel
	least      float64   // the smallest w_i p(k | x_i) of a wrong class k
	iterations int
}

func (p *problem) newState() *state {
	size := p.q * p.p
	s := &state{theta: make([]float64, size), gradient: make([]float64, size)}
	if p.kernel != nil {
		s.shares = make([]float64, p.n*(p.q+1))
	} else {
		s.hessian = make([]float64, size*size)
	}
	return s
}

// chunk is the number of rows of which sums are made at the least before they are added up, in an order that does not depend on the number
// of processors.
const chunk = 4096

// batch is the number of rows that are weighed at a time.
const batch = 64

// evaluate fills s at theta; the slope and the curvature only where they are asked for.
func (p *problem) evaluate(s *state, theta []float64, curved bool) {
	if &s.theta[0] != &theta[0] {
		copy(s.theta, theta)
	}
	size := max(chunk, (p.n+31)/32)
	chunks := (p.n + size - 1) / size
	sums := make([]*sum, chunks)
	cost := float64(p.n) * float64(p.q) * (20 + float64(p.p))
	if curved && p.kernel == nil {
		cost += float64(p.n) * float64(p.q*p.q) * float64(p.p*p.p) / 8
	}
	share.Turns(share.Workers(chunks, cost), chunks, func(_, c int) {
		sums[c] = p.part(theta, c*size, min((c+1)*size, p.n), curved, s.shares)
	})
	s.value, s.least = 0, math.Inf(1)
	for _, part := range sums {
		s.value += part.value
		s.least = min(s.least, part.least)
	}
	lines := make([]float64, len(theta)) // ridge times theta, centred over the classes where there are more than two
	for j, r := range p.ridge {
		if r == 0 {
			continue
		}
		mean := 0.0
		if p.q > 1 {
			for a := range p.q {
				mean += theta[a*p.p+j] / float64(p.q+1)
			}
		}
		for a := range p.q {
			lines[a*p.p+j] = r * (theta[a*p.p+j] - mean)
		}
	}
	s.value -= floats.Dot(lines, theta) / 2
	if !curved {
		return
	}
	for i := range s.gradient {
		s.gradient[i] = -lines[i]
	}
	for _, part := range sums {
		floats.Add(s.gradient, part.gradient)
	}
	if p.kernel == nil {
		p.sumCurvature(s.hessian, sums)
	}
}

// sumCurvature fills a matrix with minus the second derivatives.
func (p *problem) sumCurvature(hessian []float64, sums []*sum) {
	clear(hessian)
	full := p.q * p.p
	for _, part := range sums {
		block := 0
		for a := range p.q {
			for b := a; b < p.q; b++ {
				h := part.hessian[block*p.width*p.width:]
				for i := range p.p {
					from := 0
					if a == b {
						from = i
					}
					for j := from; j < p.p; j++ {
						hessian[(a*p.p+i)*full+b*p.p+j] += h[i*p.width+j]
					}
				}
				block++
			}
		}
	}
	for j, r := range p.ridge {
		for a := range p.q {
			for b := a; b < p.q; b++ {
				v := 0.0
				if a == b {
					v = r
				}
				if p.q > 1 {
					v -= r / float64(p.q+1)
				}
				hessian[(a*p.p+j)*full+b*p.p+j] += v
			}
		}
	}
	for i := range full {
		for j := range i {
			hessian[i*full+j] = hessian[j*full+i]
		}
	}
}

type sum struct {
	value, least      float64
	gradient, hessian []float64
}

// part is the sum over the rows from ... to-1. Beside a kernel it fills in their probabilities.
func (p *problem) part(theta []float64, from, to int, curved bool, shares []float64) *sum {
	out := &sum{least: math.Inf(1)}
	var weighed []float64
	if curved {
		out.gradient = make([]float64, p.q*p.p)
	}
	if curved && p.kernel == nil {
		out.hessian = make([]float64, p.q*(p.q+1)/2*p.width*p.width)
		weighed = make([]float64, batch*p.width)
	}
	probabilities := make([]float64, batch*p.q)
	z := make([]float64, p.q+1)
	for lo := from; lo < to; lo += batch {
		m := min(batch, to-lo)
		if p.q == 1 {
			p.pair(out, theta, lo, m, probabilities, shares)
			if out.hessian != nil {
				p.curve(out.hessian, weighed, probabilities, lo, m)
			}
			continue
		}
		for r := range m {
			i := lo + r
			x := p.row(i)
			z[0] = 0
			for a := range p.q {
				z[a+1] = floats.Dot(x, theta[a*p.p:(a+1)*p.p])
			}
			own, w := z[p.y[i]], p.weight(i)
			out.value += w * (own - gauss.Softmax(z))
			for k, v := range z {
				if k != p.y[i] {
					out.least = min(out.least, w*v)
				}
			}
			copy(probabilities[r*p.q:], z[1:])
			if !curved {
				continue
			}
			if p.kernel != nil {
				copy(shares[i*len(z):], z)
			}
			for a := range p.q {
				residual := -z[a+1]
				if p.y[i] == a+1 {
					residual = others(z, a+1)
				}
				floats.AddScaled(out.gradient[a*p.p:(a+1)*p.p], w*residual, x)
			}
		}
		if out.hessian != nil {
			p.curve(out.hessian, weighed, probabilities, lo, m)
		}
	}
	return out
}

// pair is the part of m rows of two classes. With t the log-odds and e = exp(-|t|), which does not overflow, the probabilities are
// 1/(1 + e) and e/(1 + e), and rows of weight one take one logarithm for all, of the product of 1 + e.
func (p *problem) pair(out *sum, theta []float64, lo, m int, probabilities, shares []float64) {
	var t, e [batch]float64
	for r := range m {
		t[r] = floats.Dot(p.row(lo+r), theta)
		if p.offset != nil {
			t[r] += p.offset[lo+r]
		}
		e[r] = -math.Abs(t[r])
	}
	tile.Exp(e[:m])
	product := 1.0
	for r := range m {
		i, w := lo+r, p.weight(lo+r)
		z := [2]float64{e[r] / (1 + e[r]), 1 / (1 + e[r])}
		if t[r] < 0 {
			z[0], z[1] = z[1], z[0]
		}
		own := p.y[i]
		wrong := z[1-own]
		if (t[r] > 0) != (own == 1) {
			out.value -= w * math.Abs(t[r])
		}
		if p.w == nil {
			product *= 1 + e[r]
		} else {
			out.value -= w * math.Log1p(e[r])
		}
		out.least = min(out.least, w*wrong)
		probabilities[r] = z[1]
		if out.gradient == nil {
			continue
		}
		if p.kernel != nil {
			copy(shares[2*i:], z[:])
		}
		if own == 0 {
			wrong = -wrong
		}
		floats.AddScaled(out.gradient, w*wrong, p.row(i))
	}
	out.value -= math.Log(product)
}

// others returns 1 - z_k as the sum of the others, which is exact where z_k is nearly 1.
func others(z []float64, k int) float64 {
	sum := 0.0
	for j, v := range z {
		if j != k {
			sum += v
		}
	}
	return sum
}

// curve adds the second derivatives of m rows.
func (p *problem) curve(hessian, weighed, probabilities []float64, lo, m int) {
	rows := p.x[lo*p.width : (lo+m)*p.width]
	block := 0
	for a := range p.q {
		for b := a; b < p.q; b++ {
			h := hessian[block*p.width*p.width : (block+1)*p.width*p.width]
			block++
			for r := range m {
				pa, pb := probabilities[r*p.q+a], probabilities[r*p.q+b]
				c := -p.weight(lo+r) * pa * pb
				if a == b {
					c = math.Sqrt(p.weight(lo+r) * pa * (1 - pa))
				}
				in, out := rows[r*p.width:(r+1)*p.width], weighed[r*p.width:(r+1)*p.width]
				for j, v := range in {
					out[j] = c * v
				}
			}
			if a == b {
				tile.AddGram(h, weighed, m, p.width)
			} else {
				tile.AddOuter(h, weighed, rows, m, p.width)
			}
		}
	}
}

// vanished is the share of a second derivative below which what is left of it is rounding.
const vanished = 1e-15

// step solves hessian delta = gradient. Where the curvature has vanished in float64 delta leads uphill instead.
func (p *problem) step(s *state, delta []float64) {
	if p.kernel != nil {
		if !p.wideStep(s, delta) {
			p.uphill(s, delta)
		}
		return
	}
	size := len(delta)
	trace := 0.0
	for i := range size {
		trace += s.hessian[i*size+i]
	}
	factor := tile.Pad(s.hessian, size)
	if trace > 1e-12*p.total() && tile.Cholesky(factor, tile.Padded(size), vanished) {
		copy(delta, s.gradient)
		tile.Solve(factor, delta)
		return
	}
	p.uphill(s, delta)
}

// uphill fills delta with the direction of the gradient, as long as theta is from 0; the line search shortens it.
func (p *problem) uphill(s *state, delta []float64) {
	copy(delta, s.gradient)
	if steep := floats.Norm(s.gradient, 2); steep > 0 {
		floats.Scale(max(1, floats.Norm(s.theta, 2))/steep, delta)
	}
}

// covariance returns the inverse of minus the second derivatives for the coefficients of the features; nil where there is none.
func (p *problem) covariance(hessian []float64) []float64 {
	size := p.q * p.p
	factor := tile.Pad(hessian, size)
	if !tile.Cholesky(factor, tile.Padded(size), vanished) {
		return nil
	}
	inverse := make([]float64, size*size)
	for i := range size { // rows of the inverse are its columns
		row := inverse[i*size : (i+1)*size]
		row[i] = 1 / p.unit
		tile.Solve(factor, row)
		copy(row, p.outside(row))
	}
	column := make([]float64, size)
	for j := range size {
		for i := range size {
			column[i] = inverse[i*size+j]
		}
		for i, v := range p.outside(column) {
			inverse[i*size+j] = v
		}
	}
	for i := range size {
		for j := range i {
			v := (inverse[i*size+j] + inverse[j*size+i]) / 2
			inverse[i*size+j], inverse[j*size+i] = v, v
		}
	}
	return inverse
}
