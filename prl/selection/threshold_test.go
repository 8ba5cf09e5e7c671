package selection_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl"
	"github.com/prlab/prlab/prl/assess"
	"github.com/prlab/prlab/prl/logistic"
	"github.com/prlab/prlab/prl/selection"
)

func ExamplePlanThreshold() {
	// To miss a malignant tumour, class 0, costs ten times as much as a false alarm.
	p := selection.PlanThreshold(logistic.PlanLogistic().L2(1)).Loss([]float64{0, 1}, []float64{10, 0}).
		Fit(datasets.BreastCancer().Standardize())
	fmt.Printf("benign from a probability of %.2f on\n", p.Model().Threshold())
	// Output: benign from a probability of 0.75 on
}

// The rules on the probabilities of rows that were held out. The values are those of scikit-learn 1.9.1 on the same folds:
//
//	p = cross_val_predict(LinearDiscriminantAnalysis(), X, y, cv=PredefinedSplit(folds), method="predict_proba")[:, 1]
//	fpr, tpr, thresholds = roc_curve(y, p, drop_intermediate=False)
//
// with the least of the mean cost, the first tpr >= 0.99, the last fpr <= 0.01, and the threshold of
// TunedThresholdClassifierCV(LDA(), scoring="balanced_accuracy", cv=..., thresholds=numpy.unique(p)). The first and the last rows of the
// folds show that they are the same.
func TestThresholdAgainstScikitLearn(t *testing.T) {
	set := prl.BreastCancer()
	splits, err := assess.StratifiedKFold(set.Y, 5, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := [][]int{splits[0].Test[:3], splits[1].Test[:3]}; !reflect.DeepEqual(got, [][]int{{9, 12, 15}, {7, 10, 11}}) {
		t.Fatalf("other folds than in scikit-learn: %v", got)
	}
	p := prl.Threshold(prl.LDA().MaximumLikelihood()).Fit(set)
	for name, c := range map[string]struct {
		plan                selection.ThresholdPlan
		threshold, tpr, fpr float64
	}{
		"loss":     {p.Loss([]float64{0, 10}, []float64{1, 0}), 0.5525637588715537, 0.9971988795518207, 0.09905660377358491},
		"recall":   {p.Recall(0.99), 0.8281276672806391, 0.9915966386554622, 0.06132075471698113},
		"alarms":   {p.Alarms(0.01), 0.9680658564063293, 0.9187675070028011, 0.009433962264150943},
		"balanced": {p, 0.8281276672806391, 0.9915966386554622, 0.06132075471698113},
		"given":    {p.At(0.2), 0.2, 0.9971988795518207, 0.1792452830188679},
	} {
		m, err := c.plan.Fitted()
		if err != nil {
			t.Fatal(err)
		}
		tpr, fpr := m.Rates()
		if math.Abs(m.Threshold()-c.threshold) > 1e-9 || math.Abs(tpr-c.tpr) > 1e-12 || math.Abs(fpr-c.fpr) > 1e-12 {
			t.Errorf("%s: %v, %v, %v, want %v", name, m.Threshold(), tpr, fpr, c)
		}
		// The answers are those of the classifier fitted to all rows, cut at the threshold.
		proba := prl.LDA().MaximumLikelihood().Fit(set).Proba(set)
		for i, class := range c.plan.Predict(set) {
			if (class == 1) != (proba.At(i, 1) >= m.Threshold()) {
				t.Fatalf("%s: row %d with the probability %v is of class %d", name, i, proba.At(i, 1), class)
			}
		}
		if got := c.plan.Curve().Drawn("threshold").Rules(); len(got) != 1 || math.Abs(got[0]-m.Threshold()) > 1e-9 {
			t.Errorf("%s: the rule is drawn at %v", name, got)
		}
	}
}

// A threshold that is chosen by a loss costs less on new rows than the one of 1/2; it is kept, compared and searched as any plan; its
// classifier may have no probabilities, words and gaps, or steps before it.
func TestThresholdIsAPlan(t *testing.T) {
	t.Setenv("PRL_CACHE", t.TempDir())
	set := prl.BreastCancer()
	loss := [][]float64{{0, 1}, {50, 0}} // a malignant tumour called benign
	c := prl.Compare(set, prl.LDA(), prl.Threshold(prl.LDA()).Loss(loss...)).Loss(loss...).Model()
	if !slices.Equal(c.Failed, []error{nil, nil}) || c.Best != 1 || c.Validations[0].Score != "cost" {
		t.Errorf("best %d, failed %v", c.Best, c.Failed)
	}
	scaled := set.Standardize()
	tight := func() selection.ThresholdPlan { return prl.Threshold(prl.SVM().C(1)).Recall(0.9).Fit(scaled).Keep() }
	m, again := tight().Model(), tight().Model()
	if m == again || !slices.Equal(tight().Predict(scaled), prl.Threshold(prl.SVM().C(1)).Recall(0.9).Fit(scaled).Predict(scaled)) {
		t.Error("a kept threshold is another one")
	}
	data, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var back selection.Threshold
	if err := back.UnmarshalBinary(data); err != nil || back.Threshold() != m.Threshold() || back.String() != m.String() {
		t.Errorf("%v came back as %v, %v", m, &back, err)
	}
	if err := back.UnmarshalBinary(data[:len(data)-1]); err == nil {
		t.Error("a part is decoded")
	}
	if m.Class(1, 2) != -1 || m.Class(scaled.X.RawRowView(0)...) != tight().Predict(scaled)[0] {
		t.Error("the class of a point is another one than that of its row")
	}
	words := prl.PalmerPenguins().Drop("egg laid").DropMissing("sex").Label("sex")
	all := prl.Threshold(prl.Pipeline(prl.Impute(), prl.OneHot().DropFirst()).Then(prl.LDA())).Alarms(0.1)
	if v := prl.CrossValidate(all.Fit(words), 5).Score("AUC").Mean(); !(v.Estimate > 0.9) {
		t.Errorf("AUC of words and gaps: %v", v)
	}
}

func TestThresholdMistakes(t *testing.T) {
	two := prl.Iris().Classes("versicolor", "virginica")
	p, three := prl.Threshold(prl.LDA()), [][]float64{{0, 1, 1}, {1, 0, 1}, {1, 1, 0}}
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"nil":           {prl.Threshold(nil).Fit(two).Err(), "the plan is nil"},
		"three classes": {p.Fit(prl.Iris()).Err(), "of 3 classes"},
		"recall":        {p.Recall(1.1).Fit(two).Err(), "the share is 1.1"},
		"NaN":           {p.At(math.NaN()).Fit(two).Err(), "the threshold is NaN"},
		"losses":        {p.Loss([]float64{0, 1}).Fit(two).Err(), "2 rows of 2 numbers"},
		"reward":        {p.Loss([]float64{0, 1}, []float64{1, 2}).Fit(two).Err(), "a right answer that costs more"},
		"wrong step":    {prl.Threshold(prl.SVM().C(-1)).Fit(two).Err(), "C is -1"},
		"no losses":     {prl.CrossValidate(prl.LDA().Fit(two), 5).Score("cost").Err(), "append .Loss("},
		"three rows":    {prl.Compare(two, prl.LDA()).Loss(three...).Err(), "2 rows of 2 numbers"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, c.err, c.want)
		}
	}
}

