// Package estimatortest is the contract suite: the checks every fitted model of the library must pass, whatever its method. A family calls
// Classifier or Transformer from a test with functions that fit its model. The list follows scikit-learn's check_estimator
// (Pedregosa et al. 2011, "API design for machine learning software").
package estimatortest

import (
	"bytes"
	"encoding"
	"errors"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/prlab/prlab/prl/estimator"
	"gonum.org/v1/gonum/mat"
)

// A Fitted is a model that can be stored.
type Fitted interface {
	Dim() int
	encoding.BinaryMarshaler
	String() string
}

// ClassifierCase tells the suite how to fit a classifier and what it may ask of it.
type ClassifierCase struct {
	// Fit trains the model under test with its usual settings. Weights are nil unless Weighted is set.
	Fit func(X mat.Matrix, y []int, weights []float64) (estimator.Classifier, error)
	// Zero returns an unfitted model, into which MarshalBinary's bytes can be read.
	Zero func() estimator.Classifier
	// MaxClasses is 2 for methods that separate two classes only, 0 when there is no limit.
	MaxClasses int
	// Weighted says that Fit takes sample weights, and that a weight k is to count as k copies of the row.
	Weighted bool
	// OrderDependent excuses a method from invariance under permutation of the training rows; say why where it is set.
	OrderDependent bool
	// MinAccuracy is what the method must reach on well separated Gaussians; 0 asks for 0.95.
	MinAccuracy float64
	// Tolerance is the largest difference of probabilities and decision values that counts as equal; 0 asks for 1e-6.
	Tolerance float64
}

// Classifier runs the suite on a classifier.
func Classifier(t *testing.T, c ClassifierCase) {
	t.Helper()
	if c.MinAccuracy == 0 {
		c.MinAccuracy = 0.95
	}
	if c.Tolerance == 0 {
		c.Tolerance = 1e-6
	}
	classes := 3
	if c.MaxClasses == 2 {
		classes = 2
	}
	X, y := gaussians(40, classes, 3, 7)
	model, err := c.Fit(X, y, nil)
	if err != nil {
		t.Fatalf("fit on well separated classes: %v", err)
	}

	t.Run("accuracy", func(t *testing.T) {
		if got := accuracy(t, model, X, y); got < c.MinAccuracy {
			t.Errorf("accuracy on well separated classes is %.3f, want at least %.3f", got, c.MinAccuracy)
		}
		if model.Dim() != 3 || model.Classes() != classes {
			t.Errorf("Dim, Classes = %d, %d, want 3, %d", model.Dim(), model.Classes(), classes)
		}
	})
	t.Run("bad training data", func(t *testing.T) { badTraining(t, c, X, y) })
	t.Run("bad data to predict", func(t *testing.T) {
		badInput(t, func(X mat.Matrix) error { _, err := model.Predict(X); return err })
	})
	t.Run("unfitted", func(t *testing.T) {
		if _, err := c.Zero().Predict(X); err == nil {
			t.Error("an unfitted model predicts; it must return an error")
		}
	})
	t.Run("degenerate data never panics", func(t *testing.T) { degenerate(t, c) })
	t.Run("input is left alone", func(t *testing.T) {
		X2, y2 := mat.DenseCopyOf(X), append([]int(nil), y...)
		if _, err := c.Fit(X2, y2, nil); err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(X, X2) {
			t.Error("Fit changed X")
		}
		for i := range y {
			if y[i] != y2[i] {
				t.Fatal("Fit changed y")
			}
		}
	})
	t.Run("fit is idempotent", func(t *testing.T) {
		again, err := c.Fit(X, y, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(encode(t, model), encode(t, again)) {
			t.Error("two fits on the same data differ")
		}
	})
	t.Run("rows of a batch are independent", func(t *testing.T) { subset(t, c, model, X) })
	t.Run("predicting changes nothing", func(t *testing.T) {
		before := encode(t, model)
		if _, err := model.Predict(X); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(before, encode(t, model)) {
			t.Error("Predict changed the model")
		}
	})
	t.Run("concurrent use", func(t *testing.T) {
		want := predict(t, model, X)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				got, err := model.Predict(X)
				if err != nil || !equalInts(got, want) {
					t.Errorf("concurrent Predict differs (error %v)", err)
				}
			})
		}
		wg.Wait()
	})
	t.Run("round trip", func(t *testing.T) {
		got := c.Zero()
		roundTrip(t, model.(Fitted), got.(encoding.BinaryUnmarshaler))
		sameClassifier(t, c.Tolerance*1e-6, model, got, X)
	})
	if !c.OrderDependent {
		t.Run("order of rows", func(t *testing.T) {
			Xp, yp := permute(X, y)
			got, err := c.Fit(Xp, yp, nil)
			if err != nil {
				t.Fatal(err)
			}
			sameClassifier(t, c.Tolerance, model, got, X)
		})
	}
	t.Run("probabilities", func(t *testing.T) { probabilities(t, model, X) })
	if c.Weighted {
		t.Run("weights", func(t *testing.T) { weights(t, c, X, y) })
	}
}

