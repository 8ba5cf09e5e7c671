// Package parquet reads tables from Apache Parquet files, as pandas, polars, R, DuckDB and Spark write them. It is a package of its own, so
// that no cell carries the library unasked:
//
//	birds := parquet.Open("birds.parquet").Label("species")
//
// It rests on parquet-go, which knows all encodings and compressions of the format. The other choice was the parquet package of Apache
// arrow-go: it lays values out in arrays of Arrow, which a [datasets.Table] would only copy from, and brings Thrift, Flatbuffers and Arrow
// itself along.
package parquet

import (
	"bytes"
	_ "embed" // for the program
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"github.com/prlab/prlab/datasets"
)

//go:embed parquet.go
var readProgram string

//go:embed convert.go
var convertProgram string

// Open reads a file with Read. An error breaks the table.
func Open(path string, options ...datasets.Option) datasets.Table {
	return datasets.OpenWith("parquet.Open", path, readProgram+convertProgram, func(r io.Reader) (datasets.Table, error) {
		return Read(r, path, options...)
	}, options...)
}

// Read reads a Parquet file; name stands in errors and becomes the table's name.
//
// The file says what its columns are. Numbers of any width and decimals are numbers; a column with a whole number beyond 2^53, which
// float64 would round, becomes one of words, and the source of the table says so. Texts and UUIDs are words; so are truth values, yes and
// no, and times of day without a date, 14:30:00. Days and timestamps are dates, of a time zone in UTC. null and NaN are gaps. Lists, maps
// and records, and bytes that are no text, are errors that name the column; Skip leaves it out.
//
// Options: Skip, Within, FirstRows, SampleRows, Missing. Within holds for the length of the file and for what is unpacked of it.
func Read(r io.Reader, name string, options ...datasets.Option) (t datasets.Table, err error) {
	in, limits, err := datasets.Limited(r, name, options...)
	if err != nil {
		return t, err
	}
	data, err := io.ReadAll(in)
	if err != nil {
		return t, tooLong(name, limits)
	}
	// The library panics on some damaged files.
	defer func() {
		if p := recover(); p != nil {
			t, err = datasets.Table{}, damaged(name, fmt.Errorf("%v", p))
		}
	}()
	f, err := open(data, name)
	if err != nil {
		return t, err
	}
	var columns []string
	for _, c := range f.Root().Columns() {
		columns = append(columns, c.Name())
	}
	s := &stream{name: name, data: data, file: f, limits: limits, long: make([]bool, len(columns))}
	defer s.close()
	for again := true; again; {
		s.close()
		s.left, s.columns, s.group, s.rows = limits.Bytes, nil, 0, 0
		t, err = datasets.ReadColumns(name, columns, s.next, options...)
		again = errors.Is(err, errLong)
	}
	for j, long := range s.long {
		if long {
			t.Source += fmt.Sprintf("; the whole numbers of %q, which go beyond 2^53, are words", columns[j])
		}
	}
	return t, err
}

// errLong ends reading when a column of whole numbers turns out to go beyond 2^53, so that it has to be read as words.
var errLong = errors.New("a whole number beyond 2^53")

func tooLong(name string, limits datasets.Limits) error {
	return &datasets.ReadError{
		File: name, What: fmt.Sprintf("the file is longer than %d MB when it is unpacked", limits.Bytes>>20),
		Remedy: "allow more with datasets.Within, or read a part with datasets.FirstRows or datasets.Skip",
	}
}

func damaged(name string, err error) error {
	return &datasets.ReadError{File: name, What: "the file is damaged (" + err.Error() + ")", Remedy: "fetch or write it again"}
}

// open reads the foot of the file, which says what it holds.
func open(data []byte, name string) (*parquet.File, error) {
	if len(data) < 12 || string(data[:4]) != "PAR1" && string(data[:4]) != "PARE" {
		return nil, &datasets.ReadError{File: name, What: "the file is no Parquet file"}
	}
	if string(data[len(data)-4:]) == "PARE" {
		return nil, &datasets.ReadError{File: name, What: "the file is encrypted", Remedy: "write it without"}
	}
	foot := uint64(data[len(data)-8]) | uint64(data[len(data)-7])<<8 | uint64(data[len(data)-6])<<16 | uint64(data[len(data)-5])<<24
	if string(data[len(data)-4:]) != "PAR1" || foot > uint64(len(data)-12) {
		return nil, damaged(name, errors.New("it ends too early"))
	}
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true),
		parquet.ReadBufferSize(64<<10))
	if err != nil {
		return nil, damaged(name, err)
	}
	return f, nil
}

