package main

import (
	"bytes"
	"go/ast"
	"os"
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
			if kind, _ := embedded(p.structs[name]); kind == "" || directives(p.structs[name].doc) == nil {
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
	if compared < 10 {
		t.Errorf("only %d methods were compared", compared)
	}
}
