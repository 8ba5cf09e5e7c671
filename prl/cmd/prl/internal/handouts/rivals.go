package handouts

import (
	"html"
	"html/template"
	"regexp"
	"slices"
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/syllabus"
)

// rivals is the page that sets each chapter beside one of the best treatments of its subject, with a figure of the chapter.
func (w *whole) rivals() (string, error) {
	type row struct {
		Chapter               link
		Rival                 syllabus.Rival
		Dotted                bool // the author's name ends with a full stop of its own
		Text, Answer, Verdict template.HTML
		Place, Words          string       // of the figure
		Picture               template.URL // a still, as data; or nothing
	}
	var rows []row
	for _, r := range w.book.Rivals {
		at := w.chapter(r.Chapter)
		if at < 0 {
			continue
		}
		c := w.chapters[at]
		shown := row{
			Chapter: link{c.name() + ".html", numbered(c, at+1)}, Rival: r, Dotted: strings.HasSuffix(r.Author, "."),
			Text: w.inline(r.Does + " " + r.Better + " " + r.Here), Answer: w.inline(r.Answer), Verdict: w.inline(r.Verdict),
			Place: c.name() + ".html#cell-" + r.Figure,
		}
		if i := slices.IndexFunc(c.Cells, func(one cell) bool { return one.ID == r.Figure }); i >= 0 {
			if img := first(parse(c.Cells[i].HTML), tag("img", "")); img != nil && strings.HasPrefix(attr(img, "src"), "data:image/") {
				shown.Picture, shown.Words = template.URL(attr(img, "src")), attr(img, "alt")
			}
		}
		rows = append(rows, shown)
	}
	return w.page(rivalsName, "Beside the best", "", map[string]any{"Rows": rows})
}

// inlineMark is code or a link in Markdown, in a text whose other characters are escaped.
var inlineMark = regexp.MustCompile("`([^`]+)`|\\[([^\\]]+)\\]\\(([^()]+)\\.ipynb\\)")

// inline sets a sentence that may hold code and links to notebooks, in Markdown. A link to a notebook without a page becomes its words.
func (w *whole) inline(text string) template.HTML {
	return template.HTML(inlineMark.ReplaceAllStringFunc(html.EscapeString(text), func(found string) string {
		m := inlineMark.FindStringSubmatch(found)
		if m[1] != "" {
			return "<code>" + m[1] + "</code>"
		}
		if chapterOf(w.chapters, m[3]) < 0 {
			return m[2]
		}
		return `<a href="` + m[3] + `.html">` + m[2] + `</a>`
	}))
}
