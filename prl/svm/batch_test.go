package svm

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/kernel"
)

// Decision values of many points together are those of points one by one.
func TestBatchIsPoints(t *testing.T) {
	const n, d = 75, 6
	r := rand.New(rand.NewPCG(21, 1))
	X, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		y[i] = i % 2
		for j := range d {
			X.Set(i, j, r.NormFloat64()+0.5*float64(y[i]))
		}
	}
	for _, k := range []kernel.Kernel{kernel.RBF{Gamma: 0.2}, kernel.Poly{Degree: 2, Gamma: 0.5, Coef0: 1}, kernel.Laplacian{Gamma: 0.2}} {
		o := Options{}
		o.Kernel = k
		m, err := Fit(context.Background(), X, y, o)
		if err != nil {
			t.Fatal(err)
		}
		F, err := m.PairDecision(X)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if got, want := F.At(i, 0), m.Value(X.RawRowView(i)...); math.Float64bits(got) != math.Float64bits(want) {
				t.Fatalf("%v: f of row %d is %v together with others, %v alone", k, i, got, want)
			}
		}
	}
}
