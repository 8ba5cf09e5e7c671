package prose

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/prlab/prlab/prl/notebook"
)

// A formula is a displayed or other formula with the lines that bind it.
type formula struct {
	cell, tex string
	lines     string
	parts     []part
	code      string // what draws arguments
	tolerance string
	approx    string // tolerance of an approximation
	draws     int
	holds     string // an expression of Go
	value     string // another, for a formula without a relation
	bindings  []binding
	names     []string // what the code declares
}

// A part is a chain of relations: a = b = c.
type part struct {
	sides     [][]token
	relations []string
}

// A value is a number of the text with its code.
type value struct {
	cell    string
	printed shown
	code    string
}

var (
	comments  = regexp.MustCompile(`(?s)<!--\s*(formula\b|=)(.*?)-->`)
	mathPlace = regexp.MustCompile(`(?s)\$\$.*?\$\$|\$[^$]+?\$`)
	codeSpan  = regexp.MustCompile("(?s)```.*?```|`[^`]*`")
	rangeLine = regexp.MustCompile(`^([A-Za-z]\w*) in (.+?)\.\.(.+?)(?: if (.+))?$`)
)

// read finds what the text of a chapter binds.
func read(n *notebook.Notebook) (formulas []*formula, values []value, err error) {
	var errs []error
	for _, c := range n.Cells {
		if c.IsCode() {
			continue
		}
		text := codeSpan.ReplaceAllStringFunc(c.Source(), func(s string) string { return strings.Repeat(" ", len(s)) })
		for _, m := range comments.FindAllStringSubmatchIndex(text, -1) {
			before, what, said := text[:m[0]], text[m[2]:m[3]], c.Source()[m[4]:m[5]]
			if what == "=" {
				codes := strings.Split(said, ";")
				numbers := numbersIn(anyComment.ReplaceAllString(before, ""))
				if len(numbers) < len(codes) {
					errs = append(errs, fmt.Errorf("cell %s: no number stands before = %s", c.ID(), said))
					continue
				}
				for i, s := range numbers[len(numbers)-len(codes):] {
					values = append(values, value{c.ID(), s, strings.TrimSpace(codes[i])})
				}
				continue
			}
			places := mathPlace.FindAllString(anyComment.ReplaceAllString(before, ""), -1)
			if len(places) == 0 {
				errs = append(errs, fmt.Errorf("cell %s: no formula stands before its lines", c.ID()))
				continue
			}
			f := &formula{cell: c.ID(), tex: strings.TrimSpace(strings.Trim(places[len(places)-1], "$"))}
			f.lines, f.tolerance, f.draws, f.holds = said, "1e-9", 40, "true"
			if err := f.read(); err != nil {
				errs = append(errs, fmt.Errorf("cell %s, %s: %w", f.cell, f.tex, err))
				continue
			}
			formulas = append(formulas, f)
		}
	}
	return formulas, values, errors.Join(errs...)
}

// read takes the lines of a formula apart, and the formula.
func (f *formula) read() error {
	if strings.Contains(f.lines, "\n\n") {
		return errors.New("a blank line, which ends a comment inside of a paragraph, stands among its lines")
	}
	var only []int
	for line := range strings.Lines(f.lines) {
		left, right, binds := strings.Cut(strings.TrimSpace(line), " => ")
		if !binds {
			f.code += line
			continue
		}
		left, right = strings.TrimSpace(left), strings.TrimSpace(right)
		switch left {
		case "tolerance":
			f.tolerance = right
		case "approx":
			f.approx = right
		case "draws":
			n, err := strconv.Atoi(right)
			if err != nil {
				return err
			}
			f.draws = n
		case "holds":
			f.holds = right
		case "value":
			f.value = right
		case "only":
			for s := range strings.SplitSeq(right, ",") {
				n, err := strconv.Atoi(strings.TrimSpace(s))
				if err != nil {
					return err
				}
				only = append(only, n)
			}
		default:
			b := binding{code: right, written: left}
			tex, calls := strings.CutSuffix(left, "()")
			b.calls = calls
			if m := rangeLine.FindStringSubmatch(right); m != nil {
				b.name, b.lo, b.hi, b.only = m[1], m[2], m[3], m[4]
			}
			var err error
			if b.tokens, err = tokens(tex); err != nil {
				return err
			}
			for _, t := range b.tokens {
				b.keys = append(b.keys, t.key())
			}
			if len(b.keys) == 0 {
				return fmt.Errorf("nothing is bound by %s", line)
			}
			f.bindings = append(f.bindings, b)
		}
	}
	f.names = declared(f.code)
	ts, err := tokens(f.tex)
	if err != nil {
		return err
	}
	all := f.split(ts)
	if len(all) == 0 && f.value == "" {
		return errors.New("it has no relation")
	}
	if only == nil {
		f.parts = all
	}
	for _, n := range only {
		if n < 1 || n > len(all) {
			return fmt.Errorf("it has no part %d", n)
		}
		f.parts = append(f.parts, all[n-1])
	}
	if f.value != "" {
		named := token{kind: words, text: "its value in the code"}
		f.bindings = append(f.bindings, binding{tokens: []token{named}, code: f.value, keys: []string{named.key()}, written: "value"})
		if len(f.parts) == 0 {
			f.parts = []part{{sides: [][]token{ts}}}
		}
		f.parts[0].sides = slices.Concat([][]token{{named}}, f.parts[0].sides)
		f.parts[0].relations = slices.Concat([]string{"="}, f.parts[0].relations)
	}
	return nil
}

