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

// means tells whether the linkage is of means of groups, whose update is linear in squared distances.
func (l Linkage) means() bool { return l == Centroid || l == Median || l == Ward }

// reducible tells whether a join never brings a group nearer than the nearer of both parts was, for which heights cannot fall.
func (l Linkage) reducible() bool { return l != Centroid && l != Median }

// update replaces the distances kb of the live groups k from b by those from the union of a and b, ab apart. ka are those from a, and size
// the numbers of members.
func (l Linkage) update(kb, ka []float64, live []int, ab float64, a, b int, size []float64) {
	na, nb := size[a], size[b]
	for _, k := range live {
		i, j := ka[k], kb[k]
		switch l {
		case Complete:
			kb[k] = max(i, j)
		case Average:
			kb[k] = (na*i + nb*j) / (na + nb)
		case Weighted:
			kb[k] = (i + j) / 2
		case Centroid:
			kb[k] = max(0, (na*i+nb*j)/(na+nb)-na*nb*ab/((na+nb)*(na+nb)))
		case Median:
			kb[k] = max(0, (i+j)/2-ab/4)
		case Ward:
			kb[k] = max(0, ((size[k]+na)*i+(size[k]+nb)*j-size[k]*ab)/(size[k]+na+nb))
		}
	}
}

// Agglomerate joins the rows of X (n x d), by Euclidean distances, into a tree: from n groups of one row, the two nearest groups are joined
// n-1 times. Single linkage takes O(n^2 d) time and O(n d) memory (Prim's minimum spanning tree; J. C. Gower and G. J. S. Ross 1969),
// complete, average, weighted and Ward O(n^2) both (chains of nearest neighbours; F. Murtagh 1983), centroid and median O(n^2) memory and
// mostly O(n^2) time. Of equal distances that of the lower rows comes first.
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
	if err := checkDistances(name, D); err != nil {
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
				to[place] = D.At(at, i)
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
				g.d[i*g.stride+j] = D.At(i, j)
			}
		}
	}
	return g.grow(ctx)
}

func checkDistances(function string, D mat.Matrix) error {
	if err := estimator.CheckX(function, D); err != nil {
		return err
	}
	n, m := D.Dims()
	if n != m {
		return fault.Argument(function, "D", fmt.Sprintf("%d x %d", n, m), "a square matrix", "")
	}
	for i := range n {
		for j := range i + 1 {
			v := D.At(i, j)
			if v < 0 || v != D.At(j, i) || i == j && v != 0 {
				return fault.Argument(function, fmt.Sprintf("D[%d, %d]", i, j), v, "at least 0, equal to its mirror image, and 0 on the diagonal", "")
			}
		}
	}
	return nil
}

// A join is an edge between members of two groups, and its height.
type join struct {
	a, b   int
	height float64
}

// prim returns the edges of a minimum spanning tree. It asks for the distances, or their squares, of a row from the rows in rest. A row that
// is in the tree leaves rest, and the last one takes its place, which drop is told.
func prim(ctx context.Context, n int, squared bool, distances func(at int, rest []int, to []float64), drop func(place int)) ([]join, error) {
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
			return nil, fmt.Errorf("cluster.Agglomerate: stopped after %d of %d joins: %w", len(edges), n-1, err)
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
	d       []float64 // between groups i and j at i stride + j, infinite on the diagonal
	stride  int
	live    []int // the numbers of the groups that are left, rising
	size    []float64
	row     []int // a row of each
	joins   []join
	n       int // rows in all
}

func newGroups(n int, linkage Linkage) *groups {
	g := &groups{linkage: linkage, stride: tile.Padded(n), live: make([]int, n), size: make([]float64, n), row: make([]int, n), n: n}
	g.d = make([]float64, n*g.stride)
	for i := range n {
		g.live[i], g.size[i], g.row[i] = i, 1, i
		g.d[i*g.stride+i] = math.Inf(1)
	}
	return g
}

// measure finds the distances of n rows of d numbers.
func (g *groups) measure(ctx context.Context, data []float64, d int) error {
	const block = 128
	columns, blocks := tile.Transpose(data, g.n, d), (g.n+block-1)/block
	share.Turns(share.Workers(blocks, tile.RowCost(g.n*g.n, d)), blocks, func(_, b int) {
		if ctx.Err() != nil {
			return
		}
		from, to := b*block, min((b+1)*block, g.n)
		columns.Distances(g.d[from*g.stride:], data[from*d:to*d], to-from)
		for i := from; i < to; i++ {
			row := g.from(i)
			if !g.squared {
				for j, v := range row {
					row[j] = math.Sqrt(v)
				}
			}
			row[i] = math.Inf(1)
		}
	})
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("cluster.Agglomerate: stopped at the distances: %w", err)
	}
	return nil
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
			return fmt.Errorf("cluster.Agglomerate: stopped after %d of %d joins: %w", len(g.joins), g.n-1, err)
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return assemble(g.n, g.joins, !g.linkage.reducible()), nil
}

// from returns the distances from a group.
func (g *groups) from(i int) []float64 { return g.d[i*g.stride : (i+1)*g.stride] }

// merge puts the union of two groups into the place of the higher one.
func (g *groups) merge(a, b int) {
	a, b = min(a, b), max(a, b)
	kb, apart := g.from(b), g.from(a)[b]
	height := apart
	if g.squared {
		height = math.Sqrt(apart)
	}
	g.joins = append(g.joins, join{g.row[a], g.row[b], height})
	place, _ := slices.BinarySearch(g.live, a)
	g.live = slices.Delete(g.live, place, place+1)
	g.linkage.update(kb, g.from(a), g.live, apart, a, b, g.size)
	kb[b] = math.Inf(1)
	for _, k := range g.live {
		g.d[k*g.stride+b] = kb[k]
	}
	g.size[b] += g.size[a]
}

// shrink numbers the groups that are left anew, in their order, so that their distances stand close together, and changes numbers that are
// kept elsewhere.
func (g *groups) shrink(kept []int) {
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
	for i := range g.live {
		g.live[i] = i
	}
	g.stride, g.d = stride, g.d[:len(g.live)*stride]
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
			row, best, least := g.from(at), -1, math.Inf(1)
			if len(path) > 1 { // of ties the group before, so that the chain ends
				best = path[len(path)-2]
				least = row[best]
			}
			for _, k := range g.live {
				if v := row[k]; v < least {
					best, least = k, v
				}
			}
			if len(path) > 1 && best == path[len(path)-2] {
				path = path[:len(path)-2]
				g.merge(at, best)
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
		g.merge(a, b)
		row := g.from(b)
		for _, i := range g.live {
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
