package handouts

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// TestFolded reads a notebook whose cells hide their code by tag and as JupyterLab does, and opens its page: the code is folded, opens, is
// not printed unless it stands open, and is not on slides.
func TestFolded(t *testing.T) {
	l, _ := lab(t)
	code := func(id, source string, count int, metadata map[string]any, outputs ...map[string]any) map[string]any {
		return map[string]any{
			"cell_type":       "code",
			"id":              id,
			"source":          source,
			"execution_count": count,
			"metadata":        metadata,
			"outputs":         append([]map[string]any{}, outputs...),
		}
	}
	shows := func(html string) map[string]any {
		return map[string]any{
			"output_type": "display_data",
			"metadata":    map[string]any{},
			"data":        map[string]any{"text/html": html, "text/plain": "shown"},
		}
	}
	const figure = `<img alt="A dot." class="prl-figure" src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='80' ` +
		`height='80'%3E%3Ccircle r='9' cx='40' cy='40'/%3E%3C/svg%3E">`
	data, err := json.Marshal(map[string]any{"nbformat": 4, "nbformat_minor": 5, "metadata": map[string]any{}, "cells": []map[string]any{
		{"cell_type": "markdown", "id": "title", "metadata": map[string]any{}, "source": "# Folded"},
		code("tagged", "plotted()\n%%\nshown()", 3, map[string]any{"tags": []string{"hide-input"}}, shows(figure)),
		code("collapsed", "prepared()", 5, map[string]any{"jupyter": map[string]any{"source_hidden": true}}, shows("<p>done</p>")),
		code("open", "derived()", 6, map[string]any{"tags": []string{}}, shows("<p>done</p>")),
		code("empty", "", 0, map[string]any{"tags": []string{"hide-input"}}),
	}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "97-folded.ipynb")
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(filepath.Join(l.Own("handouts"), "97-folded.json")) })
	math := mustRenderer(t)
	chapters, err := convertAll(t.Context(), l, []string{file}, math, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	c := chapters[0]
	for i, want := range []struct {
		summary, note string
	}{{}, {"<summary>Code of the figure (3 lines)</summary>", "cell [3]"}, {"<summary>Code (1 line)</summary>", "cell [5]"}, {}, {}} {
		one := &c.Cells[i]
		short := one.shown(i+1, ShortCode)
		if one.Folded != (want.summary != "") || !strings.Contains(one.HTML, want.summary) || !strings.Contains(short, want.note) ||
			strings.Contains(short, "code-note") != one.Folded {
			t.Errorf("cell %s: folded %v, on paper %s, on a page %s", one.ID, one.Folded, short, one.HTML)
		}
	}
	d, err := readDesign(l)
	if err != nil {
		t.Fatal(err)
	}
	page, _, err := wholeOf(t, d, nil, chapters...).chapterPage(0)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "folded.html")
	if err := os.WriteFile(name, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	v := openPage(t, testPress(t), name, true, 1000, 900)
	// seen lists which of the texts can be seen.
	const seen = `(() => [...document.querySelectorAll("main summary, main pre, main .code-note")].filter(e => e.checkVisibility()).map(e ` +
		`=> e.textContent.trim().split("\n")[0]).join("; "))()`
	expect := func(what, want string) {
		t.Helper()
		if got := ask[string](v, seen); got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	media := func(name string) {
		v.do(command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: name}))
	}
	expect("the page", "Code of the figure (3 lines); Code (1 line); derived()")
	media("print")
	expect("the page in print", "(code: cell [3] of the notebook); (code: cell [5] of the notebook); derived()")
	media("screen")
	ask[bool](v, `(document.querySelector("main summary").click(), true)`)
	expect("the page after a click", "Code of the figure (3 lines); plotted(); Code (1 line); derived()")
	media("print")
	expect("the same in print", "plotted(); (code: cell [5] of the notebook); derived()")
	v.quiet()
	deck, err := c.slides(Plain, d, math, DefaultCourse(), chapters)
	if err != nil {
		t.Fatal(err)
	}
	name = filepath.Join(t.TempDir(), "folded.slides.html")
	if err := os.WriteFile(name, []byte(deck), 0o600); err != nil {
		t.Fatal(err)
	}
	v = openSlides(t, testPress(t), name)
	if got := ask[string](v, `document.querySelector(".slides").textContent`); strings.Contains(got, "plotted()") ||
		strings.Contains(got, "prepared()") ||
		strings.Contains(got, "(code:") ||
		!strings.Contains(got, "derived()") {
		t.Errorf("the slides say %q", got)
	}
	v.quiet()
}

// TestFoldedText reads a markdown cell that folds paragraphs in <details>: they stay inside.
func TestFoldedText(t *testing.T) {
	l, _ := lab(t)
	file := filepath.Join(t.TempDir(), "73-folded-text.ipynb")
	data, err := json.Marshal(map[string]any{
		"nbformat": 4, "nbformat_minor": 5, "metadata": map[string]any{},
		"cells": []map[string]any{{
			"cell_type": "markdown", "id": "a", "metadata": map[string]any{},
			"source": "Before.\n\n<details>\n<summary>More</summary>\n\nInside **one**.\n\nInside $x^2$.\n\n</details>\n\nAfter.",
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(filepath.Join(l.Own("handouts"), "73-folded-text.json")) })
	chapters, err := convertAll(t.Context(), l, []string{file}, mustRenderer(t), func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	html := chapters[0].Cells[0].HTML
	box, _, closed := strings.Cut(html[strings.Index(html, "<details>"):], "</details>")
	if !closed || !strings.Contains(box, "<strong>one</strong>") || !strings.Contains(box, "katex") || strings.Contains(box, "After") {
		t.Errorf("the box does not hold its paragraphs: %s", html)
	}
}
