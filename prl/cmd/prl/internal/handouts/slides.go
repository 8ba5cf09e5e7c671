package handouts

import (
	"embed"
	"html/template"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// revealFiles are reveal.js 6.0.2 (MIT licence, beside it): the library and its style sheet, without themes and plugins.
//
//go:embed reveal
var revealFiles embed.FS

// deck writes the cells for the script of the slides, which cuts them up: how much fits on a slide is known only to the browser that shows
// it. Solutions are for the teacher.
func (c *chapter) deck(v Version) (*html.Node, error) {
	var cells []shownCell
	for _, one := range c.Cells {
		solution := slices.Contains(one.Tags, "solution")
		if one.Slide == "skip" || slices.Contains(one.Tags, "seals") || solution && v != Teacher {
			continue
		}
		cells = append(cells, one.shownAs(one.HTML))
	}
	text, err := compose("deck", cells)
	if err != nil {
		return nil, err
	}
	deck := parse(text)
	for n := range elements(deck, tag("a", "anchor")) {
		remove(n)
	}
	for n := range elements(deck, tag("p", "figure-name")) { // a slide has its title in large
		remove(n)
	}
	unfold(deck)
	still(deck)
	for n := range elements(deck, tag("div", "prl-live")) { // the figure has the width of a slide, and what it shows follows piece by piece
		var pieces []*html.Node
		for _, part := range children(n) {
			if hasClass(part, "prl-live-out") {
				pieces = append(pieces, children(part)...)
			} else {
				pieces = append(pieces, part)
			}
		}
		pieces = slices.DeleteFunc(pieces, func(n *html.Node) bool { return n.Type != html.ElementNode })
		for i, piece := range pieces {
			remove(piece)
			pieces[i] = &html.Node{Type: html.ElementNode, Data: "div", Attr: []html.Attribute{{Key: "class", Val: "display"}}}
			pieces[i].AppendChild(piece)
		}
		if display := n.Parent; hasClass(display, "display") && first(display, tag("div", "prl-live")) == n {
			n = display
		}
		replace(n, pieces...)
	}
	return deck, nil
}

// slidesName is the name of the file with a notebook's slides.
func (c *chapter) slidesName() string { return c.name() + ".slides.html" }

// slides is the self-contained file of a notebook's slides. Without scripts it is a plain page.
func (c *chapter) slides(v Version, d design, math *renderer, course *Course, all []*chapter) (string, error) {
	deck, err := c.deck(v)
	if err != nil {
		return "", err
	}
	relink(deck, func(name, fragment string) string {
		if slices.ContainsFunc(all, func(o *chapter) bool { return o.name() == name }) {
			return name + ".slides.html" + strings.Replace(fragment, "#", "#/", 1)
		}
		return ""
	})
	body := inner(deck)
	formulas, err := math.style(body)
	if err != nil {
		return "", err
	}
	library, err := revealFiles.ReadFile("reveal/reveal.js")
	if err != nil {
		return "", err
	}
	sheet, err := revealFiles.ReadFile("reveal/reveal.css")
	if err != nil {
		return "", err
	}
	data := struct {
		frame
		Body template.HTML
	}{newFrame(c.title(), course, body, d, "", nil, []string{string(library), d.slideScript}, string(sheet), formulas,
		c.Style, d.style, d.slideStyle), template.HTML(body)}
	data.Parts = parts(use{formulas: formulas != "", charts: data.Runtime != "", slides: true})
	return compose("slides.html", data)
}
