// Package live writes a scene for the page: the spec that runtime/runtime.js reads, as JSON without functions. It links nothing heavy, for
// it runs in pages too.
package live

import (
	"fmt"

	"github.com/prlab/prlab/plotting/internal/scene"
)

// RuntimeVersion grows with every change of the spec: the newest runtime on a page draws all figures.
const RuntimeVersion = 2

// Spec is a live figure: the series of an ECharts option, each of which carries its mark in packed form, and the facts of the figure that
// an option has no place for. The tags of it and its parts are what JSON writes.
type Spec struct {
	Version int    `json:"v"`
	Option  Option `json:"option"`
	Figure  Figure `json:"fig"`
}

// Option is all that the runtime takes from Go; axes, grids and texts it makes itself, for the width and the theme of the page.
type Option struct {
	Series []Series `json:"series"`
}

// Series is a series of ECharts.
type Series struct {
	Type  string `json:"type"`
	ID    string `json:"id"`
	X     int    `json:"xAxisIndex,omitempty"`
	Y     int    `json:"yAxisIndex,omitempty"`
	Order int    `json:"z,omitempty"`
	Mark  *Mark  `json:"prl,omitempty"` // nil: the mark stands in the frames
}

// Figure is what stands around the panels, and the panels.
type Figure struct {
	Width    float64 `json:"w"`
	Height   float64 `json:"h"`
	Title    string  `json:"title,omitempty"`
	Subtitle string  `json:"subtitle,omitempty"`
	Caption  string  `json:"caption,omitempty"`
	Notice   string  `json:"notice,omitempty"`
	Alt      string  `json:"alt,omitempty"`
	Columns  int     `json:"columns"`
	Link     string  `json:"link,omitempty"`
	Panels   []Panel `json:"panels"`
	Legend   []Entry `json:"legend,omitempty"`
	Frames   *Frames `json:"frames,omitempty"`
	Table    *Table  `json:"table,omitempty"`
}

// Panel is one pair of axes.
type Panel struct {
	Title  string  `json:"title,omitempty"`
	X      Axis    `json:"x"`
	Y      Axis    `json:"y"`
	Equal  bool    `json:"equal,omitempty"`
	NoAxes bool    `json:"noAxes,omitempty"`
	Weight float64 `json:"weight,omitempty"`
	Bar    *Bar    `json:"bar,omitempty"`
}

// Axis has its domain and ticks straightened: of a log axis the logarithms.
type Axis struct {
	Label string  `json:"label,omitempty"`
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
	Log   bool    `json:"log,omitempty"`
	Grid  bool    `json:"grid,omitempty"`
	Ticks []Tick  `json:"ticks,omitempty"`
}

// Tick travels as [place, label].
type Tick struct {
	At    float64
	Label string
}

// Bar is a colour bar.
type Bar struct {
	Label     string  `json:"label,omitempty"`
	Lo        float64 `json:"lo"`
	Hi        float64 `json:"hi"`
	Diverging bool    `json:"diverging,omitempty"`
	Ticks     []Tick  `json:"ticks,omitempty"`
}

// Entry is a line of the legend.
type Entry struct {
	Key    string       `json:"key"`
	Label  string       `json:"label"`
	Fill   string       `json:"f,omitempty"`
	Stroke string       `json:"s,omitempty"`
	Dash   []float64    `json:"d,omitempty"`
	Width  float64      `json:"w,omitempty"`
	Symbol scene.Symbol `json:"sy,omitempty"`
	Swatch bool         `json:"sw,omitempty"`
}

// Frames are the steps of a slider.
type Frames struct {
	Name     string   `json:"name"`
	Labels   []string `json:"labels"`
	Start    int      `json:"start"`
	Interval float64  `json:"interval,omitempty"`
	Steps    []Step   `json:"steps"`
}

// Step is one frame.
type Step struct {
	Subtitle string   `json:"subtitle,omitempty"`
	Titles   []string `json:"titles,omitempty"`
	Marks    []*Mark  `json:"marks"`
}

// Table is the data behind the picture.
type Table struct {
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
	More    int        `json:"more,omitempty"`
}

