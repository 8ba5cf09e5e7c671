package handouts

import (
	"embed"
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/prlab/prlab/plotting"
)

// revealFiles are reveal.js 6.0.2 (MIT licence, beside it): the library and its style sheet, without themes and plugins.
//
//go:embed reveal
var revealFiles embed.FS

// deck writes the cells for the script of the slides, which cuts them up: how much fits on a slide is known only to the browser that shows
// it. Solutions are for the teacher.
func (c *chapter) deck(v Version) string {
	var b strings.Builder
	for _, one := range c.Cells {
		solution := slices.Contains(one.Tags, "solution")
		if one.Slide == "skip" || solution && v != Teacher {
			continue
		}
		classes := "cell " + one.Kind
		for _, tag := range one.Tags {
			classes += " tag-" + html.EscapeString(tag)
		}
		if one.spoilt() {
			classes += " spoilt"
		}
		fmt.Fprintf(&b, "<section class=\"%s\" data-slide=\"%s\">\n", classes, html.EscapeString(one.Slide))
		if one.spoilt() {
			b.WriteString(`<div class="prose"><p class="spoilt-name">This cell failed or was not executed: do not trust what it shows.</p></div>`)
		}
		b.WriteString(one.HTML + "\n</section>\n")
	}
	return anchorTag.ReplaceAllString(b.String(), "")
}

// slidesName is the name of the file with a notebook's slides.
func (c *chapter) slidesName() string { return c.name() + ".slides.html" }

// slides is the self-contained file of a notebook's slides. Without scripts it is a plain page.
func (c *chapter) slides(v Version, d design, math *renderer, course *Course, all []*chapter) (string, error) {
	body := relink(c.deck(v), func(name, fragment string) string {
		if slices.ContainsFunc(all, func(o *chapter) bool { return o.name() == name }) {
			return name + ".slides.html" + strings.Replace(fragment, "#", "#/", 1)
		}
		return ""
	})
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
	var b strings.Builder
	b.WriteString(head(c.title(), string(sheet), formulas, c.Style, d.style, d.slideStyle, course.css()))
	fmt.Fprintf(&b, `<body>
<main class="deck">
<header class="deck-title">%s<p class="course-title">%s</p><p class="byline">%s</p></header>
%s</main>
<script>
%s
</script>
<script>
%s
</script>
`, course.logoTag(), html.EscapeString(course.Title), html.EscapeString(course.byline()), body, library, d.slideScript)
	if strings.Contains(body, "data-prl-figure") {
		b.WriteString(plotting.RuntimeHTML())
	}
	b.WriteString("\n</body>\n</html>\n")
	return b.String(), nil
}
