//go:build unix

package build

import (
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/notebook"
)

// TestTrimmed holds the imports that are left to those that goimports leaves, and looks that whatever is more than taking out goes there.
func TestTrimmed(t *testing.T) {
	goimports := newGoimports(t)
	const use = "\nfunc main() { flag.Parse(); fmt.Println(rand.IntN(3)) }\n"
	for name, c := range map[string]struct {
		text string
		left []string // nil: for goimports
	}{
		"all used": {"import \"flag\"\nimport (\n\t\"fmt\"\n\t\"math/rand/v2\"\n)\n" + use, []string{"flag", "fmt", "math/rand/v2"}},
		"unused": {
			"import \"flag\"\nimport \"os\"\nimport (\n\t\"fmt\"\n\t\"math\"; \"math/rand/v2\"\n\t_ \"embed\"\n\tm \"maps\"\n)\n" + use,
			nil, // two in a line leave a semicolon that nothing follows or precedes
		},
		"unused, a line each": {
			"import \"flag\"\nimport \"os\"\nimport (\n\t\"fmt\"\n\t\"math\"\n\t\"math/rand/v2\"\n\t_ \"embed\"\n\tm \"maps\"\n)\n" + use,
			[]string{"flag", "fmt", "math/rand/v2", "embed"},
		},
		"all unused": {"import (\n\t\"fmt\"\n)\n\nfunc main() {}\n", []string{}},
		"missing":    {"import \"flag\"\nimport \"fmt\"\n" + use, nil},
		"shadowed": {
			"import \"flag\"\nimport \"fmt\"\n\ntype rands struct{}\n\nfunc (rands) IntN(int) int { return 1 }\n\nvar rand rands\n" + use,
			[]string{"flag", "fmt"},
		},
		"shadowed and unused": {"import \"math\"\n\nfunc main() { math := struct{ a int }{}; _ = math.a }\n", []string{}},
		"dot":                 {"import . \"math\"\n\nfunc main() { _ = Pi }\n", nil},
		"unsure":              {"import \"gopkg.in/yaml.v3\"\n\nfunc main() {}\n", nil},
		"unsure, but used":    {"import \"gonum.org/v1/gonum/mat\"\n\nfunc main() { _ = mat.NewDense }\n", []string{"gonum.org/v1/gonum/mat"}},
		"this module":         {"import \"" + checkout.Module + "/prl\"\n\nfunc main() {}\n", []string{}},
		"twice":               {"import \"crypto/rand\"\nimport \"math/rand\"\n\nfunc main() { _ = rand.Int }\n", nil},
		"no program":          {"import \"fmt\"\n\nfunc main() { fmt.Println(\n", nil},
		"field of a result": {
			"import \"os\"\n\nfunc f() struct{ os int } { return struct{ os int }{} }\n\nfunc main() { _ = f().os }\n",
			[]string{},
		},
	} {
		text := "package main\n\n" + c.text
		got, done := trimmed([]byte(text))
		if done != (c.left != nil) {
			t.Errorf("%s: done is %v", name, done)
			continue
		}
		if !done {
			continue
		}
		if strings.Count(string(got), "\n") != strings.Count(text, "\n") {
			t.Errorf("%s: lines have moved:\n%s", name, got)
		}
		left := importsOf(t, got)
		slices.Sort(c.left)
		if !slices.Equal(left, c.left) {
			t.Errorf("%s: %v are left, want %v", name, left, c.left)
		}
		if byGoimports := importsOf(t, goimports(text)); !slices.Equal(left, byGoimports) {
			t.Errorf("%s: %v are left, and goimports leaves %v", name, left, byGoimports)
		}
	}
}

// TestTrimmedNotebooks does the same with what cells of notebooks declare, each below the imports of its page.
func TestTrimmedNotebooks(t *testing.T) {
	if testing.Short() {
		t.Skip("runs goimports for some forty cells")
	}
	goimports := newGoimports(t)
	paths, err := filepath.Glob("../../../../../../notebooks/*.ipynb")
	if err != nil || len(paths) < 3 {
		t.Fatal(paths, err)
	}
	tried := 0
	for _, path := range paths {
		n, err := notebook.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		imports, declarations := map[string]bool{}, []string{}
		for _, c := range n.Cells {
			text, _, _ := strings.Cut(c.Source(), "%%")
			text = "package main\n" + text
			file, err := parser.ParseFile(token.NewFileSet(), "", text, 0)
			if err != nil || !c.IsCode() {
				continue
			}
			for _, s := range file.Imports {
				imports["import "+text[s.Pos()-1:s.End()-1]+"\n"] = true
			}
			if len(file.Decls) > 0 && len(file.Imports) == 0 {
				declarations = append(declarations, strings.TrimPrefix(text, "package main\n"))
			}
		}
		head := "package main\n\nimport \"flag\"\n" + strings.Join(slices.Sorted(maps.Keys(imports)), "")
		for i := 0; i < len(declarations); i += max(1, len(declarations)/4) {
			program := head + declarations[i] + "\nfunc main() { flag.Parse() }\n"
			got, done := trimmed([]byte(program))
			if !done {
				continue
			}
			tried++
			if left, want := importsOf(t, got), importsOf(t, goimports(program)); !slices.Equal(left, want) {
				t.Errorf("%s: %v are left, and goimports leaves %v of\n%s", path, left, want, program)
			}
		}
	}
	t.Logf("%d cells", tried)
	if tried < 20 {
		t.Errorf("only %d cells were tried", tried)
	}
}

func importsOf(t *testing.T, text []byte) (list []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	list = []string{}
	for _, s := range file.Imports {
		list = append(list, strings.Trim(s.Path.Value, "\""))
	}
	slices.Sort(list)
	return list
}

// newGoimports returns what makes of a text what the goimports of the lab makes of it.
func newGoimports(t *testing.T) func(text string) []byte {
	t.Helper()
	folder := t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(folder, "goimports"), "golang.org/x/tools/cmd/goimports")
	build.Dir = "../../../../../../notebooks/kernel" // its go.mod says which one
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return func(text string) []byte {
		path := filepath.Join(t.TempDir(), "main.go")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(filepath.Join(folder, "goimports"), "-w", path).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
}
