//go:build unix

package build

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
)

// judge tells which initialisers leave no trace but the values of their variables. An initialiser is pure if neither it nor a function of
// the cells that it may call
//
//   - gives a value to a variable of a cell, or to a part of something that it has not made itself;
//   - names a variable of a cell whose value is a state, such as a generator of random numbers, from which others draw too;
//   - calls what is not known to leave its arguments and the world as they are;
//   - starts a goroutine or uses a channel.
//
// What it prints does not count: nobody sees the output of another cell's initialiser.
type judge struct {
	info   *types.Info
	main   *types.Package
	named  map[types.Object][]*part
	bodies map[*part]*body
}

// body is what the code of a part does by itself.
type body struct {
	leaves bool // a trace
	calls  []*part
}

// pure reports whether the part can be left out if nothing names it.
func (j *judge) pure(x *part) bool {
	if d, ok := x.node.(*ast.GenDecl); ok && d.Tok != token.VAR {
		return true
	}
	switch x.node.(type) {
	case *ast.FuncDecl, *ast.TypeSpec:
		return true
	}
	seen := map[*part]bool{}
	var walk func(x *part) bool
	walk = func(x *part) bool {
		if seen[x] {
			return true
		}
		seen[x] = true
		b := j.bodies[x]
		if b == nil {
			b = j.examine(x)
			j.bodies[x] = b
		}
		return !b.leaves && !slices.ContainsFunc(b.calls, func(y *part) bool { return !walk(y) })
	}
	return walk(x)
}

// examine reads the code of a part.
func (j *judge) examine(x *part) *body {
	e := &examined{judge: j, body: &body{}, given: map[types.Object][]ast.Expr{}, parameters: map[types.Object]bool{}}
	e.gather(x.node)
	ast.Inspect(x.node, func(n ast.Node) bool {
		e.node(n)
		return !e.body.leaves
	})
	return e.body
}

// examined is code under examination.
type examined struct {
	*judge
	body       *body
	given      map[types.Object][]ast.Expr // what local variables, and parts of them, are given; nil for an unknown value
	parameters map[types.Object]bool
}

// gather notes what each local variable is given.
func (e *examined) gather(x ast.Node) {
	give := func(left, value ast.Expr) {
		if id := root(left); id != nil {
			if o := e.object(id); o != nil {
				e.given[o] = append(e.given[o], value)
			}
		}
	}
	each := func(left, values []ast.Expr) {
		for i, l := range left {
			switch {
			case len(values) == len(left):
				give(l, values[i])
			case len(values) == 1:
				give(l, values[0])
			}
		}
	}
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			each(n.Lhs, n.Rhs)
		case *ast.ValueSpec:
			var left []ast.Expr
			for _, id := range n.Names {
				left = append(left, id)
			}
			each(left, n.Values)
		case *ast.RangeStmt:
			for _, l := range []ast.Expr{n.Key, n.Value} {
				if l != nil {
					give(l, n.X)
				}
			}
		case *ast.FuncType:
			if n.Params != nil {
				for _, f := range n.Params.List {
					for _, id := range f.Names {
						e.parameters[e.info.Defs[id]] = true
					}
				}
			}
		case *ast.FuncDecl:
			if n.Recv != nil {
				for _, f := range n.Recv.List {
					for _, id := range f.Names {
						e.parameters[e.info.Defs[id]] = true
					}
				}
			}
		case *ast.TypeSwitchStmt:
			for _, c := range n.Body.List { // the variable is another one in each case
				if o := e.info.Implicits[c]; o != nil {
					e.parameters[o] = true
				}
			}
		}
		return true
	})
}

func (e *examined) object(id *ast.Ident) types.Object {
	if o := e.info.Defs[id]; o != nil {
		return o
	}
	return e.info.Uses[id]
}

// root is the variable of which the expression is a part, or nil.
func root(x ast.Expr) *ast.Ident {
	for {
		switch y := x.(type) {
		case *ast.Ident:
			return y
		case *ast.ParenExpr:
			x = y.X
		case *ast.StarExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		case *ast.SliceExpr:
			x = y.X
		case *ast.SelectorExpr:
			x = y.X
		case *ast.UnaryExpr:
			if y.Op != token.AND {
				return nil
			}
			x = y.X
		default:
			return nil
		}
	}
}

