// Package mutate plants mistakes in a notebook and sees which checks notice: a check that no mistake turns red proves nothing.
//
// All cells of a notebook become one program, in which every number, sign, operator, comparison and called function that may be mistaken
// stands twice, as it is and mistaken. The program is built once and run once for each mistake, with the number of the mistake in its
// environment (mutant schemata: Untch, Offutt and Harrold 1993).
package mutate

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/prlab/prlab/prl/notebook"
)

// A program is a notebook as one file of Go: the declarations of all cells, and a function for what each cell executes.
type program struct {
	source  string
	starts  []segment
	cells   []string // ids, by the number of the function
	fset    *token.FileSet
	file    *ast.File
	info    *types.Info
	imports map[string]string // path by name
}

// A segment is a piece of a cell in the program.
type segment struct {
	at   int // offset in the program
	cell string
	line int // of the cell, at its beginning
}

// join makes the program's text of a notebook. Where a name is declared twice, the later declaration stands, as it does in the kernel.
func join(n *notebook.Notebook) (*program, error) {
	p := &program{imports: map[string]string{}}
	type part struct {
		segment
		text []byte
	}
	var declarations, bodies []part
	declared := map[string]func(){}
	for _, c := range n.Cells {
		if !c.Runs() {
			continue
		}
		head, body, line := split(c.Source())
		fset := token.NewFileSet()
		const frame = "package p;"
		file, err := parser.ParseFile(fset, "", frame+string(head), parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("cell %s: %w", c.ID(), err)
		}
		blank := func(from, to token.Pos) {
			for i := fset.Position(from).Offset - len(frame); i < fset.Position(to).Offset-len(frame); i++ {
				if head[i] != '\n' {
					head[i] = ' '
				}
			}
		}
		for _, d := range file.Decls {
			if general, isGeneral := d.(*ast.GenDecl); isGeneral && general.Tok == token.IMPORT {
				for _, spec := range general.Specs {
					path, _ := strconv.Unquote(spec.(*ast.ImportSpec).Path.Value)
					name := path[strings.LastIndex(path, "/")+1:]
					if len(name) > 1 && name[0] == 'v' && name[1] >= '0' && name[1] <= '9' {
						rest := path[:strings.LastIndex(path, "/")]
						name = rest[strings.LastIndex(rest, "/")+1:]
					}
					if alias := spec.(*ast.ImportSpec).Name; alias != nil {
						name = alias.Name
					}
					p.imports[name] = path
				}
				blank(d.Pos(), d.End())
				continue
			}
			for _, name := range names(d) {
				if again := declared[name]; again != nil {
					again()
				}
				declared[name] = func() { blank(d.Pos(), d.End()) }
			}
		}
		declarations = append(declarations, part{segment{0, c.ID(), 1}, head})
		if body != "" {
			bodies = append(bodies, part{segment{0, c.ID(), line}, []byte(body)})
		}
	}
	var out strings.Builder
	out.WriteString("package main\n\nimport (\n")
	for _, name := range slices.Sorted(maps.Keys(p.imports)) {
		fmt.Fprintf(&out, "%s %q\n", name, p.imports[name])
	}
	out.WriteString(")\n")
	place := func(q part) {
		q.at = out.Len()
		p.starts = append(p.starts, q.segment)
		out.Write(q.text)
		out.WriteString("\n")
	}
	for _, q := range declarations {
		place(q)
	}
	for i, q := range bodies {
		fmt.Fprintf(&out, "func %s {\n", cellFunction(i))
		place(q)
		out.WriteString("}\n")
		p.cells = append(p.cells, q.cell)
	}
	p.source = out.String()
	return p, nil
}

func cellFunction(i int) string { return fmt.Sprintf("mutCell%d()", i) }

// split parts a cell's text into its declarations and what it executes, which begins in the line given. Commands of the kernel and of the
// shell are left out.
func split(source string) (head []byte, body string, line int) {
	var parts [2]strings.Builder
	at, n := 0, 0
	for text := range strings.Lines(source) {
		n++
		first, _, _ := strings.Cut(strings.TrimSpace(text), " ")
		switch {
		case at == 0 && (first == "%%" || first == "%main"):
			at, line = 1, n+1
			continue
		case strings.HasPrefix(text, "%") || strings.HasPrefix(text, "!"):
			text = "\n"
		}
		parts[at].WriteString(text)
	}
	return []byte(parts[0].String()), parts[1].String(), line
}

// names lists what a declaration declares; a group whose names are not all given again stays, and so counts as one that declares nothing.
func names(d ast.Decl) []string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil && len(d.Recv.List) == 1 {
			kind := d.Recv.List[0].Type
			for {
				switch k := kind.(type) {
				case *ast.StarExpr:
					kind = k.X
					continue
				case *ast.IndexExpr:
					kind = k.X
					continue
				case *ast.Ident:
					return []string{k.Name + "." + d.Name.Name}
				}
				return nil
			}
		}
		return []string{d.Name.Name}
	case *ast.GenDecl:
		if len(d.Specs) != 1 {
			return nil
		}
		switch s := d.Specs[0].(type) {
		case *ast.TypeSpec:
			return []string{s.Name.Name}
		case *ast.ValueSpec:
			if len(s.Names) == 1 && s.Names[0].Name != "_" {
				return []string{s.Names[0].Name}
			}
		}
	}
	return nil
}

// check parses the program and finds out its types. dir is a folder in which go can build it.
func (p *program) check(dir string) error {
	p.fset = token.NewFileSet()
	var err error
	if p.file, err = parser.ParseFile(p.fset, "main.go", p.source, parser.SkipObjectResolution); err != nil {
		return err
	}
	exports, err := exported(dir, p.imports)
	if err != nil {
		return err
	}
	p.info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Implicits: map[ast.Node]types.Object{},
	}
	var first error
	config := types.Config{
		Importer: importer.ForCompiler(p.fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }),
		Error: func(err error) {
			if fault := err.(types.Error); first == nil && !strings.Contains(fault.Msg, "imported and not used") {
				cell, line := p.place(fault.Pos)
				first = fmt.Errorf("cell %s, line %d: %s", cell, line, fault.Msg)
			}
		},
	}
	if _, err := config.Check("main", p.fset, []*ast.File{p.file}, p.info); err != nil && first != nil {
		return first
	}
	return nil
}

// exported finds the files with the compiled interfaces of the packages, and of all that they import.
func exported(dir string, imports map[string]string) (map[string]string, error) {
	args := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}"}
	for _, path := range imports {
		args = append(args, path)
	}
	list := exec.Command("go", args...)
	list.Dir = dir
	var said bytes.Buffer
	list.Stderr = &said
	text, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, said.Bytes())
	}
	exports := map[string]string{}
	for line := range strings.Lines(string(text)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		exports[path] = file
	}
	return exports, nil
}

// place is the cell in which a position stands, and the line of that cell.
func (p *program) place(at token.Pos) (cell string, line int) {
	offset := p.fset.Position(at).Offset
	i, _ := slices.BinarySearchFunc(p.starts, offset+1, func(s segment, at int) int { return s.at - at })
	if i == 0 {
		return "", 0
	}
	s := p.starts[i-1]
	return s.cell, s.line + strings.Count(p.source[s.at:offset], "\n")
}

// text is what stands in the program, on one line and cut to a readable length.
func (p *program) text(n ast.Node) string {
	const most = 60
	s := strings.Join(strings.Fields(p.source[p.offset(n.Pos()):p.offset(n.End())]), " ")
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return s
}

func (p *program) offset(at token.Pos) int { return p.fset.Position(at).Offset }
