//go:build !js

package plotting

import (
	"math"
	"strconv"
	"strings"
)

// scanner reads path data.
type scanner struct {
	s string
	i int
}

func (s *scanner) command() byte {
	if s.i >= len(s.s) {
		return 0
	}
	c := s.s[s.i]
	s.i++
	return c
}

func (s *scanner) number() float64 {
	for s.i < len(s.s) && (s.s[s.i] == ',' || s.s[s.i] == ' ') {
		s.i++
	}
	start := s.i
	for s.i < len(s.s) {
		c := s.s[s.i]
		if c >= '0' && c <= '9' || c == '.' || c == '-' || c == '+' || c == 'e' {
			s.i++
			continue
		}
		break
	}
	v, _ := strconv.ParseFloat(s.s[start:s.i], 64)
	return v
}

// circleOf recognises the path of one circle: M x+r,y and two arcs.
func circleOf(d string) (cx, cy, r float64, ok bool) {
	if strings.Count(d, "A") != 2 || strings.Count(d, "M") != 1 || strings.Contains(d, "L") {
		return
	}
	s := scanner{s: d}
	s.command()
	x, y := s.number(), s.number()
	s.command()
	r = s.number()
	return x - r, y, r, true
}

// trail writes path data with relative coordinates in whole units, rounded so that errors do not add up.
type trail struct {
	b      strings.Builder
	x, y   int // the pen
	sx, sy int // start of the subpath
	last   byte
	space  bool // whether the next number needs a separator
}

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

// subpath is a polyline or a ring in pixels, y down.
type subpath struct {
	points [][2]float64
	closed bool
}

// data rewrites path data. It reports whether the path is dots only.
func (t *tidier) data(d string, dashed bool) (string, bool) {
	if strings.ContainsRune(d, 'A') {
		return t.arcs(d), false
	}
	var parts []subpath
	s := scanner{s: d}
	for c := s.command(); c != 0; c = s.command() {
		if c == 'M' {
			parts = append(parts, subpath{})
		}
		if len(parts) == 0 {
			continue
		}
		p := &parts[len(parts)-1]
		switch c {
		case 'M', 'L':
			x, y := s.number(), s.number()
			p.points = append(p.points, [2]float64{x, t.height - y})
		case 'Z':
			p.closed = true
		}
	}
	var out trail
	dots := true
	for _, p := range parts {
		if !out.subpath(p, dashed) {
			dots = false
		}
	}
	return out.b.String(), dots && len(parts) > 0
}

// subpath writes one subpath and reports whether it is a dot.
func (t *trail) subpath(p subpath, dashed bool) bool {
	at := func(i int) (int, int) { return whole(p.points[i][0]), whole(p.points[i][1]) }
	x, y := at(0)
	n := len(p.points)
	if ex, ey := at(n - 1); n == 2 && !p.closed && !dashed && t.b.Len() > 0 { // a stroke may be drawn from either end
		if spell(ex-t.x, ey-t.y) < min(spell(x-t.x, y-t.y), spell(x, y)) {
			p.points[0], p.points[1] = p.points[1], p.points[0]
			x, y = ex, ey
		}
	}
	t.move(x, y)
	before := t.b.Len()
	for _, piece := range bend(p) {
		if piece.curved {
			t.curve(whole(piece.c1[0]), whole(piece.c1[1]), whole(piece.c2[0]), whole(piece.c2[1]), whole(piece.to[0]), whole(piece.to[1]))
		} else {
			t.line(whole(piece.to[0]), whole(piece.to[1]))
		}
	}
	dot := !p.closed && t.b.Len() == before
	if dot && n > 1 {
		t.dot()
	}
	if p.closed {
		t.close()
	}
	return dot
}

// arcs rewrites path data with arcs of circles.
func (t *tidier) arcs(d string) string {
	var out trail
	s := scanner{s: d}
	point := func() (int, int) {
		x, y := s.number(), s.number()
		return whole(x), whole(t.height - y)
	}
	for c := s.command(); c != 0; c = s.command() {
		switch c {
		case 'M':
			out.move(point())
		case 'L':
			out.line(point())
		case 'A':
			rx, ry := s.number(), s.number()
			s.number()
			large, sweep := s.number(), s.number()
			x, y := point()
			out.op('a')
			out.put(whole(rx), whole(ry), 0, int(large), 1-int(sweep), x-out.x, y-out.y)
			out.x, out.y = x, y
		case 'Z':
			out.close()
		}
	}
	return out.b.String()
}

// bent is a step of a path: a line to a point, or a cubic Bezier curve.
type bent struct {
	c1, c2, to [2]float64
	curved     bool
}

