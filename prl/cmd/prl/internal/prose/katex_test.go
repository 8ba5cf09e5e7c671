package prose

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/dop251/goja"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
)

// A node is a node of KaTeX's parse tree.
type node struct {
	Type, Text, Name, Label, Font, Delim, Left, Right, Mclass string

	Body                                json.RawMessage // a node, a list of nodes, or a list of rows
	Base, Sup, Sub, Numer, Denom, Index *node
	HasBarLine                          bool
	Dimension                           struct {
		Number float64
		Unit   string
	}
}

// list is the body as a list of nodes.
func (n *node) list() []node {
	var one node
	var many []node
	if json.Unmarshal(n.Body, &many) != nil && json.Unmarshal(n.Body, &one) == nil {
		many = []node{one}
	}
	return many
}

// A kind is a kind of token.
type kind string

const (
	number   kind = "number"
	symbol   kind = "symbol"
	sign     kind = "sign" // + - * / !
	relation kind = "relation"
	opening  kind = "opening"
	closing  kind = "closing"
	stroke   kind = "stroke" // | on either side
	comma    kind = "comma"
	power    kind = "power" // of what stands before: args[0]
	fraction kind = "fraction"
	choose   kind = "choose"
	root     kind = "root"
	big      kind = "big" // sum, integral, maximum: below args[0], above args[1]
	function kind = "function"
	group    kind = "group"
	words    kind = "words"
	end      kind = "end" // of a part of a formula
	digit    kind = "digit"
)

// A token is a piece of a formula.
type token struct {
	kind kind
	text string
	args [][]token
}

func (t token) key() string {
	s := string(t.kind) + " " + t.text
	for _, a := range t.args {
		s += "{" + keys(a) + "}"
	}
	return s
}

func keys(ts []token) string {
	all := make([]string, len(ts))
	for i, t := range ts {
		all[i] = t.key()
	}
	return strings.Join(all, " ")
}

// katex parses formulas.
var katex = sync.OnceValues(func() (func(tex string) ([]node, error), error) {
	root, err := checkout.Find(".")
	if err != nil {
		return nil, err
	}
	library, err := os.ReadFile(root.Path("prl", "cmd", "prl", "internal", "handouts", "katex", "katex.min.js"))
	if err != nil {
		return nil, err
	}
	vm := goja.New()
	if _, err := vm.RunString(string(library)); err != nil {
		return nil, err
	}
	value, err := vm.RunString(`(tex => JSON.stringify(
		katex.__parse(tex, {displayMode: true, strict: false}), (k, v) => k == "loc" ? undefined : v))`)
	if err != nil {
		return nil, err
	}
	call, _ := goja.AssertFunction(value)
	return func(tex string) (nodes []node, err error) {
		text, err := call(goja.Undefined(), vm.ToValue(tex))
		if err != nil {
			return nil, err
		}
		return nodes, json.Unmarshal([]byte(text.String()), &nodes)
	}, nil
})

var parsed = map[string][]token{}

// tokens reads a formula.
func tokens(tex string) ([]token, error) {
	if ts, done := parsed[tex]; done {
		return ts, nil
	}
	parse, err := katex()
	if err != nil {
		return nil, err
	}
	nodes, err := parse(tex)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", tex, err)
	}
	parsed[tex] = flat(nodes)
	return parsed[tex], nil
}

// flat writes a list of nodes as tokens and joins digits to numbers.
func flat(nodes []node) (all []token) {
	for _, n := range nodes {
		all = append(all, n.tokens()...)
	}
	var joined []token
	for i, t := range all {
		last := len(joined) - 1
		inNumber := last >= 0 && joined[last].kind == number
		switch {
		case t.kind == digit && t.text == ".":
			if i+1 < len(all) && (all[i+1].kind == digit || all[i+1].kind == number) && all[i+1].text != "." {
				if !inNumber {
					joined = append(joined, token{kind: number})
				}
				joined[len(joined)-1].text += "."
			} // else it ends the sentence
		case (t.kind == digit || t.kind == number) && inNumber: // a number comes where its last digit has a power
			joined[last].text += t.text
		case t.kind == digit:
			joined = append(joined, token{kind: number, text: t.text})
		case t.kind == group && keys(t.args[0]) == "comma ,": // 1{,}000
		case t.key() == "symbol :" && (i == len(all)-1 || all[i+1].kind == end || all[i+1].kind == relation): // x := 1
		default:
			joined = append(joined, t)
		}
	}
	return joined
}

func one(n *node) []token {
	if n == nil {
		return nil
	}
	return flat([]node{*n})
}

var relations = map[string]string{
	"=": "=", "<": "<", ">": ">", `\le`: `\le`, `\leq`: `\le`, `\ge`: `\ge`, `\geq`: `\ge`, `\lt`: "<", `\gt`: ">",
	`\leqslant`: `\le`, `\geqslant`: `\ge`, `\leftarrow`: "=",
}

