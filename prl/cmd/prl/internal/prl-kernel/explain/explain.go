//go:build unix

// Package explain says what went wrong in a cell: where in the cells of the notebook, in the words of the notebook, and with what to do.
package explain

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/prl-kernel/build"
	"github.com/prlab/prlab/prl/cmd/prl/internal/prl-kernel/source"
)

// An Account is what a front end shows about a cell that failed.
type Account struct {
	Name  string // in a word or two
	Value string // in a sentence
	Text  string // in full
}

// A History knows the cells of a session.
type History struct {
	cells    map[int]*source.Cell
	declared map[string]int // the cell that declares a name
	assigned map[string]int // the cell whose statements gave a value to a variable of a declaration
	set      map[string]int // the cell whose statements declared and set a variable of their own
	failed   map[string]failure
	costly   map[string]int // the declaration, by its cell, of which Costly has told
	imports  []string
}

// A failure is a cell that declares a name and did not compile, so that there is no such name.
type failure struct {
	cell int
	why  string
}

// NewHistory is the history of a session that begins.
func NewHistory() *History {
	return &History{map[int]*source.Cell{}, map[string]int{}, map[string]int{}, map[string]int{}, map[string]failure{}, map[string]int{}, nil}
}

// Imports are the imports of all cells that were compiled, as they stand in an import declaration.
func (h *History) Imports() []string { return h.imports }

// Begin notes the cell that runs as number n.
func (h *History) Begin(n int, c *source.Cell) { h.cells[n] = c }

// Built notes that cell n has been compiled, so that its declarations stay.
func (h *History) Built(n int) {
	c := h.cells[n]
	for _, spec := range c.Imports {
		if !slices.Contains(h.imports, spec) {
			h.imports = append(h.imports[:len(h.imports):len(h.imports)], spec)
		}
	}
	for name := range c.Declares {
		if name == "main" {
			continue
		}
		h.declared[name] = n
		delete(h.failed, name)
		delete(h.assigned, name)
		delete(h.set, name)
	}
	for name := range c.Assigns {
		if at, found := h.declared[name]; found && h.cells[at].Vars[name] {
			h.assigned[name] = n
		}
	}
	for name := range c.Sets {
		if _, found := h.declared[name]; !found {
			h.set[name] = n
		}
	}
}

// NotBuilt notes that cell n has not been compiled, and why, so that its declarations are lost.
func (h *History) NotBuilt(n int, why string) {
	for name := range h.cells[n].Declares {
		h.failed[name] = failure{n, why}
	}
}

// Forgotten tells of variables that cell n reads and to which the statements of another cell had given a value, which ended with that cell.
func (h *History) Forgotten(n int) (notes []string) {
	c := h.cells[n]
	for _, name := range sorted(h.assigned) {
		at := h.assigned[name]
		if _, reads := c.Reads[name]; !reads || at == n {
			continue
		}
		notes = append(
			notes,
			fmt.Sprintf("%s has its first value again: the one that the statements of cell [%d] gave it ended with that cell.\n"+
				"Give it the value where it is declared (var %s = …), or compute it here; prl.Keep saves what is slow.", name, at, name),
		)
	}
	return notes
}

// Costly tells, once for each declaration, that cell n has spent time on the value of a variable that another cell declares.
func (h *History) Costly(n int, name, time string) string {
	at := h.declared[name]
	if at == 0 || at == n || h.costly[name] == at {
		return ""
	}
	h.costly[name] = at
	return fmt.Sprintf("%s of this cell's time went into %s, which cell [%d] declares: every cell that needs it computes it again. "+
		"prl.Keep around it saves it.", time, name, at)
}

func sorted(m map[string]int) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// place is a line of a cell.
type place struct {
	cell, line, column int // line and column from 0; column -1 if not known; cell 0 if it is in none
}

