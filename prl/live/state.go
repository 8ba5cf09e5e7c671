package live

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/fault"
)

// A State is a figure as the reader sees it after some moves, with what the reader has set. Drawn, Panel, Region, Title and all else of a
// View ask what is drawn; methods named like those of Inputs return what is set.
type State struct {
	plotting.View
	Name   string       // what was moved: "C = 1000", or "as it begins"
	Tables []cell.Table // below the figure, in their order
	Sounds []cell.Sound
	inputs []input
}

// is returns what the reader has set of an input of a kind.
func is[T any](s State, kind, name string) (v T) {
	var names []string
	for _, i := range s.inputs {
		if i.kind == kind && i.name == name {
			v, _ = i.is.(T)
			return v
		}
		if i.kind == kind {
			names = append(names, i.name)
		}
	}
	asked := input{kind: kind, name: name}
	need := "no input of this kind, for the figure has none"
	if names != nil {
		need = "one of " + strings.Join(names, ", ")
	}
	cell.Fail(fault.Argument(strings.Replace(asked.method(), "live.", "State.", 1), "name", name, need, cell.Suggest(name, names)))
	return v
}

// Slider returns where a slider stands.
func (s State) Slider(name string) float64 { return is[float64](s, slider, name) }

// Choice returns the word that is chosen.
func (s State) Choice(name string) string { return is[string](s, choice, name) }

// Toggle reports whether a box is ticked.
func (s State) Toggle(name string) bool { return is[bool](s, toggle, name) }

// Point returns where a point stands.
func (s State) Point(name string) (x, y float64) {
	at := is[[2]float64](s, point, name)
	return at[0], at[1]
}

// Points returns a set as its points stand.
func (s State) Points(name string) datasets.Set { return is[datasets.Set](s, points, name) }

// Ellipse returns the mean and the covariance that an ellipse shows.
func (s State) Ellipse(name string) ([]float64, *mat.SymDense) {
	e := is[moments](s, ellipse, name)
	return e.mean, e.cov
}

// Values returns the numbers that bars show.
func (s State) Values(name string) []float64 { return is[[]float64](s, values, name) }

// Table returns the matrix that a table of inputs holds.
func (s State) Table(name string) *mat.Dense { return is[*mat.Dense](s, table, name) }

// Text returns a line of text.
func (s State) Text(name string) string { return is[string](s, text, name) }

// Seed returns a seed.
func (s State) Seed(name string) uint64 { return is[uint64](s, seed, name) }

// Prediction returns the answer that is chosen, or "".
func (s State) Prediction(question string) string { return is[string](s, predict, question) }

// moments are what an ellipse returns.
type moments struct {
	mean []float64
	cov  *mat.SymDense
}

// States are the states of a figure as cases of a claim; sides returns both sides of the claim in a state. They are: as it begins; each
// slider at both ends and in the middle; each word of each choice, with all sliders where they begin, and all at their lower and at their
// upper ends; each box ticked the other way; each button pressed; each point dragged across its panel, of a set eight of them; the handles
// of ellipses; bars and tables with two numbers exchanged; each answer of a question. A state in which the function fails, or a check in it
// does not hold, fails the claim.
//
//	prl.Check("CS-2-04", "the point is on the curve").Every(fig.States(func(s live.State) (got, want any) {
//		return s.Drawn("risk").At(s.Slider("knife")), risk(s.Slider("knife"))
//	}))
func (g *Figure) States(sides func(s State) (got, want any)) cell.Cases {
	if collect != nil {
		return cell.Cases{} // in a page
	}
	return cell.Cases{Kind: "states", All: func(yield func(name string, got, want any) bool) {
		g.Survey(func(s State, err error) bool {
			if err != nil {
				return yield(s.Name, err, nil)
			}
			got, want := sides(s)
			return yield(s.Name, got, want)
		})
	}}
}

// Survey draws the figure in each of its States and gives them to look, until it returns false, with what went wrong.
func (g *Figure) Survey(look func(s State, err error) bool) {
	const begins = "as it begins"
	page := &Figure{f: g.f}
	if g.film != nil { // whose axes leave room for all frames
		if err := page.stage.Screen(*g.film); err != nil {
			look(State{Name: begins}, err)
			return
		}
	}
	first, err := page.state(begins, nil)
	if !look(first, err) || err != nil {
		return
	}
	for _, m := range page.moves(first.inputs) {
		s, err := page.state(m.name, m.given)
		if err == nil {
			err = same(first.inputs, s.inputs, true)
		}
		if !look(s, err) {
			return
		}
	}
}

