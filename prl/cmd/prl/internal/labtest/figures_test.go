//go:build unix

package labtest

import (
	"bytes"
	"os"
	"testing"
)

// TestFiguresInNotebook does so in Jupyter Notebook 7.
func TestFiguresInNotebook(t *testing.T) {
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
