//go:build unix

package labtest

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/prlab/prlab/prl/cmd/prl/internal/copies"
)

// TestFiguresInNotebook does so in Jupyter Notebook 7. In a short test JupyterLab stands for both.
func TestFiguresInNotebook(t *testing.T) {
	if testing.Short() {
		t.Skip("what the tests of JupyterLab do, once more in Jupyter Notebook 7")
	}
	s := startNotebook(t)
	s.notebook("figures.ipynb", true, "import \"github.com/prlab/prlab/prl\"\n%%\nprl.Iris().Scatter().Show()", "prl.Iris().Scatter().Show()")
	p := s.open("figures.ipynb")
	p.live("opened", 2)
	p.run(0)
	p.live("the first cell run again", 2)
	p.command("docmanager:save")
	p.reload()
	p.live("saved and reloaded", 2)
	p.idle()
	p.command("notebook:run-all-cells")
	p.live("all cells run", 2)
	p.completes(1, 13, "Scatter()", "*plotting.Figure")
	s.compute()
	if _, err := copies.Sync(s.lab.Notebooks(), s.folder, copies.Options{}); err != nil {
		t.Fatal(err)
	}
	s.open("00-start.ipynb").folded()
}

// TestNarrowScreen opens a notebook on a phone: it has the room, and what is wider than it scrolls for itself.
func TestNarrowScreen(t *testing.T) {
	s := start(t)
	s.notebook("narrow.ipynb", true, "import \"github.com/prlab/prlab/prl\"\n%%\nprl.Iris().Scatter().Show()",
		"%%\n// a comment that is longer than a phone is wide, for it goes on and on, and on, and on, and on, and on\nprl.Show(`$$"+
			strings.Repeat("x+", 80)+"x$$\n\n|"+strings.Repeat(" wide words |", 20)+"\n|"+strings.Repeat("---|", 20)+"`)")
	p := s.open("narrow.ipynb")
	p.do(chromedp.EmulateViewport(360, 740))
	p.reload()
	p.live("opened", 1)
	p.until(`document.querySelector('.jp-RenderedHTMLCommon table')`)
	p.until(`document.querySelector('mjx-container[display="true"]')`)
	p.until(`jupyterapp.shell.leftCollapsed`)
	if room := eval[float64](p, `document.querySelector('.jp-NotebookPanel').clientWidth`); room < 240 {
		t.Errorf("the notebook has %g of 360 px", room)
	}
	p.until(`(() => { const e = document.querySelector('.jp-WindowedPanel-outer'); return e.scrollWidth <= e.clientWidth })()`)
}

// TestFiguresAreLive opens a notebook as it is committed: executed without the runtime, by another program than the server, which does not
// trust it.
func TestFiguresAreLive(t *testing.T) {
	s := start(t)
	path := s.notebook(
		"figures.ipynb",
		true,
		"import \"github.com/prlab/prlab/prl\"\n%%\nprl.Iris().Scatter().Show()",
		"prl.Iris().Scatter().Show()",
		"prl.Iris().Scatter().Show()",
	)
	committed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(committed, []byte("data-prl-figure")) || bytes.Contains(committed, []byte("data-prl-runtime")) {
		t.Fatal("the notebook should hold figures without the runtime")
	}
	p := s.open("figures.ipynb")
	p.live("opened", 3)
	p.run(0)
	p.live("the first cell run again", 3)
	p.command("docmanager:save")
	p.reload()
	p.live("saved and reloaded", 3)
	p.idle()
	p.command("notebook:run-all-cells")
	p.live("all cells run", 3)
	p.command("docmanager:save")
	saved, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(saved) > len(committed)*11/10+2000 {
		t.Errorf("the file has grown from %d to %d bytes", len(committed), len(saved))
	}
	eval[any](p, "jupyterapp.shell.currentWidget.sessionContext.restartKernel().then(() => 0)")
	p.live("the kernel restarted", 3)
	p.run(1)
	p.live("a cell run after that", 3)
	second := s.open("figures.ipynb")
	second.live("a second tab", 3)
	if err := os.WriteFile(path, committed, 0o644); err != nil {
		t.Fatal(err)
	}
	second.reload()
	second.live("the file restored", 3)
}
