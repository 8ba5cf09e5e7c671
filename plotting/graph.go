package plotting

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/prlab/prlab/plotting/internal/scene"
)

// Node is a vertex of a Graph.
type Node struct {
	Name   string // what edges refer to
	Label  string // what is written; "" writes Name, " " nothing
	X, Y   float64
	Class  string // colour of a class; "" is plain
	Accent bool
	Size   float64 // diameter in pixels; 0 fits the label
	Note   string  // what the node says under the pointer
}

// Edge joins two nodes by their names.
type Edge struct {
	From, To string
	Label    string
	Weight   float64 // width of the line relative to the heaviest edge; 0 everywhere draws all alike
	Accent   bool
	Dash     bool
}

// GraphLayer draws nodes and edges. Make one with Graph.
type GraphLayer struct {
	nodes    []Node
	edges    []Edge
	layout   string
	directed bool
	size     float64
}

// Graph draws nodes at their X, Y (y up) and edges between them; an edge from a node to itself is a loop. If all X and Y are zero the
// nodes stand on a circle.
func Graph(nodes []Node, edges []Edge) GraphLayer {
	return GraphLayer{nodes: slices.Clone(nodes), edges: slices.Clone(edges)}
}

// Circle places the nodes on a circle, clockwise from the top.
func (g GraphLayer) Circle() GraphLayer { g.layout = "circle"; return g }

// Tree places the nodes as a tree that grows downwards from the nodes without an incoming edge; children keep the order of their edges.
func (g GraphLayer) Tree() GraphLayer { g.layout = "tree"; return g }

// Directed gives the edges heads.
func (g GraphLayer) Directed() GraphLayer { g.directed = true; return g }

// Size sets the diameter of all nodes in pixels.
func (g GraphLayer) Size(px float64) GraphLayer { g.size = px; return g }

func (g GraphLayer) check() error {
	seen := make(map[string]bool, len(g.nodes))
	for i, n := range g.nodes {
		if seen[n.Name] {
			return argument(
				"Graph",
				fmt.Sprintf("nodes[%d].Name", i),
				fmt.Sprintf("%q again", n.Name),
				"a name of its own",
				"use Label for what is written",
			)
		}
		seen[n.Name] = true
		if !finite(n.X) || !finite(n.Y) {
			return argument("Graph", fmt.Sprintf("nodes[%d]", i), fmt.Sprintf("at (%v, %v)", n.X, n.Y), "at finite coordinates", "")
		}
	}
	for i, e := range g.edges {
		for _, end := range []string{e.From, e.To} {
			if !seen[end] {
				return argument("Graph", fmt.Sprintf("edges[%d]", i), fmt.Sprintf("at %q", end), "between nodes of the graph", "")
			}
		}
	}
	return checkPixels("Graph.Size", g.size)
}

// placed returns the nodes at the places the layout gives them.
func (g GraphLayer) placed() []Node {
	nodes := slices.Clone(g.nodes)
	layout := g.layout
	if layout == "" {
		zero := true
		for _, n := range nodes {
			zero = zero && n.X == 0 && n.Y == 0
		}
		if zero && len(nodes) > 1 {
			layout = "circle"
		}
	}
	switch layout {
	case "circle":
		for i := range nodes {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(len(nodes)))
			nodes[i].X, nodes[i].Y = sin, cos
		}
	case "tree":
		g.tree(nodes)
	}
	return nodes
}

// tree puts the leaves side by side and each parent over the middle of its children; a node is the child of the first edge into it.
func (g GraphLayer) tree(nodes []Node) {
	index := make(map[string]int, len(nodes))
	for i, n := range nodes {
		index[n.Name] = i
	}
	children := make([][]int, len(nodes))
	child := make([]bool, len(nodes))
	for _, e := range g.edges {
		a, b := index[e.From], index[e.To]
		if a != b && !child[b] {
			child[b] = true
			children[a] = append(children[a], b)
		}
	}
	next := 0.0
	seen := make([]bool, len(nodes))
	var place func(i, depth int)
	place = func(i, depth int) {
		seen[i] = true
		nodes[i].Y = -float64(depth)
		sum, k := 0.0, 0
		for _, c := range children[i] {
			if !seen[c] {
				place(c, depth+1)
				sum += nodes[c].X
				k++
			}
		}
		if k == 0 {
			nodes[i].X = next
			next++
			return
		}
		nodes[i].X = sum / float64(k)
	}
	for i := range nodes {
		if !child[i] {
			place(i, 0)
		}
	}
	for i := range nodes { // cycles have no root
		if !seen[i] {
			place(i, 0)
		}
	}
}

