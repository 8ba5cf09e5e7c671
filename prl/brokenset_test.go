package prl_test

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl"
	"github.com/prlab/prlab/prl/fault"
)

// ends is the table of the plans of the library that say something of a set after the fit: for each type the plan and those of its methods that take
// a set. TestBrokenSetIsComplete finds what is missing.
var ends = map[string]struct {
	plan    func(two datasets.Set) any
	methods []string
}{
	"svm.Plan":          {func(two datasets.Set) any { return prl.SVM().Probability().Fit(two) }, []string{"Predict", "Accuracy", "Proba", "Confusion"}},
	"reduce.FisherPlan": {func(two datasets.Set) any { return prl.FisherLDA().Fit(two) }, []string{"Predict", "Proba", "Accuracy", "Confusion", "ROC", "Transform"}},
	"reduce.MDAPlan":    {func(two datasets.Set) any { return prl.MDA().Fit(two) }, []string{"Transform"}},
	"reduce.PCAPlan":    {func(two datasets.Set) any { return prl.PCA().Fit(two) }, []string{"Transform", "Inverse"}},
	"tree.Plan":         {func(two datasets.Set) any { return prl.Tree().Fit(two) }, []string{"Predict", "Accuracy", "Curves"}},
	"boost.Plan":        {func(two datasets.Set) any { return prl.AdaBoost().Rounds(3).Fit(two) }, []string{"Predict", "Accuracy", "Curves"}},
}

// data names the methods that take the data of a fit, whose error breaks the chain.
var data = []string{"Fit", "FitTarget"}

const endInTest = "PRL_TEST_END" // the end of the table that a process of the test comes to

// unlabelled names the methods of the table that need no classes.
var unlabelled = []string{"Predict", "Proba", "Transform", "Inverse"}

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
	atEnds(t, datasets.New("plain", prl.Iris().Features("petal length", "petal width").X, nil), unlabelled, func(t *testing.T, method string, err error) {
		var step *fault.StepError
		if !errors.As(err, &step) || err.Error() != want(method) || !strings.HasPrefix(step.Step, method+"(") {
			t.Errorf("the error is %q at %v, want %q", err, step, want(method))
		}
	}, func(t *testing.T, method, text string) {
		if !strings.HasPrefix(text, "✗ "+want(method)+"\n\n") || !strings.Contains(text, "."+method+"(plain)\n") {
			t.Errorf("%s\nwant %q, with the chain", text, want(method))
		}
	})
}

// atEnds asks all ends but some about a set that is wrong. A figure or a table carries its error. A number cannot: there the end stops the program, which is
// therefore a process of its own and tells the error as text.
func atEnds(t *testing.T, wrong datasets.Set, but []string, carried func(t *testing.T, method string, err error), told func(t *testing.T, method, text string)) {
	two := prl.Iris().Classes("versicolor", "virginica").Features("petal length", "petal width")
	if end := os.Getenv(endInTest); end != "" {
		name, method, _ := strings.Cut(end, " ")
		call(ends[name].plan(two), method, wrong)
		return
	}
	for name, end := range ends {
		for _, method := range end.methods {
			if slices.Contains(but, method) {
				continue
			}
			t.Run(name+"."+method, func(t *testing.T) {
				t.Parallel()
				plan := end.plan(two)
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

// TestBrokenSetIsComplete reads the source of the library: every exported method that takes a set, but for those that take the data of a fit, must
// stand in the table.
func TestBrokenSetIsComplete(t *testing.T) {
	found := map[string][]string{}
	files, err := filepath.Glob("*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "plan/") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if ok && f.Recv != nil && f.Name.IsExported() && !slices.Contains(data, f.Name.Name) &&
				slices.ContainsFunc(f.Type.Params.List, func(p *ast.Field) bool { return typeName(p.Type) == "datasets.Set" }) {
				plan := file.Name.Name + "." + typeName(f.Recv.List[0].Type)
				found[plan] = append(found[plan], f.Name.Name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		for _, method := range found[name] {
			if !slices.Contains(ends[name].methods, method) {
				t.Errorf("%s.%s takes a set and has no place in the table", name, method)
			}
		}
	}
}
