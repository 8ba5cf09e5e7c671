package markov

import "github.com/prlab/prlab/prl/internal/fused"

// few reports whether k states are so few that Viterbi and Baum-Welch have loops of their own for them, which keep sums and costs in
// variables: those of four states, to which fewer are padded with states that nothing leads to.
func few(k int) bool { return k <= 4 }

// quad returns the numbers of up to four states, and zeros.
func quad(x []float64) (x0, x1, x2, x3 float64) {
	switch len(x) {
	case 4:
		return x[0], x[1], x[2], x[3]
	case 3:
		return x[0], x[1], x[2], 0
	case 2:
		return x[0], x[1], 0, 0
	}
	return x[0], 0, 0, 0
}

// store is the inverse of quad.
func store[T any](x []T, x0, x1, x2, x3 T) {
	switch len(x) {
	case 4:
		x[0], x[1], x[2], x[3] = x0, x1, x2, x3
	case 3:
		x[0], x[1], x[2] = x0, x1, x2
	case 2:
		x[0], x[1] = x0, x1
	default:
		x[0] = x0
	}
}

// countFew is count for up to four states. The sums go in the order of those of countTiles and give the same bits.
func (h *stateChain) countFew(e evidence, w float64, r *workspace, lo, hi int, sum []float64) {
	k := h.k
	var s00, s01, s02, s03, s10, s11, s12, s13, s20, s21, s22, s23, s30, s31, s32, s33 float64
	var p0, p1, p2, p3 float64 // alpha_{t-1}; no transition leads to the first state
	if lo > 0 {
		p0, p1, p2, p3 = quad(r.alpha[k*(lo-1) : k*lo])
	}
	for t := lo; t < hi; t++ {
		a0, a1, a2, a3 := quad(r.alpha[k*t : k*(t+1)])
		gamma := r.beta[k*t : k*(t+1)]
		u0, u1, u2, u3 := quad(gamma)
		b0, b1, b2, b3 := quad(e.at(t))
		g0, g1, g2, g3 := float64(a0*u0), float64(a1*u1), float64(a2*u2), float64(a3*u3)
		cg := w / (g0 + g1 + g2 + g3)
		cv := cg / r.scales[t]
		store(gamma, g0*cg, g1*cg, g2*cg, g3*cg)
		v0, v1, v2, v3 := b0*u0*cv, b1*u1*cv, b2*u2*cv, b3*u3*cv
		s00 = fused.FMA(p0, v0, s00)
		s01 = fused.FMA(p0, v1, s01)
		s02 = fused.FMA(p0, v2, s02)
		s03 = fused.FMA(p0, v3, s03)
		s10 = fused.FMA(p1, v0, s10)
		s11 = fused.FMA(p1, v1, s11)
		s12 = fused.FMA(p1, v2, s12)
		s13 = fused.FMA(p1, v3, s13)
		s20 = fused.FMA(p2, v0, s20)
		s21 = fused.FMA(p2, v1, s21)
		s22 = fused.FMA(p2, v2, s22)
		s23 = fused.FMA(p2, v3, s23)
		s30 = fused.FMA(p3, v0, s30)
		s31 = fused.FMA(p3, v1, s31)
		s32 = fused.FMA(p3, v2, s32)
		s33 = fused.FMA(p3, v3, s33)
		p0, p1, p2, p3 = a0, a1, a2, a3
	}
	for i, row := range [4][4]float64{{s00, s01, s02, s03}, {s10, s11, s12, s13}, {s20, s21, s22, s23}, {s30, s31, s32, s33}} {
		if i < k {
			copy(sum[i*k:(i+1)*k], row[:])
		}
	}
}
