package handouts

import (
	"encoding/json"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	xhtml "golang.org/x/net/html"
)

func itoa(n int) string { return strconv.Itoa(n) }

var (
	pageSize  = regexp.MustCompile(`<page width="([0-9.]+)" height="([0-9.]+)">`)
	wordBox   = regexp.MustCompile(`<word xMin="([-0-9.]+)" yMin="([-0-9.]+)" xMax="([-0-9.]+)" yMax="([-0-9.]+)">(.*?)</word>`)
	pdfFigure = regexp.MustCompile(`(?s)/S /Figure\b(.*?)endobj`)
	pdfPageOf = regexp.MustCompile(`/Pg (\d+) 0 R`)
)

// The margins of notebooks/handouts/print.css in points, less a hair for the slant of letters.
const (
	sideMargin = 10*72/25.4 - 2 // of wide figures and formulas
	footMargin = 22*72/25.4 - 2
	headMargin = 24*72/25.4 - 2
)

type word struct {
	x0, y0, x1, y1 float64
	text           string
}

// A printedPage is what poppler reads on a page.
type printedPage struct {
	width, height float64
	words         []word
}

// lines joins the words that stand between the margins to lines, from top to bottom, without blanks.
func (p printedPage) lines() []string {
	words := slices.DeleteFunc(slices.Clone(p.words), func(w word) bool { return w.y1 > p.height-footMargin || w.y0 < headMargin-8 })
	slices.SortStableFunc(words, func(a, b word) int {
		if d := (a.y0 + a.y1 - b.y0 - b.y1) / 2; d < -4 {
			return -1
		} else if d > 4 {
			return 1
		}
		return 0
	})
	var all []string
	middle := -100.0
	for _, w := range words {
		if m := (w.y0 + w.y1) / 2; m > middle+4 {
			all = append(all, "")
			middle = m
		}
		all[len(all)-1] += squash(w.text)
	}
	return all
}

// mostGap is the part of a page in a chapter that may stay empty.
const mostGap = 0.3

// gap is the part of the page that is empty at its foot.
func (p printedPage) gap() float64 {
	low := headSpace
	for _, w := range p.words {
		if w.y1 < p.height-footMargin {
			low = max(low, w.y1)
		}
	}
	return (p.height - footSpace - low) / (p.height - headSpace - footSpace)
}

// squash leaves only letters and digits that every reader of PDF files finds.
func squash(s string) string {
	return strings.Map(func(r rune) rune {
		if r > ' ' && r < 127 && r != '-' { // a hyphen may be the printer's
			return r
		}
		return -1
	}, s)
}

func poppler(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), name, args...).Output()
	if err != nil {
		t.Fatalf("%s (Debian: apt install poppler-utils): %v", name, err)
	}
	return string(out)
}

func readPages(t *testing.T, file string) []printedPage {
	t.Helper()
	var pages []printedPage
	for line := range strings.Lines(poppler(t, "pdftotext", "-bbox", file, "-")) {
		if m := pageSize.FindStringSubmatch(line); m != nil {
			var p printedPage
			fmt.Sscan(m[1]+" "+m[2], &p.width, &p.height)
			pages = append(pages, p)
		}
		if m := wordBox.FindStringSubmatch(line); m != nil {
			w := word{text: html.UnescapeString(m[5])}
			fmt.Sscan(strings.Join(m[1:5], " "), &w.x0, &w.y0, &w.x1, &w.y1)
			last := &pages[len(pages)-1]
			last.words = append(last.words, w)
		}
	}
	return pages
}

