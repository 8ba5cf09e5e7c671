package datasets

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/prlab/prlab/prl/fault"
)

// OpenTable reads a file of text with ReadTable. An error breaks the table.
func OpenTable(path string, options ...Option) Table {
	t := Table{Name: baseName(path), chain: fault.Start("OpenTable", path)}
	remedy := ""
	switch filepath.Ext(strings.TrimSuffix(strings.ToLower(path), ".gz")) {
	case ".jsonl", ".ndjson":
		remedy = "import github.com/prlab/prlab/datasets/jsonlines, whose Open reads such files"
	case ".xlsx", ".xlsm":
		remedy = "import github.com/prlab/prlab/datasets/excel, whose Open reads workbooks"
	case ".parquet":
		remedy = "import github.com/prlab/prlab/datasets/parquet, whose Open reads such files"
	case ".xls", ".xlsb", ".ods":
		remedy = "save it as .xlsx or as CSV"
	}
	if remedy != "" {
		return t.fail(&ReadError{File: path, What: "the file is no CSV by its name", Remedy: remedy})
	}
	o, err := collect(path, options)
	if err != nil {
		return t.fail(err)
	}
	read, err := kept(path, "text", o, func() (Table, error) {
		return readTable(&source{name: path, options: o, open: opened(path)})
	})
	if err != nil {
		return t.fail(err)
	}
	t.Source, t.rows, t.columns, t.remarks = read.Source, read.rows, read.columns, read.remarks
	return t
}

// OpenWith reads a table from a file with a reader of its format, in the name of a step, and keeps it for the next cell. An error
// breaks the table. The program is the source of the reader, with its arguments other than the options: a table that another one read
// is read again.
func OpenWith(step, path, program string, read func(io.Reader) (Table, error), options ...Option) Table {
	t := Table{Name: baseName(path), chain: fault.Start(step, path)}
	o, err := collect(path, options)
	if err != nil {
		return t.fail(err)
	}
	found, err := kept(path, program, o, func() (found Table, err error) {
		f, err := opened(path)()
		if err != nil {
			return Table{}, err
		}
		defer f.Close()
		return read(f)
	})
	if err != nil {
		return t.fail(err)
	}
	t.Source, t.rows, t.columns, t.remarks = found.Source, found.rows, found.columns, found.remarks
	return t
}

// ReadTable reads a file of text whose columns may hold numbers, words or dates, with gaps; name stands in errors and becomes the
// table's name. A file that is gzip, or zip with one file in it, is unpacked; UTF-16 is found out, and other encodings are stated with
// [Encoding].
//
// What separates the fields (comma, semicolon, tab, stroke, or blanks between numbers), whether the first line holds names, and lines
// before the table are found out; fields may be in quotes, and lines end in LF, CR or both. Where commas do not separate fields, a
// comma may be the decimal sign. An empty field, NA, N/A, NaN, null, ? and what [Missing] names is a gap; "NA" in quotes is a word in
// a column of words.
//
// A column is one of numbers, or of dates, when everything in it that is no gap is one; otherwise it is one of words. Numbers with
// leading zeros, such as postal codes, are words, and so are whole numbers beyond 2^53, such as long identifiers, which float64 would
// round. Numbers may have thousands separated, a currency sign or a percent sign, if all entries of the column fit; the sign becomes
// the unit. Dates are those of ISO 8601 (2009-11-16, 2009-11-16 14:30, 2009-11-16T14:30:00Z), 16.11.2009, 16 Nov 2009, and 16/11/2009
// where the numbers tell day and month apart. What was decided and could be otherwise is said by Show and Describe, and [AsNumbers],
// [AsWords], [AsDates] state what a column is.
//
// Options: Separator, Decimal, Thousands, Header, Names, SkipLines, FixedWidths, Ragged, Encoding, Member, Skip, Within, FirstRows,
// SampleRows, Missing, AsNumbers, AsWords, AsDates.
func ReadTable(r io.Reader, name string, options ...Option) (Table, error) {
	o, err := collect(name, options)
	if err != nil {
		return Table{}, err
	}
	s, err := again(r, name, o)
	if err != nil {
		return Table{}, err
	}
	return readTable(s)
}

func readTable(s *source) (Table, error) {
	if err := s.options.tables(s.name); err != nil {
		return Table{}, err
	}
	s.options.bound(roomy())
	t := &tableReader{source: s}
	if err := t.pass(); err != nil {
		return Table{}, err
	}
	second := false
	for _, b := range t.columns {
		t.entries.commas = t.entries.commas || b != nil && b.how&bothSigns == withComma
	}
	for _, b := range t.columns {
		if b != nil && b.again() {
			b.asWords()
			second = true
		} else if b != nil {
			b.done = true
		}
	}
	if second {
		if err := t.pass(); err != nil {
			return Table{}, err
		}
	}
	return t.table()
}

