package handouts

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// inspectSheet lists what is wrong with the sheet of a chapter: more than four pages, words outside of the paper's margins, solutions, or a
// text that lacks what is to be remembered.
func inspectSheet(t *testing.T, file string, c *chapter) (faults []string) {
	t.Helper()
	pages := readPages(t, file)
	if len(pages) > sheetPages {
		faults = append(faults, fmt.Sprintf("the sheet has %d pages", len(pages)))
	}
	var said strings.Builder
	for i, p := range pages {
		for _, w := range p.words {
			said.WriteString(squash(w.text))
			if w.x0 < sideMargin || w.x1 > p.width-sideMargin || w.y0 < 0 || w.y1 > p.height {
				faults = append(faults, fmt.Sprintf("sheet, page %d: %q lies outside the text", i+1, w.text))
			}
		}
	}
	for _, want := range []string{c.title(), "proved by a check"} {
		if !strings.Contains(said.String(), squash(want)) {
			faults = append(faults, "the sheet has no "+want)
		}
	}
	for _, one := range c.Cells {
		for n := range elements(parse(one.HTML), func(n *html.Node) bool { return level(n) > 0 }) {
			if strings.Contains(textOf(n), "remember") && !strings.Contains(said.String(), squash(textOf(n))) {
				faults = append(faults, "the sheet has no "+textOf(n))
			}
		}
	}
	return faults
}

// The words that announce a formula are its sentence, and no other.
func TestSaid(t *testing.T) {
	const set = `<span class="katex-display"><span class="katex">F</span></span>`
	for _, c := range []struct{ text, want string }{
		{"<p>Long ago. " + strings.Repeat("Many words stand here. ", 8) + "Then <em>it</em> is</p><p>" + set + "</p>", "Then it is|F"},
		{"<p>Short, whole. It is</p>" + set, "Short, whole. It is|F"},
		{"<p>Before " + set + " and so " + set + "</p>", "and so|F"},
		{"<h2>Heading</h2><p>" + set + "</p>", "F"},
	} {
		body := parse(c.text)
		var last string
		for formula := range elements(body, tag("span", "katex-display")) {
			var all []string
			for _, n := range said(formula) {
				all = append(all, textOf(n))
			}
			last = strings.Join(all, "|")
		}
		if last != c.want {
			t.Errorf("%s: got %q, want %q", c.text, last, c.want)
		}
	}
}

// A sheet of a long chapter has four pages, something of every section, all of what is to be remembered, and neither code nor solutions.
func TestSheet(t *testing.T) {
	l, _ := lab(t)
	press := testPress(t)
	d, err := readDesign(l)
	if err != nil {
		t.Fatal(err)
	}
	math := mustRenderer(t)
	prose := func(tag, text string) cell {
		shown, err := finished(`<div class="prose">`+text+`</div>`, math)
		if err != nil {
			t.Fatal(err)
		}
		return cell{Kind: "markdown", Tags: strings.Fields(tag), HTML: shown}
	}
	c := &chapter{Path: "07-long.ipynb", Cells: []cell{prose("", `<h1 id="long">A long chapter</h1><p>It asks a question that takes more `+
		`than a line of words to be asked at all.</p>`)}}
	const sections = 30
	for i := range sections {
		c.Cells = append(c.Cells, prose("", fmt.Sprintf(`<h2 id="s%d">Section%d</h2>`, i, i)+strings.Repeat(fmt.Sprintf(
			`<p>Words%d of it are</p><span class="tex" data-display="1">x_{%d}=\frac ab</span>`, i, i,
		), 4)),
			cell{Kind: "code", Runs: true, Executed: true, HTML: `<div class="source"><pre>code()</pre></div>`})
	}
	c.Cells = append(c.Cells, prose("", `<h2 id="who">Who asked</h2><p>Somebody.</p><h3 id="remember">What to remember</h3><ul><li>The `+
		`elephant.</li></ul>`),
		prose("", `<h2 id="exercises">Exercises</h2>`), prose("exercise", `<p>Ask?</p>`), prose("solution", `<p>A zebra.</p>`))
	build, all, about, err := sheetOf(c, 0, Plain, d, math, DefaultCourse())
	if err != nil {
		t.Fatal(err)
	}
	data, err := press.sheetFits(t.Context(), build, all, about)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "sheet.pdf")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, fault := range inspectSheet(t, file, c) {
		t.Error(fault)
	}
	pages := readPages(t, file)
	if len(pages) != sheetPages {
		t.Errorf("%d pages", len(pages))
	}
	text := ""
	for _, p := range pages {
		for _, w := range p.words {
			text += w.text + " "
		}
	}
	for i := range sections {
		if !strings.Contains(text, fmt.Sprintf("Words%d ", i)) {
			t.Errorf("nothing of section %d is there", i)
		}
	}
	if !strings.Contains(text, "elephant") || strings.Contains(text, "zebra") || strings.Contains(text, "code()") ||
		strings.Contains(text, "Somebody") {
		t.Errorf("the sheet says %s", text)
	}
}
