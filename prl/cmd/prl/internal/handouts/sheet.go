package handouts

import (
	"context"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// sheetPages is how long the sheet of a chapter may be.
const sheetPages = 4

// sheetName is the name of the file with a notebook's sheet.
func (c *chapter) sheetName() string { return c.name() + ".sheet.pdf" }

// An extract is a part of a chapter on its sheet: what to remember, a formula with the words before it, a figure, a question. The parts of
// low rank are left out where the sheet would be too long.
type extract struct {
	section, place, rank int
	nodes                []*html.Node
}

// The ranks of extracts. Formulas and figures of a section follow each other, so that none has all and another nothing.
const (
	alwaysRank   = 0
	formulaRank  = 10 // and 12, 14 …
	figureRank   = 13 // and 15, 17 …
	exerciseRank = 90
)

// A sheetSection is a part of the sheet under a heading.
type sheetSection struct {
	Heading template.HTML
	Class   string
	Body    template.HTML
}

// extracts cuts out of the body of a chapter what its sheet may hold. The headings of the sections are given by their numbers, from 1; what
// stands before the first is in section 0.
func extracts(body *html.Node) (headings []*html.Node, all []extract) {
	section, formulas, figures := 0, 0, 0
	kind := "" // of the section: exercises, or left out
	add := func(rank int, nodes ...*html.Node) {
		all = append(all, extract{section, len(all), rank, nodes})
	}
	opened := false
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type != html.ElementNode {
			return
		}
		switch {
		case hasClass(n, "solution") || hasClass(n, "code-note") || hasClass(n, "source") || hasClass(n, "prl-proofs"):
			return
		case n.Data == "h1":
			return
		case level(n) > 0 && strings.Contains(strings.ToLower(textOf(n)), "remember"):
			headings = append(headings, n)
			section, kind = len(headings), "left out"
			for next := n.NextSibling; next != nil && level(next) == 0; next = next.NextSibling {
				if next.Type == html.ElementNode {
					add(alwaysRank, next)
				}
			}
			return
		case n.Data == "h2":
			headings = append(headings, n)
			section, formulas, figures = len(headings), 0, 0
			switch title := strings.ToLower(textOf(n)); {
			case strings.HasPrefix(title, "exercise"):
				kind = "exercises"
			case strings.Contains(title, "lecturer") || strings.HasPrefix(title, "reference"):
				kind = "left out"
			default:
				kind = ""
			}
			return
		case kind == "left out" || n.Data == "h3" || n.Data == "h4":
			return
		case kind == "exercises":
			if hasClass(n, "tag-exercise") && hasClass(n, "markdown") {
				for text := range elements(n, tag("div", "prose")) {
					add(exerciseRank+len(all), children(text)...)
				}
				return
			}
		case hasClass(n, "katex-display"):
			add(formulaRank+2*formulas, said(n)...)
			formulas++
			return
		case n.Data == "img" && hasClass(n, "prl-figure"), hasClass(n, "prl-strip"):
			rank := figureRank + 2*figures
			if section == 0 && figures == 0 {
				rank = alwaysRank
			}
			name := n.NextSibling
			if piece := first(n, tag("img", "")); piece != nil { // of a film, the title and the first frames
				n = piece
			}
			if name != nil && hasClass(name, "figure-name") {
				add(rank, n, name)
			} else {
				add(rank, n)
			}
			figures++
			return
		case hasClass(n, "figure-name"):
			return
		case n.Data == "p" && !opened && section == 0 && utf8.RuneCountInString(textOf(n)) > 60:
			opened = true
			add(alwaysRank, n)
			return
		}
		for _, child := range children(n) {
			walk(child)
		}
	}
	walk(body)
	return headings, all
}

// mostWords is how long the paragraph before a formula may be to come along whole; of a longer one its last sentence does.
const mostWords = 160

// said is a formula and what announces it: copies of the sentence before it, and of what goes before in the same line of thought.
func said(formula *html.Node) []*html.Node {
	outer := formula // Markdown sets a formula alone into a paragraph of its own, or between the words of one
	for outer.Parent != nil && outer.Parent.Data == "p" {
		outer = outer.Parent
	}
	var words []*html.Node
	if outer != formula {
		for n := formula.PrevSibling; n != nil && !hasClass(n, "katex-display"); n = n.PrevSibling {
			words = append([]*html.Node{n}, words...)
		}
	}
	before := previous(outer)
	if len(words) == 0 && before != nil && before.Data == "p" && first(before, tag("span", "katex-display")) == nil {
		words = children(before)
	}
	line := &html.Node{Type: html.ElementNode, Data: "p", Attr: []html.Attribute{{Key: "class", Val: "said"}}}
	length := 0
	for i := len(words) - 1; i >= 0; i-- {
		n := words[i]
		length += utf8.RuneCountInString(textOf(n))
		if n.Type == html.TextNode && length > mostWords {
			if end := lastSentence(n.Data, i == len(words)-1); end >= 0 {
				line.InsertBefore(&html.Node{Type: html.TextNode, Data: n.Data[end:]}, line.FirstChild)
				break
			}
		}
		line.InsertBefore(copyOf(n), line.FirstChild)
	}
	set := copyOf(formula)
	if strings.TrimSpace(textOf(line)) == "" {
		return []*html.Node{set}
	}
	return []*html.Node{line, set}
}

