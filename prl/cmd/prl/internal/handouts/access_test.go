package handouts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// axe asks axe-core, which testdata/axe holds, for what keeps people from reading a page: the findings that it calls serious or critical.
// It takes options of axe-core.
func axe(options string) string {
	return `axe.run(document, {resultTypes: ["violations"], ` + options + `}).then(r => r.violations
	.filter(v => v.impact == "serious" || v.impact == "critical").map(v => v.impact + ": " + v.id + ", " + v.nodes.length + " times, first " +
	v.nodes[0].target.join(" ") + ": " + ((v.nodes[0].any[0] || {}).message || v.help)))`
}

// inTheme has a page in light or dark colours, two frames long.
func inTheme(v *visit, theme string) {
	scheme := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}
	v.do(command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: scheme}))
	ask[bool](v, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
}

// openWithAxe opens a page with axe-core in it, all that folds open, and waits until its figures have drawn and none is waking: axe-core
// does not stand a page that changes while it looks.
func openWithAxe(t *testing.T, press *printer, file string) *visit {
	t.Helper()
	program, err := os.ReadFile(filepath.Join("testdata", "axe", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	v := openPage(t, press, file, true, 1280, 900)
	v.until(`document.readyState == "complete"`)
	ask[bool](v, `document.querySelectorAll("details").forEach(d => d.open = true); true`)
	for range 2 { // the answer of one figure may bring the next into view
		v.until(`!document.querySelector(".prl-waking") && document.querySelectorAll("img.prl-figure").length ==
			(window.PrlPlot ? [...PrlPlot.live].filter(f => f.cells).length : 0)`)
		inTheme(v, "light")
	}
	ask[bool](v, string(program)+"; true")
	return v
}

// coloured are the parts of formulas that have not the colours of the words around them.
const coloured = `[...document.querySelectorAll(".katex, .katex *")].filter(e => { const own = getComputedStyle(e);
	return own.color !== getComputedStyle(e.parentElement).color || own.backgroundColor !== "rgba(0, 0, 0, 0)" || own.opacity !== "1";
}).length`

// thin leaves on a page a few formulas, and of each kind of words the first few of a cell of code. The others are alike, and axe-core would
// spend most of its time on them.
const thin = `(() => {
	[...document.querySelectorAll(".katex")].slice(20).forEach(k => k.replaceChildren("x"));
	document.querySelectorAll("pre").forEach(code => {
		const seen = {};
		code.querySelectorAll("*").forEach(e => {
			const kind = e.tagName + " " + e.className + " " + e.parentElement.tagName;
			seen[kind] = (seen[kind] || 0) + 1;
			if (seen[kind] > 2 && !e.childElementCount) e.replaceWith(e.textContent);
		});
	});
	return document.querySelectorAll("*").length })()`

// testAccess wants a page without a serious finding of axe-core: by all rules as it is opened, and by that of contrast once the reader has
// chosen dark colours.
func testAccess(t *testing.T, press *printer, file string) {
	t.Helper()
	v := openWithAxe(t, press, file)
	for _, theme := range []string{"light", "dark"} {
		inTheme(v, theme)
		if n := ask[int](v, coloured); n > 0 {
			t.Errorf("%s, %s: %d parts of formulas have colours of their own", filepath.Base(file), theme, n)
		}
	}
	t.Logf("axe-core sees %d elements", ask[int](v, thin))
	for _, fault := range ask[[]string](v, axe(`runOnly: ["color-contrast"]`)) {
		t.Errorf("%s, dark: %s", filepath.Base(file), fault)
	}
	inTheme(v, "light")
	for _, fault := range ask[[]string](v, axe("")) {
		t.Errorf("%s, light: %s", filepath.Base(file), fault)
	}
}

// Pages that axe-core must find fault with, light and dark, show that testAccess can fail.
func TestAccessFindsFaults(t *testing.T) {
	press := testPress(t)
	const head = `<!doctype html><html lang=en><title>Pale</title><main><h1 style="background:#fff;color:#000">Pale</h1>
		<style>@media (prefers-color-scheme: dark) { body { background: #14171c } }</style>`
	for ink, theme := range map[string]string{"#aaa": "light", "#444": "dark"} {
		file := filepath.Join(t.TempDir(), "pale.html")
		body := `<p style="color:` + ink + `">Words in grey</p><p class="katex">a <i>b <b style="color:#00f">c</b></i></p></main>`
		if err := os.WriteFile(file, []byte(head+body), 0o600); err != nil {
			t.Fatal(err)
		}
		v := openWithAxe(t, press, file)
		inTheme(v, theme)
		if n := ask[int](v, coloured); n != 1 {
			t.Errorf("%d parts of a formula with a blue letter have colours of their own", n)
		}
		got := ask[[]string](v, axe(`runOnly: ["color-contrast"]`))
		if len(got) != 1 || !strings.HasPrefix(got[0], "serious: color-contrast, 1 times") {
			t.Errorf("%s words on %s paper: %q", ink, theme, got)
		}
	}
}
