package datasets

import (
	"bytes"
	"compress/gzip"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/fuzztest"
)

// perNumber and perColumn are what a number of X and a column with its name may cost: a reader of a sparse or packed format gives out more
// than it takes in.
const (
	perNumber = 4 * 8
	perColumn = 400
)

// bounded runs read on size bytes and holds it to the bounds of memory and time. No line of a text has more columns than said.
func bounded(t *testing.T, size, columns int, read func() (Set, error)) (Set, error) {
	t.Helper()
	var s Set
	var err error
	used := fuzztest.Allocated(func() { s, err = read() })
	most := fuzztest.Factor*size + fuzztest.Allowance + perColumn*columns
	if err == nil {
		most += perNumber*s.N()*s.D() + perColumn*s.D()
	}
	fuzztest.Allowed(t, size, used, most)
	var where *ReadError
	if err != nil && (!errors.As(err, &where) || where.File != "fuzz" || where.What == "") {
		t.Fatalf("%q does not say where and what", err)
	}
	return s, err
}

// sound reports what a reader must never hand out.
func sound(t *testing.T, s Set) {
	t.Helper()
	if s.Err() != nil || s.N() < 1 || s.D() < 1 || len(s.FeatureNames) != s.D() {
		t.Fatal("a set without rows or names")
	}
	for _, v := range s.X.RawMatrix().Data {
		if v-v != 0 {
			t.Fatal("a value that is not finite")
		}
	}
	if s.Y != nil && len(s.Y) != s.N() || s.Target != nil && len(s.Target) != s.N() || s.RowNames != nil && len(s.RowNames) != s.N() {
		t.Fatal("lengths differ")
	}
	for _, c := range s.Y {
		if c < 0 || c >= s.K() {
			t.Fatal("a class without a name")
		}
	}
}

// same reports numbers, classes or targets that a round trip has changed.
func same(t *testing.T, got, want Set) {
	t.Helper()
	if got.N() != want.N() || got.D() != want.D() || !slices.Equal(got.X.RawMatrix().Data, want.X.RawMatrix().Data) {
		t.Fatalf("%v became %v", want.X, got.X)
	}
	if !slices.Equal(got.Y, want.Y) || !slices.Equal(got.Target, want.Target) {
		t.Fatalf("classes %v and targets %v became %v and %v", want.Y, want.Target, got.Y, got.Target)
	}
}

// TestLargeInputs holds the readers to their bounds on inputs that are too large for a fuzzer to be quick with.
func TestLargeInputs(t *testing.T) {
	for name, read := range map[string]func(data []byte) (Set, error){
		"0.5,1,a\n":           func(data []byte) (Set, error) { return ReadCSV(bytes.NewReader(data), "fuzz") },
		"1,":                  func(data []byte) (Set, error) { return ReadCSV(bytes.NewReader(data), "fuzz", Unlabelled()) },
		",":                   func(data []byte) (Set, error) { return ReadCSV(bytes.NewReader(data), "fuzz") },
		"\"":                  func(data []byte) (Set, error) { return ReadCSV(bytes.NewReader(data), "fuzz") },
		"a\n":                 func(data []byte) (Set, error) { return ReadCSV(bytes.NewReader(data), "fuzz") },
		"+1 1:0.5 2:1 3:-2\n": func(data []byte) (Set, error) { return ReadLIBSVM(bytes.NewReader(data), "fuzz") },
		"1 2 ":                func(data []byte) (Set, error) { return ReadLIBSVM(bytes.NewReader(data), "fuzz") },
	} {
		data := bytes.Repeat([]byte(name), 50_000)
		s, err := bounded(t, len(data), widest(data), func() (Set, error) { return read(data) })
		t.Logf("%q: %d rows, %v", name, s.N(), err != nil)
	}
	images := idx(8, []uint32{1000, 10, 10}, make([]byte, 100_000)...)
	if _, err := bounded(t, len(images), 0, func() (Set, error) { return ReadIDX(bytes.NewReader(images), nil, "fuzz") }); err != nil {
		t.Error(err)
	}
}

