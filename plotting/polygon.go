package plotting

import (
	"slices"

	"github.com/prlab/prlab/plotting/internal/scene"
)

// PolygonLayer is a closed polygon. Make one with Polygon.
type PolygonLayer struct {
	style
	x, y       []float64
	fill, dash bool
	opacity    float64
	width      float64
}

// Polygon joins the points (x[i], y[i]) and closes the ring.
func Polygon(x, y []float64) PolygonLayer {
	return PolygonLayer{x: slices.Clone(x), y: slices.Clone(y)}
}

// Name sets the legend entry.
func (p PolygonLayer) Name(legend string) PolygonLayer { p.name = legend; return p }

// Class gives the polygon the colour of a class.
func (p PolygonLayer) Class(name string) PolygonLayer { p.class = name; return p }

// Fill tints the inside.
func (p PolygonLayer) Fill() PolygonLayer { p.fill = true; return p }

// Dash draws the outline dashed.
func (p PolygonLayer) Dash() PolygonLayer { p.dash = true; return p }

// Accent draws the polygon in the accent colour.
func (p PolygonLayer) Accent() PolygonLayer { p.accent = true; return p }

// Muted draws the polygon in grey.
func (p PolygonLayer) Muted() PolygonLayer { p.muted = true; return p }

// Opacity sets the opacity of the inside in (0, 1]; the default is 0.2.
func (p PolygonLayer) Opacity(o float64) PolygonLayer { p.opacity = o; return p }

// Width sets the width of the outline in pixels; the default is 2.
func (p PolygonLayer) Width(px float64) PolygonLayer { p.width = px; return p }

func (p PolygonLayer) check() error {
	return first(
		sameLength("Polygon", "y", len(p.y), "x", len(p.x), "number"),
		checkOpacity("Polygon", p.opacity),
		checkPixels("Polygon.Width", p.width),
	)
}

func (p PolygonLayer) survey(v *survey) {
	v.x.soft(p.x...)
	v.y.soft(p.y...)
	p.claim(v)
}

func (p PolygonLayer) lower(d *panelDrawing) {
	var ring [][2]float64
	for i := range p.x {
		if d.ok(p.x[i], p.y[i]) {
			ring = append(ring, [2]float64{p.x[i], p.y[i]})
		}
	}
	d.drop(len(p.x) - len(ring))
	l := p.style
	colour := l.colour(d)
	m := scene.Mark{
		Kind:   scene.Areas,
		Key:    l.key(),
		Stroke: colour,
		Width:  orPx(p.width, 2),
		Dash:   pattern(p.dash, false),
		Rings:  [][][2]float64{ring},
		Clip:   true,
		Smooth: true,
	}
	e := scene.LegendEntry{Key: l.key(), Stroke: colour, Width: m.Width, Dash: m.Dash}
	if p.fill {
		m.Fill = opacity(colour, 0.2)
		if p.opacity > 0 {
			m.Fill.Opacity = p.opacity
		}
		e.Fill, e.Swatch = m.Fill, true
	}
	if len(ring) == 0 {
		m.Rings = nil
	}
	d.add(m)
	d.entry(e)
	d.describe("a polygon of %s%s", count(len(ring), "corner"), named(l.key()))
	for _, q := range ring {
		d.row(l.key(), q[0], q[1], "")
	}
}
