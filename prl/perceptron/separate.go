package perceptron

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Separation answers whether a hyperplane separates two classes, with a proof that can be multiplied out: a hyperplane with every row
// strictly on its side, or a point that the convex hulls of both classes share.
type Separation struct {
	Separable bool
	// W, of length one, and B put class 1 where W·x + B > 0 and class 0 where W·x + B < 0; nil and 0 where the hulls meet.
	W []float64
	B float64
	// Margin is the least distance of a row from this hyperplane, and 0 where the hulls meet. No hyperplane has more than Bound.
	Margin float64
	// Weights holds a weight for each row, not negative, with sum 1 in each class.
	Weights []float64
	// Nearest holds the sums of the weighted rows of class 0 and of class 1: the nearest points of the hulls, or a common point twice.
	Nearest [2][]float64
}

// Bound returns half the distance of the two Nearest. No hyperplane has a larger margin, since with |w| = 1 twice the margin is at most
// w·p - w·q <= |p - q| for every p and q of the hulls.
func (s *Separation) Bound() float64 { return floats.Distance(s.Nearest[0], s.Nearest[1], 2) / 2 }

// exactColumns is the largest number of columns for which a common point of the hulls is found in rational numbers.
const exactColumns = 10

// Separate returns the hyperplane of largest margin between the classes 0 and 1 of the rows of X (n x d), or a common point of their convex
// hulls. The answer is about the numbers as they are stored, without a tolerance: signs are decided in exact arithmetic wherever rounding
// could turn them, and a common point is found in rational numbers where d is at most 10. With more columns the two sides of a common point
// may differ by rounding, at most 1e-7 of the spread of the rows.
//
// Method: nearest points of the hulls (Wolfe 1976), whose bisector is the hyperplane; where it fails, the simplex method of rational
// numbers, whose dual is another hyperplane.
//
// It is the sharpest of three such questions: svm.Separable asks in the feature space of a kernel, with a tolerance, and logistic.Separate
// whether a maximum of the likelihood exists, for any number of classes, where classes that only touch count as separable too.
//
// Errors: unusable data or labels; other than two classes; classes that are apart, but by less than float64 can state; the error of ctx.
func Separate(ctx context.Context, X mat.Matrix, y []int) (*Separation, error) {
	const op = "perceptron.Separate"
	classes, err := estimator.CheckLabelled(op, X, y)
	if err != nil {
		return nil, err
	}
	if classes != 2 {
		return nil, fault.Argument(op, "y", fmt.Sprintf("of %d classes", classes), "of two classes", "ask for each pair")
	}
	h := newHulls(estimator.Dense(X), y)
	if err := h.nearest(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	if s := h.bisector(); s != nil {
		return s, nil
	}
	_, d := X.Dims()
	if d > exactColumns {
		if h.distance() > 1e-7 {
			return nil, errors.New(op + ": the classes are apart by less than rounding lets decide; subtract the means of the columns")
		}
		return h.meeting(nil, nil), nil
	}
	for _, rows := range [][]int{h.visited(), h.all()} {
		share, dual, err := h.common(ctx, rows)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", op, err)
		}
		if share != nil {
			return h.meeting(rows, share), nil
		}
		if len(rows) < len(y) {
			continue
		}
		if s := h.hyperplane(dual[:d], dual[d]); s != nil {
			return s, nil
		}
	}
	return nil, errors.New(op + ": the classes are apart, but by less than float64 can state; subtract the means of the columns")
}

// hulls are two classes of rows, and the search for the nearest points of their hulls: v = sum_k a_k (u_i - u_j) over pairs (i, j) of rows
// of class 1 and of class 0, centred and scaled to lie in [-1, 1].
type hulls struct {
	x     *mat.Dense
	y     []int
	u     [][]float64
	pairs [][2]int
	a     []float64
	v     []float64
	seen  map[int]bool
}

