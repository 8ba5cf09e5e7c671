package ensemble

import (
	_ "embed"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/fuzztest"
	"github.com/prlab/prlab/prl/plan"
)

func isolate(t testing.TB, X mat.Matrix, o IsolationOptions) *Isolation {
	t.Helper()
	f, err := FitIsolation(t.Context(), X, o)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// c(m) is the mean depth at which an unsuccessful search ends in a binary search tree of m-1 keys: one comparison with
// the first key, and what the keys on its side cost. c(256) is that of exact fractions.
func TestMeanPaths(t *testing.T) {
	c := meanPaths(300)
	for m := 2; m < len(c); m++ {
		sum := 0.0 // the first key parts m gaps into k and m-k; each gap is met with the same chance
		for k := 1; k < m; k++ {
			sum += (float64(k)*c[k] + float64(m-k)*c[m-k]) / float64(m) / float64(m-1)
		}
		if math.Abs(c[m]-1-sum) > 1e-12*c[m] {
			t.Fatalf("c(%d) = %v, the recursion says %v", m, c[m], 1+sum)
		}
	}
	if c[0] != 0 || c[1] != 0 || c[2] != 1 || math.Abs(c[256]-10.248689925634562) > 1e-13 {
		t.Errorf("c(0), c(1), c(2), c(256) = %v, %v, %v, %v", c[0], c[1], c[2], c[256])
	}
}

//go:embed testdata/isolation.json
var sklearnIsolation []byte

// Given scikit-learn's trees, path lengths and scores are those that its own apply and decision_path give with the exact c. With its
// approximation of c they are its published scores. The values are those of testdata/isolation.py.
func TestPathsOfGivenTrees(t *testing.T) {
	var v struct {
		Size                   int
		Trees                  [][][4]float64
		X                      [][]float64
		Paths, Scores, Sklearn []float64
	}
	if err := json.Unmarshal(sklearnIsolation, &v); err != nil {
		t.Fatal(err)
	}
	X := mat.NewDense(len(v.X), 3, slices.Concat(v.X...))
	with := func(c []float64) *Isolation {
		f := &Isolation{s: isolationState{D: 3, N: 40, Size: v.Size, Threshold: 0.5}}
		for _, given := range v.Trees {
			tree, depth := make([]isolationNode, len(given)), make([]int, len(given))
			for i, n := range given {
				tree[i] = isolationNode{Feature: int32(n[0]), Right: int32(n[1]), Value: n[2]}
				if right := int(n[1]); right > 0 {
					depth[i+1], depth[right] = depth[i]+1, depth[i]+1
				} else {
					tree[i].Value = (float64(depth[i]) + c[int(n[3])]) / c[v.Size]
				}
			}
			if !soundIsolation(tree, 3) {
				t.Fatal("a tree of scikit-learn is refused")
			}
			f.s.Trees = append(f.s.Trees, tree)
		}
		return f
	}
	near := func(what string, got []float64, err error, want []float64) {
		for i := range want {
			if err != nil || math.Abs(got[i]-want[i]) > 1e-12 {
				t.Errorf("row %d: %s %v (%v), want %v", i, what, got[i], err, want[i])
			}
		}
	}
	exact, rounded := meanPaths(v.Size), meanPaths(v.Size)
	for m := 3; m < len(rounded); m++ {
		const euler = 0.57721566490153286
		rounded[m] = 2*(math.Log(float64(m-1))+euler) - 2*float64(m-1)/float64(m)
	}
	paths, err := with(exact).PathLengths(X)
	near("path length", paths, err, v.Paths)
	scores, err := with(exact).Scores(X)
	near("score", scores, err, v.Scores)
	scores, err = with(rounded).Scores(X)
	near("score by the approximation", scores, err, v.Sklearn)
}

// On drawn data the scores are those of scikit-learn 1.9.1, the means of eight forests of 400 trees with a standard deviation of 0.0046
// each (testdata/isolation.py). It takes the nearest value of the logarithm for the sum in c, which shifts scores by less than 0.001.
func TestScoresOfDrawnData(t *testing.T) {
	const n = 2000
	X := mat.NewDense(n, 3, nil)
	for i := range n {
		for j, a := range []float64{math.Sqrt2 - 1, math.Sqrt(3) - 1, (math.Sqrt(5) - 1) / 2} {
			_, u := math.Modf(float64(i+1) * a)
			if v := distuv.UnitNormal.Quantile(u); i < 20 {
				X.Set(i, j, 3*v)
			} else {
				X.Set(i, j, v)
			}
		}
	}
	f := isolate(t, X, IsolationOptions{Trees: 1000})
	got, err := f.Scores(X)
	if err != nil {
		t.Fatal(err)
	}
	rows := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 19, 20, 21, 22, 23, 24, 25, 100, 500, 1000, 1500, 1999}
	want := []float64{
		0.48663, 0.62136, 0.69461, 0.59828, 0.70669, 0.45405, 0.69656, 0.70286, 0.46808, 0.68788, 0.49674, 0.48177, 0.44823, 0.41357,
		0.45701, 0.39093, 0.51731, 0.45147, 0.39532, 0.39873, 0.40747, 0.46549,
	}
	for k, i := range rows {
		if math.Abs(got[i]-want[k]) > 0.015 { // 4.5 standard deviations of the difference
			t.Errorf("row %d: score %v, want %v", i, got[i], want[k])
		}
	}
	slices.Sort(got)
	for k, p := range []float64{.01, .1, .25, .5, .75, .9, .99} {
		want := []float64{0.38496, 0.39428, 0.40603, 0.43111, 0.47375, 0.52684, 0.60972}[k]
		if q := stat.Quantile(p, stat.LinInterp, got, nil); math.Abs(q-want) > 0.005 {
			t.Errorf("quantile %v of the scores is %v, want %v", p, q, want)
		}
	}
}

