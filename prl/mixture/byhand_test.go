package mixture

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator/estimatortest"
	"github.com/prlab/prlab/prl/internal/gauss"
)

// The values of this file are worked out by hand, or follow from a formula that the package does not use.

// The defaults are those that the documentation of the options names.
func TestDefaults(t *testing.T) {
	k := KMeansOptions{K: 3}.filled()
	if k.K != 3 || k.Restarts != 10 || k.MaxIter != 300 || k.Tol != 0 || k.Seed != 1 || k.Algorithm != Hamerly || k.Trace {
		t.Errorf("%+v", k)
	}
	o := GMMOptions{K: 3}.filled()
	if o.K != 3 || o.Covariance != Full || o.Restarts != 3 || o.MaxIter != 500 || o.Tol != 1e-7 || o.Reg != 1e-6 || o.Seed != 1 ||
		o.Init != InitKMeans || o.Trace {
		t.Errorf("%+v", o)
	}
}

// Columns (0, 2, 4) and (0, 0, 3) have the variances 8/3 and 2; with weights 1, 2, 1 they are 2 and 27/16.
func TestMeanVariance(t *testing.T) {
	x := []float64{0, 0, 2, 0, 4, 3}
	near(t, "variance", meanVariance(x, 3, 2, nil), (8.0/3+2)/2, 1e-15)
	near(t, "weighted variance", meanVariance(x, 3, 2, []float64{1, 2, 1}), (2+27.0/16)/2, 1e-15)
}

// Centres 0 and 4 move to 1 and 8 in the first round, a squared shift of 17, and not at all in the second.
func TestToleranceOfKMeans(t *testing.T) {
	X := column(0, 1, 2, 7, 8, 9) // mean 4.5, squares 20.25 + 12.25 + 6.25 twice
	const variance = 2 * (20.25 + 12.25 + 6.25) / 6
	for _, a := range []Algorithm{Hamerly, Lloyd} {
		for _, c := range []struct {
			tol    float64
			rounds int
		}{{0, 2}, {16.9 / variance, 2}, {17.1 / variance, 1}} {
			o := KMeansOptions{K: 2}
			o.Algorithm, o.Centres, o.Tol = a, [][]float64{{0}, {4}}, c.tol
			m, err := FitKMeans(ctx, X, o)
			if err != nil {
				t.Fatal(err)
			}
			if m.Iterations() != c.rounds || !m.Converged() {
				t.Errorf("%s, tolerance %v: %d rounds, want %d", a, c.tol, m.Iterations(), c.rounds)
			}
			near(t, "inertia", m.Inertia(), 4, 1e-15)
			estimatortest.NearAll(t, "centres", []float64{m.Centres()[0][0], m.Centres()[1][0]}, []float64{1, 8}, 1e-15)
		}
	}
	o := KMeansOptions{K: 2}
	o.Centres, o.MaxIter, o.Weights = [][]float64{{0}, {8}}, 300, []float64{3, 0, 1, 1, 1, 2}
	m, err := FitKMeans(ctx, X, o)
	if err != nil {
		t.Fatal(err)
	}
	estimatortest.NearAll(t, "weighted centres", []float64{m.Centres()[0][0], m.Centres()[1][0]}, []float64{0.5, 8.25}, 1e-15)
	near(t, "weighted inertia", m.Inertia(), 3*0.25+2.25+25.0/16+1.0/16+2*9.0/16, 1e-14)
	within, err := m.Within(X)
	if err != nil {
		t.Fatal(err)
	}
	estimatortest.NearAll(t, "within", within, []float64{0.25 + 0.25 + 2.25, 25.0/16 + 1.0/16 + 9.0/16}, 1e-14)
	D, err := m.Transform(column(2))
	if err != nil {
		t.Fatal(err)
	}
	estimatortest.NearAll(t, "distances", D.RawRowView(0), []float64{1.5, 6.25}, 1e-15)
	if m.Class(4.3) != 0 || m.Class(4.4) != 1 || m.Class(1, 2) != -1 {
		t.Error("classes of points")
	}
}

