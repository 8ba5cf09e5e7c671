//go:build unix

package labtest

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/prlab/prlab/prl/cmd/prl/internal/lite"
	"github.com/prlab/prlab/prl/notebook"
)

// site is a JupyterLite of these notebooks on a plain server of files, below its root, in a tab of its own of the browser of s.
func (s *server) site(from string) *server {
	t := s.t
	t.Helper()
	out := filepath.Join(t.TempDir(), "site")
	built, err := lite.Build(t.Context(), s.lab, from, out)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d notebooks, %d files, %.1f MB", built.Notebooks, built.Files, float64(built.Bytes)/1e6)
	if _, err := lite.Build(t.Context(), s.lab, from, from); err == nil || !strings.Contains(err.Error(), "holds other things") {
		t.Errorf("a folder of something else: %v", err)
	}
	files := httptest.NewServer(http.StripPrefix("/course/", http.FileServer(http.Dir(out))))
	t.Cleanup(files.Close)
	own := *s
	own.address, own.page, own.query = files.URL, "/course/lab/?path=", ""
	return &own
}

// write types a text in the place of what a cell holds, and runs the cell with the keys.
func (p *page) write(cell int, text string) {
	p.s.t.Helper()
	p.command("notebook:enter-command-mode")
	eval[any](p, `{ const book = jupyterapp.shell.currentWidget.content; book.activeCellIndex = `+strconv.Itoa(cell)+`; 0 }`)
	p.command("notebook:enter-edit-mode")
	p.until(`jupyterapp.shell.currentWidget.content.activeCell.editor.hasFocus()`)
	p.do(chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl)), call(input.InsertText, input.InsertTextParams{Text: text}))
	for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeRawKeyDown, input.DispatchKeyEventTypeKeyUp} {
		p.do(call(input.DispatchKeyEvent, input.DispatchKeyEventParams{
			Type: kind, Key: "Enter", Code: "Enter", WindowsVirtualKeyCode: 13, Modifiers: 8,
		}))
	}
}

// said waits until the outputs of a cell hold these words.
func (p *page) said(cell int, words string) {
	p.s.t.Helper()
	p.until(`jupyterapp.shell.currentWidget.content.widgets[` + strconv.Itoa(cell) + `].outputArea.node.innerText.includes(` +
		strconv.Quote(words) + `)`)
}

