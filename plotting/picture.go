package plotting

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/prlab/prlab/plotting/internal/scene"
	"github.com/prlab/prlab/prl/number"
)

// picture is a figure on its way to a scene: what all panels and frames share.
type picture struct {
	registry
	legend   []scene.LegendEntry
	keys     map[string]int // legend entries by key
	several  bool           // panels
	linked   bool           // with other panels or figures
	dropped  int            // values that cannot be drawn
	sampled  [2]int         // points drawn, of all
	other    []string       // further notices
	counting bool           // the frame whose notices, table and description count
	rows     []tableRow
	moreRows int
	staging
	facts []string // what the description says of the layers
	err   error
}

type tableRow struct{ panel, series, x, y, note string }

const maxTableRows = 200

// fail remembers the first error that turns up while the picture is drawn.
func (p *picture) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

func (p *picture) drop(n int) {
	if p.counting {
		p.dropped += n
	}
}

func (p *picture) notice(s string) {
	if p.counting && !slices.Contains(p.other, s) {
		p.other = append(p.other, s)
	}
}

func (p *picture) describe(format string, args ...any) {
	if p.counting && !p.draft() {
		p.facts = append(p.facts, fmt.Sprintf(format, args...))
	}
}

// entry adds to the legend what a layer draws for a name; a symbol is worth more than a line, and a line more than a swatch.
func (p *picture) entry(e scene.LegendEntry) {
	if e.Label == "" {
		e.Label = e.Key
	}
	if e.Key == "" {
		return
	}
	if p.keys == nil {
		p.keys = make(map[string]int)
	}
	i, ok := p.keys[e.Key]
	if !ok {
		p.keys[e.Key] = len(p.legend)
		p.legend = append(p.legend, e)
		return
	}
	old := p.legend[i]
	if old.Swatch && !e.Swatch || old.Symbol == "" && e.Symbol != "" {
		p.legend[i] = e
	}
}

// panelDrawing is one panel of one frame while its layers lower themselves to marks.
type panelDrawing struct {
	*picture
	survey *survey
	panel  int
	layer  int
	count  int // marks of the layer so far
	x, y   scene.Axis
	w, h   float64 // size of the plot area, px, as far as it is known
	marks  []scene.Mark
	bar    *scene.ColorBar
	title  string
	filled bool  // a layer below has shaded the panel with a ramp
	texts  []box // places taken by labels, px
}

// add appends a mark of the layer at hand. Its ID depends on the places of layer and mark only, so that it is the same in each frame.
func (d *panelDrawing) add(m scene.Mark) {
	m.ID = fmt.Sprintf("p%d.m%d.%d", d.panel, d.layer, d.count)
	d.count++
	if m.Z == 0 {
		m.Z = 10 * (d.layer + 1)
	}
	d.marks = append(d.marks, m)
}

// under is the painting order of areas that fill the panel, texts that of labels over everything.
func (d *panelDrawing) under() int { return d.layer - 1000 }
func (d *panelDrawing) over() int  { return d.layer + 1000 }

// fineness is that of a layer which wishes so many cells along each axis, or none in particular.
func (d *panelDrawing) fineness(wish int) fineness {
	if d.draft() && (wish == 0 || wish > d.coarse) {
		wish = d.coarse
	}
	return fineness{cells: wish, draft: d.draft()}
}

// px places a point of the panel in pixels from the lower left corner of the plot area.
func (d *panelDrawing) px(x, y float64) (float64, float64) {
	return d.x.At(x) * d.w, d.y.At(y) * d.h
}

func (d *panelDrawing) ok(x, y float64) bool { return d.x.Shows(x) && d.y.Shows(y) }

// row adds a line to the table behind the picture.
func (d *panelDrawing) row(series string, x, y float64, note string) {
	if d.counting && !d.draft() {
		d.rowText(series, scene.FormatNumber(x), scene.FormatNumber(y), note)
	}
}

func (d *panelDrawing) rowText(series, x, y, note string) {
	if !d.counting || d.draft() {
		return
	}
	if len(d.rows) >= maxTableRows {
		d.moreRows++
		return
	}
	d.rows = append(d.rows, tableRow{d.title, series, x, y, note})
}