func newHulls(x *mat.Dense, y []int) *hulls {
	n, d := x.Dims()
	h := &hulls{x: x, y: y, v: make([]float64, d), seen: map[int]bool{}}
	size := 0.0
	for range n {
		h.u = append(h.u, make([]float64, d))
	}
	for j := range d {
		column := mat.Col(nil, j, x)
		middle := slices.Min(column)/2 + slices.Max(column)/2
		for i, v := range column {
			h.u[i][j] = v - middle
			size = max(size, math.Abs(v-middle))
		}
	}
	for _, row := range h.u {
		for j := range row {
			if size > 0 {
				row[j] /= size
			}
		}
	}
	return h
}

// toward returns the pair (i, j) whose difference lies farthest against v, and v·(u_i - u_j).
func (h *hulls) toward() (pair [2]int, least float64) {
	low, high := math.Inf(1), math.Inf(-1)
	for i, row := range h.u {
		g := floats.Dot(h.v, row)
		if h.y[i] == 1 && g < low {
			low, pair[0] = g, i
		}
		if h.y[i] == 0 && g > high {
			high, pair[1] = g, i
		}
	}
	return pair, low - high
}

// difference writes u_i - u_j.
func (h *hulls) difference(dst []float64, pair [2]int) []float64 {
	return floats.SubTo(dst, h.u[pair[0]], h.u[pair[1]])
}

// set computes v from the weights, and returns |v|^2.
func (h *hulls) set() float64 {
	clear(h.v)
	for k, pair := range h.pairs {
		floats.AddScaled(h.v, h.a[k], h.u[pair[0]])
		floats.AddScaled(h.v, -h.a[k], h.u[pair[1]])
	}
	return floats.Dot(h.v, h.v)
}

// distance returns |v|.
func (h *hulls) distance() float64 { return floats.Norm(h.v, 2) }

// nearest minimises |v| by Wolfe's method: the pair that lies farthest against v joins those in use; where the least point of the plane
// through them has a negative weight, the way there ends at zero, and a pair leaves.
func (h *hulls) nearest(ctx context.Context) error {
	first, _ := h.toward()
	h.pairs, h.a = [][2]int{first}, []float64{1}
	length := h.set()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		pair, least := h.toward()
		if h.seen[pair[0]], h.seen[pair[1]] = true, true; least >= length*(1-1e-15) || slices.Contains(h.pairs, pair) {
			return nil
		}
		before, weights := slices.Clone(h.pairs), slices.Clone(h.a)
		h.pairs, h.a = append(h.pairs, pair), append(h.a, 0)
		h.descend()
		now := h.set()
		if now >= length { // rounding has used up what the step promised
			h.pairs, h.a = before, weights
			h.set()
			return nil
		}
		length = now
	}
}

// descend moves the weights to the least point of the plane through the pairs, and drops pairs whose weight comes to zero on the way.
func (h *hulls) descend() {
	for {
		to := h.plane()
		far := 1.0
		for k, t := range to {
			if t <= 1e-15 && h.a[k] > t {
				far = min(far, h.a[k]/(h.a[k]-t))
			}
		}
		kept := 0
		for k, t := range to {
			a := h.a[k] + far*(t-h.a[k])
			if a > 1e-15 {
				h.pairs[kept], h.a[kept] = h.pairs[k], a
				kept++
			}
		}
		dropped := kept < len(to)
		h.pairs, h.a = h.pairs[:kept], h.a[:kept]
		floats.Scale(1/floats.Sum(h.a), h.a)
		if !dropped {
			return
		}
	}
}

// plane returns the weights, with sum 1 and of any sign, of the point of least length of the plane through the pairs. It makes the
// differences from the first orthogonal, twice.
func (h *hulls) plane() []float64 {
	d, k := len(h.v), len(h.pairs)
	origin := h.difference(make([]float64, d), h.pairs[0])
	q, r := make([][]float64, 0, k), mat.NewDense(k, k, nil)
	rest := slices.Clone(origin)
	weights := make([]float64, k)
	right := make([]float64, k)
	for c := 1; c < k; c++ {
		p := h.difference(make([]float64, d), h.pairs[c])
		floats.Sub(p, origin)
		for range 2 {
			for e, b := range q {
				t := floats.Dot(b, p)
				floats.AddScaled(p, -t, b)
				r.Set(e, c-1, r.At(e, c-1)+t)
			}
		}
		length := floats.Norm(p, 2)
		r.Set(c-1, c-1, length)
		if length > 0 {
			floats.Scale(1/length, p)
		}
		q = append(q, p)
		right[c-1] = -floats.Dot(p, rest)
		floats.AddScaled(rest, right[c-1], p)
	}
	weights[0] = 1
	for c := k - 2; c >= 0; c-- {
		t := right[c]
		for e := c + 1; e < k-1; e++ {
			t -= r.At(c, e) * weights[e+1]
		}
		if r.At(c, c) > 0 {
			weights[c+1] = t / r.At(c, c)
		}
		weights[0] -= weights[c+1]
	}
	return weights
}

