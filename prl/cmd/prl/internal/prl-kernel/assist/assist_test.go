//go:build unix

package assist

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// shapes is a package with what there is to complete and to explain.
const shapes = `// Package shapes has shapes.
package shapes

import "fmt"

// Options say how a shape is drawn.
type Options struct {
	// Width is the width of the pen.
	Width  float64
	Dashed bool // with gaps
	hidden int
	Named
}

// Named has a name.
type Named struct{ Name string }

// Title is the name in capitals, and Corner_j an x^2.
func (n Named) Title() string { return n.Name }

// Grid is a table of values.
type Grid[T any] struct {
	Rows [][]T // one after another
}

// At is a value of the grid; see [Options.Width].
func (g *Grid[T]) At(i, j int) T { return g.Rows[i][j] }

// Draw draws with options.
func Draw(o Options, scale float64) (*Grid[string], error) { return nil, fmt.Errorf("%v", o) }

// Limit is the largest width.
const Limit = 7
`

const page = "package main\n\nimport \"example.com/shapes\"\n\nvar drawn, failed = shapes.Draw(shapes.Options{}, 1)\n" +
	"\ntype Kreis struct{}\n\nfunc (Kreis) Fläche() int { return 1 }\n\nfunc (k *Kreis) Umfang() int { return 1 }\n"

const example1 = `package shapes

func ExampleDraw() {
	Draw(Options{}, 2)
	// Output:
}
`

