package reduce

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
)

// IsomapOptions are the settings of FitIsomap; DefaultIsomap returns the usual ones.
type IsomapOptions struct {
	Components int // k, the dimension of the map
	Neighbours int // K, the links of each row to its nearest ones
}

// DefaultIsomap returns a map in the plane from links to ten neighbours.
func DefaultIsomap() IsomapOptions { return IsomapOptions{Components: 2, Neighbours: 10} }

// An Isomap is a map made of distances along a sheet: shortest paths over links between near rows, mapped by classical scaling.
type Isomap struct {
	Y         *mat.Dense // n x k, the map; its columns have mean 0
	Values    []float64  // all n eigenvalues of the centred inner products, falling
	Geodesics *mat.Dense // n x n, lengths of the shortest paths
	Rows      *mat.Dense // n x d, the rows of the fit
	Links     [][2]int   // pairs i < j of rows that are linked
	K         int
}

// FitIsomap links each row of X (n x d) with its K nearest ones, in whichever direction, takes the lengths of shortest paths over the links
// as distances, and maps them by classical scaling. It fails when the links leave the rows in several pieces, and names their sizes.
//
// Source: J. B. Tenenbaum, V. de Silva & J. C. Langford (2000), Science 290, 2319-2323.
func FitIsomap(ctx context.Context, X mat.Matrix, o IsomapOptions) (*Isomap, error) {
	const name = "reduce.FitIsomap"
	if err := checkNeighbours(name, o.Components, o.Neighbours); err != nil {
		return nil, err
	}
	if err := estimator.CheckX(name, X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	if err := checkFewer(name, n, o.Components, o.Neighbours); err != nil {
		return nil, err
	}
	if err := estimator.CheckMemory(name, "the distances", n, 2*n, "take fewer rows"); err != nil {
		return nil, err
	}
	m := &Isomap{Rows: mat.DenseCopyOf(X), Geodesics: mat.NewDense(n, n, nil), K: o.Neighbours}
	links, lists := make([][]link, n), make([][]int, n)
	for i := range n {
		rows, far := nearest(m.Rows, m.Rows.RawRowView(i), o.Neighbours, i)
		lists[i] = rows
		for r, j := range rows {
			if !linked(links[i], j) {
				links[i], links[j] = append(links[i], link{j, far[r]}), append(links[j], link{i, far[r]})
				m.Links = append(m.Links, [2]int{min(i, j), max(i, j)})
			}
		}
	}
	if err := checkConnected(name, lists, o.Neighbours); err != nil {
		return nil, err
	}
	var reached front
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		reached = shortest(links, i, m.Geodesics.RawRowView(i), reached)
	}
	var err error
	m.Y, m.Values, err = torgerson(ctx, name, n, m.delta(), o.Components)
	return m, err
}

// delta is the mean of both directions of each path, which differ by rounding.
func (m *Isomap) delta() []float64 {
	n, _ := m.Geodesics.Dims()
	delta := make([]float64, 0, n*(n-1)/2)
	for i := range n {
		for j := i + 1; j < n; j++ {
			delta = append(delta, (m.Geodesics.At(i, j)+m.Geodesics.At(j, i))/2)
		}
	}
	return delta
}

func checkNeighbours(name string, components, neighbours int) error {
	if err := estimator.CheckCount(name, "Components", components, 1, math.MaxInt32); err != nil {
		return err
	}
	return estimator.CheckCount(name, "Neighbours", neighbours, 1, math.MaxInt32)
}

func checkFewer(name string, n, components, neighbours int) error {
	if err := estimator.CheckCount(name, "Neighbours", neighbours, 1, n-1); err != nil {
		return err
	}
	return estimator.CheckCount(name, "Components", components, 1, n-2)
}

type link struct {
	to     int
	length float64
}

func linked(links []link, to int) bool {
	for _, l := range links {
		if l.to == to {
			return true
		}
	}
	return false
}

// A front is the nodes that the search has reached, a heap with the nearest first.
type front []link

func (f *front) push(l link) {
	*f = append(*f, l)
	h := *f
	for i := len(h) - 1; i > 0 && h[i].length < h[(i-1)/2].length; i = (i - 1) / 2 {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
	}
}

func (f *front) pop() link {
	h := *f
	top, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	for i := 0; ; {
		least := i
		for c := 2*i + 1; c <= 2*i+2 && c < last; c++ {
			if h[c].length < h[least].length {
				least = c
			}
		}
		if least == i {
			break
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
	*f = h
	return top
}

// shortest writes the lengths of the shortest paths from a node (E. W. Dijkstra, 1959).
func shortest(links [][]link, from int, length []float64, reached front) front {
	for i := range length {
		length[i] = math.Inf(1)
	}
	length[from] = 0
	reached = append(reached[:0], link{from, 0})
	for len(reached) > 0 {
		at := reached.pop()
		if at.length > length[at.to] {
			continue
		}
		for _, l := range links[at.to] {
			if d := at.length + l.length; d < length[l.to] {
				length[l.to] = d
				reached.push(link{l.to, d})
			}
		}
	}
	return reached
}

// ResidualVariance returns 1 - r², r the correlation of the distances of the map with the lengths of the shortest paths: what the map in so
// few dimensions leaves unsaid.
func (m *Isomap) ResidualVariance() float64 {
	n, _ := m.Y.Dims()
	a := m.delta()
	b := make([]float64, 0, len(a))
	for i := range n {
		for j := i + 1; j < n; j++ {
			b = append(b, distance(m.Y.RawRowView(i), m.Y.RawRowView(j)))
		}
	}
	ma, mb := total(a)/float64(len(a)), total(b)/float64(len(b))
	var aa, ab, bb float64
	for p := range a {
		aa, ab, bb = aa+(a[p]-ma)*(a[p]-ma), ab+(a[p]-ma)*(b[p]-mb), bb+(b[p]-mb)*(b[p]-mb)
	}
	return 1 - ab*ab/aa/bb
}

// Dim returns the number of features of the rows.
func (m *Isomap) Dim() int {
	_, d := m.Rows.Dims()
	return d
}

// Transform places new rows: the path from a new row to one of the fit leads through the best of its K nearest rows, and Gower's formula
// puts it on the classical map. Rows of the fit keep their places.
//
// Source: Y. Bengio and others (2003), Out-of-sample extensions for LLE, Isomap, MDS, eigenmaps, and spectral clustering.
func (m *Isomap) Transform(X mat.Matrix) (*mat.Dense, error) {
	const name = "reduce.Isomap.Transform"
	if err := estimator.CheckShape(name, X, m.Dim()); err != nil {
		return nil, err
	}
	q, _ := X.Dims()
	n, k := m.Y.Dims()
	x, out, far := estimator.Dense(X), mat.NewDense(q, k, nil), make([]float64, n)
	means := squareMeans(n, m.delta())
	for i := range q {
		rows, apart := nearest(m.Rows, x.RawRowView(i), m.K, -1)
		for j := range far {
			far[j] = math.Inf(1)
			for r, row := range rows {
				far[j] = min(far[j], apart[r]+m.Geodesics.At(row, j))
			}
		}
		gower(out.RawRowView(i), m.Y, m.Values, means, far)
	}
	return out, nil
}

// String returns one line.
func (m *Isomap) String() string {
	n, k := m.Y.Dims()
	return fmt.Sprintf("Isomap: %d rows in %d dimensions over %d links", n, k, len(m.Links))
}
