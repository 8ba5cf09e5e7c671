package tree

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/estimator"
)

// holed draws n rows of two features of numbers and, after them, of one of each number of words, with a share of gaps.
func holed(r *rand.Rand, n int, gaps float64, words ...int) (*mat.Dense, Options) {
	d := 2 + len(words)
	X, o := mat.NewDense(n, d, nil), Options{Gaps: gaps > 0, Words: append([]int{0, 0}, words...)}
	if len(words) == 0 {
		o.Words = nil
	}
	X.Apply(func(_, j int, _ float64) float64 {
		switch {
		case r.Float64() < gaps:
			return math.NaN()
		case j < 2:
			return math.Round(8 * r.NormFloat64())
		}
		return float64(r.IntN(words[j-2]))
	}, X)
	return X, o
}

// bestOf returns the least cost of both sides over all questions that a split may ask, tried one by one: thresholds with the gaps on either
// side, whether there is a value, and all sets of words, a gap being one of them.
func bestOf(X *mat.Dense, o Options, cost func(left []bool) float64) float64 {
	n, d := X.Dims()
	best := math.Inf(1)
	try := func(goes func(v float64) bool, j int) {
		left, count := make([]bool, n), 0
		for i := range n {
			if left[i] = goes(X.At(i, j)); left[i] {
				count++
			}
		}
		if count > 0 && count < n {
			best = min(best, cost(left))
		}
	}
	for j := range d {
		if o.words(j) > 0 {
			for set := range 1 << (o.words(j) + 1) {
				try(func(v float64) bool {
					if v != v {
						return set&1 == 1
					}
					return set>>(1+int(v))&1 == 1
				}, j)
			}
			continue
		}
		for i := range n {
			t := X.At(i, j)
			try(func(v float64) bool { return v <= t }, j)
			try(func(v float64) bool { return v != v || v <= t }, j)
		}
		try(func(v float64) bool { return v == v }, j)
	}
	return best
}

// The first split is the best of all questions: thresholds, gaps and, for two classes, sets of words. Of more classes the order by the
// first principal component finds nearly as much.
func TestFirstSplitIsTheBest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	found, possible := 0.0, 0.0
	for trial := range 300 {
		k := 2 + trial%2
		X, o := holed(r, 14, 0.25*float64(trial%3), []int{3 + trial%3}...)
		o.Criterion, o.MaxDepth = Criterion(trial/2%3), 1
		y, w := make([]int, 14), make([]float64, 14)
		for i := range y {
			y[i], w[i] = r.IntN(k), 0.5+r.Float64()
			if i < k {
				y[i] = i
			}
		}
		if trial%5 == 0 {
			o.Weights = w
		} else {
			w = slices.Repeat([]float64{1}, 14)
		}
		m, err := Fit(t.Context(), X, y, o)
		if err != nil {
			t.Fatal(err)
		}
		want := bestOf(X, o, func(left []bool) float64 {
			sides := [2][]float64{make([]float64, k), make([]float64, k)}
			for i, l := range left {
				if l {
					sides[0][y[i]] += w[i]
				} else {
					sides[1][y[i]] += w[i]
				}
			}
			return sum(sides[0])*o.Criterion.Impurity(sides[0]...) + sum(sides[1])*o.Criterion.Impurity(sides[1]...)
		})
		root := m.Nodes()[0]
		whole := root.Weight * root.Impurity
		got := m.Impurity() * sum(w)
		if k > 2 {
			found, possible = found+whole-got, possible+whole-want
			if got < want-1e-9 {
				t.Errorf("a split costs %v, less than the best of all, %v", got, want)
			}
			continue
		}
		if math.Abs(got-want) > 1e-9*(1+want) && !(root.Leaf() && want > whole-1e-9) {
			t.Errorf("trial %d: the split costs %v, the best of all %v\n%s", trial, got, want, m.Rules())
		}
	}
	if found < 0.97*possible || found > possible {
		t.Errorf("of three classes the splits gain %v of %v", found, possible)
	}
}

