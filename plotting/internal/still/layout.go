// Package still draws a scene on paper: on the small SVG documents of package svg, and on any other canvas of gonum/plot's vg.
package still

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"github.com/prlab/prlab/plotting/internal/scene"
)

// layout lays a scene out on paper: title, subtitle and legend on top, then the panels in their grid, then caption and notice.
type layout struct {
	*scene.Scene
	width, height  float64
	columns        int
	cells          []cellPanel // what stands in the grid
	title, sub     []string
	caption        []string
	legend         [][]legendItem
	header, footer float64
	margins        margins
	bars           float64 // width of the colour bars
	gapX, gapY     float64
	strip          bool
}

// cellPanel is one panel of the grid with its marks in painting order.
type cellPanel struct {
	scene.Panel
	marks []scene.Mark
}

type margins struct{ left, right, top, bottom float64 }

type legendItem struct {
	scene.LegendEntry
	label string
	x     float64
}

const (
	titleLine    = scene.TitleSize * 1.3
	subtitleLine = scene.SubtitleSize * 1.35
	captionLine  = scene.CaptionSize * 1.35
	legendLine   = 19.0
	stripWidth   = 720.0
	stripHeight  = 900.0  // the most that three rows of frames may take
	stripHead    = 60.0   // about what stands above and below them
	stripMost    = 1200.0 // the most that frames of several panels may take, to stand on a page in full width
)

// lay chooses the panels to draw and finds room for everything.
func lay(s *scene.Scene) *layout {
	l := &layout{Scene: s, width: s.Width, height: s.Height, columns: max(s.Columns, 1), gapX: 18, gapY: 16}
	subtitle := s.Subtitle
	if s.Frames == nil || len(s.Frames.Steps) == 0 {
		for _, p := range s.Panels {
			l.cells = append(l.cells, cellPanel{p, inOrder(p.Marks)})
		}
	} else {
		l.filmStrip()
		for _, step := range s.Frames.Steps { // what is true of one frame only does not head them all
			if step.Subtitle != s.Frames.Steps[0].Subtitle {
				subtitle = ""
			}
		}
	}
	l.title = scene.Wrap(scene.Clean(s.Title, 400), l.width-4, scene.TitleSize, true, 3)
	l.sub = scene.Wrap(scene.Clean(subtitle, 600), l.width-4, scene.SubtitleSize, false, 4)
	caption := strings.TrimSpace(s.Caption)
	if s.Notice != "" {
		caption = strings.TrimSpace(caption + " " + s.Notice)
	}
	l.caption = scene.Wrap(scene.Clean(caption, 1000), l.width-4, scene.CaptionSize, false, 6)
	l.layLegend()
	if len(l.title) > 0 {
		l.header += titleLine*float64(len(l.title)) + 2
	}
	if len(l.sub) > 0 {
		l.header += subtitleLine*float64(len(l.sub)) + 2
	}
	if len(l.legend) > 0 {
		l.header += legendLine*float64(len(l.legend)) + 4
	}
	if l.header > 0 {
		l.header += 4
	}
	if len(l.caption) > 0 {
		l.footer = captionLine*float64(len(l.caption)) + 6
	}
	l.layMargins()
	// Never so many words that the picture has no room.
	rows := (len(l.cells) + l.columns - 1) / l.columns
	need := l.header + l.footer + float64(rows)*(l.margins.top+l.margins.bottom+60) + float64(rows-1)*l.gapY
	l.height = max(l.height, need)
	if l.strip {
		l.tighten()
	}
	return l
}

// tighten makes the rows of a film strip no higher than panels need whose axes have equal units.
func (l *layout) tighten() {
	_, _, width, height := l.cell(0)
	high := 0.0
	for i := range l.cells {
		c := &l.cells[i]
		if !c.Equal || c.X.Log || c.Y.Log {
			return
		}
		a := l.plot(*c, 0, 0, width, height)
		high = max(high, a.y1-a.y0+l.margins.top+l.margins.bottom)
	}
	if rows := (len(l.cells) + l.columns - 1) / l.columns; high < height {
		l.height -= float64(rows) * (height - high)
	}
}

