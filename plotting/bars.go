package plotting

import (
	"math"
	"slices"

	"github.com/prlab/prlab/plotting/internal/scene"
	"github.com/prlab/prlab/prl/number"
)

// BarSeries is one series of BarGroups: a value for every category.
type BarSeries struct {
	Name   string
	Values []float64
	Lo, Hi []float64 // ends of the error bars; nil is none
}

// BarsLayer draws bars. Make one with Bars or BarGroups.
type BarsLayer struct {
	style
	who        string
	series     []BarSeries
	categories []string
	by         []string
	horizontal bool
	stacked    bool
	values     bool
}

// Bars draws one bar a value, at the places 0, 1, 2, ...
func Bars(values []float64) BarsLayer {
	return BarsLayer{who: "Bars", series: []BarSeries{{Values: slices.Clone(values)}}}
}

// BarGroups draws for every category one bar a series, side by side.
func BarGroups(categories []string, series ...BarSeries) BarsLayer {
	b := BarsLayer{who: "BarGroups", categories: slices.Clone(categories)}
	for _, s := range series {
		b.series = append(b.series, BarSeries{s.Name, slices.Clone(s.Values), slices.Clone(s.Lo), slices.Clone(s.Hi)})
	}
	return b
}

// Categories names the bars.
func (b BarsLayer) Categories(names ...string) BarsLayer {
	b.categories = slices.Clone(names)
	return b
}

// Name sets the legend entry of Bars.
func (b BarsLayer) Name(legend string) BarsLayer {
	b.series = slices.Clone(b.series)
	for i := range b.series {
		if b.series[i].Name == "" {
			b.series[i].Name = legend
		}
	}
	return b
}

// Class gives all bars the colour of one class.
func (b BarsLayer) Class(name string) BarsLayer { b.class = name; return b }

// By gives each bar of Bars the colour of the class named for it.
func (b BarsLayer) By(classes ...string) BarsLayer { b.by = slices.Clone(classes); return b }

// Horizontal lays the bars on their side, the first on top.
func (b BarsLayer) Horizontal() BarsLayer { b.horizontal = true; return b }

// Stacked piles the series of BarGroups up.
func (b BarsLayer) Stacked() BarsLayer { b.stacked = true; return b }

// Errors adds error bars from lo[i] to hi[i] to Bars.
func (b BarsLayer) Errors(lo, hi []float64) BarsLayer {
	b.series = slices.Clone(b.series)
	if len(b.series) > 0 {
		b.series[0].Lo, b.series[0].Hi = slices.Clone(lo), slices.Clone(hi)
	}
	return b
}

// Values writes the value at the end of each bar.
func (b BarsLayer) Values() BarsLayer { b.values = true; return b }

// Accent draws the bars in the accent colour.
func (b BarsLayer) Accent() BarsLayer { b.accent = true; return b }

// Muted draws the bars in grey.
func (b BarsLayer) Muted() BarsLayer { b.muted = true; return b }

func (b BarsLayer) check() error {
	n := 0
	if len(b.series) > 0 {
		n = len(b.series[0].Values)
	}
	if b.categories != nil {
		n = len(b.categories)
	}
	for _, s := range b.series {
		of := "the first series"
		if b.categories != nil {
			of = "categories"
		}
		if err := sameLength(b.who, "values", len(s.Values), of, n, "number"); err != nil {
			return err
		}
		if s.Lo != nil || s.Hi != nil {
			lo := sameLength(b.who, "lo", len(s.Lo), "values", n, "number")
			if err := first(lo, sameLength(b.who, "hi", len(s.Hi), "values", n, "number")); err != nil {
				return err
			}
		}
	}
	if b.by != nil {
		if b.who != "Bars" {
			return argument("BarGroups.By", "classes", "given", "left out, for the series carry the colours", "")
		}
		return sameLength("Bars.By", "classes", len(b.by), "values", n, "name")
	}
	return nil
}

// bar is one bar: its place along the categories, its ends, and whose it is.
type bar struct {
	at0, at1, from, to float64
	series, category   int
}

// layout places the bars; categories are one apart.
func (b BarsLayer) layout() []bar {
	n := 0
	if len(b.series) > 0 {
		n = len(b.series[0].Values)
	}
	var bars []bar
	for i := range n {
		up, down := 0.0, 0.0
		for s, series := range b.series {
			v := series.Values[i]
			if !scene.Drawable(v) {
				continue
			}
			c := bar{series: s, category: i, to: v}
			if b.stacked {
				c.at0, c.at1 = float64(i)-0.38, float64(i)+0.38
				if v >= 0 {
					c.from, c.to = up, up+v
					up += v
				} else {
					c.from, c.to = down, down+v
					down += v
				}
			} else {
				w := 0.8 / float64(len(b.series))
				if len(b.series) == 1 {
					w = 0.72
				}
				left := float64(i) - w*float64(len(b.series))/2
				c.at0, c.at1 = left+w*float64(s), left+w*float64(s+1)
			}
			if b.horizontal { // the first category stands on top
				c.at0, c.at1 = -c.at1, -c.at0
			}
			bars = append(bars, c)
		}
	}
	return bars
}