// scene resolves a figure, once. The scene is shared: drawing does not change it.
func (f *Figure) scene() (*scene.Scene, error) {
	if f == nil || f.resolved == nil {
		return f.resolve(staging{})
	}
	f.resolved.once.Do(func() { f.resolved.scene, f.resolved.err = f.resolve(staging{}) })
	return f.resolved.scene, f.resolved.err
}

// A storyboard is the panels of each frame of a figure.
type storyboard struct {
	grid    [][]*Figure // by frame, by panel
	columns int
	slide   *slides // or nil
	start   int     // the frame that is shown first
	whole   *Figure // that frame, where it holds all panels, or nil
}

// storyboard takes a figure apart.
func (f *Figure) storyboard() (*storyboard, error) {
	cells, columns, err := f.cells()
	if err != nil {
		return nil, err
	}
	b, steps := &storyboard{columns: columns}, 1
	for _, c := range cells {
		if c.frames == nil {
			continue
		}
		if b.slide == nil {
			b.slide, b.start, steps = c.frames, c.frames.start, len(c.frames.figures)
		} else if len(c.frames.figures) != steps {
			return nil, argument("Row", "panels", fmt.Sprintf("slides of %d and %d frames", steps, len(c.frames.figures)),
				"slides of one length", "")
		}
	}
	at := func(p, t int) *Figure {
		if c := cells[p]; c.frames != nil {
			return c.frames.figures[t]
		}
		return cells[p]
	}
	// A slide whose frames are rows: each frame is flattened, and all must have the same panels.
	b.grid = make([][]*Figure, steps)
	for t := range steps {
		for p := range cells {
			g := at(p, t)
			inner, cols, err := g.cells()
			if err != nil {
				return nil, err
			}
			if len(cells) == 1 && len(inner) > 1 {
				b.columns = cols
			}
			for _, h := range inner {
				if h.frames != nil {
					return nil, argument("Slide", "draw", "a figure with frames", "a figure without frames", "slide over pairs of values instead")
				}
			}
			b.grid[t] = append(b.grid[t], inner...)
		}
		if len(b.grid[t]) != len(b.grid[0]) {
			return nil, argument(
				"Slide",
				"draw",
				fmt.Sprintf("%d panels in frame %d", len(b.grid[t]), t),
				fmt.Sprintf("as many as in frame 0: %d", len(b.grid[0])),
				"",
			)
		}
	}
	b.columns = min(b.columns, len(b.grid[0]))
	if b.slide != nil && len(cells) == 1 {
		b.whole = at(0, b.start)
	}
	return b, nil
}

// single says that there is one panel.
func (b *storyboard) single() bool { return len(b.grid[0]) == 1 }

// title gives the picture the words of the figure, or else those of its only panel or of the frame that is shown first.
func (b *storyboard) title(s *scene.Scene, f *Figure) {
	g := b.whole
	if b.single() {
		g = b.grid[b.start][0]
	}
	if g == nil {
		g = f
	}
	s.Title, s.Subtitle, s.Caption, s.Link = or(f.title, g.title), or(f.subtitle, g.subtitle), or(f.caption, g.caption), or(f.link, g.link)
}

// survey looks at the layers of a panel in all frames.
func (b *storyboard) survey(pic *picture, p int) (*survey, error) {
	v := &survey{pic: pic}
	for t := range b.grid {
		g := b.grid[t][p]
		v.logX, v.logY = g.x.log, g.y.log
		v.equal = v.equal || g.equal
		xTicks, yTicks := v.xTicks, v.yTicks
		v.xTicks, v.yTicks = nil, nil
		for i, l := range g.layers {
			v.layer, pic.panel = i, p
			l.survey(v)
		}
		var was, is string
		if !g.x.named() {
			v.xTicks, was, is = fuse(xTicks, v.xTicks)
		}
		if was == is && !g.y.named() {
			v.yTicks, was, is = fuse(yTicks, v.yTicks)
		}
		for _, names := range [][2][]string{{b.grid[0][p].x.categories, g.x.categories}, {b.grid[0][p].y.categories, g.y.categories}} {
			for i := range min(len(names[0]), len(names[1])) {
				if was == is {
					was, is = names[0][i], names[1][i]
				}
			}
		}
		if was != is {
			return nil, argument("Slide", "draw", fmt.Sprintf("a place on an axis called %q in one frame and %q in another", was, is),
				"the same names at the same places in all frames", "give all frames all categories, in one order")
		}
	}
	return v, nil
}

