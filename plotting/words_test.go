package plotting

import (
	"fmt"
	"testing"
)

func TestWords(t *testing.T) {
	one := New(Points([]float64{1}, []float64{2})).X("time").Y("speed").Title("one")
	row := Row(one, New(Points([]float64{1}, []float64{2})).Y("mass")).Title("both").Caption("below")
	for want, f := range map[string]*Figure{"[one time speed]": one, "[both one time speed mass below]": row} {
		if got := fmt.Sprint(f.View().Words()); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	film := Slide("n", []string{"first", "second"}, func(name string) *Figure { return Row(New(VRule(1)).Title(name), New(VRule(1))) })
	if a, b := fmt.Sprint(film.Frame(0).Words()), fmt.Sprint(film.Frame(1).Words()); a == b {
		t.Errorf("a title that changes: %s, %s", a, b)
	}
}

// The name of a colour bar is a word of its panel.
func TestWordsOfColourBar(t *testing.T) {
	named := New(Heat([][]float64{{1, 2}, {3, 4}}).Label("count")).X("column").Y("row").Title("named")
	if got := fmt.Sprint(Row(named, New(VRule(1)).X("x")).View().Words()); got != "[named column row count x]" {
		t.Errorf("%s", got)
	}
}
