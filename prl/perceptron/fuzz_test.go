package perceptron

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fuzztest"
	"github.com/prlab/prlab/prl/kernel"
)

func models() []fuzztest.Stored { return []fuzztest.Stored{new(Model)} }

// use asks a model that was read for all that it answers.
func use(m fuzztest.Stored) {
	p := m.(*Model)
	if p.s.D > 1000 {
		return
	}
	x := mat.NewDense(1, p.s.D, nil)
	p.Predict(x)
	p.Decision(x)
	p.Class(make([]float64, p.s.D)...)
	p.Value(make([]float64, p.s.D)...)
	p.Theta()
	_ = p.String()
}

// stored returns models with weights, with a kernel and with votes as bytes.
func stored() (good [][]byte) {
	x, y := mat.NewDense(4, 2, []float64{0, 0, 0, 1, 1, 0, 1, 1}), []int{0, 1, 1, 2}
	for _, o := range []Options{{}, {Kernel: kernel.RBF{Gamma: 1}}, {Form: Voted, MaxIter: 3}} {
		good = append(good, fuzztest.Sound(Fit(context.Background(), x, y, o)))
	}
	return good
}

// FuzzUnmarshal reads bytes as a model.
func FuzzUnmarshal(f *testing.F) {
	fuzztest.Unmarshal(f, append(stored(), []byte{}, []byte("rubbish")), models, use)
}

// FuzzDamage reads sound models with a few wrong numbers inside.
func FuzzDamage(f *testing.F) {
	good := stored()
	f.Add([]byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, script []byte) {
		for _, g := range good {
			fuzztest.Read(t, fuzztest.Damaged[state](t, g, "perceptron.Model", 1, script), new(Model), use)
		}
	})
}
