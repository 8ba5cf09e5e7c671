package plan

import (
	"context"
	"errors"
	"fmt"
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
type Plan[M, O any] struct{ f *frame[M, O] }

// frame is the state of a plan. It is never changed once a plan holds it.
type frame[M, O any] struct {
	core
	options O
	spec    *Spec[M, O] `key:"-"`
}

// core is what no type parameter concerns. The compiler translates the methods of a generic type once more for every cell that names it, so
// all that can be is written for the core, or for an interface.
type core struct {
	name string
	set  datasets.Set
	kept bool

	chain fault.Chain         `key:"-"`
	model func() (any, error) `key:"-"`
	once  *memory             `key:"-"`
	fed   bool                `key:"-"` // Fit has named the data, or no data are needed
}

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

// New begins a plan.
func New[M, O any](spec Spec[M, O]) Plan[M, O] {
	f := &frame[M, O]{
		core:    core{name: spec.Name, chain: fault.Start(spec.Name, spec.Args...), fed: spec.Needs == Nothing},
		options: spec.Options,
		spec:    &spec,
	}
	if spec.Check != nil {
		f.chain = f.chain.Break(spec.Check(spec.Name, f.options))
	}
	p := Plan[M, O]{}
	p.put(f)
	return p
}

// put makes f the state of the plan; nothing is computed from it yet.
func (p *Plan[M, O]) put(f *frame[M, O]) {
	f.begin(f.spec.Needs, func() (any, error) {
		fit := func() (M, error) { return f.spec.Fit(context.Background(), f.set, f.options) }
		if f.kept {
			return cell.Keep(cell.NewKey(f.chain.String(), f), fit)
		}
		return fit()
	})
	p.f = f
}

// begin sets the fit; nothing is computed by it yet.
func (c *core) begin(needs Needs, fit func() (any, error)) {
	c.once = new(memory)
	c.model = sync.OnceValues(func() (any, error) {
		m, err := fit()
		if err == nil {
			christen(m, needs, c.set)
		}
		return m, err
	})
}

// frame returns the state; a plan that was not begun has an empty one, which is broken.
func (p Plan[M, O]) frame() frame[M, O] {
	if p.f == nil {
		return frame[M, O]{core: notBegun(), spec: &Spec[M, O]{}}
	}
	return *p.f
}

func notBegun() core {
	err := errors.New("the plan was not begun; begin it with its constructor, such as prl.Tree()")
	return core{chain: fault.Start("").Break(err), once: new(memory)}
}

// core returns what no type parameter concerns.
func (p Plan[M, O]) core() *core {
	if p.f == nil {
		c := notBegun()
		return &c
	}
	return &p.f.core
}

func (p *Plan[M, O]) change(step string, change func(*O), args []any) {
	f := p.frame()
	f.chain = f.chain.Step(step, args...)
	change(&f.options)
	if check := f.spec.Check; check != nil {
		f.chain = f.chain.Break(check(step, f.options))
	}
	if check := f.spec.CheckData; check != nil && f.fed && f.chain.Err() == nil {
		f.chain = f.chain.Break(check(step, f.set, f.options))
	}
	p.put(&f)
}

func (p *Plan[M, O]) feed(set datasets.Set) {
	f := p.frame()
	f.chain = f.chain.Step("Fit", set).Break(f.spec.Needs.check("Fit", set, f.spec.Raw))
	f.set, f.fed = set, true
	if check := f.spec.CheckData; check != nil && f.chain.Err() == nil {
		f.chain = f.chain.Break(check("Fit", set, f.options))
	}
	p.put(&f)
}

// begin replaces the begin of the chain.
func (p *Plan[M, O]) begin(chain fault.Chain) {
	f := p.frame()
	f.chain = chain
	p.put(&f)
}

func (p *Plan[M, O]) keep() {
	f := p.frame()
	f.chain, f.kept = f.chain.Step("Keep"), true
	p.put(&f)
}

func (p *Plan[M, O]) spoil(step string, args []any, err error) {
	f := p.frame()
	f.chain = f.chain.Step(step, args...).Break(err)
	p.put(&f)
}

// Fitted returns the model, or the error of the first wrong step or of the fit.
func (p Plan[M, O]) Fitted() (M, error) {
	m, err := p.core().fitted()
	if err != nil {
		var none M
		return none, err
	}
	return m.(M), nil
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

// Model returns the model; without one it ends the cell with a message.
func (p Plan[M, O]) Model() M { return cell.Must(p.Fitted()) }

// Err returns the error of the first wrong step or of the fit, or nil.
func (p Plan[M, O]) Err() error {
	_, err := p.core().fitted()
	return err
}

// String returns the chain as it was written.
func (p Plan[M, O]) String() string { return p.core().chain.String() }

func (p Plan[M, O]) sentence() fault.Chain { return p.core().chain }
func (p Plan[M, O]) data() datasets.Set    { return p.core().set }
func (p Plan[M, O]) settings() O           { return p.frame().options }
func (p Plan[M, O]) memory() *memory       { return p.core().once }

// Of is a plan whose model is an M: every type that embeds a Plan[M, O].
type Of[M any] interface {
	Fitted() (M, error)
	sentence() fault.Chain
	data() datasets.Set
	memory() *memory
}

// With returns p with a step that changes its settings. The settings are checked at once, so that an error names the step.
func With[P, O any, F interface {
	*P
	change(step string, change func(*O), args []any)
}](p P, step string, change func(*O), args ...any) P {
	F(&p).change(step, change, args)
	return p
}

// Fit returns p with the data named.
func Fit[P any, F interface {
	*P
	feed(set datasets.Set)
}](p P, set datasets.Set) P {
	F(&p).feed(set)
	return p
}

// Keep returns p with its model kept on disk: later cells and sessions read it instead of fitting again, until a setting, the data or the
// library change. Pictures and tables of the kept plan rest on the same model.
func Keep[P any, F interface {
	*P
	keep()
}](p P) P {
	F(&p).keep()
	return p
}

// Broken returns p with a step that went wrong.
func Broken[P any, F interface {
	*P
	spoil(step string, args []any, err error)
}](p P, step string, err error, args ...any) P {
	F(&p).spoil(step, args, err)
	return p
}

// Data returns the data of the fit.
func Data(p interface{ data() datasets.Set }) datasets.Set { return p.data() }

// Options returns the settings.
func Options[O any](p interface{ settings() O }) O { return p.settings() }

// Once returns what f returned when it was first asked for under this name: a trace, say, that only some figures need.
func Once[M, T any](p Of[M], name string, f func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	get := p.memory().keep(name, sync.OnceValue(func() outcome {
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
		err = p.sentence().Step(step, args...).Break(err).Err()
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
		return datasets.Broken(p.data().Name, err)
	}
	return s
}

// Then begins a plan whose model is what f makes of the model of p: PlanHMM("a", "b").Viterbi("x"). It has no settings and no data of its
// own.
func Then[M, N any](p Of[M], step string, f func(M) (N, error), args ...any) Plan[N, struct{}] {
	spec := &Spec[N, struct{}]{Name: step, Fit: func(context.Context, datasets.Set, struct{}) (N, error) {
		m, err := p.Fitted()
		if err != nil {
			var none N
			return none, err
		}
		return f(m)
	}}
	q := Plan[N, struct{}]{}
	q.put(&frame[N, struct{}]{core: core{name: step, set: p.data(), chain: p.sentence().Step(step, args...), fed: true}, spec: spec})
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