// TestLite is a reader's visit to a JupyterLite on a server of files: cells of a notebook run, are changed and run again; one is stopped;
// a mistake stands at its line; a figure computes, and a check is proved. What was written stays, and is downloaded; the lab opens and
// runs it.
func TestLite(t *testing.T) {
	if testing.Short() {
		t.Skip("builds Go's compiler")
	}
	s := start(t)
	const chapter, check = "22-soft-margin.ipynb", `document.querySelectorAll('[data-prl-outcome=passed]').length`
	imports := "import (\n\t\"fmt\"\n\n\t\"github.com/prlab/prlab/plotting\"\n\t\"github.com/prlab/prlab/prl\"\n" +
		"\t\"github.com/prlab/prlab/prl/live\"\n)"
	s.notebook("own.ipynb", false, imports,
		"func f() int { return 3 }",
		"%%\nfmt.Println(\"f gives\", f())\nprl.Check(\"\", \"f is three\").Equal(f(), 3)",
		`%%
prl.Live(func(in *live.Inputs) *plotting.Figure {
	b := in.Slider("slope", 0, 2, live.Step(0.1))
	prl.Check("", "the slope is not negative").AtLeast(b, 0)
	return plotting.New(plotting.Line([]float64{0, 4}, []float64{0, 4 * b})).Title("A slope").Subtitle(fmt.Sprintf("slope %.1f", b))
}).Show()`,
		"%%\nfmt.Println(\"begins\")\nfor {\n}",
		"prl.Iris().Scatter().Sh")
	text, err := os.ReadFile(filepath.Join(s.lab.Notebooks(), chapter))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.folder, chapter), text, 0o644); err != nil {
		t.Fatal(err)
	}
	site := s.site(s.folder)
	p := site.open("own.ipynb")
	if eval[bool](p, `performance.getEntriesByType('resource').some((r) => r.name.includes('go-toolchain'))`) {
		t.Error("the toolchain is loaded before the first run")
	}
	began := time.Now()
	p.run(0)
	p.run(1)
	p.run(2)
	p.said(2, "f gives 3")
	t.Logf("the first output after %.1f s", time.Since(began).Seconds())
	p.until(check + ` === 1`)
	p.write(1, "func f() int { return 1 +\n2 }")
	p.idle()
	p.write(2, "%%\nfmt.Println(\"f still gives\", f())\nfmt.Println(g())")
	p.said(2, "line 3: undefined: g")
	p.write(2, "%%\nfmt.Println(\"f still gives\", f())\nprl.Check(\"\", \"f is three\").Equal(f(), 3)")
	p.said(2, "f still gives 3")
	p.until(check + ` === 1`)
	p.run(3)
	p.moves("the cell run in the page")
	p.write(4, "%%\nfmt.Println(\"begins again\")\nfor {\n}")
	p.said(4, "begins again")
	p.command("notebook:interrupt-kernel")
	p.said(4, "You stopped the cell")
	p.idle()
	p.completes(5, 23, "Show", "SharedX() *plotting.Figure")
	p.write(5, "prl.Iris( ).Scatter( ).Show( )")
	p.live("a figure of the library", 2)
	eval[any](p, `{ jupyterapp.shell.currentWidget.content.activeCellIndex = 5; 0 }`)
	p.command("prl:gofmt")
	p.until(`jupyterapp.shell.currentWidget.content.widgets[5].model.sharedModel.getSource() === "prl.Iris().Scatter().Show()"`)
	p.command("docmanager:save")
	p = site.open("own.ipynb")
	p.until(`document.querySelector('.prl-quiet')?.textContent.includes('Run the cells of this notebook')`)
	p.said(2, "f still gives 3")

	saved := p.download("own.ipynb")
	n, err := notebook.Read(saved)
	if err != nil {
		t.Fatal(err)
	}
	if got := n.Cells[1].Source(); got != "func f() int { return 1 +\n2 }" {
		t.Errorf("the downloaded notebook has %q", got)
	}
	text, err = os.ReadFile(saved)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.folder, "downloaded.ipynb"), text, 0o644); err != nil {
		t.Fatal(err)
	}

	p = site.open(chapter)
	if eval[bool](p, `jupyterapp.shell.currentWidget.content.widgets.some((w) => w.model.getMetadata('tags')?.includes('solution'))`) {
		t.Error("the site has solutions")
	}
	p.runCode(2)
	p.idle()
	if eval[bool](p, `!!document.querySelector('.jp-RenderedText[data-mime-type*=error]')`) {
		t.Error("the chapter's first cells fail")
	}

	p = s.open("downloaded.ipynb")
	for cell := range 4 {
		p.run(cell)
	}
	p.said(2, "f still gives 3")
	p.moves("the downloaded cell run in the lab")
}

// runCode runs the first n cells of code.
func (p *page) runCode(n int) {
	p.s.t.Helper()
	const code = `jupyterapp.shell.currentWidget.content.widgets.map((w, i) => w.model.type === 'code' ? i : -1).filter((i) => i >= 0)`
	p.until(`(` + code + `).length >= ` + strconv.Itoa(n))
	for _, i := range eval[[]int](p, code)[:n] {
		p.run(i)
	}
}

// download has the browser save the notebook that is open, and returns its path.
func (p *page) download(name string) string {
	t := p.s.t
	t.Helper()
	folder, at := t.TempDir(), chromedp.FromContext(p)
	if _, err := cdp.Call(p, at.Browser, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: folder, BrowserContextID: at.BrowserContextID,
	}); err != nil {
		t.Fatal(err)
	}
	p.command("docmanager:download")
	path := filepath.Join(folder, name)
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	t.Fatalf("%s is not downloaded", name)
	return ""
}
