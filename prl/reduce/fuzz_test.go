package reduce

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fuzztest"
	"github.com/prlab/prlab/prl/kernel"
)

// models returns an empty model of each type.
func models() []fuzztest.Stored {
	return []fuzztest.Stored{new(PCA), new(Fisher), new(MDA), new(Whitening), new(KernelPCA)}
}

// use asks a model that was read for all its answers.
func use(m fuzztest.Stored) {
	row := mat.NewDense(1, m.(estimator.Transformer).Dim(), nil)
	m.(estimator.Transformer).Transform(row)
	switch m := m.(type) {
	case *PCA:
		m.Ratios()
		m.Reconstruct(row, 1)
		m.Inverse(mat.NewDense(1, m.Components(), nil))
		m.ComponentsFor(0.9)
		m.Rank()
		m.Lost(m.Components())
		m.Axis(0)
	case *Fisher:
		m.Predict(row)
		m.Proba(row)
		m.Criterion(m.Direction())
		m.Projected()
		m.Cut()
		m.Means(1)
	case *MDA:
		m.Predict(row)
		m.Proba(row)
		m.Criterion(m.Axes())
		m.Ratios()
		m.Singular()
		m.Centres()
		m.J()
	case *Whitening:
		m.Inverse(row)
		m.Matrix()
	case *KernelPCA:
		m.Ratios()
		m.Eigenvalues()
		m.Coefficients()
	}
}

// stored returns a model of each type as bytes, in the order of models.
func stored() [][]byte {
	x, y := random(12, 3, 2, 1)
	scaled := PCAOptions{}
	scaled.Scale = true
	return [][]byte{
		fuzztest.Sound(FitPCA(ctx, x, scaled)), fuzztest.Sound(FitFisher(ctx, x, y, FisherOptions{})),
		fuzztest.Sound(FitMDA(ctx, x, y, MDAOptions{})), fuzztest.Sound(FitWhitening(ctx, x, WhitenOptions{})),
		fuzztest.Sound(FitKernelPCA(ctx, x, KernelPCAOptions{Kernel: kernel.RBF{Gamma: 0.5}, Components: 2})),
	}
}

// FuzzUnmarshal reads bytes as each model.
func FuzzUnmarshal(f *testing.F) { fuzztest.Unmarshal(f, stored(), models, use) }

// FuzzDamage reads sound models with a few wrong numbers inside.
func FuzzDamage(f *testing.F) {
	good := stored()
	f.Fuzz(func(t *testing.T, which byte, script []byte) {
		k := int(which) % len(good)
		var data []byte
		switch k {
		case 0:
			data = fuzztest.Damaged[pcaState](t, good[k], "reduce.PCA", 1, script)
		case 1:
			data = fuzztest.Damaged[fisherState](t, good[k], "reduce.Fisher", 1, script)
		case 2:
			data = fuzztest.Damaged[mdaState](t, good[k], "reduce.MDA", 1, script)
		case 3:
			data = fuzztest.Damaged[whiteningState](t, good[k], "reduce.Whitening", 1, script)
		case 4:
			data = fuzztest.Damaged[kernelPCAState](t, good[k], "reduce.KernelPCA", 1, script)
		}
		fuzztest.Read(t, data, models()[k], use)
	})
}
