//go:build !js

package plotting

import (
	"github.com/prlab/prlab/plotting/internal/svg"
	"gonum.org/v1/plot/vg"
)

// stillSVG returns the still picture as a document with a description, "" for one that stands beside it.
func stillSVG(s *scene, description string) []byte {
	l := lay(s)
	c := svg.New(l.width, l.height, fontFamily, tickLabelSize)
	l.draw(&pen{c: c, svg: c, height: l.height, palette: &lightPalette})
	return c.Bytes(clean(or(s.Title, "Figure"), 300), clean(description, 4000))
}

// stillDraw draws the still picture on a canvas of its size, with letters as outlines.
func stillDraw(s *scene, newCanvas func(width, height float64) vg.Canvas, outline func(r rune, bold bool) (vg.Path, float64)) {
	l := lay(s)
	l.draw(&pen{c: newCanvas(l.width, l.height), height: l.height, outline: outline, palette: &lightPalette})
}
