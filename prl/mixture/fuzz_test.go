package mixture

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fuzztest"
)

// models returns an empty model of each type.
func models() []fuzztest.Stored { return []fuzztest.Stored{new(GMM), new(KMeans)} }

// use asks a model that was read for all its answers.
func use(m fuzztest.Stored) {
	x := make([]float64, m.(interface{ Dim() int }).Dim())
	row := mat.NewDense(1, len(x), x)
	switch m := m.(type) {
	case *GMM:
		m.Density(x...)
		m.Class(x...)
		m.Responsibilities(x...)
		m.Moments()
		m.Proba(row)
		m.Sample(3, 1)
		m.BIC(row)
	case *KMeans:
		m.Class(x...)
		m.Centres()
		m.Sizes()
		m.Transform(row)
		m.Within(row)
	}
}

// stored returns a mixture and a k-means model as bytes.
func stored(f *testing.F) (gmm, kmeans []byte) {
	X := cloud(12, 2, 2, 4, 1)
	return fuzztest.Sound(FitGMM(f.Context(), X, GMMOptions{K: 2})), fuzztest.Sound(FitKMeans(f.Context(), X, KMeansOptions{K: 2}))
}

// FuzzUnmarshal reads bytes as each model.
func FuzzUnmarshal(f *testing.F) {
	gmm, kmeans := stored(f)
	fuzztest.Unmarshal(f, [][]byte{gmm, kmeans, {}}, models, use)
}

// FuzzDamage reads sound models with a few wrong numbers inside.
func FuzzDamage(f *testing.F) {
	gmm, kmeans := stored(f)
	f.Fuzz(func(t *testing.T, script []byte) {
		fuzztest.Read(t, fuzztest.Damaged[gmmState](t, gmm, "mixture.GMM", gmmVersion, script), new(GMM), use)
		fuzztest.Read(t, fuzztest.Damaged[kmeansState](t, kmeans, "mixture.KMeans", 1, script), new(KMeans), use)
	})
}
