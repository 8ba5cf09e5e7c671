package datasets

import (
	"archive/zip"
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// Long whole numbers are kept as words, in every reader and for every key (pandas#48170, #52505).
func TestLongNumbersAreExact(t *testing.T) {
	ids := read(t, "id,y\n9007199254740993,1\n9007199254740992,2\n9007199254740994,3\n")
	if s := ids.Label("id"); s.K() != 3 || !slices.Equal(s.Y, []int{1, 0, 2}) {
		t.Errorf("classes %q of %v", s.ClassNames, s.Y)
	}
	if note := ids.Describe().String(); !strings.Contains(note, `"id" holds whole numbers beyond 2^53, such as 9007199254740993`) {
		t.Error(note)
	}
	a, b := read(t, "id,a\n9007199254740993,1\n9007199254740992,2\n"), read(t, "id,b\n9007199254740992,3\n")
	if n := a.Join(b, "id").N(); n != 1 {
		t.Errorf("%d rows were joined, want 1", n)
	}
	made := NewTable("made").With("id", []int{9007199254740993, 9007199254740992}).With("x", []int64{1, 2})
	if n := made.GroupBy("id").Counts().N(); n != 2 || made.columns[1].kind != Numeric {
		t.Errorf("%d groups, want 2", n)
	}
	if note := made.Describe().String(); !strings.Contains(note, "beyond 2^53") {
		t.Error(note)
	}
	var text bytes.Buffer
	if err := read(t, "n\n1234567890123456789\n\n5\n").WriteCSV(&text); err != nil || text.String() != "n\n1234567890123456789\n5\n" {
		t.Errorf("%q, %v", text.String(), err)
	}
	// A measurement with many digits is a number, as is what is stated to be one.
	if v := read(t, "m\n12345678901234567890\n0.5\n").Numbers("m"); v[0] != 12345678901234567890 {
		t.Error(v)
	}
	if v := read(t, "m\n12345678901234567890\n", AsNumbers("m")).Numbers("m"); v[0] != 12345678901234567890 {
		t.Error(v)
	}
	if s, err := ReadCSV(strings.NewReader("a,id\n1,9007199254740993\n2,9007199254740992\n"), "f"); err != nil || s.K() != 2 {
		t.Error(s, err)
	}
	fine := time.Date(2024, 1, 2, 3, 4, 5, 678901234, time.UTC)
	if err := NewTable("t").With("t", []time.Time{fine}).Err(); err == nil || !strings.Contains(err.Error(), "finer than a microsecond") {
		t.Error(err)
	}
	round := fine.Round(time.Microsecond)
	if v := NewTable("t").With("t", []time.Time{round}).Times("t"); !v[0].Equal(round) {
		t.Errorf("%v became %v", round, v[0])
	}
	if v := read(t, "t\n2024-01-02 03:04:05.678901\n2024-01-02 03:04:05.678902\n"); v.GroupBy("t").Counts().N() != 2 ||
		v.columns[0].kind != Temporal {
		t.Error(v)
	}
	if v := read(t, "t\n2024-01-02 03:04:05.6789011\n2024-01-02 03:04:05.6789012\n"); v.GroupBy("t").Counts().N() != 2 {
		t.Error(v)
	}
}

// Numbers print as a person writes them, so that words made of them join words that were read.
func TestNumbersAsAPersonWritesThem(t *testing.T) {
	a, b := read(t, "id,x\n1000000,1\n21000000,2\n").AsWords("id"), read(t, "id,y\n1000000,3\n21000000,4\n", AsWords("id"))
	if v := a.Words("id"); !slices.Equal(v, []string{"1000000", "21000000"}) || a.Join(b, "id").N() != 2 {
		t.Error(v)
	}
	if s := read(t, "id,x\n1000000,1\n21000000,2\n").Label("id"); !slices.Equal(s.ClassNames, []string{"1000000", "21000000"}) {
		t.Error(s.ClassNames)
	}
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64().Draw(t, "v")
		if back, err := number(numberText(v), false); err != nil || back != v {
			t.Fatalf("%v is written %s and read %v", v, numberText(v), back)
		}
	})
}

