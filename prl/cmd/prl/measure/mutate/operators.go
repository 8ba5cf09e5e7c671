package mutate

import (
	"go/token"
	"go/types"
)

func isNumber(t types.Type) bool {
	b, isBasic := t.Underlying().(*types.Basic)
	return isBasic && b.Info()&(types.IsInteger|types.IsFloat) != 0
}

func isFloat(t types.Type) bool {
	b, isBasic := t.Underlying().(*types.Basic)
	return isBasic && b.Info()&types.IsFloat != 0
}

func isWhole(t types.Type) bool {
	b, isBasic := t.Underlying().(*types.Basic)
	return isBasic && b.Info()&types.IsInteger != 0
}

func isBool(t types.Type) bool {
	b, isBasic := t.Underlying().(*types.Basic)
	return isBasic && b.Info()&types.IsBoolean != 0
}

// name writes a type as the program can, "" if it cannot.
func (w walker) name(t types.Type) string {
	t = types.Default(t)
	known := true
	s := types.TypeString(t, func(p *types.Package) string {
		if p.Path() == "main" {
			return ""
		}
		for name, path := range w.imports {
			if path == p.Path() {
				return name
			}
		}
		known = false
		return p.Name()
	})
	if !known {
		return ""
	}
	return s
}

var arithmetic = map[token.Token][2]string{
	token.ADD: {"mutAdd", "-"}, token.SUB: {"mutSub", "+"}, token.MUL: {"mutMul", "/"}, token.QUO: {"mutQuo", "*"},
}

var bitwise = map[token.Token][2]string{
	token.REM: {"mutRem", ""}, token.AND: {"mutBitAnd", "|"}, token.OR: {"mutBitOr", "&"}, token.XOR: {"mutBitXor", "|"},
}

var comparisons = map[token.Token][3]string{
	token.LSS: {"mutLess", "<=", ">="}, token.LEQ: {"mutAtMost", "<", ">"}, token.EQL: {"mutEqual", "!="},
	token.GTR: {"mutGreater", ">=", "<="}, token.GEQ: {"mutAtLeast", ">", "<"}, token.NEQ: {"mutUnequal", "=="},
}

// functions of one shape that are mistaken for each other.
var mistaken = map[string]string{
	"math.Log": "Log2", "math.Log2": "Log", "math.Log10": "Log", "math.Exp": "Exp2", "math.Exp2": "Exp",
	"math.Expm1": "Exp", "math.Log1p": "Log", "math.Sqrt": "Cbrt", "math.Cbrt": "Sqrt", "math.Sin": "Cos",
	"math.Cos": "Sin", "math.Tan": "Sin", "math.Tanh": "Atan", "math.Atan": "Tanh", "math.Sinh": "Cosh",
	"math.Cosh": "Sinh", "math.Floor": "Ceil", "math.Ceil": "Floor", "math.Round": "Floor", "math.Abs": "Sqrt",
	"math.Erf": "Erfc", "math.Erfc": "Erf", "math.Gamma": "Exp", "math.Max": "Min", "math.Min": "Max",
	"math.Hypot": "Max", "math.Pow": "Hypot", "math.Asin": "Acos", "math.Acos": "Asin", "math.Atan2": "Hypot",
}
