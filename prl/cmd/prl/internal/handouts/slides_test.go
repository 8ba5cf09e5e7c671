package handouts

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// madeSlides writes the slides of a notebook made of cells, opens them and returns what survey sees.
func madeSlides(t *testing.T, cells []cell, v Version) (*visit, overview) {
	t.Helper()
	l, _ := lab(t)
	d, err := readDesign(l)
	if err != nil {
		t.Fatal(err)
	}
	math := mustRenderer(t)
	for i := range cells {
		if cells[i].HTML, err = math.render(cells[i].HTML); err != nil {
			t.Fatal(err)
		}
	}
	c := &chapter{Path: "made.ipynb", Cells: cells}
	page, err := c.slides(v, d, math, DefaultCourse(), []*chapter{c})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "made.slides.html")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	opened := openSlides(t, testPress(t), file)
	return opened, ask[overview](opened, survey)
}

func prose(html string) string { return `<div class="prose">` + html + `</div>` }

// TestSlideTypes wants a notebook's own slideshow metadata kept: slides, slides beneath, fragments, notes, and what is skipped.
func TestSlideTypes(t *testing.T) {
	v, seen := madeSlides(t, []cell{
		{Kind: "markdown", Slide: "slide", HTML: prose(`<h1 id="one">One</h1><p>first</p><h2 id="in">Inside</h2>`)},
		{Kind: "markdown", HTML: prose(`<p>goes on</p>`)},
		{Kind: "markdown", Slide: "fragment", HTML: prose(`<p>appears</p>`)},
		{Kind: "markdown", Slide: "notes", HTML: prose(`<p>whispered</p>`)},
		{Kind: "markdown", Slide: "skip", HTML: prose(`<p>skipped</p>`)},
		{Kind: "markdown", Slide: "subslide", HTML: prose(`<h2 id="two">Two</h2><p>beneath</p>`)},
		{Kind: "markdown", Slide: "slide", HTML: prose(`<h2 id="three">Three</h2><p>last</p>`)},
		{Kind: "markdown", Tags: []string{"solution"}, HTML: prose(`<p>the secret</p>`)},
	}, Plain)
	if len(seen.Faults) > 0 || seen.Slides != 4 { // the opening, and three of the notebook
		t.Errorf("%d slides, faults %q", seen.Slides, seen.Faults)
	}
	got := ask[[]string](v, `[...document.querySelectorAll(".slides > section")].map(s => [...s.querySelectorAll("section")].length + ": " +
		[...s.querySelectorAll(".room > *")].map(n => (n.classList.contains("fragment") ? "+" : "") + n.textContent.trim()).join(", `+
		`") + [...s.querySelectorAll("aside.notes")].map(n => " | " + n.textContent.trim()).join(""))`)
	want := []string{"0: Pattern Recognition Lab, ", "2: first, Inside, goes on, +appears, beneath | whispered", "0: last"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	// S opens the notes; the window is a frame here, which the test can read.
	said := ask[string](
		v,
		`(() => { const frame = document.createElement("iframe"); document.body.append(frame); window.open = () => frame.contentWindow; `+
			`Reveal.slide(1, 0);
		document.dispatchEvent(new KeyboardEvent("keydown", { keyCode: 83, key: "s", bubbles: true }));
		return frame.contentDocument.body.textContent })()`,
	)
	if !strings.Contains(said, "whispered") || !strings.Contains(said, "Next: Two") || !strings.Contains(said, "2 of 4") {
		t.Errorf("the notes say %q", said)
	}
	if strings.Contains(seen.Text, "skipped") || strings.Contains(seen.Text, "secret") {
		t.Errorf("the slides say %q", seen.Text)
	}
	v.quiet()
}

// TestLongSlides wants text, lists, tables and code that are longer or wider than a slide on as many as they need, with nothing lost.
func TestLongSlides(t *testing.T) {
	many := func(n int, of string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, of, i)
		}
		return b.String()
	}
	v, seen := madeSlides(t, []cell{
		{Kind: "markdown", HTML: prose(`<h1 id="a">Long</h1><p>` + many(600, "word%d ") + `</p>`)},
		{
			Kind: "markdown",
			HTML: prose(
				`<h2 id="b">List</h2><ol>` + many(60, "<li>point%d</li>") + `</ol><blockquote>` + many(30, "<p>said%d</p>") + `</blockquote>`,
			),
		},
		{
			Kind: "markdown",
			HTML: prose(
				`<h2 id="c">Tables</h2><div class="wide"><table><thead><tr><th>head</th></tr></thead><tbody>` + many(
					60,
					"<tr><td>row%d</td></tr>",
				) + `</tbody></table></div><div class="wide"><table><tbody><tr>` + many(
					24,
					"<td>column%d</td>",
				) + `</tr></tbody></table></div>`,
			),
		},
		{
			Kind: "markdown",
			HTML: prose(`<h3 id="d">Formula</h3><p>It is <span class="tex" data-display="1">` + many(30, `x_{%d}+`) + `1</span></p>`),
		},
		{
			Kind:     "code",
			Runs:     true,
			Executed: true,
			HTML: `<div class="source"><div class="highlight"><pre>` + many(200, "line%d\n") + many(40, "wide%d ") + `</pre></div></div>
			<div class="output"><pre class="printed">` + many(90, "printed%d\n") +
				`</pre><div class="display"><div data-prl-check="X" data-prl-outcome="passed">✓ holds</div></div></div>`,
		},
		{Kind: "markdown", Tags: []string{"solution"}, HTML: prose(`<p>the secret</p>`)},
	}, Teacher)
	for _, fault := range seen.Faults {
		t.Error(fault)
	}
	whole := ask[string](v, `document.querySelector(".slides").textContent`)
	for of, n := range map[string]int{"word": 600, "point": 60, "said": 30, "row": 60, "column": 24, "line": 200, "wide": 40, "printed": 90} {
		for i := range n {
			if word := of + itoa(i); strings.Count(whole, word) == 0 {
				t.Errorf("%s is lost", word)
			}
		}
	}
	if !strings.Contains(whole, "the secret") || strings.Count(whole, "head") < 2 || !strings.Contains(whole, "check") {
		t.Error("the solution, the head of the second half of the table, or the check is missing")
	}
	if starts := ask[[]int](v, `[...document.querySelectorAll(".slides ol")].map(l => l.start)`); len(starts) < 2 || starts[1] < 2 {
		t.Errorf("the list is numbered from %v", starts)
	}
	v.quiet()
}

