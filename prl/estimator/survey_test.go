package estimator_test

import (
	"bytes"
	"encoding/gob"
	"math"
	"reflect"
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
	U       uint64
	F       float64
	F32     float32
	C       complex128
	S       string
	Bytes   []byte
	Numbers []float64
	Rows    [][]float64
	Words   []string
	Pair    [2]int
	Parts   []part
	One     part
	Pointer *part
	Map     map[string][]int
	Free    selfWritten
	Dynamic any
	Inside  []any
	Empty   []float64
}

func init() {
	gob.Register(part{})
	gob.Register(box{})
}

// box holds values whose types only the data name.
type box struct{ Inner, Outer any }

type part struct {
	X, Y     float64
	Children []part
}

// selfWritten writes itself as bytes.
type selfWritten struct{ text string }

func (s selfWritten) GobEncode() ([]byte, error)   { return []byte(s.text), nil }
func (s *selfWritten) GobDecode(text []byte) error { s.text = string(text); return nil }

func full() everything {
	return everything{
		B: true, I: -1 << 62, I8: -128, U: math.MaxUint64, F: math.Pi, F32: -0.5, C: complex(1, math.Inf(-1)), S: "säure", Bytes: []byte{0, 255},
		Numbers: []float64{0, 1, math.MaxFloat64}, Rows: [][]float64{{1, 2}, {}, {3}}, Words: []string{"", "a"}, Pair: [2]int{3, -4},
		Parts: []part{{1, 2, []part{{}, {3, 4, nil}}}, {}}, One: part{X: 5}, Pointer: &part{Y: 6},
		Map: map[string][]int{"a": {1}, "b": nil}, Free: selfWritten{"free"},
		Dynamic: box{box{part{X: 7}, 8}, "nine"}, Inside: []any{part{Y: 10}, nil, box{}, 11.5},
	}
}

func TestDecodeTakesEveryKindOfField(t *testing.T) {
	for _, want := range []everything{full(), {Pointer: &part{}}} {
		data, err := estimator.Encode("k", 1, want)
		if err != nil {
			t.Fatal(err)
		}
		var got everything
		if err := estimator.Decode(data, "k", 1, &got); err != nil {
			t.Fatal(err)
		}
		again, err := estimator.Encode("k", 1, got)
		if err != nil {
			t.Fatal(err)
		}
		var twice everything
		if err := estimator.Decode(again, "k", 1, &twice); err != nil || !reflect.DeepEqual(got, twice) {
			t.Errorf("%+v became %+v (%v)", got, twice, err)
		}
		if got.F != want.F || !reflect.DeepEqual(got.Parts, want.Parts) || got.Free != want.Free || got.Pair != want.Pair || !reflect.DeepEqual(got.Dynamic, want.Dynamic) {
			t.Errorf("%+v became %+v", want, got)
		}
	}
}

// lie writes a model that claims a list of count numbers where three follow: the count of the true list, 3, becomes one of eight bytes.
func lie(t *testing.T, count uint64) []byte {
	t.Helper()
	data, err := estimator.Encode("k", 1, struct{ A []float64 }{[]float64{1, 2, 4}})
	if err != nil {
		t.Fatal(err)
	}
	list := []byte{3, 0xfe, 0xf0, 0x3f, 0x40, 0xfe, 0x10, 0x40} // 3 numbers, each with its bytes reversed: 1, 2, 4
	at := bytes.LastIndex(data, list)
	if at < 0 {
		t.Fatalf("%x has no list", data)
	}
	start := at // of the message, which begins with its length
	for int(data[start])+start+1 != len(data) {
		start--
	}
	claim := []byte{0xf8}
	for shift := 56; shift >= 0; shift -= 8 {
		claim = append(claim, byte(count>>shift))
	}
	out := append([]byte{}, data[:at]...)
	out = append(append(out, claim...), data[at+1:]...)
	out[start] += byte(len(claim) - 1)
	return out
}

