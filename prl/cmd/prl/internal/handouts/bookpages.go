package handouts

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"html"
	"html/template"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/syllabus"
)

// The pages about the whole course: what covers which item, the symbols, the terms and names with their places, how methods did on one
// data set, and other treatments beside the chapters.
const (
	coverageName = "coverage.html"
	notationName = "notation.html"
	glossaryName = "glossary.html"
	methodsName  = "methods.html"
	rivalsName   = "rivals.html"
)

// A whole is what the pages of one version share.
type whole struct {
	version  Version
	design   design
	math     *renderer
	course   *Course
	book     *syllabus.Book
	items    map[string]string // titles as HTML
	works    map[string]*work
	chapters []*chapter
	marks    []*marks

	toolchain *toolchain // or nil
}

// pagesOf lists the pages about the whole course that there will be.
func pagesOf(b *syllabus.Book, chapters []*chapter) (all []link) {
	has := func(number string) bool { return chapterOf(chapters, b.Notebook(number)) >= 0 }
	if slices.ContainsFunc(b.Items, func(it syllabus.Item) bool { return chapterOf(chapters, it.Notebook) >= 0 }) && len(b.Documents) > 0 {
		all = append(all, link{coverageName, "Coverage"})
	}
	if slices.ContainsFunc(b.Notation(), func(s syllabus.Symbol) bool { return slices.ContainsFunc(s.Chapters, has) }) {
		all = append(all, link{notationName, "Notation"})
	}
	if slices.ContainsFunc(b.Terms, func(t syllabus.Term) bool { return has(t.Chapter) }) {
		all = append(all, link{glossaryName, "Glossary and index"})
	}
	if slices.ContainsFunc(b.Methods.Results, func(r syllabus.Result) bool { return has(r.Chapter) }) {
		all = append(all, link{methodsName, "One data set"})
	}
	if slices.ContainsFunc(b.Rivals, func(r syllabus.Rival) bool { return has(r.Chapter) }) {
		all = append(all, link{rivalsName, "Beside the best"})
	}
	if slices.ContainsFunc(chapters, func(c *chapter) bool { return len(c.works) > 0 }) {
		all = append(all, link{referencesName, "References"})
	}
	return all
}

// chapterOf is the place of a chapter, or -1.
func chapterOf(chapters []*chapter, name string) int {
	return slices.IndexFunc(chapters, func(c *chapter) bool { return c.name() == name })
}

// chapter is the place of the chapter of a number, or -1; a notebook of others that begins with the same number is none.
func (w *whole) chapter(number string) int { return chapterOf(w.chapters, w.book.Notebook(number)) }

// put writes the index and the pages about the whole course.
func (w *whole) put(o Options, found []passage, put func(name, text string) error) error {
	makers := map[string]func() (string, error){
		coverageName: w.coverage, notationName: w.notation, referencesName: w.references, rivalsName: w.rivals,
		glossaryName: func() (string, error) { return w.glossary(found) },
		methodsName:  func() (string, error) { return w.methods(found) },
		"index.html": func() (string, error) { return w.index(o, found) },
	}
	for _, p := range append(w.course.Pages(), link{File: "index.html"}) {
		text, err := makers[p.File]()
		if err == nil {
			err = put(p.File, text)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", p.File, err)
		}
	}
	return nil
}

// page composes a page about the whole course from its template and what that shows; set holds the formulas in it.
func (w *whole) page(file, title, set string, data map[string]any) (string, error) {
	formulas, err := w.math.style(set)
	if err != nil {
		return "", err
	}
	f := newFrame(title+": "+w.course.Title, w.course, "", w.design, "", nil, []string{w.design.script}, formulas, w.design.style)
	f.Canonical = w.course.address(file)
	f.Parts = parts(use{formulas: formulas != ""})
	data["Name"], data["File"] = title, file
	return compose(file, struct {
		frame
		Page map[string]any
	}{f, data})
}

