package svm

import (
	"slices"
	"unsafe"
)

// A cache holds rows of the kernel matrix up to a limit in bytes and forgets the row that was not asked for the longest. Rows are known by
// the identity of their point; their columns follow the order of the points, which shrinking changes. A row may be shorter than the
// number of points: while points are shrunk away, their kernel values are not needed.
type cache[F float32 | float64] struct {
	rows       [][]F
	prev, next []int32     // ring of stored rows through the sentinel n, most recent first
	spare      [][]F       // space of rows that were dropped
	fresh      []F         // space of whole rows that were never used
	blocks     [][]float64 // from which whole rows were cut
	group      int         // whole rows to make at once
	stride     int         // of fresh
	scratch    []F         // room for a row that is not stored
	limit      int         // in numbers
	used       int         // by rows and spare space
	computed   int         // kernel values so far
}

// cacheOverhead is the number of bytes a cache takes for each point, stored or not.
const cacheOverhead = 32

// small is the number of values up to which rows are made for all points at once, so that they serve later fits too.
const small = 1024

// together returns how many rows of n values of size bytes each a cache makes at once, and their stride. The heap rounds what is larger
// than 32 kB to pages of 8 kB, which is a fortieth of a row of 5000 numbers; up to sixteen rows share the loss.
func together(n, size int) (rows, stride int) {
	const page, small, align = 8192, 32768, 32
	stride = (n*size + align - 1) / align * align
	rows = 1
	for k, least := 1, page; k <= 16; k++ {
		if loss := (page - k*stride%page) % page / k; k*stride > small && loss < least {
			rows, least = k, loss
		}
	}
	return rows, stride / size
}

// newCache returns an empty cache of n points in the room of old, which may be nil and is not to be used afterwards.
func newCache[F float32 | float64](n, limit int, old *cache[F]) *cache[F] {
	if old == nil {
		old = &cache[F]{}
	}
	spare := old.spare
	for _, r := range old.rows {
		if r != nil {
			spare = append(spare, r)
		}
	}
	fresh, blocks := old.fresh, old.blocks
	if len(old.rows) != n {
		fresh, blocks = nil, nil // frees for the garbage collector what is dropped below
	}
	*old = cache[F]{
		rows: resized(old.rows, n), prev: resized(old.prev, n+1), next: resized(old.next, n+1), scratch: resized(old.scratch, n),
		fresh: fresh, blocks: blocks, limit: max(limit, 2*n),
	} // a step needs two rows
	old.group, old.stride = together(n, 8/old.each())
	clear(old.rows)
	old.prev[n], old.next[n] = int32(n), int32(n)
	old.spare = slices.DeleteFunc(spare, func(r []F) bool {
		if cap(r) < n || old.used+cap(r) > old.limit {
			return true
		}
		old.used += cap(r)
		return false
	})
	return old
}

// get returns row id with at least need values; compute writes the values from ... to-1 into dst.
func (c *cache[F]) get(id, need int, compute func(dst []F, from, to int)) []F {
	row := c.rows[id]
	if row != nil {
		c.unlink(id)
	}
	if have := len(row); have < need {
		if cap(row) < need {
			c.used -= cap(row) // first, so that the limit leaves room for two rows
			grown := c.room(need)
			copy(grown, row)
			row = grown
		}
		row = row[:need]
		compute(row[have:], have, need)
		c.computed += need - have
		c.rows[id] = row
	}
	c.link(id)
	return row
}

// peek returns what is stored of row id without making it recent.
func (c *cache[F]) peek(id int) []F { return c.rows[id] }

// room returns space for a row: that of a dropped row, or new space, for which the oldest rows make room when the limit is reached.
func (c *cache[F]) room(need int) []F {
	size := max(need, min(len(c.rows), small))
	for end := len(c.rows); ; {
		for i := len(c.spare) - 1; i >= 0; i-- {
			if r := c.spare[i]; cap(r) >= need {
				c.spare = slices.Delete(c.spare, i, i+1)
				return r[:need]
			}
		}
		for _, r := range c.spare { // too short: newer rows are not often longer
			if c.used+size > c.limit {
				c.used -= cap(r)
				c.spare = c.spare[1:]
			}
		}
		if old := int(c.prev[end]); c.used+size > c.limit && old != end {
			c.drop(old)
			continue
		}
		c.used += size
		if size < len(c.rows) || c.group == 1 {
			return make([]F, need, size)
		}
		if len(c.fresh) < size {
			block := make([]float64, max(1, min(c.group, 1+(c.limit-c.used)/size))*c.stride/c.each())
			c.blocks = append(c.blocks, block)
			c.fresh = unsafe.Slice((*F)(unsafe.Pointer(unsafe.SliceData(block))), len(block)*c.each()) // numbers of 4 bytes in the room of such of 8
		}
		row := c.fresh[:need:size]
		c.fresh = c.fresh[c.stride:]
		return row
	}
}

// each returns how many values take the room of a float64.
func (c *cache[F]) each() int {
	var zero F
	return 8 / int(unsafe.Sizeof(zero))
}

func (c *cache[F]) drop(id int) {
	c.spare = append(c.spare, c.rows[id])
	c.rows[id] = nil
	c.unlink(id)
}

func (c *cache[F]) link(id int) {
	end := len(c.rows)
	first := c.next[end]
	c.prev[id], c.next[id] = int32(end), first
	c.prev[first], c.next[end] = int32(id), int32(id)
}

func (c *cache[F]) unlink(id int) {
	p, n := c.prev[id], c.next[id]
	c.next[p], c.prev[n] = n, p
}

// swap applies exchanges of columns (a < b), row by row, so that each row passes through the processor's cache once.
func (c *cache[F]) swap(pairs [][2]int) {
	for id, row := range c.rows {
		if row == nil {
			continue
		}
		for _, p := range pairs {
			if p[1] < len(row) {
				row[p[0]], row[p[1]] = row[p[1]], row[p[0]]
			} else if p[0] < len(row) { // the value that belongs here was never computed
				c.drop(id)
				break
			}
		}
	}
}
