//go:build !js

package plotting

import (
	"bytes"
	"hash/fnv"
	"math"
	"strconv"
)

// A path repeats a symbol that stands often enough: as marker of its vertices it costs six letters instead of forty.
const (
	repeatRun = 3 // in a row
	repeatAll = 6 // in the picture
)

// gather turns runs of symbols into paths with markers. Symbols of different looks that do not touch may change places, which makes the
// runs long; what lies over what stays.
func (t *tidier) gather() {
	type run struct {
		look  string
		items []element
	}
	var runs []run // a run without a look is other elements
	total := map[string]int{}
	for i := 0; i < len(t.elements); {
		j := i
		for j < len(t.elements) && t.elements[j].symbol != nil && t.elements[j].cell == t.elements[i].cell {
			j++
		}
		if j == i {
			runs = append(runs, run{"", t.elements[i : i+1]})
			i++
			continue
		}
		items := t.elements[i:j]
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
	t.elements = nil
	known := map[string]string{}
	for _, r := range runs {
		if r.look == "" {
			t.elements = append(t.elements, r.items...)
			continue
		}
		if len(r.items) < repeatRun || total[r.look] < repeatAll {
			for _, e := range r.items {
				e.shape(e.symbol.x, e.symbol.y)
				t.elements = append(t.elements, e)
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
			t.markers = append(t.markers, m)
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
		t.elements = append(t.elements, element{name: "path", own: ` d="` + path.b.String() + `" marker-mid="url(#` + id + `)"`, cell: r.items[0].cell})
	}
}

// look is all of a symbol but its place.
func (e *element) look() string {
	return string(e.symbol.symbol) + " " + tenths(e.symbol.size) + e.fill + e.shared
}

// shape writes a symbol at a place.
func (e *element) shape(x, y float64) {
	s := e.symbol
	e.symbol = nil
	parts := symbolShape(s.symbol, s.size)
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
		for i := range p.points { // about the rounded place, so that all are alike
			p.points[i][0] += math.Round(x*tenth) / tenth
			p.points[i][1] += math.Round(y*tenth) / tenth
		}
		path.subpath(p, false)
	}
	e.name, e.own = "path", ` d="`+path.b.String()+`"`
}

// name is an identifier made of the content it stands for: pictures on one page that share a name share the thing.
func name(content string) string {
	h := fnv.New64a()
	h.Write([]byte(content))
	id := strconv.FormatUint(h.Sum64(), 36)
	return string('a'+id[0]%26) + id[1:6]
}

// symbolReach is how far symbols with corners reach, in radii.
var symbolReach = map[symbol]float64{symbolSquare: 1.24, symbolTriangle: 1.22, symbolDown: 1.22, symbolDiamond: 1.2, symbolStar: 1.3, symbolPlus: 1, symbolCross: 1.14}

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
		if reach, ok := symbolReach[e.symbol.symbol]; ok {
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

// plain is an element as text, with all its attributes.
func (e *element) plain() string {
	return e.name + e.own + e.fill + e.shared + ">" + e.body
}

func (e *element) write(b *bytes.Buffer, fill, shared bool) {
	b.WriteString("<" + e.name + e.own)
	if fill {
		b.WriteString(e.fill)
	}
	if shared {
		b.WriteString(e.shared)
	}
	if e.name == "text" {
		b.WriteString(">" + e.body + "</text>")
	} else {
		b.WriteString("/>")
	}
}
