package tile

import "math"

// Step changes the gradient of a support vector machine's dual by a step d on a pair with kernel rows ki and kj, e_t -= d (ki_t - kj_t),
// and returns what the choice of the next pair needs: the largest hi = e_t + up_t with the first place that attains it, and the least lo =
// e_t + down_t. Points are hidden from the first search by up_t = -Inf and from the second by down_t = +Inf. With nothing to find the place
// is 0 and hi = -Inf or lo = +Inf; numbers that are none are passed over. Zeros come out as +0. All slices are as long as e.
func Step[F float32 | float64](e, up, down []float64, ki, kj []F, d float64) (first int, hi, lo float64) {
	up, down, ki, kj = up[:len(e)], down[:len(e)], ki[:len(e)], kj[:len(e)]
	done, found := stepBlocks(e, up, down, ki, kj, d)
	found = plainStep(e, up, down, ki, kj, d, done, found)
	return found.first, found.hi + 0, found.lo + 0
}

// Partner returns the place of the point that promises the largest gain b^2/a, with b = hi - (e_t + down_t), together with the point whose
// kernel row is ki and whose own kernel value is kii; a = kii + diag_t - 2 ki_t is the curvature, at least tau > 0 (Fan, Chen and Lin 2005,
// WSS 2). Only b > 0 counts, and with no such point the place is -1. The places are gone through in order, and one replaces the best so
// far, (num, den), if b^2 den > num a, with every product rounded. All slices are as long as e.
func Partner[F float32 | float64](e, down, diag []float64, ki []F, kii, hi, tau float64) int {
	down, diag, ki = down[:len(e)], diag[:len(e)], ki[:len(e)]
	done, best := partnerBlocks(e, down, diag, ki, kii, hi, tau)
	return plainPartner(e, down, diag, ki, kii, hi, tau, done, best).at
}

// extremes is what Step has found so far.
type extremes struct {
	first  int
	hi, lo float64
}

func noExtremes() extremes { return extremes{0, math.Inf(-1), math.Inf(1)} }

// partner is the best that Partner has found so far.
type partner struct {
	at       int
	num, den float64
}

func noPartner() partner { return partner{-1, 0, 1} }

// plainStep is Step from the place done on.
func plainStep[F float32 | float64](e, up, down []float64, ki, kj []F, d float64, done int, found extremes) extremes {
	up, down, ki, kj = up[:len(e)], down[:len(e)], ki[:len(e)], kj[:len(e)]
	for t := done; t < len(e); t++ {
		v := e[t] - float64(d*(float64(ki[t])-float64(kj[t])))
		e[t] = v
		if u := v + up[t]; u > found.hi {
			found.hi, found.first = u, t
		}
		if u := v + down[t]; u < found.lo {
			found.lo = u
		}
	}
	return found
}

// plainPartner is Partner from the place done on.
func plainPartner[F float32 | float64](e, down, diag []float64, ki []F, kii, hi, tau float64, done int, best partner) partner {
	down, diag, ki = down[:len(e)], diag[:len(e)], ki[:len(e)]
	for t := done; t < len(e); t++ {
		b := hi - (e[t] + down[t])
		if b <= 0 {
			continue
		}
		a := kii + diag[t] - float64(2*float64(ki[t]))
		if a < tau {
			a = tau
		}
		if g := float64(b * b); float64(g*best.den) > float64(best.num*a) {
			best = partner{t, g, a}
		}
	}
	return best
}
