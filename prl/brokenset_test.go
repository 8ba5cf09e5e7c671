package prl_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl"
	"github.com/prlab/prlab/prl/fault"
)

// ends returns the methods of a plan that say something of a set after the fit.
func ends(plan any) []string {
	var names []string
	t, set := reflect.TypeOf(plan), reflect.TypeFor[datasets.Set]()
	for i := range t.NumMethod() {
		m := t.Method(i)
		for j := 1; j < m.Type.NumIn() && m.Name != "Fit"; j++ {
			if in := m.Type.In(j); in == set || in == reflect.SliceOf(set) {
				names = append(names, m.Name)
			}
		}
	}
	return names
}

const endInTest = "PRL_TEST_END" // the end of the table that a process of the test comes to

// unlabelled names the methods that need no classes, of regressions at the least, and some that need a target instead.
var unlabelled = []string{
	"Predict", "Quantiles", "Proba", "LogProba", "Transform", "Inverse", "R2", "RMSE", "Residuals", "Permutation", "LogLikelihood",
	"RegressionBoosting.Curves", "RankSVM.Swapped", "LaplacianSVM.Unlabelled",
}

// An end that is asked about a broken set reports the set's own error, as it stands.
func TestBrokenSet(t *testing.T) {
	broken := prl.Iris().Features("nose")
	atEnds(t, broken, nil, func(t *testing.T, _ string, err error) {
		if !errors.Is(err, broken.Err()) || err.Error() != broken.Err().Error() {
			t.Errorf("the error is %q, want that of the set, %q", err, broken.Err())
		}
	}, func(t *testing.T, _, text string) {
		if want := fmt.Sprintf("✗ %v\n\n  Iris().Features(\"nose\")\n         ↑ here\n", broken.Err()); text != want {
			t.Errorf("%s\nwant\n%s", text, want)
		}
	})
}

// An end that compares with classes says so when the set has none, in its own name.
func TestUnlabelledSet(t *testing.T) {
	want := func(method string) string {
		return method + ": the data set plain is without classes, but needs to be a set whose rows have a class"
	}
	atEnds(
		t,
		datasets.New("plain", prl.Iris().Features("petal length", "petal width").X, nil),
		unlabelled,
		func(t *testing.T, method string, err error) {
			var step *fault.StepError
			if !errors.As(err, &step) || err.Error() != want(method) || !strings.HasPrefix(step.Step, method+"(") {
				t.Errorf("the error is %q at %v, want %q", err, step, want(method))
			}
		},
		func(t *testing.T, method, text string) {
			if !strings.HasPrefix(text, "✗ "+want(method)+"\n\n") || !strings.Contains(text, "."+method+"(plain)\n") {
				t.Errorf("%s\nwant %q, with the chain", text, want(method))
			}
		},
	)
}

// atEnds asks all ends but some about a set that is wrong. A figure or a table carries its error. A number cannot: there the end stops the
// program, which is therefore a process of its own and tells the error as text.
func atEnds(
	t *testing.T,
	wrong datasets.Set,
	but []string,
	carried func(t *testing.T, method string, err error),
	told func(t *testing.T, method, text string),
) {
	if end := os.Getenv(endInTest); end != "" {
		name, method, _ := strings.Cut(end, " ")
		call(plans[name](two), method, wrong)
		return
	}
	for name, make := range plans {
		for _, method := range ends(make(two)) {
			if slices.Contains(but, method) || slices.Contains(but, name+"."+method) {
				continue
			}
			t.Run(name+"."+method, func(t *testing.T) {
				t.Parallel()
				plan := make(two)
				if result := reflect.ValueOf(plan).MethodByName(method).Type().Out(0); result.Implements(reflect.TypeFor[interface{ Err() error }]()) {
					carried(t, method, call(plan, method, wrong).(interface{ Err() error }).Err())
					return
				}
				test, _, _ := strings.Cut(t.Name(), "/")
				process := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+test+"$")
				process.Env = append(os.Environ(), endInTest+"="+name+" "+method)
				var text bytes.Buffer
				process.Stderr = &text
				if err := process.Run(); process.ProcessState.ExitCode() != 1 {
					t.Errorf("the program goes on: %v", err)
				}
				told(t, method, text.String())
			})
		}
	}
}

// call calls a method of a plan with a set.
func call(plan any, method string, set datasets.Set) any {
	return reflect.ValueOf(plan).MethodByName(method).Call([]reflect.Value{reflect.ValueOf(set)})[0].Interface()
}
