// Package source reads the text of a cell as its author wrote it, and makes of it the text that GoNB takes: declarations above the line %%,
// statements below it, whatever the order in the cell and whether or not the line %% is there.
package source

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Cell is a cell in both forms.
type Cell struct {
	Text  string // as written
	Code  string // for GoNB
	Lines []int  // for each line of Code, counted from 0, the line of Text it came from

	Declares map[string]int  // names of the declarations, with the line of Text where each begins; methods as Type.Method
	Vars     map[string]bool // those of them that are variables
	Sets     map[string]int  // names to which the statements give a value, with the line of Text
	Assigns  map[string]int  // those of them that the statements do not declare
	Reads    map[string]int  // names of which the cell uses the value before its own statements set it

	Statements int // the line of Code at which the statements begin, or -1
	Time       bool
	Value      bool     // the last statement is an expression, whose value is to be shown
	Problem    *Problem // what keeps the cell from running

	Imports []string // as they stand in an import declaration

	value insertion
	raw   bool // GoNB gets it as it is
}

// A Problem is a mistake that is seen without a compiler.
type Problem struct {
	Title  string // one sentence
	Line   int    // of Text, from 0; -1 if it is about the whole cell
	Column int    // in bytes, from 0; -1 if it is not known
	Remedy []string
}

// insertion is text that Code has and Text has not.
type insertion struct{ line, column, bytes int }

// Column is the place in the line of Text for a place in a line of Code, both counted from 0.
func (c *Cell) Column(line, column int) int {
	if c.value.bytes > 0 && line == c.value.line && column >= c.value.column {
		return max(c.value.column, column-c.value.bytes)
	}
	return column
}

// item is a declaration or a statement: whole lines of the cell.
type item struct {
	first, last int // lines
	declares    bool
	name        string // "import", "var", "func" or "" for a statement
}

// Read takes a cell apart.
func Read(text string) *Cell {
	c := Arrange(text)
	if c.Problem == nil && !c.raw {
		c.analyse()
	}
	return c
}

// Arrange puts a cell into the form for GoNB, without looking whether it is right: it may be half written.
func Arrange(text string) *Cell {
	c := &Cell{
		Text: text, Code: text, Statements: -1, Declares: map[string]int{}, Vars: map[string]bool{},
		Sets: map[string]int{}, Assigns: map[string]int{}, Reads: map[string]int{},
	}
	lines := strings.Split(text, "\n")
	c.Lines = make([]int, len(lines))
	for i := range lines {
		c.Lines[i] = i
	}
	m := readMagics(c, lines)
	if c.raw = m.raw; c.Problem != nil || m.raw {
		return c
	}
	items := split(m.body, lines)
	main := m.main
	for i := range items {
		it := &items[i]
		switch it.name {
		case "import", "func":
			it.declares = true
		case "const", "type", "var":
			it.declares = m.main < 0 && (main < 0 || it.name != "var") || it.first < m.main && (main == m.main || it.name != "var")
		default:
			if main < 0 || it.first < main {
				main = it.first
			}
		}
	}
	c.compose(m, items, lines)
	return c
}

// compose writes Code: magic lines, declarations, and below %% the statements.
func (c *Cell) compose(m magics, items []item, lines []string) {
	var code []string
	c.Lines = c.Lines[:0]
	add := func(line string, from int) { code, c.Lines = append(code, line), append(c.Lines, from) }
	for _, i := range m.commands {
		add(lines[i], i)
	}
	next := 0 // comments and blank lines go with what follows them
	write := func(declares bool) {
		next = 0
		for _, it := range items {
			first := next
			next = it.last + 1
			if it.declares != declares {
				continue
			}
			for i := first; i <= it.last; i++ {
				if !m.taken[i] {
					add(m.lines[i], i)
				}
			}
		}
	}
	write(true)
	statements := m.main >= 0 || slices.ContainsFunc(items, func(it item) bool { return !it.declares })
	if statements {
		line := max(m.main, 0)
		if m.main < 0 {
			for _, it := range items {
				if !it.declares {
					line = it.first
					break
				}
			}
		}
		add(strings.TrimRight("%% "+m.arguments, " "), line)
		c.Statements = len(code)
		write(false)
	}
	for i := next; i < len(lines); i++ { // comments at the end
		if !m.taken[i] {
			add(m.lines[i], i)
		}
	}
	if len(code) == 0 {
		add("", 0)
	}
	c.Code = strings.Join(code, "\n")
}