// resolve chooses domains, ticks, colours and legend, and lowers every layer of every frame to marks.
func (f *Figure) resolve(stage staging) (*scene.Scene, error) {
	if err := f.Err(); err != nil {
		return nil, err
	}
	if f == nil {
		f = &Figure{}
	}
	b, err := f.storyboard()
	if err != nil {
		return nil, err
	}
	panels, columns, single := len(b.grid[0]), b.columns, b.single()
	s := &scene.Scene{Columns: columns}
	b.title(s, f)
	pic := &picture{several: !single, linked: !single || s.Link != "", staging: stage}
	surveys := make([]*survey, panels)
	for p := range panels {
		if surveys[p], err = b.survey(pic, p); err != nil {
			return nil, err
		}
	}
	pic.settle()
	if f.sharedX {
		shared := make([]extent, columns)
		for p, v := range surveys {
			shared[p%columns].join(v.x)
		}
		for p, v := range surveys {
			v.x = shared[p%columns]
		}
	}
	f.size(s, b.grid[b.start], surveys)
	header := 0.0
	for _, line := range []string{s.Title, s.Subtitle, s.Caption} {
		if line != "" {
			header += 22
		}
	}
	if len(pic.order) > 0 {
		header += 20
	}
	rows := (panels + columns - 1) / columns
	plotW := max(s.Width/float64(columns)-70, 40)
	plotH := max((s.Height-header)/float64(rows)-54, 40)
	for p := range panels {
		g := b.grid[b.start][p]
		if !surveys[p].noAxes { // graphs and trees have no axes that could stand still, and may grow
			g = stage.place(g, p, panels)
		}
		s.Panels = append(s.Panels, surveys[p].panel(g, single, plotW, plotH))
	}
	drawn := b.draw(s, pic, surveys, plotW, plotH)
	if pic.err != nil {
		return nil, pic.err
	}
	f.split(s, b.slide, b.grid, drawn, single)
	if !f.noLegend && !(single && b.grid[b.start][0].noLegend) {
		s.Legend = pic.legend
	}
	s.Notice = pic.notices()
	if stage.draft() {
		return s, nil
	}
	s.Table = pic.table(s)
	s.Alt = or(f.alt, pic.alt(s))
	return s, nil
}

