package datasets

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A first line with a number that is not finite is data, and an error; it is not a header that swallows a row.
func TestFirstRowBeyondFloat64(t *testing.T) {
	for _, word := range []string{"inf", "-Inf", "1e400", "-1e999", "Infinity"} {
		text := word + ",2,a\n3,4,b\n5,6,a\n"
		_, err := ReadCSV(strings.NewReader(text), "f.csv")
		if err == nil || !strings.Contains(err.Error(), "f.csv:1:1") || !strings.Contains(err.Error(), "is not a finite number") ||
			!strings.Contains(err.Error(), "Header(true)") {
			t.Errorf("%s: %v", word, err)
		}
		s, err := ReadCSV(strings.NewReader(text), "f.csv", Header(true))
		if err != nil || s.N() != 2 || s.FeatureNames[0] != word {
			t.Errorf("%s as a name: %v, %v", word, s, err)
		}
	}
	s, err := ReadCSV(strings.NewReader("width,b,class\n3,4,b\n5,6,a\n"), "f.csv")
	if err != nil || s.N() != 2 {
		t.Error(s, err)
	}
}

// How many rows were dropped stands where a reader looks.
func TestDropMissingSaysHowMany(t *testing.T) {
	s, err := ReadCSV(strings.NewReader("x,y,class\n1,2,a\n,2,b\n3,?,b\n4,5,b\n"), "f.csv", DropMissing())
	if err != nil || s.N() != 2 {
		t.Fatal(s, err)
	}
	if want := "f.csv (2 of 4 rows left out, in which a value is missing)"; s.Source != want {
		t.Errorf("source %q, want %q", s.Source, want)
	}
	if text := s.Describe().String(); !strings.Contains(text, "2 of 4 rows left out") {
		t.Error(text)
	}
	if s, err = ReadCSV(strings.NewReader("x,y,class\n1,2,a\n4,5,b\n"), "f.csv", DropMissing()); err != nil || s.Source != "f.csv" {
		t.Error(s.Source, err)
	}
}

// part reads ten rows 0 ... 9 in each format: the first feature is the number of the row, and so is the class or the target.
var part = map[string]func(options ...Option) (Set, error){
	"CSV": func(options ...Option) (Set, error) {
		text := "row,x,class\n"
		for i := range 10 {
			text += fmt.Sprintf("r%d,%d,%d\n", i, i, i)
		}
		return ReadCSV(strings.NewReader(text), "f", append(options, RowNames("row"))...)
	},
	"CSV with targets": func(options ...Option) (Set, error) {
		text := "x,target\n"
		for i := range 10 {
			text += fmt.Sprintf("%d,%d.5\n", i, i)
		}
		return ReadCSV(strings.NewReader(text), "f", append(options, Target("target"))...)
	},
	"LIBSVM": func(options ...Option) (Set, error) {
		text := ""
		for i := range 10 {
			text += fmt.Sprintf("%d 1:%d 3:1\n", i, i)
		}
		return ReadLIBSVM(strings.NewReader(text), "f", options...)
	},
	"LIBSVM without zeros": func(options ...Option) (Set, error) {
		text := ""
		for i := range 10 {
			text += fmt.Sprintf("%d 1:%d 3:1\n", i, i)
		}
		s, err := ReadSparseLIBSVM(strings.NewReader(text), "f", options...)
		if err != nil {
			return Set{}, err
		}
		return s.Dense(), nil
	},
	"IDX": func(options ...Option) (Set, error) {
		var images, labels []byte
		for i := range 10 {
			images, labels = append(images, byte(i), 7, 7, 7), append(labels, byte(i))
		}
		return ReadIDX(bytes.NewReader(idx(8, []uint32{10, 2, 2}, images...)), bytes.NewReader(idx(8, []uint32{10}, labels...)), "f",
			options...)
	},
}

