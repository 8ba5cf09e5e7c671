package live

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strconv"
	"strings"
	"sync"

	"github.com/prlab/prlab/prl/cmd/prl/internal/prl-kernel/source"
)

// A part is what one cell gives to the program.
type part struct {
	declarations []*declaration
	imports      map[string]string // specs by name
	body         *declaration      // the statements, or nil
}

// taken are cells that were taken apart, since each run of a cell in a page reads all the others.
var taken = struct {
	sync.Mutex
	parts map[Cell]*part
}{parts: map[Cell]*part{}}

// mostTaken is how many cells are remembered: those of the longest notebook, and some hundred changes.
const mostTaken = 1000

// read takes a cell apart.
func (k *reader) read(c Cell) (*part, error) {
	taken.Lock()
	defer taken.Unlock()
	p := taken.parts[c]
	if p == nil {
		var err error
		if p, err = (&reader{}).arranged(c, source.Arrange(c.Text)); err != nil {
			return nil, err
		}
		if len(taken.parts) >= mostTaken {
			clear(taken.parts)
		}
		taken.parts[c] = p
	}
	return k.placed(p), nil
}

// placed is a part behind those that were read before.
func (k *reader) placed(p *part) *part {
	next, first := part{imports: p.imports}, k.order
	place := func(d *declaration) *declaration {
		own := *d
		own.order += first
		k.order++
		return &own
	}
	for _, d := range p.declarations {
		next.declarations = append(next.declarations, place(d))
	}
	if p.body != nil {
		next.body = place(p.body)
	}
	return &next
}

// arranged is read of a cell whose text has been arranged.
func (k *reader) arranged(c Cell, s *source.Cell) (*part, error) {
	p := &part{imports: map[string]string{}}
	if s.Problem != nil {
		return nil, fmt.Errorf("cell %s: %s", c.ID, s.Problem.Title)
	}
	if s.Raw() {
		return p, nil
	}
	text := s.Program()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("cell %s: %w", c.ID, err)
	}
	for _, spec := range file.Imports {
		p.imports[source.ImportName(spec)] = strings.TrimSpace(text[offset(files, spec.Pos()):offset(files, spec.End())])
	}
	outside := outside(files, file)
	note := func(d *declaration, node ast.Node, from token.Pos) {
		d.cell, d.line, d.order = c.ID, s.Lines[files.Position(from).Line-1]+1, k.order
		d.text = text[offset(files, from):offset(files, node.End())]
		d.inspect(node, outside)
		k.order++
	}
	declare := func(d *declaration, node ast.Node, doc *ast.CommentGroup) {
		from := node.Pos()
		if doc != nil && d.keyword == "" { // it may hold a directive
			from = doc.Pos()
		}
		note(d, node, from)
		p.declarations = append(p.declarations, d)
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			switch {
			case d.Recv != nil:
				of, method, _ := strings.Cut(source.FuncKey(d), ".")
				declare(&declaration{of: of, method: method}, d, d.Doc)
			case name == "main":
				p.body = &declaration{}
				note(p.body, d.Body, d.Body.Lbrace)
				start := offset(files, d.Body.Lbrace)
				for _, s := range d.Body.List {
					if claims(s) {
						p.body.claims = append(p.body.claims, [2]int{offset(files, s.Pos()) - start, offset(files, s.End()) - start})
					}
				}
			case name == "init" || strings.HasPrefix(name, "init_"):
				start := &declaration{keyword: "func init() "}
				declare(start, d.Body, nil)
			default:
				declare(&declaration{names: []string{name}}, d, d.Doc)
			}
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				continue
			}
			for _, node := range specs(d) {
				one := &declaration{names: names(node)}
				if node != ast.Node(d) {
					one.keyword = d.Tok.String() + " "
				}
				declare(one, node, d.Doc)
			}
		}
	}
	return p, nil
}

// claims reports whether a statement is prl.Check(...), prl.Remark(...) or a chain of calls that begins with one of them.
func claims(s ast.Stmt) bool {
	call, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	for x := call.X; ; {
		switch n := x.(type) {
		case *ast.CallExpr:
			x = n.Fun
		case *ast.SelectorExpr:
			if of, ok := n.X.(*ast.Ident); ok {
				return of.Name == "prl" && (n.Sel.Name == "Check" || n.Sel.Name == "Remark")
			}
			x = n.X
		default:
			return false
		}
	}
}

// reader reads the cells of a notebook, in order.
type reader struct{ order int }

func offset(files *token.FileSet, at token.Pos) int { return files.Position(at).Offset }

// names are the names that a node declares, without the blank one.
func names(node ast.Node) (list []string) {
	add := func(ids ...*ast.Ident) {
		for _, id := range ids {
			if id.Name != "_" {
				list = append(list, id.Name)
			}
		}
	}
	switch node := node.(type) {
	case *ast.GenDecl:
		for _, s := range node.Specs {
			list = append(list, names(s)...)
		}
	case *ast.ValueSpec:
		add(node.Names...)
	case *ast.TypeSpec:
		add(node.Name)
	}
	return list
}

// outside tells which identifiers of a cell are not declared inside one of its declarations: names of other cells, of packages, and of the
// cell's own declarations. What the checker cannot tell, without the packages, counts as such a name.
func outside(files *token.FileSet, file *ast.File) func(*ast.Ident) bool {
	info := types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Error: func(error) {}, Importer: none{}, DisableUnusedImportCheck: true}
	config.Check("main", files, []*ast.File{file}, &info) // the errors are those of a program without its packages
	not := map[*ast.Ident]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			not[n.Sel] = true
		case *ast.CompositeLit:
			if _, isMap := n.Type.(*ast.MapType); isMap {
				break
			}
			for _, e := range n.Elts {
				if pair, ok := e.(*ast.KeyValueExpr); ok {
					if field, ok := pair.Key.(*ast.Ident); ok {
						not[field] = true
					}
				}
			}
		}
		return true
	})
	return func(id *ast.Ident) bool {
		if not[id] {
			return false
		}
		if _, defined := info.Defs[id]; defined {
			return false
		}
		used := info.Uses[id]
		if used == nil || used.Pkg() == nil && used.Parent() != types.Universe {
			return true
		}
		if _, isPackage := used.(*types.PkgName); isPackage {
			return true
		}
		return used.Pkg() != nil && used.Parent() == used.Pkg().Scope()
	}
}

// none imports no package.
type none struct{}

func (none) Import(path string) (*types.Package, error) {
	p := types.NewPackage(path, source.ImportName(&ast.ImportSpec{Path: &ast.BasicLit{Value: strconv.Quote(path)}}))
	p.MarkComplete()
	return p, nil
}
