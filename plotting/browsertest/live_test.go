package browsertest

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
)

func TestEveryFigureDraws(t *testing.T) {
	var figures []*plotting.Figure
	for _, g := range gallery {
		figures = append(figures, g.figure())
	}
	p := open(t, page(t, true, figures...), 900, 900)
	p.alive(len(gallery))
	empty := eval[[]string](
		p,
		`[...PrlPlot.live].filter(f => { const c = f.canvas.querySelector('canvas'); const d = c.getContext('2d').getImageData(0, 0, `+
			`c.width, c.height).data;
		let n = 0; for (let i = 3; i < d.length; i += 4) if (d[i]) n++; return n < 500 }).map(f => f.fig.title)`,
	)
	if len(empty) > 0 {
		t.Errorf("nothing is painted in %q", empty)
	}
	if n := eval[int](p, `[...document.images].filter(i => i.offsetWidth > 0).length`); n > 0 {
		t.Errorf("%d stills stand beside their live figures", n)
	}
}

func TestStandalonePage(t *testing.T) {
	html, err := scatter().HTML()
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, html, 900, 700)
	p.alive(1)
	if n := p.ink(); n < 5000 {
		t.Errorf("only %d pixels are painted", n)
	}
}

func TestRuntimeBeforeAndTwice(t *testing.T) {
	f := element(t, scatter())
	p := open(t, plotting.RuntimeHTML()+f+plotting.RuntimeHTML()+f, 900, 900)
	p.alive(2)
	if n := eval[int](p, `document.querySelectorAll('.prl-box').length`); n != 2 {
		t.Errorf("%d live boxes for 2 figures", n)
	}
}

func TestSliderByKeyboard(t *testing.T) {
	p := open(t, page(t, true, em()), 900, 700, media("prefers-reduced-motion", "reduce"))
	p.alive(1)
	start := eval[string](p, `document.querySelector('.prl-value').textContent`)
	p.do(chromedp.Focus(".prl-range"), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowRight))
	if got := eval[string](p, `document.querySelector('.prl-value').textContent`); start != "0" || got != "2" {
		t.Errorf("two steps right of frame %q stands %q", start, got)
	}
	if s := eval[string](p, `document.querySelector('.prl-subtitle').textContent`); !strings.Contains(s, "-411.43") {
		t.Errorf("the subtitle of frame 2 is %q", s)
	}
	p.do(chromedp.KeyEvent(kb.End))
	p.do(chromedp.KeyEvent(" ")) // plays from the start again
	p.until(`document.querySelector('.prl-play').getAttribute('aria-label') === 'Pause'`)
	p.until(`+document.querySelector('.prl-range').value >= 1`)
	p.do(chromedp.KeyEvent(" "))
	p.until(`document.querySelector('.prl-play').getAttribute('aria-label') === 'Play'`)
	at := eval[string](p, `document.querySelector('.prl-range').value`)
	if got := eval[string](p, `new Promise(done => setTimeout(() => done(document.querySelector('.prl-range').value), 900))`); got != at {
		t.Errorf("paused at frame %s it went on to %s", at, got)
	}
}

func TestPlayByPointer(t *testing.T) {
	p := open(t, page(t, true, em()), 900, 700)
	p.alive(1)
	before := p.ink()
	p.click(".prl-play", 1)
	p.until(`+document.querySelector('.prl-range').value === 7`)
	p.until(`document.querySelector('.prl-play').getAttribute('aria-label') === 'Play'`)
	if after := p.ink(); before < 1000 || after < 1000 {
		t.Errorf("painted pixels before %d, after %d", before, after)
	}
}

func TestLegend(t *testing.T) {
	p := open(t, page(t, true, densities()), 900, 700)
	p.alive(1)
	whole := p.ink()
	p.do(chromedp.Focus(".prl-key"), chromedp.KeyEvent(kb.Enter))
	if eval[string](p, `document.querySelector('.prl-key').getAttribute('aria-pressed')`) != "false" {
		t.Error("Enter did not release the legend key")
	}
	less := p.ink()
	if less >= whole*95/100 {
		t.Errorf("hiding a class leaves %d of %d pixels", less, whole)
	}
	p.do(chromedp.KeyEvent(" "))
	if back := p.ink(); back < whole*99/100 {
		t.Errorf("showing it again gives %d of %d pixels", back, whole)
	}
	p.click(".prl-key:nth-child(2)", 2)
	if got := eval[string](p, `[...document.querySelectorAll('.prl-key')].map(b => b.getAttribute('aria-pressed')).join()`); !strings.Contains(
		got,
		"true",
	) ||
		strings.Count(got, "true") != 1 {
		t.Errorf("a double click isolates one entry, but the keys are %s", got)
	}
	p.click(".prl-key:nth-child(2)", 2)
	if got := eval[string](p, `[...document.querySelectorAll('.prl-key')].map(b => b.getAttribute('aria-pressed')).join()`); strings.Contains(
		got,
		"false",
	) {
		t.Errorf("a second double click shows all, but the keys are %s", got)
	}
}

