package handouts

import (
	"bytes"
	"embed"
	"html/template"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cmd/prl/internal/playground/cells"
)

// A Version says for whom a handout is.
type Version string

const (
	Plain   Version = ""        // solutions folded
	Student Version = "student" // without solutions
	Teacher Version = "teacher" // solutions open
)

// templates are what the pages are composed with. They stand here and not beside the style sheets, for a page's security depends on them.
//
//go:embed templates
var templateFiles embed.FS

var templates = template.Must(template.ParseFS(templateFiles, "templates/*.html"))

// compose executes a template.
func compose(name string, data any) (string, error) {
	var b bytes.Buffer
	err := templates.ExecuteTemplate(&b, name, data)
	return b.String(), err
}

// plainText is what a reader sees of a piece of HTML.
func plainText(text string) string { return textOf(parse(text)) }

// cellsFor are the cells that a version shows. The seals of exercises are for programs.
func (c *chapter) cellsFor(v Version) []cell {
	var all []cell
	for _, one := range c.Cells {
		if slices.Contains(one.Tags, "seals") {
			continue
		}
		if v != Student || !slices.Contains(one.Tags, "solution") {
			all = append(all, one)
		}
	}
	return all
}

// A shownCell is a cell as a template writes it.
type shownCell struct {
	ID, Classes, Slide string
	Spoilt             bool
	HTML               template.HTML
}

func (c *cell) shownAs(text string) shownCell {
	classes := "cell " + c.Kind
	for _, tag := range c.Tags {
		classes += " tag-" + tag
	}
	if c.spoilt() {
		classes += " spoilt"
	}
	return shownCell{ID: c.ID, Classes: classes, Slide: c.Slide, Spoilt: c.spoilt(), HTML: template.HTML(text)}
}

// A group is a cell, or the cells of a solution, which stand in one box.
type group struct {
	Solution, Named bool // Named if the solution says itself that it is one
	Cells           []shownCell
}

// body writes the cells, with the code asked for. On paper, solutions stand open.
func (c *chapter) body(v Version, code Code) (*html.Node, error) {
	var groups []group
	inside := false
	for i, one := range c.cellsFor(v) {
		solution := slices.Contains(one.Tags, "solution")
		if !solution || !inside {
			groups = append(groups, group{Solution: solution, Named: strings.Contains(one.HTML, "<p><strong>Solution")})
		}
		inside = solution
		last := &groups[len(groups)-1]
		last.Cells = append(last.Cells, one.shownAs(one.shown(i+1, code)))
	}
	text, err := compose("cells.html", map[string]any{"Groups": groups, "Paper": code != onScreen, "Open": v == Teacher})
	if err != nil {
		return nil, err
	}
	body := parse(text)
	if code != onScreen {
		for n := range elements(body, tag("a", "anchor")) {
			remove(n)
		}
		for n := range elements(body, with("data-prl-figure")) {
			dropAttr(n, "data-prl-figure")
		}
		still(body)
		return body, nil
	}
	return body, nameLive(body)
}

type heading struct {
	Level int
	ID    string
	HTML  template.HTML
}

// headings lists the headings that have an id, without the links to themselves.
func headings(body *html.Node) []heading {
	var all []heading
	for n := range elements(body, func(n *html.Node) bool { return level(n) > 0 && attr(n, "id") != "" }) {
		copied := parse(inner(n))
		for a := range elements(copied, tag("a", "anchor")) {
			remove(a)
		}
		all = append(all, heading{level(n), attr(n, "id"), template.HTML(inner(copied))})
	}
	return all
}

// level is 1 to 6 for a heading, else 0.
func level(n *html.Node) int {
	if len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '6' {
		return int(n.Data[1] - '0')
	}
	return 0
}

// notebookAddress is a link to a notebook, and to a place in it.
var notebookAddress = regexp.MustCompile(`^([^":#]+)\.ipynb(#.*)?$`)

// relink lets links to other notebooks lead to their handouts; a link to a notebook that is not among them becomes plain.
func relink(body *html.Node, to func(name, fragment string) string) {
	for n := range elements(body, tag("a", "")) {
		m := notebookAddress.FindStringSubmatch(attr(n, "href"))
		if m == nil {
			continue
		}
		name := m[1][strings.LastIndex(m[1], "/")+1:]
		if target := to(name, m[2]); target != "" {
			setAttr(n, "href", target)
		} else {
			dropAttr(n, "href")
			setAttr(n, "title", "notebook "+name)
		}
	}
}

// design is what the pages look like: the style sheets and scripts of notebooks/handouts.
type design struct {
	style, print, script, figures, slideStyle, slideScript, theme, search, sheet string
	spoilStyle, spoilScript                                                      string
}

