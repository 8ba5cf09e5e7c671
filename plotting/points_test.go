package plotting_test

import (
	"strings"
	"testing"

	"github.com/prlab/prlab/plotting"
)

// A layer without points keeps the first colours for its classes, and is not spoken of.
func TestPointsByWithoutPoints(t *testing.T) {
	line := plotting.Line([]float64{0, 1}, []float64{0, 1}).Class("boundary").Name("boundary")
	points := plotting.Points([]float64{0, 1}, []float64{1, 0}).By([]int{0, 1}, "a", "b")
	empty := plotting.Points(nil, nil).By(nil, "a", "b")
	for _, c := range []struct {
		layers []plotting.Layer
		stroke string
	}{
		{[]plotting.Layer{line, points}, "#0072b2"},
		{[]plotting.Layer{empty, line, points}, "#009e73"},
	} {
		f := plotting.New(c.layers...)
		svg, err := f.SVG()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(svg), `stroke="`+c.stroke+`"`) {
			t.Errorf("%d layers: no stroke of colour %s", len(c.layers), c.stroke)
		}
		html, err := f.HTML()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(html, "A line (boundary); 2 points by class: a 1, b 1.") {
			t.Errorf("%d layers: described as something else than a line and two points", len(c.layers))
		}
	}
}
