package plan

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// Steps are the transformations of a pipeline before its classifier.
type Steps struct {
	steps []Trainable
	chain fault.Chain
}

// PlanPipeline begins a pipeline: PlanPipeline(standardize, pca).Then(svm). Each step is a plan of a transformation; where it names data of
// its own they do not count.
func PlanPipeline(steps ...Trainable) Steps {
	return Steps{steps, fault.Start("Pipeline", fault.Args(steps)...)}
}

// Then ends the pipeline in a classifier, which is fitted to what the steps make of the data.
func (s Steps) Then(last Classifying) PipelinePlan {
	chain := s.chain.Step("Then", last)
	for i, step := range append(s.steps[:len(s.steps):len(s.steps)], last) {
		if step == nil {
			chain = chain.Break(fault.Argument("Pipeline", fmt.Sprintf("step %d", i+1), "nil", "a plan", ""))
			continue
		}
		chain = chain.Break(Settled(step))
	}
	p := PipelinePlan{NewClassifier(Spec[*Pipeline, pipelineSettings]{
		Name: "Pipeline", Needs: Classes, Options: pipelineSettings{s.steps, last},
		Fit: func(ctx context.Context, set datasets.Set, o pipelineSettings) (*Pipeline, error) {
			return fitPipeline(ctx, set, o)
		},
	})}
	f := p.frame()
	f.chain = chain
	p.put(&f)
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

// Fit names the data.
func (p PipelinePlan) Fit(set datasets.Set) PipelinePlan { return Fit(p, set) }

// Transform returns what the steps before the classifier make of a set, or of the data of the fit when none is given.
func (p PipelinePlan) Transform(other ...datasets.Set) datasets.Set {
	return TransformOf(p, "z", other...)
}

// A Pipeline is a fitted chain of transformations with a classifier at its end.
type Pipeline struct {
	estimator.Names
	steps []estimator.Transformer
	last  estimator.PointClassifier
	dim   int
	text  []string
}

func fitPipeline(ctx context.Context, set datasets.Set, o pipelineSettings) (*Pipeline, error) {
	p := &Pipeline{dim: set.D()}
	for _, step := range o.steps {
		m, err := Train(ctx, step, set)
		if err != nil {
			return nil, err
		}
		t, ok := m.(estimator.Transformer)
		if !ok {
			return nil, fmt.Errorf("%s transforms nothing; a step of a pipeline is a plan such as prl.Standardize() or prl.PCA(5)", step)
		}
		z, err := t.Transform(set.X)
		if err != nil {
			return nil, err
		}
		feature := "z"
		if named, ok := step.(interface{ made() string }); ok {
			feature = named.made()
		}
		set = set.Mapped(step.String()+".Transform", z, featureNames(feature, set, z))
		p.steps, p.text = append(p.steps, t), append(p.text, fmt.Sprint(m))
	}
	m, err := Train(ctx, o.last, set)
	if err != nil {
		return nil, err
	}
	p.last = m.(estimator.PointClassifier)
	p.text = append(p.text, fmt.Sprint(m))
	return p, nil
}

// Dim returns the number of features of the rows that go in.
func (p *Pipeline) Dim() int { return p.dim }

// Classes returns K.
func (p *Pipeline) Classes() int {
	if p.last == nil {
		return 0
	}
	return p.last.Classes()
}

// Transform returns what the steps before the classifier make of the rows of X (n x d).
func (p *Pipeline) Transform(X mat.Matrix) (*mat.Dense, error) {
	if err := estimator.CheckWidth("plan.Pipeline.Transform", X, p.dim); err != nil {
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

// Predict returns the class, from 0, of each row of X (n x d).
func (p *Pipeline) Predict(X mat.Matrix) ([]int, error) {
	z, err := p.Transform(X)
	if err != nil {
		return nil, err
	}
	return p.last.Predict(z)
}

// Class returns the class of one point of d coordinates, and -1 for a point of another length or with a number that is not finite.
func (p *Pipeline) Class(x ...float64) int {
	if p.dim == 0 || estimator.CheckPoint("plan.Pipeline.Class", x, p.dim) != nil {
		return -1
	}
	z, err := p.Transform(mat.NewDense(1, len(x), append([]float64(nil), x...)))
	if err != nil {
		return -1
	}
	return p.last.Class(z.RawRowView(0)...)
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
	z, err := p.Transform(X)
	if err != nil {
		return nil, err
	}
	probabilistic, ok := p.last.(estimator.ProbabilisticClassifier)
	if !ok {
		return nil, errors.New("the classifier at the end of the pipeline has no probabilities")
	}
	return probabilistic.Proba(z)
}

// Steps returns the fitted transformations in their order.
func (p *Pipeline) Steps() []estimator.Transformer {
	return append([]estimator.Transformer(nil), p.steps...)
}

// Last returns the fitted classifier.
func (p *Pipeline) Last() estimator.PointClassifier { return p.last }

// String returns the fitted models with arrows between.
func (p *Pipeline) String() string { return strings.Join(p.text, " → ") }
