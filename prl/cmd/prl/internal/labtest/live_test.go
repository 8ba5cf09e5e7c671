//go:build unix

package labtest

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/input"
)

// TestFiguresCompute runs a cell with a live figure in a lab that stands behind a hub's prefix: the program is built while the cell runs,
// the lab's own server has it, and the page computes with it, then and after the notebook was saved and opened again.
func TestFiguresCompute(t *testing.T) { start(t).compute() }

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
	p.moves("the cell run")
	// A link in prose does not know the cell by name; it sets the figure that has its input.
	eval[any](
		p,
		`{ const a = document.createElement('a'); a.href = '#fig=line?slope=0.5'; document.querySelector('.prl-live').before(a); a.click(); 0 }`,
	)
	p.until(`document.querySelector('.prl-subtitle').textContent === 'slope 0.5'`)
	p.command("docmanager:save")
	p.reload()
	p.moves("saved and opened again")
}

// moves waits until the live figure computes, moves its slider and waits for the answer.
func (p *page) moves(when string) {
	p.s.t.Helper()
	p.s.t.Log(when)
	const subtitle = `document.querySelector('.prl-subtitle').textContent`
	p.until(`document.querySelector('.prl-moves')`)
	p.until(subtitle + ` === 'slope 1.0'`)
	eval[any](p, `{ const r = document.querySelector('.prl-inputs .prl-range'); r.value = 15; r.dispatchEvent(new Event('input', `+
		`{ bubbles: true })); 0 }`)
	p.until(subtitle + ` === 'slope 1.5'`)
	p.until(`document.querySelector('.prl-live-now').textContent.includes('1.5 ≥ 0')`)
}

// TestFilmsCompute runs a cell with a Slide over numbers: between its frames stand pictures that the program draws, and the output of a
// kernel that nobody looks at is the film.
func TestFilmsCompute(t *testing.T) {
	s := start(t)
	sources := []string{
		"import (\n\t\"fmt\"\n\n\t\"github.com/prlab/prlab/plotting\"\n\t\"github.com/prlab/prlab/prl\"\n)",
		`%%
prl.Slide("slope", []float64{0, 0.5, 2}, func(b float64) *plotting.Figure {
	return plotting.New(plotting.Line([]float64{0, 4}, []float64{0, 4 * b})).Subtitle(fmt.Sprintf("slope %.2f", b))
}).Show()`,
	}
	const subtitle = `document.querySelector('.prl-subtitle').textContent`
	s.notebook("executed.ipynb", true, sources...)
	p := s.open("executed.ipynb")
	p.until(`document.querySelector('.prl-frames')?.offsetHeight > 0`)
	if eval[bool](p, `!!document.querySelector('.prl-inputs')`) {
		t.Error("a notebook that a headless kernel has run computes")
	}
	s.notebook("film.ipynb", false, sources...)
	p = s.open("film.ipynb")
	p.run(0)
	p.run(1)
	moves := func(when string) {
		t.Helper()
		t.Log(when)
		p.until(`document.querySelector('.prl-moves')`)
		p.until(subtitle + ` === 'slope 0.00'`)
		x, y := p.place(".prl-inputs .prl-range", 0)
		mouse := func(kind input.DispatchMouseEventType, x float64) step {
			return call(input.DispatchMouseEvent, input.DispatchMouseEventParams{
				Type: kind, X: x, Y: y, Button: input.MouseButtonLeft,
				ClickCount: 1,
			})
		}
		to, _ := p.place(".prl-inputs .prl-range", 0.6)
		p.do(mouse(input.DispatchMouseEventTypeMousePressed, x), mouse(input.DispatchMouseEventTypeMouseMoved, x/2+to/2),
			mouse(input.DispatchMouseEventTypeMouseMoved, to), mouse(input.DispatchMouseEventTypeMouseReleased, to))
		p.until(`!/slope (0.00|0.50|2.00)/.test(` + subtitle + `) && ` + subtitle +
			` === 'slope ' + (document.querySelector('.prl-inputs .prl-range').value / 100).toFixed(2)`)
	}
	moves("the cell run")
	p.command("docmanager:save")
	p.reload()
	moves("saved and opened again")
}

// place is a place on a range, at this share of its length, scrolled into view.
func (p *page) place(selector string, share float64) (x, y float64) {
	p.s.t.Helper()
	at := eval[[]float64](p, fmt.Sprintf(`(() => { const n = document.querySelector(%q); n.scrollIntoView({ block: 'center' });
		const r = n.getBoundingClientRect(), thumb = 16; return [r.left + thumb / 2 + %v * (r.width - thumb), r.top + r.height / 2] })()`,
		selector, share))
	return at[0], at[1]
}
