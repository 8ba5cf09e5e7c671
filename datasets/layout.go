package datasets

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A layout is how a file of text is a table, as far as its begin tells: what separates fields, which line holds the names, and what they
// are. Everything that was decided and could be otherwise stands in notes.
type layout struct {
	separator rune
	comma     bool     // may be the decimal sign
	before    int      // records before the header, or before the first row
	header    bool     // the next record holds names
	columns   []string // names of all columns
	written   bool     // the names are those of the header
	rowNames  int      // the column without a name that names the rows, or -1
	western   bool     // names had bytes that are not UTF-8
	trailing  bool     // behind the last field of every row stands another separator
	notes     []string
}

// sampleRows is how many records show what a file is like.
const sampleRows = 100

// records opens a text and finds out its layout; the next record is the first row.
func (s *source) records() (*records, *layout, io.Closer, error) {
	in, closer, err := s.at(0)
	if err != nil {
		return nil, nil, nil, err
	}
	r := &records{in: in, most: s.options.limits.line()}
	l, err := s.arrange(r)
	if err != nil {
		closer.Close()
		return nil, nil, nil, err
	}
	for range l.before + map[bool]int{true: 1}[l.header] {
		if err := r.next(); err != nil {
			break // the rows end here, which next tells again
		}
	}
	return r, l, closer, nil
}

func (s *source) arrange(r *records) (*layout, error) {
	o := &s.options
	switch o.separator {
	case '"', '\r', '\n', 0xfffd:
		return nil, &ReadError{
			File: s.name, What: fmt.Sprintf("%q cannot separate fields", o.separator), Remedy: "use a comma, a semicolon or a tab",
		}
	}
	problem := func(err error) error { return ioProblem(s.name, r.line+1, err, o.limits) }
	r.separate(',', nil)
	if err := r.skip(o.skipLines); err == io.EOF {
		return nil, &ReadError{File: s.name, What: fmt.Sprintf("the file ends within the %d lines of SkipLines", o.skipLines)}
	} else if err != nil {
		return nil, problem(err)
	}
	for r.to-r.from < 1<<14 && !r.ended {
		if err := r.fill(); err != nil {
			return nil, problem(err)
		}
	}
	l := &layout{separator: o.separator, rowNames: -1}
	if l.separator == 0 {
		l.separator = separator(r.buf[r.from:r.to], r.ended)
	}
	for {
		r.separate(l.separator, o.widths)
		l.comma = o.decimal == ',' || o.decimal == 0 && l.separator != ',' && o.group != ','
		lines, err := r.peek(sampleRows)
		if err != nil {
			return nil, problem(err)
		}
		if len(lines) == 0 {
			return nil, &ReadError{File: s.name, What: "the file is empty"}
		}
		again, err := l.decide(s.name, o, lines)
		if err != nil {
			return nil, err
		}
		if !again {
			return l, nil
		}
		l.separator = ';' // which does not occur: each line is one field
	}
}

// separator finds out what separates the fields of a text: the first of tab, semicolon, stroke and comma that stands equally often on
// nearly all lines, or else on nearly all behind lines at the begin; blanks, when none of them does and the fields between blanks are
// mostly numbers; otherwise the most frequent one of the first line that has one. The text has ended where nothing follows it in the file.
func separator(text []byte, ended bool) rune {
	best, most, rank := ',', 0, 0
	r := &records{buf: text}
	for _, c := range []rune{'\t', ';', '|', ',', ' '} {
		r.from, r.to, r.ended = 0, len(text), ended
		r.separate(c, nil)
		widths, numbers, whole := r.counted()
		if len(widths) == 0 {
			continue
		}
		width, same, fields, before := modal(widths), 0, 0, slices.IndexFunc(widths, func(w int) bool { return w > 1 })
		for _, w := range widths {
			if fields += w; w == width {
				same++
			}
		}
		first := slices.Index(widths, width)
		steady := 0
		switch n := len(widths); {
		case width < 2, !whole:
		case first == 0 && 10*same >= 9*n:
			steady = 2
		case same > 2 && 10*same >= 9*(n-first):
			steady = 1
		}
		switch {
		case c == ' ':
			if rank == 0 && most == 0 && steady > 0 && (steady == 2 || first == 1 && widths[0] == width-1) && 4*numbers >= 3*(fields-widths[0]) {
				return ' '
			}
		case steady > rank:
			best, rank = c, steady
		case rank == 0 && before >= 0 && (widths[before]-1 > most || widths[before]-1 == most && c == ','):
			best, most = c, widths[before]-1
		}
	}
	return best
}

