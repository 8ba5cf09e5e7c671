package handouts

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/plotting"
)

// A figure that does not fit leaves no gap: the text behind it comes first; a figure without such text is cut between its panels; one that
// has neither gets a little smaller, or goes behind the beginning of the next section. What fits stays where it is.
func TestFill(t *testing.T) {
	l, _ := lab(t)
	press := testPress(t)
	d, err := readDesign(l)
	if err != nil {
		t.Fatal(err)
	}
	paragraphs := func(name string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "<p>%s%d %s</p>", name, i, strings.Repeat("and so on with more words ", 14))
		}
		return b.String()
	}
	line := func() *plotting.Figure { return plotting.New(plotting.Line([]float64{0, 1}, []float64{0, 1})) }
	drawn := func(f *plotting.Figure) string {
		shown, err := f.HTML()
		if err != nil {
			t.Fatal(err)
		}
		return shown
	}
	const proofs = `<p>one</p></div><div class="display">`
	single, tower := drawn(line().Size(640, 700)), drawn(plotting.Column(line().Size(640, 340), line().Size(640, 340)))
	for name, c := range map[string]struct {
		before        int
		figure, after string
		pieces        int
		first, second string // words of the first page and of the second
	}{
		"text":    {5, single, paragraphs("after", 12), 1, "after0", "after11"},
		"panels":  {4, tower, `<h2 id="c1-next">Next</h2>` + paragraphs("after", 2), 2, "", "after0"},
		"heading": {5, single, `<h2 id="c1-next">Next</h2>` + paragraphs("after", 12), 1, "after0", "after11"},
		"smaller": {5, drawn(line().Size(640, 440)), `<h2 id="c1-next">Next</h2>` + paragraphs("after", 12), 1, "", "after11"},
		"proofs":  {5, proofs + single, paragraphs("after", 12), 1, "after0", "after11"},
		"fits":    {2, single, paragraphs("after", 20), 1, "", "after19"},
	} {
		t.Run(name, func(t *testing.T) {
			c1 := &chapter{Path: "01-one.ipynb", Cells: []cell{
				{ID: "a", Kind: "markdown", HTML: `<div class="prose"><h1 id="one">One</h1>` + paragraphs("before", c.before) + `</div>`},
				{ID: "f", Kind: "code", Runs: true, Executed: true, HTML: `<div class="output"><div class="display">` + c.figure + `</div></div>`},
				{ID: "b", Kind: "markdown", HTML: `<div class="prose">` + c.after + `</div>`},
			}}
			plan, err := paper([]*chapter{c1}, Plain, d, mustRenderer(t), DefaultCourse(), false)
			if err != nil {
				t.Fatal(err)
			}
			data, err := press.filled(t.Context(), plan)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "one.pdf")
			if err := os.WriteFile(file, data, 0o600); err != nil {
				t.Fatal(err)
			}
			for _, fault := range inspect(t, file, []*chapter{c1}) {
				t.Error(fault)
			}
			pages := readPages(t, file)[1:] // after the title
			if len(pages) < 2 {
				t.Fatalf("%d pages", len(pages))
			}
			text := func(p printedPage) string { return strings.Join(p.lines(), "") }
			if c.first != "" && !strings.Contains(text(pages[0]), c.first) || c.first == "" && strings.Contains(text(pages[0]), "after0") &&
				name != "fits" && name != "smaller" {
				t.Errorf("the first page says %s", text(pages[0]))
			}
			if !strings.Contains(text(pages[len(pages)-1]), c.second) {
				t.Errorf("the last page says %s", text(pages[len(pages)-1]))
			}
			if gap := pages[0].gap(); gap > mostEmpty+0.02 {
				t.Errorf("the first page is %.0f %% empty", 100*gap)
			}
			width, _, _ := stillMeasures(first(plan.bodies[0], tag("img", "prl-figure")))
			natural := 640 * pointsPerPixel
			if (width < natural-1) != (name == "smaller") || width < leastSmaller*natural {
				t.Errorf("the figure is %.0f points wide of %.0f", width, natural)
			}
			again := &chapter{Path: c1.Path, Cells: c1.Cells} // in another file, it is filled as it was in this
			taken, err := paper([]*chapter{again}, Plain, d, mustRenderer(t), DefaultCourse(), true)
			if err != nil {
				t.Fatal(err)
			}
			if err := plan.fillings[0].fill(taken.bodies[0], prefixOf(0), "A4", func() (map[string]spot, int, error) {
				t.Error("it is printed again to be filled")
				return nil, 0, nil
			}); err != nil {
				t.Fatal(err)
			}
			if inner(taken.bodies[0]) != inner(plan.bodies[0]) {
				t.Error("in another file the chapter is filled in another way")
			}
			text0, err := plan.build(func(string) string { return "" })
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(text0, `class="prl-figure"`); n != c.pieces {
				t.Errorf("the figure has %d pieces, want %d", n, c.pieces)
			}
		})
	}
}

// A reader breaks a chapter as it is broken by itself, even beside one with a formula that is wider than the page, of which nothing is
// lost.
func TestBesideWide(t *testing.T) {
	l, _ := lab(t)
	press := testPress(t)
	d, err := readDesign(l)
	if err != nil {
		t.Fatal(err)
	}
	math := mustRenderer(t)
	wide, err := math.formula(strings.Repeat("x+", 40)+`\text{finis}`, true)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for i := range 60 {
		fmt.Fprintf(&text, "<p>%s</p>", strings.Repeat("one more word ", 12+i%19))
	}
	chapterOf := func(name, body string) *chapter {
		return &chapter{Path: name + ".ipynb", Cells: []cell{
			{ID: name, Kind: "markdown", HTML: `<div class="prose"><h1 id="` + name + `">Chapter</h1>` + body + `</div>`},
		}}
	}
	plan, err := paper([]*chapter{chapterOf("01-wide", wide), chapterOf("02-text", text.String())}, Plain, d, math, DefaultCourse(), true)
	if err != nil {
		t.Fatal(err)
	}
	places := func(page string, err error) map[string]spot {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		at, _, err := press.places(t.Context(), page)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	data, err := press.filled(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "reader.pdf")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	pages := readPages(t, file)
	if !slices.ContainsFunc(pages, func(p printedPage) bool {
		return slices.ContainsFunc(p.words, func(w word) bool { return strings.HasSuffix(w.text, "finis") && w.x1 < p.width-sideMargin })
	}) {
		t.Error("the end of the wide formula is not on paper")
	}
	alone, reader := places(plan.alone(1)), places(plan.build(func(string) string { return "000" }))
	compared := 0
	for id, by := range alone {
		if strings.HasPrefix(id, markPrefix) {
			compared++
			if in := reader[id]; in.up != by.up {
				t.Errorf("%s stands on page %d at %.2f by itself, on page %d at %.2f in the reader", id, by.page, by.up, in.page, in.up)
			}
		}
	}
	if compared < 60 {
		t.Errorf("%d places were compared", compared)
	}
}
