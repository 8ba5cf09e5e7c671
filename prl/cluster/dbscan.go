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

// DBSCANOptions are the settings of FitDBSCAN.
type DBSCANOptions struct {
	Radius float64 // epsilon, in the unit of the data; default 0.5
	Least  int     // rows within the radius, itself among them, that make a row a core; default 5
}

func (o DBSCANOptions) filled() DBSCANOptions {
	estimator.Or(&o.Radius, 0.5)
	estimator.Or(&o.Least, 5)
	return o
}

func (o DBSCANOptions) check(function string) error {
	if err := estimator.CheckPositive(function, "Radius", o.Radius, 0.5); err != nil {
		return err
	}
	return estimator.CheckCount(function, "Least", o.Least, 1, math.MaxInt)
}

// A DBSCAN is a clustering by density. It is safe for concurrent use.
type DBSCAN struct {
	estimator.Names
	radius float64
	least  int
	labels []int // of the rows of the fit, -1 noise
	k      int
	cores  *kdTree // the core rows of the fit
	rows   []int   // their numbers
}

// FitDBSCAN joins rows of X (n x d) where they lie dense. A row with at least Least rows within Radius, itself among them, is a core; cores
// within Radius of each other are of one cluster; another row belongs to the cluster of the nearest core within Radius, the lower row of
// two, and is noise where there is none. So no result hangs on the order of the rows, but for the numbers of clusters: the original gives a
// row at the border of two clusters to the one it meets first. Neighbours come from a k-d tree: about n log n for few columns, n^2 d at
// worst. Source: M. Ester, H.-P. Kriegel, J. Sander and X. Xu, KDD 1996.
//
// Errors: unusable data, numbers whose squares overflow or vanish, a radius that is not positive.
func FitDBSCAN(ctx context.Context, X mat.Matrix, o DBSCANOptions) (*DBSCAN, error) {
	const name = "cluster.FitDBSCAN"
	if err := estimator.CheckX(name, X); err != nil {
		return nil, err
	}
	o = o.filled()
	if err := o.check(name); err != nil {
		return nil, err
	}
	x := mat.DenseCopyOf(X)
	if err := estimator.CheckSquares(name, x); err != nil {
		return nil, err
	}
	n, d := x.Dims()
	stopped := func(i int) error {
		if i&63 != 0 {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("%s: stopped at row %d of %d: %w", name, i, n, err)
		}
		return nil
	}
	if err := stopped(0); err != nil {
		return nil, err
	}
	all := newTree(ctx, x)
	m := &DBSCAN{radius: o.Radius, least: o.Least}
	for i := range n {
		if err := stopped(i); err != nil {
			return nil, err
		}
		count := 0
		all.within(x.RawRowView(i), o.Radius, func(int, float64) bool { count++; return count < o.Least })
		if count >= o.Least {
			m.rows = append(m.rows, i)
		}
	}
	core := mat.NewDense(max(1, len(m.rows)), d, nil)
	for c, i := range m.rows {
		core.SetRow(c, x.RawRowView(i))
	}
	if len(m.rows) > 0 {
		m.cores = newTree(ctx, core)
	} else {
		m.cores = &kdTree{x: mat.NewDense(1, d, nil)}
	}
	if err := stopped(0); err != nil {
		return nil, err
	}
	parent := make([]int, len(m.rows))
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for c := range parent {
		parent[c] = c
		if err := stopped(c); err != nil {
			return nil, err
		}
		m.cores.within(core.RawRowView(c), o.Radius, func(e int, _ float64) bool {
			if e < c {
				a, b := root(c), root(e)
				parent[max(a, b)] = min(a, b)
			}
			return true
		})
	}
	m.cores.value = make([]int, len(parent))
	// The root of a cluster is its first core.
	number := make([]int, len(parent))
	for c := range parent {
		if r := root(c); r == c {
			number[c] = m.k
			m.k++
		}
		m.cores.value[c] = number[root(c)]
	}
	m.labels = make([]int, n)
	for i := range n {
		if err := stopped(i); err != nil {
			return nil, err
		}
		m.labels[i] = m.cluster(x.RawRowView(i))
	}
	return m, nil
}

// cluster returns the cluster of a place, -1 for noise.
func (m *DBSCAN) cluster(at []float64) int {
	best, least, row := -1, math.Inf(1), -1
	m.cores.within(at, m.radius, func(c int, square float64) bool {
		if square < least || square == least && c < row {
			best, least, row = m.cores.value[c], square, c
		}
		return true
	})
	return best
}

