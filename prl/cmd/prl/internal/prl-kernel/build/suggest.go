//go:build unix

package build

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/prlab/prlab/prl/cell"
)

var (
	noMember = regexp.MustCompile(`undefined \(type (.+?) has no field or method ([\pL\d_]+)`)
	noName   = regexp.MustCompile(`^undefined: ((?:[\pL\d_]+\.)?)([\pL\d_]+)`)
)

// suggest adds the nearest names to messages about a name that there is not. For the members of a type it reads the packages' export data,
// which the import configuration of an earlier build names.
func (b *builder) suggest(list []Message) {
	if b.source.file == nil {
		return
	}
	var info *types.Info
	var main *types.Package
	check := func() bool {
		if info == nil {
			info, main = b.check()
		}
		return main != nil
	}
	for i := range list {
		m := &list[i]
		if match := noMember.FindStringSubmatch(m.Text); match != nil {
			m.Of, m.Missing = match[1], match[2]
			if check() {
				if t := b.receiver(info, *m); t != nil {
					m.Near = nearest(m.Missing, members(t))
				}
			}
			continue
		}
		match := noName.FindStringSubmatch(m.Text)
		if match == nil {
			continue
		}
		m.Missing, m.Of = match[2], strings.TrimSuffix(match[1], ".")
		if m.Of == "" {
			if m.Near = nearest(m.Missing, b.declared()); len(m.Near) == 0 && check() {
				m.Near = inPackage(m.Missing, main)
			}
			continue
		}
		if check() {
			for _, spec := range b.source.file.Imports {
				path, _ := strconv.Unquote(spec.Path.Value)
				for _, p := range main.Imports() {
					if p.Path() == path && (p.Name() == m.Of || spec.Name != nil && spec.Name.Name == m.Of) {
						m.Near = nearest(m.Missing, exported(p.Scope().Names()))
					}
				}
			}
		}
	}
}

// inPackage is a name of an imported package that is written without the package: prl.Ridge for Ridge.
func inPackage(name string, main *types.Package) []string {
	for _, p := range main.Imports() {
		for _, known := range exported(p.Scope().Names()) {
			if strings.EqualFold(known, name) {
				return []string{p.Name() + "." + known}
			}
		}
	}
	return nil
}

// declared are the names that the cells have declared.
func (b *builder) declared() (names []string) {
	for _, d := range b.source.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name != "main" {
				names = append(names, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.ValueSpec:
					for _, n := range s.Names {
						names = append(names, n.Name)
					}
				case *ast.TypeSpec:
					names = append(names, s.Name.Name)
				case *ast.ImportSpec:
					if path, err := strconv.Unquote(s.Path.Value); err == nil && s.Name == nil {
						names = append(names, filepath.Base(path))
					}
				}
			}
		}
	}
	return names
}

// check finds the types of the program, as far as it is right.
func (b *builder) check() (*types.Info, *types.Package) {
	archives := b.known.archives()
	if !b.known.has(b.source.imports) {
		archives = map[string]string{}
		out, err := b.command(b.program, append([]string{"list", "-export", "-deps", "-f", "{{if .Export}}{{.ImportPath}}={{.Export}}{{end}}"},
			b.source.imports...)...).Output()
		if err != nil {
			return nil, nil
		}
		for line := range strings.Lines(string(out)) {
			if name, path, found := strings.Cut(strings.TrimSpace(line), "="); found {
				archives[name] = path
			}
		}
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	main := b.source.types(archives, info, func(error) {})
	return info, main
}

// receiver is the type of x in x.name, where the message is about name.
func (b *builder) receiver(info *types.Info, m Message) types.Type {
	var t types.Type
	ast.Inspect(b.source.file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == m.Missing && b.at(s, m.Line) {
			if tv, found := info.Types[s.X]; found && tv.Type != nil {
				t = tv.Type
			}
		}
		return true
	})
	return t
}

func (b *builder) at(s *ast.SelectorExpr, line int) bool {
	from, to := b.source.files.Position(s.Pos()), b.source.files.Position(s.Sel.Pos())
	return from.Line <= line && line <= to.Line
}

// members are the exported fields and methods of a type, and of a pointer to it.
func members(t types.Type) (names []string) {
	if _, pointer := t.Underlying().(*types.Pointer); !pointer && !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	set := types.NewMethodSet(t)
	for i := range set.Len() {
		names = append(names, set.At(i).Obj().Name())
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if s, ok := t.Underlying().(*types.Struct); ok {
		for i := range s.NumFields() {
			names = append(names, s.Field(i).Name())
		}
	}
	return exported(names)
}

func exported(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !token.IsExported(name) })
}

// nearest are up to three names that are close to the one that there is not, the nearest first. One that differs in capitals only is meant;
// so are those that only go on for a letter or two, as KMeans does for KMean.
func nearest(name string, known []string) (near []string) {
	if i := slices.IndexFunc(known, func(k string) bool { return strings.EqualFold(k, name) }); i >= 0 {
		return []string{known[i]}
	}
	for _, k := range known {
		if more := len(k) - len(name); len(name) > 2 && more > 0 && more <= 2 && strings.EqualFold(k[:len(name)], name) && len(near) < 3 {
			near = append(near, k)
		}
	}
	if len(near) > 0 {
		return near
	}
	known = slices.Clone(known)
	for len(near) < 3 {
		said := cell.Suggest(name, known)
		if said == "" {
			return near
		}
		at := slices.IndexFunc(known, func(k string) bool { return strings.Contains(said, strconv.Quote(k)) })
		if at < 0 {
			return near
		}
		near = append(near, known[at])
		known = slices.Delete(known, at, at+1)
	}
	return near
}
