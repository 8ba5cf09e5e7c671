//go:build unix

package build

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/prl-kernel/source"
	"github.com/prlab/prlab/prl/cmd/prl/internal/slim"
)

const (
	helperName = "prl_cell" // the file that the additions call
	timed      = "prlTimed"
	began      = "prlBegan"
	shapes     = "prlShapes"
	failing    = "prlFailing"

	library = slim.Library
	matrix  = "gonum.org/v1/gonum/mat"
)

// program is main.go with additions. No addition begins a new line, so that a line is the same with and without them.
type program struct {
	text    string
	lines   []int // where each line begins
	cell    Cell
	file    *ast.File // nil if it does not parse
	files   *token.FileSet
	edits   []edit
	imports []string
	all     bool // the cells import package prl, whether this one needs it or not
	pruned  bool
}

// edit puts text at a place.
type edit struct {
	at   int
	text string
	kind string
}

// newProgram reads main.go. It is pruned if the archives of all packages that it imports are known.
func newProgram(text string, cell Cell, archives map[string]string) *program {
	p := &program{text: text, cell: cell, files: token.NewFileSet()}
	p.lines = []int{0}
	for i := range len(text) {
		if text[i] == '\n' {
			p.lines = append(p.lines, i+1)
		}
	}
	file, err := parser.ParseFile(p.files, "main.go", text, parser.ParseComments)
	if err != nil {
		return p
	}
	p.file = file
	p.listImports()
	p.all = slices.Contains(p.imports, library)
	p.prune(archives)
	p.initialisers()
	if slices.Contains(p.imports, matrix) {
		p.products()
	}
	return p
}

func (p *program) listImports() {
	p.imports = nil
	for _, spec := range p.file.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil {
			p.imports = append(p.imports, path)
		}
	}
	slices.Sort(p.imports)
}

func (p *program) put(at token.Pos, kind, text string) {
	p.edits = append(p.edits, edit{p.files.Position(at).Offset, text, kind})
}

// plain reports whether the program has nothing that only the command go can do.
func (p *program) plain() bool {
	if p.file == nil || slices.Contains(p.imports, "C") || slices.Contains(p.imports, "embed") {
		return false
	}
	for _, group := range p.file.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//go:") {
				return false
			}
		}
	}
	return true
}

// initialisers measures each initialiser of a variable that calls something: v = f(x) becomes v = prlTimed(prlBegan("v"), f(x)), and a call
// evaluates its arguments from the left to the right.
func (p *program) initialisers() {
	for _, d := range p.file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			v := s.(*ast.ValueSpec)
			if len(v.Names) != len(v.Values) {
				continue
			}
			for i, value := range v.Values {
				if !calls(value) {
					continue
				}
				instance := ""
				if v.Type != nil {
					instance = "[" + p.between(v.Type) + "]"
				}
				p.put(value.Pos(), "time", timed+instance+"("+began+"("+strconv.Quote(v.Names[i].Name)+"), ")
				p.put(value.End(), "time", ")")
			}
		}
	}
}

func (p *program) between(n ast.Node) string {
	return p.text[p.files.Position(n.Pos()).Offset:p.files.Position(n.End()).Offset]
}

// calls reports whether to evaluate the expression calls a function.
func calls(e ast.Node) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			found = true
		}
		return !found
	})
	return found
}

// sized are the functions of gonum that refuse matrices whose sizes do not fit, without naming the sizes.
var sized = map[string]bool{
	"Add":          true,
	"Sub":          true,
	"Mul":          true,
	"MulElem":      true,
	"DivElem":      true,
	"MulVec":       true,
	"AddVec":       true,
	"SubVec":       true,
	"MulElemVec":   true,
	"AddScaledVec": true,
	"Product":      true,
	"Solve":        true,
	"SolveVec":     true,
	"SolveTo":      true,
	"SolveVecTo":   true,
	"Dot":          true,
	"Inverse":      true,
	"Stack":        true,
	"Augment":      true,
	"Outer":        true,
	"RankOne":      true,
	"SetRow":       true,
	"SetCol":       true,
	"Copy":         true,
	"CopyVec":      true,
	"SymRankOne":   true,
	"SymOuterK":    true,
	"Inner":        true,
	"Det":          true,
	"Factorize":    true,
	"CloneFrom":    true,
}

