package bayes

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/estimator/estimatortest"
)

// The even rows of the digits are learnt, the odd ones judged: wrong rows, and the scores of the first one in the first three classes, by
// scikit-learn 1.9.1 (testdata/counts.py).
func TestCountsAgainstScikitLearn(t *testing.T) {
	digits := datasets.Digits()
	ink := mat.NewDense(digits.N(), digits.D(), nil)
	ink.Apply(func(_, _ int, v float64) float64 {
		if v > 7.5 {
			return 1
		}
		return 0
	}, digits.X)
	type model interface {
		Predict(X mat.Matrix) ([]int, error)
		Decision(X mat.Matrix) (*mat.Dense, error)
	}
	ctx, half := context.Background(), CountOptions{Smoothing: 0.5}
	fit := map[string]func(X mat.Matrix, y []int) (model, error){
		"MultinomialNB": func(X mat.Matrix, y []int) (model, error) { return FitMultinomialNB(ctx, X, y, half) },
		"BernoulliNB": func(X mat.Matrix, y []int) (model, error) {
			return FitBernoulliNB(ctx, X, y, CountOptions{Smoothing: 0.5, Above: 7.5})
		},
		"ComplementNB": func(X mat.Matrix, y []int) (model, error) { return FitComplementNB(ctx, X, y, half) },
		"CategoricalNB": func(X mat.Matrix, y []int) (model, error) {
			return FitTreeNB(ctx, X, y, TreeOptions{Smoothing: 0.5, Dependence: Independent})
		},
	}
	for _, want := range []struct {
		name   string
		wrong  int
		scores []float64
	}{
		{"MultinomialNB", 91, []float64{-1388.692857852113, -1058.226382355453, -1153.8400884361604}},
		{"BernoulliNB", 99, []float64{-59.91093398294653, -13.864424574975502, -25.065275017961056}},
		{"ComplementNB", 164, []float64{1109.3214058184583, 1126.5407669498827, 1117.4105574099278}},
		{"CategoricalNB", 99, []float64{-59.855837424836736, -13.811091115221863, -25.007637970793546}},
	} {
		X := digits.X
		if want.name == "CategoricalNB" {
			X = ink
		}
		var train, test []int
		var parts [2]*mat.Dense
		for h := range parts {
			parts[h] = mat.NewDense((digits.N()+1-h)/2, digits.D(), nil)
			for i := h; i < digits.N(); i += 2 {
				parts[h].SetRow(i/2, X.RawRowView(i))
			}
		}
		for i, c := range digits.Y {
			if i%2 == 0 {
				train = append(train, c)
			} else {
				test = append(test, c)
			}
		}
		m, err := fit[want.name](parts[0], train)
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Predict(parts[1])
		if err != nil {
			t.Fatal(err)
		}
		wrong := 0
		for i, c := range got {
			if c != test[i] {
				wrong++
			}
		}
		if wrong != want.wrong {
			t.Errorf("%s: %d wrong, want %d", want.name, wrong, want.wrong)
		}
		scores, err := m.Decision(parts[1])
		if err != nil {
			t.Fatal(err)
		}
		estimatortest.NearAll(t, want.name, scores.RawRowView(0)[:3], want.scores, 1e-10)
	}
}

// {the art of programming, the code of programming} and {the art of cooking}: 8 and 4 words of a vocabulary of 6, Laplace's rule.
func TestToyCorpus(t *testing.T) {
	X := mat.NewDense(3, 6, []float64{ // the art of programming code cooking
		1, 1, 1, 1, 0, 0,
		1, 0, 1, 1, 1, 0,
		1, 1, 1, 0, 0, 1,
	})
	m, err := FitMultinomialNB(context.Background(), X, []int{0, 0, 1}, CountOptions{})
	if err != nil {
		t.Fatal(err)
	}
	D, err := m.Decision(X.Slice(0, 1, 0, 6))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "programming", math.Exp(D.At(0, 0)), 9.0/9604, 1e-15)
	near(t, "cooking", math.Exp(D.At(0, 1)), 1.0/3750, 1e-15)
	near(t, "weight of code", m.Weights(0, 1)[4], math.Log(2.0/14)-math.Log(1.0/10), 1e-14)
	pooled, err := FitMultinomialNB(context.Background(), X, []int{0, 0, 1}, CountOptions{Pooled: true})
	if err != nil {
		t.Fatal(err)
	}
	// "the" stands 3 times among 12 words; with one more of each word in all classes together 4 of 18.
	near(t, "pooled", math.Exp(pooled.LogProb(0)[0]), (2+6*4.0/18)/14, 1e-15)
	certain, err := FitMultinomialNB(context.Background(), X, []int{0, 0, 1}, CountOptions{Smoothing: estimator.None})
	if err != nil {
		t.Fatal(err)
	}
	if c := certain.Class(0, 0, 0, 0, 0, 1); c != 1 {
		t.Errorf("cooking is of class %d", c)
	}
	if c := certain.Class(0, 0, 0, 0, 1, 1); c != -1 {
		t.Errorf("code and cooking are of class %d", c)
	}
	if _, err := certain.Predict(mat.NewDense(1, 6, []float64{0, 0, 0, 0, 1, 1})); err == nil {
		t.Error("a row that is impossible in every class has a class")
	}
}

