package svg

import (
	"hash/fnv"
	"image/color"
	"math"
	"strconv"
)

// A path repeats a symbol that stands often enough: as marker of its vertices it costs six letters instead of forty.
const (
	repeatRun = 3 // in a row
	repeatAll = 6 // in the picture
)

// symbol is a symbol of diameter size at a place in pixels.
type symbol struct {
	name       string
	x, y, size float64
}

// Symbol draws a symbol of the given diameter around a place: one of those that Outline knows, or else a circle. A nil colour draws
// nothing; plus and cross have no inside.
func (c *Canvas) Symbol(name string, x, y, size float64, fill, stroke color.Color, width float64) {
	inside, opacity := paint("fill", fill)
	e := element{name: "path", fill: inside, shared: opacity, symbol: &symbol{name, x, y, size}}
	if line, opacity := paint("stroke", stroke); line != "" && width > 0 {
		e.shared += line + opacity + ` stroke-width="` + short(width*tenth, 1) + `"`
	}
	if e.fill != "" || e.shared != "" {
		c.add(e)
	}
}

// Outline returns the outline of a symbol of diameter d about the origin, y down; nil is a circle.
func Outline(name string, d float64) []Subpath {
	r := d / 2
	ring := func(r float64, angles ...float64) []Subpath {
		var q [][2]float64
		for _, a := range angles {
			sin, cos := math.Sincos(a * math.Pi / 180)
			q = append(q, [2]float64{r * cos, -r * sin})
		}
		return []Subpath{{q, true}}
	}
	switch name {
	case "square":
		r *= 0.87
		return []Subpath{{[][2]float64{{-r, -r}, {r, -r}, {r, r}, {-r, r}}, true}}
	case "triangle":
		return ring(1.22*r, 90, 210, 330)
	case "down":
		return ring(1.22*r, 270, 30, 150)
	case "diamond":
		return ring(1.2*r, 0, 90, 180, 270)
	case "star":
		var q [][2]float64
		for i := range 10 {
			radius := 1.3 * r
			if i%2 == 1 {
				radius = 0.56 * r
			}
			sin, cos := math.Sincos((90 + 36*float64(i)) * math.Pi / 180)
			q = append(q, [2]float64{radius * cos, -radius * sin})
		}
		return []Subpath{{q, true}}
	case "plus":
		return []Subpath{{[][2]float64{{-r, 0}, {r, 0}}, false}, {[][2]float64{{0, -r}, {0, r}}, false}}
	case "cross":
		s := 0.8 * r
		return []Subpath{{[][2]float64{{-s, -s}, {s, s}}, false}, {[][2]float64{{-s, s}, {s, -s}}, false}}
	}
	return nil
}

// gather turns runs of symbols into paths with markers. Symbols of different looks that do not touch may change places, which makes the
// runs long; what lies over what stays.
func (c *Canvas) gather() {
	type run struct {
		look  string
		items []element
	}
	var runs []run // a run without a look is other elements
	total := map[string]int{}
	for i := 0; i < len(c.elements); {
		j := i
		for j < len(c.elements) && c.elements[j].symbol != nil && c.elements[j].cell == c.elements[i].cell {
			j++
		}
		if j == i {
			runs = append(runs, run{"", c.elements[i : i+1]})
			i++
			continue
		}
		items := c.elements[i:j]
		looks := make([]string, len(items))
		for k := range items {
			looks[k] = items[k].look()
		}
		for _, batch := range schedule(items, looks) {
			r := run{look: looks[batch[0]]}
			for _, k := range batch {
				r.items = append(r.items, items[k])
			}
			if len(batch) >= repeatRun {
				total[r.look] += len(batch)
			}
			runs = append(runs, r)
		}
		i = j
	}
	c.elements = nil
	known := map[string]string{}
	for _, r := range runs {
		if r.look == "" {
			c.elements = append(c.elements, r.items...)
			continue
		}
		if len(r.items) < repeatRun || total[r.look] < repeatAll {
			for _, e := range r.items {
				e.shape(e.symbol.x, e.symbol.y)
				c.elements = append(c.elements, e)
			}
			continue
		}
		id, ok := known[r.look]
		if !ok {
			id = name(r.look)
			known[r.look] = id
			m := r.items[0]
			m.shape(0, 0)
			m.body = id
			c.markers = append(c.markers, m)
		}
		var path trail
		x, y := whole(r.items[0].symbol.x), whole(r.items[0].symbol.y)
		path.move(x, y) // neither the first nor the last vertex is marked
		path.dot()
		for _, e := range r.items[1:] {
			px, py := whole(e.symbol.x), whole(e.symbol.y)
			if px == path.x && py == path.y {
				path.op('h')
				path.put(0)
				continue
			}
			path.line(px, py)
		}
		path.op('h')
		path.put(0)
		c.elements = append(c.elements, element{name: "path", own: path.attribute() + ` marker-mid="url(#` + id + `)"`, cell: r.items[0].cell})
	}
}

