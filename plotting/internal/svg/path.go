package svg

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"github.com/prlab/prlab/plotting/internal/geometry"
)

// thinning is how near to the line between others a vertex is none, in pixels.
const thinning = 0.25

// nothing is the outline of a path without points.
const nothing = ` d=""`

// A Subpath is a polyline or a ring in pixels, y down.
type Subpath struct {
	Points [][2]float64
	Closed bool
}

// outline returns the element that is a path, and its own attributes.
func (c *Canvas) outline(p vg.Path, dashed bool) (name, own string) {
	var path trail
	if c.circle(p) {
		x, y := c.place(p[1].Pos)
		return "circle", ` cx="` + tenths(x) + `" cy="` + tenths(y) + `" r="` + short(float64(p[1].Radius)*c.at.scale()*tenth, 1) + `"`
	}
	for _, comp := range p {
		if comp.Type == vg.ArcComp || comp.Type == vg.CurveComp {
			c.curves(&path, p)
			return "path", path.attribute()
		}
	}
	var parts []Subpath
	for _, comp := range p {
		if comp.Type == vg.MoveComp || len(parts) == 0 {
			parts = append(parts, Subpath{})
		}
		part := &parts[len(parts)-1]
		if comp.Type == vg.CloseComp {
			part.Closed = true
			continue
		}
		x, y := c.place(comp.Pos)
		part.Points = append(part.Points, [2]float64{x, y})
	}
	for _, part := range parts {
		path.subpath(part, dashed)
	}
	return "path", path.attribute()
}

// circle reports whether a path is one circle: a move, an arc all around, and the end. Stretched it would be none.
func (c *Canvas) circle(p vg.Path) bool {
	t := c.at
	return len(p) == 3 && p[0].Type == vg.MoveComp && p[1].Type == vg.ArcComp && p[2].Type == vg.CloseComp &&
		math.Abs(p[1].Angle) > 2*math.Pi-1e-9 && math.Abs(math.Abs(t.a)-math.Abs(t.d)) < 1e-9 && math.Abs(math.Abs(t.b)-math.Abs(t.c)) < 1e-9
}

// curves writes a path with arcs and curves, arcs as cubic curves of at most a quarter of a circle each.
func (c *Canvas) curves(path *trail, p vg.Path) {
	at := func(q vg.Point) (int, int) {
		x, y := c.place(q)
		return whole(x), whole(y)
	}
	var pen vg.Point
	drawn := false
	to := func(q vg.Point) {
		x, y := at(q)
		if drawn {
			path.line(x, y)
		} else {
			path.move(x, y)
		}
		pen, drawn = q, true
	}
	cubic := func(a, b, q vg.Point) {
		ax, ay := at(a)
		bx, by := at(b)
		x, y := at(q)
		path.curve(ax, ay, bx, by, x, y)
		pen = q
	}
	for _, comp := range p {
		switch comp.Type {
		case vg.MoveComp:
			drawn = false
			to(comp.Pos)
		case vg.LineComp:
			to(comp.Pos)
		case vg.CloseComp:
			path.close()
		case vg.CurveComp:
			if !drawn {
				to(pen)
			}
			q := comp.Control
			if len(q) == 2 {
				cubic(q[0], q[1], comp.Pos)
			} else if len(q) == 1 { // a quadratic curve
				between := func(a, b vg.Point) vg.Point {
					return vg.Point{X: a.X + (b.X-a.X)*2/3, Y: a.Y + (b.Y-a.Y)*2/3}
				}
				cubic(between(pen, q[0]), between(comp.Pos, q[0]), comp.Pos)
			}
		case vg.ArcComp:
			n := max(math.Ceil(math.Abs(comp.Angle)/(math.Pi/2)-1e-9), 1)
			step := comp.Angle / n
			arm := 4. / 3 * math.Tan(step/4)
			on := func(angle, along float64) vg.Point {
				sin, cos := math.Sincos(angle)
				r := comp.Radius
				return vg.Point{X: comp.Pos.X + r*vg.Length(cos-along*sin), Y: comp.Pos.Y + r*vg.Length(sin+along*cos)}
			}
			to(on(comp.Start, 0))
			for k := range int(n) {
				from := comp.Start + float64(k)*step
				cubic(on(from, arm), on(from+step, -arm), on(from+step, 0))
			}
		}
	}
}

