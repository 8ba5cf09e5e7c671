package markov

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/estimator/estimatortest"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/fuzztest"
	"github.com/prlab/prlab/prl/internal/gauss"
)

func random(t testing.TB, k, m int, seed uint64) *HMM {
	t.Helper()
	h, err := RandomHMM(k, m, seed)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func drawn(t testing.TB, m *HMM, length int, seed uint64) []int {
	t.Helper()
	_, x, err := m.Sample(length, seed)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// drawHMM draws a model with impossible starts, steps and symbols.
func drawHMM(t *rapid.T, most int) *HMM {
	k, m := rapid.IntRange(1, most).Draw(t, "states"), rapid.IntRange(1, 3).Draw(t, "symbols")
	h, err := NewHMM(
		Parameters{Start: fuzztest.Distribution(t, k), Transitions: fuzztest.Stochastic(t, k, k), Emissions: fuzztest.Stochastic(t, k, m)},
	)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// Everything that dynamic programming computes is compared with the sum, the maximum or the sorted list over all K^T paths. Zeros and equal
// probabilities make paths impossible and paths alike; a sequence that no path explains is an error.
func TestBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawHMM(t, 3)
		obs := rapid.SliceOfN(rapid.IntRange(0, m.m-1), 1, 5).Draw(t, "observations")
		k, length := m.k, len(obs)
		total := 0.0
		post := mat.NewDense(length, k, nil)
		through := make([][]float64, length)
		for i := range through {
			through[i] = slices.Repeat([]float64{math.Inf(-1)}, k)
		}
		var all []float64
		err := m.Paths(obs, func(path []int, l float64) bool {
			total += math.Exp(l)
			for i, s := range path {
				post.Set(i, s, post.At(i, s)+math.Exp(l))
				through[i][s] = math.Max(through[i][s], l)
			}
			if !math.IsInf(l, -1) {
				all = append(all, l)
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		close := func(a, b float64) bool { return a == b || math.Abs(a-b) < 1e-10 }
		path, err := m.Viterbi(obs)
		if total == 0 {
			if err == nil {
				t.Fatalf("the impossible sequence has the path %v of %v", path.States, path.LogProb)
			}
			for _, f := range []func() error{
				func() error { return second(m.MaxMarginals(obs)) }, func() error { return second(m.KBest(obs, 2)) },
				func() error { return second(m.Posterior(obs)) },
			} {
				if err := f(); err == nil || !strings.Contains(err.Error(), "impossible") {
					t.Fatalf("the impossible sequence gives the error %v", err)
				}
			}
			if l, err := m.LogLikelihood(obs); err == nil && !math.IsInf(l, -1) {
				t.Fatalf("log-likelihood %v of an impossible sequence", l)
			}
			return
		}
		if err != nil || !close(path.LogProb, slices.Max(all)) {
			t.Fatalf("Viterbi %v (%v), over all paths %v", path.LogProb, err, slices.Max(all))
		}
		if joint, err := m.Joint(obs, path.States); err != nil || !close(joint, path.LogProb) {
			t.Fatalf("the Viterbi path %v has %v (%v)", path.States, joint, err)
		}
		l, err := m.LogLikelihood(obs)
		if err != nil || !close(l, math.Log(total)) {
			t.Fatalf("log-likelihood %v (%v), over all paths %v", l, err, math.Log(total))
		}
		marginals, err := m.MaxMarginals(obs)
		if err != nil {
			t.Fatal(err)
		}
		for i := range marginals {
			for s := range marginals[i] {
				if got, want := marginals[i][s], through[i][s]; !close(got, want) {
					t.Fatalf("max-marginal at %d of %d: %v, over all paths %v", i, s, got, want)
				}
			}
		}
		best, err := m.KBest(obs, 7)
		if err != nil || len(best) != min(7, len(all)) {
			t.Fatalf("%d best paths of %d (%v)", len(best), len(all), err)
		}
		slices.SortFunc(all, func(a, b float64) int { return cmp.Compare(b, a) })
		seen := map[string]bool{}
		for i, p := range best {
			joint, err := m.Joint(obs, p.States)
			if err != nil || !close(p.LogProb, all[i]) || !close(joint, p.LogProb) || seen[fmt.Sprint(p.States)] {
				t.Fatalf("path %d is %v of %v, joint %v (%v); over all paths %v", i, p.States, p.LogProb, joint, err, all[i])
			}
			seen[fmt.Sprint(p.States)] = true
		}
		trellis, err := m.Trellis(obs)
		if err != nil {
			t.Fatal(err)
		}
		if joint, err := m.Joint(obs, trellis.Path); err != nil || !close(joint, path.LogProb) { // of paths that are alike, rounding chooses
			t.Fatalf("the trellis path %v has %v (%v), Viterbi %v", trellis.Path, joint, err, path.LogProb)
		}
		got, err := m.Posterior(obs)
		if err != nil {
			t.Fatal(err)
		}
		post.Scale(1/total, post)
		if !mat.EqualApprox(got, post, 1e-10) {
			t.Fatalf("posterior\n%v\nover all paths\n%v", mat.Formatted(got), mat.Formatted(post))
		}
	})
}

// Baum-Welch never lowers the likelihood, and what is impossible in the beginning stays so.
func TestBaumWelchKeepsZeros(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawHMM(t, 3)
		seqs := rapid.SliceOfN(rapid.SliceOfN(rapid.IntRange(0, m.m-1), 1, 8), 1, 3).Draw(t, "sequences")
		o := BaumWelchOptions{}
		o.MaxIter, o.Tol = 12, estimator.None
		learned, err := BaumWelch(t.Context(), m, seqs, o)
		if err != nil {
			return // a sequence that the start cannot explain
		}
		for i := 1; i < len(learned.LogLik); i++ {
			if before, now := learned.LogLik[i-1], learned.LogLik[i]; math.IsNaN(now) || now < before-1e-9*(1+math.Abs(before)) {
				t.Fatalf("iteration %d: the log-likelihood falls from %v to %v", i, before, now)
			}
		}
		after := learned.Model
		for i := range m.k {
			if m.start[i] == 0 && after.start[i] != 0 {
				t.Fatalf("the impossible start %d gets %v", i, after.start[i])
			}
			for j := range m.k {
				if m.a[i*m.k+j] == 0 && after.a[i*m.k+j] != 0 {
					t.Fatalf("the impossible step %d to %d gets %v", i, j, after.a[i*m.k+j])
				}
			}
		}
	})
}

// A chain has one stationary distribution if and only if it has one closed class; then pi P = pi. Powers multiply: P^(a+b) = P^a P^b.
func TestStationary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 5).Draw(t, "states")
		c, err := NewChain(ChainParameters{Start: fuzztest.Distribution(t, k), Transitions: fuzztest.Stochastic(t, k, k)})
		if err != nil {
			t.Fatal(err)
		}
		reach := make([][]bool, k) // by Warshall
		for i := range reach {
			reach[i] = make([]bool, k)
			for j := range reach[i] {
				reach[i][j] = i == j || c.p[i][j] > 0
			}
		}
		for m := range k {
			for i := range k {
				for j := range k {
					reach[i][j] = reach[i][j] || reach[i][m] && reach[m][j]
				}
			}
		}
		closed := 0
		for i := range k {
			first, absorbing := true, true
			for j := range k {
				first = first && !(j < i && reach[i][j] && reach[j][i])
				absorbing = absorbing && (!reach[i][j] || reach[j][i])
			}
			if first && absorbing {
				closed++
			}
		}
		pi, err := c.Stationary()
		if (err == nil) != (closed == 1) {
			t.Fatalf("%d closed classes, error %v", closed, err)
		}
		if err == nil {
			sum := 0.0
			for i, v := range advance(pi, c.p) {
				if math.Abs(v-pi[i]) > 1e-12 || pi[i] < 0 {
					t.Fatalf("pi = %v, pi P = %v", pi, advance(pi, c.p))
				}
				sum += pi[i]
			}
			if math.Abs(sum-1) > 1e-12 {
				t.Fatalf("pi sums to %v", sum)
			}
		}
		a, b := rapid.IntRange(0, 6).Draw(t, "a"), rapid.IntRange(0, 6).Draw(t, "b")
		pa, err1 := c.Power(a)
		pb, err2 := c.Power(b)
		both, err3 := c.Power(a + b)
		after, err4 := c.After(a)
		if err1 != nil || err2 != nil || err3 != nil || err4 != nil {
			t.Fatal(err1, err2, err3, err4)
		}
		for i, row := range product(pa, pb) {
			for j, v := range row {
				if math.Abs(v-both[i][j]) > 1e-12 {
					t.Fatalf("P^%d P^%d = %v, P^%d = %v", a, b, product(pa, pb), a+b, both)
				}
			}
		}
		for j, v := range advance(c.start, pa) {
			if math.Abs(v-after[j]) > 1e-12 {
				t.Fatalf("after %d steps %v, want %v", a, after, advance(c.start, pa))
			}
		}
	})
}

