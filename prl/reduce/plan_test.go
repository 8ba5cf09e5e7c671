package reduce_test

import (
	"strings"
	"testing"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/reduce"
)

// Every figure of every plan can be drawn, and every table holds rows.
func TestFigures(t *testing.T) {
	iris := datasets.Iris()
	two := iris.Classes("versicolor", "virginica").Features("petal length", "petal width")
	pca, plane := reduce.NewPCA(2).Fit(iris), reduce.NewPCA().Fit(two)
	fisher, wide := reduce.NewFisher().Fit(two), reduce.NewFisher().Regularise(0.01).Priors().Fit(iris.Classes("setosa", "virginica"))
	mda := reduce.NewMDA(2).Fit(iris)
	for name, fig := range map[string]*plotting.Figure{
		"PCA.Scores": pca.Scores(), "PCA.Scores of one": reduce.NewPCA(1).Scale().Fit(iris).Scores(), "PCA.Scree": pca.Scree(), "PCA.Biplot": pca.Biplot(),
		"PCA.Reconstruction": pca.Reconstruction(), "PCA.Axes": plane.Axes(), "PCA.At": plane.At(30),
		"Fisher.Projection": fisher.Projection(), "Fisher.Projection of four": wide.Projection(), "Fisher.At": fisher.At(45), "Fisher.Plane": fisher.Plane(), "Fisher.Criterion": fisher.Criterion(), "Fisher.Turn": fisher.Turn(),
		"MDA.Scores": mda.Scores(), "MDA.Scores of one": reduce.NewMDA(1).Equal().Fit(iris).Scores(), "MDA.Scree": mda.Scree(), "MDA.Traces": mda.Traces(),
		"Whiten.Scores": reduce.NewWhitening().ZCA().Fit(two).Scores(), "Whiten.Within": reduce.NewWhitening().Within().Fit(two).Scores(),
	} {
		svg, err := fig.SVG()
		if err != nil || len(svg) < 1000 {
			t.Errorf("%s: %d bytes, %v", name, len(svg), err)
		}
	}
	if pca.Table().Len() != 2 || fisher.Table().Len() != 2 || mda.Table().Len() != 2 {
		t.Error("a table lacks rows")
	}
	if s := mda.Set(); s.D() != 2 || s.N() != 150 || s.FeatureNames[1] != "LD2" {
		t.Errorf("scores as a set: %v", s)
	}
	if a := wide.Accuracy(iris.Classes("setosa", "virginica")); a != 1 {
		t.Errorf("accuracy %v on separable classes", a)
	}
}

// A wrong step is reported by the figure, with the step named.
func TestPlanErrors(t *testing.T) {
	iris := datasets.Iris()
	for want, fig := range map[string]*plotting.Figure{
		".Classes(a, b)":        reduce.NewFisher().Fit(iris).Projection(),
		".Features(a, b)":       reduce.NewFisher().Fit(iris.Classes("setosa", "virginica")).At(10),
		"Regularise is -1":      reduce.NewFisher().Regularise(-1).Fit(iris).Criterion(),
		"from 1 to 2":           reduce.NewMDA(3).Fit(iris).Scores(),
		"1 to 4":                reduce.NewPCA(9).Fit(iris).Scree(),
		"2 at least":            reduce.NewPCA(1).Fit(iris).Biplot(),
		"without classes":       reduce.NewMDA().Fit(datasets.New("plain", iris.X, nil)).Scree(),
		"class":                 reduce.NewMDA().Fit(iris.Classes("rose", "tulip")).Scree(),
		"leave out .Scale()":    reduce.NewPCA().Scale().Fit(iris.Features("petal length", "petal width")).Axes(),
		"a set of 2 features":   reduce.NewPCA().Fit(iris).At(3),
		"a set of 2 features; ": reduce.NewFisher().Fit(iris.Classes("setosa", "virginica")).Plane(),
	} {
		if err := fig.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}
