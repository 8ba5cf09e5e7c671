package datasets

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prlab/prlab/prl/fault"
)

// AsWords states that columns of a table hold words, whatever they look like: numbers that are names of things.
func AsWords(columns ...string) Option {
	return func(o *readOptions) { o.state(Nominal, "", columns) }
}

// AsNumbers states that columns of a table hold numbers; text that is no number is then an error with its line.
func AsNumbers(columns ...string) Option {
	return func(o *readOptions) { o.state(Numeric, "", columns) }
}

// AsDates states that columns of a table hold dates in a layout of package time, "02/01/2006" say for day, month and year with strokes.
func AsDates(layout string, columns ...string) Option {
	return func(o *readOptions) {
		if o.state(Temporal, layout, columns); layout == "" {
			o.err = `AsDates: the layout is empty, but needs to be one of package time, such as "2006-01-02"`
		}
	}
}

// Missing names further texts of a table that are gaps, "-99" or "unknown" say, beside an empty field, NA, N/A, NaN, null and ?.
func Missing(texts ...string) Option {
	return func(o *readOptions) { o.missing = append(slices.Clone(o.missing), texts...) }
}

// A stated type is what the reader was told of a column.
type stated struct {
	column, layout string
	kind           Kind
}

func (o *readOptions) state(kind Kind, layout string, columns []string) {
	o.stated = slices.Clone(o.stated)
	for _, c := range columns {
		o.stated = append(o.stated, stated{c, layout, kind})
	}
}

// tables reports options that are for sets.
func (o readOptions) tables(name string) error {
	remedy := ""
	switch {
	case o.role == roleLabel:
		remedy = fmt.Sprintf("say which column it is afterwards, .Label(%q)", o.label)
	case o.role == roleTarget:
		remedy = fmt.Sprintf("say which column it is afterwards, .Target(%q)", o.target)
	case o.role == roleNone:
		remedy = "say so afterwards, .Unlabelled()"
	case o.drop:
		remedy = "leave rows with gaps out afterwards, .DropMissing()"
	case o.rowNames != "", o.features != 0:
		remedy = "leave out RowNames and Width"
	default:
		return nil
	}
	return &ReadError{File: name, What: "an option is given that is for data sets, not for tables", Remedy: remedy}
}

// OpenTable reads a CSV file with ReadTable, unpacking it when it is gzip. An error breaks the table.
func OpenTable(path string, options ...Option) Table {
	switch filepath.Ext(strings.TrimSuffix(strings.ToLower(path), ".gz")) {
	case ".jsonl", ".ndjson":
		return (Table{Name: baseName(path), chain: fault.Start("OpenTable", path)}).fail(&ReadError{
			File: path, What: "the file is no CSV by its name",
			Remedy: "import github.com/prlab/prlab/datasets/jsonlines, whose Open reads such files",
		})
	case ".xlsx", ".xlsm":
		return (Table{Name: baseName(path), chain: fault.Start("OpenTable", path)}).fail(&ReadError{
			File: path, What: "the file is no CSV by its name",
			Remedy: "import github.com/prlab/prlab/datasets/excel, whose Open reads workbooks",
		})
	case ".parquet":
		return (Table{Name: baseName(path), chain: fault.Start("OpenTable", path)}).fail(&ReadError{
			File: path, What: "the file is no CSV by its name",
			Remedy: "import github.com/prlab/prlab/datasets/parquet, whose Open reads such files",
		})
	case ".xls", ".xlsb", ".ods":
		return (Table{Name: baseName(path), chain: fault.Start("OpenTable", path)}).fail(&ReadError{
			File: path, What: "the file is no CSV by its name", Remedy: "save it as .xlsx or as CSV",
		})
	}
	return OpenWith("OpenTable", path, func(r io.Reader) (Table, error) { return ReadTable(r, path, options...) })
}

// OpenWith reads a table from a file with a reader of its format, in the name of a step. An error breaks the table.
func OpenWith(step, path string, read func(io.Reader) (Table, error)) Table {
	t := Table{Name: baseName(path), chain: fault.Start(step, path)}
	_, err := open(path, func(r io.Reader) (Set, error) {
		found, err := read(r)
		t.Source, t.rows, t.columns, t.remarks = found.Source, found.rows, found.columns, found.remarks
		return Set{}, err
	})
	if err != nil {
		return t.fail(err)
	}
	return t
}