func TestThemeFollowsThePage(t *testing.T) {
	p := open(t, page(t, true, scatter()), 900, 700)
	p.alive(1)
	fg := func() string {
		return eval[string](p, `getComputedStyle(document.querySelector('.prl-box')).getPropertyValue('--prl-fg')`)
	}
	if got := fg(); got != "#1b1f24" {
		t.Errorf("on white the foreground is %s", got)
	}
	p.do(run(`document.body.style.background = '#111'; document.body.setAttribute('data-jp-theme-light', 'false')`))
	p.until(`getComputedStyle(document.querySelector('.prl-box')).getPropertyValue('--prl-fg') === '#e6e8eb'`)
	p.do(run(`document.body.style.background = '#fff'; document.body.setAttribute('data-jp-theme-light', 'true')`))
	p.until(`getComputedStyle(document.querySelector('.prl-box')).getPropertyValue('--prl-fg') === '#1b1f24'`)
}

// Where the colours of the page change, the words of every figure take them before the next frame, those below the view too, and pictures
// follow; a picture that is hidden meanwhile has them when it is seen again.
func TestWordsTakeInkAtOnce(t *testing.T) {
	figures := make([]*plotting.Figure, 8)
	for i := range figures {
		figures[i] = scatter()
	}
	p := open(t, page(t, true, figures...), 900, 700)
	p.alive(len(figures))
	paper := func(colour string) string { return `document.body.style.background = '` + colour + `'` }
	titles := eval[string](p, `(async () => { `+paper("#111")+`; await null; const ink = new Set();
		for (const n of document.querySelectorAll('.prl-title, .prl-key')) ink.add(getComputedStyle(n).color);
		return [...ink].join(" ") })()`)
	if want := "rgb(230, 232, 235)"; titles != want {
		t.Errorf("on black paper titles and keys are %s, not %s", titles, want)
	}
	p.until(`[...PrlPlot.live].every(f => !f.faded)`)
	const picture = `[...PrlPlot.live][7].canvas.querySelector('canvas').toDataURL()`
	dark := eval[string](p, picture)
	p.do(run(paper("#fff")))
	p.until(`[...PrlPlot.live].every(f => !f.faded)`)
	if eval[string](p, picture) == dark {
		t.Error("the last picture stays dark on white paper")
	}
	p.do(run(`document.querySelectorAll('.output')[7].style.display = 'none'; ` + paper("#111")))
	p.until(`[...PrlPlot.live].every(f => !f.faded || f === [...PrlPlot.live][7])`)
	p.do(run(`document.querySelectorAll('.output')[7].style.display = ''`))
	p.until(`![...PrlPlot.live][7].faded`)
	if eval[string](p, picture) != dark {
		t.Error("a picture that was hidden while the page became dark is not as it was on a dark page")
	}
}

func TestDarkPreference(t *testing.T) {
	html, err := scatter().HTML()
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, html, 900, 700, media("prefers-color-scheme", "dark"))
	p.alive(1)
	if got := eval[string](p, `getComputedStyle(document.querySelector('.prl-box')).getPropertyValue('--prl-fg')`); got != "#e6e8eb" {
		t.Errorf("a reader who prefers dark sees foreground %s", got)
	}
	p.do(media("prefers-color-scheme", "light"))
	p.until(`getComputedStyle(document.querySelector('.prl-box')).getPropertyValue('--prl-fg') === '#1b1f24'`)
}

