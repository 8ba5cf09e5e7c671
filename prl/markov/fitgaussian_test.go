package markov

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/estimator/estimatortest"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/mixture"
)

var kinds = []mixture.Covariance{mixture.Full, mixture.Tied, mixture.Diagonal, mixture.Spherical}

// blobs returns parameters of k states of c components in d dimensions, somewhat apart, with covariances of the kind.
func blobs(rng *rand.Rand, kind mixture.Covariance, k, c, d int) GaussianParameters {
	p := GaussianParameters{Kind: kind, Start: even(k)}
	var cov [][]float64
	for range k {
		row, w := make([]float64, k), make([]float64, c)
		for j := range row {
			row[j] = 0.1 + rng.Float64()
		}
		for j := range w {
			w[j] = 0.2 + rng.Float64()
		}
		p.Transitions, p.Weights = append(p.Transitions, shares(row, 0, -1)), append(p.Weights, shares(w, 0, -1))
		for range c {
			mean := make([]float64, d)
			for a := range mean {
				mean[a] = 4 * rng.NormFloat64()
			}
			if cov == nil || kind != mixture.Tied {
				cov = square(d)
				one := 0.5 + rng.Float64()
				for a := range cov {
					for b := range a {
						if kind == mixture.Full || kind == mixture.Tied {
							cov[a][b] = 0.3 * (rng.Float64() - 0.5)
							cov[b][a] = cov[a][b]
						}
					}
					if cov[a][a] = 0.5 + rng.Float64(); kind == mixture.Spherical {
						cov[a][a] = one
					}
				}
			}
			p.Means, p.Covariances = append(p.Means, mean), append(p.Covariances, cov)
		}
	}
	return p
}

func gaussian(t testing.TB, p GaussianParameters) *GaussianHMM {
	t.Helper()
	m, err := NewGaussianHMM(p)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func points(t testing.TB, m *GaussianHMM, n int, seed uint64) *mat.Dense {
	t.Helper()
	_, X, err := m.Sample(n, seed)
	if err != nil {
		t.Fatal(err)
	}
	return X
}

// The log-likelihood never falls, whatever the emissions and the topology, and what the kind and the topology forbid stays zero.
func TestGaussianFitNeverFalls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom(kinds).Draw(t, "kind")
		k, c, d := rapid.IntRange(1, 3).Draw(t, "states"), rapid.IntRange(1, 2).Draw(t, "components"), rapid.IntRange(1, 3).Draw(t, "features")
		seed := rapid.Uint64Range(1, 1000).Draw(t, "seed")
		truth, err := NewGaussianHMM(blobs(rand.New(rand.NewPCG(seed, 1)), kind, k, c, d))
		if err != nil {
			t.Fatal(err)
		}
		var sequences []mat.Matrix
		for s := range uint64(3) {
			_, X, err := truth.Sample(25+10*int(s), seed+s)
			if err != nil {
				t.Fatal(err)
			}
			sequences = append(sequences, X)
		}
		o := GaussianOptions{}
		o.Covariance, o.Components, o.LeftRight = kind, c, rapid.IntRange(0, 2).Draw(t, "jump")
		o.MaxIter, o.Tol, o.Reg, o.Restarts, o.Seed = 15, estimator.None, estimator.None, 2, seed
		l, err := FitGaussian(context.Background(), sequences, k, o)
		if err != nil {
			if strings.Contains(err.Error(), "positive definite") { // maximum likelihood has no bound
				t.Skip(err)
			}
			t.Fatal(err)
		}
		for i := 1; i < len(l.LogLik); i++ {
			if l.LogLik[i] < l.LogLik[i-1]-1e-9*math.Abs(l.LogLik[i]) {
				t.Errorf("iteration %d: log-likelihood falls from %.15g to %.15g", i, l.LogLik[i-1], l.LogLik[i])
			}
		}
		m := l.Model
		for i, row := range m.Transitions() {
			for j, v := range row {
				if o.LeftRight > 0 && (j < i || j > i+o.LeftRight) && v != 0 {
					t.Errorf("a step leads from %d to %d with probability %g", i, j, v)
				}
			}
		}
		if o.LeftRight > 0 && m.start[0] != 1 {
			t.Errorf("the first state has probability %g", m.start[0])
		}
		for i, cov := range m.covs {
			for a, row := range cov {
				for b, v := range row {
					if a != b && v != 0 && m.diagonal() || a == b && kind == mixture.Spherical && v != cov[0][0] ||
						kind == mixture.Tied && v != m.covs[0][a][b] {
						t.Errorf("covariance %d of a %s model is %v", i, kind, cov)
					}
				}
			}
		}
	})
}

