//go:build unix

// Package labtest opens the lab in a real Chromium, as a reader does. It has tests only.
package labtest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/console"
	"github.com/prlab/prlab/prl/cmd/prl/internal/execute"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
)

// patience is the longest wait for one thing on a machine that is busy with others.
const patience = 2 * time.Minute

type step = chromedp.Action[chromedp.Void]

func call[P, R any](command cdp.Command[P, R], params P) step {
	return func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, command, params)
		return chromedp.Void{}, err
	}
}

// server is a JupyterLab on a folder, as go tool prl lab starts it, and a browser.
type server struct {
	t       *testing.T
	lab     *setup.Lab
	folder  string
	address string
	page    string // the path of the page that opens a notebook
	query   string // what stands behind that
	process int    // the number of the server's process
	browser context.Context
}

// common is the JupyterLab of most tests: each has a folder of it, what its browser stores, and its kernels, to itself.
var common struct {
	server
	root string // its folder, with one for each test
}

func TestMain(m *testing.M) {
	code := m.Run()
	for _, end := range slices.Backward(atEnd) {
		end()
	}
	os.Exit(code)
}

// atEnd is what ends the common server, the last thing first.
var atEnd []func()

// hub is the path of its address at which the common server stands, as behind a hub.
const hub = "/user/reader"

// start is the common server for one test.
func start(t *testing.T) *server {
	t.Helper()
	if common.browser == nil {
		root, err := os.MkdirTemp("", "labtest-")
		if err != nil {
			t.Fatal(err)
		}
		atEnd = append(atEnd, func() { os.RemoveAll(root) })
		s := newServer(t)
		s.folder = root
		state := filepath.Join(root, ".state")
		cmd := exec.Command(s.lab.Jupyter("lab"), "--LabApp.expose_app_in_browser=True")
		s.serve(hub, cmd, state, func(end func()) { atEnd = append(atEnd, end) })
		common.server, common.root = *s, root
	}
	s := common.server
	s.t, s.folder, s.page = t, filepath.Join(common.root, t.Name()), "/lab/tree/"+t.Name()+"/"
	if err := os.Mkdir(s.folder, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.forget)
	own, cancel := chromedp.NewContext(common.browser, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	if err := chromedp.Do(own); err != nil {
		t.Fatal(err)
	}
	s.browser = own
	return &s
}

// forget ends all kernels, and has the server forget which notebooks were open.
func (s *server) forget() {
	ask := func(method, path string) (status int, body []byte) {
		request, err := http.NewRequest(method, s.address+path+"?token=t", nil)
		if err != nil {
			s.t.Fatal(err)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			s.t.Fatal(err)
		}
		defer response.Body.Close()
		if body, err = io.ReadAll(response.Body); err != nil {
			s.t.Fatal(err)
		}
		return response.StatusCode, body
	}
	// While a kernel is starting the server fails to list them, and one that is ending may be there no more.
	for end := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		var kernels []struct{ ID string }
		status, body := ask("GET", "/api/kernels")
		if status == http.StatusOK {
			if err := json.Unmarshal(body, &kernels); err != nil {
				s.t.Fatal(err)
			}
			if len(kernels) == 0 {
				break
			}
			for _, one := range kernels {
				ask("DELETE", "/api/kernels/"+one.ID)
			}
		}
		if time.Now().After(end) {
			s.t.Fatalf("kernels do not end: %d %s", status, body)
		}
	}
	ask("DELETE", "/lab/api/workspaces/default")
}

