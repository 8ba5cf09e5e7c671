package plotting

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/plotting/internal/scene"
)

// close reports whether two numbers agree to a tolerance.
func close(a, b, tol float64) bool { return math.Abs(a-b) <= tol }

func largest(values []float64) (most float64) {
	for _, v := range values {
		most = max(most, math.Abs(v))
	}
	return most
}

// A curve is read where it is drawn: exactly at its vertices, to a thousandth of the axis between them.
func TestDrawnCurve(t *testing.T) {
	fig := New(Curve(math.Sin, 0, 6).Name("sine"), Line([]float64{0, 1, 2}, []float64{3, 5, 4}).Name("line"),
		Line([]float64{0, 1, 2}, []float64{1, 2, 3}).Steps().Name("steps"))
	sine := fig.Drawn("sine")
	if d := largest(sine.Minus(math.Sin)); d > 1e-15 || len(sine.Minus(math.Sin)) < 20 {
		t.Errorf("sine: off by %v in %d vertices", d, len(sine.Minus(math.Sin)))
	}
	if d := largest(sine.Minus(math.Cos)); d < 0.5 {
		t.Errorf("a sine is no cosine, but is off by %v only", d)
	}
	for x := 0.0; x <= 6; x += 0.0173 {
		if y := sine.At(x); !close(y, math.Sin(x), 5e-3) {
			t.Errorf("sine at %v is %v, want %v", x, y, math.Sin(x))
		}
	}
	if lo, hi := sine.Span(); lo != 0 || hi != 6 {
		t.Errorf("sine from %v to %v", lo, hi)
	}
	line, steps := fig.Drawn("line"), fig.Drawn("steps")
	for _, c := range [][3]float64{{0, 3, 1}, {0.5, 4, 1}, {1, 5, 2}, {1.5, 4.5, 2}, {2, 4, 3}} {
		if y := line.At(c[0]); y != c[1] {
			t.Errorf("line at %v is %v, want %v", c[0], y, c[1])
		}
		if y := steps.At(c[0]); y != c[2] {
			t.Errorf("steps at %v are %v, want %v", c[0], y, c[2])
		}
	}
	log := New(Line([]float64{1, 100}, []float64{1, 100}).Name("line")).LogX().LogY()
	if y := log.Drawn("line").At(10); !close(y, 10, 1e-12) {
		t.Errorf("on logarithmic axes the line is at %v, want 10", y)
	}
}

// Areas know their size, which sides they cover, and the sign of their integral.
func TestDrawnArea(t *testing.T) {
	x := make([]float64, 201)
	up, down, zero := make([]float64, 201), make([]float64, 201), make([]float64, 201)
	for i := range x {
		x[i] = float64(i) / 100
		up[i], down[i] = x[i], 1-x[i]
	}
	fig := New(Band(x, zero, up).Name("below"), Band(x, down, up).Name("crossing"), Area(x, down).Name("both signs"),
		Curve(func(x float64) float64 { return x * x }, 0, 1).Fill().Name("parabola"), Curve(math.Sin, 0, 1).Name("none"))
	for _, c := range []struct {
		name           string
		area, integral float64
	}{{"below", 2, 2}, {"crossing", 2.5, 2}, {"both signs", 1, 0}, {"parabola", 1.0 / 3, 1.0 / 3}} {
		d := fig.Drawn(c.name)
		if !close(d.Area(), c.area, 2e-3) || !close(d.Integral(), c.integral, 2e-3) {
			t.Errorf("%s: area %v, want %v; integral %v, want %v", c.name, d.Area(), c.area, d.Integral(), c.integral)
		}
	}
	below := fig.Drawn("below")
	if !below.Covers(1.5, 1) || below.Covers(1, 1.5) || below.Covers(1.5, -0.1) || below.Covers(3, 0.1) {
		t.Error("the band covers the wrong side")
	}
	cut := New(Band(x, zero, up).Name("below")).XRange(1, 3)
	if a := cut.Drawn("below").Area(); !close(a, 1.5, 2e-3) {
		t.Errorf("inside the panel the area is %v, want 1.5", a)
	}
	ring := New(Regions(func(x, y float64) int {
		if r := math.Hypot(x, y); r > 0.5 && r < 1.5 {
			return 1
		}
		return 0
	}, "out", "ring")).XRange(-2, 2).YRange(-2, 2)
	if a := ring.Drawn("ring").Area(); !close(a, 2*math.Pi, 0.01) {
		t.Errorf("a region with a hole has the area %v, want %v", a, 2*math.Pi)
	}
	if ring.Region(0, 0) != "out" || ring.Region(1, 0) != "ring" || ring.Region(1.9, 1.9) != "out" {
		t.Errorf("regions %q %q", ring.Region(0, 0), ring.Region(1, 0))
	}
}