// A tableReader takes the entries of a file into columns.
type tableReader struct {
	*source
	names   []string
	columns []*builder // nil for one that is skipped
	entries *entries
	kept    *reservoir
	notes   []string
}

// begin makes the columns.
func (t *tableReader) begin(l *layout) error {
	t.names, t.notes, t.entries = l.columns, l.notes, t.options.entries(l)
	t.columns = make([]*builder, len(l.columns))
	for j, name := range t.names {
		t.columns[j] = &builder{entries: t.entries, name: name}
	}
	return t.state(l)
}

// state applies what the options say of columns.
func (t *tableReader) state(l *layout) error {
	for _, s := range t.options.skip {
		j, err := l.pick(t.name, s, "Skip")
		if err != nil {
			return err
		}
		t.columns[j] = nil
	}
	for i, s := range t.options.stated {
		j, err := l.pick(t.name, s.column, [...]string{"AsNumbers", "AsWords", "AsDates"}[s.kind])
		if err != nil {
			return err
		}
		if b := t.columns[j]; b != nil {
			if b.told = &t.options.stated[i]; s.kind != Numeric && b.state != anyWords {
				b.asWords()
			}
		}
	}
	if !slices.ContainsFunc(t.columns, func(b *builder) bool { return b != nil }) {
		return &ReadError{File: t.name, Line: 1, What: "no column is left"}
	}
	return nil
}

// pass reads the file, into the columns that are not done.
func (t *tableReader) pass() error {
	r, l, closer, err := t.records()
	if err != nil {
		return err
	}
	defer closer.Close()
	if t.columns == nil {
		if err := t.begin(l); err != nil {
			return err
		}
	}
	t.kept = newReservoir(t.options)
	for !t.kept.full() {
		err := r.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return ioProblem(t.name, r.line+1, err, t.options.limits)
		}
		if ok, err := l.fits(t.name, &t.options, r); err != nil {
			return err
		} else if !ok {
			t.kept.uneven++
			continue
		}
		if err := t.row(r.fields, r.first); err != nil {
			return err
		}
		if t.kept.seen == 1000 {
			t.reserve(r.offset())
		}
	}
	return nil
}

// reserve makes room for as many rows as the rest of the file will have, if its length is known, should they be like those read.
func (t *tableReader) reserve(read int64) {
	rows := t.size * int64(t.kept.seen) / read
	if t.kept.most > 0 {
		rows = min(rows, int64(t.kept.most))
	}
	if t.kept.first > 0 {
		rows = min(rows, int64(t.kept.first))
	}
	if rows += rows / 50; rows*int64(len(t.names)) > int64(t.options.limits.Values) {
		return // it is refused before it fills that
	}
	for _, b := range t.columns {
		if b != nil && !b.done {
			b.reserve(int(rows))
		}
	}
}

func (t *tableReader) row(fields []field, line int) error {
	place, ok := t.kept.next()
	if !ok {
		return nil
	}
	if t.kept.kept*len(fields) > t.options.limits.Values {
		return t.options.tooMany(t.name, line, fmt.Sprintf("%d rows of %d columns and more", t.kept.kept, len(fields)))
	}
	for j, b := range t.columns {
		if b != nil && !b.done {
			b.add(place, fields[j].text, fields[j].quoted, line)
		}
	}
	return nil
}

// table decides what each column is.
func (t *tableReader) table() (Table, error) {
	if t.kept.seen == 0 {
		return Table{}, &ReadError{File: t.name, Line: 1, What: "there is a header but no row"}
	}
	out := Table{Name: baseName(t.name), Source: t.kept.source(t.name, 0), rows: t.kept.kept, chain: fault.Start("ReadTable", t.name)}
	order := t.kept.order()
	var remarks []string
	for _, b := range t.columns {
		if b == nil {
			continue
		}
		c, remark, err := b.finish(t.name, order)
		if err != nil {
			return Table{}, err
		}
		if out.columns = append(out.columns, c); remark != "" {
			remarks = append(remarks, remark)
		}
	}
	out.remarks = append(append(t.notes, t.entries.notes()...), remarks...)
	return out, nil
}

// handed is a table whose rows another reader hands over as texts, which cannot be read again, so that every column is kept as words first.
func handed(name string, options []Option) (*tableReader, error) {
	o, err := collect(name, options)
	if err == nil {
		err = o.tables(name)
	}
	return &tableReader{source: &source{name: name, options: o}, kept: newReservoir(o)}, err
}

