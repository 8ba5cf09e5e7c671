package tree

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/internal/share"
)

// A row is the number of a row. The n d numbers in order are most of what a fit needs in memory: 16 bits do for up to narrow rows.
type row interface{ uint16 | int32 }

const narrow = math.MaxUint16 + 1

// sorted holds, for each column of X, the row numbers in rising order of the value; rows of equal value keep their order. X itself is not
// copied: the values are needed for few rows once these are in order.
type sorted[R row] struct {
	n, d   int
	grown  int       // of the n rows those that a tree grows on: the length of each list in order
	values []float64 // n x d, row by row
	order  [][]R
	spare  [][]R // n numbers for each worker of features; nil for those that had no work yet
}

// A feature is one column of X.
type feature struct {
	values []float64
	stride int
}

func (f feature) at(row int) float64 { return f.values[row*f.stride] }

// presort stops with the error of ctx.
func presort[R row](ctx context.Context, x *mat.Dense) (*sorted[R], error) {
	n, d := x.Dims()
	s := &sorted[R]{n: n, d: d, grown: n, values: x.RawMatrix().Data, order: make([][]R, d), spare: make([][]R, d)}
	orders := make([]R, n*d)
	for j := range d {
		s.order[j] = orders[j*n : (j+1)*n : (j+1)*n]
	}
	s.features(n, 15, func(worker, from, to int) {
		keys, spare := make([]uint64, n), s.room(worker)
		for j := from; j < to && ctx.Err() == nil; j++ {
			column := s.column(j)
			for i := range keys {
				keys[i] = rank(column.at(i) + 0) // + 0 makes a 0 of -0
			}
			radix(ctx, keys, s.order[j], spare)
		}
	})
	return s, ctx.Err()
}

func (s *sorted[R]) column(j int) feature { return feature{s.values[j:], s.d} }

// room returns n numbers of scratch that belong to a worker.
func (s *sorted[R]) room(worker int) []R {
	if s.spare[worker] == nil {
		s.spare[worker] = make([]R, s.n)
	}
	return s.spare[worker]
}

// features calls f for ranges of features, on several goroutines, numbered from 0, when there is work for them: n rows that take ns
// nanoseconds each for every feature. f writes results that belong to its features, so the outcome does not depend on the number of
// goroutines.
func (s *sorted[R]) features(n int, ns float64, f func(worker, from, to int)) {
	share.Ranges(share.Workers(s.d, ns*float64(n*s.d)), s.d, f)
}

// radix writes to order the stable sorting permutation of keys, 11 bits a pass. A pass in which all keys agree is skipped. The keys stay
// where they are, which costs a look-up a pass and saves a second list of them. It stops between passes when ctx does.
func radix[R row](ctx context.Context, keys []uint64, order, spare []R) {
	const bits, mask, passes = 11, 1<<11 - 1, 6
	for i := range order {
		order[i] = R(i)
	}
	from, to := order, spare
	differ := uint64(0) // bits in which not all keys agree
	for _, k := range keys {
		differ |= k ^ keys[0]
	}
	for p := range passes {
		if ctx.Err() != nil {
			return
		}
		shift := p * bits
		if differ>>shift&mask == 0 {
			continue
		}
		var count [mask + 1]int32
		for _, k := range keys {
			count[k>>shift&mask]++
		}
		sum := int32(0)
		for i, k := range count {
			count[i] = sum
			sum += k
		}
		for _, r := range from {
			k := keys[r] >> shift & mask
			to[count[k]] = r
			count[k]++
		}
		from, to = to, from
	}
	if len(keys) > 0 && &from[0] != &order[0] {
		copy(order, from)
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
