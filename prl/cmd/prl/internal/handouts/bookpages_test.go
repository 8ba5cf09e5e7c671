package handouts

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/html"

	"github.com/prlab/prlab/prl/cmd/prl/internal/syllabus"
)

// wholeOf has chapters as Build shares them among their pages, with nothing said of the course beside them.
func wholeOf(t *testing.T, d design, works map[string]*work, chapters ...*chapter) *whole {
	t.Helper()
	w := &whole{design: d, math: mustRenderer(t), course: DefaultCourse(), book: &syllabus.Book{}, works: works, chapters: chapters}
	for _, c := range chapters {
		w.marks = append(w.marks, marksOf(c, Plain))
	}
	return w
}

// A site is all pages of the course without the programs of live figures, by their files.
type site map[string]*html.Node

// theSite makes the pages of the course once.
var theSite = sync.OnceValues(func() (map[string]string, error) {
	l, err := theLab()
	if err != nil {
		return nil, err
	}
	paths, err := filepath.Glob(filepath.Join(l.Notebooks(), "[0-9][0-9]-*.ipynb"))
	for i := 0; i < len(paths); {
		if strings.HasPrefix(filepath.Base(paths[i]), "00-") {
			paths = append(paths[:i], paths[i+1:]...)
		} else {
			i++
		}
	}
	math, err2 := newRenderer()
	d, err3 := readDesign(l)
	about, err4 := syllabus.Read(l.Notebooks())
	if err := errors.Join(err, err2, err3, err4); err != nil {
		return nil, err
	}
	chapters, err := convertAll(context.Background(), l, paths, math, func(int) {})
	if err != nil {
		return nil, err
	}
	works, err := readWorks(l.Notebooks(), chapters)
	if err != nil {
		return nil, err
	}
	items, err := itemTitles(about.Items, math)
	if err := errors.Join(err, number(chapters), cite(chapters, works)); err != nil {
		return nil, err
	}
	w := &whole{Plain, d, math, DefaultCourse(), about, items, works, chapters, nil, nil}
	w.course.pages = pagesOf(about, chapters)
	pages := map[string]string{}
	put := func(name, text string) error { pages[name] = text; return nil }
	for _, c := range chapters {
		w.marks = append(w.marks, marksOf(c, Plain))
	}
	var found []passage
	for i, c := range chapters {
		text, holds, err := w.chapterPage(i)
		if err != nil {
			return nil, err
		}
		found, pages[c.name()+".html"] = append(found, holds...), text
	}
	return pages, w.put(Options{}, found, put)
})

// readSite parses the pages of the course.
func readSite(t *testing.T) site {
	t.Helper()
	pages, err := theSite()
	if err != nil {
		t.Fatal(err)
	}
	s := site{}
	for name, text := range pages {
		s[name] = parseDocument(t, text)
	}
	return s
}

func parseDocument(t *testing.T, text string) *html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// TestBookLinks follows every link of the pages about the course, and those of the feet of chapters: each leads to a place that is there.
// Every page leads to the pages about the course.
func TestBookLinks(t *testing.T) {
	s := readSite(t)
	ids := map[string]map[string]bool{}
	for name, root := range s {
		ids[name] = map[string]bool{"": true}
		for n := range elements(root, with("id")) {
			ids[name][attr(n, "id")] = true
		}
	}
	followed := 0
	for name, root := range s {
		for _, page := range []string{"index.html", coverageName, notationName, glossaryName, methodsName, rivalsName, referencesName} {
			if page != name && first(root, func(n *html.Node) bool { return n.Data == "a" && attr(n, "href") == page }) == nil {
				t.Errorf("%s does not lead to %s", name, page)
			}
		}
		for a := range elements(root, tag("a", "")) {
			href, err := url.Parse(attr(a, "href"))
			if err != nil || href.Scheme != "" || strings.HasPrefix(attr(a, "href"), "#fig=") || attr(a, "href") == "" {
				continue
			}
			file := href.Path
			if file == "" {
				file = name
			}
			if s[file] == nil || !ids[file][href.Fragment] && !strings.HasPrefix(href.Fragment, "fig=") {
				t.Errorf("%s leads to %s, which is not there", name, attr(a, "href"))
			}
			followed++
		}
	}
	if followed < 5000 {
		t.Errorf("only %d links", followed)
	}
}

// A notebook of others that has the number of a chapter is none of the course: no page about the course is made of it.
func TestForeignNumbers(t *testing.T) {
	l, _ := lab(t)
	b, err := syllabus.Read(l.Notebooks())
	if err != nil {
		t.Fatal(err)
	}
	if pages := pagesOf(b, []*chapter{{Path: "01-of-others.ipynb"}}); len(pages) > 0 {
		t.Errorf("got %v", pages)
	}
	if pages := pagesOf(b, []*chapter{{Path: "04-gaussian-classifiers.ipynb"}}); len(pages) != 5 {
		t.Errorf("got %v", pages)
	}
}

// TestCoveragePage wants all items on the page of the coverage, each derivation with its check, and its figures.
func TestCoveragePage(t *testing.T) {
	root := readSite(t)[coverageName]
	rows, checks, pictures, errata := 0, 0, 0, 0
	for list := range elements(root, tag("ul", "items")) {
		for li := range elements(list, tag("li", "")) {
			rows++
			text := textOf(li)
			for count, said := range map[*int]string{&checks: "✓ check", &pictures: "Figure", &errata: ", erratum"} {
				if strings.Contains(text, said) {
					*count++
				}
			}
			if strings.Contains(text, "in a solution") {
				t.Errorf("%s has no place", attr(li, "id"))
			}
		}
	}
	t.Logf("%d items, %d with a check, %d with a figure, %d with an erratum", rows, checks, pictures, errata)
	if rows != 881 || checks < 800 || pictures < 700 || errata < 150 {
		t.Errorf("%d items, %d with a check, %d with a figure, %d with an erratum", rows, checks, pictures, errata)
	}
}

