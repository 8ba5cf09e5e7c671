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
	nodes := g.placed()
	index := make(map[string]int, len(nodes))
	labels := make([]string, len(nodes))
	size := make([]float64, len(nodes))
	for i, n := range nodes {
		index[n.Name] = i
		labels[i] = scene.Clean(or(n.Label, n.Name), 60)
		size[i] = min(max(scene.TextWidth(labels[i], 12, false)+12, 26), 64)
		if labels[i] == " " {
			size[i] = 14
		}
		if g.size > 0 {
			size[i] = g.size
		}
		if n.Size > 0 {
			size[i] = min(n.Size, 400)
		}
	}
	ux, uy := d.w/(d.x.Hi-d.x.Lo), d.h/(d.y.Hi-d.y.Lo)
	if d.survey.equal {
		ux = min(ux, uy)
		uy = ux
	}
	heaviest := 0.0
	both := make(map[[2]string]bool)
	for _, e := range g.edges {
		heaviest = max(heaviest, e.Weight)
		both[[2]string{e.From, e.To}] = true
	}
	lines := scene.Mark{Kind: scene.Paths, Stroke: scene.Paint{Token: scene.TokenMuted}, Width: 1.25}
	type group struct {
		accent, dash bool
		width        float64
	}
	paths, heads := make(map[group]*scene.Mark), make(map[bool]*scene.Mark)
	var order []group
	texts := scene.Mark{
		Kind:   scene.Texts,
		Z:      d.over(),
		Size:   11,
		Fill:   scene.Paint{Token: scene.TokenForeground},
		Halo:   true,
		Anchor: scene.At("middle", "middle"),
	}
	for _, e := range g.edges {
		a, b := index[e.From], index[e.To]
		k := group{accent: e.Accent, dash: e.Dash, width: 1.25}
		if e.Accent {
			k.width = 2.5
		}
		if heaviest > 0 {
			k.width = 0.5 + 4*math.Round(8*max(e.Weight, 0)/heaviest)/8
		}
		m := paths[k]
		if m == nil {
			c := lines
			m = &c
			m.Width, m.Dash = k.width, pattern(e.Dash, false)
			if e.Accent {
				m.Stroke = scene.Paint{Token: scene.TokenAccent}
				m.Z = 10*(d.layer+1) + 1
			}
			paths[k], order = m, append(order, k)
		}
		// the curve in pixels
		ax, ay := (nodes[a].X-d.x.Lo)*ux, (nodes[a].Y-d.y.Lo)*uy
		bx, by := (nodes[b].X-d.x.Lo)*ux, (nodes[b].Y-d.y.Lo)*uy
		var curve [][2]float64
		if a == b {
			curve = loop(ax, ay, size[a]/2, outward(nodes, a))
		} else {
			bend := 0.0
			if g.directed && both[[2]string{e.To, e.From}] {
				bend = 0.16
			}
			head := 0.0
			if g.directed {
				head = 3
			}
			curve = arc(ax, ay, bx, by, size[a]/2+1, size[b]/2+1+head, bend)
		}
		if len(curve) < 2 {
			continue
		}
		toData := func(p [2]float64) [2]float64 { return [2]float64{d.x.Lo + p[0]/ux, d.y.Lo + p[1]/uy} }
		mid := curve[len(curve)/2]
		if len(curve) == 2 {
			mid = d.roomOn(curve[0], curve[1], scene.Clean(e.Label, 60), 11)
		}
		name := labels[a] + plainEdge + labels[b]
		if g.directed {
			name = labels[a] + directedEdge + labels[b]
		}
		if e.Label != "" {
			if a == b {
				vx, vy := mid[0]-ax, mid[1]-ay
				l := math.Hypot(vx, vy)
				mid[0], mid[1] = mid[0]+9*vx/l, mid[1]+9*vy/l
			}
			texts.XY, texts.Texts = append(texts.XY, toData(mid)), append(texts.Texts, scene.Clean(e.Label, 60))
			texts.Names = append(texts.Names, name)
		}
		pieces := [][][2]float64{curve}
		if e.Label != "" && a != b {
			pieces = around(curve, mid, scene.TextWidth(scene.Clean(e.Label, 60), 11, false)/2+2, 7)
		}
		for _, piece := range pieces {
			ring := make([][2]float64, len(piece))
			for i, p := range piece {
				ring[i] = toData(p)
			}
			m.Rings, m.Names = append(m.Rings, ring), append(m.Names, name)
		}
		if g.directed {
			h := heads[e.Accent]
			if h == nil {
				h = &scene.Mark{Kind: scene.Arrows, Stroke: m.Stroke, Fill: m.Stroke, Width: 1.25, Size: 8, Z: m.Z}
				heads[e.Accent] = h
			}
			last := pieces[len(pieces)-1]
			h.XY, h.XY2 = append(h.XY, toData(last[len(last)-2])), append(h.XY2, toData(last[len(last)-1]))
			h.Names = append(h.Names, name)
		}
		d.rowText("edge", e.From, e.To, e.Label)
	}
	for _, k := range order {
		d.add(*paths[k])
	}
	for _, accent := range []bool{false, true} {
		if h := heads[accent]; h != nil {
			d.add(*h)
		}
	}
	circles := scene.Mark{
		Kind:   scene.Symbols,
		Symbol: scene.Circle,
		Size:   26,
		Fill:   scene.Paint{Token: scene.TokenBackground},
		Stroke: scene.Paint{Token: scene.TokenMuted},
		Width:  1.5,
		Z:      10*(d.layer+1) + 4,
		Smooth: true,
	}
	names := scene.Mark{
		Kind:   scene.Texts,
		Z:      d.over(),
		Size:   12,
		Fill:   scene.Paint{Token: scene.TokenForeground},
		Anchor: scene.At("middle", "middle"),
		Smooth: true,
	}
	for i, n := range nodes {
		fill, stroke := scene.Paint{Token: scene.TokenBackground}, scene.Paint{Token: scene.TokenMuted}
		ink := scene.Paint{Token: scene.TokenForeground}
		if n.Class != "" {
			slot := d.slot(n.Class)
			fill, stroke = slotPaint(slot), slotPaint(slot)
			if k := slot % classSlots; k < 3 || k > 6 && k != 12 && k < 14 {
				ink = scene.Paint{Token: scene.TokenBackground}
			}
			d.entry(scene.LegendEntry{Key: n.Class, Fill: fill, Symbol: scene.Circle})
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
			size[i],
		)
		circles.Names = append(circles.Names, or(strings.TrimSpace(labels[i]), n.Name))
		circles.Notes = append(circles.Notes, scene.Clean(or(n.Note, labels[i]), 300))
		s := labels[i]
		if s == " " {
			continue
		}
		names.XY, names.Texts, names.Fills = append(names.XY, [2]float64{n.X, n.Y}), append(names.Texts, s), append(names.Fills, ink)
		if w := scene.TextWidth(s, 12, false); w > size[i]-4 && size[i] >= 20 {
			names.Size = min(names.Size, max(12*(size[i]-4)/w, 7))
		}
	}
	d.add(circles)
	if len(names.XY) > 0 {
		d.add(names)
	}
	if len(texts.XY) > 0 {
		d.add(texts)
	}
	d.describe("a graph of %s and %s", count(len(nodes), "node"), count(len(g.edges), "edge"))
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
