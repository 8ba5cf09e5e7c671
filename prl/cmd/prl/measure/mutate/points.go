package mutate

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
)

// A kind says what a mistake stands for.
type kind int

const (
	work    kind = iota // a step of the computation that a check looks at
	library             // the result of a function of a library, wherever the notebook calls it
	claim               // what a check itself says: the number it compares with, the sign between two sides
	planted             // what a check is given
	drawn               // what a figure, a table or a sound shows
	method              // a rival in the place of a method, or other rows than those that are meant
)

// computed says that a mistake stands behind the checks that it reaches, and not in what they say.
func (k kind) computed() bool { return k != claim && k != planted }

// A mutant is one mistake.
type mutant struct {
	number int // in the environment of the program
	kind   kind
	change string
	at     []span // where it stands in the program
}

type span struct{ from, to token.Pos }

func (s span) holds(at token.Pos) bool { return s.from <= at && at < s.to }

// A survey finds the mistakes that can be made in a program, and writes the program in which each of them can be switched on.
type survey struct {
	*program
	bodies  []span        // of the cells, by their number
	edits   map[int]*edit // by offset
	mutants []*mutant
	last    int               // number given
	results map[string]mutant // first of three, by the name of the library's function or field
	sites   []*site
	skip    map[ast.Expr]bool          // calls whose results are made wrong already
	shown   []token.Pos                // figures and sounds
	words   map[string][]*ast.BasicLit // names in the figures of a cell
	numbers map[string]int             // of mistakes in methods, the same for all places of a cell
	rivals  map[*ast.CallExpr]rival
	chained map[*ast.CallExpr]bool // calls whose rivals have been looked for
	web     *web
	needs   map[types.Object]map[types.Object]bool // see reached
}

// add gives a mistake its number.
func (s *survey) add(k kind, n ast.Node, changes ...string) int {
	first := s.last + 1
	cell, line := s.place(n.Pos())
	for i, change := range changes {
		change = fmt.Sprintf("%s:%d %s", cell, line, change)
		s.mutants = append(s.mutants, &mutant{first + i, k, change, []span{{n.Pos(), n.End()}}})
	}
	s.last += len(changes)
	return first
}

// look finds the mistakes and the checks of a program.
func look(p *program) *survey {
	s := &survey{
		program: p, edits: map[int]*edit{}, results: map[string]mutant{}, skip: map[ast.Expr]bool{}, words: map[string][]*ast.BasicLit{},
		numbers: map[string]int{}, rivals: map[*ast.CallExpr]rival{}, chained: map[*ast.CallExpr]bool{}, web: weave(p),
		needs: map[types.Object]map[types.Object]bool{},
	}
	used := map[string]bool{}
	for _, o := range p.info.Uses {
		if name, isName := o.(*types.PkgName); isName {
			used[name.Name()] = true
		}
	}
	for _, d := range p.file.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if i, isImport := spec.(*ast.ImportSpec); isImport && !used[i.Name.Name] && i.Name.Name != "_" {
					s.replace(i.Name.Pos(), i.Name.Name, "_")
				}
			}
			if d.Tok == token.VAR {
				s.declared(d)
			}
		case *ast.FuncDecl:
			if d.Body != nil {
				if strings.HasPrefix(d.Name.Name, "mutCell") {
					s.bodies = append(s.bodies, span{d.Pos(), d.End()})
				}
				w := walker{survey: s, in: d}
				w.stmt(d.Body)
			}
		}
	}
	s.exchangeNames()
	return s
}

func (s *survey) declared(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		for _, v := range spec.(*ast.ValueSpec).Values {
			w := walker{survey: s}
			w.expr(v)
		}
	}
}

// A walker goes through one function.
type walker struct {
	*survey
	in    *ast.FuncDecl
	claim bool // what is seen is what a check says
	draws bool // what is seen is drawn
}

func (w walker) kind() kind {
	switch {
	case w.claim:
		return claim
	case w.draws:
		return drawn
	}
	return work
}

