package prl

import (
	"errors"
	"slices"
	"strings"

	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/internal/shown"
)

// Show shows each value below the cell: figures, tables and models by their own Show; strings as paragraphs (blank lines part them;
// **bold**, `code`, lists of lines that begin with "- " and tables of lines that begin with "|" are understood); matrices, structs, maps
// and slices of structs as tables, of which large ones are shortened; images; charts of go-echarts and plots of gonum if the package
// echartsx or gonumx is imported; everything else on a line. An error fails the cell. In the live figures of a page values stand on a line.
func Show(values ...any) {
	for _, v := range values {
		switch v := v.(type) {
		case error:
			cell.Fail(v)
		case interface{ Show() }:
			v.Show()
		case string:
			cell.Display(cell.Bundle{HTML: prose(v), Text: v})
		case nil:
			cell.Fail(errors.New("Show: there is nothing to show (nil)"))
		default:
			if b, known := shown.As(v); known {
				if b.HTML == "" {
					b.HTML = "<pre>" + cell.Escape(b.Text) + "</pre>"
				}
				cell.Display(b)
				continue
			}
			text := cell.Value(v, 6)
			cell.Display(cell.Bundle{HTML: "<pre>" + cell.Escape(text) + "</pre>", Text: text})
		}
	}
}

// prose turns text into HTML paragraphs.
func prose(s string) string {
	var b strings.Builder
	for _, paragraph := range strings.Split(strings.TrimSpace(s), "\n\n") {
		if list := listed(strings.TrimSpace(paragraph)); list != "" {
			b.WriteString(list)
			continue
		}
		p := cell.Escape(strings.TrimSpace(paragraph))
		p = spans(p, "`", "code")
		p = spans(p, "**", "strong")
		b.WriteString("<p>" + p + "</p>")
	}
	return b.String()
}

// listed is a list or a table of Markdown, whose lines all begin with one mark, or "".
func listed(paragraph string) string {
	lines := strings.Split(paragraph, "\n")
	all := func(mark string) bool {
		return !slices.ContainsFunc(lines, func(line string) bool { return !strings.HasPrefix(strings.TrimSpace(line), mark) })
	}
	inline := func(s string) string {
		return spans(spans(cell.Escape(strings.TrimSpace(s)), "`", "code"), "**", "strong")
	}
	var b strings.Builder
	switch {
	case all("- "):
		for _, line := range lines {
			b.WriteString("<li>" + inline(strings.TrimSpace(line)[2:]) + "</li>")
		}
		return "<ul>" + b.String() + "</ul>"
	case len(lines) > 1 && all("|") && strings.Trim(lines[1], "|:- ") == "":
		for i, line := range lines {
			if i == 1 {
				continue
			}
			element := "td"
			if i == 0 {
				element = "th"
			}
			b.WriteString("<tr>")
			for _, text := range strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|") {
				b.WriteString("<" + element + ">" + inline(text) + "</" + element + ">")
			}
			b.WriteString("</tr>")
		}
		return "<table>" + b.String() + "</table>"
	}
	return ""
}

// spans puts what stands between pairs of mark into an element; a mark without a partner stays.
func spans(s, mark, element string) string {
	parts := strings.Split(s, mark)
	var b strings.Builder
	for i, p := range parts {
		switch {
		case i%2 == 0:
			b.WriteString(p)
		case i == len(parts)-1:
			b.WriteString(mark + p)
		default:
			b.WriteString("<" + element + ">" + p + "</" + element + ">")
		}
	}
	return b.String()
}
