// Package saved puts fitted models on disk and takes them back, with all that a program needs that has not seen the notebook: what model it
// is, how it was fitted and to which data, the names of its features with units and words, and the names of its classes.
//
//	err := saved.Write("species.prl", pipeline.Fit(birds))
//	...
//	model, err := saved.Read("species.prl")
//	classes, err := model.Predict(datasets.OpenTable("new.csv"))
//
// A model reads the columns that it needs out of a table by their names, whatever else stands there, and numbers words as they were when it
// was fitted. The form is this library's own. There is no export to ONNX or PMML: the packages of Go for ONNX that were found read it, or
// convert graphs of their own, and none writes PMML.
package saved

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/bayes"
	"github.com/prlab/prlab/prl/boost"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/cluster"
	"github.com/prlab/prlab/prl/density"
	"github.com/prlab/prlab/prl/ensemble"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/ica"
	"github.com/prlab/prlab/prl/internal/atomicfile"
	"github.com/prlab/prlab/prl/linear"
	"github.com/prlab/prlab/prl/logistic"
	"github.com/prlab/prlab/prl/markov"
	"github.com/prlab/prlab/prl/mixture"
	"github.com/prlab/prlab/prl/neural"
	"github.com/prlab/prlab/prl/perceptron"
	"github.com/prlab/prlab/prl/plan"
	"github.com/prlab/prlab/prl/prepare"
	"github.com/prlab/prlab/prl/reduce"
	"github.com/prlab/prlab/prl/selection"
	"github.com/prlab/prlab/prl/structured"
	"github.com/prlab/prlab/prl/svm"
	"github.com/prlab/prlab/prl/tree"
)

// A Feature is a column that a model reads.
type Feature struct {
	Name  string
	Unit  string   // "mm"; "" for a pure number
	Words []string // the words that the model knows; nil for numbers
}

// Days is the unit of a feature that is a date.
const Days = "days since 1970-01-01"

// A Model is a fitted model with what is known about it.
type Model struct {
	Library  string // the version that fitted it
	Plan     string // the chain of the plan: "Pipeline(Impute(), OneHot()).Then(SVM()).Fit(penguins)"
	Text     string // the model in its own words
	Data     string // the data of the fit: name, size, classes
	Source   string // where they come from, and what was left out
	Written  string // the day, 2009-11-16
	Features []Feature
	Classes  []string // names of the classes, or of the states of a sequence; nil for a regression
	Target   string   // what a regression predicts
	Fitted   any      // the model itself, of the type of its family
}

// known are the models that a file may hold, beside those that the program has registered itself.
var known = []any{
	(*plan.Pipeline)(nil), (*plan.RegressionPipeline)(nil), (*plan.NoveltyPipeline)(nil), (*selection.Threshold)(nil),
	(*bayes.Classifier)(nil), (*bayes.CountNB)(nil), (*bayes.TreeNB)(nil), (*bayes.Nominal)(nil), (*logistic.Model)(nil),
	(*perceptron.Model)(nil),
	(*linear.Model)(nil), (*linear.Fit)(nil), (*linear.RidgeFit)(nil), (*linear.LassoFit)(nil), (*linear.NormFit)(nil),
	(*linear.Model)(nil), (*linear.Fit)(nil), (*linear.RidgeFit)(nil), (*linear.LassoFit)(nil), (*linear.NormFit)(nil),
	(*linear.RobustFit)(nil), (*boost.Model)(nil), (*boost.GradientClassifier)(nil), (*boost.GradientRegressor)(nil), (*boost.Additive)(nil),
	(*ensemble.Forest)(nil), (*ensemble.Regressor)(nil), (*ensemble.Isolation)(nil), (*neural.Classifier)(nil), (*neural.Regressor)(nil),
	(*density.KNN)(nil), (*density.PNN)(nil), (*svm.LinearModel)(nil),
	(*svm.Model)(nil), (*svm.Regressor)(nil), (*svm.OneClass)(nil), (*tree.Classifier)(nil), (*tree.Regressor)(nil),
	(*reduce.Fisher)(nil), (*reduce.MDA)(nil), (*reduce.PCA)(nil), (*reduce.PPCA)(nil), (*reduce.KernelPCA)(nil), (*reduce.Whitening)(nil),
	(*structured.Multiclass)(nil), (*structured.Ranker)(nil), (*structured.Laplacian)(nil),
	(*mixture.GMM)(nil), (*mixture.KMeans)(nil), (*markov.GaussianHMM)(nil), (*cluster.DBSCAN)(nil), (*ica.Model)(nil),
	(*datasets.Standardizer)(nil),
	(*prepare.Imputer)(nil), (*prepare.OneHotEncoder)(nil), (*prepare.OrdinalEncoder)(nil), (*prepare.TFIDF)(nil),
}

