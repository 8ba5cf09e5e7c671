package plan

import (
	"context"
	"errors"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Trainable is a plan of any model, whose settings others may fit to data of their own: a fold of a cross-validation, the output of the
// step before it in a pipeline.
type Trainable interface {
	String() string
	Err() error
	sentence() fault.Chain
	data() datasets.Set
	needs() Needs
	train(ctx context.Context, set datasets.Set) (any, error)
}

// Train fits the settings of a plan to a set, whether or not the plan names data itself. The model is that of the plan's family; it is not
// kept.
func Train(ctx context.Context, p Trainable, set datasets.Set) (any, error) { return p.train(ctx, set) }

// Settled returns the first wrong step of a plan that may be without data, or nil. The model is not fitted.
func Settled(p Trainable) error { return p.sentence().Err() }

// Settings returns the chain of a plan without its data: "SVM().RBF(0.5).C(10)".
func Settings(p Trainable) string { return p.sentence().Without("Fit", "Keep").String() }

// On returns a plan with a set as its data, of a type that keeps what the caller knows of it.
func On[P Trainable](p P, set datasets.Set) P {
	if f, ok := any(p).(interface{ Fit(set datasets.Set) P }); ok {
		return f.Fit(set)
	}
	if f, ok := any(p).(interface {
		on(set datasets.Set) Classifying
	}); ok {
		if q, ok := f.on(set).(P); ok {
			return q
		}
	}
	return p
}

// NeedsOf says what the fit of a plan asks of its data.
func NeedsOf(p Trainable) Needs { return p.needs() }

// Check reports data that do not have what is asked of them.
func (n Needs) Check(step string, set datasets.Set) error { return n.check(step, set) }

func (p Plan[M, O]) needs() Needs { return p.frame().spec.Needs }

func (p Plan[M, O]) train(ctx context.Context, set datasets.Set) (any, error) {
	f := p.frame()
	if err := f.chain.Err(); err != nil {
		return nil, err
	}
	if f.spec.Needs == Nothing {
		return nil, f.chain.Break(errors.New("the settings say all; there is nothing to fit to data")).Err()
	}
	chain := f.chain.Step("Fit", set).Break(f.spec.Needs.check("Fit", set))
	if check := f.spec.CheckData; check != nil && chain.Err() == nil {
		chain = chain.Break(check("Fit", set, f.options))
	}
	if err := chain.Err(); err != nil {
		return nil, err
	}
	m, err := f.spec.Fit(ctx, set, f.options)
	if err != nil {
		return nil, chain.Break(err).Err()
	}
	f.christen(m, set)
	return m, nil
}

// christen tells a model the names of what it was fitted on.
func (f *frame[M, O]) christen(m M, set datasets.Set) {
	if named, ok := any(m).(interface{ Remember(estimator.Names) }); ok && f.spec.Needs != Nothing {
		named.Remember(estimator.Names{FeatureNames: set.FeatureNames, ClassNames: set.ClassNames, TargetName: set.TargetName})
	}
}
