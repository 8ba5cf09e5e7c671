package svm

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/kernel"
)

// Along rising, falling and repeated prices the machines are those of cold fits: objectives agree to the tolerance, decisions too,
// certificates are as good, for both kinds of slack, with and without bias, for weights, in single precision, with probabilities and for
// three classes. Rising prices take fewer steps where there is a bias.
func TestPathIsColdFits(t *testing.T) {
	iris := datasets.Iris().Features("sepal length", "sepal width")
	cancer := datasets.BreastCancer().Standardize()
	weights := make([]float64, iris.N())
	for i := range weights {
		weights[i] = float64(i % 3)
	}
	rising, zigzag := []float64{0.1, 0.3, 1, 3, 10, 30, 100}, []float64{1, 10, 10, 0.2, 3}
	for name, c := range map[string]struct {
		set    datasets.Set
		prices []float64
		change func(*Options)
		faster bool
	}{
		"rising":         {iris.Classes("versicolor", "virginica"), rising, func(*Options) {}, true},
		"zigzag":         {iris.Classes("versicolor", "virginica"), zigzag, func(*Options) {}, false},
		"RBF":            {cancer, rising, func(o *Options) { o.Kernel = kernel.RBF{Gamma: 0.05} }, true},
		"quadratic":      {cancer, rising, func(o *Options) { o.Kernel, o.Slack = kernel.RBF{Gamma: 0.05}, QuadraticSlack }, true},
		"no bias":        {cancer, rising, func(o *Options) { o.Kernel, o.NoBias = kernel.RBF{Gamma: 0.05}, true }, false},
		"three, weights": {iris, zigzag, func(o *Options) { o.Kernel, o.Weights = kernel.RBF{Gamma: 0.5}, weights }, false},
		"probabilities":  {iris, zigzag[:2], func(o *Options) { o.Probability = true }, false},
	} {
		o := Options{Tol: 1e-9}
		c.change(&o)
		path, err := FitPath(context.Background(), c.set.X, c.set.Y, c.prices, o)
		if err != nil || len(path) != len(c.prices) {
			t.Fatal(name, err)
		}
		warm, cold := 0, 0
		for i, m := range path {
			o.C = c.prices[i]
			want := fit(t, c.set.X, c.set.Y, func(to *Options) { *to = o })
			if m.C != o.C {
				t.Errorf("%s: machine %d is of C = %v", name, i, m.C)
			}
			for k, a := range m.Pairs() {
				b := want.Pairs()[k]
				warm, cold = warm+a.Certificate.Iterations, cold+b.Certificate.Iterations
				size := math.Max(1, b.Certificate.Primal)
				if d := math.Abs(a.Certificate.Dual - b.Certificate.Dual); d > 1e-7*size || a.Certificate.Gap > 1e-6*size ||
					a.Certificate.Pair > o.Tol || a.Certificate.Balance > 1e-9*size {
					t.Errorf("%s, C = %v: %v, cold %v", name, o.C, a.Certificate, b.Certificate)
				}
			}
			if undetermined(m) || undetermined(want) {
				continue
			}
			F, err1 := m.PairDecision(c.set.X)
			G, err2 := want.PairDecision(c.set.X)
			if err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
			for r, v := range F.RawMatrix().Data {
				if math.Abs(v-G.RawMatrix().Data[r]) > 1e-5*(1+math.Abs(v)) {
					t.Fatalf("%s, C = %v: decision %v, cold %v", name, o.C, v, G.RawMatrix().Data[r])
				}
			}
		}
		t.Logf("%s: %d steps, cold %d", name, warm, cold)
		if c.faster && warm >= cold {
			t.Errorf("%s: %d steps, cold %d", name, warm, cold)
		}
	}
}

// undetermined reports whether some machine has a bias and no free support vector, so that the bias may be anywhere in an interval.
func undetermined(m *Model) bool {
	return !m.NoBias && slices.ContainsFunc(m.Pairs(), func(a Machine) bool { return a.Certificate.Support == a.Certificate.Bounded })
}

func TestPathErrors(t *testing.T) {
	set := rings(40)
	path := func(prices []float64, o Options) error {
		_, err := FitPath(context.Background(), set.X, set.Y, prices, o)
		return err
	}
	for want, err := range map[string]error{
		"svm.FitPath: prices is empty":         path(nil, Options{}),
		"svm.FitPath: prices[1] is -1":         path([]float64{1, -1}, Options{}),
		"svm.FitPath: Slack is a hard margin":  path([]float64{1}, Options{Slack: HardMargin}),
		"svm.FitPath: Tol is 2":                path([]float64{1}, Options{Tol: 2}),
		"svm.FitPath: ClassWeights is 1 numbe": path([]float64{1}, Options{ClassWeights: []float64{1}}),
		"svm.FitPath: no convergence after 3":  path([]float64{1, 2}, Options{MaxIter: 3}),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	var late *IterationError
	if err := path([]float64{1, 2}, Options{MaxIter: 3}); !errors.As(err, &late) || late.Model == nil || late.Model.C != 1 {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := FitPath(ctx, set.X, set.Y, []float64{1}, Options{})
	if !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), "svm.FitPath: ") {
		t.Error(err)
	}
}
