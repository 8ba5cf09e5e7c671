package handouts

import (
	"context"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"golang.org/x/net/html"

	prlcell "github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
)

// A printer is a running Chromium that prints pages.
type printer struct {
	ctx   context.Context
	dir   string
	pages atomic.Int64
	close func()
}

// openPrinter starts Chromium, which finds no address of a network. Its profile is temporary.
func openPrinter(ctx context.Context, chromium string, more ...chromedp.ExecAllocatorOption) (*printer, error) {
	dir, err := process.TempDir(process.HandoutsFolder)
	if err != nil {
		return nil, err
	}
	options := append(
		chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chromium),
		chromedp.UserDataDir(filepath.Join(dir, "profile")),
		chromedp.DisableGPU,
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND"),
		chromedp.Flag("font-render-hinting", "none"), // without a window it would round the widths of letters to pixels
		chromedp.WSURLReadTimeout(2*time.Minute),
	) // on a busy machine it takes longer than chromedp's 20 seconds
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium refuses to start as root with it; what it prints runs no scripts
	}
	allocator, cancel := chromedp.NewExecAllocator(ctx, append(options, more...)...)
	browser, stop := chromedp.NewContext(allocator)
	p := &printer{ctx: browser, dir: dir, close: func() { stop(); cancel(); os.RemoveAll(dir) }}
	if err := chromedp.Do(browser); err != nil {
		p.close()
		return nil, fmt.Errorf("starting Chromium: %w", err)
	}
	return p, nil
}

// pdf prints a page. Several may be printed at once. The page has no script, no network and no other file, by its own policy and once more
// by what the browser is told: it may hold what a stranger has written. A draft has neither structure nor bookmarks, which take most of
// the time.
func (p *printer) pdf(ctx context.Context, text string, isDraft bool) ([]byte, error) {
	file := filepath.Join(p.dir, fmt.Sprintf("page%d.html", p.pages.Add(1)))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return nil, err
	}
	defer os.Remove(file)
	tab, cancel := chromedp.NewContext(p.ctx)
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	if err := chromedp.Do(tab, command(network.Enable, network.EnableParams{}),
		command(network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
			MatchedNetworkConditions: []*network.Conditions{{Offline: true}},
		}),
		command(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}),
		chromedp.Navigate("file://"+file)); err != nil {
		return nil, err
	}
	// Fonts and pictures have to be there before the first page is broken. Without scripts the page can be asked, but makes no promises.
	const there = `document.fonts.status === "loaded" && [...document.images].every(i => i.complete)`
	for {
		ready, err := chromedp.Run(tab, chromedp.Evaluate[bool](there))
		if err != nil {
			return nil, err
		}
		if ready {
			break
		}
		select {
		case <-tab.Done():
			return nil, tab.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
	yes, whole := true, !isDraft
	printed, err := chromedp.Run(tab, func(ctx context.Context, t *chromedp.Target) ([]byte, error) {
		result, err := cdp.Call(ctx, t, page.PrintToPDF, page.PrintToPDFParams{
			PreferCSSPageSize: &yes, PrintBackground: &yes,
			GenerateTaggedPDF: &whole, GenerateDocumentOutline: &whole,
		})
		if err != nil {
			return nil, err
		}
		return result.Data, nil
	})
	return printed, err
}

// command is a command of the browser as a step.
func command[P, R any](name cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, name, params)
		return chromedp.Void{}, err
	}
}

// A draft is a text to be printed. Each chapter by itself is printed to learn where what stands, and filled better as long as it can be;
// then all are, with the numbers of the pages that follow from that.
type draft struct {
	build    func(number func(id string) string) (string, error)
	front    func() (string, error)      // only what stands before the chapters
	alone    func(i int) (string, error) // only the i-th chapter, from the first page on
	bodies   []*html.Node
	fillings []*filling // of the chapters
	paper    string
	facts    facts
}

