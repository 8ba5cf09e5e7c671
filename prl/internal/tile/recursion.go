package tile

// A Recursion multiplies vectors of K numbers again and again with a K x K matrix and, number by number, with a row of a table: the forward
// and backward passes of hidden Markov models. No number is below zero. Vectors, and rows of the table, are Width long; what is beyond the
// K numbers is zero. Up to four numbers are padded to four.
//
// The sums over states have two parts, one over the even and one over the odd places, which are added at the end.
type Recursion struct {
	K, Width int
	matrix   []float64 // Width x Width
	columns  []float64 // K x K, row by row the columns of the matrix, for the plain form
}

// NewRecursion takes a k x k matrix, row by row, which is not to change any more.
func NewRecursion(matrix []float64, k int) *Recursion {
	width := Padded(k)
	if k <= most {
		width = most
	}
	r := &Recursion{K: k, Width: width, matrix: matrix[:k*k]}
	if !fast && !r.few() {
		r.columns = make([]float64, k*k)
		for i := range k {
			for j := range k {
				r.columns[j*k+i] = matrix[i*k+j]
			}
		}
	} else if width != k {
		r.matrix = make([]float64, width*width)
		for i := range k {
			copy(r.matrix[i*width:], matrix[i*k:(i+1)*k])
		}
	}
	return r
}

// A Table gives the rows of a recursion. Row t is row Index[t] of Rows, or row t where Index is nil.
type Table struct {
	Rows  []float64
	Index []int
}

func (b Table) at(t, width int) []float64 {
	if b.Index != nil {
		t = b.Index[t]
	}
	return b.Rows[t*width : (t+1)*width]
}

// Forward fills the rows 1, 2, ... of x from row 0: row t+1 is row t times the matrix, times row t of the table number by number, and
// sums[t] its sum. There are as many steps as sums, but Forward stops after the first sum that is not at least low. It returns the number
// of steps done.
func (r *Recursion) Forward(x []float64, b Table, sums []float64, low float64) (done int) {
	if len(sums) == 0 {
		return 0
	}
	x = x[:(len(sums)+1)*r.Width]
	if r.few() {
		return r.fewFilter(x, b, sums, nil, low)
	}
	b.check(len(sums), r.Width)
	return r.forward(x, b, sums, low)
}

// Filter is Forward that also fills the rows 0, 1, ... of out, K numbers each, with those of x, each but the last one multiplied with its
// inverse: inverses[0] is that of row 0 and given, inverses[t+1] becomes 1 / sums[t]. Where Width is K, out may be x itself. The rows of x
// after row 0 are room to work in.
func (r *Recursion) Filter(out, x []float64, b Table, sums, inverses []float64, low float64) (done int) {
	k, n := r.K, len(sums)
	out, inverses = out[:(n+1)*k], inverses[:n+1]
	if k == most && n > 0 {
		copy(out, x[:k])
		return r.fewFilter(out, b, sums, inverses, low)
	}
	done = r.Forward(x, b, sums, low)
	for t, sum := range sums[:done] {
		inverse := inverses[t]
		row := out[t*k : (t+1)*k]
		for i, v := range x[t*r.Width:][:len(row)] {
			row[i] = v * inverse
		}
		inverses[t+1] = 1 / sum
	}
	copy(out[done*k:(done+1)*k], x[done*r.Width:])
	return done
}

// Backward fills the rows n-1, ..., 1, 0 of x from row n, where n is the number of sums: row t is row t+1, times row t of the table number
// by number, times the matrix, and sums[t] its sum; unless scales is nil, row t is then divided by scales[t]. Backward stops after the
// first sum that is not at least low and returns the number of steps done. Divisions are multiplications by the inverse. The numbers of w,
// Width many, are overwritten.
func (r *Recursion) Backward(x, w []float64, b Table, scales, sums []float64, low float64) (done int) {
	n := len(sums)
	if n == 0 {
		return 0
	}
	x, w = x[:(n+1)*r.Width], w[:r.Width]
	if scales != nil {
		scales = scales[:n]
	}
	if r.few() {
		return r.fewBackward(x, b, scales, sums, low)
	}
	b.check(n, r.Width)
	return r.backward(x, w, b, scales, sums, low)
}