// TestClaimsTakeNoMemory has data that gob alone takes megabytes for, and more.
func TestClaimsTakeNoMemory(t *testing.T) {
	type state struct{ A []float64 }
	if err := estimator.Decode(lie(t, 3), "k", 1, new(state)); err != nil {
		t.Fatalf("a long form of a true count: %v", err)
	}
	var b bytes.Buffer
	enc := gob.NewEncoder(&b)
	type header struct {
		Kind    string
		Version int
	}
	if err := enc.Encode(header{"k", 1}); err != nil {
		t.Fatal(err)
	}
	head := b.Bytes()
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"list":                 {lie(t, 1<<20), "1048576 things are claimed where"},
		"list that overflows":  {lie(t, 1<<61), "things are claimed where"},
		"list below zero":      {lie(t, math.MaxUint64), "things are claimed where"},
		"message":              {append(bytes.Clone(head), 0xfc, 0x00, 0x90, 0x00, 0x00, 1), "unexpected EOF"},
		"message of all":       {append(bytes.Clone(head), 0xf8, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1), "unexpected EOF"},
		"first message":        {[]byte{0xfc, 0x00, 0x90, 0x00, 0x00, 1}, "not an encoded model"},
		"nothing":              {nil, "not an encoded model"},
		"header alone":         {head, "unexpected EOF"},
		"fields of a type":     {append(bytes.Clone(head), 11, 0x7f, 3, 1, 1, 1, 'T', 0, 1, 0xfd, 0xff, 0xff), "unexpected EOF"},
		"long number":          {append(bytes.Clone(head), 2, 0xf0, 1), "more than eight bytes"},
		"number as the value":  {append(bytes.Clone(head), 3, 4, 0, 2), "no struct"},
		"type that gob itself": {append(bytes.Clone(head), 2, 32, 0), "no struct"},
	} {
		var err error
		used := fuzztest.Allocated(func() { err = estimator.Decode(c.data, "k", 1, new(state)) })
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if used > 1<<16 {
			t.Errorf("%s: %d bytes of data took %d bytes of memory", name, len(c.data), used)
		}
	}
}

// A claim of a map is taken by gob as it is.
func TestClaimOfAMap(t *testing.T) {
	type state struct{ M map[int8]int8 }
	data, err := estimator.Encode("k", 1, state{map[int8]int8{1: 2}})
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.LastIndex(data, []byte{1, 2, 4, 0}) // one pair, 1 and 2 as signed numbers
	if at < 0 {
		t.Fatalf("%x has no map", data)
	}
	data[at] = 100
	var s state
	if err := estimator.Decode(data, "k", 1, &s); err == nil || !strings.Contains(err.Error(), "100 things are claimed where 3 bytes are left") {
		t.Error(err)
	}
}

// An interface's value has a length of its own, by which gob goes when it passes over a field.
func TestLengthInAnInterface(t *testing.T) {
	type state struct{ V any }
	data, err := estimator.Encode("k", 1, state{part{X: 1}})
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.LastIndex(data, []byte{5, 1, 0xfe, 0xf0, 0x3f, 0}) // five bytes: field 1 is the number 1, and the end of the struct
	if at < 0 {
		t.Fatalf("%x has no value", data)
	}
	data[at]--
	var s state
	if err := estimator.Decode(data, "k", 1, &s); err == nil || !strings.Contains(err.Error(), "not as long as it says") {
		t.Error(err)
	}
}

// deep is a list of lists of lists ...
type deep []deep

func TestDeepValues(t *testing.T) {
	type state struct{ D deep }
	for levels, well := range map[int]bool{5: true, 500: false} {
		var d deep
		for range levels {
			d = deep{d}
		}
		data, err := estimator.Encode("k", 1, state{d})
		if err != nil {
			t.Fatal(err)
		}
		if err := estimator.Decode(data, "k", 1, new(state)); (err == nil) != well {
			t.Errorf("%d levels: %v", levels, err)
		}
	}
}

// FuzzDecode reads data as a state with all kinds of fields, and sound data with bytes changed.
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
		fuzztest.Bounded(t, len(data), fuzztest.Allowance, func() { err = estimator.Decode(data, "k", 1, &got) })
		if err != nil {
			return
		}
		if _, err := estimator.Encode("k", 1, got); err != nil {
			t.Errorf("a state was read that cannot be written: %v", err)
		}
	})
}
