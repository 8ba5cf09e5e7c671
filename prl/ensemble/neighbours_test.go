package ensemble

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/fault"
)

// bumpy draws rows of three features, a target with ties, two classes, and weights of which some are zero.
func bumpy(n int, seed uint64) (X *mat.Dense, target []float64, y []int, w []float64) {
	rng := rand.New(rand.NewPCG(seed, 0))
	X, target, y, w = mat.NewDense(n, 3, nil), make([]float64, n), make([]int, n), make([]float64, n)
	for i := range n {
		X.SetRow(i, []float64{rng.NormFloat64(), float64(rng.IntN(4)), rng.Float64()})
		target[i] = math.Round(2*X.At(i, 0)*X.At(i, 1)+rng.NormFloat64()) / 2
		w[i] = float64(i % 3)
		if target[i] > 0 {
			y[i] = 1
		}
	}
	return X, target, y, w
}

// weighted is the brute force: tree by tree the path of each row, and the draws made once more as Fit makes them.
func weighted[M interface {
	member
	Path(x []float64) ([]int, error)
}](t *testing.T, c *committee[M], A, X *mat.Dense, w []float64, o Options) *mat.Dense {
	n, _ := X.Dims()
	m, _ := A.Dims()
	var kept []int
	for i := range n {
		if w == nil || w[i] > 0 {
			kept = append(kept, i)
		}
	}
	sums := make([]float64, len(kept))
	for k, i := range kept {
		sums[k] = 1
		if w != nil {
			sums[k] = w[i]
		}
	}
	alone := slices.Clone(sums)
	floats.CumSum(sums, sums)
	leaf := func(tree M, x []float64) int {
		path, err := tree.Path(x)
		if err != nil {
			t.Fatal(err)
		}
		return path[len(path)-1]
	}
	out := mat.NewDense(m, n, nil)
	for k := range c.Len() {
		counts := alone
		if !o.Extra {
			counts = draw(rand.New(rand.NewPCG(1, uint64(k))), sums, w == nil, len(kept))
		}
		for a := range m {
			at, total := leaf(c.Tree(k), A.RawRowView(a)), 0.0
			share := make([]float64, n)
			for j, i := range kept {
				if leaf(c.Tree(k), X.RawRowView(i)) == at {
					share[i] = counts[j]
					total += counts[j]
				}
			}
			floats.AddScaled(out.RawRowView(a), 1/total/float64(c.Len()), share)
		}
	}
	return out
}