// ReadTable reads a CSV file whose columns may hold numbers, words or dates, with gaps; name stands in errors and becomes the table's name.
//
// The separator (comma, semicolon or tab) and whether the first line holds names are found out as for [ReadCSV]. An empty field, NA, N/A,
// NaN, null, ? and what [Missing] names is a gap. A column is one of numbers, or of dates, when everything in it that is no gap is one;
// otherwise it is one of words. Numbers with leading zeros, such as postal codes, are words. Dates are those of ISO 8601 (2009-11-16,
// 2009-11-16 14:30, 2009-11-16T14:30:00Z) and 16.11.2009. Where a few entries keep a column from being one of numbers, Show and Describe
// say which, and how many; [AsNumbers], [AsWords], [AsDates] state what a column is.
//
// Options: Separator, Header, Skip, Within, FirstRows, SampleRows, Missing, AsNumbers, AsWords, AsDates.
func ReadTable(r io.Reader, name string, options ...Option) (Table, error) {
	o, err := collect(name, options)
	if err == nil {
		err = o.tables(name)
	}
	if err != nil {
		return Table{}, err
	}
	in, err := input(r, name, o.limits.Bytes)
	if err != nil {
		return Table{}, err
	}
	if o.separator, err = o.begin(in, name); err != nil {
		return Table{}, err
	}
	cr := csv.NewReader(in)
	cr.Comma = o.separator
	cr.FieldsPerRecord = -1
	cr.TrimLeadingSpace = o.separator != '\t'
	f := &fields{name: name, options: o, kept: newReservoir(o)}
	width := 0
	for count := 0; !f.kept.full(); count++ {
		record, err := cr.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return Table{}, (&table{name: name, options: o}).syntax(err, count)
		}
		line, _ := cr.FieldPos(0)
		if f.names == nil && width == 0 {
			if width = len(record); width > o.limits.Columns {
				return Table{}, o.tooWide(name, line, width)
			}
		}
		for i := range record {
			record[i] = strings.TrimSpace(record[i])
		}
		if err := f.line(record, line); err != nil {
			return Table{}, err
		}
	}
	return f.table()
}

// begin skips a byte-order mark and finds the separator.
func (o readOptions) begin(in *bufio.Reader, name string) (rune, error) {
	if head, _ := in.Peek(3); len(head) >= 2 {
		switch {
		case head[0] == 0xef && len(head) == 3 && head[1] == 0xbb && head[2] == 0xbf:
			in.Discard(3)
		case head[0] == 0xff && head[1] == 0xfe, head[0] == 0xfe && head[1] == 0xff:
			return 0, &ReadError{File: name, Line: 1, What: "the file is UTF-16", Remedy: "save it as UTF-8"}
		}
	}
	switch o.separator {
	case 0:
		head, _ := in.Peek(4096)
		return separator(string(head)), nil
	case '"', '\r', '\n', 0xfffd:
		return 0, &ReadError{
			File:   name,
			What:   fmt.Sprintf("%q cannot separate fields", o.separator),
			Remedy: "use a comma, a semicolon or a tab",
		}
	}
	return o.separator, nil
}

// fields gathers texts by column until all are known, since the last row may decide what a column is.
type fields struct {
	name    string
	options readOptions
	first   []string
	names   []string
	kept    *reservoir
	texts   [][]string // by column
	lines   []int
}

func (f *fields) line(record []string, line int) error {
	if f.names == nil {
		if f.first == nil {
			f.first = record
			f.lines = []int{line}
			if f.options.header == nil {
				return nil // the second line tells
			}
			f.decide(nil)
			return f.flush()
		}
		f.decide(record)
		if err := f.flush(); err != nil {
			return err
		}
	}
	return f.row(record, line)
}

// decide tells whether the first line holds names.
func (f *fields) decide(second []string) {
	isHeader := looksLikeHeader(f.first, second, f.options.separator)
	if f.options.header != nil {
		isHeader = *f.options.header
	}
	f.names = numbered("x", 1, len(f.first))
	if isHeader {
		f.names = slices.Clone(f.first)
		if second != nil && len(second) == len(f.first)+1 { // write.table of R leaves the name of the row names out
			f.names = append([]string{""}, f.names...)
		}
		for j, c := range f.names {
			if c == "" {
				if f.names[j] = "column " + strconv.Itoa(j+1); j == 0 {
					f.names[j] = "row"
				}
			}
		}
		f.first = nil
	}
}

// flush takes the first line for a row when it holds no names.
func (f *fields) flush() error {
	if twice := duplicate(f.names); twice != "" {
		return &ReadError{
			File:   f.name,
			Line:   f.lines[0],
			What:   fmt.Sprintf("two columns are called %q", twice),
			Remedy: "rename one in the header",
		}
	}
	f.texts = make([][]string, len(f.names))
	first, line := f.first, f.lines[0]
	f.first, f.lines = nil, nil
	if first == nil {
		return nil
	}
	return f.row(first, line)
}