// A cell that is run again replaces its output; a notebook does this all day.
func TestRerunLeavesNothingBehind(t *testing.T) {
	p := open(t, page(t, true, em()), 900, 700)
	p.alive(1)
	again := element(t, em())
	for i := range 20 {
		p.do(run(fmt.Sprintf(`document.querySelector('.output').innerHTML = %q; window.run = %d`, again, i)))
		p.until(
			`PrlPlot.live.size === 1 && document.querySelectorAll('.prl-box canvas').length > 0 && [...PrlPlot.live][0].host.isConnected && ` +
				`[...PrlPlot.live][0].cells`,
		)
		if i%5 == 0 {
			p.click(".prl-play", 1) // a figure that plays when it is replaced
		}
	}
	p.do(run(`document.querySelector('.output').innerHTML = ''`))
	p.until(`PrlPlot.live.size === 0`)
}

func TestHiddenThenShown(t *testing.T) {
	p := open(t, `<div id=tab style="display:none">`+element(t, scatter())+`</div>`+plotting.RuntimeHTML(), 900, 700)
	p.until(`document.querySelector('.prl-box')`)
	p.do(run(`document.getElementById('tab').style.display = ''`))
	p.alive(1)
	p.do(run(`window.kept = document.querySelector('.prl-host'); window.home = kept.parentNode; kept.remove()`))
	p.until(`PrlPlot.live.size === 0`)
	p.do(run(`home.appendChild(kept)`)) // a windowed notebook takes cells out and puts them back
	p.alive(1)
	if n := p.ink(); n < 5000 {
		t.Errorf("after coming back only %d pixels are painted", n)
	}
}

func TestResizeKeepsEqualAxes(t *testing.T) {
	p := open(t, page(t, true, circles()), 900, 900)
	p.alive(1)
	for _, width := range []int{900, 500, 360} {
		p.do(chromedp.EmulateViewport(int64(width), 900))
		p.until(
			fmt.Sprintf(`[...PrlPlot.live][0].width <= %d && [...PrlPlot.live][0].width === document.querySelector('.prl-host').clientWidth`, width),
		)
		r := eval[float64](
			p,
			`(() => { const f = [...PrlPlot.live][0], c = f.cells[0], d = f.domain[0]; return (c.rect.width / (d.x[1] - d.x[0])) / `+
				`(c.rect.height / (d.y[1] - d.y[0])) })()`,
		)
		if r < 0.99 || r > 1.01 {
			t.Errorf("%d px wide, a unit of x is %.3f units of y", width, r)
		}
	}
}

func TestNarrowPage(t *testing.T) {
	var figures []*plotting.Figure
	for _, g := range gallery {
		figures = append(figures, g.figure())
	}
	p := open(t, page(t, true, figures...), 360, 800)
	p.alive(len(gallery))
	if w := eval[int](p, `document.documentElement.scrollWidth`); w > 360 {
		t.Errorf("a page of 360 px scrolls sideways to %d", w)
	}
	if n := eval[int](p, `Math.max(...[...PrlPlot.live].find(f => f.fig.panels.length === 3).cells.map(c => c.rect.x))`); n > 100 {
		t.Errorf("three panels are not folded: one begins at %d px", n)
	}
}

const (
	ctrl  = 2
	shift = 8
)

// mouse is one event of the left button, or a move with it up or down.
func mouse(kind input.DispatchMouseEventType, x, y float64, modifiers int64, down bool) step {
	m := input.DispatchMouseEventParams{Type: kind, X: x, Y: y, Modifiers: modifiers}
	if down {
		m.Button, m.Buttons, m.ClickCount = input.MouseButtonLeft, 1, 1
	}
	return call(input.DispatchMouseEvent, m)
}

func wheel(x, y, dy float64, modifiers int64) step {
	return call(
		input.DispatchMouseEvent,
		input.DispatchMouseEventParams{
			Type:      input.DispatchMouseEventTypeMouseWheel,
			X:         x,
			Y:         y,
			DeltaX:    1e-9, /* a zero would be left out */
			DeltaY:    dy,
			Modifiers: modifiers,
		},
	)
}