// ReadRecords reads a table for a reader of another format, which hands it over row by row: next returns the names of columns that the row
// has, their values as text, and its line; io.EOF ends the file. A column that a row does not have, or whose text is empty, is a gap there;
// words such as NA are words, as in quotes. Texts are understood, and kinds found out, as [ReadTable] does, with its options.
func ReadRecords(name string, next func() (columns, values []string, line int, err error), options ...Option) (Table, error) {
	t, err := handed(name, options)
	if err != nil {
		return Table{}, err
	}
	t.entries = t.options.entries(&layout{})
	index := map[string]int{}
	for !t.kept.full() {
		columns, values, line, err := next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return Table{}, err
		}
		for _, c := range columns {
			if _, ok := index[c]; !ok {
				index[c] = len(t.names)
				b := &builder{entries: t.entries, name: c, numbers: make([]float64, t.kept.kept)}
				b.asWords()
				t.names, t.columns = append(t.names, c), append(t.columns, b)
			}
		}
		if len(t.names) > t.options.limits.Columns {
			return Table{}, t.options.tooWide(name, line, len(t.names))
		}
		fields := make([]field, len(t.names))
		for i, c := range columns {
			fields[index[c]] = field{text: []byte(strings.TrimSpace(values[i])), quoted: true}
		}
		if err := t.row(fields, line); err != nil {
			return Table{}, err
		}
	}
	if len(t.names) == 0 {
		return Table{}, &ReadError{File: name, What: "there is no row with a column in the file"}
	}
	if err := t.state(&layout{columns: t.names, written: true}); err != nil {
		return Table{}, err
	}
	return t.table()
}

// ReadRows reads a table for a reader of another format, which hands it over row by row as a CSV file has them: next returns the texts of a
// row, as many in each, and its line; io.EOF ends the file. Whether the first row holds the names of the columns is found out, texts are
// understood, and kinds found out, as [ReadTable] does, with its options.
func ReadRows(name string, next func() (values []string, line int, err error), options ...Option) (Table, error) {
	t, err := handed(name, options)
	if err != nil {
		return Table{}, err
	}
	var first []line // those which show the layout
	l := &layout{rowNames: -1}
	for ended := false; !ended && !t.kept.full(); {
		values, at, err := next()
		if ended = err == io.EOF; err != nil && !ended {
			return Table{}, err
		}
		if len(values) > t.options.limits.Columns {
			return Table{}, t.options.tooWide(name, at, len(values))
		}
		read := line{quoted: make([]bool, len(values)), number: at}
		for _, v := range values {
			read.fields = append(read.fields, strings.TrimSpace(v))
		}
		if t.columns == nil {
			if !ended {
				first = append(first, read)
			}
			if len(first) < sampleRows && !ended {
				continue
			}
			if len(first) == 0 {
				break
			}
			if _, err := l.decide(name, &t.options, first); err != nil {
				return Table{}, err
			}
			if err := t.begin(l); err != nil {
				return Table{}, err
			}
			for _, b := range t.columns {
				if b != nil && b.state != anyWords {
					b.asWords()
				}
			}
			if first = first[l.before:]; l.header {
				first = first[1:]
			}
		} else if !ended {
			first = append(first[:0], read)
		} else {
			first = nil
		}
		for _, row := range first {
			if len(row.fields) != len(l.columns) {
				return Table{}, &ReadError{
					File: name, Line: row.number, What: fmt.Sprintf("%s, but the lines before have %d", count(len(row.fields), "field"), len(l.columns)),
				}
			}
			fields := make([]field, len(row.fields))
			for j, text := range row.fields {
				fields[j].text = []byte(text)
			}
			if t.kept.full() {
				break
			}
			if err := t.row(fields, row.number); err != nil {
				return Table{}, err
			}
		}
	}
	if t.columns == nil {
		return Table{}, &ReadError{File: name, What: "the file is empty"}
	}
	return t.table()
}

