package plan

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// Needs says what a fit asks of its data.
type Needs int

const (
	Nothing Needs = iota // the settings say all; the plan has no Fit on a data set
	Rows                 // rows, with or without classes
	Classes              // a class for each row
	Target               // a numeric target for each row
)

// check reports data that do not have what is asked of them; raw data may hold words and gaps.
func (n Needs) check(step string, set datasets.Set, raw bool) error {
	if !raw {
		if err := set.CheckRows(step); err != nil {
			return err
		}
		if err := set.CheckNumbers(step); err != nil {
			return err
		}
	}
	switch n {
	case Classes:
		return set.CheckLabels(step)
	case Target:
		if err := set.CheckRows(step); err != nil {
			return err
		}
		if set.Target == nil {
			return fault.Argument(
				step,
				"the data set "+set.Name,
				"without a target",
				"a set with a numeric target",
				"give one with .WithTarget(name, values)",
			)
		}
		return nil
	}
	return set.CheckRows(step)
}

// CheckTwoClasses reports data of another number of classes than two, for CheckData of methods that separate two. The remedy is to pick
// two; or, which may be empty, is another one: "or use MDA".
func CheckTwoClasses(step string, set datasets.Set, or string) error {
	if set.K() == 2 {
		return nil
	}
	remedy := "choose two with .Classes(a, b)"
	if or != "" {
		remedy += ", " + or
	}
	return fault.Argument(step, "the data set "+set.Name, fmt.Sprintf("of %d classes", set.K()), "a set of 2 classes", remedy)
}

// A Spec is what a family tells of its plans: M is the fitted model, O the settings.
type Spec[M, O any] struct {
	Name    string // the word that begins the chain, "SVM"
	Args    []any  // its arguments
	Options O      // the settings before the first step
	Needs   Needs
	Raw     bool // the fit takes features of words, and gaps
	// Check reports settings that no data could make right, in the name of the step that set them. Nil: there are none.
	Check func(step string, o O) error
	// CheckData reports settings that do not go with the data, which fulfil Needs. Nil: there are none.
	CheckData func(step string, set datasets.Set, o O) error
	Fit       func(ctx context.Context, set datasets.Set, o O) (M, error)
}

// A Plan is settings, data, and the model that comes of them.
type Plan[M, O any] struct{ root }

// New begins a plan.
func New[M, O any](spec Spec[M, O]) Plan[M, O] { return Plan[M, O]{begin(spec)} }

// Fitted returns the model, or the error of the first wrong step or of the fit.
func (p Plan[M, O]) Fitted() (M, error) { return fitted[M](p.base()) }

// Model returns the model; without one it ends the cell with a message.
func (p Plan[M, O]) Model() M { return cell.Must(p.Fitted()) }

func (p Plan[M, O]) settings() O { return settings[O](p.base()) }

// A core is the state of a plan, which no type parameter concerns: the compiler translates the methods of a generic type once more for
// every package and every cell that names it, and the linker reads the names of all of them. A plan's types know its model and settings
// in three methods, and nowhere else. A core is never changed once a plan holds it.
type core struct {
	name    string
	set     datasets.Set
	kept    bool
	options any

	spec  *spec               `key:"-"`
	chain fault.Chain         `key:"-"`
	model func() (any, error) `key:"-"`
	once  *memory             `key:"-"`
	fed   bool                `key:"-"` // Fit has named the data, or no data are needed
}

// A spec is a Spec without its type parameters; nothing in it is nil.
type spec struct {
	needs     Needs
	raw       bool
	feature   string // how the columns of a transformation are called
	check     func(step string, o any) error
	checkData func(step string, set datasets.Set, o any) error
	fit       func(ctx context.Context, set datasets.Set, o any) (any, error)
	model     func(c *core) (any, error) // fitted, or from the disk
	register  func()                     // lets the model be stored as a part of another one
}

func newSpec[M, O any](s Spec[M, O]) *spec {
	var t *spec
	t = &spec{
		needs: s.Needs, raw: s.Raw, feature: "z",
		check:     func(string, any) error { return nil },
		checkData: func(string, datasets.Set, any) error { return nil },
		fit: func(ctx context.Context, set datasets.Set, o any) (any, error) {
			m, err := s.Fit(ctx, set, o.(O))
			return m, ByName(err, set.FeatureNames)
		},
		model: func(c *core) (any, error) {
			fit := func() (M, error) {
				m, err := t.fit(context.Background(), c.set, c.options)
				if err != nil {
					var none M
					return none, err
				}
				return m.(M), nil
			}
			key := func() cell.Key { return cell.NewKey(c.chain.String(), c) }
			if c.kept {
				return cell.Keep(key(), fit)
			}
			return cell.KeepSlow(c.sketch(), key, fit)
		},
		register: func() {
			if t := reflect.TypeFor[M](); t.Kind() == reflect.Pointer {
				estimator.RegisterModel(reflect.Zero(t).Interface())
			}
		},
	}
	if s.Check != nil {
		t.check = func(step string, o any) error { return s.Check(step, o.(O)) }
	}
	if s.CheckData != nil {
		t.checkData = func(step string, set datasets.Set, o any) error { return s.CheckData(step, set, o.(O)) }
	}
	return t
}

