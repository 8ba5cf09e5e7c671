package boost

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sort"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/internal/share"
	"github.com/prlab/prlab/prl/internal/tile"
)

// sampled is the number of rows that the bins of a feature are made from, at most.
const sampled = 1 << 15

// binned holds the features of rows as small whole numbers: bin b of a feature holds the values x with cuts[b-1] < x <= cuts[b].
type binned struct {
	n, d    int
	columns [][]uint8             // d of n bins
	blocks  [][][tile.Lanes]uint8 // the same, eight features of a row side by side; what lies behind the last feature is 0
	cuts    [][]float64           // rising; cut b separates the bins b and b+1
	gaps    []bool                // whether a feature has a value that is missing; its bin is the one behind the others
}

// gap returns the bin of the missing values of feature j.
func (b *binned) gap(j int) int { return len(b.cuts[j]) + 1 }

// newBinned divides each feature into at most so many bins: a bin for each value when there are few, otherwise bins of about equally many
// rows.
func newBinned(ctx context.Context, x *mat.Dense, bins int, seed uint64) (*binned, error) {
	n, d := x.Dims()
	blocks := (d + tile.Lanes - 1) / tile.Lanes
	b := &binned{
		n: n, d: d, columns: make([][]uint8, d), blocks: make([][][tile.Lanes]uint8, blocks), cuts: make([][]float64, d), gaps: make([]bool, d),
	}
	data, workers := x.RawMatrix(), share.Workers(blocks, 50*float64(n)*float64(d))
	var from []int
	if n > sampled {
		from = rand.New(rand.NewPCG(seed, uint64(n))).Perm(n)[:sampled]
		slices.Sort(from)
	}
	share.Turns(workers, blocks, func(_, at int) {
		first, width := at*tile.Lanes, min(tile.Lanes, d-at*tile.Lanes)
		values := make([]float64, 0, min(n, sampled)*width)
		var padded [tile.Lanes]ladder
		for k := range width {
			if ctx.Err() != nil {
				return
			}
			values = values[:0]
			take := func(i int) {
				if v := data.Data[i*data.Stride+first+k]; v == v {
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
			b.cuts[first+k] = cutsOf(values, bins)
			padded[k].set(b.cuts[first+k])
			b.columns[first+k] = make([]uint8, n)
		}
		block := make([][tile.Lanes]uint8, n)
		for i := range block {
			for k, v := range data.Data[i*data.Stride+first : i*data.Stride+first+width] {
				bin := padded[k].bin(v)
				if v != v {
					bin, b.gaps[first+k] = uint8(b.gap(first+k)), true
				}
				block[i][k], b.columns[first+k][i] = bin, bin
			}
		}
		b.blocks[at] = block
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

// A ladder holds at most 255 cuts, and the largest number behind them, as keys for a search without branches, which no processor would
// foresee.
type ladder [256]uint64

func (l *ladder) set(cuts []float64) {
	for i := range l {
		l[i] = math.MaxUint64
		if i < len(cuts) {
			l[i] = tile.Key(cuts[i])
		}
	}
}

// bin is binOf.
func (l *ladder) bin(v float64) uint8 {
	k, at := tile.Key(v), uint64(0)
	for step := uint64(128); step > 0; step /= 2 {
		_, below := bits.Sub64(l[(at+step-1)&255], k, 0)
		at += step & -below
	}
	return uint8(at)
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
