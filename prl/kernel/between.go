package kernel

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/internal/fused"
	"github.com/prlab/prlab/prl/internal/share"
	"github.com/prlab/prlab/prl/internal/tile"
)

const (
	// So many points of X at a time meet those of Z that what is packed of them is next to nothing beside the result, and of many columns
	// only so many numbers that they stay in the second-level cache. Rows of the result are written in pieces; those smaller than a page of
	// memory take longer.
	pointsTogether, leastTogether = 512, 128
	numbersTogether               = 1 << 17
	rowsTogether                  = 32
	fewGroups                     = 4 // of such rows for each goroutine: with fewer, packing the points takes long beside the rest

	broad     = 64       // columns from which squared distances come from products, which take half the time of differences
	closeness = 1.0 / 64 // of the sum of the squared lengths: a squared distance below has lost too many digits
	crowd     = 16       // a block in which a larger part than one in so many is close meets the points themselves
)

// fast says that the kernel is one of products or distances, which between computes.
func fast(k Kernel) bool {
	switch k.(type) {
	case Linear, Poly, Sigmoid, RBF, Laplacian:
		return true
	}
	return false
}

// between writes K(z_i, x_t) for all rows of z and x, or with upper, for z equal to x, only for t >= i, to dst, row by row. The kernel is
// fast.
func between(k Kernel, dst []float64, z, x *mat.Dense, upper bool) {
	m, d := z.Dims()
	n, _ := x.Dims()
	p := pairing{Rows: Rows{kernel: k, d: d}, m: m, n: n, zs: z.RawMatrix().Data, xs: x.RawMatrix().Data, dst: dst, upper: upper}
	groups, most := (m+rowsTogether-1)/rowsTogether, min(n, pointsTogether, max(leastTogether, numbersTogether/d))
	workers := share.Workers(max(groups, tile.Padded(n)/tile.Wide), tile.RowCost(m*n, d))
	few := groups < fewGroups*workers && !upper
	if few {
		most = min(most, tile.Padded((n+workers-1)/workers))
	} else {
		workers = share.Workers(groups, tile.RowCost(m*most, d))
	}
	blocks := (n + most - 1) / most
	desks := make([]desk, workers)
	for g := range desks {
		desks[g].values = make([]float64, rowsTogether*tile.Padded(most))
	}
	if rbf, ok := k.(RBF); ok && d >= broad {
		p.gamma = rbf.Gamma
		p.centre(desks)
	}
	if few { // each goroutine packs points of its own
		share.Turns(workers, blocks, func(g, b int) {
			w := &desks[g]
			w.block = p.pack(w.columns, b*most, min(most, n-b*most))
			for i := range p.groups(&w.block) {
				p.meet(w, i*rowsTogether)
			}
		})
		return
	}
	var one block
	for b := range blocks {
		one = p.pack(one.columns, b*most, min(most, n-b*most))
		share.Turns(workers, p.groups(&one), func(g, i int) { // the first rows above a diagonal take longest
			desks[g].block = one
			p.meet(&desks[g], i*rowsTogether)
		})
	}
}

// A pairing is how m rows of Z meet the n points of X.
type pairing struct {
	Rows
	m, n   int
	zs, xs []float64
	dst    []float64 // m rows of n numbers
	upper  bool      // only from the diagonal on

	// Where squared distances come from products, mean is that of the rows of X, and the columns are less it.
	gamma              float64
	mean, zeros        []float64
	squaresZ, squaresX []float64 // squared lengths of the rows less the mean
}

// A block is some of the points.
type block struct {
	columns  *tile.Columns
	first, n int
}

// A desk is what one goroutine works on.
type desk struct {
	block
	values []float64     // products or distances of a few rows with the block
	moved  []float64     // the rows less the mean
	near   []int         // places in a row whose distances have to be found again
	points *tile.Columns // the block as it is, for many such places
}

// pack returns the block of n points from first on in the room of old.
func (p *pairing) pack(old *tile.Columns, first, n int) block {
	columns := tile.TransposeInto(old, p.xs[first*p.d:], n, p.d, p.mean)
	if p.mean != nil {
		columns.RowDistances(p.squaresX[first:first+n], p.zeros, 0)
	}
	return block{columns, first, n}
}

// rows is how many rows of Z meet the block.
func (p *pairing) rows(b *block) int {
	if p.upper {
		return b.first + b.n
	}
	return p.m
}

// groups is rows in groups of rowsTogether.
func (p *pairing) groups(b *block) int { return (p.rows(b) + rowsTogether - 1) / rowsTogether }

// centre prepares for squared distances from products. With upper, Z is X.
func (p *pairing) centre(desks []desk) {
	p.mean, p.zeros, p.squaresX = make([]float64, p.d), make([]float64, p.d), make([]float64, p.n)
	tile.SumDifferences(p.mean, p.xs, p.xs[:p.d], p.n)
	for j, v := range p.mean {
		p.mean[j] = p.xs[j] + v/float64(p.n)
	}
	for g := range desks {
		desks[g].moved = make([]float64, rowsTogether*p.d)
	}
	if p.squaresZ = p.squaresX; p.upper {
		return
	}
	p.squaresZ = make([]float64, p.m)
	var columns *tile.Columns
	for lo := 0; lo < p.m; lo += rowsTogether {
		count := min(rowsTogether, p.m-lo)
		columns = tile.TransposeInto(columns, p.zs[lo*p.d:], count, p.d, p.mean)
		columns.RowDistances(p.squaresZ[lo:lo+count], p.zeros, 0)
	}
}

