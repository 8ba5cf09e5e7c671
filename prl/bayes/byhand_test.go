package bayes

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

	"github.com/prlab/prlab/prl/estimator/estimatortest"
)

// The values of this file are worked out by hand, or follow from a formula that the package does not use.

func third[A, B any](_ A, _ B, err error) error { return err }

func fourth[A, B, C any](_ A, _ B, _ C, err error) error { return err }

// The losses are 0, 5, 1, 0: mean 3/2, squared deviations 9/4 + 49/4 + 1/4 + 9/4 = 17.
func TestEmpiricalRisk(t *testing.T) {
	loss := LossTable{{0, 5}, {1, 0}, {2, 2}}
	risk, se, err := EmpiricalRisk(loss, []int{0, 0, 1, 1}, []int{0, 1, 0, 1})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "risk", risk, 1.5, 1e-15)
	near(t, "standard error", se, math.Sqrt(17.0/3/4), 1e-15)
	if risk, se, err = EmpiricalRisk(loss, []int{2}, []int{0}); risk != 2 || !math.IsNaN(se) || err != nil {
		t.Error(risk, se, err)
	}
	estimatortest.Refused(t, map[string]error{
		"actions is 3":          third(EmpiricalRisk(loss, []int{3}, []int{0})),
		"actions is -1":         third(EmpiricalRisk(loss, []int{-1}, []int{0})),
		"y is 2":                third(EmpiricalRisk(loss, []int{0}, []int{2})),
		"y is -1":               third(EmpiricalRisk(loss, []int{0}, []int{-1})),
		"actions and y is [1 2": third(EmpiricalRisk(loss, []int{0}, []int{0, 0})),
		"actions and y is [0 0": third(EmpiricalRisk(loss, nil, nil)),
		"loss is empty":         third(EmpiricalRisk(nil, []int{0}, []int{0})),
	})
}

func TestModelByHand(t *testing.T) {
	m := must(NewLaw([]float64{0.25, 0.75}, must(Normal(0, 1)), must(Normal(2, 2))))
	a, b := 0.25*math.Exp(-0.5)/math.Sqrt(2*math.Pi), 0.75*math.Exp(-0.125)/(2*math.Sqrt(2*math.Pi))
	estimatortest.NearAll(t, "joint", m.Joint(1), []float64{a, b}, 1e-15)
	near(t, "evidence", m.Evidence(1), a+b, 1e-15)
	estimatortest.NearAll(t, "posterior", m.Posterior(1), []float64{a / (a + b), b / (a + b)}, 1e-15)
	estimatortest.NearAll(t, "risks", m.Risks(LossTable{{0, 2}, {1, 0}, {0.5, 0.5}}, 1), []float64{2 * b / (a + b), a / (a + b), 0.5}, 1e-15)
	other := must(m.WithPriors(0.5, 0.5))
	estimatortest.NearAll(t, "other priors", other.Joint(1), []float64{2 * a, b / 1.5}, 1e-15)
	estimatortest.NearAll(t, "priors", m.Priors(), []float64{0.25, 0.75}, 0)
	plane := must(NewGaussian([]float64{0, 0}, mat.NewDiagDense(2, []float64{1, 1})))
	estimatortest.Refused(t, map[string]error{
		"class 1 is nil or of another": second(NewLaw([]float64{0.5, 0.5}, must(Normal(0, 1)), plane)),
		"class 0 is nil":               second(NewLaw([]float64{0.5, 0.5}, nil, plane)),
		"priors is 1 numbers":          second(NewLaw([]float64{1}, plane, plane)),
		"priors is 0 numbers":          second(NewLaw(nil)),
		"n is 0":                       third(m.Sample(0, 1)),
	})
}

