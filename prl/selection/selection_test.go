package selection_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl"
	"github.com/prlab/prlab/prl/assess"
	"github.com/prlab/prlab/prl/bayes"
	"github.com/prlab/prlab/prl/plan"
	"github.com/prlab/prlab/prl/selection"
	"github.com/prlab/prlab/prl/svm"
)

var ctx = context.Background()

func ExamplePlanCrossValidation() {
	v := selection.PlanCrossValidation(bayes.PlanLDA().Fit(datasets.Iris()), 10)
	fmt.Printf("%.3f\n", v.Mean().Estimate)
	// Output: 0.980
}

func ExamplePlanComparison() {
	c := selection.PlanComparison(datasets.Iris(), bayes.PlanLDA(), bayes.PlanNearestMean())
	fmt.Println(c.Model().Names[c.Model().Best])
	// Output: LDA()
}

func ExamplePlanGrid() {
	g := selection.PlanGrid(func(g *selection.Settings) svm.Plan {
		return svm.PlanSVM().RBF(g.Over("gamma", 0.01, 0.1, 1)).C(g.Over("C", 0.1, 10))
	}).Fit(datasets.Iris())
	fmt.Println(g.Best())
	// Output: SVM().RBF(0.1).C(10).Fit(iris)
}

func ExamplePlanLearningCurve() {
	l := selection.PlanLearningCurve(bayes.PlanLDA().Fit(datasets.Iris()), 15, 120)
	fmt.Println(l.Model().Test[0] < l.Model().Test[1])
	// Output: true
}

// Leaving one row out needs no random deal, so that other programs come to the same counts. The figures are those of scikit-learn 1.9.1:
//
//	p = cross_val_predict(model, X, y, cv=LeaveOneOut()); confusion_matrix(y, p)
//
// for LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis, GaussianNB(var_smoothing=0) and
// make_pipeline(StandardScaler(), PCA(2), SVC(gamma=0.1, C=1)).
func TestLeaveOneOutAgainstScikitLearn(t *testing.T) {
	iris, wine := prl.Iris(), prl.Wine()
	pipeline := prl.Pipeline(prl.Standardize(), prl.PCA(2)).Then(prl.SVM().RBF(0.1).C(1))
	for _, c := range []struct {
		plan plan.Trainable
		want [][]float64
	}{
		{prl.LDA().Fit(iris), [][]float64{{50, 0, 0}, {0, 48, 2}, {0, 1, 49}}},
		{prl.QDA().Fit(iris), [][]float64{{50, 0, 0}, {0, 47, 3}, {0, 1, 49}}},
		{prl.GaussianNB().MaximumLikelihood().Fit(iris), [][]float64{{50, 0, 0}, {0, 47, 3}, {0, 4, 46}}},
		{pipeline.Fit(iris), [][]float64{{50, 0, 0}, {0, 40, 10}, {0, 5, 45}}},
		{prl.LDA().Fit(wine), [][]float64{{59, 0, 0}, {1, 69, 1}, {0, 0, 48}}},
		{prl.QDA().Fit(wine), [][]float64{{59, 0, 0}, {1, 70, 0}, {0, 0, 48}}},
		{prl.GaussianNB().MaximumLikelihood().Fit(wine), [][]float64{{57, 2, 0}, {0, 69, 2}, {0, 0, 48}}},
		{pipeline.Fit(wine), [][]float64{{58, 1, 0}, {3, 67, 1}, {0, 1, 47}}},
	} {
		v := selection.PlanCrossValidation(c.plan, 2).LeaveOneOut()
		if got := v.Confusion().Counts; !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.plan, got, c.want)
		}
	}
}

