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
	cores  *space // the core rows of the fit
	rows   []int  // their numbers
	of     []int  // their clusters
}

// FitDBSCAN joins rows of X (n x d) where they lie dense. A row with at least Least rows within Radius, itself among them, is a core; cores
// within Radius of each other are of one cluster; another row belongs to the cluster of the nearest core within Radius, the lower row of
// two, and is noise where there is none. So no result hangs on the order of the rows, but for the numbers of clusters: the original gives a
// row at the border of two clusters to the one it meets first. Up to 6 columns neighbours come from a k-d tree, in about n log n time;
// beyond all rows are compared, in blocks, in n^2 d. Source: M. Ester, H.-P. Kriegel, J. Sander and X. Xu, KDD 1996.
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
	x := estimator.Dense(X)
	if err := estimator.CheckSquares(name, x); err != nil {
		return nil, err
	}
	n, d := x.Dims()
	stopped := func(err error) error { return fmt.Errorf("%s: stopped on %d rows: %w", name, n, err) }
	if err := ctx.Err(); err != nil {
		return nil, stopped(err)
	}
	m := &DBSCAN{radius: o.Radius, least: o.Least}
	crowded, err := newSpace(ctx, x, o.Radius).crowded(ctx, o.Least)
	if err != nil {
		return nil, stopped(err)
	}
	var others []int
	for i, yes := range crowded {
		if yes {
			m.rows = append(m.rows, i)
		} else {
			others = append(others, i)
		}
	}
	if err := m.keep(ctx, d, func(c int) []float64 { return x.RawRowView(m.rows[c]) }); err != nil {
		return nil, stopped(err)
	}
	m.labels = make([]int, n)
	for c, i := range m.rows { // the nearest core is itself, or one at the same place
		m.labels[i] = m.of[c]
	}
	clusters, err := m.clusters(ctx, len(others), func(i int) []float64 { return x.RawRowView(others[i]) })
	if err != nil {
		return nil, stopped(err)
	}
	for i, c := range clusters {
		m.labels[others[i]] = c
	}
	return m, nil
}

// keep holds on to the core rows and numbers their clusters.
func (m *DBSCAN) keep(ctx context.Context, d int, row func(c int) []float64) (err error) {
	if len(m.rows) == 0 {
		m.cores = &space{x: mat.NewDense(1, d, nil)}
		return ctx.Err()
	}
	core := mat.NewDense(len(m.rows), d, nil)
	for c := range m.rows {
		core.SetRow(c, row(c))
	}
	m.cores = newSpace(ctx, core, m.radius)
	m.of, m.k, err = m.cores.joined(ctx)
	return err
}

// clusters returns the cluster of each of so many places, -1 for noise.
func (m *DBSCAN) clusters(ctx context.Context, places int, at func(i int) []float64) ([]int, error) {
	out := make([]int, places)
	if len(m.rows) == 0 {
		for i := range out {
			out[i] = -1
		}
		return out, ctx.Err()
	}
	near, err := m.cores.nearest(ctx, places, at)
	if err != nil {
		return nil, err
	}
	for i, c := range near {
		if out[i] = -1; c >= 0 {
			out[i] = m.of[c]
		}
	}
	return out, nil
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
	return m.clusters(context.Background(), n, x.RawRowView)
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
	s := dbscanState{Names: m.Names, Radius: m.radius, Least: m.least, D: m.Dim(), K: m.k, Labels: m.labels, Cores: m.rows, Of: m.of}
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
	*m = DBSCAN{Names: s.Names, radius: s.Radius, least: s.Least, labels: s.Labels, k: s.K, rows: s.Cores, of: s.Of}
	if len(s.Cores) == 0 {
		m.cores = &space{x: mat.NewDense(1, s.D, nil)}
		return nil
	}
	m.cores = newSpace(context.Background(), mat.NewDense(len(s.Cores), s.D, s.Numbers), s.Radius)
	return nil
}
