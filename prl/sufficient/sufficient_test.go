package sufficient_test

import (
	"bytes"
	"context"
	"encoding"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/bayes"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/markov"
	"github.com/prlab/prlab/prl/mixture"
	"github.com/prlab/prlab/prl/reduce"
	"github.com/prlab/prlab/prl/sparse"
	"github.com/prlab/prlab/prl/sufficient"
)

const (
	n, d, k = 700, 4, 3
	within  = 1e-12
)

// sample returns rows of k classes with correlated columns about offset, and their weights.
func sample(offset float64) (X *mat.Dense, y []int, w []float64) {
	random := rand.New(rand.NewPCG(18, 5))
	X, y, w = mat.NewDense(n, d, nil), make([]int, n), make([]float64, n)
	for i := range n {
		y[i], w[i] = random.IntN(k), float64(random.IntN(4))/2
		common := random.NormFloat64()
		for j := range d {
			X.Set(i, j, offset+common+float64(1+j)*random.NormFloat64()+3*float64(y[i]*j))
		}
	}
	return X, y, w
}

// parts are the rows 0 ... n-1 cut into seven of different lengths, one of a single row, in an order that is not theirs.
func parts() [][2]int {
	cuts := []int{0, 1, 90, 91, 300, 420, 650, n}
	var out [][2]int
	for _, i := range []int{4, 0, 6, 2, 1, 5, 3} {
		out = append(out, [2]int{cuts[i], cuts[i+1]})
	}
	return out
}

func slice(X *mat.Dense, p [2]int) *mat.Dense { return X.Slice(p[0], p[1], 0, d).(*mat.Dense) }

// merged gathers seven parts, sends each through storage, and merges them by pairs.
func merged[T any, P interface {
	*T
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
	Merge(P) error
}](t *testing.T, empty func() P, add func(s P, p [2]int) error) P {
	t.Helper()
	var all []P
	for _, p := range parts() {
		s := empty()
		must(t, add(s, p))
		data, err := s.MarshalBinary()
		must(t, err)
		read := P(new(T))
		must(t, read.UnmarshalBinary(data))
		for cut := range len(data) {
			if P(new(T)).UnmarshalBinary(data[:cut]) == nil {
				t.Fatalf("%d of %d bytes were read", cut, len(data))
			}
		}
		all = append(all, read)
	}
	for len(all) > 1 {
		must(t, all[0].Merge(all[1]))
		all = append(all[2:], all[0])
	}
	return all[0]
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func got[T any](t *testing.T) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		must(t, err)
		return v
	}
}

// near compares numbers by the size of the largest of them.
func near(t *testing.T, what string, have, want []float64, tolerance float64) {
	t.Helper()
	if len(have) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", what, len(have), len(want))
	}
	size, worst := 0.0, 0.0
	for i, v := range want {
		size, worst = max(size, math.Abs(v)), max(worst, math.Abs(v-have[i]))
	}
	if !(worst <= tolerance*size) {
		t.Errorf("%s: off by %.3g of %.3g\nhave %v\nwant %v", what, worst, size, have, want)
	}
}

func numbers(m mat.Matrix) []float64 { return mat.DenseCopyOf(m).RawMatrix().Data }

// exact returns mean and scatter of weighted rows in arithmetic of 400 bits.
func exact(X *mat.Dense, w []float64) (mean, scatter []float64) {
	real := func(v float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(v) }
	sum, m := real(0), make([]*big.Float, d)
	for j := range m {
		m[j] = real(0)
	}
	for i := range n {
		sum.Add(sum, real(w[i]))
		for j := range m {
			m[j].Add(m[j], new(big.Float).Mul(real(w[i]), real(X.At(i, j))))
		}
	}
	for j := range m {
		m[j].Quo(m[j], sum)
		v, _ := m[j].Float64()
		mean = append(mean, v)
	}
	for a := range d {
		for b := range d {
			s := real(0)
			for i := range n {
				u, v := new(big.Float).Sub(real(X.At(i, a)), m[a]), new(big.Float).Sub(real(X.At(i, b)), m[b])
				s.Add(s, u.Mul(u, v).Mul(u, real(w[i])))
			}
			v, _ := s.Float64()
			scatter = append(scatter, v)
		}
	}
	return mean, scatter
}

