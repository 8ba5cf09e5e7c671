package browsertest

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	devpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/plotting/browsertest/instruments"
	"github.com/prlab/prlab/prl/cell"
)

// program is the module of the instruments as a page holds it, and what Go needs to run it.
var program = sync.OnceValues(func() (module, loader string) {
	dir, err := os.MkdirTemp("", "browsertest-module-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	source, file := filepath.Join(dir, "main.go"), filepath.Join(dir, "module.wasm")
	if err := os.WriteFile(source, []byte(`package main

import (
	"github.com/prlab/prlab/plotting/browsertest/instruments"
	"github.com/prlab/prlab/prl/live"
)

func main() { live.Serve(instruments.Cells) }
`), 0o600); err != nil {
		panic(err)
	}
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", file, source)
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		panic(fmt.Sprintf("the module does not build: %v\n%s", err, out))
	}
	wasm, err := os.ReadFile(file)
	if err != nil {
		panic(err)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(wasm)
	z.Close()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		panic(err)
	}
	script, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		panic(err)
	}
	return base64.StdEncoding.EncodeToString(packed.Bytes()), string(script)
})

var number = regexp.MustCompile(`(&#34;n&#34;:)\d+`)

// output is what a cell shows, with its id where an exporter writes it, and its figures counted as in a program of its own.
func output(t *testing.T, id string) string {
	t.Helper()
	shown := cell.Capture(instruments.Cells[id])
	if shown.Failed {
		t.Fatalf("the cell %s fails: %s", id, shown.Text())
	}
	empty := html.EscapeString(`"cell":""`)
	if !strings.Contains(shown.HTML(), empty) {
		t.Fatalf("the cell %s has no live figure", id)
	}
	n := -1
	return number.ReplaceAllStringFunc(strings.ReplaceAll(shown.HTML(), empty, html.EscapeString(`"cell":"`+id+`"`)), func(string) string {
		n++
		return html.EscapeString(`"n":`) + strconv.Itoa(n)
	})
}

// instrument is a page with cells and their program, under the policy of handouts. Body comes before them.
func instrument(t *testing.T, module, body string, cells ...string) string {
	t.Helper()
	_, script := program()
	outputs := ""
	for _, id := range cells {
		outputs += `<section id="` + id + `">` + output(t, id) + `</section>`
	}
	handler := sha256.Sum256([]byte(html.UnescapeString(regexp.MustCompile(`onload="([^"]*)"`).FindStringSubmatch(outputs)[1])))
	var b strings.Builder
	b.WriteString(
		`<!DOCTYPE html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" ` +
			`content="light dark">` +
			`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data: blob:; ` +
			`script-src 'unsafe-hashes' ` +
			`'sha256-` + base64.StdEncoding.EncodeToString(
			handler[:],
		) + `' 'wasm-unsafe-eval' ` + plotting.RuntimePolicy() + `; worker-src blob:">` +
			`<style>body{background:#fff;color:#1b1f24}@media screen and (prefers-color-scheme:dark){body{background:#15181c;` +
			`color:#e8eaed}}</style></head><body>` + body + outputs + plotting.RuntimeHTML(),
	)
	if module != "" {
		b.WriteString(
			`<script type="text/plain" data-prl-exec>` + script + `</script><script type="text/plain" data-prl-module>` + module + `</script>`,
		)
	}
	return b.String() + "</body></html>"
}

// moving waits until n live figures have answered.
func (p *tab) moving(n int) {
	p.t.Helper()
	p.until(fmt.Sprintf(`window.PrlPlot && [...PrlPlot.live].filter(f => f.moves && f.moves.times.length).length === %d`, n))
}

// settled waits until figure i has drawn what was asked of it, not as a draft.
func (p *tab) settled(i int) {
	p.t.Helper()
	p.until(
		fmt.Sprintf(
			`(() => { const m = [...PrlPlot.live][%d].moves, last = m.times[m.times.length - 1]; return !m.flying && !m.wanted && !m.news && `+
				`last && !last.draft })()`,
			i,
		),
	)
}

// handle is where a handle of figure i stands on the screen, scrolled into view.
func (p *tab) handle(i, j int) (x, y float64) {
	p.t.Helper()
	at := eval[[]float64](
		p,
		fmt.Sprintf(
			`(() => { const f = [...PrlPlot.live][%d], h = f.moves.handles, [u, v] = h.place(h.all()[%d]), r = f.stage.getBoundingClientRect();
		if (r.top < 0 || r.bottom > innerHeight) f.stage.scrollIntoView({block: 'center'});
		const s = f.stage.getBoundingClientRect(); return [s.left + u, s.top + v] })()`,
			i,
			j,
		),
	)
	return at[0], at[1]
}

const (
	first    = `[...PrlPlot.live][0]`
	subtitle = `document.querySelector('.prl-subtitle').textContent`
	echo     = `document.querySelector('#inputs .prl-live-now .echo').textContent`
	moved    = input.DispatchMouseEventTypeMouseMoved
	pressed  = input.DispatchMouseEventTypeMousePressed
	released = input.DispatchMouseEventTypeMouseReleased
)

