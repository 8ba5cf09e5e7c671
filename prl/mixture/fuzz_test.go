package mixture

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fuzztest"
)

// use asks a model that was read for all its answers.
func (m *GMM) use() {
	x := make([]float64, m.Dim())
	m.Density(x...)
	m.Class(x...)
	m.Responsibilities(x...)
	m.Moments()
	m.Proba(mat.NewDense(1, len(x), x))
	m.Sample(3, 1)
	m.BIC(mat.NewDense(1, len(x), x))
}

func (m *KMeans) use() {
	x := make([]float64, m.Dim())
	m.Class(x...)
	m.Centres()
	m.Sizes()
	m.Transform(mat.NewDense(1, len(x), x))
	m.Within(mat.NewDense(1, len(x), x))
}

// stored returns a mixture and a k-means model as bytes.
func stored(f *testing.F) (gmm, kmeans []byte) {
	X := cloud(12, 2, 2, 4, 1)
	g, err := FitGMM(f.Context(), X, DefaultGMM(2))
	if err != nil {
		f.Fatal(err)
	}
	k, err := FitKMeans(f.Context(), X, DefaultKMeans(2))
	if err != nil {
		f.Fatal(err)
	}
	gmm, _ = g.MarshalBinary()
	kmeans, _ = k.MarshalBinary()
	return gmm, kmeans
}

// FuzzUnmarshal reads bytes as each model.
func FuzzUnmarshal(f *testing.F) {
	gmm, kmeans := stored(f)
	fuzztest.Unmarshal(f, [][]byte{gmm, kmeans, {}}, func() []fuzztest.Stored { return []fuzztest.Stored{new(GMM), new(KMeans)} },
		func(m fuzztest.Stored) { m.(interface{ use() }).use() })
}

// FuzzDamage reads sound models with a few wrong numbers inside.
func FuzzDamage(f *testing.F) {
	gmm, kmeans := stored(f)
	f.Fuzz(func(t *testing.T, script []byte) {
		var g, g2 GMM
		if fuzztest.Model(t, fuzztest.Damaged[gmmState](t, gmm, "mixture.GMM", 1, script), &g, &g2) {
			fuzztest.Quick(g.use)
		}
		var k, k2 KMeans
		if fuzztest.Model(t, fuzztest.Damaged[kmeansState](t, kmeans, "mixture.KMeans", 1, script), &k, &k2) {
			fuzztest.Quick(k.use)
		}
	})
}
