package plotting

import (
	"bytes"
	"fmt"
	"testing"
)

// drawnSize is the width and the height of a still in the units of its drawing.
func drawnSize(t *testing.T, svg []byte) (w, h float64) {
	t.Helper()
	if _, err := fmt.Sscanf(string(svg[bytes.Index(svg, []byte("viewBox=")):]), "viewBox=\"0 0 %g %g\"", &w, &h); err != nil {
		t.Fatal(err)
	}
	return w, h
}

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

// At most two frames stand in a row, four in all where three rows would fill a page, and the first and the last are among them.
func TestStripHasTwoColumns(t *testing.T) {
	for _, c := range []struct {
		steps, height, frames, high int
	}{
		{1, 420, 1, 480},
		{2, 420, 2, 330},
		{3, 420, 3, 600},
		{5, 420, 4, 600},
		{9, 420, 4, 600},
		{5, 340, 5, 810},
		{9, 340, 6, 810},
		{9, 640, 4, 820},
	} {
		at := make([]float64, c.steps)
		for i := range at {
			at[i] = float64(i)
		}
		svg, err := Slide("step", at, func(v float64) *Figure {
			return New(Points([]float64{0, 10}, []float64{0, v})).Size(640, float64(c.height))
		}).SVG()
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(svg, []byte(">step = ")); n != c.frames {
			t.Errorf("%d steps of height %d: %d frames, want %d", c.steps, c.height, n, c.frames)
		}
		if !bytes.Contains(svg, []byte(">step = 0<")) || !bytes.Contains(svg, fmt.Appendf(nil, ">step = %d<", c.steps-1)) {
			t.Errorf("%d steps: the first or the last is missing", c.steps)
		}
		w, h := drawnSize(t, svg)
		if w, h = w/10, h/10; w > 720 || h > float64(c.high) {
			t.Errorf("%d steps of height %d: %g x %g, want at most 720 x %d", c.steps, c.height, w, h, c.high)
		}
	}
}

// Frames of four panels make a strip that is no higher than a page of its width.
func TestStripOfGridsFitsAPage(t *testing.T) {
	svg, err := Slide("step", []float64{1, 2, 3, 4}, func(v float64) *Figure {
		p := func() *Figure { return New(Points([]float64{0, 10}, []float64{0, v})).Title("panel") }
		return Grid(2, p(), p(), p(), p()).Size(860, 640)
	}).SVG()
	if err != nil {
		t.Fatal(err)
	}
	w, h := drawnSize(t, svg)
	if bytes.Count(svg, []byte(">panel<")) == 0 || h > 1.8*w {
		t.Errorf("%g x %g: higher than 1.8 of its width", w, h)
	}
}

// A strip of panels with equal units takes no more room than they do.
func TestStripOfEqualUnitsIsTight(t *testing.T) {
	svg, err := Slide("step", []float64{1, 2, 3, 4}, func(v float64) *Figure {
		return New(Points([]float64{0, 4}, []float64{0, v})).Equal().Size(600, 600)
	}).SVG()
	if err != nil {
		t.Fatal(err)
	}
	w, h := drawnSize(t, svg)
	if h > 1.06*w {
		t.Errorf("%g x %g: two rows of two squares do not fill it", w, h)
	}
}
