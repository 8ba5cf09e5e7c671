//go:build !js

package plotting

import (
	"strconv"
	"strings"

	"github.com/prlab/prlab/plotting/internal/live"
	"github.com/prlab/prlab/plotting/internal/page"
	"github.com/prlab/prlab/plotting/internal/still"
	"github.com/prlab/prlab/prl/cell"
)

// Show displays the figure below the cell: live where the page runs JavaScript and the notebook is trusted, else the still picture. A
// figure that carries an error ends the cell with it.
func (f *Figure) Show() {
	if err := f.Err(); err != nil {
		cell.Fail(err)
		return
	}
	shown, err := f.Output(f.filming())
	if err != nil {
		cell.Fail(err)
		return
	}
	cell.Display(shown)
}

// Output returns what Show displays, for an output that holds more than the figure. The attributes, name="value" as HTML writes them, are
// added to the image.
func (f *Figure) Output(attributes string) (cell.Bundle, error) {
	image, alt, err := f.image()
	if err != nil {
		return cell.Bundle{}, err
	}
	if rest, ok := strings.CutPrefix(image, "<img "); ok && attributes != "" {
		image = "<img " + attributes + " " + rest
	}
	if cell.InKernel() && !runtimeShown() {
		image += RuntimeHTML()
	}
	return cell.Bundle{HTML: image, Text: alt}, nil
}

// Setup puts the runtime of live figures into the notebook. It belongs into the first cell; without it the first figure of a kernel
// session brings the runtime along, which is lost when only that cell is run again. With PRL_RUNTIME=none in the environment neither
// happens, and the notebook holds stills and specs for an exporter to bring to life.
func Setup() {
	if page.Off() || !cell.InKernel() {
		return
	}
	runtimeShown()
	cell.Display(cell.Bundle{HTML: RuntimeHTML(), Text: "plotting: live figures are on"})
}

// image returns the one element that is the figure, and its description.
func (f *Figure) image() (element, alt string, err error) {
	s, err := f.scene()
	if err != nil {
		return "", "", err
	}
	still := still.SVG(s, "") // the image has the description
	spec, err := live.Of(s).JSON()
	if err != nil {
		return "", "", err
	}
	alt = s.Alt
	if alt == "" {
		alt = s.Title
	}
	alt = strings.ToValidUTF8(alt, "\uFFFD")
	return page.Image("figure", alt, still, page.Pack(spec), "prlQueue", "PrlPlot"), alt, nil
}

// runtimeShown reports whether this kernel session needs the runtime no more, and notes that it has it now.
func runtimeShown() bool { return page.Shown("prl-runtime-" + strconv.Itoa(live.RuntimeVersion)) }
