//go:build !js

package plotting

import (
	"github.com/prlab/prlab/plotting/internal/svg"
	"gonum.org/v1/plot/vg"
)

// SVG returns the still picture as a complete SVG document of about 2 to 10 KB. It uses presentation attributes only, no styles,
// classes or scripts, so that it survives sanitisers; texts are texts in a sans-serif family; the description stands in title and desc.
// Its unit is the tenth of a pixel; symbols that stand often are markers, and what frames have in common is used again by names made of
// its content, so that several pictures may stand on one page. Frames become a film strip of up to six.
func (f *Figure) SVG() ([]byte, error) {
	s, err := f.scene()
	if err != nil {
		return nil, err
	}
	return s.svg(s.Alt), nil
}

// Draw draws the still picture on any canvas of gonum/plot's vg: newCanvas is called once with the size of the picture in CSS pixels and
// returns a canvas of that size in units of vg (scale it for other sizes). Letters are filled as outlines, for which outline returns the
// path of a letter, 1 em = 1, and its advance. Package plotting/save draws PDF and PNG files with it.
func (f *Figure) Draw(newCanvas func(width, height float64) vg.Canvas, outline func(r rune, bold bool) (vg.Path, float64)) error {
	s, err := f.scene()
	if err != nil {
		return err
	}
	l := s.lay()
	l.draw(&pen{c: newCanvas(l.width, l.height), height: l.height, outline: outline, palette: &lightPalette})
	return nil
}

// svg draws the still picture with a description, "" for one that stands beside it.
func (s *scene) svg(description string) []byte {
	l := s.lay()
	c := svg.New(l.width, l.height, fontFamily, tickLabelSize)
	l.draw(&pen{c: c, svg: c, height: l.height, palette: &lightPalette})
	return c.Bytes(clean(or(s.Title, "Figure"), 300), clean(description, 4000))
}
