package handouts

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
)

// lab is the lab of this clone, set up; its notebooks that can be handed out.
func lab(t *testing.T) (*setup.Lab, []string) {
	t.Helper()
	root, err := checkout.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	l := &setup.Lab{Checkout: root, Machine: setup.ThisMachine(), Console: console.New(os.Stderr)}
	if err := l.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(l.Notebooks(), "[0-9][0-9]-*.ipynb"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no notebooks (%v)", err)
	}
	return l, paths
}

// TestHandouts makes every handout of every notebook and opens each in Chromium with the network cut off.
func TestHandouts(t *testing.T) {
	l, paths := lab(t)
	out := t.TempDir()
	// The reader prints every notebook; one PDF of its own is enough beside it.
	o := Options{HTML: true, Reader: true, Versions: []Version{Plain}, Out: out, Course: DefaultCourse()}
	if err := Build(t.Context(), l, paths, o); err != nil {
		t.Fatal(err)
	}
	single := o
	single.HTML, single.Reader, single.PDF, single.Out = false, false, true, t.TempDir()
	if err := Build(t.Context(), l, paths[:1], single); err != nil {
		t.Fatal(err)
	}
	chromium, err := Chromium(l.Machine)
	if err != nil {
		t.Fatal(err)
	}
	press, err := openPrinter(t.Context(), chromium)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(press.close)
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".ipynb")
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(out, name+".html")
			info, err := os.Stat(file)
			if err != nil {
				t.Fatal(err)
			}
			if info.Size() > 2_500_000 {
				t.Errorf("the page has %d bytes, more than 2.5 MB", info.Size())
			}
			testPage(t, press, file, true)
			testPage(t, press, file, false)
		})
	}
	t.Run("pdf", func(t *testing.T) {
		testPDF(t, filepath.Join(single.Out, strings.TrimSuffix(filepath.Base(paths[0]), ".ipynb")+".pdf"))
	})
	t.Run("reader", func(t *testing.T) { testPDF(t, filepath.Join(out, "reader.pdf")) })
	before := modified(t, out)
	if err := Build(t.Context(), l, paths, o); err != nil {
		t.Fatal(err)
	}
	for name, at := range modified(t, out) {
		if !before[name].Equal(at) {
			t.Errorf("%s was made again although nothing had changed", name)
		}
	}
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

// testPage opens a page as a reader without a network does, with scripts or without.
func testPage(t *testing.T, press *printer, file string, scripts bool) {
	t.Helper()
	ctx, cancel := chromedp.NewContext(press.ctx)
	defer cancel()
	ctx, stop := context.WithTimeout(ctx, 60*time.Second)
	defer stop()
	var mu sync.Mutex
	var wrong []string
	if err := chromedp.Listen(ctx, func(event any) {
		mu.Lock()
		defer mu.Unlock()
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			if u := e.Request.URL; !strings.HasPrefix(u, "file:") && !strings.HasPrefix(u, "data:") && !strings.HasPrefix(u, "blob:") {
				wrong = append(wrong, "request to "+u)
			}
		case *cdpruntime.EventExceptionThrown:
			wrong = append(wrong, "exception: "+e.ExceptionDetails.Text)
		case *cdpruntime.EventConsoleAPICalled:
			if e.Type == cdpruntime.ConsoleAPICalledTypeError {
				wrong = append(wrong, "console error")
			}
		case *log.EventEntryAdded:
			if e.Entry.Level == log.EntryLevelError {
				wrong = append(wrong, "console: "+e.Entry.Text)
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	do := func(steps ...chromedp.Action[chromedp.Void]) {
		t.Helper()
		if err := chromedp.Do(ctx, steps...); err != nil {
			t.Fatal(err)
		}
	}
	do(send(network.Enable, network.EnableParams{}), send(log.Enable, cdp.Empty{}),
		send(network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: []*network.Conditions{{Offline: true}}}))
	do(chromedp.EmulateViewport(1000, 900))
	if !scripts {
		do(send(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}))
	}
	do(chromedp.Navigate("file://" + file))
	var seen struct {
		Painted, Stills, Formulas, Blank int
		Text                             string
	}
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
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		seen, err = chromedp.Run(ctx, chromedp.Evaluate[struct {
			Painted, Stills, Formulas, Blank int
			Text                             string
		}](look))
		if err != nil {
			t.Fatal(err)
		}
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
	do(chromedp.EmulateViewport(360, 700))
	width, err := chromedp.Run(ctx, chromedp.Evaluate[int](`document.documentElement.scrollWidth`))
	if err != nil || width > 360 {
		t.Errorf("scripts %v: on a screen of 360 px the page is %d px wide (%v)", scripts, width, err)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(wrong) > 0 {
		t.Errorf("scripts %v: %v", scripts, wrong)
	}
}

var figureTag = regexp.MustCompile(`<img [^>]*class="prl-figure"`)

var rawTeX = regexp.MustCompile(`.{0,30}(\$|\\[a-zA-Z]{2,}).{0,30}`)

func send[P, R any](command cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, command, params)
		return chromedp.Void{}, err
	}
}

