// Package clean takes out of the HTML of a cell all that a page must not do for its author: of a handout, and of a page whose reader runs
// cells of others.
package clean

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// cleaner keeps of a cell what shows something: text, tables, lists, pictures and sounds that stand in the page, the looks of the
// library's own outputs and their data. It drops scripts, handlers, frames, forms, embedded files, style sheets, and addresses of any
// other kind than those of a link. Every notebook passes through it, also one of your own.
var cleaner = newCleaner()

func newCleaner() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements(
		"p",
		"br",
		"hr",
		"h1",
		"h2",
		"h3",
		"h4",
		"h5",
		"h6",
		"div",
		"span",
		"pre",
		"code",
		"kbd",
		"samp",
		"var",
		"em",
		"strong",
		"b",
		"i",
		"u",
		"s",
		"del",
		"ins",
		"sub",
		"sup",
		"small",
		"mark",
		"abbr",
		"cite",
		"q",
		"blockquote",
		"ul",
		"ol",
		"li",
		"dl",
		"dt",
		"dd",
		"figure",
		"figcaption",
		"details",
		"summary",
		"table",
		"caption",
		"colgroup",
		"col",
		"thead",
		"tbody",
		"tfoot",
		"tr",
		"th",
		"td",
		"section",
		"article",
		"aside",
		"a",
		"img",
		"audio",
	)
	p.AllowNoAttrs().OnElements("span", "a")
	p.AllowDataAttributes()
	p.AllowStandardAttributes() // dir, id, lang, title
	p.AllowAttrs("class", "role", "tabindex").Globally()
	p.AllowAttrs("aria-label", "aria-hidden", "aria-describedby", "aria-labelledby", "aria-level").Globally()
	p.AllowAttrs("style").Matching(plainStyle).Globally()
	p.AllowAttrs("open").OnElements("details")
	p.AllowAttrs("start", "reversed", "type").OnElements("ol")
	p.AllowAttrs("colspan", "rowspan", "scope", "align", "headers").OnElements("td", "th")
	p.AllowAttrs("span").OnElements("col", "colgroup")
	p.AllowAttrs("href").Matching(linkAddress).OnElements("a")
	p.AllowAttrs("alt", "width", "height").OnElements("img")
	p.AllowAttrs("src").Matching(pictureAddress).OnElements("img")
	p.AllowAttrs("controls").OnElements("audio")
	p.AllowAttrs("preload").Matching(regexp.MustCompile(`^none$`)).OnElements("audio")
	p.AllowAttrs("src").Matching(soundAddress).OnElements("audio")
	p.RequireParseableURLs(true)
	p.AllowRelativeURLs(true)
	p.AllowURLSchemes("http", "https", "mailto")
	p.AllowURLSchemeWithCustomPolicy("data", func(u *url.URL) bool {
		return pictureAddress.MatchString(u.String()) || soundAddress.MatchString(u.String())
	})
	return p
}

var (
	// plainStyle is a style that loads nothing and stays in its place.
	plainStyle = regexp.MustCompile(`^[-\w\s:;.,#%()+*/"'!]*$`)
	// linkAddress is where a link may lead: to a page, a letter, another handout or a place on the page.
	linkAddress = regexp.MustCompile(`^(?:https?://|mailto:|#|[^:]*$)`)
	// pictureAddress is a picture that stands in the page itself.
	pictureAddress = regexp.MustCompile(`^data:image/(?:png|jpeg|gif|webp|svg\+xml)[;,]`)
	// soundAddress is a sound that stands in the page itself; the reader starts it.
	soundAddress = regexp.MustCompile(`^data:audio/wav;base64,[A-Za-z0-9+/]*=*$`)
)

// styleThatReaches finds what plainStyle lets pass and a handout does not: addresses, and boxes that lie over the page.
var styleThatReaches = regexp.MustCompile(`(?i)url\(|image-set|/\*|position\s*:\s*(?:fixed|absolute|sticky)|` +
	`(?:^|[;\s"'])(?:transform|translate|scale|rotate|zoom|perspective|inset|z-index|offset|animation|transition)\b[-\w]*\s*:|` +
	`(?:margin|indent|spacing|shadow|outline)[-\w]*\s*:[^;]*-\s*\.?\d|` + // backwards, over what stands before
	`\d{4,}(?:\.\d*)?\s*(?:px|pt|pc|mm|cm|in|em|rem|ex|ch|lh|q|vw|vh|vmin|vmax|%)|` + // over what comes after
	`(?:^|;)[^;]*\d\s*e\s*\+?\s*\d`)

// colours are numbers in which an e is a digit: the green of a passed check is #009e73.
var colours = regexp.MustCompile(`(?i)#[0-9a-f]{3,8}\b`)

// HTML is a cell's HTML without all that a handout must not do for its author.
func HTML(text string) string {
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(strings.NewReader(text), body)
	if err != nil { // markup nested without end; the text is kept as text
		nodes = []*html.Node{{Type: html.TextNode, Data: text}}
	}
	var b strings.Builder
	for _, n := range nodes {
		body.AppendChild(n)
	}
	for n := range body.Descendants() {
		n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool {
			// a program on the server of a lab is none of a page's
			return a.Key == "data-prl-src" || a.Key == "style" && styleThatReaches.MatchString(colours.ReplaceAllString(a.Val, "#"))
		})
	}
	for n := range body.ChildNodes() {
		html.Render(&b, n) // a builder takes everything
	}
	return cleaner.Sanitize(b.String())
}
