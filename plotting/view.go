package plotting

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/prlab/prlab/plotting/internal/scene"
	"github.com/prlab/prlab/prl/cell"
)

// A View is a figure as the reader sees it: the marks that both back ends draw, with all that has been decided about them. Frame chooses a
// frame of a Slide, of which the one shown first is seen otherwise, and Panel a panel of a Row, Column or Grid. A question that the picture
// cannot answer ends the cell with a message that names what is there; Err is for programs.
type View struct {
	scene *scene.Scene
	err   error
	panel int // or all
	frame int
}

// all stands for no panel in particular.
const all = -1

// View returns the figure as the reader sees it.
func (f *Figure) View() View {
	s, err := f.scene()
	return viewOf(s, err)
}

func viewOf(s *scene.Scene, err error) View {
	v := View{scene: s, err: err, panel: all}
	if err == nil && s.Frames != nil {
		v.frame = s.Frames.Start
	}
	return v
}

// Drawn returns what is drawn under a name; see View.Drawn.
func (f *Figure) Drawn(name string) Drawn { return f.View().Drawn(name) }

// Layer returns what layer i, counted from 0, has drawn; see View.Layer.
func (f *Figure) Layer(i int) Drawn { return f.View().Layer(i) }

// Panel returns panel i, counted from 0 by rows, as the reader sees it.
func (f *Figure) Panel(i int) View { return f.View().Panel(i) }

// Frame returns frame i of a Slide, counted from 0, as the reader sees it.
func (f *Figure) Frame(i int) View { return f.View().Frame(i) }

// Region returns the class whose colour tints the place (x, y), or "".
func (f *Figure) Region(x, y float64) string { return f.View().Region(x, y) }

// Frames are the frames of a Slide as cases of a claim: f returns both sides for frame i.
//
//	prl.Check("CS-4.1-07", "log L is that of the means").Every(film.Frames(func(i int, v plotting.View) (got, want any) {
//		return v.Drawn("log L").At(float64(i)), logL(v.Drawn("means").Points())
//	}))
func (f *Figure) Frames(sides func(i int, v View) (got, want any)) cell.Cases {
	v := f.View()
	return cell.Cases{Kind: "frames", All: func(yield func(name string, got, want any) bool) {
		if v.err != nil {
			cell.Fail(v.err)
			return
		}
		for i := range v.FrameCount() {
			got, want := sides(i, v.Frame(i))
			if !yield(v.Frame(i).Label(), got, want) {
				return
			}
		}
	}}
}

// Err returns what is wrong with the figure or with the choice of a panel or frame, or nil.
func (v View) Err() error { return v.err }

// wrong returns v with its first error.
func (v View) wrong(err error) View {
	if v.err == nil {
		v.err = err
	}
	return v
}

// Panel returns panel i of the figure, counted from 0 by rows.
func (v View) Panel(i int) View {
	if n := v.PanelCount(); v.err == nil && (i < 0 || i >= n) {
		return v.wrong(argument("View.Panel", "i", strconv.Itoa(i), fmt.Sprintf("from 0 to %d", n-1), "the figure has "+count(n, "panel")))
	}
	v.panel = i
	return v
}

// PanelCount returns the number of panels.
func (v View) PanelCount() int {
	if v.err != nil {
		return 0
	}
	return len(v.scene.Panels)
}

// Frame returns frame i of a Slide, counted from 0.
func (v View) Frame(i int) View {
	if n := v.FrameCount(); v.err == nil && (i < 0 || i >= n) {
		return v.wrong(argument("View.Frame", "i", strconv.Itoa(i), fmt.Sprintf("from 0 to %d", n-1), "the figure has "+count(n, "frame")))
	}
	v.frame = i
	return v
}

// FrameCount returns the number of frames, 1 for a figure that is no Slide.
func (v View) FrameCount() int {
	switch {
	case v.err != nil:
		return 0
	case v.scene.Frames == nil:
		return 1
	}
	return len(v.scene.Frames.Steps)
}

