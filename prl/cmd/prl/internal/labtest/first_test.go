//go:build unix

package labtest

import (
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"

	"github.com/prlab/prlab/prl/cmd/prl/internal/copies"
)

// TestFirstScreen opens the start page in a folder of copies, as the lab does: nothing in the list but notebooks, folded cells, figures
// that live, and links that open chapters. In Notebook 7 the same page is folded and lives.
func TestFirstScreen(t *testing.T) {
	s := start(t)
	if _, err := copies.Sync(s.lab.Notebooks(), s.folder, copies.Options{}); err != nil {
		t.Fatal(err)
	}
	p := s.open("00-start.ipynb")
	p.folded()
	p.until(`document.querySelectorAll('.jp-DirListing-itemName').length > 10`)
	for _, name := range eval[[]string](p, `[...document.querySelectorAll('.jp-DirListing-itemName')].map((e) => e.innerText.trim())`) {
		if !strings.HasSuffix(name, ".ipynb") {
			t.Errorf("%q is in the list of files", name)
		}
	}
	if cut := eval[[]string](p, `[...document.querySelectorAll('.jp-DirListing-itemText')].filter((e) => e.scrollWidth > e.clientWidth)`+
		`.map((e) => e.innerText)`); len(cut) > 0 {
		t.Errorf("names in the list of files are cut off: %q", cut)
	}
	p.until(`(() => { const a = [...document.querySelectorAll('.jp-RenderedMarkdown a')].find((a) => /02-bayes-risk/.test(a.href)); ` +
		`if (!a) return false;
		a.click(); return true })()`)
	p.until(`jupyterapp.shell.currentWidget.context && jupyterapp.shell.currentWidget.context.path.endsWith('/02-bayes-risk.ipynb')`)
}

// TestDarkTheme opens a notebook in a browser that prefers dark: the page is dark, and its figures with it. When the preference changes,
// they follow.
func TestDarkTheme(t *testing.T) {
	s := start(t)
	s.notebook("dark.ipynb", true, "prl.Iris().Scatter().Show()")
	p := s.open("dark.ipynb")
	const dark = `(() => { const light = (c) => c.match(/\d+/g).slice(0, 3).every((v) => v > 128);
		const figure = [...(window.PrlPlot ? PrlPlot.live : [])].find((f) => f.host.isConnected && f.cells);
		return figure && !light(getComputedStyle(document.querySelector('.jp-Notebook')).backgroundColor) && !figure.theme.light })()`
	prefer := func(scheme string) {
		p.do(call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		}))
	}
	prefer("dark")
	p.until(dark)
	prefer("light")
	p.until(`!` + dark)
}

// folded waits until a folded cell of the start page and its living figure are there.
func (p *page) folded() {
	p.s.t.Helper()
	p.until(`document.querySelector('.jp-Cell .jp-Placeholder, .jp-Cell .jp-InputPlaceholder')`)
	p.until(`window.PrlPlot && [...PrlPlot.live].some((f) => f.host.isConnected && f.cells)`)
	hidden := eval[bool](p, `jupyterapp.shell.currentWidget.content.widgets.some((w) => w.model.type === 'code' && w.inputHidden)`)
	if !hidden {
		p.s.t.Error("no cell is folded")
	}
}

// helps presses Shift+Tab at a place of a cell, now and again until the language server is up, and looks for words in what is said.
func (p *page) helps(cell, column int, words ...string) {
	p.s.t.Helper()
	p.cursor(cell, column)
	p.until(`(() => { const e = document.querySelector('.jp-Tooltip'); if (e && e.innerText.includes(` + strconv.Quote(words[0]) +
		`)) return true;
		if (!(Date.now() - window.asked < 3000)) { window.asked = Date.now(); jupyterapp.commands.execute('tooltip:launch-notebook'); ` +
		`} return false })()`)
	text := eval[string](p, `document.querySelector('.jp-Tooltip').innerText`)
	for _, word := range words {
		if !strings.Contains(text, word) {
			p.s.t.Errorf("%q is not said: %q", word, text)
		}
	}
	if eval[bool](p, `!!document.querySelector('.jp-Tooltip a[href^="http"]')`) {
		p.s.t.Errorf("a link leads out of the help: %q", text)
	}
}
