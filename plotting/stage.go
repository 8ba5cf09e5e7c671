package plotting

import (
	"math"
	"time"

	"github.com/prlab/prlab/plotting/internal/live"
	"github.com/prlab/prlab/plotting/internal/scene"
)

// A Stage turns the figures that one function draws again and again, while a reader drags a point or turns a slider, into specs for the
// page. The axes of the first figure stand for all, so that nothing jumps under the pointer; a range that a figure sets by itself still
// holds. The zero Stage is ready for its first figure. A Stage is for one goroutine at a time.
type Stage struct {
	home   []scene.Panel // the panels of the first figure
	latest []scene.Panel
	cells  int // of the raster of the next draft, along each axis; 0 for the most
}

// The raster of a draft, in cells along each axis.
const (
	finest   = 40
	coarsest = 20
)

// Took tells the stage how long its latest draft took, with all that led to it. Pictures follow the hand where one takes no longer than the
// screen needs to show the next: after a slow draft the next one has coarser regions and contours, and after a quick one finer ones.
func (g *Stage) Took(d time.Duration) {
	const (
		slow  = 12 * time.Millisecond
		quick = slow / 2
	)
	cells := float64(g.raster())
	if d > slow || d < quick {
		cells *= math.Sqrt(float64(slow) / float64(max(d, slow/4)))
	}
	g.cells = int(math.Max(coarsest, math.Min(finest, cells)))
}

// raster is the number of cells of the next draft.
func (g *Stage) raster() int {
	if g.cells == 0 {
		return finest
	}
	return g.cells
}

// Spec returns the spec of f as JSON: what the attribute data-prl-figure of a figure's image holds, packed. A draft, while the hand moves,
// has coarser regions and contours, and no description and no table.
func (g *Stage) Spec(f *Figure, draft bool) ([]byte, error) {
	asked := staging{home: g.home}
	if draft {
		asked.coarse = g.raster()
	}
	s, err := f.resolve(asked)
	if err != nil {
		return nil, err
	}
	if g.home == nil {
		g.home = s.Panels
	}
	g.latest = s.Panels
	return live.Of(s).JSON()
}

// See returns f as the reader sees it on the stage.
func (g *Stage) See(f *Figure) View {
	s, err := f.resolve(staging{home: g.home})
	if err == nil {
		if g.home == nil {
			g.home = s.Panels
		}
		g.latest = s.Panels
	}
	return viewOf(s, err)
}

// Bounds returns the ranges of the axes of a panel, counted from 0, of the latest figure. Without such a panel ok is false.
func (g *Stage) Bounds(panel int) (xLo, xHi, yLo, yHi float64, ok bool) {
	if panel < 0 || panel >= len(g.latest) {
		return 0, 0, 0, 0, false
	}
	p := g.latest[panel]
	return p.X.Lo, p.X.Hi, p.Y.Lo, p.Y.Hi, true
}

// staging is what a stage asks of the resolution of a figure; the zero value asks nothing.
type staging struct {
	home   []scene.Panel // the axes to keep
	coarse int           // the cells of a raster along each axis in a draft, or 0
}

// draft reports whether the picture is one.
func (s staging) draft() bool { return s.coarse > 0 }

// place returns figure f, which is one of the given number of panels, with the axes of home, unless it sets ranges of its own.
func (s staging) place(f *Figure, panel, panels int) *Figure {
	if len(s.home) != panels {
		return f
	}
	home := &s.home[panel]
	fix := func(o *axisOptions, a scene.Axis) {
		if !o.set && o.log == a.Log {
			o.set, o.lo, o.hi = true, a.Lo, a.Hi
		}
	}
	g := *f
	fix(&g.x, home.X)
	fix(&g.y, home.Y)
	return &g
}
