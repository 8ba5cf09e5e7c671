package datasets

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// CSV reads a file with ReadCSV, unpacking it when it is gzip. An error breaks the set.
func CSV(path string, options ...Option) Set {
	s, err := open(path, func(r io.Reader) (Set, error) { return ReadCSV(r, path, options...) })
	if err != nil {
		return Set{Name: filepath.Base(path), chain: fault.Start("CSV", path)}.fail(err)
	}
	s.chain = fault.Start("CSV", path)
	return s
}

// ReadCSV reads a table of numbers, one row a line; name stands in errors and becomes the set's name.
//
// The separator (comma, semicolon or tab) and whether the first line holds names are found out; fields may be quoted; with semicolons a
// decimal comma is understood. The last column holds the classes, as words or whole numbers, unless [Label], [Target] or [Unlabelled] says
// otherwise. Whole numbers become classes in numeric order, words in alphabetic order. A first column without a name holds row names.
//
// A missing value (an empty field, NA, N/A, NaN, null or ?) is an error, as is text where a number belongs; both name file, line and
// column. See [DropMissing], [Skip]. A file beyond the [Limits] is refused; [Within], [FirstRows] and [SampleRows] are for large ones. A
// first line with a number in it, be it inf or 1e400, is a row of data unless [Header] says otherwise.
func ReadCSV(r io.Reader, name string, options ...Option) (Set, error) {
	o, err := collect(name, options)
	if err != nil {
		return Set{}, err
	}
	if o.classes != nil {
		return Set{}, &ReadError{File: name, What: "Classes is for rows in batches", Remedy: "a file that is read whole tells its classes"}
	}
	in, err := input(r, name, o.limits.Bytes)
	if err != nil {
		return Set{}, err
	}
	t := &table{options: o, name: name, kept: newReservoir(o)}
	cr, err := t.open(in)
	if err != nil {
		return Set{}, err
	}
	if err := t.read(cr); err != nil {
		return Set{}, err
	}
	return t.set()
}

// open passes over a byte order mark and finds the separator.
func (t *table) open(in *bufio.Reader) (*csv.Reader, error) {
	if head, _ := in.Peek(3); len(head) >= 2 {
		switch {
		case head[0] == 0xef && len(head) == 3 && head[1] == 0xbb && head[2] == 0xbf:
			in.Discard(3)
			t.base = 3
		case head[0] == 0xff && head[1] == 0xfe, head[0] == 0xfe && head[1] == 0xff:
			return nil, &ReadError{File: t.name, Line: 1, What: "the file is UTF-16", Remedy: "save it as UTF-8"}
		}
	}
	if o := &t.options; o.separator == 0 {
		head, _ := in.Peek(4096)
		o.separator = separator(string(head))
	} else if o.separator == '"' || o.separator == '\r' || o.separator == '\n' || o.separator == 0xfffd {
		return nil, &ReadError{File: t.name, What: fmt.Sprintf("%q cannot separate fields", o.separator), Remedy: "use a comma, a semicolon " +
			"or a tab"}
	}
	return t.records(in), nil
}

func (t *table) records(in io.Reader) *csv.Reader {
	cr := csv.NewReader(in)
	cr.Comma = t.options.separator
	cr.FieldsPerRecord = -1
	cr.ReuseRecord = true
	cr.TrimLeadingSpace = t.options.separator != '\t'
	return cr
}

// separator counts candidates outside quotes in the first line.
func separator(head string) rune {
	counts := map[rune]int{}
	quoted := false
	for _, c := range head {
		if c == '"' {
			quoted = !quoted
		}
		if c == '\n' && !quoted {
			break
		}
		if !quoted {
			counts[c]++
		}
	}
	best := ','
	for _, c := range []rune{';', '\t'} {
		if counts[c] > counts[best] {
			best = c
		}
	}
	return best
}

// table is a CSV file half way: texts turned into numbers as soon as it is clear which column is what.
type table struct {
	options readOptions
	name    string
	header  []string // nil when the file has none
	width   int
	columns []string // names, made up when there is no header
	label   int      // column of the class or the target, or -1
	names   int      // column of the row names, or -1
	number  []bool   // which columns are features

	kept     *reservoir
	values   []float64 // row by row
	row0     []float64 // the row that is being read
	labels   []string
	targets  []float64
	first    place // of the first label
	rowNames []string
	dropped  int

	// Of rows that come in batches:
	base   int64                                     // bytes before what is read
	lines  int                                       // and lines
	gone   int                                       // rows that have been handed on
	size   int                                       // of a batch
	flush  func(Position) error                      // hands a batch on
	resume func() (*csv.Reader, error)               // goes to the row where reading begins, once it is clear what the columns are
	class  func(label string, at place) (int, error) // numbers a label
	y      []int
}

type place struct{ line, column int }

