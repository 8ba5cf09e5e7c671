package prl

import (
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/live"
)

// Live returns the figure that draw draws from what the reader sets, and draws again at every move: sliders, points, tables, words. See
// package [live] for the inputs.
func Live(draw live.Func) *live.Figure { return live.New(draw) }

// Slide draws one figure for each value and shows them under a slider with the given name. All figures are drawn in advance; between the
// values of a Slide over numbers, handouts and the lab draw the figures that the reader asks for.
func Slide[T any](name string, values []T, draw func(T) *plotting.Figure) *plotting.Figure {
	return plotting.Slide(name, values, draw)
}