// The weights of rows are those of brute force, sum to one, and make the prediction of the forest out of the targets, and the
// probabilities out of the classes. Quantiles are those of the weighted targets, sorted.
func TestRowWeightsByBruteForce(t *testing.T) {
	X, target, y, w := bumpy(60, 1)
	A, _, _, _ := bumpy(9, 2)
	shares := []float64{0.05, 0.25, 0.5, 0.9, 1}
	for name, c := range map[string]struct {
		o Options
		w []float64
	}{
		"drawn":          {Options{Trees: 7, MinLeaf: 4}, nil},
		"weights":        {Options{Trees: 7, MinLeaf: 2}, w},
		"leaves of one":  {Options{Trees: 5}, w},
		"all rows":       {Options{Trees: 3, Extra: true, MaxDepth: 3}, nil},
		"weighted rows":  {Options{Trees: 3, Extra: true, MaxDepth: 3}, w},
		"words":          {Options{Trees: 4, MinLeaf: 3, Words: []int{0, 4, 0}}, nil},
		"several shares": {Options{Trees: 20, MaxDepth: 2}, w},
	} {
		c.o.Weights = c.w
		f, err := FitRegression(t.Context(), X, target, c.o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.RowWeights(t.Context(), A, X)
		if err != nil {
			t.Fatal(err)
		}
		if want := weighted(t, &f.committee, A, X, c.w, c.o); !mat.EqualApprox(got, want, 1e-14) {
			t.Errorf("%s: weights differ from brute force", name)
		}
		predicted, err := f.Predict(A)
		if err != nil {
			t.Fatal(err)
		}
		q, err := f.Quantiles(t.Context(), A, X, target, shares...)
		if err != nil {
			t.Fatal(err)
		}
		order := make([]int, len(target))
		floats.Argsort(slices.Clone(target), order)
		for a := range predicted {
			row := got.RawRowView(a)
			if math.Abs(floats.Sum(row)-1) > 1e-12 || math.Abs(floats.Dot(row, target)-predicted[a]) > 1e-12 || floats.Min(row) < 0 {
				t.Errorf("%s, row %d: weights sum to %v, their mean is %v, the forest says %v", name, a, floats.Sum(row),
					floats.Dot(row, target), predicted[a])
			}
			for j, p := range shares {
				sum, want := 0.0, math.Inf(-1)
				for _, i := range order {
					if row[i] > 0 && sum < p-1e-12 {
						want = target[i]
					}
					sum += row[i]
				}
				if q.At(a, j) != want {
					t.Errorf("%s, row %d: quantile %v is %v, want %v", name, a, p, q.At(a, j), want)
				}
			}
		}
		g, err := Fit(t.Context(), X, y, c.o)
		if err != nil {
			t.Fatal(err)
		}
		if got, err = g.RowWeights(t.Context(), A, X); err != nil {
			t.Fatal(err)
		}
		if want := weighted(t, &g.committee, A, X, c.w, c.o); !mat.EqualApprox(got, want, 1e-14) {
			t.Errorf("%s: weights of classes differ from brute force", name)
		}
		p, err := g.Proba(A)
		if err != nil {
			t.Fatal(err)
		}
		for a := range predicted {
			one := 0.0
			for i, c := range y {
				one += got.At(a, i) * float64(c)
			}
			if math.Abs(one-p.At(a, 1)) > 1e-12 {
				t.Errorf("%s, row %d: the weights give class 1 %v, the forest %v", name, a, one, p.At(a, 1))
			}
		}
	}
}

// Where the noise grows with x, four of five new targets lie between the quantiles 0.1 and 0.9, at each end of the range, and the quantiles
// follow those of the noise, -+1.2816 x.
func TestQuantilesOfUnequalNoise(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	draw := func(n int) datasets.Set {
		X, target := mat.NewDense(n, 1, nil), make([]float64, n)
		for i := range n {
			x := 1 + 3*rng.Float64()
			X.Set(i, 0, x)
			target[i] = 10 + x*rng.NormFloat64()
		}
		return datasets.New("cone", X, nil).WithTarget("y", target)
	}
	train, test := draw(3000), draw(3000)
	p := PlanRegressionForest().MinLeaf(150).Fit(train)
	q := p.Quantiles(test, 0.1, 0.9)
	inside, rows, off := [2]float64{}, [2]float64{}, 0.0
	for i, y := range test.Target {
		x, half := test.X.At(i, 0), 0
		if x > 2.5 {
			half = 1
		}
		rows[half]++
		if q.At(i, 0) <= y && y <= q.At(i, 1) {
			inside[half]++
		}
		off += math.Abs(q.At(i, 1)-10-1.2816*x) / 3000
	}
	for half := range 2 {
		if share := inside[half] / rows[half]; math.Abs(share-0.8) > 0.04 {
			t.Errorf("half %d of the range: %v of the targets lie between the quantiles", half, share)
		}
	}
	if off > 0.28 { // the mean error of the quantile 0.9 of 150 rows at x = 2.5: sqrt(2/pi) sqrt(0.09/150) / (0.1755/x)
		t.Errorf("the quantile 0.9 is %v off in the mean", off)
	}
	w := p.RowWeights(2)
	if mean := floats.Dot(w, train.Target); math.Abs(mean-p.Predict(datasets.New("", mat.NewDense(1, 1, []float64{2}), nil))[0]) > 1e-12 {
		t.Errorf("the weighted mean is %v", mean)
	}
}

func TestQuantileErrors(t *testing.T) {
	X, target, _, _ := bumpy(30, 1)
	f, err := FitRegression(t.Context(), X, target, Options{Trees: 3})
	if err != nil {
		t.Fatal(err)
	}
	other := mat.NewDense(30, 3, nil)
	old := Regressor{committee: f.committee}
	old.s.Drawn = drawnRows{}
	ask := func(f *Regressor, X mat.Matrix, p ...float64) error {
		_, err := f.Quantiles(t.Context(), X, X, target, p...)
		return err
	}
	_, rows := f.RowWeights(t.Context(), X, X.Slice(0, 20, 0, 3))
	_, width := f.RowWeights(t.Context(), X.Slice(0, 20, 0, 2), X)
	for name, c := range map[string]struct {
		err      error
		argument string
	}{
		"no shares": {ask(f, X), "p"}, "share 0": {ask(f, X, 0.5, 0), "p[1]"}, "NaN": {ask(f, X, math.NaN()), "p[0]"},
		"other rows": {ask(f, other, 0.5), "X"}, "few rows": {rows, "X"}, "narrow": {width, "X"}, "old": {ask(&old, X, 0.5), "the forest"},
	} {
		var a *fault.ArgumentError
		if !errors.As(c.err, &a) || a.Argument != c.argument {
			t.Errorf("%s: %v", name, c.err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.RowWeights(ctx, X, X); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of ctx: %v", err)
	}
}