// look is all of a symbol but its place.
func (e *element) look() string {
	return e.symbol.name + " " + tenths(e.symbol.size) + e.fill + e.shared
}

// shape writes a symbol at a place.
func (e *element) shape(x, y float64) {
	s := e.symbol
	e.symbol = nil
	parts := Outline(s.name, s.size)
	if parts == nil {
		e.name = "circle"
		if px, py := whole(x), whole(y); px != 0 || py != 0 {
			e.own = ` cx="` + strconv.Itoa(px) + `" cy="` + strconv.Itoa(py) + `"`
		}
		e.own += ` r="` + short(s.size/2*tenth, 1) + `"`
		return
	}
	var path trail
	for _, p := range parts {
		for i := range p.Points { // about the rounded place, so that all are alike
			p.Points[i][0] += math.Round(x*tenth) / tenth
			p.Points[i][1] += math.Round(y*tenth) / tenth
		}
		path.subpath(p, false)
	}
	e.name, e.own = "path", path.attribute()
}

// name is an identifier made of the content it stands for: pictures on one page that share a name share the thing.
func name(content string) string {
	h := fnv.New64a()
	h.Write([]byte(content))
	id := strconv.FormatUint(h.Sum64(), 36)
	return string('a'+id[0]%26) + id[1:6]
}

// symbolReach is how far symbols with corners reach, in radii.
var symbolReach = map[string]float64{"square": 1.24, "triangle": 1.22, "down": 1.22, "diamond": 1.2, "star": 1.3, "plus": 1, "cross": 1.14}

// schedule orders symbols in batches of one look, taking the look of which most may be drawn next: those over which no earlier one lies
// that is still to be drawn.
func schedule(items []element, looks []string) [][]int {
	n := len(items)
	same := true
	for _, l := range looks {
		same = same && l == looks[0]
	}
	if same {
		all := make([]int, n)
		for i := range all {
			all[i] = i
		}
		return [][]int{all}
	}
	radius := func(e *element) float64 { // of the circle around it, with half its outline and the soft edge
		if reach, ok := symbolReach[e.symbol.name]; ok {
			return reach*e.symbol.size/2 + 1
		}
		return e.symbol.size/2 + 0.6
	}
	under := make([][]int, n) // the earlier ones that it touches
	for i := range items {
		for j := range i {
			a, b := items[i].symbol, items[j].symbol
			if r := radius(&items[i]) + radius(&items[j]); math.Hypot(a.x-b.x, a.y-b.y) < r {
				under[i] = append(under[i], j)
			}
		}
	}
	var order []string // looks by first appearance, for a fixed choice among equals
	of := map[string][]int{}
	for i, l := range looks {
		if of[l] == nil {
			order = append(order, l)
		}
		of[l] = append(of[l], i)
	}
	drawn := make([]bool, n)
	var batches [][]int
	for left := n; left > 0; {
		var best []int
		for _, l := range order {
			if len(of[l]) <= len(best) {
				continue
			}
			var free []int
			in := map[int]bool{}
			for _, i := range of[l] {
				ok := true
				for _, j := range under[i] {
					ok = ok && (drawn[j] || in[j])
				}
				if ok {
					free = append(free, i)
					in[i] = true
				}
			}
			if len(free) > len(best) {
				best = free
			}
		}
		for _, i := range best {
			drawn[i] = true
		}
		left -= len(best)
		l := looks[best[0]]
		var rest []int
		for _, i := range of[l] {
			if !drawn[i] {
				rest = append(rest, i)
			}
		}
		of[l] = rest
		batches = append(batches, best)
	}
	return batches
}