// state draws the figure for the values given.
func (g *Figure) state(name string, given []value) (s State, err error) {
	s.Name = name
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the function that draws panics: %v", p)
		}
	}()
	d := g.draw(given, false, func(f *plotting.Figure) error {
		s.View = g.stage.See(f)
		return s.View.Err()
	})
	s.inputs, s.Tables, s.Sounds = d.inputs, d.Tables, d.Sounds
	if d.Failed || d.figure == nil {
		err = errors.New(firstFailure(d.Text()))
	}
	return s, err
}

// firstFailure is the line of a text that says what went wrong.
func firstFailure(text string) string {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "✗") {
			return strings.TrimSpace(line)
		}
	}
	return "the figure cannot be drawn"
}

// A move is what the reader sets to come to a state.
type move struct {
	name  string
	given []value
}

// moves are those of States beyond the beginning.
func (g *Figure) moves(inputs []input) (list []move) {
	one := func(k int, word string, v value) {
		given := make([]value, len(inputs))
		given[k] = v
		list = append(list, move{inputs[k].name + " " + word, given})
	}
	for k := range inputs {
		i := &inputs[k]
		switch i.kind {
		case slider:
			for _, v := range i.ends() {
				one(k, "= "+cell.Digits(v, 6), count(v))
			}
		case choice, predict:
			for w, word := range i.words {
				v := count(float64(w))
				if w > 0 || i.kind == predict {
					one(k, "= "+word, v)
				}
				for end := range 2 {
					given := make([]value, len(inputs))
					given[k] = v
					sliders := false
					for j := range inputs {
						if inputs[j].kind == slider {
							given[j], sliders = count([]float64{inputs[j].lo, inputs[j].hi}[end]), true
						}
					}
					if sliders && i.kind == choice && len(i.words) > 1 {
						list = append(list, move{i.name + " = " + word + ", all sliders at their " + []string{"lower", "upper"}[end] + " ends", given})
					}
				}
			}
		case point:
			one(k, "dragged", pair(g.across(i, i.xy[0])))
		case points, ellipse:
			for _, row := range some(len(i.xy), mostDragged) {
				v := value{kind: isList}
				for r, p := range i.xy {
					if r == row {
						p = g.across(i, p)
					}
					v.list = append(v.list, pair(p))
				}
				one(k, "point "+cell.Digits(float64(row+1), 6)+" dragged", v)
			}
		case table:
			if len(i.cells) > 1 {
				v := value{kind: isList}
				for r := range i.cells {
					row := value{kind: isList}
					for _, x := range i.cells[len(i.cells)-1-r] {
						row.list = append(row.list, count(x))
					}
					v.list = append(v.list, row)
				}
				one(k, "turned upside down", v)
			}
		case text:
			words := strings.Fields(i.text)
			slices.Reverse(words)
			one(k, "= "+strings.Join(words, " "), value{kind: isText, text: strings.Join(words, " ")})
		default:
			one(k, "set", i.other())
		}
	}
	return list
}

// mostDragged is how many points of a set are dragged, one after the other.
const mostDragged = 8

// some returns at most so many places of a list of n, the first and the last among them.
func some(n, most int) (list []int) {
	for k := range min(n, most) {
		at := k
		if n > most {
			at = k * (n - 1) / (most - 1)
		}
		list = append(list, at)
	}
	return list
}

// ends returns both ends and the middle of a slider, without the place where it begins.
func (i *input) ends() []float64 {
	middle := i.lo/2 + i.hi/2
	if i.log {
		middle = math.Sqrt(i.lo) * math.Sqrt(i.hi)
	}
	list := []float64{i.lo, i.stop(middle), i.stop(i.hi)}
	return slices.DeleteFunc(list, func(v float64) bool { return v == i.value })
}

// across is the place on the other side of the middle of the panel, and a quarter aside where that is near.
func (g *Figure) across(i *input, p [2]float64) [2]float64 {
	xLo, xHi, yLo, yHi, ok := g.stage.Bounds(i.panel)
	if !ok {
		return [2]float64{p[0] + 1, p[1] + 1}
	}
	const near = 0.1
	to := [2]float64{xLo + xHi - p[0], yLo + yHi - p[1]}
	if math.Hypot((to[0]-p[0])/(xHi-xLo), (to[1]-p[1])/(yHi-yLo)) < near {
		to = [2]float64{xLo + 0.75*(xHi-xLo), yLo + 0.75*(yHi-yLo)}
	}
	return to
}

func count(v float64) value { return value{kind: isNumber, number: v} }

func pair(p [2]float64) value { return value{kind: isList, list: []value{count(p[0]), count(p[1])}} }
