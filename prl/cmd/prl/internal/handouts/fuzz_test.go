package handouts

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/prlab/prlab/prl/cmd/prl/internal/clean"
	"github.com/prlab/prlab/prl/fuzztest"
)

// FuzzReadCourse reads a course file.
func FuzzReadCourse(f *testing.F) {
	dir := f.TempDir()
	for _, name := range []string{"01-one.ipynb", "02-two.ipynb", "course.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			f.Fatal(err)
		}
	}
	path := filepath.Join(dir, "course.toml")
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var c *Course
		var err error
		fuzztest.Bounded(t, 10*len(text), fuzztest.Allowance, func() { c, err = ReadCourse(path, dir) }) // the TOML library takes its share
		if err != nil {
			if !strings.HasPrefix(err.Error(), path) {
				t.Errorf("%q does not begin with the path", err)
			}
			return
		}
		for _, name := range c.Notebooks {
			if filepath.Ext(name) != ".ipynb" {
				t.Errorf("%q is no notebook", name)
			}
		}
		build, err := paper([]*chapter{{Path: "a.ipynb"}}, Plain, design{}, nil, c, true)
		if err != nil {
			t.Fatal(err)
		}
		page, err := build.build(func(string) string { return "" })
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(page, "<section"); n != 2 || strings.Contains(page, "<script") {
			t.Errorf("the title page is %s", page)
		}
		if strings.ContainsAny(strings.ReplaceAll(c.css(), c.Accent, ""), "<\"'") || c.Accent != "" && !hexColour.MatchString(c.Accent) {
			t.Errorf("style %s", c.css())
		}
	})
}

// FuzzBody puts texts where a notebook has ids and tags.
func FuzzBody(f *testing.F) {
	f.Fuzz(func(t *testing.T, id, tag string, executed, paper bool) {
		c := &chapter{
			Path: "n.ipynb",
			Cells: []cell{
				{ID: id, Kind: "code", Tags: []string{tag}, Runs: true, Executed: executed, HTML: "<p>x</p>"},
				{ID: tag, Kind: "markdown", Tags: []string{"solution"}, HTML: "<p>y</p>"},
			},
		}
		for _, v := range []Version{Plain, Student, Teacher} {
			var body string
			code := onScreen
			if paper {
				code = ShortCode
			}
			fuzztest.Bounded(t, 4*(len(id)+len(tag)), fuzztest.Allowance, func() { body = written(t, c, v, code) })
			if err := fuzztest.Markup(body, "section", "p", "div", "details", "summary"); err != nil {
				t.Errorf("%v: %s", err, body)
			}
			if v == Student && strings.Contains(body, "<p>y</p>") {
				t.Error("a student sees the solution")
			}
		}
	})
}

// FuzzHTML takes headings, plain text and links out of a piece of HTML.
func FuzzHTML(f *testing.F) {
	f.Fuzz(func(t *testing.T, body string) {
		var text string
		fuzztest.Bounded(t, 5*len(body), fuzztest.Allowance, func() { text = plainText(body) })
		if len(text) > 3*len(body) {
			t.Errorf("%d bytes became %d", len(body), len(text))
		}
		fuzztest.Quick(func() {
			root := parse(body)
			headings(root)
			relink(root, func(name, fragment string) string { return name + ".html" + fragment })
		})
		fuzztest.Quick(func() {
			for n := range parse(clean.HTML(body)).Descendants() {
				if slices.Contains(
					[]string{"script", "iframe", "object", "embed", "form", "input", "style", "link", "meta", "base", "svg", "math"},
					n.Data,
				) &&
					n.Type == html.ElementNode {
					t.Errorf("a cleaned cell has the element %s", n.Data)
				}
				for _, a := range n.Attr {
					if strings.HasPrefix(a.Key, "on") || strings.Contains(strings.ToLower(a.Val), "javascript:") && (a.Key == "href" || a.Key == "src") {
						t.Errorf("a cleaned cell has the attribute %s=%q", a.Key, a.Val)
					}
				}
			}
		})
	})
}