// Seven parts, merged in any order, are one pass, and both have the moments of exact arithmetic, also where the columns lie at 1e8 and sums
// of squares about zero would have no digit of the variance.
func TestMomentsOfSevenParts(t *testing.T) {
	for _, offset := range []float64{0, -7, 1e8, 1e12} {
		X, _, w := sample(offset)
		mean, scatter := exact(X, w)
		one := new(sufficient.Moments)
		must(t, one.Add(X, w))
		seven := merged(t, func() *sufficient.Moments { return new(sufficient.Moments) }, func(s *sufficient.Moments, p [2]int) error {
			return s.Add(slice(X, p), w[p[0]:p[1]])
		})
		single := new(sufficient.Moments)
		for i := range n {
			must(t, single.Add(X.Slice(i, i+1, 0, d), w[i:i+1]))
		}
		for name, m := range map[string]*sufficient.Moments{"one pass": one, "seven parts": seven, "row by row": single} {
			what := fmt.Sprintf("%s at %g: ", name, offset)
			near(t, what+"mean", m.Mean(), mean, 1e-15)
			near(t, what+"scatter", numbers(m.Scatter()), scatter, within)
			if m.Rows() != one.Rows() || m.Weight() != one.Weight() {
				t.Errorf("%s%d rows of weight %v, want %d of %v", what, m.Rows(), m.Weight(), one.Rows(), one.Weight())
			}
		}
	}
}

// Every fit from merged statistics is the fit of the package on all rows.
func TestFitsOfSevenParts(t *testing.T) {
	for _, offset := range []float64{0, 1e8} {
		X, y, w := sample(offset)
		ctx := context.Background()
		near := func(t *testing.T, what string, have, want []float64) {
			t.Helper()
			near(t, fmt.Sprintf("%s at %g", what, offset), have, want, within)
		}
		full := merged(t, func() *sufficient.Classes { return new(sufficient.Classes) }, func(s *sufficient.Classes, p [2]int) error {
			return s.Add(slice(X, p), y[p[0]:p[1]], w[p[0]:p[1]])
		})
		none := func() *sufficient.Classes { return &sufficient.Classes{Diagonal: true} }
		diagonal := merged(t, none, func(s *sufficient.Classes, p [2]int) error {
			return s.Add(slice(X, p), y[p[0]:p[1]], w[p[0]:p[1]])
		})
		type fit = func(context.Context, mat.Matrix, []int, bayes.Options) (*bayes.Classifier, error)
		for _, c := range []struct {
			name string
			fit  fit
			from func(bayes.Options) (*bayes.Classifier, error)
			o    bayes.Options
		}{
			{"LDA", bayes.FitLDA, full.LDA, bayes.Options{}},
			{"LDA, maximum likelihood, shrunk", bayes.FitLDA, full.LDA, bayes.Options{Denominator: bayes.MaximumLikelihood, Shrinkage: 0.2}},
			{"QDA", bayes.FitQDA, full.QDA, bayes.Options{Balanced: true}},
			{"QDA, pooled", bayes.FitQDA, full.QDA, bayes.Options{Pooling: 0.3, Priors: []float64{0.2, 0.3, 0.5}}},
			{"GaussianNB", bayes.FitGaussianNB, full.GaussianNB, bayes.Options{}},
			{"GaussianNB, diagonal", bayes.FitGaussianNB, diagonal.GaussianNB, bayes.Options{}},
			{"NearestMean", bayes.FitNearestMean, full.NearestMean, bayes.Options{}},
			{"NearestMean, diagonal", bayes.FitNearestMean, diagonal.NearestMean, bayes.Options{}},
		} {
			have := got[*bayes.Classifier](t)(c.from(c.o))
			c.o.Weights = w
			want := got[*bayes.Classifier](t)(c.fit(ctx, X, y, c.o))
			if have.Name() != want.Name() {
				t.Errorf("%s is called %s", c.name, have.Name())
			}
			near(t, c.name+": priors", have.Priors(), want.Priors())
			for class := range k {
				near(t, c.name+": mean", have.Gaussian(class).Mean(), want.Gaussian(class).Mean())
				near(t, c.name+": covariance", numbers(have.Gaussian(class).Cov()), numbers(want.Gaussian(class).Cov()))
			}
		}
		scatters, want := got[*reduce.Scatter](t)(full.Scatters()), got[*reduce.Scatter](t)(reduce.Scatters(X, y, w))
		near(t, "S_W", numbers(scatters.Within), numbers(want.Within))
		near(t, "S_B", numbers(scatters.Between), numbers(want.Between))
		near(t, "S_T", numbers(scatters.Total), numbers(want.Total))

		m := got[*sufficient.Moments](t)(full.Moments())
		for _, o := range []reduce.PCAOptions{{}, {Components: 2, Scale: true, Divisor: reduce.Population}} {
			have := got[*reduce.PCA](t)(m.PCA(o))
			o.Weights = w
			want := got[*reduce.PCA](t)(reduce.FitPCA(ctx, X, o))
			near(t, "PCA: variances", have.Variances(), want.Variances())
			near(t, "PCA: axes", numbers(have.Axes()), numbers(want.Axes()))
			near(t, "PCA: scores", numbers(got[*mat.Dense](t)(have.Transform(X))), numbers(got[*mat.Dense](t)(want.Transform(X))))
		}
		for _, o := range []reduce.WhitenOptions{{}, {Form: reduce.ZCA, Regularise: 0.1}, {Form: reduce.Triangular, Divisor: reduce.Population}} {
			have, pooled := got[*reduce.Whitening](t)(m.Whitening(o)), got[*reduce.Whitening](t)(full.Whitening(o))
			o.Weights = w
			near(t, "whitening", numbers(have.Matrix()), numbers(got[*reduce.Whitening](t)(reduce.FitWhitening(ctx, X, o)).Matrix()))
			o.Labels = y
			near(t, "pooled whitening", numbers(pooled.Matrix()), numbers(got[*reduce.Whitening](t)(reduce.FitWhitening(ctx, X, o)).Matrix()))
		}
	}
}

