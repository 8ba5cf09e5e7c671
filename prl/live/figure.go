package live

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
)

// A Func draws a figure from what the reader has set. It asks for the same inputs, in the same order, whenever it is called.
type Func func(in *Inputs) *plotting.Figure

// A Figure is a function that draws, and the axes that stand still while it draws again.
type Figure struct {
	f      Func
	frames int
	film   *plotting.Film // whose axes stand still, or nil
	stage  plotting.Stage
	first  []input // as the function has asked for them at the first call
}

// New returns the figure of f.
func New(f Func) *Figure { return &Figure{f: f} }

// Frames returns g with so many stops of its first slider drawn in advance, for pages where nothing can be computed: 2 to 100.
func (g *Figure) Frames(k int) *Figure { return &Figure{f: g.f, frames: k} }

// A drawing is what one call of the function has made.
type drawing struct {
	cell.Recording
	figure *plotting.Figure // nil when the function failed
	inputs []input
}

// busy is set while a function draws: what it shows is no figure of its own.
var busy bool

// draw calls the function with the values given, a value an input, and finish with its figure.
func (g *Figure) draw(given []value, draft bool, finish func(*plotting.Figure) error) (d drawing) {
	in := Inputs{given: given, stage: &g.stage, draft: draft}
	defer func(before bool) { d.inputs, busy = in.asked, before }(busy)
	busy = true
	d.Recording = cell.Capture(func() {
		if g.f == nil {
			cell.Fail(errors.New("prl.Live: there is no function that draws (nil)"))
		}
		fig := g.f(&in)
		if fig == nil {
			cell.Fail(errors.New("prl.Live: the function returns no figure (nil); it needs to return one at every call"))
		}
		cell.Must(0, fig.Err())
		cell.Must(0, finish(fig))
		d.figure = fig
	})
	return d
}

// Step draws the figure for the values that a page gives, a JSON list with an entry for each input, null for its beginning, and returns
// what the page shows, as JSON: the inputs, what stands below the figure ("html"), the spec of the figure if one was made, and in one line
// what went wrong ("fault", else empty). A draft, while the hand moves, is coarser.
func (g *Figure) Step(given string, draft bool) string {
	list, err := read(given)
	if err == nil && list.kind != isList {
		err = errors.New("the page gives values that cannot be read: a list is expected")
	}
	if g.first == nil { // the axes are those of the beginning, or of the film
		if g.film != nil {
			g.stage.Screen(*g.film)
		}
		g.attempt(nil, false)
	}
	if err != nil {
		return g.answer(g.first, cell.Recording{}, nil, err.Error())
	}
	began := time.Now()
	defer func() {
		if draft {
			g.stage.Took(time.Since(began))
		}
	}()
	return g.attempt(list.list, draft)
}

// attempt draws and answers; a panic of the function is a fault.
func (g *Figure) attempt(given []value, draft bool) (answer string) {
	defer func() {
		if p := recover(); p != nil {
			answer = g.answer(g.first, cell.Recording{}, nil, fmt.Sprintf("the function that draws panics: %v", p))
		}
	}()
	var spec []byte
	d := g.draw(given, draft, func(f *plotting.Figure) (err error) {
		spec, err = g.stage.Spec(f, draft)
		return err
	})
	fault := ""
	if d.figure == nil {
		fault = "the figure cannot be drawn"
	} else if d.Failed {
		fault = "a check does not hold"
	}
	if g.first == nil && d.figure != nil {
		g.first = d.inputs
	} else if err := same(g.first, d.inputs, d.figure != nil); err != nil {
		return g.answer(g.first, d.Recording, nil, err.Error())
	}
	return g.answer(d.inputs, d.Recording, spec, fault)
}

// answer writes what the page gets.
func (g *Figure) answer(inputs []input, shown cell.Recording, spec []byte, fault string) string {
	var w writer
	w.Open('{')
	w.Name("inputs").Raw(describe(inputs))
	w.text("html", shown.HTML())
	w.text("fault", fault)
	if spec != nil {
		w.Name("spec").Raw(string(spec))
	}
	w.Close('}')
	return string(w.Bytes())
}

// same returns an error unless a call has asked for the inputs of the first one, in their order; one that failed may have asked for less.
func same(first, now []input, whole bool) error {
	const remedy = "the function needs to ask for the same inputs, in the same order, at every call: never inside an if"
	for k, i := range now {
		if k >= len(first) {
			return fmt.Errorf("prl.Live: the function asks for %s, for which it did not ask at first; %s", i.title(), remedy)
		}
		if was := first[k]; was.kind != i.kind || was.name != i.name {
			return fmt.Errorf("prl.Live: input %d was %s at first and is %s now; %s", k+1, was.title(), i.title(), remedy)
		}
	}
	if whole && len(now) < len(first) {
		return fmt.Errorf("prl.Live: the function asks no more for %s; %s", first[len(now)].title(), remedy)
	}
	return nil
}

// title names an input: slider "C".
func (i *input) title() string { return i.kind + " " + strconv.Quote(i.name) }

// others returns another value for each input, as a reader might set it.
func others(inputs []input) []value {
	list := make([]value, len(inputs))
	for k := range inputs {
		list[k] = inputs[k].other()
	}
	return list
}

func (i *input) other() value {
	switch i.kind {
	case slider:
		far := i.lo
		if i.value-i.lo < i.hi-i.value {
			far = i.hi
		}
		if v := i.stop(i.value/2 + far/2); v != i.value {
			return count(v)
		}
		return count(far)
	case choice, predict:
		return count(float64(1 % len(i.words)))
	case toggle:
		return value{kind: isBool, bool: !i.on}
	case point:
		return pair([2]float64{i.xy[0][0] + 1e-3, i.xy[0][1] + 1e-3})
	case points:
		v := value{kind: isList}
		for k, p := range i.xy {
			if k == 0 {
				p[0] += 1e-3 * math.Abs(p[0])
			}
			v.list = append(v.list, pair(p))
		}
		return v
	case values:
		v := value{kind: isList}
		for k := range i.heights { // the sum stays
			v.list = append(v.list, count(i.heights[len(i.heights)-1-k]))
		}
		return v
	case seed:
		return count(float64(i.seed + 1))
	}
	return value{}
}