func (n node) tokens() []token {
	switch n.Type {
	case "kern":
		if n.Dimension.Unit == "em" && n.Dimension.Number >= 1 {
			return []token{{kind: end}}
		}
		return nil
	case "spacing", "internal", "tag", "phantom":
		return nil
	case "textord", "mathord":
		if len(n.Text) == 1 && strings.Contains("0123456789.", n.Text) {
			return []token{{kind: digit, text: n.Text}}
		}
		switch n.Text {
		case "|":
			return []token{{kind: stroke, text: "|"}}
		case "!":
			return []token{{kind: sign, text: "!"}}
		case "/":
			return []token{{kind: sign, text: "/"}}
		}
		return []token{{kind: symbol, text: n.Text}}
	case "atom":
		return n.atom()
	case "delimsizing":
		return bracket(n.Delim, n.Mclass == "mopen")
	case "leftright":
		inner := flat(n.list())
		return slices.Concat(bracket(n.Left, true), inner, bracket(n.Right, false))
	case "ordgroup":
		if inner := flat(n.list()); len(inner) == 1 && inner[0].kind != comma {
			return inner
		} else if len(inner) > 0 {
			return []token{{kind: group, args: [][]token{inner}}}
		}
		return nil
	case "styling", "color", "mclass", "htmlmathml", "sizing", "enclose":
		inner := flat(n.list())
		if len(inner) == 1 && inner[0].kind == group {
			inner = inner[0].args[0]
		}
		return inner
	case "text":
		return []token{{kind: words, text: keys(flat(n.list()))}}
	case "font", "operatorname", "overline", "underline", "mathchoice", "lap":
		return []token{{kind: symbol, text: n.Type + n.Font + "(" + keys(flat(n.list())) + ")"}}
	case "accent":
		return []token{{kind: symbol, text: n.Label + "(" + keys(one(n.Base)) + ")"}}
	case "genfrac":
		k := fraction
		if !n.HasBarLine {
			k = choose
		}
		return []token{{kind: k, args: [][]token{one(n.Numer), one(n.Denom)}}}
	case "sqrt":
		return []token{{kind: root, args: [][]token{flat(n.list()), one(n.Index)}}}
	case "op":
		switch n.Name {
		case `\sum`, `\prod`, `\int`, `\max`, `\min`:
			return []token{{kind: big, text: n.Name, args: [][]token{nil, nil}}}
		case `\log`, `\ln`, `\exp`, `\sin`, `\cos`, `\tan`, `\tanh`, `\sinh`, `\cosh`, `\arccos`, `\arctan`:
			return []token{{kind: function, text: n.Name, args: [][]token{nil}}}
		}
		return []token{{kind: symbol, text: n.Name + "(" + keys(flat(n.list())) + ")"}}
	case "horizBrace":
		return []token{{kind: group, args: [][]token{one(n.Base)}}}
	case "supsub":
		if n.Base != nil && n.Base.Type == "horizBrace" { // what stands below a brace is its name
			return n.Base.tokens()
		}
		return n.scripts()
	case "array":
		return n.rows()
	}
	return []token{{kind: symbol, text: n.Type}}
}

func (n node) atom() []token {
	if is, known := relations[n.Text]; known {
		return []token{{kind: relation, text: is}}
	}
	switch n.Text {
	case `+`, `-`, `*`, `/`:
		return []token{{kind: sign, text: n.Text}}
	case `−`:
		return []token{{kind: sign, text: "-"}}
	case `\cdot`, `\times`, `\ast`:
		return []token{{kind: sign, text: "*"}}
	case ",", ";":
		return []token{{kind: comma, text: n.Text}}
	case `\approx`, `\propto`, `\sim`, `\equiv`, `\ne`, `\in`:
		return []token{{kind: relation, text: n.Text}}
	case `\to`, `\rightarrow`, `\longrightarrow`, `\Rightarrow`, `\Leftrightarrow`, `\Longrightarrow`, `\Longleftrightarrow`,
		`\iff`, `\implies`:
		return []token{{kind: end}}
	}
	switch n.Text {
	case "(", "[", `\{`, `\lbrace`, `\lfloor`, `\lceil`, `\langle`:
		return []token{{kind: opening, text: n.Text}}
	case ")", "]", `\}`, `\rbrace`, `\rfloor`, `\rceil`, `\rangle`:
		return []token{{kind: closing, text: n.Text}}
	case `\lvert`, `\rvert`, `\vert`:
		return []token{{kind: stroke, text: "|"}}
	}
	return []token{{kind: symbol, text: n.Text}}
}

func bracket(text string, left bool) []token {
	switch {
	case text == "|" || text == `\vert` || text == `\lvert` || text == `\rvert`:
		return []token{{kind: stroke, text: "|"}}
	case text == ".":
		return nil
	case left:
		return []token{{kind: opening, text: text}}
	}
	return []token{{kind: closing, text: text}}
}

// scripts puts what is below into the name of a symbol, and what is above behind it.
func (n node) scripts() []token {
	base, below, above := one(n.Base), one(n.Sub), one(n.Sup)
	if len(base) == 1 && (base[0].kind == big || base[0].kind == function) {
		if len(below) == 1 && below[0].kind == group {
			below = below[0].args[0]
		}
		base[0].args[0] = below
		if base[0].kind == big {
			base[0].args[1] = above
			return base
		}
	} else if n.Sub != nil {
		script := token{kind: symbol, text: "_{" + keys(below) + "}"}
		if len(base) == 1 && base[0].kind == symbol {
			base[0].text += script.text
		} else {
			base = append(base, script)
		}
	}
	if n.Sup != nil {
		base = append(base, token{kind: power, args: [][]token{above}})
	}
	return base
}

// rows writes an array: a row that begins with a relation goes on with the row before.
func (n node) rows() (all []token) {
	var rows [][]node
	if json.Unmarshal(n.Body, &rows) != nil {
		return nil
	}
	for _, cells := range rows {
		row := flat(cells)
		if len(row) == 0 {
			continue
		}
		if row[0].kind != relation && len(all) > 0 {
			all = append(all, token{kind: end})
		}
		all = append(all, row...)
	}
	return all
}