func TestCountsOfSevenParts(t *testing.T) {
	X, y, w := sample(0)
	X.Apply(func(_, _ int, v float64) float64 { return math.Floor(math.Abs(v)) }, X)
	ctx := context.Background()
	gather := func(presence bool, above float64) *sufficient.Counts {
		none := func() *sufficient.Counts { return &sufficient.Counts{Presence: presence, Above: above} }
		return merged(t, none, func(s *sufficient.Counts, p [2]int) error {
			return s.Add(slice(X, p), y[p[0]:p[1]], w[p[0]:p[1]])
		})
	}
	sums, presence := gather(false, 0), gather(true, 1.5)
	type fit = func(context.Context, mat.Matrix, []int, bayes.CountOptions) (*bayes.CountNB, error)
	for _, c := range []struct {
		fit   fit
		from  func(bayes.CountOptions) (*bayes.CountNB, error)
		o     bayes.CountOptions
		above float64
	}{
		{bayes.FitMultinomialNB, sums.MultinomialNB, bayes.CountOptions{Smoothing: 0.5, Pooled: true}, 0},
		{bayes.FitComplementNB, sums.ComplementNB, bayes.CountOptions{}, 0},
		{bayes.FitBernoulliNB, presence.BernoulliNB, bayes.CountOptions{Balanced: true}, 1.5},
	} {
		have := got[*bayes.CountNB](t)(c.from(c.o))
		c.o.Weights, c.o.Above = w, c.above
		want := got[*bayes.CountNB](t)(c.fit(ctx, X, y, c.o))
		if have.Name() != want.Name() {
			t.Errorf("%s is called %s", want.Name(), have.Name())
		}
		near(t, want.Name()+": priors", have.Priors(), want.Priors(), within)
		for class := range k {
			near(t, want.Name()+": log p", have.LogProb(class), want.LogProb(class), within)
		}
		near(t, want.Name()+": scores", numbers(got[*mat.Dense](t)(have.Proba(X))), numbers(got[*mat.Dense](t)(want.Proba(X))), within)
	}
	if _, err := sums.BernoulliNB(bayes.CountOptions{}); err == nil {
		t.Error("BernoulliNB was fitted to sums")
	}
	if _, err := presence.MultinomialNB(bayes.CountOptions{}); err == nil {
		t.Error("MultinomialNB was fitted to presence")
	}
	// Rows without their zeros have the same counts, and moments.
	thin, dense := new(sufficient.Counts), new(sufficient.Counts)
	must(t, thin.Add(sparse.Of(X), y, w))
	must(t, dense.Add(X, y, w))
	a, _ := thin.MarshalBinary()
	b, _ := dense.MarshalBinary()
	below, above := &sufficient.Counts{Presence: true, Above: -1}, &sufficient.Counts{Presence: true, Above: -1}
	must(t, below.Add(sparse.Of(X), y, w))
	must(t, above.Add(X, y, w))
	c, _ := below.MarshalBinary()
	e, _ := above.MarshalBinary()
	if !bytes.Equal(a, b) || !bytes.Equal(c, e) {
		t.Error("rows without their zeros have other counts")
	}
	var m, sm sufficient.Moments
	must(t, m.Add(X, w))
	must(t, sm.Add(sparse.Of(X), w))
	near(t, "scatter", numbers(sm.Scatter()), numbers(m.Scatter()), 0)
	X.Set(3, 2, -1)
	if err := thin.Add(sparse.Of(X), y, nil); err == nil || !strings.Contains(err.Error(), "X[3, 2]") {
		t.Errorf("a negative count: %v", err)
	}
	if err := sums.Add(X, y, nil); err == nil || !strings.Contains(err.Error(), "X[3, 2]") {
		t.Errorf("a negative count: %v", err)
	}
}

