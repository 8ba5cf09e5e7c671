//go:build !js

package live

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/svm"
)

// show returns the output of Show, and whether the cell has failed.
func show(t *testing.T, g *Figure) (output cell.Bundle, failed bool) {
	t.Helper()
	r := cell.Capture(g.Show)
	if len(r.Shown) != 1 {
		t.Fatalf("%d outputs: %s", len(r.Shown), r.Text())
	}
	return r.Shown[0], r.Failed
}

// attribute returns an attribute of the image in an output.
func attribute(t *testing.T, output, name string) string {
	t.Helper()
	m := regexp.MustCompile(` ` + name + `="([^"]*)"`).FindStringSubmatch(output)
	if m == nil {
		t.Fatalf("the output has no %s: %.300s", name, output)
	}
	return html.UnescapeString(m[1])
}

func unpack(t *testing.T, packed string) []byte {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(packed)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// The first picture of a page is the picture in the notebook, with the same tables and checks below.
func TestStartIsTheCell(t *testing.T) {
	output, failed := show(t, New(margins))
	if failed {
		t.Fatal(output.Text)
	}
	a := step(t, New(margins), "[]", false)
	if want := unpack(t, attribute(t, output.HTML, "data-prl-figure")); !bytes.Equal(a.Spec, want) {
		t.Errorf("the spec of the page is not that of the cell:\n%.400s\n%.400s", a.Spec, want)
	}
	if a.Fault != "" || !strings.Contains(output.HTML, `<div class="prl-live-out">`+a.HTML+`</div></div>`) {
		t.Errorf("fault %q; below the figure the page shows\n%s\nand the cell\n%s", a.Fault, a.HTML, output.HTML)
	}
	if !strings.HasPrefix(output.HTML, `<div class="prl-live"><img data-prl-live="`) {
		t.Errorf("the output begins with %.80s", output.HTML)
	}
	if strings.Count(output.HTML, `data-prl-check="X-1" data-prl-outcome="passed"`) != 1 ||
		!strings.Contains(output.Text, "\n✓ X-1 primal") {
		t.Errorf("the check is not recorded: %s", output.Text)
	}
	var about struct {
		Cell   *string
		N      *int
		Inputs []map[string]any
	}
	if err := json.Unmarshal([]byte(attribute(t, output.HTML, "data-prl-live")), &about); err != nil {
		t.Fatal(err)
	}
	if about.Cell == nil || about.N == nil || len(about.Inputs) != 2 ||
		about.Inputs[0]["kind"] != "slider" || about.Inputs[0]["value"] != 10.0 {
		t.Errorf("the page learns %+v", about)
	}
	if n := len(about.Inputs[1]["xy"].([]any)); n != 40 || len(about.Inputs[1]["class"].([]any)) != 40 {
		t.Errorf("the page learns of %d points", n)
	}
}

// In a lab the output names the module that the kernel builds.
func TestOutputNamesTheModule(t *testing.T) {
	g := New(func(*Inputs) *plotting.Figure { return plotting.New(plotting.Points([]float64{0, 1}, []float64{0, 1})) })
	t.Setenv("PRL_CELL", t.TempDir())
	if output, _ := show(t, g); strings.Contains(output.HTML, "data-prl-src") {
		t.Errorf("%.200s", output.HTML)
	}
	if err := os.WriteFile(filepath.Join(os.Getenv("PRL_CELL"), "live"), []byte("5f.wasm.gz"), 0o600); err != nil {
		t.Fatal(err)
	}
	output, _ := show(t, g)
	if got := attribute(t, output.HTML, "data-prl-src"); got != "5f.wasm.gz" {
		t.Errorf("the module is %q", got)
	}
}

// A function knows whether the hand moves.
func TestDraft(t *testing.T) {
	g := New(func(in *Inputs) *plotting.Figure {
		return plotting.New(plotting.Points([]float64{0, 1}, []float64{0, 1})).Title(map[bool]string{
			true:  "moving",
			false: "at rest",
		}[in.Draft()])
	})
	if output, _ := show(t, g); !strings.Contains(output.Text, "at rest") {
		t.Errorf("the kernel draws %q", output.Text)
	}
	for draft, title := range map[bool]string{false: `"title":"at rest"`, true: `"title":"moving"`} {
		if got := g.Step("[]", draft); !strings.Contains(got, title) {
			t.Errorf("draft %v: no %s in %s", draft, title, got)
		}
	}
}

// The axes stand still while the figure moves, and a draft says less.
func TestStepsMoveTheFigure(t *testing.T) {
	g := New(margins)
	first := step(t, g, "[]", false)
	moved := step(t, g, "[500,null]", true)
	if moved.Fault != "" || bytes.Equal(first.Spec, moved.Spec) || len(moved.Spec) >= len(first.Spec) || first.HTML == moved.HTML {
		t.Errorf("C = 500: fault %q, spec of %d bytes against %d", moved.Fault, len(moved.Spec), len(first.Spec))
	}
	axes := regexp.MustCompile(`"lo":[^,]*,"hi":[^,]*`)
	if a, b := axes.FindAllString(string(first.Spec), -1), axes.FindAllString(string(moved.Spec), -1); !slices.Equal(a, b) {
		t.Errorf("the axes move: %v, %v", a, b)
	}
	if again := step(t, g, "[null]", false); !bytes.Equal(again.Spec, first.Spec) {
		t.Error("back at the beginning the figure is another one")
	}
}

// A function whose inputs change fails the cell, and a page hears of it.
func TestInputsDoNotChange(t *testing.T) {
	line := plotting.New(plotting.Points([]float64{0, 1}, []float64{0, 1}))
	for name, f := range map[string]Func{
		`asks for slider "b", for which it did not ask`: func(in *Inputs) *plotting.Figure {
			if in.Toggle("a", false) {
				in.Slider("b", 0, 1)
			}
			return line
		},
		`asks no more for slider "b"`: func(in *Inputs) *plotting.Figure {
			if !in.Toggle("a", false) {
				in.Slider("b", 0, 1)
			}
			return line
		},
		`input 2 was slider "b" at first and is seed "b" now`: func(in *Inputs) *plotting.Figure {
			if in.Choice("a", "x", "y") == "x" {
				in.Slider("b", 0, 1)
			} else {
				in.Seed("b")
			}
			return line
		},
	} {
		output, failed := show(t, New(f))
		if !failed || !strings.Contains(output.Text, name) || !strings.Contains(output.Text, "never inside an if") {
			t.Errorf("want %q, got failed %v, %s", name, failed, output.Text)
		}
		g := New(f)
		step(t, g, "[]", false)
		given := `[true]`
		if strings.Contains(name, "seed") {
			given = `[1]`
		}
		if a := step(t, g, given, false); !strings.Contains(a.Fault, name) || a.Spec != nil {
			t.Errorf("want %q, the page hears %q", name, a.Fault)
		}
	}
}

// What fails gives its block and no figure, and the next step is whole again.
func TestStepsRecover(t *testing.T) {
	g := New(func(in *Inputs) *plotting.Figure {
		c := in.Slider("C", -1, 1, At(1))
		if c == 0.25 {
			panic("a mistake")
		}
		if c == 0.5 {
			return nil
		}
		cell.Check("X-2", "C is not 0.75").True(c != 0.75, "")
		return svm.PlanSVM().C(c).Fit(datasets.Moons(20, 0.1, 1)).Regions()
	})
	for _, c := range []struct{ given, html, fault string }{
		{"[-1]", `<b>C</b>: C is -1`, "cannot be drawn"},
		{"[0.25]", ``, "the function that draws panics: a mistake"},
		{"[0.5]", `returns no figure (nil)`, "cannot be drawn"},
		{"[1e", ``, "cannot be read"},
		{"7", ``, "a list is expected"},
	} {
		a := step(t, g, c.given, false)
		if a.Spec != nil || !strings.Contains(a.HTML, c.html) || !strings.Contains(a.Fault, c.fault) {
			t.Errorf("%s: fault %q, html %s", c.given, a.Fault, a.HTML)
		}
		if len(a.Inputs) != 1 {
			t.Errorf("%s: the answer has %d inputs", c.given, len(a.Inputs))
		}
		if a := step(t, g, "[1]", false); a.Spec == nil || a.Fault != "" {
			t.Fatalf("after %s: fault %q", c.given, a.Fault)
		}
	}
	// A check that does not hold is shown, and the figure is drawn.
	a := step(t, g, "[0.75]", false)
	if a.Spec == nil || a.Fault == "" || !strings.Contains(a.HTML, `data-prl-check="X-2" data-prl-outcome="failed"`) {
		t.Errorf("fault %q, html %s", a.Fault, a.HTML)
	}
}

// What fails at the beginning fails the cell.
func TestShowFails(t *testing.T) {
	line := plotting.New(plotting.Points([]float64{0, 1}, []float64{0, 1}))
	for want, g := range map[string]*Figure{
		"no function":       New(nil),
		"returns no figure": New(func(*Inputs) *plotting.Figure { return nil }),
		"✗ X-3 one is two": New(func(in *Inputs) *plotting.Figure {
			cell.Check("X-3", "one is two").Near(1, 2, 0.1)
			return line
		}),
		"panics when a reader has moved": New(func(in *Inputs) *plotting.Figure {
			return plotting.New(plotting.Points([]float64{0, []float64{1}[in.Seed("n")-1]}, []float64{0, 1}))
		}),
		"has no slider":        New(func(*Inputs) *plotting.Figure { return line }).Frames(5),
		"1 stops, but needs":   New(func(in *Inputs) *plotting.Figure { in.Slider("a", 0, 1); return line }).Frames(1),
		"lo = 0":               New(func(in *Inputs) *plotting.Figure { in.Slider("a", 0, 1, Log); return line }),
		"the option Log is":    New(func(in *Inputs) *plotting.Figure { in.Point("a", 0, 1, Log); return line }),
		"two finite numbers":   New(func(in *Inputs) *plotting.Figure { in.Slider("a", 1, 1); return line }),
		"at most hi - lo":      New(func(in *Inputs) *plotting.Figure { in.Slider("a", 0, 1, Step(0)); return line }),
		"a number from 0 to 1": New(func(in *Inputs) *plotting.Figure { in.Slider("a", 0, 1, At(2)); return line }),
		"at least one word":    New(func(in *Inputs) *plotting.Figure { in.Choice("a"); return line }),
		"a name of its own":    New(func(in *Inputs) *plotting.Figure { in.Seed("a"); in.Seed("a"); return line }),
		"a name that tells":    New(func(in *Inputs) *plotting.Figure { in.Seed(" "); return line }),
		"one a value: 2":       New(func(in *Inputs) *plotting.Figure { in.Values("a", []string{"x"}, []float64{1, 2}); return line }),
		"the sum 3":            New(func(in *Inputs) *plotting.Figure { in.Values("a", []string{"x"}, []float64{3}, Sum(1)); return line }),
		"a number from 0 to 2": New(func(in *Inputs) *plotting.Figure {
			in.Values("a", []string{"x"}, []float64{3}, Within(0, 2))
			return line
		}),
		"= NaN": New(func(in *Inputs) *plotting.Figure {
			in.Values("a", []string{"x"}, []float64{math.NaN()}, Within(0, 2))
			return line
		}),
		"1 x 2 matrix": New(func(in *Inputs) *plotting.Figure {
			in.Table("a", []string{"x"}, []string{"y"}, mat.NewDense(1, 2, nil))
			return line
		}),
		"a matrix":            New(func(in *Inputs) *plotting.Figure { in.Table("a", nil, nil, nil); return line }),
		"leave live.Grow out": New(func(in *Inputs) *plotting.Figure { in.Points("a", datasets.Iris(), Grow); return line }),
		"leave live.Turn out": New(func(in *Inputs) *plotting.Figure {
			in.Points("a", datasets.New("s", mat.NewDense(2, 2, nil), nil), Turn)
			return line
		}),
		`no class "rose"`: New(func(in *Inputs) *plotting.Figure { in.Points("a", datasets.Iris().Classes("rose")); return line }),
	} {
		r := cell.Capture(g.Show)
		if !r.Failed || !strings.Contains(r.Text(), want) {
			t.Errorf("want %q, got failed %v, %s", want, r.Failed, r.Text())
		}
	}
}

// Frames are the stops of the first slider, the beginning among them; a stop where nothing can be drawn is left out.
func TestFrames(t *testing.T) {
	g := New(func(in *Inputs) *plotting.Figure {
		word := in.Choice("word", "a", "b")
		x := in.Slider("x", 1, 100, Log, At(7))
		if x == 100 {
			cell.Fail(plotting.Fault(nil).Err())
			return nil
		}
		return plotting.New(plotting.Points([]float64{x}, []float64{1})).Subtitle(word)
	})
	output, failed := show(t, g.Frames(4))
	if failed {
		t.Fatal(output.Text)
	}
	var spec struct {
		Fig struct {
			Frames *struct {
				Name   string
				Labels []string
				Start  int
			}
		}
	}
	if err := json.Unmarshal(unpack(t, attribute(t, output.HTML, "data-prl-figure")), &spec); err != nil {
		t.Fatal(err)
	}
	f := spec.Fig.Frames
	if f == nil || f.Name != "x" || strings.Join(f.Labels, " ") != "1 7 21.5443" || f.Start != 1 {
		t.Errorf("frames %+v", f)
	}
}

// TestWholeNumbersOnALogarithmicScale moves a slider that stops at whole numbers, ever farther apart.
func TestWholeNumbersOnALogarithmicScale(t *testing.T) {
	i := input{kind: slider, lo: 3, hi: 2000, log: true, stepped: true, step: 1, value: 20}
	list := i.stops(9)
	if list[0] != 3 || list[len(list)-1] != 2000 || !slices.Contains(list, 20) {
		t.Errorf("stops %v", list)
	}
	for k, v := range list {
		if v != math.Trunc(v) || k > 1 && list[k-1] > 3 && v/list[k-1] < 1.2 {
			t.Errorf("stops %v", list)
		}
	}
	g := New(func(in *Inputs) *plotting.Figure {
		return plotting.New(plotting.Line([]float64{0, 1}, []float64{0, 1})).Subtitle(fmt.Sprint(in.Slider("n", 3, 2000, Log, Step(1), At(20))))
	})
	if got := g.Step("[90.4]", false); !strings.Contains(got, `"subtitle":"90"`) {
		t.Errorf("at 90.4 the figure has %s", got)
	}
}
