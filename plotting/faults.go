//go:build !js

package plotting

import "github.com/prlab/prlab/plotting/internal/still"

// Faults returns what a reader should not see in the picture at a width in CSS pixels, 0 for the figure's own, which is that of paper too:
// no title, or NaN in a text ("title", "text"); texts, nodes, points, bars and arrow heads that leave their panel, and lines of which
// nothing is inside ("cut"); nodes and texts that cover one another ("overlap"). Each begins with one of these words.
func (v View) Faults(width float64) (faults []string) {
	if v.err != nil {
		return []string{"title: " + v.err.Error()}
	}
	s := *v.scene
	s.Subtitle = v.Subtitle()
	s.Frames, s.Panels = nil, append(s.Panels[:0:0], s.Panels...)
	for p := range s.Panels {
		s.Panels[p].Marks = v.marks(p)
		if step := v.step(); step != nil && len(step.Titles) > 0 {
			s.Panels[p].Title = step.Titles[p]
		}
	}
	for _, f := range still.Faults(&s, width) {
		faults = append(faults, f.Kind+": "+f.What)
	}
	return faults
}
