package cluster

import (
	"context"
	"math"
	"slices"

	"github.com/prlab/prlab/prl/internal/tile"
)

// wardColumns is the number of columns up to which Ward's linkage finds distances from means each time it looks; beyond, it takes less time
// to find those of the rows once and to change them by the formula of Lance and Williams.
const wardColumns = 128

// means are the groups that Ward's linkage has left to join. It needs no more of them than their means, for
//
//	d^2(i, j) = 2 |m_i - m_j|^2 / (1/n_i + 1/n_j).
//
// Groups have the number of their last row. Those that are left stand in the first places of the columns.
type means struct {
	d       int
	sums    []float64     // of the rows of each group, by number
	columns *tile.Columns // the means, by place
	inverse []float64     // 1/n_i, by place
	number  []int         // by place
	place   []int         // by number, -1 when it is joined
	to      []float64     // room for squared distances, by place
	at      []float64     // room for a mean
	joins   []join
}

// ward joins n rows of d numbers by chains of nearest neighbours.
func ward(ctx context.Context, data []float64, n, d int) ([]join, error) {
	w := &means{
		d: d, sums: slices.Clone(data), columns: tile.Transpose(data, n, d), inverse: make([]float64, n), number: make([]int, n),
		place: make([]int, n), to: make([]float64, n), at: make([]float64, d), joins: make([]join, 0, n-1),
	}
	for i := range n {
		w.inverse[i], w.number[i], w.place[i] = 1, i, i
	}
	path, lowest := make([]int, 0, n), 0
	for len(w.number) > 1 {
		if err := ctx.Err(); err != nil {
			return nil, stopped(w.joins, n, err)
		}
		if len(path) == 0 {
			for w.place[lowest] < 0 {
				lowest++
			}
			path = append(path, lowest)
		}
		for {
			tip, before := path[len(path)-1], -1
			if len(path) > 1 {
				before = path[len(path)-2]
			}
			next, squared := w.nearest(tip, before)
			if next == before {
				path = path[:len(path)-2]
				w.join(min(tip, next), max(tip, next), math.Sqrt(squared))
				break
			}
			path = append(path, next)
		}
	}
	return w.joins, nil
}

// nearest returns the group nearest to another, and the squared distance: of ties before, so that the chain ends, and else the lowest.
func (w *means) nearest(of, before int) (best int, squared float64) {
	place := w.place[of]
	w.mean(of)
	to := w.to[:len(w.number)]
	w.columns.RowDistances(to, w.at, 0)
	mine := w.inverse[place]
	weighted := func(p int) float64 { return to[p] / (mine + w.inverse[p]) }
	best, least := -1, math.Inf(1)
	if before >= 0 {
		best, least = before, weighted(w.place[before])
	}
	limit := least * (1 + 0x1p-50) // room for rounding: what it lets pass is divided
	for p, v := range to {
		if v > limit*(mine+w.inverse[p]) || p == place {
			continue
		}
		q := weighted(p)
		if number := w.number[p]; q < least || best < 0 || q == least && best != before && number < best {
			best, least = number, q
			limit = least * (1 + 0x1p-50)
		}
	}
	return best, 2 * least
}

// mean writes the mean of a group to at.
func (w *means) mean(number int) {
	inverse := w.inverse[w.place[number]]
	for j, v := range w.sums[number*w.d : (number+1)*w.d] {
		w.at[j] = v * inverse
	}
}

// join puts the union of two groups into the place of b, and the last group into that of a.
func (w *means) join(a, b int, height float64) {
	w.joins = append(w.joins, join{a, b, height})
	p, q, last := w.place[a], w.place[b], len(w.number)-1
	w.inverse[q] = 1 / (1/w.inverse[p] + 1/w.inverse[q])
	sum := w.sums[b*w.d : (b+1)*w.d]
	for j, v := range w.sums[a*w.d : (a+1)*w.d] {
		sum[j] += v
	}
	w.mean(b)
	w.columns.Set(q, w.at)
	w.columns.Swap(p, last)
	w.inverse[p], w.number[p] = w.inverse[last], w.number[last]
	w.place[w.number[p]], w.place[a] = p, -1
	w.number = w.number[:last]
}