// split finds the declarations and statements of the text; body has blank lines in the place of magic lines.
func split(body string, lines []string) []item {
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(body))
	var s scanner.Scanner
	s.Init(file, []byte(body), func(token.Position, string) {}, 0)
	var items []item
	var words []string // the first tokens of the item, to tell a method from a function without a name
	depth, start := 0, -1
	end := func(at int) {
		if start < 0 {
			return
		}
		it := item{first: start, last: at, name: kind(words)}
		if n := len(items); n > 0 && items[n-1].last >= it.first { // on the same line: one with it
			items[n-1].last = max(items[n-1].last, it.last)
		} else {
			items = append(items, it)
		}
		start, words = -1, nil
	}
	for {
		pos, tok, text := s.Scan()
		line := file.Line(pos) - 1
		switch tok {
		case token.EOF:
			end(min(len(lines)-1, line))
			return items
		case token.LPAREN, token.LBRACE, token.LBRACK:
			depth++
		case token.RPAREN, token.RBRACE, token.RBRACK:
			depth--
		case token.SEMICOLON:
			if text == "\n" && depth <= 0 {
				end(line)
				depth = 0
				continue
			}
		}
		if start < 0 && tok != token.SEMICOLON {
			start = line
		}
		if len(words) < 64 {
			words = append(words, tok.String())
		}
	}
}

// kind tells from the first tokens what an item is: the keyword of a declaration, or nothing for a statement.
func kind(words []string) string {
	if len(words) == 0 {
		return ""
	}
	switch words[0] {
	case "import", "const", "type", "var":
		return words[0]
	case "func":
		if len(words) < 2 {
			return ""
		}
		if words[1] == token.IDENT.String() {
			return "func"
		}
		depth := 0
		for i, w := range words[1:] { // func (receiver) Name(
			switch w {
			case "(":
				depth++
			case ")":
				depth--
				if depth == 0 && i+3 < len(words) && words[i+2] == token.IDENT.String() && words[i+3] == "(" {
					return "func"
				}
				if depth == 0 {
					return ""
				}
			}
		}
	}
	return ""
}

// Raw reports whether the cell is no Go, or is for GoNB alone to read.
func (c *Cell) Raw() bool { return c.raw }

// Program is Code as a file: the declarations, and the statements in a function main. Its lines are those of Code, and a last one.
func (c *Cell) Program() string {
	lines := strings.Split(c.Code, "\n")
	var b strings.Builder
	b.WriteString("package main;")
	for i, line := range lines {
		switch {
		case i == c.Statements-1:
			b.WriteString("func main() {")
		case magic(line):
		default:
			b.WriteString(line)
		}
		b.WriteByte('\n')
	}
	if c.Statements >= 0 {
		b.WriteString("}\n")
	}
	return b.String()
}

// Declared are the names that a cell which is being written declares, as far as it can be read; methods as Type.Method.
func (c *Cell) Declared() map[string]int {
	read := Cell{Declares: map[string]int{}, Vars: map[string]bool{}}
	file, _ := parser.ParseFile(token.NewFileSet(), "", c.Program(), parser.SkipObjectResolution)
	read.declares(file, func(token.Pos) int { return 0 })
	return read.Declares
}

const prefix = len("package main;")

// analyse parses Code, and notes what it declares, sets and reads, or what is wrong.
func (c *Cell) analyse() {
	text := c.Program()
	place := func(line int) int { return min(line, len(c.Lines)-1) }
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", text, 0)
	line := func(pos token.Pos) int { return c.Lines[place(files.Position(pos).Line-1)] }
	main := c.declares(file, line)
	if err != nil {
		c.Problem = c.misread(err, place)
		return
	}
	c.reads(file, line)
	if main == nil || main.Body == nil {
		return
	}
	c.sets(main, line)
	if c.Statements >= 0 {
		c.markValue(main, files, text)
	}
}

// declares notes what the cell imports and declares, as far as it can be read, and returns its function main.
func (c *Cell) declares(file *ast.File, line func(token.Pos) int) (main *ast.FuncDecl) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if name == "main" && d.Recv == nil {
				main = d
				if c.Statements < 0 {
					c.Declares[name] = line(d.Pos())
				}
				continue
			}
			c.Declares[FuncKey(d)] = line(d.Pos())
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.ImportSpec:
					name := ""
					if spec.Name != nil {
						name = spec.Name.Name + " "
					}
					c.Imports = append(c.Imports, name+spec.Path.Value)
				case *ast.TypeSpec:
					c.Declares[spec.Name.Name] = line(spec.Pos())
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						c.Declares[name.Name] = line(spec.Pos())
						c.Vars[name.Name] = d.Tok == token.VAR
					}
				}
			}
		}
	}
	return main
}

// FuncKey is the name of a function, or Type.Method.
func FuncKey(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
			continue
		case *ast.IndexExpr:
			t = x.X
			continue
		case *ast.IndexListExpr:
			t = x.X
			continue
		case *ast.Ident:
			return x.Name + "." + d.Name.Name
		}
		return d.Name.Name
	}
}

// sets notes the names to which the statements of main give a value.
func (c *Cell) sets(main *ast.FuncDecl, line func(token.Pos) int) {
	local := map[string]bool{}
	ast.Inspect(main.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				name := root(left)
				if name == "" || name == "_" {
					continue
				}
				if n.Tok == token.DEFINE {
					local[name] = true
				} else if !local[name] {
					c.note(c.Assigns, name, line(n.Pos()))
				}
				c.note(c.Sets, name, line(n.Pos()))
			}
		case *ast.IncDecStmt:
			if name := root(n.X); name != "" && !local[name] {
				c.note(c.Assigns, name, line(n.Pos()))
			}
		case *ast.ValueSpec:
			for _, name := range n.Names {
				local[name.Name] = true
				c.note(c.Sets, name.Name, line(n.Pos()))
			}
		}
		return true
	})
}

