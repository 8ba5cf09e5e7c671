package cluster

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
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

// squared tells whether the update is linear in squared distances.
func (l Linkage) squared() bool { return l == Centroid || l == Median || l == Ward }

// reducible tells whether a join never brings a group nearer than the nearer of both parts was, for which heights cannot fall.
func (l Linkage) reducible() bool { return l != Centroid && l != Median }

// update returns the distance of k from the union of i and j.
func (l Linkage) update(ki, kj, ij, nk, ni, nj float64) float64 {
	switch l {
	case Single:
		return min(ki, kj)
	case Complete:
		return max(ki, kj)
	case Weighted:
		return (ki + kj) / 2
	case Centroid:
		return max(0, (ni*ki+nj*kj)/(ni+nj)-ni*nj*ij/((ni+nj)*(ni+nj)))
	case Median:
		return max(0, (ki+kj)/2-ij/4)
	case Ward:
		return max(0, ((nk+ni)*ki+(nk+nj)*kj-nk*ij)/(nk+ni+nj))
	}
	return (ni*ki + nj*kj) / (ni + nj)
}

// Agglomerate joins the rows of X (n x d), by Euclidean distances, into a tree: from n groups of one row, the two nearest groups are joined
// n-1 times. Single linkage takes O(n^2 d) time and O(n) memory (Prim's minimum spanning tree; J. C. Gower and G. J. S. Ross 1969),
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
	square := func(i, j int) float64 {
		a, b, sum := x.RawRowView(i), x.RawRowView(j), 0.0
		for k := range d {
			u := a[k] - b[k]
			sum += u * u
		}
		return sum
	}
	distance := func(i, j int) float64 { return math.Sqrt(square(i, j)) }
	if linkage == Single {
		return prim(ctx, n, distance)
	}
	if err := estimator.CheckMemory(name, "distances", n, n/2+1, "single linkage needs no matrix"); err != nil {
		return nil, err
	}
	if linkage.squared() {
		return grow(ctx, n, square, linkage)
	}
	return grow(ctx, n, distance, linkage)
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
	if linkage.squared() {
		return nil, fault.Argument(name, "linkage", string(linkage), "single, complete, average or weighted",
			"means of groups need points: use Agglomerate")
	}
	n, _ := D.Dims()
	if linkage == Single {
		return prim(ctx, n, D.At)
	}
	return grow(ctx, n, D.At, linkage)
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

// prim returns the tree of single linkage: the edges of a minimum spanning tree, the shortest first.
func prim(ctx context.Context, n int, distance func(i, j int) float64) (*Dendrogram, error) {
	near, from := make([]float64, n), make([]int, n)
	rest := make([]int, 0, n) // rows that are not in the tree yet
	for i := 1; i < n; i++ {
		near[i] = math.Inf(1)
		rest = append(rest, i)
	}
	var edges []join
	for at := 0; len(rest) > 0; {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("cluster.Agglomerate: stopped after %d of %d joins: %w", len(edges), n-1, err)
		}
		best := 0
		for r, i := range rest {
			if v := distance(at, i); v < near[i] {
				near[i], from[i] = v, at
			}
			if near[i] < near[rest[best]] {
				best = r
			}
		}
		at = rest[best]
		rest = slices.Delete(rest, best, best+1)
		edges = append(edges, join{from[at], at, near[at]})
	}
	return assemble(n, edges, false), nil
}

// A join is an edge between members of two groups, and its height.
type join struct {
	a, b   int
	height float64
}

// condensed are the distances of n groups, d_ij of i > j at i(i-1)/2 + j.
type condensed []float64

func (c condensed) at(i, j int) *float64 {
	if i < j {
		i, j = j, i
	}
	return &c[i*(i-1)/2+j]
}

// grow joins groups by their distances, which are squared for some linkages.
func grow(ctx context.Context, n int, distance func(i, j int) float64, linkage Linkage) (*Dendrogram, error) {
	c, size, live := make(condensed, n*(n-1)/2), make([]float64, n), make([]int, n)
	for i := range n {
		size[i], live[i] = 1, i
		for j := range i {
			c[i*(i-1)/2+j] = distance(i, j)
		}
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("cluster.Agglomerate: stopped in row %d of the distances: %w", i, err)
		}
	}
	// merge puts the union of a and b into the place of the higher one, b.
	var joins []join
	merge := func(a, b int) {
		a, b = min(a, b), max(a, b)
		at := *c.at(a, b)
		place, _ := slices.BinarySearch(live, a)
		live = slices.Delete(live, place, place+1)
		for _, k := range live {
			if k != b {
				*c.at(k, b) = linkage.update(*c.at(k, a), *c.at(k, b), at, size[k], size[a], size[b])
			}
		}
		size[b] += size[a]
		height := at
		if linkage.squared() {
			height = math.Sqrt(at)
		}
		joins = append(joins, join{a, b, height})
	}
	next := nearest
	if linkage.reducible() {
		next = chain
	}
	err := next(n, c, &live, merge, func() error {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("cluster.Agglomerate: stopped after %d of %d joins: %w", len(joins), n-1, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return assemble(n, joins, !linkage.reducible()), nil
}

// chain follows nearest neighbours until two groups are each other's, and joins these. As a join never brings others nearer, the rest of
// the chain stays right.
func chain(n int, c condensed, live *[]int, merge func(a, b int), stopped func() error) error {
	path := make([]int, 0, n)
	for len(*live) > 1 {
		if err := stopped(); err != nil {
			return err
		}
		if len(path) == 0 {
			path = append(path, (*live)[0])
		}
		for {
			at := path[len(path)-1]
			best, least := -1, math.Inf(1)
			if len(path) > 1 { // of ties the group before, so that the chain ends
				best = path[len(path)-2]
				least = *c.at(at, best)
			}
			for _, k := range *live {
				if k != at {
					if v := *c.at(at, k); v < least || best < 0 {
						best, least = k, v
					}
				}
			}
			if len(path) > 1 && best == path[len(path)-2] {
				path = path[:len(path)-2]
				merge(at, best)
				break
			}
			path = append(path, best)
		}
	}
	return nil
}

// nearest joins the nearest two groups of all, each time.
func nearest(n int, c condensed, live *[]int, merge func(a, b int), stopped func() error) error {
	// Of each group the nearest one of lower number.
	near, least := make([]int, n), make([]float64, n)
	look := func(i int) {
		near[i], least[i] = -1, math.Inf(1)
		for _, j := range *live {
			if j >= i {
				break
			}
			if v := *c.at(i, j); v < least[i] || near[i] < 0 {
				near[i], least[i] = j, v
			}
		}
	}
	for i := range n {
		look(i)
	}
	for len(*live) > 1 {
		if err := stopped(); err != nil {
			return err
		}
		b := -1
		for _, i := range *live {
			if near[i] >= 0 && (b < 0 || least[i] < least[b]) {
				b = i
			}
		}
		a := near[b]
		merge(a, b)
		for _, i := range *live {
			switch {
			case i == b || near[i] == a || near[i] == b:
				look(i)
			case i > b:
				if v := *c.at(i, b); v < least[i] {
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