// Files of another shape are read as they are meant, with a note, or refused with a remedy (csvkit#50).
func TestShapesOfFiles(t *testing.T) {
	for _, c := range []struct {
		name, text, want, note string
		options                []Option
	}{
		{"decimal comma in one column", "a\n1,5\n2,5\n", "a\n1.5\n2.5\n", "the comma was taken for the decimal sign", nil},
		{"the same, stated", "a\n1,5\n2,5\n", "a\n1.5\n2.5\n", "", []Option{Separator(';')}},
		{"thousands, stated", "a\n1,000\n2,500\n", "a\n1000\n2500\n", "", []Option{Separator(';'), Thousands(',')}},
		{"decimals, stated", "a\n1,000\n2,500\n", "a\n1\n2.5\n", "", []Option{Separator(';'), Decimal(',')}},
		{"CR", "a,b\r1,2\r3,4\r", "a,b\n1,2\n3,4\n", "", nil},
		{"mixed line ends", "a,b\r\n1,2\r3,4\n5,6", "a,b\n1,2\n3,4\n5,6\n", "", nil},
		{"comment", "# comment\na,b\n1,2\n3,4\n", "a,b\n1,2\n3,4\n", "1 line before the table", nil},
		{"titles", "Report\nof 2020\n\nwho,what\nx,1\ny,2\n", "who,what\nx,1\ny,2\n", "2 lines before the table", nil},
		{"title above two columns", "Report\nwho,what\nx,1\ny,2\n", "who,what\nx,1\ny,2\n", "1 line before the table", nil},
		{"lines skipped", "a,b,c\nd\nx,y\n1,2\n", "x,y\n1,2\n", "", []Option{SkipLines(2)}},
		{"row names of words", "a,b\nu,1,2\nv,3,4\n", "row,a,b\nu,1,2\nv,3,4\n", "the names of the rows", nil},
		{"row names that count", "a,b\n1,7,2\n2,3,4\n", "row,a,b\n1,7,2\n2,3,4\n", "the names of the rows", nil},
		{"separators behind the last field", "a,b\n1,2,\n3,4,\n", "a,b\n1,2\n3,4\n", "another separator", nil},
		{"Latin", "a,b\n1,caf\xe9\n", "a,b\n1,café\n", "taken for Windows 1252", nil},
		{"a code page", "a,b\n1,\xf4\xf8\n", "a,b\n1,фш\n", "", []Option{Encoding("Windows 1251")}},
		{"names twice", "a,a\n1,2\n", "a,a2\n1,2\n", "columns were renamed a2", nil},
		{"names stated", "1,2\n3,4\n", "u,v\n1,2\n3,4\n", "", []Option{Names("u", "v")}},
		{"names in place of others", "a,b\n3,4\n", "u,v\n3,4\n", "", []Option{Names("u", "v")}},
		{"blanks", "  5.1  3.5  1\n 4.9   3.0 2 \n", "x1,x2,x3\n5.1,3.5,1\n4.9,3,2\n", "", nil},
		{"strokes", "a|b\n1|x\n2|y\n", "a,b\n1,x\n2,y\n", "", nil},
		{"semicolons and decimal commas without a header", "1,5;2,5\n3,5;4,5\n", "x1,x2\n1.5,2.5\n3.5,4.5\n", "", nil},
		{"tabs and decimal commas", "a\tb\n1,5\tx\n2,25\ty\n", "a,b\n1.5,x\n2.25,y\n", "", nil},
		{"fixed widths", "name  n\nünö   1\nab   22\n", "name,n\nünö,1\nab,22\n", "", []Option{FixedWidths(5, 2)}},
		{"ragged", "a,b\n1\n2,3\n4,5,6\n", "a,b\n1,\n2,3\n", "", []Option{Ragged()}},
		{"thousands", "hits\n293\n\"1,258\"\n", "hits\n293\n1258\n", `with ',' between thousands`, nil},
		{"money", "salary\n\"$1,000\"\n$75.50\n", "salary\n1000\n75.5\n", "in $ with ',' between thousands", nil},
		{"per cent", "share\n25.2%\n7%\n", "share\n25.2\n7\n", "in %", nil},
		{"days first", "d\n31/12/2013\n01/02/2013\n", "d\n2013-12-31\n2013-02-01\n", "day/month/year", nil},
		{"months first", "d\n12/31/2013\n01/02/2013\n", "d\n2013-12-31\n2013-01-02\n", "month/day/year", nil},
		{"days or months", "d\n01/02/2013\n", "d\n01/02/2013\n", `datasets.AsDates("2/1/2006", "d")`, nil},
		{"clock", "d\n01.01.2013 01:00\n", "d\n2013-01-01 01:00:00\n", "", nil},
		{"names of months", "d\n01 Jan 2013\n", "d\n2013-01-01\n", "", nil},
		{"days beside moments", "d\n2009-11-16 14:30\n2009-11-16\n", "d\n2009-11-16 14:30:00\n2009-11-16\n", "", nil},
		{"a quotation mark", "a,b\n1,5\" pipe\n", "a,b\n1,\"5\"\" pipe\"\n", "", nil},
		{"missing codes by value", "h\n-999.0\n-999\n5\n-9.99e2\n", "h\nNA\nNA\n5\nNA\n", "", []Option{Missing("-999")}},
		{"missing codes that are not there", "h\n5\n", "h\n5\n", `no entry is "-999"`, []Option{Missing("-999")}},
		{"a word behind numbers", "a,b\n1,x\n2,y\nz,w\n", "a,b\n1,x\n2,y\nz,w\n", `in line 4 stands "z"`, nil},
	} {
		table, err := ReadTable(strings.NewReader(c.text), "f.csv", c.options...)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var text bytes.Buffer
		if err := table.WriteCSV(&text); err != nil || text.String() != c.want {
			t.Errorf("%s: got\n%swant\n%s%v", c.name, &text, c.want, err)
		}
		if notes := strings.Join(table.remarks, "; ") + table.Source; !strings.Contains(notes, c.note) || c.note == "" && len(table.remarks) > 0 {
			t.Errorf("%s: the notes are %q, want %q", c.name, notes, c.note)
		}
	}
	for text, want := range map[string]string{
		"a\n1,000\n2,500\n":     "may separate thousands, decimals or fields; say datasets.Thousands(',')",
		"a,b\n7,1,2\n9,3,4\n":   "f.csv:2: 3 fields, but the header has 2; name all columns with datasets.Names",
		"a,b\n1,\"x\n2,y\n3,z":  "f.csv:2:3: a quotation mark opens a field here and none closes it",
		"a,b\n1,\"x\" y\n3,z\n": "f.csv:2:7: text stands behind the closing quotation mark",
		"a,b\n1,2\n3\n":         "or say datasets.Ragged()",
	} {
		if _, err := ReadTable(strings.NewReader(text), "f.csv"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for option, want := range map[*Option]string{
		ptr(Encoding("klingon")): "Encoding: \"klingon\" is unknown", ptr(SkipLines(-1)): "SkipLines", ptr(Names("a", "a")): "Names",
		ptr(FixedWidths(0)): "FixedWidths", ptr(Decimal('x')): "Decimal", ptr(SkipLines(9)): "the file ends within the 9 lines",
		ptr(Names("a")): "Names has 1 names, but there are 2 columns",
	} {
		if _, err := ReadTable(strings.NewReader("a,b\n1,2\n"), "f.csv", *option); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func ptr[T any](v T) *T { return &v }

// A table, a set and rows in batches read the same numbers from the same file, whatever its shape and encoding.
func TestOneReader(t *testing.T) {
	utf16Text := func(big bool, mark bool, text string) string {
		var b []byte
		if mark {
			text = "\ufeff" + text
		}
		for _, u := range utf16.Encode([]rune(text)) {
			if low, high := byte(u), byte(u>>8); big {
				b = append(b, high, low)
			} else {
				b = append(b, low, high)
			}
		}
		return string(b)
	}
	zipped := func(names ...string) string {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, name := range names {
			w, err := z.Create(name)
			if err != nil {
				t.Fatal(err)
			}
			w.Write([]byte("a,b,c\n1,2.5,x\n3,4,y\n"))
		}
		z.Close()
		return b.String()
	}
	for name, c := range map[string]struct {
		text    string
		options []Option
	}{
		"plain":           {"a,b,c\n1,2.5,x\n3,4,y\n", nil},
		"CR":              {"a,b,c\r1,2.5,x\r3,4,y", nil},
		"preamble":        {"# a\n# b\na,b,c\n1,2.5,x\n3,4,y\n", nil},
		"decimal commas":  {"a;b;c\n1;2,5;x\n3;4;y\n", nil},
		"thousands":       {"a;b;c\n1;2.5;x\n3;4;y\n", []Option{Thousands(',')}},
		"UTF-16LE":        {utf16Text(false, true, "a,b,c\n1,2.5,x\n3,4,y\n"), nil},
		"UTF-16BE":        {utf16Text(true, true, "a,b,c\n1,2.5,x\n3,4,y\n"), nil},
		"UTF-16, no mark": {utf16Text(false, false, "a,b,c\n1,2.5,x\n3,4,y\n"), nil},
		"UTF-16 stated":   {utf16Text(true, false, "a,b,c\n1,2.5,x\n3,4,y\n"), []Option{Encoding("utf-16be")}},
		"zip":             {zipped("a.csv", "__MACOSX/a.csv"), nil},
		"zip of two":      {zipped("a.csv", "b.csv"), []Option{Member("b.csv")}},
		"ragged":          {"a,b,c\n1,2.5,x\n3,4,y\n1,2,3,4\n", []Option{Ragged()}},
		"names":           {"1,2.5,x\n3,4,y\n", []Option{Names("a", "b", "c")}},
		"missing":         {"a,b,c\n1,2.5,x\n3,4,y\n", []Option{Missing("-9")}},
	} {
		path := filepath.Join(t.TempDir(), "f.csv")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		table, set := OpenTable(path, c.options...), CSV(path, c.options...)
		if table.Err() != nil || set.Err() != nil {
			t.Errorf("%s: %v, %v", name, table.Err(), set.Err())
			continue
		}
		want := mat.NewDense(2, 2, []float64{1, 2.5, 3, 4})
		rows, err := CSVRows(path, c.options...)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for batch, err := range rows.Batches(t.Context(), 2) {
			if err != nil || !mat.Equal(batch.X, want) || !slices.Equal(batch.Y, []int{0, 1}) {
				t.Errorf("%s: batch %v, %v", name, batch, err)
			}
		}
		labelled := table.Label("c")
		if !mat.Equal(set.X, want) || !mat.Equal(labelled.X, want) || !slices.Equal(set.ClassNames, []string{"x", "y"}) ||
			!slices.Equal(labelled.ClassNames, set.ClassNames) || !slices.Equal(set.FeatureNames, []string{"a", "b"}) ||
			!slices.Equal(rows.FeatureNames, set.FeatureNames) {
			t.Errorf("%s: table %v, set %v", name, labelled, set)
		}
	}
	if _, err := ReadTable(strings.NewReader(zipped("a.csv", "b.csv")), "f.zip"); err == nil ||
		!strings.Contains(err.Error(), "holds a.csv, b.csv, but one file is read; say which with datasets.Member") {
		t.Error(err)
	}
	// A column that changes its mind is read again, also from what cannot go back.
	if v, err := ReadTable(onlyReader{strings.NewReader("a,b\n1,01\n2,2\nx,3\n")}, "f"); err != nil ||
		!slices.Equal(v.Words("a"), []string{"1", "2", "x"}) || !slices.Equal(v.Words("b"), []string{"01", "2", "3"}) {
		t.Error(v, err)
	}
}

type onlyReader struct{ r *strings.Reader }

func (o onlyReader) Read(p []byte) (int, error) { return o.r.Read(p) }

// Labels compare by value: 1, 1.0, +1 and 1e0 are one class, and so are 0 and -0.
func TestLabelsByValue(t *testing.T) {
	for labels, want := range map[string]string{
		"1 1.0 2 2.0": "1 2", "+1 1 -1": "-1 1", "0 -0 1": "0 1", "1e0 1 3": "1 3", "01 1": "01 1",
		"9007199254740993 9007199254740992": "9007199254740992 9007199254740993",
	} {
		text, lines := "x,y\n", ""
		for i, label := range strings.Fields(labels) {
			text += string(rune('1'+i)) + "," + label + "\n"
			lines += label + " 1:2\n"
		}
		s, err := ReadCSV(strings.NewReader(text), "f", Label("y"))
		if err != nil || strings.Join(s.ClassNames, " ") != want {
			t.Errorf("%s: set %q, %v", labels, s.ClassNames, err)
		}
		if s := read(t, text).Label("y"); strings.Join(s.ClassNames, " ") != want {
			t.Errorf("%s: table %q", labels, s.ClassNames)
		}
		path := filepath.Join(t.TempDir(), "f.csv")
		os.WriteFile(path, []byte(text), 0o600)
		if r, err := CSVRows(path, Label("y")); err != nil || strings.Join(r.ClassNames, " ") != want {
			t.Errorf("%s: rows %v, %v", labels, r, err)
		}
		if strings.Contains(want, "01") {
			continue
		}
		if s, err := ReadLIBSVM(strings.NewReader(lines), "f"); err != nil || strings.Join(s.ClassNames, " ") != want {
			t.Errorf("%s: LIBSVM %q, %v", labels, s.ClassNames, err)
		}
	}
}

// "NA" can be a word, and what is written is read back (pandas#10647, #11839).
func TestNAIsAWord(t *testing.T) {
	const text = "code,x,y\n\"NA\",1,\"NA\"\nDE,2,3\nNA,3,4\n"
	table := read(t, text)
	if v := table.Words("code"); !slices.Equal(v, []string{"NA", "DE", ""}) {
		t.Errorf("%q", v)
	}
	if v := table.Numbers("y"); !math.IsNaN(v[0]) || v[1] != 3 {
		t.Error(v)
	}
	if v := read(t, "code\nNA\nDE\n", Missing()).Words("code"); !slices.Equal(v, []string{"NA", "DE"}) {
		t.Errorf("%q", v)
	}
	if v := read(t, "x,w\n\"NA\",1\n5,2\nword,3\n").Words("x"); !slices.Equal(v, []string{"NA", "5", "word"}) {
		t.Errorf("%q", v)
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "rows")
		first, second := make([]string, n), make([]string, n)
		for i := range n {
			word := rapid.SampledFrom([]string{"", "NA", "null", "?", " sp ", "a", "b, c", `d "e"`, "f\ng", "h\r\ni", "ä", "n/a", "x\ty", `"`})
			first[i], second[i] = word.Draw(t, "word"), word.Draw(t, "word")
		}
		table := NewTable("t").With("a", first).With("b", second)
		var b bytes.Buffer
		if err := table.WriteCSV(&b); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		back, err := ReadTable(&b, "t", Header(true), AsWords("a", "b"))
		if strings.Trim(text, ",\n") == "a,b" {
			return
		}
		if err != nil {
			t.Fatalf("%v in %q", err, text)
		}
		if !slices.Equal(back.Words("a"), first) || !slices.Equal(back.Words("b"), second) {
			t.Fatalf("%q: %q %q became %q %q", text, first, second, back.Words("a"), back.Words("b"))
		}
	})
}
