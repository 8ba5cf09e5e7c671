package eigen

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/lapack"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"

	"github.com/prlab/prlab/prl/internal/fused"
	"github.com/prlab/prlab/prl/internal/share"
	"github.com/prlab/prlab/prl/internal/tile"
)

const (
	small   = 32 // rows of a tridiagonal matrix that is not divided
	epsilon = 1.0 / (1 << 53)
)

// A conquest finds the eigenvalues and eigenvectors of a tridiagonal matrix. That of the rows from ... to-1 becomes two halves and a matrix
// of rank one; with the values D and vectors Q of the halves, what is left is D + rho z z^T, whose values are the roots of a rational
// function. Source: Cuppen 1981; LAPACK's STEDC.
type conquest struct {
	ctx       context.Context
	n, stride int
	wanted    int       // vectors of the highest values that are asked for
	d, e      []float64 // diagonal, in the end eigenvalues, and what is beside it
	q         []float64 // eigenvectors in rows
	order     []int     // of a solved range: places of its values from the lowest to the highest
	spare     []float64 // of the size of q
	merger
}

// A merger is room for one step.
type merger struct {
	z         []float64 // the vector of rank one, by place
	kept      []int     // places whose values change, lowest first
	apart     []int     // and the other places
	side      []side    // which halves a vector has a part in, by place
	poles, zk []float64 // of the kept ones
	u         []float64 // differences poles - root, then coefficients of the vectors, a row a root
	column    []int     // in which column of u a kept one stands in the end
	roots     []float64
	moved     []int
}

// A side says in which halves the entries of a vector are not all zero.
type side uint8

const (
	above side = iota
	both
	below
)

func newConquest(ctx context.Context, d, e []float64, stride, wanted int) *conquest {
	n := len(d)
	return &conquest{
		ctx: ctx, n: n, stride: stride, wanted: wanted, d: d, e: e, q: make([]float64, n*stride), order: make([]int, n),
		spare:  make([]float64, n*stride),
		merger: merger{z: make([]float64, n), side: make([]side, n), column: make([]int, n), roots: make([]float64, n)},
	}
}

// row returns the entries from ... to-1 of vector i.
func (c *conquest) row(i, from, to int) []float64 { return c.q[i*c.stride+from : i*c.stride+to] }

// part returns some rows and columns of numbers with rows like those of q.
func (c *conquest) part(numbers []float64, i, j, rows, cols int) tile.Matrix {
	return tile.Dense(numbers, c.n, c.stride, c.stride).Part(i, j, rows, cols)
}

func (c *conquest) solve(from, to int) error {
	if err := c.ctx.Err(); err != nil {
		return err
	}
	if to-from <= small {
		return c.leaf(from, to)
	}
	middle := (from + to) / 2
	rho := c.e[middle-1]
	c.d[middle-1] -= math.Abs(rho)
	c.d[middle] -= math.Abs(rho)
	if err := c.solve(from, middle); err != nil {
		return err
	}
	if err := c.solve(middle, to); err != nil {
		return err
	}
	return c.merge(from, middle, to, rho)
}

// leaf solves a range by implicit QL steps.
func (c *conquest) leaf(from, to int) error {
	m := to - from
	vectors, work := make([]float64, m*m), make([]float64, 2*m)
	if !(lapackgonum.Implementation{}).Dsteqr(lapack.EVTridiag, m, c.d[from:to], c.e[from:max(to-1, from)], vectors, m, work) {
		return diverged(c.n)
	}
	for i := range m {
		row := c.row(from+i, from, to)
		for j := range row {
			row[j] = vectors[j*m+i]
		}
		c.order[from+i] = from + i
	}
	return nil
}

// merge solves from ... to-1 when both halves are solved.
func (c *conquest) merge(from, middle, to int, rho float64) error {
	sign := math.Copysign(math.Sqrt(0.5), rho)
	for i := from; i < middle; i++ {
		c.z[i], c.side[i] = math.Sqrt(0.5)*c.row(i, middle-1, middle)[0], above
	}
	for i := middle; i < to; i++ {
		c.z[i], c.side[i] = sign*c.row(i, middle, middle+1)[0], below
	}
	rho = 2 * math.Abs(rho)
	c.deflate(from, middle, to, rho)
	if len(c.kept) > 0 {
		first := 0
		if to-from == c.n { // the last step: of the vectors that it makes, those of the highest roots alone are asked for
			first = max(0, len(c.kept)-c.wanted)
		}
		if err := c.secular(rho, first); err != nil {
			return err
		}
		if err := c.turn(from, middle, to, first); err != nil {
			return err
		}
	}
	byValue := func(a, b int) int { return cmp.Or(cmp.Compare(c.d[a], c.d[b]), cmp.Compare(a, b)) }
	places := c.order[from:to]
	for i := range places {
		places[i] = from + i
	}
	slices.SortFunc(places, byValue)
	return nil
}

