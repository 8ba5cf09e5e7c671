package markov

import "math"

// few tells whether k states are so few that Viterbi and Baum-Welch have loops of their own for them, which keep sums and costs in variables.
func few(k int) bool { return 2 <= k && k <= 4 }

// advanceFew takes the costs of two to four states through the times from, ..., to-1, and fills back, as the min-plus products do.
func advanceFew[B uint8 | int32](trans, cost []float64, e evidence, back []B, from, to int) {
	switch e.k {
	case 2:
		advanceTwo((*[4]float64)(trans), (*[2]float64)(cost), e, back, from, to)
	case 3:
		advanceThree((*[9]float64)(trans), (*[3]float64)(cost), e, back, from, to)
	default:
		advanceFour((*[16]float64)(trans), (*[4]float64)(cost), e, back, from, to)
	}
}

// cheaper returns the lower of two costs and its state, the first when they are equal. Numbers that are not negative are ordered like their bits; these are
// compared, because the compiler then gets by without a jump that no processor foresees.
func cheaper[B uint8 | int32](x float64, i B, y float64, j B) (float64, B) {
	a, b := math.Float64bits(x), math.Float64bits(y)
	if b < a {
		a, i = b, j
	}
	return math.Float64frombits(a), i
}

// advanceTwo is advanceFew for two states.
func advanceTwo[B uint8 | int32](a *[4]float64, cost *[2]float64, e evidence, back []B, from, to int) {
	a00, a01 := a[0], a[1]
	a10, a11 := a[2], a[3]
	c0, c1 := cost[0], cost[1]
	for t := from; t < to; t++ {
		l, row := (*[2]float64)(e.logs(t)), (*[2]B)(back[2*t:])
		d0, i0 := cheaper(c0+a00, 0, c1+a10, B(1))
		d1, i1 := cheaper(c0+a01, 0, c1+a11, B(1))
		c0, c1 = d0-l[0], d1-l[1]
		row[0], row[1] = i0, i1
	}
	cost[0], cost[1] = c0, c1
}

// advanceThree is advanceFew for three states.
func advanceThree[B uint8 | int32](a *[9]float64, cost *[3]float64, e evidence, back []B, from, to int) {
	a00, a01, a02 := a[0], a[1], a[2]
	a10, a11, a12 := a[3], a[4], a[5]
	a20, a21, a22 := a[6], a[7], a[8]
	c0, c1, c2 := cost[0], cost[1], cost[2]
	for t := from; t < to; t++ {
		l, row := (*[3]float64)(e.logs(t)), (*[3]B)(back[3*t:])
		d0, i0 := cheaper(c0+a00, 0, c1+a10, B(1))
		d0, i0 = cheaper(d0, i0, c2+a20, 2)
		d1, i1 := cheaper(c0+a01, 0, c1+a11, B(1))
		d1, i1 = cheaper(d1, i1, c2+a21, 2)
		d2, i2 := cheaper(c0+a02, 0, c1+a12, B(1))
		d2, i2 = cheaper(d2, i2, c2+a22, 2)
		c0, c1, c2 = d0-l[0], d1-l[1], d2-l[2]
		row[0], row[1], row[2] = i0, i1, i2
	}
	cost[0], cost[1], cost[2] = c0, c1, c2
}

// advanceFour is advanceFew for four states.
func advanceFour[B uint8 | int32](a *[16]float64, cost *[4]float64, e evidence, back []B, from, to int) {
	a00, a01, a02, a03 := a[0], a[1], a[2], a[3]
	a10, a11, a12, a13 := a[4], a[5], a[6], a[7]
	a20, a21, a22, a23 := a[8], a[9], a[10], a[11]
	a30, a31, a32, a33 := a[12], a[13], a[14], a[15]
	c0, c1, c2, c3 := cost[0], cost[1], cost[2], cost[3]
	for t := from; t < to; t++ {
		l, row := (*[4]float64)(e.logs(t)), (*[4]B)(back[4*t:])
		d0, i0 := cheaper(c0+a00, 0, c1+a10, B(1))
		f0, h0 := cheaper(c2+a20, 2, c3+a30, B(3))
		d0, i0 = cheaper(d0, i0, f0, h0)
		d1, i1 := cheaper(c0+a01, 0, c1+a11, B(1))
		f1, h1 := cheaper(c2+a21, 2, c3+a31, B(3))
		d1, i1 = cheaper(d1, i1, f1, h1)
		d2, i2 := cheaper(c0+a02, 0, c1+a12, B(1))
		f2, h2 := cheaper(c2+a22, 2, c3+a32, B(3))
		d2, i2 = cheaper(d2, i2, f2, h2)
		d3, i3 := cheaper(c0+a03, 0, c1+a13, B(1))
		f3, h3 := cheaper(c2+a23, 2, c3+a33, B(3))
		d3, i3 = cheaper(d3, i3, f3, h3)
		c0, c1, c2, c3 = d0-l[0], d1-l[1], d2-l[2], d3-l[3]
		row[0], row[1], row[2], row[3] = i0, i1, i2, i3
	}
	cost[0], cost[1], cost[2], cost[3] = c0, c1, c2, c3
}