// Smooth goes from the last row of x to the first. In each step beta, Width numbers, is multiplied number by number with the row t of the
// table, divided by scales[t], and multiplied with the matrix; row t of x is then multiplied with it number by number and divided by its
// sum. There are as many steps as scales. Divisions are multiplications by the inverse. The numbers of w, Width many, are overwritten.
func (r *Recursion) Smooth(x, w []float64, b Table, scales, beta []float64) {
	if len(scales) == 0 {
		return
	}
	x, w, beta = x[:len(scales)*r.Width], w[:r.Width], beta[:r.Width]
	if r.few() {
		r.fewSmooth(x, b, scales, beta)
		return
	}
	b.check(len(scales), r.Width)
	r.smooth(x, w, b, scales, beta)
}

// check panics where one of n rows does not exist, before the assembly reads it.
func (b Table) check(n, width int) {
	if b.Index == nil {
		_ = b.Rows[:n*width]
		return
	}
	last := 0
	for _, i := range b.Index[:n] {
		last = int(max(uint(last), uint(i)))
	}
	_ = b.Rows[last*width : (last+1)*width]
}

func (r *Recursion) plainForward(x []float64, b Table, sums []float64, low float64) (done int) {
	width, k := r.Width, r.K
	for t := range sums {
		y := x[(t+1)*width:][:k]
		r.times(y, x[t*width:][:k])
		sums[t] = weigh(y, y, b.at(t, width))
		if !(sums[t] >= low) {
			return t + 1
		}
	}
	return len(sums)
}

func (r *Recursion) plainBackward(x, w []float64, b Table, scales, sums []float64, low float64) (done int) {
	width, k := r.Width, r.K
	for t := len(sums) - 1; t >= 0; t-- {
		y := x[t*width:][:k]
		weigh(w[:k], x[(t+1)*width:], b.at(t, width))
		r.times(y, w[:k])
		sums[t] = total(y)
		if scales != nil {
			c := 1 / scales[t]
			for j := range y {
				y[j] *= c
			}
		}
		if !(sums[t] >= low) {
			return len(sums) - t
		}
	}
	return len(sums)
}

func (r *Recursion) plainSmooth(x, w []float64, b Table, scales, beta []float64) {
	width, k := r.Width, r.K
	w, beta = w[:k], beta[:k]
	for t := len(scales) - 1; t >= 0; t-- {
		c, row := 1/scales[t], b.at(t, width)[:k]
		for j, v := range row {
			w[j] = v * beta[j] * c
		}
		r.times(beta, w)
		y := x[t*width:][:k]
		inverse := 1 / weigh(y, y, beta)
		for j := range y {
			y[j] *= inverse
		}
	}
}

// times sets y to x times the matrix, two numbers at a time, which keeps four additions in flight.
func (r *Recursion) times(y, x []float64) {
	k := r.K
	for j := 0; j < k; j += 2 {
		p := r.columns[j*k : (j+1)*k][:len(x)]
		q := p // the last of an odd number meets itself
		if j+1 < k {
			q = r.columns[(j+1)*k : (j+2)*k][:len(x)]
		}
		var p0, p1, q0, q1 float64
		i := 0
		for ; i+1 < len(x); i += 2 {
			u, v := x[i], x[i+1]
			p0 += float64(u * p[i])
			p1 += float64(v * p[i+1])
			q0 += float64(u * q[i])
			q1 += float64(v * q[i+1])
		}
		if i < len(x) {
			p0 += float64(x[i] * p[i])
			q0 += float64(x[i] * q[i])
		}
		y[j] = p0 + p1
		if j+1 < k {
			y[j+1] = q0 + q1
		}
	}
}

// weigh sets out_j = x_j b_j and returns the sum of out.
func weigh(out, x, b []float64) float64 {
	x, b = x[:len(out)], b[:len(out)]
	var s0, s1 float64
	j := 0
	for ; j+1 < len(out); j += 2 {
		u, v := float64(x[j]*b[j]), float64(x[j+1]*b[j+1])
		out[j], out[j+1] = u, v
		s0 += u
		s1 += v
	}
	if j < len(out) {
		out[j] = float64(x[j] * b[j])
		s0 += out[j]
	}
	return s0 + s1
}

// total is the sum of x as weigh takes it.
func total(x []float64) float64 {
	var s0, s1 float64
	j := 0
	for ; j+1 < len(x); j += 2 {
		s0 += x[j]
		s1 += x[j+1]
	}
	if j < len(x) {
		s0 += x[j]
	}
	return s0 + s1
}
