package structured

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/assess"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/kernel"
	"github.com/prlab/prlab/prl/svm"
)

// For two classes and without bias w_1 - w_0 is the normal of chapter 22, whose C is twice as large.
func TestTwoClassesAreTheOrdinaryMachine(t *testing.T) {
	for _, pair := range [][]string{{"setosa", "versicolor"}, {"versicolor", "virginica"}, {"setosa", "virginica"}} {
		set := datasets.Iris().Classes(pair...)
		m := must(FitMulticlass(t.Context(), set.X, set.Y, MulticlassOptions{C: 0.5, NoBias: true, Tol: 1e-9}))
		one := must(svm.Fit(t.Context(), set.X, set.Y, svm.Options{C: 1, NoBias: true, Tol: 1e-10}))
		w, want := m.Weights(), must(one.Weights())[0]
		for j, v := range want {
			near(t, fmt.Sprintf("%v: w[%d]", pair, j), w[1][j]-w[0][j], v, 1e-7)
			near(t, "the sum of both", w[1][j]+w[0][j], 0, 1e-12)
		}
		near(t, "half the objective", 2*m.Certificate().Upper, one.Certificate().Primal, 1e-7)
	}
}

// The objective of the machine is that of its definition, and no other weights have a smaller one.
func TestMulticlassIsAnOptimum(t *testing.T) {
	set := datasets.Iris().Standardize()
	m := must(FitMulticlass(t.Context(), set.X, set.Y, MulticlassOptions{Tol: 1e-9}))
	objective := func(w [][]float64, b []float64) float64 {
		s := 0.0
		for k := range w {
			s += (floats.Dot(w[k], w[k]) + b[k]*b[k]) / 2
		}
		for i, y := range set.Y {
			f, most := make([]float64, 3), 0.0
			for k := range f {
				f[k] = floats.Dot(w[k], set.X.RawRowView(i)) + b[k]
			}
			for k := range f {
				if k != y {
					most = max(most, 1+f[k]-f[y])
				}
			}
			s += most
		}
		return s
	}
	c := m.Certificate()
	near(t, "objective", c.Upper, objective(m.Weights(), m.Bias()), 1e-9)
	near(t, "gap", c.Upper-c.Lower, 0, 1e-6)
	for seed := range uint64(200) {
		w, b := m.Weights(), m.Bias()
		for k := range w {
			floats.Add(w[k], weights(4, 0.02, seed*3+uint64(k)))
			b[k] += weights(1, 0.02, seed)[0]
		}
		if objective(w, b) < c.Lower {
			t.Fatal("other weights have a smaller objective than the bound")
		}
	}
}

// grades are drawn rows with grades that a utility orders but for noise, in queries.
func grades(n, d, queries int, seed uint64) (X *mat.Dense, grade []float64, query []int) {
	rng := rand.New(rand.NewPCG(seed, 3))
	X, w := mat.NewDense(n, d, nil), weights(d, 1, seed)
	for i := range n {
		for j := range d {
			X.Set(i, j, rng.NormFloat64())
		}
		query = append(query, rng.IntN(queries))
		grade = append(grade, math.Round(floats.Dot(w, X.RawRowView(i))+0.5*rng.NormFloat64()))
	}
	return X, grade, query
}

// The ranking machine is the unbiased support vector machine on differences, and its slack bounds the pairs that it swaps.
func TestRankIsAMachineOnDifferences(t *testing.T) {
	for seed := range uint64(4) {
		X, grade, query := grades(40, 3, 1+int(seed), seed)
		m := must(FitRank(t.Context(), X, grade, RankOptions{C: 0.3, Queries: query, Tol: 1e-9}))
		var rows []float64
		var y []int
		for i := range grade {
			for j := range grade {
				if query[i] == query[j] && grade[i] > grade[j] {
					for a := range 3 {
						rows = append(rows, X.At(i, a)-X.At(j, a))
					}
					y = append(y, 1)
				}
			}
		}
		for i, v := range rows[:3] { // a pair turned round, at no other price
			rows[i], y[0] = -v, 0
		}
		one := must(svm.Fit(t.Context(), mat.NewDense(len(y), 3, rows), y, svm.Options{C: 0.3, NoBias: true, Tol: 1e-10}))
		floatsNear(t, "w", m.Weights(), must(one.Weights())[0], 1e-6)
		near(t, "objective", m.Certificate().Primal, one.Certificate().Primal, 1e-6)
		swapped, tied, pairs := swaps(must(m.Predict(X)), grade, query)
		w := m.Weights()
		slack := (m.Certificate().Primal - floats.Dot(w, w)/2) / 0.3
		if pairs != len(y) || pairs != m.Pairs() || float64(swapped+tied) > slack {
			t.Errorf("%d pairs of %d, %d swapped, slack %v", pairs, m.Pairs(), swapped, slack)
		}
	}
}

