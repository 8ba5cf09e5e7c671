package handouts

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"

	prlcell "github.com/prlab/prlab/prl/cell"
)

// Figures and formulas have numbers, 9.3 the third of chapter 9, and texts lead to them by names. <a id="fig-name"></a> in the Markdown of
// a notebook names the figure that follows it, <a id="eq-name"></a> the displayed formula; [Figure](#fig-name) leads there, from another
// notebook [Figure](09-em.ipynb#fig-name). A handout puts the number behind the word. All figures have one, and formulas that are named.

// A target is a figure or formula with its number.
type target struct {
	chapter  *chapter
	kind     string // "fig" or "eq"
	number   string // as 9.3
	title    string // of a figure
	solution bool
	shown    *html.Node // the still, or the formula
}

// said is what a reference says of it, behind other words or alone.
func (t *target) said() string {
	if t.kind == "eq" {
		return "(" + t.number + ")"
	}
	return "Figure\u00a0" + t.number
}

var (
	label     = regexp.MustCompile(`^(fig|eq)-[A-Za-z0-9._-]+$`)
	reference = regexp.MustCompile(`^(?:([^":#]+)\.ipynb)?#((fig|eq)-[A-Za-z0-9._-]+)$`)
	// justFigure and justFormula are the words that a number follows; behind others it stands in brackets.
	justFigure  = regexp.MustCompile(`(?i)^(figure|fig\.|picture)$`)
	justFormula = regexp.MustCompile(`(?i)^(equation|eq\.|formula|inequality)$`)
)

// number gives the figures and named formulas of chapters their numbers, and the references to them.
func number(chapters []*chapter) error {
	known := map[string]*target{} // by notebook and name: 09-em#fig-bound
	var problems []error
	for i, c := range chapters {
		problems = append(problems, c.label(chapterNumber(c, i+1), known)...)
	}
	for _, c := range chapters {
		problems = append(problems, c.refer(chapters, known)...)
	}
	return errors.Join(problems...)
}

// label numbers what a chapter shows, and notes by its name what has one. Solutions count, so that each version has the same numbers.
func (c *chapter) label(chapter string, known map[string]*target) (problems []error) {
	counted := map[string]int{}
	waiting, since := map[string]string{}, map[string]string{} // by kind, a name and its cell
	for i := range c.Cells {
		one := &c.Cells[i]
		where := fmt.Sprintf("%s, cell %d (%s)", c.Path, i+1, one.ID)
		if !strings.Contains(one.HTML, `class="prl-figure"`) && !strings.Contains(one.HTML, `id="fig-`) &&
			!strings.Contains(one.HTML, `id="eq-`) && (waiting["eq"] == "" || !strings.Contains(one.HTML, "katex-display")) {
			continue
		}
		root := parse(one.HTML)
		take := func(kind string, n, place *html.Node) *target {
			counted[kind]++
			t := &target{
				chapter: c, kind: kind, number: fmt.Sprintf("%s.%d", chapter, counted[kind]), solution: slices.Contains(one.Tags, "solution"), shown: n,
			}
			if name := waiting[kind]; name != "" {
				known[c.name()+"#"+name] = t
				setAttr(place, "id", name)
				delete(waiting, kind)
			}
			return t
		}
		for n := range elements(root, func(*html.Node) bool { return true }) {
			switch m := label.FindStringSubmatch(attr(n, "id")); {
			case n.Data == "a" && m != nil:
				if before := waiting[m[1]]; before != "" {
					problems = append(problems, fmt.Errorf("%s: %q and %q name the same %s; one name is enough", where, before, m[0], things[m[1]]))
				}
				if known[c.name()+"#"+m[0]] != nil {
					problems = append(problems, fmt.Errorf("%s: the name %q is taken, by a %s further up", where, m[0], things[m[1]]))
				}
				waiting[m[1]], since[m[1]] = m[0], where
				outer := n.Parent
				replace(n, children(n)...)
				if outer.Data == "p" && strings.TrimSpace(textOf(outer)) == "" && first(outer, func(*html.Node) bool { return true }) == nil {
					remove(outer)
				}
			case hasClass(n, "katex-display") && waiting["eq"] != "":
				t := take("eq", n, n)
				setAttr(n, "class", attr(n, "class")+" numbered")
				n.AppendChild(spanOf("formula-number", "("+t.number+")"))
			case n.Data == "img" && hasClass(n, "prl-figure"):
				place := n
				for above := n.Parent; above != nil; above = above.Parent {
					if hasClass(above, "display") {
						place = above
						break
					}
				}
				t := take("fig", n, place)
				t.title = titleOf(n)
				n.Parent.InsertBefore(caption(t), n.NextSibling)
			}
		}
		one.HTML = inner(root)
	}
	for _, kind := range slices.Sorted(maps.Keys(waiting)) {
		problems = append(problems, fmt.Errorf(
			"%s: %q names the next %s, and none follows: put <a id=%q></a> before it", since[kind], waiting[kind], things[kind], waiting[kind],
		))
	}
	return problems
}

var things = map[string]string{"fig": "figure", "eq": "formula"}

// titleOf is the title of a figure, which its description begins with, or nothing.
func titleOf(img *html.Node) string {
	title, _, _ := strings.Cut(attr(img, "alt"), ". ")
	if title = strings.TrimSuffix(title, "."); title == "Figure" || title == "Picture" {
		return ""
	}
	return title
}

