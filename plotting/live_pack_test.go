package plotting

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/prlab/prlab/plotting/internal/live"
	"github.com/prlab/prlab/plotting/internal/scene"
)

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
	spec := live.Of(s)
	if n := len(spec.Figure.Frames.Steps); n != 3 {
		t.Fatalf("%d steps", n)
	}
	for i, step := range spec.Figure.Frames.Steps {
		for _, m := range step.Marks {
			if m.Kind == scene.Symbols && (i == 0) != (m.Points != nil) {
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
