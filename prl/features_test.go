package prl_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// What a classifier is worth in numbers. The values are those of scikit-learn 1.9.1 for LinearDiscriminantAnalysis().fit(X, y):
// roc_auc_score (multi_class="ovr"), average_precision_score (of three classes the mean over the columns of one-hot labels), log_loss,
// twice brier_score_loss, and of three classes the mean of the squared distances.
func TestNumbersAgainstScikitLearn(t *testing.T) {
	for _, c := range []struct {
		set                    datasets.Set
		auc, ap, logLoss, brie float64
	}{
		{prl.BreastCancer(), 0.9965250251043813, 0.9978022852128188, 0.09125743618722107, 0.05287713842255112},
		{prl.Iris(), 0.9992000000000001, 0.9984511499498473, 0.0437170601285406, 0.028415703806630947},
	} {
		p := prl.LDA().MaximumLikelihood().Fit(c.set)
		near(t, c.set.Name+", AUC", p.AUC(), c.auc, 1e-12)
		near(t, c.set.Name+", average precision", p.AveragePrecision(), c.ap, 1e-12)
		near(t, c.set.Name+", log loss", p.LogLoss(), c.logLoss, 1e-9)
		near(t, c.set.Name+", Brier", p.Brier(c.set), c.brie, 1e-9)
	}
}

// mass is the body mass of 333 penguins with words among the features.
var mass = prl.PalmerPenguins().Select("island", "flipper length", "bill depth", "sex", "body mass").DropMissing().Target("body mass")

// A pipeline tells what its features do under the names of the table: the coefficients of the model at its end, and the partial dependence
// and importance of the columns that went in. The values are those of scikit-learn 1.9.1, of
//
//	m = make_pipeline(make_column_transformer((OneHotEncoder(drop="first"), ["island", "sex"]), remainder="passthrough"), LinearRegression())
//	m[-1].coef_; partial_dependence(m, X, [name], kind="average", method="brute", percentiles=(0, 1))
//	permutation_importance(m, X, y, scoring="neg_mean_squared_error", n_repeats=200)
func TestPipelineUnderColumnNames(t *testing.T) {
	p := prl.RegressionPipeline(prl.OneHot().DropFirst()).Then(prl.Linear()).Fit(mass)
	table := p.Table()
	for name, want := range map[string]float64{
		"intercept": -2219.291886506795, "island = Dream": -291.6706445518713, "island = Torgersen": -230.0767138458359,
		"sex = male": 499.64126596033884, "flipper length": 35.69328891038864, "bill depth": -50.02584371751921,
	} {
		row := slices.IndexFunc(table.Rows(), func(r []any) bool { return r[0] == name })
		if row < 0 {
			t.Fatalf("no coefficient %q in\n%s", name, table)
		}
		near(t, name, table.Rows()[row][1].(float64), want, 1e-9)
	}
	if got := p.Partial("island").Drawn("").Bars(); len(got) != 3 {
		t.Error(got)
	} else {
		for i, want := range []float64{4347.264549040945, 4055.593904489074, 4117.187835195109} {
			near(t, "island", got[i], want, 1e-9)
		}
	}
	line := p.Partial("flipper length").Drawn("")
	near(t, "flipper length 172", line.At(172), 3173.130736247421, 1e-9)
	near(t, "flipper length 231", line.At(231), 5279.03478196035, 1e-9)
	// Five shuffles here, the mean and the standard deviation of one shuffle of 200 there: within three standard errors.
	for name, want := range map[string][2]float64{
		"island": {38656.57302171721, 5210.915048805048}, "flipper length": {495771.4705854922, 30866.381379754534},
		"bill depth": {19289.52635613072, 3456.5948361012975}, "sex": {123392.9412327424, 10972.589267124873},
	} {
		near(t, "permutation of "+name, p.Permutation().Drawn("").Bar(name), want[0], 3*want[1]/math.Sqrt(5)/want[0])
	}
}

