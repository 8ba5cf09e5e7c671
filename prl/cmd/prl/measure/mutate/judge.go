package mutate

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
)

// A site is a place at which a check is made.
type site struct {
	whole  *ast.CallExpr // prl.Check(id, claim).Near(...)
	method string        // that judges
	args   []ast.Expr    // that are compared
}

// judges says that a method ends a check.
func (w walker) judges(f *types.Func) bool {
	receiver := f.Signature().Recv()
	return receiver != nil && f.Signature().Results().Len() == 0 &&
		types.TypeString(receiver.Type(), (*types.Package).Path) == "*"+checkout.Module+"/prl/cell.Checker"
}

// A judge is how a method compares its arguments.
type judge struct {
	compared []int // arguments; the others are tolerances, and words
	given    int   // the argument that a mistake is planted in, -1 for none
}

var judges = map[string]judge{
	"Near": {[]int{0, 1}, 0}, "Rel": {[]int{0, 1}, 0}, "Within": {[]int{0, 1}, 0}, "AtMost": {[]int{0, 1}, 0}, "AtLeast": {[]int{0, 1}, 0},
	"Less": {
		[]int{0, 1},
		0,
	}, "Between": {[]int{0, 1, 2}, 0}, "Equal": {[]int{0, 1}, 0}, "Increasing": {[]int{0}, 0}, "Decreasing": {[]int{0}, 0},
	"Monotone": {[]int{0}, 0}, "True": {[]int{0}, -1}, "Draws": {[]int{1}, -1}, "Over": {[]int{0, 1}, -1}, "Subsets": {[]int{1}, -1},
	"Bounded": {
		[]int{2},
		-1,
	}, "Tight": {[]int{0, 1}, 0}, "Convex": {[]int{0, 1}, 1}, "Concave": {[]int{0, 1}, 1}, "UpToSign": {[]int{0, 1}, 0},
	"UpToOrder": {[]int{0, 1}, 0}, "Rate": {[]int{0, 1}, 1},
}

// check looks at prl.Check(id, claim).Near(got, want, tol) and its like.
func (w walker) check(e *ast.CallExpr, method string) {
	s := &site{whole: e, method: method}
	known, ok := judges[method]
	if !ok {
		known.given = -1
		for i := range e.Args {
			known.compared = append(known.compared, i)
		}
	}
	w.sites = append(w.sites, s)
	for n := ast.Expr(e); ; { // down the chain to prl.Check
		call, isCall := n.(*ast.CallExpr)
		if !isCall {
			break
		}
		if w.makesCheck(call) {
			w.wrap(call, fmt.Sprintf("mutCheck(%d, ", len(w.sites)-1), ")")
			break
		}
		method, isMethod := call.Fun.(*ast.SelectorExpr)
		if !isMethod {
			break
		}
		n = method.X
	}
	for _, i := range known.compared {
		if i >= len(e.Args) {
			continue
		}
		a := e.Args[i]
		s.args = append(s.args, a)
		if t := w.info.TypeOf(a); i == known.given && w.info.Types[a].Value == nil && mutable(t, 0) {
			w.given(a)
		}
		if literal, isLiteral := a.(*ast.FuncLit); isLiteral {
			w.sides(literal)
		}
		inner := w
		inner.claim = true
		inner.expr(a)
	}
}

// given plants a mistake in what a check is given.
func (w walker) given(e ast.Expr) {
	i := w.add(planted, e, w.text(e)+" one part in a thousand more", w.text(e)+" with the other sign", w.text(e)+" in another order")
	w.wrap(e, fmt.Sprintf("mutResult(%d, ", i), ")")
}

// sides plants a mistake in the first of the two sides that a closure returns.
func (w walker) sides(f *ast.FuncLit) {
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) == 2 && w.info.Types[n.Results[0]].Value == nil && mutable(w.info.TypeOf(n.Results[0]), 0) {
				w.given(n.Results[0])
			}
		}
		return true
	})
}