func floatsNear(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	for i := range want {
		near(t, fmt.Sprintf("%s[%d]", what, i), got[i], want[i], tol)
	}
}

// swaps counts pairs one by one.
func swaps(u, grade []float64, query []int) (swapped, tied, pairs int) {
	for i := range grade {
		for j := range grade {
			if grade[i] > grade[j] && (query == nil || query[i] == query[j]) {
				pairs++
				if u[i] < u[j] {
					swapped++
				} else if u[i] == u[j] {
					tied++
				}
			}
		}
	}
	return swapped, tied, pairs
}

func TestSwapsAgainstThePairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for range 400 {
		n := 2 + rng.IntN(30)
		u, grade, query := make([]float64, n), make([]float64, n), make([]int, n)
		for i := range n {
			u[i], grade[i], query[i] = float64(rng.IntN(6)), float64(rng.IntN(4)), rng.IntN(3)
		}
		if rng.IntN(2) == 0 {
			query = nil
		}
		s, e, p := swaps(u, grade, query)
		swapped, tied, pairs, err := Swaps(u, grade, query)
		if (err != nil) != (p == 0) || err == nil && (swapped != s || tied != e || pairs != p) {
			t.Fatalf("%d swapped, %d tied of %d, want %d, %d, %d; %v", swapped, tied, pairs, s, e, p, err)
		}
	}
	set := datasets.Iris().Classes("versicolor", "virginica")
	u, grade := set.Column("petal length"), set.Signs()
	swapped, tied, pairs, _ := Swaps(u, grade, nil)
	near(t, "1 - AUC", 1-(float64(swapped)+float64(tied)/2)/float64(pairs), must(assess.AUC(set.Y, u, 0.95)).Estimate, 1e-12)
}

// No utility has a cycle: the slacks of three preferences that run in a circle sum to 3, at w = 0, and the multipliers prove it.
func TestCycle(t *testing.T) {
	points := [][]float64{{1, 2}, {-1, 0.5}, {0.3, -2}}
	worst := func(i int, _ []float64) Cut {
		c := Cut{Loss: 1, At: []int32{0, 1}}
		for j := range 2 {
			c.Values = append(c.Values, points[i][j]-points[(i+1)%3][j])
		}
		return c
	}
	p := must(CuttingPlane(t.Context(), 3, 2, worst, PlaneOptions{C: 5, Tol: 1e-12}))
	near(t, "the sum of the slacks", floats.Sum(p.Slacks), 3, 1e-9)
	near(t, "the dual", p.Certificate.Lower, 15, 1e-9)
	near(t, "|w|", floats.Norm(p.W, 2), 0, 1e-9)
}

