package svm

import (
	"testing"

	"github.com/prlab/prlab/prl/kernel"
)

// Every kernel of package kernel survives storage; a kernel made of a function says that it cannot be stored.
func TestStoredKernels(t *testing.T) {
	X, y := cloud(random(41), 20, 2, 1)
	for _, k := range []kernel.Kernel{
		kernel.Linear{},
		kernel.Poly{Degree: 2, Gamma: 1, Coef0: 1},
		kernel.RBF{Gamma: 1},
		kernel.Laplacian{Gamma: 1},
		kernel.Sigmoid{Gamma: 0.1},
		kernel.Boolean{},
		kernel.Sum(kernel.Linear{}, kernel.RBF{Gamma: 1}),
		kernel.Product(kernel.Linear{}, kernel.RBF{Gamma: 1}),
		kernel.Scale(2, kernel.RBF{Gamma: 1}), kernel.Normalize(kernel.Poly{Degree: 2, Gamma: 1, Coef0: 1}),
		kernel.Polynomial(kernel.RBF{Gamma: 1}, 1, 2), kernel.Exp(kernel.RBF{Gamma: 1}),
	} {
		m := fit(t, X, y, func(o *Options) { o.Kernel, o.Tol = k, 1e-4 })
		data, err := m.MarshalBinary()
		if err != nil {
			t.Errorf("%v: %v", k, err)
			continue
		}
		var back Model
		if err := back.UnmarshalBinary(data); err != nil {
			t.Errorf("%v: %v", k, err)
			continue
		}
		if a, b := m.Value(0.3, -0.2), back.Value(0.3, -0.2); a != b {
			t.Errorf("%v: f = %g before and %g after", k, a, b)
		}
	}
	m := fit(t, X, y, func(o *Options) {
		o.Kernel = kernel.Func("f", func(a, b []float64) float64 { return a[0] * b[0] })
	})
	if _, err := m.MarshalBinary(); err == nil {
		t.Error("a function was stored")
	}
}
