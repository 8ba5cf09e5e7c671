package estimatortest

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/sparse"
)

// Checks of what a fitted model answers.
var predictionChecks = []Check{
	{Name: "unfitted", run: unfitted},
	{Name: "bad data to predict", run: badQuery},
	{Name: "finite answers", run: func(s *subject) error { return sane(s.model, s.data) }},
	{Name: "all classes are reached", When: func(c Case) bool { return c.labels }, run: reached},
	{Name: "decision order", When: func(c Case) bool { return c.labels }, run: order},
	{Name: "probability order", When: func(c Case) bool { return c.labels }, run: probabilityOrder},
	{Name: "rows of a batch", When: func(c Case) bool { return c.form == rows }, run: batch},
	{Name: "other kinds of matrix", When: func(c Case) bool { return c.form == rows }, run: otherMatrices},
	{Name: "sparse rows", When: func(c Case) bool { return c.form == rows }, run: sparseRows},
	{Name: "single observations", When: func(c Case) bool { return c.form == rows }, run: single},
}

// function returns the name by which an error is to call a method of the model: "bayes.Classifier.Predict".
func (s *subject) function(query string) string { return s.Type().String() + "." + query }

// unfitted asks a model that no fit has made.
func unfitted(s *subject) error {
	zero := s.zero()
	for _, q := range queries(zero, s.form) {
		_, err := ask(zero, q, s.data)
		if err == nil && s.form == rows {
			return fmt.Errorf("%s of an unfitted model: no error", q)
		}
		if p := (*panicError)(nil); err == nil || errors.As(err, &p) {
			return fmt.Errorf("%s of an unfitted model: %v", q, err)
		}
		if err := refuse(q+" of an unfitted model", s.function(q), err); err != nil {
			return err
		}
	}
	for _, g := range getters(zero) {
		if _, err := call(zero, g); err != nil {
			if p := (*panicError)(nil); errors.As(err, &p) {
				return fmt.Errorf("%s of an unfitted model: %w", g, err)
			}
		}
	}
	return nil
}

func badQuery(s *subject) error {
	arguments := map[string]reflect.Value{}
	if s.form == symbols {
		seq := s.data.Symbols[0]
		arguments["nil"] = reflect.ValueOf([]int(nil))
		arguments["an empty sequence"] = reflect.ValueOf([]int{})
		arguments["a negative symbol"] = reflect.ValueOf(replaced(seq, 1, -1))
		arguments["an unknown symbol"] = reflect.ValueOf(replaced(seq, 1, 99))
	} else {
		d := 3
		if s.form == series {
			d = 2
		}
		good := func(width int) *mat.Dense { return Case{classes: 2}.sample(6, width, 3).X.(*mat.Dense) }
		arguments["nil"] = matrixValue(nil)
		arguments["a nil matrix"] = matrixValue((*mat.Dense)(nil))
		arguments["an empty matrix"] = matrixValue(&mat.Dense{})
		arguments["a wider matrix"] = matrixValue(good(d + 1))
		arguments["a narrower matrix"] = matrixValue(good(d - 1))
		for name, v := range map[string]float64{"NaN": math.NaN(), "+Inf": math.Inf(1), "-Inf": math.Inf(-1)} {
			X := good(d)
			X.Set(2, 1, v)
			arguments[name] = matrixValue(X)
			arguments[name+" in a plain matrix"] = matrixValue(plain(X))
			arguments[name+" in sparse rows"] = matrixValue(sparse.Of(X))
		}
	}
	for _, q := range queries(s.model, s.form) {
		for what, argument := range arguments {
			if what == "a narrower matrix" && (q == "Inverse" || q == "Synthesise") {
				continue // fewer scores than components are fine
			}
			_, err := call(s.model, q, argument)
			if err := refuse(q+" of "+what, s.function(q), err); err != nil {
				return err
			}
		}
	}
	return nil
}

func reached(s *subject) error {
	y, err := predictions(s.model, s.data)
	if err != nil {
		return err
	}
	for c := range s.classes {
		if !slices.Contains(y, c) {
			return fmt.Errorf("no training row is given class %d", c)
		}
	}
	return nil
}

// order checks that Predict names a largest decision value, or with one column its sign.
func order(s *subject) error {
	a, ok := s.answers["Decision"]
	if !ok {
		return nil
	}
	y, err := predictions(s.model, s.data)
	if err != nil {
		return err
	}
	for i, row := range a.each {
		if len(row) == 1 && (row[0] > 0) != (y[i] == 1) || len(row) > 1 && row[y[i]] < slices.Max(row) {
			return fmt.Errorf("row %d is given class %d, its decision values are %v", i, y[i], row)
		}
	}
	return nil
}

// probabilityOrder checks that Predict names a most probable class, and that with one column of decision values the probability of class 1
// rises with them.
func probabilityOrder(s *subject) error {
	p, ok := s.answers["Proba"]
	if !ok {
		return nil
	}
	y, err := predictions(s.model, s.data)
	if err != nil {
		return err
	}
	for i, row := range p.each {
		if y != nil && row[y[i]] < slices.Max(row) {
			return fmt.Errorf("row %d is given class %d, its probabilities are %v", i, y[i], row)
		}
	}
	if f, ok := s.answers["Decision"]; ok && len(f.each[0]) == 1 {
		for i := range f.each {
			for j := range f.each {
				if f.each[i][0] < f.each[j][0] && p.each[i][1] > p.each[j][1] {
					return fmt.Errorf(
						"rows %d and %d have decision values %v < %v, but probabilities %v > %v",
						i,
						j,
						f.each[i][0],
						f.each[j][0],
						p.each[i][1],
						p.each[j][1],
					)
				}
			}
		}
	}
	return nil
}