// The partial dependence of a classifier is the mean of its probabilities. The values are those of scikit-learn 1.9.1:
//
//	partial_dependence(LDA().fit(X, y), X, [2], method="brute", grid_resolution=1000, percentiles=(0, 1), response_method="predict_proba")
func TestPartialOfClasses(t *testing.T) {
	fig := prl.LDA().MaximumLikelihood().Fit(prl.Iris()).Partial("petal length")
	for name, want := range map[string][]float64{
		"setosa":     {0.9954222855681021, 0.23708335970574987, 0.005183389514581911, 7.299791670653787e-27},
		"versicolor": {0.004577714326543601, 0.7570105527855621, 0.8266591587393569, 0.30033345022144636},
		"virginica":  {1.0535441924130664e-10, 0.005906087508688045, 0.16815745174606106, 0.6996665497785535},
	} {
		for i, x := range []float64{1, 3.3, 4.4, 6.9} {
			near(t, name, fig.Drawn(name).At(x), want[i], 1e-9)
		}
	}
	if err := prl.LDA().Fit(prl.Iris()).Partial("petal lenght").Err(); err == nil || !strings.Contains(err.Error(), `"petal length"`) {
		t.Errorf("a feature that is not there: %v", err)
	}
}

// Over the words of a feature each class has a bar beside those of the others: the mean of its probabilities when all rows have the word.
func TestPartialOfClassesOverWords(t *testing.T) {
	rows := prl.PalmerPenguins().Select("species", "island", "flipper length").DropMissing()
	set := rows.Label("species")
	p := prl.Pipeline(prl.OneHot().DropFirst()).Then(prl.LDA()).Fit(set)
	fig, j := p.Partial("island"), slices.Index(set.FeatureNames, "island")
	for w, word := range set.Words[j] {
		same := set
		same.X = mat.DenseCopyOf(set.X)
		for i := range set.N() {
			same.X.Set(i, j, float64(w))
		}
		proba := p.Proba(same)
		for k, class := range set.ClassNames {
			near(t, class+" on "+word, fig.Drawn(class).Bars()[w], mat.Sum(proba.ColView(k))/float64(set.N()), 1e-9)
		}
	}
}

// Every classifier and regression tells how much it needs each feature, and how its answers change with each. Of least squares the mean
// rise over all shuffles is 2 w^2 var(x), since the residuals are orthogonal to the features: five shuffles of 150 rows come within three
// standard errors, 1/sqrt(5 150) of it each. A feature that a model does not test is worth nothing.
func TestEveryModelTellsItsFeatures(t *testing.T) {
	told := 0
	for name, fit := range plans {
		p, ok := fit(two).(interface {
			Permutation(test ...datasets.Set) *plotting.Figure
			Partial(feature string) *plotting.Figure
		})
		if !ok {
			continue
		}
		told++
		if err := p.Permutation(datasets.Set{}).Err(); err == nil {
			t.Errorf("%s: a set without rows has importances", name)
		}
		feature := "petal length"
		if err := p.Partial(feature).Err(); err != nil {
			t.Errorf("%s: partial dependence: %v", name, err)
		}
		if err := p.Permutation().Err(); err != nil {
			t.Errorf("%s: permutation importance: %v", name, err)
		}
	}
	if told < 30 {
		t.Errorf("%d plans tell", told)
	}
	set := prl.Iris().WithTarget("petal width", prl.Iris().Column("petal width")).Features("sepal length", "sepal width", "petal length")
	line := prl.Linear().Fit(set)
	bars := line.Permutation().Drawn("")
	for j, w := range line.Model().Coefficients() {
		x := mat.Col(nil, j, set.X)
		mean, variance := 0.0, 0.0
		for _, v := range x {
			mean += v / float64(len(x))
		}
		for _, v := range x {
			variance += (v - mean) * (v - mean) / float64(len(x))
		}
		near(t, set.FeatureNames[j], bars.Bar(set.FeatureNames[j]), 2*w*w*variance, 3/math.Sqrt(5*150))
	}
	stump := prl.Tree().Depth(1).Fit(two) // one test of one feature
	v := stump.Permutation().Drawn("").Bars()
	if slices.Min(v) != 0 || slices.Max(v) < 0.3 {
		t.Errorf("importances of a stump: %v", v)
	}
}
