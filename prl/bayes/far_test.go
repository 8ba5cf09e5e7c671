package bayes

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Posteriors are probabilities at any distance from the means, the class of Predict and Class is the one they favour, and it is the right
// one: the nearer mean when the covariance is shared, the wider class otherwise.
func TestFarPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	n, d := 60, 2
	X, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		y[i] = i % 2
		for j := range d {
			X.Set(i, j, float64(y[i])*2+(1+float64(y[i]))*rng.NormFloat64())
		}
	}
	for name, fit := range map[string]func() (*Classifier, error){
		"LDA":         func() (*Classifier, error) { return FitLDA(context.Background(), X, y, Options{}) },
		"QDA":         func() (*Classifier, error) { return FitQDA(context.Background(), X, y, Options{}) },
		"NearestMean": func() (*Classifier, error) { return FitNearestMean(context.Background(), X, y, Options{}) },
		"GaussianNB":  func() (*Classifier, error) { return FitGaussianNB(context.Background(), X, y, Options{}) },
	} {
		c := must(fit())
		shared := c.Pooled() != nil
		for _, size := range []float64{1e3, 1e9, 1e20, 1e100, 1e154, 1e160, 1e200, 1e300, 1.7e308} {
			for _, sign := range []float64{-1, 1} {
				x := []float64{sign * size, sign * size}
				want := 1
				if shared && sign < 0 {
					want = 0
				}
				P := must(c.Proba(mat.NewDense(1, d, x))).RawRowView(0)
				if !(P[want] > 1-1e-12) || math.Abs(P[0]+P[1]-1) > 1e-12 {
					t.Errorf("%s at %g: posteriors %v", name, sign*size, P)
				}
				if got := must(c.Predict(mat.NewDense(1, d, x))); got[0] != want || c.Class(x...) != want {
					t.Errorf("%s at %g: class %d and %d, want %d", name, sign*size, got[0], c.Class(x...), want)
				}
				if p := c.Law().Posterior(x...); !(p[want] > 1-1e-12) {
					t.Errorf("%s at %g: the model's posteriors are %v", name, sign*size, p)
				}
			}
		}
	}
}

// Weights of any scale give the same means, priors and maximum likelihood covariances; for unbiased ones they count rows.
func TestScaleOfWeights(t *testing.T) {
	X, y := iris(t)
	n, _ := X.Dims()
	o := Options{}
	o.Denominator = MaximumLikelihood
	want := must(FitQDA(context.Background(), X, y, o))
	for _, scale := range []float64{1e-300, 1e-150, 3, 1e150, 1e307} {
		o.Weights = make([]float64, n)
		for i := range o.Weights {
			o.Weights[i] = scale
		}
		got := must(FitQDA(context.Background(), X, y, o))
		for k := range 3 {
			near(t, "log det", got.Gaussian(k).LogDet(), want.Gaussian(k).LogDet(), 1e-12)
			near(t, "prior", got.Priors()[k], want.Priors()[k], 1e-15)
		}
	}
	o = Options{}
	o.Weights = make([]float64, n)
	for i := range o.Weights {
		o.Weights[i] = 1 / float64(n)
	}
	if _, err := FitLDA(context.Background(), X, y, o); err == nil ||
		!strings.Contains(err.Error(), "weights count rows, and these sum to 1:") {
		t.Error(err)
	}
}

// A point of another length than d has no class, no density and no posteriors.
func TestPointOfAnotherLength(t *testing.T) {
	c := must(FitLDA(context.Background(), mat.NewDense(4, 2, []float64{0, 0, 1, 2, 5, 5, 6, 8}), []int{0, 0, 1, 1}, Options{}))
	m := c.Law()
	for _, x := range [][]float64{nil, {1}, {1, 2, 3}} {
		g := m.Class(0)
		if c.Class(x...) != -1 || m.Decide(ZeroOne(2), x...) != -1 {
			t.Errorf("%v has a class", x)
		}
		for _, v := range []float64{g.Mahalanobis2(x...), g.LogDensity(x...), g.Density(x...), m.Evidence(x...)} {
			if !math.IsNaN(v) {
				t.Errorf("%v has the number %g", x, v)
			}
		}
		if m.LogJoint(x...) != nil || m.Joint(x...) != nil || m.Posterior(x...) != nil || m.Risks(ZeroOne(2), x...) != nil {
			t.Errorf("%v has posteriors", x)
		}
	}
	if c.Class(math.NaN(), 0) != -1 || new(Classifier).Class() != -1 {
		t.Error("a class of nothing")
	}
}

func TestRefusedWithoutPanic(t *testing.T) {
	if got := Softmax(nil); !math.IsInf(got, -1) {
		t.Errorf("Softmax of nothing is %g", got)
	}
	if len(ZeroOne(-1)) != 0 || Reject(-1, 0.5).Classes() != 0 {
		t.Error("tables of -1 classes")
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{0, -3} {
		if X := must(Normal(0, 1)).Sample(n, rng); !X.IsEmpty() {
			t.Errorf("Sample(%d) is %v", n, X)
		}
	}
	var none *mat.SymDense
	for want, err := range map[string]error{
		"cov is nil":                       second(NewGaussian([]float64{0}, none)),
		"bayes.NewGaussian: cov is nil":    second(NewGaussian([]float64{0}, nil)),
		"deviation is 1e-200, but needs":   second(Normal(0, 1e-200)),
		"deviation is 1e+200, but needs":   second(Normal(0, 1e200)),
		"the table, row 1 is 1 numbers, b": second(NewJoint([]float64{0.5, 0.25}, []float64{0.25})),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
