package datasets

import (
	"archive/zip"
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// Names of columns may be numbers, and be missing above columns without entries; comments may have commas.
func TestNamesOfColumns(t *testing.T) {
	for text, want := range map[string]string{
		"country,1990,1991\nFrance,58.2,58.5\nSpain,38.8,38.9\n": "country 1990 1991",
		"\"1990\",\"b c\"\n58.2,x\n":                             "1990 b c",
		"1990,2000,2010\n1800,1200,1900\n":                       "1990 2000 2010",
		"0,1,2,3\n5.1,3.5,1.4,0.2\n":                             "0 1 2 3",
		",0,1\n0,5.1,3.5\n1,4.9,3\n":                             "row 0 1",
		"1990,1991\n1985,1980\n":                                 "x1 x2", // begin and end, say
		"0,1,2,3\n1,2,3,4\n":                                     "x1 x2 x3 x4",
		"b,0,1\nc,5,3\n":                                         "x1 x2 x3",
		"\"1\",\"2\"\n\"3\",\"4\"\n":                             "x1 x2",
		"name,city,\nBob,NY,\nAnn,LA,\n":                         "name city column 3",
		"# hi, there\nx,y\n1,2\n3,4\n":                           "x y",
		"# hi, there\n# more\nx,y\na,2\n3,4\n":                   "x y",
		"e;f,g,h\n\"x,y\",,1\na,b,2\nc,d,3\n":                    "e;f g h",
		"e;f,g\n5,6":                                             "e;f g",
		"#x,y\n1,2\n3,4\n":                                       "#x y",
		"#name,city\nBob,NY\nAnn,LA\n":                           "#name city",
	} {
		table, err := ReadTable(strings.NewReader(text), "t.csv")
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if got := strings.Join(table.Columns(), " "); got != want {
			t.Errorf("%q: the columns are %s, want %s", text, got, want)
		}
	}
	for _, c := range []struct{ text, encoding string }{
		{"\ufeffid,x\n1,2\n", "UTF-8"}, {"\xff\xfei\x00d\x00,\x00x\x00\n\x001\x00,\x002\x00", "UTF-16LE"}, {"id,x\n1,2\n", "UTF-8"},
	} {
		table, err := ReadTable(strings.NewReader(c.text), "t.csv", Encoding(c.encoding))
		if err != nil || table.Columns()[0] != "id" {
			t.Errorf("%q: %v %v", c.text, table, err)
		}
	}
}

// What WriteCSV writes, ReadTable reads.
func TestWrittenAndRead(t *testing.T) {
	for _, table := range []Table{
		NewTable("t").With("x", []string{"a;b", "c;d", "e;f"}),
		NewTable("t").With("x|y", []string{"a|b", "c|d", "e|f"}),
		NewTable("t").With("x\ty", []string{"a\tb", "c\td", "e\tf"}),
		NewTable("t").With("w", []string{"a", "b"}).With("2019", []float64{1, 2}).With("2020", []float64{3, 4}),
		NewTable("t").With("1", []string{"a", "b"}).With("NA", []string{"c", "d"}),
		NewTable("t").With("#1", []string{"a", "b"}).With("y", []string{"a", "5"}),
		NewTable("t").With("x", []float64{1e18, 1 << 53, -9.223372036854775807e18, 1e300, math.NaN()}),
	} {
		var b bytes.Buffer
		if err := table.WriteCSV(&b); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		back, err := ReadTable(&b, "t")
		if err != nil {
			t.Fatal(err)
		}
		if back.String() != table.String() || !slices.Equal(back.Columns(), table.Columns()) || written(t, back) != text {
			t.Errorf("wrote\n%sand read %v\n%s", text, back, written(t, back))
		}
	}
}

// What is damaged is an error, and what is found out for entries is found out for names.
func TestEncodingsFoundOut(t *testing.T) {
	wide := func(text string, big bool) string {
		var b []byte
		for _, u := range utf16.Encode([]rune(text)) {
			if b = append(b, byte(u), byte(u>>8)); big {
				b[len(b)-1], b[len(b)-2] = byte(u), byte(u>>8)
			}
		}
		return string(b)
	}
	for text, want := range map[string]string{
		"gr\xf6\xdfe,y\n1,2\n":                           "größe,y\n1,2\n",
		wide("gr\u00f6\u00dfe,y\n1,\U0001f600\n", true):  "größe,y\n1,😀\n",
		wide("gr\u00f6\u00dfe,y\n1,\U0001f600\n", false): "größe,y\n1,😀\n",
	} {
		table, err := ReadTable(strings.NewReader(text), "t.csv")
		if err != nil || written(t, table) != want {
			t.Errorf("%q: %v %v", text, table, err)
		}
	}
	table, err := ReadTable(strings.NewReader("gr\xf6\xdfe,y\n\xe4,2\n"), "t.csv")
	if err != nil || len(table.remarks) != 1 || !strings.Contains(table.remarks[0], "Windows 1252") {
		t.Error(table.remarks, err)
	}
	whole := wide("\ufeffx,y\n1,2", false)
	if _, err := ReadTable(strings.NewReader(whole[:len(whole)-1]), "t.csv"); err == nil || !strings.Contains(err.Error(), "ends too early") {
		t.Error(err)
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range []string{"__MACOSX/._a.csv", ".DS_Store", "d/", "d/a.csv"} {
		f, err := z.Create(name)
		if err == nil && name == "d/a.csv" {
			_, err = f.Write([]byte("x,y\n1,2\n"))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	z.Close()
	if table, err := ReadTable(&b, "t.zip"); err != nil || table.N() != 1 {
		t.Error(err)
	}
}
