//go:build unix || js

package assist

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/prlab/prlab/prl/cmd/prl/internal/prl-kernel/source"
)

// A Page is what the cells that ran have left, for a cell that is being written.
type Page struct {
	Known   string   // the declarations that stay, as a program
	Imports []string // of all cells, as they stand in an import declaration: path in quotes, with a name before it if there is one
}

// usual are packages that a cell may name before a cell with imports has run.
var usual = []string{
	`"fmt"`,
	`"math"`,
	`"github.com/prlab/prlab/prl"`,
	`"github.com/prlab/prlab/plotting"`,
	`"github.com/prlab/prlab/datasets"`,
}

// text is a program without main: imports and the declarations that stay, without those that the cell makes again.
func (p Page) text(cell *source.Cell) (text string, names []string) {
	imports := slices.Clone(p.Imports)
	bound := map[string]bool{}
	for _, spec := range imports {
		bound[boundName(spec)] = true
	}
	own := map[string]bool{}
	if cell != nil {
		for _, m := range declared.FindAllStringSubmatch(cell.Code, -1) {
			own[strings.TrimPrefix(m[1]+"."+m[2], ".")] = true
		}
		for name := range cell.Declared() {
			own[name] = true
		}
		for _, m := range imported.FindAllStringSubmatch(cell.Code, -1) {
			bound[boundName(m[1])] = true
			imports = slices.DeleteFunc(imports, func(spec string) bool { return spec == strings.TrimSpace(m[1]) })
		}
	}
	for _, spec := range usual {
		if name := boundName(spec); !bound[name] && !own[name] {
			imports = append(imports, spec)
		}
	}
	var b strings.Builder
	b.WriteString("package main\n\n")
	for _, spec := range imports {
		b.WriteString("import " + spec + "\n")
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", p.Known, parser.SkipObjectResolution)
	if err != nil {
		return b.String(), nil
	}
	cut := func(n ast.Node) string {
		return p.Known[files.Position(n.Pos()).Offset:files.Position(n.End()).Offset]
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if key := source.FuncKey(d); key != "main" && key != "init" && !own[key] {
				b.WriteString(cut(d) + "\n")
				names = append(names, d.Name.Name)
			}
		case *ast.GenDecl:
			if d.Tok == token.IMPORT || d.Tok == token.CONST && len(d.Specs) > 1 && mentions(d, own) {
				continue
			}
			if d.Tok == token.CONST && len(d.Specs) > 1 { // iota
				b.WriteString(cut(d) + "\n")
				continue
			}
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					if own[s.Name.Name] {
						continue
					}
					names = append(names, s.Name.Name)
				case *ast.ValueSpec:
					if own[s.Names[0].Name] {
						continue
					}
					for _, n := range s.Names {
						names = append(names, n.Name)
					}
				}
				b.WriteString(d.Tok.String() + " " + cut(s) + "\n")
			}
		}
	}
	return b.String(), names
}

func mentions(d *ast.GenDecl, own map[string]bool) bool {
	for _, s := range d.Specs {
		if v, ok := s.(*ast.ValueSpec); ok && slices.ContainsFunc(v.Names, func(n *ast.Ident) bool { return own[n.Name] }) {
			return true
		}
	}
	return false
}

var (
	declared = regexp.MustCompile(`(?m)^(?:func (?:\(\S+ \*?([\pL\d_]+)[^)]*\) )?|var |type |const )([\pL\d_]+)`)
	imported = regexp.MustCompile(`(?m)^\s*(?:import\s+)?((?:\w+\s+)?"[\w./-]+")\s*$`)
)

// importsOf are the paths of imports.
func importsOf(specs []string) (paths []string) {
	for _, spec := range specs {
		if path, err := strconv.Unquote(spec[strings.Index(spec, `"`):]); err == nil {
			paths = append(paths, path)
		}
	}
	return paths
}

// boundName is the name that an import gives the package.
func boundName(spec string) string {
	if name, _, named := strings.Cut(spec, " "); named {
		return name
	}
	unquoted, err := strconv.Unquote(spec)
	if err != nil {
		return ""
	}
	return path.Base(unquoted)
}

// place turns an offset in a cell, in characters, into a program and a place in it. Ok is false where there is no Go.
func (p Page) place(cell *source.Cell, offset int) (text string, at, bytes int, ok bool) {
	bytes = byteOffset(cell.Text, offset)
	before := cell.Text[:bytes]
	line := strings.Count(before, "\n")
	column := bytes - (strings.LastIndexByte(before, '\n') + 1)
	head, _ := p.text(cell)
	lines := strings.Split(cell.Code, "\n")
	var b strings.Builder
	b.WriteString(head)
	for i, code := range lines {
		switch {
		case i == cell.Statements-1:
			code = "func main() {"
		case source.IsCommand(code):
			code = ""
		case i < len(cell.Lines) && cell.Lines[i] == line && column <= len(code):
			at, ok = b.Len()+column, true
		}
		b.WriteString(code + "\n")
	}
	if cell.Statements >= 0 {
		b.WriteString("}\n")
	}
	return b.String(), at, bytes, ok
}

// byteOffset turns an offset in characters into one in bytes.
func byteOffset(text string, characters int) int {
	n := 0
	for i := range text {
		if n == characters {
			return i
		}
		n++
	}
	return len(text)
}

// characters is the number of characters in the first bytes of a text.
func characters(text string, bytes int) int {
	return utf8.RuneCountInString(text[:min(bytes, len(text))])
}
