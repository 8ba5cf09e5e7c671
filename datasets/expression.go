package datasets

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Expressions of columns are checked when the program runs: names and kinds of columns are not known before. They are parsed by package
// go/parser, which is in the standard library and light (expr-lang/expr compiles to a machine of its own, for loops and closures that no
// column needs), and evaluated a whole column at a time.

// values are what an expression is for each row: numbers, dates, words or truths.
type values struct {
	column
	truths []bool
	gapped []bool // truths that depend on a gap; nil when none does
	one    bool   // the same for all rows, of which only the first is kept
}

func (v values) kindName() string {
	if v.truths != nil {
		return "a condition"
	}
	return v.kind.String()
}

// at returns the place of row i.
func (v values) at(i int) int {
	if v.one {
		return 0
	}
	return i
}

// An evaluator computes expressions over rows of a table.
type evaluator struct {
	table Table
	rows  int
	calls map[string]func(e *evaluator, call *ast.CallExpr) (values, error) // further functions, such as those over groups
	parts []string                                                          // columns whose values differ within a group
}

// parsed reads an expression: Go's, in which words may stand in single quotes, names of columns with blanks in back quotes, and "and",
// "or", "not" for &&, || and !, of which "not" holds for the whole comparison behind it.
func parsed(text string) (ast.Expr, error) {
	var b strings.Builder
	depth, open := 0, []int(nil) // of brackets, and those at which a "not" stands whose condition has not ended
	closed := func() {
		for ; len(open) > 0 && open[len(open)-1] == depth; open = open[:len(open)-1] {
			b.WriteByte(')')
		}
	}
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '\'' || c == '"' || c == '`':
			end := i + 1
			for end < len(text) && text[end] != c {
				if text[end] == '\\' && c == '"' {
					end++
				}
				end++
			}
			if end >= len(text) {
				return nil, fmt.Errorf("in %q the quotation mark %c is not closed", text, c)
			}
			if word := text[i : end+1]; c == '\'' {
				b.WriteString(strconv.Quote(word[1 : len(word)-1]))
			} else {
				b.WriteString(word)
			}
			i = end + 1
		case c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80:
			end := i
			for end < len(text) && (text[end] == '_' || text[end]|0x20 >= 'a' && text[end]|0x20 <= 'z' || text[end] >= 0x80 ||
				text[end] >= '0' && text[end] <= '9') {
				end++
			}
			switch word := text[i:end]; {
			case word == "and", word == "or":
				closed()
				b.WriteString(map[string]string{"and": "&&", "or": "||"}[word])
			case word == "not":
				b.WriteString("!(")
				open = append(open, depth)
			case token.IsIdentifier(word):
				b.WriteString(word)
			default: // a name that is none in Go, such as type
				b.WriteString("`" + word + "`")
			}
			i = end
		case strings.HasPrefix(text[i:], "//"), strings.HasPrefix(text[i:], "/*"): // would begin a comment
			return nil, fmt.Errorf("%q is no expression: there is no operation %s; floor(x / y) is a whole quotient", text, text[i:i+2])
		case strings.HasPrefix(text[i:], "**"), c == '^':
			return nil, fmt.Errorf("%q is no expression: a power is written pow(x, y)", text)
		default:
			switch {
			case c == '(':
				depth++
			case c == ')':
				closed()
				depth--
			case c == ',', strings.HasPrefix(text[i:], "&&"), strings.HasPrefix(text[i:], "||"):
				closed()
			}
			b.WriteByte(c)
			i++
		}
	}
	closed()
	e, err := parser.ParseExpr(b.String())
	if err != nil {
		_, what, _ := strings.Cut(err.Error(), ": ")
		return nil, fmt.Errorf("%q is no expression: %s", text, what)
	}
	return e, nil
}

// evaluate computes an expression of the columns of t for each row.
func (t Table) evaluate(text string) (values, error) {
	e, err := parsed(text)
	if err != nil {
		return values{}, err
	}
	v, err := (&evaluator{table: t, rows: t.rows}).value(e)
	if err != nil {
		return values{}, fmt.Errorf("in %q %w", text, err)
	}
	return v.spread(t.rows), nil
}

// spread gives every row its own entry.
func (v values) spread(rows int) values {
	if !v.one {
		return v
	}
	v.one = false
	v.numbers, v.codes, v.truths = repeated(v.numbers, rows), repeated(v.codes, rows), repeated(v.truths, rows)
	v.gapped = repeated(v.gapped, rows)
	return v
}

