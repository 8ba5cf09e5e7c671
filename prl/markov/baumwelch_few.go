package markov

// countFew is count for two to four states, whose sums stay in variables. They go in the order of those of countTiles and give the same bits.
func (h *hidden) countFew(e evidence, w float64, r *room, lo, hi int, sum []float64) {
	switch h.k {
	case 2:
		countTwo(e, w, r, lo, hi, (*[4]float64)(sum))
	case 3:
		countThree(e, w, r, lo, hi, (*[9]float64)(sum))
	default:
		countFour(e, w, r, lo, hi, (*[16]float64)(sum))
	}
}

// countTwo is countFew for two states.
func countTwo(e evidence, w float64, r *room, lo, hi int, sum *[4]float64) {
	var s00, s01, s10, s11 float64
	var before [2]float64 // no transition leads to the first state
	if lo > 0 {
		before = [2]float64(r.alpha[2*(lo-1):])
	}
	p0, p1 := before[0], before[1]
	for t := lo; t < hi; t++ {
		a, b, g := (*[2]float64)(r.alpha[2*t:]), (*[2]float64)(e.at(t)), (*[2]float64)(r.beta[2*t:])
		a0, a1, u0, u1 := a[0], a[1], g[0], g[1]
		g0, g1 := float64(a0*u0), float64(a1*u1)
		cg := w / (g0 + g1)
		cv := cg / r.scales[t]
		g[0], g[1] = g0*cg, g1*cg
		v0, v1 := b[0]*u0*cv, b[1]*u1*cv
		s00 += float64(p0 * v0)
		s01 += float64(p0 * v1)
		s10 += float64(p1 * v0)
		s11 += float64(p1 * v1)
		p0, p1 = a0, a1
	}
	*sum = [4]float64{
		s00, s01,
		s10, s11,
	}
}

// countThree is countFew for three states.
func countThree(e evidence, w float64, r *room, lo, hi int, sum *[9]float64) {
	var s00, s01, s02, s10, s11, s12, s20, s21, s22 float64
	var before [3]float64 // no transition leads to the first state
	if lo > 0 {
		before = [3]float64(r.alpha[3*(lo-1):])
	}
	p0, p1, p2 := before[0], before[1], before[2]
	for t := lo; t < hi; t++ {
		a, b, g := (*[3]float64)(r.alpha[3*t:]), (*[3]float64)(e.at(t)), (*[3]float64)(r.beta[3*t:])
		a0, a1, a2, u0, u1, u2 := a[0], a[1], a[2], g[0], g[1], g[2]
		g0, g1, g2 := float64(a0*u0), float64(a1*u1), float64(a2*u2)
		cg := w / (g0 + g1 + g2)
		cv := cg / r.scales[t]
		g[0], g[1], g[2] = g0*cg, g1*cg, g2*cg
		v0, v1, v2 := b[0]*u0*cv, b[1]*u1*cv, b[2]*u2*cv
		s00 += float64(p0 * v0)
		s01 += float64(p0 * v1)
		s02 += float64(p0 * v2)
		s10 += float64(p1 * v0)
		s11 += float64(p1 * v1)
		s12 += float64(p1 * v2)
		s20 += float64(p2 * v0)
		s21 += float64(p2 * v1)
		s22 += float64(p2 * v2)
		p0, p1, p2 = a0, a1, a2
	}
	*sum = [9]float64{
		s00, s01, s02,
		s10, s11, s12,
		s20, s21, s22,
	}
}

// countFour is countFew for four states.
func countFour(e evidence, w float64, r *room, lo, hi int, sum *[16]float64) {
	var s00, s01, s02, s03, s10, s11, s12, s13, s20, s21, s22, s23, s30, s31, s32, s33 float64
	var before [4]float64 // no transition leads to the first state
	if lo > 0 {
		before = [4]float64(r.alpha[4*(lo-1):])
	}
	p0, p1, p2, p3 := before[0], before[1], before[2], before[3]
	for t := lo; t < hi; t++ {
		a, b, g := (*[4]float64)(r.alpha[4*t:]), (*[4]float64)(e.at(t)), (*[4]float64)(r.beta[4*t:])
		a0, a1, a2, a3, u0, u1, u2, u3 := a[0], a[1], a[2], a[3], g[0], g[1], g[2], g[3]
		g0, g1, g2, g3 := float64(a0*u0), float64(a1*u1), float64(a2*u2), float64(a3*u3)
		cg := w / (g0 + g1 + g2 + g3)
		cv := cg / r.scales[t]
		g[0], g[1], g[2], g[3] = g0*cg, g1*cg, g2*cg, g3*cg
		v0, v1, v2, v3 := b[0]*u0*cv, b[1]*u1*cv, b[2]*u2*cv, b[3]*u3*cv
		s00 += float64(p0 * v0)
		s01 += float64(p0 * v1)
		s02 += float64(p0 * v2)
		s03 += float64(p0 * v3)
		s10 += float64(p1 * v0)
		s11 += float64(p1 * v1)
		s12 += float64(p1 * v2)
		s13 += float64(p1 * v3)
		s20 += float64(p2 * v0)
		s21 += float64(p2 * v1)
		s22 += float64(p2 * v2)
		s23 += float64(p2 * v3)
		s30 += float64(p3 * v0)
		s31 += float64(p3 * v1)
		s32 += float64(p3 * v2)
		s33 += float64(p3 * v3)
		p0, p1, p2, p3 = a0, a1, a2, a3
	}
	*sum = [16]float64{
		s00, s01, s02, s03,
		s10, s11, s12, s13,
		s20, s21, s22, s23,
		s30, s31, s32, s33,
	}
}