func (g GraphLayer) survey(v *survey) {
	v.noAxes = true
	nodes := g.placed()
	var e extent
	var ey extent
	for _, n := range nodes {
		e.soft(n.X)
		ey.soft(n.Y)
		if n.Class != "" {
			v.pic.slot(n.Class)
		}
	}
	if !e.some {
		return
	}
	mx, my := max((e.hi-e.lo)*0.1, 1e-9), max((ey.hi-ey.lo)*0.13, 1e-9)
	if e.hi == e.lo {
		mx = max((ey.hi-ey.lo)/2, 0.5)
	}
	if ey.hi == ey.lo {
		my = max((e.hi-e.lo)/4, 0.5)
	}
	if g.layout == "circle" {
		v.equal = true
	}
	for _, edge := range g.edges {
		if edge.From == edge.To { // loops stand out above
			my = max(my, (ey.hi-ey.lo)*0.24)
			break
		}
	}
	v.x.hard(e.lo-mx, e.hi+mx)
	v.y.hard(ey.lo-my, ey.hi+my)
}

func (g GraphLayer) lower(d *panelDrawing) {
	w := newGraphDrawing(g, d)
	for _, e := range g.edges {
		w.edge(e)
	}
	for _, k := range w.order {
		d.add(*w.paths[k])
	}
	for _, accent := range []bool{false, true} {
		if h := w.heads[accent]; h != nil {
			d.add(*h)
		}
	}
	w.circles()
	if len(w.texts.XY) > 0 {
		d.add(w.texts)
	}
	d.describe("a graph of %s and %s", count(len(w.nodes), "node"), count(len(g.edges), "edge"))
}

// A graphDrawing is a graph on its way into a panel.
type graphDrawing struct {
	GraphLayer
	*panelDrawing
	nodes  []Node
	labels []string
	size   []float64 // of the nodes, in pixels
	index  map[string]int
	ux, uy float64 // pixels by unit of the axes

	heaviest float64
	both     map[[2]string]bool // edges by their ends
	paths    map[edgeGroup]*scene.Mark
	order    []edgeGroup
	heads    map[bool]*scene.Mark
	texts    scene.Mark
}

// An edgeGroup is the edges that look alike.
type edgeGroup struct {
	accent, dash bool
	width        float64
}

func newGraphDrawing(g GraphLayer, d *panelDrawing) *graphDrawing {
	nodes := g.placed()
	w := &graphDrawing{
		GraphLayer: g, panelDrawing: d, nodes: nodes, labels: make([]string, len(nodes)), size: make([]float64, len(nodes)),
		index: make(map[string]int, len(nodes)), ux: d.w / (d.x.Hi - d.x.Lo), uy: d.h / (d.y.Hi - d.y.Lo),
		both: map[[2]string]bool{}, paths: map[edgeGroup]*scene.Mark{}, heads: map[bool]*scene.Mark{},
		texts: scene.Mark{
			Kind:   scene.Texts,
			Z:      d.over(),
			Size:   11,
			Fill:   scene.Paint{Token: scene.TokenForeground},
			Halo:   true,
			Anchor: scene.At("middle", "middle"),
		},
	}
	for i, n := range nodes {
		w.index[n.Name] = i
		w.labels[i] = scene.Clean(or(n.Label, n.Name), 60)
		w.size[i] = min(max(scene.TextWidth(w.labels[i], 12, false)+12, 26), 64)
		if w.labels[i] == " " {
			w.size[i] = 14
		}
		if g.size > 0 {
			w.size[i] = g.size
		}
		if n.Size > 0 {
			w.size[i] = min(n.Size, 400)
		}
	}
	if d.survey.equal {
		w.ux = min(w.ux, w.uy)
		w.uy = w.ux
	}
	for _, e := range g.edges {
		w.heaviest = max(w.heaviest, e.Weight)
		w.both[[2]string{e.From, e.To}] = true
	}
	return w
}