func TestInstrumentAnswersTheMouse(t *testing.T) {
	module, _ := program()
	p := open(t, instrument(t, module, "", "rings"), 900, 900)
	p.moving(1)
	p.settled(0)
	begin := eval[string](p, subtitle)
	xy := eval[[]float64](p, first+`.moves.value(2)[3]`)
	p.do(run(first + `.moves.times.length = 0`))
	x, y := p.handle(0, 3)
	box := eval[[]float64](
		p,
		`(() => { const f = `+first+`, s = f.stage.getBoundingClientRect(), r = f.cells[0].rect; return [s.left + r.x + r.width / 2, `+
			`s.top + r.y + r.height / 2] })()`,
	)
	p.do(mouse(moved, x+3, y+2, 0, false))
	if !eval[bool](p, first+`.stage.classList.contains('prl-over-both')`) {
		t.Error("nothing shows that the point under the pointer can be taken")
	}
	p.do(mouse(pressed, x+3, y+2, 0, true))
	const moves = 40
	for k := 1; k <= moves; k++ {
		s := float64(k) / moves
		p.do(mouse(moved, x+3+s*(box[0]-x), y+2+s*(box[1]-y), 0, true))
	}
	p.do(mouse(released, box[0]+3, box[1]+2, 0, true))
	p.settled(0)
	now := eval[[]float64](p, first+`.moves.value(2)[3]`)
	if now[0] == xy[0] || now[2] != xy[2] || now[0]*now[0]+now[1]*now[1] > 0.05 {
		t.Errorf("dragged to the middle, point 4 went from %v to %v", xy, now)
	}
	if end := eval[string](p, subtitle); end == begin {
		t.Errorf("the subtitle is still %q", end)
	}
	if d := eval[[]float64](p, domain); d[1] <= d[0] || eval[bool](p, first+`.zoomed(0)`) {
		t.Errorf("dragging a point has zoomed to %v", d)
	}
	if said, shown := eval[string](p, `document.querySelector('.prl-said').textContent`), eval[string](p, subtitle); said != shown {
		t.Errorf("a screen reader hears %q, the figure says %q", said, shown)
	}
	if table := eval[string](p, `document.querySelector('.prl-live-now').textContent`); !strings.Contains(table, "primal and dual meet") ||
		eval[int](p, `document.querySelector('.prl-live-out').offsetHeight`) != 0 {
		t.Errorf("below the figure stands %q", table)
	}
	for _, draft := range []bool{true, false} {
		times := eval[[][]float64](
			p,
			fmt.Sprintf(`%s.moves.times.filter(t => t.draft === %v).map(t => [t.step, t.paint, t.whole])`, first, draft),
		)
		if len(times) == 0 {
			t.Fatalf("no step with draft %v", draft)
		}
		name := map[bool]string{true: "draft", false: "settled"}[draft]
		var best, middle []string
		for k, part := range []string{"step", "paint", "from wish to picture"} {
			var all []float64
			for _, one := range times {
				all = append(all, one[k])
			}
			slices.Sort(all)
			best = append(best, fmt.Sprintf("%s %.1f", part, all[0]))
			middle = append(middle, fmt.Sprintf("%.1f", all[len(all)/2]))
		}
		t.Logf("%s, %d steps: at best %s ms, medians %s", name, len(times), strings.Join(best, ", "), strings.Join(middle, ", "))
	}
}

