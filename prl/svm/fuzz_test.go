package svm

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fuzztest"
	"github.com/prlab/prlab/prl/kernel"
)

// models returns an empty kernel machine and an empty linear one.
func models() []fuzztest.Stored { return []fuzztest.Stored{new(Model), new(LinearModel)} }

// use asks a model that was read for all its answers.
func use(m fuzztest.Stored) {
	switch m := m.(type) {
	case *Model:
		m.Alpha()
		m.Weights()
		m.SupportVectors()
		m.Pairs()
		if m.Dim() > 1000 {
			return
		}
		row := mat.NewDense(1, m.Dim(), nil)
		m.Predict(row)
		m.Decision(row)
		m.PairDecision(row)
		m.Proba(row)
		m.Value(row.RawRowView(0)...)
	case *LinearModel:
		row := mat.NewDense(1, m.Dim(), nil)
		m.Predict(row)
		m.Decision(row)
	}
}

// stored returns kernel machines and a linear one, the last, as bytes.
func stored(f *testing.F) [][]byte {
	X, y := cloud(random(40), 12, 2, 1)
	y3 := make([]int, len(y))
	for i := range y3 {
		y3[i] = i % 3
	}
	gram, err := kernel.Gram(kernel.RBF{Gamma: 1}, X)
	if err != nil {
		f.Fatal(err)
	}
	machine := func(k kernel.Kernel, X mat.Matrix, y []int) []byte {
		o := Options{}
		o.Kernel = k
		return fuzztest.Sound(Fit(f.Context(), X, y, o))
	}
	return [][]byte{
		machine(kernel.Linear{}, X, y), machine(kernel.RBF{Gamma: 1}, X, y3),
		machine(kernel.Polynomial(kernel.Sum(kernel.Linear{}, kernel.Scale(2, kernel.RBF{Gamma: 1})), 1, 2), X, y),
		machine(kernel.Precomputed{}, gram, y), fuzztest.Sound(FitLinear(f.Context(), X, y3, LinearOptions{})),
	}
}

// FuzzUnmarshal reads bytes as a kernel machine and as a linear one.
func FuzzUnmarshal(f *testing.F) { fuzztest.Unmarshal(f, stored(f), models, use) }

// FuzzDamage reads sound models with a few wrong numbers inside, or with another kernel.
func FuzzDamage(f *testing.F) {
	good := stored(f)
	kernels := []kernel.Kernel{
		nil,
		kernel.Linear{},
		kernel.Poly{},
		kernel.RBF{},
		kernel.Scale(1, nil),
		kernel.Sum(nil, nil),
		kernel.Sum(),
		kernel.Exp(nil),
		kernel.Normalize(
			nil,
		),
		kernel.Polynomial(kernel.Linear{}),
		kernel.Precomputed{},
		kernel.Sum(kernel.Precomputed{}),
		kernel.Poly{Degree: 1 << 62, Gamma: 1, Coef0: 1},
		kernel.Boolean{},
		kernel.Brownian{},
	}
	f.Fuzz(func(t *testing.T, which byte, script []byte, other byte) {
		i := int(which) % len(good)
		if i == len(good)-1 {
			fuzztest.Read(t, fuzztest.Damaged[linearState](t, good[i], "svm.LinearModel", modelVersion, script), new(LinearModel), use)
			return
		}
		fuzztest.Read(t, fuzztest.Damaged[state](t, good[i], "svm.Model", modelVersion, script), new(Model), func(m fuzztest.Stored) {
			use(m)
			m.(*Model).Kernel = kernels[int(other)%len(kernels)]
			if data, err := m.MarshalBinary(); err == nil {
				fuzztest.Read(t, data, new(Model), use)
			}
		})
	})
}