func TestForwardBackward(t *testing.T) {
	m := random(t, 4, 5, 3)
	obs := drawn(t, m, 300, 9)
	f, err := m.Forward(obs)
	if err != nil {
		t.Fatal(err)
	}
	beta, err := m.Backward(obs)
	if err != nil {
		t.Fatal(err)
	}
	la, err := m.ForwardLog(obs)
	if err != nil {
		t.Fatal(err)
	}
	lb, err := m.BackwardLog(obs)
	if err != nil {
		t.Fatal(err)
	}
	fast, err := m.LogLikelihood(obs)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "two ways of scaling", fast, f.LogLik, 1e-9)
	for i := range obs {
		terms := make([]float64, 4)
		for s := range terms {
			terms[s] = la[i][s] + lb[i][s]
		}
		near(t, "sum alpha beta in log space", gauss.LogSumExp(terms), f.LogLik, 1e-9)
		near(t, "sum of scaled alpha beta", dot(f.Alpha[i], beta[i]), 1, 1e-10)
		l := gauss.LogSumExp(la[i])
		for s := range terms {
			near(t, "scaled alpha against log space", f.Alpha[i][s], math.Exp(la[i][s]-l), 1e-12)
		}
	}
}

// Source: log of the smallest positive double, -1074 log 2.
func TestLogarithm(t *testing.T) {
	near(t, "ln(5e-324)", ln(5e-324), -1074*math.Ln2, 1e-12)
	near(t, "ln(2^-1030)", ln(0x1p-1030), -1030*math.Ln2, 1e-12)
	near(t, "ln(2^-1022)", ln(0x1p-1022), -1022*math.Ln2, 1e-12)
	near(t, "ln(1)", ln(1), 0, 0)
}

