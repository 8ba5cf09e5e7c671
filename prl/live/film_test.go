package live

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
)

func tilted(slope float64) *plotting.Figure {
	return plotting.New(plotting.Line([]float64{0, 4}, []float64{0, 4 * slope})).Subtitle(fmt.Sprintf("slope %.2f", slope))
}

// A film says how its pictures are asked for, if there are pictures between its frames.
func TestFilming(t *testing.T) {
	numbers := []float64{0.5, 1, 20}
	frames := map[float64]*plotting.Figure{0.5: tilted(1), 1: tilted(2), 20: tilted(3)}
	for name, c := range map[string]struct {
		film *plotting.Figure
		want string
	}{
		"numbers":           {plotting.Slide("slope", numbers, tilted).Start(1), `"lo":0.5,"hi":20,"log":true,"value":1}],"stops":[0.5,1,20]`},
		"falling":           {plotting.Slide("slope", []float64{3, 1.5, 0}, tilted), `"lo":0,"hi":3,"value":3}],"stops":[3,1.5,0]`},
		"counted":           {plotting.Slide("slope", []float64{1, 2, 3}, tilted), ""},
		"named":             {plotting.Slide("slope", numbers, tilted).Labels("a", "b", "c"), ""},
		"whole numbers":     {plotting.Slide("slope", []int{1, 5}, func(v int) *plotting.Figure { return tilted(float64(v)) }), ""},
		"one":               {plotting.Slide("slope", numbers[:1], tilted), ""},
		"without a name":    {plotting.Slide("", numbers, tilted), ""},
		"no frames":         {tilted(1), ""},
		"known frames only": {plotting.Slide("slope", numbers, func(v float64) *plotting.Figure { return frames[v] }), ""},
		"a panic between": {plotting.Slide("slope", numbers, func(v float64) *plotting.Figure {
			if v == 0.75 {
				panic("no such slope")
			}
			return tilted(v)
		}), ""},
		"a failure between": {plotting.Slide("slope", numbers, func(v float64) *plotting.Figure {
			if v == 0.75 {
				cell.Fail(errors.New("no such slope"))
			}
			return tilted(v)
		}), ""},
	} {
		m, ok := c.film.Film()
		attributes := ""
		if ok {
			attributes = filming(m)
		}
		attributes = strings.ReplaceAll(attributes, "&#34;", `"`)
		if (c.want == "") != (attributes == "") || !strings.Contains(attributes, c.want) {
			t.Errorf("%s: %q, want %q", name, attributes, c.want)
		}
	}
}

// In a lab a film names the module that the kernel builds.
func TestFilmNamesTheModule(t *testing.T) {
	m, ok := plotting.Slide("slope", []float64{0.5, 1, 20}, tilted).Film()
	if !ok {
		t.Fatal("no film")
	}
	folder := t.TempDir()
	t.Setenv("PRL_CELL", folder)
	if attributes := filming(m); strings.Contains(attributes, "data-prl-src") {
		t.Errorf("without a module: %s", attributes)
	}
	if err := os.WriteFile(filepath.Join(folder, "live"), []byte("5f.wasm.gz"), 0o600); err != nil {
		t.Fatal(err)
	}
	if attributes := filming(m); !strings.Contains(attributes, ` data-prl-src="5f.wasm.gz"`) {
		t.Errorf("with one: %s", attributes)
	}
}

// The axes of a film's pictures are those of all of its frames, and its title is that of the film.
func TestFilmSteps(t *testing.T) {
	m, ok := plotting.Slide("slope", []float64{0, 0.5, 2}, tilted).Title("A film").Film()
	if !ok {
		t.Fatal("no film")
	}
	g := ofFilm(m)
	first := g.Step("[]", false)
	between := g.Step("[1.25]", false)
	for _, words := range []string{`"title":"A film"`, `"subtitle":"slope 1.25"`} {
		if !strings.Contains(between, words) {
			t.Errorf("between the frames there is no %s in\n%s", words, between)
		}
	}
	_, _, _, yHi, ok := g.stage.Bounds(0)
	if !ok || yHi < 8 || !strings.Contains(first, `"subtitle":"slope 0.00"`) {
		t.Errorf("the vertical axis ends at %v, and the frames reach 8; the first answer is\n%s", yHi, first)
	}
}
