package cluster

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Dendrogram is the tree of a hierarchical clustering of n rows. It is safe for concurrent use.
type Dendrogram struct {
	n      int
	merges [][4]float64
}

// Len returns n.
func (t *Dendrogram) Len() int { return t.n }

// String returns "tree of 50 rows, heights 2.29 to 294".
func (t *Dendrogram) String() string {
	if len(t.merges) == 0 {
		return fmt.Sprintf("tree of %d rows", t.n)
	}
	h := t.Heights()
	return fmt.Sprintf("tree of %d rows, heights %.3g to %.3g", t.n, slices.Min(h), slices.Max(h))
}

// Merges returns the n-1 joins {a, b, height, size}, the linkage matrix of SciPy: a < b are groups, 0 ... n-1 the rows and n+m what join m
// has made, and size is the number of rows in the union.
func (t *Dendrogram) Merges() [][4]float64 { return slices.Clone(t.merges) }

// Heights returns the height of each join. They never fall, but for centroid and median linkage, where they may.
func (t *Dendrogram) Heights() []float64 {
	h := make([]float64, len(t.merges))
	for m, j := range t.merges {
		h[m] = j[2]
	}
	return h
}

// Cut returns the group, from 0, of each row when the last k-1 joins are undone. Errors: k outside 1 ... n.
func (t *Dendrogram) Cut(k int) ([]int, error) {
	if err := estimator.CheckCount("cluster.Dendrogram.Cut", "k", k, 1, t.n); err != nil {
		return nil, err
	}
	last := len(t.merges) - (k - 1)
	return t.labels(func(m int) bool { return m < last }), nil
}

// CutAt returns the group, from 0, of each row when only joins of at most the given height are made, and all joins below them.
func (t *Dendrogram) CutAt(height float64) []int {
	top := t.tops()
	return t.labels(func(m int) bool { return top[m] <= height })
}

// tops returns the largest height in the tree below each join, its own included.
func (t *Dendrogram) tops() []float64 {
	top := t.Heights()
	for m, j := range t.merges {
		for _, c := range j[:2] {
			if int(c) >= t.n {
				top[m] = max(top[m], top[int(c)-t.n])
			}
		}
	}
	return top
}

// labels numbers the groups that the made joins leave, in the order of their first row.
func (t *Dendrogram) labels(made func(m int) bool) []int {
	parent := make([]int, t.n+len(t.merges))
	for i := range parent {
		parent[i] = i
	}
	for m, j := range t.merges {
		if made(m) {
			parent[int(j[0])], parent[int(j[1])] = t.n+m, t.n+m
		}
	}
	for i := len(parent) - 1; i >= 0; i-- { // parents have higher numbers
		parent[i] = parent[parent[i]]
	}
	number := make(map[int]int)
	out := make([]int, t.n)
	for i := range out {
		c, ok := number[parent[i]]
		if !ok {
			c = len(number)
			number[parent[i]] = c
		}
		out[i] = c
	}
	return out
}

// Order returns the rows from left to right, so that no lines of the drawn tree cross.
func (t *Dendrogram) Order() []int {
	var out []int
	stack := []int{t.n + len(t.merges) - 1}
	for len(stack) > 0 {
		c := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if c < t.n {
			out = append(out, c)
			continue
		}
		j := t.merges[c-t.n]
		stack = append(stack, int(j[1]), int(j[0]))
	}
	return out
}

// Cophenetic returns for each pair of rows the height at which they are joined (n x n; R. R. Sokal and F. J. Rohlf, Taxon 11, 1962). Where
// heights never fall it is an ultrametric: of three such distances the two largest are equal.
func (t *Dendrogram) Cophenetic() *mat.SymDense {
	out := mat.NewSymDense(t.n, nil)
	members := make([][]int, t.n+len(t.merges))
	for i := range t.n {
		members[i] = []int{i}
	}
	for m, j := range t.merges {
		a, b := members[int(j[0])], members[int(j[1])]
		for _, r := range a {
			for _, s := range b {
				out.SetSym(r, s, j[2])
			}
		}
		members[t.n+m] = append(a, b...)
	}
	return out
}

// Correlation returns the correlation, over all pairs of rows, of the distances D (n x n) with the cophenetic ones. Errors: another size,
// fewer than three rows, distances that are all the same.
func (t *Dendrogram) Correlation(D mat.Symmetric) (float64, error) {
	const name = "cluster.Dendrogram.Correlation"
	if D == nil || D.SymmetricDim() != t.n || t.n < 3 {
		return 0, fault.Argument(name, "D", "of another size", fmt.Sprintf("%d x %d, for at least 3 rows", t.n, t.n), "")
	}
	c, pairs := t.Cophenetic(), float64(t.n*(t.n-1)/2)
	var mx, my, xx, yy, xy float64
	for i := range t.n {
		for j := range i {
			mx, my = mx+D.At(i, j)/pairs, my+c.At(i, j)/pairs
		}
	}
	for i := range t.n {
		for j := range i {
			u, v := D.At(i, j)-mx, c.At(i, j)-my
			xx, yy, xy = xx+u*u, yy+v*v, xy+u*v
		}
	}
	if !(xx > 0 && yy > 0) {
		return 0, fault.Argument(name, "distances", "that are all the same", "distances that differ", "")
	}
	return xy / math.Sqrt(xx*yy), nil
}

// Last returns the tree above the last p-1 joins, with p leaves that stand for groups of rows, for a picture of a large tree. Groups[i] are
// the rows of leaf i. With p of n or more it is the whole tree.
func (t *Dendrogram) Last(p int) (top *Dendrogram, groups [][]int) {
	p = max(1, min(p, t.n))
	labels, _ := t.Cut(p)
	groups = make([][]int, p)
	for i, c := range labels {
		groups[c] = append(groups[c], i)
	}
	number := make([]int, t.n+len(t.merges)) // of each group in the small tree
	copy(number, labels)
	top = &Dendrogram{n: p}
	first := t.n - p
	for m, j := range t.merges {
		a, b := number[int(j[0])], number[int(j[1])]
		if m < first {
			number[t.n+m] = a
			continue
		}
		number[t.n+m] = p + m - first
		top.merges = append(top.merges, [4]float64{float64(min(a, b)), float64(max(a, b)), j[2], j[3]})
	}
	return top, groups
}

func squared(a, b []float64) (sum float64) {
	for k, v := range a {
		sum += (v - b[k]) * (v - b[k])
	}
	return sum
}
