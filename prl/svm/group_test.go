package svm

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/kernel"
)

// Rows that are computed in groups, ahead of the steps that need them and when shrunk points come back, change no bit of the result: with
// room for two rows they are computed one by one.
func TestGroupsOfRows(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	const n, d = 1400, 20
	x, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		y[i] = i % 2
		for j := range d {
			x.Set(i, j, r.NormFloat64()+0.4*float64(y[i]))
		}
	}
	for _, k := range []kernel.Kernel{kernel.RBF{Gamma: 0.05}, kernel.Linear{}} {
		o := Options{}
		o.Kernel, o.C, o.Slack = k, 0.5, QuadraticSlack
		want, err := Fit(t.Context(), x, y, o)
		if err != nil {
			t.Fatal(err)
		}
		o.CacheBytes = 1
		got, err := Fit(t.Context(), x, y, o)
		if err != nil {
			t.Fatal(err)
		}
		a, b := want.state.Machines[0], got.state.Machines[0]
		a.Certificate, b.Certificate = Certificate{}, Certificate{}
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%v: a cache of two rows changes the machine", k)
		}
	}
}
