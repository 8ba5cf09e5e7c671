package logistic

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/prlab/prlab/prl/internal/tile"
)

// widen finds the kernel of more features than rows, K = Z R^-1 Z^T of their columns Z and penalties R. A step then solves equations of n q
// unknowns instead of p q.
func (p *problem) widen() {
	if p.n >= p.p || p.l2 == 0 {
		return
	}
	first := p.p - p.d
	scaled := make([]float64, p.n*p.d)
	for j, r := range p.ridge[first:] {
		by := 1 / math.Sqrt(r)
		for i := range p.n {
			scaled[i*p.d+j] = by * p.x[i*p.width+first+j]
		}
	}
	kernel, z := make([]float64, p.n*p.n), tile.Dense(scaled, p.n, p.d, p.d)
	tile.Dense(kernel, p.n, p.n, p.n).AddUpper(1, z, z.T())
	for i := range p.n {
		for j := range i {
			kernel[i*p.n+j] = kernel[j*p.n+i]
		}
		if v := kernel[i*p.n+i]; !(v < 1e15) { // beyond, the formula is mostly rounding; no entry is larger than the diagonal's largest
			return
		}
	}
	p.kernel = kernel
}

// wideStep solves (Z^T W Z + R) delta = g by the formula of Woodbury. With the root L of W, which is W_i = L_i L_i^T of q classes for each
// row, and the intercepts E,
//
//	M = 1 + L^T K L,  c = L^T Z R^-1 g,  u = M^-1 (c + L^T E delta_0),  delta = R^-1 (g - Z^T L u),
//	E^T L M^-1 L^T E delta_0 = g_0 - E^T L M^-1 c.
//
// M has no eigenvalue below one. The first derivatives are those of the rows, so that what rounding takes from one step the next one gives
// back. Source: C. Rasmussen and C. Williams, Gaussian Processes for Machine Learning (2006), algorithms 3.1 and 3.3.
func (p *problem) wideStep(s *state, delta []float64) bool {
	q, size := p.q, p.n*p.q
	roots := p.roots(s.shares)
	side := tile.Padded(size)
	m := make([]float64, side*side) // its upper triangle
	between, half := make([]float64, q*q), make([]float64, q*q)
	for i := range p.n {
		coupled(half, roots[i*q*q:(i+1)*q*q], q)
		for j := range i + 1 {
			products(between, half, roots[j*q*q:(j+1)*q*q], q)
			for a := range q {
				for b := range q {
					m[(j*q+b)*side+i*q+a] = p.kernel[i*p.n+j] * between[a*q+b]
				}
			}
		}
	}
	for i := range side {
		m[i*side+i]++
	}
	if !tile.Cholesky(m, side, vanished) {
		return false
	}
	first := p.p - p.d
	copy(delta, s.gradient)
	p.unpenalise(delta)
	u := make([]float64, size)
	for i := range p.n {
		x, root := p.row(i)[first:], roots[i*q*q:(i+1)*q*q]
		for c := range q {
			floats.AddScaled(u[i*q:(i+1)*q], floats.Dot(x, delta[c*p.p+first:(c+1)*p.p]), root[c*q:(c+1)*q])
		}
	}
	tile.Solve(m, u)
	free := make([]float64, q) // the steps of the intercepts
	if p.intercept && !p.freeStep(free, u, m, roots, s.gradient) {
		return false
	}
	copy(delta, s.gradient)
	for i := range p.n {
		x, root := p.row(i)[first:], roots[i*q*q:(i+1)*q*q]
		for c := range q {
			floats.AddScaled(delta[c*p.p+first:(c+1)*p.p], -floats.Dot(root[c*q:(c+1)*q], u[i*q:(i+1)*q]), x)
		}
	}
	p.unpenalise(delta)
	if p.intercept {
		for c, v := range free {
			delta[c*p.p] = v
		}
	}
	return floats.Dot(delta, s.gradient) > 0 || floats.Norm(s.gradient, math.Inf(1)) == 0
}

// freeStep finds the steps of the intercepts, and adds what they mean for u.
func (p *problem) freeStep(free, u, m, roots, gradient []float64) bool {
	q := p.q
	columns := make([][]float64, q) // of M^-1 L^T E
	for c := range columns {
		columns[c] = make([]float64, len(u))
		for i := range p.n {
			copy(columns[c][i*q:], roots[(i*q+c)*q:(i*q+c+1)*q])
		}
		tile.Solve(m, columns[c])
	}
	left := func(c int, v []float64) float64 { // row c of E^T L times v
		sum := 0.0
		for i := range p.n {
			sum += floats.Dot(roots[(i*q+c)*q:(i*q+c+1)*q], v[i*q:(i+1)*q])
		}
		return sum
	}
	square := make([]float64, q*q)
	for c := range q {
		free[c] = gradient[c*p.p] - left(c, u)
		for b := range q {
			square[c*q+b] = left(c, columns[b])
		}
	}
	square = tile.Pad(square, q)
	if !tile.Cholesky(square, tile.Padded(q), vanished) {
		return false
	}
	tile.Solve(square, free)
	for c, v := range free {
		floats.AddScaled(u, v, columns[c])
	}
	return true
}

// roots returns L_i of each row, q x q. With s the roots of the probabilities of all classes but the first, diag(s^2) - s^2 (s^2)^T is
// D (1 - s s^T) D with D = diag(s), and 1 - s s^T the square of 1 - s s^T / (1 + s_0).
func (p *problem) roots(shares []float64) []float64 {
	q := p.q
	out, s := make([]float64, p.n*q*q), make([]float64, q)
	for i := range p.n {
		for a := range q {
			s[a] = math.Sqrt(shares[i*(q+1)+a+1])
		}
		weight, by := math.Sqrt(p.weight(i)), 1/(1+math.Sqrt(shares[i*(q+1)]))
		root := out[i*q*q : (i+1)*q*q]
		for a := range q {
			for b := range q {
				v := -by * s[a] * s[b]
				if a == b {
					v = 1 - by*s[a]*s[a]
				}
				root[a*q+b] = weight * s[a] * v
			}
		}
	}
	return out
}

// coupled fills in (P^-1 L_i)^T, where P is how the penalty couples the classes: 1 for two, 1 - 1/(q+1) everywhere for more.
func coupled(to, root []float64, q int) {
	for b := range q {
		sum := 0.0
		for a := range q {
			sum += root[a*q+b]
		}
		for a := range q {
			to[b*q+a] = root[a*q+b]
			if q > 1 {
				to[b*q+a] += sum
			}
		}
	}
}

func products(to, a, b []float64, q int) {
	for i := range q {
		for j := range q {
			sum := 0.0
			for l := range q {
				sum += a[i*q+l] * b[l*q+j]
			}
			to[i*q+j] = sum
		}
	}
}

// unpenalise multiplies the coefficients of the features by the inverse of their penalty.
func (p *problem) unpenalise(theta []float64) {
	for j := p.p - p.d; j < p.p; j++ {
		sum := 0.0
		if p.q > 1 {
			for a := range p.q {
				sum += theta[a*p.p+j]
			}
		}
		for a := range p.q {
			theta[a*p.p+j] = (theta[a*p.p+j] + sum) / p.ridge[j]
		}
	}
}