// expected returns the expectation of the path length of one of the rows, over all features and cuts.
func expected(X *mat.Dense, rows []int, of, depth, limit int) float64 {
	c := meanPaths(len(rows))[len(rows)]
	if depth == limit || len(rows) == 1 {
		return float64(depth) + c
	}
	sum, features := 0.0, 0.0
	_, d := X.Dims()
	for j := range d {
		order := slices.Clone(rows)
		slices.SortFunc(order, func(a, b int) int {
			if X.At(a, j) < X.At(b, j) {
				return -1
			}
			return 1
		})
		lo, hi := X.At(order[0], j), X.At(order[len(order)-1], j)
		if lo == hi {
			continue
		}
		features++
		for k := 1; k < len(order); k++ {
			if gap := X.At(order[k], j) - X.At(order[k-1], j); gap > 0 {
				side := order[:k]
				if X.At(of, j) > X.At(order[k-1], j) {
					side = order[k:]
				}
				sum += gap / (hi - lo) * expected(X, slices.Clone(side), of, depth+1, limit)
			}
		}
	}
	if features == 0 {
		return float64(depth) + c
	}
	return sum / features
}

// The mean path lengths of many trees are the expectations over all trees, enumerated: with ties, equal rows and a constant column.
func TestPathsAreThoseOfAllTrees(t *testing.T) {
	for name, X := range map[string]*mat.Dense{
		"a line":     mat.NewDense(3, 1, []float64{0, 1, 10}),
		"a plane":    mat.NewDense(6, 2, []float64{0, 0, 1, 3, 2, 1, 2.5, 8, 7, 2, 3, 3}),
		"ties":       mat.NewDense(6, 3, []float64{0, 5, 1, 0, 5, 1, 1, 5, 1, 1, 5, 2, 1, 5, 2, 9, 5, 1}),
		"equal rows": mat.NewDense(4, 2, []float64{1, 2, 1, 2, 1, 2, 1, 2}),
	} {
		n, _ := X.Dims()
		const trees = 20000
		f := isolate(t, X, IsolationOptions{Trees: trees})
		got, err := f.PathLengths(X)
		if err != nil {
			t.Fatal(err)
		}
		all := make([]int, n)
		for i := range all {
			all[i] = i
		}
		limit := int(math.Ceil(math.Log2(float64(n))))
		for i := range n {
			want := expected(X, all, i, 0, limit)
			if math.Abs(got[i]-want) > 4.5*float64(limit)/2/math.Sqrt(trees) { // no standard deviation is above half the range
				t.Errorf("%s, row %d: path length %v, want %v", name, i, got[i], want)
			}
		}
	}
	if got := expected(mat.NewDense(3, 1, []float64{0, 1, 10}), []int{0, 1, 2}, 2, 0, 2); math.Abs(got-1.1) > 1e-12 {
		t.Errorf("0, 1, 10: the enumeration says %v for 10, by hand 0.9 * 1 + 0.1 * 2", got)
	}
}