// drag presses at one place of the plot of a figure and lets go at another; places are shares of its width and height.
func (p *tab) drag(figure int, x0, y0, x1, y1 float64, modifiers int64) {
	p.t.Helper()
	r := eval[[]float64](
		p,
		fmt.Sprintf(
			`(() => { const f = [...PrlPlot.live][%d]; f.stage.scrollIntoView({block: 'center'}); const s = f.stage.getBoundingClientRect(), `+
				`r = f.cells[0].rect; return [s.left + r.x, s.top + r.y, r.width, r.height] })()`,
			figure,
		),
	)
	at := func(x, y float64) (float64, float64) { return r[0] + x*r[2], r[1] + y*r[3] }
	ax, ay := at(x0, y0)
	bx, by := at(x1, y1)
	const move, press, release = input.DispatchMouseEventTypeMouseMoved, input.DispatchMouseEventTypeMousePressed,
		input.DispatchMouseEventTypeMouseReleased
	p.do(mouse(move, ax, ay, modifiers, false), mouse(press, ax, ay, modifiers, true), mouse(move, (ax+bx)/2, (ay+by)/2, modifiers, true),
		mouse(move, bx, by, modifiers, true), mouse(release, bx, by, modifiers, true))
}

const domain = `(() => { const d = [...PrlPlot.live][0].domain[0]; return [...d.x, ...d.y] })()`

func TestZoomPanReset(t *testing.T) {
	p := open(t, page(t, true, scatter()), 900, 700)
	p.alive(1)
	home := eval[[]float64](p, domain)
	width := home[1] - home[0]
	p.drag(0, 0.25, 0.25, 0.75, 0.75, 0)
	d := eval[[]float64](p, domain)
	if w := (d[1] - d[0]) / width; w < 0.48 || w > 0.52 {
		t.Errorf("a box half as wide zooms to %.3f of the width", w)
	}
	p.drag(0, 0.5, 0.5, 0.7, 0.5, shift)
	if e := eval[[]float64](p, domain); e[0] >= d[0] || e[1]-e[0] < 0.99*(d[1]-d[0]) {
		t.Errorf("dragging right with Shift moves the domain from %v to %v", d, e)
	}
	p.do(chromedp.Focus(".prl-stage"), chromedp.KeyEvent("0"))
	if e := eval[[]float64](p, domain); e[0] != home[0] || e[3] != home[3] {
		t.Errorf("0 resets to %v, not %v", e, home)
	}
	p.do(chromedp.KeyEvent("+"), chromedp.KeyEvent(kb.ArrowRight))
	if e := eval[[]float64](p, domain); e[1]-e[0] > 0.81*width || e[0] <= home[0] {
		t.Errorf("+ and an arrow give %v from %v", e, home)
	}
	p.click(".prl-stage", 2)
	if e := eval[[]float64](p, domain); e[0] != home[0] {
		t.Errorf("a double click resets to %v, not %v", e, home)
	}
}

func TestWheel(t *testing.T) {
	p := open(t, page(t, true, scatter())+`<div style="height:3000px">`, 900, 700)
	p.alive(1)
	home := eval[[]float64](p, domain)
	p.do(wheel(300, 300, 120, 0))
	p.until(`scrollY > 0`)
	if d := eval[[]float64](p, domain); d[0] != home[0] {
		t.Error("a plain wheel over the figure zooms instead of scrolling the page")
	}
	p.do(run(`scrollTo(0, 0)`), wheel(300, 300, -120, ctrl))
	p.until(`(() => { const d = [...PrlPlot.live][0].domain[0]; return d.x[1] - d.x[0] < ` + fmt.Sprint(0.95*(home[1]-home[0])) + ` })()`)
}

func TestTooltip(t *testing.T) {
	p := open(t, page(t, true, scatter()), 900, 700)
	p.alive(1)
	at := eval[[]float64](
		p,
		`(() => { const f = [...PrlPlot.live][0], s = f.stage.getBoundingClientRect(), m = f.marks().find(e => e.m.k === 'symbols').m, `+
			`q = f.views[0].place(m.xy[0], m.xy[1]); return [s.left + q[0], s.top + q[1]] })()`,
	)
	p.do(mouse(input.DispatchMouseEventTypeMouseMoved, at[0]+2, at[1]+1, 0, false))
	p.until(`!document.querySelector('.prl-tip').hidden`)
	text := eval[string](p, `document.querySelector('.prl-tip').innerText`)
	for _, want := range []string{"setosa", "petal length (cm)", "petal width (cm)"} {
		if !strings.Contains(text, want) {
			t.Errorf("the tooltip %q does not name %q", text, want)
		}
	}
}

