package tile

import (
	"sync"

	"github.com/prlab/prlab/prl/internal/share"
)

const (
	panel   = 256 // steps of the inner index
	blockB  = 512 // columns of B packed at a time
	blockA  = 128 // rows of A packed at a time
	shallow = 64  // steps up to which a block of B stays in the second-level cache
	largest = 512 // rows or columns of C that one goroutine takes at a time when several share a product
)

// A Matrix is a view of numbers: entry (i, j) of Rows x Cols is Data[i*Down + j*Right].
type Matrix struct {
	Rows, Cols  int
	Down, Right int
	Data        []float64
}

// Dense returns the view of a matrix that stands in data row by row, with rows stride apart.
func Dense(data []float64, rows, cols, stride int) Matrix {
	return Matrix{rows, cols, stride, 1, data}
}

// T returns the transposed view.
func (a Matrix) T() Matrix { return Matrix{a.Cols, a.Rows, a.Right, a.Down, a.Data} }

// Part returns the view of rows i ... i+rows-1 and columns j ... j+cols-1.
func (a Matrix) Part(i, j, rows, cols int) Matrix {
	if rows == 0 || cols == 0 {
		return Matrix{rows, cols, a.Down, a.Right, nil}
	}
	return Matrix{rows, cols, a.Down, a.Right, a.Data[i*a.Down+j*a.Right:]}
}

// SetProduct makes c the product A B. Rows of c stand in order: c.Right is 1. Large products are shared among processors.
func (c Matrix) SetProduct(a, b Matrix) { c.add(term{sign: 1, fresh: true}, a, b) }

// AddProduct adds A B to c, or takes it away where sign is negative.
func (c Matrix) AddProduct(sign float64, a, b Matrix) { c.add(term{sign: sign}, a, b) }

// AddUpper is AddProduct for the entries on and above the diagonal of a square c; others may change or not.
func (c Matrix) AddUpper(sign float64, a, b Matrix) { c.add(term{sign: sign, upper: true}, a, b) }

// A term says how a product enters a matrix.
type term struct {
	sign         float64
	upper, fresh bool // only on and above the diagonal; in place of what was there
}

func (c Matrix) add(t term, a, b Matrix) {
	if c.Right != 1 || a.Rows != c.Rows || b.Cols != c.Cols || a.Cols != b.Rows {
		panic("tile: a product of matrices that do not fit together")
	}
	if t.fresh && a.Cols == 0 {
		for i := range c.Rows {
			clear(c.Data[i*c.Down : i*c.Down+c.Cols])
		}
	}
	if c.Rows == 0 || c.Cols == 0 || a.Cols == 0 {
		return
	}
	ns := 0.03 * float64(c.Rows) * float64(c.Cols) * float64(a.Cols)
	if t.upper {
		ns /= 2
	}
	if workers := share.Workers(max(c.Rows, c.Cols)/tall, ns); workers > 1 {
		if c.Rows >= c.Cols || t.upper {
			step := min(largest, (c.Rows/workers+tall)/tall*tall)
			if t.upper { // the first rows are the longest
				step = min(largest, (c.Rows/(4*workers)+tall)/tall*tall)
			}
			share.Turns(workers, (c.Rows+step-1)/step, func(_, i int) {
				from := i * step
				rows := min(step, c.Rows-from)
				left := 0
				if t.upper {
					left = from
				}
				c.Part(from, left, rows, c.Cols-left).block(t, a.Part(from, 0, rows, a.Cols), b.Part(0, left, b.Rows, b.Cols-left))
			})
			return
		}
		step := min(largest, (c.Cols/workers+2*Wide)/(2*Wide)*2*Wide)
		share.Turns(workers, (c.Cols+step-1)/step, func(_, j int) {
			from := j * step
			cols := min(step, c.Cols-from)
			c.Part(0, from, c.Rows, cols).block(t, a, b.Part(0, from, b.Rows, cols))
		})
		return
	}
	c.block(t, a, b)
}

// operands is room for packed parts of A and B.
type operands struct{ a, b []float64 }

var rooms = sync.Pool{New: func() any { return new(operands) }}

// block is add on one processor.
func (c Matrix) block(t term, a, b Matrix) {
	room := rooms.Get().(*operands)
	defer rooms.Put(room)
	k := min(panel, a.Cols)
	room.a = grown(room.a, Padded(min(blockA, c.Rows))*k)
	room.b = grown(room.b, Padded(min(blockB, c.Cols))*k)
	for r := 0; r < a.Cols; r += panel {
		k := min(panel, a.Cols-r)
		for j := 0; j < c.Cols; j += blockB {
			cols := min(blockB, c.Cols-j)
			pack(room.b, b.Data[r*b.Down+j*b.Right:], cols, k, b.Right, b.Down)
			for i := 0; i < c.Rows; i += blockA {
				if t.upper && i >= j+cols {
					break
				}
				rows := min(blockA, c.Rows-i)
				pack(room.a, a.Data[i*a.Down+r*a.Right:], rows, k, a.Down, a.Right)
				if t.sign < 0 {
					negate(room.a[:Padded(rows)*k])
				}
				c.tiles(room, i, j, rows, cols, k, t.upper, t.fresh && r == 0)
			}
		}
	}
}

// tiles works on the tiles of the rows i ... and columns j ... whose operands are packed. With few steps a tile takes less time than its
// rows of c, which are then written from end to end.
func (c Matrix) tiles(room *operands, i, j, rows, cols, k int, upper, fresh bool) {
	one := func(p, q int) {
		wide := min(2*Wide, cols-q)
		if upper && i+p >= j+q+wide {
			return
		}
		addTile(products, k, room.a[p*k:], 1, Wide, room.b[q*k:], Wide, Wide*k, c.Data[(i+p)*c.Down+j+q:], c.Down, min(tall, rows-p), wide, fresh)
	}
	if k <= shallow {
		for p := 0; p < rows; p += tall {
			for q := 0; q < cols; q += 2 * Wide {
				one(p, q)
			}
		}
		return
	}
	for q := 0; q < cols; q += 2 * Wide {
		for p := 0; p < rows; p += tall {
			one(p, q)
		}
	}
}

func negate(x []float64) {
	for i, v := range x {
		x[i] = -v
	}
}

// grown returns a slice of n numbers of any content, x if it is long enough.
func grown(x []float64, n int) []float64 {
	if cap(x) < n {
		return make([]float64, n)
	}
	return x[:n]
}