// counted returns the numbers of fields of the first lines, and how many of the fields behind the first line are numbers. It is whole where
// no quotation mark contradicts the separator.
func (r *records) counted() (widths []int, numbers int, whole bool) {
	for len(widths) < 30 && r.from < r.to {
		ok, err := r.split()
		if errors.Is(err, errBehind) {
			return widths, numbers, false
		}
		if err != nil || !ok && (r.ended || len(widths) > 0) {
			break
		}
		if r.ended = r.ended || !ok; !ok || r.nothing() {
			continue // the only line of the text, or a blank one
		}
		if len(widths) > 0 {
			for _, f := range r.fields {
				if _, how := decimal(f.text, true); how&notNumber == 0 {
					numbers++
				}
			}
		}
		widths = append(widths, len(r.fields))
	}
	return widths, numbers, true
}

// modal returns the number of fields that most records have, the larger one of two that are equally frequent.
func modal(widths []int) int {
	times, best := map[int]int{}, 0
	for _, w := range widths {
		times[w]++
	}
	for width, n := range times {
		if n > times[best] || n == times[best] && width > best {
			best = width
		}
	}
	return best
}

// decide finds out what the records at the begin are; again is true when the comma that was taken for the separator is a decimal sign.
func (l *layout) decide(name string, o *readOptions, lines []line) (again bool, err error) {
	width := modal(widths(lines))
	isHeader := func(k int) bool {
		second := line{}
		if k+1 < len(lines) {
			second = lines[k+1]
		}
		return looksLikeHeader(lines[k], second, l.comma)
	}
	// commented reports whether line k is a comment: one of another number of fields, or above a line of names over numbers.
	commented := func(k int) bool {
		if !strings.HasPrefix(lines[k].fields[0], "#") || lines[k].quoted[0] {
			return false
		}
		next := slices.IndexFunc(lines[k:], func(l line) bool { return !strings.HasPrefix(l.fields[0], "#") })
		if next < 0 || k+next+1 >= len(lines) {
			return false
		}
		return len(lines[k+next].fields) == width && named(lines[k+next], lines[k+next+1], l.comma)
	}
	l.before = 0
	for k := 0; k+1 < len(lines) && (len(lines[k].fields) < width || commented(k)) && o.header == nil; k++ {
		filled := 0
		for _, f := range lines[k].fields {
			filled += min(len(f), 1)
		}
		comment := strings.HasPrefix(lines[k].fields[0], "#") && !lines[k].quoted[0]
		title := filled <= 1 && (len(lines[k].fields)+1 < width || len(lines[k+1].fields) < width || isHeader(k+1))
		if !comment && !title {
			break
		}
		l.before = k + 1
	}
	if l.before > 0 {
		l.notes = append(l.notes, fmt.Sprintf("%s before the table passed over, the first of which is %q",
			count(l.before, "line"), clip(strings.Join(lines[0].fields, string(l.separator)))))
	}
	first := lines[l.before]
	if most := o.limits.Columns; len(first.fields) > most {
		return false, o.tooWide(name, first.number, len(first.fields))
	}
	rest := lines[l.before+1:]
	if l.header = isHeader(l.before); o.header != nil {
		l.header = *o.header
	}
	if l.columns = numbered("x", 1, len(first.fields)); !l.header {
		return false, l.settle(name, o, first)
	}
	l.columns, l.written, l.western = slices.Clone(first.fields), true, first.western
	k := slices.IndexFunc(l.columns, func(c string) bool { _, err := number(c, l.comma); return err == nil })
	if k >= 0 && !first.quoted[k] && o.header == nil {
		l.notes = append(l.notes, fmt.Sprintf("the numbers of the first line, such as %s, were taken for names of columns; "+
			"datasets.Header(false) says otherwise", first.fields[k]))
	}
	if h := len(first.fields); len(rest) > 0 && !o.ragged && modal(widths(rest)) == h+1 && (o.names == nil || len(o.names) == h) {
		rest = slices.DeleteFunc(slices.Clone(rest), func(r line) bool { return len(r.fields) != h+1 })
		switch {
		case all(rest, func(_ int, r line) bool { return r.fields[h] == "" && !r.quoted[h] }):
			l.trailing = true
			l.notes = append(l.notes, "behind the last column of each line stands another separator, which was passed over")
		case namesRows(rest, h): // write.table of R leaves the name of the row names out
			l.columns, l.rowNames = append([]string{""}, l.columns...), 0
			l.notes = append(l.notes, "the header has a name less than the lines have fields, so that the first of these were taken for the names "+
				"of the rows")
		case h == 1 && l.separator == ',' && o.separator == 0 && all(rest, func(_ int, r line) bool { return wholes(r.fields) }):
			if all(rest, func(_ int, r line) bool { return len(r.fields[1]) == 3 }) {
				return false, &ReadError{
					File: name, Line: rest[0].number,
					What:   fmt.Sprintf("the comma in %q may separate thousands, decimals or fields", strings.Join(rest[0].fields, ",")),
					Remedy: "say datasets.Thousands(','), datasets.Decimal(',') or datasets.Separator(','), the first two with datasets.Separator(';')",
				}
			}
			l.notes = append(l.notes, "the comma was taken for the decimal sign, since the header has one name; "+
				"datasets.Separator(',') says that it separates fields")
			return true, nil
		default:
			return false, &ReadError{
				File: name, Line: rest[0].number, What: fmt.Sprintf("%s, but the header has %d", count(h+1, "field"), h),
				Remedy: "name all columns with datasets.Names, or begin at another line with datasets.SkipLines",
			}
		}
	}
	return false, l.settle(name, o, first)
}

