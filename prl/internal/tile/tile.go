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
	c := &Columns{k: k, n: n, strips: make([]float64, Padded(n)*k)}
	for j := range n {
		to := c.strips[j/Wide*Wide*k+j%Wide:]
		for r, v := range rows[j*k : (j+1)*k] {
			to[r*Wide] = v
		}
	}
	c.measure()
	return c
}

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
	c.depth = make([]int, c.Width()/Wide)
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
func (c *Columns) Product(dst, x []float64, m int) { c.each(dst, x, m, mul, c.depth) }

// Distances fills dst (m x Width) with the squared Euclidean distances between the m rows of x, each of length k, and the n columns. Entries
// of dst beyond the n columns mean nothing.
func (c *Columns) Distances(dst, x []float64, m int) { c.each(dst, x, m, distances, nil) }

// RowProduct fills dst with the products of x, k numbers, with the columns from, from+1, ...
func (c *Columns) RowProduct(dst, x []float64, from int) { c.row(dst, x, from, mulRow, mul) }

// RowDistances fills dst with the squared Euclidean distances of x, k numbers, to the columns from, from+1, ...
func (c *Columns) RowDistances(dst, x []float64, from int) {
	c.row(dst, x, from, distancesRow, distances)
}

// row goes through the strips, four at a time while there are four.
func (c *Columns) row(dst, x []float64, from int, wide func(k int, a, b []float64, strip int, c []float64), narrow micro) {
	const four = 4 * Wide
	x = x[:c.k]
	var out [four]float64
	first, strip := from/Wide*Wide, Wide*c.k
	for j := first; j < from+len(dst); j += four {
		left := c.Width() - j
		if left >= four {
			if to := j - from; to >= 0 && to+four <= len(dst) {
				wide(c.k, x, c.strips[j*c.k:(j+four)*c.k], strip, dst[to:to+four])
				continue
			}
			wide(c.k, x, c.strips[j*c.k:(j+four)*c.k], strip, out[:])
		} else {
			for s := 0; s < left; s += Wide {
				var four [tall * Wide]float64 // the same row four times
				narrow(c.k, x, 0, 1, c.strips[(j+s)*c.k:(j+s+Wide)*c.k], Wide, four[:], Wide)
				copy(out[s:], four[:Wide])
			}
		}
		lo, hi := max(j, from), min(j+four, from+len(dst))
		copy(dst[lo-from:hi-from], out[lo-j:hi-j])
	}
}

// Column copies column j to dst, k numbers.
func (c *Columns) Column(dst []float64, j int) {
	for r := range c.k {
		dst[r] = c.strips[j/Wide*Wide*c.k+r*Wide+j%Wide]
	}
}

// Swap exchanges two columns.
func (c *Columns) Swap(i, j int) {
	a, b := c.strips[i/Wide*Wide*c.k+i%Wide:], c.strips[j/Wide*Wide*c.k+j%Wide:]
	for r := range c.k {
		a[r*Wide], b[r*Wide] = b[r*Wide], a[r*Wide]
	}
	c.depth[i/Wide], c.depth[j/Wide] = c.k, c.k
}

type micro func(k int, a []float64, ai, ar int, b []float64, br int, c []float64, cr int)

// each works on all tiles; depth nil goes through all k rows.
func (c *Columns) each(dst, x []float64, m int, work micro, depth []int) {
	width := c.Width()
	dst = dst[:m*width]
	clear(dst)
	rows := func(j int) int {
		if depth == nil {
			return c.k
		}
		return depth[j/Wide]
	}
	i := 0
	for ; i+tall <= m; i += tall {
		for j := 0; j < width; j += Wide {
			work(rows(j), x[i*c.k:(i+tall)*c.k], c.k, 1, c.strips[j*c.k:(j+Wide)*c.k], Wide, dst[i*width+j:], width)
		}
	}
	if i == m {
		return
	}
	// The last rows are worked on in a tile of their own, together with rows of zeros.
	rest := make([]float64, tall*c.k)
	copy(rest, x[i*c.k:m*c.k])
	var out [tall * Wide]float64
	for j := 0; j < width; j += Wide {
		clear(out[:])
		work(rows(j), rest, c.k, 1, c.strips[j*c.k:(j+Wide)*c.k], Wide, out[:], Wide)
		for r := i; r < m; r++ {
			copy(dst[r*width+j:r*width+j+Wide], out[(r-i)*Wide:])
		}
	}
}

// AddOuter adds sum_r a_r b_r^T over m rows to acc, a width x width matrix. Rows of a and b are width long, and width is a whole number of strips.
func AddOuter(acc, a, b []float64, m, width int) {
	for i := 0; i < width; i += tall {
		for j := 0; j < width; j += Wide {
			mul(m, a[i:], 1, width, b[j:], width, acc[i*width+j:], width)
		}
	}
}

// AddGram is AddOuter of x with itself; only the tiles that touch the upper triangle are worked on.
func AddGram(acc, x []float64, m, width int) {
	for i := 0; i < width; i += tall {
		for j := i / Wide * Wide; j < width; j += Wide {
			mul(m, x[i:], 1, width, x[j:], width, acc[i*width+j:], width)
		}
	}
}

// MinPlus sets best[j] = min_i cost[i] + b[i][j] for all j, and arg[j] to the first i that attains it, 0 when all are infinite. Rows of b, best and arg
// are width long, a whole number of strips.
func MinPlus(best []float64, arg []int64, cost, b []float64, width int) {
	for j := 0; j < width; j += Wide {
		minPlus(cost, b[j:], width, best[j:j+Wide], arg[j:j+Wide])
	}
}

// Exp replaces each number by its exponential, right to two units in the last place; below -708 that is zero and above 709 infinite.
func Exp(x []float64) {
	i := 0
	if fast {
		i = len(x) / 4 * 4
		if i > 0 {
			exp4(i/4, &x[0])
		}
	}
	for ; i < len(x); i++ {
		x[i] = plainExp(x[i])
	}
}