// deflate finds the places whose values and vectors stay what they are: those where z is nearly zero, and, after a rotation of two vectors
// that makes it so, one of two with nearly equal values. Source: LAPACK's LAED2.
func (c *conquest) deflate(from, middle, to int, rho float64) {
	c.kept, c.apart = c.kept[:0], c.apart[:0]
	sorted := append(c.moved[:0], c.order[from:to]...)
	c.moved = sorted
	slices.SortStableFunc(sorted, func(a, b int) int { return cmp.Compare(c.d[a], c.d[b]) })
	largest := 0.0
	for _, i := range sorted {
		largest = max(largest, math.Abs(c.d[i]), math.Abs(c.z[i]))
	}
	tol := 8 * epsilon * largest
	last := -1
	for _, i := range sorted {
		if rho*math.Abs(c.z[i]) <= tol {
			c.apart = append(c.apart, i)
			continue
		}
		if last >= 0 {
			length := math.Hypot(c.z[i], c.z[last])
			cos, sin := c.z[i]/length, -c.z[last]/length
			gap := c.d[i] - c.d[last]
			if math.Abs(gap*cos*sin) <= tol {
				c.z[i], c.z[last] = length, 0
				x, y := c.row(last, from, to), c.row(i, from, to)
				for j, v := range x {
					x[j], y[j] = cos*v+sin*y[j], cos*y[j]-sin*v
				}
				if c.side[i] != c.side[last] {
					c.side[i], c.side[last] = both, both
				}
				low, high := c.d[last], c.d[i]
				c.d[last], c.d[i] = low*cos*cos+high*sin*sin, low*sin*sin+high*cos*cos
				c.apart = append(c.apart, last)
				c.kept = c.kept[:len(c.kept)-1]
			}
		}
		c.kept = append(c.kept, i)
		last = i
	}
}

// secular finds the roots of 1/rho + sum_k z_k^2 / (d_k - x) for the kept places and the coefficients of the new vectors in the old ones:
// u_k in proportion to z_k / (d_k - x), with the z for which the roots found are exact, so that the vectors are orthogonal to rounding. The
// coefficients are those of the roots from first on.
// Source: Gu, Eisenstat 1995.
func (c *conquest) secular(rho float64, first int) error {
	k := len(c.kept)
	c.poles, c.zk = c.poles[:0], c.zk[:0]
	for _, i := range c.kept {
		c.poles, c.zk = append(c.poles, c.d[i]), append(c.zk, c.z[i])
	}
	if need := k * tile.Padded(k); cap(c.u) < need {
		c.u = make([]float64, need)
	}
	stride := tile.Padded(k)
	if err := c.ctx.Err(); err != nil {
		return err
	}
	roots := c.roots[:k]
	share.Ranges(share.Workers(k, 30*float64(k)*float64(k)), k, func(_, from, to int) {
		for i := from; i < to && c.ctx.Err() == nil; i++ {
			roots[i] = root(c.u[i*stride:i*stride+k], i, c.poles, c.zk, rho)
		}
	})
	if err := c.ctx.Err(); err != nil {
		return err
	}
	exact := make([]float64, k)
	for j := range exact {
		exact[j] = -c.u[j*stride+j]
	}
	for i := range k {
		row, pole := c.u[i*stride:i*stride+k], c.poles[i]
		for j, v := range row[:i] {
			exact[j] *= v / (c.poles[j] - pole)
		}
		for j := i + 1; j < k; j++ {
			exact[j] *= row[j] / (c.poles[j] - pole)
		}
	}
	for j, v := range exact {
		exact[j] = math.Copysign(math.Sqrt(max(v, 0)), c.zk[j])
	}
	// Columns of u in the order of the halves, so that each half meets a range of them.
	at := 0
	for s := above; s <= below; s++ {
		for j, i := range c.kept {
			if c.side[i] == s {
				c.column[j] = at
				at++
			}
		}
	}
	numbers := make([]float64, k)
	for i := first; i < k; i++ {
		row := c.u[i*stride : i*stride+k]
		squares := 0.0
		for j, v := range row {
			numbers[j] = exact[j] / v
			squares = fused.FMA(numbers[j], numbers[j], squares)
		}
		by := 1 / math.Sqrt(squares)
		for j, v := range numbers {
			row[c.column[j]] = v * by
		}
	}
	return nil
}