func TestCountErrors(t *testing.T) {
	X, y, ctx := mat.NewDense(2, 2, []float64{1, 0, 0, 2}), []int{0, 1}, context.Background()
	fit := func(f func(context.Context, mat.Matrix, []int, CountOptions) (*CountNB, error), o CountOptions) error {
		_, err := f(ctx, X, y, o)
		return err
	}
	_, negative := FitMultinomialNB(ctx, mat.NewDense(2, 2, []float64{1, 0, -1, 2}), y, CountOptions{})
	_, empty := FitMultinomialNB(ctx, mat.NewDense(2, 2, []float64{1, 0, 0, 0}), y, CountOptions{Smoothing: estimator.None})
	_, half := FitTreeNB(ctx, mat.NewDense(2, 2, []float64{1, 0, 0.5, 2}), y, TreeOptions{})
	tree, err := FitTreeNB(ctx, X, y, TreeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_, unseen := tree.Predict(mat.NewDense(1, 2, []float64{0, 3}))
	estimatortest.Refused(t, map[string]error{
		"X[1][0] is -1":                     negative,
		"the words of class 1 is none":      empty,
		"X[1][0] is 0.5":                    half,
		"X[0][1] is 3":                      unseen,
		"Smoothing is 0, but needs to be a": fit(FitComplementNB, CountOptions{Smoothing: estimator.None}),
		"Priors is":                         fit(FitComplementNB, CountOptions{Priors: []float64{0.5, 0.5}}),
		"Pooled is true":                    fit(FitBernoulliNB, CountOptions{Pooled: true}),
		"Above is 2":                        fit(FitMultinomialNB, CountOptions{Above: 2}),
		"Smoothing is -2":                   fit(FitBernoulliNB, CountOptions{Smoothing: -2}),
		"Dependence is 7":                   func() error { _, err := FitTreeNB(ctx, X, y, TreeOptions{Dependence: 7}); return err }(),
	})
}

// trees returns all labelled trees on n nodes as lists of edges, by Prüfer's code.
func trees(n int) [][][2]int {
	var all [][][2]int
	total := int(math.Pow(float64(n), float64(n-2)))
	for code := range total {
		degree, sequence := slices.Repeat([]int{1}, n), make([]int, n-2)
		for k, rest := 0, code; k < n-2; k, rest = k+1, rest/n {
			sequence[k] = rest % n
			degree[sequence[k]]++
		}
		var edges [][2]int
		for _, v := range sequence {
			leaf := slices.Index(degree, 1)
			edges = append(edges, [2]int{leaf, v})
			degree[leaf]--
			degree[v]--
		}
		a := slices.Index(degree, 1)
		all = append(all, append(edges, [2]int{a, a + 1 + slices.Index(degree[a+1:], 1)}))
	}
	return all
}

// The tree of Chow and Liu has the largest sum of weights of all 125 trees on 5 nodes.
func TestChowLiu(t *testing.T) {
	all, r := trees(5), rand.New(rand.NewPCG(1, 2))
	if len(all) != 125 {
		t.Fatalf("%d trees", len(all))
	}
	for range 200 {
		w := mat.NewSymDense(5, nil)
		for i := range 5 {
			for j := range i {
				w.SetSym(i, j, r.NormFloat64())
			}
		}
		best := math.Inf(-1)
		for _, edges := range all {
			sum := 0.0
			for _, e := range edges {
				sum += w.At(e[0], e[1])
			}
			best = max(best, sum)
		}
		got := 0.0
		for j, p := range ChowLiu(w) {
			if p >= 0 {
				got += w.At(j, p)
			} else if j != 0 {
				t.Fatalf("feature %d has no parent", j)
			}
		}
		near(t, "sum of weights", got, best, 1e-12)
	}
}

// Of equal edges the smaller numbers go first.
func TestChowLiuTies(t *testing.T) {
	if got := ChowLiu(mat.NewSymDense(4, nil)); !slices.Equal(got, []int{-1, 0, 0, 0}) {
		t.Error(got)
	}
	if got := ChowLiu(mat.NewSymDense(1, nil)); !slices.Equal(got, []int{-1}) {
		t.Error(got)
	}
}

// Rows drawn from a tree: the tree is found, and its likelihood is that of the best of all trees on the same counts.
func TestTreeFindsItsTree(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	parent := []int{-1, 0, 0, 2, 1}
	X, y := mat.NewDense(4000, 5, nil), make([]int, 4000)
	for i := range y {
		y[i] = i % 2
		for j, p := range parent {
			v := float64(r.IntN(2))
			if p >= 0 && r.Float64() < 0.7 {
				v = X.At(i, p)
				if y[i] == 1 && j == 4 {
					v = 1 - v
				}
			}
			X.Set(i, j, v)
		}
	}
	m, err := FitTreeNB(context.Background(), X, y, TreeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(m.Parents(), parent) {
		t.Errorf("parents %v, want %v", m.Parents(), parent)
	}
	// The probabilities of all 32 rows sum to the prior in each class.
	every := mat.NewDense(32, 5, nil)
	every.Apply(func(i, j int, _ float64) float64 { return float64(i >> j & 1) }, every)
	D, err := m.Decision(every)
	if err != nil {
		t.Fatal(err)
	}
	for c, prior := range m.Priors() {
		sum := 0.0
		for i := range 32 {
			sum += math.Exp(D.At(i, c))
		}
		near(t, "sum over all rows", sum, prior, 1e-12)
	}
}
