package datasets

import (
	"bufio"
	"io"
	"math"
	"strconv"
	"strings"
)

// A csvWriter writes records so that the readers read them back. A field is in quotes where it has to be, and where it is a word that
// without quotes would be a gap, would lose the blanks around it, or might be split at another separator.
type csvWriter struct {
	*bufio.Writer
	fields int
}

func (w *csvWriter) word(text string) {
	if nullWord(text) && text != "" || strings.TrimSpace(text) != text || strings.ContainsAny(text, ",;|\t\"\r\n") {
		text = quoted(text)
	}
	w.raw(text)
}

func quoted(text string) string { return `"` + strings.ReplaceAll(text, `"`, `""`) + `"` }

// name writes the name of a column, in quotes if it is a number or looks like a comment.
func (w *csvWriter) name(text string) {
	if _, err := number(text, true); err == nil || err == errNotFinite || strings.HasPrefix(text, "#") {
		w.raw(quoted(text))
	} else {
		w.word(text)
	}
}

func (w *csvWriter) raw(text string) {
	if w.fields++; w.fields > 1 {
		w.WriteByte(',')
	}
	w.WriteString(text)
}

// end ends a record; a line of nothing would be none.
func (w *csvWriter) end(blank string) {
	w.WriteString(blank)
	w.WriteByte('\n')
	w.fields = 0
}

// WriteCSV writes s with a header, comma separated, the class name or the target in the last column, so that ReadCSV gives the same set
// back. Row names go into a first column without a name.
func (s Set) WriteCSV(w io.Writer) error {
	s, ok := s.step("WriteCSV")
	if !ok {
		return s.Err()
	}
	if s.CheckNumbers("WriteCSV") != nil {
		return s.Table().WriteCSV(w)
	}
	out := &csvWriter{Writer: bufio.NewWriter(w)}
	if s.RowNames != nil {
		out.raw("")
	}
	for _, name := range s.FeatureNames {
		out.name(name)
	}
	switch {
	case s.Y != nil:
		out.name(free("class", s.FeatureNames))
	case s.Target != nil:
		out.name(free(s.targetLabel(), s.FeatureNames))
	}
	out.end("")
	for i := range s.N() {
		if s.RowNames != nil {
			out.word(s.RowNames[i])
		}
		for _, v := range s.X.RawRowView(i) {
			out.raw(numberText(v))
		}
		switch {
		case s.Y != nil:
			out.word(s.ClassNames[s.Y[i]])
		case s.Target != nil:
			out.raw(numberText(s.Target[i]))
		}
		out.end("")
	}
	return out.Flush()
}

// WriteCSV writes the table with a header, comma separated; a gap is an empty field. ReadTable reads the same values back, and finds out
// the same kinds but for words that look like numbers or dates: state those with [AsWords].
func (t Table) WriteCSV(w io.Writer) error {
	t, ok := t.ready("WriteCSV")
	if !ok {
		return t.Err()
	}
	out := &csvWriter{Writer: bufio.NewWriter(w)}
	for _, name := range t.names() {
		out.name(name)
	}
	out.end("")
	for i := range t.rows {
		for _, c := range t.columns {
			switch {
			case c.gap(i):
				out.raw("")
			case c.kind == Nominal:
				out.word(c.words[c.codes[i]])
			case c.kind == Numeric && math.Abs(c.numbers[i]) > exact: // in digits alone it would be read as a word
				out.raw(strconv.FormatFloat(c.numbers[i], 'e', -1, 64))
			default:
				out.raw(c.text(i))
			}
		}
		if len(t.columns) == 1 && t.columns[0].gap(i) {
			out.end("NA")
		} else {
			out.end("")
		}
	}
	return out.Flush()
}
