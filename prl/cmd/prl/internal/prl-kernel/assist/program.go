//go:build unix || js

package assist

import (
	"context"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"strconv"
)

// program is a page with the cell that is being written, read as far as it is right.
type program struct {
	file  *ast.File
	files *token.FileSet
	main  *types.Package
	info  *types.Info
	path  []ast.Node // from the file to the name in question; nil if there is none
}

// placeholder stands for the name that is being written.
const placeholder = "prlHere"

// understand reads a program, finds the types in it and hands it on. The name in question stands at an offset, or ends there. What the
// program names and does not import is imported, as it is when the cell runs.
func (s *Server) understand(ctx context.Context, text string, offset int, use func(*program)) error {
	p := &program{files: token.NewFileSet()}
	p.file, _ = parser.ParseFile(p.files, "main.go", text, parser.SkipObjectResolution|parser.AllErrors)
	var wanted []string
	for _, spec := range p.file.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil {
			wanted = append(wanted, path)
		}
	}
	p.path = p.find(offset)
	for more := true; more; {
		if err := s.need(ctx, wanted); err != nil {
			return err
		}
		more = false
		for _, path := range s.check(p) {
			if !slices.Contains(wanted, path) {
				wanted, more = append(wanted, path), true
				spec := &ast.ImportSpec{Path: &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(path)}}
				p.file.Decls = append(p.file.Decls, &ast.GenDecl{Tok: token.IMPORT, Specs: []ast.Spec{spec}})
			}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() { recover() }() // what go/types does not stand ends an answer, and not the kernel
	use(p)
	return nil
}

// check finds the types, and the packages that the program names before a dot and does not import.
func (s *Server) check(p *program) (missing []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p.info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	p.main = types.NewPackage("main", "main")
	defer func() {
		if recover() != nil { // an archive of another Go
			s.stale = true
		}
	}()
	config := types.Config{Importer: s.importer, Error: func(error) {}, FakeImportC: true}
	types.NewChecker(&config, p.files, p.main, p.info).Files([]*ast.File{p.file})
	ast.Inspect(p.file, func(n ast.Node) bool {
		if e, is := n.(*ast.SelectorExpr); is {
			if id, is := e.X.(*ast.Ident); is && p.info.Uses[id] == nil && len(s.named[id.Name]) > 0 {
				missing = append(missing, s.named[id.Name][0])
			}
		}
		return true
	})
	return missing
}

// find is the way from the file to the name at an offset.
func (p *program) find(offset int) (found []ast.Node) {
	var way []ast.Node
	ast.Inspect(p.file, func(n ast.Node) bool {
		if n == nil {
			way = way[:len(way)-1]
			return true
		}
		way = append(way, n)
		if id, is := n.(*ast.Ident); is && id.Pos().IsValid() {
			if at := p.files.Position(id.Pos()).Offset; at <= offset && offset <= at+len(id.Name) {
				found = slices.Clone(way)
			}
		}
		return true
	})
	return found
}

// closed is the text with an end to all brackets that it opens.
func closed(text string) string {
	var read scanner.Scanner
	files := token.NewFileSet()
	read.Init(files.AddFile("", -1, len(text)), []byte(text), func(token.Position, string) {}, 0)
	var open []string
	for {
		_, t, _ := read.Scan()
		switch t {
		case token.LPAREN:
			open = append(open, ")")
		case token.LBRACK:
			open = append(open, "]")
		case token.LBRACE:
			open = append(open, "}")
		case token.RPAREN, token.RBRACK, token.RBRACE:
			open = open[:max(0, len(open)-1)]
		case token.EOF:
			for _, bracket := range slices.Backward(open) {
				text += bracket
			}
			return text + "\n"
		}
	}
}
