package reference

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A wait names what a case waits for: the first of the packages under prl/ that exists must also export a name that fits Word, if there is
// one.
type wait struct {
	packages []string
	word     string
}

// waiting holds the cases whose family does not exist yet. A family that appears brings its cases with it: this list only shrinks.
var waiting = map[string]wait{
	"roc-asah-delong": {[]string{"assess"}, "(?i)delong"},
}

// TestCoverage makes sure that no case is left out in silence.
func TestCoverage(t *testing.T) {
	table := readTable(t)
	known := map[string]bool{}
	ran, wait := 0, 0
	for _, c := range table.Cases {
		if known[c.ID] {
			t.Errorf("%s stands in the table twice", c.ID)
		}
		known[c.ID] = true
		if c.Title == "" || len(c.Expected) == 0 || len(c.Tolerance) == 0 {
			t.Errorf("%s lacks a title, expected figures or a tolerance", c.ID)
		}
		switch c.Source["kind"] {
		case "certified", "published":
			if c.Source["where"] == "" {
				t.Errorf("%s: a %s figure needs its place", c.ID, c.Source["kind"])
			}
		case "closed form", "computed":
			if c.Source["where"] == "" && c.Source["program"] == "" {
				t.Errorf("%s names neither formula nor program", c.ID)
			}
		default:
			t.Errorf("%s has a source of kind %q", c.ID, c.Source["kind"])
		}
		_, waits := waiting[c.ID]
		_, runs := areas[c.Area][c.ID]
		switch {
		case waits && runs:
			t.Errorf("%s is run and waits", c.ID)
		case !waits && !runs:
			t.Errorf("%s is neither run nor waits for a family", c.ID)
		case runs:
			ran++
		default:
			wait++
		}
	}
	for _, w := range table.Withheld {
		if known[w.ID] {
			t.Errorf("%s is withheld and stands in the table", w.ID)
		}
		known[w.ID] = true
		if w.Reason == "" {
			t.Errorf("%s is withheld without a reason", w.ID)
		}
	}
	for id := range waiting {
		if !known[id] {
			t.Errorf("waiting names %s, which the table does not have", id)
		}
	}
	for area, cases := range areas {
		for id := range cases {
			if !known[id] {
				t.Errorf("area %s runs %s, which the table does not have", area, id)
			}
		}
	}
	for id, w := range waiting {
		if p := w.arrived(t); p != "" {
			t.Errorf("%s waits for a family that exists now: %s. Write the case", id, p)
		}
	}
	t.Logf("%d cases run, %d wait, %d are withheld", ran, wait, len(table.Withheld))
}

func TestWaitNoticesArrivals(t *testing.T) {
	for _, c := range []struct {
		w    wait
		want string
	}{
		{wait{[]string{"nosuchfamily", "bayes"}, ""}, "bayes"},
		{wait{[]string{"bayes"}, "^FitLDA$"}, "bayes.FitLDA"},
		{wait{[]string{"bayes"}, "NoSuchName"}, ""},
		{wait{[]string{"nosuchfamily"}, ""}, ""},
	} {
		if got := c.w.arrived(t); got != c.want {
			t.Errorf("%v: %q, want %q", c.w, got, c.want)
		}
	}
}

// arrived returns the package that has what the case waits for, or "".
func (w wait) arrived(t *testing.T) string {
	for _, p := range w.packages {
		dir := filepath.Join("..", p)
		if _, err := os.Stat(dir); err != nil {
			continue
		}
		if w.word == "" {
			return p
		}
		for _, name := range exported(t, dir) {
			if regexp.MustCompile(w.word).MatchString(name) {
				return p + "." + name
			}
		}
	}
	return ""
}

// exported returns the exported functions and types of a package.
func exported(t *testing.T, dir string) []string {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil && d.Name.IsExported() {
					names = append(names, d.Name.Name)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if ts, ok := s.(*ast.TypeSpec); ok && ts.Name.IsExported() {
						names = append(names, ts.Name.Name)
					}
				}
			}
		}
	}
	return names
}
