package plan

import (
	"context"
	"errors"
	"reflect"

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
	needs(step string, set datasets.Set) error
	kind() Needs
	register()
	anyModel() (any, error)
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
		on(set datasets.Set) Trainable
	}); ok {
		if q, ok := f.on(set).(P); ok {
			return q
		}
	}
	return p
}

// NeedsOf says what the fit of a plan asks of its data.
func NeedsOf(p Trainable) Needs { return p.kind() }

// Model returns the fitted model of a plan, or the error of the first wrong step or of the fit.
func Model(p Trainable) (any, error) { return p.anyModel() }

func (p Plan[M, O]) anyModel() (any, error) { return p.Fitted() }

// CheckData reports data that do not have what the fit of a plan asks of them.
func CheckData(p Trainable, step string, set datasets.Set) error { return p.needs(step, set) }

func (p Plan[M, O]) kind() Needs { return p.frame().spec.Needs }

// register lets the model be stored as a part of another one.
func (p Plan[M, O]) register() {
	if t := reflect.TypeFor[M](); t.Kind() == reflect.Pointer {
		estimator.RegisterModel(reflect.Zero(t).Interface())
	}
}

func (p Plan[M, O]) needs(step string, set datasets.Set) error {
	spec := p.frame().spec
	return spec.Needs.check(step, set, spec.Raw)
}

func (p Plan[M, O]) train(ctx context.Context, set datasets.Set) (any, error) {
	f := p.frame()
	if err := f.chain.Err(); err != nil {
		return nil, err
	}
	if f.spec.Needs == Nothing {
		return nil, f.chain.Break(errors.New("the settings say all; there is nothing to fit to data")).Err()
	}
	chain := f.chain.Step("Fit", set).Break(f.spec.Needs.check("Fit", set, f.spec.Raw))
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
	christen(m, f.spec.Needs, set)
	return m, nil
}

// christen tells a model the names of what it was fitted on.
func christen(m any, needs Needs, set datasets.Set) {
	if named, ok := m.(interface{ Remember(estimator.Names) }); ok && needs != Nothing {
		named.Remember(estimator.Names{FeatureNames: set.FeatureNames, ClassNames: set.ClassNames, TargetName: set.TargetName})
	}
}
