//go:build unix

package build

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/slim"
)

// slim is the archive of a package prl with what the program needs of it (see package slim), or "" for the whole one, with which the linker
// takes three times as long for a cell that only checks a number. It is compiled once and kept; what is out of the ordinary gets the whole
// one.
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
	files, ok := slim.Read(filepath.Join(folder, "prl"))
	if !ok {
		return ""
	}
	chosen, ok := slim.Choose(files, names, b.source.imports)
	if !ok || len(chosen) == 0 || len(chosen) == len(files) {
		return ""
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\x00%q", whole, k.Compile)
	for _, f := range chosen {
		fmt.Fprintf(sum, "\x00%s\x00%s", f.Path, f.Text)
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
		args = append(args, f.Path)
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

// silent are packages of the standard library whose import alone does nothing to others.
var silent = setOf("bufio", "bytes", "cmp", "context", "encoding/base64", "encoding/binary", "encoding/csv", "encoding/hex",
	"encoding/json", "encoding/xml", "errors", "flag", "fmt", "io", "io/fs", "iter", "log", "maps", "math", "math/big", "math/bits",
	"math/cmplx", "math/rand", "math/rand/v2", "os", "path", "path/filepath", "reflect", "regexp", "runtime", "slices", "sort", "strconv",
	"strings", "sync", "sync/atomic", "text/tabwriter", "text/template", "time", "unicode", "unicode/utf8")

// idle reports whether a program that names nothing of the package is the same without it, if its other packages can have no figure.
// What families register is for models that are read, and a cell that reads one names its family. The two that draw the charts of other
// libraries are imported for nothing else.
func idle(path string) bool {
	if strings.HasPrefix(path, checkout.Module+"/") {
		return !slices.Contains([]string{"echartsx", "gonumx", "prlbeam"}, filepath.Base(path))
	}
	return silent[path] || strings.HasPrefix(path, "gonum.org/v1/gonum/")
}