func inOrder(marks []scene.Mark) []scene.Mark {
	sorted := slices.Clone(marks)
	slices.SortStableFunc(sorted, func(a, b scene.Mark) int { return a.Z - b.Z })
	return sorted
}

// filmStrip puts up to six frames, the first, the last and others evenly between them, where a single picture would stand:
// at most two frames a row, so that their words can still be read on paper, and four where three rows would fill a page.
func (l *layout) filmStrip() {
	f := l.Frames
	l.strip = true
	perFrame := len(l.Panels)
	n := min(len(f.Steps), 6)
	aspect := l.height / l.width
	width := min(stripWidth, max(l.width, 480))
	rowHeight := min(max(l.width*aspect*0.8, 120), 240)
	if perFrame == 1 {
		frameHeight := func(cell float64) float64 { return min(max(cell*aspect+56, 150), 420) }
		if n > 4 && 3*frameHeight(stripWidth/2)+stripHead > stripHeight {
			n = 4
		}
		if n > 4 {
			width = stripWidth
		}
		l.columns = min(n, 2)
		rowHeight = frameHeight(width / float64(l.columns))
	} else {
		n = min(n, 4)
		l.columns = min(l.columns, perFrame)
		rows := n * ((perFrame + l.columns - 1) / l.columns)
		rowHeight = min(rowHeight, max(stripMost/float64(rows), 120))
	}
	l.width = width
	var chosen []int
	for i := range n {
		k := 0
		if n > 1 {
			k = int(math.Round(float64(i) * float64(len(f.Steps)-1) / float64(n-1)))
		}
		chosen = append(chosen, k)
	}
	for _, k := range chosen {
		for p, panel := range l.Panels {
			marks := slices.Clone(panel.Marks)
			step := f.Steps[k]
			if p < len(step.Marks) {
				marks = append(marks, step.Marks[p]...)
			}
			if p < len(step.Titles) {
				panel.Title = step.Titles[p]
			}
			name := f.Labels[k]
			if f.Name != "" {
				name = f.Name + " = " + f.Labels[k]
			}
			switch {
			case perFrame == 1:
				panel.Title = name
			case p == 0 && panel.Title != "":
				panel.Title = name + ": " + panel.Title
			case p == 0:
				panel.Title = name
			}
			l.cells = append(l.cells, cellPanel{panel, inOrder(marks)})
		}
	}
	l.height = float64((len(l.cells)+l.columns-1)/l.columns)*rowHeight + stripHead
}

// layLegend breaks the legend into lines.
func (l *layout) layLegend() {
	x := 0.0
	var line []legendItem
	for _, e := range l.Scene.Legend {
		label := scene.Fit(scene.Clean(e.Label, 80), min(260, l.width-30), scene.LegendSize, false)
		w := glyphWidth(e) + 6 + scene.TextWidth(label, scene.LegendSize, false)
		if len(line) > 0 && x+w > l.width-2 {
			l.legend = append(l.legend, line)
			line, x = nil, 0
		}
		line = append(line, legendItem{e, label, x})
		x += w + 16
	}
	if len(line) > 0 {
		l.legend = append(l.legend, line)
	}
	if len(l.legend) > 6 { // a legend that fills the page helps nobody
		left := 0
		for _, line := range l.legend[6:] {
			left += len(line)
		}
		l.legend = l.legend[:6]
		last := &l.legend[5]
		*last = append(
			(*last)[:1:1],
			legendItem{
				scene.LegendEntry{},
				fmt.Sprintf("and %d more", left+len(*last)-1),
				(*last)[0].x + glyphWidth((*last)[0].LegendEntry) + 22 + scene.TextWidth((*last)[0].label, scene.LegendSize, false),
			},
		)
	}
}

func glyphWidth(e scene.LegendEntry) float64 {
	switch {
	case e.Swatch:
		return 14
	case e.Symbol != "" && e.Dash == nil && e.Stroke.Token == scene.TokenBackground || e.Symbol != "" && e.Width < 1.5:
		return 10
	case e.Symbol != "" || e.Stroke.Token != scene.TokenNone:
		return 22
	}
	return 0
}

