package tile

// most is the greatest K that has passes of its own in plain Go. The matrix and the present row stay in variables, so that a step waits for its
// arithmetic alone. The sums go in the order of the plain forms and give the same bits.
const most = 4

// few tells whether the recursion has such passes.
func (r *Recursion) few() bool { return 1 <= r.K && r.K <= most }

// place returns where row t begins, for rows of k numbers.
func (b *Table) place(t, k int) int {
	if b.Index != nil {
		t = b.Index[t]
	}
	return t * k
}

func (r *Recursion) fewFilter(x []float64, b Table, sums, inverses []float64, low float64) (done int) {
	switch r.K {
	case 1:
		return filterOne(r.matrix[0], x, b, sums, inverses, low)
	case 2:
		return filterTwo((*[4]float64)(r.matrix), x, b, sums, inverses, low)
	case 3:
		return filterThree((*[9]float64)(r.matrix), x, b, sums, inverses, low)
	}
	return filterFour((*[16]float64)(r.matrix), x, b, sums, inverses, low)
}

func (r *Recursion) fewBackward(x []float64, b Table, scales, sums []float64, low float64) (done int) {
	switch r.K {
	case 1:
		return backwardOne(r.matrix[0], x, b, scales, sums, low)
	case 2:
		return backwardTwo((*[4]float64)(r.matrix), x, b, scales, sums, low)
	case 3:
		return backwardThree((*[9]float64)(r.matrix), x, b, scales, sums, low)
	}
	return backwardFour((*[16]float64)(r.matrix), x, b, scales, sums, low)
}

func (r *Recursion) fewSmooth(x []float64, b Table, scales, beta []float64) {
	switch r.K {
	case 1:
		smoothOne(r.matrix[0], x, b, scales, beta)
	case 2:
		smoothTwo((*[4]float64)(r.matrix), x, b, scales, (*[2]float64)(beta))
	case 3:
		smoothThree((*[9]float64)(r.matrix), x, b, scales, (*[3]float64)(beta))
	default:
		smoothFour((*[16]float64)(r.matrix), x, b, scales, (*[4]float64)(beta))
	}
}

// filterOne is Filter for one state; without inverses it is Forward.
func filterOne(a float64, x []float64, b Table, sums, inverses []float64, low float64) (done int) {
	y, inverse := x[0], 1.0
	if inverses != nil {
		inverse = inverses[0]
		inverses = inverses[1:][:len(sums)]
	}
	for t := range sums {
		x[t] = y * inverse
		y = y * a * b.Rows[b.place(t, 1)]
		sums[t] = y
		if inverses != nil {
			inverse = 1 / y
			inverses[t] = inverse
		}
		if done = t + 1; !(y >= low) {
			break
		}
	}
	x[done] = y
	return done
}

// backwardOne is Backward for one state.
func backwardOne(a float64, x []float64, b Table, scales, sums []float64, low float64) (done int) {
	y := x[len(sums)]
	for t := len(sums) - 1; t >= 0; t-- {
		sum := y * b.Rows[b.place(t, 1)] * a
		sums[t], y = sum, sum
		if scales != nil {
			y *= 1 / scales[t]
		}
		x[t] = y
		if !(sum >= low) {
			return len(sums) - t
		}
	}
	return len(sums)
}

// smoothOne is Smooth for one state.
func smoothOne(a float64, x []float64, b Table, scales, beta []float64) {
	y := beta[0]
	for t := len(scales) - 1; t >= 0; t-- {
		y = b.Rows[b.place(t, 1)] * y * (1 / scales[t]) * a
		z := x[t] * y
		x[t] = z * (1 / z)
	}
	beta[0] = y
}

// filterTwo is Filter for two states; without inverses it is Forward.
func filterTwo(a *[4]float64, x []float64, b Table, sums, inverses []float64, low float64) (done int) {
	a00, a01 := a[0], a[1]
	a10, a11 := a[2], a[3]
	x0, x1 := x[0], x[1]
	inverse := 1.0
	if inverses != nil {
		inverse = inverses[0]
		inverses = inverses[1:][:len(sums)]
	}
	for t := range sums {
		e := (*[2]float64)(b.Rows[b.place(t, 2):])
		y0 := float64((float64(x0*a00) + float64(x1*a10)) * e[0])
		y1 := float64((float64(x0*a01) + float64(x1*a11)) * e[1])
		sum := y0 + y1
		row := (*[2]float64)(x[2*t:])
		row[0], row[1] = x0*inverse, x1*inverse
		x0, x1 = y0, y1
		sums[t] = sum
		if inverses != nil {
			inverse = 1 / sum
			inverses[t] = inverse
		}
		if done = t + 1; !(sum >= low) {
			break
		}
	}
	last := (*[2]float64)(x[2*done:])
	last[0], last[1] = x0, x1
	return done
}