// coverage is the page that leads from the contents of the documents to the places that show each item.
func (w *whole) coverage() (string, error) {
	type row struct {
		ID, Kind string
		Title    template.HTML
		Chapter  *link
		Place    *shownItem
		Erratum  *shownItem
	}
	type section struct {
		ID, Title, Count string
		Chapters         []link // where it is derived: the first place of each chapter
		Rows             []row
	}
	type document struct {
		Code, Title string
		Sections    []section
	}
	var documents []document
	set, covered, checked, errata := "", 0, 0, 0
	for _, d := range w.book.Documents {
		shown := document{Code: d.Code, Title: d.Title}
		for i, items := range w.book.Contents(d) {
			s := section{ID: fmt.Sprintf("%s-%d", strings.ToLower(d.Code), i+1), Title: d.Sections[i].Title}
			for _, it := range items {
				at := chapterOf(w.chapters, it.Notebook)
				if at < 0 {
					continue
				}
				c, m := w.chapters[at], w.marks[at]
				r := row{ID: it.ID, Kind: it.Kind, Title: template.HTML(w.items[it.ID]), Place: m.items[it.ID], Erratum: m.items[it.ID+erratumMark]}
				r.Chapter = &link{c.name() + ".html", chapterNumber(c, at+1)}
				set += string(r.Title)
				if r.Place != nil {
					covered++
					if r.Place.Checked {
						checked++
					}
					if !slices.ContainsFunc(s.Chapters, func(p link) bool { return p.Name == numbered(c, at+1) }) {
						s.Chapters = append(s.Chapters, link{r.Place.Head.File, numbered(c, at+1)})
					}
				}
				if r.Erratum != nil {
					errata++
				}
				s.Rows = append(s.Rows, r)
			}
			if s.Count = count(len(s.Rows), "item"); len(s.Rows) > 0 {
				shown.Sections = append(shown.Sections, s)
			}
		}
		if len(shown.Sections) > 0 {
			documents = append(documents, shown)
		}
	}
	return w.page(coverageName, "Coverage", set, map[string]any{
		"Documents": documents,
		"Said": fmt.Sprintf("%s of the documents have their place in these chapters, %d of them with a check that passed. The errata of %s are "+
			"proved or told.", count(covered, "item"), checked, count(errata, "item")),
	})
}

// numbers are links to chapters of the course by their numbers.
func (w *whole) numbers(names []string) (all []link) {
	for _, name := range names {
		if at := w.chapter(name); at >= 0 {
			all = append(all, link{w.chapters[at].name() + ".html", chapterNumber(w.chapters[at], at+1)})
		}
	}
	return all
}

// told is a text with formulas between dollars as HTML.
func (w *whole) told(text string) (template.HTML, error) {
	set, err := w.math.render(dollars.ReplaceAllString(html.EscapeString(text), `<span class="tex" data-display="0">$1</span>`))
	return template.HTML(set), err
}

// notation is the page with the symbols.
func (w *whole) notation() (string, error) {
	type row struct {
		Symbol, Meaning template.HTML
		Code            string
		Chapters        []link
	}
	var rows []row
	set := ""
	for _, s := range w.book.Notation() {
		r := row{Code: s.Code, Chapters: w.numbers(s.Chapters)}
		if len(r.Chapters) == 0 {
			continue
		}
		var err error
		if r.Symbol, err = w.told("$" + s.Symbol + "$"); err == nil {
			r.Meaning, err = w.told(s.Meaning)
		}
		if err != nil {
			return "", fmt.Errorf("the symbol %s: %w", s.Symbol, err)
		}
		set += string(r.Symbol + r.Meaning)
		rows = append(rows, r)
	}
	return w.page(notationName, "Notation", set, map[string]any{"Rows": rows})
}

// glossary is the page with the terms and the names, each with the places where chapters speak of it.
func (w *whole) glossary(found []passage) (string, error) {
	type row struct {
		Name, ID, Code  string
		Symbol, Meaning template.HTML
		First           string // the number of the chapter that introduces it
		Places          []link
	}
	var terms, names []row
	set := ""
	for _, t := range w.book.Terms {
		r := row{Name: t.Term, ID: "term-" + strings.ReplaceAll(strings.ToLower(t.Term), " ", "-"), Code: t.Code}
		at := w.chapter(t.Chapter)
		if at < 0 {
			continue
		}
		r.First = chapterNumber(w.chapters[at], at+1)
		var err error
		if r.Meaning, err = w.told(t.Meaning); err == nil && t.Symbol != "" {
			r.Symbol, err = w.told("$" + t.Symbol + "$")
		}
		if err != nil {
			return "", fmt.Errorf("the term %s: %w", t.Term, err)
		}
		r.Places = w.places(found, regexp.MustCompile(`(?i)\b`+regexp.QuoteMeta(t.Term)+`(?:e?s)?\b`))
		set += string(r.Symbol + r.Meaning)
		terms = append(terms, r)
	}
	known := map[string]int{} // places in names
	for at, c := range w.chapters {
		for _, key := range c.works {
			to := link{c.name() + ".html#" + citePrefix + key, chapterNumber(c, at+1)}
			if cited := w.marks[at].cited[key]; len(cited) > 0 {
				to.File = cited[0].File
			}
			for _, name := range w.works[key].surnames() {
				if _, found := known[name]; !found {
					known[name] = len(names)
					names = append(names, row{Name: name})
				}
				r := &names[known[name]]
				if !slices.ContainsFunc(r.Places, func(p link) bool { return p.Name == to.Name }) {
					r.Places = append(r.Places, to)
				}
			}
		}
	}
	byName := func(a, b row) int { return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) }
	slices.SortFunc(terms, byName)
	slices.SortFunc(names, byName)
	return w.page(glossaryName, "Glossary and index", set, map[string]any{"Terms": terms, "Names": names})
}

