package plotting

import (
	"html"

	"github.com/prlab/prlab/plotting/internal/live"
	"github.com/prlab/prlab/prl/cell"
)

// Show displays the figure in a page whose reader runs the cell, and fails with its error. The picture of a live function is what the
// function returns, so nothing else is to be done for one.
func (f *Figure) Show() {
	if _, err := f.scene(); err != nil {
		cell.Fail(err)
		return
	}
	attributes := f.filming()
	if !cell.InKernel() {
		return
	}
	shown, err := f.Output(attributes)
	if err != nil {
		cell.Fail(err)
		return
	}
	cell.Display(shown)
}

// Output returns what Show displays: an image without a still, whose attribute data-prl-spec the page draws. The attributes are added.
func (f *Figure) Output(attributes string) (cell.Bundle, error) {
	s, err := f.scene()
	if err != nil {
		return cell.Bundle{}, err
	}
	spec, err := live.Of(s).JSON()
	if err != nil {
		return cell.Bundle{}, err
	}
	alt := s.Alt
	if alt == "" {
		alt = s.Title
	}
	image := `<img class="prl-figure" alt="` + html.EscapeString(alt) + `" data-prl-spec="` +
		html.EscapeString(string(spec)) + `" ` + attributes + `>`
	return cell.Bundle{HTML: image, Text: alt}, nil
}

// Setup does nothing: the page has its runtime.
func Setup() {}
