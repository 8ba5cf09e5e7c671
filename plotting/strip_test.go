package plotting

import (
	"bytes"
	"testing"
)

// What frames have in common is written once.
func TestStripWritesOnce(t *testing.T) {
	x, y, l := irisLike(50, 3)
	strip := func(n int) []byte {
		svg, err := Slide("at", []float64{1, 2, 3, 4}[:n], func(v float64) *Figure {
			return New(Points(x, y).By(l, species...), VRule(v).Accent())
		}).SVG()
		if err != nil {
			t.Fatal(err)
		}
		if err := wellFormed(svg); err != nil {
			t.Error(err)
		}
		return svg
	}
	two, four := strip(2), strip(4)
	if more := len(four) - len(two); more > len(two)/4 {
		t.Errorf("two more frames take %d bytes of %d", more, len(four))
	}
	if !bytes.Contains(four, []byte(`<use href="#`)) {
		t.Error("nothing is used again")
	}
}
