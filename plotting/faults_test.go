package plotting

import (
	"fmt"
	"math"
	"testing"

	"github.com/prlab/prlab/plotting/internal/scene"
)

// slots returns the palette places of the marks of a kind, by legend key.
func slots(t *testing.T, f *Figure, kind scene.Kind) []map[string]int {
	t.Helper()
	s, err := f.scene()
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]int
	for _, p := range s.Panels {
		byKey := map[string]int{}
		for _, m := range p.Marks {
			if paint := m.Stroke; m.Kind == kind && paint.Token == scene.TokenClass {
				byKey[m.Key] = paint.Slot
			}
		}
		out = append(out, byKey)
	}
	return out
}

// A name has the colour in a grid that it has alone, whatever its neighbours leave unnamed; within a panel all layers differ.
func TestNamesKeepTheirColours(t *testing.T) {
	x := []float64{0, 1, 2}
	bare := New(Line(x, x), Line(x, []float64{2, 1, 0}))
	basic := New(Line(x, x).Name("basic"))
	mixed := New(Line(x, x), Line(x, x).Name("basic"))
	alone := slots(t, basic, scene.Paths)[0]["basic"]
	grid := slots(t, Grid(2, bare, basic, mixed), scene.Paths)
	if grid[1]["basic"] != alone || grid[2]["basic"] != alone {
		t.Errorf("alone the name has place %d, in a grid %d and %d", alone, grid[1]["basic"], grid[2]["basic"])
	}
	if grid[2][""] == alone {
		t.Error("a layer without a name has the colour of one with a name beside it")
	}
	s, err := Grid(1, bare, basic).scene()
	if err != nil {
		t.Fatal(err)
	}
	if m := s.Panels[0].Marks; m[0].Stroke.Slot == m[1].Stroke.Slot {
		t.Error("two layers of one panel have one colour")
	}
}

// Sixteen colours differ, on light pages and on dark ones, and 64 classes differ in colour or marker.
func TestClassesAreToldApart(t *testing.T) {
	for _, p := range []*scene.Palette{&scene.LightPalette, &scene.DarkPalette} {
		for i, a := range p.Classes {
			for _, b := range p.Classes[:i] {
				x, y, d := scene.RGB(a), scene.RGB(b), 0.0
				for k := range x {
					d += (x[k] - y[k]) * (x[k] - y[k])
				}
				if math.Sqrt(d) < 40 {
					t.Errorf("%s and %s are %.0f apart", a, b, math.Sqrt(d))
				}
			}
		}
	}
	seen := map[string]int{}
	for slot := range 64 {
		look := fmt.Sprint(slotPaint(slot), slotSymbol(slot))
		if other, ok := seen[look]; ok {
			t.Errorf("classes %d and %d look alike", other, slot)
		}
		seen[look] = slot
	}
}

func luminance(hex string) float64 {
	l := 0.0
	for k, v := range scene.RGB(hex) {
		l += []float64{0.2126, 0.7152, 0.0722}[k] * math.Pow(v/255, 2.2)
	}
	return l
}

// "Dark is much" is true on every page: the ramps run the same way, and their ends stand out from the page.
func TestRampsRunTheSameWay(t *testing.T) {
	for name, p := range map[string]*scene.Palette{"light": &scene.LightPalette, "dark": &scene.DarkPalette} {
		for i := 1; i < len(p.Sequential); i++ {
			if luminance(p.Sequential[i]) >= luminance(p.Sequential[i-1]) {
				t.Errorf("%s: step %d of the sequential ramp is not darker than the one before", name, i)
			}
		}
		n := len(p.Diverging)
		middle := luminance(p.Diverging[n/2])
		if middle <= luminance(p.Diverging[0]) || middle <= luminance(p.Diverging[n-1]) {
			t.Errorf("%s: the middle of the diverging ramp is darker than an end", name)
		}
		if x := scene.RGB(p.Diverging[0]); x[2] <= x[0] {
			t.Errorf("%s: the lower end of the diverging ramp is not blue", name)
		}
		page := luminance(p.Background)
		for _, end := range []string{p.Sequential[len(p.Sequential)-1], p.Diverging[0], p.Diverging[n-1]} {
			a, b := luminance(end), page
			if a < b {
				a, b = b, a
			}
			if contrast := (a + 0.05) / (b + 0.05); contrast < 3 {
				t.Errorf("%s: %s has the contrast %.1f against the page", name, end, contrast)
			}
		}
		for _, v := range []float64{0, 0.2, 0.49, 0.51, 0.8, 1} { // numbers on cells can be read
			fill := scene.Paint{Token: scene.TokenSequential, Value: v}
			cell, _ := p.Color(fill)
			ink, _ := p.Color(inkOn(fill))
			a, b := luminance(cell), luminance(ink)
			if a < b {
				a, b = b, a
			}
			if contrast := (a + 0.05) / (b + 0.05); contrast < 3 {
				t.Errorf("%s: %s on %s has the contrast %.1f", name, ink, cell, contrast)
			}
		}
	}
}