// The bits of mode are options of ReadCSV.
func csvOptions(mode uint16) []Option {
	var options []Option
	for i, o := range []Option{
		Unlabelled(), DropMissing(), Header(true), Header(false), Label("kind"), Target("a"), RowNames("b"),
		Skip("c", "x1"), Separator(';'), Separator('\t'), Separator('"'), Separator(0x20ac), FirstRows(2), SampleRows(2, 1),
		Within(Limits{Bytes: 100, Values: 8, Columns: 3}),
	} {
		if mode>>i&1 != 0 {
			options = append(options, o)
		}
	}
	return options
}

// widest returns the largest number of separators in a line.
func widest(data []byte) int {
	most := 0
	for line := range bytes.Lines(data) {
		most = max(most, bytes.Count(line, []byte(",")), bytes.Count(line, []byte(";")), bytes.Count(line, []byte("\t")))
	}
	return most
}

func FuzzReadCSV(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte, mode uint16) {
		s, err := bounded(t, len(data), widest(data), func() (Set, error) { return ReadCSV(bytes.NewReader(data), "fuzz", csvOptions(mode)...) })
		if err != nil {
			return
		}
		sound(t, s)
		var b bytes.Buffer
		if err := s.WriteCSV(&b); err != nil {
			t.Fatal(err)
		}
		read := []Option{Header(true)}
		switch {
		case s.Y != nil:
			read = append(read, Label(free("class", s.FeatureNames)))
		case s.Target != nil:
			read = append(read, Target(free(s.targetLabel(), s.FeatureNames)))
		default:
			read = append(read, Unlabelled())
		}
		text := b.String()
		again, err := ReadCSV(&b, "fuzz", read...)
		if err != nil {
			t.Fatalf("%v in %q", err, text)
		}
		same(t, again, s)
		if !slices.Equal(again.ClassNames, s.ClassNames) || !slices.Equal(again.FeatureNames, s.FeatureNames) ||
			!slices.Equal(again.RowNames, s.RowNames) {
			t.Fatalf(
				"names %q %q %q became %q %q %q",
				s.ClassNames,
				s.FeatureNames,
				s.RowNames,
				again.ClassNames,
				again.FeatureNames,
				again.RowNames,
			)
		}
	})
}

func FuzzReadLIBSVM(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte, target bool) {
		var options []Option
		if target {
			options = append(options, Target(""))
		}
		s, err := bounded(t, len(data), 0, func() (Set, error) { return ReadLIBSVM(bytes.NewReader(data), "fuzz", options...) })
		if err != nil || s.N()*s.D() > 1<<20 {
			return
		}
		sound(t, s)
		var b bytes.Buffer
		if err := s.WriteLIBSVM(&b); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		again, err := ReadLIBSVM(&b, "fuzz", append(options, Width(s.D()))...)
		if err != nil {
			t.Fatalf("%v in %q", err, text)
		}
		same(t, again, s)
	})
}

