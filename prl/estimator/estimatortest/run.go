package estimatortest

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// A Check is one rule of the contract.
type Check struct {
	Name string
	When func(c Case) bool // nil: always
	run  func(s *subject) error

	shared bool // several goroutines take part in it
}

// Of applies the check to a case and returns what is wrong, or nil.
func (k Check) Of(c Case) error {
	s, err := newSubject(c)
	if err != nil {
		return err
	}
	return k.of(s)
}

func (k Check) of(s *subject) (err error) {
	if caught := catch(func() { err = k.run(s) }); caught != nil {
		return caught
	}
	return err
}

// Checks returns all rules, theme by theme.
func Checks() []Check {
	return slices.Concat(
		trainingChecks,
		predictionChecks,
		ownershipChecks,
		invarianceChecks,
		weightChecks,
		storageChecks,
		concurrencyChecks,
		cancellationChecks,
	)
}

// Run runs all checks on all cases, one subtest a case. Under the race detector it runs those in which several goroutines take part; the
// others do on one what they do without the detector.
func Run(t *testing.T, cases ...Case) {
	checks := Checks()
	if detecting {
		checks = slices.DeleteFunc(checks, func(k Check) bool { return !k.shared })
	}
	for _, c := range cases {
		c.watched = detecting
		t.Run(c.name, func(t *testing.T) {
			for _, err := range c.verify(checks) {
				t.Error(err)
			}
		})
	}
}

// Verify returns what is wrong with a case: rules that it breaks, exceptions that it does not need, and exceptions from no rule.
func Verify(c Case) []error { return c.verify(Checks()) }

// verify is Verify by some of the checks.
func (c Case) verify(checks []Check) []error {
	s, err := newSubject(c)
	if err != nil {
		return []error{err}
	}
	var wrong []error
	needed := maps.Clone(c.except)
	for _, k := range Checks() {
		if !slices.ContainsFunc(checks, func(one Check) bool { return one.Name == k.Name }) {
			delete(needed, k.Name)
		}
	}
	used := 0
	for _, k := range checks {
		reason, excused := c.except[k.Name]
		if k.When != nil && !k.When(c) {
			continue
		}
		err := k.of(s)
		switch {
		case excused && err == nil:
			wrong = append(wrong, fmt.Errorf("%s: holds; drop the exception %q", k.Name, reason))
		case excused:
			used++
		case err != nil:
			wrong = append(wrong, fmt.Errorf("%s: %w", k.Name, err))
		}
	}
	if len(wrong) == 0 && used < len(needed) {
		wrong = append(wrong, fmt.Errorf("of the exceptions %v only %d belong to a check of this case", slices.Sorted(maps.Keys(needed)), used))
	}
	return wrong
}

// A subject is a case with what most checks need: the standard sample, a model of it and what that model answers.
type subject struct {
	Case
	data    Data
	model   any
	asked   []string // queries that the model answers on the sample
	answers map[string]answer
}

func newSubject(c Case) (*subject, error) {
	s := &subject{Case: c, data: c.standard(), answers: map[string]answer{}}
	var err error
	if s.model, err = c.fitOn(s.data); err != nil {
		return nil, fmt.Errorf("fit on the standard sample: %w", err)
	}
	for _, q := range queries(s.model, c.form) {
		a, err := ask(s.model, q, s.data)
		if p := (*panicError)(nil); errors.As(err, &p) {
			return nil, fmt.Errorf("%s: %w", q, err)
		}
		if err == nil {
			s.asked, s.answers[q] = append(s.asked, q), a
		}
	}
	return s, nil
}

// An answer is what a query says about each observation. A query about a matrix as a whole, such as its log-likelihood, has one entry.
type answer struct {
	each  [][]float64
	whole bool
}

// ask puts one query to a model for all observations of d.
func ask(model any, query string, d Data) (answer, error) {
	var a answer
	switch {
	case d.X != nil:
		out, err := call(model, query, matrixValue(d.X))
		if err != nil {
			return a, err
		}
		return split(out[0], d.len()), nil
	case d.Symbols != nil:
		for _, seq := range d.Symbols {
			out, err := call(model, query, reflect.ValueOf(seq))
			if err != nil {
				return a, err
			}
			a.each = append(a.each, flat(out...))
		}
	default:
		for _, X := range d.Series {
			out, err := call(model, query, matrixValue(X))
			if err != nil {
				return a, err
			}
			a.each = append(a.each, flat(out...))
		}
	}
	return a, nil
}

// split cuts a result about n rows into rows.
func split(v reflect.Value, n int) answer {
	if m, ok := v.Interface().(*mat.Dense); ok && m != nil {
		if r, _ := m.Dims(); r == n {
			var a answer
			for i := range n {
				a.each = append(a.each, mat.Row(nil, i, m))
			}
			return a
		}
	}
	if v.Kind() == reflect.Slice && v.Len() == n {
		var a answer
		for i := range n {
			a.each = append(a.each, flat(v.Index(i)))
		}
		return a
	}
	return answer{each: [][]float64{flat(v)}, whole: true}
}

// same compares two answers within rtol; rtol 0 asks for equal bits.
func same(query string, a, b answer, rtol float64) error {
	if len(a.each) != len(b.each) {
		return fmt.Errorf("%s: %d and %d results", query, len(a.each), len(b.each))
	}
	for i, row := range a.each {
		if len(row) != len(b.each[i]) {
			return fmt.Errorf("%s: row %d has %d and %d numbers", query, i, len(row), len(b.each[i]))
		}
		for j, v := range row {
			w := b.each[i][j]
			if v == w || v != v && w != w {
				continue
			}
			if diff := math.Abs(v-w) / (1 + math.Abs(v)); !(diff <= rtol) {
				return fmt.Errorf("%s: row %d, number %d is %v and %v", query, i, j, v, w)
			}
		}
	}
	return nil
}

// agree compares two models on the observations of d.
func (s *subject) agree(a, b any, d Data, rtol float64) error {
	for _, q := range s.asked {
		x, err := ask(a, q, d)
		if err != nil {
			return fmt.Errorf("%s: %w", q, err)
		}
		y, err := ask(b, q, d)
		if err != nil {
			return fmt.Errorf("%s: %w", q, err)
		}
		if err := same(q, x, y, rtol); err != nil {
			return err
		}
	}
	return nil
}

// unchanged reports whether a model still answers as the one of the subject did at first.
func (s *subject) unchanged(model any) error {
	for _, q := range s.asked {
		a, err := ask(model, q, s.standard())
		if err != nil {
			return fmt.Errorf("%s: %w", q, err)
		}
		if err := same(q, s.answers[q], a, 0); err != nil {
			return err
		}
	}
	return nil
}

// predictions returns the answers of Predict (or Class, for sequences) as classes, nil when there is no such query.
func predictions(model any, d Data) ([]int, error) {
	for _, q := range []string{"Predict", "Class"} {
		if !slices.Contains(queries(model, formOf(d)), q) {
			continue
		}
		a, err := ask(model, q, d)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", q, err)
		}
		y := make([]int, len(a.each))
		for i, row := range a.each {
			y[i] = int(row[0])
		}
		return y, nil
	}
	return nil, nil
}

func formOf(d Data) form {
	switch {
	case d.X != nil:
		return rows
	case d.Symbols != nil:
		return symbols
	}
	return series
}
