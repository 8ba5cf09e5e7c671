package estimatortest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// Checks of what a fit accepts, refuses and finds.
var trainingChecks = []Check{
	{Name: "learns", run: learns},
	{Name: "bad training data", run: badTraining},
	{Name: "bad weights", When: func(c Case) bool { return c.has("Weights") }, run: badWeights},
	{
		Name: "zero options",
		When: func(c Case) bool { return !c.variant() && reflect.ValueOf(c.none).Kind() == reflect.Struct },
		run:  zeroOptions,
	},
	{Name: "bad options", When: func(c Case) bool { return reflect.ValueOf(c.none).Kind() == reflect.Struct }, run: badOptions},
	{Name: "one column", When: func(c Case) bool { return c.form == rows }, run: oneColumn},
	{Name: "degenerate data", run: degenerate},
	{Name: "huge and tiny numbers", When: func(c Case) bool { return c.form == rows }, run: scales},
	{Name: "moved origin", When: func(c Case) bool { return c.scaleFree }, run: moved},
	{Name: "too few iterations", When: func(c Case) bool { return c.limit() != "" }, run: tooFew},
}

// limits are the names of options that limit the iterations of a fit.
var limits = []string{"MaxIter", "MaxSweeps", "MaxSteps"}

func (c Case) limit() string {
	for _, name := range limits {
		if c.has(name) {
			return name
		}
	}
	return ""
}