func TestInstrumentAnswersTheKeys(t *testing.T) {
	module, _ := program()
	p := open(t, instrument(t, module, "", "rings"), 900, 900)
	p.moving(1)
	voice := func() string {
		return eval[string](p, `document.querySelector('.prl-handle').getAttribute('aria-valuetext')`)
	}
	at := func(i int) []float64 { return eval[[]float64](p, fmt.Sprintf(first+`.moves.value(2)[%d]`, i)) }
	was := at(1)
	p.do(chromedp.Focus(".prl-handle"), chromedp.KeyEvent(kb.PageDown))
	if !strings.HasPrefix(voice(), "points 2: ") {
		t.Errorf("Page Down chooses %q", voice())
	}
	p.do(chromedp.KeyEvent(kb.ArrowRight))
	d := eval[[]float64](p, domain)
	if now := at(1); now[0]-was[0] < 0.0099*(d[1]-d[0]) || now[0]-was[0] > 0.0101*(d[1]-d[0]) || now[1]-was[1] > 1e-9 || was[1]-now[1] > 1e-9 {
		t.Errorf("an arrow moves the point from %v to %v", was, now)
	}
	p.do(chromedp.KeyEvent(kb.ArrowUp, chromedp.KeyModifiers(chromedp.ModifierShift)))
	if now := at(1); now[1]-was[1] < 0.049*(d[3]-d[2]) || now[1]-was[1] > 0.051*(d[3]-d[2]) {
		t.Errorf("Shift and an arrow move the point from %v to %v", was, now)
	}
	n := eval[int](p, first+`.moves.value(2).length`)
	class := at(1)[2]
	p.do(chromedp.KeyEvent("t"))
	if at(1)[2] == class {
		t.Error("T does not turn the class")
	}
	p.do(chromedp.KeyEvent("+"))
	if got := eval[int](p, first+`.moves.value(2).length`); got != n+1 {
		t.Errorf("plus makes %d points of %d", got, n)
	}
	p.do(chromedp.KeyEvent(kb.Delete), chromedp.KeyEvent(kb.Delete))
	if got := eval[int](p, first+`.moves.value(2).length`); got != n-1 {
		t.Errorf("Delete twice makes %d points of %d", got, n+1)
	}
	p.settled(0)
	for range 20 { // moves that can be taken back; the buttons say when there is none
		if eval[bool](p, first+`.moves.undoButton.disabled`) {
			break
		}
		p.do(chromedp.KeyEvent("z", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	}
	p.settled(0)
	if !eval[bool](p, first+`.moves.given.every(v => v === null) && `+first+`.moves.undoButton.disabled`) {
		t.Error("undoing everything does not lead back to the beginning")
	}
}

func TestInstrumentAnswersFingers(t *testing.T) {
	module, _ := program()
	touch := call(emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true})
	p := open(t, instrument(t, module, `<div style="height:150px"></div>`, "rings")+`<div style="height:3000px"></div>`, 360, 740, touch)
	p.moving(1)
	finger := func(kind input.DispatchTouchEventType, x, y float64) step {
		var points []*input.TouchPoint
		if kind != input.DispatchTouchEventTypeTouchEnd {
			points = []*input.TouchPoint{{X: x, Y: y}}
		}
		return call(input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points})
	}
	swipe := func(x, y, dx, dy float64) {
		p.do(finger(input.DispatchTouchEventTypeTouchStart, x, y))
		for k := 1.0; k <= 10; k++ {
			p.do(finger(input.DispatchTouchEventTypeTouchMove, x+k*dx/10, y+k*dy/10))
		}
		p.do(finger(input.DispatchTouchEventTypeTouchEnd, x, y))
	}
	lonely := eval[int](
		p,
		`(() => { const h = `+first+`.moves.handles, at = h.all().map(o => h.place(o)), far = at.map((a, i) => Math.min(...at.map((b, `+
			`j) => i === j ? 1e9 : Math.hypot(a[0] - b[0], a[1] - b[1]))));
		return far.indexOf(Math.max(...far)) })()`,
	)
	point := fmt.Sprintf(first+`.moves.value(2)[%d]`, lonely)
	was := eval[[]float64](p, point)
	x, y := p.handle(0, lonely)
	scroll := eval[float64](p, `scrollY`)
	swipe(x+10, y+10, 30, -60)
	p.settled(0)
	now := eval[[]float64](p, point)
	if now[1] <= was[1] || now[0] <= was[0] || eval[float64](p, `scrollY`) != scroll {
		t.Errorf("a finger 14 px from a point moves it from %v to %v, and the page by %v px", was, now, eval[float64](p, `scrollY`)-scroll)
	}
	given := eval[string](p, `JSON.stringify(`+first+`.moves.given)`)
	free := eval[[]float64](p, `(() => { const f = `+first+`, h = f.moves.handles, r = f.cells[0].rect, s = f.stage.getBoundingClientRect();
		for (let x = r.x + 20; x < r.x + r.width - 20; x += 5) for (let y = r.y + 80; y < r.y + r.height; y += 5) if (h.under([x, y], 24, `+
		`false) < 0) return [s.left + x, s.top + y];
	})()`)
	swipe(free[0], free[1], 0, -120)
	p.until(fmt.Sprintf(`scrollY > %v + 40`, scroll))
	if got := eval[string](p, `JSON.stringify(`+first+`.moves.given)`); got != given {
		t.Error("a finger that scrolls the page has moved a point")
	}
}

func TestPointsGrowByPointer(t *testing.T) {
	module, _ := program()
	p := open(t, instrument(t, module, "", "rings"), 900, 900)
	p.moving(1)
	n := eval[int](p, first+`.moves.value(2).length`)
	mode := func(k int) { p.click(fmt.Sprintf(".prl-segments label:nth-child(%d) input", k+1), 1) }
	press := func(x, y float64) {
		p.do(mouse(moved, x, y, 0, false), mouse(pressed, x, y, 0, true), mouse(released, x, y, 0, true))
	}
	count := func() int { return eval[int](p, first+`.moves.value(2).length`) }
	corner := eval[[]float64](
		p,
		`(() => { const f = `+first+`, s = f.stage.getBoundingClientRect(), r = f.cells[0].rect; return [s.left + r.x + 12, `+
			`s.top + r.y + 12] })()`,
	)
	mode(1)
	press(corner[0], corner[1])
	if count() != n+1 {
		t.Errorf("a press on the plot makes %d points of %d", count(), n)
	}
	p.settled(0)
	mode(3)
	x, y := p.handle(0, n)
	press(x, y)
	if eval[float64](p, fmt.Sprintf(first+`.moves.value(2)[%d][2]`, n)) != 1 {
		t.Error("a press on the new point does not turn its class")
	}
	mode(2)
	x, y = p.handle(0, n)
	press(x, y)
	if count() != n {
		t.Errorf("a press on the new point leaves %d points", count())
	}
	p.settled(0)
	mode(0)
	press(corner[0], corner[1])
	if count() != n {
		t.Error("a press on the plot adds points while they are moved")
	}
}

