package datasets

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
)

// A ReadError says where a data file cannot be read, what is wrong there, and what to do about it.
type ReadError struct {
	File   string
	Line   int    // from 1; 0 in a binary file
	Column int    // of the line, in bytes, from 1; 0 when the whole line is meant
	Offset int64  // in a binary file
	Field  string // name of the column, or ""
	What   string
	Remedy string // or ""
}

// Error returns `flowers.csv:12:7 (column "petal length"): "5,1" is not a number; use ...`.
func (e *ReadError) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	switch {
	case e.Line > 0 && e.Column > 0:
		fmt.Fprintf(&b, ":%d:%d", e.Line, e.Column)
	case e.Line > 0:
		fmt.Fprintf(&b, ":%d", e.Line)
	case e.Offset > 0:
		fmt.Fprintf(&b, ": byte %d", e.Offset)
	}
	if e.Field != "" {
		fmt.Fprintf(&b, " (column %q)", e.Field)
	}
	b.WriteString(": " + e.What)
	if e.Remedy != "" {
		b.WriteString("; " + e.Remedy)
	}
	return b.String()
}

// Limits are what a file may hold at most, so that a damaged or hostile one is refused before it fills the memory. The 60,000 digits
// of MNIST are within them. A zero field means its default, or less where the free memory is less than 3 GB; files of text with
// separators may by default be as long as half of the free memory, and hold as many numbers, where that is more. See [Within] for
// files of one's own that are larger, and [FirstRows] and [SampleRows] for a part of them.
type Limits struct {
	Bytes   int64 // length of the file after unpacking; default 256 MB
	Values  int   // numbers in X, 8 bytes each; default 64 million
	Columns int   // features; default 100,000
}

var least = Limits{Bytes: 256 << 20, Values: 64 << 20, Columns: 100_000}

// within are limits that fit into this much free memory, where it is known: a reader takes up to about six times what a number needs
// while it reads, and a workbook eight times its length. Where memory is scarce, as in the container of a student, a file is refused,
// and not the program ended by the system.
func (l Limits) within(free int64) Limits {
	if free > 0 {
		l.Bytes, l.Values = min(l.Bytes, max(free/8, 8<<20)), min(l.Values, int(min(max(free/48, 1<<20), math.MaxInt32)))
	}
	return l
}

// roomy are the limits for files of text, in which a number takes a byte and more, so that none is much larger in memory than on the disk:
// what half of the free memory holds.
func roomy() Limits {
	free := freeMemory()
	l, half := least.within(free), free/2
	l.Bytes, l.Values = max(l.Bytes, half), max(l.Values, int(min(half/8, math.MaxInt32)))
	return l
}

// freeMemory returns the bytes of memory that programs can take, of the machine or of the group of programs that this one is in; 0 where
// that is not known.
func freeMemory() int64 {
	text, _ := os.ReadFile("/proc/meminfo")
	_, after, _ := strings.Cut(string(text), "MemAvailable:")
	kilobytes, _, _ := strings.Cut(strings.TrimSpace(after), " ")
	n, _ := strconv.ParseInt(kilobytes, 10, 64)
	free := n << 10
	number := func(file string) (int64, error) {
		text, err := os.ReadFile("/sys/fs/cgroup/" + file)
		if err != nil {
			return 0, err
		}
		return strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	}
	if most, err := number("memory.max"); err == nil {
		if used, err := number("memory.current"); err == nil {
			free = min(free, max(0, most-used))
		}
	}
	return free
}

// line is the length of a line of text at most.
func (l Limits) line() int { return max(16<<20, 160*l.Columns) }

// An Option changes how a reader understands a file.
type Option func(*readOptions)

type readOptions struct {
	label, target, rowNames string
	role                    role
	skip                    []string
	drop                    bool
	separator               rune
	header                  *bool
	features                int
	limits, within          Limits // in force, and as stated
	first, sample           int    // rows, or 0 for all
	classes                 []string
	seed                    uint64
	stated                  []stated // of the columns of a table
	missing                 []string // further texts that are gaps
	onlyEmpty               bool     // and no others than those, and the empty one
	decimal, group          rune
	skipLines               int
	names                   []string
	widths                  []int
	ragged                  bool
	member                  string // of a zip archive
	encoding                string
	decode                  func(io.Reader) io.Reader
	err                     string // of an option that cannot be used
}

type role int

const (
	roleLast  role = iota // the last column holds the classes
	roleLabel             // the column named label does
	roleTarget
	roleNone
)

// Label says which column of a CSV file holds the classes; without it the last one does.
func Label(column string) Option {
	return func(o *readOptions) { o.role, o.label = roleLabel, column }
}

// Target says that a column of a CSV file, or with "" the first entry of each LIBSVM line, is a numeric target and not a class.
func Target(column string) Option {
	return func(o *readOptions) { o.role, o.target = roleTarget, column }
}

// Unlabelled says that every column of a CSV file is a feature.
func Unlabelled() Option { return func(o *readOptions) { o.role = roleNone } }

// RowNames says which column of a CSV file names the rows. A first column without a name in the header is taken for one without being told.
func RowNames(column string) Option { return func(o *readOptions) { o.rowNames = column } }

// Skip leaves out columns of a CSV file.
func Skip(columns ...string) Option {
	return func(o *readOptions) { o.skip = append(slices.Clone(o.skip), columns...) }
}

// DropMissing leaves out rows of a CSV file with a missing value (an empty field, NA, N/A, NaN, null or ?) instead of refusing the file.
// How many they were stands in the Source of the set, which Show and Describe print.
func DropMissing() Option { return func(o *readOptions) { o.drop = true } }

