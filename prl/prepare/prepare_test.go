package prepare_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/bayes"
	"github.com/prlab/prlab/prl/plan"
	"github.com/prlab/prlab/prl/prepare"
	"github.com/prlab/prlab/prl/reduce"
	"github.com/prlab/prlab/prl/selection"
	"github.com/prlab/prlab/prl/sparse"
	"github.com/prlab/prlab/prl/svm"
	"github.com/prlab/prlab/prl/tree"
)

func birds() datasets.Set { return datasets.PalmerPenguins().Label("species") }

// The values of Impute are those of scikit-learn 1.9, SimpleImputer, on the same columns; the columns of OneHot are counted in the data.
func TestImpute(t *testing.T) {
	set := birds()
	for _, c := range []struct {
		plan prepare.ImputePlan
		want map[string]string
	}{
		{prepare.PlanImpute(), map[string]string{"bill length": "44.45", "body mass": "4050", "delta C13": "−25.83", "sex": "male"}},
		{prepare.PlanImpute().Mean().Word("unknown"), map[string]string{"bill length": "43.92", "body mass": "4202", "sex": "unknown"}},
		{prepare.PlanImpute().Constant(-1), map[string]string{"bill length": "−1"}},
	} {
		text := c.plan.Fit(set).Table().String()
		for feature, value := range c.want {
			found := false
			for _, line := range strings.Split(text, "\n") {
				found = found || strings.HasPrefix(line, feature) && strings.HasSuffix(strings.TrimSpace(line), value)
			}
			if !found {
				t.Errorf("%s is not filled with %s:\n%s", feature, value, text)
			}
		}
	}
	out := prepare.PlanImpute().Indicators().Fit(set).Transform()
	if err := out.Err(); err != nil {
		t.Fatal(err)
	}
	want := append(
		slices.Clone(set.FeatureNames),
		"sex is missing",
		"bill length is missing",
		"bill depth is missing",
		"flipper length is missing",
		"body mass is missing",
		"delta N15 is missing",
		"delta C13 is missing",
	)
	if !slices.Equal(out.FeatureNames, want) {
		t.Errorf("%q", out.FeatureNames)
	}
	if missing := mat.Sum(out.X.Slice(0, out.N(), set.D(), out.D())); missing != 46 {
		t.Errorf("%v gaps are marked, want 46", missing)
	}
	unknown := prepare.PlanImpute().Word("unknown").Fit(set).Transform()
	if words := unknown.Words[1]; !slices.Equal(words, []string{"female", "male", "unknown"}) ||
		unknown.Table().Words("sex")[3] != "unknown" {
		t.Errorf("%q, %q", words, unknown.Table().Words("sex")[3])
	}
	some := set.Rows(3).Features("bill length", "sex")
	if err := prepare.PlanImpute().Fit(some).Err(); err == nil ||
		!strings.Contains(err.Error(), `the feature "bill length" is nothing but gaps`) {
		t.Error(err)
	}
	if _, err := prepare.FitImputer(context.Background(), mat.NewDense(1, 1, []float64{math.Inf(1)}), prepare.ImputeOptions{}); err == nil {
		t.Error("an infinity is taken")
	}
}

// The code without its zeros is the code, and what it cannot code it reports alike.
func TestSparseOneHot(t *testing.T) {
	set := birds().Features("island", "body mass", "clutch of two")
	for _, o := range []prepare.OneHotOptions{{Words: set.Words}, {Words: set.Words, DropFirst: true, Features: []int{2}}} {
		m, err := prepare.FitOneHot(t.Context(), set.X, o)
		if err != nil {
			t.Fatal(err)
		}
		dense, err := m.Transform(set.X)
		if err != nil {
			t.Fatal(err)
		}
		thin, err := m.TransformSparse(set.X)
		alike := func(a, b float64) bool { return a == b || a != a && b != b } // gaps of the body mass stay
		if err != nil || !slices.EqualFunc(thin.Dense().RawMatrix().Data, dense.RawMatrix().Data, alike) || thin.NonZeros() > 3*set.N() {
			t.Error(thin, err)
		}
		if _, err := m.TransformSparse(mat.NewDense(1, 2, nil)); err == nil {
			t.Error("two features in place of three")
		}
	}
	some, err := prepare.FitOneHot(t.Context(), set.Rows(0, 1).X, prepare.OneHotOptions{Words: set.Words})
	if err != nil {
		t.Fatal(err)
	}
	_, a := some.Transform(set.X)
	_, b := some.TransformSparse(set.X)
	if a == nil || b == nil || strings.ReplaceAll(b.Error(), "TransformSparse", "Transform") != a.Error() {
		t.Error(a, b)
	}
}

