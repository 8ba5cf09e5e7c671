//go:build unix

package labtest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/prlab/prlab/prl/cmd/prl/internal/copies"
	"github.com/prlab/prlab/prl/notebook"
)

// TestChaptersAreAlive opens three chapters as a student does for the first time, with an empty home: their first instrument answers the
// hand before any cell is run, an answer is judged, and nothing is modified by looking at it. The server stands at an address as behind a
// hub.
func TestChaptersAreAlive(t *testing.T) {
	s := newServer(t)
	s.folder, s.page = t.TempDir(), "/lab/tree/"
	cmd := exec.Command(s.lab.Jupyter("lab"), "--LabApp.expose_app_in_browser=True")
	s.chapters(hub, cmd, 3)
}

// TestChaptersAreAliveInNotebook does the same in Jupyter Notebook 7.
func TestChaptersAreAliveInNotebook(t *testing.T) {
	s := newServer(t)
	s.chapters("", s.notebook7(), 3)
}

// chapters starts the server on copies of the chapters, with a home of its own, and looks at some of them, drawn by the date.
func (s *server) chapters(base string, cmd *exec.Cmd, count int) {
	t := s.t
	t.Helper()
	if _, err := copies.Sync(s.lab.Notebooks(), s.folder, copies.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"GOCACHE", "GOMODCACHE"} { // or all would be compiled for the new home
		value, err := exec.CommandContext(t.Context(), s.lab.Go.Program, "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		cmd.Env = append(cmd.Env, name+"="+strings.TrimSpace(string(value)))
	}
	home := t.TempDir()
	cmd.Env = append(cmd.Env, "HOME="+home)
	s.serve(base, cmd, filepath.Join(home, ".state"), t.Cleanup)
	for i, name := range s.drawn(count) {
		s.alive(name, i == 0)
	}
}

// drawn are chapters with instruments and an exercise, others every day.
func (s *server) drawn(count int) []string {
	today := time.Now().UTC()
	r := rand.New(rand.NewPCG(uint64(today.Year()), uint64(today.YearDay())))
	paths, err := filepath.Glob(filepath.Join(s.folder, "[0-9][0-9]-*.ipynb"))
	if err != nil {
		s.t.Fatal(err)
	}
	var names []string
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			s.t.Fatal(err)
		}
		if strings.Contains(string(text), "data-prl-live=") && s.asks(filepath.Base(path)).cell != "" {
			names = append(names, filepath.Base(path))
		}
	}
	if len(names) < 15 {
		s.t.Fatalf("%d chapters have instruments and exercises", len(names))
	}
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	s.t.Logf("%s: %v", today.Format(time.DateOnly), names[:count])
	return names[:count]
}

// A question is an exercise with the expressions of two answers.
type question struct{ cell, variable, right, wrong string }

var (
	solves = regexp.MustCompile(`prl\.Solution\("([^"]+)"\)\.\s*(?:Number\(([-+*/.\d]+), |Choice\(("[^"]+")\))`)
	blanks = regexp.MustCompile(`(?m)^var (\w+) = (?:prl\.Blank|"")`)
)

// asks finds the first exercise of a chapter whose solution can be read there: a word, or a number without names.
func (s *server) asks(name string) (q question) {
	n, err := notebook.Read(filepath.Join(s.lab.Notebooks(), name))
	if err != nil {
		s.t.Fatal(err)
	}
	for _, solution := range n.Cells {
		m := solves.FindStringSubmatch(solution.Source())
		if m == nil {
			continue
		}
		for _, c := range n.Cells {
			blank := blanks.FindAllStringSubmatch(c.Source(), -1)
			asked := slices.Contains(c.Tags(), "exercise") && strings.Contains(c.Source(), `prl.Exercise("`+m[1]+`"`)
			switch {
			case !asked || len(blank) != 1:
			case m[2] != "":
				return question{c.ID(), blank[0][1], m[2], "2*(" + m[2] + ") + 17"}
			default:
				return question{c.ID(), blank[0][1], m[3], `"none of them"`}
			}
		}
	}
	return question{}
}

