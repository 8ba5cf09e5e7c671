package datasets

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/prlab/prlab/prl/fault"
)

// LIBSVM reads a file with ReadLIBSVM, unpacking it when it is gzip. An error breaks the set.
func LIBSVM(path string, options ...Option) Set {
	s, err := open(path, func(r io.Reader) (Set, error) { return ReadLIBSVM(r, path, options...) })
	if err != nil {
		return Set{Name: filepath.Base(path), chain: fault.Start("LIBSVM", path)}.fail(err)
	}
	s.chain = fault.Start("LIBSVM", path)
	return s
}

// ReadLIBSVM reads the sparse text format of LIBSVM, one row a line: "label index:value index:value ...", with indices from 1 in increasing
// order; what is not named is zero; a # begins a comment. Labels are whole numbers and become classes in numeric order (so -1 is class 0
// and +1 is class 1); with [Target]("") they are numeric targets. [Width] sets the number of features. The result is dense, so a file
// beyond the [Limits] is refused; [Within], [FirstRows] and [SampleRows] are for large ones. [ReadSparseLIBSVM] leaves out the zeros.
//
// Source: C.-C. Chang & C.-J. Lin (2011), LIBSVM: a library for support vector machines, and the README of the program.
func ReadLIBSVM(r io.Reader, name string, options ...Option) (Set, error) {
	thin, err := readLIBSVM(r, name, options, func(rows, _, d int, o *readOptions) string {
		if d > 0 && rows > o.limits.Values/d {
			return fmt.Sprintf("%d rows of %d features", rows, d)
		}
		return ""
	})
	if err != nil {
		return Set{}, err
	}
	s := thin.Dense()
	s.chain = fault.Start("ReadLIBSVM", name)
	return s, nil
}

// readLIBSVM reads rows until tooMany says what is too much of them: of so many rows with so many numbers that are not zero, and so many
// features.
func readLIBSVM(
	r io.Reader, name string, options []Option, tooMany func(rows, stored, d int, o *readOptions) string,
) (s SparseSet, err error) {
	o, err := collect(name, options)
	if err != nil {
		return s, err
	}
	in, _, err := input(r, name, o)
	if err != nil {
		return s, err
	}
	if o.classes != nil {
		return s, &ReadError{File: name, What: "Classes is for rows in batches", Remedy: "a file that is read whole tells its classes"}
	}
	if err := o.checkWidth(name); err != nil {
		return s, err
	}
	scanner := bufio.NewScanner(in)
	scanner.Buffer(nil, o.limits.line())
	kept := newReservoir(o)
	var rows thinRows
	var row []entry
	var labels []string
	var lines []int
	d, line := o.features, 0
	for !kept.full() && scanner.Scan() {
		line++
		label, entries, err := o.libsvmLine(name, scanner.Text(), line, row[:0])
		if err != nil {
			return s, err
		}
		row = entries
		if label == "" {
			continue
		}
		if len(row) > 0 {
			d = max(d, row[len(row)-1].index)
		}
		place, ok := kept.next()
		if !ok {
			continue
		}
		rows.put(place, row)
		labels, lines = put(labels, place, label), put(lines, place, line)
		if what := tooMany(len(labels), rows.stored(), d, &o); what != "" {
			return s, o.tooMany(name, line, what)
		}
	}
	if err := scanner.Err(); err != nil {
		if err == bufio.ErrTooLong {
			return s, &ReadError{File: name, Line: line + 1, What: fmt.Sprintf("the line is longer than %d MB", o.limits.line()>>20)}
		}
		return s, ioProblem(name, line+1, err, o.limits)
	}
	if len(labels) == 0 {
		return s, &ReadError{File: name, What: "the file has no row"}
	}
	if d == 0 {
		return s, &ReadError{File: name, Line: lines[0], What: "no line has a feature"}
	}
	order := kept.order()
	labels, lines = arranged(labels, order), arranged(lines, order)
	s = SparseSet{FeatureNames: numbered("x", 1, d), Name: baseName(name), Source: kept.source(name, 0)}
	if o.role == roleTarget {
		s.Target = make([]float64, len(labels))
		for i, l := range labels {
			s.Target[i], _ = strconv.ParseFloat(l, 64)
		}
	} else {
		for i, l := range labels {
			if v, _ := strconv.ParseFloat(l, 64); v != math.Trunc(v) {
				return SparseSet{}, &ReadError{
					File: name, Line: lines[i], Column: 1, What: fmt.Sprintf("the label %s is not a whole number", l),
					Remedy: `read targets of a regression with datasets.Target("")`,
				}
			}
		}
		s.Y, s.ClassNames = classes(labels)
	}
	s.X, err = rows.matrix(d, order)
	return s, err
}

