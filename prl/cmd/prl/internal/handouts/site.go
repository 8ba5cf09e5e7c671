package handouts

import (
	"embed"
	"encoding/xml"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cmd/prl/internal/playground/cells"
)

var (
	//go:embed minisearch/LICENSE
	searchLicence string
	//go:embed golang/LICENSE
	goLicence string
	//go:embed gonum/LICENSE
	gonumLicence string
)

// A part of a page comes from others, and has a licence of its own.
type part struct{ Name, Text string }

// A use is what a page holds of others.
type use struct{ formulas, charts, programs, editor, search, slides bool }

// parts lists the parts of a page that come from others, with their notices and licences in full: a page is passed on by itself.
func parts(u use) []part {
	var all []part
	if u.formulas {
		all = append(all, part{"Formulas: KaTeX.", licence(katexFiles, "katex/LICENSE")},
			part{"Letters of formulas: the fonts of KaTeX.", licence(katexFiles, "katex/fonts/OFL.txt")})
	}
	if u.charts {
		all = append(all, part{"Charts: Apache ECharts, © The Apache Software Foundation, Apache License 2.0, with zrender and d3 (BSD " +
			"3-Clause).", strings.TrimSpace(plotting.RuntimeNotices())})
	}
	if u.programs {
		all = append(all, part{"Programs of live figures: the runtime and the standard library of Go.", strings.TrimSpace(goLicence)},
			part{"Programs of live figures: Gonum.", strings.TrimSpace(gonumLicence)})
	}
	if u.editor {
		all = append(all, part{"Editor of cells: CodeMirror and Lezer, MIT License.", strings.TrimSpace(cells.Licence)})
	}
	if u.search {
		all = append(all, part{"Search: MiniSearch.", strings.TrimSpace(searchLicence)})
	}
	if u.slides {
		all = append(all, part{"Slides: reveal.js.", licence(revealFiles, "reveal/LICENSE")})
	}
	return all
}

func licence(files embed.FS, name string) string {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(err) // it is part of the program
	}
	return strings.TrimSpace(string(text))
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
			if at := strings.LastIndexFunc(text, unicode.IsSpace); at > 0 { // there are scripts without blanks, and long addresses
				text = text[:at]
			}
			text += " …"
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