// batch checks that every row is answered as if it were alone, and in any order.
func batch(s *subject) error {
	n := s.data.len()
	reversed := make([]int, n)
	for i := range reversed {
		reversed[i] = n - 1 - i
	}
	for _, q := range s.asked {
		all := s.answers[q]
		if all.whole {
			continue
		}
		back, err := ask(s.model, q, s.data.pick(reversed...))
		if err != nil {
			return fmt.Errorf("%s: %w", q, err)
		}
		for i := range n {
			one, err := ask(s.model, q, s.data.pick(i))
			if err != nil {
				return fmt.Errorf("%s of row %d alone: %w", q, i, err)
			}
			if err := same(q, answer{each: all.each[i : i+1]}, one, 0); err != nil {
				return fmt.Errorf("in the batch and alone (row %d): %w", i, err)
			}
			if err := same(q, answer{each: all.each[i : i+1]}, answer{each: back.each[n-1-i : n-i]}, 0); err != nil {
				return fmt.Errorf("in the reversed batch (row %d): %w", i, err)
			}
		}
	}
	return nil
}

// otherMatrices fits and predicts with the same numbers in other kinds of matrix.
// sparseRows fits, and asks, with rows of which the zeros are left out. Sums may be rounded otherwise.
func sparseRows(s *subject) error {
	d := s.data.with(sparse.Of(s.data.X))
	model, err := s.fitOn(d)
	if err != nil {
		return fmt.Errorf("a *sparse.CSR: %w", err)
	}
	for _, q := range s.asked {
		for what, m := range map[string]any{"fitted on": model, "asked about": s.model} {
			a, err := ask(m, q, d)
			if err != nil {
				return fmt.Errorf("%s, %s a *sparse.CSR: %w", q, what, err)
			}
			if err := same(q, s.answers[q], a, s.tolerance); err != nil {
				return fmt.Errorf("%s a *sparse.CSR: %w", what, err)
			}
		}
	}
	return nil
}

func otherMatrices(s *subject) error {
	want, err := encode(s.model)
	if err != nil {
		return err
	}
	for what, X := range map[string]mat.Matrix{
		"a plain matrix": plain(s.data.X), "a part of a larger matrix": strided(s.data.X),
		"a transposed matrix": transposed(s.data.X),
	} {
		d := s.data.with(X)
		model, err := s.fitOn(d)
		if err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		got, err := encode(model)
		if err != nil {
			return err
		}
		if string(got) != string(want) {
			return fmt.Errorf("fitted on %s the model has another encoding", what)
		}
		for _, q := range s.asked {
			a, err := ask(s.model, q, d)
			if err != nil {
				return fmt.Errorf("%s of %s: %w", q, what, err)
			}
			if err := same(q, s.answers[q], a, 0); err != nil {
				return fmt.Errorf("%s: %w", what, err)
			}
		}
	}
	square := mat.NewSymDense(3, []float64{1, 2, 3, 2, 5, 6, 3, 6, 4})
	for _, q := range s.asked {
		a, err := ask(s.model, q, Data{X: square})
		if err != nil {
			return fmt.Errorf("%s of a symmetric matrix: %w", q, err)
		}
		b, err := ask(s.model, q, Data{X: mat.DenseCopyOf(square)})
		if err != nil {
			return err
		}
		if err := same(q, a, b, 0); err != nil {
			return fmt.Errorf("a symmetric matrix: %w", err)
		}
	}
	return nil
}

// single checks the methods for one observation given as numbers: they agree with Predict, and of a point of another length they say what
// the package estimator says: an error where there is an error result, else class -1, the number NaN, an empty slice.
func single(s *subject) error {
	pointType := reflect.TypeFor[[]float64]()
	t := reflect.TypeOf(s.model)
	for i := range t.NumMethod() {
		m := t.Method(i)
		if m.Type.NumIn() != 2 || m.Type.In(1) != pointType || m.Type.NumOut() == 0 {
			continue
		}
		for _, x := range [][]float64{nil, {1}, {1, 2, 3, 4}, {math.NaN(), 0, 0}, {math.Inf(1), 0, 0}} {
			out, err := call(s.model, m.Name, reflect.ValueOf(x))
			if p := (*panicError)(nil); errors.As(err, &p) { // an error of a method that returns one is right
				return fmt.Errorf("%s(%v): %w", m.Name, x, err)
			}
			if len(x) == 3 {
				continue
			}
			if m.Type.Out(m.Type.NumOut()-1) == errorType {
				if err == nil {
					return fmt.Errorf("%s of %d numbers: no error", m.Name, len(x))
				}
				continue
			}
			for _, v := range out {
				if silent := v.CanInt() && v.Int() != -1 || v.CanFloat() && !math.IsNaN(v.Float()) ||
					v.Kind() == reflect.Slice && v.Len() > 0; silent {
					return fmt.Errorf("%s of %d numbers is %v, want -1, NaN or nil", m.Name, len(x), v)
				}
			}
		}
		if !m.Type.IsVariadic() {
			continue
		}
		if want, ok := s.answers["Predict"]; m.Name == "Class" && ok {
			for i, row := range want.each {
				got, err := call(s.model, "Class", reflect.ValueOf(mat.Row(nil, i, s.data.X)))
				if err != nil {
					return err
				}
				if flat(got...)[0] != row[0] {
					return fmt.Errorf("row %d: Class is %v, Predict %v", i, flat(got...)[0], row[0])
				}
			}
		}
	}
	return nil
}
