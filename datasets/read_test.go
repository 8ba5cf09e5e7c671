package datasets

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestReadCSV(t *testing.T) {
	for _, c := range []struct {
		name, text string
		options    []Option
		x          []float64 // row by row
		classes    string    // of the rows
		features   string
	}{
		{"header", "a,b,kind\n1,2,u\n3,4,v\n", nil, []float64{1, 2, 3, 4}, "u v", "a b"},
		{"no header", "1,2,u\n3,4,v\n", nil, []float64{1, 2, 3, 4}, "u v", "x1 x2"},
		{"semicolons and decimal commas", "a;b;kind\r\n1,5;2;u\r\n3;-4,25;v\r\n", nil, []float64{1.5, 2, 3, -4.25}, "u v", "a b"},
		{"tabs", "a\tb\tkind\n1\t2\tu\n3\t4\tv\n", nil, []float64{1, 2, 3, 4}, "u v", "a b"},
		{"quotes", "\"a, mm\",\"b \"\"x\"\"\",kind\n\"1\",2,\"u, w\"\n3,4,v\n", nil, []float64{1, 2, 3, 4}, "u, w v", "a, mm b \"x\""},
		{"label by name", "kind,a,b\nu,1,2\nv,3,4\n", []Option{Label("Kind")}, []float64{1, 2, 3, 4}, "u v", "a b"},
		{"numeric classes in numeric order", "a,kind\n1,10\n2,9\n", nil, []float64{1, 2}, "10 9", "a"},
		{"row names of R", "\"\",\"a\",\"kind\"\n\"1\",1,u\n\"2\",2,v\n", nil, []float64{1, 2}, "u v", "a"},
		{"write.table of R", "a kind\n", []Option{Separator(' '), Unlabelled(), Header(true)}, nil, "", ""},
		{"missing rows dropped", "a,b,kind\n1,NA,u\n3,4,v\n5,6,u\n,1,v\n", []Option{DropMissing()}, []float64{3, 4, 5, 6}, "v u", "a b"},
		{"columns left out", "id,a,place,kind\n7,1,x y,u\n8,2,z,v\n", []Option{Skip("id", "place")}, []float64{1, 2}, "u v", "a"},
		{"byte order mark", "\ufeffa,kind\n1,u\n2,v\n", nil, []float64{1, 2}, "u v", "a"},
		{"one line", "1,2,3\n", []Option{Unlabelled()}, []float64{1, 2, 3}, "", "x1 x2 x3"},
		{"first value missing", "NA,1,u\n2,3,v\n4,5,u\n", []Option{DropMissing()}, []float64{2, 3, 4, 5}, "v u", "x1 x2"},
	} {
		s, err := ReadCSV(strings.NewReader(c.text), c.name, c.options...)
		if c.x == nil {
			if err == nil {
				t.Errorf("%s: no error", c.name)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var kinds []string
		for _, y := range s.Y {
			kinds = append(kinds, s.ClassNames[y])
		}
		if !slices.Equal(s.X.RawMatrix().Data, c.x) || strings.Join(kinds, " ") != c.classes || strings.Join(s.FeatureNames, " ") != c.features {
			t.Errorf("%s: %v, %q, %q", c.name, s.X.RawMatrix().Data, kinds, s.FeatureNames)
		}
	}
	s, err := ReadCSV(strings.NewReader("a,y\n1,2.5\n2,3.5\n"), "t.csv", Target("y"))
	if err != nil || s.Target[1] != 3.5 || s.TargetName != "y" || s.K() != 0 {
		t.Error(s, err)
	}
	if s, err = ReadCSV(strings.NewReader("a,kind\n1,10\n2,9\n3,-1\n"), "t.csv"); err != nil || strings.Join(s.ClassNames, " ") != "-1 9 10" {
		t.Error(s.ClassNames, err)
	}
	var z bytes.Buffer
	g := gzip.NewWriter(&z)
	g.Write([]byte("a,kind\n1,u\n2,v\n"))
	g.Close()
	if s, err = ReadCSV(&z, "data/flowers.csv.gz"); err != nil || s.N() != 2 || s.Name != "flowers" {
		t.Error(s, err)
	}
}

func TestReadCSVErrors(t *testing.T) {
	many := "a,when\n" + strings.Repeat("1,2\n", 10)
	for i := range 60 {
		many += "1,k" + string(rune('a'+i%26)) + string(rune('a'+i/26)) + "\n"
	}
	for _, c := range []struct {
		text    string
		options []Option
		want    []string
	}{
		{"", nil, []string{"f.csv", "empty"}},
		{"a,b\n", nil, []string{"f.csv:1", "no row"}},
		{"a,b,kind\n1,2,u\n1,,v\n", nil, []string{"f.csv:3:3", `column "b"`, "missing", "DropMissing"}},
		{"a,b,kind\n1,2,u\n1,two,v\n", nil, []string{"f.csv:3:3", `column "b"`, `"two" is not a number`, "Skip"}},
		{"a,b,kind\n1,2,u\n1,inf,v\n", nil, []string{"f.csv:3:3", "not a finite number"}},
		{"a,b,kind\n1,2,u\n1,2\n", nil, []string{"f.csv:3", "2 fields", "have 3"}},
		{"a,b,kind\n1,2,\"u\n1,2,v\n", nil, []string{"f.csv:", "quot"}},
		{"a,b,kind\n1,2,\"u\"x\n1,2,v\n", nil, []string{"f.csv:2:8", "quotation mark"}},
		{"a,b,kind\n1,2,u\n", []Option{Label("kinds")}, []string{"f.csv:1", `no column "kinds"`, `did you mean "kind"?`}},
		{"a,price\n1,2.5\n2,3\n", nil, []string{"f.csv:2:3", "2.5", `Target("price")`}},
		{many, nil, []string{"different values", "Unlabelled"}},
		{"1\n2\n", nil, []string{"no column is left", "Unlabelled"}},
		{"\x1f\x8bnonsense", nil, []string{"gzip"}},
		{"a,kind\n,u\n", []Option{DropMissing()}, []string{"every row has a missing value"}},
		{"a,b\n1,2\n", []Option{Separator('"')}, []string{"cannot separate"}},
		{"a,b\n1,x\n", []Option{Target("b")}, []string{"f.csv:2:3", `target "x"`}},
	} {
		s, err := ReadCSV(strings.NewReader(c.text), "f.csv", c.options...)
		if err == nil {
			t.Errorf("%.30q: read as %v, want an error with %q", c.text, s, c.want)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%.30q: %q does not say %q", c.text, err, w)
			}
		}
	}
	if err := CSV("no/such.csv").Err(); err == nil || !strings.Contains(err.Error(), "no such file") ||
		!strings.HasPrefix(err.Error(), "CSV: ") {
		t.Error(err)
	}
	if _, err := ReadCSV(nil, "f.csv"); err == nil {
		t.Error("a nil reader")
	}
	wide := strings.Repeat("1,", least.Columns+1) + "1\n"
	if _, err := ReadCSV(strings.NewReader(wide), "f.csv"); err == nil || !strings.Contains(err.Error(), "columns") {
		t.Error(err)
	}
}

// A gzip bomb must end at the limit and not in memory.
func TestUnpackedSizeIsLimited(t *testing.T) {
	l := &limited{r: strings.NewReader("12345"), left: 3}
	b := make([]byte, 10)
	n, err := l.Read(b)
	if n != 3 || err != nil {
		t.Fatal(n, err)
	}
	if _, err = l.Read(b); err != errTooLong {
		t.Fatal(err)
	}
	if text := ioProblem("f.csv", 3, err, least).Error(); !strings.Contains(text, "f.csv:3") || !strings.Contains(text, "256 MB") {
		t.Error(text)
	}
}

func TestReadLIBSVM(t *testing.T) {
	s, err := ReadLIBSVM(strings.NewReader("+1 1:0.5 3:-2 # note\n\n-1 2:1e-3\n+1\n"), "f")
	if err != nil || s.N() != 3 || s.D() != 3 || strings.Join(s.ClassNames, " ") != "-1 1" || !slices.Equal(s.Y, []int{1, 0, 1}) ||
		s.X.At(0, 2) != -2 {
		t.Error(s, err)
	}
	if s, err = ReadLIBSVM(strings.NewReader("2.5 1:1\n"), "f", Target(""), Width(4)); err != nil || s.Target[0] != 2.5 || s.D() != 4 {
		t.Error(s, err)
	}
	for _, c := range []struct {
		text    string
		options []Option
		want    []string
	}{
		{"", nil, []string{"no row"}},
		{"1 1:2\nx 1:2\n", nil, []string{"f:2:1", `label "x"`}},
		{"1 1:2 5\n", nil, []string{"f:1:7", "index:value"}},
		{"1 0:2\n", nil, []string{"f:1:3", "begin at 1"}},
		{"1 2:2 1:3\n", nil, []string{"f:1:7", "increase"}},
		{"1 2:2 2:3\n", nil, []string{"increase"}},
		{"1 1:abc\n", nil, []string{"f:1:3", `"abc" is not a number`}},
		{"1 1:nan\n", nil, []string{"not a finite"}},
		{"1 999999999:1\n", nil, []string{"at most 100000"}},
		{"1 99999999999999999999:1\n", nil, []string{"not a whole number"}},
		{"1:2 2:3\n", nil, []string{"label first"}},
		{"1,2 1:3\n", nil, []string{"several labels"}},
		{"1 qid:3 1:3\n", nil, []string{"qid"}},
		{"1.5 1:3\n", nil, []string{"whole number", "Target"}},
		{"1 3:3\n", []Option{Width(2)}, []string{"Width says 2"}},
		{"1 \n", nil, []string{"no line has a feature"}},
		{"1 100000:1\n" + strings.Repeat("1\n", 800), nil, []string{"million numbers"}},
	} {
		_, err := ReadLIBSVM(strings.NewReader(c.text), "f", c.options...)
		if err == nil {
			t.Errorf("%.30q: no error, want %q", c.text, c.want)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%.30q: %q does not say %q", c.text, err, w)
			}
		}
	}
}