func register() {
	for _, m := range known {
		estimator.RegisterModel(m)
	}
}

// file is what stands on disk; Sum finds damage.
type file struct {
	Sum  uint64
	Body []byte
}

func sum(b []byte) uint64 { // FNV-1a
	h := uint64(14695981039346656037)
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}

// Of returns the fitted model of a plan with what is known about it. Errors: those of the fit; a plan whose model puts rows into no class
// and predicts no number.
func Of(p plan.Trainable) (*Model, error) {
	const name = "saved.Of"
	if p == nil {
		return nil, fault.Argument(name, "the plan", "nil", "a plan with data, such as prl.LDA().Fit(set)", "")
	}
	fitted, err := plan.Model(p)
	if err != nil {
		return nil, err
	}
	set := plan.Data(p)
	m := &Model{
		Library: cell.Version, Plan: p.String(), Data: set.String(), Source: set.Source, Written: time.Now().UTC().Format(time.DateOnly),
		Fitted: fitted,
	}
	m.Text = fmt.Sprint(fitted)
	switch fitted := fitted.(type) {
	case *markov.GaussianHMM:
		m.Classes = fitted.States()
	case *svm.OneClass, *plan.NoveltyPipeline:
		m.Classes = []string{plan.Novel: "novel", plan.Inside: "inside"}
	case estimator.Classifier:
		m.Classes = slices.Clone(set.ClassNames)
	case estimator.Regressor:
		m.Target = set.TargetName
	default:
		return nil, fault.Argument(name, "the plan", p.String(), "a classifier, a regression or a clustering",
			"a transformation stands in a pipeline")
	}
	for j, feature := range set.FeatureNames {
		f := Feature{Name: feature}
		if j < len(set.Units) {
			f.Unit = set.Units[j]
		}
		if j < len(set.Words) {
			f.Words = set.Words[j]
		}
		m.Features = append(m.Features, f)
	}
	return m, nil
}

// Write fits a plan, if nobody has asked for its model yet, and writes the model to a file, which is replaced as a whole.
func Write(path string, p plan.Trainable) error {
	register()
	m, err := Of(p)
	if err != nil {
		return err
	}
	body, err := estimator.Encode("prl.Model", 1, m)
	if err != nil {
		return err
	}
	data, err := estimator.Encode("prl.File", 1, file{sum(body), body})
	if err != nil {
		return err
	}
	if err := atomicfile.Write(path, data, 0o644); err != nil {
		return fmt.Errorf("saved.Write: %w", err)
	}
	return nil
}

// Read reads a model that Write wrote, also one of an older version of the library as long as the form of the model has not changed.
// Errors: a file that is none, or is damaged.
func Read(path string) (*Model, error) {
	register()
	data, err := os.ReadFile(path)
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			here, _ := os.Getwd()
			return nil, &datasets.ReadError{
				File:   path,
				What:   "there is no such file",
				Remedy: "a path is taken from the working directory, " + here,
			}
		}
		return nil, err
	}
	var f file
	if err := estimator.Decode(data, "prl.File", 1, &f); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	if sum(f.Body) != f.Sum {
		return nil, fmt.Errorf("%s: the file is damaged; write the model again", filepath.Base(path))
	}
	m := new(Model)
	if err := estimator.Decode(f.Body, "prl.Model", 1, m); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	if d, ok := m.Fitted.(interface{ Dim() int }); !ok || d.Dim() != len(m.Features) {
		return nil, fmt.Errorf("%s: the model and the names of its features do not fit together", filepath.Base(path))
	}
	return m, nil
}

// rows picks the features out of a table, in the form in which the model reads them.
func (m *Model) rows(step string, t datasets.Table) (datasets.Set, error) {
	names := make([]string, len(m.Features))
	for j, f := range m.Features {
		names[j] = f.Name
	}
	t = t.Select(names...)
	for _, f := range m.Features {
		if f.Words != nil {
			t = t.AsWords(f.Name)
		}
	}
	return plan.Admitted(m.Fitted, step, t.Unlabelled())
}

// Predict returns the name of the class of each row of a table, which needs the columns of m.Features in any order; other columns are not
// looked at. A column that is missing is an error, which names the nearest one; so is a word that the model does not know, unless a step of
// its pipeline takes it.
func (m *Model) Predict(t datasets.Table) ([]string, error) {
	c, ok := m.Fitted.(estimator.Classifier)
	if !ok {
		return nil, fmt.Errorf("a %T predicts no classes; ask for Values", m.Fitted)
	}
	set, err := m.rows("Predict", t)
	if err != nil {
		return nil, err
	}
	classes, err := c.Predict(set.X)
	names := make([]string, len(classes))
	for i, k := range classes {
		if names[i] = strconv.Itoa(k); k >= 0 && k < len(m.Classes) {
			names[i] = m.Classes[k]
		}
	}
	return names, err
}

