package tree

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fuzztest"
)

// use asks a classifier that was read for all that walks its nodes.
func (t *Classifier) use() {
	if t.d > 1000 {
		return
	}
	x := make([]float64, t.d)
	t.Class(x)
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
}

func (t *Regressor) use() {
	if t.d > 1000 {
		return
	}
	x := make([]float64, t.d)
	t.Value(x)
	t.Predict(mat.NewDense(1, t.d, x))
	t.Importances()
	t.Rules()
	t.PruningPath()
	t.Prune(0.1)
}

// stored returns a classification and a regression tree as bytes.
func stored(f *testing.F) (c, r []byte) {
	x, y, _ := random(12, 2, 2, 1)
	target := make([]float64, len(y))
	for i, v := range y {
		target[i] = float64(v) + x.At(i, 0)/10
	}
	classifier, err := Fit(ctx, x, y, DefaultOptions())
	if err != nil {
		f.Fatal(err)
	}
	o := DefaultOptions()
	o.MaxDepth = 3
	regressor, err := FitRegression(ctx, x, target, o)
	if err != nil {
		f.Fatal(err)
	}
	c, _ = classifier.MarshalBinary()
	r, _ = regressor.MarshalBinary()
	return c, r
}

// FuzzUnmarshal reads bytes as each kind of tree.
func FuzzUnmarshal(f *testing.F) {
	c, r := stored(f)
	for _, data := range [][]byte{c, r, c[:len(c)/2], {}, []byte("rubbish")} {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var c, c2 Classifier
		if fuzztest.Model(t, data, &c, &c2) {
			fuzztest.Quick(c.use)
		}
		var r, r2 Regressor
		if fuzztest.Model(t, data, &r, &r2) {
			fuzztest.Quick(r.use)
		}
	})
}

// FuzzDamage reads sound trees with a few wrong numbers inside.
func FuzzDamage(f *testing.F) {
	classifier, regressor := stored(f)
	f.Fuzz(func(t *testing.T, script []byte) {
		var c, c2 Classifier
		if fuzztest.Model(t, fuzztest.Damaged[classifierState](t, classifier, "tree.Classifier", 1, script), &c, &c2) {
			fuzztest.Quick(c.use)
		}
		var r, r2 Regressor
		if fuzztest.Model(t, fuzztest.Damaged[regressorState](t, regressor, "tree.Regressor", 1, script), &r, &r2) {
			fuzztest.Quick(r.use)
		}
	})
}
