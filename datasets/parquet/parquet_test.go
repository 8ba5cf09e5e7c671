package parquet_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	library "github.com/parquet-go/parquet-go"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/datasets/parquet"
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
	table := parquet.Open("testdata/pandas.parquet")
	if got, want := table.String(), "pandas: 4 x 8 (3 numbers, 3 words, 2 dates), 7 gaps"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := text(t, table), `species,island,mass,count,eggs,egg laid,seen,ringed
Adelie,Torgersen,3750,1,1,2007-11-11,2007-11-11 14:30:00,yes
,Biscoe,3800.5,2,,2007-11-16,,no
Gentoo & co,Biscoe,,3,2,,2007-11-12,yes
Chinstrap,,1e-07,4,2,1950-12-31,1950-11-12 23:59:59.250,
`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if m := table.Numbers("mass"); m[1] != 3800.5 || !math.IsNaN(m[2]) || m[3] != 1e-7 {
		t.Error(m)
	}
	if at := table.Times("seen"); !at[3].Equal(time.Date(1950, 11, 12, 23, 59, 59, 250e6, time.UTC)) || !at[1].IsZero() {
		t.Error(at)
	}
	kinds := parquet.Open("testdata/kinds.parquet")
	if got, want := kinds.String(), "kinds: 3 x 15 (7 numbers, 4 words, 4 dates), 19 gaps"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := text(t, kinds), `int8,uint32,uint64,float,decimal,long decimal,ms,us,ns,day,time,words,bytes,uuid,nothing
-5,4294967295,9.007199254740992e+15,0.5,-12.345,-1.2345678901234567e+19,2024-02-29 12:30:15.500,2024-02-29 12:30:15.500,`+
		`2024-02-29 12:30:15.500,2024-02-29,06:30:00,a,a,00000000-0000-0000-0000-000000000001,
,,,,,,,,,,,,,,
7,7,7,,0.001,0.01,1969-12-31 23:59:59.750,1969-12-31 23:59:59.750,1969-12-31 23:59:59.750,1969-12-31,23:59:59.25,,b,`+
		`80000000-0000-0000-0000-000000000000,
`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	old := parquet.Open("testdata/int96.parquet")
	if got, want := text(t, old), "old\n2024-02-29 12:30:15.500\nNA\n1969-12-31 23:59:59.750\n"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Each compression, in groups of 100 rows and pages of a few dozen, with four encodings.
func TestCompressions(t *testing.T) {
	for _, codec := range []string{"none", "snappy", "gzip", "brotli", "lz4", "zstd"} {
		path := "testdata/" + codec + ".parquet"
		table := parquet.Open(path)
		if err := table.Err(); err != nil {
			t.Error(err)
			continue
		}
		n, half, word, gap := table.Numbers("n"), table.Numbers("half"), table.Words("word"), table.Numbers("gap")
		for k := range 300 {
			v := float64(k)
			if n[k] != v || half[k] != v/2 || word[k] != fmt.Sprintf("w%d", k%7) || (gap[k] == v) != (k%3 == 0) || (gap[k] != gap[k]) != (k%3 != 0) {
				t.Fatalf("%s, row %d: %v %v %v %v", codec, k, n[k], half[k], word[k], gap[k])
			}
		}
		some := parquet.Open(path, datasets.SampleRows(20, 1), datasets.Skip("half"))
		if some.N() != 20 || some.D() != 3 || !slices.IsSorted(some.Numbers("n")) || some.Numbers("n")[19] < 100 ||
			some.Source != path+" (20 of 300 rows drawn at random)" {
			t.Error(some, some.Source)
		}
		if first := parquet.Open(path, datasets.FirstRows(101)); first.N() != 101 || first.Numbers("n")[100] != 100 {
			t.Error(first)
		}
	}
}

