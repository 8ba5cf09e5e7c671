package plan

import (
	"context"
	"errors"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/estimator"
)

// A Trainable is a plan of any model, whose settings others may fit to data of their own: a fold of a cross-validation, the output of the
// step before it in a pipeline.
type Trainable interface {
	String() string
	Err() error
	base() *core
}

// Train fits the settings of a plan to a set, whether or not the plan names data itself. The model is that of the plan's family; it is not
// kept.
func Train(ctx context.Context, p Trainable, set datasets.Set) (any, error) {
	return p.base().train(ctx, set)
}

// Settled returns the first wrong step of a plan that may be without data, or nil. The model is not fitted.
func Settled(p Trainable) error { return p.base().chain.Err() }

// Settings returns the chain of a plan without its data: "SVM().RBF(0.5).C(10)".
func Settings(p Trainable) string { return p.base().chain.Without("Fit", "Keep").String() }

// On returns a plan with a set as its data, of a type that keeps what the caller knows of it.
func On[P Trainable](p P, set datasets.Set) P {
	if f, ok := any(p).(interface{ Fit(set datasets.Set) P }); ok {
		return f.Fit(set)
	}
	if f, ok := any(p).(interface {
		on(set datasets.Set) Trainable
	}); ok {
		if q, ok := f.on(set).(P); ok {
			return q
		}
	}
	return p
}

// NeedsOf says what the fit of a plan asks of its data.
func NeedsOf(p Trainable) Needs { return p.base().spec.needs }

// Register lets the model of a plan be stored as a part of another one.
func Register(p Trainable) { p.base().spec.register() }

// Model returns the fitted model of a plan, or the error of the first wrong step or of the fit.
func Model(p Trainable) (any, error) { return p.base().fitted() }

// CheckData reports data that do not have what the fit of a plan asks of them.
func CheckData(p Trainable, step string, set datasets.Set) error {
	return p.base().spec.admit(step, set)
}

func (c *core) train(ctx context.Context, set datasets.Set) (any, error) {
	if err := c.chain.Err(); err != nil {
		return nil, err
	}
	if c.spec.needs == Nothing {
		return nil, c.chain.Break(errors.New("the settings say all; there is nothing to fit to data")).Err()
	}
	chain := c.chain.Step("Fit", set).Break(c.spec.admit("Fit", set))
	if chain.Err() == nil {
		chain = chain.Break(c.spec.checkData("Fit", set, c.options))
	}
	if err := chain.Err(); err != nil {
		return nil, err
	}
	m, err := c.spec.fit(ctx, set, c.options)
	if err != nil {
		return nil, chain.Break(err).Err()
	}
	christen(m, c.spec.needs, set)
	return m, nil
}

// christen tells a model the names of what it was fitted on.
func christen(m any, needs Needs, set datasets.Set) {
	if named, ok := m.(interface{ Remember(estimator.Names) }); ok && needs != Nothing {
		named.Remember(estimator.Names{FeatureNames: set.FeatureNames, ClassNames: set.ClassNames, TargetName: set.TargetName})
	}
}