// locate finds the line of a cell for a line of main.go, counted from 1.
func (h *History) locate(dir string, n, line, column int) place {
	text, err := os.ReadFile(filepath.Join(dir, "main.go"))
	if err != nil {
		return place{}
	}
	files := token.NewFileSet()
	file, _ := parser.ParseFile(files, "", text, parser.SkipObjectResolution)
	if file == nil {
		return place{}
	}
	at := func(pos token.Pos) int { return files.Position(pos).Line }
	from := func(key string, node ast.Node) place {
		cell := h.declared[key]
		if c := h.cells[n]; c != nil {
			if _, own := c.Declares[key]; own {
				cell = n
			}
		}
		c := h.cells[cell]
		if c == nil {
			return place{}
		}
		return place{cell, c.Declares[key] + line - at(node.Pos()), -1}
	}
	for _, d := range file.Decls {
		if line < at(d.Pos()) || line > at(d.End()) {
			continue
		}
		switch d := d.(type) {
		case *ast.FuncDecl:
			key := source.FuncKey(d)
			c := h.cells[n]
			if key != "main" || c == nil || c.Statements < 0 {
				p := from(key, d)
				p.column = column - 1
				return p
			}
			code := min(max(c.Statements+line-at(d.Pos())-2, c.Statements-1), len(c.Lines)-1)
			if code < 0 {
				return place{}
			}
			return place{n, c.Lines[code], c.Column(code, column-1)}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if line < at(s.Pos()) || line > at(s.End()) {
					continue
				}
				switch s := s.(type) {
				case *ast.TypeSpec:
					return from(s.Name.Name, s)
				case *ast.ValueSpec:
					return from(s.Names[0].Name, s)
				case *ast.ImportSpec:
					return h.imported(n, s.Path.Value)
				}
			}
		}
	}
	return place{}
}

// imported finds the cell with the import of a path, given with its quotes.
func (h *History) imported(n int, path string) place {
	for ; n > 0; n-- {
		if c := h.cells[n]; c != nil {
			for i, line := range strings.Split(c.Text, "\n") {
				if strings.Contains(line, path) {
					return place{n, i, -1}
				}
			}
		}
	}
	return place{}
}

// Problem accounts for a mistake that was seen without the compiler.
func (h *History) Problem(n int, p *source.Problem) Account {
	at := place{n, p.Line, p.Column}
	if p.Line < 0 {
		at = place{}
	}
	text := h.show(n, at, p.Title)
	if len(p.Remedy) > 0 {
		text += "\n" + strings.Join(p.Remedy, "\n")
	}
	return Account{"Not Go", strings.TrimSuffix(p.Title, "."), text}
}

// show is a message with its place and the line of the cell.
func (h *History) show(n int, at place, message string) string {
	c := h.cells[at.cell]
	if c == nil {
		return message
	}
	lines := strings.Split(c.Text, "\n")
	if at.line < 0 || at.line >= len(lines) {
		return message
	}
	where := fmt.Sprintf("line %d", at.line+1)
	if at.cell != n {
		where = fmt.Sprintf("cell [%d], line %d", at.cell, at.line+1)
	}
	line := strings.ReplaceAll(lines[at.line], "\t", "    ")
	head := fmt.Sprintf("%3d │ ", at.line+1)
	text := where + ": " + message + "\n" + head + line
	if at.column >= 0 && at.column <= len(lines[at.line]) {
		before := strings.ReplaceAll(lines[at.line][:at.column], "\t", "    ")
		text += "\n" + strings.Repeat(" ", len([]rune(head))-2) + "│ " + strings.Repeat(" ", len([]rune(before))) + "^"
	}
	return text
}

// Compile accounts for a build that failed.
func (h *History) Compile(n int, r build.Report) Account {
	if r.Stopped {
		return Interrupted
	}
	if len(r.Messages) == 0 {
		text := path.ReplaceAllString(strings.TrimSpace(r.Text), "")
		first, _, _ := strings.Cut(text, "\n")
		return Account{"Not built", first, text}
	}
	account := Account{Name: "Not compiled"}
	said := map[string]bool{}
	for _, m := range r.Messages {
		message, remedy := h.rephrase(n, m)
		if said[message+remedy] {
			continue
		}
		said[message+remedy] = true
		if account.Value == "" {
			account.Value = message
		} else {
			account.Text += "\n\n"
		}
		account.Text += h.show(n, h.locate(r.Dir, n, m.Line, m.Column), message)
		if remedy != "" {
			account.Text += "\n" + remedy
		}
	}
	if rest := strings.TrimSpace(path.ReplaceAllString(r.Text, "")); rest != "" {
		account.Text += "\n" + rest
	}
	account.Value, _, _ = strings.Cut(account.Value, "\n")
	return account
}

// Interrupted is the account of a cell that was stopped from outside.
var Interrupted = Account{"Interrupted", "the cell was stopped", "The cell was stopped."}

// path is the place of a file that has no meaning to a reader of the notebook.
var path = regexp.MustCompile(`(?m)(?:/\S*/)?gonb_\w+/|^main\.go:\d+:\d+: `)

