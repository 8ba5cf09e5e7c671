package cluster

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/share"
	"github.com/prlab/prlab/prl/internal/tile"
)

// A Linkage says how far two groups are apart. After the groups i and j, of n_i and n_j members, have been joined, the distance of a group
// k from the new one follows from the old ones (G. N. Lance and W. T. Williams, Computer Journal 9, 1967).
type Linkage string

const (
	Single   Linkage = "single"   // the nearest pair: min(d_ki, d_kj)
	Complete Linkage = "complete" // the farthest pair: max(d_ki, d_kj)
	Average  Linkage = "average"  // the mean over all pairs: (n_i d_ki + n_j d_kj) / (n_i + n_j); the default
	Weighted Linkage = "weighted" // (d_ki + d_kj) / 2
	Centroid Linkage = "centroid" // between means: d^2 = (n_i d_ki^2 + n_j d_kj^2)/(n_i+n_j) - n_i n_j d_ij^2/(n_i+n_j)^2
	Median   Linkage = "median"   // d^2 = (d_ki^2 + d_kj^2)/2 - d_ij^2/4
	// d^2 = ((n_k+n_i) d_ki^2 + (n_k+n_j) d_kj^2 - n_k d_ij^2) / (n_k+n_i+n_j), twice the growth of the sum of squares (J. H. Ward, JASA 58,
	// 1963; ward.D2 of R)
	Ward Linkage = "ward"
)

// Linkages are all linkages.
var Linkages = []Linkage{Single, Complete, Average, Weighted, Centroid, Median, Ward}

func (l Linkage) check(function string) error {
	if slices.Contains(Linkages, l) {
		return nil
	}
	return fault.Argument(function, "linkage", fmt.Sprintf("%q", string(l)), fmt.Sprint(Linkages), "")
}

// means reports whether the linkage is of means of groups, whose update is linear in squared distances.
func (l Linkage) means() bool { return l == Centroid || l == Median || l == Ward }

// reducible reports whether a join never brings a group nearer than the nearer of both parts was, for which heights cannot fall.
func (l Linkage) reducible() bool { return l != Centroid && l != Median }

// update replaces the distances kb from b by those from the union of a and b, ab apart. ka are those from a, and size the numbers of
// members. What is infinite stays so.
func (l Linkage) update(kb, ka []float64, ab float64, a, b int, size []float64) {
	na, nb := size[a], size[b]
	kb = kb[:len(ka)]
	switch l {
	case Complete:
		for k, i := range ka {
			kb[k] = max(i, kb[k])
		}
	case Average:
		for k, i := range ka {
			kb[k] = (na*i + nb*kb[k]) / (na + nb)
		}
	case Weighted:
		for k, i := range ka {
			kb[k] = (i + kb[k]) / 2
		}
	case Centroid:
		for k, i := range ka {
			kb[k] = max(0, (na*i+nb*kb[k])/(na+nb)-na*nb*ab/((na+nb)*(na+nb)))
		}
	case Median:
		for k, i := range ka {
			kb[k] = max(0, (i+kb[k])/2-ab/4)
		}
	case Ward:
		for k, nk := range size {
			kb[k] = max(0, ((nk+na)*ka[k]+(nk+nb)*kb[k]-nk*ab)/(nk+na+nb))
		}
	}
}

// Agglomerate joins the rows of X (n x d), by Euclidean distances, into a tree: from n groups of one row, the two nearest groups are joined
// n-1 times. Single linkage takes O(n^2 d) time and O(n d) memory (Prim's minimum spanning tree; J. C. Gower and G. J. S. Ross 1969), and
// so does Ward up to 128 columns (chains of nearest neighbours, F. Murtagh 1983, between means). Complete, average and weighted take O(n^2)
// both after the distances (such chains in their matrix), centroid and median O(n^2) memory and mostly O(n^2) time. Of equal distances that
// of the lower rows comes first.
//
// Errors: unusable data, numbers whose squares overflow or vanish, a linkage without meaning, more rows than memory has room for.
func Agglomerate(ctx context.Context, X mat.Matrix, linkage Linkage) (*Dendrogram, error) {
	const name = "cluster.Agglomerate"
	if err := estimator.CheckX(name, X); err != nil {
		return nil, err
	}
	if err := linkage.check(name); err != nil {
		return nil, err
	}
	x := estimator.Dense(X)
	if err := estimator.CheckSquares(name, x); err != nil {
		return nil, err
	}
	n, d := x.Dims()
	data := x.RawMatrix().Data
	if linkage == Single {
		columns, rest := tile.Transpose(data, n, d), n
		columns.Swap(0, n-1)
		joins, err := prim(ctx, n, true, func(at int, _ []int, to []float64) {
			columns.RowDistances(to, x.RawRowView(at), 0)
		}, func(place int) {
			rest--
			columns.Swap(place, rest-1)
		})
		if err != nil {
			return nil, err
		}
		return assemble(n, joins, false), nil
	}
	if linkage == Ward && d <= wardColumns {
		joins, err := ward(ctx, data, n, d)
		if err != nil {
			return nil, err
		}
		return assemble(n, joins, false), nil
	}
	if err := estimator.CheckMemory(name, "distances", n, n, "single linkage needs no matrix"); err != nil {
		return nil, err
	}
	g := newGroups(n, linkage)
	g.squared = linkage.means() || linkage == Complete // which of two squares is larger needs no roots
	if err := g.measure(ctx, data, d); err != nil {
		return nil, err
	}
	return g.grow(ctx)
}

