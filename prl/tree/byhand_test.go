package tree

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator/estimatortest"
)

// The values of this file are worked out by hand, or follow from a formula that the package does not use.

func second[T any](_ T, err error) error { return err }

func third[A, B any](_ A, _ B, err error) error { return err }

// Of eight rows three are of class 0; the test sends 3 and 1 to the left, 0 and 4 to the right.
func TestGainByHand(t *testing.T) {
	table := [][]float64{{3, 1}, {0, 4}}
	h := func(p float64) float64 { return -p*math.Log2(p) - (1-p)*math.Log2(1-p) }
	for c, want := range map[Criterion]float64{Gini: 30.0/64 - 0.5*6/16, Entropy: h(3.0/8) - 0.5*h(0.25), Error: 3.0/8 - 1.0/8} {
		g, err := c.Gain(table)
		if err != nil {
			t.Fatal(err)
		}
		near(t, c.String(), g, want, 1e-15)
	}
	r, err := GainRatio([][]float64{{3, 1}, {0, 4}, {0, 0}}) // halves: the test itself has one bit
	if err != nil {
		t.Fatal(err)
	}
	near(t, "gain ratio", r, h(3.0/8)-0.5*h(0.25), 1e-15)
	r, err = GainRatio([][]float64{{4, 0}, {0, 2}, {0, 2}})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "gain ratio of three", r, 1/1.5, 1e-15)
	for _, table := range [][][]float64{{{3, 1}}, {{0, 0}, {0, 0}}, {{3, 1}, {0, 0}}} {
		if r, err := GainRatio(table); r != 0 || err != nil {
			t.Errorf("%v: %v, %v", table, r, err)
		}
	}
	near(t, "three classes", Gini.Impurity(1, 1, 2), 1-6.0/16, 1e-15)
	near(t, "three classes", Entropy.Impurity(1, 1, 2, 0), 1.5, 1e-15)
	near(t, "nothing", Entropy.Impurity(0, 0), 0, 0)
	estimatortest.Refused(t, map[string]error{
		"table is empty":     second(GainRatio(nil)),
		"Gain: table is emp": second(Gini.Gain([][]float64{{}})),
		"table[1] is 1":      second(GainRatio([][]float64{{1, 2}, {1}})),
		"table[0][1] is -1":  second(Gini.Gain([][]float64{{1, -1}})),
		"table[1][0] is NaN": second(GainRatio([][]float64{{1, 1}, {math.NaN(), 1}})),
		"table[0][0] is +In": second(Entropy.Gain([][]float64{{math.Inf(1), 1}})),
	})
}