// layMargins makes room for the widest tick labels of all panels, so that the axes of a grid stand in line.
func (l *layout) layMargins() {
	m := margins{left: 4, right: 6, top: 6, bottom: 4}
	cell := (l.width - l.gapX*float64(l.columns-1)) / float64(l.columns)
	for i := range l.cells {
		p := &l.cells[i].Panel
		if p.Title != "" {
			m.top = max(m.top, scene.PanelTitleSize*1.5+4)
		}
		if p.ColorBar != nil {
			w := 0.0
			for _, t := range p.ColorBar.Ticks {
				w = max(w, scene.TextWidth(t.Label, scene.TickLabelSize, false))
			}
			w += 12 + 12 + 8
			if p.ColorBar.Label != "" {
				w += 16
			}
			l.bars = max(l.bars, w)
		}
		if p.NoAxes {
			continue
		}
		left := 6.0
		for _, t := range p.Y.Ticks {
			left = max(left, scene.AxisTickLength+4+min(scene.TextWidth(t.Label, scene.TickLabelSize, false), 0.3*cell))
		}
		if p.Y.Label != "" {
			left += 22
		}
		m.left = max(m.left, left)
		if n := len(p.X.Ticks); n > 0 { // half of the last label may stand out
			last := p.X.Ticks[n-1]
			if p.X.At(last.At) > 0.9 && n <= 12 {
				m.right = max(m.right, min(scene.TextWidth(last.Label, scene.TickLabelSize, false)/2-(1-p.X.At(last.At))*cell*0.7, 40))
			}
		}
	}
	for i := range l.cells {
		p := &l.cells[i].Panel
		if p.NoAxes {
			continue
		}
		room := cell - m.left - m.right - l.bars
		_, h := tickRows(p.X, room)
		bottom := scene.AxisTickLength + 3 + h
		if len(p.X.Ticks) == 0 {
			bottom = 6
		}
		if p.X.Label != "" {
			bottom += 19
		}
		m.bottom = max(m.bottom, bottom)
	}
	l.margins = m
}

// tickStyle is how the labels of a horizontal axis are written.
type tickStyle int

const (
	tickLevel tickStyle = iota
	tickWrapped
	tickSlanted
)

const slant = 40.0 // degrees

// tickRows chooses how the tick labels of a horizontal axis of the given length are written, and their height.
func tickRows(a scene.Axis, length float64) (tickStyle, float64) {
	if len(a.Ticks) == 0 {
		return tickLevel, 0
	}
	widest, word := 0.0, 0.0
	for _, t := range a.Ticks {
		widest = max(widest, scene.TextWidth(t.Label, scene.TickLabelSize, false))
		for _, w := range strings.Fields(t.Label) {
			word = max(word, scene.TextWidth(w, scene.TickLabelSize, false))
		}
	}
	room := math.Inf(1)
	for i := 1; i < len(a.Ticks); i++ {
		room = min(room, math.Abs(a.At(a.Ticks[i].At)-a.At(a.Ticks[i-1].At))*length)
	}
	switch {
	case len(a.Ticks) == 1 || widest+6 <= room || scene.Numeric(a.Ticks):
		return tickLevel, scene.TickLabelSize * 1.15
	case word+6 <= room:
		lines := 1
		for _, t := range a.Ticks {
			lines = max(lines, len(scene.Wrap(t.Label, room-6, scene.TickLabelSize, false, 3)))
		}
		return tickWrapped, scene.TickLabelSize * 1.15 * float64(lines)
	}
	sin, cos := math.Sincos(slant * math.Pi / 180)
	return tickSlanted, min(widest, 110)*sin + scene.TickLabelSize*cos
}