func repeated[T any](v []T, rows int) []T {
	if v == nil {
		return nil
	}
	return slices.Repeat(v[:1], rows)
}

func (e *evaluator) value(x ast.Expr) (values, error) {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return e.value(x.X)
	case *ast.Ident:
		return e.columnOf(x.Name)
	case *ast.BasicLit:
		if x.Kind == token.STRING {
			if x.Value[0] == '`' {
				return e.columnOf(strings.Trim(x.Value, "`"))
			}
			word, err := strconv.Unquote(x.Value)
			return values{column: column{kind: Nominal, codes: []int32{0}, words: []string{word}}, one: true}, err
		}
		v, err := number(x.Value, false)
		if err != nil {
			return values{}, fmt.Errorf("%s %w", x.Value, err)
		}
		return values{column: column{numbers: []float64{v}}, one: true}, nil
	case *ast.UnaryExpr:
		v, err := e.value(x.X)
		switch {
		case err != nil:
			return v, err
		case x.Op == token.NOT && v.truths != nil:
			out := values{truths: make([]bool, len(v.truths)), gapped: v.gapped, one: v.one}
			for i, t := range v.truths {
				out.truths[i] = !t && (v.gapped == nil || !v.gapped[i])
			}
			return out, nil
		case x.Op == token.SUB || x.Op == token.ADD:
			return e.each("-", func(a ...float64) float64 {
				if x.Op == token.SUB {
					return -a[0]
				}
				return a[0]
			}, v)
		}
		return v, fmt.Errorf("%s cannot be applied to %s", x.Op, v.kindName())
	case *ast.BinaryExpr:
		a, err := e.value(x.X)
		if err != nil {
			return a, err
		}
		b, err := e.value(x.Y)
		if err != nil {
			return b, err
		}
		return e.binary(x.Op, a, b)
	case *ast.CallExpr:
		switch f := x.Fun.(type) {
		case *ast.Ident:
			return e.call(f.Name, x)
		case *ast.BasicLit:
			return e.call(strings.Trim(f.Value, "`"), x)
		}
		return values{}, fmt.Errorf("a function is called by its name")
	}
	return values{}, fmt.Errorf("there is something that is neither a column, a number, a word nor an operation on them")
}

func (e *evaluator) columnOf(name string) (values, error) {
	j, err := e.table.find(name)
	if err != nil && slices.Contains(e.parts, name) {
		err = fmt.Errorf("the column %q has several values, of which a figure is needed, such as mean(%s)", name, name)
	}
	if err != nil {
		return values{}, err
	}
	return values{column: e.table.columns[j]}, nil
}

// each applies a function of numbers to each row.
func (e *evaluator) each(what string, f func(a ...float64) float64, args ...values) (values, error) {
	out := values{one: true}
	for _, a := range args {
		if a.truths != nil || a.kind != Numeric {
			return out, fmt.Errorf("%s needs numbers, but is given %s", what, a.kindName())
		}
		out.one = out.one && a.one
	}
	out.numbers = make([]float64, e.length(out.one))
	row := make([]float64, len(args))
	for i := range out.numbers {
		gap := false
		for k, a := range args {
			row[k] = a.numbers[a.at(i)]
			gap = gap || math.IsNaN(row[k])
		}
		if out.numbers[i] = f(row...); gap || math.IsInf(out.numbers[i], 0) {
			out.numbers[i] = math.NaN() // of a gap even where the power is 1; a quotient by 0 is no number
		}
	}
	return out, nil
}

func (e *evaluator) length(one bool) int {
	if one {
		return 1
	}
	return e.rows
}

var arithmetic = map[token.Token]func(a ...float64) float64{
	token.ADD: func(a ...float64) float64 { return a[0] + a[1] }, token.SUB: func(a ...float64) float64 { return a[0] - a[1] },
	token.MUL: func(a ...float64) float64 { return a[0] * a[1] }, token.QUO: func(a ...float64) float64 { return a[0] / a[1] },
	token.REM: func(a ...float64) float64 { return math.Mod(a[0], a[1]) },
}

