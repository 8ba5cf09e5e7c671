package svm

import (
	"slices"

	"github.com/prlab/prlab/prl/internal/tile"
	"github.com/prlab/prlab/prl/sparse"
)

// compact are the rows of a linear machine that count, in order and with no others between.
type compact struct {
	order  []int
	X      []float64 // rows of width numbers, the feature 1 of the bias among them
	width  int
	sparse *sparse.CSR // in the place of X
	last   int         // the place of the bias in vectors of width numbers; -1 for none, where rows are sparse
}

func (p *descent) compact(index []int, width int) compact {
	c := compact{order: slices.Sorted(slices.Values(index)), X: p.wide, width: width, sparse: p.thin, last: p.d}
	if p.o.NoBias {
		c.last = -1
	}
	switch {
	case len(c.order) == len(p.y):
	case p.thin != nil:
		c.sparse = p.thin.Select(c.order...)
	default:
		c.X = make([]float64, 0, len(c.order)*width)
		for _, i := range c.order {
			c.X = append(c.X, p.wide[i*width:(i+1)*width]...)
		}
	}
	return c
}

// products sets each z_k to <v, x_k>.
func (c *compact) products(z, v []float64) {
	if c.sparse != nil {
		_, d := c.sparse.Dims()
		for k := range z {
			z[k] = v[d] + c.sparse.Dot(k, v[:d])
		}
		return
	}
	k, none, unused := 0, [4]float64{}, make([]float64, c.width)
	for ; k+4 <= len(z); k += 4 {
		four := tile.FourRows(c.X[k*c.width:], c.width, v, unused, &none)
		copy(z[k:k+4], four[:])
	}
	for ; k < len(z); k++ {
		z[k] = tile.Dot(c.X[k*c.width:(k+1)*c.width], v)
	}
}

// add adds f x_k to v.
func (c *compact) add(v []float64, k int, f float64) {
	if c.sparse == nil {
		tile.AddScaled(v, f, c.X[k*c.width:(k+1)*c.width])
		return
	}
	_, d := c.sparse.Dims()
	c.sparse.AddTo(v[:d], k, f)
	if c.last >= 0 {
		v[c.last] += f
	}
}

// addOuter adds f x_k x_k^T of a sparse row to the upper triangle of a matrix of width columns.
func (c *compact) addOuter(matrix []float64, k int, f float64) {
	at, values := c.sparse.RawRow(k)
	for p, i := range at {
		v, row := f*values[p], matrix[int(i)*c.width:][:c.width]
		for r := p; r < len(at); r++ {
			row[at[r]] += v * values[r]
		}
		if c.last >= 0 {
			row[c.last] += v
		}
	}
	if c.last >= 0 {
		matrix[c.last*c.width+c.last] += f
	}
}
