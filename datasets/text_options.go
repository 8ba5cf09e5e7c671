package datasets

import (
	"fmt"
	"slices"
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

// Missing names further texts that are gaps, "-99" or "unknown" say, beside an empty field, NA, N/A, NaN, null and ?. Numbers are compared
// by their value, so that "-99" means -99.0 too. Missing() without texts says that nothing but an empty field is a gap.
func Missing(texts ...string) Option {
	return func(o *readOptions) {
		o.missing = append(slices.Clone(o.missing), texts...)
		o.onlyEmpty = o.onlyEmpty || len(texts) == 0
	}
}

// SkipLines passes over the first n lines of a file, which come before its table. Without it, lines of one field and comments with # before
// the table are found out.
func SkipLines(n int) Option {
	return func(o *readOptions) {
		if o.skipLines = n; n < 0 {
			o.err = fmt.Sprintf("SkipLines: n is %d, but needs to be at least 0", n)
		}
	}
}

// Names names the columns of a file, in the place of its header if it has one.
func Names(columns ...string) Option {
	return func(o *readOptions) {
		if o.names = slices.Clone(columns); len(columns) == 0 || duplicate(columns) != "" {
			o.err = fmt.Sprintf("Names: %d names, but one or more different ones are needed", len(columns))
		}
	}
}

// FixedWidths splits each line into fields of so many letters instead of by separators; the last field takes the rest of the line.
func FixedWidths(widths ...int) Option {
	return func(o *readOptions) {
		o.widths = slices.Clone(widths)
		for i, w := range widths {
			if w < 1 {
				o.err = fmt.Sprintf("FixedWidths: width %d is %d, but needs to be at least 1", i+1, w)
			}
		}
		if len(widths) == 0 {
			o.err = "FixedWidths: no width is given"
		}
	}
}

// Thousands states what stands between groups of three digits: Thousands(',') for 1,258. Without it a column all of whose entries are
// written so is found out.
func Thousands(r rune) Option { return func(o *readOptions) { o.group = r } }

// Decimal states the decimal sign, '.' or ','. Without it a point is one, and a comma where commas do not separate fields.
func Decimal(r rune) Option {
	return func(o *readOptions) {
		if o.decimal = r; r != '.' && r != ',' {
			o.err = fmt.Sprintf("Decimal: %q, but needs to be '.' or ','", r)
		}
	}
}

// Ragged fills rows of too few fields with gaps, and leaves out rows of too many; how many these were stands in the Source. Without it such
// a row is an error.
func Ragged() Option { return func(o *readOptions) { o.ragged = true } }

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

// sets reports options that are for tables.
func (o readOptions) sets(name string) error {
	if o.stated == nil {
		return nil
	}
	return &ReadError{
		File: name, What: "AsWords, AsNumbers and AsDates are for tables, while a data set holds numbers",
		Remedy: "read it with OpenTable and say .Label(column) afterwards",
	}
}
