package plotting

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/prlab/prlab/plotting/internal/scene"
)

// PointsLayer is a scatter of points. Make one with Points.
type PointsLayer struct {
	style
	x, y      []float64
	by        []int
	names     []string
	classed   bool
	size      float64
	sizes     []float64
	values    []float64
	valueName string
	diverging bool
	mix       [][]float64
	mixNames  []string
	marker    string
	hollow    bool
	opacity   float64
	labels    []string
	notes     []string
	rows      []int
}

// Points draws a symbol at every (x[i], y[i]). Pairs with a NaN or an infinity are left out and counted in the notice; of more than
// 200,000 points an even sample is drawn.
func Points(x, y []float64) PointsLayer {
	return PointsLayer{x: slices.Clone(x), y: slices.Clone(y)}
}

// By gives each point the colour and the marker of its class: labels[i] in 0..K-1 is an index into names. Missing names are "class 0",
// "class 1", ... A class of the same name looks the same in every layer and panel. A first layer without points gives its classes the first
// colours, whatever is drawn below the points that follow.
func (p PointsLayer) By(labels []int, names ...string) PointsLayer {
	p.by, p.names, p.classed = slices.Clone(labels), slices.Clone(names), true
	return p
}

// Class gives all points the colour and the marker of one class.
func (p PointsLayer) Class(name string) PointsLayer { p.class = name; return p }

// Name sets the legend entry.
func (p PointsLayer) Name(legend string) PointsLayer { p.name = legend; return p }

// Size sets the diameter in pixels; the default is 7, smaller when there are many points.
func (p PointsLayer) Size(px float64) PointsLayer { p.size = px; return p }

// Sizes sets one diameter a point, in pixels.
func (p PointsLayer) Sizes(px []float64) PointsLayer { p.sizes = slices.Clone(px); return p }

// Values colours the points on the sequential ramp, with a colour bar called label.
func (p PointsLayer) Values(v []float64, label string) PointsLayer {
	p.values, p.valueName = slices.Clone(v), label
	return p
}

// Diverging uses for Values the ramp with a middle at 0.
func (p PointsLayer) Diverging() PointsLayer { p.diverging = true; return p }

// Mix colours point i by the mixture resp[i][0..K-1] of the classes' colours: the responsibilities of a mixture model.
func (p PointsLayer) Mix(resp [][]float64, names ...string) PointsLayer {
	p.mix = make([][]float64, len(resp))
	for i, r := range resp {
		p.mix[i] = slices.Clone(r)
	}
	p.mixNames = slices.Clone(names)
	return p
}

// Marker chooses the symbol: circle, square, triangle, diamond, plus, cross, down or star.
func (p PointsLayer) Marker(name string) PointsLayer { p.marker = name; return p }

// Hollow draws only the outline of the symbols.
func (p PointsLayer) Hollow() PointsLayer { p.hollow = true; return p }

// Opacity sets the opacity in (0, 1].
func (p PointsLayer) Opacity(o float64) PointsLayer { p.opacity = o; return p }

// Labels writes a text beside each point.
func (p PointsLayer) Labels(texts ...string) PointsLayer { p.labels = slices.Clone(texts); return p }

// Notes sets what a point says under the pointer, before its coordinates.
func (p PointsLayer) Notes(texts ...string) PointsLayer { p.notes = slices.Clone(texts); return p }

// Rows tells the row of the data set each point stands for, for linked figures; the default is 0, 1, 2, ...
func (p PointsLayer) Rows(ids []int) PointsLayer { p.rows = slices.Clone(ids); return p }

// Accent draws the points in the accent colour.
func (p PointsLayer) Accent() PointsLayer { p.accent = true; return p }

// Muted draws the points in grey.
func (p PointsLayer) Muted() PointsLayer { p.muted = true; return p }

