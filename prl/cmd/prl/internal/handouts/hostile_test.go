package handouts

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
)

// attacks is what a stranger may write into a notebook, with URL for an address that listens and FILE for a file of the machine.
const attacks = `<script>fetch("URL/fetch"); new Image().src = "URL/image"; location = "URL/navigation"; document.title = "taken"</script>
<img src="data:image/png;base64,AAAA" onerror="location='URL/handler'">
<svg onload="location='URL/svg'"><script>location = "URL/svgscript"</script></svg>
<iframe src="URL/frame"></iframe><iframe srcdoc="&lt;script&gt;parent.location='URL/srcdoc'&lt;/script&gt;"></iframe>
<iframe src="file://FILE"></iframe><object data="file://FILE"></object><embed src="file://FILE">
<link rel="stylesheet" href="URL/link"><style>@import "URL/import"; body { background: url(URL/background) }</style>
<p style="background: url(URL/style)">text</p><p style="position: fixed; inset: 0; background: red">over the page</p>
<form action="URL/form" id="attack"><button type="submit" formaction="URL/formaction">Go</button></form>
<a href="javascript:location='URL/link'" class="tempting">x</a><a href="  jAvascript:location='URL/link2'" class="tempting">y</a>
<details open ontoggle="location='URL/toggle'"><summary>z</summary></details>
<base href="URL/"><video src="URL/video" autoplay></video><audio src="URL/audio"></audio><input autofocus onfocus="location='URL/focus'">`

// refresh leaves the page without a script; no policy forbids that.
const refresh = `<meta http-equiv="refresh" content="0; url=URL/refresh">`

// A listener counts what reaches it.
type listener struct {
	*httptest.Server
	heard atomic.Pointer[string]
}

func listen(t *testing.T) *listener {
	l := &listener{}
	l.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.Path
		l.heard.Store(&path)
	}))
	t.Cleanup(l.Close)
	return l
}

func (l *listener) silent(t *testing.T, where string) {
	t.Helper()
	if path := l.heard.Load(); path != nil {
		t.Errorf("%s reached the network: %s", where, *path)
	}
}

// visitOnline opens a page in a browser that has its network, clicks what is tempting and submits what can be.
func visitOnline(t *testing.T, press *printer, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	tab, cancel := chromedp.NewContext(press.ctx)
	defer cancel()
	defer time.AfterFunc(2*time.Minute, cancel).Stop()
	if err := chromedp.Do(tab, chromedp.Navigate("file://"+file)); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond)
	_, err := chromedp.Run(
		tab,
		chromedp.Evaluate[bool](
			`(document.querySelectorAll(".tempting").forEach(a => a.click()), document.querySelectorAll("form").forEach(f => f.submit()), true)`,
		),
	)
	if err != nil {
		t.Log(err) // the page may have left
	}
	time.Sleep(700 * time.Millisecond)
	title, err := chromedp.Run(tab, chromedp.Evaluate[string](`document.title`))
	if err != nil {
		t.Fatal(err)
	}
	return title
}

// onlineChromium is one that finds the network, so that only pages themselves hold attacks back.
func onlineChromium(t *testing.T) *printer {
	t.Helper()
	chromium, err := setup.ThisMachine().Chromium()
	if err != nil {
		t.Fatal(err)
	}
	press, err := openPrinter(t.Context(), chromium, chromedp.Flag("host-resolver-rules", false))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(press.close)
	return press
}

