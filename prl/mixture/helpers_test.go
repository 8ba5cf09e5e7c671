package mixture

import (
	"context"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/estimator/estimatortest"
)

var ctx = context.Background()

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %.15g, want %.15g within %g", what, got, want, tol)
	}
}

func faithful() *mat.Dense { return datasets.Faithful().X }

func column(x ...float64) *mat.Dense { return mat.NewDense(len(x), 1, x) }

func two(t *testing.T, means, variances [2]float64, kind Covariance) *GMM {
	t.Helper()
	m, err := NewGMM(
		GMMParameters{
			Weights:     []float64{.5, .5},
			Means:       [][]float64{{means[0]}, {means[1]}},
			Covariances: [][][]float64{{{variances[0]}}, {{variances[1]}}},
			Kind:        kind,
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The lower bound of EM touches the log-likelihood where it was made and lies below it elsewhere.
func TestBoundTouches(t *testing.T) {
	p, err := Coins([]int{5, 9, 8, 4, 7}, 10)
	if err != nil {
		t.Fatal(err)
	}
	steps, err := EM(ctx, []float64{.6, .5}, p, EMOptions{MaxIter: 100})
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range steps {
		near(t, "Q + H - L", s.Q+s.H-s.LogLik, 0, 1e-9)
		near(t, "the bound touches", Bound(p, s, s.Theta), s.LogLik, 1e-9)
		if i > 0 && Bound(p, steps[i-1], s.Theta) > s.LogLik+1e-9 {
			t.Errorf("step %d: the bound is above the log-likelihood", i)
		}
	}
}

// EM for any model with the Gaussian problem is FitGMM, and neither part of the bound falls.
func TestGenericEMIsFitGMM(t *testing.T) {
	X := column(0, 1, 2, 3, 5, 7, 8, 9, 10)
	o := GMMOptions{K: 2}
	o.Start, o.Reg, o.Tol, o.MaxIter, o.Trace = two(t, [2]float64{3, 6}, [2]float64{9, 9}, Full), estimator.None, estimator.None, 40, true
	m, err := FitGMM(ctx, X, o)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Gaussians(X, o)
	if err != nil {
		t.Fatal(err)
	}
	steps, err := EM(ctx, o.Start, p, EMOptions{MaxIter: 40, Tol: estimator.None})
	if err != nil {
		t.Fatal(err)
	}
	tr := m.Iterations()
	for it := range steps {
		near(t, "generic EM against FitGMM", steps[it].LogLik, tr[it].LogLik, 1e-9)
		if it == 0 {
			continue
		}
		q, h, err := Decompose(X, tr[it-1].Model, tr[it].Model)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "Q + H", q+h, tr[it].LogLik, 1e-9)
		if h < tr[it-1].H-1e-12 || q < tr[it-1].Q-1e-12 {
			t.Errorf("iteration %d: Q %g -> %g, H %g -> %g", it, tr[it-1].Q, q, tr[it-1].H, h)
		}
	}
}

// With weights and variances held, the gradient agrees with differences, and k-means is the limit of small variances.
func TestMeansOnly(t *testing.T) {
	X := column(0, 1, 2, 8, 9, 10)
	g, err := two(t, [2]float64{2, 6}, [2]float64{1, 1}, Spherical).MeansGradient(X)
	if err != nil {
		t.Fatal(err)
	}
	const step = 1e-5
	up, _ := two(t, [2]float64{2 + step, 6}, [2]float64{1, 1}, Spherical).LogLikelihood(X)
	down, _ := two(t, [2]float64{2 - step, 6}, [2]float64{1, 1}, Spherical).LogLikelihood(X)
	near(t, "gradient against differences", g[0][0], (up-down)/(2*step), 1e-6)
	o := GMMOptions{K: 2}
	o.Covariance, o.HoldWeights, o.HoldCovariances, o.Reg, o.Tol, o.MaxIter, o.Trace = Spherical, true, true, estimator.None, estimator.None,
		2, true
	o.Start = two(t, [2]float64{0, 1}, [2]float64{1e-4, 1e-4}, Spherical)
	m, err := FitGMM(ctx, X, o)
	if err != nil {
		t.Fatal(err)
	}
	for it, want := range [][]float64{{0, 1}, {0, 6}, {1, 9}} {
		at := m.Iterations()[it].Model.Means()
		estimatortest.NearAll(t, "hard limit", []float64{at[0][0], at[1][0]}, want, 1e-9)
	}
}

// A component on equal points collapses without regularisation, and the error names it.
func TestCollapse(t *testing.T) {
	o := GMMOptions{K: 2}
	o.Start, o.Reg, o.MaxIter = two(t, [2]float64{0, 2}, [2]float64{1e-2, 1}, Full), estimator.None, 2000
	if _, err := FitGMM(ctx, column(0, 0, 0, 1, 2, 3), o); err == nil || !strings.Contains(err.Error(), "component 1 collapsed") {
		t.Errorf("Reg = 0: error %v", err)
	}
}
