// Package slim parts package prl. It imports every family, and a program that imports it links them all and depends on them all, where a
// cell names two or three: what that needs are the files of package prl in which the names stand that it uses, and those that these files
// use.
package slim

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
)

// Library is the import path of package prl.
const Library = checkout.Module + "/prl"

// pictureless are the packages with which a program can have no figure.
var pictureless = []string{Library + "/cell", Library + "/number", Library + "/fault", Library + "/internal/shown"}

// filming is the file of package prl with whose import the films of figures compute in the page. No figure names it.
const filming = "live.go"

// A File is a file of package prl.
type File struct {
	Path    string
	Text    []byte
	Imports []string

	declares []string
	uses     []string // names that may be ones of the package
}

// Read reads the files of package prl in its folder. It returns false if there is anything in them but plain declarations without methods.
func Read(folder string) (files []*File, ok bool) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, false
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil || strings.Contains(string(text), "//go:") {
			return nil, false
		}
		tree, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, false
		}
		f := &File{Path: path, Text: text}
		for _, spec := range tree.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil || spec.Name != nil {
				return nil, false
			}
			f.Imports = append(f.Imports, name)
		}
		for _, d := range tree.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil {
					return nil, false
				}
				f.declares = append(f.declares, d.Name.Name)
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						f.declares = append(f.declares, s.Name.Name)
					case *ast.ValueSpec:
						for _, id := range s.Names {
							f.declares = append(f.declares, id.Name)
						}
					}
				}
			}
		}
		if slices.Contains(f.declares, "init") || slices.Contains(f.declares, "_") {
			return nil, false
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				ast.Inspect(n.X, func(n ast.Node) bool {
					if id, is := n.(*ast.Ident); is {
						f.uses = append(f.uses, id.Name)
					}
					return true
				})
				return false
			case *ast.Ident:
				f.uses = append(f.uses, n.Name)
			}
			return true
		})
		files = append(files, f)
	}
	return files, len(files) > 0
}

// Choose takes the files in which the names stand, and those that they use, for a program that imports other packages too. It returns false
// if one of the names does not exist.
func Choose(files []*File, names, imports []string) (chosen []*File, ok bool) {
	home := map[string]*File{}
	for _, f := range files {
		for _, name := range f.declares {
			home[name] = f
		}
	}
	taken := map[*File]bool{}
	pictures := slices.ContainsFunc(imports, Paints)
	var take func(*File)
	take = func(f *File) {
		if f == nil || taken[f] {
			return
		}
		taken[f] = true
		pictures = pictures || slices.ContainsFunc(f.Imports, Paints)
		for _, name := range f.uses {
			take(home[name])
		}
	}
	for _, name := range names {
		if home[name] == nil {
			return nil, false
		}
		take(home[name])
	}
	for _, f := range files {
		if pictures && filepath.Base(f.Path) == filming {
			take(f)
		}
	}
	return slices.SortedFunc(maps.Keys(taken), func(a, b *File) int { return strings.Compare(a.Path, b.Path) }), true
}

// Paints reports whether a program with the package may have a figure.
func Paints(path string) bool {
	return strings.HasPrefix(path, checkout.Module+"/") && !Films(path) && !slices.Contains(pictureless, path)
}

// Films reports whether the import of the package alone lets the films of figures compute.
func Films(path string) bool { return path == Library || path == Library+"/live" }
