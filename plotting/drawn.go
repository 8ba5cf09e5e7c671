package plotting

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/prlab/prlab/plotting/internal/geometry"
	"github.com/prlab/prlab/plotting/internal/scene"
	"github.com/prlab/prlab/prl/cell"
)

// Drawn is what the reader sees under one name: lines, areas, points, bars, arrows and texts, at the places where they are drawn. Each
// method asks about one kind of shape, and ends the cell with a message where no such shape has the name.
type Drawn struct {
	what  string
	err   error
	panel *scene.Panel
	marks []scene.Mark // of one panel, with the shapes of the name only
}

// Err returns why there is nothing to look at, or nil.
func (d Drawn) Err() error { return d.err }

// shapeCount is the number of shapes of a mark.
func shapeCount(m *scene.Mark) int {
	if m.Kind == scene.Areas || m.Kind == scene.Paths {
		return len(m.Rings)
	}
	return len(m.XY)
}

// shapes returns the mark with some of its shapes only, and whether any are left.
func shapes(m scene.Mark, keep func(i int) bool) (part scene.Mark, some bool) {
	var kept []int
	for i := range shapeCount(&m) {
		if keep(i) {
			kept = append(kept, i)
		}
	}
	m.XY, m.XY2, m.Rings = chosen(m.XY, kept), chosen(m.XY2, kept), chosen(m.Rings, kept)
	m.Fills, m.Strokes, m.Sizes = chosen(m.Fills, kept), chosen(m.Strokes, kept), chosen(m.Sizes, kept)
	m.Texts, m.Names, m.Notes = chosen(m.Texts, kept), chosen(m.Names, kept), chosen(m.Notes, kept)
	return m, len(kept) > 0
}

func chosen[T any](list []T, kept []int) (out []T) {
	for _, i := range kept {
		if i < len(list) {
			out = append(out, list[i])
		}
	}
	return out
}

// kinds are the words for what marks are.
var kinds = map[scene.Kind]string{
	scene.Areas: "an area", scene.Paths: "a line", scene.Symbols: "points",
	scene.Rects: "bars", scene.Arrows: "an arrow", scene.Texts: "a text",
}

// of returns the marks of the first of the kinds that is there; none fails the cell.
func (d Drawn) of(question string, kinds ...func(*scene.Mark) bool) (found []scene.Mark) {
	if d.err != nil {
		cell.Fail(d.err)
		return nil
	}
	for _, is := range kinds {
		for _, m := range d.marks {
			if is(&m) {
				found = append(found, m)
			}
		}
		if found != nil {
			return found
		}
	}
	d.fail(question, "another kind of mark")
	return nil
}

// fail ends the cell: the picture does not answer.
func (d Drawn) fail(question, need string) {
	var are []string
	for _, m := range d.marks {
		if word := kinds[m.Kind]; !slices.Contains(are, word) {
			are = append(are, word)
		}
	}
	cell.Fail(argument("Drawn("+strings.Trim(d.what, `"`)+")."+question, "what is drawn", strings.Join(are, ", "), need, ""))
}

func lines(m *scene.Mark) bool   { return m.Kind == scene.Paths && !m.Aside }
func symbols(m *scene.Mark) bool { return m.Kind == scene.Symbols }
func texts(m *scene.Mark) bool   { return m.Kind == scene.Texts }
func arrows(m *scene.Mark) bool  { return m.Kind == scene.Arrows }
func noted(m *scene.Mark) bool   { return len(m.Notes) > 0 }
func bars(m *scene.Mark) bool    { return m.Kind == scene.Rects && !m.Tiles }
func outlines(m *scene.Mark) bool {
	return m.Kind == scene.Areas && !regional(m)
}

func tinted(m *scene.Mark) bool { return outlines(m) && m.Fill.Token != scene.TokenNone }

