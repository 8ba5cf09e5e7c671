package plotting

import (
	"fmt"
	"slices"

	"github.com/prlab/prlab/plotting/internal/scene"
)

// TextLayer writes a text at a place of the panel. Make one with Text.
type TextLayer struct {
	style
	x, y   float64
	text   string
	h, v   string
	size   float64
	dx, dy float64
	bold   bool
	halo   bool
}

// Text writes s, centred on (x, y).
func Text(x, y float64, s string) TextLayer {
	return TextLayer{x: x, y: y, text: s, h: "middle", v: "middle"}
}

// Anchor chooses the point of the text that stands at (x, y): "start", "middle" or "end" by "top", "middle" or "bottom".
func (t TextLayer) Anchor(horizontal, vertical string) TextLayer {
	t.h, t.v = horizontal, vertical
	return t
}

// Offset moves the text by pixels, to the right and down.
func (t TextLayer) Offset(right, down float64) TextLayer { t.dx, t.dy = right, down; return t }

// Size sets the font size in pixels; the default is 12.
func (t TextLayer) Size(px float64) TextLayer { t.size = px; return t }

// Bold writes bold.
func (t TextLayer) Bold() TextLayer { t.bold = true; return t }

// Class writes in the colour of a class.
func (t TextLayer) Class(name string) TextLayer { t.class = name; return t }

// Accent writes in the accent colour.
func (t TextLayer) Accent() TextLayer { t.accent = true; return t }

// Muted writes in grey.
func (t TextLayer) Muted() TextLayer { t.muted = true; return t }

// Halo puts an outline in the colour of the page around the letters.
func (t TextLayer) Halo() TextLayer { t.halo = true; return t }

func (t TextLayer) check() error {
	if !slices.Contains([]string{"start", "middle", "end"}, t.h) {
		return argument("Text.Anchor", "horizontal", fmt.Sprintf("%q", t.h), `"start", "middle" or "end"`, "")
	}
	if !slices.Contains([]string{"top", "middle", "bottom"}, t.v) {
		return argument("Text.Anchor", "vertical", fmt.Sprintf("%q", t.v), `"top", "middle" or "bottom"`, "")
	}
	return first(checkPixels("Text.Size", t.size), checkFinite("Text.Offset", "right", t.dx), checkFinite("Text.Offset", "down", t.dy))
}

func (t TextLayer) survey(v *survey) {
	if scene.Drawable(t.x) && scene.Drawable(t.y) {
		v.x.soft(t.x)
		v.y.soft(t.y)
	}
	if t.class != "" {
		v.pic.slot(t.class)
	}
}

func (t TextLayer) lower(d *panelDrawing) {
	if !d.ok(t.x, t.y) {
		d.drop(1)
		return
	}
	colour := t.plain(d)
	s := scene.Clean(t.text, 400)
	d.add(
		scene.Mark{
			Kind: scene.Texts, Z: d.over(), Fill: colour, Size: orPx(t.size, 12), Bold: t.bold, Halo: t.halo, Anchor: scene.At(t.h, t.v),
			Offset: [2]float64{t.dx, t.dy}, XY: [][2]float64{{t.x, t.y}}, Texts: []string{s}, Smooth: true,
		},
	)
	d.row("", t.x, t.y, s)
	d.describe("the text %s", scene.Clean(s, 60))
}
