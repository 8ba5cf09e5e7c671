package handouts

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/prlab/prlab/prl/cmd/prl/internal/syllabus"
)

// spoiltChapter has two sections, with three ticks in the first, and spoiltMistakes one mistake in its line 2.
func spoiltChapter() *chapter {
	tick := func(claim string) string {
		return `<div data-prl-check="" data-prl-outcome="passed"><span style="color:#1a7f37" role="img" aria-label="passed">✓</span> ` + claim +
			` <span style="opacity:0.75">1 against 1</span></div>`
	}
	board := func(claims ...string) string {
		s := `<div class="output"><div class="display"><details class="prl-proofs"><summary>` +
			`<span style="color:#1a7f37" role="img" aria-label="proved">✓</span> proved</summary><div>`
		for _, claim := range claims {
			s += tick(claim)
		}
		return s + `</div></details></div></div>`
	}
	code := func(text string) string {
		return `<div class="source"><div class="highlight"><pre>` + text + `</pre></div></div>`
	}
	return &chapter{Path: "22-one.ipynb", Cells: []cell{
		{ID: "head", Kind: "markdown", HTML: `<h1 id="one">One</h1><h2 id="first">First</h2><p>Text.</p>`},
		{ID: "a", Kind: "code", HTML: code("%%\n\ty := x + 1\n") + board("the sum", "a < b")},
		{ID: "b", Kind: "code", HTML: code("z()") + board("the third")},
		{ID: "next", Kind: "markdown", HTML: `<h2 id="second">Second</h2><p>More.</p>`},
	}}
}

func spoiltMistakes() []syllabus.Mistake {
	return []syllabus.Mistake{{
		Cell: "a", Line: 2, Code: [3]string{"y := ", "x + 1", ""}, After: "x - 1", Change: "x + 1 → x - 1",
		Ticks: []syllabus.Tick{
			{Cell: "a", Claim: "the sum", Red: true, Numbers: "2 against 4"}, {Cell: "a", Claim: "a < b"}, {Cell: "b", Claim: "the third"},
		},
	}}
}

