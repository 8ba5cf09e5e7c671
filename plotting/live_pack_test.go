package plotting

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestQuantise(t *testing.T) {
	linear, log := axis{Lo: -1, Hi: 3}, axis{Lo: 0.01, Hi: 100, Log: true}
	for _, c := range []struct {
		axis axis
		v    float64
		want int
	}{
		{linear, -1, 0}, {linear, 3, 1000}, {linear, 0, 250}, {linear, 7, 2000}, {linear, math.NaN(), missing},
		{linear, math.Inf(1), farOutside}, {log, 1, 500}, {log, 0.01, 0}, {log, -1, missing}, {log, 0, -farOutside},
	} {
		if got := quantise(&c.axis, c.v, 1000); got != c.want {
			t.Errorf("quantise(%v) on [%v, %v] = %d, want %d", c.v, c.axis.Lo, c.axis.Hi, got, c.want)
		}
	}
}

func TestPackRings(t *testing.T) {
	p := &panel{X: axis{Lo: 0, Hi: 1}, Y: axis{Lo: 0, Hi: 1}}
	nan := math.NaN()
	m := pack(&mark{Kind: markPaths, Rings: [][][2]float64{{{0, 0}, {1e-9, 0}, {1, 0}, {nan, 0}, {1, 1}, {0, 1}}}}, p)
	if want := []int{2, 2}; !slices.Equal(m.Lengths, want) {
		t.Errorf("lengths %v, want %v: a vertex on the one before goes, a gap parts the path", m.Lengths, want)
	}
	if want := []int{0, 0, ringUnit, 0, ringUnit, ringUnit, -ringUnit, 0}; !slices.Equal(m.Points, want) {
		t.Errorf("differences %v, want %v", m.Points, want)
	}
}

func TestPaintWords(t *testing.T) {
	for want, p := range map[string]paint{
		"": {}, "c3": {Token: tokenClass, Slot: 3}, "c0@0.5": {Token: tokenClass, Opacity: 0.5}, "f": {Token: tokenForeground, Opacity: 1},
		"s0.123": {Token: tokenSequential, Value: 0.1234}, "d0.5": {Token: tokenDiverging, Value: 0.5},
		"x0:0.25,2:0.75": {Token: tokenMix, Mix: [][2]float64{{0, 0.25}, {1, 0}, {2, 0.75}}}, "s0": {Token: tokenSequential, Value: nan()},
		"x2:1": {Token: tokenMix, Mix: [][2]float64{{0, 0}, {2, 1}}},
	} {
		if got := word(p); got != want {
			t.Errorf("%+v is spelled %q, want %q", p, got, want)
		}
	}
}

func nan() float64 { return math.NaN() }

// Frames leave out what they share with the first; the runtime puts it back.
func TestFramesShare(t *testing.T) {
	xs := []float64{0, 1, 2}
	f := Slide("step", []int{0, 1, 2}, func(i int) *Figure {
		w := float64(i) / 2
		return New(Points(xs, xs).Mix([][]float64{{w, 1 - w}, {1, 0}, {0.5, 0.5}}, "a", "b"))
	})
	s, err := f.scene()
	if err != nil {
		t.Fatal(err)
	}
	spec := of(s)
	if n := len(spec.Figure.Frames.Steps); n != 3 {
		t.Fatalf("%d steps", n)
	}
	for i, step := range spec.Figure.Frames.Steps {
		for _, m := range step.Marks {
			if m.Kind == markSymbols && (i == 0) != (m.Points != nil) {
				t.Errorf("step %d: points %v, as %v", i, m.Points, m.As)
			}
		}
	}
}

func TestImageIsOneElement(t *testing.T) {
	f := New(Points([]float64{0, 1}, []float64{1, 2})).Title(`"><script>`).Alt(`"><script>`)
	element, alt, err := f.image()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(element, "<") != 1 || strings.Count(element, ">") != 1 || alt != `"><script>` {
		t.Errorf("not one element: %.300s", element)
	}
	_, rest, _ := strings.Cut(element, `data-prl-figure="`)
	word, _, _ := strings.Cut(rest, `"`)
	packed, err := base64.StdEncoding.DecodeString(word)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	var spec map[string]any
	if err := json.Unmarshal(text, &spec); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(text, []byte("__f__")) || bytes.Contains(text, []byte("function")) {
		t.Error("the spec carries functions")
	}
}

// An error of the figure comes out of every end.
func TestFaultyFigure(t *testing.T) {
	f := New(Points([]float64{1}, []float64{1, 2}))
	if _, err := f.HTML(); err == nil {
		t.Error("HTML gives no error")
	}
	if _, err := f.ECharts(); err == nil {
		t.Error("ECharts gives no error")
	}
}

func TestEChartsKeepsSeries(t *testing.T) {
	c, err := New(Points([]float64{0, 1}, []float64{1, 2}).Name("p"), Line([]float64{0, 1}, []float64{1, 2}).Name("l")).Title("T").ECharts()
	if err != nil {
		t.Fatal(err)
	}
	c.Validate()
	text, err := json.Marshal(c.JSON())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"type":"scatter"`, `"type":"line"`, `"name":"p"`, `"name":"l"`, `"text":"T"`} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("the chart lacks %s", want)
		}
	}
}
