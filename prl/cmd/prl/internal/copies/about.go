package copies

import (
	"encoding/base64"
	"fmt"
	"html"
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/syllabus"
)

// about is what the start page says of the whole course below its chapters: the map of what builds on what, reading plans, symbols, terms,
// and where the contents of the documents are derived. A folder without such files says nothing.
func about(from string, names []string) string {
	book, err := syllabus.Read(from)
	if err != nil {
		return ""
	}
	file, places := map[string]string{}, []syllabus.Chapter{}
	for _, name := range names {
		if number, title, is := strings.Cut(strings.TrimSuffix(name, ".ipynb"), "-"); is && number != "00" {
			file[number] = name
			places = append(places, syllabus.Chapter{Number: number, Name: title})
		}
	}
	chapters := func(numbers []string) string {
		var all []string
		for _, n := range numbers {
			if file[n] != "" {
				all = append(all, fmt.Sprintf(`<a href="%s">%s</a>`, html.EscapeString(file[n]), n))
			}
		}
		return strings.Join(all, ", ")
	}
	var b strings.Builder
	if figure, err := book.Map(places); err == nil && figure != nil {
		if drawing, err := figure.SVG(); err == nil {
			fmt.Fprintf(&b, "\n\n<img src=\"data:image/svg+xml;base64,%s\" alt=\"Map of what each chapter builds on\">",
				base64.StdEncoding.EncodeToString(drawing))
		}
	}
	fold := func(title string, heads []string, rows [][]string) {
		if len(rows) == 0 {
			return
		}
		fmt.Fprintf(&b, "\n\n<details><summary>%s</summary><table><tr><th>%s</th></tr>\n", title, strings.Join(heads, "</th><th>"))
		for _, row := range rows {
			fmt.Fprintf(&b, "<tr><td>%s</td></tr>\n", strings.Join(row, "</td><td>"))
		}
		b.WriteString("</table></details>")
	}
	var plans, symbols, terms, contents [][]string
	for _, p := range book.Plans {
		for i, week := range p.Weeks {
			plans = append(plans, []string{html.EscapeString(p.Title), fmt.Sprint(i + 1), chapters(week)})
		}
	}
	for _, s := range book.Notation() {
		symbol := "$" + s.Symbol + "$" // JupyterLab takes formulas out before it reads HTML, and escapes them itself
		symbols = append(symbols, []string{symbol, html.EscapeString(s.Meaning), code(s.Code), chapters(s.Chapters)})
	}
	for _, t := range book.Terms {
		terms = append(terms, []string{html.EscapeString(t.Term), html.EscapeString(t.Meaning), code(t.Code), chapters([]string{t.Chapter})})
	}
	for _, d := range book.Documents {
		for i, items := range book.Contents(d) {
			var numbers []string
			for _, it := range items {
				if n, _, _ := strings.Cut(it.Notebook, "-"); !strings.Contains(strings.Join(numbers, " "), n) {
					numbers = append(numbers, n)
				}
			}
			contents = append(contents, []string{html.EscapeString(d.Title), html.EscapeString(d.Sections[i].Title), chapters(numbers)})
		}
	}
	fold("Reading plans of 4, 8 and 14 weeks", []string{"plan", "week", "chapters"}, plans)
	fold("Notation: symbols and their meanings", []string{"symbol", "meaning", "in code", "chapters"}, symbols)
	fold("Glossary: terms and their meanings", []string{"term", "meaning", "in code", "introduced in"}, terms)
	fold("Coverage: what the documents contain, and where it is derived", []string{"document", "section", "chapters"}, contents)
	return b.String()
}

func code(name string) string {
	if name == "" {
		return ""
	}
	return "<code>" + html.EscapeString(name) + "</code>"
}