// The log losses of the same runs (log_loss of cross_val_predict with predict_proba). GaussianNB of scikit-learn divides variances by n.
func TestLogLossAgainstScikitLearn(t *testing.T) {
	for _, c := range []struct {
		set  datasets.Set
		want float64
	}{{prl.Iris(), 0.054468147435140515}, {prl.Wine(), 0.028558189985404433}} {
		splits, err := assess.LeaveOneOut(c.set.N())
		if err != nil {
			t.Fatal(err)
		}
		v, err := selection.Validate(ctx, prl.LDA().MaximumLikelihood(), c.set, splits, "log loss")
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, s := range v.Scores {
			sum += s / float64(len(v.Scores))
		}
		if math.Abs(sum-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", c.set.Name, sum, c.want)
		}
	}
}

// Nothing of the test rows reaches a model: with other numbers and other classes in their place, the models predict the same.
func TestNoLeakage(t *testing.T) {
	wine := prl.Wine()
	splits, err := assess.StratifiedKFold(wine.Y, 5, 3)
	if err != nil {
		t.Fatal(err)
	}
	probe := wine.X
	for _, p := range []plan.Classifying{
		prl.Pipeline(prl.Standardize(), prl.PCA(3)).Then(prl.SVM().RBF(0.2)),
		prl.Pipeline(prl.Whiten()).Then(prl.KNN(3)),
		prl.LDA(),
	} {
		for i, s := range splits {
			spoiled := mat.DenseCopyOf(wine.X)
			y := append([]int(nil), wine.Y...)
			for _, r := range s.Test {
				for j := range 13 {
					spoiled.Set(r, j, 1e6*float64(r%7-3)+float64(j))
				}
				y[r] = (y[r] + 1) % 3
			}
			other := prl.Data("spoiled", spoiled, y, wine.ClassNames...)
			a := predictions(t, p, wine.Rows(s.Train...), probe)
			b := predictions(t, p, other.Rows(s.Train...), probe)
			if !reflect.DeepEqual(a, b) {
				t.Errorf("%s: split %d: the test rows changed the model", p, i)
			}
		}
	}
	// And through the whole validation: the scores of a fold change only with its own test rows.
	before, err := selection.Validate(ctx, prl.Pipeline(prl.Standardize()).Then(prl.LDA()), wine, splits[:1], "")
	if err != nil {
		t.Fatal(err)
	}
	outside := wine.Rows(append(append([]int(nil), splits[0].Train...), splits[0].Test...)...)
	moved := assess.Split{}
	for i := range splits[0].Train {
		moved.Train = append(moved.Train, i)
	}
	for i := range splits[0].Test {
		moved.Test = append(moved.Test, len(splits[0].Train)+i)
	}
	after, err := selection.Validate(ctx, prl.Pipeline(prl.Standardize()).Then(prl.LDA()), outside, []assess.Split{moved}, "")
	if err != nil {
		t.Fatal(err)
	}
	if before.Scores[0] != after.Scores[0] {
		t.Errorf("the order of the rows changed the score from %v to %v", before.Scores[0], after.Scores[0])
	}
}

func predictions(t *testing.T, p plan.Trainable, train datasets.Set, X mat.Matrix) []int {
	t.Helper()
	m, err := plan.Train(ctx, p, train)
	if err != nil {
		t.Fatal(err)
	}
	y, err := m.(interface {
		Predict(X mat.Matrix) ([]int, error)
	}).Predict(X)
	if err != nil {
		t.Fatal(err)
	}
	return y
}

