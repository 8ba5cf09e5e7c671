package handouts

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A page is cut at its headings; formulas, code and pictures are found by what a reader would look for.
func TestPassages(t *testing.T) {
	formula := func(tex, shown string) string {
		return `<span class="katex" data-tex="` + tex + `"><span class="katex-mathml"><math><mi>never</mi></math></span><span ` +
			`class="katex-html" aria-hidden="true">` + shown + `</span></span>`
	}
	page := parse(`<section class="cell markdown"><div class="prose"><h1 id="top">Top<a class="anchor" href="#top">#</a></h1>` +
		`<p>The <em>mar</em>gin ` + formula(`\gamma`, "γ") + ` is ` + formula(`\sum_i \alpha_i y_i k(x_i, x) + b`, "∑iαiyik(xi,x)+b") +
		`.</p><h2 id="next">Next</h2></div></section>` +
		`<section class="cell code"><div class="source"><pre>m := prl.SVM(X, y)
fmt.Println(prl.SVM, x.y)</pre></div><div class="output"><img alt="A street. 5 points."/><pre class="printed">1.234</pre>` +
		`<details class="prl-proofs"><summary>1 proved strong duality</summary><div data-prl-check="LN-3">0.1 against 0.1</div></details>` +
		`<div data-prl-check="LN-1 LN-2">the dual is the primal</div></div><p class="code-note">(code)</p></section>`)
	want := []passage{
		{Page: 3, ID: "top", Heading: "Top", Text: "The margin γ is … ."},
		{
			Page: 3, ID: "next", Heading: "Next", Text: "A street 1 proved strong duality the dual is the primal",
			Words: "LN-1 LN-2 LN-3 fmt.Println prl.SVM",
		},
	}
	if got := passages(page, 3); !slices.Equal(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

// writeSearched makes notebooks whose words are known, a solution among them.
func writeSearched(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	one := `{"cell_type":"markdown","id":"%s","metadata":{"tags":[%t]},"source":%s}`
	put := func(name string, cells ...[3]string) string {
		var all []string
		for _, c := range cells {
			all = append(all, strings.NewReplacer("%s\",", c[0]+"\",", "%t", c[1], "%s}", c[2]+"}").Replace(one))
		}
		path := filepath.Join(dir, name)
		text := `{"nbformat":4,"nbformat_minor":5,"metadata":{},"cells":[` + strings.Join(all, ",") + `]}`
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return []string{
		put("93-first.ipynb", [3]string{"a", "", `"# First\n\nThe kernel of Schölkopf is a table of inner products, and $x^2$ its simplest. ` +
			`See [the second](94-second.ipynb)."`},
			[3]string{"b", "", `"## The margin\n\nA street between two classes, <b>as wide</b> as it can be, is the margin of the machine: ` +
				`$$w^\\top x+b=0.$$"`},
			[3]string{"c", `"exercise"`, `"## Exercises\n\nHow wide is it?"`}, [3]string{
				"d", `"solution"`,
				`"**Solution.** It is as wide as a zebra."`,
			}),
		put("94-second.ipynb", [3]string{"a", "", `"# Second\n\nBoosting adds weak learners."`},
			[3]string{"b", "", `"## Margins again\n\nBoosting widens margins too. <script>alert(1)</script>"`}),
	}
}

// The search of the index finds passages of all pages with the network off, by keys alone, and never what a version leaves out.
func TestSearch(t *testing.T) {
	l, _ := lab(t)
	paths := writeSearched(t)
	t.Cleanup(func() {
		for _, path := range paths {
			os.Remove(filepath.Join(l.Own("handouts"), strings.TrimSuffix(filepath.Base(path), ".ipynb")+".json"))
		}
	})
	out := t.TempDir()
	course := DefaultCourse()
	course.Address = "https://example.org/a&b"
	o := Options{HTML: true, Versions: []Version{Plain, Student, Teacher}, Out: out, Course: course, Timeout: time.Hour}
	if err := Build(t.Context(), l, paths, o); err != nil {
		t.Fatal(err)
	}
	press := testPress(t)
	const count = `document.querySelectorAll(".found > li").length`
	search := func(v *visit, words string) {
		v.do(chromedp.Evaluate[chromedp.Void](`(f => { f.value = "" })(document.querySelector(".seek input"))`), chromedp.Focus(".seek input"))
		v.do(chromedp.KeyEvent(words))
	}
	v := openPage(t, press, filepath.Join(out, "index.html"), true, 1000, 900)
	for _, c := range []struct {
		words, first, told string
		found              int
	}{
		{"margin", "93-first.html#the-margin", "2 places", 2},
		{"schol", "93-first.html#first", "1 place", 1},
		{"kernal", "93-first.html#first", "1 place", 1},
		{"boosting margins", "94-second.html#margins-again", "1 place", 1},
		{"zebra", "", "Nothing found", 0}, // it stands in a solution
		{"boosting street", "", "No place has all these words. 3 places", 3},
		{"qqq", "", "Nothing found", 0},
	} {
		search(v, c.words)
		v.until(`document.querySelector(".found-count").textContent.startsWith(` + "`" + c.told + "`" + `)`)
		if n := ask[int](v, count); n != c.found {
			t.Errorf("%q: %d places, want %d", c.words, n, c.found)
		}
		if first := ask[string](v, `document.querySelector(".found a")?.getAttribute("href") || ""`); c.first != "" && first != c.first {
			t.Errorf("%q: first %s, want %s", c.words, first, c.first)
		}
	}
	search(v, "margin")
	v.do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown))
	if at := ask[int](v, `[...document.querySelectorAll(".found a")].indexOf(document.activeElement)`); at != 1 {
		t.Errorf("two arrows down from the field stand on place %d", at)
	}
	if marked := ask[string](v, `document.querySelector(".found mark").textContent.toLowerCase()`); marked != "margin" {
		t.Errorf("marked is %q", marked)
	}
	v.do(chromedp.EmulateViewport(360, 700))
	if width := ask[int](v, `document.documentElement.scrollWidth`); width > 360 {
		t.Errorf("on a screen of 360 px the index is %d px wide", width)
	}
	v.do(chromedp.KeyEvent(kb.Escape))
	if n := ask[int](v, count); n != 0 || ask[bool](v, `document.querySelector(".chapters").offsetHeight === 0`) {
		t.Errorf("after Escape %d places are left, or the chapters are not back", n)
	}
	v.quiet()

	// A page asks the index. "/" leads to the field, Enter to what it finds, and Enter there to the place.
	page := openPage(t, press, filepath.Join(out, "94-second.html"), true, 1300, 900)
	page.do(chromedp.KeyEvent("/"), chromedp.KeyEvent("street"), chromedp.KeyEvent(kb.Enter))
	page.until(`location.pathname.endsWith("index.html") && ` + count + ` === 1`)
	page.do(chromedp.KeyEvent(kb.Enter))
	page.until(`location.pathname.endsWith("93-first.html") && location.hash === "#the-margin" && document.readyState === "complete"`)
	page.quiet()

	// The tools of a page: colours and code, kept for the next; a formula is copied as TeX.
	page.do(chromedp.Evaluate[chromedp.Void](`(b => { b.click(); b.click() })(document.querySelector("[data-tool=theme]"))`))
	if got := ask[string](page, `document.documentElement.dataset.theme + `+
		`getComputedStyle(document.body).backgroundColor`); got != "darkrgb(20, 23, 28)" {
		t.Errorf("dark is %s", got)
	}
	if got := ask[string](page, `(() => { getSelection().selectAllChildren(document.querySelector("#the-margin").parentElement); let got = "";
		const e = new ClipboardEvent("copy", { clipboardData: new DataTransfer(), cancelable: true, bubbles: true });
		document.dispatchEvent(e); return e.clipboardData.getData("text/plain") })()`); !strings.Contains(got, `machine: $$w^\top x+b=0.$$`) {
		t.Errorf("copied is %q", got)
	}
	if got := ask[string](page, `[...document.querySelectorAll(".course > li > a")].map(a => a.textContent + "|" + `+
		`(a.getAttribute("aria-current") || "")).join(", ")`); got != "93 First|page, 94 Second|" {
		t.Errorf("the contents of the course are %s", got)
	}

	// Without scripts there is no search that could fail.
	plain := openPage(t, press, filepath.Join(out, "index.html"), false, 1000, 900)
	if ask[bool](plain, `document.querySelector(".seek").offsetHeight > 0`) {
		t.Error("without scripts the index offers its search")
	}
	student, err := os.ReadFile(filepath.Join(out, string(Student), "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	teacher, err := os.ReadFile(filepath.Join(out, string(Teacher), "index.html"))
	if err != nil || !strings.Contains(string(teacher), "zebra") {
		t.Errorf("a teacher does not find a solution (%v)", err)
	}
	if strings.Contains(string(student), "zebra") || !strings.Contains(string(student), "How wide is it?") {
		t.Error("a student finds a solution, or not its exercise")
	}

	for name, want := range map[string][]string{
		"93-first.html": {
			`<link rel="canonical" href="https://example.org/a&amp;b/93-first.html">`, `<meta name="description" content="The kernel of Sch`,
			`Apache License 2.0`, `Khan Academy`,
		},
		"sitemap.xml": {`<loc>https://example.org/a&amp;b/index.html</loc>`, `<loc>https://example.org/a&amp;b/94-second.html</loc>`},
		"index.html":  {"Luca Ongaro", `<link rel="canonical" href="https://example.org/a&amp;b/index.html">`},
	} {
		text, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range want {
			if !strings.Contains(string(text), one) {
				t.Errorf("%s has no %s", name, one)
			}
		}
	}
}
