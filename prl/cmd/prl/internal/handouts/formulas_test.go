package handouts

import (
	"regexp"
	"strings"
	"testing"
)

// A page that is written short says the same: with the long names put back and the styles in their places it is the page it was, but for
// classes that no rule names.
func TestShorten(t *testing.T) {
	math, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, tex := range []string{
		`w^\top x + b`, `\frac{1}{2}\sum_{i=1}^n \alpha_i`, `\sqrt{x}`, `\mathbb{R}^d`, `\hat\mu = \frac{1}{n}`,
		`\begin{pmatrix}1&2\\3&4\end{pmatrix}`, `\underbrace{a+b}_{c}`, `\left(\frac{a}{b}\right)`, `\color{red}x`,
	} {
		for _, display := range []bool{false, true} {
			set, err := math.formula(tex, display)
			if err != nil {
				t.Fatal(err)
			}
			text += "<p>" + set + "</p>"
		}
	}
	if strings.Contains(text, "<semantics>") || strings.Contains(text, "xmlns=\"http://www.w3.org/1998/Math") {
		t.Error("formulas have a source, or name their space")
	}
	sheet, err := math.style(text)
	if err != nil {
		t.Fatal(err)
	}
	page := parse(`<span class="vlist mord" style="height:1em">no formula</span>` + text)
	short := shorten(page, sheet)
	written := unquote(inner(page))
	if !strings.HasPrefix(written, `<span class="vlist mord" style="height:1em">no formula</span>`) {
		t.Errorf("what is no formula is written as %.80s", written)
	}
	source := regexp.MustCompile(` data-tex="[^"]*"`) // which is kept
	length := func(s string) float64 { return float64(len(source.ReplaceAllString(s, ""))) }
	if share := length(written) / length(text); share > 0.75 {
		t.Errorf("the page has %.0f %% of its length", 100*share)
	}

	names, _ := shortNames(sheet)
	long := map[string]string{}
	for name, s := range names {
		if long[s] != "" {
			t.Errorf("%s and %s are both called %s", name, long[s], s)
		}
		long[s] = name
	}
	styles := map[string]string{}
	for _, m := range regexp.MustCompile(`\.katex \.(_\w+)\{([^}]*)\}`).FindAllStringSubmatch(short, -1) {
		styles[m[1]] = strings.ReplaceAll(m[2], "!important", "")
	}
	before, after := parse(text), parse(written)
	remove(after.FirstChild)
	for part := range elements(before, tag("span", "")) {
		classes := ""
		for class := range strings.FieldsSeq(attr(part, "class")) {
			if names[class] != "" || formulaName(class) {
				classes += " " + class
			}
		}
		setAttr(part, "class", strings.TrimSpace(classes))
		style := attr(part, "style")
		setAttr(part, "style", strings.TrimSuffix(style, ";"))
	}
	for part := range elements(after, tag("span", "")) {
		classes, style := "", attr(part, "style")
		for class := range strings.FieldsSeq(attr(part, "class")) {
			switch {
			case styles[class] != "":
				style = styles[class]
			case long[class] != "":
				classes += " " + long[class]
			default:
				classes += " " + class
			}
		}
		setAttr(part, "class", strings.TrimSpace(classes))
		setAttr(part, "style", strings.TrimSuffix(style, ";"))
	}
	if got, want := inner(after), inner(before); got != want {
		at := 0
		for at < min(len(got), len(want)) && got[at] == want[at] {
			at++
		}
		t.Errorf("the page says\n…%.300s\nand was\n…%.300s", got[max(0, at-60):], want[max(0, at-60):])
	}
	if strings.Contains(short, ".vlist") || !strings.Contains(short, "@font-face") || !strings.Contains(short, ".katex-display>.katex") {
		t.Errorf("the style sheet begins\n%.400s", short)
	}
	if shorten(parse("<p>no formula</p>"), "") != "" {
		t.Error("a page without formulas has a style sheet for them")
	}
}

