package tile

// Wide is the number of columns in a strip: rows that the functions of this package read or write are multiples of it long.
const Wide = 8

const tall = 4 // rows of a tile

// Padded returns n rounded up to a whole number of strips.
func Padded(n int) int { return (n + Wide - 1) / Wide * Wide }

// Columns is a matrix of n columns with k numbers each, kept in strips of eight columns so that tiles read it from end to end. Columns added to
// fill the last strip are zero.
type Columns struct {
	k, n   int
	strips []float64 // strip s, entry (r, j) at s k 8 + r 8 + j
	depth  []int     // of each strip: the rows after these hold zeros only, as in a triangular matrix
}

// Transpose returns the matrix whose columns are the n rows of length k that stand in rows.
func Transpose(rows []float64, n, k int) *Columns {
	return Gather(nil, n, k, func(j int) []float64 { return rows[j*k : (j+1)*k] })
}

// Gather returns the matrix whose columns are row(0) ... row(n-1), of length k each. It takes the room of old, which may be nil and is not to be used
// afterwards.
func Gather(old *Columns, n, k int, row func(j int) []float64) *Columns {
	if old == nil {
		old = &Columns{}
	}
	c := &Columns{k: k, n: n, depth: old.depth}
	if need := Padded(n) * k; cap(old.strips) >= need {
		c.strips = old.strips[:need]
		clear(c.strips)
	} else {
		c.strips = make([]float64, need)
	}
	for j := range n {
		to := c.strips[j/Wide*Wide*k+j%Wide:]
		for r, v := range row(j) {
			to[r*Wide] = v
		}
	}
	c.measure()
	return c
}

// Room returns an empty matrix in whose room, numbers that nobody else uses any more, Gather may put another.
func Room(numbers []float64) *Columns { return &Columns{strips: numbers} }

// Pack returns a k x n matrix, given row by row, as Columns.
func Pack(matrix []float64, k, n int) *Columns {
	c := &Columns{k: k, n: n, strips: make([]float64, Padded(n)*k)}
	for r := range k {
		for j, v := range matrix[r*n : (r+1)*n] {
			c.strips[j/Wide*Wide*k+r*Wide+j%Wide] = v
		}
	}
	c.measure()
	return c
}

func (c *Columns) measure() {
	if strips := c.Width() / Wide; cap(c.depth) >= strips {
		c.depth = c.depth[:strips]
	} else {
		c.depth = make([]int, strips)
	}
	for s := range c.depth {
		strip := c.strips[s*Wide*c.k : (s+1)*Wide*c.k]
		last := len(strip)
		for last > 0 && strip[last-1] == 0 {
			last--
		}
		c.depth[s] = (last + Wide - 1) / Wide
	}
}

// Width returns the length of a row of the results of Product and Distances: the number of columns, padded.
func (c *Columns) Width() int { return Padded(c.n) }

// Product fills dst (m x Width) with x C, where x is m x k and finite. Entries of dst beyond the n columns are zero.
func (c *Columns) Product(dst, x []float64, m int) { c.each(dst, x, m, mul, mulWide, c.depth) }

// Distances fills dst (m x Width) with the squared Euclidean distances between the m rows of x, each of length k, and the n columns. Entries
// of dst beyond the n columns mean nothing.
func (c *Columns) Distances(dst, x []float64, m int) {
	c.each(dst, x, m, distances, distancesWide, nil)
}

// RowProduct fills dst with the products of x, k numbers, with the columns from, from+1, ...
func (c *Columns) RowProduct(dst, x []float64, from int) { c.row(dst, x, from, products) }

// RowDistances fills dst with the squared Euclidean distances of x, k numbers, to the columns from, from+1, ...
func (c *Columns) RowDistances(dst, x []float64, from int) { c.row(dst, x, from, squares) }

// RowAbsolute fills dst with the sums of absolute differences between x, k numbers, and the columns from, from+1, ...
func (c *Columns) RowAbsolute(dst, x []float64, from int) { c.row(dst, x, from, absolutes) }

// A rowKind names what row computes. A function value in its place would move dst, x and out to the heap.
type rowKind int

const (
	products rowKind = iota
	squares
	absolutes
)

func (kind rowKind) work(k int, a, b []float64, strip int, c []float64) {
	switch kind {
	case products:
		mulRow(k, a, b, strip, c)
	case squares:
		distancesRow(k, a, b, strip, c)
	default:
		absoluteRow(k, a, b, strip, c)
	}
}

// RowCost is about how many nanoseconds so many numbers of RowProduct, RowDistances or RowAbsolute take for points of d numbers, with Exp of each.
func RowCost(numbers, d int) float64 { return 0.1 * float64(d+20) * float64(numbers) }

// row goes through the strips, four at a time. The last four of fewer are read again together with strips before them.
func (c *Columns) row(dst, x []float64, from int, kind rowKind) {
	const four = 4 * Wide
	x = x[:c.k]
	strip := Wide * c.k
	strips := c.strips
	if c.Width() < four {
		strips = append(make([]float64, 0, 4*strip), strips...)[:4*strip]
	}
	last := max(c.Width(), four) - four
	var out [four]float64
	for j := from / Wide * Wide; j < from+len(dst); j += four {
		at := min(j, last) // first column of the four strips
		if to := at - from; at == j && to >= 0 && to+four <= len(dst) {
			kind.work(c.k, x, strips[at*c.k:(at+four)*c.k], strip, dst[to:to+four])
			continue
		}
		kind.work(c.k, x, strips[at*c.k:(at+four)*c.k], strip, out[:])
		lo, hi := max(j, from), min(j+four, from+len(dst))
		copy(dst[lo-from:hi-from], out[lo-at:hi-at])
	}
}

