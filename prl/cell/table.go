package cell

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/number"
)

// A Table is a small table of words and numbers. It is a value: every method returns a changed copy. Columns of numbers are aligned at
// the decimal point. A row of the wrong length and an unknown alignment are remembered and reported by Show.
type Table struct {
	title, note string
	columns     []string
	align       []string // per column: "", "left", "right", "center"
	digits      []int    // per column: significant digits, 0 is 4
	rows        [][]any
	strong      map[int]bool
	err         error
}

// NewTable returns a table with the given column heads and no rows.
func NewTable(columns ...string) Table { return Table{columns: columns} }

// BrokenTable returns a table that only carries an error; Show reports it. The tables of a broken plan are of this kind.
func BrokenTable(err error) Table { return Table{err: err} }

// Row returns t with one more row: a value for each column. Numbers are printed with four significant digits.
func (t Table) Row(values ...any) Table {
	if len(values) != len(t.columns) {
		return t.broken(fmt.Errorf("Row: %d values, but the table has %d columns", len(values), len(t.columns)))
	}
	t.rows = append(t.rows[:len(t.rows):len(t.rows)], values)
	return t
}

// Strong returns t with its last row in bold type.
func (t Table) Strong() Table {
	strong := map[int]bool{len(t.rows) - 1: true}
	for i := range t.strong {
		strong[i] = true
	}
	t.strong = strong
	return t
}

// Title returns t with a heading above it.
func (t Table) Title(s string) Table { t.title = s; return t }

// Note returns t with a remark below it.
func (t Table) Note(s string) Table { t.note = s; return t }

// NoteText returns the note below the table, or "".
func (t Table) NoteText() string { return t.note }

// Align returns t with the columns aligned as said, one word a column: "left", "right", "center", or "" for the usual (numbers at the
// decimal point, words left).
func (t Table) Align(columns ...string) Table {
	if len(columns) > len(t.columns) {
		return t.broken(fmt.Errorf("Align: %d words, but the table has %d columns", len(columns), len(t.columns)))
	}
	for _, a := range columns {
		switch a {
		case "", "left", "right", "center":
		default:
			return t.broken(fmt.Errorf("Align: %q is not an alignment; use left, right, center or an empty string", a))
		}
	}
	t.align = columns
	return t
}

// Digits returns t with n significant digits (1 ... 17) in the named columns, or in all when none is named.
func (t Table) Digits(n int, columns ...string) Table {
	if n < 1 || n > 17 {
		return t.broken(fmt.Errorf("Digits: %d, but needs to be 1 ... 17", n))
	}
	digits := make([]int, len(t.columns))
	copy(digits, t.digits)
	for j, name := range t.columns {
		if len(columns) == 0 {
			digits[j] = n
		}
		for _, c := range columns {
			if c == name {
				digits[j] = n
			}
		}
	}
	for _, c := range columns {
		known := false
		for _, name := range t.columns {
			known = known || name == c
		}
		if !known {
			return t.broken(fmt.Errorf("Digits: there is no column %q; %s", c, Suggest(c, t.columns)))
		}
	}
	t.digits = digits
	return t
}

func (t Table) broken(err error) Table {
	if t.err == nil {
		t.err = err
	}
	return t
}

// Err returns the first mistake made in building the table, or nil.
func (t Table) Err() error { return t.err }

// Len returns the number of rows.
func (t Table) Len() int { return len(t.rows) }

// Rows returns the values of the table, one slice a row, for programs. The caller must not change them.
func (t Table) Rows() [][]any { return t.rows }

// Columns returns the column heads. The caller must not change them.
func (t Table) Columns() []string { return t.columns }

// Text returns what the reader sees in a row, counted from 0, of the named column. A row or a column that is not there fails the cell.
func (t Table) Text(row int, column string) string {
	v, digits, ok := t.at("Text", row, column)
	if !ok {
		return ""
	}
	return fault.Line(Value(v, digits))
}