// The values are those of scikit-learn 1.9.1 on the folds of TestThresholdAgainstScikitLearn: cross_val_score with the scoring
// "average_precision", and with the mean of the losses; the calibration error is that of the bins of calibration_curve, weighed by rows.
func TestScoresAgainstScikitLearn(t *testing.T) {
	v := prl.CrossValidate(prl.LDA().MaximumLikelihood().Fit(prl.BreastCancer()), 5)
	for name, c := range map[string]struct {
		v    selection.CrossValidation
		want []float64
	}{
		"average precision": {
			v.Score("average precision"),
			[]float64{0.9977771539651903, 0.9901448273942915, 0.999236105236692, 0.9710446794990062, 0.998826140110757},
		},
		"cost": {
			v.Loss([]float64{0, 10}, []float64{1, 0}),
			[]float64{0.07894736842105263, 0.05263157894736842, 0.03508771929824561, 0.10526315789473684, 0.02654867256637168},
		},
		"calibration error": {
			v.Score("calibration error"),
			[]float64{0.07053422179331076, 0.061033803620142775, 0.02535503773946797, 0.028875195542594947, 0.030757654768859458},
		},
	} {
		m := c.v.Model()
		if m.Score != name {
			t.Errorf("%s is called %s", name, m.Score)
		}
		for i, want := range c.want {
			if math.Abs(m.Scores[i]-want) > 1e-9 {
				t.Errorf("%s of fold %d: %v, want %v", name, i+1, m.Scores[i], want)
			}
		}
	}
}