func (p PointsLayer) check() error {
	n := len(p.x)
	err := sameLength("Points", "y", len(p.y), "x", n, "number")
	if p.classed {
		err = first(err, sameLength("Points.By", "labels", len(p.by), "x", n, "label"), checkLabels("Points.By", p.by, p.names))
	}
	if p.sizes != nil {
		err = first(err, sameLength("Points.Sizes", "px", len(p.sizes), "x", n, "number"))
	}
	if p.values != nil {
		err = first(err, sameLength("Points.Values", "v", len(p.values), "x", n, "number"))
	}
	if p.mix != nil {
		err = first(err, sameLength("Points.Mix", "resp", len(p.mix), "x", n, "row"))
		for i, r := range p.mix {
			if err != nil {
				break
			}
			if len(r) != len(p.mix[0]) {
				err = argument(
					"Points.Mix",
					fmt.Sprintf("resp[%d]", i),
					count(len(r), "number"),
					fmt.Sprintf("as long as resp[0]: %d", len(p.mix[0])),
					"",
				)
			}
		}
	}
	if p.labels != nil {
		err = first(err, sameLength("Points.Labels", "texts", len(p.labels), "x", n, "text"))
	}
	if p.notes != nil {
		err = first(err, sameLength("Points.Notes", "texts", len(p.notes), "x", n, "text"))
	}
	if p.rows != nil {
		err = first(err, sameLength("Points.Rows", "ids", len(p.rows), "x", n, "id"))
	}
	return first(err, checkMarker("Points.Marker", p.marker), checkOpacity("Points", p.opacity), checkPixels("Points.Size", p.size))
}

func (p PointsLayer) survey(v *survey) {
	for i := range p.x {
		if scene.Drawable(p.x[i]) && scene.Drawable(p.y[i]) && (!v.logX || p.x[i] >= scene.Smallest) && (!v.logY || p.y[i] >= scene.Smallest) {
			v.x.soft(p.x[i])
			v.y.soft(p.y[i])
		}
	}
	switch {
	case p.classed:
		for k := range classCount(p.by, p.names) {
			v.pic.slot(className(p.names, k))
		}
	case p.mix != nil:
		if len(p.mix) > 0 {
			for k := range p.mix[0] {
				v.pic.slot(className(p.mixNames, k))
			}
		}
	case p.values == nil:
		p.claim(v)
	}
}

// classCount returns the number of classes that labels and names speak of.
func classCount(labels []int, names []string) int {
	k := len(names)
	for _, l := range labels {
		k = max(k, l+1)
	}
	return k
}

// most is how many points are drawn of a layer.
const most = 200000

// shown are the points that have a place, or of many an even sample of them.
func (p PointsLayer) shown(d *panelDrawing) []int {
	keep := make([]int, 0, len(p.x))
	for i := range p.x {
		if d.ok(p.x[i], p.y[i]) && (p.sizes == nil || p.sizes[i] >= 0) {
			keep = append(keep, i)
		}
	}
	d.drop(len(p.x) - len(keep))
	all := len(keep)
	if all > most {
		for i := range most {
			keep[i] = keep[int(float64(i)*float64(all)/most)]
		}
		keep = keep[:most]
		if d.counting {
			d.sampled[0] += most
			d.sampled[1] += all
		}
	}
	return keep
}