func (w walker) stmts(list []ast.Stmt) {
	for _, s := range list {
		w.stmt(s)
	}
}

func (w walker) exprs(list []ast.Expr) {
	for _, e := range list {
		w.expr(e)
	}
}

func (w walker) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		w.stmts(s.List)
	case *ast.AssignStmt:
		w.assign(s)
	case *ast.CaseClause:
		for _, e := range s.List {
			if tv := w.info.Types[e]; !tv.IsType() && tv.Value == nil {
				w.expr(e)
			}
		}
		w.stmts(s.Body)
	case *ast.DeclStmt:
		if d, isGeneral := s.Decl.(*ast.GenDecl); isGeneral && d.Tok == token.VAR {
			for _, spec := range d.Specs {
				w.exprs(spec.(*ast.ValueSpec).Values)
			}
		}
	case *ast.DeferStmt:
		w.exprs(s.Call.Args)
	case *ast.GoStmt:
		w.exprs(s.Call.Args)
	case *ast.ExprStmt:
		shows := w.shows(s.X)
		if w.display(s.X) {
			w.wrap(s, "_ = func() { ", " }")
			if !shows {
				return
			}
		}
		w.expr(s.X)
	case *ast.ForStmt:
		if s.Init != nil {
			w.stmt(s.Init)
		}
		w.stmt(s.Body) // a loop whose end is mistaken tells nothing: it does not end, or it counts wrongly
	case *ast.IfStmt:
		if s.Init != nil {
			w.stmt(s.Init)
		}
		if s.Else == nil && counts(s.Body) { // the count is what a check says of the condition
			w.claim = true
			w.expr(s.Cond)
			return
		}
		w.expr(s.Cond)
		w.stmt(s.Body)
		if s.Else != nil {
			w.stmt(s.Else)
		}
	case *ast.LabeledStmt:
		w.stmt(s.Stmt)
	case *ast.RangeStmt:
		if w.info.Types[s.X].Value == nil {
			w.expr(s.X)
		}
		w.stmt(s.Body)
	case *ast.ReturnStmt:
		w.exprs(s.Results)
	case *ast.SwitchStmt:
		if s.Init != nil {
			w.stmt(s.Init)
		}
		if s.Tag != nil && w.info.Types[s.Tag].Value == nil {
			w.expr(s.Tag)
		}
		w.stmt(s.Body)
	case *ast.TypeSwitchStmt:
		w.stmt(s.Body)
	}
}

// counts says that a block does nothing but count or note.
func counts(b *ast.BlockStmt) bool {
	if len(b.List) != 1 {
		return false
	}
	switch s := b.List[0].(type) {
	case *ast.IncDecStmt:
		return true
	case *ast.AssignStmt:
		_, named := s.Lhs[0].(*ast.Ident)
		if s.Tok == token.ADD_ASSIGN {
			return named
		}
		value, isWord := s.Rhs[0].(*ast.Ident)
		return named && s.Tok == token.ASSIGN && isWord && (value.Name == "true" || value.Name == "false")
	}
	return false
}

// display says that a statement only shows something, and makes no check on the way.
func (w walker) display(e ast.Expr) bool {
	call, isCall := e.(*ast.CallExpr)
	if !isCall {
		return false
	}
	method, isMethod := call.Fun.(*ast.SelectorExpr)
	// What is live makes its checks when it is shown, and a check of its states reads the tables and sounds below it.
	if !isMethod || w.checks(call) {
		return false
	}
	t := w.info.TypeOf(method.X)
	if isOf(t, "prl/live", "Figure") || isOf(t, "prl/cell", "Table") || isOf(t, "prl/cell", "Sound") {
		return false
	}
	if f, isFunction := w.info.Uses[method.Sel].(*types.Func); isFunction && f.Pkg() != nil && f.Pkg().Path() == "fmt" {
		return strings.HasPrefix(f.Name(), "Print")
	}
	return method.Sel.Name == "Show" || method.Sel.Name == "Holds" || w.from(call) == "Exercise"
}

