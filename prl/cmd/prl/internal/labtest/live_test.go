//go:build unix

package labtest

import "testing"

// TestFiguresCompute runs a cell with a live figure in a lab that stands behind a hub's prefix: the program is built while the cell runs,
// the lab's own server has it, and the page computes with it, then and after the notebook was saved and opened again.
func TestFiguresCompute(t *testing.T) { startAt(t, "/user/reader").compute() }

func (s *server) compute() {
	t := s.t
	t.Helper()
	s.notebook("alive.ipynb", false,
		"import (\n\t\"fmt\"\n\n\t\"github.com/prlab/prlab/plotting\"\n\t\"github.com/prlab/prlab/prl\"\n"+
			"\t\"github.com/prlab/prlab/prl/live\"\n)",
		`%%
prl.Live(func(in *live.Inputs) *plotting.Figure {
	b := in.Slider("slope", 0, 2, live.Step(0.1))
	prl.Check("", "the slope is not negative").AtLeast(b, 0)
	return plotting.New(plotting.Line([]float64{0, 4}, []float64{0, 4 * b})).Title("A slope").Subtitle(fmt.Sprintf("slope %.1f", b))
}).Show()`)
	p := s.open("alive.ipynb")
	p.run(0)
	p.run(1)
	const subtitle = `document.querySelector('.prl-subtitle').textContent`
	moves := func(when string) {
		t.Helper()
		t.Log(when)
		p.until(`document.querySelector('.prl-moves')`)
		p.until(subtitle + ` === 'slope 1.0'`)
		eval[any](
			p,
			`{ const r = document.querySelector('.prl-inputs .prl-range'); r.value = 15; r.dispatchEvent(new Event('input', { bubbles: true })); 0 }`,
		)
		p.until(subtitle + ` === 'slope 1.5'`)
		p.until(`document.querySelector('.prl-live-now').textContent.includes('1.5 ≥ 0')`)
	}
	moves("the cell run")
	// A link in prose does not know the cell by name; it sets the figure that has its input.
	eval[any](
		p,
		`{ const a = document.createElement('a'); a.href = '#fig=line?slope=0.5'; document.querySelector('.prl-live').before(a); a.click(); 0 }`,
	)
	p.until(subtitle + ` === 'slope 0.5'`)
	p.command("docmanager:save")
	p.reload()
	moves("saved and opened again")
}
