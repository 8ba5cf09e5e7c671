package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A web knows where each variable of the program gets its value.
type web struct {
	*program
	givers map[types.Object][]ast.Node // what a variable or a function comes from
	looped map[types.Object]bool       // variables that get a value in a loop
	passed map[types.Object][]argument // what the parameters of the notebook's functions get
}

// An argument is passed to a parameter of a function.
type argument struct {
	value    ast.Expr
	to, from *ast.FuncDecl // from is nil for a value at the level of the package
}

// weave reads the whole program once.
func weave(p *program) *web {
	w := &web{p, map[types.Object][]ast.Node{}, map[types.Object]bool{}, map[types.Object][]argument{}}
	parameters := map[types.Object][]types.Object{} // of functions of the notebook
	functions := map[types.Object]*ast.FuncDecl{}
	for _, d := range p.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			f := p.info.Defs[d.Name]
			w.give(f, d)
			functions[f] = d
			for _, field := range d.Type.Params.List {
				for _, name := range field.Names {
					parameters[f] = append(parameters[f], p.info.Defs[name])
				}
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if v, isValue := spec.(*ast.ValueSpec); isValue {
					w.values(v)
				}
			}
		}
	}
	var above []ast.Node
	ast.Inspect(p.file, func(n ast.Node) bool {
		if n == nil {
			above = above[:len(above)-1]
			return true
		}
		above = append(above, n)
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				right := n.Rhs[0]
				if len(n.Rhs) == len(n.Lhs) {
					right = n.Rhs[i]
				}
				w.flow(above, p.root(left), right, left)
			}
		case *ast.IncDecStmt:
			w.flow(above, p.root(n.X), n)
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if e != nil {
					w.flow(above, p.root(e), n.X)
				}
			}
		case *ast.ValueSpec:
			w.values(n)
			for _, name := range n.Names {
				w.flow(above, p.info.Defs[name])
			}
		case *ast.CallExpr:
			w.changes(above, n)
			name, isName := n.Fun.(*ast.Ident)
			if !isName {
				break
			}
			f := p.info.Uses[name]
			for i, o := range parameters[f] {
				if i < len(n.Args) {
					caller, _ := above[min(1, len(above)-1)].(*ast.FuncDecl)
					w.passed[o] = append(w.passed[o], argument{n.Args[i], functions[f], caller})
				}
			}
		}
		return true
	})
	return w
}

func (w *web) give(o types.Object, n ...ast.Node) {
	if o != nil {
		w.givers[o] = append(w.givers[o], n...)
	}
}

func (w *web) values(v *ast.ValueSpec) {
	for i, name := range v.Names {
		switch {
		case len(v.Values) == len(v.Names):
			w.give(w.info.Defs[name], v.Values[i])
		case len(v.Values) > 0:
			w.give(w.info.Defs[name], v.Values[0])
		}
	}
}

// flow notes that a variable gets its value from nodes, under the conditions that stand above.
func (w *web) flow(above []ast.Node, o types.Object, from ...ast.Node) {
	if o == nil {
		return
	}
	w.give(o, from...)
	for _, n := range above {
		switch n := n.(type) {
		case *ast.IfStmt:
			w.give(o, n.Cond)
		case *ast.ForStmt:
			w.looped[o] = true
			for _, part := range []ast.Node{n.Init, n.Cond, n.Post} {
				if part != nil {
					w.give(o, part)
				}
			}
		case *ast.RangeStmt:
			w.looped[o] = true
			w.give(o, n.X)
		case *ast.SwitchStmt:
			if n.Tag != nil {
				w.give(o, n.Tag)
			}
		case *ast.CaseClause:
			for _, e := range n.List {
				w.give(o, e)
			}
		}
	}
}

// changes notes what a call may change.
func (w *web) changes(above []ast.Node, call *ast.CallExpr) {
	alone := false
	if len(above) > 1 {
		_, alone = above[len(above)-2].(*ast.ExprStmt)
	}
	arguments := call.Args
	if method, isMethod := call.Fun.(*ast.SelectorExpr); isMethod {
		arguments = append([]ast.Expr{method.X}, arguments...)
	}
	for _, a := range arguments {
		if address, isAddress := a.(*ast.UnaryExpr); alone || isAddress && address.Op == token.AND {
			if isAddress {
				a = address.X
			}
			w.flow(above, w.root(a), call)
		}
	}
}

// root is the variable in which an expression stands: v of v[i].f.
func (p *program) root(e ast.Expr) types.Object {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			if o := p.info.Defs[x]; o != nil {
				return o
			}
			o, _ := p.info.Uses[x].(*types.Var)
			if o == nil {
				return nil
			}
			return o
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// behind lists all that the two sides of a check are computed from.
func (w *web) behind(s *site) []ast.Node {
	var all, nodes []ast.Node
	for _, a := range s.args {
		nodes = append(nodes, a)
	}
	callers := map[*ast.FuncDecl]bool{} // functions that the check stands in, or is called from: only there are the arguments not yet known
	for _, d := range w.file.Decls {
		if f, isFunction := d.(*ast.FuncDecl); isFunction && f.Pos() <= s.whole.Pos() && s.whole.End() <= f.End() {
			callers[f] = true
		}
	}
	seen := map[ast.Node]bool{}
	objects := map[types.Object]bool{}
	for {
		if len(nodes) == 0 {
			for o := range objects {
				for _, a := range w.passed[o] {
					if callers[a.to] && !seen[a.value] {
						nodes = append(nodes, a.value)
						callers[a.from] = true
					}
				}
			}
			if len(nodes) == 0 {
				return all
			}
		}
		n := nodes[len(nodes)-1]
		nodes = nodes[:len(nodes)-1]
		if seen[n] {
			continue
		}
		seen[n] = true
		all = append(all, n)
		ast.Inspect(n, func(n ast.Node) bool {
			name, isName := n.(*ast.Ident)
			if !isName {
				return true
			}
			o := w.info.Uses[name]
			if o == nil {
				o = w.info.Defs[name]
			}
			if f, isFunction := o.(*types.Func); isFunction {
				o = f.Origin()
			}
			if o != nil && !objects[o] {
				objects[o] = true
				nodes = append(nodes, w.givers[o]...)
			}
			return true
		})
	}
}

// plain says that a check compares numbers written in the cell: nothing is asked of a library or of a function of the notebook, and nothing
// is repeated.
func (w *web) plain(behind []ast.Node) bool {
	simple := true
	for _, n := range behind {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl, *ast.FuncLit:
				simple = false
			case *ast.Ident:
				simple = simple && !w.looped[w.info.Uses[n]]
			case *ast.CallExpr:
				simple = simple && w.counted(n)
			}
			return simple
		})
	}
	return simple
}

// counted says that a call is a conversion, a builtin or a function of package math.
func (w *web) counted(call *ast.CallExpr) bool {
	if w.info.Types[call.Fun].IsType() {
		return true
	}
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		_, isBuiltin := w.info.Uses[f].(*types.Builtin)
		return isBuiltin
	case *ast.SelectorExpr:
		o := w.info.Uses[f.Sel]
		return o != nil && o.Pkg() != nil && o.Pkg().Path() == "math"
	}
	return false
}