// draw lowers the layers of each frame, by panel. The frame that is shown first comes first: it also fills notices and table.
func (b *storyboard) draw(s *scene.Scene, pic *picture, surveys []*survey, width, height float64) [][]panelDrawing {
	drawn := make([][]panelDrawing, len(b.grid))
	order := []int{b.start}
	for t := range b.grid {
		if t != b.start {
			order = append(order, t)
		}
	}
	for _, t := range order {
		pic.counting = t == b.start
		drawn[t] = make([]panelDrawing, len(b.grid[t]))
		for p, g := range b.grid[t] {
			d := &drawn[t][p]
			*d = panelDrawing{picture: pic, survey: surveys[p], panel: p, x: s.Panels[p].X, y: s.Panels[p].Y, w: width, h: height}
			if s.Panels[p].NoAxes {
				d.w, d.h = d.w+60, d.h+40
			}
			if !b.single() {
				d.title = g.title
			}
			for i, l := range g.layers {
				d.layer, d.count = i, 0
				l.lower(d)
			}
			if d.bar != nil && (t == b.start || s.Panels[p].ColorBar == nil) {
				s.Panels[p].ColorBar = d.bar
			}
		}
	}
	return drawn
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// cells flattens rows of rows to panels and the number of columns. Slides stay.
func (f *Figure) cells() ([]*Figure, int, error) {
	if len(f.panels) == 0 {
		return []*Figure{f}, 1, nil
	}
	var all []*Figure
	columns, nested := f.columns, 0
	for _, p := range f.panels {
		inner, cols, err := p.cells()
		if err != nil {
			return nil, 0, err
		}
		if len(inner) > 1 {
			if nested != 0 && nested != cols {
				return nil, 0, argument("Column", "figs", fmt.Sprintf("rows of %d and %d panels", nested, cols), "rows of one length", "use Grid")
			}
			nested = cols
		}
		all = append(all, inner...)
	}
	if nested > 0 && f.columns == 1 {
		columns = nested
	} else if nested > 0 {
		columns = len(all)
	}
	return all, columns, nil
}

// size chooses the size of the picture.
func (f *Figure) size(s *scene.Scene, figs []*Figure, surveys []*survey) {
	s.Width, s.Height = f.width, f.height
	if s.Width == 0 && len(figs) == 1 {
		s.Width, s.Height = figs[0].width, figs[0].height
	}
	if s.Width > 0 {
		return
	}
	rows := (len(figs) + s.Columns - 1) / s.Columns
	switch s.Columns {
	case 1:
		s.Width = defaultWidth
	case 2:
		s.Width = 800
	default:
		s.Width = min(320*float64(s.Columns), 960)
	}
	panel := s.Width / float64(s.Columns)
	height := 0.0
	for _, v := range surveys {
		h := min(0.62*panel+24, defaultHeight)
		if s.Columns > 1 {
			h = min(0.78*panel, 340)
		}
		if v.tall > 0 {
			h = min(max(v.tall*(panel-60)+54, 90), 640)
		}
		height = max(height, h)
	}
	if len(figs) == 1 && surveys[0].tall == 0 {
		height = defaultHeight
	} else {
		height = height*float64(rows) + 40
	}
	s.Height = math.Round(height)
}

// panel resolves domains and ticks.
func (v *survey) panel(g *Figure, single bool, w, h float64) scene.Panel {
	xo, yo := g.x, g.y
	for range xo.categories {
		v.noGridX = true
	}
	if len(xo.categories) > 0 {
		v.x.hard(-0.5, float64(len(xo.categories))-0.5)
	}
	if len(yo.categories) > 0 {
		v.y.hard(-0.5, float64(len(yo.categories))-0.5)
		v.noGridY = true
	}
	if v.xTicks != nil { // named places have no logarithm
		xo.log = false
	}
	if v.yTicks != nil {
		yo.log = false
	}
	share := 0.045
	p := scene.Panel{Equal: v.equal, NoAxes: g.noAxes || v.noAxes, Weight: 1}
	if !single {
		p.Title = g.title
	}
	p.X = scene.Axis{Label: xo.label, Log: xo.log, Grid: !g.noGrid && !v.noGridX}
	p.Y = scene.Axis{Label: yo.label, Log: yo.log, Grid: !g.noGrid && !v.noGridY}
	p.X.Lo, p.X.Hi = v.x.domain(xo, share, v.fx)
	p.Y.Lo, p.Y.Hi = v.y.domain(yo, share, v.fy)
	if v.equal && !p.X.Log && !p.Y.Log { // widen the axis that has room, so that the panel is filled
		sx, sy := (p.X.Hi-p.X.Lo)/w, (p.Y.Hi-p.Y.Lo)/h
		if sx < sy && !xo.set && !p.NoAxes && v.tall == 0 {
			p.X.Lo, p.X.Hi = widen(p.X.Lo, p.X.Hi, sy*w)
		} else if sy < sx && !yo.set && !p.NoAxes && v.tall == 0 {
			p.Y.Lo, p.Y.Hi = widen(p.Y.Lo, p.Y.Hi, sx*h)
		}
	}
	p.X.Ticks = v.ticks(p.X, xo, v.xTicks, w, true)
	p.Y.Ticks = v.ticks(p.Y, yo, v.yTicks, h, false)
	return p
}

func widen(lo, hi, span float64) (float64, float64) {
	mid := lo + (hi-lo)/2
	return mid - span/2, mid + span/2
}

// ticks returns the ticks of an axis of the given length in pixels.
func (v *survey) ticks(a scene.Axis, o axisOptions, own []scene.Tick, length float64, horizontal bool) []scene.Tick {
	if o.ticksSet {
		var ticks []scene.Tick
		for i, at := range o.ticks {
			if !a.Shows(at) || at < a.Lo || at > a.Hi {
				continue
			}
			label := ""
			if len(o.labels) > 0 {
				label = scene.Clean(o.labels[i], 80)
			} else {
				label = scene.FormatNumber(at)
			}
			ticks = append(ticks, scene.Tick{At: at, Label: label})
		}
		return ticks
	}
	if len(o.categories) > 0 {
		var ticks []scene.Tick
		room, need := length/float64(len(o.categories)), 14.0
		if horizontal {
			need = 24
			for _, c := range o.categories { // labels may wrap, turn or be left out in the back end; every n-th when far too many
				need = max(need, min(scene.TextWidth(c, scene.TickLabelSize, false)+6, 24))
			}
		}
		stride := max(1, int(math.Ceil(need/2/max(room, 1e-9))))
		for i, c := range o.categories {
			if at := float64(i); i%stride == 0 && a.Shows(at) && at >= a.Lo && at <= a.Hi {
				ticks = append(ticks, scene.Tick{At: at, Label: scene.Clean(c, 80)})
			}
		}
		return ticks
	}
	if own != nil {
		return slices.DeleteFunc(slices.Clone(own), func(t scene.Tick) bool { return !a.Shows(t.At) || t.At < a.Lo || t.At > a.Hi })
	}
	n := max(int(length/50), 2)
	if horizontal {
		n = max(int(length/80), 2)
	}
	for {
		var ticks []scene.Tick
		if a.Log {
			ticks = scene.LogTicks(a.Lo, a.Hi, n)
		} else {
			ticks = scene.LinearTicks(a.Lo, a.Hi, n)
		}
		if !horizontal || n <= 2 {
			return ticks
		}
		width := 0.0
		for _, t := range ticks {
			width += scene.TextWidth(t.Label, scene.TickLabelSize, false) + 14
		}
		if width <= length {
			return ticks
		}
		n--
	}
}

// split parts what stays from what moves.
func (f *Figure) split(s *scene.Scene, slide *slides, grid [][]*Figure, drawn [][]panelDrawing, single bool) {
	if slide == nil {
		for p := range s.Panels {
			s.Panels[p].Marks = drawn[0][p].marks
		}
		return
	}
	s.Frames = &scene.Frames{Name: slide.name, Labels: slide.labels, Start: slide.start, Interval: slide.interval}
	s.Frames.Steps = make([]scene.Frame, len(grid))
	for t := range grid {
		st := &s.Frames.Steps[t]
		st.Marks = make([][]scene.Mark, len(s.Panels))
		if single && f.subtitle == "" {
			st.Subtitle = grid[t][0].subtitle
		} else if f.subtitle == "" && f.frames != nil {
			st.Subtitle = f.frames.figures[t].subtitle
		}
	}
	if !single {
		for p := range s.Panels {
			moves := false
			for t := range grid {
				moves = moves || grid[t][p].title != grid[0][p].title
			}
			if moves {
				for t := range grid {
					if s.Frames.Steps[t].Titles == nil {
						for q := range s.Panels {
							s.Frames.Steps[t].Titles = append(s.Frames.Steps[t].Titles, grid[t][q].title)
						}
					}
				}
			}
		}
	}
	for p := range s.Panels {
		still := make(map[string]bool)
		for _, m := range drawn[0][p].marks {
			still[m.ID] = true
		}
		for t := 1; t < len(grid); t++ {
			byID := make(map[string]int, len(drawn[t][p].marks))
			for i, m := range drawn[t][p].marks {
				byID[m.ID] = i
			}
			for i := range drawn[0][p].marks {
				m := &drawn[0][p].marks[i]
				if j, ok := byID[m.ID]; !ok || still[m.ID] && !reflect.DeepEqual(*m, drawn[t][p].marks[j]) {
					still[m.ID] = false
				}
			}
		}
		for t := range grid {
			for _, m := range drawn[t][p].marks {
				switch {
				case !still[m.ID]:
					s.Frames.Steps[t].Marks[p] = append(s.Frames.Steps[t].Marks[p], m)
				case t == 0:
					s.Panels[p].Marks = append(s.Panels[p].Marks, m)
				}
			}
		}
	}
}

func (p *picture) table(s *scene.Scene) scene.Table {
	t := scene.Table{More: p.moreRows}
	xLabel, yLabel := "x", "y"
	if len(s.Panels) > 0 {
		xLabel, yLabel = or(s.Panels[0].X.Label, "x"), or(s.Panels[0].Y.Label, "y")
	}
	columns := []string{"panel", "series", xLabel, yLabel, "note"}
	used := make([]bool, len(columns))
	for _, r := range p.rows {
		for i, c := range r.fields() {
			used[i] = used[i] || c != ""
		}
	}
	for i, c := range columns {
		if used[i] {
			t.Columns = append(t.Columns, c)
		}
	}
	for _, r := range p.rows {
		var row []string
		for i, c := range r.fields() {
			if used[i] {
				row = append(row, c)
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (r tableRow) fields() []string { return []string{r.panel, r.series, r.x, r.y, r.note} }

func (p *picture) notices() string {
	var parts []string
	if p.sampled[1] > 0 {
		parts = append(parts, fmt.Sprintf("%s of %s points are drawn.", number.Int(p.sampled[0]), number.Int(p.sampled[1])))
	}
	switch {
	case p.dropped == 1:
		parts = append(parts, "1 value cannot be drawn (not finite, or not positive on a log axis).")
	case p.dropped > 1:
		parts = append(parts, fmt.Sprintf("%s values cannot be drawn (not finite, or not positive on a log axis).", number.Int(p.dropped)))
	}
	return strings.Join(append(parts, p.other...), " ")
}

// alt describes the picture in a few sentences.
func (p *picture) alt(s *scene.Scene) string {
	var b strings.Builder
	if s.Title != "" {
		b.WriteString(strings.TrimRight(s.Title, ".") + ". ")
	} else {
		b.WriteString("Figure. ")
	}
	if n := len(s.Panels); n > 1 {
		fmt.Fprintf(&b, "%d panels. ", n)
	}
	facts := p.facts
	if len(facts) > 12 {
		facts = append(slices.Clone(facts[:12]), fmt.Sprintf("and %d more layers", len(p.facts)-12))
	}
	if len(facts) > 0 {
		b.WriteString(strings.ToUpper(facts[0][:1]) + facts[0][1:])
		for _, f := range facts[1:] {
			b.WriteString("; " + f)
		}
		b.WriteString(". ")
	}
	for i, panel := range s.Panels {
		if panel.NoAxes || i > 0 && s.Panels[i-1].X.Label == panel.X.Label && s.Panels[i-1].Y.Label == panel.Y.Label {
			continue
		}
		fmt.Fprintf(&b, "Horizontal axis: %s. Vertical axis: %s. ", describeAxis(panel.X, "x"), describeAxis(panel.Y, "y"))
	}
	if s.Frames != nil {
		fmt.Fprintf(
			&b,
			"%d frames: %s from %s to %s. ",
			len(s.Frames.Steps),
			s.Frames.Name,
			s.Frames.Labels[0],
			s.Frames.Labels[len(s.Frames.Labels)-1],
		)
	}
	return strings.TrimSpace(b.String())
}

// describeAxis names an axis and its range or its categories.
func describeAxis(a scene.Axis, name string) string {
	name = scene.Clean(or(a.Label, name), 100)
	if len(a.Ticks) > 0 && !scene.Numeric(a.Ticks) {
		var names []string
		for _, t := range a.Ticks {
			names = append(names, t.Label)
		}
		return name + ", with " + joinSome(names, 12)
	}
	if a.Log {
		name += ", logarithmic"
	}
	return fmt.Sprintf("%s, from %s to %s", name, number.Format(a.Lo, 3), number.Format(a.Hi, 3))
}

// colorBar gives the panel a colour bar; the first layer that asks for one has it.
func (d *panelDrawing) colorBar(label string, lo, hi float64, diverging bool) {
	if d.bar == nil {
		d.bar = &scene.ColorBar{Label: label, Lo: lo, Hi: hi, Ticks: scene.LinearTicks(lo, hi, 5), Diverging: diverging}
	}
}
