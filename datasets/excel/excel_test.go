package excel_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/datasets/excel"
	"github.com/prlab/prlab/prl/fuzztest"
)

func text(t *testing.T, table datasets.Table) string {
	t.Helper()
	var b strings.Builder
	if err := table.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The files are those of testdata/make.py, whose values are expected here.
func TestPython(t *testing.T) {
	table := excel.Open("testdata/pandas.xlsx")
	if got, want := table.String(), "pandas: 4 x 8 (3 numbers, 3 words, 2 dates), 6 gaps"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := table.Source, `testdata/pandas.xlsx, sheet "birds"`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := text(t, table), `row,species,mass,count,egg laid,seen,ringed,zip
10,Adelie,3750,1,2007-11-11,2007-11-11 14:30:00,yes,01234
11,,3800.5,2,2007-11-16,,no,10115
12,Gentoo & co,,3,,2007-11-12,yes,80331
13,Chinstrap,1e-07,4,1999-12-31,2007-11-12 23:59:59.250,,
`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if m := table.Numbers("mass"); m[1] != 3800.5 || !math.IsNaN(m[2]) || m[3] != 1e-7 {
		t.Error(m)
	}
	if at := table.Times("seen"); !at[3].Equal(time.Date(2007, 11, 12, 23, 59, 59, 250e6, time.UTC)) || !at[1].IsZero() {
		t.Error(at)
	}
	table = excel.Open("testdata/writer.xlsx", datasets.AsWords("code"))
	if got, want := table.Source, `testdata/writer.xlsx, sheet "fish 2024"; 2 errors of formulas are gaps`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	const fish = `fish,length,caught,at,twice,sea,code
salmon,71.5,2024-02-29,06:30:00,143,yes,1
bass,40,2024-03-01,23:59:59,80,no,2
pike,,,,,,3
river trout,30,,,merged,,
`
	if got := text(t, table); got != fish {
		t.Errorf("got  %s\nwant %s", got, fish)
	}
	if got, want := table.String(), "writer: 4 x 7 (1 numbers, 5 words, 1 dates), 9 gaps"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := text(t, excel.OpenSheet("testdata/writer.xlsx", "fish 2024", datasets.FirstRows(2), datasets.Skip("at"))); got !=
		"fish,length,caught,twice,sea,code\nsalmon,71.5,2024-02-29,143,yes,1\nbass,40,2024-03-01,80,no,2\n" {
		t.Error(got)
	}
	if got, want := text(t, excel.Open("testdata/epoch.xlsx")), "day,n\n1904-01-02,1\n2024-02-29 12:00:00,2\n"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ sheet, want string }{
		{"empty", `testdata/writer.xlsx: the sheet is empty`},
		{"notes", `testdata/writer.xlsx:1: there is a header but no row`},
		{"beside", `testdata/writer.xlsx:3: "a note" stands in column C, outside of the table, which has the columns A to B; name the ` +
			`column in row 1, or move notes to another sheet`},
		{"fish", `testdata/writer.xlsx: there is no sheet "fish"; the sheets are "notes", "fish 2024", "empty", "beside"`},
	} {
		if err := excel.OpenSheet("testdata/writer.xlsx", c.sheet).Err(); err == nil || err.Error() != "excel.OpenSheet: "+c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
	for data, want := range map[string]string{
		"":                         "f: the file is no workbook: zip: not a valid zip file; save it as .xlsx",
		"a,b\n1,2\n":               "f: the file is no workbook: zip: not a valid zip file; save it as .xlsx",
		"\xd0\xcf\x11\xe0\xa1\xb1": "f: the file is a workbook of before 2007 (.xls), or an encrypted one; save it as .xlsx without a password",
	} {
		if _, err := excel.Read(strings.NewReader(data), "f"); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	if err := excel.Open("nowhere.xlsx").Err(); err == nil || !strings.Contains(err.Error(), "there is no such file") {
		t.Error(err)
	}
	if err := excel.Open("testdata/pandas.xlsx", datasets.AsNumbers("species")).Err(); err == nil ||
		!strings.Contains(err.Error(), `testdata/pandas.xlsx:2 (column "species"): "Adelie" is not a number`) {
		t.Error(err)
	}
}

// workbook packs a sheet of the given rows, with styles 0 ... for the built-in formats given.
func workbook(t testing.TB, rows string, formats ...int) []byte {
	t.Helper()
	var styles strings.Builder
	for _, id := range formats {
		fmt.Fprintf(&styles, `<xf numFmtId="%d"/>`, id)
	}
	const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, part := range [][2]string{
		{"_rels/.rels", `<Relationships><Relationship Id="r1" Type="` + office + `officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		{"xl/workbook.xml", `<workbook xmlns:r="x"><sheets><sheet name="s" r:id="r1"/></sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="r1" Type="` + office + `worksheet" Target="/xl/s.xml"/>` +
			`<Relationship Id="r2" Type="` + office + `styles" Target="styles.xml"/>` +
			`<Relationship Id="r3" Type="` + office + `sharedStrings" Target="s.xml"/></Relationships>`}, // texts may stand behind the rows
		{"xl/styles.xml", `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="[Red]&quot;day&quot; 0.0"/>` +
			`<numFmt numFmtId="201" formatCode="[$-409]mmm\-yy;@"/><numFmt numFmtId="202" formatCode="[h]:mm"/></numFmts>` +
			`<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>` + styles.String() + `</cellXfs></styleSheet>`},
		{"xl/s.xml", `<worksheet><sheetData>` + rows + `</sheetData></worksheet>`},
	} {
		w, err := z.Create(part[0])
		if err == nil {
			_, err = io.WriteString(w, part[1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const head = `<row><c t="inlineStr"><is><t>a</t></is></c><c t="inlineStr"><is><r><t>b</t></r><rPh><t>read so</t></rPh></is></c></row>`

// What Excel and others write and the libraries of the other tests do not.
func TestCells(t *testing.T) {
	for _, c := range []struct {
		rows, want string
		formats    []int
	}{
		{head + `<row><c><v>1</v></c></row><row><c r="B9"><v>2</v></c></row>`, "a,b\n1,\n,2\n", nil}, // places left out
		{head + `<row><c t="str"><f>A1</f><v>x_x000D_y_x</v></c><c t="b"><v>0</v></c></row>`, "a,b\n\"x\ry_x\",no\n", nil},
		// the day before the one that was not, and the one after it
		{head + `<row><c s="0"><v>59</v></c><c s="1"><v>61.5</v></c></row>`, "a,b\n1900-02-28,1900-03-01 12:00:00\n", []int{14, 22}},
		{head + `<row><c s="0"><v>45351</v></c><c s="1"><v>3</v></c></row>`, "a,b\n2024-02-29,3\n", []int{201, 200}},
		{head + `<row><c s="0"><v>1.5625</v></c><c s="1"><v>0.25</v></c></row>`, "a,b\n37:30:00,06:00:00\n", []int{202, 20}},
		{head + `<row><c s="0"><v>-3</v></c><c t="d"><v>2024-02-29T06:00:00Z</v></c></row>`, "a,b\n-3,2024-02-29 06:00:00\n", []int{14}},
		{ // numbers beside a word, or beyond 2^53, keep all their digits
			head + `<row><c><v>123456789</v></c><c><v>9007199254740993</v></c></row>` +
				`<row><c t="str"><v>A1</v></c></row><row><c><v>1.5E9</v></c></row>`,
			"a,b\n123456789,9007199254740993\nA1,\n1500000000,\n", nil,
		},
		{head + `<row><c><v>1.2345678901234567E19</v></c><c/></row>`, "a,b\n1.2345678901234567e+19,\n", nil},
		{head + `<row><c><v>0.30000000000000004</v></c><c><v>3.7999999999999998</v></c></row>`, "a,b\n0.30000000000000004,3.8\n", nil},
	} {
		table, err := excel.Read(bytes.NewReader(workbook(t, c.rows, c.formats...)), "f")
		if err != nil {
			t.Errorf("%s\n%v", c.rows, err)
			continue
		}
		if got := text(t, table); got != c.want {
			t.Errorf("%s\ngot  %q\nwant %q", c.rows, got, c.want)
		}
	}
	const sparse = `<row><c><v>1</v></c><c r="XFD1"><v>1</v></c></row>`
	for rows, want := range map[string]string{
		head + `<row><c t="s"><v>7</v></c></row>`:                        `there is no text "7"`,
		head + `<row><c><v>1e999</v></c></row>`:                          `"1e999" is no number`,
		head + `<row><c r="1A"><v>1</v></c></row>`:                       `"1A" is no place of a cell`,
		head + `<row><c r="B2"><v>1</v></c><c r="A2"><v>1</v></c></row>`: `cells of row 2 are not in their order`,
		head + `<row><c r="B2"><v>1</v></c><c r="B2"><v>1</v></c></row>`: `cell B2 stands there twice`,
		head + `<row><c><v>1</v></row>`:                                  `a cell does not end`,
		head + `<row><c r="XFE1048576"><v>1</v></c></row>`:               `outside of the table, which has the columns A to B`,
		head + `<row><c r="FFFFF2"><v>1</v></c></row>`:                   `at most 100000 columns are read`,
		sparse + strings.Repeat(`<row><c><v>1</v></c></row>`, 100):       `hold something`,
	} {
		if _, err := excel.Read(bytes.NewReader(workbook(t, rows)), "f"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.200s\ngot  %v\nwant %s", rows, err, want)
		}
	}
}

// A small file may unpack to a large one.
func TestLimits(t *testing.T) {
	bomb := workbook(t, strings.Repeat(" ", 40<<20))
	used := fuzztest.Allocated(func() {
		_, err := excel.Read(bytes.NewReader(bomb), "f", datasets.Within(datasets.Limits{Bytes: 2 << 20}))
		if err == nil || !strings.Contains(err.Error(), "longer than 2 MB when it is unpacked; allow more with datasets.Within") {
			t.Error(err)
		}
	})
	fuzztest.Allowed(t, len(bomb), used, 40<<20)
	texts := workbook(t, head+strings.Repeat(`<si/>`, 2<<20))
	used = fuzztest.Allocated(func() {
		if _, err := excel.Read(bytes.NewReader(texts), "f", datasets.Within(datasets.Limits{Values: 1000})); err == nil ||
			!strings.Contains(err.Error(), "longer than") {
			t.Error(err)
		}
	})
	fuzztest.Allowed(t, len(texts), used, 4<<20)
	rows := head + strings.Repeat(`<row><c><v>1</v></c><c><v>1</v></c></row>`, 2000)
	if _, err := excel.Read(bytes.NewReader(workbook(t, rows)), "f", datasets.Within(datasets.Limits{Values: 1000})); err == nil ||
		!strings.Contains(err.Error(), "501 rows of 2 columns and more, but at most 0 million numbers are read") {
		t.Error(err)
	}
	if _, err := excel.Read(bytes.NewReader(workbook(t, rows)), "f", datasets.Within(datasets.Limits{Columns: 1})); err == nil ||
		!strings.Contains(err.Error(), "there is an entry in column B, but at most 1 columns are read") {
		t.Error(err)
	}
}

// Nothing that a sheet, or a whole workbook, holds makes the reader panic or take memory without measure.
func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.xlsx")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, false)
	}
	f.Add([]byte(head+`<row><c s="0"><v>59</v></c><c t="b"><v>1</v></c></row>`), true)
	f.Add([]byte(`<row r="3"><c r="B3" s="1"><v>1e3</v></c></row><row><c t="e"><v>#N/A</v></c></row>`), true)
	f.Fuzz(func(t *testing.T, data []byte, sheet bool) {
		if sheet {
			data = workbook(t, string(data), 14, 22)
		}
		const most = 4 << 20
		used := fuzztest.Allocated(func() {
			table, err := excel.Read(bytes.NewReader(data), "fuzz", datasets.Within(datasets.Limits{Bytes: most}))
			var where *datasets.ReadError
			if err != nil && (!errors.As(err, &where) || where.File != "fuzz" || where.What == "") {
				t.Fatalf("%q does not say where and what", err)
			}
			if err == nil && (table.Err() != nil || table.N() == 0 || table.D() == 0) {
				t.Fatal("a table without rows or columns")
			}
		})
		fuzztest.Allowed(t, len(data), used, 40*most)
	})
}
