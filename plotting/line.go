package plotting

import (
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/prlab/prlab/plotting/internal/scene"
)

// LineLayer is a polyline. Make one with Line or Curve.
type LineLayer struct {
	style
	x, y    []float64
	f       func(float64) float64
	lo, hi  float64
	who     string // "Line" or "Curve"
	dash    bool
	dot     bool
	width   float64
	opacity float64
	steps   bool
	fill    bool
	markers bool
	sampled *samples // of a curve
}

// samples are the places that a curve goes through, which the axes ask for and the picture.
type samples struct {
	mu   sync.Mutex
	x, y []float64
}

// Line joins the points (x[i], y[i]) in their order. A NaN or an infinity interrupts the line.
func Line(x, y []float64) LineLayer {
	return LineLayer{x: slices.Clone(x), y: slices.Clone(y), who: "Line"}
}

// Curve draws the graph of f over [lo, hi]. It is sampled at about 300 places, closer where the curve bends; where f is not finite the
// curve is interrupted.
func Curve(f func(float64) float64, lo, hi float64) LineLayer {
	return LineLayer{f: f, lo: lo, hi: hi, who: "Curve", sampled: new(samples)}
}

// Name sets the legend entry.
func (l LineLayer) Name(legend string) LineLayer { l.name = legend; return l }

// Class gives the line the colour of a class.
func (l LineLayer) Class(name string) LineLayer { l.class = name; return l }

// Dash draws the line dashed.
func (l LineLayer) Dash() LineLayer { l.dash = true; return l }

// Dot draws the line dotted.
func (l LineLayer) Dot() LineLayer { l.dot = true; return l }

// Width sets the width in pixels; the default is 2.
func (l LineLayer) Width(px float64) LineLayer { l.width = px; return l }

// Opacity sets the opacity in (0, 1].
func (l LineLayer) Opacity(o float64) LineLayer { l.opacity = o; return l }

// Steps joins the points by steps: the value y[i] holds from x[i] to x[i+1].
func (l LineLayer) Steps() LineLayer { l.steps = true; return l }

// Accent draws the line in the accent colour.
func (l LineLayer) Accent() LineLayer { l.accent = true; return l }

// Muted draws the line in grey.
func (l LineLayer) Muted() LineLayer { l.muted = true; return l }

// Fill tints the area between the line and zero.
func (l LineLayer) Fill() LineLayer { l.fill = true; return l }

// Markers puts a symbol on every point.
func (l LineLayer) Markers() LineLayer { l.markers = true; return l }

func (l LineLayer) check() error {
	var err error
	if l.who == "Curve" {
		if l.f == nil {
			err = argument("Curve", "f", "nil", "a function", "")
		}
		if err == nil && !(l.lo < l.hi && finite(l.lo) && finite(l.hi)) {
			err = argument("Curve", "lo, hi", scene.FormatNumber(l.lo)+", "+scene.FormatNumber(l.hi), "two finite numbers with lo < hi", "")
		}
	} else {
		err = sameLength("Line", "y", len(l.y), "x", len(l.x), "number")
	}
	return first(err, checkPixels(l.who+".Width", l.width), checkOpacity(l.who, l.opacity))
}

// points returns the places the line goes through; a curve is sampled. The caller does not change them.
func (l LineLayer) points(s staging) (x, y []float64) {
	if l.who == "Line" {
		return l.x, l.y
	}
	n := 300
	if s.draft() && s.home != nil {
		n = 120 // where it bends, it is refined
	}
	l.sampled.mu.Lock()
	defer l.sampled.mu.Unlock()
	if len(l.sampled.x) == n+1 {
		return l.sampled.x, l.sampled.y
	}
	x, y = make([]float64, n+1), make([]float64, n+1)
	for i := range x {
		x[i] = l.lo + (l.hi-l.lo)*float64(i)/float64(n)
		y[i] = l.f(x[i])
	}
	l.sampled.x, l.sampled.y = x, y
	return x, y
}

func (l LineLayer) survey(v *survey) {
	x, y := l.points(v.pic.staging)
	for i := range x {
		if scene.Drawable(x[i]) && scene.Drawable(y[i]) && (!v.logX || x[i] >= scene.Smallest) && (!v.logY || y[i] >= scene.Smallest) {
			if l.markers {
				v.x.soft(x[i])
			} else {
				v.x.hard(x[i])
			}
			v.y.soft(y[i])
		}
	}
	if l.fill && !v.logY {
		v.y.hard(0)
	}
	l.claim(v)
}