var (
	mayNotUse = regexp.MustCompile(
		`^cannot use (.+) \((?:(?:variable|value|constant|untyped \w+ constant)[^)]*?) ?(?:of (?:\w+ )?type )?(\S+?)\) as (\S+) value in (.+)$`,
	)
	mismatched = regexp.MustCompile(`^invalid operation: (.+) \(mismatched types (.+) and (.+)\)$`)
	assignment = regexp.MustCompile(`^assignment mismatch: (\d+) variables? but (.+) returns? (\d+) values?`)
	undefined  = regexp.MustCompile(`^undefined: (\S+)`)
	member     = regexp.MustCompile(`^(.+)\.([\pL\d_]+) undefined \(type (.+?) has no field or method `)
	redeclared = regexp.MustCompile(`^(\S+) redeclared in this block`)
	notHere    = regexp.MustCompile(`(?s)(?:no required module provides|cannot find module providing) package ([^\s;:]+).*`)
	noResult   = regexp.MustCompile(`^(.+) \(no value\) used as value`)
)

// numbers are the types of numbers.
var numbers = map[string]bool{
	"int":     true,
	"float64": true,
	"float32": true,
	"int64":   true,
	"int32":   true,
	"uint":    true,
	"uint8":   true,
	"byte":    true,
}

// rephrase is a message of the compiler with what to do.
func (h *History) rephrase(n int, m build.Message) (message, remedy string) {
	message = strings.ReplaceAll(m.Text, source.ShowValue, "the cell's last line")
	near := ""
	if len(m.Near) > 0 {
		quoted := slices.Clone(m.Near)
		if last := len(quoted) - 1; last > 0 {
			near = "Did you mean " + strings.Join(quoted[:last], ", ") + " or " + quoted[last] + "?"
		} else {
			near = "Did you mean " + quoted[0] + "?"
		}
	}
	if x := member.FindStringSubmatch(message); x != nil {
		if _, but, found := strings.Cut(message, ", but does have "); found && near == "" {
			near = "There is " + strings.TrimSuffix(but, ")") + "."
		}
		if says := h.lost(n, m.Of+"."+x[2]); says != "" {
			near = says
		} else if says, found := abroad(x[2]); found && !same(m) {
			near = says
		}
		if near == "" {
			near = "Press Tab behind the dot to see what there is."
		}
		return fmt.Sprintf("%s has no method or field %s", x[1], x[2]), near
	}
	if x := undefined.FindStringSubmatch(message); x != nil {
		return "undefined: " + x[1], h.missing(n, x[1], near, same(m))
	}
	if x := notHere.FindStringSubmatch(message); x != nil {
		return "there is no package " + x[1] + " here", "The lab does not fetch packages by itself. To allow it, run a cell with the line\n  " +
			"  %env PRL_FETCH=1\nand then this one again. " +
			"A package of your own is taken in with a cell\n    !*go work use /path/of/its/module"
	}
	if x := mismatched.FindStringSubmatch(message); x != nil {
		remedy = "Both sides need one type."
		switch {
		case numbers[x[2]] && numbers[x[3]]:
			remedy = fmt.Sprintf("Go does not convert numbers by itself: write %s(…) around the one that is %s.", "float64", other(x[2], x[3]))
		case strings.HasSuffix(x[2], "string") || strings.HasSuffix(x[3], "string"):
			remedy = "To make text of a number, write fmt.Sprint(x)."
		}
		return message, remedy
	}
	if x := assignment.FindStringSubmatch(message); x != nil {
		if x[1] == "1" && x[3] == "2" {
			return message, "The second value is most often an error: take both,  v, err := …, or leave it out with  v, _ := …"
		}
		return message, "Name as many variables as there are values; _ takes one that you do not need."
	}
	if x := redeclared.FindStringSubmatch(message); x != nil {
		if x[1] == "main" {
			return "the cell has a function main and the line %% too", "Leave one of them out: the line %% begins main."
		}
		message, _, _ = strings.Cut(message, "\n") // the rest is a place in main.go
		remedy = "Give one of them another name."
		if at := h.declared[x[1]]; at > 0 && at != n {
			remedy = fmt.Sprintf("Cell [%d] declares it in line %d. ", at, h.cells[at].Declares[x[1]]+1) + remedy
		}
		return message, remedy
	}
	if x := noResult.FindStringSubmatch(message); x != nil {
		return x[1] + " gives no value", "Call it on a line of its own."
	}
	if x := mayNotUse.FindStringSubmatch(message); x != nil {
		remedy = ""
		if numbers[x[2]] && numbers[x[3]] {
			remedy = fmt.Sprintf("Go does not convert numbers by itself: write %s(%s).", x[3], x[1])
		} else if x[3] == "string" {
			remedy = fmt.Sprintf("To make text of it, write fmt.Sprint(%s).", x[1])
		} else if x[2] == "string" && numbers[x[3]] {
			remedy = fmt.Sprintf("To read a number from text, write  v, err := strconv.ParseFloat(%s, 64).", x[1])
		}
		return message, remedy
	}
	for _, r := range replies {
		if strings.Contains(message, r.sign) {
			return message, r.remedy
		}
	}
	return message, near
}

