//go:build unix

package build

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
)

// Imports is the program goimports that GoNB finds first in the kernel's PATH and calls for every cell: goimports -w FILE. Mostly a program
// imports all that it names, and then unused imports are taken out here; whatever else there is to find goes to goimports, which
// takes longer to start than this takes for all. It does not return.
func Imports(root checkout.Checkout, args []string) {
	if len(args) == 2 && args[0] == "-w" && trimImports(args[1]) {
		os.Exit(0)
	}
	program := root.Bin("goimports")
	err := syscall.Exec(program, append([]string{program}, args...), os.Environ())
	fmt.Fprintf(os.Stderr, "goimports: %s: %v\n", program, err)
	os.Exit(1)
}

// trimImports removes unused imports. It returns false, and leaves the file as it is, if that is not all there is
// to do.
func trimImports(path string) bool {
	files, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*.go"))
	if err != nil || len(files) != 1 {
		return false
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	left, done := trimmed(text)
	if !done {
		return false
	}
	return string(left) == string(text) || os.WriteFile(path, left, 0o600) == nil
}

// trimmed returns the program with blanks for the imports that nothing in it names. It returns false if the program names what it does not
// import, if it cannot be read, or if the name of an import cannot be told from its path.
func trimmed(text []byte) (_ []byte, done bool) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", text, 0)
	if err != nil {
		return nil, false
	}
	missing := map[string]bool{} // names before a dot that the program does not declare
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok && id.Obj == nil {
				missing[id.Name] = true
			}
		}
		return true
	})
	used := func(name string) bool { return missing[name] }
	imported, vain := map[string]bool{}, 0
	result := append([]byte(nil), text...)
	at := func(p token.Pos) int { return files.Position(p).Offset }
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		for _, spec := range g.Specs {
			s := spec.(*ast.ImportSpec)
			name, sure := importName(s)
			switch {
			case name == "_":
				continue
			case name == "." || imported[name] || !used(name) && !sure:
				return nil, false
			case used(name):
				imported[name] = true
				continue
			}
			imported[name] = true
			vain++
			if g.Lparen.IsValid() {
				blank(result, at(s.Pos()), at(s.End()))
			} else {
				blank(result, at(g.Pos()), at(g.End()))
			}
		}
	}
	for name := range missing {
		if !imported[name] {
			return nil, false
		}
	}
	if vain > 0 {
		if _, err := parser.ParseFile(token.NewFileSet(), "", result, parser.ImportsOnly); err != nil {
			return nil, false
		}
	}
	return result, true
}

var version = regexp.MustCompile(`^v\d+$`)

// importName is the name by which a program knows an import. It is sure if it stands there, or if the package is one of the standard
// library or of this module, which are called by the last word of their path that is not a version.
func importName(s *ast.ImportSpec) (name string, sure bool) {
	if s.Name != nil {
		return s.Name.Name, true
	}
	path, err := strconv.Unquote(s.Path.Value)
	if err != nil || path == "C" {
		return ".", false
	}
	words := strings.Split(path, "/")
	name = words[len(words)-1]
	if len(words) > 1 && version.MatchString(name) {
		name = words[len(words)-2]
	}
	return name, !strings.Contains(words[0], ".") || strings.HasPrefix(path, checkout.Module+"/")
}