func (p PointsLayer) lower(d *panelDrawing) {
	keep := p.shown(d)
	size := p.size
	if size == 0 {
		switch n := len(keep); {
		case n <= 500:
			size = 7
		case n <= 2000:
			size = 5
		case n <= 10000:
			size = 3.5
		default:
			size = 2
		}
	}
	opaque := p.opacity
	if opaque == 0 && len(keep) > 2000 {
		opaque = 0.7
	}

	if p.classed {
		if p.classes(d, keep, size, opaque); len(p.x) == 0 {
			return
		}
		p.texts(d, keep, size)
		p.rowsOf(d, keep)
		return
	}
	l := p.style
	fill := scene.Paint{Token: scene.TokenForeground}
	slot := 0
	if p.values == nil && p.mix == nil {
		fill, slot = l.colour(d), max(l.slot(d), 0)
		if l.accent || l.muted {
			slot = 0
		}
	}
	m := p.symbols(d, keep, size, fill, slot, opaque)
	if p.class == "" && p.name == "" && p.marker == "" {
		m.Symbol = scene.Circle
	}
	m.Key = l.key()
	switch {
	case p.values != nil:
		lo, hi := span(p.values, p.diverging)
		m.Fills = make([]scene.Paint, len(keep))
		for j, i := range keep {
			m.Fills[j] = rampPaint(p.values[i], lo, hi, p.diverging, opaque)
		}
		m.Symbol = scene.Symbol(or(p.marker, string(scene.Circle)))
		m.Stroke, m.Width = scene.Paint{Token: scene.TokenForeground, Opacity: 0.5}, 0.5
		if p.hollow {
			m.Strokes, m.Fills, m.Fill, m.Width = m.Fills, nil, scene.Paint{}, 1.5
		}
		d.colorBar(p.valueName, lo, hi, p.diverging)
	case p.mix != nil:
		m.Fills = make([]scene.Paint, len(keep))
		for j, i := range keep {
			m.Fills[j] = p.mixture(d, p.mix[i], opaque)
		}
		m.Symbol = scene.Symbol(or(p.marker, string(scene.Circle)))
		m.Stroke, m.Width = scene.Paint{Token: scene.TokenBackground}, 0.75
		if len(p.mix) > 0 && len(p.mixNames) > 0 {
			for k := range p.mix[0] {
				name := className(p.mixNames, k)
				d.entry(scene.LegendEntry{Key: name, Fill: slotPaint(d.slot(name)), Symbol: scene.Circle})
			}
		}
	}
	if m.Key != "" {
		e := scene.LegendEntry{Key: m.Key, Fill: m.Fill, Stroke: m.Stroke, Width: m.Width, Symbol: m.Symbol}
		if p.values != nil || p.mix != nil {
			e.Fill = scene.Paint{Token: scene.TokenMuted}
		}
		d.entry(e)
	}
	d.add(m)
	name := ""
	if m.Key != "" {
		name = named(m.Key)
	}
	d.describe("%s%s", count(len(keep), "point"), name)
	p.texts(d, keep, size)
	p.rowsOf(d, keep)
}

// classes draws the points of each class as a mark of its own.
func (p PointsLayer) classes(d *panelDrawing, keep []int, size, opaque float64) {
	K := classCount(p.by, p.names)
	groups := make([][]int, K)
	for _, i := range keep {
		groups[p.by[i]] = append(groups[p.by[i]], i)
	}
	var parts []string
	for k, rows := range groups {
		name := className(p.names, k)
		slot := d.slot(name)
		m := p.symbols(d, rows, size, slotPaint(slot), slot, opaque)
		m.Key = name
		d.entry(scene.LegendEntry{Key: name, Fill: m.Fill, Stroke: m.Stroke, Width: m.Width, Symbol: m.Symbol})
		d.add(m)
		if len(rows) > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", name, len(rows)))
		}
	}
	if len(p.x) > 0 {
		d.describe("%s by class: %s", count(len(keep), "point"), joinSome(parts, 8))
	}
}

// symbols is the mark for the given points in one colour.
func (p PointsLayer) symbols(d *panelDrawing, rows []int, size float64, fill scene.Paint, slot int, opaque float64) scene.Mark {
	m := scene.Mark{
		Kind: scene.Symbols, Fill: opacity(fill, opaque), Symbol: slotSymbol(slot), Size: size, Smooth: true, Clip: true,
		Stroke: outline(slot), Width: 0.75,
	}
	if fill.Token != scene.TokenClass {
		m.Symbol, m.Stroke = scene.Circle, scene.Paint{Token: scene.TokenBackground}
	}
	if p.marker != "" {
		m.Symbol = scene.Symbol(p.marker)
	}
	if size < 4 { // too small for shapes and outlines
		m.Stroke, m.Width = scene.Paint{}, 0
		if p.marker == "" && m.Fill.Token == scene.TokenClass {
			m.Symbol = scene.Circle
		}
	}
	if m.Symbol == scene.Plus || m.Symbol == scene.Cross { // strokes only
		m.Stroke, m.Width = m.Fill, max(size/4, 1)
	}
	if p.hollow {
		m.Stroke, m.Fill, m.Width = m.Fill, scene.Paint{}, 1.5
	}
	m.XY = make([][2]float64, len(rows))
	own := p.rows != nil
	m.Rows = make([]int, len(rows))
	for j, i := range rows {
		m.XY[j] = [2]float64{p.x[i], p.y[i]}
		m.Rows[j] = i
		if own {
			m.Rows[j] = p.rows[i]
		}
		if p.sizes != nil {
			m.Sizes = append(m.Sizes, min(p.sizes[i], 400))
		}
		if p.notes != nil {
			m.Notes = append(m.Notes, scene.Clean(p.notes[i], 300))
		} else if p.labels != nil {
			m.Notes = append(m.Notes, scene.Clean(p.labels[i], 300))
		}
		if p.labels != nil {
			m.Names = append(m.Names, scene.Clean(p.labels[i], 60))
		}
	}
	return m
}