// A Gaussian with covariance [4 2; 2 5] has determinant 16 and precision [5 -2; -2 4]/16.
func TestGaussianByHand(t *testing.T) {
	g := must(NewGaussian([]float64{1, -1}, mat.NewSymDense(2, []float64{4, 2, 2, 5})))
	near(t, "log det", g.LogDet(), math.Log(16), 1e-14)
	near(t, "distance", g.Mahalanobis2(3, 0), (5*4-2*2*2*1+4*1)/16.0, 1e-14)
	near(t, "log density", g.LogDensity(3, 0), -math.Log(2*math.Pi)-math.Log(4)-0.5, 1e-14)
	if !math.IsNaN(g.Mahalanobis2(1)) || !math.IsNaN(g.CDF(1)) {
		t.Error("a point of another dimension has a distance")
	}
	line := must(Normal(1, 2))
	near(t, "CDF", line.CDF(3), 0.841344746068542948, 1e-15) // Phi(1)
	near(t, "upper tail", line.mass(21, math.Inf(1)), 7.61985302416052607e-24, 1e-37)
	near(t, "lower tail", line.mass(math.Inf(-1), -19), 7.61985302416052607e-24, 1e-37)
	near(t, "middle", line.mass(-1, 3), 0.682689492137085898, 1e-15)
	estimatortest.Refused(t, map[string]error{
		"mean is empty":              second(NewGaussian(nil, nil)),
		"cov is nil":                 second(NewGaussian([]float64{0}, nil)),
		"cov is 2 x 2":               second(NewGaussian([]float64{0}, g.Cov())),
		"mean[1] is NaN":             second(NewGaussian([]float64{0, math.NaN()}, g.Cov())),
		"mean[0] is +Inf":            second(NewGaussian([]float64{math.Inf(1), 0}, g.Cov())),
		"variance -1 in column 1":    second(NewGaussian([]float64{0, 0}, mat.NewDiagDense(2, []float64{1, -1}))),
		"variance +Inf in column 0":  second(NewGaussian([]float64{0, 0}, mat.NewDiagDense(2, []float64{math.Inf(1), 1}))),
		"cov is singular, but needs": second(NewGaussian([]float64{0, 0}, mat.NewSymDense(2, []float64{1, 2, 2, 1}))),
	})
}

// Samples have the moments of the law: the mean within five standard errors, the covariance alike, and the classes their priors.
func TestSample(t *testing.T) {
	const n = 20000
	cov := mat.NewSymDense(2, []float64{4, 2, 2, 5})
	g := must(NewGaussian([]float64{1, -1}, cov))
	m := must(NewLaw([]float64{0.2, 0.3, 0.5}, g, g, g))
	X, y, err := m.Sample(n, 3)
	if err != nil {
		t.Fatal(err)
	}
	again, _, _ := m.Sample(n, 3)
	other, _, _ := m.Sample(n, 4)
	if !mat.Equal(X, again) || mat.Equal(X, other) {
		t.Error("the seed does not fix the sample")
	}
	counts := make([]float64, 3)
	for _, c := range y {
		counts[c]++
	}
	for k, p := range m.Priors() {
		near(t, "class", counts[k]/n, p, 5*math.Sqrt(p*(1-p)/n))
	}
	for name, x := range map[string]*mat.Dense{"model": X, "Gaussian": g.Sample(n, rand.New(rand.NewPCG(1, 1)))} {
		if r, _ := x.Dims(); r != n {
			t.Fatalf("%s: %d rows", name, r)
		}
		for i := range 2 {
			mean := mat.Sum(x.ColView(i)) / n
			near(t, name+" mean", mean, g.Mean()[i], 5*math.Sqrt(cov.At(i, i)/n))
			for j := range 2 {
				s := 0.0
				for r := range n {
					s += (x.At(r, i) - g.Mean()[i]) * (x.At(r, j) - g.Mean()[j])
				}
				// Var(x_i x_j) = S_ii S_jj + S_ij^2
				near(t, name+" covariance", s/n, cov.At(i, j), 5*math.Sqrt((cov.At(i, i)*cov.At(j, j)+cov.At(i, j)*cov.At(i, j))/n))
			}
		}
	}
}

