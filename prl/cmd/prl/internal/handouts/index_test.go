package handouts

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// testIndex wants a picture, a count of checks and the items by their titles for every notebook, on a wide and on a narrow screen.
func testIndex(t *testing.T, press *printer, file string, notebooks int) {
	t.Helper()
	v := openPage(t, press, file, true, 1280, 900)
	seen := ask[struct {
		Entries, Pictures, Checks, Items, Bare int
		Text                                   string
		Wide                                   int
	}](v, `(() => {
		document.querySelectorAll("details").forEach(d => d.open = true);
		const copy = document.body.cloneNode(true); copy.querySelectorAll("pre, script, style").forEach(e => e.remove());
		const items = [...document.querySelectorAll(".items > li")];
		return { Entries: document.querySelectorAll(".chapters > li").length, Pictures: [...document.querySelectorAll(".chapters `+
		`img")].filter(i => i.complete && i.naturalWidth > 0).length,
			Checks: [...document.querySelectorAll(".chapters p")].filter(p => /^[1-9]\d* checks passed/.test(p.textContent)).length, `+
		`Items: items.length,
			Bare: items.filter(i => /^[A-Z]+-[\d.]+-\d+ /.test(i.textContent)).length, Text: copy.textContent, `+
		`Wide: document.documentElement.scrollWidth } })()`)
	if seen.Entries != notebooks || seen.Pictures != notebooks || seen.Checks != notebooks || seen.Items < 5*notebooks || seen.Bare > 0 ||
		seen.Wide > 1280 {
		t.Errorf(
			"of %d notebooks: %d entries, %d pictures, %d counts of checks, %d items, %d of them without title, %d px wide",
			notebooks,
			seen.Entries,
			seen.Pictures,
			seen.Checks,
			seen.Items,
			seen.Bare,
			seen.Wide,
		)
	}
	if m := rawTeX.FindString(seen.Text); m != "" {
		t.Errorf("raw TeX in the text: %q", m)
	}
	v.do(chromedp.EmulateViewport(360, 700))
	if width := ask[int](v, `document.documentElement.scrollWidth`); width > 360 {
		t.Errorf("on a screen of 360 px the index is %d px wide", width)
	}
	v.quiet()
}

// TestDistinct wants notebooks whose handouts would overwrite each other refused.
func TestDistinct(t *testing.T) {
	if got, err := distinct([]string{"a/01-x.ipynb", "b/02-y.ipynb", "a/../a/01-x.ipynb"}); err != nil || len(got) != 2 {
		t.Errorf("got %v, %v", got, err)
	}
	for _, paths := range [][]string{
		{"a/01-x.ipynb", "b/01-x.ipynb"},
		{"a/01-x.ipynb", "b/01-X.ipynb"},
		{"index.ipynb"},
		{"reader.ipynb"},
		{"01-x.ipynb", "01-x.slides.ipynb"},
	} {
		if _, err := distinct(paths); err == nil || !strings.Contains(err.Error(), "would both be written to") {
			t.Errorf("%v: got %v", paths, err)
		}
	}
}
