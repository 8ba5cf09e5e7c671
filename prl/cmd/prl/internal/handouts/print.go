package handouts

import (
	"context"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
)

// A printer is a running Chromium that prints pages.
type printer struct {
	ctx   context.Context
	dir   string
	pages atomic.Int64
	close func()
}

// openPrinter starts Chromium. Its profile is temporary.
func openPrinter(ctx context.Context, chromium string) (*printer, error) {
	dir, err := process.TempDir(process.HandoutsFolder)
	if err != nil {
		return nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.UserDataDir(filepath.Join(dir, "profile")),
		chromedp.DisableGPU, chromedp.Flag("disable-component-update", true),
		chromedp.WSURLReadTimeout(2*time.Minute)) // on a busy machine it takes longer than chromedp's 20 seconds
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium refuses to start as root with it; the pages are our own
	}
	allocator, cancel := chromedp.NewExecAllocator(ctx, options...)
	browser, stop := chromedp.NewContext(allocator)
	p := &printer{ctx: browser, dir: dir, close: func() { stop(); cancel(); os.RemoveAll(dir) }}
	if err := chromedp.Do(browser); err != nil {
		p.close()
		return nil, fmt.Errorf("Chromium does not start: %w", err)
	}
	return p, nil
}

// pdf prints a page. Several may be printed at once.
func (p *printer) pdf(ctx context.Context, text string) ([]byte, error) {
	file := filepath.Join(p.dir, fmt.Sprintf("page%d.html", p.pages.Add(1)))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return nil, err
	}
	defer os.Remove(file)
	tab, cancel := chromedp.NewContext(p.ctx)
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	tab, stop := context.WithTimeout(tab, 5*time.Minute)
	defer stop()
	if err := chromedp.Do(tab, chromedp.Navigate("file://"+file)); err != nil {
		return nil, err
	}
	// Fonts and pictures have to be there before the first page is broken.
	if _, err := chromedp.Run(tab, chromedp.Evaluate[bool](`document.fonts.ready.then(() => Promise.all([...document.images].map(i => i.decode().catch(() => 0)))).then(() => true)`, chromedp.EvalAwaitPromise)); err != nil {
		return nil, err
	}
	yes := true
	printed, err := chromedp.Run(tab, func(ctx context.Context, t *chromedp.Target) ([]byte, error) {
		result, err := cdp.Call(ctx, t, page.PrintToPDF, page.PrintToPDFParams{PreferCSSPageSize: &yes, PrintBackground: &yes,
			GenerateTaggedPDF: &yes, GenerateDocumentOutline: &yes})
		if err != nil {
			return nil, err
		}
		return result.Data, nil
	})
	return printed, err
}

// twice prints a page whose table of contents has page numbers: the first time to learn them.
func (p *printer) twice(ctx context.Context, build func(number func(id string) string) string) ([]byte, error) {
	first, err := p.pdf(ctx, build(func(string) string { return "000" }))
	if err != nil {
		return nil, err
	}
	pages, err := destinations(first)
	if err != nil {
		return nil, err
	}
	return p.pdf(ctx, build(func(id string) string {
		if n := pages[id]; n > 0 {
			return strconv.Itoa(n)
		}
		return ""
	}))
}

var (
	pdfKids  = regexp.MustCompile(`(?s)(\d+) 0 obj\s*<</Type /Pages\b(.*?)endobj`)
	pdfKid   = regexp.MustCompile(`(\d+) 0 R`)
	pdfList  = regexp.MustCompile(`(?s)/Kids \[([^\]]*)\]`)
	pdfRoot  = regexp.MustCompile(`(?s)<</Type /Catalog\b.*?/Pages (\d+) 0 R(?:.*?/Dests (\d+) 0 R)?`)
	pdfPlace = regexp.MustCompile(`/([^\s/\[\]<>()]+) \[(\d+) 0 R`)
)

// destinations reads from a PDF that Chromium wrote on which page, from 1, each target of a link stands.
func destinations(pdf []byte) (map[string]int, error) {
	text := string(pdf)
	root := pdfRoot.FindStringSubmatch(text)
	if root == nil {
		return nil, fmt.Errorf("the PDF that Chromium wrote has no catalogue of the known form")
	}
	kids := map[string][]string{}
	for _, m := range pdfKids.FindAllStringSubmatch(text, -1) {
		if list := pdfList.FindStringSubmatch(m[2]); list != nil {
			for _, kid := range pdfKid.FindAllStringSubmatch(list[1], -1) {
				kids[m[1]] = append(kids[m[1]], kid[1])
			}
		}
	}
	number, n := map[string]int{}, 0
	var walk func(id string)
	walk = func(id string) {
		if list, isNode := kids[id]; isNode {
			for _, kid := range list {
				walk(kid)
			}
			return
		}
		n++
		number[id] = n
	}
	walk(root[1])
	pages := map[string]int{}
	if root[2] == "" {
		return pages, nil
	}
	at := strings.Index(text, "\n"+root[2]+" 0 obj")
	if at < 0 {
		return pages, nil
	}
	object, _, _ := strings.Cut(text[at:], "endobj")
	for _, m := range pdfPlace.FindAllStringSubmatch(object, -1) {
		pages[m[1]] = number[m[2]]
	}
	return pages, nil
}

