package svm

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/kernel"
)

func rings(n int) datasets.Set {
	r := random(30)
	X, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		y[i] = i % 2
		angle, radius := 2*math.Pi*r.Float64(), 1+float64(y[i])+0.2*r.NormFloat64()
		X.SetRow(i, []float64{radius * math.Cos(angle), radius * math.Sin(angle)})
	}
	return datasets.New("rings", X, y, "inner", "outer")
}

func blobs(n int, apart float64) datasets.Set {
	X, y := cloud(random(31), n, 2, apart)
	return datasets.New("blobs", X, y, "left", "right")
}

func TestPlan(t *testing.T) {
	plan := SVM().RBF(0.5).C(10).Fit(rings(80))
	if got, want := plan.String(), "SVM().RBF(0.5).C(10).Fit(rings)"; got != want {
		t.Errorf("plan is %q, want %q", got, want)
	}
	if a := plan.Accuracy(rings(80)); a < 0.95 {
		t.Errorf("accuracy %g", a)
	}
	near(t, "sum of probabilities", mat.Sum(plan.Probability().Proba(rings(80))), 80, 1e-9)
	other := plan.C(0.1) // a setting after Fit
	if plan.Certificate().Bounded >= other.Certificate().Bounded {
		t.Error("a lower price must put more points at the bound")
	}
	if plan.Model() != plan.Model() {
		t.Error("the plan was fitted twice")
	}
	line := SVM().HardMargin().Fit(blobs(30, 6))
	sum := 0.0
	for _, a := range line.Alpha() {
		sum += a
	}
	near(t, "gamma sqrt(sum alpha)", line.Margin()*math.Sqrt(sum), 1, 1e-5)
	near(t, "f at the origin", line.At(0, 0), line.Bias(), 1e-9)
	for i, xi := range line.Slacks() {
		near(t, "slack", xi, 0, 1e-5)
		if line.Margins()[i] < 1-1e-5 {
			t.Errorf("margin %g", line.Margins()[i])
		}
	}
}

func TestPlanErrors(t *testing.T) {
	three := datasets.New("three", mat.NewDense(3, 3, []float64{0, 0, 0, 1, 0, 0, 0, 1, 0}), []int{0, 1, 2}, "a", "b", "c")
	for _, c := range []struct {
		plan Plan
		want string
	}{
		{SVM().C(-1).Fit(rings(20)), "C: C is -1, but needs to be a positive number"},
		{SVM().RBF(0).Fit(rings(20)), "RBF: RBF gamma is 0"},
		{SVM().HardMargin().C(1).Fit(rings(20)), "left out after HardMargin"},
		{SVM().Poly(0).Fit(rings(20)), "Poly: polynomial degree is 0"},
		{SVM().Kernel(nil).Fit(rings(20)), "Kernel: Kernel is nil"},
		{SVM().ClassWeights(1).Fit(rings(20)), "ClassWeights is 1 numbers"},
		{SVM().HardMargin().Fit(rings(20)), "does not separate classes 0 and 1"},
		{SVM().RBF(1), "append .Fit(set)"},
		{SVM().Fit(datasets.New("none", mat.NewDense(2, 2, nil), nil)), "without classes"},
	} {
		if _, err := c.plan.Fitted(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.plan, err, c.want)
		}
		for name, fig := range figures(c.plan) {
			if fig.Err() == nil {
				t.Errorf("%v: figure %s hides the error", c.plan, name)
			}
		}
		if c.plan.KKT().Err() == nil || c.plan.Summary().Err() == nil {
			t.Errorf("%v: a table hides the error", c.plan)
		}
	}
	plan := SVM().Fit(three)
	for _, fig := range []*plotting.Figure{plan.Boundary(), plan.Alphas(), plan.Convergence(), plan.Sticks()} {
		if fig.Err() == nil {
			t.Error("a picture for two classes or two features must say so")
		}
	}
}

func figures(p Plan) map[string]*plotting.Figure {
	return map[string]*plotting.Figure{"Boundary": p.Boundary(), "Alphas": p.Alphas(), "AlphaSlack": p.AlphaSlack(), "Scores": p.Scores(),
		"Convergence": p.Convergence(), "Stepper": p.Stepper(), "Path": p.Path(0.1, 1), "Confusion": p.Confusion(p.set)}
}

func TestFigures(t *testing.T) {
	linear := SVM().C(1).Fit(blobs(40, 1))
	all := []map[string]*plotting.Figure{
		figures(linear), figures(SVM().RBF(0.5).Fit(rings(40))), figures(linear.QuadraticSlack()),
		{"Sticks": linear.Sticks(), "Forces": SVM().HardMargin().Fit(blobs(20, 6)).Forces()},
	}
	for _, figs := range all {
		for name, fig := range figs {
			if err := fig.Err(); err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			svg, err := fig.SVG()
			if err != nil || len(svg) == 0 {
				t.Errorf("%s: SVG of %d bytes, %v", name, len(svg), err)
			}
		}
	}
	if s := linear.KKT().String(); !strings.Contains(s, "violation") || !strings.Contains(s, "bounded") {
		t.Errorf("KKT table:\n%s", s)
	}
	if s := linear.Summary().String(); !strings.Contains(s, "left | right") {
		t.Errorf("summary:\n%s", s)
	}
	if s := linear.LeaveOneOut().Table().String(); !strings.Contains(s, "support vectors") {
		t.Errorf("leave-one-out table:\n%s", s)
	}
	if s := linear.Certificate().Table().String(); !strings.Contains(s, "dual objective") {
		t.Errorf("certificate:\n%s", s)
	}
	if _, ok := linear.Model().Kernel.(kernel.Linear); !ok {
		t.Error("the default kernel is linear")
	}
}