func TestDrawnWidths(t *testing.T) {
	fig := New(Line([]float64{0, 1}, []float64{0, 1}).Width(3).Name("thick"), Line([]float64{0, 1}, []float64{1, 0}).Width(1.5).Name("thin"))
	if s := fmt.Sprint(fig.Drawn("thick").Widths(), fig.Drawn("thin").Widths()); s != "[3] [1.5]" {
		t.Errorf("widths %s", s)
	}
}

func TestDrawnHollow(t *testing.T) {
	x, one := []float64{1, 2}, []float64{1}
	fig := New(Points(x, x).Hollow().Name("rings"), Points(x, x).Name("dots"), Points(one, one).Marker("square").Hollow().Class("box"),
		Points(x, x).Values(x, "height").Name("shaded"))
	for name, want := range map[string]bool{"rings": true, "dots": false, "box": true, "shaded": false} {
		if got := fig.Drawn(name).Hollow(); got != want {
			t.Errorf("%s: hollow is %t", name, got)
		}
	}
}

func TestDrawnNotes(t *testing.T) {
	fig := New(Points([]float64{1, 2, 3}, []float64{4, 5, 6}).By([]int{0, 1, 0}, "a", "b").Notes("one", "two", "three"), VRule(1).Name("rule"))
	if got := fmt.Sprintf("%q %q", fig.Drawn("a").Notes(), fig.Drawn("b").Notes()); got != `["one" "three"] ["two"]` {
		t.Errorf("notes %s", got)
	}
	graph := New(Graph([]Node{{Name: "rain", Note: "it rains"}, {Name: "sun"}}, []Edge{{From: "rain", To: "sun"}}))
	if got := fmt.Sprintf("%q %q", graph.Drawn("rain").Notes(), graph.Drawn("sun").Notes()); got != `["it rains"] ["sun"]` {
		t.Errorf("notes %s", got)
	}
}

func TestDrawnPoints(t *testing.T) {
	fig := New(
		Points([]float64{1, 2, 3, 9}, []float64{4, 5, 6, 7}).By([]int{0, 1, 0, 1}, "a", "b").Labels("P", "Q", "R", "S"),
		Points([]float64{2}, []float64{6}).Accent().Marker("star").Size(12).Name("mean"),
	).XRange(0, 4).YRange(3, 8)
	if s := fmt.Sprint(fig.Drawn("a").Points(), fig.Drawn("b").Points(), fig.Drawn("R").Points()); s != "[[1 4] [3 6]] [[2 5]] [[3 6]]" {
		t.Errorf("points %s: what lies outside of the panel is not drawn", s)
	}
	mean := fig.Drawn("mean")
	if mean.Marker() != "star" || mean.Colour() != "#b3001b" || fmt.Sprint(mean.Sizes()) != "[12]" {
		t.Errorf("mean: %s in %s of size %v", mean.Marker(), mean.Colour(), mean.Sizes())
	}
	if a, b := fig.Drawn("a"), fig.Drawn("b"); a.Colour() == b.Colour() || a.Marker() == b.Marker() {
		t.Error("two classes look the same")
	}
	if s := fmt.Sprint(fig.View().Legend()); s != "[a b mean]" {
		t.Errorf("legend %s", s)
	}
}

