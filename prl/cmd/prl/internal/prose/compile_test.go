package prose

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// A binding says what a piece of TeX is in the code.
type binding struct {
	tokens  []token
	code    string // an expression of Go
	calls   bool   // it is a function, applied to what stands in parentheses
	name    string // of an index or variable with a range
	lo, hi  string
	only    string // a condition on the index
	keys    []string
	written string
}

// compiler writes tokens as an expression of Go.
type compiler struct {
	ts       []token
	at       int
	bindings []binding
	scope    map[string]string // what indices and variables of integration are in Go
	strokes  int
	used     map[string]bool // bindings, as written
	indices  map[string]bool // names in Go of all indices seen so far
	names    []string        // what the author declares
}

var errOver = errors.New("the formula ends too early")

func (c *compiler) next() token {
	if c.at < len(c.ts) {
		return c.ts[c.at]
	}
	return token{kind: end}
}

// inner writes another list of tokens in the same scope.
func (c *compiler) inner(ts []token) (string, error) {
	d := compiler{ts: ts, bindings: c.bindings, scope: c.scope, used: c.used, indices: c.indices, names: c.names}
	s, err := d.expression()
	if err == nil && d.at < len(ts) {
		err = fmt.Errorf("not understood: %s", show(ts[d.at:]))
	}
	return s, err
}

// expression is a sum of terms.
func (c *compiler) expression() (string, error) {
	var b strings.Builder
	for first := true; ; first = false {
		t := c.next()
		switch {
		case t.kind == sign && (t.text == "+" || t.text == "-"):
			b.WriteString(" " + t.text + " ")
			c.at++
		case !first:
			return "(" + strings.TrimSpace(b.String()) + ")", nil
		}
		s, err := c.term()
		if err != nil {
			return "", err
		}
		b.WriteString(s)
	}
}

// term is a product of runs of factors, with signs between the runs.
func (c *compiler) term() (string, error) {
	s, err := c.run()
	for err == nil {
		t := c.next()
		if t.kind != sign || t.text != "*" && t.text != "/" {
			break
		}
		c.at++
		var next string
		next, err = c.run()
		s += " " + t.text + " " + next
	}
	return s, err
}

// starts reports whether a factor can start here.
func (c *compiler) starts() bool {
	switch t := c.next(); t.kind {
	case end, sign, relation, closing, comma, power:
		return false
	case stroke:
		return c.strokes == 0
	case big: // a product over i ends before the next one over i
		return len(t.args[0]) == 0 || c.scope[t.args[0][0].key()] == ""
	default:
		return true
	}
}

// run is a product of factors without signs, which binds closer than a quotient: 1/2n is 1/(2n).
func (c *compiler) run() (string, error) {
	if t := c.next(); t.kind == sign && t.text == "-" {
		c.at++
		s, err := c.run()
		return "(-" + s + ")", err
	}
	if !c.starts() && !c.matches() {
		if c.at >= len(c.ts) {
			return "", errOver
		}
		return "", fmt.Errorf("not understood: %s", show(c.ts[c.at:]))
	}
	var all []string
	for first := true; first || c.starts(); first = false {
		s, err := c.factor()
		if err != nil {
			return "", err
		}
		all = append(all, s)
	}
	if len(all) == 1 {
		return all[0], nil
	}
	return "(" + strings.Join(all, " * ") + ")", nil
}

// factor is a primary with its powers.
func (c *compiler) factor() (string, error) {
	s, err := c.primary()
	for err == nil {
		t := c.next()
		switch {
		case t.kind == power:
			c.at++
			var exponent string
			exponent, err = c.inner(t.args[0])
			s = "math.Pow(" + s + ", " + exponent + ")"
			continue
		case t.kind == sign && t.text == "!":
			c.at++
			s = "prlHolds.Factorial(" + s + ")"
			continue
		}
		break
	}
	return s, err
}

// bound finds the longest binding that stands here.
func (c *compiler) bound() *binding {
	var best *binding
	for i := range c.bindings {
		b := &c.bindings[i]
		if b.name != "" || c.at+len(b.keys) > len(c.ts) || best != nil && len(b.keys) <= len(best.keys) {
			continue
		}
		if !slices.EqualFunc(b.keys, c.ts[c.at:c.at+len(b.keys)], func(k string, t token) bool { return k == t.key() }) {
			continue
		}
		if after := c.at + len(b.keys); b.calls && (after >= len(c.ts) || c.ts[after].kind != opening) {
			continue
		}
		best = b
	}
	return best
}

