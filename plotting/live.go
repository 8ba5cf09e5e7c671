package plotting

import "fmt"

// runtimeVersion grows with every change of the spec: the newest runtime on a page draws all figures.
const runtimeVersion = 1

// The live back end: a scene becomes the series of an ECharts option, each of which carries its mark in packed form, and the facts of the
// figure that an option has no place for. runtime/runtime.js reads both. The tags are what append writes.
type liveSpec struct {
	Version int        `json:"v"`
	Option  liveOption `json:"option"`
	Figure  liveFigure `json:"fig"`
}

// liveOption is all that the runtime takes from Go; axes, grids and texts it makes itself, for the width and the theme of the page.
type liveOption struct {
	Series []liveSeries `json:"series"`
}

type liveSeries struct {
	Type  string      `json:"type"`
	ID    string      `json:"id"`
	X     int         `json:"xAxisIndex,omitempty"`
	Y     int         `json:"yAxisIndex,omitempty"`
	Order int         `json:"z,omitempty"`
	Mark  *packedMark `json:"prl,omitempty"` // nil: the mark stands in the frames
}

type liveFigure struct {
	Width    float64     `json:"w"`
	Height   float64     `json:"h"`
	Title    string      `json:"title,omitempty"`
	Subtitle string      `json:"subtitle,omitempty"`
	Caption  string      `json:"caption,omitempty"`
	Notice   string      `json:"notice,omitempty"`
	Alt      string      `json:"alt,omitempty"`
	Columns  int         `json:"columns"`
	Link     string      `json:"link,omitempty"`
	Panels   []livePanel `json:"panels"`
	Legend   []liveEntry `json:"legend,omitempty"`
	Frames   *liveFrames `json:"frames,omitempty"`
	Table    *liveTable  `json:"table,omitempty"`
}

type livePanel struct {
	Title  string   `json:"title,omitempty"`
	X      liveAxis `json:"x"`
	Y      liveAxis `json:"y"`
	Equal  bool     `json:"equal,omitempty"`
	NoAxes bool     `json:"noAxes,omitempty"`
	Weight float64  `json:"weight,omitempty"`
	Bar    *liveBar `json:"bar,omitempty"`
}

// liveAxis has its domain and ticks straightened: of a log axis the logarithms.
type liveAxis struct {
	Label string     `json:"label,omitempty"`
	Lo    float64    `json:"lo"`
	Hi    float64    `json:"hi"`
	Log   bool       `json:"log,omitempty"`
	Grid  bool       `json:"grid,omitempty"`
	Ticks []liveTick `json:"ticks,omitempty"`
}

// liveTick travels as [place, label].
type liveTick struct {
	At    float64
	Label string
}

type liveBar struct {
	Label     string     `json:"label,omitempty"`
	Lo        float64    `json:"lo"`
	Hi        float64    `json:"hi"`
	Diverging bool       `json:"diverging,omitempty"`
	Ticks     []liveTick `json:"ticks,omitempty"`
}

type liveEntry struct {
	Key    string    `json:"key"`
	Label  string    `json:"label"`
	Fill   string    `json:"f,omitempty"`
	Stroke string    `json:"s,omitempty"`
	Dash   []float64 `json:"d,omitempty"`
	Width  float64   `json:"w,omitempty"`
	Symbol symbol    `json:"sy,omitempty"`
	Swatch bool      `json:"sw,omitempty"`
}

type liveFrames struct {
	Name     string     `json:"name"`
	Labels   []string   `json:"labels"`
	Start    int        `json:"start"`
	Interval float64    `json:"interval,omitempty"`
	Steps    []liveStep `json:"steps"`
}

type liveStep struct {
	Subtitle string        `json:"subtitle,omitempty"`
	Titles   []string      `json:"titles,omitempty"`
	Marks    []*packedMark `json:"marks"`
}

type liveTable struct {
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
	More    int        `json:"more,omitempty"`
}

// of returns the spec of a scene.
func of(s *scene) *liveSpec {
	spec := &liveSpec{Version: runtimeVersion, Figure: liveFigure{Width: s.Width, Height: s.Height, Title: s.Title,
		Subtitle: s.Subtitle, Caption: s.Caption, Notice: s.Notice, Alt: s.Alt, Columns: max(1, s.Columns), Link: s.Link}}
	series := []liveSeries{}
	for i := range s.Panels {
		p := &s.Panels[i]
		spec.Figure.Panels = append(spec.Figure.Panels, livePanelOf(p))
		for k := range p.Marks {
			m := pack(&p.Marks[k], p)
			id := fmt.Sprintf("%d.%d.%s", i, k, m.ID) // unique whatever the layers say
			m.ID = ""
			series = append(series, liveSeries{Type: seriesOf(m.Kind), ID: id, X: i, Y: i, Order: m.Z, Mark: m})
		}
	}
	if s.Frames != nil {
		spec.Figure.Frames = framesOf(s, &series)
	}
	spec.Option.Series = series
	for _, e := range s.Legend {
		spec.Figure.Legend = append(spec.Figure.Legend, liveEntry{Key: e.Key, Label: e.Label, Fill: word(e.Fill), Stroke: word(e.Stroke),
			Dash: e.Dash, Width: e.Width, Symbol: e.Symbol, Swatch: e.Swatch})
	}
	if len(s.Table.Columns) > 0 {
		spec.Figure.Table = &liveTable{Columns: s.Table.Columns, Rows: s.Table.Rows, More: s.Table.More}
	}
	return spec
}

// seriesOf is the kind of ECharts series nearest to the mark.
func seriesOf(k markKind) string {
	switch k {
	case markSymbols:
		return "scatter"
	case markPaths:
		return "line"
	}
	return "custom"
}

func livePanelOf(p *panel) livePanel {
	out := livePanel{Title: p.Title, X: liveAxisOf(&p.X), Y: liveAxisOf(&p.Y), Equal: p.Equal, NoAxes: p.NoAxes, Weight: p.Weight}
	if b := p.ColorBar; b != nil {
		a := axis{Lo: b.Lo, Hi: b.Hi, Log: b.Log, Ticks: b.Ticks}
		l := liveAxisOf(&a)
		out.Bar = &liveBar{Label: b.Label, Lo: l.Lo, Hi: l.Hi, Diverging: b.Diverging, Ticks: l.Ticks}
	}
	return out
}

func liveAxisOf(a *axis) liveAxis {
	out := liveAxis{Label: a.Label, Lo: a.straight(a.Lo), Hi: a.straight(a.Hi), Log: a.Log, Grid: a.Grid}
	for _, t := range a.Ticks {
		out.Ticks = append(out.Ticks, liveTick{a.straight(t.At), t.Label})
	}
	return out
}

// framesOf packs the frames and gives every mark of theirs an empty series to fill.
func framesOf(s *scene, series *[]liveSeries) *liveFrames {
	f := s.Frames
	out := &liveFrames{Name: f.Name, Labels: f.Labels, Start: f.Start, Interval: f.Interval}
	firsts := map[string]*packedMark{}
	for _, step := range f.Steps {
		l := liveStep{Subtitle: step.Subtitle, Titles: step.Titles, Marks: []*packedMark{}}
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
					*series = append(*series, liveSeries{Type: seriesOf(m.Kind), ID: m.ID, X: i, Y: i, Order: m.Z})
				}
				l.Marks = append(l.Marks, m)
			}
		}
		out.Steps = append(out.Steps, l)
	}
	return out
}
