package prlbeam_test

import (
	"bytes"
	"context"
	"encoding"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/bayes"
	"github.com/prlab/prlab/prl/boost"
	"github.com/prlab/prlab/prl/mixture"
	"github.com/prlab/prlab/prl/sufficient"
	"github.com/prlab/prlab/prl/sufficient/prlbeam"
)

// The runner is prism, which runs bundles in the own process by way of all the encodings of other runners.
func TestMain(m *testing.M) { ptest.Main(m) }

// kept is where the pipelines leave what they have gathered.
var kept struct {
	sync.Mutex
	all [][]byte
}

func keep[T encoding.BinaryMarshaler](s T) error {
	data, err := s.MarshalBinary()
	kept.Lock()
	defer kept.Unlock()
	kept.all = append(kept.all, data)
	return err
}

func keepMoments(s *sufficient.Moments) error         { return keep(s) }
func keepClasses(s *sufficient.Classes) error         { return keep(s) }
func keepCounts(s *sufficient.Counts) error           { return keep(s) }
func keepRegression(s *sufficient.Regression) error   { return keep(s) }
func keepKMeansRound(s *sufficient.KMeansRound) error { return keep(s) }
func keepEMRound(s *sufficient.EMRound) error         { return keep(s) }
func keepGrowthPart(s *boost.GrowthPart) error        { return keep(s) }
func seventh(r prlbeam.Row) (int, prlbeam.Row)        { return int(math.Abs(r.Target*1e6)) % 7, r }

func init() {
	register.Function1x1(keepMoments)
	register.Function1x1(keepClasses)
	register.Function1x1(keepCounts)
	register.Function1x1(keepRegression)
	register.Function1x1(keepKMeansRound)
	register.Function1x1(keepEMRound)
	register.Function1x1(keepGrowthPart)
	register.Function1x2(seventh)
}

const n, d = 210, 3

// sample returns rows of three classes, large and far from zero.
func sample() (X *mat.Dense, y []int, target, w []float64, rows []prlbeam.Row) {
	random := rand.New(rand.NewPCG(6, 6))
	X = mat.NewDense(n, d, nil)
	for i := range n {
		y, target, w = append(y, random.IntN(3)), append(target, random.NormFloat64()), append(w, float64(1+random.IntN(3)))
		for j := range d {
			X.Set(i, j, math.Abs(1000+random.NormFloat64()*float64(1+j)+float64(2*y[i])))
		}
		rows = append(rows, prlbeam.Row{X: slices.Clone(X.RawRowView(i)), Class: int64(y[i]), Target: target[i], Weight: w[i]})
	}
	return X, y, target, w, rows
}

// combined runs a pipeline that gathers rows in parts and merges them, and returns the one statistic.
func combined[T any, P interface {
	*T
	encoding.BinaryUnmarshaler
}](t *testing.T, rows []prlbeam.Row, fn, keep any) P {
	t.Helper()
	kept.all = nil
	p, s := beam.NewPipelineWithRoot()
	beam.ParDo0(s, keep, beam.Combine(s, fn, beam.Reshuffle(s, beam.CreateList(s, rows))))
	ptest.RunAndValidate(t, p)
	if len(kept.all) != 1 {
		t.Fatalf("%d statistics, want 1", len(kept.all))
	}
	out := P(new(T))
	if err := out.UnmarshalBinary(kept.all[0]); err != nil {
		t.Fatal(err)
	}
	return out
}

func near(t *testing.T, what string, have, want []float64) {
	t.Helper()
	size, worst := 0.0, 0.0
	for i, v := range want {
		size, worst = max(size, math.Abs(v)), max(worst, math.Abs(v-have[i]))
	}
	if len(have) != len(want) || !(worst <= 1e-12*size) {
		t.Errorf("%s: off by %g of %g", what, worst, size)
	}
}

