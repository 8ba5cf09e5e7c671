package tile

import "github.com/prlab/prlab/prl/internal/fused"

// Wide is the number of columns in a strip: rows that the functions of this package read or write are multiples of it long.
const Wide = 8

// Padded returns n rounded up to a whole number of strips.
func Padded(n int) int { return (n + Wide - 1) / Wide * Wide }

// Columns is a matrix of n columns with k numbers each, kept in strips of eight columns so that tiles read it from end to end. Columns
// added to fill the last strip are zero.
type Columns struct {
	k, n   int
	strips []float64 // strip s, entry (r, j) at s k 8 + r 8 + j
	depth  []int     // of each strip: the rows after these hold zeros only, as in a triangular matrix
}

// Transpose returns the matrix whose columns are the n rows of length k that stand in rows.
func Transpose(rows []float64, n, k int) *Columns { return TransposeInto(nil, rows, n, k, nil) }

// TransposeInto is Transpose of the rows less origin, k numbers, or nil for the rows as they are. It takes the room of old as Gather does.
func TransposeInto(old *Columns, rows []float64, n, k int, origin []float64) *Columns {
	c := placed(old, n, k)
	if origin == nil {
		pack(c.strips, rows, n, k, k, 1)
	} else {
		moved := make([]float64, min(n, Wide)*k)
		for j := 0; j < n; j += Wide {
			count := min(Wide, n-j)
			Subtract(moved, k, rows[j*k:], origin, count)
			packStrip(c.strips[j*k:(j+Wide)*k], moved, count, k, k, 1)
		}
	}
	c.measure()
	return c
}

// Gather returns the matrix whose columns are row(0) ... row(n-1), of length k each. It takes the room of old, which may be nil and is not
// to be used afterwards.
func Gather(old *Columns, n, k int, row func(j int) []float64) *Columns {
	c := placed(old, n, k)
	clear(c.strips)
	for j := range n {
		to := c.strips[j/Wide*Wide*k+j%Wide:]
		for r, v := range row(j) {
			to[r*Wide] = v
		}
	}
	c.measure()
	return c
}

// placed returns a k x n matrix of any content in the room of old, if that is large enough.
func placed(old *Columns, n, k int) *Columns {
	if old == nil {
		old = &Columns{}
	}
	return &Columns{k: k, n: n, depth: old.depth, strips: grown(old.strips, Padded(n)*k)}
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

// Part returns the columns from ... to-1, where from is a multiple of Wide. They share their memory with c.
func (c *Columns) Part(from, to int) *Columns {
	return &Columns{k: c.k, n: to - from, strips: c.strips[from*c.k : Padded(to)*c.k], depth: c.depth[from/Wide : Padded(to)/Wide]}
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

// Len returns the number of columns.
func (c *Columns) Len() int { return c.n }

// Width returns the length of a row of the results of Product and Distances: the number of columns, padded.
func (c *Columns) Width() int { return Padded(c.n) }

// Column copies column j to dst, k numbers.
func (c *Columns) Column(dst []float64, j int) {
	for r := range c.k {
		dst[r] = c.strips[j/Wide*Wide*c.k+r*Wide+j%Wide]
	}
}

// Set replaces column j by x, k numbers.
func (c *Columns) Set(j int, x []float64) {
	column := c.strips[j/Wide*Wide*c.k+j%Wide:]
	for r, v := range x[:c.k] {
		column[r*Wide] = v
	}
	c.depth[j/Wide] = c.k
}

// Square returns the product of column j with itself.
func (c *Columns) Square(j int) float64 {
	s := 0.0
	column := c.strips[j/Wide*Wide*c.k+j%Wide:]
	for r := range c.k {
		v := column[r*Wide]
		s = fused.FMA(v, v, s)
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