// The normal equations of merged parts have the solution of least squares by the QR decomposition of the rows.
func TestRegressionOfSevenParts(t *testing.T) {
	X, y, _ := sample(5)
	random, target := rand.New(rand.NewPCG(3, 3)), make([]float64, n)
	for i := range target {
		target[i] = 2 - X.At(i, 0) + 0.5*X.At(i, 2) + float64(y[i]) + random.NormFloat64()
	}
	seven := merged(t, func() *sufficient.Regression { return new(sufficient.Regression) }, func(s *sufficient.Regression, p [2]int) error {
		return s.Add(slice(X, p), target[p[0]:p[1]], nil)
	})
	for _, ridge := range []float64{0, 30} {
		A, b := mat.NewDense(n+d, d+1, nil), mat.NewDense(n+d, 1, nil)
		for i := range n {
			A.Set(i, 0, 1)
			A.Slice(i, i+1, 1, d+1).(*mat.Dense).Copy(X.Slice(i, i+1, 0, d))
			b.Set(i, 0, target[i])
		}
		for j := range d { // ridge w^T w as d more rows
			A.Set(n+j, 1+j, math.Sqrt(ridge))
		}
		var w, left mat.Dense
		must(t, w.Solve(A, b))
		fit := got[sufficient.LinearFit](t)(seven.LeastSquares(ridge))
		near(t, "coefficients", append([]float64{fit.Intercept}, fit.Coefficients...), numbers(&w), 1e-11)
		left.Mul(A.Slice(0, n, 0, d+1), &w)
		left.Sub(&left, b.Slice(0, n, 0, 1))
		rss := mat.Dot(left.ColView(0), left.ColView(0))
		near(t, "residual sum of squares", []float64{fit.RSS}, []float64{rss}, 1e-11)
	}
	twice := mat.NewDense(n, 2, nil)
	twice.Apply(func(i, _ int, _ float64) float64 { return X.At(i, 0) }, twice)
	r := new(sufficient.Regression)
	must(t, r.Add(twice, target, nil))
	if _, err := r.LeastSquares(0); err == nil {
		t.Error("two equal columns have coefficients")
	}
}