// The rule sees every point that is drawn, so the mean and its error can be worked out beside the estimate.
func TestMonteCarloByHand(t *testing.T) {
	m := must(NewLaw([]float64{0.3, 0.7}, must(Normal(0, 1)), must(Normal(1, 2))))
	loss := LossTable{{0, 2}, {1, 0}}
	for _, n := range []int{2, 7} {
		var risks []float64
		e, err := m.MonteCarloRisk(context.Background(), loss, func(x []float64) int {
			a := len(risks) % 2
			risks = append(risks, m.Risks(loss, x...)[a])
			return a
		}, n, 5)
		if err != nil || len(risks) != n || e.N != n {
			t.Fatal(e, err, len(risks))
		}
		mean, squares := 0.0, 0.0
		for _, r := range risks {
			mean += r / float64(n)
		}
		for _, r := range risks {
			squares += (r - mean) * (r - mean)
		}
		se := math.Sqrt(squares / float64(n-1) / float64(n))
		near(t, "mean", e.Mean, mean, 1e-15)
		near(t, "standard error", e.SE, se, 1e-15)
		near(t, "lower end", e.Lo, mean-1.959963984540054*se, 1e-14)
		near(t, "upper end", e.Hi, mean+1.959963984540054*se, 1e-14)
	}
	bad := func(a int) error {
		return second(m.MonteCarloRisk(context.Background(), loss, func([]float64) int { return a }, 5, 1))
	}
	estimatortest.Refused(t, map[string]error{
		"action 2":      bad(2),
		"action -1":     bad(-1),
		"n is 1":        second(m.MonteCarloRisk(context.Background(), loss, nil, 1, 1)),
		"loss is 3 x 3": second(m.MonteCarloRisk(context.Background(), ZeroOne(3), nil, 5, 1)),
	})
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if _, err := m.MonteCarloRisk(stopped, loss, nil, 5, 1); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Four rows whose largest posteriors are 0.9, 0.8, 0.6 (wrong) and 0.55; then rows that tie, which leave together.
func TestErrorRejectCurveByHand(t *testing.T) {
	for _, c := range []struct {
		proba []float64
		y     []int
		want  []RejectPoint
	}{
		{[]float64{.9, .1, .2, .8, .4, .6, .55, .45}, []int{0, 1, 0, 0}, []RejectPoint{
			{.45, 0, .25},
			{.4, .25, .25},
			{.2, .5, 0},
			{.1, .75, 0},
			{0, 1, 0},
		}},
		{[]float64{.5, .5, .25, .75, .5, .5, .75, .25}, []int{1, 0, 0, 0}, []RejectPoint{{.5, 0, .5}, {.25, .5, .25}, {0, 1, 0}}},
	} {
		got := must(ErrorRejectCurve(mat.NewDense(len(c.y), 2, c.proba), c.y))
		if len(got) != len(c.want) {
			t.Fatalf("%v, want %v", got, c.want)
		}
		for i, w := range c.want {
			near(t, "cost", got[i].Cost, w.Cost, 1e-15)
			near(t, "reject", got[i].Reject, w.Reject, 0)
			near(t, "error", got[i].Error, w.Error, 0)
		}
	}
	p := mat.NewDense(1, 2, []float64{.9, .1})
	estimatortest.Refused(t, map[string]error{
		"y[0] is 2":     second(ErrorRejectCurve(p, []int{2})),
		"y[0] is -1":    second(ErrorRejectCurve(p, []int{-1})),
		"y is 0 labels": second(ErrorRejectCurve(p, nil)),
		"X is nil":      second(ErrorRejectCurve(nil, nil)),
		"costs[1] is 2": second(must(NewLaw([]float64{.5, .5}, must(Normal(0, 1)), must(Normal(1, 1)))).ErrorReject(0, 2)),
		"costs[0] is -": second(must(NewLaw([]float64{.5, .5}, must(Normal(0, 1)), must(Normal(1, 1)))).ErrorReject(-0.1)),
	})
}

func TestPosteriorOfZeros(t *testing.T) {
	p, e, err := Posterior([]float64{0.25, 0.75}, []float64{0, 2})
	if err != nil || e != 1.5 {
		t.Error(e, err)
	}
	estimatortest.NearAll(t, "posterior", p, []float64{0, 1}, 0)
	p, e, err = PosteriorLog([]float64{0.25, 0.75}, []float64{math.Inf(-1), math.Log(2)})
	if err != nil {
		t.Error(err)
	}
	near(t, "log evidence", e, math.Log(1.5), 1e-15)
	estimatortest.NearAll(t, "posterior", p, []float64{0, 1}, 0)
	half := []float64{0.5, 0.5}
	estimatortest.Refused(t, map[string]error{
		"likelihoods[1] is -1":      third(Posterior(half, []float64{1, -1})),
		"likelihoods[0] is +Inf":    third(Posterior(half, []float64{math.Inf(1), 1})),
		"likelihoods[1] is NaN":     third(Posterior(half, []float64{1, math.NaN()})),
		"logLikelihoods[0] is NaN":  third(PosteriorLog(half, []float64{math.NaN(), 0})),
		"logLikelihoods[1] is +Inf": third(PosteriorLog(half, []float64{0, math.Inf(1)})),
		"evidence is 0":             third(PosteriorLog(half, []float64{math.Inf(-1), math.Inf(-1)})),
		"priors is 2 numbers":       third(PosteriorLog(half, []float64{0})),
		"which sums to 0.75":        third(Posterior([]float64{0.5, 0.25}, []float64{1, 1})),
	})
}

// Counts of a table of five rows; Laplace's rule adds one to each.
func TestNominalByHand(t *testing.T) {
	rows, y := [][]int{{0, 0}, {0, 1}, {1, 2}, {1, 2}, {0, 2}}, []int{0, 0, 0, 1, 1}
	plain, laplace := must(FitNominal(rows, y, 0)), must(FitNominal(rows, y, 1))
	want := []float64{math.Log(3.0 / 5 * (1 + 1) / (3 + 2) * (1 + 1) / (3 + 3)), math.Log(2.0 / 5 * (1 + 1) / (2 + 2) * (2 + 1) / (2 + 3))}
	estimatortest.NearAll(t, "log joint", must(laplace.LogJoint(1, 2)), want, 1e-14)
	a, b := 3.0/5*1/3*1/3, 2.0/5*1/2*2/2
	estimatortest.NearAll(t, "posterior", must(plain.Posterior(1, 2)), []float64{a / (a + b), b / (a + b)}, 1e-15)
	if c := must(plain.Class(1, 0)); c != 0 { // value 0 of the second feature was never seen in class 1
		t.Errorf("class %d", c)
	}
	if got := must(laplace.Predict([][]int{{1, 2}, {0, 0}, {0, 2}})); !slices.Equal(got, []int{1, 0, 0}) {
		t.Errorf("classes %v", got)
	}
	if laplace.Classes() != 2 || laplace.Features() != 2 || new(Nominal).Features() != 0 {
		t.Error("sizes")
	}
	only := must(FitNominal([][]int{{0, 0}, {1, 1}}, []int{0, 1}, 0))
	estimatortest.Refused(t, map[string]error{
		"row is 1 values":                second(laplace.LogJoint(1)),
		"row is 3 values":                second(laplace.Posterior(1, 2, 0)),
		"row[1] is 3":                    second(laplace.LogJoint(1, 3)),
		"row[0] is -1":                   second(laplace.Class(-1, 0)),
		"row 1 is 1 values":              second(laplace.Predict([][]int{{0, 0}, {1}})),
		"row 1 is 3 values":              second(laplace.Predict([][]int{{0, 0}, {1, 1, 1}})),
		"row 0: bayes":                   second(laplace.Predict([][]int{{2, 0}})),
		"row 0 is impossible":            second(only.Predict([][]int{{0, 1}})),
		"the row is impossible":          second(only.Class(0, 1)),
		"alpha is -1":                    second(FitNominal(rows, y, -1)),
		"alpha is NaN":                   second(FitNominal(rows, y, math.NaN())),
		"alpha is +Inf":                  second(FitNominal(rows, y, math.Inf(1))),
		"rows is empty":                  second(FitNominal([][]int{{}, {}}, []int{0, 1}, 1)),
		"rows[1][0] is -1":               second(FitNominal([][]int{{0}, {-1}}, []int{0, 1}, 1)),
		"rows[1][0] is 65537":            second(FitNominal([][]int{{0}, {1<<16 + 1}}, []int{0, 1}, 1)),
		"row 1 is 2 values":              second(FitNominal([][]int{{0}, {1, 1}}, []int{0, 1}, 1)),
		"bayes.Nominal.Class: the model": second(new(Nominal).Class(0)),
		"bayes.Nominal.Predict: the mo":  second(new(Nominal).Predict([][]int{{0}})),
	})
	if _, err := FitNominal([][]int{{0}, {1 << 16}}, []int{0, 1}, 1); err != nil {
		t.Errorf("the largest value: %v", err)
	}
}

// x^T A x + b^T x + c is the difference of the log joint densities, for any two Gaussians and any point.
func TestDiscriminant(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	draw := func(d int) *Gaussian {
		mean, L := make([]float64, d), mat.NewDense(d, d, nil)
		for i := range d {
			mean[i] = 2 * rng.NormFloat64()
			for j := range d {
				L.Set(i, j, rng.NormFloat64())
			}
			L.Set(i, i, L.At(i, i)+3)
		}
		var S mat.SymDense
		S.SymOuterK(1, L)
		return must(NewGaussian(mean, &S))
	}
	for trial := range 30 {
		d := 1 + trial%4
		g0, g1, p := draw(d), draw(d), 0.1+0.8*rng.Float64()
		A, b, c, err := Discriminant(g0, g1, p, 1-p)
		if err != nil {
			t.Fatal(err)
		}
		x := make([]float64, d)
		for i := range x {
			x[i] = 3 * rng.NormFloat64()
		}
		v := mat.NewVecDense(d, x)
		got := mat.Inner(v, A, v) + mat.Dot(mat.NewVecDense(d, b), v) + c
		near(t, "discriminant", got, math.Log(p)+g0.LogDensity(x...)-math.Log(1-p)-g1.LogDensity(x...), 1e-9*(1+math.Abs(got)))
	}
	line, plane := draw(1), draw(2)
	estimatortest.Refused(t, map[string]error{
		"of different dimensions": fourth(Discriminant(line, plane, 0.5, 0.5)),
		"the Gaussians":           fourth(Discriminant(nil, line, 0.5, 0.5)),
		"which sums to 1.1":       fourth(Discriminant(line, line, 0.5, 0.6)),
	})
}

// With one covariance, k(beta) = beta (1-beta) D^2/2, so that the best beta is 1/2 - log(p0/p1)/D^2.
func TestChernoffByHand(t *testing.T) {
	cov := mat.NewSymDense(2, []float64{4, 2, 2, 5})
	g0, g1 := must(NewGaussian([]float64{0, 0}, cov)), must(NewGaussian([]float64{4, 4}, cov))
	const D2 = (5*16 - 2*2*16 + 4*16) / 16.0
	near(t, "k", must(ChernoffExponent(g0, g1, 0.3)), 0.3*0.7/2*D2, 1e-14)
	near(t, "Bhattacharyya", must(BhattacharyyaBound(g0, g1, 0.4, 0.6)), math.Sqrt(0.24)*math.Exp(-D2/8), 1e-15)
	for _, p := range []float64{0.5, 0.3, 0.8} {
		want := 0.5 - math.Log(p/(1-p))/D2
		bound, beta, err := ChernoffBound(g0, g1, p, 1-p)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "beta", beta, want, 2e-8)
		near(t, "bound", bound, math.Pow(p, want)*math.Pow(1-p, 1-want)*math.Exp(-want*(1-want)/2*D2), 1e-14)
	}
	for _, p := range []float64{0, 1} {
		if bound, beta, err := ChernoffBound(g0, g1, p, 1-p); bound != 0 || beta != 0.5 || err != nil {
			t.Error(bound, beta, err)
		}
	}
	line := must(Normal(0, 1))
	estimatortest.Refused(t, map[string]error{
		"the Gaussians is nil or of": second(ChernoffExponent(g0, line, 0.5)),
		"the Gaussians is nil":       second(ChernoffExponent(nil, line, 0.5)),
		"beta is 0,":                 second(ChernoffExponent(g0, g1, 0)),
		"beta is 1,":                 second(ChernoffExponent(g0, g1, 1)),
		"bayes.BhattacharyyaBound":   second(BhattacharyyaBound(g0, g1, 0.5, 0.6)),
		"bayes.ChernoffBound":        third(ChernoffBound(g0, g1, 0.5, 0.6)),
		"bayes.ChernoffExponent: ":   third(ChernoffBound(g0, line, 0.5, 0.5)),
	})
}

