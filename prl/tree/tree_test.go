package tree

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

var ctx = context.Background()

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %.14g, want %.14g (tolerance %g)", what, got, want, tol)
	}
}

// random returns data with many ties, weights of any size, and K noisy classes.
func random(n, d, k int, seed uint64) (*mat.Dense, []int, []float64) {
	r := rand.New(rand.NewPCG(seed, 3))
	x, y, w := mat.NewDense(n, d, nil), make([]int, n), make([]float64, n)
	for i := range n {
		for j := range d {
			x.Set(i, j, math.Round(4*r.NormFloat64())/4)
		}
		y[i] = i % k
		if r.Float64() < 0.7 && i >= k {
			y[i] = int(math.Abs(2*x.At(i, 0))) % k
		}
		w[i] = r.ExpFloat64()
	}
	return x, y, w
}

func carData() (*mat.Dense, []float64) {
	x, y := mat.NewDense(50, 1, nil), make([]float64, 50)
	for i, c := range cars {
		x.Set(i, 0, c[0])
		y[i] = c[1]
	}
	return x, y
}

// The one-scan stump is the best of the whole pool, and the first of equal ones in the stated order.
func TestStumpIsBest(t *testing.T) {
	for seed := range uint64(60) {
		n := 5 + int(seed)
		x, y, w := random(n, 3, 2, seed)
		if seed%3 == 0 {
			w = nil
		} else if seed%3 == 1 {
			w[seed%uint64(n)] = 0
		}
		s, e, err := FitStump(ctx, x, y, w)
		if err != nil {
			t.Fatal(err)
		}
		pool, _ := Stumps(x)
		if limit := 2*3*(n-1) + 2; len(pool) > limit {
			t.Errorf("%d stumps, more than %d", len(pool), limit)
		}
		best, at := 2.0, 0
		for i, p := range pool {
			v, err := p.Error(x, y, w)
			if err != nil {
				t.Fatal(err)
			}
			if v < best-1e-12 {
				best, at = v, i
			}
		}
		near(t, "error", e, best, 1e-12)
		if w == nil && s != pool[at] {
			t.Errorf("seed %d: the scan finds %v, the pool %v", seed, s, pool[at])
		}
	}
}

// At every node the scan finds the split of least impurity among all thresholds of all features.
func TestSplitIsBest(t *testing.T) {
	for _, crit := range []Criterion{Gini, Entropy, Error} {
		for _, k := range []int{2, 3} {
			for _, weighted := range []bool{false, true} {
				x, y, w := random(40, 2, k, uint64(k)+7)
				opts := Options{}
				opts.Criterion, opts.MaxDepth, opts.MinLeaf = crit, 1, 3
				if weighted {
					opts.Weights = w
				} else {
					w = nil
				}
				c, err := Fit(ctx, x, y, opts)
				if err != nil {
					t.Fatal(err)
				}
				got := c.Nodes()[0].Impurity - c.Impurity()
				best := 0.0
				for j := range 2 {
					col := mat.Col(nil, j, x)
					list, err := crit.Candidates(col, y, w)
					if err != nil {
						t.Fatal(err)
					}
					for _, cand := range list {
						left := 0
						for _, v := range col {
							if v <= cand.Threshold {
								left++
							}
						}
						if left >= 3 && 40-left >= 3 {
							best = max(best, cand.Gain)
						}
					}
				}
				near(t, crit.String()+" gain", got, best, 1e-12)
			}
		}
	}
}

