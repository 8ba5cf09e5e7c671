package mixture

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/benchtest"
	"github.com/prlab/prlab/prl/estimator"
)

// The clusters of data and weights of any size are those of ordinary ones: everything is divided by powers of two.
func TestKMeansAtAnyScale(t *testing.T) {
	X, _ := benchtest.Classes(300, 3, 4)
	n, d := X.Dims()
	for _, algorithm := range []Algorithm{Hamerly, Lloyd} {
		o := KMeansOptions{K: 4}
		o.Restarts, o.Algorithm, o.Trace = 2, algorithm, true
		want, err := FitKMeans(ctx, X, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range []int{-1000, -600, -400, 400, 600, 1000} {
			Z := mat.NewDense(n, d, nil)
			Z.Apply(func(_, _ int, v float64) float64 { return math.Ldexp(v, e) }, X)
			got, err := FitKMeans(ctx, Z, o)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Labels(), want.Labels()) || got.Inertia() != math.Ldexp(want.Inertia(), 2*e) ||
				got.Iterations() != want.Iterations() {
				t.Errorf("%s, 2^%d: inertia %g", algorithm, e, got.Inertia())
			}
			for c, centre := range want.Centres() {
				for j, v := range centre {
					if got.Centres()[c][j] != math.Ldexp(v, e) || got.Rounds()[0].Centres[c][j] != math.Ldexp(want.Rounds()[0].Centres[c][j], e) {
						t.Errorf("%s, 2^%d: centre %d", algorithm, e, c)
					}
				}
			}
			labels, err := got.Predict(Z)
			if err != nil || !slices.Equal(labels, want.Labels()) {
				t.Errorf("%s, 2^%d: predicted otherwise (%v)", algorithm, e, err)
			}
			D, err := got.Transform(Z)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 20 {
				row := Z.RawRowView(i)
				if got.Class(row...) != want.Labels()[i] {
					t.Errorf("%s, 2^%d: class of row %d", algorithm, e, i)
				}
				if distances := D.RawRowView(i); !(distances[want.Labels()[i]] > 0) || slices.Min(distances) != distances[want.Labels()[i]] {
					t.Errorf("%s, 2^%d: distances %v", algorithm, e, distances)
				}
			}
			p, err := PlusPlusProbabilities(Z, got.Centres())
			if err != nil || math.Abs(sumOf(p)-1) > 1e-12 {
				t.Errorf("2^%d: probabilities sum to %g (%v)", e, sumOf(p), err)
			}
		}
		for _, w := range []float64{1e-300, 1e300} {
			o.Weights = slices.Repeat([]float64{w}, n)
			got, err := FitKMeans(ctx, X, o)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Labels(), want.Labels()) || math.Abs(got.Inertia()/w-want.Inertia()) > 1e-9*want.Inertia() {
				t.Errorf("%s, weights %g: inertia %g, want %g times as much as %g", algorithm, w, got.Inertia(), w, want.Inertia())
			}
		}
	}
}

func sumOf(x []float64) (sum float64) {
	for _, v := range x {
		sum += v
	}
	return sum
}