// Every control reaches the program, and the program's own words tell what it got.
func TestEveryControl(t *testing.T) {
	module, _ := program()
	p := open(t, instrument(t, module, "", "inputs"), 900, 1200)
	p.moving(2)
	says := func(want string) {
		t.Helper()
		p.until(fmt.Sprintf(`%s.includes(%q)`, echo, want))
	}
	says("mean 1.00 2.00; threshold 0.50; Bayes; one; true; priors [0.50 0.30 0.20]; losses 0 1 5 0; the dog barks; seed 1; degree 3")
	p.click("#inputs .prl-segments label:nth-child(2) input", 1)
	says("; minimax;")
	p.do(run(`{ const s = document.querySelector('#inputs select'); s.value = 3; s.dispatchEvent(new Event('change')) }`))
	says("; four;")
	p.click("#inputs .prl-toggle input", 1)
	says("; false;")
	p.do(chromedp.Focus("#inputs .prl-bar .prl-range"), chromedp.KeyEvent(kb.End))
	says("priors [1.00 0.00 0.00]")
	p.do(chromedp.KeyEvent(kb.Home))
	says("priors [0.00 0.50 0.50]") // of nothing, equal shares
	p.do(chromedp.Focus("#inputs .prl-grid input"), run(`document.activeElement.select()`), chromedp.KeyEvent("1/4"))
	says("losses 0.25 1 5 0")
	p.do(run(`document.activeElement.select()`), chromedp.KeyEvent("many"))
	if !eval[bool](p, `document.activeElement.getAttribute('aria-invalid') === 'true'`) {
		t.Error("a word in a table of numbers is not marked")
	}
	says("losses 0.25 1 5 0")
	p.do(chromedp.KeyEvent(kb.Enter))
	if !eval[bool](p, `document.activeElement.getAttribute('aria-label') === 'decide 2, class 1'`) {
		t.Error("Enter does not lead to the number below")
	}
	p.do(
		run(`document.querySelector('#inputs .prl-wide input').select()`),
		chromedp.Focus("#inputs .prl-wide input"),
		chromedp.KeyEvent(`a "<b>cat</b>" sleeps`),
	)
	says(`a "<b>cat</b>" sleeps`)
	p.click("#inputs .prl-draw", 1)
	says("; seed 2;")
	p.do(chromedp.Focus("#inputs .prl-slide .prl-range"), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowRight))
	says("; degree 5")
	if value := eval[string](p, `document.querySelector('#inputs .prl-slide .prl-range').getAttribute('aria-valuetext')`); value != "5" {
		t.Errorf("the slider says %q", value)
	}
	// Every press of an arrow leads to another whole number, also where they lie close on a logarithmic scale.
	p.do(run(`document.querySelectorAll('#inputs .prl-slide .prl-range')[1].focus()`), chromedp.KeyEvent(kb.Home))
	says("; cases 3")
	p.do(chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowRight))
	says("; cases 5")
	p.do(chromedp.KeyEvent(kb.End))
	says("; cases 2000")
	// What moves along one axis is taken anywhere on its line.
	x, y := p.handle(0, 1)
	p.do(
		mouse(moved, x, y-60, 0, false),
		mouse(pressed, x, y-60, 0, true),
		mouse(moved, x+40, y-90, 0, true),
		mouse(released, x+40, y-90, 0, true),
	)
	p.settled(0)
	if at := eval[[]float64](p, first+`.moves.value(1)`); at[0] <= 0.6 || at[1] != 1 {
		t.Errorf("the threshold is dragged to %v", at)
	}
	x, y = p.handle(0, 0)
	p.do(mouse(moved, x, y, 0, false), mouse(pressed, x, y, 0, true), mouse(moved, x+40, y-30, 0, true), mouse(released, x+40, y-30, 0, true))
	p.settled(0)
	if at := eval[[]float64](p, first+`.moves.value(0)`); at[0] <= 1 || at[1] <= 2 {
		t.Errorf("the mean is dragged to %v", at)
	}
	p.do(run(first + `.moves.againButton.click()`))
	says("mean 1.00 2.00; threshold 0.50; Bayes; one; true; priors [0.50 0.30 0.20]; losses 0 1 5 0; the dog barks; seed 1; degree 3")
	p.do(run(first + `.moves.undoButton.click()`))
	says("; minimax; four; false; priors [0.00 0.50 0.50]; losses 0.25 1 5 0; a \"<b>cat</b>\" sleeps; seed 2; degree 5")
	if got := eval[string](p, `document.querySelectorAll('.prl-subtitle')[1].textContent`); got != "slope 1.0" {
		t.Errorf("the second figure of the cell says %q", got)
	}
}