// A pipeline is the composition of its steps.
func TestPipelineIsComposition(t *testing.T) {
	train, test := prl.Wine().Split(0.6, 2)
	pipe := prl.Pipeline(prl.Standardize(), prl.PCA(4)).Then(prl.SVM().RBF(0.1)).Fit(train)
	scale := prl.Standardize().Fit(train)
	axes := prl.PCA(4).Fit(scale.Transform())
	last := prl.SVM().RBF(0.1).Fit(axes.Transform())
	z := axes.Transform(scale.Transform(test))
	if got, want := pipe.Predict(test), last.Predict(z); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := pipe.Transform(test); !mat.Equal(got.X, z.X) {
		t.Error("Transform is not that of the steps")
	}
	if got, want := pipe.Class(test.X.RawRowView(3)...), pipe.Predict(test)[3]; got != want {
		t.Errorf("Class is %d, Predict %d", got, want)
	}
	if got, want := pipe.Model().String(), "rows of 13"; strings.Count(pipe.Model().String(), "→") != 2 {
		t.Errorf("%q, want three models, such as %q", got, want)
	}
	if pipe.Model().Class(1, 2) != -1 || pipe.Model().Class(make([]float64, 12)...) != -1 {
		t.Error("a point of another length has a class")
	}
	p := prl.Pipeline(prl.Standardize()).Then(prl.LDA()).Fit(train).Proba(test)
	for i := range test.N() {
		if math.Abs(mat.Sum(p.RowView(i))-1) > 1e-12 {
			t.Fatalf("row %d of the probabilities sums to %v", i, mat.Sum(p.RowView(i)))
		}
	}
}

