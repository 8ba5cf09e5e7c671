package plotting

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/prlab/prlab/plotting/internal/scene"
	"github.com/prlab/prlab/prl/number"
)

// TrellisLayer is the state-by-time lattice of a hidden Markov model. Make one with Trellis.
type TrellisLayer struct {
	states       []string
	columns      int
	values       [][]float64
	format       string
	back         [][]int
	path         []int
	observations []string
	labels       [][]string
	notes        [][]string
}

// Trellis draws the states one below the other in the given number of time steps (columns).
func Trellis(states []string, columns int) TrellisLayer {
	return TrellisLayer{states: slices.Clone(states), columns: columns, format: "%.3g"}
}

// Values writes v[t][s] into the node of state s at time t; the node of a NaN stays empty.
func (t TrellisLayer) Values(v [][]float64) TrellisLayer {
	t.values = nil
	for _, row := range v {
		t.values = append(t.values, slices.Clone(row))
	}
	return t
}

// Format sets how Values are written, with a verb of package fmt; the default is "%.3g".
func (t TrellisLayer) Format(verb string) TrellisLayer { t.format = verb; return t }

// Back draws the back pointers: back[t][s] is the state at time t-1 from which state s at time t is reached best, -1 for none; the
// first row is ignored.
func (t TrellisLayer) Back(back [][]int) TrellisLayer {
	t.back = nil
	for _, row := range back {
		t.back = append(t.back, slices.Clone(row))
	}
	return t
}

// Labels writes labels[t][s] on the arrow that leads into state s at time t, a back pointer or a step of the path; the first row is
// ignored, and an empty text is left out.
func (t TrellisLayer) Labels(labels [][]string) TrellisLayer { t.labels = cloneRows(labels); return t }

// Notes adds the lines of notes[t][s] to what a reader sees who points at the node of state s at time t.
func (t TrellisLayer) Notes(notes [][]string) TrellisLayer { t.notes = cloneRows(notes); return t }

func cloneRows(rows [][]string) [][]string {
	out := make([][]string, len(rows))
	for i, row := range rows {
		out[i] = slices.Clone(row)
	}
	return out
}

// Path draws the state sequence path[t] in the accent colour.
func (t TrellisLayer) Path(path []int) TrellisLayer { t.path = slices.Clone(path); return t }

// Observations names the time steps.
func (t TrellisLayer) Observations(names ...string) TrellisLayer {
	t.observations = slices.Clone(names)
	return t
}

func (t TrellisLayer) check() error {
	k := len(t.states)
	if k == 0 || k > 50 {
		return argument("Trellis", "states", count(k, "name"), "from 1 to 50 names", "")
	}
	if t.columns < 1 || t.columns > 200 {
		return argument("Trellis", "columns", fmt.Sprint(t.columns), "from 1 to 200", "")
	}
	if t.values != nil {
		if err := sameLength("Trellis.Values", "v", len(t.values), "columns", t.columns, "row"); err != nil {
			return err
		}
		for i, row := range t.values {
			if err := sameLength("Trellis.Values", fmt.Sprintf("v[%d]", i), len(row), "states", k, "number"); err != nil {
				return err
			}
		}
	}
	if t.back != nil {
		if err := sameLength("Trellis.Back", "back", len(t.back), "columns", t.columns, "row"); err != nil {
			return err
		}
		for i, row := range t.back {
			if i == 0 {
				continue
			}
			if err := sameLength("Trellis.Back", fmt.Sprintf("back[%d]", i), len(row), "states", k, "number"); err != nil {
				return err
			}
			for s, from := range row {
				if from < -1 || from >= k {
					return argument("Trellis.Back", fmt.Sprintf("back[%d][%d]", i, s), fmt.Sprint(from), fmt.Sprintf("from -1 to %d", k-1), "")
				}
			}
		}
	}
	if err := t.checkTexts("Labels", "labels", t.labels, 1); err != nil {
		return err
	}
	if err := t.checkTexts("Notes", "notes", t.notes, 0); err != nil {
		return err
	}
	if len(t.path) > t.columns {
		return argument("Trellis.Path", "path", count(len(t.path), "state"), fmt.Sprintf("at most one a column: %d", t.columns), "")
	}
	for i, s := range t.path {
		if s < 0 || s >= k {
			return argument("Trellis.Path", fmt.Sprintf("path[%d]", i), fmt.Sprint(s), fmt.Sprintf("from 0 to %d", k-1), "")
		}
	}
	if t.observations != nil {
		return sameLength("Trellis.Observations", "names", len(t.observations), "columns", t.columns, "name")
	}
	return nil
}

// checkTexts wants a text for each state in each row from the first that counts.
func (t TrellisLayer) checkTexts(step, name string, texts [][]string, first int) error {
	if texts == nil {
		return nil
	}
	if err := sameLength("Trellis."+step, name, len(texts), "columns", t.columns, "row"); err != nil {
		return err
	}
	for i := first; i < len(texts); i++ {
		if err := sameLength("Trellis."+step, fmt.Sprintf("%s[%d]", name, i), len(texts[i]), "states", len(t.states), "text"); err != nil {
			return err
		}
	}
	return nil
}