// ByName puts the name of a feature in the place of the number of its column, "column 3" or "column 3 of X", in an *fault.ArgumentError: a
// fit knows its columns by number alone.
func ByName(err error, features []string) error {
	a, ok := err.(*fault.ArgumentError)
	if !ok {
		return err
	}
	b := *a
	b.Argument, b.Got = byName(a.Argument, features), byName(a.Got, features)
	return &b
}

func byName(s string, features []string) string {
	before, after, found := strings.Cut(s, "column ")
	digits := len(after) - len(strings.TrimLeft(after, "0123456789"))
	j, err := strconv.Atoi(after[:digits])
	if !found || err != nil || j >= len(features) {
		return s
	}
	return before + "the feature " + strconv.Quote(features[j]) + strings.TrimPrefix(after[digits:], " of X")
}

// admit reports data that do not have what the fit asks of them.
func (s *spec) admit(step string, set datasets.Set) error { return s.needs.check(step, set, s.raw) }

// A memory holds the results of Once by name.
type memory struct {
	mu sync.Mutex
	of map[string]any
}

// keep returns what is held under the name, which is v if there was nothing.
func (m *memory) keep(name string, v any) any {
	m.mu.Lock()
	defer m.mu.Unlock()
	if held, found := m.of[name]; found {
		return held
	}
	if m.of == nil {
		m.of = map[string]any{}
	}
	m.of[name] = v
	return v
}

// A root is what all plans embed.
type root struct{ c *core }

// begin is the root of a new plan.
func begin[M, O any](s Spec[M, O]) root {
	c := core{
		name: s.Name, chain: fault.Start(s.Name, s.Args...), fed: s.Needs == Nothing, options: s.Options, spec: newSpec(s),
	}
	c.chain = c.chain.Break(c.spec.check(s.Name, c.options))
	var p root
	p.put(c)
	return p
}

// put makes c the state of the plan; nothing is computed from it yet.
func (p *root) put(c core) {
	c.once = new(memory)
	c.model = sync.OnceValues(func() (any, error) {
		m, err := c.spec.model(&c)
		if err == nil {
			christen(m, c.spec.needs, c.set)
		}
		return m, err
	})
	p.c = &c
}

// sketch describes plan and data for cell.KeepSlow.
func (c *core) sketch() string { return fmt.Sprintf("%s\n%d x %d", c.chain, c.set.N(), c.set.D()) }

// base returns the state; a plan that was not begun has an empty one, which is broken.
func (p root) base() *core {
	if p.c != nil {
		return p.c
	}
	err := errors.New("the plan was not begun; begin it with its constructor, such as prl.Tree()")
	return &core{chain: fault.Start("").Break(err), once: new(memory), spec: newSpec(Spec[struct{}, any]{})}
}

// Err returns the error of the first wrong step or of the fit, or nil.
func (p root) Err() error {
	_, err := p.base().fitted()
	return err
}

// String returns the chain as it was written.
func (p root) String() string { return p.base().chain.String() }

// with returns c with another chain.
func (c *core) with(chain fault.Chain) core {
	d := *c
	d.chain = chain
	return d
}

// changed returns c with other settings, which are checked at once.
func (c *core) changed(step string, options any, args []any) core {
	d := c.with(c.chain.Step(step, args...))
	d.options = options
	if c.chain.Err() != nil {
		return d
	}
	d.chain = d.chain.Break(d.spec.check(step, options))
	if d.fed && d.chain.Err() == nil {
		d.chain = d.chain.Break(d.spec.checkData(step, d.set, options))
	}
	return d
}

// of returns c with its data.
func (c *core) of(set datasets.Set) core {
	d := c.with(c.chain.Step("Fit", set).Break(c.spec.admit("Fit", set)))
	d.set, d.fed = set, true
	if d.chain.Err() == nil {
		d.chain = d.chain.Break(d.spec.checkData("Fit", set, d.options))
	}
	return d
}

func (c *core) fitted() (any, error) {
	if err := c.chain.Err(); err != nil {
		return nil, err
	}
	if !c.fed {
		return nil, c.chain.Break(errors.New("the chain is without data; append .Fit(set)")).Err()
	}
	m, err := c.model()
	if err != nil {
		return nil, c.chain.Break(err).Err()
	}
	return m, nil
}

// fitted returns the model as an M.
func fitted[M any](c *core) (M, error) {
	m, err := c.fitted()
	if err != nil {
		var none M
		return none, err
	}
	return m.(M), nil
}

// settings returns the settings as an O; a plan that was not begun has none.
func settings[O any](c *core) O {
	o, _ := c.options.(O)
	return o
}

// Of is a plan whose model is an M: every type that embeds a Plan[M, O], a Classifier[M, O] or another kind of plan.
type Of[M any] interface {
	Fitted() (M, error)
	base() *core
}

// typed is the state of a plan whose model is an M, for what is written for all models of a kind.
type typed[M any] struct{ *core }

func (c typed[M]) Fitted() (M, error) { return fitted[M](c.core) }
func (c typed[M]) base() *core        { return c.core }