func (o readOptions) checkWidth(name string) error {
	if most := o.limits.Columns; o.features < 0 || o.features > most {
		return &ReadError{File: name, What: fmt.Sprintf("Width is %d, but needs to be 1 ... %d", o.features, most)}
	}
	return nil
}

// libsvmLine reads one line, whose numbers it appends to row. The label of an empty line is "".
func (o readOptions) libsvmLine(name, text string, line int, row []entry) (label string, _ []entry, err error) {
	most, count := o.limits.Columns, 0
	for f, at := next(text, 0); f.text != ""; f, at = next(text, at) {
		bad := func(what, remedy string) (string, []entry, error) {
			return "", nil, &ReadError{File: name, Line: line, Column: f.column, What: what, Remedy: remedy}
		}
		if count++; count == 1 {
			if strings.Contains(f.text, ":") {
				return bad("the line begins with a feature, not with a label", "put the label first, 0 if there is none")
			}
			if strings.Contains(f.text, ",") {
				return bad(fmt.Sprintf("%q holds several labels", clip(f.text)), "one row has one class; keep one label")
			}
			v, err := number(f.text, false)
			if err != nil {
				return bad(fmt.Sprintf("the label %q %v", clip(f.text), err), "number the classes")
			}
			if text, ok := canonical(f.text); ok {
				label = text
			} else {
				label = numberText(v)
			}
			continue
		}
		left, right, ok := strings.Cut(f.text, ":")
		if !ok {
			return bad(fmt.Sprintf("%q is not index:value", clip(f.text)), "")
		}
		if left == "qid" {
			return bad("query numbers (qid) belong to ranking files, which are not read", "remove them")
		}
		index, err := strconv.Atoi(left)
		switch {
		case err != nil:
			return bad(fmt.Sprintf("the index %q is not a whole number", clip(left)), "")
		case index < 1:
			return bad(fmt.Sprintf("the index is %d, but indices begin at 1", index), "add one to every index")
		case index > most:
			return bad(fmt.Sprintf("the index is %d, but at most %d features are read", index, most), "allow more with datasets.Within")
		case o.features > 0 && index > o.features:
			return bad(fmt.Sprintf("the index is %d, but Width says %d features", index, o.features), "")
		case len(row) > 0 && index <= row[len(row)-1].index:
			return bad(
				fmt.Sprintf("the index %d follows %d, but indices have to increase", index, row[len(row)-1].index),
				"sort the features of the line",
			)
		}
		v, err := number(right, false)
		if err != nil {
			return bad(fmt.Sprintf("the value %q %v", clip(right), err), "")
		}
		row = append(row, entry{index, v})
	}
	return label, row, nil
}

type entry struct {
	index int
	value float64
}

type textField struct {
	text   string
	column int // in bytes, from 1
}

// next returns the field that begins at or behind place at of a line, and the place behind it. A field without text ends the line, as
// blanks, tabs and a comment at its end do.
func next(line string, at int) (textField, int) {
	for at < len(line) && (line[at] == ' ' || line[at] == '\t' || line[at] == '\r') {
		at++
	}
	end := at
	for end < len(line) && line[end] != ' ' && line[end] != '\t' && line[end] != '\r' && line[end] != '#' {
		end++
	}
	return textField{line[at:end], at + 1}, end
}

// WriteLIBSVM writes s in the sparse text format of LIBSVM, zeros left out. Classes whose names are whole numbers are written as these, two
// other classes as -1 and +1, more as 0, 1, ...
func (s Set) WriteLIBSVM(w io.Writer) error {
	s, ok := s.step("WriteLIBSVM")
	if !ok {
		return s.Err()
	}
	thin, err := s.Sparse()
	if err != nil {
		return err
	}
	return thin.WriteLIBSVM(w)
}