func spanOf(class, text string) *html.Node {
	n := &html.Node{Type: html.ElementNode, Data: "span", Attr: []html.Attribute{{Key: "class", Val: class}}}
	n.AppendChild(&html.Node{Type: html.TextNode, Data: text})
	return n
}

// caption is the line below a figure.
func caption(t *target) *html.Node {
	line := &html.Node{Type: html.ElementNode, Data: "p", Attr: []html.Attribute{{Key: "class", Val: "figure-name"}}}
	strong := &html.Node{Type: html.ElementNode, Data: "b"}
	strong.AppendChild(&html.Node{Type: html.TextNode, Data: t.said()})
	line.AppendChild(strong)
	if t.title != "" {
		strong.FirstChild.Data += ":"
		line.AppendChild(&html.Node{Type: html.TextNode, Data: " " + t.title})
	}
	return line
}

// refer writes the numbers into the references of a chapter.
func (c *chapter) refer(chapters []*chapter, known map[string]*target) (problems []error) {
	for i := range c.Cells {
		one := &c.Cells[i]
		if !strings.Contains(one.HTML, "#fig-") && !strings.Contains(one.HTML, "#eq-") {
			continue
		}
		where := fmt.Sprintf("%s, cell %d (%s)", c.Path, i+1, one.ID)
		root := parse(one.HTML)
		for a := range elements(root, tag("a", "")) {
			m := reference.FindStringSubmatch(attr(a, "href"))
			if m == nil {
				continue
			}
			name := c.name()
			if m[1] != "" {
				name = m[1][strings.LastIndex(m[1], "/")+1:]
			}
			t := known[name+"#"+m[2]]
			switch {
			case t == nil && !slices.ContainsFunc(chapters, func(o *chapter) bool { return o.name() == name }):
				continue // a chapter that is not made this time: the words stay, without a number
			case t == nil:
				problems = append(problems, fmt.Errorf("%s: %s", where, noTarget(name, m[2], m[3], known)))
				continue
			case t.solution && !slices.Contains(one.Tags, "solution"):
				problems = append(problems, fmt.Errorf(
					"%s: %q leads into a solution, which students do not see: put the reference into the solution, or take it out", where, m[2],
				))
				continue
			}
			setAttr(a, "class", "ref")
			if t.chapter != c {
				if c.previews == nil {
					c.previews = map[string]*target{}
				}
				setAttr(a, "data-preview", name+"-"+m[2])
				c.previews[name+"-"+m[2]] = t
			}
			words := strings.TrimSpace(textOf(a))
			text := &html.Node{Type: html.TextNode, Data: " (" + t.said() + ")"}
			switch {
			case m[3] == "fig" && justFigure.MatchString(words):
				text.Data = "\u00a0" + t.number
			case m[3] == "eq" && justFormula.MatchString(words):
				text.Data = "\u00a0" + t.said()
			case m[3] == "eq":
				text.Data = " " + t.said()
			}
			a.AppendChild(text)
		}
		one.HTML = inner(root)
	}
	return problems
}

// noTarget says that a notebook names nothing so, and what to do.
func noTarget(notebook, name, kind string, known map[string]*target) string {
	var names []string
	for key, t := range known {
		if of, id, _ := strings.Cut(key, "#"); of == notebook && t.kind == kind {
			names = append(names, id)
		}
	}
	slices.Sort(names)
	text := fmt.Sprintf("no %s of %s.ipynb is called %q: put <a id=%q></a> into the Markdown before it", things[kind], notebook, name, name)
	if meant := prlcell.Suggest(name, names); meant != "" {
		return text + ", or " + meant
	}
	if len(names) > 0 {
		return text + ", or take one of " + strings.Join(names, ", ")
	}
	return text
}

// mostPreview is how large the still of another chapter may be for a page to hold it, in bytes.
const mostPreview = 80_000

// addPreviews adds to a page what its references to other chapters show, in elements that nobody sees before.
func (c *chapter) addPreviews(page *html.Node) {
	added := map[string]bool{}
	for a := range elements(page, with("data-preview")) {
		key := attr(a, "data-preview")
		t := c.previews[key]
		if t == nil || added[key] {
			continue
		}
		added[key] = true
		box := &html.Node{Type: html.ElementNode, Data: "template", Attr: []html.Attribute{{Key: "id", Val: key}}}
		if t.kind == "eq" {
			formula := copyOf(t.shown)
			dropAttr(formula, "id")
			box.AppendChild(formula)
		} else {
			if src := attr(t.shown, "src"); len(src) <= mostPreview {
				box.AppendChild(&html.Node{Type: html.ElementNode, Data: "img", Attr: []html.Attribute{
					{Key: "alt", Val: attr(t.shown, "alt")}, {Key: "src", Val: src},
				}})
			}
			box.AppendChild(caption(t))
		}
		where := &html.Node{Type: html.ElementNode, Data: "p", Attr: []html.Attribute{{Key: "class", Val: "where"}}}
		where.AppendChild(&html.Node{Type: html.TextNode, Data: t.chapter.title()})
		box.AppendChild(where)
		page.AppendChild(box)
	}
}