// backwardTwo is Backward for two states.
func backwardTwo(a *[4]float64, x []float64, b Table, scales, sums []float64, low float64) (done int) {
	a00, a01 := a[0], a[1]
	a10, a11 := a[2], a[3]
	last := (*[2]float64)(x[2*len(sums):])
	x0, x1 := last[0], last[1]
	for t := len(sums) - 1; t >= 0; t-- {
		e := (*[2]float64)(b.Rows[b.place(t, 2):])
		w0, w1 := float64(x0*e[0]), float64(x1*e[1])
		x0 = float64(w0*a00) + float64(w1*a10)
		x1 = float64(w0*a01) + float64(w1*a11)
		sum := x0 + x1
		sums[t] = sum
		if scales != nil {
			c := 1 / scales[t]
			x0, x1 = x0*c, x1*c
		}
		row := (*[2]float64)(x[2*t:])
		row[0], row[1] = x0, x1
		if !(sum >= low) {
			return len(sums) - t
		}
	}
	return len(sums)
}

// smoothTwo is Smooth for two states.
func smoothTwo(a *[4]float64, x []float64, b Table, scales []float64, beta *[2]float64) {
	a00, a01 := a[0], a[1]
	a10, a11 := a[2], a[3]
	x0, x1 := beta[0], beta[1]
	for t := len(scales) - 1; t >= 0; t-- {
		e, c := (*[2]float64)(b.Rows[b.place(t, 2):]), 1/scales[t]
		w0, w1 := float64(e[0]*x0)*c, float64(e[1]*x1)*c
		x0 = float64(w0*a00) + float64(w1*a10)
		x1 = float64(w0*a01) + float64(w1*a11)
		row := (*[2]float64)(x[2*t:])
		y0, y1 := float64(row[0]*x0), float64(row[1]*x1)
		inverse := 1 / (y0 + y1)
		row[0], row[1] = y0*inverse, y1*inverse
	}
	beta[0], beta[1] = x0, x1
}

// filterThree is Filter for three states; without inverses it is Forward.
func filterThree(a *[9]float64, x []float64, b Table, sums, inverses []float64, low float64) (done int) {
	a00, a01, a02 := a[0], a[1], a[2]
	a10, a11, a12 := a[3], a[4], a[5]
	a20, a21, a22 := a[6], a[7], a[8]
	x0, x1, x2 := x[0], x[1], x[2]
	inverse := 1.0
	if inverses != nil {
		inverse = inverses[0]
		inverses = inverses[1:][:len(sums)]
	}
	for t := range sums {
		e := (*[3]float64)(b.Rows[b.place(t, 3):])
		y0 := float64(((float64(x0*a00) + float64(x2*a20)) + float64(x1*a10)) * e[0])
		y1 := float64(((float64(x0*a01) + float64(x2*a21)) + float64(x1*a11)) * e[1])
		y2 := float64(((float64(x0*a02) + float64(x2*a22)) + float64(x1*a12)) * e[2])
		sum := (y0 + y2) + y1
		row := (*[3]float64)(x[3*t:])
		row[0], row[1], row[2] = x0*inverse, x1*inverse, x2*inverse
		x0, x1, x2 = y0, y1, y2
		sums[t] = sum
		if inverses != nil {
			inverse = 1 / sum
			inverses[t] = inverse
		}
		if done = t + 1; !(sum >= low) {
			break
		}
	}
	last := (*[3]float64)(x[3*done:])
	last[0], last[1], last[2] = x0, x1, x2
	return done
}