func other(a, b string) string {
	if a == "float64" {
		return b
	}
	return a
}

// replies are remedies for messages that are understood as they are.
var replies = []struct{ sign, remedy string }{
	{"no new variables on left side of :=", "The variable exists already: give it a new value with = instead of :=."},
	{"missing return", "Each way through the function needs a return at its end."},
	{"non-boolean condition", "A condition is a comparison: x != 0, and == to compare for equality."},
	{"cannot use nil", "nil is for pointers, slices, maps, functions and errors; a number is 0 and a text is \"\"."},
	{"is not used", "Give the value a name, or print it."},
	{"not enough arguments in call", "Shift+Tab inside the brackets shows what the function takes."},
	{"too many arguments in call", "Shift+Tab inside the brackets shows what the function takes."},
	{"too many return values", "The results of a function are named behind its brackets: func f(x float64) (float64, error)."},
	{"not enough return values", "Return as many values as the function promises behind its brackets."},
	{"use of package", "Write the package's name, a dot and a name of it; Tab behind the dot shows what there is."},
	{"cannot range over", "One can range over slices, maps, text, channels and whole numbers."},
	{"invalid argument: index", "The first element has the index 0, and the last len(x)-1."},
	{"division by zero", "A whole number cannot be divided by 0."},
	{"truncated to int", "A whole number is needed; a variable of type float64 takes fractions:  var x float64 = 0.5"},
	{"overflows", "The number does not fit the type; float64 and int hold the largest."},
	{"more than one character", "Text stands in double quotes: \"text\"."},
	{"cannot call non-function", "What is in front of the brackets is no function. A product is written with *."},
	{"unexported", "Only names that begin with a capital letter can be used from outside their package."},
	{"imported and not used", "Take the import out."},
	{"invalid recursive type", "Use a pointer: *T."},
	{"does not implement", "The value lacks a method that is needed here."},
	{"duplicate case", "Take one of the two cases out."},
	{"defined and not used", "A label is a word and a colon; is this line Python's? Go returns errors as values:  if err != nil { … }"},
	{"break statement not within", "break and continue belong into a loop."},
	{"continue statement not within", "break and continue belong into a loop."},
}

// same reports whether the one name that is near differs in capitals, or in the package before it, alone.
func same(m build.Message) bool {
	return len(m.Near) == 1 && strings.EqualFold(m.Near[0][strings.LastIndexByte(m.Near[0], '.')+1:], m.Missing)
}

// lost tells of a name that another cell declares, which did not compile.
func (h *History) lost(n int, name string) string {
	f, found := h.failed[name]
	if !found || f.cell == n {
		return ""
	}
	return fmt.Sprintf("Cell [%d] declares %s and did not compile: %s.\nMend that cell and run it, then this one.", f.cell, name,
		strings.TrimSuffix(f.why, "."))
}

// missing is what to do about a name that there is not. Same says that near names it with other capitals, or in a package.
func (h *History) missing(n int, name, near string, same bool) string {
	if says := h.lost(n, name); says != "" {
		return says
	}
	if at, found := h.set[name]; found && at != n {
		line := ""
		if c := h.cells[at]; c != nil {
			if lines := strings.Split(c.Text, "\n"); c.Sets[name] < len(lines) {
				line = strings.TrimSpace(lines[c.Sets[name]])
			}
		}
		text := fmt.Sprintf("%s was set in cell [%d], but values end with their cell; only declarations stay.\n", name, at)
		if left, right, found := strings.Cut(line, ":="); found && strings.TrimSpace(left) == name {
			return text + fmt.Sprintf("Declare it there, above %%%%:    var %s =%s\nor compute it here. prl.Keep saves what is slow.", name, right)
		}
		return text + fmt.Sprintf("Declare it there, above %%%%, with  var %s = …, or compute it here. prl.Keep saves what is slow.", name)
	}
	if c := h.cells[n]; c != nil {
		for _, line := range strings.Split(c.Text, "\n") {
			if left, _, found := strings.Cut(line, "="); found && strings.TrimSpace(left) == name && !strings.HasSuffix(left, ":") {
				return fmt.Sprintf("A new variable is declared with := :    %s := …", name)
			}
		}
	}
	if says, found := abroad(name); found && !same {
		if near != "" && !strings.Contains(name, ".") { // one of the reader's own names
			return near + "\n" + says
		}
		return says
	}
	if near != "" {
		return near
	}
	if strings.Contains(name, ".") {
		return "Press Tab behind the dot to see what there is."
	}
	return "No cell that ran has declared it. Run the cell that does, or declare it with  var " + name + " = …"
}
