package plotting

import (
	"slices"

	"github.com/prlab/prlab/plotting/internal/scene"
)

// BandLayer is the area between two curves. Make one with Band or Area.
type BandLayer struct {
	style
	x, lo, hi []float64
	who       string
	opacity   float64
}

// Band fills between (x[i], lo[i]) and (x[i], hi[i]).
func Band(x, lo, hi []float64) BandLayer {
	return BandLayer{x: slices.Clone(x), lo: slices.Clone(lo), hi: slices.Clone(hi), who: "Band"}
}

// Area fills between zero and (x[i], y[i]).
func Area(x, y []float64) BandLayer {
	return BandLayer{x: slices.Clone(x), lo: make([]float64, len(y)), hi: slices.Clone(y), who: "Area"}
}

// Name sets the legend entry.
func (b BandLayer) Name(legend string) BandLayer { b.name = legend; return b }

// Class gives the area the colour of a class.
func (b BandLayer) Class(name string) BandLayer { b.class = name; return b }

// Opacity sets the opacity in (0, 1]; the default is 0.22.
func (b BandLayer) Opacity(o float64) BandLayer { b.opacity = o; return b }

// Accent draws the area in the accent colour.
func (b BandLayer) Accent() BandLayer { b.accent = true; return b }

// Muted draws the area in grey.
func (b BandLayer) Muted() BandLayer { b.muted = true; return b }

func (b BandLayer) check() error {
	if b.who == "Area" {
		return first(sameLength("Area", "y", len(b.hi), "x", len(b.x), "number"), checkOpacity("Area", b.opacity))
	}
	return first(sameLength("Band", "lo", len(b.lo), "x", len(b.x), "number"),
		sameLength("Band", "hi", len(b.hi), "x", len(b.x), "number"), checkOpacity("Band", b.opacity))
}

func (b BandLayer) survey(v *survey) {
	for i := range b.x {
		if scene.Drawable(b.x[i]) && scene.Drawable(b.lo[i]) && scene.Drawable(b.hi[i]) {
			v.x.hard(b.x[i])
			if b.who == "Area" {
				v.y.hard(b.lo[i])
			} else {
				v.y.soft(b.lo[i])
			}
			v.y.soft(b.hi[i])
		}
	}
	b.claim(v)
}

func (b BandLayer) lower(d *panelDrawing) {
	var rings [][][2]float64
	var top, bottom [][2]float64
	finish := func() {
		if len(top) > 1 {
			top, bottom = d.thin(top), d.thin(bottom)
			slices.Reverse(bottom)
			rings = append(rings, append(top, bottom...))
		}
		top, bottom = nil, nil
	}
	lost := 0
	for i := range b.x {
		lo := b.lo[i]
		if d.y.Log && lo <= 0 && b.who == "Area" {
			lo = d.y.Lo
		}
		if !d.ok(b.x[i], lo) || !d.ok(b.x[i], b.hi[i]) {
			lost++
			finish()
			continue
		}
		top, bottom = append(top, [2]float64{b.x[i], b.hi[i]}), append(bottom, [2]float64{b.x[i], lo})
	}
	finish()
	d.drop(lost)
	l := b.style
	m := scene.Mark{Kind: scene.Areas, Key: l.key(), Fill: opacity(l.colour(d), 0.22), Rings: rings, Clip: true}
	if b.opacity > 0 {
		m.Fill.Opacity = b.opacity
	}
	d.add(m)
	d.entry(scene.LegendEntry{Key: m.Key, Fill: m.Fill, Swatch: true})
	d.describe("a band%s", named(m.Key))
	for i := range b.x {
		d.rowText(m.Key, scene.FormatNumber(b.x[i]), scene.FormatNumber(b.lo[i])+" to "+scene.FormatNumber(b.hi[i]), "")
	}
}
