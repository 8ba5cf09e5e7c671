package plotting

import (
	"math"
	"strings"
	"testing"
)

// every returns a figure of every layer that takes plain numbers.
func every(v []float64, names ...string) []*Figure {
	n := len(v)
	w := make([]float64, n)
	labels := make([]int, n)
	z := make([][]float64, n)
	for i := range v {
		w[i] = v[n-1-i]
		labels[i] = i % 2
		z[i] = v
	}
	figs := []*Figure{
		New(Points(v, w)), New(Points(v, w).By(labels)), New(Points(v, w).Values(v, "v")), New(Points(v, w).Values(v, "v").Diverging()),
		New(Points(v, w).Mix(z)), New(Points(v, w).Sizes(w)), New(Line(v, w)), New(Line(v, w).Fill().Markers().Steps()),
		New(Area(v, w)), New(Band(v, v, w)), New(ErrorBars(v, w, v, w)), New(VRule(v...), HRule(w...)), New(Arrows(v, w, w, v)),
		New(Histogram(v)), New(Histogram(v).By(labels).Density()), New(Density(v)), New(Density(v).By(labels).Fill()),
		New(
			Bars(v).Values(),
		), New(Bars(v).Horizontal().Errors(w, v)), New(BarGroups(nil, BarSeries{"a", v, nil, nil}, BarSeries{"b", w, nil, nil}).Stacked()),
		New(Polygon(v, w).Fill()), New(Text(math.NaN(), 1, "x")),
		New(Contours(func(x, y float64) float64 { return v[0] * x }).Filled().Labels()),
		New(Regions(func(x, y float64) int { return int(math.Float64bits(x*v[0]) % 3) }).Resolution(16)),
	}
	if n > 0 && n < 40 {
		figs = append(figs, New(Heat(z).Values("%.2f")), New(Heat(z).Image()), New(Heat(z).Diverging().Label("z")))
	}
	return figs
}

func TestHostileNumbers(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, v := range [][]float64{
		{nan},
		{inf},
		{0},
		{-1},
		{5},
		{1e-320},
		{nan, nan},
		{inf, -inf, nan, 1},
		{3, 3, 3},
		{0, 0},
		{1e300, -1e300},
		{1e308, -1e308},
		{math.MaxFloat64, 1},
		{5e-324, 0},
		{1, 1 + 1e-16},
		{1e15, 1e15 + 1},
		{-1, -2, -3},
		{1, 2, nan, 4, inf, 6},
	} {
		for i, f := range every(v) {
			for j, g := range []*Figure{f, f.LogX(), f.LogY().LogX(), f.Equal(), f.Size(80, 80), f.XRange(10, 11)} {
				svg, err := g.SVG()
				if err != nil {
					t.Fatalf("%v, figure %d.%d: %v", v, i, j, err)
				}
				if err := wellFormed(svg); err != nil {
					t.Errorf("%v, figure %d.%d: %v", v, i, j, err)
				}
			}
		}
	}
	for _, f := range []*Figure{
		New(), New(Points(nil, nil)), New(Line(nil, nil)), New(Histogram(nil)), New(Density(nil)), New(Bars(nil)), New(Graph(nil, nil)),
		New(Dendrogram(nil)), New(Polygon(nil, nil)), New(Arrows(nil, nil, nil, nil)), New(Points([]float64{}, []float64{}).By([]int{})),
		New(VRule()),
		New(BarGroups(nil)), nil,
	} {
		svg, err := f.SVG()
		if err != nil {
			t.Fatal(err)
		}
		if err := wellFormed(svg); err != nil {
			t.Error(err)
		}
	}
}

func TestNotice(t *testing.T) {
	x := []float64{1, 2, math.NaN(), 4}
	s, err := New(Points(x, []float64{1, math.Inf(1), 3, 4})).scene()
	if err != nil {
		t.Fatal(err)
	}
	if s.Notice != "2 values cannot be drawn (not finite, or not positive on a log axis)." {
		t.Errorf("notice %q", s.Notice)
	}
	many := make([]float64, 250000)
	for i := range many {
		many[i] = float64(i)
	}
	s, err = New(Points(many, many)).scene()
	if err != nil {
		t.Fatal(err)
	}
	if s.Notice != "200,000 of 250,000 points are drawn." || len(s.Panels[0].Marks[0].XY) != 200000 {
		t.Errorf("notice %q, %d points", s.Notice, len(s.Panels[0].Marks[0].XY))
	}
	if s.Table.More != 250000-50000-maxTableRows {
		t.Errorf("the table leaves out %d rows", s.Table.More)
	}
}