// Squared distances to the nearest centre: 1, 0, 1, 9.
func TestPlusPlusProbabilities(t *testing.T) {
	p, err := PlusPlusProbabilities(column(0, 1, 3, 7), [][]float64{{1}, {4}})
	if err != nil {
		t.Fatal(err)
	}
	estimatortest.NearAll(t, "p", p, []float64{1.0 / 11, 0, 1.0 / 11, 9.0 / 11}, 1e-15)
	if p, err = PlusPlusProbabilities(column(1, 4, 1, 4), [][]float64{{1}, {4}}); err != nil {
		t.Fatal(err)
	}
	estimatortest.NearAll(t, "no spread", p, []float64{.25, .25, .25, .25}, 0)
}

// The density of a mixture in 1 ... 9 dimensions, against the sum over components with a determinant and an inverse by gonum.
func TestDensityInManyDimensions(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for _, kind := range []Covariance{Full, Tied, Diagonal, Spherical} {
		for d := 1; d <= 9; d++ {
			p := GMMParameters{Weights: []float64{0.25, 0.75}, Kind: kind}
			X := mat.NewDense(70, d, nil)
			for i := range 70 {
				for j := range d {
					X.Set(i, j, 1.5*rng.NormFloat64())
				}
			}
			for c := range 2 {
				L := mat.NewDense(d, d, nil)
				for i := range d {
					for j := range i {
						if kind == Full || kind == Tied {
							L.Set(i, j, rng.NormFloat64())
						}
					}
					L.Set(i, i, 1+rng.Float64())
					if kind == Spherical {
						L.Set(i, i, L.At(0, 0))
					}
				}
				var S mat.SymDense
				S.SymOuterK(1, L)
				mean, cov := make([]float64, d), make([][]float64, d)
				for j := range d {
					mean[j] = rng.NormFloat64()
					cov[j] = append([]float64(nil), mat.Row(nil, j, &S)...)
				}
				if kind == Tied && c == 1 {
					cov = p.Covariances[0]
				}
				p.Means, p.Covariances = append(p.Means, mean), append(p.Covariances, cov)
			}
			m, err := NewGMM(p)
			if err != nil {
				t.Fatal(err)
			}
			log, err := m.LogDensities(X)
			if err != nil {
				t.Fatal(err)
			}
			total, proba := 0.0, mat.NewDense(70, 2, nil)
			for i := range 70 {
				share := make([]float64, 2)
				for c := range 2 {
					S := mat.NewDense(d, d, nil)
					for j := range d {
						S.SetRow(j, p.Covariances[c][j])
					}
					u, v := mat.NewVecDense(d, nil), mat.NewVecDense(d, nil)
					u.SubVec(X.RowView(i), mat.NewVecDense(d, p.Means[c]))
					if err := v.SolveVec(S, u); err != nil {
						t.Fatal(err)
					}
					share[c] = p.Weights[c] * math.Exp(-0.5*mat.Dot(u, v)) / math.Sqrt(math.Pow(2*math.Pi, float64(d))*mat.Det(S))
					near(t, "component", m.Component(c, X.RawRowView(i)...)/share[c], 1, 1e-9)
				}
				sum := share[0] + share[1]
				total += math.Log(sum)
				near(t, fmt.Sprintf("%s, d = %d: log density", kind, d), log[i], math.Log(sum), 1e-9*(1+math.Abs(math.Log(sum))))
				near(t, "density", m.Density(X.RawRowView(i)...)/sum, 1, 1e-9)
				near(t, "responsibility", m.Responsibilities(X.RawRowView(i)...)[0], share[0]/sum, 1e-9)
				proba.Set(i, 0, share[0]/sum)
			}
			l, err := m.LogLikelihood(X)
			if err != nil {
				t.Fatal(err)
			}
			near(t, fmt.Sprintf("%s, d = %d: log-likelihood", kind, d), l, total, 1e-8*(1+math.Abs(total)))
			got, err := m.Proba(X)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 70 {
				near(t, "row of responsibilities", got.At(i, 0), proba.At(i, 0), 1e-9)
			}
			bic, err1 := m.BIC(X)
			aic, err2 := m.AIC(X)
			if err := errors.Join(err1, err2); err != nil {
				t.Fatal(err)
			}
			free := 1 + 2*d + map[Covariance]int{Full: d * (d + 1), Tied: d * (d + 1) / 2, Diagonal: 2 * d, Spherical: 2}[kind]
			near(t, "BIC", bic, -2*l+float64(free)*math.Log(70), 1e-9*math.Abs(l))
			near(t, "AIC", aic, -2*l+2*float64(free), 1e-9*math.Abs(l))
		}
	}
}