func (c *Cell) note(where map[string]int, name string, line int) {
	if _, found := where[name]; !found {
		where[name] = line
	}
}

// root is the variable that an assignment to the expression changes.
func root(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x.Name
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return ""
		}
	}
}

// reads notes the names whose value the cell uses before a statement of main sets it.
func (c *Cell) reads(file *ast.File, line func(token.Pos) int) {
	set := map[string]bool{}
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, right := range n.Rhs {
				ast.Inspect(right, visit)
			}
			for _, left := range n.Lhs {
				id, plain := left.(*ast.Ident)
				if !plain || n.Tok != token.ASSIGN && n.Tok != token.DEFINE {
					ast.Inspect(left, visit)
				}
				if plain {
					set[id.Name] = true
				}
			}
			return false
		case *ast.SelectorExpr:
			ast.Inspect(n.X, visit)
			return false
		case *ast.KeyValueExpr:
			ast.Inspect(n.Value, visit)
			return false
		case *ast.ValueSpec:
			for _, value := range n.Values {
				ast.Inspect(value, visit)
			}
			for _, name := range n.Names {
				set[name.Name] = true
			}
			return false
		case *ast.Ident:
			if !set[n.Name] {
				c.note(c.Reads, n.Name, line(n.Pos()))
			}
		}
		return true
	}
	for _, d := range file.Decls {
		ast.Inspect(d, visit)
	}
}

// ShowValue is the function of the cell's program that shows the value of a last expression.
const ShowValue = "prlShowValue"

// ShowAll is that function, for a program that imports fmt, and package prl under the name prlLibrary.
const ShowAll = `
func prlShowValue(values ...any) {
	if n := len(values); n > 1 {
		if err, is := values[n-1].(error); is {
			prlLibrary.Show(err)
		}
		if values[n-1] == nil {
			values = values[:n-1]
		}
	}
	for _, v := range values {
		if t := fmt.Sprintf("%T", v); len(t) > 5 && t[:5] == "func(" {
			fmt.Println("a function; to call it, put its arguments in brackets behind it:", t)
		} else {
			prlLibrary.Show(v)
		}
	}
}
`

// silent are functions that are called for what they do.
var silent = map[string]bool{"panic": true, "print": true, "println": true, "delete": true, "copy": true, "close": true, "clear": true}

// markValue puts a last expression into a call that shows its value. A semicolon behind it keeps it quiet, as in other notebooks.
func (c *Cell) markValue(main *ast.FuncDecl, files *token.FileSet, text string) {
	list := main.Body.List
	if len(list) == 0 {
		return
	}
	last, ok := list[len(list)-1].(*ast.ExprStmt)
	if !ok || acts(last.X) {
		return
	}
	from, to := files.Position(last.Pos()), files.Position(last.End())
	if strings.HasPrefix(strings.TrimLeft(text[to.Offset:], " \t"), ";") {
		return
	}
	lines := strings.Split(c.Code, "\n")
	put := func(p token.Position, s string) int {
		column := p.Column - 1
		if p.Line == 1 {
			column -= prefix
		}
		lines[p.Line-1] = lines[p.Line-1][:column] + s + lines[p.Line-1][column:]
		return column
	}
	put(to, ")")
	column := put(from, ShowValue+"(")
	c.value = insertion{from.Line - 1, column, len(ShowValue) + 1}
	c.Code, c.Value = strings.Join(lines, "\n"), true
}

// acts reports whether the expression is called for what it does, as far as the text tells: the compiler knows the rest.
func acts(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		unary, receives := e.(*ast.UnaryExpr)
		return receives && unary.Op == token.ARROW
	}
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return silent[f.Name]
	case *ast.SelectorExpr:
		if f.Sel.Name == "Show" {
			return true
		}
		if x, ok := f.X.(*ast.Ident); ok {
			switch x.Name {
			case "fmt":
				return !strings.HasPrefix(f.Sel.Name, "Sprint") && f.Sel.Name != "Errorf"
			case "log", "os", "io":
				return true
			}
		}
		return acts(f.X) || isCheck(f.X)
	case *ast.FuncLit:
		return f.Type.Results == nil
	}
	return false
}

// shows are the beginnings of chains that show themselves.
var shows = map[string]bool{"Check": true, "Exercise": true, "Solution": true}

// isCheck recognises a chain that shows itself.
func isCheck(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return shows[f.Name]
	case *ast.SelectorExpr:
		return shows[f.Sel.Name] || isCheck(f.X)
	}
	return false
}

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// ImportName is the name of an import in a program: its own, or the one that its path suggests.
func ImportName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	p, _ := strconv.Unquote(spec.Path.Value)
	if majorVersion.MatchString(path.Base(p)) {
		p = path.Dir(p)
	}
	return path.Base(p)
}