// filled prints a draft once its chapters are filled and the pages of its table of contents are known.
func (p *printer) filled(ctx context.Context, d draft) ([]byte, error) {
	text, err := d.front()
	if err != nil {
		return nil, err
	}
	_, before, err := p.places(ctx, text)
	if err != nil {
		return nil, err
	}
	pages := map[string]int{}
	for i, body := range d.bodies {
		look := func() (map[string]spot, int, error) {
			text, err := d.alone(i)
			if err != nil {
				return nil, 0, err
			}
			return p.places(ctx, text)
		}
		f := d.fillings[i]
		if err := f.fill(body, prefixOf(i), d.paper, look); err != nil {
			return nil, err
		}
		for id, s := range f.at {
			pages[prefixOf(i)+id] = before + s.page
		}
		before += f.pages
	}
	text, err = d.build(func(id string) string {
		if n := pages[id]; n > 0 {
			return strconv.Itoa(n)
		}
		return ""
	})
	if err != nil {
		return nil, err
	}
	printed, err := p.pdf(ctx, text, false)
	if err != nil {
		return nil, err
	}
	return accessible(printed, d.facts)
}

// places prints a draft, with figures that are empty but as large, and tells where what stands, and on how many pages.
func (p *printer) places(ctx context.Context, text string) (at map[string]spot, pages int, err error) {
	printed, err := p.pdf(ctx, emptyStills(text), true)
	if err != nil {
		return nil, 0, err
	}
	if pages, err = pageCount(printed); err != nil {
		return nil, 0, err
	}
	at, err = destinations(printed)
	return at, pages, err
}

var (
	pdfKids  = regexp.MustCompile(`(?s)(\d+) 0 obj\s*<</Type /Pages\b(.*?)endobj`)
	pdfKid   = regexp.MustCompile(`(\d+) 0 R`)
	pdfList  = regexp.MustCompile(`(?s)/Kids \[([^\]]*)\]`)
	pdfRoot  = regexp.MustCompile(`(?s)<</Type /Catalog\b.*?/Pages (\d+) 0 R(?:.*?/Dests (\d+) 0 R)?`)
	pdfPlace = regexp.MustCompile(`/([^\s/\[\]<>()]+) \[(\d+) 0 R /XYZ [-\d.]+ ([-\d.]+)`)
)

// pageNumbers reads from a PDF that Chromium wrote the number, from 1, of each page by its object, and the object with the targets of
// links.
func pageNumbers(text string) (number map[string]int, dests string, err error) {
	root := pdfRoot.FindStringSubmatch(text)
	if root == nil {
		return nil, "", fmt.Errorf("the PDF that Chromium wrote has no catalogue of the known form")
	}
	kids := map[string][]string{}
	for _, m := range pdfKids.FindAllStringSubmatch(text, -1) {
		if list := pdfList.FindStringSubmatch(m[2]); list != nil {
			for _, kid := range pdfKid.FindAllStringSubmatch(list[1], -1) {
				kids[m[1]] = append(kids[m[1]], kid[1])
			}
		}
	}
	number = map[string]int{}
	var walk func(id string)
	walk = func(id string) {
		if list, isNode := kids[id]; isNode {
			for _, kid := range list {
				walk(kid)
			}
			return
		}
		number[id] = len(number) + 1
	}
	walk(root[1])
	return number, root[2], nil
}

// pageCount is how many pages a PDF has that Chromium wrote.
func pageCount(pdf []byte) (int, error) {
	number, _, err := pageNumbers(string(pdf))
	return len(number), err
}

// A spot is where the target of a link stands: the page, from 1, and the height of its upper edge over the foot of the paper in points.
type spot struct {
	page int
	up   float64
}

// destinations reads from a PDF that Chromium wrote where each target of a link stands.
func destinations(pdf []byte) (map[string]spot, error) {
	text := string(pdf)
	number, dests, err := pageNumbers(text)
	if err != nil {
		return nil, err
	}
	pages := map[string]spot{}
	if dests == "" {
		return pages, nil
	}
	at := strings.Index(text, "\n"+dests+" 0 obj")
	if at < 0 {
		return pages, nil
	}
	object, _, _ := strings.Cut(text[at:], "endobj")
	for _, m := range pdfPlace.FindAllStringSubmatch(object, -1) {
		up, err := strconv.ParseFloat(m[3], 64)
		if err != nil {
			return nil, fmt.Errorf("the PDF that Chromium wrote has a target at %q: %w", m[3], err)
		}
		pages[m[1]] = spot{number[m[2]], up}
	}
	return pages, nil
}

