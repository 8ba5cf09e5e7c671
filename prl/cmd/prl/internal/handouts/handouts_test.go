package handouts

import (
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/console"
	"github.com/prlab/prlab/prl/cmd/prl/internal/results"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
)

// lab is the lab of this clone, set up; its notebooks that can be handed out.
func lab(t *testing.T) (*setup.Lab, []string) {
	t.Helper()
	l, err := theLab()
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(l.Notebooks(), "[0-9][0-9]-*.ipynb"))
	paths = slices.DeleteFunc(paths, func(path string) bool { return strings.HasPrefix(filepath.Base(path), "00-") })
	if err != nil || len(paths) == 0 {
		t.Fatalf("no notebooks (%v)", err)
	}
	return l, paths
}

var theLab = sync.OnceValues(func() (*setup.Lab, error) {
	root, err := checkout.Find(".")
	if err != nil {
		return nil, err
	}
	l := &setup.Lab{Checkout: root, Machine: setup.ThisMachine(), Console: console.New(os.Stderr)}
	return l, l.Ensure(context.Background())
})

// shortChapter is the one that a short test makes handouts of, a small one.
const shortChapter = "32-pac-learning"

// coursePart is the subtest of TestHandouts about what is made of all chapters together.
const coursePart = "course"

// asked reports whether -run asks for a subtest of the test that it names.
func asked(subtest string) bool {
	parts := strings.SplitN(flag.Lookup("test.run").Value.String(), "/", 3)
	if len(parts) < 2 {
		return true
	}
	is, err := regexp.MatchString(parts[1], subtest)
	return err != nil || is
}

// A memory knows which parts of TestHandouts have passed on this machine, with everything on which they depend as it is now.
type memory struct {
	store *results.Store
	keys  map[string]string // by the name of a chapter, and of coursePart
}

