package plotting

import "github.com/prlab/prlab/plotting/internal/scene"

// box is a rectangle in pixels from the lower left corner of a plot area, y up.
type box struct{ x0, y0, x1, y1 float64 }

func (a box) meets(b box) bool { return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1 }

// textBox is the place of a text of width w whose anchor stands at (x, y).
func textBox(x, y, w, size float64, a scene.Anchor) box {
	switch a.H {
	case "middle":
		x -= w / 2
	case "end":
		x -= w
	}
	h := size * 1.1
	switch a.V {
	case "middle":
		y -= h / 2
	case "top":
		y -= h
	}
	return box{x, y, x + w, y + h}
}

// free reports whether b meets none of the labels placed so far.
func (d *panelDrawing) free(b box) bool {
	for _, t := range d.texts {
		if t.meets(b) {
			return false
		}
	}
	return true
}
