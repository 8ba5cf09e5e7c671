package estimatortest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
)

// Checks that arguments and results belong to the caller, and the model to itself.
var ownershipChecks = []Check{
	{Name: "arguments are left alone", run: untouched},
	{Name: "arguments are copied", run: copied},
	{Name: "results are copies", run: resultsAreCopies},
}

// contents returns all numbers of the data and of the options.
func contents(d Data, options any) []float64 {
	out := flat(
		reflect.ValueOf(d.Y),
		reflect.ValueOf(d.Target),
		reflect.ValueOf(d.Symbols),
		reflect.ValueOf(d.Weights),
		reflect.ValueOf(options),
	)
	if d.X != nil {
		out = append(out, flat(reflect.ValueOf(d.X))...)
	}
	for _, X := range d.Series {
		out = append(out, flat(reflect.ValueOf(X))...)
	}
	return out
}

func (s *subject) weighted(d Data) Data {
	if s.has("Weights") {
		d.Weights = ones(d.len())
		for i := range d.Weights {
			d.Weights[i] += float64(i % 2)
		}
	}
	return d
}

func untouched(s *subject) error {
	d := s.weighted(s.standard())
	options := s.options(d)
	before := contents(d, options)
	model, err := s.fitCtx(context.Background(), d, options)
	if err != nil {
		return err
	}
	if !sameBits(before, contents(d, options)) {
		return errors.New("the fit changes its data, labels, weights or options")
	}
	bytes, err := encode(model)
	if err != nil {
		return err
	}
	for _, q := range s.asked {
		if _, err := ask(model, q, d); err != nil {
			return fmt.Errorf("%s: %w", q, err)
		}
		if !sameBits(before, contents(d, options)) {
			return fmt.Errorf("%s changes its argument", q)
		}
	}
	after, err := encode(model)
	if err != nil {
		return err
	}
	if string(bytes) != string(after) {
		return errors.New("predicting changes the model")
	}
	return nil
}

// copied overwrites everything the fit was given and asks the model again.
func copied(s *subject) error {
	d := s.weighted(s.standard())
	options := s.options(d)
	model, err := s.fitCtx(context.Background(), d, options)
	if err != nil {
		return err
	}
	before := map[string]answer{}
	for _, q := range s.asked {
		if before[q], err = ask(model, q, s.data); err != nil {
			return fmt.Errorf("%s: %w", q, err)
		}
	}
	bytes, err := encode(model)
	if err != nil {
		return err
	}
	held := held(model)
	box := reflect.New(reflect.TypeOf(options)).Elem()
	box.Set(reflect.ValueOf(options))
	scribble(reflect.ValueOf(d.Y), reflect.ValueOf(d.Target), reflect.ValueOf(d.Symbols), reflect.ValueOf(d.Weights), box)
	if d.X != nil {
		scribble(reflect.ValueOf(d.X))
	}
	for _, X := range d.Series {
		scribble(reflect.ValueOf(X))
	}
	for _, q := range s.asked {
		a, err := ask(model, q, s.data)
		if err != nil {
			return fmt.Errorf("%s: %w", q, err)
		}
		if err := same(q, before[q], a, 0); err != nil {
			return fmt.Errorf("the model changes with the training data: %w", err)
		}
	}
	again, err := encode(model)
	if err != nil {
		return err
	}
	if string(bytes) != string(again) {
		return errors.New("the encoding changes with the training data")
	}
	for _, g := range getters(model) {
		out, err := call(model, g)
		if err == nil && !sameBits(held[g], flat(out...)) {
			return fmt.Errorf("%s changes with the training data", g)
		}
	}
	return nil
}

// held returns what the methods without arguments answer.
func held(model any) map[string][]float64 {
	all := map[string][]float64{}
	for _, g := range getters(model) {
		if out, err := call(model, g); err == nil {
			all[g] = flat(out...)
		}
	}
	return all
}

// resultsAreCopies overwrites everything that methods return, and asks again.
func resultsAreCopies(s *subject) error {
	model, err := s.fitOn(s.standard())
	if err != nil {
		return err
	}
	bytes, err := encode(model)
	if err != nil {
		return err
	}
	values := held(model)
	for _, g := range getters(model) {
		out, err := call(model, g)
		if p := (*panicError)(nil); errors.As(err, &p) {
			return fmt.Errorf("%s: %w", g, err)
		}
		scribble(out...)
		again, err := call(model, g)
		if err != nil {
			continue
		}
		if !sameBits(values[g], flat(again...)) {
			return fmt.Errorf("what %s returns is part of the model", g)
		}
	}
	for _, q := range s.asked {
		for range 2 {
			d := s.standard()
			arguments := []reflect.Value{}
			switch {
			case d.X != nil:
				arguments = append(arguments, reflect.ValueOf(d.X))
			case d.Symbols != nil:
				arguments = append(arguments, reflect.ValueOf(d.Symbols[0]))
			default:
				arguments = append(arguments, reflect.ValueOf(d.Series[0]))
			}
			before := flat(arguments...)
			out, err := call(model, q, arguments...)
			if err != nil {
				return fmt.Errorf("%s: %w", q, err)
			}
			scribble(out...)
			if !sameBits(before, flat(arguments...)) {
				return fmt.Errorf("what %s returns is part of its argument", q)
			}
		}
	}
	if err := s.unchanged(model); err != nil {
		return fmt.Errorf("the model changes with what it returned: %w", err)
	}
	after, err := encode(model)
	if err != nil {
		return err
	}
	if string(bytes) != string(after) {
		return errors.New("the encoding changes with what the model returned")
	}
	return nil
}
