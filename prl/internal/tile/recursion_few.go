package tile

// most is the greatest K that has passes of its own in plain Go, for four states: fewer are padded with states that nothing leads to. The
// matrix and the present row stay in variables, so that a step waits for its arithmetic alone. The sums go in the order of the plain forms
// and give the same bits.
const most = 4

// few reports whether the recursion has such passes.
func (r *Recursion) few() bool { return 1 <= r.K && r.K <= most }

// place returns where row t begins, for rows of four numbers.
func (b *Table) place(t int) int {
	if b.Index != nil {
		t = b.Index[t]
	}
	return 4 * t
}

// fewFilter is Filter for up to four states; without inverses it is Forward.
func (r *Recursion) fewFilter(x []float64, b Table, sums, inverses []float64, low float64) (done int) {
	a := (*[16]float64)(r.matrix)
	a00, a01, a02, a03 := a[0], a[1], a[2], a[3]
	a10, a11, a12, a13 := a[4], a[5], a[6], a[7]
	a20, a21, a22, a23 := a[8], a[9], a[10], a[11]
	a30, a31, a32, a33 := a[12], a[13], a[14], a[15]
	x0, x1, x2, x3 := x[0], x[1], x[2], x[3]
	inverse := 1.0
	if inverses != nil {
		inverse = inverses[0]
		inverses = inverses[1:][:len(sums)]
	}
	for t := range sums {
		e := (*[4]float64)(b.Rows[b.place(t):])
		y0 := float64(((float64(x0*a00) + float64(x2*a20)) + (float64(x1*a10) + float64(x3*a30))) * e[0])
		y1 := float64(((float64(x0*a01) + float64(x2*a21)) + (float64(x1*a11) + float64(x3*a31))) * e[1])
		y2 := float64(((float64(x0*a02) + float64(x2*a22)) + (float64(x1*a12) + float64(x3*a32))) * e[2])
		y3 := float64(((float64(x0*a03) + float64(x2*a23)) + (float64(x1*a13) + float64(x3*a33))) * e[3])
		sum := (y0 + y2) + (y1 + y3)
		row := (*[4]float64)(x[4*t:])
		row[0], row[1], row[2], row[3] = x0*inverse, x1*inverse, x2*inverse, x3*inverse
		x0, x1, x2, x3 = y0, y1, y2, y3
		sums[t] = sum
		if inverses != nil {
			inverse = 1 / sum
			inverses[t] = inverse
		}
		if done = t + 1; !(sum >= low) {
			break
		}
	}
	last := (*[4]float64)(x[4*done:])
	last[0], last[1], last[2], last[3] = x0, x1, x2, x3
	return done
}

// fewBackward is Backward for up to four states.
func (r *Recursion) fewBackward(x []float64, b Table, scales, sums []float64, low float64) (done int) {
	a := (*[16]float64)(r.matrix)
	a00, a01, a02, a03 := a[0], a[1], a[2], a[3]
	a10, a11, a12, a13 := a[4], a[5], a[6], a[7]
	a20, a21, a22, a23 := a[8], a[9], a[10], a[11]
	a30, a31, a32, a33 := a[12], a[13], a[14], a[15]
	last := (*[4]float64)(x[4*len(sums):])
	x0, x1, x2, x3 := last[0], last[1], last[2], last[3]
	for t := len(sums) - 1; t >= 0; t-- {
		e := (*[4]float64)(b.Rows[b.place(t):])
		w0, w1, w2, w3 := float64(x0*e[0]), float64(x1*e[1]), float64(x2*e[2]), float64(x3*e[3])
		x0 = (float64(w0*a00) + float64(w2*a20)) + (float64(w1*a10) + float64(w3*a30))
		x1 = (float64(w0*a01) + float64(w2*a21)) + (float64(w1*a11) + float64(w3*a31))
		x2 = (float64(w0*a02) + float64(w2*a22)) + (float64(w1*a12) + float64(w3*a32))
		x3 = (float64(w0*a03) + float64(w2*a23)) + (float64(w1*a13) + float64(w3*a33))
		sum := (x0 + x2) + (x1 + x3)
		sums[t] = sum
		if scales != nil {
			c := 1 / scales[t]
			x0, x1, x2, x3 = x0*c, x1*c, x2*c, x3*c
		}
		row := (*[4]float64)(x[4*t:])
		row[0], row[1], row[2], row[3] = x0, x1, x2, x3
		if !(sum >= low) {
			return len(sums) - t
		}
	}
	return len(sums)
}

// fewSmooth is Smooth for up to four states.
func (r *Recursion) fewSmooth(x []float64, b Table, scales, beta []float64) {
	a := (*[16]float64)(r.matrix)
	a00, a01, a02, a03 := a[0], a[1], a[2], a[3]
	a10, a11, a12, a13 := a[4], a[5], a[6], a[7]
	a20, a21, a22, a23 := a[8], a[9], a[10], a[11]
	a30, a31, a32, a33 := a[12], a[13], a[14], a[15]
	x0, x1, x2, x3 := beta[0], beta[1], beta[2], beta[3]
	for t := len(scales) - 1; t >= 0; t-- {
		e, c := (*[4]float64)(b.Rows[b.place(t):]), 1/scales[t]
		w0, w1, w2, w3 := float64(e[0]*x0)*c, float64(e[1]*x1)*c, float64(e[2]*x2)*c, float64(e[3]*x3)*c
		x0 = (float64(w0*a00) + float64(w2*a20)) + (float64(w1*a10) + float64(w3*a30))
		x1 = (float64(w0*a01) + float64(w2*a21)) + (float64(w1*a11) + float64(w3*a31))
		x2 = (float64(w0*a02) + float64(w2*a22)) + (float64(w1*a12) + float64(w3*a32))
		x3 = (float64(w0*a03) + float64(w2*a23)) + (float64(w1*a13) + float64(w3*a33))
		row := (*[4]float64)(x[4*t:])
		y0, y1, y2, y3 := float64(row[0]*x0), float64(row[1]*x1), float64(row[2]*x2), float64(row[3]*x3)
		inverse := 1 / ((y0 + y2) + (y1 + y3))
		row[0], row[1], row[2], row[3] = y0*inverse, y1*inverse, y2*inverse, y3*inverse
	}
	beta[0], beta[1], beta[2], beta[3] = x0, x1, x2, x3
}