// node looks at one node.
func (e *examined) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.GoStmt, *ast.SendStmt, *ast.SelectStmt:
		e.body.leaves = true
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			e.body.leaves = true
		}
	case *ast.AssignStmt:
		for _, left := range n.Lhs {
			e.set(left)
		}
	case *ast.IncDecStmt:
		e.set(n.X)
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			e.set(n.Key)
			e.set(n.Value)
		}
	case *ast.CallExpr:
		e.call(n)
	case *ast.Ident:
		e.name(n)
	}
}

// set judges a variable, or a part of one, that is given a value.
func (e *examined) set(left ast.Expr) {
	if left == nil {
		return
	}
	id := root(left)
	if id == nil {
		e.body.leaves = true
		return
	}
	if id.Name == "_" {
		return
	}
	if !e.local(id) || e.shared(left) && !e.own(id) {
		e.body.leaves = true
	}
}

// local reports whether the variable belongs to a function.
func (e *examined) local(id *ast.Ident) bool {
	v, ok := e.object(id).(*types.Var)
	return ok && v.Pkg() == e.main && v.Parent() != e.main.Scope()
}

// shared reports whether what the expression denotes lies outside of the variable that it begins with: behind a pointer, in a slice or map.
func (e *examined) shared(x ast.Expr) bool {
	for {
		switch y := x.(type) {
		case *ast.ParenExpr:
			x = y.X
		case *ast.IndexExpr:
			if _, array := e.under(y.X).(*types.Array); !array {
				return true
			}
			x = y.X
		case *ast.SelectorExpr:
			if _, pointer := e.under(y.X).(*types.Pointer); pointer {
				return true
			}
			if s := e.info.Selections[y]; s != nil && s.Indirect() {
				return true
			}
			x = y.X
		case *ast.Ident:
			return false
		default:
			return true
		}
	}
}

// under is the underlying type of a value, or nil for what is none.
func (e *examined) under(x ast.Expr) types.Type {
	if t := e.info.TypeOf(x); t != nil {
		return t.Underlying()
	}
	return nil
}

// own reports whether all that the value holds was made in this code.
func (e *examined) own(x ast.Expr) bool {
	return e.made(x, map[types.Object]bool{})
}

// made reports whether the value was made in this code, with all that hangs on it, or has nothing that hangs on it.
func (e *examined) made(x ast.Expr, seen map[types.Object]bool) bool {
	if t := e.info.TypeOf(x); t != nil && !hangs(t, 0) {
		return true
	}
	switch x := x.(type) {
	case *ast.Ident:
		o := e.object(x)
		if o == nil || o == types.Universe.Lookup("nil") {
			return o != nil
		}
		if e.parameters[o] || !e.local(x) {
			return false
		}
		if seen[o] {
			return true
		}
		seen[o] = true
		return !slices.ContainsFunc(e.given[o], func(v ast.Expr) bool { return !e.made(v, seen) })
	case *ast.ParenExpr:
		return e.made(x.X, seen)
	case *ast.UnaryExpr:
		return x.Op == token.AND && e.made(x.X, seen)
	case *ast.StarExpr:
		return e.made(x.X, seen)
	case *ast.IndexExpr:
		return e.made(x.X, seen)
	case *ast.SliceExpr:
		return e.made(x.X, seen)
	case *ast.SelectorExpr:
		return e.made(x.X, seen)
	case *ast.FuncLit:
		return true // its body is examined with the rest
	case *ast.CompositeLit:
		for _, v := range x.Elts {
			if pair, ok := v.(*ast.KeyValueExpr); ok {
				v = pair.Value
			}
			if !e.made(v, seen) {
				return false
			}
		}
		return true
	case *ast.CallExpr:
		fun := ast.Unparen(x.Fun)
		if tv := e.info.Types[fun]; tv.IsType() {
			return e.made(x.Args[0], seen)
		}
		if o := e.callee(fun); o != nil {
			switch _, builtin := o.(*types.Builtin); {
			case builtin && (o.Name() == "make" || o.Name() == "new"):
				return true
			case builtin && o.Name() == "append":
				return !slices.ContainsFunc(x.Args, func(v ast.Expr) bool { return !e.made(v, seen) })
			case o.Pkg() != nil && makers[o.Pkg().Path()+"."+o.Name()]:
				return !slices.ContainsFunc(x.Args, func(v ast.Expr) bool { return !e.made(v, seen) })
			case o.Pkg() != nil && copiers[o.Pkg().Path()+"."+o.Name()]:
				return !slices.ContainsFunc(x.Args, func(v ast.Expr) bool { return !e.made(v, seen) && !flat(e.info.TypeOf(v)) })
			}
		}
	}
	return false
}

