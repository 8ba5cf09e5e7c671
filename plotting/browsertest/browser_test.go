// Package browsertest opens figures in a real Chromium, because only a browser can report whether a page draws. It has tests only, so that
// nothing of it is linked into a cell.
package browsertest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/prlab/prlab/plotting"
)

var (
	browser    context.Context // the one Chromium of this run
	browserErr error
)

func TestMain(m *testing.M) {
	os.Exit(func() int {
		path, err := chromium()
		if err != nil {
			browserErr = err
			return m.Run()
		}
		profile, err := os.MkdirTemp("", "browsertest-")
		if err != nil {
			browserErr = err
			return m.Run()
		}
		defer os.RemoveAll(profile)
		options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.UserDataDir(profile), chromedp.NoSandbox,
			chromedp.DisableGPU, chromedp.Flag("disable-component-update", true), chromedp.WindowSize(900, 900),
			chromedp.WSURLReadTimeout(2*time.Minute)) // on a busy machine it takes longer than chromedp's 20 seconds
		allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
		defer cancel()
		var stop context.CancelFunc
		browser, stop = chromedp.NewContext(allocator)
		defer stop()
		browserErr = chromedp.Do(browser)
		return m.Run()
	}())
}

// chromium is the browser without a window, which takes half the time, or else the one with.
func chromium() (string, error) {
	for _, name := range []string{
		"chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
	} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("these tests need Chromium or Chrome on the PATH: install it with `apt-get install chromium` (Debian), " +
		"`dnf install chromium` (Fedora) or `brew install --cask chromium` (macOS)")
}

// A step is one thing done to a page.
type step = chromedp.Action[chromedp.Void]

// call is the step that sends one command of the DevTools protocol.
func call[P, R any](command cdp.Command[P, R], params P) step {
	return func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, command, params)
		return chromedp.Void{}, err
	}
}

// run is the step that evaluates a statement.
func run(js string) step { return chromedp.Evaluate[chromedp.Void](js) }

// A tab is one page of the browser, with what went wrong in it.
type tab struct {
	context.Context
	t *testing.T

	mu       sync.Mutex
	requests []string // addresses that are neither file:, data: nor blob:
	problems []string // exceptions and console errors
}

// open shows page, cut off from the network, in a window of the given size.
func open(t *testing.T, page string, width, height int64, before ...step) *tab {
	t.Helper()
	if browserErr != nil {
		t.Fatal(browserErr)
	}
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	ctx, stop := context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(stop)
	p := &tab{Context: ctx, t: t}
	if err := chromedp.Listen(ctx, p.listen); err != nil {
		t.Fatal(err)
	}
	steps := append([]step{call(network.Enable, network.EnableParams{}), chromedp.EmulateViewport(width, height)}, before...)
	p.do(append(steps, chromedp.Navigate("file://"+file))...)
	t.Cleanup(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if len(p.requests) > 0 {
			t.Errorf("the page asked the network for %v", p.requests)
		}
		if len(p.problems) > 0 {
			t.Errorf("the page reported %v", p.problems)
		}
	})
	return p
}

func (p *tab) listen(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		u := e.Request.URL
		if !strings.HasPrefix(u, "file:") && !strings.HasPrefix(u, "data:") && !strings.HasPrefix(u, "blob:") {
			p.requests = append(p.requests, u)
		}
	case *cdpruntime.EventExceptionThrown:
		p.problems = append(p.problems, e.ExceptionDetails.Text+" "+describe(e.ExceptionDetails.Exception))
	case *cdpruntime.EventConsoleAPICalled:
		if e.Type == cdpruntime.ConsoleAPICalledTypeError || e.Type == cdpruntime.ConsoleAPICalledTypeWarning {
			var words []string
			for _, a := range e.Args {
				words = append(words, describe(a))
			}
			p.problems = append(p.problems, strings.Join(words, " "))
		}
	}
}

func describe(o *cdpruntime.RemoteObject) string {
	if o == nil {
		return ""
	}
	return string(o.Value) + o.Description
}

func (p *tab) do(steps ...step) {
	p.t.Helper()
	if err := chromedp.Do(p, steps...); err != nil {
		p.t.Fatal(err)
	}
}

// click presses the middle of an element as a reader does, several times for a double click.
func (p *tab) click(selector string, times int) {
	p.t.Helper()
	at := eval[[]float64](
		p,
		fmt.Sprintf(
			`(() => { const e = document.querySelector(%q); e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect(); `+
				`return [r.left + r.width / 2, r.top + r.height / 2] })()`,
			selector,
		),
	)
	for n := range times {
		p.do(chromedp.MouseClickXY(at[0], at[1], chromedp.ClickCount(n+1)))
	}
}

// eval returns the value of a JavaScript expression; a promise is waited for.
func eval[T any](p *tab, js string) T {
	p.t.Helper()
	out, err := chromedp.Run(p, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%s: %v", js, err)
	}
	return out
}

// until waits for a condition of the page.
func (p *tab) until(js string) {
	p.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if eval[bool](p, "!!("+js+")") {
			return
		}
	}
	p.t.Fatalf("never came true: %s", js)
}

// alive waits until n figures are drawn.
func (p *tab) alive(n int) {
	p.t.Helper()
	p.until(fmt.Sprintf("window.PrlPlot && PrlPlot.live.size === %d && [...PrlPlot.live].every(f => f.cells)", n))
}

// ink counts the pixels of the first figure's canvas that are painted.
func (p *tab) ink() int {
	p.t.Helper()
	return eval[int](
		p,
		`(() => { const c = document.querySelector('.prl-canvas canvas'); const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
		let n = 0; for (let i = 3; i < d.length; i += 4) if (d[i] > 40) n++; return n })()`,
	)
}

// page is a page with figures and, unless they are to stay still, the runtime.
func page(t *testing.T, runtime bool, figures ...*plotting.Figure) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(`<!DOCTYPE html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head><body>`)
	for _, f := range figures {
		b.WriteString("<div class=output>" + element(t, f) + "</div>")
	}
	if runtime {
		b.WriteString(plotting.RuntimeHTML())
	}
	b.WriteString("</body></html>")
	return b.String()
}

// element is the one element a figure is in a notebook, cut out of its standalone page.
func element(t *testing.T, f *plotting.Figure) string {
	t.Helper()
	whole, err := f.HTML()
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(whole, `<img class="prl-figure"`)
	end := strings.Index(whole[at:], ">\n")
	return whole[at : at+end+1]
}

func media(features ...string) step {
	var list []*emulation.MediaFeature
	for i := 0; i < len(features); i += 2 {
		list = append(list, &emulation.MediaFeature{Name: features[i], Value: features[i+1]})
	}
	return call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: list})
}