// weights returns the weights of the rows that the pairs have: the two sums of a class are 1.
func (h *hulls) weights() []float64 {
	w := make([]float64, len(h.y))
	for k, pair := range h.pairs {
		w[pair[0]] += h.a[k]
		w[pair[1]] += h.a[k]
	}
	return w
}

// answer returns a separation with weights and the points that they make.
func (h *hulls) answer(weights []float64) *Separation {
	s := &Separation{Weights: weights}
	for c := range s.Nearest {
		s.Nearest[c] = make([]float64, len(h.v))
	}
	for i, w := range weights {
		if w > 0 {
			floats.AddScaled(s.Nearest[h.y[i]], w, h.x.RawRowView(i))
		}
	}
	return s
}

// bisector returns the separation by the plane halfway between the nearest points, or nil where it does not separate.
func (h *hulls) bisector() *Separation {
	length := h.distance()
	if length == 0 {
		return nil
	}
	w := make([]float64, len(h.v))
	return h.hyperplane(floats.ScaleTo(w, 1/length, h.v), math.NaN())
}

// hyperplane returns the separation by the normal w and the offset b, NaN for the offset halfway between the classes, or nil where a row
// is not strictly on its side.
func (h *hulls) hyperplane(w []float64, b float64) *Separation {
	length := floats.Norm(w, 2)
	floats.Scale(1/length, w)
	b /= length
	if math.IsNaN(b) {
		low, high := math.Inf(1), math.Inf(-1)
		for i, class := range h.y {
			if g := floats.Dot(w, h.x.RawRowView(i)); class == 1 {
				low = min(low, g)
			} else {
				high = max(high, g)
			}
		}
		b = -(low/2 + high/2)
	}
	margin := math.Inf(1)
	for i, class := range h.y {
		g := exactScore(w, b, h.x.RawRowView(i)) * float64(2*class-1)
		if !(g > 0) {
			return nil
		}
		margin = min(margin, g)
	}
	s := h.answer(h.weights())
	s.Separable, s.W, s.B, s.Margin = true, w, b, margin
	return s
}

// exactScore returns w·x + b with a sign that no rounding has turned; NaN where a term is not finite.
func exactScore(w []float64, b float64, x []float64) float64 {
	sum, size := b, math.Abs(b)
	for j, v := range x {
		sum += w[j] * v
		size += math.Abs(w[j] * v)
	}
	if math.Abs(sum) > float64(len(x)+2)*(size*0x1p-51+math.SmallestNonzeroFloat64) {
		return sum
	}
	if math.IsNaN(size) || math.IsInf(size, 0) {
		return math.NaN()
	}
	total, term, factor := new(big.Rat).SetFloat64(b), new(big.Rat), new(big.Rat)
	for j, v := range x {
		total.Add(total, term.Mul(term.SetFloat64(w[j]), factor.SetFloat64(v)))
	}
	g, _ := total.Float64()
	if g == 0 {
		return float64(total.Sign()) * math.SmallestNonzeroFloat64
	}
	return g
}

// visited returns the rows that the search has met, in order.
func (h *hulls) visited() (rows []int) {
	for i := range h.y {
		if h.seen[i] {
			rows = append(rows, i)
		}
	}
	return rows
}