// products notes, before a statement that calls one of them, the matrices that it names.
func (p *program) products() {
	packages := map[string]bool{}
	for _, spec := range p.file.Imports {
		if spec.Name != nil {
			packages[spec.Name.Name] = true
		} else if path, err := strconv.Unquote(spec.Path.Value); err == nil {
			packages[filepath.Base(path)] = true
		}
	}
	for _, d := range p.file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		if f.Name.Name == "main" && f.Recv == nil {
			p.put(f.Body.Lbrace+1, "shape", " defer "+failing+"();")
		}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			var list []ast.Stmt
			switch n := n.(type) {
			case *ast.BlockStmt:
				list = n.List
			case *ast.CaseClause:
				list = n.Body
			}
			for _, s := range list {
				switch s.(type) {
				case *ast.ExprStmt, *ast.AssignStmt, *ast.ReturnStmt:
				default:
					continue
				}
				if names := operands(s, packages); len(names) > 0 {
					var args []string
					for _, name := range names {
						args = append(args, strconv.Quote(name), name)
					}
					p.put(s.Pos(), "shape", shapes+"("+strings.Join(args, ", ")+"); ")
				}
			}
			return true
		})
	}
}

// operands are the variables that a sized call in the statement names.
func operands(s ast.Stmt, packages map[string]bool) (names []string) {
	defined := map[string]bool{}
	if a, ok := s.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
		for _, left := range a.Lhs {
			if id, ok := left.(*ast.Ident); ok {
				defined[id.Name] = true
			}
		}
	}
	add := func(e ast.Expr) {
		if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
			e = u.X
		}
		if call, ok := e.(*ast.CallExpr); ok { // a.T()
			if f, ok := call.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "T" {
				e = f.X
			}
		}
		if id, ok := e.(*ast.Ident); ok && id.Name != "nil" && id.Name != "_" && !packages[id.Name] && !defined[id.Name] &&
			!slices.Contains(names, id.Name) {
			names = append(names, id.Name)
		}
	}
	ast.Inspect(s, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if f, ok := call.Fun.(*ast.SelectorExpr); ok && sized[f.Sel.Name] {
			add(f.X)
			for _, arg := range call.Args {
				add(arg)
			}
		}
		return true
	})
	return names
}

var (
	unused  = regexp.MustCompile(`^declared and not used: (\S+)`)
	vain    = regexp.MustCompile(`^("\S+") imported and not used`)
	noValue = regexp.MustCompile(`\(no value\) used as value`)
)

// heal removes the cause of messages that need not stop a cell. It returns false if there is another cause.
func (p *program) heal(list []Message) bool {
	if p.file == nil {
		return false
	}
	healed := false
	for _, m := range list {
		at := p.original(m)
		if name := unused.FindStringSubmatch(m.Text); name != nil {
			if p.use(at, name[1]) {
				healed = true
				continue
			}
		}
		if path := vain.FindStringSubmatch(m.Text); path != nil && p.undot(path[1]) {
			healed = true
			continue
		}
		if p.cell.Value && strings.Contains(p.line(m.Line), source.ShowValue) && noValue.MatchString(m.Text) {
			p.silence()
			healed = true
			continue
		}
		if kind := p.additionIn(m); kind != "" {
			p.drop(kind)
			healed = true
		}
	}
	return healed
}

// additionIn is the kind of an addition that the message is about, or "".
func (p *program) additionIn(m Message) string {
	for kind, names := range map[string][]string{"time": {timed, began}, "shape": {shapes, failing}} {
		for _, name := range names {
			if strings.Contains(m.Text, name) {
				return kind
			}
		}
	}
	if m.Line < 1 || m.Line > len(p.lines) {
		return ""
	}
	start, shift := p.lines[m.Line-1], 0
	edits := slices.Clone(p.edits)
	slices.SortStableFunc(edits, func(a, b edit) int { return a.at - b.at })
	for _, e := range edits {
		if e.at < start {
			continue
		}
		from := e.at - start + shift
		if m.Column-1 >= from && m.Column-1 < from+len(e.text) && e.kind != "use" {
			return e.kind
		}
		shift += len(e.text)
	}
	return ""
}

func (p *program) drop(kind string) {
	p.edits = slices.DeleteFunc(p.edits, func(e edit) bool { return e.kind == kind })
}

// line is a line of main.go, counted from 1.
func (p *program) line(n int) string {
	if n < 1 || n > len(p.lines) {
		return ""
	}
	line, _, _ := strings.Cut(p.text[p.lines[n-1]:], "\n")
	return line
}