func TestFirstRegressionSplitIsTheBest(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for trial := range 150 {
		X, o := holed(r, 14, 0.25*float64(trial%3), []int{3 + trial%3}...)
		o.MaxDepth = 1
		target := make([]float64, 14)
		for i := range target {
			target[i] = r.NormFloat64()
		}
		m, err := FitRegression(t.Context(), X, target, o)
		if err != nil {
			t.Fatal(err)
		}
		want := bestOf(X, o, func(left []bool) float64 {
			cost := 0.0
			for _, side := range []bool{true, false} {
				n, mean, squares := 0.0, 0.0, 0.0
				for i, v := range target {
					if left[i] == side {
						n++
						mean += (v - mean) / n
					}
				}
				for i, v := range target {
					if left[i] == side {
						squares += (v - mean) * (v - mean)
					}
				}
				cost += squares
			}
			return cost
		})
		if got := m.Impurity() * 14; math.Abs(got-want) > 1e-9 {
			t.Errorf("trial %d: the split costs %v, the best of all %v\n%s", trial, got, want, m.Rules())
		}
	}
}

// Rows go down as they did in the fit: every leaf predicts for as many rows as grew it, alone and in blocks, also after storage and
// pruning.
func TestRowsFollowTheirSides(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for trial := range 60 {
		n := 30 + r.IntN(300)
		X, o := holed(r, n, 0.2*float64(trial%3), [][]int{nil, {4}, {3, 12}}[trial/3%3]...)
		o.MinLeaf = 1 + trial%4
		if trial%4 == 3 {
			o.MaxFeatures = 1
		}
		y := make([]int, n)
		for i := range y {
			y[i] = r.IntN(3)
		}
		m, err := Fit(t.Context(), X, y, o)
		if err != nil {
			t.Fatal(err)
		}
		check := func(m *Classifier) {
			at, err := m.Apply(X)
			if err != nil {
				t.Fatal(err)
			}
			nodes, rows := m.Nodes(), make([]int, len(m.Nodes()))
			for i, leaf := range at {
				rows[leaf]++
				row := X.RawRowView(i)
				if path, err := m.Path(row); err != nil || path[len(path)-1] != leaf || m.Class(row...) != estimator.Argmax(nodes[leaf].Value) {
					t.Fatalf("row %d alone goes another way than among all: %v", i, err)
				}
			}
			for i, v := range nodes {
				if v.Leaf() && (rows[i] != v.Rows || v.Rows < o.MinLeaf) {
					t.Fatalf("%d rows come to leaf %d, which %d rows grew\n%s", rows[i], i, v.Rows, m.Rules())
				}
			}
		}
		check(m)
		data, err := m.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		back := new(Classifier)
		if err := back.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		check(back)
		if back.Rules() != m.Rules() {
			t.Errorf("before and after storage:\n%s\n%s", m.Rules(), back.Rules())
		}
		pruned, err := back.Prune(0.01, Gini)
		if err != nil {
			t.Fatal(err)
		}
		check(pruned)
	}
}

// What the rows of the fit leave open goes with the larger side.
func TestUnseenGapsAndWords(t *testing.T) {
	X := mat.NewDense(6, 2, []float64{1, 0, 2, 0, 3, 0, 10, 0, 11, 0, 12, 2})
	m, err := Fit(t.Context(), X, []int{0, 0, 0, 0, 1, 1}, Options{Gaps: true, Words: []int{0, 4}})
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Class(math.NaN(), 0); got != 0 {
		t.Errorf("a gap where there was none is put into class %d\n%s", got, m.Rules())
	}
	m, err = Fit(t.Context(), X.Slice(0, 6, 1, 2), []int{0, 0, 0, 0, 0, 1}, Options{Gaps: true, Words: []int{4}})
	if err != nil {
		t.Fatal(err)
	}
	for word, want := range map[float64]int{0: 0, 1: 0, 2: 1, 3: 0, 7: 0, math.NaN(): 0} {
		if got := m.Class(word); got != want {
			t.Errorf("word %v is put into class %d, want %d\n%s", word, got, want, m.Rules())
		}
	}
}

