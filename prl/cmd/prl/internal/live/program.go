// Package live makes of a notebook the program that its page runs: the cells with live figures and the declarations they use, compiled to
// WebAssembly.
package live

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/notebook"
)

// A Cell is a cell of Go: its id and its text as its author wrote it, and whether its output holds a film, which a page with a program
// draws between its frames too.
type Cell struct {
	ID, Text string
	Film     bool
}

// Cells returns the cells of a notebook that run; for students without the solutions of exercises, which a module would give away.
func Cells(n *notebook.Notebook, student bool) (cells []Cell) {
	for _, c := range n.Cells {
		if c.Runs() && !(student && slices.Contains(c.Tags(), "solution")) {
			outputs, _ := json.Marshal(c.Outputs()) // they were JSON
			cells = append(cells, Cell{c.ID(), c.Source(), bytes.Contains(outputs, []byte("data-prl-film="))})
		}
	}
	return cells
}

// Program returns the program of the cells whose statements show live figures, and their ids; "" when there are none. Declarations are
// those that a kernel has when it runs the cell, the later in place of the earlier. Those that no live cell uses, whether in its statements
// or in what these use, are left out. Two live cells that use two versions of a declaration are an error, for the program has one. Cells
// with films come along where there are live ones, unless they use other versions; their films then have their frames only.
func Program(cells []Cell) (text string, ids []string, err error) {
	known := scope{names: map[string]*declaration{}, methods: map[string]*declaration{}, imports: map[string]string{}}
	p := program{uses: newUses()}
	var r reader
	type film struct {
		body *declaration
		uses uses
	}
	var films []film
	for _, c := range cells {
		part, err := r.read(c)
		if err != nil {
			if strings.Contains(c.Text, liveWord) {
				return "", nil, err
			}
			continue // a cell that does not run shows nothing
		}
		known.add(part)
		if part.body == nil {
			continue
		}
		uses, calls := known.closure(part.body)
		if !calls.any(liveMakers) {
			if c.Film {
				films = append(films, film{part.body, uses})
			}
			continue
		}
		if err := p.take(part.body, uses); err != nil {
			return "", nil, err
		}
		ids = append(ids, c.ID)
	}
	if len(ids) == 0 {
		return "", nil, nil
	}
	for _, f := range films {
		if p.take(f.body, f.uses) == nil {
			ids = append(ids, f.body.cell)
		}
	}
	if err := p.harmless(); err != nil {
		return "", nil, err
	}
	return p.text(), ids, nil
}

// CellProgram returns the program of one cell that a kernel runs, with all that the kernel knows in its text: "" when its statements show
// no live figure and call no Slide. Only the cell's output reports whether the Slide is a film, which has pictures between its frames.
func CellProgram(c Cell) (text string, err error) {
	known := scope{names: map[string]*declaration{}, methods: map[string]*declaration{}, imports: map[string]string{}}
	var r reader
	part, err := r.read(c)
	if err != nil || part.body == nil {
		return "", err
	}
	known.add(part)
	uses, calls := known.closure(part.body)
	if !calls.any(liveMakers) && !calls.any(filmMakers) {
		return "", nil
	}
	p := program{uses: newUses()}
	if err := p.take(part.body, uses); err != nil {
		return "", err
	}
	if err := p.harmless(); err != nil {
		return "", err
	}
	return p.text(), nil
}

// Slice returns what statements use of a notebook, as Go: the specs of the imports, and the declarations that a kernel has behind the last
// cell. Cells that do not run give nothing.
func Slice(cells []Cell, statements string) (imports []string, declarations string, err error) {
	known := scope{names: map[string]*declaration{}, methods: map[string]*declaration{}, imports: map[string]string{}}
	var r reader
	for _, c := range cells {
		if part, err := r.read(c); err == nil {
			known.add(part)
		}
	}
	part, err := r.read(Cell{ID: "statements", Text: "%%\n" + statements})
	if err != nil {
		return nil, "", err
	}
	var p program
	p.uses, _ = known.closure(part.body)
	return slices.Sorted(maps.Values(p.uses.imports)), p.declarations(), nil
}

// Declared returns all that a kernel knows behind the last of the cells, as Go: the specs of the imports, and the declarations. Cells that
// do not parse give nothing.
func Declared(cells []Cell) (imports []string, declarations string) {
	known := scope{names: map[string]*declaration{}, methods: map[string]*declaration{}, imports: map[string]string{}}
	var r reader
	for _, c := range cells {
		if part, err := r.read(c); err == nil {
			known.add(part)
		}
	}
	p := program{uses: newUses()}
	for _, of := range []map[string]*declaration{known.names, known.methods} {
		for _, d := range of {
			p.uses.declarations[d.key()] = d
		}
	}
	return slices.Sorted(maps.Values(known.imports)), p.declarations()
}

