package jsontext

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
)

func TestWriter(t *testing.T) {
	var w Writer
	w.Open('{')
	w.Name("a\"b").Floats([]float64{1, -2.5, 1e-9, 1e21})
	w.Name("none").Ints(nil)
	w.Name("n").Int(-3)
	w.Name("raw").Raw("true")
	w.Name("words").Texts([]string{"x", "\n<\\>"})
	w.Close('}')
	want := `{"a\"b":[1,-2.5,1e-9,1e+21],"none":[],"n":-3,"raw":true,"words":["x","\n<\\>"]}`
	if got := string(w.Bytes()); got != want || w.Err() != nil {
		t.Errorf("%s, error %v, want %s", got, w.Err(), want)
	}
}

// JSON has no NaN and no infinity.
func TestWriterRefuses(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		var w Writer
		w.Floats([]float64{1, v, 2})
		if w.Err() == nil || !json.Valid(w.Bytes()) {
			t.Errorf("%v: %s, error %v", v, w.Bytes(), w.Err())
		}
	}
}

// Numbers and text are written as encoding/json writes them, and text is read back.
func FuzzWriter(f *testing.F) {
	f.Add("a \"b\" \\ \x00\x1f\n\u2028<&> \xff\xf0\x9f", 0.1)
	f.Add("", math.MaxFloat64)
	f.Add("ä😀", 5e-324)
	f.Add("\xed\xa0\x80", -1e-7)
	f.Fuzz(func(t *testing.T, s string, v float64) {
		var text, number Writer
		text.Text(s)
		var back string
		if err := json.Unmarshal(text.Bytes(), &back); err != nil || back != strings.Map(func(r rune) rune { return r }, s) {
			t.Errorf("%q is written %s and read %q, error %v", s, text.Bytes(), back, err)
		}
		if v-v != 0 {
			return
		}
		number.Float(v)
		if want, _ := json.Marshal(v); !reflect.DeepEqual(number.Bytes(), want) {
			t.Errorf("%v is written %s, and by encoding/json %s", v, number.Bytes(), want)
		}
	})
}
