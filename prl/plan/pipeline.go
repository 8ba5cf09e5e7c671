package plan

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// Steps are the transformations of a pipeline before its classifier.
type Steps struct{ before }

// RegressionSteps are the transformations of a pipeline before its regression.
type RegressionSteps struct{ before }

type before struct {
	steps []Trainable
	chain fault.Chain
}

// PlanPipeline begins a pipeline with a classifier at its end: PlanPipeline(standardize, pca).Then(svm). Each step is a plan of a
// transformation; where it names data of its own they do not count.
func PlanPipeline(transformations ...Trainable) Steps {
	return Steps{begun("Pipeline", transformations)}
}

// PlanRegressionPipeline begins a pipeline with a regression at its end: PlanRegressionPipeline(standardize, pca).Then(ridge). Its steps
// are those of PlanPipeline.
func PlanRegressionPipeline(transformations ...Trainable) RegressionSteps {
	return RegressionSteps{begun("RegressionPipeline", transformations)}
}

func begun(name string, transformations []Trainable) before {
	return before{transformations, fault.Start(name, fault.Args(transformations)...)}
}

// ended is the chain with the model at its end; its models can be stored as parts of the pipeline.
func (s before) ended(last Trainable) fault.Chain {
	chain := s.chain.Step("Then", last)
	for i, step := range append(s.steps[:len(s.steps):len(s.steps)], last) {
		if step == nil {
			chain = chain.Break(fault.Argument("Pipeline", fmt.Sprintf("step %d", i+1), "nil", "a plan", ""))
			continue
		}
		chain = chain.Break(Settled(step))
		Register(step)
	}
	return chain
}

// Then ends the pipeline in a classifier, which is fitted to what the steps make of the data.
func (s Steps) Then(last Classifying) PipelinePlan {
	p := PipelinePlan{NewClassifier(specOf(s.before, last, Classes, func(p pipeline[estimator.PointClassifier]) *Pipeline {
		return &Pipeline{p}
	}))}
	p.put(p.base().with(s.ended(last)))
	return p
}

// Then ends the pipeline in a regression, which is fitted to what the steps make of the data.
func (s RegressionSteps) Then(last Regressing) RegressionPipelinePlan {
	p := RegressionPipelinePlan{NewRegressor(specOf(s.before, last, Target, func(p pipeline[estimator.Regressor]) *RegressionPipeline {
		return &RegressionPipeline{p}
	}))}
	p.put(p.base().with(s.ended(last)))
	return p
}

type pipelineSettings struct {
	steps []Trainable
	last  Trainable
}

// A PipelinePlan is a classifier behind transformations, all fitted to the same rows: where it is trained on a fold, its means, axes and
// other numbers come from that fold alone.
type PipelinePlan struct {
	Classifier[*Pipeline, pipelineSettings]
}

// Fit names the data: a set with classes; features may hold words and gaps where the first steps take them.
func (p PipelinePlan) Fit(set datasets.Set) PipelinePlan { return Fit(p, set) }

// Keep keeps the model on disk for later cells and sessions: all models of the pipeline.
func (p PipelinePlan) Keep() PipelinePlan { return Keep(p) }

// Table lists parameters and diagnostics: that of the classifier at the end, such as its coefficients, under the names of the features that
// the steps make.
func (p PipelinePlan) Table() cell.Table { return endTable(p) }

// Importances draws the share of each feature in the decrease of impurity: of the features that the steps make, where the classifier at the
// end has such shares. Permutation draws the importance of those that go in.
func (p PipelinePlan) Importances() *plotting.Figure { return endImportances(p) }

// Transform returns the images of the rows: what the steps before the classifier make of a set, or of the data of the fit when none is
// given.
func (p PipelinePlan) Transform(other ...datasets.Set) datasets.Set {
	return TransformOf(p, "z", other...)
}

// A RegressionPipelinePlan is a regression behind transformations, all fitted to the same rows.
type RegressionPipelinePlan struct {
	Regressor[*RegressionPipeline, pipelineSettings]
}

