//go:build unix

package build

import (
	"errors"
	"go/ast"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/prl-kernel/source"
	"github.com/prlab/prlab/prl/cmd/prl/internal/slim"
)

// A part is what prune keeps or leaves out: a function, or a specification of a declaration of variables or types. Constants that are
// declared together are one, since they may count.
type part struct {
	node  ast.Node
	doc   *ast.CommentGroup
	names []string // that it declares at package level; for a method that of its type, and main, init and _ for what always runs
	stays bool
	kept  bool
}

// prune leaves out what earlier cells have declared and this one does not need, which takes the compiler most of its time: functions,
// types, constants, and variables whose initialisers nobody can tell from none (pure). The text keeps its lines and columns. A program that
// is not right stays whole, since its mistakes are to be told.
func (p *program) prune(archives map[string]string) {
	for _, path := range p.imports {
		if archives[path] == "" && path != "unsafe" {
			return
		}
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	right := true
	main := p.types(archives, info, func(err error) {
		var e types.Error
		right = right && errors.As(err, &e) && (e.Soft || strings.Contains(e.Msg, source.ShowValue))
	})
	if main == nil || !right {
		return
	}
	parts := p.parts()
	named := map[types.Object][]*part{}
	for _, part := range parts {
		for _, name := range part.names {
			if o := main.Scope().Lookup(name); o != nil {
				named[o] = append(named[o], part)
			}
		}
	}
	judge := &judge{info: info, main: main, named: named, bodies: map[*part]*body{}}
	used := map[types.Object]bool{}
	var keep func(*part)
	keep = func(x *part) {
		if x.kept {
			return
		}
		x.kept = true
		each := func(o types.Object) {
			used[o] = true
			for _, y := range named[o] {
				keep(y)
			}
		}
		for _, name := range x.names {
			if o := main.Scope().Lookup(name); o != nil {
				each(o)
			}
		}
		ast.Inspect(x.node, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && info.Uses[id] != nil {
				each(info.Uses[id])
			}
			return true
		})
	}
	for _, x := range parts {
		if x.stays || !judge.pure(x) {
			keep(x)
		}
	}
	p.pruned = true
	p.leave(parts)
	p.blankImports(info, used)
}

// types finds the types of the program, of whose packages the archives are known.
func (p *program) types(archives map[string]string, info *types.Info, complain func(error)) (main *types.Package) {
	defer func() {
		if recover() != nil { // an archive of another Go
			main = nil
		}
	}()
	look := func(path string) (io.ReadCloser, error) { return os.Open(archives[path]) }
	config := types.Config{Importer: importer.ForCompiler(p.files, "gc", look), Error: complain, FakeImportC: true}
	main, _ = config.Check("main", p.files, []*ast.File{p.file}, info)
	return main
}

// parts takes the program apart. What the cell itself declares stays, and so does what has no name of its own.
func (p *program) parts() (list []*part) {
	add := func(node ast.Node, doc *ast.CommentGroup, full string, names ...string) {
		x := &part{node: node, doc: doc, names: names}
		for _, name := range append(names, full) {
			x.stays = x.stays || name == "_" || slices.Contains(p.cell.Declares, name)
		}
		list = append(list, x)
	}
	for _, d := range p.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name, receiver := d.Name.Name, ""
			if d.Recv != nil && len(d.Recv.List) == 1 {
				receiver = typeName(d.Recv.List[0].Type)
				add(d, d.Doc, receiver+"."+name, receiver)
				continue
			}
			add(d, d.Doc, name, name)
			if name == "main" || name == "init" {
				list[len(list)-1].stays = true
			}
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				continue
			}
			var all []string
			for _, s := range d.Specs {
				var names []string
				switch s := s.(type) {
				case *ast.TypeSpec:
					names = append(names, s.Name.Name)
				case *ast.ValueSpec:
					for _, id := range s.Names {
						names = append(names, id.Name)
					}
				}
				if all = append(all, names...); d.Tok != token.CONST && len(d.Specs) > 1 {
					add(s, nil, "", names...)
				}
			}
			if d.Tok == token.CONST || len(d.Specs) == 1 {
				add(d, d.Doc, "", all...)
			}
		}
	}
	return list
}

// typeName is the name of the type of a receiver.
func typeName(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// leave takes the parts that are not kept out of the text and of the tree.
func (p *program) leave(parts []*part) {
	gone := map[ast.Node]bool{}
	text := []byte(p.text)
	for _, x := range parts {
		if x.kept {
			continue
		}
		gone[x.node] = true
		from := x.node.Pos()
		if x.doc != nil {
			from = x.doc.Pos()
		}
		blank(text, p.files.Position(from).Offset, p.files.Position(x.node.End()).Offset)
	}
	p.text = string(text)
	p.file.Decls = slices.DeleteFunc(p.file.Decls, func(d ast.Decl) bool {
		if g, ok := d.(*ast.GenDecl); ok && !gone[d] {
			g.Specs = slices.DeleteFunc(g.Specs, func(s ast.Spec) bool { return gone[s] })
		}
		return gone[d]
	})
	p.file.Comments = slices.DeleteFunc(p.file.Comments, func(c *ast.CommentGroup) bool {
		at := p.files.Position(c.Pos()).Offset
		return strings.TrimSpace(p.text[at:at+1]) == ""
	})
}

func blank(text []byte, from, to int) {
	for i := from; i < to; i++ {
		if text[i] != '\n' {
			text[i] = ' '
		}
	}
}

// blankImports takes out the imports of packages that no part names any longer. Of one whose import alone may do something it makes a blank
// import.
func (p *program) blankImports(info *types.Info, used map[types.Object]bool) {
	var vain []*ast.ImportSpec
	pictures := false
	for _, spec := range p.file.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		o := info.Implicits[spec]
		if spec.Name != nil {
			o = info.Defs[spec.Name]
		}
		if spec.Name != nil && (spec.Name.Name == "_" || spec.Name.Name == ".") || used[o] {
			pictures = pictures || slim.Paints(path)
			continue
		}
		vain = append(vain, spec)
	}
	text := []byte(p.text)
	gone := map[ast.Spec]bool{}
	for _, spec := range vain {
		path, _ := strconv.Unquote(spec.Path.Value)
		switch at := p.files.Position(spec.Pos()).Offset; {
		case idle(path) && !(pictures && slim.Films(path)):
			gone[spec] = true
			blank(text, at, p.files.Position(spec.End()).Offset)
		case spec.Name == nil:
			p.put(spec.Path.Pos(), "import", "_ ")
		default:
			blank(text, at, at+len(spec.Name.Name))
			text[at] = '_'
		}
	}
	for _, d := range p.file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT && !g.Lparen.IsValid() && gone[g.Specs[0]] {
			blank(text, p.files.Position(g.Pos()).Offset, p.files.Position(g.End()).Offset)
		}
	}
	p.text = string(text)
	p.file.Imports = slices.DeleteFunc(p.file.Imports, func(s *ast.ImportSpec) bool { return gone[s] })
	p.listImports()
}