// A page holds the fonts that its formulas are set in, and no others, whatever words its text has.
func TestFonts(t *testing.T) {
	math, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	face := regexp.MustCompile(`@font-face\{[^}]*?font-family:"?(KaTeX_\w+)"?;font-style:(\w+);font-weight:(\w+)`)
	for _, c := range []struct{ tex, more string }{
		{`w^\top x + \sum_i \alpha_i`, ""},
		{`\mathbb{R}`, "KaTeX_AMS normal 400"},
		{`a \lesssim b`, "KaTeX_AMS normal 400"},
		{`\mathbf{x}`, "KaTeX_Main normal 700"},
		{`\mathcal{L}`, "KaTeX_Caligraphic normal 400"},
		{`\mathsf{T}`, "KaTeX_SansSerif normal 400"},
		{`\text{if \textit{so}}`, "KaTeX_Main italic 400"},
		{`\boldsymbol{\mu}`, "KaTeX_Math italic 700, KaTeX_Main normal 700, KaTeX_Caligraphic normal 400"},
	} {
		set, err := math.formula(c.tex, false)
		if err != nil {
			t.Fatal(err)
		}
		sheet, err := math.style("<p>mathbb, mathbf and mathcal are words of TeX, textit and boldsymbol too.</p>" + set)
		if err != nil {
			t.Fatal(err)
		}
		held := map[string]bool{}
		for _, m := range face.FindAllStringSubmatch(sheet, -1) {
			held[m[1]+" "+m[2]+" "+m[3]] = true
		}
		for _, always := range []string{"KaTeX_Main normal 400", "KaTeX_Math italic 400", "KaTeX_Size1 normal 400"} {
			if !held[always] {
				t.Errorf("%s: %s is missing", c.tex, always)
			}
		}
		for _, rare := range []string{
			"KaTeX_AMS normal 400", "KaTeX_Main normal 700", "KaTeX_Main italic 400", "KaTeX_Math italic 700",
			"KaTeX_Caligraphic normal 400", "KaTeX_SansSerif normal 400", "KaTeX_Fraktur normal 400", "KaTeX_Typewriter normal 400",
		} {
			if want := strings.Contains(c.more, rare); held[rare] != want {
				t.Errorf("%s: %s is there: %v, want %v", c.tex, rare, held[rare], want)
			}
		}
	}
}

// A style sheet keeps all that a page can use.
func TestOnlyUsed(t *testing.T) {
	page := parse(`<p class="a b">1</p><i class="c">2</i>`)
	sheet := `@font-face{src:url(x.woff2)}.a{x:1}.a .d,.b>.c{x:2}.d{x:3}i,.e{x:4}.katex *{x:5}.a:not(.d){x:6}`
	if got, want := onlyUsed(page, sheet), `@font-face{src:url(x.woff2)}.a{x:1}.b>.c{x:2}i{x:4}.a:not(.d){x:6}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Styles that come back become classes: put back in their places, they give the page that was. Those of pictures stay.
func TestShareStyles(t *testing.T) {
	text := ""
	for _, one := range []string{
		`<td style="padding:0.2em;border-bottom:1px solid rgba(128,128,128,0.2)">1</td>`, `<span class="a" style="opacity:0.5">2</span>`,
		`<span style="color:#a87400">3</span>`, `<img style="max-width:100%"/>`, `<p style="false">4</p>`,
	} {
		text += strings.Repeat("<div>"+one+"</div>", 3)
	}
	text = strings.ReplaceAll(text, "<td", "<table><tbody><tr><td")
	text = strings.ReplaceAll(text, "</td>", "</td></tr></tbody></table>") + `<p style="margin:0">once</p>`
	page := parse(text)
	rules := shareStyles(page)
	written := inner(page)
	found := regexp.MustCompile(`\.(z\w+)\{([^}]*)\}`).FindAllStringSubmatch(rules, -1)
	if len(found) != 3 || strings.Count(written, "style=") != 7 {
		t.Errorf("rules %s of the page %s", rules, written)
	}
	for _, m := range found {
		style := ` style="` + strings.TrimSuffix(strings.ReplaceAll(m[2], "!important", ""), ";") + `"`
		written = strings.ReplaceAll(strings.ReplaceAll(written, ` class="`+m[1]+`"`, style), ` `+m[1]+`"`, `"`+style)
	}
	plain := func(s string) string {
		return strings.ReplaceAll(s, ` style="opacity:0.5" class="a"`, ` class="a" style="opacity:0.5"`)
	}
	if plain(written) != text {
		t.Errorf("the page was\n%s\nand is\n%s", text, written)
	}
}

// Quotes are written out in a text, and not where they would end an attribute.
func TestUnquote(t *testing.T) {
	before := `<a class="one two" title="&#34;x&#34;">say &#34;no&#34;, it&#39;s</a><b class="s" role="img">x</b><br class="t"/>`
	after := `<a class="one two" title="&#34;x&#34;">say "no", it's</a><b class=s role=img>x</b><br class="t"/>`
	if got := unquote(before); got != after {
		t.Errorf("%s", got)
	}
}