// AgglomerateDistances does the same for n things of which only the distances are known: D is n x n, symmetric, of at least 0, and 0 on its
// diagonal. Centroid, median and Ward need points, for which they hold means, and are refused.
func AgglomerateDistances(ctx context.Context, D mat.Matrix, linkage Linkage) (*Dendrogram, error) {
	const name = "cluster.AgglomerateDistances"
	if err := estimator.CheckDistances(name, D); err != nil {
		return nil, err
	}
	if err := linkage.check(name); err != nil {
		return nil, err
	}
	if linkage.means() {
		return nil, fault.Argument(name, "linkage", string(linkage), "single, complete, average or weighted",
			"means of groups need points: use Agglomerate")
	}
	n, _ := D.Dims()
	if linkage == Single {
		joins, err := prim(ctx, n, false, func(at int, rest []int, to []float64) {
			for place, i := range rest {
				to[place] = (D.At(at, i) + D.At(i, at)) / 2
			}
		}, func(int) {})
		if err != nil {
			return nil, err
		}
		return assemble(n, joins, false), nil
	}
	if err := estimator.CheckMemory(name, "distances", n, n, "single linkage needs no matrix"); err != nil {
		return nil, err
	}
	g := newGroups(n, linkage)
	for i := range n {
		for j := range n {
			if j != i {
				g.d[i*g.stride+j] = (D.At(i, j) + D.At(j, i)) / 2
			}
		}
	}
	return g.grow(ctx)
}

// A join is an edge between members of two groups, and its height.
type join struct {
	a, b   int
	height float64
}

// stopped is the error of a context that ended before n things were joined.
func stopped(joins []join, n int, err error) error {
	return fmt.Errorf("cluster.Agglomerate: stopped after %d of %d joins: %w", len(joins), n-1, err)
}

// prim returns the edges of a minimum spanning tree. It asks for the distances, or their squares, of a row from the rows in rest. A row
// that is in the tree leaves rest, and the last one takes its place, which drop is told.
func prim(ctx context.Context, n int, squared bool, distances func(at int, rest []int, to []float64), drop func(place int)) ([]join,
	error,
) {
	near, from, to, rest := make([]float64, n), make([]int, n), make([]float64, n), make([]int, n)
	for i := range n {
		near[i], rest[i] = math.Inf(1), i
	}
	leave := func(place int) {
		last := len(rest) - 1
		near[place], from[place], rest[place] = near[last], from[last], rest[last]
		rest = rest[:last]
	}
	leave(0)
	edges := make([]join, 0, n-1)
	for at := 0; len(rest) > 0; {
		if err := ctx.Err(); err != nil {
			return nil, stopped(edges, n, err)
		}
		distances(at, rest, to[:len(rest)])
		best, least := 0, math.Inf(1)
		for place, v := range to[:len(rest)] {
			old := near[place]
			if v < old {
				near[place], from[place], old = v, at, v
			}
			if old <= least && (old < least || rest[place] < rest[best]) {
				best, least = place, old
			}
		}
		at = rest[best]
		if squared {
			least = math.Sqrt(least)
		}
		edges = append(edges, join{from[best], at, least})
		leave(best)
		drop(best)
	}
	return edges, nil
}

