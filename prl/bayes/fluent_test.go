package bayes

import (
	"strings"
	"testing"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/cell"
)

func TestFluentPlans(t *testing.T) {
	X, y := iris(t)
	set := datasets.New("iris", X, y, "setosa", "versicolor", "virginica")
	for _, p := range []Fitted{LDA(), QDA(), NearestMean(), GaussianNB()} {
		f := p.Fit(set)
		want := must(f.Fitted()).Name() + "().Fit(iris)"
		if f.String() != want {
			t.Errorf("%s, want %s", f, want)
		}
		if a := f.Accuracy(); a < 0.9 {
			t.Errorf("%s: accuracy %v", f, a)
		}
		if f.Confusion().Len() != 3 || f.Parameters().Len() != 3 || f.Confusion(set).Err() != nil {
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
	if err := QDA().Fit(two).Regions().Err(); err != nil {
		t.Error(err)
	}
	if err := QDA().Fit(two).Posterior(1).Err(); err != nil {
		t.Error(err)
	}
	if err := QDA().Fit(datasets.New("one", X.Slice(0, 150, 2, 3), y)).Densities().Err(); err != nil {
		t.Error(err)
	}
	for want, err := range map[string]error{
		"append .Fit(set)":                     LDA().Err(),
		"Shrinkage: Shrinkage is 2":            LDA().Shrinkage(2).Fit(set).Err(),
		"Priors":                               LDA().Priors(0.5, 0.6).Fit(set).Err(),
		"Fit: priors is 2 numbers":             LDA().Priors(0.5, 0.5).Fit(set).Err(),
		"Fit: the covariance":                  QDA().Fit(datasets.New("dup", X.Slice(0, 6, 0, 4), []int{0, 1, 0, 1, 0, 1})).Err(),
		"without classes":                      LDA().Fit(datasets.New("none", X, nil)).Err(),
		"add one with .Gaussian":               New().Densities().Err(),
		"Gaussian: the standard deviation":     New().Gaussian(0, 0).Posterior().Err(),
		"GaussianIn: cov":                      New().GaussianIn([]float64{0, 0}, []float64{1, 2}, []float64{0, 1}).Err(),
		"Densities":                            LDA().Fit(set).Densities().Err(),
		"Threshold: the problem is one with 3": New().Gaussian(0, 1).Gaussian(1, 1).Gaussian(2, 1).Threshold(1).Err(),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestDecisionFigures(t *testing.T) {
	d := New().Priors(0.7, 0.3).Gaussian(0, 1).Gaussian(2, 1)
	near(t, "error", d.Error(), d.Quadrature(), 1e-12)
	e := d.MonteCarlo(4000, 1)
	near(t, "Monte Carlo", e.Mean, d.Error(), 5*e.SE)
	if d.Rule(0) != 0 || d.Rule(3) != 1 || len(d.Cuts()) != 1 || d.At(1).Len() != 2 || d.Risk().Len() != 3 {
		t.Error("numbers")
	}
	for name, err := range map[string]error{
		"Densities": d.Densities().Err(), "Posterior": d.Posterior().Err(), "Risks": d.Risks().Err(), "Threshold": d.Threshold(1).Err(),
		"far": d.Threshold(99).Err(), "ThresholdCurve": d.ThresholdCurve().Err(), "Ratio": d.Ratio().Err(), "ErrorReject": d.ErrorReject().Err(),
		"Regions": New().GaussianIn([]float64{0, 0}, []float64{1, 0}, []float64{0, 1}).GaussianIn([]float64{2, 0}, []float64{1, 0}, []float64{0, 1}).Regions().Err(),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