func TestErrors(t *testing.T) {
	for path, want := range map[string]string{
		"testdata/lists.parquet": `testdata/lists.parquet (column "list"): the column holds lists or records, but a table holds one value in ` +
			`each place; leave the column out with datasets.Skip("list")`,
		"testdata/make.py": `testdata/make.py: the file is no Parquet file`,
	} {
		if err := parquet.Open(path).Err(); err == nil || err.Error() != "parquet.Open: "+want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	if got := text(t, parquet.Open("testdata/lists.parquet", datasets.Skip("list"))); got != "x\n1.5\n2.5\n" {
		t.Error(got)
	}
	var b bytes.Buffer
	w := library.NewGenericWriter[struct{ X [2]byte }](&b) // as pyarrow writes numbers of 16 bits
	if _, err := w.Write([]struct{ X [2]byte }{{[2]byte{0, 0x3e}}}); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	if _, err := parquet.Read(&b, "f"); err == nil || !strings.Contains(err.Error(), `"X"): the column holds bytes of a fixed number`) {
		t.Error(err)
	}
	for option, want := range map[string]datasets.Option{
		"an option is given that is for files of text": datasets.AsWords("species"),
		`Skip: there is no column "spices"`:            datasets.Skip("spices"),
	} {
		if err := parquet.Open("testdata/pandas.parquet", want).Err(); err == nil || !strings.Contains(err.Error(), option) {
			t.Error(err)
		}
	}
	whole, err := os.ReadFile("testdata/snappy.parquet")
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range [][]byte{whole[:len(whole)/2], slices.Concat(whole[:50], whole[60:])} {
		if _, err := parquet.Read(bytes.NewReader(data), "f"); err == nil || !strings.Contains(err.Error(), "the file is damaged") {
			t.Error(err)
		}
	}
}

// Whole numbers beyond 2^53 keep all their digits.
func TestLongNumbers(t *testing.T) {
	table := parquet.Open("testdata/large.parquet")
	if got := strings.Join(table.Words("id"), " "); !strings.Contains(got, "9007199254740993") {
		t.Error(got)
	}
	if want := `testdata/large.parquet; the whole numbers of "id", which go beyond 2^53, are words`; table.Source != want {
		t.Error(table.Source)
	}
	type row struct {
		A *int64
		B *uint64
		C float64
	}
	var b bytes.Buffer
	w := library.NewGenericWriter[row](&b)
	low, high := int64(math.MinInt64), uint64(math.MaxUint64)
	rows := append(make([]row, 10000), row{&low, nil, 1}, row{nil, &high, 2})
	if _, err := w.Write(rows); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	table, err := parquet.Read(&b, "f")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := text(t, table.Rows(0, 10000, 10001)), "A,B,C\n,,0\n-9223372036854775808,,1\n,18446744073709551615,2\n"; got != want {
		t.Error(got)
	}
}

// A small file may unpack to a large one.
func TestLimits(t *testing.T) {
	type row struct {
		X float64
		W string
	}
	for _, codec := range []library.WriterOption{
		library.Compression(&library.Uncompressed), library.Compression(&library.Snappy), library.Compression(&library.Gzip),
		library.Compression(&library.Zstd), library.Compression(&library.Brotli), library.Compression(&library.Lz4Raw),
	} {
		var b bytes.Buffer
		w := library.NewGenericWriter[row](&b, codec)
		rows := make([]row, 1000)
		for i := range rows {
			rows[i] = row{float64(i % 3), strings.Repeat("w", 2000)}
		}
		for range 20 {
			if _, err := w.Write(rows); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		used := fuzztest.Allocated(func() {
			_, err := parquet.Read(bytes.NewReader(b.Bytes()), "f", datasets.Within(datasets.Limits{Bytes: 4 << 20}))
			if err == nil || !strings.Contains(err.Error(), "longer than 4 MB when it is unpacked; allow more with datasets.Within") {
				t.Error(err)
			}
		})
		fuzztest.Allowed(t, b.Len(), used, 100<<20)
		more := datasets.Within(datasets.Limits{Bytes: 50 << 20})
		table, err := parquet.Read(bytes.NewReader(b.Bytes()), "f", datasets.Skip("W"), more)
		if err != nil || table.N() != 20000 || table.Numbers("X")[19999] != 0 {
			t.Error(err)
		}
	}
	few := datasets.Within(datasets.Limits{Values: 1000})
	if _, err := parquet.Read(bytes.NewReader(must(os.ReadFile("testdata/none.parquet"))), "f", few); err == nil ||
		!strings.Contains(err.Error(), "rows of 4 columns and more, but at most 0 million numbers are read") {
		t.Error(err)
	}
}

func must(data []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return data
}

// Nothing that a file holds makes the reader panic or take memory without measure.
func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.parquet")
	for _, file := range files {
		f.Add(must(os.ReadFile(file)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		const most = 1 << 20
		used := fuzztest.Allocated(func() {
			table, err := parquet.Read(bytes.NewReader(data), "fuzz", datasets.Within(datasets.Limits{Bytes: most, Values: most}))
			var where *datasets.ReadError
			if err != nil && (!errors.As(err, &where) || where.File != "fuzz" || where.What == "") {
				t.Fatalf("%q does not say where and what", err)
			}
			if err == nil && (table.Err() != nil || table.N() == 0 || table.D() == 0) {
				t.Fatal("a table without rows or columns")
			}
		})
		fuzztest.Allowed(t, len(data), used, 100*most)
	})
}