const (
	corner = 40 * math.Pi / 180 // a polyline that turns by more has a corner there
	level  = 0.04               // a vertex as near to the line between others is none, in pixels
	hug    = 0.12               // how far a curve may pass by a vertex, in pixels
	sag    = 0.2                // and by the lines between them
)

// bend replaces the smooth runs of a polyline by cubic Bezier curves where that is shorter (Schneider, An algorithm for automatically fitting
// digitized curves, Graphics Gems, 1990).
func bend(p subpath) []bent {
	q := p.points
	if len(q) > 2 {
		px := q
		if p.closed {
			px = append(q[:len(q):len(q)], q[0])
		}
		var kept [][2]float64
		for _, i := range peucker(px, level) {
			kept = append(kept, px[i])
		}
		if q = kept; p.closed {
			q = q[:len(q)-1]
		}
	}
	lines := func(q [][2]float64) []bent {
		out := make([]bent, 0, len(q))
		for _, v := range q {
			out = append(out, bent{to: v})
		}
		return out
	}
	if len(q) < 6 {
		return lines(q[1:])
	}
	kept := q[:1:1] // a point twice has no tangent
	for _, v := range q[1:] {
		if distance(v, kept[len(kept)-1]) > 0.02 {
			kept = append(kept, v)
		}
	}
	ring := p.closed
	if ring {
		if len(kept) > 1 && distance(kept[0], kept[len(kept)-1]) <= 0.02 {
			kept = kept[:len(kept)-1]
		}
		kept = append(kept, kept[0])
	}
	if len(kept) < 6 {
		return lines(q[1:])
	}
	var out []bent
	n := len(kept)
	start := 0
	var first, last [2]float64 // tangents at the ends of a smooth ring
	round := ring && turning(kept[n-2], kept[0], kept[1]) < corner
	if round {
		first = tangent(kept[n-2], kept[0], kept[1])
		last = first
	}
	for i := 1; i < n; i++ {
		if i < n-1 && turning(kept[i-1], kept[i], kept[i+1]) < corner {
			continue
		}
		run := kept[start : i+1]
		a, b := [2]float64{}, [2]float64{}
		if round && start == 0 {
			a = first
		}
		if round && i == n-1 {
			b = last
		}
		out = append(out, fitRun(run, a, b)...)
		start = i
	}
	if k := len(out) - 1; ring && k > 0 && !out[k].curved {
		out = out[:k] // closing the ring draws it
	}
	return out
}

func distance(a, b [2]float64) float64 { return math.Hypot(a[0]-b[0], a[1]-b[1]) }

// turning is the angle by which a polyline turns at b.
func turning(a, b, c [2]float64) float64 {
	ux, uy, vx, vy := b[0]-a[0], b[1]-a[1], c[0]-b[0], c[1]-b[1]
	return math.Abs(math.Atan2(ux*vy-uy*vx, ux*vx+uy*vy))
}

// tangent is the unit tangent at b of the parabola through three points, by their chords.
func tangent(a, b, c [2]float64) [2]float64 {
	h, k := distance(a, b), distance(b, c)
	return unit([2]float64{(b[0]-a[0])/h*k + (c[0]-b[0])/k*h, (b[1]-a[1])/h*k + (c[1]-b[1])/k*h})
}

// endTangent is the unit tangent at a of the parabola through three points.
func endTangent(a, b, c [2]float64) [2]float64 {
	h, k := distance(a, b), distance(b, c)
	var v [2]float64
	for i := range v {
		v[i] = (b[i]-a[i])/h*(2*h+k)/(h+k) - (c[i]-b[i])/k*h/(h+k)
	}
	return unit(v)
}

func unit(v [2]float64) [2]float64 {
	l := math.Hypot(v[0], v[1])
	if l == 0 {
		return v
	}
	return [2]float64{v[0] / l, v[1] / l}
}

// fitRun fits a run without corners, with the tangents at its ends where they are known.
func fitRun(q [][2]float64, a, b [2]float64) []bent {
	n := len(q)
	straight := func() []bent {
		out := make([]bent, 0, n-1)
		for _, v := range q[1:] {
			out = append(out, bent{to: v})
		}
		return out
	}
	if n < 5 {
		return straight()
	}
	if a == [2]float64{} {
		a = endTangent(q[0], q[1], q[2])
	}
	if b == [2]float64{} {
		v := endTangent(q[n-1], q[n-2], q[n-3])
		b = [2]float64{-v[0], -v[1]}
	}
	piece, worst := fitCubic(q, a, b)
	var out []bent
	if worst < 0 {
		out = []bent{piece}
	} else {
		worst = min(max(worst, 2), n-3)
		m := tangent(q[worst-1], q[worst], q[worst+1])
		out = append(fitRun(q[:worst+1], a, m), fitRun(q[worst:], m, b)...)
	}
	if cost(q[0], out) < cost(q[0], straight()) {
		return out
	}
	return straight()
}