// written is a value as the reader sees it.
func (t TrellisLayer) written(v float64) string {
	if !finite(v) {
		return scene.FormatNumber(v)
	}
	return scene.Clean(number.Minus(fmt.Sprintf(t.format, v)), 20)
}

// widest is the width of the widest value in pixels.
func (t TrellisLayer) widest() (width float64) {
	for _, row := range t.values {
		for _, v := range row {
			if !math.IsNaN(v) {
				width = max(width, scene.TextWidth(t.written(v), 11, false))
			}
		}
	}
	return width
}

// State s at time t stands at (t, -s).
func (t TrellisLayer) survey(v *survey) {
	v.noAxes = true
	left := 0.55
	for _, s := range t.states {
		left = max(left, 0.55+min(scene.TextWidth(scene.Clean(s, 40), 12, true), 140)/110)
	}
	v.x.hard(-left, float64(t.columns)-0.55)
	top := 0.5
	if t.observations != nil {
		top = 0.9
	}
	v.y.hard(0.5-float64(len(t.states)), top)
	v.tall = min(max(0.85*float64(len(t.states))/float64(t.columns), 0.28), 0.7)
}

func (t TrellisLayer) lower(d *panelDrawing) {
	cell := min(d.w/(d.x.Hi-d.x.Lo), d.h/(d.y.Hi-d.y.Lo))
	w := &trellisDrawing{TrellisLayer: t, panelDrawing: d, dx: d.w / (d.x.Hi - d.x.Lo), dy: d.h / (d.y.Hi - d.y.Lo)}
	w.size = min(max(0.44*cell, 6), 44)
	if w.outside = t.widest() > w.size-5; w.outside { // on paper, where frames stand side by side, the rows are half as far apart
		w.size = min(max(0.27*cell, 6), 22)
	}
	label := scene.Mark{Kind: scene.Texts, Z: 10*(d.layer+1) + 5, Size: 11, Fill: scene.Paint{Token: scene.TokenForeground}, Halo: true}
	w.level, w.steep = label, label
	w.level.Anchor, w.level.Offset = scene.At("middle", "bottom"), [2]float64{0, -4}
	w.steep.Anchor = scene.At("middle", "middle")
	w.arrows()
	w.circles()
	for _, m := range []scene.Mark{w.level, w.steep} {
		if len(m.XY) > 0 {
			d.add(m)
		}
	}
	w.margins()
	d.describe("a trellis of %s over %s", count(len(t.states), "state"), count(t.columns, "step"))
	if len(t.path) > 0 {
		var way []string
		for _, s := range t.path {
			way = append(way, t.states[s])
		}
		d.describe("the path is %s", joinSome(way, 12))
	}
}

// A trellisDrawing is a trellis on its way into a panel.
type trellisDrawing struct {
	TrellisLayer
	*panelDrawing
	size         float64    // of the circles, in pixels
	outside      bool       // a number does not fit its circle: all stand below, between the rows
	dx, dy       float64    // pixels a unit
	level, steep scene.Mark // words above a level arrow, and on a steep one, between the circles at its sides
}

func (w *trellisDrawing) at(time, state int) [2]float64 {
	return [2]float64{float64(time), -float64(state)}
}

func (w *trellisDrawing) name(time, state int) string {
	return fmt.Sprintf("%s at %d", scene.Clean(w.states[state], 40), time+1)
}

func (w *trellisDrawing) onPath(time, state int) bool {
	return time < len(w.path) && w.path[time] == state
}

// join adds the arrow from state a at the time before to state b, from circle to circle.
func (w *trellisDrawing) join(m *scene.Mark, time, a, b int) {
	from, to := w.at(time-1, a), w.at(time, b)
	vx, vy := (to[0]-from[0])*w.dx, (to[1]-from[1])*w.dy
	l := math.Hypot(vx, vy)
	r := w.size/2 + 2
	if l <= 2*r {
		return
	}
	ux, uy := r*vx/l/w.dx, r*vy/l/w.dy
	m.XY, m.XY2 = append(m.XY, [2]float64{from[0] + ux, from[1] + uy}), append(m.XY2, [2]float64{to[0] - ux, to[1] - uy})
	m.Names = append(m.Names, w.name(time-1, a)+directedEdge+w.name(time, b))
}

// write adds the words of an arrow.
func (w *trellisDrawing) write(time, from, to int) {
	if w.labels == nil || w.labels[time][to] == "" {
		return
	}
	m := &w.level
	if to != from {
		m = &w.steep
	}
	m.XY = append(m.XY, [2]float64{float64(time) - 0.5, -float64(from+to) / 2})
	m.Texts = append(m.Texts, scene.Clean(w.labels[time][to], 30))
	m.Names = append(m.Names, w.name(time-1, from)+directedEdge+w.name(time, to))
}

