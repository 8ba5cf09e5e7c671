package handouts

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl"
	outputs "github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/live"
)

// slope is what the live cell of the test's notebook draws.
func slope(in *live.Inputs) *plotting.Figure {
	b := in.Slider("slope β", 0, 2, live.Step(0.1))
	prl.Check("", "the slope is not negative").AtLeast(b, 0)
	title := []string{"A slope", "A steep slope"}[int(b/1.3)]
	return plotting.New(plotting.Line([]float64{0, 4}, []float64{0, 4 * b})).Title(title).Subtitle(fmt.Sprintf("β = %.1f", b))
}

// alive is what the cell shows. It is taken once, because a program numbers its live figures, and the notebook's has one.
var alive = sync.OnceValue(func() outputs.Recording { return outputs.Capture(func() { prl.Live(slope).Show() }) })

// writeAlive makes a notebook with a live figure, and with links that set it.
func writeAlive(t *testing.T) string {
	t.Helper()
	shown := alive()
	if shown.Failed {
		t.Fatal(shown.Text())
	}
	none := map[string]any{}
	code := func(id, source string, all ...any) map[string]any {
		return map[string]any{
			"cell_type": "code", "id": id, "metadata": none, "execution_count": 1, "source": source, "outputs": append([]any{}, all...),
		}
	}
	text, err := json.Marshal(map[string]any{"nbformat": 4, "nbformat_minor": 5, "metadata": none, "cells": []any{
		map[string]any{
			"cell_type": "markdown", "id": "title", "metadata": none,
			"source": "# Alive\n\nMake the line [steeper](#fig=line?slope%20β=1.5), or [begin again](#fig=line). The rule is $y=\\beta x$.",
		},
		code("imports", "import (\n\t\"fmt\"\n\n\t\"github.com/prlab/prlab/plotting\"\n\t\"github.com/prlab/prlab/prl\"\n"+
			"\t\"github.com/prlab/prlab/prl/live\"\n)"),
		code("line", `%%
prl.Live(func(in *live.Inputs) *plotting.Figure {
	b := in.Slider("slope β", 0, 2, live.Step(0.1))
	prl.Check("", "the slope is not negative").AtLeast(b, 0)
	title := []string{"A slope", "A steep slope"}[int(b/1.3)]
	return plotting.New(plotting.Line([]float64{0, 4}, []float64{0, 4 * b})).Title(title).Subtitle(fmt.Sprintf("β = %.1f", b))
}).Show()`, map[string]any{"output_type": "display_data", "metadata": none, "data": map[string]any{
			"text/html":  strings.Replace(shown.HTML(), "<img ", `<img data-prl-src="0123.wasm.gz" `, 1),
			"text/plain": shown.Text(),
		}}),
	}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "50-alive.ipynb")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The figure of a page computes, with the network off and under the policy of the page; slides and paper show the still.
func TestLivePage(t *testing.T) {
	l, _ := lab(t)
	out := t.TempDir()
	o := Options{HTML: true, Slides: true, Versions: []Version{Plain}, Out: out, Course: DefaultCourse(), Timeout: time.Hour}
	if err := Build(t.Context(), l, []string{writeAlive(t)}, o); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(out, "50-alive.html")
	read := func(name string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	page := read("50-alive.html")
	t.Logf("the page has %d bytes", len(page))
	if len(page) > mostPage {
		t.Errorf("the page has %d bytes, more than %d", len(page), mostPage)
	}
	for _, one := range []struct {
		where, text string
		live        int
	}{{"the page", page, 1}, {"the slides", read("50-alive.slides.html"), 0}, {"the index", read("index.html"), 0}} {
		for _, words := range []string{
			"&#39;wasm-unsafe-eval&#39;; worker-src blob:\">", "data-prl-exec>", "data-prl-module=letters>",
			`data-prl-live="`,
		} {
			if n := strings.Count(one.text, words); n != one.live {
				t.Errorf("%s has %q %d times, want %d", one.where, words, n, one.live)
			}
		}
		if strings.Contains(one.text, "data-prl-src") {
			t.Errorf("%s names a program of a lab's server", one.where)
		}
	}
	if links := strings.Count(page, `href="#fig=line`); links != 2 || strings.Contains(read("50-alive.slides.html"), "#fig=") {
		t.Errorf("%d links set the figure, want 2, and none on slides", links)
	}

	press := testPress(t)
	const subtitle = `document.querySelector(".prl-subtitle").textContent`
	v := openPage(t, press, file, true, 1000, 900)
	v.until(`document.querySelector(".prl-moves") && [...PrlPlot.live].some(f => f.moves && f.moves.awake)`)
	v.do(chromedp.Focus(".prl-inputs .prl-range"), chromedp.KeyEvent(kb.ArrowRight))
	v.until(subtitle + ` === "β = 1.1"`)
	v.until(`document.querySelector(".prl-live-now").textContent.includes("1.1 ≥ 0")`)
	v.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll("a")].find(a => a.textContent === "steeper").click()`))
	v.until(subtitle + ` === "β = 1.5"`)
	const name = `document.querySelector(".figure-name").textContent`
	v.until(name + `.endsWith(": A steep slope")`)
	v.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll("a")].find(a => a.textContent === "begin again").click()`))
	v.until(subtitle + ` === "β = 1.0"`)
	v.until(name + `.endsWith(": A slope")`)
	if faults := apart(v); len(faults) > 0 {
		t.Error(faults)
	}
	v.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".prl-inputs").style.height = "700px"`))
	if faults := apart(v); len(faults) != len(panels) {
		t.Errorf("controls of 700 px are in sight together with the picture: %q", faults)
	}
	v.quiet()
	testPage(t, press, file, true)
	testPage(t, press, file, false)

	// The policy is needed, and enough: without either permission nothing computes, and the still stays.
	for _, permission := range []string{" &#39;wasm-unsafe-eval&#39;", "; worker-src blob:"} {
		strict := filepath.Join(out, "strict.html")
		if err := os.WriteFile(strict, []byte(strings.Replace(page, permission, "", 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		v := openPage(t, press, strict, true, 1000, 900)
		v.until(`document.querySelector(".prl-stays") && document.querySelector(".prl-live-out").offsetHeight > 10`)
	}
	damaged := filepath.Join(out, "damaged.html")
	if err := os.WriteFile(damaged, []byte(regexp.MustCompile(`data-prl-module=letters>[^<]{1000}`).ReplaceAllString(page,
		"data-prl-module>")), 0o600); err != nil {
		t.Fatal(err)
	}
	v = openPage(t, press, damaged, true, 1000, 900)
	v.until(`document.querySelector(".prl-quiet")?.textContent.includes("damaged")`)
}
