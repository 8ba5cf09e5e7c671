package handouts

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"html/template"
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

// An entry is a notebook on the index page.
type entry struct {
	Name, Number, Title, Passed, Covers string
	Failed, Open                        int
	Picture                             template.URL // a still of its first figure
	Links                               []link
	Items                               []item
}

type link struct{ File, Name string }

type item struct {
	ID    string
	Title template.HTML
}

// index is the page that leads to all the others.
func index(
	v Version,
	d design,
	math *renderer,
	o Options,
	all []*chapter,
	items map[string]string,
	found []passage,
) (string, error) {
	data := struct {
		frame
		Books   []link
		Entries []entry
		Works   string // the page with the works that are cited, if there are any
	}{}
	text := ""
	for i, c := range all {
		if len(c.works) > 0 {
			data.Works = referencesName
		}
		e := c.entry(v, o, items)
		e.Number = chapterNumber(c, i+1)
		for _, i := range e.Items {
			text += string(i.Title)
		}
		data.Entries = append(data.Entries, e)
	}
	if o.Reader {
		data.Books = append(data.Books, link{readerName, "one PDF"})
	}
	if o.EPUB {
		data.Books = append(data.Books, link{epubName, "one EPUB"})
	}
	formulas, err := math.style(text)
	if err != nil {
		return "", err
	}
	data.frame = newFrame(o.Course.Title, o.Course, "", d, "", []string{searcher, d.search, d.script}, formulas, d.style)
	if data.Data, err = searchData(all, found); err != nil {
		return "", err
	}
	data.Description = fmt.Sprintf("%s: %s, with proofs, figures and exercises.", o.Course.Title, count(len(all), "chapter"))
	data.Canonical = o.Course.address("index.html")
	data.Parts = parts(use{formulas: formulas != "", search: true})
	return compose("index.html", data)
}

func (c *chapter) entry(v Version, o Options, items map[string]string) entry {
	passed, failed, open, ids := checks(c.cellsFor(v))
	e := entry{Name: c.name(), Title: c.title(), Passed: count(passed, "check"), Failed: failed, Open: open}
	for _, one := range c.Cells {
		if !strings.Contains(one.HTML, "prl-figure") {
			continue
		}
		if still := first(parse(one.HTML), tag("img", "prl-figure")); still != nil {
			e.Picture = template.URL(attr(still, "src"))
			break
		}
	}
	if o.Slides {
		e.Links = append(e.Links, link{c.slidesName(), "Slides"})
	}
	if o.PDF {
		e.Links = append(e.Links, link{c.name() + ".pdf", "PDF"})
	}
	if o.Sheet {
		e.Links = append(e.Links, link{c.sheetName(), "Sheet"})
	}
	if v != Plain {
		e.Links = append(e.Links, link{c.name() + ".ipynb", "Notebook"})
	}
	for i, id := range ids { // sorted, so that an item stands just before its erratum
		name := strings.TrimSuffix(id, ":erratum")
		if i > 0 && name == strings.TrimSuffix(ids[i-1], ":erratum") {
			continue
		}
		title := items[name]
		if title == "" {
			title = html.EscapeString(name)
		}
		e.Items = append(e.Items, item{name, template.HTML(title)})
	}
	e.Covers = count(len(e.Items), "item")
	return e
}

// count is a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprint(n) + " " + noun + "s"
}
