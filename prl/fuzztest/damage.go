package fuzztest

import (
	"math"
	"reflect"
	"testing"

	"github.com/prlab/prlab/prl/estimator"
)

var (
	hostileInts = []int64{0, 1, -1, 2, 3, 7, 100, 1 << 16, 1 << 31, 1 << 32, 1<<62 + 1, 1 << 62, math.MaxInt64, math.MinInt64, 1 << 40, 13}
	// A product of two of the larger numbers is 0 or small when it overflows, as a claimed rows x columns does.
	hostileFloats = []float64{
		0,
		1,
		-1,
		0.5,
		2,
		math.NaN(),
		math.Inf(1),
		math.Inf(-1),
		5e-324,
		math.MaxFloat64,
		-math.MaxFloat64,
		1e-300,
		1e300,
		math.Copysign(0, -1),
		1 - 1e-9,
		1e15,
	}
	hostileStrings = []string{"", "x", "full", "\x00", "<b>", "NaN", "\xff", "s1"}
)

// Damage changes the struct that state points to, as script says, and reports whether it did. Three bytes of the script are one change: the
// first two choose a field, element or length anywhere inside, the third the value it gets. Random bytes seldom pass a decoder's first
// checks; a sound model with one wrong number passes all but the one that matters.
func Damage(state any, script []byte) bool {
	done := false
	for len(script) >= 3 {
		var places []reflect.Value
		collect(reflect.ValueOf(state).Elem(), &places)
		if len(places) == 0 {
			return done
		}
		change(places[(int(script[0])<<8|int(script[1]))%len(places)], int(script[2]))
		done, script = true, script[3:]
	}
	return done
}

// collect lists what can be changed in v: numbers, words, and slices, whose length can be.
func collect(v reflect.Value, places *[]reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				collect(v.Field(i), places)
			}
		}
	case reflect.Slice:
		*places = append(*places, v)
		for i := range v.Len() {
			collect(v.Index(i), places)
		}
	case reflect.Array:
		for i := range v.Len() {
			collect(v.Index(i), places)
		}
	case reflect.Int,
		reflect.Int8,
		reflect.Int16,
		reflect.Int32,
		reflect.Int64,
		reflect.Float32,
		reflect.Float64,
		reflect.String,
		reflect.Bool:
		*places = append(*places, v)
	}
}

func change(v reflect.Value, how int) {
	switch {
	case v.CanInt():
		v.SetInt(hostileInts[how%len(hostileInts)])
	case v.CanFloat():
		v.SetFloat(hostileFloats[how%len(hostileFloats)])
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(hostileStrings[how%len(hostileStrings)])
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Slice:
		n := v.Len()
		switch how % 4 {
		case 0:
			v.SetZero()
		case 1:
			if n > 0 {
				v.Set(v.Slice(0, n-1))
			}
		case 2:
			v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
		case 3:
			if n > 0 {
				v.Set(reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, 2*n), v))
				v.Set(reflect.AppendSlice(v, v))
			}
		}
	}
}

// Damaged returns a stored model with its state of type S changed by Damage.
func Damaged[S any](t testing.TB, model []byte, kind string, version int, script []byte) []byte {
	t.Helper()
	var state S
	if err := estimator.Decode(model, kind, version, &state); err != nil {
		t.Fatal(err)
	}
	Damage(&state, script)
	data, err := estimator.Encode(kind, version, state)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
