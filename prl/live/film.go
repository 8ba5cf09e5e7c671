package live

import (
	"slices"

	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
)

func init() { plotting.Filming = filming }

// ofFilm returns the live figure of a film, whose reader turns its slider between the frames too; nil where the range is no range, and
// where the function of the film knows its frames only, as one half way between two of them shows.
func ofFilm(m plotting.Film) *Figure {
	lo, hi := slices.Min(m.Values), slices.Max(m.Values)
	if m.Name == "" || !number(lo) || !number(hi) || lo == hi || busy {
		return nil
	}
	options := []Option{At(m.Values[m.Start])}
	const decade = 10
	if lo > 0 && hi/lo > decade {
		options = append(options, Log)
	}
	g := &Figure{film: &m, f: func(in *Inputs) *plotting.Figure { return m.Draw(in.Slider(m.Name, lo, hi, options...)) }}
	middle := len(m.Values) / 2
	between := m.Values[middle-1]/2 + m.Values[middle]/2
	drawn := false
	tried := holds(func() {
		fig := m.Draw(between)
		drawn = fig != nil && fig.Err() == nil
	})
	if !tried || !drawn {
		return nil
	}
	return g
}

// holds reports whether f ends without a failure, a check that does not hold, or a panic. What it shows is dropped.
func holds(f func()) (well bool) {
	defer func() {
		if recover() != nil {
			well = false
		}
	}()
	return !cell.Capture(f).Failed
}
