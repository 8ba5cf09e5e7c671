package datasets

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
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

// What a file may hold at most, so that a damaged or hostile one is refused before it fills the memory.
const (
	maxBytes   = 256 << 20 // after unpacking
	maxValues  = 32 << 20  // numbers in X
	maxColumns = 100_000
	maxLine    = 16 << 20
)

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
func DropMissing() Option { return func(o *readOptions) { o.drop = true } }

// Separator sets the separator of a CSV file, which is otherwise found out: comma, semicolon or tab.
func Separator(r rune) Option { return func(o *readOptions) { o.separator = r } }

// Header says whether the first line of a CSV file holds names, which is otherwise found out.
func Header(present bool) Option { return func(o *readOptions) { o.header = &present } }

// Width sets the number of features of a LIBSVM file; without it the largest index does. Test files need the width of their training file.
func Width(features int) Option { return func(o *readOptions) { o.features = features } }

func collect(options []Option) readOptions {
	var o readOptions
	for _, set := range options {
		if set != nil {
			set(&o)
		}
	}
	return o
}

var errTooLong = errors.New("too long")

// input returns r unpacked when it is gzip, limited to maxBytes.
func input(r io.Reader, name string) (*bufio.Reader, error) {
	if r == nil {
		return nil, &ReadError{File: name, What: "the reader is nil"}
	}
	b := bufio.NewReader(r)
	if head, _ := b.Peek(2); len(head) == 2 && head[0] == 0x1f && head[1] == 0x8b {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, &ReadError{File: name, What: "the gzip header is damaged: " + err.Error(), Remedy: "fetch the file again"}
		}
		b = bufio.NewReader(z)
	}
	return bufio.NewReader(&limited{r: b, left: maxBytes}), nil
}

// limited is io.LimitedReader, except that the end of the allowance is an error and not the end of the file.
type limited struct {
	r    io.Reader
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errTooLong
	}
	if int64(len(p)) > l.left {
		p = p[:l.left]
	}
	n, err := l.r.Read(p)
	l.left -= int64(n)
	return n, err
}

// ioProblem explains an error of reading itself.
func ioProblem(name string, line int, err error) error {
	e := &ReadError{File: name, Line: line, What: err.Error()}
	switch {
	case errors.Is(err, errTooLong):
		e.What, e.Remedy = fmt.Sprintf("the file is longer than %d MB", maxBytes>>20), "read a part of it"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader):
		e.What, e.Remedy = "the file ends too early or is damaged ("+err.Error()+")", "fetch the file again"
	}
	return e
}

// open applies read to a file; the error of opening it names the remedy.
func open(path string, read func(io.Reader) (Set, error)) (Set, error) {
	f, err := os.Open(path)
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			here, _ := os.Getwd()
			return Set{}, &ReadError{File: path, What: "there is no such file", Remedy: "a path is taken from the working directory, " + here}
		}
		return Set{}, &ReadError{File: path, What: err.Error()}
	}
	defer f.Close()
	return read(f)
}

// classes turns label texts into numbers 0 ... K-1: whole numbers in numeric order, everything else in alphabetic order.
func classes(labels []string) (y []int, names []string) {
	numeric := true
	seen := map[string]bool{}
	for _, l := range labels {
		if !seen[l] {
			seen[l] = true
			names = append(names, l)
			if _, err := strconv.ParseFloat(l, 64); err != nil {
				numeric = false
			}
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		if numeric {
			u, _ := strconv.ParseFloat(a, 64)
			v, _ := strconv.ParseFloat(b, 64)
			if u != v {
				if u < v {
					return -1
				}
				return 1
			}
		}
		return strings.Compare(a, b)
	})
	index := make(map[string]int, len(names))
	for i, n := range names {
		index[n] = i
	}
	y = make([]int, len(labels))
	for i, l := range labels {
		y[i] = index[l]
	}
	return y, names
}

// fractional returns the first text that is a number but not a whole one.
func fractional(labels []string) string {
	for _, l := range labels {
		if v, err := strconv.ParseFloat(l, 64); err == nil && v != math.Trunc(v) {
			return l
		}
	}
	return ""
}
