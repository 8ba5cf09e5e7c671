package bench

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/ica"
)

// icaTask separates mixed sources. The axes of whitening have no sign, which of a start that is the identity turns the signs of components
// only, so that both sides take the same steps. A row of W that moves by s changes the product with the row before to 1 - s^2/2, which is
// what the other side measures.
func icaTask(name string, method ica.Method) Task {
	return Task{
		Name: "fastica " + name, Data: "blend", Peers: []string{"eigh", "svd"}, Rivals: []string{"fastICA"}, Blas: true,
		Gauges:   []Gauge{{"mean log cosh", Equal, same}},
		Settings: "all components, log cosh, from the identity until no row moves by 1e-4 (peer: 5e-9), at most 200 steps",
		make: func(in *input) (*job, error) {
			start := mat.NewDense(in.d(), in.d(), nil)
			for j := range in.d() {
				start.Set(j, j, 1)
			}
			o := ica.Options{Method: method, Start: start, Tol: 1e-4, MaxIter: 200}
			var m *ica.Model
			return &job{n: in.n(), d: in.d(), run: func() (err error) {
				m, err = ica.Fit(context.Background(), in.X, o)
				return err
			}, quality: func() (map[string]float64, error) {
				S, err := m.Transform(in.X)
				if err != nil {
					return nil, err
				}
				sum := 0.0
				for _, v := range S.RawMatrix().Data {
					v = math.Abs(v)
					sum += v + math.Log1p(math.Exp(-2*v)) - math.Ln2
				}
				return only("mean log cosh", sum/float64(in.n()*in.d())), nil
			}}, nil
		},
	}
}

var icaTasks = []Task{icaTask("symmetric", ica.Symmetric), icaTask("deflation", ica.Deflation)}