// toData is the place on the axes of one in pixels.
func (w *graphDrawing) toData(p [2]float64) [2]float64 {
	return [2]float64{w.x.Lo + p[0]/w.ux, w.y.Lo + p[1]/w.uy}
}

// group is the mark of the edges that look like e.
func (w *graphDrawing) group(e Edge) *scene.Mark {
	k := edgeGroup{accent: e.Accent, dash: e.Dash, width: 1.25}
	if e.Accent {
		k.width = 2.5
	}
	if w.heaviest > 0 {
		k.width = 0.5 + 4*math.Round(8*max(e.Weight, 0)/w.heaviest)/8
	}
	if m := w.paths[k]; m != nil {
		return m
	}
	m := &scene.Mark{Kind: scene.Paths, Stroke: scene.Paint{Token: scene.TokenMuted}, Width: k.width, Dash: pattern(e.Dash, false)}
	if e.Accent {
		m.Stroke = scene.Paint{Token: scene.TokenAccent}
		m.Z = 10*(w.layer+1) + 1
	}
	w.paths[k], w.order = m, append(w.order, k)
	return m
}

// curve is the line of an edge, in pixels.
func (w *graphDrawing) curve(e Edge) [][2]float64 {
	a, b := w.index[e.From], w.index[e.To]
	ax, ay := (w.nodes[a].X-w.x.Lo)*w.ux, (w.nodes[a].Y-w.y.Lo)*w.uy
	if a == b {
		return loop(ax, ay, w.size[a]/2, outward(w.nodes, a))
	}
	bx, by := (w.nodes[b].X-w.x.Lo)*w.ux, (w.nodes[b].Y-w.y.Lo)*w.uy
	bend := 0.0
	if w.directed && w.both[[2]string{e.To, e.From}] {
		bend = 0.16
	}
	head := 0.0
	if w.directed {
		head = 3
	}
	return arc(ax, ay, bx, by, w.size[a]/2+1, w.size[b]/2+1+head, bend)
}

func (w *graphDrawing) edge(e Edge) {
	a, b, m, curve := w.index[e.From], w.index[e.To], w.group(e), w.curve(e)
	if len(curve) < 2 {
		return
	}
	label := scene.Clean(e.Label, 60)
	mid := curve[len(curve)/2]
	if len(curve) == 2 {
		mid = w.roomOn(curve[0], curve[1], label, 11)
	}
	name := w.labels[a] + plainEdge + w.labels[b]
	if w.directed {
		name = w.labels[a] + directedEdge + w.labels[b]
	}
	if e.Label != "" {
		if a == b {
			vx, vy := mid[0]-(w.nodes[a].X-w.x.Lo)*w.ux, mid[1]-(w.nodes[a].Y-w.y.Lo)*w.uy
			l := math.Hypot(vx, vy)
			mid[0], mid[1] = mid[0]+9*vx/l, mid[1]+9*vy/l
		}
		w.texts.XY, w.texts.Texts = append(w.texts.XY, w.toData(mid)), append(w.texts.Texts, label)
		w.texts.Names = append(w.texts.Names, name)
	}
	pieces := [][][2]float64{curve}
	if e.Label != "" && a != b {
		pieces = around(curve, mid, scene.TextWidth(label, 11, false)/2+2, 7)
	}
	for _, piece := range pieces {
		ring := make([][2]float64, len(piece))
		for i, p := range piece {
			ring[i] = w.toData(p)
		}
		m.Rings, m.Names = append(m.Rings, ring), append(m.Names, name)
	}
	if w.directed {
		h := w.heads[e.Accent]
		if h == nil {
			h = &scene.Mark{Kind: scene.Arrows, Stroke: m.Stroke, Fill: m.Stroke, Width: 1.25, Size: 8, Z: m.Z}
			w.heads[e.Accent] = h
		}
		last := pieces[len(pieces)-1]
		h.XY, h.XY2 = append(h.XY, w.toData(last[len(last)-2])), append(h.XY2, w.toData(last[len(last)-1]))
		h.Names = append(h.Names, name)
	}
	w.rowText("edge", e.From, e.To, e.Label)
}