// shortPassage is the length in bytes of some four lines on paper.
const shortPassage = 430

// keep marks short paragraphs and points of lists, so that the style sheet keeps them on one page. Chromium leaves the last line of a
// paragraph to the next page if what remains is too short for both widows and orphans to be avoided; it does not break what must stay
// whole.
func keep(body *html.Node) {
	for n := range elements(body, func(n *html.Node) bool { return (n.Data == "p" || n.Data == "li") && len(n.Attr) == 0 }) {
		length := 0
		for child := range n.ChildNodes() {
			if child.Data == "ul" || child.Data == "ol" {
				break
			}
			length += len(textOf(child))
		}
		if length <= shortPassage {
			setAttr(n, "class", "short")
		}
	}
}

// chapterNumber is the number with which the name of a notebook begins, or its place in the reader.
func chapterNumber(c *chapter, place int) string {
	name := c.name()
	digits := name[:len(name)-len(strings.TrimLeft(name, "0123456789"))]
	if n, err := strconv.Atoi(digits); err == nil {
		return strconv.Itoa(n)
	}
	return strconv.Itoa(place)
}

// A formulaList numbers the formulas of a file.
type formulaList struct {
	sources []formulaSource
	numbers map[formulaSource]int
}

// plainFormulas leaves of formulas what is printed. Chromium drops MathML that is not seen, and knows no formulas: a formula is called a
// picture with its number, by which the structure of the file gets its source and its MathML back.
func plainFormulas(body *html.Node, list *formulaList) {
	for n := range elements(body, tag("span", "katex")) {
		source := formulaSource{TeX: attr(n, "data-tex")}
		if math := first(n, tag("math", "")); math != nil {
			setAttr(math, "xmlns", "http://www.w3.org/1998/Math/MathML")
			source.MathML = inner(math.Parent)
		}
		number, known := list.numbers[source]
		if !known {
			if list.numbers == nil {
				list.numbers = map[formulaSource]int{}
			}
			number = len(list.sources)
			list.numbers[source] = number
			list.sources = append(list.sources, source)
		}
		dropAttr(n, "data-tex")
		setAttr(n, "role", "img")
		setAttr(n, "aria-label", formulaLabel+strconv.Itoa(number))
	}
	for n := range elements(body, tag("span", "katex-mathml")) {
		remove(n)
	}
	for n := range elements(body, tag("span", "katex-html")) {
		dropAttr(n, "aria-hidden")
	}
}

// blocks are the elements that stand below each other.
var blocks = map[string]bool{
	"p": true, "div": true, "pre": true, "section": true, "article": true, "header": true, "table": true, "ul": true, "ol": true, "li": true,
	"dl": true, "dt": true, "dd": true, "details": true, "summary": true, "figure": true, "figcaption": true, "blockquote": true, "hr": true,
	"h1": true, "h2": true, "h3": true, "h4": true, "h5": true, "h6": true, "tr": true, "td": true, "th": true, "tbody": true, "thead": true,
}

// sayParagraphs lets boxes that hold words directly be paragraphs of the printed file. A cell of a table without words gets a blank, since
// Chromium leaves what is empty out of the structure.
func sayParagraphs(body *html.Node) {
	for n := range elements(body, func(n *html.Node) bool {
		return n.Data == "div" || n.Data == "pre" || n.Data == "summary" || n.Data == "dt" || n.Data == "dd"
	}) {
		if attr(n, "role") == "" && textOf(n) != "" && first(n, func(n *html.Node) bool { return blocks[n.Data] }) == nil {
			setAttr(n, "role", "paragraph")
		}
	}
	for n := range elements(body, func(n *html.Node) bool { return (n.Data == "td" || n.Data == "th") && n.FirstChild == nil }) {
		n.AppendChild(&html.Node{Type: html.TextNode, Data: "\u00a0"})
	}
}

// linkWords are the words of the links of a page by where they lead.
func linkWords(words map[string]string, body *html.Node) {
	for n := range elements(body, with("href")) {
		if said := textOf(n); said != "" && words[attr(n, "href")] == "" {
			words[attr(n, "href")] = said
		}
	}
}

// A printedChapter is a chapter as the template of paper writes it.
type printedChapter struct {
	Place int
	HTML  template.HTML
}