func TestOneHot(t *testing.T) {
	set := birds().Features("island", "body mass", "clutch of two")
	out := prepare.PlanOneHot().Fit(set).Transform()
	if want := []string{
		"island = Biscoe", "island = Dream", "island = Torgersen", "body mass", "clutch of two = no", "clutch of two = yes",
	}; !slices.Equal(out.FeatureNames, want) || out.Words != nil {
		t.Errorf("%q, %v", out.FeatureNames, out.Err())
	}
	for j, want := range map[int]float64{0: 168, 1: 124, 2: 52, 4: 36, 5: 308} {
		if got := mat.Sum(out.X.ColView(j)); got != want {
			t.Errorf("%s is 1 in %v rows, want %v", out.FeatureNames[j], got, want)
		}
	}
	out = prepare.PlanOneHot("island").DropFirst().Fit(set).Transform()
	if want := []string{"island = Dream", "island = Torgersen", "body mass", "clutch of two"}; !slices.Equal(out.FeatureNames, want) {
		t.Errorf("%q", out.FeatureNames)
	}
	if out.Words[3] == nil || out.Words[0] != nil {
		t.Error(out.Words)
	}
	gentoo := datasets.PalmerPenguins().Where("species", "Gentoo").Select("island", "body mass").DropMissing().Unlabelled()
	elsewhere := datasets.NewTable("others").
		With("island", []string{"Biscoe", "Anvers", "Dream"}).
		With("body mass", []int{1, 2, 3}).
		Unlabelled()
	fitted := prepare.PlanOneHot().Fit(gentoo)
	if err := fitted.Transform(elsewhere).Err(); err == nil ||
		!strings.Contains(err.Error(), `the feature "island" is a word that the data of the fit do not have`) {
		t.Error(err)
	}
	got := prepare.PlanOneHot().Unseen().Fit(gentoo).Transform(elsewhere)
	if want := mat.NewDense(3, 2, []float64{1, 1, 0, 2, 0, 3}); got.Err() != nil || !mat.Equal(got.X, want) {
		t.Error(got.Err(), got.X)
	}
	for p, want := range map[plan.Trainable]string{
		prepare.PlanOneHot("body mass").Fit(set): `the feature "body mass" is numbers, but needs to be words`,
		prepare.PlanOneHot("iland").Fit(set):     `there is no feature "iland"; did you mean "island"?`,
		prepare.PlanOneHot().Fit(birds()): `the feature "sex" is with a gap, but needs to be without gaps; ` +
			`put prl.Impute() before it`,
		bayes.PlanLDA().Fit(set):                           `the feature "island" is words, but needs to be numbers`,
		prepare.PlanStandardize().Fit(set):                 `the feature "island" is words, but needs to be numbers`,
		bayes.PlanLDA().Fit(birds().Features("body mass")): `the feature "body mass" is with 2 gaps, but needs to be without gaps`,
	} {
		if err := p.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\ngot  %v\nwant %s", p, err, want)
		}
	}
}

func TestOrdinal(t *testing.T) {
	set := datasets.NewTable("shirts").With("size", []string{"small", "large", "medium", "small"}).
		With("colour", []string{"red", "blue", "red", "green"}).Unlabelled()
	got := prepare.PlanOrdinal().Order("size", "small", "medium", "large").Fit(set).Transform()
	if !slices.Equal(mat.Col(nil, 0, got.X), []float64{0, 2, 1, 0}) || got.Words[0] != nil || got.Words[1] == nil {
		t.Error(got.Err(), got.X, got.Words)
	}
	got = prepare.PlanOrdinal().Fit(set).Transform()
	if !slices.Equal(mat.Col(nil, 0, got.X), []float64{2, 0, 1, 2}) || !slices.Equal(mat.Col(nil, 1, got.X), []float64{2, 0, 2, 1}) ||
		got.Words != nil {
		t.Error(got.Err(), got.X)
	}
	got = prepare.PlanOrdinal("size", "colour").Order("size", "small", "medium", "large").Fit(set).Transform()
	if !slices.Equal(mat.Col(nil, 0, got.X), []float64{0, 2, 1, 0}) || !slices.Equal(mat.Col(nil, 1, got.X), []float64{2, 0, 2, 1}) {
		t.Error(got.Err(), got.X)
	}
	if err := prepare.PlanOrdinal().Order("size", "small", "large").Fit(set).Err(); err == nil ||
		!strings.Contains(err.Error(), `the feature "size" is of the word "medium", but needs to be one of the words small, large`) {
		t.Error(err)
	}
}

