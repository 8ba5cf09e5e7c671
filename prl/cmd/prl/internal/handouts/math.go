package handouts

import (
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/dop251/goja"
	"golang.org/x/net/html"
)

// katexFiles are KaTeX 0.19.1 (MIT licence, beside it): the library, its style sheet and its fonts.
//
//go:embed katex
var katexFiles embed.FS

// renderer sets formulas with KaTeX in a JavaScript engine of its own, so that a page needs neither script nor network for them.
type renderer struct {
	mu   sync.Mutex
	call goja.Callable
	vm   *goja.Runtime
	seen map[string]string
}

func newRenderer() (*renderer, error) {
	library, err := katexFiles.ReadFile("katex/katex.min.js")
	if err != nil {
		return nil, err
	}
	vm := goja.New()
	vm.SetMaxCallStackSize(deepestFormula)
	if _, err := vm.RunScript("katex.min.js", string(library)); err != nil {
		return nil, fmt.Errorf("KaTeX does not load: %w", err)
	}
	value, err := vm.RunString(`(function(tex, display) {
		return katex.renderToString(tex, {displayMode: display, throwOnError: true, strict: false, maxSize: 60, maxExpand: 500,
			output: "htmlAndMathml", trust: false})
	})`)
	if err != nil {
		return nil, fmt.Errorf("KaTeX does not load: %w", err)
	}
	call, _ := goja.AssertFunction(value)
	return &renderer{vm: vm, call: call, seen: map[string]string{}}, nil
}

// short is a formula as a message shows it.
func short(tex string) string {
	if letters := []rune(tex); len(letters) > 100 {
		tex = string(letters[:99]) + "…"
	}
	return strconv.Quote(tex)
}

// What a formula may be and take, so that no notebook takes the time and the memory of a machine: KaTeX itself has no limit.
const (
	longestFormula = 10_000 // characters
	deepestFormula = 1_200  // calls within each other, of which KaTeX makes about ten for a brace
	longestSetting = 20 * time.Second
	largestSet     = 4 << 20
)

// formula is the HTML of a formula.
func (r *renderer) formula(tex string, display bool) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := fmt.Sprint(display, tex)
	if done, found := r.seen[key]; found {
		return done, nil
	}
	if n := utf8.RuneCountInString(tex); n > longestFormula {
		return "", fmt.Errorf("the formula %s has %d characters, and cannot be set: at most %d are", short(tex), n, longestFormula)
	}
	late := time.AfterFunc(longestSetting, func() { r.vm.Interrupt("it takes too long") })
	value, err := r.call(goja.Undefined(), r.vm.ToValue(tex), r.vm.ToValue(display))
	late.Stop()
	r.vm.ClearInterrupt()
	var deep *goja.StackOverflowError
	if errors.As(err, &deep) {
		return "", fmt.Errorf("the formula %s cannot be set: its parts lie too deep in each other", short(tex))
	}
	if err == nil && len(value.String()) > largestSet {
		return "", fmt.Errorf("the formula %s cannot be set: it gives %d MB of HTML", short(tex), len(value.String())>>20)
	}
	if err != nil {
		message, _, _ := strings.Cut(err.Error(), "\n")
		message, _, _ = strings.Cut(message, " at katex")
		return "", fmt.Errorf("the formula %s cannot be set: %.300s", short(tex), message)
	}
	set := parse(value.String())
	for n := range elements(set, tag("annotation", "")) { // the source would be raw TeX in the text of a page
		remove(n)
	}
	for n := range elements(set, tag("semantics", "")) { // which join a formula to its source
		replace(n, children(n)...)
	}
	for n := range elements(set, tag("math", "")) { // HTML knows the name
		dropAttr(n, "xmlns")
	}
	mend(set)
	if whole := first(set, tag("span", "katex")); whole != nil {
		setAttr(whole, "data-tex", strings.TrimSpace(tex))
	}
	done := inner(set)
	r.seen[key] = done
	return done, nil
}

// scripts is how many parts an element of MathML has.
var scripts = map[string]int{"msub": 2, "msup": 2, "mover": 2, "munder": 2, "mfrac": 2, "mroot": 2, "msubsup": 3, "munderover": 3}