// A single pair, and grades without any.
func TestFewPairs(t *testing.T) {
	X := mat.NewDense(2, 2, []float64{1, 0, 0, 1})
	m := must(FitRank(t.Context(), X, []float64{2, 1}, RankOptions{C: 10, Tol: 1e-10}))
	floatsNear(t, "w", m.Weights(), []float64{0.5, -0.5}, 1e-8)
	near(t, "objective", m.Certificate().Primal, 0.25, 1e-8)
	for want, err := range map[string]error{
		"grade is the same": second(FitRank(t.Context(), X, []float64{1, 1}, RankOptions{})),
		"grade is the":      second(FitRank(t.Context(), X, []float64{1, 2}, RankOptions{Queries: []int{0, 1}})),
		"Queries is 1":      second(FitRank(t.Context(), X, []float64{1, 2}, RankOptions{Queries: []int{0}})),
		"C is -1":           second(FitRank(t.Context(), X, []float64{1, 2}, RankOptions{C: -1})),
		"utility is 1":      swapsError([]float64{1}, []float64{1, 2}),
		"not finite":        swapsError([]float64{1, math.NaN()}, []float64{1, 2}),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}

func swapsError(u, g []float64) error {
	_, _, _, err := Swaps(u, g, nil)
	return err
}

// few returns l labelled rows of each moon and the others without labels.
func few(n int, noise float64, l int, seed uint64) (labelled, silent datasets.Set) {
	set := datasets.Moons(n, noise, seed)
	return set.Rows(seq(0, 2*l)...), set.Rows(seq(2*l, n)...)
}

func seq(from, to int) (out []int) {
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}

// Without the graph the machine is the ordinary one of C = 1/(2 l gamma_A), whatever rows have no label.
func TestWithoutTheGraph(t *testing.T) {
	one, silent := few(60, 0.1, 8, 1)
	k := kernel.RBF{Gamma: 2}
	m := must(FitLaplacian(t.Context(), one.X, one.Y,
		LaplacianOptions{Kernel: k, Ambient: 0.02, Intrinsic: estimator.None, Unlabelled: silent.X, Tol: 1e-10}))
	plain := must(svm.Fit(t.Context(), one.X, one.Y, svm.Options{Kernel: k, C: 1 / (2 * 16 * 0.02), Tol: 1e-10}))
	f, want := must(m.Decision(silent.X)), must(plain.Decision(silent.X))
	for i := range silent.N() {
		near(t, "f", f.At(i, 0), want.At(i, 0), 1e-7)
	}
	for i, a := range m.Alpha()[16:] {
		near(t, fmt.Sprintf("alpha of silent row %d", i), a, 0, 1e-12)
	}
}

// The value of the dual is that of the primal as it is written, and other functions of the same form have no smaller one.
func TestLaplacianIsAnOptimum(t *testing.T) {
	for seed := range uint64(3) {
		one, silent := few(40, 0.15, 5, seed)
		o := LaplacianOptions{Kernel: kernel.RBF{Gamma: 1.5}, Neighbours: 4, Ambient: 0.01, Intrinsic: 30, Unlabelled: silent.X, Tol: 1e-10}
		m := must(FitLaplacian(t.Context(), one.X, one.Y, o))
		all := mat.NewDense(40, 2, nil)
		all.Stack(one.X, silent.X)
		K := must(kernel.Gram(o.Kernel, all))
		g := must(Neighbourhood(t.Context(), all, 4))
		objective := func(alpha []float64, b float64) float64 {
			f := make([]float64, 40)
			for i := range f {
				for j, a := range alpha {
					f[i] += a * K.At(i, j)
				}
			}
			s := 0.01*floats.Dot(alpha, f) + 30.0/1600*g.Roughness(f)
			for i, y := range one.Y {
				s += max(0, 1-float64(2*y-1)*(f[i]+b)) / 10
			}
			return s
		}
		value := objective(m.Alpha(), m.Bias())
		near(t, "the primal", m.Certificate().Primal, value, 1e-8)
		near(t, "the dual", m.Certificate().Dual, value, 1e-7)
		for s := range uint64(200) {
			alpha := weights(40, 0.02, s)
			floats.Add(alpha, m.Alpha())
			if objective(alpha, m.Bias()+weights(1, 0.05, s)[0]) < value-1e-7 {
				t.Fatal("another function has a smaller objective")
			}
		}
		f := must(m.Decision(silent.X))
		near(t, "Value", m.Value(silent.X.RawRowView(3)...), f.At(3, 0), 1e-12)
	}
}

// f'Lf is the double loop, and L has as many zero eigenvalues as the graph has pieces.
func TestGraph(t *testing.T) {
	for seed := range uint64(20) {
		set := datasets.Moons(30, 0.05, seed)
		g := must(Neighbourhood(t.Context(), set.X, 1+int(seed)%4))
		L, f := g.Laplacian(), weights(30, 1, seed)
		v := mat.NewVecDense(30, f)
		near(t, "f'Lf", g.Roughness(f), mat.Inner(v, L, v), 1e-10)
		var eigen mat.EigenSym
		eigen.Factorize(L, false)
		zeros := 0
		for _, e := range eigen.Values(nil) {
			if e < 1e-9 {
				zeros++
			}
		}
		if zeros != g.Pieces() {
			t.Errorf("%d zero eigenvalues, %d pieces", zeros, g.Pieces())
		}
		for i, near := range g.Near {
			for _, j := range near {
				if i == j || !slices.Contains(g.Near[j], i) {
					t.Error("a link has two ends")
				}
			}
			for j := range 30 { // a row is linked with j if and only if one is among the other's nearest
				if slices.Contains(near, j) != (i != j && (rank(set.X, i, j) <= 1+int(seed)%4 || rank(set.X, j, i) <= 1+int(seed)%4)) {
					t.Errorf("rows %d and %d", i, j)
				}
			}
		}
	}
	path := &Graph{[][]int{{1}, {0, 2}, {1}}}
	if path.Roughness([]float64{1, 0, -1}) != 2 || !math.IsNaN(path.Roughness([]float64{1})) {
		t.Error("the path of three nodes")
	}
}

// rank returns how many rows, itself included, are as near to row i as row j.
func rank(X *mat.Dense, i, j int) (n int) {
	to := func(r int) float64 { return floats.Distance(X.RawRowView(i), X.RawRowView(r), 2) }
	for r := range 30 {
		if r != i && to(r) <= to(j) {
			n++
		}
	}
	return n
}

// Two labels on two moons: where the graph keeps the moons apart the labels flow to all of their rows.
func TestLabelsFlow(t *testing.T) {
	one, silent := few(200, 0.03, 1, 1)
	o := LaplacianOptions{Kernel: kernel.RBF{Gamma: 2}, Ambient: 1e-4, Intrinsic: 1e4, Unlabelled: silent.X}
	m := must(FitLaplacian(t.Context(), one.X, one.Y, o))
	if m.Pieces() != 2 {
		t.Fatalf("%d pieces", m.Pieces())
	}
	if got := estimator.Accuracy(must(m.Predict(silent.X)), silent.Y); got != 1 {
		t.Errorf("accuracy %v with the graph", got)
	}
	o.Intrinsic = estimator.None
	m = must(FitLaplacian(t.Context(), one.X, one.Y, o))
	if got := estimator.Accuracy(must(m.Predict(silent.X)), silent.Y); got > 0.95 {
		t.Errorf("accuracy %v without the graph", got)
	}
}

func toFloats(y []int) []float64 {
	out := make([]float64, len(y))
	for i, v := range y {
		out[i] = float64(v)
	}
	return out
}

func TestLaplacianRefuses(t *testing.T) {
	set := datasets.Moons(20, 0.1, 1)
	fit := func(o LaplacianOptions) error { return second(FitLaplacian(t.Context(), set.X, set.Y, o)) }
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for want, err := range map[string]error{
		"Neighbours is -1": fit(LaplacianOptions{Neighbours: -1}),
		"Ambient is -1":    fit(LaplacianOptions{Ambient: -1}),
		"Intrinsic is -2":  fit(LaplacianOptions{Intrinsic: -2}),
		"Kernel is":        fit(LaplacianOptions{Kernel: kernel.Precomputed{}}),
		"Unlabelled":       fit(LaplacianOptions{Unlabelled: mat.NewDense(1, 3, nil)}),
		"NaN":              fit(LaplacianOptions{Unlabelled: mat.NewDense(1, 2, []float64{math.NaN(), 0})}),
		"canceled":         second(FitLaplacian(ended, set.X, set.Y, LaplacianOptions{})),
		"k is 20":          second(Neighbourhood(t.Context(), set.X, 20)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}

// The plans in their vocabulary.
func TestPlansOfRows(t *testing.T) {
	one, silent := few(100, 0.05, 2, 1)
	p := PlanLaplacianSVM().RBF(2).Neighbours(5).Ambient(1e-3).Intrinsic(100).Unlabelled(silent).Fit(one)
	if p.Accuracy(silent) < 0.8 || p.Certificate().Gap > 1e-3 || p.Table().Len() != 5 || p.Value(0, 0) != p.Model().Value(0, 0) {
		t.Errorf("%v: %v", p, p.Err())
	}
	if _, err := p.Regions().SVG(); err != nil {
		t.Error(err)
	}
	if PlanLaplacianSVM().Intrinsic(0).Fit(one).Model().String() == "" || PlanLaplacianSVM().Linear().Fit(datasets.Iris()).Err() == nil ||
		PlanLaplacianSVM().Unlabelled(datasets.Iris()).Fit(one).Err() == nil ||
		PlanLaplacianSVM().Unlabelled(datasets.Moons(0, 0, 1)).Err() == nil {
		t.Error("errors are not heard")
	}
	set := datasets.Iris().Classes("versicolor", "virginica")
	set = set.WithTarget("grade", toFloats(set.Y))
	r := PlanRankSVM().C(0.1).Fit(set)
	swapped, _, pairs := swaps(r.Predict(set), set.Target, nil)
	if got := r.Swapped(); got != float64(swapped)/float64(pairs) || got != r.Swapped(set) || got > 0.02 {
		t.Errorf("%v of the pairs are swapped", got)
	}
	if len(r.Weights()) != 4 || r.Table().Len() != 4 || r.Certificate().Gap > 1 || PlanRankSVM().Queries(1).Fit(set).Err() == nil {
		t.Error("the plan of a ranking")
	}
}