var passage = regexp.MustCompile(`(?s)<(p|li)>(.*?)(</p>|</li>|<ul>|<ol>)`)

// shortPassage is the length in bytes of some four lines on paper.
const shortPassage = 430

// keep marks short paragraphs and points of lists, so that the style sheet keeps them on one page. Chromium leaves the last line of a
// paragraph to the next page if what remains is too short for both widows and orphans to be avoided; it does not break what must stay whole.
func keep(body string) string {
	return passage.ReplaceAllStringFunc(body, func(match string) string {
		m := passage.FindStringSubmatch(match)
		if len(plainText(m[2])) > shortPassage {
			return match
		}
		return "<" + m[1] + ` class="short">` + m[2] + m[3]
	})
}

// paper is the page that is printed: one chapter, or all of them as a reader with a title page.
func paper(chapters []*chapter, v Version, d design, math *renderer, course *Course, reader bool) (func(number func(id string) string) string, error) {
	prefix := func(i int) string { return "c" + strconv.Itoa(i+1) + "-" }
	place := map[string]int{}
	for i, c := range chapters {
		place[c.name()] = i
	}
	bodies := make([]string, len(chapters))
	var all strings.Builder
	for i, c := range chapters {
		body := idOrLink.ReplaceAllString(keep(c.body(v, course.Code)), "${1}"+prefix(i))
		bodies[i] = relink(body, func(name, fragment string) string {
			j, found := place[name]
			if !found {
				return ""
			}
			if fragment == "" {
				return "#chapter-" + strconv.Itoa(j+1)
			}
			return "#" + prefix(j) + strings.TrimPrefix(fragment, "#")
		})
		all.WriteString(bodies[i])
	}
	formulas, err := math.style(all.String())
	if err != nil {
		return nil, err
	}
	quote := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ", "<", `\3c `)
	var sheets strings.Builder
	fmt.Fprintf(&sheets, "@page { size: %s }\n", course.Paper)
	for i, c := range chapters {
		name := c.title()
		if reader {
			name = strconv.Itoa(i+1) + "  " + name
		}
		fmt.Fprintf(&sheets, "@page chapter%d { @top-left { content: \"%s\" } @top-right { content: \"%s\" } }\n.chapter-%d { page: chapter%d }\n",
			i+1, quote.Replace(name), quote.Replace(course.Title), i+1, i+1)
	}
	title := course.Title
	if !reader {
		title = chapters[0].title()
	}
	return func(number func(id string) string) string {
		var b strings.Builder
		fmt.Fprintf(&b, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>%s</title>\n<style>\n%s\n%s\n%s\n%s\n%s\n</style>\n</head>\n<body>\n",
			html.EscapeString(title), formulas, chapters[0].Style, d.print, sheets.String(), course.css())
		if reader {
			b.WriteString(course.titlePage())
		}
		var contents strings.Builder
		contents.WriteString(`<section class="paper-contents"><p class="contents-name">Contents</p>` + "\n")
		for i := range bodies {
			for _, h := range headings(bodies[i]) {
				if h.level > "2" && reader || h.level > "3" || h.level == "1" && !reader {
					continue
				}
				text := h.html
				if h.level == "1" {
					text = `<span class="chapter-number">` + strconv.Itoa(i+1) + `</span> ` + text
				}
				fmt.Fprintf(&contents, `<p class="entry level-%s"><a href="#%s"><span>%s</span><span class="dots"></span><span class="page">%s</span></a></p>`+"\n", h.level, h.id, text, number(h.id))
			}
		}
		contents.WriteString("</section>\n")
		if reader {
			b.WriteString(contents.String())
		}
		for i, body := range bodies {
			kind := "chapter"
			if reader {
				kind = "chapter of-reader"
				body = strings.Replace(body, `<h1 id="`, `<p class="chapter-name">Chapter `+strconv.Itoa(i+1)+`</p><h1 id="`, 1)
			} else if before, after, found := strings.Cut(body, "</h1>"); found { // one notebook: its contents follow its title
				body = before + "</h1>" + contents.String() + after
			} else {
				body = `<p class="document-title">` + html.EscapeString(title) + "</p>" + contents.String() + body
			}
			fmt.Fprintf(&b, "<article id=\"chapter-%d\" class=\"%s chapter-%d\">\n%s</article>\n", i+1, kind, i+1, body)
		}
		b.WriteString("</body>\n</html>\n")
		return b.String()
	}, nil
}
