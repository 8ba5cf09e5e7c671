package boost

import (
	"context"
	"math"
	"slices"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/plan"
	"github.com/prlab/prlab/prl/tree"
)

// A Plan is AdaBoost described step by step: PlanAdaBoost().Rounds(50).Fit(set).
//
//plan:step Rounds Rounds
//plan:step Learner Stumps() = Stumps() // boosts decision stumps, the default
//plan:step Learner Learner(l Learner) // boosts any weak learner
//plan:step Resample Resample // draws a sample with the weights as probabilities each round instead of passing the weights on
//plan:step Seed Seed // of the draws of Resample; 1 unless set
//plan:step ClassWeights ClassWeights
//plan:step Balanced Balanced
//plan:step Weights SampleWeights // the first distribution D_1 up to scale
//plan:fit a set with classes. Features may hold words and gaps after TreeDepth
type Plan struct {
	plan.Classifier[*Model, Options]
}

// PlanAdaBoost begins a plan with the settings of Options{}: 50 rounds of stumps.
func PlanAdaBoost() Plan {
	return Plan{plan.NewClassifier(plan.Spec[*Model, Options]{
		Name: "AdaBoost", Options: Options{}.filled(), Needs: plan.Classes, Raw: true,
		Check: func(step string, o Options) error { return o.check(step) },
		CheckData: func(step string, set datasets.Set, o Options) error {
			if err := estimator.CheckFactors(step, o.ClassWeights, set.K()); err != nil {
				return err
			}
			if _, ok := o.Learner.(trees); !ok {
				if err := set.CheckNumbers(step); err != nil {
					return err
				}
			}
			return estimator.CheckWeights(step, o.Weights, set.N())
		},
		Fit: func(ctx context.Context, set datasets.Set, o Options) (*Model, error) {
			t, ok := o.Learner.(trees)
			if ok {
				o.Learner = trees{t.opts.On(set)}
			}
			m, err := Fit(ctx, set.X, set.Y, o)
			if err == nil && ok {
				m.state.Words = set.Words
			}
			return m, err
		},
	})}
}

// TreeDepth boosts trees of the given depth, which take words and gaps.
func (p Plan) TreeDepth(depth int) Plan {
	if err := estimator.CheckCount("TreeDepth", "depth", depth, 1, math.MaxInt); err != nil {
		return plan.Broken(p, "TreeDepth", err, depth)
	}
	return plan.With(p, "TreeDepth", func(o *Options) { o.Learner = Trees(tree.Options{MaxDepth: depth}) }, depth)
}

// Until stops as soon as the training error is at most e, which may be 0.
func (p Plan) Until(e float64) Plan {
	return plan.With(p, "Until", func(o *Options) {
		if o.TargetError = e; e == 0 {
			o.TargetError = NoError
		}
	}, e)
}

// trace follows m over the data of the fit, once.
func (p Plan) trace(m *Model) (*Trace, error) {
	return plan.Once(p, "Trace", func() (*Trace, error) {
		set, o := plan.Data(p), plan.Options(p)
		return m.Trace(set.X, set.Y, estimator.RowWeights(set.Y, o.Weights, o.ClassWeights, o.Balanced, m.Classes()))
	})
}

// Trace returns the steps of the fit: scores, weights, errors and losses of each round on the data of the fit.
func (p Plan) Trace() *Trace { return plan.Value(p, "Trace", p.trace) }

// Distribution returns D_t, the weights that the weak classifier of round t (from 1) was fitted with; t = T+1 gives those after the last
// round.
func (p Plan) Distribution(t int) []float64 {
	return plan.Value(p, "Distribution", func(m *Model) ([]float64, error) {
		tr, err := p.trace(m)
		if err != nil {
			return nil, err
		}
		if err := estimator.CheckCount("Distribution", "t", t, 1, len(tr.Weights)); err != nil {
			return nil, err
		}
		return slices.Clone(tr.Weights[t-1]), nil
	}, t)
}

// Margins returns y f(x) of each row of the fit: the margins y F / sum alpha of the rows of the data set, from -1 to 1; see Model.Margins.
func (p Plan) Margins() []float64 {
	return plan.Value(p, "Margins", func(m *Model) ([]float64, error) { return m.Margins(plan.Data(p).X, plan.Data(p).Y) })
}