func TestDrawnBars(t *testing.T) {
	for _, horizontal := range []bool{false, true} {
		b := BarGroups([]string{"x", "y"}, BarSeries{Name: "a", Values: []float64{1, -2}}, BarSeries{
			Name: "b", Values: []float64{3, 4}, Lo: []float64{2, 3}, Hi: []float64{4, 6},
		})
		if horizontal {
			b = b.Horizontal()
		}
		fig := New(b)
		if s := fmt.Sprint(fig.Drawn("a").Bars(), fig.Drawn("b").Bars()); s != "[1 -2] [3 4]" {
			t.Errorf("bars %s", s)
		}
		if fig.Drawn("a").Bar("y") != -2 || fig.Drawn("b").Bar("x") != 3 {
			t.Errorf("bars by category %v, %v", fig.Drawn("a").Bar("y"), fig.Drawn("b").Bar("x"))
		}
		for i, e := range fig.Drawn("b").Intervals() {
			if want := [][2]float64{{2, 4}, {3, 6}}[i]; e[1] != want[0] || e[2] != want[1] {
				t.Errorf("interval %v, want %v", e, want)
			}
		}
	}
	stacked := New(BarGroups([]string{"x"}, BarSeries{Name: "a", Values: []float64{1}}, BarSeries{Name: "b", Values: []float64{3}}).Stacked())
	if s := fmt.Sprint(stacked.Drawn("b").Bars()); s != "[3]" {
		t.Errorf("stacked %s", s)
	}
	plain := New(Bars([]float64{2, -1}).By("up", "down"))
	up, down := plain.Drawn("up"), plain.Drawn("down")
	if plain.Layer(0).At(1) != -1 || fmt.Sprint(up.Bars()) != "[2]" || up.Colour() == down.Colour() {
		t.Errorf("bars by class: %v, %v", plain.Layer(0).At(1), up.Bars())
	}
	hist := New(Histogram([]float64{0.5, 1.5, 1.6, 2.5}).Range(0, 3).Bins(3).Name("h"))
	if s := fmt.Sprint(hist.Drawn("h").Bars(), hist.Drawn("h").At(1.2)); s != "[1 2 1] 2" {
		t.Errorf("histogram %s", s)
	}
	errs := New(ErrorBars([]float64{1, 2}, []float64{5, 6}, []float64{4, 5}, []float64{6, 8}).Name("e"))
	if s := fmt.Sprint(errs.Drawn("e").Intervals(), errs.Drawn("e").Points()); s != "[[1 4 6] [2 5 8]] [[1 5] [2 6]]" {
		t.Errorf("error bars %s", s)
	}
	none := ErrorBars([]float64{1, 2, 3}, []float64{0, 0.2, 1}, []float64{0, 0.1, 1}, []float64{0, 0.3, 1}).Name("none")
	if s := fmt.Sprint(New(none).Drawn("none").Intervals()); s != "[[1 0 0] [2 0.1 0.3] [3 1 1]]" {
		t.Errorf("error bars without length %s", s)
	}
	b := Bars([]float64{2, -3}).Errors([]float64{2, -4}, []float64{2, -1})
	for want, b := range map[string]BarsLayer{"[[0 2 2] [1 -4 -1]]": b, "[[0 2 2] [-1 -4 -1]]": b.Horizontal()} {
		if s := fmt.Sprint(New(b).Layer(0).Intervals()); s != want {
			t.Errorf("bars with an error bar without length: %s, want %s", s, want)
		}
	}
}

func TestDrawnShapes(t *testing.T) {
	fig := New(
		EllipseOf([]float64{1, 2}, [][]float64{{4, 1}, {1, 2}}).Sigma(2).Name("contour").Dash(),
		VRule(0.5, 3).Labels("left", "right").Accent(), HRule(1).Name("zero"), Slope(1, 2).Name("slope"),
		Arrows([]float64{0, 1}, []float64{0, 1}, []float64{2, 3}, []float64{1, 0}).Labels("v", "w"),
		Text(1, 1, "here").Bold(),
	)
	mean, cov := fig.Drawn("contour").Ellipse()
	want := [][]float64{{16, 4}, {4, 8}}
	for i := range 2 {
		for j := range 2 {
			if !close(cov[i][j], want[i][j], 1e-9) || !close(mean[i], []float64{1, 2}[i], 1e-9) {
				t.Errorf("ellipse: mean %v, covariance %v", mean, cov)
			}
		}
	}
	if !fig.Drawn("contour").Dashed() || fig.Drawn("zero").Dashed() {
		t.Error("dashes")
	}
	left, right, both := fig.Drawn("left").Rules(), fig.Drawn("right").Rules(), fig.Layer(1).Rules()
	if s := fmt.Sprint(left, right, fig.Drawn("zero").Rules(), both); s != "[0.5] [3] [1] [0.5 3]" {
		t.Errorf("rules %s", s)
	}
	if y := fig.Drawn("slope").At(0.25); !close(y, 1.5, 1e-12) {
		t.Errorf("slope at 0.25: %v", y)
	}
	if s := fmt.Sprint(fig.Drawn("w").Arrows(), fig.Drawn("here").Points(), fig.Drawn("here").Texts()); s != "[[1 1 3 0]] [[1 1]] [here]" {
		t.Errorf("arrow and text %s", s)
	}
	bowl := New(Contours(func(x, y float64) float64 { return x*x + y*y }).Levels(1, 2).Labels().Name("bowl")).XRange(-2, 2).YRange(-2, 2)
	for _, level := range []float64{1, 2} {
		for _, v := range bowl.Drawn(fmt.Sprint(level)).Values(func(x, y float64) float64 { return x*x + y*y }) {
			if !close(v, level, 1e-3) {
				t.Errorf("the line of level %v is at %v", level, v)
			}
		}
	}
	filled := New(Contours(func(x, y float64) float64 { return x }).Filled().Levels(0, 1, 2, 3)).XRange(-1, 4).YRange(0, 1)
	if s := filled.View().Shade(1.5, 0.5); !close(s, 1.5, 0.01) {
		t.Errorf("the shade between the levels 1 and 2 is %v", s)
	}
}