// Column copies column j to dst, k numbers.
func (c *Columns) Column(dst []float64, j int) {
	for r := range c.k {
		dst[r] = c.strips[j/Wide*Wide*c.k+r*Wide+j%Wide]
	}
}

// Square returns the product of column j with itself.
func (c *Columns) Square(j int) float64 {
	s := 0.0
	column := c.strips[j/Wide*Wide*c.k+j%Wide:]
	for r := range c.k {
		v := column[r*Wide]
		s += float64(v * v)
	}
	return s
}

// Swap exchanges two columns.
func (c *Columns) Swap(i, j int) {
	a, b := c.strips[i/Wide*Wide*c.k+i%Wide:], c.strips[j/Wide*Wide*c.k+j%Wide:]
	for r := range c.k {
		a[r*Wide], b[r*Wide] = b[r*Wide], a[r*Wide]
	}
	c.depth[i/Wide], c.depth[j/Wide] = c.k, c.k
}

type (
	micro     func(k int, a []float64, ai, ar int, b []float64, br int, c []float64, cr int)
	microWide func(k int, a []float64, ai, ar int, b []float64, br, right int, c []float64, cr int)
)

// each works on all tiles; depth nil goes through all k rows.
func (c *Columns) each(dst, x []float64, m int, one micro, two microWide, depth []int) {
	width, strip := c.Width(), Wide*c.k
	dst = dst[:m*width]
	clear(dst)
	rows := func(j int) int {
		if depth == nil {
			return c.k
		}
		return depth[j/Wide]
	}
	across := func(x, dst []float64, width int) { // one row of tiles
		j := 0
		for ; wide && j+2*Wide <= width; j += 2 * Wide {
			if k := max(rows(j), rows(j+Wide)); k > 0 {
				two(k, x, c.k, 1, c.strips[j*c.k:(j+2*Wide)*c.k], Wide, strip, dst[j:], width)
			}
		}
		for ; j < width; j += Wide {
			one(rows(j), x, c.k, 1, c.strips[j*c.k:(j+Wide)*c.k], Wide, dst[j:], width)
		}
	}
	i := 0
	for ; i+tall <= m; i += tall {
		across(x[i*c.k:(i+tall)*c.k], dst[i*width:], width)
	}
	if i == m {
		return
	}
	// The last rows are worked on in tiles of their own, together with rows of zeros.
	rest, out := make([]float64, tall*c.k), make([]float64, tall*width)
	copy(rest, x[i*c.k:m*c.k])
	across(rest, out, width)
	copy(dst[i*width:], out[:(m-i)*width])
}

// AddOuter adds sum_r a_r b_r^T over m rows to acc, a width x width matrix. Rows of a and b are width long, and width is a whole number of strips.
func AddOuter(acc, a, b []float64, m, width int) {
	for i := 0; i < width; i += tall {
		outer(acc, a, b, m, width, i, 0)
	}
}

// AddGram is AddOuter of x with itself; only the tiles that touch the upper triangle are worked on.
func AddGram(acc, x []float64, m, width int) {
	for i := 0; i < width; i += tall {
		outer(acc, x, x, m, width, i, i/Wide*Wide)
	}
}

// outer works on the tiles from column j on of the rows i ... i+3 of acc.
func outer(acc, a, b []float64, m, width, i, j int) {
	for ; wide && m > 0 && j+2*Wide <= width; j += 2 * Wide {
		mulWide(m, a[i:], 1, width, b[j:], width, Wide, acc[i*width+j:], width)
	}
	for ; j < width; j += Wide {
		mul(m, a[i:], 1, width, b[j:], width, acc[i*width+j:], width)
	}
}

// MinPlus sets best[j] = min_i cost[i] + b[i][j] for all j, and arg[j] to the first i that attains it, 0 when all are infinite. Rows of b, best and arg
// are width long, a whole number of strips.
func MinPlus(best []float64, arg []int64, cost, b []float64, width int) {
	for j := 0; j < width; j += Wide {
		minPlus(cost, b[j:], width, best[j:j+Wide], arg[j:j+Wide])
	}
}

// ArgMin returns the place of the least number of x, the first of equal ones, and that number. x is a whole number of strips long.
func ArgMin(x []float64) (at int, least float64) {
	var none [64]float64
	zeros := none[:]
	if strips := len(x) / Wide; strips > len(none) {
		zeros = make([]float64, strips)
	}
	var best [Wide]float64
	var strip [Wide]int64
	minPlus(zeros[:len(x)/Wide], x, Wide, best[:], strip[:])
	at, least = int(strip[0])*Wide, best[0]
	for j := 1; j < Wide; j++ {
		if place := int(strip[j])*Wide + j; best[j] < least || best[j] == least && place < at {
			at, least = place, best[j]
		}
	}
	return at, least
}

// Exp replaces each number by its exponential, right to two units in the last place; below -708 that is zero and above 709 infinite.
func Exp(x []float64) {
	if !fast {
		for i, v := range x {
			x[i] = plainExp(v)
		}
		return
	}
	const group = 16
	whole := len(x) / group * group
	if whole > 0 {
		exp16(whole/group, &x[0])
	}
	if whole < len(x) {
		var rest [group]float64
		copy(rest[:], x[whole:])
		exp16(1, &rest[0])
		copy(x[whole:], rest[:])
	}
}

// Finite tells whether there is neither a NaN nor an infinity.
func Finite(x []float64) bool {
	whole := 0
	if fast && len(x) >= 16 {
		whole = len(x) / 16 * 16
		if !finite16(whole/16, &x[0]) {
			return false
		}
	}
	return plainFinite(x[whole:])
}