func (t *table) read(cr *csv.Reader) error {
	var first []string
	var places, at []place
	for count := 0; !t.kept.full(); count++ {
		record, err := cr.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return t.syntax(err, count)
		}
		at = slices.Grow(at[:0], len(record))
		for i := range record {
			line, column := cr.FieldPos(i)
			at = append(at, place{line + t.lines, column})
			record[i] = strings.TrimSpace(record[i])
		}
		if count == 0 {
			if most := t.options.limits.Columns; len(record) > most {
				return &ReadError{
					File: t.name, Line: 1, What: fmt.Sprintf("%d columns, but at most %d are read", len(record), most),
					Remedy: "allow more with datasets.Within",
				}
			}
			first, places, at = slices.Clone(record), at, nil
			t.width = len(record)
			continue
		}
		if count == 1 {
			if err := t.begin(first, record, places); err != nil {
				return err
			}
			if t.resume != nil {
				if cr, err = t.resume(); err != nil {
					return err
				}
				continue
			}
			if t.header == nil {
				if err := t.row(first, places); err != nil {
					return err
				}
			}
		}
		if err := t.row(record, at); err != nil {
			return err
		}
		if t.flush != nil && t.kept.kept-t.gone >= t.size {
			if err := t.flush(Position{t.kept.kept, t.base + cr.InputOffset(), at[len(at)-1].line}); err != nil {
				return err
			}
		}
		if len(t.values) > t.options.limits.Values {
			return t.options.tooMany(t.name, at[0].line, fmt.Sprintf("%d rows of %d features and more", t.kept.kept, len(t.row0)))
		}
	}
	switch {
	case first == nil:
		return &ReadError{File: t.name, What: "the file is empty"}
	case t.columns == nil: // a single line
		if err := t.begin(first, nil, places); err != nil {
			return err
		}
		if t.header == nil && t.resume == nil {
			if err := t.row(first, places); err != nil {
				return err
			}
		}
	}
	if t.kept.seen == 0 {
		what := "there is a header but no row"
		if t.dropped > 0 {
			what = fmt.Sprintf("every row has a missing value (%d rows)", t.dropped)
		}
		return &ReadError{File: t.name, Line: 1, What: what}
	}
	if t.flush != nil && t.kept.kept > t.gone {
		return t.flush(Position{Rows: t.kept.kept, Offset: t.base + cr.InputOffset()})
	}
	return nil
}

func (t *table) syntax(err error, line int) error {
	var p *csv.ParseError
	if !errors.As(err, &p) {
		return ioProblem(t.name, line+1, err, t.options.limits)
	}
	e := &ReadError{File: t.name, Line: p.Line + t.lines, Column: p.Column, What: p.Err.Error()}
	switch p.Err {
	case csv.ErrQuote:
		e.What, e.Remedy = "a quotation mark stands inside a field", `write the field in quotes and the mark twice: "a ""b"" c"`
	case csv.ErrBareQuote:
		e.What = "a quotation mark stands inside a field that is not quoted"
		e.Remedy = `write the field in quotes and the mark twice: "a ""b"" c"`
	}
	return e
}

// begin decides from the first two lines what each column is.
func (t *table) begin(first, second []string, at []place) error {
	o := t.options
	isHeader := looksLikeHeader(first, second, o.separator)
	if o.header != nil {
		isHeader = *o.header
	}
	t.label, t.names = -1, -1
	if isHeader {
		t.header = first
		t.columns = slices.Clone(first)
		if second != nil && len(second) == len(first)+1 { // write.table of R leaves the name of the row names out
			t.columns = append([]string{""}, t.columns...)
			t.width++
		}
		if len(t.columns) > 1 && t.columns[0] == "" && o.rowNames == "" {
			t.names, t.columns[0] = 0, "row"
		}
		for j, c := range t.columns {
			if c == "" {
				t.columns[j] = "column " + strconv.Itoa(j+1)
			}
		}
		if twice := duplicate(t.columns); twice != "" {
			j := len(t.columns) - 1
			for ; t.columns[j] != twice; j-- {
			}
			j = min(j, len(at)-1)
			return &ReadError{
				File:   t.name,
				Line:   at[j].line,
				Column: at[j].column,
				What:   fmt.Sprintf("two columns are called %q", twice),
				Remedy: "rename one in the header",
			}
		}
	} else {
		t.columns = numbered("x", 1, t.width)
	}
	t.number = make([]bool, t.width)
	for j := range t.number {
		t.number[j] = j != t.names
	}
	pick := func(column, option string) (int, error) {
		j, err := find("column", column, t.columns)
		if err != nil {
			line := 0
			if t.header != nil {
				line = 1
			}
			remedy := ""
			if t.header == nil {
				remedy = "the file has no header, so its columns are called x1, x2, ..."
			}
			return 0, &ReadError{File: t.name, Line: line, What: option + ": " + err.Error(), Remedy: remedy}
		}
		return j, nil
	}
	for _, c := range o.skip {
		j, err := pick(c, "Skip")
		if err != nil {
			return err
		}
		t.number[j] = false
	}
	if o.rowNames != "" {
		j, err := pick(o.rowNames, "RowNames")
		if err != nil {
			return err
		}
		t.names, t.number[j] = j, false
	}
	var err error
	switch o.role {
	case roleLabel:
		t.label, err = pick(o.label, "Label")
	case roleTarget:
		t.label, err = pick(o.target, "Target")
	case roleLast:
		for j := t.width - 1; j >= 0 && t.label < 0; j-- {
			if t.number[j] {
				t.label = j
			}
		}
	}
	if err != nil {
		return err
	}
	if t.label >= 0 {
		t.number[t.label] = false
	}
	if !slices.Contains(t.number, true) {
		what, remedy := "no column is left to be a feature", "separate the fields with commas, semicolons or tabs, or name another with "+
			"datasets.Separator"
		if t.width == 1 && o.role == roleLast {
			remedy = "the only column was taken for the classes; say datasets.Unlabelled() if it is a feature"
		}
		return &ReadError{File: t.name, Line: 1, What: what, Remedy: remedy}
	}
	return nil
}