// turn makes the vectors of the kept places those that secular found, and gives them the first places of the range. Vectors before first
// are left undone.
func (c *conquest) turn(from, middle, to, first int) error {
	k, stride := len(c.kept), tile.Padded(len(c.kept))
	counts := [3]int{}
	for j, i := range c.kept {
		counts[c.side[i]]++
		at := from + c.column[j] // old vectors stand in spare in the order of the columns of u
		copy(c.spare[at*c.stride+from:at*c.stride+to], c.row(i, from, to))
	}
	slices.Sort(c.apart)
	apart := make([]float64, len(c.apart))
	for j, i := range c.apart {
		apart[j] = c.d[i]
		copy(c.spare[(from+k+j)*c.stride+from:(from+k+j)*c.stride+to], c.row(i, from, to))
	}
	for j := range c.apart {
		at := from + k + j
		copy(c.row(at, from, to), c.spare[at*c.stride+from:at*c.stride+to])
	}
	copy(c.d[from:from+k], c.roots[:k])
	copy(c.d[from+k:to], apart)

	u := tile.Dense(c.u, k, k, stride)
	for _, half := range []struct{ left, right, first, count int }{
		{from, middle, 0, counts[above] + counts[both]},
		{middle, to, counts[above], counts[both] + counts[below]},
	} {
		width := half.right - half.left
		old, now := c.part(c.spare, from+half.first, half.left, half.count, width), c.part(c.q, from, half.left, k, width)
		if err := inParts(c.ctx, k-first, half.count*width, func(i, count int) {
			now.Part(first+i, 0, count, width).SetProduct(u.Part(first+i, half.first, count, half.count), old)
		}); err != nil {
			return err
		}
	}
	return nil
}

// root finds root i of 1/rho + sum_k z_k^2 / (poles_k - x), which lies between pole i and the next one, and sets from[k] to poles_k less
// the root. The root is sought as a difference to the nearer pole, so that small differences have all their digits. Each step takes the
// function for a constant and two poles, with the values and the slopes of the sums to the left and to the right. Source: Li, Solving
// secular equations stably and efficiently, LAPACK Working Note 89, 1993.
func root(from []float64, i int, poles, z []float64, rho float64) float64 {
	k := len(poles)
	lo, hi := 0.0, 0.0
	origin, split := i, i // split: the last pole of the left sum
	if i == k-1 {
		for _, v := range z {
			hi = fused.FMA(v, v, hi)
		}
		hi *= rho
		split = max(k-2, 0)
	} else {
		hi = poles[i+1] - poles[i]
		if s := evaluate(from, poles, z, rho, poles[i], hi/2, split); s.value() < 0 {
			origin, lo, hi = i+1, -hi/2, 0
		} else {
			hi /= 2
		}
	}
	base := poles[origin]
	mu := (lo + hi) / 2
	if origin == i && i < k-1 {
		mu = hi
	} else if i < k-1 {
		mu = lo
	}
	for range 100 {
		s := evaluate(from, poles, z, rho, base, mu, split)
		g := s.value()
		if math.Abs(g) <= 16*epsilon*(s.constant+math.Abs(s.left)+math.Abs(s.right)) {
			break
		}
		if g < 0 {
			lo = mu
		} else {
			hi = mu
		}
		next := mu + s.step(from[split], from[min(split+1, k-1)])
		if k == 1 {
			next = mu - g/s.leftSlope
		}
		if !(next > lo && next < hi) {
			next = mu - g/(s.leftSlope+s.rightSlope) // Newton's step
		}
		if !(next > lo && next < hi) {
			next = (lo + hi) / 2
		}
		if next == mu || !(next > lo && next < hi) {
			break
		}
		mu = next
	}
	for j, d := range poles {
		from[j] = (d - base) - mu
	}
	return base + mu
}

// sums are the parts of the secular function at one point: the sums over the poles to the left and to the right and their slopes.
type sums struct{ constant, left, right, leftSlope, rightSlope float64 }

func (s sums) value() float64 { return s.constant + s.left + s.right }

// step solves c + s/(near - x) + S/(far - x) = 0 for the x next to zero, where both terms have the slopes of the two sums.
func (s sums) step(near, far float64) float64 {
	g := s.value()
	a := (near+far)*g - near*far*(s.leftSlope+s.rightSlope)
	b := near * far * g
	c := g - near*s.leftSlope - far*s.rightSlope
	d := math.Sqrt(math.Abs(a*a - 4*b*c))
	if near < 0 && far < 0 { // beyond the last pole the other root is the one that counts
		c = math.Abs(c)
		if a >= 0 {
			return (a + d) / (2 * c)
		}
		return 2 * b / (a - d)
	}
	if a <= 0 {
		return (a - d) / (2 * c)
	}
	return 2 * b / (a + d)
}

// evaluate sets from[k] to poles_k - (base + mu) and returns the sums over k <= split and beyond.
func evaluate(from, poles, z []float64, rho, base, mu float64, split int) sums {
	s := sums{constant: 1 / rho}
	s.left, s.leftSlope = terms(from[:split+1], poles, z, base, mu)
	s.right, s.rightSlope = terms(from[split+1:], poles[split+1:], z[split+1:], base, mu)
	return s
}

func terms(from, poles, z []float64, base, mu float64) (sum, slope float64) {
	poles, z = poles[:len(from)], z[:len(from)]
	for k, d := range poles {
		v := (d - base) - mu
		from[k] = v
		t := z[k] / v
		sum = fused.FMA(z[k], t, sum)
		slope = fused.FMA(t, t, slope)
	}
	return sum, slope
}