// openMemory reads what the handouts of the chapters depend on: the notebooks with the packages that they use, the templates, this package,
// the one that makes the modules of instruments, and the browser.
func openMemory(t *testing.T, l *setup.Lab, paths []string) memory {
	t.Helper()
	store, err := results.Open(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	chromium, err := l.Machine.Chromium()
	if err != nil {
		t.Fatal(err)
	}
	version, err := exec.CommandContext(t.Context(), chromium, "--version").Output()
	if err != nil {
		t.Fatal(err)
	}
	m := memory{store, map[string]string{}}
	makers := []string{
		"prl/cmd/prl/internal/handouts", "prl/cmd/prl/internal/clean", "prl/cmd/prl/internal/live", "notebooks/handouts", "notebooks/kernel",
	}
	var all []string
	for _, path := range paths {
		key, err := store.Key(path, time.Hour)
		if err == nil {
			key, err = store.Part(l.Path(), makers, key, string(version))
		}
		if err != nil {
			t.Fatal(err)
		}
		m.keys[(&chapter{Path: path}).name()], all = key, append(all, key)
	}
	if m.keys[coursePart], err = store.Part(l.Path(), nil, all...); err != nil {
		t.Fatal(err)
	}
	return m
}

// has reports whether the part has passed.
func (m memory) has(part string) bool {
	_, found := m.store.Find("handouts-"+part, m.keys[part])
	return found
}

// keep remembers the part when its test t ends and has passed.
func (m memory) keep(t *testing.T, part string) {
	t.Cleanup(func() {
		if t.Failed() {
			return
		}
		if err := m.store.Keep("handouts-"+part, results.Result{Key: m.keys[part]}); err != nil {
			t.Error(err)
		}
	})
}

// TestHandouts makes every handout of every notebook and opens each in Chromium with the network cut off. A subtest is about a chapter;
// -run TestHandouts/05 makes and opens only what is of this one, and TestHandouts/course only what is made of all together. In a short test
// one small notebook stands for all, unless another is asked for. A part that has passed is not made again until something changes on which
// it depends.
func TestHandouts(t *testing.T) {
	l, all := lab(t)
	m := openMemory(t, l, all)
	name := func(path string) string { return (&chapter{Path: path}).name() }
	var chosen, missing []string
	for _, path := range all {
		part := name(path)
		if asked(part) && (!testing.Short() || !asked("") || part == shortChapter) {
			chosen = append(chosen, path)
			if !m.has(part) {
				missing = append(missing, path)
			}
		}
	}
	course := asked(coursePart) && !testing.Short()
	if len(chosen) == 0 && !course {
		t.Fatal("no notebook of this name")
	}
	course = course && !m.has(coursePart)
	if course && len(missing) == len(all) { // what is composed of a chapter serves both
		testHandouts(t, l, m, all, true, true)
		return
	}
	if len(missing) > 0 {
		testHandouts(t, l, m, missing, true, false)
	}
	if course {
		testHandouts(t, l, m, all, false, true)
	}
}

// testHandouts makes and opens the handouts of each of some chapters, and what is made of all together.
func testHandouts(t *testing.T, l *setup.Lab, m memory, paths []string, chapterwise, course bool) {
	out := t.TempDir()
	o := Options{
		HTML:     true,
		Slides:   chapterwise,
		PDF:      chapterwise,
		Reader:   course,
		EPUB:     course,
		Sheet:    chapterwise,
		Versions: []Version{Plain},
		Out:      out,
		Course:   DefaultCourse(),
		Timeout:  time.Hour,
	}
	if err := Build(t.Context(), l, paths, o); err != nil {
		t.Fatal(err)
	}
	before := modified(t, out)
	if err := Build(t.Context(), l, paths, o); err != nil {
		t.Fatal(err)
	}
	for name, at := range modified(t, out) {
		if !before[name].Equal(at) {
			t.Errorf("%s was made again although nothing had changed", name)
		}
	}
	press := testPress(t)
	math, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	chapters, err := convertAll(t.Context(), l, paths, math, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	works, err := readWorks(l.Notebooks(), chapters)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(number(chapters), cite(chapters, works)); err != nil { // as Build does: the numbers stand in the text
		t.Fatal(err)
	}
	if course {
		t.Run(coursePart, func(t *testing.T) {
			m.keep(t, coursePart)
			t.Run("reader", func(t *testing.T) {
				for _, fault := range inspect(t, filepath.Join(out, readerName), chapters) {
					t.Error(fault)
				}
			})
			t.Run("book", func(t *testing.T) {
				for _, fault := range checkBook(t, filepath.Join(out, epubName)) {
					t.Error(fault)
				}
			})
			t.Run("index", func(t *testing.T) {
				testIndex(t, press, filepath.Join(out, "index.html"), len(chapters))
			})
			t.Run("access", func(t *testing.T) {
				for _, name := range []string{"index.html", referencesName} {
					testAccess(t, press, filepath.Join(out, name))
				}
			})
		})
	}
	if !chapterwise {
		return
	}
	for _, c := range chapters {
		t.Run(c.name(), func(t *testing.T) {
			t.Parallel()
			m.keep(t, c.name())
			testChapter(t, press, out, c)
		})
	}
}

// testChapter looks at the page, the slides, the sheet and the PDF of a notebook.
func testChapter(t *testing.T, press *printer, out string, c *chapter) {
	file, slides := filepath.Join(out, c.name()+".html"), filepath.Join(out, c.slidesName())
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the page has %d bytes, %d of them for the program of its live figures", len(page), len(liveProgram.Find(page)))
	if len(page) > mostPage {
		t.Errorf("the page has more than %d bytes", mostPage)
	}
	t.Run("page", func(t *testing.T) { testPage(t, press, file, true) })
	t.Run("stills", func(t *testing.T) { testPage(t, press, file, false) })
	t.Run("access", func(t *testing.T) { testAccess(t, press, file) })
	t.Run("slides", func(t *testing.T) { testSlides(t, press, slides) })
	t.Run("slides, stills", func(t *testing.T) { testPage(t, press, slides, false) })
	t.Run("sheet", func(t *testing.T) {
		for _, fault := range inspectSheet(t, filepath.Join(out, c.sheetName()), c) {
			t.Error(fault)
		}
	})
	t.Run("paper", func(t *testing.T) {
		for _, fault := range inspect(t, filepath.Join(out, c.name()+".pdf"), []*chapter{c}) {
			t.Error(fault)
		}
	})
}

// thePress is the Chromium of most tests, open as soon as one asks for it and until the last has ended.
var thePress = sync.OnceValues(func() (*printer, error) {
	chromium, err := setup.ThisMachine().Chromium()
	if err != nil {
		return nil, err
	}
	press, err := openPrinter(context.Background(), chromium)
	if err == nil {
		atEnd = append(atEnd, press.close)
	}
	return press, err
})

var atEnd []func()

func TestMain(m *testing.M) {
	code := m.Run()
	for _, end := range atEnd {
		end()
	}
	os.Exit(code)
}

// testPress is a Chromium for one test, which sees nothing of what others have stored.
func testPress(t *testing.T) *printer {
	t.Helper()
	press, err := thePress()
	if err != nil {
		t.Fatal(err)
	}
	own, cancel := chromedp.NewContext(press.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	if err := chromedp.Do(own); err != nil {
		t.Fatal(err)
	}
	return &printer{ctx: own, dir: t.TempDir()}
}

func modified(t *testing.T, dir string) map[string]time.Time {
	t.Helper()
	all := map[string]time.Time{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = info.ModTime()
	}
	return all
}

// A visit is a page opened as a reader without a network does; it notes every request, error and exception.
type visit struct {
	t     *testing.T
	ctx   context.Context
	mu    sync.Mutex
	wrong []string
}

// openPage opens a page, with scripts or without, on a screen of the given size.
func openPage(t *testing.T, press *printer, file string, scripts bool, width, height int64) *visit {
	t.Helper()
	ctx, cancel := chromedp.NewContext(press.ctx)
	t.Cleanup(cancel)
	ctx, stop := context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(stop)
	v := &visit{t: t, ctx: ctx}
	if err := chromedp.Listen(ctx, func(event any) {
		v.mu.Lock()
		defer v.mu.Unlock()
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			if u := e.Request.URL; !strings.HasPrefix(u, "file:") && !strings.HasPrefix(u, "data:") && !strings.HasPrefix(u, "blob:") {
				v.wrong = append(v.wrong, "request to "+u)
			}
		case *cdpruntime.EventExceptionThrown:
			v.wrong = append(v.wrong, "exception: "+e.ExceptionDetails.Text)
		case *cdpruntime.EventConsoleAPICalled:
			if e.Type == cdpruntime.ConsoleAPICalledTypeError {
				v.wrong = append(v.wrong, "console error")
			}
		case *log.EventEntryAdded:
			if e.Entry.Level == log.EntryLevelError {
				v.wrong = append(v.wrong, "console: "+e.Entry.Text)
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	v.do(
		command(network.Enable, network.EnableParams{}),
		command(log.Enable, cdp.Empty{}),
		command(
			network.EmulateNetworkConditionsByRule,
			network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: []*network.Conditions{{Offline: true}}},
		),
	)
	v.do(chromedp.EmulateViewport(width, height))
	if !scripts {
		v.do(command(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}))
	}
	v.do(chromedp.Navigate("file://" + file))
	return v
}

func (v *visit) do(steps ...chromedp.Action[chromedp.Void]) {
	v.t.Helper()
	if err := chromedp.Do(v.ctx, steps...); err != nil {
		v.t.Fatal(err)
	}
}

// quiet fails the test if anything went wrong on the page.
func (v *visit) quiet() {
	v.t.Helper()
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.wrong) > 0 {
		v.t.Errorf("%v", v.wrong)
	}
}

// until waits for a condition of the page.
func (v *visit) until(condition string) {
	v.t.Helper()
	for end := time.Now().Add(2 * time.Minute); !ask[bool](v, "!!("+condition+")"); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			v.quiet()
			v.t.Fatalf("never came true: %s", condition)
		}
	}
}

// ask evaluates an expression on the page.
func ask[T any](v *visit, expression string) T {
	v.t.Helper()
	got, err := chromedp.Run(v.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		v.t.Fatal(err)
	}
	return got
}

// testPage wants charts painted, formulas set, nothing asked for and nothing too wide, with scripts or without.
func testPage(t *testing.T, press *printer, file string, scripts bool) {
	t.Helper()
	v := openPage(t, press, file, scripts, 1000, 900)
	type sight struct {
		Painted, Stills, Formulas, Blank int
		Text                             string
	}
	var seen sight
	look := `(() => {
		document.querySelectorAll("details").forEach(d => d.open = true);
		const inked = c => { if (!c.width || !c.height) return false; const d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
			for (let i = 3; i < d.length; i += 4) if (d[i] > 40) return true; return false };
		const copy = document.body.cloneNode(true); copy.querySelectorAll("pre, script, style").forEach(e => e.remove());
		return {Painted: window.PrlPlot ? [...PrlPlot.live].filter(f => f.cells).length : 0,
			Stills: [...document.querySelectorAll("img.prl-figure")].filter(i => i.complete && i.naturalWidth > 0).length,
			Formulas: document.querySelectorAll(".katex .katex-html").length, Text: copy.textContent,
			Blank: [...document.querySelectorAll(".prl-canvas canvas")].filter(c => !inked(c)).length} })()`
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	figures := len(figureTag.FindAllString(string(source), -1))
	there := itoa(figures) + ` == (window.PrlPlot ? [...PrlPlot.live].filter(f => f.cells).length
		: [...document.querySelectorAll("img.prl-figure")].filter(i => i.complete && i.naturalWidth > 0).length)`
	ask[bool](v, `document.querySelectorAll("details").forEach(d => d.open = true); true`) // a figure draws once it is seen
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
		if late := time.Now().After(end); !late && !ask[bool](v, there) { // a look at all canvases takes longer than drawing one
			continue
		}
		seen = ask[sight](v, look)
		if scripts && seen.Painted == figures && seen.Blank == 0 || !scripts && seen.Stills == figures || time.Now().After(end) {
			break
		}
	}
	if figures == 0 {
		t.Error("the page has no figure")
	}
	if scripts && seen.Painted != figures || !scripts && seen.Stills != figures {
		t.Errorf("scripts %v: %d figures, %d live, %d stills", scripts, figures, seen.Painted, seen.Stills)
	}
	if scripts && seen.Blank != 0 {
		t.Errorf("%d canvases are blank", seen.Blank)
	}
	if seen.Formulas == 0 {
		t.Error("no formula is set")
	}
	if m := rawTeX.FindString(seen.Text); m != "" {
		t.Errorf("scripts %v: raw TeX in the text: %q", scripts, m)
	}
	if scripts {
		for _, fault := range apart(v) {
			t.Error(fault)
		}
	}
	v.do(chromedp.EmulateViewport(360, 700))
	if width := ask[int](v, `document.documentElement.scrollWidth`); width > 360 {
		t.Errorf("scripts %v: on a screen of 360 px the page is %d px wide", scripts, width)
	}
	v.quiet()
}