// One M-step from the responsibilities 1, 1/2, 0 for the rows 0, 1, 4, with each type of covariance.
func TestMStepByHand(t *testing.T) {
	x, r := []float64{0, 0, 1, 2, 4, 2}, []float64{1, 0, .5, .5, 0, 1}
	// Component 0: mass 3/2, mean (1/3, 2/3); component 1 the same with mean (3, 2). Scatter of 0: 1/3 [1 2; 2 4], of 1: [3 0; 0 0].
	shape, tenth := two2(t, Full), gauss.Ridge{Add: []float64{0.1, 0.1}}
	for kind, want := range map[Covariance][2][]float64{
		Full:      {{2.0/9 + .1, 4.0 / 9, 4.0 / 9, 8.0/9 + .1}, {2 + .1, 0, 0, .1}},
		Tied:      {{10.0/9 + .1, 2.0 / 9, 2.0 / 9, 4.0/9 + .1}, {10.0/9 + .1, 2.0 / 9, 2.0 / 9, 4.0/9 + .1}},
		Diagonal:  {{2.0/9 + .1, 0, 0, 8.0/9 + .1}, {2 + .1, 0, 0, .1}},
		Spherical: {{5.0/9 + .1, 0, 0, 5.0/9 + .1}, {1 + .1, 0, 0, 1 + .1}},
	} {
		shape.kind = kind
		m, err := shape.maximise(ctx, x, 3, nil, r, tenth, hold{})
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		estimatortest.NearAll(t, "weights", m.weights, []float64{.5, .5}, 1e-15)
		estimatortest.NearAll(t, "means", m.means, []float64{1.0 / 3, 2.0 / 3, 3, 2}, 1e-15)
		estimatortest.NearAll(t, string(kind), slices.Concat(m.Covariances()[0]...), want[0], 1e-14)
		estimatortest.NearAll(t, string(kind), slices.Concat(m.Covariances()[1]...), want[1], 1e-14)
	}
	shape.kind = Diagonal
	m, _ := shape.maximise(ctx, x, 3, []float64{1, 2, 3}, r, gauss.Ridge{}, hold{covariances: true})
	estimatortest.NearAll(t, "weights with weights", m.weights, []float64{2.0 / 6, 4.0 / 6}, 1e-15)
	estimatortest.NearAll(t, "means with weights", m.means, []float64{.5, 1, 13.0 / 4, 2}, 1e-15)
	estimatortest.NearAll(t, "held covariances", slices.Concat(m.covs...), slices.Concat(shape.covs...), 0)
	m, _ = shape.maximise(ctx, x, 3, nil, r, tenth, hold{weights: true, means: true})
	estimatortest.NearAll(t, "held weights", m.weights, shape.weights, 0)
	estimatortest.NearAll(t, "held means", m.means, shape.means, 0)
	var collapse *CollapseError
	if _, err := shape.maximise(ctx, x, 3, nil, []float64{1, 0, 1, 0, 1, 0}, tenth, hold{}); !errors.As(err, &collapse) ||
		collapse.Component != 1 ||
		!collapse.Empty {
		t.Errorf("error %v, want one of component 1, which has no rows", err)
	}
}