// Rows are drawn without replacement, each next one with odds as the weights of those that are left.
func TestDistinctRows(t *testing.T) {
	const draws = 40000
	for name, w := range map[string][]float64{"even": nil, "weights": {1, 2, 3, 6}} {
		r, pairs := &estimator.Rows{N: 4, W: w}, map[[2]int]float64{}
		rng := rand.New(rand.NewPCG(5, 0))
		for range draws {
			rows := distinct(rng, r, 2)
			pairs[[2]int{rows[0], rows[1]}]++
		}
		total := 0.0
		for i := range 4 {
			total += r.Weight(i)
		}
		for a := range 4 {
			for b := range 4 {
				p := r.Weight(a) / total * r.Weight(b) / (total - r.Weight(a))
				if a == b {
					p = 0
				}
				if got := pairs[[2]int{a, b}] / draws; math.Abs(got-p) > 4.5*math.Sqrt(p*(1-p)/draws) {
					t.Errorf("%s: rows %d, %d are drawn with %v, want %v", name, a, b, got, p)
				}
			}
		}
	}
	r := &estimator.Rows{N: 1000}
	r.W = make([]float64, 1000)
	for i := range r.W {
		r.W[i] = 1e-300
	}
	rng := rand.New(rand.NewPCG(5, 1))
	for _, size := range []int{1, 7, 300, 999, 1000} {
		for _, r := range []*estimator.Rows{r, {N: 1000}} {
			rows := distinct(rng, r, size)
			slices.Sort(rows)
			if len(slices.Compact(rows)) != size || rows[0] < 0 || rows[size-1] > 999 {
				t.Errorf("of 1000 rows %d are %v", size, rows)
			}
		}
	}
}

