//go:build unix || js

package assist

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// candidates are the ways to go on at the placeholder that begin with what is written, the best first. Certain is false if the program
// does not tell enough of the place.
func (s *Server) candidates(p *program, written string) (matches []Match, certain bool) {
	if len(p.path) < 2 {
		return nil, false
	}
	id, parent := p.path[len(p.path)-1].(*ast.Ident), p.path[len(p.path)-2]
	add := func(m Match) {
		if strings.HasPrefix(strings.ToLower(m.Text), strings.ToLower(written)) && !strings.HasPrefix(m.Text, "prl_") && m.Text != "_" &&
			m.Text != placeholder && !slices.ContainsFunc(matches, func(old Match) bool { return old.Text == m.Text }) {
			matches = append(matches, m)
		}
	}
	object := func(o types.Object) {
		if o.Exported() || o.Pkg() == nil || o.Pkg() == p.main {
			add(s.match(p, o))
		}
	}
	if e, is := parent.(*ast.SelectorExpr); is && e.Sel == id {
		if name, is := p.packageAt(e.X); is {
			for _, known := range name.Imported().Scope().Names() {
				object(name.Imported().Scope().Lookup(known))
			}
			return matches, true
		}
		t := p.info.Types[e.X].Type
		if t == nil || t == types.Typ[types.Invalid] {
			return nil, false
		}
		members(t, object)
		slices.SortStableFunc(matches, func(a, b Match) int {
			if by := rank(a) - rank(b); by != 0 {
				return by
			}
			return strings.Compare(strings.ToLower(a.Text), strings.ToLower(b.Text))
		})
		return matches, true
	}
	if p.info.Defs[id] != nil { // a new name
		return nil, true
	}
	p.fields(object)
	if len(matches) > 0 {
		return matches, true
	}
	p.visible(id, object)
	for _, word := range keywords {
		if written != "" {
			add(Match{Text: word, Type: "keyword"})
		}
	}
	if len(written) > 1 {
		var more []string
		for name := range s.named {
			more = append(more, name)
		}
		slices.Sort(more)
		for _, name := range more {
			add(Match{Text: name, Type: "module", Signature: strconv.Quote(s.named[name][0])})
		}
	}
	return matches, true
}

var keywords = strings.Fields("break case chan const continue default defer else fallthrough for func go goto if import interface map " +
	"range return select struct switch type var")

// packageAt is the package that a name before a dot stands for.
func (p *program) packageAt(e ast.Expr) (*types.PkgName, bool) {
	id, is := e.(*ast.Ident)
	if !is {
		return nil, false
	}
	name, is := p.info.Uses[id].(*types.PkgName)
	return name, is
}

// members are the methods of a type, of a pointer to it too, and its fields, also those of what is embedded.
func members(t types.Type, each func(types.Object)) {
	of := t
	if _, pointer := t.Underlying().(*types.Pointer); !pointer && !types.IsInterface(t) {
		of = types.NewPointer(t)
	}
	set := types.NewMethodSet(of)
	for i := range set.Len() {
		each(set.At(i).Obj())
	}
	level := []types.Type{t}
	for depth := 0; depth < 5 && len(level) > 0; depth++ { // a name hides those that lie deeper
		var next []types.Type
		for _, t := range level {
			if pointer, is := t.Underlying().(*types.Pointer); is {
				t = pointer.Elem()
			}
			if s, is := t.Underlying().(*types.Struct); is {
				for f := range s.Fields() {
					each(f)
					if f.Embedded() {
						next = append(next, f.Type())
					}
				}
			}
		}
		level = next
	}
}

// fields are those of the value whose fields are being named, T{Name: 1, Here}, that it does not name yet.
func (p *program) fields(each func(types.Object)) {
	at := len(p.path) - 2
	if pair, is := p.path[at].(*ast.KeyValueExpr); is && pair.Key == p.path[at+1] {
		at--
	}
	value, is := p.path[max(at, 0)].(*ast.CompositeLit)
	if !is || p.info.Types[value].Type == nil {
		return
	}
	t := p.info.Types[value].Type
	if pointer, is := t.Underlying().(*types.Pointer); is {
		t = pointer.Elem()
	}
	s, is := t.Underlying().(*types.Struct)
	if !is {
		return
	}
	there := map[string]bool{}
	for _, e := range value.Elts {
		if pair, is := e.(*ast.KeyValueExpr); is {
			if key, is := pair.Key.(*ast.Ident); is {
				there[key.Name] = true
			}
		}
	}
	for f := range s.Fields() {
		if !there[f.Name()] {
			each(f)
		}
	}
}