// TransformerCase tells the suite how to fit a transformer.
type TransformerCase struct {
	// Fit trains the model; y is passed to supervised methods and ignored by others.
	Fit func(X mat.Matrix, y []int) (estimator.Transformer, error)
	// Zero returns an unfitted model, into which MarshalBinary's bytes can be read.
	Zero func() estimator.Transformer
	// Tolerance is the largest difference that counts as equal; 0 asks for 1e-8.
	Tolerance float64
}

// Transformer runs the suite on a transformer.
func Transformer(t *testing.T, c TransformerCase) {
	t.Helper()
	if c.Tolerance == 0 {
		c.Tolerance = 1e-8
	}
	X, y := gaussians(40, 3, 4, 11)
	model, err := c.Fit(X, y)
	if err != nil {
		t.Fatalf("fit: %v", err)
	}
	image := transform(t, model, X)

	t.Run("bad training data", func(t *testing.T) {
		badInput(t, func(X mat.Matrix) error {
			n, d := dims(X)
			if d == 5 {
				return errors.New("any width is fine in training; only Transform can know it is wrong")
			}
			_, err := c.Fit(X, y[:n])
			return err
		})
	})
	t.Run("bad data to transform", func(t *testing.T) {
		badInput(t, func(X mat.Matrix) error { _, err := model.Transform(X); return err })
	})
	t.Run("unfitted", func(t *testing.T) {
		if _, err := c.Zero().Transform(X); err == nil {
			t.Error("an unfitted model transforms; it must return an error")
		}
	})
	t.Run("fit is idempotent", func(t *testing.T) {
		again, err := c.Fit(X, y)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(image, transform(t, again, X)) {
			t.Error("two fits on the same data differ")
		}
	})
	t.Run("rows of a batch are independent", func(t *testing.T) {
		for _, i := range []int{0, 17, 39} {
			row := transform(t, model, mat.DenseCopyOf(X.Slice(i, i+1, 0, 4)))
			_, k := row.Dims()
			for j := range k {
				if d := math.Abs(row.At(0, j) - image.At(i, j)); !(d <= c.Tolerance) {
					t.Errorf("row %d alone maps to %v, in the batch to %v", i, row.At(0, j), image.At(i, j))
				}
			}
		}
	})
	t.Run("order of rows", func(t *testing.T) {
		Xp, yp := permute(X, y)
		got, err := c.Fit(Xp, yp)
		if err != nil {
			t.Fatal(err)
		}
		if d := maxDifference(image, transform(t, got, X)); !(d <= c.Tolerance) {
			t.Errorf("images differ by %g after permuting the training rows", d)
		}
	})
	t.Run("round trip", func(t *testing.T) {
		got := c.Zero()
		roundTrip(t, model.(Fitted), got.(encoding.BinaryUnmarshaler))
		if !mat.Equal(image, transform(t, got, X)) {
			t.Error("the decoded model maps differently")
		}
	})
}

// gaussians returns n rows of K well separated classes in d dimensions, in mixed order.
func gaussians(n, classes, d int, seed uint64) (*mat.Dense, []int) {
	r := rand.New(rand.NewPCG(seed, 1))
	X, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		y[i] = i % classes
		for j := range d {
			centre := 0.0
			if j%classes == y[i] {
				centre = 6
			}
			X.Set(i, j, centre+r.NormFloat64()*(1+0.1*float64(j)))
		}
	}
	return X, y
}

func badTraining(t *testing.T, c ClassifierCase, X *mat.Dense, y []int) {
	n, d := X.Dims()
	fit := func(X mat.Matrix, y []int) error { _, err := c.Fit(X, y, nil); return err }
	mustFail(t, "nil X", fit(nil, y))
	mustFail(t, "empty X", fit(&mat.Dense{}, nil))
	mustFail(t, "too few labels", fit(X, y[:n-1]))
	mustFail(t, "no labels", fit(X, nil))
	mustFail(t, "a negative label", fit(X, replace(y, 3, -1)))
	mustFail(t, "one class", fit(X, make([]int, n)))
	mustFail(t, "one row", fit(X.Slice(0, 1, 0, d), y[:1]))
	for name, v := range map[string]float64{"NaN": math.NaN(), "+Inf": math.Inf(1), "-Inf": math.Inf(-1)} {
		bad := mat.DenseCopyOf(X)
		bad.Set(5, 1, v)
		mustFail(t, name, fit(bad, y))
	}
	if c.MaxClasses == 2 {
		X3, y3 := gaussians(30, 3, 3, 5)
		mustFail(t, "three classes for a two-class method", fit(X3, y3))
	}
	if c.Weighted {
		for name, w := range map[string][]float64{"short weights": make([]float64, n-1), "zero weights": make([]float64, n), "a negative weight": negative(n), "a NaN weight": nan(n)} {
			_, err := c.Fit(X, y, w)
			mustFail(t, name, err)
		}
	}
}