// makers are functions whose results hold nothing but what they are given and what is new.
var makers = setOf("math/rand/v2.New", "math/rand/v2.NewPCG", "math/rand/v2.NewChaCha8",
	matrix+".NewDense", matrix+".NewVecDense", matrix+".NewSymDense", matrix+".NewDiagDense", "strings.Fields", "strings.Split")

// copiers are functions that copy slices or maps. What hangs on the elements is not copied.
var copiers = setOf("slices.Clone", "slices.Concat", "slices.Repeat", "slices.Sorted", "maps.Clone")

// flat reports whether the type is a slice or map of what has nothing that hangs on it.
func flat(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Slice:
		return !hangs(t.Elem(), 0)
	case *types.Map:
		return !hangs(t.Elem(), 0)
	}
	return false
}

// hangs reports whether a value of the type can refer to something that can be changed.
func hangs(t types.Type, depth int) bool {
	const deep = 20 // no type that ends is nested like this
	if depth > deep {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Array:
		return hangs(u.Elem(), depth+1)
	case *types.Struct:
		for f := range u.Fields() {
			if hangs(f.Type(), depth+1) {
				return true
			}
		}
		return false
	case *types.Tuple:
		for v := range u.Variables() {
			if hangs(v.Type(), depth+1) {
				return true
			}
		}
		return false
	}
	return true
}

// name judges a name that the code uses.
func (e *examined) name(id *ast.Ident) {
	o := e.info.Uses[id]
	if o == nil || o.Pkg() == nil || o.Pkg() != e.main {
		if v, ok := o.(*types.Var); ok && o.Pkg() != nil && !v.IsField() && !ours(o.Pkg()) && state(v.Type(), nil) { // such as os.Stdout
			e.body.leaves = true
		}
		return
	}
	switch v := o.(type) {
	case *types.Var:
		if v.IsField() || v.Parent() != e.main.Scope() {
			return
		}
		if _, function := v.Type().Underlying().(*types.Signature); function {
			e.function(v)
		} else if state(v.Type(), nil) {
			e.body.leaves = true
		}
	case *types.Func:
		if v.Signature().Recv() == nil {
			e.body.calls = append(e.body.calls, e.named[o]...)
			return
		}
		for _, parts := range e.named { // a method; the variable may be an interface, so all of the name
			for _, x := range parts {
				if f, ok := x.node.(*ast.FuncDecl); ok && f.Recv != nil && f.Name.Name == v.Name() {
					e.body.calls = append(e.body.calls, x)
				}
			}
		}
	case *types.TypeName: // code that gets a value of the type may call its methods
		for _, x := range e.named[o] {
			if f, ok := x.node.(*ast.FuncDecl); ok && f.Recv != nil {
				e.body.calls = append(e.body.calls, x)
			}
		}
	}
}

// function judges a variable of a cell that is a function: its code must be known.
func (e *examined) function(v types.Object) {
	for _, x := range e.named[v] {
		spec, ok := x.node.(*ast.ValueSpec)
		if d, is := x.node.(*ast.GenDecl); is {
			spec, ok = d.Specs[0].(*ast.ValueSpec)
		}
		if !ok || slices.ContainsFunc(spec.Values, func(value ast.Expr) bool { _, literal := value.(*ast.FuncLit); return !literal }) {
			e.body.leaves = true
			return
		}
		e.body.calls = append(e.body.calls, x)
	}
}