func (p PointsLayer) mixture(d *panelDrawing, resp []float64, opaque float64) scene.Paint {
	out := scene.Paint{Token: scene.TokenMix, Opacity: opaque}
	total := 0.0
	for _, r := range resp {
		if r > 0 && scene.Drawable(r) {
			total += r
		}
	}
	for k, r := range resp {
		if !(r > 0) || !scene.Drawable(r) || r/total < 0.004 {
			continue
		}
		share := math.Round(100*r/total) / 100
		out.Mix = append(out.Mix, [2]float64{float64(d.slot(className(p.mixNames, k)) % classSlots), share})
	}
	if out.Mix == nil {
		return scene.Paint{Token: scene.TokenMuted}
	}
	return out
}

// texts writes the labels beside the points, on the first free side.
func (p PointsLayer) texts(d *panelDrawing, keep []int, size float64) {
	if p.labels == nil {
		return
	}
	left := 0
	const font = 11.0
	byAnchor := make(map[scene.Anchor]*scene.Mark)
	var order []scene.Anchor
	for _, i := range keep {
		if p.labels[i] == "" {
			continue
		}
		s := scene.Clean(p.labels[i], 60)
		x, y := d.px(p.x[i], p.y[i])
		r := size/2 + 3
		w := scene.TextWidth(s, font, false)
		placed := false
		for _, side := range []struct {
			a      scene.Anchor
			dx, dy float64 // offset of the text, right and down
		}{
			{scene.At("start", "middle"), r, 0},
			{scene.At("end", "middle"), -r, 0},
			{scene.At("middle", "bottom"), 0, -r + 1},
			{scene.At("middle", "top"), 0, r - 1},
		} {
			b := textBox(x+side.dx, y-side.dy, w, font, side.a)
			if b.x0 < 0 || b.x1 > d.w+2 || !d.free(b) {
				continue
			}
			d.texts = append(d.texts, b)
			m := byAnchor[side.a]
			if m == nil {
				m = &scene.Mark{
					Kind:   scene.Texts,
					Z:      d.over(),
					Fill:   scene.Paint{Token: scene.TokenForeground},
					Size:   font,
					Halo:   true,
					Clip:   true,
					Anchor: side.a,
					Offset: [2]float64{side.dx, side.dy},
				}
				byAnchor[side.a], order = m, append(order, side.a)
			}
			m.XY = append(m.XY, [2]float64{p.x[i], p.y[i]})
			m.Texts = append(m.Texts, s)
			placed = true
			break
		}
		if !placed {
			left++
		}
	}
	for _, a := range order {
		d.add(*byAnchor[a])
	}
	if left > 0 {
		d.notice(fmt.Sprintf("%s left out for want of room.", count(left, "label")))
	}
}

func (p PointsLayer) rowsOf(d *panelDrawing, keep []int) {
	for j, i := range keep {
		if j > maxTableRows {
			d.moreRows += len(keep) - j
			return
		}
		series, note := p.key(), ""
		if p.classed {
			series = className(p.names, p.by[i])
		}
		switch {
		case p.notes != nil:
			note = p.notes[i]
		case p.labels != nil:
			note = p.labels[i]
		case p.values != nil:
			note = or(p.valueName, "value") + " " + scene.FormatNumber(p.values[i])
		}
		d.row(series, p.x[i], p.y[i], note)
	}
}

// joinSome joins at most n parts.
func joinSome(parts []string, n int) string {
	if len(parts) > n {
		parts = append(slices.Clone(parts[:n]), fmt.Sprintf("and %d more", len(parts)-n))
	}
	return strings.Join(parts, ", ")
}
