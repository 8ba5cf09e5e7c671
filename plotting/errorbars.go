package plotting

import (
	"slices"

	"github.com/prlab/prlab/plotting/internal/scene"
)

// ErrorBarsLayer draws vertical intervals. Make one with ErrorBars.
type ErrorBarsLayer struct {
	style
	x, y, lo, hi []float64
}

// ErrorBars draws for every i the interval from (x[i], lo[i]) to (x[i], hi[i]) and a point at y[i]. A nil y draws no points.
func ErrorBars(x, y, lo, hi []float64) ErrorBarsLayer {
	return ErrorBarsLayer{x: slices.Clone(x), y: slices.Clone(y), lo: slices.Clone(lo), hi: slices.Clone(hi)}
}

// Name sets the legend entry.
func (e ErrorBarsLayer) Name(legend string) ErrorBarsLayer { e.name = legend; return e }

// Class gives the bars the colour of a class.
func (e ErrorBarsLayer) Class(name string) ErrorBarsLayer { e.class = name; return e }

// Accent draws the bars in the accent colour.
func (e ErrorBarsLayer) Accent() ErrorBarsLayer { e.accent = true; return e }

// Muted draws the bars in grey.
func (e ErrorBarsLayer) Muted() ErrorBarsLayer { e.muted = true; return e }

func (e ErrorBarsLayer) check() error {
	n := len(e.x)
	err := first(sameLength("ErrorBars", "lo", len(e.lo), "x", n, "number"), sameLength("ErrorBars", "hi", len(e.hi), "x", n, "number"))
	if e.y != nil {
		err = first(err, sameLength("ErrorBars", "y", len(e.y), "x", n, "number"))
	}
	return err
}

func (e ErrorBarsLayer) survey(v *survey) {
	for i := range e.x {
		if scene.Drawable(e.x[i]) {
			v.x.soft(e.x[i])
			v.y.soft(e.lo[i], e.hi[i])
			if e.y != nil {
				v.y.soft(e.y[i])
			}
		}
	}
	e.claim(v)
}

func (e ErrorBarsLayer) lower(d *panelDrawing) {
	l := e.style
	colour := l.colour(d)
	stems := scene.Mark{Kind: scene.Paths, Key: l.key(), Stroke: colour, Width: 1.5, Clip: true, Smooth: true, Aside: true}
	dots := scene.Mark{
		Kind: scene.Symbols, Key: l.key(), Fill: colour, Stroke: outline(max(l.slot(d), 0)), Width: 0.75, Size: 7,
		Symbol: slotSymbol(max(l.slot(d), 0)), Clip: true, Smooth: true,
	}
	lost := 0
	for i, x := range e.x {
		if !d.ok(x, e.hi[i]) || !d.x.Shows(x) {
			lost++
			continue
		}
		lo := e.lo[i]
		if d.y.Log && lo <= 0 {
			lo = d.y.Lo
		}
		if !d.y.Shows(lo) {
			lost++
			continue
		}
		stems.Rings = append(stems.Rings, [][2]float64{{x, lo}, {x, e.hi[i]}})
		// caps of eight pixels
		at := d.x.At(x)
		half := 4 / d.w
		a, b := d.x.Value(at-half), d.x.Value(at+half)
		stems.Rings = append(stems.Rings, [][2]float64{{a, lo}, {b, lo}}, [][2]float64{{a, e.hi[i]}, {b, e.hi[i]}})
		mid := ""
		if e.y != nil && d.ok(x, e.y[i]) {
			dots.XY = append(dots.XY, [2]float64{x, e.y[i]})
			mid = scene.FormatNumber(e.y[i])
		}
		d.rowText(l.key(), scene.FormatNumber(x), mid, scene.FormatNumber(e.lo[i])+" to "+scene.FormatNumber(e.hi[i]))
	}
	d.drop(lost)
	d.add(stems)
	entry := scene.LegendEntry{Key: l.key(), Stroke: colour, Width: 1.5}
	if e.y != nil {
		d.add(dots)
		entry.Symbol, entry.Fill = dots.Symbol, colour
	}
	d.entry(entry)
	d.describe("%s%s", count(len(stems.Rings)/3, "error bar"), named(l.key()))
}
