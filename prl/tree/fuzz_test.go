package tree

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fuzztest"
)

// models returns an empty tree of each kind.
func models() []fuzztest.Stored { return []fuzztest.Stored{new(Classifier), new(Regressor)} }

// use asks a tree that was read for all that walks its nodes.
func use(m fuzztest.Stored) {
	switch t := m.(type) {
	case *Classifier:
		if t.d > 1000 {
			return
		}
		x := make([]float64, t.d)
		t.Class(x...)
		t.Predict(mat.NewDense(1, t.d, x))
		t.Proba(mat.NewDense(1, t.d, x))
		t.Path(x)
		t.Box(t.list.len() - 1)
		t.Importances()
		t.Rules()
		t.PruningPath(t.criterion)
		t.Prune(0.1, Error)
		x[0] = math.NaN()
		t.Flow(x)
	case *Regressor:
		if t.d > 1000 {
			return
		}
		x := make([]float64, t.d)
		t.Value(x...)
		t.Predict(mat.NewDense(1, t.d, x))
		t.Importances()
		t.Rules()
		t.PruningPath()
		t.Prune(0.1)
	}
}

// stored returns a classification and a regression tree as bytes.
func stored() (classifier, regressor []byte) {
	x, y, _ := random(12, 2, 2, 1)
	target := make([]float64, len(y))
	for i, v := range y {
		target[i] = float64(v) + x.At(i, 0)/10
	}
	o := Options{}
	o.MaxDepth = 3
	return fuzztest.Sound(Fit(ctx, x, y, Options{})), fuzztest.Sound(FitRegression(ctx, x, target, o))
}

// FuzzUnmarshal reads bytes as each kind of tree.
func FuzzUnmarshal(f *testing.F) {
	classifier, regressor := stored()
	fuzztest.Unmarshal(f, [][]byte{classifier, regressor, {}, []byte("rubbish")}, models, use)
}

// FuzzDamage reads sound trees with a few wrong numbers inside.
func FuzzDamage(f *testing.F) {
	classifier, regressor := stored()
	f.Fuzz(func(t *testing.T, script []byte) {
		fuzztest.Read(t, fuzztest.Damaged[classifierState](t, classifier, "tree.Classifier", 1, script), new(Classifier), use)
		fuzztest.Read(t, fuzztest.Damaged[regressorState](t, regressor, "tree.Regressor", 1, script), new(Regressor), use)
	})
}