// What fails has its row with the reason and the column by name, and what does not fail is there: folds of a cross-validation, places of a
// grid, numbers of rows of a learning curve.
func TestFailuresAreRows(t *testing.T) {
	// One row, the last, makes the feature vary: the fold without it cannot fit Gaussian naive Bayes.
	n := 40
	x, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		y[i] = i % 2
		x.Set(i, 0, float64(i%7)+float64(y[i]))
	}
	x.Set(n-1, 1, 1)
	x.Set(n-2, 1, 1)
	set := prl.Data("rare", x, y).Named("size", "age")
	v := prl.CrossValidate(prl.GaussianNB().Fit(set), 5)
	table := fmt.Sprint(v.Table().Rows())
	m := v.Model()
	failed := 0
	for i, err := range m.Failed {
		if (err != nil) != math.IsNaN(m.Scores[i]) {
			t.Errorf("fold %d: %v, %v", i+1, m.Scores[i], err)
		}
		if err != nil {
			failed++
		}
	}
	if failed == 0 || failed == 5 || strings.Count(table, "failed: ") != failed || !strings.Contains(table, `the feature "age"`) {
		t.Errorf("%d folds failed:\n%s", failed, table)
	}
	if _, err := m.Mean(0.95); err == nil || !strings.Contains(err.Error(), `the feature "age"`) {
		t.Errorf("the mean of folds that failed: %v", err)
	}
	if err := v.Folds().Err(); err == nil {
		t.Error("the folds are drawn with a mean")
	}
	grid := prl.Grid(func(g *prl.Settings) prl.Classifier { return prl.KNN(int(g.Over("k", 1, 3, 1000))) }).Fit(prl.Iris()).Training()
	s := grid.Model()
	if s.Failed[0] != nil || s.Failed[2] == nil || s.Best == 2 || !math.IsNaN(s.Scores[2]) {
		t.Errorf("best %d, failed %v", s.Best, s.Failed)
	}
	rows := grid.Table().Rows()
	if last := fmt.Sprint(rows[2]); !strings.Contains(last, "failed: ") || !strings.Contains(last, "1000") {
		t.Errorf("the last row is %s", last)
	}
	if got := grid.Curve().Drawn("on test rows").At(3); math.Abs(got-s.Scores[1]) > 1e-6 {
		t.Errorf("3 neighbours are drawn at %v, want %v", got, s.Scores[1])
	}
	l := prl.LearningCurve(prl.KNN(50).Fit(prl.Iris()), 30, 60, 120)
	if got := l.Model(); !slices.Equal(got.Rows, []int{60, 120}) || !strings.Contains(got.TooFew.Error(), "KNN(50) with 30 rows") {
		t.Errorf("%v, %v", got.Rows, got.TooFew)
	}
}

// Regressions are compared, searched and drawn as classifiers are, behind one Then.
func TestRegressionAsClassification(t *testing.T) {
	set := prl.PalmerPenguins().Select("island", "flipper length", "bill depth", "sex", "body mass").DropMissing().Target("body mass")
	ready := prl.RegressionPipeline(prl.OneHot(), prl.Standardize())
	c := prl.Compare(set, ready.Then(prl.Ridge(1)), ready.Then(prl.SVR()), prl.RegressionForest().Trees(20), prl.LDA()).Folds(5)
	m := c.Model()
	if m.Failed[0] != nil || m.Failed[3] == nil || m.Best == 3 || m.Validations[0].Score != "R2" {
		t.Errorf("best %d, failed %v", m.Best, m.Failed)
	}
	text := prl.Compare(set, ready.Then(prl.Ridge(1)), ready.Then(prl.Lasso(1))).Folds(5).Table().String()
	if !strings.Contains(text, "each behind RegressionPipeline(OneHot(), Standardize())") || !strings.Contains(text, "\nLasso(1)") {
		t.Error(text)
	}
	ridge := func(g *prl.Settings) prl.Regressor { return ready.Then(prl.Ridge(g.Over("lambda", 0.1, 1e6))) }
	best := prl.Grid(ridge).Fit(set).Score("RMSE").Best()
	if got := best.String(); !strings.Contains(got, "Then(Ridge(0.1))") || best.R2() < 0.8 {
		t.Error(got, best.R2())
	}
	if l := prl.LearningCurve(ready.Then(prl.Ridge(1)).Fit(set), 20, 200).Model(); l.Score != "R2" || l.Test[1] < l.Test[0] {
		t.Errorf("%v", l)
	}
}