// At returns the height at x of the line that is drawn, or of the bar that stands there. At the points of a Line and at the sampled places
// of a Curve it is exact; between them it is that of the line the reader sees, good to a thousandth of the axis. At a step the later value
// holds.
func (d Drawn) At(x float64) float64 {
	found := d.of("At", lines, bars)
	if found == nil {
		return math.NaN()
	}
	var heights []float64
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, m := range found {
		if m.Kind == scene.Rects {
			for i := range m.XY {
				lo, hi = min(lo, m.XY[i][0]), max(hi, m.XY2[i][0])
				if between(x, m.XY[i][0], m.XY2[i][0]) {
					heights = []float64{d.height(&m, i)} // on the edge of two the right one
				}
			}
			continue
		}
		for _, line := range m.Rings {
			joined := false // the segment before ended here
			for i := 1; i < len(line); i++ {
				a, b := line[i-1], line[i]
				lo, hi = min(lo, a[0], b[0]), max(hi, a[0], b[0])
				if !between(x, a[0], b[0]) || a[0] == b[0] && !joined {
					joined = false
					continue
				}
				if joined {
					heights = heights[:len(heights)-1]
				}
				heights = append(heights, d.along(a, b, x))
				joined = x == b[0]
			}
		}
	}
	if heights == nil {
		d.fail("At", fmt.Sprintf("something at %s: it runs from %s to %s", scene.FormatNumber(x), scene.FormatNumber(lo), scene.FormatNumber(hi)))
		return math.NaN()
	}
	const apart = 1e-3
	if d.panel.Y.At(slices.Max(heights))-d.panel.Y.At(slices.Min(heights)) > apart {
		need := fmt.Sprintf("one height at %s, but has %d; Layer tells lines of one name apart", scene.FormatNumber(x), len(heights))
		d.fail("At", need)
		return math.NaN()
	}
	return heights[len(heights)-1]
}

// along returns the height at x of the straight line that the picture draws from a to b.
func (d Drawn) along(a, b [2]float64, x float64) float64 {
	switch x {
	case b[0]:
		return b[1]
	case a[0]:
		return a[1]
	}
	t := (x - a[0]) / (b[0] - a[0])
	if d.panel.X.Log {
		t = math.Log(x/a[0]) / math.Log(b[0]/a[0])
	}
	if d.panel.Y.Log {
		return a[1] * math.Pow(b[1]/a[1], t)
	}
	return a[1] + t*(b[1]-a[1])
}

// height is the value of a bar: how far it reaches from where it begins, on a logarithmic axis its end.
func (d Drawn) height(m *scene.Mark, i int) float64 {
	k, axis := 1, d.panel.Y
	if m.Sideways {
		k, axis = 0, d.panel.X
	}
	if axis.Log {
		return m.XY2[i][k]
	}
	return m.XY2[i][k] - m.XY[i][k]
}

// Minus returns the height above the graph of f of all that is drawn inside the panel: the vertices of lines, else points, else the ends of
// bars above their middle. A line that is the graph of f gives zeros only:
//
//	prl.Check("CS-2-04", "the curve is the risk").Near(fig.Drawn("risk").Minus(risk), 0, 1e-9)
func (d Drawn) Minus(f func(x float64) float64) []float64 {
	return d.Values(func(x, y float64) float64 { return y - f(x) })
}

// Values returns f at all that is drawn inside the panel: the vertices of lines, else points, else the ends of bars above their middle,
// else the outline of areas. A level line gives its level only, as far as lines are drawn between cells: to a thousandth of the axes.
//
//	prl.Check("CS-5.1-02", "the boundary is where both are equal").Near(fig.Drawn("boundary").Values(difference), 0, 1e-3)
func (d Drawn) Values(f func(x, y float64) float64) (values []float64) {
	for _, m := range d.of("Values", lines, symbols, bars, outlines) {
		places := slices.Concat(m.Rings...)
		switch m.Kind {
		case scene.Symbols:
			places = m.XY
		case scene.Rects:
			for i := range m.XY {
				places = append(places, [2]float64{(m.XY[i][0] + m.XY2[i][0]) / 2, m.XY2[i][1]})
			}
		}
		for _, p := range places {
			if inside(d.panel, p) {
				values = append(values, f(p[0], p[1]))
			}
		}
	}
	return values
}

