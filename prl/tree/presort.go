package tree

import (
	"math"
	"runtime"
	"sync"

	"gonum.org/v1/gonum/mat"
)

// sorted holds the columns of X and, for each, the row numbers in rising order of the value; rows of equal value keep their order.
type sorted struct {
	n, d   int
	column [][]float64
	order  [][]int32
}

func presort(x *mat.Dense) *sorted {
	n, d := x.Dims()
	s := &sorted{n: n, d: d, column: make([][]float64, d), order: make([][]int32, d)}
	values, orders := make([]float64, n*d), make([]int32, n*d)
	for j := range d {
		s.column[j], s.order[j] = values[j*n:(j+1)*n:(j+1)*n], orders[j*n:(j+1)*n:(j+1)*n]
	}
	for i := range n {
		for j, v := range x.RawRowView(i) {
			values[j*n+i] = v
		}
	}
	features(n, d, func(from, to int) {
		keys, spareKeys, spare := make([]uint64, n), make([]uint64, n), make([]int32, n)
		for j := from; j < to; j++ {
			radix(s.column[j], s.order[j], keys, spareKeys, spare)
		}
	})
	return s
}

// features calls f for ranges of features, on several goroutines when there is work for them. f writes results that belong to its features, so the
// outcome does not depend on the number of goroutines.
func features(n, d int, f func(from, to int)) {
	workers := min(runtime.GOMAXPROCS(0), d)
	if workers <= 1 || n*d < 1<<15 {
		f(0, d)
		return
	}
	var wg sync.WaitGroup
	for g := range workers {
		wg.Go(func() { f(g*d/workers, (g+1)*d/workers) })
	}
	wg.Wait()
}

// radix writes to order the stable sorting permutation of v, 11 bits a pass. A pass in which all keys agree is skipped.
func radix(v []float64, order []int32, keys, spareKeys []uint64, spare []int32) {
	const bits, mask, passes = 11, 1<<11 - 1, 6
	var count [passes][mask + 1]int32
	for i, x := range v {
		b := math.Float64bits(x + 0) // +0 makes -0 and 0 the same key
		if b>>63 != 0 {
			b = ^b
		} else {
			b |= 1 << 63
		}
		keys[i], order[i] = b, int32(i)
		for p := range passes {
			count[p][b>>(p*bits)&mask]++
		}
	}
	from, to, rowsFrom, rowsTo := keys, spareKeys, order, spare
	for p := range passes {
		c := &count[p]
		shift := p * bits
		if len(v) == 0 || int(c[from[0]>>shift&mask]) == len(v) {
			continue
		}
		sum := int32(0)
		for i, k := range c {
			c[i] = sum
			sum += k
		}
		for i, b := range from {
			k := b >> shift & mask
			to[c[k]], rowsTo[c[k]] = b, rowsFrom[i]
			c[k]++
		}
		from, to, rowsFrom, rowsTo = to, from, rowsTo, rowsFrom
	}
	if len(v) > 0 && &rowsFrom[0] != &order[0] {
		copy(order, rowsFrom)
	}
}

// between returns a threshold t with lo <= t < hi, the midpoint unless rounding makes it hi.
func between(lo, hi float64) float64 {
	t := lo/2 + hi/2
	if !(t < hi) || t < lo {
		return lo
	}
	return t
}
