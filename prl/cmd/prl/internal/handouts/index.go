package handouts

import (
	"fmt"
	"html"
	"html/template"
	"regexp"
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/syllabus"
)

var dollars = regexp.MustCompile(`\$([^$]+)\$`)

// itemTitles sets the titles of the syllabus' items as HTML. A checkout without a syllabus has none.
func itemTitles(list []syllabus.Item, math *renderer) (map[string]string, error) {
	titles := map[string]string{}
	for _, item := range list {
		title, err := math.render(dollars.ReplaceAllString(html.EscapeString(item.Title), `<span class="tex" data-display="0">$1</span>`))
		if err != nil {
			return nil, fmt.Errorf("item %s: %w", item.ID, err)
		}
		titles[item.ID] = title
	}
	return titles, nil
}

// An entry is a notebook on the index page.
type entry struct {
	Name, Number, Title, Passed, Covers string
	Failed, Open                        int
	Week                                int          // that begins with it, or 0
	Picture                             template.URL // a still of its first figure
	Links                               []link
	Items                               []item
}

// A link leads to a file, or to a place in one.
type link struct{ File, Name string }

type item struct {
	ID    string
	Href  string // of the place that shows it
	Title template.HTML
}

// index is the page that leads to all the others.
func (w *whole) index(o Options, found []passage) (string, error) {
	data := struct {
		frame
		Books   []link
		Map     template.HTML // of what builds on what
		Plans   []shownPlan
		Entries []entry
	}{}
	text := ""
	for i, c := range w.chapters {
		e := w.entry(i, o)
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
	formulas, err := w.math.style(text)
	if err != nil {
		return "", err
	}
	d, course := w.design, w.course
	data.frame = newFrame(course.Title, course, "", d, "", nil, []string{searcher, d.search, d.script}, formulas, d.style)
	if data.Data, err = searchData(w.chapters, found); err != nil {
		return "", err
	}
	if data.Map, err = w.courseMap(); err != nil {
		return "", err
	}
	data.Plans = w.plans()
	data.Description = fmt.Sprintf("%s: %s, with proofs, figures and exercises.", course.Title, count(len(w.chapters), "chapter"))
	data.Canonical = course.address("index.html")
	data.Parts = parts(use{formulas: formulas != "", search: true})
	return compose("index.html", data)
}

func (w *whole) entry(at int, o Options) entry {
	c := w.chapters[at]
	passed, failed, open, ids := checks(c.cellsFor(w.version))
	e := entry{Name: c.name(), Title: c.title(), Passed: count(passed, "check"), Failed: failed, Open: open, Week: w.course.week(at)}
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
	if w.version != Plain {
		e.Links = append(e.Links, link{c.name() + ".ipynb", "Notebook"})
	}
	for i, id := range ids { // sorted, so that an item stands just before its erratum
		name := strings.TrimSuffix(id, erratumMark)
		if i > 0 && name == strings.TrimSuffix(ids[i-1], erratumMark) {
			continue
		}
		title := w.items[name]
		if title == "" {
			title = html.EscapeString(name)
		}
		one := item{ID: name, Title: template.HTML(title)}
		if shown := w.marks[at].items[id]; shown != nil {
			one.Href = shown.Place.File
		}
		e.Items = append(e.Items, one)
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
