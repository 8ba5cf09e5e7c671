//go:build unix

package build

import (
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// keepFile tells cell.Keep, in the folder of DirVar, what the code of the cell is: on its first line that of the library, and on each that
// follows a piece of main.go from a line to a line, its name, and a hash of it and of all that it needs.
const keepFile = "keep.txt"

// keeps finds what keeps a result: Keep, and the steps that give a plan its data, after which a slow fit is kept.
var keeps = regexp.MustCompile(`\b(Keep|Fit|Compare)\s*\(`)

// tellKeep writes the file, if the program may keep anything.
func (b *builder) tellKeep(text string) {
	path := filepath.Join(b.talk, keepFile)
	if keeps.MatchString(text) {
		if p := newProgram(text, b.cell, nil); p.file != nil {
			os.WriteFile(path, []byte(b.sources()+"\n"+p.code()), 0o600)
			return
		}
	}
	os.Remove(path)
}

// sources is a hash of the modules whose sources can change, but for their tests and the commands. Of the lab it is the library alone.
func (b *builder) sources() string {
	sum := sha256.New()
	modules := b.modules()
	for _, module := range slices.Sorted(keys(modules)) {
		filepath.WalkDir(modules[module], func(path string, d fs.DirEntry, err error) error {
			name, inside := "", false
			if err == nil {
				name, inside = d.Name(), path != modules[module]
			}
			switch {
			case err != nil:
				return nil
			case d.IsDir() && inside && (name == "testdata" || name == "cmd" || name == "notebooks" || name == "docker" || name == "plotting" ||
				strings.HasPrefix(name, ".")):
				return fs.SkipDir
			case d.IsDir() || strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, ".md") || strings.HasSuffix(name, ".ipynb"):
				return nil
			}
			if text, err := os.ReadFile(path); err == nil {
				fmt.Fprintf(sum, "%s %s %d\x00%s", module, strings.TrimPrefix(path, modules[module]), len(text), text)
			}
			return nil
		})
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// A piece is a declaration, or the beginning of a function up to the end of a statement.
type piece struct {
	name     string // with "type:" before that of a type
	from, to token.Pos
	nodes    []ast.Node
}

// A digest finds the pieces of main.go and what they need. Names are looked up without types: a method counts with all methods of its name,
// which is more than is needed at worst.
type digest struct {
	*program
	named  map[string][]ast.Node // what a name may stand for
	pieces []piece
	always []ast.Node // what runs before every cell
	texts  map[ast.Node]string
	idents map[ast.Node][]string
}

// code lists the pieces of main.go that keep something, by themselves or by what they call, and the types.
func (p *program) code() string {
	d := &digest{program: p, named: map[string][]ast.Node{}, texts: map[ast.Node]string{}, idents: map[ast.Node][]string{}}
	for _, spec := range p.file.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		name := filepath.Base(path)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		d.named[name] = append(d.named[name], spec)
	}
	for _, declaration := range p.file.Decls {
		switch declaration := declaration.(type) {
		case *ast.FuncDecl:
			d.function(declaration)
		case *ast.GenDecl:
			d.general(declaration)
		}
	}
	var b strings.Builder
	line := func(at token.Pos) int { return p.files.Position(at).Line }
	for _, q := range d.pieces {
		if hash, keeps := d.closure(q.nodes); keeps || strings.HasPrefix(q.name, "type:") {
			fmt.Fprintf(&b, "%d %d %s %s\n", line(q.from), line(q.to), q.name, hash)
		}
	}
	return b.String()
}

// function adds a function. A statement cannot depend on those that follow it, so what is shown of a result does not count as the code that
// made it.
func (d *digest) function(f *ast.FuncDecl) {
	d.named[f.Name.Name] = append(d.named[f.Name.Name], f)
	head := []ast.Node{f.Type.Params}
	if f.Type.TypeParams != nil {
		head = append(head, f.Type.TypeParams)
	}
	if f.Type.Results != nil {
		head = append(head, f.Type.Results)
	}
	if f.Recv != nil {
		head = append(head, f.Recv)
		ast.Inspect(f.Recv, func(n ast.Node) bool { // a type needs its methods
			if id, is := n.(*ast.Ident); is {
				d.named[id.Name] = append(d.named[id.Name], f)
			}
			return true
		})
	} else if strings.HasPrefix(f.Name.Name, "init") {
		d.always = append(d.always, f)
	}
	if f.Body == nil {
		return
	}
	for i, s := range f.Body.List {
		nodes := slices.Clone(head)
		for _, before := range f.Body.List[:i+1] {
			nodes = append(nodes, before)
		}
		d.pieces = append(d.pieces, piece{f.Name.Name, s.Pos(), s.End(), nodes})
	}
	d.pieces = append(d.pieces, piece{f.Name.Name, f.Pos(), f.End(), []ast.Node{f}}) // for a function that is passed by its name
}

// general adds a declaration of constants, types or variables.
func (d *digest) general(g *ast.GenDecl) {
	for _, s := range g.Specs {
		var node ast.Node = s
		if g.Tok == token.CONST {
			node = g // constants that are declared together may count
		}
		switch s := s.(type) {
		case *ast.TypeSpec:
			d.named[s.Name.Name] = append(d.named[s.Name.Name], node)
			d.pieces = append(d.pieces, piece{"type:" + s.Name.Name, s.Pos(), s.End(), []ast.Node{s}})
		case *ast.ValueSpec:
			for _, name := range s.Names {
				d.named[name.Name] = append(d.named[name.Name], node)
			}
			d.pieces = append(d.pieces, piece{s.Names[0].Name, s.Pos(), s.End(), []ast.Node{node}})
		}
	}
}

// closure is a hash of nodes and of all that they name, and says whether anything among them keeps results.
func (d *digest) closure(nodes []ast.Node) (hash string, keeps bool) {
	seen, known := map[ast.Node]bool{}, map[string]bool{}
	todo := slices.Concat(nodes, d.always)
	var own, others []string
	for k := 0; k < len(todo); k++ {
		n := todo[k]
		if seen[n] {
			continue
		}
		seen[n] = true
		d.read(n)
		if k < len(nodes) {
			own = append(own, d.texts[n])
		} else {
			others = append(others, d.texts[n])
		}
		for _, name := range d.idents[n] {
			if !known[name] {
				known[name] = true
				todo = append(todo, d.named[name]...)
			}
		}
	}
	slices.Sort(others) // whatever the order of their names
	sum := sha256.Sum256([]byte(strings.Join(own, "\x00") + "\x00\x00" + strings.Join(others, "\x00")))
	return fmt.Sprintf("%x", sum), known["Keep"]
}

// read notes the text of a node, without comments and spaces, and its names.
func (d *digest) read(n ast.Node) {
	if _, known := d.texts[n]; known {
		return
	}
	text := []byte(d.between(n))
	var s scanner.Scanner
	files := token.NewFileSet()
	s.Init(files.AddFile("", files.Base(), len(text)), text, nil, 0)
	var b strings.Builder
	for {
		_, t, literal := s.Scan()
		switch {
		case t == token.EOF:
			d.texts[n] = b.String()
			return
		case t == token.IDENT:
			d.idents[n] = append(d.idents[n], literal)
		case t == token.SEMICOLON:
			literal = ";"
		case literal == "":
			literal = t.String()
		}
		b.WriteString(literal + " ")
	}
}
