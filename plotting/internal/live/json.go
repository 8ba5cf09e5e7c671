package live

import (
	"fmt"

	"github.com/prlab/prlab/prl/jsontext"
)

// JSON writes the spec. What encoding/json would do by reflection stands here as code, because a program that draws in a page has to be
// small, and draws again at every move of a hand. A test holds both equal.
func (l *Spec) JSON() ([]byte, error) {
	var w jsonWriter
	w.Open('{')
	w.Name("v").Int(l.Version)
	w.Name("option").Open('{')
	w.Name("series").Open('[')
	for i := range l.Option.Series {
		l.Option.Series[i].write(&w)
	}
	w.Close(']')
	w.Close('}')
	w.Name("fig")
	l.Figure.write(&w)
	w.Close('}')
	if err := w.Err(); err != nil {
		return nil, fmt.Errorf("plotting: the figure cannot be written as JSON: %w", err)
	}
	return w.Bytes(), nil
}

func (s *Series) write(w *jsonWriter) {
	w.Open('{')
	w.Name("type").Text(s.Type)
	w.Name("id").Text(s.ID)
	w.someInt("xAxisIndex", s.X)
	w.someInt("yAxisIndex", s.Y)
	w.someInt("z", s.Order)
	if s.Mark != nil {
		w.Name("prl")
		s.Mark.write(w)
	}
	w.Close('}')
}

func (f *Figure) write(w *jsonWriter) {
	w.Open('{')
	w.Name("w").Float(f.Width)
	w.Name("h").Float(f.Height)
	w.someString("title", f.Title)
	w.someString("subtitle", f.Subtitle)
	w.someString("caption", f.Caption)
	w.someString("notice", f.Notice)
	w.someString("alt", f.Alt)
	w.Name("columns").Int(f.Columns)
	w.someString("link", f.Link)
	w.Name("panels").Open('[')
	for i := range f.Panels {
		f.Panels[i].write(w)
	}
	w.Close(']')
	if len(f.Legend) > 0 {
		w.Name("legend").Open('[')
		for i := range f.Legend {
			f.Legend[i].write(w)
		}
		w.Close(']')
	}
	if f.Frames != nil {
		w.Name("frames")
		f.Frames.write(w)
	}
	if f.Table != nil {
		w.Name("table").Open('{')
		w.Name("columns").Texts(f.Table.Columns)
		w.Name("rows").Open('[')
		for _, row := range f.Table.Rows {
			w.Texts(row)
		}
		w.Close(']')
		w.someInt("more", f.Table.More)
		w.Close('}')
	}
	w.Close('}')
}

func (p *Panel) write(w *jsonWriter) {
	w.Open('{')
	w.someString("title", p.Title)
	w.Name("x")
	p.X.write(w)
	w.Name("y")
	p.Y.write(w)
	w.someBool("equal", p.Equal)
	w.someBool("noAxes", p.NoAxes)
	w.someFloat("weight", p.Weight)
	if b := p.Bar; b != nil {
		w.Name("bar").Open('{')
		w.someString("label", b.Label)
		w.Name("lo").Float(b.Lo)
		w.Name("hi").Float(b.Hi)
		w.someBool("diverging", b.Diverging)
		w.ticks(b.Ticks)
		w.Close('}')
	}
	w.Close('}')
}

func (a *Axis) write(w *jsonWriter) {
	w.Open('{')
	w.someString("label", a.Label)
	w.Name("lo").Float(a.Lo)
	w.Name("hi").Float(a.Hi)
	w.someBool("log", a.Log)
	w.someBool("grid", a.Grid)
	w.ticks(a.Ticks)
	w.Close('}')
}

func (w *jsonWriter) ticks(ticks []Tick) {
	if len(ticks) == 0 {
		return
	}
	w.Name("ticks").Open('[')
	for _, t := range ticks {
		w.Open('[')
		w.Float(t.At)
		w.Text(t.Label)
		w.Close(']')
	}
	w.Close(']')
}

