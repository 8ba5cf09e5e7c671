package estimator_test

import (
	"bytes"
	"encoding/hex"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fuzztest"
)

// everything has each kind of field that a state may have.
type everything struct {
	B       bool
	I       int
	I8      int8
	I16     int16
	I32     int32
	U       uint64
	U8      uint8
	F       float64
	F32     float32
	S       string
	Bytes   []byte
	Numbers []float64
	Rows    [][]float64
	Words   []string
	Pair    [2]int
	Means   [2][]float64
	Parts   []part
	One     part
	Pointer *part
	Free    selfWritten
	Frees   []*selfWritten
	Dynamic any
	Inside  []any
	Empty   []float64
}

type part struct {
	X, Y     float64
	Children []part
}

// box holds values whose types only the data name.
type box struct{ Inner, Outer any }

// selfWritten writes itself as bytes.
type selfWritten struct{ text string }

func (s selfWritten) MarshalBinary() ([]byte, error) { return []byte(s.text), nil }

func (s *selfWritten) UnmarshalBinary(text []byte) error {
	s.text = string(text)
	return nil
}

func init() {
	estimator.Register("test.part", part{})
	estimator.Register("test.box", box{})
	estimator.Register("test.selfWritten", &selfWritten{})
	estimator.Register("test.number", 0.5)
}

func full() everything {
	return everything{
		B: true, I: -1 << 62, I8: -128, I16: -2, I32: 1 << 30, U: math.MaxUint64, U8: 255, F: math.Pi, F32: -0.5, S: "säure",
		Bytes: []byte{0, 255},
		Numbers: []float64{
			0,
			1,
			math.MaxFloat64,
			math.Inf(-1),
		}, Rows: [][]float64{{1, 2}, nil, {3}}, Words: []string{"", "a"}, Pair: [2]int{3, -4},
		Means: [2][]float64{{1}, {2, 3}}, Parts: []part{{1, 2, []part{{}, {3, 4, nil}}}, {}}, One: part{X: 5}, Pointer: &part{Y: 6},
		Free: selfWritten{"free"}, Frees: []*selfWritten{nil, {"a"}},
		Dynamic: box{box{part{X: 7}, 8.0}, &selfWritten{"nine"}}, Inside: []any{part{Y: 10}, nil, box{}, 11.5},
	}
}

func TestEveryKindOfFieldComesBack(t *testing.T) {
	for _, want := range []everything{full(), {}, {Pointer: &part{}}} {
		data, err := estimator.Encode("k", 1, want)
		if err != nil {
			t.Fatal(err)
		}
		var got everything
		if err := estimator.Decode(data, "k", 1, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v became %+v (%v)", want, got, err)
		}
		if again, err := estimator.Encode("k", 1, &got); err != nil || !bytes.Equal(again, data) {
			t.Errorf("written again it is %x instead of %x (%v)", again, data, err)
		}
	}
}

// The form of the data is the one that the comment on codec.go describes, so that models stored by one release are read by the next.
func TestForm(t *testing.T) {
	type state struct {
		A []float64
		N int8
		B bool
		V any
	}
	data, err := estimator.Encode("pkg.M", 3, state{[]float64{1, -2}, -1, true, part{X: 0.5}})
	if err != nil {
		t.Fatal(err)
	}
	number := func(low string) string { return low + strings.Repeat("0", 16-len(low)) }
	// kind, version, fields
	want := hex.EncodeToString([]byte("prl model 2\n")) + number("05") + hex.EncodeToString([]byte("pkg.M")) + number("03") + number("04") +
		number("02") + "000000000000f03f" + "00000000000000c0" + "ff" + "01" +
		number("09") + hex.EncodeToString([]byte("test.part")) + "000000000000e03f" + number("") + number("")
	if got := hex.EncodeToString(data); got != want {
		t.Errorf("stored as\n%s, want\n%s", got, want)
	}
}