func (c *compiler) matches() bool { return c.bound() != nil }

var identifiers = regexp.MustCompile(`(^|[^.\w])([A-Za-z_]\w*)`)

// unknown finds an index in the code of a binding that has no value where it stands.
func (c *compiler) unknown(code string) string {
	for _, m := range identifiers.FindAllStringSubmatch(code, -1) {
		if c.indices[m[2]] && !slices.Contains(c.names, m[2]) && !slices.Contains(slices.Collect(maps.Values(c.scope)), m[2]) {
			return m[2]
		}
	}
	return ""
}

func (c *compiler) primary() (string, error) {
	t := c.next()
	if b := c.bound(); b != nil && !(len(b.keys) == 1 && c.scope[t.key()] != "") {
		if name := c.unknown(b.code); name != "" {
			return "", fmt.Errorf("%s stands outside of the sum over %s", b.written, name)
		}
		c.at += len(b.keys)
		c.used[b.written] = true
		if b.calls {
			c.at++
			list, err := c.arguments()
			return b.code + "(" + list + ")", err
		}
		return "float64(" + b.code + ")", nil
	}
	if name := c.scope[t.key()]; name != "" {
		c.at++
		return "float64(" + name + ")", nil
	}
	c.at++
	switch t.kind {
	case number:
		return "float64(" + t.text + ")", nil
	case opening:
		return c.enclosed()
	case stroke:
		c.strokes++
		s, err := c.expression()
		c.strokes--
		if err == nil && c.next().kind != stroke {
			err = errors.New("a stroke | is not closed")
		}
		c.at++
		return "math.Abs(" + s + ")", err
	case group:
		return c.inner(t.args[0])
	case fraction, choose:
		above, err := c.inner(t.args[0])
		below, err2 := c.inner(t.args[1])
		if t.kind == choose {
			return "prlHolds.Choose(" + above + ", " + below + ")", errors.Join(err, err2)
		}
		return "(" + above + " / " + below + ")", errors.Join(err, err2)
	case root:
		s, err := c.inner(t.args[0])
		if len(t.args[1]) > 0 {
			return "", errors.New("roots are square roots")
		}
		return "math.Sqrt(" + s + ")", err
	case function:
		return c.call(t)
	case big:
		return c.large(t)
	case symbol:
		switch {
		case t.text == `\pi`:
			return "math.Pi", nil
		case t.text == "e" && c.next().kind == power:
			return "math.E", nil
		case t.text == `\infty`:
			return "math.Inf(1)", nil
		}
	}
	return "", fmt.Errorf("no line binds %s", show([]token{t}))
}

func (c *compiler) enclosed() (string, error) {
	outer := c.strokes
	c.strokes = 0
	s, err := c.expression()
	c.strokes = outer
	if err == nil && c.next().kind != closing {
		err = fmt.Errorf("not understood in parentheses: %s", show(c.ts[c.at:]))
	}
	c.at++
	return s, err
}

// arguments are expressions with commas between them, up to the closing parenthesis.
func (c *compiler) arguments() (string, error) {
	var all []string
	for {
		s, err := c.expression()
		if err != nil {
			return "", err
		}
		all = append(all, s)
		t := c.next()
		c.at++
		switch t.kind {
		case comma:
		case closing:
			return strings.Join(all, ", "), nil
		default:
			return "", errors.New("the arguments of a function are not closed")
		}
	}
}

var functions = map[string]string{
	`\log`: "math.Log", `\ln`: "math.Log", `\exp`: "math.Exp", `\sin`: "math.Sin", `\cos`: "math.Cos", `\tan`: "math.Tan",
	`\tanh`: "math.Tanh",
	`\sinh`: "math.Sinh", `\cosh`: "math.Cosh", `\arccos`: "math.Acos", `\arctan`: "math.Atan",
}