// figure is the first instrument of the notebook in sight, in JavaScript.
const figure = `[...PrlPlot.live].filter((f) => f.moves && f.host.isConnected && jupyterapp.shell.currentWidget.node.contains(f.host))` +
	`.sort((a, b) => a.host.getBoundingClientRect().top - b.host.getBoundingClientRect().top)[0]`

// modified tells where a notebook that is marked as modified differs from its file.
const modified = `(async () => {
	const { context } = jupyterapp.shell.currentWidget;
	if (!context.model.dirty) return '';
	const file = (await jupyterapp.serviceManager.contents.get(context.path)).content;
	const differs = (a, b, path) => {
		if (JSON.stringify(a) === JSON.stringify(b)) return '';
		if (!a || !b || typeof a !== 'object' || typeof b !== 'object') return path + ': ' + JSON.stringify([a, b]) + '; ';
		return [...new Set([...Object.keys(a), ...Object.keys(b)])].map((key) => differs(a[key], b[key], path + '/' + key)).join('');
	};
	return (differs(file, context.model.toJSON(), '') || 'it is the same').slice(0, 1000) })()`

// alive opens a chapter and tries its first instrument; thoroughly also an exercise, and the instrument once more when all was saved and
// opened again.
func (s *server) alive(name string, thoroughly bool) {
	t := s.t
	t.Helper()
	began := time.Now()
	p := s.open(name)
	opened := time.Since(began)
	p.answers(name)
	t.Logf("%s: %.1f s to open, %.1f s more to an answer", name, opened.Seconds(), (time.Since(began) - opened).Seconds())
	if difference := eval[string](p, modified); difference != "" {
		t.Errorf("%s is modified by opening it: %s", name, difference)
	}
	if !eval[bool](p, `jupyterapp.shell.currentWidget.content.widgets.every((w) => w.model.type !== 'code' || w.model.trusted)`) {
		t.Errorf("%s is not trusted", name)
	}
	if thoroughly {
		p.judged(s.asks(name))
		p.command("docmanager:save")
		p.reload()
		p.answers(name + ", saved and opened again")
		p.together(name)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	// Notebook 7.6.5 says so itself, without anything of ours, of settings that it reads in the wrong order.
	p.errors = slices.DeleteFunc(p.errors, func(said string) bool {
		return strings.Contains(said, "reading 'schema'") && strings.Contains(said, "/static/notebook/notebook_core.")
	})
	if len(p.errors) > 0 {
		t.Errorf("%s: the console has errors: %v", name, p.errors)
	}
}

// answers drags the first instrument with the mouse, before any cell is run, and waits for its picture.
func (p *page) answers(what string) {
	t := p.s.t
	t.Helper()
	p.until(`(() => {
		const all = jupyterapp.shell.currentWidget.content;
		const at = all.widgets.findIndex((w) => w.model.type === 'code' && JSON.stringify(w.model.outputs.toJSON()).includes('data-prl-live='));
		if (at < 0) return false;
		all.scrollToItem(at, 'smart');
		return window.PrlPlot && ` + figure + ` })()`)
	p.until(figure + `.host.classList.contains('prl-moves')`)
	at := eval[[]float64](p, `(async () => {
		const f = `+figure+`;
		f.host.scrollIntoView({ block: 'center' });
		await new Promise((done) => setTimeout(done, 300));
		const middle = (n) => { const r = n.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2] };
		const handle = f.box.querySelector('.prl-handle:not([hidden])'), range = f.box.querySelector('.prl-inputs .prl-range');
		const radio = f.box.querySelector('.prl-inputs input[type=radio]:not(:checked)');
		if (handle) { const [x, y] = middle(handle); return [x, y, x + 30, y - 15] }
		if (range) {
			const r = range.getBoundingClientRect(), part = (range.value - range.min) / (range.max - range.min), thumb = 16;
			const x = (share) => r.left + thumb / 2 + share * (r.width - thumb), y = r.top + r.height / 2;
			return [x(part), y, x(part < 0.5 ? part + 0.3 : part - 0.3), y];
		}
		const [x, y] = middle(radio || f.box.querySelector('.prl-inputs button:not(:disabled), .prl-inputs input'));
		return [x, y, x, y];
	})()`)
	steps := eval[float64](p, figure+`.moves.times.length`)
	mouse := func(kind input.DispatchMouseEventType, x, y float64) step {
		return call(input.DispatchMouseEvent, input.DispatchMouseEventParams{
			Type: kind, X: x, Y: y, Button: input.MouseButtonLeft, ClickCount: 1,
		})
	}
	p.do(mouse(input.DispatchMouseEventTypeMousePressed, at[0], at[1]),
		mouse(input.DispatchMouseEventTypeMouseMoved, at[0]/2+at[2]/2, at[1]/2+at[3]/2),
		mouse(input.DispatchMouseEventTypeMouseMoved, at[2], at[3]),
		mouse(input.DispatchMouseEventTypeMouseReleased, at[2], at[3]))
	p.until(fmt.Sprintf(`((m) => m.given.some((v) => v !== null) && m.times.length > %g && !m.times[m.times.length - 1].draft &&
		!m.flying)(%s.moves)`, steps, figure))
	if why := eval[string](p, figure+`.moves.line.hidden ? '' : `+figure+`.moves.line.textContent`); why != "" {
		t.Errorf("%s: %s", what, why)
	}
}

// together wants the controls of the first instrument in sight together with its picture, in windows of two sizes.
func (p *page) together(what string) {
	t := p.s.t
	t.Helper()
	for _, size := range [][2]int64{{1440, 900}, {1280, 800}} {
		p.do(chromedp.EmulateViewport(size[0], size[1]))
		seen := eval[[]float64](p, `(async () => {
			const f = `+figure+`, panel = f.host.closest('.jp-WindowedPanel-outer'), bar = f.box.querySelector('.prl-inputs');
			bar.scrollIntoView();
			await new Promise((done) => setTimeout(done, 500));
			return [f.stage.getBoundingClientRect().bottom - bar.getBoundingClientRect().top, panel.clientHeight,
				f.host.parentElement.clientWidth] })()`)
		t.Logf("%s in a window of %v: controls and picture take %.0f px of %.0f x %.0f", what, size, seen[0], seen[2], seen[1])
		if seen[0] > seen[1] {
			t.Errorf("%s: in a window of %v controls and picture are not in sight together", what, size)
		}
	}
}

// judged answers an exercise, wrongly and then right, though no other cell has been run.
func (p *page) judged(q question) {
	t := p.s.t
	t.Helper()
	for _, try := range [][2]string{{q.wrong, "wrong"}, {q.right, "solved"}} {
		p.idle()
		eval[any](p, fmt.Sprintf(`(async () => {
			const all = jupyterapp.shell.currentWidget.content, at = all.widgets.findIndex((w) => w.model.id === %q);
			const cell = all.widgets[at].model.sharedModel;
			cell.setSource(cell.getSource().replace(/^var %s = .*$/m, %q));
			all.activeCellIndex = at;
			await jupyterapp.commands.execute('notebook:run-cell');
			return 0 })()`, q.cell, q.variable, "var "+q.variable+" = "+try[0]))
		outputs := fmt.Sprintf(`JSON.stringify(jupyterapp.shell.currentWidget.content.widgets.find((w) => w.model.id === %q)`+
			`.model.outputs.toJSON())`, q.cell)
		p.until(outputs + `.includes('data-prl-exercise')`)
		if shows := eval[string](p, outputs); !strings.Contains(shows, `data-prl-outcome=\"`+try[1]+`\"`) {
			t.Errorf("%s = %s is not %s: %s", q.variable, try[0], try[1], shows)
		}
	}
}