// Number returns the number that the reader sees in a row, counted from 0, of the named column: rounded to the digits that are printed. A
// word in its place fails the cell.
func (t Table) Number(row int, column string) float64 {
	v, digits, ok := t.at("Number", row, column)
	if !ok {
		return math.NaN()
	}
	r := reflect.ValueOf(v)
	x, ok := scalar(r)
	if !ok {
		at := fmt.Sprintf("row %d, %q", row, column)
		Fail(fault.Argument("Table.Number", at, strconv.Quote(Value(v, digits)), "a number", "Text returns words"))
		return math.NaN()
	}
	if r.CanFloat() {
		return number.Rounded(x, digits)
	}
	return x
}

// Numbers returns the numbers that the reader sees in a row, counted from 0, of the named columns: what Number returns for each. Without
// columns it returns all numbers of the row and leaves out its words.
func (t Table) Numbers(row int, columns ...string) []float64 {
	if len(columns) == 0 {
		columns = slices.Clone(t.columns)
		if row >= 0 && row < len(t.rows) {
			columns = slices.DeleteFunc(columns, func(name string) bool {
				_, ok := scalar(reflect.ValueOf(t.rows[row][slices.Index(t.columns, name)]))
				return !ok
			})
		}
	}
	numbers := make([]float64, len(columns))
	for j, name := range columns {
		numbers[j] = t.Number(row, name)
	}
	return numbers
}

// at returns a value of the table and the digits it is printed with.
func (t Table) at(question string, row int, column string) (v any, digits int, ok bool) {
	j := slices.Index(t.columns, column)
	switch {
	case t.err != nil:
		Fail(t.err)
		return nil, 0, false
	case j < 0:
		Fail(fault.Argument("Table."+question, "column", strconv.Quote(column), fmt.Sprintf("one of %q", t.columns), Suggest(column, t.columns)))
		return nil, 0, false
	case row < 0 || row >= len(t.rows):
		Fail(fault.Argument("Table."+question, "row", row, fmt.Sprintf("from 0 to %d", len(t.rows)-1), ""))
		return nil, 0, false
	}
	return t.rows[row][j], t.digitsOf(j), true
}

// digitsOf is the number of significant digits of a column.
func (t Table) digitsOf(j int) int {
	if j < len(t.digits) && t.digits[j] > 0 {
		return t.digits[j]
	}
	return 4
}

// Show displays the table below the cell, or fails the cell when the table carries an error.
func (t Table) Show() {
	if t.err != nil {
		Fail(t.err)
		return
	}
	if r := recording.Load(); r != nil {
		r.Tables = append(r.Tables, t)
	}
	Display(Bundle{HTML: t.HTML(), Text: t.String()})
}

// layout returns the text of each value and the alignment of each column. Numbers of a column are padded with pad and point so that
// their decimal points stand below each other.
func (t Table) layout(pad, point string) (texts [][]string, align []string) {
	texts = make([][]string, len(t.rows))
	for i := range texts {
		texts[i] = make([]string, len(t.columns))
	}
	align = make([]string, len(t.columns))
	for j := range t.columns {
		digits := t.digitsOf(j)
		numbers, behind := 0, 0
		for i, row := range t.rows {
			texts[i][j] = fault.Line(Value(row[j], digits))
			if isNumber(row[j]) {
				numbers++
				behind = max(behind, fraction(texts[i][j]))
			}
		}
		if j < len(t.align) {
			align[j] = t.align[j]
		}
		if align[j] != "" {
			continue
		}
		align[j] = "left"
		if numbers > 0 && 2*numbers >= len(t.rows) {
			align[j] = "right"
			for i, row := range t.rows {
				if missing := behind - fraction(texts[i][j]); isNumber(row[j]) && missing > 0 {
					if behind == missing { // neither digits nor a point
						texts[i][j] += point
						missing--
					}
					texts[i][j] += strings.Repeat(pad, missing)
				}
			}
		}
	}
	return texts, align
}

