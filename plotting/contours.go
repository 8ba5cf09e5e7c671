package plotting

import (
	"fmt"
	"math"
	"slices"

	"github.com/prlab/prlab/plotting/internal/geometry"
	"github.com/prlab/prlab/plotting/internal/scene"
)

// ContoursLayer shows the level lines of a function. Make one with Contours.
type ContoursLayer struct {
	style
	field      *Field
	levels     []float64
	count      int
	filled     bool
	labels     bool
	diverging  bool
	bar        string
	dash       bool
	width      float64
	resolution int
}

// Contours draws the lines f(x, y) = level. Without Levels, about 8 round levels are chosen from the range of f over the panel. The
// function is called from several goroutines at once. For several layers of one function make a Field.
func Contours(f func(x, y float64) float64) ContoursLayer { return NewField(f).Contours() }

// Levels sets the levels.
func (c ContoursLayer) Levels(v ...float64) ContoursLayer {
	c.levels = slices.Clone(v)
	slices.Sort(c.levels)
	return c
}

// Count sets about how many levels are chosen, from 1 to 40.
func (c ContoursLayer) Count(n int) ContoursLayer { c.count = n; return c }

// Filled tints the areas between the levels and adds a colour bar.
func (c ContoursLayer) Filled() ContoursLayer { c.filled = true; return c }

// Labels writes the level on every line that has room.
func (c ContoursLayer) Labels() ContoursLayer { c.labels = true; return c }

// Diverging uses the ramp with a middle at 0.
func (c ContoursLayer) Diverging() ContoursLayer { c.diverging = true; return c }

// Label names the colour bar.
func (c ContoursLayer) Label(colorBar string) ContoursLayer { c.bar = colorBar; return c }

// Name sets the legend entry.
func (c ContoursLayer) Name(legend string) ContoursLayer { c.name = legend; return c }

// Class draws the lines in the colour of a class.
func (c ContoursLayer) Class(name string) ContoursLayer { c.class = name; return c }

// Dash draws the lines dashed.
func (c ContoursLayer) Dash() ContoursLayer { c.dash = true; return c }

// Accent draws the lines in the accent colour.
func (c ContoursLayer) Accent() ContoursLayer { c.accent = true; return c }

// Muted draws the lines in grey.
func (c ContoursLayer) Muted() ContoursLayer { c.muted = true; return c }

// Width sets the width of the lines in pixels; the default is 1.25.
func (c ContoursLayer) Width(px float64) ContoursLayer { c.width = px; return c }

// Resolution sets the number of grid cells along each axis, from 4 to 512; the default is 96.
func (c ContoursLayer) Resolution(n int) ContoursLayer { c.resolution = n; return c }

func (c ContoursLayer) check() error {
	if c.field == nil || c.field.f == nil {
		return argument("Contours", "f", "nil", "a function (x, y) -> value", "")
	}
	for i, v := range c.levels {
		if !finite(v) {
			return argument("Contours.Levels", fmt.Sprintf("v[%d]", i), fmt.Sprint(v), "a finite number", "")
		}
	}
	if c.count < 0 || c.count > 40 {
		return argument("Contours.Count", "n", fmt.Sprint(c.count), "from 1 to 40", "")
	}
	return first(checkResolution("Contours", c.resolution), checkPixels("Contours.Width", c.width))
}

func (c ContoursLayer) survey(v *survey) {
	if c.class != "" {
		v.pic.slot(c.class)
	}
}

// isolines traces the boundary of {f >= level} over a raster of f.
// Each crossing of a grid edge is found by at most four steps of the regula falsi (Illinois) on f itself, of a draft by two, so that lines
// are smooth where f bends.
func isolines(f func(x, y float64) float64, x, y scene.Axis, grid raster[float64], level float64, draft bool) mesh {
	n := grid.n
	value := func(i, j int) float64 { return grid.values[j*(n+1)+i] }
	above := func(v float64) int {
		if v >= level {
			return 1
		}
		return 0
	}
	labels := make([]int, len(grid.values))
	for k, v := range grid.values {
		labels[k] = above(v)
	}
	steps := 4
	if draft {
		steps = 2
	}
	t := tracer{
		n:      n,
		labels: labels,
		cross: func(i, j, di, dj int) float64 {
			a, b := value(i, j)-level, value(i+di, j+dj)-level
			lo, hi := 0.0, 1.0
			s, side := 0.5, 0
			for range steps {
				s = min(max(lo-a*(hi-lo)/(b-a), lo+0.01*(hi-lo)), hi-0.01*(hi-lo))
				v := f(x.Value((float64(i)+s*float64(di))/float64(n)), y.Value((float64(j)+s*float64(dj))/float64(n))) - level
				if !scene.Drawable(v) || v == 0 {
					break
				}
				if (v >= 0) == (a >= 0) {
					lo, a = s, v
					if side == 1 {
						b /= 2
					}
					side = 1
				} else {
					hi, b = s, v
					if side == -1 {
						a /= 2
					}
					side = -1
				}
			}
			return min(max(s, 1e-9), 1-1e-9)
		},
		centre: func(i, j int) int {
			return above((value(i, j) + value(i+1, j) + value(i, j+1) + value(i+1, j+1)) / 4)
		},
	}
	return t.trace()
}

