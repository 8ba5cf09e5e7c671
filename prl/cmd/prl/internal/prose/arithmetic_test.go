package prose

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/cmd/prl/internal/prose/holds"
	"github.com/prlab/prlab/prl/notebook"
)

// An equation is one between two sides of a formula that hold numbers alone, such as 2^{14}=16384, and needs no line that binds it.
type equation struct {
	text, failed string
	numbers      []string // that stand in it
}

// equations finds the equations between numbers in the text of a cell, and evaluates them.
func equations(c *notebook.Cell) (all []equation) {
	if c.IsCode() {
		return nil
	}
	source := codeSpan.ReplaceAllString(c.Source(), " ")
	variable := strings.Contains(source, `1-\pi`) // the share of a class
	for _, place := range mathPlace.FindAllStringIndex(source, -1) {
		tex := strings.Trim(source[place[0]:place[1]], "$")
		if m := anyComment.FindString(source[place[1]:]); strings.Contains(m, "holds => false") && strings.HasPrefix(source[place[1]:], m) {
			continue // a misprint, which the formulas' own test holds to be one
		}
		if !strings.Contains(tex, "=") && !strings.Contains(tex, `\approx`) {
			continue
		}
		ts, err := tokens(tex)
		if err != nil {
			continue // a dollar that is none of mathematics; the handout says so
		}
		for _, p := range new(formula).split(ts) {
			for _, e := range p.equations() {
				if !(variable && strings.Contains(tex, `\pi`)) {
					all = append(all, e)
				}
			}
		}
	}
	return all
}

// equations compares each side that is a number, or an expression of numbers, with the next such side.
func (p part) equations() (all []equation) {
	last, lastValue, left, lastBare := -1, 0.0, shown{}, false
	for i, side := range p.sides {
		if i > 0 && p.relations[i-1] != "=" && p.relations[i-1] != `\approx` {
			last = -1
		}
		c := compiler{ts: side, scope: map[string]string{}, used: map[string]bool{}, indices: map[string]bool{}}
		code, err := c.expression()
		if err != nil || c.at < len(side) {
			continue
		}
		v, err := evaluated(code)
		if err != nil || math.IsNaN(v) { // 0 log 0 = 0 is a convention
			continue
		}
		right, isBare := bareNumber(side)
		if last >= 0 && !(isBare && lastBare) {
			e := equation{text: show(p.sides[last]) + " = " + show(side)}
			slack := 1e-9 * max(math.Abs(v), math.Abs(lastValue))
			if isBare {
				slack = max(slack, right.unit())
			}
			if lastBare {
				slack = max(slack, left.unit())
			}
			if !(math.Abs(v-lastValue) <= slack) {
				e.failed = fmt.Sprintf("the sides are %.12g and %.12g", lastValue, v)
			}
			e.numbers = append(numbersOf(p.sides[last]), numbersOf(side)...)
			all = append(all, e)
		}
		left, lastBare = right, isBare
		last, lastValue = i, v
	}
	return all
}

// unit is half a unit of the last digit.
func (s shown) unit() float64 { return 0.5001 * math.Pow(10, -float64(s.decimals)) }

// numbersOf lists the numbers in tokens.
func numbersOf(ts []token) (all []string) {
	for _, t := range ts {
		if t.kind == number {
			all = append(all, t.text)
		}
		for _, a := range t.args {
			all = append(all, numbersOf(a)...)
		}
	}
	return all
}

// bareNumber reports whether a side is one number, with or without a sign.
func bareNumber(side []token) (shown, bool) {
	if len(side) == 2 && side[0].kind == sign {
		side = side[1:]
	}
	if len(side) == 0 || side[0].kind != number {
		return shown{}, false
	}
	n := numbersIn(side[0].text)[0]
	if len(side) == 4 && side[1].key() == "sign *" && side[2].key() == "number 10" && side[3].kind == power { // 8.69·10^{-2}
		exponent, err := strconv.Atoi(strings.NewReplacer(" ", "", "{", "", "}", "").Replace(show(side[3].args[0])))
		n.decimals -= exponent
		return n, err == nil
	}
	return n, len(side) == 1
}

var errNoNumber = errors.New("not of numbers alone")

// evaluated is the value of an expression that the compiler has written, without a program.
func evaluated(code string) (float64, error) {
	e, err := parser.ParseExpr(code)
	if err != nil {
		return 0, err
	}
	return valueOf(e)
}

var numeric = map[string]func(float64) float64{
	"math.Log": math.Log, "math.Exp": math.Exp, "math.Sin": math.Sin, "math.Cos": math.Cos, "math.Tan": math.Tan, "math.Tanh": math.Tanh,
	"math.Sinh": math.Sinh, "math.Cosh": math.Cosh, "math.Atan": math.Atan, "math.Sqrt": math.Sqrt, "math.Abs": math.Abs,
	"prlHolds.Factorial": holds.Factorial, "float64": func(x float64) float64 { return x },
}

func valueOf(e ast.Expr) (float64, error) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return valueOf(e.X)
	case *ast.BasicLit:
		return strconv.ParseFloat(e.Value, 64)
	case *ast.UnaryExpr:
		v, err := valueOf(e.X)
		if e.Op.String() == "-" {
			v = -v
		}
		return v, err
	case *ast.BinaryExpr:
		x, err := valueOf(e.X)
		y, err2 := valueOf(e.Y)
		switch e.Op.String() {
		case "+":
			x += y
		case "-":
			x -= y
		case "*":
			x *= y
		case "/":
			x /= y
		}
		return x, errors.Join(err, err2)
	case *ast.SelectorExpr:
		switch e.Sel.Name {
		case "Pi":
			return math.Pi, nil
		case "E":
			return math.E, nil
		}
	case *ast.CallExpr:
		var arguments []float64
		for _, a := range e.Args {
			v, err := valueOf(a)
			if err != nil {
				return 0, err
			}
			arguments = append(arguments, v)
		}
		name := ""
		switch f := e.Fun.(type) {
		case *ast.Ident:
			name = f.Name
		case *ast.SelectorExpr:
			name = f.X.(*ast.Ident).Name + "." + f.Sel.Name
		}
		switch {
		case name == "math.Pow" && len(arguments) == 2:
			return math.Pow(arguments[0], arguments[1]), nil
		case name == "prlHolds.Choose" && len(arguments) == 2:
			return holds.Choose(arguments[0], arguments[1]), nil
		case numeric[name] != nil && len(arguments) == 1:
			return numeric[name](arguments[0]), nil
		}
	}
	return 0, errNoNumber
}

// TestArithmetic evaluates every equation between numbers in the text.
func TestArithmetic(t *testing.T) {
	_, all := chapters(t)
	for _, c := range all {
		n := 0
		for _, cell := range c.Cells {
			for _, e := range equations(cell) {
				n++
				if e.failed != "" {
					t.Errorf("%s, cell %s: %s: %s", c.name, cell.ID(), e.text, e.failed)
				}
			}
		}
		t.Logf("%-24s %3d equations between numbers", c.name, n)
	}
}