// FuzzReadSparseLIBSVM holds the rows without their zeros to the dense ones: both readers read the same texts to the same numbers.
func FuzzReadSparseLIBSVM(f *testing.F) {
	f.Add([]byte("+1 1:0.5 3:2\n-1 2:1 # a comment\n\n+1 7:0 9:-1e-3\n"), uint8(0))
	f.Add([]byte("1.5 1:1\n2 1:2 1000:3\n3\n"), uint8(1))
	f.Add([]byte("1 2:1 2:1\n"), uint8(0))
	f.Add([]byte("1 2:1 1:1\n"), uint8(4))
	f.Add([]byte("1 1:nan\n2 1:inf\n"), uint8(2))
	f.Add([]byte("1 1:1\n2 2:2\n1 3:3\n2 4:4\n1 5:5\n"), uint8(2))
	f.Fuzz(func(t *testing.T, data []byte, mode uint8) {
		var options []Option
		for i, o := range []Option{Target(""), SampleRows(2, 1), FirstRows(3), Width(5)} {
			if mode>>i&1 != 0 {
				options = append(options, o)
			}
		}
		var s SparseSet
		var err error
		used := fuzztest.Allocated(func() { s, err = ReadSparseLIBSVM(bytes.NewReader(data), "fuzz", options...) })
		most := fuzztest.Factor*len(data) + fuzztest.Allowance
		if err == nil {
			most += perNumber*s.X.NonZeros() + perColumn*s.D()
		}
		fuzztest.Allowed(t, len(data), used, most)
		var where *ReadError
		if err != nil && (!errors.As(err, &where) || where.File != "fuzz" || where.What == "") {
			t.Fatalf("%q does not say where and what", err)
		}
		if err == nil && s.N()*s.D() > 1<<20 {
			return
		}
		dense, wrong := ReadLIBSVM(bytes.NewReader(data), "fuzz", options...)
		if (err == nil) != (wrong == nil) || err != nil && err.Error() != wrong.Error() && !strings.Contains(wrong.Error(), "million numbers") {
			t.Fatalf("%v, but of dense rows %v", err, wrong)
		}
		if err != nil {
			return
		}
		sound(t, s.Dense())
		same(t, s.Dense(), dense)
		var b bytes.Buffer
		if err := s.WriteLIBSVM(&b); err != nil {
			t.Fatal(err)
		}
		var role []Option
		if s.Target != nil {
			role = append(role, Target(""))
		}
		again, err := ReadSparseLIBSVM(&b, "fuzz", append(role, Width(s.D()))...)
		if err != nil {
			t.Fatal(err)
		}
		same(t, again.Dense(), dense)
	})
}

func FuzzReadIDX(f *testing.F) {
	f.Fuzz(func(t *testing.T, images, labels []byte) {
		s, err := bounded(t, len(images), 0, func() (Set, error) { return ReadIDX(bytes.NewReader(images), nil, "fuzz") })
		if err == nil {
			sound(t, s)
		}
		s, err = bounded(
			t,
			len(images)+len(labels),
			0,
			func() (Set, error) { return ReadIDX(bytes.NewReader(images), bytes.NewReader(labels), "fuzz") },
		)
		if err != nil || s.K() > 256 {
			return
		}
		sound(t, s)
		var a, b bytes.Buffer
		if err := s.WriteIDX(&a, &b); err != nil {
			t.Fatal(err)
		}
		again, err := ReadIDX(&a, &b, "fuzz")
		if err != nil {
			t.Fatal(err)
		}
		same(t, again, s)
	})
}

// FuzzGzip reads packed text. What it unpacks to may be a thousand times larger, so memory is counted from there.
func FuzzGzip(f *testing.F) {
	pack := func(text string) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write([]byte(text))
		z.Close()
		return b.Bytes()
	}
	whole := pack("a,b\n1,u\n2,v\n")
	f.Add(whole)
	f.Add(whole[:len(whole)-5])                                            // the checksum is cut off
	f.Add(append(slices.Clone(whole[:len(whole)-1]), 0xff))                // the length is wrong
	f.Add(append(slices.Clone(whole), pack("3,u\n")...))                   // two members are one text
	f.Add(pack(string(pack("a,b\n1,u\n"))))                                // packed twice
	f.Add([]byte{0x1f, 0x8b})                                              // the magic number alone
	f.Add([]byte{0x1f, 0x8b, 8, 0x1c, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 1, 2}) // a header that claims more than there is
	f.Fuzz(func(t *testing.T, data []byte) {
		unpacked := 0
		if z, err := gzip.NewReader(bytes.NewReader(data)); err == nil {
			var b bytes.Buffer
			b.ReadFrom(z)
			unpacked = b.Len()
		}
		s, err := bounded(t, len(data)+unpacked, 0, func() (Set, error) { return ReadCSV(bytes.NewReader(data), "fuzz") })
		if err == nil {
			sound(t, s)
		}
	})
}
