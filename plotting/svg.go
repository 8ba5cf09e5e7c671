//go:build !js

package plotting

import (
	"gonum.org/v1/plot/vg"

	"github.com/prlab/prlab/plotting/internal/still"
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
	return still.SVG(s, s.Alt), nil
}

// Draw draws the still picture on any canvas of gonum/plot's vg: newCanvas is called once with the size of the picture in CSS pixels and
// returns a canvas of that size in units of vg (scale it for other sizes). Letters are filled as outlines, for which outline returns the
// path of a letter, 1 em = 1, and its advance. Package plotting/save draws PDF and PNG files with it.
func (f *Figure) Draw(newCanvas func(width, height float64) vg.Canvas, outline func(r rune, bold bool) (vg.Path, float64)) error {
	s, err := f.scene()
	if err != nil {
		return err
	}
	still.Draw(s, newCanvas, outline)
	return nil
}