// draw draws the picture.
func (l *layout) draw(p *pen) {
	p.fill(p.rect(0, 0, l.width, l.height), scene.Paint{Token: scene.TokenBackground})
	y := 0.0
	for _, line := range l.title {
		p.text(0, y+scene.TitleSize, line, lettering{size: scene.TitleSize, bold: true, fill: scene.Paint{Token: scene.TokenForeground}})
		y += titleLine
	}
	if len(l.title) > 0 {
		y += 2
	}
	for _, line := range l.sub {
		p.text(0, y+scene.SubtitleSize, line, lettering{size: scene.SubtitleSize, fill: scene.Paint{Token: scene.TokenMuted}})
		y += subtitleLine
	}
	if len(l.sub) > 0 {
		y += 2
	}
	for _, line := range l.legend {
		for _, e := range line {
			l.glyph(p, e, y+legendLine/2+2)
		}
		y += legendLine
	}
	for i, c := range l.cells {
		x, top, cellW, cellH := l.cell(i)
		if l.strip { // all frames share their axes: names at the edges only
			if i%l.columns != 0 && len(l.Panels) == 1 {
				c.Y.Label = ""
			}
			if i+l.columns < len(l.cells) {
				c.X.Label = ""
			}
		}
		if len(l.cells) > 1 && p.svg != nil { // each about its own corner, so that the canvas sees what they share
			p.svg.Cell(x, top)
			x, top = 0, 0
		}
		l.panel(p, c, x, top, cellW, cellH)
	}
	if p.svg != nil {
		p.svg.EndCells()
	}
	y = l.height - l.footer + 6
	for _, line := range l.caption {
		p.text(0, y+scene.CaptionSize, line, lettering{size: scene.CaptionSize, fill: scene.Paint{Token: scene.TokenMuted}})
		y += captionLine
	}
}

// cell returns the corner and the size of a cell of the grid.
func (l *layout) cell(i int) (x, top, w, h float64) {
	rows := (len(l.cells) + l.columns - 1) / l.columns
	w = (l.width - l.gapX*float64(l.columns-1)) / float64(l.columns)
	h = (l.height - l.header - l.footer - l.gapY*float64(rows-1)) / float64(rows)
	return float64(i%l.columns) * (w + l.gapX), l.header + float64(i/l.columns)*(h+l.gapY), w, h
}

// glyph draws an entry of the legend around the height y.
func (l *layout) glyph(p *pen, e legendItem, y float64) {
	w := glyphWidth(e.LegendEntry)
	switch {
	case e.Swatch:
		box := p.rect(e.x, y-6, e.x+13, y+6)
		p.fill(box, e.Fill)
		if e.Stroke.Token != scene.TokenBackground {
			p.stroke(box, e.Stroke, 1, nil)
		}
	case e.Symbol != "":
		if w > 10 {
			stroke := e.Stroke
			if stroke.Token == scene.TokenBackground || stroke.Token == scene.TokenNone {
				stroke = e.Fill
			}
			p.line(e.x, y, e.x+w, y, stroke, max(e.Width, 1.5), e.Dash)
		}
		path := p.outlined(e.Symbol, e.x+w/2, y, 8)
		if e.Symbol == scene.Plus || e.Symbol == scene.Cross {
			p.stroke(path, e.Stroke.Or(e.Fill), max(e.Width, 1.5), nil)
			break
		}
		fill := e.Fill
		fill.Opacity = 1
		if !p.fill(path, fill) || e.Stroke.Token == scene.TokenForeground {
			p.stroke(path, e.Stroke, max(e.Width, 0.75), nil)
		}
	default:
		p.line(e.x, y, e.x+w, y, e.Stroke, max(e.Width, 1.5), e.Dash)
	}
	p.text(
		e.x+w+6,
		y,
		e.label,
		lettering{size: scene.LegendSize, fill: scene.Paint{Token: scene.TokenForeground}, at: scene.At("start", "middle")},
	)
}

// area is the plot area of a panel in pixels, with its axes.
type area struct {
	x0, y0, x1, y1 float64 // y0 is the upper edge
	x, y           scene.Axis
}

func (a area) at(p [2]float64) [2]float64 {
	return [2]float64{a.x0 + a.x.At(p[0])*(a.x1-a.x0), a.y1 - a.y.At(p[1])*(a.y1-a.y0)}
}

