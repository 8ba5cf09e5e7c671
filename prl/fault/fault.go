// Package fault is how the library says that something cannot be done: one error for an argument that cannot be used, and one for the step
// of a chain that went wrong. Each says what was given, what is needed and what to do about it, and keeps the parts apart, so that a
// notebook can set them as a table and a program can read them. The package imports nothing of the library; data sets, figures, estimators
// and cells all use it.
package fault

import (
	"errors"
	"strings"
)

// An ArgumentError says which argument of a function cannot be used, what it was, what is needed and what to do about it.
type ArgumentError struct {
	Func     string // "svm.Fit"; may be empty
	Argument string // "C"
	Got      string // "-1"
	Need     string // "a positive number"
	Remedy   string // "try C = 1, the default"; may be empty
}

// First returns the first error that is not nil, of several checks in the order in which a caller should hear of them.
func First(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Argument returns an *ArgumentError; got is printed by Short.
func Argument(function, argument string, got any, need, remedy string) error {
	return &ArgumentError{Func: function, Argument: argument, Got: Short(got), Need: need, Remedy: remedy}
}

// Error returns "svm.Fit: C is -1, but needs to be a positive number; try C = 1, the default".
func (e *ArgumentError) Error() string {
	if e.Func == "" {
		return e.Sentence()
	}
	return e.Func + ": " + e.Sentence()
}

// Sentence is Error without the function, for those who have named the place already.
func (e *ArgumentError) Sentence() string {
	s := e.Argument + " is " + e.Got + ", but needs to be " + e.Need
	if e.Remedy != "" {
		s += "; " + e.Remedy
	}
	return s
}

// In returns err as the named function says it: an *ArgumentError in err comes from an inner call and gets the name that the caller knows.
// Other errors, and nil, are returned as they are.
func In(function string, err error) error {
	var inner *ArgumentError
	if !errors.As(err, &inner) {
		return err
	}
	outer := *inner
	outer.Func = function
	return &outer
}

// A StepError says which step of a chain went wrong.
type StepError struct {
	Chain string // the chain up to the step: "SVM().C(-1)"
	Step  string // the step, the last call of Chain: "C(-1)"
	Err   error
}

// Error returns "C: C is -1, but needs to be a positive number".
func (e *StepError) Error() string {
	name, _, _ := strings.Cut(e.Step, "(")
	message := e.Err.Error()
	var argument *ArgumentError
	if errors.As(e.Err, &argument) {
		message = argument.Sentence()
	}
	if name == "" {
		return message
	}
	return name + ": " + message
}

// Unwrap returns the cause.
func (e *StepError) Unwrap() error { return e.Err }