// TestBookAccess looks at the pages about the course in Chromium: axe-core finds nothing serious, light or dark, and all fits on a
// telephone even when everything is open.
func TestBookAccess(t *testing.T) {
	pages, err := theSite()
	if err != nil {
		t.Fatal(err)
	}
	press := testPress(t)
	for _, name := range []string{"index.html", coverageName, notationName, glossaryName, methodsName, rivalsName, referencesName} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(pages[name]), 0o600); err != nil {
			t.Fatal(err)
		}
		testAccess(t, press, file)
		v := openPage(t, press, file, true, 360, 700)
		const wide = `(document.querySelectorAll("details").forEach(d => d.open = true), document.documentElement.scrollWidth)`
		if width := ask[int](v, wide); width > 360 {
			t.Errorf("on a screen of 360 px %s is %d px wide", name, width)
		}
	}
}

// A click is on the link whose words, or the words of whose line, are these; number chooses by the words of the link itself.
type click struct{ line, words string }

// TestTour asks ten times where it is shown that something holds, and clicks from the start page by the words that the reader sees: at
// most three clicks lead to the section or the cell that shows it.
func TestTour(t *testing.T) {
	s := readSite(t)
	for _, q := range []struct {
		question string
		clicks   []click
		answer   string // what the section says to which the last click leads
	}{
		{
			"the least risk is an area under a curve",
			[]click{{"", "Coverage"}, {"Bayes risk CS-2.2-01", "✓ check"}},
			"the Bayes risk is the area under the lower curve",
		},
		{"a perceptron errs only so often", []click{{"", "Glossary and index"}, {"mistake bound", "19"}}, "In length it grows slowly"},
		{
			"the likelihood never falls under EM",
			[]click{{"", "9 EM and Gaussian mixtures"}, {"", "Why it rises"}},
			"missing information principle",
		},
		{
			"the training error of AdaBoost falls exponentially",
			[]click{{"", "Coverage"}, {"Exponential convergence of the training error", "✓ check"}},
			"√(1−4γ²) ≤ e^−2γ² at 501 edges",
		},
		{
			"a support vector machine has no duality gap",
			[]click{{"", "Coverage"}, {"KKT conditions and zero duality gap", "✓ check"}},
			"feasible lines and prices: dual below primal, close near the optimum",
		},
		{
			"a kernel is a sum of products of features",
			[]click{{"", "Coverage"}, {"Mercer's theorem", "✓ check"}},
			"the drawn series is the sum of the features",
		},
		{
			"a line shatters three points",
			[]click{{"", "Coverage"}, {"VC dimension of lines in the plane", "✓ check"}},
			"the largest shattered set in 5 random points",
		},
		{"C is the price of slack", []click{{"", "Notation"}, {"price of a unit of slack", "22"}}, "Give each point a slack"},
		{
			"the bound on experts has its lemma from Hoeffding",
			[]click{{"", "34 Experts, weighted majority and bandits"}, {"Hoeffding's lemma", "32 PAC learning and sample complexity"}},
			"of 1963 takes three steps",
		},
		{
			"Cortes and Vapnik gave the slack its margin",
			[]click{{"", "References"}, {"Support-vector networks", "Who asked"}},
			"called the result a support vector network",
		},
	} {
		page, id := "index.html", ""
		for _, c := range q.clicks {
			href := s.click(page, c)
			if href == "" {
				t.Errorf("%s: %s has no link %q in a line with %q", q.question, page, c.words, c.line)
				break
			}
			file, fragment, _ := strings.Cut(href, "#")
			if id = fragment; file != "" {
				page = file
			}
		}
		if len(q.clicks) > 3 {
			t.Errorf("%s: %d clicks", q.question, len(q.clicks))
		}
		if said := s.section(page, id); !strings.Contains(said, q.answer) {
			t.Errorf("%s: %s#%s does not say %q:\n%.600s", q.question, page, id, q.answer, said)
		}
	}
}

// click is where a link leads.
func (s site) click(page string, c click) string {
	for a := range elements(s[page], tag("a", "")) {
		line := a
		for line.Parent != nil && line.Data != "li" && line.Data != "dd" && line.Data != "p" && line.Data != "tr" {
			line = line.Parent
		}
		text := textOf(line)
		if line.Data == "dd" {
			text = textOf(line.PrevSibling.PrevSibling) + " " + text
		}
		if (strings.TrimSpace(textOf(a)) == c.words || attr(a, "aria-label") == c.words) && strings.Contains(text, c.line) {
			return attr(a, "href")
		}
	}
	return ""
}

// section is the text from an element to the next heading of its level or a higher one, with that of the cell around it.
func (s site) section(page, id string) string {
	root := s[page]
	if root == nil {
		return ""
	}
	if id == "" {
		return textOf(root)
	}
	var b strings.Builder
	inside, depth := false, 0
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && attr(n, "id") == id {
			if inside, depth = true, level(n); depth == 0 {
				return textOf(n)
			}
			continue
		}
		if inside && n.Type == html.ElementNode && level(n) > 0 && level(n) <= depth {
			break
		}
		if inside && n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
