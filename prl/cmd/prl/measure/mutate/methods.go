package mutate

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"slices"
	"strings"
)

//go:embed rivals.txt
var rivalsText string

// rivals are the texts of the nearest rivals by the name of a function, and heldOut the pairs of names that rivals.txt lists.
var rivals, heldOut = func() (map[string][]string, [][2]string) {
	texts, pairs := map[string][]string{}, [][2]string(nil)
	for line := range strings.Lines(rivalsText) {
		words := strings.Fields(line)
		switch {
		case len(words) < 2 || words[0] == "#":
		case words[0] == "held":
			pairs = append(pairs, [2]string{words[1], words[2]})
		default:
			texts[words[0]] = append(texts[words[0]], strings.Join(words[1:], " "))
		}
	}
	return texts, pairs
}()

// A rival stands in the place of a chain of calls.
type rival struct{ text, change string }

// plant gives a mistake in a method its number, the same for all places of a cell.
func (w walker) plant(e ast.Expr, changes ...string) int {
	cell, _ := w.place(e.Pos())
	key := cell + "\n" + strings.Join(changes, "\n")
	first, known := w.numbers[key]
	if !known {
		first = w.add(method, e, changes...)
		w.numbers[key] = first
		return first
	}
	for _, m := range w.mutants[first-1 : first-1+len(changes)] {
		m.at = append(m.at, span{e.Pos(), e.End()})
	}
	return first
}

// methods plants other methods, and other data for a method, in a call of f.
func (w walker) methods(e *ast.CallExpr, f *types.Func) {
	w.chain(e)
	if r, has := w.rivals[e]; has {
		w.instead(w.plant(e, r.change), e, r.text)
	}
	if f == nil || f.Pkg() == nil {
		return
	}
	if results := f.Signature().Results(); results.Len() == 2 && isOf(results.At(0).Type(), "datasets", "Set") &&
		types.Identical(results.At(0).Type(), results.At(1).Type()) {
		i := w.plant(e, w.text(e)+": training and held-out rows exchanged", w.text(e)+": the training rows held out")
		w.wrap(e, fmt.Sprintf("mutHeld(%d)(", i), ")")
	}
	own := f.Pkg() == w.pkg
	if own || strings.HasPrefix(f.Name(), "Fit") {
		w.halve(e, f)
	}
	if name, isName := e.Fun.(*ast.Ident); isName && own && f.Signature().TypeParams() == nil {
		if g := w.nearest(f); g != nil && w.pkg.Scope().Innermost(e.Pos()) != nil {
			if _, o := w.pkg.Scope().Innermost(e.Pos()).LookupParent(g.Name(), e.Pos()); o == g {
				w.wrap(name, fmt.Sprintf("mutPick(%d, ", w.plant(name, f.Name()+" → "+g.Name())), ", "+g.Name()+")")
			}
		}
	}
}

// chain looks for rivals of the calls in a chain: the rival takes the place of the shortest piece whose type it has.
func (w walker) chain(e *ast.CallExpr) {
	if _, looked := w.chained[e]; looked {
		return
	}
	var calls []*ast.CallExpr
	for n := e; n != nil; {
		w.chained[n] = true
		calls = append(calls, n)
		step, _ := n.Fun.(*ast.SelectorExpr)
		n = nil
		if step != nil {
			n, _ = step.X.(*ast.CallExpr)
		}
	}
	for k, first := range slices.Backward(calls) {
		f := w.called(first)
		if f == nil || f.Pkg() == nil {
			continue
		}
		for _, text := range rivals[functionName(f)] {
			if len(first.Args) > 0 {
				text = strings.ReplaceAll(text, "$", w.between(first.Args[0].Pos(), first.Args[len(first.Args)-1].End()))
			} else {
				text = strings.ReplaceAll(text, "$", "")
			}
			change := f.Name() + " → " + text
			if f.Signature().Recv() != nil {
				text = w.between(first.Pos(), first.Fun.(*ast.SelectorExpr).X.End()) + "." + text
			}
			t := w.typeOf(text, first)
			for up := k; t != nil; up-- {
				if types.Identical(t, w.info.TypeOf(calls[up])) {
					if _, taken := w.rivals[calls[up]]; !taken {
						w.rivals[calls[up]] = rival{text, change}
					}
					break
				}
				if up == 0 {
					break
				}
				step := w.between(calls[up].End(), calls[up-1].End())
				if longer := w.typeOf(text+step, first); longer != nil {
					text, t = text+step, longer
				}
			}
		}
	}
}

