package handouts

import (
	"encoding/base64"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/clean"
)

// TestDescribe takes the first paragraph of scripts that have no blanks, and of a long address.
func TestDescribe(t *testing.T) {
	for _, text := range []string{strings.Repeat("贝", 210), "https://x.example/" + strings.Repeat("a", 400), strings.Repeat(">", 250)} {
		if got := describe(parse("<p>" + text + "</p>")); !strings.HasSuffix(got, " …") || len([]rune(got)) != mostDescription+2 {
			t.Errorf("%.20q…: %d letters, %q", text, len([]rune(got)), got)
		}
	}
	if got := describe(parse("<p>" + strings.Repeat("word ", 60) + "</p>")); !strings.HasSuffix(got, "word …") {
		t.Errorf("%q", got)
	}
}

// TestFormulaBombs wants a formula that takes memory or time without end to be refused at once, and the next to be set.
func TestFormulaBombs(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	began := time.Now()
	for name, tex := range map[string]string{
		"powers":     strings.Repeat("x^{", 2000) + "x" + strings.Repeat("}", 2000),
		"braces":     strings.Repeat("{", 20000) + "x" + strings.Repeat("}", 20000),
		"roots":      strings.Repeat(`\sqrt`, 1500) + "x",
		"fractions":  strings.Repeat(`\frac1{`, 900) + "x" + strings.Repeat("}", 900),
		"expansions": `\def\a{\b\b}\def\b{\c\c}\def\c{\d\d}\def\d{\e\e}\def\e{\f\f}\def\f{\g\g}\def\g{\h\h}\def\h{\i\i}\def\i{xx}\a\a`,
		"itself":     `\def\a{\a\a}\a`,
		"long":       strings.Repeat("x+", 6000) + "x",
	} {
		if set, err := r.formula(tex, true); err == nil {
			t.Errorf("%s: it is set, with %d bytes", name, len(set))
		} else if len(err.Error()) > 400 {
			t.Errorf("%s: %d bytes of message", name, len(err.Error()))
		}
	}
	var after runtime.MemStats
	runtime.ReadMemStats(&after)
	if taken := (after.TotalAlloc - before.TotalAlloc) >> 20; taken > 2000 {
		t.Errorf("they take %d MB in %v", taken, time.Since(began))
	}
	deep := strings.Repeat("x^{", 6) + "x" + strings.Repeat("}", 6)
	for _, tex := range []string{deep, `\left(\frac{\sqrt{\frac{1}{1+\frac{1}{x}}}}{\begin{pmatrix}a&b\\c&d\end{pmatrix}}\right)^{-1}`} {
		if _, err := r.formula(tex, true); err != nil {
			t.Error(err)
		}
	}
}

// TestStylesStay wants a style that lets a box lie over the page to be dropped, and those of the library to stay.
func TestStylesStay(t *testing.T) {
	for _, style := range []string{
		"margin-top:-3000px;padding:2000px", "transform: scale(9)", "scale: 9", "translate: 0 -500px", "text-indent:-9999px", "zoom:20",
		"inset:0", "width:3000vw", "height:99999px", "box-shadow: 0 -900px red", "MARGIN : -50em", "margin:0 -.5px", "rotate:9deg",
		"outline-offset:-900px", "font-size:1e5px", "color:#009e73;font-size:1e5px",
	} {
		if got := clean.HTML(`<div style="` + style + `">x</div>`); strings.Contains(got, "style") {
			t.Errorf("%s stays", style)
		}
	}
	for _, style := range []string{
		"margin:0.25em 0;line-height:1.4", "color:#c00", "color:#009e73",
		"color:#D55E00;font-weight:700", "width:100%", "margin-left:1.2em", "letter-spacing:0.05em",
	} {
		if got := clean.HTML(`<div style="` + style + `">x</div>`); !strings.Contains(got, "style") {
			t.Errorf("%s is dropped", style)
		}
	}
}

// TestCleanSVG wants a picture to draw and do nothing else.
func TestCleanSVG(t *testing.T) {
	hostile := `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" onload="alert(1)"><script>alert(2)</script>
<defs><linearGradient id="g"><stop offset="0" stop-color="red"/></linearGradient></defs><style>@import "http://evil/"; .a{fill:red}</style>
<foreignObject><p>x</p></foreignObject><image href="http://evil/x.png" width="9"/><image xlink:href="data:image/png;base64,AAAA"/>
<use href="http://evil/x.svg#a"/><use href="#g"/><a href="javascript:alert(3)"><text>t</text></a>
<animate attributeName="href" to="javascript:x"/>
<set attributeName="onclick" to="x"/><rect fill="url(#g)" style="fill:url(http://evil/)" onclick="x"/><iframe src="http://evil"/></svg>`
	got := string(cleanSVG([]byte(hostile)))
	for _, bad := range []string{"alert", "evil", "script", "onload", "onclick", "foreignObject", "animate", "iframe", "<set"} {
		if strings.Contains(got, bad) {
			t.Errorf("%s is still there: %s", bad, got)
		}
	}
	for _, good := range []string{
		`viewBox="0 0 9 9"`, "<linearGradient", `fill="url(#g)"`, `href="#g"`, "data:image/png", `xmlns="http://www.w3.org/2000/svg"`,
	} {
		if !strings.Contains(got, good) {
			t.Errorf("%s is gone: %s", good, got)
		}
	}
	if cleanSVG([]byte("<html>")) != nil {
		t.Error("a page is a picture")
	}
	b := book{known: map[[32]byte]string{}}
	if _, err := b.picture("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(hostile))); err != nil ||
		strings.Contains(string(b.Pictures[0].data), "alert") {
		t.Error("the book has the picture as it came", err)
	}
	if _, err := b.picture("data:image/png;base64,%%%"); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Error(err)
	}
}
