package datasets

import (
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// CSV reads a file with ReadCSV. An error breaks the set.
func CSV(path string, options ...Option) Set {
	s := Set{Name: filepath.Base(path), chain: fault.Start("CSV", path)}
	o, err := collect(path, options)
	if err != nil {
		return s.fail(err)
	}
	read, err := readSet(&source{name: path, options: o, open: opened(path)})
	if err != nil {
		return s.fail(err)
	}
	read.chain = s.chain
	return read
}

// ReadCSV reads a table of numbers, one row a line, by the rules of [ReadTable]; name stands in errors and becomes the set's name.
//
// The last column holds the classes, as words or numbers, unless [Label], [Target] or [Unlabelled] says otherwise. Numbers are one
// class when they have one value, as 1 and 1.0 do, and become classes in numeric order; words become classes in alphabetic order. A
// first column without a name holds row names.
//
// A gap is an error, as is text where a number belongs; both name file, line and column. See [DropMissing], [Skip]. A file beyond the
// [Limits] is refused; [Within], [FirstRows] and [SampleRows] are for large ones. A first line with a number in it, be it inf or
// 1e400, is a row of data unless [Header] says otherwise.
func ReadCSV(r io.Reader, name string, options ...Option) (Set, error) {
	o, err := collect(name, options)
	if err != nil {
		return Set{}, err
	}
	s, err := again(r, name, o)
	if err != nil {
		return Set{}, err
	}
	return readSet(s)
}

func readSet(s *source) (Set, error) {
	if err := s.options.sets(s.name); err != nil {
		return Set{}, err
	}
	if s.options.classes != nil {
		return Set{}, &ReadError{File: s.name, What: "Classes is for rows in batches", Remedy: "a file that is read whole tells its classes"}
	}
	s.options.bound(roomy())
	r, l, closer, err := s.records()
	if err != nil {
		return Set{}, err
	}
	defer closer.Close()
	t := &rowReader{source: s, kept: newReservoir(s.options), numbered: map[string]int32{}}
	if err := t.begin(l); err != nil {
		return Set{}, err
	}
	if err := t.read(r); err != nil {
		return Set{}, err
	}
	return t.set()
}

type place struct{ line, column int }

// A rowReader turns records into rows of numbers with a class or a target, for sets and for rows in batches.
type rowReader struct {
	*source
	*layout
	*entries
	label   int    // column of the class or the target, or -1
	number  []bool // which columns are features
	manners []manner
	dropped int
	kept    *reservoir

	values   []float64 // row by row
	row0     []float64 // the row that is being read
	targets  []float64
	rowNames []string
	labels   []int32 // of each row
	numbered map[string]int32
	texts    []string // of the labels
	first    []place  // where each of them occurs first

	// Of rows that come in batches:
	gone  int                                       // rows that have been handed on
	size  int                                       // of a batch
	flush func(Position) error                      // hands a batch on
	class func(label []byte, at place) (int, error) // numbers a label
	scan  bool                                      // only labels are looked at
	y     []int
}

func (t *rowReader) read(r *records) error {
	for !t.kept.full() {
		err := r.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return ioProblem(t.name, r.line+1, err, t.options.limits)
		}
		if err := t.row(r); err != nil {
			return err
		}
		if t.flush != nil && t.kept.kept-t.gone >= t.size {
			if err := t.flush(Position{t.kept.kept, r.offset(), r.line}); err != nil {
				return err
			}
		}
		if len(t.values) > t.options.limits.Values {
			return t.options.tooMany(t.name, r.first, fmt.Sprintf("%d rows of %d features and more", t.kept.kept, len(t.row0)))
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
		return t.flush(Position{Rows: t.kept.kept, Offset: r.offset(), Lines: r.line})
	}
	return nil
}

// begin decides what each column is.
func (t *rowReader) begin(l *layout) error {
	o := t.options
	t.layout, t.entries = l, o.entries(l)
	t.label = -1
	t.number, t.manners = make([]bool, len(l.columns)), make([]manner, len(l.columns))
	for j := range t.number {
		t.number[j] = j != l.rowNames
	}
	pick := func(column, option string) (int, error) { return l.pick(t.name, column, option) }
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
		if t.layout.rowNames >= 0 {
			t.number[t.layout.rowNames] = true
		}
		t.layout.rowNames, t.number[j] = j, false
	}
	var err error
	switch o.role {
	case roleLabel:
		t.label, err = pick(o.label, "Label")
	case roleTarget:
		t.label, err = pick(o.target, "Target")
	case roleLast:
		for j := len(t.number) - 1; j >= 0 && t.label < 0; j-- {
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
		if len(t.number) == 1 && o.role == roleLast {
			remedy = "the only column was taken for the classes; say datasets.Unlabelled() if it is a feature"
		}
		return &ReadError{File: t.name, Line: 1, What: what, Remedy: remedy}
	}
	return nil
}

// pick returns the place of a column that an option names.
func (l *layout) pick(file, column, option string) (int, error) {
	j, err := find("column", column, l.columns)
	if err == nil {
		return j, nil
	}
	e := &ReadError{File: file, What: option + ": " + err.Error()}
	if e.Line = 1; !l.written {
		e.Line, e.Remedy = 0, "the file has no header, so its columns are called x1, x2, ..."
	}
	return 0, e
}

// fits brings the fields of a record to the width of the table; ok is false for a row that is left out.
func (l *layout) fits(name string, o *readOptions, r *records) (ok bool, err error) {
	n, width := len(r.fields), len(l.columns)
	if l.trailing && n == width+1 && len(r.fields[width].text) == 0 {
		r.fields, n = r.fields[:width], width
	}
	switch {
	case n == width:
		return true, nil
	case !o.ragged:
		return false, &ReadError{
			File: name, Line: r.first, What: fmt.Sprintf("%s, but the lines before have %d", count(n, "field"), width),
			Remedy: "quote fields that contain the separator, or say datasets.Ragged()",
		}
	case n > width:
		return false, nil
	}
	for len(r.fields) < width {
		r.fields = append(r.fields, field{})
	}
	return true, nil
}

func (t *rowReader) row(r *records) error {
	ok, err := t.layout.fits(t.name, &t.options, r)
	if err != nil || !ok {
		if !ok {
			t.kept.uneven++
		}
		return err
	}
	t.row0 = t.row0[:0]
	target := 0.0
	for j, f := range r.fields {
		if !t.number[j] && j != t.label {
			continue
		}
		if j == t.label || t.scan {
			if len(f.text) <= 4 || t.missing != nil {
				if t.gap(string(f.text), f.quoted && j == t.label) {
					if t.options.drop {
						t.dropped++
						return nil
					}
					return t.absent(r, j)
				}
			}
			continue
		}
		v, how := t.decimal(f.text)
		if how&notNumber != 0 || v-v != 0 || t.entries.values != nil && t.code(v) {
			text := t.text(f.text)
			if how&notNumber == 0 && t.entries.values != nil && t.code(v) || t.gap(text, false) {
				if t.options.drop {
					t.dropped++
					return nil
				}
				return t.absent(r, j)
			}
			if v, err = t.manners[j].styled(t.entries, text); err != nil {
				return t.noNumber(r, j, text, err)
			}
		} else if how&bothSigns != 0 && !t.manners[j].plain(how) {
			return t.noNumber(r, j, string(f.text), errNotAlike)
		}
		t.row0 = append(t.row0, v)
	}
	if t.label >= 0 && t.options.role == roleTarget && !t.scan {
		text := t.text(r.fields[t.label].text)
		if v, how := t.decimal([]byte(text)); how&notNumber != 0 || v-v != 0 {
			target, err = t.manners[t.label].styled(t.entries, text)
		} else if target = v; !t.manners[t.label].plain(how) {
			err = errNotAlike
		}
		if err != nil {
			at := r.place(t.label)
			return &ReadError{
				File: t.name, Line: at.line, Column: at.column, Field: t.columns[t.label], What: fmt.Sprintf("the target %q %v", clip(text), err),
			}
		}
	}
	return t.keep(r, target)
}

// keep puts the row among those kept.
func (t *rowReader) keep(r *records, target float64) error {
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
		label := r.fields[t.label].text
		if !utf8.Valid(label) {
			label = []byte(t.text(label))
		}
		c, err := t.class(label, r.place(t.label))
		if err != nil {
			return err
		}
		t.y = append(t.y, c)
	default:
		k, known := t.numbered[string(r.fields[t.label].text)]
		if !known {
			k = int32(len(t.texts))
			t.numbered[string(r.fields[t.label].text)] = k
			t.texts, t.first = append(t.texts, t.text(r.fields[t.label].text)), append(t.first, r.place(t.label))
		}
		t.labels = put(t.labels, place, k)
	}
	if t.layout.rowNames >= 0 && t.flush == nil {
		t.rowNames = put(t.rowNames, place, t.text(r.fields[t.layout.rowNames].text))
	}
	return nil
}

