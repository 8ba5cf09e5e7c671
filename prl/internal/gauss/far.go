package gauss

import (
	"math"
)

// far is the log density below which differences of log densities are taken with care: half a squared distance of 2e10 is right to 1e-6
// only.
const far = -1e10

// Far reports whether the largest log density at a point is so small, or so wrong, that Relative should say which component is how much
// likelier.
func Far(top float64) bool { return !(top > far) }

// Relative sets l[k] to log(w_k N(x; mu_k, Sigma_k)) less the largest of these, which is right where the squared distances of x from the
// means are too large for float64, or so large that their digits do not tell the components apart. Components that share a Factor are
// compared by linear discriminants, in which the squares of x do not occur.
//
// With x and means divided by c, whitened to z_k and divided by the largest of their coordinates, s, the log density is -(c s)^2 |z_k|^2 /
// 2 and a constant. Components of weight zero (log -Inf) stay at -Inf; when all have, l is -Inf.
func Relative(l, x, logWeights []float64, means [][]float64, factors []*Factor) {
	d := len(x)
	c := 0.0
	for _, v := range x {
		c = math.Max(c, math.Abs(v))
	}
	for _, mean := range means {
		for _, v := range mean {
			c = math.Max(c, math.Abs(v))
		}
	}
	_, e := math.Frexp(c)
	c = math.Ldexp(1, e-1) // a power of two, so that the division is exact
	if c == 0 {
		c = 1
	}
	z := make([]float64, len(l)*d)
	s := 0.0
	for k, f := range factors {
		l[k] = math.Inf(-1)
		if math.IsInf(logWeights[k], -1) {
			continue
		}
		zk := z[k*d : (k+1)*d]
		for j, v := range x {
			zk[j] = v/c - means[k][j]/c
		}
		f.Whiten(zk, zk)
		for _, v := range zk {
			s = math.Max(s, math.Abs(v))
		}
	}
	if s == 0 {
		s = 1
	}
	// difference returns |z_k|^2 - |z_r|^2 in units of s^2.
	difference := func(k, r int) float64 {
		zk, zr, sum := z[k*d:(k+1)*d], z[r*d:(r+1)*d], 0.0
		if factors[k] == factors[r] { // (z_k - z_r) (z_k + z_r), where z_k - z_r is known from the means alone
			y := make([]float64, d)
			for j := range y {
				y[j] = means[r][j]/c - means[k][j]/c
			}
			factors[k].Whiten(y, y)
			for j, v := range y {
				sum += v / s * (zk[j]/s + zr[j]/s)
			}
			return sum
		}
		for j := range d {
			a, b := zk[j]/s, zr[j]/s
			sum += (a - b) * (a + b)
		}
		return sum
	}
	nearest := -1
	for k, w := range logWeights {
		if !math.IsInf(w, -1) && (nearest < 0 || difference(k, nearest) < 0) {
			nearest = k
		}
	}
	if nearest < 0 {
		return
	}
	constant := func(k int) float64 { return logWeights[k] - 0.5*factors[k].logDet }
	top := math.Inf(-1)
	for k, w := range logWeights {
		if math.IsInf(w, -1) {
			continue
		}
		l[k] = constant(k) - constant(nearest)
		if q := difference(k, nearest); q > 0 {
			l[k] -= 0.5 * (c * s) * q * (c * s)
		}
		top = math.Max(top, l[k])
	}
	for k := range l {
		l[k] -= top
	}
}