// newServer sets the lab up.
func newServer(t *testing.T) *server {
	t.Helper()
	root, err := checkout.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{t: t, lab: &setup.Lab{Checkout: root, Machine: setup.ThisMachine(), Console: console.New(os.Stderr)}, query: "?token=t"}
	if err := s.lab.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// startNotebook starts Jupyter Notebook 7 on a folder of its own.
func startNotebook(t *testing.T) *server {
	t.Helper()
	s := newServer(t)
	s.serve("", s.notebook7(), t.TempDir(), t.Cleanup)
	return s
}

// notebook7 is Jupyter Notebook 7 with the lab's kernel and extension, as somebody has it who installs it beside the lab: in a virtual
// environment that looks into the lab's. It gets a folder of its own.
func (s *server) notebook7() *exec.Cmd {
	t := s.t
	t.Helper()
	own := t.TempDir()
	run := func(name string, arguments ...string) string {
		t.Helper()
		out, err := exec.CommandContext(t.Context(), name, arguments...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(arguments, " "), err, out)
		}
		return strings.TrimSpace(string(out))
	}
	const packages = "import sysconfig; print(sysconfig.get_path('purelib'))"
	run(s.lab.Python(), "-m", "venv", own)
	python := filepath.Join(own, "bin", "python")
	theirs, ours := run(s.lab.Python(), "-c", packages), run(python, "-c", packages)
	if err := os.WriteFile(filepath.Join(ours, "lab.pth"), []byte(theirs+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "notebook==7.6.5")
	// Those of JupyterLab, on which Notebook stands; the server refuses to follow links.
	for _, folder := range []string{"schemas", "themes"} {
		from := s.lab.State("python", "share", "jupyter", "lab", folder)
		if err := os.CopyFS(filepath.Join(own, "share", "jupyter", "lab", folder), os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	s.page = "/notebooks/"
	cmd := exec.Command(python, "-m", "notebook", "--JupyterNotebookApp.expose_app_in_browser=True")
	cmd.Env = []string{
		"JUPYTER_PATH=" + s.lab.State("python", "share", "jupyter"),
		"JUPYTER_CONFIG_PATH=" + s.lab.State("python", "etc", "jupyter"),
	}
	s.folder = t.TempDir()
	return cmd
}

// serve starts the server at a path of its address, and a browser, which leave what they store in a folder. Cleanup is told how they end.
func (s *server) serve(base string, cmd *exec.Cmd, state string, cleanup func(func())) {
	t := s.t
	t.Helper()
	chromium := ""
	names := []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}
	if testing.Short() { // without a window it takes half the time
		names = append([]string{"chromium-headless-shell", "chrome-headless-shell"}, names...)
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil && chromium == "" {
			chromium = path
		}
	}
	if chromium == "" {
		t.Fatal("this test needs Chromium or Chrome on the PATH; on Debian: apt-get install chromium")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	s.address = fmt.Sprintf("http://127.0.0.1:%d%s", port, base)
	cmd.Args = append(
		cmd.Args,
		"--allow-root",
		"--no-browser",
		fmt.Sprintf("--ServerApp.port=%d", port),
		"--ServerApp.port_retries=0",
		"--IdentityProvider.token=t",
		"--ServerApp.root_dir="+s.folder,
		"--ServerApp.base_url="+base+"/",
		"--log-level=ERROR",
	)
	cmd.Env = append(
		append(s.lab.JupyterEnv(os.Environ()), cmd.Env...),
		"PRL_RUNTIME=none",
		"JUPYTER_DATA_DIR="+state,
		"JUPYTERLAB_SETTINGS_DIR="+state,
		"JUPYTERLAB_WORKSPACES_DIR="+state,
		"JUPYTER_RUNTIME_DIR="+state,
	)
	cmd.Stderr, cmd.SysProcAttr = os.Stderr, &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.process = cmd.Process.Pid
	cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		defer time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() }).Stop()
		cmd.Wait()
	})
	options := append(
		chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chromium),
		chromedp.UserDataDir(filepath.Join(state, "browser")),
		chromedp.NoSandbox,
		chromedp.DisableGPU,
		chromedp.Flag("disable-component-update", true),
		chromedp.WindowSize(1400, 1800),
		chromedp.WSURLReadTimeout(patience),
	)
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	cleanup(cancel)
	browser, stop := chromedp.NewContext(allocator)
	cleanup(stop)
	if err := chromedp.Do(browser); err != nil {
		t.Fatal(err)
	}
	s.browser = browser
	for end := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			c.Close()
			return
		}
		if time.Now().After(end) {
			t.Fatal("the server does not start")
		}
	}
}

// notebook writes a notebook of code cells, executed if that is asked for.
func (s *server) notebook(name string, executed bool, sources ...string) string {
	s.t.Helper()
	var cells []any
	for i, source := range sources {
		cells = append(
			cells,
			map[string]any{
				"cell_type": "code", "id": fmt.Sprintf("c%d", i), "metadata": map[string]any{}, "source": source, "outputs": []any{},
				"execution_count": nil,
			},
		)
	}
	text, err := json.Marshal(map[string]any{
		"cells": cells, "nbformat": 4, "nbformat_minor": 5,
		"metadata": map[string]any{"kernelspec": map[string]any{"name": setup.KernelName, "display_name": setup.DisplayName, "language": "go"}},
	})
	if err != nil {
		s.t.Fatal(err)
	}
	path := filepath.Join(s.folder, name)
	if err := os.WriteFile(path, text, 0o644); err != nil {
		s.t.Fatal(err)
	}
	if !executed {
		return path
	}
	session, err := execute.Open(s.lab)
	if err != nil {
		s.t.Fatal(err)
	}
	defer session.Close()
	result, err := session.Execute(s.t.Context(), path, execute.Options{Timeout: patience})
	if err != nil {
		s.t.Fatal(err)
	}
	if err := result.Keep(path); err != nil {
		s.t.Fatal(err)
	}
	return path
}