// The sums over all sequences of a length are one, for the chain and for states and symbols together.
func TestTotalProbability(t *testing.T) {
	m := random(t, 3, 2, 5)
	total := 0.0
	if err := m.Chain().Sequences(4, func(_ []int, p float64) bool { total += p; return true }); err != nil {
		t.Fatal(err)
	}
	near(t, "sum over sequences", total, 1, 1e-12)
	total = 0
	enumerate(2, 2, func(obs []int) bool {
		if err := m.Paths(obs, func(_ []int, l float64) bool { total += math.Exp(l); return true }); err != nil {
			t.Fatal(err)
		}
		return true
	})
	near(t, "sum over states and symbols", total, 1, 1e-12)
}

func TestBaumWelchProperties(t *testing.T) {
	m := random(t, 3, 4, 1)
	seqs := [][]int{drawn(t, random(t, 3, 4, 2), 60, 1), drawn(t, random(t, 3, 4, 2), 5000, 2), {1}}
	o := BaumWelchOptions{}
	o.MaxIter, o.Tol = 25, estimator.None
	calls := 0
	o.Progress = func(p estimator.Progress) { calls++ }
	got, err := BaumWelch(context.Background(), m, seqs, o)
	if err != nil {
		t.Fatal(err)
	}
	if calls != got.Iterations || got.Iterations != 25 {
		t.Errorf("%d reports, %d iterations", calls, got.Iterations)
	}
	for i := 1; i < len(got.LogLik); i++ {
		if got.LogLik[i] < got.LogLik[i-1]-1e-8 {
			t.Errorf("iteration %d: log-likelihood falls from %.12g to %.12g", i, got.LogLik[i-1], got.LogLik[i])
		}
	}
	o.Progress = nil
	o.MaxIter = 5
	weighted := o
	weighted.Weights = []float64{2, 0, 1}
	a, err := BaumWelch(context.Background(), m, seqs, weighted)
	if err != nil {
		t.Fatal(err)
	}
	b, err := BaumWelch(context.Background(), m, [][]int{seqs[0], seqs[0], seqs[2]}, o)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		estimatortest.NearAll(t, "weight 2 is two copies", a.Model.Transitions()[i], b.Model.Transitions()[i], 1e-12)
		estimatortest.NearAll(t, "weight 2 is two copies", a.Model.Emissions()[i], b.Model.Emissions()[i], 1e-12)
	}
	// States in another order give the same model in that order.
	order := []int{2, 0, 1}
	p := Parameters{}
	for _, i := range order {
		p.Start = append(p.Start, m.start[i])
		var row []float64
		for _, j := range order {
			row = append(row, m.a[i*3+j])
		}
		p.Transitions = append(p.Transitions, row)
		p.Emissions = append(p.Emissions, m.Emissions()[i])
	}
	c, err := BaumWelch(context.Background(), must(t, p), [][]int{seqs[0], seqs[0], seqs[2]}, o)
	if err != nil {
		t.Fatal(err)
	}
	for at, i := range order {
		estimatortest.NearAll(t, "permuted states", c.Model.Emissions()[at], b.Model.Emissions()[i], 1e-10)
	}
	keep := o
	keep.KeepStart, keep.KeepTrans, keep.KeepEmit = true, true, true
	k, err := BaumWelch(context.Background(), m, seqs, keep)
	if err != nil {
		t.Fatal(err)
	}
	estimatortest.NearAll(t, "kept", k.Model.a, m.a, 0)
	estimatortest.NearAll(t, "kept", k.Model.b, m.b, 0)
}