// Arrows over a shaded panel have an outline in the page's colour.
func TestArrowsOverRampsAreSeen(t *testing.T) {
	bowl := func(x, y float64) float64 { return x*x + y*y }
	for _, c := range []struct {
		f    *Figure
		halo bool
	}{
		{New(Contours(bowl).Filled(), Arrow(0, 0, 1, 1)).XRange(-2, 2).YRange(-2, 2), true},
		{New(Heat([][]float64{{1, 2}, {3, 4}}), Arrow(0, 0, 1, 1)), true},
		{New(Contours(bowl), Arrow(0, 0, 1, 1)).XRange(-2, 2).YRange(-2, 2), false},
	} {
		s, err := c.f.scene()
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range s.Panels[0].Marks {
			if m.Kind == scene.Arrows && m.Halo != c.halo {
				t.Errorf("the arrow has a halo: %v", m.Halo)
			}
		}
	}
}

// The numbers of a trellis are never smaller than 11 px; where they do not fit the circles they stand below.
func TestTrellisNumbersCanBeRead(t *testing.T) {
	const columns = 9
	values := make([][]float64, columns)
	for i := range values {
		values[i] = []float64{0.00012345, 0.5, 0.25}
	}
	s, err := New(Trellis([]string{"hot", "cold", "mild"}, columns).Values(values)).scene()
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, m := range s.Panels[0].Marks {
		if m.Kind == scene.Texts {
			found += len(m.Texts)
			if m.Size < 11 {
				t.Errorf("%q is written in %.1f px", m.Texts[0], m.Size)
			}
		}
	}
	if found < 3*columns {
		t.Errorf("only %d texts", found)
	}
}

// The bars of a histogram beside other panels know the rows they count, each row once.
func TestBarsKnowTheirRows(t *testing.T) {
	x, y, l := irisLike(50, 3)
	s, err := Row(New(Histogram(x).By(l, species...)), New(Points(x, y).By(l, species...))).scene()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[int]int{}
	for _, m := range s.Panels[0].Marks {
		if m.Kind == scene.Rects && len(m.Members) != len(m.XY) {
			t.Fatalf("%d bars with the rows of %d", len(m.XY), len(m.Members))
		}
		for i, rows := range m.Members {
			if float64(len(rows)) != m.XY2[i][1] {
				t.Errorf("a bar of height %g counts %d rows", m.XY2[i][1], len(rows))
			}
			for _, r := range rows {
				seen[r]++
				if x[r] < m.XY[i][0]-1e-9 || x[r] > m.XY2[i][0]+1e-9 {
					t.Errorf("row %d with %g counts in the bar from %g to %g", r, x[r], m.XY[i][0], m.XY2[i][0])
				}
			}
		}
	}
	for r, n := range seen {
		if n != 1 {
			t.Errorf("row %d counts %d times", r, n)
		}
	}
	if len(seen) != len(x) {
		t.Errorf("%d of %d rows count", len(seen), len(x))
	}
	s, err = New(Histogram(x)).scene()
	if err != nil {
		t.Fatal(err)
	}
	if s.Panels[0].Marks[0].Members != nil {
		t.Error("a histogram alone carries rows that nobody can use")
	}
}

// The panels of a column share their horizontal axis; the vertical ones stay their own.
func TestSharedX(t *testing.T) {
	x, y, _ := irisLike(50, 3)
	grid := func(f *Figure) []scene.Panel {
		s, err := f.scene()
		if err != nil {
			t.Fatal(err)
		}
		return s.Panels
	}
	f := Grid(2, New(Histogram(x)), New(Points(y, x)), New(Points(x, y)), New(Histogram(y)))
	p := grid(f.SharedX())
	for c := range 2 {
		if a, b := p[c].X, p[c+2].X; a.Lo != b.Lo || a.Hi != b.Hi {
			t.Errorf("column %d: [%g, %g] and [%g, %g]", c, a.Lo, a.Hi, b.Lo, b.Hi)
		}
	}
	if p[0].X.Hi == p[1].X.Hi {
		t.Error("the columns share one axis")
	}
	q := grid(f)
	if q[0].X.Hi == q[2].X.Hi {
		t.Error("the axes agree without being asked to")
	}
	if p[0].Y.Hi != q[0].Y.Hi {
		t.Error("a vertical axis changed")
	}
}