// call is a function of what stands in parentheses, or else of the factors that follow up to the next function or sign.
func (c *compiler) call(t token) (string, error) {
	exponent, err := "", error(nil)
	if c.next().kind == power {
		exponent, err = c.inner(c.next().args[0])
		c.at++
	}
	var s string
	switch {
	case err != nil:
	case c.next().kind == opening && !c.matches():
		c.at++
		s, err = c.enclosed()
	default:
		var all []string
		for err == nil && (c.starts() || c.matches()) && c.next().kind != function {
			var one string
			one, err = c.factor()
			all = append(all, one)
		}
		if len(all) == 0 && err == nil {
			err = errOver
		}
		s = strings.Join(all, " * ")
	}
	s = functions[t.text] + "(" + s + ")"
	if base := t.args[0]; len(base) > 0 && err == nil {
		var b string
		b, err = c.inner(base)
		s = "(" + s + " / math.Log(" + b + "))"
	}
	if exponent != "" {
		s = "math.Pow(" + s + ", " + exponent + ")"
	}
	return s, err
}

var (
	larges = map[string]string{`\sum`: "Sum", `\prod`: "Product", `\int`: "Integral", `\max`: "Max", `\min`: "Min"}
	plain  = regexp.MustCompile(`^\\?([A-Za-z]+)$`)
)

// large is a sum, product, integral, maximum or minimum. What it is of ends with the term, or with d and the variable.
func (c *compiler) large(t token) (string, error) {
	below, above := t.args[0], t.args[1]
	if (t.text == `\max` || t.text == `\min`) && len(below) == 0 {
		if c.next().kind != opening {
			return "", fmt.Errorf("%s has neither a range nor arguments in parentheses", t.text)
		}
		c.at++
		list, err := c.arguments()
		return t.text[1:] + "(" + list + ")", err
	}
	var variable token
	lower, upper := "", ""
	stop := -1
	if t.text == `\int` {
		for i := c.at; i+1 < len(c.ts); i++ {
			if c.ts[i].key() == "symbol d" && c.ts[i+1].kind == symbol {
				stop = i
				break
			}
		}
		if stop < 0 {
			return "", errors.New("an integral without its d")
		}
		variable = c.ts[stop+1]
		if len(below) > 0 {
			var err, err2 error
			lower, err = c.inner(below)
			upper, err2 = c.inner(above)
			if err := errors.Join(err, err2); err != nil {
				return "", err
			}
		}
	} else {
		if len(below) == 0 {
			return "", fmt.Errorf("%s without an index", t.text)
		}
		variable = below[0]
		if len(below) > 2 && below[1].key() == "relation =" && len(above) > 0 {
			var err, err2 error
			lower, err = c.inner(below[2:])
			upper, err2 = c.inner(above)
			if err := errors.Join(err, err2); err != nil {
				return "", err
			}
		}
	}
	m := plain.FindStringSubmatch(variable.text)
	name := ""
	if m != nil {
		name = m[1]
	}
	condition := ""
	for _, b := range c.bindings {
		if b.name != "" && lower == "" && (strings.Join(b.keys, " ") == keys(below) || stop >= 0 && b.keys[0] == variable.key()) {
			name, condition = b.name, b.only
			lower, upper = "float64("+b.lo+")", "float64("+b.hi+")"
			c.used[b.written] = true
		}
	}
	if name == "" || lower == "" {
		return "", fmt.Errorf("no line gives the range of %s", show(below))
	}
	c.indices[name] = true
	old, was := c.scope[variable.key()]
	c.scope[variable.key()] = name
	var body string
	var err error
	typ := "int"
	if stop >= 0 {
		typ = "float64"
		if stop == c.at {
			body = "1"
		} else {
			body, err = c.inner(c.ts[c.at:stop])
		}
		c.at = stop + 2
	} else {
		body, err = c.term()
	}
	delete(c.scope, variable.key())
	if was {
		c.scope[variable.key()] = old
	}
	if condition != "" {
		neutral := map[string]string{`\sum`: "0", `\prod`: "1", `\max`: "math.Inf(-1)", `\min`: "math.Inf(1)"}[t.text]
		body = fmt.Sprintf("prlHolds.If(%s, %s, func() float64 { return %s })", condition, neutral, body)
	}
	return fmt.Sprintf("prlHolds.%s(%s, %s, func(%s %s) float64 { return %s })",
		larges[t.text], lower, upper, name, typ, body), err
}

// show writes tokens for a message.
func show(ts []token) string {
	var all []string
	for _, t := range ts {
		s := t.text
		for _, a := range t.args {
			s += "{" + show(a) + "}"
		}
		all = append(all, strings.NewReplacer("symbol ", "", "number ", "").Replace(s))
	}
	return strings.Join(all, " ")
}
