//go:build unix

package labtest

import (
	"strconv"
	"strings"
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

// completes presses Tab at a place of a cell and looks for words in what is offered.
func (p *page) completes(cell, column int, words ...string) string {
	p.s.t.Helper()
	p.cursor(cell, column)
	p.until(
		`(() => { if (document.querySelector('.jp-Completer:not(.lm-mod-hidden) .jp-Completer-item')) return true; jupyterapp.commands.execute('completer:invoke-notebook'); return false })()`,
	)
	text := eval[string](p, `document.querySelector('.jp-Completer:not(.lm-mod-hidden)').innerText`)
	for _, word := range words {
		if !strings.Contains(text, word) {
			p.s.t.Errorf("%q is not offered: %q", word, text)
		}
	}
	return text
}

// cursor puts the cursor at a column of the first line of a cell.
func (p *page) cursor(cell, column int) {
	p.s.t.Helper()
	p.until(`(() => { const n = jupyterapp.shell.currentWidget.content; n.activeCellIndex = ` + strconv.Itoa(cell) + `; n.mode = 'edit';
		const e = n.activeCell && n.activeCell.editor; if (!e) return false; e.focus(); e.setCursorPosition({line: 0, column: ` +
		strconv.Itoa(column) + `}); return true })()`)
}