// The centre of an ellipse takes its axes along, the first axis turns the second, and the second only changes its own length.
func TestEllipsesMove(t *testing.T) {
	module, _ := program()
	links := `<p><a id=set href="#fig=cloud?cloud=0,0;0,3;-2,0">upright</a></p>`
	p := open(t, instrument(t, module, links, "cloud"), 900, 900)
	p.moving(1)
	p.settled(0)
	ends := func() []float64 { return eval[[]float64](p, first+`.moves.value(0).flat()`) }
	drag := func(handle int, dx, dy float64) []float64 {
		t.Helper()
		unit := eval[float64](p, `(() => { const f = `+first+`, d = f.domain[0]; return f.cells[0].rect.width / (d.x[1] - d.x[0]) })()`)
		x, y := p.handle(0, handle)
		u, v := x+dx*unit, y-dy*unit
		p.do(mouse(moved, x, y, 0, false), mouse(pressed, x, y, 0, true), mouse(moved, u, v, 0, true), mouse(released, u, v, 0, true))
		p.settled(0)
		return ends()
	}
	near := func(what string, got []float64, want ...float64) {
		t.Helper()
		for i, w := range want {
			if d := got[i] - w; d > 0.05 || d < -0.05 {
				t.Errorf("%s: %v, want %v", what, got, want)
				return
			}
		}
	}
	near("at first", ends(), 1, 0, 3, 0, 1, 1)
	near("the centre dragged", drag(0, -2, 1), -1, 1, 1, 1, -1, 2)
	near("the first axis dragged upright", drag(1, -2, 3), -1, 1, -1, 4, -2, 1)
	near("the second axis dragged out and along", drag(2, -1, 0.7), -1, 1, -1, 4, -3, 1)
	p.until(subtitle + `.startsWith('mean -1.0')`)
	p.do(run(`document.getElementById('set').click()`))
	p.until(subtitle + ` === 'mean 0.00 0.00, covariance 4.00 0.00 9.00'`)
	p.do(chromedp.Focus(".prl-handle"), chromedp.KeyEvent(kb.PageDown))
	if voice := eval[string](p, `document.querySelector('.prl-handle').getAttribute('aria-valuetext')`); !strings.HasPrefix(voice,
		"cloud, first axis: ") &&
		!strings.HasPrefix(voice, "cloud, second axis: ") && !strings.HasPrefix(voice, "cloud, centre: ") {
		t.Errorf("a listener hears %q", voice)
	}
}

func TestLinksSetInstruments(t *testing.T) {
	module, _ := program()
	links := `<p><a id=set href="#fig=rings?%CE%B3=0.06&C=100">gamma to 0.06</a> <a id=again href="#fig=rings">again</a> <a id=second ` +
		`href="#fig=inputs.1?slope=1.5">steeper</a></p>`
	p := open(t, instrument(t, module, links, "rings", "inputs"), 900, 900)
	p.moving(2)
	p.do(run(`document.getElementById('set').click()`))
	p.until(subtitle + `.startsWith('C = 100, γ = 0.06:')`)
	if address := eval[string](p, first+`.moves.address()`); address != "#fig=rings?C=100&%CE%B3=0.06" {
		t.Errorf("the address of the figure is %s", address)
	}
	p.do(run(`document.getElementById('again').click()`))
	p.until(subtitle + `.startsWith('C = 10, γ = 0.5:')`)
	p.do(run(`document.getElementById('second').click()`))
	p.until(`[...PrlPlot.live][2].subtitle.textContent === 'slope 1.5'`)
	p.do(
		run(
			`location.hash = '#fig=inputs?sentence=no%20%26%20yes&rule=minimax&priors=0.1,0.2,0.7&losses=0,2;3,0&mean=0,0&seed=x&draw%20again=9&` +
				`nothing=1'`,
		),
	)
	p.until(
		echo + `.startsWith('mean 0.00 0.00; threshold 0.50; minimax; one; true; priors [0.10 0.20 0.70]; losses 0 2 3 0; no & yes; seed 9; ` +
			`degree 3')`,
	)
	address := eval[string](p, `[...PrlPlot.live][1].moves.address()`)
	p.do(run(`[...PrlPlot.live][1].moves.againButton.click()`))
	p.until(echo + `.startsWith('mean 1.00')`)
	p.do(run(`location.hash = ` + fmt.Sprintf("%q", address)))
	p.until(
		echo + `.startsWith('mean 0.00 0.00; threshold 0.50; minimax; one; true; priors [0.10 0.20 0.70]; losses 0 2 3 0; no & yes; seed 9; ` +
			`degree 3')`,
	)
}