// Fit names the data: a set with a target; features may hold words and gaps where the first steps take them.
func (p RegressionPipelinePlan) Fit(set datasets.Set) RegressionPipelinePlan { return Fit(p, set) }

// Keep keeps the model on disk for later cells and sessions: all models of the pipeline.
func (p RegressionPipelinePlan) Keep() RegressionPipelinePlan { return Keep(p) }

// Table lists parameters and diagnostics: that of the regression at the end, such as its coefficients, under the names of the features that
// the steps make.
func (p RegressionPipelinePlan) Table() cell.Table { return endTable(p) }

// Importances draws the share of each feature in the decrease of impurity: of the features that the steps make, where the regression at the
// end has such shares. Permutation draws the importance of those that go in.
func (p RegressionPipelinePlan) Importances() *plotting.Figure { return endImportances(p) }

// Transform returns the images of the rows: what the steps before the regression make of a set, or of the data of the fit when none is
// given.
func (p RegressionPipelinePlan) Transform(other ...datasets.Set) datasets.Set {
	return TransformOf(p, "z", other...)
}

// A piped plan is one whose model has steps, with their images as a set.
type piped[M ended] interface {
	Of[M]
	settings() pipelineSettings
}

type ended interface {
	estimator.Transformer
	end() any
}

// end returns the plan at the end of a pipeline with its data, which the steps have made, and its model, which is not fitted again.
func end[M ended](p piped[M], m M) (Trainable, error) {
	c, last := p.base(), p.settings().last
	set, err := c.image(m, "z", nil)
	if err != nil {
		return nil, err
	}
	held := last.base().with(last.base().chain.Step("Fit", set))
	held.set, held.fed, held.kept = set, true, false
	s := *held.spec
	s.fit = func(context.Context, datasets.Set, any) (any, error) { return m.end(), nil }
	held.spec = &s
	q := reflect.New(reflect.TypeOf(last)) // the type of the plan, of which only its family knows
	q.Elem().Set(reflect.ValueOf(last))
	q.Interface().(interface{ put(c core) }).put(held)
	return q.Elem().Interface().(Trainable), nil
}

func endTable[M ended](p piped[M]) cell.Table {
	return Table(p, "Table", func(m M) (cell.Table, error) {
		last, err := end(p, m)
		if err != nil {
			return cell.Table{}, err
		}
		if t, ok := last.(interface{ Table() cell.Table }); ok {
			return t.Table(), nil
		}
		return cell.Table{}, fmt.Errorf("a %s has no table", last.base().name)
	})
}

func endImportances[M ended](p piped[M]) *plotting.Figure {
	return Figure(p, "Importances", func(m M) (*plotting.Figure, error) {
		last, err := end(p, m)
		if err != nil {
			return nil, err
		}
		if t, ok := last.(interface{ Importances() *plotting.Figure }); ok {
			return t.Importances(), nil
		}
		return nil, fmt.Errorf("a %s does not tell how much its features count; Permutation measures it for every model", last.base().name)
	})
}

// A beginning is the fitted transformations of a pipeline.
type beginning struct {
	estimator.Names
	steps []estimator.Transformer
	words [][]string // of the features that go in
	made  []string   // the names of the features that come out
	dim   int
	text  []string
}

// A pipeline is fitted transformations with the model at their end.
type pipeline[L interface{ Dim() int }] struct {
	beginning
	last L
}

// Last returns the fitted model at the end.
func (p *pipeline[L]) Last() L { return p.last }

func (p *pipeline[L]) end() any { return p.last }

// specOf tells of the plan of a pipeline, whose model is made of its parts.
func specOf[L interface{ Dim() int }, P any](s before, last Trainable, needs Needs, model func(pipeline[L]) P) Spec[P, pipelineSettings] {
	return Spec[P, pipelineSettings]{
		Name: "Pipeline", Needs: needs, Raw: true, Options: pipelineSettings{s.steps, last},
		Fit: func(ctx context.Context, set datasets.Set, o pipelineSettings) (P, error) {
			begin, last, err := fitSteps(ctx, set, o)
			if err != nil {
				var none P
				return none, err
			}
			return model(pipeline[L]{begin, last.(L)}), nil
		},
	}
}

