package reduce

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/internal/share"
)

// IsomapOptions are the settings of FitIsomap. The zero value is the default.
type IsomapOptions struct {
	Components int // k, the dimension of the map; 0 stands for 2
	Neighbours int // K, the links of each row to its nearest ones; 0 stands for 10
}

// filled returns o with defaults in the place of zeros.
func (o IsomapOptions) filled() IsomapOptions {
	o.Components, o.Neighbours = cmp.Or(o.Components, 2), cmp.Or(o.Neighbours, 10)
	return o
}

// An Isomap is a map made of distances along a sheet: shortest paths over links between near rows, mapped by classical scaling.
type Isomap struct {
	Y         *mat.Dense // n x k, the map; its columns have mean 0
	Values    []float64  // eigenvalues of the centred inner products, falling: all n, or from 300 rows on the largest, 10 or k
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
	o = o.filled()
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
	links := make([][]link, n)
	lists, far := nearest(m.Rows, m.Rows, o.Neighbours, true)
	for i, rows := range lists {
		for r, j := range rows {
			if !linked(links[i], j) {
				links[i], links[j] = append(links[i], link{j, far[i][r]}), append(links[j], link{i, far[i][r]})
				m.Links = append(m.Links, [2]int{min(i, j), max(i, j)})
			}
		}
	}
	if err := checkConnected(name, lists, o.Neighbours); err != nil {
		return nil, err
	}
	w := newWaves(links)
	workers := share.Workers(n, 100*float64(n)*float64(len(m.Links)))
	queues := make([]queue, workers)
	share.Turns(workers, n, func(worker, i int) {
		if ctx.Err() == nil {
			w.shortest(i, m.Geodesics.RawRowView(i), &queues[worker])
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var err error
	if m.Y, m.Values, err = torgerson(ctx, name, n, m.delta(), o.Components, false); err != nil {
		return nil, err
	}
	return m, nil
}

// delta is the mean of both directions of each path, which differ by rounding.
func (m *Isomap) delta() []float64 {
	n, _ := dims(m.Geodesics)
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

// waves finds shortest paths over links. Nodes that are about as far away are looked at together, in any order, and again when a shorter
// path to them turns up. The lengths are those of E. W. Dijkstra (1959). Source: U. Meyer & P. Sanders (2003), Delta-stepping: a
// parallelizable shortest path algorithm, Journal of Algorithms 49, 114-152.
type waves struct {
	links  [][]link
	per    float64 // waves in a unit of length
	window int     // how many waves ahead a link can reach, and one more
}

// newWaves takes the mean length of a link for the width of a wave.
func newWaves(links [][]link) waves {
	longest, sum, count := 0.0, 0.0, 0
	for _, list := range links {
		for _, l := range list {
			longest, sum, count = max(longest, l.length), sum+l.length/float64(len(links)), count+1
		}
	}
	mean := max(sum*float64(len(links))/float64(max(count, 1)), longest/1000)
	if !(mean > 0) || math.IsInf(1/mean, 1) {
		return waves{links, 0, 2}
	}
	return waves{links, 1 / mean, int(longest/mean) + 3}
}

// A queue is room for the nodes that were reached, by wave.
type queue [][]link

func (w waves) shortest(from int, length []float64, reached *queue) {
	for i := range length {
		length[i] = math.Inf(1)
	}
	length[from] = 0
	q := *reached
	for len(q) < w.window {
		q = append(q, nil)
	}
	*reached = q
	q[0] = append(q[0][:0], link{from, 0})
	for at, waiting := 0, 1; waiting > 0; at = (at + 1) % w.window {
		for len(q[at]) > 0 {
			last := len(q[at]) - 1
			node := q[at][last]
			q[at] = q[at][:last]
			waiting--
			if node.length > length[node.to] {
				continue
			}
			for _, l := range w.links[node.to] {
				if d := node.length + l.length; d < length[l.to] {
					length[l.to] = d
					wave := int(d*w.per) % w.window
					q[wave] = append(q[wave], link{l.to, d})
					waiting++
				}
			}
		}
	}
}

// ResidualVariance returns 1 - r², r the correlation of the distances of the map with the lengths of the shortest paths: what the map in so
// few dimensions leaves unsaid.
func (m *Isomap) ResidualVariance() float64 {
	n, _ := dims(m.Y)
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
	_, d := dims(m.Rows)
	return d
}

// Transform places new rows: the path from a new row to one of the fit leads through the best of its K nearest rows, and Gower's formula
// puts it on the classical map. Rows of the fit keep their places.
//
// Source: Y. Bengio and others (2003), Out-of-sample extensions for LLE, Isomap, MDS, eigenmaps, and spectral clustering.
func (m *Isomap) Transform(X mat.Matrix) (*mat.Dense, error) {
	const name = "reduce.Isomap.Transform"
	if err := estimator.CheckWidth(name, X, m.Dim()); err != nil {
		return nil, err
	}
	q, _ := X.Dims()
	n, k := m.Y.Dims()
	x, out, far := estimator.Dense(X), mat.NewDense(q, k, nil), make([]float64, n)
	means := squareMeans(n, m.delta())
	lists, apart := nearest(m.Rows, mat.DenseCopyOf(x), m.K, false)
	for i, rows := range lists {
		for j := range far {
			far[j] = math.Inf(1)
			for r, row := range rows {
				far[j] = min(far[j], apart[i][r]+m.Geodesics.At(row, j))
			}
		}
		gower(out.RawRowView(i), m.Y, m.Values, means, far)
	}
	return out, nil
}

// String returns one line.
func (m *Isomap) String() string {
	n, k := dims(m.Y)
	return fmt.Sprintf("Isomap: %d rows in %d dimensions over %d links", n, k, len(m.Links))
}