func TestInstrumentsSurviveTrouble(t *testing.T) {
	module, _ := program()
	p := open(t, instrument(t, module, "", "troubles", "frames"), 900, 900)
	p.moving(2)
	write := func(deed string) {
		p.do(
			run(
				fmt.Sprintf(
					`{ const f = document.querySelector('#troubles input[type=text]'); f.value = %q; f.dispatchEvent(new Event('change')) }`,
					deed,
				),
			),
		)
	}
	line := `document.querySelector('#troubles .prl-quiet').textContent`
	now := `document.querySelector('#troubles .prl-live-now').textContent`
	for _, one := range []struct{ deed, line, now string }{
		{"panic", "as asked", ""},
		{"none", "", ""},
		{"fail", "cannot be drawn", "needs to be"},
		{"doubt", "check does not hold", "does not hold"},
		{"exit", "ended", ""},
		{"none", "", ""},
	} {
		write(one.deed)
		p.until(fmt.Sprintf(`%s.includes(%q) && %s.includes(%q) && (%q || !%s)`, line, one.line, now, one.now, one.line, line))
	}
	write("endless")
	p.until(line + `.includes('too long')`)
	p.do(run(`[...PrlPlot.live][0].moves.againButton.click()`))
	p.until("!" + line)
	if s := eval[string](p, `[...PrlPlot.live][1].subtitle.textContent`); s != "slope 1.0" {
		t.Errorf("the figure beside it says %q", s)
	}
	if eval[bool](p, `document.querySelector('#frames .prl-frames').offsetHeight > 0`) {
		t.Error("a figure that computes shows its frames")
	}
}

// Where nothing can compute the figure, its frames and what stands below it stay, and a line says why.
func TestInstrumentsWithoutProgram(t *testing.T) {
	module, _ := program()
	for _, one := range []struct {
		name, module, before, line string
		problems                   int
	}{
		{"no module", "", "", "its program is not in this page", 0},
		{"damaged module", module[:len(module)/2] + "AAAA", "", "its program is damaged", 1},
		{"something else", base64.StdEncoding.EncodeToString([]byte("no module at all")), "", "its program is damaged", 1},
		{"no WebAssembly", module, "delete self.WebAssembly", "this browser runs no WebAssembly", 0},
	} {
		t.Run(one.name, func(t *testing.T) {
			var before []step
			if one.before != "" {
				before = append(
					before,
					call(devpage.AddScriptToEvaluateOnNewDocument, devpage.AddScriptToEvaluateOnNewDocumentParams{Source: one.before}),
				)
			}
			p := open(t, instrument(t, one.module, "", "rings", "frames"), 900, 900, before...)
			p.until(`document.querySelectorAll('.prl-stays').length === 2`)
			if line := eval[string](p, `document.querySelector('.prl-quiet').textContent`); !strings.Contains(line, one.line) {
				t.Errorf("the figure says %q, want %q", line, one.line)
			}
			if got := eval[string](p, `[document.querySelector('#rings .prl-live-out').offsetHeight > 20, document.querySelector('#rings `+
				`.prl-inputs').offsetHeight,
				document.querySelector('#frames .prl-frames').offsetHeight > 10].join()`); got != "true,0,true" {
				t.Errorf("table, inputs and frames: %s", got)
			}
			p.mu.Lock()
			defer p.mu.Unlock()
			if len(p.problems) > 2*one.problems {
				t.Errorf("the page reported %q", p.problems)
			}
			if one.problems > 0 {
				p.problems = nil // they are meant
			}
		})
	}
}

func TestInstrumentsOnPaperAndWithoutJavaScript(t *testing.T) {
	module, _ := program()
	p := open(t, instrument(t, module, "", "rings"), 900, 900)
	p.moving(1)
	p.do(run(first + `.moves.follow([['C', '1000']])`))
	p.settled(0)
	p.do(call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}))
	shown := `[document.querySelector('.prl-box').offsetHeight, document.images[0].offsetWidth > 300, ` +
		`document.querySelector('.prl-live-now').offsetHeight, document.querySelector('.prl-live-out').offsetHeight > 20].join()`
	if got := eval[string](p, shown); got != "0,true,0,true" {
		t.Errorf("on paper figure, still, what it shows and what it showed at first: %s", got)
	}
	off := call(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	p = open(t, instrument(t, module, "", "rings"), 900, 900, off)
	p.do(call(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{}))
	if got := eval[string](p, `[document.images[0].offsetWidth > 300, document.querySelector('.prl-live-out').offsetHeight > `+
		`20].join()`); got != "true,true" {
		t.Errorf("without JavaScript still and table: %s", got)
	}
}