// original is the offset in main.go of the place that a message names.
func (p *program) original(m Message) int {
	if m.Line < 1 || m.Line > len(p.lines) {
		return -1
	}
	start, column := p.lines[m.Line-1], m.Column-1
	edits := slices.Clone(p.edits)
	slices.SortStableFunc(edits, func(a, b edit) int { return a.at - b.at })
	shift := 0
	for _, e := range edits {
		if e.at >= start && e.at-start+shift < column {
			shift += min(len(e.text), column-(e.at-start+shift))
		}
	}
	return start + column - shift
}

// restore gives the messages the places that they have without additions.
func (p *program) restore(list []Message) {
	for i, m := range list {
		if at := p.original(m); at >= 0 {
			list[i].Column = at - p.lines[m.Line-1] + 1
		}
	}
}

// silence takes the call away that shows the last value.
func (p *program) silence() {
	start := strings.Index(p.text, source.ShowValue+"(")
	if start < 0 {
		return
	}
	p.edits = append(p.edits, edit{start, "", "silent"})
	p.cell.Value = false
}

// undot makes the import of a package with a dot one without a name: GoNB keeps imports for all cells, also for those that use none of it.
func (p *program) undot(path string) bool {
	for _, s := range p.file.Imports {
		if s.Path.Value == path && s.Name != nil && s.Name.Name == "." {
			p.put(s.Name.Pos(), "use", "/*")
			p.put(s.Name.End(), "use", "*/ _")
			return true
		}
	}
	return false
}

// use makes the compiler see a use of the variable that is declared at the place.
func (p *program) use(at int, name string) bool {
	var stack []ast.Node
	done := false
	ast.Inspect(p.file, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		id, ok := n.(*ast.Ident)
		if !ok || done || id.Name != name || p.files.Position(id.Pos()).Offset != at {
			return true
		}
		use := "_ = " + name + "; "
		for i := len(stack) - 1; i > 0; i-- {
			s, isStatement := stack[i].(ast.Stmt)
			if !isStatement {
				continue
			}
			switch parent := stack[i-1].(type) {
			case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
				switch s := s.(type) {
				case *ast.RangeStmt:
					p.put(s.Body.Lbrace+1, "use", " "+use)
				case *ast.TypeSwitchStmt:
					return true
				default:
					p.put(s.End(), "use", "; _ = "+name)
				}
			case *ast.IfStmt:
				p.put(parent.Body.Lbrace+1, "use", " "+use)
			case *ast.ForStmt:
				p.put(parent.Body.Lbrace+1, "use", " "+use)
			case *ast.SwitchStmt:
				return true
			default:
				continue
			}
			done = true
			return false
		}
		return true
	})
	return done
}

// render is main.go with the additions.
func (p *program) render() string {
	edits := slices.Clone(p.edits)
	slices.SortStableFunc(edits, func(a, b edit) int { return a.at - b.at })
	var b strings.Builder
	last := 0
	for _, e := range edits {
		b.WriteString(p.text[last:e.at])
		b.WriteString(e.text)
		last = e.at
		if e.kind == "silent" {
			last += len(source.ShowValue)
		}
	}
	b.WriteString(p.text[last:])
	return b.String()
}