// Label returns what the slider of a Slide says at the frame, "C = 0.1", or "".
func (v View) Label() string {
	if v.err != nil || v.scene.Frames == nil {
		return ""
	}
	f := v.scene.Frames
	return strings.TrimPrefix(f.Name+" = ", " = ") + f.Labels[v.frame]
}

// step returns the frame, or nil where nothing moves.
func (v View) step() *scene.Frame {
	if v.scene.Frames == nil {
		return nil
	}
	return &v.scene.Frames.Steps[v.frame]
}

// Title returns the heading of the panel that has been chosen, or else that of the figure.
func (v View) Title() string {
	switch {
	case v.err != nil:
		cell.Fail(v.err)
		return ""
	case v.panel == all || len(v.scene.Panels) == 1:
		return v.scene.Title
	}
	if s := v.step(); s != nil && len(s.Titles) > 0 {
		return s.Titles[v.panel]
	}
	return v.scene.Panels[v.panel].Title
}

// Subtitle returns the line below the title, at the frame.
func (v View) Subtitle() string {
	if v.err != nil {
		cell.Fail(v.err)
		return ""
	}
	if s := v.step(); s != nil && s.Subtitle != "" {
		return s.Subtitle
	}
	return v.scene.Subtitle
}

// Caption returns the line below the picture.
func (v View) Caption() string {
	if v.err != nil {
		cell.Fail(v.err)
		return ""
	}
	return v.scene.Caption
}

// Words returns what frames the picture and is the same in all frames but for titles of panels: the title of the figure, then of each panel
// the title and the names of the horizontal axis, of the vertical axis and of the colour bar, then the caption. What is empty is left out.
func (v View) Words() (words []string) {
	if v.err != nil {
		cell.Fail(v.err)
		return nil
	}
	words = []string{v.scene.Title}
	for i, p := range v.scene.Panels {
		title := p.Title
		if s := v.step(); s != nil && len(s.Titles) > 0 {
			title = s.Titles[i]
		}
		words = append(words, title, p.X.Label, p.Y.Label)
		if p.ColorBar != nil {
			words = append(words, p.ColorBar.Label)
		}
	}
	return slices.DeleteFunc(append(words, v.scene.Caption), func(w string) bool { return w == "" })
}

// Legend returns the entries of the legend in their order.
func (v View) Legend() (names []string) {
	if v.err != nil {
		cell.Fail(v.err)
		return nil
	}
	for _, e := range v.scene.Legend {
		names = append(names, e.Label)
	}
	return names
}

// XTicks returns what is written at the ticks of the horizontal axis, from left to right.
func (v View) XTicks() []string { return v.ticks(func(p *scene.Panel) scene.Axis { return p.X }) }

// YTicks returns what is written at the ticks of the vertical axis, from bottom to top.
func (v View) YTicks() []string { return v.ticks(func(p *scene.Panel) scene.Axis { return p.Y }) }

func (v View) ticks(axis func(*scene.Panel) scene.Axis) (labels []string) {
	p, ok := v.single("ticks")
	if !ok {
		return nil
	}
	ticks := slices.Clone(axis(p).Ticks)
	slices.SortStableFunc(ticks, func(a, b scene.Tick) int { return int(math.Copysign(1, a.At-b.At)) })
	for _, t := range ticks {
		labels = append(labels, t.Label)
	}
	return labels
}

// single returns the panel that a question about a place is about.
func (v View) single(question string) (*scene.Panel, bool) {
	if v.err == nil && v.panel == all && len(v.scene.Panels) > 1 {
		v.err = argument("View", "panel", "not chosen", "one of "+count(len(v.scene.Panels), "panel"), "ask fig.Panel(0) for its "+question)
	}
	if v.err != nil {
		cell.Fail(v.err)
		return nil, false
	}
	return &v.scene.Panels[max(v.panel, 0)], true
}

// marks returns what is drawn in a panel at the frame, in painting order.
func (v View) marks(panel int) []scene.Mark {
	marks := slices.Clone(v.scene.Panels[panel].Marks)
	if s := v.step(); s != nil && panel < len(s.Marks) {
		marks = append(marks, s.Marks[panel]...)
	}
	slices.SortStableFunc(marks, func(a, b scene.Mark) int { return a.Z - b.Z })
	return marks
}

