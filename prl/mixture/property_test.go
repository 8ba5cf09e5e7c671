package mixture

import (
	"context"
	"errors"
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
	"github.com/prlab/prlab/prl/fuzztest"
)

// cloud draws n points about k centres in d dimensions.
func cloud(n, k, d int, spread float64, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 1))
	centres := make([]float64, k*d)
	for i := range centres {
		centres[i] = spread * rng.NormFloat64()
	}
	X := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			X.Set(i, j, centres[i%k*d+j]+rng.NormFloat64())
		}
	}
	return X
}

// Bounds change the work, not the result: Hamerly and Lloyd agree from the same start, whatever the shape.
func TestHamerlyIsLloyd(t *testing.T) {
	for seed := range uint64(30) {
		n, k, d := 50+int(seed)*97, 2+int(seed%9), 1+int(seed%7)
		X := cloud(n, 5, d, float64(seed%4), seed)
		o := KMeansOptions{K: k}
		o.Restarts, o.Seed = 1, seed
		if seed%3 == 0 {
			o.Weights = make([]float64, n)
			for i := range o.Weights {
				o.Weights[i] = float64(1 + i%3)
			}
		}
		a, err := FitKMeans(ctx, X, o)
		if err != nil {
			t.Fatal(err)
		}
		o.Algorithm = Lloyd
		b, err := FitKMeans(ctx, X, o)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(a.Labels(), b.Labels()) || a.Iterations() != b.Iterations() {
			t.Errorf(
				"seed %d: n %d, k %d, d %d: inertia %g and %g, rounds %d and %d",
				seed,
				n,
				k,
				d,
				a.Inertia(),
				b.Inertia(),
				a.Iterations(),
				b.Iterations(),
			)
		}
		labels, err := a.Predict(X)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(labels, a.Labels()) {
			t.Errorf("seed %d: labels of the fit are not the nearest centres", seed)
		}
	}
}

func TestKMeansProperties(t *testing.T) {
	X := cloud(300, 4, 2, 2, 1)
	o := KMeansOptions{K: 6}
	o.Trace = true
	m, err := FitKMeans(ctx, X, o)
	if err != nil {
		t.Fatal(err)
	}
	rounds := m.Rounds()
	for i := 1; i < len(rounds); i++ {
		if rounds[i].Inertia > rounds[i-1].Inertia*(1+1e-12) {
			t.Errorf("round %d: J rises from %g to %g", i, rounds[i-1].Inertia, rounds[i].Inertia)
		}
	}
	// A weight of k is k copies; a weight of 0 is no row.
	copies := mat.NewDense(5, 1, []float64{0, 0, 1, 5, 6})
	weighted := column(0, 1, 5, 6, 100)
	a := KMeansOptions{K: 2}
	a.Centres = [][]float64{{0}, {3}}
	one, err := FitKMeans(ctx, copies, a)
	if err != nil {
		t.Fatal(err)
	}
	a.Weights = []float64{2, 1, 1, 1, 0}
	two, err := FitKMeans(ctx, weighted, a)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "inertia", two.Inertia(), one.Inertia(), 1e-12)
	estimatortest.NearAll(t, "centre", two.Centres()[0], one.Centres()[0], 1e-12)
	// A centre that owns no row gets one.
	a = KMeansOptions{K: 3}
	a.Centres = [][]float64{{0}, {1}, {1000}}
	far, err := FitKMeans(ctx, column(0, 1, 2, 10), a)
	if err != nil {
		t.Fatal(err)
	}
	if slices.Min(far.Sizes()) == 0 {
		t.Errorf("sizes %v", far.Sizes())
	}
	// More clusters than distinct rows end with inertia 0 and no failure.
	same, err := FitKMeans(ctx, column(1, 1, 1, 2), KMeansOptions{K: 3})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "inertia", same.Inertia(), 0, 0)
}