// write puts the program's files into a folder and returns their paths by name.
func (p *program) write(dir, folder string) (map[string]string, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	files := map[string]string{"main.go": p.render(), helperName + ".go": p.helper()}
	paths := map[string]string{}
	for name, text := range files {
		paths[name] = filepath.Join(folder, name)
		if err := os.WriteFile(paths[name], []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	return paths, nil
}

// helper is the file that the additions call.
func (p *program) helper() string {
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n")
	value := p.cell.Value
	timing, shape := p.additions()
	for _, path := range p.helperImports() {
		fmt.Fprintf(&b, "\t%q\n", path)
	}
	if value && p.all {
		fmt.Fprintf(&b, "\tprlLibrary %q\n", library)
	}
	b.WriteString(")\n" + helperInput)
	if value && p.all {
		b.WriteString(source.ShowAll)
	} else if value {
		b.WriteString(helperShow)
	}
	if timing {
		fmt.Fprintf(&b, helperTime, p.cell.Names, p.cell.Time, duplicate(runtime.GOOS))
	}
	if shape {
		b.WriteString(helperShape)
	}
	return b.String()
}

// additions tells which of them the program has.
func (p *program) additions() (timing, shape bool) {
	for _, e := range p.edits {
		timing = timing || e.kind == "time"
		shape = shape || e.kind == "shape"
	}
	return timing, shape
}

// needs are the packages that main.go and the additions import.
func (p *program) needs() []string {
	needs := slices.Concat(p.imports, p.helperImports())
	if p.cell.Value && p.all {
		needs = append(needs, library)
	}
	return needs
}

// helperImports are the packages of the standard library among those that the additions import.
func (p *program) helperImports() []string {
	timing, shape := p.additions()
	list := []string{"os"}
	if p.cell.Value || timing || shape {
		list = append(list, "fmt")
	}
	if timing {
		list = append(list, "syscall", "time")
	}
	return list
}

// A cell has no keyboard: what reads from it gets the end of the input instead of waiting for ever.
const helperInput = `
func init() {
	if none, err := os.Open(os.DevNull); err == nil {
		os.Stdin = none
	}
}
`

const helperShow = `
func prlShowValue(values ...any) {
	if n := len(values); n > 1 && values[n-1] == nil {
		values = values[:n-1]
	}
	for _, v := range values {
		switch v := v.(type) {
		case error:
			fmt.Fprintln(os.Stderr, v)
			os.Exit(1)
		case fmt.Stringer, string:
			fmt.Println(v)
		case interface {
			Dims() (int, int)
			At(i, j int) float64
		}:
			rows, columns := v.Dims()
			fmt.Println(rows, "x", columns)
			for i := range min(rows, 10) {
				for j := range min(columns, 10) {
					fmt.Printf("%10.5g", v.At(i, j))
				}
				fmt.Println()
			}
		default:
			if t := fmt.Sprintf("%T", v); len(t) > 5 && t[:5] == "func(" {
				fmt.Println("a function; to call it, put its arguments in brackets behind it:", t)
			} else {
				fmt.Printf("%+v\n", v)
			}
		}
	}
}
`

// duplicate is the call that makes one file descriptor stand for the file of another.
func duplicate(system string) string {
	if system == "linux" {
		return "syscall.Dup3(from, to, 0)"
	}
	return "syscall.Dup2(from, to)"
}

// An initialiser of another cell is silent: what it prints was seen there. The descriptor is changed and not os.Stdout, which it may keep.
const helperTime = `
var (
	prlOwn   = %#v
	prlTell  = %v
	prlStart time.Time
	prlName  string
	prlOut   = -1
	prlSpent string
	prlTotal time.Duration
)

func prlDuplicate(from, to int) { %s }

func prlBegan(name string) bool {
	prlName, prlStart = name, time.Now()
	for _, own := range prlOwn {
		if own == name {
			return true
		}
	}
	if none, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0); err == nil {
		prlOut, _ = syscall.Dup(1)
		prlDuplicate(int(none.Fd()), 1)
		none.Close()
	}
	return true
}

func prlTimed[T any](_ bool, value T) T {
	took := time.Since(prlStart)
	if prlOut >= 0 {
		prlDuplicate(prlOut, 1)
		syscall.Close(prlOut)
		prlOut = -1
	}
	if took > 10*time.Millisecond {
		prlTotal += took
		if prlSpent != "" {
			prlSpent += ","
		}
		prlSpent += fmt.Sprintf("{\"Name\":%%q,\"Seconds\":%%.4f}", prlName, took.Seconds())
	}
	return value
}

func init() {
	if prlTotal > 100*time.Millisecond || prlTell {
		os.WriteFile(os.Getenv("PRL_CELL")+"/init.json", []byte("["+prlSpent+"]"), 0o600)
	}
}
`

const helperShape = `
var prlSizes []any

func prlShapes(namesAndValues ...any) { prlSizes = namesAndValues }

func prlFailing() {
	v := recover()
	if v == nil {
		return
	}
	text := ""
	for i := 0; i+1 < len(prlSizes); i += 2 {
		func() {
			defer func() { recover() }()
			switch m := prlSizes[i+1].(type) {
			case interface{ Dims() (int, int) }:
				rows, columns := m.Dims()
				text += fmt.Sprintf("%v is %d x %d; ", prlSizes[i], rows, columns)
			case []float64:
				text += fmt.Sprintf("%v has %d numbers; ", prlSizes[i], len(m))
			}
		}()
	}
	if text != "" {
		os.WriteFile(os.Getenv("PRL_CELL")+"/shapes.txt", []byte(text[:len(text)-2]), 0o600)
	}
	panic(v)
}
`