func TestIntervals(t *testing.T) {
	rule := Intervals{[]float64{-1, 2}, []int{2, 0, 1}}
	for x, want := range map[float64]int{-5: 2, -1.01: 2, -1: 0, 1.99: 0, 2: 1, 9: 1} {
		if got := rule.Action(x); got != want {
			t.Errorf("action %d at %v, want %d", got, x, want)
		}
	}
	m := must(NewLaw([]float64{0.25, 0.75}, must(Normal(0, 1)), must(Normal(1, 2))))
	loss := LossTable{{0, 2}, {1, 0}, {0.5, 0.5}}
	below := func(z float64) float64 { return 0.5 * math.Erfc(-z/math.Sqrt2) }
	p0, p1 := [3]float64{below(-1), below(2) - below(-1), below(-2)}, [3]float64{below(-1), below(0.5) - below(-1), below(-0.5)}
	want := 0.5*(0.25*p0[0]+0.75*p1[0]) + 2*0.75*p1[1] + 1*0.25*p0[2]
	near(t, "risk", must(m.RiskOf(loss, rule)), want, 1e-15)
	near(t, "risk by quadrature", must(m.QuadratureRisk(loss, rule.Action)), want, 1e-10)
	plane := must(NewGaussian([]float64{0, 0}, mat.NewDiagDense(2, []float64{1, 1})))
	wide := must(NewLaw([]float64{1}, plane))
	estimatortest.Refused(t, map[string]error{
		"rule is {[2 1]":                 second(m.RiskOf(loss, Intervals{[]float64{2, 1}, []int{0, 1, 0}})),
		"rule is {[2] [0]}":              second(m.RiskOf(loss, Intervals{[]float64{2}, []int{0}})),
		"rule is action 3":               second(m.RiskOf(loss, Intervals{[]float64{2}, []int{0, 3}})),
		"rule is action -1":              second(m.RiskOf(loss, Intervals{[]float64{2}, []int{-1, 0}})),
		"Law.RiskOf: loss is":            second(m.RiskOf(ZeroOne(3), rule)),
		"Law.Rule: loss is":              second(m.Rule(ZeroOne(3))),
		"QuadratureRisk: loss is":        second(m.QuadratureRisk(ZeroOne(3), nil)),
		"Law.RiskOf: the m":              second(wide.RiskOf(ZeroOne(1), rule)),
		"Law.Rule: the m":                second(wide.BayesRisk(ZeroOne(1))),
		"QuadratureRisk: the m":          second(wide.QuadratureRisk(ZeroOne(1), nil)),
		"rule is action 3 s":             second(m.QuadratureRisk(loss, func(float64) int { return 3 })),
		"rule is action -2 s":            second(m.QuadratureRisk(loss, func(float64) int { return -2 })),
		"Quadrature: tol is 0":           second(Quadrature(math.Sin, 0, 0, 1)),
		"points is 1 numbers":            second(Quadrature(math.Sin, 1e-9, 0)),
		"points is [1 0]":                second(Quadrature(math.Sin, 1e-9, 1, 0)),
		"points is [0 +Inf]":             second(Quadrature(math.Sin, 1e-9, 0, math.Inf(1))),
		"not integrable between 0 and 1": second(Quadrature(func(float64) float64 { return math.NaN() }, 1e-9, 0, 0, 1)),
	})
}