var (
	pageSize = regexp.MustCompile(`<page width="([0-9.]+)" height="([0-9.]+)">`)
	wordBox  = regexp.MustCompile(`<word xMin="([-0-9.]+)" yMin="([-0-9.]+)" xMax="([-0-9.]+)" yMax="([-0-9.]+)">(.*?)</word>`)
)

// testPDF reads a PDF with poppler's tools: page numbers, headings, fonts, no pixels, nothing off the page.
func testPDF(t *testing.T, file string) {
	t.Helper()
	tool := func(name string, args ...string) string {
		t.Helper()
		out, err := exec.CommandContext(t.Context(), name, args...).Output()
		if err != nil {
			t.Fatalf("%s (Debian: apt install poppler-utils): %v", name, err)
		}
		return string(out)
	}
	for i, line := range strings.Split(strings.TrimSpace(tool("pdffonts", file)), "\n") {
		if fields := strings.Fields(line); i > 1 && fields[len(fields)-5] != "yes" {
			t.Errorf("a font is not embedded: %s", line)
		}
	}
	if rows := strings.Split(strings.TrimSpace(tool("pdfimages", "-list", file)), "\n"); len(rows) > 2 {
		t.Errorf("%d raster pictures", len(rows)-2)
	}
	pages := strings.Split(strings.TrimSuffix(tool("pdftotext", "-layout", file, "-"), "\f"), "\f")
	numbers := 0
	for i, text := range pages {
		lines := strings.Split(strings.TrimSpace(text), "\n")
		if strings.TrimSpace(lines[len(lines)-1]) == strconv.Itoa(i+1) {
			numbers++
		}
		if m := rawTeX.FindString(text); m != "" && strings.Contains(m, `\frac`) {
			t.Errorf("page %d has raw TeX: %s", i+1, m)
		}
	}
	if numbers < len(pages)-1 { // a title page has none
		t.Errorf("%d of %d pages have their number", numbers, len(pages))
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	where, err := destinations(data)
	if err != nil || len(where) < 3 {
		t.Fatalf("%d targets of links (%v)", len(where), err)
	}
	joined := strings.Join(strings.Fields(strings.Join(pages, " ")), " ")
	for _, want := range []string{"Contents", "References"} {
		if !strings.Contains(joined, want) {
			t.Errorf("the text has no %q", want)
		}
	}
	if !strings.Contains(string(data), "/Type /Outlines") {
		t.Error("no bookmarks")
	}
	var width, height float64
	for line := range strings.Lines(tool("pdftotext", "-bbox", file, "-")) {
		if m := pageSize.FindStringSubmatch(line); m != nil {
			fmt.Sscan(m[1]+" "+m[2], &width, &height)
		}
		if m := wordBox.FindStringSubmatch(line); m != nil {
			var x0, y0, x1, y1 float64
			fmt.Sscan(strings.Join(m[1:5], " "), &x0, &y0, &x1, &y1)
			if x0 < -0.5 || y0 < -0.5 || x1 > width+0.5 || y1 > height+0.5 {
				t.Errorf("%q lies outside the page: %v %v %v %v in %v x %v", m[5], x0, y0, x1, y1, width, height)
			}
		}
	}
}