// Baum-Welch learns a well separated model back from its own sample, up to the order of states.
func TestLearningBack(t *testing.T) {
	truth := must(
		t,
		Parameters{Start: []float64{.5, .5}, Transitions: [][]float64{{.9, .1}, {.2, .8}}, Emissions: [][]float64{{.8, .15, .05}, {.1, .2, .7}}},
	)
	obs := drawn(t, truth, 6000, 4)
	o := FitOptions{}
	o.Restarts, o.Tol = 3, 1e-3
	got, err := FitHMM(context.Background(), [][]int{obs}, 2, 3, o)
	if err != nil {
		t.Fatal(err)
	}
	a, b := got.Model.Transitions(), got.Model.Emissions()
	first := 0
	if b[1][0] > b[0][0] {
		first = 1
	}
	near(t, "P(1|1)", a[first][first], .9, .04)
	near(t, "P(2|2)", a[1-first][1-first], .8, .06)
	estimatortest.NearAll(t, "emissions of 1", b[first], []float64{.8, .15, .05}, .04)
	estimatortest.NearAll(t, "emissions of 2", b[1-first], []float64{.1, .2, .7}, .06)
	l, err := truth.LogLikelihood(obs)
	if err != nil {
		t.Fatal(err)
	}
	if last(got.LogLik) < l {
		t.Errorf("learned log-likelihood %g is below the truth's %g", last(got.LogLik), l)
	}
}

