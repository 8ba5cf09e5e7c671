package handouts

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/prlab/prlab/prl/cmd/prl/internal/syllabus"
)

// A shownItem is where a chapter shows an item: by a check or in words, and the figure nearest to it in the same section.
type shownItem struct {
	Place   link // the cell
	Head    link // the heading above it
	Checked bool
	Picture link
	cell    int
	section string
	beside  int // how far the place is from being about this item alone
}

// marks are what one version of a chapter says of others, and where it shows what.
type marks struct {
	links map[string][]link     // the headings below which it names another chapter, by its name
	cited map[string][]link     // and below which it cites a work, by its key
	items map[string]*shownItem // by item, and by item:erratum
}

// A shownFigure is a figure with its place among the cells.
type shownFigure struct {
	link
	cell    int
	section string
}

// marksOf reads what a version of a chapter says.
func marksOf(c *chapter, v Version) *marks {
	m := &marks{map[string][]link{}, map[string][]link{}, map[string]*shownItem{}}
	page := c.name() + ".html"
	const opens, solves, tells = 100, 200, 400 // are worse than any number of items beside
	head, section, opening := link{page, c.title()}, "", true
	var drawings []shownFigure
	for i, one := range c.cellsFor(v) {
		root, cell := parse(one.HTML), link{page + "#cell-" + one.ID, ""}
		solution := slices.Contains(one.Tags, "solution")
		// A check of this item alone is its place rather than one of many, and one in the text rather than the opening figure or a solution.
		show := func(id string, checked bool, others int) {
			if !checked {
				others += tells
			}
			if solution {
				others += solves
			}
			if opening {
				others += opens
			}
			if known := m.items[id]; known == nil || others < known.beside {
				m.items[id] = &shownItem{Place: cell, Head: head, Checked: checked, cell: i, section: section, beside: others}
			}
		}
		for n := range elements(root, func(*html.Node) bool { return true }) {
			switch {
			case level(n) > 0 && attr(n, "id") != "":
				if head = (link{page + "#" + attr(n, "id"), textOf(n)}); level(n) <= 2 {
					section = attr(n, "id")
				}
				opening = level(n) == 1
			case n.Data == "a":
				m.link(attr(n, "href"), head)
			case hasClass(n, "figure-name") && !solution:
				href := cell.File
				for above := n.Parent; above != nil; above = above.Parent {
					if strings.HasPrefix(attr(above, "id"), "fig-") {
						href = page + "#" + attr(above, "id")
					}
				}
				drawings = append(drawings, shownFigure{link{href, strings.TrimSuffix(textOf(first(n, tag("b", ""))), ":")}, i, section})
			}
			outcome := attr(n, "data-prl-outcome")
			ids := strings.Fields(attr(n, "data-prl-check"))
			for _, id := range ids {
				if outcome == "passed" || outcome == "remark" && strings.HasSuffix(id, erratumMark) {
					show(id, true, len(ids))
				}
			}
		}
		for _, id := range one.Items {
			show(id, false, 0)
		}
	}
	for _, it := range m.items {
		nearest := -1
		for _, d := range drawings {
			if away := max(d.cell-it.cell, it.cell-d.cell); d.section == it.section && (nearest < 0 || away < nearest) {
				nearest, it.Picture = away, d.link
			}
		}
	}
	return m
}

// erratumMark follows the name of an item where its erratum is proved.
const erratumMark = ":erratum"

// link notes a link to another chapter or to a work.
func (m *marks) link(href string, head link) {
	if key, is := strings.CutPrefix(href, "#"+citePrefix); is {
		m.cited[key] = note(m.cited[key], head)
	} else if to := notebookAddress.FindStringSubmatch(href); to != nil {
		name := to[1][strings.LastIndex(to[1], "/")+1:]
		m.links[name] = note(m.links[name], head)
	}
}

func note(spots []link, s link) []link {
	if slices.Contains(spots, s) {
		return spots
	}
	return append(spots, s)
}

// A relative is a chapter that another builds on, or that builds on it.
type relative struct {
	Chapter link
	For     string // what is needed; or nothing, where chapters only name each other
	Places  []link // where the other chapter uses it
}

// relatives lists for a chapter where what it needs is derived, and where its results are used: by what chapters say that they need, and by
// the links in their texts.
func relatives(b *syllabus.Book, chapters []*chapter, all []*marks, at int) (derived, used []relative) {
	reason := func(chapter, needs *chapter) string {
		for _, n := range b.Needs {
			if b.Notebook(n.Chapter) == chapter.name() && b.Notebook(n.Needs) == needs.name() {
				return n.For
			}
		}
		return ""
	}
	for i, other := range chapters {
		name := link{other.name() + ".html", numbered(other, i+1)}
		if why := reason(chapters[at], other); i != at && why != "" {
			derived = append(derived, relative{Chapter: name, For: why})
		}
		if places := all[i].links[chapters[at].name()]; i != at && len(places) > 0 {
			used = append(used, relative{name, reason(other, chapters[at]), places})
		}
	}
	return derived, used
}