// panels returns the panels that are looked at.
func (v View) panels() []int {
	if v.panel != all {
		return []int{v.panel}
	}
	list := make([]int, len(v.scene.Panels))
	for p := range list {
		list[p] = p
	}
	return list
}

// Names returns the names that Drawn knows, those of the legend first.
func (v View) Names() (names []string) {
	if v.err != nil {
		return nil
	}
	take := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, e := range v.scene.Legend {
		take(e.Key)
	}
	for _, p := range v.panels() {
		marks := v.marks(p)
		for _, m := range marks {
			take(m.Key)
		}
		for _, m := range marks {
			for _, name := range slices.Concat(m.Names, m.Texts) {
				take(name)
			}
		}
	}
	return names
}

// Drawn returns what is drawn under a name: an entry of the legend, a class, a text, the label of a rule or an arrow, a level of contours,
// a node ("rain", of a trellis "rain at 2") or an edge ("rain → sun", undirected "a – b", of a dendrogram "merge 3"). The name "" stands
// for all layers without a name. What lies outside of its panel is not drawn.
func (v View) Drawn(name string) Drawn {
	return v.pick(strconv.Quote(name), func(m *scene.Mark, i int) bool {
		return m.Key == name && (name != "" || len(m.Texts) == 0 && m.Z >= 0) || name != "" &&
			(i < len(m.Names) && m.Names[i] == name || i < len(m.Texts) && m.Texts[i] == name)
	}, func() error {
		names := v.Names()
		quoted := make([]string, len(names))
		for i, known := range names {
			quoted[i] = strconv.Quote(scene.Clean(known, 60))
		}
		remedy := cell.Suggest(name, names)
		if name == "" {
			remedy = "every layer has a name"
		}
		const some = 30
		need := or(joinSome(quoted, some), "a name, but nothing that is drawn has one")
		return argument("Drawn", "name", strconv.Quote(name), need, remedy)
	})
}

// Layer returns what layer i of a panel has drawn, counted from 0 in the order in which the layers were given.
func (v View) Layer(i int) Drawn {
	layer := func(m *scene.Mark) int {
		var p, k int
		fmt.Sscanf(m.ID, "p%d.m%d.", &p, &k)
		return k
	}
	return v.pick("layer "+strconv.Itoa(i), func(m *scene.Mark, _ int) bool { return layer(m) == i }, func() error {
		last := 0
		for _, p := range v.panels() {
			for _, m := range v.marks(p) {
				last = max(last, layer(&m))
			}
		}
		return argument("Layer", "i", strconv.Itoa(i), fmt.Sprintf("a layer that has drawn something, from 0 to %d", last), "")
	})
}

// pick returns the shapes that are of the kind asked for, from the one panel that has some.
func (v View) pick(what string, of func(m *scene.Mark, i int) bool, missing func() error) Drawn {
	d := Drawn{what: what, err: v.err}
	if d.err != nil {
		return d
	}
	for _, p := range v.panels() {
		panel := &v.scene.Panels[p]
		var found []scene.Mark
		for _, m := range v.marks(p) {
			if part, some := shapes(m, func(i int) bool { return of(&m, i) && seen(panel, &m, i) }); some {
				found = append(found, part)
			}
		}
		switch {
		case found == nil:
		case d.marks != nil:
			d.err = argument("Drawn", "name", what+" in several panels", "a name of one panel", fmt.Sprintf("ask fig.Panel(%d) for it", p))
			return d
		default:
			d.panel, d.marks = panel, found
		}
	}
	if d.marks == nil {
		d.err = missing()
	}
	return d
}

// seen reports whether shape i of a mark is inside its panel: symbols and texts are drawn whole or not at all, all else is cut at the edge.
func seen(p *scene.Panel, m *scene.Mark, i int) bool {
	if !m.Clip || m.Kind != scene.Symbols && m.Kind != scene.Texts {
		return true
	}
	return inside(p, m.XY[i])
}