// A field that a newer library appends stays zero; data with more fields than the library knows are refused.
func TestAppendedFields(t *testing.T) {
	type old struct{ A []float64 }
	type next struct {
		A     []float64
		Names []string
	}
	before, err := estimator.Encode("k", 1, old{[]float64{1}})
	if err != nil {
		t.Fatal(err)
	}
	var n next
	if err := estimator.Decode(before, "k", 1, &n); err != nil || !slices.Equal(n.A, []float64{1}) || n.Names != nil {
		t.Errorf("%+v, %v", n, err)
	}
	after, err := estimator.Encode("k", 1, next{[]float64{1}, []string{"a"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := estimator.Decode(after, "k", 1, new(old)); err == nil || !strings.Contains(err.Error(), "2 fields where this library knows 1") {
		t.Error(err)
	}
}

func TestNotStored(t *testing.T) {
	for want, state := range map[string]any{
		"a struct or a pointer to one, not a []float64":   []float64{1},
		"a struct or a pointer to one, not a <nil>":       nil,
		"a field x that is not exported":                  struct{ x int }{1},
		"a chan int cannot be stored":                     struct{ C chan int }{},
		"a func() cannot be stored":                       struct{ F []func() }{[]func(){nil}},
		"a map[string]int cannot be stored":               struct{ M map[string]int }{},
		"a string cannot be stored before estimator.Reg":  struct{ V any }{"word"},
		"a estimator_test.selfWritten cannot be stored b": struct{ V any }{selfWritten{}},
	} {
		if _, err := estimator.Encode("k", 1, state); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestRegister(t *testing.T) {
	estimator.Register("test.part", part{}) // the same again
	for name, example := range map[string]any{"test.part": box{}, "test.another": part{}, "": 1, "test.nil": nil} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Register(%q, %T) returns", name, example)
				}
			}()
			estimator.Register(name, example)
		}()
	}
	type state struct{ V interface{ Len() int } }
	data, err := estimator.Encode("k", 1, struct{ V any }{part{}})
	if err != nil {
		t.Fatal(err)
	}
	if err := estimator.Decode(data, "k", 1, new(state)); err == nil || !strings.Contains(err.Error(), `does not know here: "test.part"`) {
		t.Errorf("a value that the interface does not take: %v", err)
	}
}

// TestClaimsTakeNoMemory changes lengths inside sound data.
func TestClaimsTakeNoMemory(t *testing.T) {
	type state struct {
		A []float64
		P []part
		W []string
		V any
	}
	data, err := estimator.Encode("k", 1, state{[]float64{1, 2, 4}, []part{{}}, []string{"a"}, part{}})
	if err != nil {
		t.Fatal(err)
	}
	lengths := map[string]int{"kind": 12, "list": 37, "structs": 69, "words": 101, "word": 109, "name": 118, "children": len(data) - 8}
	for name, at := range lengths {
		for _, claim := range []uint64{1 << 20, 1 << 33, 1 << 61, 1 << 63, math.MaxUint64} {
			bad := slices.Clone(data)
			for i := range 8 {
				bad[at+i] = byte(claim >> (8 * i))
			}
			var err error
			used := fuzztest.Allocated(func() { err = estimator.Decode(bad, "k", 1, new(state)) })
			if err == nil || !strings.Contains(err.Error(), "things are claimed where") {
				t.Errorf("%s of %d: %v", name, claim, err)
			}
			if used > 1<<16 {
				t.Errorf("%s of %d: %d bytes of data took %d bytes of memory", name, claim, len(bad), used)
			}
		}
	}
	for want, bad := range map[string][]byte{
		"not an encoded model, or":                 nil,
		"one of another version of this library; ": append([]byte("prl model 1\n"), data[12:]...),
		"not an encoded model: unexpected EOF":     data[:25],
		"k: decode: unexpected EOF":                data[:len(data)-1],
		"1 bytes after the model":                  append(slices.Clone(data), 0),
	} {
		if err := estimator.Decode(bad, "k", 1, new(state)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	var b struct{ B bool }
	data, err = estimator.Encode("k", 1, b)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-1] = 2
	if err := estimator.Decode(data, "k", 1, &b); err == nil || !strings.Contains(err.Error(), "a bool of 2") {
		t.Error(err)
	}
}

// No data make a list that takes more than eight times their bytes.
func TestMemoryOfLists(t *testing.T) {
	const n = 1 << 16
	zeros := func(state any) []byte {
		data, err := estimator.Encode("k", 1, state)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	type pair struct {
		B bool
		P *part
	}
	for name, c := range map[string]struct {
		data []byte
		into any
	}{
		"pointers":   {zeros(struct{ L []*part }{make([]*part, n)}), new(struct{ L []*part })},
		"pairs":      {zeros(struct{ L []pair }{make([]pair, n)}), new(struct{ L []pair })},
		"lists":      {zeros(struct{ L [][]float64 }{make([][]float64, n)}), new(struct{ L [][]float64 })},
		"words":      {zeros(struct{ L []string }{make([]string, n)}), new(struct{ L []string })},
		"interfaces": {zeros(struct{ L []any }{make([]any, n)}), new(struct{ L []any })},
		"parts":      {zeros(struct{ L []part }{make([]part, n)}), new(struct{ L []part })},
	} {
		var err error
		used := fuzztest.Allocated(func() { err = estimator.Decode(c.data, "k", 1, c.into) })
		if err != nil || used > uint64(8*len(c.data)+1<<16) {
			t.Errorf("%s: %d bytes of data took %d (%v)", name, len(c.data), used, err)
		}
	}
}

// deep is a list of lists of lists ...
type deep []deep

type link struct{ Next *link }

// Values may stand 100 deep in each other, those of the state counted, and not 101; both are said when the state is written.
func TestDepthIsExact(t *testing.T) {
	for levels, well := range map[int]bool{99: true, 100: false, 100000: false} {
		var d deep
		for range levels - 1 {
			d = deep{d}
		}
		data, err := estimator.Encode("k", 1, struct{ D deep }{d})
		if (err == nil) != well || err != nil && !strings.Contains(err.Error(), "nested more than 100 deep") {
			t.Errorf("%d lists: %v", levels, err)
		}
		if err == nil {
			if err := estimator.Decode(data, "k", 1, new(struct{ D deep })); err != nil {
				t.Error(err)
			}
		}
	}
	endless := &link{}
	endless.Next = endless
	if _, err := estimator.Encode("k", 1, endless); err == nil {
		t.Error("a ring was stored")
	}
	head, err := estimator.Encode("k", 1, struct{ L *link }{})
	if err != nil {
		t.Fatal(err)
	}
	chain := append(head[:len(head)-1], bytes.Repeat([]byte{1}, 1<<20)...)
	if err := estimator.Decode(chain, "k", 1, new(struct{ L *link })); err == nil ||
		!strings.Contains(err.Error(), "nested more than 100 deep") {
		t.Error(err)
	}
}

// FuzzDecode reads data as a state with all kinds of fields, and sound data with bytes changed. What is read can be written, and is then
// read as it was.
func FuzzDecode(f *testing.F) {
	good, err := estimator.Encode("k", 1, full())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good, 0, byte(0))
	f.Add(good[:len(good)/2], 9, byte(0))
	for at := 0; at < len(good); at += 7 {
		f.Add(good, at, byte(0xf8))
	}
	f.Fuzz(func(t *testing.T, data []byte, at int, value byte) {
		if len(data) > 0 {
			data = bytes.Clone(data)
			data[int(uint(at)%uint(len(data)))] = value
		}
		var got everything
		var err error
		fuzztest.Bounded(t, 8*len(data)/fuzztest.Factor, 1<<16, func() { err = estimator.Decode(data, "k", 1, &got) })
		if err != nil {
			return
		}
		first, err := estimator.Encode("k", 1, got)
		if err != nil {
			t.Fatalf("a state was read that cannot be written: %v", err)
		}
		var again everything
		if err := estimator.Decode(first, "k", 1, &again); err != nil {
			t.Fatalf("a state was read and written and cannot be read again: %v", err)
		}
		if second, err := estimator.Encode("k", 1, again); err != nil || !bytes.Equal(first, second) {
			t.Errorf("a state read again is written differently (%v)", err)
		}
	})
}