func got[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func numbers(m mat.Matrix) []float64 { return mat.DenseCopyOf(m).RawMatrix().Data }

// What a pipeline gathers is what one pass over the rows gathers.
func TestPipelines(t *testing.T) {
	X, y, target, w, rows := sample()
	ctx := context.Background()

	m := combined[sufficient.Moments](t, rows, &prlbeam.MomentsFn{}, keepMoments)
	var wantM sufficient.Moments
	if err := wantM.Add(X, w); err != nil {
		t.Fatal(err)
	}
	near(t, "mean", m.Mean(), wantM.Mean())
	near(t, "scatter", numbers(m.Scatter()), numbers(wantM.Scatter()))

	c := combined[sufficient.Classes](t, rows, &prlbeam.ClassesFn{}, keepClasses)
	have, want := got(c.LDA(bayes.Options{})), got(bayes.FitLDA(ctx, X, y, bayes.Options{Weights: w}))
	near(t, "LDA: covariance", numbers(have.Pooled()), numbers(want.Pooled()))
	near(t, "LDA: priors", have.Priors(), want.Priors())
	diagonal := combined[sufficient.Classes](t, rows, &prlbeam.ClassesFn{Diagonal: true}, keepClasses)
	nb, wantNB := got(diagonal.GaussianNB(bayes.Options{})), got(bayes.FitGaussianNB(ctx, X, y, bayes.Options{Weights: w}))
	for k := range 3 {
		near(t, "LDA: mean", have.Gaussian(k).Mean(), want.Gaussian(k).Mean())
		near(t, "GaussianNB: covariance", numbers(nb.Gaussian(k).Cov()), numbers(wantNB.Gaussian(k).Cov()))
	}

	counts := combined[sufficient.Counts](t, rows, &prlbeam.CountsFn{}, keepCounts)
	bags, wantBags := got(counts.MultinomialNB(bayes.CountOptions{})), got(bayes.FitMultinomialNB(ctx, X, y, bayes.CountOptions{Weights: w}))
	presence := combined[sufficient.Counts](t, rows, &prlbeam.CountsFn{Presence: true, Above: 1002}, keepCounts)
	coins := got(presence.BernoulliNB(bayes.CountOptions{}))
	wantCoins := got(bayes.FitBernoulliNB(ctx, X, y, bayes.CountOptions{Weights: w, Above: 1002}))
	for k := range 3 {
		near(t, "MultinomialNB", bags.LogProb(k), wantBags.LogProb(k))
		near(t, "BernoulliNB", coins.LogProb(k), wantCoins.LogProb(k))
	}

	r := combined[sufficient.Regression](t, rows, &prlbeam.RegressionFn{}, keepRegression)
	var wantR sufficient.Regression
	if err := wantR.Add(X, target, w); err != nil {
		t.Fatal(err)
	}
	near(t, "least squares", got(r.LeastSquares(1)).Coefficients, got(wantR.LeastSquares(1)).Coefficients)

	centres := got(mixture.KMeansOf([][]float64{{1000, 1000, 1000}, {1004, 1004, 1004}}))
	round := combined[sufficient.KMeansRound](t, rows, &prlbeam.KMeansRoundFn{Model: got(centres.MarshalBinary())}, keepKMeansRound)
	wantRound := got(sufficient.NewKMeansRound(centres))
	if err := wantRound.Add(X, w); err != nil {
		t.Fatal(err)
	}
	near(t, "k-means", slices.Concat(got(round.Next()).Centres()...), slices.Concat(got(wantRound.Next()).Centres()...))

	gmm := got(mixture.FitGMM(ctx, X, mixture.GMMOptions{K: 2, MaxIter: 2, Restarts: 1}))
	em := combined[sufficient.EMRound](t, rows, &prlbeam.EMRoundFn{Model: got(gmm.MarshalBinary())}, keepEMRound)
	wantEM := got(sufficient.NewEMRound(gmm))
	if err := wantEM.Add(X, w); err != nil {
		t.Fatal(err)
	}
	near(t, "EM", slices.Concat(got(em.Next(0)).Means()...), slices.Concat(got(wantEM.Next(0)).Means()...))
	near(t, "EM: log-likelihood", []float64{em.LogLikelihood()}, []float64{wantEM.LogLikelihood()})
}

// Boosted models that pipelines grow are those of one process, bit for bit.
func TestGrowth(t *testing.T) {
	X, y, target, w, rows := sample()
	for i := range y {
		y[i] = min(y[i], 1)
		rows[i].Class = int64(y[i])
	}
	ctx := context.Background()
	o := boost.GradientOptions{Rounds: 2, Depth: 3}
	grow := func(classes int) *boost.Growth {
		g := got(boost.NewGrowth(ctx, X, classes, o))
		for !g.Done() {
			part := got(g.Part().MarshalBinary())
			if err := g.Take(combined[boost.GrowthPart](t, rows, &prlbeam.GrowthFn{Part: part}, keepGrowthPart)); err != nil {
				t.Fatal(err)
			}
		}
		return g
	}
	regression, classes := got(grow(0).Regressor()), got(grow(2).Classifier())
	o.Weights = w
	wantRegression, wantClasses := got(boost.FitGradientRegression(ctx, X, target, o)), got(boost.FitGradient(ctx, X, y, o))
	for name, pair := range map[string][2]encoding.BinaryMarshaler{
		"regression": {regression, wantRegression}, "classes": {classes, wantClasses},
	} {
		if !bytes.Equal(got(pair[0].MarshalBinary()), got(pair[1].MarshalBinary())) {
			t.Errorf("%s: the model of the pipelines is another than that of one process", name)
		}
	}
	if regression.Len() != 2 || classes.Len() != 2 {
		t.Errorf("%d and %d rounds, want 2", regression.Len(), classes.Len())
	}
}

// Statistics by key merge to those of all: seven machines with their own models, and one with the model of all.
func TestByKey(t *testing.T) {
	X, y, _, w, rows := sample()
	kept.all = nil
	p, s := beam.NewPipelineWithRoot()
	keyed := beam.ParDo(s, seventh, beam.CreateList(s, rows))
	beam.ParDo0(s, keepClasses, beam.DropKey(s, beam.CombinePerKey(s, &prlbeam.ClassesFn{}, keyed)))
	ptest.RunAndValidate(t, p)
	if len(kept.all) != 7 {
		t.Fatalf("%d keys, want 7", len(kept.all))
	}
	var all, want sufficient.Classes
	for _, data := range kept.all {
		var part sufficient.Classes
		if err := part.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		if err := all.Merge(&part); err != nil {
			t.Fatal(err)
		}
	}
	if err := want.Add(X, y, w); err != nil {
		t.Fatal(err)
	}
	near(t, "weights", all.Weights(), want.Weights())
	near(t, "within", numbers(got(all.Scatters()).Within), numbers(got(want.Scatters()).Within))
}

// A row that cannot be taken in ends the pipeline with an error that says why.
func TestBadRow(t *testing.T) {
	p, s := beam.NewPipelineWithRoot()
	rows := []prlbeam.Row{{X: []float64{1, 2}}, {X: []float64{1}}}
	beam.ParDo0(s, keepMoments, beam.Combine(s, &prlbeam.MomentsFn{}, beam.CreateList(s, rows)))
	if err := ptest.Run(p); err == nil {
		t.Error("rows of two widths were combined")
	}
}