func TestCandidatesByHand(t *testing.T) {
	list, err := Error.Candidates([]float64{4, 2, 1, 2}, []int{1, 0, 0, 1}, []float64{1, 3, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	// Weights 4 and 2: error 1/3. Below 1.5 stands class 0 alone, above 3 class 1 alone.
	if len(list) != 2 || list[0].Threshold != 1.5 || list[1].Threshold != 3 {
		t.Fatalf("%v", list)
	}
	near(t, "gain at 1.5", list[0].Gain, 0, 1e-15)
	near(t, "gain at 3", list[1].Gain, 1.0/6, 1e-15)
	estimatortest.Refused(t, map[string]error{
		"X is nil":        second(Gini.Candidates(nil, nil, nil)),
		"X[1, 0] is NaN":  second(Gini.Candidates([]float64{1, math.NaN()}, []int{0, 1}, nil)),
		"y is 1 labels":   second(Gini.Candidates([]float64{1, 2}, []int{0}, nil)),
		"Weights is 1 nu": second(Gini.Candidates([]float64{1, 2}, []int{0, 1}, []float64{1})),
	})
}

func TestStumpsByHand(t *testing.T) {
	inf := math.Inf(1)
	pool, err := Stumps(mat.NewDense(3, 2, []float64{3, 7, 1, 7, 3, 7}))
	if want := []Stump{{0, 2, 1, 0}, {0, 2, 0, 1}, {0, inf, 1, 0}, {0, inf, 0, 1}}; err != nil || !slices.Equal(pool, want) {
		t.Errorf("%v (%v), want %v", pool, err, want)
	}
	X, y := mat.NewDense(4, 2, []float64{0, 1, 0, 2, 0, 3, 0, 4}), []int{1, 0, 1, 0}
	for _, c := range []struct {
		w    []float64
		want Stump
		loss float64
	}{
		{nil, Stump{1, 1.5, 1, 0}, 0.25},
		{[]float64{1, 1, 4, 1}, Stump{1, 3.5, 1, 0}, 1.0 / 7},
		{[]float64{1, 4, 4, 1}, Stump{1, 2.5, 0, 1}, 0.2},
		{[]float64{1, 0, 4, 0}, Stump{0, inf, 1, 0}, 0},
		{[]float64{0, 2, 0, 1}, Stump{0, inf, 0, 1}, 0},
		{[]float64{0, 1, 0, 0}, Stump{0, inf, 0, 1}, 0},
		{[]float64{2, 0, 0, 1}, Stump{1, 2.5, 1, 0}, 0}, // halfway between the rows that are there
	} {
		f, err := NewStumpFinder(t.Context(), X, y)
		if err != nil {
			t.Fatal(err)
		}
		s, loss, err := f.Best(c.w)
		if err != nil || s != c.want {
			t.Errorf("weights %v: %v (%v), want %v", c.w, s, err, c.want)
		}
		near(t, "error of the stump", loss, c.loss, 1e-15)
		e, err := s.Error(X, y, c.w)
		if err != nil {
			t.Error(err)
		}
		near(t, "the same by Error", e, c.loss, 1e-15)
	}
	f, _ := NewStumpFinder(t.Context(), X, y)
	estimatortest.Refused(t, map[string]error{
		"StumpFinder.Best: Weights is 1": third(f.Best([]float64{1})),
		"StumpFinder.Best: Weights[2]":   third(f.Best([]float64{1, 1, -1, 1})),
		"Weights is all zero":            third(f.Best([]float64{0, 0, 0, 0})),
		"Stumps: X is nil":               second(Stumps(nil)),
		"NewStumpFinder: X is nil":       second(NewStumpFinder(t.Context(), nil, y)),
		"y is 2 labels":                  second(NewStumpFinder(t.Context(), X, y[:2])),
		"Error: X is nil":                second(Stump{}.Error(nil, y, nil)),
		"the stump tests feature 2":      second(Stump{Feature: 2}.Error(X, y, nil)),
		"the stump tests feature -1":     second(Stump{Feature: -1}.Error(X, y, nil)),
		"Error: y is 2 labels":           second(Stump{}.Error(X, y[:2], nil)),
		"Error: Weights is 1":            second(Stump{}.Error(X, y, []float64{1})),
		"Grow: X is nil":                 second(Grow(t.Context(), nil, y, 2, Options{})),
		"Grow: classes is 1":             second(Grow(t.Context(), X, y, 1, Options{})),
		"Grow: y is 2 labels":            second(Grow(t.Context(), X, y[:2], 2, Options{})),
		"Grow: y[2] is 2":                second(Grow(t.Context(), X, []int{0, 1, 2, -1}, 2, Options{})),
		"Grow: y[3] is -1":               second(Grow(t.Context(), X, []int{0, 1, 1, -1}, 2, Options{})),
		"Grow: Weights is 1":             second(Grow(t.Context(), X, y, 2, Options{Weights: []float64{1}})),
		"Grow: MinSplit is 1":            second(Grow(t.Context(), X, y, 2, Options{MinSplit: 1})),
	})
}

// six is a column 1 ... 6 of classes 0 0 1 1 1 0: the root cuts at 2.5 (gain 1/4, against 1/10 at 5.5), its right child at 5.5 (gain 2/3 *
// 3/8).
func six() (*mat.Dense, []int) {
	return mat.NewDense(6, 1, []float64{1, 2, 3, 4, 5, 6}), []int{0, 0, 1, 1, 1, 0}
}

func TestTreeByHand(t *testing.T) {
	x, y := six()
	c, err := Fit(ctx, x, y, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Node{
		{Feature: 0, Threshold: 2.5, Left: 1, Right: 2, Rows: 6, Weight: 6, Impurity: 0.5, Value: []float64{3, 3}},
		{Feature: -1, Depth: 1, Rows: 2, Weight: 2, Value: []float64{2, 0}},
		{Feature: 0, Threshold: 5.5, Left: 3, Right: 4, Depth: 1, Rows: 4, Weight: 4, Impurity: 0.375, Value: []float64{1, 3}},
		{Feature: -1, Depth: 2, Rows: 3, Weight: 3, Value: []float64{0, 3}},
		{Feature: -1, Depth: 2, Rows: 1, Weight: 1, Value: []float64{1, 0}},
	}
	for i, n := range c.Nodes() {
		w := want[i]
		if n.Feature != w.Feature || n.Threshold != w.Threshold || n.Left != w.Left || n.Right != w.Right || n.Depth != w.Depth ||
			n.Rows != w.Rows ||
			n.Weight != w.Weight ||
			n.Impurity != w.Impurity ||
			!slices.Equal(n.Value, w.Value) {
			t.Errorf("node %d: %+v, want %+v", i, n, w)
		}
	}
	for name, value := range map[string][2]int{
		"leaves": {c.Leaves(), 3}, "depth": {c.Depth(), 2}, "classes": {c.Classes(), 2},
		"features": {c.Dim(), 1},
	} {
		if value[0] != value[1] {
			t.Errorf("%d %s, want %d", value[0], name, value[1])
		}
	}
	flow, err := c.Flow([]float64{math.NaN()})
	if err != nil {
		t.Fatal(err)
	}
	estimatortest.NearAll(t, "flow", flow, []float64{0, 1.0 / 3, 0, 0.5, 1.0 / 6}, 1e-15)
	if flow, err = c.Flow([]float64{5.5}); err != nil || !slices.Equal(flow, []float64{0, 0, 0, 1, 0}) {
		t.Errorf("flow %v (%v)", flow, err)
	}
	p, err := c.ProbaMissing([]float64{math.NaN()})
	if err != nil {
		t.Fatal(err)
	}
	estimatortest.NearAll(t, "probabilities", p, []float64{0.5, 0.5}, 1e-15)
	for i, box := range [][2]float64{{math.Inf(-1), math.Inf(1)}, {math.Inf(-1), 2.5}, {2.5, math.Inf(1)}, {2.5, 5.5}, {5.5, math.Inf(1)}} {
		if lo, hi, err := c.Box(i); err != nil || lo[0] != box[0] || hi[0] != box[1] {
			t.Errorf("box of node %d: %v, %v (%v)", i, lo, hi, err)
		}
	}
	if path, err := c.Path([]float64{2.5}); err != nil || !slices.Equal(path, []int{0, 1}) {
		t.Errorf("path %v (%v)", path, err)
	}
	if path, err := c.Path([]float64{9}); err != nil || !slices.Equal(path, []int{0, 2, 4}) {
		t.Errorf("path %v (%v)", path, err)
	}
	// R(root) = 1/2 and R(2) = 1/6: node 2 goes at (1/6)/1, the root then at (1/2 - 1/6)/1.
	steps := c.PruningPath(Error)
	if len(steps) != 3 {
		t.Fatalf("%v", steps)
	}
	for i, w := range []PruneStep{{0, 0, 3}, {1.0 / 6, 1.0 / 6, 2}, {1.0 / 3, 0.5, 1}} {
		estimatortest.NearAll(
			t,
			"pruning",
			[]float64{steps[i].Alpha, steps[i].Risk, float64(steps[i].Leaves)},
			[]float64{w.Alpha, w.Risk, float64(w.Leaves)},
			1e-15,
		)
	}
	for _, w := range []struct {
		change func(*Options)
		leaves int
	}{
		{func(o *Options) { o.MaxDepth = 1 }, 2},
		{func(o *Options) { o.MaxDepth = 2 }, 3},
		{func(o *Options) { o.MinSplit = 5 }, 2},
		{func(o *Options) { o.MinSplit = 4 }, 3},
		{func(o *Options) { o.MinSplit = 7 }, 1},
		{func(o *Options) { o.MinLeaf = 3 }, 2},
		{func(o *Options) { o.MinLeaf = 4 }, 1},
		{func(o *Options) { o.MinGain = 0.25 }, 3},
		{func(o *Options) { o.MinGain = 0.26 }, 1},
	} {
		o := Options{}
		w.change(&o)
		if m, err := Fit(ctx, x, y, o); err != nil || m.Leaves() != w.leaves {
			t.Errorf("%+v: %v (%v), want %d leaves", o, m, err, w.leaves)
		}
	}
	// Validation rows 4, 4, 6, 6 of classes 1, 0, 1, 1: node 2 errs three times as a tree and once as a leaf.
	pruned, errs, err := c.ReducedError(mat.NewDense(5, 1, []float64{4, 4, 6, 6, 1}), []int{1, 0, 1, 1, 0})
	if err != nil || pruned.Leaves() != 2 {
		t.Fatal(pruned, err)
	}
	estimatortest.NearAll(t, "validation errors", errs, []float64{0.6, 0.2}, 1e-15)
	// Two features with gains 1/4 (of 1/2 in all) and the rest.
	o := Options{}
	two, err := Fit(ctx, mat.NewDense(4, 2, []float64{0, 0, 0, 1, 1, 0, 1, 1}), []int{0, 0, 0, 1}, o)
	if err != nil {
		t.Fatal(err)
	}
	// 3/8 = 1/8 (the first cut; 1/4 stays) + 1/4 (the second).
	estimatortest.NearAll(t, "importances", two.Importances(), []float64{1.0 / 3, 2.0 / 3}, 1e-15)
	estimatortest.Refused(t, map[string]error{
		"Path: x is 2 numbers":         second(c.Path([]float64{1, 2})),
		"Path: x[0] is NaN":            second(c.Path([]float64{math.NaN()})),
		"Flow: x[0] is +Inf":           second(c.Flow([]float64{math.Inf(1)})),
		"Flow: x is 0 numbers":         second(c.ProbaMissing(nil)),
		"Box: i is 5":                  third(c.Box(5)),
		"Box: i is -1":                 third(c.Box(-1)),
		"Classifier.Prune: alpha is -": second(c.Prune(-1, Gini)),
		"alpha is NaN":                 second(c.Prune(math.NaN(), Gini)),
		"alpha is +Inf":                second(c.Prune(math.Inf(1), Gini)),
		"ReducedError: y is 1 labels":  third(c.ReducedError(x, []int{1})),
		"y[5] is 2":                    third(c.ReducedError(x, []int{0, 0, 0, 0, 0, 2})),
		"y[0] is -1":                   third(c.ReducedError(x, []int{-1, 0, 0, 0, 0, 2})),
		"ReducedError: X is nil":       third(c.ReducedError(nil, y)),
		"Prune: the model is not":      second(new(Classifier).Prune(0, Gini)),
		"Regressor.Prune: the model":   second(new(Regressor).Prune(0)),
		"Path: x is 1 numbers":         second(new(Classifier).Path([]float64{1})),
		"Classifier.Predict: the mod":  second(new(Classifier).Predict(x)),
		"Classifier.Proba: the model":  second(new(Classifier).Proba(x)),
		"Classifier.Apply: X is 6 x 2": second(c.Apply(mat.NewDense(6, 2, nil))),
		"Regressor.Apply: the model":   second(new(Regressor).Apply(x)),
	})
	if new(Classifier).Impurity() != 0 || new(Classifier).Depth() != 0 || len(new(Classifier).PruningPath(Gini)) != 0 {
		t.Error("an unfitted tree")
	}
}

// Targets 0 0 4 8 of the column 1 ... 4: mean squared error 11, after the cut at 2.5 it is 2, after that at 3.5 zero.
func TestRegressionByHand(t *testing.T) {
	x, y := mat.NewDense(4, 1, []float64{1, 2, 3, 4}), []float64{0, 0, 4, 8}
	r, err := FitRegression(ctx, x, y, Options{})
	if err != nil {
		t.Fatal(err)
	}
	nodes := r.Nodes()
	estimatortest.NearAll(
		t,
		"root",
		[]float64{nodes[0].Impurity, nodes[0].Value[0], nodes[0].Threshold, nodes[2].Impurity, nodes[2].Value[0], nodes[2].Threshold},
		[]float64{11, 3, 2.5, 4, 6, 3.5},
		1e-14,
	)
	steps := r.PruningPath()
	if len(steps) != 3 {
		t.Fatalf("%v", steps)
	}
	for i, w := range [][]float64{{0, 0, 3}, {2, 2, 2}, {9, 11, 1}} {
		estimatortest.NearAll(t, "pruning", []float64{steps[i].Alpha, steps[i].Risk, float64(steps[i].Leaves)}, w, 1e-14)
	}
	p, err := r.Prune(2)
	if err != nil || p.Leaves() != 2 || p.Value(2.6) != 6 {
		t.Error(p, err)
	}
	estimatortest.NearAll(t, "importances", r.Importances(), []float64{1}, 1e-15)
	o := Options{}
	o.Weights, o.MaxDepth = []float64{1, 1, 3, 1}, 1
	w, err := FitRegression(ctx, x, y, o)
	if err != nil {
		t.Fatal(err)
	}
	// Weighted mean 20/6; the right child has the mean 5 and the squared error (3 + 9)/4.
	estimatortest.NearAll(
		t,
		"weighted",
		[]float64{w.Nodes()[0].Value[0], w.Nodes()[2].Value[0], w.Nodes()[2].Impurity, w.Impurity()},
		[]float64{20.0 / 6, 5, 3, 2},
		1e-14,
	)
	estimatortest.Refused(t, map[string]error{
		"target[1] is NaN":  second(FitRegression(ctx, x, []float64{0, math.NaN(), 0, 0}, Options{})),
		"target[3] is +Inf": second(FitRegression(ctx, x, []float64{0, 0, 0, math.Inf(1)}, Options{})),
		"MaxDepth is -2":    second(FitRegression(ctx, x, y, Options{MaxDepth: -2})),
		"alpha is -1":       second(r.Prune(-1)),
	})
}

// Each damage to the nodes of a sound tree is noticed.
func TestValid(t *testing.T) {
	x, y := six()
	c, err := Fit(ctx, x, y, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !valid(1, 2, c.Nodes()) {
		t.Fatal("a sound tree is refused")
	}
	for name, change := range map[string]func(n []Node) []Node{
		"none":                 func(n []Node) []Node { return nil },
		"one missing":          func(n []Node) []Node { return n[:4] },
		"one more":             func(n []Node) []Node { return append(n, n[4]) },
		"depth":                func(n []Node) []Node { n[3].Depth = 1; return n },
		"feature":              func(n []Node) []Node { n[0].Feature = 1; return n },
		"feature below":        func(n []Node) []Node { n[1].Feature = -2; return n },
		"no rows":              func(n []Node) []Node { n[1].Rows = 0; return n },
		"no weight":            func(n []Node) []Node { n[1].Weight = 0; return n },
		"negative weight":      func(n []Node) []Node { n[1].Weight = -1; return n },
		"infinite weight":      func(n []Node) []Node { n[1].Weight = math.Inf(1); return n },
		"weight NaN":           func(n []Node) []Node { n[1].Weight = math.NaN(); return n },
		"negative impurity":    func(n []Node) []Node { n[0].Impurity = -1; return n },
		"infinite impurity":    func(n []Node) []Node { n[0].Impurity = math.Inf(1); return n },
		"threshold NaN":        func(n []Node) []Node { n[0].Threshold = math.NaN(); return n },
		"a value too few":      func(n []Node) []Node { n[1].Value = n[1].Value[:1]; return n },
		"value NaN":            func(n []Node) []Node { n[1].Value[0] = math.NaN(); return n },
		"left elsewhere":       func(n []Node) []Node { n[0].Left = 2; return n },
		"right elsewhere":      func(n []Node) []Node { n[0].Right = 3; return n },
		"right is left":        func(n []Node) []Node { n[2].Right = 3; return n },
		"leaf with a left":     func(n []Node) []Node { n[1].Left = 2; return n },
		"leaf with a right":    func(n []Node) []Node { n[4].Right = 5; return n },
		"inner node as a leaf": func(n []Node) []Node { n[2].Feature, n[2].Left, n[2].Right = -1, 0, 0; return n },
	} {
		if valid(1, 2, change(c.Nodes())) {
			t.Errorf("%s: not noticed", name)
		}
	}
	if valid(0, 2, c.Nodes()) || valid(1<<31, 2, c.Nodes()) || valid(1, 3, c.Nodes()) {
		t.Error("sizes")
	}
}

// Twenty classes in a row, with unit weights and with others: the full tree tells them all apart, and the caller's data stay as they were.
func TestManyClasses(t *testing.T) {
	const k = 20
	x, y, w, target := mat.NewDense(3*k, 1, nil), make([]int, 3*k), make([]float64, 3*k), make([]float64, 3*k)
	for i := range y {
		x.Set(i, 0, float64(i))
		y[i], w[i], target[i] = i/3, float64(1+i%2), float64(i/3)
	}
	for _, weights := range [][]float64{nil, w} {
		for _, c := range []Criterion{Gini, Entropy, Error} {
			o := Options{}
			o.Criterion, o.Weights = c, weights
			m, err := Fit(ctx, x, y, o)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := m.Predict(x); err != nil || !slices.Equal(got, y) || m.Leaves() != k {
				t.Errorf("%s: %v with classes %v (%v)", c, m, got, err)
			}
		}
	}
	o := Options{}
	o.Weights = slices.Clone(w)
	o.Weights[0], o.Weights[7] = 0, 0
	before := slices.Clone(target)
	if _, err := FitRegression(ctx, x, target, o); err != nil || !slices.Equal(target, before) {
		t.Errorf("targets %v (%v)", target, err)
	}
	for i := range 3 {
		o.Weights[i] = 0
	}
	estimatortest.Refused(t, map[string]error{"zero for all of class 0": second(Fit(ctx, x, y, o))})
}