func TestGMMWeightsOfAnyScale(t *testing.T) {
	X, _ := benchtest.Classes(200, 2, 2)
	o := GMMOptions{K: 2}
	want, err := FitGMM(ctx, X, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []float64{1e-300, 1e300} {
		o.Weights = slices.Repeat([]float64{w}, 200)
		got, err := FitGMM(ctx, X, o)
		if err != nil {
			t.Fatal(err)
		}
		if l := got.History()[len(got.History())-1] / w; !(math.Abs(l-want.logLik) < 1e-6*math.Abs(want.logLik)) {
			t.Errorf("weights %g: log-likelihood %g times that, want %g", w, l, want.logLik)
		}
	}
}

// Responsibilities are probabilities at any distance, and those of the batches, of single points and of every kind of covariance agree.
func TestFarPoints(t *testing.T) {
	unit, wide := [][]float64{{1, 0}, {0, 1}}, [][]float64{{4, 0}, {0, 4}}
	for _, kind := range []Covariance{Full, Tied, Diagonal, Spherical} {
		second := wide
		if kind == Tied {
			second = unit
		}
		m, err := NewGMM(
			GMMParameters{Weights: []float64{.5, .5}, Means: [][]float64{{0, 0}, {1, 1}}, Covariances: [][][]float64{unit, second}, Kind: kind},
		)
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []float64{1e9, 1e20, 1e154, 1e160, 1e200, 1.7e308} {
			for _, sign := range []float64{-1, 1} {
				x := []float64{sign * size, sign * size / 2}
				want := 1
				if kind == Tied && sign < 0 {
					want = 0
				}
				P, err := m.Proba(mat.NewDense(1, 2, x))
				if err != nil {
					t.Fatal(err)
				}
				r := m.Responsibilities(x...)
				if !(P.At(0, want) > 1-1e-12) || !(r[want] > 1-1e-12) || m.Class(x...) != want {
					t.Errorf("%s at %g: %v and %v", kind, sign*size, P.RawRowView(0), r)
				}
				if l, err := m.LogDensities(mat.NewDense(1, 2, x)); err != nil || l[0] != l[0] || l[0] > -1e17 {
					t.Errorf("%s at %g: log density %v (%v)", kind, sign*size, l, err)
				}
			}
		}
		for _, x := range [][]float64{nil, {1}, {1, 2, 3}, {math.NaN(), 0}, {0, math.Inf(1)}} {
			if m.Class(x...) != -1 {
				t.Errorf("%v has a component", x)
			}
			if len(x) != 2 && (m.Responsibilities(x...) != nil || !math.IsNaN(m.Density(x...)) || !math.IsNaN(m.Component(0, x...))) {
				t.Errorf("%v has a density", x)
			}
		}
	}
	if new(GMM).Class() != -1 || new(KMeans).Class() != -1 || new(GMM).Responsibilities() != nil {
		t.Error("a model that was not fitted answers")
	}
}

// Messages name the cause of a collapse, what was added to the variances, and hand over the model reached.
func TestCollapseSaysWhy(t *testing.T) {
	same := mat.NewDense(20, 2, nil)
	o := GMMOptions{K: 3}
	var collapse *CollapseError
	if _, err := FitGMM(ctx, same, o); !errors.As(err, &collapse) || !collapse.Empty ||
		!strings.Contains(err.Error(), "fewer different rows than components") {
		t.Errorf("identical rows: %v", err)
	}
	o = GMMOptions{K: 2}
	o.Reg, o.Start = estimator.None, two(t, [2]float64{0, 5}, [2]float64{1e-3, 1}, Full)
	_, err := FitGMM(ctx, column(0, 3, 4, 5, 6), o)
	if !errors.As(err, &collapse) || collapse.Model == nil || collapse.Model.K() != 2 || !strings.Contains(err.Error(), "set Reg above 0") {
		t.Errorf("a component on one row: %v", err)
	}
	big := make([][]float64, 50)
	for i := range big {
		big[i] = make([]float64, 50)
	}
	if _, err := NewGMM(GMMParameters{
		Weights: []float64{1}, Means: [][]float64{make([]float64, 50)},
		Covariances: [][][]float64{big},
	}); err == nil ||
		len(err.Error()) > 300 {
		t.Errorf("the message has %d letters", len(err.Error()))
	}
}

// Fits stop soon after their context ends, whatever they are at.
func TestStopsSoon(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	X, _ := benchtest.Classes(200000, 10, 5)
	wide, _ := benchtest.Classes(20000, 150, 3)
	for name, fit := range map[string]func(context.Context) error{
		"k-means": func(c context.Context) error { _, err := FitKMeans(c, X, KMeansOptions{K: 60}); return err },
		"GMM":     func(c context.Context) error { _, err := FitGMM(c, wide, GMMOptions{K: 10}); return err },
	} {
		for _, after := range []time.Duration{0, 20 * time.Millisecond, 300 * time.Millisecond} {
			c, cancel := context.WithCancel(ctx)
			var began time.Time
			time.AfterFunc(after, func() { began = time.Now(); cancel() })
			err := fit(c)
			if late := time.Since(began); !errors.Is(err, context.Canceled) || late > 2*time.Second {
				t.Errorf("%s: %v after it was told to stop, error %v", name, late, err)
			} else {
				t.Logf("%s: stopped after %v", name, late)
			}
		}
	}
}