// typeOf is the type of a text in the place of an expression, nil if it is no expression there.
func (w walker) typeOf(text string, at ast.Expr) types.Type {
	e, err := parser.ParseExpr(text)
	if err != nil {
		return nil
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	if types.CheckExpr(w.fset, w.pkg, at.Pos(), e, info) != nil {
		return nil
	}
	if t := info.TypeOf(e); !isTuple(t) {
		return t
	}
	return nil
}

func isTuple(t types.Type) bool { _, is := t.(*types.Tuple); return is || t == nil }

// halve has a method see every second row.
func (w walker) halve(e *ast.CallExpr, f *types.Func) {
	var rows []ast.Expr
	for _, a := range e.Args {
		switch t := w.info.TypeOf(a); {
		case isOf(t, "datasets", "Set"):
			rows = append(rows, a)
		case f.Pkg() != w.pkg:
			_, isSlice := t.Underlying().(*types.Slice)
			if s := types.TypeString(t, nil); isSlice || s == "*gonum.org/v1/gonum/mat.Dense" || s == "gonum.org/v1/gonum/mat.Matrix" {
				rows = append(rows, a)
			}
		}
	}
	if len(rows) == 0 || e.Ellipsis.IsValid() {
		return
	}
	i := w.plant(e, w.text(e.Fun)+" with half of the rows")
	for _, a := range rows {
		w.wrap(a, fmt.Sprintf("mutHalf(%d, ", i), ")")
	}
}

// nearest is the function of the notebook that stands nearest to f of those that take and give the same, nil if there is none. It neither
// calls f nor needs a variable of the notebook that f does not need, which may have to wait for f.
func (w walker) nearest(f *types.Func) (g *types.Func) {
	least := 0
	mine := w.reached(f)
	for _, d := range w.file.Decls {
		decl, isFunction := d.(*ast.FuncDecl)
		if !isFunction || decl.Recv != nil {
			continue
		}
		o := w.info.Defs[decl.Name].(*types.Func)
		far := max(int(o.Pos()-f.Pos()), int(f.Pos()-o.Pos()))
		if o == f || o.Signature().Params().Len()*o.Signature().Results().Len() == 0 || !types.Identical(o.Signature(), f.Signature()) ||
			g != nil && far >= least {
			continue
		}
		fits := w.in == nil || w.info.Defs[w.in.Name] != o
		for r := range w.reached(o) {
			_, isVariable := r.(*types.Var)
			fits = fits && r != f && (!isVariable || mine[r]) && (w.in == nil || r != w.info.Defs[w.in.Name])
		}
		if fits {
			g, least = o, far
		}
	}
	return g
}

// heldOut puts the rows of a training into the place of those that are held out, and the other way round.
func (w walker) heldOut(e *ast.Ident) {
	v, isVariable := w.info.Uses[e].(*types.Var)
	if !isVariable {
		return
	}
	if _, isSlice := v.Type().Underlying().(*types.Slice); !isSlice && !isOf(v.Type(), "datasets", "Set") && !isPointer(v.Type()) {
		return
	}
	scope := w.pkg.Scope().Innermost(e.Pos())
	for _, pair := range heldOut {
		if scope == nil || !strings.Contains(e.Name, pair[0]) {
			continue
		}
		_, o := scope.LookupParent(strings.Replace(e.Name, pair[0], pair[1], 1), e.Pos())
		other, isVariable := o.(*types.Var)
		if !isVariable || !types.Identical(other.Type(), v.Type()) {
			continue
		}
		if other.Parent() == w.pkg.Scope() && (w.in == nil || w.reached(other)[w.info.Defs[w.in.Name]]) {
			continue // it may have to wait for this one
		}
		w.wrap(e, fmt.Sprintf("mutPick(%d, ", w.plant(e, e.Name+" → "+other.Name())), ", "+other.Name()+")")
		return
	}
}

func isPointer(t types.Type) bool { _, is := t.Underlying().(*types.Pointer); return is }

// otherConstant plants the constants that a constant of an own type may be taken for, such as the impurity of Gini for the entropy.
func (w walker) otherConstant(e ast.Expr, tv types.TypeAndValue) bool {
	name, _ := e.(*ast.Ident)
	if s, isSelector := e.(*ast.SelectorExpr); isSelector {
		name = s.Sel
	}
	n, isNamed := types.Unalias(tv.Type).(*types.Named)
	if name == nil || !isNamed || n.Obj().Pkg() == nil || n.Obj().Pkg() != w.pkg && !ours(n.Obj().Pkg()) {
		return false
	}
	c, isConstant := w.info.Uses[name].(*types.Const)
	if !isConstant {
		return false
	}
	var others []string
	for _, s := range c.Pkg().Scope().Names() {
		o, isConstant := c.Pkg().Scope().Lookup(s).(*types.Const)
		if isConstant && types.Identical(o.Type(), tv.Type) && o.Val().ExactString() != c.Val().ExactString() &&
			(o.Exported() || c.Pkg() == w.pkg) {
			others = append(others, s)
		}
	}
	text := w.between(e.Pos(), e.End())
	for _, o := range others[:min(2, len(others))] {
		i := w.plant(e, c.Name()+" → "+o)
		w.wrap(e, fmt.Sprintf("mutPick(%d, ", i), fmt.Sprintf(", %s%s)", strings.TrimSuffix(text, c.Name()), o))
	}
	return len(others) > 0
}

// reached are the functions and variables of the notebook that an object of it needs.
func (s *survey) reached(o types.Object) map[types.Object]bool {
	if known := s.needs[o]; known != nil {
		return known
	}
	all := map[types.Object]bool{}
	s.needs[o] = all
	todo := slices.Clone(s.web.givers[o])
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		ast.Inspect(n, func(n ast.Node) bool {
			if name, isName := n.(*ast.Ident); isName {
				if used := s.info.Uses[name]; used != nil && used.Parent() == s.pkg.Scope() && !all[used] {
					all[used] = true
					todo = append(todo, s.web.givers[used]...)
				}
			}
			return true
		})
	}
	return all
}