func (e *Entry) write(w *jsonWriter) {
	w.Open('{')
	w.Name("key").Text(e.Key)
	w.Name("label").Text(e.Label)
	w.someString("f", e.Fill)
	w.someString("s", e.Stroke)
	w.someFloats("d", e.Dash)
	w.someFloat("w", e.Width)
	w.someString("sy", string(e.Symbol))
	w.someBool("sw", e.Swatch)
	w.Close('}')
}

func (f *Frames) write(w *jsonWriter) {
	w.Open('{')
	w.Name("name").Text(f.Name)
	w.Name("labels").Texts(f.Labels)
	w.Name("start").Int(f.Start)
	w.someFloat("interval", f.Interval)
	w.Name("steps").Open('[')
	for _, step := range f.Steps {
		w.Open('{')
		w.someString("subtitle", step.Subtitle)
		w.someStrings("titles", step.Titles)
		w.Name("marks").Open('[')
		for _, m := range step.Marks {
			m.write(w)
		}
		w.Close(']')
		w.Close('}')
	}
	w.Close(']')
	w.Close('}')
}

func (m *Mark) write(w *jsonWriter) {
	w.Open('{')
	w.someString("id", m.ID)
	w.Name("k").Text(string(m.Kind))
	w.someInt("z", m.Z)
	w.someString("key", m.Key)
	w.someString("f", m.Fill)
	w.someString("s", m.Stroke)
	w.someFloat("w", m.Width)
	w.someFloats("d", m.Dash)
	w.someString("sy", string(m.Symbol))
	w.someFloat("size", m.Size)
	w.someBool("sm", m.Smooth)
	w.someBool("c", m.Clip)
	w.Name("u").Int(m.Unit)
	w.someInts("q", m.Points)
	w.someInts("q2", m.Points2)
	w.someInts("r", m.Lengths)
	w.someStrings("fs", m.Fills)
	w.someStrings("ss", m.Strokes)
	w.someFloats("sz", m.Sizes)
	w.someStrings("t", m.Texts)
	w.someStrings("nt", m.Notes)
	w.someInts("rw", m.Rows)
	w.someInts("br", m.Members)
	w.someInts("bl", m.Counts)
	if m.FirstID != nil {
		w.Name("r0").Int(*m.FirstID)
	}
	w.someString("ah", m.H)
	w.someString("av", m.V)
	if m.Offset != nil {
		w.someFloats("o", m.Offset[:])
	}
	w.someBool("h", m.Halo)
	w.someFloat("a", m.Angle)
	w.someBool("b", m.Bold)
	w.someStrings("as", m.As)
	w.Close('}')
}

// jsonWriter writes JSON; the methods that begin with some leave out what is empty.
type jsonWriter struct{ jsontext.Writer }

func (w *jsonWriter) someString(name, s string) {
	if s != "" {
		w.Name(name).Text(s)
	}
}

func (w *jsonWriter) someStrings(name string, list []string) {
	if len(list) > 0 {
		w.Name(name).Texts(list)
	}
}

func (w *jsonWriter) someInt(name string, v int) {
	if v != 0 {
		w.Name(name).Int(v)
	}
}

func (w *jsonWriter) someInts(name string, list []int) { someList(w, name, list, w.Int) }

func (w *jsonWriter) someFloat(name string, v float64) {
	if v != 0 {
		w.Name(name).Float(v)
	}
}

func (w *jsonWriter) someFloats(name string, list []float64) { someList(w, name, list, w.Float) }

func someList[T any](w *jsonWriter, name string, list []T, put func(T)) {
	if len(list) == 0 {
		return
	}
	w.Name(name).Open('[')
	for _, v := range list {
		put(v)
	}
	w.Close(']')
}

func (w *jsonWriter) someBool(name string, v bool) {
	if v {
		w.Name(name).Raw("true")
	}
}