// cells makes a folder as GoNB has it, in which cells are built that import package shapes of another module.
func cells(t *testing.T) *Server {
	t.Helper()
	dir, other := t.TempDir(), t.TempDir()
	for path, text := range map[string]string{
		filepath.Join(dir, "go.mod"):                     "module cells\n\ngo 1.26\n",
		filepath.Join(dir, "go.work"):                    "go 1.26\n\nuse (\n\t.\n\t" + other + "\n)\n",
		filepath.Join(other, "go.mod"):                   "module example.com\n\ngo 1.26\n",
		filepath.Join(other, "shapes", "shapes.go"):      shapes,
		filepath.Join(other, "shapes", "shapes_test.go"): example1,
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return New("go", dir, append(os.Environ(), "GOFLAGS="))
}

// complete asks until all packages are read, for a cell in which | is the cursor.
func complete(t *testing.T, s *Server, p Page, cell string) Answer {
	t.Helper()
	text, behind, _ := strings.Cut(cell, "|")
	for end := time.Now().Add(2 * time.Minute); ; {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		a := s.Complete(ctx, p, text+behind, len([]rune(text)))
		cancel()
		if !a.Busy || time.Now().After(end) {
			return a
		}
	}
}

// A page holds the archives of the packages that its cells import, and completes from them alone.
func TestHold(t *testing.T) {
	s := cells(t)
	complete(t, s, Page{Known: page}, "import (\n\t\"example.com/shapes\"\n\t\"strings\"\n)\n%%\nshapes.|")
	archives := map[string]string{}
	for _, path := range []string{"example.com/shapes", "strings"} {
		archives[path] = s.packages[path].archive
	}
	h := Hold(archives)
	p := Page{Imports: []string{`"example.com/shapes"`}, Known: page}
	for cell, want := range map[string]string{
		"shapes.dr|": "Draw", "%%\ndrawn.|": "At Rows", "%%\nstrings.Fi|": "Fields FieldsFunc FieldsFuncSeq FieldsSeq", "%%\nslices.Ind|": "",
		"%%\nnosuch.|": "", "%%\ndra|": "drawn",
	} {
		var got []string
		a := complete(t, h, p, cell)
		for _, m := range a.Matches {
			got = append(got, m.Text)
		}
		if a.Busy || strings.Join(got, " ") != want {
			t.Errorf("%q: %v, busy %t, want %s", cell, got, a.Busy, want)
		}
	}
	if got := h.Explain(t.Context(), p, "shapes.Draw", 9); !strings.Contains(got, "func shapes.Draw(o shapes.Options, scale float64)") {
		t.Errorf("what is said of a function: %q", got)
	}
}

func TestComplete(t *testing.T) {
	s := cells(t)
	p := Page{Imports: []string{`"example.com/shapes"`}, Known: page}
	for cell, want := range map[string]string{
		"shapes.|":                                                "Draw Grid Limit Named Options",
		"shapes.dr|":                                              "Draw",
		"%%\ndrawn.|":                                             "At Rows",
		"%%\nx := shapes.Options{}\nx.|":                          "Title Dashed Name Named Width",
		"%%\nx := shapes.Options{}\nx.|\ny := 3":                  "Title Dashed Name Named Width",
		"%%\nx := shapes.Options{}\nx.wi|dth":                     "Width",
		"%%\nshapes.Draw(shapes.Options{|":                        "Width Dashed Named",
		"%%\nshapes.Draw(shapes.Options{Width: 1, D|}, ":          "Dashed",
		"%%\nshapes.Draw(shapes.Options{Named: shapes.Named{N|":   "Name",
		"%%\nvalue := 1\nfmt.Println(val|":                        "value",
		"%%\nfmt.Println(val|)\nvalue := 1":                       "",
		"%%\ndra|":                                                "drawn draw",
		"%%\nfor ran|":                                            "range rand",
		"%%\nstrings.Fi|":                                         "Fields FieldsFunc FieldsFuncSeq FieldsSeq", // not imported
		"%%\nx := strings.Fields(\"\")\nslices.Ind|":              "Index IndexFunc",
		"%%\ny := strings.NewReader(\"\")\ny.UnreadB|":            "UnreadByte",
		"func half(x float64) float64 { return x / 2 }\n%%\nhal|": "half",
		"%%\nnosuch.|":                                            "",
		"%%\nx| := 1":                                             "",
		"%%\n// dra|":                                             "",
		"%%\nprintln(\"dra|\")":                                   "",
		"import \"no/such/package\"\n%%\nshapes.Draw(|":           "*",
		"%%\nif drawn.|":                                          "At Rows",
		"%%\nfunc() { shapes.Draw(shapes.Options{}, math.P|":      "Phi Pi Pow Pow10",
	} {
		a := complete(t, s, p, cell)
		var got []string
		for _, m := range a.Matches {
			got = append(got, m.Text)
			if m.Start != a.Start || m.End != a.End {
				t.Errorf("%q: %+v replaces another part", cell, m)
			}
		}
		if a.Busy || want != "*" && strings.Join(got, " ") != want {
			t.Errorf("%q: %v, busy %t, want %s", cell, got, a.Busy, want)
		}
	}
	byName := func(cell string) map[string]Match {
		all := map[string]Match{}
		for _, m := range complete(t, s, p, cell).Matches {
			all[m.Text] = Match{Type: m.Type, Signature: m.Signature, Doc: m.Doc}
		}
		return all
	}
	for name, want := range map[string]Match{
		"Draw": {
			Type: "function", Signature: "(o shapes.Options, scale float64) (*shapes.Grid[string], error)", Doc: "Draw draws with options.",
		},
		"Options": {Type: "struct", Signature: "struct{...}", Doc: "Options say how a shape is drawn."},
		"Limit":   {Type: "constant", Signature: "untyped int", Doc: "Limit is the largest width."},
	} {
		if got := byName("shapes.|")[name]; got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	at := Match{Type: "method", Signature: "(i int, j int) string", Doc: "At is a value of the grid; see Options.Width."}
	if got, want := byName("%%\ndrawn.|")["At"], at; got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got, want := byName("%%\nshapes.Options{|")["Dashed"], (Match{Type: "field", Signature: "bool", Doc: "with gaps"}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	// At once, while nothing is read, the names of the page are offered.
	fresh := New("go", s.dir, s.env)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a := fresh.Complete(ctx, p, "%%\ndra", 6)
	if !a.Busy || !slices.ContainsFunc(a.Matches, func(m Match) bool { return m.Text == "drawn" && m.Start == 3 && m.End == 6 }) {
		t.Errorf("before the packages are read: %+v", a)
	}
	// A package that has left Go's cache is asked for again.
	kept := func() library {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.packages["example.com/shapes"]
	}
	there := kept().archive
	s.mu.Lock()
	s.forget()
	s.packages["example.com/shapes"] = library{"shapes", "", there + ".gone"}
	s.asked["example.com/shapes"] = true
	s.mu.Unlock()
	complete(t, s, p, "shapes.|")
	if a := complete(t, s, p, "shapes.Dr|"); len(a.Matches) != 1 || kept().archive != there {
		t.Errorf("a package that was gone: %+v", a)
	}
}

// TestImportable keeps what a notebook imports from being taken for an order or for many packages.
func TestImportable(t *testing.T) {
	for path, want := range map[string]bool{
		"fmt": true, "math/rand/v2": true, "example.com/a-b/c_d.v2": true, "-toolexec=touch": false, "--": false, "std": false, "all": false,
		"...": false, "fmt/...": false, "./x": false, "/etc": false, "main.go": false, "a b": false, "": false, "fmt@latest": false,
	} {
		if got := importable(path); got != want {
			t.Errorf("%q: %t", path, got)
		}
	}
}

func TestExplain(t *testing.T) {
	s := cells(t)
	p := Page{Imports: []string{`"example.com/shapes"`}, Known: page}
	complete(t, s, p, "shapes.|")
	for cell, want := range map[string][]string{
		"shapes.Draw|": {
			"func shapes.Draw(o shapes.Options, scale float64) (*shapes.Grid[string], error)", "Draw draws with options.", "**Example**",
			"Draw(Options{}, 2)",
		},
		"%%\nshapes.Draw(|":                     {"func shapes.Draw("},
		"%%\nshapes.Draw(shapes.Options{}, |":   {"func shapes.Draw("},
		"%%\ndrawn.At|":                         {"func (g *shapes.Grid[string]) At(i int, j int) string", "see Options.Width."},
		"%%\nx := shapes.Options{}\nx.Ti|tle()": {"func (n shapes.Named) Title() string", "Cornerⱼ an x²"},
		"shapes.Opt|ions": {
			"type shapes.Options struct {", "Width is the width of the pen.", "// contains filtered or unexported fields",
			"func (n shapes.Named) Title() string",
		},
		"shapes.Grid|":              {"type shapes.Grid[T any] struct {"},
		"shapes.Limit|":             {"const shapes.Limit untyped int = 7"},
		"%%\ndra|wn":                {"var drawn *shapes.Grid[string]"},
		"%%\nlen|(drawn.Rows)":      {"func len(v Type) int", "built-in function"},
		"%%\nstrings.Fields|":       {"func strings.Fields(s string) []string"},
		"%%\nstri|ngs.Fields(\"\")": {"package strings", "Package strings implements"},
		// What the cell declares takes the place of what it has declared before.
		"func (Kreis) Fläche() string { return \"\" }\n%%\nKreis{}.Fläche|":       {"Fläche() string"},
		"func (k *Kreis) Umfang() string { return \"\" }\n%%\n(&Kreis{}).Umfang|": {"Umfang() string"},
		"var (\n\ta = 1\n\tdrawn = shapes.Options{}\n)\n%%\ndrawn|":               {"var drawn shapes.Options"},
		"%%\nnosuch|": nil,
	} {
		text, behind, _ := strings.Cut(cell, "|")
		var got string
		for end := time.Now().Add(time.Minute); ; {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			got = s.Explain(ctx, p, text+behind, len([]rune(text)))
			if cancel(); got != busy || time.Now().After(end) {
				break
			}
		}
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%q: %q is not in\n%s", cell, w, got)
			}
		}
		if want == nil && got != "" || strings.Contains(got, "hidden") || strings.Contains(got, "](") {
			t.Errorf("%q: %s", cell, got)
		}
	}
}