func badInput(t *testing.T, use func(X mat.Matrix) error) {
	t.Helper()
	mustFail(t, "nil", use(nil))
	mustFail(t, "an empty matrix", use(&mat.Dense{}))
	X, _ := gaussians(6, 2, 5, 3)
	mustFail(t, "another width", use(X))
	for name, v := range map[string]float64{"NaN": math.NaN(), "Inf": math.Inf(1)} {
		for _, d := range []int{3, 4} {
			X, _ := gaussians(6, 2, d, 3)
			X.Set(2, 1, v)
			mustFail(t, name, use(X))
		}
	}
}

// degenerate fits data on which many methods have no solution. An error is fine, a panic or a NaN prediction is not.
func degenerate(t *testing.T, c ClassifierCase) {
	two := mat.NewDense(2, 3, []float64{0, 0, 0, 1, 1, 1})
	constant, labels := gaussians(12, 2, 3, 9)
	for i := range 12 {
		constant.Set(i, 2, 4)
	}
	copies := mat.NewDense(12, 3, nil)
	for i := range 12 {
		copies.SetRow(i, []float64{1, 2, 3})
	}
	wide, wideLabels := gaussians(4, 2, 9, 2)
	huge, hugeLabels := gaussians(12, 2, 3, 4)
	huge.Scale(1e150, huge)
	tiny, tinyLabels := gaussians(12, 2, 3, 4)
	tiny.Scale(1e-150, tiny)
	for _, data := range []struct {
		name string
		X    *mat.Dense
		y    []int
	}{
		{"two rows", two, []int{0, 1}},
		{"a constant column", constant, labels},
		{"all rows alike, two classes", copies, labels},
		{"more columns than rows", wide, wideLabels},
		{"huge numbers", huge, hugeLabels},
		{"tiny numbers", tiny, tinyLabels},
	} {
		model, err := c.Fit(data.X, data.y, nil)
		if err != nil {
			continue
		}
		got, err := model.Predict(data.X)
		if err != nil {
			t.Errorf("%s: fits, but cannot predict: %v", data.name, err)
		}
		for i, k := range got {
			if k < 0 || k >= model.Classes() {
				t.Errorf("%s: row %d is given class %d", data.name, i, k)
			}
		}
	}
}

func subset(t *testing.T, c ClassifierCase, model estimator.Classifier, X *mat.Dense) {
	n, d := X.Dims()
	want := predict(t, model, X)
	for i := range n {
		if got := predict(t, model, mat.DenseCopyOf(X.Slice(i, i+1, 0, d))); got[0] != want[i] {
			t.Errorf("row %d alone is class %d, in the batch %d", i, got[0], want[i])
		}
	}
	reversed := mat.NewDense(n, d, nil)
	for i := range n {
		reversed.SetRow(i, X.RawRowView(n-1-i))
	}
	for i, k := range predict(t, model, reversed) {
		if k != want[n-1-i] {
			t.Errorf("row %d changes class when the batch is reversed", n-1-i)
		}
	}
	if s, ok := model.(estimator.Scorer); ok {
		all, err := s.Decision(X)
		if err != nil {
			t.Fatal(err)
		}
		one, err := s.Decision(mat.DenseCopyOf(X.Slice(4, 5, 0, d)))
		if err != nil {
			t.Fatal(err)
		}
		if diff := maxDifference(one, mat.DenseCopyOf(all.Slice(4, 5, 0, all.RawMatrix().Cols))); !(diff <= c.Tolerance) {
			t.Errorf("decision values of a row differ by %g alone and in the batch", diff)
		}
	}
}

func probabilities(t *testing.T, model estimator.Classifier, X *mat.Dense) {
	p, ok := model.(estimator.ProbabilisticClassifier)
	if !ok {
		return
	}
	proba, err := p.Proba(X)
	if err != nil {
		t.Logf("no probabilities with these settings: %v", err)
		return
	}
	n, k := proba.Dims()
	if rows, _ := X.Dims(); n != rows || k != model.Classes() {
		t.Fatalf("Proba is %d x %d, want %d x %d", n, k, rows, model.Classes())
	}
	for i := range n {
		sum := 0.0
		for _, v := range proba.RawRowView(i) {
			if !(v >= 0 && v <= 1) {
				t.Fatalf("row %d has the probability %v", i, v)
			}
			sum += v
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("probabilities of row %d sum to %v", i, sum)
		}
	}
}