// from is the function of package prl with which a chain begins.
func (w walker) from(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.CallExpr:
			e = x.Fun
			continue
		case *ast.SelectorExpr:
			if name, isName := x.X.(*ast.Ident); isName {
				if p, isPackage := w.info.Uses[name].(*types.PkgName); isPackage && p.Imported().Path() == checkout.Module+"/prl" {
					return x.Sel.Name
				}
			}
			e = x.X
			continue
		}
		return ""
	}
}

func (w walker) checks(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		call, isCall := n.(*ast.CallExpr)
		found = found || isCall && w.makesCheck(call)
		return !found
	})
	return found
}

// makesCheck says that a call is prl.Check or prl.Remark itself.
func (w walker) makesCheck(call *ast.CallExpr) bool {
	f := w.called(call)
	return f != nil && f.Pkg() != nil && f.Pkg().Path() == checkout.Module+"/prl" && (f.Name() == "Check" || f.Name() == "Remark")
}

// called is the function or method of a call, nil for a conversion, a builtin or a variable.
func (w walker) called(call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	var name *ast.Ident
	switch x := fun.(type) {
	case *ast.Ident:
		name = x
	case *ast.SelectorExpr:
		name = x.Sel
	default:
		return nil
	}
	f, _ := w.info.Uses[name].(*types.Func)
	if f != nil {
		f = f.Origin()
	}
	return f
}

func (w walker) assign(s *ast.AssignStmt) {
	switch s.Tok {
	case token.ASSIGN, token.DEFINE:
		w.exprs(s.Rhs)
		return
	}
	v := s.Rhs[0]
	if t := w.name(w.info.TypeOf(s.Lhs[0])); t != "" && isNumber(w.info.TypeOf(s.Lhs[0])) {
		switch s.Tok {
		case token.ADD_ASSIGN, token.SUB_ASSIGN:
			i := w.add(w.kind(), v, fmt.Sprintf("%s → %s", w.text(s), map[token.Token]string{
				token.ADD_ASSIGN: "−=", token.SUB_ASSIGN: "+=",
			}[s.Tok]))
			w.wrap(v, fmt.Sprintf("mutSign[%s](%d, ", t, i), ")")
		case token.MUL_ASSIGN, token.QUO_ASSIGN:
			if isFloat(w.info.TypeOf(s.Lhs[0])) {
				i := w.add(w.kind(), v, fmt.Sprintf("%s → %s", w.text(s), map[token.Token]string{
					token.MUL_ASSIGN: "/=", token.QUO_ASSIGN: "*=",
				}[s.Tok]))
				w.wrap(v, fmt.Sprintf("mutInverse[%s](%d, ", t, i), ")")
			}
		}
	}
	w.expr(v)
}

func (w walker) expr(e ast.Expr) {
	if e == nil {
		return
	}
	tv, known := w.info.Types[e]
	if known && tv.IsType() {
		return
	}
	if known && tv.Value != nil {
		w.constant(e, tv)
		return
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		w.expr(e.X)
	case *ast.StarExpr:
		w.expr(e.X)
	case *ast.TypeAssertExpr:
		w.expr(e.X)
	case *ast.UnaryExpr:
		w.unary(e)
	case *ast.BinaryExpr:
		w.binary(e)
	case *ast.CompositeLit:
		if w.marks(e) {
			return
		}
		for _, element := range e.Elts {
			if pair, isPair := element.(*ast.KeyValueExpr); isPair {
				element = pair.Value
			}
			w.expr(element)
		}
	case *ast.FuncLit:
		w.claim = false
		w.stmt(e.Body)
	case *ast.Ident:
		w.heldOut(e)
	case *ast.IndexExpr:
		if index := w.info.Types[e.Index]; index.IsType() {
			return
		}
		w.expr(e.X)
		w.expr(e.Index)
	case *ast.SliceExpr:
		w.expr(e.X)
		w.expr(e.Low)
		w.expr(e.High)
		w.expr(e.Max)
	case *ast.SelectorExpr:
		w.selector(e)
	case *ast.CallExpr:
		w.call(e)
	}
}

