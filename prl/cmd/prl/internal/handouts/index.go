package handouts

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
)

var dollars = regexp.MustCompile(`\$([^$]+)\$`)

// readItems reads the titles of the syllabus' items as HTML. A checkout without a syllabus has none.
func readItems(lab *setup.Lab, math *renderer) (map[string]string, error) {
	path := lab.Path("notebooks", "items.json")
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []struct{ ID, Title string }
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	titles := map[string]string{}
	for _, item := range list {
		title, err := math.render(dollars.ReplaceAllString(html.EscapeString(item.Title), `<span class="tex" data-display="0">$1</span>`))
		if err != nil {
			return nil, fmt.Errorf("%s, item %s: %w", path, item.ID, err)
		}
		titles[item.ID] = title
	}
	return titles, nil
}

// index is the page that leads to all the others.
func index(v Version, d design, math *renderer, o Options, all []*chapter, items map[string]string) (string, error) {
	course := o.Course
	var entries strings.Builder
	for _, c := range all {
		entries.WriteString(c.entry(v, o, items))
	}
	formulas, err := math.style(entries.String())
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(head(course.Title, formulas, d.style, course.css()))
	fmt.Fprintf(&b, `<body class="index">
<main>
<header>%s<div><h1>%s</h1>
`, course.logoTag(), html.EscapeString(course.Title))
	if line := course.byline(); line != "" {
		b.WriteString(`<p class="byline">` + html.EscapeString(line) + "</p>\n")
	}
	if o.Reader {
		b.WriteString(`<p><a href="` + readerName + `">The whole course as one PDF</a></p>` + "\n")
	}
	b.WriteString("</div></header>\n" + `<ul class="chapters">` + "\n")
	b.WriteString(entries.String() + "</ul>\n</main>\n</body>\n</html>\n")
	return b.String(), nil
}

// entry is a notebook on the index page.
func (c *chapter) entry(v Version, o Options, items map[string]string) string {
	var b strings.Builder
	passed, failed, open, ids := checks(c.cellsFor(v))
	b.WriteString("<li>")
	for _, one := range c.Cells {
		if m := firstStill.FindStringSubmatch(one.HTML); m != nil {
			fmt.Fprintf(&b, `<a class="picture" href="%s.html" tabindex="-1" aria-hidden="true"><img alt="" src="%s"></a>`, c.name(), m[1])
			break
		}
	}
	fmt.Fprintf(&b, `<div><h2><a href="%s.html">%s</a></h2><p>%s passed`, c.name(), html.EscapeString(c.title()), count(passed, "check"))
	if failed > 0 {
		fmt.Fprintf(&b, `, <strong class="bad">%d failed</strong>`, failed)
	}
	if open > 0 {
		fmt.Fprintf(&b, `, %d for the reader to solve`, open)
	}
	b.WriteString("</p>")
	var links []string
	if o.Slides {
		links = append(links, fmt.Sprintf(`<a href="%s">Slides</a>`, c.slidesName()))
	}
	if o.PDF {
		links = append(links, fmt.Sprintf(`<a href="%s.pdf">PDF</a>`, c.name()))
	}
	if v != Plain {
		links = append(links, fmt.Sprintf(`<a href="%s.ipynb">Notebook</a>`, c.name()))
	}
	if len(links) > 0 {
		b.WriteString("<p>" + strings.Join(links, " · ") + "</p>")
	}
	var lines strings.Builder
	n := 0
	for i, id := range ids { // sorted, so that an item stands just before its erratum
		name := strings.TrimSuffix(id, ":erratum")
		if i > 0 && name == strings.TrimSuffix(ids[i-1], ":erratum") {
			continue
		}
		n++
		title := items[name]
		if title == "" {
			title = html.EscapeString(name)
		}
		fmt.Fprintf(&lines, `<li>%s <span class="item">%s</span></li>`, title, html.EscapeString(name))
	}
	if n > 0 {
		fmt.Fprintf(&b, `<details><summary>What it covers: %s</summary><ul class="items">%s</ul></details>`, count(n, "item"), lines.String())
	}
	b.WriteString("</div></li>\n")
	return b.String()
}

// count is a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprint(n) + " " + noun + "s"
}