// Dim returns d.
func (m *DBSCAN) Dim() int {
	if m.cores == nil {
		return 0
	}
	_, d := m.cores.x.Dims()
	return d
}

// K returns the number of clusters, noise not among them.
func (m *DBSCAN) K() int { return m.k }

// Labels returns the cluster, from 0 in the order of their first core, of each row of the fit, and -1 for noise.
func (m *DBSCAN) Labels() []int { return slices.Clone(m.labels) }

// Cores returns the numbers of the core rows.
func (m *DBSCAN) Cores() []int { return slices.Clone(m.rows) }

// Noise returns the number of rows of the fit that belong to no cluster.
func (m *DBSCAN) Noise() (n int) {
	for _, c := range m.labels {
		if c < 0 {
			n++
		}
	}
	return n
}

// String returns "DBSCAN of radius 0.5 and 5 rows: 3 clusters, 12 of 150 rows noise".
func (m *DBSCAN) String() string {
	return fmt.Sprintf("DBSCAN of radius %.4g and %d rows: %d clusters, %d of %d rows noise", m.radius, m.least, m.k, m.Noise(), len(m.labels))
}

// Predict returns for each row of X the cluster of the nearest core within the radius, and -1 where there is none. For the rows of the fit
// these are Labels.
func (m *DBSCAN) Predict(X mat.Matrix) ([]int, error) {
	const name = "cluster.DBSCAN.Predict"
	if err := estimator.CheckWidth(name, X, m.Dim()); err != nil {
		return nil, err
	}
	x := estimator.Dense(X)
	n, _ := x.Dims()
	out := make([]int, n)
	for i := range out {
		out[i] = m.cluster(x.RawRowView(i))
	}
	return out, nil
}

type dbscanState struct {
	Names   estimator.Names
	Radius  float64
	Least   int
	D, K    int
	Labels  []int
	Cores   []int     // their rows
	Numbers []float64 // of the cores, row after row
	Of      []int     // their clusters
}

// MarshalBinary encodes the model, which holds all core rows.
func (m *DBSCAN) MarshalBinary() ([]byte, error) {
	if m.cores == nil {
		return nil, estimator.Unfitted("cluster.DBSCAN.MarshalBinary")
	}
	s := dbscanState{Names: m.Names, Radius: m.radius, Least: m.least, D: m.Dim(), K: m.k, Labels: m.labels, Cores: m.rows, Of: m.cores.value}
	if len(m.rows) > 0 {
		s.Numbers = m.cores.x.RawMatrix().Data
	}
	return estimator.Encode("cluster.DBSCAN", 1, s)
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (m *DBSCAN) UnmarshalBinary(data []byte) error {
	const name = "cluster.DBSCAN.UnmarshalBinary"
	var s dbscanState
	if err := estimator.Decode(data, "cluster.DBSCAN", 1, &s); err != nil {
		return err
	}
	bad := s.D < 1 || s.K < 0 || !(s.Radius > 0) || s.Least < 1 || len(s.Of) != len(s.Cores) || len(s.Cores) > len(s.Labels) ||
		len(s.Numbers) != 0 && !estimator.Fits(len(s.Numbers), len(s.Cores), s.D) || len(s.Numbers) == 0 && len(s.Cores) > 0
	for _, v := range s.Numbers {
		bad = bad || !(math.Abs(v) <= estimator.SquareLimit(max(1, s.D)))
	}
	for _, c := range s.Labels {
		bad = bad || c < -1 || c >= s.K
	}
	for i, c := range s.Of {
		bad = bad || c < 0 || c >= s.K || s.Cores[i] < 0 || s.Cores[i] >= len(s.Labels)
	}
	if bad || s.D > 1<<20 {
		return fault.Argument(name, "data", "of mixed-up sizes or numbers", "what MarshalBinary wrote", "")
	}
	tree := &kdTree{x: mat.NewDense(1, s.D, nil)}
	if len(s.Cores) > 0 {
		tree = newTree(context.Background(), mat.NewDense(len(s.Cores), s.D, s.Numbers))
	}
	tree.value = s.Of
	*m = DBSCAN{Names: s.Names, radius: s.Radius, least: s.Least, labels: s.Labels, k: s.K, cores: tree, rows: s.Cores}
	return nil
}
