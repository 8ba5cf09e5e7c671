package markov

import "math"

// cheaper returns the lower of two costs and its state, the first when they are equal. Numbers that are not negative are ordered like their
// bits. These are compared, because the compiler then selects without a branch, which the processor could not predict.
func cheaper[B uint8 | int32](x float64, i B, y float64, j B) (float64, B) {
	a, b := math.Float64bits(x), math.Float64bits(y)
	if b < a {
		a, i = b, j
	}
	return math.Float64frombits(a), i
}

// advanceFew takes the costs of up to four states through the times from, ..., to-1, and fills back, as the min-plus products do. a is 4 x
// 4 and cost four numbers long; states that do not exist have infinite costs.
func advanceFew[B uint8 | int32](a *[16]float64, cost *[4]float64, e evidence, back []B, from, to int) {
	k := e.k
	a00, a01, a02, a03 := a[0], a[1], a[2], a[3]
	a10, a11, a12, a13 := a[4], a[5], a[6], a[7]
	a20, a21, a22, a23 := a[8], a[9], a[10], a[11]
	a30, a31, a32, a33 := a[12], a[13], a[14], a[15]
	c0, c1, c2, c3 := cost[0], cost[1], cost[2], cost[3]
	for t := from; t < to; t++ {
		l0, l1, l2, l3 := quad(e.logs(t))
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
		c0, c1, c2, c3 = d0-l0, d1-l1, d2-l2, d3-l3
		store(back[k*t:k*(t+1)], i0, i1, i2, i3)
	}
	cost[0], cost[1], cost[2], cost[3] = c0, c1, c2, c3
}