// A model of one state sees no order of time: Baum-Welch is EM for a mixture.
func TestOneStateIsAMixture(t *testing.T) {
	for _, kind := range kinds {
		p := blobs(rand.New(rand.NewPCG(3, 3)), kind, 1, 3, 2)
		m := gaussian(t, p)
		X := points(t, m, 200, 5)
		for i := range p.Means { // start elsewhere
			p.Means[i][0] += 0.7
		}
		start, err := mixture.NewGMM(mixture.GMMParameters{Weights: p.Weights[0], Means: p.Means, Covariances: p.Covariances, Kind: kind})
		if err != nil {
			t.Fatal(err)
		}
		want, err := mixture.FitGMM(
			context.Background(),
			X,
			mixture.GMMOptions{K: 3, Covariance: kind, Start: start, MaxIter: 7, Tol: estimator.None, Reg: estimator.None},
		)
		if err != nil {
			t.Fatal(err)
		}
		o := BaumWelchOptions{MaxIter: 7, Tol: estimator.None, Reg: estimator.None}
		l, err := BaumWelchGaussian(context.Background(), gaussian(t, p), []mat.Matrix{X}, o)
		if err != nil {
			t.Fatal(err)
		}
		estimatortest.NearAll(t, "log-likelihood", l.LogLik, want.History(), 1e-11)
		estimatortest.NearAll(t, "weights", l.Model.Weights()[0], want.Weights(), 1e-11)
		for c := range 3 {
			estimatortest.NearAll(t, "mean", l.Model.Means()[c], want.Means()[c], 1e-11)
			for a := range 2 {
				estimatortest.NearAll(t, "covariance", l.Model.Covariances()[c][a], want.Covariances()[c][a], 1e-11)
			}
		}
	}
}

// A state that emits from a mixture is several states that emit from one Gaussian each and are entered with its weights.
func TestMixtureIsManyStates(t *testing.T) {
	for _, kind := range kinds {
		p := blobs(rand.New(rand.NewPCG(4, 4)), kind, 2, 2, 2)
		m := gaussian(t, p)
		q := GaussianParameters{Means: p.Means, Covariances: p.Covariances, Kind: kind}
		for i := range 4 {
			q.Start = append(q.Start, p.Start[i/2]*p.Weights[i/2][i%2])
			var row []float64
			for j := range 4 {
				row = append(row, p.Transitions[i/2][j/2]*p.Weights[j/2][j%2])
			}
			q.Transitions = append(q.Transitions, row)
		}
		wide := gaussian(t, q)
		X := points(t, m, 70, 6)
		if a, b := mustValue(t)(m.LogLikelihood(X)), mustValue(t)(wide.LogLikelihood(X)); math.Abs(a-b) > 1e-10 {
			t.Errorf("%s: log-likelihood %.12g of mixtures, %.12g of many states", kind, a, b)
		}
		f, err := m.Forward(X)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "log-likelihood of the forward pass", f.LogLik, mustValue(t)(m.LogLikelihood(X)), 1e-10)
		a, err := m.Posterior(X)
		if err != nil {
			t.Fatal(err)
		}
		b, err := wide.Posterior(X)
		if err != nil {
			t.Fatal(err)
		}
		for r := range 70 {
			near(t, "posterior", a.At(r, 0), b.At(r, 0)+b.At(r, 1), 1e-11)
		}
		o := BaumWelchOptions{MaxIter: 1, Tol: estimator.None, Reg: 0.02}
		one, err := BaumWelchGaussian(context.Background(), m, []mat.Matrix{X}, o)
		if err != nil {
			t.Fatal(err)
		}
		many, err := BaumWelchGaussian(context.Background(), wide, []mat.Matrix{X}, o)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "log-likelihood", one.LogLik[0], many.LogLik[0], 1e-10)
		sizes := []float64{0, 0, 0, 0}
		for r := range 70 {
			for j := range sizes {
				sizes[j] += b.At(r, j)
			}
		}
		for j := range 4 {
			near(t, "weight", one.Model.Weights()[j/2][j%2], sizes[j]/(sizes[j/2*2]+sizes[j/2*2+1]), 1e-11)
			estimatortest.NearAll(t, "mean", one.Model.Means()[j], many.Model.Means()[j], 1e-11)
			for a := range 2 {
				estimatortest.NearAll(t, "covariance", one.Model.Covariances()[j][a], many.Model.Covariances()[j][a], 1e-11)
			}
		}
	}
}