// Separator sets the separator of a CSV file, which is otherwise found out: comma, semicolon or tab.
func Separator(r rune) Option { return func(o *readOptions) { o.separator = r } }

// Header says whether the first line of a CSV file holds names, which is otherwise found out.
func Header(present bool) Option { return func(o *readOptions) { o.header = &present } }

// Width sets the number of features of a LIBSVM file; without it the largest index does. Test files need the width of their training file.
func Width(features int) Option { return func(o *readOptions) { o.features = features } }

// Classes says which classes there are, in the order of their numbers, for files whose rows come in batches (see [CSVRows]): without it a
// pass over the file finds them first. A label that is not among them is an error.
func Classes(names ...string) Option {
	return func(o *readOptions) {
		if o.classes = slices.Clone(names); len(names) < 2 || duplicate(names) != "" {
			o.err = fmt.Sprintf("Classes: %d names, but two or more different ones are needed", len(names))
		}
	}
}

// Within sets what the file may hold at most, for one that is larger than the default of [Limits], or to allow less. All readers take it.
func Within(l Limits) Option {
	return func(o *readOptions) {
		if l.Bytes < 0 || l.Values < 0 || l.Columns < 0 {
			o.err = fmt.Sprintf("Within: the limits are %+v, but need to be positive, or 0 for the default", l)
		}
		o.within = l
	}
}

// FirstRows reads the first n rows and leaves the rest of the file alone. All readers take it.
func FirstRows(n int) Option {
	return func(o *readOptions) {
		if o.first = n; n < 1 {
			o.err = fmt.Sprintf("FirstRows: n is %d, but needs to be at least 1", n)
		}
	}
}

// SampleRows reads the whole file, but keeps only n rows drawn at random without replacement, each set of n with equal probability, in the
// order of the file; memory is taken for n rows. A file of fewer rows is kept whole. All readers take it.
//
// Source: J. S. Vitter (1985), Random sampling with a reservoir, ACM Transactions on Mathematical Software 11, 37-57, algorithm R.
func SampleRows(n int, seed uint64) Option {
	return func(o *readOptions) {
		if o.sample, o.seed = n, seed; n < 1 {
			o.err = fmt.Sprintf("SampleRows: n is %d, but needs to be at least 1", n)
		}
	}
}

// collect applies the options.
func collect(name string, options []Option) (readOptions, error) {
	var o readOptions
	for _, set := range options {
		if set != nil {
			set(&o)
		}
	}
	o.bound(least.within(freeMemory()))
	if o.err != "" {
		return o, &ReadError{File: name, What: o.err}
	}
	return o, nil
}

// bound sets the limits that were not stated.
func (o *readOptions) bound(l Limits) {
	w := o.within
	o.limits = Limits{cmp.Or(w.Bytes, l.Bytes), cmp.Or(w.Values, l.Values), cmp.Or(w.Columns, l.Columns)}
}

// tooMany is the error of a file of more numbers than the limits allow.
func (o readOptions) tooMany(name string, line int, what string) *ReadError {
	return &ReadError{
		File: name, Line: line, What: fmt.Sprintf("%s, but at most %d million numbers are read", what, o.limits.Values>>20),
		Remedy: "allow more with datasets.Within, or read a part with datasets.FirstRows or datasets.SampleRows",
	}
}

// A reservoir decides which rows are kept.
type reservoir struct {
	first, most int
	random      *rand.Rand
	seen, kept  int
	uneven      int   // rows left out by Ragged
	rows        []int // of the file, one for each row kept; nil while all are
}

func newReservoir(o readOptions) *reservoir {
	return &reservoir{first: o.first, most: o.sample, random: rand.New(rand.NewPCG(o.seed, 0x726f7773))}
}

// full reports whether the rest of the file does not matter.
func (r *reservoir) full() bool { return r.first > 0 && r.seen >= r.first }

// next returns the place of the next row of the file among the rows kept, their number for a new one; ok is false for a row that is not
// kept.
func (r *reservoir) next() (place int, ok bool) {
	row := r.seen
	r.seen++
	if r.most == 0 {
		r.kept++
		return row, true
	}
	if row < r.most {
		r.kept++
		r.rows = append(r.rows, row)
		return row, true
	}
	if place = r.random.IntN(row + 1); place < r.most {
		r.rows[place] = row
		return place, true
	}
	return 0, false
}

// order returns the places in the order of the file, nil when they are in it.
func (r *reservoir) order() []int {
	if r.most == 0 || r.seen <= r.most {
		return nil
	}
	order := make([]int, len(r.rows))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return r.rows[a] - r.rows[b] })
	return order
}

// source says what part of the file the rows are.
func (r *reservoir) source(file string, dropped int) string {
	var parts []string
	if r.uneven > 0 {
		parts = append(parts, fmt.Sprintf("%s of too many fields left out", count(r.uneven, "row")))
	}
	if dropped > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d rows left out, in which a value is missing", dropped, dropped+r.seen))
	}
	switch {
	case r.first > 0:
		parts = append(parts, fmt.Sprintf("the first %d rows", r.seen))
	case r.most > 0 && r.seen > r.most:
		parts = append(parts, fmt.Sprintf("%d of %d rows drawn at random", r.most, r.seen))
	}
	if parts == nil {
		return file
	}
	return file + " (" + strings.Join(parts, "; ") + ")"
}

// arranged returns v in the given order, v itself for nil.
func arranged[T any](v []T, order []int) []T {
	if order == nil || v == nil {
		return v
	}
	out := make([]T, len(order))
	for i, j := range order {
		out[i] = v[j]
	}
	return out
}

// put writes v at a place, the end of the slice for a new one.
func put[T any](to []T, place int, v T) []T {
	if place == len(to) {
		return append(to, v)
	}
	to[place] = v
	return to
}
