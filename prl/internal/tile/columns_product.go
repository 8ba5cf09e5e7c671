package tile

// Product fills dst (m x Width) with x C, where x is m x k and finite. Entries of dst beyond the n columns are zero.
func (c *Columns) Product(dst, x []float64, m int) {
	c.each(products, dst, c.Width(), c.Width(), x, m, c.depth)
}

// Distances fills dst (m x Width) with the squared Euclidean distances between the m rows of x, each of length k, and the n columns.
// Entries of dst beyond the n columns mean nothing.
func (c *Columns) Distances(dst, x []float64, m int) {
	c.each(squares, dst, c.Width(), c.Width(), x, m, nil)
}

// DistancesInto is Distances for rows of dst that stand stride apart.
func (c *Columns) DistancesInto(dst []float64, stride int, x []float64, m int) {
	c.each(squares, dst, stride, c.Width(), x, m, nil)
}

// Project writes the m x n product of the rows of x, each of k numbers, with the n columns to dst. Unlike Product it leaves no padding
// between rows. A row of dst is finite only if the row of x is, provided that Whole.
func (c *Columns) Project(dst, x []float64, m int) {
	c.each(products, dst, c.n, c.n, x, m, c.depth)
}

// Apart writes the m x n squared Euclidean distances between the rows of x, each of k numbers, and the n columns to dst. Unlike Distances
// it leaves no padding between rows.
func (c *Columns) Apart(dst, x []float64, m int) {
	c.each(squares, dst, c.n, c.n, x, m, nil)
}

// Whole says that every number of a row has a part in its product: none of the zeros at the end of columns that Product and Project leave
// out stands in all of them.
func (c *Columns) Whole() bool {
	for _, depth := range c.depth {
		if depth == c.k {
			return true
		}
	}
	return false
}

// each works on all tiles of m rows of dst, stride apart, of which it fills the first width columns; depth nil goes through all k steps.
func (c *Columns) each(what kind, dst []float64, stride, width int, x []float64, m int, depth []int) {
	for i := 0; i < m; i += blockA {
		rows := min(blockA, m-i)
		c.rows(what, dst[i*stride:], stride, width, x[i*c.k:(i+rows)*c.k], rows, depth)
	}
}

// rows is each for so many rows as a block has.
func (c *Columns) rows(what kind, dst []float64, stride, width int, x []float64, m int, depth []int) {
	whole := m / tall * tall
	room := rooms.Get().(*operands)
	defer rooms.Put(room)
	if rest := m - whole; rest > 0 { // rows that fill no strip are packed together with rows of zeros
		room.a = grown(room.a, tall*c.k)
		packStrip(room.a, x[whole*c.k:], rest, c.k, c.k, 1)
	}
	for r := 0; r < max(c.k, 1); r += panel {
		for j := 0; j < width; j += 2 * Wide {
			k, cols := min(panel, c.k-r), min(2*Wide, width-j)
			if depth != nil {
				deepest := depth[j/Wide]
				if cols > Wide {
					deepest = max(deepest, depth[j/Wide+1])
				}
				k = max(0, min(panel, deepest-r))
			}
			if k == 0 && r > 0 {
				continue
			}
			b, right := c.strips[j*c.k+r*Wide:], Wide*c.k
			for i := 0; i < whole; i += tall {
				addTile(what, k, x[i*c.k+r:], c.k, 1, b, Wide, right, dst[i*stride+j:], stride, tall, cols, r == 0)
			}
			if whole < m {
				addTile(what, k, room.a[r*tall:], 1, tall, b, Wide, right, dst[whole*stride+j:], stride, m-whole, cols, r == 0)
			}
		}
	}
}

// RowProduct fills dst with the products of x, k numbers, with the columns from, from+1, ...
func (c *Columns) RowProduct(dst, x []float64, from int) { c.row(products, dst, x, from) }

// RowDistances fills dst with the squared Euclidean distances of x, k numbers, to the columns from, from+1, ...
func (c *Columns) RowDistances(dst, x []float64, from int) { c.row(squares, dst, x, from) }

// RowAbsolute fills dst with the sums of absolute differences between x, k numbers, and the columns from, from+1, ...
func (c *Columns) RowAbsolute(dst, x []float64, from int) { c.row(absolutes, dst, x, from) }

// RowCost is about how many nanoseconds so many numbers of RowProduct, RowDistances or RowAbsolute take for points of d numbers, with Exp
// of each.
func RowCost(numbers, d int) float64 { return 0.1 * float64(d+20) * float64(numbers) }

// row goes through the strips, four at a time. The last four of fewer are read again together with strips before them; of less than four in
// all each is read four times.
func (c *Columns) row(what kind, dst, x []float64, from int) {
	const four = 4 * Wide
	x = x[:c.k]
	strip, step := Wide*c.k, four
	last := c.Width() - four
	if last < 0 {
		strip, step, last = 0, Wide, c.Width()
	}
	var out [four]float64
	for j := from / Wide * Wide; j < from+len(dst); j += step {
		at := min(j, last) // first column of the four strips
		if to := at - from; at == j && step == four && to >= 0 && to+four <= len(dst) {
			rowTile(what, c.k, x, c.strips[at*c.k:], strip, dst[to:to+four])
			continue
		}
		rowTile(what, c.k, x, c.strips[at*c.k:], strip, out[:])
		lo, hi := max(j, from), min(j+step, from+len(dst))
		copy(dst[lo-from:hi-from], out[lo-at:hi-at])
	}
}