func weights(t *testing.T, c ClassifierCase, X *mat.Dense, y []int) {
	n, d := X.Dims()
	w := make([]float64, n)
	var rows []float64
	var labels []int
	for i := range n {
		w[i] = float64(i % 4) // every fourth row is left out
		for range i % 4 {
			rows = append(rows, X.RawRowView(i)...)
			labels = append(labels, y[i])
		}
	}
	weighted, err := c.Fit(X, y, w)
	if err != nil {
		t.Fatal(err)
	}
	copied, err := c.Fit(mat.NewDense(len(labels), d, rows), labels, nil)
	if err != nil {
		t.Fatal(err)
	}
	sameClassifier(t, c.Tolerance, weighted, copied, X)
}

func sameClassifier(t *testing.T, tol float64, a, b estimator.Classifier, X *mat.Dense) {
	t.Helper()
	if !equalInts(predict(t, a, X), predict(t, b, X)) {
		t.Error("the two models predict different classes")
	}
	sa, ok := a.(estimator.Scorer)
	if !ok {
		return
	}
	da, errA := sa.Decision(X)
	db, errB := b.(estimator.Scorer).Decision(X)
	if errA != nil || errB != nil {
		t.Fatalf("Decision: %v, %v", errA, errB)
	}
	if diff := maxDifference(da, db); !(diff <= tol) {
		t.Errorf("decision values differ by %g, want at most %g", diff, tol)
	}
}

func roundTrip(t *testing.T, from Fitted, to encoding.BinaryUnmarshaler) {
	t.Helper()
	data := encode(t, from)
	if err := to.UnmarshalBinary(data); err != nil {
		t.Fatalf("decode: %v", err)
	}
	if from.String() == "" {
		t.Error("String is empty")
	}
	for _, bad := range [][]byte{nil, {1, 2, 3}, data[:len(data)/2], bytes.Repeat([]byte("x"), 100)} {
		if err := to.UnmarshalBinary(bad); err == nil {
			t.Errorf("%d damaged bytes are decoded without an error", len(bad))
		}
	}
	if err := to.UnmarshalBinary(data); err != nil {
		t.Fatalf("decode after failures: %v", err)
	}
}

func encode(t *testing.T, m any) []byte {
	t.Helper()
	data, err := m.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil {
		t.Fatalf("encode: %v", err)
	}
	return data
}

func mustFail(t *testing.T, what string, err error) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error", what)
	} else if err.Error() == "" {
		t.Errorf("%s: an empty error message", what)
	}
}

func predict(t *testing.T, m estimator.Classifier, X mat.Matrix) []int {
	t.Helper()
	got, err := m.Predict(X)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func transform(t *testing.T, m estimator.Transformer, X mat.Matrix) *mat.Dense {
	t.Helper()
	got, err := m.Transform(X)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func accuracy(t *testing.T, m estimator.Classifier, X mat.Matrix, y []int) float64 {
	t.Helper()
	right := 0
	for i, k := range predict(t, m, X) {
		if k == y[i] {
			right++
		}
	}
	return float64(right) / float64(len(y))
}

func permute(X *mat.Dense, y []int) (*mat.Dense, []int) {
	n, d := X.Dims()
	order := rand.New(rand.NewPCG(3, 3)).Perm(n)
	Xp, yp := mat.NewDense(n, d, nil), make([]int, n)
	for to, from := range order {
		Xp.SetRow(to, X.RawRowView(from))
		yp[to] = y[from]
	}
	return Xp, yp
}

func maxDifference(a, b *mat.Dense) float64 {
	n, k := a.Dims()
	if n2, k2 := b.Dims(); n != n2 || k != k2 {
		return math.Inf(1)
	}
	worst := 0.0
	for i := range n {
		for j := range k {
			d := math.Abs(a.At(i, j) - b.At(i, j))
			if math.IsNaN(d) {
				return math.Inf(1)
			}
			worst = math.Max(worst, d)
		}
	}
	return worst
}

func dims(X mat.Matrix) (n, d int) {
	if X == nil {
		return 0, 0
	}
	return X.Dims()
}

func equalInts(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func replace(y []int, i, v int) []int {
	out := append([]int(nil), y...)
	out[i] = v
	return out
}

func negative(n int) []float64 {
	w := ones(n)
	w[2] = -1
	return w
}

func nan(n int) []float64 {
	w := ones(n)
	w[2] = math.NaN()
	return w
}

func ones(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = 1
	}
	return w
}
