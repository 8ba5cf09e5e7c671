package prose

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/notebook"
)

// odd are words and turns that a native reader stumbles over, with what to write.
var odd = []struct{ found, write string }{
	{`\btells? (?:whether|if)\b`, "reports whether"},
	{`\banew\b`, "again"},
	{`\bnought\b`, "zero"},
	{`\bso and so\b`, "at distance r, or as large as that"},
	{`\bof late\b`, "recently"},
	{`\bin vain\b`, "without success"},
	{`\b(?:[Ww]hoever|whosoever)\b`, "if you ..., or a reader who ..."},
	{`\bshall\b`, "should, or the plain present"},
	{`\bdearest\b`, "most expensive"},
	{`\bfrom (?:where|when) on\b`, "from which place, or for which n"},
	{`\bfrom which n on\b`, "for which n"},
	{`\bto be had\b|\bmay be had\b|\bcan be had\b`, "is available"},
	{`\bin the mean[.,;:)]`, "on average"},
	{`\bwithout a word\b`, "silently"},
	{`\bslip of the pen\b`, "misprint"},
	{`\bno way at all\b`, "not a path"},
}

var oddWords = func() (all []*regexp.Regexp) {
	for _, o := range odd {
		all = append(all, regexp.MustCompile(o.found))
	}
	return all
}()

// oddIn lists what a text has of them.
func oddIn(text string) (all []string) {
	for i, r := range oddWords {
		for _, m := range r.FindAllString(text, -1) {
			all = append(all, m+" (write "+odd[i].write+")")
		}
	}
	return all
}

// TestEnglishOfCode reads the comments and the messages of every package for words that a native reader stumbles over.
func TestEnglishOfCode(t *testing.T) {
	root, err := checkout.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	err = filepath.WalkDir(string(root), func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go" || d.Name() == "english_test.go":
			return nil
		}
		name, _ := filepath.Rel(string(root), filepath.Dir(path))
		files := gotoken.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		if found[name] == nil {
			found[name] = []string{}
		}
		note := func(at gotoken.Pos, text string) {
			for _, o := range oddIn(text) {
				found[name] = append(found[name], files.Position(at).String()+": "+o)
			}
		}
		for _, group := range file.Comments {
			note(group.Pos(), strings.Join(strings.Fields(group.Text()), " "))
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, isLiteral := n.(*ast.BasicLit); isLiteral && s.Kind == gotoken.STRING {
				note(s.Pos(), s.Value)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) < 50 {
		t.Fatalf("only %d packages were read", len(found))
	}
	for name, all := range found {
		for _, odd := range all {
			t.Errorf("%s: %s", name, odd)
		}
	}
}

// textCells calls look with every cell of text of every notebook, and with the notebook's name.
func textCells(t *testing.T, look func(name string, c *notebook.Cell)) {
	t.Helper()
	root, err := checkout.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(root.Notebooks(), "[0-9][0-9]-*.ipynb"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no notebooks (%v)", err)
	}
	for _, path := range paths {
		n, err := notebook.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range n.Cells {
			if !c.IsCode() {
				look(filepath.Base(path), c)
			}
		}
	}
}

// TestEnglishOfNotebooks does the same for the text of notebooks.
func TestEnglishOfNotebooks(t *testing.T) {
	textCells(t, func(name string, c *notebook.Cell) {
		for _, o := range oddIn(strings.Join(strings.Fields(c.Source()), " ")) {
			t.Errorf("%s, cell %s: %s", name, c.ID(), o)
		}
	})
}

// TestNothingFollowsAComment wants nothing behind the end of a comment that begins a line of Markdown: that line is HTML to its end, and
// shows the signs of Markdown as they are written. A comment behind words of the same paragraph ends where it ends.
func TestNothingFollowsAComment(t *testing.T) {
	comment := regexp.MustCompile(`(?ms)^[ \t]*<!--.*?-->(.*?)$`)
	textCells(t, func(name string, c *notebook.Cell) {
		for _, m := range comment.FindAllStringSubmatch(c.Source(), -1) {
			if strings.TrimSpace(m[1]) != "" {
				t.Errorf("%s, cell %s: a comment that begins a line is followed by %q", name, c.ID(), m[1])
			}
		}
	})
}
