package live

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// JSON writes the spec. What encoding/json would do by reflection stands here as code, because a program that draws in a page has to be
// small, and draws anew at every move of a hand. A test holds both equal.
func (l *Spec) JSON() ([]byte, error) {
	var w jsonWriter
	w.open('{')
	w.name("v").int(l.Version)
	w.name("option").open('{')
	w.name("series").open('[')
	for i := range l.Option.Series {
		l.Option.Series[i].write(&w)
	}
	w.close(']')
	w.close('}')
	w.name("fig")
	l.Figure.write(&w)
	w.close('}')
	return w.b, w.err
}

func (s *Series) write(w *jsonWriter) {
	w.open('{')
	w.name("type").string(s.Type)
	w.name("id").string(s.ID)
	w.someInt("xAxisIndex", s.X)
	w.someInt("yAxisIndex", s.Y)
	w.someInt("z", s.Order)
	if s.Mark != nil {
		w.name("prl")
		s.Mark.write(w)
	}
	w.close('}')
}

func (f *Figure) write(w *jsonWriter) {
	w.open('{')
	w.name("w").float(f.Width)
	w.name("h").float(f.Height)
	w.someString("title", f.Title)
	w.someString("subtitle", f.Subtitle)
	w.someString("caption", f.Caption)
	w.someString("notice", f.Notice)
	w.someString("alt", f.Alt)
	w.name("columns").int(f.Columns)
	w.someString("link", f.Link)
	w.name("panels").open('[')
	for i := range f.Panels {
		f.Panels[i].write(w)
	}
	w.close(']')
	if len(f.Legend) > 0 {
		w.name("legend").open('[')
		for i := range f.Legend {
			f.Legend[i].write(w)
		}
		w.close(']')
	}
	if f.Frames != nil {
		w.name("frames")
		f.Frames.write(w)
	}
	if f.Table != nil {
		w.name("table").open('{')
		w.name("columns").strings(f.Table.Columns)
		w.name("rows").open('[')
		for _, row := range f.Table.Rows {
			w.strings(row)
		}
		w.close(']')
		w.someInt("more", f.Table.More)
		w.close('}')
	}
	w.close('}')
}

func (p *Panel) write(w *jsonWriter) {
	w.open('{')
	w.someString("title", p.Title)
	w.name("x")
	p.X.write(w)
	w.name("y")
	p.Y.write(w)
	w.someBool("equal", p.Equal)
	w.someBool("noAxes", p.NoAxes)
	w.someFloat("weight", p.Weight)
	if b := p.Bar; b != nil {
		w.name("bar").open('{')
		w.someString("label", b.Label)
		w.name("lo").float(b.Lo)
		w.name("hi").float(b.Hi)
		w.someBool("diverging", b.Diverging)
		w.ticks(b.Ticks)
		w.close('}')
	}
	w.close('}')
}

func (a *Axis) write(w *jsonWriter) {
	w.open('{')
	w.someString("label", a.Label)
	w.name("lo").float(a.Lo)
	w.name("hi").float(a.Hi)
	w.someBool("log", a.Log)
	w.someBool("grid", a.Grid)
	w.ticks(a.Ticks)
	w.close('}')
}

func (w *jsonWriter) ticks(ticks []Tick) {
	if len(ticks) == 0 {
		return
	}
	w.name("ticks").open('[')
	for _, t := range ticks {
		w.open('[')
		w.float(t.At)
		w.string(t.Label)
		w.close(']')
	}
	w.close(']')
}

func (e *Entry) write(w *jsonWriter) {
	w.open('{')
	w.name("key").string(e.Key)
	w.name("label").string(e.Label)
	w.someString("f", e.Fill)
	w.someString("s", e.Stroke)
	w.someFloats("d", e.Dash)
	w.someFloat("w", e.Width)
	w.someString("sy", string(e.Symbol))
	w.someBool("sw", e.Swatch)
	w.close('}')
}

func (f *Frames) write(w *jsonWriter) {
	w.open('{')
	w.name("name").string(f.Name)
	w.name("labels").strings(f.Labels)
	w.name("start").int(f.Start)
	w.someFloat("interval", f.Interval)
	w.name("steps").open('[')
	for _, step := range f.Steps {
		w.open('{')
		w.someString("subtitle", step.Subtitle)
		w.someStrings("titles", step.Titles)
		w.name("marks").open('[')
		for _, m := range step.Marks {
			m.write(w)
		}
		w.close(']')
		w.close('}')
	}
	w.close(']')
	w.close('}')
}