func (b BarsLayer) key(s int) string { return or(b.series[s].Name, b.class) }

// of is the style of a series, which has a name of its own.
func (b BarsLayer) of(s int) style { return style{b.series[s].Name, b.class, b.accent, b.muted} }

func (b BarsLayer) survey(v *survey) {
	across, along := &v.x, &v.y
	log := v.logY
	if b.horizontal {
		across, along = &v.y, &v.x
		log = v.logX
	}
	n := 0
	if len(b.series) > 0 {
		n = len(b.series[0].Values)
	}
	if n > 0 {
		if b.horizontal {
			across.hard(0.5-float64(n), 0.5)
		} else {
			across.hard(-0.5, float64(n)-0.5)
		}
	}
	if !log {
		along.hard(0)
	} else { // the bars stand on a power of ten
		low := math.Inf(1)
		for _, c := range b.layout() {
			if c.to > 0 {
				low = min(low, c.to)
			}
		}
		if scene.Drawable(low) {
			along.hard(math.Pow(10, math.Floor(math.Log10(low*0.999))))
		}
	}
	for _, c := range b.layout() {
		along.soft(c.from, c.to)
		s := b.series[c.series]
		if s.Lo != nil {
			along.soft(s.Lo[c.category], s.Hi[c.category])
		}
	}
	if b.categories == nil && n > 0 && n <= 200 { // numbered places
		if b.horizontal {
			v.yTicks = []scene.Tick{}
		} else {
			v.xTicks = []scene.Tick{}
		}
		for i := 0; i < n; i += strideOf(n) {
			t := scene.Tick{At: float64(i), Label: scene.FormatNumber(float64(i))}
			if b.horizontal {
				t.At = -t.At
				v.yTicks = append(v.yTicks, t)
			} else {
				v.xTicks = append(v.xTicks, t)
			}
		}
	}
	if b.categories != nil {
		var ticks []scene.Tick
		for i, name := range b.categories {
			at := float64(i)
			if b.horizontal {
				at = -at
			}
			ticks = append(ticks, scene.Tick{At: at, Label: scene.Clean(name, 80)})
		}
		if b.horizontal {
			v.yTicks, v.noGridY = ticks, true
			if n > 8 {
				v.tall = max(v.tall, float64(n)*20/560)
			}
		} else {
			v.xTicks, v.noGridX = ticks, true
		}
	} else if n > 0 && n <= 60 {
		if b.horizontal {
			v.noGridY = true
		} else {
			v.noGridX = true
		}
	}
	if b.by != nil {
		for _, name := range b.by {
			v.pic.slot(name)
		}
		return
	}
	for s := range b.series {
		b.of(s).claim(v)
	}
}

func (b BarsLayer) lower(d *panelDrawing) {
	bars := b.layout()
	w := newBarsDrawing(b, d)
	lost := -len(bars)
	for _, s := range b.series {
		lost += len(s.Values)
	}
	for _, c := range bars {
		if !w.bar(c) {
			lost++
		}
	}
	d.drop(lost)
	for _, m := range w.marks {
		d.add(m)
	}
	if w.whiskers.Rings != nil {
		d.add(w.whiskers)
	}
	if low := w.along.Lo; !w.along.Log && low < 0 { // the line the bars stand on
		across := d.x
		if b.horizontal {
			across = d.y
		}
		d.add(scene.Mark{
			Kind: scene.Paths, Stroke: scene.Paint{Token: scene.TokenMuted}, Width: 1, Clip: true, Z: 10*(d.layer+1) + 4, Aside: true,
			Rings: [][][2]float64{{w.point(across.Lo, 0), w.point(across.Hi, 0)}},
		})
	}
	for _, up := range []bool{true, false} {
		if t := w.texts[up]; t != nil {
			d.add(*t)
		}
	}
	var parts []string
	for _, c := range bars {
		s := number.Format(b.series[c.series].Values[c.category], 3)
		if b.categories != nil {
			s = scene.Clean(b.categories[c.category], 40) + " " + s
		}
		if len(b.series) > 1 {
			s = scene.Clean(b.key(c.series), 40) + " " + s
		}
		parts = append(parts, s)
	}
	d.describe("%s: %s", count(len(bars), "bar"), joinSome(parts, 12))
}

// A barsDrawing is bars on their way into a panel.
type barsDrawing struct {
	BarsLayer
	*panelDrawing
	along    scene.Axis // of the values
	marks    []scene.Mark
	whiskers scene.Mark
	texts    map[bool]*scene.Mark // the values of bars that go up, or down
}