// A full tree separates consistent data, its leaves part the rows, its impurity is zero iff its error is, and each split lowers it as
// reported.
func TestFullTree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	x, y := mat.NewDense(300, 4, nil), make([]int, 300)
	for i := range 300 {
		for j := range 4 {
			x.Set(i, j, r.NormFloat64())
		}
		y[i] = i % 3
	}
	for _, crit := range []Criterion{Gini, Entropy, Error} {
		opts := Options{}
		opts.Criterion = crit
		last, calls := math.Inf(1), 0
		opts.Progress = func(p estimator.Progress) {
			if p.Objective > last+1e-12 {
				t.Errorf("%v: impurity rises to %v", crit, p.Objective)
			}
			last = p.Objective
			calls++
		}
		c, err := Fit(ctx, x, y, opts)
		if err != nil {
			t.Fatal(err)
		}
		got, _ := c.Predict(x)
		if !slices.Equal(got, y) || c.Impurity() != 0 {
			t.Errorf("%v: the full tree errs on its training rows", crit)
		}
		near(t, "last objective", last, 0, 1e-9)
		if calls != c.Leaves()-1 {
			t.Errorf("%d progress calls for %d splits", calls, c.Leaves()-1)
		}
		leaves, _ := c.Apply(x)
		for i, leaf := range leaves {
			lo, hi, _ := c.Box(leaf)
			for j, v := range x.RawRowView(i) {
				if !(lo[j] < v && v <= hi[j]) {
					t.Fatalf("row %d lies outside the box of its leaf", i)
				}
			}
			path, _ := c.Path(x.RawRowView(i))
			if path[len(path)-1] != leaf {
				t.Fatal("Path and Apply disagree")
			}
		}
		near(t, "importances", sum(c.Importances()), 1, 1e-12)
		pruned, errs, err := c.ReducedError(x, shift(y))
		if err != nil {
			t.Fatal(err)
		}
		for i := 1; i < len(errs); i++ {
			if errs[i] > errs[i-1] {
				t.Error("pruning raises the validation error")
			}
		}
		if pruned.Leaves() > c.Leaves() {
			t.Error("pruning adds leaves")
		}
	}
}

func shift(y []int) []int {
	z := slices.Clone(y)
	for i := range z {
		if i%7 == 0 {
			z[i] = (z[i] + 1) % 3
		}
	}
	return z
}