func TestBrushLinksFigures(t *testing.T) {
	p := open(t, page(t, true, linked(false), linked(true), scatter()), 900, 900)
	p.alive(3)
	p.do(run(`[...PrlPlot.live][0].brushButton.click()`))
	p.drag(0, 0, 0.6, 0.35, 1, 0) // the lower left of the first figure: one species
	n := eval[[]int](p, `[...PrlPlot.live].map(f => f.group.selected ? f.group.selected.size : 0)`)
	if n[0] < 20 || n[0] > 60 || n[1] != n[0] || n[2] != 0 {
		t.Errorf("rows selected in the two linked figures and a third: %v", n)
	}
	ink := `(() => { const c = [...PrlPlot.live][1].canvas.querySelector('canvas'); const d = c.getContext('2d').getImageData(0, 0, ` +
		`c.width, c.height).data; let n = 0; for (let i = 3; i < d.length; i += 4) if (d[i] > 150) n++; return n })()`
	dim := eval[int](p, ink)
	p.do(run(`[...PrlPlot.live][0].brushButton.click()`))
	if full := eval[int](p, ink); full <= dim {
		t.Errorf("the linked figure does not dim what is not selected: %d pixels against %d", dim, full)
	}
	p.do(run(`{ const f = [...PrlPlot.live][0], m = f.marks()[0].m; f.hover({cell: f.cells[0], m, i: 3, x: 0, y: 0}, [0, 0]) }`))
	if !eval[bool](p, `[...PrlPlot.live][1].group.hover === 3`) {
		t.Error("pointing at row 3 does not reach the linked figure")
	}
}

// A click on a cell of a linked heat map selects the rows that it counts, and a second one lets them go; a drag still zooms.
func TestClickSelectsCells(t *testing.T) {
	x, y, class := flowers(50)
	rows := [][][]int{{{}, {}}, {{}, {}}}
	for i := range x {
		rows[i%2][min(class[i], 1)] = append(rows[i%2][min(class[i], 1)], i)
	}
	z := [][]float64{{0, 0}, {0, 0}}
	for i, row := range rows {
		for j, of := range row {
			z[i][j] = float64(len(of))
		}
	}
	heat := plotting.New(plotting.Heat(z).Values("%.0f").Members(rows)).Link("flowers")
	p := open(t, page(t, true, heat, plotting.New(plotting.Points(x, y).By(class, species...)).Link("flowers"), scatter()), 900, 900)
	p.alive(3)
	selected := func() []int {
		return eval[[]int](p, `[...PrlPlot.live].map(f => f.group.selected ? f.group.selected.size : 0)`)
	}
	click := func() { p.drag(0, 0.25, 0.25, 0.25, 0.25, 0) }
	click()
	if n, want := selected(), len(rows[0][0]); want == 0 || n[0] != want || n[1] != want || n[2] != 0 {
		t.Errorf("a click on the cell of %d rows selects %v", want, n)
	}
	click()
	if n := selected(); n[0] != 0 || n[1] != 0 {
		t.Errorf("after a second click %v rows are selected", n)
	}
	p.drag(0, 0.1, 0.6, 0.4, 0.9, 0)
	if n := selected(); n[0] != 0 {
		t.Errorf("a drag selects %v rows", n)
	}
	if !eval[bool](p, `(() => { const f = [...PrlPlot.live][0]; return f.domain[0].x[1] - f.domain[0].x[0] < 1 })()`) {
		t.Error("a drag does not zoom")
	}
}

func TestDataTable(t *testing.T) {
	p := open(t, page(t, true, scatter()), 900, 900)
	p.alive(1)
	p.do(run(`[...document.querySelectorAll('.prl-tools button')].find(b => b.textContent === 'Data').click()`))
	if n := eval[int](p, `document.querySelectorAll('.prl-table tbody tr').length`); n < 10 {
		t.Errorf("the data table has %d rows", n)
	}
}