// inspect lists what is wrong with the PDF of the given chapters: fonts that are not embedded, pixels, raw TeX, pages without number,
// headings that are not where the contents say or stand alone at the foot of a page, gaps, charts split over pages, text or code that is
// cut.
func inspect(t *testing.T, file string, chapters []*chapter) (faults []string) {
	t.Helper()
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	for i, line := range strings.Split(strings.TrimSpace(poppler(t, "pdffonts", file)), "\n") {
		if fields := strings.Fields(line); i > 1 && fields[len(fields)-5] != "yes" {
			fault("a font is not embedded: %s", line)
		}
	}
	if rows := strings.Split(strings.TrimSpace(poppler(t, "pdfimages", "-list", file)), "\n"); len(rows) > 2 {
		fault("%d raster pictures", len(rows)-2)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), "/Type /Outlines") {
		fault("no bookmarks")
	}
	for _, m := range pdfFigure.FindAllStringSubmatch(string(data), -1) {
		on := pdfPageOf.FindAllStringSubmatch(m[1], -1)
		if slices.ContainsFunc(on, func(p []string) bool { return p[1] != on[0][1] }) {
			fault("a picture is split over two pages")
		}
	}
	read, err := readPDF(data)
	if err != nil {
		t.Fatal(err)
	}
	faults = append(faults, uaFaults(read)...)
	where, err := destinations(data)
	if err != nil {
		t.Fatal(err)
	}
	pages := readPages(t, file)
	texts, numbered := make([][]string, len(pages)), 0
	var all strings.Builder
	for i, p := range pages {
		texts[i] = p.lines()
		all.WriteString(strings.Join(texts[i], ""))
		if len(texts[i]) == 0 {
			fault("page %d is empty", i+1)
		}
		for _, w := range p.words {
			if w.text == itoa(i+1) && w.y0 > p.height-footMargin-1 {
				numbered++
				break
			}
		}
		for _, w := range p.words {
			inMargin := w.y1 > p.height-footMargin || w.y0 < headMargin
			if w.x0 < sideMargin || w.x1 > p.width-sideMargin || !inMargin && w.y1 > p.height-footMargin+4 || w.y0 < 0 || w.y1 > p.height {
				fault("page %d: %q lies outside the text: %.0f %.0f %.0f %.0f in %.0f x %.0f", i+1, w.text, w.x0, w.y0, w.x1, w.y1, p.width, p.height)
			}
		}
		if joined := strings.Join(texts[i], " "); strings.Contains(joined, `\frac`) || strings.Contains(joined, "$$") {
			fault("page %d has raw TeX", i+1)
		}
	}
	starts := map[int]bool{} // the pages with which chapters begin
	for i, c := range chapters {
		body, err := c.body(Plain, ShortCode)
		if err != nil {
			t.Fatal(err)
		}
		if h := first(body, func(n *xhtml.Node) bool { return level(n) > 0 && attr(n, "id") != "" }); h != nil {
			starts[where["c"+itoa(i+1)+"-"+attr(h, "id")].page] = true
		}
	}
	inside := false // a chapter
	for i, p := range pages[:len(pages)-1] {
		inside = inside || starts[i+1]
		if gap := p.gap(); inside && !starts[i+2] && gap > mostGap && len(texts[i]) > 0 {
			fault("page %d ends in a gap of %.0f %%", i+1, 100*gap)
		}
	}
	if n := len(texts[len(texts)-1]); n < 3 {
		fault("the last page holds only %d lines", n)
	}
	if numbered < len(pages)-1 { // a title page has none
		fault("%d of %d pages have their number", numbered, len(pages))
	}
	text := all.String()
	joined := make([]string, len(texts))
	for i := range texts {
		joined[i] = strings.Join(texts[i], "")
	}
	at := 0 // where the last piece of text was found: the next is not far
	whole := func(piece string) bool {
		if found := strings.Index(text[at:min(at+20_000, len(text))], piece); found >= 0 {
			at += found
			return true
		}
		found := strings.Index(text, piece)
		if found >= 0 {
			at = found
		}
		return found >= 0
	}
	for i, c := range chapters {
		prefix := "c" + itoa(i+1) + "-"
		body, err := c.body(Plain, ShortCode)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range headings(body) {
			if strings.Contains(string(h.HTML), "katex") {
				continue // what poppler reads of a formula is not its source
			}
			name := squash(plainText(string(h.HTML)))
			if page := where[prefix+h.ID].page; page == 0 {
				if h.Level == 2 || h.Level == 1 && len(chapters) > 1 {
					fault("the contents have no link to %q", plainText(string(h.HTML)))
				}
			} else if !strings.Contains(joined[page-1], name) {
				fault("%q is not on page %d, as the contents say", plainText(string(h.HTML)), page)
			}
			for n, lines := range texts {
				if n+1 < len(texts) && len(lines) > 0 && strings.HasSuffix(name, lines[len(lines)-1]) &&
					(len(lines) < 2 || strings.HasSuffix(lines[len(lines)-2]+lines[len(lines)-1], name)) &&
					len(lines[len(lines)-1]) > 3 {
					fault("page %d: the heading %q stands at the foot with nothing beneath", n+1, plainText(string(h.HTML)))
				}
			}
		}
		for i, one := range c.Cells {
			if one.Folded && !slices.Contains(one.Tags, "seals") &&
				!whole(squash(plainText(one.shown(i+1, ShortCode)[strings.LastIndex(one.shown(i+1, ShortCode), "<p "):]))) {
				fault("cell %s: nothing says where its code is", one.ID)
			}
			for _, m := range paragraph.FindAllStringSubmatch(one.HTML, -1) {
				if one.Kind != "markdown" || strings.Contains(m[1], "katex") {
					continue
				}
				said := plainText(m[1])
				if !whole(squash(said)) {
					fault("cell %s: a paragraph is not whole: %s", one.ID, said)
				}
				if page := torn(texts, squash(said)); page > 0 {
					fault("page %d: a line of a paragraph stands alone: %s", page, said)
				}
			}
			for line := range strings.Lines(printedCode(one.HTML)) {
				if !whole(squash(line)) {
					fault("cell %s: a line of its code is not whole: %s", one.ID, strings.TrimSpace(line))
				}
			}
		}
	}
	return faults
}

