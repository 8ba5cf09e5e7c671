package bench

import (
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/kernel"
)

func gram(k func(d int) kernel.Kernel, dense bool) func(*input) (*job, error) {
	return func(in *input) (*job, error) {
		var G *mat.SymDense
		j := &job{n: in.n(), d: in.d(), run: func() (err error) {
			G, err = kernel.Gram(k(in.d()), in.X)
			return err
		}, quality: func() (map[string]float64, error) {
			sum, n := 0.0, in.n()
			for i := range n {
				for l := range n {
					sum += G.At(i, l)
				}
			}
			return only("sum of entries", sum), nil
		}}
		if dense {
			j.flops = float64(in.n()) * float64(in.n()) * float64(in.d())
		}
		return j, nil
	}
}

func rbf(d int) kernel.Kernel  { return kernel.RBF{Gamma: 1 / float64(d)} }
func poly(d int) kernel.Kernel { return kernel.Poly{Degree: 3, Gamma: 1 / float64(d), Coef0: 1} }

var sumOfEntries = []Gauge{{"sum of entries", Equal, same}}

var kernelTasks = []Task{
	{
		Name: "gram rbf", Data: "bin", Rows: [3]int{200, 2000, 4000}, Peers: []string{""}, Blas: true, Dense: true, Gauges: sumOfEntries,
		Settings: "gamma 1/d", make: gram(rbf, true),
	},
	{
		Name: "gram poly", Data: "bin", Rows: [3]int{200, 2000, 4000}, Peers: []string{""}, Blas: true, Dense: true, Gauges: sumOfEntries,
		Settings: "degree 3, gamma 1/d, c 1", make: gram(poly, true),
	},
	{
		Name: "gram laplacian", Data: "bin", Rows: [3]int{200, 2000, 4000}, Peers: []string{""}, Gauges: sumOfEntries,
		Settings: "gamma 1/d", make: gram(func(d int) kernel.Kernel { return kernel.Laplacian{Gamma: 1 / float64(d)} }, false),
	},
	{
		Name: "cross rbf", Data: "bin", Rows: [3]int{200, 2000, 2000}, Peers: []string{""}, Blas: true, Dense: true, Gauges: sumOfEntries,
		Settings: "test by training rows, gamma 1/d", make: func(in *input) (*job, error) {
			var C *mat.Dense
			return &job{n: in.m(), d: in.d(), flops: 2 * float64(in.m()) * float64(in.n()*in.d()), run: func() (err error) {
				C, err = kernel.Cross(rbf(in.d()), in.Xt, in.X)
				return err
			}, quality: func() (map[string]float64, error) {
				return only("sum of entries", sumOf(C.RawMatrix().Data)), nil
			}}, nil
		},
	},
}