// TestIDs checks that marks have IDs of their own, frame by frame, and that axes do not move.
func TestIDs(t *testing.T) {
	for name, f := range gallery() {
		s, err := f.scene()
		if err != nil {
			t.Fatal(err)
		}
		steps := 1
		if s.Frames != nil {
			steps = len(s.Frames.Steps)
		}
		for k := range steps {
			seen := make(map[string]bool)
			for p := range s.Panels {
				marks := s.Panels[p].Marks
				if s.Frames != nil {
					marks = append(marks[:len(marks):len(marks)], s.Frames.Steps[k].Marks[p]...)
				}
				for _, m := range marks {
					if seen[m.ID] || m.ID == "" {
						t.Errorf("%s: ID %q twice", name, m.ID)
					}
					seen[m.ID] = true
				}
			}
		}
	}
}

func TestFrames(t *testing.T) {
	f := Slide("k", []int{1, 2, 9}, func(k int) *Figure {
		return New(Points([]float64{0, 1}, []float64{0, 1}).Class("data"), VRule(float64(k)).Accent()).Title("t").Subtitle("now")
	}).Start(1)
	s, err := f.scene()
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Panels[0].Marks) != 1 || len(s.Frames.Steps[0].Marks[0]) != 1 {
		t.Errorf("%d marks stay and %d move, want 1 and 1", len(s.Panels[0].Marks), len(s.Frames.Steps[0].Marks[0]))
	}
	if s.Panels[0].X.Hi < 9 || s.Frames.Start != 1 || s.Title != "t" || s.Frames.Labels[2] != "9" {
		t.Errorf("domain to %v, start %d, title %q, labels %v", s.Panels[0].X.Hi, s.Frames.Start, s.Title, s.Frames.Labels)
	}
	if !strings.Contains(s.Alt, "3 frames: k from 1 to 9") {
		t.Errorf("description %q", s.Alt)
	}
}

// TestClassColours checks that a name has one colour in all layers and panels.
func TestClassColours(t *testing.T) {
	s, err := Row(
		New(Points([]float64{1, 2}, []float64{1, 2}).By([]int{0, 1}, "a", "b")),
		New(EllipseOf([]float64{0, 0}, [][]float64{{1, 0}, {0, 1}}).Class("b"), Line([]float64{1, 2}, []float64{1, 2}).Name("c")),
	).scene()
	if err != nil {
		t.Fatal(err)
	}
	slots := make(map[string]int)
	for _, p := range s.Panels {
		for _, m := range p.Marks {
			c := m.Fill.Or(m.Stroke)
			if slot, ok := slots[m.Key]; ok && slot != c.Slot {
				t.Errorf("%s has two colours", m.Key)
			}
			slots[m.Key] = c.Slot
		}
	}
	if slots["a"] != 0 || slots["b"] != 1 || slots["c"] != 2 || len(s.Legend) != 3 {
		t.Errorf("slots %v, %d legend entries", slots, len(s.Legend))
	}
}

func TestImmutable(t *testing.T) {
	x := []float64{1, 2}
	f := New(Points(x, x)).Title("one")
	a, err := f.SVG()
	if err != nil {
		t.Fatal(err)
	}
	x[0] = 50
	f.Title("two")
	f.Add(VRule(1))
	b, err := f.Title("one").SVG()
	if err != nil {
		t.Fatal(err)
	}
	if string(a) != string(b) {
		t.Error("a figure changed after it was made")
	}
}

func BenchmarkTypical(b *testing.B) {
	for b.Loop() {
		f := gallery()["02regions"]
		if _, err := f.SVG(); err != nil {
			b.Fatal(err)
		}
	}
}