// torn is the page, from 1, on which the first or the last line of a paragraph stands without its others.
func torn(texts [][]string, said string) int {
	for i := 1; i < len(texts); i++ {
		before, after := texts[i-1], texts[i]
		if len(before) < 2 || len(after) < 2 || len(said) < 200 {
			continue
		}
		end, start := before[len(before)-1], after[0]
		if len(end) < 40 || !strings.Contains(said, end+start) { // what ends a page inside of a paragraph is a line of full length
			continue
		}
		if strings.HasPrefix(said, end) {
			return i
		}
		if strings.HasSuffix(said, start) {
			return i + 1
		}
	}
	return 0
}

var (
	paragraph = regexp.MustCompile(`(?s)<(?:p|li)>(.*?)</(?:p|li)>`)
	sourceBox = regexp.MustCompile(`(?s)<div class="source">.*?<pre>(.*?)</pre>`)
	hiddenBox = regexp.MustCompile(`(?s)<details class="hidden-source">.*?</details>`)
)

// printedCode is the source that a cell shows on paper, unless asked for more.
func printedCode(cell string) string {
	m := sourceBox.FindStringSubmatch(hiddenBox.ReplaceAllString(cell, ""))
	if m == nil {
		return ""
	}
	return html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(m[1], ""))
}