func (t *rowReader) absent(r *records, j int) error {
	at := r.place(j)
	return &ReadError{
		File: t.name, Line: at.line, Column: at.column, Field: t.columns[j], What: "the value is missing",
		Remedy: "fill it in, or leave such rows out with datasets.DropMissing()",
	}
}

func (t *rowReader) noNumber(r *records, j int, text string, err error) error {
	at := r.place(j)
	remedy := fmt.Sprintf("leave the column out with datasets.Skip(%q), or make it the class with datasets.Label(%q)",
		t.columns[j], t.columns[j])
	if errors.Is(err, errNotFinite) && !t.header && t.kept.seen == 0 {
		remedy = "if the first line holds names, say datasets.Header(true)"
	}
	return &ReadError{
		File: t.name, Line: at.line, Column: at.column, Field: t.columns[j], What: fmt.Sprintf("%q %v", clip(text), err), Remedy: remedy,
	}
}

func (t *rowReader) set() (Set, error) {
	order := t.kept.order()
	s := Set{
		Name: baseName(t.name), Source: t.kept.source(t.name, t.dropped), RowNames: arranged(t.rowNames, order),
		chain: fault.Start("ReadCSV", t.name),
	}
	for _, note := range append(t.layout.notes, t.entries.notes()...) {
		s.Source += "; " + note
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
	c := column32(arranged(t.labels, order), t.texts)
	names, to := byValue(c.words)
	s.Y, s.ClassNames = make([]int, len(c.codes)), names
	for i, k := range c.codes {
		s.Y[i] = to[k]
	}
	if t.options.role == roleLast {
		// Nobody said that the last column holds classes, so it has to look like it.
		if f := fraction(t.texts); f >= 0 {
			return Set{}, t.noClasses(t.first[f], fmt.Sprintf("numbers such as %s", clip(t.texts[f])))
		}
		if k := len(s.ClassNames); k > 30 && 2*k > len(s.Y)/5 {
			return Set{}, t.noClasses(t.first[0], fmt.Sprintf("%d different values in %d rows", k, len(s.Y)))
		}
	}
	return s, nil
}

func column32(codes []int32, words []string) column {
	return column{kind: Nominal, codes: codes, words: words}.sorted()
}

func (t *rowReader) noClasses(at place, what string) error {
	column := t.columns[t.label]
	return &ReadError{
		File: t.name, Line: at.line, Column: at.column, Field: column,
		What:   fmt.Sprintf("the last column holds %s, which do not look like classes", what),
		Remedy: fmt.Sprintf("say what the column is with datasets.Label(%q), Target(%q) or Unlabelled()", column, column),
	}
}

// fraction returns the place of the first text that is a number but not a whole one, or -1.
func fraction(texts []string) int {
	return slices.IndexFunc(texts, func(text string) bool {
		v, err := number(text, false)
		return err == nil && v != math.Trunc(v)
	})
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

// baseName returns "flowers" for "data/flowers.csv.gz".
func baseName(path string) string {
	base := filepath.Base(path)
	base = strings.TrimSuffix(strings.TrimSuffix(base, ".gz"), ".zip")
	if ext := filepath.Ext(base); ext != "" && ext != base {
		base = strings.TrimSuffix(base, ext)
	}
	return base
}