// ReadColumns reads a table for a reader of a format whose columns have names and types: next returns the values of the rows that follow,
// for each of the wanted columns in their order a slice as [Table.With] takes it, all of one length and each time of the same type; io.EOF
// ends the file. No more than atMost rows need to be handed over.
//
// Options: Skip, Within, FirstRows, SampleRows, Missing of words.
func ReadColumns(name string, columns []string, next func(wanted []int, atMost int) ([]any, error), options ...Option) (Table, error) {
	o, err := collect(name, options)
	if err == nil {
		err = o.tables(name)
	}
	if err == nil && (o.stated != nil || o.separator != 0 || o.header != nil) {
		err = &ReadError{File: name, What: "an option is given that is for files of text, but the file says what its columns are"}
	}
	if err != nil {
		return Table{}, err
	}
	if twice := duplicate(columns); twice != "" {
		return Table{}, &ReadError{File: name, What: fmt.Sprintf("two columns are called %q", twice), Remedy: "rename one where the file is made"}
	}
	if len(columns) > o.limits.Columns {
		return Table{}, o.tooWide(name, 0, len(columns))
	}
	skipped := make([]bool, len(columns))
	for _, s := range o.skip {
		j, err := find("column", s, columns)
		if err != nil {
			return Table{}, &ReadError{File: name, What: "Skip: " + err.Error()}
		}
		skipped[j] = true
	}
	var wanted []int
	for j := range columns {
		if !skipped[j] {
			wanted = append(wanted, j)
		}
	}
	if wanted == nil {
		return Table{}, &ReadError{File: name, What: "no column is left"}
	}
	kept, values := newReservoir(o), make([]any, len(wanted))
	for !kept.full() {
		most := math.MaxInt
		if kept.first > 0 {
			most = kept.first - kept.seen
		}
		part, err := next(wanted, most)
		if err == io.EOF {
			break
		}
		if err != nil {
			return Table{}, err
		}
		if err := kept.columns(values, part, most); err != nil {
			return Table{}, &ReadError{File: name, What: err.Error()}
		}
		if kept.kept*len(wanted) > o.limits.Values {
			return Table{}, o.tooMany(name, 0, fmt.Sprintf("%d rows of %d columns and more", kept.kept, len(wanted)))
		}
	}
	if kept.seen == 0 {
		return Table{}, &ReadError{File: name, What: "there is no row in the file"}
	}
	t := Table{Name: baseName(name), chain: fault.Start("ReadColumns", name)}
	order := kept.order()
	for i, j := range wanted {
		switch v := values[i].(type) {
		case []float64:
			t = t.With(columns[j], arranged(v, order))
		case []bool:
			t = t.With(columns[j], arranged(v, order))
		case []time.Time:
			t = t.With(columns[j], arranged(v, order))
		case []string:
			for k, text := range v {
				if text = strings.TrimSpace(text); !o.onlyEmpty && nullWord(text) || slices.Contains(o.missing, text) {
					text = ""
				}
				v[k] = text
			}
			t = t.With(columns[j], arranged(v, order))
		}
		if t.Err() != nil {
			return Table{}, &ReadError{File: name, Field: columns[j], What: t.Err().Error()}
		}
	}
	t.Source = kept.source(name, 0)
	return t, nil
}

// columns puts those of the rows that follow among the rows kept which are to be kept.
func (r *reservoir) columns(to, part []any, atMost int) error {
	if len(part) != len(to) {
		return fmt.Errorf("%d columns were handed over, but %d are wanted", len(part), len(to))
	}
	rows := -1
	for _, p := range part {
		n := 0
		switch v := p.(type) {
		case []float64:
			n = len(v)
		case []bool:
			n = len(v)
		case []time.Time:
			n = len(v)
		case []string:
			n = len(v)
		default:
			return fmt.Errorf("a column was handed over as %T", p)
		}
		if rows >= 0 && n != rows {
			return fmt.Errorf("the columns differ in length: %d and %d", rows, n)
		}
		rows = n
	}
	places := make([]int, min(rows, atMost))
	for i := range places {
		place, ok := r.next()
		if places[i] = place; !ok {
			places[i] = -1
		}
	}
	for j, p := range part {
		switch v := p.(type) {
		case []float64:
			to[j] = putAll(to[j], places, v)
		case []bool:
			to[j] = putAll(to[j], places, v)
		case []time.Time:
			to[j] = putAll(to[j], places, v)
		case []string:
			to[j] = putAll(to[j], places, v)
		}
	}
	return nil
}

func putAll[T any](to any, places []int, from []T) []T {
	all, _ := to.([]T)
	for i, place := range places {
		if place >= 0 {
			all = put(all, place, from[i])
		}
	}
	return all
}

func (o readOptions) tooWide(name string, line, columns int) *ReadError {
	return &ReadError{
		File: name, Line: line, What: fmt.Sprintf("%d columns, but at most %d are read", columns, o.limits.Columns),
		Remedy: "allow more with datasets.Within",
	}
}

// Limited returns what a reader of another format may read of r: unpacked when it is gzip, and an error beyond the limits of the options.
func Limited(r io.Reader, name string, options ...Option) (io.Reader, Limits, error) {
	o, err := collect(name, options)
	if err != nil {
		return nil, o.limits, err
	}
	in, _, err := unpack(r, name, o)
	return in, o.limits, err
}
