package svg

import (
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

func page(draw func(c *Canvas)) string {
	c := New(100, 50, "Sans", 11)
	draw(c)
	return string(c.Bytes("t", ""))
}

func path(points ...float64) vg.Path {
	var p vg.Path
	for i := 0; i < len(points); i += 2 {
		q := vg.Point{X: vg.Length(points[i]), Y: vg.Length(points[i+1])}
		if i == 0 {
			p.Move(q)
		} else {
			p.Line(q)
		}
	}
	return p
}

// What stands on the canvas of vg, y up, under its transformations, stands at the right place of the document, y down, in tenths of a
// pixel.
func TestCanvas(t *testing.T) {
	red := color.NRGBA{R: 255, A: 255}
	var around, quarter, curve vg.Path
	around.Move(vg.Point{X: 12, Y: 10})
	around.Arc(vg.Point{X: 10, Y: 10}, 2, 0, 2*math.Pi)
	around.Close()
	quarter.Arc(vg.Point{X: 10, Y: 10}, 5, 0, math.Pi/2)
	curve.Move(vg.Point{})
	curve.QuadTo(vg.Point{X: 3, Y: 3}, vg.Point{X: 6, Y: 0})
	for _, c := range []struct {
		name string
		draw func(c *Canvas)
		want string
	}{
		{"stroke", func(c *Canvas) { c.Stroke(path(0, 0, 10, 20)) }, `<path d="M0 500l100-200" stroke="#000" stroke-width="10"/>`},
		{
			"colour", func(c *Canvas) { c.SetColor(color.NRGBA{R: 255, A: 128}); c.Fill(path(0, 0, 10, 0, 0, 10)) },
			`<path d="M0 500h100l-100-100" fill="#f00" fill-opacity=".502"/>`,
		},
		{"no colour", func(c *Canvas) { c.SetColor(nil); c.Stroke(path(0, 0, 1, 0)) }, `stroke="#000"`},
		{"fill and stroke", func(c *Canvas) {
			p := path(0, 0, 10, 0, 0, 10)
			c.SetColor(red)
			c.Fill(p)
			c.SetColor(color.Black)
			c.Stroke(p)
		}, `<path d="M0 500h100l-100-100" fill="#f00" stroke="#000" stroke-width="10"/>`},
		{"dashes", func(c *Canvas) { c.SetLineDash([]vg.Length{2, 1}, 0); c.Stroke(path(0, 0, 1, 0)) }, `stroke-dasharray="20 10"`},
		{"moved", func(c *Canvas) { c.Translate(vg.Point{X: 5, Y: 5}); c.Stroke(path(0, 0, 10, 0)) }, `d="M50 450h100"`},
		{"turned", func(c *Canvas) {
			c.Translate(vg.Point{X: 50, Y: 25})
			c.Rotate(math.Pi / 2)
			c.Stroke(path(0, 0, 10, 0))
		}, `d="M500 250v-100"`},
		{"scaled", func(c *Canvas) { c.Scale(2, 2); c.Stroke(path(0, 0, 10, 0)) }, `d="M0 500h200" stroke="#000" stroke-width="20"`},
		{"saved", func(c *Canvas) {
			c.Push()
			c.Scale(2, 2)
			c.SetLineWidth(9)
			c.Pop()
			c.Pop() // one too many does nothing
			c.Stroke(path(0, 0, 10, 0))
		}, `d="M0 500h100" stroke="#000" stroke-width="10"`},
		{"circle", func(c *Canvas) { c.Fill(around) }, `<circle cx="100" cy="400" r="20" fill="#000"/>`},
		{"circle, scaled", func(c *Canvas) { c.Scale(2, 2); c.Fill(around) }, `<circle cx="200" cy="300" r="40" fill="#000"/>`},
		{"ellipse", func(c *Canvas) { c.Scale(2, 1); c.Fill(around) }, `<path d="M240 400c0`},
		{"arc", func(c *Canvas) { c.Stroke(quarter) }, `d="M150 400c0-28-22-50-50-50"`},
		{"curve", func(c *Canvas) { c.Stroke(curve) }, `d="M0 500c20-20 40-20 60 0"`},
		{
			"text", func(c *Canvas) { c.FillString(font.Face{Font: font.Font{Size: 12}}, vg.Point{X: 10, Y: 10}, "a<b") },
			`<text x="100" y="400" fill="#000" font-size="120">a&lt;b</text>`,
		},
		{
			"text of the usual size", func(c *Canvas) { c.FillString(font.Face{Font: font.Font{Size: 11}}, vg.Point{}, "a") },
			`<text x="0" y="500" fill="#000">a</text>`,
		},
		{
			"text, turned", func(c *Canvas) {
				c.Rotate(math.Pi / 2)
				c.FillString(font.Face{Font: font.Font{Size: 11}}, vg.Point{}, "a")
			},
			`transform="rotate(-90 0 500)"`,
		},
		{"image", func(c *Canvas) {
			c.DrawImage(vg.Rectangle{Max: vg.Point{X: 20, Y: 10}}, image.NewGray(image.Rect(0, 0, 2, 1)))
		}, `<image x="0" y="400" width="200" height="100" preserveAspectRatio="none" href="data:image/png;base64,`},
		{
			"dots", func(c *Canvas) { c.Dots([][2]float64{{1, 2}, {3, 4}}, 3, red) },
			`d="M10 20h0M30 40h0" stroke="#f00" stroke-width="30" stroke-linecap="round"`,
		},
		{
			"tiles", func(c *Canvas) { c.Tiles(Tiles{X: 10, Y: 20, Dx: 5, Dy: 4, Runs: [][3]int{{0, 0, 2}, {1, 1, 1}}}, red) },
			`d="M0 0h2M1 1h1" stroke="#f00" transform="matrix(50 0 0 40 100 220)"`,
		},
	} {
		if got := page(c.draw); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s lacks %s", c.name, got, c.want)
		}
	}
}

func TestNothingIsDrawn(t *testing.T) {
	empty := page(func(*Canvas) {})
	if got := page(func(c *Canvas) {
		c.Fill(nil)
		c.Stroke(nil)
		c.SetColor(color.Transparent)
		c.Fill(path(0, 0, 1, 1, 1, 0))
		c.Stroke(path(0, 0, 1, 1))
		c.Text(0, 0, 0, "a", Lettering{Size: 11, Color: color.Transparent})
		c.Symbol("circle", 1, 1, 3, nil, nil, 1)
		c.Dots([][2]float64{{1, 1}}, 3, nil)
		c.SetColor(nil)
		c.SetLineWidth(0)
		c.Stroke(path(0, 0, 1, 1))
		c.FillString(font.Face{}, vg.Point{}, "a")
		c.Fill(vg.Path{{Type: vg.CloseComp}})
	}); got != empty {
		t.Errorf("something is drawn: %s", got)
	}
}

// Symbols that stand often are one path with markers; few are written out.
func TestSymbols(t *testing.T) {
	many := page(func(c *Canvas) {
		for i := range 8 {
			c.Symbol("diamond", float64(10*i), 10, 6, color.Black, color.White, 1)
		}
	})
	if strings.Count(many, "<marker ") != 1 || strings.Count(many, "<path") != 2 {
		t.Errorf("eight diamonds: %s", many)
	}
	few := page(func(c *Canvas) { c.Symbol("circle", 10, 20, 6, color.Black, color.White, 1) })
	if !strings.Contains(few, `<circle cx="100" cy="200" r="30" fill="#000" stroke="#fff" stroke-width="10"/>`) {
		t.Errorf("one circle: %s", few)
	}
}