// meet writes the values of the rows of Z from lo on, rowsTogether of them, with the block of the desk.
func (p *pairing) meet(w *desk, lo int) {
	count, left := min(rowsTogether, p.rows(&w.block)-lo), 0
	columns := w.columns // those that the first of the rows meets
	if p.upper && lo > w.first {
		left = (lo - w.first) / tile.Wide * tile.Wide
		columns = columns.Part(left, w.n)
	}
	z := p.zs[lo*p.d : (lo+count)*p.d]
	if p.mean == nil {
		p.Rows.block(columns, w.values, z, count)
	} else {
		tile.Subtract(w.moved, p.d, z, p.mean, count)
		columns.Product(w.values, w.moved, count)
	}
	near := 0
	var begin, close [rowsTogether]int
	for i := range count {
		begin[i] = left
		if p.upper {
			begin[i] = max(0, lo+i-w.first)
		}
		values := w.values[i*columns.Width()+begin[i]-left:]
		row := p.dst[(lo+i)*p.n+w.first+begin[i] : (lo+i)*p.n+w.first+w.n]
		if p.mean == nil {
			p.finish(row, values)
			continue
		}
		if p.upper && lo+i == w.first+begin[i] { // of a point with itself
			row[0] = 1
			row, values, begin[i] = row[1:], values[1:], begin[i]+1
		}
		close[i] = exponents(row, values, p.gamma, p.squaresZ[lo+i], p.squaresX[w.first+begin[i]:])
		near += close[i]
	}
	if p.mean == nil {
		return
	}
	if near > count*columns.Len()/crowd {
		w.points = tile.TransposeInto(w.points, p.xs[w.first*p.d:], w.n, p.d, nil)
		w.points.Part(left, w.n).Distances(w.values, z, count)
	}
	for i := range count {
		row := p.dst[(lo+i)*p.n+w.first+begin[i] : (lo+i)*p.n+w.first+w.n]
		switch {
		case close[i] == 0:
		case near > count*columns.Len()/crowd:
			for t, v := range row {
				if v > 0 {
					row[t] = -p.gamma * w.values[i*columns.Width()+begin[i]-left+t]
				}
			}
		default:
			w.near = w.near[:0]
			for t, v := range row {
				if v > 0 {
					w.near = append(w.near, t)
				}
			}
			apart(row, w.near, z[i*p.d:(i+1)*p.d], p.xs[(w.first+begin[i])*p.d:])
			for _, t := range w.near {
				row[t] *= -p.gamma
			}
		}
		tile.Exp(row)
	}
}

// exponents turns the products of a point with others, about the mean, to -gamma times their squared distances, given its squared length
// and theirs. It marks those that have lost too many digits by 1 and returns how many there are.
func exponents(dst, products []float64, gamma, own float64, others []float64) (lost int) {
	products, others = products[:len(dst)], others[:len(dst)]
	for t, v := range products {
		both := own + others[t]
		s := both - 2*v
		e := -gamma * s
		if !(s >= closeness*both && s <= math.MaxFloat64) { // nor is a sum beyond all numbers to be trusted
			e = 1
			lost++
		}
		dst[t] = e
	}
	return lost
}

// apart sets the places of dst to the squared distances of z to rows of x, each one chain as of tile.Columns, four at a time.
func apart(dst []float64, places []int, z, x []float64) {
	d := len(z)
	for ; len(places) > 0; places = places[min(4, len(places)):] {
		var at [4]int
		for q := range at {
			at[q] = places[min(q, len(places)-1)]
		}
		a, b, c, e := x[at[0]*d:][:d], x[at[1]*d:][:d], x[at[2]*d:][:d], x[at[3]*d:][:d]
		var sa, sb, sc, se float64
		for j, v := range z {
			sa, sb = fused.FMA(v-a[j], v-a[j], sa), fused.FMA(v-b[j], v-b[j], sb)
			sc, se = fused.FMA(v-c[j], v-c[j], sc), fused.FMA(v-e[j], v-e[j], se)
		}
		dst[at[0]], dst[at[1]], dst[at[2]], dst[at[3]] = sa, sb, sc, se
	}
}

// block fills dst, whose rows are as long as the columns are wide, with the inner products or distances of m points with the columns.
func (r *Rows) block(columns *tile.Columns, dst, z []float64, m int) {
	switch r.kernel.(type) {
	case Linear, Poly, Sigmoid:
		columns.Product(dst, z, m)
	case RBF:
		columns.Distances(dst, z, m)
	default:
		width := columns.Width()
		for i := range m {
			columns.RowAbsolute(dst[i*width:i*width+columns.Len()], z[i*r.d:(i+1)*r.d], 0)
		}
	}
}