func widths(lines []line) []int {
	w := make([]int, len(lines))
	for i, l := range lines {
		w[i] = len(l.fields)
	}
	return w
}

func all(lines []line, holds func(i int, l line) bool) bool {
	for i, l := range lines {
		if !holds(i, l) {
			return false
		}
	}
	return true
}

// wholes reports whether two fields may be the parts of a number before and behind a comma.
func wholes(fields []string) bool {
	return strings.Trim(fields[0], "+-0123456789") == "" && strings.Trim(fields[1], "0123456789") == "" && fields[0] != "" && fields[1] != ""
}

// namesRows reports whether the first fields are names of rows: words, or the numbers from 1 or 0 on, in quotes if there is one other
// column.
func namesRows(rows []line, others int) bool {
	counting := func(from int) bool {
		return all(rows, func(i int, r line) bool { return r.fields[0] == strconv.Itoa(from+i) && (others > 1 || r.quoted[0]) })
	}
	return counting(1) || counting(0) || all(rows, func(_ int, r line) bool {
		_, how := decimal([]byte(r.fields[0]), true)
		return how&notNumber != 0 && (r.fields[0] != "" || r.quoted[0])
	})
}

// settle gives every column a name of its own.
func (l *layout) settle(file string, o *readOptions, first line) error {
	if o.names != nil {
		if len(o.names) != len(l.columns) {
			return &ReadError{
				File: file, Line: first.number, What: fmt.Sprintf("Names has %d names, but there are %d columns", len(o.names), len(l.columns)),
			}
		}
		l.columns, l.written = slices.Clone(o.names), true
		return nil
	}
	if !l.header {
		return nil
	}
	var twice []string
	taken := newNamer(l.columns...)
	seen := map[string]bool{}
	for j, c := range l.columns {
		switch {
		case c == "" && j == 0 && len(l.columns) > 1:
			l.columns[0], l.rowNames = taken.free("row"), 0
		case c == "":
			l.columns[j] = taken.free("column " + strconv.Itoa(j+1))
		case seen[c]:
			l.columns[j] = taken.free(c)
			twice = append(twice, l.columns[j])
		}
		seen[c] = true
	}
	if twice != nil {
		l.notes = append(l.notes, "the header has names twice, so that columns were renamed "+list(twice))
	}
	return nil
}

