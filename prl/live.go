package prl

import "github.com/prlab/prlab/prl/live"

// Live returns the figure that draw draws from what the reader sets, and draws anew at every move: sliders, points, tables, words. See
// package [live] for the inputs.
func Live(draw live.Func) *live.Figure { return live.New(draw) }
