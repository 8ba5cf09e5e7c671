package bayes

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator/estimatortest"
)

func TestConditionalRisk(t *testing.T) {
	loss := must(NewLoss([]float64{0, 1, 5}, []float64{1, 0, 2}, []float64{3, 1, 0}))
	r := must(ConditionalRisk(loss, []float64{0.5, 0.3, 0.2}))
	for i, want := range []float64{1.3, 0.9, 1.8} {
		near(t, "risk", r[i], want, 1e-15)
	}
	if a, risk, err := Decide(loss, []float64{0.5, 0.3, 0.2}); a != 1 || err != nil || math.Abs(risk-0.9) > 1e-15 {
		t.Error(a, risk, err)
	}
	if MAP([]float64{0.5, 0.3, 0.2}) != 0 {
		t.Error("MAP")
	}
	coin := must(ConditionalRisk(LossTable{{-1, 1}, {1, -1}}, []float64{0.6, 0.4}))
	near(t, "coin", coin[0], -0.2, 1e-15)
	near(t, "coin", coin[1], 0.2, 1e-15)
	if got := Ties([]float64{1, 0.5, 0.5 + 1e-16}, 1e-12); !slices.Equal(got, []int{1, 2}) {
		t.Error(got)
	}
}

func TestPosterior(t *testing.T) {
	p, e, err := Posterior([]float64{0.99, 0.01}, []float64{0.05, 0.9})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "evidence", e, 0.0585, 1e-15)
	near(t, "posterior", p[1], 0.009/0.0585, 1e-15)
	q, le, err := PosteriorLog([]float64{0.99, 0.01}, []float64{math.Log(0.05) - 5000, math.Log(0.9) - 5000})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "shifted", q[1], p[1], 1e-12)
	near(t, "log evidence", le, math.Log(e)-5000, 1e-9)
	if _, _, err := Posterior([]float64{1, 0}, []float64{0, 1}); err == nil {
		t.Error("impossible observation accepted")
	}
}

func TestJoint(t *testing.T) {
	j := must(NewJoint([]float64{.28, .12}, []float64{.06, .24}, []float64{.15, .15}))
	near(t, "Bayes error", j.BayesError(), 0.33, 1e-15)
	all := must(j.Policies(ZeroOne(2)))
	best := slices.MinFunc(all, func(a, b PolicyRisk) int {
		if a.Risk < b.Risk {
			return -1
		}
		return 1
	})
	if len(all) != 8 {
		t.Error(len(all))
	}
	near(t, "least of 8 policies", best.Risk, 0.33, 1e-15)
	if p := must(j.Policy(ZeroOne(2))); !slices.Equal(p, []int{0, 1, 0}) {
		t.Error(p)
	}
	back := must(JointOf(j.Priors(), j.Likelihoods()))
	e, q := j.Evidence(), j.Posteriors()
	for x := range 3 {
		for y := range 2 {
			near(t, "p(x|y) p(y)", back.P(x, y), j.P(x, y), 1e-15)
			near(t, "p(y|x) p(x)", q[x][y]*e[x], j.P(x, y), 1e-15)
		}
	}
	if _, err := j.Policies(make2(200)); err == nil {
		t.Error("8 million policies enumerated")
	}
}

func make2(actions int) LossTable {
	l := make(LossTable, actions)
	for i := range l {
		l[i] = []float64{0, 1}
	}
	return l
}

// The pointwise rule is never worse than any other; quadrature and closed form agree, for any number of classes and any loss.
func TestBayesRuleIsBest(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for trial := range 20 {
		k := 2 + trial%3
		priors, class, sum := make([]float64, k), make([]*Gaussian, k), 0.0
		for j := range k {
			priors[j] = 0.1 + rng.Float64()
			sum += priors[j]
			class[j] = must(Normal(2*rng.NormFloat64(), 0.5+rng.Float64()))
		}
		for j := range k {
			priors[j] /= sum
		}
		m := must(NewLaw(priors, class...))
		loss := ZeroOne(k)
		if trial%2 == 1 {
			for i := range loss {
				for j := range loss[i] {
					loss[i][j] = 3 * rng.Float64()
				}
			}
		}
		closed := must(m.BayesRisk(loss))
		near(t, "quadrature against closed form", must(m.QuadratureRisk(loss, nil)), closed, 1e-11)
		for range 20 {
			cuts := []float64{4 * rng.NormFloat64(), 4 * rng.NormFloat64()}
			slices.Sort(cuts)
			if r := must(m.RiskOf(loss, Intervals{cuts, []int{rng.IntN(k), rng.IntN(k), rng.IntN(k)}})); r < closed-1e-12 {
				t.Errorf("a rule of risk %v beats the Bayes risk %v", r, closed)
			}
		}
		mc := must(m.MonteCarloRisk(context.Background(), loss, nil, 4000, uint64(trial)))
		near(t, "Monte Carlo", mc.Mean, closed, 5*mc.SE+1e-4) // regions that 4000 draws never reach
	}
}