// Proba returns the probabilities of m.Classes for each row of a table, n x K.
func (m *Model) Proba(t datasets.Table) (*mat.Dense, error) {
	c, ok := m.Fitted.(estimator.ProbabilisticClassifier)
	if !ok {
		return nil, fmt.Errorf("a %T has no probabilities", m.Fitted)
	}
	set, err := m.rows("Proba", t)
	if err != nil {
		return nil, err
	}
	return c.Proba(set.X)
}

// Values returns the prediction of a regression for each row of a table.
func (m *Model) Values(t datasets.Table) ([]float64, error) {
	r, ok := m.Fitted.(estimator.Regressor)
	if !ok {
		return nil, fmt.Errorf("a %T predicts no numbers; ask for Predict", m.Fitted)
	}
	set, err := m.rows("Values", t)
	if err != nil {
		return nil, err
	}
	return r.Predict(set.X)
}

// Row makes a table of one row of a record, as encoding/json reads one into a map: numbers, words, true and false (the words yes and no),
// days as 2009-11-16. What is null or missing is a gap. Errors: a name that the model does not know, a value of another kind.
func (m *Model) Row(record map[string]any) (datasets.Table, error) {
	names := make([]string, len(m.Features))
	t := datasets.NewTable("record")
	for j, f := range m.Features {
		names[j] = f.Name
		v := record[f.Name]
		wrong := fault.Argument("Row", "the value of "+strconv.Quote(f.Name), fmt.Sprint(v), f.kind(), "")
		number, isNumber := v.(float64)
		word, isWord := v.(string)
		if yes, ok := v.(bool); ok {
			word, isWord = map[bool]string{true: "yes", false: "no"}[yes], true
		}
		switch {
		case v != nil && f.Words != nil && !isWord,
			v != nil && f.Words == nil && f.Unit != Days && !isNumber,
			v != nil && f.Unit == Days && !isWord:
			return t, wrong
		case f.Words != nil:
			t = t.With(f.Name, []string{word})
		case f.Unit == Days:
			var day time.Time
			var err error
			if v != nil {
				if day, err = time.Parse(time.DateOnly, word); err != nil {
					return t, wrong
				}
			}
			t = t.With(f.Name, []time.Time{day})
		case v == nil:
			t = t.With(f.Name, []float64{math.NaN()})
		default:
			t = t.With(f.Name, []float64{number})
		}
	}
	for name := range record {
		if !slices.Contains(names, name) {
			hint := cell.Suggest(name, names)
			if hint != "" {
				hint = "; " + hint
			}
			return t, fmt.Errorf("there is no feature %q%s (there are %s)", name, hint, strings.Join(names, ", "))
		}
	}
	return t, t.Err()
}

func (f Feature) kind() string {
	switch {
	case f.Words != nil:
		return "one of the words " + strings.Join(f.Words, ", ")
	case f.Unit == Days:
		return "a day such as 2009-11-16"
	case f.Unit != "":
		return "a number of " + f.Unit
	}
	return "a number"
}

// Answer is Predict, Proba or Values for one record, with the probabilities by the names of the classes where the model has them. A
// cancelled context is an error.
func (m *Model) Answer(ctx context.Context, record map[string]any) (map[string]any, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	row, err := m.Row(record)
	if err != nil {
		return nil, err
	}
	if m.Classes == nil && m.Target != "" {
		v, err := m.Values(row)
		if err != nil {
			return nil, err
		}
		return map[string]any{m.Target: v[0]}, nil
	}
	class, err := m.Predict(row)
	if err != nil {
		return nil, err
	}
	answer := map[string]any{"class": class[0]}
	if p, err := m.Proba(row); err == nil {
		of := map[string]float64{}
		for k, name := range m.Classes {
			of[name] = p.At(0, k)
		}
		answer["probabilities"] = of
	}
	return answer, nil
}

// String returns one line: the model in its own words, and the data of the fit.
func (m *Model) String() string { return m.Text + ", fitted to " + m.Data }

// Table returns what is known about the model.
func (m *Model) Table() cell.Table {
	t := cell.NewTable("", "").Row("plan", m.Plan).Row("model", m.Text).Row("data", m.Data).Row("source", m.Source).
		Row("fitted", "by version "+m.Library+", written "+m.Written)
	for _, f := range m.Features {
		t = t.Row("feature "+f.Name, f.kind())
	}
	if m.Classes != nil {
		t = t.Row("classes", strings.Join(m.Classes, ", "))
	}
	if m.Target != "" {
		t = t.Row("predicts", m.Target)
	}
	return t.Title("A saved model")
}

// Show shows the table.
func (m *Model) Show() { m.Table().Show() }