// A printedEntry is a line of the contents.
type printedEntry struct {
	heading
	Number, Page string
}

// paper is the page that is printed: one chapter, or all of them as a reader with a title page.
func paper(
	chapters []*chapter,
	v Version,
	d design,
	math *renderer,
	course *Course,
	reader bool,
) (draft, error) {
	p := &printing{
		chapters: chapters, version: v, course: course, reader: reader, place: map[string]int{},
		about: facts{Links: map[string]string{}, Numbers: map[string]string{}},
	}
	for i, c := range chapters {
		p.place[c.name()] = i
	}
	for i := range chapters {
		if err := p.add(i); err != nil {
			return draft{}, err
		}
	}
	formulas, err := math.style(p.all.String())
	if err != nil {
		return draft{}, err
	}
	title := course.Title
	if !reader {
		title = chapters[0].title()
	}
	styles := template.CSS(strings.Join([]string{formulas, chapters[0].Style, d.print, p.margins(), course.css()}, "\n"))
	front := p.front(title)
	var fillings []*filling
	for range chapters {
		fillings = append(fillings, &filling{})
	}
	type written struct {
		Policy, Title string
		Styles        template.CSS
		Front         *titlePage
		Reader        bool
		Entries       []printedEntry
		Chapters      []printedChapter
		Marks         []string
	}
	build := func(from, to int, front *titlePage, entries []printedEntry) (string, error) {
		w := written{paperPolicy, title, styles, front, reader, entries, nil, nil}
		for i, body := range p.bodies[from:to] {
			w.Chapters = append(w.Chapters, printedChapter{Place: from + i + 1, HTML: template.HTML(inner(body))})
			for n := range elements(body, func(n *html.Node) bool { return strings.HasPrefix(attr(n, "id"), markPrefix) || level(n) > 0 }) {
				w.Marks = append(w.Marks, attr(n, "id"))
			}
		}
		return compose("paper.html", w)
	}
	return draft{
		bodies: p.bodies, fillings: fillings, paper: course.Paper, facts: p.about,
		front: func() (string, error) {
			return build(0, 0, &front, withPages(p.entries, func(string) string { return "000" }))
		},
		alone: func(i int) (string, error) { return build(i, i+1, nil, nil) },
		build: func(number func(id string) string) (string, error) {
			return build(0, len(p.bodies), &front, withPages(p.entries, number))
		},
	}, nil
}

// withPages are entries with the numbers of their pages.
func withPages(entries []printedEntry, number func(id string) string) []printedEntry {
	entries = slices.Clone(entries)
	for i := range entries {
		entries[i].Page = number(entries[i].ID)
	}
	return entries
}

// A printing is chapters on their way to paper.
type printing struct {
	chapters []*chapter
	version  Version
	course   *Course
	reader   bool
	place    map[string]int // of a chapter by its name
	bodies   []*html.Node
	entries  []printedEntry // of the table of contents
	all      strings.Builder
	formulas formulaList
	about    facts
}

// prefixOf begins the ids of the i-th chapter.
func prefixOf(i int) string { return "c" + strconv.Itoa(i+1) + "-" }

// add prepares the i-th chapter.
func (p *printing) add(i int) error {
	c := p.chapters[i]
	body, err := c.body(p.version, p.course.Code)
	if err != nil {
		return err
	}
	plainFormulas(body, &p.formulas)
	sayParagraphs(body)
	keep(body)
	fitStills(body)
	for n := range elements(body, with("id")) {
		setAttr(n, "id", prefixOf(i)+attr(n, "id"))
	}
	for n := range elements(body, with("href")) {
		if id, inside := strings.CutPrefix(attr(n, "href"), "#"); inside {
			setAttr(n, "href", "#"+prefixOf(i)+id)
		}
	}
	relink(body, func(name, fragment string) string {
		j, found := p.place[name]
		if !found {
			return ""
		}
		if fragment == "" {
			return "#chapter-" + strconv.Itoa(j+1)
		}
		return "#" + prefixOf(j) + strings.TrimPrefix(fragment, "#")
	})
	number := chapterNumber(c, i+1)
	if !p.reader && strings.TrimLeft(c.name(), "0123456789") == c.name() {
		number = ""
	}
	for _, h := range headings(body) {
		if h.Level > 2 && p.reader || h.Level > 3 || h.Level == 1 && !p.reader {
			continue
		}
		e := printedEntry{heading: h}
		if h.Level == 1 {
			e.Number = number
		}
		p.entries = append(p.entries, e)
		p.about.Links["#"+h.ID] = plainText(string(h.HTML))
	}
	linkWords(p.about.Links, body)
	if err := opened(body, c.title(), number); err != nil {
		return err
	}
	parted(body)
	markFigures(body, i)
	p.bodies = append(p.bodies, body)
	p.all.WriteString(inner(body))
	return nil
}

