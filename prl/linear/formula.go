package linear

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/prlab/prlab/prl/fault"
)

// A Formula says which target is fitted to which features of a table, as in R:
//
//	price ~ area + log(income) + district * age + poly(year, 3) - 1
//
// Terms are joined by +, and left out by -; a:b is the product of two, a*b stands for a + b + a:b, a dot for all columns but the target,
// and 0 or -1 leaves the intercept out. A column of words becomes a column of zeros and ones for each word: without the first one where the
// term without it is in the formula, too, as R does. Functions are log, log2, log10, exp, sqrt, abs, sin, cos; I(...) for arithmetic with
// + - * / ^; C(column) makes words of numbers; poly(x, degree), bs(x, df) and ns(x, df) are Polynomials, BSplines of degree 3 and
// NaturalSplines. Names with other signs stand between backquotes.
type Formula struct {
	text      string
	target    *node
	right     *node
	intercept bool
}

// A node is a part of a formula.
type node struct {
	op     string // "name", "number", a sign, or the name of a function with "(" behind it
	text   string
	value  float64
	inside []*node
}

// String returns the node as it is written.
func (n *node) String() string {
	switch {
	case n.op == "name" || n.op == "number":
		return n.text
	case strings.HasSuffix(n.op, "("):
		var list []string
		for _, a := range n.inside {
			list = append(list, a.String())
		}
		return n.op + strings.Join(list, ", ") + ")"
	case len(n.inside) == 1:
		return n.op + n.inside[0].String()
	}
	return n.inside[0].String() + " " + n.op + " " + n.inside[1].String()
}

// ParseFormula reads a formula.
func ParseFormula(text string) (*Formula, error) {
	const op = "linear.ParseFormula"
	wrong := func(err error) error {
		return fault.Argument(op, "text", fmt.Sprintf("%q: %v", text, err), "a formula such as \"y ~ a + b\"", "")
	}
	r := &reader{text: text}
	n, err := r.read(0)
	if err == nil && r.peek() != "" {
		err = fmt.Errorf("%q stands where the formula should end", r.peek())
	}
	if err != nil {
		return nil, wrong(err)
	}
	if n.op != "~" || len(n.inside) != 2 {
		return nil, wrong(fmt.Errorf("a target and ~ are wanting"))
	}
	f := &Formula{text: text, target: n.inside[0], right: n.inside[1], intercept: true}
	if _, err := f.expand(f.right, []string{"x"}); err != nil {
		return nil, wrong(err)
	}
	return f, nil
}

// String returns the text.
func (f *Formula) String() string { return f.text }

// A reader takes a formula apart. Signs bind the more, the later they stand in signs.
type reader struct {
	text string
	at   int
	deep int
}

var signs = map[string]int{"~": 1, "+": 2, "-": 2, "*": 3, "/": 3, ":": 4, "^": 6}

// peek returns the next word or sign, "" at the end.
func (r *reader) peek() string {
	for r.at < len(r.text) && strings.ContainsRune(" \t\n", rune(r.text[r.at])) {
		r.at++
	}
	rest := r.text[r.at:]
	if rest == "" {
		return ""
	}
	if rest[0] == '`' {
		if end := strings.IndexByte(rest[1:], '`'); end >= 0 {
			return rest[:end+2]
		}
		return rest
	}
	word := func(c rune) bool {
		return c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c > 127
	}
	if end := strings.IndexFunc(rest, func(c rune) bool { return !word(c) }); end > 0 {
		return rest[:end]
	} else if end < 0 {
		return rest
	}
	return rest[:1]
}

func (r *reader) take() string {
	s := r.peek()
	r.at += len(s)
	return s
}

// read reads what binds more than a level.
func (r *reader) read(level int) (*node, error) {
	if r.deep++; r.deep > 200 {
		return nil, fmt.Errorf("too many parentheses")
	}
	defer func() { r.deep-- }()
	left, err := r.one()
	for err == nil {
		sign := r.peek()
		own, known := signs[sign]
		if !known || own <= level {
			return left, nil
		}
		r.take()
		var right *node
		if right, err = r.read(own); err == nil {
			left = &node{op: sign, inside: []*node{left, right}}
		}
	}
	return nil, err
}

