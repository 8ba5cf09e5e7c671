package saved

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestKnown reads the families: each type that stores itself and predicts or transforms must be known, so that a program that has never
// made its plan can read a file with it.
func TestKnown(t *testing.T) {
	is := map[string]bool{"datasets.Standardizer": true}
	for _, m := range known {
		is[strings.TrimPrefix(reflect.TypeOf(m).String(), "*")] = true
	}
	files, err := filepath.Glob("../*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	stores, answers := map[string]bool{}, map[string]bool{}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil {
				continue
			}
			star, ok := f.Recv.List[0].Type.(*ast.StarExpr)
			if !ok {
				continue
			}
			id, ok := star.X.(*ast.Ident)
			if !ok || !id.IsExported() {
				continue
			}
			name := file.Name.Name + "." + id.Name
			switch f.Name.Name {
			case "UnmarshalBinary":
				stores[name] = true
			case "Predict", "Transform":
				answers[name] = true
			}
		}
	}
	found := 0
	for name := range stores {
		if answers[name] {
			found++
			if !is[name] {
				t.Errorf("%s can be stored and is not known", name)
			}
		}
	}
	if found < 20 {
		t.Errorf("%d types were found", found)
	}
}