// groups are what is left to join, with the distances between them.
type groups struct {
	linkage Linkage
	squared bool      // d are squares of distances
	d       []float64 // between groups i and j at i stride + j, infinite on the diagonal and beyond the groups
	stride  int
	live    []int // the numbers of the groups that are left, rising
	size    []float64
	row     []int // a row of each
	joins   []join
	unions  [][2]int // a group and the one that it was merged into, the most recent last
	known   []int    // to how many of the unions the distances from each group hold
	n       int      // rows in all
}

func newGroups(n int, linkage Linkage) *groups {
	g := &groups{linkage: linkage, stride: tile.Padded(n), n: n}
	g.live, g.size, g.row, g.known = make([]int, n), make([]float64, n), make([]int, n), make([]int, n)
	g.d = make([]float64, n*g.stride)
	for i := range n {
		g.live[i], g.size[i], g.row[i] = i, 1, i
		g.seal(i, n)
	}
	return g
}

// seal makes the distances of a group infinite from itself and from what lies beyond the n groups.
func (g *groups) seal(i, n int) {
	row := g.from(i)
	row[i] = math.Inf(1)
	for j := n; j < len(row); j++ {
		row[j] = math.Inf(1)
	}
}

// measure finds the distances of n rows of d numbers: those on one side of the diagonal, of which the other is the mirror image.
func (g *groups) measure(ctx context.Context, data []float64, d int) error {
	const block = 128
	blocks := (g.n + block - 1) / block
	workers := share.Workers(blocks, tile.RowCost(g.n*g.n/2, d))
	columns := make([]*tile.Columns, workers)
	share.Turns(workers, blocks, func(worker, b int) {
		from, to := b*block, min((b+1)*block, g.n)
		columns[worker] = tile.Gather(columns[worker], to-from, d, func(j int) []float64 { return data[(from+j)*d : (from+j+1)*d] })
		for i := 0; i < to && ctx.Err() == nil; i += block {
			last := min(i+block, to)
			columns[worker].DistancesInto(g.d[i*g.stride+from:], g.stride, data[i*d:last*d], last-i)
			if !g.squared {
				for r := i; r < last; r++ {
					row := g.d[r*g.stride+from : r*g.stride+to]
					for j, v := range row {
						row[j] = math.Sqrt(v)
					}
				}
			}
			if i < from {
				g.mirror(i, last, from, to)
			}
		}
	})
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("cluster.Agglomerate: stopped at the distances: %w", err)
	}
	for i := range g.n {
		g.seal(i, g.n)
	}
	return nil
}

// mirror writes the distances of the groups top ... bottom-1, a multiple of eight, from those of left ... right-1 to the other side.
func (g *groups) mirror(top, bottom, left, right int) {
	for i := top; i < bottom; i += tile.Wide { // eight numbers side by side are a line of the cache
		var rows [tile.Wide][]float64
		for r := range rows {
			rows[r] = g.d[(i+r)*g.stride+left:][:right-left]
		}
		for j := range right - left {
			to := g.d[(left+j)*g.stride+i:][:tile.Wide]
			for r := range rows {
				to[r] = rows[r][j]
			}
		}
	}
}