func (c ContoursLayer) lower(d *panelDrawing) {
	fine := d.fineness(c.resolution)
	grid, whole, err := c.field.sample(d.x, d.y, fine)
	if err != nil {
		d.fail(err)
		return
	}
	// What is not finite is taken as far below or far above everything else.
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range grid.values {
		if scene.Drawable(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if lo > hi {
		d.notice("The function to contour is nowhere finite.")
		d.describe("contours of a function that is nowhere finite")
		return
	}
	floor := lo
	if len(c.levels) > 0 {
		floor = min(lo, c.levels[0])
	}
	if !whole {
		grid.values = within(grid.values, floor, hi)
	}
	line := func(level float64) mesh {
		if whole {
			return c.field.trace(d.x, d.y, grid, level)
		}
		return isolines(c.field.f, d.x, d.y, grid, level, fine.draft)
	}
	levels := c.chosen(lo, hi)
	if len(levels) > 60 {
		d.fail(argument("Contours.Levels", "v", count(len(levels), "level"), "at most 60", ""))
		return
	}
	a, b := c.ramp(levels, lo, hi)
	meshes := make([]mesh, len(levels))
	if err := parallel(len(levels), func(i int) { meshes[i] = line(levels[i]) }); err != nil {
		d.fail(err)
		return
	}
	key := c.key()
	z := 0
	if c.filled {
		c.fill(d, levels, meshes, a, b)
		z = d.under()
	}
	for i, level := range levels {
		stroke, width := c.stroke(d, levels, level, a, b)
		lines := d.fromShares(meshes[i].lines(), false)
		d.add(scene.Mark{
			Kind: scene.Paths, Z: z, Key: key, Stroke: stroke, Width: width, Dash: pattern(c.dash, false), Rings: lines,
			Names: slices.Repeat([]string{scene.FormatNumber(level)}, len(lines)),
		})
		if i == len(levels)/2 {
			d.entry(scene.LegendEntry{Key: key, Stroke: stroke, Width: max(width, 1.25), Dash: pattern(c.dash, false)})
		}
		d.rowText(key, "", "", "level "+scene.FormatNumber(level))
	}
	if c.labels {
		for i, level := range levels {
			d.contourLabel(d.fromShares(meshes[i].lines(), false), scene.FormatNumber(level))
		}
	}
	var names []string
	for _, v := range levels {
		names = append(names, scene.FormatNumber(v))
	}
	d.describe("contour lines%s at %s", named(key), joinSome(names, 12))
}

// within takes what is not finite as far below floor or above hi.
func within(values []float64, floor, hi float64) []float64 {
	values = slices.Clone(values)
	step := max(hi-floor, math.Abs(hi)*1e-9, 1e-290)
	for i, v := range values {
		switch {
		case scene.Drawable(v):
		case v > 0:
			values[i] = max(hi, floor) + step
		default:
			values[i] = floor - step
		}
	}
	return values
}

// chosen are the levels, of the given ones or round ones between the least and the largest value.
func (c ContoursLayer) chosen(lo, hi float64) []float64 {
	levels := c.levels
	if len(levels) == 0 && hi > lo {
		n := c.count
		if n == 0 {
			n = 8
		}
		for _, t := range scene.LinearTicks(lo, hi, n) {
			if t.At > lo && t.At < hi {
				levels = append(levels, t.At)
			}
		}
	}
	return levels
}

// ramp is where the colours begin and end.
func (c ContoursLayer) ramp(levels []float64, lo, hi float64) (a, b float64) {
	a, b = lo, hi
	if len(levels) > 1 {
		gap := (levels[len(levels)-1] - levels[0]) / float64(len(levels)-1)
		a, b = max(lo, levels[0]-gap), min(hi, levels[len(levels)-1]+gap)
		a, b = min(a, levels[0]), max(b, levels[len(levels)-1])
	}
	if c.diverging {
		m := max(math.Abs(a), math.Abs(b))
		a, b = -m, m
	}
	if !(b > a) {
		a, b = span([]float64{a}, c.diverging)
	}
	return a, b
}

// fill shades the areas between the levels.
func (c ContoursLayer) fill(d *panelDrawing, levels []float64, meshes []mesh, a, b float64) {
	d.filled = true
	shade := func(i int) scene.Paint { // of the area from level i-1 to level i, at its middle
		from, to := a, b
		if i > 0 {
			from = levels[i-1]
		}
		if i < len(levels) {
			to = levels[i]
		}
		return rampPaint((from+to)/2, a, b, c.diverging, 0)
	}
	d.add(scene.Mark{
		Kind: scene.Areas, Z: d.under(), Key: c.key(), Fill: shade(0),
		Rings: [][][2]float64{{{d.x.Lo, d.y.Lo}, {d.x.Hi, d.y.Lo}, {d.x.Hi, d.y.Hi}, {d.x.Lo, d.y.Hi}}},
	})
	for i := range levels {
		d.add(scene.Mark{Kind: scene.Areas, Z: d.under(), Key: c.key(), Fill: shade(i + 1), Rings: d.fromShares(meshes[i].rings(1), true)})
	}
	d.colorBar(c.bar, a, b, c.diverging)
	if len(c.levels) > 0 && len(levels) <= 9 && d.bar != nil {
		d.bar.Ticks = nil
		for _, v := range levels {
			d.bar.Ticks = append(d.bar.Ticks, scene.Tick{At: v, Label: scene.FormatNumber(v)})
		}
	}
}

// stroke is the colour and the width of the line of a level.
func (c ContoursLayer) stroke(d *panelDrawing, levels []float64, level, a, b float64) (scene.Paint, float64) {
	plain := c.class == "" && c.name == "" && !c.accent && !c.muted
	switch width := orPx(c.width, 1.25); {
	case c.filled && plain:
		return scene.Paint{Token: scene.TokenInk, Opacity: 0.35}, orPx(c.width, 0.75)
	case plain && len(levels) > 1 && c.diverging:
		return rampPaint(level, a, b, true, 0), width
	case plain && len(levels) > 1: // the faint end of the ramp is left out
		share := 0.3 + 0.7*(level-levels[0])/(levels[len(levels)-1]-levels[0])
		return scene.Paint{Token: scene.TokenSequential, Value: math.Round(1000*share) / 1000}, width
	case plain:
		return scene.Paint{Token: scene.TokenForeground}, width
	default:
		return c.plain(d), width
	}
}

// contourLabel writes s along the straightest run of the lines that has room; lines without room stay without.
func (d *panelDrawing) contourLabel(lines [][][2]float64, s string) {
	const size = 10.5
	w := scene.TextWidth(s, size, false)
	best, found := math.Inf(1), false
	var at [2]float64
	var angle float64
	var place box
	for _, line := range lines {
		px := make([][2]float64, len(line))
		length := make([]float64, len(line))
		for i, p := range line {
			px[i][0], px[i][1] = d.px(p[0], p[1])
			if i > 0 {
				length[i] = length[i-1] + math.Hypot(px[i][0]-px[i-1][0], px[i][1]-px[i-1][1])
			}
		}
		total := length[len(line)-1]
		if total < 2.2*w {
			continue
		}
		point := func(s float64) [2]float64 {
			k, _ := slices.BinarySearch(length, s)
			k = min(max(k, 1), len(length)-1)
			t := (s - length[k-1]) / max(length[k]-length[k-1], 1e-9)
			return [2]float64{px[k-1][0] + t*(px[k][0]-px[k-1][0]), px[k-1][1] + t*(px[k][1]-px[k-1][1])}
		}
		run := w + 8
		for from := 0.1 * total; from+run <= 0.95*total; from += max(6, total/80) {
			p, q, m := point(from), point(from+run), point(from+run/2)
			chord := math.Hypot(q[0]-p[0], q[1]-p[1])
			bend := run/max(chord, 1e-9) - 1 + geometry.FromSegment(m, p, q)/run
			dir := math.Atan2(q[1]-p[1], q[0]-p[0])
			if dir > math.Pi/2 {
				dir -= math.Pi
			} else if dir <= -math.Pi/2 {
				dir += math.Pi
			}
			bend += 0.05 * math.Abs(dir) // level text reads best
			sin, cos := math.Abs(math.Sin(dir)), math.Abs(math.Cos(dir))
			hw, hh := (w*cos+size*sin)/2+2, (w*sin+size*cos)/2+2
			b := box{m[0] - hw, m[1] - hh, m[0] + hw, m[1] + hh}
			if b.x0 < 2 || b.y0 < 2 || b.x1 > d.w-2 || b.y1 > d.h-2 || bend >= best || bend > 0.3 || !d.free(b) {
				continue
			}
			best, found, at, angle, place = bend, true, m, dir, b
		}
	}
	if !found {
		return
	}
	d.texts = append(d.texts, place)
	d.add(
		scene.Mark{
			Kind:   scene.Texts,
			Z:      d.over(),
			Fill:   scene.Paint{Token: scene.TokenForeground},
			Size:   size,
			Halo:   true,
			Anchor: scene.At("middle", "middle"),
			Angle:  math.Round(angle * 180 / math.Pi),
			Texts:  []string{s},
			XY:     [][2]float64{{d.x.Value(at[0] / d.w), d.y.Value(at[1] / d.h)}},
		},
	)
}