func newBarsDrawing(b BarsLayer, d *panelDrawing) *barsDrawing {
	w := &barsDrawing{
		BarsLayer: b, panelDrawing: d, along: d.y, marks: make([]scene.Mark, len(b.series)), texts: map[bool]*scene.Mark{},
		whiskers: scene.Mark{
			Kind:   scene.Paths,
			Stroke: scene.Paint{Token: scene.TokenForeground},
			Width:  1.25,
			Clip:   true,
			Z:      10*(d.layer+1) + 5,
			Smooth: true,
			Aside:  true,
		},
	}
	if b.horizontal {
		w.along = d.x
	}
	for s := range b.series {
		w.marks[s] = scene.Mark{
			Kind: scene.Rects, Key: b.key(s), Fill: opacity(b.of(s).colour(d), 0.9), Clip: true, Smooth: true, Sideways: b.horizontal,
		}
		if b.by == nil {
			d.entry(scene.LegendEntry{Key: b.key(s), Fill: w.marks[s].Fill, Swatch: true})
		}
	}
	return w
}

func (w *barsDrawing) point(across, along float64) [2]float64 {
	if w.horizontal {
		return [2]float64{along, across}
	}
	return [2]float64{across, along}
}

// shownFrom is a value, or where the axis begins that cannot show it.
func (w *barsDrawing) shownFrom(v float64) float64 {
	if w.along.Log {
		return max(v, w.along.Lo)
	}
	return v
}

// bar adds a bar, and reports whether its end can be shown.
func (w *barsDrawing) bar(c bar) bool {
	if !w.along.Shows(c.to) {
		return false
	}
	s, m := w.series[c.series], &w.marks[c.series]
	m.XY, m.XY2 = append(m.XY, w.point(c.at0, w.shownFrom(c.from))), append(m.XY2, w.point(c.at1, c.to))
	category := scene.FormatNumber(float64(c.category))
	if w.categories != nil {
		category = scene.Clean(w.categories[c.category], 80)
	}
	value := scene.FormatNumber(s.Values[c.category])
	m.Notes = append(m.Notes, category+"\n"+value)
	series := w.key(c.series)
	if w.by != nil {
		series = w.by[c.category]
		fill := opacity(slotPaint(w.panelDrawing.slot(series)), 0.9)
		m.Fills, m.Names = append(m.Fills, fill), append(m.Names, series)
		w.entry(scene.LegendEntry{Key: series, Fill: fill, Swatch: true})
	}
	end, note := c.to, ""
	if s.Lo != nil {
		end, note = w.whisker(c, series)
	}
	if w.horizontal {
		w.rowText(series, value, category, note)
	} else {
		w.rowText(series, category, value, note)
	}
	if w.values {
		t := w.text(c.to >= 0)
		if w.stacked {
			end = (c.from + c.to) / 2
		}
		t.XY, t.Texts = append(t.XY, w.point((c.at0+c.at1)/2, end)), append(t.Texts, number.Format(s.Values[c.category], 3))
	}
	return true
}

// whisker adds the whisker of a bar, and returns where bar and whisker end, and what is said of it.
func (w *barsDrawing) whisker(c bar, series string) (end float64, note string) {
	s := w.series[c.series]
	lo, hi := w.shownFrom(s.Lo[c.category]), s.Hi[c.category]
	if !w.along.Shows(lo) || !w.along.Shows(hi) {
		return c.to, ""
	}
	mid, cap := (c.at0+c.at1)/2, min((c.at1-c.at0)/4, 0.1)
	w.whiskers.Rings = append(w.whiskers.Rings, [][2]float64{w.point(mid, lo), w.point(mid, hi)},
		[][2]float64{w.point(mid-cap, lo), w.point(mid+cap, lo)}, [][2]float64{w.point(mid-cap, hi), w.point(mid+cap, hi)})
	w.whiskers.Names = append(w.whiskers.Names, series, series, series)
	note = scene.FormatNumber(s.Lo[c.category]) + " to " + scene.FormatNumber(s.Hi[c.category])
	if c.to >= 0 {
		return max(c.to, hi), note
	}
	return min(c.to, lo), note
}

// text is the mark of the values of bars that go up, or down.
func (w *barsDrawing) text(up bool) *scene.Mark {
	if t := w.texts[up]; t != nil {
		return t
	}
	t := &scene.Mark{Kind: scene.Texts, Z: w.over(), Size: 11, Fill: scene.Paint{Token: scene.TokenForeground}, Smooth: true}
	switch {
	case w.horizontal && up:
		t.Anchor, t.Offset = scene.At("start", "middle"), [2]float64{5, 0}
	case w.horizontal:
		t.Anchor, t.Offset = scene.At("end", "middle"), [2]float64{-5, 0}
	case up:
		t.Anchor, t.Offset = scene.At("middle", "bottom"), [2]float64{0, -3}
	default:
		t.Anchor, t.Offset = scene.At("middle", "top"), [2]float64{0, 3}
	}
	if w.stacked {
		t.Anchor, t.Offset, t.Halo = scene.At("middle", "middle"), [2]float64{}, true
	}
	w.texts[up] = t
	return t
}
