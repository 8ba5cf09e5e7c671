package seal

import (
	"math"
	"reflect"
	"testing"
)

func TestVerdict(t *testing.T) {
	for _, answer := range []any{0.1 + 0.2, math.Inf(-1), "b \"quoted\"\nline", "", []float64{1, -2e-300}} {
		v := Verdict{ID: "26-3", Outcome: "answered", Word: "it\x1b[0m says \"no\"", Answer: FormatAnswer(answer)}
		got, err := ParseVerdict(v.String())
		if err != nil || got != v || !reflect.DeepEqual(ParseAnswer(got.Answer), answer) {
			t.Errorf("%v becomes %v, %v", v, got, err)
		}
	}
	for _, bad := range []string{"", `"a" "b"`, `"a" "b" "c" "d"`, `"a`, "a b c d e"} {
		if v, err := ParseVerdict(bad); err == nil {
			t.Errorf("%q is %v", bad, v)
		}
	}
	for _, bad := range []string{"", "number", "number x", "number NaN", "together 1 x"} {
		if a := ParseAnswer(bad); a != nil {
			t.Errorf("%q is %v", bad, a)
		}
	}
}