func (w walker) constant(e ast.Expr, tv types.TypeAndValue) {
	t := w.name(tv.Type)
	if t != "" && w.otherConstant(e, tv) {
		return
	}
	if t == "" || !isNumber(tv.Type) || tv.Value.Kind() != constant.Int && tv.Value.Kind() != constant.Float {
		return
	}
	if isWhole(tv.Type) {
		i := w.add(w.kind(), e, w.text(e)+" → one more", w.text(e)+" → one less")
		w.wrap(e, fmt.Sprintf("mutNum[%s](%d, ", t, i), ")")
		return
	}
	sign := w.text(e) + " → other sign"
	if constant.Sign(tv.Value) == 0 {
		sign = w.text(e) + " → 0.1"
	}
	i := w.add(w.kind(), e, w.text(e)+" → a tenth more", sign)
	w.wrap(e, fmt.Sprintf("mutNum[%s](%d, ", t, i), ")")
}

func (w walker) unary(e *ast.UnaryExpr) {
	switch t := w.info.TypeOf(e.X); {
	case e.Op == token.SUB && isNumber(t) && w.name(t) != "":
		i := w.add(w.kind(), e, w.text(e)+" → "+w.text(e.X))
		w.wrap(e, fmt.Sprintf("mutMinus[%s](%d, ", w.name(t), i), ")")
		w.replace(e.OpPos, "-", "")
		w.expr(e.X)
	case e.Op == token.NOT && isBool(t):
		i := w.add(w.kind(), e, w.text(e)+" → "+w.text(e.X))
		w.wrap(e, fmt.Sprintf("mutNot(%d, ", i), ")")
		w.replace(e.OpPos, "!", "")
		w.expr(e.X)
	case e.Op == token.AND:
		if literal, isLiteral := ast.Unparen(e.X).(*ast.CompositeLit); isLiteral {
			w.expr(literal)
		}
	default:
		w.expr(e.X)
	}
}

func (w walker) binary(e *ast.BinaryExpr) {
	t := w.info.TypeOf(e)
	operand := w.info.TypeOf(e.X)
	if w.info.Types[e.X].Value != nil {
		operand = w.info.TypeOf(e.Y)
	}
	inner := w
	call := func(function, types string, changes ...string) {
		i := w.add(w.kind(), e, changes...)
		w.wrap(e, fmt.Sprintf("%s%s(%d, ", function, types, i), ")")
		w.replace(e.OpPos, e.Op.String(), ",")
	}
	became := func(fresh string) string {
		left, right := w.text(e.X), w.text(e.Y)
		if fresh == "" {
			return fmt.Sprintf("%s %s %s → %s", left, e.Op, right, left)
		}
		return fmt.Sprintf("%s %s %s → %s %s %s", left, e.Op, right, left, fresh, right)
	}
	a, isArithmetic := arithmetic[e.Op]
	b, isBitwise := bitwise[e.Op]
	c, isComparison := comparisons[e.Op]
	switch {
	case isArithmetic && isNumber(t) && w.name(t) != "":
		call(a[0], "["+w.name(t)+"]", became(a[1]))
	case isBitwise && isWhole(t) && w.name(t) != "":
		call(b[0], "["+w.name(t)+"]", became(b[1]))
	case isComparison && isNumber(operand) && w.name(operand) != "":
		var changes []string
		for _, fresh := range c[1:] {
			if fresh != "" {
				changes = append(changes, became(fresh))
			}
		}
		call(c[0], "["+w.name(operand)+"]", changes...)
		if w.in != nil && !w.inCheck(e) {
			inner.claim = false // the two sides are computed, only the sign between them is said
		}
	case (e.Op == token.LAND || e.Op == token.LOR) && isBool(t):
		function, fresh := "mutAnd", "||"
		if e.Op == token.LOR {
			function, fresh = "mutOr", "&&"
		}
		i := w.add(w.kind(), e, became(fresh))
		w.wrap(e, fmt.Sprintf("%s(%d, ", function, i), "; return })")
		w.replace(e.OpPos, e.Op.String(), ", func() (mutR bool) { mutR =")
	}
	inner.expr(e.X)
	inner.expr(e.Y)
}