// Span returns the ends of all lines, areas, points and bars along the horizontal axis, as far as they are inside the panel.
func (d Drawn) Span() (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, m := range d.of("Span", func(m *scene.Mark) bool { return m.Kind != scene.Texts }) {
		for _, p := range slices.Concat(slices.Concat(m.Rings...), m.XY, m.XY2) {
			lo, hi = min(lo, p[0]), max(hi, p[0])
		}
	}
	return max(lo, d.panelX().Lo), min(hi, d.panelX().Hi)
}

func (d Drawn) panelX() scene.Axis {
	if d.panel == nil {
		return scene.Axis{Lo: math.NaN(), Hi: math.NaN()}
	}
	return d.panel.X
}

// Points returns the places of the points, or else of the texts, in the order in which they were given; those of several classes stand one
// class after the other.
func (d Drawn) Points() (xy [][2]float64) {
	for _, m := range d.of("Points", symbols, texts) {
		xy = append(xy, m.XY...)
	}
	return xy
}

// Sizes returns the diameters of the points in pixels.
func (d Drawn) Sizes() (px []float64) {
	for _, m := range d.of("Sizes", symbols) {
		for i := range m.XY {
			size := m.Size
			if i < len(m.Sizes) {
				size = m.Sizes[i]
			}
			px = append(px, size)
		}
	}
	return px
}

// Widths returns the width of each line in pixels.
func (d Drawn) Widths() (px []float64) {
	for _, m := range d.of("Widths", lines) {
		for range m.Rings {
			px = append(px, m.Width)
		}
	}
	return px
}

// Paths returns the lines, or else the outlines of areas, as polylines.
func (d Drawn) Paths() (paths [][][2]float64) {
	for _, m := range d.of("Paths", lines, func(m *scene.Mark) bool { return m.Kind == scene.Areas }) {
		paths = append(paths, m.Rings...)
	}
	return paths
}

// Rules returns the places of straight lines across the panel: x of the vertical ones, y of the horizontal ones.
func (d Drawn) Rules() (at []float64) {
	for _, m := range d.of("Rules", lines) {
		for _, line := range m.Rings {
			first, last := line[0], line[len(line)-1]
			switch {
			case first[0] == last[0]:
				at = append(at, first[0])
			case first[1] == last[1]:
				at = append(at, first[1])
			default:
				d.fail("Rules", "vertical or horizontal lines")
				return nil
			}
		}
	}
	return at
}

// Intervals returns the error bars, of Bars or ErrorBars: the place of each, and its lower and upper end.
func (d Drawn) Intervals() (ends [][3]float64) {
	for _, m := range d.of("Intervals", func(m *scene.Mark) bool { return m.Kind == scene.Paths && m.Aside }) {
		for i := 0; i+2 < len(m.Rings); i += 3 { // a stem and its two caps; the line that bars stand on is alone
			a, b, edge := m.Rings[i][0], m.Rings[i][1], m.Rings[i+1]
			k := 0
			if edge[0][1] != edge[1][1] { // the caps, for a stem may have no length
				k = 1
			}
			ends = append(ends, [3]float64{a[k], min(a[1-k], b[1-k]), max(a[1-k], b[1-k])})
		}
	}
	return ends
}

// Arrows returns where arrows begin and end: x0, y0, x1, y1.
func (d Drawn) Arrows() (ends [][4]float64) {
	for _, m := range d.of("Arrows", arrows) {
		for i := range m.XY {
			ends = append(ends, [4]float64{m.XY[i][0], m.XY[i][1], m.XY2[i][0], m.XY2[i][1]})
		}
	}
	return ends
}

// Texts returns what is written.
func (d Drawn) Texts() (list []string) {
	for _, m := range d.of("Texts", texts) {
		list = append(list, m.Texts...)
	}
	return list
}

// Notes returns what the shapes say under the pointer, a text for each that says something.
func (d Drawn) Notes() (list []string) {
	for _, m := range d.of("Notes", noted) {
		list = append(list, m.Notes...)
	}
	return list
}

// Bars returns the values of bars, in the order of their places: how far each reaches from where it begins. A histogram draws no bar for an
// empty bin.
func (d Drawn) Bars() (values []float64) {
	for _, m := range d.of("Bars", bars) {
		for i := range m.XY {
			values = append(values, d.height(&m, i))
		}
	}
	return values
}

