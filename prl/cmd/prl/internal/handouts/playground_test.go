package handouts

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/prlab/prlab/prl/cmd/prl/internal/playground"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
	"github.com/prlab/prlab/prl/notebook"
)

// attack shows what a page must not take, and reaches for what is not the cell's.
const attack = "%%\ncell.Display(cell.Bundle{HTML: `<b>kept</b><script>document.title = \"taken\"</script>" +
	"<img src=x onerror=\"document.title = 'taken'\"><iframe src=\"https://example.org\"></iframe>" +
	"<img data-prl-spec=\"{\" data-prl-` + `live=\"{\" alt=\"x\"><a href=\"javascript:document.title='taken'\">z</a>`})\n" +
	"_, err := os.ReadFile(\"/etc/passwd\")\nfmt.Println(err)"

// writePlayground makes a notebook of small cells, none of which has an output, and takes the seals of chapter 22.
func writePlayground(t *testing.T, root string) string {
	t.Helper()
	chapter, err := notebook.Read(filepath.Join(root, "22-soft-margin.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	seals := chapter.Cells[slices.IndexFunc(chapter.Cells, func(c *notebook.Cell) bool { return c.ID() == "seals" })]
	none := map[string]any{}
	code := func(id, source string, tags ...string) map[string]any {
		return map[string]any{
			"cell_type": "code", "id": id, "metadata": map[string]any{"tags": append([]string{}, tags...)}, "execution_count": 1,
			"source": source, "outputs": []any{},
		}
	}
	prose := func(id, source string) map[string]any {
		return map[string]any{"cell_type": "markdown", "id": id, "metadata": none, "source": source}
	}
	text, err := json.Marshal(map[string]any{"nbformat": 4, "nbformat_minor": 5, "metadata": none, "cells": []any{
		prose("title", "# To run\n\nCells that are changed and run in the page. </script><b>No</b> tag ends what the page holds."),
		code("imports", "import (\n\t\"fmt\"\n\t\"os\"\n\n\t\"github.com/prlab/prlab/plotting\"\n\t\"github.com/prlab/prlab/prl\"\n"+
			"\t\"github.com/prlab/prlab/prl/cell\"\n\t\"github.com/prlab/prlab/prl/live\"\n)"),
		code("sum", "fmt.Println(1 + 1)"),
		code("f", "func f() int { return 3 }"),
		prose("more", "## More\n\nThe next cells use the first."),
		code("use", "%%\nfmt.Println(\"f gives\", f())\nprl.Check(\"\", \"f is three\").Equal(f(), 3)"),
		code("line", `%%
prl.Live(func(in *live.Inputs) *plotting.Figure {
	b := in.Slider("slope β", 0, 2, live.Step(0.1))
	prl.Check("", "the slope is not negative").AtLeast(b, 0)
	return plotting.New(plotting.Line([]float64{0, 4}, []float64{0, 4 * b})).Title("A slope").Subtitle(fmt.Sprintf("β = %.1f", b))
}).Show()`, "hide-input"),
		code("film", `plotting.Slide("slope k", []float64{0.5, 1, 2}, func(k float64) *plotting.Figure {
	return plotting.New(plotting.Line([]float64{0, 4}, []float64{0, 4 * k})).Title("Slopes").Subtitle(fmt.Sprintf("k = %.3f", k))
}).Show()`),
		code("loop", "%%\nfmt.Println(\"begins\")\nfor {\n}"),
		code("flood", "%%\nfor {\n\tfmt.Println(\"much\")\n}"),
		code("panics", "%%\nvar list []int\nfmt.Println(list[len(list)])"),
		code("attack", attack),
		code("seals", seals.Source(), "seals", "hide-input"),
		code("ex", "var answer = \"\"\n%%\nprl.Exercise(\"22-4\", \"a constant in K\").Choice(answer)", "exercise"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "51-run.ipynb")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A player is a page whose cells a reader runs.
type player struct{ *visit }

// press clicks a button of a cell with the mouse.
func (p player) press(cell, button string) {
	p.t.Helper()
	p.click(`[...document.querySelectorAll("#cell-` + cell + ` .go-bar button")].find(b => b.textContent === "` + button + `")`)
}

// click clicks the middle of an element, given as an expression, with the mouse, once the page has come to rest there.
func (p player) click(element string) {
	p.t.Helper()
	const middle = `(async () => {
		const b = %s, rest = () => new Promise((done) => setTimeout(done, 100));
		for (let last; ; await rest()) {
			b.scrollIntoView({block: "center", behavior: "instant"});
			const r = b.getBoundingClientRect(), at = [r.left + r.width / 2, r.top + r.height / 2];
			if (String(at) === String(last) && b.contains(document.elementFromPoint(...at))) return at;
			last = at;
		}
	})()`
	at := ask[[]float64](p.visit, fmt.Sprintf(middle, element))
	p.do(chromedp.MouseClickXY(at[0], at[1]))
}

// write types a text in the place of what the editor of a cell holds.
func (p player) write(cell, text string) {
	p.t.Helper()
	p.do(chromedp.Click("#cell-" + cell + " .cm-content"))
	p.do(chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	p.do(command(input.InsertText, input.InsertTextParams{Text: text}))
}

// shiftEnter presses the keys as a keyboard does: without the character that follows where a page leaves the key to the browser.
func (p player) shiftEnter() {
	p.t.Helper()
	for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeRawKeyDown, input.DispatchKeyEventTypeKeyUp} {
		p.do(command(input.DispatchKeyEvent, input.DispatchKeyEventParams{
			Type: kind, Key: "Enter", Code: "Enter", WindowsVirtualKeyCode: 13, Modifiers: 8,
		}))
	}
}

// ends waits until a cell has run, with these words in its line, and returns what stands below it.
func (p player) ends(cell, words string) string {
	p.t.Helper()
	p.until(`(() => { const s = document.querySelector("#cell-` + cell + `"); return s.dataset.ran &&
		!s.querySelector(".go-bar button:disabled") &&
		s.querySelector(".go-said").textContent.includes("` + words + `"); })()`)
	return ask[string](p.visit, `document.querySelector("#cell-`+cell+` .go-output")?.innerText ?? ""`)
}

// The cells of a page are changed and run, from a disk and without a network: with the mouse and with the keys. Without the playground a
// page has nothing of all this.
func TestPlayground(t *testing.T) {
	if testing.Short() {
		t.Skip("builds Go's compiler")
	}
	l, _ := lab(t)
	path, out, plain := writePlayground(t, l.Notebooks()), t.TempDir(), t.TempDir()
	o := Options{HTML: true, Playground: true, Versions: []Version{Plain}, Out: out, Course: DefaultCourse(), Timeout: time.Hour}
	if err := Build(t.Context(), l, []string{path}, o); err != nil {
		t.Fatal(err)
	}
	o.Playground, o.Out = false, plain
	if err := Build(t.Context(), l, []string{path}, o); err != nil {
		t.Fatal(err)
	}
	with, err := os.ReadFile(filepath.Join(out, "51-run.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, notice := range []string{"Marijn Haverbeke", "Permission is hereby granted, free of charge", "Mike Bostock"} {
		if !strings.Contains(string(with), notice) {
			t.Errorf("the page does not say %s", notice)
		}
	}
	without, err := os.ReadFile(filepath.Join(plain, "51-run.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"go-bar", "cm-editor", "prl-notebook", playground.FileName, "file:", "CodeMirror", "wasm-unsafe-eval"} {
		if strings.Contains(string(without), word) {
			t.Errorf("a page without the playground has %q", word)
		}
	}
	if _, err := os.Stat(filepath.Join(plain, playground.FileName)); err == nil {
		t.Error("a toolchain stands beside pages without the playground")
	}

	press := testPress(t)
	p := player{openPage(t, press, filepath.Join(out, "51-run.html"), true, 1000, 900)}
	p.until(`document.querySelector("#cell-ex .cm-content")`)
	if ask[bool](p.visit, `!!document.querySelector("script[src]") || "prlToolchain" in window`) {
		t.Error("the toolchain is loaded before the first run")
	}
	if got := ask[string](p.visit, `document.querySelector("#cell-title").innerText`); !strings.Contains(got, "No tag ends") {
		t.Errorf("the text is %q", got)
	}

	p.press("sum", "Run")
	if got := p.ends("sum", "ran"); strings.TrimSpace(got) != "2" {
		t.Errorf("1 + 1 is %q", got)
	}
	if said := ask[string](p.visit, `document.querySelector("#cell-sum .go-said").textContent`); !strings.HasPrefix(said, "compiled ") ||
		!strings.Contains(said, "linked ") {
		t.Errorf("what it cost: %q", said)
	}
	p.press("sum", "Edit")
	p.write("sum", "fmt.Println(6 * 7)")
	p.shiftEnter()
	p.until(`document.querySelector("#cell-sum .go-output")?.innerText.trim() === "42"`)
	p.ends("sum", "ran")
	p.press("sum", "Run")
	p.ends("sum", "not changed")

	p.write("sum", "fmt.Println(1)\nfmt.Println(g())")
	p.press("sum", "Run")
	if got := p.ends("sum", "does not compile"); !strings.Contains(got, "line 2: undefined: g") {
		t.Errorf("a mistake is told as %q", got)
	}
	const wrong = `(() => {
		const w = document.querySelector("#cell-sum .go-wrong");
		return w && w.textContent + " | " + w.previousSibling.textContent;
	})()`
	if got := ask[string](p.visit, wrong); got != "undefined: g | fmt.Println(g())" {
		t.Errorf("the mistake stands at %q", got)
	}
	p.press("sum", "As printed")
	p.until(`!document.querySelector("#cell-sum :is(.cm-editor, .go-output)") &&
		document.querySelector("#cell-sum .highlight").offsetHeight > 0`)

	p.press("use", "Run")
	if got := p.ends("use", "ran"); !strings.Contains(got, "f gives 3") || ask[int](p.visit,
		`document.querySelectorAll("#cell-use [data-prl-outcome=passed]").length`) != 1 {
		t.Errorf("a check that holds: %q", got)
	}
	p.press("f", "Edit")
	p.write("f", "func f() int { return 4 }")
	p.press("use", "Run")
	if got := p.ends("use", "ended with status 1"); !strings.Contains(got, "f gives 4") || ask[int](p.visit,
		`document.querySelectorAll("#cell-use [data-prl-outcome=failed]").length`) != 1 {
		t.Errorf("a check that does not hold: %q", got)
	}

	p.press("line", "Run")
	p.ends("line", "ran")
	p.until(`document.querySelector("#cell-line .prl-moves") && [...PrlPlot.live].some(f => f.moves && f.moves.awake)`)
	p.do(chromedp.Focus("#cell-line .prl-inputs .prl-range"), chromedp.KeyEvent(kb.ArrowRight))
	p.until(`document.querySelector("#cell-line .prl-subtitle").textContent === "β = 1.1"`)
	p.until(`document.querySelector("#cell-line .prl-live-now").textContent.includes("1.1 ≥ 0")`)

	p.press("film", "Run")
	p.ends("film", "ran")
	p.until(`document.querySelector("#cell-film .prl-lives")`)
	p.do(chromedp.Focus("#cell-film .prl-inputs .prl-range"), chromedp.KeyEvent(kb.ArrowRight))
	p.until(`/^k = 0[.]5(?!00)/.test(document.querySelector("#cell-film .prl-subtitle").textContent)`) // between two frames

	p.press("loop", "Run")
	p.until(`document.querySelector("#cell-loop .go-output")?.innerText.includes("begins")`)
	p.press("loop", "Stop")
	p.ends("loop", "stopped")
	p.press("flood", "Run")
	p.ends("flood", "it wrote too much")
	p.press("panics", "Run")
	p.ends("panics", "ended with status 2")
	const line = `document.querySelector("#cell-panics .go-wrong").previousSibling.textContent`
	if got := ask[string](p.visit, line); got != "fmt.Println(list[len(list)])" {
		t.Errorf("the panic stands at %q", got)
	}
	p.press("attack", "Run")
	if got := p.ends("attack", "ran"); !strings.Contains(got, "kept") || !strings.Contains(got, "passwd") || ask[bool](p.visit,
		`document.title.includes("taken") || !!document.querySelector("#cell-attack :is(script, iframe, [onerror], [href^=javascript])")`) {
		t.Errorf("what attacks: %q", got)
	}

	p.write("ex", "var answer = \"a\"\n%%\nprl.Exercise(\"22-4\", \"a constant in K\").Choice(answer)")
	p.press("ex", "Run")
	if got := p.ends("ex", "ran"); !strings.Contains(got, "✗") || !strings.Contains(got, "without a bias") {
		t.Errorf("a wrong answer: %q", got)
	}
	p.write("ex", "var answer = \"b\"\n%%\nprl.Exercise(\"22-4\", \"a constant in K\").Choice(answer)")
	p.press("ex", "Run")
	if got := p.ends("ex", "ran"); !strings.Contains(got, "✓") {
		t.Errorf("a right answer: %q", got)
	}

	p.click(`document.querySelector(".go-more button")`)
	p.until(`document.activeElement.closest("section")?.id.startsWith("cell-own-")`)
	p.do(chromedp.KeyEvent(`fmt.Println("mine", f())`))
	p.shiftEnter()
	p.until(`document.querySelector("[id^=cell-own-] .go-output")?.innerText.includes("mine 4")`)
	p.quiet()
	p.kept()
	unchanged(t, l, press)
}

// unchanged wants the program of a page to answer the first run of a cell with a live figure, without the toolchain.
func unchanged(t *testing.T, l *setup.Lab, press *printer) {
	out := t.TempDir()
	o := Options{HTML: true, Playground: true, Versions: []Version{Plain}, Out: out, Course: DefaultCourse(), Timeout: time.Hour}
	if err := Build(t.Context(), l, []string{filepath.Join(l.Notebooks(), "07-bayes-learning.ipynb")}, o); err != nil {
		t.Fatal(err)
	}
	p := player{openPage(t, press, filepath.Join(out, "07-bayes-learning.html"), true, 1000, 900)}
	const cell = `document.querySelector("section.cell:has(.output .prl-live)")`
	ask[bool](p.visit, `(`+cell+`.scrollIntoView(), true)`)
	p.until(cell + `.querySelector(".prl-moves")`)
	id := strings.TrimPrefix(ask[string](p.visit, cell+`.id`), "cell-")
	p.press(id, "Run")
	p.ends(id, "drawn again in 0.")
	if ask[bool](p.visit, `"prlToolchain" in window`) {
		t.Error("the toolchain is loaded for a cell that nobody changed")
	}
	p.quiet()
}

// kept opens the page again, which has what was written, and saves it as a notebook.
func (p player) kept() {
	t := p.t
	time.Sleep(time.Second) // texts are kept a moment after the last key
	p.do(chromedp.Reload())
	p.until(`document.querySelector("#cell-f .cm-content")?.textContent.includes("return 4") &&
		document.querySelector("[id^=cell-own-] .cm-content")`)
	folder := t.TempDir()
	at := chromedp.FromContext(p.ctx)
	if _, err := cdp.Call(p.ctx, at.Browser, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: folder, BrowserContextID: at.BrowserContextID,
	}); err != nil {
		t.Fatal(err)
	}
	p.click(`document.querySelector(".go-more button:last-child")`)
	name := filepath.Join(folder, "51-run.ipynb")
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if _, err := os.Stat(name); err == nil {
			break
		}
	}
	saved, err := notebook.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	var order []string
	for _, c := range saved.Cells {
		id := c.ID()
		if strings.HasPrefix(id, "own-") {
			id = "own"
		}
		texts[id], order = c.Source(), append(order, id)
	}
	for id, want := range map[string]string{
		"sum": "fmt.Println(1 + 1)", "f": "func f() int { return 4 }", "own": `fmt.Println("mine", f())`,
		"ex": "var answer = \"b\"\n%%\nprl.Exercise(\"22-4\", \"a constant in K\").Choice(answer)",
	} {
		if texts[id] != want {
			t.Errorf("the saved notebook has in cell %s %q, want %q", id, texts[id], want)
		}
	}
	if want := []string{"f", "own", "more"}; !slices.Equal(order[3:6], want) {
		t.Errorf("the cells are %q, want %q in their middle", order, want)
	}
}
