package main

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const library = "../.."

// The generated files are those of the sources.
func TestFacesAreCurrent(t *testing.T) {
	files, err := generate(library)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 15 {
		t.Fatalf("only %d packages were found", len(files))
	}
	for path, want := range files {
		got, err := os.ReadFile(path)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what its sources make of it; run go generate ./prl", path)
		}
	}
}

// A word means the same in every plan: the first sentence of its comment, up to a colon, is that of the table.
func TestWordsMeanTheSame(t *testing.T) {
	w, err := readWorld(library)
	if err != nil {
		t.Fatal(err)
	}
	table := map[string]string{}
	for _, v := range w.all() {
		table[v.name] = v.meaning
	}
	compare := func(where string, m *ast.FuncDecl) {
		if want, listed := table[m.Name.Name]; listed && meaning(m) != want {
			t.Errorf("%s.%s %s; the table says: %s", where, m.Name.Name, meaning(m), want)
		}
	}
	compared := 0
	for _, p := range w.families {
		for _, name := range p.order {
			if kind, _ := embedded(p.structs[name]); kind == "" {
				continue
			}
			for _, m := range p.methods[name] {
				compare(filepath.Base(p.dir)+"."+name, m)
				compared++
			}
		}
	}
	for _, name := range w.plan.order {
		if ast.IsExported(name) {
			for _, m := range w.plan.promoted(name) {
				if strings.HasSuffix(name, "Plan") || len(w.plan.structs[name].params) == 2 {
					compare("plan."+name, m)
				}
			}
		}
	}
	if compared < 100 {
		t.Errorf("only %d methods were compared", compared)
	}
}

// The template of README.md is formatted, is a family once its face is written, and learns what it should.
func TestTemplate(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(library, "estimator", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(readme), "```go\n// Package nearest")
	code, _, found := strings.Cut(rest, "```\n")
	code = "// Package nearest" + code
	if formatted, err := format.Source([]byte(code)); !found || err != nil || string(formatted) != code {
		t.Fatalf("the template is not formatted: %v", err)
	}
	if lines := strings.Count(code, "\n"); lines > 120 {
		t.Errorf("the template has %d lines", lines)
	}
	dir := t.TempDir()
	overlay := map[string]string{}
	place := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		target, err := filepath.Abs(filepath.Join(library, "nearest", name))
		if err != nil {
			t.Fatal(err)
		}
		overlay[target] = path
	}
	place("nearest.go", code)
	w, err := readWorld(library)
	if err != nil {
		t.Fatal(err)
	}
	p, err := readSource(dir)
	if err != nil {
		t.Fatal(err)
	}
	face, err := w.face(p)
	if err != nil {
		t.Fatal(err)
	}
	const use = `package nearest

import (
	"testing"

	"github.com/prlab/prlab/datasets"
)

func Test(t *testing.T) {
	iris := datasets.Iris()
	p := PlanNearest().Fit(iris).Scale(0.5).Balanced()
	stored, err := p.Model().MarshalBinary()
	if err != nil || new(Model).UnmarshalBinary(stored) != nil || new(Model).UnmarshalBinary(stored[:99]) == nil {
		t.Error(err)
	}
	if a := p.Accuracy(); a < 0.9 || a == 1 {
		t.Error(a)
	}
	if _, err := new(Model).LogProba(iris.X); err == nil || err.Error()[:23] != "nearest.Model.LogProba:" {
		t.Error(err)
	}
	if err := PlanNearest().Scale(-1).Fit(iris).Err(); err == nil || err.Error()[:6] != "Scale:" {
		t.Error(err)
	}
}
`
	place("face_gen.go", string(face))
	place("nearest_test.go", use)
	list, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	replace := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(replace, list, 0o644); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "nearest.test")
	build := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=off", "-overlay", replace, "-o", program, module+"prl/nearest")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.CommandContext(t.Context(), program).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