func (l LineLayer) lower(d *panelDrawing) {
	x, y := l.points(d.staging)
	if l.who == "Curve" {
		x, y = l.refine(d, x, y)
	}
	var runs [][][2]float64
	var run [][2]float64
	lost := 0
	for i := range x {
		if !d.ok(x[i], y[i]) {
			if !math.IsNaN(x[i]) && !math.IsNaN(y[i]) { // a NaN is a gap that was asked for
				lost++
			}
			if run != nil {
				runs, run = append(runs, run), nil
			}
			continue
		}
		if n := len(run); l.steps && n > 0 {
			run = append(run, [2]float64{x[i], run[n-1][1]})
		}
		run = append(run, [2]float64{x[i], y[i]})
	}
	if run != nil {
		runs = append(runs, run)
	}
	if l.who == "Line" {
		d.drop(lost)
	}
	lk := l.style
	colour := lk.colour(d)
	key := lk.key()
	var dots [][2]float64
	if l.fill {
		base := 0.0
		if d.y.Log {
			base = d.y.Lo
		}
		var rings [][][2]float64
		for _, r := range runs {
			ring := append([][2]float64{{r[0][0], base}}, d.thin(r)...)
			rings = append(rings, append(ring, [2]float64{r[len(r)-1][0], base}))
		}
		d.add(scene.Mark{Kind: scene.Areas, Key: key, Fill: opacity(colour, 0.18), Rings: rings, Clip: true})
	}
	var rings [][][2]float64
	for _, r := range runs {
		if len(r) == 1 { // a point alone is seen as a dot
			dots = append(dots, r[0])
			continue
		}
		if l.who == "Curve" || len(r) > 400 {
			r = d.thin(r)
		}
		rings = append(rings, r)
	}
	width := orPx(l.width, 2)
	m := scene.Mark{
		Kind:   scene.Paths,
		Key:    key,
		Stroke: opacity(colour, l.opacity),
		Width:  width,
		Dash:   pattern(l.dash, l.dot),
		Rings:  rings,
		Clip:   true,
		Smooth: true,
	}
	e := scene.LegendEntry{Key: key, Stroke: colour, Width: width, Dash: m.Dash}
	d.add(m)
	if l.markers {
		dots = nil
		for i := range x {
			if d.ok(x[i], y[i]) {
				dots = append(dots, [2]float64{x[i], y[i]})
			}
		}
	}
	if len(dots) > 0 {
		slot := max(lk.slot(d), 0)
		s := scene.Mark{
			Kind:   scene.Symbols,
			Key:    key,
			Fill:   opacity(colour, l.opacity),
			Stroke: outline(slot),
			Width:  0.75,
			Symbol: slotSymbol(slot),
			Size:   max(6, 2*width+1),
			XY:     dots,
			Clip:   true,
			Smooth: true,
		}
		if s.Symbol == scene.Plus || s.Symbol == scene.Cross {
			s.Stroke, s.Width = colour, 1.5
		}
		if l.markers {
			e.Symbol, e.Fill = s.Symbol, colour
		}
		d.add(s)
	}
	d.entry(e)
	d.describe("a %s%s", strings.ToLower(l.who), named(key))
	if l.who == "Line" {
		for i := range x {
			if i > maxTableRows {
				d.moreRows += len(x) - i
				break
			}
			d.row(key, x[i], y[i], "")
		}
	} else {
		for i := 0; i < len(x); i += max(len(x)/20, 1) {
			d.row(key, x[i], y[i], "")
		}
	}
}

func named(key string) string {
	if key == "" {
		return ""
	}
	return " (" + scene.Clean(key, 80) + ")"
}

// refine adds places where the curve bends by more than a tenth of a pixel between neighbours, three times over.
func (l LineLayer) refine(d *panelDrawing, x, y []float64) ([]float64, []float64) {
	for range 3 {
		var nx, ny []float64
		for i := range x {
			if i > 0 {
				m := (x[i-1] + x[i]) / 2
				bent := d.ok(x[i-1], y[i-1]) != d.ok(x[i], y[i])
				if !bent && d.ok(x[i], y[i]) && i+1 < len(x) && i > 1 && d.ok(x[i+1], y[i+1]) && d.ok(x[i-2], y[i-2]) {
					_, a := d.px(x[i-2], y[i-2])
					_, b := d.px(x[i-1], y[i-1])
					_, c := d.px(x[i], y[i])
					_, e := d.px(x[i+1], y[i+1])
					bent = math.Abs(a-2*b+c) > 0.8 || math.Abs(b-2*c+e) > 0.8
				}
				if bent && len(nx) < 4000 {
					nx, ny = append(nx, m), append(ny, l.f(m))
				}
			}
			nx, ny = append(nx, x[i]), append(ny, y[i])
		}
		if len(nx) == len(x) {
			break
		}
		x, y = nx, ny
	}
	return x, y
}
