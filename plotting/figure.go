package plotting

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"

	"github.com/prlab/prlab/plotting/internal/scene"
)

// A Figure is an immutable description of a picture: layers over one pair of axes, or panels, or the frames of a slider. Every method
// returns a changed copy, so a figure can be kept and varied. The first wrong argument of a layer is remembered and reported by Err.
type Figure struct {
	err      error
	layers   []Layer
	title    string
	subtitle string
	caption  string
	alt      string
	link     string
	width    float64 // 0 is the default
	height   float64
	x, y     axisOptions
	equal    bool
	noLegend bool
	noAxes   bool
	noGrid   bool
	sharedX  bool // panels of one column have one horizontal domain

	resolved *resolved // the scene, once it has been asked for

	panels  []*Figure // a composed picture
	columns int       // panels a row
	frames  *slides
}

// resolved keeps the scene of a figure, which never changes; the functions of its layers are called once.
type resolved struct {
	once  sync.Once
	scene *scene.Scene
	err   error
}

// axisOptions are the wishes of the user for one axis.
type axisOptions struct {
	label      string
	set        bool // lo, hi hold
	lo, hi     float64
	log        bool
	ticks      []float64
	labels     []string
	ticksSet   bool
	categories []string
}

// named says that the user names places on the axis, whatever the layers call them.
func (o *axisOptions) named() bool { return o.ticksSet || o.categories != nil }

// slides are the frames of a figure made by Slide.
type slides struct {
	name     string
	labels   []string
	figures  []*Figure
	start    int
	interval float64 // milliseconds
	values   []float64
	draw     func(float64) *Figure // nil where the values are no numbers, or are counted
}

// Default size of a figure in CSS pixels, and the limits Size accepts.
const (
	defaultWidth  = 640
	defaultHeight = 420
	minSide       = 80
	maxSide       = 4000
)

// New returns a figure of the given layers, painted in their order.
func New(layers ...Layer) *Figure { return (&Figure{}).Add(layers...) }

// Fault returns a figure that carries only an error; showing it reports the error. A nil error gives an empty figure.
func Fault(err error) *Figure { return &Figure{err: err} }

// change returns a copy of f to which edit has been applied.
func (f *Figure) change(edit func(*Figure)) *Figure {
	var g Figure
	if f != nil {
		g = *f
	}
	g.resolved = new(resolved)
	edit(&g)
	return &g
}

// Err returns the first error of the figure, of its panels or of its frames, or nil.
func (f *Figure) Err() error {
	if f == nil {
		return nil
	}
	if f.err != nil {
		return f.err
	}
	for i, p := range f.panels {
		if err := p.Err(); err != nil {
			return fmt.Errorf("panel %d: %w", i+1, err)
		}
	}
	if f.frames != nil {
		for i, p := range f.frames.figures {
			if err := p.Err(); err != nil {
				return fmt.Errorf("%s = %s: %w", f.frames.name, f.frames.labels[i], err)
			}
		}
	}
	return nil
}

func (f *Figure) fail(err error) {
	if f.err == nil {
		f.err = err
	}
}

// Add paints layers over those of f. On a composed figure it adds them to every panel, on a slide to every frame.
func (f *Figure) Add(layers ...Layer) *Figure {
	return f.change(func(g *Figure) {
		for _, l := range layers {
			if l == nil {
				g.fail(argument("New", "layer", "nil", "a layer such as Points or Line", ""))
				return
			}
			if err := l.check(); err != nil {
				g.fail(err)
			}
		}
		switch {
		case g.frames != nil:
			s := *g.frames
			s.figures = slices.Clone(s.figures)
			for i, p := range s.figures {
				s.figures[i] = p.Add(layers...)
			}
			if draw := s.draw; draw != nil {
				s.draw = func(v float64) *Figure {
					if p := draw(v); p != nil {
						return p.Add(layers...)
					}
					return nil
				}
			}
			g.frames = &s
		case len(g.panels) > 0:
			g.panels = slices.Clone(g.panels)
			for i, p := range g.panels {
				g.panels[i] = p.Add(layers...)
			}
		default:
			g.layers = append(slices.Clip(slices.Clone(g.layers)), layers...)
		}
	})
}

// Title sets the heading; in a composed figure that of the whole picture.
func (f *Figure) Title(s string) *Figure { return f.change(func(g *Figure) { g.title = s }) }

// Subtitle sets the line below the title. The figures of a Slide may each have their own.
func (f *Figure) Subtitle(s string) *Figure { return f.change(func(g *Figure) { g.subtitle = s }) }

// Caption sets the small line below the picture.
func (f *Figure) Caption(s string) *Figure { return f.change(func(g *Figure) { g.caption = s }) }

// Alt replaces the generated description for readers who do not see the picture.
func (f *Figure) Alt(s string) *Figure { return f.change(func(g *Figure) { g.alt = s }) }