// state reports whether a value of the type may be one that changes as it is used.
func state(t types.Type, seen []types.Type) bool {
	if slices.ContainsFunc(seen, func(s types.Type) bool { return types.Identical(s, t) }) {
		return false
	}
	seen = append(seen, t)
	if a, ok := types.Unalias(t).(*types.Named); ok {
		switch p := a.Obj().Pkg(); {
		case p == nil: // error
			return false
		case ours(p):
			return strings.HasSuffix(p.Path(), "/prl/cell") || changeable[strings.TrimPrefix(p.Path(), checkout.Module+"/")+"."+a.Obj().Name()]
		case p.Path() == matrix || p.Path() == "time" && a.Obj().Name() == "Duration":
			return false
		case p.Name() != "main":
			_, basic := a.Underlying().(*types.Basic)
			return !basic
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Pointer:
		return state(u.Elem(), seen)
	case *types.Slice:
		return state(u.Elem(), seen)
	case *types.Array:
		return state(u.Elem(), seen)
	case *types.Map:
		return state(u.Key(), seen) || state(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if state(f.Type(), seen) {
				return true
			}
		}
		return false
	}
	return true // a channel; a function or a value behind an interface of which nothing is known
}

// ours reports whether the package is the lab's, whose models, sets of data and figures are not changed by those who use them.
func ours(p *types.Package) bool {
	return p.Path() == checkout.Module || strings.HasPrefix(p.Path(), checkout.Module+"/")
}

// changeable are the lab's types with methods that change their receiver.
var changeable = setOf("prl/boost.Growth", "prl/boost.GrowthPart", "prl/estimate.Moments", "prl/jsontext.Writer",
	"prl/kernel.Rows", "prl/notebook.Cell", "prl/notebook.Notebook",
	"prl/online.AdaNormalHedge", "prl/online.Crowd", "prl/online.Exp3", "prl/online.Hedge", "prl/online.Leader",
	"prl/selection.Settings", "prl/sufficient.Classes", "prl/sufficient.Counts", "prl/sufficient.EMRound", "prl/sufficient.KMeansRound",
	"prl/sufficient.Moments", "prl/sufficient.Regression", "prl/sufficient.Transitions", "prl/svm.Trace", "plotting.Stage")

// callee is the function that is called, or nil for a function value.
func (e *examined) callee(fun ast.Expr) types.Object {
	switch f := fun.(type) {
	case *ast.Ident:
		return e.info.Uses[f]
	case *ast.SelectorExpr:
		return e.info.Uses[f.Sel]
	case *ast.IndexExpr:
		return e.callee(ast.Unparen(f.X))
	case *ast.IndexListExpr:
		return e.callee(ast.Unparen(f.X))
	}
	return nil
}

// harmless are packages whose functions and methods change neither their arguments nor anything else.
var harmless = map[string]bool{
	"math": true, "math/bits": true, "math/cmplx": true, "strings": true, "strconv": true, "unicode": true, "unicode/utf8": true,
	"errors": true,
	"cmp":    true, "regexp": true, "iter": true, "gonum.org/v1/gonum/stat/distuv": true, "gonum.org/v1/gonum/mathext": true,
}

// changing are functions and methods of packages that change what they are given first, or their receiver.
var changing = map[string]bool{"slices": true, "sort": true, "maps": true, "math/rand/v2": true, matrix: true}

// readers are those of them that do not.
var readers = setOf("slices.All", "slices.BinarySearch", "slices.BinarySearchFunc", "slices.Clone", "slices.Collect", "slices.Concat",
	"slices.Contains", "slices.ContainsFunc", "slices.Equal", "slices.EqualFunc", "slices.Index", "slices.IndexFunc", "slices.IsSorted",
	"slices.IsSortedFunc", "slices.Max", "slices.MaxFunc", "slices.Min", "slices.MinFunc", "slices.Repeat", "slices.Sorted",
	"slices.SortedFunc",
	"slices.Values", "slices.Backward", "slices.Chunk", "slices.Compare", "sort.SearchFloat64s", "sort.SearchInts", "sort.Search",
	"maps.All", "maps.Clone", "maps.Collect", "maps.Equal", "maps.Keys", "maps.Values",
	"math/rand/v2.New", "math/rand/v2.NewPCG", "math/rand/v2.NewChaCha8",
	matrix+".NewDense", matrix+".NewVecDense", matrix+".NewSymDense", matrix+".NewDiagDense", matrix+".At", matrix+".AtVec", matrix+".Dims",
	matrix+".Len", matrix+".T", matrix+".Dot", matrix+".Sum", matrix+".Norm", matrix+".Trace", matrix+".Det", matrix+".Inner",
	matrix+".Equal", matrix+".EqualApprox", matrix+".DenseCopyOf", matrix+".VecDenseCopyOf", matrix+".SymmetricDim", matrix+".Min",
	matrix+".Max",
	"gonum.org/v1/gonum/stat.Mean", "gonum.org/v1/gonum/stat.Variance", "gonum.org/v1/gonum/stat.StdDev",
	"gonum.org/v1/gonum/stat.MeanVariance",
	"gonum.org/v1/gonum/stat.MeanStdDev", "gonum.org/v1/gonum/stat.Covariance", "gonum.org/v1/gonum/stat.Correlation",
	"gonum.org/v1/gonum/floats.Sum", "gonum.org/v1/gonum/floats.Dot", "gonum.org/v1/gonum/floats.Norm", "gonum.org/v1/gonum/floats.Distance",
	"gonum.org/v1/gonum/floats.Max", "gonum.org/v1/gonum/floats.Min", "gonum.org/v1/gonum/floats.MaxIdx", "gonum.org/v1/gonum/floats.MinIdx",
	"gonum.org/v1/gonum/floats.LogSumExp", "time.Now", "time.Since", "context.Background")

func setOf(names ...string) map[string]bool {
	set := map[string]bool{}
	for _, name := range names {
		set[name] = true
	}
	return set
}

// effects are the names of the lab's functions and methods that show, count or write something, or fill a model.
var effects = setOf("Check", "Exercise", "Live", "Remark", "Remember", "Report", "Save", "Setup", "Show", "Solution", "UnmarshalBinary")

// call judges a call. The bodies of the cells' own functions are examined where they are named.
func (e *examined) call(c *ast.CallExpr) {
	fun := ast.Unparen(c.Fun)
	if e.info.Types[fun].IsType() {
		return
	}
	o := e.callee(fun)
	switch f := o.(type) {
	case *types.Builtin:
		switch f.Name() {
		case "append", "clear", "copy", "delete":
			if !e.own(c.Args[0]) {
				e.body.leaves = true
			}
		case "close", "print", "println":
			e.body.leaves = true
		}
	case *types.Func:
		p := f.Pkg()
		switch {
		case p == nil || p == e.main: // Error of an error
		case ours(p):
			e.body.leaves = e.body.leaves || effects[f.Name()] || strings.HasSuffix(p.Path(), "/prl/cell") && f.Name() != "Keep"
			if r := f.Signature().Recv(); r != nil && state(r.Type(), nil) && !types.IsInterface(r.Type()) {
				e.changes(c, fun)
			}
		case harmless[p.Path()] || readers[p.Path()+"."+f.Name()]:
			if r := f.Signature().Recv(); r != nil && p.Path() == "strings" { // a Builder or a Reader
				e.changes(c, fun)
			}
		case p.Path() == "fmt":
			e.body.leaves = e.body.leaves || strings.HasPrefix(f.Name(), "Fp") || strings.Contains(f.Name(), "can")
		case changing[p.Path()]:
			e.changes(c, fun)
		default:
			e.body.leaves = true
		}
	}
}

// changes judges a call that changes its receiver or first argument.
func (e *examined) changes(c *ast.CallExpr, fun ast.Expr) {
	var changed ast.Expr
	if s, ok := fun.(*ast.SelectorExpr); ok && e.info.Selections[s] != nil {
		changed = s.X
	} else if len(c.Args) > 0 {
		changed = c.Args[0]
	}
	if changed == nil {
		return
	}
	if id := root(changed); id != nil {
		v := e.object(id)
		if e.parameters[v] && generator(v.Type()) { // a caller with a generator that is a variable of a cell names it
			return
		}
		changed = id
	}
	if !e.own(changed) {
		e.body.leaves = true
	}
}

// generator reports whether the type is one of random numbers.
func generator(t types.Type) bool {
	return strings.TrimPrefix(t.String(), "*") == "math/rand/v2.Rand"
}