// plot returns the plot area of a panel in its cell of the grid.
func (l *layout) plot(c cellPanel, x, y, w, h float64) area {
	m := l.margins
	a := area{x + m.left, y + m.top, x + w - m.right - l.bars, y + h - m.bottom, c.X, c.Y}
	if c.NoAxes {
		a.x0, a.y1 = x+4, y+h-4
		if l.columns == 1 && c.ColorBar == nil {
			a.x1 = x + w - 4
		}
	}
	if a.x1-a.x0 < 10 {
		a.x1 = a.x0 + 10
	}
	if a.y1-a.y0 < 10 {
		a.y1 = a.y0 + 10
	}
	if c.Equal && !c.X.Log && !c.Y.Log { // shrink the side that is too long
		ux, uy := (a.x1-a.x0)/(c.X.Hi-c.X.Lo), (a.y1-a.y0)/(c.Y.Hi-c.Y.Lo)
		if ux > uy {
			mid, half := (a.x0+a.x1)/2, uy*(c.X.Hi-c.X.Lo)/2
			if !c.NoAxes && l.columns == 1 {
				mid = a.x0 + half
			}
			a.x0, a.x1 = mid-half, mid+half
		} else {
			mid, half := (a.y0+a.y1)/2, ux*(c.Y.Hi-c.Y.Lo)/2
			a.y0, a.y1 = mid-half, mid+half
		}
	}
	return a
}

// panel draws one panel into its cell of the grid.
func (l *layout) panel(p *pen, c cellPanel, x, y, w, h float64) {
	a := l.plot(c, x, y, w, h)
	if c.Title != "" {
		title := scene.Fit(scene.Clean(c.Title, 200), w-l.margins.left-4, scene.PanelTitleSize, true)
		p.text(a.x0, a.y0-8, title, lettering{size: scene.PanelTitleSize, bold: true, fill: scene.Paint{Token: scene.TokenForeground}})
	}
	if !c.NoAxes {
		l.grid(p, c, a)
	}
	for i := range c.marks {
		if c.marks[i].Z < 1000 {
			a.mark(p, &c.marks[i])
		}
	}
	if !c.NoAxes {
		l.axes(p, c, a, x)
	}
	for i := range c.marks {
		if c.marks[i].Z >= 1000 {
			a.mark(p, &c.marks[i])
		}
	}
	if c.ColorBar != nil {
		l.colorBar(p, c.ColorBar, a)
	}
}

func (l *layout) grid(p *pen, c cellPanel, a area) {
	var path vg.Path
	if c.X.Grid {
		for _, t := range c.X.Ticks {
			q := a.at([2]float64{t.At, c.Y.Lo})
			path = append(path, p.poly([][2]float64{{q[0], a.y0}, {q[0], a.y1}}, false)...)
		}
	}
	if c.Y.Grid {
		for _, t := range c.Y.Ticks {
			q := a.at([2]float64{c.X.Lo, t.At})
			path = append(path, p.poly([][2]float64{{a.x0, q[1]}, {a.x1, q[1]}}, false)...)
		}
	}
	p.stroke(path, scene.Paint{Token: scene.TokenGrid}, 1, nil)
}

