package still

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"

	"github.com/prlab/prlab/plotting/internal/scene"
	"github.com/prlab/prlab/plotting/internal/svg"
)

// pen draws on a vg.Canvas in CSS pixels from the upper left corner, y down; one pixel is one unit of vg.
type pen struct {
	c       vg.Canvas
	svg     *svg.Canvas // c, when it is one: it writes symbols, tiles and texts as such
	height  float64
	outline func(r rune, bold bool) (vg.Path, float64) // for any other canvas: the outline of a letter, 1 em = 1, and its advance
	palette *scene.Palette
}

// ink is an opaque or translucent colour; its channels are rounded up, so that a division by alpha gives them back.
type ink struct {
	rgb   [3]float64
	alpha float64
}

func (k ink) RGBA() (r, g, b, a uint32) {
	alpha := math.Round(k.alpha * 0xffff)
	up := func(v float64) uint32 { return uint32(math.Ceil(v * alpha / 255)) }
	return up(k.rgb[0]), up(k.rgb[1]), up(k.rgb[2]), uint32(alpha)
}

// ink returns the colour of a paint, and false when it draws nothing.
func (p *pen) ink(c scene.Paint) (ink, bool) {
	hex, o := p.palette.Color(c)
	if !(o > 0) {
		return ink{}, false
	}
	return ink{scene.RGB(hex), min(math.Round(o*1000)/1000, 1)}, true
}

// coarse rounds the shades that show values or mixtures by at most 4 of 255, which no eye tells apart on a dot, so that dots share them.
func (p *pen) coarse(k ink, c scene.Paint) ink {
	const step = 8
	if c.Token != scene.TokenSequential && c.Token != scene.TokenDiverging && c.Token != scene.TokenMix {
		return k
	}
	for i, v := range k.rgb {
		k.rgb[i] = min(math.Round(v/step)*step, 255)
	}
	for _, part := range c.Mix { // nearly of one class is of its colour
		pure := scene.RGB(p.palette.Class(int(part[0])))
		if near := func(i int) bool { return math.Abs(pure[i]-k.rgb[i]) <= step/2 }; near(0) && near(1) && near(2) {
			k.rgb = pure
		}
	}
	return k
}

func (p *pen) at(x, y float64) vg.Point {
	return vg.Point{X: vg.Length(x), Y: vg.Length(p.height - y)}
}

// fill fills a path; false means that the paint draws nothing.
func (p *pen) fill(path vg.Path, c scene.Paint) bool {
	k, ok := p.ink(c)
	if ok && len(path) > 0 {
		p.c.SetColor(k)
		p.c.Fill(path)
	}
	return ok
}

func (p *pen) stroke(path vg.Path, c scene.Paint, width float64, dash []float64) {
	k, ok := p.ink(c)
	if !ok || len(path) == 0 || !(width > 0) {
		return
	}
	p.c.SetColor(k)
	p.c.SetLineWidth(vg.Length(width))
	lengths := make([]vg.Length, len(dash))
	for i, v := range dash {
		lengths[i] = vg.Length(v)
	}
	p.c.SetLineDash(lengths, 0)
	p.c.Stroke(path)
}

func (p *pen) line(x0, y0, x1, y1 float64, c scene.Paint, width float64, dash []float64) {
	p.stroke(p.poly([][2]float64{{x0, y0}, {x1, y1}}, false), c, width, dash)
}

// poly is a polyline in pixels, or a ring.
func (p *pen) poly(points [][2]float64, closed bool) vg.Path {
	path := make(vg.Path, 0, len(points)+1)
	for i, q := range points {
		if i == 0 {
			path.Move(p.at(q[0], q[1]))
		} else {
			path.Line(p.at(q[0], q[1]))
		}
	}
	if closed && len(path) > 0 {
		path.Close()
	}
	return path
}

