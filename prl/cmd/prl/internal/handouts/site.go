package handouts

import (
	_ "embed"
	"encoding/xml"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

//go:embed minisearch/LICENSE
var searchLicence string

// A part of a page comes from others, and has a licence of its own.
type part struct{ Name, Text string }

// parts lists what a page holds of others: the setting of formulas, the drawing of charts, the search.
func parts(formulas, charts, search bool) []part {
	var all []part
	if formulas {
		licence, err := katexFiles.ReadFile("katex/LICENSE")
		if err != nil {
			panic(err) // it is part of the program
		}
		all = append(all, part{"Formulas: KaTeX; its fonts are under the SIL Open Font License 1.1.", strings.TrimSpace(string(licence))})
	}
	if charts {
		all = append(all, part{"Charts: Apache ECharts, © The Apache Software Foundation, Apache License 2.0, with zrender and d3 (BSD " +
			"3-Clause).", ""})
	}
	if search {
		all = append(all, part{"Search: MiniSearch.", strings.TrimSpace(searchLicence)})
	}
	return all
}

// mostDescription is how many characters of a text a search engine shows.
const mostDescription = 200

// describe is the beginning of the first paragraph of a page that is one, in whole words.
func describe(page *html.Node) string {
	for n := range elements(page, tag("p", "")) {
		text := textOf(n)
		if utf8.RuneCountInString(text) < mostDescription/4 || hasClass(n.Parent, "output") || hasClass(n, "figure-name") {
			continue
		}
		if letters := []rune(text); len(letters) > mostDescription {
			text = string(letters[:mostDescription])
			text = text[:strings.LastIndexByte(text, ' ')] + " …"
		}
		return text
	}
	return ""
}

// sitemap lists the pages of a course for search engines.
func sitemap(course *Course, chapters []*chapter) string {
	var b strings.Builder
	b.WriteString(xml.Header + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	add := func(page string) {
		b.WriteString("<url><loc>")
		xml.EscapeText(&b, []byte(course.address(page))) // a builder takes everything
		b.WriteString("</loc></url>\n")
	}
	add("index.html")
	for _, c := range chapters {
		add(c.name() + ".html")
	}
	b.WriteString("</urlset>\n")
	return b.String()
}