// Selecting points fills the bars that count them, selecting bars selects the points, and a line says how many rows that are.
func TestBrushReachesHistograms(t *testing.T) {
	x, y, class := flowers(50)
	f := plotting.Row(plotting.New(plotting.Points(x, y).By(class, species...)), plotting.New(plotting.Histogram(x).By(class, species...)))
	p := open(t, page(t, true, f), 900, 700)
	p.alive(1)
	p.do(run(`[...PrlPlot.live][0].brushButton.click()`))
	p.drag(0, 0, 0.6, 0.35, 1, 0)
	n := eval[int](p, `[...PrlPlot.live][0].group.selected.size`)
	if got, want := eval[string](p, `document.querySelector('[role=status]').textContent`),
		fmt.Sprintf("%d of 150 rows selected", n); got != want ||
		n < 20 {
		t.Errorf("the figure says %q, want %q", got, want)
	}
	counted := eval[int](
		p,
		`(() => { const f = [...PrlPlot.live][0]; let n = 0; for (const { m } of f.marks()) if (m.members) for (const rows of m.members) n `+
			`+= Math.round(f.views[1].share(rows) * rows.length); return n })()`,
	)
	if counted != n {
		t.Errorf("the bars show %d selected rows of %d", counted, n)
	}
	rows := eval[[]int](
		p,
		`(() => { const f = [...PrlPlot.live][0], c = f.cells[1], r = c.rect, rows = f.rowsIn(c, [r.x, r.x + r.width / 4], [r.y, `+
			`r.y + r.height]); return [rows.size, Math.max(...rows)] })()`,
	)
	if rows[0] < 40 || rows[0] > 60 || rows[1] >= 50 {
		t.Errorf("the left quarter of the histogram, one species, selects %d rows up to %d", rows[0], rows[1])
	}
	p.do(run(`[...document.querySelectorAll('.prl-tools button')].find(b => b.textContent === 'Reset').click()`))
	if eval[bool](p, `[...PrlPlot.live][0].brushing || !document.querySelector('[role=status]').hidden`) {
		t.Error("Reset leaves the brush or the count")
	}
}

// The plots of a grid stand in line: one left edge and one width a column, one upper edge a row.
func TestGridsStandInLine(t *testing.T) {
	p := open(t, page(t, true, datasets.Iris().Pairs()), 1000, 1000)
	p.alive(1)
	if bad := eval[[]string](p, `(() => {
		const c = [...PrlPlot.live][0].cells, bad = [];
		c.forEach((a, i) => c.forEach((b, j) => {
			if (i % 4 === j % 4 && (Math.abs(a.rect.x - b.rect.x) > 0.5 || Math.abs(a.rect.width - b.rect.width) > 0.5)) bad.push('column ' + i `+
		`+ ' ' + j);
			if (Math.floor(i / 4) === Math.floor(j / 4) && Math.abs(a.rect.y - b.rect.y) > 0.5) bad.push('row ' + i + ' ' + j);
		}));
		return bad;
	})()`); len(bad) > 0 {
		t.Errorf("panels that do not stand in line: %s", strings.Join(bad, ", "))
	}
}

// A row of pictures stays a row on a phone, and no picture is a negative on a dark page.
func TestPicturesOnANarrowDarkPage(t *testing.T) {
	p := open(t, `<body style="background:#111">`+page(t, true, datasets.Digits().Images()), 360, 800)
	p.alive(1)
	c := eval[[]float64](
		p,
		`(() => { const f = [...PrlPlot.live][0], c = f.cells; return [c.filter(a => a.y === c[0].y).length, f.chart.getHeight()] })()`,
	)
	if c[0] < 3 || c[1] > 700 {
		t.Errorf("%v pictures stand side by side, and all are %v px high", c[0], c[1])
	}
	corner := eval[int](
		p,
		`(() => { const f = [...PrlPlot.live][0], r = f.cells[0].rect, c = f.canvas.querySelector('canvas'), k = c.width / f.width; `+
			`return c.getContext('2d').getImageData((r.x + 2) * k, (r.y + 2) * k, 1, 1).data[0] })()`,
	)
	if corner < 200 {
		t.Errorf("the paper of a picture is %d of 255 on a dark page", corner)
	}
}