// split parts a formula at commas, wide blanks and words outside parentheses, and these at their relations.
func (f *formula) split(ts []token) (parts []part) {
	var side []token
	current := part{}
	depth, bars := 0, 0
	finish := func() {
		if len(current.relations) > 0 && len(side) > 0 {
			current.sides = append(current.sides, side)
			parts = append(parts, current)
		}
		current, side = part{}, nil
	}
	c := compiler{ts: ts, bindings: f.bindings}
	for c.at < len(ts) {
		t := ts[c.at]
		if b := c.bound(); b != nil && !b.calls {
			side = append(side, ts[c.at:c.at+len(b.keys)]...)
			c.at += len(b.keys)
			continue
		}
		c.at++
		switch t.kind {
		case opening:
			depth++
		case closing:
			depth--
		case stroke:
			bars ^= 1
		case words:
			t.kind = end
		}
		switch {
		case depth > 0 || bars > 0:
			side = append(side, t)
		case t.kind == end || t.kind == comma:
			finish()
		case t.kind == relation:
			current.sides, current.relations, side = append(current.sides, side), append(current.relations, t.text), nil
		default:
			side = append(side, t)
		}
	}
	finish()
	return parts
}

// declared lists the names that statements declare.
func declared(code string) (names []string) {
	file, err := parser.ParseFile(gotoken.NewFileSet(), "", "package p\nfunc f() {\n"+code+"\n}", parser.SkipObjectResolution)
	if err != nil {
		return nil // the compiler says where
	}
	body := file.Decls[0].(*ast.FuncDecl).Body
	add := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok && id.Name != "_" && !slices.Contains(names, id.Name) {
			names = append(names, id.Name)
		}
	}
	for _, s := range body.List {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok == gotoken.DEFINE {
				for _, e := range s.Lhs {
					add(e)
				}
			}
		case *ast.DeclStmt:
			if g, ok := s.Decl.(*ast.GenDecl); ok && g.Tok == gotoken.VAR {
				for _, spec := range g.Specs {
					for _, id := range spec.(*ast.ValueSpec).Names {
						add(id)
					}
				}
			}
		}
	}
	return names
}