// fitSteps fits each step to what those before it make of a set, and the model at the end.
func fitSteps(ctx context.Context, set datasets.Set, o pipelineSettings) (p beginning, last any, err error) {
	p = beginning{dim: set.D(), words: set.Words}
	for _, step := range o.steps {
		m, err := Train(ctx, step, set)
		if err != nil {
			return p, nil, err
		}
		t, ok := m.(estimator.Transformer)
		if !ok {
			return p, nil, fmt.Errorf("%s transforms nothing; a step of a pipeline is a plan such as prl.Standardize() or prl.PCA(5)", step)
		}
		z, err := t.Transform(set.X)
		if err != nil {
			return p, nil, err
		}
		set = image(m, step.String(), step.base().spec.feature, set, z)
		p.steps, p.text = append(p.steps, t), append(p.text, fmt.Sprint(m))
	}
	last, err = Train(ctx, o.last, set)
	p.made, p.text = set.FeatureNames, append(p.text, fmt.Sprint(last))
	return p, last, err
}

// Dim returns the number of features of the rows that go in.
func (p *beginning) Dim() int { return p.dim }

// Columns returns the names of the features that go in, and the words that their numbers stand for, nil for numbers.
func (p *beginning) Columns() (names []string, words [][]string) {
	names = p.FeatureNames
	if len(names) != p.dim {
		names = make([]string, p.dim)
		for j := range names {
			names[j] = p.FeatureName(j)
		}
	}
	return names, p.words
}

// Shape returns the names of the features that Transform makes; they are numbers.
func (p *beginning) Shape([]string, [][]string) (names []string, words [][]string) {
	return p.made, nil
}

