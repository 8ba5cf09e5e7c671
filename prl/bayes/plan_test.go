package bayes

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
)

func TestPlans(t *testing.T) {
	X, y := iris(t)
	set := datasets.New("iris", X, y, "setosa", "versicolor", "virginica")
	for _, p := range []Plan{PlanLDA(), PlanQDA(), PlanNearestMean(), PlanGaussianNB()} {
		f := p.Fit(set)
		want := must(f.Fitted()).Name() + "().Fit(iris)"
		if f.String() != want {
			t.Errorf("%s, want %s", f, want)
		}
		if a := f.Accuracy(); a < 0.9 {
			t.Errorf("%s: accuracy %v", f, a)
		}
		if f.Confusion().Table().Len() != 3 || f.Table().Len() != 3 || f.Confusion(set).Err() != nil {
			t.Errorf("%s: tables", f)
		}
		if err := f.Regions().Err(); err == nil || !strings.Contains(err.Error(), "choose two with .Features") {
			t.Errorf("%s: regions of four features: %v", f, err)
		}
		if key := cell.NewKey; key("", f) == key("", p) || key("", f) != key("", p.Fit(set)) {
			t.Errorf("%s: key", f)
		}
	}
	two := datasets.New("two", X.Slice(0, 150, 2, 4), y, "setosa", "versicolor", "virginica")
	if err := PlanQDA().Fit(two).Regions().Err(); err != nil {
		t.Error(err)
	}
	if err := PlanQDA().Fit(two).Posterior(1).Err(); err != nil {
		t.Error(err)
	}
	if err := PlanQDA().Fit(datasets.New("one", X.Slice(0, 150, 2, 3), y)).Densities().Err(); err != nil {
		t.Error(err)
	}
	for want, err := range map[string]error{
		"append .Fit(set)":                     PlanLDA().Err(),
		"Pooling: Pooling is 2":                PlanQDA().Pooling(2).Fit(set).Err(),
		"Shrinkage: Shrinkage is 2":            PlanLDA().Shrinkage(2).Fit(set).Err(),
		"Balanced: Priors is [0.5 0.5], but":   PlanLDA().Priors(0.5, 0.5).Balanced().Fit(set).Err(),
		"Priors: Priors is [0.3 0.7], but":     PlanMultinomialNB().Balanced().Priors(0.3, 0.7).Fit(set).Err(),
		"Priors: Priors is [0.2 0.8], but":     PlanTreeNB().Balanced().Priors(0.2, 0.8).Fit(set).Err(),
		"Balanced: Balanced is true":           PlanComplementNB().Balanced().Fit(set).Err(),
		"Priors":                               PlanLDA().Priors(0.5, 0.6).Fit(set).Err(),
		"Fit: priors is 2 numbers":             PlanLDA().Priors(0.5, 0.5).Fit(set).Err(),
		"Fit: the covariance":                  PlanQDA().Fit(datasets.New("dup", X.Slice(0, 6, 0, 4), []int{0, 1, 0, 1, 0, 1})).Err(),
		"without classes":                      PlanLDA().Fit(datasets.New("none", X, nil)).Err(),
		"add one with .Gaussian":               PlanDecision().Densities().Err(),
		"Gaussian: the standard deviation":     PlanDecision().Gaussian(0, 0).Posteriors().Err(),
		"GaussianIn: cov":                      PlanDecision().GaussianIn([]float64{0, 0}, []float64{1, 2}, []float64{0, 1}).Err(),
		"Densities: the data set":              PlanLDA().Fit(set).Densities().Err(),
		"class is 3":                           PlanLDA().Fit(set).Posterior(3).Err(),
		"SampleWeights":                        PlanLDA().Fit(set).SampleWeights([]float64{1}).Err(),
		"Densities: the problem is 2-dim":      PlanDecision().GaussianIn([]float64{0, 0}, []float64{1, 0}, []float64{0, 1}).Densities().Err(),
		"Names: Names is 1 names":              PlanDecision().Gaussian(0, 1).Gaussian(2, 1).Names("a").Err(),
		"Reject: cost is 2":                    PlanDecision().Reject(2).Gaussian(0, 1).Err(),
		"Threshold: the problem is one with 3": PlanDecision().Gaussian(0, 1).Gaussian(1, 1).Gaussian(2, 1).Threshold(1).Err(),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestDecisionFigures(t *testing.T) {
	d := PlanDecision().Priors(0.7, 0.3).Gaussian(0, 1).Gaussian(2, 1)
	best := must(d.Model().BayesError())
	near(t, "risk", d.BayesRisk(), best, 1e-15)
	near(t, "threshold at the cut", d.ThresholdRisk(d.Cuts()[0]), best, 1e-15)
	near(t, "quadrature", d.BayesRisk(), must(d.Model().QuadratureRisk(ZeroOne(2), nil)), 1e-12)
	e := d.MonteCarlo(4000, 1)
	near(t, "Monte Carlo", e.Mean, best, 5*e.SE)
	if d.Action(0) != 0 || d.Action(3) != 1 || len(d.Cuts()) != 1 {
		t.Error("actions")
	}
	if d.Decide(1).Len() != 2 || d.RiskAt(1).Len() != 2 || d.Table().Len() != 2 || d.Policies().Len() != 3 {
		t.Error("numbers")
	}
	if r := d.Reject(0.2); len(r.Cuts()) != 2 || r.Action(d.Cuts()[0]) != 2 || r.RiskAt(1).Len() != 3 {
		t.Errorf("with a reject option: %v", r.Cuts())
	}
	if early := PlanDecision().Reject(0.2).Gaussian(0, 1).Gaussian(2, 1); early.Action(1) != 2 {
		t.Error("the reject option depends on the order of the steps")
	}
	plane := PlanDecision().GaussianIn([]float64{0, 0}, []float64{1, 0}, []float64{0, 1}).
		GaussianIn([]float64{2, 0}, []float64{1, 0}, []float64{0, 1})
	for name, fig := range map[string]*plotting.Figure{
		"Densities": d.Densities(), "Posteriors": d.Posteriors(), "Risks": d.Risks(), "Threshold": d.Threshold(1), "far": d.Threshold(99),
		"Regions": plane.Regions(), "with a loss": d.Loss([]float64{0, 9}, []float64{1, 0}).Names("a", "b").Actions("stay", "go").Risks(),
	} {
		if svg, err := fig.SVG(); err != nil || len(svg) < 1000 {
			t.Errorf("%s: %d bytes, %v", name, len(svg), err)
		}
	}
}

// The fitted classifier knows the names of its classes and features, also where it was read from the disk.
func TestNames(t *testing.T) {
	t.Setenv("PRL_CACHE", t.TempDir())
	for range 2 {
		m := PlanLDA().Fit(datasets.Iris()).Keep().Model()
		if m.ClassName(2) != "virginica" || m.FeatureName(0) != "sepal length" || m.ClassName(3) != "class 3" {
			t.Errorf("names %q, %q", m.ClassNames, m.FeatureNames)
		}
	}
}

// A stored classifier knows them too.
func TestStoredNames(t *testing.T) {
	data := must(PlanQDA().Fit(datasets.Iris()).Model().MarshalBinary())
	var m Classifier
	if err := m.UnmarshalBinary(data); err != nil || m.ClassName(1) != "versicolor" || m.FeatureName(3) != "petal width" {
		t.Errorf("%v, names %q, %q", err, m.ClassNames, m.FeatureNames)
	}
}

// Options that nobody set are the zero value.
func TestZeroOptions(t *testing.T) {
	X, y := iris(t)
	a, b := must(FitQDA(t.Context(), X, y, Options{})), must(FitQDA(t.Context(), X, y, Options{}))
	if !mat.Equal(a.Gaussian(1).Cov(), b.Gaussian(1).Cov()) {
		t.Error("zero options give another covariance")
	}
}