// places leads to the passage of each chapter that has most of a word; a heading counts most, apart from the title of the chapter.
func (w *whole) places(found []passage, word *regexp.Regexp) (all []link) {
	for at, c := range w.chapters {
		best, to, title := 0, "", c.title()
		for _, p := range found {
			if p.Page != at {
				continue
			}
			n := len(word.FindAllString(p.Text, -1))
			if p.Heading != title {
				n += 10 * len(word.FindAllString(p.Heading, -1))
			}
			if n > 0 && (p.Heading == "Exercises" || p.Heading == "References" || p.Heading == "What to remember") {
				n = 1 // where nothing else speaks of it
			}
			if n > best {
				best, to = n, c.name()+".html#"+p.ID
			}
		}
		if best > 0 {
			all = append(all, link{strings.TrimSuffix(to, "#"), chapterNumber(c, at+1)})
		}
	}
	return all
}

// A shownPlan is a reading plan as the index shows it.
type shownPlan struct {
	Title, File string
	Weeks       [][]link
}

// plans are the reading plans whose chapters are all among those of the course.
func (w *whole) plans() (all []shownPlan) {
	for _, p := range w.book.Plans {
		shown := shownPlan{Title: p.Title, File: "notebooks/handouts/" + p.File}
		for _, week := range p.Weeks {
			var chapters []link
			for _, name := range week {
				if at := w.chapter(name); at >= 0 {
					chapters = append(chapters, link{w.chapters[at].name() + ".html", numbered(w.chapters[at], at+1)})
				}
			}
			if len(chapters) == len(week) {
				shown.Weeks = append(shown.Weeks, chapters)
			}
		}
		if len(shown.Weeks) == len(p.Weeks) {
			all = append(all, shown)
		}
	}
	return all
}

// mapLabel is the number of a chapter in the drawing of the map, with its place on the drawing's grid; gridSize is what that measures.
var (
	mapLabel = regexp.MustCompile(`<text x="(\d+)" y="(\d+)">(\d\d)</text>`)
	gridSize = regexp.MustCompile(`viewBox="0 0 (\d+) (\d+)"`)
	mapWords = regexp.MustCompile(`<desc>([^<]*)</desc>`)
)

// courseMap is the picture of which chapter builds on which, with a link on each; or nothing, if nobody said.
func (w *whole) courseMap() (template.HTML, error) {
	var places []syllabus.Chapter
	for _, c := range w.chapters {
		if number, name, _ := strings.Cut(c.name(), "-"); w.book.Notebook(number) == c.name() {
			places = append(places, syllabus.Chapter{Number: number, Name: name})
		}
	}
	figure, err := w.book.Map(places)
	if figure == nil || err != nil {
		return "", err
	}
	drawing, err := figure.SVG()
	if err != nil {
		return "", err
	}
	size, words := gridSize.FindStringSubmatch(string(drawing)), mapWords.FindStringSubmatch(string(drawing))
	if size == nil || words == nil {
		return "", fmt.Errorf("the drawing of the map has no size or no words")
	}
	part := func(place, whole string) float64 {
		p, _ := strconv.ParseFloat(place, 64) // digits, as the expressions say
		of, _ := strconv.ParseFloat(whole, 64)
		return 100 * p / of
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<div class="map" tabindex="0" role="region" aria-label="Map of the chapters"><div><img alt="%s" src="%s">`,
		words[1], "data:image/svg+xml;base64,"+base64.StdEncoding.EncodeToString(drawing))
	for _, m := range mapLabel.FindAllStringSubmatch(string(drawing), -1) {
		at := w.chapter(m[3])
		fmt.Fprintf(&b, `<a href="%s.html" style="left:%.2f%%;top:%.2f%%" aria-label="%s"></a>`,
			html.EscapeString(w.chapters[at].name()), part(m[1], size[1]), part(m[2], size[2]), html.EscapeString(numbered(w.chapters[at], at+1)))
	}
	b.WriteString("</div></div>\n")
	return template.HTML(b.String()), nil
}