func TestRefusedGaps(t *testing.T) {
	with := func(v float64) *mat.Dense { return mat.NewDense(4, 2, []float64{1, 0, 2, 1, 3, v, 4, 1}) }
	y := []int{0, 1, 0, 1}
	for _, c := range []struct {
		X    *mat.Dense
		o    Options
		want string
	}{
		{with(math.NaN()), Options{}, "X[2, 1] is NaN, but needs to be a finite number"},
		{with(math.NaN()), Options{Words: []int{0, 2}}, "set Gaps"},
		{with(math.Inf(1)), Options{Gaps: true}, "X[2, 1] is +Inf, but needs to be a finite number, or NaN for a gap"},
		{with(2), Options{Words: []int{0, 2}}, "X[2, 1] is 2, but needs to be a word from 0 to 1"},
		{with(0.5), Options{Words: []int{0, 2}}, "X[2, 1] is 0.5"},
		{with(-1), Options{Words: []int{0, 2}, Gaps: true}, "X[2, 1] is -1"},
		{with(0), Options{Words: []int{2}}, "Words is 1 numbers, but needs to be one for each of the 2 features"},
	} {
		_, err := Fit(t.Context(), c.X, y, c.o)
		_, other := FitRegression(t.Context(), c.X, []float64{1, 2, 3, 4}, c.o)
		for _, err := range []error{err, other} {
			if err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), "−", "-"), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		}
	}
	m, err := Fit(t.Context(), with(0), y, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Predict(with(math.NaN())); err == nil {
		t.Error("a tree that knows no gaps predicts for one")
	}
	if m.Class(1, math.NaN()) != -1 {
		t.Error("a tree that knows no gaps classifies one")
	}
}

// A tree that was stored before trees knew gaps is read as it was.
func TestOlderStorage(t *testing.T) {
	iris := datasets.Iris()
	m, err := Fit(context.Background(), iris.X, iris.Y, Options{})
	if err != nil {
		t.Fatal(err)
	}
	data, err := estimator.Encode("tree.Classifier", 1, struct {
		D, K      int
		Criterion Criterion
		Nodes     []nodeState
		Names     estimator.Names
	}{4, 3, Gini, states(m.list), m.Names})
	if err != nil {
		t.Fatal(err)
	}
	back := new(Classifier)
	if err := back.UnmarshalBinary(data); err != nil || back.Rules() != m.Rules() {
		t.Errorf("%v", err)
	}
}

// Plans take words and gaps as a table holds them; a set in which words have other numbers is read as the fit reads it.
func TestPlanOfWordsAndGaps(t *testing.T) {
	birds := datasets.PalmerPenguins().Drop("egg laid")
	set := birds.Label("species")
	p := PlanTree().Depth(3).Fit(set)
	if a := p.Accuracy(); a < 0.95 {
		t.Errorf("accuracy %v", a)
	}
	rules := p.Rules()
	if !strings.Contains(rules, "island in {") || !strings.Contains(rules, "island not in {") || !strings.Contains(rules, " or missing") {
		t.Errorf("rules:\n%s", rules)
	}
	var rows, want []int
	for i, k := range p.Predict(set) {
		if set.X.At(i, slices.Index(set.FeatureNames, "island")) > 0 { // without the first island the others have other numbers
			rows, want = append(rows, i), append(want, k)
		}
	}
	turned := set.Rows(rows...).Table().Label("class")
	if slices.Equal(turned.Words[0], set.Words[0]) {
		t.Fatal("the words have the same numbers; the test shows nothing")
	}
	if got := p.Predict(turned); !slices.Equal(got, want) {
		t.Error("words with other numbers are read otherwise")
	}
	mass := birds.DropMissing("body mass").Target("body mass")
	q := PlanRegressionTree().Depth(3).Fit(mass)
	if r := q.R2(); r < 0.8 {
		t.Errorf("R2 is %v", r)
	}
	for name, err := range map[string]error{
		"Graph": p.Graph().Err(), "Table": p.Table().Err(), "Importances": p.Importances().Err(), "Curves": p.Curves(turned).Err(),
		"Pruning": p.Pruning().Err(), "regression Graph": q.Graph().Err(),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, err := range map[string]error{"Gains": p.Gains().Err(), "Regions": PlanTree().Fit(set.Features("island",
		"sex")).Regions().Err()} {
		if err == nil || !strings.Contains(err.Error(), "words") {
			t.Errorf("%s: %v", name, err)
		}
	}
	sum := 0.0
	for _, v := range p.Model().Importances() {
		sum += v
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Errorf("importances sum to %v", sum)
	}
}