func (e *evaluator) binary(op token.Token, a, b values) (values, error) {
	a, b, err := dated(a, b)
	if err != nil {
		return values{}, err
	}
	if f := arithmetic[op]; f != nil {
		if op == token.SUB && a.kind == Temporal && b.kind == Temporal {
			a.kind, b.kind = Numeric, Numeric // seconds between two dates
		}
		return e.each(op.String(), f, a, b)
	}
	out := values{one: a.one && b.one}
	out.truths = make([]bool, e.length(out.one))
	if op == token.LAND || op == token.LOR {
		if a.truths == nil || b.truths == nil {
			return out, fmt.Errorf("%s needs conditions, but is given %s and %s", op, a.kindName(), b.kindName())
		}
		for i := range out.truths {
			x, y := a.truths[a.at(i)], b.truths[b.at(i)]
			out.truths[i] = x && y || op == token.LOR && (x || y)
		}
		out.gapped = e.gapped(op, out, a, b)
		return out, nil
	}
	if a.truths != nil || b.truths != nil {
		return out, fmt.Errorf("%s cannot be applied to a condition; 1 < x < 5 is written 1 < x and x < 5", op)
	}
	if a.kind != b.kind {
		return out, fmt.Errorf("%s and %s are compared; a word stands in quotes, as in carrier == 'UA'", a.kindName(), b.kindName())
	}
	compare := func(i int) int {
		x, y := a.at(i), b.at(i)
		if a.kind == Nominal {
			return strings.Compare(a.words[a.codes[x]], b.words[b.codes[y]])
		}
		switch u, v := a.numbers[x], b.numbers[y]; {
		case u < v:
			return -1
		case u > v:
			return 1
		}
		return 0
	}
	holds, ok := map[token.Token]func(order int) bool{
		token.EQL: func(o int) bool { return o == 0 }, token.NEQ: func(o int) bool { return o != 0 },
		token.LSS: func(o int) bool { return o < 0 }, token.LEQ: func(o int) bool { return o <= 0 },
		token.GTR: func(o int) bool { return o > 0 }, token.GEQ: func(o int) bool { return o >= 0 },
	}[op]
	if !ok {
		return out, fmt.Errorf("there is no operation %s", op)
	}
	out.gapped = make([]bool, len(out.truths))
	for i := range out.truths {
		if out.gapped[i] = a.gap(a.at(i)) || b.gap(b.at(i)); !out.gapped[i] {
			out.truths[i] = holds(compare(i))
		}
	}
	return out, nil
}

// gapped are the rows in which a condition depends on a gap: neither an "or" of which one side holds nor an "and" of which one does not.
func (e *evaluator) gapped(op token.Token, out, a, b values) []bool {
	if a.gapped == nil && b.gapped == nil {
		return nil
	}
	gapped := make([]bool, len(out.truths))
	for i := range gapped {
		x, y := a.at(i), b.at(i)
		p, q := a.gapped != nil && a.gapped[x], b.gapped != nil && b.gapped[y]
		gapped[i] = !out.truths[i] && (p || q) && (op == token.LOR || (p || a.truths[x]) && (q || b.truths[y]))
	}
	return gapped
}

// dated reads a word that stands beside dates as a date.
func dated(a, b values) (values, values, error) {
	if b.kind == Temporal && a.kind != Temporal {
		b, a, err := dated(b, a)
		return a, b, err
	}
	if a.kind != Temporal || b.kind != Nominal || !b.one {
		return a, b, nil
	}
	word := b.words[b.codes[0]]
	s, ok := isoDate([]byte(word))
	if !ok {
		return a, b, fmt.Errorf("%q stands beside a date, but is none; write it as 2013-01-31 or 2013-01-31 14:30", word)
	}
	return a, values{column: column{kind: Temporal, numbers: []float64{s}}, one: true}, nil
}

var functions = map[string]struct {
	arguments int // at least, for min and max
	of        func(a ...float64) float64
}{
	"abs": {1, func(a ...float64) float64 { return math.Abs(a[0]) }}, "sqrt": {1, func(a ...float64) float64 { return math.Sqrt(a[0]) }},
	"exp": {1, func(a ...float64) float64 { return math.Exp(a[0]) }}, "log": {1, func(a ...float64) float64 { return math.Log(a[0]) }},
	"log10": {1, func(a ...float64) float64 { return math.Log10(a[0]) }}, "round": {1, func(a ...float64) float64 { return math.Round(a[0]) }},
	"floor": {1, func(a ...float64) float64 { return math.Floor(a[0]) }}, "ceil": {1, func(a ...float64) float64 { return math.Ceil(a[0]) }},
	"pow": {2, func(a ...float64) float64 { return math.Pow(a[0], a[1]) }},
}

