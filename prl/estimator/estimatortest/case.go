package estimatortest

import (
	"context"
	"reflect"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// A form is what the observations of a method are.
type form int

const (
	rows    form = iota // the rows of a matrix
	symbols             // sequences of whole numbers
	series              // sequences of points, each a matrix
)

// A Case is one estimator with one setting of its options. Make it with Classifier, Regressor, Unsupervised, Embedding, Symbols,
// LabelledSymbols or Series; the methods of Case return changed copies.
type Case struct {
	name      string
	form      form
	labels    bool // Fit takes class labels
	target    bool // Fit takes numbers to predict
	classes   int  // of the data, 3 or 2
	onlyTwo   bool // Fit must refuse three classes
	counts    bool // the data are whole numbers of at least 0
	large     int  // rows for two processors
	scaleFree bool
	ratios    bool // of weights are all that matters
	watched   bool // the race detector watches, and what one processor does says nothing
	tolerance float64
	except    map[string]string
	model     reflect.Type // of the model itself where the suite asks something else; nil where it asks the model
	zero      func() any
	options   func(d Data) any // the options for a fit on d
	none      any              // options nobody filled in
	fit       func(ctx context.Context, d Data, options any) (any, error)
}

// Classifier is the case of a method that learns labels from the rows of a matrix. The name is that of the fitting function, "svm.Fit";
// after a comma it may say more, "svm.Fit, RBF kernel". The fields Weights and Progress of the options, where there are any, are filled by
// the suite and tested.
func Classifier[M, O any](name string, fit func(context.Context, mat.Matrix, []int, O) (M, error), options O) Case {
	c := newCase[M](name, options, func(ctx context.Context, d Data, o O) (M, error) { return fit(ctx, d.X, d.Y, o) })
	c.labels = true
	return c
}

// Regressor is the case of a method that learns numbers from the rows of a matrix.
func Regressor[M, O any](name string, fit func(context.Context, mat.Matrix, []float64, O) (M, error), options O) Case {
	c := newCase[M](name, options, func(ctx context.Context, d Data, o O) (M, error) { return fit(ctx, d.X, d.Target, o) })
	c.target = true
	return c
}

// Unsupervised is the case of a method that learns from the rows of a matrix alone: a transformer, a clustering, a density.
func Unsupervised[M, O any](name string, fit func(context.Context, mat.Matrix, O) (M, error), options O) Case {
	return newCase[M](name, options, func(ctx context.Context, d Data, o O) (M, error) { return fit(ctx, d.X, o) })
}

// Symbols is the case of a method that learns from sequences of the symbols 0, 1 and 2. Weights belong to sequences.
func Symbols[M, O any](name string, fit func(context.Context, [][]int, O) (M, error), options O) Case {
	c := newCase[M](name, options, func(ctx context.Context, d Data, o O) (M, error) { return fit(ctx, d.Symbols, o) })
	c.form = symbols
	return c
}

// LabelledSymbols is the case of a method that learns labels from sequences of the symbols 0, 1 and 2, all of one length.
func LabelledSymbols[M, O any](name string, fit func(context.Context, [][]int, []int, O) (M, error), options O) Case {
	c := newCase[M](name, options, func(ctx context.Context, d Data, o O) (M, error) { return fit(ctx, d.Symbols, d.Y, o) })
	c.form, c.labels = symbols, true
	return c
}

// Series is the case of a method that learns from sequences of points in the plane, each T x 2.
func Series[M, O any](name string, fit func(context.Context, []mat.Matrix, O) (M, error), options O) Case {
	c := newCase[M](name, options, func(ctx context.Context, d Data, o O) (M, error) { return fit(ctx, d.Series, o) })
	c.form = series
	return c
}

func newCase[M, O any](name string, options O, fit func(context.Context, Data, O) (M, error)) Case {
	model := reflect.TypeFor[M]()
	var none O
	return Case{
		name: name, classes: 3, large: 12000, tolerance: 1e-8, none: none,
		zero: func() any {
			if model.Kind() == reflect.Pointer {
				return reflect.New(model.Elem()).Interface()
			}
			return reflect.Zero(model).Interface()
		},
		options: func(d Data) any { return filled(options, d) },
		fit: func(ctx context.Context, d Data, o any) (any, error) {
			return fit(ctx, d, o.(O))
		},
	}
}

// filled returns a deep copy of the options with the weights and the progress function of d.
func filled(options any, d Data) any {
	v := reflect.New(reflect.TypeOf(options)).Elem()
	v.Set(copyOf(reflect.ValueOf(options)))
	if v.Kind() == reflect.Struct {
		if w := v.FieldByName("Weights"); w.IsValid() {
			w.Set(reflect.ValueOf(d.Weights))
		}
		if p := v.FieldByName("Progress"); p.IsValid() {
			p.Set(reflect.ValueOf(d.Progress))
		}
	}
	return v.Interface()
}

// TwoClasses says that the method separates two classes only, and must refuse three.
func (c Case) TwoClasses() Case { c.classes, c.onlyTwo = 2, true; return c }

// Binary tests a method for any number of classes on two, where many have a form of their own.
func (c Case) Binary() Case { c.classes = 2; return c }

// Counts gives the method whole numbers of at least 0, which say how often, or which value, a feature has.
func (c Case) Counts() Case { c.counts = true; return c }

// Large sets the number of rows on which one processor is compared with two; 12000 unless set, which most parallel code is used for.
func (c Case) Large(n int) Case { c.large = n; return c }

// ScaleFree says that the predictions change neither with the unit nor with the origin of the data.
func (c Case) ScaleFree() Case { c.scaleFree = true; return c }

// WeightRatios says that a common factor of the sample weights changes nothing, whatever its size. Where weights count rows, or are prices,
// it does.
func (c Case) WeightRatios() Case { c.ratios = true; return c }

// Tolerance sets rtol, the largest difference |a - b| / (1 + |a|) of results that count as equal; 1e-8 unless set.
func (c Case) Tolerance(rtol float64) Case { c.tolerance = rtol; return c }

// Except declares that the case fails the named check, and why. Run reports an exception that is not needed.
func (c Case) Except(check, reason string) Case {
	except := map[string]string{check: reason}
	for k, v := range c.except {
		except[k] = v
	}
	c.except = except
	return c
}

// Func returns the name of the fitting function, "svm.Fit".
func (c Case) Func() string { name, _, _ := strings.Cut(c.name, ","); return name }

// Type returns the type of the fitted model, without a pointer.
func (c Case) Type() reflect.Type {
	if c.model != nil {
		return c.model
	}
	t := reflect.TypeOf(c.zero())
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// variant tells a case with options of its own from the one with the defaults.
func (c Case) variant() bool { return strings.Contains(c.name, ",") }

func (c Case) has(option string) bool {
	t := reflect.TypeOf(c.none)
	if t == nil || t.Kind() != reflect.Struct {
		return false
	}
	_, ok := t.FieldByName(option)
	return ok
}

// fitOn fits with the options of the case; a panic becomes an error.
func (c Case) fitOn(d Data) (any, error) { return c.fitCtx(context.Background(), d, c.options(d)) }

func (c Case) fitCtx(ctx context.Context, d Data, options any) (model any, err error) {
	caught := catch(func() { model, err = c.fit(ctx, d, options) })
	if caught != nil {
		return nil, caught
	}
	return model, err
}
