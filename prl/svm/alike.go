package svm

import (
	"math"
	"slices"

	"github.com/prlab/prlab/prl/sparse"
)

// alikeSample is the number of rows among which equal ones are looked for first.
const alikeSample = 256

// alike makes one row of those that are equal and of one class, which costs as much as they do together: the machine is the same, since
// all of them have the same slack. Rows of words and one-hot rows, which are thin, repeat; others are left as they are, and so are rows
// among which few are equal.
func alike(rows linearRows, y []int, price []float64) (linearRows, []int, []float64) {
	if rows.thin == nil {
		return rows, y, price
	}
	n := len(y)
	sampled, repeated := min(n, alikeSample), 0
	seen := newDistinct(rows.thin, y, sampled)
	for k := range sampled {
		i := k * n / sampled
		if seen.find(i) != i {
			repeated++
		}
	}
	if 2*repeated*n <= sampled*sampled { // the sample speaks for as many different rows as there are
		return rows, y, price
	}
	all := newDistinct(rows.thin, y, n)
	var kept []int
	sum := slices.Clone(price)
	for i := range n {
		if first := all.find(i); first != i {
			sum[first] = min(sum[first]+price[i], math.MaxFloat64)
			continue
		}
		kept = append(kept, i)
	}
	labels, prices := make([]int, len(kept)), make([]float64, len(kept))
	for k, i := range kept {
		labels[k], prices[k] = y[i], sum[i]
	}
	return linearRows{d: rows.d, thin: rows.thin.Select(kept...)}, labels, prices
}

// distinct is a hash table of rows with their classes.
type distinct struct {
	x     *sparse.CSR
	y     []int
	table []int32 // numbers of rows and 1, or 0; a power of two of them
}

func newDistinct(x *sparse.CSR, y []int, rows int) *distinct {
	size := 4
	for size < 2*rows {
		size *= 2
	}
	return &distinct{x, y, make([]int32, size)}
}

// find returns the first row that was asked for and equals row i, which may be row i itself.
func (d *distinct) find(i int) int {
	columns, values := d.x.RawRow(i)
	hash := uint64(d.y[i])
	mix := func(v uint64) {
		hash = (hash ^ v) * 0x9e3779b97f4a7c15
		hash ^= hash >> 32
	}
	for k, j := range columns {
		mix(uint64(j))
		mix(math.Float64bits(values[k]))
	}
	mask := uint64(len(d.table) - 1)
	for at := hash & mask; ; at = (at + 1) & mask {
		other := int(d.table[at]) - 1
		if other < 0 {
			d.table[at] = int32(i + 1)
			return i
		}
		if d.y[other] == d.y[i] {
			if c, v := d.x.RawRow(other); slices.Equal(c, columns) && slices.Equal(v, values) {
				return other
			}
		}
	}
}
