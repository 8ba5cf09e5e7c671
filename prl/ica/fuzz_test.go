package ica

import (
	"context"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fuzztest"
)

func models() []fuzztest.Stored { return []fuzztest.Stored{new(Model)} }

// use asks a model that was read for all its answers.
func use(stored fuzztest.Stored) {
	m := stored.(*Model)
	m.Transform(mat.NewDense(1, m.Dim(), nil))
	m.Inverse(mat.NewDense(1, m.Components(), nil))
	m.Gaussian()
	m.Whitening()
	m.Rotation()
	_ = m.String()
}

func sound() []byte {
	r := rand.New(rand.NewPCG(1, 1))
	X := mat.NewDense(20, 2, nil)
	X.Apply(func(_, _ int, _ float64) float64 { return r.Float64() }, X)
	return fuzztest.Sound(Fit(context.Background(), X, Options{}))
}

// FuzzUnmarshal reads bytes as a model.
func FuzzUnmarshal(f *testing.F) { fuzztest.Unmarshal(f, [][]byte{sound()}, models, use) }

// FuzzDamage reads a sound model with a few wrong numbers inside.
func FuzzDamage(f *testing.F) {
	good := sound()
	f.Fuzz(func(t *testing.T, script []byte) {
		fuzztest.Read(t, fuzztest.Damaged[state](t, good, "ica.Model", 1, script), new(Model), use)
	})
}