func TestDrawnTables(t *testing.T) {
	z := [][]float64{{1, 2, 3}, {4, 5, 6}}
	for name, h := range map[string]HeatLayer{
		"colours": Heat(z), "numbers": Heat(z).Values("%.1f"), "both": Heat(z).Values("%.1f").Label("z"),
	} {
		v := New(h.Rows("a", "b").Columns("x", "y", "z")).View()
		for i, got := range []float64{v.Cell("a", "x"), v.Cell("b", "z"), v.Shade(1, -1)} {
			if want := []float64{1, 6, 5}[i]; !close(got, want, 0.01) {
				t.Errorf("%s: %v, want %v", name, got, want)
			}
		}
	}
	graph := New(Graph([]Node{{Name: "r", Label: "root"}, {Name: "l", Class: "leaf"}, {Name: "m", Class: "leaf"}},
		[]Edge{{From: "r", To: "l", Label: "yes"}, {From: "r", To: "m", Accent: true}}).Tree().Directed())
	root, l := graph.Drawn("root").Points()[0], graph.Drawn("l").Points()[0]
	if root[1] <= l[1] || graph.Drawn("l").Colours()[0] != graph.Drawn("m").Colours()[0] {
		t.Errorf("root at %v, leaf at %v", root, l)
	}
	if s := fmt.Sprintf("%q", graph.View().Edges()); s != `["root → l" "root → m"]` {
		t.Errorf("edges %s", s)
	}
	if graph.Drawn("root → m").Colour() != "#b3001b" || graph.Drawn("root → l").Texts()[0] != "yes" {
		t.Error("edges have lost their colour or their text")
	}
	trellis := New(Trellis([]string{"rain", "sun"}, 3).Values([][]float64{{0.1, 0.2}, {0.3, 0.4}, {0.5, math.NaN()}}).Path([]int{0, 1, 1}))
	if s := trellis.Drawn("sun at 2").Texts(); fmt.Sprint(s) != "[0.4]" {
		t.Errorf("the node says %v", s)
	}
	stays := trellis.Drawn("rain at 1 → rain at 2") // an edge of the lattice only
	if trellis.Drawn("rain at 1 → sun at 2").Arrows() == nil ||
		slices.ContainsFunc(stays.marks, func(m scene.Mark) bool { return m.Kind == scene.Arrows }) {
		t.Error("the path is drawn elsewhere")
	}
	tree := New(Dendrogram([][4]float64{{0, 1, 1, 2}, {2, 3, 2.5, 3}}))
	top := 0.0
	for _, p := range tree.Drawn("merge 2").Paths()[0] {
		top = max(top, p[1])
	}
	if top != 2.5 {
		t.Errorf("the second merge is at %v", top)
	}
}

