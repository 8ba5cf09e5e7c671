package mutate

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
)

// ours says that a package is a part of the lab, or of Gonum, whose results can be mistaken.
func ours(p *types.Package) bool {
	if p == nil {
		return false
	}
	path := p.Path()
	switch {
	case strings.HasPrefix(path, checkout.Module+"/plotting"), strings.HasPrefix(path, checkout.Module+"/datasets"):
		return false
	case path == checkout.Module+"/prl/cell", path == checkout.Module+"/prl/live":
		return false
	}
	return strings.HasPrefix(path, checkout.Module+"/") || strings.HasPrefix(path, "gonum.org/")
}

// helpers of package prl compute nothing that could be mistaken.
var helpers = []string{"Must", "Map", "Range", "LinSpace", "Keep", "Check", "Remark", "Exercise", "Solution", "Seals", "Slide", "Table"}

// mutable says that a result of this type can be made wrong.
func mutable(t types.Type, deep int) bool {
	if deep > 4 {
		return false
	}
	if n, isNamed := types.Unalias(t).(*types.Named); isNamed && n.Obj().Pkg() != nil {
		path := n.Obj().Pkg().Path()
		if strings.HasPrefix(path, checkout.Module+"/datasets") || strings.HasPrefix(path, checkout.Module+"/plotting") {
			return false
		}
		if path == "gonum.org/v1/gonum/mat" && types.IsInterface(t) {
			return n.Obj().Name() == "Matrix"
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return isNumber(t) || isBool(t)
	case *types.Slice:
		return mutable(u.Elem(), deep+1)
	case *types.Pointer:
		s := u.Elem().String()
		return s == "gonum.org/v1/gonum/mat.Dense" || s == "gonum.org/v1/gonum/mat.VecDense" || s == "gonum.org/v1/gonum/mat.SymDense"
	case *types.Struct:
		if deep < 2 {
			for f := range u.Fields() {
				if f.Exported() && mutable(f.Type(), deep+2) {
					return true
				}
			}
		}
	}
	return false
}

// result plants mistakes into what a library gives, the same for all places that ask the same function.
func (w walker) result(e ast.Expr, key string, before, after string) {
	first, known := w.results[key]
	if !known {
		i := w.add(library, e, key+" gives one part in a thousand more", key+" gives the other sign", key+" gives another order")
		first = mutant{number: i}
		w.results[key] = first
	} else {
		for _, m := range w.mutants[first.number-1 : first.number+2] {
			m.at = append(m.at, span{e.Pos(), e.End()})
		}
	}
	w.wrap(e, fmt.Sprintf(before, first.number), after)
}

func (w walker) selector(e *ast.SelectorExpr) {
	if s := w.info.Selections[e]; s != nil && s.Kind() == types.FieldVal {
		_, isArray := s.Type().Underlying().(*types.Array)
		_, isStruct := s.Type().Underlying().(*types.Struct)
		if ours(s.Obj().Pkg()) && !isArray && !isStruct && mutable(s.Type(), 0) {
			w.result(e, fmt.Sprintf("%s.%s", types.TypeString(s.Recv(), (*types.Package).Name), s.Obj().Name()), "mutResult(%d, ", ")")
		}
		w.expr(e.X)
		return
	}
	if w.info.Selections[e] != nil { // a method
		w.expr(e.X)
	}
}

// must plants the mistake of a function in what prl.Must makes of it.
func (w walker) must(e *ast.CallExpr) {
	inner, isCall := e.Args[0].(*ast.CallExpr)
	if !isCall || !mutable(w.info.TypeOf(e), 0) {
		return
	}
	if f := w.called(inner); f != nil && ours(f.Pkg()) {
		w.skip[inner] = true
		w.result(e, functionName(f), "mutResult(%d, ", ")")
	}
}

func functionName(f *types.Func) string {
	name := f.FullName()
	return strings.NewReplacer(checkout.Module+"/prl/", "", checkout.Module+"/", "", "gonum.org/v1/gonum/", "").Replace(name)
}

// firstOf plants mistakes in the first of one to three results.
func (w walker) firstOf(e *ast.CallExpr, f *types.Func) {
	if w.skip[e] {
		return
	}
	t := w.info.TypeOf(e)
	tuple, several := t.(*types.Tuple)
	if !several {
		if mutable(t, 0) {
			w.result(e, functionName(f), "mutResult(%d, ", ")")
		}
		return
	}
	if tuple.Len() < 2 || tuple.Len() > 3 || !mutable(tuple.At(0).Type(), 0) {
		return
	}
	var kinds []string
	for v := range tuple.Variables() {
		kinds = append(kinds, w.name(v.Type()))
	}
	if slices.Contains(kinds, "") {
		return
	}
	w.result(e, functionName(f), fmt.Sprintf("mutResult%d[%s](%%d)(", tuple.Len(), strings.Join(kinds, ", ")), ")")
}