// visible are the names that are declared where a name stands, the nearest first.
func (p *program) visible(at *ast.Ident, each func(types.Object)) {
	inner := p.main.Scope().Innermost(at.Pos())
	for scope := inner; scope != nil; scope = scope.Parent() {
		for _, name := range scope.Names() {
			if _, found := inner.LookupParent(name, at.Pos()); found == scope.Lookup(name) && name != "main" && name != "init" {
				each(found)
			}
		}
	}
}

// match is an object as one way to go on.
func (s *Server) match(p *program, o types.Object) Match {
	m := Match{Text: o.Name(), Doc: firstLine(s.entry(o).words)}
	switch o := o.(type) {
	case *types.PkgName:
		m.Type, m.Signature = "module", strconv.Quote(o.Imported().Path())
	case *types.Builtin:
		m.Type = "function"
	case *types.Const:
		m.Type, m.Signature = "constant", p.typeOf(o)
	case *types.TypeName:
		m.Type, m.Signature = "class", ""
		switch o.Type().Underlying().(type) {
		case *types.Struct:
			m.Type, m.Signature = "struct", "struct{...}"
		case *types.Interface:
			m.Type, m.Signature = "interface", "interface{...}"
		}
	case *types.Func:
		m.Type, m.Signature = "function", strings.TrimPrefix(p.typeOf(o), "func")
		if o.Signature().Recv() != nil {
			m.Type = "method"
		}
	case *types.Var:
		m.Type, m.Signature = "variable", p.typeOf(o)
		if o.IsField() {
			m.Type = "field"
		}
	}
	return m
}

// qualify names a package as cells do.
func (p *program) qualify(of *types.Package) string {
	if of == p.main {
		return ""
	}
	return of.Name()
}

func (p *program) typeOf(o types.Object) string { return types.TypeString(o.Type(), p.qualify) }

// explain says in Markdown what the name in question is.
func (s *Server) explain(p *program) string {
	if len(p.path) == 0 {
		return ""
	}
	id := p.path[len(p.path)-1].(*ast.Ident)
	o := p.info.ObjectOf(id)
	if o == nil || o == types.Universe.Lookup("nil") {
		return ""
	}
	e := s.entry(o)
	head, methods, named := types.ObjectString(o, p.qualify), "", o.Name()
	switch o := o.(type) {
	case *types.PkgName:
		head = "package " + o.Imported().Name()
	case *types.Builtin:
		head = cmp.Or(e.declared, head)
	case *types.Const:
		head += " = " + o.Val().String()
	case *types.TypeName:
		if e.declared != "" {
			whole, _, _ := strings.Cut(head, o.Name())
			head = whole + strings.TrimPrefix(e.declared, "type ")
		}
		methods = p.methods(o.Type())
	case *types.Func:
		if r := o.Signature().Recv(); r != nil {
			head, named = p.method(o), typeName(r.Type())+"."+o.Name()
		}
	}
	text := "```go\n" + head + "\n```"
	if words := markdown(e.words); words != "" {
		text += "\n\n---\n\n" + formulas(words)
	}
	if methods != "" {
		text += "\n\n```go\n" + methods + "```"
	}
	if o.Pkg() != nil && o.Pkg() != p.main {
		text += example(s.packages[o.Pkg().Path()].dir, named)
	}
	return text
}

// typeName is the name of a type or of what it points to.
func typeName(t types.Type) string {
	if pointer, is := t.(*types.Pointer); is {
		t = pointer.Elem()
	}
	if named, is := t.(*types.Named); is {
		return named.Obj().Name()
	}
	return ""
}

// method is the declaration of a method.
func (p *program) method(f *types.Func) string {
	r := f.Signature().Recv()
	name := ""
	if r.Name() != "" && r.Name() != "_" {
		name = r.Name() + " "
	}
	return fmt.Sprintf("func (%s%s) %s%s", name, types.TypeString(r.Type(), p.qualify), f.Name(), strings.TrimPrefix(p.typeOf(f), "func"))
}

// methods are the exported methods of a type, one a line.
func (p *program) methods(t types.Type) string {
	if types.IsInterface(t) {
		return ""
	}
	var b strings.Builder
	set := types.NewMethodSet(types.NewPointer(t))
	for i := range set.Len() {
		if f, is := set.At(i).Obj().(*types.Func); is && token.IsExported(f.Name()) {
			b.WriteString(p.method(f) + "\n")
		}
	}
	return b.String()
}
