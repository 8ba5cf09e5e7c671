package tile

// Project writes the m x n product of the rows of x, each of k numbers, with the n columns to dst. Unlike Product it leaves no padding between
// rows. A row of dst is finite only if the row of x is, provided that Whole.
func (c *Columns) Project(dst, x []float64, m int) {
	dst = dst[:m*c.n]
	i := 0
	for ; i+tall <= m; i += tall {
		c.projectTile(dst[i*c.n:], x[i*c.k:(i+tall)*c.k], tall)
	}
	if i < m {
		rest := make([]float64, tall*c.k)
		copy(rest, x[i*c.k:m*c.k])
		c.projectTile(dst[i*c.n:], rest, m-i)
	}
}

// Whole says that every number of a row has a part in its product: none of the zeros at the end of columns that Product and Project leave out stands in
// all of them.
func (c *Columns) Whole() bool {
	for _, depth := range c.depth {
		if depth == c.k {
			return true
		}
	}
	return false
}

// projectTile writes m rows of the product of the four rows of x.
func (c *Columns) projectTile(dst, x []float64, m int) {
	strip := Wide * c.k
	j := 0
	for ; wide && m == tall && c.n-j > Wide; j += 2 * Wide {
		k := max(1, c.depth[j/Wide], c.depth[j/Wide+1])
		productWide(c.k, k, x, c.strips[j*c.k:], strip, dst[j:], c.n, min(2*Wide, c.n-j))
	}
	var out [tall * Wide]float64
	for ; j < c.n; j += Wide {
		clear(out[:])
		mul(c.depth[j/Wide], x, c.k, 1, c.strips[j*c.k:], Wide, out[:], Wide)
		for i := range m {
			copy(dst[i*c.n+j:(i+1)*c.n], out[i*Wide:(i+1)*Wide])
		}
	}
}

// Subtract writes the m rows of x, each as long as mean, less mean to dst, whose rows are stride apart.
func Subtract(dst []float64, stride int, x, mean []float64, m int) {
	if m > 0 && len(mean) > 0 {
		subtract(m, len(mean), x, mean, dst, stride)
	}
}

// SumDifferences adds the m rows of x less pilot, one after the other, to sum.
func SumDifferences(sum, x, pilot []float64, m int) {
	if m > 0 && len(sum) > 0 {
		sumDifferences(m, len(sum), x, pilot, sum)
	}
}

func plainSubtract(m, d int, x, mean, dst []float64, stride int) {
	for i := range m {
		to := dst[i*stride:][:d]
		for j, v := range x[i*d : (i+1)*d] {
			to[j] = v - mean[j]
		}
	}
}

func plainSumDifferences(m, d int, x, pilot, sum []float64) {
	for i := range m {
		for j, v := range x[i*d : (i+1)*d] {
			sum[j] += v - pilot[j]
		}
	}
}
