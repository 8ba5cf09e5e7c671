package boost

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/internal/share"
)

// sampled is the number of rows that the bins of a feature are made from, at most.
const sampled = 1 << 15

// binned holds the features of rows as small whole numbers: bin b of a feature holds the values x with cuts[b-1] < x <= cuts[b].
type binned struct {
	n, d    int
	columns [][]uint8   // d of n bins
	cuts    [][]float64 // rising; cut b separates the bins b and b+1
	gaps    []bool      // whether a feature has a value that is missing; its bin is the one behind the others
}

// gap returns the bin of the missing values of feature j.
func (b *binned) gap(j int) int { return len(b.cuts[j]) + 1 }

// newBinned divides each feature into at most so many bins: a bin for each value when there are few, otherwise bins of about equally many
// rows.
func newBinned(ctx context.Context, x *mat.Dense, bins int, seed uint64) (*binned, error) {
	n, d := x.Dims()
	b := &binned{n: n, d: d, columns: make([][]uint8, d), cuts: make([][]float64, d), gaps: make([]bool, d)}
	data, workers := x.RawMatrix(), share.Workers(d, 100*float64(n)*float64(d))
	bytes := make([]uint8, n*d)
	var from []int
	if n > sampled {
		from = rand.New(rand.NewPCG(seed, uint64(n))).Perm(n)[:sampled]
	}
	scratch := make([][]float64, workers)
	share.Turns(workers, d, func(g, j int) {
		if ctx.Err() != nil {
			return
		}
		if scratch[g] == nil {
			scratch[g] = make([]float64, 0, n)
		}
		values := scratch[g][:0]
		take := func(i int) {
			if v := data.Data[i*data.Stride+j]; v == v {
				values = append(values, v)
			}
		}
		if from == nil {
			for i := range n {
				take(i)
			}
		} else {
			for _, i := range from {
				take(i)
			}
		}
		slices.Sort(values)
		cuts := cutsOf(values, bins)
		column := bytes[j*n : (j+1)*n]
		for i := range column {
			v := data.Data[i*data.Stride+j]
			if v != v {
				column[i], b.gaps[j] = uint8(len(cuts)+1), true
				continue
			}
			column[i] = binOf(cuts, v)
		}
		b.columns[j], b.cuts[j] = column, cuts
	})
	return b, ctx.Err()
}

// binOf returns the number of cuts below v.
func binOf(cuts []float64, v float64) uint8 {
	lo := 0
	for size := len(cuts); size > 0; {
		half := size / 2
		if cuts[lo+half] < v {
			lo, size = lo+half+1, size-half-1
		} else {
			size = half
		}
	}
	return uint8(lo)
}

// cutsOf returns cuts between sorted values that divide them into at most so many bins. A cut is the middle between two different values.
func cutsOf(values []float64, bins int) (cuts []float64) {
	distinct := 0
	for i, v := range values {
		if i == 0 || v != values[i-1] {
			distinct++
		}
	}
	left := len(values)
	for i := 0; i < len(values); {
		// the bin takes its share of the rows that are left, and the copies of its last value
		size := 1
		if distinct > bins {
			size = (left + bins - len(cuts) - 1) / (bins - len(cuts))
		}
		last := values[min(i+size, len(values))-1]
		next := i + sort.Search(len(values)-i, func(k int) bool { return values[i+k] > last })
		if next == len(values) || len(cuts) == bins-1 {
			break
		}
		cuts = append(cuts, between(last, values[next]))
		left -= next - i
		i = next
	}
	return cuts
}

// between returns the middle of a < b, which is at least a and below b.
func between(a, b float64) float64 {
	if m := a + (b-a)/2; m < b && !math.IsInf(m, 0) {
		return m
	}
	if m := a/2 + b/2; m >= a && m < b {
		return m
	}
	return a
}