func TestQuadrature(t *testing.T) {
	near(
		t,
		"normal",
		must(Quadrature(func(x float64) float64 { return math.Exp(-x * x / 2) }, 1e-13, -40, -1, 0, 1, 40)),
		math.Sqrt(2*math.Pi),
		1e-13,
	)
	near(t, "jump", must(Quadrature(func(x float64) float64 {
		if x < 1/math.Pi {
			return 1
		}
		return 0
	}, 1e-12, 0, 1)), 1/math.Pi, 1e-12)
	near(t, "root", must(Quadrature(math.Sqrt, 1e-12, 0, 1)), 2.0/3, 1e-12)
	if _, err := Quadrature(func(x float64) float64 { return 1 / x }, 1e-12, -1, 1); err == nil {
		t.Error("1/x was integrated")
	}
}

func TestLikelihoodRatio(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		loss := LossTable{{rng.Float64(), 1 + rng.Float64()}, {1 + rng.Float64(), rng.Float64()}}
		p := 0.1 + 0.8*rng.Float64()
		theta := must(LikelihoodRatioThreshold(loss, []float64{p, 1 - p}))
		m := must(NewLaw([]float64{p, 1 - p}, must(Normal(0, 1)), must(Normal(1, 2))))
		for range 50 {
			x := 5 * rng.NormFloat64()
			byRatio := 1
			if m.Class(0).Density(x)/m.Class(1).Density(x) > theta {
				byRatio = 0
			}
			if m.Decide(loss, x) != byRatio {
				t.Fatalf("x = %v, loss %v", x, loss)
			}
		}
	}
}

// Chow (1970): dError = -c dReject along the curve, so Error(c) = -∫_0^c t dReject(t).
func TestErrorReject(t *testing.T) {
	m := must(NewLaw([]float64{0.6, 0.4}, must(Normal(0, 1)), must(Normal(2, 1))))
	var costs []float64
	for i := range 401 {
		costs = append(costs, 0.5*float64(i)/400)
	}
	points := must(m.ErrorReject(costs...))
	sum := 0.0
	for i := 1; i < len(points); i++ {
		sum -= (points[i].Cost + points[i-1].Cost) / 2 * (points[i].Reject - points[i-1].Reject)
		if points[i].Reject > points[i-1].Reject+1e-15 || points[i].Error < points[i-1].Error-1e-15 {
			t.Errorf("not monotone at cost %v", points[i].Cost)
		}
	}
	near(t, "Chow's integral", sum, points[400].Error, 1e-5)
	near(t, "no reject", points[400].Error, must(m.BayesError()), 1e-12)
	near(t, "reject all", points[0].Reject, 1, 1e-12)
	curve := must(ErrorRejectCurve(mat.NewDense(4, 2, []float64{.9, .1, .2, .8, .4, .6, .55, .45}), []int{0, 1, 0, 0}))
	if len(curve) != 5 || curve[0].Error != 0.25 || curve[0].Reject != 0 || curve[4].Reject != 1 || curve[4].Error != 0 ||
		curve[2].Error != 0 {
		t.Error(curve)
	}
}

// exp(-k(beta)) is the integral of N0^beta N1^(1-beta).
func TestChernoffExponent(t *testing.T) {
	g0, g1 := must(Normal(0, 1)), must(Normal(1, 3))
	for _, beta := range []float64{0.1, 0.5, 0.8} {
		want := must(Quadrature(func(x float64) float64 {
			return math.Exp(beta*g0.LogDensity(x) + (1-beta)*g1.LogDensity(x))
		}, 1e-13, -100, -5, 0, 5, 100))
		near(t, "k", must(ChernoffExponent(g0, g1, beta)), -math.Log(want), 1e-12)
	}
}

func TestClassifiersAgree(t *testing.T) {
	X, y := iris(t)
	ctx := context.Background()
	lda := must(FitLDA(ctx, X, y, Options{}))
	W, b, err := lda.Linear()
	if err != nil {
		t.Fatal(err)
	}
	D := must(lda.Decision(X))
	for i := range 150 {
		s := make([]float64, 3)
		for k := range 3 {
			s[k] = b[k]
			for j := range 4 {
				s[k] += W.At(k, j) * X.At(i, j)
			}
		}
		near(t, "linear form", s[1]-s[0], D.At(i, 1)-D.At(i, 0), 1e-9)
		near(t, "linear form", s[2]-s[0], D.At(i, 2)-D.At(i, 0), 1e-9)
	}
	nearest := must(FitNearestMean(ctx, X, y, Options{}))
	for i := range 150 {
		best, least := 0, math.Inf(1)
		for k := range 3 {
			d := 0.0
			for j, m := range nearest.Gaussian(k).Mean() {
				d += (X.At(i, j) - m) * (X.At(i, j) - m)
			}
			if d < least {
				best, least = k, d
			}
		}
		if nearest.Class(X.RawRowView(i)...) != best {
			t.Errorf("row %d", i)
		}
	}
}