// A frame is what every HTML file for a screen has around its content: a head that lets nothing in, and the scripts it was built with.
type frame struct {
	Title       string
	Description string // or empty
	Canonical   string // its address, if the course has one
	Policy      string
	Styles      template.CSS
	Course      *Course
	Early       template.JS // a script that runs before anything is painted, or empty
	Scripts     []template.JS
	Data        template.HTML // of scripts, or empty
	Runtime     template.HTML // of figures, or empty
	Program     template.HTML // of live figures, or empty
	Parts       []part
}

// newFrame frames a body. A page whose cells are run has the toolchain's script, and the runtime of figures even if it has none yet.
func newFrame(
	title string, course *Course, body string, d design, live program, kit *toolchain, scripts []string, styles ...string,
) frame {
	if kit != nil {
		scripts, styles = append(scripts, cells.Script), append(styles, cells.Style)
	}
	f := frame{Title: title, Course: course, Styles: template.CSS(strings.Join(append(styles, course.css()), "\n"))}
	hashes := ""
	if kit != nil || strings.Contains(body, "data-prl-figure") {
		scripts = append(scripts, d.figures)
		f.Runtime = template.HTML(plotting.RuntimeHTML())
		hashes = plotting.RuntimePolicy()
	}
	for i := range scripts {
		scripts[i] = "\n" + strings.TrimSpace(scripts[i]) + "\n"
		f.Scripts = append(f.Scripts, template.JS(scripts[i]))
	}
	if d.theme != "" {
		f.Early = template.JS("\n" + strings.TrimSpace(d.theme) + "\n")
		scripts = append(scripts, string(f.Early))
	}
	f.Policy = screenPolicy(scripts, hashes)
	if kit != nil {
		f.Policy += kit.policy()
	}
	alive := live != "" && strings.Contains(body, "data-prl-live")
	if kit != nil || alive {
		f.Policy += livePolicy
	}
	if alive {
		f.Program = template.HTML(live)
	}
	return f
}

// A neighbour is the notebook before or after, or one in the contents of the course.
type neighbour struct {
	Name, Title string
	Here        bool
}

// chapterPage is the self-contained HTML file of a notebook, with what the search of the index finds in it.
func (w *whole) chapterPage(at int) (string, []passage, error) {
	c, v, d, course, all := w.chapters[at], w.version, w.design, w.course, w.chapters
	tree, err := c.body(v, onScreen)
	if err != nil {
		return "", nil, err
	}
	found := passages(tree, at)
	relink(tree, func(name, fragment string) string {
		if slices.ContainsFunc(all, func(o *chapter) bool { return o.name() == name }) {
			return name + ".html" + fragment
		}
		return ""
	})
	planted, err := spoil(tree, w.book.Mistakes[c.name()])
	if err != nil {
		return "", nil, err
	}
	scripts, style := []string{d.script}, d.style
	if planted > 0 {
		scripts, style = append(scripts, d.spoilScript), style+d.spoilStyle
	}
	c.addPreviews(tree)
	course.addLab(tree, c.name())
	formulas, err := w.math.style(inner(tree))
	if err != nil {
		return "", nil, err
	}
	description := describe(tree)
	formulas, shared := shorten(tree, formulas), shareStyles(tree)
	body := plainStills(unquote(inner(tree)))
	_, failed, _, _ := checks(c.cellsFor(v))
	data := struct {
		frame
		Headings       []heading
		Body           template.HTML
		Spoilt         bool
		Chapters       []neighbour
		Previous, Next *neighbour
		Name, Lab      string // of the notebook, and its address in a lab
		Derived, Used  []relative
	}{
		frame: newFrame(
			c.title(),
			course,
			body,
			d,
			c.program,
			w.toolchain,
			scripts,
			formulas,
			c.Style,
			style,
			shared,
		), Headings: headings(tree), Body: template.HTML(body),
		Spoilt: failed > 0 || len(c.problems()) > 0,
	}
	data.Description = description
	data.Derived, data.Used = relatives(w.book, all, w.marks, at)
	data.Name, data.Lab = c.name(), course.inLab(c.name(), "")
	data.Canonical = course.address(c.name() + ".html")
	data.Parts = parts(use{formulas: formulas != "", charts: data.Runtime != "", programs: data.Program != "", editor: w.toolchain != nil})
	if w.toolchain != nil {
		notebook, err := w.toolchain.data(c, v)
		if err != nil {
			return "", nil, err
		}
		data.Data = template.HTML(notebook)
	}
	for i, other := range all {
		data.Chapters = append(data.Chapters, neighbour{other.name(), numbered(other, i+1), i == at})
	}
	if at > 0 {
		data.Previous = &data.Chapters[at-1]
	}
	if at+1 < len(all) {
		data.Next = &data.Chapters[at+1]
	}
	page, err := compose("page.html", data)
	return page, found, err
}