// margins is the style of the sheets, with what stands at their heads.
func (p *printing) margins() string {
	quote := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ", "<", `\3c `)
	var sheets strings.Builder
	fmt.Fprintf(&sheets, "@page { size: %s }\n", p.course.Paper)
	for i, c := range p.chapters {
		name := c.title()
		if p.reader {
			name = chapterNumber(c, i+1) + "  " + name
		}
		fmt.Fprintf(
			&sheets,
			"@page chapter%d { @top-left { content: \"%s\" } @top-right { content: \"%s\" } }\n.chapter-%d { page: chapter%d }\n",
			i+1,
			quote.Replace(name),
			quote.Replace(p.course.Title),
			i+1,
			i+1,
		)
	}
	return sheets.String()
}

// front is the title page. It also completes what the file says of itself, and shortens a long table of contents.
func (p *printing) front(title string) titlePage {
	p.about.Title, p.about.Author, p.about.Licence, p.about.Formulas = title, p.course.Lecturer, p.course.Licence, p.formulas.sources
	front := titlePage{
		Course: p.course, What: "Derivations, each with its checks, figures and exercises", Solutions: "With solutions",
		Edition: "Version " + prlcell.Version,
	}
	switch p.version {
	case Student:
		front.Solutions = "For students: without solutions"
	case Teacher:
		front.Solutions = "For teachers: with solutions"
	}
	p.about.Subject, p.about.Keywords, p.about.TitlePage = "A chapter of "+p.course.Title, keywords(p.entries), true
	if p.reader {
		p.about.Subject = "All chapters: derivations, each with its checks, figures and exercises"
		front.What = count(len(p.chapters), "chapter") + ": derivations, each with its checks, figures and exercises"
		for i, c := range p.chapters {
			p.about.Numbers[c.title()] = chapterNumber(c, i+1)
		}
	} else {
		front.Chapter = title
		if front.Number = chapterNumber(p.chapters[0], 0); front.Number == "0" {
			front.Number = ""
		}
		if front.Long = len(p.entries) > mostEntries; len(p.entries) > mostLongEntries {
			p.entries = slices.DeleteFunc(p.entries, func(e printedEntry) bool { return e.Level > 2 })
		}
	}
	return front
}

// mostEntries is how many lines of contents find room below the title of a chapter, and mostLongEntries how many narrow ones.
const (
	mostEntries     = 24
	mostLongEntries = 36
)

// A titlePage says what a file is.
type titlePage struct {
	Long                     bool // its contents are
	Course                   *Course
	Number, Chapter          string // of a file with one chapter
	What, Solutions, Edition string
}

// keywords are the names of the chapters in the contents, or of the parts of the only one.
func keywords(entries []printedEntry) []string {
	var words []string
	for _, highest := range []int{1, 2} {
		for _, e := range entries {
			if e.Level == highest && !strings.Contains(string(e.HTML), "katex") {
				words = append(words, plainText(string(e.HTML)))
			}
		}
		if len(words) > 0 {
			break
		}
	}
	return words
}

// opened gives a chapter its number before its title, and a title if it has none.
func opened(body *html.Node, title, number string) error {
	at := first(body, func(n *html.Node) bool { return n.Data == "h1" && attr(n, "id") != "" })
	text, err := compose("opening", map[string]any{"Headless": at == nil, "Title": title, "Number": number})
	if err != nil {
		return err
	}
	parent, before := body, body.FirstChild
	if at != nil {
		parent, before = at.Parent, at
	}
	for _, n := range children(parse(text)) {
		remove(n)
		parent.InsertBefore(n, before)
	}
	return nil
}