// inside reports whether a place is in the panel, up to what a back end lets stand out.
func inside(p *scene.Panel, at [2]float64) bool {
	const slack = 1e-3
	x, y := p.X.At(at[0]), p.Y.At(at[1])
	return x >= -slack && x <= 1+slack && y >= -slack && y <= 1+slack
}

// Region returns the class whose colour tints the place (x, y), or "".
func (v View) Region(x, y float64) string {
	name := ""
	p, ok := v.single("regions")
	if !ok {
		return name
	}
	for _, m := range v.marks(max(v.panel, 0)) {
		if regional(&m) && covers(p, m.Rings, x, y) {
			name = m.Key
		}
	}
	return name
}

// regional reports whether a mark is a decision region.
func regional(m *scene.Mark) bool {
	return m.Kind == scene.Areas && m.Z < 0 && m.Fill.Token == scene.TokenClass
}

// Shade returns the number that a cell of a heat map or an area between contours stands for at the place (x, y): the one that is written in
// the cell, or else that of its colour on the colour bar, which is good to a thousandth of the bar. In a picture it is the darkness, from 0
// to 1. NaN where nothing is shaded.
func (v View) Shade(x, y float64) float64 {
	p, ok := v.single("shades")
	if !ok {
		return math.NaN()
	}
	shade := math.NaN()
	var box [2][2]float64 // of the cell
	marks := v.marks(max(v.panel, 0))
	for _, m := range marks {
		for i := range shapeCount(&m) {
			fill := m.Fill
			if i < len(m.Fills) {
				fill = m.Fills[i]
			}
			cell := m.Kind == scene.Rects && m.Tiles && between(x, m.XY[i][0], m.XY2[i][0]) && between(y, m.XY[i][1], m.XY2[i][1])
			area := m.Kind == scene.Areas && i == 0 && covers(p, m.Rings, x, y)
			switch {
			case !cell && !area:
			case fill.Token == scene.TokenInk:
				shade = fill.Opacity
			case (fill.Token == scene.TokenSequential || fill.Token == scene.TokenDiverging) && p.ColorBar != nil:
				shade = p.ColorBar.Lo + fill.Value*(p.ColorBar.Hi-p.ColorBar.Lo)
			}
			if cell {
				box = [2][2]float64{m.XY[i], m.XY2[i]}
			}
		}
	}
	for _, m := range marks {
		for i, s := range m.Texts {
			if between(m.XY[i][0], box[0][0], box[1][0]) && between(m.XY[i][1], box[0][1], box[1][1]) {
				if written, err := strconv.ParseFloat(strings.ReplaceAll(s, "−", "-"), 64); err == nil {
					shade = written
				}
			}
		}
	}
	return shade
}

// Cell returns the number that a cell of a heat map shows, which is found by what is written at its row and its column; see Shade.
func (v View) Cell(row, column string) float64 {
	p, ok := v.single("cells")
	if !ok {
		return math.NaN()
	}
	x, err := tickAt(p.X, "column", column)
	y, err2 := tickAt(p.Y, "row", row)
	if err = first(err, err2); err != nil {
		cell.Fail(err)
		return math.NaN()
	}
	return v.Shade(x, y)
}

// tickAt returns the place of the tick of that label.
func tickAt(a scene.Axis, what, label string) (float64, error) {
	var names []string
	for _, t := range a.Ticks {
		if t.Label == label {
			return t.At, nil
		}
		names = append(names, t.Label)
	}
	return 0, argument("Drawn", what, strconv.Quote(label), "a label of the axis: "+joinSome(names, 20), cell.Suggest(label, names))
}

func between(v, a, b float64) bool { return min(a, b) <= v && v <= max(a, b) }

// Edges returns the names of the edges of a graph or trellis, in the order in which they are drawn.
func (v View) Edges() (names []string) {
	if v.err != nil {
		cell.Fail(v.err)
		return nil
	}
	for _, p := range v.panels() {
		for _, m := range v.marks(p) {
			for _, name := range m.Names {
				if (strings.Contains(name, directedEdge) || strings.Contains(name, plainEdge)) && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// What stands between the names of two nodes in that of their edge.
const (
	directedEdge = " → "
	plainEdge    = " – "
)
