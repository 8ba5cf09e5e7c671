//go:build !js

package plotting

import (
	"image"
	"math"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// pen draws on a vg.Canvas in CSS pixels from the upper left corner, y down; one pixel is one unit of vg.
type pen struct {
	c       vg.Canvas
	height  float64
	notes   *notes                                     // for tidy; texts are written as such, with the anchor in the font's variant
	outline func(r rune, bold bool) (vg.Path, float64) // otherwise: the outline of a letter, 1 em = 1, and its advance
	faces   [2]font.Face
	palette *palette
}

// notes tell tidy what the document that vgsvg draws does not: what is a symbol or a row of tiles, and what belongs to one cell of the grid.
type notes struct {
	drawn int   // elements so far
	now   *hint // of what is being drawn
	hints map[int]hint
	cells []gridCell
}

// hint says what an element is: one of the three.
type hint struct {
	symbol placed
	tiles  *tiles
	ramp   []string // a rectangle shaded from bottom to top with these colours, evenly spaced
}

// placed is a symbol of diameter size at a place in pixels.
type placed struct {
	symbol     symbol
	x, y, size float64
}

// tiles are cells of one colour in a table of equal cells, as runs of (column, row, length). The table begins at (x, y) and its cells are
// dx by dy pixels.
type tiles struct {
	x, y, dx, dy float64
	runs         [][3]int
}

// gridCell begins with an element of the document, whose coordinates count from its origin.
type gridCell struct {
	first  int
	origin [2]float64
}

// count notes an element about to be drawn.
func (p *pen) count() {
	if n := p.notes; n != nil {
		if n.now != nil {
			n.hints[n.drawn] = *n.now
		}
		n.drawn++
	}
}

// cell says that a cell of the grid begins at a place, and whether what stands in it is to be drawn as if it began at the corner.
func (p *pen) cell(x, y float64) bool {
	if n := p.notes; n != nil {
		n.cells = append(n.cells, gridCell{n.drawn, [2]float64{x, y}})
	}
	return p.notes != nil
}

// hint says what the elements are that are drawn until the next call.
func (p *pen) hint(h *hint) {
	if p.notes != nil {
		p.notes.now = h
	}
}

// ink is an opaque or translucent colour; its channels are rounded up, so that the division by alpha in vgsvg gives them back exactly.
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
func (p *pen) ink(c paint) (ink, bool) {
	hex, o := p.palette.color(c)
	if !(o > 0) {
		return ink{}, false
	}
	return ink{hexRGB(hex), min(math.Round(o*1000)/1000, 1)}, true
}

// coarse rounds the shades that show values or mixtures by at most 4 of 255, which no eye tells apart on a dot, so that dots share them.
func (p *pen) coarse(k ink, c paint) ink {
	const step = 8
	if c.Token != tokenSequential && c.Token != tokenDiverging && c.Token != tokenMix {
		return k
	}
	for i, v := range k.rgb {
		k.rgb[i] = min(math.Round(v/step)*step, 255)
	}
	for _, part := range c.Mix { // nearly of one class is of its colour
		pure := hexRGB(p.palette.class(int(part[0])))
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
func (p *pen) fill(path vg.Path, c paint) bool {
	k, ok := p.ink(c)
	if p.notes != nil && p.notes.now != nil && p.notes.now.symbol.size > 0 {
		k = p.coarse(k, c)
	}
	if ok && len(path) > 0 {
		p.count()
		p.c.SetColor(k)
		p.c.Fill(path)
	}
	return ok
}

func (p *pen) stroke(path vg.Path, c paint, width float64, dash []float64) {
	k, ok := p.ink(c)
	if !ok || len(path) == 0 || !(width > 0) {
		return
	}
	p.count()
	p.c.SetColor(k)
	p.c.SetLineWidth(vg.Length(width))
	lengths := make([]vg.Length, len(dash))
	for i, v := range dash {
		lengths[i] = vg.Length(v)
	}
	p.c.SetLineDash(lengths, 0)
	p.c.Stroke(path)
}

func (p *pen) line(x0, y0, x1, y1 float64, c paint, width float64, dash []float64) {
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

// symbol is the outline of a symbol of diameter d; plus and cross are lines to be stroked.
func (p *pen) symbol(s symbol, x, y, d float64) vg.Path {
	shape := symbolShape(s, d)
	if shape == nil {
		return p.circle(x, y, d/2)
	}
	var path vg.Path
	for _, part := range shape {
		moved := make([][2]float64, len(part.points))
		for i, q := range part.points {
			moved[i] = [2]float64{x + q[0], y + q[1]}
		}
		path = append(path, p.poly(moved, part.closed)...)
	}
	return path
}

// symbolShape is the outline of a symbol of diameter d about the origin, y down; nil is a circle.
func symbolShape(s symbol, d float64) []subpath {
	r := d / 2
	ring := func(r float64, angles ...float64) []subpath {
		var q [][2]float64
		for _, a := range angles {
			sin, cos := math.Sincos(a * math.Pi / 180)
			q = append(q, [2]float64{r * cos, -r * sin})
		}
		return []subpath{{q, true}}
	}
	switch s {
	case symbolSquare:
		r *= 0.87
		return []subpath{{[][2]float64{{-r, -r}, {r, -r}, {r, r}, {-r, r}}, true}}
	case symbolTriangle:
		return ring(1.22*r, 90, 210, 330)
	case symbolDown:
		return ring(1.22*r, 270, 30, 150)
	case symbolDiamond:
		return ring(1.2*r, 0, 90, 180, 270)
	case symbolStar:
		var q [][2]float64
		for i := range 10 {
			radius := 1.3 * r
			if i%2 == 1 {
				radius = 0.56 * r
			}
			sin, cos := math.Sincos((90 + 36*float64(i)) * math.Pi / 180)
			q = append(q, [2]float64{radius * cos, -radius * sin})
		}
		return []subpath{{q, true}}
	case symbolPlus:
		return []subpath{{[][2]float64{{-r, 0}, {r, 0}}, false}, {[][2]float64{{0, -r}, {0, r}}, false}}
	case symbolCross:
		s := 0.8 * r
		return []subpath{{[][2]float64{{-s, -s}, {s, s}}, false}, {[][2]float64{{-s, s}, {s, -s}}, false}}
	}
	return nil
}

// lettering says how a text is written.
type lettering struct {
	size  float64
	bold  bool
	fill  paint
	at    anchor
	angle float64 // degrees, anticlockwise
	halo  bool
}

// text writes s with its anchor at (x, y).
func (p *pen) text(x, y float64, s string, l lettering) {
	k, ok := p.ink(l.fill)
	if s = clean(s, 1000); s == "" || !ok {
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
	if p.notes != nil {
		p.count()
		weight := 0
		if l.bold {
			weight = 1
		}
		face := p.faces[weight]
		face.Font.Size = vg.Length(l.size)
		face.Font.Variant = font.Variant(or(l.at.H, "start"))
		if l.halo {
			face.Font.Variant += " halo"
		}
		k.alpha = 1
		p.c.SetColor(p.over(k, l.fill))
		if l.angle == 0 {
			p.c.FillString(face, p.at(x, y+down), s)
			return
		}
		p.c.Push()
		p.c.Translate(p.at(x, y))
		p.c.Rotate(l.angle * math.Pi / 180)
		p.c.FillString(face, vg.Point{Y: vg.Length(-down)}, s)
		p.c.Pop()
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
		p.stroke(path, paint{Token: tokenBackground}, 3, nil)
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

// over lays a translucent text colour on the page, for vgsvg writes texts opaque.
func (p *pen) over(k ink, c paint) ink {
	_, o := p.palette.color(c)
	page := hexRGB(p.palette.Background)
	for i := range k.rgb {
		k.rgb[i] = math.Round(page[i] + min(o, 1)*(k.rgb[i]-page[i]))
	}
	return k
}

func (p *pen) image(x0, y0, x1, y1 float64, m image.Image) {
	p.count()
	p.c.DrawImage(vg.Rectangle{Min: p.at(x0, y1), Max: p.at(x1, y0)}, m)
}