func (f *fields) row(record []string, line int) error {
	if len(record) != len(f.names) {
		return &ReadError{
			File: f.name, Line: line, What: fmt.Sprintf("%d fields, but the lines before have %d", len(record), len(f.names)),
			Remedy: "quote fields that contain the separator",
		}
	}
	place, ok := f.kept.next()
	if !ok {
		return nil
	}
	if f.kept.kept*len(record) > f.options.limits.Values {
		return f.options.tooMany(f.name, line, fmt.Sprintf("%d rows of %d columns and more", f.kept.kept, len(record)))
	}
	for j, text := range record {
		f.texts[j] = put(f.texts[j], place, strings.Clone(text)) // or it would hold on to the whole line
	}
	f.lines = put(f.lines, place, line)
	return nil
}

// table decides what each column is.
func (f *fields) table() (Table, error) {
	if f.names == nil {
		if f.first == nil {
			return Table{}, &ReadError{File: f.name, What: "the file is empty"}
		}
		f.decide(nil)
		if err := f.flush(); err != nil {
			return Table{}, err
		}
	}
	if f.kept.seen == 0 {
		return Table{}, &ReadError{File: f.name, Line: 1, What: "there is a header but no row"}
	}
	t := Table{Name: baseName(f.name), Source: f.kept.source(f.name, 0), rows: f.kept.kept, chain: fault.Start("ReadTable", f.name)}
	place := func(column, option string) (int, error) {
		j, err := find("column", column, f.names)
		if err != nil {
			return 0, &ReadError{File: f.name, Line: 1, What: option + ": " + err.Error()}
		}
		return j, nil
	}
	skipped := make([]bool, len(f.names))
	for _, s := range f.options.skip {
		j, err := place(s, "Skip")
		if err != nil {
			return Table{}, err
		}
		skipped[j] = true
	}
	told := make([]*stated, len(f.names))
	for i, s := range f.options.stated {
		j, err := place(s.column, [...]string{"AsNumbers", "AsWords", "AsDates"}[s.kind])
		if err != nil {
			return Table{}, err
		}
		told[j] = &f.options.stated[i]
	}
	order := f.kept.order()
	f.lines = arranged(f.lines, order)
	for j, name := range f.names {
		if skipped[j] {
			continue
		}
		c, remark, err := f.column(name, arranged(f.texts[j], order), told[j])
		if err != nil {
			return Table{}, err
		}
		if t.columns = append(t.columns, c); remark != "" {
			t.remarks = append(t.remarks, remark)
		}
	}
	if len(t.columns) == 0 {
		return Table{}, &ReadError{File: f.name, Line: 1, What: "no column is left"}
	}
	return t, nil
}

// layouts are the forms of dates that are found out.
var layouts = []string{
	time.DateOnly, time.RFC3339, "2006-01-02 15:04", time.DateTime, "2006-01-02T15:04:05", "2006-01-02T15:04", "02.01.2006", "2.1.2006",
}

// column finds out what texts are, or takes what was stated.
func (f *fields) column(name string, texts []string, told *stated) (c column, remark string, err error) {
	c.name = name
	for i, text := range texts {
		if missing(text) || slices.Contains(f.options.missing, text) {
			texts[i] = ""
		}
	}
	wrong := func(i int, what error, remedy string) error {
		return &ReadError{File: f.name, Line: f.lines[i], Field: name, What: fmt.Sprintf("%q %v", clip(texts[i]), what), Remedy: remedy}
	}
	if told != nil {
		switch c.kind = told.kind; told.kind {
		case Numeric:
			var at int
			if c.numbers, at, err = numbers(texts, f.options.separator); err != nil {
				return c, "", wrong(at, err, fmt.Sprintf("if it stands for a gap, say datasets.Missing(%q)", clip(texts[at])))
			}
		case Temporal:
			var at int
			if c.numbers, at = dates(texts, told.layout); at >= 0 {
				return c, "", wrong(at, fmt.Errorf("is no date of the form %s", told.layout), "")
			}
		default:
			c.codes, c.words = coded(texts)
		}
		return c, "", nil
	}
	present, right, zeros := 0, 0, false
	odd, at := "", 0
	for i, text := range texts {
		if text == "" {
			continue
		}
		present++
		_, err := number(text, f.options.separator)
		switch {
		case err == nil:
			right++
			digits := strings.TrimLeft(text, "+-")
			zeros = zeros || len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9'
		case odd == "":
			odd, at = text, f.lines[i]
		}
	}
	if right == present && !zeros {
		if c.numbers, _, err = numbers(texts, f.options.separator); err != nil {
			return c, "", err
		}
		if present == 0 {
			remark = fmt.Sprintf("the column %q holds nothing but gaps", name)
		}
		return c, remark, nil
	}
	if right == 0 || strings.Contains(odd, ".") || strings.Contains(odd, "-") {
		for _, layout := range layouts {
			if v, wrong := dates(texts, layout); wrong < 0 {
				c.kind, c.numbers = Temporal, v
				return c, "", nil
			}
		}
	}
	c.kind = Nominal
	c.codes, c.words = coded(texts)
	if 2*right > present && !zeros {
		remark = fmt.Sprintf(
			"The column %q was taken for words: %d of %d entries are numbers, but in line %d stands %q",
			name,
			right,
			present,
			at,
			clip(odd),
		)
	}
	return c, remark, nil
}