// trail writes path data with relative coordinates in whole units, rounded so that errors do not add up.
type trail struct {
	b      strings.Builder
	x, y   int // the pen
	sx, sy int // start of the subpath
	last   byte
	space  bool // whether the next number needs a separator
}

func (t *trail) attribute() string { return ` d="` + t.b.String() + `"` }

func (t *trail) op(c byte) {
	if c != t.last || c == 'M' || c == 'm' {
		t.b.WriteByte(c)
		t.space = false
	}
	t.last = c
}

func (t *trail) put(values ...int) {
	for _, v := range values {
		if t.space && v >= 0 {
			t.b.WriteByte(' ')
		}
		t.b.WriteString(strconv.Itoa(v))
		t.space = true
	}
}

// spell is the length of numbers in path data.
func spell(values ...int) int {
	n := 0
	for _, v := range values {
		n++
		if v < 0 {
			v = -v
		}
		for ; v >= 10; v /= 10 {
			n++
		}
		n++ // separator or sign
	}
	return n
}

func (t *trail) move(x, y int) {
	if t.b.Len() > 0 && spell(x-t.x, y-t.y) < spell(x, y) {
		t.op('m')
		t.put(x-t.x, y-t.y)
	} else {
		t.op('M')
		t.put(x, y)
	}
	t.x, t.y, t.sx, t.sy = x, y, x, y
}

func (t *trail) line(x, y int) {
	switch dx, dy := x-t.x, y-t.y; {
	case dx == 0 && dy == 0:
		return
	case dy == 0:
		t.op('h')
		t.put(dx)
	case dx == 0:
		t.op('v')
		t.put(dy)
	default:
		t.op('l')
		t.put(dx, dy)
	}
	t.x, t.y = x, y
}

func (t *trail) curve(x1, y1, x2, y2, x, y int) {
	t.op('c')
	t.put(x1-t.x, y1-t.y, x2-t.x, y2-t.y, x-t.x, y-t.y)
	t.x, t.y = x, y
}

// dot is a line of no length.
func (t *trail) dot() {
	t.op('h')
	t.put(0)
}

func (t *trail) close() {
	t.b.WriteByte('z')
	t.last, t.space = 'z', false
	t.x, t.y = t.sx, t.sy
}

// subpath writes one subpath without the vertices that nobody sees.
func (t *trail) subpath(p Subpath, dashed bool) {
	q := p.Points
	n := len(q)
	if n == 0 {
		return
	}
	if n == 2 && !p.Closed && !dashed && t.b.Len() > 0 { // a stroke may be drawn from either end
		x, y, ex, ey := whole(q[0][0]), whole(q[0][1]), whole(q[1][0]), whole(q[1][1])
		if spell(ex-t.x, ey-t.y) < min(spell(x-t.x, y-t.y), spell(x, y)) {
			q = [][2]float64{q[1], q[0]}
		}
	}
	if n > 2 {
		ring := q
		if p.Closed {
			ring = append(q[:n:n], q[0])
		}
		var kept [][2]float64
		for _, i := range geometry.Thin(ring, thinning) {
			kept = append(kept, ring[i])
		}
		if q = kept; p.Closed {
			q = q[:len(q)-1]
		}
	}
	t.move(whole(q[0][0]), whole(q[0][1]))
	before := t.b.Len()
	for _, v := range q[1:] {
		t.line(whole(v[0]), whole(v[1]))
	}
	if n > 1 && !p.Closed && t.b.Len() == before {
		t.dot()
	}
	if p.Closed {
		t.close()
	}
}