func TestWeightsAreCopies(t *testing.T) {
	X, y := iris(t)
	o := Options{}
	o.Weights = make([]float64, 150)
	var rows []float64
	var labels []int
	for i := range 150 {
		o.Weights[i] = float64(i % 3)
		for range i % 3 {
			rows = append(rows, X.RawRowView(i)...)
			labels = append(labels, y[i])
		}
	}
	copies := mat.NewDense(len(labels), 4, rows)
	for _, fit := range []func(context.Context, mat.Matrix, []int, Options) (*Classifier, error){
		FitLDA, FitQDA, FitNearestMean,
		FitGaussianNB,
	} {
		a, b := must(fit(context.Background(), X, y, o)), must(fit(context.Background(), copies, labels, Options{}))
		if !mat.EqualApprox(must(a.Decision(X)), must(b.Decision(X)), 1e-8) {
			t.Errorf("%v", a)
		}
		data := must(a.MarshalBinary())
		var c Classifier
		if err := c.UnmarshalBinary(data); err != nil || !mat.Equal(must(a.Decision(X)), must(c.Decision(X))) || c.String() != a.String() {
			t.Errorf("round trip of %v: %v", a, err)
		}
		if err := c.UnmarshalBinary(data[:len(data)/2]); err == nil {
			t.Error("half a model was read")
		}
	}
}

func TestArguments(t *testing.T) {
	ctx := context.Background()
	X, y := iris(t)
	same := mat.NewDense(4, 2, []float64{1, 1, 2, 2, 3, 3, 5, 5})
	two := []int{0, 1, 0, 1}
	with := func(f func(*Options)) Options { o := Options{}; f(&o); return o }
	estimatortest.Refused(t, map[string]error{
		"X is nil":                      second(FitLDA(ctx, nil, y, Options{})),
		"Denominator is Denominator(5)": second(FitLDA(ctx, X, y, Options{Denominator: 5})),
		"Pooling is -1":                 second(FitQDA(ctx, X, y, with(func(o *Options) { o.Pooling = -1 }))),
		"Shrinkage is 2":                second(FitLDA(ctx, X, y, with(func(o *Options) { o.Shrinkage = 2 }))),
		"priors is 2 numbers":           second(FitQDA(ctx, X, y, with(func(o *Options) { o.Priors = []float64{.5, .5} }))),
		"singular (column 1 depends on those before it), but needs to be positive definite; drop": second(FitLDA(ctx, same, two, Options{})),
		"the covariance of class 0 is singular":                                                   second(FitQDA(ctx, same, two, Options{})),
		"the covariance of class 1 is undefined": second(
			FitQDA(ctx, mat.NewDense(4, 1, []float64{1, 2, 3, 4}), []int{0, 0, 0, 1}, Options{}),
		),
		"variance 0 in column 0": second(
			FitGaussianNB(ctx, mat.NewDense(4, 1, []float64{1, 2, 1, 3}), two, Options{}),
		),
		"cov is singular": second(
			NewGaussian([]float64{0, 0}, mat.NewSymDense(2, []float64{1, 1, 1, 1})),
		),
		"the standard deviation": second(Normal(0, 0)),
		"loss is 2 x 2": second(
			ConditionalRisk(ZeroOne(2), []float64{.2, .3, .5}),
		),
		"which sums to 0.9": second(
			ConditionalRisk(ZeroOne(2), []float64{.4, .5}),
		),
		"one-dimensional": second(
			must(NewLaw([]float64{1}, must(NewGaussian([]float64{0, 0}, mat.NewDiagDense(2, []float64{1, 1}))))).BayesError(),
		),
	})
	if _, err := FitQDA(ctx, same, two, with(func(o *Options) { o.Shrinkage = 0.1 })); err != nil {
		t.Errorf("the remedy does not help: %v", err)
	}
	cancelled, stop := context.WithCancel(ctx)
	stop()
	if _, err := FitLDA(cancelled, X, y, Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func second[T any](_ T, err error) error { return err }

// Two classes of one mean tie at it and nowhere else when their weighted densities are equal there; the wider one wins everywhere.
func TestRuleTouching(t *testing.T) {
	m := must(NewLaw([]float64{0.25, 0.75}, must(Normal(-2, 0.5)), must(Normal(-2, 1.5))))
	rule := must(m.Rule(ZeroOne(2)))
	if len(rule.Cuts) != 0 || rule.Actions[0] != 1 {
		t.Errorf("rule %v, want class 1 everywhere", rule)
	}
	near(t, "Bayes error", must(m.BayesError()), 0.25, 1e-12)
}