func TestGaussian(t *testing.T) {
	m, err := NewGaussianHMM(GaussianParameters{
		Start: []float64{.6, .4}, Transitions: [][]float64{{.9, .1}, {.2, .8}},
		Means: [][]float64{{0, 0}, {3, 1}}, Covariances: [][][]float64{{{1, .3}, {.3, 1}}, {{.5, 0}, {0, 2}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	_, X, err := m.Sample(6, 3)
	if err != nil {
		t.Fatal(err)
	}
	e := m.evidence(X)
	total, best := 0.0, math.Inf(-1)
	var bestPath []int
	enumerate(2, 6, func(path []int) bool {
		l := m.joint(e, path)
		total += math.Exp(l)
		if l > best {
			best, bestPath = l, slices.Clone(path)
		}
		return true
	})
	l, err := m.LogLikelihood(X)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "log-density", l, math.Log(total), 1e-10)
	path, err := m.Viterbi(X)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "Viterbi", path.LogProb, best, 1e-10)
	if !slices.Equal(path.States, bestPath) {
		t.Errorf("Viterbi %v, brute force %v", path.States, bestPath)
	}
	ways, err := m.KBest(X, 1)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "k-best", ways[0].LogProb, best, 1e-10)
	f, err := m.Forward(X)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "forward", f.LogLik, l, 1e-10)

	_, long, err := m.Sample(1500, 8)
	if err != nil {
		t.Fatal(err)
	}
	start, err := NewGaussianHMM(GaussianParameters{
		Start: []float64{.5, .5}, Transitions: [][]float64{{.5, .5}, {.5, .5}},
		Means: [][]float64{{-1, 0}, {4, 0}}, Covariances: [][][]float64{{{1, 0}, {0, 1}}, {{1, 0}, {0, 1}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	o := BaumWelchOptions{}
	o.Reg = estimator.None
	got, err := BaumWelchGaussian(context.Background(), start, []mat.Matrix{long}, o)
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i < len(got.LogLik); i++ {
		if got.LogLik[i] < got.LogLik[i-1]-1e-8 {
			t.Errorf("iteration %d: log-likelihood falls", i)
		}
	}
	estimatortest.NearAll(t, "mean", got.Model.Means()[1], []float64{3, 1}, .25)
	estimatortest.NearAll(t, "transitions", got.Model.Transitions()[0], []float64{.9, .1}, .05)
	// With one state and no transitions the fit is the sample's mean and covariance.
	one, err := NewGaussianHMM(
		GaussianParameters{
			Start:       []float64{1},
			Transitions: [][]float64{{1}},
			Means:       [][]float64{{5, 5}},
			Covariances: [][][]float64{{{9, 0}, {0, 9}}},
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	o.MaxIter = 1
	single, err := BaumWelchGaussian(context.Background(), one, []mat.Matrix{long}, o)
	if err != nil {
		t.Fatal(err)
	}
	n, _ := long.Dims()
	mean := 0.0
	for i := range n {
		mean += long.At(i, 0) / float64(n)
	}
	v := 0.0
	for i := range n {
		v += (long.At(i, 0) - mean) * (long.At(i, 0) - mean) / float64(n)
	}
	near(t, "mean", single.Model.Means()[0][0], mean, 1e-10)
	near(t, "variance", single.Model.Covariances()[0][0][0], v, 1e-9)
}

// A state whose likelihood is 1e-320 of the other's at one step, and which alone survives the next, is lost by scaling and found in log
// space.
func TestScalingFallsBack(t *testing.T) {
	m, err := NewGaussianHMM(GaussianParameters{
		Start: []float64{.5, .5}, Transitions: [][]float64{{1, 0}, {0, 1}},
		Means: [][]float64{{0}, {100}}, Covariances: [][][]float64{{{1}}, {{1}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	X := mat.NewDense(3, 1, []float64{0, 100, 100})
	l, err := m.LogLikelihood(X)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "log-likelihood", l, math.Log(.5)-1.5*math.Log(2*math.Pi)-5000, 1e-9)
	p, err := m.Posterior(X)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "posterior", p.At(0, 1), 1, 1e-12)
}

func TestChain(t *testing.T) {
	c, err := NewChain(ChainParameters{States: []string{"sun", "rain"}, Start: []float64{1, 0}, Transitions: [][]float64{{.9, .1}, {.5, .5}}})
	if err != nil {
		t.Fatal(err)
	}
	pi, err := c.Stationary()
	if err != nil {
		t.Fatal(err)
	}
	estimatortest.NearAll(t, "stationary", pi, []float64{5. / 6, 1. / 6}, 1e-15)
	estimatortest.NearAll(t, "pi P", advance(pi, c.p), pi, 1e-15)
	far, err := c.After(200)
	if err != nil {
		t.Fatal(err)
	}
	estimatortest.NearAll(t, "after 200", far, pi, 1e-12)
	three, err := c.Power(3)
	if err != nil {
		t.Fatal(err)
	}
	estimatortest.NearAll(t, "P^3", three[0], product(product(c.p, c.p), c.p)[0], 1e-15)
	if !c.Ergodic() {
		t.Error("not ergodic")
	}
	walk, err := c.Sample(200000, 5)
	if err != nil {
		t.Fatal(err)
	}
	back, err := CountChain([][]int{walk}, 2, CountOptions{Smoothing: estimator.None})
	if err != nil {
		t.Fatal(err)
	}
	estimatortest.NearAll(t, "counted back", back.p[0], c.p[0], .005)
	estimatortest.NearAll(t, "counted back", back.p[1], c.p[1], .01)

	cycle, err := NewChain(ChainParameters{Start: []float64{1, 0, 0}, Transitions: [][]float64{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}})
	if err != nil {
		t.Fatal(err)
	}
	if period, err := cycle.Period(0); err != nil || period != 3 {
		t.Errorf("period %d, err %v", period, err)
	}
	transient, err := NewChain(ChainParameters{Start: []float64{1, 0, 0}, Transitions: [][]float64{{.5, .25, .25}, {0, .5, .5}, {0, 1, 0}}})
	if err != nil {
		t.Fatal(err)
	}
	if pi, err = transient.Stationary(); err != nil {
		t.Fatal(err)
	}
	estimatortest.NearAll(t, "transient state", pi, []float64{0, 2. / 3, 1. / 3}, 1e-15)
	split, err := NewChain(ChainParameters{States: []string{"a", "b"}, Start: []float64{.5, .5}, Transitions: [][]float64{{1, 0}, {0, 1}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := split.Stationary(); err == nil || !strings.Contains(err.Error(), "{a} and {b}") {
		t.Errorf("two closed classes: error %v", err)
	}
}

func TestClassifier(t *testing.T) {
	up, err := NewChain(ChainParameters{Start: []float64{.5, .5}, Transitions: [][]float64{{.1, .9}, {.9, .1}}})
	if err != nil {
		t.Fatal(err)
	}
	stay, err := NewChain(ChainParameters{Start: []float64{.5, .5}, Transitions: [][]float64{{.9, .1}, {.1, .9}}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewClassifier([]float64{.5, .5}, up, stay)
	if err != nil {
		t.Fatal(err)
	}
	if c.Parameters() != 1+2*3 {
		t.Errorf("%d parameters", c.Parameters())
	}
	var seqs [][]int
	var y []int
	right := 0
	for s := range uint64(200) {
		from := up
		if s%2 == 1 {
			from = stay
		}
		seq, err := from.Sample(12, s+1)
		if err != nil {
			t.Fatal(err)
		}
		seqs, y = append(seqs, seq), append(y, int(s%2))
		got, err := c.Class(seq)
		if err != nil {
			t.Fatal(err)
		}
		if got == y[s] {
			right++
		}
	}
	if right < 195 {
		t.Errorf("%d of 200 right", right)
	}
	fit, err := FitClassifier(seqs, y, 2, CountOptions{})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "fitted", fit.Chains()[0].p[0][1], .9, .03)
	p, err := fit.Proba(seqs[0])
	if err != nil {
		t.Fatal(err)
	}
	near(t, "sum of probabilities", p[0]+p[1], 1, 1e-12)
}

func TestCounting(t *testing.T) {
	o := CountOptions{Smoothing: 1, States: []string{"N", "V"}, Symbols: []string{"fish", "swim"}}
	m, err := CountHMM([][]int{{0, 1}, {0, 0}}, [][]int{{0, 1}, {0, 0}}, 2, 2, o)
	if err != nil {
		t.Fatal(err)
	}
	estimatortest.NearAll(t, "start", m.start, []float64{.75, .25}, 1e-15)
	estimatortest.NearAll(t, "from N", m.Transitions()[0], []float64{.5, .5}, 1e-15)
	estimatortest.NearAll(t, "emissions of N", m.Emissions()[0], []float64{.8, .2}, 1e-15)
	o.Smoothing = estimator.None
	if m, err = CountHMM([][]int{{0, 1}}, [][]int{{0, 1}}, 2, 2, o); err != nil {
		t.Fatal(err)
	}
	estimatortest.NearAll(t, "emissions of N", m.Emissions()[0], []float64{1, 0}, 0)
	if _, err := m.Posterior([]int{1, 1}); err == nil || !strings.Contains(err.Error(), "impossible") {
		t.Errorf("impossible sequence: error %v", err)
	}
	if l, err := m.LogLikelihood([]int{1, 1}); err != nil || !math.IsInf(l, -1) {
		t.Errorf("impossible sequence: log-likelihood %v, error %v", l, err)
	}
}

func TestRoundTrip(t *testing.T) {
	m := random(t, 3, 4, 8)
	data, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var back HMM
	if err := back.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	obs := drawn(t, m, 50, 1)
	a, _ := m.LogLikelihood(obs)
	b, _ := back.LogLikelihood(obs)
	near(t, "log-likelihood", b, a, 0)
	var c Chain
	if err := c.UnmarshalBinary(data); err == nil {
		t.Error("a chain was read from an HMM")
	}
	if data, err = m.Chain().MarshalBinary(); err != nil {
		t.Fatal(err)
	}
	if err := c.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	estimatortest.NearAll(t, "chain", c.start, m.start, 0)
	g, err := NewGaussianHMM(
		GaussianParameters{Start: []float64{1}, Transitions: [][]float64{{1}}, Means: [][]float64{{5}}, Covariances: [][][]float64{{{9}}}},
	)
	if err != nil {
		t.Fatal(err)
	}
	if data, err = g.MarshalBinary(); err != nil {
		t.Fatal(err)
	}
	var h GaussianHMM
	if err := h.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	estimatortest.NearAll(t, "mean", h.means[0], []float64{5}, 0)
}

func TestErrors(t *testing.T) {
	ok := Tagging()
	m := must(t, ok)
	bad := func(change func(*Parameters)) error {
		p := Tagging()
		change(&p)
		_, err := NewHMM(p)
		return err
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{bad(func(p *Parameters) { p.Start = nil }), "markov.NewHMM: Start is empty"},
		{bad(func(p *Parameters) { p.Start[0] = .4 }), "which sums to 1.09"},
		{bad(func(p *Parameters) { p.Start[0] = math.NaN() }), "Start[0] is NaN, but needs to be a probability"},
		{bad(func(p *Parameters) { p.Transitions = p.Transitions[:4] }), "Transitions is 4 rows, but needs to be one row for each of the 5 " +
			"states"},
		{bad(func(p *Parameters) { p.Emissions[2] = p.Emissions[2][:3] }), "Emissions[2] is 3 numbers, but needs to be 7 numbers"},
		{bad(func(p *Parameters) { p.States[1] = "DET" }), `"DET" twice`},
		{second(m.Viterbi(nil)), "obs is empty"},
		{second(m.LogLikelihood([]int{0, 7})), "obs[1] is 7, but needs to be a symbol from 0 to 6"},
		{second(m.Encode("I", "banc")), `words[1] is "banc", but needs to be a known symbol; known are I, bank, at, CFCU, go, to, the`},
		{second(m.KBest([]int{0}, 0)), "count is 0"},
		{m.Paths(make([]int, 40), nil), "which makes 5^40 sequences"},
		{second(m.Joint([]int{0, 1}, []int{0})), "path is 1 long, but needs to be as long as obs, 2"},
		{second(BaumWelch(context.Background(), m, nil, BaumWelchOptions{})), "sequences is empty"},
		{second(BaumWelch(context.Background(), m, [][]int{{0}, {}}, BaumWelchOptions{})), "sequences[1] is empty"},
		{second(BaumWelch(context.Background(), m, [][]int{{0}}, BaumWelchOptions{MaxIter: -2})), "MaxIter is -2"},
		{second(BaumWelch(context.Background(), m, [][]int{{0}}, BaumWelchOptions{Weights: []float64{-1}})), "Weights[0] is -1"},
		{second(CountChain([][]int{{0}}, 1, CountOptions{Smoothing: -2})), "Smoothing is -2"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("error %v, want %q", c.err, c.want)
		}
		var argument *fault.ArgumentError
		if c.err != nil && !errors.As(c.err, &argument) {
			t.Errorf("%v is no ArgumentError", c.err)
		}
	}
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := BaumWelch(stopped, m, [][]int{{0}}, BaumWelchOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
}

func second[T any](_ T, err error) error { return err }