func pipeline() plan.PipelinePlan {
	return plan.PlanPipeline(prepare.PlanImpute(), prepare.PlanOneHot(), prepare.PlanStandardize()).Then(bayes.PlanLDA().Shrinkage(0.1))
}

// Nothing of the rows that a pipeline is not fitted to reaches its models: whatever stands in them, the model is the same to the bit.
func TestNoLeakage(t *testing.T) {
	set := birds()
	var train, test []int
	for i := range set.N() {
		if i%3 == 0 {
			test = append(test, i)
		} else {
			train = append(train, i)
		}
	}
	spoilt := set
	spoilt.X = mat.DenseCopyOf(set.X)
	for k, i := range test { // other rows' values, and numbers out of all proportion
		for j, words := range set.Words {
			if spoilt.X.Set(i, j, set.X.At(test[(k+7)%len(test)], j)); words == nil {
				spoilt.X.Set(i, j, 1e6*float64(k))
			}
		}
	}
	encoded := func(s datasets.Set) string {
		m, err := plan.Train(context.Background(), pipeline(), s.Rows(train...))
		if err != nil {
			t.Fatal(err)
		}
		data, err := m.(*plan.Pipeline).MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if encoded(set) != encoded(spoilt) {
		t.Error("the model depends on rows that it was not fitted to")
	}
	whole, err := plan.Train(context.Background(), pipeline(), spoilt)
	if err != nil {
		t.Fatal(err)
	}
	if data, _ := whole.(*plan.Pipeline).MarshalBinary(); string(data) == encoded(set) {
		t.Error("the comparison cannot fail")
	}
}

// A pipeline predicts rows of a file whose words have other numbers, and is the same after storage.
func TestPipeline(t *testing.T) {
	train, test := birds().Split(0.7, 1)
	fitted := pipeline().Fit(train)
	want := fitted.Predict(test)
	if a := fitted.Accuracy(test); a < 0.97 {
		t.Errorf("accuracy %v", a)
	}
	// The test rows as a file of their own: words are numbered again, and island Biscoe is missing.
	var rows []int
	for i, k := range want {
		if k != 2 && test.Table().Words("island")[i] != "Biscoe" {
			rows = append(rows, i)
		}
	}
	other := test.Rows(rows...).Table().Label("class")
	if slices.Equal(other.Words[0], train.Words[0]) {
		t.Fatal("the words have the same numbers; the test shows nothing")
	}
	got := fitted.Predict(other)
	for i, r := range rows {
		if got[i] != want[r] {
			t.Errorf("row %d is put into class %d as a file of its own, and into %d before", r, got[i], want[r])
		}
	}
	data, err := fitted.Model().MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var back plan.Pipeline
	if err := back.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	again, err := back.Predict(test.X)
	if err != nil || !slices.Equal(again, want) {
		t.Error(err)
	}
	if names, words := back.Columns(); !slices.Equal(names, train.FeatureNames) || !slices.Equal(words[0], train.Words[0]) {
		t.Error(names, words)
	}
	for cut := range len(data) / 50 {
		if err := new(plan.Pipeline).UnmarshalBinary(data[:50*cut]); err == nil {
			t.Fatalf("%d bytes of %d are read as a pipeline", 50*cut, len(data))
		}
	}
}

func TestRegressionPipeline(t *testing.T) {
	t.Setenv("PRL_CACHE", t.TempDir())
	set := datasets.PalmerPenguins().DropMissing("body mass").Drop("egg laid").Target("body mass")
	p := plan.PlanRegressionPipeline(prepare.PlanImpute(), prepare.PlanOneHot()).Then(tree.PlanRegressionTree().Depth(4)).Fit(set).Keep()
	if r := p.R2(); r < 0.8 || r > 1 {
		t.Errorf("R2 is %v", r)
	}
	again := plan.PlanRegressionPipeline(prepare.PlanImpute(), prepare.PlanOneHot()).
		Then(tree.PlanRegressionTree().Depth(4)).
		Fit(set).
		Keep()
	if again.R2() != p.R2() || !slices.Equal(again.Predict(set), p.Predict(set)) {
		t.Error("a kept pipeline is another one")
	}
	if err := plan.PlanRegressionPipeline(bayes.PlanLDA()).Then(tree.PlanRegressionTree()).Fit(set).Err(); err == nil {
		t.Error("a classifier is taken for a transformation")
	}
}

// A detection of novelty at the end of a pipeline answers as it does on what the steps make of the rows, also after storage.
func TestNoveltyPipeline(t *testing.T) {
	t.Setenv("PRL_CACHE", t.TempDir())
	adelie, others := birds().Classes("Adelie"), birds().Classes("Gentoo")
	steps := plan.PlanNoveltyPipeline(prepare.PlanImpute(), prepare.PlanOneHot(), prepare.PlanStandardize(), reduce.PlanPCA().Share(0.9))
	p := steps.Then(svm.PlanOneClass().RBF(0.05).Nu(0.1)).Fit(adelie).Keep()
	alone := svm.PlanOneClass().RBF(0.05).Nu(0.1).Fit(p.Transform())
	if got := p.Predict(adelie); !slices.Equal(got, alone.Predict(p.Transform())) || len(p.Flagged()) > adelie.N()/10 ||
		len(p.Flagged()) == 0 {
		t.Errorf("%d rows are flagged", len(p.Flagged()))
	}
	novel := 0
	for _, c := range p.Predict(others) {
		novel += 1 - c
	}
	if novel < others.N()*9/10 {
		t.Errorf("%d of %d birds of another species are novel", novel, others.N())
	}
	data, err := p.Model().MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	back := new(plan.NoveltyPipeline)
	if err := back.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	want, err := p.Model().Decision(adelie.X)
	if err != nil {
		t.Fatal(err)
	}
	got, err := back.Decision(adelie.X)
	if err != nil || !mat.Equal(got, want) {
		t.Errorf("after storage: %v", err)
	}
	for i := range 5 {
		row := adelie.X.RawRowView(i)
		if v := back.Value(row...); v != want.At(i, 0) || (back.Class(row...) == plan.Inside) != (v >= 0) {
			t.Errorf("row %d alone has the value %v, and %v among all", i, v, want.At(i, 0))
		}
	}
	if back.Class(1, 2) != -1 || !math.IsNaN(back.Value(1, 2)) {
		t.Error("a point of another length is classified")
	}
	if err := steps.Then(nil).Fit(adelie).Err(); err == nil || !strings.Contains(err.Error(), "step 5 is nil") {
		t.Error(err)
	}
	if s := p.Table().String(); !strings.Contains(s, "inside") || !strings.Contains(s, "novel") {
		t.Error(s)
	}
	if fig := p.Regions(); fig.Err() == nil {
		t.Error("regions of seven features are drawn")
	}
	plane := plan.PlanNoveltyPipeline(prepare.PlanStandardize()).Then(svm.PlanOneClass()).Fit(datasets.Iris().Features("petal length",
		"petal width"))
	if fig := plane.Regions(); fig.Err() != nil {
		t.Error(fig.Err())
	}
}

// Whatever tries plans on other rows takes a file with words and gaps.
func TestSelectionTakesTables(t *testing.T) {
	set := datasets.PalmerPenguins().Drop("egg laid").Label("species")
	p := plan.PlanPipeline(prepare.PlanImpute(), prepare.PlanOneHot().DropFirst(), prepare.PlanStandardize()).Then(bayes.PlanLDA())
	c := selection.PlanComparison(set, p, plan.PlanPipeline(prepare.PlanImpute(), prepare.PlanOneHot()).Then(tree.PlanTree().Depth(3)))
	grid := selection.PlanGrid(func(g *selection.Settings) plan.PipelinePlan {
		return plan.PlanPipeline(prepare.PlanImpute(), prepare.PlanOneHot()).Then(tree.PlanTree().Depth(int(g.Over("depth", 1, 3))))
	}).Nested(3).Fit(set)
	for name, err := range map[string]error{
		"Compare": c.Table().Err(), "Compare.ROC": c.Score("balanced accuracy").ROC().Err(), "Compare.Scores": c.Scores().Err(),
		"CrossValidate": selection.PlanCrossValidation(p.Fit(set), 5).Folds().Err(),
		"Confusion":     selection.PlanCrossValidation(p.Fit(set), 5).Confusion().Err(),
		"Calibration":   selection.PlanCrossValidation(p.Fit(set), 5).Calibration().Err(),
		"Grid":          grid.Curve().Err(), "Best": grid.Best().Err(), "ROC": p.Fit(set).ROC(set).Err(),
		"LearningCurve": selection.PlanLearningCurve(p.Fit(set), 60, 200).Err(),
		"Transform":     p.Fit(set).Transform().Err(),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if m := selection.PlanCrossValidation(p.Fit(set), 10).Mean(); m.Estimate < 0.97 || m.Estimate > 1 {
		t.Errorf("accuracy %v", m)
	}
}

// Pipelines with the same steps are told apart by what they end in.
func TestNamesInComparison(t *testing.T) {
	steps := plan.PlanPipeline(prepare.PlanImpute(), prepare.PlanOneHot().DropFirst())
	set := datasets.PalmerPenguins().Drop("egg laid").Label("species")
	text := selection.PlanComparison(set, steps.Then(bayes.PlanLDA()), steps.Then(tree.PlanTree().Depth(3))).Folds(3).Table().String()
	for _, want := range []string{"\nLDA() ", "\nTree().Depth(3) ", "each behind Pipeline(Impute(), OneHot().DropFirst()); intervals"} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
}

// The weights and rows are those of scikit-learn 1.9.1: TfidfTransformer().fit(X), and with sublinear_tf=True, norm=None.
func TestTFIDF(t *testing.T) {
	X := mat.NewDense(5, 4, []float64{3, 0, 1, 0, 2, 0, 0, 1, 0, 0, 0, 0, 1, 1, 4, 0, 4, 0, 0, 0})
	for _, c := range []struct {
		p    prepare.TFIDFPlan
		want []float64
	}{
		{prepare.PlanTFIDF(), []float64{
			0.9024535726000642, 0, 0.43078712759480253, 0, 0.7479262344512992, 0, 0, 0.6637818525837387, 0, 0, 0, 0,
			0.16448121704144167, 0.2919529812805499, 0.9421833080467754, 0, 1, 0, 0, 0,
		}},
		{prepare.PlanTFIDF().Sublinear().Raw(), []float64{
			2.4812345482450042, 0, 1.6931471805599454, 0, 2.00184441040093, 0, 0, 2.09861228866811, 0, 0, 0, 0,
			1.1823215567939547, 2.09861228866811, 4.040347569516239, 0, 2.821367264007905, 0, 0, 0,
		}},
	} {
		p := c.p.Fit(datasets.New("texts", X, nil).Named("the", "rare", "two", "three"))
		if z := p.Transform(); z.Err() != nil || !mat.EqualApprox(z.X, mat.NewDense(5, 4, c.want), 1e-14) || z.FeatureNames[1] != "rare" {
			t.Errorf("%s: %v, %v", p, z.X, z.Err())
		}
		want := []float64{1.1823215567939547, 2.09861228866811, 1.6931471805599454, 2.09861228866811}
		for j, w := range p.Model().IDF() {
			if math.Abs(w-want[j]) > 1e-15 {
				t.Errorf("weight %d is %v, want %v", j, w, want[j])
			}
		}
	}
	m, err := prepare.FitTFIDF(t.Context(), sparse.Of(X), prepare.TFIDFOptions{})
	if err != nil {
		t.Fatal(err)
	}
	z, err := m.TransformSparse(sparse.Of(X))
	if dense, wrong := m.Transform(X); err != nil || wrong != nil || !mat.Equal(z, dense) || z.NonZeros() != 8 {
		t.Errorf("%v, %v, %v", z, err, wrong)
	}
	X.Set(2, 1, -1)
	if _, err := m.TransformSparse(sparse.Of(X)); err == nil || !strings.Contains(err.Error(), "X[2, 1]") {
		t.Error(err)
	}
	if _, err := prepare.PlanTFIDF().Fit(datasets.New("texts", X, nil)).Fitted(); err == nil || !strings.Contains(err.Error(), "X[2, 1]") {
		t.Error(err)
	}
	// Behind them a rule tells the books of the Opticks apart better than their sizes do, and no test row has a say.
	books := datasets.Opticks()
	set := books.Counts(books.Vocabulary(300))
	p := plan.PlanPipeline(prepare.PlanTFIDF()).Then(bayes.PlanNearestMean())
	v := selection.PlanCrossValidation(p.Fit(set), 5)
	if m := v.Mean(); m.Estimate < 0.7 {
		t.Errorf("accuracy %v", m)
	}
}
