// Package excel reads tables from the sheets of Excel workbooks (.xlsx, .xlsm). It is a package of its own, so that no cell carries
// encoding/xml unasked:
//
//	birds := excel.Open("birds.xlsx").Label("species")
//
// It needs the standard library alone. The library excelize, which is well kept and does far more, was the other choice. A table needs of a
// cell its value and whether that is a number, a text, a truth value or a date; excelize gives the text that Excel would show, or the raw
// one, and tells dates from numbers only with the whole sheet in memory. Here a sheet is read row by row, within limits, and nothing is
// added to the modules of a program that imports the package. Of .xls, the format before 2007, and of encrypted workbooks the error says
// how to save them.
package excel

import (
	"archive/zip"
	"bytes"
	_ "embed" // for the programs
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/prlab/prlab/datasets"
)

//go:embed excel.go
var bookProgram string

//go:embed rows.go
var rowsProgram string

//go:embed dates.go
var datesProgram string

// program is the text of the reader, on which it depends what a file gives.
func program() string { return bookProgram + rowsProgram + datesProgram }

// Open reads the first sheet of a workbook that is not hidden with Read. An error breaks the table.
func Open(path string, options ...datasets.Option) datasets.Table {
	return datasets.OpenWith("excel.Open", path, program(), func(r io.Reader) (datasets.Table, error) {
		return Read(r, path, options...)
	}, options...)
}

// OpenSheet reads the sheet of a name with ReadSheet. An error breaks the table, and lists the names of the sheets.
func OpenSheet(path, sheet string, options ...datasets.Option) datasets.Table {
	return datasets.OpenWith("excel.OpenSheet", path, sheet+"\n"+program(), func(r io.Reader) (datasets.Table, error) {
		return ReadSheet(r, path, sheet, options...)
	}, options...)
}

// Read reads the first sheet of a workbook that is not hidden; name stands in errors and becomes the table's name.
//
// The first row with an entry holds the names of the columns, or is the first row of a table without them, as [datasets.ReadTable] finds
// out, whose options hold here. Empty rows are passed over, and so are empty columns left of the table. A cell of a date, or of a date with
// the time, is one of its column's dates; a time of day or a duration alone is a word, 14:30:00. TRUE and FALSE are the words yes and no.
// Of a formula the result counts that was saved with it; an error such as #N/A or #DIV/0! is a gap, and the source says how many there are.
// Of merged cells the first holds the entry. Numbers that were entered as text are numbers, as in a CSV file; [datasets.AsWords] states
// otherwise.
func Read(r io.Reader, name string, options ...datasets.Option) (datasets.Table, error) {
	return ReadSheet(r, name, "", options...)
}

// ReadSheet is Read for the sheet of a name, which may be hidden; "" is the first one that is not.
func ReadSheet(r io.Reader, name, sheet string, options ...datasets.Option) (datasets.Table, error) {
	in, limits, err := datasets.Limited(r, name, options...)
	if err != nil {
		return datasets.Table{}, err
	}
	b, err := open(in, name, limits)
	if err != nil {
		return datasets.Table{}, err
	}
	part, title, err := b.find(sheet)
	if err != nil {
		return datasets.Table{}, err
	}
	s, err := b.rows(part, limits.Columns)
	if err != nil {
		return datasets.Table{}, err
	}
	defer s.close()
	t, err := datasets.ReadRows(name, s.next, options...)
	if err != nil {
		return datasets.Table{}, err
	}
	t.Source += fmt.Sprintf(", sheet %q", title)
	if s.errors > 0 {
		t.Source += fmt.Sprintf("; %d errors of formulas are gaps", s.errors)
	}
	return t, nil
}

// A book is an unpacked workbook.
type book struct {
	name    string
	limits  datasets.Limits
	left    int64                // bytes that may still be unpacked
	parts   map[string]*zip.File // by their path in small letters
	sheets  []sheet
	texts   []string // that cells share
	dates   []shape  // of each format of cells
	since04 bool     // days are counted from 1904
}

