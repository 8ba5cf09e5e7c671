package bayes

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// ChernoffExponent returns k(beta) of exp(-k(beta)) = ∫ N0(x)^beta N1(x)^(1-beta) dx for 0 < beta < 1:
// k = beta(1-beta)/2 D^T S^-1 D + 1/2 log(det S / (det S0^(1-beta) det S1^beta)), with D the difference of the means and S the mixture of
// the covariances, S = (1-beta) S0 + beta S1 (Duda, Hart and Stork, section 2.8.1).
func ChernoffExponent(g0, g1 *Gaussian, beta float64) (float64, error) {
	const f = "bayes.ChernoffExponent"
	if g0 == nil || g1 == nil || g0.Dim() != g1.Dim() {
		return 0, fault.Argument(f, "the Gaussians", "nil or of different dimensions", "of one dimension", "")
	}
	if !(beta > 0 && beta < 1) {
		return 0, fault.Argument(f, "beta", beta, "between 0 and 1", "1/2 gives the Bhattacharyya exponent")
	}
	var S, part mat.SymDense
	S.ScaleSym(1-beta, g0.Cov())
	part.ScaleSym(beta, g1.Cov())
	S.AddSym(&S, &part)
	// N0^beta N1^(1-beta) has the precision beta P0 + (1-beta) P1 = P0 ((1-beta) S0 + beta S1) P1: the weights change places.
	g, err := newGaussian(f, "the mixed covariance", g0.mean, upper(&S))
	if err != nil {
		return 0, err
	}
	return beta*(1-beta)/2*g.Mahalanobis2(g1.mean...) + 0.5*(g.LogDet()-(1-beta)*g0.LogDet()-beta*g1.LogDet()), nil
}

// BhattacharyyaBound returns sqrt(p0 p1) exp(-k(1/2)), an upper bound of the Bayes error of two Gaussian classes.
func BhattacharyyaBound(g0, g1 *Gaussian, p0, p1 float64) (float64, error) {
	if err := checkPriors("bayes.BhattacharyyaBound", []float64{p0, p1}, 2); err != nil {
		return 0, err
	}
	k, err := ChernoffExponent(g0, g1, 0.5)
	return math.Sqrt(p0*p1) * math.Exp(-k), err
}

// ChernoffBound returns the least of p0^beta p1^(1-beta) exp(-k(beta)) over beta, an upper bound of the Bayes error of two Gaussian
// classes, and the beta that attains it (to 1e-8). The logarithm of the bound is convex in beta, so golden-section search finds it.
func ChernoffBound(g0, g1 *Gaussian, p0, p1 float64) (bound, beta float64, err error) {
	if err := checkPriors("bayes.ChernoffBound", []float64{p0, p1}, 2); err != nil {
		return 0, 0, err
	}
	if p0 == 0 || p1 == 0 {
		return 0, 0.5, nil
	}
	logBound := func(b float64) float64 {
		k, e := ChernoffExponent(g0, g1, b)
		if e != nil {
			err = e
		}
		return b*math.Log(p0) + (1-b)*math.Log(p1) - k
	}
	golden := (math.Sqrt(5) - 1) / 2
	lo, hi := 1e-12, 1-1e-12
	x, y := hi-golden*(hi-lo), lo+golden*(hi-lo)
	fx, fy := logBound(x), logBound(y)
	for hi-lo > 1e-9 {
		if fx < fy {
			hi, y, fy = y, x, fx
			x = hi - golden*(hi-lo)
			fx = logBound(x)
		} else {
			lo, x, fx = x, y, fy
			y = lo + golden*(hi-lo)
			fy = logBound(y)
		}
	}
	beta = (lo + hi) / 2
	return math.Exp(logBound(beta)), beta, err
}