// Link joins figures of one notebook: rows highlighted in one are highlighted in all with the same group name.
func (f *Figure) Link(group string) *Figure { return f.change(func(g *Figure) { g.link = group }) }

// X sets the label of the horizontal axis.
func (f *Figure) X(label string) *Figure { return f.change(func(g *Figure) { g.x.label = label }) }

// Y sets the label of the vertical axis.
func (f *Figure) Y(label string) *Figure { return f.change(func(g *Figure) { g.y.label = label }) }

// XRange fixes the horizontal domain to [lo, hi]; the default is the range of the data and a margin.
func (f *Figure) XRange(lo, hi float64) *Figure {
	return f.change(func(g *Figure) { g.setRange("XRange", &g.x, lo, hi) })
}

// YRange fixes the vertical domain to [lo, hi].
func (f *Figure) YRange(lo, hi float64) *Figure {
	return f.change(func(g *Figure) { g.setRange("YRange", &g.y, lo, hi) })
}

func (f *Figure) setRange(method string, a *axisOptions, lo, hi float64) {
	if !(lo < hi) || !finite(lo) || !finite(hi) {
		f.fail(argument(method, "lo, hi", fmt.Sprintf("%v, %v", lo, hi), "two finite numbers with lo < hi", ""))
		return
	}
	if hi-lo < 1e-290 || !scene.Drawable(lo) || !scene.Drawable(hi) { // pixels per unit and units per pixel have to be finite
		f.fail(argument(method, "lo, hi", fmt.Sprintf("%v, %v", lo, hi), "at most 1e300 in size and at least 1e-290 apart", ""))
		return
	}
	a.set, a.lo, a.hi = true, lo, hi
}

// LogX makes the horizontal axis logarithmic. Values that are not positive are left out of the picture and counted in a notice.
func (f *Figure) LogX() *Figure { return f.change(func(g *Figure) { g.x.log = true }) }

// LogY makes the vertical axis logarithmic.
func (f *Figure) LogY() *Figure { return f.change(func(g *Figure) { g.y.log = true }) }

// XTicks puts the ticks of the horizontal axis at the given places, with the given labels or else with their numbers. No place, no tick.
func (f *Figure) XTicks(at []float64, labels ...string) *Figure {
	return f.change(func(g *Figure) { g.setTicks("XTicks", &g.x, at, labels) })
}

// YTicks does for the vertical axis what XTicks does for the horizontal one.
func (f *Figure) YTicks(at []float64, labels ...string) *Figure {
	return f.change(func(g *Figure) { g.setTicks("YTicks", &g.y, at, labels) })
}

func (f *Figure) setTicks(method string, a *axisOptions, at []float64, labels []string) {
	if len(labels) > 0 && len(labels) != len(at) {
		f.fail(argument(method, "labels", strconv.Itoa(len(labels))+" strings",
			fmt.Sprintf("one a tick: %d", len(at)), ""))
		return
	}
	for i, v := range at {
		if !finite(v) {
			f.fail(argument(method, fmt.Sprintf("at[%d]", i), fmt.Sprint(v), "a finite number", ""))
			return
		}
	}
	a.ticks, a.labels, a.ticksSet = slices.Clone(at), slices.Clone(labels), true
}

// XCategories names the places 0, 1, 2, ... of the horizontal axis.
func (f *Figure) XCategories(names ...string) *Figure {
	return f.change(func(g *Figure) { g.x.categories = slices.Clone(names) })
}

// YCategories names the places 0, 1, 2, ... of the vertical axis.
func (f *Figure) YCategories(names ...string) *Figure {
	return f.change(func(g *Figure) { g.y.categories = slices.Clone(names) })
}

// Equal makes a unit of x as long as a unit of y, so that circles are round and right angles right.
func (f *Figure) Equal() *Figure { return f.change(func(g *Figure) { g.equal = true }) }

// Size sets width and height of the whole picture in CSS pixels, titles and legend included, from 80 to 4000; the default is 640 x 420,
// and panels grow with their number.
func (f *Figure) Size(width, height float64) *Figure {
	return f.change(func(g *Figure) {
		if !(width >= minSide && width <= maxSide && height >= minSide && height <= maxSide) {
			g.fail(argument("Size", "width, height", fmt.Sprintf("%v, %v", width, height),
				fmt.Sprintf("each from %d to %d pixels", minSide, maxSide), ""))
			return
		}
		g.width, g.height = width, height
	})
}

// NoLegend leaves the legend out.
func (f *Figure) NoLegend() *Figure { return f.change(func(g *Figure) { g.noLegend = true }) }

// NoAxes leaves axes, ticks and grid out.
func (f *Figure) NoAxes() *Figure { return f.change(func(g *Figure) { g.noAxes = true }) }

// NoGrid leaves the grid lines out.
func (f *Figure) NoGrid() *Figure { return f.change(func(g *Figure) { g.noGrid = true }) }

// Row places figures side by side in one picture with one legend. Each keeps its axes; its Title heads its panel.
func Row(figs ...*Figure) *Figure { return compose("Row", len(figs), figs) }

