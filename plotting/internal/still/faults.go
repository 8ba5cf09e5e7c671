package still

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/prlab/prlab/plotting/internal/scene"
)

// A Fault is something in a picture that a reader should not see.
type Fault struct {
	Kind string // "title", "text", "cut", "overlap"
	What string
}

// Faults lays a scene out at a width, 0 for its own, and returns what is wrong with it: no title, or words such as NaN; texts that leave
// their panel or the picture; points and bars that are cut, and lines of which nothing is left; nodes and texts that overlap. At a width
// below three quarters of its own a page leaves texts out that would meet, so there only nodes are compared.
func Faults(s *scene.Scene, width float64) (faults []Fault) {
	add := func(kind, format string, args ...any) {
		if f := (Fault{kind, fmt.Sprintf(format, args...)}); !slices.Contains(faults, f) {
			faults = append(faults, f)
		}
	}
	crowded := width > 0 && width < 0.75*s.Width
	if width > 0 {
		s = narrow(s, width)
	}
	l := lay(s)
	titles := s.Title
	for _, p := range s.Panels {
		titles += p.Title
	}
	if strings.TrimSpace(titles) == "" {
		add("title", "no title")
	}
	for _, line := range []string{s.Title, s.Subtitle, s.Caption} {
		if unreadable(line) {
			add("title", "%q", line)
		}
	}
	for i, c := range l.cells {
		x, y, w, h := l.cell(i)
		if unreadable(c.Title) {
			add("title", "%q", c.Title)
		}
		v := viewed{a: l.plot(c, x, y, w, h), cell: frame{x, y, x + w, y + h}, axes: !c.NoAxes, add: add}
		for k := range c.marks {
			v.mark(&c.marks[k])
		}
		v.overlaps(!crowded)
	}
	return faults
}

// unreadable reports whether a text holds a number that is none, or a slip of formatting.
func unreadable(s string) bool {
	return strings.Contains(s, "NaN") || strings.Contains(s, "%!") || strings.Contains(s, "Inf")
}

// narrow returns the scene as the runtime folds it at a width: fewer panels in a row, and the heights of rows that go with it.
func narrow(s *scene.Scene, width float64) *scene.Scene {
	const least, bare = 235, 170 // of a panel, with axes and without
	n := *s
	room := float64(least)
	if !slices.ContainsFunc(s.Panels, func(p scene.Panel) bool { return !p.NoAxes }) {
		room = bare
	}
	n.Width, n.Columns = width, min(max(s.Columns, 1), len(s.Panels))
	full := n.Columns
	for n.Columns > 1 && width/float64(n.Columns) < room {
		n.Columns--
	}
	rows := func(columns int) float64 { return math.Ceil(float64(len(s.Panels)) / float64(columns)) }
	head := lay(&n)
	row0 := max(120, (s.Height-head.header-head.footer)/rows(full))
	w0, w := s.Width/float64(full), width/float64(n.Columns)
	row := row0 * max(min(w/w0, 1), 0.6)
	switch {
	case n.Columns < full:
		row = min(max(row0*w/w0, 230), max(row0, 340))
	case full == 1 && w < 400:
		row = row0 * max(min(w/w0, 1), 0.8)
	}
	row = max(row, min(row0, 0.85*w))
	n.Height = head.header + head.footer + rows(n.Columns)*(row+head.gapY)
	return &n
}

// frame is a rectangle in pixels, y down.
type frame struct{ x0, y0, x1, y1 float64 }

// viewed is a panel in pixels.
type viewed struct {
	a     area
	cell  frame
	axes  bool
	nodes []node
	words []word
	add   func(kind, format string, args ...any)
}

type node struct {
	at   [2]float64
	r    float64
	name string
}

type word struct {
	at      [2]float64
	corners [4][2]float64
	text    string
}

// mark notes the nodes and the texts of a mark, and what of it leaves the panel.
func (v *viewed) mark(m *scene.Mark) {
	const slack = 2
	a := v.a
	outside := func(p [2]float64) bool {
		return p[0] < a.x0-slack || p[0] > a.x1+slack || p[1] < a.y0-slack || p[1] > a.y1+slack
	}
	name := func(i int) string {
		if i < len(m.Names) && m.Names[i] != "" {
			return m.Names[i]
		}
		return m.Key
	}
	switch m.Kind {
	case scene.Symbols:
		cut := 0
		for i, q := range m.XY {
			p := a.at(q)
			if m.Clip {
				if outside(p) {
					cut++
				}
				continue
			}
			r := m.Size / 2
			if i < len(m.Sizes) {
				r = m.Sizes[i] / 2
			}
			v.nodes = append(v.nodes, node{p, r, name(i)})
			if c := v.cell; p[0]-r < c.x0-slack || p[0]+r > c.x1+slack || p[1]-r < c.y0-slack || p[1]+r > c.y1+slack {
				v.add("cut", "node %q leaves its panel", name(i))
			}
		}
		if cut > 0 {
			v.add("cut", "points %q outside of the panel", m.Key)
		}
	case scene.Rects:
		for i := range m.XY {
			if m.Clip && !m.Tiles && (outside(a.at(m.XY[i])) || outside(a.at(m.XY2[i]))) {
				v.add("cut", "bars %q are cut", m.Key)
			}
		}
	case scene.Arrows:
		for i := range m.XY2 {
			if m.Clip && outside(a.at(m.XY2[i])) {
				v.add("cut", "the head of an arrow %q is outside of the panel", name(i))
			}
		}
	case scene.Paths:
		if m.Clip && len(m.Rings) > 0 && !m.Aside && !slices.ContainsFunc(m.Rings, func(line [][2]float64) bool { return v.crosses(line) }) {
			v.add("cut", "nothing of the line %q is inside the panel", m.Key)
		}
	case scene.Texts:
		v.texts(m)
	}
}