func TestTransitionsOfSevenParts(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	sequences, weights := make([][]int, n), make([]float64, n)
	for i := range sequences {
		sequences[i], weights[i] = make([]int, 1+random.IntN(9)), float64(1+i%3)
		for at := range sequences[i] {
			sequences[i][at] = random.IntN(k)
		}
	}
	seven := merged(t, func() *sufficient.Transitions { return got[*sufficient.Transitions](t)(sufficient.NewTransitions(k)) },
		func(s *sufficient.Transitions, p [2]int) error {
			return s.Add(sequences[p[0]:p[1]], weights[p[0]:p[1]])
		})
	have := got[*markov.Chain](t)(seven.Chain(markov.CountOptions{}))
	want := got[*markov.Chain](t)(markov.CountChain(sequences, k, markov.CountOptions{Weights: weights}))
	near(t, "start", have.Start(), want.Start(), within)
	for i, row := range want.Transitions() {
		near(t, "transitions", have.Transitions()[i], row, within)
	}
}

// Rounds of merged parts are the rounds of mixture.FitKMeans, also where a centre is nobody's nearest.
func TestKMeansRoundsOfSevenParts(t *testing.T) {
	X, _, w := sample(0)
	for i := range w {
		w[i] += 0.5
	}
	centres := [][]float64{{0, 0, 0, 0}, {1, 2, 3, 4}, {-500, 0, 0, 0}, {3, 6, 9, 12}}
	want := got[*mixture.KMeans](t)(mixture.FitKMeans(context.Background(), X,
		mixture.KMeansOptions{K: 4, Centres: centres, Weights: w, Trace: true, Algorithm: mixture.Lloyd}))
	model := got[*mixture.KMeans](t)(mixture.KMeansOf(centres))
	for i, round := range want.Rounds() {
		near(t, fmt.Sprint("centres of round ", i), slices.Concat(model.Centres()...), slices.Concat(round.Centres...), within)
		r := merged(t, func() *sufficient.KMeansRound {
			return got[*sufficient.KMeansRound](t)(sufficient.NewKMeansRound(model))
		},
			func(s *sufficient.KMeansRound, p [2]int) error { return s.Add(slice(X, p), w[p[0]:p[1]]) })
		near(t, fmt.Sprint("inertia of round ", i), []float64{r.Inertia()}, []float64{round.Inertia}, within)
		model = got[*mixture.KMeans](t)(r.Next())
		if i == 0 {
			other := got[*sufficient.KMeansRound](t)(sufficient.NewKMeansRound(model))
			if r.Merge(other) == nil {
				t.Error("rounds from different centres were merged")
			}
		}
	}
	near(t, "last centres", slices.Concat(model.Centres()...), slices.Concat(want.Centres()...), within)
}

// Rounds of merged parts are the iterations of mixture.FitGMM.
func TestEMRoundsOfSevenParts(t *testing.T) {
	X, _, w := sample(0)
	for _, kind := range []mixture.Covariance{mixture.Full, mixture.Tied, mixture.Diagonal, mixture.Spherical} {
		start := got[*mixture.GMM](t)(mixture.FitGMM(context.Background(), X,
			mixture.GMMOptions{K: 3, Covariance: kind, MaxIter: 2, Restarts: 1, Weights: w}))
		want := got[*mixture.GMM](t)(mixture.FitGMM(context.Background(), X,
			mixture.GMMOptions{K: 3, Covariance: kind, Start: start, MaxIter: 4, Tol: -1, Weights: w, Trace: true}))
		model := start
		for i, at := range want.Iterations() {
			what := fmt.Sprintf("%s, iteration %d: ", kind, i)
			near(t, what+"weights", model.Weights(), at.Model.Weights(), within)
			near(t, what+"means", slices.Concat(model.Means()...), slices.Concat(at.Model.Means()...), within)
			for c, cov := range at.Model.Covariances() {
				near(t, what+"covariance", slices.Concat(model.Covariances()[c]...), slices.Concat(cov...), within)
			}
			r := merged(t, func() *sufficient.EMRound { return got[*sufficient.EMRound](t)(sufficient.NewEMRound(model)) },
				func(s *sufficient.EMRound, p [2]int) error { return s.Add(slice(X, p), w[p[0]:p[1]]) })
			near(t, what+"log-likelihood", []float64{r.LogLikelihood()}, []float64{at.LogLik}, within)
			model = got[*mixture.GMM](t)(r.Next(1e-6))
		}
		if got := len(want.Iterations()); got < 4 {
			t.Errorf("%s: only %d iterations were compared", kind, got)
		}
	}
}