func (l *layout) axes(p *pen, c cellPanel, a area, left float64) {
	var path vg.Path
	path = append(path, p.poly([][2]float64{{a.x0, a.y1}, {a.x1, a.y1}}, false)...)
	path = append(path, p.poly([][2]float64{{a.x0, a.y0}, {a.x0, a.y1}}, false)...)
	muted := scene.Paint{Token: scene.TokenMuted}
	style, height := tickRows(c.X, a.x1-a.x0)
	room := math.Inf(1)
	for i := 1; i < len(c.X.Ticks); i++ {
		room = min(room, math.Abs(c.X.At(c.X.Ticks[i].At)-c.X.At(c.X.Ticks[i-1].At))*(a.x1-a.x0))
	}
	end := math.Inf(-1)
	for _, t := range c.X.Ticks {
		q := a.at([2]float64{t.At, c.Y.Lo})
		path = append(path, p.poly([][2]float64{{q[0], a.y1}, {q[0], a.y1 + scene.AxisTickLength}}, false)...)
		letters := lettering{size: scene.TickLabelSize, fill: muted, at: scene.At("middle", "top")}
		base := a.y1 + scene.AxisTickLength + 3
		switch style {
		case tickWrapped:
			for i, line := range scene.Wrap(t.Label, room-6, scene.TickLabelSize, false, 3) {
				p.text(q[0], base+float64(i)*scene.TickLabelSize*1.15, line, letters)
			}
		case tickSlanted:
			letters.at, letters.angle = scene.At("end", "middle"), slant
			p.text(q[0]+4, base+4, scene.Fit(t.Label, 110, scene.TickLabelSize, false), letters)
		default:
			w := scene.TextWidth(t.Label, scene.TickLabelSize, false)
			if q[0]-w/2 < end+5 { // a label that would touch the one before is left out
				continue
			}
			end = q[0] + w/2
			p.text(q[0], base, t.Label, letters)
		}
	}
	widest := 0.0
	last := math.Inf(1)
	for _, t := range c.Y.Ticks {
		q := a.at([2]float64{c.X.Lo, t.At})
		path = append(path, p.poly([][2]float64{{a.x0 - scene.AxisTickLength, q[1]}, {a.x0, q[1]}}, false)...)
		label := scene.Fit(t.Label, max(0.3*(l.width/float64(l.columns)), 20), scene.TickLabelSize, false)
		widest = max(widest, scene.TextWidth(label, scene.TickLabelSize, false))
		if math.Abs(last-q[1]) < scene.TickLabelSize {
			continue
		}
		last = q[1]
		p.text(a.x0-scene.AxisTickLength-4, q[1], label, lettering{size: scene.TickLabelSize, fill: muted, at: scene.At("end", "middle")})
	}
	p.stroke(path, scene.Paint{Token: scene.TokenMuted, Opacity: 0.8}, scene.AxisStrokeWidth, nil)
	fg := scene.Paint{Token: scene.TokenForeground}
	if c.X.Label != "" {
		s := scene.Fit(scene.Clean(c.X.Label, 200), a.x1-a.x0+40, scene.AxisLabelSize, false)
		p.text(
			(a.x0+a.x1)/2,
			a.y1+scene.AxisTickLength+3+height+5,
			s,
			lettering{size: scene.AxisLabelSize, fill: fg, at: scene.At("middle", "top")},
		)
	}
	if c.Y.Label != "" {
		s := scene.Fit(scene.Clean(c.Y.Label, 200), a.y1-a.y0+20, scene.AxisLabelSize, false)
		x := max(a.x0-scene.AxisTickLength-4-widest-13, left+7)
		p.text(x, (a.y0+a.y1)/2, s, lettering{size: scene.AxisLabelSize, fill: fg, at: scene.At("middle", "middle"), angle: 90})
	}
}

func (l *layout) colorBar(p *pen, b *scene.ColorBar, a area) {
	const steps = 48
	x0 := a.x1 + 12
	h := min(a.y1-a.y0, 260)
	top := (a.y0+a.y1)/2 - h/2
	token := scene.TokenSequential
	if b.Diverging {
		token = scene.TokenDiverging
	}
	if p.svg != nil {
		stops := p.palette.Sequential
		if b.Diverging {
			stops = p.palette.Diverging
		}
		p.svg.Ramp(x0, top, x0+12, top+h, stops)
	} else {
		for i := range steps {
			v := 1 - (float64(i)+0.5)/steps
			y := top + h*float64(i)/steps
			bottom := min(y+h/steps+0.5, top+h) // overlap, so that no line shows between
			p.fill(p.rect(x0, y, x0+12, bottom), scene.Paint{Token: token, Value: v})
		}
	}
	scale := scene.Axis{Lo: b.Lo, Hi: b.Hi, Log: b.Log}
	widest := 0.0
	last := math.Inf(1)
	for _, t := range b.Ticks {
		y := top + h*(1-scale.At(t.At))
		if !(y >= top-1 && y <= top+h+1) || math.Abs(last-y) < scene.TickLabelSize {
			continue
		}
		last = y
		p.line(x0+12, y, x0+15, y, scene.Paint{Token: scene.TokenMuted}, 1, nil)
		p.text(
			x0+18,
			y,
			t.Label,
			lettering{size: scene.TickLabelSize, fill: scene.Paint{Token: scene.TokenMuted}, at: scene.At("start", "middle")},
		)
		widest = max(widest, scene.TextWidth(t.Label, scene.TickLabelSize, false))
	}
	if b.Label != "" {
		s := scene.Fit(scene.Clean(b.Label, 100), h, scene.AxisLabelSize, false)
		p.text(
			x0+18+widest+11,
			top+h/2,
			s,
			lettering{size: scene.AxisLabelSize, fill: scene.Paint{Token: scene.TokenForeground}, at: scene.At("middle", "middle"), angle: 90},
		)
	}
}