// all returns every row.
func (h *hulls) all() []int {
	rows := make([]int, len(h.y))
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// meeting returns the common point that rational weights of some rows make, or without them that of the pairs.
func (h *hulls) meeting(rows []int, share []*big.Rat) *Separation {
	if share == nil {
		return h.answer(h.weights())
	}
	weights := make([]float64, len(h.y))
	s := h.answer(weights)
	for k, i := range rows {
		weights[i], _ = share[k].Float64()
	}
	for j := range h.v {
		sum := new(big.Rat)
		for k, i := range rows {
			if h.y[i] == 1 {
				sum.Add(sum, new(big.Rat).Mul(share[k], new(big.Rat).SetFloat64(h.x.At(i, j))))
			}
		}
		p, _ := sum.Float64()
		s.Nearest[0][j], s.Nearest[1][j] = p, p
	}
	return s
}

// common returns rational weights of the rows that make the same point in both classes, or where there are none w and b of a hyperplane
// with the classes on its sides. It is the first phase of the simplex method with Bland's rule: the weights l of class 0 and m of class 1
// satisfy sum l = 1, sum m = 1 and sum l x - sum m x = 0, and the sum of what is missing is made least. The prices (s, t, w) at a positive
// least have w·x <= -s in class 0 and w·x >= t in class 1, and s + t > 0.
func (h *hulls) common(ctx context.Context, rows []int) (share []*big.Rat, dual []float64, err error) {
	d, n := len(h.v), len(rows)
	m := d + 2
	table, basis := make([][]big.Rat, m+1), make([]int, m) // the last row is what a column saves
	for i := range table {
		table[i] = make([]big.Rat, n+m+1)
	}
	for k, i := range rows {
		table[h.y[i]][k].SetInt64(1)
		for j := range d {
			table[2+j][k].SetFloat64(h.x.At(i, j) * float64(1-2*h.y[i]))
		}
	}
	for i := range m {
		basis[i] = n + i
		table[i][n+i].SetInt64(1)
		if i < 2 {
			table[i][n+m].SetInt64(1)
		}
		for c := range table[i] {
			if c < n || c == n+m {
				table[m][c].Add(&table[m][c], &table[i][c])
			}
		}
	}
	for {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		enter := slices.IndexFunc(table[m][:n], func(v big.Rat) bool { return v.Sign() > 0 })
		if enter < 0 {
			break
		}
		leave, least := -1, new(big.Rat)
		for i := range m {
			if table[i][enter].Sign() <= 0 {
				continue
			}
			ratio := new(big.Rat).Quo(&table[i][n+m], &table[i][enter])
			if c := ratio.Cmp(least); leave < 0 || c < 0 || c == 0 && basis[i] < basis[leave] {
				leave, least = i, ratio
			}
		}
		exchange(table, leave, enter)
		basis[leave] = enter
	}
	if table[m][n+m].Sign() == 0 {
		share = make([]*big.Rat, n)
		for k := range share {
			share[k] = new(big.Rat)
		}
		for i, c := range basis {
			if c < n {
				share[c].Set(&table[i][n+m])
			}
		}
		return share, nil, nil
	}
	price := func(i int) *big.Rat { return new(big.Rat).Add(&table[m][n+i], big.NewRat(1, 1)) }
	largest := new(big.Rat)
	for j := range d {
		if p := price(2 + j); p.Abs(p).Cmp(largest) > 0 {
			largest = p
		}
	}
	dual = make([]float64, d+1)
	for j := range d {
		p := price(2 + j)
		dual[j], _ = p.Quo(p, largest).Float64()
	}
	middle := price(0)
	middle.Sub(middle, price(1)).Quo(middle, largest)
	dual[d], _ = middle.Quo(middle, big.NewRat(2, 1)).Float64()
	return nil, dual, nil
}

// exchange makes a column that of a basis, with 1 in a row and zeros elsewhere.
func exchange(table [][]big.Rat, row, column int) {
	inverse := new(big.Rat).Inv(&table[row][column])
	for c := range table[row] {
		if table[row][c].Sign() != 0 {
			table[row][c].Mul(&table[row][c], inverse)
		}
	}
	product, factor := new(big.Rat), new(big.Rat)
	for i := range table {
		if i == row || table[i][column].Sign() == 0 {
			continue
		}
		factor.Set(&table[i][column])
		for c := range table[i] {
			if table[row][c].Sign() != 0 {
				table[i][c].Sub(&table[i][c], product.Mul(factor, &table[row][c]))
			}
		}
	}
}
