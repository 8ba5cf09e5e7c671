package cell

import (
	"errors"

	"github.com/prlab/prlab/prl/fault"
)

// An Outcome is a chain and what comes of it: a model that is computed when it is first asked for, and once. The fluent faces of the families embed
// one. Its methods tell of the first wrong step, and of an error of the computation, which is put down to the last step.
type Outcome[M any] struct {
	fault.Chain
	lazy *Lazy[M]
}

// NewOutcome returns the outcome of a chain. A nil function stands for a chain that lacks its data.
func NewOutcome[M any](c fault.Chain, compute func() (M, error)) Outcome[M] {
	if compute == nil {
		return Outcome[M]{Chain: c}
	}
	return Outcome[M]{c, NewLazy(compute)}
}

// Fitted returns the model, or the error.
func (o Outcome[M]) Fitted() (M, error) {
	var none M
	if err := o.Chain.Err(); err != nil {
		return none, err
	}
	if o.lazy == nil {
		return none, o.Chain.Break(errors.New("the chain is without data; append .Fit(set)")).Err()
	}
	m, err := o.lazy.Get()
	if err != nil {
		return none, o.Chain.Break(err).Err()
	}
	return m, nil
}

// Model returns the model; without one it ends the cell with a message.
func (o Outcome[M]) Model() M { return Must(o.Fitted()) }

// Err returns the error of the first wrong step or of the computation, or nil.
func (o Outcome[M]) Err() error {
	_, err := o.Fitted()
	return err
}

// End returns what f makes of the model, at an end of the chain: a number or a figure. An error of f is put down to the step, which is the call of
// the end itself: End(o, f, "Predict", set).
func End[M, T any](o Outcome[M], f func(M) (T, error), step string, args ...any) (T, error) {
	m, err := o.Fitted()
	if err == nil {
		var v T
		if v, err = f(m); err == nil {
			return v, nil
		}
		err = o.Chain.Step(step, args...).Break(err).Err()
	}
	var none T
	return none, err
}

// Must returns v; with an error it ends the cell with a message.
func Must[T any](v T, err error) T {
	if err != nil {
		Fail(err)
	}
	return v
}