func idx(kind byte, dims []uint32, data ...byte) []byte {
	b := []byte{0, 0, kind, byte(len(dims))}
	for _, d := range dims {
		b = binary.BigEndian.AppendUint32(b, d)
	}
	return append(b, data...)
}

func TestReadIDX(t *testing.T) {
	images := idx(8, []uint32{2, 2, 3}, 0, 1, 2, 3, 4, 5, 250, 251, 252, 253, 254, 255)
	s, err := ReadIDX(bytes.NewReader(images), bytes.NewReader(idx(8, []uint32{2}, 7, 3)), "m")
	if err != nil || s.N() != 2 || s.D() != 6 || s.X.At(1, 5) != 255 || !slices.Equal(s.Y, []int{1, 0}) {
		t.Fatal(s, err)
	}
	if h, w := s.Shape(); h != 2 || w != 3 || s.FeatureNames[5] != "r1c2" {
		t.Error(h, w)
	}
	for kind, want := range map[byte][]float64{9: {-1}, 0x0b: {-2}, 0x0c: {-3}, 0x0d: {1.5}, 0x0e: {-0.25}} {
		data := map[byte][]byte{
			9: {0xff}, 0x0b: {0xff, 0xfe}, 0x0c: {0xff, 0xff, 0xff, 0xfd}, 0x0d: {0x3f, 0xc0, 0, 0},
			0x0e: binary.BigEndian.AppendUint64(nil, math.Float64bits(-0.25)),
		}[kind]
		if s, err := ReadIDX(bytes.NewReader(idx(kind, []uint32{1}, data...)), nil, "m"); err != nil || s.X.At(0, 0) != want[0] {
			t.Error(kind, s, err)
		}
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "images")
	if err := os.WriteFile(path, images, 0o600); err != nil {
		t.Fatal(err)
	}
	if s := IDX(path, ""); s.Err() != nil || s.N() != 2 {
		t.Error(s)
	}
	if s := IDX(path, filepath.Join(dir, "labels")); s.Err() == nil {
		t.Error("missing labels")
	}
	for _, c := range []struct {
		images, labels []byte
		want           []string
	}{
		{nil, nil, []string{"first four bytes"}},
		{[]byte("P5 8 8 255"), nil, []string{"begins with 50 35"}},
		{idx(7, []uint32{1}, 1), nil, []string{"byte 2", "0x07"}},
		{idx(8, nil), nil, []string{"0 dimensions"}},
		{[]byte{0, 0, 8, 2, 0, 0}, nil, []string{"within the header"}},
		{idx(8, []uint32{0, 3}), nil, []string{"dimension is 0"}},
		{idx(8, []uint32{0xffffffff, 0xffffffff}), nil, []string{"4294967295 numbers"}},
		{idx(8, []uint32{5000, 5000}, 1), nil, []string{"ends after 1 of 5000 x 5000", "byte 13"}},
		{idx(8, []uint32{1}, 1, 2), nil, []string{"goes on"}},
		{idx(8, []uint32{1, 200000}, make([]byte, 200000)...), nil, []string{"200000 numbers"}},
		{idx(0x0d, []uint32{1}, 0x7f, 0x80, 0, 0), nil, []string{"+Inf"}},
		{images, idx(8, []uint32{3}, 1, 2, 3), []string{"3 labels for 2 images"}},
		{images, images, []string{"labels have 3 dimensions"}},
	} {
		var err error
		if c.labels == nil {
			_, err = ReadIDX(bytes.NewReader(c.images), nil, "m")
		} else {
			_, err = ReadIDX(bytes.NewReader(c.images), bytes.NewReader(c.labels), "m")
		}
		if err == nil {
			t.Errorf("no error, want %q", c.want)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%q does not say %q", err, w)
			}
		}
	}
}

// The distance from universal time is written in three ways.
func TestZones(t *testing.T) {
	for text, want := range map[string]string{
		"2013-03-31 03:00:00+02": "2013-03-31 01:00:00", "2013-03-31 03:00:00.5+0530": "2013-03-30 21:30:00.500",
		"2013-03-31T03:00:00-02:00": "2013-03-31 05:00:00", "2013-03-31T03:00Z": "2013-03-31 03:00:00",
		"2013-03-31T03:00:00+99:99": "", "2013-03-31T03:00:00+24": "", "2013-03-31T03:00:00+2": "", "2013-03-31T03:00:00+02:0": "",
	} {
		got := ""
		if s, ok := isoDate([]byte(text)); ok {
			got = dateText(s)
		}
		if got != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
}