// panels are what JupyterLab leaves to a notebook of a window of 1440 x 900, and of one of 1280 x 800: the height of its panel, as
// TestChaptersAreAlive logs it, less the line that it may scroll sideways with, and the width of outputs.
var panels = [][2]int64{{1060, 772}, {900, 672}}

// apart says of which live figures the controls are not in sight together with the picture, where a figure has the width of JupyterLab's.
func apart(v *visit) (faults []string) {
	for _, panel := range panels {
		v.do(chromedp.EmulateViewport(panel[0], panel[1]))
		faults = append(faults, ask[[]string](v, `(async () => {
			const all = [...PrlPlot.live].filter(f => f.moves && f.host.clientWidth);
			all.forEach(f => { f.host.style.width = '`+strconv.FormatInt(panel[0], 10)+`px'; });
			while (all.some(f => f.width !== f.host.clientWidth || f.room > innerHeight)) await new Promise(done => setTimeout(done, 20));
			return all.map(f => [f, f.stage.getBoundingClientRect().bottom - f.moves.bar.getBoundingClientRect().top])
				.filter(([, height]) => height > innerHeight).map(([f, height]) => f.fig.title + ': controls and picture take ' + height + ' of '
				+ innerHeight + ' px') })()`)...)
	}
	return faults
}

// liveProgram is what a page holds of the program of its live figures.
var liveProgram = regexp.MustCompile(`(?s)<script type="text/plain" data-prl-module=letters>.*?</script>`)

var figureTag = regexp.MustCompile(`<img [^>]*class="prl-figure"`)

var rawTeX = regexp.MustCompile(`.{0,30}(\$|\\[a-zA-Z]{2,}).{0,30}`)