// With returns p with a step that changes its settings. The settings are checked at once, so that an error names the step.
func With[P, O any, F interface {
	*P
	base() *core
	put(c core)
	settings() O
}](p P, step string, change func(*O), args ...any) P {
	o := F(&p).settings()
	change(&o)
	F(&p).put(F(&p).base().changed(step, o, args))
	return p
}

// Fit returns p with the data named.
func Fit[P any, F interface {
	*P
	base() *core
	put(c core)
}](p P, set datasets.Set) P {
	F(&p).put(F(&p).base().of(set))
	return p
}

// Keep returns p with its model kept on disk: later cells and notebooks read it instead of fitting again, until a setting, the data or the
// library change. Pictures and tables of the kept plan rest on the same model.
func Keep[P any, F interface {
	*P
	base() *core
	put(c core)
}](p P) P {
	c := F(&p).base()
	d := c.with(c.chain.Step("Keep"))
	d.kept = true
	F(&p).put(d)
	return p
}

// Broken returns p with a step that went wrong.
func Broken[P any, F interface {
	*P
	base() *core
	put(c core)
}](p P, step string, err error, args ...any) P {
	c := F(&p).base()
	F(&p).put(c.with(c.chain.Step(step, args...).Break(err)))
	return p
}

// Data returns the data of the fit.
func Data(p interface{ base() *core }) datasets.Set { return p.base().set }

// Options returns the settings.
func Options[O any](p interface{ settings() O }) O { return p.settings() }

// Once returns what f returned when it was first asked for under this name: a trace, say, that only some figures need.
func Once[T any](p interface{ base() *core }, name string, f func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	get := p.base().once.keep(name, sync.OnceValue(func() outcome {
		v, err := f()
		return outcome{v, err}
	}))
	o := get.(func() outcome)()
	return o.value, o.err
}

// Try returns what f makes of the model at an end of the chain. An error of f is attributed to the step, which is the call of the end
// itself: Try(p, "Predict", f, set).
func Try[M, T any](p Of[M], step string, f func(M) (T, error), args ...any) (T, error) {
	m, err := p.Fitted()
	if err == nil {
		var v T
		if v, err = f(m); err == nil {
			return v, nil
		}
		err = p.base().chain.Step(step, args...).Break(err).Err()
	}
	var none T
	return none, err
}

// Value is Try for an end that returns a number or a list: an error ends the cell with a message.
func Value[M, T any](p Of[M], step string, f func(M) (T, error), args ...any) T {
	return cell.Must(Try(p, step, f, args...))
}

// Figure is Try for an end that draws: the figure carries an error, and reports it when it is shown.
func Figure[M any](p Of[M], step string, draw func(M) (*plotting.Figure, error), args ...any) *plotting.Figure {
	fig, err := Try(p, step, draw, args...)
	if err != nil {
		return plotting.Fault(err)
	}
	return fig
}

// Table is Try for an end that makes a table: the table carries an error, and reports it when it is shown.
func Table[M any](p Of[M], step string, f func(M) (cell.Table, error), args ...any) cell.Table {
	t, err := Try(p, step, f, args...)
	if err != nil {
		return cell.BrokenTable(err)
	}
	return t
}

// Set is Try for an end that makes a data set: the set carries an error, and reports it where it is used.
func Set[M any](p Of[M], step string, f func(M) (datasets.Set, error), args ...any) datasets.Set {
	s, err := Try(p, step, f, args...)
	if err != nil {
		return datasets.Broken(p.base().set.Name, err)
	}
	return s
}

// Then begins a plan whose model is what f makes of the model of p: PlanHMM("a", "b").Viterbi("x"). It has no settings and no data of its
// own.
func Then[M, N any](p Of[M], step string, f func(M) (N, error), args ...any) Plan[N, struct{}] {
	c := p.base()
	q := Plan[N, struct{}]{}
	q.put(core{
		name: step, set: c.set, chain: c.chain.Step(step, args...), fed: true, options: struct{}{},
		spec: newSpec(Spec[N, struct{}]{Fit: func(context.Context, datasets.Set, struct{}) (N, error) {
			m, err := p.Fitted()
			if err != nil {
				var none N
				return none, err
			}
			return f(m)
		}}),
	})
	return q
}

// Line returns the column of the data of a plan on one feature, or an error in the name of step.
func Line(set datasets.Set, step string) (x []float64, err error) {
	if err := set.CheckNumbers(step); err != nil {
		return nil, err
	}
	if set.D() != 1 {
		return nil, fault.Argument(step, "the data set", fmt.Sprintf("of %d features", set.D()), "a set of 1 feature",
			"choose one with .Features(a)")
	}
	return mat.Col(nil, 0, set.X), nil
}

// Plane returns the first two columns of the data of a plan on two features, or an error in the name of step.
func Plane(set datasets.Set, step string) (x, y []float64, err error) {
	if err := estimator.CheckPlane(step, set.D()); err != nil {
		return nil, nil, err
	}
	if err := set.CheckNumbers(step); err != nil {
		return nil, nil, err
	}
	x, y = set.Points()
	return x, y, nil
}
