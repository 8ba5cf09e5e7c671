package fuzztest

import (
	"bytes"
	"encoding"
	"reflect"
	"testing"
)

// A Stored model can be written as bytes and described in a line.
type Stored interface {
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
	String() string
}

// Model reads data into m, within the bounds of memory and time, and reports whether m took it. What is taken must be written as bytes that
// are read back to the same bytes and the same description. again is an empty model of the same type.
func Model(t testing.TB, data []byte, m, again Stored) bool {
	t.Helper()
	var err error
	Bounded(t, len(data), Allowance, func() { err = m.UnmarshalBinary(data) })
	if err != nil {
		return false
	}
	text := ""
	Quick(func() { text = m.String() })
	first, err := m.MarshalBinary()
	if err != nil {
		t.Fatalf("a model was read that cannot be written: %v", err)
	}
	if err := again.UnmarshalBinary(first); err != nil {
		t.Fatalf("a model was read and written and cannot be read again: %v", err)
	}
	if second, err := again.MarshalBinary(); err != nil || !bytes.Equal(first, second) {
		t.Fatalf("a model read again is written differently (error %v)", err)
	}
	if other := again.String(); other != text {
		t.Fatalf("a model read again is %q, before it was %q", other, text)
	}
	return true
}

// Sound returns a model as it is stored, for a seed. It takes what the fit returns, and panics on its error: Sound(FitPCA(ctx, X, o)).
func Sound(m Stored, err error) []byte {
	if err != nil {
		panic(err)
	}
	data, err := m.MarshalBinary()
	if err != nil {
		panic(err)
	}
	return data
}

// Read reads data into the empty model m (see Model). What m takes must also serve: use does with it all that it can.
func Read(t testing.TB, data []byte, m Stored, use func(Stored)) {
	t.Helper()
	if Model(t, data, m, reflect.New(reflect.TypeOf(m).Elem()).Interface().(Stored)) {
		Quick(func() { use(m) })
	}
}

// Unmarshal is a fuzz target that reads bytes as each of the empty models (see Read), seeded with sound files of them and the halves of
// these.
func Unmarshal(f *testing.F, sound [][]byte, empty func() []Stored, use func(Stored)) {
	for _, data := range sound {
		f.Add(data)
		f.Add(data[:len(data)/2])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, m := range empty() {
			Read(t, data, m, use)
		}
	})
}