// TestHostileNotebook makes handouts of a notebook full of attacks, opens and prints them.
func TestHostileNotebook(t *testing.T) {
	l, _ := lab(t)
	online := onlineChromium(t)
	const secret = "the content of a file of this machine"
	private := filepath.Join(t.TempDir(), "private.txt")
	if err := os.WriteFile(private, []byte(secret), 0o600); err != nil {
		t.Fatal(err)
	}
	fill := func(server *listener, text string) string {
		return strings.NewReplacer("URL", server.URL, "FILE", private).Replace(text)
	}

	control := listen(t) // the attacks are real
	visitOnline(t, online, "<!DOCTYPE html><title>open</title><h1>Open</h1>"+fill(control, attacks))
	if control.heard.Load() == nil {
		t.Fatal("without any defence nothing reaches the network, so this test shows nothing")
	}

	server := listen(t)
	hostile := fill(server, attacks+refresh)
	shown := func(data map[string]any) map[string]any {
		return map[string]any{"output_type": "display_data", "metadata": map[string]any{}, "data": data}
	}
	notebook, err := json.Marshal(map[string]any{"nbformat": 4, "nbformat_minor": 5, "metadata": map[string]any{}, "cells": []map[string]any{
		{
			"cell_type": "markdown",
			"id":        "title",
			"metadata":  map[string]any{},
			"source":    "# Hostile\n\n" + hostile + "\n\n[x](javascript:location='" + server.URL + "/markdown')",
		},
		{"cell_type": "raw", "id": "raw", "metadata": map[string]any{"format": "text/html"}, "source": hostile},
		{"cell_type": "code", "id": "shows", "metadata": map[string]any{}, "execution_count": 1, "source": "shown()", "outputs": []any{
			shown(map[string]any{"text/html": hostile}),
			shown(map[string]any{"text/markdown": hostile}),
			shown(map[string]any{"image/png": `AAAA" onerror="location='` + server.URL + `/png'`}),
			map[string]any{"output_type": "stream", "name": "stdout", "text": hostile},
			map[string]any{"output_type": "error", "ename": "e", "evalue": hostile, "traceback": []any{}},
		}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "70-hostile.ipynb")
	if err := os.WriteFile(file, notebook, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(filepath.Join(l.Own("handouts"), "70-hostile.json")) })
	out := t.TempDir()
	if err := Build(t.Context(), l, []string{file}, Options{
		HTML: true, Slides: true, PDF: true, AllowFailed: true, Versions: []Version{Plain}, Out: out,
		Course: DefaultCourse(), Timeout: 2 * time.Minute,
	}); err != nil {
		t.Fatal(err)
	}
	server.silent(t, "printing")
	for _, name := range []string{"70-hostile.html", "70-hostile.slides.html"} {
		text, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		if title := visitOnline(t, online, string(text)); title != "Hostile" {
			t.Errorf("%s: the page is now %q", name, title)
		}
		server.silent(t, name)
	}
	if text := poppler(t, "pdftotext", filepath.Join(out, "70-hostile.pdf"), "-"); strings.Contains(text, "content of a file") ||
		!strings.Contains(text, "Hostile") {
		t.Errorf("the PDF says %s", text)
	}
}

// TestPolicies puts attacks where the cleaning of cells would have removed them, and wants the page's own policy to hold them back; paper
// too, with a script that never ends.
func TestPolicies(t *testing.T) {
	l, _ := lab(t)
	press := onlineChromium(t)
	d, err := readDesign(l)
	if err != nil {
		t.Fatal(err)
	}
	private := filepath.Join(t.TempDir(), "private.txt")
	if err := os.WriteFile(private, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	server := listen(t)
	hostile := strings.NewReplacer("URL", server.URL, "FILE", private).Replace(attacks)
	c := &chapter{Path: "one.ipynb", Cells: []cell{{ID: "a", Kind: "markdown", HTML: `<h1 id="one">One</h1>` + hostile}}}
	page, _, err := wholeOf(t, d, nil, c).chapterPage(0)
	if err != nil {
		t.Fatal(err)
	}
	if title := visitOnline(t, press, page); title != "One" {
		t.Errorf("the page is now %q", title)
	}
	server.silent(t, "a page")
	deck, err := c.slides(Plain, d, mustRenderer(t), DefaultCourse(), []*chapter{c})
	if err != nil {
		t.Fatal(err)
	}
	visitOnline(t, press, deck)
	server.silent(t, "slides")

	c.Cells[0].HTML += `<script>for (;;) {}</script>`
	build, err := paper([]*chapter{c}, Plain, d, mustRenderer(t), DefaultCourse(), false)
	if err != nil {
		t.Fatal(err)
	}
	data, err := press.filled(t.Context(), build)
	if err != nil {
		t.Fatal(err)
	}
	server.silent(t, "paper")
	printed := filepath.Join(t.TempDir(), "one.pdf")
	if err := os.WriteFile(printed, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if text := poppler(t, "pdftotext", printed, "-"); strings.Contains(text, "secret") || !strings.Contains(text, "over the page") {
		t.Errorf("the PDF says %s", text)
	}
	// Without a policy of its own a page still has no script and no network when it is printed.
	if _, err := press.pdf(t.Context(), "<!DOCTYPE html><h1>Bare</h1>"+hostile+"<script>for (;;) {}</script>", false); err != nil {
		t.Fatal(err)
	}
	server.silent(t, "bare paper")
}

// TestPictureFiles has pictures that a notebook may embed, and files that it may not.
func TestPictureFiles(t *testing.T) {
	l, _ := lab(t)
	folder, elsewhere := t.TempDir(), t.TempDir()
	const png = "\x89PNG\r\n\x1a\n"
	for path, text := range map[string]string{
		filepath.Join(folder, "good.png"): png, filepath.Join(folder, "secret.txt"): "secret", filepath.Join(folder, "secret.png"): "secret",
		filepath.Join(folder, "drawing.svg"): `<svg xmlns="http://www.w3.org/2000/svg"/>`, filepath.Join(folder, "two words.png"): png,
		filepath.Join(elsewhere, "other.png"): png,
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{
		"link.png": filepath.Join(elsewhere, "other.png"), "inside.png": filepath.Join(folder, "good.png"),
		"folder": elsewhere,
	} {
		if err := os.Symlink(to, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	type source struct {
		text string
		well bool
	}
	sources := map[string]source{} // by notebook; all are converted by one program
	for picture, well := range map[string]bool{
		"good.png": true, "drawing.svg": true, "inside.png": true, "two%20words.png": true, "./good.png": true,
		"link.png": false, "folder/other.png": false, "secret.txt": false, "secret.png": false,
		"../" + filepath.Base(elsewhere) + "/other.png": false,
		elsewhere + "/other.png":                        false, "/etc/passwd": false, "missing.png": false,
		"file://" + elsewhere + "/other.png": false,
		"good.png%00":                        false,
		"https://example.org/x.png":          false,
	} {
		for _, text := range []string{"![x](" + picture + ")", `<img src="` + picture + `">`} {
			notebook, err := json.Marshal(map[string]any{
				"nbformat": 4, "nbformat_minor": 5, "metadata": map[string]any{},
				"cells": []map[string]any{{"cell_type": "markdown", "id": "a", "metadata": map[string]any{}, "source": text}},
			})
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(folder, fmt.Sprintf("71-pictures-%d.ipynb", len(sources)))
			if err := os.WriteFile(file, notebook, 0o600); err != nil {
				t.Fatal(err)
			}
			sources[file] = source{text, well}
		}
	}
	chapters, err := convertAll(t.Context(), l, slices.Sorted(maps.Keys(sources)), mustRenderer(t), func(int) {})
	if err == nil {
		t.Fatal("all were converted")
	}
	for _, c := range chapters {
		s := sources[c.Path]
		refused := strings.Contains(err.Error(), c.Path)
		if refused == s.well || s.well && !strings.Contains(c.Cells[0].HTML, `src="data:image/`) || refused && c.Cells != nil {
			t.Errorf("%s: refused %v, want it embedded: %v", s.text, refused, s.well)
		}
		os.Remove(filepath.Join(l.Own("handouts"), c.name()+".json"))
	}
}

// TestArchiveHoldsWhatWasMade has files of others in the folder, one of them under the name of a handout.
func TestArchiveHoldsWhatWasMade(t *testing.T) {
	l, paths := lab(t)
	out := t.TempDir()
	o := Options{HTML: true, Versions: []Version{Plain}, Out: out, Course: DefaultCourse(), Timeout: time.Hour}
	if err := Build(t.Context(), l, paths[:2], o); err != nil {
		t.Fatal(err)
	}
	first := (&chapter{Path: paths[0]}).name() + ".html"
	for _, name := range []string{"exam-with-answers.pdf", "99-other.html", "notes.ipynb", first} {
		if err := os.WriteFile(filepath.Join(out, name), []byte("private"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := Build(t.Context(), l, paths[:1], o); err != nil {
		t.Fatal(err)
	}
	archive, err := zip.OpenReader(filepath.Join(out, archiveName))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	var names []string
	for _, file := range archive.File {
		names = append(names, file.Name)
	}
	want := strings.Join([]string{first, coverageName, glossaryName, "index.html", notationName, referencesName, rivalsName}, " ")
	if got := strings.Join(names, " "); got != want {
		t.Errorf("the archive holds %s, want %s", got, want)
	}
	if data, err := os.ReadFile(filepath.Join(out, first)); err != nil || string(data) == "private" {
		t.Errorf("a file that somebody else has put in the place of a handout stays (%v)", err)
	}
	if data, err := os.ReadFile(filepath.Join(out, "exam-with-answers.pdf")); err != nil || string(data) != "private" {
		t.Errorf("a file of somebody else was touched (%v)", err)
	}
}