// arrows draws the lattice, the arrows back, and the path.
func (w *trellisDrawing) arrows() {
	lattice := scene.Mark{Kind: scene.Paths, Stroke: scene.Paint{Token: scene.TokenGrid}, Width: 1, Aside: true}
	back := scene.Mark{
		Kind:   scene.Arrows,
		Stroke: scene.Paint{Token: scene.TokenMuted},
		Fill:   scene.Paint{Token: scene.TokenMuted},
		Width:  1.25,
		Size:   6,
	}
	path := scene.Mark{
		Kind:   scene.Arrows,
		Stroke: scene.Paint{Token: scene.TokenAccent},
		Fill:   scene.Paint{Token: scene.TokenAccent},
		Width:  3,
		Size:   9,
		Z:      10*(w.layer+1) + 3,
	}
	for time := 1; time < w.columns; time++ {
		for s := range w.states {
			for from := range w.states {
				var e scene.Mark
				w.join(&e, time, from, s)
				for i := range e.XY {
					lattice.Rings = append(lattice.Rings, [][2]float64{e.XY[i], e.XY2[i]})
				}
			}
			if w.back != nil && w.back[time][s] >= 0 && !(w.onPath(time, s) && w.onPath(time-1, w.back[time][s])) {
				w.join(&back, time, w.back[time][s], s)
				w.write(time, w.back[time][s], s)
			}
		}
		if time < len(w.path) {
			w.join(&path, time, w.path[time-1], w.path[time])
			w.write(time, w.path[time-1], w.path[time])
		}
	}
	w.add(lattice)
	w.add(back)
	w.add(path)
}

// circles draws the states, with their numbers.
func (w *trellisDrawing) circles() {
	nodes := scene.Mark{
		Kind:   scene.Symbols,
		Symbol: scene.Circle,
		Size:   w.size,
		Fill:   scene.Paint{Token: scene.TokenBackground},
		Stroke: scene.Paint{Token: scene.TokenMuted},
		Width:  1.25,
		Z:      10*(w.layer+1) + 4,
	}
	values := scene.Mark{
		Kind:   scene.Texts,
		Z:      w.over(),
		Size:   11,
		Fill:   scene.Paint{Token: scene.TokenForeground},
		Anchor: scene.At("middle", "middle"),
	}
	for time := range w.columns {
		for s := range w.states {
			nodes.XY, nodes.Names = append(nodes.XY, w.at(time, s)), append(nodes.Names, w.name(time, s))
			stroke := scene.Paint{Token: scene.TokenMuted}
			if w.onPath(time, s) {
				stroke = scene.Paint{Token: scene.TokenAccent}
			}
			nodes.Strokes = append(nodes.Strokes, stroke)
			note := w.name(time, s)
			if w.values != nil && !math.IsNaN(w.values[time][s]) {
				text := w.written(w.values[time][s])
				values.XY, values.Texts = append(values.XY, w.at(time, s)), append(values.Texts, text)
				values.Names = append(values.Names, w.name(time, s))
				note += "\n" + text
				w.rowText(w.states[s], fmt.Sprint(time+1), text, "")
			}
			if w.notes != nil && w.notes[time][s] != "" {
				for line := range strings.Lines(w.notes[time][s]) {
					note += "\n" + scene.Clean(strings.TrimSuffix(line, "\n"), 80)
				}
			}
			nodes.Notes = append(nodes.Notes, note)
		}
	}
	w.add(nodes)
	if w.outside {
		values.Anchor, values.Offset, values.Halo = scene.At("middle", "top"), [2]float64{0, w.size/2 + 2}, true
	}
	if len(values.XY) > 0 {
		w.add(values)
	}
}

// margins writes the names of the states, and what is observed.
func (w *trellisDrawing) margins() {
	names := scene.Mark{
		Kind:   scene.Texts,
		Size:   12,
		Bold:   true,
		Fill:   scene.Paint{Token: scene.TokenForeground},
		Anchor: scene.At("end", "middle"),
		Offset: [2]float64{-w.size/2 - 10, 0},
	}
	for s, name := range w.states {
		names.XY, names.Texts = append(names.XY, w.at(0, s)), append(names.Texts, scene.Fit(scene.Clean(name, 40), 140, 12, true))
	}
	w.add(names)
	if w.observations != nil {
		seen := scene.Mark{
			Kind:   scene.Texts,
			Size:   12,
			Fill:   scene.Paint{Token: scene.TokenMuted},
			Anchor: scene.At("middle", "bottom"),
			Offset: [2]float64{0, -w.size/2 - 8},
		}
		for i, o := range w.observations {
			seen.XY, seen.Texts = append(seen.XY, w.at(i, 0)), append(seen.Texts, scene.Fit(scene.Clean(o, 40), w.dx-4, 12, false))
		}
		w.add(seen)
	}
}
