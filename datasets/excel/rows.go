package excel

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/prlab/prlab/datasets"
)

// A stream gives the rows of a sheet, each as wide as the table.
type stream struct {
	book   *book
	in     io.ReadCloser
	xml    *xml.Decoder
	widest int
	row    int // of the sheet, from 1
	errors int // of formulas

	left, right int   // columns of the table, from 0; right is behind the last
	ahead       []row // rows that were read to find them
	top         int   // the first row of the table
	began       bool
	cells, room int // entries so far, and the places they stood among
}

// A row holds the entries of a row of the sheet, by columns that rise.
type row struct {
	line    int
	columns []int
	texts   []string
}

// rows begins to read a sheet.
func (b *book) rows(part string, widest int) (*stream, error) {
	r, err := b.part(part)
	if err != nil {
		return nil, err
	}
	return &stream{book: b, in: r, xml: xml.NewDecoder(r), widest: widest}, nil
}

func (s *stream) close() { s.in.Close() }

// next returns the texts of the next row that is not empty.
func (s *stream) next() ([]string, int, error) {
	if !s.began {
		if err := s.begin(); err != nil {
			return nil, 0, err
		}
	}
	var r row
	if len(s.ahead) > 0 {
		r, s.ahead = s.ahead[0], s.ahead[1:]
	} else {
		var err error
		if r, err = s.read(); err != nil {
			return nil, 0, err
		}
	}
	values := make([]string, s.right-s.left)
	for i, c := range r.columns {
		if c < s.left || c >= s.right {
			return nil, 0, &datasets.ReadError{
				File: s.book.name, Line: r.line,
				What: fmt.Sprintf("%q stands in column %s, outside of the table, which has the columns %s to %s",
					clip(r.texts[i]), letters(c), letters(s.left), letters(s.right-1)),
				Remedy: fmt.Sprintf("name the column in row %d, or move notes to another sheet", s.top),
			}
		}
		values[c-s.left] = r.texts[i]
	}
	s.cells, s.room = s.cells+len(r.columns), s.room+len(values)
	if s.room > 1<<20 && s.room > 100*s.cells {
		return nil, 0, &datasets.ReadError{
			File: s.book.name, Line: r.line, What: fmt.Sprintf("of %d cells so far only %d hold something", s.room, s.cells),
			Remedy: "delete what stands far to the right of the table",
		}
	}
	return values, r.line, nil
}

// begin finds the columns of the table: those of the first row with an entry, and one more to the left, of row names, if the second row has
// it.
func (s *stream) begin() error {
	s.began = true
	for range 2 {
		r, err := s.read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		s.ahead = append(s.ahead, r)
	}
	if s.ahead == nil {
		return &datasets.ReadError{File: s.book.name, What: "the sheet is empty"}
	}
	first := s.ahead[0].columns
	s.top = s.ahead[0].line
	s.left, s.right = first[0], first[len(first)-1]+1
	if len(s.ahead) == 2 && s.ahead[1].columns[0] == s.left-1 {
		s.left--
	}
	return nil
}

// read returns the next row that is not empty.
func (s *stream) read() (row, error) {
	var r row
	for {
		token, err := s.xml.RawToken()
		if err == io.EOF {
			return r, err
		}
		if err != nil {
			return r, s.book.tooLong(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "row":
				s.row++
				if n, err := strconv.Atoi(attribute(e, "r")); err == nil && n > 0 {
					s.row = n
				}
				r = row{line: s.row}
			case "c":
				if err := s.cell(e, &r); err != nil {
					return r, s.book.tooLong(err)
				}
			}
		case xml.EndElement:
			switch {
			case e.Name.Local == "row" && len(r.columns) > 0:
				return r, nil
			case e.Name.Local == "sheetData":
				return r, io.EOF
			}
		}
	}
}