// The tools stand beside the words of a figure, never over them.
func TestToolsCoverNothing(t *testing.T) {
	long := scatter().Title("A title that is long enough to reach the right edge of the figure, and to go on from there on a second line")
	for _, width := range []int64{360, 800, 1440} {
		p := open(t, page(t, true, long, scatter().Title("").Subtitle(""), contours()), width, 900)
		p.alive(3)
		over := eval[[]string](p, `[...PrlPlot.live].flatMap(f => {
			const tools = f.box.querySelector('.prl-tools').getBoundingClientRect(), hit = [], range = document.createRange();
			const walk = document.createTreeWalker(f.box, NodeFilter.SHOW_TEXT);
			for (let n = walk.nextNode(); n; n = walk.nextNode()) {
				if (n.parentElement.closest('.prl-tools,.prl-tip')) continue;
				range.selectNodeContents(n);
				for (const r of range.getClientRects()) if (r.left < tools.right - 1 && r.right > tools.left + 1 && r.top < tools.bottom - 2 && `+
			`r.bottom > tools.top + 2) { hit.push(n.textContent); break; }
			}
			if (f.stage.getBoundingClientRect().top < tools.bottom - 1) hit.push('the plot');
			return hit;
		})`)
		if len(over) > 0 {
			t.Errorf("at %d px the tools cover %q", width, over)
		}
	}
}

// Numbers keep their style when a reader zooms, and leave as CSV as a program reads them.
func TestNumbersKeepTheirStyle(t *testing.T) {
	f := plotting.New(plotting.Points([]float64{10000, 20000, 50000}, []float64{-1e-8, 0, 2e-8}).Notes("a, b", "plain", `say "c"`)).
		X("n").
		Y("v")
	p := open(t, page(t, true, f), 900, 700)
	p.alive(1)
	p.drag(0, 0.2, 0.2, 0.7, 0.7, 0)
	ticks := eval[string](p, `[...PrlPlot.live][0].cells[0].xt.map(t => t[1]).join(' ')`)
	if !strings.Contains(ticks, "30,000") {
		t.Errorf("after zooming the ticks are %s", ticks)
	}
	if ticks := eval[string](p, `[...PrlPlot.live][0].cells[0].yt.map(t => t[1]).join(' ')`); !strings.Contains(ticks, "×10⁻⁹") {
		t.Errorf("after zooming the small ticks are %s", ticks)
	}
	csv := eval[string](p, `[...PrlPlot.live][0].csv()`)
	if !strings.Contains(csv, "10000,-1e-8,\"a, b\"\r\n") || !strings.Contains(csv, "\"say \"\"c\"\"\"") {
		t.Errorf("CSV: %q", csv)
	}
}

func TestSaving(t *testing.T) {
	p := open(t, page(t, true, scatter()), 900, 900)
	p.alive(1)
	p.do(
		run(
			`window.saved = []; [...PrlPlot.live][0].save = (blob, ext) => blob.arrayBuffer().then(b => saved.push([ext, b.byteLength, `+
				`String.fromCharCode(...new Uint8Array(b.slice(0, 5)))]))`,
		),
		run(`for (const name of ['PNG', 'SVG']) [...document.querySelectorAll('.prl-tools button')].find(b => b.textContent === name).click()`),
	)
	p.until(`saved.length === 2`)
	got := eval[string](p, `saved.map(s => s[0] + (s[1] > 2000) + s[2]).sort().join('|')`)
	if !strings.Contains(got, "pngtrue\u0089PNG") || !strings.Contains(got, "svgtrue<") {
		t.Errorf("saved %q", got)
	}
}

func TestHostileTextsStayText(t *testing.T) {
	p := open(t, page(t, true, hostile()), 900, 900)
	p.alive(1)
	p.do(run(`[...document.querySelectorAll('.prl-tools button')].forEach(b => /Data/.test(b.textContent) && b.click())`))
	p.do(
		run(
			`{ const f = [...PrlPlot.live][0], m = f.marks().find(e => e.m.k === 'symbols').m; f.hover({cell: f.cells[0], m, i: 0, x: 50, ` +
				`y: 50}, [50, 50]) }`,
		),
	)
	if eval[bool](p, `window.hacked === 1`) {
		t.Error("a text of the figure ran as script")
	}
	if n := eval[int](p, `document.querySelectorAll('.prl-host img[src=x], .prl-host script').length`); n > 0 {
		t.Errorf("%d elements came out of texts", n)
	}
	if !strings.Contains(eval[string](p, `document.querySelector('.prl-title').textContent`), "<img src=x") {
		t.Error("the title lost its text")
	}
}

func TestWithoutJavaScript(t *testing.T) {
	p := open(
		t,
		page(t, true, scatter(), em()),
		900,
		900,
		call(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}),
	)
	p.do(call(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{}))
	if got := eval[string](p, `[...document.images].map(i => i.complete && i.naturalWidth > 100 && i.offsetWidth > `+
		`100).join()`); got != "true,true" {
		t.Errorf("stills on a page without JavaScript: %s", got)
	}
	if n := eval[int](p, `document.querySelectorAll('.prl-box').length`); n != 0 {
		t.Errorf("%d live figures without JavaScript", n)
	}
}

