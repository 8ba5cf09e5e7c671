package ensemble

import (
	"context"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fuzztest"
	"github.com/prlab/prlab/prl/tree"
)

// use asks a forest that was read for all that it answers.
func use(m fuzztest.Stored) {
	switch f := m.(type) {
	case *Forest:
		if f.s.D > 1000 || f.s.N*f.s.K > 1e6 {
			return
		}
		x := mat.NewDense(1, f.s.D, nil)
		f.Proba(x)
		f.Importances()
		f.Proximity(x, x)
		f.OutOfBag(0)
		f.OOBProba()
		if f.s.Drawn.Draw < 1e6 {
			f.RowWeights(context.Background(), x, mat.NewDense(f.s.N, f.s.D, nil))
		}
		f.OOBPermutation(context.Background(), mat.NewDense(f.s.N, f.s.D, nil), make([]int, f.s.N), Shuffles{})
	case *Regressor:
		if f.s.D > 1000 || f.s.N > 1e6 {
			return
		}
		f.Value(make([]float64, f.s.D)...)
		f.OutOfBag(0)
	case *Isolation:
		if f.s.D > 1000 || f.s.Size > 1e6 {
			return
		}
		x := mat.NewDense(1, f.s.D, nil)
		f.Predict(x)
		f.PathLengths(x)
		f.Class(x.RawRowView(0)...)
	}
}

func models() []fuzztest.Stored {
	return []fuzztest.Stored{new(Forest), new(Regressor), new(Isolation)}
}

// stored returns a classification, a regression and an isolation forest as bytes.
func stored() (forest, regressor, isolation []byte) {
	rng := rand.New(rand.NewPCG(1, 0))
	x, y, target, w := mat.NewDense(12, 2, nil), make([]int, 12), make([]float64, 12), make([]float64, 12)
	for i := range y {
		x.SetRow(i, []float64{rng.NormFloat64(), rng.NormFloat64()})
		y[i], target[i], w[i] = i%2, rng.NormFloat64(), float64(i%3)
	}
	o := Options{Trees: 2, MaxDepth: 2, Weights: w}
	return fuzztest.Sound(Fit(context.Background(), x, y, o)), fuzztest.Sound(FitRegression(context.Background(), x, target, o)),
		fuzztest.Sound(FitIsolation(context.Background(), x, IsolationOptions{Trees: 2, Draw: 4}))
}

// FuzzUnmarshal reads bytes as each kind of forest.
func FuzzUnmarshal(f *testing.F) {
	forest, regressor, isolation := stored()
	fuzztest.Unmarshal(f, [][]byte{forest, regressor, isolation, {}, []byte("rubbish")}, models, use)
}

// FuzzDamage reads sound forests with a few wrong numbers inside.
func FuzzDamage(f *testing.F) {
	forest, regressor, isolation := stored()
	f.Add([]byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, script []byte) {
		fuzztest.Read(t, fuzztest.Damaged[state[*tree.Classifier]](t, forest, "ensemble.Forest", 1, script), new(Forest), use)
		fuzztest.Read(t, fuzztest.Damaged[state[*tree.Regressor]](t, regressor, "ensemble.Regressor", 1, script), new(Regressor), use)
		fuzztest.Read(t, fuzztest.Damaged[isolationState](t, isolation, "ensemble.Isolation", 1, script), new(Isolation), use)
	})
}