// liveWord is the function that makes a figure live, in package prl.
const liveWord = "Live"

// library is the package of live figures.
const library = checkout.Module + "/prl/live"

// liveMakers make live figures, and filmMakers figures that may be films.
var (
	liveMakers = calls{{checkout.Module + "/prl", liveWord}: true, {library, "New"}: true}
	filmMakers = calls{{checkout.Module + "/prl", "Slide"}: true, {checkout.Module + "/plotting", "Slide"}: true}
)

// calls are functions of packages: of is the path.
type calls map[selection]bool

// any reports whether one of them is among others.
func (c calls) any(others calls) bool {
	for s := range others {
		if c[s] {
			return true
		}
	}
	return false
}

// scope is what a kernel knows when it runs a cell.
type scope struct {
	names   map[string]*declaration // variables, constants, types and functions
	methods map[string]*declaration // by Type.Method
	starts  []*declaration          // initialisations without a name
	imports map[string]string       // specs by name
}

// add takes what a cell declares, in the place of what it declares again.
func (k *scope) add(p *part) {
	maps.Copy(k.imports, p.imports)
	for _, d := range p.declarations {
		switch {
		case d.of != "":
			k.methods[d.key()] = d
		case len(d.names) == 0:
			k.starts = append(k.starts, d)
		}
		for _, name := range d.names {
			if old := k.names[name]; old != nil && old.cell != d.cell {
				for _, other := range old.names {
					delete(k.names, other)
				}
			}
		}
		for _, name := range d.names {
			k.names[name] = d
		}
	}
}

// uses are the declarations and imports that a cell uses.
type uses struct {
	declarations map[string]*declaration // by key
	imports      map[string]string       // specs by name
}

func newUses() uses { return uses{map[string]*declaration{}, map[string]string{}} }

// closure returns what the statements use, and what that uses, and what is called there.
func (k *scope) closure(body *declaration) (u uses, called calls) {
	u, called = newUses(), calls{}
	waiting := []*declaration{body}
	keep := func(d *declaration) {
		if d != nil && u.declarations[d.key()] == nil {
			u.declarations[d.key()] = d
			waiting = append(waiting, d)
		}
	}
	for len(waiting) > 0 {
		d := waiting[0]
		waiting = waiting[1:]
		for name := range d.uses {
			if own := k.names[name]; own != nil {
				keep(own)
			} else if spec, ok := k.imports[name]; ok {
				u.imports[name] = spec
			}
		}
		for _, s := range d.selects {
			path, _ := strconv.Unquote(strings.TrimPrefix(k.imports[s.of], s.of+" "))
			called[selection{path, s.name}] = true
		}
		for _, m := range k.methods {
			if slices.Contains(d.names, m.of) {
				keep(m)
			}
		}
		if len(waiting) > 0 {
			continue
		}
		for _, s := range k.starts { // of what is there
			for name := range s.uses {
				if own := k.names[name]; own != nil && u.declarations[own.key()] != nil {
					keep(s)
				}
			}
		}
	}
	return u, called
}

// program is the program of a page as it grows, cell by cell.
type program struct {
	uses   uses
	bodies []*declaration
}

func (p *program) take(body *declaration, u uses) error {
	for _, name := range slices.Sorted(maps.Keys(u.declarations)) {
		d := u.declarations[name]
		for _, old := range p.uses.declarations {
			if old.text != d.text && old.clashes(d) {
				return fmt.Errorf("cell %s declares %s, and cell %s declares it again; live cells use both, and the page has one: "+
					"give the later another name", old.cell, name, d.cell)
			}
		}
	}
	for name, spec := range u.imports {
		if old, ok := p.uses.imports[name]; ok && old != spec {
			return fmt.Errorf("live cells import %s as %s and as %s: give one of them another name", name, old, spec)
		}
	}
	for key, d := range u.declarations {
		if p.uses.declarations[key] == nil {
			p.uses.declarations[key] = d
		}
	}
	maps.Copy(p.uses.imports, u.imports)
	p.bodies = append(p.bodies, body)
	return nil
}

// text writes the program. Lines say from which cell they come, so that the compiler does too.
func (p *program) text() string {
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n\tprlLive " + strconv.Quote(library) + "\n")
	for _, name := range slices.Sorted(maps.Keys(p.uses.imports)) {
		b.WriteString("\t" + p.uses.imports[name] + "\n")
	}
	b.WriteString(")\n\nfunc main() {\n\tprlLive.Serve(map[string]func(){\n")
	for i, body := range p.bodies {
		fmt.Fprintf(&b, "\t\t%q: prlCell%d,\n", body.cell, i)
	}
	b.WriteString("\t})\n}\n" + p.declarations())
	for i, body := range p.bodies {
		body.write(&b, fmt.Sprintf("func prlCell%d() ", i))
	}
	return b.String()
}