// A film beside a program draws between its frames, on the axes of all of them, and plays from frame to frame; without one it is a film.
func TestFilm(t *testing.T) {
	module, _ := program()
	p := open(t, instrument(t, module, "", "film"), 900, 900)
	p.moving(1)
	p.settled(0)
	axes := eval[[]float64](p, domain)
	if got := eval[string](p, subtitle); got != "slope 0.00" || axes[3] < 8 {
		t.Errorf("it begins with %q on the axes %v", got, axes)
	}
	p.do(chromedp.Focus(".prl-inputs .prl-range"), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowRight))
	p.until(subtitle + ` === "slope 0.02"`)
	p.settled(0)
	if now := eval[[]float64](p, domain); !slices.Equal(now, axes) {
		t.Errorf("between the frames the axes are %v, and were %v", now, axes)
	}
	if eval[string](p, `document.querySelector('.prl-title').textContent`) != "A film" {
		t.Error("between the frames the title is another one")
	}
	p.do(run(`document.querySelector('.prl-inputs .prl-play').click()`))
	p.until(subtitle + ` === "slope 0.50"`)
	p.until(subtitle + ` === "slope 2.00"`)
	p.until(`document.querySelector('.prl-inputs .prl-play').title === 'Play'`)
	if eval[int](p, `document.querySelector('.prl-frames').offsetHeight`) != 0 {
		t.Error("there are two sliders")
	}

	p = open(t, instrument(t, "", "", "film"), 900, 900)
	p.until(`document.querySelector('.prl-frames')?.offsetHeight > 0`)
	if eval[bool](p, `!!document.querySelector('.prl-inputs')`) {
		t.Error("without a program there are inputs")
	}
	p.do(chromedp.Focus(".prl-frames .prl-range"), chromedp.KeyEvent(kb.ArrowRight))
	p.until(subtitle + ` === "slope 0.50"`)

	p = open(t, instrument(t, base64.StdEncoding.EncodeToString([]byte("no module")), "", "film"), 900, 900)
	p.until(`document.querySelector('.prl-stays .prl-frames')?.offsetHeight > 0`)
	if words := eval[string](p, `document.querySelector('.prl-quiet').textContent`); words != "" {
		t.Errorf("a film without its program says %q", words)
	}
	p.mu.Lock()
	p.problems = nil // that the module is none, for the console
	p.mu.Unlock()
}

// In a lab a film shows its frames until the program is built. Then it computes, from the frame at which its reader is, with the focus
// there. Where no lab is, as in VS Code, it stays a film.
func TestFilmInALab(t *testing.T) {
	module, script := program()
	cellFolder := t.TempDir()
	t.Setenv("PRL_CELL", cellFolder)
	if err := os.WriteFile(filepath.Join(cellFolder, "live"), []byte("5f.wasm.gz"), 0o600); err != nil {
		t.Fatal(err)
	}
	lab := `<script id="jupyter-config-data" type="application/json">{"baseUrl": "/user/reader/"}</script>` +
		`<script type="text/plain" id="exec">` + script + `</script><script type="text/plain" id="module">` + module + `</script>`
	const server = `window.fetch = async (address) => {
	if (/\/user\/reader\/prl\/module\?of=5f\.wasm\.gz$/.test(address)) {
		return { ok: true, json: async () => (window.built ? { module: '5f.wasm.gz' } : { done: 1, chapters: 3 }) };
	}
	if (!window.built || !/\/user\/reader\/static\/5f\.(js|wasm\.gz)$/.test(address)) return { ok: false };
	const text = (id) => document.getElementById(id).textContent;
	if (/js$/.test(address)) return { ok: true, text: async () => text('exec') };
	return { ok: true, arrayBuffer: async () => Uint8Array.from(atob(text('module')), (c) => c.charCodeAt(0)).buffer };
}`
	p := open(t, instrument(t, "", lab, "film"), 900, 900,
		call(devpage.AddScriptToEvaluateOnNewDocument, devpage.AddScriptToEvaluateOnNewDocumentParams{Source: server}))
	seen := func(selector string) string { return `document.querySelector('` + selector + `')?.offsetHeight > 0` }
	p.until(seen(".prl-frames") + ` && document.querySelector('.prl-waking') && !(` + seen(".prl-inputs") + `)`)
	p.do(chromedp.Focus(".prl-frames .prl-range"), chromedp.KeyEvent(kb.ArrowRight))
	p.until(subtitle + ` === "slope 0.50"`)
	p.do(run(`window.built = true`))
	p.until(`document.querySelector('.prl-moves')`)
	p.settled(0)
	if got := eval[string](p, subtitle); got != "slope 0.50" {
		t.Errorf("the program goes on with %q, the reader was at slope 0.50", got)
	}
	if !eval[bool](p, `!(`+seen(".prl-frames")+`) && `+seen(".prl-inputs")+` && document.activeElement.matches('.prl-inputs .prl-range')`) {
		t.Error("the inputs do not stand in the place of the frames, with their focus")
	}
	p.do(chromedp.KeyEvent(kb.ArrowRight))
	p.until(subtitle + ` === "slope 0.51"`)

	p = open(t, instrument(t, "", "", "film"), 900, 900)
	p.until(seen(".prl-frames"))
	if eval[bool](p, `!!document.querySelector('.prl-inputs')`) {
		t.Error("a film computes where there is no lab")
	}
}