// looksLikeHeader is true when a column has a number in the second line and a word in the first, and when the first line has neither a
// number nor a missing value: a row of data would have one.
func looksLikeHeader(first, second []string, sep rune) bool {
	data := false
	for j, f := range first {
		_, err := number(f, sep)
		if err == errNotFinite && !missing(f) { // inf, 1e400
			err = nil
		}
		data = data || err == nil || missing(f) && j > 0
		k := j
		if len(second) == len(first)+1 {
			k++
		}
		if k < len(second) && err != nil && !missing(f) {
			if _, err := number(second[k], sep); err == nil {
				return true
			}
		}
	}
	return !data
}

func (t *table) row(record []string, at []place) error {
	if len(record) != t.width {
		return &ReadError{
			File:   t.name,
			Line:   at[0].line,
			What:   fmt.Sprintf("%d fields, but the lines before have %d", len(record), t.width),
			Remedy: "quote fields that contain the separator",
		}
	}
	t.row0 = t.row0[:0]
	target := 0.0
	for j, f := range record {
		if !t.number[j] && j != t.label {
			continue
		}
		if missing(f) {
			if t.options.drop {
				t.dropped++
				return nil
			}
			return &ReadError{
				File:   t.name,
				Line:   at[j].line,
				Column: at[j].column,
				Field:  t.columns[j],
				What:   "the value is missing",
				Remedy: "fill it in, or leave such rows out with datasets.DropMissing()",
			}
		}
		if j == t.label {
			continue
		}
		v, err := number(f, t.options.separator)
		if err != nil {
			remedy := fmt.Sprintf(
				"leave the column out with datasets.Skip(%q), or make it the class with datasets.Label(%q)",
				t.columns[j],
				t.columns[j],
			)
			if err == errNotFinite && t.header == nil && t.kept.seen == 0 {
				remedy = "if the first line holds names, say datasets.Header(true)"
			}
			return &ReadError{
				File:   t.name,
				Line:   at[j].line,
				Column: at[j].column,
				Field:  t.columns[j],
				What:   fmt.Sprintf("%q %v", clip(f), err),
				Remedy: remedy,
			}
		}
		t.row0 = append(t.row0, v)
	}
	if t.label >= 0 && t.options.role == roleTarget {
		var err error
		if target, err = number(record[t.label], t.options.separator); err != nil {
			return &ReadError{
				File: t.name, Line: at[t.label].line, Column: at[t.label].column, Field: t.columns[t.label],
				What: fmt.Sprintf("the target %q %v", clip(record[t.label]), err),
			}
		}
	}
	place, ok := t.kept.next()
	if !ok {
		return nil
	}
	place -= t.gone
	if d := len(t.row0); place*d == len(t.values) {
		t.values = append(t.values, t.row0...)
	} else {
		copy(t.values[place*d:], t.row0)
	}
	switch {
	case t.label < 0:
	case t.options.role == roleTarget:
		t.targets = put(t.targets, place, target)
	case t.class != nil:
		c, err := t.class(record[t.label], at[t.label])
		if err != nil {
			return err
		}
		t.y = append(t.y, c)
	default:
		if t.labels == nil {
			t.first = at[t.label]
		}
		t.labels = put(t.labels, place, strings.Clone(record[t.label])) // or it would hold on to the whole line
	}
	if t.names >= 0 && t.flush == nil {
		t.rowNames = put(t.rowNames, place, strings.Clone(record[t.names]))
	}
	return nil
}

