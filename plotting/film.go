package plotting

import "slices"

// A Film says what a Slide over numbers is made of, so that a page that can compute draws the pictures between its frames too.
type Film struct {
	Name   string    // of the slider
	Values []float64 // of the frames
	Start  int       // the frame that is shown first
	figure *Figure
}

// Film returns the film of a Slide over numbers whose frames have no names of their own; counted numbers 1, 2, 3, ... have nothing between
// them. Without such a film ok is false.
func (f *Figure) Film() (film Film, ok bool) {
	if f.frames == nil || f.frames.draw == nil || f.Err() != nil {
		return Film{}, false
	}
	return Film{f.frames.name, slices.Clone(f.frames.values), f.frames.start, f}, true
}

// Draw returns the picture of a number, with the title and the size of the film. It is nil where the function of the Slide gives none.
func (m Film) Draw(v float64) *Figure {
	f := m.figure
	g := f.frames.draw(v)
	if g == nil {
		return nil
	}
	return g.change(func(g *Figure) {
		g.title, g.caption, g.link = f.title, f.caption, f.link
		g.width, g.height, g.noLegend = f.width, f.height, f.noLegend
		if f.subtitle != "" {
			g.subtitle = f.subtitle
		}
	})
}

// Screen gives the figures of a stage the axes of a film, which leave room for all of its frames.
func (g *Stage) Screen(m Film) error {
	s, err := m.figure.resolve(staging{coarse: finest})
	if err != nil {
		return err
	}
	g.home, g.latest = s.Panels, s.Panels
	return nil
}

// Filming, when a package that recomputes figures has set it, is asked about each film that is shown; what it returns is added to the
// image, as by Output.
var Filming func(Film) (attributes string)

// filming returns the attributes of a film, or "".
func (f *Figure) filming() string {
	if m, ok := f.Film(); ok && Filming != nil {
		return Filming(m)
	}
	return ""
}
