package prl_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/plotting/echartsx"
	"github.com/prlab/prlab/prl"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/live"
)

// The tasks of a day, each as the statements of a cell, with the lines of pandas, scikit-learn and seaborn above it that do the same.
// Imports are left out on both sides, and so are the data: birds is a file, and train and test are sets, or X, y, Xt and yt.
var (
	birds       = "birds.csv"
	train, test datasets.Set
	wine        = prl.Wine()
	iris        = prl.Iris()
	fresh       = datasets.New("fresh", mat.NewDense(2, 4, []float64{5, 3.5, 1.4, 0.2, 6.5, 3, 5.5, 2}), nil).Named(iris.FeatureNames...)
)

// A file with words, dates and gaps.
//
//	d = pd.read_csv(birds, parse_dates=["egg laid"])
func taskFile() {
	prl.OpenTable(birds).Show()
}

// What the columns hold, and the first rows.
//
//	d.describe(include="all")
//	d.head()
func taskLook() {
	prl.OpenTable(birds).Describe().Show()
	prl.OpenTable(birds).Head(5).Show()
}

// A histogram of each class.
//
//	sns.histplot(d, x="flavanoids", hue="class")
func taskHistogram() {
	wine.Features("flavanoids").Scatter().Show()
}

// A matrix of scatter plots.
//
//	sns.pairplot(d, hue="species")
func taskPairs() {
	iris.Pairs().Show()
}

// Correlations as colours.
//
//	sns.heatmap(d.corr(numeric_only=True), vmin=-1, vmax=1, annot=True)
func taskCorrelations() {
	wine.Correlations().Show()
}

// Training and test rows, on the scale of the training rows.
//
//	X, Xt, y, yt = train_test_split(X, y, train_size=0.7, stratify=y, random_state=1)
//	scaler = StandardScaler().fit(X)
//	X, Xt = scaler.transform(X), scaler.transform(Xt)
func taskSplit() {
	train, test = wine.Split(0.7, 1)
	train, test = train.Standardize(), test.StandardizeBy(train)
}

// A fitted classifier and its accuracy; LDA, QDA, NB, SVM and trees in one word each.
//
//	m = LinearDiscriminantAnalysis().fit(X, y)
//	print(m.score(Xt, yt))
func taskClassifier() {
	prl.Show(prl.LDA().Fit(train).Accuracy(test))
}

// Groups that nobody named, and the plane that shows most.
//
//	k = KMeans(3).fit_predict(X)
//	Z = PCA(2).fit_transform(X)
//	plt.scatter(Z[:, 0], Z[:, 1], c=k)
func taskClusters() {
	prl.KMeans(3).Fit(prl.PCA(2).Fit(wine.Standardize()).Transform()).Clusters().Show()
}

// Boosting of three classes.
//
//	m = AdaBoostClassifier(n_estimators=50).fit(X, y)
//	print(m.score(Xt, yt))
func taskBoost() {
	prl.Show(prl.AdaBoost().Rounds(50).Fit(train).Accuracy(test))
}

// A hidden Markov model, and the states of a sequence.
//
//	m = GaussianHMM(2).fit(X)
//	m.predict(X)
func taskHMM() {
	prl.Show(prl.GaussianHMM(2).Fit(prl.Faithful()).Labels())
}

// True classes against predicted ones.
//
//	ConfusionMatrixDisplay.from_estimator(m, Xt, yt)
func taskConfusion() {
	prl.Tree().Fit(train).Confusion(test).Heat().Show()
}

// Precision, recall and F1 of each class.
//
//	print(classification_report(yt, m.predict(Xt)))
func taskReport() {
	prl.Tree().Fit(train).Confusion(test).Rates().Show()
}

// ROC, its area, precision over recall.
//
//	RocCurveDisplay.from_estimator(m, Xt, yt)
//	PrecisionRecallDisplay.from_estimator(m, Xt, yt)
func taskCurves() {
	prl.LDA().Fit(train).ROC(test).Show()
	prl.LDA().Fit(train).PrecisionRecall(test).Show()
}

// Cross-validation.
//
//	print(cross_val_score(SVC(), X, y, cv=10).mean())
func taskCrossValidation() {
	prl.CrossValidate(prl.SVM().RBF(0.1).Fit(train), 10).Show()
}

// A search for settings, and its map.
//
//	g = GridSearchCV(SVC(), {"gamma": [0.01, 0.1, 1], "C": [1, 10, 100]}).fit(X, y)
//	s = g.cv_results_["mean_test_score"].reshape(3, 3)
//	sns.heatmap(s, xticklabels=[0.01, 0.1, 1], yticklabels=[1, 10, 100])
func taskGrid() {
	prl.Grid(func(g *prl.Settings) prl.Classifier {
		return prl.SVM().RBF(g.Over("gamma", 0.01, 0.1, 1)).C(g.Over("C", 1, 10, 100))
	}).Fit(train).Show()
}

// What more rows would bring.
//
//	LearningCurveDisplay.from_estimator(SVC(), X, y, cv=5)
func taskLearning() {
	prl.LearningCurve(prl.SVM().RBF(0.1).Fit(train)).Show()
}

// Several models in a table.
//
//	for m in [LinearDiscriminantAnalysis(), SVC(), DecisionTreeClassifier()]:
//	    print(m, cross_val_score(m, X, y, cv=10).mean())
func taskCompare() {
	prl.Compare(train, prl.LDA(), prl.SVM().RBF(0.1), prl.Tree()).Show()
}

// The classes of new rows, by name.
//
//	print(names[m.predict(fresh)])
func taskPredict() {
	prl.Show(iris.Names(prl.LDA().Fit(iris).Predict(fresh)))
}