// page is a tab of the browser with a notebook.
type page struct {
	context.Context
	s  *server
	mu sync.Mutex
	// asked are the addresses outside this machine that the page has asked for, and errors those of its console.
	asked, errors []string
}

func (s *server) open(name string) *page {
	s.t.Helper()
	ctx, cancel := chromedp.NewContext(s.browser)
	s.t.Cleanup(cancel)
	p := &page{Context: ctx, s: s}
	if err := chromedp.Listen(ctx, p.hear); err != nil {
		s.t.Fatal(err)
	}
	p.do(
		call(network.Enable, network.EnableParams{}),
		call(log.Enable, cdp.Empty{}),
		chromedp.EmulateViewport(1400, 1800),
		chromedp.Navigate(s.address+s.page+name+s.query),
	)
	p.ready()
	s.t.Cleanup(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if len(p.asked) > 0 {
			s.t.Errorf("the page asked the network for %v", p.asked)
		}
	})
	return p
}

// hear notes what a page should not do.
func (p *page) hear(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if strings.HasPrefix(e.Request.URL, "http") && !strings.HasPrefix(e.Request.URL, p.s.address) {
			p.asked = append(p.asked, e.Request.URL)
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError {
			p.errors = append(p.errors, e.Entry.Text+" "+e.Entry.URL)
		}
	case *runtime.EventExceptionThrown:
		said := e.ExceptionDetails.Text
		if thrown := e.ExceptionDetails.Exception; thrown != nil {
			said += " " + thrown.Description
		}
		p.errors = append(p.errors, said)
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError {
			for _, said := range e.Args {
				p.errors = append(p.errors, said.Description+" "+string(said.Value))
			}
		}
	}
}

// ready waits until the notebook is there. The kernel may still be starting.
func (p *page) ready() {
	p.s.t.Helper()
	p.until(
		"window.jupyterapp && jupyterapp.shell.currentWidget && jupyterapp.shell.currentWidget.content && " +
			"jupyterapp.shell.currentWidget.content.widgets && " +
			"jupyterapp.shell.currentWidget.content.widgets.length > 0",
	)
}

func (p *page) do(steps ...step) {
	p.s.t.Helper()
	if err := chromedp.Do(p, steps...); err != nil {
		p.s.t.Fatal(err)
	}
}

// eval returns the value of an expression; a promise is waited for.
func eval[T any](p *page, js string) T {
	p.s.t.Helper()
	ctx, cancel := context.WithTimeout(p, patience)
	defer cancel()
	out, err := chromedp.Run(ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	if err != nil {
		p.s.t.Fatalf("%s: %v", js, err)
	}
	return out
}

// until waits for a condition.
func (p *page) until(js string) {
	p.s.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if out, err := chromedp.Run(p, chromedp.Evaluate[bool]("!!("+js+")")); err == nil && out {
			return
		}
	}
	// What a figure or a cell says to the reader is often the reason.
	said, _ := chromedp.Run(p, chromedp.Evaluate[string](
		`[...document.querySelectorAll('.prl-quiet,.jp-RenderedText[data-mime-type$="stderr"]')]`+
			`.map(e => e.textContent).filter(Boolean).join(' | ')`,
	))
	p.s.t.Fatalf("never came true: %s; the page says: %s", js, said)
}

// live waits until n figures of the page are drawn, and no more.
func (p *page) live(when string, n int) {
	p.s.t.Helper()
	p.s.t.Log(when)
	p.until(fmt.Sprintf("window.PrlPlot && [...PrlPlot.live].filter((f) => f.host.isConnected && f.cells).length === %d", n))
}

func (p *page) command(name string) {
	p.s.t.Helper()
	eval[any](p, "jupyterapp.commands.execute('"+name+"').then(() => 0)")
}

// idle waits until the kernel has nothing to do.
func (p *page) idle() {
	p.s.t.Helper()
	p.until("jupyterapp.shell.currentWidget.sessionContext.session?.kernel?.status === 'idle'")
}

// run runs a cell and waits for it.
func (p *page) run(cell int) {
	p.s.t.Helper()
	p.idle()
	eval[any](
		p,
		fmt.Sprintf(
			"(jupyterapp.shell.currentWidget.content.activeCellIndex = %d, jupyterapp.commands.execute('notebook:run-cell').then(() => 0))",
			cell,
		),
	)
}

func (p *page) reload() {
	p.s.t.Helper()
	p.do(chromedp.Navigate(eval[string](p, "location.href")))
	p.ready()
}