// TestInspect prints pages that break the rules, one each, and wants every fault found: a test of the tests above.
func TestInspect(t *testing.T) {
	l, _ := lab(t)
	press := testPress(t)
	print, err := os.ReadFile(l.Path("notebooks", "handouts", "print.css"))
	if err != nil {
		t.Fatal(err)
	}
	const (
		heading = `<h2 id="two">The second part</h2>`
		rest    = `<p>And some text.</p>`
		code    = `<div class="source"><div class="highlight"><pre>answer := compute(first, second, third, fourth, fifth, sixth, seventh, ` +
			`eighth, ninth, tenth, eleventh, twelfth)
</pre></div></div>`
		dot = `<img class="dot" alt="a dot" src="data:image/png;base64,` +
			`iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==">`
		figure = `<img alt="a figure" class="figure" src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='200' ` +
			`height='400'%3E%3Cpath d='M10 10L190 390' stroke='black'/%3E%3C/svg%3E">`
	)
	for name, c := range map[string]struct{ style, before, after, want string }{
		"whole":   {"", code + figure, rest, ""},
		"code":    {".chapter { overflow: hidden } pre { white-space: pre !important; }", code, rest, "not whole"},
		"outside": {"h2 + p { position: relative; left: -12mm }", code, rest, "outside the text"},
		"lost code": {"pre { width: 60mm; height: 5mm; overflow: hidden; line-height: 4mm } pre:not(x) { white-space: nowrap; " +
			"text-overflow: ellipsis }", code, rest, "not whole"},
		"split":  {".figure { max-height: none !important; height: 300mm; width: 150mm }", figure, rest, "split over two pages"},
		"gap":    {"h2 { break-before: page }", `<p>A start.</p>`, rest, "ends in a gap of"},
		"foot":   {"h2 { break-after: auto !important; } h2 + p { break-before: page }", `<p>A start.</p>`, rest, "stands at the foot"},
		"pixels": {".dot { width: 20mm; height: 20mm }", dot, rest, "raster pictures"},
		"no numbers": {
			"@page chapter1 { @bottom-center { content: none } } @page { @bottom-center { content: none !important } }", code, rest,
			"have their number",
		},
		"wide":      {"p { margin-left: -15mm }", code, rest, "a paragraph is not whole"},
		"empty":     {".blank { break-before: page; break-after: page; height: 10mm }", `<div class="blank"></div>`, rest, "is empty"},
		"last page": {".last { break-before: page }", code, `<p class="last">The rest.</p>`, "the last page holds only 1 lines"},
		"raw":       {"", `<p>It is \frac{a}{b}.</p>`, rest, "raw TeX"},
	} {
		t.Run(name, func(t *testing.T) {
			one := &chapter{
				Path: "one.ipynb",
				Cells: []cell{
					{ID: "a", Kind: "markdown", HTML: `<div class="prose"><h1 id="one">One</h1>` + rest + c.before + heading + c.after + `</div>`},
				},
			}
			build, err := paper([]*chapter{one}, Plain, design{print: string(print) + "\n" + c.style}, mustRenderer(t), DefaultCourse(), false)
			if err != nil {
				t.Fatal(err)
			}
			data, err := press.filled(t.Context(), build)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "one.pdf")
			if err := os.WriteFile(file, data, 0o600); err != nil {
				t.Fatal(err)
			}
			faults := inspect(t, file, []*chapter{one})
			switch found, _ := json.Marshal(faults); {
			case c.want == "" && len(faults) > 0:
				t.Errorf("a good page has faults: %s", found)
			case !strings.Contains(string(found), c.want):
				t.Errorf("want %q, got %s", c.want, found)
			}
		})
	}
}

// TestTorn wants paragraphs found that leave one line on another page, and those let be that leave two.
func TestTorn(t *testing.T) {
	line := func(i int) string { return strings.Repeat(string(rune('a'+i)), 60) }
	said := line(0) + line(1) + line(2) + line(3)
	for split, want := range map[int]int{0: 0, 1: 1, 2: 0, 3: 2, 4: 0} {
		texts := [][]string{{"before"}, {"after"}}
		for i := range 4 {
			if i < split {
				texts[0] = append(texts[0], line(i))
			}
		}
		texts[1] = nil
		for i := split; i < 4; i++ {
			texts[1] = append(texts[1], line(i))
		}
		texts[1] = append(texts[1], "after")
		if got := torn(texts, said); got != want {
			t.Errorf("after %d lines of 4 a page ends: got %d, want %d", split, got, want)
		}
	}
}