// Column places figures one below the other in one picture.
func Column(figs ...*Figure) *Figure { return compose("Column", 1, figs) }

// Grid places figures in rows of the given number of columns.
func Grid(columns int, figs ...*Figure) *Figure { return compose("Grid", columns, figs) }

// SharedX gives the panels of each column of a Grid or Column one horizontal domain, so that what stands above each other can be compared.
func (f *Figure) SharedX() *Figure { return f.change(func(g *Figure) { g.sharedX = true }) }

func compose(function string, columns int, figs []*Figure) *Figure {
	f := &Figure{columns: columns, resolved: new(resolved)}
	if len(figs) == 0 {
		f.err = argument(function, "figs", "none", "at least one figure", "")
		return f
	}
	if columns < 1 {
		f.err = argument(function, "columns", strconv.Itoa(columns), "1 or more", "")
		return f
	}
	for i, g := range figs {
		if g == nil {
			f.err = argument(function, fmt.Sprintf("figs[%d]", i), "nil", "a figure", "")
			return f
		}
		if g.link != "" && f.link == "" {
			f.link = g.link
		}
	}
	f.panels = slices.Clone(figs)
	return f
}

// Slide returns a picture that moves: one frame a value, drawn by draw, with a slider called name and a play button. All frames share
// axes, colours and legend. Draw may return a Row. On paper the picture is a film strip of up to six frames.
func Slide[T any](name string, values []T, draw func(T) *Figure) *Figure {
	s := &slides{name: name, interval: 600}
	for _, v := range values {
		s.labels = append(s.labels, frameLabel(v))
	}
	if draw == nil {
		return Fault(argument("Slide", "draw", "nil", "a function that returns a figure", ""))
	}
	for i, v := range values {
		g := draw(v)
		if g == nil {
			return Fault(argument("Slide", "draw("+s.labels[i]+")", "nil", "a figure", ""))
		}
		s.figures = append(s.figures, g)
	}
	if numbers, ok := any(values).([]float64); ok && !counted(numbers) {
		s.values, s.draw = slices.Clone(numbers), any(draw).(func(float64) *Figure)
	}
	return slide(s)
}

// counted reports whether numbers are whole ones, one after the other, between which there is nothing.
func counted(numbers []float64) bool {
	for i, v := range numbers {
		if v != math.Trunc(v) || i > 0 && math.Abs(v-numbers[i-1]) != 1 {
			return false
		}
	}
	return true
}

func slide(s *slides) *Figure {
	if len(s.figures) == 0 {
		return Fault(argument("Slide", "values", "empty", "at least one value", ""))
	}
	first := s.figures[0]
	return &Figure{
		resolved: new(resolved), frames: s, title: first.title, caption: first.caption, link: first.link, alt: first.alt,
		width: first.width, height: first.height, noLegend: first.noLegend,
	}
}

func frameLabel(v any) string {
	switch x := v.(type) {
	case float64:
		return scene.FormatNumber(x)
	case float32:
		return scene.FormatNumber(float64(x))
	}
	return fmt.Sprint(v)
}

// Start chooses by its index, from 0, the frame of a Slide that is shown first.
func (f *Figure) Start(frame int) *Figure {
	return f.editSlides("Start", func(g *Figure, s *slides) {
		if frame < 0 || frame >= len(s.figures) {
			g.fail(argument("Start", "frame", strconv.Itoa(frame),
				fmt.Sprintf("from 0 to %d, for the figure has %d frames", len(s.figures)-1, len(s.figures)), ""))
			return
		}
		s.start = frame
	})
}

// Labels renames the frames of a Slide.
func (f *Figure) Labels(labels ...string) *Figure {
	return f.editSlides("Labels", func(g *Figure, s *slides) {
		if len(labels) != len(s.figures) {
			g.fail(argument("Labels", "labels", strconv.Itoa(len(labels))+" strings",
				fmt.Sprintf("one a frame: %d", len(s.figures)), ""))
			return
		}
		s.labels = slices.Clone(labels)
		s.values, s.draw = nil, nil // names have nothing between them
	})
}

// Interval sets how long a frame of a Slide stays when it plays, in milliseconds; the default is 600.
func (f *Figure) Interval(milliseconds float64) *Figure {
	return f.editSlides("Interval", func(g *Figure, s *slides) {
		if !(milliseconds >= 20 && milliseconds <= 60000) {
			g.fail(argument("Interval", "milliseconds", fmt.Sprint(milliseconds), "from 20 to 60000", ""))
			return
		}
		s.interval = milliseconds
	})
}

func (f *Figure) editSlides(method string, edit func(*Figure, *slides)) *Figure {
	return f.change(func(g *Figure) {
		if g.frames == nil {
			if g.err == nil {
				g.err = argument(method, "figure", "without frames", "one made by Slide", "")
			}
			return
		}
		s := *g.frames
		edit(g, &s)
		g.frames = &s
	})
}
