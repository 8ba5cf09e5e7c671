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
	libraryName = regexp.MustCompile(`\b[a-z]\w*\.[A-Z]\w*`)
	// A formula that is longer stands in a passage as an ellipsis, since its letters in a row say nothing.
	mostFormula = 14
)

// passages cuts the page of the at-th chapter at its headings. Code is represented by the names of the library that it calls.
func passages(page *html.Node, at int) []passage {
	all := []passage{{Page: at}}
	text, words := strings.Builder{}, map[string]bool{}
	finish := func() {
		last := &all[len(all)-1]
		last.Text = strings.Join(strings.Fields(text.String()), " ")
		names := make([]string, 0, len(words))
		for name := range words {
			names = append(names, name)
		}
		slices.Sort(names)
		last.Words = strings.Join(names, " ")
		text.Reset()
		clear(words)
	}
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
		case hasClass(n, "code-note") || hasClass(n, "anchor") || n.Data == "style" || n.Data == "script":
			return
		case n.Data == "img":
			text.WriteString(" " + attr(n, "alt") + " ")
			return
		}
		for _, id := range strings.Fields(attr(n, "data-prl-check")) {
			words[id] = true
		}
		inline := n.Data == "span" || n.Data == "a" || n.Data == "em" || n.Data == "strong" || n.Data == "b" || n.Data == "i" ||
			n.Data == "code" ||
			n.Data == "sub" || n.Data == "sup"
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