// numbers reads texts, of which the empty ones are gaps; at is the first wrong one.
func numbers(texts []string, sep rune) (v []float64, at int, err error) {
	v = make([]float64, len(texts))
	for i, text := range texts {
		if v[i] = math.NaN(); text == "" {
			continue
		}
		if v[i], err = number(text, sep); err != nil {
			return nil, i, err
		}
	}
	return v, 0, nil
}

// dates reads texts of a layout, of which the empty ones are gaps; wrong is the first that is none, or -1.
func dates(texts []string, layout string) (v []float64, wrong int) {
	v = make([]float64, len(texts))
	for i, text := range texts {
		if v[i] = math.NaN(); text == "" {
			continue
		}
		t, err := time.Parse(layout, text)
		if err != nil || t.IsZero() {
			return nil, i
		}
		v[i] = seconds(t)
	}
	return v, -1
}

// ReadRecords reads a table for a reader of another format, which hands it over row by row: next returns the names of columns that the row
// has, their values as text, and its line; io.EOF ends the file. A column that a row does not have is a gap there. Texts are understood,
// and kinds found out, as [ReadTable] does, with its options.
func ReadRecords(name string, next func() (columns, values []string, line int, err error), options ...Option) (Table, error) {
	o, err := collect(name, options)
	if err == nil {
		err = o.tables(name)
	}
	if err != nil {
		return Table{}, err
	}
	o.separator = ','
	f := &fields{name: name, options: o, kept: newReservoir(o), names: []string{}}
	index := map[string]int{}
	for !f.kept.full() {
		columns, values, line, err := next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return Table{}, err
		}
		for _, c := range columns {
			if _, ok := index[c]; !ok {
				index[c] = len(f.names)
				f.names = append(f.names, c)
				f.texts = append(f.texts, make([]string, f.kept.kept))
			}
		}
		if len(f.names) > o.limits.Columns {
			return Table{}, o.tooWide(name, line, len(f.names))
		}
		record := make([]string, len(f.names))
		for i, c := range columns {
			record[index[c]] = strings.TrimSpace(values[i])
		}
		if err := f.row(record, line); err != nil {
			return Table{}, err
		}
	}
	if len(f.names) == 0 {
		return Table{}, &ReadError{File: name, What: "there is no row with a column in the file"}
	}
	return f.table()
}

// ReadRows reads a table for a reader of another format, which hands it over row by row as a CSV file has them: next returns the texts of a
// row, as many in each, and its line; io.EOF ends the file. Whether the first row holds the names of the columns is found out, texts are
// understood, and kinds found out, as [ReadTable] does, with its options.
func ReadRows(name string, next func() (values []string, line int, err error), options ...Option) (Table, error) {
	o, err := collect(name, options)
	if err == nil {
		err = o.tables(name)
	}
	if err != nil {
		return Table{}, err
	}
	o.separator = ','
	f := &fields{name: name, options: o, kept: newReservoir(o)}
	for !f.kept.full() {
		values, line, err := next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return Table{}, err
		}
		if len(values) > o.limits.Columns {
			return Table{}, o.tooWide(name, line, len(values))
		}
		record := make([]string, len(values))
		for i, v := range values {
			record[i] = strings.TrimSpace(v)
		}
		if err := f.line(record, line); err != nil {
			return Table{}, err
		}
	}
	return f.table()
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
				if text = strings.TrimSpace(text); missing(text) || slices.Contains(o.missing, text) {
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
	in, err := input(r, name, o.limits.Bytes)
	return in, o.limits, err
}

// WriteCSV writes the table with a header, comma separated; a gap is an empty field. ReadTable reads the same values back, and finds out
// the same kinds but for words that look like numbers or dates.
func (t Table) WriteCSV(w io.Writer) error {
	t, ok := t.ready("WriteCSV")
	if !ok {
		return t.Err()
	}
	cw := csv.NewWriter(w)
	if err := cw.Write(t.Columns()); err != nil {
		return err
	}
	record := make([]string, len(t.columns))
	for i := range t.rows {
		for j, c := range t.columns {
			record[j] = c.text(i)
		}
		if len(record) == 1 && record[0] == "" {
			record[0] = "NA" // a line of nothing would be none
		}
		if err := cw.Write(record); err != nil {
			return err
		}
	}
	cw.Flush()
	return cw.Error()
}