func (m *Mark) write(w *jsonWriter) {
	w.open('{')
	w.someString("id", m.ID)
	w.name("k").string(string(m.Kind))
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
	w.name("u").int(m.Unit)
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
		w.name("r0").int(*m.FirstID)
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
	w.close('}')
}

// jsonWriter writes JSON: commas come by themselves, and the methods that begin with some leave out what is empty.
type jsonWriter struct {
	b     []byte
	comma bool // before what comes next
	err   error
}

func (w *jsonWriter) next() {
	if w.comma {
		w.b = append(w.b, ',')
	}
	w.comma = true
}

func (w *jsonWriter) open(bracket byte) {
	w.next()
	w.b = append(w.b, bracket)
	w.comma = false
}

func (w *jsonWriter) close(bracket byte) {
	w.b = append(w.b, bracket)
	w.comma = true
}

// name writes the name of a member, which is plain ASCII; its value comes next.
func (w *jsonWriter) name(s string) *jsonWriter {
	w.next()
	w.b = append(w.b, '"')
	w.b = append(w.b, s...)
	w.b = append(w.b, '"', ':')
	w.comma = false
	return w
}

func (w *jsonWriter) int(v int) {
	w.next()
	w.b = strconv.AppendInt(w.b, int64(v), 10)
}

func (w *jsonWriter) float(v float64) {
	w.next()
	if math.IsNaN(v) || math.IsInf(v, 0) {
		w.err = fmt.Errorf("plotting: the figure cannot be written as JSON: it holds the number %v", v)
		v = 0
	}
	if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e21) {
		w.b = strconv.AppendFloat(w.b, v, 'e', -1, 64)
		if n := len(w.b); w.b[n-4] == 'e' && w.b[n-3] == '-' && w.b[n-2] == '0' { // e-09 is e-9
			w.b[n-2] = w.b[n-1]
			w.b = w.b[:n-1]
		}
		return
	}
	w.b = strconv.AppendFloat(w.b, v, 'f', -1, 64)
}

func (w *jsonWriter) string(s string) {
	w.next()
	w.b = append(w.b, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				w.b = append(append(w.b, s[start:i]...), "\ufffd"...)
				start = i + 1
			}
			i += size
			continue
		}
		if c < ' ' || c == '"' || c == '\\' {
			w.b = append(w.b, s[start:i]...)
			switch c {
			case '"', '\\':
				w.b = append(w.b, '\\', c)
			case '\n':
				w.b = append(w.b, `\n`...)
			default:
				const hex = "0123456789abcdef"
				w.b = append(w.b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			}
			start = i + 1
		}
		i++
	}
	w.b = append(append(w.b, s[start:]...), '"')
}

func (w *jsonWriter) strings(list []string) {
	w.open('[')
	for _, s := range list {
		w.string(s)
	}
	w.close(']')
}

func (w *jsonWriter) someString(name, s string) {
	if s != "" {
		w.name(name).string(s)
	}
}

func (w *jsonWriter) someStrings(name string, list []string) {
	if len(list) > 0 {
		w.name(name).strings(list)
	}
}

func (w *jsonWriter) someInt(name string, v int) {
	if v != 0 {
		w.name(name).int(v)
	}
}

func (w *jsonWriter) someInts(name string, list []int) { someList(w, name, list, w.int) }

func (w *jsonWriter) someFloat(name string, v float64) {
	if v != 0 {
		w.name(name).float(v)
	}
}

func (w *jsonWriter) someFloats(name string, list []float64) { someList(w, name, list, w.float) }

func someList[T any](w *jsonWriter, name string, list []T, put func(T)) {
	if len(list) == 0 {
		return
	}
	w.name(name).open('[')
	for _, v := range list {
		put(v)
	}
	w.close(']')
}

func (w *jsonWriter) someBool(name string, v bool) {
	if v {
		w.name(name)
		w.next()
		w.b = append(w.b, "true"...)
	}
}
