//go:build !js

package live

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
)

// bench is an instrument with an input of each kind; wrong says what is drawn falsely in some state.
func bench(wrong func(in *Inputs, slope float64) float64) *Figure {
	return New(func(in *Inputs) *plotting.Figure {
		slope := in.Slider("slope", 0.5, 2, Step(0.1), At(1))
		word := in.Choice("kind", "up", "down")
		if word == "down" {
			slope = -slope
		}
		in.Toggle("box", false)
		x, y := in.Point("point", 1, 1)
		in.Values("priors", []string{"a", "b"}, []float64{0.3, 0.7}, Sum(1))
		in.Table("loss", []string{"r", "s"}, []string{"c"}, mat.NewDense(2, 1, []float64{1, 2}))
		in.Text("words", "one two")
		in.Seed("again")
		in.Ellipse("e", []float64{0, 0}, mat.NewSymDense(2, []float64{1, 0, 0, 1}))
		in.Predict("which?", "left", "right")
		cell.NewTable("slope").Row(slope).Show()
		if wrong != nil {
			slope = wrong(in, slope)
		}
		return plotting.New(
			plotting.Line([]float64{-2, 2}, []float64{-2 * slope, 2 * slope}).Name("line"),
			plotting.Points([]float64{x}, []float64{y}).Name("point"),
		).XRange(-2, 2).YRange(-4, 4).Title("slope " + cell.Digits(slope, 3))
	})
}

// TestStates wants every input moved, one after the other, the reader's values in each state, and what is drawn there.
func TestStates(t *testing.T) {
	var names []string
	points := map[[2]float64]bool{}
	bench(nil).Survey(func(s State, err error) bool {
		if err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
		names = append(names, s.Name)
		want := s.Slider("slope")
		if s.Choice("kind") == "down" {
			want = -want
		}
		if got := s.Drawn("line").At(1); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: the line is at %v, want %v", s.Name, got, want)
		}
		if s.Title() != "slope "+cell.Digits(want, 3) || s.Tables[0].Number(0, "slope") != want {
			t.Errorf("%s: the title is %q, the table says %v", s.Name, s.Title(), s.Tables[0].Number(0, "slope"))
		}
		x, y := s.Point("point")
		points[[2]float64{x, y}] = true
		if p := s.Drawn("point").Points()[0]; p != [2]float64{x, y} {
			t.Errorf("%s: the point stands at %v", s.Name, p)
		}
		if v := s.Values("priors"); math.Abs(v[0]+v[1]-1) > 1e-12 {
			t.Errorf("%s: priors %v", s.Name, v)
		}
		return true
	})
	want := []string{
		"as it begins", "slope = 0.5", "slope = 1.3", "slope = 2", "kind = up, all sliders at their lower ends",
		"kind = up, all sliders at their upper ends", "kind = down", "kind = down, all sliders at their lower ends",
		"kind = down, all sliders at their upper ends", "box set", "point dragged", "priors set", "loss turned upside down", "words = two one",
		"again set", "e point 1 dragged", "e point 2 dragged", "e point 3 dragged", "which? = left", "which? = right",
	}
	if !slices.Equal(names, want) {
		t.Errorf("the states are\n%s\nwant\n%s", strings.Join(names, "\n"), strings.Join(want, "\n"))
	}
	if len(points) != 2 {
		t.Errorf("the point has stood at %v", points)
	}
}

// TestEveryState has a claim proved in all states, and turned red by what is drawn falsely in one of them.
func TestEveryState(t *testing.T) {
	claim := func(g *Figure) string {
		return cell.Capture(func() {
			cell.Check("", "the line has the slope chosen").Every(g.States(func(s State) (got, want any) {
				return math.Abs(s.Drawn("line").At(1)), s.Slider("slope")
			}))
		}).Text()
	}
	if s := claim(bench(nil)); !strings.HasPrefix(s, "✓") || !strings.Contains(s, "20 states, largest") {
		t.Errorf("a true figure: %s", s)
	}
	for name, wrong := range map[string]func(in *Inputs, slope float64) float64{
		"slope = 2:": func(in *Inputs, slope float64) float64 { return min(slope, 1.9) },
		"kind = down, all sliders at their upper ends:": func(in *Inputs, slope float64) float64 { return max(slope, -1.9) },
		"slope = 1.3: ✗ three": func(in *Inputs, slope float64) float64 {
			cell.Check("", "three").True(math.Abs(slope-1.3) > 1e-9, "")
			return slope
		},
		"kind = down: the function that draws panics: down": func(in *Inputs, slope float64) float64 {
			if slope < 0 {
				panic("down")
			}
			return slope
		},
	} {
		if s := claim(bench(wrong)); !strings.HasPrefix(s, "✗") || !strings.Contains(s, name) {
			t.Errorf("want a failure at %s, got %s", name, s)
		}
	}
	if s := cell.Capture(func() {
		bench(nil).Survey(func(s State, _ error) bool { s.Slider("slop"); return false })
	}).Text(); !strings.Contains(s, `did you mean "slope"?`) {
		t.Errorf("a misspelt input: %s", s)
	}
}

// A page, which has only the module of a notebook, proves nothing again.
func TestStatesInPage(t *testing.T) {
	collect = func(*Figure) {}
	defer func() { collect = nil }()
	if r := cell.Capture(func() { cell.Check("", "x").Every(bench(nil).States(nil)) }); r.Failed || len(r.Shown) > 0 {
		t.Errorf("the page shows %s", r.Text())
	}
}