// TestCode prints a cell whose code is folded, and one whose code is not, with each choice of code.
func TestCode(t *testing.T) {
	l, _ := lab(t)
	press := testPress(t)
	d, err := readDesign(l)
	if err != nil {
		t.Fatal(err)
	}
	source := func(text string) string {
		return `<div class="source"><div class="highlight hl-go"><pre><span></span>` + text + "\n</pre></div>\n</div>"
	}
	const output = `<div class="output"><div class="display"><p>outcome</p></div></div>`
	folded := `<details class="hidden-source"><summary>Code of the figure (20 lines)</summary>` + source("plotted()") + `</details>`
	c := &chapter{Path: "one.ipynb", Cells: []cell{
		{ID: "t", Kind: "markdown", HTML: `<div class="prose"><h1 id="one">One</h1></div>`},
		{ID: "a", Kind: "code", Runs: true, Executed: true, Count: 7, Folded: true, Tags: []string{"hide-input"}, HTML: folded + output},
		{ID: "b", Kind: "code", Runs: true, Executed: true, Count: 8, HTML: source("derived()") + output},
		{
			ID:       "c",
			Kind:     "code",
			Runs:     true,
			Executed: true,
			Folded:   true,
			Tags:     []string{"exercise"},
			HTML:     strings.ReplaceAll(folded, "plotted", "asked") + output,
		},
	}}
	page := written(t, c, Plain, onScreen)
	for _, want := range []string{
		"plotted()", "derived()", "asked()", "<summary>Code of the figure (20 lines)</summary>",
		"(code: cell [7] of the notebook)", "(code: cell 4 of the notebook)",
	} {
		if strings.Count(page, want) == 0 {
			t.Errorf("the page has no %s", want)
		}
	}
	if strings.Contains(page, "<details open") {
		t.Error("the code of the page stands open")
	}
	words := []string{"plotted()", "derived()", "asked()", "(code:cell[7]ofthenotebook)", "(code:cell4ofthenotebook)"}
	for code, shown := range map[Code][]bool{
		AllCode: {true, true, true, false, false}, ShortCode: {false, true, false, true, true},
		NoCode: {false, false, true, false, false},
	} {
		course := DefaultCourse()
		course.Code = code
		build, err := paper([]*chapter{c}, Plain, d, mustRenderer(t), course, false)
		if err != nil {
			t.Fatal(err)
		}
		data, err := press.filled(t.Context(), build)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "one.pdf")
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, p := range readPages(t, file) {
			text += strings.Join(p.lines(), "")
		}
		for i, word := range words {
			if strings.Contains(text, word) != shown[i] {
				t.Errorf("%s: %s stands on paper: %v, want %v, in %s", code, word, !shown[i], shown[i], text)
			}
		}
		if n := strings.Count(text, "outcome"); n != 3 {
			t.Errorf("%s: %d of 3 outcomes are printed", code, n)
		}
	}
}

// TestPapers prints a small reader on both papers: a title page, the contents and two chapters, a page each.
func TestPapers(t *testing.T) {
	l, _ := lab(t)
	press := testPress(t)
	d, err := readDesign(l)
	if err != nil {
		t.Fatal(err)
	}
	var chapters []*chapter
	for _, name := range []string{"one", "two"} {
		chapters = append(
			chapters,
			&chapter{
				Path: name + ".ipynb",
				Cells: []cell{
					{ID: name, Kind: "markdown", HTML: `<div class="prose"><h1 id="` + name + `">Chapter ` + name + `</h1><p>Its text.</p></div>`},
				},
			},
		)
	}
	for _, name := range []string{"A4", "letter"} {
		course := DefaultCourse()
		course.Paper = name
		course.Lecturer, course.Term, course.Date = "A. Lecturer", "Winter", "2026"
		build, err := paper(chapters, Plain, d, mustRenderer(t), course, true)
		if err != nil {
			t.Fatal(err)
		}
		data, err := press.filled(t.Context(), build)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "reader.pdf")
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, fault := range inspect(t, file, chapters) {
			t.Errorf("%s: %s", name, fault)
		}
		if pages := readPages(t, file); len(pages) != 4 {
			t.Errorf("%s: %d pages, want 4", name, len(pages))
		}
	}
}

func mustRenderer(t *testing.T) *renderer {
	t.Helper()
	math, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	return math
}
