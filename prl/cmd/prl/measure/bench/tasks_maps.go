package bench

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/kernel"
	"github.com/prlab/prlab/prl/reduce"
)

var mapTasks = []Task{
	{
		Name: "classical mds", Data: "mix", Rows: [3]int{100, 500, 1500}, Peers: []string{""}, Blas: true, Gauges: sumOfSquares,
		Settings: "distances given, map in the plane", make: func(in *input) (*job, error) {
			o := reduce.MDSOptions{}
			o.Scaling = reduce.Classical
			return scaling(in, o, func(m *reduce.MDS) map[string]float64 { return squares(m.Y) })
		},
	},
	{
		Name: "smacof", Data: "mix", Rows: [3]int{100, 500, 1500}, Peers: []string{""}, Blas: true, Gauges: []Gauge{{"stress", Equal, same}},
		Settings: "distances given, map in the plane, 30 steps from the first two columns", make: func(in *input) (*job, error) {
			o := reduce.MDSOptions{}
			o.Start, o.MaxIter, o.Tol = firstColumns(in.X, 2), 30, 0
			return scaling(in, o, func(m *reduce.MDS) map[string]float64 { return only("stress", m.Stress()) })
		},
	},
	{
		Name: "isomap fit", Data: "sheet", Rows: [3]int{200, 1000, 2000}, Peers: []string{"auto"}, Blas: true, Gauges: sumOfSquares,
		Settings: "10 neighbours, map in the plane", make: func(in *input) (*job, error) {
			var m *reduce.Isomap
			return &job{n: in.n(), d: in.d(), run: func() (err error) {
				m, err = reduce.FitIsomap(context.Background(), in.X, reduce.IsomapOptions{})
				return err
			}, quality: func() (map[string]float64, error) { return squares(m.Y), nil }}, nil
		},
	},
	{
		Name: "lle fit", Data: "sheet", Rows: [3]int{200, 1000, 4000}, Peers: []string{"arpack"}, Blas: true,
		Gauges:   []Gauge{{"rebuilding error", Lower, same}},
		Settings: "12 neighbours, map in the plane", make: func(in *input) (*job, error) {
			var m *reduce.LLE
			return &job{n: in.n(), d: in.d(), run: func() (err error) {
				m, err = reduce.FitLLE(context.Background(), in.X, reduce.LLEOptions{})
				return err
			}, quality: func() (map[string]float64, error) { return only("rebuilding error", rebuilding(m)), nil }}, nil
		},
	},
	{
		Name: "kernel pca fit", Data: "cls", Rows: [3]int{200, 1000, 3000}, Peers: []string{"dense", "arpack"}, Blas: true,
		Gauges:   []Gauge{{"sum of variances", Equal, same}},
		Settings: "RBF kernel, gamma = 1/d, 10 components", make: func(in *input) (*job, error) {
			var m *reduce.KernelPCA
			o := reduce.KernelPCAOptions{Kernel: kernel.RBF{Gamma: 1 / float64(in.d())}, Components: 10, Divisor: reduce.Population}
			return &job{n: in.n(), d: in.d(), run: func() (err error) {
				m, err = reduce.FitKernelPCA(context.Background(), in.X, o)
				return err
			}, quality: func() (map[string]float64, error) { return only("sum of variances", sumOf(m.Variances())), nil }}, nil
		},
	},
}

// scaling maps the rows by their distances, which are found beforehand.
func scaling(in *input, o reduce.MDSOptions, rate func(*reduce.MDS) map[string]float64) (*job, error) {
	D, err := reduce.Distances(in.X)
	if err != nil {
		return nil, err
	}
	table := mat.DenseCopyOf(D) // as the other side gets it
	var m *reduce.MDS
	return &job{n: in.n(), d: in.n(), run: func() (err error) {
		m, err = reduce.FitMDS(context.Background(), table, o)
		return err
	}, quality: func() (map[string]float64, error) { return rate(m), nil }}, nil
}

// rebuilding is the mean over the points of the map, whose columns have mean square 1, of the squared distance to the weighted mean of
// their neighbours.
func rebuilding(m *reduce.LLE) float64 {
	n, q := m.Y.Dims()
	sum := 0.0
	for i := range n {
		for c := range q {
			miss := m.Y.At(i, c)
			for a, row := range m.Neighbours[i] {
				miss -= m.Weights[i][a] * m.Y.At(row, c)
			}
			sum += miss * miss
		}
	}
	return sum / float64(n)
}
