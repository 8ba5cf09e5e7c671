package svm

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fuzztest"
	"github.com/prlab/prlab/prl/kernel"
)

// use asks a model that was read for all its answers.
func (m *Model) use() {
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
}

func (m *LinearModel) use() {
	row := mat.NewDense(1, m.Dim(), nil)
	m.Predict(row)
	m.Decision(row)
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
	type task struct {
		k kernel.Kernel
		x mat.Matrix
		y []int
	}
	var all [][]byte
	for _, c := range []task{{kernel.Linear{}, X, y}, {kernel.RBF{Gamma: 1}, X, y3}, {kernel.Polynomial(kernel.Sum(kernel.Linear{}, kernel.Scale(2, kernel.RBF{Gamma: 1})), 1, 2), X, y}, {kernel.Precomputed{}, gram, y}} {
		o := DefaultOptions()
		o.Kernel = c.k
		m, err := Fit(f.Context(), c.x, c.y, o)
		if err != nil {
			f.Fatal(err)
		}
		data, err := m.MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		all = append(all, data)
	}
	linear, err := FitLinear(f.Context(), X, y3, DefaultLinear())
	if err != nil {
		f.Fatal(err)
	}
	data, err := linear.MarshalBinary()
	if err != nil {
		f.Fatal(err)
	}
	return append(all, data)
}

// FuzzUnmarshal reads bytes as a kernel machine and as a linear one.
func FuzzUnmarshal(f *testing.F) {
	for _, data := range stored(f) {
		f.Add(data)
		f.Add(data[:len(data)/2])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var m, m2 Model
		if fuzztest.Model(t, data, &m, &m2) {
			fuzztest.Quick(m.use)
		}
		var l, l2 LinearModel
		if fuzztest.Model(t, data, &l, &l2) {
			fuzztest.Quick(l.use)
		}
	})
}

// FuzzDamage reads sound models with a few wrong numbers inside, or with another kernel.
func FuzzDamage(f *testing.F) {
	good := stored(f)
	kernels := []kernel.Kernel{nil, kernel.Linear{}, kernel.Poly{}, kernel.RBF{}, kernel.Scale(1, nil), kernel.Sum(nil, nil), kernel.Sum(), kernel.Exp(nil),
		kernel.Normalize(nil), kernel.Polynomial(kernel.Linear{}), kernel.Precomputed{}, kernel.Sum(kernel.Precomputed{}), kernel.Poly{Degree: 1 << 62, Gamma: 1, Coef0: 1}, kernel.Boolean{}, kernel.Brownian{}}
	f.Fuzz(func(t *testing.T, which byte, script []byte, other byte) {
		i := int(which) % len(good)
		if i == len(good)-1 {
			var l, l2 LinearModel
			if fuzztest.Model(t, fuzztest.Damaged[linearState](t, good[i], "svm.LinearModel", modelVersion, script), &l, &l2) {
				fuzztest.Quick(l.use)
			}
			return
		}
		data := fuzztest.Damaged[state](t, good[i], "svm.Model", modelVersion, script)
		var m, m2 Model
		if !fuzztest.Model(t, data, &m, &m2) {
			return
		}
		fuzztest.Quick(m.use)
		m.Kernel = kernels[int(other)%len(kernels)]
		data, err := m.MarshalBinary()
		if err != nil {
			return // gob does not take a nil kernel
		}
		var k, k2 Model
		if fuzztest.Model(t, data, &k, &k2) {
			fuzztest.Quick(k.use)
		}
	})
}
