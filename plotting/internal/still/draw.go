package still

import (
	"gonum.org/v1/plot/vg"

	"github.com/prlab/prlab/plotting/internal/scene"
	"github.com/prlab/prlab/plotting/internal/svg"
)

// SVG returns the still picture as a document with a description, "" for one that stands beside it.
func SVG(s *scene.Scene, description string) []byte {
	l := lay(s)
	c := svg.New(l.width, l.height, scene.FontFamily, scene.TickLabelSize)
	l.draw(&pen{c: c, svg: c, height: l.height, palette: &scene.LightPalette})
	title := s.Title
	if title == "" {
		title = "Figure"
	}
	return c.Bytes(scene.Clean(title, 300), scene.Clean(description, 4000))
}

// Draw draws the still picture on a canvas of its size, with letters as outlines.
func Draw(s *scene.Scene, newCanvas func(width, height float64) vg.Canvas, outline func(r rune, bold bool) (vg.Path, float64)) {
	l := lay(s)
	l.draw(&pen{c: newCanvas(l.width, l.height), height: l.height, outline: outline, palette: &scene.LightPalette})
}