// Kronrod's rule of 15 points is exact for polynomials up to degree 22, Gauss's of 7 up to 13: one panel must do.
func TestQuadratureIsExact(t *testing.T) {
	for degree := range 23 {
		f := func(x float64) float64 { return math.Pow(x, float64(degree)) }
		value, difference, size := kronrod(f, -1, 2)
		want := (math.Pow(2, float64(degree+1)) - math.Pow(-1, float64(degree+1))) / float64(degree+1)
		near(t, fmt.Sprintf("x^%d", degree), value, want, 1e-13*(1+want))
		if degree <= 13 && difference > 1e-12*(1+want) || degree > 15 && difference < 1e-9*want {
			t.Errorf("degree %d: the rules differ by %v", degree, difference)
		}
		if degree%2 == 0 {
			near(t, "size", size, want, 1e-13*(1+want))
		}
	}
	_, _, size := kronrod(func(x float64) float64 { return -x }, -1, 1)
	near(t, "integral of |x|", size, 1, 0.02)
}

func TestLikelihoodRatioByHand(t *testing.T) {
	near(t, "threshold", must(LikelihoodRatioThreshold(LossTable{{1, 7}, {4, 2}}, []float64{0.25, 0.75})), 5.0/3*3, 1e-14)
	if v := must(LikelihoodRatioThreshold(ZeroOne(2), []float64{0, 1})); !math.IsInf(v, 1) {
		t.Error(v)
	}
	if v := must(LikelihoodRatioThreshold(ZeroOne(2), []float64{1, 0})); v != 0 {
		t.Error(v)
	}
	half := []float64{0.5, 0.5}
	estimatortest.Refused(t, map[string]error{
		"loss is a table of more":                 second(LikelihoodRatioThreshold(Reject(2, 0.1), half)),
		"loss is 3 x 3":                           second(LikelihoodRatioThreshold(ZeroOne(3), half)),
		"priors is 1":                             second(LikelihoodRatioThreshold(ZeroOne(2), []float64{1})),
		"loss is [[1 1] [1 0]]":                   second(LikelihoodRatioThreshold(LossTable{{1, 1}, {1, 0}}, half)),
		"loss is [[0 1] [1 1]]":                   second(LikelihoodRatioThreshold(LossTable{{0, 1}, {1, 1}}, half)),
		"loss is empty":                           second(NewLoss()),
		"NewLoss: loss is empty":                  second(NewLoss([]float64{})),
		"loss, row 1 is 1 numbers":                second(NewLoss([]float64{0, 1}, []float64{1})),
		"loss[1, 0] is NaN":                       second(NewLoss([]float64{0, 1}, []float64{math.NaN(), 1})),
		"loss[0, 1] is -Inf":                      second(NewLoss([]float64{0, math.Inf(-1)}, []float64{1, 1})),
		"ConditionalRisk: posterior[0] is -0.5":   second(ConditionalRisk(ZeroOne(2), []float64{-0.5, 1.5})),
		"ConditionalRisk: loss is 2 x 2":          third(Decide(ZeroOne(2), []float64{1})),
		"ConditionalRisk: posterior is [0.5 0.6]": third(Decide(ZeroOne(2), []float64{0.5, 0.6})),
	})
	if l := Reject(3, 0.25); l.Actions() != 4 || l.Classes() != 3 || !slices.Equal(l[3], []float64{0.25, 0.25, 0.25}) ||
		!slices.Equal(l[1], []float64{1, 0, 1}) ||
		LossTable(nil).Classes() != 0 {
		t.Error(l)
	}
}