// Transform returns what the steps before the model make of the rows of X (n x d). A gap is NaN; words are their numbers in the data of the
// fit.
func (p *beginning) Transform(X mat.Matrix) (*mat.Dense, error) {
	if err := estimator.CheckShape("plan.Pipeline.Transform", X, p.dim); err != nil {
		return nil, err
	}
	x := estimator.Dense(X)
	for _, t := range p.steps {
		var err error
		if x, err = t.Transform(x); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// point is Transform of one row, nil for a wrong one.
func (p *beginning) point(x []float64) []float64 {
	if p.dim == 0 || len(x) != p.dim {
		return nil
	}
	z, err := p.Transform(mat.NewDense(1, len(x), append([]float64(nil), x...)))
	if err != nil {
		return nil
	}
	return z.RawRowView(0)
}

// Steps returns the fitted transformations in their order.
func (p *beginning) Steps() []estimator.Transformer {
	return append([]estimator.Transformer(nil), p.steps...)
}

// String returns the fitted models with arrows between.
func (p *beginning) String() string { return strings.Join(p.text, " → ") }

// A Pipeline is a fitted chain of transformations with a classifier at its end.
type Pipeline struct {
	pipeline[estimator.PointClassifier]
}

// Classes returns K.
func (p *Pipeline) Classes() int {
	if p.last == nil {
		return 0
	}
	return p.last.Classes()
}

// Predict returns the class, from 0, of each row of X (n x d).
func (p *Pipeline) Predict(X mat.Matrix) ([]int, error) {
	z, err := p.Transform(X)
	if err != nil {
		return nil, err
	}
	return p.last.Predict(z)
}

// Class returns the class of one point of d coordinates, and -1 for a point of another length or with a number that a step cannot take.
func (p *Pipeline) Class(x ...float64) int {
	z := p.point(x)
	if z == nil {
		return -1
	}
	return p.last.Class(z...)
}

// Decision returns the values on which Predict rests, as the classifier at the end gives them.
func (p *Pipeline) Decision(X mat.Matrix) (*mat.Dense, error) {
	z, err := p.Transform(X)
	if err != nil {
		return nil, err
	}
	return Scores(p.last, z)
}

// Proba returns the n x K probabilities of the classes. It fails where the classifier at the end has none.
func (p *Pipeline) Proba(X mat.Matrix) (*mat.Dense, error) {
	return p.probable(X, func(c estimator.ProbabilisticClassifier, z mat.Matrix) (*mat.Dense, error) { return c.Proba(z) })
}

// LogProba returns the n x K natural logarithms of the probabilities of the classes. It fails where the classifier at the end has none.
func (p *Pipeline) LogProba(X mat.Matrix) (*mat.Dense, error) {
	return p.probable(X, estimator.LogProba)
}

// probable asks the classifier at the end for what f tells of the transformed rows.
func (p *Pipeline) probable(X mat.Matrix, f func(estimator.ProbabilisticClassifier, mat.Matrix) (*mat.Dense, error)) (*mat.Dense, error) {
	z, err := p.Transform(X)
	if err != nil {
		return nil, err
	}
	probabilistic, ok := p.last.(estimator.ProbabilisticClassifier)
	if !ok {
		return nil, errors.New("the classifier at the end of the pipeline has no probabilities")
	}
	return f(probabilistic, z)
}

// A RegressionPipeline is a fitted chain of transformations with a regression at its end.
type RegressionPipeline struct {
	pipeline[estimator.Regressor]
}

// Predict returns the predicted target of each row of X (n x d).
func (p *RegressionPipeline) Predict(X mat.Matrix) ([]float64, error) {
	z, err := p.Transform(X)
	if err != nil {
		return nil, err
	}
	return p.last.Predict(z)
}

// stored is a pipeline in storage.
type stored[L interface{ Dim() int }] struct {
	Steps []estimator.Transformer
	Last  L
	Dim   int
	Words [][]string
	Made  []string
	Text  []string
	Names estimator.Names
}

// sound reports whether the parts fit together. Each step looks at the width of what it is given.
func (s *stored[L]) sound() bool {
	fit := any(s.Last) != nil && s.Dim >= 1 && len(s.Words) <= s.Dim && (len(s.Steps) > 0 || len(s.Made) == s.Dim)
	for i, t := range s.Steps {
		fit = fit && t != nil && (i > 0 || t.Dim() == s.Dim)
	}
	return fit && s.Last.Dim() == len(s.Made)
}

func (p *pipeline[L]) store(kind string) ([]byte, error) {
	s := stored[L]{Steps: p.steps, Last: p.last, Dim: p.dim, Words: p.words, Made: p.made, Text: p.text}
	return estimator.Store(kind, p.dim, &s, &s.Names, p.Names)
}

func (p *pipeline[L]) restore(kind string, data []byte) error {
	var s stored[L]
	names, err := estimator.Restore(data, kind, &s, &s.Names, s.sound)
	if err == nil {
		*p = pipeline[L]{beginning{names, s.Steps, s.Words, s.Made, s.Dim, s.Text}, s.Last}
	}
	return err
}

// MarshalBinary encodes the pipeline with all its models.
func (p *Pipeline) MarshalBinary() ([]byte, error) { return p.store("plan.Pipeline") }

// UnmarshalBinary reads what MarshalBinary wrote, in a program that knows the types of the models: one that has made such a plan, or called
// estimator.RegisterModel.
func (p *Pipeline) UnmarshalBinary(data []byte) error { return p.restore("plan.Pipeline", data) }

// MarshalBinary encodes the pipeline with all its models.
func (p *RegressionPipeline) MarshalBinary() ([]byte, error) {
	return p.store("plan.RegressionPipeline")
}

// UnmarshalBinary reads what MarshalBinary wrote, as that of Pipeline does.
func (p *RegressionPipeline) UnmarshalBinary(data []byte) error {
	return p.restore("plan.RegressionPipeline", data)
}
