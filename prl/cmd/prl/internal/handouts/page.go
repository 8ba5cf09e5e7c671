package handouts

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"

	"github.com/prlab/prlab/plotting"
)

// A Version says for whom a handout is.
type Version string

const (
	Plain   Version = ""        // solutions folded
	Student Version = "student" // without solutions
	Teacher Version = "teacher" // solutions open
)

var (
	headingTag  = regexp.MustCompile(`(?s)<h([1-6]) id="([^"]*)">(.*?)</h[1-6]>`)
	anchorTag   = regexp.MustCompile(`(?s)<a [^>]*class="anchor"[^>]*>.*?</a>`)
	mathML      = regexp.MustCompile(`(?s)<span class="katex-mathml">.*?</math></span>`)
	anyTag      = regexp.MustCompile(`<[^>]*>`)
	idOrLink    = regexp.MustCompile(`(<h[1-6] id="|<section id="|<a [^>]*href="#)`)
	notebookRef = regexp.MustCompile(`(<a [^>]*href=")([^":#]+)\.ipynb(#[^"]*)?"`)
	figureData  = regexp.MustCompile(` data-prl-figure="[^"]*"| onload="[^"]*"`)
	firstStill  = regexp.MustCompile(`<img [^>]*class="prl-figure"[^>]* src="(data:[^"]*)"`)
)

// plainText is what a reader sees of a piece of HTML.
func plainText(s string) string {
	s = mathML.ReplaceAllString(anchorTag.ReplaceAllString(s, ""), "")
	return strings.Join(strings.Fields(html.UnescapeString(anyTag.ReplaceAllString(s, ""))), " ")
}

// cellsFor are the cells that a version shows.
func (c *chapter) cellsFor(v Version) []cell {
	var all []cell
	for _, one := range c.Cells {
		if v != Student || !slices.Contains(one.Tags, "solution") {
			all = append(all, one)
		}
	}
	return all
}

// body writes the cells, with the code asked for. On paper, solutions stand open.
func (c *chapter) body(v Version, code Code) string {
	var b strings.Builder
	cells, paper := c.cellsFor(v), code != onScreen
	inside := false
	for i, one := range cells {
		solution := slices.Contains(one.Tags, "solution")
		if solution && !inside {
			if paper {
				b.WriteString(`<div class="solution">`)
				if !strings.Contains(one.HTML, "<p><strong>Solution") {
					b.WriteString(`<p class="solution-name">Solution</p>`)
				}
			} else {
				b.WriteString(`<details class="solution"` + map[bool]string{true: " open", false: ""}[v == Teacher] + `><summary>Solution</summary>`)
			}
		}
		inside = solution
		classes := "cell " + one.Kind
		for _, tag := range one.Tags {
			classes += " tag-" + html.EscapeString(tag)
		}
		if one.spoilt() {
			classes += " spoilt"
		}
		fmt.Fprintf(&b, "<section id=\"cell-%s\" class=\"%s\">\n", html.EscapeString(one.ID), classes)
		if one.spoilt() {
			b.WriteString(`<p class="spoilt-name">This cell failed or was not executed: do not trust what it shows.</p>`)
		}
		b.WriteString(one.shown(i+1, code) + "\n</section>\n")
		if solution && (i+1 == len(cells) || !slices.Contains(cells[i+1].Tags, "solution")) {
			b.WriteString(map[bool]string{true: "</div>", false: "</details>"}[paper])
			inside = false
		}
	}
	if paper {
		return figureData.ReplaceAllString(mathML.ReplaceAllString(anchorTag.ReplaceAllString(b.String(), ""), ""), "")
	}
	return b.String()
}

type heading struct {
	level    string
	id, html string
}

func headings(body string) []heading {
	var all []heading
	for _, m := range headingTag.FindAllStringSubmatch(body, -1) {
		all = append(all, heading{m[1], m[2], anchorTag.ReplaceAllString(m[3], "")})
	}
	return all
}

// relink lets links to other notebooks lead to their handouts; a link to a notebook that is not among them becomes plain.
func relink(body string, to func(name, fragment string) string) string {
	return notebookRef.ReplaceAllStringFunc(body, func(match string) string {
		m := notebookRef.FindStringSubmatch(match)
		name := m[2][strings.LastIndex(m[2], "/")+1:]
		if target := to(name, m[3]); target != "" {
			return m[1] + target + `"`
		}
		return `<a title="notebook ` + html.EscapeString(name) + `"`
	})
}

// policy makes sure that nothing on a page can ask a network for anything.
const policy = "default-src 'none'; img-src data: blob:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; font-src data:"

// design is what the pages look like: the style sheets and scripts of notebooks/handouts.
type design struct{ style, print, script, slideStyle, slideScript string }

// head is the beginning of every HTML file, up to its body: it may ask nothing of a network.
func head(title string, styles ...string) string {
	return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="` + policy + `">
<title>` + html.EscapeString(title) + `</title>
<style>
` + strings.Join(styles, "\n") + `
</style>
</head>
`
}

// page is the self-contained HTML file of a notebook.
func (c *chapter) page(v Version, d design, math *renderer, course *Course, all []*chapter, at int) (string, error) {
	body := relink(c.body(v, onScreen), func(name, fragment string) string {
		if slices.ContainsFunc(all, func(o *chapter) bool { return o.name() == name }) {
			return name + ".html" + fragment
		}
		return ""
	})
	formulas, err := math.style(body)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(head(c.title(), formulas, c.Style, d.style, course.css()))
	fmt.Fprintf(&b, `<body>
<nav class="contents" aria-label="Contents"><details open><summary>%s</summary>
<p class="home"><a href="index.html">%s</a></p>
<ol>
`, "Contents", html.EscapeString(course.Title))
	for _, h := range headings(body) {
		fmt.Fprintf(&b, `<li class="level-%s"><a href="#%s">%s</a></li>`+"\n", h.level, h.id, h.html)
	}
	b.WriteString("</ol></details></nav>\n<main>\n")
	if _, failed, _, _ := checks(c.cellsFor(v)); failed > 0 || len(c.problems()) > 0 {
		b.WriteString(`<p class="spoilt-page">This handout was made although something in its notebook failed. The cells concerned are marked in red.</p>`)
	}
	b.WriteString(body)
	b.WriteString(`<nav class="turn" aria-label="Chapters">`)
	if at > 0 {
		fmt.Fprintf(&b, `<a rel="prev" href="%s.html">← %s</a>`, all[at-1].name(), html.EscapeString(all[at-1].title()))
	}
	if at+1 < len(all) {
		fmt.Fprintf(&b, `<a rel="next" href="%s.html">%s →</a>`, all[at+1].name(), html.EscapeString(all[at+1].title()))
	}
	b.WriteString("</nav>\n</main>\n<script>\n" + d.script + "\n</script>\n")
	if strings.Contains(body, "data-prl-figure") {
		b.WriteString(plotting.RuntimeHTML())
	}
	b.WriteString("\n</body>\n</html>\n")
	return b.String(), nil
}
