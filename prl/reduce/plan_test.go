package reduce_test

import (
	"encoding"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/reduce"
)

// Every figure of every plan can be drawn, and every table holds rows.
func TestFigures(t *testing.T) {
	iris := datasets.Iris()
	two := iris.Classes("versicolor", "virginica").Features("petal length", "petal width")
	pca, plane := reduce.PlanPCA(2).Fit(iris), reduce.PlanPCA().Fit(two)
	fisher, wide := reduce.PlanFisher().
		Fit(two),
		reduce.PlanFisher().
			Regularise(0.01).
			ThresholdByPriors().
			Fit(iris.Classes("setosa", "virginica"))
	mda := reduce.PlanMDA(2).Fit(iris)
	for name, fig := range map[string]*plotting.Figure{
		"PCA.Scores":        pca.Scores(),
		"PCA.Scores of one": reduce.PlanPCA(1).Scale().Fit(iris).Scores(), "PCA.Scree": pca.Scree(), "PCA.Reconstruction": pca.Reconstruction(),
		"PCA.Turned":        plane.Turned(30),
		"Fisher.Projection": fisher.Projection(), "Fisher.Projection of four": wide.Projection(), "Fisher.Turned": fisher.Turned(45),
		"Fisher.Regions": fisher.Regions(), "Fisher.ROC": fisher.ROC(),
		"MDA.Scores":        mda.Scores(),
		"MDA.Scores of one": reduce.PlanMDA(1).Equal().Fit(iris).Scores(), "MDA.Scree": mda.Scree(), "MDA.ROC": mda.ROC(),
		"MDA.Regions":   reduce.PlanMDA().Fit(iris.Features("petal length", "petal width")).Regions(),
		"Whiten.Scores": reduce.PlanWhiten().ZCA().Fit(two).Scores(), "Whiten.Within": reduce.PlanWhiten().Within().Fit(two).Scores(),
	} {
		svg, err := fig.SVG()
		if err != nil || len(svg) < 1000 {
			t.Errorf("%s: %d bytes, %v", name, len(svg), err)
		}
	}
	if pca.Table().Len() != 2 || fisher.Table().Len() != 2 || mda.Table().Len() != 2 || reduce.PlanWhiten().Fit(iris).Table().Len() != 4 {
		t.Error("a table lacks rows")
	}
	if s := mda.Transform(); s.D() != 2 || s.N() != 150 || s.FeatureNames[1] != "LD2" {
		t.Errorf("scores as a set: %v", s)
	}
	if s := reduce.PlanPCA().Fit(iris).Transform(iris.Rows(0, 50, 100)); s.N() != 3 || s.FeatureNames[3] != "PC4" || s.K() != 3 {
		t.Errorf("scores of other rows: %v", s)
	}
	if s := plane.Inverse(plane.Transform()); s.FeatureNames[1] != "petal width" || !mat.EqualApprox(s.X, two.X, 1e-12) {
		t.Errorf("there and back: %v", s)
	}
	if s := fisher.Transform(); s.FeatureNames[0] != "w1" || s.D() != 1 {
		t.Errorf("the projection as a set: %v", s)
	}
	if a := wide.Accuracy(iris.Classes("setosa", "virginica")); a != 1 || wide.Confusion().Right() != 100 {
		t.Errorf("accuracy %v on separable classes", a)
	}
	if w := fisher.Direction(); math.Abs(fisher.Criterion(-3*w[0], -3*w[1])-fisher.J()) > 1e-12*fisher.J() {
		t.Errorf("J depends on the length of w: %v and %v", fisher.Criterion(-3*w[0], -3*w[1]), fisher.J())
	}
	if c := fisher.Class(4, 1.2); c != 0 {
		t.Errorf("class %d", c)
	}
	if c := mda.Class(1, 2, 3, 4); c != mda.Predict(datasets.New("point", mat.NewDense(1, 4, []float64{1, 2, 3, 4}), nil))[0] {
		t.Errorf("class %d", c)
	}
	for _, c := range []estimator.PointClassifier{fisher.Model(), mda.Model()} {
		if c.Class(1) != -1 || c.Class() != -1 || c.Class(slices.Repeat([]float64{math.NaN()}, c.Dim())...) != -1 {
			t.Errorf("%v classifies what is no point", c)
		}
	}
	if n := fisher.Model().ClassName(1); n != "virginica" {
		t.Errorf("the name of class 1 is %s", n)
	}
}

// A wrong step is reported by the figure, with the step named.
func TestPlanErrors(t *testing.T) {
	iris := datasets.Iris()
	for want, fig := range map[string]*plotting.Figure{
		".Classes(a, b)":        reduce.PlanFisher().Fit(iris).Projection(),
		".Features(a, b)":       reduce.PlanFisher().Fit(iris.Classes("setosa", "virginica")).Turned(10),
		"Regularise is -1":      reduce.PlanFisher().Regularise(-1).Fit(iris).Projection(),
		"from 1 to 2":           reduce.PlanMDA(3).Fit(iris).Scores(),
		"1 to 4":                reduce.PlanPCA(9).Fit(iris).Scree(),
		"Components is -1":      reduce.PlanPCA(-1).Fit(iris).Scree(),
		"Priors: Priors":        reduce.PlanMDA().Priors(0.5, 0.6).Fit(iris).Scree(),
		"SampleWeights: ":       reduce.PlanFisher().Fit(iris.Classes("setosa", "virginica")).SampleWeights([]float64{1}).Projection(),
		"Within: the data set":  reduce.PlanWhiten().Fit(datasets.New("plain", iris.X, nil)).Within().Scores(),
		"without classes":       reduce.PlanMDA().Fit(datasets.New("plain", iris.X, nil)).Scree(),
		"class":                 reduce.PlanMDA().Fit(iris.Classes("rose", "tulip")).Scree(),
		"a set of 2 features":   reduce.PlanPCA().Fit(iris).Turned(3),
		"a set of 2 features; ": reduce.PlanFisher().Fit(iris.Classes("setosa", "virginica")).Regions(),
	} {
		if err := fig.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}

// Stored models know the names of their data.
func TestStoredNames(t *testing.T) {
	two := datasets.Iris().Classes("versicolor", "virginica")
	for _, c := range []struct {
		from encoding.BinaryMarshaler
		to   interface {
			encoding.BinaryUnmarshaler
			FeatureName(j int) string
			ClassName(k int) string
		}
	}{
		{reduce.PlanPCA().Fit(two).Model(), new(reduce.PCA)},
		{reduce.PlanWhiten().Fit(two).Model(), new(reduce.Whitening)},
		{reduce.PlanFisher().Fit(two).Model(), new(reduce.Fisher)},
		{reduce.PlanMDA().Fit(two).Model(), new(reduce.MDA)},
	} {
		data, err := c.from.MarshalBinary()
		if err == nil {
			err = c.to.UnmarshalBinary(data)
		}
		if err != nil || c.to.FeatureName(3) != "petal width" || c.to.ClassName(1) != "virginica" {
			t.Errorf("%T: %v, %s, %s", c.to, err, c.to.FeatureName(3), c.to.ClassName(1))
		}
	}
}