func TestDamagedSpecKeepsTheStill(t *testing.T) {
	spec := regexp.MustCompile(`data-prl-figure="[^"]{40}`)
	p := open(t, spec.ReplaceAllString(element(t, scatter()), `data-prl-figure="`)+element(t, scatter())+plotting.RuntimeHTML(), 900, 900)
	p.alive(1)
	if n := eval[int](p, `[...document.images].filter(i => i.offsetWidth > 100).length`); n != 1 {
		t.Errorf("%d stills are shown", n)
	}
	p.mu.Lock()
	if len(p.problems) != 1 || !strings.Contains(p.problems[0], "stays still") {
		t.Errorf("the page reported %q", p.problems)
	}
	p.problems = nil
	p.mu.Unlock()
}

// What a sanitiser leaves of an output: the image with its source and description.
func TestUntrustedOutput(t *testing.T) {
	clean := regexp.MustCompile(` (data-prl-figure|onload|class|style)="[^"]*"`).ReplaceAllString(element(t, scatter()), "")
	p := open(t, clean+plotting.RuntimeHTML(), 900, 900)
	p.until(`window.PrlPlot`)
	if got := eval[string](p, `[...document.images].map(i => (i.naturalWidth > 100) + ' ' + (i.alt.length > 20)).join()`); got != "true true" {
		t.Errorf("the sanitised output shows %s", got)
	}
}

func TestPageWithAMDLoader(t *testing.T) {
	loader := `<script>window.define = function () { window.defined = true }; define.amd = {}; window.require = function () {}; ` +
		`window.module = undefined</script>`
	p := open(t, loader+page(t, true, scatter()), 900, 900)
	p.alive(1)
	if eval[bool](p, `!!window.defined || !!window.echarts || !!window.PrlECharts`) {
		t.Error("the library registered itself with the page's module loader or as a global")
	}
}

func TestPrintIsVector(t *testing.T) {
	p := open(t, page(t, true, scatter()), 900, 900)
	p.alive(1)
	pdf, err := chromedp.Run(p, chromedp.PrintToPDF(chromedp.PDFPrintBackground()))
	if err != nil {
		t.Fatal(err)
	}
	if len(pdf) < 5000 {
		t.Fatalf("the PDF has %d bytes", len(pdf))
	}
	if n := strings.Count(string(pdf), "/Subtype /Image"); n > 0 {
		t.Errorf("the printed page holds %d raster images", n)
	}
	p.do(call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}))
	if got := eval[string](p, `[document.querySelector('.prl-box').offsetHeight, document.images[0].offsetWidth > `+
		`300].join()`); got != "0,true" {
		t.Errorf("in print the live figure and the still are %s", got)
	}
}

func TestSizes(t *testing.T) {
	for _, g := range gallery {
		budget := 40 << 10
		switch g.name {
		case "em":
			budget = 120 << 10
		case "many":
			budget = 200 << 10
		}
		if n := len(element(t, g.figure())); n > budget {
			t.Errorf("figure %s takes %d KB of html, more than %d", g.name, n>>10, budget>>10)
		}
	}
	if n := len(plotting.RuntimeHTML()); n > 280<<10 {
		t.Errorf("the runtime takes %d KB", n>>10)
	}
}

func TestNoNetworkAddressIsShipped(t *testing.T) {
	files, err := filepath.Glob("../runtime/*")
	if err != nil || len(files) == 0 {
		t.Fatal("no runtime files", err)
	}
	for _, name := range files {
		if !strings.HasSuffix(name, ".min.js") && !strings.HasSuffix(name, ".css") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(https?:)?//[a-z0-9.-]+\.[a-z]{2,}`).FindAllString(string(text), -1) {
			if !strings.Contains(m, "www.w3.org") { // XML name spaces
				t.Errorf("%s mentions %s", name, m)
			}
		}
	}
	if !strings.Contains(plotting.RuntimeHTML(), base64.StdEncoding.EncodeToString([]byte{0x1f, 0x8b})[:3]) {
		t.Error("the runtime is not packed")
	}
}