// lastSentence is where the last sentence of a text begins, or -1 if it has only one. The end of the text is that of a sentence if last.
func lastSentence(text string, last bool) int {
	if last {
		text = strings.TrimRight(text, " \n.:!?")
	}
	for at := len(text) - 2; at > 0; at-- {
		if strings.IndexByte(".!?", text[at]) >= 0 && (text[at+1] == ' ' || text[at+1] == '\n') {
			return at + 2
		}
	}
	return -1
}

// previous is the element before n, or nil.
func previous(n *html.Node) *html.Node {
	for n = n.PrevSibling; n != nil && n.Type != html.ElementNode; n = n.PrevSibling {
		if n.Type == html.TextNode && strings.TrimSpace(n.Data) != "" {
			return nil
		}
	}
	return n
}

// copyOf copies a node with all that is in it.
func copyOf(n *html.Node) *html.Node {
	c := &html.Node{Type: n.Type, Data: n.Data, DataAtom: n.DataAtom, Namespace: n.Namespace, Attr: slices.Clone(n.Attr)}
	for child := range n.ChildNodes() {
		c.AppendChild(copyOf(child))
	}
	return c
}

// sheetOf writes the sheet of a chapter with its first extracts by rank, as many as are asked for. It says how many there are.
func sheetOf(
	c *chapter,
	at int,
	v Version,
	d design,
	math *renderer,
	course *Course,
) (build func(most int) (string, error), all int, about facts, err error) {
	body, err := c.body(v, NoCode)
	if err != nil {
		return nil, 0, about, err
	}
	var formulaSources formulaList
	plainFormulas(body, &formulaSources)
	sayParagraphs(body)
	fitStills(body)
	relink(body, func(string, string) string { return "" })
	for a := range elements(body, tag("a", "")) {
		dropAttr(a, "href")
	}
	headings, parts := extracts(body)
	slices.SortStableFunc(parts, func(a, b extract) int { return a.rank - b.rank })
	always := 0
	for _, p := range parts {
		if p.rank == alwaysRank {
			always++
		}
	}
	formulas, err := math.style(inner(body))
	if err != nil {
		return nil, 0, about, err
	}
	passed, _, open, _ := checks(c.cellsFor(v))
	about = facts{
		Title: c.title() + ": sheet", Author: course.Lecturer, Licence: course.Licence, Formulas: formulaSources.sources,
		Subject: "The formulas, figures and questions of a chapter of " + course.Title,
	}
	note := count(passed, "statement") + " proved by a check in the notebook"
	if open > 0 {
		note += ", " + fmt.Sprint(open) + " for the reader to solve"
	}
	sheetStyle := fmt.Sprintf("@page { size: %s }\n", course.Paper)
	styles := template.CSS(strings.Join([]string{formulas, d.print, sheetStyle, d.sheet, course.css()}, "\n"))
	return func(most int) (string, error) {
		kept := slices.Clone(parts[:min(max(most, always), len(parts))])
		slices.SortStableFunc(kept, func(a, b extract) int { return a.place - b.place })
		var sections []sheetSection
		number := -1
		for _, p := range kept {
			if p.section != number {
				number = p.section
				s := sheetSection{}
				if number > 0 {
					s.Heading = template.HTML(inner(headings[number-1]))
				}
				if p.rank == alwaysRank && number > 0 {
					s.Class = "remember"
				}
				sections = append(sections, s)
			}
			var text strings.Builder
			for _, n := range p.nodes {
				html.Render(&text, n) // a builder takes everything
			}
			last := &sections[len(sections)-1]
			last.Body += template.HTML(`<div class="extract">` + text.String() + "</div>\n")
		}
		return compose("sheet.html", struct {
			Policy, Title, Number, Note string
			Styles                      template.CSS
			Course                      *Course
			Sections                    []sheetSection
		}{paperPolicy, c.title(), chapterNumber(c, at+1), note, styles, course, sections})
	}, len(parts), about, nil
}

// usualExtracts is how many extracts of a chapter fill about four pages: the number that is tried first. Of the chapters of this course
// between 19 and 28 do, whether they have 28 extracts or 68.
const usualExtracts = 23

// sheetFits prints a sheet with as many of its extracts as four pages hold.
func (p *printer) sheetFits(ctx context.Context, build func(most int) (string, error), all int, about facts) ([]byte, error) {
	fits := func(most int) (text string, fits bool, err error) {
		if text, err = build(most); err != nil {
			return "", false, err
		}
		data, err := p.pdf(ctx, emptyStills(text), true)
		if err != nil {
			return "", false, err
		}
		pages, err := pageCount(data)
		return text, pages <= sheetPages, err
	}
	best := ""
	low, high := 0, all+1 // low fits, or nothing does; high does not
	for next, step := min(usualExtracts, all), 2; ; step *= 2 {
		text, does, err := fits(next)
		if err != nil {
			return nil, err
		}
		if does {
			low, best = next, text
		} else if high = next; low == 0 {
			best = text
		}
		if low+1 >= high {
			break
		}
		switch {
		case low == 0:
			next = max(1, high-step)
		case high > all:
			next = min(low+step, all)
		default:
			next = (low + high) / 2
		}
	}
	printed, err := p.pdf(ctx, best, false)
	if err != nil {
		return nil, err
	}
	return accessible(printed, about)
}
