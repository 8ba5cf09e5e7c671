// Package svg writes small SVG documents. Its canvas is one of gonum/plot's vg, so that whatever draws on PDF and PNG draws on it too, and
// it knows what a vg.Canvas cannot say: symbols, which are markers of one path when they stand often; tables of tiles; shaded bars; texts
// with an anchor; and the cells of a film strip, which are written once where they are alike. The documents use presentation attributes
// only, no styles, classes or scripts, so they survive sanitisers.
package svg

import (
	"bytes"
	"encoding/base64"
	"html"
	"image"
	"image/color"
	"image/png"
	"math"
	"strconv"
	"strings"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// tenth is the unit of the documents: coordinates are whole tenths of a pixel, for a digit is cheaper than a decimal point.
const tenth = 10.0

// A Canvas is a page that is being drawn. It is a vg.Canvas whose unit is the CSS pixel; the methods that vg does not know count from the
// upper left corner, y down, and ignore its transformations.
type Canvas struct {
	width, height float64
	family        string  // of all texts
	size          float64 // of most texts
	elements      []element
	markers       []element // the symbols that paths repeat
	ramps         []string  // the shades of bars, as elements
	cells         [][2]float64
	cell          int // the cell that is being drawn, or -1
	state
	stack []state
}

var _ vg.CanvasSizer = (*Canvas)(nil)

// element is one shape: its own attributes, its fill, and the others that a group may carry for it.
type element struct {
	name, own, fill, shared, body string
	cell                          int     // the cell of the grid it stands in; -1: above and below the grid
	symbol                        *symbol // it is a symbol, its own attributes not yet written
	open                          bool    // a path filled and not stroked: its stroke may follow
}

// state is what Push saves.
type state struct {
	width float64
	dash  []vg.Length
	color color.Color
	at    affine
}

// New returns an empty page of a size in CSS pixels. Texts have the family, and the document says their usual size once.
func New(width, height float64, family string, size float64) *Canvas {
	return &Canvas{
		width: width, height: height, family: family, size: size, cell: -1,
		state: state{width: 1, color: color.Black, at: affine{1, 0, 0, 1, 0, 0}},
	}
}

// affine maps (x, y) to (ax + cy + e, bx + dy + f).
type affine struct{ a, b, c, d, e, f float64 }

func (t affine) apply(p vg.Point) (x, y float64) {
	u, v := float64(p.X), float64(p.Y)
	return t.a*u + t.c*v + t.e, t.b*u + t.d*v + t.f
}

// then returns the map that applies s first.
func (t affine) then(s affine) affine {
	return affine{t.a*s.a + t.c*s.b, t.b*s.a + t.d*s.b, t.a*s.c + t.c*s.d, t.b*s.c + t.d*s.d, t.a*s.e + t.c*s.f + t.e, t.b*s.e + t.d*s.f + t.f}
}

// scale is how much longer lengths become, on average over the directions.
func (t affine) scale() float64 { return math.Sqrt(math.Abs(t.a*t.d - t.b*t.c)) }

// Size returns the size of the page.
func (c *Canvas) Size() (x, y vg.Length) { return vg.Length(c.width), vg.Length(c.height) }

// SetLineWidth sets the width of strokes.
func (c *Canvas) SetLineWidth(w vg.Length) { c.state.width = float64(w) }

// SetLineDash sets the lengths of dashes and gaps. The offset is not used.
func (c *Canvas) SetLineDash(pattern []vg.Length, _ vg.Length) { c.dash = pattern }

// SetColor sets the colour of what follows; nil is black.
func (c *Canvas) SetColor(k color.Color) {
	if c.color = k; k == nil {
		c.color = color.Black
	}
}

// Rotate turns what follows anticlockwise, by radians.
func (c *Canvas) Rotate(rad float64) {
	sin, cos := math.Sincos(rad)
	c.at = c.at.then(affine{cos, sin, -sin, cos, 0, 0})
}

// Translate moves what follows.
func (c *Canvas) Translate(p vg.Point) {
	c.at = c.at.then(affine{1, 0, 0, 1, float64(p.X), float64(p.Y)})
}

// Scale stretches what follows.
func (c *Canvas) Scale(x, y float64) { c.at = c.at.then(affine{x, 0, 0, y, 0, 0}) }

// Push saves line width, dashes, colour and transformation.
func (c *Canvas) Push() { c.stack = append(c.stack, c.state) }

// Pop restores what the last Push has saved.
func (c *Canvas) Pop() {
	if n := len(c.stack); n > 0 {
		c.state, c.stack = c.stack[n-1], c.stack[:n-1]
	}
}

// place returns a point in pixels, y down.
func (c *Canvas) place(p vg.Point) (x, y float64) {
	x, y = c.at.apply(p)
	return x, c.height - y
}

// Fill fills a path.
func (c *Canvas) Fill(p vg.Path) {
	fill, opacity := paint("fill", c.color)
	if fill == "" || len(p) == 0 {
		return
	}
	name, own := c.outline(p, false)
	if own == nothing {
		return
	}
	c.add(element{name: name, own: own, fill: fill, shared: opacity, open: true})
}

// Stroke draws along a path. The stroke of a path that has just been filled joins its element.
func (c *Canvas) Stroke(p vg.Path) {
	width := c.state.width * c.at.scale()
	stroke, opacity := paint("stroke", c.color)
	if stroke == "" || len(p) == 0 || !(width > 0) {
		return
	}
	stroke += opacity
	if len(c.dash) > 0 {
		parts := make([]string, len(c.dash))
		for i, v := range c.dash {
			parts[i] = short(float64(v)*c.at.scale()*tenth, 1)
		}
		stroke += ` stroke-dasharray="` + strings.Join(parts, " ") + `"`
	}
	stroke += ` stroke-width="` + short(width*tenth, 1) + `"`
	name, own := c.outline(p, len(c.dash) > 0)
	if own == nothing {
		return
	}
	if n := len(c.elements); n > 0 {
		if last := &c.elements[n-1]; last.open && last.own == own && last.cell == c.cell {
			last.shared += stroke
			last.open = false
			return
		}
	}
	c.add(element{name: name, own: own, shared: stroke})
}

// FillString writes a text in the family of the document, of size, weight and style of the face. It begins at p; when the face is known,
// its middle stands where it would stand in the letters of the face.
func (c *Canvas) FillString(face font.Face, p vg.Point, s string) {
	anchor := ""
	if face.Face != nil && s != "" {
		p.X += face.Width(s) / 2
		anchor = "middle"
	}
	x, y := c.place(p)
	l := Lettering{
		Size: float64(face.Font.Size) * c.at.scale(), Bold: face.Font.Weight >= xfont.WeightBold,
		Italic: face.Font.Style != xfont.StyleNormal, Anchor: anchor, Color: c.color, Angle: math.Atan2(c.at.b, c.at.a) * 180 / math.Pi,
	}
	c.Text(x, y, 0, s, l)
}

// DrawImage draws an image into a rectangle.
func (c *Canvas) DrawImage(r vg.Rectangle, m image.Image) {
	var b bytes.Buffer
	if png.Encode(&b, m) != nil { // an image without pixels
		return
	}
	x0, y1 := c.place(r.Min)
	x1, y0 := c.place(r.Max)
	c.add(element{name: "image", own: ` x="` + tenths(x0) + `" y="` + tenths(y0) + `" width="` + tenths(x1-x0) + `" height="` + tenths(y1-y0) +
		`" preserveAspectRatio="none" href="data:image/png;base64,` + base64.StdEncoding.EncodeToString(b.Bytes()) + `"`})
}

// Lettering says how a text is written.
type Lettering struct {
	Size   float64
	Bold   bool
	Italic bool
	Anchor string  // "start", also for "", "middle" or "end": the point of the text that stands at its place
	Angle  float64 // degrees, anticlockwise about the place
	Color  color.Color
	Halo   color.Color // of an outline three pixels wide, or nil
}

// Text writes s at (x, y), its base line so many pixels below.
func (c *Canvas) Text(x, y, down float64, s string, l Lettering) {
	fill, opacity := paint("fill", l.Color)
	if fill == "" || s == "" || !(l.Size > 0) {
		return
	}
	e := element{
		name:   "text",
		own:    ` x="` + tenths(x) + `" y="` + tenths(y+down) + `"`,
		body:   html.EscapeString(s),
		fill:   fill,
		shared: opacity,
	}
	if angle := short(-l.Angle, 1); angle != "0" {
		e.own += ` transform="rotate(` + angle + " " + tenths(x) + " " + tenths(y) + `)"`
	}
	if l.Bold {
		e.shared += ` font-weight="bold"`
	}
	if l.Italic {
		e.shared += ` font-style="italic"`
	}
	if size := tenths(l.Size); size != tenths(c.size) {
		e.shared += ` font-size="` + size + `"`
	}
	if l.Anchor == "middle" || l.Anchor == "end" {
		e.shared += ` text-anchor="` + l.Anchor + `"`
	}
	if l.Halo != nil {
		stroke, _ := paint("stroke", l.Halo)
		e.shared += stroke + ` stroke-width="` + tenths(3) + `" paint-order="stroke"`
	}
	c.add(e)
}

// Dots draws a round dot of the given diameter at each place, all as one element.
func (c *Canvas) Dots(at [][2]float64, size float64, k color.Color) {
	stroke, opacity := paint("stroke", k)
	if stroke == "" || len(at) == 0 || !(size > 0) {
		return
	}
	var path trail
	for _, q := range at { // a line of no length with round ends
		path.move(whole(q[0]), whole(q[1]))
		path.dot()
	}
	c.add(
		element{
			name:   "path",
			own:    path.attribute(),
			shared: stroke + opacity + ` stroke-width="` + short(size*tenth, 1) + `" stroke-linecap="round"`,
		},
	)
}

// Cell begins a cell of a grid of alike pictures; what is drawn until the next call counts from (x, y).
func (c *Canvas) Cell(x, y float64) {
	c.cell = len(c.cells)
	c.cells = append(c.cells, [2]float64{x, y})
}

// EndCells ends the grid.
func (c *Canvas) EndCells() { c.cell = -1 }

func (c *Canvas) add(e element) {
	e.cell = c.cell
	c.elements = append(c.elements, e)
}

// paint returns a colour as attribute of the given name, and its opacity as another; both are empty for one that cannot be seen.
func paint(name string, k color.Color) (attribute, opacity string) {
	if k == nil {
		return "", ""
	}
	r, g, b, a := k.RGBA()
	if a == 0 {
		return "", ""
	}
	const hex = "0123456789abcdef"
	var s [7]byte
	s[0] = '#'
	for i, v := range [3]uint32{r, g, b} {
		v = min(uint32(math.Round(float64(v)/float64(a)*255)), 255)
		s[1+2*i], s[2+2*i] = hex[v>>4], hex[v&15]
	}
	attribute = " " + name + `="` + shortColour(string(s[:])) + `"`
	if a < 0xffff {
		opacity = " " + name + `-opacity="` + short(float64(a)/0xffff, 3) + `"`
	}
	return attribute, opacity
}

func shortColour(c string) string {
	c = strings.ToLower(c)
	if len(c) == 7 && c[1] == c[2] && c[3] == c[4] && c[5] == c[6] {
		return "#" + c[1:2] + c[3:4] + c[5:6]
	}
	return c
}

// short writes a number with at most the given decimals and no needless zero.
func short(v float64, decimals int) string {
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	switch {
	case s == "-0" || s == "":
		return "0"
	case strings.HasPrefix(s, "0."):
		return s[1:]
	case strings.HasPrefix(s, "-0."):
		return "-" + s[2:]
	}
	return s
}

// tenths writes a length in pixels in the unit of the document.
func tenths(v float64) string { return strconv.Itoa(whole(v)) }

func whole(v float64) int { return int(math.Round(v * tenth)) }
