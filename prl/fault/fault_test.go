package fault_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/prlab/prlab/prl/fault"
)

func ExampleArgument() {
	fmt.Println(fault.Argument("svm.Fit", "C", -1, "a positive number", "try C = 1, the default"))
	// Output: svm.Fit: C is -1, but needs to be a positive number; try C = 1, the default
}

func ExampleStepError() {
	err := fault.Argument("svm.Fit", "C", -1, "a positive number", "")
	fmt.Println(&fault.StepError{Chain: "SVM().C(-1)", Step: "C(-1)", Err: err})
	// Output: C: C is -1, but needs to be a positive number
}

func ExampleChain() {
	plan := fault.Start("SVM").Step("RBF", 0.5).Step("C", -1.0).Break(errors.New("C must be positive")).Step("Fit", "iris")
	fmt.Println(plan)
	fmt.Println(plan.Err())
	// Output:
	// SVM().RBF(0.5).C(-1).Fit("iris")
	// C: C must be positive
}

func TestIn(t *testing.T) {
	inner := fault.Argument("kernel.Gram", "X", "nil", "a matrix", "")
	outer := fault.In("svm.Fit", fmt.Errorf("in a fold: %w", inner))
	if got := outer.Error(); got != "svm.Fit: X is nil, but needs to be a matrix" {
		t.Error(got)
	}
	if got := inner.Error(); got != "kernel.Gram: X is nil, but needs to be a matrix" {
		t.Error("the inner error was changed:", got)
	}
	other := errors.New("stopped")
	if fault.In("svm.Fit", other) != other || fault.In("svm.Fit", nil) != nil {
		t.Error("an error of another kind was changed")
	}
}

func TestErrorWithoutPlace(t *testing.T) {
	argument := fault.Argument("", "k", 0, "at least 1", "")
	if got := argument.Error(); got != "k is 0, but needs to be at least 1" {
		t.Error(got)
	}
	step := &fault.StepError{Err: errors.New("stopped")}
	if got := step.Error(); got != "stopped" || step.Unwrap() != step.Err {
		t.Error(got)
	}
}

func ExampleArgs() {
	priors := []float64{0.7, 0.3}
	fmt.Println(fault.Start("LDA").Step("Priors", fault.Args(priors)...))
	// Output: LDA().Priors(0.7, 0.3)
}