func (t *table) set() (Set, error) {
	order := t.kept.order()
	s := Set{
		Name: baseName(t.name), Source: t.kept.source(t.name, t.dropped), RowNames: arranged(t.rowNames, order),
		chain: fault.Start("ReadCSV", t.name),
	}
	s.FeatureNames = make([]string, 0, len(t.columns))
	for j, is := range t.number {
		if is {
			s.FeatureNames = append(s.FeatureNames, t.columns[j])
		}
	}
	s.X = rowsInOrder(mat.NewDense(t.kept.kept, len(s.FeatureNames), t.values), order)
	if t.label < 0 {
		return s, nil
	}
	column := t.columns[t.label]
	if t.options.role == roleTarget {
		s.TargetName, s.Target = column, arranged(t.targets, order)
		return s, nil
	}
	s.Y, s.ClassNames = classes(arranged(t.labels, order))
	if t.options.role == roleLast {
		// Nobody said that the last column holds classes, so it has to look like it.
		remedy := fmt.Sprintf("say what the column is with datasets.Label(%q), Target(%q) or Unlabelled()", column, column)
		at := t.first
		if f := fractional(t.labels); f != "" {
			return Set{}, &ReadError{
				File:   t.name,
				Line:   at.line,
				Column: at.column,
				Field:  column,
				What:   fmt.Sprintf("the last column holds numbers such as %s, which do not look like classes", clip(f)),
				Remedy: remedy,
			}
		}
		if k := len(s.ClassNames); k > 30 && 2*k > len(t.labels)/5 {
			return Set{}, &ReadError{
				File:   t.name,
				Line:   at.line,
				Column: at.column,
				Field:  column,
				What:   fmt.Sprintf("the last column holds %d different values in %d rows, which do not look like classes", k, len(t.labels)),
				Remedy: remedy,
			}
		}
	}
	return s, nil
}

// rowsInOrder returns the rows of X in the given order, X itself for nil.
func rowsInOrder(X *mat.Dense, order []int) *mat.Dense {
	if order == nil {
		return X
	}
	n, d := X.Dims()
	out := mat.NewDense(n, d, nil)
	for i, j := range order {
		copy(out.RawRowView(i), X.RawRowView(j))
	}
	return out
}

var (
	errNotFinite = errors.New("is not a finite number")
	errNotNumber = errors.New("is not a number")
)

// number reads a decimal number; where semicolons separate fields, a comma may be the decimal sign.
func number(s string, sep rune) (float64, error) {
	if sep == ';' && strings.Count(s, ",") == 1 && !strings.Contains(s, ".") {
		s = strings.Replace(s, ",", ".", 1)
	}
	for i := range len(s) {
		switch s[i] {
		case '_', 'x', 'X', 'p', 'P':
			return 0, errNotNumber
		}
	}
	v, err := strconv.ParseFloat(s, 64)
	if math.IsInf(v, 0) || math.IsNaN(v) && err == nil {
		return 0, errNotFinite
	}
	if err != nil {
		return 0, errNotNumber
	}
	return v, nil
}

func missing(s string) bool {
	switch s {
	case "", "NA", "N/A", "n/a", "na", "NaN", "nan", "NULL", "null", "?":
		return true
	}
	return false
}

func clip(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}

// baseName returns "flowers" for "data/flowers.csv.gz".
func baseName(path string) string {
	base := filepath.Base(path)
	base = strings.TrimSuffix(base, ".gz")
	if ext := filepath.Ext(base); ext != "" && ext != base {
		base = strings.TrimSuffix(base, ext)
	}
	return base
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
	cw := csv.NewWriter(w)
	var record []string
	if s.RowNames != nil {
		record = append(record, "")
	}
	record = append(record, s.FeatureNames...)
	switch {
	case s.Y != nil:
		record = append(record, free("class", s.FeatureNames))
	case s.Target != nil:
		record = append(record, free(s.targetLabel(), s.FeatureNames))
	}
	if err := cw.Write(record); err != nil {
		return err
	}
	for i := range s.N() {
		record = record[:0]
		if s.RowNames != nil {
			record = append(record, s.RowNames[i])
		}
		for _, v := range s.X.RawRowView(i) {
			record = append(record, strconv.FormatFloat(v, 'g', -1, 64))
		}
		switch {
		case s.Y != nil:
			record = append(record, s.ClassNames[s.Y[i]])
		case s.Target != nil:
			record = append(record, strconv.FormatFloat(s.Target[i], 'g', -1, 64))
		}
		if err := cw.Write(record); err != nil {
			return err
		}
	}
	cw.Flush()
	return cw.Error()
}

// free returns name, or name with a number when it is taken.
func free(name string, taken []string) string {
	for i := 2; slices.Contains(taken, name); i++ {
		name = strings.TrimRight(name, "0123456789") + strconv.Itoa(i)
	}
	return name
}
