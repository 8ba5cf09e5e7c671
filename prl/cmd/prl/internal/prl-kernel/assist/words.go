//go:build unix || js

package assist

import (
	"bytes"
	"go/ast"
	"go/doc/comment"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"strings"
)

// place is where a name is declared. The archives of packages tell file and line.
type place struct {
	file string // without its folder
	line int
	name string
}

// entry is what the source says of a name.
type entry struct {
	words    string // the documentation, as it stands in the comment
	declared string // of a type or a builtin: its declaration, without fields that are not exported
}

// entry finds an object in the source of its package.
func (s *Server) entry(o types.Object) entry {
	switch o := o.(type) {
	case *types.PkgName:
		return s.source(s.packages[o.Imported().Path()].dir)[place{}]
	case *types.Var:
		if o.Origin() != o {
			return s.entry(o.Origin())
		}
	case *types.Func:
		if o.Origin() != o {
			return s.entry(o.Origin())
		}
	}
	if o.Pkg() == nil { // of the language, or the method of error
		for at, e := range s.source(s.packages["builtin"].dir) {
			if at.name == o.Name() {
				return e
			}
		}
		return entry{}
	}
	at := s.files.Position(o.Pos())
	return s.source(s.packages[o.Pkg().Path()].dir)[place{filepath.Base(at.Filename), at.Line, o.Name()}]
}

// source reads what the files in the folder of a package say; what the package itself is stands under no place.
func (s *Server) source(folder string) map[place]entry {
	if known, is := s.words[folder]; is {
		return known
	}
	all := map[place]entry{}
	s.words[folder] = all
	if folder == "" {
		return all
	}
	paths, _ := filepath.Glob(filepath.Join(folder, "*.go"))
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		read(files, file, func(name *ast.Ident, e entry) {
			if name == nil { // several files may speak of the package
				if before := all[place{}].words; strings.HasPrefix(e.words, "Package ") {
					e.words += "\n" + before
				} else {
					e.words = before + "\n" + e.words
				}
				all[place{}] = e
				return
			}
			all[place{filepath.Base(path), files.Position(name.Pos()).Line, name.Name}] = e
		})
	}
	return all
}

// read tells the entries of a file; that of the package has no name.
func read(files *token.FileSet, file *ast.File, each func(*ast.Ident, entry)) {
	if file.Doc != nil {
		each(nil, entry{words: file.Doc.Text()})
	}
	within := func(list *ast.FieldList) {
		if list == nil {
			return
		}
		for _, f := range list.List {
			for _, name := range f.Names {
				each(name, entry{words: said(f.Doc, f.Comment)})
			}
		}
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			e := entry{words: said(d.Doc)}
			if file.Name.Name == "builtin" {
				e.declared = printed(files, &ast.FuncDecl{Name: d.Name, Type: d.Type})
			}
			each(d.Name, e)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						each(name, entry{words: said(spec.Doc, d.Doc, spec.Comment)})
					}
				case *ast.TypeSpec:
					switch t := spec.Type.(type) {
					case *ast.StructType:
						within(t.Fields)
					case *ast.InterfaceType:
						within(t.Methods)
					}
					e := entry{words: said(spec.Doc, d.Doc, spec.Comment)}
					spec.Doc, spec.Comment = nil, nil
					alone := &ast.GenDecl{Tok: token.TYPE, Specs: []ast.Spec{spec}}
					ast.FileExports(&ast.File{Name: file.Name, Decls: []ast.Decl{alone}})
					e.declared = printed(files, alone)
					each(spec.Name, e)
				}
			}
		}
	}
}

// said is the first comment that there is.
func said(comments ...*ast.CommentGroup) string {
	for _, c := range comments {
		if text := c.Text(); text != "" {
			return text
		}
	}
	return ""
}

func printed(files *token.FileSet, d ast.Decl) string {
	var b bytes.Buffer
	if format.Node(&b, files, d) != nil {
		return ""
	}
	return b.String()
}

// markdown sets a documentation. There are no pages behind its links.
func markdown(words string) string {
	read := comment.Parser{
		LookupPackage: func(name string) (string, bool) { return name, true },
		LookupSym:     func(string, string) bool { return true },
	}
	print := comment.Printer{
		HeadingLevel: 3,
		HeadingID:    func(*comment.Heading) string { return "" },
		DocLinkURL:   func(*comment.DocLink) string { return "" },
	}
	text := string(print.Markdown(read.Parse(words)))
	return strings.TrimSpace(links.ReplaceAllString(index.ReplaceAllString(text, "${1}_"), "$1"))
}

// index is the escaped sign of an index, which is no emphasis inside a word.
var index = regexp.MustCompile(`(\w)\\_`)

// firstLine is the first paragraph of a documentation.
func firstLine(words string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(words), "\n\n")
	return strings.ReplaceAll(strings.NewReplacer("[", "", "]", "").Replace(first), "\n", " ")
}
