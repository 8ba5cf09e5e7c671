package plotting

import (
	"encoding/json"
	"math"
	"testing"
	"time"
)

type stagedSpec struct {
	Option struct {
		Series []struct {
			Mark struct {
				Kind    string `json:"k"`
				Lengths []int  `json:"r"`
			} `json:"prl"`
		} `json:"series"`
	} `json:"option"`
	Fig struct {
		Alt    string
		Table  *struct{ Rows [][]string }
		Panels []struct{ X, Y struct{ Lo, Hi float64 } }
	}
}

// The axes of the first figure stand for all, a range that a figure sets holds, and a draft is coarser and says less.
func TestStage(t *testing.T) {
	var g Stage
	spec := func(f *Figure, draft bool) (s stagedSpec) {
		t.Helper()
		text, err := g.Spec(f, draft)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &s); err != nil {
			t.Fatal(err)
		}
		return s
	}
	wave := NewField(func(x, y float64) float64 { return math.Sin(9*x) - y })
	at := func(x float64) *Figure {
		return New(Points([]float64{0, 1, x}, []float64{0, 1, 0.5}), wave.Contours().Levels(0))
	}
	first := spec(at(0.5), false)
	home := first.Fig.Panels[0]
	if first.Fig.Alt == "" || first.Fig.Table == nil {
		t.Error("the first picture has no description or no table")
	}
	draft := spec(at(7), true)
	if draft.Fig.Panels[0] != home {
		t.Errorf("the axes move from %v to %v", home, draft.Fig.Panels[0])
	}
	if draft.Fig.Alt != "" || draft.Fig.Table != nil {
		t.Error("a draft has a description or a table")
	}
	vertices := func(s stagedSpec) (n int) {
		for _, m := range s.Option.Series {
			if m.Mark.Kind == "paths" {
				for _, k := range m.Mark.Lengths {
					n += k
				}
			}
		}
		return n
	}
	if a, b := vertices(draft), vertices(first); a == 0 || a >= b {
		t.Errorf("the line has %d vertices in a draft and %d when settled", a, b)
	}
	if x := spec(at(7).XRange(-1, 1), false).Fig.Panels[0].X; x.Lo != -1 || x.Hi != 1 {
		t.Errorf("a range that the figure sets becomes %v", x)
	}
	if x := spec(New(Points([]float64{1, 10}, []float64{1, 2})).LogX(), false).Fig.Panels[0].X; x.Lo < -1 || x.Hi < 0.9 {
		t.Errorf("a logarithmic axis takes the ends of a linear one: %v", x)
	}
	if x := spec(Row(at(0), at(20)), false).Fig.Panels[1].X; x.Hi < 20 {
		t.Errorf("another number of panels takes the axes of the first picture: %v", x)
	}
	if _, err := g.Spec(New(Points([]float64{1}, nil)), true); err == nil {
		t.Error("a faulty figure gives a spec")
	}
	if _, err := new(Stage).Spec(nil, false); err != nil {
		t.Error(err)
	}
}

// The picture of a slow draft has blocks of cells, and at rest it has all cells.
func TestStageImages(t *testing.T) {
	z := make([][]float64, 35)
	for i := range z {
		z[i] = make([]float64, 35)
		for j := range z[i] {
			z[i][j] = 1 + float64(i*j%7)
		}
	}
	var g Stage
	cells := func(draft bool) (n int) {
		t.Helper()
		text, err := g.Spec(New(Heat(z).Image().Range(0, 8)), draft)
		if err != nil {
			t.Fatal(err)
		}
		var s struct {
			Option struct {
				Series []struct {
					Mark struct {
						Fills []string `json:"fs"`
					} `json:"prl"`
				} `json:"series"`
			} `json:"option"`
		}
		if err := json.Unmarshal(text, &s); err != nil {
			t.Fatal(err)
		}
		for _, m := range s.Option.Series {
			n += len(m.Mark.Fills)
		}
		return n
	}
	if n := cells(false); n != 35*35 {
		t.Errorf("the first picture has %d cells", n)
	}
	if n := cells(true); n != 35*35 {
		t.Errorf("a quick draft has %d cells", n)
	}
	for range 9 {
		g.Took(time.Second)
	}
	if n := cells(true); n != 18*18 {
		t.Errorf("a slow draft has %d cells, want 18 x 18", n)
	}
	if n := cells(false); n != 35*35 {
		t.Errorf("at rest the picture has %d cells", n)
	}
	means, size := coarser([][]float64{{1, 2, 3}, {3, 4, 5}, {6, 8, 9}}, 2)
	if size != 2 || means[0][0] != 2.5 || means[0][1] != 4 || means[1][0] != 7 || means[1][1] != 9 {
		t.Errorf("blocks of %d cells are %v", size, means)
	}
}
