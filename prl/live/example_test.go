package live_test

import (
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl"
	"github.com/prlab/prlab/prl/live"
)

// The reader of the notebook turns the slider, and the line and the check below follow.
func ExampleFigure_Show() {
	prl.Live(func(in *live.Inputs) *plotting.Figure {
		slope := in.Slider("slope", 0, 2, live.Step(0.1))
		x, y := in.Point("point", 3, 2)
		prl.Check("", "the slope is not negative").AtLeast(slope, 0)
		prl.Table("x", "y", "residual").Row(x, y, y-slope*x).Show()
		return plotting.New(
			plotting.Line([]float64{0, 4}, []float64{0, 4 * slope}),
			plotting.Points([]float64{x}, []float64{y}),
		).Alt("A line and a point")
	}).Show()
	// Output:
	// A line and a point
	// ✓ the slope is not negative: 1 ≥ 0
	// x  y  residual
	// ─  ─  ────────
	// 3  2        −1
}