func (e *evaluator) call(name string, call *ast.CallExpr) (values, error) {
	if f := e.calls[name]; f != nil {
		return f(e, call)
	}
	names := []string{"gap", "in", "when", "year", "month", "day", "weekday", "hour"}
	for f := range functions {
		names = append(names, f)
	}
	if !slices.Contains(names, name) {
		for f := range e.calls {
			names = append(names, f)
		}
		slices.Sort(names)
		_, err := find("function", name, names)
		return values{}, err
	}
	var args []values
	for _, x := range call.Args {
		v, err := e.value(x)
		if err != nil {
			return v, err
		}
		args = append(args, v)
	}
	need := func(n int) error {
		if len(args) != n {
			return fmt.Errorf("%s has %d arguments, but needs %d", name, len(args), n)
		}
		return nil
	}
	if f, ok := functions[name]; ok {
		if err := need(f.arguments); err != nil {
			return values{}, err
		}
		return e.each(name, f.of, args...)
	}
	switch name {
	case "gap":
		if err := need(1); err != nil {
			return values{}, err
		}
		out := values{one: args[0].one, truths: make([]bool, e.length(args[0].one))}
		for i := range out.truths {
			out.truths[i] = args[0].truths == nil && args[0].gap(i) || args[0].gapped != nil && args[0].gapped[i]
		}
		return out, nil
	case "in":
		if len(args) < 2 {
			return values{}, fmt.Errorf("in needs a column and values, as in in(carrier, 'UA', 'AA')")
		}
		out, err := e.binary(token.EQL, args[0], args[1])
		for _, a := range args[2:] {
			var next values
			if err == nil {
				next, err = e.binary(token.EQL, args[0], a)
			}
			if err == nil {
				out, err = e.binary(token.LOR, out, next)
			}
		}
		return out, err
	case "when":
		if err := need(3); err != nil {
			return values{}, err
		}
		yes, no, err := dated(args[1], args[2])
		if err != nil {
			return values{}, err
		}
		return e.when(args[0], yes.spread(e.rows), no.spread(e.rows))
	default: // a part of a date
		if err := need(1); err != nil {
			return values{}, err
		}
		if args[0].truths != nil || args[0].kind != Temporal {
			return values{}, fmt.Errorf("%s needs a date, but is given %s", name, args[0].kindName())
		}
		return values{column: column{numbers: partOf(args[0].numbers, slices.Index(parts, name))}, one: args[0].one}, nil
	}
}

// when takes one of two values in each row.
func (e *evaluator) when(condition, yes, no values) (values, error) {
	condition = condition.spread(e.rows)
	if condition.truths == nil || yes.truths != nil || no.truths != nil || yes.kind != no.kind {
		return values{}, fmt.Errorf("when needs a condition and two values of one kind, but is given %s, %s and %s", condition.kindName(),
			yes.kindName(), no.kindName())
	}
	idx, out := make([]int, e.rows), values{column: yes.column}
	for i := range idx {
		idx[i] = i
		switch {
		case condition.gapped != nil && condition.gapped[i]:
			idx[i] = -1
		case !condition.truths[i]:
			idx[i] = e.rows + i
		}
	}
	out.column = appended(yes.column, no.column).take(idx)
	return out, nil
}

// appended returns the entries of a column and behind them those of others, of the same kind.
func appended(first column, others ...column) column {
	out := first
	if first.kind != Nominal {
		all := make([][]float64, 0, 1+len(others))
		for _, c := range append([]column{first}, others...) {
			all = append(all, c.numbers)
		}
		out.numbers = slices.Concat(all...)
		return out
	}
	places := map[string]int32{}
	out.words, out.codes = nil, nil
	for _, c := range append([]column{first}, others...) {
		to := make([]int32, len(c.words))
		for k, w := range c.words {
			place, known := places[w]
			if !known {
				place = int32(len(out.words))
				out.words, places[w] = append(out.words, w), place
			}
			to[k] = place
		}
		for _, k := range c.codes {
			if k >= 0 {
				k = to[k]
			}
			out.codes = append(out.codes, k)
		}
	}
	return out.sorted()
}

// made returns the values as a column: conditions as the words yes and no.
func (v values) made(name string) column {
	c := v.column
	c.name = name
	if v.truths == nil {
		return c.tight()
	}
	c.kind, c.words, c.codes = Nominal, []string{"no", "yes"}, make([]int32, len(v.truths))
	for i, t := range v.truths {
		switch {
		case v.gapped != nil && v.gapped[i]:
			c.codes[i] = -1
		case t:
			c.codes[i] = 1
		}
	}
	return c.tight()
}