// The result does not depend on the number of processors, and a cancelled context stops it.
func TestProcessorsAndCancellation(t *testing.T) {
	splits, _ := assess.StratifiedKFold(prl.Iris().Y, 10, 1)
	two, err := selection.Validate(ctx, prl.SVM().RBF(1), prl.Iris(), splits, "AUC")
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one, err := selection.Validate(ctx, prl.SVM().RBF(1), prl.Iris(), splits, "AUC")
	if err != nil || !reflect.DeepEqual(one.Scores, two.Scores) {
		t.Errorf("%v and %v, %v", one.Scores, two.Scores, err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := selection.Validate(cancelled, prl.SVM().RBF(1), prl.Iris(), splits, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled validation returns %v", err)
	}
}

// The rows of a split take the memory of those of another one. A model that kept its rows would now hold those of another fold.
func TestNoModelKeepsItsRows(t *testing.T) {
	wine := prl.Wine().Standardize()
	splits, err := assess.Repeated(2, 1, func(seed uint64) ([]assess.Split, error) { return assess.StratifiedKFold(wine.Y, 7, seed) })
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []plan.Trainable{
		prl.LDA(), prl.QDA(), prl.NearestMean(), prl.GaussianNB(), prl.SVM().RBF(0.1), prl.SVM().Nu(0.2), prl.Tree(), prl.AdaBoost().Rounds(5),
		prl.AdaBoost().TreeDepth(2).Rounds(5), prl.KNN(3), prl.PNN(0.5), prl.MDA(), prl.Pipeline(prl.PCA(4)).Then(prl.KNN(3)),
		prl.Pipeline(prl.KernelPCA().RBF(0.1)).Then(prl.KNN(3)),
	} {
		v, err := selection.Validate(ctx, p, wine, splits, "accuracy")
		if err != nil {
			t.Errorf("%s: %v", p, err)
			continue
		}
		for i, s := range splits {
			alone, err := selection.Validate(ctx, p, wine, splits[i:i+1], "accuracy")
			if err != nil || alone.Scores[0] != v.Scores[i] {
				t.Errorf("%s on split %d: %v by itself, %v among others, %v", p, i, alone.Scores, v.Scores[i], err)
			}
			if i < len(splits)/2 {
				continue // Predicted has the last of each row
			}
			got, err := v.Predicted()
			right := 0
			for _, r := range s.Test {
				if err == nil && got[r] == wine.Y[r] {
					right++
				}
			}
			if share := float64(right) / float64(len(s.Test)); share != v.Scores[i] {
				t.Errorf("%s on split %d: accuracy %v, and later %v, %v", p, i, v.Scores[i], share, err)
			}
		}
	}
}

// Scores on training rows are those of the models of the folds: a nearest neighbour is never wrong on its own rows, and a rule of means is.
func TestTraining(t *testing.T) {
	wine := prl.Wine().Standardize()
	s := prl.Grid(func(g *prl.Settings) prl.Classifier { return prl.KNN(int(g.Over("k", 1, 5, 21))) }).Training().Fit(wine).Model()
	if s.Training[0] != 1 || s.TrainingSpread[0] != 0 || !(s.Training[2] < 1 && s.Training[2] > 0.9) {
		t.Errorf("training scores %v, %v", s.Training, s.TrainingSpread)
	}
	splits, err := assess.StratifiedKFold(wine.Y, 5, 1)
	if err != nil {
		t.Fatal(err)
	}
	want := 0.0
	for _, part := range splits {
		want += prl.KNN(21).Fit(wine.Rows(part.Train...)).Accuracy() / 5
	}
	if math.Abs(s.Training[2]-want) > 1e-15 {
		t.Errorf("%v, want %v", s.Training[2], want)
	}
	two := prl.Grid(func(g *prl.Settings) prl.Classifier { return prl.KNN(int(g.Over("k", 1, 5))) }).Training().Fit(wine)
	if text := two.Table().String(); !strings.Contains(text, "accuracy on training rows") {
		t.Error(text)
	}
}

// Where the classes are drawn at random nothing is found; of iris everything is.
func TestPermutationTest(t *testing.T) {
	iris := prl.PermutationTest(prl.LDA().Fit(prl.Iris()), 30)
	m := iris.Model()
	if m.P != 1.0/31 || iris.P() != m.P || m.True != prl.CrossValidate(prl.LDA().Fit(prl.Iris()), 5).Mean().Estimate {
		t.Errorf("p %v, accuracy %v", m.P, m.True)
	}
	for i, s := range m.Scores {
		if s > 0.55 || s < 0.15 {
			t.Errorf("permutation %d has accuracy %v", i, s)
		}
	}
	noise := prl.Iris()
	random := rand.New(rand.NewPCG(3, 3))
	noise.Y = slices.Clone(noise.Y)
	random.Shuffle(len(noise.Y), func(i, j int) { noise.Y[i], noise.Y[j] = noise.Y[j], noise.Y[i] })
	for _, score := range []string{"accuracy", "log loss"} {
		p := prl.PermutationTest(prl.LDA().Fit(noise), 30).Score(score)
		good, m := 1, p.Model()
		for _, s := range m.Scores {
			if score == "accuracy" && s >= m.True-1e-12 || score == "log loss" && s <= m.True+1e-12 { // ties but for rounding
				good++
			}
		}
		if m.P < 0.05 || m.P != float64(good)/31 {
			t.Errorf("%s: p %v, %d of 31 as good", score, m.P, good)
		}
	}
	birds := prl.Iris().WithTarget("petal width", prl.Iris().Column("petal width")).Features("petal length")
	if p := prl.PermutationTest(prl.RegressionTree().Depth(2).Fit(birds), 20).P(); p != 1.0/21 {
		t.Errorf("a regression has p %v", p)
	}
}

// Groups stay together in every fold of every kind of trial, the inner ones of a nested search too.
func TestGroupsEverywhere(t *testing.T) {
	iris := prl.Iris()
	groups := make([]int, iris.N()) // each row and its copy
	idx := make([]int, iris.N())
	for i := range groups {
		groups[i], idx[i] = i/2, i/2*2
	}
	twins := iris.Rows(idx...)
	knn := func(g *prl.Settings) prl.Classifier { return prl.KNN(int(g.Over("k", 1, 15))) }
	loose, tight := prl.Grid(knn).Fit(twins), prl.Grid(knn).Fit(twins).Groups(groups)
	if a, b := loose.Model().Scores[0], tight.Model().Scores[0]; a < b+0.03 {
		t.Errorf("with copies of the test rows %v, without %v", a, b)
	}
	if s := tight.Nested(3).Model(); len(s.Outer) != 3 {
		t.Error(s.Outer)
	}
	if l := prl.LearningCurve(prl.KNN(1).Fit(twins), 100).Groups(groups).Model(); l.Train[0] != 1 || l.Test[0] > 0.98 {
		t.Error(l.Train, l.Test)
	}
	// Two classes that change places half-way: who may look ahead is right, who may not is wrong.
	x, y := mat.NewDense(120, 1, nil), make([]int, 120)
	for i := range y {
		y[i] = i % 2
		x.Set(i, 0, float64((i+i/60)%2)+float64(i)*1e-6)
	}
	turned := prl.Data("turned", x, y)
	if c := prl.Compare(turned, prl.KNN(1)).Forward().Folds(1).Model(); c.Validations[0].Scores[0] != 0 {
		t.Error(c.Validations[0].Scores)
	}
	if s := prl.Grid(knn).Fit(turned).Forward().Folds(1).Model(); s.Scores[0] != 0 {
		t.Error(s.Scores)
	}
}

// The best of many useless places looks good on the folds it was chosen by; the nested search is not deceived.
func TestNestedIsHonest(t *testing.T) {
	random := prl.Gaussians(60, [][]float64{{0, 0, 0, 0}, {0, 0, 0, 0}},
		[][][]float64{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}, {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}}, nil, 4)
	g := prl.Grid(func(g *prl.Settings) prl.Classifier {
		return prl.SVM().RBF(g.Over("gamma", prl.LogSpace(0.01, 100, 9)...)).C(g.Over("C", prl.LogSpace(0.1, 1000, 5)...))
	}).Fit(random).Nested(5)
	s := g.Model()
	outer, err := s.Generalisation(0.95)
	if err != nil {
		t.Fatal(err)
	}
	if s.Scores[s.Best] < outer.Estimate+0.05 {
		t.Errorf("the best place has %v, the search %v: nothing was chosen", s.Scores[s.Best], outer.Estimate)
	}
	if math.Abs(outer.Estimate-0.5) > 0.15 {
		t.Errorf("classes that are drawn alike are told apart with accuracy %v", outer.Estimate)
	}
}

func TestRegression(t *testing.T) {
	set := prl.Iris().Features("petal length").WithTarget("petal width", prl.Iris().Column("petal width"))
	v := prl.CrossValidate(prl.RegressionTree().MinLeaf(10).Fit(set), 5)
	if m := v.Mean(); !(m.Estimate > 0.85 && m.Hi <= 1) {
		t.Errorf("R2 %v", m)
	}
	if v = v.Score("RMSE"); !(v.Mean().Estimate > 0.1 && v.Mean().Estimate < 0.4) {
		t.Errorf("RMSE %v", v.Mean())
	}
	if err := v.Score("accuracy").Err(); err == nil || !strings.Contains(err.Error(), `"R2", "RMSE", "MAE"`) {
		t.Errorf("the accuracy of a regression: %v", err)
	}
}

func TestFigures(t *testing.T) {
	two := prl.Iris().Classes("versicolor", "virginica")
	v := prl.CrossValidate(prl.LDA().Fit(prl.Iris()), 5).Repeats(2)
	c := prl.Compare(two, prl.LDA(), prl.Tree().Depth(2), prl.KNN(5)).Folds(5)
	one := prl.Grid(func(g *prl.Settings) prl.Classifier { return prl.SVM().C(g.Over("C", prl.LogSpace(0.01, 100, 5)...)) }).Fit(two)
	both := prl.Grid(func(g *prl.Settings) prl.Classifier {
		return prl.SVM().C(g.Over("C", 0.1, 1)).RBF(g.Over("gamma", 0.1, 1, 10)).Probability()
	}).Fit(two)
	// metrics.silhouette_score(X, KMeans(3, n_init=10, random_state=0).fit_predict(X)) is 0.5528190123564095
	if svg, err := prl.KMeans(3).Fit(prl.Iris()).Silhouettes().SVG(); err != nil || !strings.Contains(string(svg), "mean silhouette 0.5528") {
		t.Errorf("silhouettes of iris: %v", err)
	}
	permuted := prl.PermutationTest(prl.LDA().Fit(two), 20)
	l := prl.LearningCurve(prl.LDA().Fit(prl.Wine()))
	if l.Model().TooFew == nil || l.Model().Rows[0] < 16 {
		t.Errorf("16 rows of 13 features in three classes: %v, %v", l.Model().Rows, l.Model().TooFew)
	}
	for name, f := range map[string]interface{ Err() error }{
		"folds": v.Folds(), "ROC": v.ROC(), "calibration": v.Calibration(), "table": v.Table(), "confusion": v.Confusion(),
		"compare": c.Scores(), "compared ROC": c.ROC(), "compared": c.Table(),
		"validation": one.Training().Curve(), "heat": both.Heat(), "heat of errors": both.Score("log loss").Heat(),
		"silhouettes": prl.KMeans(3).Fit(two).Silhouettes(), "permutations": permuted.Scores(), "permuted": permuted.Table(),
		"curve": one.Curve(), "search": one.Table(), "learning": l.Curve(), "learned": l.Table(),
	} {
		if err := f.Err(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Every mistake ends in a sentence that names it.
func TestMistakes(t *testing.T) {
	iris := prl.Iris()
	settings := func(f func(*prl.Settings) prl.Classifier) error { return prl.Grid(f).Fit(iris).Err() }
	calls := 0
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"no data":     {prl.CrossValidate(prl.LDA(), 10).Err(), "append .Fit(set)"},
		"one fold":    {prl.CrossValidate(prl.LDA().Fit(iris), 1).Err(), "folds is 1"},
		"many folds":  {prl.CrossValidate(prl.LDA().Fit(iris), 151).Err(), "from 2 to the 150 rows"},
		"no plan":     {prl.CrossValidate(nil, 10).Err(), "the plan is nil"},
		"wrong step":  {prl.CrossValidate(prl.SVM().C(-1).Fit(iris), 10).Err(), "C is -1"},
		"score":       {prl.CrossValidate(prl.LDA().Fit(iris), 10).Score("acuracy").Err(), `"accuracy", "balanced accuracy"`},
		"groups":      {prl.CrossValidate(prl.LDA().Fit(iris), 10).Groups([]int{1, 2}).Err(), "one group for each of the 150 rows"},
		"times":       {prl.CrossValidate(prl.LDA().Fit(iris), 10).Repeats(0).Err(), "times is 0"},
		"mixture":     {prl.CrossValidate(prl.GMM(2).Fit(iris), 5).Err(), "a plan of a classifier or a regression"},
		"no plans":    {prl.Compare(iris).Err(), "the plans is none"},
		"nil plan":    {prl.Compare(iris, prl.LDA(), nil).Err(), "plan 2 is nil"},
		"broken set":  {prl.Compare(iris.Features("petal"), prl.LDA()).Err(), "petal"},
		"no classes":  {prl.Compare(prl.Faithful(), prl.LDA()).Err(), "class"},
		"not a step":  {prl.Pipeline(prl.LDA()).Then(prl.SVM()).Fit(iris).Err(), "transforms nothing"},
		"nil step":    {prl.Pipeline(nil).Then(prl.SVM()).Fit(iris).Err(), "step 1 is nil"},
		"broken step": {prl.Pipeline(prl.PCA(3)).Then(prl.SVM().C(0)).Fit(iris).Err(), "C is 0"},
		"too wide":    {prl.Pipeline(prl.PCA(9)).Then(prl.SVM()).Fit(iris).Err(), "9"},
		"no values":   {settings(func(g *prl.Settings) prl.Classifier { return prl.SVM().C(g.Over("C")) }), "without values"},
		"twice": {settings(func(g *prl.Settings) prl.Classifier {
			return prl.SVM().C(g.Over("C", 1)).RBF(g.Over("C", 1))
		}), `"C" twice`},
		"in an if": {settings(func(g *prl.Settings) prl.Classifier {
			if calls++; calls > 1 {
				return prl.SVM()
			}
			return prl.SVM().C(g.Over("C", 1, 2))
		}), "at every call"},
		"huge": {settings(func(g *prl.Settings) prl.Classifier {
			return prl.SVM().C(g.Over("C", prl.LinSpace(1, 2, 1000)...)).RBF(g.Over("gamma", prl.LinSpace(1, 2, 1000)...))
		}), "1000000 places"},
		"bad value":  {settings(func(g *prl.Settings) prl.Classifier { return prl.SVM().C(g.Over("C", 1, -1)) }), "C is -1"},
		"nil result": {settings(func(g *prl.Settings) prl.Classifier { return nil }), "the plan is nil"},
		"no draws":   {prl.PermutationTest(prl.LDA().Fit(iris), 0).Err(), "permutations is 0"},
		"no fit":     {prl.PermutationTest(prl.LDA(), 9).Err(), "append .Fit(set)"},
		"grid group": {prl.Grid(func(g *prl.Settings) prl.Classifier { return prl.KNN(3) }).Groups([]int{1}).Fit(iris).Err(), "150 rows"},
		"many rows":  {prl.LearningCurve(prl.LDA().Fit(iris), 140).Err(), "120 training rows of a fold"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, c.err, c.want)
		}
	}
}

// Five stratified folds of eight rows of one class and two of the other: three folds lack the second, and are perfect.
func TestFoldsThatLackAClass(t *testing.T) {
	rows, y := []float64{0, 1, 2, 3, 4, 5, 6, 7, 108, 109}, []int{0, 0, 0, 0, 0, 0, 0, 0, 1, 1}
	set := datasets.Set{X: mat.NewDense(10, 1, rows), Y: y, ClassNames: []string{"many", "few"}, FeatureNames: []string{"x"}}
	for _, score := range []string{"macro F1", "Matthews", "balanced accuracy"} {
		v := prl.CrossValidate(prl.KNN(1).Fit(set), 5).Score(score).Model()
		for i, s := range v.Scores {
			if s != 1 {
				t.Errorf("%s of fold %d is %v, where all rows are right", score, i+1, s)
			}
		}
	}
}

// One plan that fails is a row with the reason, and the others are compared. When all fail, so does the comparison.
func TestComparisonSurvives(t *testing.T) {
	iris := prl.Iris()
	still := iris
	still.X = mat.DenseCopyOf(iris.X)
	for i := range still.N() {
		still.X.Set(i, 3, 1)
	}
	c := prl.Compare(still, prl.GaussianNB(), prl.Tree().Depth(2), prl.KNN(5)).Folds(5)
	m, err := c.Fitted()
	if err != nil {
		t.Fatal(err)
	}
	if m.Best < 1 || m.Validations[0] != nil || m.Failed[0] == nil || m.Failed[1] != nil || m.Validations[2] == nil {
		t.Errorf("best %d, failed %v", m.Best, m.Failed)
	}
	table := fmt.Sprint(c.Table().Rows())
	for _, want := range []string{"GaussianNB", "failed: ", `variance 0 in the feature "petal width"`, "Tree", "KNN"} {
		if !strings.Contains(table, want) {
			t.Errorf("the table lacks %q:\n%s", want, table)
		}
	}
	if err := c.Scores().Err(); err != nil {
		t.Error(err)
	}
	if err := c.ROC().Err(); err != nil {
		t.Error(err)
	}
	err = prl.Compare(still, prl.GaussianNB(), prl.QDA()).Err()
	if err == nil || !strings.Contains(err.Error(), `variance 0 in the feature "petal width"`) {
		t.Errorf("all fail: %v", err)
	}
}
