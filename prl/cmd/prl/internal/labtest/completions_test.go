//go:build unix

package labtest

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// TestCompletions presses Tab and looks at what a reader sees.
func TestCompletions(t *testing.T) {
	s := start(t)
	s.notebook(
		"complete.ipynb",
		false,
		"import (\n\t\"github.com/prlab/prlab/prl\"\n\t\"github.com/prlab/prlab/prl/reduce\"\n)\nvar iris = prl.Iris()\nvar _ = reduce.All",
		"iris.Sc",
		"prl.Iris().Features(\"petal\")",
		"reduce.FitPCA",
	)
	p := s.open("complete.ipynb")
	p.run(0)
	p.until("jupyterapp.shell.currentWidget.content.widgets[0].model.executionCount === 1")
	p.completes(1, 7, "Scatter()", "*plotting.Figure")
	p.until(`document.querySelector('.jp-Completer').innerText.includes('draws the first two features')`)
	eval[any](
		p,
		`(document.querySelector('.jp-Completer').dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', keyCode: 27, bubbles: true})), 0)`,
	)
	eval[any](p, `(document.querySelectorAll('.jp-Completer').forEach((e) => e.classList.add('lm-mod-hidden')), 0)`)
	if text := p.completes(2, 26, "petal length"); strings.Contains(text, "sepal") {
		t.Errorf("columns: %q", text)
	}
	eval[any](p, `(document.querySelectorAll('.jp-Completer').forEach((e) => e.classList.add('lm-mod-hidden')), 0)`)
	p.helps(3, 13, "Example", "func reduce.FitPCA")
}

// TestCompletionsComeLater presses Tab once while the kernel does not answer: a word at the cursor says that the list is on its way, and it
// opens without a second press. When the reader has gone on meanwhile the word goes, and nothing opens.
func TestCompletionsComeLater(t *testing.T) {
	s := start(t)
	s.notebook("later.ipynb", false, "import \"github.com/prlab/prlab/prl\"\nvar iris = prl.Iris()", "prl.Iri", "prl.Win")
	p := s.open("later.ipynb")
	p.idle()
	s.kernels(syscall.SIGSTOP)
	press := func(cell int) {
		p.cursor(cell, 7)
		eval[any](p, `jupyterapp.commands.execute('completer:invoke-notebook').then(() => 0)`)
	}
	press(2)
	p.until(`document.querySelector('.prl-waits')`)
	if at := eval[string](p, `(() => { const w = document.querySelector('.prl-waits').getBoundingClientRect(),
		c = jupyterapp.shell.currentWidget.content.activeCell.node.getBoundingClientRect();
		return w.left > c.left && w.left < c.left + 400 && Math.abs(w.top - c.top) < 60 ? '' : JSON.stringify([w, c]) })()`); at != "" {
		t.Errorf("the word is not at the cursor: %s", at)
	}
	p.cursor(1, 2)
	p.until(`!document.querySelector('.prl-waits')`)
	press(1)
	p.until(`document.querySelector('.prl-waits')`)
	s.kernels(syscall.SIGCONT)
	p.until(`(() => { const c = document.querySelector('.jp-Completer:not(.lm-mod-hidden)');
		return c && c.innerText.includes('Iris') && !document.querySelector('.prl-waits') })()`)
	if eval[string](p, `jupyterapp.shell.currentWidget.content.activeCell.model.sharedModel.getSource()`) != "prl.Iri" {
		t.Error("what waits for its completion is changed")
	}
}

// kernels sends a signal to the kernels of this lab, which its server has started: other tests have theirs.
func (s *server) kernels(signal syscall.Signal) {
	s.t.Helper()
	out, err := exec.Command("ps", "-A", "-o", "pid=,ppid=,comm=").Output()
	if err != nil {
		s.t.Fatal(err)
	}
	sent := false
	for line := range strings.Lines(string(out)) {
		var pid, parent int
		var name string
		fmt.Sscan(line, &pid, &parent, &name)
		if parent == s.process && filepath.Base(name) == "prl-kernel" {
			sent = syscall.Kill(pid, signal) == nil
		}
	}
	if !sent {
		s.t.Fatal("there is no kernel")
	}
}

// completes presses Tab at a place of a cell, again while packages are being read, until the first of the words is offered, and
// looks for the others.
func (p *page) completes(cell, column int, words ...string) string {
	p.s.t.Helper()
	p.cursor(cell, column)
	p.until(`(() => {
		const c = document.querySelector('.jp-Completer:not(.lm-mod-hidden)');
		if (c && c.querySelector('.jp-Completer-item') && c.innerText.includes(` + strconv.Quote(words[0]) + `)) return true;
		if (Date.now() - (window.prlAsked || 0) < 1500) return false;
		window.prlAsked = Date.now();
		if (c) c.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', keyCode: 27, bubbles: true}));
		jupyterapp.commands.execute('completer:invoke-notebook');
		return false })()`)
	const shown = `(document.querySelector('.jp-Completer:not(.lm-mod-hidden)')?.innerText ?? '')`
	for _, word := range words[1:] { // what is said of the first offer comes after the list
		p.until(shown + `.includes(` + strconv.Quote(word) + `)`)
	}
	return eval[string](p, shown)
}

// cursor puts the cursor at a column of the first line of a cell.
func (p *page) cursor(cell, column int) {
	p.s.t.Helper()
	p.until(`(() => { const n = jupyterapp.shell.currentWidget.content; n.activeCellIndex = ` + strconv.Itoa(cell) + `; n.mode = 'edit';
		const e = n.activeCell && n.activeCell.editor; if (!e) return false; e.focus(); e.setCursorPosition({line: 0, column: ` +
		strconv.Itoa(column) + `}); return true })()`)
}