// In a lab a figure asks for the program of its chapter by the name of the file and of its cell, says how far the lab is with building it,
// and what to do where there will be none.
func TestFigureOfAChapterInALab(t *testing.T) {
	module, script := program()
	lab := `<script id="jupyter-config-data" type="application/json">{"baseUrl": "/user/reader/"}</script>` +
		`<script type="text/plain" id="exec">` + script + `</script><script type="text/plain" id="module">` + module + `</script>`
	const server = `window.PrlLab = { home: () => ({ chapter: '03-x.ipynb', cell: 'rings' }) };
window.fetch = async (address) => {
	if (/\/user\/reader\/prl\/module\?of=03-x\.ipynb$/.test(address)) {
		return { ok: true, json: async () => window.known || { done: 2, chapters: 22 } };
	}
	const text = (id) => document.getElementById(id).textContent;
	if (/static\/5f\.js$/.test(address)) return { ok: true, text: async () => text('exec') };
	if (!/static\/5f\.wasm\.gz$/.test(address)) return { ok: false };
	return { ok: true, arrayBuffer: async () => Uint8Array.from(atob(text('module')), (c) => c.charCodeAt(0)).buffer };
}`
	for _, c := range []struct{ known, says string }{
		{`{ module: '5f.wasm.gz' }`, ""},
		{`{ why: 'Run the cell of this figure, and it answers.' }`, "Run the cell of this figure, and it answers."},
	} {
		page := strings.Replace(instrument(t, "", lab, "rings"), `&#34;cell&#34;:&#34;rings&#34;`, `&#34;cell&#34;:&#34;&#34;`, 1)
		p := open(t, page, 900, 900,
			call(devpage.AddScriptToEvaluateOnNewDocument, devpage.AddScriptToEvaluateOnNewDocumentParams{Source: server}))
		const line = `document.querySelector('.prl-quiet')?.textContent`
		p.until(line + ` === 'The program of this figure is being built: 2 of 22 chapters are ready. It answers when its program is there.'`)
		p.do(run(`window.known = ` + c.known))
		p.until(line + ` === ` + strconv.Quote(c.says))
		if c.says != "" {
			p.until(`document.querySelector('.prl-stays') && document.querySelector('.prl-inputs').offsetHeight === 0`)
			continue
		}
		p.moving(1)
		p.settled(0)
	}
}

// The controls stand above the picture, in sight with it, and a button leads back from a zoom.
func TestControlsAndTheWayBack(t *testing.T) {
	module, _ := program()
	p := open(t, instrument(t, module, "", "rings"), 900, 900)
	p.moving(1)
	p.settled(0)
	if !eval[bool](p, first+`.moves.bar.getBoundingClientRect().bottom <= `+first+`.stage.getBoundingClientRect().top`) {
		t.Error("the controls do not stand above the picture")
	}
	const back = `document.querySelector('.prl-back')`
	if eval[int](p, back+`.offsetHeight`) != 0 {
		t.Error("there is a way back from no zoom")
	}
	p.do(run(`{ const f = ` + first + `, d = f.domain[0]; f.setDomain(0, [d.x[0], (d.x[0] + d.x[1]) / 2], d.y) }`))
	at := eval[[]float64](p, `(() => { const r = `+back+`.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2] })()`)
	p.do(mouse(pressed, at[0], at[1], 0, true), mouse(released, at[0], at[1], 0, true))
	p.until(`!` + first + `.zoomed(0) && ` + back + `.offsetHeight === 0`)
}

// A question stands before the figure tells: the reader predicts, and what is right stands below, at every move.
func TestPrediction(t *testing.T) {
	module, _ := program()
	p := open(t, instrument(t, module, "", "predict"), 360, 900)
	p.moving(1)
	p.settled(0)
	if eval[bool](p, `!!document.querySelector('.prl-predicted')`) || eval[string](p, subtitle) != "predict first" ||
		eval[int](p, `document.querySelectorAll('.prl-predict input:checked').length`) != 0 {
		t.Error("the figure tells before it is asked")
	}
	const words = `document.querySelector('.prl-live-now .prl-predicted')?.textContent`
	p.do(chromedp.Focus(".prl-predict input"), chromedp.KeyEvent(" "))
	p.until(words + ` === 'As you predicted: left.'`)
	p.do(chromedp.KeyEvent(kb.ArrowRight))
	p.until(words + ` === 'You predicted right. It is left.'`)
	p.do(chromedp.Focus(".prl-slide .prl-range"), chromedp.KeyEvent(kb.Home))
	p.until(words + ` === 'As you predicted: right.'`)
	p.do(run(first + `.moves.restart()`))
	p.until(`!document.querySelector('.prl-predicted') && ` + subtitle + ` === 'predict first'`)
	if width := eval[int](p, `document.documentElement.scrollWidth`); width > 360 {
		t.Errorf("on a screen of 360 px the page is %d px wide", width)
	}
	p.do(run(`location.hash = '#fig=predict?Which%20side%20sinks%3F=right'`))
	p.until(words + ` === 'You predicted right. It is left.'`)
}