// Parts of a file keep rows, labels, targets and names together and in order; every row has the same chance to be drawn.
func TestPartsOfAFile(t *testing.T) {
	for format, read := range part {
		check := func(s Set, err error, n int) (rows []int) {
			if err != nil || s.N() != n {
				t.Fatalf("%s: %v, %v, want %d rows", format, s, err, n)
			}
			for i := range n {
				row := int(s.X.At(i, 0))
				rows = append(rows, row)
				if s.Y != nil && s.ClassNames[s.Y[i]] != strconv.Itoa(row) || s.Target != nil && s.Target[i] != float64(row)+0.5 ||
					s.RowNames != nil && s.RowNames[i] != "r"+strconv.Itoa(row) {
					t.Fatalf("%s: the parts of row %d were mixed", format, row)
				}
			}
			if !slices.IsSorted(rows) {
				t.Errorf("%s: rows %v", format, rows)
			}
			return rows
		}
		s, err := read(FirstRows(4))
		if rows := check(s, err, 4); rows[3] != 3 || !strings.Contains(s.Source, "the first 4 rows") {
			t.Error(format, rows, s.Source)
		}
		s, err = read(SampleRows(20, 1))
		if check(s, err, 10); s.Source != "f" {
			t.Error(format, s.Source)
		}
		var times [10]int
		for seed := range uint64(2000) {
			s, err = read(SampleRows(3, seed))
			for _, row := range check(s, err, 3) {
				times[row]++
			}
		}
		if !strings.Contains(s.Source, "3 of 10 rows drawn at random") {
			t.Error(format, s.Source)
		}
		for row, n := range times { // binomial with mean 600 and standard deviation 20.5
			if n < 600-90 || n > 600+90 {
				t.Errorf("%s: row %d was drawn %d times of 600 expected", format, row, n)
			}
		}
		for what, o := range map[string]Option{
			"Within: ": Within(Limits{Values: -1}), "FirstRows: n is 0": FirstRows(0),
			"SampleRows: n is -1": SampleRows(-1, 1),
		} {
			if _, err := read(o); err == nil || !strings.Contains(err.Error(), what) {
				t.Errorf("%s: %v", format, err)
			}
		}
		if _, err := read(Within(Limits{Values: 5})); err == nil || !strings.Contains(err.Error(), "allow more with datasets.Within") {
			t.Errorf("%s: %v", format, err)
		}
		if _, err := read(Within(Limits{Bytes: 12})); err == nil || !strings.Contains(err.Error(), "datasets.Within") {
			t.Errorf("%s: %v", format, err)
		}
	}
	if _, err := part["LIBSVM"](Within(Limits{Columns: 2})); err == nil || !strings.Contains(err.Error(), "at most 2 features") {
		t.Error(err)
	}
	if s, err := ReadLIBSVM(strings.NewReader("1 200000:1\n"), "f", Within(Limits{Columns: 1 << 20})); err != nil || s.D() != 200000 {
		t.Error(s, err)
	}
}

// mnist is a stream of n pictures of 28 x 28, of which the first point is the number of the picture modulo 251.
type mnist struct {
	n, at int
	head  []byte
}

func (m *mnist) Read(p []byte) (int, error) {
	if m.at == 0 {
		m.head = idx(8, []uint32{uint32(m.n), 28, 28})
	}
	count := 0
	for i := range p {
		place := m.at - len(m.head)
		switch {
		case place < 0:
			p[i] = m.head[m.at]
		case place == m.n*784:
			return count, io.EOF
		case place%784 == 0:
			p[i] = byte(place / 784 % 251)
		default:
			p[i] = byte(place)
		}
		m.at++
		count++
	}
	return count, nil
}

// Sixty thousand digits are read as they are; more need to be asked for, and a part of more needs no more memory than it has rows.
func TestMNISTIsRead(t *testing.T) {
	if testing.Short() {
		t.Skip("half a gigabyte")
	}
	labels := binary.BigEndian.AppendUint32([]byte{0, 0, 8, 1}, 60_000)
	for i := range 60_000 {
		labels = append(labels, byte(i%10))
	}
	s, err := ReadIDX(&mnist{n: 60_000}, bytes.NewReader(labels), "mnist")
	if err != nil || s.N() != 60_000 || s.D() != 784 || s.K() != 10 || s.X.At(59_999, 0) != 59_999%251 {
		t.Fatal(s, err)
	}
	s = Set{}
	if _, err := ReadIDX(&mnist{n: 100_000}, nil, "mnist", Within(least)); err == nil ||
		!strings.Contains(err.Error(), "100000 x 28 x 28 numbers, but at most 64 million") {
		t.Error(err)
	}
	if s, err := ReadIDX(&mnist{n: 100_000}, nil, "mnist", SampleRows(100, 1)); err != nil || s.N() != 100 {
		t.Error(s, err)
	}
	if s, err := ReadIDX(&mnist{n: 100_000}, nil, "mnist", FirstRows(300)); err != nil || s.N() != 300 || s.X.At(299, 0) != 299-251 {
		t.Error(s, err)
	}
}

