package handouts

import (
	"fmt"
	"strconv"
	"sync"

	"golang.org/x/net/html"
)

// A figure that does not fit on what is left of a page goes to the next, and the page ends in a gap. As in a book, the text behind the
// figure then comes before it, as much of it as fills the page.

// markPrefix begins the ids by which a PDF tells where the parts of a chapter stand.
const markPrefix = "mark-"

// The heights of pages in points, and of the margins of print.css.
const (
	headSpace = 24 * 72 / 25.4
	footSpace = 22 * 72 / 25.4
)

var paperHeight = map[string]float64{"A4": 297 * 72 / 25.4, "letter": 11 * 72}

// mostEmpty is the part of a page that stays empty before a figure without anything being done about it, and mostLeft what may be left
// then.
const (
	mostEmpty = 0.25
	mostLeft  = 0.29
)

// A unit is a part of a chapter that stands below the one before it: a paragraph, a list, a heading, a figure, a line of checks.
type unit struct {
	node   *html.Node
	figure bool // which is not cut
	text   bool // which may stand before the figure that it follows
}

// unitsOf lists the units of a chapter.
func unitsOf(body *html.Node) []unit {
	var all []unit
	for section := range elements(body, tag("section", "cell")) {
		for _, part := range children(section) {
			switch {
			case part.Type != html.ElementNode || hasClass(part, "mark"):
			case hasClass(part, "prose"):
				for _, n := range children(part) {
					if n.Type == html.ElementNode {
						all = append(all, unit{node: n, text: level(n) == 0 && first(n, tag("img", "")) == nil && n.Data != "img"})
					}
				}
			default:
				picture := first(part, tag("img", "prl-figure"))
				proofs := hasClass(part, "output") && first(part, tag("details", "prl-proofs")) != nil && picture == nil
				all = append(all, unit{
					node: part, figure: picture != nil && first(part, tag("div", "prl-strip")) == nil,
					text: proofs || hasClass(part, "code-note"),
				})
			}
		}
	}
	return all
}

// markFigures gives every unit of the i-th chapter an id, and puts before each figure a mark without height, which stays on the page that
// the figure may leave.
func markFigures(body *html.Node, i int) {
	id := func(n int) string { return markPrefix + strconv.Itoa(i+1) + "-" + strconv.Itoa(n) }
	for n, u := range unitsOf(body) {
		if u.figure {
			mark := &html.Node{Type: html.ElementNode, Data: "div", Attr: []html.Attribute{
				{Key: "class", Val: "mark"},
				{Key: "id", Val: id(n) + "-end"},
			}}
			u.node.Parent.InsertBefore(mark, u.node)
		}
		if attr(u.node, "id") == "" {
			setAttr(u.node, "id", id(n))
		}
	}
}

// A filling is how the pages of a chapter are filled, which is found once for all files that it stands in.
type filling struct {
	mu   sync.Mutex
	body *html.Node // for which it was found
	done []change
}

// A change of a chapter fills a page. It names units by their places.
type change func(body *html.Node)

// mostFills is how often at most a chapter is printed to fill its pages.
const mostFills = 12

// fill fills the pages of a chapter; look prints it and tells where what stands.
func (f *filling) fill(body *html.Node, paper string, look func() (map[string]spot, error)) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch f.body {
	case nil:
	case body:
		return nil
	default:
		for _, c := range f.done {
			c(body)
		}
		return nil
	}
	for range mostFills {
		at, err := look()
		if err != nil {
			return err
		}
		c := fillPage(body, at, paper)
		if c == nil {
			break
		}
		c(body)
		f.done = append(f.done, c)
	}
	f.body = body
	return nil
}

// fillPage looks for the first figure of a chapter before which a page ends in a gap that can be filled, and says how: with the text behind
// the figure; with the first panels of the figure, if they stand beneath each other; with that text and what follows the next headings;
// with larger figures on the page. It is nil if there is none.
func fillPage(body *html.Node, at map[string]spot, paper string) change {
	units := unitsOf(body)
	room := paperHeight[paper] - headSpace - footSpace
	for i, u := range units {
		mark := u.node.PrevSibling
		if !u.figure || mark == nil || !hasClass(mark, "mark") {
			continue
		}
		end, begin := at[attr(mark, "id")], at[attr(u.node, "id")]
		gap := end.up - footSpace
		if end.page == 0 || begin.page != end.page+1 || gap < mostEmpty*room {
			continue
		}
		if text := following(units, i, at, gap, mostLeft*room, 0); len(text) > 0 {
			return moved(i, text)
		}
		if cuts := cutsFor(u.node, gap, mostLeft*room); cuts != nil {
			return func(body *html.Node) { cutStill(first(unitsOf(body)[i].node, tag("img", "prl-figure")), cuts) }
		}
		for headings := 1; headings <= 3; headings++ {
			if text := following(units, i, at, gap, mostLeft*room, headings); len(text) > 0 {
				return moved(i, text)
			}
		}
		if grow := enlarged(units, i, end.page, at, gap, mostLeft*room); grow != nil {
			return grow
		}
	}
	return nil
}