// crosses reports whether a line has a place in the panel: a vertex, or a segment that passes through.
func (v *viewed) crosses(line [][2]float64) bool {
	a := v.a
	for i, q := range line {
		p := a.at(q)
		if p[0] >= a.x0-1 && p[0] <= a.x1+1 && p[1] >= a.y0-1 && p[1] <= a.y1+1 {
			return true
		}
		if i == 0 {
			continue
		}
		o := a.at(line[i-1])
		const steps = 64
		for k := 1; k < steps; k++ {
			t := float64(k) / steps
			x, y := o[0]+t*(p[0]-o[0]), o[1]+t*(p[1]-o[1])
			if x >= a.x0 && x <= a.x1 && y >= a.y0 && y <= a.y1 {
				return true
			}
		}
	}
	return false
}

func (v *viewed) texts(m *scene.Mark) {
	const slack = 2
	a := v.a
	for i, q := range m.XY {
		p := a.at(q)
		if m.Clip && (p[0] < a.x0-1 || p[0] > a.x1+1 || p[1] < a.y0-1 || p[1] > a.y1+1) || strings.TrimSpace(m.Texts[i]) == "" {
			continue
		}
		size := m.Size
		if i < len(m.Sizes) {
			size = m.Sizes[i]
		}
		w := word{at: p, text: m.Texts[i]}
		w.corners = corners(p[0]+m.Offset[0], p[1]+m.Offset[1], scene.TextWidth(w.text, size, m.Bold), size, m.Anchor, m.Angle)
		v.words = append(v.words, w)
		if unreadable(w.text) {
			v.add("text", "%q", w.text)
		}
		bounds := frame{v.cell.x0, v.cell.y0, v.cell.x1, v.cell.y1}
		if v.axes { // to the left and below stand the numbers of the axes
			bounds.x0, bounds.y1 = a.x0-scene.AxisTickLength, a.y1+scene.AxisTickLength
		}
		for _, c := range w.corners {
			if c[0] < bounds.x0-slack || c[0] > bounds.x1+slack || c[1] < bounds.y0-slack || c[1] > bounds.y1+slack {
				v.add("cut", "the text %q leaves its panel", w.text)
				break
			}
		}
	}
}

// corners are those of the letters of a text, from the height of capitals to the base line.
func corners(x, y, width, size float64, at scene.Anchor, angle float64) (list [4][2]float64) {
	left := map[string]float64{"middle": -width / 2, "end": -width}[at.H]
	base := map[string]float64{"middle": 0.36 * size, "top": 0.76 * size, "bottom": -0.2 * size}[at.V]
	sin, cos := math.Sincos(-angle * math.Pi / 180)
	for i, c := range [4][2]float64{{left, base - 0.72*size}, {left + width, base - 0.72*size}, {left + width, base}, {left, base}} {
		list[i] = [2]float64{x + cos*c[0] - sin*c[1], y + sin*c[0] + cos*c[1]}
	}
	return list
}

// overlaps compares nodes with each other, and where texts are all drawn, these with each other and with nodes that are not theirs.
func (v *viewed) overlaps(texts bool) {
	const slack = 1
	for i, n := range v.nodes {
		for _, o := range v.nodes[:i] {
			if math.Hypot(n.at[0]-o.at[0], n.at[1]-o.at[1]) < n.r+o.r-slack {
				v.add("overlap", "nodes %q and %q", o.name, n.name)
			}
		}
	}
	if !texts {
		return
	}
	for i, w := range v.words {
		for _, o := range v.words[:i] {
			if meet(w.corners, o.corners, slack) && (w.text != o.text || w.at != o.at) {
				v.add("overlap", "texts %q and %q", o.text, w.text)
			}
		}
		for _, n := range v.nodes {
			if w.at != n.at && meet(w.corners, boxOf(n), slack) {
				v.add("overlap", "text %q and node %q", w.text, n.name)
			}
		}
	}
}

// boxOf is a square inside the circle of a node.
func boxOf(n node) [4][2]float64 {
	r := n.r * math.Sqrt2 / 2
	return [4][2]float64{{n.at[0] - r, n.at[1] - r}, {n.at[0] + r, n.at[1] - r}, {n.at[0] + r, n.at[1] + r}, {n.at[0] - r, n.at[1] + r}}
}

// meet reports whether two rectangles, which may be turned, overlap by more than slack: no line along a side of one has them apart.
func meet(a, b [4][2]float64, slack float64) bool {
	for _, r := range [2][4][2]float64{a, b} {
		for i := range 2 {
			dx, dy := r[i+1][0]-r[i][0], r[i+1][1]-r[i][1]
			length := math.Hypot(dx, dy)
			if length == 0 {
				continue
			}
			along := func(corners [4][2]float64) (lo, hi float64) {
				lo, hi = math.Inf(1), math.Inf(-1)
				for _, c := range corners {
					t := (c[0]*dx + c[1]*dy) / length
					lo, hi = min(lo, t), max(hi, t)
				}
				return lo, hi
			}
			lo, hi := along(a)
			from, to := along(b)
			if hi-slack <= from || to-slack <= lo {
				return false
			}
		}
	}
	return true
}