// inCheck says that an expression is one of those that a check compares.
func (w walker) inCheck(e ast.Expr) bool {
	return slices.ContainsFunc(w.sites, func(s *site) bool { return s.whole.Pos() <= e.Pos() && e.End() <= s.whole.End() })
}

// receiver looks at what a method is called on. Fields there stay as they are when the method may change them.
func (w walker) receiver(e ast.Expr) {
	_, isSelector := e.(*ast.SelectorExpr)
	_, isPointer := w.info.TypeOf(e).(*types.Pointer)
	if !isSelector || isPointer {
		w.expr(e)
	}
}

func (w walker) call(e *ast.CallExpr) {
	if w.info.Types[e.Fun].IsType() { // a conversion
		w.exprs(e.Args)
		return
	}
	if name, isName := ast.Unparen(e.Fun).(*ast.Ident); isName {
		if _, isBuiltin := w.info.Uses[name].(*types.Builtin); isBuiltin {
			w.builtin(e, name)
			return
		}
	}
	f := w.called(e)
	if w.makesCheck(e) {
		w.wrap(e, fmt.Sprintf("mutCheck(%d, ", len(w.sites)), ")")
		return
	}
	if f != nil && w.judges(f) {
		w.check(e, f.Name())
		return
	}
	w.methods(e, f)
	args := w
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != "math" {
		args.claim = false
	}
	if f != nil && f.Pkg() != nil {
		other, has := mistaken[f.Pkg().Name()+"."+f.Name()]
		switch {
		case f.Pkg().Path() == "math" && has:
			i := w.add(w.kind(), e, fmt.Sprintf("math.%s → math.%s", f.Name(), other))
			prefix := strings.TrimSuffix(w.source[w.offset(e.Fun.Pos()):w.offset(e.Fun.End())], f.Name())
			w.wrap(e.Fun, fmt.Sprintf("mutPick(%d, ", i), fmt.Sprintf(", %s%s)", prefix, other))
		case ours(f.Pkg()) && !(f.Pkg().Path() == checkout.Module+"/prl" && slices.Contains(helpers, f.Name())):
			w.firstOf(e, f)
		case f.Pkg().Path() == checkout.Module+"/prl" && f.Name() == "Must" && len(e.Args) == 1:
			w.must(e)
		}
	}
	if method, isMethod := ast.Unparen(e.Fun).(*ast.SelectorExpr); isMethod && w.info.Selections[method] != nil {
		if w.info.Selections[method].Kind() == types.FieldVal {
			args.expr(method.X)
		} else {
			args.receiver(method.X)
		}
	} else if literal, isLiteral := ast.Unparen(e.Fun).(*ast.FuncLit); isLiteral {
		w.expr(literal)
	}
	shown := w.draw(e, f)
	for i, a := range e.Args {
		args.draws = shown && w.info.Types[a].Value != nil && says(f, i)
		args.expr(a)
	}
}

func (w walker) builtin(e *ast.CallExpr, name *ast.Ident) {
	switch name.Name {
	case "make", "new", "delete", "clear", "panic", "print", "println", "copy":
		return
	case "min", "max":
		t := w.info.TypeOf(e)
		if other := map[string]string{"min": "max", "max": "min"}[name.Name]; isNumber(t) && w.name(t) != "" && !e.Ellipsis.IsValid() {
			i := w.add(w.kind(), e, fmt.Sprintf("%s → %s", w.text(e), other))
			function := map[string]string{"min": "mutMin", "max": "mutMax"}[name.Name]
			s := w.edit(e.Args[0].Pos())
			s.prefix += fmt.Sprintf("%d, ", i)
			w.replace(name.Pos(), name.Name, fmt.Sprintf("%s[%s]", function, w.name(t)))
		}
		w.exprs(e.Args)
	case "append":
		w.exprs(e.Args[1:])
	default:
		w.exprs(e.Args)
	}
}