// idle encloses the claims of a cell in branches that are never taken: a kernel has judged them, and a page only draws. The compiler leaves
// such branches out, and all that only they use, but sees that variables are used.
func (d *declaration) idle() string {
	var b strings.Builder
	from := 0
	for _, c := range d.claims {
		b.WriteString(d.text[from:c[0]] + "if false { " + d.text[c[0]:c[1]] + " }")
		from = c[1]
	}
	return b.String() + d.text[from:]
}

// declarations writes the declarations of a program in the order of the notebook.
func (p *program) declarations() string {
	var b strings.Builder
	for _, d := range slices.SortedFunc(maps.Values(p.uses.declarations), func(a, b *declaration) int { return a.order - b.order }) {
		d.write(&b, d.keyword)
	}
	return b.String()
}

func (d *declaration) write(b *strings.Builder, beginning string) {
	fmt.Fprintf(b, "\n//line %s:%d\n%s%s\n", file(d.cell), d.line, beginning, d.idle())
}

// file is the name under which the compiler speaks of a cell.
func file(cell string) string { return "cell-" + cell + ".go" }

// A declaration is a variable, constant, type, function or method, or several that belong together, as they stand in a cell; or the
// statements of the cell.
type declaration struct {
	names   []string // empty for a method, an initialisation and statements
	of      string   // the type of a method
	method  string
	cell    string
	line    int    // of the cell, from 1
	order   int    // in the notebook
	keyword string // before the text
	text    string
	claims  [][2]int        // where claims begin and end in the text of statements
	uses    map[string]bool // names that are declared elsewhere
	selects []selection
}

// A selection is name behind a dot: of.name.
type selection struct{ of, name string }

// key is the name of a declaration among all.
func (d *declaration) key() string {
	switch {
	case d.of != "":
		return d.of + "." + d.method
	case len(d.names) == 0:
		return fmt.Sprintf("the initialisation in line %d of cell %s", d.line, d.cell)
	}
	return strings.Join(d.names, ", ")
}

// clashes reports whether one program cannot have both.
func (d *declaration) clashes(other *declaration) bool {
	return d.key() == other.key() || slices.ContainsFunc(d.names, func(name string) bool { return slices.Contains(other.names, name) })
}

// inspect notes what a node uses; outside are the identifiers that are declared elsewhere.
func (d *declaration) inspect(node ast.Node, outside func(*ast.Ident) bool) {
	d.uses = map[string]bool{}
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && outside(x) {
				d.selects = append(d.selects, selection{x.Name, n.Sel.Name})
			}
		case *ast.Ident:
			if outside(n) {
				d.uses[n.Name] = true
			}
		}
		return true
	})
}

// specs parts a group into its declarations; constants stay together, for they may count.
func specs(d *ast.GenDecl) []ast.Node {
	if d.Tok == token.CONST || !d.Lparen.IsValid() {
		return []ast.Node{d}
	}
	var list []ast.Node
	for _, s := range d.Specs {
		list = append(list, s)
	}
	return list
}

// Main returns the program that the kernel makes of the statements of one cell, with the declarations that they use: those of the cell and
// of the cells before it, the later in place of the earlier.
func Main(cells []Cell, id string) (string, error) {
	known := scope{names: map[string]*declaration{}, methods: map[string]*declaration{}, imports: map[string]string{}}
	var r reader
	for _, c := range cells {
		part, err := r.read(c)
		if err != nil {
			return "", err
		}
		known.add(part)
		if c.ID != id {
			continue
		}
		if part.body == nil {
			return "", fmt.Errorf("cell %s has no statements", id)
		}
		uses, _ := known.closure(part.body)
		p := program{uses: uses, bodies: []*declaration{part.body}}
		return p.main("func main() "), nil
	}
	return "", fmt.Errorf("there is no cell %s", id)
}

// main writes the program of one cell, whose statements stand behind a beginning.
func (p *program) main(beginning string) string {
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n")
	for _, name := range slices.Sorted(maps.Keys(p.uses.imports)) {
		b.WriteString("\t" + p.uses.imports[name] + "\n")
	}
	b.WriteString(")\n")
	p.write(&b, p.bodies[0], beginning)
	return b.String()
}

// write writes the declarations, and the statements behind a beginning.
func (p *program) write(b *strings.Builder, body *declaration, beginning string) {
	kept := slices.SortedFunc(maps.Values(p.uses.declarations), func(a, b *declaration) int { return a.order - b.order })
	for _, d := range kept {
		fmt.Fprintf(b, "\n//line %s:%d\n%s%s\n", file(d.cell), d.line, d.keyword, d.text)
	}
	fmt.Fprintf(b, "\n//line %s:%d\n%s%s\n", file(body.cell), body.line, beginning, body.text)
}
