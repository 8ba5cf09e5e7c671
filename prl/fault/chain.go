package fault

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A Chain is the sentence that a data set or a plan was written as. It remembers each step, and the first error with the step that caused
// it. Chains are values; every method returns a longer chain and leaves the old one as it was.
type Chain struct {
	last *step
	err  error
}

type step struct {
	before *step
	name   string
	args   []any
}

// Start begins a chain with the constructor's name and arguments: Start("SVM") is "SVM()".
func Start(name string, args ...any) Chain { return Chain{last: &step{name: name, args: args}} }

// Args returns a list as arguments, of a step or for the row of a table: Step("Priors", Args(p)...) appends ".Priors(0.7, 0.3)".
func Args[T any](list []T) []any {
	args := make([]any, len(list))
	for i, v := range list {
		args[i] = v
	}
	return args
}

// Step returns c with one more call: Step("RBF", 0.5) appends ".RBF(0.5)".
func (c Chain) Step(name string, args ...any) Chain {
	c.last = &step{before: c.last, name: name, args: args}
	return c
}

// Break returns c with err laid to its last step, as a *StepError. Nil changes nothing, and so does a second error: the first is the cause.
func (c Chain) Break(err error) Chain {
	if err == nil || c.err != nil {
		return c
	}
	if _, ok := err.(*StepError); ok {
		c.err = err // a data set or another plan that was broken before it came here
		return c
	}
	c.err = &StepError{Chain: c.String(), Step: c.last.String(), Err: err}
	return c
}

// Err returns the first error of the chain, or nil.
func (c Chain) Err() error { return c.err }

// Without returns c without the steps of the given names.
func (c Chain) Without(names ...string) Chain {
	var kept []*step
	for s := c.last; s != nil; s = s.before {
		if s.before == nil || !slices.Contains(names, s.name) {
			kept = append(kept, s)
		}
	}
	out := Chain{err: c.err}
	for _, s := range slices.Backward(kept) {
		out.last = &step{before: out.last, name: s.name, args: s.args}
	}
	return out
}

// String returns the chain as it is written in a cell: "SVM().RBF(0.5).C(10).Fit(iris)".
func (c Chain) String() string {
	var calls []string
	for s := c.last; s != nil; s = s.before {
		calls = append(calls, s.String())
	}
	for i, j := 0, len(calls)-1; i < j; i, j = i+1, j-1 {
		calls[i], calls[j] = calls[j], calls[i]
	}
	return strings.Join(calls, ".")
}

func (s *step) String() string {
	if s == nil {
		return ""
	}
	args := make([]string, len(s.args))
	for i, a := range s.args {
		args[i] = argument(a)
	}
	return s.name + "(" + strings.Join(args, ", ") + ")"
}

// argument prints an argument in the words of the cell, short enough for a line.
func argument(v any) string {
	const most = 40
	switch v := v.(type) {
	case nil:
		return "nil"
	case string:
		return Cut(strconv.Quote(v), most)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case interface{ Label() string }: // a data set's short name
		return Cut(Line(v.Label()), most)
	}
	r := reflect.ValueOf(v)
	switch r.Kind() {
	case reflect.Func:
		return "func"
	case reflect.Slice, reflect.Array:
		return Cut(Line(fmt.Sprint(v)), most)
	case reflect.Pointer, reflect.Struct, reflect.Map:
		if name := fieldName(r); name != "" {
			return Cut(Line(name), most)
		}
		if s, ok := v.(fmt.Stringer); ok && !(r.Kind() == reflect.Pointer && r.IsNil()) {
			text := s.String()
			kind := r.Type().String()
			generic := strings.Contains(kind, "[") || strings.HasSuffix(kind, "Plan") // names that say less than the beginning of the text
			if (len(text) <= most || generic) && !strings.Contains(text, "\n") {
				return Cut(Line(text), most)
			}
		}
		return r.Type().String()
	}
	return Cut(Line(fmt.Sprint(v)), most)
}

// fieldName returns the exported string field Name of a struct or a pointer to one.
func fieldName(r reflect.Value) string {
	if r.Kind() == reflect.Pointer {
		r = r.Elem()
	}
	if r.Kind() != reflect.Struct {
		return ""
	}
	if f := r.FieldByName("Name"); f.IsValid() && f.Kind() == reflect.String {
		return f.String()
	}
	return ""
}