type sheet struct {
	title, part string
	hidden      bool
}

func (b *book) damaged(what string) error {
	return &datasets.ReadError{File: b.name, What: "the workbook is damaged: " + what, Remedy: "save it again as .xlsx"}
}

// open reads what all sheets share.
func open(in io.Reader, name string, limits datasets.Limits) (*book, error) {
	b := &book{name: name, limits: limits, left: limits.Bytes, parts: map[string]*zip.File{}}
	data, err := io.ReadAll(in)
	if err != nil {
		return nil, b.tooLong(err)
	}
	if bytes.HasPrefix(data, []byte("\xd0\xcf\x11\xe0")) {
		return nil, &datasets.ReadError{
			File: name, What: "the file is a workbook of before 2007 (.xls), or an encrypted one", Remedy: "save it as .xlsx without a password",
		}
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, &datasets.ReadError{File: name, What: "the file is no workbook: " + err.Error(), Remedy: "save it as .xlsx"}
	}
	for _, f := range z.File {
		b.parts[partName(f.Name)] = f
	}
	start, err := b.related("", "officeDocument")
	if err != nil {
		return nil, err
	}
	if len(start) == 0 {
		return nil, &datasets.ReadError{File: name, What: "the file holds no workbook", Remedy: "save it as .xlsx"}
	}
	main := start[0].part
	related, err := b.related(main, "")
	if err != nil {
		return nil, err
	}
	if err := b.workbook(main, related); err != nil {
		return nil, err
	}
	for _, r := range related {
		switch r.kind {
		case "sharedStrings":
			err = b.shared(r.part)
		case "styles":
			err = b.styles(r.part)
		}
		if err != nil {
			return nil, err
		}
	}
	return b, nil
}

// tooLong explains an error of reading itself.
func (b *book) tooLong(err error) error {
	var known *datasets.ReadError
	switch {
	case errors.As(err, &known):
		return err
	case errors.Is(err, errFull), strings.Contains(err.Error(), "too long"):
		return &datasets.ReadError{
			File: b.name, What: fmt.Sprintf("the workbook is longer than %d MB when it is unpacked", b.limits.Bytes>>20),
			Remedy: "allow more with datasets.Within, or read a part with datasets.FirstRows",
		}
	}
	return b.damaged(err.Error())
}

var errFull = errors.New("too long")