// grow joins all groups.
func (g *groups) grow(ctx context.Context) (*Dendrogram, error) {
	g.joins = make([]join, 0, g.n-1)
	next := g.nearest
	if g.linkage.reducible() {
		next = g.chain
	}
	if err := next(func() error {
		if err := ctx.Err(); err != nil {
			return stopped(g.joins, g.n, err)
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return assemble(g.n, g.joins, !g.linkage.reducible()), nil
}

// from returns the distances from a group.
func (g *groups) from(i int) []float64 { return g.d[i*g.stride : (i+1)*g.stride] }

// current returns the distances from a group, to which it adds those from the unions since it was last asked. A column of the matrix, where
// each number lies in another page of memory, is never written at a time.
func (g *groups) current(i int) []float64 {
	row := g.from(i)
	for _, u := range g.unions[g.known[i]:] {
		gone, at := u[0], u[1]
		if row[gone] = math.Inf(1); at != i && g.size[at] > 0 {
			row[at] = g.d[at*g.stride+i]
		}
	}
	g.known[i] = len(g.unions)
	return row
}

// merge puts the union of two groups, whose distances are current, into the place of the higher one, b, and returns its distances.
func (g *groups) merge(a, b int) []float64 {
	ka, kb := g.from(a), g.from(b)
	apart := ka[b]
	height := apart
	if g.squared {
		height = math.Sqrt(apart)
	}
	g.joins = append(g.joins, join{g.row[a], g.row[b], height})
	place, _ := slices.BinarySearch(g.live, a)
	g.live = slices.Delete(g.live, place, place+1)
	g.linkage.update(kb, ka, apart, a, b, g.size)
	g.size[a], g.size[b] = 0, g.size[a]+g.size[b]
	return kb
}

// shrink numbers the groups that are left again, in their order, so that their distances stand close together, and changes numbers that are
// kept elsewhere.
func (g *groups) shrink(kept []int) {
	for _, k := range g.live {
		g.current(k)
	}
	stride := tile.Padded(len(g.live))
	number := make(map[int]int, len(kept))
	for i, k := range g.live { // in place: nothing is written beyond what was read
		row, to := g.d[k*g.stride:(k+1)*g.stride], g.d[i*stride:(i+1)*stride]
		for j, l := range g.live {
			to[j] = row[l]
		}
		g.size[i], g.row[i] = g.size[k], g.row[k]
		number[k] = i
	}
	for p, k := range kept {
		kept[p] = number[k]
	}
	g.stride, g.d, g.size, g.unions = stride, g.d[:len(g.live)*stride], g.size[:len(g.live)], g.unions[:0]
	for i := range g.live {
		g.live[i], g.known[i] = i, 0
		g.seal(i, len(g.live))
	}
}

// chain follows nearest neighbours until two groups are each other's, and joins these. As a join never brings others nearer, the rest of
// the chain stays right.
func (g *groups) chain(stopped func() error) error {
	path := make([]int, 0, g.n)
	for len(g.live) > 1 {
		if err := stopped(); err != nil {
			return err
		}
		if 2*len(g.live) < g.stride && g.stride > 64 {
			g.shrink(path)
		}
		if len(path) == 0 {
			path = append(path, g.live[0])
		}
		for {
			at := path[len(path)-1]
			row := g.current(at)
			best, least := tile.ArgMin(row)
			if len(path) > 1 && row[path[len(path)-2]] <= least { // of ties the group before, so that the chain ends
				before := path[len(path)-2]
				path = path[:len(path)-2]
				g.current(before)
				a, b := min(at, before), max(at, before)
				g.merge(a, b)
				g.unions = append(g.unions, [2]int{a, b})
				g.known[b] = len(g.unions)
				break
			}
			path = append(path, best)
		}
	}
	return nil
}

// nearest joins the nearest two groups of all, each time.
func (g *groups) nearest(stopped func() error) error {
	// Of each group the nearest one of lower number.
	near, least := make([]int, g.n), make([]float64, g.n)
	look := func(i int) {
		near[i], least[i] = -1, math.Inf(1)
		row := g.from(i)
		for _, j := range g.live {
			if j >= i {
				break
			}
			if v := row[j]; v < least[i] {
				near[i], least[i] = j, v
			}
		}
	}
	for i := range g.n {
		look(i)
	}
	for len(g.live) > 1 {
		if err := stopped(); err != nil {
			return err
		}
		b := -1
		for _, i := range g.live {
			if near[i] >= 0 && (b < 0 || least[i] < least[b]) {
				b = i
			}
		}
		a := near[b]
		row := g.merge(a, b)
		for _, i := range g.live {
			g.d[i*g.stride+b] = row[i]
			switch {
			case i == b || near[i] == a || near[i] == b:
				look(i)
			case i > b:
				if v := row[i]; v < least[i] {
					near[i], least[i] = b, v
				}
			}
		}
	}
	return nil
}

// assemble numbers the groups of the joins: the n rows first, then the groups in the order of their making, which is that of the heights
// unless given.
func assemble(n int, joins []join, ordered bool) *Dendrogram {
	if !ordered {
		slices.SortStableFunc(joins, func(a, b join) int {
			switch {
			case a.height < b.height:
				return -1
			case a.height > b.height:
				return 1
			}
			return 0
		})
	}
	t := &Dendrogram{n: n, merges: make([][4]float64, len(joins))}
	parent, group, size := make([]int, n), make([]int, n), make([]float64, n)
	for i := range n {
		parent[i], group[i], size[i] = i, i, 1
	}
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for m, j := range joins {
		a, b := root(j.a), root(j.b)
		if size[a] < size[b] {
			a, b = b, a
		}
		parent[b] = a
		size[a] += size[b]
		t.merges[m] = [4]float64{float64(min(group[a], group[b])), float64(max(group[a], group[b])), j.height, size[a]}
		group[a] = n + m
	}
	return t
}