// Rows that repeat, tie and have constant columns, one row, weights and shares: all answers agree with each other, the share is kept and
// is not smaller than it must be, and a model is read as it was stored.
func TestIsolationOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(1, 30).Draw(t, "n"), rapid.IntRange(1, 4).Draw(t, "d")
		X := mat.NewDense(n, d, nil)
		values := rapid.SampledFrom([]float64{-math.MaxFloat64, -1, 0, 1, 1, math.Nextafter(1, 2), 5e-324, math.MaxFloat64})
		for j := range d {
			constant := rapid.Bool().Draw(t, "constant")
			for i := range n {
				X.Set(i, j, values.Draw(t, "x"))
				if constant {
					X.Set(i, j, X.At(0, j))
				}
			}
		}
		o := IsolationOptions{Trees: rapid.IntRange(1, 12).Draw(t, "trees"), Draw: rapid.IntRange(2, 40).Draw(t, "draw")}
		o.Nu = rapid.SampledFrom([]float64{0, 0.01, 0.2, 0.5, 1}).Draw(t, "nu")
		total := float64(n)
		if rapid.Bool().Draw(t, "weights") {
			o.Weights, total = make([]float64, n), 0
			for i := range n {
				o.Weights[i] = float64(rapid.IntRange(0, 3).Draw(t, "weight"))
				total += o.Weights[i]
			}
			if total == 0 {
				o.Weights[0], total = 2, 2
			}
		}
		f, err := FitIsolation(t.Context(), X, o)
		if err != nil {
			t.Fatal(err)
		}
		scores, err := f.Scores(X)
		if err != nil {
			t.Fatal(err)
		}
		classes, err := f.Predict(X)
		if err != nil {
			t.Fatal(err)
		}
		outside, below := 0.0, 0.0
		for i, s := range scores {
			if !(s > 0 && s < 1) || f.Class(X.RawRowView(i)...) != classes[i] || (classes[i] == plan.Novel) != (s > f.Threshold()) ||
				f.Value(X.RawRowView(i)...) != f.Threshold()-s {
				t.Fatalf("row %d: score %v, threshold %v, class %d", i, s, f.Threshold(), classes[i])
			}
			w := 1.0
			if o.Weights != nil {
				w = o.Weights[i]
			}
			if s > f.Threshold() {
				outside += w
			}
			if s >= f.Threshold() {
				below += w
			}
		}
		if o.Nu > 0 && (outside > o.Nu*total*(1+1e-9) || o.Nu < 1 && below <= o.Nu*total*(1-1e-9)) {
			t.Fatalf("%v of %v lie outside, and %v with those on the threshold; the share is %v", outside, total, below, o.Nu)
		}
		if o.Nu == 0 && f.Threshold() != 0.5 {
			t.Fatalf("threshold %v without a share", f.Threshold())
		}
		var read Isolation
		if err := read.UnmarshalBinary(fuzztest.Sound(f, nil)); err != nil {
			t.Fatal(err)
		}
		again, err := read.Scores(X)
		if err != nil || !slices.Equal(again, scores) {
			t.Fatalf("after storage the scores are %v (%v), want %v", again, err, scores)
		}
	})
}

// One row, and rows that are all equal, leave nothing to cut: the score is 1/2 everywhere, and nothing lies outside.
func TestNothingToCut(t *testing.T) {
	for _, X := range []*mat.Dense{mat.NewDense(1, 2, []float64{3, 4}), mat.NewDense(300, 2, nil)} {
		f := isolate(t, X, IsolationOptions{})
		if got := f.Value(100, -7); got != 0 || f.Class(100, -7) != plan.Inside {
			t.Errorf("f is %v", got)
		}
	}
}

// Rows far from all others are found first, also behind a plan.
func TestIsolationPlan(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	X := mat.NewDense(500, 4, nil)
	for i := range 500 {
		for j := range 4 {
			X.Set(i, j, rng.NormFloat64())
		}
		if i%100 == 50 {
			X.SetRow(i, []float64{9, -9, 9, -9})
		}
	}
	p := PlanIsolationForest().Nu(0.01).Fit(datasets.New("far", X, nil))
	if got := p.Flagged(); !slices.Equal(got, []int{50, 150, 250, 350, 450}) {
		t.Errorf("rows %v are flagged", got)
	}
	for step, err := range map[string]error{
		"Nu": PlanIsolationForest().Nu(0).Err(), "Draw": PlanIsolationForest().Draw(1).Err(), "Trees": PlanIsolationForest().Trees(-1).Err(),
	} {
		var s *fault.StepError
		if !errors.As(err, &s) {
			t.Errorf("%s: %v", step, err)
		}
	}
	gap := mat.DenseCopyOf(X)
	gap.Set(3, 2, math.NaN())
	_, nan := FitIsolation(t.Context(), gap, IsolationOptions{})
	_, nu := FitIsolation(t.Context(), X, IsolationOptions{Nu: 1.5})
	_, query := p.Model().Scores(gap)
	for name, err := range map[string]error{"fit": nan, "query": query, "Nu": nu} {
		want := "X[3, 2]"
		if name == "Nu" {
			want = name
		}
		var a *fault.ArgumentError
		if !errors.As(err, &a) || a.Argument != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
