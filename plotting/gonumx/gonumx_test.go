package gonumx

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

func TestHTML(t *testing.T) {
	p := plot.New()
	p.Title.Text = `"Sine" <b>`
	p.X.Label.Text = "angle"
	line, err := plotter.NewLine(plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 0.84}, {X: 2, Y: 0.91}})
	if err != nil {
		t.Fatal(err)
	}
	p.Add(line)
	element, alt, err := HTML(p, 640, 420)
	if err != nil {
		t.Fatal(err)
	}
	if want := `"Sine" <b>. Horizontal: angle from 0 to 2. Vertical: y from 0 to 0.91.`; alt != want {
		t.Errorf("description %q, want %q", alt, want)
	}
	if strings.Count(element, "<") != 1 || !strings.Contains(element, "&#34;Sine&#34; &lt;b&gt;") {
		t.Errorf("not one escaped element: %.200s", element)
	}
	svg, err := SVG(p, 640, 420)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(svg), "sans-serif") || !strings.HasPrefix(string(svg), "<svg ") || len(svg) > 6000 {
		t.Errorf("SVG begins %.120s", svg)
	}
}

func TestErrors(t *testing.T) {
	if _, err := SVG(nil, 10, 10); err == nil || !strings.Contains(err.Error(), "plot.New") {
		t.Errorf("nil plot: %v", err)
	}
	if _, err := SVG(plot.New(), math.NaN(), 10); err == nil || !strings.Contains(err.Error(), "from 1 to 10000") {
		t.Errorf("NaN width: %v", err)
	}
	p := plot.New()
	p.X.Min, p.X.Max = -1, 1
	p.X.Scale = plot.LogScale{}
	p.X.Tick.Marker = plot.LogTicks{}
	if _, err := SVG(p, 100, 100); err == nil || !strings.Contains(err.Error(), "cannot be drawn") {
		t.Errorf("a log axis from -1: %v", err)
	}
}
