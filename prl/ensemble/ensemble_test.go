package ensemble

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/share"
	"github.com/prlab/prlab/prl/tree"
)

func fit(t *testing.T, set datasets.Set, o Options) *Forest {
	t.Helper()
	f, err := Fit(t.Context(), set.X, set.Y, o)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Each tree is the one that package tree grows on the drawn rows with their counts as weights, for plain features, gaps and words, and the
// forest is the mean of its trees.
func TestTreesAreThoseOfPackageTree(t *testing.T) {
	iris := datasets.Iris()
	gaps := datasets.Iris()
	gaps.X = mat.DenseCopyOf(iris.X)
	words := datasets.Iris()
	words.X = mat.DenseCopyOf(iris.X)
	for i := range iris.N() {
		if i%7 == 0 {
			gaps.X.Set(i, i%4, math.NaN())
		}
		words.X.Set(i, 1, float64((i*i)%5))
	}
	for name, c := range map[string]struct {
		set datasets.Set
		o   Options
	}{
		"numbers":  {iris, Options{Trees: 5, MaxFeatures: 2}},
		"bagging":  {iris, Options{Trees: 3, MaxFeatures: tree.All, Draw: 40, Criterion: tree.Entropy}},
		"balanced": {iris, Options{Trees: 3, MaxDepth: 3, MinLeaf: 4, ClassWeights: []float64{1, 2, 5}}},
		"gaps":     {gaps, Options{Trees: 4, Gaps: true}},
		"words":    {words, Options{Trees: 4, Words: []int{0, 5, 0, 0}}},
		"extra":    {iris, Options{Trees: 4, Extra: true, Seed: 7}},
	} {
		f := fit(t, c.set, c.o)
		o := c.o.filled().sized(150, 2)
		x, sum := estimator.Dense(c.set.X), mat.NewDense(150, 3, nil)
		sums, w := make([]float64, 150), make([]float64, 150)
		for i := range w {
			w[i] = 1
			if o.ClassWeights != nil {
				w[i] = o.ClassWeights[c.set.Y[i]]
			}
			sums[i] = w[i] + sums[max(i-1, 0)]
		}
		for k := range f.Len() {
			rng := rand.New(rand.NewPCG(o.Seed, uint64(k)))
			counts := w
			if o.Draw > 0 {
				counts = draw(rng, sums, o.ClassWeights == nil, o.Draw)
			}
			opts := o.trees()
			opts.Weights, opts.Seed = counts, rng.Uint64()
			want, err := tree.Grow(t.Context(), x, c.set.Y, 3, opts)
			if err != nil {
				t.Fatal(err)
			}
			if got := f.Tree(k); got.Rules() != want.Rules() {
				t.Fatalf("%s, tree %d:\n%s\nwant\n%s", name, k, got.Rules(), want.Rules())
			}
			p, err := want.Proba(x)
			if err != nil {
				t.Fatal(err)
			}
			sum.Add(sum, p)
			for _, i := range f.OutOfBag(k) {
				if counts[i] != 0 {
					t.Errorf("%s: row %d of tree %d is out of bag and was drawn", name, i, k)
				}
			}
		}
		sum.Scale(1/float64(f.Len()), sum)
		got, err := f.Proba(x)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.EqualApprox(got, sum, 1e-12) {
			t.Errorf("%s: probabilities are not the mean of the trees'", name)
		}
	}
}

// The out-of-bag answers are recomputed row by row from the trees.
func TestOutOfBagByHand(t *testing.T) {
	set := datasets.Wine()
	f := fit(t, set, Options{Trees: 8})
	p, wrong, rows := f.OOBProba(), 0, 0
	for i := range set.N() {
		mean, trees := make([]float64, 3), 0.0
		for k := range f.Len() {
			if !slices.Contains(f.OutOfBag(k), i) {
				continue
			}
			trees++
			q, err := f.Tree(k).Proba(set.X.Slice(i, i+1, 0, set.D()))
			if err != nil {
				t.Fatal(err)
			}
			for c := range mean {
				mean[c] += q.At(0, c)
			}
		}
		if trees == 0 {
			if !math.IsNaN(p.At(i, 0)) {
				t.Errorf("row %d was seen by all trees but has an answer", i)
			}
			continue
		}
		rows++
		for c := range mean {
			if math.Abs(mean[c]/trees-p.At(i, c)) > 1e-12 {
				t.Errorf("row %d, class %d: %v, want %v", i, c, p.At(i, c), mean[c]/trees)
			}
		}
		if estimator.Argmax(mean) != set.Y[i] {
			wrong++
		}
	}
	if rows == set.N() {
		t.Error("of 8 trees some rows should have been seen by all; the case is not tested")
	}
	if got := f.OOBError(); got != float64(wrong)/float64(rows) {
		t.Errorf("error %v, want %d of %d", got, wrong, rows)
	}
}

func TestRegressionByHand(t *testing.T) {
	set := datasets.Wine()
	target := mat.Col(nil, 0, set.X)
	X := mat.DenseCopyOf(set.X.Slice(0, set.N(), 1, set.D()))
	f, err := FitRegression(t.Context(), X, target, Options{Trees: 30})
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Predict(X)
	if err != nil {
		t.Fatal(err)
	}
	mean, oob, trees := make([]float64, len(target)), make([]float64, len(target)), make([]float64, len(target))
	for k := range f.Len() {
		v, err := f.Tree(k).Predict(X)
		if err != nil {
			t.Fatal(err)
		}
		for i := range v {
			mean[i] += v[i] / 30
		}
		for _, i := range f.OutOfBag(k) {
			oob[i] += v[i]
			trees[i]++
		}
	}
	mse := 0.0
	for i, v := range f.OOBPredictions() {
		if math.Abs(got[i]-mean[i]) > 1e-12 || math.Abs(v-oob[i]/trees[i]) > 1e-12 {
			t.Errorf("row %d: %v and %v, want %v and %v", i, got[i], v, mean[i], oob[i]/trees[i])
		}
		mse += (v - target[i]) * (v - target[i]) / float64(len(target))
	}
	if math.Abs(mse-f.OOBError()) > 1e-12 {
		t.Errorf("error %v, want %v", f.OOBError(), mse)
	}
}

// The number of processors and the division of work change nothing.
func TestProcessors(t *testing.T) {
	set := datasets.BreastCancer()
	one := fit(t, set, Options{Trees: 7})
	share.Eagerly(func() {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
		other := fit(t, set, Options{Trees: 7})
		a, err := one.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		b, err := other.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(a, b) {
			t.Error("three processors grow another forest than one")
		}
	})
}

// Weights are those of the draw: the share of the trees that see a row is 1 - (1 - w)^n.
func TestWeightsOfTheDraw(t *testing.T) {
	const trees = 4000
	set := datasets.Iris()
	w := make([]float64, 150)
	for i := range w {
		w[i] = float64(i % 4)
	}
	f := fit(t, set, Options{Trees: trees, MaxDepth: 1, Weights: w, Draw: 100})
	out := make([]float64, 150)
	for k := range trees {
		for _, i := range f.OutOfBag(k) {
			out[i]++
		}
	}
	total := 0.0
	for _, v := range w {
		total += v
	}
	for i, v := range out {
		if w[i] == 0 {
			if v != 0 {
				t.Errorf("row %d has no weight, but is counted %v times", i, v)
			}
			continue
		}
		p := math.Pow(1-w[i]/total, 100)
		if s := math.Sqrt(p * (1 - p) / trees); math.Abs(v/trees-p) > 4.5*s {
			t.Errorf("row %d of weight %v is out of bag in %v of the trees, want %v +- %v", i, w[i], v/trees, p, s)
		}
	}
}

// Two rows are as near as the share of trees in which they meet; a row meets itself always.
func TestProximity(t *testing.T) {
	set := datasets.Iris()
	f := fit(t, set, Options{Trees: 9})
	p, err := f.Proximity(set.X, set.X.Slice(0, 20, 0, 4))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 150 {
		for j := range 20 {
			meet := 0.0
			for k := range 9 {
				a, err := f.Tree(k).Path(set.X.RawRowView(i))
				if err != nil {
					t.Fatal(err)
				}
				b, err := f.Tree(k).Path(set.X.RawRowView(j))
				if err != nil {
					t.Fatal(err)
				}
				if a[len(a)-1] == b[len(b)-1] {
					meet++
				}
			}
			if math.Abs(p.At(i, j)-meet/9) > 1e-15 {
				t.Fatalf("rows %d and %d: %v, want %v", i, j, p.At(i, j), meet/9)
			}
		}
		if i < 20 && p.At(i, i) != 1 {
			t.Errorf("row %d is not near itself", i)
		}
	}
}

// A feature of pure noise with many values gains importance by impurity, but none by shuffling; a true feature has both. Source: Strobl and
// others 2007.
func TestImportanceOfNoise(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	const n = 600
	X, y := mat.NewDense(n, 3, nil), make([]int, n)
	for i := range n {
		y[i] = i % 2
		bit := float64(y[i])
		if rng.Float64() < 0.3 {
			bit = 1 - bit
		}
		X.SetRow(i, []float64{bit, rng.NormFloat64(), float64(rng.IntN(2))})
	}
	train, test := X.Slice(0, n/2, 0, 3), X.Slice(n/2, n, 0, 3)
	f, err := Fit(t.Context(), train, y[:n/2], Options{Trees: 200})
	if err != nil {
		t.Fatal(err)
	}
	impurity := f.Importances()
	if sum := impurity[0] + impurity[1] + impurity[2]; math.Abs(sum-1) > 1e-12 || impurity[1] < impurity[0] {
		t.Errorf("importances %v by impurity: they should sum to 1, and the noise should lead", impurity)
	}
	held, err := f.Permutation(t.Context(), test, y[n/2:], Shuffles{Repeats: 20})
	if err != nil {
		t.Fatal(err)
	}
	oob, err := f.OOBPermutation(t.Context(), train, y[:n/2], Shuffles{})
	if err != nil {
		t.Fatal(err)
	}
	for what, v := range map[string][]float64{"held-out": held, "out-of-bag": oob} {
		if v[0] < 0.08 || math.Abs(v[1]) > 0.04 || math.Abs(v[2]) > 0.04 {
			t.Errorf("%s rows: shuffling raises the error by %v", what, v)
		}
	}
}

// Shuffling can be recomputed: of a feature that no tree asks it does nothing, and the out-of-bag rise of a perfect feature of a coin is
// the chance of a shuffle to swap classes.
func TestPermutationOfAPerfectFeature(t *testing.T) {
	const n = 400
	X, y := mat.NewDense(n, 2, nil), make([]int, n)
	target := make([]float64, n)
	for i := range n {
		y[i] = i % 2
		target[i] = 2 * float64(y[i])
		X.SetRow(i, []float64{float64(y[i]), 5})
	}
	f, err := Fit(t.Context(), X, y, Options{Trees: 50, MaxFeatures: 2})
	if err != nil {
		t.Fatal(err)
	}
	v, err := f.OOBPermutation(t.Context(), X, y, Shuffles{})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(v[0]-0.5) > 0.03 || v[1] != 0 {
		t.Errorf("the error rises by %v, want 0.5 and 0", v)
	}
	r, err := FitRegression(t.Context(), X, target, Options{Trees: 50, MaxFeatures: 2})
	if err != nil {
		t.Fatal(err)
	}
	for what, call := range map[string]func(context.Context, mat.Matrix, []float64, Shuffles) ([]float64, error){
		"out of bag": r.OOBPermutation, "held out": r.Permutation,
	} {
		if v, err = call(t.Context(), X, target, Shuffles{}); err != nil || math.Abs(v[0]-2) > 0.15 || v[1] != 0 {
			t.Errorf("%s: the squared error rises by %v (%v), want 2 and 0", what, v, err)
		}
	}
}

func TestErrors(t *testing.T) {
	set := datasets.Iris()
	f := fit(t, set, Options{Trees: 2, Extra: true})
	if !math.IsNaN(f.OOBError()) || f.String() != "forest of 2 trees" {
		t.Errorf("trees that have seen all rows: error %v, %q", f.OOBError(), f)
	}
	_, unseen := f.OOBPermutation(t.Context(), set.X, set.Y, Shuffles{})
	_, short := f.Permutation(t.Context(), set.X, set.Y[:3], Shuffles{})
	_, repeats := f.Permutation(t.Context(), set.X, set.Y, Shuffles{Repeats: -1})
	_, trees := Fit(t.Context(), set.X, set.Y, Options{Trees: -1})
	_, draw := Fit(t.Context(), set.X, set.Y, Options{Draw: -3})
	_, features := Fit(t.Context(), set.X, set.Y, Options{MaxFeatures: 5})
	_, leaf := FitRegression(t.Context(), set.X, make([]float64, 150), Options{MinLeaf: -2})
	_, classes := FitRegression(t.Context(), set.X, make([]float64, 150), Options{Balanced: true})
	for name, err := range map[string]error{
		"the forest": unseen, "y": short, "Repeats": repeats, "Trees": trees, "Draw": draw, "MaxFeatures": features, "MinLeaf": leaf,
		"ClassWeights": classes,
	} {
		var a *fault.ArgumentError
		if !errors.As(err, &a) || a.Argument != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}