// mend brings the MathML of KaTeX into the form of its standard, which reading aloud depends on: a letter or sign holds no other, and the
// invisible sign of an application stands behind the name with its indices, not as one more index.
func mend(set *html.Node) {
	for n := range elements(set, func(n *html.Node) bool { return n.Data == "mo" || n.Data == "mi" || n.Data == "mn" }) {
		if first(n, func(*html.Node) bool { return true }) != nil {
			n.Data, n.Attr = "mrow", nil
		}
	}
	for n := range elements(set, func(n *html.Node) bool { return scripts[n.Data] > 0 }) {
		parts := children(n)
		if len(parts) <= scripts[n.Data] {
			continue
		}
		for _, sign := range parts {
			if textOf(sign) != "\u2061" {
				continue
			}
			remove(sign)
			if n.Data != "mfrac" && scripts[n.Parent.Data] == 0 { // else it has no place
				n.Parent.InsertBefore(sign, n.NextSibling)
			}
		}
	}
	for n := range elements(set, func(n *html.Node) bool { return (n.Data == "mtable" || n.Data == "mtd") && attr(n, "width") != "" }) {
		setAttr(n, "style", "width:"+attr(n, "width"))
		dropAttr(n, "width")
	}
}

// punctuation follows a formula on the same line; a word joiner keeps the two together.
const punctuation = ".,;:!?)]'’”-"

// render sets the formulas of a piece of HTML.
func (r *renderer) render(text string) (string, error) {
	root := parse(text)
	if err := r.set(root); err != nil {
		return "", err
	}
	return inner(root), nil
}

// set sets the formulas under a node.
func (r *renderer) set(root *html.Node) error {
	for n := range elements(root, tag("span", "tex")) {
		display := attr(n, "data-display") == "1"
		var source strings.Builder
		for d := range n.Descendants() {
			if d.Type == html.TextNode {
				source.WriteString(d.Data)
			}
		}
		formula, err := r.formula(source.String(), display)
		if err != nil {
			return err
		}
		if next := n.NextSibling; next != nil && next.Type == html.TextNode && !display {
			if mark, _ := utf8.DecodeRuneInString(next.Data); strings.ContainsRune(punctuation, mark) {
				next.Data = "\u2060" + next.Data
			}
		}
		replace(n, children(parse(formula))...)
	}
	return nil
}

var (
	fontFace   = regexp.MustCompile(`@font-face\{[^}]*\}`)
	fontFile   = regexp.MustCompile(`fonts/(KaTeX_[A-Za-z0-9-]+)\.woff2`)
	fontSource = regexp.MustCompile(`src:[^;}]*`)
)

// rareFonts are left out of a page unless one of their classes occurs in it.
var rareFonts = map[string]string{
	"KaTeX_Caligraphic": "mathcal|boldsymbol|mathbfcal", "KaTeX_Fraktur": "mathfrak|textfrak|mathbffrak|mathboldfrak|textboldfrak",
	"KaTeX_SansSerif": "mathsf|textsf|mathboldsf|mathitsf|textboldsf|textitsf|mathsfit|textsfit",
	"KaTeX_Script":    "mathscr|textscr", "KaTeX_Typewriter": "mathtt|texttt", "KaTeX_AMS": "amsrm|mathbb|textbb",
	"KaTeX_Main-Bold": "mathbf|textbf|boldsymbol", "KaTeX_Caligraphic-Bold": "mathbf|textbf|boldsymbol|mathbfcal",
	"KaTeX_Main-BoldItalic": "boldsymbol|textbf|textit",
	"KaTeX_Math-BoldItalic": "boldsymbol", "KaTeX_Main-Italic": "mathit|textit|mainit",
}

// style is KaTeX's style sheet with the fonts that body needs inside.
func (r *renderer) style(body string) (string, error) {
	if !strings.Contains(body, `class="katex`) {
		return "", nil
	}
	sheet, err := katexFiles.ReadFile("katex/katex.min.css")
	if err != nil {
		return "", err
	}
	var failed error
	used := map[string]bool{}
	_, rest, found := strings.Cut(body, ` class="`)
	for found {
		var list string
		list, rest, _ = strings.Cut(rest, `"`)
		for class := range strings.FieldsSeq(list) {
			used[class] = true
		}
		_, rest, found = strings.Cut(rest, ` class="`)
	}
	return fontFace.ReplaceAllStringFunc(string(sheet), func(rule string) string {
		name := fontFile.FindStringSubmatch(rule)
		if name == nil {
			return rule
		}
		for font, classes := range rareFonts {
			if strings.HasPrefix(name[1], font) && !usesOne(used, classes) {
				return ""
			}
		}
		data, err := katexFiles.ReadFile("katex/fonts/" + name[1] + ".woff2")
		if err != nil {
			failed = err
		}
		return fontSource.ReplaceAllLiteralString(
			rule,
			`src:url(data:font/woff2;base64,`+base64.StdEncoding.EncodeToString(data)+`) format("woff2")`,
		)
	}), failed
}

func usesOne(used map[string]bool, classes string) bool {
	for class := range strings.SplitSeq(classes, "|") {
		if used[class] {
			return true
		}
	}
	return false
}
