package estimatortest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"

	"github.com/prlab/prlab/prl/internal/share"
)

// Checks of what a fit must not depend on.
var invarianceChecks = []Check{
	{Name: "order of rows", run: rowOrder},
	{Name: "names of classes", When: func(c Case) bool { return c.labels }, run: renumbered},
	{Name: "deterministic", run: deterministic},
	{Name: "processors", run: processors, shared: true},
}

// rowOrder fits the observations in other orders.
func rowOrder(s *subject) error {
	r := rand.New(rand.NewPCG(3, 3))
	for range 4 {
		model, err := s.fitOn(s.data.pick(r.Perm(s.data.len())...))
		if err != nil {
			return err
		}
		if err := s.agree(s.model, model, s.data, s.tolerance); err != nil {
			return err
		}
	}
	return nil
}

// renumbered fits with class c called c+1, the last one 0.
func renumbered(s *subject) error {
	d := s.data.clone()
	for i, c := range d.Y {
		d.Y[i] = (c + 1) % s.classes
	}
	model, err := s.fitOn(d)
	if err != nil {
		return err
	}
	want, err := predictions(s.model, s.data)
	if err != nil {
		return err
	}
	got, err := predictions(model, s.data)
	if err != nil {
		return err
	}
	for i, c := range want {
		if got[i] != (c+1)%s.classes {
			return fmt.Errorf("row %d of class %d is given class %d when classes are numbered on by one", i, c, got[i])
		}
	}
	before, ok := s.answers["Proba"]
	if !ok {
		return nil
	}
	after, err := ask(model, "Proba", s.data)
	if err != nil {
		return err
	}
	for i, row := range after.each {
		after.each[i] = append(slices.Clone(row[1:]), row[0])
	}
	return same("Proba", before, after, s.tolerance)
}

func deterministic(s *subject) error {
	again, err := s.fitOn(s.data)
	if err != nil {
		return err
	}
	if err := s.unchanged(again); err != nil {
		return fmt.Errorf("a second fit differs: %w", err)
	}
	if err := sameEncoding(s.model, again); err != nil {
		return fmt.Errorf("a second fit: %w", err)
	}
	return nil
}

// processors fits on one processor and on two, with enough data for blocks of rows, and the library's own sharing of work at its most
// eager.
func processors(s *subject) error {
	var d Data
	switch s.form {
	case rows:
		d = s.draw(s.large, 3, 8, 6)
	case symbols:
		d = s.sample(200, 3, 8)
	default:
		d = s.sample(40, 2, 8)
	}
	before := runtime.GOMAXPROCS(2)
	defer runtime.GOMAXPROCS(before)
	var two, one any
	var a, b map[string]answer
	var err error
	if share.Eagerly(func() { two, a, err = s.learnt(d) }); err != nil || s.watched {
		return err
	}
	runtime.GOMAXPROCS(1)
	if one, b, err = s.learnt(d); err != nil {
		return err
	}
	if err := sameEncoding(one, two); err != nil {
		return fmt.Errorf("the fits on one processor and on two: %w", err)
	}
	for _, q := range s.asked {
		if err := same(q, b[q], a[q], 0); err != nil {
			return fmt.Errorf("on one processor and on two: %w", err)
		}
	}
	return nil
}

// learnt is a model of d, and what it answers about d.
func (s *subject) learnt(d Data) (model any, answers map[string]answer, err error) {
	answers = map[string]answer{}
	if model, err = s.fitOn(d); err != nil {
		return nil, nil, err
	}
	for _, q := range s.asked {
		if answers[q], err = ask(model, q, d); err != nil {
			return nil, nil, err
		}
	}
	return model, answers, nil
}

// sameEncoding compares two models by what is stored of them.
func sameEncoding(one, other any) error {
	a, err := encode(one)
	if err != nil {
		return err
	}
	b, err := encode(other)
	if err != nil {
		return err
	}
	if string(a) != string(b) {
		return errors.New("the encodings differ")
	}
	return nil
}
