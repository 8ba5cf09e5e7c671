package reduce

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fuzztest"
)

// models returns an empty model of each type.
func models() []fuzztest.Stored {
	return []fuzztest.Stored{new(PCA), new(Fisher), new(MDA), new(Whitening)}
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
	}
}

func stored(f *testing.F) [][]byte {
	x, y := random(12, 3, 2, 1)
	var all [][]byte
	add := func(m fuzztest.Stored, err error) {
		if err != nil {
			f.Fatal(err)
		}
		data, err := m.MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		all = append(all, data)
	}
	scaled := DefaultPCA()
	scaled.Scale = true
	pca, err := FitPCA(ctx, x, scaled)
	add(pca, err)
	fisher, err := FitFisher(ctx, x, y, DefaultFisher())
	add(fisher, err)
	mda, err := FitMDA(ctx, x, y, DefaultMDA())
	add(mda, err)
	whitening, err := FitWhitening(ctx, x, DefaultWhiten())
	add(whitening, err)
	return all
}

// FuzzUnmarshal reads bytes as each model.
func FuzzUnmarshal(f *testing.F) { fuzztest.Unmarshal(f, stored(f), models, use) }

// FuzzDamage reads sound models with a few wrong numbers inside.
func FuzzDamage(f *testing.F) {
	good := stored(f)
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
		}
		m := models()[k]
		if fuzztest.Model(t, data, m, models()[k]) {
			fuzztest.Quick(func() { use(m) })
		}
	})
}