// fraction returns the number of characters from the decimal point to the end.
func fraction(s string) int {
	i := strings.IndexAny(s, ".e")
	if i < 0 {
		return 0
	}
	return width(s[i:])
}

// String returns the table as aligned plain text.
func (t Table) String() string {
	if t.err != nil {
		return t.err.Error()
	}
	texts, align := t.layout(" ", " ")
	widths := make([]int, len(t.columns))
	heads := make([]string, len(t.columns))
	for j, name := range t.columns {
		heads[j] = fault.Line(name)
		widths[j] = width(heads[j])
		for i := range texts {
			widths[j] = max(widths[j], width(texts[i][j]))
		}
	}
	var b strings.Builder
	if t.title != "" {
		b.WriteString(fault.Line(t.title) + "\n")
	}
	line := func(values []string) {
		var l strings.Builder
		for j, v := range values {
			if j > 0 {
				l.WriteString("  ")
			}
			gap := widths[j] - width(v)
			left := 0
			switch align[j] {
			case "right":
				left = gap
			case "center":
				left = gap / 2
			}
			l.WriteString(strings.Repeat(" ", left) + v + strings.Repeat(" ", gap-left))
		}
		b.WriteString(strings.TrimRight(l.String(), " ") + "\n")
	}
	line(heads)
	for j := range heads {
		heads[j] = strings.Repeat("─", widths[j])
	}
	line(heads)
	for i := range texts {
		line(texts[i])
	}
	if t.note != "" {
		b.WriteString(fault.Line(t.note) + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Lines are a half-transparent grey and text inherits its colour, so that light and dark pages both work; every style stands on its
// element, because notebook front ends drop style sheets from outputs they do not trust.
const (
	styleTable   = "border-collapse:collapse;border:none;margin:0.5em 0;font-size:0.95em;font-variant-numeric:tabular-nums"
	styleCaption = "caption-side:top;text-align:left;font-weight:600;padding:0 0 0.3em 0;color:inherit"
	styleHead    = "padding:0.25em 0.9em;border:none;border-bottom:1px solid " +
		"rgba(128,128,128,0.7);font-weight:600;background:none;vertical-align:bottom"
	styleCell = "padding:0.2em 0.9em;border:none;border-bottom:1px solid rgba(128,128,128,0.2);background:none;vertical-align:top"
	styleNote = "padding:0.4em 0.9em 0 0;border:none;text-align:left;opacity:0.75;font-size:0.9em;background:none"
)

// HTML returns the table as an HTML fragment without scripts and style sheets.
func (t Table) HTML() string {
	if t.err != nil {
		return `<div>` + Escape(t.err.Error()) + `</div>`
	}
	texts, align := t.layout("\u2007", "\u2008") // spaces as wide as a digit and as a point
	var b strings.Builder
	b.WriteString(`<table style="` + styleTable + `">`)
	if t.title != "" {
		b.WriteString(`<caption style="` + styleCaption + `">` + Escape(t.title) + `</caption>`)
	}
	b.WriteString("<thead><tr>")
	for j, name := range t.columns {
		b.WriteString(`<th scope="col" style="` + styleHead + ";text-align:" + align[j] + `">` + Escape(name) + "</th>")
	}
	b.WriteString("</tr></thead><tbody>")
	for i := range texts {
		b.WriteString("<tr>")
		weight := ""
		if t.strong[i] {
			weight = ";font-weight:700"
		}
		for j, v := range texts[i] {
			b.WriteString(`<td style="` + styleCell + weight + ";text-align:" + align[j] + `">` + Escape(v) + "</td>")
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</tbody>")
	if t.note != "" {
		fmt.Fprintf(&b, `<tfoot><tr><td colspan="%d" style="%s">%s</td></tr></tfoot>`, max(len(t.columns), 1), styleNote, Escape(t.note))
	}
	b.WriteString("</table>")
	return b.String()
}