// What fails leaves a statistic as it was, and says what was wrong.
func TestMistakes(t *testing.T) {
	X, y, w := sample(0)
	c, m := new(sufficient.Classes), new(sufficient.Moments)
	must(t, c.Add(X, y, w))
	must(t, m.Add(X, w))
	before, _ := c.MarshalBinary()
	bad := func(i, j int, v float64) *mat.Dense {
		B := mat.DenseCopyOf(X)
		B.Set(i, j, v)
		return B
	}
	negative, high := slices.Clone(y), slices.Clone(y)
	negative[5], high[5] = -1, 1<<30
	weights := slices.Clone(w)
	weights[7] = math.NaN()
	for name, err := range map[string]error{
		"a NaN":               c.Add(bad(2, 1, math.NaN()), y, nil),
		"squares beyond":      c.Add(bad(2, 1, 1e300), y, nil),
		"another width":       c.Add(X.Slice(0, n, 0, 2), y, nil),
		"too few labels":      c.Add(X, y[1:], nil),
		"a negative label":    c.Add(X, negative, nil),
		"a huge label":        c.Add(X, high, nil),
		"a NaN as weight":     c.Add(X, y, weights),
		"too few weights":     c.Add(X, y, w[1:]),
		"another Diagonal":    c.Merge(added(t, &sufficient.Classes{Diagonal: true}, X, y)),
		"another width there": c.Merge(added(t, new(sufficient.Classes), X.Slice(0, n, 0, 2), y)),
		"no rows":             m.Add(nil, nil),
		"automatic shrinkage": second(c.LDA(bayes.Options{ShrinkageAuto: true})),
		"weights again":       second(c.QDA(bayes.Options{Weights: w})),
		"correlations of Diagonal": second(
			added(t, &sufficient.Classes{Diagonal: true}, X, y).LDA(bayes.Options{}),
		),
		"no rows to fit":  second(new(sufficient.Classes).LDA(bayes.Options{})),
		"no rows for PCA": second(new(sufficient.Moments).PCA(reduce.PCAOptions{})),
		"labels again":    second(m.Whitening(reduce.WhitenOptions{Labels: y})),
	} {
		var argument *fault.ArgumentError
		if !errors.As(err, &argument) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if after, _ := c.MarshalBinary(); !bytes.Equal(before, after) {
		t.Error("a mistake has changed the statistics")
	}
	// A part may lack a class, and its rows may all weigh nothing; the fit needs every class.
	gap := new(sufficient.Classes)
	must(t, gap.Add(X.Slice(0, 2, 0, d), []int{0, 2}, []float64{0, 0}))
	must(t, gap.Add(X.Slice(0, 200, 0, d), slices.Repeat([]int{0, 2}, 100), nil))
	if _, err := gap.LDA(bayes.Options{}); err == nil || !strings.Contains(err.Error(), "class 1") {
		t.Errorf("a class without rows: %v", err)
	}
}

// Rows that were refused leave no width and no class behind, and rows of weight zero no digits.
func TestFirstRows(t *testing.T) {
	high, row := mat.NewDense(2, 1, []float64{1e200, -1e200}), mat.NewDense(1, 2, []float64{1, 2})
	var m sufficient.Moments
	var c sufficient.Classes
	var r sufficient.Regression
	for name, err := range map[string]error{
		"moments":    m.Add(high, nil),
		"classes":    c.Add(high.Slice(0, 1, 0, 1), []int{5}, nil),
		"regression": r.Add(high, []float64{1, 2}, nil),
	} {
		if err == nil {
			t.Errorf("%s of numbers without squares", name)
		}
	}
	if m.Dim() > 0 || c.Dim() > 0 || c.Classes() > 0 || r.Dim() > 0 {
		t.Errorf("refused rows have left %v, %v and %v", &m, &c, &r)
	}
	must(t, m.Add(row, nil))
	must(t, c.Add(row, []int{0}, nil))
	must(t, r.Add(row, []float64{1}, nil))
	far := mat.NewDense(4, 1, []float64{1e16, 1, 2, 4})
	m = sufficient.Moments{}
	must(t, m.Add(far, []float64{0, 1, 1, 1}))
	if mean, square := m.Mean()[0], m.Scatter().At(0, 0); math.Abs(mean-7./3) > 1e-15 || math.Abs(square-14./3) > 1e-14 {
		t.Errorf("behind a row of weight zero: mean %v, square sum %v", mean, square)
	}
	// The squares of each part are numbers, those of both together are not.
	m = sufficient.Moments{}
	for _, v := range []float64{1e160, -1e160} {
		if m.Add(mat.NewDense(2, 1, []float64{v, v}), nil) == nil {
			t.Errorf("rows of %g have been taken in", v)
		}
	}
}

func added(t *testing.T, c *sufficient.Classes, X mat.Matrix, y []int) *sufficient.Classes {
	t.Helper()
	must(t, c.Add(X, y, nil))
	return c
}

func second[T any](_ T, err error) error { return err }

// Damaged bytes are refused, or read as something that works; they never panic or take memory.
func FuzzUnmarshal(f *testing.F) {
	X, y, w := sample(1)
	c := &sufficient.Classes{}
	if err := c.Add(X, y, w); err != nil {
		f.Fatal(err)
	}
	data, _ := c.MarshalBinary()
	f.Add(data)
	m := new(sufficient.Moments)
	if err := m.Add(X, w); err != nil {
		f.Fatal(err)
	}
	data, _ = m.MarshalBinary()
	f.Add(data)
	model, _ := mixture.KMeansOf([][]float64{{0, 0, 0, 0}, {1, 1, 1, 1}})
	r, _ := sufficient.NewKMeansRound(model)
	if err := r.Add(X, w); err != nil {
		f.Fatal(err)
	}
	data, _ = r.MarshalBinary()
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		if c := new(sufficient.Classes); c.UnmarshalBinary(data) == nil {
			c.LDA(bayes.Options{})
			c.Add(X, y, w)
		}
		if m := new(sufficient.Moments); m.UnmarshalBinary(data) == nil {
			m.PCA(reduce.PCAOptions{})
			m.Add(X, w)
		}
		if r := new(sufficient.KMeansRound); r.UnmarshalBinary(data) == nil {
			r.Next()
			r.Add(X, w)
		}
		if c := new(sufficient.Counts); c.UnmarshalBinary(data) == nil {
			c.MultinomialNB(bayes.CountOptions{})
		}
		if s := new(sufficient.Transitions); s.UnmarshalBinary(data) == nil {
			s.Chain(markov.CountOptions{})
		}
		if r := new(sufficient.EMRound); r.UnmarshalBinary(data) == nil {
			r.Next(0)
		}
		if r := new(sufficient.Regression); r.UnmarshalBinary(data) == nil {
			r.LeastSquares(0)
		}
	})
}

// TestRoundInOtherUnits takes a step of EM on the same rows in units of a power of two: the covariances scale with them.
func TestRoundInOtherUnits(t *testing.T) {
	rows := []float64{0, 1, 2, 7, 8, 10}
	step := func(unit float64) float64 {
		x := mat.NewDense(len(rows), 1, nil)
		for i, v := range rows {
			x.Set(i, 0, unit*v)
		}
		cov := [][]float64{{unit * unit}}
		r := got[*sufficient.EMRound](t)(sufficient.NewEMRound(got[*mixture.GMM](t)(mixture.NewGMM(mixture.GMMParameters{
			Weights: []float64{0.5, 0.5}, Means: [][]float64{{unit}, {8 * unit}}, Covariances: [][][]float64{cov, cov}, Kind: mixture.Full,
		}))))
		if err := r.Add(x, nil); err != nil {
			t.Fatal(err)
		}
		return got[*mixture.GMM](t)(r.Next(1e-3)).Covariances()[0][0][0]
	}
	if a, b := math.Ldexp(step(1), -40), step(1.0/(1<<20)); math.Abs(a/b-1) > 1e-9 {
		t.Errorf("a variance of %v in units of 2^-20, not %v", b, a)
	}
}