func mustValue(t *testing.T) func(float64, error) float64 {
	return func(v float64, err error) float64 {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// The expected counts from logarithms are those of the scaled passes.
func TestExpectationFromLogs(t *testing.T) {
	m := gaussian(t, blobs(rand.New(rand.NewPCG(8, 8)), mixture.Full, 3, 1, 2))
	e := m.evidence(points(t, m, 90, 1))
	count := func(f func(x *expected, r *workspace) ([]float64, float64, error)) (*expected, []float64, float64) {
		x := newExpected(m.k)
		gamma, l, err := f(x, newWorkspace(m.k, e.n))
		if err != nil {
			t.Fatal(err)
		}
		return x, gamma, l
	}
	a, gammaA, la := count(func(x *expected, r *workspace) ([]float64, float64, error) {
		return m.expect(context.Background(), "f", 0, e, 1.5, x, r)
	})
	b, gammaB, lb := count(func(x *expected, r *workspace) ([]float64, float64, error) {
		return m.expectFromLogs("f", 0, e, 1.5, x, r)
	})
	near(t, "log-likelihood", lb, la, 1e-10)
	estimatortest.NearAll(t, "posteriors", gammaB, gammaA, 1e-10)
	estimatortest.NearAll(t, "starts", b.start, a.start, 1e-10)
	estimatortest.NearAll(t, "transitions", b.xi, a.xi, 1e-8)
}

// A left-right model has to pass through states that are more than float64 less likely than others; logarithms take it there.
func TestLeftRightFarApart(t *testing.T) {
	X := mat.NewDense(90, 1, nil)
	rng := rand.New(rand.NewPCG(1, 2))
	for r := range 90 {
		X.Set(r, 0, []float64{0, 1000, 0}[r/30]+rng.NormFloat64())
	}
	p := GaussianParameters{
		Start: []float64{1, 0, 0}, Transitions: [][]float64{{.9, .1, 0}, {0, .9, .1}, {0, 0, 1}},
		Means: [][]float64{{900}, {1000}, {0}}, Covariances: [][][]float64{{{1}}, {{1}}, {{1}}},
	}
	l, err := BaumWelchGaussian(context.Background(), gaussian(t, p), []mat.Matrix{X}, BaumWelchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	path, err := l.Model.Predict(X)
	if err != nil {
		t.Fatal(err)
	}
	for r, s := range path {
		if s != r/30 {
			t.Fatalf("row %d is in state %d: %v", r, s, path)
		}
	}
	near(t, "first mean", l.Model.Means()[0][0], mat.Sum(X.Slice(0, 30, 0, 1))/30, 1e-9)
}

// Left-right models find the phases of sequences of different lengths, and skip one where they may.
func TestLeftRight(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	series := func(phases ...int) (X *mat.Dense, states []int) {
		for _, s := range phases {
			for range 8 + rng.IntN(30) {
				states = append(states, s)
			}
		}
		X = mat.NewDense(len(states), 1, nil)
		for r, s := range states {
			X.Set(r, 0, 5*float64(s)+rng.NormFloat64())
		}
		return X, states
	}
	for jump, second := range map[int][]int{1: {0, 1, 2}, 2: {0, 2}} {
		var sequences []mat.Matrix
		var want [][]int
		for _, phases := range [][]int{{0, 1, 2}, second, {0, 1, 2}, {0, 1}} {
			X, states := series(phases...)
			sequences, want = append(sequences, X), append(want, states)
		}
		o := GaussianOptions{}
		o.LeftRight, o.Covariance = jump, mixture.Spherical
		l, err := FitGaussian(context.Background(), sequences, 3, o)
		if err != nil {
			t.Fatal(err)
		}
		wrong := 0
		for s, X := range sequences {
			path, err := l.Model.Predict(X)
			if err != nil {
				t.Fatal(err)
			}
			for r, i := range path {
				if i != want[s][r] {
					wrong++
				}
			}
		}
		if wrong > 4 {
			t.Errorf("jumps of %d: %d rows are in a wrong state", jump, wrong)
		}
		if skip := l.Model.Transitions()[0][2]; (skip > 0.005) != (jump == 2) {
			t.Errorf("jumps of %d: the second state is skipped with probability %g", jump, skip)
		}
	}
}

// A fit finds a model that is at least as likely as the true one, mixtures and all.
func TestFitGaussianLearnsBack(t *testing.T) {
	p := GaussianParameters{
		Start: []float64{.5, .5}, Transitions: [][]float64{{.95, .05}, {.1, .9}}, Kind: mixture.Diagonal,
		Weights: [][]float64{{.5, .5}, {.3, .7}}, Means: [][]float64{{-4, 0}, {0, 4}, {4, 0}, {0, -4}},
		Covariances: slices.Repeat([][][]float64{{{0.5, 0}, {0, 1}}}, 4),
	}
	truth := gaussian(t, p)
	states, X, err := truth.Sample(2000, 9)
	if err != nil {
		t.Fatal(err)
	}
	o := GaussianOptions{}
	o.Covariance, o.Components, o.Restarts, o.Tol = mixture.Diagonal, 2, 10, 1e-3
	l, err := FitGaussian(context.Background(), []mat.Matrix{X}, 2, o)
	if err != nil {
		t.Fatal(err)
	}
	if want := mustValue(t)(truth.LogLikelihood(X)); last(l.LogLik) < want {
		t.Errorf("log-likelihood %g is below the truth's %g", last(l.LogLik), want)
	}
	path, err := l.Model.Predict(X)
	if err != nil {
		t.Fatal(err)
	}
	same := 0
	for r, s := range path {
		if s == states[r] {
			same++
		}
	}
	if same = max(same, len(path)-same); same < 1950 {
		t.Errorf("%d of 2000 rows are in their state", same)
	}
	best := l.Model
	components := map[int]int{}
	for r := range 2000 { // the components are found as well as the states
		i, nearest := 0, math.Inf(1)
		for j, mean := range best.Means() {
			if q := math.Hypot(X.At(r, 0)-mean[0], X.At(r, 1)-mean[1]); q < nearest {
				i, nearest = j, q
			}
		}
		components[i]++
	}
	if len(components) != 4 || slices.Min([]int{components[0], components[1], components[2], components[3]}) < 150 {
		t.Errorf("rows near each mean: %v", components)
	}
}

// Models that were stored before there were mixtures are read as single Gaussians with full covariances.
func TestOldGaussianHMM(t *testing.T) {
	old := struct {
		States      []string
		Start       []float64
		Transitions [][]float64
		Means       [][]float64
		Covariances [][][]float64
	}{[]string{"a"}, []float64{1}, [][]float64{{1}}, [][]float64{{5}}, [][][]float64{{{9}}}}
	data, err := estimator.Encode("markov.GaussianHMM", 1, old)
	if err != nil {
		t.Fatal(err)
	}
	var m GaussianHMM
	if err := m.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(m.Kind(), m.Weights(), m.Means(), m.Covariances()); got != "full[[1]] [[5]] [[[9]]]" {
		t.Error(got)
	}
	q := gaussian(t, blobs(rand.New(rand.NewPCG(1, 1)), mixture.Tied, 2, 3, 2))
	if data, err = q.MarshalBinary(); err != nil {
		t.Fatal(err)
	}
	if err := m.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	X := points(t, q, 40, 1)
	near(t, "log-likelihood", mustValue(t)(m.LogLikelihood(X)), mustValue(t)(q.LogLikelihood(X)), 0)
	if m.String() != "Gaussian HMM (tied covariance) of 2 states (s1, s2), each a mixture of 3, in 2 dimensions" || m.Classes() != 2 {
		t.Error(m.String())
	}
	if n := m.Parameters(); n != 1+2+2*2+6*2+3 {
		t.Errorf("%d parameters", n)
	}
}

func TestGaussianRefusals(t *testing.T) {
	X := []mat.Matrix{mat.NewDense(6, 1, []float64{0, 1, 0, 5, 6, 5})}
	fit := func(k int, change func(*GaussianOptions)) error {
		o := GaussianOptions{}
		change(&o)
		return second(FitGaussian(context.Background(), X, k, o))
	}
	made := func(change func(*GaussianParameters)) error {
		p := blobs(rand.New(rand.NewPCG(1, 1)), mixture.Full, 2, 2, 2)
		p.Covariances = slices.Clone(p.Covariances)
		change(&p)
		return second(NewGaussianHMM(p))
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{fit(0, func(*GaussianOptions) {}), "markov.FitGaussian: k is 0"},
		{fit(7, func(*GaussianOptions) {}), "sequences is 6 rows, but needs to be at least 7 rows, one for each state"},
		{fit(2, func(o *GaussianOptions) { o.Covariance = "round" }), `Covariance is "round"`},
		{fit(2, func(o *GaussianOptions) { o.Components = -3 }), "Components is -3"},
		{fit(2, func(o *GaussianOptions) { o.LeftRight = -1 }), "LeftRight is -1"},
		{fit(2, func(o *GaussianOptions) { o.Restarts = -1 }), "Restarts is -1"},
		{fit(2, func(o *GaussianOptions) { o.LeftRight, o.Smoothing = 1, 2 }), "Smoothing is 2, but needs to be 0 in a left-right model"},
		{fit(2, func(o *GaussianOptions) { o.States = []string{"a"} }), "States is 1 names"},
		{fit(2, func(o *GaussianOptions) { o.Weights = []float64{1, 1} }), "Weights"},
		{second(FitGaussian(context.Background(), nil, 2, GaussianOptions{})), "sequences is empty"},
		{second(BaumWelchGaussian(context.Background(), new(GaussianHMM), X, BaumWelchOptions{})), "not fitted"},
		{made(func(p *GaussianParameters) { p.Kind = "round" }), `Covariance is "round"`},
		{made(func(p *GaussianParameters) { p.Weights = p.Weights[:1] }), "Weights is 1 rows"},
		{made(func(p *GaussianParameters) { p.Weights[1] = []float64{.5, .6} }), "Weights[1]"},
		{made(func(p *GaussianParameters) { p.Means = p.Means[:2] }), "one mean for each of the 4 components of states"},
		{made(func(p *GaussianParameters) { p.Covariances = p.Covariances[:2] }), "4 matrices, as many as means"},
		{made(func(p *GaussianParameters) { p.Kind = mixture.Tied }), "Covariances[1][0][0]"},
		{made(func(p *GaussianParameters) { p.Kind = mixture.Diagonal }), "0 in a diagonal model"},
		{made(func(p *GaussianParameters) {
			p.Kind, p.Covariances[0] = mixture.Spherical, [][]float64{{1, 0}, {0, 2}}
		}), "equal to the other variances in a spherical model"},
	} {
		var argument *fault.ArgumentError
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) || !errors.As(c.err, &argument) && c.want != "not fitted" {
			t.Errorf("error %v, want %q", c.err, c.want)
		}
	}
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := FitGaussian(stopped, X, 2, GaussianOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
}