// tooFew allows one iteration. A fit that has not converged then returns its model, or an error that holds it: a field of the model's type.
func tooFew(s *subject) error {
	box := reflect.New(reflect.TypeOf(s.none)).Elem()
	box.Set(reflect.ValueOf(s.options(s.data)))
	box.FieldByName(s.limit()).SetInt(1)
	what := s.limit() + " = 1"
	model, err := s.fitCtx(context.Background(), s.data, box.Interface())
	if err != nil {
		if !absent(model) {
			return fmt.Errorf("%s: a model beside the error", what)
		}
		if model = heldBy(err, reflect.TypeOf(s.zero())); model == nil {
			return fmt.Errorf("%s: the error holds no model: %w", what, err)
		}
	}
	if err := sane(model, s.data); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// heldBy returns the model of the given type that a field of err, or of an error it wraps, points to; nil when there is none.
func heldBy(err error, model reflect.Type) any {
	for ; err != nil; err = errors.Unwrap(err) {
		v := reflect.ValueOf(err)
		if v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		if v.Kind() != reflect.Struct {
			continue
		}
		for i := range v.NumField() {
			if f := v.Field(i); f.Type() == model && v.Type().Field(i).IsExported() && !absent(f.Interface()) {
				return f.Interface()
			}
		}
	}
	return nil
}

// learns asks for 90 % right classes, for 90 % of the variance of targets that a step explains, and for the right
// Dim and Classes.
func learns(s *subject) error {
	if got := wrong(s.model, s.data); got > 0.1 && s.labels {
		return fmt.Errorf("%.0f %% of the training rows are given a wrong class", 100*got)
	}
	if s.target {
		a, err := ask(s.model, "Predict", s.data)
		if err != nil {
			return err
		}
		var mean, left, all float64
		for _, t := range s.data.Target {
			mean += t / float64(len(s.data.Target))
		}
		for i, t := range s.data.Target {
			left += (t - a.each[i][0]) * (t - a.each[i][0])
			all += (t - mean) * (t - mean)
		}
		if !(left < 0.1*all) {
			return fmt.Errorf("predictions leave %.0f %% of the variance of the targets", 100*left/all)
		}
	}
	if m, ok := s.model.(interface{ Dim() int }); ok && s.form == rows && m.Dim() != 3 {
		return fmt.Errorf("method Dim is %d, want 3", m.Dim())
	}
	if m, ok := s.model.(interface{ Classes() int }); ok && s.labels && m.Classes() != s.classes {
		return fmt.Errorf("method Classes is %d, want %d", m.Classes(), s.classes)
	}
	if len(s.asked) == 0 {
		return errors.New("the model answers nothing: no exported method takes an observation and may fail")
	}
	text, ok := s.model.(fmt.Stringer)
	if !ok {
		return errors.New("no String method")
	}
	if line := text.String(); line == "" || strings.ContainsAny(line, "\n") || strings.Contains(line, "%!") {
		return fmt.Errorf("method String is %q, want one line", line)
	}
	return nil
}

// wrong returns the share of wrong predictions.
func wrong(model any, d Data) float64 {
	y, err := predictions(model, d)
	if err != nil {
		return 1
	}
	bad := 0.0
	for i, c := range y {
		if c != d.Y[i] {
			bad++
		}
	}
	return bad / float64(d.len())
}

// refuse checks that err is an *fault.ArgumentError about a call of the named function.
func refuse(what, function string, err error) error {
	if err == nil {
		return fmt.Errorf("%s: no error", what)
	}
	if p := (*panicError)(nil); errors.As(err, &p) {
		return fmt.Errorf("%s: %w", what, err)
	}
	var a *fault.ArgumentError
	if !errors.As(err, &a) {
		return fmt.Errorf("%s: %T, want an *fault.ArgumentError: %w", what, err, err)
	}
	if a.Func != function {
		return fmt.Errorf("%s: the error names %s, not %s: %w", what, a.Func, function, err)
	}
	if a.Argument == "" || a.Got == "" || a.Need == "" {
		return fmt.Errorf("%s: the error leaves out the argument, its value or what is needed: %+v", what, *a)
	}
	return nil
}

// refuseAny checks that err is an *fault.ArgumentError or another error with words, and not a panic.
func refuseAny(what string, err error) error {
	if p := (*panicError)(nil); errors.As(err, &p) || len(err.Error()) < 20 {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// bad are data that no fit may accept.
type bad struct {
	what string
	data Data
}

func (s *subject) unusable() []bad {
	d := s.data
	n := d.len()
	with := func(change func(*Data)) Data { c := d.clone(); change(&c); return c }
	var list []bad
	switch s.form {
	case rows:
		var none *mat.Dense
		list = append(
			list,
			bad{"nil X", d.with(nil)},
			bad{"a nil matrix as X", d.with(none)},
			bad{"a nil symmetric X", d.with((*mat.SymDense)(nil))},
			bad{
				"empty X",
				d.with(&mat.Dense{}),
			},
			bad{"NaN", d.set(5, 1, math.NaN())},
			bad{"+Inf", d.set(n-1, 2, math.Inf(1))},
			bad{"-Inf", d.set(0, 0, math.Inf(-1))},
			bad{"NaN in a transposed X", d.with(transposed(d.set(5, 1, math.NaN()).X))},
		)
	case symbols:
		list = append(
			list,
			bad{"nil sequences", with(func(d *Data) { d.Symbols = nil })},
			bad{"no sequences", with(func(d *Data) { d.Symbols = [][]int{} })},
			bad{
				"an empty sequence",
				with(func(d *Data) { d.Symbols[2] = nil }),
			},
			bad{"a negative symbol", with(func(d *Data) { d.Symbols[2][1] = -1 })},
			bad{"an unknown symbol", with(func(d *Data) { d.Symbols[2][1] = 1 << 20 })},
		)
	case series:
		list = append(
			list,
			bad{"nil series", with(func(d *Data) { d.Series = nil })},
			bad{"a nil series", with(func(d *Data) { d.Series[1] = nil })},
			bad{
				"an empty series",
				with(func(d *Data) { d.Series[1] = &mat.Dense{} }),
			},
			bad{"NaN", d.set(3, 1, math.NaN())},
			bad{"Inf", d.set(3, 1, math.Inf(1))},
			bad{"a series of another width", with(func(d *Data) { d.Series[1] = mat.NewDense(4, 3, nil) })},
		)
	}
	if s.labels {
		label := func(what string, change func(*Data)) { list = append(list, bad{what, with(change)}) }
		label("no labels", func(d *Data) { d.Y = nil })
		label("too few labels", func(d *Data) { d.Y = d.Y[:n-1] })
		label("too many labels", func(d *Data) { d.Y = append(d.Y, 0) })
		label("a negative label", func(d *Data) { d.Y[3] = -1 })
		label("a huge label", func(d *Data) { d.Y[3] = math.MaxInt })
		label("one class", func(d *Data) { clear(d.Y) })
		label("a gap in the labels", func(d *Data) {
			for i := range d.Y {
				d.Y[i] *= 2
			}
		})
		list = append(list, bad{"one row", d.pick(0)})
		if s.onlyTwo {
			list = append(list, bad{"three classes", Case{classes: 3, form: s.form}.sample(n, 3, 5)})
		}
	}
	if s.target {
		list = append(
			list,
			bad{"no targets", with(func(d *Data) { d.Target = nil })},
			bad{"too few targets", with(func(d *Data) { d.Target = d.Target[1:] })},
			bad{
				"a NaN target",
				with(func(d *Data) { d.Target[4] = math.NaN() }),
			},
			bad{"an infinite target", with(func(d *Data) { d.Target[4] = math.Inf(1) })},
		)
	}
	return list
}

func badTraining(s *subject) error {
	for _, b := range s.unusable() {
		model, err := s.fitOn(b.data)
		if err := refuse(b.what, s.Func(), err); err != nil {
			return err
		}
		if !absent(model) {
			return fmt.Errorf("%s: a model beside the error", b.what)
		}
	}
	return nil
}

func badWeights(s *subject) error {
	n := s.data.len()
	list := map[string][]float64{
		"too few weights": ones(n - 1), "too many weights": ones(n + 1), "no positive weight": make([]float64, n), "empty weights": {},
		"a negative weight": replaced(
			ones(n),
			2,
			-1,
		), "a NaN weight": replaced(ones(n), 2, math.NaN()), "an infinite weight": replaced(ones(n), 2, math.Inf(1)),
	}
	if s.labels {
		w := ones(n)
		for i, c := range s.data.Y {
			if c == 1 {
				w[i] = 0
			}
		}
		list["a class of weight zero"] = w
	}
	for what, w := range list {
		d := s.data
		d.Weights = w
		_, err := s.fitOn(d)
		if err := refuse(what, s.Func(), err); err != nil {
			return err
		}
	}
	return nil
}

// zeroOptions fits with options nobody filled in: a clear error, or the model of the defaults.
func zeroOptions(s *subject) error {
	options := filled(s.none, s.data)
	model, err := s.fitCtx(context.Background(), s.data, options)
	if err != nil {
		return refuse("zero options", s.Func(), err)
	}
	if err := s.agree(s.model, model, s.data, 0); err != nil {
		return fmt.Errorf("zero options are accepted, but do not mean the defaults: %w", err)
	}
	return nil
}

// badOptions spoils one option after another. NaN, an unknown name or kind, and a list of NaN are errors; other numbers out of range are
// errors or make no difference that hurts.
func badOptions(s *subject) error {
	spoil := func(field string, value any, refused bool) error {
		box := reflect.New(reflect.TypeOf(s.none)).Elem()
		box.Set(reflect.ValueOf(s.options(s.data)))
		f := box.FieldByName(field)
		f.Set(reflect.ValueOf(value).Convert(f.Type()))
		what := fmt.Sprintf("%s = %v", field, value)
		model, err := s.fitCtx(context.Background(), s.data, box.Interface())
		if err != nil || refused {
			return refuse(what, s.Func(), err)
		}
		if err := sane(model, s.data); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		return nil
	}
	for _, f := range reflect.VisibleFields(reflect.TypeOf(s.none)) {
		if f.Anonymous || !f.IsExported() || f.Name == "Weights" {
			continue
		}
		var err error
		switch t := f.Type; {
		case t.Kind() == reflect.Float64:
			err = spoil(f.Name, math.NaN(), true)
			for _, v := range []float64{math.Inf(1), math.Inf(-1), -1e300} {
				err = cmp.Or(err, spoil(f.Name, v, false))
			}
		case t == reflect.TypeFor[int]():
			err = cmp.Or(spoil(f.Name, -1000, false), spoil(f.Name, math.MinInt, false))
		case t.Kind() == reflect.Int:
			err = cmp.Or(spoil(f.Name, 99, true), spoil(f.Name, -99, true))
		case t.Kind() == reflect.String:
			err = spoil(f.Name, "nonsense", true)
		case t == reflect.TypeFor[[]float64]():
			err = cmp.Or(spoil(f.Name, []float64{math.NaN(), math.NaN(), math.NaN()}[:s.classes], true), spoil(f.Name, ones(17), true))
		case t == reflect.TypeFor[[]string](), t == reflect.TypeFor[[]int]():
			err = spoil(f.Name, reflect.MakeSlice(t, 17, 17).Interface(), true)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func oneColumn(s *subject) error {
	two := s.Case
	two.classes = 2
	d := two.draw(40, 1, 3, 6)
	model, err := s.fitOn(d)
	if err != nil {
		return err
	}
	if got := wrong(model, d); s.labels && got > 0.05 {
		return fmt.Errorf("%.0f %% of two separated classes on a line are given a wrong class", 100*got)
	}
	return sane(model, d)
}

// degenerate fits data on which many methods have no solution: an error is fine, a panic or an answer that is no number is not.
func degenerate(s *subject) error {
	list := s.degenerateSequences()
	if s.form == rows {
		list = s.degenerateRows()
	}
	for _, c := range list {
		if err := s.survives(c.what, c.data); err != nil {
			return err
		}
	}
	return nil
}

func (s *subject) degenerateSequences() []bad {
	alike, short, one := s.data.clone(), s.data.clone(), s.data.pick(0)
	for i := range alike.Symbols {
		alike.Symbols[i] = make([]int, 9)
		short.Symbols[i] = short.Symbols[i][:1]
	}
	for i := range alike.Series {
		alike.Series[i] = mat.NewDense(12, 2, nil)
		short.Series[i] = short.Series[i].(*mat.Dense).Slice(0, 1, 0, 2)
	}
	return []bad{{"all alike", alike}, {"of length one", short}, {"one sequence", one}}
}

func (s *subject) degenerateRows() []bad {
	two := s.sample(2, 3, 1)
	two.Y = []int{0, 1}
	constant := s.sample(24, 3, 9)
	for i := range 24 {
		constant.X.(*mat.Dense).Set(i, 2, 4)
	}
	twice := s.sample(24, 3, 9)
	for i := range 24 {
		twice.X.(*mat.Dense).Set(i, 2, twice.X.At(i, 0))
	}
	copies, zeros := s.sample(24, 3, 9), s.sample(24, 3, 9)
	for i := range 24 {
		copies.X.(*mat.Dense).SetRow(i, []float64{1, 2, 3})
		zeros.X.(*mat.Dense).SetRow(i, []float64{0, 0, 0})
	}
	doubled := s.sample(12, 3, 9)
	doubled = doubled.pick(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
	offset := s.sample(24, 3, 9)
	offset.X.(*mat.Dense).Apply(func(i, j int, v float64) float64 { return 1e9 + v }, offset.X)
	lone := s.sample(24, 3, 9)
	for i := range lone.Y {
		lone.Y[i] = min(lone.Y[i], 1)
		if i > 0 && s.classes == 2 {
			lone.Y[i] = 1 // class 0 has one row
		}
	}
	return []bad{
		{"two rows", two},
		{"a constant column", constant},
		{"the same column twice", twice},
		{"all rows alike", copies},
		{"all zero", zeros},
		{
			"every row twice",
			doubled,
		},
		{"more columns than rows", s.sample(7, 9, 2)},
		{"a large common offset", offset},
		{"a class of one row", lone},
		{"one row", s.data.pick(1)},
	}
}

// survives fits, and asks what was fitted; errors of the fit are fine.
func (s *subject) survives(what string, d Data) error {
	model, err := s.fitOn(d)
	if p := (*panicError)(nil); errors.As(err, &p) {
		return fmt.Errorf("%s: %w", what, err)
	}
	if err != nil {
		return nil
	}
	if err := sane(model, d); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// sane asks every query of a model: numbers must be finite (logarithms of probabilities of sequences may be -Inf), classes in range,
// probabilities must sum to one.
func sane(model any, d Data) error {
	for _, q := range queries(model, formOf(d)) {
		a, err := ask(model, q, d)
		if p := (*panicError)(nil); errors.As(err, &p) {
			return fmt.Errorf("%s: %w", q, err)
		}
		if err != nil {
			if slices.Contains([]string{"Predict", "Transform", "Class", "Viterbi", "LogLikelihood"}, q) {
				return fmt.Errorf("fits, but %s: %w", q, err)
			}
			continue
		}
		for i, row := range a.each {
			for _, v := range row {
				if math.IsInf(v, -1) && formOf(d) != rows {
					continue // the logarithm of an impossible path
				}
				if math.IsNaN(v) || math.IsInf(v, 0) {
					return fmt.Errorf("%s of row %d is %v", q, i, row)
				}
			}
		}
		if err := distribution(model, q, a); err != nil {
			return err
		}
	}
	if m, ok := model.(fmt.Stringer); ok {
		return catch(func() { _ = m.String() })
	}
	return nil
}

// distribution checks the ranges of classes and probabilities.
func distribution(model any, query string, a answer) error {
	k := math.Inf(1)
	if m, ok := model.(interface{ Classes() int }); ok {
		k = float64(m.Classes())
	}
	for i, row := range a.each {
		switch query {
		case "Proba":
			sum := 0.0
			for _, v := range row {
				if !(v >= 0 && v <= 1) {
					return fmt.Errorf("method Proba of row %d is %v", i, row)
				}
				sum += v
			}
			if math.Abs(sum-1) > 1e-9 || !math.IsInf(k, 1) && len(row) != int(k) {
				return fmt.Errorf("method Proba of row %d is %v, %d numbers with sum %v", i, row, len(row), sum)
			}
		case "Predict":
			if !math.IsInf(k, 1) && !(row[0] >= 0 && row[0] < k) {
				return fmt.Errorf("method Predict of row %d is %v with %v classes", i, row[0], k)
			}
		}
	}
	return nil
}

// scales fits data in very large and very small units. Methods without a unit must predict the same as in the usual one; where squares of
// the numbers are beyond float64 they may refuse the data instead, but not answer something else.
func scales(s *subject) error {
	for _, c := range []float64{1e200, 1e-200} {
		what := fmt.Sprintf("X times %g", c)
		d := s.data.scaled(c)
		if _, err := s.fitOn(d); err != nil {
			if err := refuseAny(what, err); err != nil {
				return err
			}
			continue
		}
		if err := s.survives(what, d); err != nil {
			return err
		}
		if s.scaleFree {
			if err := s.predictsAlike(what, d, s.tolerance); err != nil {
				return err
			}
		}
	}
	for _, c := range []float64{1e150, 1e-150} {
		what := fmt.Sprintf("X times %g", c)
		d := s.data.scaled(c)
		if err := s.survives(what, d); err != nil {
			return err
		}
		if !s.scaleFree {
			continue
		}
		if err := s.predictsAlike(what, d, s.tolerance); err != nil {
			return err
		}
	}
	return nil
}

// moved fits data far from zero, 10^7 standard deviations away, where half of the digits of the numbers are the distance.
func moved(s *subject) error {
	d := s.data.clone()
	d.X.(*mat.Dense).Apply(func(_, _ int, v float64) float64 { return v + 1<<24 }, d.X)
	return s.predictsAlike("X moved by 2^24", d, 1e-5)
}

// predictsAlike fits d and compares what is predicted on d with what the subject predicts on its own data.
func (s *subject) predictsAlike(what string, d Data, rtol float64) error {
	model, err := s.fitOn(d)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	for _, q := range []string{"Predict", "Proba"} {
		want, ok := s.answers[q]
		if !ok {
			continue
		}
		got, err := ask(model, q, d)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", what, q, err)
		}
		if err := same(q, want, got, rtol); err != nil {
			return fmt.Errorf("%s changes the predictions: %w", what, err)
		}
	}
	return nil
}
