//go:build unix

package build

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
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

// Package prl imports every family, and a program that imports it links them all, which takes the linker three times as long as a cell
// that only checks a number needs. So a cell is linked with a package prl of those files alone in which the names stand that it uses, and
// that these files use. Such a package is compiled once and kept; what is out of the ordinary gets the whole package.

// pictureless are the packages with which a program can have no figure.
var pictureless = setOf(checkout.Module+"/prl/cell", checkout.Module+"/prl/number", checkout.Module+"/prl/fault",
	checkout.Module+"/prl/internal/shown")

// filming is the file of package prl with whose import the films of figures compute in the page. No figure names it.
const filming = "live.go"

// A libraryFile is a file of package prl.
type libraryFile struct {
	path     string
	text     []byte
	declares []string
	uses     []string // names that may be ones of the package
	imports  []string
}

// slim is the archive of a package prl with what the program needs of it, or "" for the whole one.
func (b *builder) slim(k *kept) string {
	whole := k.archives()[library]
	names, ok := b.source.libraryNames()
	if !ok || whole == "" {
		return ""
	}
	folder := b.modules()[checkout.Module]
	if folder == "" {
		return ""
	}
	files, ok := readLibrary(filepath.Join(folder, "prl"))
	if !ok {
		return ""
	}
	chosen, ok := choose(files, names, b.source.imports)
	if !ok || len(chosen) == 0 || len(chosen) == len(files) {
		return ""
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\x00%q", whole, k.Compile)
	for _, f := range chosen {
		fmt.Fprintf(sum, "\x00%s\x00%s", f.path, f.text)
	}
	archive := filepath.Join(os.Getenv(StoreVar), "packages", hex.EncodeToString(sum.Sum(nil))+".a")
	if _, err := os.Stat(archive); err == nil {
		return archive
	}
	own := slices.Index(k.Compile, "main")
	if own < 1 || k.Compile[own-1] != "-p" {
		return ""
	}
	fresh, config := filepath.Join(b.talk, "program", "library.a"), filepath.Join(b.talk, "program", "library.cfg")
	if os.WriteFile(config, []byte(k.importable("")), 0o600) != nil {
		return ""
	}
	args := slices.Clone(k.Compile[1:])
	args[own-1] = library
	args = append(args, "-o", fresh, "-importcfg", config, "-pack")
	for _, f := range chosen {
		args = append(args, f.path)
	}
	os.Remove(fresh) // it may be one that is kept
	if b.command(k.Compile[0], args...).Run() != nil {
		return ""
	}
	keep(fresh, archive)
	return fresh
}

// libraryNames are the names of package prl in the program and its additions. It returns false if neither imports the package, and if
// another package that they import may have been compiled with the whole one.
func (p *program) libraryNames() (names []string, ok bool) {
	local, shows := "", p.cell.Value && p.all
	for _, spec := range p.file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil || !common(path) {
			return nil, false
		}
		if path != library {
			continue
		}
		switch {
		case local != "":
			return nil, false
		case spec.Name == nil:
			local = "prl"
		case spec.Name.Name == "_" || spec.Name.Name == ".":
			return nil, false
		default:
			local = spec.Name.Name
		}
	}
	ast.Inspect(p.file, func(n ast.Node) bool {
		if s, is := n.(*ast.SelectorExpr); is {
			if id, is := s.X.(*ast.Ident); is && id.Name == local {
				names = append(names, s.Sel.Name)
			}
		}
		return true
	})
	if shows {
		names = append(names, "Show")
	}
	return names, shows || local != ""
}

// common reports whether the package is one of the lab's, of the standard library or of gonum.
func common(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") || strings.HasPrefix(path, "gonum.org/v1/gonum/") ||
		path == checkout.Module || strings.HasPrefix(path, checkout.Module+"/")
}

// readLibrary reads the files of package prl. It returns false if there is anything in them but plain declarations without methods.
func readLibrary(folder string) (files []*libraryFile, ok bool) {
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
		f := &libraryFile{path: path, text: text}
		for _, spec := range tree.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil || spec.Name != nil {
				return nil, false
			}
			f.imports = append(f.imports, name)
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

// choose takes the files in which the names stand, and those that they use. It returns false if there is no such name.
func choose(files []*libraryFile, names, imports []string) (chosen []*libraryFile, ok bool) {
	home := map[string]*libraryFile{}
	for _, f := range files {
		for _, name := range f.declares {
			home[name] = f
		}
	}
	taken := map[*libraryFile]bool{}
	pictures := slices.ContainsFunc(imports, paints)
	var take func(*libraryFile)
	take = func(f *libraryFile) {
		if f == nil || taken[f] {
			return
		}
		taken[f] = true
		pictures = pictures || slices.ContainsFunc(f.imports, paints)
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
		if pictures && filepath.Base(f.path) == filming {
			take(f)
		}
	}
	return slices.SortedFunc(maps.Keys(taken), func(a, b *libraryFile) int { return strings.Compare(a.path, b.path) }), true
}

// paints reports whether a program with the package may have a figure.
func paints(path string) bool {
	return strings.HasPrefix(path, checkout.Module+"/") && !films(path) && !pictureless[path]
}

// silent are packages of the standard library whose import alone does nothing to others.
var silent = setOf("bufio", "bytes", "cmp", "context", "encoding/base64", "encoding/binary", "encoding/csv", "encoding/hex",
	"encoding/json", "encoding/xml", "errors", "flag", "fmt", "io", "io/fs", "iter", "log", "maps", "math", "math/big", "math/bits",
	"math/cmplx", "math/rand", "math/rand/v2", "os", "path", "path/filepath", "reflect", "regexp", "runtime", "slices", "sort", "strconv",
	"strings", "sync", "sync/atomic", "text/tabwriter", "text/template", "time", "unicode", "unicode/utf8")

// idle reports whether a program that names nothing of the package is the same without it, if its other packages can have no figure.
// What families register is for models that are read, and whoever reads one names its family. The two that draw the charts of other
// libraries are imported for nothing else.
func idle(path string) bool {
	if strings.HasPrefix(path, checkout.Module+"/") {
		return !slices.Contains([]string{"echartsx", "gonumx", "prlbeam"}, filepath.Base(path))
	}
	return silent[path] || strings.HasPrefix(path, "gonum.org/v1/gonum/")
}

// films reports whether the import of the package alone lets the films of figures compute.
func films(path string) bool { return path == library || path == checkout.Module+"/prl/live" }