// cell adds a cell to the row, unless it is empty.
func (s *stream) cell(e xml.StartElement, r *row) error {
	at := 0
	if len(r.columns) > 0 {
		at = r.columns[len(r.columns)-1] + 1
	}
	if place := attribute(e, "r"); place != "" {
		var ok bool
		if at, ok = column(place); !ok {
			return s.book.damaged(fmt.Sprintf("%q is no place of a cell", clip(place)))
		}
	}
	if at >= s.widest {
		return &datasets.ReadError{
			File: s.book.name, Line: r.line,
			What:   fmt.Sprintf("there is an entry in column %s, but at most %d columns are read", letters(at), s.widest),
			Remedy: "allow more with datasets.Within",
		}
	}
	value, text, err := s.content()
	if err != nil {
		return err
	}
	if text, err = s.text(attribute(e, "t"), attribute(e, "s"), value, text); err != nil || text == "" {
		return err
	}
	if n := len(r.columns); n > 0 && r.columns[n-1] >= at {
		if slices.Contains(r.columns, at) {
			return s.book.damaged(fmt.Sprintf("the cell %s%d stands there twice", letters(at), r.line))
		}
		return s.book.damaged(fmt.Sprintf("the cells of row %d are not in their order", r.line))
	}
	r.columns, r.texts = append(r.columns, at), append(r.texts, text)
	return nil
}

// content reads to the end of the cell: the value, and the text that stands in the cell itself.
func (s *stream) content() (value, text string, err error) {
	var v, t strings.Builder
	var into *strings.Builder
	aid := 0
	for {
		token, err := s.xml.RawToken()
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return "", "", err
		}
		switch e := token.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "v":
				into = &v
			case "t":
				into = &t
			case "rPh":
				aid++
			}
		case xml.CharData:
			if into != nil && aid == 0 {
				into.Write(e)
			}
		case xml.EndElement:
			switch e.Name.Local {
			case "v", "t":
				into = nil
			case "rPh":
				aid--
			case "c":
				return v.String(), t.String(), nil
			case "row", "sheetData":
				return "", "", s.book.damaged("a cell does not end")
			}
		}
	}
}

// text returns what a cell of a type and a format says, "" for a gap.
func (s *stream) text(kind, style, value, inline string) (string, error) {
	switch kind {
	case "s":
		if value == "" {
			return "", nil
		}
		i, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || i < 0 || i >= len(s.book.texts) {
			return "", s.book.damaged(fmt.Sprintf("there is no text %q", clip(value)))
		}
		return s.book.texts[i], nil
	case "inlineStr":
		return unescaped(inline), nil
	case "str":
		return unescaped(value), nil
	case "b":
		switch value {
		case "":
			return "", nil
		case "0", "false":
			return "no", nil
		}
		return "yes", nil
	case "e":
		s.errors++
		return "", nil
	case "d":
		if value = strings.Replace(strings.TrimSuffix(value, "Z"), "T", " ", 1); len(value) == len("2006-01-02") {
			value += " 00:00:00" // so that all dates of a column are written alike
		}
		return value, nil
	}
	value = strings.TrimSpace(value)
	if value == "" {
		return "", nil
	}
	v, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return "", s.book.damaged(fmt.Sprintf("%q is no number", clip(value)))
	}
	if i, err := strconv.Atoi(style); err == nil && i >= 0 && i < len(s.book.dates) {
		text, ok := "", false
		switch s.book.dates[i] {
		case date:
			text, ok = s.book.moment(v)
		case clock:
			text, ok = duration(v)
		}
		if ok {
			return text, nil
		}
	}
	switch a := math.Abs(v); {
	case strings.Trim(value, "-0123456789") == "": // with all its digits, though float64 may not have them
		return value, nil
	case a > 1<<53 || a < 1e-6:
		return strconv.FormatFloat(v, 'g', -1, 64), nil
	}
	return strconv.FormatFloat(v, 'f', -1, 64), nil
}

// column returns the column of a place such as "AB12", from 0.
func column(place string) (int, bool) {
	n := 0
	for i, c := range []byte(place) {
		switch {
		case c >= 'A' && c <= 'Z' && n < 1<<20:
			n = 26*n + int(c-'A') + 1
		case c >= 'a' && c <= 'z' && n < 1<<20:
			n = 26*n + int(c-'a') + 1
		case c >= '0' && c <= '9' && i > 0:
			return n - 1, true
		default:
			return 0, false
		}
	}
	return 0, false
}

// letters is the name of a column, from 0.
func letters(column int) string {
	var b []byte
	for column++; column > 0; column = (column - 1) / 26 {
		b = append(b, byte('A'+(column-1)%26))
	}
	slices.Reverse(b)
	return string(b)
}
