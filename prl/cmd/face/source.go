package main

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A world is the source of the library as far as faces need it.
type world struct {
	families        []*source
	plan, estimator *source
	words           []word
}

// A source is a package without its tests and generated files.
type source struct {
	dir, name string
	structs   map[string]*structure
	order     []string                            // of structs
	methods   map[string]map[string]*ast.FuncDecl // by receiver and name
	imports   map[string]string                   // path of each imported package, by the name in use
}

// A structure is a struct type with its comment.
type structure struct {
	name   string
	params []string // names of type parameters
	doc    *ast.CommentGroup
	fields []*ast.Field
}

func readWorld(root string) (*world, error) {
	w := &world{}
	err := filepath.WalkDir(root, func(dir string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		inside, _ := filepath.Rel(root, dir)
		switch inside {
		case "cmd", "internal":
			return filepath.SkipDir
		}
		if entry.Name() == "testdata" {
			return filepath.SkipDir
		}
		p, err := readSource(dir)
		if err != nil {
			return err
		}
		switch inside {
		case ".":
		case "plan":
			w.plan = p
		case "estimator":
			w.estimator = p
		default:
			w.families = append(w.families, p)
		}
		return nil
	})
	if err == nil {
		w.words, err = readWords()
	}
	return w, err
}

func readSource(dir string) (*source, error) {
	places := token.NewFileSet()
	p := &source{dir: dir, structs: map[string]*structure{}, methods: map[string]map[string]*ast.FuncDecl{}, imports: map[string]string{}}
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		name := f.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "_gen.go") {
			continue
		}
		file, err := parser.ParseFile(places, filepath.Join(dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.name = file.Name.Name
		p.read(file)
	}
	return p, nil
}

func (p *source) read(file *ast.File) {
	for _, s := range file.Imports {
		imported, _ := strconv.Unquote(s.Path.Value)
		name := strings.TrimSuffix(path.Base(imported), "/v2")
		if s.Name != nil {
			name = s.Name.Name
		}
		p.imports[name] = imported
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				continue
			}
			of := receiver(d)
			if p.methods[of] == nil {
				p.methods[of] = map[string]*ast.FuncDecl{}
			}
			p.methods[of][d.Name.Name] = d
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if t, ok := s.(*ast.TypeSpec); ok {
					p.declare(d, t)
				}
			}
		}
	}
}

func (p *source) declare(d *ast.GenDecl, t *ast.TypeSpec) {
	body, ok := t.Type.(*ast.StructType)
	if !ok {
		return
	}
	s := &structure{name: t.Name.Name, doc: t.Doc, fields: body.Fields.List}
	if s.doc == nil {
		s.doc = d.Doc
	}
	if t.TypeParams != nil {
		for _, f := range t.TypeParams.List {
			for _, n := range f.Names {
				s.params = append(s.params, n.Name)
			}
		}
	}
	p.structs[s.name] = s
	p.order = append(p.order, s.name)
}

// receiver returns the name of the type of a method.
func receiver(d *ast.FuncDecl) string {
	e := d.Recv.List[0].Type
	if s, ok := e.(*ast.StarExpr); ok {
		e = s.X
	}
	switch g := e.(type) {
	case *ast.IndexExpr:
		e = g.X
	case *ast.IndexListExpr:
		e = g.X
	}
	return text(e)
}

// text prints a piece of source.
func text(n ast.Node) string {
	if n == nil {
		return ""
	}
	var b bytes.Buffer
	_ = printer.Fprint(&b, token.NewFileSet(), n) // a buffer takes everything
	return b.String()
}

// directives returns the lines //kind:verb of comments as verb and rest.
func directives(kind string, groups ...*ast.CommentGroup) (list [][2]string) {
	for _, g := range groups {
		if g == nil {
			continue
		}
		for _, c := range g.List {
			if line, ok := strings.CutPrefix(c.Text, "//"+kind+":"); ok {
				verb, rest, _ := strings.Cut(line, " ")
				list = append(list, [2]string{verb, strings.TrimSpace(rest)})
			}
		}
	}
	return list
}

// promoted returns the exported methods of a struct type and of what it embeds, in the order of their declaration.
func (p *source) promoted(name string) (list []*ast.FuncDecl) {
	seen := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		var here []*ast.FuncDecl
		for _, m := range p.methods[name] {
			if m.Name.IsExported() && !seen[m.Name.Name] {
				here = append(here, m)
			}
		}
		slices.SortFunc(here, func(a, b *ast.FuncDecl) int { return cmp.Compare(a.Pos(), b.Pos()) })
		for _, m := range here {
			seen[m.Name.Name] = true
		}
		list = append(list, here...)
		if s := p.structs[name]; s != nil {
			for _, f := range s.fields {
				if len(f.Names) == 0 {
					name, _, _ := strings.Cut(text(f.Type), "[")
					visit(name)
				}
			}
		}
	}
	visit(name)
	return list
}
