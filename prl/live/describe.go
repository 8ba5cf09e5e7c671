package live

import (
	"strconv"

	"github.com/prlab/prlab/prl/jsontext"
)

// describe returns the inputs as JSON, as the page learns of them.
func describe(inputs []input) string {
	var w writer
	w.Open('[')
	for _, i := range inputs {
		w.Open('{')
		w.text("kind", i.kind)
		w.text("name", i.name)
		switch i.kind {
		case slider:
			w.number("lo", i.lo)
			w.number("hi", i.hi)
			w.flag("log", i.log)
			if i.stepped {
				w.number("step", i.step)
			}
			w.number("value", i.value)
		case choice, predict:
			w.texts("words", i.words)
		case toggle:
			w.Name("on").Raw(strconv.FormatBool(i.on))
		case point:
			w.Name("xy").Floats(i.xy[0][:])
			w.count("panel", i.panel)
			if i.axis != "" {
				w.text("axis", i.axis)
			}
		case ellipse:
			w.Name("xy").Open('[')
			for _, p := range i.xy {
				w.Floats(p[:])
			}
			w.Close(']')
			w.count("panel", i.panel)
		case points:
			w.Name("xy").Open('[')
			for _, p := range i.xy {
				w.Floats(p[:])
			}
			w.Close(']')
			w.count("panel", i.panel)
			if i.class != nil {
				w.Name("class").Ints(i.class)
				w.texts("classes", i.classes)
			}
			w.flag("grow", i.grow)
			w.flag("turn", i.turn)
		case values:
			w.texts("labels", i.labels)
			w.Name("values").Floats(i.heights)
			w.limits(i)
		case table:
			w.texts("rows", i.rows)
			w.texts("columns", i.columns)
			w.Name("cells").Open('[')
			for _, row := range i.cells {
				w.Floats(row)
			}
			w.Close(']')
			w.limits(i)
		case text:
			w.text("text", i.text)
		case seed:
			w.Name("seed").Raw(strconv.FormatUint(i.seed, 10))
		}
		w.Close('}')
	}
	w.Close(']')
	return string(w.Bytes())
}

// writer writes JSON, member by member.
type writer struct{ jsontext.Writer }

func (w *writer) text(name, s string)              { w.Name(name).Text(s) }
func (w *writer) texts(name string, list []string) { w.Name(name).Texts(list) }
func (w *writer) number(name string, v float64)    { w.Name(name).Float(v) }
func (w *writer) count(name string, v int)         { w.Name(name).Int(v) }

// flag writes what is true.
func (w *writer) flag(name string, on bool) {
	if on {
		w.Name(name).Raw("true")
	}
}

func (w *writer) limits(i input) {
	w.number("lo", i.lo)
	w.number("hi", i.hi)
	if i.summed {
		w.number("sum", i.sum)
	}
}