// backwardThree is Backward for three states.
func backwardThree(a *[9]float64, x []float64, b Table, scales, sums []float64, low float64) (done int) {
	a00, a01, a02 := a[0], a[1], a[2]
	a10, a11, a12 := a[3], a[4], a[5]
	a20, a21, a22 := a[6], a[7], a[8]
	last := (*[3]float64)(x[3*len(sums):])
	x0, x1, x2 := last[0], last[1], last[2]
	for t := len(sums) - 1; t >= 0; t-- {
		e := (*[3]float64)(b.Rows[b.place(t, 3):])
		w0, w1, w2 := float64(x0*e[0]), float64(x1*e[1]), float64(x2*e[2])
		x0 = (float64(w0*a00) + float64(w2*a20)) + float64(w1*a10)
		x1 = (float64(w0*a01) + float64(w2*a21)) + float64(w1*a11)
		x2 = (float64(w0*a02) + float64(w2*a22)) + float64(w1*a12)
		sum := (x0 + x2) + x1
		sums[t] = sum
		if scales != nil {
			c := 1 / scales[t]
			x0, x1, x2 = x0*c, x1*c, x2*c
		}
		row := (*[3]float64)(x[3*t:])
		row[0], row[1], row[2] = x0, x1, x2
		if !(sum >= low) {
			return len(sums) - t
		}
	}
	return len(sums)
}

// smoothThree is Smooth for three states.
func smoothThree(a *[9]float64, x []float64, b Table, scales []float64, beta *[3]float64) {
	a00, a01, a02 := a[0], a[1], a[2]
	a10, a11, a12 := a[3], a[4], a[5]
	a20, a21, a22 := a[6], a[7], a[8]
	x0, x1, x2 := beta[0], beta[1], beta[2]
	for t := len(scales) - 1; t >= 0; t-- {
		e, c := (*[3]float64)(b.Rows[b.place(t, 3):]), 1/scales[t]
		w0, w1, w2 := float64(e[0]*x0)*c, float64(e[1]*x1)*c, float64(e[2]*x2)*c
		x0 = (float64(w0*a00) + float64(w2*a20)) + float64(w1*a10)
		x1 = (float64(w0*a01) + float64(w2*a21)) + float64(w1*a11)
		x2 = (float64(w0*a02) + float64(w2*a22)) + float64(w1*a12)
		row := (*[3]float64)(x[3*t:])
		y0, y1, y2 := float64(row[0]*x0), float64(row[1]*x1), float64(row[2]*x2)
		inverse := 1 / ((y0 + y2) + y1)
		row[0], row[1], row[2] = y0*inverse, y1*inverse, y2*inverse
	}
	beta[0], beta[1], beta[2] = x0, x1, x2
}

// filterFour is Filter for four states; without inverses it is Forward.
func filterFour(a *[16]float64, x []float64, b Table, sums, inverses []float64, low float64) (done int) {
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
		e := (*[4]float64)(b.Rows[b.place(t, 4):])
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

// backwardFour is Backward for four states.
func backwardFour(a *[16]float64, x []float64, b Table, scales, sums []float64, low float64) (done int) {
	a00, a01, a02, a03 := a[0], a[1], a[2], a[3]
	a10, a11, a12, a13 := a[4], a[5], a[6], a[7]
	a20, a21, a22, a23 := a[8], a[9], a[10], a[11]
	a30, a31, a32, a33 := a[12], a[13], a[14], a[15]
	last := (*[4]float64)(x[4*len(sums):])
	x0, x1, x2, x3 := last[0], last[1], last[2], last[3]
	for t := len(sums) - 1; t >= 0; t-- {
		e := (*[4]float64)(b.Rows[b.place(t, 4):])
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

// smoothFour is Smooth for four states.
func smoothFour(a *[16]float64, x []float64, b Table, scales []float64, beta *[4]float64) {
	a00, a01, a02, a03 := a[0], a[1], a[2], a[3]
	a10, a11, a12, a13 := a[4], a[5], a[6], a[7]
	a20, a21, a22, a23 := a[8], a[9], a[10], a[11]
	a30, a31, a32, a33 := a[12], a[13], a[14], a[15]
	x0, x1, x2, x3 := beta[0], beta[1], beta[2], beta[3]
	for t := len(scales) - 1; t >= 0; t-- {
		e, c := (*[4]float64)(b.Rows[b.place(t, 4):]), 1/scales[t]
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
