package handouts

import (
	_ "embed"
	"encoding/json"
	"html/template"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// searcher is MiniSearch 7.2.0 (MIT licence, beside it; its UMD build, made small by esbuild --minify --target=es2020), which finds words
// in the passages of a course without a server.
//
//go:embed minisearch/minisearch.min.js
var searcher string

// A passage is what stands under one heading of a page, as the search of the index finds it.
type passage struct {
	Page    int    `json:"c"` // place of the chapter in the index
	ID      string `json:"i"` // of the heading
	Heading string `json:"h"`
	Text    string `json:"t"`
	Words   string `json:"w"` // names of the library and of items, which the text does not show
}

var (
	invisible   = strings.NewReplacer("\u2060", "", "\u200b", "") // which keep words together, or lines apart
	libraryName = regexp.MustCompile(`\b[a-z]\w*\.[A-Z]\w*`)
	// A formula that is longer stands in a passage as an ellipsis, since its letters in a row say nothing.
	mostFormula = 14
)

// inlineElements do not part words.
var inlineElements = []string{"span", "a", "em", "strong", "b", "i", "code", "sub", "sup"}

// passages cuts the page of the at-th chapter at its headings. Code is represented by the names of the library that it calls.
func passages(page *html.Node, at int) []passage {
	all := []passage{{Page: at}}
	text, words := strings.Builder{}, map[string]bool{}
	name := func(n *html.Node) { // the items that a check proves
		for _, id := range strings.Fields(attr(n, "data-prl-check")) {
			words[id] = true
		}
	}
	finish := func() {
		last := &all[len(all)-1]
		last.Text = strings.Join(strings.Fields(invisible.Replace(text.String())), " ")
		names := make([]string, 0, len(words))
		for name := range words {
			names = append(names, name)
		}
		slices.Sort(names)
		last.Words = strings.Join(names, " ")
		text.Reset()
		clear(words)
	}
	inProse := false
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			text.WriteString(n.Data)
			return
		case n.Type != html.ElementNode:
			return
		case level(n) > 0 && attr(n, "id") != "":
			finish()
			all = append(all, passage{Page: at, ID: attr(n, "id"), Heading: textOf(n)})
			return
		case hasClass(n, "source"):
			for _, name := range libraryName.FindAllString(textOf(n), -1) {
				words[name] = true
			}
			return
		case hasClass(n, "katex"):
			if set := textOf(n); utf8.RuneCountInString(set) <= mostFormula {
				text.WriteString(set)
			} else {
				text.WriteString(" … ")
			}
			return
		case hasClass(n, "solution") && n.Data == "details" && !with("open")(n): // what is folded is not told either
			return
		case hasClass(n, "code-note") || n.Data == "summary" && hasClass(n.Parent, "hidden-source"), hasClass(n, "anchor"),
			n.Data == "style", n.Data == "script":
			return
		case hasClass(n, "figure-name"): // its number, for the title is that of the picture
			text.WriteString(" " + strings.TrimSuffix(textOf(first(n, tag("b", ""))), ":") + " ")
			return
		case n.Data == "img": // its title; what follows describes it to those who do not see it
			title, _, _ := strings.Cut(attr(n, "alt"), ". ")
			text.WriteString(" " + title + " ")
			return
		case hasClass(n, "printed") || n.Data == "table" && !inProse: // numbers
			return
		case hasClass(n, "prl-proofs"): // the line of the claims, not their numbers
			for check := range elements(n, with("data-prl-check")) {
				name(check)
			}
			if line := first(n, tag("summary", "")); line != nil {
				text.WriteString(" " + textOf(line) + " ")
			}
			return
		case hasClass(n, "prose"):
			inProse = true
			defer func() { inProse = false }()
		}
		name(n)
		inline := slices.Contains(inlineElements, n.Data)
		if !inline {
			text.WriteByte(' ')
		}
		for child := range n.ChildNodes() {
			walk(child)
		}
		if !inline {
			text.WriteByte(' ')
		}
	}
	walk(page)
	finish()
	return slices.DeleteFunc(all, func(p passage) bool { return p.Heading == "" && p.Text == "" })
}

// A searched is what the index page holds of a chapter for its search.
type searched struct {
	File  string `json:"f"`
	Title string `json:"t"`
}

// searchData is the element of the index page in which its search finds everything. The browser takes it for data.
func searchData(chapters []*chapter, found []passage) (template.HTML, error) {
	data := struct {
		Pages    []searched `json:"pages"`
		Passages []passage  `json:"passages"`
	}{Passages: found}
	for i, c := range chapters {
		data.Pages = append(data.Pages, searched{c.name() + ".html", numbered(c, i+1)})
	}
	text, err := json.Marshal(data) // which writes no sign that could end the element
	return template.HTML("\n<script type=\"application/json\" data-prl-passages>" + string(text) + "</script>"), err
}

// numbered is the title of a chapter behind its number.
func numbered(c *chapter, place int) string { return chapterNumber(c, place) + " " + c.title() }