// circles draws the nodes and their names.
func (w *graphDrawing) circles() {
	circles := scene.Mark{
		Kind:   scene.Symbols,
		Symbol: scene.Circle,
		Size:   26,
		Fill:   scene.Paint{Token: scene.TokenBackground},
		Stroke: scene.Paint{Token: scene.TokenMuted},
		Width:  1.5,
		Z:      10*(w.layer+1) + 4,
		Smooth: true,
	}
	names := scene.Mark{
		Kind:   scene.Texts,
		Z:      w.over(),
		Size:   12,
		Fill:   scene.Paint{Token: scene.TokenForeground},
		Anchor: scene.At("middle", "middle"),
		Smooth: true,
	}
	for i, n := range w.nodes {
		fill, stroke := scene.Paint{Token: scene.TokenBackground}, scene.Paint{Token: scene.TokenMuted}
		ink := scene.Paint{Token: scene.TokenForeground}
		if n.Class != "" {
			slot := w.slot(n.Class)
			fill, stroke = slotPaint(slot), slotPaint(slot)
			if k := slot % classSlots; k < 3 || k > 6 && k != 12 && k < 14 {
				ink = scene.Paint{Token: scene.TokenBackground}
			}
			w.entry(scene.LegendEntry{Key: n.Class, Fill: fill, Symbol: scene.Circle})
		}
		if n.Accent {
			stroke = scene.Paint{Token: scene.TokenAccent}
		}
		circles.XY = append(circles.XY, [2]float64{n.X, n.Y})
		circles.Fills, circles.Strokes, circles.Sizes = append(
			circles.Fills,
			fill,
		), append(
			circles.Strokes,
			stroke,
		), append(
			circles.Sizes,
			w.size[i],
		)
		circles.Names = append(circles.Names, or(strings.TrimSpace(w.labels[i]), n.Name))
		circles.Notes = append(circles.Notes, scene.Clean(or(n.Note, w.labels[i]), 300))
		s := w.labels[i]
		if s == " " {
			continue
		}
		names.XY, names.Texts, names.Fills = append(names.XY, [2]float64{n.X, n.Y}), append(names.Texts, s), append(names.Fills, ink)
		if wide := scene.TextWidth(s, 12, false); wide > w.size[i]-4 && w.size[i] >= 20 {
			names.Size = min(names.Size, max(12*(w.size[i]-4)/wide, 7))
		}
	}
	w.add(circles)
	if len(names.XY) > 0 {
		w.add(names)
	}
}

// roomOn returns the place on the straight line from a to b, in pixels, where a label meets no other: the middle, or else nearer to an end.
func (d *panelDrawing) roomOn(a, b [2]float64, label string, size float64) [2]float64 {
	at := func(t float64) [2]float64 { return [2]float64{a[0] + t*(b[0]-a[0]), a[1] + t*(b[1]-a[1])} }
	if label == "" {
		return at(0.5)
	}
	for _, t := range []float64{0.5, 0.65, 0.35, 0.75, 0.25} {
		p := at(t)
		if place := textBox(p[0], p[1], scene.TextWidth(label, size, false), size, scene.At("middle", "middle")); d.free(place) {
			d.texts = append(d.texts, place)
			return p
		}
	}
	return at(0.5)
}

// outward is the direction, an angle, in which a loop at node i disturbs the other nodes least.
func outward(nodes []Node, i int) float64 {
	sx, sy := 0.0, 0.0
	for _, n := range nodes {
		sx += n.X - nodes[i].X
		sy += n.Y - nodes[i].Y
	}
	if sy > 1e-9*math.Abs(sx) && sy > 0.5*math.Abs(sx) {
		return -math.Pi / 2
	}
	if math.Abs(sx) > 2*math.Abs(sy) && len(nodes) > 3 {
		return math.Atan2(0, -sx)
	}
	return math.Pi / 2
}