func two2(t *testing.T, kind Covariance) *GMM {
	t.Helper()
	unit := [][]float64{{1, 0}, {0, 1}}
	m, err := NewGMM(
		GMMParameters{Weights: []float64{.25, .75}, Means: [][]float64{{0, 0}, {4, 2}}, Covariances: [][][]float64{unit, unit}, Kind: kind},
	)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The overall covariance is that within plus that between: 1 + 0.25 * 0.75 * (16, 8; 8, 4).
func TestMoments(t *testing.T) {
	mean, cov := two2(t, Full).Moments()
	estimatortest.NearAll(t, "mean", mean, []float64{3, 1.5}, 1e-15)
	estimatortest.NearAll(t, "covariance", append(append([]float64(nil), cov[0]...), cov[1]...), []float64{4, 1.5, 1.5, 1.75}, 1e-15)
}

// Ten tosses: C(10, 5) = 252; each coin is drawn with probability 1/2.
func TestCoinsByHand(t *testing.T) {
	p, err := Coins([]int{5, 10}, 10)
	if err != nil {
		t.Fatal(err)
	}
	want := math.Log(252*math.Pow(2, -11)+252*math.Pow(0.25, 5)*math.Pow(0.75, 5)/2) + math.Log(math.Pow(2, -11)+math.Pow(0.25, 10)/2)
	near(t, "log-likelihood", LogLik(p, []float64{.5, .25}), want, 1e-12)
	near(t, "a sure coin", LogLik(p, []float64{1, .5}), math.Log(252*math.Pow(2, -11))+math.Log(0.5+math.Pow(2, -11)), 1e-12)
	theta, err := p.Maximise([][]float64{{.5, .5}, {.25, .75}}, []float64{.1, .2})
	if err != nil {
		t.Fatal(err)
	}
	estimatortest.NearAll(t, "M-step", theta, []float64{5.0 / 7.5, 10.0 / 12.5}, 1e-15)
	if _, err := p.Maximise([][]float64{{1, 0}, {1, 0}}, []float64{.1, .2}); err == nil ||
		!strings.Contains(err.Error(), "coin 2 explains no round") {
		t.Error(err)
	}
}

func TestMoreErrors(t *testing.T) {
	X := column(1, 2, 3)
	g := two2(t, Diagonal)
	one := [][]float64{{1}}
	coins, _ := Coins([]int{1}, 2)
	parameters := func(change func(*GMMParameters)) error {
		p := GMMParameters{Weights: []float64{.5, .5}, Means: [][]float64{{0}, {1}}, Covariances: [][][]float64{one, one}}
		change(&p)
		return second(NewGMM(p))
	}
	gmm := func(change func(*GMMOptions)) error {
		o := GMMOptions{K: 2}
		change(&o)
		return second(FitGMM(ctx, X, o))
	}
	third := func(_, _ any, err error) error { return err }
	estimatortest.Refused(t, map[string]error{
		"mixture.Gaussians: X is nil":             second(Gaussians(nil, GMMOptions{K: 1})),
		"mixture.EM: p is without":                second(EM(ctx, []float64{.5}, Problem[[]float64]{LogJoint: coins.LogJoint}, EMOptions{})),
		"EM: MaxIter is -2":                       second(EM(ctx, []float64{.5}, coins, EMOptions{MaxIter: -2})),
		"EM: Tol is +Inf":                         second(EM(ctx, []float64{.5}, coins, EMOptions{Tol: math.Inf(1)})),
		"EM: Tol is -2":                           second(EM(ctx, []float64{.5}, coins, EMOptions{Tol: -2})),
		"with log-likelihood -Inf in iteration 0": second(EM(ctx, []float64{0}, coins, EMOptions{})),
		"heads is empty":                          second(Coins(nil, 2)),
		"tosses is 0":                             second(Coins([]int{0}, 0)),
		"heads[1] is -1":                          second(Coins([]int{0, -1}, 2)),
		"Decompose: theta is another shape":       third(Decompose(X, two(t, [2]float64{0, 1}, [2]float64{1, 1}, Full), g)),
		"theta is another shape than":             second(LowerBound(X, nil, g)),
		"GMM.Proba: X is 3 x 1":                   second(LowerBound(X, g, g)),
		"GMM.LogLikelihood: X is 3":               second(g.LogLikelihood(X)),
		"GMM.LogDensities: X is 3":                second(g.LogDensities(X)),
		"GMM.MeansGradient: X is 3":               second(g.MeansGradient(X)),
		"GMM.Predict: X is 3":                     second(g.Predict(X)),
		"GMM.BIC: X is 3":                         second(g.BIC(X)),
		"GMM.AIC: X is 3":                         second(g.AIC(X)),
		"GMM.Sample: n is 0":                      third(g.Sample(0, 1)),
		"KMeans.Predict: the model":               second(new(KMeans).Predict(X)),
		"KMeans.Within: the model":                second(new(KMeans).Within(X)),
		"KMeans.Transform: the model":             second(new(KMeans).Transform(X)),
		"Select: kMax is 0":                       third(Select(ctx, X, 0, []Covariance{Full}, GMMOptions{K: 1})),
		"Select: kinds is empty":                  third(Select(ctx, X, 1, nil, GMMOptions{K: 1})),
		"PlusPlusProbabilities: X is nil":         second(PlusPlusProbabilities(nil, [][]float64{{1}})),
		"centres[0] is 2 numbers":                 second(PlusPlusProbabilities(X, [][]float64{{1, 2}})),
		"centres[1][0] is NaN":                    second(PlusPlusProbabilities(X, [][]float64{{1}, {math.NaN()}})),
		"Means is 1 rows":                         parameters(func(p *GMMParameters) { p.Means = p.Means[:1] }),
		"Means[1] is 2 numbers":                   parameters(func(p *GMMParameters) { p.Means[1] = []float64{1, 2} }),
		"Covariances is 1 matrices":               parameters(func(p *GMMParameters) { p.Covariances = p.Covariances[:1] }),
		"Covariances[1] is nil":                   parameters(func(p *GMMParameters) { p.Covariances[1] = nil }),
		"Covariances[0] is 2 rows":                parameters(func(p *GMMParameters) { p.Covariances[0] = [][]float64{{1}, {1}} }),
		"Covariance is \"round\"":                 parameters(func(p *GMMParameters) { p.Kind = "round" }),
		"Covariances is not all alike":            parameters(func(p *GMMParameters) { p.Covariances[1], p.Kind = [][]float64{{2}}, Tied }),
		"equal to its mirror image": second(NewGMM(GMMParameters{
			Weights: []float64{1}, Means: [][]float64{{0, 0}},
			Covariances: [][][]float64{{{1, .1}, {.2, 1}}},
		})),
		"0 in a diagonal mixture": second(NewGMM(GMMParameters{
			Weights: []float64{1}, Means: [][]float64{{0, 0}},
			Covariances: [][][]float64{{{1, .1}, {.1, 1}}}, Kind: Diagonal,
		})),
		"Restarts is -2":           gmm(func(o *GMMOptions) { o.Restarts = -2 }),
		"MaxIter is -2, but":       gmm(func(o *GMMOptions) { o.MaxIter = -2 }),
		"FitGMM: Tol is NaN":       gmm(func(o *GMMOptions) { o.Tol = math.NaN() }),
		"FitGMM: Tol is +Inf":      gmm(func(o *GMMOptions) { o.Tol = math.Inf(1) }),
		"FitGMM: Reg is +Inf":      gmm(func(o *GMMOptions) { o.Reg = math.Inf(1) }),
		"Init is \"x\"":            gmm(func(o *GMMOptions) { o.Init = "x" }),
		"Weights is 1 numbers":     gmm(func(o *GMMOptions) { o.Weights = []float64{1} }),
		"Start is a full mixture":  gmm(func(o *GMMOptions) { o.Start, o.Covariance = two(t, [2]float64{0, 1}, [2]float64{1, 1}, Full), Tied }),
		"Start is 2 components in": gmm(func(o *GMMOptions) { o.Start = g }),
	})
}