// partName is the path of a part as the book keeps it.
func partName(s string) string {
	return strings.ToLower(strings.TrimPrefix(strings.ReplaceAll(s, `\`, "/"), "/"))
}

// An unpacked part counts what it gives against what the whole book may.
type unpacked struct {
	io.ReadCloser
	book *book
}

func (u *unpacked) Read(p []byte) (int, error) {
	if u.book.left <= 0 {
		return 0, errFull
	}
	if int64(len(p)) > u.book.left {
		p = p[:u.book.left]
	}
	n, err := u.ReadCloser.Read(p)
	u.book.left -= int64(n)
	return n, err
}

// part opens a part.
func (b *book) part(name string) (io.ReadCloser, error) {
	f := b.parts[partName(name)]
	if f == nil {
		return nil, b.damaged(fmt.Sprintf("the part %q is missing", clip(name)))
	}
	r, err := f.Open()
	if err != nil {
		return nil, b.damaged(err.Error())
	}
	return &unpacked{r, b}, nil
}

// each calls f for the beginning, the text and the end of each element of a part.
func (b *book) each(name string, f func(token xml.Token) error) error {
	r, err := b.part(name)
	if err != nil {
		return err
	}
	defer r.Close()
	d := xml.NewDecoder(r)
	for {
		token, err := d.RawToken()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = f(token)
		}
		if err != nil {
			return b.tooLong(err)
		}
	}
}

// attribute returns an attribute of an element by its local name, "" if it is not there.
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// A relation leads from one part to another.
type relation struct{ id, kind, part string }

// related returns what a part, "" for the book itself, is related to: all, or of one kind.
func (b *book) related(from, kind string) ([]relation, error) {
	name := path.Join(path.Dir(from), "_rels", path.Base(from)+".rels")
	if from == "" {
		name = "_rels/.rels"
	}
	var all []relation
	err := b.each(name, func(token xml.Token) error {
		e, ok := token.(xml.StartElement)
		if !ok || e.Name.Local != "Relationship" {
			return nil
		}
		r := relation{attribute(e, "Id"), path.Base(attribute(e, "Type")), attribute(e, "Target")}
		if !strings.HasPrefix(r.part, "/") {
			r.part = path.Join(path.Dir(from), r.part)
		}
		if kind == "" || r.kind == kind {
			all = append(all, r)
		}
		return nil
	})
	return all, err
}

// workbook reads the list of the sheets.
func (b *book) workbook(name string, related []relation) error {
	return b.each(name, func(token xml.Token) error {
		e, ok := token.(xml.StartElement)
		if !ok {
			return nil
		}
		switch e.Name.Local {
		case "workbookPr":
			b.since04 = truth(attribute(e, "date1904"))
		case "sheet":
			s := sheet{title: attribute(e, "name"), hidden: strings.Contains(strings.ToLower(attribute(e, "state")), "hidden")}
			for _, a := range e.Attr {
				for _, r := range related {
					if a.Name.Local == "id" && a.Name.Space != "" && a.Value == r.id && r.kind == "worksheet" {
						s.part = r.part
					}
				}
			}
			if s.part != "" { // else a sheet of a chart
				b.sheets = append(b.sheets, s)
			}
		}
		return nil
	})
}

func truth(s string) bool { return s == "1" || s == "true" || s == "on" }

// find returns the part of a sheet and its title.
func (b *book) find(title string) (part, found string, err error) {
	var titles []string
	for _, s := range b.sheets {
		if s.title == title || title == "" && !s.hidden {
			return s.part, s.title, nil
		}
		titles = append(titles, strconv.Quote(clip(s.title)))
	}
	if len(titles) == 0 {
		return "", "", &datasets.ReadError{File: b.name, What: "the workbook has no sheet of cells"}
	}
	if title == "" {
		return "", "", &datasets.ReadError{
			File: b.name, What: "all sheets are hidden: " + strings.Join(titles, ", "), Remedy: "name one with excel.OpenSheet",
		}
	}
	what := fmt.Sprintf("there is no sheet %q; the sheets are %s", clip(title), strings.Join(titles, ", "))
	return "", "", &datasets.ReadError{File: b.name, What: what}
}

// shared reads the texts that cells share, without the reading aids of Asian scripts.
func (b *book) shared(name string) error {
	var text strings.Builder
	item, t, aid := false, false, 0
	return b.each(name, func(token xml.Token) error {
		switch e := token.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "si":
				item = true
				text.Reset()
			case "t":
				t = true
			case "rPh":
				aid++
			}
		case xml.CharData:
			if item && t && aid == 0 {
				text.Write(e)
			}
		case xml.EndElement:
			switch e.Name.Local {
			case "si":
				if item = false; len(b.texts) >= b.limits.Values/8 { // a text takes more than a number
					return errFull
				}
				b.texts = append(b.texts, unescaped(text.String()))
			case "t":
				t = false
			case "rPh":
				aid--
			}
		}
		return nil
	})
}

// unescaped puts the characters in that XML cannot hold: _x000D_ is a carriage return.
func unescaped(s string) string {
	if !strings.Contains(s, "_x") {
		return s
	}
	var out strings.Builder
	for {
		at := strings.Index(s, "_x")
		if at < 0 || len(s) < at+7 {
			break
		}
		code, err := strconv.ParseUint(s[at+2:at+6], 16, 16)
		if err != nil || s[at+6] != '_' {
			out.WriteString(s[:at+2])
			s = s[at+2:]
			continue
		}
		out.WriteString(s[:at])
		out.WriteRune(rune(code))
		s = s[at+7:]
	}
	out.WriteString(s)
	return out.String()
}

func clip(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}