// looksLikeHeader is true for a line of names above numbers, and for a line that has neither a number nor a missing value: a row of data
// would have one.
func looksLikeHeader(first, second line, comma bool) bool {
	if named(first, second, comma) {
		return true
	}
	for j, f := range first.fields {
		if first.quoted[j] {
			if k := second.under(first, j); k < len(second.fields) && !second.quoted[k] {
				continue // a name, even if it is a number: "2019"
			}
		}
		if _, err := number(f, comma); err == nil || err == errNotFinite {
			return false
		}
		if k := second.under(first, j); nullWord(f) && j > 0 && !(f == "" && k < len(second.fields) && second.fields[k] == "") {
			return false
		}
	}
	return true
}

// under returns the place of the field under field j of a header, which may lack the name of the names of rows.
func (l line) under(header line, j int) int {
	if len(l.fields) == len(header.fields)+1 {
		return j + 1
	}
	return j
}

// named is true when a column has a number in the second line and a word, or a number in quotes, in the first, or when the numbers of the
// first line count something, such as years, and those below do not.
func named(first, second line, comma bool) bool {
	var above, below []float64
	for j, f := range first.fields {
		k := second.under(first, j)
		if k >= len(second.fields) {
			break
		}
		v, word := number(f, comma)
		w, err := number(second.fields[k], comma)
		if err == nil && (word == errNotNumber && !nullWord(f) || word == nil && first.quoted[j] && !second.quoted[k]) {
			return true
		}
		if err != nil {
			w = math.NaN()
		}
		if word == nil {
			above, below = append(above, v), append(below, w)
		}
	}
	if !rising(above) || rising(below) {
		return false
	}
	years := func(v []float64) bool {
		return !slices.ContainsFunc(v, func(x float64) bool { return x != math.Trunc(x) || x < 1000 || x >= 3000 })
	}
	unnamed := len(above) == len(first.fields)-1 && first.fields[0] == ""
	return years(above) && (len(above) > 2 || !years(below)) || above[0] == 0 && (len(above) > 3 || unnamed)
}

// rising reports whether two and more whole numbers rise by equal steps.
func rising(v []float64) bool {
	for i, x := range v {
		if x != math.Trunc(x) || i > 0 && (x <= v[i-1] || x-v[i-1] != v[1]-v[0]) {
			return false
		}
	}
	return len(v) > 1
}

// A namer gives names that are not taken.
type namer struct {
	taken map[string]bool
	next  map[string]int // behind each that was asked for, where numbers go on
}

func newNamer(taken ...string) namer {
	n := namer{map[string]bool{}, map[string]int{}}
	for _, name := range taken {
		n.taken[name] = true
	}
	return n
}

// free takes name, or name with a number in the place of one at its end when it is taken.
func (n namer) free(name string) string {
	if n.taken[name] {
		stem := strings.TrimRight(name, "0123456789")
		for i := max(2, n.next[stem]); n.taken[name]; i++ {
			name, n.next[stem] = stem+strconv.Itoa(i), i+1
		}
	}
	n.taken[name] = true
	return name
}

// free returns name, or name with a number when it is taken.
func free(name string, taken []string) string { return newNamer(taken...).free(name) }
