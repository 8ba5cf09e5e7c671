package fuzztest

import (
	"math"
	"slices"
	"testing"
)

var sink []byte

func TestAllocated(t *testing.T) {
	if n := Allocated(func() { sink = make([]byte, 5<<20) }); n < 5<<20 || n > 6<<20 {
		t.Errorf("%d bytes counted, want about %d", n, 5<<20)
	}
}

func TestDamage(t *testing.T) {
	type part struct{ X []float64 }
	type whole struct {
		N      int
		Parts  []part
		hidden int
	}
	w := whole{3, []part{{[]float64{1, 2}}}, 5} // places: N, Parts, Parts[0].X, X[0], X[1]
	if Damage(&w, []byte{0, 0}) {
		t.Error("half a change was made")
	}
	if !Damage(&w, []byte{0, 0, 2, 0, 4, 5}) || w.N != -1 || !math.IsNaN(w.Parts[0].X[1]) || w.hidden != 5 {
		t.Error(w)
	}
	if Damage(&w, []byte{0, 2, 1}); !slices.Equal(w.Parts[0].X, []float64{1}) {
		t.Error(w)
	}
	if Damage(&w, []byte{0, 1, 0}); w.Parts != nil {
		t.Error(w)
	}
}

func TestMarkup(t *testing.T) {
	if err := Markup(`<p class="a">1 &lt; 2`+"\x1b"+`<br/></p>`, "p", "br"); err != nil {
		t.Error(err)
	}
	for _, text := range []string{
		"<p>", "<p></b>", "<script></script>", `<p onload="x"></p>`, `<p title="java"script"></p>`,
		"<p><!-- --></p>", `<p href=" JavaScript:x"></p>`, "a < b", "</root><root>",
	} {
		if Markup(text, "p") == nil {
			t.Errorf("%q passes", text)
		}
	}
}