// sides writes the sides of a part as Go.
func (f *formula) sides(p part, used, indices map[string]bool) (all []string, err error) {
	opaque := 0
	for _, side := range p.sides {
		c := compiler{ts: side, bindings: f.bindings, scope: map[string]string{}, used: used, indices: indices, names: f.names}
		if b := c.bound(); b != nil && !b.calls && len(b.keys) == len(side) {
			opaque++
		}
		s, err := c.expression()
		if err == nil && c.at < len(side) {
			err = fmt.Errorf("not understood: %s", show(side[c.at:]))
		}
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	if opaque == len(p.sides) {
		return nil, errors.New("each side is one binding, so that nothing of the formula is evaluated")
	}
	for _, r := range p.relations {
		if strings.HasPrefix(r, `\`) && r != `\le` && r != `\ge` && !(r == `\approx` && f.approx != "") {
			return nil, fmt.Errorf("the relation %s cannot be evaluated", r)
		}
	}
	return all, nil
}

// A mutant is a part of a formula with one planted mistake.
type mutant struct {
	part int
	what string
	p    part
}

// mutants plants mistakes one at a time: signs, numbers, relations, fractions and powers, and symbols that take each other's place.
func (f *formula) mutants() (all []mutant) {
	for i, p := range f.parts {
		for s, side := range p.sides {
			for _, v := range f.variants(side) {
				q := part{slices.Clone(p.sides), p.relations}
				q.sides[s] = v.ts
				all = append(all, mutant{i, v.what, q})
			}
		}
		for k, r := range p.relations {
			if other := map[string]string{"<": ">", ">": "<", `\le`: `\ge`, `\ge`: `\le`}[r]; other != "" {
				q := part{p.sides, slices.Clone(p.relations)}
				q.relations[k] = other
				all = append(all, mutant{i, r + " to " + other, q})
			}
		}
	}
	return all
}

// commute reports whether two pieces are factors side by side, or terms, so that their order means nothing.
func commute(ts []token, from, to, at, next int) bool {
	if next < len(ts) && ts[next].kind == power {
		return false
	}
	if at == to {
		return true
	}
	ends := func(i int) bool {
		return i < 0 || i >= len(ts) || ts[i].kind == sign && ts[i].text == "+" || ts[i].kind == opening || ts[i].kind == closing
	}
	return at == to+1 && ts[to].kind == sign && (ts[to].text == "*" || ts[to].text == "+" && ends(from-1) && ends(next))
}

type variant struct {
	ts   []token
	what string
}

func (f *formula) variants(ts []token) (all []variant) {
	with := func(i int, what string, put ...token) {
		all = append(all, variant{slices.Concat(ts[:i:i], put, ts[i+1:]), what})
	}
	c := compiler{ts: ts, bindings: f.bindings}
	from, to := -1, -1 // the bound piece before
	for i := 0; i < len(ts); i++ {
		c.at = i
		if b := c.bound(); b != nil && !b.calls {
			next := i + len(b.keys)
			here := ts[i:next]
			all = append(all, variant{slices.Concat(ts[:i:i], ts[next:]), "without " + show(here)})
			if from >= 0 && keys(ts[from:to]) != keys(here) && !commute(ts, from, to, i, next) {
				all = append(all, variant{
					slices.Concat(ts[:from:from], here, ts[to:i], ts[from:to], ts[next:]), show(ts[from:to]) + " and " + show(here) + " exchanged",
				})
			}
			from, to, i = i, next, next-1
			continue
		}
		t := ts[i]
		switch {
		case t.kind == sign && t.text == "+":
			with(i, "+ to -", token{kind: sign, text: "-"})
		case t.kind == sign && t.text == "-":
			with(i, "- to +", token{kind: sign, text: "+"})
		case t.kind == sign && t.text == "/":
			with(i, "/ to *", token{kind: sign, text: "*"})
		case t.kind == number:
			if v, err := strconv.Atoi(t.text); err == nil {
				with(i, t.text+" to "+strconv.Itoa(v+1), token{kind: number, text: strconv.Itoa(v + 1)})
			}
		case t.kind == power:
			with(i, "without the power "+show(t.args[0]))
		case t.kind == fraction:
			with(i, "fraction upside down", token{kind: fraction, args: [][]token{t.args[1], t.args[0]}})
		case t.kind == root:
			with(i, "without the root", token{kind: group, args: t.args[:1]})
		}
		for k, a := range t.args {
			if t.kind == big {
				continue // the ranges are the author's
			}
			for _, v := range f.variants(a) {
				u := t
				u.args = slices.Clone(t.args)
				u.args[k] = v.ts
				with(i, v.what, u)
			}
		}
	}
	return all
}

// write writes a formula as a call of Host.Formula, and the mistakes planted in it.
func (f *formula) write(b *strings.Builder, name string) (planted []mutant, err error) {
	fmt.Fprintf(b, "prlHost.Formula(%q, %d, func(r *prlRand.Rand, prlCase *prlHolds.Case) {\n%s\n", name, f.draws, f.code)
	for _, n := range f.names {
		fmt.Fprintf(b, "prlCase.Arg(%q, %s)\n", n, n)
	}
	used, indices := map[string]bool{}, map[string]bool{}
	relations := func(p part, format string, label int) error {
		sides, err := f.sides(p, used, indices)
		if err != nil {
			return err
		}
		for i, r := range p.relations {
			tolerance := f.tolerance
			if r == `\approx` {
				tolerance = f.approx
			}
			fmt.Fprintf(b, format, label, r, sides[i], sides[i+1], tolerance, f.holds)
		}
		return nil
	}
	for i, p := range f.parts {
		if err := relations(p, "prlCase.Relation(%d, %q, %s, %s, %s, %s)\n", i+1); err != nil {
			return nil, err
		}
	}
	for _, binding := range f.bindings {
		if !used[binding.written] {
			return nil, fmt.Errorf("%s is bound and does not occur", binding.written)
		}
	}
	if f.holds == "false" { // a misprint, under which a mistake changes nothing
		b.WriteString("})\n")
		return nil, nil
	}
	for _, m := range f.mutants() {
		k := len(planted)
		if err := relations(m.p, "prlCase.Mutant(%d, func() bool { return prlHolds.True(%q, %s, %s, %s) == (%s) })\n", k); err != nil {
			continue // an exchange that is no formula any more
		}
		planted = append(planted, m)
	}
	b.WriteString("})\n")
	return planted, nil
}