// one reads a name, a number, a call, or what stands in parentheses.
func (r *reader) one() (*node, error) {
	s := r.take()
	switch {
	case s == "":
		return nil, fmt.Errorf("something is wanting at the end")
	case s == "(":
		n, err := r.read(0)
		if err == nil && r.take() != ")" {
			err = fmt.Errorf("a parenthesis is not closed")
		}
		return n, err
	case s == "-" || s == "+":
		n, err := r.read(5)
		return &node{op: s, inside: []*node{n}}, err
	case s[0] == '`':
		if len(s) < 3 || s[len(s)-1] != '`' {
			return nil, fmt.Errorf("a backquote is not closed")
		}
		return &node{op: "name", text: s[1 : len(s)-1]}, nil
	}
	if v, err := strconv.ParseFloat(s, 64); err == nil && v-v == 0 && s[0] >= '.' && s[0] <= '9' {
		return &node{op: "number", text: s, value: v}, nil
	}
	if _, sign := signs[s]; sign || strings.Contains("),", s) || len(s) == 1 && s[0] < 128 && !strings.ContainsAny(s, "._") &&
		(s[0]|32 < 'a' || s[0]|32 > 'z') {
		return nil, fmt.Errorf("%q stands where a name should", s)
	}
	if r.peek() != "(" {
		return &node{op: "name", text: s}, nil
	}
	r.take()
	n := &node{op: s + "("}
	for {
		a, err := r.read(0)
		if err != nil {
			return nil, err
		}
		switch n.inside = append(n.inside, a); r.take() {
		case ")":
			return n, nil
		case ",":
		default:
			return nil, fmt.Errorf("the parenthesis of %s is not closed", s)
		}
	}
}

// A term is the product of parts, without their order; the one without parts is the intercept.
type term map[string]*node

func (t term) key() string { return strings.Join(slices.Sorted(maps.Keys(t)), "\x00") }

// terms are terms in the order in which they were first named.
type terms []term

func (t terms) has(key string) bool {
	return slices.ContainsFunc(t, func(u term) bool { return u.key() == key })
}

func (t terms) with(u term) terms {
	if t.has(u.key()) {
		return t
	}
	return append(t, u)
}

// expand returns the terms of a part of the formula, of which others are those that a dot stands for.
func (f *Formula) expand(n *node, others []string) (terms, error) {
	switch {
	case n.op == "number" && n.value == 0:
		return terms{{"0": n}}, nil
	case n.op == "number" && n.value == 1:
		return terms{{}}, nil
	case n.op == "number":
		return nil, fmt.Errorf("%s is no term; write I(...) for arithmetic", n.text)
	case n.op == "name" && n.text == ".":
		var out terms
		for _, name := range others {
			out = append(out, term{name: {op: "name", text: name}})
		}
		return out, nil
	case n.op == "name" || strings.HasSuffix(n.op, "("):
		return terms{{n.String(): n}}, nil
	case n.op == "/" || n.op == "^" || n.op == "~":
		return nil, fmt.Errorf("%q stands between terms; write I(...) for arithmetic", n.op)
	}
	var left, right terms
	var err error
	if left, err = f.expand(n.inside[0], others); err != nil {
		return nil, err
	}
	if len(n.inside) == 1 {
		if n.op == "-" {
			return f.without(nil, left), nil
		}
		return left, nil
	}
	if right, err = f.expand(n.inside[1], others); err != nil {
		return nil, err
	}
	out := slices.Clone(left)
	switch n.op {
	case "-":
		return f.without(out, right), nil
	case ":", "*":
		if n.op == ":" {
			out = nil
		}
		var products terms
		for _, a := range left {
			for _, b := range right {
				both := maps.Clone(a)
				maps.Copy(both, b)
				products = products.with(both)
			}
		}
		if n.op == "*" {
			for _, b := range right {
				out = out.with(b)
			}
		}
		right = products
	}
	for _, b := range right {
		out = out.with(b)
	}
	if len(out) > 10000 {
		return nil, fmt.Errorf("more than 10,000 terms")
	}
	return out, nil
}

// without leaves terms out; to leave out the intercept is a term, too.
func (f *Formula) without(t, out terms) terms {
	for _, b := range out {
		if len(b) == 0 {
			t = t.with(term{"0": nil})
			continue
		}
		t = slices.DeleteFunc(t, func(a term) bool { return a.key() == b.key() })
	}
	return t
}