// Of returns the spec of a scene.
func Of(s *scene.Scene) *Spec {
	spec := &Spec{Version: RuntimeVersion, Figure: Figure{
		Width: s.Width, Height: s.Height, Title: s.Title,
		Subtitle: s.Subtitle, Caption: s.Caption, Notice: s.Notice, Alt: s.Alt, Columns: max(1, s.Columns), Link: s.Link,
	}}
	series := []Series{}
	for i := range s.Panels {
		p := &s.Panels[i]
		spec.Figure.Panels = append(spec.Figure.Panels, panelOf(p))
		for k := range p.Marks {
			m := pack(&p.Marks[k], p)
			id := fmt.Sprintf("%d.%d.%s", i, k, m.ID) // unique whatever the layers say
			m.ID = ""
			series = append(series, Series{Type: SeriesOf(m.Kind), ID: id, X: i, Y: i, Order: m.Z, Mark: m})
		}
	}
	if s.Frames != nil {
		spec.Figure.Frames = framesOf(s, &series)
	}
	spec.Option.Series = series
	for _, e := range s.Legend {
		spec.Figure.Legend = append(spec.Figure.Legend, Entry{
			Key: e.Key, Label: e.Label, Fill: word(e.Fill), Stroke: word(e.Stroke),
			Dash: e.Dash, Width: e.Width, Symbol: e.Symbol, Swatch: e.Swatch,
		})
	}
	if len(s.Table.Columns) > 0 {
		spec.Figure.Table = &Table{Columns: s.Table.Columns, Rows: s.Table.Rows, More: s.Table.More}
	}
	return spec
}

// SeriesOf is the kind of ECharts series nearest to the mark.
func SeriesOf(k scene.Kind) string {
	switch k {
	case scene.Symbols:
		return "scatter"
	case scene.Paths:
		return "line"
	}
	return "custom"
}

func panelOf(p *scene.Panel) Panel {
	out := Panel{Title: p.Title, X: axisOf(&p.X), Y: axisOf(&p.Y), Equal: p.Equal, NoAxes: p.NoAxes, Weight: p.Weight}
	if b := p.ColorBar; b != nil {
		a := scene.Axis{Lo: b.Lo, Hi: b.Hi, Log: b.Log, Ticks: b.Ticks}
		l := axisOf(&a)
		out.Bar = &Bar{Label: b.Label, Lo: l.Lo, Hi: l.Hi, Diverging: b.Diverging, Ticks: l.Ticks}
	}
	return out
}

func axisOf(a *scene.Axis) Axis {
	out := Axis{Label: a.Label, Lo: a.Straight(a.Lo), Hi: a.Straight(a.Hi), Log: a.Log, Grid: a.Grid}
	for _, t := range a.Ticks {
		out.Ticks = append(out.Ticks, Tick{a.Straight(t.At), t.Label})
	}
	return out
}

// framesOf packs the frames and gives every mark of theirs an empty series to fill.
func framesOf(s *scene.Scene, series *[]Series) *Frames {
	f := s.Frames
	out := &Frames{Name: f.Name, Labels: f.Labels, Start: f.Start, Interval: f.Interval}
	firsts := map[string]*Mark{}
	for _, step := range f.Steps {
		l := Step{Subtitle: step.Subtitle, Titles: step.Titles, Marks: []*Mark{}}
		for i := range step.Marks {
			seen := map[string]bool{}
			for k := range step.Marks[i] {
				m := pack(&step.Marks[i][k], &s.Panels[i])
				m.ID = fmt.Sprintf("%d.f.%s", i, m.ID)
				if seen[m.ID] {
					m.ID += "." + fmt.Sprint(k)
				}
				seen[m.ID] = true
				if first := firsts[m.ID]; first != nil {
					m.share(first)
				} else {
					copied := *m
					firsts[m.ID] = &copied
					*series = append(*series, Series{Type: SeriesOf(m.Kind), ID: m.ID, X: i, Y: i, Order: m.Z})
				}
				l.Marks = append(l.Marks, m)
			}
		}
		out.Steps = append(out.Steps, l)
	}
	return out
}