// loop is a drop-shaped curve that leaves and enters a circle of radius r in the given direction.
func loop(x, y, r, direction float64) [][2]float64 {
	const half = 0.5 // radians
	out := r + 22
	s0, c0 := math.Sincos(direction + half)
	s1, c1 := math.Sincos(direction - half)
	p0, p3 := [2]float64{x + (r+1)*c0, y + (r+1)*s0}, [2]float64{x + (r+4)*c1, y + (r+4)*s1}
	s0, c0 = math.Sincos(direction + half*1.1)
	s1, c1 = math.Sincos(direction - half*1.1)
	p1, p2 := [2]float64{x + out*1.25*c0, y + out*1.25*s0}, [2]float64{x + out*1.25*c1, y + out*1.25*s1}
	var curve [][2]float64
	for i := range 17 {
		t := float64(i) / 16
		u := 1 - t
		a, b, c, e := u*u*u, 3*u*u*t, 3*u*t*t, t*t*t
		curve = append(curve, [2]float64{a*p0[0] + b*p1[0] + c*p2[0] + e*p3[0], a*p0[1] + b*p1[1] + c*p2[1] + e*p3[1]})
	}
	return curve
}

// around cuts out of a curve what lies in the box of the given half sides about a point of it, where a label stands: two pieces, or the
// whole curve when the label would take most of it.
func around(curve [][2]float64, mid [2]float64, across, down float64) [][][2]float64 {
	inside := func(p [2]float64) bool { return math.Abs(p[0]-mid[0]) < across && math.Abs(p[1]-mid[1]) < down }
	// part goes along the points from an end to where the curve enters the box.
	part := func(points [][2]float64) [][2]float64 {
		for i, p := range points {
			if i == 0 && inside(p) {
				return nil
			}
			if i > 0 && inside(p) {
				a, b := points[i-1], p
				share := bisect(10, func(t float64) bool { return !inside([2]float64{a[0] + t*(b[0]-a[0]), a[1] + t*(b[1]-a[1])}) })
				end := [2]float64{a[0] + share*(b[0]-a[0]), a[1] + share*(b[1]-a[1])}
				if math.Hypot(end[0]-points[0][0], end[1]-points[0][1]) < 6 {
					return nil
				}
				return append(slices.Clone(points[:i]), end)
			}
		}
		return nil
	}
	if len(curve) == 2 {
		curve = [][2]float64{curve[0], mid, curve[1]}
	}
	back := slices.Clone(curve)
	slices.Reverse(back)
	first, last := part(curve), part(back)
	if first == nil || last == nil {
		return [][][2]float64{curve}
	}
	slices.Reverse(last)
	return [][][2]float64{first, last}
}

// arc goes from a to b outside circles of radii r and s around them, bent to its left.
func arc(ax, ay, bx, by, r, s, bend float64) [][2]float64 {
	l := math.Hypot(bx-ax, by-ay)
	if l <= r+s {
		return nil
	}
	ux, uy := (bx-ax)/l, (by-ay)/l
	if bend == 0 {
		return [][2]float64{{ax + r*ux, ay + r*uy}, {bx - s*ux, by - s*uy}}
	}
	cx, cy := (ax+bx)/2-bend*l*uy, (ay+by)/2+bend*l*ux
	var curve [][2]float64
	at := func(t float64) [2]float64 {
		u := 1 - t
		return [2]float64{u*u*ax + 2*u*t*cx + t*t*bx, u*u*ay + 2*u*t*cy + t*t*by}
	}
	// where the curve leaves the one circle and enters the other
	t0 := bisect(10, func(t float64) bool { p := at(t); return math.Hypot(p[0]-ax, p[1]-ay) < r })
	t1 := 1 - bisect(10, func(t float64) bool { p := at(1 - t); return math.Hypot(p[0]-bx, p[1]-by) < s })
	for i := range 25 {
		curve = append(curve, at(t0+(t1-t0)*float64(i)/24))
	}
	return curve
}
