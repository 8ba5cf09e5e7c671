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
	plan := PlanSVM().RBF(0.5).C(10).Fit(rings(80))
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
	if one, other := plan.Model(), plan.Model(); one != other {
		t.Error("the plan was fitted twice")
	}
	line := PlanSVM().HardMargin().Fit(blobs(30, 6))
	sum := 0.0
	for _, a := range line.Alpha() {
		sum += a
	}
	near(t, "gamma sqrt(sum alpha)", line.Margin()*math.Sqrt(sum), 1, 1e-5)
	near(t, "f at the origin", line.Value(0, 0), line.Bias(), 1e-9)
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
		{PlanSVM().C(-1).Fit(rings(20)), "C: C is -1, but needs to be a positive number"},
		{PlanSVM().RBF(0).Fit(rings(20)), "RBF: RBF gamma is 0"},
		{PlanSVM().HardMargin().C(1).Fit(rings(20)), "left out after HardMargin"},
		{PlanSVM().Poly(0).Fit(rings(20)), "Poly: polynomial degree is 0"},
		{PlanSVM().Kernel(nil).Fit(rings(20)), "Kernel: Kernel is nil"},
		{PlanSVM().ClassWeights(1).Fit(rings(20)), "ClassWeights is 1 numbers"},
		{PlanSVM().HardMargin().Fit(rings(20)), "does not separate classes 0 and 1"},
		{PlanSVM().RBF(1), "append .Fit(set)"},
		{PlanSVM().Fit(datasets.New("none", mat.NewDense(2, 2, nil), nil)), "without classes"},
	} {
		if _, err := c.plan.Fitted(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.plan, err, c.want)
		}
		for name, fig := range figures(c.plan) {
			if fig.Err() == nil {
				t.Errorf("%v: figure %s hides the error", c.plan, name)
			}
		}
		if c.plan.KKT().Err() == nil || c.plan.Table().Err() == nil {
			t.Errorf("%v: a table hides the error", c.plan)
		}
	}
	plan := PlanSVM().Fit(three)
	for _, fig := range []*plotting.Figure{
		plan.Alphas(), plan.Scores(), plan.Path(1), plan.Sticks(),
		PlanSVM().Fit(datasets.Iris()).Regions(),
	} {
		if fig.Err() == nil {
			t.Error("a picture for two classes or two features must say so")
		}
	}
}

func figures(p Plan) map[string]*plotting.Figure {
	return map[string]*plotting.Figure{
		"Regions": p.Regions(), "Alphas": p.Alphas(), "AlphaSlack": p.AlphaSlack(), "Scores": p.Scores(),
		"Path": p.Path(0.1, 1), "Confusion": p.Confusion().Heat(), "ROC": p.ROC(),
	}
}

func TestFigures(t *testing.T) {
	linear := PlanSVM().C(1).Fit(blobs(40, 1))
	all := []map[string]*plotting.Figure{
		figures(linear), figures(PlanSVM().RBF(0.5).Fit(rings(40))), figures(linear.QuadraticSlack()),
		{"Sticks": linear.Sticks(), "Forces": PlanSVM().HardMargin().Fit(blobs(20, 6)).Forces()},
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
	if s := linear.Table().String(); !strings.Contains(s, "left | right") {
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

// A kept plan has the names of its classes, and the figures of the plan that was fitted.
func TestKeep(t *testing.T) {
	t.Setenv("PRL_CACHE", t.TempDir())
	set := blobs(30, 2)
	first := PlanSVM().C(2).Fit(set).Keep()
	one := first.Table().String()
	second := PlanSVM().C(2).Fit(set).Keep()
	if two := second.Table().String(); one != two || !strings.Contains(two, "left | right") {
		t.Errorf("before and after storage:\n%s\n%s", one, two)
	}
	if first.Model() == second.Model() {
		t.Error("the second plan was not read from the disk")
	}
	if name := second.Model().ClassName(1); name != "right" {
		t.Errorf("class 1 is called %q", name)
	}
}

// Options with a price alone are a linear machine with the defaults.
func TestZeroOptions(t *testing.T) {
	X, y := cloud(random(5), 40, 2, 1)
	o := Options{}
	o.C = 3
	want, err := Fit(t.Context(), X, y, o)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Fit(t.Context(), X, y, Options{C: 3})
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range want.Alpha() {
		near(t, "alpha", got.Alpha()[i], a, 0)
	}
	near(t, "b", got.Bias(), want.Bias(), 0)
}