// Panels and frames are addressed, and a name in several panels has to be.
func TestDrawnPanelsAndFrames(t *testing.T) {
	film := Slide("k", []float64{1, 2, 3}, func(k float64) *Figure {
		return Row(
			New(Curve(func(x float64) float64 { return k * x }, 0, 1).Name("line")).Title(fmt.Sprint("slope ", k)),
			New(Points([]float64{k}, []float64{0}).Name("point"), Line([]float64{0, 1}, []float64{0, 0}).Name("line")),
		).Subtitle(fmt.Sprint("step ", k))
	}).Start(1)
	if x := film.Drawn("point").Points()[0][0]; x != 2 {
		t.Errorf("the first frame shown has its point at %v", x)
	}
	for i := range 3 {
		v := film.Frame(i)
		if y := v.Panel(0).Drawn("line").At(1); y != float64(i+1) || v.Panel(1).Drawn("line").At(0.5) != 0 {
			t.Errorf("frame %d: the line ends at %v", i, y)
		}
		says := []string{v.Panel(0).Title(), v.Subtitle(), v.Label()}
		if want := fmt.Sprintf("[slope %d step %[1]d k = %[1]d]", i+1); fmt.Sprint(says) != want {
			t.Errorf("frame %d: %q, want %s", i, says, want)
		}
	}
	n := 0
	frames := film.Frames(func(i int, v View) (got, want any) { return v.Panel(0).Drawn("line").At(1), i + 1 })
	frames.All(func(name string, got, want any) bool {
		n++
		return got.(float64) == float64(want.(int))
	})
	if n != 3 {
		t.Errorf("%d frames", n)
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{film.Drawn("line").Err(), "several panels"},
		{film.Drawn("lines").Err(), `did you mean "line"?`},
		{film.Drawn("lines").Err(), `needs to be "line", "point"`},
		{film.Drawn("").Err(), "every layer has a name"},
		{film.Panel(2).Err(), "from 0 to 1"},
		{film.Frame(3).Drawn("point").Err(), "from 0 to 2"},
		{film.Panel(1).Layer(2).Err(), "from 0 to 1"},
		{Fault(fmt.Errorf("no model")).Drawn("x").Err(), "no model"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("error %v, want one with %s", c.err, c.want)
		}
	}
	if s := fmt.Sprint(New(Points([]float64{1}, []float64{2}), VRule(3)).Drawn("").Rules()); s != "[3]" {
		t.Errorf("layers without a name: %s", s)
	}
}

// What is read back changes with every error that is planted in a picture.
func TestDrawnNoticesMutants(t *testing.T) {
	cov := mat.NewSymDense(2, []float64{2, 0.5, 0.5, 1})
	read := func(f *Figure) string {
		_, S := f.Drawn("e").Ellipse()
		return fmt.Sprintf("%.3f %.3f %v %v %q %s %.2f", f.Drawn("c").At(1), f.Drawn("a").Integral(), f.Drawn("p").Points(), f.Drawn("b").Bars(),
			f.Region(0.2, 0.2), f.Drawn("p").Colour(), S)
	}
	make := func(slope, shift float64, x, y, bars []float64, k int, class string, s float64) *Figure {
		return New(Regions(func(x, y float64) int {
			if x < 1 {
				return k
			}
			return 1 - k
		}, "A", "B"), Line([]float64{0, 2}, []float64{0, 2 * slope}).Name("c"), Area([]float64{shift, 2}, []float64{1, 1}).Name("a"),
			Points(x, y).Name("p").Class(class), Bars(bars).Name("b"), Ellipse([]float64{1, 1}, cov).Sigma(s).Name("e"))
	}
	x, y, b := []float64{1, 2}, []float64{0, 1}, []float64{3, 4}
	right := read(make(1, 0, x, y, b, 0, "A", 1))
	for name, f := range map[string]*Figure{
		"the line slopes the other way": make(-1, 0, x, y, b, 0, "A", 1),
		"the area begins later":         make(1, 0.5, x, y, b, 0, "A", 1),
		"coordinates are exchanged":     make(1, 0, y, x, b, 0, "A", 1),
		"bars are exchanged":            make(1, 0, x, y, []float64{4, 3}, 0, "A", 1),
		"bars are halved":               make(1, 0, x, y, []float64{1.5, 2}, 0, "A", 1),
		"regions are exchanged":         make(1, 0, x, y, b, 1, "A", 1),
		"another class's colour":        make(1, 0, x, y, b, 0, "B", 1),
		"the ellipse is doubled":        make(1, 0, x, y, b, 0, "A", 2),
	} {
		if read(f) == right {
			t.Errorf("%s, and nobody notices: %s", name, right)
		}
	}
}

// A band whose edges are straight on logarithmic axes is drawn without the points between its ends, and covers the same places there.
func TestCoversOnLogarithmicAxes(t *testing.T) {
	x := []float64{1, 2, 4, 8, 16}
	var lo, hi []float64
	for _, v := range x {
		lo, hi = append(lo, 0.99/v), append(hi, 1.01/v)
	}
	d := New(Band(x, lo, hi).Name("band")).LogX().LogY().Drawn("band")
	for _, at := range []float64{1.5, 2, 3, 4, 5.7, 8, 11} {
		for _, share := range []float64{0.98, 0.995, 1.005, 1.02} {
			if got, want := d.Covers(at, share/at), share > 0.99 && share < 1.01; got != want {
				t.Errorf("(%g, %g): %t", at, share/at, got)
			}
		}
	}
}