// Bar returns the value of the bar at a category, which is found by what is written at its tick.
func (d Drawn) Bar(category string) float64 {
	for _, m := range d.of("Bar", bars) {
		k, axis := 0, d.panel.X
		if m.Sideways {
			k, axis = 1, d.panel.Y
		}
		at, err := tickAt(axis, "category", category)
		if err != nil {
			cell.Fail(err)
			return math.NaN()
		}
		for i := range m.XY {
			if middle := (m.XY[i][k] + m.XY2[i][k]) / 2; math.Abs(middle-at) < 0.5 {
				return d.height(&m, i)
			}
		}
	}
	return math.NaN()
}

// Covers reports whether the place (x, y) lies in the tinted area.
func (d Drawn) Covers(x, y float64) bool {
	for _, m := range d.of("Covers", tinted, regional) {
		if inside(d.panel, [2]float64{x, y}) && covers(d.panel, m.Rings, x, y) {
			return true
		}
	}
	return false
}

// Area returns the size of the tinted area inside the panel, in units of the axes.
func (d Drawn) Area() (area float64) {
	for _, m := range d.of("Area", tinted, regional) {
		area += size(d.cut(m.Rings))
	}
	return area
}

// Integral returns the integral over x of the upper minus the lower edge of an Area or a Band inside the panel, or of the height of a line
// with Fill: it is negative where the edges have changed places.
func (d Drawn) Integral() (sum float64) {
	for _, m := range d.of("Integral", tinted) {
		for _, ring := range d.cut(m.Rings) {
			for i, p := range ring {
				q := ring[(i+1)%len(ring)]
				sum += (q[0] - p[0]) * (p[1] + q[1]) / 2 // along the upper edge, and back along the lower one
			}
		}
	}
	return sum
}

// cut returns the rings as far as they are inside the panel.
func (d Drawn) cut(rings [][][2]float64) (inside [][][2]float64) {
	x, y := d.panel.X, d.panel.Y
	for _, ring := range rings {
		if !geometry.Within(ring, x.Lo, y.Lo, x.Hi, y.Hi) {
			ring = geometry.ClipRing(ring, x.Lo, y.Lo, x.Hi, y.Hi)
		}
		inside = append(inside, ring)
	}
	return inside
}

// covers reports whether a place lies in the area of rings, whose turns around it do not cancel.
func covers(p *scene.Panel, rings [][][2]float64, x, y float64) bool {
	X, Y := straight(p.X), straight(p.Y)
	x, y = X(x), Y(y)
	turns := 0
	for _, ring := range rings {
		for i := range ring {
			from, to := ring[(i+len(ring)-1)%len(ring)], ring[i]
			a, b := [2]float64{X(from[0]), Y(from[1])}, [2]float64{X(to[0]), Y(to[1])}
			if (a[1] <= y) == (b[1] <= y) {
				continue
			}
			if at := a[0] + (y-a[1])/(b[1]-a[1])*(b[0]-a[0]); at > x {
				if b[1] > a[1] {
					turns++
				} else {
					turns--
				}
			}
		}
	}
	return turns != 0
}

// straight returns what makes the lines of a picture straight along an axis.
func straight(a scene.Axis) func(v float64) float64 {
	if a.Log {
		return math.Log
	}
	return func(v float64) float64 { return v }
}