// A model into a file, and out of it.
//
//	joblib.dump(m, "wine.model")
//	m = joblib.load("wine.model")
//	print(m.predict(fresh))
func taskSave() {
	prl.Save("iris.prl", prl.LDA().Fit(iris))
	prl.Show(prl.Must(prl.Load("iris.prl").Predict(fresh.Table())))
}

// Steps before a model, fitted with it.
//
//	m = make_pipeline(StandardScaler(), PCA(5), SVC()).fit(X, y)
//	print(m.score(Xt, yt))
func taskPipeline() {
	prl.Show(prl.Pipeline(prl.Standardize(), prl.PCA(5)).Then(prl.SVM()).Fit(train).Accuracy(test))
}

// A function, with a remark at its summit.
//
//	x = np.linspace(-3, 3, 200)
//	plt.plot(x, np.exp(-x**2 / 2))
//	plt.annotate("summit", (0, 1))
func taskFunction() {
	plotting.New(plotting.Curve(func(x float64) float64 { return 1 / (1 + x*x) }, -3, 3), plotting.Text(0, 1, "summit")).Show()
}

// Bars, and pictures beside one another.
//
//	fig, (a, b) = plt.subplots(1, 2)
//	a.bar(["sun", "rain"], [3, 4])
//	b.hist(x)
func taskBars() {
	bars := plotting.New(plotting.Bars([]float64{3, 4}).Categories("sun", "rain"))
	plotting.Row(bars, plotting.New(plotting.Histogram(wine.Column("alcohol")))).Show()
}

// A chart of another library.
//
//	c = pyecharts.charts.Bar()
//	c.add_xaxis(["sun", "rain"]).add_yaxis("days", [3, 4])
//	c.render_notebook()
func taskOtherChart() {
	c := charts.NewBar()
	c.SetXAxis([]string{"sun", "rain"}).AddSeries("days", []opts.BarData{{Value: 3}, {Value: 4}})
	echartsx.Show(c)
}

// A slider that a picture follows.
//
//	@interact(gamma=(0.01, 3.0))
//	def draw(gamma):
//	    DecisionBoundaryDisplay.from_estimator(SVC(gamma=gamma).fit(X, y), X)
func taskSlider() {
	prl.Live(func(in *live.Inputs) *plotting.Figure {
		return prl.SVM().RBF(in.Slider("gamma", 0.01, 3)).Fit(prl.Rings(60, 0.1, 1)).Regions()
	}).Show()
}

// A table of Markdown, and an image.
//
//	display(Markdown("| a | b |\n|---|---|\n| 1 | 2 |"))
//	display(PIL.Image.open("bird.png"))
func taskMarkdown() {
	prl.Show("| a | b |\n|---|---|\n| 1 | 2 |")
	prl.Show(prl.Must(png.Decode(prl.Must(os.Open("bird.png")))))
}

// TestTasks runs each task where its files are, and holds it to showing something. None takes over a line more than it does in Python; the
// lines are those of this file.
func TestTasks(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "tasks_test.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("tasks_test.go")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile(birds, write(t, prl.PalmerPenguins().WriteCSV), 0o600); err != nil {
		t.Fatal(err)
	}
	picture := func(w io.Writer) error { return png.Encode(w, image.NewGray(image.Rect(0, 0, 8, 8))) }
	if err := os.WriteFile("bird.png", write(t, picture), 0o600); err != nil {
		t.Fatal(err)
	}
	run := map[string]func(){
		"File": taskFile, "Look": taskLook, "Histogram": taskHistogram, "Pairs": taskPairs, "Correlations": taskCorrelations, "Split": taskSplit,
		"Classifier": taskClassifier, "Clusters": taskClusters, "Boost": taskBoost, "HMM": taskHMM, "Confusion": taskConfusion,
		"Report": taskReport, "Curves": taskCurves, "CrossValidation": taskCrossValidation, "Grid": taskGrid, "Learning": taskLearning,
		"Compare": taskCompare, "Predict": taskPredict, "Save": taskSave, "Pipeline": taskPipeline, "Function": taskFunction, "Bars": taskBars,
		"OtherChart": taskOtherChart, "Slider": taskSlider, "Markdown": taskMarkdown,
	}
	found := 0
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		name, isTask := "", false
		if ok {
			name, isTask = strings.CutPrefix(f.Name.Name, "task")
		}
		if !isTask {
			continue
		}
		found++
		ours := strings.Count(string(text[f.Body.Lbrace:f.Body.Rbrace]), "\n") - 1
		python := 0
		for _, c := range f.Doc.List {
			if strings.HasPrefix(c.Text, "//\t") {
				python++
			}
		}
		t.Logf("%-16s %d here, %d in Python", name, ours, python)
		if python == 0 || ours > python+1 {
			t.Errorf("%s takes %d lines here and %d in Python", name, ours, python)
		}
		if run[name] == nil {
			t.Errorf("%s is not run", name)
			continue
		}
		r := cell.Capture(run[name])
		if r.Failed || len(r.Shown) == 0 && name != "Split" {
			t.Errorf("%s: %s", name, r.Text())
		}
		delete(run, name)
	}
	if found != 25 || len(run) > 0 {
		t.Errorf("%d tasks, and %v are no more", found, run)
	}
	if train.N() == 0 || test.N() == 0 || len(train.FeatureNames) != 13 {
		t.Error(train, test)
	}
	if got := iris.Names(prl.LDA().Fit(iris).Predict(fresh)); !slices.Equal(got, []string{"setosa", "virginica"}) {
		t.Error(got)
	}
	if _, err := os.Stat(filepath.Join(".", "iris.prl")); err != nil {
		t.Error(err)
	}
}

func write(t *testing.T, to func(io.Writer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := to(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