func TestEMProperties(t *testing.T) {
	X := cloud(200, 3, 3, 2, 4)
	for _, kind := range []Covariance{Full, Tied, Diagonal, Spherical} {
		for _, init := range []Init{InitKMeans, InitRandom} {
			o := GMMOptions{K: 3}
			o.Covariance, o.Init, o.Reg, o.Trace, o.Restarts, o.MaxIter = kind, init, estimator.None, true, 1, 60
			calls := 0
			o.Progress = func(estimator.Progress) { calls++ }
			m, err := FitGMM(ctx, X, o)
			if err != nil {
				t.Fatal(err)
			}
			if calls != m.End().Iterations {
				t.Errorf("%d reports of %d iterations", calls, m.End().Iterations)
			}
			h := m.History()
			for i, s := range m.Iterations() {
				near(t, "L = Q + H", s.Q+s.H, h[i], 1e-9)
				exact, err := s.Model.LogDensities(X)
				if err != nil {
					t.Fatal(err)
				}
				sum := 0.0
				for _, v := range exact {
					sum += v
				}
				near(t, "L with negligible terms left out", h[i], sum, 1e-9)
				if i == 0 {
					continue
				}
				if h[i] < h[i-1]-1e-9 {
					t.Errorf("%s, iteration %d: log-likelihood falls from %.12g to %.12g", kind, i, h[i-1], h[i])
				}
				before := m.Iterations()[i-1].Model
				bound, err := LowerBound(X, before, s.Model)
				if err != nil {
					t.Fatal(err)
				}
				touch, err := LowerBound(X, before, before)
				if err != nil {
					t.Fatal(err)
				}
				near(t, "the bound touches", touch, h[i-1], 1e-9)
				if bound > h[i]+1e-9 || bound < touch-1e-9 {
					t.Errorf("%s, iteration %d: bound %g, before %g, log-likelihood %g", kind, i, bound, touch, h[i])
				}
			}
			p, err := m.Proba(X)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 200 {
				near(t, "sum of responsibilities", mat.Sum(p.RowView(i)), 1, 1e-12)
			}
			// The free covariances have the promised shape.
			for _, cov := range m.Covariances() {
				switch kind {
				case Diagonal, Spherical:
					near(t, "covariance", cov[0][1], 0, 0)
					if kind == Spherical {
						near(t, "variance", cov[0][0], cov[1][1], 0)
					}
				case Tied:
					near(t, "tied", cov[1][2], m.Covariances()[0][1][2], 0)
				}
			}
			data, err := m.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			var back GMM
			if err := back.UnmarshalBinary(data); err != nil {
				t.Fatal(err)
			}
			q, err := back.Proba(X)
			if err != nil {
				t.Fatal(err)
			}
			if !mat.EqualApprox(p, q, 1e-15) {
				t.Error("the decoded mixture differs")
			}
		}
	}
}

// With one component in one dimension all four types are one model. Source: the same test in scikit-learn.
func TestOneComponent(t *testing.T) {
	X := cloud(100, 1, 1, 2, 3)
	var first float64
	for i, kind := range []Covariance{Full, Tied, Diagonal, Spherical} {
		o := GMMOptions{K: 1}
		o.Covariance = kind
		m, err := FitGMM(ctx, X, o)
		if err != nil {
			t.Fatal(err)
		}
		bic, err := m.BIC(X)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = bic
		}
		near(t, "BIC of "+string(kind), bic, first, 1e-9)
		if m.FreeParameters() != 2 {
			t.Errorf("%s: %d free parameters", kind, m.FreeParameters())
		}
	}
}

