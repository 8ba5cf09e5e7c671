package plotting

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// What a reader should not see is found, at the figure's own width or on a narrow screen, and a sound figure has no fault.
func TestViewFaults(t *testing.T) {
	x, y := []float64{0, 1, 2, 3}, []float64{0, 1, 4, 9}
	nodes := func(gap float64) GraphLayer {
		return Graph([]Node{{Name: "a"}, {Name: "b", X: gap}, {Name: "c", X: 10, Y: 1}}, []Edge{{From: "a", To: "c", Label: "ac"}})
	}
	sound := New(Points(x, y).By([]int{0, 1, 0, 1}, "A", "B").Labels("p", "q", "r", "s"), Line(x, y).Name("line"),
		VRule(1.5).Label("here"), Bars([]float64{1, 2, 3}).Values()).Title("Sound")
	for name, c := range map[string]struct {
		fig   *Figure
		width float64
		want  string
	}{
		"sound":             {sound, 0, ""},
		"sound, narrow":     {sound, 360, ""},
		"a row, narrow":     {Row(sound, sound, sound).Title("Three"), 360, ""},
		"no title":          {New(Line(x, y)), 0, "title: no title"},
		"a panel's title":   {Row(New(Line(x, y)).Title("left"), New(Line(x, y))), 0, ""},
		"NaN in the title":  {New(Line(x, y)).Title(fmt.Sprintf("w = %.2f", math.NaN())), 0, "title: \"w = NaN\""},
		"a slip of format":  {New(Line(x, y)).Title("t").Subtitle("%!d(float64=1.5) rows"), 0, "title: "},
		"NaN in a text":     {New(Line(x, y), Text(1, 1, "J = NaN")).Title("t"), 0, "text: \"J = NaN\""},
		"points outside":    {New(Points(x, y).Name("P")).YRange(-1, 8).Title("t"), 0, `cut: points "P"`},
		"bars too high":     {New(Bars([]float64{1, 5}).Name("B")).YRange(0, 4).Title("t"), 0, `cut: bars "B"`},
		"a line far away":   {New(Line(x, y).Name("L")).YRange(20, 30).Title("t"), 0, `cut: nothing of the line "L"`},
		"a line across":     {New(Line([]float64{-50, 50}, []float64{-50, 50})).XRange(0, 1).YRange(0, 1).Title("t"), 0, ""},
		"an arrow too long": {New(Arrow(0, 0, 5, 5).Name("v")).XRange(0, 4).YRange(0, 4).Title("t"), 0, "cut: the head of an arrow"},
		"a text over ticks": {New(Line(x, y), Text(0, 5, "a long remark about it")).XRange(0, 3).Title("t"), 0, "cut: the text"},
		"texts that meet": {
			New(Text(1, 1, "first"), Text(1, 1.01, "second")).XRange(0, 3).YRange(0, 3).Title("t"), 0,
			`overlap: texts "first"`,
		},
		"texts apart":      {New(Text(1, 1, "first"), Text(1, 2, "second")).XRange(0, 3).YRange(0, 3).Title("t"), 0, ""},
		"nodes that meet":  {New(nodes(0.1)).Title("t"), 0, `overlap: nodes "a" and "b"`},
		"nodes apart":      {New(nodes(1)).Title("t"), 0, ""},
		"apart when wide":  {New(nodes(0.8)).Title("t"), 360, `overlap: nodes "a" and "b"`},
		"a text on a node": {New(nodes(1), Text(9.9, 1, "remark")).Title("t"), 0, `overlap: text "remark" and node "c"`},
	} {
		got := strings.Join(c.fig.View().Faults(c.width), "\n")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %q", name, got, c.want)
		}
	}
	film := Slide("k", []float64{1, 20}, func(k float64) *Figure {
		return New(Points([]float64{k}, []float64{0}).Name("P")).XRange(0, 10).Title("t")
	})
	if a, b := film.Frame(0).Faults(0), film.Frame(1).Faults(0); len(a) > 0 || len(b) != 1 {
		t.Errorf("frames: %q and %q", a, b)
	}
}

// On a stage the axes stand still, but a tree that grows has room.
func TestStageLeavesTreesRoom(t *testing.T) {
	tree := func(leaves int) *Figure {
		nodes, edges := []Node{{Name: "root"}}, []Edge(nil)
		for i := range leaves {
			name := fmt.Sprint("leaf ", i)
			nodes, edges = append(nodes, Node{Name: name, Label: "x"}), append(edges, Edge{From: "root", To: name, Label: "is so"})
		}
		return New(Graph(nodes, edges).Tree()).Title("tree")
	}
	var g Stage
	g.See(tree(2))
	if f := g.See(tree(6)).Faults(0); len(f) > 0 {
		t.Errorf("the larger tree: %q", f)
	}
}