func TestJointByHand(t *testing.T) {
	j := must(JointOf([]float64{0.25, 0.75}, [][]float64{{0.2, 0.6}, {0.8, 0.4}}))
	for x, row := range [][]float64{{0.05, 0.45}, {0.2, 0.3}} {
		for y, want := range row {
			near(t, "p", j.P(x, y), want, 1e-15)
		}
	}
	estimatortest.NearAll(t, "evidence", j.Evidence(), []float64{0.5, 0.5}, 1e-15)
	estimatortest.NearAll(t, "priors", j.Priors(), []float64{0.25, 0.75}, 1e-15)
	loss := LossTable{{0, 1}, {2, 0}}
	// Conditional risks, times p(x): 0.45 and 0.1, then 0.3 and 0.4.
	near(t, "Bayes risk", must(j.BayesRisk(loss)), 0.4, 1e-15)
	near(t, "risk", must(j.Risk(loss, []int{0, 1})), 0.85, 1e-15)
	var order [][]int
	for _, p := range must(j.Policies(loss)) {
		order = append(order, p.Policy)
	}
	if fmt.Sprint(order) != "[[1 0] [1 1] [0 0] [0 1]]" { // 0.4, 0.5, 0.75, 0.85
		t.Error(order)
	}
	if j.Observations() != 2 || j.Classes() != 2 {
		t.Error("sizes")
	}
	never := must(NewJoint([]float64{0.5, 0, 0.5}, []float64{0, 0, 0}))
	estimatortest.NearAll(t, "impossible observation", never.Posteriors()[1], []float64{0, 0, 0}, 0)
	estimatortest.NearAll(t, "impossible class", never.Likelihoods()[0], []float64{1, 0, 1}, 0)
	five := make([][]float64, 5)
	for i := range five {
		five[i] = []float64{0.1, 0.1}
	}
	ties := must(must(NewJoint(five...)).Policies(make2(10))) // 10^5 policies are just enough; equal risks stand in the order of counting
	if len(ties) != 100000 || !slices.Equal(ties[0].Policy, []int{0, 0, 0, 0, 0}) || !slices.Equal(ties[12].Policy, []int{2, 1, 0, 0, 0}) {
		t.Error(len(ties), ties[12])
	}
	estimatortest.Refused(t, map[string]error{
		"NewJoint: the table, row 1 is 1 numbers": second(NewJoint([]float64{0.5, 0.25}, []float64{0.25})),
		"which sums to 0.75":                      second(NewJoint([]float64{0.5, 0.25})),
		"the table[1] is -0.5":                    second(NewJoint([]float64{0.5, -0.5}, []float64{1, 0})),
		"column 1 of likelihoods":                 second(JointOf([]float64{0.5, 0.5}, [][]float64{{0.5, 0.6}, {0.5, 0.6}})),
		"likelihoods is 1 x 1":                    second(JointOf([]float64{0.5, 0.5}, [][]float64{{1}})),
		"JointOf: priors":                         second(JointOf([]float64{0.5, 0.6}, [][]float64{{1, 1}})),
		"policy is 1 actions":                     second(j.Risk(loss, []int{0})),
		"policy[1] is 2":                          second(j.Risk(loss, []int{0, 2})),
		"policy[0] is -1":                         second(j.Risk(loss, []int{-1, 0})),
		"Joint.Risk: loss is 3 x 3":               second(j.Risk(ZeroOne(3), []int{0, 0})),
		"Joint.Policy: loss is 3 x 3":             second(j.BayesRisk(ZeroOne(3))),
		"Joint.Policies: loss is 3 x 3":           second(j.Policies(ZeroOne(3))),
		"the number of policies is 11^5, but nee": second(must(NewJoint(five...)).Policies(make2(11))),
	})
}