func TestInvariance(t *testing.T) {
	X := cloud(120, 3, 2, 3, 7)
	start, err := NewGMM(GMMParameters{
		Weights: []float64{.3, .3, .4}, Means: [][]float64{{0, 0}, {3, 3}, {-3, 3}},
		Covariances: [][][]float64{{{1, 0}, {0, 1}}, {{2, 0}, {0, 2}}, {{1, .1}, {.1, 1}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	o := GMMOptions{K: 3}
	o.Start, o.MaxIter, o.Tol = start, 15, estimator.None
	m, err := FitGMM(ctx, X, o)
	if err != nil {
		t.Fatal(err)
	}
	// Rows in another order.
	perm := rand.New(rand.NewPCG(1, 2)).Perm(120)
	P := mat.NewDense(120, 2, nil)
	for i, from := range perm {
		P.SetRow(i, X.RawRowView(from))
	}
	p, err := FitGMM(ctx, P, o)
	if err != nil {
		t.Fatal(err)
	}
	estimatortest.NearAll(t, "permuted rows", p.means, m.means, 1e-9)
	// Weight 2 is two copies, weight 0 is no row.
	w := make([]float64, 120)
	var copies []float64
	n := 0
	for i := range w {
		w[i] = float64(i % 3)
		for range i % 3 {
			copies = append(copies, X.RawRowView(i)...)
			n++
		}
	}
	a, err := FitGMM(ctx, mat.NewDense(n, 2, copies), o)
	if err != nil {
		t.Fatal(err)
	}
	o.Weights = w
	b, err := FitGMM(ctx, X, o)
	if err != nil {
		t.Fatal(err)
	}
	estimatortest.NearAll(t, "weights", b.means, a.means, 1e-9)
	estimatortest.NearAll(t, "weights", slices.Concat(b.covs...), slices.Concat(a.covs...), 1e-9)
	estimatortest.NearAll(t, "log-likelihood", b.History(), a.History(), 1e-8)
}

// Two equal components are a fixed point of EM: they stay equal for ever.
func TestEqualComponents(t *testing.T) {
	X := column(-0.2, 0, .2, 3.8, 4, 4.2)
	start, err := NewGMM(GMMParameters{Weights: []float64{.5, .5}, Means: [][]float64{{1}, {1}}, Covariances: [][][]float64{{{1}}, {{1}}}})
	if err != nil {
		t.Fatal(err)
	}
	o := GMMOptions{K: 2}
	o.Start, o.MaxIter, o.Tol = start, 50, estimator.None
	m, err := FitGMM(ctx, X, o)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "first mean", m.means[0], 2, 1e-12)
	near(t, "second mean", m.means[1], m.means[0], 0)
	near(t, "second variance", m.covs[1][0], m.covs[0][0], 0)
}

func TestSampling(t *testing.T) {
	m, err := NewGMM(
		GMMParameters{
			Weights:     []float64{.2, .8},
			Means:       [][]float64{{0, 0}, {5, 1}},
			Covariances: [][][]float64{{{1, .5}, {.5, 2}}, {{1, 0}, {0, 1}}},
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	const n = 40000
	X, labels, err := m.Sample(n, 3)
	if err != nil {
		t.Fatal(err)
	}
	share := 0.0
	for _, c := range labels {
		share += float64(1-c) / n
	}
	near(t, "share", share, .2, 4*math.Sqrt(.16/n))
	mean, cov := m.Moments()
	for j := range 2 {
		near(t, "mean", mat.Sum(X.ColView(j))/n, mean[j], 5*math.Sqrt(cov[j][j]/n))
	}
	again, _, err := m.Sample(n, 3)
	if err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(X, again) {
		t.Error("the same seed gives other points")
	}
}

func TestSelect(t *testing.T) {
	X := faithful()
	o := GMMOptions{K: 1}
	candidates, best, err := Select(ctx, X, 4, []Covariance{Full, Tied}, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(candidates) != 8 || candidates[best].K != 3 || candidates[best].Covariance != Tied {
		t.Errorf("best of %d: %d components, %s", len(candidates), candidates[best].K, candidates[best].Covariance)
	}
}

func TestErrors(t *testing.T) {
	X := column(1, 2, 3)
	gmm := func(change func(*GMMOptions)) error {
		o := GMMOptions{K: 2}
		change(&o)
		_, err := FitGMM(ctx, X, o)
		return err
	}
	km := func(change func(*KMeansOptions)) error {
		o := KMeansOptions{K: 2}
		change(&o)
		_, err := FitKMeans(ctx, X, o)
		return err
	}
	fitted, err := FitGMM(ctx, X, GMMOptions{K: 1})
	if err != nil {
		t.Fatal(err)
	}
	zero := GMMParameters{Weights: []float64{1}, Means: [][]float64{{0}}, Covariances: [][][]float64{{{0}}}}
	for _, c := range []struct {
		err  error
		want string
	}{
		{km(func(o *KMeansOptions) { o.K = 4 }), "K is 4, but needs to be a whole number from 1 to 3"},
		{km(func(o *KMeansOptions) { o.K = 0 }), "K is 0"},
		{km(func(o *KMeansOptions) { o.Restarts = -2 }), "Restarts is -2"},
		{km(func(o *KMeansOptions) { o.Tol = math.NaN() }), "Tol is NaN"},
		{km(func(o *KMeansOptions) { o.Algorithm = "x" }), `Algorithm is "x"`},
		{km(func(o *KMeansOptions) { o.Centres = [][]float64{{1}} }), "Centres is 1 rows"},
		{km(func(o *KMeansOptions) { o.Weights = []float64{1, 0, 0} }), "K is 2, but needs to be at most 1"},
		{second(FitKMeans(ctx, column(1, math.NaN()), KMeansOptions{K: 1})), "X[1, 0] is NaN"},
		{second(FitKMeans(ctx, nil, KMeansOptions{K: 1})), "X is nil"},
		{gmm(func(o *GMMOptions) { o.K = 4 }), "K is 4"},
		{gmm(func(o *GMMOptions) { o.Covariance = "banana" }), `Covariance is "banana"`},
		{gmm(func(o *GMMOptions) { o.Reg = -2 }), "Reg is -2"},
		{gmm(func(o *GMMOptions) { o.HoldMeans = true }), "Start is nil"},
		{gmm(func(o *GMMOptions) { o.Start = fitted }), "Start is 1 components in 1 dimensions"},
		{second(NewGMM(zero)), "Covariances[0] is [[0]], but needs to be a symmetric positive definite matrix"},
		{second(NewGMM(GMMParameters{})), "Weights is empty"},
		{second(NewGMM(GMMParameters{Weights: []float64{.5, .6}})), "which sums to 1.1"},
		{second(fitted.Proba(mat.NewDense(1, 2, nil))), "X is 1 x 2"},
		{second(new(GMM).Proba(X)), "the model is not fitted"},
		{second(Coins([]int{11}, 10)), "heads[0] is 11"},
		{second(PlusPlusProbabilities(X, nil)), "centres is empty"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("error %v, want %q", c.err, c.want)
		}
		var argument *fault.ArgumentError
		if c.err != nil && !errors.As(c.err, &argument) {
			t.Errorf("%v is no ArgumentError", c.err)
		}
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := FitGMM(stopped, X, GMMOptions{K: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
	if _, err := FitKMeans(stopped, X, KMeansOptions{K: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
}

func second[T any](_ T, err error) error { return err }

// Lloyd's objective never rises, on rows that repeat and tie; in the end each row is with its nearest centre, each centre is the mean of
// its rows, and moving, turning by quarter turns and doubling the plane changes nothing else.
func TestKMeansOnTies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 30).Draw(t, "n")
		X := fuzztest.Matrix(t, n, 2, 3)
		o := KMeansOptions{K: rapid.IntRange(1, min(n, 5)).Draw(t, "k")}
		o.Trace, o.Restarts = true, 1
		o.Algorithm = rapid.SampledFrom([]Algorithm{Hamerly, Lloyd}).Draw(t, "algorithm")
		start := fuzztest.Matrix(t, o.K, 2, 3)
		for c := range o.K {
			o.Centres = append(o.Centres, start.RawRowView(c))
		}
		m, err := FitKMeans(ctx, X, o)
		if err != nil {
			t.Fatal(err)
		}
		rounds := m.Rounds()
		for i := 1; i < len(rounds); i++ {
			if rounds[i].Inertia > rounds[i-1].Inertia*(1+1e-12) {
				t.Fatalf("round %d: J rises from %v to %v", i, rounds[i-1].Inertia, rounds[i].Inertia)
			}
		}
		sum := 0.0
		means, sizes := mat.NewDense(o.K, 2, nil), m.Sizes()
		for i, c := range m.Labels() {
			own, least := math.Inf(1), math.Inf(1)
			for k, centre := range m.Centres() {
				d := math.Pow(X.At(i, 0)-centre[0], 2) + math.Pow(X.At(i, 1)-centre[1], 2)
				least = min(least, d)
				if k == c {
					own = d
				}
			}
			if own > least+1e-12 {
				t.Fatalf("row %d is %v from its centre, but %v from another", i, own, least)
			}
			sum += own
			for j := range 2 {
				means.Set(c, j, means.At(c, j)+X.At(i, j)/float64(sizes[c]))
			}
		}
		if math.Abs(sum-m.Inertia()) > 1e-9 {
			t.Fatalf("J is %v, the distances sum to %v", m.Inertia(), sum)
		}
		for c, centre := range m.Centres() {
			if sizes[c] > 0 && m.Converged() && math.Hypot(centre[0]-means.At(c, 0), centre[1]-means.At(c, 1)) > 1e-9 {
				t.Fatalf("centre %v, the mean of its rows is %v", centre, means.RawRowView(c))
			}
		}
		if slices.Min(sizes) == 0 {
			return // which row a centre without rows takes depends on the order of equal distances
		}
		turn := func(x, y float64) (float64, float64) { return 8 - 2*y, 2*x - 4 }
		T := mat.NewDense(n, 2, nil)
		for i := range n {
			a, b := turn(X.At(i, 0), X.At(i, 1))
			T.SetRow(i, []float64{a, b})
		}
		for c := range o.Centres {
			a, b := turn(start.At(c, 0), start.At(c, 1))
			o.Centres[c] = []float64{a, b}
		}
		moved, err := FitKMeans(ctx, T, o)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(moved.Inertia()-4*m.Inertia()) > 1e-9*(1+m.Inertia()) && slices.Equal(moved.Labels(), m.Labels()) {
			t.Fatalf("J = %v becomes %v in a plane twice as large", m.Inertia(), moved.Inertia())
		}
	})
}

// EM never lowers the likelihood, whatever the data and the type of the covariances, and its responsibilities are distributions. It may end
// in a component of zero variance, and says so.
func TestEMOnTies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(5, 30).Draw(t, "n")
		X := fuzztest.Matrix(t, n, 2, 3)
		o := GMMOptions{K: rapid.IntRange(1, 3).Draw(t, "k")}
		o.Covariance = rapid.SampledFrom([]Covariance{Full, Tied, Diagonal, Spherical}).Draw(t, "covariance")
		o.Init = rapid.SampledFrom([]Init{InitKMeans, InitRandom}).Draw(t, "init")
		o.Reg, o.Restarts, o.MaxIter = estimator.None, 1, 30
		m, err := FitGMM(ctx, X, o)
		if err != nil {
			var collapse *CollapseError
			var argument *fault.ArgumentError
			if !errors.As(err, &collapse) && !errors.As(err, &argument) {
				t.Fatal(err)
			}
			return
		}
		h := m.History()
		for i := 1; i < len(h); i++ {
			if h[i] < h[i-1]-1e-9*(1+math.Abs(h[i])) {
				t.Fatalf("%s, iteration %d: the log-likelihood falls from %v to %v", o.Covariance, i, h[i-1], h[i])
			}
		}
		p, err := m.Proba(X)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if sum := mat.Sum(p.RowView(i)); math.Abs(sum-1) > 1e-12 || mat.Min(p.RowView(i)) < 0 {
				t.Fatalf("responsibilities %v", p.RawRowView(i))
			}
		}
	})
}

// Rows so far that squared distances overflow get a cluster all the same, in the fit and afterwards.
func TestFarRows(t *testing.T) {
	m, err := FitKMeans(ctx, column(0, 1, 5, 6), KMeansOptions{K: 2})
	if err != nil {
		t.Fatal(err)
	}
	labels, err := m.Predict(column(1e200, -1e200))
	if err != nil || slices.Min(labels) < 0 {
		t.Errorf("labels %v (%v)", labels, err)
	}
	for _, a := range []Algorithm{Hamerly, Lloyd} {
		o := KMeansOptions{K: 2}
		o.Algorithm = a
		far, err := FitKMeans(ctx, column(1e200, -1e200, 0, 1), o)
		if err == nil && slices.Min(far.Labels()) < 0 {
			t.Errorf("labels %v", far.Labels())
		}
	}
}

// Drawn centres are rows of positive weight, none twice while distinct rows are left, and the same for the same seed.
func TestPlusPlus(t *testing.T) {
	X := cloud(300, 4, 3, 3, 2)
	w := make([]float64, 300)
	for i := range w {
		w[i] = float64(i % 3)
	}
	for seed := range uint64(20) {
		centres, err := PlusPlus(X, 8, w, seed)
		if err != nil {
			t.Fatal(err)
		}
		again, err := PlusPlus(X, 8, w, seed)
		if err != nil {
			t.Fatal(err)
		}
		for c, centre := range centres {
			if !slices.Equal(centre, again[c]) {
				t.Fatalf("seed %d: centre %d is %v and then %v", seed, c, centre, again[c])
			}
			at := -1
			for i := range w {
				if slices.Equal(X.RawRowView(i), centre) {
					at = i
				}
			}
			if at < 0 || w[at] == 0 {
				t.Fatalf("seed %d: centre %d is row %d", seed, c, at)
			}
			for _, other := range centres[:c] {
				if slices.Equal(centre, other) {
					t.Fatalf("seed %d: a row is drawn twice", seed)
				}
			}
		}
	}
	for name, err := range map[string]error{
		"no data":      second(PlusPlus(nil, 2, nil, 1)),
		"no centres":   second(PlusPlus(X, 0, nil, 1)),
		"more than n":  second(PlusPlus(X, 301, nil, 1)),
		"weights of 2": second(PlusPlus(X, 2, []float64{1, 1}, 1)),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