// A stream gives the rows of a file, some thousand at a time.
type stream struct {
	name   string
	data   []byte
	file   *parquet.File
	limits datasets.Limits
	left   int64  // bytes that may still be unpacked
	long   []bool // of all columns, those of whole numbers that go beyond 2^53

	columns []*column // the wanted ones
	group   int       // the next group of rows
	rows    int64     // left of the present one
}

// batch is how many rows are handed over at a time.
const batch = 8192

func (s *stream) next(wanted []int, atMost int) ([]any, error) {
	if s.columns == nil {
		for _, j := range wanted {
			c, err := s.column(j)
			if err != nil {
				return nil, err
			}
			s.columns = append(s.columns, c)
		}
	}
	for s.rows == 0 {
		groups := s.file.RowGroups()
		if s.group == len(groups) {
			return nil, io.EOF
		}
		if err := s.begin(groups[s.group]); err != nil {
			return nil, err
		}
		s.group++
	}
	n := int(min(s.rows, int64(atMost), batch))
	s.rows -= int64(n)
	part := make([]any, len(s.columns))
	for i, c := range s.columns {
		values, err := c.read(n)
		if err == nil {
			part[i], err = c.convert(values)
		}
		if errors.Is(err, errLong) {
			s.long[wanted[i]] = true
			return nil, err
		}
		if err != nil {
			return nil, s.explain(c, err)
		}
	}
	return part, nil
}

// begin opens a group of rows.
func (s *stream) begin(group parquet.RowGroup) error {
	s.close()
	if s.rows = group.NumRows(); s.rows < 0 {
		return damaged(s.name, fmt.Errorf("a group of %d rows", s.rows))
	}
	chunks := group.ColumnChunks()
	for _, c := range s.columns {
		if c.leaf >= len(chunks) {
			return damaged(s.name, errors.New("a group of rows lacks a column"))
		}
		if err := s.measure(s.group, c); err != nil {
			return s.explain(c, err)
		}
		c.pages = chunks[c.leaf].Pages()
	}
	return nil
}

func (s *stream) close() {
	for _, c := range s.columns {
		c.close()
	}
}

// explain names the column of an error.
func (s *stream) explain(c *column, err error) error {
	if errors.Is(err, errFull) {
		return tooLong(s.name, s.limits)
	}
	e := &datasets.ReadError{File: s.name, Field: c.name, What: "the file is damaged (" + err.Error() + ")", Remedy: "fetch or write it again"}
	var u *unfit
	if errors.As(err, &u) {
		e.What, e.Remedy = u.what, "leave the column out with datasets.Skip("+strconv.Quote(c.name)+")"
	}
	return e
}

// An unfit column is none of a table.
type unfit struct{ what string }

func (u *unfit) Error() string { return u.what }

// A column reads the values of one column.
type column struct {
	name    string
	leaf    int
	convert func([]parquet.Value) (any, error)

	pages  parquet.Pages
	page   parquet.Page
	values parquet.ValueReader
	buffer []parquet.Value
}

// column finds out what a column is.
func (s *stream) column(j int) (*column, error) {
	of := s.file.Root().Columns()[j]
	c := &column{name: of.Name(), buffer: make([]parquet.Value, batch)}
	var err error
	switch {
	case of.Repeated(), !of.Leaf():
		err = &unfit{"the column holds lists or records, but a table holds one value in each place"}
	default:
		c.leaf = int(of.Index())
		c.convert, err = conversion(of.Type(), s.long[j])
	}
	if err != nil {
		return nil, s.explain(c, err)
	}
	return c, nil
}

func (c *column) close() {
	if c.page != nil {
		parquet.Release(c.page)
	}
	if c.pages != nil {
		c.pages.Close()
	}
	c.pages, c.page, c.values = nil, nil, nil
}

// read returns the next n values, which are good until the next call.
func (c *column) read(n int) ([]parquet.Value, error) {
	for got := 0; got < n; {
		if c.values == nil {
			page, err := c.pages.ReadPage()
			if err == io.EOF {
				return nil, fmt.Errorf("it has fewer values than rows")
			}
			if err != nil {
				return nil, err
			}
			c.page, c.values = page, page.Values()
		}
		k, err := c.values.ReadValues(c.buffer[got:n])
		for i := got; i < got+k; i++ { // the page may go before the values are used
			if kind := c.buffer[i].Kind(); kind == parquet.ByteArray || kind == parquet.FixedLenByteArray {
				c.buffer[i] = c.buffer[i].Clone()
			}
		}
		got += k
		switch {
		case err == io.EOF:
			parquet.Release(c.page)
			c.page, c.values = nil, nil
		case err != nil:
			return nil, err
		case k == 0:
			return nil, errors.New("a page without an end")
		}
	}
	return c.buffer[:n], nil
}
