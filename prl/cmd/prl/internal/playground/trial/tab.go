package trial

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/systeminfo"
	"github.com/chromedp/chromedp"

	"github.com/prlab/prlab/prl/cmd/prl/internal/live"
	"github.com/prlab/prlab/prl/cmd/prl/internal/playground/cells"
	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
)

// A Tab is a page with a toolchain, in a browser without a window.
type Tab struct {
	Ready int // the most memory until it could compile, as Cell has it
	ctx   context.Context
	pids  []int64 // of all processes that may be its own
	close func()
}

// Open opens a page in a Chromium with the toolchain at path, and waits until it can compile. The tab must be closed.
func Open(ctx context.Context, chromium, path string) (*Tab, error) {
	folder, err := process.TempDir(process.LiveFolder)
	if err != nil {
		return nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.DisableGPU,
		chromedp.UserDataDir(filepath.Join(folder, "profile")), chromedp.WSURLReadTimeout(2*time.Minute))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	allocator, cancel := chromedp.NewExecAllocator(ctx, options...)
	tab, stop := chromedp.NewContext(allocator)
	t := &Tab{ctx: tab, close: func() { stop(); cancel(); os.RemoveAll(folder) }}
	name, err := json.Marshal(filepath.ToSlash(path))
	if err != nil {
		t.Close()
		return nil, err
	}
	page := fmt.Sprintf("<!DOCTYPE html><script>%s\nconst engine = new Engine({ name: %s, sum: '' });</script>",
		strings.ReplaceAll(cells.Engine, "\nexport ", "\n"), name)
	file := filepath.Join(folder, "page.html")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Close()
		return nil, err
	}
	if err := chromedp.Do(tab, chromedp.Navigate("file://"+file)); err != nil {
		t.Close()
		return nil, err
	}
	about, err := cdp.Call(tab, chromedp.FromContext(tab).Browser, systeminfo.GetProcessInfo, cdp.Empty{})
	if err != nil {
		t.Close()
		return nil, err
	}
	for _, p := range about.ProcessInfo {
		if p.Type == "renderer" {
			t.pids = append(t.pids, p.ID)
		}
	}
	t.Ready, err = t.most(func() error {
		_, err := chromedp.Run(tab, chromedp.Evaluate[bool](`engine.ready().then(() => true)`, chromedp.EvalAwaitPromise))
		return err
	})
	if err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// Close ends the browser.
func (t *Tab) Close() { t.close() }

// Cell makes and runs a cell, and returns the most memory that the page's process had meanwhile, as Linux counts what no other process
// has, and the bytes of the largest memory of WebAssembly, whether or not the compiler and the linker have touched all of it. A cell that
// does not compile is an error.
func (t *Tab) Cell(list []live.Cell, id string) (private, wasm int, err error) {
	text, err := json.Marshal(list)
	if err != nil {
		return 0, 0, err
	}
	const run = `engine.make(%s, %q).then(({ module, cost, fault, broken }) => new Promise((done, fail) => {
		if (!module) return fail(fault ?? broken);
		const wasm = Math.max(0, ...cost.map((c) => c.memory));
		const stop = engine.go(module, (m) => { if ('code' in m) done(wasm); });
		setTimeout(() => { stop(); done(wasm); }, %d);
	}))`
	const patience = 10000 // milliseconds
	private, err = t.most(func() error {
		wasm, err = chromedp.Run(t.ctx, chromedp.Evaluate[int](fmt.Sprintf(run, text, id, patience), chromedp.EvalAwaitPromise))
		return err
	})
	return private, wasm, err
}

// most is the most memory that the page's process has while something is done.
func (t *Tab) most(do func() error) (bytes int, err error) {
	done := make(chan error)
	go func() { done <- do() }()
	for tick := time.Tick(10 * time.Millisecond); ; {
		select {
		case err := <-done:
			return bytes, err
		case <-tick:
			bytes = max(bytes, t.private())
		}
	}
}

// anonymous is the line with the memory of a process that is no file's.
var anonymous = regexp.MustCompile(`(?m)^RssAnon:\s+(\d+) kB`)

// private is the memory of the page's process that no other has, on Linux, and 0 elsewhere. The browser has two further processes of the
// kind, for its own windows and for the next page, which are smaller by far.
func (t *Tab) private() (bytes int) {
	for _, pid := range t.pids {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)) // it may have ended
		if found := anonymous.FindSubmatch(text); found != nil {
			kilobytes, _ := strconv.Atoi(string(found[1]))
			bytes = max(bytes, kilobytes<<10)
		}
	}
	return bytes
}