// TestPrintedSlides prints slides as the README says, and wants a page for each, without pixels and with all of the code.
func TestPrintedSlides(t *testing.T) {
	l, paths := lab(t)
	out := t.TempDir()
	if err := Build(t.Context(), l, paths[:1], Options{
		Slides: true, Versions: []Version{Plain}, Out: out, Course: DefaultCourse(),
		Timeout: time.Hour,
	}); err != nil {
		t.Fatal(err)
	}
	v := openSlides(t, testPress(t), filepath.Join(out, (&chapter{Path: paths[0]}).slidesName()+"?print-pdf"))
	ask[bool](
		v,
		`(async () => { for (let k = 0; k < 1200 && !document.querySelector(".pdf-page"); k++) await new Promise(done => setTimeout(done, `+
			`50)); return true })()`,
	)
	slides := ask[int](v, `document.querySelectorAll(".pdf-page").length`)
	if cut := ask[int](v, `document.querySelectorAll(".scrolls").length`); cut > 0 || slides < 10 {
		t.Errorf("%d pages, %d pieces of code that scroll, which paper cannot", slides, cut)
	}
	yes := true
	data, err := chromedp.Run(v.ctx, func(ctx context.Context, t *chromedp.Target) ([]byte, error) {
		result, err := cdp.Call(ctx, t, page.PrintToPDF, page.PrintToPDFParams{PreferCSSPageSize: &yes, PrintBackground: &yes})
		if err != nil {
			return nil, err
		}
		return result.Data, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(out, "slides.pdf")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if pages := readPages(t, file); len(pages) != slides {
		t.Errorf("%d slides on %d pages", slides, len(pages))
	} else {
		for i, p := range pages {
			if len(p.words) < 3 || p.width < p.height {
				t.Errorf("page %d, %v x %v, has %d words", i+1, p.width, p.height, len(p.words))
			}
		}
	}
	if rows := strings.Split(strings.TrimSpace(poppler(t, "pdfimages", "-list", file)), "\n"); len(rows) > 2 {
		t.Errorf("%d raster pictures", len(rows)-2)
	}
	v.quiet()
}

// survey looks at every slide at its own size: all of them are laid out at once, so that none has to be visited.
const survey = `(async () => {
	Reveal.configure({ viewDistance: 1000 });
	const figures = [...document.querySelectorAll("img.prl-figure")];
	const inked = c => { if (!c.width || !c.height) return false; const d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
		for (let i = 3; i < d.length; i += 4) if (d[i] > 40) return true; return false };
	const painted = () => !window.PrlPlot ? 0 : [...PrlPlot.live].filter(f => f.cells).length;
	const blank = () => [...document.querySelectorAll(".prl-canvas canvas")].filter(c => !inked(c)).length;
	for (let i = 0; i < 1200 && (painted() < figures.length || blank() > 0); i++) await new Promise(done => setTimeout(done, 50));
	for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame); // what the painting has moved is laid out
	const faults = [], slides = Reveal.getSlides();
	slides.forEach((slide, n) => {
		const sheet = slide.querySelector(":scope > .sheet"), room = sheet && sheet.querySelector(":scope > .room");
		const fault = (what) => faults.push("slide " + (n + 1) + ": " + what);
		if (!sheet) { fault("is empty"); return; }
		const box = sheet.getBoundingClientRect(), inner = room.getBoundingClientRect();
		if (Math.abs(box.width - 1280) > 0.5 || Math.abs(box.height - 720) > 0.5) fault("is " + box.width + " x " + box.height);
		if (sheet.querySelectorAll("img.prl-figure").length > 1) fault("has more than one chart");
		for (const node of sheet.querySelectorAll("*")) {
			if (node.closest(".katex-mathml, .prl-tip") || node.parentElement.closest(".scrolls, .vlist-t, svg")) continue;
			const r = node.getBoundingClientRect();
			if (!r.width || !r.height) continue;
			const limit = room.contains(node) && node !== room ? inner : box, slack = 2;
			if (r.left < limit.left - slack || r.right > limit.right + slack || r.top < limit.top - slack || r.bottom > limit.bottom + slack) {
				fault("<" + node.tagName.toLowerCase() + " class=" + node.className + "> " + node.textContent.trim().slice(0, ` +
	`40) + " at " + [r.left - limit.left, r.top - limit.top, r.right - limit.right, r.bottom - limit.bottom].map(Math.round));
				break;
			}
		}
		for (const scroll of sheet.querySelectorAll(".scrolls")) if (getComputedStyle(scroll).overflowY !== "auto" || scroll.tabIndex !== 0) ` +
	`fault("cuts what does not fit");
		for (const pre of sheet.querySelectorAll("pre")) if (parseFloat(getComputedStyle(pre).fontSize) < 12) fault("its code is too small ` +
	`to read");
	});
	const copy = document.querySelector(".slides").cloneNode(true);
	copy.querySelectorAll("pre, script, style").forEach(e => e.remove());
	return { Slides: slides.length, Faults: faults, Figures: figures.length, Painted: painted(), Blank: blank(),
		Formulas: document.querySelectorAll(".slides section .room .katex-html").length, Text: copy.textContent, ` +
	`Numbers: document.querySelectorAll(".slide-number").length };
})()`

type overview struct {
	Slides, Figures, Painted, Blank, Formulas, Numbers int
	Faults                                             []string
	Text                                               string
}

// testSlides opens a notebook's slides as a lecturer without a network does.
func testSlides(t *testing.T, press *printer, file string) {
	t.Helper()
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	v := openSlides(t, press, file)
	if where := ask[[4]float64](v, `(() => { const r = Reveal.getCurrentSlide().querySelector(".sheet").getBoundingClientRect(); `+
		`return [r.left, r.top, r.right, r.bottom] })()`); where != [4]float64{
		0,
		0,
		1280,
		720,
	} {
		t.Errorf("the first slide is at %v, not on all of the screen", where)
	}
	seen := ask[overview](v, survey)
	for _, fault := range seen.Faults {
		t.Error(fault)
	}
	if want := len(figureTag.FindAllString(string(source), -1)); seen.Figures != want || seen.Painted != want || seen.Blank > 0 {
		t.Errorf("%d charts in the file, %d on slides, %d live, %d canvases blank", want, seen.Figures, seen.Painted, seen.Blank)
	}
	if want := strings.Count(string(source), `class="katex-html"`); seen.Formulas < want-20 || want == 0 { // those of headings stand in heads
		t.Errorf("%d formulas in the file, %d on slides", want, seen.Formulas)
	}
	if m := rawTeX.FindString(seen.Text); m != "" {
		t.Errorf("raw TeX in the text: %q", m)
	}
	if seen.Slides < 10 || seen.Numbers == 0 {
		t.Errorf("%d slides, %d slide numbers", seen.Slides, seen.Numbers)
	}
	v.quiet()
}

func openSlides(t *testing.T, press *printer, file string) *visit {
	t.Helper()
	v := openPage(t, press, file, true, 1280, 720)
	v.until("window.prlSlides")
	return v
}

// TestSlideKeys moves through slides with a chart's slider on them: the mouse leaves the arrow keys with the slides, the tabulator key
// gives them to the slider, Escape takes them back, and a presenter's keys always turn slides.
func TestSlideKeys(t *testing.T) {
	l, _ := lab(t)
	out, path := t.TempDir(), l.Path("notebooks", "09-em.ipynb") // its films have sliders
	if err := Build(t.Context(), l, []string{path}, Options{
		Slides: true, Versions: []Version{Plain}, Out: out, Course: DefaultCourse(),
		Timeout: time.Hour,
	}); err != nil {
		t.Fatal(err)
	}
	v := openSlides(t, testPress(t), out+"/"+(&chapter{Path: path}).slidesName())
	key := func(name string, code int64) {
		t.Helper()
		for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeRawKeyDown, input.DispatchKeyEventTypeKeyUp} {
			v.do(command(input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: name, Code: name, WindowsVirtualKeyCode: code}))
		}
	}
	type state struct {
		Slide int
		Value string
	}
	look := func() state {
		t.Helper()
		return ask[state](
			v,
			`({Slide: Reveal.getSlides().indexOf(Reveal.getCurrentSlide()), Value: (document.querySelector(".present .prl-range") || {}).value `+
				`|| ""})`,
		)
	}
	at := ask[[2]float64](v, `(async () => {
		let range = null;
		for (let k = 0; k < 1200 && !(range = document.querySelector(".slides .prl-range")); k++) await new Promise(done => setTimeout(done, 50));
		const i = Reveal.getIndices(range.closest("section")), stage = range.closest(".prl-box").querySelector(".prl-stage");
		Reveal.slide(i.h, i.v);
		for (let k = 0; k < 1200 && ![...PrlPlot.live].some(f => f.stage === stage && f.cells); `+
		`k++) await new Promise(done => setTimeout(done, 50));
		await new Promise(done => setTimeout(done, 300));
		const r = document.querySelector(".present .prl-range").getBoundingClientRect();
		return [r.left + 0.8 * r.width, r.top + r.height / 2] })()`) // far from where the films begin
	start := look()
	v.do(chromedp.MouseClickXY(at[0], at[1]))
	clicked := look()
	if clicked.Slide != start.Slide || clicked.Value == start.Value {
		t.Errorf("a click on the slider: %+v, then %+v", start, clicked)
	}
	v.until(`!document.activeElement || !document.activeElement.matches(".prl-range")`) // the focus goes after the click
	key("ArrowRight", 39)
	key("ArrowLeft", 37)
	key("ArrowDown", 40)
	if now := look(); now.Value == clicked.Value && now.Slide == clicked.Slide {
		t.Errorf("after a click the arrow keys move nothing: %+v, then %+v", clicked, now)
	}
	ask[bool](
		v,
		`(() => { const i = Reveal.getIndices(Reveal.getSlides()[`+itoa(
			start.Slide,
		)+`]); Reveal.slide(i.h, i.v); document.querySelector(".present .prl-range").focus(); return true })()`,
	)
	before := look()
	key("ArrowRight", 39)
	if now := look(); now.Slide != before.Slide || now.Value == before.Value {
		t.Errorf("an arrow key on the focused slider: %+v, then %+v", before, now)
	}
	key("Escape", 27)
	before = look()
	key("PageDown", 34)
	if now := look(); now.Slide != before.Slide+1 {
		t.Errorf("a presenter's key after Escape: %+v, then %+v", before, now)
	}
	key("PageUp", 33)
	ask[bool](v, `(document.querySelector(".present .prl-range").focus(), true)`)
	key("PageDown", 34)
	if now := look(); now.Slide != before.Slide+1 {
		t.Errorf("a presenter's key with the slider in focus: %+v, then %+v", before, now)
	}
	key("PageUp", 33)
	// A reading under the pointer is right although the slide is scaled, and the picture that is saved is as large as the chart without its
	// controls.
	v.do(chromedp.EmulateViewport(1920, 1080))
	v.until(`Math.abs(document.querySelector(".present > .sheet").getBoundingClientRect().width - 1920) < 1`)
	if off := ask[float64](v, `(async () => {
		const stage = document.querySelector(".present .prl-stage"), r = stage.getBoundingClientRect(), f = [...PrlPlot.live].find(f => `+
		`f.stage === stage);
		const p = f.point({ clientX: r.right, clientY: r.bottom });
		return Math.hypot(p[0] - stage.offsetWidth, p[1] - stage.offsetHeight) })()`); off > 1 {
		t.Errorf("the pointer is taken to be %v px from where it is", off)
	}
	type picture struct {
		Width, Height, Box, Foot int
		Shown                    bool
	}
	if p := ask[picture](
		v, `(async () => {
		const stage = document.querySelector(".present .prl-stage"), f = [...PrlPlot.live].find(f => f.stage === stage);
		const button = [...f.box.querySelectorAll(".prl-tools button")].find(b => b.textContent === "PNG"), shown = button.offsetWidth > 0;
		const blob = await new Promise(done => { f.save = done; button.click() }), image = await createImageBitmap(blob);
		return { Width: image.width, Height: image.height, Box: f.box.clientWidth, Foot: f.foot.offsetTop + f.foot.offsetHeight - `+
			`(f.stage.offsetTop - f.head.offsetTop - f.head.offsetHeight), Shown: shown } })()`,
	); !p.Shown || p.Width != 2*p.Box || p.Height != 2*(p.Foot+8) {
		t.Errorf(
			"the button that saves a picture is shown: %v; the picture is %d x %d, the chart %d x %d",
			p.Shown,
			p.Width,
			p.Height,
			p.Box,
			p.Foot,
		)
	}
	v.quiet()
}
