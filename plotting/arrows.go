package plotting

import (
	"fmt"
	"slices"

	"github.com/prlab/prlab/plotting/internal/scene"
)

// ArrowsLayer draws arrows. Make one with Arrows or Arrow.
type ArrowsLayer struct {
	style
	x0, y0, x1, y1 []float64
	labels         []string
	width          float64
}

// Arrows draws arrows from (x0[i], y0[i]) to (x1[i], y1[i]).
func Arrows(x0, y0, x1, y1 []float64) ArrowsLayer {
	return ArrowsLayer{x0: slices.Clone(x0), y0: slices.Clone(y0), x1: slices.Clone(x1), y1: slices.Clone(y1)}
}

// Arrow draws one arrow.
func Arrow(x0, y0, x1, y1 float64) ArrowsLayer {
	return ArrowsLayer{x0: []float64{x0}, y0: []float64{y0}, x1: []float64{x1}, y1: []float64{y1}}
}

// Name sets the legend entry.
func (a ArrowsLayer) Name(legend string) ArrowsLayer { a.name = legend; return a }

// Class gives the arrows the colour of a class.
func (a ArrowsLayer) Class(name string) ArrowsLayer { a.class = name; return a }

// Label writes a text at the head of the first arrow.
func (a ArrowsLayer) Label(s string) ArrowsLayer { a.labels = []string{s}; return a }

// Labels writes a text at the head of each arrow.
func (a ArrowsLayer) Labels(texts ...string) ArrowsLayer { a.labels = slices.Clone(texts); return a }

// Accent draws the arrows in the accent colour.
func (a ArrowsLayer) Accent() ArrowsLayer { a.accent = true; return a }

// Muted draws the arrows in grey.
func (a ArrowsLayer) Muted() ArrowsLayer { a.muted = true; return a }

// Width sets the width of the shafts in pixels; the default is 1.75.
func (a ArrowsLayer) Width(px float64) ArrowsLayer { a.width = px; return a }

func (a ArrowsLayer) check() error {
	n := len(a.x0)
	if len(a.labels) > n {
		return argument("Arrows.Labels", "texts", count(len(a.labels), "text"), fmt.Sprintf("at most one an arrow: %d", n), "")
	}
	return first(sameLength("Arrows", "y0", len(a.y0), "x0", n, "number"), sameLength("Arrows", "x1", len(a.x1), "x0", n, "number"),
		sameLength("Arrows", "y1", len(a.y1), "x0", n, "number"), checkPixels("Arrows.Width", a.width))
}

func (a ArrowsLayer) survey(v *survey) {
	v.x.soft(a.x0...)
	v.x.soft(a.x1...)
	v.y.soft(a.y0...)
	v.y.soft(a.y1...)
	if a.class != "" {
		v.pic.slot(a.class)
	}
}

func (a ArrowsLayer) lower(d *panelDrawing) {
	colour := a.plain(d)
	key := a.key()
	m := scene.Mark{
		Kind:   scene.Arrows,
		Key:    key,
		Stroke: colour,
		Fill:   colour,
		Width:  orPx(a.width, 1.75),
		Size:   8,
		Clip:   true,
		Smooth: true,
		Halo:   d.filled,
	}
	texts := make(map[scene.Anchor]*scene.Mark)
	var order []scene.Anchor
	lost := 0
	for i := range a.x0 {
		if !d.ok(a.x0[i], a.y0[i]) || !d.ok(a.x1[i], a.y1[i]) {
			lost++
			continue
		}
		m.XY, m.XY2 = append(m.XY, [2]float64{a.x0[i], a.y0[i]}), append(m.XY2, [2]float64{a.x1[i], a.y1[i]})
		d.row(key, a.x1[i], a.y1[i], "from "+scene.FormatNumber(a.x0[i])+", "+scene.FormatNumber(a.y0[i]))
		if i >= len(a.labels) || a.labels[i] == "" {
			m.Names = append(m.Names, "")
			continue
		}
		m.Names = append(m.Names, scene.Clean(a.labels[i], 80))
		// the text continues the arrow
		x0, y0 := d.px(a.x0[i], a.y0[i])
		x1, y1 := d.px(a.x1[i], a.y1[i])
		at, off := scene.At("middle", "middle"), [2]float64{}
		switch dx, dy := x1-x0, y1-y0; {
		case dx > 0.5*max(dy, -dy):
			at.H, off[0] = "start", 5
		case -dx > 0.5*max(dy, -dy):
			at.H, off[0] = "end", -5
		case dy >= 0:
			at.V, off[1] = "bottom", -4
		default:
			at.V, off[1] = "top", 4
		}
		t := texts[at]
		if t == nil {
			t = &scene.Mark{Kind: scene.Texts, Key: key, Z: d.over(), Fill: colour, Size: 12, Halo: true, Anchor: at, Offset: off}
			texts[at], order = t, append(order, at)
		}
		t.XY, t.Texts = append(t.XY, [2]float64{a.x1[i], a.y1[i]}), append(t.Texts, scene.Clean(a.labels[i], 80))
	}
	d.drop(lost)
	d.add(m)
	for _, at := range order {
		d.add(*texts[at])
	}
	d.entry(scene.LegendEntry{Key: key, Stroke: colour, Width: m.Width})
	d.describe("%s%s", count(len(m.XY), "arrow"), named(key))
}
