package handouts

import (
	"fmt"
	"strconv"
	"strings"
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

// mostEmpty is the part of a page that may stay empty before a figure.
const mostEmpty = 0.25

// A unit is a part of a chapter that stands below the one before it: a paragraph, a list, a heading, a figure, a line of checks.
type unit struct {
	node   *html.Node
	figure bool // which is not cut
	text   bool // which may stand before the figure that it follows
}

// unitsOf lists the units of a chapter in the order in which they stand.
func unitsOf(body *html.Node) []unit {
	var all []unit
	var list func(section *html.Node)
	list = func(section *html.Node) {
		for _, part := range children(section) {
			switch {
			case part.Type != html.ElementNode || hasClass(part, "mark"):
			case part.Data == "section": // what has come before a figure
				list(part)
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
	for section := range elements(body, tag("section", "cell")) {
		if section.Parent.Data != "section" {
			list(section)
		}
	}
	return all
}

// parted gives every figure of a cell its own output, so that a page may end before it, and what the cell shows behind it another.
func parted(body *html.Node) {
	figure := func(n *html.Node) bool { return first(n, tag("img", "prl-figure")) != nil }
	for output := range elements(body, tag("div", "output")) {
		part := output
		before := false // whether the part has a figure
		for i, n := range children(output) {
			if n.Type != html.ElementNode {
				continue
			}
			if drawn := figure(n); i > 0 && (drawn || before && hasClass(n, "display")) {
				next := &html.Node{Type: html.ElementNode, Data: "div", Attr: []html.Attribute{{Key: "class", Val: attr(output, "class")}}}
				output.Parent.InsertBefore(next, part.NextSibling)
				part, before = next, drawn
			} else {
				before = before || drawn
			}
			if part != output {
				remove(n)
				part.AppendChild(n)
			}
		}
	}
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
	mu    sync.Mutex
	body  *html.Node // for which it was found
	done  []change
	at    map[string]spot // where what stands then in the chapter alone, by ids without what begins them in a file
	pages int             // of the chapter
}

// A change of a chapter fills a page. It names units by their places.
type change func(body *html.Node)

// mostFills is how many changes at most fill the pages of a chapter.
const mostFills = 24

// fill fills the pages of a chapter, whose ids begin with a prefix; look prints it and tells where what stands, and on how many pages.
func (f *filling) fill(body *html.Node, prefix, paper string, look func() (map[string]spot, int, error)) error {
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
	for {
		at, pages, err := look()
		if err != nil {
			return err
		}
		var c change
		if len(f.done) < mostFills {
			c = fillPage(body, at, paper)
		}
		if c == nil {
			f.body, f.pages, f.at = body, pages, map[string]spot{}
			for id, s := range at {
				if id, is := strings.CutPrefix(id, prefix); is {
					f.at[id] = s
				}
			}
			return nil
		}
		c(body)
		f.done = append(f.done, c)
	}
}

// A layout is where the units of a chapter stand. The heights of Chromium's targets count from a foot that the margin at the head shifts:
// what stands highest on any page tells where pages begin.
type layout struct {
	units     []unit
	at        map[string]spot
	top, room float64 // of the text of a page
}

func layoutOf(body *html.Node, at map[string]spot, paper string) layout {
	l := layout{units: unitsOf(body), at: at, room: paperHeight[paper] - headSpace - footSpace}
	for _, s := range at {
		l.top = max(l.top, s.up)
	}
	return l
}

// spot is where the i-th unit begins; after the last, nowhere.
func (l layout) spot(i int) spot {
	if i >= len(l.units) {
		return spot{}
	}
	return l.at[attr(l.units[i].node, "id")]
}

// height is what the i-th unit takes, as far as the next begins.
func (l layout) height(i int) float64 {
	from, to := l.spot(i), l.spot(i+1)
	if to.page == from.page {
		return from.up - to.up
	}
	rest := from.up - (l.top - l.room)
	if to.page > from.page && to.up < l.top {
		rest += l.top - to.up
	}
	return rest
}

// gap is what stays empty at the foot of a page since the i-th unit, a figure, begins the next, and the number of that page; it is 0 if
// it begins none.
func (l layout) gap(i int) (empty float64, page int) {
	mark := l.units[i].node.PrevSibling
	if !l.units[i].figure || mark == nil || !hasClass(mark, "mark") {
		return 0, 0
	}
	end, begin := l.at[attr(mark, "id")], l.spot(i)
	if end.page == 0 || begin.page != end.page+1 {
		return 0, 0
	}
	return end.up - (l.top - l.room), end.page
}

// fillPage looks for the first figure of a chapter before which a page ends in a gap that can be filled, and says how: with the text behind
// the figure; with the first panels of the figure, if they stand beneath each other; with the figure itself, if it has to be only a little
// smaller; with that text and what follows the next headings; with larger figures on the page. It is nil if there is none.
func fillPage(body *html.Node, at map[string]spot, paper string) change {
	l := layoutOf(body, at, paper)
	for i, u := range l.units {
		gap, page := l.gap(i)
		if gap <= mostEmpty*l.room {
			continue
		}
		if text := l.following(i, gap, 0); len(text) > 0 {
			return moved(i, text)
		}
		if cuts := cutsFor(u.node, gap, mostEmpty*l.room); cuts != nil {
			return func(body *html.Node) { cutStill(first(unitsOf(body)[i].node, tag("img", "prl-figure")), cuts) }
		}
		if small := l.shrunk(i, gap); small != nil {
			return small
		}
		for headings := 1; headings <= 3; headings++ {
			if text := l.following(i, gap, headings); len(text) > 0 {
				return moved(i, text)
			}
		}
		if grow := l.enlarged(i, page, gap); grow != nil {
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

// leastSmaller is how small a figure gets to stand in a gap, of its size. What belongs to it takes about around points, where that is not
// known; slack is what margins take.
const (
	leastSmaller = 0.8
	around       = 44.0
	slack        = 6.0
)

// shrunk makes the i-th unit, a figure that begins a page, so small that it stands in a gap, with the note on its code. It is nil if it
// would be too small.
func (l layout) shrunk(i int, gap float64) change {
	still := first(l.units[i].node, tag("img", "prl-figure"))
	width, high, wide := stillMeasures(still)
	if width == 0 {
		return nil
	}
	drawn := high * width / wide
	needs := drawn + around
	if end := l.spot(i + 1); end.page == l.spot(i).page {
		needs = l.height(i)
		if i+1 < len(l.units) && hasClass(l.units[i+1].node, "code-note") {
			needs += noteHeight
		}
	}
	part := (gap - slack - (needs - drawn)) / drawn
	if part >= 1 || part*partOf(still) < leastSmaller {
		return nil
	}
	return func(body *html.Node) { resize(first(unitsOf(body)[i].node, tag("img", "prl-figure")), part) }
}

// noteHeight is what a note on the code of a figure takes in points.
const noteHeight = 12.0

// mostLarger is how much larger a figure gets to fill its page.
const mostLarger = 1.3

// enlarged makes the figures on a page larger, as much as leaves of a gap what may be left, or nothing if they cannot get so large.
func (l layout) enlarged(before, page int, gap float64) change {
	wanted := gap - mostEmpty*l.room
	var which []int
	var widths []float64
	for k, u := range l.units[:before] {
		here := l.spot(k).page == page && l.spot(k+1).page == page || k+1 == before
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
func (l layout) following(i int, gap float64, headings int) []int {
	var moved []int
	high := 0.0
	for k := i + 1; k < len(l.units) && high < 0.9*gap; k++ {
		next := l.units[k]
		if len(moved) == 0 && next.node.Parent == l.units[i].node.Parent { // what belongs to the figure stays behind it
			continue
		}
		if level(next.node) > 1 && headings > 0 {
			headings--
		} else if !next.text {
			break
		}
		moved = append(moved, k)
		high += l.height(k)
	}
	if n := len(moved); n > 0 && level(l.units[moved[n-1]].node) > 0 || gap-high > mostEmpty*l.room {
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
