package tree

import (
	"math"
	"runtime"
	"sync"

	"gonum.org/v1/gonum/mat"
)

// sorted holds, for each column of X, the row numbers in rising order of the value; rows of equal value keep their order. X itself is not copied: the
// values are needed for few rows once these are in order.
type sorted struct {
	n, d   int
	values []float64 // n x d, row by row
	order  [][]int32
	spare  [][]int32 // n numbers for each worker of features; nil for those that had no work yet
}

// A feature is one column of X.
type feature struct {
	values []float64
	stride int
}

func (f feature) at(row int32) float64 { return f.values[int(row)*f.stride] }

func presort(x *mat.Dense) *sorted {
	n, d := x.Dims()
	s := &sorted{n: n, d: d, values: x.RawMatrix().Data, order: make([][]int32, d), spare: make([][]int32, d)}
	orders := make([]int32, n*d)
	for j := range d {
		s.order[j] = orders[j*n : (j+1)*n : (j+1)*n]
	}
	features(n, d, func(worker, from, to int) {
		values, keys, spareKeys, spare := make([]float64, n), make([]uint64, n), make([]uint64, n), s.room(worker)
		for j := from; j < to; j++ {
			column := s.column(j)
			for i := range values {
				values[i] = column.at(int32(i))
			}
			radix(values, s.order[j], keys, spareKeys, spare)
		}
	})
	return s
}

func (s *sorted) column(j int) feature { return feature{s.values[j:], s.d} }

// room returns n numbers of scratch that belong to a worker.
func (s *sorted) room(worker int) []int32 {
	if s.spare[worker] == nil {
		s.spare[worker] = make([]int32, s.n)
	}
	return s.spare[worker]
}

// features calls f for ranges of features, on several goroutines, numbered from 0 to at most d-1, when there is work for them. f writes results that belong to
// its features, so the outcome does not depend on the number of goroutines.
func features(n, d int, f func(worker, from, to int)) {
	workers := min(runtime.GOMAXPROCS(0), d)
	if workers <= 1 || n*d < 1<<15 {
		f(0, 0, d)
		return
	}
	var wg sync.WaitGroup
	for g := range workers {
		wg.Go(func() { f(g, g*d/workers, (g+1)*d/workers) })
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