// moved puts units before the mark of the i-th.
func moved(i int, text []int) change {
	return func(body *html.Node) {
		units := unitsOf(body)
		var parts []*html.Node
		for _, k := range text {
			parts = append(parts, units[k].node)
		}
		moveBefore(units[i].node.PrevSibling, parts)
	}
}

// mostLarger is how much larger a figure gets to fill its page.
const mostLarger = 1.3

// enlarged makes the figures on a page larger, as much as leaves of a gap what may be left, or nothing if they cannot get so large.
func enlarged(units []unit, before, page int, at map[string]spot, gap, most float64) change {
	wanted := gap - most
	var which []int
	var widths []float64
	for k, u := range units[:before] {
		here := at[attr(u.node, "id")].page == page && at[attr(units[k+1].node, "id")].page == page || k+1 == before
		if still := first(u.node, tag("img", "prl-figure")); still == nil || !here || wanted <= 0 {
			continue
		}
		high, width, wide := 0.0, 0.0, 0.0
		for still := range elements(u.node, tag("img", "prl-figure")) { // one, or the pieces of one
			w, h, all := stillMeasures(still)
			width, wide, high = w, all, high+h
		}
		if width == 0 {
			continue
		}
		wider := min(widest, mostLarger*width, tallest*wide/high, width+(wanted+4)*wide/high)
		if wider > width {
			which, widths = append(which, k), append(widths, wider)
			wanted -= (wider - width) * high / wide
		}
	}
	if wanted > 0 || len(which) == 0 {
		return nil
	}
	return func(body *html.Node) {
		units := unitsOf(body)
		for n, k := range which {
			for still := range elements(units[k].node, tag("img", "prl-figure")) {
				setAttr(still, "style", fmt.Sprintf("--width: %.1fpt", widths[n]))
			}
		}
	}
}

// following is as much of the text behind the i-th unit, a figure, as a gap holds, or nothing if more would be left of the gap than may be.
// It passes so many headings.
func following(units []unit, i int, at map[string]spot, gap, most float64, headings int) []int {
	var moved []int
	high := 0.0
	for k := i + 1; k < len(units) && high < 0.9*gap; k++ {
		next := units[k]
		if len(moved) == 0 && next.node.Parent == units[i].node.Parent { // what belongs to the figure stays behind it
			continue
		}
		if level(next.node) > 1 && headings > 0 {
			headings--
		} else if !next.text {
			break
		}
		from := at[attr(next.node, "id")]
		to := spot{from.page, footSpace}
		if k+1 < len(units) {
			if after := at[attr(units[k+1].node, "id")]; after.page == from.page {
				to = after
			}
		}
		moved = append(moved, k)
		high += from.up - to.up
	}
	if n := len(moved); n > 0 && level(units[moved[n-1]].node) > 0 || gap-high > most {
		return nil
	}
	return moved
}

// moveBefore puts parts of a chapter before a mark, as they stand in it.
func moveBefore(mark *html.Node, parts []*html.Node) {
	element := func(name, class string) *html.Node {
		return &html.Node{Type: html.ElementNode, Data: name, Attr: []html.Attribute{{Key: "class", Val: class}}}
	}
	section := element("section", "cell markdown")
	var prose *html.Node
	for _, n := range parts {
		remove(n)
		if hasClass(n, "output") || hasClass(n, "code-note") {
			section.AppendChild(n)
			prose = nil
			continue
		}
		if prose == nil {
			prose = element("div", "prose")
			section.AppendChild(prose)
		}
		prose.AppendChild(n)
	}
	mark.Parent.InsertBefore(section, mark)
}

// cutsFor says where to cut the still of a figure whose panels stand in rows beneath each other, such that as many rows as fit stand in a
// gap. It says nothing where more of the gap than may be would be left.
func cutsFor(figure *html.Node, gap, most float64) []int {
	still := first(figure, tag("img", "prl-figure"))
	cuts, width, wide := panelCuts(still)
	if len(cuts) < 3 || wide == 0 {
		return nil
	}
	const aside = 8.0 // margins of the still
	for k := len(cuts) - 2; k > 0; k-- {
		high := float64(cuts[k])*width/wide + aside
		if high <= gap && gap-high < most {
			return []int{0, cuts[k], cuts[len(cuts)-1]}
		}
	}
	return nil
}