// digitRows is the text of n rows of the size of MNIST's in the format of LIBSVM: of 784 numbers about 150 are not zero.
type digitRows struct {
	n, row int
	random *rand.Rand
	line   []byte
}

func (d *digitRows) Read(p []byte) (int, error) {
	for len(d.line) == 0 {
		if d.row == d.n {
			return 0, io.EOF
		}
		d.line = strconv.AppendInt(d.line[:0:cap(d.line)], int64(d.row%10), 10)
		for j := 1 + d.random.IntN(9); j <= 784; j += 1 + d.random.IntN(9) {
			d.line = strconv.AppendInt(append(d.line, ' '), int64(j), 10)
			d.line = strconv.AppendInt(append(d.line, ':'), int64(1+d.random.IntN(255)), 10)
		}
		d.line = append(d.line, '\n')
		d.row++
	}
	count := copy(p, d.line)
	d.line = d.line[count:]
	return count, nil
}

// Sixty thousand rows of 784 features, a fifth of them not zero, are read in the memory of these numbers; the limits hold for them alone,
// and a sample takes the memory of a sample.
func TestSparseMNISTIsRead(t *testing.T) {
	if testing.Short() {
		t.Skip("nine million numbers")
	}
	text := func(n int) *digitRows { return &digitRows{n: n, random: rand.New(rand.NewPCG(7, 8))} }
	live := func() int {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	before, start := live(), time.Now()
	s, err := ReadSparseLIBSVM(text(60_000), "digits")
	took := time.Since(start)
	if err != nil || s.N() != 60_000 || s.D() != 784 || s.K() != 10 {
		t.Fatal(s, err)
	}
	used := live() - before
	t.Logf("%v: read in %v, %d MB", s, took, used>>20)
	if stored := s.X.NonZeros(); stored < 9_000_000 || stored > 9_800_000 || used > 16*stored+(8<<20) {
		t.Errorf("%v in %d bytes", s, used)
	}
	if _, err := ReadSparseLIBSVM(text(60_000), "digits", Within(Limits{Values: 1 << 20})); err == nil ||
		!strings.Contains(err.Error(), "at most 1 million numbers") || !strings.Contains(err.Error(), "datasets.Within") {
		t.Error(err)
	}
	part, err := ReadSparseLIBSVM(text(60_000), "digits", SampleRows(500, 3), Within(Limits{Values: 1 << 20}))
	if err != nil || part.N() != 500 || part.X.NonZeros() > 100_000 {
		t.Fatal(part, err)
	}
	// Rows of a sample are rows of the file, in its order.
	next := 0
	for i := range s.N() {
		at, values := s.X.RawRow(i)
		if next == part.N() {
			break
		}
		if a, v := part.X.RawRow(next); slices.Equal(a, at) && slices.Equal(v, values) && part.Y[next] == s.Y[i] {
			next++
		}
	}
	if next != part.N() {
		t.Errorf("row %d of the sample is none of the file", next)
	}
}

// TestLimitsWithin wants the limits to be what the memory of a student's container holds, and as stated where there is more.
func TestLimitsWithin(t *testing.T) {
	for free, want := range map[int64]Limits{
		0:          {Bytes: 256 << 20, Values: 64 << 20, Columns: 100_000},
		1500 << 20: {Bytes: 1500 << 17, Values: 1500 << 20 / 48, Columns: 100_000},
		8 << 30:    {Bytes: 256 << 20, Values: 64 << 20, Columns: 100_000},
		1 << 20:    {Bytes: 8 << 20, Values: 1 << 20, Columns: 100_000},
	} {
		if got := least.within(free); got != want {
			t.Errorf("%d MB free: %+v, want %+v", free>>20, got, want)
		}
	}
}