// XOR: no single split gains anything, yet two levels are perfect.
func TestXOR(t *testing.T) {
	x, y := mat.NewDense(4, 2, []float64{0, 0, 0, 1, 1, 0, 1, 1}), []int{0, 1, 1, 0}
	c, err := Fit(ctx, x, y, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := c.Predict(x); !slices.Equal(got, y) || c.Depth() != 2 {
		t.Errorf("%v gives %v", c, got)
	}
	_, e, err := FitStump(ctx, x, y, nil)
	if err != nil || e != 0.5 {
		t.Errorf("best stump errs on %v (%v), want 0.5", e, err)
	}
}

// For every alpha the pruned tree has the least cost of all subtrees (enumerated), and the subtrees are nested.
func TestPruneIsOptimal(t *testing.T) {
	x, y, _ := random(40, 2, 2, 5)
	opts := Options{}
	opts.MaxDepth = 3
	c, err := Fit(ctx, x, y, opts)
	if err != nil {
		t.Fatal(err)
	}
	nodes := c.Nodes()
	risk := func(i int) float64 { return nodes[i].Weight / nodes[0].Weight * Error.Impurity(nodes[i].Value...) }
	var all func(i int) [][2]float64 // risk and leaves of every subtree rooted at i
	all = func(i int) [][2]float64 {
		out := [][2]float64{{risk(i), 1}}
		if !nodes[i].Leaf() {
			for _, l := range all(nodes[i].Left) {
				for _, r := range all(nodes[i].Right) {
					out = append(out, [2]float64{l[0] + r[0], l[1] + r[1]})
				}
			}
		}
		return out
	}
	subtrees, leaves := all(0), math.MaxInt
	for _, alpha := range []float64{0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.3} {
		best := math.Inf(1)
		for _, s := range subtrees {
			best = min(best, s[0]+alpha*s[1])
		}
		p, err := c.Prune(alpha, Error)
		if err != nil {
			t.Fatal(err)
		}
		cost := alpha * float64(p.Leaves())
		for _, n := range p.Nodes() {
			if n.Leaf() {
				cost += n.Weight / nodes[0].Weight * Error.Impurity(n.Value...)
			}
		}
		near(t, "cost", cost, best, 1e-12)
		if p.Leaves() > leaves {
			t.Error("the sequence is not nested")
		}
		leaves = p.Leaves()
	}
}

func TestFlow(t *testing.T) {
	x, y, w := random(60, 3, 3, 8)
	opts := Options{}
	opts.Weights = w
	c, err := Fit(ctx, x, y, opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range [][]float64{{0, 0, 0}, {math.NaN(), 0.1, 1}, {math.NaN(), math.NaN(), math.NaN()}} {
		f, err := c.Flow(row)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "flow", sum(f), 1, 1e-12)
		p, _ := c.ProbaMissing(row)
		near(t, "probabilities", sum(p), 1, 1e-12)
	}
	all, _ := c.ProbaMissing([]float64{math.NaN(), math.NaN(), math.NaN()})
	prior := c.Nodes()[0]
	near(t, "nothing known", all[1], prior.Value[1]/prior.Weight, 1e-12) // the flow is the training distribution
}

func TestRadix(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, n := range []int{1, 2, 17, 1000} {
		v := make([]float64, n)
		for i := range v {
			v[i] = []float64{r.NormFloat64(), float64(r.IntN(3) - 1), -1e300 * r.Float64(), math.Copysign(0, -1), 0, 5e-324}[r.IntN(6)]
		}
		keys, order := make([]uint64, n), make([]uint16, n)
		for i := range keys {
			keys[i] = rank(v[i] + 0)
		}
		radix(t.Context(), keys, order, make([]uint16, n))
		want := make([]uint16, n)
		for i := range want {
			want[i] = uint16(i)
		}
		slices.SortStableFunc(want, func(a, b uint16) int {
			switch {
			case v[a] < v[b]:
				return -1
			case v[a] > v[b]:
				return 1
			}
			return 0
		})
		if !slices.Equal(order, want) {
			t.Fatalf("n = %d: not the stable order", n)
		}
	}
}

// Weight k is k copies in regression too, and large data (several goroutines) gives the same tree as small pieces of work do.
func TestRegressionWeights(t *testing.T) {
	x, y := carData()
	w := make([]float64, 50)
	var xs, ys []float64
	for i := range w {
		w[i] = float64(i % 3)
		for range i % 3 {
			xs, ys = append(xs, x.At(i, 0)), append(ys, y[i])
		}
	}
	opts := Options{}
	opts.MaxDepth = 3
	b, err := FitRegression(ctx, mat.NewDense(len(xs), 1, xs), ys, opts)
	if err != nil {
		t.Fatal(err)
	}
	opts.Weights = w
	a, err := FitRegression(ctx, x, y, opts)
	if err != nil {
		t.Fatal(err)
	}
	pa, _ := a.Predict(x)
	pb, _ := b.Predict(x)
	for i := range pa {
		near(t, "prediction", pa[i], pb[i], 1e-10)
	}
	data, err := a.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var c Regressor
	if err := c.UnmarshalBinary(data); err != nil || c.String() != a.String() {
		t.Errorf("round trip: %v, %v", c.String(), err)
	}
}

func TestRandomFeatures(t *testing.T) {
	x, y, _ := random(200, 6, 2, 3)
	opts := Options{}
	opts.MaxFeatures, opts.Seed = 2, 4
	a, err1 := Fit(ctx, x, y, opts)
	b, err2 := Fit(ctx, x, y, opts)
	opts.Seed = 5
	c, err3 := Fit(ctx, x, y, opts)
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	if a.Rules() != b.Rules() {
		t.Error("the same seed gives two trees")
	}
	if a.Rules() == c.Rules() {
		t.Error("another seed gives the same tree")
	}
}

func TestErrors(t *testing.T) {
	x, y, _ := random(12, 2, 2, 1)
	fit := func(change func(*Options)) error {
		o := Options{}
		change(&o)
		_, err := Fit(ctx, x, y, o)
		return err
	}
	_, badTarget := FitRegression(ctx, x, []float64{1}, Options{})
	_, badGain := Gini.Gain([][]float64{{1, 2}, {1}})
	for _, c := range []struct {
		err  error
		want string
	}{
		{fit(func(o *Options) { o.MaxDepth = -2 }), "MaxDepth is -2"},
		{fit(func(o *Options) { o.MinLeaf = -1 }), "MinLeaf is -1"},
		{fit(func(o *Options) { o.MinSplit = 1 }), "MinSplit is 1"},
		{fit(func(o *Options) { o.MinGain = -1 }), "MinGain is -1"},
		{fit(func(o *Options) { o.MaxFeatures = 3 }), "MaxFeatures is 3"},
		{fit(func(o *Options) { o.Criterion = 9 }), "Criterion"},
		{badTarget, "target is 1 numbers"},
		{badGain, "table[1]"},
	} {
		var arg *fault.ArgumentError
		if !errors.As(c.err, &arg) || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v does not say %q", c.err, c.want)
		}
	}
	stop, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Fit(stop, x, y, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled fit returns %v", err)
	}
}