func (p *pen) rect(x0, y0, x1, y1 float64) vg.Path {
	return p.poly([][2]float64{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, true)
}

func (p *pen) circle(x, y, r float64) vg.Path {
	var path vg.Path
	path.Move(p.at(x+r, y))
	path.Arc(p.at(x, y), vg.Length(r), 0, 2*math.Pi)
	path.Close()
	return path
}

// outlined is the path of a symbol of diameter d; plus and cross are lines to be stroked.
func (p *pen) outlined(s scene.Symbol, x, y, d float64) vg.Path {
	shape := svg.Outline(string(s), d)
	if shape == nil {
		return p.circle(x, y, d/2)
	}
	var path vg.Path
	for _, part := range shape {
		moved := make([][2]float64, len(part.Points))
		for i, q := range part.Points {
			moved[i] = [2]float64{x + q[0], y + q[1]}
		}
		path = append(path, p.poly(moved, part.Closed)...)
	}
	return path
}

// sizeStep is to what the diameters of symbols in an SVG document are rounded, so that they share their shapes.
const sizeStep = 0.4

// symbol draws one of many symbols; plus and cross have no inside.
func (p *pen) symbol(s scene.Symbol, x, y, d float64, fill, stroke scene.Paint, width float64) {
	lines := s == scene.Plus || s == scene.Cross
	if lines {
		fill, stroke = scene.Paint{}, stroke.Or(fill)
	}
	if p.svg == nil {
		path := p.outlined(s, x, y, d)
		p.fill(path, fill)
		p.stroke(path, stroke, width, nil)
		return
	}
	var inside, line color.Color
	if k, ok := p.ink(fill); ok {
		inside = p.coarse(k, fill)
	}
	if k, ok := p.ink(stroke); ok {
		line = k
	}
	p.svg.Symbol(string(s), x, y, d, inside, line, width)
}

// lettering says how a text is written.
type lettering struct {
	size  float64
	bold  bool
	fill  scene.Paint
	at    scene.Anchor
	angle float64 // degrees, anticlockwise
	halo  bool
}

// text writes s with its anchor at (x, y).
func (p *pen) text(x, y float64, s string, l lettering) {
	k, ok := p.ink(l.fill)
	if s = scene.Clean(s, 1000); s == "" || !ok {
		return
	}
	// distance from the anchor down to the base line
	down := 0.0
	switch l.at.V {
	case "middle":
		down = 0.36 * l.size
	case "top":
		down = 0.76 * l.size
	case "bottom":
		down = -0.2 * l.size
	}
	if p.svg != nil {
		k.alpha = 1
		letters := svg.Lettering{Size: l.size, Bold: l.bold, Anchor: l.at.H, Angle: l.angle, Color: p.over(k, l.fill)}
		if l.halo {
			letters.Halo = ink{scene.RGB(p.palette.Background), 1}
		}
		p.svg.Text(x, y, down, s, letters)
		return
	}
	var path vg.Path
	width := 0.0
	sin, cos := math.Sincos(l.angle * math.Pi / 180)
	start := 0.0
	switch w := p.width(s, l); l.at.H {
	case "middle":
		start = -w / 2
	case "end":
		start = -w
	}
	place := func(q vg.Point) vg.Point { // from em units of a letter to the canvas
		u, v := start+width+float64(q.X)*l.size, -down+float64(q.Y)*l.size
		return p.at(x+u*cos-v*sin, y-(u*sin+v*cos))
	}
	for _, r := range s {
		glyph, advance := p.outline(r, l.bold)
		for _, comp := range glyph {
			c := comp
			c.Pos = place(comp.Pos)
			c.Control = make([]vg.Point, len(comp.Control))
			for i, q := range comp.Control {
				c.Control[i] = place(q)
			}
			path = append(path, c)
		}
		width += advance * l.size
	}
	if l.halo {
		p.stroke(path, scene.Paint{Token: scene.TokenBackground}, 3, nil)
	}
	p.c.SetColor(k)
	if len(path) > 0 {
		p.c.Fill(path)
	}
}

func (p *pen) width(s string, l lettering) float64 {
	sum := 0.0
	for _, r := range s {
		_, a := p.outline(r, l.bold)
		sum += a * l.size
	}
	return sum
}

// over lays a translucent text colour on the page: an opaque colour is shorter.
func (p *pen) over(k ink, c scene.Paint) ink {
	_, o := p.palette.Color(c)
	page := scene.RGB(p.palette.Background)
	for i := range k.rgb {
		k.rgb[i] = math.Round(page[i] + min(o, 1)*(k.rgb[i]-page[i]))
	}
	return k
}

func (p *pen) image(x0, y0, x1, y1 float64, m image.Image) {
	p.c.DrawImage(vg.Rectangle{Min: p.at(x0, y1), Max: p.at(x1, y0)}, m)
}
