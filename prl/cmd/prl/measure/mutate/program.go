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
	"go/scanner"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/prl-kernel/source"
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
	pkg     *types.Package
	imports map[string]string // path by name
}

// A segment is a piece of a cell in the program.
type segment struct {
	at    int // offset in the program
	cell  string
	lines []int // of the cell, from 0, for each line of the piece
}

// A part is a segment with its text.
type part struct {
	segment
	text []byte
}

// join makes the program's text of a notebook. Where a name is declared twice, the later declaration stands, as it does in the kernel.
func join(n *notebook.Notebook) (*program, error) {
	p := &program{imports: map[string]string{}}
	var declarations, bodies []part
	declared := map[string]func(){}
	for _, c := range n.Cells {
		if !c.Runs() {
			continue
		}
		s := source.Arrange(c.Source())
		if s.Problem != nil {
			return nil, fmt.Errorf("cell %s: %s", c.ID(), s.Problem.Title)
		}
		if s.Raw() {
			continue
		}
		head, body := halves(s)
		fset := token.NewFileSet()
		const frame = "package p;"
		file, err := parser.ParseFile(fset, "", frame+string(head.text), parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("cell %s: %w", c.ID(), err)
		}
		blank := func(from, to token.Pos) {
			for i := fset.Position(from).Offset - len(frame); i < fset.Position(to).Offset-len(frame); i++ {
				if head.text[i] != '\n' {
					head.text[i] = ' '
				}
			}
		}
		for _, d := range file.Decls {
			if general, isGeneral := d.(*ast.GenDecl); isGeneral && general.Tok == token.IMPORT {
				for _, spec := range general.Specs {
					named := spec.(*ast.ImportSpec)
					p.imports[source.ImportName(named)], _ = strconv.Unquote(named.Path.Value)
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
		head.cell, body.cell = c.ID(), c.ID()
		declarations = append(declarations, head)
		if len(body.text) > 0 {
			bodies = append(bodies, body)
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

// halves parts a cell into its declarations and what it executes. Commands of the kernel and of the shell are left out.
func halves(s *source.Cell) (head, body part) {
	for i, text := range strings.Split(s.Code, "\n") {
		if strings.HasPrefix(text, "%") || strings.HasPrefix(text, "!") {
			continue
		}
		half := &head
		if s.Statements >= 0 && i >= s.Statements {
			half = &body
		}
		half.text = append(append(half.text, text...), '\n')
		half.lines = append(half.lines, s.Lines[i])
	}
	return head, body
}

// names lists what a declaration declares; a group whose names are not all given again stays, and so counts as one that declares nothing.
func names(d ast.Decl) []string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return []string{source.FuncKey(d)}
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
		if list, ok := err.(scanner.ErrorList); ok && len(list) > 0 {
			cell, line := p.at(list[0].Pos.Offset)
			return fmt.Errorf("cell %s, line %d: %s", cell, line, list[0].Msg)
		}
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
	if p.pkg, err = config.Check("main", p.fset, []*ast.File{p.file}, p.info); err != nil && first != nil {
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
func (p *program) place(at token.Pos) (cell string, line int) { return p.at(p.offset(at)) }

// at is place for an offset in the program.
func (p *program) at(offset int) (cell string, line int) {
	i, _ := slices.BinarySearchFunc(p.starts, offset+1, func(s segment, offset int) int { return s.at - offset })
	if i == 0 {
		return "", 0
	}
	s := p.starts[i-1]
	line = strings.Count(p.source[s.at:offset], "\n")
	if line >= len(s.lines) {
		return s.cell, 0
	}
	return s.cell, s.lines[line] + 1
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

// between is what stands in the program from a place to another.
func (p *program) between(from, to token.Pos) string { return p.source[p.offset(from):p.offset(to)] }

func (p *program) offset(at token.Pos) int { return p.fset.Position(at).Offset }