// cost is the length of the path data of some steps.
func cost(from [2]float64, steps []bent) int {
	n := 0
	last := false
	for i, s := range steps {
		if i == 0 || s.curved != last {
			n++
		}
		last = s.curved
		rel := func(v [2]float64) int { return spell(whole(v[0])-whole(from[0]), whole(v[1])-whole(from[1])) }
		if s.curved {
			n += rel(s.c1) + rel(s.c2)
		}
		n += rel(s.to)
		from = s.to
	}
	return n
}

// fitCubic fits one cubic with the given tangents to the points, least squares in the lengths of its arms, and returns the index of the point
// where it strays most, or -1 when it stays close enough to the vertices and to the lines between them.
func fitCubic(q [][2]float64, a, b [2]float64) (bent, int) {
	n := len(q)
	u := make([]float64, n)
	for i := 1; i < n; i++ {
		u[i] = u[i-1] + distance(q[i-1], q[i])
	}
	total := u[n-1]
	for i := range u {
		u[i] /= total
	}
	p0, p3 := q[0], q[n-1]
	var piece bent
	worst := n / 2
	for range 4 {
		var c00, c01, c11, x0, x1 float64
		for i, t := range u {
			s := 1 - t
			b0, b1, b2, b3 := s*s*s, 3*s*s*t, 3*s*t*t, t*t*t
			for k := range 2 {
				a1, a2 := a[k]*b1, -b[k]*b2
				c00 += a1 * a1
				c01 += a1 * a2
				c11 += a2 * a2
				r := q[i][k] - (p0[k]*(b0+b1) + p3[k]*(b2+b3))
				x0 += a1 * r
				x1 += a2 * r
			}
		}
		det := c00*c11 - c01*c01
		if math.Abs(det) < 1e-12 {
			return piece, n / 2
		}
		al, ar := (x0*c11-x1*c01)/det, (c00*x1-c01*x0)/det
		if !(al > 0.01*total && ar > 0.01*total && al < total && ar < total) {
			return piece, n / 2
		}
		piece = bent{c1: [2]float64{p0[0] + al*a[0], p0[1] + al*a[1]}, c2: [2]float64{p3[0] - ar*b[0], p3[1] - ar*b[1]}, to: p3, curved: true}
		most := 0.0
		for i := 1; i < n-1; i++ {
			if d := distance(piece.at(p0, u[i]), q[i]); d > most {
				most, worst = d, i
			}
		}
		if most <= hug {
			worst = -1
			for i := 1; i < n; i++ {
				for _, w := range [...]float64{0.25, 0.5, 0.75} {
					v := piece.at(p0, u[i-1]+w*(u[i]-u[i-1]))
					if d := fromSegment(v, q[i-1], q[i]); d > sag {
						return piece, i
					}
				}
			}
			return piece, -1
		}
		if most > 4 {
			break
		}
		for i := 1; i < n-1; i++ { // one step of Newton towards the nearest parameter
			v, d, dd := piece.jet(p0, u[i])
			ex, ey := v[0]-q[i][0], v[1]-q[i][1]
			den := d[0]*d[0] + d[1]*d[1] + ex*dd[0] + ey*dd[1]
			if den > 1e-9 {
				u[i] -= (ex*d[0] + ey*d[1]) / den
			}
			u[i] = min(max(u[i], u[i-1]), 1)
		}
	}
	return piece, worst
}

func (c *bent) at(p0 [2]float64, t float64) [2]float64 {
	s := 1 - t
	var v [2]float64
	for k := range v {
		v[k] = s*s*s*p0[k] + 3*s*s*t*c.c1[k] + 3*s*t*t*c.c2[k] + t*t*t*c.to[k]
	}
	return v
}

// jet returns the point of the curve at t with its first two derivatives.
func (c *bent) jet(p0 [2]float64, t float64) (v, d, dd [2]float64) {
	s := 1 - t
	v = c.at(p0, t)
	for k := range v {
		d[k] = 3 * (s*s*(c.c1[k]-p0[k]) + 2*s*t*(c.c2[k]-c.c1[k]) + t*t*(c.to[k]-c.c2[k]))
		dd[k] = 6 * (s*(c.c2[k]-2*c.c1[k]+p0[k]) + t*(c.to[k]-2*c.c2[k]+c.c1[k]))
	}
	return
}