// The pooled covariance of two classes of two points by hand, with each denominator, shrinkage and weights.
func TestCovarianceByHand(t *testing.T) {
	X, y := mat.NewDense(5, 2, []float64{0, 0, 2, 2, 5, 0, 7, 4, 6, 2}), []int{0, 0, 1, 1, 1}
	// Class 0: mean (1, 1), scatter [2 2; 2 2]. Class 1: mean (6, 2), scatter [2 4; 4 8].
	for name, c := range map[string]struct {
		o    Options
		want [3]float64 // S00, S01, S11
	}{
		"unbiased":       {Options{Denominator: Unbiased}, [3]float64{4.0 / 3, 2, 10.0 / 3}},
		"likelihood":     {Options{Denominator: MaximumLikelihood}, [3]float64{4.0 / 5, 6.0 / 5, 2}},
		"shrunk":         {Options{Denominator: MaximumLikelihood, Shrinkage: 0.25}, [3]float64{0.6 + 0.35, 0.9, 1.5 + 0.35}},
		"all the way":    {Options{Denominator: MaximumLikelihood, Shrinkage: 1}, [3]float64{1.4, 0, 1.4}},
		"weights of two": {Options{Denominator: Unbiased, Weights: []float64{2, 2, 2, 2, 2}}, [3]float64{8.0 / 8, 12.0 / 8, 20.0 / 8}},
	} {
		S := must(FitLDA(t.Context(), X, y, c.o)).Pooled()
		estimatortest.NearAll(t, name, []float64{S.At(0, 0), S.At(0, 1), S.At(1, 1)}, c.want[:], 1e-14)
	}
	m := must(FitNearestMean(t.Context(), X, y, Options{}))
	estimatortest.NearAll(t, "mean", m.Gaussian(1).Mean(), []float64{6, 2}, 1e-15)
	estimatortest.NearAll(t, "equal priors", m.Priors(), []float64{0.5, 0.5}, 0)
	nb := must(FitGaussianNB(t.Context(), X, y, Options{}))
	estimatortest.NearAll(
		t,
		"variances",
		[]float64{nb.Gaussian(1).Cov().At(0, 0), nb.Gaussian(1).Cov().At(1, 1), nb.Gaussian(1).Cov().At(0, 1)},
		[]float64{1, 4, 0},
		1e-15,
	)
	estimatortest.NearAll(t, "proportions", nb.Priors(), []float64{0.4, 0.6}, 1e-15)
	if nb.Pooled() != nil || nb.Class(1) != -1 || new(Classifier).Dim() != 0 {
		t.Error("a classifier without a pooled covariance")
	}
	if err := third(nb.Linear()); err == nil || !strings.Contains(err.Error(), "bayes.GaussianNB.Linear") {
		t.Error(err)
	}
	if err := fourth(nb.Coordinates(5)); err == nil || !strings.Contains(err.Error(), "bayes.GaussianNB.Coordinates") {
		t.Error(err)
	}
	if err := fourth(m.Coordinates(0)); err == nil || !strings.Contains(err.Error(), "n is 0") {
		t.Error(err)
	}
}