// size is the area of rings as they are filled, in upright strips between vertices. Where more than two edges cross in a strip it is
// approximate.
func size(rings [][][2]float64) (area float64) {
	type edge struct {
		a, b [2]float64 // from left to right
		turn int
	}
	var edges []edge
	var xs []float64
	for _, ring := range rings {
		for i, b := range ring {
			a := ring[(i+len(ring)-1)%len(ring)]
			xs = append(xs, b[0])
			switch {
			case a[0] < b[0]:
				edges = append(edges, edge{a, b, 1})
			case a[0] > b[0]:
				edges = append(edges, edge{b, a, -1})
			}
		}
	}
	slices.Sort(xs)
	xs = slices.Compact(xs)
	slices.SortFunc(edges, func(e, f edge) int { return cmp.Compare(e.a[0], f.a[0]) })
	next := 0
	var open []edge
	for k := 1; k < len(xs); k++ {
		l, r := xs[k-1], xs[k]
		open = slices.DeleteFunc(open, func(e edge) bool { return e.b[0] <= l })
		for ; next < len(edges) && edges[next].a[0] <= l; next++ {
			open = append(open, edges[next])
		}
		at := func(e edge, x float64) float64 { return e.a[1] + (x-e.a[0])/(e.b[0]-e.a[0])*(e.b[1]-e.a[1]) }
		slices.SortFunc(open, func(e, f edge) int { return cmp.Compare(at(e, (l+r)/2), at(f, (l+r)/2)) })
		turns := 0
		for i := 0; i+1 < len(open); i++ {
			if turns += open[i].turn; turns == 0 {
				continue
			}
			left, right := at(open[i+1], l)-at(open[i], l), at(open[i+1], r)-at(open[i], r)
			if left*right < 0 { // they cross: two triangles
				area += (r - l) * (left*left + right*right) / (2 * (math.Abs(left) + math.Abs(right)))
				continue
			}
			area += (r - l) * (math.Abs(left) + math.Abs(right)) / 2
		}
	}
	return area
}

// Ellipse returns the mean and the matrix of an ellipse {x : (x - mean)' cov^-1 (x - mean) = 1}, from the outline that is drawn. Of an
// Ellipse with Sigma(k) the matrix is k^2 times the covariance.
func (d Drawn) Ellipse() (mean []float64, cov [][]float64) {
	mean, cov = []float64{0, 0}, [][]float64{{0, 0}, {0, 0}}
	found := d.of("Ellipse", outlines)
	if len(found) != 1 || len(found[0].Rings) != 1 {
		if found != nil {
			d.fail("Ellipse", "one outline")
		}
		return mean, cov
	}
	ring := found[0].Rings[0]
	n := float64(len(ring))
	for _, p := range ring {
		mean[0], mean[1] = mean[0]+p[0]/n, mean[1]+p[1]/n
	}
	for _, p := range ring {
		for i := range cov {
			for j := range cov {
				cov[i][j] += 2 / n * (p[i] - mean[i]) * (p[j] - mean[j])
			}
		}
	}
	return mean, cov
}

// Colours returns the colour of each shape on a light page, "#0072b2": what fills it, or that of its line.
func (d Drawn) Colours() (hex []string) {
	for _, m := range d.of("Colours", func(*scene.Mark) bool { return true }) {
		for i := range shapeCount(&m) {
			fill, stroke := m.Fill, m.Stroke
			if i < len(m.Fills) {
				fill = m.Fills[i]
			}
			if i < len(m.Strokes) {
				stroke = m.Strokes[i]
			}
			if fill.Token == scene.TokenNone || fill.Token == scene.TokenBackground {
				fill = stroke
			}
			colour, _ := scene.LightPalette.Color(fill)
			hex = append(hex, colour)
		}
	}
	return hex
}

// Colour returns the colour of all shapes on a light page, "#0072b2"; several colours fail the cell.
func (d Drawn) Colour() string {
	hex := slices.Compact(d.Colours())
	if len(hex) > 1 {
		d.fail("Colour", fmt.Sprintf("in one colour, but there are %s", joinSome(hex, 5)))
	}
	if len(hex) == 0 {
		return ""
	}
	return hex[0]
}

// Marker returns the symbol of the points: circle, square, triangle, diamond, plus, cross, down or star.
func (d Drawn) Marker() string {
	for _, m := range d.of("Marker", symbols) {
		return string(m.Symbol)
	}
	return ""
}

// Dashed reports whether the line, or else the outline, is interrupted.
func (d Drawn) Dashed() bool {
	for _, m := range d.of("Dashed", lines, outlines) {
		return m.Dash != nil
	}
	return false
}

// Hollow reports whether the points are drawn as outlines only.
func (d Drawn) Hollow() bool {
	for _, m := range d.of("Hollow", symbols) {
		return m.Fill.Token == scene.TokenNone && len(m.Fills) == 0
	}
	return false
}