// spoiltPage is the page of the chapter with these mistakes.
func spoiltPage(t *testing.T, list []syllabus.Mistake) string {
	t.Helper()
	l, _ := lab(t)
	d, err := readDesign(l)
	if err != nil {
		t.Fatal(err)
	}
	w := wholeOf(t, d, nil, spoiltChapter())
	w.book.Mistakes = map[string][]syllabus.Mistake{"22-one": list}
	page, _, err := w.chapterPage(0)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// A page without mistakes to find has no byte of "Spoil it"; nor has one whose line or whose checks have changed since, and none has it on
// paper.
func TestSpoilLeavesNothing(t *testing.T) {
	plain := spoiltPage(t, nil)
	if strings.Contains(plain, "poil it") || strings.Contains(plain, ".spoil ") {
		t.Error("a page without mistakes speaks of them")
	}
	for name, change := range map[string]func(m *syllabus.Mistake){
		"line":  func(m *syllabus.Mistake) { m.Line = 1 },
		"cell":  func(m *syllabus.Mistake) { m.Cell = "c" },
		"claim": func(m *syllabus.Mistake) { m.Ticks[2].Claim = "the fourth" },
	} {
		list := spoiltMistakes()
		change(&list[0])
		if spoiltPage(t, list) != plain {
			t.Errorf("a mistake with another %s stands on the page", name)
		}
	}
	paper, err := spoiltChapter().body(Plain, ShortCode)
	if err != nil || strings.Contains(inner(paper), "poil it") {
		t.Error("paper asks which tick turns red", err)
	}
}

// A reader plants the mistake of a section by keys, sees the ticks open, answers, is told which turned red, and has all put right. The box
// stands at the end of its section and fits on a telephone; axe-core finds nothing serious in it, and without scripts it is not there.
func TestSpoil(t *testing.T) {
	page := spoiltPage(t, spoiltMistakes())
	last, box, next := strings.Index(page, `id="cell-b"`), strings.Index(page, "<section class=spoil "), strings.Index(page, `id="cell-next"`)
	if last < 0 || box < last || next < box {
		t.Error("the box is not at the end of its section")
	}
	press := testPress(t)
	file := filepath.Join(t.TempDir(), "one.html")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	if v := openPage(t, press, file, false, 1000, 900); ask[int](v, `document.querySelector(".spoil").offsetHeight`) != 0 {
		t.Error("without scripts there is a button that does nothing")
	}
	v := openPage(t, press, file, true, 360, 700)
	const signs = `[...document.querySelectorAll("summary > span[role=img], [data-prl-check] > span[role=img]")]
		.map(n => n.textContent + n.ariaLabel)`
	before := ask[[]string](v, signs)
	told := func() string {
		return ask[string](v, `document.querySelector(".spoil [role=status]").innerText.replace(/\s+/g, " ").trim()`)
	}
	const expanded = `(b => b.getAttribute("aria-expanded") + b.textContent)(document.querySelector(".spoil button"))`
	for choice, want := range []string{
		"Right. This tick turns red (2 against 4).", "No. “a < b” still holds. Red is “the sum” (2 against 4).",
	} {
		v.do(chromedp.Focus(".spoil button"), chromedp.KeyEvent(kb.Enter))
		if got := ask[string](v, expanded); got != "truePut it right" {
			t.Errorf("the button says %s", got)
		}
		for _, s := range ask[[]string](v, signs) {
			if s != "?not known yet" {
				t.Errorf("a tick says %s before the reader answers", s)
			}
		}
		if ask[bool](v, `!document.querySelector(".spoil div button").disabled`) {
			t.Error("one can answer without a choice")
		}
		v.do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Tab)) // past the link to the cell
		if ask[string](v, `document.activeElement.type`) != "radio" {
			t.Error("the keys do not lead to the ticks")
		}
		v.do(chromedp.KeyEvent(" "))
		for range choice {
			v.do(chromedp.KeyEvent(kb.ArrowDown))
		}
		v.do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter))
		if got := told(); got != want {
			t.Errorf("choice %d is told %q, want %q", choice, got, want)
		}
		got := ask[[]string](v, signs)
		if want := []string{"✗does not hold", "✗does not hold", before[2], before[3], before[4]}; !slices.Equal(got, want) {
			t.Errorf("the ticks say %q, want %q", got, want)
		}
		if width := ask[int](v, `document.documentElement.scrollWidth`); width > 360 {
			t.Errorf("on a screen of 360 px the page is %d px wide", width)
		}
		v.do(chromedp.Focus(".spoil button"), chromedp.KeyEvent(kb.Enter))
		if got := ask[string](v, expanded); got != "falseSpoil it" || !slices.Equal(ask[[]string](v, signs), before) || told() != "" {
			t.Errorf("after it was put right: %s, %q, told %q", got, ask[[]string](v, signs), told())
		}
	}
	v.quiet()
	v = openWithAxe(t, press, file)
	ask[bool](v, `(document.querySelector(".spoil button").click(), document.querySelector(".spoil input").click(),
		document.querySelector(".spoil div button").click(), true)`)
	for _, theme := range []string{"light", "dark"} {
		inTheme(v, theme)
		for _, fault := range ask[[]string](v, axe("")) {
			t.Errorf("%s: %s", theme, fault)
		}
	}
}

// Every mistake that is kept for a chapter stands on its page.
func TestSpoilPages(t *testing.T) {
	s := readSite(t)
	l, _ := lab(t)
	b, err := syllabus.Read(l.Notebooks())
	if err != nil {
		t.Fatal(err)
	}
	for name, list := range b.Mistakes {
		boxes := 0
		for range elements(s[name+".html"], tag("section", "spoil")) {
			boxes++
		}
		if boxes != len(list) {
			t.Errorf("%s asks %d times, of %d", name, boxes, len(list))
		}
	}
}
